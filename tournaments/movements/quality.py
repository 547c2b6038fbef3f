"""How fair a movement is, measured before it is chosen.

Two contestants are compared on a board in one of three ways: at one table in different seats each is the
other's opponent, which weighs as much as all of the board's comparisons together; in the same seat at
different tables they are compared directly; in different seats at different tables each helps the other
against the rest. A movement is balanced when every two of them weigh the same against each other.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from .layout import Movement, Sitting


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the most of something."""

    least: int
    most: int

    @property
    def spread(self) -> int:
        return self.most - self.least


@dataclass(frozen=True, slots=True)
class Quality:
    """`balance`: from 0 to 100, 100 where every two contestants weigh the same against each other; None where
    nobody is compared. `seats`: the largest difference, for any contestant, between the boards played in one
    seat and in another. `meetings`: rounds that two contestants spend at one table; `repeats`: how many of
    these, over all pairs, are not the first. `shared_boards`: boards that two contestants have in common.
    `sit_outs`: rounds without a table, by contestant. `boards`: boards played, by contestant."""

    balance: Fraction | None
    seats: int
    meetings: Range
    repeats: int
    shared_boards: Range
    sit_outs: Range
    boards: Range


def quality(movement: Movement, *, contestants: int | None = None, away: Collection[int] = ()) -> Quality:
    """The measures of a movement. `contestants`: how many there are, if some of them never play; `away`: the
    numbers of those whom it is not asked about."""
    count = movement.contestants if contestants is None else contestants
    numbers = [number for number in range(1, count + 1) if number not in away]
    seats: dict[int, Counter[int]] = defaultdict(Counter)
    played: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    common: Counter[tuple[int, int]] = Counter()
    rounds: dict[int, set[int]] = defaultdict(set)
    tables: set[tuple[int, int, tuple[int, ...]]] = set()
    by_board: dict[int, list[int]] = defaultdict(list)
    for sitting in movement.sittings:
        for seat, contestant in enumerate(sitting.contestants):
            seats[contestant][seat] += 1
            played[contestant] += 1
            rounds[contestant].add(sitting.round)
        by_board[sitting.board].extend(sitting.contestants)
        tables.add((sitting.round, sitting.table, tuple(sorted(sitting.contestants))))
    for _, _, seated in tables:
        met.update(combinations(seated, 2))
    for held in by_board.values():
        common.update(combinations(sorted(held), 2))
    width = max(len(sitting.contestants) for sitting in movement.sittings)
    turns = [seats[c][seat] for c in numbers for seat in range(width)]
    uneven = max(max(turns[i : i + width]) - min(turns[i : i + width]) for i in range(0, len(turns), width))
    pairs = list(combinations(numbers, 2)) or [(1, 1)]
    absent = [movement.rounds - len(rounds[c]) for c in numbers]
    return Quality(
        balance(movement, len(numbers), away),
        uneven,
        Range(min(met[pair] for pair in pairs), max(met[pair] for pair in pairs)),
        sum(met.values()) - len(met),
        Range(min(common[pair] for pair in pairs), max(common[pair] for pair in pairs)),
        Range(min(absent), max(absent)),
        Range(min(played[c] for c in numbers), max(played[c] for c in numbers)),
    )


def balance(
    movement: Movement, contestants: int | None = None, away: Collection[int] = ()
) -> Fraction | None:
    """Q = 100 · S² / (N · Σ W²), where W is the weight of two contestants over all boards, S the sum of W and
    N the number of pairs; None where nobody is compared.

    Source: the measure that directors of pairs tournaments use, for any number n of seats: with A plays and
    h = A − 1, a board adds h/(n − 1) at one table, 1 in the same seat at different tables, and −1/(n − 1) in
    different seats at different tables.
    """
    weights = {pair: one for pair, one in pair_weights(movement).items() if not {*pair} & {*away}}
    count = movement.contestants if contestants is None else contestants
    total, squares = sum(weights.values()), sum(weight * weight for weight in weights.values())
    pairs = count * (count - 1) // 2
    return Fraction(100 * total * total, pairs * squares) if squares else None


def pair_weights(movement: Movement) -> dict[tuple[int, int], int]:
    """The weight of each two contestants, (lower number, higher number), times (seats − 1)."""
    by_board: dict[int, list[Sitting]] = defaultdict(list)
    for sitting in movement.sittings:
        by_board[sitting.board].append(sitting)
    weights: dict[tuple[int, int], int] = defaultdict(int)
    for played in by_board.values():
        others = len(played) - 1
        width = max(len(sitting.contestants) for sitting in played)
        everyone = sorted(c for sitting in played for c in sitting.contestants)
        for pair in combinations(everyone, 2):
            weights[pair] -= 1
        for sitting in played:
            for pair in combinations(sorted(sitting.contestants), 2):
                weights[pair] += others + 1
        for seat in range(width):
            line = sorted(s.contestants[seat] for s in played if seat < len(s.contestants))
            for pair in combinations(line, 2):
                weights[pair] += width
    return {pair: weight for pair, weight in weights.items() if weight}


def without_one(movement: Movement, contestant: int) -> Movement:
    """The movement when a contestant stays away: its tables are not played, and the others there sit out."""
    return Movement(
        f"{movement.name} without {contestant}",
        tuple(s for s in movement.sittings if contestant not in s.contestants),
        movement.shared,
    )


def worst(measures: Iterable[Quality]) -> Quality:
    """The least balance, the most uneven seats, the widest ranges."""
    found = list(measures)
    return Quality(
        min((one.balance for one in found if one.balance is not None), default=None),
        max(one.seats for one in found),
        _widest(one.meetings for one in found),
        max(one.repeats for one in found),
        _widest(one.shared_boards for one in found),
        _widest(one.sit_outs for one in found),
        _widest(one.boards for one in found),
    )


def _widest(ranges: Iterable[Range]) -> Range:
    known = list(ranges)
    return Range(min(one.least for one in known), max(one.most for one in known))
