"""The families of movements by name: a family is one function and one line here."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from engines.phrases import Phrase

from .fields import field_of
from .golfer import golfer, table_sizes
from .howell import (
    BASES,
    howell,
    mitchell,
    reduced_howell,
    relay_mitchell,
    round_robin,
    web_mitchell,
    web_rounds,
)
from .kirkman import FIRST_ROUNDS, kirkman
from .layout import BadMovement, Movement
from .planes import plane
from .quality import without_one
from .rainbow import is_possible, rainbow
from .teams import team_round_robin, triplicate
from .whist import sizes as whist_sizes
from .whist import whist

Progress = Callable[[float], None]  # from 0 to 1


@dataclass(frozen=True, slots=True)
class Plan:
    """What a movement is made from. `seats`: how many may sit at a table (sides, where sides are compared).
    `rounds`: by default all that the family has. `deadline`: of the monotonic clock, for what is annealed."""

    contestants: int
    seats: tuple[int, ...]
    boards_per_round: int
    rounds: int | None = None
    seed: int = 0
    deadline: float | None = None
    progress: Progress | None = None

    @property
    def tables(self) -> int:
        return self.contestants // self.seats[0]


def _full(plan: Plan, most: int) -> int:
    return most if plan.rounds is None else plan.rounds


def _kirkman(plan: Plan) -> Movement:
    return kirkman(plan.contestants, plan.boards_per_round, plan.rounds)


def _rainbow(plan: Plan) -> Movement:
    return rainbow(plan.contestants, plan.seats[0], plan.boards_per_round, _full(plan, plan.tables))


def _rotated_rainbow(plan: Plan) -> Movement:
    rounds = _full(plan, plan.tables)
    return rainbow(plan.contestants, plan.seats[0], plan.boards_per_round, rounds, rotated=True)


def _mitchell(plan: Plan, switched: int = 0) -> Movement:
    rounds = _full(plan, plan.tables - (plan.tables + 1) % 2)
    return mitchell(plan.contestants, plan.boards_per_round, rounds, switched=switched)


def _switched_mitchell(plan: Plan) -> Movement:
    """One round in eight is switched, which the balance likes best."""
    rounds = _full(plan, plan.tables - (plan.tables + 1) % 2)
    return _mitchell(replace(plan, rounds=rounds), max(round(rounds / 8), 1))


def _relay_mitchell(plan: Plan) -> Movement:
    return relay_mitchell(plan.contestants, plan.boards_per_round, _full(plan, plan.tables))


def _web_mitchell(plan: Plan) -> Movement:
    known = web_rounds(plan.tables)
    return web_mitchell(plan.contestants, plan.boards_per_round, _full(plan, known[-1] if known else 0))


def _howell(plan: Plan) -> Movement:
    found = howell(plan.contestants, plan.boards_per_round)
    return (
        found
        if plan.rounds in {None, found.rounds}
        else reduced_howell(plan.contestants, plan.boards_per_round, plan.rounds or 0)
    )


def _round_robin(plan: Plan) -> Movement:
    return round_robin(plan.contestants, plan.boards_per_round, plan.rounds)


def _annealed(plan: Plan) -> Movement:
    least = plan.seats[0]
    rounds = _full(plan, max((plan.contestants - 1) // max(least - 1, 1), 1))
    return golfer(
        plan.contestants,
        plan.seats,
        plan.boards_per_round,
        rounds,
        seed=plan.seed,
        deadline=plan.deadline,
        progress=plan.progress,
    )


def _plane(plan: Plan) -> Movement:
    return plane(plan.contestants, plan.seats[0], plan.boards_per_round, plan.rounds)


def _team_round_robin(plan: Plan) -> Movement:
    return team_round_robin(plan.contestants, plan.boards_per_round, plan.rounds)


def _triplicate(plan: Plan) -> Movement:
    if plan.rounds not in {None, 2}:
        raise BadMovement(Phrase("there can be 1 to {most} rounds, not {rounds}", most=2, rounds=plan.rounds))
    return triplicate(plan.contestants, plan.boards_per_round)


def _whist(plan: Plan) -> Movement:
    return whist(plan.contestants, plan.boards_per_round, plan.rounds)


@dataclass(frozen=True, slots=True)
class Family:
    """`arranged`: the movement of a plan, or BadMovement. `seats`: the tables it is for; None: any.
    `lines`: contestants stay in their line, for a ranking of each line. `together`: seats change between
    rounds and not between boards; `fixed`: they say who plays with whom, and must stay."""

    arranged: Callable[[Plan], Movement]
    seats: int | None = None
    lines: bool = False
    together: bool = False
    fixed: bool = False


FAMILIES: dict[str, Family] = {
    "kirkman": Family(_kirkman, 3),
    "rainbow": Family(_rainbow, lines=True),
    "rotated-rainbow": Family(_rotated_rainbow),
    "mitchell": Family(_mitchell, 2, lines=True, together=True),
    "switched-mitchell": Family(_switched_mitchell, 2, together=True),
    "relay-mitchell": Family(_relay_mitchell, 2, lines=True, together=True),
    "web-mitchell": Family(_web_mitchell, 2, lines=True, together=True),
    "howell": Family(_howell, 2, together=True),
    "round-robin": Family(_round_robin, 2, together=True),
    "team-round-robin": Family(_team_round_robin, 2, fixed=True),
    "triplicate": Family(_triplicate, 2, fixed=True),
    "plane": Family(_plane),
    "whist": Family(_whist, 4, fixed=True),
    "annealed": Family(_annealed),
}


def arranged(family: str, plan: Plan) -> Movement:
    """The movement of a family for a plan. Of an odd number at tables of two, one sits out in each round.

    BadMovement says what would be possible.
    """
    if family not in FAMILIES:
        known = ", ".join(FAMILIES)
        raise BadMovement(
            Phrase("“{name}” is no movement here; there are: {known}", name=family, known=known)
        )
    if plan.boards_per_round < 1:
        raise BadMovement(Phrase("a round has one board or more"))
    found = FAMILIES[family]
    if found.seats is not None and found.seats not in plan.seats:
        raise BadMovement(
            Phrase(
                "{name} is for tables of {wanted}, not of {seats}",
                name=family,
                wanted=found.seats,
                seats=", ".join(map(str, plan.seats)),
            )
        )
    if plan.contestants < min(plan.seats):
        raise BadMovement(
            Phrase(
                "{count} contestants do not fill a table of {seats}",
                count=plan.contestants,
                seats=min(plan.seats),
            )
        )
    if found.seats == 2 and plan.contestants % 2 and not found.fixed:
        phantom = plan.contestants + 1
        movement = found.arranged(replace(plan, contestants=phantom))
        return _numbered(without_one(movement, phantom), movement.name, plan.contestants)
    return found.arranged(plan)


def _numbered(movement: Movement, name: str, contestants: int) -> Movement:
    """The tables numbered from 1, where one of them is never played."""
    used = sorted({sitting.table for sitting in movement.sittings})
    number = {table: n for n, table in enumerate(used, 1)}
    sittings = tuple(replace(sitting, table=number[sitting.table]) for sitting in movement.sittings)
    return replace(movement, name=f"{name}-for-{contestants}", sittings=sittings)


def possible_rounds(family: str, contestants: int, seats: Sequence[int]) -> Iterator[int]:
    """The numbers of rounds that a family can have for so many; none where it has nothing for them."""
    least = seats[0]
    even = contestants + contestants % 2
    tables = (even if family not in {"rainbow", "rotated-rainbow"} else contestants) // least
    if family == "kirkman" and contestants in FIRST_ROUNDS and 3 in seats:
        yield from range(1, (contestants - 1) // 2 + 1)
    elif family in {"rainbow", "rotated-rainbow"}:
        if contestants % least == 0 and is_possible(tables, least):
            yield from range(1, tables + 1)
    elif family in {"mitchell", "switched-mitchell"} and 2 in seats and tables >= 2:
        yield from range(1, tables - (tables + 1) % 2 + 1)
    elif family == "relay-mitchell" and 2 in seats and tables % 2 == 0:
        yield from range(1, tables + 1)
    elif family == "web-mitchell" and 2 in seats:
        yield from web_rounds(tables)
    elif family == "howell" and 2 in seats and tables >= 2:
        yield from sorted(
            {2 * tables - 1} | {int(k.split("x")[1]) for k in BASES if k.split("x")[0] == str(tables)}
        )
    elif family == "round-robin" and 2 in seats:
        yield from range(1, even)
    elif family == "team-round-robin" and 2 in seats and contestants % 2 == 0 and contestants >= 4:
        teams = contestants // 2
        yield from range(1, teams + teams % 2)
    elif family == "triplicate" and 2 in seats and contestants == 6:
        yield 2
    elif family == "plane" and contestants == least * least and field_of(least):
        yield from range(1, least + 2)
    elif family == "whist" and 4 in seats and contestants in whist_sizes(contestants):
        yield from range(1, contestants - (contestants % 4 == 0) + 1)
    elif family == "annealed" and table_sizes(contestants, seats):
        yield from range(1, max(contestants, 2))
