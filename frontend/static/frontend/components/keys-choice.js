import { OFF } from "lib/keys.js"

/** <keys-choice> around a box that turns the shortcuts of this browser on and off: who speaks to the machine needs them off. */
export class KeysChoice extends HTMLElement {
  static define(tag = "keys-choice") { customElements.define(tag, this) }
  connectedCallback() {
    const box = this.querySelector("input")
    box.checked = !localStorage.getItem(OFF)
    box.addEventListener("change", () => box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "yes"))
  }
}
