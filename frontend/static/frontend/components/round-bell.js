const KEPT = "etui-bell", SECOND = 1000
const HERTZ = { warning: [660], end: [660, 880, 660] }, STROKE_SECONDS = 0.5

/** <round-bell on="Silence the bell" off="Ring the bell"> beside a <round-clock> rings at its warning and at its end, where somebody has switched it on:
 * also where the page has put another in its place since it listened last. */
export class RoundBell extends HTMLElement {
  static define(tag = "round-bell") { customElements.define(tag, this) }

  static #before = null

  #due = 0
  #button = null

  connectedCallback() {
    this.#button = Object.assign(document.createElement("button"), { type: "button", className: "button" })
    this.#button.addEventListener("click", () => { localStorage.setItem(KEPT, this.#isOn ? "" : "on"); this.#name(); if (this.#isOn) ring(HERTZ.warning) })
    this.replaceChildren(this.#button)
    this.#name()
    this.#listen()
  }
  disconnectedCallback() { clearTimeout(this.#due) }

  get #isOn() { return localStorage.getItem(KEPT) === "on" }

  #name() { this.#button.textContent = this.getAttribute(this.#isOn ? "on" : "off") }

  #listen = () => {
    const clock = this.previousElementSibling, left = clock?.left, warning = Number(clock?.getAttribute("warning") ?? 0)
    if (this.#isOn && RoundBell.#before !== null) {
      if (RoundBell.#before > 0 && left <= 0) ring(HERTZ.end)
      else if (warning && RoundBell.#before > warning && left <= warning) ring(HERTZ.warning)
    }
    RoundBell.#before = left ?? null
    this.#due = setTimeout(this.#listen, SECOND)
  }
}

function ring(strokes) {
  const audio = new AudioContext()
  strokes.forEach((hertz, n) => {
    const tone = new OscillatorNode(audio, { frequency: hertz, type: "triangle" }), volume = new GainNode(audio), at = audio.currentTime + n * STROKE_SECONDS
    volume.gain.setValueAtTime(0.3, at)
    volume.gain.exponentialRampToValueAtTime(0.001, at + STROKE_SECONDS)
    tone.connect(volume).connect(audio.destination)
    tone.start(at)
    tone.stop(at + STROKE_SECONDS)
  })
}
