import { answered, unanswered } from "lib/connection.js"
import { follow, getJSON } from "lib/fetching.js"
import { lastOf, points, windowOf } from "lib/plotting.js"

const MOMENT_MILLISECONDS = 600
const AGAIN_MILLISECONDS = 3000
const MOVE_MILLISECONDS = 300
const STILL = matchMedia("(prefers-reduced-motion: reduce)")

/** <live-ranking src stream version state live> keeps the tables inside it, one for each line group, up to date without a reload. */
export class LiveRanking extends HTMLElement {
  static define(tag = "live-ranking") { customElements.define(tag, this) }

  #connection
  #due = 0
  #score = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  #whole = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 0 })

  connectedCallback() {
    this.#connection = new AbortController()
    this.#say("waiting")
    follow(this.getAttribute("stream"), {
      heard: ({ version, live, state }) => { if (version > this.version || live !== this.live || state !== this.state) this.#refreshSoon() },
      connected: yes => this.#say(yes ? "live" : "waiting"),
      poll: () => this.#refresh(),
      signal: this.#connection.signal,
    })
  }
  disconnectedCallback() {
    this.#connection.abort()
    answered(this)
    clearTimeout(this.#due)
    this.#due = 0
  }

  get #own() { return (this.getAttribute("own") ?? "").split(" ") }
  get version() { return Number(this.getAttribute("version")) }
  get state() { return this.getAttribute("state") }
  /** Whether it counts only boards that are over: the versions of the list that follows are counted anew. */
  get live() { return this.hasAttribute("live") }

  /** Many watch, and versions come quickly: each page asks at a moment of its own, once for several. */
  #refreshSoon(after = Math.random() * MOMENT_MILLISECONDS) {
    this.#due ||= setTimeout(() => { this.#due = 0; this.#refresh() }, after)
  }

  #refresh = async () => {
    let ranking
    try {
      ranking = await getJSON(this.getAttribute("src"), this.#connection.signal)
      answered(this)
    } catch (error) {
      if (error.name === "AbortError") return
      if (error.status === 404) { answered(this); return this.#withdraw() }
      unanswered(this, error)
      console.warn(error)
      this.#refreshSoon(AGAIN_MILLISECONDS)
      return
    }
    const isSameList = ranking.live === this.live
    if (isSameList && ranking.version < this.version) return  // answers may overtake each other
    if (!isSameList || ranking.version > this.version) this.#show(ranking)
    if (ranking.state !== this.state) this.#turn(ranking.state)
  }

  #show({ version, live, places }) {
    const before = this.#heights()
    const window = windowOf(places)
    this.#haveTables([...new Set(places.map(place => place.line_group))])
    for (const table of this.querySelectorAll("table")) {
      const held = places.filter(place => place.line_group === Number(table.dataset.group))
      table.tBodies[0].replaceChildren(...held.map(place => this.#rowOf(place, window, areWhole(held))))
    }
    this.querySelector(".empty").hidden = places.length > 0
    const shown = this.querySelector(".version")
    shown.textContent = shown.dataset.words.replace("{version}", version)
    this.setAttribute("version", version)
    this.toggleAttribute("live", live)
    this.#move(before)
  }

  /** Where each contestant stands on the page. */
  #heights() {
    return new Map([...this.querySelectorAll("tbody tr")].map(row => [row.dataset.number, row.getBoundingClientRect().top]))
  }

  /** Rows go to their new places from where they were. */
  #move(before) {
    if (STILL.matches) return
    for (const row of this.querySelectorAll("tbody tr")) {
      const by = before.get(row.dataset.number) - row.getBoundingClientRect().top
      if (by) row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: MOVE_MILLISECONDS, easing: "ease-out" })
    }
  }

  /** One table for each line group, in order; a plan made anew may divide or join them. */
  #haveTables(groups) {
    const tables = [...this.querySelectorAll("table")]
    if (groups.join() === tables.map(table => table.dataset.group).join()) return
    const wanted = groups.map(group => {
      const table = tables[0].cloneNode(true), caption = table.querySelector("caption")
      table.dataset.group = group
      caption.classList.toggle("unseen", groups.length === 1)
      caption.textContent = groups.length === 1 ? caption.dataset.all : `${caption.dataset.line} ${group}`
      return table
    })
    tables[0].before(...wanted)
    for (const table of tables) table.remove()
  }

  #rowOf({ rank, number, contestant, change, progress, boards, points: won, top, score }, window, isWhole) {
    const row = this.querySelector("template").content.querySelector("tr").cloneNode(true)
    row.dataset.number = number
    this.#rank(row, rank)
    row.querySelector(".person").textContent = contestant
    const decided = this.querySelectorAll(`tr[data-number="${number}"] .decided`)  // as the page had them
    row.querySelector(".person").append(...[...decided].map(words => words.cloneNode(true)))
    row.querySelector(".boards").textContent = boards
    row.querySelector(".score").textContent = score === null ? "–" : (isWhole ? this.#whole : this.#score).format(Number(score)).replace("-", "−")
    row.querySelector(".points").textContent = top ? this.#wonOf(won) : ""
    if (this.#own.includes(String(number))) row.className = "own"
    const line = points(progress, window)
    row.querySelector("polyline").setAttribute("points", line)
    row.querySelector(".last").setAttribute("d", lastOf(line))
    if (change) row.querySelector(".change").replaceChildren(this.#changeOf(change))
    return row
  }

  /** Points, told exactly as a fraction: whole, or with two decimals. */
  #wonOf(fraction) {
    const [over, under = "1"] = fraction.split("/"), won = Number(over) / Number(under)
    return (Number.isInteger(won) ? String(won) : this.#score.format(won)).replace("-", "−")
  }

  /** A shared place has its sign in a half-em of its own, and its row a tint. */
  #rank(row, rank) {
    const isShared = rank.endsWith("="), cell = row.querySelector(".rank")
    cell.textContent = rank.replace("=", "") || "–"
    if (isShared) cell.append(Object.assign(document.createElement("span"), { className: "equal", textContent: "=" }))
    row.classList.toggle("tied", isShared)
  }

  #changeOf(change) {
    const shown = document.createElement("span"), spoken = document.createElement("span")
    shown.className = change > 0 ? "up" : "down"
    shown.textContent = Math.abs(change)
    spoken.className = "unseen"
    spoken.textContent = ` ${this.getAttribute(change > 0 ? "won" : "lost")}`
    shown.append(spoken)
    return shown
  }

  #turn(state) {
    this.setAttribute("state", state)
    this.#say(this.getAttribute("connection"))
  }

  /** The organiser has withdrawn the ranking: what it showed is not public any more. */
  #withdraw() {
    this.#connection.abort()
    for (const part of this.querySelectorAll("table, .empty")) part.hidden = true
    this.#turn("withdrawn")
  }

  /** A finished session may still be corrected: the stream goes on, the words say that it is over. */
  #say(connection) {
    this.setAttribute("connection", connection)
    const status = this.querySelector(".status")
    status.textContent = status.dataset[this.state] ?? status.dataset[connection]
  }
}

/** Whether a column of totals shows no decimals: all are points, and whole. */
function areWhole(places) {
  return places.every(({ top, score }) => !top && Number.isInteger(Number(score)))
}
