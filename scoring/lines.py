"""The comparison of a line: those who held the same cards, and what each score among them is worth.

Every method sees a line as a histogram, so that the cost grows with the number of different scores and not
with the pairs of plays. A weighted score counts in it with each of its weights, and is worth the weighted
mean of what its scores are worth.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engines.phrases import Phrase

from .entries import Artificial, Entry, NoScore, Own, Weighted, check_entries, is_score
from .errors import BadScoring

Number = int | Fraction

THIRD, ALWAYS = "third", "always"
SMALL_GROUPS = (THIRD, ALWAYS)


@dataclass(frozen=True, slots=True)
class Award:
    """What an entry is worth to its contestant: `points`, where an average is worth `average`; of `top` where
    the method has a most that can be won. `ruling`: the artificial score that it comes from."""

    points: Fraction
    average: Fraction
    top: int | None = None
    ruling: Artificial | None = None

    @property
    def is_open(self) -> bool:
        """Whether it depends on the other boards of its contestant."""
        return self.ruling is not None and self.ruling.own is not Own.NEVER

    @property
    def above(self) -> Fraction:
        """How far above average it is: in parts of the top where there is one, else in points."""
        return (self.points - self.average) / (self.top or 1)


class Histogram(Mapping[int, Number]):
    """How many plays of a line have each score, from the lowest score to the highest; a part of a play where
    scores are weighted. `plays`: how many plays are compared. `marks`: how many plays have each score, a
    weighted one standing at its mean."""

    __slots__ = ("_masses", "marks", "plays")

    def __init__(self, counts: Mapping[Entry, int]) -> None:
        masses: dict[int, Number] = {}
        marks: Counter[Number] = Counter()
        for entry, count in counts.items():
            if isinstance(entry, int):
                masses[entry] = masses.get(entry, 0) + count
                marks[entry] += count
            elif isinstance(entry, Weighted):
                marks[entry.mean] += count
                for score, weight in entry.parts:
                    masses[score] = masses.get(score, 0) + count * weight
        self._masses = {score: masses[score] for score in sorted(masses)}
        self.marks: Mapping[Number, int] = {mark: marks[mark] for mark in sorted(marks)}
        self.plays = sum(marks.values())

    def __getitem__(self, score: int) -> Number:
        return self._masses[score]

    def __iter__(self) -> Iterator[int]:
        return iter(self._masses)

    def __len__(self) -> int:
        return len(self._masses)


@dataclass(frozen=True, slots=True)
class Valuation:
    """What a method makes of a line. `worth`: by score. `average`: what an average is worth; `step`: what
    ten per cent above it add. `top`: the most that can be won, None where the method has no top.
    `small_groups`: which groups of a fouled board are too small to be compared (see `is_small`)."""

    worth: Mapping[int, Number]
    average: Number
    step: Number
    top: int | None = None
    small_groups: str = THIRD


Comparison = Callable[[Histogram, int], Valuation]
"""A method with its options chosen. It takes a line, and how often the line's board is to be played."""


def awards(
    entries: Sequence[Entry],
    comparison: Comparison,
    *,
    plays: int | None = None,
    deals: Sequence[Hashable] | None = None,
) -> tuple[Award | None, ...]:
    """The award of each entry of a line; None for an entry that is neither a score nor a ruling.

    `plays`: how often the board is to be played, by default as often as there are entries. `deals`: which
    deal each table really played, where a board was fouled: each score is then compared with those made with
    the same cards. BadScoring for more entries than plays, and for what is not an entry.

    >>> from scoring.methods import method
    >>> [str(award.points) for award in awards([620, 620, 170], method("matchpoints"))]
    ['3', '3', '0']
    """
    groups = awards_by_deal(counts_by_deal(entries, deals), comparison, check_plays(len(entries), plays))
    if deals is None:
        return tuple(map(groups[None].__getitem__, entries))
    return tuple(groups[deal][entry] for deal, entry in zip(deals, entries, strict=True))


def check_plays(count: int, plays: int | None) -> int:
    """How often a board is to be played, by default as often as there are entries; BadScoring for fewer."""
    if plays is not None and count > plays:
        constraint = Phrase(
            "must be at least {count}, the entries of the line, not {plays}", count=count, plays=plays
        )
        raise BadScoring("plays", constraint)
    return count if plays is None else plays


def counts_by_deal(
    entries: Sequence[Entry], deals: Sequence[Hashable] | None
) -> dict[Hashable, Counter[Entry]]:
    """How often each entry stands in a line, by the deal that was really played (None where all had the same
    cards). BadScoring for what is not an entry, and for another number of deals than of entries."""
    counts: dict[Hashable, Counter[Entry]] = {}
    if deals is None:
        counts[None] = Counter(entries)
    elif len(deals) != len(entries):
        constraint = Phrase("must say the deal of each of the {count} entries", count=len(entries))
        raise BadScoring("deals", constraint)
    else:
        for deal, entry in zip(deals, entries, strict=True):
            counts.setdefault(deal, Counter())[entry] += 1
    for group in counts.values():
        check_entries(group)
    return counts


def awards_by_deal(
    counts: Mapping[Hashable, Counter[Entry]], comparison: Comparison, plays: int
) -> dict[Hashable, "Awards"]:
    """The awards of a line by the deal that was really played, from how often each entry stands there.

    Only a score makes a group. A board on which all scores come from one deal is not fouled, whatever deal
    stands beside a ruling or a missing score. On a fouled board a ruling on a deal without scores is worth
    what it is worth in the largest group.
    """
    scored = [deal for deal, group in counts.items() if any(map(is_score, group))]
    if len(scored) < 2:
        whole = Awards(sum(counts.values(), Counter()), comparison, plays)
        return dict.fromkeys(counts, whole)
    groups = {deal: Awards(counts[deal], comparison, plays, is_fouled=True) for deal in scored}
    largest = groups[
        max(scored, key=lambda deal: sum(n for entry, n in counts[deal].items() if is_score(entry)))
    ]
    return dict.fromkeys(counts, largest) | groups


class Awards(dict[Entry, Award | None]):
    """The award of each entry of one line, worked out when it is first asked for."""

    def __init__(
        self, counts: Mapping[Entry, int], comparison: Comparison, plays: int, *, is_fouled: bool = False
    ) -> None:
        super().__init__()
        line = Histogram(counts)
        self._valuation = comparison(line, plays)
        if is_fouled and is_small(line.plays, plays, self._valuation.small_groups):
            self._valuation = small_group(line, self._valuation)
        self._average = Fraction(self._valuation.average)

    def __missing__(self, entry: Entry) -> Award | None:
        award = self[entry] = self._award(entry)
        return award

    def _award(self, entry: Entry) -> Award | None:
        valuation = self._valuation
        if isinstance(entry, NoScore):
            return None
        points: Number
        ruling = None
        if isinstance(entry, Artificial):
            points, ruling = valuation.average + (Fraction(entry.percent) - 50) / 10 * valuation.step, entry
        elif isinstance(entry, Weighted):
            points = sum((weight * valuation.worth[score] for score, weight in entry.parts), Fraction(0))
        else:
            points = valuation.worth[entry]
        exact = points if isinstance(points, Fraction) else Fraction(points)
        return Award(exact, self._average, valuation.top, ruling)


def is_small(actual: int, expected: int, small_groups: str = THIRD) -> bool:
    """Whether a group of so many plays of a fouled board is too small to be compared as a line of its own.

    One play always is. Two or three are where they make up at most a "third" of all the plays of the board
    (source: English Bridge Union, White Book, 4.2.3.3: A = 2 or 3 and E ≥ 3 A), or "always".
    """
    return actual == 1 or (actual in (2, 3) and (small_groups == ALWAYS or expected >= 3 * actual))


def small_group(line: Histogram, valuation: Valuation) -> Valuation:
    """A group that is too small to be compared: 60 % to each, 5 % more for each of the group beaten and 5 %
    less for each that beats it (a group of one: 60 %; of two: 65 % and 55 %; of three: 70 %, 60 % and 50 %).
    Source: English Bridge Union, White Book, 4.2.3.3: 60 % + (M − (A − 1)) · 5 %.

    Where a method knows no percentages, one play alone gets what average plus is worth, and two or three are
    compared among themselves as usual.
    """
    if valuation.top is None and line.plays > 1:
        return valuation
    worth: dict[int, Number] = {}
    lower: Number = 0
    for score, mass in line.items():
        wins_less_losses = lower - (line.plays - lower - mass)
        worth[score] = valuation.average + valuation.step * (1 + Fraction(wins_less_losses) / 2)
        lower += mass
    return Valuation(worth, valuation.average, valuation.step, valuation.top)
