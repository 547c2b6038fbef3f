import { countInTitle } from "lib/elements.js"
import { getJSON, getPage } from "lib/fetching.js"

const ASK_MILLISECONDS = 600, HIDDEN_MILLISECONDS = 10000
const ANYWAY_MILLISECONDS = 20000

/**
 * <evening-grid news="…/news/"> keeps itself, and the course of the evening above it, as the service has them:
 * it asks in short whether anything is new, and fetches the page where something is, or where minutes have
 * passed that the page tells. Where the rounds are scrolled, as on phones, it begins at the one that is played,
 * and stays where it was.
 */
export class EveningGrid extends HTMLElement {
  static define(tag = "evening-grid") { customElements.define(tag, this) }

  #connection
  #due = 0

  connectedCallback() {
    this.#connection = new AbortController()
    this.#soon(0)
    const rounds = scroller(this), open = rounds?.querySelector("thead .now")
    if (open) rounds.scrollLeft = open.offsetLeft - rounds.querySelector("th").offsetWidth
  }
  disconnectedCallback() {
    this.#connection.abort()
    clearTimeout(this.#due)
  }

  #stamp = null
  #shownAt = Date.now()

  #soon(after) {
    clearTimeout(this.#due)
    this.#due = setTimeout(this.#ask, after)
  }

  #ask = async () => {
    try {
      const { stamp, calling } = await getJSON(this.getAttribute("news"), this.#connection.signal)
      const isNew = this.#stamp !== null && stamp !== this.#stamp
      if (isNew || Date.now() - this.#shownAt > ANYWAY_MILLISECONDS) await this.#refresh()
      this.#stamp = stamp
      countInTitle(calling.length)
      this.removeAttribute("away")
    } catch (error) {
      if (error.name === "AbortError") return
      this.setAttribute("away", "")
      console.warn(error)
    }
    this.#soon(document.hidden ? HIDDEN_MILLISECONDS : ASK_MILLISECONDS)
  }

  async #refresh() {
    const page = await getPage(location.href, this.#connection.signal)
    for (const part of [this.localName, ".evening"]) this.#show(document.querySelector(part), page.querySelector(part))
    this.#shownAt = Date.now()
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
const plain = part => part.innerHTML.replace(/(csrfmiddlewaretoken" value=")[^"]*/g, "$1").replace(/(<round-clock[^>]*>)[^<]*/g, "$1").replace(/(<(round-bell|whole-screen)[^>]*>).*?(?=<\/\2>)/g, "$1")
