"""What an earlier version has stored is still there, and says the same."""

import json
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from tournaments.models import (
    Account,
    Contestant,
    HistoryEntry,
    Member,
    Ranking,
    Role,
    Session,
    Submission,
    Tally,
    Token,
)
from tournaments.services import history, versions

from .worlds import a_session

# Places as version 0.1.0 stored them (matchpoints) and as later ones did (butler): three versions of each.
STORED = json.loads((Path(__file__).parent / "stored_rankings.json").read_text())


def migration(name: str) -> Any:
    return import_module(f"tournaments.migrations.{name}")


@pytest.fixture
def release(tmp_path: Path, django_db_blocker: Any) -> Iterator[str]:
    """The alias of a database of its own, as release 0.1.0 had it."""
    alias = "release"
    connections.databases[alias] = {
        **connections.databases["default"],
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": tmp_path / "release.sqlite3",
        "OPTIONS": {},
    }
    with django_db_blocker.unblock():
        call_command("migrate", "tournaments", "0005", database=alias, verbosity=0)
        yield alias
        connections[alias].close()
    del connections[alias]
    del connections.databases[alias]


def stored_by_release(alias: str, method: str) -> int:
    """The rows of a session with its three rankings, in the words of that release; the session's id."""
    earlier = MigrationExecutor(connections[alias]).loader.project_state(
        [("tournaments", "0005_contestants_who_leave")]
    )

    def rows(model: str) -> Any:
        return earlier.apps.get_model("tournaments", model).objects.using(alias)

    club = rows("Club").create(name="Club", slug="club")
    tournament = rows("Tournament").create(club=club, name="Tournament")
    session = rows("Session").create(
        tournament=tournament, number=1, name="Evening", game="comon", method=method, movement="kirkman-9x4",
        copies=3, dirty=3, ranked=3, version=3,
    )  # fmt: skip
    for place in sorted(STORED[method][0], key=lambda place: place["number"]):
        rows("Contestant").create(session=session, number=place["number"], name=place["contestant"])
    for version, places in enumerate(STORED[method], 1):
        rows("Ranking").create(session=session, version=version, places=places)
    rows("Event").create(
        tournament=tournament, session=session, actor_name="worker", verb="imported", subject="session 1",
        detail={"digest": "d" * 64},
    )  # fmt: skip
    return int(session.pk)


@pytest.mark.parametrize("method", STORED)
def test_rankings_stored_as_they_were_shown_say_the_same_today(release: str, method: str) -> None:
    session = stored_by_release(release, method)
    call_command("migrate", database=release, verbosity=0)
    today = Session.objects.using(release).get(pk=session)
    assert (today.plays_per_board, today.partners_fixed, today.paper_file.digest) == (3, False, "d" * 64)
    tally = Tally.objects.using(release).get(session=session)
    assert (tally.version, tally.layout > tally.counted_layout) == (3, True)  # all will be counted again
    own = Contestant.objects.using(release).filter(session=session).order_by("number")
    contestants = dict(own.values_list("pk", "number"))
    stored = Ranking.objects.using(release).filter(session=session).order_by("version")
    for ranking, expected in zip(stored, STORED[method], strict=True):
        assert ranking.is_snapshot
        order = versions.in_order([bytes(ranking.content)])
        assert order.groups.keys() == {1}
        places = [
            {
                "rank": place.rank,
                "number": contestants[place.contestant],
                "points": str(place.total.points),
                "top": place.total.top,
                "boards": place.total.boards,
            }
            for _group, place in order.places(range(order.count))
        ]
        assert places == [{name: place[name] for name in places[0]} for place in expected]
    with pytest.raises(DatabaseError, match="append-only"):  # the guards stand again
        stored.get(version=3).delete()


@pytest.mark.django_db
@pytest.mark.parametrize(("movement", "fixed"), [
    ("team-round-robin-8x3", True), ("triplicate-6x2", True), ("whist-12x11-from-2", True),
    ("round-robin-8x7", False), ("kirkman-9x4", False), ("as played", False),
])  # fmt: skip
def test_sessions_whose_movements_were_named_after_fixed_partners_have_them(
    movement: str, fixed: bool
) -> None:
    session = a_session()
    Session.objects.update(movement=movement)
    migration("0008_partners_fixed").mark_fixed(apps, connection.schema_editor())
    session.refresh_from_db()
    assert session.partners_fixed is fixed


def test_a_key_belongs_to_the_table_whichever_of_its_tokens_sent_it(release: str) -> None:
    """A retry with the next token was stored a second time: it stays, and the key stays the first one's."""
    call_command("migrate", "tournaments", "0013", database=release, verbosity=0)
    earlier = MigrationExecutor(connections[release]).loader.project_state(
        [("tournaments", "0013_positions_alone")]
    )

    def row(model: str, **values: Any) -> Any:
        return earlier.apps.get_model("tournaments", model).objects.using(release).create(**values)

    club = row("Club", name="Club", slug="club")
    tournament = row("Tournament", club=club, name="Tournament")
    session = row(
        "Session", tournament=tournament, number=1, name="Evening", game="comon", method="matchpoints",
        movement="kirkman-9x4", plays_per_board=3,
    )  # fmt: skip
    table = row("Table", section=row("Section", session=session, club=club, name="A"), number=1)
    board = row("Board", board_set=row("BoardSet", session=session), number=1)
    play = row("Play", table=table, board=board, round=1)
    role = row("Role", person=row("Person", name="Odile"), club=club, kind="organiser")
    key = uuid4()
    senders = [row("Token", prefix="1", table=table), row("Token", prefix="2", table=table)]
    senders.append(row("Token", prefix="3", role=role))
    for sender in senders:
        row("Submission", play=play, sender=sender, key=key, content={})
    row("Submission", play=play, sender=None, key=key, content={})
    call_command("migrate", database=release, verbosity=0)
    stored = Submission.objects.using(release).order_by("pk")
    owners = [(None, table.pk), (None, None), (role.pk, None), (None, None)]
    assert list(stored.values_list("role", "table")) == owners


def test_people_of_one_name_are_numbered(release: str) -> None:
    call_command("migrate", "tournaments", "0016", database=release, verbosity=0)
    earlier = MigrationExecutor(connections[release]).loader.project_state(
        [("tournaments", "0016_comparisons")]
    )
    before = earlier.apps.get_model("tournaments", "Person").objects.using(release)
    for name in ("Ana", "Ana", "Bea", "Ana", "Ana (2)"):
        before.create(name=name)
    call_command("migrate", database=release, verbosity=0)
    names = Account.objects.using(release).order_by("pk").values_list("name", flat=True)
    assert list(names) == ["Ana", "Ana (2)", "Bea", "Ana (3)", "Ana (2) (2)"]


def test_people_are_accounts_with_their_numbers_roles_tokens_and_an_address_each(release: str) -> None:
    call_command("migrate", "tournaments", "0018", database=release, verbosity=0)
    earlier = MigrationExecutor(connections[release]).loader.project_state([("tournaments", "0018_jobs")])

    def row(model: str, **values: Any) -> Any:
        return earlier.apps.get_model("tournaments", model).objects.using(release).create(**values)

    club = row("Club", name="Club", slug="club")
    people = [
        row("Person", name=name, email=email)
        for name, email in (
            *[("Ana", ""), ("ANA", "Ana@Example.org"), ("ana", ""), ("Ana B.", "ana@example.org")],
            *[("Bea", " bea@example.org "), ("Zoé", "")],
        )
    ]
    role = row("Role", person=people[0], club=club, kind="organiser")
    other = row("Role", person=people[0], club=club, kind="scorer")
    token = row("Token", prefix="1", role=role)
    row("Token", prefix="2", role=other)
    tournament = row("Tournament", club=club, name="Tournament")
    row(
        "Event",
        tournament=tournament,
        actor=token,
        actor_name="Ana (organiser, Club)",
        verb="did",
        subject="it",
    )
    call_command("migrate", database=release, verbosity=0)
    accounts = Account.objects.using(release).order_by("pk")
    assert [(one.pk, one.name, one.email) for one in accounts] == [
        (people[0].pk, "Ana", None),
        (people[1].pk, "ANA", "ana@example.org"),
        (people[2].pk, "ana", None),
        (people[3].pk, "Ana B.", None),  # the first keeps the address
        (people[4].pk, "Bea", "bea@example.org"),
        (people[5].pk, "Zoé", None),
    ]
    assert not any(one.has_usable_password() or one.is_staff or one.last_login for one in accounts)
    assert all(one.is_active for one in accounts)
    roles = Role.objects.using(release).in_force().order_by("pk").values_list("pk", "account", "club", "kind")
    own = (people[0].pk, club.pk)
    assert list(roles) == [(role.pk, *own, "organiser"), (other.pk, *own, "scorer")]
    stored = Token.objects.using(release).get(pk=token.pk)
    assert stored.organised_club == club.pk
    assert str(stored) == "Ana (organiser, Club)"
    assert stored.expires_at is not None
    assert timedelta(29) < stored.expires_at - timezone.now() < timedelta(31)
    scopes = dict(Token.objects.using(release).values_list("prefix", "scopes"))
    assert scopes == {"1": "read enter direct manage", "2": "read enter"}
    with pytest.raises(DatabaseError, match="append-only"):
        Role.objects.using(release).filter(pk=role.pk).update(kind="scorer")


def test_lines_of_the_history_are_entries_that_hold_ids_and_can_be_sealed(release: str) -> None:
    """Each keeps its number, time and words; who did it becomes ids, a reason a remark, a name a number."""
    call_command("migrate", "tournaments", "0021", database=release, verbosity=0)
    earlier = MigrationExecutor(connections[release]).loader.project_state([("tournaments", "0021_accounts")])

    def row(model: str, **values: Any) -> Any:
        return earlier.apps.get_model("tournaments", model).objects.using(release).create(**values)

    club = row("Club", name="Club", slug="club")
    tournament = row("Tournament", club=club, name="Tournament")
    session = row(
        "Session", tournament=tournament, number=1, name="Evening", game="comon", method="matchpoints",
        movement="kirkman-9x4", plays_per_board=3, partners_fixed=False,
    )  # fmt: skip
    section = row("Section", session=session, club=club, name="A")
    table = row("Table", section=section, number=1)
    for number, name in enumerate(("Ana", "Zoé"), 1):
        row("Contestant", session=session, number=number, name=name)
    role = row("Role", account=row("Account", name="Ana"), club=club, kind="organiser")
    organiser, at_table = row("Token", prefix="1", role=role), row("Token", prefix="2", table=table)
    about: dict[str, Any] = {"tournament": tournament, "session": session}
    lines = [
        row("Event", **about, actor=organiser, actor_name="Ana (organiser, Club)", verb="replaced",
            subject="board 5", detail={"board": 2, "by": 5, "reason": "Zoé sneezed"}),
        row("Event", **about, actor=organiser, actor_name="Ana (organiser, Club)", verb="replanned",
            subject="session 1", detail={"leaving": [1], "arriving": [" Zoé "]}),
        row("Event", **about, actor=at_table, actor_name="table A1", verb="submitted", subject="s 1"),
        row("Event", **about, actor_name="worker", verb="accepted", subject="s 1"),
        row("Event", tournament=tournament, actor=organiser, actor_name="Ana", verb="created", subject="t"),
        row("Event", club=club, account=role.account, actor_name="account 1", verb="made club", subject="c"),
    ]  # fmt: skip
    call_command("migrate", database=release, verbosity=0)
    entries = list(HistoryEntry.objects.using(release).order_by("pk"))
    assert [(one.pk, one.at, one.verb, one.subject) for one in entries] == [
        (one.pk, one.at, one.verb, one.subject) for one in lines
    ]
    ana = ("person", role.account_id, role.pk, organiser.pk)
    assert [(one.agent, one.account_id, one.role_id, one.token_id) for one in entries] == [
        *[ana, ana, ("table", None, None, at_table.pk), ("worker", None, None, None), ana],
        ("person", role.account_id, None, None),
    ]
    assert [one.club_id for one in entries] == [None, None, None, None, club.pk, club.pk]
    assert entries[0].detail == {"board": 2, "by": 5}
    assert entries[1].detail == {"leaving": [1], "arriving": [2]}
    assert entries[0].remark is not None
    assert entries[0].remark.text == "Zoé sneezed"
    assert entries[0].remark.digest == history.digest_of(entries[0].remark.salt, "Zoé sneezed")
    with pytest.raises(DatabaseError, match="append-only"):
        HistoryEntry.objects.using(release).update(verb="did")


def test_names_become_a_register_and_stay_published_where_they_were(release: str) -> None:
    call_command("migrate", "tournaments", "0021", database=release, verbosity=0)
    state = MigrationExecutor(connections[release]).loader.project_state([("tournaments", "0021_accounts")])

    def rows(model: str) -> Any:
        return state.apps.get_model("tournaments", model).objects.using(release)

    club = rows("Club").create(name="Club", slug="club")
    tournament = rows("Tournament").create(club=club, name="Tournament")
    names = {"Marie Anne Durand": True, "Zoé": False, "Léo  Roux": True}
    for number, published in enumerate((True, False), 1):
        session = rows("Session").create(
            tournament=tournament, number=number, name="Evening", game="comon", method="matchpoints",
            movement="kirkman-9x4", plays_per_board=3, published=published,
        )  # fmt: skip
        for place, (name, is_published) in enumerate(names.items(), 1):
            if is_published == published:
                contestant = rows("Contestant").create(session=session, number=place, name=name)
                contestant.players.add(rows("Player").create(club=club, name=name))
    call_command("migrate", database=release, verbosity=0)
    members = Member.objects.using(release).select_related("player", "contestant").order_by("pk")
    told = {
        one.contestant.name: (one.player.given_name, one.player.family_name, one.player.consent)
        for one in members
    }
    assert told == {
        "Marie Anne Durand": ("Marie Anne", "Durand", True),
        "Léo  Roux": ("Léo", "Roux", True),
        "Zoé": ("Zoé", "", False),
    }
    assert {one.player.folded for one in members} == {"anne durand marie", "leo roux", "zoe"}
    assert all(one.session_id == one.contestant.session_id for one in members)
