/** <whole-screen whole="Full screen" back="Leave the full screen"> lets the section around it fill the screen, where the browser can. */
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
    else this.closest("section").requestFullscreen()
    this.#button.blur() // what somebody is using is not kept as the service has it
  }

  #name = () => { this.#button.textContent = this.getAttribute(document.fullscreenElement ? "back" : "whole") }
}
