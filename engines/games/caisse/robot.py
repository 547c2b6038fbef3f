"""Caisse: a sensible robot."""

from collections.abc import Sequence

from ...cards import CardSet
from ...tricks import strongest_or_cheapest, would_take
from .cards import BID_ORDER, PACK, STRENGTH, TRUMP_POINTS, VALUE
from .marks import MISERE
from .play import EXCHANGE, FIRST, PASS, SECOND, SWAP, TAKE, TAKE_IT, THIRD, VALIDATION, CaisseView


def suggestion(view: CaisseView, legal: Sequence[str]) -> str:
    """Takes on strong trumps, announces what it holds, and wins valuable tricks."""
    hand, phase = PACK.cards(view.hand), view.phase
    if phase == FIRST.name:
        return TAKE if worth(hand, view.pile("proposed").shown[0][1]) >= 45 else PASS
    if phase == SECOND.name:
        bids = {action: worth(hand, action[4:]) for action in legal if action[4:] in BID_ORDER[:-1]}
        best = max(bids, key=bids.__getitem__, default=PASS)
        return best if bids.get(best, 0) >= 40 else PASS
    if phase == THIRD.name:
        low = sum(token[0] in "789J" for token in view.hand)
        return "bid:misere" if low >= 8 else PASS
    if phase == EXCHANGE.name:
        for wish in (SWAP, TAKE_IT):
            if wish in legal:
                return wish
        return legal[0]
    if phase == VALIDATION.name:
        return VALIDATION.nothing
    for wish in ("say:suite", "say:carre"):
        if wish in legal:
            return wish
    plays = [action for action in legal if action in PACK.plays]
    if not plays:
        return next(action for action in ("no", "accept", PASS) if action in legal)
    return f"play:{PACK.token(card_to_play(view, [PACK.plays[action] for action in plays]))}"


def card_to_play(view: CaisseView, cards: list[CardSet]) -> CardSet:
    trump = view.trump
    strength, value = STRENGTH[trump], VALUE[trump]
    cards.sort(key=strength.__getitem__)
    loses = view.game == MISERE and view.declarer == view.seat
    trick = [PACK.card(one.card) for one in view.unfinished]
    contending = PACK.suits(trump or "") | (PACK.suit_of[trick[0]] if trick else 0)
    if not loses:
        return strongest_or_cheapest(cards, trick, contending, strength, value.__getitem__)
    winning = would_take(cards, trick, contending, strength)
    ducking = [card for card in cards if card not in winning]
    return (ducking or cards)[-1] if trick else cards[0]


def worth(hand: CardSet, trump: str) -> int:
    """A rough count: trumps at their points and five each, and aces."""
    trumps = sum(5 + TRUMP_POINTS[token[0]] for token in PACK.tokens(hand & PACK.suit(trump)))
    return trumps + 8 * (hand & PACK.rank("A") & ~PACK.suit(trump)).bit_count()
