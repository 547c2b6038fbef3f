import { getJSON } from "lib/fetching.js"

const PAUSE_MILLISECONDS = 120, AGAIN_MILLISECONDS = 3000

/** <quick-line hints="…/hint/"> says under its field what the line means so far, and what comes next; in .order, what stands in such a line. A link with data-line begins one here. While no answer comes it says so (data-away), and asks again. */
export class QuickLine extends HTMLElement {
  static define(tag = "quick-line") { customElements.define(tag, this) }

  #connection
  #due = 0

  connectedCallback() {
    this.#connection = new AbortController()
    const field = this.querySelector("[name=line]"), { signal } = this.#connection
    field.addEventListener("input", this.#typed, { signal })
    const wrong = this.querySelector(".field.wrong [name]")
    const isAsked = this.querySelector("[name=shown]").value
    if (wrong === field || isAsked) field.select()  // who types on without a look writes the next slip, not the end of this one
    else field.setSelectionRange(field.value.length, field.value.length)
    ;(wrong ?? field).focus()
    document.addEventListener("click", this.#chosen, { signal })
    if (field.value) this.#ask()
  }
  disconnectedCallback() {
    this.#connection.abort()
    clearTimeout(this.#due)
  }

  #typed = () => {
    for (const said of this.querySelectorAll(".error, .news")) said.remove()  // of another line, or told anew below
    clearTimeout(this.#due)
    this.#due = setTimeout(this.#ask, PAUSE_MILLISECONDS)
  }

  #chosen = (event) => {
    const link = event.target.closest?.("a[data-line]"), field = this.querySelector("[name=line]")
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    field.value = link.dataset.line
    field.focus()
    this.#typed()
  }

  #ask = async () => {
    const line = this.querySelector("[name=line]").value
    try {
      const told = await getJSON(`${this.getAttribute("hints")}?line=${encodeURIComponent(line)}`, this.#connection.signal)
      if (line === this.querySelector("[name=line]").value) this.#show(told)  // answers may overtake each other
    } catch (error) {
      if (error.name === "AbortError" || error.status) return  // refused: Enter says why
      console.warn(error)
      this.#show({ says: this.dataset.away, wrong: true })
      clearTimeout(this.#due)
      this.#due = setTimeout(this.#ask, AGAIN_MILLISECONDS)
    }
  }

  #show({ says, who, choices, wrong, whole, order }) {
    const output = this.querySelector("output")
    const isSaid = this.querySelector(".error")  // what is wrong has been said after Enter; the names of the seats help more now
    const lines = [who, isSaid ? "" : [says, ...(choices?.length ? [`(${choices.join(", ")})`] : [])].join(" ")].filter(Boolean)
    output.replaceChildren(...output.querySelectorAll(".news"), ...lines.map((text, n) => Object.assign(document.createElement("span"), { textContent: text, className: n || !who ? "says" : "who" })))
    output.classList.toggle("wrong", wrong)
    output.classList.toggle("whole", Boolean(whole))
    if (order) this.querySelector(".order").textContent = order
  }
}
