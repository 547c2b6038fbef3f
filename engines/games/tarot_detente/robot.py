"""Tarot double détente and Triple-Détente: a sensible robot."""

from collections.abc import Sequence

from ...tricks import would_take
from .cards import EXCUSE, PACK, TRUMPS, Part, strength_with
from .play import ALL, CONTRACTS, DetenteView


def suggestion(view: DetenteView, legal: Sequence[str]) -> str:
    """Bids its likely tricks; then wins while it needs tricks, and ducks when it has enough."""
    hand = view.hand
    if view.phase == CONTRACTS.name:
        bids = {int(action[4:]): action for action in legal if ALL not in action}
        likely = likely_tricks(hand, len(view.tricks))
        return bids[min(bids, key=lambda count: abs(count - likely))]
    needs = (view.contracts[view.index] or 0) - view.tricks[view.index]
    strength = strength_with(Part((), view.pile("turned").shown).reversed_suit)
    cards = sorted((PACK.plays[action] for action in legal), key=strength.__getitem__)
    trick = [PACK.card(one.card) for one in view.unfinished]
    led = next((PACK.suit_of[card] for card in trick if card != EXCUSE), 0)
    if not trick:
        return f"play:{PACK.token(cards[-1] if needs > 0 else cards[0])}"
    winning = would_take(cards, trick, led | TRUMPS, strength)
    losing = [card for card in cards if card not in winning]
    if needs > 0:
        return f"play:{PACK.token(winning[0] if winning else cards[0])}"
    return f"play:{PACK.token(losing[-1] if losing else cards[0])}"


def likely_tricks(hand: Sequence[str], seats: int) -> int:
    trumps = sum(0.6 for card in hand if card[-1] == "T" and card != "EX" and int(card[:-1]) > 7)
    kings = sum(0.6 for card in hand if card[0] == "K" and card[-1] in PACK.suit_letters)
    return round(trumps + kings + (1 if seats == 2 else 0))
