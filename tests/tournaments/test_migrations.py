"""What an earlier version has stored is still there, and says the same."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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

from tests.running import campaign
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


class Past:
    """A database of its own that grows up from release to release, and what was stored in it on the way."""

    def __init__(self, alias: str) -> None:
        self.alias = alias
        self.stored: dict[str, Any] = {}

    def grow(self, migration: str) -> None:
        call_command("migrate", "tournaments", migration.partition("_")[0], database=self.alias, verbosity=0)
        state = MigrationExecutor(connections[self.alias]).loader.project_state([("tournaments", migration)])
        self.earlier = state.apps

    def rows(self, model: str) -> Any:
        return self.earlier.get_model("tournaments", model).objects.using(self.alias)

    def row(self, model: str, **values: Any) -> Any:
        return self.rows(model).create(**values)

    def club(self, name: str) -> Any:
        return self.row("Club", name=name, slug=name.lower())


@contextmanager
def a_database(folder: Path) -> Iterator[Past]:
    """Without anything, under an alias that ends with it."""
    alias = "release"
    connections.databases[alias] = {
        **connections.databases["default"],
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": folder / "release.sqlite3",
        "OPTIONS": {},
    }
    try:
        yield Past(alias)
    finally:
        connections[alias].close()
        del connections[alias]
        del connections.databases[alias]


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Iterator[Past]:
    """What each release has stored, migrated to today once: it takes seconds."""
    with django_db_blocker.unblock(), a_database(tmp_path_factory.mktemp("past")) as past:
        past.grow("0005_contestants_who_leave")
        for method in STORED:
            past.stored[method] = rankings_as_they_were_shown(past, method)
        past.grow("0013_positions_alone")
        past.stored["one key"] = one_key_of_many(past)
        past.grow("0016_comparisons")
        past.stored["names"] = [
            past.row("Person", name=name).pk for name in ("Ana", "Ana", "Bea", "Ana", "Ana (2)")
        ]
        past.grow("0018_jobs")
        past.stored["people"] = people(past)
        past.grow("0021_accounts")
        past.stored["history"] = lines_of_the_history(past)
        past.stored["register"] = names_of_contestants(past)
        past.grow("0027_registration")
        past.stored["states"] = sessions_in_both_states(past)
        call_command("migrate", database=past.alias, verbosity=0)
        yield past


# ── Rankings ──────────────────────────────────────────────────────────────────────────────────────


def rankings_as_they_were_shown(past: Past, method: str) -> int:
    """The rows of a session with its three rankings, in the words of release 0.1.0; the session's id."""
    club = past.club(method)
    tournament = past.row("Tournament", club=club, name="Tournament")
    session = past.row(
        "Session", tournament=tournament, number=1, name="Evening", game="comon", method=method,
        movement="kirkman-9x4", copies=3, dirty=3, ranked=3, version=3,
    )  # fmt: skip
    for place in sorted(STORED[method][0], key=lambda place: place["number"]):
        past.row("Contestant", session=session, number=place["number"], name=place["contestant"])
    for version, places in enumerate(STORED[method], 1):
        past.row("Ranking", session=session, version=version, places=places)
    past.row(
        "Event", tournament=tournament, session=session, actor_name="worker", verb="imported",
        subject="session 1", detail={"digest": "d" * 64},
    )  # fmt: skip
    return int(session.pk)


@campaign
@pytest.mark.parametrize("method", STORED)
def test_rankings_stored_as_they_were_shown_say_the_same_today(past: Past, method: str) -> None:
    session, release = past.stored[method], past.alias
    today = Session.objects.using(release).get(pk=session)
    assert (today.plays_per_board, today.partners_fixed, today.paper_files.get().digest) == (
        3,
        False,
        "d" * 64,
    )
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
        stored.filter(version=3).update(position=None)


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


# ── Keys, people ──────────────────────────────────────────────────────────────────────────────────


def one_key_of_many(past: Past) -> Any:
    """A key that two tokens of a table, a role and nobody have sent; the play, the table and the role."""
    club = past.club("Keys")
    tournament = past.row("Tournament", club=club, name="Tournament")
    session = past.row(
        "Session", tournament=tournament, number=1, name="Evening", game="comon", method="matchpoints",
        movement="kirkman-9x4", plays_per_board=3,
    )  # fmt: skip
    section = past.row("Section", session=session, club=club, name="A")
    table = past.row("Table", section=section, number=1)
    board = past.row("Board", board_set=past.row("BoardSet", session=session), number=1)
    play = past.row("Play", table=table, board=board, round=1)
    role = past.row("Role", person=past.row("Person", name="Odile"), club=club, kind="organiser")
    key = uuid4()
    senders = [past.row("Token", prefix=f"k{number}", table=table) for number in (1, 2)]
    for sender in (*senders, past.row("Token", prefix="k3", role=role), None):
        past.row("Submission", play=play, sender=sender, key=key, content={})
    return play.pk, table.pk, role.pk


@campaign
def test_a_key_belongs_to_the_table_whichever_of_its_tokens_sent_it(past: Past) -> None:
    """A retry with the next token was stored a second time: it stays, and the key stays the first one's."""
    play, table, role = past.stored["one key"]
    stored = Submission.objects.using(past.alias).filter(play=play).order_by("pk")
    assert list(stored.values_list("role", "table")) == [
        (None, table),
        (None, None),
        (role, None),
        (None, None),
    ]


@campaign
def test_people_of_one_name_are_numbered(past: Past) -> None:
    accounts = Account.objects.using(past.alias).filter(pk__in=past.stored["names"]).order_by("pk")
    names = list(accounts.values_list("name", flat=True))
    assert names == ["Ana", "Ana (2)", "Bea", "Ana (3)", "Ana (2) (2)"]


@dataclass(frozen=True)
class People:
    """Rows of 0018: persons, the first of whom is organiser and scorer of a club, with a token for each."""

    club: Any
    persons: list[Any]
    roles: list[Any]
    tokens: list[Any]


def people(past: Past) -> People:
    club = past.club("People")
    persons = [
        past.row("Person", name=name, email=email)
        for name, email in (
            *[("Mia", ""), ("MIA", "Mia@Example.org"), ("mia", ""), ("Mia B.", "mia@example.org")],
            *[("Eva", " eva@example.org "), ("Zoé", "")],
        )
    ]
    roles = [past.row("Role", person=persons[0], club=club, kind=kind) for kind in ("organiser", "scorer")]
    tokens = [past.row("Token", prefix=f"p{number}", role=role) for number, role in enumerate(roles, 1)]
    tournament = past.row("Tournament", club=club, name="Tournament")
    past.row(
        "Event", tournament=tournament, actor=tokens[0], actor_name="Mia (organiser, People)", verb="did",
        subject="it",
    )  # fmt: skip
    return People(club, persons, roles, tokens)


@campaign
def test_people_are_accounts_with_their_numbers_roles_tokens_and_an_address_each(past: Past) -> None:
    there: People = past.stored["people"]
    persons = [one.pk for one in there.persons]
    accounts = Account.objects.using(past.alias).filter(pk__in=persons).order_by("pk")
    assert [(one.pk, one.name, one.email) for one in accounts] == [
        (persons[0], "Mia", None),
        (persons[1], "MIA", "mia@example.org"),
        (persons[2], "mia", None),
        (persons[3], "Mia B.", None),  # the first keeps the address
        (persons[4], "Eva", "eva@example.org"),
        (persons[5], "Zoé", None),
    ]
    assert not any(one.has_usable_password() or one.is_staff or one.last_login for one in accounts)
    assert all(one.is_active for one in accounts)
    roles = Role.objects.using(past.alias).in_force().filter(account__in=persons).order_by("pk")
    role, other = (one.pk for one in there.roles)
    own = (persons[0], there.club.pk)
    expected = [(role, *own, "organiser"), (other, *own, "scorer")]
    assert list(roles.values_list("pk", "account", "club", "kind")) == expected
    stored = Token.objects.using(past.alias).get(pk=there.tokens[0].pk)
    assert stored.organised_club == there.club.pk
    assert str(stored) == "Mia (organiser, People)"
    assert stored.expires_at is not None
    assert timedelta(29) < stored.expires_at - timezone.now() < timedelta(31)
    tokens = Token.objects.using(past.alias).filter(role__in=(role, other))
    assert dict(tokens.values_list("prefix", "scopes")) == {
        "p1": "read enter direct manage",
        "p2": "read enter",
    }
    with pytest.raises(DatabaseError, match="append-only"):
        Role.objects.using(past.alias).filter(pk=role).update(kind="scorer")


# ── History and register ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Lines:
    """Rows of 0021: the lines of a history, and who did what they tell."""

    club: Any
    role: Any
    organiser: Any
    table: Any
    lines: list[Any]


def lines_of_the_history(past: Past) -> Lines:
    club = past.club("History")
    tournament = past.row("Tournament", club=club, name="Tournament")
    session = past.row(
        "Session", tournament=tournament, number=1, name="Evening", game="comon", method="matchpoints",
        movement="kirkman-9x4", plays_per_board=3, partners_fixed=False,
    )  # fmt: skip
    section = past.row("Section", session=session, club=club, name="A")
    table = past.row("Table", section=section, number=1)
    for number, name in enumerate(("Ana", "Zoé"), 1):
        past.row("Contestant", session=session, number=number, name=name)
    role = past.row("Role", account=past.row("Account", name="Ana"), club=club, kind="organiser")
    organiser = past.row("Token", prefix="h1", role=role)
    at_table = past.row("Token", prefix="h2", table=table)
    about: dict[str, Any] = {"tournament": tournament, "session": session}
    ana = {"actor": organiser, "actor_name": "Ana (organiser, History)"}
    lines = [
        past.row("Event", **about, **ana, verb="replaced", subject="board 5",
                 detail={"board": 2, "by": 5, "reason": "Zoé sneezed"}),
        past.row("Event", **about, **ana, verb="replanned", subject="session 1",
                 detail={"leaving": [1], "arriving": [" Zoé "]}),
        past.row("Event", **about, actor=at_table, actor_name="table A1", verb="submitted", subject="s 1"),
        past.row("Event", **about, actor_name="worker", verb="accepted", subject="s 1"),
        past.row("Event", tournament=tournament, **ana, verb="created", subject="t"),
        past.row("Event", club=club, account=role.account, actor_name="account 1", verb="made club",
                 subject="c"),
    ]  # fmt: skip
    return Lines(club, role, organiser, at_table, lines)


@campaign
def test_lines_of_the_history_are_entries_that_hold_ids_and_can_be_sealed(past: Past) -> None:
    """Each keeps its number, time and words; who did it becomes ids, a reason a remark, a name a number."""
    there: Lines = past.stored["history"]
    stored = HistoryEntry.objects.using(past.alias)
    entries = list(stored.filter(pk__in=[one.pk for one in there.lines]).order_by("pk"))
    assert [(one.pk, one.at, one.verb, one.subject) for one in entries] == [
        (one.pk, one.at, one.verb, one.subject) for one in there.lines
    ]
    ana = ("person", there.role.account_id, there.role.pk, there.organiser.pk)
    assert [(one.agent, one.account_id, one.role_id, one.token_id) for one in entries] == [
        *[ana, ana, ("table", None, None, there.table.pk), ("worker", None, None, None), ana],
        ("person", there.role.account_id, None, None),
    ]
    assert [one.club_id for one in entries] == [None, None, None, None, there.club.pk, there.club.pk]
    assert entries[0].detail == {"board": 2, "by": 5}
    assert entries[1].detail == {"leaving": [1], "arriving": [2]}
    assert entries[0].remark is not None
    assert entries[0].remark.text == "Zoé sneezed"
    assert entries[0].remark.digest == history.digest_of(entries[0].remark.salt, "Zoé sneezed")
    with pytest.raises(DatabaseError, match="append-only"):
        stored.update(verb="did")


def names_of_contestants(past: Past) -> list[int]:
    """A published session and one that is not, with the names of their contestants; the sessions' ids."""
    club = past.club("Register")
    tournament = past.row("Tournament", club=club, name="Tournament")
    names = {"Marie Anne Durand": True, "Zoé": False, "Léo  Roux": True}
    sessions = []
    for number, published in enumerate((True, False), 1):
        session = past.row(
            "Session", tournament=tournament, number=number, name="Evening", game="comon",
            method="matchpoints", movement="kirkman-9x4", plays_per_board=3, published=published,
        )  # fmt: skip
        for place, (name, is_published) in enumerate(names.items(), 1):
            if is_published == published:
                contestant = past.row("Contestant", session=session, number=place, name=name)
                contestant.players.add(past.row("Player", club=club, name=name))
        sessions.append(session.pk)
    return sessions


@campaign
def test_names_become_a_register_and_stay_published_where_they_were(past: Past) -> None:
    members = Member.objects.using(past.alias).filter(session__in=past.stored["register"])
    members = members.select_related("player", "contestant").order_by("pk")
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


WAITING = {"public_value": {"kind": "lottery", "source": "tonight's", "value": None}}
KNOWN = {"public_value": {"kind": "lottery", "source": "tonight's", "value": "3 7 12"}}
STATES: list[tuple[str, bool, Any, bool, tuple[str, bool]]] = [
    ("open", False, None, False, ("ready", False)),
    ("open", True, None, True, ("running", True)),
    ("open", False, WAITING, False, ("draft", False)),
    ("open", True, KNOWN, False, ("ready", True)),
    ("finished", False, None, True, ("played", False)),
    ("finished", True, None, True, ("provisional", True)),
]
"""Of sessions their state then, whether they were published, what was sealed, whether something had been
handed in; their state now, and whether they are listed."""


def sessions_in_both_states(past: Past) -> int:
    """The id of their tournament."""
    club = past.club("States")
    tournament = past.row("Tournament", club=club, name="Tournament")
    for number, (state, published, manifest, has_result, _today) in enumerate(STATES, 1):
        session = past.row(
            "Session", tournament=tournament, number=number, name="Evening", game="comon", state=state,
            method="matchpoints", movement="kirkman-9x4", plays_per_board=3, published=published,
        )  # fmt: skip
        past.row("Tally", session=session)
        board = past.row(
            "Board", board_set=past.row("BoardSet", session=session, manifest=manifest), number=1
        )
        table = past.row("Table", section=past.row("Section", session=session, club=club, name="A"), number=1)
        play = past.row("Play", table=table, board=board, round=1)
        if has_result:
            past.row("Submission", play=play, key=uuid4(), content={})
    return int(tournament.pk)


@campaign
def test_sessions_that_were_open_or_finished_have_the_states_of_an_evening(past: Past) -> None:
    sessions = Session.objects.using(past.alias).filter(tournament=past.stored["states"]).order_by("number")
    assert list(sessions.values_list("state", "listed")) == [today for *_then, today in STATES]
