import { filled, make } from "lib/elements.js"
import { initial, isSeat } from "lib/entry-words.js"
import { WIDE } from "lib/entry-keys.js"
import { numbers, WINDOW } from "lib/sheet-form.js"
import { same, valueOf } from "lib/expressions.js"

// windows that have room to say where they end
const ROWS = 13, TEN = 10, EIGHT = 8, FEW_WINDOWS = 3

const chunks = (all, size) => Array.from({ length: Math.ceil(all.length / size) }, (_one, at) => all.slice(at * size, (at + 1) * size))

/** The questions of a sheet as they are drawn: seats, keys, squares, grids, closed lists of answers. */
export class EntryQuestions {
  // the seat that somebody has chosen to enter
  place
  window = 0
  page = 0

  constructor(keys, facts) { Object.assign(this, { keys, facts }) }

  get form() { return this.keys.form }
  get words() { return this.keys.words }
  get acts() { return this.keys.acts }

  /** The next question begins at its beginning. */
  begin(place) {
    Object.assign(this, { place, page: 0 })
    this.keys.part = null
  }

  /** A question, or a block that was opened again. */
  step({ entry, step, page }) {
    if (page === "block") return this.#block(entry)
    const back = step.rare ? this.keys.button(this.words.texts.back, () => this.acts.show(null), { class: "button" }) : null
    return [this.#headed(this.#titleOf(entry, step), this.#widget(entry, step)), back]
  }

  /** A question over its keys; who stands first, or what it adds up to, beside it, or below where there is no room. */
  #headed(title, ...widget) {
    const [first, ...keys] = widget.flat(3).filter(Boolean), isSum = first?.classList.contains("sum")
    return [make("div", { class: "over" }, this.keys.heading(title), isSum ? first : null), isSum ? null : first, keys]
  }

  #part(entry) { return this.words.part(this.form.blocks.indexOf(entry)) }

  /** A question, with the block that it is asked of. */
  #titleOf(entry, step) { return entry === this.form ? this.words.title(entry, step) : this.words.ofPart(this.form.blocks.indexOf(entry), this.words.title(entry, step)) }

  /** A block that was opened again: its answers, each to be changed by a tap, and what may be added. */
  #block(entry) {
    const rest = entry.nextStep(), at = this.form.blocks.indexOf(entry)
    const anew = Object.keys(entry.answers).length ? this.keys.button(this.words.texts.anew, () => this.acts.anew(entry), { class: "button link" }) : null
    return [this.#headed(rest ? this.#titleOf(entry, rest) : this.#part(entry), rest ? this.#widget(entry, rest) : this.#answers(entry)),
      this.#questionsOnce().map((question) => make("section", { class: "rare" }, make("h3", {}, initial(this.#fieldOf(question).label)), make("div", { class: "keys seats-row", role: "group" },
        this.form.around.seats.map((seat) => this.#onceKey(question, at, seat, this.words.name(seat, true), true))))), this.rare(entry), anew]
  }

  /** All blocks with their answers, and what was told of one of them. */
  blocks() {
    const told = this.#questionsOnce().filter(({ fields: [field] }) => this.form.onceAt(field)).map((question) => {
      const [name] = question.fields, entry = this.form.onceAt(name), what = `${this.words.say(this.#fieldOf(question), entry.answers[name])}, ${this.#part(entry).toLowerCase()}`
      return make("section", { class: "part" }, make("h3", {}, initial(this.#fieldOf(question).label)), this.keys.button(what, () => this.acts.show({ page: "once", entry: this.form, question }), { class: "button", "aria-label": filled(this.words.texts.reopen, { what: `${this.#fieldOf(question).label}: ${what}` }) }))
    })
    return [this.form.blocks.map((entry) => make("section", { class: "part" }, this.#answers(entry, true))), told]
  }

  /** The answers of a block: of each seat or side, and what else was told. `isOne`: of several, under its name. */
  #answers(entry, isOne = false) {
    const values = entry.values(), block = this.form.blocks.indexOf(entry), steps = entry.openSteps(values), listedIn = (step) => !step.rare && entry.listedField(step)
    const [first] = steps, isNamed = isOne && first && listedIn(first)
    return [isOne && !isNamed && make("h3", {}, this.#part(entry)), steps.map((step) => {
      const listed = listedIn(step)
      if (listed) return [isNamed && step === first ? make("h3", {}, this.#titleOf(entry, step)) : make("p", { class: "sum" }, initial(this.words.title(entry, step))), make("div", { class: "seat-tabs", role: "group" }, entry.places(listed).map((place) =>
        this.#tab(entry, step, listed, place, values, () => { this.acts.show({ entry, step, block, place, isChange: true }); this.#enterInstead(entry, step, place) })))]
      return step.fields.filter((name) => name in entry.answers && values[name] !== null && !same(values[name], entry.fields.get(name).usual ?? null)).map((name) => make("p", {}, this.words.pair(initial(entry.fields.get(name).label), this.words.sayOf(entry.fields.get(name), values[name]))))
    })]
  }

  #questionsOnce() { return this.form.blockStep()?.once ?? [] }
  #fieldOf({ fields: [name] }) { return this.form.blocks[0].fields.get(name) }

  /** What is asked once of all blocks: in which of them, and of whom. */
  once(question) {
    const { seats } = this.form.around
    return [this.keys.heading(question.ask), make("div", { class: "keys table", role: "group" }, this.keys.columns(seats.length, [make("span", { class: "head" }), ...seats.map((seat) => make("span", { class: "head" }, this.words.name(seat, true))),
      ...this.form.blocks.flatMap((entry, at) => [make("span", { class: "row" }, this.#part(entry)), ...seats.map((seat) => this.#onceKey(question, at, seat, this.words.letter(seat)))])], true))]
  }

  #onceKey(question, at, seat, text, stays = false) {
    const [name] = question.fields, entry = this.form.blocks[at], chosen = entry.answers[name] === seat, answer = { [name]: chosen && stays ? undefined : seat }
    const why = chosen ? "" : this.form.whyOnce(question, at, answer)
    const key = this.keys.button(text, why ? () => this.acts.refuse(why) : () => this.acts.once(question, at, answer, { stays }), { "aria-disabled": why ? "true" : null, "aria-pressed": String(chosen), "aria-label": `${this.#part(entry)}, ${this.words.name(seat)}` })
    return Object.assign(key, { answers: { answer: { [name]: seat }, block: at } })
  }

  rare(entry) {
    return entry.openSteps().filter((step) => step.rare).map((step) => make("section", { class: "rare" }, make("h3", {}, initial(this.words.title(entry, step))), this.#widget(entry, step)))
  }

  #widget(entry, step) {
    const values = entry.values(), listed = entry.listedField(step)
    let fields = step.fields.map((name) => entry.fields.get(name)).filter((field) => valueOf(field.when, values, true) !== false)
    if (step.shapes) return this.#shapes(entry, step)
    if (step.rare && ["facts", "list", "seats"].includes(step.widget)) return fields.map((field) => this.facts.fact(entry, step, field))
    const place = listed ? this.place ?? entry.nextPlace(step, values) : undefined
    const tabs = listed ? this.#seats(entry, step, listed, place, values) : null
    // what has entered itself is not asked
    if (fields.length > 1 && place) fields = fields.filter(({ name }) => place in (entry.answers[name] ?? {}) || values[name]?.[place - 1] === undefined)
    const only = fields.length < 2 && step.fields.length > 1 && listed ? make("p", { class: "sum" }, initial(fields[0].label)) : null
    const keys = fields.length < 2 ? this.#keys(entry, step, fields[0], place, values) : step.near ? this.#near(entry, step, fields, place) : this.#grid(entry, step, fields, place)
    return [tabs, only, keys]
  }

  /** Whose value is entered now, and those that are known; one that has entered itself can be entered instead. */
  #seats(entry, step, field, place, values) {
    const listed = values[field.name] ?? []
    const total = "total" in field ? valueOf(field.total, values) : undefined
    const tabs = entry.places(field).map((one) => this.#tab(entry, step, field, one, values, () => this.#enterInstead(entry, step, one), one === place))
    const sum = listed.reduce((all, one) => all + (typeof one === "number" ? one : 0), 0)
    // another answer may still change it, where a value may be more
    return [typeof total === "number" && !((step.most ?? field.most) > total) ? make("p", { class: "sum" }, filled(this.words.texts.sum, { n: sum, total })) : null,
      make("div", { class: "seat-tabs", role: "group" }, tabs)]
  }

  /** A seat or side with what it has. */
  #tab(entry, step, field, place, values, act, isNow) {
    const told = step.fields.map((name) => values[name]?.[place - 1]), isTold = told.some((value) => value !== undefined && value !== null)
    const isGiven = place in (entry.answers[field.name] ?? {}), name = this.words.sideName(entry, field, place)
    return this.keys.button(name, act, { class: "seat-tab", "aria-pressed": isNow === undefined ? null : String(isNow), "data-implied": isGiven ? null : values[field.name]?.[place - 1] !== undefined },
      [make("span", {}, name), make("b", {}, isTold ? told.map((value) => value ?? "–").join(" · ") : " ")])
  }

  /** A seat's values are asked again; where they follow from the others', one of those follows from then on. */
  #enterInstead(entry, step, place) {
    this.acts.remember()
    for (const name of step.fields.filter((name) => entry.isListed(entry.fields.get(name)))) {
      const given = Object.keys(entry.answers[name] ?? {}).map(Number), others = given.filter((one) => one !== place)
      if (given.includes(place)) entry.forget(name, place)
      if (entry.values()[name]?.[place - 1] !== undefined && others.length) entry.forget(name, others.at(-1))
    }
    if (entry !== this.form) this.form.takeBlocks()
    this.place = place
    this.keys.part = null
    this.acts.refuse("")
  }

  #keys(entry, step, field, place, values) {
    const few = this.keys.few(entry, step, field, place, values)
    if (few) return few
    return field.kind === "whole" ? this.#square(entry, step, field, place, this.keys.valueKey(entry, step, field, place, values)) : this.facts.fact(entry, step, field)
  }

  /** Eight in a row; where there are more than fit, windows above, which stand where the last one did. */
  #square(entry, step, field, place, key) {
    const size = field.step, span = WINDOW * size, top = step.most ?? field.most ?? span - 1
    const windows = Math.floor((top - field.least) / size) < WINDOW ? 1 : Math.floor(top / span) + 1
    const first = (at) => Math.max(at * span, field.least), title = (at) => filled(this.words.texts.from, { n: first(at) })
    const range = (at) => `${first(at)}–${Math.min((at + 1) * span - size, top)}`
    if (place === null && windows > 1) {
      const seats = entry.places(field)
      return make("div", { class: "keys table", role: "group", style: null }, this.keys.columns(seats.length, [
        ...seats.map((seat) => make("span", { class: "head" }, this.words.sideName(entry, field, seat))),
        ...Array.from({ length: windows }, (_one, at) => seats.map((seat) =>
          this.#windowKey(at, () => { this.place = seat; this.window = at; this.acts.draw() }, { "aria-label": `${this.words.sideName(entry, field, seat)}, ${title(at)}` }, field, seat, range(at)))).flat()]))
    }
    const seat = place === null ? 1 : place
    const window = Math.min(this.window, windows - 1), from = window ? window * span : Math.floor(field.least / (10 * size)) * 10 * size
    const to = windows > 1 ? Math.min((window + 1) * span - size, top) : top, cells = []
    const there = new Set(numbers(field, step))
    for (let value = from; value <= to; value += size) cells.push(there.has(value) ? place === null ? this.keys.key(String(value), entry, step, seat, { [field.name]: value }) : key(value) : make("span"))
    const bar = windows > 1 ? make("div", { class: "windows", role: "group" }, Array.from({ length: windows }, (_one, at) =>
      this.#windowKey(at, () => { this.window = at; this.keys.part = null; this.acts.draw() }, { "aria-pressed": String(at === window), "aria-label": title(at) }, field, undefined, windows > FEW_WINDOWS ? `${first(at)}+` : range(at)))) : null
    if (this.keys.areLarge) return [bar, this.keys.byParts(field.name, chunks(cells, TEN), ([first, ...rest]) => [first, rest.at(-1)].filter(Boolean).map((key) => key.textContent).join("–"), "three")].flat()
    return [bar, make("div", { class: `keys square dense${to > 999 ? " long" : ""}${to > 9999 ? "est" : ""}`, role: "group", "data-rows": Math.ceil(cells.length / EIGHT) }, cells)]
  }

  #windowKey(at, act, attributes, { name, step }, place, text) { return Object.assign(this.keys.button(text, act, attributes), { window: { at, place, field: name, step } }) }

  /** Two numbers of which the second is mostly near the first: a row for each first one; the rest of a row is a key away. */
  #near(entry, step, [first, second], place) {
    const title = (row) => `${this.words.sideName(entry, first, place)}: ${first.label} ${row}`
    const key = (row, value) => this.keys.key(String(value), entry, step, place, { [first.name]: row, [second.name]: value }, { label: `${title(row)}, ${second.label} ${value}`, says: `${first.label} ${row} · ${second.label} ${value}` })
    const rows = numbers(first, step), all = numbers(second, step), whole = rows.map((row) => all.map((value) => key(row, value)))
    const { part } = this.keys, row = part && make("p", { class: "sum" }, `${first.label} ${rows[part.at]} · ${second.label}`)
    if (part || this.keys.areLarge) return [row, this.keys.byParts(first.name, whole, (_part, at) => String(rows[at]), "four")].flat()
    const more = ({ opens }, row, at) => Object.assign(this.keys.button("…", () => { this.keys.part = { of: first.name, at }; this.acts.draw() }, { "aria-label": `${title(row)}, ${this.words.texts.others}` }), { opens })
    return make("div", { class: "keys table near", role: "group" }, make("div", { class: `cells headed of-${2 * step.near + 2}`, "data-rows": rows.length + 1 }, make("span", { class: "head" }, `${first.label} · ${second.label}`), rows.flatMap((row, at) => [
      make("span", { class: "row" }, row), ...Array.from({ length: 2 * step.near + 1 }, (_one, by) => whole[at][all.indexOf(row - step.near + by)] ?? make("span")),
      more({ opens: whole[at].map((one) => one.answers) }, row, at)])))
  }

  /** Two or three fields at once: seats side by side where one is a seat, else the last field. */
  #grid(entry, step, fields, place) {
    const across = fields.find(isSeat) ?? fields.at(-1), down = fields.filter((field) => field !== across)
    const columns = this.keys.valuesOf(across, step), rows = this.keys.product(down, step)
    const pages = Math.ceil(rows.length / ROWS), page = Math.min(this.page, pages - 1)
    const shown = pages > 1 && rows.length > ROWS + 1 ? rows.slice(page * ROWS, (page + 1) * ROWS) : rows
    if (this.keys.areLarge && columns.length > WIDE) return this.keys.byParts(step.fields[0], rows.map((row) => columns.map((value) => this.keys.key(this.words.say(across, value), entry, step, place, { ...row, [across.name]: value }))),
      (_part, at) => down.map((field) => this.words.say(field, rows[at][field.name])).join(" "), "two")
    const cells = [make("span", { class: "head" }, down.map((field) => field.label).join(", ")), ...columns.map((value) => make("span", { class: "head" }, this.words.say(across, value, true)))]
    for (const row of shown) {
      const words = down.map((field) => this.words.say(field, row[field.name])).join(" ")
      cells.push(make("span", { class: "row" }, words), ...columns.map((value) => {
        const text = isSeat(across) ? String(value ?? "–") : this.words.say(across, value)
        return this.keys.key(text, entry, step, place, { ...row, [across.name]: value }, { label: `${words}, ${this.words.say(across, value)}`, says: `${words} · ${this.words.say(across, value, true)}` })
      }))
    }
    const turn = shown === rows ? null : make("div", { class: "windows", role: "group" }, Array.from({ length: pages }, (_one, at) =>
      Object.assign(this.keys.button(String(at), () => { this.page = at; this.acts.draw() }, { "aria-pressed": String(at === page) }, down.map((field) => this.words.say(field, rows[at * ROWS][field.name])).join(" ")), { turns: at })))
    return [turn, make("div", { class: `keys table${columns.length > WIDE ? " dense" : ""}`, role: "group" }, this.keys.columns(columns.length, cells, true))]
  }

  /** The answers that there are: by the seat in them, if they have one. */
  #shapes(entry, step) {
    const fields = step.fields.map((name) => entry.fields.get(name))
    const seatIn = (shape) => {
      for (const field of fields) {
        if (isSeat(field)) return shape[field.name] ?? null
        const part = field.kind === "object" && field.of.find(isSeat)
        if (part) return shape[field.name]?.[part.name] ?? null
      }
      return undefined
    }
    const rest = (shape) => fields.filter((field) => !isSeat(field) && field.name in shape).map((field) => {
      if (field.kind !== "object") return field.kind === "flag" ? shape[field.name] ? field.label : "" : this.words.sayOf(field, shape[field.name])
      return field.of.filter((part) => !isSeat(part)).map((part) => {
        const value = shape[field.name][part.name]
        if (!Array.isArray(value)) return String(value)
        return value.map((one, at) => one ? `${this.words.letter(at + 1)} −${one}` : "").filter(Boolean).join(" ")
      }).filter(Boolean).join(" · ")
    }).filter(Boolean).join(", ")
    const key = (shape, text, label = text) => this.keys.key(text, entry, step, undefined, shape, { label, says: label })
    if (step.shapes.every((shape) => seatIn(shape) !== undefined)) {
      const seats = [...this.form.around.seats], of = (seat) => step.shapes.filter((shape) => seatIn(shape) === seat)
      const alone = of(null), heads = alone.length > 2 ? [...seats, null] : seats
      const most = Math.max(...heads.map((seat) => of(seat).length))
      const alike = heads.every((seat) => of(seat).every((shape, at) => rest(shape) === rest(of(heads[0])[at] ?? {}))) && alone.length <= 2
      const cells = [...(alike ? [make("span", { class: "head" })] : []), ...heads.map((seat) => make("span", { class: "head" }, seat === null ? this.words.texts.nobody : this.words.name(seat, true)))]
      for (let at = 0; at < most; at++) {
        if (alike) cells.push(make("span", { class: "row" }, rest(of(seats[0])[at])))
        for (const seat of heads) {
          const shape = of(seat)[at], words = shape && rest(shape), who = seat === null ? this.words.texts.nobody : this.words.name(seat)
          cells.push(shape ? key(shape, alike ? String(seat) : words, `${words}, ${who}`) : make("span"))
        }
      }
      const wide = alone.length && alone.length <= 2 ? make("div", { class: "keys wide" }, alone.map((shape) => key(shape, rest(shape)))) : null
      return [make("div", { class: `keys table${alike ? "" : " plain"}`, role: "group" }, this.keys.columns(heads.length, cells, alike)), wide]
    }
    const listed = fields.length > 1 && fields.every((field) => !entry.isListed(field)) && fields.at(-1)
    // such as a level and a denomination
    if (listed) {
      const columns = this.keys.valuesOf(listed, step), first = fields[0], rows = [...new Set(step.shapes.map((shape) => shape[first.name]))]
      return make("div", { class: "keys table", role: "group" }, this.keys.columns(columns.length, [make("span", { class: "head" }), ...columns.map((value) => make("span", { class: "head" }, this.words.say(listed, value))),
        ...rows.flatMap((row) => [make("span", { class: "row" }, this.words.say(first, row)), ...columns.map((column) => {
          const shape = step.shapes.find((one) => one[first.name] === row && one[listed.name] === column)
          return shape ? key(shape, this.words.say(first, row), `${this.words.say(first, row)} ${this.words.say(listed, column)}`) : make("span")
        })])], true))
    }
    const sides = entry.isListed(fields[0]) ? make("p", { class: "sum" }, this.form.around.seats.map((seat) => this.words.name(seat, true)).join(" – ")) : null
    return [sides, make("div", { class: "keys two", role: "group" }, step.shapes.map((shape) => key(shape, rest(shape))))]
  }
}
