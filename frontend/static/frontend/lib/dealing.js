import { sha256 } from "../vendor/noble-hashes/sha2.js"
import { shake256 } from "../vendor/noble-hashes/sha3.js"

// docs/deals.md in another language: the names are those of its specification. What it has in its table comes as
// data, a game's `layout`; what stands beneath the table is here.

const UTF8 = new TextEncoder()
const ESCAPES = { "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f" }
const ACES = ["AS", "AH", "AD", "AC"]
const FIVE_TRUMPS = ["1T", "2T", "3T", "4T", "5T"]

// ── Canonical JSON, hashes, stream ──────────────────────────────────────────────────────────────

/** The one way to write a JSON value. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value === "string") return `"${value.replace(/["\\\u0000-\u001f]/g, sign => ESCAPES[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`
  if (value === null || typeof value !== "object") return String(value)
  return `{${Object.keys(value).sort(byCodePoints).map(name => `${canonical(name)}:${canonical(value[name])}`).join(",")}}`
}

function byCodePoints(one, other) {
  const left = [...one], right = [...other]
  const at = left.findIndex((sign, i) => sign !== right[i])
  if (at < 0) return left.length - right.length
  return at >= right.length ? 1 : left[at].codePointAt(0) - right[at].codePointAt(0)
}

const bytes = (...parts) => {
  const all = parts.map(part => typeof part === "string" ? UTF8.encode(part) : part)
  const joined = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of all) { joined.set(part, at); at += part.length }
  return joined
}
const hex = some => Array.from(some, byte => byte.toString(16).padStart(2, "0")).join("")
const unhex = text => Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16))
const hashed = (kind, value) => hex(sha256(bytes(`etui/${kind}/1\n`, canonical(value))))

export const commitment = manifest => hex(sha256(bytes(canonical(manifest))))
export const seedHash = seed => hashed("seed", seed)
/** The manifest as it was before its public value was known. */
export const before = manifest => manifest.public_value ? { ...manifest, public_value: { ...manifest.public_value, value: null }, root: null } : manifest
/** What boards are dealt from. */
export const keyOf = (seed, value) => value === null || value === undefined ? unhex(seed) : sha256(bytes("etui/public/1\n", unhex(seed), value))

class Stream {
  #source
  constructor(key, context) { this.#source = shake256.create().update(bytes("etui/deal/1\n", key, canonical(context))) }
  take(count) { return this.#source.xof(count) }

  below(n) {
    const digits = (n - 1).toString(2).length
    for (;;) {
      const number = Number(BigInt(`0x${hex(this.take(Math.ceil(digits / 8)))}`) & ((1n << BigInt(digits)) - 1n))
      if (number < n) return number
    }
  }

  shuffle(cards) {
    const order = [...cards]
    for (let i = order.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      ;[order[i], order[j]] = [order[j], order[i]]
    }
    return order
  }
}

// ── Board ─────────────────────────────────────────────────────────────────────────────────────

/** The pack in order, its suits, and the ranks of its first part. */
function packOf(game, layout, options, conditions) {
  let [copies, content] = [1, layout.pack]
  const several = /^(\d)×\((.*)\)$/.exec(content)
  if (several) [copies, content] = [Number(several[1]), several[2]]
  if (game === "le-99") copies = Math.floor((conditions.seats ?? 3) / 2) + 1
  const faces = []
  for (const part of content.split(" + ")) {
    const [suits, ranks] = part.split(":")
    if (ranks !== undefined) {
      const kept = game === "belote-noisette" ? suits.replace(options.removed_suit ?? "C", "") : suits
      for (const suit of kept) for (const rank of ranks) faces.push(rank + suit)
    } else if (part.includes("..")) {
      const [first, last] = part.split("..").map(end => parseInt(end, 10))
      for (let number = first; number <= last; number++) faces.push(`${number}T`)
    } else faces.push(part)
  }
  const [suits, ranks] = content.split(" + ")[0].split(":")
  return { cards: Array(copies).fill(faces).flat(), suits: [...suits].filter(suit => game !== "belote-noisette" || suit !== (options.removed_suit ?? "C")), ranks: [...ranks] }
}

const dealerOf = (game, n, seats) => game === "hombre" ? [1, 3, 2][(n - 1) % 3] : (n - 1) % seats + 1

/** [place, how many] one after the other, groups written out. */
function* steps(dealt, seats) {
  let text = dealt, group
  while ((group = /\(([^()]*)\)×(\d+)/.exec(text))) text = text.replace(group[0], Array(Number(group[2])).fill(group[1]).join(" "))
  for (const step of text.split(" ")) {
    const [place, count = "1"] = step.split("×")
    if (place !== "all") yield [place, count]
    else for (let time = 0; time < Number(count); time++) for (let seat = 1; seat <= seats; seat++) yield [String(seat), "1"]
  }
}

/** Hands and piles of a shuffled pack. */
function layOut(game, layout, cards, dealer, seats) {
  const turn = game === "hombre" ? -1 : 1, deal = { hands: Array.from({ length: seats }, () => []) }
  const seatOf = place => (((dealer - 1 + turn * Number(place)) % seats) + seats) % seats
  let at = 0
  for (const [place, count] of steps(layout.dealt, seats)) {
    const size = count === "rest" ? cards.length - at : count === "plain" ? cards.findIndex((card, i) => i >= at && !card.endsWith("C")) - at + 1 : Number(count)
    const taken = cards.slice(at, at + size)
    at += size
    if (/^\d+$/.test(place)) deal.hands[seatOf(place)].push(...taken)
    else if (place.endsWith("!")) deal[place.slice(0, -1)] = taken[0]
    else if (place.includes(".")) {
      const [name, seat] = place.split(".")
      deal[name] ??= Array.from({ length: seats }, () => [])
      deal[name][seatOf(seat)].push(...taken)
    } else if (place.includes("#")) (deal[place.split("#")[0]] ??= []).push(taken)
    else (deal[place] ??= []).push(...taken)
  }
  return deal
}

function inOrder(cards, pack, way) {
  const suited = pack.suits.flatMap(suit => [...pack.ranks].reverse().map(rank => rank + suit))
  const beyond = [...new Set(pack.cards)].filter(card => !suited.includes(card)).reverse()
  const order = way === "up" ? pack.cards : [...suited, ...beyond]
  return [...cards].sort((one, other) => order.indexOf(one) - order.indexOf(other))
}

function mustBeDealtAgain(game, options, deal) {
  if (game === "comon" && (options.four_aces ?? "redraw") === "redraw") return deal.hands.some(hand => ACES.every(ace => hand.includes(ace)))
  if (game === "demons" || game === "heritiers") return FIVE_TRUMPS.every(trump => deal.pool.includes(trump))
  if (game === "tarot-4-saisons") return !deal.hands.every(hand => hand.some(card => card.endsWith("T")))
  return false
}

/** A board as JSON shows it, from its key, its number and what the session plays. */
export function dealOf({ game, options, conditions }, layout, key, n) {
  const given = game === "mille" ? options : { ...options, ...conditions }
  const bound = Object.fromEntries(Object.entries(layout.bound).map(([name, usual]) => [name, given[name] ?? usual]))
  const stream = new Stream(key, { board: n, game, options: bound })
  const seats = conditions.seats ?? layout.seats, pack = packOf(game, layout, options, conditions)
  if (game === "duel-las-vegas") return { decks: [stream.shuffle(pack.cards), stream.shuffle(pack.cards)] }
  const dealer = dealerOf(game, n, seats)
  let deal
  do { deal = layOut(game, layout, stream.shuffle(pack.cards), dealer, seats) } while (mustBeDealtAgain(game, options, deal))
  for (const [name, way] of Object.entries(layout.order)) {
    deal[name] = Array.isArray(deal[name][0]) ? deal[name].map(cards => inOrder(cards, pack, way)) : inOrder(deal[name], pack, way)
  }
  return { dealer, ...deal, ...Object.fromEntries(layout.more.map(name => [name, moreOf(name, { game, options, conditions }, layout, stream, n)])) }
}

/** What the list below the table says of each name. */
function moreOf(name, played, layout, stream, n) {
  const { game, options, conditions } = played
  if (name === "reshuffle_key") return Array.from({ length: 32 }, () => stream.below(16).toString(16)).join("")
  if (name === "markers") return ["S", "D", "C"]
  if (name === "pot" && game === "belote-noisette") return conditions.pot ?? 30 - moreOf("nuts", played, layout, stream, n).reduce((sum, one) => sum + one, 0)
  if (name in conditions) return conditions[name]
  if (name === "nuts") return options.pot_carry === "cycle" && n % 2 === 0 ? [9, 9, 9] : [10, 10, 10]
  if (name === "pot") return options.pot_cycle === "relance" ? [18, 30, 42][Math.floor((n - 1) / 3) % 3] : 18
  if (name === "mene") return (n - 1) % 6 + 1
  if (name === "bombs") {
    const bombs = options.bombs ?? "third"
    return bombs === "always" || (bombs === "third" && [3, 5, 7].includes(n % 9)) ? [1, 2, 3] : []
  }
  if (name !== "start_scores") throw new Error(`nobody knows ${name}`)
  const isHigh = game === "tarot-double-detente" ? n % 2 === 0 : [3, 0].includes(n % 4)
  return Array(layout.seats).fill(options.all_or_nothing && isHigh ? 100 : 0)
}

// ── From the boards to the root ───────────────────────────────────────────────────────────────

const saltOf = (key, n) => hex(new Stream(key, { salt: n }).take(16))

/** All boards of a manifest dealt from a key, and the root of their tree. */
export function dealtAgain(manifest, layout, key) {
  const numbers = [...manifest.boards, ...manifest.reserves].sort((one, other) => one - other)
  const deals = new Map(numbers.map(n => [n, dealOf(manifest, layout, key, n)]))
  let row = numbers.map(n => hashed("board", { board: n, deal: deals.get(n), salt: saltOf(key, n) }))
  while (row.length > 1) row = Array.from({ length: Math.ceil(row.length / 2) }, (_, i) => 2 * i + 1 < row.length ? hashed("node", row.slice(2 * i, 2 * i + 2)) : row[2 * i])
  return { deals, root: row[0] }
}
