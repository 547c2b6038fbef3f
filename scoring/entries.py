"""What stands in a line for one contestant: a score, a ruling in place of one, or why there is none.

An `Entry` is one of

* an `int`: the score of the play, in the game's smallest unit, higher is better;
* `Weighted`: several scores, each with its weight, assigned by the director. A *split score* is two entries:
  each seat has its own, and a table need not sum to anything;
* `Artificial`: a share of what is to be won, where no score can be had;
* `NoScore`: nothing was played, or not yet. It adds neither to what was won nor to what could be won.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Self

from engines.phrases import Phrase

from .errors import BadScoring


@dataclass(frozen=True, slots=True)
class Weighted:
    """An assigned score made of several: (score, weight), the weights exact, above 0 and summing to 1.

    Source: the Laws of Duplicate Bridge, law 12C1(c). BadScoring for weights that do not sum to 1.
    """

    parts: tuple[tuple[int, Fraction], ...]

    def __post_init__(self) -> None:
        for score, weight in self.parts:
            if type(score) is not int:
                raise BadScoring(
                    "weights", Phrase("each score must be a whole number, not {score}", score=repr(score))
                )
            if not isinstance(weight, (int, Fraction)) or weight <= 0:
                constraint = Phrase(
                    "each weight must be an exact number above 0, not {weight}", weight=repr(weight)
                )
                raise BadScoring("weights", constraint)
        if len({score for score, _ in self.parts}) < len(self.parts):
            raise BadScoring("weights", Phrase("each score may appear once"))
        total = sum((weight for _, weight in self.parts), Fraction(0))
        if total != 1:
            raise BadScoring("weights", Phrase("must sum to 1, not to {total}", total=total))

    @classmethod
    def percent(cls, percents: Mapping[int, int]) -> Self:
        """From whole per cents by score.

        >>> Weighted.percent({620: 50, 170: 30, -100: 20}).mean
        Fraction(341, 1)
        """
        return cls(tuple((score, Fraction(percent, 100)) for score, percent in percents.items()))

    @property
    def mean(self) -> Fraction:
        """The one score that stands for it where a line needs its mean."""
        return sum((score * weight for score, weight in self.parts), Fraction(0))


class Own(Enum):
    """Whether a contestant's percentage on its other boards replaces an artificial one."""

    NEVER = "never"
    IF_BETTER = "if better"
    IF_WORSE = "if worse"


@dataclass(frozen=True, slots=True)
class Artificial:
    """An artificial adjusted score: `percent` of what is to be won, or the contestant's own percentage on
    its other boards of the session if that is better (or worse). It is not compared with anything.

    Source: the Laws of Duplicate Bridge, laws 12C2 and 86.
    """

    percent: Fraction | int
    own: Own = Own.NEVER

    def __post_init__(self) -> None:
        if not isinstance(self.percent, (int, Fraction)) or not 0 <= self.percent <= 100:
            constraint = Phrase(
                "must be an exact number from 0 to 100, not {percent}", percent=repr(self.percent)
            )
            raise BadScoring("percent", constraint)


AVERAGE_PLUS = Artificial(60, Own.IF_BETTER)
"""For a contestant not at fault."""
AVERAGE = Artificial(50)
"""For a contestant partly at fault."""
AVERAGE_MINUS = Artificial(40, Own.IF_WORSE)
"""For a contestant at fault."""


class NoScore(Enum):
    """Why a contestant has no score on a board. It counts neither for nor against anybody."""

    NOT_PLAYED = "not played"
    LATE = "late"  # to be played after the others: it joins the line when its score is there
    SIT_OUT = "sit-out"


Entry = int | Weighted | Artificial | NoScore


def is_score(entry: Entry) -> bool:
    """Whether an entry is compared with the others of its line."""
    return isinstance(entry, (int, Weighted))


def check_entries(entries: Iterable[object]) -> None:
    """BadScoring for whatever is not an entry."""
    for entry in entries:
        if type(entry) is not int and not isinstance(entry, (Weighted, Artificial, NoScore)):
            constraint = Phrase("must be a whole number or a ruling, not {entry}", entry=repr(entry))
            raise BadScoring("score", constraint)
