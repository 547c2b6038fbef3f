"""The obvious, slow ways: every play of a line compared with every other, one pair at a time. Nothing here
knows of histograms, and nothing is shared with the library but the scale of IMPs and the kinds of entries."""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

from scoring.entries import Artificial, Entry, NoScore, Weighted
from scoring.imps import SCALE

Points = list[Fraction | None]


def scores(entry: Entry) -> list[tuple[int, Fraction]]:
    """What an entry's play scored, with weights that sum to one."""
    return [(entry, Fraction(1))] if isinstance(entry, int) else list(entry.parts)  # type: ignore[union-attr]


def is_compared(entry: Entry) -> bool:
    return isinstance(entry, (int, Weighted))


def against(one: Entry, other: Entry, rule: Callable[[int, int], Fraction | int]) -> Fraction:
    """A pair compared by a rule for two plain scores: each weight of the one with each of the other."""
    if isinstance(one, int) and isinstance(other, int):
        return Fraction(rule(one, other))
    return sum(
        (Fraction(rule(s, t)) * v * w for s, v in scores(one) for t, w in scores(other)),
        Fraction(0),
    )


def two_one_nothing(s: int, t: int) -> int:
    return 2 if s > t else 1 if s == t else 0


def imps_of(difference: Fraction | int) -> int:
    """By looking through the whole scale."""
    size = sum(abs(difference) >= least for least in SCALE)
    return size if difference > 0 else -size


def compared_with_all(line: Sequence[Entry], rule: Callable[[int, int], Fraction | int]) -> Points:
    return [
        sum(
            (against(one, other, rule) for j, other in enumerate(line) if j != i and is_compared(other)),
            Fraction(0),
        )
        if is_compared(one)
        else None
        for i, one in enumerate(line)
    ]


def plays(line: Sequence[Entry]) -> int:
    return sum(map(is_compared, line))


def matchpoints(line: Sequence[Entry], expected: int, unequal: str = "neuberg") -> Points:
    actual = plays(line)
    raw = compared_with_all(line, two_one_nothing)
    if unequal == "percentage":
        return [
            None
            if m is None
            else Fraction(expected - 1)
            if actual == 1
            else m / (2 * actual - 2) * (2 * expected - 2)
            for m in raw
        ]
    return [None if m is None else (m * expected + expected - actual) / actual for m in raw]


def board_a_match(line: Sequence[Entry], expected: int) -> Points:
    others = plays(line) - 1
    raw = compared_with_all(line, two_one_nothing)
    return [None if m is None else m / 2 / others if others else Fraction(1, 2) for m in raw]


def cross_imps(line: Sequence[Entry], expected: int, unit: Fraction, divisor: str) -> Points:
    actual = plays(line)
    share = {"comparisons": max(actual - 1, 1), "plays": actual, "none": 1}[divisor]
    raw = compared_with_all(line, lambda s, t: imps_of((s - t) * unit))
    return [None if m is None else m / share for m in raw]


def mean(entry: Entry) -> Fraction:
    return sum((s * w for s, w in scores(entry)), Fraction(0))


def means(line: Sequence[Entry]) -> list[Fraction]:
    return sorted(mean(entry) for entry in line if is_compared(entry))


def datum(line: Sequence[Entry], average: str, trim: str) -> Fraction:
    values = means(line)
    count = len(values)
    usual = 0 if count < 5 else 1 if count < 10 else 2 if count < 20 else count // 10
    cut = {"usual": usual, "none": 0, "one": 1, "two": 2, "tenth": count // 10}[trim]
    while cut and count - 2 * cut < 1:
        cut -= 1
    values = values[cut : count - cut]
    if average == "median":
        return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
    return sum(values, Fraction(0)) / len(values)


def each(line: Sequence[Entry], worth: Callable[[int], Fraction | int]) -> Points:
    return [
        sum((Fraction(worth(s)) * w for s, w in scores(entry)), Fraction(0)) if is_compared(entry) else None
        for entry in line
    ]


def butler(line: Sequence[Entry], expected: int, unit: Fraction, average: str, trim: str) -> Points:
    if not plays(line):
        return [None] * len(line)
    reference = datum(line, average, trim)
    return each(line, lambda s: imps_of((s - reference) * unit))


def zero_sum(line: Sequence[Entry], expected: int, unit: Fraction) -> Points:
    if not plays(line):
        return [None] * len(line)
    reference = datum(line, "mean", "none")
    return each(line, lambda s: (s - reference) * unit)


def total_points(line: Sequence[Entry], expected: int, unit: Fraction) -> Points:
    return each(line, lambda s: s * unit)


def standardised(line: Sequence[Entry], clip: Fraction | None) -> list[float | None]:
    """In floats: the only method whose figures are not exact."""
    values = means(line)
    if not values:
        return [None] * len(line)
    middle = sum(values, Fraction(0)) / len(values)
    spread = float(sum((v - middle) ** 2 for v in values) / len(values)) ** 0.5

    def z(score: int) -> float:
        value = float(score - middle) / spread if spread else 0.0
        return value if clip is None else max(-float(clip), min(float(clip), value))

    return [sum(z(s) * float(w) for s, w in scores(entry)) if is_compared(entry) else None for entry in line]


def in_groups(
    line: Sequence[Entry],
    deals: Sequence[Hashable],
    expected: int,
    method: Callable[[Sequence[Entry], int], Points],
    top: Fraction | int | None,
    small_groups: str = "third",
) -> Points:
    """A fouled board: groups by the method, but small ones in steps of 5 %; without a top by the method too,
    but 3 IMPs to one play alone."""
    points: Points = [None] * len(line)
    fouled = len({deal for entry, deal in zip(line, deals, strict=True) if is_compared(entry)}) > 1
    for deal in set(deals) if fouled else {None}:
        places = [i for i, one in enumerate(deals) if one == deal or not fouled]
        group = [line[i] for i in places]
        size = plays(group)
        small = size == 1 or (size < 4 and (small_groups == "always" or 3 * size <= expected))
        if not fouled or not small or (top is None and size > 1):
            found = method(group, expected) if size else [None] * len(group)
        elif top is None:
            found = [Fraction(3) if is_compared(one) else None for one in group]
        else:
            beaten = compared_with_all(group, lambda s, t: (s > t) - (s < t))
            found = [None if wins is None else (60 + 5 * wins) * top / 100 for wins in beaten]
        for i, one in zip(places, found, strict=True):
            points[i] = one
    return points


def fouled(
    line: Sequence[Entry],
    deals: Sequence[Hashable],
    expected: int,
    method: Callable[[Sequence[Entry], int], Points],
    small_groups: str = "third",
) -> Points:
    """A fouled board by matchpoints."""
    return in_groups(line, deals, expected, method, 2 * expected - 2, small_groups)


def ruled(entry: Entry, average: Fraction | float, step: Fraction | float) -> float | None:
    """What an artificial score is worth, where an average is worth so much, and ten per cent a step; None for
    a missing one."""
    if isinstance(entry, NoScore):
        return None
    assert isinstance(entry, Artificial)
    return float(average) + (float(entry.percent) - 50) / 10 * float(step)
