import { getJSON } from "lib/fetching.js"

const PAUSE_MILLISECONDS = 150
const LEAST = 2

/** <names-field names="…/names/" each="2" found="…"> around a field with a contestant a line: whom the register knows by what stands before the caret, as buttons beneath, reached with Tab or a finger. `each`: so many on a line; `found`: what a screen reader is told. */
export class NamesField extends HTMLElement {
  static define(tag = "names-field") { customElements.define(tag, this) }

  #connection
  #asking
  #due = 0
  #list
  #told

  connectedCallback() {
    this.#connection = new AbortController()
    const { signal } = this.#connection
    this.#list = Object.assign(document.createElement("ul"), { className: "proposed" })
    this.#told = Object.assign(document.createElement("p"), { className: "unseen" })
    this.#told.setAttribute("role", "status")
    this.#field.after(this.#list, this.#told)
    this.#field.addEventListener("input", () => { clearTimeout(this.#due); this.#due = setTimeout(this.#ask, PAUSE_MILLISECONDS) }, { signal })
    this.addEventListener("keydown", event => { if (event.key === "Escape" && this.#list.children.length) { event.preventDefault(); this.#show([]); this.#field.focus() } }, { signal })
    this.#list.addEventListener("click", event => { const one = event.target.closest("button"); if (one) this.#take(one.textContent) }, { signal })
  }
  disconnectedCallback() { this.#connection.abort(); this.#asking?.abort(); clearTimeout(this.#due) }

  get #field() { return this.querySelector("textarea") }

  /** Where the name begins that is being typed, and where the caret stands behind it. */
  get #span() {
    const { value, selectionStart: end } = this.#field
    const begin = Math.max(value.lastIndexOf("\n", end - 1), value.lastIndexOf("/", end - 1), value.lastIndexOf(":", end - 1)) + 1
    return [begin + value.slice(begin, end).match(/^\s*/)[0].length, end]
  }

  #ask = async () => {
    const [begin, end] = this.#span, asked = this.#field.value.slice(begin, end)
    this.#asking?.abort()
    if (asked.trim().length < LEAST) return this.#show([])
    this.#asking = new AbortController()
    try {
      const { names } = await getJSON(`${this.getAttribute("names")}?${new URLSearchParams({ q: asked })}`, AbortSignal.any([this.#asking.signal, this.#connection.signal]))
      this.#show(names.filter(name => name !== asked.trim()))
    } catch (error) {
      if (error.name !== "AbortError") this.#show([])  // what is typed counts all the same
    }
  }

  #show(names) {
    this.#list.replaceChildren(...names.map(name => {
      const row = document.createElement("li"), button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: name })
      row.append(button)
      return row
    }))
    this.#told.textContent = names.length ? `${this.getAttribute("found")} ${names.length}` : ""
  }

  #take(name) {
    const [begin, end] = this.#span, { value } = this.#field
    const line = value.slice(value.lastIndexOf("\n", begin - 1) + 1, begin)
    const isWhole = line.split("/").length >= Number(this.getAttribute("each"))
    const after = value.slice(end), next = isWhole ? (after.startsWith("\n") ? "" : "\n") : " / "
    this.#field.value = value.slice(0, begin) + name + next + after
    this.#show([])
    this.#field.focus()
    const caret = begin + name.length + next.length
    this.#field.setSelectionRange(caret, caret)
  }
}
