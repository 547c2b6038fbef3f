"""From results to awards, and from awards to the ranking. Each step turns rows into values, calls `scoring`,
and turns its values into rows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import F

from engines import registry
from scoring.entries import AVERAGE, Entry
from scoring.lines import Comparison, awards
from scoring.ranking import Place
from scoring.ranking import ranking as places_of
from scoring.totals import Sum, Total, sums

from ..models import Board, Contestant, Ranking, Result, Seating, Session
from . import comparisons, queue

BATCH = 200


@transaction.atomic
def score_boards(*, session_id: int) -> bool:
    """Compare the lines of the boards whose results have changed; True if more than one batch waits.

    A board is scored from all its results, under its lock: what ran before, or runs at the same time, makes
    no difference.
    """
    boards = list(
        Board.objects.select_for_update(no_key=True)
        .filter(board_set__session=session_id, dirty__gt=F("scored"))
        .order_by("pk")[:BATCH]
    )
    if not boards:
        return False
    session = Session.objects.get(pk=session_id)  # under the locks: how often boards are played may change
    by_board = defaultdict(list)
    for result in Result.objects.filter(play__board__in=boards).select_related("play"):
        by_board[result.play.board_id].append(result)
    sides = registry.game(session.game).sides_of(session.conditions)
    comparison = comparisons.comparison_of(session)
    for results in by_board.values():
        by_seat = points_of(results, comparison, sides, session.plays_per_board)
        for result, points in zip(results, by_seat, strict=True):
            result.awards = [str(one) for one in points]
    Result.objects.bulk_update([r for results in by_board.values() for r in results], ["awards"])
    Board.objects.filter(pk__in=[board.pk for board in boards]).update(scored=F("dirty"))
    Session.objects.filter(pk=session.pk).update(dirty=F("dirty") + 1)
    queue.after_commit("rank", session.pk)
    return len(boards) == BATCH


def points_of(
    results: list[Result], comparison: Comparison, sides: tuple[tuple[int, ...], ...], plays: int
) -> list[list[Fraction]]:
    """The points by seat of each result of a board, line by line; the seats of a side share theirs."""
    points = [[Fraction(0)] * sum(len(side) for side in sides) for _ in results]
    for side in sides:
        seat = side[0]
        line: list[Entry] = [
            AVERAGE if seat in result.averaged else result.scores[seat - 1] for result in results
        ]
        for row, award in zip(points, awards(line, comparison, plays=plays), strict=True):
            assert award is not None  # every result has a score or an average
            for seat in side:
                row[seat - 1] = award.points
    return points


@transaction.atomic
def rank(*, session_id: int) -> int | None:
    """Give the session's ranking a new version if any total has changed; its number, or None."""
    session = (
        Session.objects.select_for_update(no_key=True).filter(pk=session_id, dirty__gt=F("ranked")).first()
    )
    if session is None:
        return None
    previous = newest(session)
    totals = totals_of(session)
    session.ranked = session.dirty
    if previous is None or totals != previous.totals:
        session.version += 1
        Ranking.objects.create(session=session, version=session.version, totals=totals)
    session.save(update_fields=["ranked", "version"])
    return session.version


def totals_of(session: Session) -> dict[str, dict[str, Any]]:
    """What each contestant has won by now, and in which line group, as `Ranking.totals` keeps it."""
    by_round = _totals_by_round(session)
    progress = _progress(by_round)
    contestants = dict(session.contestants.order_by("number").values_list("pk", "line_group"))
    totals = dict.fromkeys(contestants, Total()) | sums(
        (contestant, total) for rounds in by_round.values() for contestant, total in rounds
    )
    return {
        str(contestant): {
            "line_group": contestants[contestant],
            "points": str(total.points),
            "top": total.top,
            "boards": total.boards,
            "progress": [str(value) for value in progress[contestant]],
        }
        for contestant, total in totals.items()
    }


def _totals_by_round(session: Session) -> dict[int, list[tuple[int, Total]]]:
    """What each contestant has won, round by round: (contestant, total of one play)."""
    top = comparisons.top(session) or 0
    rows = (
        Seating.objects.filter(
            play__board__board_set__session=session,
            play__result__awards__isnull=False,
        )
        .order_by("play__round", "pk")
        .values_list("play_id", "play__round", "contestant_id", "seat", "play__result__awards")
    )
    by_round: dict[int, list[tuple[int, Total]]] = defaultdict(list)
    seen: set[tuple[int, int]] = set()
    for play, number, contestant, seat, points in rows:
        assert points is not None
        if (play, contestant) not in seen:  # a pair sits in two seats, and wins its award once
            seen.add((play, contestant))
            by_round[number].append((contestant, Total(Sum(Fraction(points[seat - 1]), top, 1))))
    return by_round


def _progress(by_round: dict[int, list[tuple[int, Total]]]) -> dict[int, list[Fraction]]:
    """By contestant: its percentage, or its points where there is none, after each round that it played."""
    progress: dict[int, list[Fraction]] = defaultdict(list)
    running: dict[int, Total] = defaultdict(Total)
    for number in sorted(by_round):
        for contestant, total in sums(by_round[number]).items():
            running[contestant] += total
            value = running[contestant].value
            if value is not None:
                progress[contestant].append(value)
    return progress


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a ranking, in exact numbers. `line_group`: those who can be compared, and are ranked
    together; `rank`: "3", "3=" when shared, "" before the first board;
    `change`: places won since the version before; `progress`: what it was ranked by after each round."""

    line_group: int
    rank: str
    contestant: Contestant
    total: Total
    change: int
    progress: tuple[Fraction, ...]


def newest(session: Session) -> Ranking | None:
    """The newest version of a session's ranking; None before the first."""
    return Ranking.objects.filter(session=session, version=session.version).first()


def standings(ranking: Ranking) -> list[Standing]:
    """A version of a ranking, line group by line group, the best first; ranks follow from the totals."""
    contestants = {
        one.pk: one for one in Contestant.objects.filter(session=ranking.session_id).order_by("number")
    }
    groups = _places(ranking, contestants)
    earlier = Ranking.objects.filter(session=ranking.session_id, version=ranking.version - 1).first()
    now, before = _positions(groups), _positions(_places(earlier, contestants) if earlier is not None else {})
    both = before.keys() & now.keys()
    return [
        Standing(
            group,
            place.rank,
            contestants[place.contestant],
            place.total,
            before[place.contestant] - now[place.contestant] if place.contestant in both else 0,
            tuple(Fraction(value) for value in ranking.totals[str(place.contestant)]["progress"]),
        )
        for group, places in groups.items()
        for place in places
    ]


def _places(ranking: Ranking, contestants: Iterable[int]) -> dict[int, Sequence[Place[int]]]:
    """The places of a version by line group; contestants who share one stand in the given order."""
    groups: dict[int, dict[int, Total]] = defaultdict(dict)
    for pk in contestants:
        if (one := ranking.totals.get(str(pk))) is not None:
            total = Total(Sum(Fraction(one["points"]), one["top"], one["boards"]))
            groups[one["line_group"]][pk] = total
    return {group: places_of(groups[group]) for group in sorted(groups)}


def _positions(groups: Mapping[int, Sequence[Place[int]]]) -> dict[int, int]:
    """The number of each contestant's rank; contestants without a rank are left out."""
    first: dict[tuple[int, str], int] = {}
    return {
        place.contestant: first.setdefault((group, place.rank), number)
        for group, places in groups.items()
        for number, place in enumerate(places, 1)
        if place.rank
    }
