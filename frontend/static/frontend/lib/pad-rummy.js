/**
 * Combinations that are laid on the table, and added to: what all see of them, from a pad as plain data (docs/forms.md).
 */
import { count, leftOf, rankOf, suitOf } from "lib/pad-entries.js"

const COMBINATION = /(\w+)\(([^()]*)\)/g
export const SIX = "six" // the two sets before it are one combination

const naturals = ({ joker }, cards) => cards.filter((card) => card !== joker)
const positions = ({ order }) => order + order[0] // the first rank follows the last one, too
const isOfOneSuit = (stage, cards) => stage.multicolour || new Set(cards.map(suitOf)).size < 2

/** All orders of some cards, the one they are in first. */
const orders = (cards) => cards.length < 2 ? [cards] : cards.flatMap((card, at) => orders(cards.toSpliced(at, 1)).map((rest) => [card, ...rest]))

/** Where a run begins, from 0, of cards in this order; −1 where they are none. */
function startOf(stage, cards) {
  if (!isOfOneSuit(stage, naturals(stage, cards))) return -1
  const all = positions(stage), starts = Array.from({ length: all.length - cards.length + 1 }, (_one, at) => at)
  return starts.find((start) => cards.every((card, at) => card === stage.joker || rankOf(card) === all[start + at])) ?? -1
}

/** The combination of a kind that these cards are, in this order; nothing where they are none. */
function combined(stage, kind, cards) {
  const own = naturals(stage, cards)
  if (cards.length !== stage.sizes[kind] || own.length < cards.length - 1) return null
  const start = kind === "run" ? startOf(stage, cards) : 0
  const isOne = kind === "run" ? start >= 0 : new Set(own.map(rankOf)).size === 1
  return isOne ? { kind, cards, start } : null
}

/** Whether cards may become a combination: `kind` is "" while either can be. */
function canBecome(stage, { kind, cards }) {
  const own = naturals(stage, cards), ranks = new Set(own.map(rankOf))
  if (own.length < cards.length - 1) return false
  if (kind !== "run") return ranks.size < 2
  const { length } = positions(stage), size = stage.sizes.run
  const isWithin = (start) => [...ranks].every((rank) => positions(stage).slice(start, start + size).includes(rank))
  return ranks.size === own.length && isOfOneSuit(stage, own) && Array.from({ length: length - size + 1 }, (_one, at) => at).some(isWithin)
}

/** The combinations of cards that were tapped one after the other: two of a rank begin a set, others a run. */
function grouped(stage, picked) {
  const groups = []
  for (const card of picked) {
    if (card === SIX) {
      const cards = groups.splice(-2).flatMap((one) => one.cards)
      groups.push({ kind: SIX, cards })
      continue
    }
    let last = groups.at(-1)
    if (!last || last.cards.length === stage.sizes[last.kind]) groups.push(last = { kind: "", cards: [] })
    last.cards.push(card)
    const own = naturals(stage, last.cards)
    if (own.length > 1) last.kind = rankOf(own[0]) === rankOf(own[1]) ? "set" : "run"
  }
  return groups
}

/** A run as it was tapped, or the other way round, or else in the order that it can have, a joker last if it may be. */
function inOrder(stage, { kind, cards }) {
  if (kind !== "run") return cards
  const last = [...naturals(stage, cards), ...cards.filter((card) => card === stage.joker)]
  return [cards, cards.toReversed(), ...orders(last)].find((one) => startOf(stage, one) >= 0) ?? cards
}

/** A combination with a card more, at an end of a run ("low", "high"); nothing where it does not fit. */
function extended(stage, meld, side, card) {
  const { kind, cards, start } = meld, own = naturals(stage, cards), isJoker = card === stage.joker
  if (isJoker && own.length < cards.length) return null
  if ((kind === "run") !== Boolean(side)) return null
  if (kind !== "run") return isJoker || rankOf(card) === rankOf(own[0]) ? { ...meld, cards: [...cards, card] } : null
  const all = positions(stage), isHigh = side === "high", end = isHigh ? cards.at(-1) : cards[0]
  const at = isHigh ? start + cards.length - 1 : start, beyond = isHigh ? at + 1 : at - 1
  if (beyond < 0 || beyond >= all.length || !isJoker && !isOfOneSuit(stage, [own[0], card])) return null
  const shifts = end === stage.joker && rankOf(card) === all[at] // the joker moves outwards
  if (!shifts && !isJoker && rankOf(card) !== all[beyond]) return null
  const [inner, outer] = shifts ? [card, end] : [end, card]
  return { kind, cards: isHigh ? [...cards.slice(0, -1), inner, outer] : [outer, inner, ...cards.slice(1)], start: isHigh ? start : beyond }
}

export const rummy = {
  begins(table, stage) {
    const { seats } = table
    Object.assign(table, { seat: table.next(table.dealer), hands: Array(seats).fill(stage.hand), stock: stage.whole - seats * stage.hand - table.turned.length })
    Object.assign(table, { pile: [...table.turned], melds: [], laid: Array(seats).fill(-1), turns: 0, reshuffles: 0, asks: "draw", trick: [], hasNoLead: true, isLead: false })
    this.see(table)
    return true
  },
  /** What lies on the table; what was thrown away comes back when it is shuffled. */
  see(table) {
    table.lying = table.pile.slice(-1)
    table.gone = [...table.pile, ...table.melds.flatMap((one) => one.cards)]
  },

  mayDraw: ({ asks, stock, pile }) => asks === "draw" && (stock > 0 || pile.length > 1),
  /** The table as it is once the seat to act has drawn. */
  drawn(table) {
    const { seat, hands } = table
    return Object.assign(Object.create(table), { asks: "turn", hands: hands.with(seat - 1, hands[seat - 1] + 1), gone: table.stock ? table.gone : [...table.pile.slice(-1), ...table.melds.flatMap((one) => one.cards)] })
  },
  /** What a first lay-down is made of: how many sets and runs. */
  contract: ({ pad }, stage) => stage.contracts[pad.known[stage.by]],
  isFirst: ({ laid, seat }) => laid[seat - 1] < 0,
  mayAdd: ({ laid, seat, turns }) => laid[seat - 1] >= 0 && laid[seat - 1] < turns,

  takes(table, stage, entry) {
    const [verb] = entry.split(":"), at = table.seat - 1
    if (entry === stage.draws[0].token) {
      if (!table.stock) Object.assign(table, { reshuffles: table.reshuffles + 1, stock: table.pile.length - 1, pile: table.pile.slice(-1) })
      Object.assign(table, this.drawn(table), { stock: table.stock - 1 })
    } else if (entry === stage.draws[1].token) {
      Object.assign(table, this.drawn(table))
      table.pile = table.pile.slice(0, -1)
    } else if (entry.startsWith(stage.throws)) return this.throws(table, stage, entry.slice(stage.throws.length))
    else {
      const { melds, cards } = this[verb](table, stage, entry)
      table.melds = melds
      table.hands = table.hands.with(at, table.hands[at] - cards.length)
      if (this.isFirst(table)) table.laid = table.laid.with(at, table.turns)
    }
    this.see(table)
    if (!table.hands[at]) table.goOn()
  },
  throws(table, stage, card) {
    const { seat } = table
    table.pile = [...table.pile, card]
    table.hands = table.hands.with(seat - 1, table.hands[seat - 1] - 1)
    table.trick = [{ seat, card }]
    this.see(table)
    if (!table.hands[seat - 1]) return table.goOn()
    Object.assign(table, { turns: table.turns + 1, seat: table.next(seat), asks: "draw" })
    if (!table.stock && table.reshuffles >= (stage.reshuffles ?? 0) || table.turns >= stage.turns) table.goOn()
  },

  /** The combinations that then lie on the table, and the cards that are laid; nothing where they cannot be. */
  lay({ melds }, stage, entry) {
    const laid = [...entry.matchAll(COMBINATION)].map(([, kind, cards]) => combined(stage, kind, cards.split(",")))
    if (!laid.length || laid.includes(null) || entry !== this.written(laid)) return null
    return { melds: [...melds, ...laid], laid, cards: laid.flatMap((one) => one.cards) }
  },
  add({ melds }, stage, entry) {
    const [, number, side, cards] = /^add:(\d+)(?::(high|low))?:(.+)$/.exec(entry) ?? []
    let meld = melds[number - 1]
    for (const card of cards?.split(",") ?? []) meld &&= extended(stage, meld, side, card)
    return meld ? { melds: melds.with(number - 1, meld), cards: cards.split(",") } : null
  },
  written: (groups) => `lay:${groups.map(({ kind, cards }) => `${kind}(${cards.join()})`).join("+")}`,

  wants: () => "card",
  fits(table, stage, entry) {
    const { asks, hands, seat } = table
    if (stage.draws.some(({ token }) => token === entry)) return asks === "draw" && (entry !== stage.draws[0].token || this.mayDraw(table))
    if (asks === "draw") return false
    if (entry.startsWith(stage.throws)) return leftOf(table, entry.slice(stage.throws.length)) > 0
    const put = entry.startsWith("lay:") ? this.lay(table, stage, entry) : entry.startsWith("add:") ? this.add(table, stage, entry) : null
    if (!put || put.cards.length > hands[seat - 1] - (stage.keeps ? 1 : 0)) return false
    if (put.cards.some((card) => leftOf(table, card) < count(put.cards, card))) return false
    if (!put.laid || !this.isFirst(table)) return this.mayAdd(table) && !put.laid?.some(({ kind }) => kind === SIX)
    return this.isContract(table, stage, put.laid)
  },
  isContract(table, stage, laid) {
    const [sets, runs] = this.counted(laid), contract = this.contract(table, stage)
    return sets === contract[0] && runs === contract[1]
  },
  counted: (groups) => [groups.reduce((sum, { kind }) => sum + (kind === SIX ? 2 : kind === "set" ? 1 : 0), 0), groups.filter(({ kind }) => kind === "run").length],

  /** Whether a card may be the next one of those that are laid, or be added; `onto`: "lay", or where it is added. */
  mayPut(table, stage, onto, picked, card) {
    const after = table.asks === "draw" ? this.drawn(table) : table, { seat, hands } = after
    if (onto !== "lay") return this.fits(after, stage, `${onto}:${card}`)
    const cards = picked.filter((one) => one !== SIX), groups = grouped(stage, [...picked, card]), contract = this.contract(table, stage)
    if (leftOf(after, card) <= count(cards, card) || cards.length >= hands[seat - 1] - (stage.keeps ? 1 : 0)) return false
    if (!canBecome(stage, groups.at(-1))) return false
    return this.isFirst(after) ? this.counted(groups).every((one, at) => one <= contract[at]) && groups.length <= contract[0] + contract[1] : this.mayAdd(after)
  },
  /** Whether the last two sets may be one combination. */
  maySix(table, stage, picked) {
    const [one, other] = grouped(stage, picked).slice(-2), cards = [...one?.cards ?? [], ...other?.cards ?? []]
    return one?.kind === "set" && other?.kind === "set" && this.isFirst(table) && Boolean(combined(stage, SIX, cards))
  },
  entry: (_table, stage, picked) => rummy.written(grouped(stage, picked).map((one) => ({ ...one, cards: inOrder(stage, one) }))),
}
