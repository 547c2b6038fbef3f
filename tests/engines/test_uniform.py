"""Chi square of the deals of every game: where single cards and pairs of cards go.

ETUI_DEALS is the number of deals of each game; `make campaign-tests` makes more. Seeds are fixed: nothing
fails by chance.
"""

import os
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from engines import by_hand, registry

from .cases import case_of

DEALS = int(os.environ.get("ETUI_DEALS", "1000"))
SEED = bytes(range(100, 132))


def least_likely(degrees: int) -> float:
    """What chi square passes once in thirty thousand times (Wilson and Hilferty's approximation, four
    deviations)."""
    step = 2 / (9 * degrees)
    return float(degrees * (1 - step + 4 * step**0.5) ** 3)


def chi_square(counts: Counter[Any], cells: list[Any]) -> float:
    """Against all of the cells being equally likely."""
    expected = sum(counts[cell] for cell in cells) / len(cells)
    return sum((counts[cell] - expected) ** 2 / expected for cell in cells)


@pytest.mark.parametrize("name", registry.games())
def test_cards_and_pairs_of_cards_reach_the_seats_equally_often(name: str) -> None:
    """Seats with hands of one size are equal before the generator, whatever it draws again."""
    game: Any = registry.game(name)
    options = registry.options_of(game, {})
    conditions = {"seats": game.seats[0]} if len(game.seats) > 1 else {}
    single: Counter[Any] = Counter()
    pairs: Counter[Any] = Counter()
    cards: list[str] = []
    seats: list[str] = []
    for number in range(1, DEALS + 1):
        deal = registry.deal_board(game, SEED, number, options, conditions)
        hands = case_of(name).places(by_hand.by_seat(game, deal))
        if not cards:
            cards = sorted({card for held in hands.values() for card in held})
            seats = [place for place in hands if place.isdigit()]
        at: dict[str, set[str]] = {}
        for seat in seats:
            for card in hands[seat]:
                at.setdefault(card, set()).add(seat)
                single[card, seat] += 1
        for one, other in pairwise(cards):
            for here in at.get(one, ()):
                for there in at.get(other, ()):
                    pairs[here == there, here, there] += 1
    found = sum(chi_square(single, [(card, seat) for seat in seats]) for card in cards)
    assert found < least_likely(len(cards) * (len(seats) - 1))
    together = [(True, seat, seat) for seat in seats]
    apart = [(False, a, b) for a in seats for b in seats if a != b]
    assert chi_square(pairs, together) < 3 * least_likely(len(together) - 1)
    assert chi_square(pairs, apart) < 3 * least_likely(len(apart) - 1)
