"""From results to awards, and from awards to the ranking: rows into values, the call, values into rows."""

from collections import defaultdict
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import F

from engines import registry
from scoring.entries import AVERAGE, Entry
from scoring.lines import Comparison, awards
from scoring.ranking import Place, ranking, shown
from scoring.totals import Sum, Total, summed

from ..models import Board, Contestant, Ranking, Result, Seating, Session
from . import comparisons, queue

BATCH = 200


@transaction.atomic
def score_boards(*, session_id: int) -> bool:
    """Compare the lines of the boards whose results have changed; True if more wait than one batch.

    A board is scored whole from all its results, under its lock: what ran before, or runs beside
    this, makes no difference.
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
        for result, won in zip(results, points_of(results, comparison, sides, session.copies), strict=True):
            result.awards = [str(points) for points in won]
    Result.objects.bulk_update([r for results in by_board.values() for r in results], ["awards"])
    Board.objects.filter(pk__in=[board.pk for board in boards]).update(scored=F("dirty"))
    Session.objects.filter(pk=session.pk).update(dirty=F("dirty") + 1)
    queue.after_commit("rank", session.pk)
    return len(boards) == BATCH


def points_of(
    results: list[Result], comparison: Comparison, sides: tuple[tuple[int, ...], ...], copies: int
) -> list[list[Fraction]]:
    """The points by seat of each result of a board, line by line; the seats of a side share theirs."""
    won = [[Fraction(0)] * sum(len(side) for side in sides) for _ in results]
    for side in sides:
        seat = side[0]
        line: list[Entry] = [
            AVERAGE if seat in result.averaged else result.scores[seat - 1] for result in results
        ]
        for row, award in zip(won, awards(line, comparison, plays=copies), strict=True):
            assert award is not None  # every result has a score or an average
            for seat in side:
                row[seat - 1] = award.points
    return won


@transaction.atomic
def rank(*, session_id: int) -> int | None:
    """Give the session's ranking a new version if anything has changed; its number, or None."""
    session = (
        Session.objects.select_for_update(no_key=True).filter(pk=session_id, dirty__gt=F("ranked")).first()
    )
    if session is None:
        return None
    previous = Ranking.objects.filter(session=session, version=session.version).first()
    places = places_of(session, previous.places if previous else [])
    session.ranked = session.dirty
    if previous is None or _without_change(places) != _without_change(previous.places):
        session.version += 1
        Ranking.objects.create(session=session, version=session.version, places=places)
    session.save(update_fields=["ranked", "version"])
    return session.version


def places_of(session: Session, previous: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The places as the API shows them: scores to two decimals, points as exact fractions."""
    contestants = {c.pk: c for c in Contestant.objects.filter(session=session).order_by("number")}
    by_round = _totals_by_round(session)
    totals = dict.fromkeys(contestants, Total()) | summed(
        (contestant, total) for rounds in by_round.values() for contestant, total in rounds
    )
    order = {pk: totals[pk] for pk in contestants}
    before = {place["number"]: place["rank"] for place in previous}
    progress = _progress(by_round)
    return [_shown(place, contestants[place.contestant], before, progress) for place in ranking(order)]


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
    counted: set[tuple[int, int]] = set()
    for play, number, contestant, seat, won in rows:
        assert won is not None
        if (play, contestant) not in counted:  # a pair sits in two seats, and wins its award once
            counted.add((play, contestant))
            by_round[number].append((contestant, Total(Sum(Fraction(won[seat - 1]), top, 1))))
    return by_round


def _progress(by_round: dict[int, list[tuple[int, Total]]]) -> dict[int, list[str]]:
    """By contestant: its percentage (its points) after each round that it has played in."""
    lines: dict[int, list[str]] = defaultdict(list)
    running: dict[int, Total] = defaultdict(Total)
    for number in sorted(by_round):
        for contestant, total in summed(by_round[number]).items():
            running[contestant] += total
            value = running[contestant].value
            if value is not None:
                lines[contestant].append(shown(value))
    return lines


def _shown(
    place: Place[int], contestant: Contestant, before: dict[int, str], progress: dict[int, list[str]]
) -> dict[str, Any]:
    percentage, value = place.total.percentage, place.total.value
    return {
        "rank": place.rank,
        "number": contestant.number,
        "contestant": contestant.name,
        "points": str(place.total.points),
        "top": place.total.top,
        "percent": None if percentage is None else shown(percentage),
        "score": None if value is None else shown(value),
        "boards": place.total.boards,
        "change": _rank_number(before.get(contestant.number, "")) - _rank_number(place.rank)
        if before.get(contestant.number) and place.rank
        else 0,
        "progress": progress.get(contestant.pk, []),
    }


def _rank_number(rank: str) -> int:
    return int(rank.rstrip("=") or 0)


def _without_change(places: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in place.items() if key != "change"} for place in places]
