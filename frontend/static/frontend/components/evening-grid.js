import { getPage } from "lib/fetching.js"
import { follow } from "lib/streaming.js"

const MOMENT_MILLISECONDS = 150
const ANYWAY_MILLISECONDS = 15000, UNTOLD_MILLISECONDS = 5000

/**
 * <evening-grid stream> keeps itself, and the course of the evening above it, as the service has them: the
 * stream tells that a result counts; what it does not tell of is looked for every quarter of a minute, and
 * every few seconds while the session is not listed, and has no stream for browsers. Where the rounds are
 * scrolled, as on phones, it begins at the one that is played, and stays where it was.
 */
export class EveningGrid extends HTMLElement {
  static define(tag = "evening-grid") { customElements.define(tag, this) }

  #connection
  #due = 0

  connectedCallback() {
    this.#connection = new AbortController()
    const stream = this.getAttribute("stream")
    if (stream) follow(stream, {
      heard: () => this.#soon(MOMENT_MILLISECONDS),
      connected: () => {},
      poll: () => this.#soon(0),
      signal: this.#connection.signal,
    })
    this.#soon(this.#anyway)
    const rounds = scroller(this), open = rounds?.querySelector("thead .now")
    if (open) rounds.scrollLeft = open.offsetLeft - rounds.querySelector("th").offsetWidth
  }
  disconnectedCallback() {
    this.#connection.abort()
    clearTimeout(this.#due)
  }

  get #anyway() { return this.hasAttribute("stream") ? ANYWAY_MILLISECONDS : UNTOLD_MILLISECONDS }

  #soon(after) {
    clearTimeout(this.#due)
    this.#due = setTimeout(this.#refresh, after)
  }

  #refresh = async () => {
    try {
      const page = await getPage(location.href, this.#connection.signal)
      for (const part of [this.localName, ".evening"]) this.#show(document.querySelector(part), page.querySelector(part))
    } catch (error) {
      if (error.name === "AbortError") return
      console.warn(error)
    }
    this.#soon(this.#anyway)
  }

  /** What nobody is just using, and has changed: a token for forms is another one each time. */
  #show(own, news) {
    if (!own || !news || own.contains(document.activeElement) || plain(own) === plain(news)) return
    const at = scroller(own)?.scrollLeft
    own.replaceChildren(...news.children)
    if (at) scroller(own).scrollLeft = at
  }
}

const scroller = part => part.querySelector(".sideways")
const plain = part => part.innerHTML.replace(/(csrfmiddlewaretoken" value=")[^"]*/g, "$1").replace(/(<round-clock[^>]*>)[^<]*/g, "$1")
