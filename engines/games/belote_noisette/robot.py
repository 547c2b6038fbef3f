"""Belote Noisette: a sensible robot."""

from collections.abc import Sequence

from .cards import BELOTE, RANKS, TRUMP_ORDER, TRUMP_POINTS
from .play import PASS, PLAY, NoisetteView


def suggestion(view: NoisetteView, legal: Sequence[str]) -> str:
    """Takes with a strong suit of trumps, says every belote, wins dear tricks, throws cheap cards."""
    if view.phase != PLAY.name:
        turned = view.pile("turned").shown
        takes = [action for action in legal if action != PASS]
        best = max(takes, key=lambda action: worth(view.hand + turned, action[-1]))
        return best if PASS not in legal or worth(view.hand + turned, best[-1]) >= 44 else PASS
    said = [action for action in legal if action.endswith(BELOTE)]
    if said:
        return said[0]

    def power(card: str) -> int:
        if card[1] == view.trump:
            return 100 + TRUMP_ORDER.index(card[0])
        return RANKS.index(card[0])

    cards = sorted((action[5:] for action in legal), key=power)
    trick = [one.card for one in view.unfinished]
    if not trick:
        return f"play:{cards[-1]}"
    contending = [card for card in trick if card[1] in (trick[0][1], view.trump)]
    best_power = max(power(card) for card in contending)
    winning = [card for card in cards if card[1] in (trick[0][1], view.trump) and power(card) > best_power]
    return f"play:{winning[-1] if winning else cards[0]}"


def worth(cards: Sequence[str], suit: str) -> int:
    trumps = [card for card in cards if card[1] == suit]
    points = sum(TRUMP_POINTS.get(card[0], 0) for card in trumps) + 4 * len(trumps)
    return points + sum(7 for card in cards if card[0] == "A" and card[1] != suit)
