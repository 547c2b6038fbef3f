const SLOW_MILLISECONDS = 250

/** What each seat marks by a sheet, as the service says before it is sent; it knows nothing of the deal. */
export class MarksPreview {
  #sheet = ""
  #due = 0

  /** `game`, `options`, `conditions`, `names`: of the board; `heard`: called once there is something to say. */
  constructor(board, heard) {
    this.board = board
    this.heard = heard
    this.shown = null
  }

  /** What is known of a sheet: its `marks`, or `why` it cannot be; nothing yet. */
  of(sheet) { return JSON.stringify(sheet) === this.#sheet ? this.shown : null }

  /** Ask, a moment after the last tap. Without a network the marks follow. */
  ask(sheet) {
    const text = JSON.stringify(sheet)
    if (text === this.#sheet) return
    this.#sheet = text
    this.shown = null
    clearTimeout(this.#due)
    this.#due = setTimeout(async () => {
      const { game, options, conditions, names } = this.board
      const body = JSON.stringify({ sheet, options, conditions, names: names.map((name) => name.slice(0, 60)) })
      try {
        const answer = await fetch(`/api/v1/games/${game}/preview/`, { method: "POST", body, headers: { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang } })
        const given = await answer.json()
        if (text !== this.#sheet) return
        if (answer.ok) this.shown = given
        else if (answer.status === 400) this.shown = { why: reasonIn(given) }
        else this.#sheet = ""
      } catch { return }
      this.heard()
    }, SLOW_MILLISECONDS)
  }
}

/** What the API says of a sheet that is wrong. */
function reasonIn(given) {
  const texts = []
  const look = (one) => { if (typeof one === "string") texts.push(one); else if (one && typeof one === "object") Object.values(one).forEach(look) }
  look(given?.errors ?? given?.error?.details ?? given?.error?.message ?? given?.detail)
  return texts.join(" ")
}
