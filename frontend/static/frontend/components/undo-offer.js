const OFFERED_MILLISECONDS = 10000

/** <undo-offer> offers its form for ten seconds, and longer while somebody points at it or has it in focus. */
export class UndoOffer extends HTMLElement {
  static define(tag = "undo-offer") { customElements.define(tag, this) }

  #due = 0

  connectedCallback() { this.#soon() }
  disconnectedCallback() { clearTimeout(this.#due) }

  #soon() { this.#due = setTimeout(this.#end, OFFERED_MILLISECONDS) }
  #end = () => this.matches(":hover, :focus-within") ? this.#soon() : this.remove()
}
