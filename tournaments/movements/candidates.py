"""The movements that would do for an evening, measured, the best first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd

from engines.phrases import Phrase

from .cooling import Progress, part
from .divisions import divisions
from .families import FAMILIES, Plan, family_movement, possible_rounds
from .layout import BadMovement, Movement
from .quality import Quality, quality, without_one, worst
from .seating import with_seats

STEPS = 1_000_000
GOLFER_STEPS = 10  # of an annealing of seats cost as much as one of tables
TABLES = 8  # up to which an exchange of seats costs about the same; then it costs more with their square


@dataclass(frozen=True)
class Candidate:
    """`one_ranking`: everybody can be compared with everybody; if not, each line has its own ranking.
    `contestants`: how many there are; `seats`: how many sit at a table. `beside`: others who play at tables
    of another size at the same time: their deals differ, so theirs is a session with a ranking of its own."""

    family: str
    movement: Movement
    quality: Quality
    one_ranking: bool
    contestants: int
    seats: int
    beside: tuple["Candidate", ...] = ()

    @property
    def method(self) -> str | None:
        """The one method of comparison that makes sense; None where any does."""
        return None if self.movement.plays > 1 else "total-points"

    @property
    def reason(self) -> Phrase | None:
        """Why there is only one method."""
        if self.method is None:
            return None
        return Phrase(
            "no board is played at two tables, so no result can be compared with another: "
            "the points of all boards are added up"
        )

    @cached_property
    def without_one(self) -> Quality | None:
        """The measures when one contestant stays away, whoever that is: the worst of each. None where no
        table would be left for somebody's absence to be measured at. It takes as long as measuring once for
        each contestant."""
        left = {away: without_one(self.movement, away) for away in range(1, self.contestants + 1)}
        if not all(movement.sittings for movement in left.values()):
            return None
        return worst(
            quality(movement, contestants=self.contestants, away=(away,)) for away, movement in left.items()
        )


def candidates(
    *,
    contestants: int,
    seats: Sequence[int],
    boards: int,
    copies: int | None = None,
    one_ranking: bool | None = None,
    sit_outs: bool = True,
    single: bool = False,
    in_time: Callable[[int, int], bool] | None = None,
    seed: int = 0,
    steps: int = STEPS,
    progress: Progress | None = None,
) -> list[Candidate]:
    """The movements for so many contestants who want to play about `boards` boards each, the best first: one
    ranking before several, then those that let everyone play about as much as wanted, then the best
    balanced. Seats are annealed a little; the movement that is chosen deserves more.

    `seats`: how many may sit at a table, the usual number first; the others are offered where contestants do
    not fill tables of that size but those of others, or of two sizes. `copies`: how many of each board there
    are, by default as many as needed. `one_ranking`: whether there is to be one, or one for each line; by
    default either. `sit_outs`: whether anybody may sit out. `single`: only those of which one copy of each
    board is enough, at one table at a time (`Movement.is_single`). `in_time`: whether so many rounds of so
    many boards end when they should; where none of a family that comes nearest does, its nearest that does is
    offered too, unless far fewer boards are left. `steps`: of all annealing together, fewer
    where there are many tables: the same wish has the same answer on any machine, busy or not. BadMovement
    says why nothing would do.
    """
    if boards < 1:
        raise BadMovement(Phrase("at least one board must be played, not {boards}", boards=boards))
    fields = [[(contestants, seats[0])], *divisions(contestants, seats)]
    found: list[Candidate] = []
    refusals: list[BadMovement] = []
    for number, field in enumerate(fields):
        if one_ranking and len(field) > 1:
            continue
        try:
            found += _of_field(
                field,
                Wish(boards, copies, one_ranking if len(field) == 1 else None, sit_outs, single, in_time),
                seed=seed,
                steps=steps // len(fields),
                progress=part(progress, number / len(fields), (number + 1) / len(fields)),
            )
        except BadMovement as refusal:
            refusals.append(refusal)
    if not found:
        raise refusals[0]
    return sorted(found, key=lambda one: _order(one, boards))


@dataclass(frozen=True, slots=True)
class Wish:
    """What every field of an evening wants, as in `candidates`."""

    boards: int
    copies: int | None
    one_ranking: bool | None
    sit_outs: bool
    single: bool = False
    in_time: Callable[[int, int], bool] | None = None


def _of_field(
    field: Sequence[tuple[int, int]], wish: Wish, *, seed: int, steps: int, progress: Progress | None
) -> list[Candidate]:
    """Of contestants at tables of one size all that would do; at tables of several sizes the best of each."""
    if len(field) == 1:
        return _of_one_size(*field[0], wish, seed, steps, progress)
    parts = []
    for number, (contestants, seats) in enumerate(field):
        heard = part(progress, number / len(field), (number + 1) / len(field))
        found = _of_one_size(contestants, seats, wish, seed, steps // len(field), heard)
        parts.append(min(found, key=lambda one: _order(one, wish.boards)))
    return [replace(parts[0], one_ranking=False, beside=tuple(parts[1:]))]


def _of_one_size(
    contestants: int, seats: int, wish: Wish, seed: int, steps: int, progress: Progress | None
) -> list[Candidate]:
    plans = [(name, plan) for name, plan in _plans(contestants, seats, wish, seed) if _is_offered(name, wish)]
    share = steps // max(len(plans), 1)
    exchanges = share // max((contestants // max(seats, 1)) ** 2 // TABLES**2, 1)
    found: list[Candidate] = []
    needed: list[int] = []
    for number, (name, plan) in enumerate(plans):
        family = FAMILIES[name]
        movement = family_movement(name, replace(plan, steps=share // GOLFER_STEPS))
        if wish.copies is not None and movement.copies > wish.copies:
            needed.append(movement.copies)
            continue
        if wish.single and not movement.is_single:
            continue
        if not family.lines:
            movement = with_seats(movement, seed=seed, steps=exchanges, together=family.together)
        measures = quality(movement, contestants=contestants)
        if not wish.sit_outs and measures.sit_outs.most:
            continue
        found.append(Candidate(name, movement, measures, not family.lines, contestants, seats))
        if progress is not None:
            progress((number + 1) / len(plans))
    if not found:
        raise BadMovement(_why_none(contestants, seats, needed, wish))
    return found


def _is_offered(name: str, wish: Wish) -> bool:
    """Movements for teams, changing partners or a Swiss tournament are not: those are asked for by name."""
    family = FAMILIES[name]
    if family.fixed or family.paired:
        return False
    return wish.one_ranking is None or wish.one_ranking != family.lines


def _plans(contestants: int, seats: int, wish: Wish, seed: int) -> list[tuple[str, Plan]]:
    """For each family the two numbers of rounds that come nearest to the boards wanted, with three boards a
    round where that is possible, with fewer or more where it is not; and where somebody sits out in each
    round the nearest after which everybody has done so equally often. What each contestant plays counts, and
    whoever sits out plays less than there are. Where all of these end too late, the nearest that does not."""
    found, boards = [], wish.boards
    out = contestants % seats
    share = 1 - out / contestants if contestants > 0 else 1
    circle = contestants // gcd(contestants, out)  # rounds until all have sat out equally often
    astray = max(boards // 4, 3)  # boards by which another may miss what is wanted
    for name in FAMILIES:
        chosen = []
        for rounds in possible_rounds(name, contestants, seats):
            a_round = max(round(boards / (rounds * share)), 1)
            chosen.append(_miss(rounds, a_round, share, boards))
        chosen.sort()
        equal = [one for one in chosen[2:] if out and one[1] % circle == 0 and one[3] <= astray]
        equal.sort(key=lambda one: (one[3] + 3 * max(one[2] / 3, 3 / one[2]), one[1]))
        kept = chosen[:2] + equal[:1]
        if (in_time := wish.in_time) is not None and not any(in_time(one[1], one[2]) for one in kept):
            shorter = [_miss(one[1], one[2] - 1, share, boards) for one in chosen if one[2] > 1]
            able = [one for one in chosen[2:] + shorter if in_time(one[1], one[2]) and one[3] <= astray]
            kept += sorted(able, key=lambda one: (one[0], -one[1]))[:1]
        for _, rounds, a_round, _ in kept:
            found.append((name, Plan(contestants, seats, a_round, rounds, seed=seed)))
    return found


def _miss(rounds: int, a_round: int, share: float, boards: int) -> tuple[float, int, int, float]:
    """How far so many rounds of so many boards are from what is wanted, the rounds, the boards of each, and
    how many boards too many or too few somebody plays who plays such a `share` of all."""
    misses = abs(rounds * share * a_round - boards)
    return misses + abs(a_round - 3), rounds, a_round, misses


def _order(candidate: Candidate, boards: int) -> tuple[float, ...]:
    measures = candidate.quality
    missing = max(abs(measures.boards.least - boards), abs(measures.boards.most - boards))
    return (
        not candidate.one_ranking,
        max(missing - max(boards // 6, 1), 0),
        measures.meetings.most > 1,
        measures.boards.spread,
        -float(measures.balance or 0),
        missing,
    )


def _why_none(contestants: int, seats: int, needed: list[int], wish: Wish) -> Phrase:
    if contestants < seats:
        return Phrase("{count} contestants do not fill a table of {seats}", count=contestants, seats=seats)
    if needed:
        return Phrase(
            "{copies} copies of each board are too few for {count} contestants: {needed} are needed",
            copies=wish.copies,
            count=contestants,
            needed=min(needed),
        )
    if wish.single:
        return Phrase(
            "no movement is known for {count} contestants in which every board is at one table at a time",
            count=contestants,
        )
    if not wish.sit_outs:
        return Phrase("{count} contestants cannot all play in every round", count=contestants)
    return Phrase("no movement is known for {count} contestants", count=contestants)
