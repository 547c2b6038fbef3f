"""Bridgette: a sensible robot."""

from collections.abc import Sequence

from ...cards import CardSet
from .cards import CALLED, COLONS, DENOMINATIONS, HAND, PACK, STRENGTH, beaters
from .play import AUCTION, CONTRE, EXCHANGE, PASS, BridgetteView


def suggestion(view: BridgetteView, legal: Sequence[str]) -> str:
    """Keeps long suits, honours and Colons; bids what its tricks are worth; wins as cheaply as it can."""
    hand = PACK.cards(view.hand)
    if view.phase == EXCHANGE.name:
        order = sorted(PACK.in_order(hand), key=lambda token: keeping(token, hand))
        return EXCHANGE.token(EXCHANGE.in_order(order[: hand.bit_count() - HAND]))
    if view.phase == AUCTION.name:
        return call(hand, legal)
    contract = view.contract or ""
    trump = 0 if contract.endswith("SA") else PACK.suit(contract[1])
    cards = sorted((PACK.plays[action] for action in legal), key=lambda card: power(card, trump))
    if len(view.trick) != 1:
        return f"play:{PACK.token(cards[-1])}"
    led = PACK.card(view.trick[0].card)
    winning = [card for card in cards if card & beaters(trump)[led.bit_length()]]
    return f"play:{PACK.token((winning or cards)[0])}"


def power(card: CardSet, trump: CardSet) -> int:
    """How high a card is: trumps above all, a Colon in the middle."""
    return 6 if card & COLONS else STRENGTH[card] + (20 if card & trump else 0)


def keeping(token: str, hand: CardSet) -> int:
    card = PACK.card(token)
    if card & COLONS:
        return 12
    return STRENGTH[card] + 2 * (hand & PACK.suit_of[card]).bit_count()


def call(hand: CardSet, legal: Sequence[str]) -> str:
    """The cheapest bid that its likely tricks allow, in the denomination where it counts most of them."""
    likely = {denomination: tricks(hand, denomination) for denomination in DENOMINATIONS}
    bids = [
        (likely[CALLED[action][1]], action)
        for action in legal
        if action in CALLED and CALLED[action][0] + 6 <= likely[CALLED[action][1]]
    ]
    if bids:
        best = max(worth for worth, _ in bids)
        return next(action for worth, action in bids if worth == best)
    return CONTRE if CONTRE in legal and max(likely.values()) >= 8.5 else PASS


def tricks(hand: CardSet, denomination: str) -> float:
    """A rough count: honours, and length in trumps."""
    honours = sum({"A": 1.1, "K": 0.9, "Q": 0.6, "J": 0.4}.get(token[0], 0.1)
                  for token in PACK.tokens(hand & ~COLONS))  # fmt: skip
    trumps = 0 if denomination == "SA" else (hand & PACK.suit(denomination)).bit_count()
    return honours + max(0, trumps - 2) * 0.9
