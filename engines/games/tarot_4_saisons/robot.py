"""Tarot 4 saisons: a sensible robot."""

from collections.abc import Sequence

from ...cards import CardSet
from ...tricks import strongest_or_cheapest, would_take
from .cards import EXCUSE, KINGS, NOT_TO_THE_DOG, PACK, SEATS, STRENGTH, TRICKS, TRUMPS, card_points
from .play import AUCTION, CONTRACT, CONTRE, DISCARD, LEAD_FOREHAND, LEAD_ME, MISERE, PASS, SUITE, SaisonsView


def suggestion(view: SaisonsView, legal: Sequence[str]) -> str:
    """Bids on trumps and kings, keeps them, and wins valuable tricks as cheaply as it can."""
    hand = PACK.cards(view.hand)
    phase = view.phase
    if phase == AUCTION.name:
        return call_on(hand, legal)
    if phase == DISCARD.name and legal[0].startswith("discard:"):
        weak = sorted(PACK.in_order(hand & ~NOT_TO_THE_DOG), key=lambda token: keeping(token, hand))
        chosen = weak[: len(view.pile("turned").shown)]
        return f"discard:{','.join(sorted(chosen, key=PACK.order.index))}"
    if phase in {DISCARD.name, CONTRE.name}:
        return legal[0] if phase == DISCARD.name else PASS
    if phase == CONTRACT.name:
        return legal[0]
    if phase == SUITE.name:
        return legal[-1]
    if legal[0] in {LEAD_ME, LEAD_FOREHAND}:
        return LEAD_ME
    trick = [PACK.card(one.card) for one in view.unfinished]
    cards = sorted((PACK.plays[action] for action in legal if action != "play:EX"), key=STRENGTH.__getitem__)
    if not cards or ("play:EX" in legal and view.gathered == TRICKS - 3):  # later it would cost
        return "play:EX"
    contending = TRUMPS | next((PACK.suit_of[card] for card in trick if card != EXCUSE), 0)
    if len(trick) == SEATS - 1:
        cards = would_take(cards, trick, contending, STRENGTH)[:1] or cards
    card = strongest_or_cheapest(cards, trick, contending, STRENGTH, card_points)
    return f"play:{PACK.token(card)}"


def call_on(hand: CardSet, legal: Sequence[str]) -> str:
    if MISERE in legal:
        return MISERE
    strength = sum(2 if STRENGTH[PACK.card(token)] > STRENGTH[PACK.card("13T")] else 1
                   for token in PACK.tokens(hand & TRUMPS))  # fmt: skip
    strength += 2 * (hand & KINGS).bit_count() + (hand & PACK.rank("Q")).bit_count()
    for least, bid in ((21, "bid:tout-clair"), (19, "bid:sans-voir"), (14, "bid:3"), (12, "bid:tout")):
        if strength >= least and bid in legal:
            return bid
    return PASS


def keeping(token: str, hand: CardSet) -> int:
    """How much a card is worth keeping: trumps most; in a suit, high cards and long suits."""
    if token[-1] == "T":
        return 100 + int(token[:-1])
    company = (hand & PACK.suit(token[-1])).bit_count()
    return 10 * PACK.rank_letters.index(token[0]) + company
