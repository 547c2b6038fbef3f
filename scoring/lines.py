"""The comparison of a line: who held the same cards, and what each score among them is worth.

Every method sees a line as a histogram, so that the cost grows with the number of different scores and not
with the pairs of plays. A weighted score counts in it with each of its weights, and is worth the weighted
mean of what its scores are worth.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engines.phrases import Phrase

from .entries import Artificial, Entry, Missing, Weighted, checked
from .errors import BadScoring

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Award:
    """What an entry is worth to its contestant: `points`, where an average is worth `average`; of `top` where
    the method has a most that can be won. `ruling`: the artificial score that it comes from."""

    points: Fraction
    average: Fraction
    top: int | None = None
    ruling: Artificial | None = None

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
class Compared:
    """What a method makes of a line. `worth`: by score. `average`: what an average is worth, and `step`: what
    ten per cent above it are. `top`: the most that can be won, None where there is no such thing."""

    worth: Mapping[int, Number]
    average: Number
    step: Number
    top: int | None = None


Comparison = Callable[[Histogram, int], Compared]
"""A method with its options chosen. It takes a line, and how often the line's board is to be played."""


def awards(
    entries: Sequence[Entry],
    comparison: Comparison,
    *,
    plays: int | None = None,
    deals: Sequence[Hashable] | None = None,
) -> tuple[Award | None, ...]:
    """The award of each entry of a line; None for who has neither a score nor a ruling.

    `plays`: how often the board is to be played, by default as often as there are entries. `deals`: which
    deal each table really played, where a board was fouled: each is then compared with those who held the
    same cards. BadScoring for more entries than plays, and for what is no entry.

    >>> from scoring.methods import method
    >>> [str(award.points) for award in awards([620, 620, 170], method("matchpoints"))]
    ['3', '3', '0']
    """
    expected = len(entries) if plays is None else plays
    if len(entries) > expected:
        raise BadScoring(
            "plays",
            Phrase(
                "must be at least {count}, the entries of the line, not {plays}",
                count=len(entries),
                plays=plays,
            ),
        )
    if deals is None:
        return tuple(map(Awards(Counter(entries), comparison, expected).__getitem__, entries))
    if len(deals) != len(entries):
        wanted = Phrase("must say the deal of each of the {count} entries", count=len(entries))
        raise BadScoring("deals", wanted)
    groups: dict[Hashable, list[Entry]] = defaultdict(list)
    for deal, entry in zip(deals, entries, strict=True):
        groups[deal].append(entry)
    by_deal = {
        deal: Awards(Counter(group), comparison, expected, fouled=len(groups) > 1)
        for deal, group in groups.items()
    }
    return tuple(by_deal[deal][entry] for deal, entry in zip(deals, entries, strict=True))


class Awards(dict[Entry, Award | None]):
    """The award of each entry of one line, worked out when it is first asked for."""

    def __init__(
        self, counts: Mapping[Entry, int], comparison: Comparison, plays: int, *, fouled: bool = False
    ) -> None:
        super().__init__()
        checked(counts)
        line = Histogram(counts)
        self._compared = comparison(line, plays)
        if fouled and line.plays <= SMALL_GROUP:
            self._compared = small_group(line, self._compared)

    def __missing__(self, entry: Entry) -> Award | None:
        made = self[entry] = self._made(entry)
        return made

    def _made(self, entry: Entry) -> Award | None:
        compared = self._compared
        if isinstance(entry, Missing):
            return None
        points: Number
        ruling = None
        if isinstance(entry, Artificial):
            points, ruling = compared.average + (Fraction(entry.percent) - 50) / 10 * compared.step, entry
        elif isinstance(entry, Weighted):
            points = sum((weight * compared.worth[score] for score, weight in entry.parts), Fraction(0))
        else:
            points = compared.worth[entry]
        return Award(Fraction(points), Fraction(compared.average), compared.top, ruling)


SMALL_GROUP = 3


def small_group(line: Histogram, compared: Compared) -> Compared:
    """Up to three plays of a deal that the rest of the board did not have: 60 % to each, 5 % more for each
    of the group beaten and 5 % less for each lost to (a group of one: 60 %; of two: 65 % and 55 %; of three:
    70 %, 60 % and 50 %).

    Where a method knows no percentages, one play alone gets what average plus is worth, and two or three are
    compared among themselves as ever. Source: the small-group rule of the European and English regulations
    for fouled boards.
    """
    if compared.top is None and line.plays > 1:
        return compared
    worth: dict[int, Number] = {}
    lower: Number = 0
    for score, mass in line.items():
        beaten_less_lost = lower - (line.plays - lower - mass)
        worth[score] = compared.average + compared.step * (1 + Fraction(beaten_less_lost) / 2)
        lower += mass
    return Compared(worth, compared.average, compared.step, compared.top)
