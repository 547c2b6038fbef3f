/**
 * What a table has seen of a deal, from what was taken down so far: whose turn it is, the trick, the cards that are
 * gone. It reads a pad as plain data (docs/forms.md), and knows nothing of the game, of a hand or of a stock.
 */

import { costumes, showing, trading } from "lib/pad-costumes.js"
import { rummy } from "lib/pad-rummy.js"
import { cardOf, copiesOf, count, leftOf, LEADS, rankOf, STUCK, suitOf, TURNED } from "lib/pad-entries.js"
import { melding } from "lib/pad-melds.js"

export { leftOf }

/** Where a card stands among those of its suit, and whether it is a trump. */
function placed(stage, trumps, card) {
  const rows = stage.ranked && (stage.ranked[trumps] ?? stage.ranked[""])
  if (rows) {
    const [suit, cards] = Object.entries(rows).find(([, cards]) => cards.includes(card)) ?? ["", [card]]
    return { suit, strength: -cards.indexOf(card), isTrump: suit === "trumps" }
  }
  const suit = suitOf(card), isTrump = trumps.includes(suit)
  return { suit, strength: -(isTrump ? stage.trump_order : stage.order).indexOf(rankOf(card)), isTrump }
}

/** The place in a trick of the card that takes it: of two equal ones the first. */
function taking(stage, cards, trumps) {
  const losers = stage.alone?.[cards[0]]
  if (losers !== undefined) {
    const by = cards.findIndex((card, at) => at && !stage.alone[card] && (losers.includes(rankOf(card)) || trumps.includes(suitOf(card))))
    return Math.max(by, 0)
  }
  const all = cards.map((card) => stage.alone?.[card] ? { suit: "" } : placed(stage, trumps, card))
  const led = (all.find((one) => one.suit) ?? all[0]).suit // an Excuse asks for nothing: the next card does
  const power = all.map((one) => one.suit && (one.isTrump ? 100 + one.strength : one.suit === led ? 50 + one.strength : -1000))
  if (stage.cancelling && cards.length === 3) {
    const [one, two, three] = power
    if (one > two) return one > three ? 0 : one === three ? 1 : 2
    return one === two ? 2 : two > three ? 1 : two === three ? 0 : 2
  }
  const values = power.map((one) => one === "" ? -2000 : one)
  return values.indexOf(Math.max(...values))
}

const KINDS = {
  showing, trading, costumes, rummy, melding,
  turned: {
    begins(table, { unless }) { return !heard(table, unless, false) },
    takes(table, { count, labels }, entry) {
      if (labels.length) return this.lies(table, table.stage, entry.slice(TURNED.length))
      table.trumps += entry.slice(TURNED.length)
      if (table.trumps.length === count) table.goOn()
    },
    lies(table, { count, stay, until }, card) {
      table.turned.push(card)
      if (stay) table.open.push(card)
      const isLast = until && suitOf(card) !== until
      if (isLast) table.trumps = suitOf(card)
      if (isLast || table.turned.length === count) table.goOn()
    },
    wants: (table, { labels }) => labels.length ? "first" : "turned",
    fits: ({ turned, pad }, stage, entry) => entry.startsWith(TURNED) && count(turned, entry.slice(TURNED.length)) < copiesOf(pad, entry.slice(TURNED.length)),
  },

  talk: {
    begins(table, stage) {
      if (!heard(table, stage.when) || heard(table, stage.unless, false)) return false
      const last = table.turned.at(-1)
      if (stage.lifts && !table.trumps.includes(suitOf(last)) && !stage.lifts.includes(rankOf(last))) return false
      table.seat = table[stage.begins] ?? table.next(stage.begins === "left" ? table.dealer : table.taker)
      if (stage.maintained) {
        table.seat = this.maintaining(table, stage, table.leader, table.seats)
        if (!table.seat) return false
      }
      Object.assign(table, { turns: 0, passes: 0, silent: new Set(), last: "", numbers: 0, called: new Map() })
      return true
    },
    takes(table, stage, entry) {
      const { seat } = table, isBid = stage.bids?.includes(entry), isPass = entry === stage.nothing
      if (stage.maintained) {
        table.seat = this.maintaining(table, stage, table.next(seat), (table.leader - table.next(seat) + table.seats) % table.seats)
        return table.seat ? undefined : table.goOn()
      }
      table.last = entry
      if (stage.contracts) announce(table, stage, entry)
      for (const item of stage.between && !isPass ? itemsOf(stage, entry) : [entry]) {
        table.said.add(item).add(`${item}@${seat}`)
        table.called.set(item, seat)
      }
      if (stage.free?.includes(entry)) return
      if (stage.never) table.numbers += Number(entry.split(":")[1])
      table.turns++
      table.passes = isPass ? table.passes + 1 : 0
      if (isPass) table.silent.add(seat)
      if (isBid) Object.assign(table, { bid: entry, taker: seat })
      if (stage.trumps && !isPass) table.trumps = table.pad.suits.includes(entry.at(-1)) ? entry.at(-1) : isBid ? "" : table.trumps
      if (stage.proposed && isBid) table.trumps = suitOf(table.turned[0])
      if (stage.closing?.includes(entry)) table.closer = seat
      const isOwn = stage.own && isPass && seat === table.taker
      const passes = stage.out ? table.silent.size : table.passes, enough = table.bid ? stage.passes : stage.without
      if (stage.closing?.includes(entry) || isOwn || (stage.turns && table.turns >= stage.turns)
        || (enough && passes >= enough && table.turns >= (stage.least ?? 0))) {
        if (stage.bids && !table.bid && !stage.goes_on) table.isOut = true
        return table.goOn()
      }
      do table.seat = table.next(table.seat)
      while (stage.out && table.silent.has(table.seat))
    },
    /** The first of so many seats that has said one of the words; 0 where none has. */
    maintaining(table, { words }, from, count) {
      const seats = Array.from({ length: count }, (_one, at) => table.next(from, at))
      return seats.find((seat) => words.some(({ token }) => table.said.has(`${token}@${seat}`))) ?? 0
    },
    wants: () => "said",
    fits(table, stage, entry) {
      const offered = new Set(words(table, stage).map((one) => one.token))
      if (!stage.between) return offered.has(entry)
      if (entry === stage.nothing) return true
      if (!entry.startsWith(`${stage.verb}:`)) return false
      const items = itemsOf(stage, entry)
      return items.every((item) => offered.has(item) && !items.includes(stage.contracts?.bars[item]))
    },
  },

  down: {
    begins(table, stage) {
      if (!heard(table, stage.when) || (stage.unless && heard(table, stage.unless))) return false
      const first = stage.who === "left" ? table.next(table.dealer) : table[stage.who] || table.taker, seats = [first, table.next(first), table.next(first, 2)].slice(0, table.seats)
      const who = ["taker", "closer"].includes(stage.who) ? seats.slice(0, 1) : stage.who === "others" ? seats.slice(1) : seats
      for (const seat of who) {
        table.later.push({ stage, seat })
        table.actions.push(table.later.at(-1))
      }
      return false // what follows it comes first
    },
    wants: () => "down",
    fits: (table, { stage }, entry) => entry === stage.nothing || entry.startsWith(`${stage.verb}:`),
  },

  tricks: {
    hasTricks: true,
    begins(table, stage) {
      if (stage.leads === "winner") {
        Object.assign(table, { seat: table.winner, played: 0 })
        return true
      }
      table.seat = stage.leads === "taker" || heard(table, stage.lead_words, false) ? table.taker : table.next(table.dealer)
      if (heard(table, stage.before_words, false)) table.seat = table.next(table.taker, -1)
      Object.assign(table, { leader: table.seat, spoken: 0 })
      Object.assign(table, { trick: [], gone: [], tricks: Array(table.seats).fill(0), played: 0, isGiven: true, winner: 0 })
      return true
    },
    takes(table, stage, entry) {
      const card = cardOf(entry), { seats } = table
      if (entry.startsWith(LEADS)) {
        table.win(-1)
        table.winner = table.seat = Number(entry.slice(LEADS.length))
        table.win(1)
      } else if (card) {
        if (table.trick.length === seats) table.trick = []
        table.trick.push({ seat: table.seat, card })
        table.by[table.seat - 1].push(card)
        table.gone.push(card)
        table.played++
        if (stage.making && entry.endsWith(stage.making)) table.trumps = suitOf(card)
        table.seat = table.next(table.seat)
        if (table.trick.length < seats) return
        const isLast = table.played === stage.cards
        table.winner = table.seat = table.trick[taking(stage, table.trick.map((one) => one.card), table.trumps)].seat
        table.isGiven = !stage.gives || isLast
        if (table.isGiven) table.win(1)
        if (heard(table, stage.lost, false) && table.winner === table.taker && table.gone.length < table.pad.cards) table.isOut = table.isWon = true
        else if (isLast) table.goOn()
      } else if (stage.said && KINDS.talk.fits(table, stage.said, entry)) {
        table.spoken = table.seat
        announce(table, stage.said, entry)
      } else {
        table.winner = table.seat = Number(entry.slice(stage.gives.length))
        table.win(1)
        table.isGiven = true
      }
    },
    wants: (table) => table.isGiven ? "card" : "given",
    fits(table, stage, entry) {
      const card = cardOf(entry)
      if (!table.isGiven) return Boolean(stage.gives && entry.startsWith(stage.gives))
      if (card) return leftOf(table, card) > 0
      if (stage.said && table.spoken !== table.seat && entry !== stage.said.nothing && KINDS.talk.fits(table, stage.said, entry)) return true
      return entry.startsWith(LEADS) && table.isBetween
    },
  },
}

KINDS.challenge = {
  begins(table, stage) {
    if (!table.taker || [...table.contracted.keys()].some((one) => !one.startsWith(stage.beside))) return false
    Object.assign(table, { level: 0, answers: [], seat: table.next(table.taker) })
    return true
  },
  speakers: (table) => table.level % 2 ? [table.taker] : [table.next(table.taker), table.next(table.taker, 2)],
  takes(table, stage, entry) {
    if (stage.raises.includes(entry)) Object.assign(table, { level: table.level + 1, answers: [] })
    else table.answers.push(entry)
    const speakers = this.speakers(table)
    table.seat = speakers[table.answers.length]
    if (table.seat) return
    if (table.answers.every((one) => one === stage.concedes)) table.isOut = table.isWon = true
    else table.goOn()
  },
  says({ level }, { raises, refuses, accepts, concedes, levels }) {
    if (!level) return [raises[0], refuses]
    return level < levels ? [concedes, accepts, raises[1]] : [concedes, accepts]
  },
  wants: () => "said",
  fits(table, stage, entry) { return this.says(table, stage).includes(entry) },
}

KINDS.matching = {
  begins(table, stage) {
    const { seats } = table, seat = table.next(table.dealer)
    Object.assign(table, { seat, leader: seat, trick: [], gone: [], tricks: Array(seats).fill(0), isLead: true })
    Object.assign(table, { held: Array(seats).fill(stage.hand), stock: stage.cards - seats * stage.hand })
    return true
  },
  takes(table, stage, entry) {
    const card = cardOf(entry), { seat } = table
    if (!card) return this.gather(table)
    if (table.isLead) Object.assign(table, { trick: [], leader: seat, rank: rankOf(card), isLead: false })
    table.trick.push({ seat, card })
    table.gone.push(card)
    table.held[seat - 1]--
    if (this.goesOn(table, stage, card)) table.winner = seat
    table.seat = table.next(seat)
    if (seat !== table.leader && !table.held[table.leader - 1]) this.gather(table)
  },
  gather(table) {
    table.win(1)
    let seat = table.winner
    for (let drawn = Math.min(table.stock, table.trick.length); drawn > 0; drawn--, table.stock--, seat = table.next(seat)) table.held[seat - 1]++
    Object.assign(table, { seat: table.winner, isLead: true })
    if (!table.held.some(Boolean)) table.goOn()
  },
  goesOn: (table, stage, card) => [table.rank, stage.wild].includes(rankOf(card)),
  mayStop: (table) => !table.isLead && table.seat === table.leader,
  wants: () => "card",
  fits(table, stage, entry) {
    const card = cardOf(entry)
    if (!card) return entry === stage.stop.token && this.mayStop(table)
    return !table.gone.includes(card) && (!this.mayStop(table) || this.goesOn(table, stage, card))
  },
}

KINDS.counting = {
  begins(table, stage) {
    Object.assign(table, { seat: table.next(table.dealer), by: [], total: null, direction: 1, hasNoLead: true, isLead: false, gone: [] })
    return true
  },
  takes(table, stage, entry) {
    if (entry === STUCK) return table.goOn()
    const isTurned = entry.startsWith(TURNED), card = isTurned ? entry.slice(TURNED.length) : cardOf(entry), rank = rankOf(card)
    table.total = stage.fills.includes(rank) ? stage.goal : Math.min(stage.goal, (table.total ?? 0) + stage.adds[rank])
    if (!isTurned) table.trick = [...table.trick, { seat: table.seat, card }].slice(1 - table.seats)
    const isActive = !isTurned || stage.effects, skips = isActive && stage.skips.includes(rank), reverses = isActive && stage.reverses.includes(rank)
    if (reverses) table.direction = -table.direction
    const from = isTurned ? table.dealer : table.seat
    table.seat = table.next(from, table.direction * (skips ? 2 : 1))
  },
  wants: (table) => table.total === null ? "first" : "card",
  fits(table, stage, entry) {
    if (table.total === null) return entry.startsWith(TURNED)
    if (entry === STUCK) return true
    const rank = rankOf(cardOf(entry) || "-")
    return stage.saves.includes(rank) || (stage.late ? table.total < stage.goal : table.total + stage.adds[rank] <= stage.goal)
  },
}

KINDS.fishing = {
  begins(table, stage) {
    Object.assign(table, { lying: [], gone: [], distribution: 0, isExtended: false, isLead: false, hasNoLead: true, trick: [] })
    this.distribute(table, stage)
    return true
  },
  distribute(table, stage) {
    const most = stage.cards / table.seats / stage.hand, place = ++table.distribution
    if (place > most) return table.goOn()
    const isDue = !table.isExtended && (stage.at ? place === stage.at : true)
    Object.assign(table, { dealt: 0, answers: "", answered: 0, last: "", seat: table.dealer })
    table.asks = !isDue ? "card" : stage.at || place === most ? "laid" : "said"
    if (!isDue) this.play(table)
  },
  play(table) { Object.assign(table, { asks: "card", seat: table.next(table.dealer) }) },
  takes(table, stage, entry) {
    if (entry === stage.whether[0]) return void (table.asks = "laid")
    if (entry === stage.whether[1]) return this.play(table)
    if (!cardOf(entry)) return this.extend(table, laidOf(stage, entry))
    const card = cardOf(entry), rank = rankOf(card), { seat } = table, last = table.last
    table.trick = [...table.trick, { seat, card }].slice(-1)
    table.gone.push(card)
    table.last = ""
    const isPlaced = entry.endsWith(stage.place.token)
    if (table.answers === rank && !isPlaced) {
      if (++table.answered > 1) return void (table.isOut = table.isWon = true)
    } else this.lay(table, stage, card, isPlaced, last)
    table.seat = table.next(seat)
    if (++table.dealt === table.seats * stage.hand) this.distribute(table, stage)
  },
  /** A card takes what it can, or stays. */
  lay(table, stage, card, isPlaced, last) {
    const isStruck = last && rankOf(last) === rankOf(card)
    let rank = rankOf(card), found = isPlaced ? undefined : isStruck ? last : this.first(table, rank)
    Object.assign(table, { answers: isStruck && found ? rank : "", answered: 0 })
    if (!found) {
      table.lying.push(card)
      table.last = card
    }
    while (found) {
      table.lying.splice(table.lying.indexOf(found), 1)
      rank = stage.order[(stage.order.indexOf(rank) + 1) % stage.order.length]
      found = rank === rankOf(card) ? undefined : this.first(table, rank)
    }
  },
  first: (table, rank) => table.lying.find((one) => rankOf(one) === rank),
  extend(table, cards) {
    table.isExtended = true
    table.lying.push(...cards)
    table.gone.push(...cards)
    if (cards.some((card) => table.lying.filter((one) => rankOf(one) === rankOf(card)).length === 4)) table.isOut = table.isWon = true
    else this.play(table)
  },
  /** Whether a card that could take may stay in its place instead. */
  mayPlace: (table, stage, rank) =>
    stage.numbers[rank] === table.lying.length + 1 && (table.answers === rank || Boolean(KINDS.fishing.first(table, rank))),
  wants: (table) => table.asks,
  fits(table, stage, entry) {
    if (table.asks === "said") return stage.whether.includes(entry)
    if (table.asks === "laid") {
      const cards = entry.startsWith(`${stage.verb}:`) && stage.ends.includes(entry.at(-1)) ? laidOf(stage, entry) : []
      return cards.length === stage.extension && cards.every((card) => !table.gone.includes(card))
    }
    const card = cardOf(entry)
    return Boolean(card) && !table.gone.includes(card) && (!entry.endsWith(stage.place.token) || this.mayPlace(table, stage, rankOf(card)))
  },
}

const laidOf = (stage, entry) => entry.slice(stage.verb.length + 1, -1).split(",")
const itemsOf = (stage, entry) => entry.slice(stage.verb.length + 1).split(stage.between)

/** Whether one of some words was said, or is the bid; no words: always, unless it says otherwise. */
const heard = (table, wanted, always = true) => wanted ? wanted.some((one) => one === table.bid || (table.said.has(one) && !one.startsWith("bid:"))) : always

/** Contracts, and contres of them, that were said together. */
function announce(table, stage, entry) {
  const { contre, words } = stage.contracts
  for (const item of entry === stage.nothing ? [] : itemsOf(stage, entry)) {
    table.said.add(item).add(`${item}@${table.seat}`)
    if (item.startsWith(contre)) table.levels.set(item, (table.levels.get(item) ?? 0) + 1)
    else if (words.includes(item)) table.contracted.set(`${item}@${table.seat}`, table.seat)
  }
}

/** Whether the seat to act may say one thing more of contracts, contres, or what it holds. */
function mayAnnounce(table, { contracts }, token) {
  const { words, when, of_trumps: ofTrumps, bars, contre, game, levels } = contracts, { seat, taker, contracted } = table
  if (token.startsWith(contre)) {
    const owner = token === game ? taker : contracted.get(token.slice(contre.length)), level = table.levels.get(token) ?? 0
    return Boolean(owner) && level < levels && ((owner === taker) === (seat === taker)) === (level % 2 === 1)
  }
  if (!heard(table, when)) return false
  if (!words.includes(token)) return true
  return !contracted.has(`${bars[token]}@${seat}`) && !contracted.has(`${token}@${seat}`) && (Boolean(table.trumps) || !ofTrumps.includes(token))
}

/** What the seat to act may say, of what the table has heard. */
export function words(table, stage) {
  if (stage.kind === "challenge") return stage.words.filter(({ token }) => KINDS.challenge.says(table, stage).includes(token))
  if (stage.contracts) return stage.words.filter(({ token }) => mayAnnounce(table, stage, token))
  if (stage.maintained) return stage.words.filter(({ token }) => table.said.has(`${token}@${table.seat}`))
  const number = (token) => Number(token.split(":")[1]), bids = stage.bids ?? []
  const isTakers = (seat) => seat === table.taker
  return stage.words.filter(({ token }) => {
    const at = bids.indexOf(token)
    if (at >= 0) {
      if (stage.of_turned && !table.turned.map(suitOf).includes(suitOf(token))) return false
      if (stage.barred && token.endsWith(suitOf(table.turned[0]))) return false
      if (stage.jumps) return table.bid ? stage.jumps.includes(number(token) - number(table.bid)) : at < stage.jumps.length
      return at - bids.indexOf(table.bid) >= (stage.rises ?? 0)
    }
    if (token === stage.nothing) return !stage.opens || Boolean(table.bid)
    if (stage.only?.[token]) return (stage.only[token] === "taker") === isTakers(table.seat)
    if (stage.never && table.turns) return table.numbers + number(token) !== stage.never
    if (stage.answers?.[token]) return table.last.startsWith(stage.answers[token])
    if (stage.against) {
      const seat = token.includes("@") ? Number(token.split("@")[1]) : table.taker
      return !table.called.has(token) && isTakers(seat) !== isTakers(table.seat) && (!token.includes("@") || table.said.has(token))
    }
    return true
  })
}

/** The table of a pad, before the first entry. */
class Table {
  constructor(pad) {
    const { seats, dealer } = pad
    Object.assign(this, { pad, seats, dealer, trick: [], tricks: Array(seats).fill(0), gone: [], round: 0, actions: [], later: [], by: [], winner: 0, isOut: false, isWon: false })
    this.at = pad.stages.length
    this.goOn()
  }

  next(seat, by = 1) { return ((seat - 1 + by * this.pad.turn) % this.seats + this.seats) % this.seats + 1 }
  win(by) { if (this.winner) this.tricks[this.winner - 1] += by }
  get stage() { return this.pad.stages[this.at] }
  get isOver() { return this.round > this.pad.rounds || this.isOut }
  get waiting() { return this.isOver && !this.isOut ? this.later.find((one) => !one.entry) : undefined } // what lies face down

  /** To the stage that comes next; from the last one to another round, with another dealer where tricks are given. */
  goOn() {
    do {
      if (++this.at < this.pad.stages.length) continue
      if (++this.round > 1) this.wasWhole = true
      if (this.round > this.pad.rounds) return
      if (this.round > 1 && this.has("gives")) this.dealer = this.next(this.dealer)
      Object.assign(this, { at: 0, trumps: "", bid: "", taker: 0, said: new Set(), turned: [], open: [], lent: [], gone: [], contracted: new Map(), levels: new Map(), closer: 0, by: Array.from({ length: this.seats }, () => []) })
    } while (!this.isOut && !KINDS[this.stage.kind].begins(this, this.stage))
  }

  has(name) { return this.pad.stages.some((stage) => stage[name]) }

  /** An entry; whether it could be. */
  take(entry) {
    const { waiting, stage } = this
    if (!this.fits(entry)) return false
    if (waiting) {
      waiting.entry = entry
      return true
    }
    if (!entry.startsWith("@")) this.actions.push(entry)
    KINDS[stage.kind].takes(this, stage, entry)
    return true
  }

  fits(entry) {
    if (this.waiting) return KINDS.down.fits(this, this.waiting, entry)
    return !this.isOver && KINDS[this.stage.kind].fits(this, this.stage, entry)
  }

  /** What an entry says besides: a card that does not go on says that the one before was the last. */
  implied(entry) {
    const { stop: { token: stop } = {}, draws } = this.stage ?? {}
    if (draws) return rummy.mayDraw(this) && !this.fits(entry) && rummy.fits(rummy.drawn(this), this.stage, entry) ? draws[0].token : null
    if (!stop || !cardOf(entry) || this.fits(entry) || this.gone.includes(cardOf(entry))) return null
    return this.fits(stop) ? stop : null
  }

  /** Whether a card that is out could take, and may stay in its place instead. */
  get mayBePlaced() {
    const { stage } = this
    return stage?.kind === "fishing" && Object.keys(stage.numbers).some((rank) => KINDS.fishing.mayPlace(this, stage, rank))
  }

  /** Whether the seat may say something before its card. */
  get maySpeak() {
    const { said, calls } = this.stage ?? {}
    if (calls) return this.everybody.some((seat) => this.callsOf(seat).length)
    return Boolean(said) && this.wants === "card" && this.spoken !== this.seat && words(this, said).length > 0
  }

  /** Whether a mark may be said with the next card. */
  mayMark(mark) { return KINDS[this.stage.kind].mayMark?.(this, this.stage, mark) ?? (!this.lying || this.mayBePlaced) }

  /** Of an entry of several cards: whether one may be the next of them; and the entry, of all of them. */
  mayPick(picked, card) { return KINDS[this.stage.kind].mayPick(this, this.stage, picked, card) }
  /** Entries in which one is another, or was left out before one that plays a card, or is none (`instead` is empty). */
  amended(entries, at, instead) {
    const isMore = instead.length && cardOf(entries[at]) && !cardOf(instead[0]), later = new Table(this.pad), who = []
    for (const entry of entries) {
      who.push(later.seat)
      later.take(entry)
    }
    const { renumbered } = KINDS[this.stage.kind], slot = this.slot[this.seat - 1], before = isMore ? "" : entries[at], now = instead[0] ?? ""
    const rest = entries.map((entry, place) => place > at && who[place] === this.seat ? renumbered(entry, slot, before, now) : entry)
    return rest.toSpliced(at, isMore ? 0 : 1, ...instead)
  }
  refusalOf(entry) { return KINDS[this.stage?.kind]?.refusal?.(this, this.stage, entry) ?? "" }
  draftOf(picked) { return KINDS[this.stage.kind].drafted(this, this.stage, picked) }
  get marks() { return KINDS[this.stage?.kind]?.marks?.(this, this.stage) ?? [] }
  worthOf(mark) { return KINDS[this.stage.kind].worthOf(this, this.stage, mark) }
  entryOf(picked) { return KINDS[this.stage.kind].entry(this, this.stage, picked, this.pad.faces) }

  /** Combinations on the table: whether a card may be laid or added, and whether the last two sets are one. */
  mayPut(onto, picked, card) { return KINDS[this.stage.kind].mayPut(this, this.stage, onto, picked, card) }
  mayBeSix(picked) { return Boolean(KINDS[this.stage.kind].maySix?.(this, this.stage, picked)) }
  get mayAddTo() { return Boolean(this.melds) && !this.isOver && rummy.mayAdd(this) }
  get mayLay() { return Boolean(this.melds) && !this.isOver && (rummy.isFirst(this) || rummy.mayAdd(this)) }
  /** What a first lay-down is made of, by the kinds of combinations; nothing where it need not be just that. */
  get contract() { return this.stage.contracts && rummy.isFirst(this) ? rummy.contract(this, this.stage).flatMap((count, at) => Array(count).fill(["set", "run"][at])) : null }

  /** What a card may be played as besides itself. */
  faces(card) { return KINDS[this.stage?.kind]?.faces?.(this, this.stage, card) ?? [] }

  /** What a seat may say whoever is to act, and what the seat that is asked may answer. */
  callsOf(seat) { return KINDS[this.stage?.kind]?.callsOf?.(this, this.stage, seat) ?? [] }
  get maySay() { return this.wants === "answer" ? KINDS[this.stage.kind].saysOf(this, this.stage) : [] }

  get everybody() { return Array.from({ length: this.seats }, (_one, at) => at + 1) }
  get mayStop() { return Boolean(KINDS[this.stage?.kind]?.mayStop?.(this)) }

  /** A trick is whole: who leads may be corrected. */
  get isBetween() { return this.trick.length === this.seats && Boolean(KINDS[this.stage?.kind]?.hasTricks) && (this.played > 0 || this.stage.leads === "winner") }

  /** All cards of a round have been played: of a game of several rounds it may end early. */
  get isWhole() { return !this.isOut && !this.waiting && (this.round > this.pad.rounds || (this.has("gives") && this.wasWhole && this.isFresh)) }
  get isFresh() { return this.stage?.kind === "tricks" && this.played === 0 }

  get wants() {
    if (this.isOut) return "out"
    if (this.isOver) return this.waiting ? "down" : "end"
    return KINDS[this.stage.kind].wants(this, this.stage)
  }
}

/**
 * The table after these entries. `seat`: who is to act; `trick`: seats and cards; `tricks`: by seat, as they were taken
 * or given; `gone`: the cards that have been played in this round; `wants`: what comes next, "turned", "said", "given",
 * "card", "down", "out" where nobody plays, or "end".
 */
export function tableAfter(pad, entries) {
  const table = new Table(pad)
  for (const entry of entries) table.take(entry)
  if (table.waiting) table.seat = table.waiting.seat
  return table
}

/** What is sent: without what only helps to show whose turn it is, and what lay face down in its place. */
export const actions = (pad, entries) => tableAfter(pad, entries).actions.map((one) => one.whole ? one.whole(one.entry) : one.entry ?? one)

/** The place of the first entry that can no longer be. −1 where all fit. */
export function misfit(pad, entries) {
  const table = new Table(pad)
  return entries.findIndex((entry) => !table.take(entry))
}

/**
 * The first card that somebody played though another had to be, as later tricks of the same seat tell: its place (`at`),
 * the trick, and the place of the other card (`later`). It asks nobody for a hand. Nothing where all may be.
 */
export function revoked(pad, entries) {
  const table = new Table(pad), plays = []
  for (const [at, entry] of entries.entries()) {
    const { stage, seat, round, trumps, seats } = table, card = cardOf(entry)
    const lies = table.trick.length < seats ? table.trick.map((one) => one.card) : []
    if (card && stage?.duty) plays.push({ at, seat, round, card, lies, stage, trumps, trick: Math.floor(table.played / seats) + 1 })
    // from here on nobody knows who played what
    if (!table.take(entry)) break
  }
  for (const play of plays) {
    const { stage, trumps, lies } = play, kind = (card) => kindOf(stage, trumps, card), asked = lies.map(kind).find(Boolean), own = kind(play.card)
    if (!asked || !own || own === asked) continue
    const held = plays.filter((one) => one.seat === play.seat && one.round === play.round && one.at > play.at)
    const isSpared = lies.some((card) => kind(card) === TRUMPS) && held.every(({ card }) => kind(card) !== TRUMPS || -placed(stage, trumps, card).strength < (stage.spared ?? 0))
    const wanted = (one) => held.find(({ card }) => kind(card) === one && !(one === TRUMPS && isSpared))
    const other = wanted(asked) ?? (stage.duty === "trump" && own !== TRUMPS ? wanted(TRUMPS) : undefined)
    if (other) return { ...play, later: other.at, other: other.card }
  }
  return undefined
}

const TRUMPS = "trumps"

/** The suit as which a card counts; "" for one that is free. */
function kindOf(stage, trumps, card) {
  if (stage.alone?.[card]) return ""
  const { suit, isTrump } = placed(stage, trumps, card)
  return isTrump ? TRUMPS : suit
}

/** What a seat may have laid face down: what nobody has played, or what those it was given to have. */
export function faceDown({ pad, by, open, lent, later, waiting }, picked, faces) {
  if (waiting.stage.given) {
    const to = (waiting.seat - 1 + (picked.length + 1) * pad.turn + pad.seats * 2) % pad.seats
    return faces.filter((card) => by[to].includes(card))
  }
  const told = later.flatMap(({ stage, entry }) => entry && entry !== stage.nothing ? entry.slice(stage.verb.length + 1).split(",") : [])
  const seen = [...by.flat(), ...open, ...lent, ...told, ...picked]
  return faces.filter((card) => count(seen, card) < copiesOf(pad, card))
}
