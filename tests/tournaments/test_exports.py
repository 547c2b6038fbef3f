"""Tables that leave the service: what stands in them, in three forms, for whom and when."""

import csv
import io
import json
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from engines import registry, sheets
from tournaments.api import urls
from tournaments.models import Account, Play, Player, Result, Session, Token
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    calls,
    exports,
    lists,
    objections,
    penalties,
    rankings,
    registrations,
    roles,
    rulings,
)
from tournaments.services.errors import Missing
from tournaments.services.lists import ListSetup
from tournaments.services.roles import RolePlace
from tournaments.services.rulings import PlayPlace

from .test_roles import right_request
from .worlds import World, a_penalty, a_world, awards_of, hand_in, played_through, plays_of, work

pytestmark = pytest.mark.django_db
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def begins_with() -> World:
    world = a_world(published=True)
    played_through(world)
    work(world.session)
    return world


def set_state(session: Session, state: str, *, listed: bool) -> Session:
    Session.objects.filter(pk=session.pk).update(state=state, listed=listed)
    return Session.objects.select_related("tournament__club", "board_set", "tally").get(pk=session.pk)


def a_director(session: Session) -> Account:
    account = accounts.create(name="Odile")
    roles.grant(account=account, kind=RoleKind.DIRECTOR, place=RolePlace(session=session), actor=None)
    return account


def test_nothing_leaves_before_it_has_been_played_and_only_to_officials_before_it_is_published(
    world: World,
) -> None:
    director = a_director(world.session)
    for state, listed, seen in (
        ("running", True, (False, False)),
        ("played", True, (False, True)),
        ("provisional", False, (False, True)),
        ("provisional", True, (True, True)),
        ("final", True, (True, True)),
        ("cancelled", True, (False, False)),
    ):
        session = set_state(world.session, state, listed=listed)
        for viewer, may in zip((None, director), seen, strict=True):
            assert bool(exports.offered(session, viewer)) == may, (state, listed, viewer)
            for what in ("ranking", "results"):
                if may:
                    assert exports.table(session=session, viewer=viewer, what=what).rows
                else:
                    with pytest.raises(Missing):
                        exports.table(session=session, viewer=viewer, what=what)


def test_a_ranking_and_a_list_leave_as_they_are_shown(world: World) -> None:
    session = set_state(world.session, "final", listed=True)
    made = lists.set_up(session=session, actor=None, setup=ListSetup("Everybody", "overall"))
    newest = rankings.newest(session)
    assert newest is not None
    shown = rankings.standings(newest)
    for what in ("ranking", f"list-{made.number}"):
        table = exports.table(session=session, viewer=None, what=what).to_json()
        assert [(row["rank"], row["number"], row["contestant"]) for row in table] == [
            (one.rank, one.contestant.number, one.contestant.name) for one in shown
        ]
        exact = [Fraction(str(row["score_exact"])) for row in table]
        assert exact == [one.total.value for one in shown]
    for what in ("list-99", "list-x", "seeds", "list-" + "9" * 20):
        with pytest.raises(Missing):
            exports.table(session=session, viewer=None, what=what)


def test_results_leave_with_their_sheets_which_read_back(world: World) -> None:
    session = set_state(world.session, "final", listed=True)
    game = registry.game(session.game)
    table = exports.table(session=session, viewer=None, what="results").to_json()
    assert len(table) == len(plays_of(session))
    for row in table:
        result = Result.objects.get(
            play__table__section__session=session,
            play__table__number=row["table"],
            play__board__number=row["board"],
        )
        cells = {name: str(value) for name, value in row.items() if value is not None}
        told = {name: value for name, value in result.sheet.items() if value is not None}
        assert game.sheet_of_row(sheets.read_row(game.fields, cells, seats=3)) == told
        assert [row[f"score{seat}"] for seat in (1, 2, 3)] == result.scores
        assert [row[f"award{seat}"] for seat in (1, 2, 3)] == awards_of(result)


def test_rulings_in_force_leave_without_their_reasons_and_results_say_who_sat_there(world: World) -> None:
    play = plays_of(world.session)[0]
    place = PlayPlace(play.table.section.name, play.table.number, play.board.number)
    halves = [{"weight": "1/2", "scores": [1, -2, 0]}, {"weight": "1/2", "scores": [-2, 1, 0]}]
    plans = [
        rulings.on_play(
            session=world.session, place=place, decisions=[{"kind": "assigned", "outcomes": halves}]
        ),
        rulings.on_play(session=world.session, place=place, decisions=[{"kind": "annulled"}]),
        rulings.on_fouled_board(session=world.session, board=place.board, groups=[("B", [place[:2]])]),
        rulings.on_contestant(session=world.session, contestant=3, kind="penalty", amount="10"),
        rulings.on_contestant(session=world.session, contestant=4, kind="carry-over", won="6", clamp="2"),
    ]
    made = [rulings.rule(plan, actor=None, text="A secret of theirs") for plan in plans]
    rulings.reverse(ruling=made[1], actor=None, text="Wrong")
    session = set_state(world.session, "final", listed=True)
    table = exports.table(session=session, viewer=None, what="rulings").to_json()
    assert [row["ruling"] for row in table] == [one.pk for one in made if one != made[1]]
    weighted, fouled, penalty, carried = table
    assert [weighted[f"entry{seat}"] for seat in (1, 2, 3)] == ["1*1/2 -2*1/2", "-2*1/2 1*1/2", "0"]
    assert (weighted["table"], weighted["board"], weighted["cards"]) == (place.table, place.board, None)
    assert (fouled["cards"], fouled["entry1"]) == ("B", None)
    assert (penalty["contestant"], penalty["unit"], penalty["amount"]) == (3, "percent", "10")
    assert [carried[name] for name in ("contestant", "won", "fraction", "clamp")] == [4, "6", "1", "2"]
    assert "secret" not in json.dumps(table)
    for row in exports.table(session=session, viewer=None, what="results").to_json():
        there = Play.objects.get(
            table__section__session=session, table__number=row["table"], board__number=row["board"]
        )
        seated = list(there.seatings.order_by("seat").values_list("contestant__number", flat=True))
        assert [row[f"number{seat}"] for seat in (1, 2, 3)] == seated


def test_accept_says_in_which_form(world: World) -> None:
    session = set_state(world.session, "final", listed=True)
    address, client = f"/api/v1/sessions/{session.pk}/exports/ranking/", world.client("anyone")
    as_json = client.get(address)
    rows: list[dict[str, Any]] = json.loads(as_json.content)
    text = client.get(address, HTTP_ACCEPT="text/csv")
    assert text["Content-Type"].startswith("text/csv")
    read = list(csv.DictReader(io.StringIO(text.content.decode("utf-8-sig"))))
    assert [row["contestant"] for row in read] == [row["contestant"] for row in rows]
    book = client.get(address, HTTP_ACCEPT=XLSX)
    sheet = load_workbook(io.BytesIO(book.content)).worksheets[0]
    assert [cell.value for cell in sheet["D"]][1:] == [row["contestant"] for row in rows]
    missing = client.get(address.replace("ranking", "seeds"), HTTP_ACCEPT="text/csv")
    assert missing.status_code == 404
    assert missing["Content-Type"].startswith("application/problem+json")
    assert client.get(address, HTTP_ACCEPT="image/png").status_code == 406


def test_lists_of_the_club_leave_whole_by_accept_as_their_json_says(world: World) -> None:
    session = world.session
    club = session.tournament.club
    a_penalty(session)
    penalties.add(club=club, actor=None, name="=1+1", kind="bonus", amount="5", unit="percent")
    the_list = a_registration_list(session, world.organiser)
    for path, count in (
        (f"clubs/{club.slug}/penalties/", 2),
        (f"clubs/{club.slug}/penalties/?kind=bonus", 1),
        (f"registration-lists/{the_list}/registrations/", 2),
        (f"clubs/{club.slug}/ratings/", 0),
    ):
        client = world.client("organiser")
        rows = client.get(f"/api/v1/{path}").json()["results"]
        once = "&" if "?" in path else "?"
        text = client.get(f"/api/v1/{path}{once}page_size=1", HTTP_ACCEPT="text/csv")
        assert text["Content-Type"].startswith("text/csv")
        header, *read = csv.reader(io.StringIO(text.content.decode("utf-8-sig")))
        assert len(read) == len(rows) == count, "all pages in one"
        for row, cells in zip(rows, read, strict=True):
            assert header == list(row)
            for value, cell in zip(row.values(), cells, strict=True):
                shown = "; ".join(map(str, value)) if isinstance(value, list) else value
                wanted = str(shown).lower() if isinstance(shown, bool) else str(shown)
                assert cell == ("'" + wanted if wanted.startswith("=") else wanted)
        book = client.get(f"/api/v1/{path}", HTTP_ACCEPT=XLSX)
        sheet = load_workbook(io.BytesIO(book.content)).worksheets[0]
        assert [cell.value for cell in sheet[1]] == header
        assert sheet.max_row == count + 1
        anyone = world.client("anyone")
        seen = [anyone.get(f"/api/v1/{path}", HTTP_ACCEPT=one) for one in ("text/csv", "application/json")]
        assert seen[0].status_code == seen[1].status_code
        if count and seen[1].status_code == 200:
            names = [row["names"][0] for row in seen[1].json()["results"]]
            assert all(name in seen[0].content.decode() for name in names), "as they may read them"


def test_who_plays_which_boards_and_calls_leave_for_those_who_score_before_the_others(world: World) -> None:
    """Before the session is published, for its officials; nobody else is told of calls at any time."""
    session = set_state(world.session, "running", listed=True)
    director, table = a_director(session), session.sections.get().tables.order_by("number")[0]
    calls.call(table=table, actor=world.organiser, reason="board", text="=two aces")
    assert exports.of_the_evening(session, None) == []
    assert exports.of_the_evening(session, director) == [
        *("movement", "contestants", "boards", "calls", "objections"),
    ]
    told = {
        what: exports.table(session=session, viewer=director, what=what).to_json()
        for what in ("contestants", "boards", "calls")
    }
    assert [row["number"] for row in told["contestants"]] == list(range(1, 10))
    boards = {(row["plays"], row["results"], row["over"]) for row in told["boards"]}
    assert boards == {(3, 3, "no")}
    assert [(row["table"], row["reason"], row["text"], row["state"]) for row in told["calls"]] == [
        (table.number, "board", "=two aces", "waiting")
    ]
    session = set_state(session, "final", listed=True)
    assert exports.of_the_evening(session, None) == ["movement", "contestants", "boards"]
    boards_now = exports.table(session=session, viewer=None, what="boards").to_json()
    assert {row["over"] for row in boards_now} == {"yes"}
    for what in ("calls", "teams"):
        with pytest.raises(Missing):
            exports.table(session=session, viewer=None, what=what)


def test_a_traveller_leaves_alone(world: World) -> None:
    session, director = set_state(world.session, "running", listed=True), a_director(world.session)
    for viewer in (None, director):
        with pytest.raises(Missing):
            exports.table(session=session, viewer=viewer, what="traveller-1")
    session = set_state(session, "final", listed=True)
    alone = exports.table(session=session, viewer=None, what="traveller-1").to_json()
    whole = exports.table(session=session, viewer=None, what="results").to_json()
    assert alone == [row for row in whole if row["board"] == 1]
    assert 0 < len(alone) < len(whole)
    for what in ("traveller-99", "traveller-x", "traveller-"):
        with pytest.raises(Missing):
            exports.table(session=session, viewer=None, what=what)
    for page, what in (("traveller-page", "traveller-1"), ("ranking-page", "rulings")):
        shown = Client().get(reverse(page, args=[session.pk, *([1] if page == "traveller-page" else [])]))
        assert reverse("session-file", args=[session.pk, what, "xlsx"]) in shown.content.decode()


def test_objections_leave_step_by_step_for_those_who_run_the_session() -> None:
    """Who runs it and plays there does not read what is said of a board that is not over."""
    world = a_world(published=True)
    play = plays_of(world.session)[0]
    hand_in(world, play)
    work(world.session)
    session, director = set_state(world.session, "running", listed=True), a_director(world.session)
    client, page = Client(), reverse("desk-objections", args=[session.pk])
    client.force_login(director)
    address = reverse("session-file", args=[session.pk, "objections", "csv"])
    assert address not in client.get(page).content.decode()
    seat = play.seatings.select_related("contestant").order_by("seat")[0]
    place = PlayPlace(play.table.section.name, play.table.number, play.board.number)
    said: dict[str, Any] = {"place": place, "contestant": seat.contestant.number, "text": "=too late"}
    one = objections.object_to(session=session, actor=world.organiser, **said)
    answer = {"kind": "answer", "outcome": "rejected", "text": "In time."}
    objections.follow(objection=one, actor=world.organiser, **answer)
    rows = exports.table(session=session, viewer=director, what="objections").to_json()
    steps = [(row["step"], row["outcome"], row["text"]) for row in rows]
    assert steps == [("objection", None, "=too late"), ("answer", "rejected", "In time.")]
    assert {(row["board"], row["number"]) for row in rows} == {(play.board.number, seat.contestant.number)}
    assert address in client.get(page).content.decode()
    assert "'=too late" in client.get(address).content.decode()
    held = list(seat.contestant.members.values_list("player", flat=True))
    hidden = exports.table(session=session, viewer=director, what="objections", held=held).to_json()
    assert [row["text"] for row in hidden] == [None, None]
    scorer = accounts.create(name="Sam")
    roles.grant(account=scorer, kind=RoleKind.SCORER, place=RolePlace(session=session), actor=None)
    for viewer in (None, scorer):
        with pytest.raises(Missing):
            exports.table(session=session, viewer=viewer, what="objections")


OWN_COLUMNS = {"club-players", "tournament-standings"}
"""Lists whose tables docs/formats.md describes column by column."""


def test_every_list_leaves_whole_as_a_table_with_the_rows_of_its_pages(world: World) -> None:
    """By `Accept` and by the end of its address; what there is to refuse is refused there as here."""
    views = {str(one.name): getattr(one.callback, "cls", None) for one in urls.urlpatterns}
    lists = {name: view for name, view in views.items() if getattr(view, "is_paged", False)}
    assert len(lists) > 30
    lists_made(world)
    filled = set()
    for name, view in lists.items():
        address = f"/api/v1/{right_request(world, name)[0]}"
        for role in ("organiser", "anyone"):
            client = world.client(role)
            pages, rows = f"{address}?page_size=20", list[Any]()
            while pages:
                page = client.get(pages)
                if page.status_code != 200:
                    break
                rows += page.json()[
                    view.rows_in if view.row else "places" if "places" in page.json() else "results"
                ]
                pages = page.json()["next"]
            text = client.get(address, HTTP_ACCEPT="text/csv", HTTP_IF_NONE_MATCH="*")
            by_end = client.get(f"{address.removesuffix('/')}.csv")
            if page.status_code != 200:
                assert text.status_code == by_end.status_code == page.status_code, (name, role)
                assert text["Content-Type"].startswith("application/problem+json")
                continue
            assert by_end.content == text.content, (name, role)
            assert text["Content-Type"].startswith("text/csv"), (name, role)
            assert text["Cache-Control"] == "no-store"
            header, *cells = csv.reader(io.StringIO(text.content.decode("utf-8-sig")))
            assert len(cells) == len(rows), (name, role)
            if role == "organiser" and "session" in name:
                book = client.get(f"{address.removesuffix('/')}.xlsx")
                sheet = load_workbook(io.BytesIO(book.content)).worksheets[0]
                assert [cell.value for cell in sheet[1]] == header
            if name in OWN_COLUMNS:
                continue
            for row, own in zip(rows, cells, strict=True):
                filled.add(name)
                assert set(row) <= set(header), (name, role)
                for column, cell in zip(header, own, strict=True):
                    assert read_cell(cell, row.get(column)) == row.get(column), (name, role, column)
    assert len(filled) > 20, set(lists) - filled


def read_cell(cell: str, like: Any) -> Any:
    """A cell of a table as the JSON beside it has it."""
    if like is None or isinstance(like, str):
        plain = cell[1:] if cell.startswith("'") else cell
        return plain if isinstance(like, str) else plain or None
    if isinstance(like, list) and not any(isinstance(one, list | dict) for one in like):
        return [type(one)(text) for one, text in zip(like, cell.split("; "), strict=True)] if like else []
    return json.loads(cell)


def lists_made(world: World) -> None:
    """Something in lists that would be empty."""
    session = world.session
    a_penalty(session)
    penalties.add(
        club=session.tournament.club, actor=None, name="=1+1", kind="bonus", amount="5", unit="percent"
    )
    lists.set_up(session=session, actor=None, setup=ListSetup("Everybody", "overall"))
    calls.announce(session=session, actor=world.organiser, text="Coffee; =1")


def a_registration_list(session: Session, actor: Token) -> int:
    """The id of a list in which two players stand."""
    there = registrations.open_list(tournament=session.tournament, actor=actor, name="Mardi")
    for player in Player.objects.filter(contestants__session=session).order_by("pk")[:2]:
        registrations.enter(the_list=there, actor=actor, players=[player.pk], is_official=True)
    return int(there.pk)


def test_all_results_leave_as_xml_with_what_the_tables_say(world: World, client: Client) -> None:
    session = set_state(world.session, "final", listed=True)
    Session.objects.filter(pk=session.pk).update(name="<Mardi> & \x0bco")
    address, api = f"/api/v1/sessions/{session.pk}/exports/results/", world.client("anyone")
    answer = api.get(address, HTTP_ACCEPT="application/xml")
    assert answer["Content-Type"].startswith("application/xml")
    read = ElementTree.fromstring(answer.content)
    assert (read.tag, read.attrib) == ("ETUI_RESULTS", {"VERSION": "1"})
    event = read.find("EVENT")
    assert event is not None
    assert event.attrib == {"GAME": "comon", "METHOD": "matchpoints", "SEATS": "3"}
    assert (event.findtext("EVENT_DESCRIPTION") or "").endswith("– <Mardi> & co")
    ranking = exports.table(session=session, viewer=None, what="ranking").to_json()
    assert [
        (one.findtext("CONTESTANT_NUMBER"), one.findtext("PLACE"), one.findtext("SCORE"))
        for one in event.iterfind("PARTICIPANTS/CONTESTANT")
    ] == [(str(row["number"]), row["rank"], row["score_exact"]) for row in ranking]
    results = exports.table(session=session, viewer=None, what="results").to_json()
    lines = [
        (board.findtext("BOARD_NUMBER"), line)
        for board in event.iterfind("BOARD")
        for line in board.iter("TRAVELLER_LINE")
    ]
    assert len(lines) == len(results) > 0
    for (board, line), row in zip(lines, results, strict=True):
        assert (board, line.get("TABLE")) == (str(row["board"]), str(row["table"]))
        for seat, own in enumerate(line.iterfind("SEAT"), 1):
            said = [own.findtext(name) for name in ("CONTESTANT_NUMBER", "SCORE", "AWARD")]
            assert said == [str(row[f"{name}{seat}"]) for name in ("number", "score", "award")]
        fields = {(one.get("NAME"), one.get("SEAT")): one.text for one in line.iterfind("FIELD")}
        assert fields["outcome", None] == row["outcome"]
        if row["outcome"] == "normal":
            assert [fields["tricks", str(seat)] for seat in (1, 2, 3)] == [
                str(row[f"tricks{seat}"]) for seat in (1, 2, 3)
            ]
    assert api.get(address.replace("results", "ranking"), HTTP_ACCEPT="application/xml").status_code == 406
    page = client.get(f"/en/sessions/{session.pk}/files/results.xml")
    assert page.content == answer.content
    assert client.get(f"/en/sessions/{session.pk}/files/ranking.xml").status_code == 404


def test_nobody_reads_results_as_xml_before_they_may(world: World, client: Client) -> None:
    session = set_state(world.session, "running", listed=True)
    address = f"/api/v1/sessions/{session.pk}/exports/results/"
    for who in ("anyone", "organiser"):
        refused = world.client(who).get(address, HTTP_ACCEPT="application/xml")
        assert refused.status_code == 404
        assert refused["Content-Type"].startswith("application/problem+json")
    assert client.get(f"/en/sessions/{session.pk}/files/results.xml").status_code == 404
