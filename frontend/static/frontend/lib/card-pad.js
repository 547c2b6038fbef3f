/**
 * What a table has seen of a deal, from what was taken down so far: whose turn it is, the trick, the cards that are
 * gone. It reads a pad as plain data (docs/forms.md), and knows nothing of the game, of a hand or of a stock.
 */

export const PLAY = "play:", TURNED = "@turned:", LEADS = "@leads:" // what begins with @ stays on the phone

const rankOf = (card) => card.slice(0, -1), suitOf = (card) => card.at(-1)

/** The card of an entry; nothing where it plays none. */
export const cardOf = (entry) => entry.startsWith(PLAY) ? entry.slice(PLAY.length).split("!")[0] : ""

/** What is sent: without what only helps to show whose turn it is. */
export const actions = (entries) => entries.filter((entry) => !entry.startsWith("@"))

/** The place in a trick of the card that takes it. */
function taking(pad, cards, trumps) {
  const led = suitOf(cards[0])
  const power = cards.map((card) => trumps.includes(suitOf(card)) ? 100 - pad.trump_ranks.indexOf(rankOf(card))
    : suitOf(card) === led ? 50 - pad.ranks.indexOf(rankOf(card)) : -1)
  if (pad.cancelling && cards.length === 3) {
    const [one, two, three] = power
    if (one > two) return one > three ? 0 : one === three ? 1 : 2
    return one === two ? 2 : two > three ? 1 : two === three ? 0 : 2
  }
  return power.indexOf(Math.max(...power))
}

/**
 * The table after these entries. `seat`: who is to act; `trick`: seats and cards, the last one until the next begins;
 * `tricks`: by seat, as they were taken or given; `gone`: the cards that have been played in this round; `wants`: what
 * comes next, "turned", "said", "given", "card", or "end".
 */
export function tableAfter(pad, entries, { seats, dealer }) {
  const next = (seat, by = 1) => (seat - 1 + by) % seats + 1
  const table = { seat: next(dealer), trick: [], tricks: Array(seats).fill(0), gone: [], trumps: "", round: 1, taker: 0, isGiven: true }
  let isTalking = pad.before.length > 0, played = 0
  const take = (seat, by) => { if (seat) table.tricks[seat - 1] += by }
  for (const entry of entries) {
    const card = cardOf(entry)
    if (entry.startsWith(TURNED)) table.trumps += entry.slice(TURNED.length)
    else if (entry.startsWith(LEADS)) {
      take(table.taker, -1)
      table.taker = table.seat = Number(entry.slice(LEADS.length))
      take(table.taker, 1)
    } else if (card) {
      if (played === pad.cards) {
        played = 0
        Object.assign(table, { gone: [], tricks: Array(seats).fill(0) })
      }
      if (table.trick.length === seats) table.trick = []
      table.trick.push({ seat: table.seat, card })
      table.gone.push(card)
      played++
      if (table.trick.length < seats) table.seat = next(table.seat)
      else {
        const isLast = played === pad.cards
        table.taker = table.seat = table.trick[taking(pad, table.trick.map((one) => one.card), table.trumps)].seat
        table.isGiven = !pad.gives || isLast
        if (table.isGiven) take(table.taker, 1)
        if (isLast && pad.gives) table.seat = next(dealer, table.round + 1)
        if (isLast) table.round++
      }
    } else if (pad.gives && entry.startsWith(pad.gives)) {
      table.seat = Number(entry.slice(pad.gives.length))
      take(table.seat, 1)
      table.isGiven = true
    } else if (pad.taking && entry.startsWith(pad.taking)) {
      table.trumps = entry.slice(pad.taking.length)
      isTalking = false
      if (!pad.taker_leads) table.seat = next(dealer)
    } else table.seat = next(table.seat)
  }
  table.isBetween = played > 0 && table.trick.length === seats // a trick is whole: who leads may be corrected
  table.isWhole = played === pad.cards // of a game of several rounds, one of them: it may end early
  table.wants = table.trumps.length < pad.turned ? "turned" : isTalking ? "said" : !table.isGiven ? "given"
    : table.round > pad.rounds ? "end" : "card"
  return table
}

/** The place of the first entry that can no longer be: its card was played before. −1 where all fit. */
export function misfit(pad, entries) {
  let gone = new Set()
  for (const [at, entry] of entries.entries()) {
    const card = cardOf(entry)
    if (!card) continue
    if (gone.has(card)) return at
    gone.add(card)
    if (gone.size === pad.cards) gone = new Set()
  }
  return -1
}
