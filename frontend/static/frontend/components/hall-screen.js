import { RoundClock } from "components/round-clock.js"
import { answered, unanswered } from "lib/connection.js"
import { follow, getPage } from "lib/fetching.js"

const TURN_MILLISECONDS = 12_000
const AGAIN_MILLISECONDS = 10_000  // clocks, calls and seats change without a version
const MOMENT_MILLISECONDS = 600
const SECOND = 1000

/** <hall-screen stream> turns the pages of what is inside it, and keeps it up to date; the button holds a page. */
export class HallScreen extends HTMLElement {
  static define(tag = "hall-screen") { RoundClock.define(); customElements.define(tag, this) }

  #connection
  #at = 0
  #held = false
  #timers = []
  #sizes = new ResizeObserver(() => this.#show())  // a clock that has run over, a full screen, fonts that arrive

  connectedCallback() {
    this.#connection = new AbortController()
    const { signal } = this.#connection
    this.#button()
    this.#show()
    this.#timers = [
      setInterval(() => { if (!this.#held) { this.#at += 1; this.#show() } }, TURN_MILLISECONDS),
      setInterval(this.#refresh, AGAIN_MILLISECONDS),
      setInterval(this.#tick, SECOND),
    ]
    follow(this.getAttribute("stream"), {
      heard: () => setTimeout(this.#refresh, Math.random() * MOMENT_MILLISECONDS),
      poll: this.#refresh,
      signal,
    })
    document.addEventListener("keydown", event => {
      if (event.key === " " && event.target === document.body) { event.preventDefault(); this.#hold() }
      if (event.key === "ArrowRight" || event.key === "ArrowLeft") { this.#at += event.key === "ArrowRight" ? 1 : -1; this.#show() }
    }, { signal })
    for (const part of this.querySelectorAll("aside, .clock, .told")) this.#sizes.observe(part)
    this.#tick()
  }
  disconnectedCallback() {
    this.#connection.abort()
    answered(this)
    this.#sizes.disconnect()
    this.#timers.forEach(clearInterval)
  }

  #refresh = async () => {
    try {
      const page = await getPage(location.href, this.#connection.signal)
      for (const part of page.querySelectorAll("[data-part]")) {
        const own = this.querySelector(`[data-part="${part.dataset.part}"]`)
        if (part.innerHTML === own.dataset.sent) continue
        own.dataset.sent = part.innerHTML
        own.replaceChildren(...document.importNode(part, true).childNodes)
      }
      answered(this)
      this.#show()
      this.#tick()
    } catch (error) {
      if (error.name === "AbortError") return
      unanswered(this, error)
      if (error.status === 404) location.reload()  // it is no longer public
    }
  }

  /** One page of each list is shown; the marks beneath say which. */
  #show() {
    const turn = pages => {
      const at = ((this.#at % pages.length) + pages.length) % pages.length
      pages.forEach((page, number) => page.forEach(one => { one.hidden = number !== at }))
      return at
    }
    const lists = [...this.querySelectorAll("[data-page]")].map(one => [one]), seats = this.#seats()
    const page = lists.length ? turn(lists) : 0
    this.querySelectorAll("[data-mark]").forEach((mark, number) => mark.toggleAttribute("data-now", number === page))
    if (seats.length) turn(seats)
  }

  /** The tables in pages, each with as many as there is room for: none is cut off. */
  #seats() {
    const tables = [...this.querySelectorAll("[data-table]")], pages = []
    if (!tables.length) return pages
    tables.forEach(one => { one.hidden = false })
    const around = tables[0].parentElement, heights = tables.map(one => one.getBoundingClientRect().height)
    const room = around.clientHeight + 1 - (around.scrollHeight - heights.reduce((sum, height) => sum + height, 0))
    let left = 0
    tables.forEach((one, number) => {
      if (!pages.length || left < heights[number]) { pages.push([]); left = Math.max(room, heights[number]) }
      pages.at(-1).push(one)
      left -= heights[number]
    })
    return pages
  }

  #tick = () => {
    const clock = this.querySelector("round-clock"), bar = this.querySelector("progress")
    if (!clock || !bar) return
    const begins = Date.parse(clock.getAttribute("begins")), ends = Date.parse(clock.getAttribute("ends"))
    bar.value = Math.min(Math.max((Date.now() - begins) / (ends - begins), 0), 1) * bar.max
  }

  #button() {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "hold" })
    button.addEventListener("click", () => this.#hold(), { signal: this.#connection.signal })
    this.append(button)
    this.#hold(false)
  }

  #hold(held = !this.#held) {
    this.#held = held
    this.querySelector(".hold").textContent = this.getAttribute(held ? "paused" : "turning")
  }
}
