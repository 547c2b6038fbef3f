import { isNumber, isTrue, reader, same, valueOf } from "lib/expressions.js"

/**
 * A result sheet that is being filled in: what is asked, what is on offer, what enters itself. It knows the form, as
 * plain data (docs/forms.md), and nothing of the game. What is unknown is undefined; null is an answer of its own.
 */

// values that one square shows
export const WINDOW = 150

const known = (value) => value !== undefined && !(Array.isArray(value) && value.includes(undefined))
const isListed = (field) => Boolean(field.per_seat || field.per_side)
export const isBare = (field) => field.of?.length === 1 && field.of[0].name === "it"
const worded = (text, values) => text.replace(/\{(\w+)\}/g, (_whole, name) => values[name] ?? "")

/** Whether a value is among those of a field; `each` of one seat, where it has one for each. */
export function isOnOffer(field, value, seats, each = true) {
  if (!each && isListed(field)) {
    const count = field.per_seat ? seats.length : 2
    return Array.isArray(value) && value.length === count && value.every((one) => isOnOffer(field, one, seats))
  }
  if (value === null || value === undefined) return Boolean(field.nobody || field.optional)
  switch (field.kind) {
    case "choice": return field.choices.some((choice) => choice.value === value)
    case "whole": return field.least <= value && value <= (field.most ?? Infinity) && value % field.step === 0
      && !field.never?.includes(value) && (field.among?.includes(value) ?? true)
    case "seat": return seats.includes(value)
    case "seats": return value.every((one) => seats.includes(one)) && new Set(value).size === value.length
    case "flag": return typeof value === "boolean"
    case "list": return value.every((one) => isPartOnOffer(field, one, seats))
    case "object": return isPartOnOffer(field, value, seats)
  }
  return true
}

function isPartOnOffer(field, value, seats) {
  if (isBare(field)) return isOnOffer(field.of[0], value, seats, false)
  return field.of.every((part) => "when" in part || isOnOffer(part, value[part.name], seats, false))
}

/** The whole numbers that a field offers, the highest as its question draws them. */
export function numbers(field, step) {
  if (field.among) return [...field.among]
  const top = step?.most ?? field.most ?? field.least + (WINDOW - 1) * field.step, found = []
  for (let one = Math.ceil(field.least / field.step) * field.step; one <= top; one += field.step)
    if (!field.never?.includes(one)) found.push(one)
  return found
}

function brokenRule(rules, values) {
  for (const rule of rules) {
    if (!rule.each) {
      if (reader(rule.holds)(values) === false) return { field: rule.field, why: said(rule, values) }
      continue
    }
    const [variable, whole] = rule.each, elements = reader(whole)(values)
    for (const element of Array.isArray(elements) ? elements : []) {
      const inner = { ...values, [variable]: element }
      if (reader(rule.holds)(inner) === false) return { field: rule.field, why: said(rule, inner) }
    }
  }
  return null
}

const said = (rule, values) => worded(rule.says, Object.fromEntries(
  Object.entries(rule.values ?? {}).map(([name, data]) => [name, reader(data)(values)])))

/** The questions of one sheet, or of one of the blocks in it. `rest`: what is said where a sum cannot come out. */
export class Entry {
  constructor(form, around, rest) {
    this.fields = new Map(form.fields.map((field) => [field.name, field]))
    this.rules = form.rules ?? []
    this.steps = form.steps
    this.around = around
    this.rest = rest
    // by field; of each seat or side an object
    this.answers = {}
    this.dropped = []
  }

  // What is known

  /** The values of all fields, as far as they are known: computed again until nothing changes. */
  values() {
    const values = { ...this.around }
    for (const name of this.fields.keys()) values[name] = undefined
    for (let round = 0; round < 6; round++) {
      let changed = false
      for (const name of this.fields.keys()) {
        const value = this.#value(name, values), before = values[name]
        if (value === before) continue
        values[name] = value
        changed ||= value === undefined || before === undefined || !same(value, before)
      }
      if (!changed) break
    }
    return values
  }

  #value(name, values) {
    const field = this.fields.get(name), listed = isListed(field)
    if (valueOf(field.when, values, true) === false) return null
    if (name in this.answers) return listed ? this.#listed(field, values) : this.answers[name]
    if ("implied" in field && !listed) {
      const implied = reader(field.implied)(values)
      if (implied !== undefined && implied !== null) return implied
    }
    if ("usual" in field) return field.usual
    const asked = this.steps.some((step) => !step.rare && step.fields.includes(name) && valueOf(step.when, values, true) !== false)
    if (asked) return listed ? this.#listed(field, values) : undefined
    if ("needed" in field && reader(field.needed)(values) !== false) return undefined
    const wasAsked = field.nobody && this.steps.some((step) => step.rare && step.fields.includes(name))
    return field.optional || wasAsked ? null : undefined
  }

  /** One value for each seat; the last one of a sum enters itself. */
  #listed(field, values) {
    const given = this.answers[field.name] ?? {}, spare = field.usual ?? null
    if (spare && !Object.keys(given).length) return [...spare]
    const listed = this.places(field).map((place) => place in given ? given[place] : spare ? spare[place - 1] : undefined)
    if ("implied" in field) listed.forEach((one, at) => {
      if (one !== undefined) return
      const implied = reader(field.implied)({ ...values, seat: at + 1 })
      if (isNumber(implied)) listed[at] = implied
    })
    const open = listed.filter((one) => one === undefined).length
    if ("total" in field && open === 1) {
      const total = reader(field.total)(values)
      if (isNumber(total)) listed[listed.indexOf(undefined)] = total - listed.reduce((sum, one) => sum + (one ?? 0), 0)
    }
    return listed
  }

  isListed(field) { return isListed(field) }
  places(field) { return field.per_seat ? [...this.around.seats] : [1, 2] }

  // What is asked

  /** The questions that exist now. */
  openSteps(values = this.values()) {
    return this.steps.filter((step) => valueOf(step.when, values, true) === true
      && step.fields.some((name) => valueOf(this.fields.get(name).when, values, true) === true))
  }
  isComplete(step, values = this.values()) { return Boolean(step.rare) || step.fields.every((name) => known(values[name])) }
  isWhole(values = this.values()) { return [...this.fields.keys()].every((name) => known(values[name])) }
  nextStep(values = this.values()) { return this.openSteps(values).find((step) => !this.isComplete(step, values)) }

  /** The field of a question that has a value for each seat or side; none where a tap answers for all. */
  listedField(step) { return step.shapes ? undefined : step.fields.map((name) => this.fields.get(name)).find(isListed) }

  /** The seat whose turn it is; null where the one touched first tells it, undefined where a tap answers for all. */
  nextPlace(step, values = this.values()) {
    const field = this.listedField(step)
    if (!field) return undefined
    const first = step.first ? values[step.first] : 1
    if (first === undefined) return null
    const places = this.places(field), at = isNumber(first) ? first - 1 : 0
    const order = [...places.slice(at), ...places.slice(0, at)], listed = values[field.name] ?? []
    return order.find((place) => listed[place - 1] === undefined) ?? order[0]
  }

  // What is tapped

  /** Why this cannot be tapped now; "" if it can. Nothing changes. */
  why(step, place, answer) {
    const before = this.answers
    this.#set(step, place, answer)
    const why = this.broken()
    this.answers = before
    return why
  }

  /** One key. Why it cannot be tapped, and nothing changes; or "". */
  tap(step, place, answer) {
    const before = this.answers
    this.#set(step, place, answer)
    const why = this.broken()
    if (why) this.answers = before
    return why
  }

  #set(step, place, answer) {
    const answers = { ...this.answers }
    if (place && step.first && this.values()[step.first] === undefined) answer = { ...answer, [step.first]: place }
    for (const [name, value] of Object.entries(answer)) {
      const field = this.fields.get(name)
      if (value === undefined) delete answers[name]
      else if (!isListed(field)) answers[name] = value
      else if (place) answers[name] = { ...answers[name], [place]: value }
      else answers[name] = Object.fromEntries(this.places(field).map((one, at) => [one, value[at]]))
    }
    this.answers = answers
  }

  /** Take the answer of a place back, so that another one enters itself. */
  forget(name, place) {
    const { [place]: _one, ...others } = this.answers[name] ?? {}
    this.answers = { ...this.answers, [name]: others }
  }

  /** Ask a question again; answers to later ones come back if they still fit. */
  reopen(step) {
    const later = this.steps.slice(this.steps.indexOf(step) + 1).flatMap((one) => one.fields)
    const own = new Set(step.fields), kept = {}, answers = {}
    for (const [name, value] of Object.entries(this.answers)) {
      if (own.has(name)) continue
      if (later.includes(name)) kept[name] = value
      else answers[name] = value
    }
    this.answers = answers
    this.waiting = kept
  }

  /** Answers that were put aside and still fit are back; the labels of the others. */
  takeBack() {
    const lost = []
    for (const [name, value] of Object.entries(this.waiting ?? {})) {
      const before = this.answers
      this.answers = { ...before, [name]: value }
      const values = this.values()
      if (values[name] === null || this.broken(values)) {
        this.answers = before
        lost.push(this.fields.get(name).label)
      }
    }
    this.waiting = undefined
    return lost
  }

  /** Why what is known can no longer become a sheet; "" if it can. */
  broken(values = this.values()) { return this.brokenAt(values)?.why ?? "" }

  /** The same, with the field that it is about; null if it can. */
  brokenAt(values = this.values()) {
    for (const [name, field] of this.fields) {
      const listed = isListed(field), of = listed ? values[name] : [values[name]]
      for (const value of Array.isArray(of) ? of : []) {
        if (value === undefined || value === null) continue
        const why = isOnOffer(field, value, this.around.seats) ? this.#brokenWithin(field, value) : this.rest
        if (why) return { field: name, why }
      }
      if ("total" in field && Array.isArray(values[name]) && known(values[name])) {
        const total = reader(field.total)(values)
        if (isNumber(total) && values[name].reduce((sum, one) => sum + one, 0) !== total) return { field: name, why: this.rest }
      }
    }
    return brokenRule(this.rules, values)
  }

  #brokenWithin(field, value) {
    if (!field.rules) return ""
    for (const part of field.kind === "list" ? value : [value]) {
      const inner = isBare(field) ? { it: part } : Object.fromEntries(field.of.map((one) => [one.name, part[one.name] ?? null]))
      const broken = brokenRule(field.rules, { ...this.around, ...inner })
      if (broken) return broken.why
    }
    return ""
  }

  /** What the form has entered: what belongs to the deal and is known. */
  sheet() {
    const values = this.values(), sheet = {}
    for (const [name, field] of this.fields) {
      const isAbsent = values[name] === null && !field.nobody
      if (!isAbsent && valueOf(field.when, values, true) === true) sheet[name] = values[name]
    }
    return sheet
  }
}

/** The form of one board. `board`: what is known of it, in place of what the form knows. */
export class SheetForm extends Entry {
  constructor(form, board, rest) {
    super(form, { seats: form.seats, option: form.option, known: board ?? form.known }, rest)
    this.form = form
    this.doors = form.other
    this.sentences = form.sentences
    // the entries of the blocks, in their order
    this.blocks = []
    // why they cannot be together
    this.refusal = ""
  }

  /** *Something else…*: one of the rare ends, which removes what no longer belongs to it. */
  open(door, answer) {
    const before = this.answers, own = { ...door.sets, ...answer }
    this.answers = {}
    const why = this.tap({ fields: [] }, undefined, own)
    if (why) this.answers = before
    else for (const [name, value] of Object.entries(before)) {
      if (name in own) continue
      this.answers = { ...this.answers, [name]: value }
      const values = this.values()
      if (values[name] === null || this.broken(values)) {
        const { [name]: _lost, ...others } = this.answers
        this.answers = others
      }
    }
    return why
  }

  blockStep(values = this.values()) { return this.openSteps(values).find((step) => step.steps) }

  /** The block that is to be filled in next; undefined where there is none. */
  nextBlock() {
    const step = this.blockStep()
    if (!step) return undefined
    const at = this.blocks.findIndex((one) => !one.isWhole())
    if (at >= 0) return at
    const values = this.values(), [name] = step.fields, done = this.#done(step)
    const most = "blocks" in step ? reader(step.blocks)(values) : Infinity
    if (done.length >= most || done.length && this.#isEnd(step, values, done)) return undefined
    return this.#addBlock(step, {})
  }

  #addBlock(step, answers) {
    const [name] = step.fields, field = this.fields.get(name), inner = { fields: field.of, rules: field.rules, steps: step.steps }
    const around = { ...this.around, [name]: this.#done(step), number: this.blocks.length + 1 }
    this.blocks.push(Object.assign(new Entry(inner, around, this.rest), { answers }))
    return this.blocks.length - 1
  }

  /** The blocks as they were answered. */
  setBlocks(all) {
    const step = all.length && this.blockStep()
    if (!step) return
    for (const answers of all) this.#addBlock(step, answers)
    this.takeBlocks()
  }

  #isEnd(step, values, done) { return Boolean(step.until) && reader(step.until)({ ...values, [step.fields[0]]: done }) === true }

  /** What the blocks say that are whole. What is asked once of all of them is unknown until somebody tells it. */
  #done(step, before = this.blocks.length) {
    const [name] = step.fields, bare = isBare(this.fields.get(name))
    const done = this.blocks.slice(0, before).filter((one) => one.isWhole()).map((one) => {
      const values = one.values(), told = Object.fromEntries([...one.fields.keys()].map((name) => [name, values[name]]))
      return bare ? told.it : told
    })
    for (const { fields: [field], when } of step.once ?? [])
      if (!this.onceAt(field) && valueOf(when, { ...this.values(), [name]: done }, true) === true) for (const one of done) one[field] = undefined
    return done
  }

  /** Take over what the blocks say; "" or why it cannot be. What came before each of them may have changed. */
  takeBlocks() {
    const step = this.blockStep(), [name] = step.fields
    const { [name]: _before, ...others } = this.answers
    this.answers = others
    this.blocks.forEach((one, at) => { one.around = { ...one.around, [name]: this.#done(step, at) } })
    let done = this.#done(step)
    // it is over before blocks that were told when it went on
    const end = done.findIndex((_one, at) => this.#isEnd(step, this.values(), done.slice(0, at + 1)))
    if (end >= 0 && this.blocks.length > end + 1) {
      this.blocks.length = end + 1
      done = done.slice(0, end + 1)
    }
    this.refusal = done.length ? this.tap({ fields: [] }, undefined, { [name]: done }) : ""
    return this.refusal
  }

  // What is asked once of all blocks

  /** The block in which it was told; undefined where nobody has. */
  onceAt(field) { return this.blocks.find((one) => one.answers[field] !== undefined && one.answers[field] !== null) }

  /** The question that is open once the blocks are whole. */
  nextOnce(values = this.values()) {
    const step = this.blockStep(values)
    return step?.once?.find(({ fields: [field], when }) => !this.onceAt(field) && valueOf(when, values, true) === true)
  }

  /** Why it cannot be told of this block; "" if it can. Nothing changes. */
  whyOnce(question, at, answer) {
    const before = this.blocks.map((one) => one.answers), mine = this.answers, why = this.tapOnce(question, at, answer)
    this.blocks.forEach((one, place) => { one.answers = before[place] })
    this.answers = mine
    if (!why) this.takeBlocks()
    return why
  }

  /** Told of this block it is not told of the others. Why it cannot be, and nothing changes; or "". */
  tapOnce({ fields: [field] }, at, answer) {
    const before = this.blocks.map((one) => one.answers)
    for (const one of this.blocks) {
      const { [field]: _told, ...others } = one.answers
      one.answers = others
      // what belonged to it goes with it
      for (const name of Object.keys(others).filter((name) => one.fields.get(name).optional)) {
        if (!one.broken()) break
        one.answers = Object.fromEntries(Object.entries(others).filter(([other]) => other !== name))
      }
    }
    this.takeBlocks()
    const why = this.blocks[at].tap({ fields: [] }, undefined, answer) || this.takeBlocks()
    if (!why) return ""
    this.blocks.forEach((one, place) => { one.answers = before[place] })
    this.takeBlocks()
    return why
  }

  /** The sentence of what has happened, with these names. */
  sentence(names) {
    const usual = Object.fromEntries([...this.fields].map(([name, field]) => [name, field.usual]))
    const values = { ...this.around, ...usual, ...this.values() }
    const one = this.sentences.find((sentence) => valueOf(sentence.when, values, true) === true)
    if (!one) return ""
    const shown = Object.entries(one.values).map(([name, kinds]) => {
      const [[kind, data]] = Object.entries(kinds), value = reader(data)(values)
      if (kind === "seat") return [name, names[value - 1] ?? ""]
      if (kind === "choice") return [name, this.fields.get(data.get?.[0])?.choices.find((choice) => choice.value === value)?.label ?? value]
      return [name, Array.isArray(value) ? value.join("–") : value]
    })
    return worded(one.says, Object.fromEntries(shown))
  }
}

export { known }
