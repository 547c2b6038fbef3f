"""What whoever watches the service is told: figures, alerts, and logs by whose ids work can be followed."""

import json
import logging
import re
import sys
import threading
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings as the_settings
from django.db import OperationalError, connection
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

import tournaments
from tests.running import ROOT
from tournaments import logs, metrics, tasks, tracing, worker
from tournaments.celery import app
from tournaments.models import Submission, Tally
from tournaments.services import figures, queue, readiness, retention, sweep, tokens

from .worlds import World, hand_in, plays_of, work

MONITORING = ROOT / "deploy" / "monitoring"
NAMES = re.compile(r"\betui_[a-z_]+")


@pytest.fixture
def embedded(settings: Any) -> None:
    """Whoever sits at the machine reads the figures, whichever database is asked here."""
    settings.PRODUCTION = False


def told(client: Client | None = None, **headers: str) -> str:
    answer = (client or Client(HTTP_HOST="localhost")).get("/metrics", **headers)
    assert answer.status_code == 200
    return str(answer.content.decode())


def values(text: str) -> dict[str, float]:
    """By name and labels."""
    return {
        f"{one.name}{json.dumps(one.labels, sort_keys=True)}": one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


# ── Figures ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("embedded")
@pytest.mark.django_db
def test_only_the_machine_itself_or_a_token_reads_them(settings: Any) -> None:
    assert "etui_part_ready" in told()
    elsewhere = {"HTTP_HOST": "localhost", "REMOTE_ADDR": "203.0.113.7"}
    for headers in (
        elsewhere,
        {"HTTP_HOST": "localhost", "HTTP_X_FORWARDED_FOR": "203.0.113.7"},
        {"HTTP_HOST": "testserver"},
    ):
        assert Client().get("/metrics", **headers).status_code == 404
    settings.METRICS_TOKEN = "correct-horse"
    for given in ("", "Bearer", "Bearer ", "Bearer wrong", "correct-horse"):
        assert Client(HTTP_HOST="localhost").get("/metrics", HTTP_AUTHORIZATION=given).status_code == 404
    assert "etui_part_ready" in told(Client(**elsewhere), HTTP_AUTHORIZATION="Bearer correct-horse")
    settings.METRICS_TOKEN, settings.PRODUCTION = "", True
    assert Client(HTTP_HOST="localhost").get("/metrics").status_code == 404


@pytest.mark.usefixtures("embedded")
def test_they_tell_what_waits_what_failed_and_what_was_done(world: World) -> None:
    before = values(told())
    play = plays_of(world.session)[0]
    hand_in(world, play)
    now = values(told())
    assert now["etui_submissions_waiting{}"] == 1
    assert now["etui_submissions_oldest_seconds{}"] >= 0
    sweep.sweep()
    work(world.session)
    Submission.objects.update(state=Submission.State.FAILED)
    figures._failed = (float("-inf"), 0)
    now = values(told())
    assert now["etui_submissions_waiting{}"] == 0
    assert now["etui_submissions_failed{}"] == 1
    assert now["etui_lists_behind{}"] == 0
    for name in ('etui_swept_total{"task": "judge"}', 'etui_judged_total{"state": "accepted"}'):
        assert now[name] == before.get(name, 0) + 1
    metric = '{"method": "GET", "operation": "metrics", "status": "200"}'
    assert now[f"etui_requests_total{metric}"] >= 2
    figures._failed = (float("-inf"), 0)


@pytest.mark.usefixtures("embedded")
@pytest.mark.django_db
def test_they_are_told_while_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OperationalError

    told()
    monkeypatch.setattr(connection, "cursor", away)
    now = values(told())
    assert now['etui_part_ready{"part": "database"}'] == 0
    assert "etui_submissions_waiting{}" not in now
    assert any(name.startswith("etui_requests_total") for name in now)


def test_a_broker_that_is_away_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OSError

    monkeypatch.setattr(app, "send_task", away)
    before = metrics.unsent.labels("seal")._value.get()
    queue.send("seal")
    assert metrics.unsent.labels("seal")._value.get() == before + 1


def test_the_release_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert tournaments.__version__ == project["version"]


@pytest.fixture
def exported(world: World, embedded: None, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of all figures, of a service in which everything has happened."""
    monkeypatch.setattr(figures, "last_backup", lambda: figures.LastBackup(1.0, 2))
    hand_in(world, plays_of(world.session)[0])
    readiness.sign_of_life(worker="one")
    readiness.note_sweep(worker="one", found=sweep.sweep())
    work(world.session)
    Tally.objects.update(checked_at=timezone.now())
    metrics.done("judge", "success", 0.1)
    metrics.unsent.labels("seal")
    told()  # which is counted once it is answered
    names = {name.partition("{")[0] for name in values(told())}
    return {name for name in names if not name.endswith("_created")}


@pytest.mark.django_db
def test_alerts_and_the_dashboard_ask_for_what_there_is(exported: set[str]) -> None:
    rules = yaml.safe_load((MONITORING / "etui.rules.yaml").read_text("utf-8"))
    alerts = [rule for group in rules["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in alerts}) == len(alerts) > 10
    for rule in alerts:
        assert rule["labels"]["severity"] in {"page", "ticket"}, rule
        assert rule["annotations"]["summary"].endswith("."), rule
    dashboard = json.loads((MONITORING / "grafana.json").read_text("utf-8"))
    shown = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked = {name for expr in [*(rule["expr"] for rule in alerts), *shown] for name in NAMES.findall(expr)}
    assert asked - exported == set()
    unseen = {name for name in exported if name.startswith("etui_")} - asked
    assert {name for name in unseen if not name.endswith(("_sum", "_count"))} == set(), "on no panel"
    labels = {
        label for expr in shown for by in re.findall(r"by \(([^)]*)\)", expr) for label in by.split(", ")
    }
    written = {label for name in values(told()) for label in json.loads(name[name.index("{") :])}
    assert labels - written == set()


# ── Ids ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Any:
    """What is logged from now on, as JSON."""
    caplog.handler.setFormatter(logs.as_json())
    caplog.set_level(logging.INFO)
    return lambda: [json.loads(line) for line in caplog.text.splitlines() if line.startswith("{")]


def test_a_request_is_followed_with_its_session_and_actor_into_messages(
    world: World, lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(app, "send_task", lambda name, **options: sent.append(options))
    answer = world.client("scorer").get(f"/api/v1/sessions/{world.session.pk}/boards/99/traveller/")
    number = answer["X-Request-ID"]
    assert re.fullmatch("[0-9a-f]{32}", number)
    [line] = [line for line in lines() if "Not Found" in line["event"]]
    assert (line["request"], line["session"]) == (number, world.session.pk)
    assert re.fullmatch("token:[0-9]+", line["actor"])
    queue.send("judge")  # in the same thread, as part of what was asked
    assert sent[-1]["headers"] == {"etui_request": number}
    assert Client().get("/livez")["X-Request-ID"] != number
    queue.send("judge")
    assert sent[-1]["headers"]["etui_request"] not in {"", number}


@pytest.mark.django_db
def test_a_token_that_is_only_claimed_is_nobody_in_a_line(lines: Any) -> None:
    """Submissions are stored with the check of their token: a line that is written before must not fail."""
    request = HttpRequest()
    request.auth = tokens.Words("abc", "def")  # type: ignore[attr-defined]  # as the framework's is
    tracing._answering.set(request)
    logging.getLogger("tournaments").warning("slow")
    tracing._answering.set(None)
    [line] = lines()
    assert "actor" not in line


def test_results_that_wait_for_one_writer_keep_their_id(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    there = threading.Event()

    def send(_name: str, **options: Any) -> None:
        sent.append(options["headers"]["etui_request"])
        there.set()

    monkeypatch.setattr(app, "send_task", send)
    caller = queue.TaskCaller("judge")
    with tracing.working_for({tracing.HEADERS: "handed-in"}):
        caller.call()  # by a thread of its own
    assert there.wait(30)
    assert sent == ["handed-in"]


@pytest.mark.django_db
def test_whose_id_is_believed(settings: Any) -> None:
    from tournaments import limits

    given = {"HTTP_X_REQUEST_ID": "0123456789abcdef"}
    assert Client().get("/livez", **given)["X-Request-ID"] != "0123456789abcdef"
    settings.TRUSTED_PROXIES = ["127.0.0.0/8"]
    limits.networks.cache_clear()
    try:
        assert Client().get("/livez", **given)["X-Request-ID"] == "0123456789abcdef"
        assert Client().get("/livez", HTTP_X_REQUEST_ID='x" y')["X-Request-ID"] != 'x" y'
    finally:
        limits.networks.cache_clear()


def test_a_task_says_for_which_request_it_works(lines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "close_old_connections", lambda: None)  # the file's own is one
    task = tasks.rank
    task.push_request(etui_request="abc")
    try:
        worker.begin(task_id="t1", task=task, args=(7,))
        logging.getLogger("tournaments").warning("slow")
        worker.end(task_id="t1", task=task, state="SUCCESS")
        logging.getLogger("tournaments").warning("over")
    finally:
        task.pop_request()
    slow, over = lines()
    assert (slow["request"], slow["task"], slow["doing"], slow["session"]) == ("abc", "t1", "rank", "7")
    assert slow["level"] == "warning"
    assert not {"request", "task", "session"} & over.keys()


def test_a_line_leaves_secrets_out_in_either_form() -> None:
    said = "Key exists\nDETAIL:  Key (email)=(ana@example.org) already exists."
    try:
        raise ValueError(said)
    except ValueError:
        record = logging.makeLogRecord({"msg": "at /en/invitations/link/k3Y_x/", "exc_info": sys.exc_info()})
    for formatter in (logs.as_json(), logs.LogLine("{message}", style="{")):
        text = formatter.format(record)
        assert "k3Y_x" not in text
        assert "ana@" not in text
        assert "ValueError" in text


def test_lines_of_json_are_forgotten_by_their_time_and_no_other(tmp_path: Path) -> None:
    """What was said in a line may look like a time, and may go on in lines of its own."""
    formatter = logs.as_json()
    trap = '"timestamp": "2001-01-01T00:00:00Z"'
    new = formatter.format(logging.makeLogRecord({"msg": trap}))
    path = tmp_path / "web.log"
    old = '{"timestamp": "2020-02-03T04:05:06Z", "event": "gone"}\n  more\n'
    path.write_text(old + new + "\nTraceback\n")
    assert retention.cut(path, datetime(2026, 1, 1, tzinfo=UTC)) == 2
    assert path.read_text() == new + "\nTraceback\n"


def test_the_service_for_others_writes_json() -> None:
    assert ("json" if the_settings.PRODUCTION else "line") == the_settings.LOG_FORMAT
