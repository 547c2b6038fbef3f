"""What is append-only: neither code nor a statement by hand rewrites or deletes it, on either database."""

import os
from itertools import product

import pytest
from django.db import DatabaseError, connection, transaction

from tournaments import guards
from tournaments.models import Confirmation, Custody, HistoryEntry, Objection, Result
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, chains, events, history, invitations, objections
from tournaments.services.roles import RolePlace

from .fields import a_leg
from .worlds import World, a_ruling, a_world, an_objection, hand_in, plays_of, work

pytestmark = pytest.mark.django_db


def begins_with() -> World:
    world = a_world()
    play = plays_of(world.session)[0]
    hand_in(world, play)
    a_ruling(world.session, play)
    objection = Objection.objects.get(pk=an_objection(world.session, play, world.organiser))
    objections.follow(objection=objection, actor=world.organiser, kind="answer", text="So", outcome="upheld")
    work(world.session)
    invitations.invite(kind=RoleKind.SCORER, place=RolePlace(world.session.tournament.club), actor=None)
    history.note(None, "did", world.session, session=world.session, reason="why")
    chains.seal_new()
    Confirmation.objects.create(submission=play.submissions.get(), role=world.organiser.role)
    officer = accounts.create(name="Olga")
    Custody.objects.create(board_set=world.session.board_set, account=officer)
    leg = a_leg()
    assert events.lift_all(now=leg.closes_at) == 1
    return world


FORBIDDEN = [
    "DELETE FROM tournaments_historyentry",
    "UPDATE tournaments_historyentry SET verb = 'told'",
    "DELETE FROM tournaments_remark",
    "UPDATE tournaments_remark SET text = 'something else'",
    "UPDATE tournaments_remark SET digest = '0', text = '', salt = '', emptied_at = '2026-01-01'",
    "DELETE FROM tournaments_historyseal",
    "UPDATE tournaments_historyseal SET digest = '0'",
    "DELETE FROM tournaments_historychain",
    "UPDATE tournaments_historychain SET length = length - 1",
    "DELETE FROM tournaments_session",
    "UPDATE tournaments_session SET is_trial = NOT is_trial",
    "DELETE FROM tournaments_confirmation",
    "UPDATE tournaments_confirmation SET seat = NULL",
    "DELETE FROM tournaments_submission",
    "UPDATE tournaments_submission SET seat = 3",
    "UPDATE tournaments_submission SET content = '{}'",
    "UPDATE tournaments_submission SET created_at = '2020-01-01'",
    "UPDATE tournaments_submission SET role_id = NULL",
    "UPDATE tournaments_submission SET table_id = NULL",
    "DELETE FROM tournaments_result",
    "UPDATE tournaments_result SET scores = '[9, 9, 9]'",
    "UPDATE tournaments_result SET facts = '[]'",
    "UPDATE tournaments_result SET session_id = session_id + 1",
    "DELETE FROM tournaments_role",
    "UPDATE tournaments_role SET kind = 'scorer'",
    "DELETE FROM tournaments_custody",
    "UPDATE tournaments_custody SET account_id = account_id + 1",
    "UPDATE tournaments_custody SET taken_at = '2020-01-01'",
    "DELETE FROM tournaments_invitation",
    "UPDATE tournaments_invitation SET digest = '0'",
    "DELETE FROM tournaments_objection",
    "UPDATE tournaments_objection SET contestant_id = contestant_id + 1",
    "DELETE FROM tournaments_objectionstep",
    "UPDATE tournaments_objectionstep SET outcome = 'rejected'",
    "DELETE FROM tournaments_ruling",
    "UPDATE tournaments_ruling SET content = '{}', reversed_at = '2020-01-01'",
    "UPDATE tournaments_ruling SET reversed_at = NULL, reversed_position = NULL",
    "DELETE FROM tournaments_rulingpart",
    "UPDATE tournaments_rulingpart SET entries = '[]'",
    "DELETE FROM tournaments_leg",
    "UPDATE tournaments_leg SET lifted_at = NULL",
    "UPDATE tournaments_leg SET commitment = '0'",
    "UPDATE tournaments_leg SET manifest = '{}'",
    "UPDATE tournaments_leg SET board_count = 1",
    "DELETE FROM tournaments_ranking",
    "UPDATE tournaments_ranking SET is_snapshot = NOT is_snapshot",
]


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_database_refuses(world: World, statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


UNIQUE_BY_ID = {"tournaments_historyentry", "tournaments_remark", "tournaments_confirmation"}
REPLACED = [
    *product(sorted(guards.GUARDS), ["id"]),
    # An entry of the history, its remark, and a confirmation are unique by their ids alone.
    *product(sorted(guards.GUARDS.keys() - UNIQUE_BY_ID), ["id + 1000"]),
]


@pytest.mark.sqlite
@pytest.mark.parametrize(("table", "id_of_another"), REPLACED)
def test_sqlite_refuses_to_replace(world: World, table: str, id_of_another: str) -> None:
    """Neither the row of an id, whatever program asks, nor (with another id) one that is unique in something
    else."""
    with connection.cursor() as cursor:
        there = connection.introspection.get_table_description(cursor, table)
        before = cursor.execute("PRAGMA recursive_triggers").fetchone()[0]
        if id_of_another == "id":
            cursor.execute("PRAGMA recursive_triggers=OFF")  # as other programs have it
    columns = ", ".join(id_of_another if column.name == "id" else f'"{column.name}"' for column in there)
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"REPLACE INTO {table} SELECT {columns} FROM {table} ORDER BY id LIMIT 1")
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA recursive_triggers={before}")


@pytest.mark.skipif(not os.environ.get("DATABASE_URL"), reason="only PostgreSQL can truncate")
@pytest.mark.parametrize("table", sorted(guards.GUARDS))
def test_postgresql_refuses_to_truncate(world: World, table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"TRUNCATE {table} CASCADE")


def test_every_guarded_table_is_tried() -> None:
    assert {
        statement.replace("DELETE FROM ", "").split()[0] for statement in FORBIDDEN if "DELETE" in statement
    } == set(guards.GUARDS)


def test_a_result_is_superseded_by_a_later_submission_only(world: World) -> None:
    play = plays_of(world.session)[0]
    before = Result.objects.get(play=play).submission_id
    hand_in(world, play, {"sheet": {"outcome": "normal", "tricks": [2, 3, 5]}})
    work(world.session)
    assert Result.objects.get(play=play).submission_id > before
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Result.objects.filter(play=play).update(submission=before, scores=[1, -2, 0])


def test_guards_stand_again_after_migrations(world: World) -> None:
    guards.before_migrations(using="default")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE tournaments_historyentry SET verb = verb")
    guards.after_migrations(using="default")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        HistoryEntry.objects.all()._raw_delete("default")
