/** <ask-first> asks in the <dialog> inside it before its link is followed: without a script, the link's page asks. */
export class AskFirst extends HTMLElement {
  static define(tag = "ask-first") { customElements.define(tag, this) }

  #connection

  connectedCallback() {
    this.#connection = new AbortController()
    const { signal } = this.#connection, dialog = this.querySelector("dialog")
    this.querySelector("a").addEventListener("click", event => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      dialog.showModal()
    }, { signal })
    dialog.addEventListener("click", ({ target }) => {
      if (target === dialog || target.closest("[data-close]")) dialog.close()  // the backdrop belongs to the dialog
    }, { signal })
  }
  disconnectedCallback() { this.#connection.abort() }
}
