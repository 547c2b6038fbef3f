"""Loba: a sensible robot."""

from collections.abc import Sequence

from .cards import POSITIONS, is_joker, penalty
from .play import DRAW, DRAWING, TAKE, LobaView


def suggestion(view: LobaView, legal: Sequence[str]) -> str:
    """Takes what fits its hand, lays down when it can, adds what it can, and throws away costly cards
    that fit nothing."""
    hand = view.hand
    if view.phase == DRAWING.name:
        wanted = DRAW not in legal or usefulness(view.pile("discards").shown[0], hand, view.mene) >= 4
        return TAKE if wanted else DRAW
    first = legal[0]
    if not first.startswith("discard"):
        return first
    laid = view.laid[view.index]
    mene = 0 if laid else view.mene

    def regret(action: str) -> tuple[float, int]:
        card = action.removeprefix("discard:")
        others = list(hand)
        others.remove(card)
        return usefulness(card, others, mene), -penalty(card, 1)

    return min(legal, key=regret)


def usefulness(card: str, hand: Sequence[str], mene: int) -> float:
    """How much a card helps sets and runs of the hand; the contract says which are wanted (0: either)."""
    if is_joker(card):
        return 100
    alike = sum(other[0] == card[0] for other in hand if not is_joker(other))
    places = [place for place, rank in enumerate(POSITIONS) if rank == card[0]]
    near = {
        rank
        for place in places
        for rank in POSITIONS[max(place - 3, 0) : place + 4]
        if rank != card[0] and rank + card[1] in hand
    }
    sets, runs = mene != 3, mene not in {1, 4}
    return max(2 * alike * sets, 1.5 * len(near) * runs)
