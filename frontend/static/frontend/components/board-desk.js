import { sendForm } from "lib/fetching.js"

/** <board-desk> shows in the panel of a ruling what it would change, beside the grid as it stands: the answer's #ruling
 * takes the place of the page's, and the focus. Where the service does not answer, the browser sends the form itself. */
export class BoardDesk extends HTMLElement {
  static define(tag = "board-desk") { customElements.define(tag, this) }

  #connection
  #gaveUp = false

  connectedCallback() {
    this.#connection = new AbortController()
    this.addEventListener("submit", this.#look, { signal: this.#connection.signal })
  }
  disconnectedCallback() { this.#connection.abort() }

  #look = async event => {
    const { target: form, submitter } = event
    if (this.#gaveUp || submitter?.value !== "look") return
    event.preventDefault()
    this.querySelector("#ruling").ariaBusy = "true"
    try {
      const page = await sendForm(form, submitter, this.#connection.signal)
      const news = page.querySelector("#ruling")
      if (!news) throw new Error("no ruling in the answer")
      this.querySelector("#ruling").replaceWith(news)
      news.scrollIntoView({ block: "nearest" })
      news.focus({ preventScroll: true })
    } catch (error) {
      if (error.name === "AbortError") return
      this.#gaveUp = true
      form.requestSubmit(submitter)
    }
  }
}
