"""When an evening does not go as planned: somebody comes late, stays away or has to leave. What was played
stays, and the rest is planned again from there."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from time import monotonic

from engines.phrases import Phrase

from .cooling import Progress, part
from .golfer import STEPS, golfer_rounds
from .latecomers import another_rest, beside_sit_outs, is_turning
from .layout import BadMovement, Movement, Sitting
from .seating import with_seats

TABLES = 0.2  # of the progress, before the seats
IN_PLACES, SIT_OUTS, ANEW = "in-places", "sit-outs", "anew"
RESTS = (IN_PLACES, SIT_OUTS, ANEW)


def with_new_rest(
    movement: Movement,
    *,
    after: int,
    contestants: Collection[int],
    seats: int,
    fixed: bool = False,
    rest: str = IN_PLACES,
    seed: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Movement:
    """The movement with its rounds from `after` + 1 on planned again for the contestants who are there now.

    Where all tables play the same boards in a round, the tables are annealed again: nobody meets more often
    than needed, what was played before included, those who have sat out least sit out first, and the seats
    become as even and as balanced over the whole evening as they can in so many `seconds` (0: they stay as
    they come; by default: in as many steps as usual). Where boards travel, and where who plays with whom is
    `fixed` (teams, partners), everybody stays in their place: a newcomer takes the place of somebody who
    leaves now, and a table with an empty place is not played; unless boards travel and `rest` says that they
    sit down with those who sit out (`SIT_OUTS`), or that all have another movement from there on (`ANEW`).
    BadMovement where there is no place for somebody new.
    """
    here = sorted(set(contestants))
    if not 0 <= after < movement.rounds:
        raise BadMovement(
            Phrase(
                "a plan can begin after round 0 to {most}, not after round {after}",
                most=movement.rounds - 1,
                after=after,
            )
        )
    if len(here) < seats:
        raise BadMovement(
            Phrase("{count} contestants do not fill a table of {seats}", count=len(here), seats=seats)
        )
    kept = [s for s in movement.sittings if s.round <= after]
    planned = [s for s in movement.sittings if s.round > after]
    annealing = is_barometer(planned) and not fixed
    if fixed and rest != IN_PLACES:
        raise BadMovement(Phrase("who plays with whom is settled here: nobody new finds a place beside them"))
    heard = part(progress, 0.0, TABLES)
    if annealing:
        later = _annealed_rest(kept, planned, here, seats, seed, heard)
    elif rest == SIT_OUTS:
        later = beside_sit_outs(kept, planned, here, seats)
    elif rest == ANEW:
        later = another_rest(kept, planned, here, seats, seed=seed, progress=heard)
    else:
        later = _in_places(kept, planned, here)
    if not later:
        raise BadMovement(
            Phrase(
                "no table would be left: everybody stays in their place, and every table has lost somebody"
            )
        )
    whole = replace(
        movement,
        name=f"{movement.name.partition('-from-')[0]}-from-{after + 1}",
        sittings=(*kept, *later),
    )
    if not (annealing or rest == ANEW) or seconds == 0:
        return whole
    until = None if seconds is None else monotonic() + seconds
    together = not annealing and not is_turning(planned)
    heard = part(progress, TABLES, 1.0)
    return with_seats(whole, after=after, seed=seed, together=together, deadline=until, progress=heard)


def places_for_newcomers(
    movement: Movement, *, after: int, leaving: Collection[int], fixed: bool = False
) -> int | None:
    """How many newcomers `with_new_rest` has a place for from round `after` + 1 on when these leave; None
    where it plans the tables anew, and asks nobody to leave."""
    rest = [s for s in movement.sittings if s.round > after]
    if is_barometer(rest) and not fixed:
        return None
    return len({c for sitting in rest for c in sitting.contestants} & set(leaving))


def ways_for_newcomers(
    movement: Movement, *, after: int, contestants: Collection[int], seats: int, fixed: bool = False
) -> list[str]:
    """Ways of `with_new_rest` that may have a place for those who come late and take nobody's: beside those
    who sit out, if each of them would play then, and another movement. None where everybody has to stay."""
    planned = [s for s in movement.sittings if s.round > after]
    if fixed or not planned:
        return []
    kept = [s for s in movement.sittings if s.round <= after]
    beside = beside_sit_outs(kept, planned, sorted(set(contestants)), seats)
    playing = {c for sitting in beside for c in sitting.contestants}
    return [*([SIT_OUTS] if set(contestants) <= playing else []), ANEW]


def is_barometer(sittings: Sequence[Sitting]) -> bool:
    """Whether all tables play the same boards in a round, which nobody plays in another. Asked of the rounds
    to come: a reserve board that some tables played earlier does not matter."""
    rounds: dict[int, set[int]] = defaultdict(set)
    boards: dict[tuple[int, int], set[int]] = defaultdict(set)
    for sitting in sittings:
        rounds[sitting.board].add(sitting.round)
        boards[sitting.round, sitting.table].add(sitting.board)
    by_round: dict[int, set[frozenset[int]]] = defaultdict(set)
    for (number, _), held in boards.items():
        by_round[number].add(frozenset(held))
    return all(len(found) == 1 for found in rounds.values()) and all(
        len(held) == 1 for held in by_round.values()
    )


def _annealed_rest(
    kept: Sequence[Sitting],
    rest: Sequence[Sitting],
    here: Sequence[int],
    seats: int,
    seed: int,
    progress: Progress | None,
) -> list[Sitting]:
    number = {contestant: at for at, contestant in enumerate(here)}
    met: Counter[tuple[int, int]] = Counter()
    for together in {(s.round, s.table): s.contestants for s in kept}.values():
        met.update(combinations(sorted(number[c] for c in together if c in number), 2))
    played = Counter(c for _, c in {(s.round, c) for s in kept for c in s.contestants})
    boards: dict[int, set[int]] = defaultdict(set)
    for sitting in rest:
        boards[sitting.round].add(sitting.board)
    rounds = sorted(boards)
    out = len(here) % seats
    resting = []
    for _ in rounds:
        order = sorted(here, key=lambda c: (-played[c], c))
        resting.append({number[c] for c in order[:out]})
        played.update(order[out:])
    laid = golfer_rounds(len(here), seats, resting, Random(seed), STEPS, None, progress, met)  # noqa: S311
    found = []
    for coming, tables in zip(rounds, laid, strict=True):
        for table, players in enumerate(tables, 1):
            for step, board in enumerate(sorted(boards[coming])):
                by_seat = tuple(here[players[(seat - step) % len(players)]] for seat in range(len(players)))
                found.append(Sitting(coming, table, board, by_seat))
    return found


def _in_places(kept: Sequence[Sitting], rest: Sequence[Sitting], here: Sequence[int]) -> list[Sitting]:
    playing = {c for sitting in rest for c in sitting.contestants}
    known = playing | {c for sitting in kept for c in sitting.contestants}
    left = sorted(playing - set(here))
    new = [c for c in here if c not in known]
    if len(new) > len(left):
        raise BadMovement(
            Phrase(
                "everybody stays in their place: a newcomer takes the place of somebody who leaves at the "
                "same time (free places: {count})",
                count=len(left),
            )
        )
    place = dict(zip(left, new, strict=False))
    gone = set(left[len(new) :])
    return [
        replace(sitting, contestants=tuple(place.get(c, c) for c in sitting.contestants))
        for sitting in rest
        if not gone & set(sitting.contestants)
    ]
