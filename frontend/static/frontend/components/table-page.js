import { countInTitle, filled, make, wordsOf } from "lib/elements.js"
import { buzz } from "lib/buzzing.js"
import { turnKeys } from "lib/entry-keys.js"
import { follow, getPage } from "lib/fetching.js"
import { newKey, Outbox, post } from "lib/outbox.js"

const REFRESH_MILLISECONDS = 15000, SOON_MILLISECONDS = [300, 700, 1500, 3000]
// in which the phones of a hall ask, once a round opens
const MOMENT_MILLISECONDS = 400
// a touch becomes a click in less, or in none
const CLICK_MILLISECONDS = 400
// another tap where *Send* lay, so soon after it, was meant for *Send*
const DEAF_MILLISECONDS = 1000, DEAF_PIXELS = 48
const json = (id, from = document) => JSON.parse(from.getElementById(id)?.textContent ?? "null")

/**
 * <table-page home="/en/t/…/" worker="…"> keeps the table's page as the service has it, opens the entry of a board
 * over it, and sends what was entered: at once, or when there is a network again.
 */
export class TablePage extends HTMLElement {
  static define(tag = "table-page") { customElements.define(tag, this) }

  #connection = new AbortController()
  #words; #outbox; #form
  #data = { boards: {}, later: [] }
  #entry = null
  #due = 0
  #soon = []
  #retry = 0
  #isOnline = true
  // what somebody has agreed to did not get through
  #isLost = false
  #shown = ""
  // how often the page was asked for, and which of the answers is here
  #asked = 0
  #heard = 0
  // a finger is on the page
  #isHeld = false
  // what is to be shown once it has gone
  #late = null
  // the rounds of which the phone has buzzed
  #told = new Set()
  // what is entered once more
  #refused = null
  // what this phone still keeps of each board
  #held = new Map()
  // the last click
  #last = { at: -DEAF_MILLISECONDS }
  #sentAt = -DEAF_MILLISECONDS
  // the board whose result is to stay in sight
  #sent = 0
  // somebody is to see that the call has come through
  #hasCalled = false
  // boards on which this phone said that all agree, and under which key
  #settled = new Map()

  get home() { return this.getAttribute("home") }

  async connectedCallback() {
    const { signal } = this.#connection
    this.#words = wordsOf(document)
    this.#told.add(this.querySelector(".hall")?.dataset.opened)
    this.#form = json("form")
    this.#data = json("data") ?? this.#data
    document.addEventListener("click", this.#touched, { signal, capture: true })
    this.addEventListener("click", this.#clicked, { signal })
    this.addEventListener("submit", this.#submitted, { signal })
    addEventListener("hashchange", this.#turned, { signal })
    addEventListener("online", () => this.#send(), { signal })
    addEventListener("offline", () => { this.#isOnline = false; this.#tell() }, { signal })
    document.addEventListener("result:changed", ({ detail }) => this.#keep(detail.number, detail.kept), { signal })
    document.addEventListener("result:ready", ({ detail }) => this.#ready(detail), { signal })
    document.addEventListener("entry:left", () => this.#leave(), { signal })
    document.addEventListener("director:called", ({ detail }) => this.#call(detail), { signal })
    addEventListener("pointerdown", () => { this.#isHeld = true }, { signal })
    addEventListener("pointerup", () => setTimeout(this.#letGo, CLICK_MILLISECONDS), { signal })
    for (const end of ["click", "pointercancel"]) addEventListener(end, () => setTimeout(this.#letGo), { signal })
    this.addEventListener("toggle", ({ target }) => target.matches(".caller:not([open])") && !this.#shown ? this.#ask() : this.#letGo(), { signal, capture: true })
    this.#outbox = new Outbox(this.home)
    this.#turned()
    await this.#look()
    if ((await this.#outbox.all()).length) await this.#send()
    follow(`${this.home}live/`, { event: "table", heard: this.#heardOf, poll: this.#ask, signal })
    this.#installed()
  }

  disconnectedCallback() {
    this.#connection.abort()
    clearTimeout(this.#due)
    clearTimeout(this.#retry)
    this.#soon.forEach(clearTimeout)
  }

  // ── As the service has it ──

  /** Something on the page is new: many phones hear it, and each asks at a moment of its own, once for several. */
  #heardOf = () => { this.#due ||= setTimeout(() => { this.#due = 0; this.#ask() }, Math.random() * MOMENT_MILLISECONDS) }

  /** What waits goes first: its round may have opened, or the network have come back unheard. */
  #ask = async () => (await this.#outbox.all()).some((one) => one.state === "waiting") ? this.#send() : this.#refresh()

  /** The part of the page that changes, anew. Answers may overtake each other: an older one is none. */
  #refresh = async () => {
    if (document.hidden) return
    const turn = ++this.#asked
    const sent = (await this.#outbox.all()).filter((entry) => entry.state === "sent")
    try {
      const page = await getPage(`${this.home}now/`, this.#connection.signal)
      this.#isOnline = navigator.onLine
      if (turn > this.#heard) {
        this.#heard = turn
        this.#data = json("data", page) ?? this.#data
        this.#show(page.body)
        await this.#settle(sent)
        await this.#agreeSettled()
      }
    } catch (error) {
      if (error.name === "AbortError") return
      this.#isOnline = false
    }
    await this.#look()
  }

  /** Nothing moves under a finger. The foot stays while somebody is about to call; what is open stays open, and what this
   *  phone keeps in sight. */
  #show(body) {
    if (this.#isHeld) { this.#late = body; return }
    this.#late = null
    if (body.innerHTML === this.#shown) return
    const open = [...this.querySelectorAll("main details[open]")].map((one) => one.className), isCalling = this.querySelector(".caller[open]")
    const box = this.querySelector(".outbox")
    this.#shown = isCalling ? "" : body.innerHTML
    if (isCalling) for (const part of [".hall", "main"]) this.querySelector(part).replaceWith(body.querySelector(part))
    else this.replaceChildren(...body.childNodes)
    if (box) this.querySelector(".outbox")?.replaceWith(box)
    for (const one of this.querySelectorAll("main details")) one.open = open.includes(one.className)
    this.#entry?.showClock(this.#clock)
    this.#tellOpened()
    const sent = this.querySelector(`.entered[data-board="${this.#sent}"]`)
    if (sent) { this.#sent = 0; sent.scrollIntoView({ block: "nearest" }) }
    const called = this.#hasCalled && this.querySelector(".called")
    if (called) { this.#hasCalled = false; called.scrollIntoView({ block: "center" }) }
  }

  get #clock() { return this.querySelector(".hall .clock") }

  /** A round that has been opened since the page came is told once. */
  #tellOpened() {
    const { opened } = this.querySelector(".hall")?.dataset ?? {}
    if (opened && !this.#told.has(opened)) buzz(opened)
    this.#told.add(opened)
  }

  #letGo = async () => {
    this.#isHeld = false
    if (this.#late) this.#show(this.#late)
    await this.#look()
  }

  /** What had been sent before the page was asked for, and has been judged, is no longer this phone's; what was refused
   *  waits for somebody to look. */
  async #settle(sent) {
    for (const { key, board: number } of sent) {
      const board = this.#data.boards[number], [state, why, clause, field] = board?.said?.[key] ?? []
      if (state === "refused" || state === "failed") await this.#outbox.change(key, { state: "refused", why, clause, field })
      else if (state && state !== "pending" || !board) await this.#outbox.remove(key)
    }
  }

  async #send() {
    const wasThere = await this.#outbox.send()
    this.#isOnline = wasThere && navigator.onLine
    clearTimeout(this.#retry)
    if (!wasThere && !this.#connection.signal.aborted) this.#retry = setTimeout(this.#ask, REFRESH_MILLISECONDS)
    await this.#refresh()
    this.#soon.forEach(clearTimeout)
    if ((await this.#outbox.all()).some((one) => one.state === "sent")) this.#soon = SOON_MILLISECONDS.map((time) => setTimeout(this.#refresh, time))
  }

  // ── What this phone adds to the page ──

  /** The phone's own: what it still keeps, whose it is, and what can be entered without a network. */
  async #look() {
    const kept = await this.#outbox.all(), { name } = this.#owner
    this.#held = new Map(kept.filter((one) => !one.call && ["waiting", "sent"].includes(one.state)).map((one) => [one.board, one]))
    // and again once it has gone
    if (this.#isHeld) return
    this.#showOutbox(kept)
    const mine = this.querySelector(".whose .phone")
    if (mine) mine.textContent = name ?? this.#words.all
    for (const one of this.querySelectorAll(".go li")) one.classList.toggle("own", one.dataset.name === name)
    const size = this.querySelector(".keys-size"), { keys } = document.documentElement.dataset
    if (size) Object.assign(size, { hidden: false, textContent: keys ? this.#words.usualKeys : this.#words.largeKeys })
    this.querySelector(".insecure")?.toggleAttribute("hidden", isSecureContext)
    this.#showAgreements()
    for (const row of this.querySelectorAll(".boards .board:not(.entered)")) this.#showKept(row, this.#held.get(Number(row.dataset.board)))
    this.#showLater()
    this.#showNext()
  }

  /** What this phone keeps of a board: it can be looked at, and mended; what was begun is gone on with, or dropped. */
  #showKept(row, one) {
    const box = row.querySelector(".mine"), verb = row.querySelector("[data-enter]")?.firstChild, words = this.#words, draft = this.#draftOf(row.dataset.board)
    const isBegun = !one && localStorage.getItem(draft)
    if (!box || !verb) return
    const text = one ? `${one.state === "sent" ? words.sent : words.waits} ${one.line ?? ""}` : isBegun ? words.begun : ""
    row.usual ??= verb.textContent
    verb.textContent = one ? words.change : isBegun ? words.goOn : row.usual
    if (box.told === text) return
    box.told = text
    box.hidden = !text
    box.replaceChildren(text, ...isBegun ? [" ", this.#button(words.drop, () => { localStorage.removeItem(draft); this.#look() })] : [])
  }

  /** Who sits where for the next board that nobody has entered, and the way to it. */
  #showNext() {
    const { boards } = this.#data, numbers = Object.keys(boards).map(Number), isOpen = (number) => ["expected", "at-play"].includes(boards[number].state)
    const now = numbers.find((number) => isOpen(number) && !this.#held.has(number))
    const next = this.querySelector(".foot-bar [data-enter]"), later = this.querySelector(".offline:not([hidden]) [data-enter]:not(.done)")
    const number = now ?? Number(later?.dataset.enter ?? 0), head = this.querySelector(".hall .top span + span")
    if (number) this.#showSeats(number, now && numbers[numbers.indexOf(now) - 1])
    const ahead = !now && this.#data.later?.find(({ boards }) => number in boards)
    if (head && ahead) head.textContent = filled(this.#words.offlineRound, { n: ahead.round })
    if (!next) return
    next.hidden = !number
    next.dataset.enter = number
    next.textContent = filled(this.#words.enter, { n: number })
  }

  #showSeats(number, before) {
    const list = this.querySelector(".hall .seats"), { names, dealer, first } = this.#boardOf(number), seats = names.length
    if (!list || list.children.length !== seats) return
    ;[...list.children].forEach((one, at) => {
      one.querySelector(".person").textContent = names[at]
      one.querySelector("small")?.remove()
      const text = at + 1 === dealer ? list.dataset.deals : at + 1 === first ? list.dataset.first : ""
      one.append(...text ? [make("small", {}, text)] : [])
    })
    const told = this.querySelector(".moves"), last = this.#data.boards[before]?.names
    const moves = last && [...last].sort().join() === [...names].sort().join() && last.join() !== names.join()
    const text = moves ? filled(told.dataset.text, { n: number }) : ""
    told.hidden = !moves
    if (told.textContent !== text) told.textContent = text
  }

  #showOutbox(kept) {
    const box = this.querySelector(".outbox"), told = JSON.stringify([this.#isOnline, this.#isLost, kept])
    if (!box || box.told === told) return
    box.told = told
    const words = this.#words, lines = []
    const waiting = kept.filter((one) => one.state === "waiting" && !one.call), call = kept.find((one) => one.state === "waiting" && one.call), sent = kept.filter((one) => one.state === "sent")
    if (!this.#isOnline) lines.push(make("p", {}, make("strong", {}, words.offline)))
    if (call && !this.#isOnline) lines.push(make("p", { role: "alert" }, words.called, " ", this.#dropping(call)))
    if (this.#isLost) lines.push(make("p", { role: "alert" }, words.lost))
    countInTitle(waiting.length)
    if (waiting.length) {
      lines.push(make("p", {}, filled(words.keptCount, { n: waiting.length, what: waiting.map((one) => filled(words.board, { n: one.board })).join(", ") })))
      if (!isSecureContext) lines.push(make("p", {}, words.plain))
    }
    if (sent.length) lines.push(make("p", {}, words.sent))
    for (const one of kept.filter((entry) => entry.state === "late")) lines.push(make("p", {}, make("strong", {}, filled(words.board, { n: one.board })), " ", one.why ?? words.late, " ",
      this.#dropping(one, words.close)))
    for (const one of kept.filter((entry) => entry.state === "refused")) lines.push(make("p", { class: "refused", role: "alert" }, make("strong", {}, one.call ? words.call : filled(words.board, { n: one.board })), " ", words.refused, " ", one.why, " ", one.actions && `${words.cards} `, one.clause && make("a", { class: "button", href: one.clause }, words.clause), " ",
      !one.call && this.#button(words.again, () => this.#again(one)), " ", this.#dropping(one)))
    box.className = `outbox notice ${kept.some((one) => one.state === "refused") || !this.#isOnline || this.#isLost ? "warning" : ""}`
    box.hidden = !lines.length
    box.replaceChildren(...lines)
  }

  #dropping({ key }, text = this.#words.drop) { return this.#button(text, async () => { await this.#outbox.remove(key); this.#look() }) }

  #button(text, act) { return make("button", { type: "button", class: "button link", click: act }, text) }

  /** A phone that is somebody's agrees for them alone, and not with their own side's sheet. */
  #showAgreements() {
    for (const form of this.querySelectorAll(".agree form")) {
      const { value } = form.elements.board, board = this.#data.boards[value] ?? this.#data.past?.[value], seat = this.#seatAt(board), isOwn = seat && this.#isOfSide(seat, board.by)
      for (const button of form.querySelectorAll("[name=seat]")) {
        button.hidden = seat !== 0 && Number(button.value) !== seat
        if (seat && !button.hidden) button.textContent = this.#words.agree
      }
      form.querySelector(".waits").hidden = !isOwn
      const verb = form.parentElement.querySelector(".verb")
      if (isOwn && verb) verb.textContent = verb.dataset.own
    }
    for (const button of this.querySelectorAll("[data-take]")) {
      const board = this.#data.boards[button.closest(".board").dataset.board], seat = this.#seatAt(board)
      const by = button.dataset.take === "counting" ? board?.other?.[0] : board?.by
      button.hidden = !board || seat !== 0 && !this.#isOfSide(seat, by)
    }
  }

  #isOfSide(seat, other) { return this.#data.sides?.some((side) => side.includes(seat) && side.includes(other)) }

  /** Without a network, what is played later can be entered as well. */
  #showLater() {
    const box = this.querySelector(".offline"), { later = [] } = this.#data, told = JSON.stringify([...this.#held.keys()])
    if (!box) return
    box.hidden = this.#isOnline || !later.length
    if (box.hidden || box.told === told) return
    box.told = told
    box.replaceChildren(make("summary", {}, this.#words.later), ...later.flatMap(({ round, boards }) => [make("h2", {}, filled(this.#words.offlineRound, { n: round })),
      ...Object.entries(boards).map(([number, board]) => make("article", { class: "board" }, make("h3", {}, filled(this.#words.board, { n: number })), make("p", {}, board.names.join(", ")),
        make("a", { class: this.#held.has(Number(number)) ? "button done" : "button", href: `#board-${number}`, "data-enter": number }, this.#held.has(Number(number)) ? this.#words.change : filled(this.#words.enter, { n: number }))))]))
  }

  #tell() { this.#look() }

  get #round() { return this.querySelector(".hall").dataset.round }

  /** Whose phone this is, as long as they play here, or have just played, or were chosen in this round: it stays on the
   *  table when they go on. */
  get #owner() {
    const owner = JSON.parse(localStorage.getItem(`whose ${this.home}`) ?? "{}")
    const past = owner.round === this.#round ? this.#data.past : {}
    return Object.values({ ...past, ...this.#data.boards }).some((board) => board.names.includes(owner.name)) ? owner : {}
  }

  /** The seat that the phone's owner has on a board; 0 where it is for all. */
  #seatAt(board) {
    const { name, seat } = this.#owner
    if (!name) return 0
    return board?.names[seat - 1] === name ? seat : board?.names.indexOf(name) + 1 || 0
  }

  // ── Taps ──

  /** A second tap of a finger that has just sent: what lies there now is another board's. */
  #touched = (event) => {
    const { clientX: x, clientY: y, timeStamp: at } = event
    if (at - this.#sentAt < DEAF_MILLISECONDS && event.detail && Math.hypot(x - this.#last.x, y - this.#last.y) < DEAF_PIXELS) {
      event.preventDefault()
      event.stopImmediatePropagation()
    } else this.#last = { at, x, y }
  }

  #clicked = (event) => {
    const take = event.target.closest("[data-take]")
    if (take) return void this.#take(take)
    const enter = event.target.closest("[data-enter]"), whose = event.target.closest("[data-seat]")
    if (enter) {
      event.preventDefault()
      location.hash = `board-${enter.dataset.enter}`
    } else if (whose) {
      localStorage.setItem(`whose ${this.home}`, JSON.stringify(whose.dataset.seat ? { seat: Number(whose.dataset.seat), name: whose.dataset.name ?? whose.textContent, round: this.#round } : {}))
      whose.closest("details").open = false
      this.#look()
    } else if (event.target.closest(".keys-size")) {
      turnKeys()
      this.#look()
    }
  }

  #submitted = async (event) => {
    const form = event.target, button = event.submitter
    // a code goes to another table's page
    if (form.method === "get") return
    event.preventDefault()
    if (form.ariaBusy === "true") return
    if (button?.name === "reason") return this.#call({ reason: button.value, text: form.elements.text.value })
    form.ariaBusy = "true"
    this.#isLost = false
    const given = { ...Object.fromEntries(new FormData(form)), ...(button?.name ? { [button.name]: button.value } : {}) }
    if (given.submission) given.shared = this.#seatAt(this.#data.boards[given.board] ?? this.#data.past?.[given.board]) === 0
    try {
      const answer = await post(form.action, given), told = await answer.json()
      form.closest("details")?.removeAttribute("open")
      await this.#refresh()
      if (!answer.ok) this.#say(told.message)
    } catch {
      this.#isOnline = false
      this.#isLost = true
      form.closest("details")?.removeAttribute("open")
      await this.#look()
    }
    form.ariaBusy = null
  }

  /** Those who disagreed say that it was as one of them has it. */
  async #take(button) {
    const number = Number(button.closest(".board").dataset.board), board = this.#data.boards[number]
    button.disabled = true
    const isCounting = button.dataset.take === "counting", seat = this.#seatAt(board) || undefined, key = newKey()
    // on the phone for all the other side agrees, too
    if (!seat && board.other) this.#settled.set(number, key)
    await this.#hand({ board: number, sheet: isCounting ? board.sheet : board.other?.[1] ?? board.before, seat, key })
  }

  /** Those who said on the phone for all that it was so have agreed, once what they said counts. */
  async #agreeSettled() {
    for (const [number, key] of this.#settled) {
      const board = this.#data.boards[number], [state] = board?.said?.[key] ?? []
      if (board && (!state || state === "pending" || board.state === "disputed")) continue
      this.#settled.delete(number)
      const seat = board && board.names.findIndex((_name, at) => !this.#isOfSide(at + 1, board.by)) + 1
      if (board?.state === "entered") await post(`${this.home}agreements/`, { board: number, submission: board.submission, seat, shared: true })
    }
  }

  /** Keep an entry, and send it as soon as there is a network. */
  async #hand(entry, before) {
    await this.#outbox.put({ key: newKey(), at: Date.now(), state: "waiting", ...entry }, before)
    await this.#look()
    await this.#send()
  }

  #say(text) {
    const box = this.querySelector(".outbox")
    if (!box) return
    box.hidden = box.told = false
    box.className = "outbox notice warning"
    box.append(make("p", { role: "alert" }, text))
  }

  /** A table calls once: a call that waits, or was refused, gives way to the next one. */
  async #call({ reason, board, text }) {
    this.#leave()
    this.querySelector(".caller")?.removeAttribute("open")
    this.#hasCalled = true
    await this.#hand({ call: { reason, board, text } }, (await this.#outbox.all()).find((one) => one.call)?.key)
  }

  // ── The entry of a board ──

  #boardOf(number) {
    return this.#data.boards[number] ?? (this.#data.later ?? []).map(({ boards }) => boards[number]).find(Boolean)
  }

  /** The address says what is open, so that the way back is the browser's own. */
  #turned = () => {
    const number = Number(/^#board-(\d+)$/.exec(location.hash)?.[1] ?? 0), board = this.#boardOf(number)
    // somebody is tapping in it
    if (number && this.#entry?.number === number) return
    this.#entry?.remove()
    this.#entry = null
    const isOpen = Boolean(number && board && this.#form)
    if (isOpen && this.#held.get(number)?.actions) return location.replace(`${this.home}boards/${number}/play/`)
    this.hidden = isOpen
    document.querySelector(".languages")?.toggleAttribute("hidden", isOpen)
    if (!isOpen) return
    this.#entry = document.createElement("result-entry")
    document.body.prepend(this.#entry)
    const { game, called, options, divisor, letters } = this.#data, again = this.#refused?.board === number ? this.#refused : null
    const mine = again ?? this.#held.get(number)
    this.#refused = null
    const kept = JSON.parse(localStorage.getItem(this.#draftOf(number)) ?? "null")
    // whoever says that it was not so changes what was otherwise
    const isOthers = ["entered", "disputed"].includes(board.state) && !this.#isOfSide(this.#seatAt(board), board.by)
    const told = this.querySelector(`.board[data-board="${number}"] .says`)?.lastChild.textContent.trim()
    const note = again?.why ?? (isOthers && told ? filled(this.#words.other, { what: told }) : "")
    this.#entry.begin({ game, called, options, divisor, letters, form: this.#form, board, number, words: this.#words, sheet: mine?.sheet ?? (isOthers && board.other?.[1] || board.sheet), entered: !mine && board.state !== "disputed" && board.sheet, kept: kept ?? undefined,
      asks: board.state === "confirmed" || again?.code === "no-reason", address: `${this.home}boards/${number}/`, note, check: again?.check, refused: again?.field ?? again?.code })
    this.#entry.showClock(this.#clock)
  }

  #draftOf(number) { return `draft ${this.home}${number}` }

  /** Nothing of an entry from which all was taken back. */
  #keep(number, kept) {
    const isBegun = [kept.answers, ...kept.blocks].some((answers) => Object.keys(answers).length)
    if (isBegun) localStorage.setItem(this.#draftOf(number), JSON.stringify(kept))
    else localStorage.removeItem(this.#draftOf(number))
  }

  /** Close the entry of a board; another one may have been opened meanwhile. */
  #leave(number = this.#entry?.number) {
    if (location.hash === `#board-${number}`) history.replaceState(null, "", this.home)
    this.#turned()
    this.#look()
  }

  async #ready({ number, sheet, reason, line, check }) {
    const seat = this.#seatAt(this.#boardOf(number)) || undefined, before = this.#held.get(number)
    this.#sentAt = this.#last.at
    this.#sent = number
    const isMended = before?.state === "waiting", refused = (await this.#outbox.all()).filter((one) => one.board === number && one.state === "refused")
    const entry = { key: newKey(), board: number, sheet, seat, reason, check, line, at: isMended ? before.at : Date.now(), state: "waiting" }
    await this.#outbox.put(entry, isMended ? before.key : "")
    for (const one of refused) await this.#outbox.remove(one.key)
    localStorage.removeItem(this.#draftOf(number))
    this.#leave(number)
    await this.#send()
  }

  #again(one) {
    // the pad says why, and puts another in its place
    if (one.actions) return location.assign(`${this.home}boards/${one.board}/play/`)
    this.#refused = one // it stays here until another is kept in its place
    location.hash = `board-${one.board}`
  }

  // ── Without a network ──

  /** On a secure page a worker keeps the page and its parts; it is told what had been loaded before it came. */
  async #installed() {
    if (!("serviceWorker" in navigator)) return
    try {
      await navigator.serviceWorker.register(this.getAttribute("worker"))
      const { active } = await navigator.serviceWorker.ready
      const loaded = performance.getEntriesByType("resource").map((one) => one.name)
      active.postMessage({ keep: [...new Set([this.home, `${this.home}now/`, ...loaded])].filter((one) => new URL(one, location).origin === location.origin) })
    } catch { /* the open page keeps the outbox by itself */ }
  }
}
