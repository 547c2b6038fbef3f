"""Plays as JSON Lines: out of a session that has been played, into one that is set up; who may, and when."""

import copy
import html
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from engines import bots, records, registry
from tests.samples import some
from tournaments.models import Account, Result, Session, Submission
from tournaments.models.open_boards import over_in
from tournaments.services import board_sets, brought_results, exports, play_records, states, submissions
from tournaments.services.errors import Conflict, Forbidden, Invalid, Missing
from tournaments.services.register_files import Effect

from .test_embargo import lift, people, worlds
from .test_exports import a_director, set_state
from .test_result_files import a_scorer, a_session_of, sheets_of
from .worlds import World, a_record, a_world, an_entry, played_through, plays_of, work

pytestmark = pytest.mark.django_db
LINES = "application/x-ndjson"
__all__ = ["worlds"]


def lines_of(session: Session, viewer: Account | None = None) -> list[dict[str, Any]]:
    text = play_records.document(session=session, viewer=viewer).decode()
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def as_text(lines: list[Any]) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def again(session: Session) -> Session:
    return Session.objects.select_related("tournament__club", "board_set", "tally", "leg").get(pk=session.pk)


@pytest.mark.parametrize("game", some(sorted(registry.games()), one_in=4))
def test_every_line_is_a_record_that_the_engines_read(game: str) -> None:
    """One play card by card, the others by their sheets; each with the scores that were counted."""
    session = a_session_of(game)
    scorer, sheets = a_scorer(session), sheets_of(session)
    one, *others = plays_of(session)
    brought = [
        (one, a_record_of(game, one, session)),
        *((play, {"sheet": sheets[play.pk]}) for play in others),
    ]
    for play, content in brought:
        sent = {"section": play.table.section.name, "table": play.table.number, "board": play.board.number}
        text = as_text([{**sent, "record": content}])
        done = brought_results.hand_in(session=session, account=scorer, text=text)
        assert done[Effect.NEW] == 1
    work(session)
    states.finish(session=session, actor=None)
    lines = lines_of(again(session), scorer)
    assert len(lines) == len(plays_of(session))
    for line in lines:
        record = records.read(line["record"])
        assert list(records.final_judgement(record).outcome.scores) == line["scores"]
        play = next(
            play
            for play in plays_of(session)
            if (play.table.number, play.board.number) == (line["table"], line["board"])
        )
        result = Result.objects.get(play=play)
        assert (line["sheet"], line["submission"]) == (result.sheet, result.submission_id)
        seated = play.seatings.order_by("seat").values_list("seat", "contestant__number")
        assert [(seat["seat"], seat["number"]) for seat in line["seatings"]] == list(seated)
    told = [line for line in lines if "actions" in line["record"]]
    assert [(line["table"], line["board"]) for line in told] == [(one.table.number, one.board.number)]


def a_record_of(game: str, play: Any, session: Session) -> dict[str, Any]:
    rules = registry.game(game)
    state = rules.start(board_sets.deal_of(session, play.board.number), session.options)
    seats = rules.seat_count(session.conditions)
    bots.play_on(rules, state, [bots.sensible] * seats, bots.randomness(play.pk))
    return {"actions": list(state.entries)}


def test_what_has_left_comes_into_a_session_with_the_same_boards_and_leaves_it_again_alike(
    world: World,
) -> None:
    """The plays of a session, taken away, brought to one of the same plan that has no results yet."""
    played_through(world)
    states.finish(session=world.session, actor=None)
    out = lines_of(again(world.session), a_director(world.session))
    fresh = a_world().session
    board_set, own = world.session.board_set, fresh.board_set
    own.manifest, own.sealed_seed = board_set.manifest, board_set.sealed_seed
    own.commitment = board_set.commitment
    type(own).objects.filter(pk=own.pk).update(
        manifest=own.manifest, sealed_seed=own.sealed_seed, commitment=own.commitment
    )
    scorer = a_scorer(fresh)
    fresh = again(fresh)
    text = as_text(out)
    shown = brought_results.preview(session=fresh, account=scorer, text=text)
    assert [line.mistakes for line in shown.lines if line.mistakes] == []
    assert not Submission.objects.filter(play__table__section__session=fresh).exists(), "a dry run"
    done = brought_results.hand_in(session=fresh, account=scorer, text=text)
    assert (done[Effect.NEW], done[Effect.SAME]) == (len(out), 0)
    work(fresh)
    states.finish(session=fresh, actor=None)
    back = lines_of(again(fresh), scorer)
    for one in (*out, *back):
        one.pop("submission")
    assert back == out
    with pytest.raises(Conflict) as twice:
        brought_results.hand_in(session=again(fresh), account=scorer, text=text)
    assert twice.value.code == "nothing-new"


def test_records_leave_when_results_do_and_to_the_same_people(world: World, client: Client) -> None:
    played_through(world)
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
            assert play_records.may(session, viewer) == may, (state, listed, viewer)
            if may:
                assert lines_of(session, viewer)
            else:
                with pytest.raises(Missing):
                    play_records.document(session=session, viewer=viewer)
            client.logout()
            if viewer is not None:
                client.force_login(viewer)
            page = client.get(f"/en/sessions/{session.pk}/files/records.jsonl")
            assert page.status_code == (200 if may else 404)


def test_no_record_leaves_under_an_embargo_not_even_to_who_directs(worlds: tuple[World, World]) -> None:
    own, _other = worlds
    director = people(own.session)["director"]
    assert exports.may(own.session, director), "results do"
    for viewer in (None, director):
        with pytest.raises(Missing):
            play_records.document(session=own.session, viewer=viewer)
    api = own.client("organiser")
    address = f"/api/v1/sessions/{own.session.pk}/exports/records/"
    assert api.get(address).status_code == 404
    lift(own)
    assert lines_of(own.refresh(), director)
    assert api.get(address).status_code == 200


def test_by_accept_by_the_end_of_the_address_and_by_a_button(world: World, client: Client) -> None:
    played_through(world)
    session = set_state(world.session, "final", listed=True)
    api, address = world.client("anyone"), f"/api/v1/sessions/{session.pk}/exports/records"
    answers = [api.get(f"{address}/", HTTP_ACCEPT=LINES), api.get(f"{address}/"), api.get(f"{address}.jsonl")]
    page = client.get(f"/fr/sessions/{session.pk}/")
    assert f"/fr/sessions/{session.pk}/files/records.jsonl" in page.content.decode()
    answers.append(client.get(f"/fr/sessions/{session.pk}/files/records.jsonl"))
    assert [answer["Content-Type"] for answer in answers] == [LINES] * 4
    assert {answer.content for answer in answers} == {answers[0].content}
    assert "attachment" in answers[-1]["Content-Disposition"]
    assert all("no-store" in answer["Cache-Control"] for answer in answers)
    assert api.get(f"{address}/", HTTP_ACCEPT="application/json").status_code == 406
    assert api.get(f"/api/v1/sessions/{session.pk}/exports/results.jsonl").status_code == 406
    for wrong in ("results.jsonl", "records.csv", "records.xml"):
        assert client.get(f"/en/sessions/{session.pk}/files/{wrong}").status_code == 404
    refused = world.client("anyone").get("/api/v1/sessions/999999/exports/records.jsonl")
    assert (refused.status_code, refused["Content-Type"]) == (404, "application/problem+json")


def test_names_are_those_that_the_reader_may_read(world: World) -> None:
    played_through(world)
    session = set_state(world.session, "final", listed=True)
    everybody = {seat["contestant"] for line in lines_of(session) for seat in line["seatings"]}
    table = exports.table(session=session, viewer=None, what="results").to_json()
    assert everybody == {str(row[f"seat{seat}"]) for row in table for seat in (1, 2, 3)}


# ── In ────────────────────────────────────────────────────────────────────────────────────────────


def a_line(play: Any, session: Session, **rest: Any) -> dict[str, Any]:
    where = {"section": play.table.section.name, "table": play.table.number, "board": play.board.number}
    return {**where, "record": a_record(play, session), **rest}


WRONG: list[tuple[Any, str, str]] = [
    ("not JSON", "", "JSON"),
    ("[1]", "", "object"),
    ('{"table": NaN}', "", "number"),
    ('{"table": ' + "9" * 5_000 + "}", "", "number"),
    ("{" + '"table": [' * 3_000, "", ""),
    ({"colour": 1}, "", "colour"),
    ({"format": 2}, "format", "format 1"),
    ({"table": None}, "table", "number"),
    ({"table": 99}, "table", "99"),
    ({"table": True}, "table", "whole number"),
    ({"table": {}}, "table", "whole number"),
    ({"section": "\ud800"}, "", "characters"),
    ({"section": "\0"}, "", "characters"),
    ({"board": 99}, "board", "boards"),
    ({"round": 99}, "round", "round"),
    ({"record": []}, "record", "object"),
    ({"record": {}}, "record", "either"),
    ({"record": {"actions": ["pass"], "sheet": {}}}, "record", "either"),
    ({"record": {"deals": []}}, "record", "either"),
    ({"record": {"actions": "pass"}}, "record", "list"),
    ({"record": {"actions": []}}, "record", "list"),
    ({"record": {"actions": [" pass"]}}, "record", "list"),
    ({"record": {"actions": ["é"]}}, "record", "list"),
    ({"record": {"actions": ["pass"] * 2_001}}, "record", "list"),
    ({"record": {"actions": ["x" * 201]}}, "record", "list"),
    ({"record": {"sheet": [], "format": 1}}, "record", "object"),
    ({"record": {"sheet": {}, "format": 7}}, "record", "format 1"),
    ({"record": {"sheet": {}, "colour": 1}}, "record", "colour"),
    ({"record": {"sheet": {}, "game": "sept"}}, "record", "sept"),
    ({"record": {"sheet": {}, "game": ["sept"]}}, "record", "comon"),
    ({"record": {"sheet": {}, "options": {"four_aces": "no"}}}, "record", "options"),
    ({"record": {"sheet": {}, "options": []}}, "record", "options"),
    ({"record": {"sheet": {"outcome": "normal", "tricks": [5, 5, 5]}}}, "record", "10"),
    ({"record": {"sheet": {"outcome": "normal", "tricks": [5, 3, 2], "x": 1}}}, "record", "x"),
    ({"record": {"sheet": {"outcome": [[[[]]]], "tricks": {"a": "b"}}}}, "record", ""),
    ({"seatings": 3}, "seatings", "list"),
    ({"seatings": [{"seat": 9, "number": 1}]}, "seatings", "list"),
    ({"seatings": [{"seat": 1, "number": 99}]}, "seatings", "99"),
]


@pytest.mark.parametrize(("change", "name", "says"), WRONG)
def test_each_wrong_line_is_told_by_its_number_with_its_reason(
    world: World, change: Any, name: str, says: str
) -> None:
    session, scorer = world.refresh(), a_scorer(world.session)
    one, other = plays_of(session)[:2]
    right = a_line(one, session)
    wrong = change if isinstance(change, str) else json.dumps(a_line(other, session) | change)
    text = f"{json.dumps(right)}\n\n{wrong}\n"
    shown = brought_results.preview(session=session, account=scorer, text=text)
    first, second = shown.lines
    assert (first.kind, second.kind, second.line) == (Effect.NEW, Effect.WRONG, 3)
    (mistake,) = second.mistakes
    assert mistake.column == name
    assert says in mistake.reason
    with pytest.raises(Invalid) as refused:
        brought_results.hand_in(session=session, account=scorer, text=text)
    assert (refused.value.code, refused.value.details) == ("slips", [second.to_json()])
    assert not Submission.objects.exists()


def test_a_play_twice_in_a_file_is_a_slip(world: World) -> None:
    session, scorer = world.refresh(), a_scorer(world.session)
    line = a_line(plays_of(session)[0], session)
    shown = brought_results.preview(session=session, account=scorer, text=as_text([line, line]))
    assert [one.kind for one in shown.lines] == [Effect.NEW, Effect.WRONG]
    assert "line 1" in shown.lines[1].mistakes[0].reason


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"{" + b" " * 4_000_000 + b"}", "too-long"),
        (b"{\xff\xfe}", "bad-file"),
        (b"{}\n" * 20_002, "too-long"),
    ],
)
def test_a_file_that_is_too_large_or_in_no_encoding_is_refused(
    world: World, content: bytes, code: str
) -> None:
    scorer = a_scorer(world.session)

    def read() -> None:
        text = brought_results.text_of(content)
        brought_results.preview(session=world.session, account=scorer, text=text)

    with pytest.raises(Invalid) as refused:
        read()
    assert refused.value.code == code


def test_with_the_mark_of_utf_8_and_the_ends_of_lines_of_windows(world: World) -> None:
    session, scorer = world.refresh(), a_scorer(world.session)
    lines = [a_line(play, session) for play in plays_of(session)[:2]]
    content = "\r\n".join(map(json.dumps, lines)).encode("utf-8-sig")
    shown = brought_results.preview(
        session=session, account=scorer, text=brought_results.text_of(b"\r\n" + content[3:])
    )
    assert [one.kind for one in shown.lines] == [Effect.NEW] * 2
    again_read = brought_results.text_of(content)
    assert len(brought_results.preview(session=session, account=scorer, text=again_read).lines) == 2


def test_a_second_file_changes_what_is_there_with_a_reason_and_the_same_one_is_recognised(
    world: World,
) -> None:
    session, scorer = world.refresh(), a_scorer(world.session)
    line = a_line(plays_of(session)[0], session)
    text = as_text([line])
    for _twice in range(2):  # before it is judged: the same key
        brought_results.hand_in(session=session, account=scorer, text=text)
    assert Submission.objects.count() == 1
    work(session)
    other = copy.deepcopy(line)
    other["record"] = {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}}
    result = Result.objects.get(play__table__section__session=session)
    if result.sheet == other["record"]["sheet"]:
        other["record"]["sheet"]["tricks"] = [3, 5, 2]
    shown = brought_results.preview(session=session, account=scorer, text=as_text([other]))
    assert shown.lines[0].kind == Effect.CHANGED
    with pytest.raises(Invalid) as refused:
        brought_results.hand_in(session=session, account=scorer, text=as_text([other]))
    assert refused.value.code == "no-reason"
    done = brought_results.hand_in(session=session, account=scorer, text=as_text([other]), reason="misread")
    assert done[Effect.CHANGED] == 1
    work(session)
    assert Result.objects.get(pk=result.pk).sheet == other["record"]["sheet"]


def impossible(play: Any, session: Session) -> dict[str, Any]:
    """A record whose first card nobody could have played: the last one instead."""
    content = a_record(play, session)
    content["actions"] = [*content["actions"][:-1], content["actions"][0]]
    return content


def test_a_dry_run_learns_nothing_of_a_board_that_is_not_over(world: World) -> None:
    """What can have happened and what cannot looks alike; once the board is over, it is told."""
    session, scorer = world.refresh(), a_scorer(world.session)
    play = plays_of(session)[0]
    lines = [a_line(play, session), a_line(play, session, record=impossible(play, session))]
    shown = [
        brought_results.preview(session=session, account=scorer, text=as_text([line])).lines[0].to_json()
        for line in lines
    ]
    assert shown[0] == shown[1]
    assert shown[0]["effect"] == Effect.NEW
    entries = [an_entry(one, a_record(one, session)) for one in plays_of(session) if one.pk != play.pk]
    submissions.submit(session_id=session.pk, sender=world.organiser, entries=entries)
    work(session)
    states.finish(session=session, actor=None)
    session = again(session)
    assert over_in(session).filter(pk=play.board_id).exists()
    right, wrong = (
        brought_results.preview(session=session, account=scorer, text=as_text([line])).lines[0]
        for line in lines
    )
    assert right.kind == Effect.NEW
    assert wrong.kind == Effect.WRONG
    assert wrong.mistakes[0].column == "record"


def test_a_dry_run_learns_nothing_under_an_embargo(worlds: tuple[World, World]) -> None:
    own, _other = worlds
    session, scorer = own.session, a_scorer(own.session)
    play = plays_of(session)[0]
    text = as_text([a_line(play, session, record=impossible(play, session))])
    shown = brought_results.preview(session=session, account=scorer, text=text)
    assert shown.lines[0].kind == Effect.CHANGED
    lift(own)
    shown = brought_results.preview(session=own.refresh(), account=scorer, text=text)
    assert shown.lines[0].kind == Effect.WRONG


def test_whoever_plays_here_is_not_told_whether_a_line_says_what_is_there(world: World) -> None:
    session = world.refresh()
    play = plays_of(session)[0]
    line = a_line(play, session)
    stored = submissions.submit(
        session_id=session.pk, sender=world.organiser, entries=[an_entry(play, line["record"])]
    )
    assert stored
    work(session)
    player = session.members.filter(contestant__seatings__play=play).order_by("pk")[0].player
    own = a_scorer(session, player.name)
    player.account = own
    player.save(update_fields=["account"])
    for who, kind in ((a_scorer(session), Effect.SAME), (own, Effect.CHANGED)):
        shown = brought_results.preview(session=session, account=who, text=as_text([line]))
        assert shown.lines[0].kind == kind


def test_the_page_shows_what_would_happen_and_hands_it_in(world: World, client: Client) -> None:
    session, scorer = world.refresh(), a_scorer(world.session)
    client.force_login(scorer)
    address = f"/en/desk/sessions/{session.pk}/results/"
    one, other = plays_of(session)[:2]
    wrong = as_text([a_line(one, session), a_line(other, session) | {"board": 99}])
    page = client.post(address, {"file": SimpleUploadedFile("plays.jsonl", wrong.encode())}).content.decode()
    assert "Mend the marked cells here, or in the file" in page
    assert "This table plays boards" in page
    assert "hand_in" not in page
    text = as_text([a_line(one, session), a_line(other, session)])
    page = client.post(address, {"pasted": text}).content.decode()
    assert "card by card" in page
    assert "hand_in" in page
    assert not Submission.objects.exists()
    done = client.post(address, {"text": text, "hand_in": "1"}, follow=True).content.decode()
    assert "2 results handed in." in done
    work(session)
    kept = Result.objects.filter(play__in=[one.pk, other.pk]).values_list("submission__content", flat=True)
    assert all("actions" in content for content in kept)
    assert "there is nothing to do" in client.post(address, {"pasted": text}).content.decode()


def test_what_is_wrong_in_a_line_is_mended_on_the_page(world: World, client: Client) -> None:
    """Where it was, which may be wrong in any part of it; what happened, who sat where; and a line whole, if
    it cannot be taken apart."""
    session, scorer = world.refresh(), a_scorer(world.session)
    client.force_login(scorer)
    address = f"/en/desk/sessions/{session.pk}/results/"
    right = [a_line(play, session) for play in plays_of(session)[:6]]
    sheet = {"sheet": {"outcome": "normal", "tricks": [5, 5, 5]}}
    wrong = [
        *(right[0] | {"table": 99}, right[1] | {"record": sheet}, right[2] | {"seatings": 3}),
        *(right[3] | {"colour": "red"}, right[4] | {"format": 2}, right[5] | {"table": None}),
    ]
    text = as_text(wrong) + "{not JSON\n"

    def shown(page: str) -> tuple[str, dict[str, str]]:
        found = {
            **dict(re.findall(r'<input id="(cell[^"]*)" name="\1" value="([^"]*)"', page)),
            **dict(re.findall(r'<textarea [^>]*id="(cell[^"]*)" name="\1"[^>]*>([^<]*)<', page)),
        }
        cells = {name: html.unescape(value) for name, value in found.items()}
        (kept,) = re.findall(r'name="text" value="([^"]*)"', page)
        return html.unescape(kept), cells

    page = client.post(address, {"pasted": text}).content.decode()
    kept, cells = shown(page)
    places = {
        f"cell-{line}-{name}": str(wrong[line - 1].get(name) or "")
        for line in (1, 3, 6)
        for name in ("section", "round", "table", "board")
    }
    assert places["cell-1-table"] == "99"
    assert cells == places | {
        "cell-2-record": json.dumps(sheet),
        "cell-3-seatings": "3",
        "cell-4-line": json.dumps(wrong[3]),
        "cell-5-format": "2",
        "cell-7-line": "{not JSON",
    }
    for line in (4, 7):  # beside its reason, not behind the columns that it does not have
        assert re.search(
            rf'<td><span class="why" id="why-{line}">[^<]+</span><textarea [^>]*id="cell-{line}-line"', page
        )
    assert "hand_in" not in page
    mended = {
        "cell-1-table": str(right[0]["table"]),
        "cell-2-record": '{"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}',  # not closed
        "cell-3-seatings": "",
        "cell-4-line": json.dumps(right[3], indent=1),
        "cell-5-format": "1",
        "cell-6-table": str(right[5]["table"]),
        "cell-7-line": "what",
        "cell-99-table": "1",
    }
    page = client.post(address, {"text": kept, **mended}).content.decode()
    kept, cells = shown(page)
    assert cells == {"cell-2-record": mended["cell-2-record"], "cell-7-line": "{what"}
    assert "Expecting" in page
    rest = {"cell-2-record": mended["cell-2-record"] + "}", "cell-7-line": ""}
    page = client.post(address, {"text": kept, **rest}).content.decode()
    assert "hand_in" in page
    assert not Submission.objects.exists()
    assert client.post(address, {"text": kept, **rest, "hand_in": "1"}).status_code == 302
    assert Submission.objects.count() == 6


def test_a_record_that_is_too_long_for_the_page_is_shown_in_part(world: World, client: Client) -> None:
    session, scorer = world.refresh(), a_scorer(world.session)
    client.force_login(scorer)
    line = a_line(plays_of(session)[0], session, record={"actions": ["x" * 150] * 2_001})
    file = SimpleUploadedFile("plays.jsonl", as_text([line]).encode())
    page = client.post(f"/en/desk/sessions/{session.pk}/results/", {"file": file})
    assert "mend it in the file" in page.content.decode()
    assert page.content.decode().count("x" * 150) < 2_100, "in the file alone"


def test_by_the_api_dry_first_and_then_for_good_in_any_form(world: World) -> None:
    session = world.refresh()
    api, address = world.client("scorer"), f"/api/v1/sessions/{session.pk}/result-files/"
    plays = plays_of(session)
    text = as_text([a_line(play, session) for play in plays[:3]])

    def send(content: str, **rest: Any) -> Any:
        return api.post(address, {"file": SimpleUploadedFile("f", content.encode()), **rest}, "multipart")

    dry = send(text, dry_run="true")
    assert (dry.status_code, dry.json()) == (200, {"new": 3, "changed": 0, "same": 0})
    assert not Submission.objects.exists()
    stored = send(text)
    assert (stored.status_code, stored.json()) == (202, {"new": 3, "changed": 0, "same": 0})
    work(session)
    for rest in ({"dry_run": "true"}, {}):
        twice = send(text, **rest)
        assert (twice.status_code, twice.json()["code"]) == (409, "nothing-new")
    wrong = send(as_text([a_line(plays[3], session), {"table": 1}]), dry_run="true")
    assert (wrong.status_code, wrong.json()["code"]) == (400, "slips")
    assert [row["line"] for row in wrong.json()["details"]] == [2]
    play = plays[3]
    table = (
        f"table,board,outcome,tricks1,tricks2,tricks3\n{play.table.number},{play.board.number},normal,5,3,2"
    )
    assert send(table).json() == {"new": 1, "changed": 0, "same": 0}
    assert send("\0").status_code == 400
    assert world.client("player").post(address, {}, "multipart").status_code == 403
    assert world.client("anyone").post(address, {}, "multipart").status_code == 401


def test_nobody_brings_plays_of_tables_that_are_not_theirs(world: World) -> None:
    session = world.refresh()
    text = as_text([a_line(plays_of(session)[0], session)])
    stranger = a_scorer(a_world().session, "Else")
    with pytest.raises(Forbidden):
        brought_results.preview(session=session, account=stranger, text=text)
