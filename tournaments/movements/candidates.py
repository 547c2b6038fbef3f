"""The movements that would do for an evening, measured, the best first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import monotonic

from engines.phrases import Phrase

from .cooling import Progress
from .families import FAMILIES, Plan, arranged, possible_rounds
from .layout import BadMovement, Movement
from .quality import Quality, quality, without_one, worst
from .seating import seated

SECONDS = 1.5


@dataclass(frozen=True)
class Candidate:
    """`one_ranking`: everybody can be compared with everybody; if not, each line has its own ranking.
    `contestants`: how many there are."""

    family: str
    movement: Movement
    quality: Quality
    one_ranking: bool
    contestants: int

    @cached_property
    def without_one(self) -> Quality:
        """The measures when one contestant stays away, whoever that is: the worst of each. It takes as long
        as measuring once for each contestant."""
        everyone = range(1, self.contestants + 1)
        return worst(
            quality(without_one(self.movement, away), contestants=self.contestants, away=away)
            for away in everyone
        )


def candidates(
    *,
    contestants: int,
    seats: Sequence[int],
    boards: int,
    copies: int | None = None,
    one_ranking: bool | None = None,
    sit_outs: bool = True,
    seed: int = 0,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> list[Candidate]:
    """The movements for so many contestants who want to play about `boards` boards each, the best first: one
    ranking before several, then those that let everyone play about as much as wanted, then the best
    balanced. Seats are annealed in the
    time that there is; the one that is chosen deserves more.

    `copies`: how many of each board there are, by default as many as needed. `one_ranking`: whether there is
    to be one, or one for each line; by default either. `sit_outs`: whether anybody may sit out. What is
    annealed stops after `seconds` altogether. BadMovement says why nothing would do.
    """
    if boards < 1:
        raise BadMovement(Phrase("at least one board must be played, not {boards}", boards=boards))
    start = monotonic()
    plans = list(_plans(contestants, tuple(seats), boards, seed))
    found: list[Candidate] = []
    needed: list[int] = []
    for number, (name, plan) in enumerate(plans):
        family = FAMILIES[name]
        if family.fixed:  # who is a team, or changes partners, is asked for by name
            continue
        if one_ranking is not None and one_ranking == family.lines:
            continue
        left = start + seconds * (number + 1) / len(plans)
        movement = arranged(name, replace(plan, deadline=(monotonic() + left) / 2))
        if copies is not None and movement.copies > copies:
            needed.append(movement.copies)
            continue
        if not family.lines:
            movement = seated(movement, seed=seed, together=family.together, deadline=left)
        measures = quality(movement, contestants=contestants)
        if not sit_outs and measures.sit_outs.most:
            continue
        found.append(Candidate(name, movement, measures, not family.lines, contestants))
        if progress is not None:
            progress((number + 1) / len(plans))
    if not found:
        raise BadMovement(_why_none(contestants, seats, needed, copies, sit_outs))
    return sorted(found, key=lambda one: _order(one, boards))


def _plans(contestants: int, seats: tuple[int, ...], boards: int, seed: int) -> list[tuple[str, Plan]]:
    """For each family the two numbers of rounds that come nearest to the boards wanted, with three boards a
    round where that is possible, with fewer or more where it is not. What each contestant plays counts, and
    whoever sits out plays less than there are."""
    found = []
    share = 1 - contestants % min(seats) / contestants if contestants > 0 else 1
    for name in FAMILIES:
        chosen = []
        for rounds in possible_rounds(name, contestants, seats):
            a_round = max(round(boards / (rounds * share)), 1)
            misses = abs(rounds * share * a_round - boards)
            chosen.append((misses + abs(a_round - 3), rounds, a_round))
        for _, rounds, a_round in sorted(chosen)[:2]:
            found.append((name, Plan(contestants, seats, a_round, rounds, seed=seed)))
    return found


def _order(candidate: Candidate, boards: int) -> tuple[float, ...]:
    measures = candidate.quality
    missing = abs(measures.boards.least - boards) + abs(measures.boards.most - boards)
    return (
        not candidate.one_ranking,
        max(missing - boards // 4, 0),
        measures.meetings.most > 1,
        measures.boards.spread,
        -float(measures.balance or 0),
        missing,
    )


def _why_none(
    contestants: int, seats: Sequence[int], needed: list[int], copies: int | None, sit_outs: bool
) -> Phrase:
    if contestants < min(seats):
        return Phrase(
            "{count} contestants do not fill a table of {seats}", count=contestants, seats=min(seats)
        )
    if needed:
        return Phrase(
            "with {copies} copies of a board nothing is possible for {count} contestants; {needed} would do",
            copies=copies,
            count=contestants,
            needed=min(needed),
        )
    if not sit_outs:
        return Phrase("{count} contestants cannot all play in every round", count=contestants)
    return Phrase("no movement is known for {count} contestants", count=contestants)
