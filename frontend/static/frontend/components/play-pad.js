import { actions, faceDown, leftOf, misfit, revoked, tableAfter, words } from "lib/card-pad.js"
import { filled, make, wordsOf } from "lib/elements.js"
import { newKey, Outbox, post } from "lib/outbox.js"
import { cardOf, LEADS, PLAY, STUCK, tokenOf, TURNED } from "lib/pad-entries.js"

const SOON_MILLISECONDS = 800 // until other phones of the table can take it up
const TWICE_MILLISECONDS = 250 // two taps on one key so quickly are one that has trembled
const DAY_MILLISECONDS = 86400000
const ENDLESS = ["counting", "rummy"] // however many cards it takes
const PICKED = ["card", "melds", "worn", "down", "first", "laid", "shows", "trades", "devil", "exposes", "lays"] // by tapping cards
const PICKING = /^(@?\w+:)+\w+[>+,]|^(gave|lay|add|discard):/ // several cards in one entry

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
  #picked = [] // of several things that are named together
  #isTalking = false // before a card, or out of turn
  #worn = "" // a card that is played as another one
  #page = null // of the cards, where somebody has turned to it
  #note = ""
  #warned = "" // of a card that cannot be: said once before it is sent
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
    for (const change of ["online", "offline"]) addEventListener(change, this.#tellNetwork, { signal: this.#connection.signal })
    this.#tellNetwork()
    this.#begin()
    this.#draw()
    this.#tellRefused()
  }

  #tellNetwork = () => { this.querySelector(".no-network").hidden = navigator.onLine }

  /** Why what was sent of this board has not been taken. */
  async #tellRefused() {
    const refused = (await this.#refused()).at(-1)
    if (!refused) return
    this.#note = [refused.why, this.#revoke() || this.#words.cards].join(" ")
    this.#draw()
  }

  async #refused() { return (await this.#outbox.all()).filter((one) => one.board === this.#pad.number && one.state === "refused") }

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
    const { card, say, item, turned, seat, mark, entry, act, page, end, move, meld, kind, slot } = key.dataset, table = this.#table, { wants } = table
    this.#note = ""
    if (act === "undo") this.#undo()
    else if (act === "send") return this.#send()
    else if (act === "take-up") this.#takeUp()
    else if (this.#elsewhere) return
    else if (entry) this.#turnTo(Number(entry))
    else if (mark) this.#mark = this.#mark === mark ? "" : mark
    else if (page) this.#page = Number(page)
    else if (move) this.#move(move === "earlier")
    else if (act === "lay" || meld) this.#picked = [meld ? `add:${meld}` : "lay"]
    else if (act === "six") this.#picked.push("six")
    else if (card && this.#onto) this.#putDown(card)
    else if (act === "out") this.#takeOut()
    else if (kind) this.#picked.splice(this.#pad.labels[this.#picked.at(-1)] ? -1 : this.#picked.length, 1, kind)
    else if (this.#isMelding && (card || slot)) this.#picked.push(card ?? `#${slot}`)
    else if (slot) this.#put(PLAY + key.dataset.face + (table.isWithoutStock ? "" : `#${slot}`))
    else if (act === "itself") this.#tap(table, this.#worn)
    else if (card && (this.#worn || table.faces(card).length)) this.#wear(table, card)
    else if (card && ["shows", "trades", "devil", "exposes"].includes(wants)) this.#tap(table, card)
    else if (card && wants === "down") this.#pick(card)
    else if (card && wants === "laid") this.#picked.push(card)
    else if (end) this.#extend(end)
    else if (card && wants === "first") this.#put(TURNED + card)
    else if (card) this.#put((table.stage.throws ?? PLAY) + card + this.#mark)
    else if (say) this.#put(say)
    else if (item) this.#choose(item)
    else if (act === "done") this.#done()
    else if (act === "talk") this.#isTalking = true
    else if (turned) this.#put(TURNED + turned)
    else if (seat) this.#name(Number(seat))
    this.#draw()
  }

  /** An older entry, which is to be another one; or no longer. */
  #turnTo(entry) {
    this.#forget()
    this.#at = this.#at === entry ? -1 : entry
  }

  /** An entry more, or in place of another: then the first one that no longer fits is asked for. */
  #put(entry) {
    this.#forget()
    const table = this.#table
    if (table.wants === "said" && this.#at < 0 && !table.fits(entry)) this.#note = this.#words.cannot
    else if (this.#at >= 0 && table.before) this.#amend(table, entry)
    else if (this.#at >= 0) {
      this.#entries[this.#at] = entry
      this.#at = misfit(this.#pad, this.#entries)
      if (this.#at >= 0) this.#note = filled(this.#words.misfit, { n: this.#at + 1 })
    } else {
      const implied = table.implied(entry)
      if (implied) this.#entries.push(implied)
      this.#entries.push(entry)
      if (revoked(this.#pad, this.#entries)?.later === this.#entries.length - 1) this.#note = this.#revoke()
    }
    this.#keep()
  }

  /** The first card that cannot be, by those that the same player has played since; nothing where all may be. */
  #revoke() {
    const one = revoked(this.#pad, this.#entries)
    return one ? filled(this.#words.revoke, { n: one.trick, name: this.#called(one.seat), card: this.#told(one.card), other: this.#told(one.other) }) : ""
  }

  #told(card) { return this.#face(card).getAttribute("aria-label") }

  /** Another entry in a place, or one that had been left out before it; or none. What lies there is counted anew. */
  #amend(table, ...instead) {
    this.#entries = table.amended(this.#entries, this.#at, instead)
    this.#at = misfit(this.#pad, this.#entries)
    if (this.#at >= 0) this.#note = filled(this.#words.misfit, { n: this.#at + 1 })
  }

  #takeOut() {
    this.#forget()
    this.#amend(this.#table)
    this.#keep()
  }

  #forget() {
    this.#mark = ""
    this.#picked = []
    this.#page = null
    this.#isTalking = false
    this.#worn = ""
  }

  /** A card that can be another one asks which; then it is that one. */
  #wear(table, card) {
    if (!this.#worn) this.#worn = card
    else this.#tap(table, `${this.#worn}=${card}`)
  }

  /** A card, perhaps as another one: alone, or one of several that are named together. */
  #tap(table, card) {
    this.#worn = ""
    if (table.wants === "card") return this.#put(PLAY + card + this.#mark)
    this.#picked.push(card)
    if (["trades", "devil"].includes(table.wants) && this.#picked.length === 2) this.#put(table.entryOf(this.#picked))
  }

  /** Where the cards go that are tapped next: "lay", or "add:3:high", to what lies there; "" where they are played. */
  get #onto() { return /^(lay$|add:)/.test(this.#picked[0] ?? "") ? this.#picked[0] : "" }

  /** A card more of those that are laid; or the one that is added. */
  #putDown(card) {
    if (this.#onto === "lay") this.#picked.push(card)
    else this.#put(`${this.#onto}:${card}`)
  }

  /** All that is laid together. */
  #lay(table) {
    const entry = table.entryOf(this.#picked.slice(1))
    if (table.fits(entry) || table.implied(entry)) this.#put(entry)
    else this.#note = table.contract ? filled(this.#words.contract, { what: this.#contractOf(table) }) : this.#words.some
  }

  #contractOf({ contract, stage }) { return contract.map((kind) => stage.kinds[kind]).join(" + ") }

  /** Something said out of turn, with its answers, one entry earlier or later. */
  #move(isEarlier) {
    const all = this.#entries, from = this.#at, isAnswer = (entry) => this.#isAnswer(entry)
    let to = from + 1
    while (to < all.length && isAnswer(all[to])) to++
    const block = all.splice(from, to - from)
    let at = from
    if (isEarlier) while (at > 0 && isAnswer(all[--at]));
    else while (at < all.length && (++at < all.length && isAnswer(all[at])));
    all.splice(Math.min(at, all.length), 0, ...block)
    const wrong = misfit(this.#pad, all)
    this.#at = wrong >= 0 ? wrong : at
    if (wrong >= 0) this.#note = filled(this.#words.misfit, { n: wrong + 1 })
    this.#keep()
  }

  #isAnswer(entry) { return this.#pad.stages.some(({ answers }) => answers?.some(({ token }) => token === entry)) }

  /** A card that lay face down: with the last one they are told, where it is known how many there are. */
  #pick(card) {
    this.#picked.push(card)
    const { stage } = this.#table.waiting
    if (this.#picked.length === (stage.given ? this.#pad.seats - 1 : stage.count)) this.#done()
  }

  /** Cards that were laid on the table, and the end from which they count. */
  #extend(end) {
    this.#put(`${this.#table.stage.verb}:${this.#picked.join()}${end}`)
  }

  /** One of several things, or not; twice where it may be. */
  #choose(item) {
    const count = this.#picked.filter((one) => one === item).length
    if (count > (this.#talkOf(this.#table).twice ? 1 : 0)) this.#picked = this.#picked.filter((one) => one !== item)
    else this.#picked.push(item)
  }

  /** All that was named, in the order of the keys; or nothing. */
  #done() {
    if (this.#onto) return this.#lay(this.#table)
    const table = this.#table, { waiting } = table, stage = waiting?.stage ?? this.#talkOf(table), { verb, between = ",", nothing } = stage
    const order = waiting ? [] : stage.words.map((one) => one.token)
    const named = waiting ? this.#picked : [...this.#picked].sort((one, other) => order.indexOf(one) - order.indexOf(other))
    if (table.wants === "shows") return this.#shows(table)
    if (this.#isMelding) return this.#announce(table)
    if (table.wants === "exposes") return this.#put([table.stage.talk.exposes, table.todo[0], ...this.#picked.length ? [[...this.#picked].sort().join()] : []].join(":"))
    if (named.length) this.#put(`${verb}:${named.join(between)}`)
    else if (this.#isTalking) this.#isTalking = false
    else if (nothing) this.#put(nothing)
    else this.#note = this.#words.some
  }

  /** The cards that are shown, and those that are taken for them. */
  #shows(table) {
    const entry = table.entryOf(this.#picked)
    if (table.fits(entry)) this.#put(entry)
    else this.#note = this.#words.some
  }

  /** What was tapped together, if it can be announced. */
  #announce(table) {
    const entry = table.entryOf(this.#picked), refusal = table.refusalOf(entry)
    if (refusal) this.#note = `${filled(this.#words.refused, { why: refusal })}`
    else this.#put(entry)
  }

  #undo() {
    if (this.#worn) return void (this.#worn = "")
    if (this.#picked.length) return void this.#picked.pop()
    if (this.#isTalking) return void (this.#isTalking = false)
    this.#page = null
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
      const { quota, gives } = table.stage
      if (table.tricks[seat - 1] >= quota) this.#note = filled(this.#words.full, { name: this.#called(seat) })
      else this.#put(`${gives}${seat}`)
    } else if (this.#at >= 0 && this.#entries[this.#at].startsWith(LEADS)) this.#put(LEADS + seat)
    else if (this.#at < 0 && table.isBetween && !table.stage.gives && wants === "card") {
      if (this.#entries.at(-1).startsWith(LEADS)) this.#entries.pop()
      if (tableAfter(this.#pad, this.#entries).seat !== seat) this.#entries.push(LEADS + seat)
      this.#keep()
    } else this.#note = this.#words.notNow
  }

  async #send() {
    const table = this.#table
    if (!this.#canSend(table)) {
      // the question stands there still
      if (table.wants === "down") this.#note = ""
      else if (table.isUncounted) this.#note = this.#words.notOver
      else if (this.#pad.stages.some(({ kind }) => ENDLESS.includes(kind))) this.#note = this.#words.goesOn
      else this.#note = filled(this.#words.early, { n: this.#entries.filter(cardOf).length, all: this.#pad.cards })
      return this.#draw()
    }
    const revoke = this.#revoke()
    if (revoke && revoke !== this.#warned) {
      this.#warned = this.#note = revoke
      this.#at = revoked(this.#pad, this.#entries).at
      return this.#draw()
    }
    this.#isSent = true
    this.#draw()
    clearTimeout(this.#due)
    const refused = await this.#refused()
    await this.#outbox.put({ key: newKey(), board: this.#pad.number, actions: actions(this.#pad, this.#entries), seat: this.#owner, at: Date.now(), state: "waiting" })
    for (const one of refused) await this.#outbox.remove(one.key)
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
    this.#forget()
    this.#entries = [...this.#elsewhere.entries]
    this.#revision = this.#elsewhere.revision
    this.#elsewhere = null
    this.#at = misfit(this.#pad, this.#entries)
    this.#keep()
  }

  // ── What is drawn ──

  /** The table before the entry that is asked for. */
  get #table() { return tableAfter(this.#pad, this.#at < 0 ? this.#entries : this.#entries.slice(0, this.#at)) }

  /** Whether something is being announced. */
  get #isMelding() { return this.#pad.stages.some(({ announces }) => announces?.some(({ token }) => token === this.#picked[0])) }

  #wants(table) {
    if (this.#isMelding) return "melds"
    if (this.#entries[this.#at]?.startsWith(LEADS)) return "leads"
    if (this.#worn) return "worn"
    if (this.#onto) return "lays"
    return this.#isTalking && table.maySpeak ? (table.stage.calls ? "talk" : "spoken") : table.wants
  }

  /** What is being said: in turn, or before a card. */
  #talkOf(table) { return table.stage?.said ?? table.stage }

  #canSend(table) { return !this.#isSent && !this.#elsewhere && this.#at < 0 && table.isWhole }

  #called(seat) { return this.#pad.short[seat - 1] }

  #draw() {
    const table = this.#table, wants = this.#wants(table)
    const led = !table.hasNoLead && table.trick.length && table.trick.length < this.#pad.seats ? this.#suitOf(table.trick.find((one) => this.#suitOf(one.card))?.card) : ""
    for (const place of this.querySelectorAll(".place")) {
      const seat = Number(place.dataset.seat), lies = table.trick.filter((one) => one.seat === seat)
      if (seat === table.seat && !["end", "out", "turned", "first"].includes(wants)) place.setAttribute("aria-current", "true")
      else place.removeAttribute("aria-current")
      place.querySelector(".lies").replaceChildren(...lies.map((one) => this.#face(one.card)))
      place.querySelector(".taken").textContent = (table.hands ?? table.points ?? (wants === "first" ? [] : table.tricks))[seat - 1] ?? "–"
    }
    for (const group of this.querySelectorAll(".group")) {
      const { stage, for: which } = group.dataset
      group.hidden = !which.split(" ").includes(wants) || (stage !== undefined && Number(stage) !== table.at) || Boolean(this.#elsewhere)
    }
    this.dataset.wants = wants
    if (["said", "spoken"].includes(wants)) this.#drawWords(table, wants)
    for (const key of this.querySelectorAll("[data-act=talk]")) key.hidden = !table.maySpeak
    for (const key of this.querySelectorAll(".stop")) key.hidden = !table.mayStop && key.dataset.say !== STUCK
    if (["talk", "answer"].includes(wants)) this.#drawTalk(table)
    this.#drawMelds(table, wants)
    if (table.before) this.#drawLaid(table, wants)
    if (PICKED.includes(wants)) this.#drawPack(table, wants, led)
    for (const key of this.querySelectorAll("[data-mark]")) {
      key.setAttribute("aria-pressed", String(key.dataset.mark === this.#mark))
      key.hidden = wants !== "card" || !table.mayMark(key.dataset.mark)
    }
    for (const key of this.querySelectorAll("[data-end]")) key.hidden = this.#picked.length < table.stage?.extension
    this.querySelector(".lying")?.replaceChildren(...(table.lying ?? table.open).map((card) => this.#face(card)))
    this.querySelector(".moves").hidden = !/^\d /.test(this.#entries[this.#at] ?? "") || Boolean(table.before)
    this.querySelector(".elsewhere").hidden = !this.#elsewhere
    this.querySelector(".send").setAttribute("aria-disabled", String(!this.#canSend(table)))
    this.querySelector(".line").textContent = this.#note || this.#line(table, wants)
    this.#drawStrip()
  }

  /** What the seat may say now, of what the table has heard. */
  #drawWords(table, wants) {
    const offered = new Set(words(table, this.#talkOf(table)).map((one) => one.token)), keys = this.querySelector(`.group[data-for="${wants}"][data-stage="${table.at}"]`)
    for (const key of keys.querySelectorAll("[data-say], [data-item]")) {
      const { say, item } = key.dataset, count = this.#picked.filter((one) => one === item).length
      key.hidden = !offered.has(say ?? item)
      if (!item) continue
      key.setAttribute("aria-pressed", String(count > 0))
      key.dataset.count = count > 1 ? count : ""
    }
    this.#drawDone(keys)
  }

  #drawDone(keys) {
    const done = keys.querySelector("[data-act=done]")
    if (done) done.textContent = this.#picked.length ? this.#words.all : this.#words.none
  }

  /** The combinations on the table, each to be added to: a run at either end. */
  #drawMelds(table, wants) {
    const shown = this.querySelector(".melds"), mayAdd = table.mayAddTo
    if (!shown) return
    shown.hidden ||= this.#onto === "lay" // what is new does not go there
    shown.replaceChildren(...(table.melds ?? []).map(({ kind, cards }, at) => {
      const half = Math.ceil(cards.length / 2), name = table.stage?.kinds[kind] ?? ""
      const parts = kind === "run" ? [["low", cards.slice(0, half)], ["high", cards.slice(half)]] : [["", cards]]
      return make("span", { class: "meld" }, ...parts.map(([side, own]) => {
        const meld = [at + 1, ...side ? [side] : []].join(":"), told = filled(this.#words[side || "onto"], { n: at + 1, what: name })
        const cardsTold = own.map((card) => this.#face(card)), said = [told, ...cardsTold.map((one) => one.getAttribute("aria-label"))].join(", ")
        return make("button", { type: "button", "data-meld": meld, "aria-label": said, "aria-pressed": String(this.#onto === `add:${meld}`), disabled: mayAdd ? null : "" }, ...cardsTold)
      }))
    }))
    for (const key of this.querySelectorAll(".draw")) key.hidden = wants !== "card" || !table.fits(key.dataset.say)
    this.querySelector("[data-act=six]").hidden = wants !== "lays" || !table.mayBeSix(this.#picked.slice(1))
    const lay = this.querySelector("[data-act=lay]")
    lay.hidden = !table.mayLay
    lay.setAttribute("aria-pressed", String(this.#onto === "lay"))
  }

  /** The cards that lie before each seat, which may be played or serve in a combination; what may be announced. */
  #drawLaid(table, wants) {
    const melds = wants === "melds" ? table.draftOf(this.#picked) : null, first = table.slot[table.seat - 1]
    for (const row of this.querySelectorAll(".before")) {
      const seat = Number(row.dataset.seat), isOwn = seat === table.seat, fresh = isOwn ? melds?.fresh ?? [] : []
      const there = [...table.before[seat - 1], ...fresh.map((card, at) => ({ slot: first + at, card }))]
      row.replaceChildren(...there.map(({ slot, card }) => {
        const mayTap = isOwn && (melds ? table.mayPick(this.#picked, `#${slot}`) : wants === "card"), isIn = melds?.melds.at(-1).slots.includes(slot)
        return make("button", { type: "button", "data-slot": String(slot), "data-face": card, "aria-pressed": melds && isOwn ? String(isIn) : null, disabled: !mayTap }, this.#face(card))
      }))
    }
    const now = this.#entries[this.#at] ?? "", isPlay = Boolean(cardOf(now))
    for (const key of this.querySelectorAll("[data-kind]")) {
      key.hidden = !table.isDue
      key.setAttribute("aria-pressed", String(melds?.melds.at(-1).kind === key.dataset.kind))
      key.disabled = key.dataset.kind !== this.#pad.stages[0].announces[1].token && Boolean(melds?.melds.some((one) => one.kind === key.dataset.kind && one.tapped.length))
    }
    for (const key of this.querySelectorAll(".shows")) key.hidden = !table.callsOf(Number(key.dataset.say[0])).length || wants === "melds"
    this.querySelector(".pending").replaceChildren(...(melds ? [] : table.marks).map((mark) => make("button", { type: "button", "data-say": mark }, `${this.#kindsOf(mark)} ${table.worthOf(mark)}`)))
    this.querySelector("[data-act=out]").hidden = this.#at < 0 || isPlay || table.wants !== "card"
    this.querySelector(".trumps .suit").dataset.suit = table.trumps
    this.querySelector(".trumps").hidden = !table.trumps
  }

  /** The kinds of combinations that an entry names. */
  #kindsOf(entry) { return entry.split(/[:>+]/).filter((one) => one in this.#pad.labels).map((one) => this.#labelOf(one)).join(" + ") }

  /** What any seat may say, or the one that is asked. */
  #drawTalk(table) {
    const calls = table.everybody.flatMap((seat) => table.callsOf(seat).map((call) => `${seat} ${call}`)), { maySay } = table
    for (const key of this.querySelectorAll(".calls [data-say]")) key.disabled = !calls.includes(key.dataset.say)
    for (const row of this.querySelectorAll(".calls li")) row.hidden = !row.querySelector("[data-say]:enabled")
    for (const key of this.querySelectorAll('[data-for="answer"] [data-say]')) key.hidden = !maySay.includes(key.dataset.say)
  }

  /** The cards that are out; or those that may have lain face down. */
  #drawPack(table, wants, led) {
    const pack = this.querySelector(".pack"), keys = [...pack.querySelectorAll("button[data-card]")]
    const faces = keys.map((key) => key.dataset.card), left = wants === "down" ? faceDown(table, this.#picked, faces) : null
    for (const key of keys) {
      const { card } = key.dataset, out = left ? 0 : leftOf(table, card), entry = (table.stage?.throws ?? PLAY) + card + this.#mark
      key.disabled = left ? !left.includes(card) : !this.#mayTap(table, wants, card, entry)
      key.dataset.count = !left && wants !== "first" && !table.hasNoLead && !table.isUncounted && out > 1 ? out : ""
    }
    if (this.#onto.startsWith("add:")) pack.querySelector("[data-card]:enabled")?.scrollIntoView({ block: "nearest" }) // few fit
    for (const row of pack.querySelectorAll(".suit-row")) row.toggleAttribute("data-led", row.dataset.suit === led)
    const page = this.#page ?? (pack.querySelector(`[data-suit="${led || "-"}"]`)?.dataset.page || 0)
    for (const part of pack.querySelectorAll(".suit-row")) part.hidden = part.dataset.page !== String(page)
    for (const key of pack.querySelectorAll("[data-page].turn")) key.hidden = key.dataset.page === String(page)
    const total = this.querySelector(".total")
    if (total) total.textContent = table.total ?? ""
    const done = pack.querySelector("[data-act=done]")
    done.hidden = !["shows", "exposes", "melds"].includes(wants) && (wants !== "lays" || this.#onto !== "lay") && (wants !== "down" || Boolean(table.waiting.stage.count || table.waiting.stage.given))
    pack.querySelector("[data-act=itself]").hidden = wants !== "worn"
    this.#drawDone(pack)
    if (wants === "melds") return pack.querySelector(".picked").replaceChildren(...this.#drafted(table))
    pack.querySelector(".picked").replaceChildren(...(left || !["card", "first", "worn"].includes(wants) ? this.#picked.slice(this.#onto ? 1 : 0).filter((one) => one !== "six").map((card) => this.#face(card.split("=").at(-1))) : []))
  }

  /** The combinations that are being announced. */
  #drafted(table) {
    const { fresh, melds } = table.draftOf(this.#picked), first = table.slot[table.seat - 1], laid = table.before[table.seat - 1]
    const cardAt = (slot) => slot < first ? laid.find((one) => one.slot === slot).card : fresh[slot - first]
    return melds.map(({ kind, slots }) => make("span", { class: "together" }, this.#labelOf(kind), ...slots.map((slot) => this.#face(cardAt(slot)))))
  }

  /** Whether a card can be tapped, of what the table has seen. */
  #mayTap(table, wants, card, entry) {
    if (wants === "melds") return table.mayPick(this.#picked, card)
    if (wants === "worn") return table.faces(this.#worn).includes(card)
    if (wants === "laid") return !this.#isLaid(table, card)
    if (wants === "first") return table.fits(TURNED + card)
    if (wants === "exposes") return table.mayPick([], card) && !this.#picked.some((one) => one.split("=")[0] === card)
    if (wants === "lays") return table.mayPut(this.#onto, this.#picked.slice(1), card)
    if (wants !== "card") return table.mayPick(this.#picked, card)
    return table.fits(entry) || this.#at < 0 && Boolean(table.implied(entry))
  }

  /** A card that cannot be laid on the table now. */
  #isLaid({ gone, stage }, card) { return [...gone, ...this.#picked].includes(card) || this.#picked.length === stage.extension }

  /** The row in which a card lies: "T" for all trumps of a tarot pack, nothing for a card without a suit. */
  #suitOf(card) { return card ? this.querySelector(`.pack [data-card="${card}"]`)?.closest(".suit-row").dataset.suit ?? "" : "" }

  #line(table, wants) {
    const words = this.#words, name = this.#called(table.seat)
    if (this.#at >= 0) return filled(words.replace, { n: this.#at + 1 })
    if (wants === "turned") return words.turned
    if (wants === "first" && table.stage.stay) return words.lie
    if (wants === "first") return table.stage.labels ? filled(words.which, { what: table.stage.labels[table.turned.length] }) : words.first
    if (wants === "end") return words.end
    if (wants === "out") return table.isWon ? words.won : words.out
    if (wants === "laid") return filled(words.laid, { name, n: table.stage.extension - this.#picked.length })
    if (wants === "down") return this.#asks(table, name)
    if (wants === "worn") return words.worn
    if (wants === "exposes") return filled(words.exposes, { name, what: this.#labelOf(table.todo[0]) })
    if (["shows", "trades", "devil", "answer", "talk", "melds"].includes(wants)) return filled(words[wants], { name })
    if (wants === "lays") return this.#onto !== "lay" ? filled(words.adds, { name }) : filled(table.contract ? words.laysFirst : words.lays, { name, what: table.contract ? this.#contractOf(table) : "" })
    if (table.melds && wants === "card") return filled(table.asks === "draw" ? words.draws : words.throws, { name })
    if (wants === "given") return filled(words.gives, { name })
    if (wants === "said" || wants === "spoken") return filled(isOfNumbers(table.stage) ? words.bids : words.says, { name })
    const isLead = table.isLead ?? table.trick.length % this.#pad.seats === 0, asked = filled(isLead ? words.leads : words.turn, { name })
    // what lies face down, nobody can say yet
    return table.played === 0 && table.later.length ? `${asked}. ${words.aside}` : asked
  }

  /** What lay face down, of which seat. */
  #asks({ waiting }, name) {
    const { given, count, kind } = waiting.stage
    if (kind === "given") return filled(this.#words.gave, { name, n: count - this.#picked.length })
    if (!given) return filled(count ? this.#words.down : this.#words.downAny, { name, n: count - this.#picked.length })
    const { seats, turn } = this.#pad, to = (waiting.seat - 1 + (this.#picked.length + 1) * turn + seats * 2) % seats + 1
    return filled(this.#words.downGiven, { name, other: this.#called(to) })
  }

  #drawStrip() {
    const strip = this.querySelector(".strip")
    strip.replaceChildren(...this.#entries.map((entry, at) => {
      const shown = this.#shown(entry), named = [...shown.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label"))
      const words = shown.getAttribute("aria-label") || named.join(", ") || shown.textContent
      return make("li", {}, make("button", { type: "button", "data-entry": String(at), "aria-pressed": String(at === this.#at), "aria-label": filled(this.#words.entry, { n: at + 1, what: words }) }, shown))
    }))
    const now = strip.children[this.#at < 0 ? strip.children.length - 1 : this.#at]
    if (now) strip.scrollLeft = now.offsetLeft - strip.clientWidth / 2
  }

  /** An entry as the strip shows it. */
  #shown(entry) {
    const card = cardOf(entry), seat = Number(entry.at(-1))
    if (card) return make("span", { class: entry.includes("!") ? "marked" : entry.includes("=") ? "together" : null }, ...entry.slice(PLAY.length).split(/[!#]/)[0].split("=").map((one) => this.#face(one)))
    if (/^\d /.test(entry)) return make("span", {}, `${this.#called(Number(entry[0]))}, ${this.#labelOf(tokenOf(entry))}`)
    if (/^(meld|mark):/.test(entry)) return this.#announced(entry)
    const named = entry.split(/[:+,>=()]/).filter((one) => this.#pad.faces.includes(one)), { exposes } = this.#talk ?? {}
    if (exposes && entry.startsWith(exposes)) return make("span", { class: "together" }, this.#labelOf(entry.split(":")[1]), ...named.map((one) => this.#face(one)))
    if (PICKING.test(entry) && named.length) return make("span", { class: "together" }, ...named.map((one) => this.#face(one)))
    if (entry === STUCK) return make("span", {}, this.querySelector(".stop").textContent)
    if (entry.startsWith(TURNED) && entry.length > TURNED.length + 1) return make("span", {}, this.#face(entry.slice(TURNED.length)))
    if (entry.startsWith(TURNED)) return this.querySelector(`[data-turned="${entry.slice(TURNED.length)}"] .suit`).cloneNode(true)
    if (entry.startsWith(LEADS)) return make("span", {}, filled(this.#words.leadFixed, { name: this.#called(seat) }))
    const said = this.querySelector(`[data-say="${entry}"]`)
    if (said) return make("span", { "aria-label": said.getAttribute("aria-label") }, ...[...said.childNodes].map((one) => one.cloneNode(true)))
    const stage = this.#pad.stages.flatMap((one) => one.said ? [one.said] : [one]).find((one) => [one.nothing, `${one.verb}:`].some((start) => start && entry.startsWith(start))), what = entry.slice(entry.indexOf(":") + 1)
    if (!stage) return make("span", {}, filled(this.#words.given, { name: this.#called(seat) }))
    if (entry === stage.nothing) return make("span", {}, this.#words.none)
    if (stage.kind === "fishing") return make("span", { class: "together" }, ...what.slice(0, -1).split(",").map((one) => this.#face(one)), what.at(-1))
    const items = what.split(stage.between ?? ",")
    if (stage.kind === "down") return make("span", { class: "together" }, ...items.map((one) => this.#face(one)))
    return make("span", {}, items.map((one) => stage.words.find((word) => word.token === one)?.label).join(", "))
  }

  /** The kinds of an announcement, and the cards that were laid with it. */
  #announced(entry) {
    const kinds = this.#kindsOf(entry), faces = entry.split(/[:,>]/).filter((one) => this.#pad.faces.includes(one)).map((card) => this.#face(card))
    return make("span", { class: "together", "aria-label": [kinds, ...faces.map((one) => one.getAttribute("aria-label"))].join(", ") }, kinds, ...faces)
  }

  /** What is talked about at any time. */
  get #talk() { return this.#pad.stages.find((one) => one.calls)?.talk }

  /** A call, or what it is about, as a key says it. */
  #labelOf(token) { return this.#pad.labels[token] ?? token }

  #face(card) { return this.querySelector(`.pack [data-card="${card}"] .card`).cloneNode(true) }
}

/** Whether a number is said: keys from 0 to 13 do not tell by themselves of what they are. */
const isOfNumbers = (stage) => Boolean(stage?.words?.length) && stage.words.every(({ token }) => /^bid:\d+$/.test(token))
