import { isInUse } from "lib/again.js"
import { answered, unanswered } from "lib/connection.js"
import { countInTitle } from "lib/elements.js"
import { getJSON, getPage } from "lib/fetching.js"

const ASK_MILLISECONDS = 600, HIDDEN_MILLISECONDS = 10000
const ANYWAY_MILLISECONDS = 20000

/**
 * <evening-grid news="…/news/"> keeps itself, and the course of the evening above it, as the service has them:
 * it asks in short whether anything is new, and fetches the page where something is, or where minutes have
 * passed that the page tells. What has the focus keeps it, and a part in which somebody is filling in a form is left
 * alone meanwhile. Where the rounds are scrolled, as on phones, it begins at the one that is played, and stays where
 * it was.
 */
export class EveningGrid extends HTMLElement {
  static define(tag = "evening-grid") { customElements.define(tag, this) }

  #connection
  #due = 0

  connectedCallback() {
    this.#connection = new AbortController()
    document.addEventListener("focusout", this.#release, { signal: this.#connection.signal })
    this.#soon(0)
    const rounds = scroller(this), open = rounds?.querySelector("thead .now")
    if (open) rounds.scrollLeft = open.offsetLeft - rounds.querySelector("th").offsetWidth
  }
  disconnectedCallback() {
    this.#connection.abort()
    answered(this)
    clearTimeout(this.#due)
  }

  #stamp = null
  #shownAt = Date.now()
  #isHeld = false

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
      answered(this)
    } catch (error) {
      if (error.name === "AbortError") return
      unanswered(this, error)
      console.warn(error)
    }
    this.#soon(document.hidden ? HIDDEN_MILLISECONDS : ASK_MILLISECONDS)
  }

  async #refresh() {
    const page = await getPage(location.href, this.#connection.signal)
    const shown = [this.localName, ".evening"].map(part => this.#show(document.querySelector(part), page.querySelector(part)))
    this.#isHeld = shown.includes(false)
    this.#shownAt = Date.now()
  }

  /** A field has been left: what has been held back for it is shown, unless something stands in it now. */
  #release = () => {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#shownAt = 0
    this.#soon(0)
  }

  /** What has changed: a token for forms is another one each time. False: something is being filled in there, which stays. */
  #show(own, news) {
    if (!own || !news) return true
    if (isInUse(own)) return false
    if (plain(own) === plain(news)) return true
    const held = keys(own).find(one => one === document.activeElement), at = scroller(own)?.scrollLeft
    const again = held && alike(own, held).indexOf(held)
    own.replaceChildren(...news.children)
    if (at) scroller(own).scrollLeft = at
    if (held) alike(own, held)[again]?.focus({ preventScroll: true })
    return true
  }
}

const keys = part => [...part.querySelectorAll("a, button, summary, [tabindex]")]
const called = key => key.getAttribute("href") ?? key.ariaLabel ?? key.textContent
const alike = (part, key) => keys(part).filter(one => called(one) === called(key))
const scroller = part => part.querySelector(".sideways")
const plain = part => part.innerHTML.replace(/(csrfmiddlewaretoken" value=")[^"]*/g, "$1").replace(/(<round-clock[^>]*>)[^<]*/g, "$1").replace(/(<(round-bell|whole-screen)[^>]*>).*?(?=<\/\2>)/g, "$1")
