"""Statements that are sent together: all are done or none, and each is answered."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction

from tournaments import outages
from tournaments.models import Club, Session, Submission
from tournaments.services import bulk, judging, pipeline

from .worlds import a_world, hand_in, played_through, plays_of

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="needs DATABASE_URL to name PostgreSQL"),
]
both_ways = pytest.mark.parametrize(
    "way",
    [
        pytest.param("alone", marks=pytest.mark.django_db(transaction=True)),
        pytest.param("in another", marks=pytest.mark.django_db),
    ],
)


@pytest.fixture
def own() -> Iterator[None]:
    """A connection of the form that a writer has."""
    connection.close()
    pipeline.prepare_connection()
    yield
    connection.close()


def add(*names: str) -> None:
    bulk.insert(Club, {"name": names, "slug": names})


def names() -> list[str]:
    return sorted(Club.objects.values_list("name", flat=True))


@both_ways
def test_parts_are_answered_and_stored(way: str) -> None:
    with pipeline.one_transaction() as parts:
        with parts.at_once():
            add("A", "B")
            there = bulk.ask("SELECT club.name FROM {wanted} JOIN tournaments_club club USING (name)", NAMES)
            ids = bulk.ask_for_ids(Club, 3)
        assert sorted(there()) == [("A",), ("B",)]
        assert len(set(ids())) == 3
        assert names() == ["A", "B"]  # by the framework, in the same transaction
        with parts.at_once(last=True):
            add("C")
    assert names() == ["A", "B", "C"]
    assert connection.get_autocommit() == (way == "alone")


NAMES: Any = {"name": ("text", ["A", "B", "Z"])}


def store(*parts: list[str], fault: Any = None) -> None:
    """Each list in a part of its own; then the fault, before the last of them is sent."""
    with pipeline.one_transaction() as sent:
        for number, new in enumerate(parts, 1):
            with sent.at_once(last=number == len(parts)):
                add(*new)
                if number == len(parts) and fault is not None:
                    fault()


@both_ways
def test_what_fails_takes_all_of_it_back_and_the_next_is_stored(way: str) -> None:
    for _ in range(2):
        with pytest.raises(DatabaseError, match="unique"):
            store(["A"], ["B", "B"])
        assert names() == []
    store(["D", "E"])
    assert names() == ["D", "E"]


@pytest.mark.django_db(transaction=True)
def test_an_error_of_ours_stores_nothing(own: None) -> None:
    def fault() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store(["A"], ["B"], fault=fault)
    assert names() == []


@pytest.mark.django_db(transaction=True)
def test_statements_stay_prepared_until_something_is_taken_back(own: None) -> None:
    raw: Any = connection.connection
    store(["A", "B"])
    known = dict(pipeline.prepared[raw])
    assert known
    store(["C", "D"])
    assert pipeline.prepared[raw] == known
    with pytest.raises(DatabaseError):
        store(["C", "E"])
    store(["F", "G"])
    assert names() == ["A", "B", "C", "D", "F", "G"]
    assert not set(known.values()) & set(pipeline.prepared[raw].values())


@pytest.mark.django_db(transaction=True)
def test_a_lost_connection_is_an_outage(own: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    with pytest.raises(OperationalError):
        store(["A"], ["B"], fault=lambda: end(pid))
    connection.close()
    assert names() == []


@pytest.mark.django_db(transaction=True)
def test_a_connection_lost_before_a_cursor_of_the_database_is_closed_is_an_outage() -> None:
    """The error is the driver's own there: `QuerySet.iterator` ends so."""
    cursor = connection.chunked_cursor()
    cursor.execute("SELECT generate_series(1, 9)")
    assert cursor.fetchone() == (1,)
    end(connection.connection.info.backend_pid)
    with pytest.raises(Exception, match="terminating connection") as lost:
        cursor.close()
    connection.close()
    assert outages.is_outage(lost.value)


def end(pid: int) -> None:
    import psycopg

    parameters = connection.get_connection_params()
    parameters = {name: parameters[name] for name in ("dbname", "user", "host", "port") if name in parameters}
    with psycopg.connect(**parameters) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [pid])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("bigint", [1, None, -(2**62)]),
        ("bigint", [2**62, 0]),
        ("bigint", []),
        ("integer", [2**31 - 1, None]),
        ("smallint", [-(2**15)]),
        ("text", ["", None, 'a "b", {c}\\', "é🂡", "NULL"]),
        ("varchar", ["x" * 500]),
        ("uuid", [UUID(int=7), None]),
    ],
)
def test_arrays_arrive_as_they_were(kind: str, values: list[Any]) -> None:
    with pipeline.one_transaction() as parts:
        with parts.at_once():
            rows = bulk.ask("SELECT wanted.it FROM {wanted}", {"it": (kind, values)})
        with transaction.atomic():
            assert [it for (it,) in rows()] == values


@pytest.mark.django_db(transaction=True)
def test_what_the_driver_has_let_go_of_is_prepared_again() -> None:
    """A worker's connection is used by the framework as well: where that takes a transaction back, the driver
    lets go of every statement of the connection, ours among them."""
    pipeline.remember_statements()
    asked = ("SELECT club.name FROM {wanted} JOIN tournaments_club club USING (name)", NAMES)
    for _ in range(3):
        with pipeline.one_transaction() as parts:
            with parts.at_once():
                there = bulk.ask(*asked)
            assert there() == []
        assert pipeline.prepared[connection.connection]
        bulk.select(*asked)  # by the driver, which prepares it, too
        with transaction.atomic():
            bulk.select(*asked)
            transaction.set_rollback(True)


@pytest.mark.django_db(transaction=True)
def test_a_final_list_is_amended_by_a_worker_as_by_anybody() -> None:
    """Where no other transaction is around the worker's own."""
    world = a_world()
    played_through(world)
    Session.objects.filter(pk=world.session.pk).update(state="final")
    first, second = plays_of(world.session)[:2]
    hand_in(world, first, {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}})
    judging.judge()
    assert world.refresh().state == "amended"
    assert not Submission.objects.pending().exists()
    hand_in(world, second, {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}})
    judging.judge()
    assert not Submission.objects.pending().exists()
