"""Archives: what is in them, whom they name, what comes back out of them elsewhere, and what is refused."""

import io
import json
import os
import re
import stat
import struct
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile, ZipInfo

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from engines import archives as containers
from engines.archives import BadArchive
from scoring import archives as proofs
from scoring import cli
from tests.frontend import auditing
from tournaments.models import (
    Account,
    ArchiveFile,
    HistoryEntry,
    ImportedSession,
    Player,
    Result,
    Role,
    Session,
    Submission,
    Token,
    Tournament,
)
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    archive_imports,
    archive_reading,
    archives,
    chains,
    counting,
    exports,
    formulas,
    jobs,
    lists,
    objections,
    rankings,
    recomputing,
    register,
    roles,
    rulings,
    states,
    substitutes,
    tokens,
)
from tournaments.services.errors import Conflict, Forbidden, Invalid
from tournaments.services.lists import ListSetup
from tournaments.services.roles import RolePlace
from tournaments.services.rulings import PlayPlace

from .worlds import World, a_club, a_session, a_world, hand_in, played_through, plays_of, work

pytestmark = pytest.mark.django_db


def a_full_evening(world: World) -> Session:
    """An evening with all that an archive holds: corrections, rulings of most kinds, one of them reversed, a
    substitute, lists, somebody who has not agreed and somebody who is erased."""
    played_through(world)
    session = world.refresh()
    work(session)
    first, second, third = plays_of(session)[:3]
    hand_in(world, first, {"sheet": {"outcome": "normal", "tricks": [4, 4, 2]}})
    work(session)

    def rule(plan: Any, text: str) -> Any:
        return rulings.rule(plan, actor=world.organiser, text=text)

    def place(play: Any) -> PlayPlace:
        return PlayPlace(play.table.section.name, play.table.number, play.board.number)

    half = [{"kind": "artificial", "percent": "60", "own": "if better"}]
    rule(rulings.on_play(session=session, place=place(second), decisions=half), "Odile fell ill")
    void = rule(rulings.on_play(session=session, place=place(third), decisions=[{"kind": "annulled"}]), "No")
    rulings.reverse(ruling=void, actor=world.organiser, text="It was played after all")
    rule(
        rulings.on_contestant(session=session, contestant=3, kind="penalty", amount="10", unit="percent"),
        "Slow",
    )
    rule(
        rulings.on_contestant(session=session, contestant=5, kind="bonus", amount="1/3", unit="matchpoints"),
        "Kind",
    )
    work(session)
    objections.object_to(
        session=session,
        actor=world.organiser,
        place=place(second),
        text="We had played it",
        contestant=second.seatings.get(seat=1).contestant.number,
    )
    somebody = register.Details(given_name="Inès", family_name="Vial")
    (player,) = register.add_all(club=session.tournament.club, actor=None, rows=[somebody])
    replaced = session.contestants.get(number=4)
    substitutes.substitute(
        session=session,
        actor=None,
        contestant=replaced.number,
        player=player.pk,
        for_player=replaced.members.earliest("pk").player_id,
        first_round=1,
        last_round=1,
    )
    formulas.add(club=session.tournament.club, actor=None, name="Even", text="factor")
    everybody = ListSetup("Everybody", "overall", award_factor="1", formula="Even")
    lists.set_up(session=session, actor=None, setup=everybody)
    lists.set_up(session=session, actor=None, setup=ListSetup("IMPs", "overall", method="butler"))
    players = list(Player.objects.filter(contestants__session=session).order_by("pk"))
    Player.objects.filter(pk=players[0].pk).update(consent=False)
    Player.objects.filter(pk=players[1].pk).update(consent=False, given_name="Zoé", family_name="")
    Player.objects.filter(pk=players[2].pk).update(public_name="Le Grand Jules")
    chains.seal_new()
    return publish(world)


def publish(world: World) -> Session:
    states.finish(session=world.refresh(), actor=world.organiser)
    states.publish(session=world.refresh(), actor=world.organiser, listed=True)
    work(world.refresh())
    return full(world.session.pk)


def full(pk: int) -> Session:
    return Session.objects.select_related("tournament__club", "board_set", "tally").get(pk=pk)


def elsewhere(name: str = "Ailleurs") -> Tournament:
    return Tournament.objects.create(club=a_club(name), name="From elsewhere")


def archive_of(session: Session) -> bytes:
    return archives.of_sessions([full(session.pk)]).content


def taken_in(content: bytes, into: Tournament | None = None) -> Session:
    (session,) = archive_imports.store(
        archive_reading.read(content), tournament=into or elsewhere(), actor=None
    )
    return full(session.pk)


def begins_with() -> World:
    world = a_world()
    world.rows = archive_of(a_full_evening(world))
    return world


# ── The round trip ────────────────────────────────────────────────────────────────────────────────


def test_an_archive_comes_back_out_of_another_database_byte_for_byte(world: World) -> None:
    copy = taken_in(world.rows)
    assert copy.pk != world.session.pk
    again = archive_of(copy)
    before, after = containers.read(world.rows).files, containers.read(again).files
    assert b'"substitutes":[{' in before["sessions/1/contestants.jsonl"]
    assert sorted(before) == sorted(after)
    assert [name for name in before if before[name] != after[name]] == []
    assert again == world.rows


def test_the_rankings_are_the_same_to_the_last_digit(world: World) -> None:
    copy, own = taken_in(world.rows), full(world.session.pk)
    tables = [[table.to_json() for table in exports.public_tables(one)] for one in (own, copy)]
    assert tables[0] == tables[1]
    assert len(tables[0]) == 3
    answer = recomputing.recompute(session=copy)
    assert answer is not None
    assert answer.disagreements == ()
    assert list(rankings.versions_of(copy).values_list("version", "position").order_by("version")) == list(
        rankings.versions_of(own).values_list("version", "position").order_by("version")
    )


def test_a_result_after_the_import_is_counted_with_the_others(world: World) -> None:
    copy = taken_in(world.rows)
    counting.memory.forget()
    play = plays_of(copy)[4]
    token, _text = tokens.issue_for_role(person="New", club=copy.tournament.club, kind=Role.Kind.ORGANISER)
    there = World(copy, {"organiser": token})
    hand_in(there, play, {"sheet": {"outcome": "normal", "tricks": [10, 0, 0]}})
    work(copy)
    answer = recomputing.recompute(session=full(copy.pk))
    assert answer is not None
    assert answer.disagreements == ()
    later = containers.read(archive_of(copy)).files
    assert "sessions/1/history-2.jsonl" in later  # what has been done here is said after what came
    assert (
        later["sessions/1/history-1.jsonl"] == containers.read(world.rows).files["sessions/1/history-1.jsonl"]
    )


def test_several_sessions_of_a_tournament_come_together(world: World) -> None:
    own = world.session.tournament
    other = a_session(club="Club A")
    Session.objects.filter(pk=other.pk).update(tournament=own, number=2)
    second = World(full(other.pk), world.tokens)
    for play in plays_of(second.session):
        hand_in(second, play)
    work(second.session)
    states.finish(session=second.refresh(), actor=None)
    made = archives.make(tournament=own, session=None, actor=world.organiser)
    assert len(made.sessions) == 2
    into = elsewhere()
    copies = archive_imports.store(archive_reading.read(made.content), tournament=into, actor=None)
    assert archives.of_sessions([full(one.pk) for one in copies]).content == made.content
    first, then = (set(one.members.values_list("player", flat=True)) for one in copies)
    names = [set(one.members.values_list("player", flat=True)) for one in made.sessions]
    assert len(first & then) == len(names[0] & names[1]) > 5  # the same people


def test_the_same_archive_is_taken_in_once_by_a_club(world: World) -> None:
    into = elsewhere()
    taken_in(world.rows, into)
    with pytest.raises(Conflict) as refused:
        taken_in(world.rows, into)
    assert refused.value.code == "imported-before"
    assert into.sessions.count() == 1
    assert taken_in(world.rows, elsewhere("Encore ailleurs"))


# ── Whom it names ─────────────────────────────────────────────────────────────────────────────────


def test_names_are_those_that_everybody_may_read(world: World) -> None:
    files = containers.read(world.rows).files
    people = [json.loads(line) for line in files["people.jsonl"].splitlines()]
    assert people[0]["given_name"] == people[1]["given_name"] == ""  # one word, or none that may be said
    assert people[2]["family_name"] == "Le Grand Jules"
    text = b"".join(files.values()).decode()
    for hidden in ("Zoé", "Joueur 01", "Joueur 03", "Odile fell ill", "Slow", "after all"):
        assert hidden not in text, hidden
    assert "Joueur 09" in text


def test_a_name_that_is_not_said_stays_unsaid_elsewhere(world: World) -> None:
    copy = taken_in(world.rows)
    players = list(Player.objects.filter(contestants__session=copy).order_by("pk"))
    assert [(one.name, one.consent, one.erased_at is None) for one in players[:3]] == [
        ("", False, False),
        ("", False, False),
        ("Le Grand Jules", True, True),
    ]
    assert not copy.tournament.club.players.filter(account__isnull=False).exists()


def test_ids_of_accounts_and_tokens_are_not_taken_for_those_here(world: World) -> None:
    copy = taken_in(world.rows)
    handed_in = Submission.objects.filter(play__table__section__session=copy)
    assert not handed_in.exclude(sender=None, role=None).exists()
    own = HistoryEntry.objects.filter(session=copy)
    assert [one.verb for one in own] == [archives.IMPORTED_VERB]


# ── Who may, and when ─────────────────────────────────────────────────────────────────────────────


def an_official(session: Session, kind: RoleKind) -> Account:
    account = accounts.create(name=f"An official: {kind}")
    roles.grant(account=account, kind=kind, place=RolePlace(session=session), actor=None)
    return account


def test_those_who_run_a_session_take_its_archive_and_nobody_else(world: World) -> None:
    session = full(world.session.pk)
    may = {
        kind: archives.may(session, an_official(session, kind))
        for kind in (RoleKind.DIRECTOR, RoleKind.SCORER)
    }
    assert may == {RoleKind.DIRECTOR: True, RoleKind.SCORER: False}
    for role, allowed in (
        ("organiser", True),
        ("foreign organiser", False),
        ("table", False),
        ("player", False),
    ):
        assert archives.may(session, world.holder(role)) is allowed, role
    with pytest.raises(Forbidden):
        archives.check(
            tournament=session.tournament, session=session, actor=world.holder("foreign organiser")
        )


def test_there_is_no_archive_of_what_is_being_played() -> None:
    session = a_session(published=True)
    with pytest.raises(Conflict) as refused:
        archives.check(tournament=session.tournament, session=session, actor=organiser_of(session))
    assert refused.value.code == "not-played"


def organiser_of(session: Session) -> Token:
    return tokens.issue_for_role(person="Organiser", club=session.tournament.club, kind=Role.Kind.ORGANISER)[
        0
    ]


def test_the_seed_is_in_it_once_the_list_is_public(world: World) -> None:
    session = full(world.session.pk)
    seed = session.board_set.seed
    assert seed is not None
    assert seed.hex().encode() in containers.read(world.rows).files["sessions/1/deals.json"]
    for state, listed in (("played", True), ("provisional", False)):
        Session.objects.filter(pk=session.pk).update(state=state, listed=listed)
        hidden = archive_of(session)
        assert all(seed.hex().encode() not in content for content in containers.read(hidden).files.values())
        copy = taken_in(hidden, elsewhere(f"{state} {listed}"))
        assert copy.board_set.sealed_seed is None
        assert archive_of(copy) == hidden


# ── What it proves alone ──────────────────────────────────────────────────────────────────────────


def test_the_libraries_check_an_archive_alone(world: World, tmp_path: Path) -> None:
    path = tmp_path / "evening.zip"
    path.write_bytes(world.rows)
    commitment = full(world.session.pk).board_set.commitment
    for library, said in (("scoring", "to the last digit"), ("engines", "dealt again")):
        command = [sys.executable, "-m", library, "verify", str(path), "--commitment", commitment]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert said in done.stdout
    assert cli.main(["verify", str(path), "--commitment", "0" * 64]) == cli.DOES_NOT


def test_the_history_is_checked_by_an_auditor(world: World, tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_bytes(containers.read(world.rows).files["sessions/1/history-1.jsonl"])
    report = auditing.check(str(path))
    assert report.findings == []
    assert report.sealed > 5


def changed(content: bytes, name: str, change: Any) -> bytes:
    """The archive with one file changed, and its hash with it."""
    files = dict(containers.read(content).files)
    rows = (
        [json.loads(line) for line in files[name].splitlines()]
        if name.endswith("l")
        else [json.loads(files[name])]
    )
    change(rows)
    files[name] = b"\n".join(json.dumps(row).encode() for row in rows) + b"\n"
    return containers.write(files)


def other_score(rows: list[Any]) -> None:
    scores = rows[0]["result"]["scores"]
    scores[0] += 1


def other_place(rows: list[Any]) -> None:
    last = [row for row in rows if not row["is_live"]][-1]  # behind it are those of the live list
    last["places"][0][1] += 1


def other_sheet(rows: list[Any]) -> None:
    rows[0]["result"]["sheet"]["tricks"].reverse()


def no_ruling(rows: list[Any]) -> None:
    rows[0]["parts"] = []


def no_penalty(rows: list[Any]) -> None:
    del rows[2]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("plays.jsonl", other_score),
        ("plays.jsonl", other_sheet),
        ("rankings.jsonl", other_place),
        ("rulings.jsonl", no_ruling),
        ("rulings.jsonl", no_penalty),
    ],
)
def test_whoever_changes_what_was_played_is_found_out(world: World, name: str, change: Any) -> None:
    forged = changed(world.rows, f"sessions/1/{name}", change)
    assert proofs.verify(containers.read(forged), 1).findings
    into = elsewhere()
    with pytest.raises(Invalid) as refused:
        taken_in(forged, into)
    assert refused.value.code in {"archive-does-not-hold", "bad-archive"}
    assert not into.sessions.exists()


# ── Bad archives ──────────────────────────────────────────────────────────────────────────────────


def zipped(*files: tuple[str, bytes], mode: int = stat.S_IFREG | 0o644, packing: int = ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with warnings.catch_warnings(), ZipFile(content, "w", packing) as parts:
        warnings.simplefilter("ignore", UserWarning)  # a file that is there twice is meant
        for name, data in files:
            info = ZipInfo(name)
            info.external_attr, info.compress_type = mode << 16, packing
            parts.writestr(info, data)
    return content.getvalue()


def said_smaller(content: bytes) -> bytes:
    """The same, but the directory says that the first file is ten bytes long."""
    at = content.index(b"PK\x01\x02") + 24
    return content[:at] + struct.pack("<I", 10) + content[at + 4 :]


def bad_archives(good: bytes) -> dict[str, bytes]:
    files = dict(containers.read(good).files)
    name = "sessions/1/plays.jsonl"
    manifest = ("archive/manifest.json", containers.manifest_of(files))
    every = [(f"archive/{one}", content) for one, content in files.items()]
    return {
        "nothing": b"",
        "a text": b"round,table\n1,1\n",
        "cut off": good[: len(good) // 2],
        "cut off at the end": good[:-10],
        "a bomb": zipped(("archive/sessions/1/plays.jsonl", b"\0" * 200_000_000)),
        "a bomb that lies": said_smaller(zipped(("archive/sessions/1/plays.jsonl", b"\0" * 100_000_000))),
        "many files": zipped(*((f"archive/sessions/{n}/plays.jsonl", b"") for n in range(2_000))),
        "a path upwards": zipped(("archive/../evil.json", b"{}"), manifest),
        "an absolute path": zipped(("/etc/passwd", b"{}"), manifest),
        "a symbolic link": zipped(("archive/people.jsonl", b"/etc/passwd"), mode=stat.S_IFLNK | 0o777),
        "twice the same": zipped(*every, every[0], manifest),
        "packed otherwise": zipped(*every, manifest, packing=ZIP_LZMA),
        "another version": zipped(("archive/manifest.json", b'{"form": "etui archive 99", "files": {}}')),
        "no manifest": zipped(*every),
        "a file more": zipped(*every, ("archive/more.json", b"{}"), manifest),
        "a file less": zipped(*every[1:], manifest),
        "another file": zipped(*every[1:], (every[0][0], b"{}\n"), manifest),
        "deep": containers.write({**files, "tournament.json": b"[" * 100_000}),
        "other fields": changed(good, name, lambda rows: rows[0].update(more=1)),
        "other kinds": changed(good, name, lambda rows: rows[0].update(board="1")),
        "a stranger": changed(good, name, lambda rows: rows[0]["seats"].__setitem__(0, 99)),
        "twice a play": changed(good, name, lambda rows: rows.append(rows[0])),
        "a submission less": changed(good, "sessions/1/submissions.jsonl", lambda rows: rows.pop(0)),
        "no such game": changed(good, "sessions/1/session.json", lambda rows: rows[0].update(game="chess")),
        "not played": changed(good, "sessions/1/session.json", lambda rows: rows[0].update(state="ready")),
        "another seed": changed(good, "sessions/1/deals.json", lambda rows: rows[0].update(seed="0" * 64)),
        "a nul": changed(good, "tournament.json", lambda rows: rows[0].update(name="\0")),
        "no session": containers.write({n: c for n, c in files.items() if not n.startswith("sessions/")}),
        "newer rules": changed(
            good, "sessions/1/rankings.jsonl", lambda rows: [row.update(rules=99) for row in rows]
        ),
    }


def test_bad_archives_are_refused_with_what_is_wrong_and_nothing_is_stored(world: World) -> None:
    into = elsewhere()
    before = {
        model: model.objects.count() for model in (Session, Player, Result, Submission, ImportedSession)
    }
    for what, content in bad_archives(world.rows).items():
        with pytest.raises(Invalid) as refused:
            archive_imports.store(archive_reading.read(content), tournament=into, actor=None)
        assert refused.value.code in {"bad-archive", "archive-does-not-hold"}, what
        assert len(str(refused.value)) > 20, what
    assert before == {model: model.objects.count() for model in before}


def test_what_unpacks_to_more_than_it_says_is_not_unpacked(world: World) -> None:
    with pytest.raises(BadArchive):
        containers.read(world.rows, unpacked_at_most=1000)
    with pytest.raises(BadArchive):
        containers.read(world.rows, packed_at_most=1000)


# ── By the API ────────────────────────────────────────────────────────────────────────────────────


def a_file(content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("evening.zip", content)


def test_a_session_leaves_and_comes_by_the_api(world: World) -> None:
    client = world.client("organiser")
    asked = client.post(f"/api/v1/sessions/{world.session.pk}/archives/", {}, format="json")
    assert asked.status_code == 202, asked.content
    jobs.do(job_id=asked.json()["id"])
    got = client.get(f"/api/v1/archives/{asked.json()['id']}/")
    assert got.status_code == 200
    assert got["Content-Type"] == "application/zip"
    assert got.content == world.rows
    assert world.client("scorer").get(f"/api/v1/archives/{asked.json()['id']}/").status_code == 404
    stored = bytes(ArchiveFile.objects.get(job=asked.json()["id"]).content)
    assert b"people.jsonl" not in stored  # sealed

    into = elsewhere("Club B")
    there = world.client("foreign organiser")
    address = f"/api/v1/tournaments/{into.pk}/archived-sessions/"
    for who in ("organiser", "foreign scorer", "player"):
        answer = world.client(who).post(address, {"file": a_file(got.content)}, format="multipart")
        assert answer.status_code in {403, 404}, who
    refused = there.post(address, {"file": a_file(got.content[:500])}, format="multipart")
    assert refused.status_code == 400, refused.content
    taken = there.post(address, {"file": a_file(got.content)}, format="multipart")
    assert taken.status_code == 202, taken.content
    jobs.do(job_id=taken.json()["id"])
    job = there.get(f"/api/v1/jobs/{taken.json()['id']}/").json()
    assert job["state"] == "done", job
    assert archive_of(full(job["session"])) == world.rows
    assert not ArchiveFile.objects.filter(job=taken.json()["id"]).exists()  # it has been read


@pytest.mark.campaign
def test_the_operator_takes_an_archive_to_another_database(world: World, tmp_path: Path) -> None:
    """By commands alone, into a database of its own, and back."""
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    first.write_bytes(world.rows)
    environment = {**os.environ, "VAR_DIR": str(tmp_path)}
    for name in ("DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS", "SEED_KEYS", "DJANGO_SETTINGS_MODULE"):
        environment.pop(name, None)

    def manage(*words: str) -> str:
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "1 sessions hold" in manage("import_archive", str(first), "--check")
    number = re.fullmatch(r"Session (\d+): Evening\n", manage("import_archive", str(first)))
    assert number
    manage("archive", number[1], str(second))
    assert second.read_bytes() == world.rows
