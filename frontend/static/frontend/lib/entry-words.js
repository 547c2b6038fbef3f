import { filled } from "lib/elements.js"
import { isBare } from "lib/sheet-form.js"
import { valueOf } from "lib/expressions.js"

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" }
const RANKS = { fr: { K: "R", Q: "D", J: "V", T: "10" }, en: { T: "10" } }

export const initial = (text) => text ? text[0].toUpperCase() + text.slice(1) : ""
export const isSeat = (field) => field.kind === "seat"

/** How the values of a sheet are said to those at the table. */
export class EntryWords {
  /** `texts`: of the page; `names`: by seat; `called`: what a game calls what its board is made of, by its number. */
  constructor(texts, names, called) { Object.assign(this, { texts, names, called }) }

  title(entry, step) {
    return step.ask ?? step.fields.map((name) => entry.fields.get(name)).filter((field) => valueOf(field.when, entry.values(), true) !== false)
      .map((field) => field.label).join(", ")
  }

  /** A part of the board by its number, and what is said of it. */
  part(at) { return initial(filled(this.called, { n: at + 1 })) }
  ofPart(at, what) { return this.pair(this.part(at), what) }
  pair(what, value) { return filled(this.texts.pair, { what, value }) }

  /** A value in words. */
  say(field, value, short = false) {
    if (value === undefined) return "–"
    if (value === null) return this.texts.nobody
    if (Array.isArray(value) && field.kind === "list") return value.map((one) => isBare(field) ? this.sayOf(field.of[0], one) : this.say({ ...field, kind: "object" }, one)).join(document.documentElement.lang === "fr" ? "\u202f; " : "; ")
    switch (field.kind) {
      case "choice": return this.#sayChoice(field, value)
      case "seat": return this.name(value, short)
      case "seats": return value.map((one) => this.name(one, short)).join(", ")
      case "flag": return value ? this.texts.yes : this.texts.no
      case "object": return field.of.filter((part) => value[part.name] !== null && value[part.name] !== undefined)
        .map((part) => this.sayOf(part, value[part.name])).join(" ")
    }
    return String(value)
  }

  /** A choice by its label; suits by their signs and ranks by their letters, where the game gives no word. */
  #sayChoice(field, value) {
    const label = field.choices.find((one) => one.value === value)?.label ?? String(value)
    if (label !== value) return label
    if (field.choices.every((one) => one.value in SUITS)) return SUITS[value]
    return RANKS[document.documentElement.lang]?.[value] ?? label
  }

  sayOf(field, value) { return Array.isArray(value) && (field.per_seat || field.per_side) ? value.map((one) => this.say(field, one, true)).join("–") : this.say(field, value, true) }

  name(seat, short = false) {
    const name = this.names[seat - 1] ?? filled(this.texts.seat, { n: seat })
    if (!short) return name
    const first = name.split(" ")[0]
    return this.names.filter((one) => one.split(" ")[0] === first).length > 1 || first.endsWith(".") ? name : first
  }

  /** Who sits in a seat; where a pair sits in two, its seat too. */
  nameAt(seat) {
    const name = this.name(seat)
    return this.names.filter((one) => one === name).length > 1 ? `${filled(this.texts.seat, { n: seat })}, ${name}` : name
  }

  sideName(entry, field, place) {
    return field.per_side ? place === 1 ? this.#sideNames(1) : this.#sideNames(2) : this.name(place, true)
  }

  /** Partners by their first names; a pair has both in its name, and sits in both seats. */
  #sideNames(side) {
    const own = new Set(this.names.filter((_name, at) => at % 2 === side - 1).flatMap((name) => name.split(" – ")))
    return [...own].map((name) => name.split(" ")[0]).join(" + ")
  }

  letter(seat) {
    const letters = this.names.map((name) => name[0])
    return new Set(letters).size === letters.length ? letters[seat - 1] : String(seat)
  }
}

const PARTS = { 0.5: "½", 0.25: "¼", 0.75: "¾" }

/** A score as players say it, with its sign. */
export function inUnits(score, divisor) {
  if (!score) return "0"
  const whole = Math.floor(Math.abs(score) / divisor), rest = Math.abs(score) % divisor / divisor
  const part = rest ? PARTS[rest] ?? (whole + rest).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 }) : ""
  return (score > 0 ? "+" : "−") + (rest && !PARTS[rest] ? part : `${whole || !rest ? whole.toLocaleString(document.documentElement.lang) : ""}${part}`)
}
