"""Belote Noisette: the match (section 6)."""

from collections.abc import Sequence
from typing import Any

from ...contract import Settings
from ...errors import BadSheet
from ...matches import Match, Row, plus
from ...phrases import Phrase
from .cards import SEATS
from .marks import outcome_of, shares
from .sheet import result_of

NUTS_AT_FIRST = 10


class NoisetteMatch(Match):
    """Manches of nuts, whose points lead to the goal. Each deal is its sheet, with its `dealer` and, where
    the players noted them, their `scores`."""

    def __init__(self, options: Settings) -> None:
        self.options = options
        self.nuts, self.pot, self.match_points, self.goal = [NUTS_AT_FIRST] * SEATS, 0, [0] * SEATS, 6

    def step(self, entry: Any) -> Row:
        sheet = dict(entry) if isinstance(entry, dict) else {}
        dealer, scores = sheet.pop("dealer", None), sheet.pop("scores", None)
        self.check_dealer(dealer, SEATS)
        result = result_of(sheet, self.options, known={"dealer": dealer})
        outcome, pot = outcome_of(result, self.nuts, self.pot), shares(result, self.nuts, self.pot).left
        if scores is not None and scores != list(outcome.scores):
            right = ", ".join(str(score) for score in outcome.scores)
            raise BadSheet("scores", Phrase("with these holdings they are {right}", right=right))
        nuts = plus(self.nuts, outcome.scores)
        manche, won = manche_points(nuts)
        self.match_points = plus(self.match_points, won)
        self.goal = goal_after(self.match_points, self.goal)
        if manche and max(self.match_points) >= self.goal:
            self.winner = self.match_points.index(max(self.match_points)) + 1
        self.nuts, self.pot = ([NUTS_AT_FIRST] * SEATS, 0) if manche else (nuts, pot)
        return {
            "dealer": dealer, "scores": list(outcome.scores), "nuts": nuts, "pot": pot, "manche": manche,
            "manche_points": list(won), "match_points": self.match_points, "goal": self.goal,
        }  # fmt: skip

    def account(self) -> Row:
        counted = {"match_points": self.match_points, "goal": self.goal}
        return counted | {"nuts": self.nuts, "pot": self.pot}


def manche_points(nuts: Sequence[int]) -> tuple[str | None, tuple[int, ...]]:
    """Whether a manche has ended with these holdings, and what it brings each."""
    best = max(nuts)
    if best >= 21:
        return "complete", tuple(3 if held == best else 0 for held in nuts)
    if min(nuts) > 0:
        return None, (0, 0, 0)
    if nuts.count(best) > 1:
        return "partial", tuple(int(held == best) for held in nuts)
    second = sorted(nuts)[1]
    alone = second > 0 and nuts.count(second) == 1
    return "partial", tuple(2 if held == best else int(held == second and alone) for held in nuts)


def goal_after(match_points: Sequence[int], goal: int) -> int:
    """The goal, raised by two as long as several have reached it at once."""
    best = max(match_points)
    while best >= goal and list(match_points).count(best) > 1:
        goal += 2
    return goal
