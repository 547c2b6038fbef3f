"""The history as officials read it, filter it and take it along; and an auditor's check of what they took."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import translation
from django.utils.timezone import localdate, localtime

from frontend import history_words
from frontend.history_people import HistoryPeople
from tests.tournaments.worlds import World, a_club, a_world, an_objection, hand_in, plays_of, work
from tournaments.models import Account, HistoryEntry, Member, Play, Role, Token
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    board_sets,
    calls,
    chains,
    erasing,
    history,
    register,
    roles,
    rulings,
    sessions,
    tokens,
)
from tournaments.services.roles import FEDERATION, RolePlace

from . import auditing

pytestmark = pytest.mark.django_db

CLUB_PAGE = "/en/desk/clubs/club-a/history/"


def begins_with() -> World:
    """A result that was corrected, a board that was replaced, and two people who did it."""
    cache.clear()
    world = a_world(reserves=1)
    ana = world.organiser.role
    assert ana is not None
    accounts.change(account=ana.account, name="Ana Ruiz", language="fr")
    first, other = plays_of(world.session)[0], plays_of(world.session)[5]
    hand_in(world, first)
    work(world.session)
    hand_in(world, first, {"sheet": {"outcome": "normal", "tricks": [4, 4, 2]}})
    hand_in(world, other)
    work(world.session)
    board_sets.use_reserve(session=world.session, actor=world.organiser, board=3, reason="<b>Dropped</b>")
    sessions.publish(session=world.session, actor=world.organiser, listed=True)
    chains.seal_new()
    return world


def somebody(name: str, *held: tuple[RoleKind, RolePlace]) -> Account:
    account = accounts.create(name=name)
    for kind, place in held:
        roles.grant(account=account, kind=kind, place=place, actor=None)
    return account


def client_of(account: Account | None) -> Client:
    client = Client(HTTP_HOST="localhost")
    if account is not None:
        client.force_login(account)
    return client


def organiser_of(world: World) -> Client:
    assert world.organiser.role is not None
    return client_of(world.organiser.role.account)


def address(world: World, language: str = "en") -> str:
    return f"/{language}/desk/sessions/{world.session.pk}/history/"


def rows(page: Any) -> list[str]:
    """The lines of a page, each as one reads it: who, and what."""
    assert page.status_code == 200
    body = page.content.decode().partition("<tbody>")[2].partition("</tbody>")[0]
    texts = [re.sub(r"<td class=\"when\">.*?</td>", "", row, flags=re.S) for row in body.split("</tr>")[:-1]]
    return [" ".join(re.sub("<[^>]*>", " ", text).split()) for text in texts]


def test_a_page_says_in_words_who_did_what(world: World) -> None:
    play = plays_of(world.session)[0]
    at = f"{play.table.number}, board {play.board.number}"
    page = organiser_of(world).get(address(world))
    told = rows(page)
    assert told[0] == "Ana Ruiz organiser published the ranking"
    assert re.fullmatch(
        r"Ana Ruiz organiser put reserve board 5 in place of board 3 \(.*\)"
        r" Reason “&lt;b&gt;Dropped&lt;/b&gt;”", told[1],
    )  # fmt: skip
    assert "The service accepted 2 results" in told
    corrected = next(line for line in told if "corrected" in line)
    assert re.fullmatch(rf"Ana Ruiz organiser corrected table {at}: .* 5-3-2 → 4-4-2", corrected)
    assert any(re.fullmatch(rf"Ana Ruiz organiser entered table {at}: .*5-3-2", line) for line in told)
    assert told[-1] == "Organiser of Club A organiser set up the session (Kirkman 9 × 4)"
    french = organiser_of(world).get(address(world, "fr")).content.decode()
    words = f"a corrigé la table {at.replace('board', 'étui')}\N{NARROW NO-BREAK SPACE}:"
    assert words in french
    assert not any(verb in french for verb in ("submitted", "accepted", "replaced", " : "))
    assert "no-store" in page["Cache-Control"]
    newest = world.session.history_chain.seals.latest("number")
    assert newest.digest in page.content.decode()


def test_an_official_who_plays_reads_no_result_of_a_board_that_is_not_over(world: World) -> None:
    """The states only: whatever the history tells of a board that they may still have to play."""
    of_session = RolePlace(session=world.session)
    player, director = (somebody(name, (RoleKind.SCORER, of_session)) for name in ("Joueur 01", "Zoé"))

    def reads(account: Account) -> bool:
        page = client_of(account).get(address(world))
        assert any("corrected table" in line for line in rows(page))
        return "5-3-2" in page.content.decode() or "4-4-2" in page.content.decode()

    assert (reads(director), reads(player)) == (True, False)
    sessions.finish(session=world.session, actor=world.organiser)
    assert (reads(director), reads(player)) == (True, True)


def test_an_official_who_plays_reads_why_once_the_board_is_over_and_takes_nothing_along(world: World) -> None:
    of_session = RolePlace(session=world.session)
    first = plays_of(world.session)[0]
    place = rulings.PlayPlace(first.table.section.name, first.table.number, first.board.number)
    plan = rulings.on_play(session=world.session, place=place, decisions=[{"kind": "not-played"}])
    ruling = rulings.rule(plan, actor=world.organiser, text="Five tricks were claimed")
    rulings.reverse(ruling=ruling, actor=world.organiser, text="Two of them")
    player, other = (somebody(name, (RoleKind.ORGANISER, of_session)) for name in ("Joueur 01", "Zoé"))

    def reads(account: Account) -> tuple[bool, bool, bool]:
        text = client_of(account).get(address(world)).content.decode()
        said = [words in text for words in ("Five tricks were claimed", "Two of them", "You play here")]
        return said[0], said[1], said[2]

    def exports(account: Account) -> list[int]:
        return [client_of(account).get(f"{address(world)}{form}/").status_code for form in ("csv", "jsonl")]

    assert (reads(other), exports(other)) == ((True, True, False), [200, 200])
    assert (reads(player), exports(player)) == ((False, False, True), [403, 403])
    assert "jsonl" not in client_of(player).get(address(world)).content.decode(), (
        "what is refused is not offered"
    )
    sessions.finish(session=world.session, actor=world.organiser)
    assert (reads(player), exports(player)) == ((True, True, False), [200, 200])


def test_a_player_who_acts_has_a_number_in_the_language_of_the_page() -> None:
    entry = HistoryEntry(token=Token(player_id=7), verb="left list", detail={})
    with translation.override("fr"):
        assert history_words.who(entry, HistoryPeople()) == "Joueur 7"


def test_players_and_contestants_are_named_beside_their_numbers_until_they_are_erased(world: World) -> None:
    session = world.session
    member = Member.objects.select_related("player", "contestant").get(session=session, contestant__number=3)
    number, player = member.contestant.number, member.player
    details = replace(register.Details.of(player), given_name="Zoé", family_name="d’Orval")
    register.change(player=player, actor=world.organiser, details=details, seen=None)
    plan = rulings.on_contestant(session=session, kind="penalty", contestant=number, amount="10")
    rulings.rule(plan, actor=world.organiser, text="Late")

    def read(path: str) -> str:
        return " ".join(rows(organiser_of(world).get(path)))

    assert f"ruled on contestant {number} (Zoé d’Orval) (ruling" in read(address(world))
    assert f"player {player.pk} (Zoé d’Orval) in the register" in read(CLUB_PAGE)
    erasing.erase_player(player=player, actor=None)
    assert f"ruled on contestant {number} (ruling" in read(address(world))
    assert "Zoé" not in read(address(world)) + read(CLUB_PAGE)


def test_a_page_is_filtered_by_person_kind_time_and_subject(world: World) -> None:
    client, where = organiser_of(world), address(world)
    zone = world.session.tournament.club.zone  # its page tells the club's hours
    first = plays_of(world.session)[0]
    at = f"{first.table.section.name}{first.table.number}"
    assert world.organiser.role is not None
    ana = world.organiser.role.account_id

    def found(query: str) -> list[str]:
        return rows(client.get(f"{where}?{query}"))

    everything = found("")
    assert all("Ana Ruiz" in line for line in found(f"person={ana}"))
    assert 0 < len(found(f"person={ana}")) < len(everything)
    assert all(line.startswith("The service") for line in found("person=worker"))
    assert [line.split()[2:4] for line in found("kind=publication")] == [["organiser", "published"]]
    of_board = found(f"board={first.board.number}&table={at.lower()}")
    assert len(of_board) == 4, "entered, accepted, corrected, and judged together with another"
    assert len(found(f"table={first.table.number}")) == len(found(f"table={at}")) >= 4
    assert [line for line in found("board=3") if "reserve" in line]
    today = localdate(timezone=zone)
    assert found("since=2020-01-01") == everything == found(f"until={today:%Y-%m-%d}"), "a day to its end"
    newest = localtime(HistoryEntry.objects.latest("pk").at, zone)
    day, hour = f"{newest:%Y-%m-%d}", f"{newest:%H}h{newest:%M}"
    last = found(f"since={day}&since_hour={hour}")
    assert last, "by the minute, as people write it"
    assert not {*last} & {*found(f"until={day}&until_hour={hour}")}
    for nothing in ("since=2090-01-01", "until=2020-01-01&until_hour=7pm", "table=Z9", "kind=people"):
        assert "Nothing of that kind" in client.get(f"{where}?{nothing}").content.decode(), nothing
    for wrong in (
        *["person=0", "person=x", "kind=x", "board=-1", "since=soon", "until=-1", "table=x", "table=A٣"],
        *[f"table=A{'9' * 30}", f"board={'9' * 30}", "table=%00A1", "since=99999-01-01", "since=0001-01-01"],
        *["until_hour=19:30", "since=2026-01-01&since_hour=25:00"],
    ):
        page = client.get(f"{where}?{wrong}").content.decode()
        assert 'class="field wrong"' in page, wrong
        assert "published the ranking" in page


def test_rulings_objections_and_calls_are_found_by_their_table_and_board() -> None:
    world = begins_with()
    play, other = plays_of(world.session)[0], plays_of(world.session)[5]
    place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
    decisions = [{"kind": "artificial", "percent": "60"}]
    plan = rulings.on_play(session=world.session, place=place, decisions=decisions)
    made = rulings.rule(plan, actor=world.organiser, text="A card fell")
    rulings.reverse(ruling=made, actor=world.organiser, text="It had not")
    an_objection(world.session, other, world.organiser)
    calls.call(table=play.table, actor=a_table_of(world, play), reason="director")
    client, where = organiser_of(world), address(world)

    def found(query: str) -> str:
        return " ".join(rows(client.get(f"{where}?{query}")))

    of_play = found(f"table={play.table.number}&board={play.board.number}")
    assert f"(ruling {made.pk})" in of_play or f"ruling {made.pk}" in of_play
    assert "took ruling" in of_play
    assert "took ruling" in found(f"board={play.board.number}")
    assert "took ruling" not in found(f"table={play.table.number}&board={other.board.number}")
    assert "object" in found(f"table={other.table.number}&board={other.board.number}")
    assert "called" in found(f"table={play.table.section.name}{play.table.number}")
    assert "called" not in found(f"board={play.board.number}")


def a_table_of(world: World, play: Play) -> Token:
    tokens.issue_for_tables(session=world.session, actor=world.organiser)
    return Token.objects.get(table=play.table, revoked_at=None)


def test_pages_follow_each_other_by_cursor(world: World) -> None:
    for number in range(120):
        history.note(None, "published" if number % 2 else "withdrew", world.session, session=world.session)
    client, here, seen = organiser_of(world), f"{address(world)}?kind=publication", []
    pages = []
    while here:
        page = client.get(here)
        seen.append(rows(page))
        pages.append(here)
        older = re.search(r'rel="next" href="(\?[^"]+)"', page.content.decode())
        here = address(world) + older[1].replace("&amp;", "&") if older else ""
    assert [len(one) for one in seen] == [50, 50, 21]
    newer = re.search(r'rel="prev" href="(\?[^"]+)"', client.get(pages[2]).content.decode())
    assert newer is not None
    assert rows(client.get(address(world) + newer[1].replace("&amp;", "&"))) == seen[1]
    for text in ("-1", "x", "9" * 30, "٣"):
        assert client.get(f"{address(world)}?before={text}").status_code == 404


def test_officials_read_it_and_organisers_take_it_along(world: World) -> None:
    club, session = world.session.tournament.club, world.session
    of_session, foreign = RolePlace(session=session), RolePlace(club=a_club("Club B"))
    people = {
        "nobody": (None, "302", "302"),
        "no role": (somebody("No"), "403 403", "403 403"),
        "foreign": (somebody("Foreign", (RoleKind.ADMINISTRATOR, foreign)), "403 403", "403 403"),
        "scorer": (somebody("Scorer", (RoleKind.SCORER, of_session)), "200 403", "403 403"),
        "director": (somebody("Director", (RoleKind.DIRECTOR, of_session)), "200 403", "403 403"),
        "session's": (somebody("Session", (RoleKind.ORGANISER, of_session)), "200 200", "403 403"),
        "club scorer": (somebody("Club scorer", (RoleKind.SCORER, RolePlace(club))), "200 403", "403 403"),
        "club": (somebody("Club", (RoleKind.ADMINISTRATOR, RolePlace(club))), "200 200", "200 200"),
        "federation": (somebody("Fed", (RoleKind.ADMINISTRATOR, FEDERATION)), "200 200", "200 200"),
        "planner": (somebody("Planner", (RoleKind.ORGANISER, FEDERATION)), "403 403", "403 403"),
    }
    for name, (account, of_evening, of_club) in people.items():
        client = client_of(account)
        for where, expected in ((address(world), of_evening), (CLUB_PAGE, of_club)):
            both = [client.get(f"{where}{form}").status_code for form in ("", "csv/")]
            assert both == [int(one) for one in (expected.split() * 2)[:2]], (name, where)
    left = Role.objects.get(account__name="Director")
    roles.revoke(role=left, actor=None)
    assert client_of(left.account).get(address(world)).status_code == 403
    organiser = organiser_of(world)
    assert organiser.get(f"{address(world)}xlsx/").status_code == 404
    assert organiser.get("/en/desk/sessions/999999/history/").status_code == 404
    assert organiser.post(address(world)).status_code == 405
    assert "gave Director a role" not in organiser.get(CLUB_PAGE).content.decode()
    assert "gave Club scorer a role: scorer" in organiser.get(CLUB_PAGE).content.decode()


def exported(world: World, form: str) -> str:
    answer = organiser_of(world).get(f"{address(world)}{form}/")
    assert answer.status_code == 200
    assert "attachment" in answer["Content-Disposition"]
    return b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_an_auditor_verifies_an_export_from_the_page_alone(world: World, form: str, tmp_path: Path) -> None:
    """By a file that imports nothing of the project; and it sees what was done to it."""
    history.note(None, "did", world.session, session=world.session, reason="=1+1")
    text, file = exported(world, form), tmp_path / f"history.{form}"
    file.write_text(text, "utf-8", newline="")
    newest = world.session.history_chain.seals.latest("number").digest
    report = auditing.check(str(file))
    count = HistoryEntry.objects.of(session=world.session).count()
    assert (report.findings, report.sealed, report.unsealed, report.newest) == ([], count - 1, 1, newest)
    assert auditing.check(str(file), noted="0" * 64).findings
    deeds = {
        "changed": text.replace("published", "unpublished"),
        "missing": "".join(line for line in text.splitlines(keepends=True) if "replaced" not in line),
        "remark": text.replace("Dropped", "Sold"),
        "seal": text.replace(newest, "0" * 64),
    }
    for word, changed in deeds.items():
        assert changed != text
        file.write_text(changed, "utf-8", newline="")
        assert any(word in one for one in auditing.check(str(file)).findings), word


def test_an_export_names_people_beside_what_is_hashed_and_harms_no_spreadsheet(world: World) -> None:
    history.note(None, "did", world.session, session=world.session, reason="=1+1")
    lines = [json.loads(line) for line in exported(world, "jsonl").splitlines()]
    assert lines[0] == {"form": "etui history seal 1", "scope": f"session {world.session.pk}"}
    entries = [line for line in lines if "entry" in line]
    assert not any("Ana" in json.dumps(line["entry"]) for line in entries)
    assert entries[-2]["actor"] == "Ana Ruiz (organiser, Club A)"
    table = list(csv.DictReader(io.StringIO(exported(world, "csv").removeprefix("\ufeff"))))
    assert [row["reason"] for row in table if row["reason"]] == ["<b>Dropped</b>", "'=1+1"]
    assert {row["kind"] for row in table} == {"entry", "seal"}
    history.forget(entries=HistoryEntry.objects.of(session=world.session), actor=None)
    chains.seal_new()
    again = exported(world, "jsonl")
    assert "Dropped" not in again
    assert "Dropped" not in organiser_of(world).get(address(world)).content.decode()
    assert "The reason has been erased." in organiser_of(world).get(address(world)).content.decode()


def test_everything_that_services_note_has_its_words() -> None:
    noted = set()
    for path in Path("tournaments").rglob("*.py"):
        found = re.findall(r"""\bnote(?:_all)?\(\s*[^,()]+,\s*"([a-z -]+)\"""", path.read_text("utf-8"))
        noted |= set(found)
    assert len(noted) > 10
    assert noted - history_words.DONE.keys() == set()
    filtered = {verb for _words, verbs in history_words.KINDS.values() for verb in verbs}
    assert noted - filtered - {"made account", "changed account"} == set()
