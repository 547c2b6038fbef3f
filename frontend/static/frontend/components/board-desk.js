import { showWrong } from "lib/wrong.js"

const SENT = ["csrfmiddlewaretoken", "seen"] // of the page, not written by anybody

/** <board-desk> keeps a half-written ruling while this tab is open, until it is published or thrown away, and shows in the
 * panel what it would change, beside the grid as it stands: the answer's #ruling
 * takes the place of the page's, and the focus. Where the service does not answer, the browser sends the form itself. */
export class BoardDesk extends HTMLElement {
  static define(tag = "board-desk") { customElements.define(tag, this) }

  #connection
  #gaveUp = false

  connectedCallback() {
    this.#connection = new AbortController()
    const { signal } = this.#connection
    this.addEventListener("submit", this.#look, { signal })
    for (const event of ["input", "change"]) this.addEventListener(event, this.#keep, { signal })
    this.addEventListener("click", this.#forget, { signal })
    this.addEventListener("toggle", this.#unfold, { signal, capture: true })
    this.#bringBack()
  }
  disconnectedCallback() { this.#connection.abort() }

  get #form() { return this.querySelector(".rulingform") }
  get #made() { return this.querySelectorAll("#ruling .made").length }
  get #draft() { return `ruling:${location.pathname}` }

  /** What has been written so far, with how many rulings there were: once there is another, it has been published. */
  #keep = ({ target }) => {
    if (!this.#form?.contains(target)) return
    const written = [...new FormData(this.#form)].filter(([name]) => !SENT.includes(name))
    try { sessionStorage.setItem(this.#draft, JSON.stringify({ written, made: this.#made })) } catch { /* storage is closed */ }
  }

  /** A page that was just sent back says itself what was written. */
  #bringBack() {
    const form = this.#form, { written, made } = kept(this.#draft)
    if (!form || !written) return
    if (this.#made > made) return drop(this.#draft)
    if (form.dataset.written) return
    const values = new Map()
    for (const [name, value] of written) values.set(name, [...values.get(name) ?? [], value])
    for (const control of form.elements) {
      if (!control.name || SENT.includes(control.name) || control.type === "submit") continue
      const own = values.get(control.name) ?? []
      if (["radio", "checkbox"].includes(control.type)) control.checked = own.includes(control.value)
      else control.value = own[0] ?? ""
    }
    this.querySelector(".keptdraft").hidden = false
  }

  /** What is unfolded in the panel comes up to its top: its fields lay under the buttons at its foot. */
  #unfold = ({ target }) => {
    if (target.open && target.closest(".rulingform")) target.scrollIntoView({ block: "start" })
  }

  #forget = ({ target }) => {
    if (!target.closest(".keptdraft button")) return
    drop(this.#draft)
    this.#form.reset()
    this.querySelector(".keptdraft").hidden = true
    this.querySelector("#ruling").focus({ preventScroll: true })
  }

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
      showWrong(news)
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

function kept(name) {
  try { return JSON.parse(sessionStorage.getItem(name)) ?? {} } catch { return {} }
}

function drop(name) {
  try { sessionStorage.removeItem(name) } catch { /* storage is closed: nothing was kept */ }
}
