import { filled, make } from "lib/elements.js"
import { EntryFacts } from "lib/entry-facts.js"
import { EntryKeys, pressed, turnKeys } from "lib/entry-keys.js"
import { EntryQuestions } from "lib/entry-questions.js"
import { EntryWords, inUnits } from "lib/entry-words.js"
import { MarksPreview } from "lib/marks-preview.js"
import { isBare, SheetForm } from "lib/sheet-form.js"
import { same } from "lib/expressions.js"

// two taps so near are one that has trembled
const TWICE_MILLISECONDS = 250, TWICE_PIXELS = 24
// what a refusal may be about beside the sheet, by its code
const BESIDE = { "wrong-board": ".letter [aria-pressed=true]", "no-reason": "[name=reason]" }

/**
 * <result-entry> asks for the result of a board: it draws the form of any game. `begin` starts it; it says
 * "result:ready" with the sheet once somebody sends it, "result:changed" with what has been tapped so far, and
 * "director:called" where a rare end needs the director.
 */
export class ResultEntry extends HTMLElement {
  static define(tag = "result-entry") { customElements.define(tag, this) }

  #form; #board; #texts; #words; #keys; #facts; #questions; #preview
  #undo = []
  // a question that was reopened, or another page than the next question
  #focus = null
  #note = ""
  #question = ""
  #isSent = false
  // on the board's wallet
  #letter = ""
  // what counts now: to send the same says nothing
  #entered = ""
  #last = { at: -TWICE_MILLISECONDS, x: 0, y: 0 }

  connectedCallback() {
    this.role = "main"
    this.addEventListener("click", this.#clicked)
    this.addEventListener("pointerdown", (event) => pressed(this, event))
  }

  /** `game`, what it is `called`, `options`, `divisor`: of the session; `form`; `board`: what is known of it, with the names by seat; `number`;
   *  `words`; `sheet`: what has been entered before; `entered`: what counts; `kept`: what was tapped so far; `asks`: a reason is wanted; `letters`: that wallets may have;
   *  `note`: what is to be known before the first tap; `check`: the letter that was given before; `refused`: the field of the sheet, or what else, that `note` is about. */
  begin({ game, called = "", options, divisor, form, board, number, words, sheet, entered, kept, asks, address, letters = "", note = "", check = "", refused }) {
    Object.assign(this, { game, called, options, divisor, number, asks, address, letters })
    this.#texts = words
    this.#board = board
    this.#words = new EntryWords(words, board.names, form.steps.find((step) => step.called)?.called)
    this.#form = new SheetForm(form, board.known, words.rest)
    this.#keys = new EntryKeys(this.#form, this.#words, this.#acts)
    this.#facts = new EntryFacts(this.#keys)
    this.#questions = new EntryQuestions(this.#keys, this.#facts)
    this.#preview = new MarksPreview({ game, options, conditions: board.conditions, names: board.names }, () => { if (this.isConnected && !this.#focus) this.#drawOnlyLine() })
    this.#undo = []
    this.#focus = null
    this.#isSent = false
    this.#note = note
    this.#letter = check
    this.#entered = ""
    if (entered) {
      this.#fill(entered)
      this.#entered = JSON.stringify(this.sheet)
      Object.assign(this.#form, { answers: {}, blocks: [] })
    }
    if (kept) this.#restore(kept)
    else if (sheet) this.#fill(sheet)
    if (refused) this.#openAt(refused, note)
    else this.#draw()
  }

  /** The round's clock, as the page has it now; none where there is none. */
  showClock(clock) { this.querySelector(".entry-head .clock").replaceChildren(...clock ? [clock.cloneNode(true)] : []) }

  /** The sheet as far as it has been entered. */
  get sheet() { return this.#form.sheet() }

  /** The form, with what is known of this board. */
  get told() { return { ...this.#form.form, known: this.#form.around.known } }

  /** As it was answered: of the fields, and of the blocks. */
  #restore({ answers, blocks }) {
    this.#form.answers = answers
    this.#form.setBlocks(blocks)
  }

  #fill(sheet) {
    const form = this.#form, answers = {}, blocks = []
    const listed = (field, value) => form.isListed(field) && Array.isArray(value)
      ? Object.fromEntries(value.map((one, at) => [at + 1, one])) : value
    const step = form.steps.find((one) => one.steps)
    for (const [name, value] of Object.entries(sheet)) {
      const field = form.fields.get(name)
      if (!field || value === null && !field.nobody) continue
      if (step?.fields[0] === name) {
        for (const part of value) {
          const told = isBare(field) ? { it: part } : part
          blocks.push(Object.fromEntries(field.of.filter((one) => told[one.name] !== null && told[one.name] !== undefined)
            .map((one) => [one.name, listed(one, told[one.name])])))
        }
      } else answers[name] = listed(field, value)
    }
    this.#restore({ answers, blocks })
  }

  get #kept() { return { answers: this.#form.answers, blocks: this.#form.blocks.map((one) => one.answers) } }

  /** What keys may do. */
  get #acts() {
    const { number, address } = this
    return {
      number, address,
      remember: () => this.#remember(), draw: () => this.#draw(), show: (page) => this.#show(page), once: (...answer) => this.#tellOnce(...answer), anew: (entry) => this.#anew(entry),
      call: (...what) => this.#call(...what), close: () => { this.#focus = null }, tap: (...answer) => this.#tap(...answer), door: (...answer) => this.#door(...answer),
      refuse: (why) => { this.#note = why; this.#draw() },
    }
  }

  // ── What happens ──

  #remember() {
    this.#undo.push({ answers: this.#form.answers, blocks: this.#form.blocks.map((entry) => ({ entry, answers: entry.answers })), window: this.#questions.window })
  }

  #takeBack = () => {
    const before = this.#undo.pop()
    if (!before) return this.dispatchEvent(new CustomEvent("entry:left", { bubbles: true }))
    this.#form.answers = before.answers
    this.#form.blocks = before.blocks.map(({ entry, answers }) => { entry.answers = answers; return entry })
    if (this.#form.blocks.length) this.#form.takeBlocks()
    this.#questions.window = before.window
    this.#focus = null
    this.#questions.begin()
    this.#note = ""
    this.#changed()
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("result:changed", { bubbles: true, detail: { number: this.number, kept: this.#kept } }))
    this.#draw()
  }

  /** A key of a question: what it answers, of which seat. */
  #tap(entry, step, place, answer, { stays = false } = {}) {
    this.#remember()
    const before = entry.answers, why = entry.tap(step, place, answer) || this.#takeBlock(entry)
    if (why) {
      entry.answers = before
      this.#takeBlock(entry)
      this.#undo.pop()
      this.#note = why
      return this.#draw()
    }
    this.#note = ""
    this.#questions.begin()
    if (!stays && this.#focus?.step === step && this.#isAnswered(entry, step)) {
      this.#focus = null
      const lost = entry.takeBack()
      if (lost.length) this.#note = filled(this.#texts.emptied, { what: lost.join(", ") })
      this.#takeBlock(entry)
    }
    this.#changed()
  }

  #isAnswered(entry, step) { return step.rare ? false : entry.isComplete(step) }

  /** Why what a block says cannot be, beside the others; "" if it can. */
  #takeBlock(entry) { return entry === this.#form ? "" : this.#form.takeBlocks() }

  /** What is asked once of all blocks: in which of them, and what. */
  #tellOnce(question, at, answer, { stays = false } = {}) {
    this.#remember()
    this.#note = this.#form.tapOnce(question, at, answer)
    if (this.#note) {
      this.#undo.pop()
      return this.#draw()
    }
    if (!stays) this.#focus = null
    this.#changed()
  }

  /** A block is asked again from its beginning. */
  #anew(entry) {
    this.#remember()
    entry.answers = {}
    this.#form.takeBlocks()
    this.#show(null)
    this.#changed()
  }

  #door(door, answer) {
    this.#remember()
    const why = this.#form.open(door, answer)
    if (why) { this.#undo.pop(); this.#note = why; return this.#draw() }
    this.#focus = null
    this.#note = ""
    this.#changed()
  }

  #show(page, note = "") {
    this.#focus = page
    this.#questions.begin(page?.place)
    this.#note = note
    this.#draw()
  }

  #reopen(entry, step, why = "") {
    this.#remember()
    const values = entry.values(), was = step.fields.filter((name) => values[name] !== null && values[name] !== undefined).map((name) => this.#words.sayOf(entry.fields.get(name), values[name]))
    entry.reopen(step)
    if (entry !== this.#form) this.#form.takeBlocks()
    this.#show({ entry, step, block: entry === this.#form ? undefined : this.#form.blocks.indexOf(entry), isChange: true }, [why, filled(this.#texts.was, { what: was.join(" · ") })].filter(Boolean).join(" "))
  }

  /** What a refusal is about is asked again, or opened where it stands beside the questions: `path` is a field of the sheet,
   *  such as "tricks" or "parts[1].tricks"; `why` stands there. */
  #openAt(path, why) {
    const form = this.#form, [name, inner] = path.split(/[[.\]]+\d*[\].]*/), at = Number(/\[(\d+)/.exec(path)?.[1] ?? 0)
    const stepOf = (entry, name) => entry.openSteps().find((one) => one.fields.includes(name)), step = stepOf(form, name)
    if (step?.steps) {
      const entry = form.blocks[at], within = entry && inner && stepOf(entry, inner)
      if (within && !within.rare) this.#reopen(entry, within, why)
      else this.#show(entry ? { page: "block", entry, step: entry.steps[0], block: at } : null, why)
    } else if (step?.rare) this.#show({ entry: form, step }, why)
    else if (step) this.#reopen(form, step, why)
    else if (form.doors.some((door) => [...door.fields ?? [], ...Object.keys(door.sets)].includes(name))) this.#show({ page: "door" }, why)
    else if (this.#facts.detailed().some((field) => field.name === name)) this.#show(this.#facts.detail(form.fields.get(name)), why)
    else {
      this.#show(null, why)
      if (BESIDE[path]) this.querySelector(BESIDE[path])?.focus()
    }
  }

  #send = () => {
    if (this.#isSent) return
    if (!this.#isLive) {
      const { field, why } = !this.#turn() && this.#form.brokenAt() || {}
      if (field) this.#openAt(field, why)
      else this.#show(null, this.#missing())
      return this.querySelector(".asked h2")?.focus({ preventScroll: true })
    }
    const reason = this.querySelector("[name=reason]")
    if (reason && !reason.value.trim()) {
      this.#note = this.#texts.whyHelp
      this.#drawOnlyLine()
      return reason.focus()
    }
    this.#isSent = true
    const detail = { number: this.number, check: this.#letter, sheet: this.#form.sheet(), reason: reason?.value.trim() ?? "", line: this.#form.sentence(this.#words.names) }
    this.dispatchEvent(new CustomEvent("result:ready", { bubbles: true, detail }))
    this.#draw()
  }

  /** All is told, nothing contradicts it, and it can be read above. */
  get #isLive() { return this.#isWhole && !this.#isSame && !["door", "parts"].includes(this.#focus?.page) }
  get #isWhole() { return this.#form.isWhole() && !this.#form.broken() && !this.#turn() }

  /** Why it cannot be sent yet. */
  #missing() {
    const turn = this.#turn()
    if (turn) return filled(this.#texts.missing, { what: this.#titleOf(turn) })
    return this.#form.refusal || this.#form.broken() || (this.#isWhole && this.#isSame ? this.#texts.same : "")
  }

  /** The question that is open, with the part that it is asked of. */
  #titleOf({ entry, step, question, block }) {
    const title = question ? question.ask : this.#words.title(entry, step)
    return block === undefined ? title : this.#words.ofPart(block, title)
  }

  get #isSame() { return this.#entered === JSON.stringify(this.sheet) }

  #call(reason, text) { this.dispatchEvent(new CustomEvent("director:called", { bubbles: true, detail: { reason, text, board: this.number } })) }

  #clicked = (event) => {
    const key = event.target.closest("button")
    if (!key?.act) return
    event.preventDefault()
    if (!this.#isTwice(event)) key.act(event)
  }

  /** Whether a finger has tapped here a moment ago: what lies here now is the next question's. */
  #isTwice({ detail, timeStamp: at, clientX: x, clientY: y }) {
    const before = this.#last
    // a keyboard, or a script, has no place
    if (detail) this.#last = { at, x, y }
    return detail > 0 && at - before.at < TWICE_MILLISECONDS && Math.hypot(x - before.x, y - before.y) < TWICE_PIXELS
  }

  // ── What is drawn ──

  /** The question that is open: of the blocks first, then of the form. Nothing where all is answered. */
  #turn(form = this.#form) {
    const at = form.nextBlock()
    if (at !== undefined) {
      const entry = form.blocks[at], step = entry.nextStep()
      if (step) return { entry, step, block: at }
    }
    const question = form.nextOnce()
    if (question) return { page: "once", entry: form, question }
    const step = form.nextStep()
    return step && !step.steps ? { entry: form, step } : undefined
  }

  #draw() {
    const form = this.#form, words = this.#texts
    const turn = this.#focus ?? this.#turn()
    const isWhole = this.#isWhole
    const question = turn ? `${turn.page ?? turn.entry.steps.indexOf(turn.step)}/${turn.block ?? ""}` : "last"
    const asked = turn?.page === "door" ? this.#facts.door() : turn?.page === "parts" ? this.#facts.parts(turn)
      : turn?.page === "once" ? this.#questions.once(turn.question) : turn ? this.#questions.step(turn) : this.#drawLast()
    // it ticks on
    const clock = this.querySelector(".entry-head > .clock") ?? make("div", { class: "clock" })
    this.replaceChildren(
      make("div", { class: "felt entry-head" },
        this.#keys.button(words.undo, () => this.#focus && !this.#focus.isChange ? this.#show(null) : this.#takeBack(), { class: "undo", "aria-label": this.#focus || !this.#undo.length ? words.back : words.undo }, "‹"),
        make("div", {}, make("h1", { tabindex: "-1" }, filled(words.board, { n: this.number })), make("p", {}, [this.called, filled(words.dealer, { name: this.#words.nameAt(this.#board.dealer) })].filter(Boolean).join(", "))), clock,
        this.#keys.button(words.close, () => this.dispatchEvent(new CustomEvent("entry:left", { bubbles: true })), { class: "leave", "aria-label": words.close }, "×")),
      make("div", { class: "answers" }, make("div", { class: "told", role: "group", "aria-label": words.answers }, this.#drawBlocks(turn), this.#drawAnswers(turn)), this.#drawSize()),
      make("section", { class: "asked", scroll: this.#fade }, asked),
      make("div", { class: "line", role: "status" }, this.#drawLine(turn, isWhole)),
      make("div", { class: "entry-foot" },
        this.#keys.button(this.#focus?.page === "door" ? words.back : words.else, () => this.#show(this.#focus?.page === "door" ? null : { page: "door" }), { class: "button" }),
        this.#keys.button(this.#isSent ? words.sending : words.send, this.#send, { class: "button filled send", "aria-disabled": String(!this.#isLive || this.#isSent) })))
    for (const cells of this.querySelectorAll("[data-rows]")) cells.parentElement.style.setProperty("--rows", cells.dataset.rows)
    if (this.#note) this.querySelector(".asked h2")?.setAttribute("aria-describedby", "note")
    if (question !== this.#question) {
      this.#question = question
      this.querySelector(".asked h2")?.focus({ preventScroll: true })
      this.querySelector(".asked").scrollTop = 0
    }
    this.querySelector(".tab[aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" })
    this.#fade()
    if (isWhole) this.#preview.ask(this.#form.sheet())
  }

  /** Keys that go on below fade away there. */
  #fade = () => {
    const asked = this.querySelector(".asked")
    asked.classList.toggle("more", asked.scrollTop + asked.clientHeight < asked.scrollHeight - 8)
  }

  #drawBlocks(turn) {
    const step = this.#form.blockStep()
    if (!step) return []
    return this.#form.blocks.map((entry, at) => {
      const isNow = turn?.entry === entry, isDone = entry.isWhole()
      return this.#keys.button(this.#words.part(at), () => this.#show({ page: "block", entry, step: entry.steps[0], block: at }),
        { class: "tab", "aria-pressed": String(isNow) }, [this.#words.part(at), isDone ? " ✓" : ""])
    })
  }

  /** Where keys are many and small; shown by the styles. */
  #drawSize() {
    const { texts } = this.#words
    return this.#keys.button(this.#keys.areLarge ? texts.usualKeys : texts.largeKeys, () => { turnKeys(); this.#show(this.#focus) }, { class: "size" })
  }

  #drawAnswers(turn) {
    const entry = turn?.entry ?? this.#form, values = entry.values()
    // those of a part stand by the names, and on its own page
    if (entry !== this.#form) return []
    return entry.openSteps(values).filter((step) => !step.steps && step !== turn?.step && step.fields.some((name) => this.#isTold(entry, name)))
      .map((step) => {
        const texts = step.fields.filter((name) => values[name] !== null && values[name] !== undefined && this.#isTold(entry, name))
          .map((name) => this.#words.sayOf(entry.fields.get(name), values[name]))
        const what = texts.join(" · ")
        return this.#keys.button(what, () => step.rare ? this.#show({ entry, step }) : this.#reopen(entry, step), { class: "answer", "aria-label": filled(this.#texts.reopen, { what: `${this.#words.title(entry, step)}: ${what}` }) })
      })
  }

  #isTold(entry, name) {
    const answer = entry.answers[name]
    return answer !== undefined && !(typeof answer === "object" && answer !== null && !Object.keys(answer).length)
      && !("usual" in entry.fields.get(name) && same(entry.values()[name], entry.fields.get(name).usual))
  }

  #drawLast() {
    return [this.#keys.heading(this.#texts.mend), this.#drawReason(), this.#questions.blocks(), this.#questions.rare(this.#form), this.#facts.details(), this.#drawLetters()]
  }

  /** Whoever compares the letter with the wallet learns whether it is another board. */
  #drawLetters() {
    return this.letters && make("details", { class: "more letter", open: this.#letter !== "" }, make("summary", {}, this.#texts.letter), make("div", { class: "keys chips", role: "group" }, [...this.letters].map((one) =>
      this.#keys.button(one, () => { this.#letter = this.#letter === one ? "" : one; this.#draw() }, { "aria-pressed": String(one === this.#letter) }))))
  }

  #drawReason() {
    if (!this.asks) return null
    return make("div", { class: "field" }, make("label", { for: "reason" }, this.#texts.why), make("input", { id: "reason", name: "reason", maxlength: "500" }), make("p", { class: "help" }, this.#texts.whyHelp))
  }

  // ── The line ──

  #drawLine(turn, isWhole) {
    const note = this.#note || !turn && this.#missing(), noted = note ? make("p", { class: "note-line", id: "note" }, note) : null
    return [noted, isWhole && !["door", "parts"].includes(turn?.page) ? this.#drawSaid() : null]
  }

  /** What is sent, and what it gives. */
  #drawSaid() {
    const shown = this.#preview.of(this.#form.sheet())
    const said = make("p", { class: "says" }, this.#form.sentence(this.#words.names) || shown?.sentence)
    if (!shown) return [said, make("p", { class: "follow" }, this.#texts.follow)]
    if (shown.why) return [said, make("p", { class: "note-line" }, shown.why)]
    if (!shown.marks) return [said, make("p", { class: "follow" }, this.#texts.follow)]
    if (shown.marks.every((mark) => mark.score === 0 && !mark.averaged)) return [said, make("p", { class: "follow" }, this.#texts.nothing)]
    return [said, make("dl", { class: "marks" }, this.#eachOnce(shown.marks).map((mark) => make("div", {}, make("dt", {}, this.#words.name(mark.seat, true)),
      make("dd", { class: mark.score > 0 ? "gain" : null }, mark.averaged ? this.#texts.average : inUnits(mark.score, this.divisor)))))]
  }

  /** A pair that marks together has its mark once. */
  #eachOnce(marks) {
    const told = marks.map(({ seat, score }) => `${this.#words.name(seat, true)} ${score}`)
    return marks.filter((_mark, at) => told.indexOf(told[at]) === at)
  }

  /** The keys stay as they are: a finger may be on one of them. */
  #drawOnlyLine() {
    this.querySelector(".line").replaceChildren(...[this.#drawLine(this.#turn(), this.#isWhole)].flat(3).filter(Boolean))
  }
}
