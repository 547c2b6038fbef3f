import { filled, make } from "lib/elements.js"
import { initial, isSeat } from "lib/entry-words.js"
import { WIDE } from "lib/entry-keys.js"
import { isBare, known, numbers } from "lib/sheet-form.js"
import { same, valueOf } from "lib/expressions.js"

/** What may have happened beside the usual: facts, entries of several parts, and the rare ends behind *Something else…*. */
export class EntryFacts {
  constructor(keys) { this.keys = keys }

  get form() { return this.keys.form }
  get words() { return this.keys.words }
  get acts() { return this.keys.acts }

  /** A fact: a tap sets it, another clears it. */
  fact(entry, step, field) {
    const values = entry.values(), seats = this.form.around.seats, now = values[field.name]
    const key = (text, place, value, cleared, chosen, label = text) => this.keys.factKey(entry, step, text, place, { [field.name]: chosen ? cleared : value }, chosen, label)
    const cleared = "usual" in field ? field.usual : field.kind === "list" || field.kind === "seats" ? [] : undefined
    const clearedOne = (place) => Array.isArray(field.usual) ? field.usual[place - 1] : undefined
    if (isSeat(field) && !entry.isListed(field)) return make("div", { class: "keys seats-row", role: "group" }, seats.map((seat) => key(this.words.name(seat, true), undefined, seat, cleared, now === seat)))
    if (field.kind === "seats") return make("div", { class: "keys seats-row", role: "group" }, seats.map((seat) => {
      const has = now?.includes(seat), others = (now ?? []).filter((one) => one !== seat)
      return this.keys.factKey(entry, step, this.words.name(seat, true), undefined, { [field.name]: has ? others : [...others, seat].sort() }, has, this.words.name(seat))
    }))
    if (field.kind === "choice" || field.kind === "flag") return this.keys.few(entry, step, field, undefined, values)
    const table = (columns, rows, cell, named = true) => this.keys.areLarge && columns.length > WIDE ? this.keys.byParts(field.name,
      rows.map(([text, row]) => columns.map(([head, column]) => { const one = cell(row, column, `${text}, ${head}`); one.textContent = head; return one })), (_part, at) => rows[at][0], "two") : make("div", { class: `keys table${columns.length > WIDE ? " dense" : ""}`, role: "group" }, this.keys.columns(columns.length, [
      ...(named ? [make("span", { class: "head" }), ...columns.map(([text]) => make("span", { class: "head" }, text))] : []),
      ...rows.flatMap(([text, row]) => [make("span", { class: "row" }, text), ...columns.map(([head, column]) => cell(row, column, `${text}, ${head}`))])], true))
    const bySeat = seats.map((seat) => [this.words.name(seat, true), seat])
    if (entry.isListed(field) && field.kind === "whole") return table(bySeat, numbers(field, step).filter((one) => one !== field.usual?.[0]).map((one) => [String(one), one]),
      (row, seat, label) => key(String(row), seat, row, clearedOne(seat), now?.[seat - 1] === row, label))
    if (entry.isListed(field) && isSeat(field)) return table(bySeat, bySeat, (row, seat, label) => row === seat ? make("span") : key(this.words.letter(seat), row, seat, clearedOne(row), now?.[row - 1] === seat, label))
    const parts = field.of ?? [], plain = parts.every((part) => !part.per_seat && ["seat", "choice", "whole"].includes(part.kind) && this.keys.valuesOf(part, {}).length <= 20)
    if (parts.length === 2 && plain) {
      const seat = parts.find(isSeat), other = parts.find((part) => part !== seat && part !== parts[1]) ?? parts.find((part) => part !== seat)
      const across = seat ?? parts[1], down = seat ? parts.find((part) => part !== seat) : other
      const object = (row, column) => ({ [down.name]: row, [across.name]: column })
      const rows = this.keys.valuesOf(down, {}).map((value) => [this.words.say(down, value), value])
      if (field.kind === "list") return table(bySeat, rows, (row, column, label) => {
        const listed = now ?? [], has = listed.some((one) => same(one, object(row, column)))
        const others = listed.filter((one) => !same(one, object(row, column)))
        return this.keys.factKey(entry, step, String(this.words.letter(column)), undefined, { [field.name]: has ? others : [...others, object(row, column)] }, has, label)
      })
      if (entry.isListed(field)) return table(rows, seats.flatMap((one) => this.keys.valuesOf(across, {}).map((value) => [`${this.words.letter(one)} ${this.words.say(across, value)}`, [one, value]])),
        ([one, value], row) => key(this.words.say(down, row), one, object(row, value), clearedOne(one), same(now?.[one - 1] ?? null, object(row, value)), `${this.words.name(one)}, ${this.words.say(across, value)}, ${this.words.say(down, row)}`))
      return table(this.keys.valuesOf(across, {}).map((value) => [this.words.say(across, value, true), value]), rows,
        (row, column, label) => key(isSeat(across) ? this.words.letter(column) : String(column), undefined, object(row, column), cleared, same(now ?? null, object(row, column)), label))
    }
    return this.#list(entry, step, field, now)
  }

  /** Entries of several fields: those that there are, and one more. */
  #list(entry, step, field, now) {
    const isList = field.kind === "list", there = isList ? now ?? [] : now ? [now] : []
    const without = (at) => isList ? there.filter((_one, other) => other !== at) : "usual" in field ? field.usual : undefined
    return make("div", { class: "entries" }, there.map((one, at) => make("p", {}, this.words.say({ ...field, kind: "object" }, one),
      this.keys.button(this.words.texts.remove, () => this.acts.tap(entry, step, undefined, { [field.name]: without(at) }, { stays: true }), { class: "button link" }))),
    isList || !there.length ? this.#adding({ entry, step, field }) : null)
  }

  #adding(draft) {
    return Object.assign(this.keys.button(this.words.texts.add, () => this.acts.show({ page: "parts", ...draft, values: {} }), { class: "button" }), { adds: { field: draft.field.name, door: Boolean(draft.door) } })
  }

  /** The parts of one entry, each with its keys. */
  parts(draft) {
    const { entry, step, field, values, door } = draft, seats = this.form.around.seats
    const parts = draft.single ? [field] : field.of
    const put = (name, value) => { values[name] = value; this.acts.draw() }
    const rowOf = (part, place, now, set, text) => {
      const label = make("h3", {}, initial(text))
      if (part.kind === "whole" && numbers(part, {}).length > 20 || part.kind === "text") {
        const box = make("input", { "aria-label": text, value: now ?? "", maxlength: "100", ...(part.kind === "whole" ? { inputmode: "numeric" } : {}), change: () => set(part.kind === "whole" ? Number(box.value) : box.value.trim()) })
        return [label, Object.assign(box, { tells: { name: part.name, place } })]
      }
      // of parts that nobody tells at the table
      if (part.kind === "list") return []
      const all = part.kind === "seat" ? seats : this.keys.valuesOf(part, {})
      return [label, make("div", { class: "keys chips", role: "group", "aria-label": text }, [...all, ...(part.nobody ? [null] : [])].map((value) =>
        Object.assign(this.keys.button(this.words.say(part, value), () => set(value), { "aria-pressed": String(now !== undefined && same(now, value)) }), { tells: { name: part.name, place, value } })))]
    }
    const inner = { ...entry.around, ...Object.fromEntries(parts.map((part) => [part.name, values[part.name]])) }
    const rows = parts.filter((part) => valueOf(part.when, inner, true) !== false).flatMap((part) => part.per_seat || part.per_side
      ? entry.places(part).map((place) => rowOf(part, place, values[part.name]?.[place - 1], (value) => {
        const listed = values[part.name] ?? entry.places(part).map(() => undefined)
        put(part.name, listed.map((one, at) => at === place - 1 ? value : one))
      }, `${part.label}, ${this.words.sideName(entry, part, place)}`))
      : rowOf(part, undefined, values[part.name], (value) => put(part.name, value), part.label))
    const take = () => {
      const value = draft.single ? values[field.name] : isBare(field) ? values.it : Object.fromEntries(parts.map((part) => [part.name, values[part.name] ?? null]))
      const answer = field.kind === "list" && !draft.single ? [...(entry.values()[field.name] ?? []), value] : value
      this.acts.close()
      if (door) return this.acts.door(door, { [field.name]: answer })
      if (draft.single && Array.isArray(value)) return this.acts.tap(entry, step, undefined, { [field.name]: value })
      return this.acts.tap(entry, step, undefined, { [field.name]: answer }, { stays: true })
    }
    const isReady = parts.every((part) => part.optional || valueOf(part.when, inner, true) === false || known(values[part.name]) && values[part.name] !== undefined)
    return [this.keys.heading(field.label), rows, make("div", { class: "actions" }, this.keys.button(this.words.texts.back, () => this.acts.show(null), { class: "button" }),
      Object.assign(this.keys.button(this.words.texts.set, isReady ? take : () => {}, { class: "button filled", "aria-disabled": String(!isReady) }), { takes: true }))]
  }

  /** *Something else…*: the rare ends of the game, then what the director decides. */
  door() {
    const words = this.words.texts
    return [this.keys.heading(words.else), this.form.doors.map((door) => make("section", { class: "rare" }, make("h3", {}, initial(door.label)), this.#end(door))),
      make("section", { class: "rare" }, make("details", { class: "more" }, make("summary", {}, words.notPlayed), make("p", {}, words.notPlayedWhy),
        this.keys.button(words.notPlayedCall, () => this.acts.call("ruling", words.notPlayed), { class: "button" })),
        make("div", { class: "actions" }, this.keys.button(words.call, () => this.acts.call("director"), { class: "button" }),
          make("a", { class: "button link", href: this.acts.address }, words.form)))]
  }

  #end(door) {
    const form = this.form, fields = (door.fields ?? []).map((name) => form.fields.get(name))
    const key = (text, answer, label = text) => {
      const why = this.form.why({ fields: [] }, undefined, { ...this.#emptied(), ...door.sets, ...answer })
      return this.keys.answering(undefined, { ...door.sets, ...answer }, this.keys.button(text, why ? () => { this.acts.refuse(why) } : () => this.acts.door(door, answer), { "aria-disabled": why ? "true" : null, "aria-label": label === text ? null : label }))
    }
    if (!fields.length) return make("div", { class: "keys wide" }, key(initial(door.label), {}))
    const [field] = fields, parts = fields.length === 1 && field.of ? field.of : null
    const wrap = (one) => parts ? { [field.name]: field.kind === "list" ? [one] : one } : one
    const of = parts ?? fields
    if (of.length > 2 || of.some((one) => !["seat", "choice", "flag", "whole"].includes(one.kind) || this.keys.valuesOf(one, {}).length > 20))
      return this.#adding({ entry: form, step: { fields: [field.name] }, field, door })
    const usual = (one) => "usual" in one ? one.usual : undefined
    const values = (one) => this.keys.valuesOf(one, {}).filter((value) => one.kind !== "choice" || value !== usual(one))
    if (of.length === 1) return make("div", { class: "keys seats-row", role: "group" }, values(of[0]).map((value) => key(this.words.say(of[0], value, true), wrap({ [of[0].name]: value }))))
    const across = of.find(isSeat) ?? of[1], down = of.find((one) => one !== across)
    const columns = values(across)
    return make("div", { class: "keys table", role: "group" }, this.keys.columns(columns.length, [make("span", { class: "head" }, down.kind === "flag" ? down.label : ""), ...columns.map((value) => make("span", { class: "head" }, this.words.say(across, value, true))),
      ...values(down).flatMap((row) => [make("span", { class: "row" }, this.words.say(down, row)), ...columns.map((column) => key(isSeat(across) ? String(column) : this.words.say(across, column), wrap({ [down.name]: row, [across.name]: column }), `${this.words.say(down, row)}, ${this.words.say(across, column)}`))])], true))
  }

  #emptied() { return Object.fromEntries(Object.keys(this.form.answers).map((name) => [name, undefined])) }

  /** Optional fields that no question asks for. */
  detailed() {
    const form = this.form, values = form.values()
    const asked = new Set([...form.steps.flatMap((step) => step.fields), ...form.doors.flatMap((door) => [...(door.fields ?? []), ...Object.keys(door.sets)])])
    const hasCards = (field) => field.kind === "card" || field.of?.some(hasCards)
    return [...form.fields.values()].filter((field) => field.optional && !asked.has(field.name) && !hasCards(field) && valueOf(field.when, values, true) !== false && field.kind !== "list")
  }

  /** The page of one of them. */
  detail(field) { return { page: "parts", entry: this.form, step: { fields: [field.name] }, field, values: {}, single: true } }

  details() {
    const open = this.detailed()
    if (!open.length) return null
    return make("details", { class: "more" }, make("summary", {}, this.words.texts.detail), make("div", { class: "actions" }, open.map((field) =>
      this.keys.button(initial(field.label), () => this.acts.show(this.detail(field)), { class: "button" }))))
  }
}
