import { answered, unanswered } from "lib/connection.js"
import { countInTitle } from "lib/elements.js"
import { getJSON } from "lib/fetching.js"

const ASK_MILLISECONDS = 3000, HIDDEN_MILLISECONDS = 10000

/** <hall-calls news="…/news/" waits="…"> says which tables call, here and, as a number, in the title of the tab; waits: the page on which somebody goes there; colon: of the language. */
export class HallCalls extends HTMLElement {
  static define(tag = "hall-calls") { customElements.define(tag, this) }

  #connection
  #due = 0

  connectedCallback() {
    this.#connection = new AbortController()
    this.#due = setTimeout(this.#ask, ASK_MILLISECONDS)
  }
  disconnectedCallback() {
    this.#connection.abort()
    answered(this)
    clearTimeout(this.#due)
  }

  #ask = async () => {
    try {
      const { calling } = await getJSON(this.getAttribute("news"), this.#connection.signal)
      answered(this)
      countInTitle(calling.length)
      this.#show(calling)
    } catch (error) {
      if (error.name === "AbortError") return
      unanswered(this, error)
      console.warn(error)
    }
    this.#due = setTimeout(this.#ask, document.hidden ? HIDDEN_MILLISECONDS : ASK_MILLISECONDS)
  }

  /** What is there already stays as it is: a screen reader says what is new. */
  #show(calling) {
    const lines = calling.map(({ place, reason }) => {
      const line = document.createElement("p"), way = document.createElement("a")
      way.href = this.getAttribute("waits")
      way.append(Object.assign(document.createElement("strong"), { textContent: place }))
      line.append(way, `${this.getAttribute("colon")} ${reason}`)
      return line
    })
    const before = [...this.querySelectorAll("p")].map(line => line.textContent)
    if (lines.map(line => line.textContent).join("\n") === before.join("\n")) return
    const notice = Object.assign(document.createElement("div"), { className: "notice warning" })
    notice.append(...lines)
    this.replaceChildren(...(lines.length ? [notice] : []))
  }
}
