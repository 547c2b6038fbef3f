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

/** The page that answers a form, sent as its button sends it, as a document; what is wrong with it is told there. */
async function sendForm(form, submitter, signal) {
  const body = new FormData(form)
  body.append(submitter.name, submitter.value)
  const response = await fetch(form.action, { method: "POST", body, signal, headers: { Accept: "text/html" } })
  if (response.redirected || ![200, 400, 409].includes(response.status)) throw new Error(`${form.action}: ${response.status}`)
  return new DOMParser().parseFromString(await response.text(), "text/html")
}
