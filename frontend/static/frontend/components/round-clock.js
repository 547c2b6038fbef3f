const SECOND = 1000

/** <round-clock ends="2026-11-24T20:52:00+00:00" warning="120"> counts down to the end of a round, and up once it is over. */
export class RoundClock extends HTMLElement {
  static define(tag = "round-clock") { customElements.define(tag, this) }

  #due = 0

  connectedCallback() { this.#show() }
  disconnectedCallback() { clearTimeout(this.#due) }

  get left() { return Math.round((Date.parse(this.getAttribute("ends")) - Date.now()) / SECOND) }

  #show = () => {
    const left = this.left, seconds = Math.abs(left)
    this.textContent = `${left < 0 ? "−" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
    this.classList.toggle("late", left <= Number(this.getAttribute("warning") ?? 0))
    this.#due = setTimeout(this.#show, SECOND)
  }
}
