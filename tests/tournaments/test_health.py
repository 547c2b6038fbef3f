"""Whether a process answers, whether the service can work, and whether a worker is alive."""

import time
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from celery.fixups.django import DjangoWorkerFixup  # type: ignore[attr-defined]  # its stubs lack it
from django.conf import settings
from django.db import InterfaceError, OperationalError, ProgrammingError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, override_settings
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from tournaments import worker
from tournaments.celery import app
from tournaments.models import Worker
from tournaments.services import readiness
from tournaments.starting import check_migrated


def ready() -> tuple[int, dict[str, Any]]:
    answer = Client().get("/readyz")
    body = answer.json()
    assert body["ready"] is (answer.status_code == 200) is all(one["ready"] for one in body["parts"].values())
    return answer.status_code, body["parts"]


@pytest.fixture
def at_work() -> None:
    readiness.sign_of_life(worker="one")


def test_a_process_says_that_it_answers_without_its_database() -> None:
    """No mark lets this test reach one."""
    assert Client().get("/livez").content == b"ok"


@override_settings(SECURE_SSL_REDIRECT=True)
def test_whoever_asks_the_process_itself_is_not_sent_to_https() -> None:
    """A probe has no certificate to ask; everybody else has."""
    assert Client().get("/livez").status_code == 200
    assert Client().get("/livez/").status_code == Client().get("/en/").status_code == 301


@pytest.mark.django_db
def test_the_service_is_ready_when_all_its_parts_are(at_work: None) -> None:
    status, parts = ready()
    assert status == 200
    assert parts.keys() >= {"database", "migrations", "broker", "workers", "disk"}


@pytest.mark.django_db
def test_it_is_not_ready_without_workers() -> None:
    assert ready()[1]["workers"] == {"ready": False, "seconds": None}
    seen = timezone.now() - timedelta(seconds=settings.HUNG_SECONDS + 60)
    Worker.objects.create(name="asleep", seen_at=seen)
    status, parts = ready()
    assert (status, parts["workers"]["ready"]) == (503, False)
    assert parts["workers"]["seconds"] >= settings.HUNG_SECONDS + 60


@pytest.mark.django_db
def test_it_is_not_ready_and_does_not_start_with_migrations_pending(at_work: None) -> None:
    [newest] = MigrationExecutor(connection).loader.graph.leaf_nodes("tournaments")
    MigrationRecorder(connection).record_unapplied(*newest)
    status, parts = ready()
    assert status == 503
    assert parts["migrations"]["pending"] == [".".join(newest)]
    with pytest.raises(SystemExit, match="migrate` first"):
        check_migrated()


@pytest.mark.django_db
def test_what_is_pending_is_what_would_be_migrated() -> None:
    assert not readiness.pending_migrations()
    MigrationRecorder.Migration.objects.using("default").all().delete()
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    assert {f"{one.app_label}.{one.name}" for one, _ in plan} == {*readiness.pending_migrations()}


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError, InterfaceError, ProgrammingError, BrokerError, OSError])
def test_a_part_that_is_away_is_named_and_the_others_are_asked(
    at_work: None, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> readiness.ServicePart:
        raise error

    monkeypatch.setitem(readiness.ASKED, "broker", away)
    status, parts = ready()
    assert (status, parts["broker"]) == (503, {"ready": False, "error": error.__name__})
    assert parts["workers"]["ready"]


@pytest.mark.django_db
def test_it_is_not_ready_when_the_disk_is_full(at_work: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "LEAST_FREE_MB", 10**12)
    assert ready()[0] == 503


@pytest.mark.django_db
def test_workers_that_are_gone_are_forgotten_after_a_day() -> None:
    Worker.objects.create(name="old", seen_at=timezone.now() - 2 * readiness.FORGOTTEN)
    for _ in range(2):
        readiness.sign_of_life(worker="one")
    assert [one.name for one in Worker.objects.all()] == ["one"]


@pytest.mark.django_db
def test_a_worker_in_which_a_task_hangs_gives_no_signs_of_life() -> None:
    now = time.monotonic()
    worker._mark()
    worker.begin(task_id="slow")
    assert worker.is_alive(now)
    later = now + settings.TASK_SECONDS + 60
    worker._loop_at = later
    assert not worker.is_alive(later)
    worker.end(task_id="slow")
    assert worker.is_alive(later)
    assert not worker.is_alive(later + settings.HUNG_SECONDS + 60)  # no more messages are taken
    worker._mark()


def test_a_worker_keeps_its_connection_from_one_task_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """Celery's own way is a new one for each task, which costs more than to judge a result."""
    closed: list[str] = []
    monkeypatch.setattr(connections["default"], "close", lambda: closed.append("by Celery"))
    celery = DjangoWorkerFixup(app)
    task: Any = SimpleNamespace(request=SimpleNamespace(is_eager=False))
    for _ in range(3):
        celery.on_task_prerun(sender=task)
        celery.on_task_postrun(sender=task)
    assert not closed
