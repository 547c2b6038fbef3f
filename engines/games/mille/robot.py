"""Mille: a sensible robot."""

from collections.abc import Sequence

from ...cards import CardSet
from ...tricks import strengths, would_take
from .cards import COUPLES, MARRIAGE, MARRIED, PACK, POINTS, marriages_in
from .play import AUCTION, EXCHANGE, PASS, MilleView

STRENGTH = {trump: strengths(PACK, PACK.rank_letters, trump) for trump in ("", *PACK.suit_letters)}


def suggestion(view: MilleView, legal: Sequence[str]) -> str:
    """Bids what aces, tens and marriages promise; gives away its lowest cards; announces marriages;
    wins valuable tricks and throws cheap cards on lost ones."""
    hand = PACK.cards(view.hand)
    if view.phase == AUCTION.name:
        bids = [action for action in legal if action.startswith("bid:")]
        if PASS not in legal:
            return bids[0]
        return bids[0] if bids and int(bids[0][4:]) <= worth(hand) else PASS
    if view.phase == EXCHANGE.name:
        single = [token for token in view.hand if not in_couple(hand, token)] or view.hand
        low = sorted(single, key=lambda token: POINTS[token[0]])
        return f"give:{low[0]},{low[1]}" if len(low) > 1 else str(legal[-1])
    married = [action for action in legal if action.endswith(MARRIED)]
    if married:
        return max(married, key=lambda action: MARRIAGE[action.removesuffix(MARRIED)[-1]])
    trick = view.unfinished
    cards = sorted((action[5:] for action in legal), key=lambda token: POINTS[token[0]])
    if not trick:
        return f"play:{cards[-1]}"
    trump = view.trump or ""
    laid = [PACK.card(one.card) for one in trick]
    contending = PACK.suits(trump) | PACK.suit_of[laid[0]]
    winning = would_take(map(PACK.card, cards), laid, contending, STRENGTH[trump])
    return f"play:{PACK.token(winning[-1]) if winning else cards[0]}"


def in_couple(hand: CardSet, token: str) -> bool:
    both = COUPLES[PACK][token[1]]
    return token[0] in "QK" and hand & both == both


def worth(hand: CardSet) -> int:
    promised = sum(18 * bool(hand & PACK.card(f"A{suit}")) for suit in MARRIAGE)
    promised += sum(MARRIAGE[suit] for suit in marriages_in(PACK, hand))
    return promised + 5 * (hand & PACK.rank("T")).bit_count()
