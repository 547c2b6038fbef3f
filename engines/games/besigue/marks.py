"""The Bésigues: the account of a deal (section 5), faults (7) and the result sheet (8)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...contract import Fact, Outcome
from ...endings import Mirror
from .cards import SEATS, Rules

TOO_MANY, NOT_DRAWN, FINAL_ERROR = "trop_de_cartes", "oubli_de_pioche", "erreur_finale"
FAULTS = {TOO_MANY: 100, NOT_DRAWN: 10, FINAL_ERROR: 0}  # points for the other player
BRISQUE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending(Mirror):
    """`points`: combinations, cartes blanches and the cut; `faults` as (seat, kind, count); `brisques` None
    where they were not counted."""

    noted = ("faults",)

    points: tuple[int, ...]
    last_trick: int
    brisques_asked_by: int | None = None
    brisques: tuple[int, ...] | None = None
    faults: tuple[tuple[int, str, int], ...] = ()

    def before(self, rules: Rules) -> tuple[int, ...]:
        """The totals before brisques are counted."""
        totals = list(self.points)
        totals[self.last_trick] += rules.last_trick
        for seat, kind, times in self.faults:
            totals[1 - seat] += FAULTS[kind] * times
        return tuple(totals)

    def are_counted(self, rules: Rules) -> bool:
        one, other = self.before(rules)
        return self.brisques_asked_by is not None or one == other

    def totals(self, rules: Rules) -> tuple[int, ...]:
        counted = self.brisques if self.are_counted(rules) and self.brisques else (0, 0)
        return tuple(p + BRISQUE * n for p, n in zip(self.before(rules), counted, strict=True))

    def winner(self, rules: Rules) -> int:
        """The higher total; then more brisques; then the last trick."""
        one, other = self.totals(rules)
        if one == other:
            one, other = self.brisques or (0, 0)
        return self.last_trick if one == other else int(one < other)


def outcome_of(result: Ending, rules: Rules, kinds: Sequence[Counter[str]] = ()) -> Outcome:
    """What the winner marks and the other loses. A record knows each kind of points (`kinds` by seat)."""
    totals, winner = result.totals(rules), result.winner(rules)
    loser = 1 - winner
    under = totals[loser] < rules.rubicon
    marked = 1000 + sum(totals) if under else 500 + totals[winner] - totals[loser]
    marked -= marked % 100
    facts = []
    for seat in range(SEATS):
        by_kind = kinds[seat] if kinds else {"points": result.points[seat]}
        facts += [Fact(kind, seat + 1, 0, points) for kind, points in by_kind.items() if points]
        if seat == result.last_trick:
            facts.append(Fact("last-trick", seat + 1, 0, rules.last_trick))
        if result.brisques and result.are_counted(rules):
            facts.append(Fact("brisques", seat + 1, 0, BRISQUE * result.brisques[seat]))
        facts.append(Fact("total", seat + 1, 0, totals[seat]))
    facts += [Fact(kind, seat + 1, 0, times) for seat, kind, times in result.faults]
    facts.append(Fact("rubicon" if under else "difference", winner + 1, marked))
    facts.append(Fact("opponent", loser + 1, -marked))
    return Outcome.of(facts, SEATS)
