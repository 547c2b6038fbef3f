import { before, canonical, commitment, dealtAgain, keyOf, seedHash } from "lib/dealing.js"
import { getJSON } from "lib/fetching.js"

const HASH = /^[0-9a-f]{64}$/

/** <deals-proof file game board> checks the file that proves a session's deals, in this browser: every step says
 *  whether it holds, and shows the values that were compared. */
export class DealsProof extends HTMLElement {
  static define(tag = "deals-proof") { customElements.define(tag, this) }

  #connection

  connectedCallback() {
    this.#connection = new AbortController()
    this.querySelector("form").addEventListener("submit", event => { event.preventDefault(); this.#verify() }, { signal: this.#connection.signal })
  }
  disconnectedCallback() { this.#connection.abort() }

  async #verify() {
    const list = this.querySelector(".checks")
    list.replaceChildren()
    this.#say("working")
    try {
      const { signal } = this.#connection
      const answer = await fetch(this.getAttribute("file"), { signal, cache: "no-store" })
      if (!answer.ok) throw new Error(`${answer.status}`)
      const text = await answer.text(), { deal: layout } = await getJSON(this.getAttribute("game"), signal)
      await new Promise(resolve => setTimeout(resolve))  // the words are drawn before the work begins
      this.#check(text, layout)
    } catch (error) {
      if (error.name === "AbortError") return
      this.#row("file", false, String(error.message))
      this.#say("wrong")
    }
  }

  #check(text, layout) {
    const file = JSON.parse(text), { manifest } = file, found = []
    const check = (name, holds, ...values) => { found.push(holds); this.#row(name, holds, ...values) }
    check("form", text === `${canonical(file)}\n`)
    const own = commitment(manifest)
    check("commitment", own === file.commitment, own, file.commitment)
    const noted = this.querySelector("[name=noted]").value.trim().toLowerCase()
    if (noted) check("noted", HASH.test(noted) && (noted === own || noted === commitment(before(manifest))), noted)
    const value = manifest.public_value?.value
    if (file.seed === undefined) return this.#say(found.every(Boolean) ? "sealed" : "wrong")
    const hash = seedHash(file.seed)
    check("seed", hash === manifest.seed_hash, hash, manifest.seed_hash)
    const { deals, root } = dealtAgain(manifest, layout, keyOf(file.seed, value))
    check("root", root === manifest.root, root, manifest.root)
    const shown = document.querySelector("#shown-deal"), board = Number(this.getAttribute("board"))
    if (shown && deals.has(board)) check("shown", canonical(JSON.parse(shown.textContent)) === canonical(deals.get(board)))
    this.#say(!found.every(Boolean) ? "wrong" : noted ? "right" : "alone")
  }

  /** A check in words, from the template of its name; its values beneath it. */
  #row(name, holds, ...values) {
    const row = this.querySelector(`template[data-check="${name}"]`).content.querySelector("li").cloneNode(true)
    row.dataset.holds = holds ? "yes" : "no"
    for (const part of row.querySelectorAll("[data-when]")) part.hidden = part.dataset.when !== row.dataset.holds
    row.append(...[...new Set(values)].map(value => {
      const code = document.createElement("code")
      code.textContent = value
      return code
    }))
    this.querySelector(".checks").append(row)
  }

  /** What came of it all. */
  #say(name) {
    const verdict = this.querySelector(".verdict")
    verdict.dataset.says = name
    verdict.textContent = verdict.getAttribute(`data-${name}`)
  }
}
