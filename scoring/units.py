"""What one unit of each game's score is worth on the scale of IMPs, so that a half life and a jeton land
where the scale's authors meant them.

On the continuous scale of victory points, N boards of bridge fill the scale at 15 · √N IMPs. Read as three
standard deviations, these mean that two tables differ by 5 IMPs a board (root mean square). For each game,
fields of robots play; half of the seats play sensibly and half anything legal, which lies between the best
players of a club and its beginners. The unit is the one, of two significant digits, that brings the
differences of two tables at the same seat of the same board closest to 5 IMPs.

The table `units.json` is written by `python -m scoring.units`, from the same boards and the same robots
wherever it runs.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

from engines import bots, registry
from engines.phrases import Phrase

from .errors import BadScoring
from .imps import imps

PATH = Path(__file__).with_name("units.json")
SWING = 5
SEED = bytes(32)
BOARDS, TABLES = 100, 12

_UNITS = (
    {game: Fraction(unit) for game, unit in json.loads(PATH.read_text()).items()} if PATH.exists() else {}
)


def unit(game: str) -> Fraction:
    """How many points of the IMP scale one unit of the game's score is worth. BadScoring for a game whose
    unit has not been measured."""
    if game not in _UNITS:
        raise BadScoring("unit", Phrase("has not been measured for {game}", game=game))
    return _UNITS[game]


def measurement(game: str, *, boards: int = BOARDS, tables: int = TABLES) -> Fraction:
    """The unit of a game, from fields of robots that play its default options."""
    swings: Counter[int] = Counter()
    for line in lines(game, boards, tables):
        swings.update(abs(a - b) for a, b in combinations(line, 2))
    units = [Fraction(digits) * Fraction(10) ** power for power in range(-4, 5) for digits in range(10, 100)]
    low, high = 0, len(units) - 1
    while low < high:  # the difference rises with the unit
        middle = (low + high) // 2
        if mean_square(swings, units[middle]) < SWING**2:
            low = middle + 1
        else:
            high = middle
    return min(units[max(low - 1, 0) : low + 1], key=lambda one: abs(mean_square(swings, one) - SWING**2))


def mean_square(swings: Counter[int], of_unit: Fraction) -> Fraction:
    squares = sum(count * imps(swing * of_unit) ** 2 for swing, count in swings.items())
    return Fraction(squares, swings.total())


def lines(name: str, boards: int, tables: int) -> Iterator[list[int]]:
    """The scores of each line of each board."""
    game: Any = registry.game(name)
    options = registry.options_of(game, {})
    seats = game.seats[0]
    conditions = {"seats": seats} if len(game.seats) > 1 else {}
    for number in range(1, boards + 1):
        deal = registry.deal_board(game, SEED, number, options, conditions)
        outcomes = []
        for table in range(tables):
            chance = random.Random(f"{name} {number} {table}")  # noqa: S311 (nothing to keep secret)
            players = [bots.sensible if chance.random() < 0.5 else bots.at_random for _ in range(seats)]
            state = game.start(deal, options)
            bots.play_on(game, state, players, chance)
            outcomes.append(state.outcome())
        for side in game.sides_of(conditions):
            compared = [outcome for outcome in outcomes if side[0] not in outcome.averaged]
            yield [outcome.scores[side[0] - 1] for outcome in compared]


def main() -> None:
    units = {}
    for game in registry.games():
        units[game] = f"{float(measurement(game)):g}"
        print(f"{game}: {units[game]}", flush=True)
    PATH.write_text(json.dumps(units, indent=1) + "\n")


if __name__ == "__main__":
    main()
