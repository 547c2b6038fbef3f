/** <suit-choice two four> holds a button that shows the suits in four colours, and in two again; its words are the attributes. */
export class SuitChoice extends HTMLElement {
  static define(tag = "suit-choice") { customElements.define(tag, this) }

  #button

  connectedCallback() {
    this.#button ??= Object.assign(document.createElement("button"), { type: "button", className: "button", onclick: this.#turn })
    this.replaceChildren(this.#button)
    this.#say()
  }

  get #isFour() { return document.documentElement.dataset.suits === "four" }

  #turn = () => {
    const four = !this.#isFour
    if (four) document.documentElement.dataset.suits = "four"
    else delete document.documentElement.dataset.suits
    try {
      if (four) localStorage.setItem("suits", "four")
      else localStorage.removeItem("suits")
    } catch { /* storage is closed: chosen for this page alone */ }
    this.#say()
  }

  #say() { this.#button.textContent = this.getAttribute(this.#isFour ? "two" : "four") }
}
