const SUITS = "SHCDTX"  // as the server orders them
const SWIPE = 40  // px, at least

/** <play-replay step> plays a record on the table inside it, card by card or trick by trick. */
export class PlayReplay extends HTMLElement {
  static define(tag = "play-replay") { customElements.define(tag, this) }

  #steps
  #connection
  #faces = new Map()  // a card of each kind, to copy
  #dealt

  connectedCallback() {
    this.#connection = new AbortController()
    const { signal } = this.#connection
    this.#steps = JSON.parse(this.querySelector("#steps").textContent)
    for (const card of this.querySelectorAll("[data-card]")) this.#faces.set(card.dataset.card, card.cloneNode(true))
    this.#dealt = [...this.querySelectorAll(".deal .hand")].map(hand => [...hand.querySelectorAll(".card")].map(card => card.dataset.card))
    this.addEventListener("click", ({ target }) => this.#go(target.closest("button")?.dataset.go), { signal })
    document.addEventListener("keydown", this.#key, { signal })
    const felt = this.querySelector(".felt")
    felt.addEventListener("touchstart", this.#touch, { signal, passive: true })
    felt.addEventListener("touchend", this.#swipe, { signal, passive: true })
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

  #touched
  #touch = ({ touches }) => { this.#touched = touches.length === 1 ? { x: touches[0].clientX, y: touches[0].clientY } : undefined }

  /** A thumb that moves to the left goes on, to the right back; one that scrolls or zooms does neither. */
  #swipe = ({ changedTouches, touches }) => {
    const from = this.#touched
    this.#touched = undefined
    if (!from || touches.length) return
    const x = changedTouches[0].clientX - from.x, y = changedTouches[0].clientY - from.y
    if (Math.abs(x) >= SWIPE && Math.abs(x) > 2 * Math.abs(y)) this.#go(x < 0 ? "on" : "back")
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
    const hands = now?.hands ?? this.#dealt
    this.querySelectorAll(".deal .fan").forEach((fan, i) => fan.replaceChildren(...this.#inOrder(hands[i]).map(card => this.#face(card))))
    for (const place of this.querySelectorAll(".playing .place")) {
      const seat = Number(place.dataset.seat)
      const card = now?.trick.find(one => one.seat === seat)?.card
      place.querySelector(".lies").replaceChildren(...(card ? [this.#face(card)] : []))
      const taken = place.querySelector(".taken")
      if (taken) taken.textContent = now?.tricks[seat - 1] ?? 0
      place.toggleAttribute("data-takes", step > 0 && this.#isEnd(step - 1) && now.taker === seat)
    }
    this.querySelector(".on-table").replaceChildren(...(now?.table ?? []).map(card => this.#face(card)))
    const trick = this.#taken(step - 2) + 1
    for (const row of this.querySelectorAll(".tricks tbody tr")) {
      row.toggleAttribute("aria-current", step > 0 && Number(row.dataset.trick) === trick)
    }
    const output = this.querySelector("output")
    output.textContent = output.dataset.of.replace("{step}", step).replace("{steps}", this.#steps.length)
    for (const button of this.querySelectorAll(".controls button")) {
      button.disabled = /first|back/.test(button.dataset.go) ? step === 0 : step === this.#steps.length
    }
  }

  /** Suit by suit, as the page dealt them. */
  #inOrder(cards) {
    const place = card => SUITS.indexOf(this.#faces.get(card).dataset.suit)
    return [...cards].sort((one, other) => place(one) - place(other))
  }

  #face(card) { return this.#faces.get(card).cloneNode(true) }
}
