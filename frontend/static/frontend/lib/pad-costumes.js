/**
 * Games in which a Démon is played as another card, and any seat may speak at any time: what all see of them, from a
 * pad as plain data (docs/forms.md).
 */
import { cardOf, count, faceOf, leftOf, LEADS, PLAY, rankOf, suitOf, tokenOf } from "lib/pad-entries.js"

const SHOWN = "@"

/** The Démons, from the weakest. */
const demonsOf = (table, stage) => stage.demons[table.trumps] ?? stage.demons[""] ?? []

/** The cards that lie face up, after one has been taken, and perhaps another put there. */
function traded(table, take, give) {
  table.open = table.open.toSpliced(table.open.indexOf(take), 1, ...(give ? [give] : []))
}

// ── Before the first card ──

export const showing = {
  begins(table) {
    Object.assign(table, { seat: table.next(table.dealer), spoken: 0 })
    return true
  },
  /** The cards shown and taken: `@swap:6S+6H>KH`. */
  parts: ({ verb }, entry) => entry.slice(SHOWN.length + verb.length + 1).split(">").map((one) => one.split("+")),
  takes(table, stage, entry) {
    if (entry !== stage.nothing) {
      const [shown, taken] = this.parts(stage, entry), { seat } = table
      for (const card of taken) traded(table, card)
      table.later.push({
        stage: { kind: "given", verb: "gave", count: taken.length }, seat,
        whole: (gave) => `${stage.verb}:${shown.join("+")};${gave.slice("gave:".length).split(",").map((card, at) => `${card}>${taken[at]}`).join()}`,
      })
      table.actions.push(table.later.at(-1))
    }
    table.seat = table.next(table.seat)
    if (++table.spoken === table.seats) table.goOn()
  },
  wants: () => "shows",
  fits(table, stage, entry) {
    if (entry === stage.nothing) return true
    if (!entry.startsWith(`${SHOWN}${stage.verb}:`)) return false
    const [shown, taken = []] = this.parts(stage, entry)
    return shown.length > 1 && taken.length > 0 && taken.length < shown.length
      && shown.every((card) => this.mayPick(table, stage, [], card) && !table.open.includes(card))
      && taken.every((card) => count(taken, card) <= count(table.open, card))
  },
  /** What lies there may be taken, and what is of the rank shown. */
  mayPick(table, stage, picked, card) {
    if (table.open.includes(card)) return count(picked, card) < count(table.open, card)
    return rankOf(card) === stage.rank && leftOf(table, card) > count(picked, card)
  },
  entry({ open }, { verb }, picked, faces) {
    const sorted = [...picked].sort((one, other) => faces.indexOf(one) - faces.indexOf(other))
    return `${SHOWN}${verb}:${sorted.filter((card) => !open.includes(card)).join("+")}>${sorted.filter((card) => open.includes(card)).join("+")}`
  },
}

/** One card for another that lies face up: first what is given, then what is taken. */
const oneForOne = {
  entry: (_table, { verb }, [give, take]) => `${verb}:${give}>${take}`,
  parts: ({ verb }, entry) => entry.startsWith(`${verb}:`) ? entry.slice(verb.length + 1).split(">") : [],
}

export const trading = {
  ...oneForOne,
  begins(table, stage) {
    Object.assign(table, { seat: table.dealer, robbed: "" })
    if (table.open.some((card) => this.mayTake(table, stage, card))) return true
    table.actions.push(stage.nothing)
    return false
  },
  demons: ({ pad, trumps }) => pad.stages.find((one) => one.kind === "costumes").demons[trumps] ?? [],
  mayTake(table, stage, take) {
    const suit = suitOf(take)
    return this.demons(table).includes(take) && [stage.always, table.trumps].includes(suit) && (stage.again || !table.robbed.includes(suit))
  },
  takes(table, stage, entry) {
    if (entry === stage.nothing) return table.goOn()
    const [give, take] = this.parts(stage, entry)
    traded(table, take, give)
    table.robbed += suitOf(take)
  },
  wants: () => "trades",
  fits(table, stage, entry) {
    const [give, take] = this.parts(stage, entry)
    return entry === stage.nothing || Boolean(take) && this.mayPick(table, stage, [], give) && this.mayPick(table, stage, [give], take)
  },
  mayPick(table, stage, [give], card) {
    if (give) return table.open.includes(card) && suitOf(card) === suitOf(give) && this.mayTake(table, stage, card)
    return leftOf(table, card) > 0 && !this.demons(table).includes(card) && table.open.some((one) => suitOf(one) === suitOf(card) && this.mayTake(table, stage, one))
  },
}

/** The player of the strongest Démon trades a card, or not. */
const afterwards = {
  ...oneForOne,
  mayPick: (table, _stage, [give], card) => give ? table.open.includes(card) : leftOf(table, card) > 0,
}

// ── What any seat may say at any time ──

const TALKS = {
  wagers: {
    begins: () => ({ opened: [], out: [], now: null }),
    calls({ played, talks: { opened, out } }, { opens, first }, seat) {
      return Object.keys(opens).filter((kind) => played <= opens[kind] && !opened.includes(kind) && !out.includes(seat) && (kind !== first || !opened.length))
    },
    says: (table, { answers: [concede, hold, raise], levels }) => table.talks.now.level < levels ? [concede, hold, raise] : [concede, hold],
    others: (table, seat) => [table.next(seat), table.next(seat, 2)].filter((one) => !table.talks.now.out.includes(one)),
    opens(table, _talk, seat, kind) {
      const { talks } = table
      talks.opened.push(kind)
      talks.now = { kind, level: 1, out: [...talks.out] }
      talks.now.waiting = this.others(table, seat)
    },
    answers(table, { answers: [concede, _hold, raise] }, seat, answer) {
      const { now } = table.talks
      if (answer === concede) now.out.push(seat)
      if (answer === raise) Object.assign(now, { level: now.level + 1, waiting: this.others(table, seat) })
      else now.waiting.shift()
    },
    ends(table, { first }) {
      if (table.talks.now.kind === first) table.talks.out = table.talks.now.out
    },
  },

  objectives: {
    begins: ({ seats }, { names }) => ({
      now: null,
      of: Object.fromEntries(names.map((name) => [name, { stake: 1, isOut: Array(seats).fill(false), isIn: Array(seats).fill(true), engaged: Array(seats).fill(0), last: 0, isResolved: false }])),
    }),
    contenders: ({ isOut }) => isOut.map((one, at) => one ? 0 : at + 1).filter(Boolean),
    calls(table, { names, verbs: [bet, push, concede] }, seat) {
      return names.flatMap((name) => {
        const one = table.talks.of[name]
        if (one.isResolved || one.isOut[seat - 1]) return []
        if (!one.isIn[seat - 1]) return [`${concede}:${name}`]
        if (one.stake === 1) return [`${bet}:${name}`, `${concede}:${name}`]
        return one.stake === 2 && one.last !== seat ? [`${push}:${name}`, `${concede}:${name}`] : [`${concede}:${name}`]
      })
    },
    says({ talks: { now } }, { answers: [hold, good, push, silent] }) {
      if (now.waiting.length === 2) return [hold, good]
      const pushes = now.level === 2 ? [push] : []
      return Object.values(now.said)[0] === hold ? [silent, ...pushes] : [hold, good, ...pushes]
    },
    opens(table, talk, seat, call) {
      const [verb, name] = call.split(":"), one = table.talks.of[name]
      table.crossOff?.(name, seat)
      if (verb === talk.verbs[2]) {
        one.isOut[seat - 1] = true
        const contenders = this.contenders(one)
        if (contenders.length === 1) this.resolve(table, talk, name, contenders[0])
        else table.goesOn?.()
      } else this.propose(table, name, seat)
    },
    propose(table, name, seat) {
      const one = table.talks.of[name]
      table.talks.now = { name, by: seat, level: one.stake + 1, said: {}, waiting: [table.next(seat), table.next(seat, 2)].filter((other) => !one.isOut[other - 1]) }
    },
    answers(table, talk, seat, answer) {
      const { now } = table.talks
      if (answer === talk.answers[2]) {
        this.settle(table, talk)
        return this.propose(table, now.name, seat)
      }
      now.said[seat] = answer
      now.waiting.shift()
    },
    settle({ talks: { now, of } }, { answers: [hold, good] }) {
      const one = of[now.name]
      for (const seat of one.isOut.keys()) {
        const said = now.said[seat + 1]
        if (seat + 1 === now.by || said === hold) one.engaged[seat] = now.level
        else if (said === good) {
          one.isIn[seat] = false
          one.isOut[seat] = !one.engaged[seat]
        }
      }
      Object.assign(one, { stake: now.level, last: now.by })
    },
    ends(table, talk) {
      const { now } = table.talks
      if (!Object.values(now.said).includes(talk.answers[0])) return this.resolve(table, talk, now.name, now.by)
      this.settle(table, talk)
      table.goesOn?.()
    },
    resolve(table, { decided }, name, seat) {
      table.talks.of[name].isResolved = true
      if (name === decided) costumes.stops(table, seat)
      else table.goesOn?.()
    },
  },
}

// ── The tricks ──

export const costumes = {
  hasTricks: true,
  begins(table, stage) {
    const seat = table.next(table.dealer)
    Object.assign(table, { seat, leader: seat, turn: seat, trick: [], tricks: Array(table.seats).fill(0), played: 0, winner: 0, asks: "card", lent: [], marked: {} })
    Object.assign(table, { todo: [], disputed: {}, crossOff: null, goesOn: null, strongest: stage.trades && demonsOf(table, stage).findLast((card) => !table.turned.includes(card)) })
    table.talks = TALKS[stage.talk.kind].begins(table, stage.talk)
    return true
  },
  takes(table, stage, entry) {
    const token = tokenOf(entry), talk = TALKS[stage.talk.kind]
    if (table.asks === "answer") {
      talk.answers(table, stage.talk, table.seat, token)
      this.asksOn(table, stage)
    } else if (this.isCall(stage, token)) {
      table.asked = table.asks
      talk.opens(table, stage.talk, Number(entry[0]), token)
      this.asksOn(table, stage)
    } else if (entry.startsWith(LEADS)) {
      table.win(-1)
      table.winner = table.seat = table.turn = Number(entry.slice(LEADS.length))
      table.win(1)
    } else if (table.asks === "devil") {
      if (token !== stage.stays) traded(table, ...oneForOne.parts({ verb: stage.trades }, token).toReversed())
      Object.assign(table, { asks: "card", seat: table.turn })
    } else if (table.asks === "exposes") this.expose(table, stage, token)
    else this.play(table, stage, token)
  },
  /** Who still has to answer; or the play goes on where it was. */
  asksOn(table, stage) {
    const { now } = table.talks
    if (now?.waiting.length) return Object.assign(table, { asks: "answer", seat: now.waiting[0] })
    Object.assign(table, { asks: table.asked, seat: table.turn })
    if (!now) return
    TALKS[stage.talk.kind].ends(table, stage.talk)
    table.talks.now = null
  },
  play(table, stage, token) {
    const card = cardOf(token), face = faceOf(token), { seats, seat } = table
    if (table.trick.length === seats) table.trick = []
    table.trick.push({ seat, card, face })
    table.by[seat - 1].push(card)
    table.gone.push(card)
    if (stage.borrows && face !== card) {
      table.lent.push(face)
      traded(table, face)
    }
    const mark = token.split("!")[1]?.split(":")[0]
    table.marked[seat] = stage.apart && table.marked[seat] ? [...table.marked[seat], mark] : [mark]
    table.played++
    table.seat = table.turn = table.next(seat)
    if (table.trick.length < seats) return
    table.winner = table.seat = table.turn = this.taking(table, stage)
    table.win(1)
    if (table.tricks[table.winner - 1] === stage.enough || table.played === stage.cards) {
      const { decided } = stage.talk
      if (!decided) return table.goOn()
      table.talks.of[decided].isResolved = true
      return this.stops(table, table.winner)
    }
    const devil = table.trick.find((one) => one.card === table.strongest)
    if (devil && table.open.length) Object.assign(table, { asks: "devil", seat: devil.seat })
  },
  taking(table, stage) {
    const demons = demonsOf(table, stage), led = suitOf(table.trick[0].face), order = [...stage.order]
    const powers = table.trick.map(({ card, face }) => {
      const strength = demons.indexOf(card) + 1
      if (stage.borrows && strength && card === face) return 1e6 + strength
      return (suitOf(face) === table.trumps ? 2e4 : suitOf(face) === led ? 1e4 : 0) + 100 * order.indexOf(rankOf(face)) + strength
    })
    return table.trick[powers.indexOf(Math.max(...powers))].seat
  },

  /** No further card is played: what each has is shown in turn, where somebody has cards. */
  stops(table, seat) {
    const stage = table.stage, talk = stage.talk
    if (table.played < table.pad.cards) table.isOut = table.isWon = true
    if (table.isOut || table.played === stage.cards) return table.goOn()
    const tasks = (who) => talk.names.filter((name) => !table.talks.of[name].isResolved && !table.talks.of[name].isOut[who - 1])
    const goOn = () => {
      const own = tasks(table.turn)
      table.todo = table.todo.filter((name) => own.includes(name))
      if (talk.names.every((name) => table.talks.of[name].isResolved)) return table.goOn()
      while (!table.todo.length) table.todo = tasks(table.turn = table.next(table.turn))
      Object.assign(table, { asks: "exposes", seat: table.turn })
    }
    Object.assign(table, {
      asked: "exposes", turn: seat, todo: tasks(seat), goesOn: goOn,
      crossOff(name, who) {
        table.disputed[name] = []
        if (who === table.turn) table.todo = table.todo.filter((one) => one !== name)
      },
    })
    goOn()
  },
  expose(table, stage, token) {
    const [, name, cards] = token.split(":"), one = table.talks.of[name], seat = table.turn
    if (cards) {
      table.disputed = {}
      for (const card of cards.split(",")) {
        table.by[seat - 1].push(card.split("=")[0])
        table.gone.push(card.split("=")[0])
      }
    } else table.disputed[name] = [...new Set([...table.disputed[name] ?? [], seat])]
    table.todo = table.todo.filter((other) => other !== name)
    if (TALKS.objectives.contenders(one).every((who) => table.disputed[name]?.includes(who))) one.isResolved = true
    table.goesOn()
  },

  isCall: ({ calls }, token) => calls.some((one) => one.token === token),
  /** What a seat may say, whoever is to act. */
  callsOf(table, stage, seat) { return ["card", "exposes"].includes(table.asks) ? TALKS[stage.talk.kind].calls(table, stage.talk, seat) : [] },
  saysOf(table, stage) { return TALKS[stage.talk.kind].says(table, stage.talk) },
  wants: ({ asks }) => asks,
  fits(table, stage, entry) {
    const token = tokenOf(entry)
    if (table.asks === "answer") return this.saysOf(table, stage).includes(token)
    if (this.isCall(stage, token)) return this.callsOf(table, stage, Number(entry[0])).includes(token)
    if (table.asks === "devil") {
      const [give, take] = oneForOne.parts({ verb: stage.trades }, token)
      return token === stage.stays || Boolean(take) && afterwards.mayPick(table, stage, [], give) && afterwards.mayPick(table, stage, [give], take)
    }
    if (table.asks === "exposes") {
      const [verb, name, cards] = token.split(":")
      return verb === stage.talk.exposes && name === table.todo[0] && (cards?.split(",") ?? []).every((card) => this.mayWear(table, stage, ...card.split("=")))
    }
    if (entry.startsWith(LEADS)) return table.isBetween
    return token.startsWith(PLAY) && this.mayWear(table, stage, cardOf(token), faceOf(token))
  },
  mayWear(table, stage, card, face = card) { return leftOf(table, card) > 0 && (face === card || this.faces(table, stage, card).includes(face)) },
  /** What a card may be played as besides itself. */
  faces(table, stage, card) {
    const demons = demonsOf(table, stage), { trick, pad } = table
    if (!demons.includes(card) || !["card", "exposes"].includes(table.asks)) return []
    if (!stage.borrows) return pad.faces.filter((face) => face !== card)
    const isLed = trick.length % table.seats > 0 && trick[0].card === trick[0].face && demons.includes(trick[0].card)
    return isLed ? [] : table.open.filter((face) => !demons.includes(face))
  },
  /** A combination goes on where it has begun. */
  mayMark(table, stage, mark) { return !mark.endsWith(stage.more) || (table.marked[table.seat] ?? []).includes(mark.slice(1).split(":")[0]) },
  mayPick: (table, stage, picked, card) => afterwards.mayPick(table, stage, picked, card),
  entry: (table, { trades }, picked) => oneForOne.entry(table, { verb: trades }, picked),
}
