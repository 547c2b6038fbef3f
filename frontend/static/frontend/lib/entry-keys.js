import { make } from "lib/elements.js"
import { initial, isSeat } from "lib/entry-words.js"
import { numbers } from "lib/sheet-form.js"
import { same } from "lib/expressions.js"

// values that are keys of their own, four in a row
const FEW = 16
// columns that leave a key less than a finger
export const WIDE = 5

/**
 * The keys of a sheet that is being filled in. `acts`: what a key may do. It is off where an answer rules it out, and
 * then it says why.
 */
export class EntryKeys {
  // where keys are large: whose ten, or row, is shown
  part = null

  constructor(form, words, acts) { Object.assign(this, { form, words, acts }) }

  button(text, act, attributes = {}, shown = text) {
    const button = make("button", { type: "button", ...attributes }, shown)
    button.act = act
    return button
  }

  /** A key: off where an answer rules it out, and then it says why. */
  key(text, entry, step, place, answer, { chosen = false, label, says } = {}) {
    const why = chosen ? "" : entry.why(step, place, answer)
    const act = why ? () => { this.acts.refuse(why) } : () => this.acts.tap(entry, step, place, answer)
    return this.answering(place, answer, this.button(text, act, { "aria-disabled": why ? "true" : null, "aria-pressed": chosen ? "true" : null, "aria-label": label, "data-says": says, title: why || null }))
  }

  /** A key knows what it answers, for whoever looks for the one to tap. */
  answering(place, answer, button) { return Object.assign(button, { answers: { place, answer } }) }

  factKey(entry, step, text, place, answer, chosen, label) {
    const why = chosen ? "" : entry.why(step, place, answer)
    const act = why ? () => { this.acts.refuse(why) } : () => this.acts.tap(entry, step, place, answer, { stays: true })
    return this.answering(place, answer, this.button(text, act, { "aria-disabled": why ? "true" : null, "aria-pressed": String(Boolean(chosen)), "aria-label": label === text ? null : label, title: why || null }))
  }

  heading(text) { return make("h2", { tabindex: "-1" }, initial(text)) }

  /** What makes the key of a value of a field: of a place, where it has one for each. */
  valueKey(entry, step, field, place, values) {
    const now = place && Array.isArray(values[field.name]) ? values[field.name][place - 1] : values[field.name]
    const isGiven = place ? entry.answers[field.name]?.[place] !== undefined : entry.answers[field.name] !== undefined
    const chosen = (value) => (isGiven || "usual" in field) && same(now ?? null, value)
    return (value, text = this.words.say(field, value)) => this.key(text, entry, step, place, { [field.name]: value }, { chosen: chosen(value), says: text, label: place ? `${this.words.sideName(entry, field, place)}: ${field.label} ${text}` : null })
  }

  /** The keys of a field that has few values; none for any other. */
  few(entry, step, field, place, values) {
    const key = this.valueKey(entry, step, field, place, values)
    switch (field.kind) {
      case "seat": return make("div", { class: "keys wide", role: "group" }, this.form.around.seats.map((seat) => this.#seatKey(key(seat), seat)), field.nobody && !step.rare ? key(null) : null)
      case "choice": return make("div", { class: "keys chips", role: "group" }, field.choices.map((one) => key(one.value)))
      case "flag": return make("div", { class: "keys chips", role: "group" }, key(true), key(false))
      case "whole": {
        const all = numbers(field, step)
        if (all.length <= FEW) return make("div", { class: "keys four", role: "group" }, all.map((one) => key(one)))
      }
    }
    return undefined
  }

  #seatKey(button, seat) {
    button.prepend(make("span", { class: "seat", "aria-hidden": "true" }, String(seat)))
    return button
  }

  columns(count, cells, hasHead) {
    const rows = Math.ceil(cells.length / (count + (hasHead ? 1 : 0)))
    return make("div", { class: `cells of-${count}${hasHead ? " headed" : ""}`, "data-rows": rows }, cells.map((cell) => cell ?? make("span")))
  }

  valuesOf(field, step) {
    const spare = field.nobody && isSeat(field) && "usual" in field ? [null] : []
    switch (field.kind) {
      case "seat": return [...this.form.around.seats, ...spare]
      case "choice": return field.choices.map((one) => one.value)
      case "flag": return [true, false]
      case "whole": return numbers(field, step)
    }
    return []
  }

  /** Chosen on this phone: numbers by tens, then units. */
  get areLarge() { return document.documentElement.dataset.keys === "large" }

  /** Keys in parts, of the field `of`: the parts first, then the keys of the one that was touched, and the way back. */
  byParts(of, parts, name, look) {
    const there = parts.map((part) => part.filter((key) => key.act)), open = this.part?.of === of && there[this.part.at]
    const turn = (part) => { this.part = part; this.acts.draw() }
    if (open?.length) return [make("div", { class: "keys four", role: "group" }, open), this.button(this.words.texts.back, () => turn(null), { class: "button" })]
    return make("div", { class: `keys ${look}`, role: "group" }, there.map((part, at) => {
      if (!part.length) return null
      const why = part.every((key) => key.ariaDisabled === "true") && part[0].title
      const button = this.button(name(part, at), why ? () => { this.acts.refuse(why) } : () => turn({ of, at }), { "aria-disabled": why ? "true" : null, "aria-pressed": part.some((key) => key.ariaPressed === "true") ? "true" : null })
      return Object.assign(button, { opens: part.map((key) => key.answers) })
    }))
  }

  product(fields, step) {
    return fields.reduce((rows, field) => rows.flatMap((row) => this.valuesOf(field, step).map((value) => ({ ...row, [field.name]: value }))), [{}])
  }
}

/** Keys are large on this phone from now on, or as usual again. */
export function turnKeys() {
  const chosen = document.documentElement.dataset
  if (chosen.keys) delete chosen.keys
  else chosen.keys = "large"
  localStorage.setItem("keys", chosen.keys ?? "")
}

/** A key of `host` is set when it is let go: it shows above the finger what it says, and sliding corrects. */
export function pressed(host, event) {
  const key = event.target.closest(".keys button")
  if (!key || !event.isPrimary || event.button) return
  const bubble = make("output", { class: "bubble", "aria-hidden": "true" }), signal = new AbortController()
  let now = key
  const show = () => {
    host.querySelectorAll(".keys .held").forEach((one) => one.classList.remove("held"))
    now?.classList.add("held")
    bubble.textContent = now?.dataset.says ?? now?.textContent ?? ""
    bubble.hidden = !now || now.getAttribute("aria-disabled") === "true"
    const place = now?.getBoundingClientRect(), own = host.getBoundingClientRect()
    if (place) {
      bubble.style.insetInlineStart = `${Math.min(Math.max(place.left - own.left + place.width / 2, 36), own.width - 36)}px`
      bubble.style.insetBlockStart = `${Math.max(place.top - own.top - 60, 4)}px`
    }
  }
  if (key.closest(".dense")) { host.append(bubble); show() }
  const end = () => { signal.abort(); bubble.remove(); host.querySelectorAll(".held").forEach((one) => one.classList.remove("held")) }
  addEventListener("pointermove", ({ clientX, clientY }) => {
    now = document.elementFromPoint(clientX, clientY)?.closest(".keys button") ?? null
    if (bubble.isConnected) show()
  }, { signal: signal.signal })
  addEventListener("pointerup", ({ pointerType }) => {
    end()
    if (now && now !== key && pointerType !== "mouse" && now.isConnected) now.click()
  }, { signal: signal.signal })
  addEventListener("pointercancel", end, { signal: signal.signal })
}
