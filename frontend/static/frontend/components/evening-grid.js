import { getPage } from "lib/fetching.js"
import { follow } from "lib/streaming.js"

const MOMENT_MILLISECONDS = 150
const ANYWAY_MILLISECONDS = 15000

/**
 * <evening-grid stream> keeps itself, and the course of the evening above it, as the service has them: the
 * stream tells that a result counts; what it does not tell of is looked for every quarter of a minute. Where
 * the rounds are scrolled, as on phones, it begins at the one that is played, and stays where it was.
 */
export class EveningGrid extends HTMLElement {
  static define(tag = "evening-grid") { customElements.define(tag, this) }

  #connection
  #due = 0

  connectedCallback() {
    this.#connection = new AbortController()
    follow(this.getAttribute("stream"), {
      heard: () => this.#soon(MOMENT_MILLISECONDS),
      connected: () => {},
      poll: () => this.#soon(0),
      signal: this.#connection.signal,
    })
    this.#soon(ANYWAY_MILLISECONDS)
    const rounds = scroller(this), open = rounds?.querySelector("thead .now")
    if (open) rounds.scrollLeft = open.offsetLeft - rounds.querySelector("th").offsetWidth
  }
  disconnectedCallback() {
    this.#connection.abort()
    clearTimeout(this.#due)
  }

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
    this.#soon(ANYWAY_MILLISECONDS)
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
