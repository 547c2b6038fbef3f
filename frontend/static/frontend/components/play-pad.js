import { actions, cardOf, LEADS, misfit, PLAY, tableAfter, TURNED } from "lib/card-pad.js"
import { filled, make, wordsOf } from "lib/elements.js"
import { newKey, Outbox, post } from "lib/outbox.js"

const SOON_MILLISECONDS = 800 // until other phones of the table can take it up
const TWICE_MILLISECONDS = 250 // two taps on one key so quickly are one that has trembled
const DAY_MILLISECONDS = 86400000

/**
 * <play-pad home="/en/t/…/"> takes down what a table plays, from what everybody there sees: it asks nobody what may be
 * played. What it has stays on the phone, and with the service, so that another phone can go on; it is sent whole.
 */
export class PlayPad extends HTMLElement {
  static define(tag = "play-pad") { customElements.define(tag, this) }

  #connection = new AbortController()
  #words; #pad; #outbox
  #entries = []
  #revision = 0
  #at = -1 // the entry that is to be another one
  #mark = "" // what is said with the next card
  #note = ""
  #due = 0
  #isSaving = false
  #isSent = false
  #elsewhere = null // as another phone has it
  #last = { at: -TWICE_MILLISECONDS, key: null }

  get home() { return this.getAttribute("home") }
  get #draft() { return `play ${this.home}${this.#pad.number}` }

  connectedCallback() {
    this.#words = wordsOf(document)
    this.#pad = JSON.parse(document.getElementById("pad").textContent)
    this.#outbox = new Outbox(this.home)
    this.addEventListener("click", this.#clicked, { signal: this.#connection.signal })
    this.#begin()
    this.#draw()
  }

  disconnectedCallback() {
    this.#connection.abort()
    clearTimeout(this.#due)
  }

  /** From what this phone has, unless another one has gone on since. */
  #begin() {
    for (const name of Object.keys(localStorage).filter((one) => one.startsWith("play ")))
      if (JSON.parse(localStorage.getItem(name)).at < Date.now() - 2 * DAY_MILLISECONDS) localStorage.removeItem(name)
    const own = JSON.parse(localStorage.getItem(this.#draft) ?? "null"), { kept } = this.#pad
    const from = own && own.revision >= kept.revision ? own : kept
    this.#entries = [...from.entries]
    this.#revision = from.revision
    this.#at = misfit(this.#pad, this.#entries)
  }

  // ── Taps ──

  #clicked = (event) => {
    const key = event.target.closest("button")
    if (!key || this.#isSent) return
    const { timeStamp: at } = event, isTwice = event.detail > 0 && key === this.#last.key && at - this.#last.at < TWICE_MILLISECONDS
    this.#last = { at, key }
    if (isTwice) return
    const { card, say, turned, seat, mark, entry, act } = key.dataset
    this.#note = ""
    if (act === "undo") this.#undo()
    else if (act === "send") return this.#send()
    else if (act === "take-up") this.#takeUp()
    else if (this.#elsewhere) return
    else if (entry) this.#at = this.#at === Number(entry) ? -1 : Number(entry)
    else if (mark) this.#mark = this.#mark === mark ? "" : mark
    else if (card) this.#put(PLAY + card + this.#mark)
    else if (say) this.#put(say)
    else if (turned) this.#put(TURNED + turned)
    else if (seat) this.#name(Number(seat))
    this.#draw()
  }

  /** An entry more, or in place of another: then the first one that no longer fits is asked for. */
  #put(entry) {
    this.#mark = ""
    if (this.#at >= 0) {
      this.#entries[this.#at] = entry
      this.#at = misfit(this.#pad, this.#entries)
      if (this.#at >= 0) this.#note = filled(this.#words.misfit, { n: this.#at + 1 })
    } else this.#entries.push(entry)
    this.#keep()
  }

  #undo() {
    if (this.#at >= 0 && misfit(this.#pad, this.#entries) < 0) this.#at = -1
    else {
      this.#entries.pop()
      this.#at = misfit(this.#pad, this.#entries)
      this.#keep()
    }
  }

  /** A seat gets the trick; or it leads, where the pad took another one to have won. */
  #name(seat) {
    const table = this.#table, wants = this.#wants(table)
    if (wants === "given") {
      if (table.tricks[seat - 1] >= this.#pad.quota) this.#note = filled(this.#words.full, { name: this.#called(seat) })
      else this.#put(`${this.#pad.gives}${seat}`)
    } else if (this.#at >= 0 && this.#entries[this.#at].startsWith(LEADS)) this.#put(LEADS + seat)
    else if (this.#at < 0 && table.isBetween && !this.#pad.gives && wants === "card") {
      if (this.#entries.at(-1).startsWith(LEADS)) this.#entries.pop()
      if (tableAfter(this.#pad, this.#entries, this.#pad).seat !== seat) this.#entries.push(LEADS + seat)
      this.#keep()
    } else this.#note = this.#words.notNow
  }

  async #send() {
    const table = this.#table
    if (!this.#canSend(table)) {
      this.#note = filled(this.#words.early, { n: this.#entries.filter(cardOf).length, all: this.#pad.cards })
      return this.#draw()
    }
    this.#isSent = true
    this.#draw()
    clearTimeout(this.#due)
    await this.#outbox.put({ key: newKey(), board: this.#pad.number, actions: actions(this.#entries), seat: this.#owner, at: Date.now(), state: "waiting" })
    location.assign(this.home)
  }

  /** Whose phone this is, if somebody has said so on the table's page. */
  get #owner() {
    const { name, seat } = JSON.parse(localStorage.getItem(`whose ${this.home}`) ?? "{}"), { names } = this.#pad
    return names[seat - 1] === name ? seat : names.indexOf(name) + 1 || undefined
  }

  // ── What is kept ──

  #keep() {
    this.#store(false)
    clearTimeout(this.#due)
    this.#due = setTimeout(this.#save, SOON_MILLISECONDS)
  }

  #store(isSaved) { localStorage.setItem(this.#draft, JSON.stringify({ entries: this.#entries, revision: this.#revision, isSaved, at: Date.now() })) }

  /** Where other phones of the table find it. Without a network it stays here; the next entry asks again. */
  #save = async () => {
    if (this.#isSaving || this.#isSent || this.#elsewhere) return
    this.#isSaving = true
    const entries = [...this.#entries]
    try {
      const answer = await post(`${this.home}records/`, { board: this.#pad.number, entries, revision: this.#revision }), told = await answer.json()
      if (answer.ok) {
        this.#revision = told.revision
        this.#store(entries.join() === this.#entries.join())
      } else if (told.code === "taken-up") {
        this.#elsewhere = told.details
        this.#draw()
      }
    } catch { /* no network */ }
    this.#isSaving = false
    if (entries.join() !== this.#entries.join()) this.#keep()
  }

  #takeUp() {
    this.#entries = [...this.#elsewhere.entries]
    this.#revision = this.#elsewhere.revision
    this.#elsewhere = null
    this.#at = misfit(this.#pad, this.#entries)
    this.#keep()
  }

  // ── What is drawn ──

  /** The table before the entry that is asked for. */
  get #table() { return tableAfter(this.#pad, this.#at < 0 ? this.#entries : this.#entries.slice(0, this.#at), this.#pad) }

  #wants(table) {
    const entry = this.#entries[this.#at]
    if (this.#at < 0) return table.wants
    return cardOf(entry) ? "card" : entry.startsWith(TURNED) ? "turned" : entry.startsWith(LEADS) ? "leads" : this.#pad.gives && entry.startsWith(this.#pad.gives) ? "given" : "said"
  }

  #canSend(table) { return !this.#isSent && !this.#elsewhere && this.#at < 0 && table.isWhole }

  #called(seat) { return this.#pad.short[seat - 1] }

  #draw() {
    const table = this.#table, wants = this.#wants(table), gone = new Set(table.gone)
    const isNew = table.trick.length === this.#pad.seats && table.isWhole && wants === "card" // a round begins anew
    if (isNew) gone.clear()
    const led = table.trick.length && table.trick.length < this.#pad.seats ? table.trick[0].card.at(-1) : ""
    for (const place of this.querySelectorAll(".place")) {
      const seat = Number(place.dataset.seat), lies = table.trick.find((one) => one.seat === seat)
      if (seat === table.seat && wants !== "end" && wants !== "turned") place.setAttribute("aria-current", "true")
      else place.removeAttribute("aria-current")
      place.querySelector(".lies").replaceChildren(...(lies ? [this.#face(lies.card)] : []))
      place.querySelector(".taken").textContent = table.tricks[seat - 1]
    }
    for (const group of this.querySelectorAll(".group")) group.hidden = group.dataset.for !== wants || Boolean(this.#elsewhere)
    for (const key of this.querySelectorAll("button[data-card]")) key.disabled = gone.has(key.dataset.card)
    for (const row of this.querySelectorAll(".suit-row")) row.toggleAttribute("data-led", row.dataset.suit === led)
    for (const key of this.querySelectorAll("[data-mark]")) key.setAttribute("aria-pressed", String(key.dataset.mark === this.#mark))
    this.querySelector(".elsewhere").hidden = !this.#elsewhere
    this.querySelector(".send").setAttribute("aria-disabled", String(!this.#canSend(table)))
    this.querySelector(".line").textContent = this.#note || this.#line(table, wants)
    this.#drawStrip()
  }

  #line(table, wants) {
    const words = this.#words, name = this.#called(table.seat)
    if (this.#at >= 0) return filled(words.replace, { n: this.#at + 1 })
    if (wants === "turned") return words.turned
    if (wants === "end") return words.end
    if (wants === "given") return filled(words.gives, { name })
    if (wants === "said") return filled(words.says, { name })
    return filled(table.trick.length % this.#pad.seats ? words.turn : words.leads, { name })
  }

  #drawStrip() {
    const strip = this.querySelector(".strip")
    strip.replaceChildren(...this.#entries.map((entry, at) => {
      const shown = this.#shown(entry), words = shown.querySelector?.("[aria-label]")?.getAttribute("aria-label") ?? shown.getAttribute?.("aria-label") ?? shown.textContent
      return make("li", {}, make("button", { type: "button", "data-entry": String(at), "aria-pressed": String(at === this.#at), "aria-label": filled(this.#words.entry, { n: at + 1, what: words }) }, shown))
    }))
    const now = strip.children[this.#at < 0 ? strip.children.length - 1 : this.#at]
    if (now) strip.scrollLeft = now.offsetLeft - strip.clientWidth / 2
  }

  /** An entry as the strip shows it. */
  #shown(entry) {
    const card = cardOf(entry), { gives } = this.#pad
    if (card) return make("span", { class: entry.includes("!") ? "marked" : null }, this.#face(card))
    if (entry.startsWith(TURNED)) return this.querySelector(`[data-turned="${entry.slice(TURNED.length)}"] .suit`).cloneNode(true)
    if (entry.startsWith(LEADS)) return make("span", {}, filled(this.#words.leadFixed, { name: this.#called(Number(entry.slice(LEADS.length))) }))
    if (gives && entry.startsWith(gives)) return make("span", {}, filled(this.#words.given, { name: this.#called(Number(entry.slice(gives.length))) }))
    return make("span", {}, this.querySelector(`[data-say="${entry}"]`)?.textContent ?? entry)
  }

  #face(card) { return this.querySelector(`[data-card="${card}"] .card`).cloneNode(true) }
}
