/** What the phone says of forms otherwise than Python, of games with their forms, expressions and states. */
import { reader } from "lib/expressions.js"
import { Entry, SheetForm } from "lib/sheet-form.js"

const isUntold = (one) => one !== null && typeof one === "object" && one.unknown === true
const read = (one) => isUntold(one) ? undefined : Array.isArray(one) ? one.map(read)
  : one !== null && typeof one === "object" ? Object.fromEntries(Object.entries(one).map(([name, of]) => [name, read(of)])) : one
const shown = (one) => one === undefined ? { unknown: true } : Array.isArray(one) ? one.map(shown)
  : one !== null && typeof one === "object" ? Object.fromEntries(Object.entries(one).map(([name, of]) => [name, shown(of)])) : one
const plain = (one) => JSON.stringify(shown(one), (_name, of) => typeof of === "boolean" ? Number(of)
  : of !== null && typeof of === "object" && !Array.isArray(of) ? Object.fromEntries(Object.entries(of).sort()) : of)

export function differences(games) {
  const found = []
  const compare = (what, here, there) => {
    if (plain(here) !== plain(read(there))) found.push({ what, here: shown(here), there })
  }
  for (const { game, form, expressions, states } of games) {
    for (const { data, values, value } of expressions) compare([game, data, values], reader(data)(read(values)), value)
    for (const state of states) {
      const phone = new SheetForm(form, undefined, "rest")
      phone.answers = read(state.answers)
      const values = phone.values()
      compare([game, "values", state.answers], Object.fromEntries([...phone.fields.keys()].map((name) => [name, values[name]])), state.values)
      compare([game, "open", state.answers], phone.openSteps().map((step) => form.steps.indexOf(step)), state.open)
      compare([game, "next", state.answers], form.steps.indexOf(phone.nextStep()), state.next)
      compare([game, "place", state.answers], phone.openSteps().map((step) => phone.nextPlace(step) ?? null), state.places)
      compare([game, "broken", state.answers], Boolean(phone.broken()), state.broken)
      compare([game, "whole", state.answers], phone.isWhole(), state.whole)
      if (state.whole) compare([game, "sheet", state.answers], phone.sheet(), state.sheet)
      if (state.told) compare([game, "told", state.answers], phone.sentence(state.names), state.told)
    }
  }
  return found
}
