import { getJSON } from "lib/fetching.js"

const PAUSE_MILLISECONDS = 150
const LEAST = 2

/** <find-field> around a search field: what is found while somebody types, to be chosen with arrows, Enter or a click. */
export class FindField extends HTMLElement {
  static define(tag = "find-field") { customElements.define(tag, this) }

  #connection
  #asking
  #due = 0
  #chosen = -1

  connectedCallback() {
    this.#connection = new AbortController()
    const { signal } = this.#connection, input = this.#input
    this.#list = Object.assign(document.createElement("ul"), { className: "suggestions", id: "suggestions" })
    this.#list.setAttribute("role", "listbox")
    this.#list.setAttribute("aria-label", input.placeholder)
    this.append(this.#list)
    for (const [name, value] of [["role", "combobox"], ["aria-controls", "suggestions"], ["aria-expanded", "false"], ["aria-autocomplete", "list"]]) input.setAttribute(name, value)
    input.addEventListener("input", () => { clearTimeout(this.#due); this.#due = setTimeout(this.#ask, PAUSE_MILLISECONDS) }, { signal })
    input.addEventListener("keydown", this.#key, { signal })
    input.addEventListener("blur", () => this.#show([]), { signal })
    this.#list.addEventListener("pointerdown", event => {
      event.preventDefault()  // the field keeps the focus until the page is left
      const one = event.target.closest("li")
      if (one) location.assign(one.dataset.address)
    }, { signal })
  }
  disconnectedCallback() { this.#connection.abort(); clearTimeout(this.#due) }

  #list
  get #input() { return this.querySelector("input") }

  #ask = async () => {
    const asked = this.#input.value.trim()
    this.#asking?.abort()
    if (asked.length < LEAST) return this.#show([])
    this.#asking = new AbortController()
    try {
      const address = `${this.#input.dataset.suggestions}?${new URLSearchParams({ q: asked })}`
      const { suggestions } = await getJSON(address, AbortSignal.any([this.#asking.signal, this.#connection.signal]))
      if (document.activeElement === this.#input) this.#show(suggestions)
    } catch (error) {
      if (error.name !== "AbortError") this.#show([])  // the button asks again
    }
  }

  #show(found) {
    this.#chosen = -1
    this.#list.replaceChildren(...found.map((one, number) => {
      const row = document.createElement("li"), about = document.createElement("small")
      row.id = `suggestion-${number}`
      row.dataset.address = one.address
      row.setAttribute("role", "option")
      row.textContent = one.name
      about.textContent = one.about
      row.append(about)
      return row
    }))
    this.#input.setAttribute("aria-expanded", String(found.length > 0))
    this.#input.removeAttribute("aria-activedescendant")
  }

  #key = event => {
    const rows = [...this.#list.children]
    if (event.key === "Escape" && rows.length) {
      event.preventDefault()
      this.#show([])
    } else if (event.key === "Enter" && this.#chosen >= 0) {
      event.preventDefault()
      location.assign(rows[this.#chosen].dataset.address)
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && rows.length) {
      event.preventDefault()
      this.#chosen = (this.#chosen + (event.key === "ArrowDown" ? 1 : -1) + rows.length) % rows.length
      rows.forEach((row, number) => row.setAttribute("aria-selected", String(number === this.#chosen)))
      this.#input.setAttribute("aria-activedescendant", rows[this.#chosen].id)
    }
  }
}
