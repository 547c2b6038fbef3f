"""Rulings, penalties and fouled boards as columns of an evening on paper: they do what a director’s do."""

from fractions import Fraction
from typing import Any

import pytest

from tournaments.models import Session, Tournament
from tournaments.services import evenings, rankings, rulings
from tournaments.services.errors import Invalid
from tournaments.services.rulings import PlayPlace

from .worlds import a_club

pytestmark = pytest.mark.django_db

COLUMNS = "section,round,table,board,seat1,seat2,seat3,outcome,tricks1,tricks2,tricks3"
ROWS = [
    "A,1,1,1,Ana,Ben,Cléo,normal,5,3,2",
    "A,1,1,2,Ana,Ben,Cléo,normal,4,3,3",
    "A,1,2,1,Dan,Eve,Fay,normal,6,2,2",
    "A,1,2,2,Dan,Eve,Fay,normal,4,4,2",
    "A,1,3,1,Gil,Hal,Ida,normal,6,4,0",
    "A,1,3,2,Gil,Hal,Ida,normal,3,4,3",
]
MORE = "ruling1,ruling2,ruling3,penalty1,penalty2,penalty3,deal,reason"
PLAIN = [*ROWS[:1], "A,1,1,2,Ana,Ben,Cléo,,,,", *ROWS[2:]]


def brought(rows: list[str], header: str = COLUMNS, name: str = "Evening", **more: Any) -> Session:
    tournament = Tournament.objects.create(club=a_club(f"Club of {name}"), name=name)
    text = "\n".join([header, *rows]) + "\n"
    wish = {"game": "comon", "options": {}, "method": "matchpoints"} | more
    session = evenings.import_evening(text=text, tournament=tournament, actor=None, name=name, **wish)
    return Session.objects.select_related("tally", "board_set", "tournament").get(pk=session.pk)


def totals(session: Session) -> list[tuple[str, str, Fraction, int]]:
    evenings.rank(session)
    newest = rankings.newest(session)
    assert newest is not None
    return sorted(
        (one.contestant.name, one.rank, one.total.points, one.total.top)
        for one in rankings.standings(newest, reader=rankings.Reader(is_operator=True))
    )


def with_columns(rows: list[str], more: dict[int, str]) -> list[str]:
    return [f"{row},{more.get(at, ',,,,,,,')}" for at, row in enumerate(rows)]


def test_columns_do_what_a_director_does() -> None:
    more = {
        0: "60+,,40-,,,,,Cléo named a card",
        3: ",,,,10,,,Late",
        4: ",,,,,,B,Two cards had changed places",
    }
    by_file = brought(with_columns(ROWS, more), f"{COLUMNS},{MORE}", "by file")
    by_hand = brought(ROWS, name="by hand")
    decisions = [
        {"kind": "artificial", "percent": "60", "own": "if better", "seats": [1]},
        {"kind": "artificial", "percent": "40", "own": "if worse", "seats": [3]},
    ]
    for plan in (
        rulings.on_play(session=by_hand, place=PlayPlace("A", 1, 1), decisions=decisions),
        rulings.on_contestant(session=by_hand, contestant=5, kind="penalty", amount="10"),
        rulings.on_fouled_board(session=by_hand, board=1, groups=[("B", [("A", 3)])]),
    ):
        rulings.rule(plan, actor=None, text="So")
    assert totals(by_file) == totals(by_hand) != totals(brought(ROWS, name="without"))
    assert sorted(one.kind for one in by_file.rulings.all()) == ["artificial", "fouled", "penalty"]
    told = {one.kind: one.remark.text for one in by_file.rulings.select_related("remark")}
    assert told["fouled"] == "Two cards had changed places"


def test_a_board_that_nobody_could_play_needs_no_result() -> None:
    session = brought(with_columns(PLAIN, {1: "non joué,non joué,non joué,,,,,"}), f"{COLUMNS},{MORE}")
    assert session.is_over
    assert session.rulings.get().kind == "not-played"
    assert {one[3] for one in totals(session)} == {4, 8}


@pytest.mark.parametrize(
    ("at", "cells", "column"),
    [
        (1, "average,average,,,,,,", "tricks1–tricks3"),  # the third seat still needs a result
        (0, "101,,,,,,,", "ruling1"),
        (0, ",perhaps,,,,,,", "ruling2"),
        (0, ",,,0,,,,", "penalty1"),
        (0, ",,,,,ten,,", "penalty3"),
        (0, f",,,,,,{'B' * 21},", "deal"),
        (0, f",,,,,,,{'B' * 501}", "reason"),
    ],
)
def test_what_cannot_be_decided_is_a_slip_of_its_column(at: int, cells: str, column: str) -> None:
    with pytest.raises(Invalid) as refused:
        brought(with_columns(PLAIN if at else ROWS, {at: cells}), f"{COLUMNS},{MORE}")
    assert [(slip["line"], slip["column"]) for slip in refused.value.details] == [(at + 2, column)]
    assert not Session.objects.exists()
