/** <theme-choice light dark> holds a button that turns the page from light to dark and back; its words are the attributes. */
export class ThemeChoice extends HTMLElement {
  static define(tag = "theme-choice") { customElements.define(tag, this) }

  #button
  #system = matchMedia("(prefers-color-scheme: dark)")

  connectedCallback() {
    this.#button ??= Object.assign(document.createElement("button"), { type: "button", onclick: this.#turn })
    this.replaceChildren(this.#button)
    this.#system.addEventListener("change", this.#say)
    this.#say()
  }
  disconnectedCallback() { this.#system.removeEventListener("change", this.#say) }

  get #isDark() { return (document.documentElement.dataset.theme ?? (this.#system.matches ? "dark" : "light")) === "dark" }

  /** What the system would choose anyway is not kept: the page goes on following it. */
  #turn = () => {
    const wanted = this.#isDark ? "light" : "dark"
    const isKept = (wanted === "dark") !== this.#system.matches
    if (isKept) document.documentElement.dataset.theme = wanted
    else delete document.documentElement.dataset.theme
    try {
      if (isKept) localStorage.setItem("theme", wanted)
      else localStorage.removeItem("theme")
    } catch { /* storage is closed: chosen for this page alone */ }
    this.#say()
  }

  #say = () => { this.#button.textContent = this.getAttribute(this.#isDark ? "light" : "dark") }
}
