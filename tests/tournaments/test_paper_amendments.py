"""A second file of an evening on paper: only what changes gets a new version, with reason and author."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from tournaments.models import HistoryEntry, PaperFile, Player, Result, Session, Submission, Tournament
from tournaments.services import evenings, paper_amendments, rankings
from tournaments.services.errors import Conflict, Invalid

from .test_paper_rulings import COLUMNS, MORE, ROWS, brought, totals, with_columns
from .worlds import World, a_world, ended

pytestmark = pytest.mark.django_db

OTHER = [*ROWS[:3], "A,1,2,2,Dan,Eve,Fay,normal,5,3,2", *ROWS[4:]]
WHY = "Dan had written the tricks of another board"


def text_of(rows: list[str], header: str = COLUMNS) -> str:
    return "\n".join([header, *rows]) + "\n"


def amended(session: Session, rows: list[str], header: str = COLUMNS, reason: str = WHY) -> Session:
    text = text_of(rows, header)
    paper_amendments.check(session=session, text=text, reason=reason, is_dry=False)
    read = paper_amendments.read(session=session, text=text)
    return paper_amendments.store(read, actor=None, reason=reason)


def slips(session: Session, rows: list[str]) -> list[tuple[int, str]]:
    with pytest.raises(Invalid) as refused:
        paper_amendments.read(session=session, text=text_of(rows))
    return [(slip["line"], slip["column"]) for slip in refused.value.details]


def test_a_dry_run_tells_before_and_after_and_stores_nothing() -> None:
    session = brought(ROWS)
    read = paper_amendments.read(session=session, text=text_of(OTHER))
    assert read.to_json() == {
        "rows": 6,
        "changed": {"result": 1, "play": 0, "ruling": 0, "penalty": 0},
        "contestants": 0,
        "changes": [
            {
                **{"line": 5, "kind": "result", "section": "A", "round": 1, "table": 2, "board": 2},
                "before": {"sheet": {"outcome": "normal", "tricks": [4, 4, 2]}, "scores": [1, 1, -2]},
                "after": {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}, "scores": [1, -2, 0]},
            }
        ],
    }
    assert Submission.objects.filter(play__table__section__session=session).count() == 6


def test_only_what_changes_gets_a_new_version_and_the_ranking_is_that_of_the_second_file() -> None:
    session = brought(ROWS)
    before = dict(Result.objects.filter(session=session).values_list("play", "submission"))
    amended(session, OTHER)
    after = dict(Result.objects.filter(session=session).values_list("play", "submission"))
    changed = [play for play in before if before[play] != after[play]]
    assert len(changed) == 1
    newest = Submission.objects.select_related("remark").get(pk=after[changed[0]])
    assert (newest.remark.text, newest.state) == (WHY, "accepted")
    assert totals(session) == totals(brought(OTHER, name="at once"))
    assert HistoryEntry.objects.filter(session=session, verb="amended from a file").count() == 1


def test_the_same_file_twice_changes_nothing_and_the_first_one_brings_back_what_was() -> None:
    session = brought(ROWS)
    as_first = totals(session)
    amended(session, OTHER)
    with pytest.raises(Conflict) as refused:
        amended(session, OTHER)
    assert refused.value.code == "nothing-new"
    amended(session, ROWS, reason="It was right")
    assert totals(session) == as_first
    assert sorted(PaperFile.objects.filter(session=session).values_list("digest", flat=True)) == sorted(
        evenings.digest_of(text_of(rows)) for rows in (ROWS, OTHER)
    )


def test_a_file_that_amended_a_session_is_not_imported_as_another() -> None:
    session = brought(ROWS)
    amended(session, OTHER)
    with pytest.raises(Conflict) as refused:
        evenings.import_evening(
            text=text_of(OTHER), tournament=session.tournament, actor=None, name="Again",
            game="comon", options={}, method="matchpoints",
        )  # fmt: skip
    assert refused.value.code == "imported-before"


def test_a_slip_of_paper_that_was_forgotten_comes_with_the_second_file() -> None:
    later = [*ROWS, "A,1,4,1,Jo,Kim,Léa,normal,5,4,1", "A,2,1,3,Ana,Dan,Gil,normal,5,5,0"]
    session = brought(ROWS)
    read = paper_amendments.read(session=session, text=text_of(later))
    assert (read.to_json()["changed"]["play"], read.to_json()["contestants"]) == (2, 3)
    amended(session, later)
    assert totals(session) == totals(brought(later, name="at once"))
    assert session.contestants.count() == 12


def test_rulings_that_stand_are_not_made_again_and_new_ones_are() -> None:
    first = with_columns(ROWS, {0: "60+,,40-,,,,,Named a card", 3: ",,,,10,,,Late"})
    second = with_columns(
        ROWS,
        {0: "60+,,40-,,,,,Named a card", 3: ",,,,10,,,Late", 1: ",,,10,,,,", 4: ",,,,,,B,Two cards"},
    )
    header = f"{COLUMNS},{MORE}"
    session = brought(first, header)
    read = paper_amendments.read(session=session, text=text_of(second, header))
    assert [(change.kind, change.row.line) for change in read.changes] == [("penalty", 3), ("ruling", 6)]
    amended(session, second, header)
    assert session.rulings.count() == 4
    assert totals(session) == totals(brought(second, header, name="at once"))
    with pytest.raises(Conflict):
        amended(session, second, header)


@pytest.mark.parametrize(
    ("rows", "at"),
    [
        (ROWS[:-1], (7, "")),
        (["A,1,1,1,Ann,Ben,Cléo,normal,5,3,2", "A,1,1,2,Ann,Ben,Cléo,normal,4,3,3", *ROWS[2:]], (2, "seat1")),
        (["A,2,1,1,Ana,Ben,Cléo,normal,5,3,2", *ROWS[1:]], (2, "round")),
    ],
    ids=["a row is missing", "another name", "another round"],
)
def test_what_contradicts_the_first_file_is_a_slip(rows: list[str], at: tuple[int, str]) -> None:
    session = brought(ROWS)
    assert at in slips(session, rows)
    assert Submission.objects.filter(play__table__section__session=session).count() == 6


def test_a_reason_is_needed_and_a_final_list_is_amended() -> None:
    session = brought(ROWS)
    with pytest.raises(Invalid) as refused:
        amended(session, OTHER, reason=" ")
    assert refused.value.code == "no-reason"
    Session.objects.filter(pk=session.pk).update(state=Session.State.FINAL)
    assert amended(session, OTHER).pk == session.pk
    assert Session.objects.get(pk=session.pk).state == Session.State.AMENDED


def test_only_a_session_of_a_file_that_has_been_played_is_amended() -> None:
    session = brought(ROWS)
    Session.objects.filter(pk=session.pk).update(state=Session.State.RUNNING)
    session.refresh_from_db()
    with pytest.raises(Conflict) as refused:
        amended(session, OTHER)
    assert refused.value.code == "not-played"
    with pytest.raises(Conflict) as refused:
        amended(a_world().session, OTHER)
    assert refused.value.code == "not-from-a-file"


# ── Where it is asked for ─────────────────────────────────────────────────────────────────────────


def upload(world: World, rows: list[str], **more: Any) -> Any:
    address = f"/api/v1/tournaments/{world.session.tournament_id}/evenings/"
    body = {"file": SimpleUploadedFile("evening.csv", text_of(rows).encode()), **more}
    return world.client("organiser").post(address, body, format="multipart")


def test_a_program_asks_first_and_amends_then() -> None:
    world = a_world()
    client = world.client("organiser")
    first = ended(client, upload(world, ROWS, name="Paper", game="comon")).json()["id"]
    dry = upload(world, OTHER, amends=first, dry_run="true")
    ended(client, dry)
    outcome = client.get(f"/api/v1/jobs/{dry.json()['id']}/").json()["outcome"]
    assert [change["line"] for change in outcome["changes"]] == [5]
    refused = upload(world, OTHER, amends=first)
    assert (refused.status_code, refused.json()["code"]) == (400, "no-reason")
    done = upload(world, OTHER, amends=first, reason=WHY)
    assert ended(client, done).json()["id"] == first
    assert client.get(f"/api/v1/jobs/{done.json()['id']}/").json()["outcome"] == outcome
    corrected = Submission.objects.filter(remark__text=WHY).select_related("role").get()
    assert corrected.role is not None


def test_what_a_program_may_not_amend() -> None:
    world = a_world()
    client = world.client("organiser")
    first = ended(client, upload(world, ROWS, name="Paper", game="comon")).json()["id"]
    assert upload(world, OTHER, amends=10**9, reason=WHY).status_code == 404
    assert upload(world, OTHER, amends=world.session.pk, reason=WHY).json()["code"] == "not-from-a-file"
    wrong = upload(world, OTHER, amends=first, reason=WHY, game="comon", method="butler")
    assert (wrong.status_code, sorted(wrong.json()["details"])) == (400, ["game", "method"])
    missing = upload(world, OTHER)
    assert (missing.status_code, sorted(missing.json()["details"])) == (400, ["game", "name"])


def test_the_command_shows_and_makes_the_changes(capsys: Any, tmp_path: Path) -> None:
    session = brought(ROWS)
    file = tmp_path / "second.csv"
    file.write_text(text_of(OTHER), "utf-8")
    amends = ["--amends", str(session.pk)]
    call_command("import_evening", str(file), *amends, "--dry-run")
    shown = capsys.readouterr().out
    assert "line 5: result of board 2 at table A2" in shown
    assert "[4, 4, 2]" in shown
    assert "[5, 3, 2]" in shown
    with pytest.raises(CommandError, match="say why"):
        call_command("import_evening", str(file), *amends)
    call_command("import_evening", str(file), *amends, "--reason", WHY, "--json")
    assert json.loads(capsys.readouterr().out)["changed"]["result"] == 1
    newest = rankings.newest(session)
    assert newest is not None
    assert newest.version == 2
    with pytest.raises(CommandError, match="no session"):
        call_command("import_evening", str(file), "--amends", "999999")
    assert Tournament.objects.filter(name="second").count() == 0


def test_who_sat_at_a_table_amends_no_result_of_it() -> None:
    world = a_world()
    client = world.client("organiser")
    first = ended(client, upload(world, ROWS, name="Paper", game="comon")).json()["id"]
    role = world.organiser.role
    assert role is not None
    dan = Player.objects.filter(memberships__contestant__session=first, memberships__contestant__name="Dan")
    Player.objects.filter(pk=dan.get().pk).update(account=role.account)
    refused = ended(client, upload(world, OTHER, amends=first, reason=WHY))
    assert refused.json()["error"]["code"] == "own-play"
    assert not Submission.objects.filter(remark__isnull=False).exists()
    elsewhere = ["A,1,1,1,Ana,Ben,Cléo,normal,4,3,3", *ROWS[1:]]
    assert ended(client, upload(world, elsewhere, amends=first, reason=WHY)).status_code == 200
