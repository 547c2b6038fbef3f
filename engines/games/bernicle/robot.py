"""Bernicle: a sensible robot."""

from collections.abc import Sequence

from ...cards import CardSet, lowest
from ...tricks import strongest_or_cheapest
from .cards import CARD_POINTS, PACK, STRENGTH, TENS_AND_ACES, TRICKS
from .combinations import best_declaration, worth_of
from .play import AUCTION, BEST, COMBINATIONS, EXCHANGE, NAMING, PASS, BernicleView
from .sheet import LETTERS


def suggestion(view: BernicleView, legal: Sequence[str]) -> str:
    """Bids what its combinations and strong cards promise, lays aside what serves in neither, declares
    everything it has, and wins valuable tricks."""
    hand = PACK.cards(view.hand)
    if view.phase == AUCTION.name:
        bids = [action for action in legal if action != PASS]
        best = max(promise(hand, suit) for suit in LETTERS)
        return bids[0] if int(bids[0][4:]) <= best or PASS not in legal else PASS
    if view.phase == NAMING.name:
        return f"trump:{max(LETTERS, key=lambda suit: promise(hand, suit))}"
    trump = view.trump or ""
    if view.phase == EXCHANGE.name:
        order = sorted(view.hand, key=lambda token: (use_of(token, hand, trump), token))
        return f"discard:{','.join(order[: len(order) - TRICKS])}"
    if view.phase == COMBINATIONS.name:
        return BEST
    strength = STRENGTH[trump]
    cards = sorted((lowest(PACK.plays[action]) for action in legal), key=strength.__getitem__)
    trick = [lowest(PACK.card(one.card)) for one in view.unfinished]
    contending = PACK.suit(trump) | (PACK.suit_of[trick[0]] if trick else 0)
    card = strongest_or_cheapest(cards, trick, contending, strength, CARD_POINTS.__getitem__)
    return f"play:{PACK.token(card)}"


def promise(hand: CardSet, trump: str) -> int:
    """A rough count of the points that a hand makes with a trump suit."""
    strong = 12 * (hand & TENS_AND_ACES).bit_count() + 8 * (hand & PACK.suit(trump)).bit_count()
    return worth_of(best_declaration(hand, trump), trump) + strong


def use_of(token: str, hand: CardSet, trump: str) -> int:
    """How much a card is missed: in combinations, as a trump, as a strong card."""
    without = hand & ~lowest(hand & PACK.card(token))
    lost = worth_of(best_declaration(hand, trump), trump) - worth_of(best_declaration(without, trump), trump)
    return lost + 15 * (token[1] == trump) + {"A": 30, "T": 20, "J": 12, "Q": 12, "K": 5}.get(token[0], 0)
