/** <whole-screen whole="Full screen" back="Leave the full screen"> lets the section around it fill the screen, where the browser can,
 * or another element of the page (`of`, by its selector). */
export class WholeScreen extends HTMLElement {
  static define(tag = "whole-screen") { customElements.define(tag, this) }

  #button = null

  connectedCallback() {
    if (!document.fullscreenEnabled) return
    this.#button = Object.assign(document.createElement("button"), { type: "button", className: "button" })
    this.#button.addEventListener("click", this.#change)
    this.replaceChildren(this.#button)
    document.addEventListener("fullscreenchange", this.#name)
    this.#name()
  }
  disconnectedCallback() { document.removeEventListener("fullscreenchange", this.#name) }

  #change = () => {
    if (document.fullscreenElement) document.exitFullscreen()
    else this.#shown.requestFullscreen()
  }

  get #shown() { return this.hasAttribute("of") ? document.querySelector(this.getAttribute("of")) : this.closest("section") }

  #name = () => { this.#button.textContent = this.getAttribute(document.fullscreenElement ? "back" : "whole") }
}
