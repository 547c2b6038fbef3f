"""Evenings on paper of any size: what an import costs grows with its rows, and nothing is read or judged
while the database is held."""

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from random import Random
from types import FrameType
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from engines import registry
from engines.contract import Outcome
from engines.records import Judgement
from tournaments.models import Board, Contestant, HistoryEntry, Result, Submission, Tournament
from tournaments.services import bulk, evenings, paper, sessions
from tournaments.services.slips import Row, between

from .worlds import a_club, a_session, standings_of

pytestmark = pytest.mark.django_db

COMON = registry.game("comon")
HEADER = "section,round,table,board,seat1,seat2,seat3,outcome,tricks1,tricks2,tricks3"


def a_file(tables: int, *, board: Callable[[int, int], int] = lambda table, number: number) -> str:
    """Six rounds of two boards at so many tables; `board`: the number of a table's next one, from 1."""
    random, rows = Random(7), [HEADER]
    names = [f"Joueur {n}" for n in range(3 * tables)]
    for number in range(1, 13):
        if number % 2:
            random.shuffle(names)
        for table in range(tables):
            low, high = sorted((random.randint(0, 10), random.randint(0, 10)))
            seats = ",".join(names[3 * table : 3 * table + 3])
            place = f"A,{(number + 1) // 2},{table + 1},{board(table, number)}"
            rows.append(f"{place},{seats},normal,{low},{high - low},{10 - high}")
    return "\n".join(rows)


def imported(tables: int) -> tuple[int, int]:
    """How many statements storing and ranking a file costs, and how many rows it has."""
    evening = evenings.read(text=a_file(tables), game="comon", options={}, method="matchpoints")
    tournament = Tournament.objects.create(club=a_club(f"Club of {tables}"), name="Paper")
    with CaptureQueriesContext(connection) as queries:
        evenings.rank(evenings.store(evening, tournament=tournament, actor=None, name="Evening"))
    return len(queries), len(evening.rows)


def test_the_statements_of_an_import_do_not_grow_with_its_rows() -> None:
    few, rows = imported(5)
    many, more_rows = imported(40)
    assert (rows, more_rows) == (60, 480)
    assert many <= few + 2, "some of them are cut into pieces"


def test_a_board_of_a_thousand_plays_can_be_read() -> None:
    """Page by page, every play once; such a traveller was too much for SQLite."""
    text = "\n".join(line for line in a_file(1001).split("\n") if line.startswith(("section", "A,1,")))
    club = a_club("Large")
    tournament = Tournament.objects.create(club=club, name="Paper")
    evening = evenings.read(text=text, game="comon", options={}, method="matchpoints")
    session = evenings.store(evening, tournament=tournament, actor=None, name="Evening")
    evenings.rank(session)
    sessions.publish(session=session, actor=None, listed=True)
    api, client = f"/api/v1/sessions/{session.pk}", Client()
    address, plays = f"{api}/boards/1/traveller/?page_size=500", 0
    while address:
        answer = client.get(address).json()
        address, plays = answer["next"], plays + len(answer["plays"])
    assert plays == 1001
    for path in (f"{api}/plays/", f"{api}/ranking/", f"{api}/boards/"):
        assert client.get(f"{path}?page_size=500").status_code == 200
    assert client.get(f"/en/sessions/{session.pk}/boards/1/?page=11").status_code == 200


def steps_of(work: Callable[[], object]) -> int:
    """How many lines of the services run."""
    steps = 0

    def count(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal steps
        if "/services/" not in frame.f_code.co_filename:
            return None
        steps += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    return steps


@pytest.mark.parametrize(
    "board",
    [
        lambda table, number: number,
        lambda table, number: 12 * table + number,  # each at one table, so that all are asked about
        lambda table, number: number if number % 2 else 12 * table + number + 1000,  # one of each round
    ],
)
def test_reading_takes_four_times_as_long_for_four_times_the_rows(board: Any) -> None:
    options = registry.options_of(COMON, {})
    few, many = a_file(20, board=board), a_file(80, board=board)
    steps = steps_of(lambda: paper.read(few, COMON, options))
    assert steps_of(lambda: paper.read(many, COMON, options)) < 4.5 * steps


def test_a_file_is_read_and_judged_without_the_database() -> None:
    with CaptureQueriesContext(connection) as queries:
        evening = evenings.read(text=a_file(3), game="comon", options={}, method="matchpoints")
    assert len(queries) == 0
    assert all(row.judgement.outcome.scores for row in evening.rows)


def test_what_is_stored_is_what_was_judged() -> None:
    evening = evenings.read(text=a_file(3), game="comon", options={}, method="matchpoints")
    tournament = Tournament.objects.create(club=a_club(), name="Paper")
    session = evenings.store(evening, tournament=tournament, actor=None, name="Evening")
    assert not session.tally.version, "its ranking comes after"
    results = Result.objects.filter(session=session).select_related(
        "play__table", "play__board", "submission"
    )
    by_place = {(r.play.table.number, r.play.board.number): r for r in results}
    for row in evening.rows:
        result = by_place[row.table, row.board]
        assert result.scores == list(row.judgement.outcome.scores)
        assert result.sheet == result.submission.content["sheet"] == row.judgement.sheet
        assert result.submission.state == Submission.State.ACCEPTED
        seated = result.play.seatings.order_by("seat").values_list("contestant__name", flat=True)
        assert tuple(seated) == row.contestants
    history = HistoryEntry.objects.filter(session=session).order_by("pk")
    assert [event.verb for event in history] == ["imported", "finished"]
    evenings.rank(session)
    assert len(standings_of(session)) == 9


# ── Boards that belong to no round ────────────────────────────────────────────────────────────────


def a_row(line: int, number: int, table: int, board: int) -> Row:
    nothing = Judgement(Outcome(scores=(), facts=()), {})
    return Row(line, "A", number, table, board, (f"{number}.{table}.{board}",), nothing)


def obvious(rows: Sequence[Row]) -> list[tuple[int, str]]:
    """Each row beside every other table, as the rule says it."""
    plays = Counter(row.board for row in rows)
    played: dict[tuple[int, int], set[int]] = defaultdict(set)
    for row in rows:
        played[row.round, row.table].add(row.board)
    slips = []
    for row in rows:
        place, own = (row.round, row.table), played[row.round, row.table]
        others = [b for at, b in played.items() if at != place and (at[0] == row.round or b & own)]
        others = [b for b in others if b - own and (b & own or len(own) == 1)]
        if plays[row.board] == 1 and others:
            usual = Counter(tuple(sorted(boards)) for boards in others).most_common(1)[0][0]
            slips.append((row.line, ", ".join(map(str, usual))))
    return slips


@given(st.lists(st.tuples(*[st.integers(1, 3)] * 2, st.integers(1, 6)), max_size=25, unique=True))
def test_a_board_of_no_round_is_found_as_by_comparing_all_tables(places: list[tuple[int, int, int]]) -> None:
    at_table: set[tuple[int, int]] = set()
    rows = []
    for line, (number, table, board) in enumerate(places, 2):
        if (table, board) not in at_table:
            rows.append(a_row(line, number, table, board))
            at_table.add((table, board))
    found = [(slip.line, str(slip.reason).rpartition("play ")[2]) for slip in between(rows)]
    assert found == obvious(rows)


# ── Many rows at once ─────────────────────────────────────────────────────────────────────────────


def test_ids_for_new_rows_are_never_given_twice() -> None:
    session = a_session()
    boards = session.board_set
    ids = bulk.new_ids(Board, 3)
    bulk.insert(Board, {"id": ids, "number": [101, 102, 103]}, same={"board_set": boards.pk})
    assert dict(boards.boards.filter(pk__in=ids).values_list("pk", "number")) == {
        pk: 101 + n for n, pk in enumerate(ids)
    }
    later = Board.objects.create(board_set=boards, number=104)
    assert len({later.pk, *ids, *bulk.new_ids(Board, 2)}) == 6
    assert bulk.new_ids(Board, 0) == []


@pytest.mark.sqlite  # a sequence of PostgreSQL gives none twice
@pytest.mark.django_db(transaction=True)
def test_ids_for_new_rows_need_a_transaction() -> None:
    with pytest.raises(AssertionError, match="same ids"):
        bulk.new_ids(Board, 1)


def test_values_are_changed_by_the_ids_of_their_rows() -> None:
    numbers = {one.pk: one.number for one in a_session().contestants.all()}
    changed = {pk: 10 + number for pk, number in numbers.items() if number > 2}
    bulk.update(Contestant, {"id": list(changed), "line_group": list(changed.values())})
    bulk.update(Contestant, {"id": [], "line_group": []})
    groups = dict(Contestant.objects.values_list("pk", "line_group"))
    assert groups == {pk: 10 + number if number > 2 else 1 for pk, number in numbers.items()}
