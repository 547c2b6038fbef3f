/**
 * Games in which combinations are laid on the table, where their cards stay in the hand: what all see of them, from a
 * pad as plain data (docs/forms.md).
 */
import { cardOf, copiesOf, count, leftOf, PLAY, rankOf, suitOf, tokenOf } from "lib/pad-entries.js"

const MELD = "meld:", MARK = "mark:", FIGURES = "JQK", ENOUGH = 4, ATTEMPTS = 200
const FLAGS = { mariage: "M", besigue: "B", carre: "C", suite: "S" } // in which combinations a card has served

// ── Combinations ──

const cardsOf = (laid, { slots }) => slots.map((slot) => laid.find((one) => one.slot === slot)?.card ?? "")
const flagged = (laid, card, flag) => laid.filter((one) => one.card === card && one.flags.includes(flag)).length
const couples = (laid, cards, flag) => Math.min(...cards.map((card) => flagged(laid, card, flag)))
const share = (one, other) => one.slots.some((slot) => other.slots.includes(slot))
const textOf = ({ kind, slots }) => `${kind}:${slots.join()}`
const inOrder = (slots) => [...slots].sort((one, other) => one - other)

function readMelds(text) {
  return text.split("+").map((part) => {
    const [kind, slots = ""] = part.split(":")
    return { kind, slots: inOrder(slots.split(",").map(Number)) }
  })
}

function isFormed(stage, { kind, slots }, cards, trumps) {
  const [first] = cards, isOne = (card) => card === first, ofSuit = cards.every((card) => suitOf(card) === suitOf(first ?? "-"))
  const even = (one, other) => count(cards, one) === count(cards, other) && count(cards, one) * 2 === cards.length
  if (!cards.length || cards.includes("") || new Set(slots).size < slots.length) return false
  if (kind === "mariage") return ofSuit && cards.length / 2 in stage.mariages && even(`K${suitOf(first)}`, `Q${suitOf(first)}`)
  if (kind === "besigue") return cards.length / 2 in stage.besigues && even(...stage.pair)
  if (kind === "suite") return ofSuit && cards.map(rankOf).sort().join("") === [...stage.suite].sort().join("")
  if (cards.length !== ENOUGH || cards.some((card) => rankOf(card) !== rankOf(first))) return false
  return rankOf(first) in stage.carres || (rankOf(first) in (stage.trump_carres ?? {}) && cards.every(isOne) && suitOf(first) === trumps)
}

/** The rule against announcing a combination again with cards that have served in it; nothing where it is new. */
function standsAlready(stage, laid, meld) {
  const used = laid.filter(({ slot }) => meld.slots.includes(slot)), flag = FLAGS[meld.kind], served = used.filter((one) => one.flags.includes(flag))
  const number = used.length / 2, suit = suitOf(used[0].card)
  if (meld.kind === "mariage") {
    const pair = [`K${suit}`, `Q${suit}`], standing = couples(laid, pair, flag)
    if (number <= standing || couples(used, pair, flag) < standing) return "stands"
    return pair.some((card) => {
      const inSuite = used.filter((one) => one.card === card && one.flags.includes("S"))
      return inSuite.length > standing || inSuite.some((one) => !one.flags.includes("M"))
    }) ? "stands" : ""
  }
  if (meld.kind === "besigue") {
    const standing = couples(laid, stage.pair, flag)
    return number > standing && couples(used, stage.pair, flag) >= standing ? "" : "stands"
  }
  if (meld.kind === "carre") {
    if (served.length === used.length) return "stands"
    const before = laid.filter((one) => rankOf(one.card) === rankOf(used[0].card) && one.flags.includes(flag))
    return !stage.trump_carres && before.some((one) => !meld.slots.includes(one.slot)) ? "fifth" : ""
  }
  const stands = [...stage.suite].every((rank) => flagged(laid, rank + suit, flag))
  return (stands ? served.length > 0 : served.length === used.length) ? "stands" : ""
}

/** Whether every card on a table lies in some combination, by its shape alone. */
function isCovered(stage, laid, trumps) {
  const held = (card) => laid.filter((one) => one.card === card).length, outside = {}
  for (const card of new Set(laid.map((one) => one.card))) {
    const rank = rankOf(card), suit = suitOf(card)
    let serving = Math.min(...[...stage.suite].map((one) => held(one + suit)))
    if ("QK".includes(rank)) serving += Math.min(held(`Q${suit}`), held(`K${suit}`))
    if (stage.pair.includes(card)) serving += Math.min(...stage.pair.map(held))
    if (held(card) <= serving) continue
    if (rank === "T" && !(stage.trump_carres && suit === trumps && held(card) >= ENOUGH)) return false
    outside[rank] = (outside[rank] ?? 0) + held(card) - serving
  }
  return Object.keys(outside).filter((rank) => rank in stage.carres).every((rank) => {
    const together = laid.filter((one) => rankOf(one.card) === rank).length
    return stage.trump_carres ? together >= ENOUGH : outside[rank] <= ENOUGH * Math.floor(together / ENOUGH)
  })
}

/** Whether combinations go together: of different types, but for a bésigue with all of a lower one, and crossed. */
function areCrossed(stage, melds) {
  const goes = melds.every((meld, at) => melds.slice(0, at).every((other) => {
    const isHigher = meld.kind === "besigue" && meld.slots.length > other.slots.length && other.slots.every((slot) => meld.slots.includes(slot))
    return (meld.kind !== other.kind || isHigher) && (stage.connected || share(meld, other))
  }))
  const together = [melds[0]], rest = melds.slice(1)
  for (let at; (at = rest.findIndex((meld) => together.some((one) => share(one, meld)))) >= 0;) together.push(...rest.splice(at, 1))
  return goes && !rest.length
}

const trumpsAfter = (table, laid, melds) =>
  table.trumps || melds.filter(({ kind }) => ["mariage", "suite"].includes(kind)).map((meld) => suitOf(cardsOf(laid, meld)[0] || "-"))[0] || ""

/** The table of a seat with the cards that are laid now. */
const laidWith = ({ before, slot, seat }, fresh) => [...before[seat - 1], ...fresh.map((card, at) => ({ slot: slot[seat - 1] + at, card, flags: "" }))]

/** The rule that an announcement breaks; nothing where it breaks none. */
function brokenRule(table, stage, fresh, melds) {
  const laid = laidWith(table, fresh), seat = table.seat - 1, first = table.slot[seat]
  if (stage.needs_new && !fresh.length) return "new"
  if (laid.some(({ slot }) => slot >= first && !melds.some(({ slots }) => slots.includes(slot)))) return "unused"
  const trumps = trumpsAfter(table, laid, melds), last = melds.findLast(({ kind }) => kind === "besigue")
  for (const meld of melds) {
    if (!isFormed(stage, meld, cardsOf(laid, meld), trumps)) return "formed"
    const again = meld.kind !== "besigue" || meld === last ? standsAlready(stage, laid, meld) : ""
    if (again) return again
    if (meld.kind === "besigue" && meld.slots.length / 2 <= table.level[seat]) return "stands"
  }
  if (melds.length > 1 && !areCrossed(stage, melds)) return "crossed"
  if (stage.apart && ["mariage", "suite"].every((kind) => melds.some((meld) => meld.kind === kind))) return "apart"
  return isCovered(stage, laid, trumps) ? "" : "outside"
}

function worth(table, stage, laid, meld) {
  const cards = cardsOf(laid, meld), inTrumps = cards.every((card) => suitOf(card) === table.trumps), number = cards.length / 2
  if (meld.kind === "mariage") return stage.mariages[number][Number(inTrumps)]
  if (meld.kind === "besigue") return stage.besigues[number]
  if (meld.kind === "suite") return stage.suites[Number(inTrumps)]
  return ((inTrumps && stage.trump_carres) || stage.carres)[rankOf(cards[0])]
}

// ── The tricks, and what is laid between them ──

export const melding = {
  begins(table, stage) {
    const each = (value) => Array.from({ length: table.seats }, () => value)
    Object.assign(table, { seat: table.next(table.dealer), trick: [], gone: [], played: 0, winner: 0, asks: "card", trumps: "", isUncounted: true })
    Object.assign(table, { before: each([]), pending: each([]), level: each(0), slot: each(1), points: each(0), chain: each(true) })
    Object.assign(table, { isDue: false, mayShow: [table.next(table.dealer), table.dealer], drawn: stage.cards - 2 * stage.hand })
    return true
  },
  takes(table, stage, entry) {
    if (table.asks === "said") return this.ask(table, stage, entry)
    if (entry.startsWith(MELD) || entry.startsWith(MARK)) return this.announce(table, stage, entry)
    if (table.isDue) table.actions.splice(-1, 0, stage.words[1].token) // the winner has laid nothing
    table.isDue = false
    if (cardOf(entry)) return this.play(table, stage, entry)
    const seat = Number(entry[0])
    table.points[seat - 1] += stage.shown
    table.mayShow = table.mayShow.slice(table.mayShow.indexOf(seat) + 1)
    table.shownBy = [...table.shownBy ?? [], seat]
  },
  play(table, stage, entry) {
    const { seat, seats } = table, card = cardOf(entry), slot = slotOf(entry)
    if (table.trick.length % seats === 0) this.lead(table, stage)
    if (slot) this.takeUp(table, stage, slot)
    table.trick.push({ seat, card })
    table.by[seat - 1].push(card)
    table.gone.push(card)
    table.isWithoutStock = ++table.played >= table.drawn
    table.seat = table.next(seat)
    if (table.trick.length < seats) return
    const [led, answer] = table.trick.map((one) => one.card), strength = (one) => stage.order.indexOf(rankOf(one))
    const takes = suitOf(answer) === suitOf(led) ? strength(answer) > strength(led) : suitOf(answer) === table.trumps
    table.winner = table.seat = table.trick[Number(takes)].seat
    table.win(1)
    if (table.played <= table.drawn) Object.assign(table, { isDue: true, mayShow: [table.winner, table.next(table.winner)] })
    else if (table.played === stage.cards) this.finish(table, stage)
  },
  /** What was not shown before the lead is not shown any more; without a stock the laid cards go back. */
  lead(table, stage) {
    table.trick = []
    if (!stage.any_time) table.chain = table.chain.map((runs, at) => runs && (table.shownBy ?? []).includes(at + 1))
    Object.assign(table, { mayShow: [], shownBy: [] })
    if (table.played === table.drawn) this.gather(table)
  },
  gather(table) { Object.assign(table, { before: [[], []], pending: [[], []], open: [] }) },
  takeUp(table, stage, slot) {
    const at = table.seat - 1
    table.before[at] = table.before[at].filter((one) => one.slot !== slot)
    table.pending[at] = table.pending[at].filter(({ slots }) => !slots.includes(slot))
    table.level[at] = Math.min(table.level[at], couples(table.before[at], stage.pair, FLAGS.besigue))
    table.open = table.before.flat().map((one) => one.card)
  },
  announce(table, stage, entry) {
    const at = table.seat - 1, { fresh, melds } = parts(entry), [scored, ...others] = melds, laid = laidWith(table, fresh)
    table.slot[at] += fresh.length
    table.trumps = trumpsAfter(table, laid, melds)
    const levels = others.filter(({ kind }) => kind === "besigue").map(({ slots }) => slots.length)
    if (entry.startsWith(MARK)) table.pending[at] = table.pending[at].filter((meld) => textOf(meld) !== textOf(scored))
    table.before[at] = laid.map((one) => {
      const flags = melds.filter(({ slots }) => slots.includes(one.slot)).map(({ kind }) => FLAGS[kind])
      return { ...one, flags: [...new Set([...one.flags, ...flags])].join("") }
    })
    table.points[at] += worth(table, stage, table.before[at], scored)
    if (scored.kind === "besigue") table.level[at] = scored.slots.length / 2
    const kept = table.pending[at].filter(({ kind, slots }) => kind !== "besigue" || (slots.length / 2 > table.level[at] && !levels.includes(slots.length)))
    table.pending[at] = [...kept, ...others]
    table.open = table.before.flat().map((one) => one.card)
    table.isDue = false
    if (table.played === table.drawn) this.gather(table)
  },
  finish(table, stage) {
    table.points[table.winner - 1] += stage.last
    table.asked = [table.next(table.dealer), table.dealer].filter((seat) => table.points[seat - 1] < stage.under)
    this.asksOn(table)
  },
  asksOn(table) {
    if (!table.asked.length) return table.goOn()
    Object.assign(table, { asks: "said", seat: table.asked.shift() })
  },
  ask(table, stage, entry) {
    if (entry === stage.words[0].token) table.asked = []
    this.asksOn(table)
  },

  wants: ({ asks }) => asks,
  fits(table, stage, entry) {
    if (table.asks === "said") return stage.words.some(({ token }) => token === entry)
    if (entry.startsWith(MELD) || entry.startsWith(MARK)) return !this.refusal(table, stage, entry)
    if (cardOf(entry)) return this.mayPlay(table, stage, cardOf(entry), slotOf(entry))
    return tokenOf(entry) === stage.shows.token && this.callsOf(table, stage, Number(entry[0])).length > 0
  },
  /** A card of the table, or one that nobody has played and that does not lie there. */
  mayPlay(table, _stage, card, slot) {
    if (slot) return !this.isLast(table) && table.before[table.seat - 1].some((one) => one.slot === slot && one.card === card)
    return this.isLast(table) ? count(table.gone, card) < copiesOf(table.pad, card) : leftOf(table, card) > 0
  },
  /** Whether the next card is played without a stock. */
  isLast: ({ played, drawn }) => played >= drawn,
  /** Why something cannot be announced, in words; nothing where it can. */
  refusal(table, stage, entry) {
    const { fresh, melds } = parts(entry), at = table.seat - 1
    if (!table.isDue || !melds.every(({ kind }) => kind in FLAGS)) return stage.refusals.formed
    if (entry.startsWith(MARK)) {
      const isThere = melds.length === 1 && this.marks(table, stage).includes(entry)
      return isThere ? "" : stage.refusals.stands
    }
    const isOut = fresh.every((card) => count(fresh, card) <= leftOf(table, card)) && fresh.length + table.before[at].length < stage.hand
    return isOut ? stage.refusals[brokenRule(table, stage, fresh, melds)] ?? "" : stage.refusals.formed
  },
  /** What is pending and may be marked now. */
  marks({ isDue, pending, before, level, seat }, stage) {
    const at = seat - 1, standing = couples(before[at], stage.pair, FLAGS.besigue)
    const may = ({ kind, slots }) => kind !== "besigue" || (slots.length / 2 > level[at] && slots.length / 2 <= standing)
    return isDue ? pending[at].filter(may).map((meld) => MARK + textOf(meld)) : []
  },
  /** What a combination would be worth that is marked now. */
  worthOf: (table, stage, mark) => worth(table, stage, table.before[table.seat - 1], parts(mark).melds[0]),
  /** Cartes blanches, which a figure on the table rules out. */
  callsOf({ mayShow, chain, before, trick, seats }, stage, seat) {
    const has = before[seat - 1].some(({ card }) => FIGURES.includes(rankOf(card)))
    return trick.length % seats === 0 && mayShow.includes(seat) && chain[seat - 1] && !has ? [stage.shows.token] : []
  },

  /** Whether a card, or a slot, may be the next of an announcement. */
  mayPick(table, stage, picked, one) {
    const { fresh, sure, melds } = draft(table, stage, picked), last = melds.at(-1), slot = slotOf(one), laid = laidWith(table, fresh)
    const card = slot ? cardsOf(laid, { slots: [slot] })[0] : one, cards = cardsOf(laid, { slots: last.tapped })
    const [first] = cards, rank = rankOf(card || "-"), suit = suitOf(card || "-")
    const isNew = slot >= table.slot[table.seat - 1] + sure // the pad has laid it: it is tapped in the hand
    if (slot ? last.tapped.includes(slot) || isNew || !card : leftOf(table, card) <= count(fresh.slice(0, sure), card)) return false
    if (last.kind === "mariage") return "KQ".includes(rank) && (!first || suitOf(first) === suit) && count(cards, card) < 2
    if (last.kind === "besigue") return stage.pair.includes(card) && count(cards, card) < ENOUGH
    if (last.kind === "suite") return stage.suite.includes(rank) && (!first || suitOf(first) === suit) && !cards.includes(card)
    const isTrump = rank in (stage.trump_carres ?? {}) && suit === trumpsAfter(table, laid, melds)
    return cards.length < ENOUGH && (rank in stage.carres || isTrump) && (!first || rankOf(first) === rank)
  },
  /** The announcement that was tapped together. */
  entry(table, stage, picked, faces) {
    const { fresh, melds } = draft(table, stage, picked), first = table.slot[table.seat - 1]
    const order = fresh.map((_card, at) => at).sort((one, other) => faces.indexOf(fresh[one]) - faces.indexOf(fresh[other]) || one - other)
    const moved = (slot) => slot < first ? slot : first + order.indexOf(slot - first)
    return `${MELD}${order.map((at) => fresh[at]).join()}>${melds.map(({ kind, slots }) => textOf({ kind, slots: inOrder(slots.map(moved)) })).join("+")}`
  },
  /** Entries of a seat after an announcement of it, at `from`, has other cards: its later slots are others. */
  renumbered(entry, from, before, now) {
    const laid = parts(before).fresh, fresh = parts(now).fresh, by = fresh.length - laid.length
    const moved = (slot) => slot >= from + laid.length ? slot + by : slot
    const [card, slot] = [cardOf(entry), slotOf(entry)]
    if (slot) return slot >= from && slot < from + laid.length && fresh[slot - from] !== card ? PLAY + card : `${PLAY}${card}#${moved(slot)}`
    const start = entry.startsWith(MARK) ? MARK.length : entry.startsWith(MELD) ? entry.indexOf(">") + 1 : 0
    return start ? entry.slice(0, start) + entry.slice(start).replace(/\d+/g, (one) => String(moved(Number(one)))) : entry
  },
  drafted: (table, stage, picked) => draft(table, stage, picked),
}

const slotOf = (entry) => Number(entry.split("#")[1] ?? 0)

/** The cards that are laid with an announcement, and its combinations. */
function parts(entry) {
  if (!entry.startsWith(MARK) && !entry.startsWith(MELD)) return { fresh: [], melds: [] }
  if (entry.startsWith(MARK)) return { fresh: [], melds: readMelds(entry.slice(MARK.length)) }
  const [cards, text = ""] = entry.slice(MELD.length).split(">")
  return { fresh: cards ? cards.split(",") : [], melds: readMelds(text) }
}

// ── Tapping an announcement together ──

/**
 * What was tapped: a kind, then cards of the hand and slots, and perhaps another kind. `fresh`: the cards that are laid
 * now; of each combination the slots that were `tapped`, and all of them, where one way is plain.
 */
function draft(table, stage, picked) {
  const key = picked.join()
  if (table.drafted?.key !== key) table.drafted = { key, told: drafted(table, stage, picked) } // it is asked for each key
  return table.drafted.told
}

function drafted(table, stage, picked) {
  const first = table.slot[table.seat - 1], told = { fresh: [], melds: [] }, last = () => told.melds.at(-1)
  for (const one of picked) {
    if (one in FLAGS) {
      if (last()) fill(table, stage, told)
      told.melds.push({ kind: one, tapped: [], slots: [] })
    } else if (one.startsWith("#")) last().tapped.push(slotOf(one))
    else {
      told.fresh.push(one)
      last().tapped.push(first + told.fresh.length - 1)
    }
  }
  told.sure = told.fresh.length // before what is filled up at the end
  if (last()) fill(table, stage, told)
  return told
}

/** The faces that a combination lacks, as far as they are plain from those that were tapped. */
function lacking(table, stage, { kind, tapped }, laid, before) {
  const cards = cardsOf(laid, { slots: tapped }), [first] = cards, at = table.seat - 1
  const missing = (pair, flag, least) => {
    const number = Math.max(least, couples(laid, pair, flag) + 1, ...pair.map((card) => count(cards, card)))
    return pair.flatMap((card) => Array(number - count(cards, card)).fill(card))
  }
  if (kind === "besigue") {
    const lower = before.findLast((meld) => meld.kind === kind)
    return missing(stage.pair, FLAGS.besigue, Math.max(table.level[at], (lower?.slots.length ?? 0) / 2) + 1)
  }
  if (!first) return []
  const suit = suitOf(first), rank = rankOf(first)
  if (kind === "mariage") return missing([`K${suit}`, `Q${suit}`], FLAGS.mariage, 1)
  if (kind === "suite") return [...stage.suite].map((one) => one + suit).filter((card) => !cards.includes(card))
  if (!(rank in stage.carres)) return Array(ENOUGH - cards.length).fill(first)
  const others = laid.filter((one) => rankOf(one.card) === rank && !tapped.includes(one.slot)).map((one) => one.card)
  return cards.length + others.length === ENOUGH ? others : []
}

/** The last combination gets the cards that it lacks: of this announcement, of the table, of the hand. */
function fill(table, stage, told) {
  const meld = told.melds.at(-1), before = told.melds.slice(0, -1), first = table.slot[table.seat - 1], laid = laidWith(table, told.fresh)
  meld.slots = inOrder(meld.tapped)
  if (isFormed(stage, meld, cardsOf(laid, meld), trumpsAfter(table, laid, told.melds))) return
  let attempts = ATTEMPTS, plain = null
  const lower = before.findLast(({ kind }) => kind === meld.kind)
  const complete = (slots, fresh, faces) => {
    if (attempts-- < 0) return null
    if (!faces.length) {
      const found = { slots, fresh }
      plain ??= found
      return brokenRule(table, stage, fresh, [...before, { kind: meld.kind, slots: inOrder(slots) }]) ? null : found
    }
    const [face, ...rest] = faces, there = laidWith(table, fresh).filter((one) => one.card === face && !slots.includes(one.slot))
    const merit = (one) => (lower?.slots.includes(one.slot) ? 4 : 0) + (one.slot >= first ? 2 : 0) + (one.flags.includes(FLAGS[meld.kind]) ? 1 : 0)
    for (const { slot } of there.sort((one, other) => merit(other) - merit(one))) {
      const found = complete([...slots, slot], fresh, rest)
      if (found) return found
    }
    if (leftOf(table, face) <= count(fresh, face)) return null
    return complete([...slots, first + fresh.length], [...fresh, face], rest)
  }
  const faces = lacking(table, stage, meld, laid, before)
  if (!faces.length) return
  const found = complete(meld.tapped, told.fresh, faces) ?? plain
  if (!found) return
  meld.slots = inOrder(found.slots)
  told.fresh = found.fresh
}
