import { filled } from "lib/elements.js"

const HOUR = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" })
const waiting = new Map()  // who has no answer, and since when

/** Whoever keeps a part of this page up to date has been answered: the words go, unless another still waits. */
export function answered(who) {
  if (waiting.delete(who)) say()
}

/** It has not been answered, and asks again: the page says in words (parts/lost.html) since when. A refusal of what was
 * asked for is an answer. */
export function unanswered(who, { status } = {}) {
  if (status && status < 500 && status !== 429) return answered(who)
  if (waiting.has(who)) return
  waiting.set(who, new Date())
  say()
}

function say() {
  const told = document.querySelector(".lost"), [since] = waiting.values()
  told.textContent = since ? filled(told.dataset.words, { time: HOUR.format(since) }) : ""
  // what is shown on the whole screen lies above it, and says the same
  document.documentElement.style.setProperty("--lost", since ? JSON.stringify(told.textContent) : "none")
}
