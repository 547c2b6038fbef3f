import { getPage } from "lib/fetching.js"

const AGAIN_MILLISECONDS = 500
const AWAY_MILLISECONDS = 3000
const OVER = ["done", "failed", "cancelled"]

/** <job-progress state> asks for its page again until the work is over, and shows what is new of it. */
export class JobProgress extends HTMLElement {
  static define(tag = "job-progress") { customElements.define(tag, this) }

  #connection
  #due = 0

  connectedCallback() {
    this.#connection = new AbortController()
    this.#again(AGAIN_MILLISECONDS)
  }
  disconnectedCallback() {
    this.#connection.abort()
    clearTimeout(this.#due)
  }

  get state() { return this.getAttribute("state") }

  #again(after) {
    if (!OVER.includes(this.state)) this.#due = setTimeout(this.#refresh, after)
  }

  #refresh = async () => {
    let page
    try {
      page = await getPage(location.href, this.#connection.signal)
    } catch (error) {
      if (error.name === "AbortError") return
      const status = this.querySelector(".status")
      status.textContent = status.dataset.away
      return this.#again(AWAY_MILLISECONDS)
    }
    const news = page.querySelector(this.localName)
    if (news === null) return location.reload()  // it is over, and its address leads on
    this.#show(news)
    this.#again(AGAIN_MILLISECONDS)
  }

  /** While the work goes on, only the figures and the words change: the bar itself stays, and moves. */
  #show(news) {
    if (OVER.includes(news.getAttribute("state"))) {
      this.replaceChildren(...news.children)
    } else {
      for (const part of [".status", ".figure"]) this.#say(part, news.querySelector(part).textContent)
      this.querySelector("progress").value = news.querySelector("progress").value
    }
    this.setAttribute("state", news.getAttribute("state"))
  }

  /** A text that has not changed is not spoken again. */
  #say(part, text) {
    const own = this.querySelector(part)
    if (own.textContent !== text) own.textContent = text
  }
}
