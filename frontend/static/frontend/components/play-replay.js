/** <play-replay step> plays a record on the table inside it, card by card or trick by trick. */
export class PlayReplay extends HTMLElement {
  static define(tag = "play-replay") { customElements.define(tag, this) }

  #steps
  #connection

  connectedCallback() {
    this.#connection = new AbortController()
    const { signal } = this.#connection
    this.#steps = JSON.parse(this.querySelector("#steps").textContent)
    for (const part of this.querySelectorAll(".controls, .hint, .felt")) part.hidden = false
    this.addEventListener("click", ({ target }) => this.#go(target.closest("button")?.dataset.go), { signal })
    document.addEventListener("keydown", this.#key, { signal })
    this.#show()
  }
  disconnectedCallback() { this.#connection.abort() }

  get step() { return Number(this.getAttribute("step")) }

  #key = event => {
    const go = { ArrowRight: "on", ArrowLeft: "back", PageDown: "trick-on", PageUp: "trick-back", Home: "first", End: "last" }[event.key]
    if (!go || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    this.#go(go)
  }

  #go(where) {
    const last = this.#steps.length
    const ends = this.#steps.flatMap((step, i) => this.#isEnd(i) ? [i + 1] : [])  // steps that gather a trick
    const to = {
      first: 0, back: this.step - 1, on: this.step + 1, last,
      "trick-back": ends.findLast(end => end < this.step) ?? 0,
      "trick-on": ends.find(end => end > this.step) ?? last,
    }[where]
    if (to === undefined) return
    this.setAttribute("step", Math.min(Math.max(to, 0), last))
    this.#show()
  }

  #taken = i => i < 0 ? 0 : this.#steps[i].gathered
  #isEnd = i => this.#taken(i) > this.#taken(i - 1)

  #show() {
    const { step } = this, now = this.#steps[step - 1]
    const gone = new Set(this.#steps.slice(0, step).map(({ action }) => action).filter(a => a.startsWith("play:")).map(a => a.slice(5).split("!")[0]))
    for (const card of this.querySelectorAll(".deal .hand .card")) card.toggleAttribute("data-gone", gone.has(card.dataset.card))
    for (const place of this.querySelectorAll(".felt .place")) {
      const seat = Number(place.dataset.seat)
      const card = now?.trick.find(one => one.seat === seat)?.card
      place.querySelector(".lies").replaceChildren(...(card ? [this.#face(card)] : []))
      place.querySelector(".taken").textContent = now?.tricks[seat - 1] ?? 0
      place.toggleAttribute("data-takes", step > 0 && this.#isEnd(step - 1) && now.taker === seat)
    }
    const trick = this.#taken(step - 2) + 1
    for (const row of this.querySelectorAll(".tricks tbody tr")) {
      row.toggleAttribute("aria-current", step > 0 && Number(row.dataset.trick) === trick)
    }
    const output = this.querySelector("output")
    output.textContent = output.dataset.of.replace("{step}", step).replace("{steps}", this.#steps.length)
    for (const button of this.querySelectorAll("button")) {
      button.disabled = /first|back/.test(button.dataset.go) ? step === 0 : step === this.#steps.length
    }
  }

  #face(card) {
    const face = this.querySelector(`.tricks [data-card="${card}"]`) ?? this.querySelector(`.deal [data-card="${card}"]`)
    const copy = face.cloneNode(true)
    copy.removeAttribute("data-gone")
    return copy
  }
}
