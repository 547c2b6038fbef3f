/** What the entries of a pad are made of. */

export const PLAY = "play:", TURNED = "@turned:", LEADS = "@leads:", STUCK = "@stuck" // what begins with @ stays on the phone

export const rankOf = (card) => card.slice(0, -1)
export const suitOf = (card) => card.at(-1)
export const count = (cards, card) => cards.filter((one) => one === card).length

/** Without the seat that an entry may begin with. */
export const tokenOf = (entry) => entry.replace(/^\d /, "")

/** The card of an entry; nothing where it plays none. */
export const cardOf = (entry) => entry.startsWith(PLAY) ? entry.slice(PLAY.length).split(/[!=#]/)[0] : ""

/** What a card shows: itself, or what it poses as. */
export const faceOf = (entry) => {
  const [card, face] = entry.slice(PLAY.length).split("!")[0].split("=")
  return face ?? card
}

export const copiesOf = ({ once, counts, copies }, card) => counts[card] ?? (once.includes(card) ? 1 : copies)

/** How many of a card nobody has played, nor lie face up. */
export const leftOf = ({ pad, gone, open }, card) => copiesOf(pad, card) - count([...gone, ...open], card)
