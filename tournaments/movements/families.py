"""The families of movements by name: a family is a function, the rounds it can have, and one line here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engines.phrases import Phrase

from .cooling import Progress
from .fields import prime_power
from .golfer import STEPS, golfer
from .howell import (
    howell,
    howell_rounds,
    mitchell,
    reduced_howell,
    relay_mitchell,
    round_robin,
    web_mitchell,
    web_rounds,
)
from .kirkman import FIRST_ROUNDS, kirkman
from .layout import BadMovement, Movement
from .paired import knock_out_rounds, knock_out_start, swiss_start
from .planes import plane
from .quality import without_one
from .rainbow import is_possible, rainbow
from .teams import team_round_robin, triplicate
from .whist import sizes as whist_sizes
from .whist import whist


@dataclass(frozen=True, slots=True)
class Plan:
    """What a movement is made from. `seats`: how many sit at a table (sides, where sides are compared).
    `rounds`: by default all that the family has. `most_boards`: how many there may be in all. `steps`: of
    what is annealed, by default as many as usual; `deadline`: of the monotonic clock, if that comes first."""

    contestants: int
    seats: int
    boards_per_round: int
    rounds: int | None = None
    most_boards: int | None = None
    seed: int = 0
    steps: int | None = None
    deadline: float | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Family:
    """`movement`: that of a plan, or BadMovement where there is none for so many. `rounds`: how many
    rounds it can have for so many contestants at tables of so many; none where there is no such movement.
    `usual`: how many if none are asked for; by default all. `seats`: the tables it is for; None: any.
    `lines`: contestants stay in their line, for a ranking of each line. `together`: seats change between
    rounds and not between boards; `fixed`: they say who plays with whom, and must stay. `individuals`: each
    seat is somebody's own, also in a game of partners, who change. `paired`: each round is planned when the
    one before is over ("swiss", "knock-out"), and the movement is its first. `team_size`: how many
    contestants win and lose matches together; 0 where there are no matches."""

    movement: Callable[[Plan], Movement]
    rounds: Callable[[int, int], Sequence[int]]
    seats: int | None = None
    lines: bool = False
    together: bool = False
    fixed: bool = False
    individuals: bool = False
    paired: str = ""
    team_size: int = 0
    usual: Callable[[int, int], int] | None = None


def _simple(build: Callable[[int, int, int | None], Movement]) -> Callable[[Plan], Movement]:
    """For what needs to know the contestants, the boards of a round and the rounds."""
    return lambda plan: build(plan.contestants, plan.boards_per_round, plan.rounds)


def _rainbow(plan: Plan) -> Movement:
    return rainbow(plan.contestants, plan.seats, plan.boards_per_round, plan.rounds)


def _rotated_rainbow(plan: Plan) -> Movement:
    return rainbow(plan.contestants, plan.seats, plan.boards_per_round, plan.rounds, rotated=True)


def _switched_mitchell(plan: Plan) -> Movement:
    return mitchell(plan.contestants, plan.boards_per_round, plan.rounds, switches=True)


def _howell(plan: Plan) -> Movement:
    if plan.rounds in {None, plan.contestants - 1}:
        return howell(plan.contestants, plan.boards_per_round)
    return reduced_howell(plan.contestants, plan.boards_per_round, plan.rounds or 0)


def _triplicate(plan: Plan) -> Movement:
    return triplicate(plan.contestants, plan.boards_per_round)


def _swiss(team_size: int) -> Callable[[Plan], Movement]:
    def movement(plan: Plan) -> Movement:
        rounds = plan.rounds or _swiss_rounds(plan.contestants // team_size, plan.seats)
        return swiss_start(plan.contestants, plan.seats, plan.boards_per_round, rounds, team_size=team_size)

    return movement


def _knock_out(team_size: int) -> Callable[[Plan], Movement]:
    return lambda plan: knock_out_start(plan.contestants, plan.boards_per_round, team_size=team_size)


def _swiss_rounds(contestants: int, seats: int) -> int:
    """As many as find the best, if the better always wins, and one more."""
    return knock_out_rounds(contestants) + 1


def _knock_out_rounds(team_size: int) -> Callable[[int, int], Sequence[int]]:
    def rounds(contestants: int, seats: int) -> Sequence[int]:
        teams = contestants // team_size
        return [knock_out_rounds(teams)] if teams > 1 and contestants % team_size == 0 else []

    return rounds


def _team_swiss_rounds(contestants: int, seats: int) -> Sequence[int]:
    return _up_to(MOST_ROUNDS if contestants >= 4 and contestants % 2 == 0 else 0)


def _plane(plan: Plan) -> Movement:
    return plane(plan.contestants, plan.seats, plan.boards_per_round, plan.rounds)


def _annealing(plan: Plan) -> Movement:
    return golfer(
        plan.contestants,
        plan.seats,
        plan.boards_per_round,
        plan.rounds or _everyone_once(plan.contestants, plan.seats),
        seed=plan.seed,
        steps=STEPS if plan.steps is None else min(plan.steps, STEPS),
        deadline=plan.deadline,
        progress=plan.progress,
    )


def _everyone_once(contestants: int, seats: int) -> int:
    return max((contestants - 1) // max(seats - 1, 1), 1)


def _up_to(most: int) -> range:
    return range(1, most + 1)


def _kirkman_rounds(contestants: int, seats: int) -> Sequence[int]:
    return _up_to((contestants - 1) // 2 if contestants in FIRST_ROUNDS else 0)


def _rainbow_rounds(contestants: int, seats: int) -> Sequence[int]:
    possible = contestants % seats == 0 and is_possible(contestants // seats, seats)
    return _up_to(contestants // seats if possible else 0)


def _mitchell_rounds(contestants: int, seats: int) -> Sequence[int]:
    tables = contestants // 2
    return _up_to(tables - (tables + 1) % 2 if tables > 1 else 0)


def _relay_rounds(contestants: int, seats: int) -> Sequence[int]:
    return _up_to(contestants // 2 if contestants % 4 == 0 else 0)


def _team_rounds(contestants: int, seats: int) -> Sequence[int]:
    teams = contestants // 2
    return _up_to(teams - (teams + 1) % 2 if teams > 1 and contestants % 2 == 0 else 0)


def _plane_rounds(contestants: int, seats: int) -> Sequence[int]:
    return _up_to(seats + 1 if contestants == seats * seats and prime_power(seats) else 0)


def _whist_rounds(contestants: int, seats: int) -> Sequence[int]:
    possible = contestants in whist_sizes(contestants)
    return _up_to(contestants - (contestants % 4 == 0) if possible else 0)


MOST_ROUNDS = 400

FAMILIES: dict[str, Family] = {
    "kirkman": Family(_simple(kirkman), _kirkman_rounds, 3),
    "rainbow": Family(_rainbow, _rainbow_rounds, lines=True),
    "rotated-rainbow": Family(_rotated_rainbow, _rainbow_rounds),
    "mitchell": Family(_simple(mitchell), _mitchell_rounds, 2, lines=True, together=True),
    "switched-mitchell": Family(_switched_mitchell, _mitchell_rounds, 2, together=True),
    "relay-mitchell": Family(_simple(relay_mitchell), _relay_rounds, 2, lines=True, together=True),
    "web-mitchell": Family(
        _simple(web_mitchell), lambda count, seats: web_rounds(count // 2), 2, lines=True, together=True
    ),
    "howell": Family(_howell, lambda count, seats: howell_rounds(count), 2, together=True),
    "round-robin": Family(_simple(round_robin), lambda count, seats: _up_to(count - 1), 2, together=True),
    "team-round-robin": Family(_simple(team_round_robin), _team_rounds, 2, fixed=True, team_size=2),
    "triplicate": Family(
        _triplicate, lambda count, seats: [2] if count == 6 else [], 2, fixed=True, team_size=2
    ),
    "swiss": Family(
        _swiss(1), lambda count, seats: _up_to(MOST_ROUNDS), paired="swiss", team_size=1, usual=_swiss_rounds
    ),
    "team-swiss": Family(
        _swiss(2),
        _team_swiss_rounds,
        2,
        fixed=True,
        paired="swiss",
        team_size=2,
        usual=lambda count, seats: _swiss_rounds(count // 2, seats),
    ),
    "knock-out": Family(_knock_out(1), _knock_out_rounds(1), 2, fixed=True, paired="knock-out", team_size=1),
    "team-knock-out": Family(
        _knock_out(2), _knock_out_rounds(2), 2, fixed=True, paired="knock-out", team_size=2
    ),
    "plane": Family(_plane, _plane_rounds),
    "whist": Family(_simple(whist), _whist_rounds, 4, fixed=True, individuals=True),
    "annealed": Family(_annealing, lambda count, seats: _up_to(MOST_ROUNDS), usual=_everyone_once),
}


def family_called(name: str) -> Family:
    """BadMovement if there is none of this name."""
    if name not in FAMILIES:
        known = ", ".join(FAMILIES)
        raise BadMovement(
            Phrase(
                "“{name}” is not a movement of this service; choose one of {known}", name=name, known=known
            )
        )
    return FAMILIES[name]


def family_movement(family: str, plan: Plan) -> Movement:
    """The movement of a family for a plan. Of an odd number at tables of two, one sits out in each round.

    BadMovement says what would be possible.
    """
    found = family_called(family)
    if plan.boards_per_round < 1:
        raise BadMovement(Phrase("a round has one board or more"))
    if found.seats not in {None, plan.seats}:
        raise BadMovement(
            Phrase(
                "{name} is for tables of {wanted}, not of {seats}",
                name=family,
                wanted=found.seats,
                seats=plan.seats,
            )
        )
    if plan.contestants < plan.seats:
        raise BadMovement(
            Phrase(
                "{count} contestants do not fill a table of {seats}",
                count=plan.contestants,
                seats=plan.seats,
            )
        )
    count = _count_with_phantom(found, plan.contestants)
    possible = found.rounds(count, plan.seats)
    if plan.rounds is not None and possible and plan.rounds not in possible:
        raise BadMovement(_rounds_there_are(possible, plan.rounds))
    usual = found.usual(count, plan.seats) if found.usual else max(possible, default=0)
    _check_boards(plan, (plan.rounds or usual) * plan.boards_per_round)  # before it takes long
    movement = found.movement(replace(plan, contestants=count))
    _check_boards(plan, movement.boards)
    if count == plan.contestants:
        return movement
    return _with_numbered_tables(without_one(movement, count), movement.name, plan.contestants)


def _check_boards(plan: Plan, boards: int) -> None:
    if plan.most_boards is not None and boards > plan.most_boards:
        raise BadMovement(
            Phrase("there can be {most} boards at most, not {boards}", most=plan.most_boards, boards=boards)
        )


def _count_with_phantom(family: Family, contestants: int) -> int:
    """How many there are with the one who is not there, whose table sits out, at tables of two."""
    return contestants + contestants % 2 if family.seats == 2 and not family.fixed else contestants


def _rounds_there_are(known: Sequence[int], rounds: int) -> Phrase:
    if list(known) == list(range(1, len(known) + 1)):
        return Phrase("there can be 1 to {most} rounds, not {rounds}", most=len(known), rounds=rounds)
    listed = ", ".join(map(str, known))
    return Phrase("there can be {known} rounds, not {rounds}", known=listed, rounds=rounds)


def _with_numbered_tables(movement: Movement, name: str, contestants: int) -> Movement:
    """The tables numbered from 1, where one of them is never played."""
    used = sorted({sitting.table for sitting in movement.sittings})
    number = {table: n for n, table in enumerate(used, 1)}
    sittings = tuple(replace(sitting, table=number[sitting.table]) for sitting in movement.sittings)
    return replace(movement, name=f"{name}-for-{contestants}", sittings=sittings)


def usual_rounds(family: str, contestants: int, seats: int) -> int:
    """How many rounds a family has for so many contestants, where nobody asks for another number; 0 where it
    is not for them."""
    found = family_called(family)
    if found.seats not in {None, seats} or contestants < seats:
        return 0
    count = _count_with_phantom(found, contestants)
    possible = found.rounds(count, seats)
    return (found.usual(count, seats) if found.usual else max(possible)) if possible else 0


def possible_rounds(family: str, contestants: int, seats: int) -> Sequence[int]:
    """The numbers of rounds that a family can have for so many; none where it has nothing for them."""
    found = FAMILIES[family]
    if contestants < seats or found.seats not in {None, seats}:
        return ()
    return found.rounds(_count_with_phantom(found, contestants), seats)
