"""Movements from a file of seats: read with every slip at once, planned by, and written out as they came."""

import csv
import io
from typing import Any

import pytest

from tournaments import movements
from tournaments.models import Session
from tournaments.movements import Plan
from tournaments.services import exports, movement_files, sessions, spreadsheets
from tournaments.services.errors import Invalid, Missing

from .worlds import World, a_session, ended, plays_of

HEADER = ",".join(movement_files.COLUMNS)
GOOD = [
    "1,1,1,1,1 2", "1,1,2,2,", "1,2,1,3,1 2", "1,2,2,4,",
    "2,1,1,1,3 4", "2,1,2,3,", "2,2,1,2,3 4", "2,2,2,4,",
]  # fmt: skip
FAMILIES = [
    ("kirkman", 9, 3),
    ("howell", 8, 2),
    ("mitchell", 10, 2),
    ("rainbow", 12, 3),
    ("switched-mitchell", 8, 2),
]


def text_of(rows: list[str], header: str = HEADER) -> str:
    return "\n".join([header, *rows]) + "\n"


def slips(rows: list[str], header: str = HEADER, contestants: int = 4) -> list[tuple[int, str, str]]:
    with pytest.raises(Invalid) as refused:
        movement_files.read(text_of(rows, header), sizes=(2,), contestants=contestants)
    return [(slip["line"], slip["column"], slip["reason"]) for slip in refused.value.details]


@pytest.mark.parametrize(("family", "contestants", "seats"), FAMILIES)
def test_what_is_written_is_read_again_as_the_same_movement(
    family: str, contestants: int, seats: int
) -> None:
    there = movements.family_movement(family, Plan(contestants, seats, 2))
    rows = [list(movement_files.COLUMNS), *movement_files.rows_of(there.sittings)]
    for delimiter in ",;":
        text = spreadsheets.decoded(spreadsheets.as_csv(rows, delimiter))
        assert movement_files.read(text, sizes=(seats,), contestants=contestants).digest == there.digest
    content = spreadsheets.as_workbook(rows, "Movement")
    again = movement_files.read(movement_files.text_of(content), sizes=(seats,), contestants=contestants)
    assert again.digest == there.digest


def test_boards_are_named_once_for_a_table_or_in_every_row_and_columns_in_either_language() -> None:
    first = movement_files.read(text_of(GOOD), sizes=(2,), contestants=4)
    french = "Tour;Table;Place;Concurrent;Étuis"
    rows = [row.replace(",", ";").replace("1 2", "1–2").replace("3 4", "3, 4") for row in GOOD]
    assert movement_files.read(text_of(rows, french), sizes=(2,), contestants=4).digest == first.digest
    assert [(one.round, one.table, one.board, one.contestants) for one in first.sittings][:2] == [
        (1, 1, 1, (1, 2)),
        (1, 1, 2, (1, 2)),
    ]


@pytest.mark.parametrize(
    ("at", "row", "line", "column", "words"),
    [
        (0, "x,1,1,1,1 2", 2, "round", "whole number"),
        (0, "1,0,1,1,1 2", 2, "table", "whole number"),
        (0, "1,1,1,5,1 2", 2, "contestant", "from 1 to 4"),
        (0, "1,1,1,1,2026-01-02", 2, "boards", "blanks"),
        (0, "1,1,1,1,", 2, "boards", "names its boards"),
        (1, "1,1,1,2,", 3, "seat", "on line 2"),
        (1, "1,1,3,2,", 3, "seat", "2 contestants sit"),
        (2, "1,2,1,1,1 2", 4, "contestant", "sits at table 1"),
        (4, "2,1,1,1,2 3 4", 6, "boards", "played here, on line 2"),
        (6, "2,2,1,2,1 3 4", 8, "contestant", "has held board 1"),
        (3, "1,2,2,3,", 5, "contestant", "sits here on line 4"),
    ],
)
def test_a_slip_is_told_by_line_and_column(at: int, row: str, line: int, column: str, words: str) -> None:
    rows = [*GOOD[:at], row, *GOOD[at + 1 :]]
    found = slips(rows)
    assert any((one, name) == (line, column) and words in why for one, name, why in found), found


@pytest.mark.parametrize(
    ("rows", "column", "words"),
    [
        (GOOD[:4], "contestant", ""),
        ([row.replace("2,", "3,", 1) if row[0] == "2" else row for row in GOOD], "round", "2 is missing"),
        ([row.replace("3 4", "4 5") for row in GOOD], "boards", "3 is missing"),
        ([f"{row},{'A' if row[0] == '1' else 'B'}" for row in GOOD], "section", "one section"),
        ([], "", "no rows"),
    ],
)
def test_what_the_whole_lacks_is_told_at_its_header(rows: list[str], column: str, words: str) -> None:
    header = f"{HEADER},section" if column == "section" else HEADER
    found = slips(rows, header, contestants=5 if column == "contestant" else 4)
    assert any((line, name) == (1, column) and words in why for line, name, why in found), found


def test_a_header_says_what_is_missing_unknown_or_twice() -> None:
    found = slips(GOOD, "round,table,seat,seat,colour")
    assert {(line, column) for line, column, _why in found} == {
        (1, "contestant"),
        (1, "boards"),
        (1, "colour"),
        (1, "seat"),
    }


# ── Sessions ──────────────────────────────────────────────────────────────────────────────────────


def movement_csv(world: World, session: Session, who: str = "organiser") -> str:
    answer = world.client(who).get(f"/api/v1/sessions/{session.pk}/exports/movement/", HTTP_ACCEPT="text/csv")
    assert answer.status_code == 200, answer.content
    return spreadsheets.decoded(answer.content)


@pytest.mark.django_db
def test_a_session_is_planned_by_the_movement_that_another_gave_away(world: World) -> None:
    client = world.client("organiser")
    text = movement_csv(world, world.session)
    wish = {
        "name": "By file",
        "game": "comon",
        "contestants": [f"P{number}" for number in range(1, 10)],
        "movement_file": text,
    }
    address = f"/api/v1/tournaments/{world.session.tournament_id}/sessions/"
    made = ended(client, client.post(address, wish, "json")).json()["id"]
    session = Session.objects.get(pk=made)
    assert movement_csv(world, session) == text
    assert seats_of(session) == seats_of(world.session)
    assert session.movement == "file"


def seats_of(session: Session) -> list[tuple[int, int, int, list[int]]]:
    return [
        (
            play.round,
            play.table.number,
            play.board.number,
            list(play.seatings.order_by("seat").values_list("contestant__number", flat=True)),
        )
        for play in plays_of(session)
    ]


@pytest.mark.django_db
def test_a_file_with_slips_plans_nothing_and_they_are_told_at_once(world: World) -> None:
    address = f"/api/v1/tournaments/{world.session.tournament_id}/sessions/"
    wish: dict[str, Any] = {
        "name": "By file",
        "game": "comon",
        "contestants": [f"P{number}" for number in range(1, 10)],
        "movement_file": text_of(["1,1,1,1,1", "1,1,2,2,", "1,1,2,3,"]),
    }
    refused = world.client("organiser").post(address, wish, "json")
    assert (refused.status_code, refused.json()["code"]) == (400, "slips")
    assert {(one["line"], one["column"]) for one in refused.json()["details"]} >= {(4, "seat")}
    both = world.client("organiser").post(address, wish | {"movement": "kirkman", "rounds": 3}, "json")
    assert (both.status_code, sorted(both.json()["details"])) == (400, ["movement", "rounds"])
    assert not Session.objects.filter(name="By file").exists()


@pytest.mark.django_db
def test_officials_take_the_movement_before_it_is_played_and_everybody_once_it_is_published(
    world: World,
) -> None:
    address = f"/api/v1/sessions/{world.session.pk}/exports/movement/"
    assert world.client("scorer").get(address).status_code == 200
    assert world.client("table").get(address).status_code == 404
    with pytest.raises(Missing):
        exports.table(session=world.session, viewer=None, what="movement")
    Session.objects.filter(pk=world.session.pk).update(state="final", listed=True)
    whole = Session.objects.select_related("tournament__club", "board_set", "tally")
    session = whole.get(pk=world.session.pk)
    rows = list(csv.DictReader(io.StringIO(movement_csv(world, session, "anyone"))))
    assert rows == [
        {name: str(value) for name, value in row.items()}
        for row in exports.table(session=session, viewer=None, what="movement").to_json()
    ]


@pytest.mark.django_db
def test_pairs_and_individuals_of_a_game_of_partners_sit_by_file() -> None:
    pairs = a_session(game="cochonnet", players=4, movement="round-robin")
    rows = [[*movement_files.COLUMNS], *movement_files.rows_of(layout_of(pairs))]
    text = spreadsheets.decoded(spreadsheets.as_csv(rows, ","))
    again = planned("cochonnet", 4, text)
    assert (again.layout.sittings, again.partners_fixed) == (tuple(layout_of(pairs)), False)
    alone = text_of([f"1,1,{seat},{seat},1" for seat in range(1, 5)])
    whist = planned("cochonnet", 4, alone)
    assert (whist.layout.sittings[0].contestants, whist.partners_fixed) == ((1, 2, 3, 4), True)


def layout_of(session: Session) -> list[movements.Sitting]:
    from engines import registry
    from tournaments.services import layouts

    sides = registry.game(session.game).sides_of(session.conditions)
    section = session.sections.get()
    found = layouts.movement_of(section, sides).sittings
    return sorted(found, key=lambda one: (one.round, one.table, one.board))


def planned(game: str, contestants: int, text: str) -> sessions.SessionPlan:
    return sessions.plan(
        tournament=Session.objects.order_by("pk")[0].tournament,
        name="By file",
        game=game,
        options={},
        method="matchpoints",
        movement="kirkman",
        contestants=[f"Q{number}" for number in range(1, contestants + 1)],
        boards_per_round=3,
        movement_file=text,
    )
