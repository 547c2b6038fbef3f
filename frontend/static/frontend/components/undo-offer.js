const OFFERED_MILLISECONDS = 10000

/**
 * <undo-offer> offers its form for ten seconds, and longer while somebody points at it or has it in focus. Where the
 * page can offer the same for longer, it does so from then on: never twice at once.
 */
export class UndoOffer extends HTMLElement {
  static define(tag = "undo-offer") { customElements.define(tag, this) }

  #due = 0

  connectedCallback() { this.#soon() }
  disconnectedCallback() { clearTimeout(this.#due) }

  #soon() { this.#due = setTimeout(this.#end, OFFERED_MILLISECONDS) }
  #end = () => {
    if (this.matches(":hover, :focus-within")) return this.#soon()
    const { value } = this.querySelector("[name=undo]")
    this.remove()
    for (const later of document.querySelectorAll("#undo li[hidden]")) later.hidden = later.querySelector("[name=undo]").value !== value
  }
}
