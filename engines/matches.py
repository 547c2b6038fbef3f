"""A match is a fold: an account, which each deal moves on by a step, until it is over."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from .errors import BadRecord, BadSheet
from .phrases import Phrase
from .ranks import shared_ranks

Row = dict[str, Any]


class Match(ABC):
    """The running account of a match. `count`: the deals entered so far; `winner`: a seat, from 1."""

    count = 0
    winner: int | None = None

    @abstractmethod
    def step(self, entry: Any) -> Row:
        """The account takes a deal, as somebody entered it; its row. BadSheet names what is wrong with the
        entry: a field, or nothing ("") if it is the entry itself."""

    @abstractmethod
    def account(self) -> Row:
        """How the match stands, beside whether it is over, who has won, and the rows."""

    @property
    def over(self) -> bool:
        return self.winner is not None

    def check_dealer(self, dealer: object, seats: int) -> None:
        """BadSheet, unless it is this seat that deals, where all deal in turn from seat 1."""
        due = self.count % seats + 1
        if dealer != due or isinstance(dealer, bool):
            number = self.count + 1
            raise BadSheet("dealer", Phrase("deal {number} is dealt by seat {seat}", number=number, seat=due))

    def too_late(self) -> Phrase:
        """Why no deal can be entered after the end."""
        return Phrase("the match was over after {count} deals", count=self.count)

    def ledger(self, deals: Iterable[Any]) -> dict[str, Any]:
        """The account after these deals, with a row of each. BadRecord for a deal after the end."""
        rows = []
        for entry in deals:
            place = f"deals[{self.count}]"
            if self.over:
                raise BadRecord(place, self.too_late())
            try:
                rows.append(self.step(entry))
            except BadSheet as error:
                field = f"{place}.{error.field}" if error.field else place
                raise BadSheet(field, error.constraint) from None
            self.count += 1
        return {"over": self.over, "winner": self.winner, **self.account(), "rows": rows}


class Race(Match):
    """Marks add up to a goal, which rises by `rise` as long as several have reached it; a seat that alone has
    reached it has won."""

    def __init__(self, seats: int, goal: int, rise: int) -> None:
        self.scores, self.goal, self.rise = [0] * seats, goal, rise

    def add(self, marks: Sequence[int]) -> None:
        self.scores = plus(self.scores, marks)
        while sum(score >= self.goal for score in self.scores) > 1:
            self.goal += self.rise
        if max(self.scores) >= self.goal:
            self.winner = self.scores.index(max(self.scores)) + 1


def plus(totals: Sequence[int], more: Sequence[int]) -> list[int]:
    """Totals by seat with what a deal has added.

    >>> plus([10, 0], [5, -5])
    [15, -5]
    """
    return [total + one for total, one in zip(totals, more, strict=True)]


def best_alone(values: Sequence[int]) -> int | None:
    """The seat (from 1) with the highest value, if it has no equal.

    >>> best_alone([10, 30, 10]), best_alone([30, 30, 10])
    (2, None)
    """
    ranks = shared_ranks(values)
    return ranks.index(1) + 1 if ranks.count(1) == 1 else None
