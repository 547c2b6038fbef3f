"""Traces for OpenTelemetry and errors for Sentry, sent to a receiver of the test."""

import gzip
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.running import ROOT, SPECIAL, embedded_first, serving, wait_until
from tournaments import watched
from tournaments.management import robots


@contextmanager
def receiver() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """An address on loopback, and what has come there: by path, each body as it was before it was packed."""
    came: list[tuple[str, bytes]] = []

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            came.append((self.path, body))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}", came
    finally:
        server.shutdown()
        server.server_close()


def spans_in(came: list[tuple[str, bytes]]) -> list[tuple[str, Any]]:
    """Each span with the process that sent it."""
    found = []
    for path, body in list(came):
        assert path == "/v1/traces"
        for sent in ExportTraceServiceRequest.FromString(body).resource_spans:
            about = {one.key: one.value.string_value for one in sent.resource.attributes}
            assert about["service.name"] == "etui"
            found += [(about["etui.process"], span) for scope in sent.scope_spans for span in scope.spans]
    return found


@pytest.mark.processes
@pytest.mark.campaign
@embedded_first
def test_a_trace_follows_a_result_from_the_web_to_the_worker(kind: str, tmp_path: Path) -> None:
    with receiver() as (address, came):
        watching = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://{address}", "OTEL_BSP_SCHEDULE_DELAY": "200"}
        with serving(kind, tmp_path / "var", **watching) as service:
            organiser = service.manage("token", "organiser", "Quesnelmaster").strip()
            session = {"name": "Quesnelot", "game": "comon", "boards_per_round": 1}
            players = [f"Quesnelot {n}" for n in range(1, 10)]
            hall = robots.set_up(
                service.address, organiser, tournament="Coupe", session=session | {"contestants": players}
            )
            for _step in robots.evening(hall, seconds=1, random=Random(1)):
                pass

            def judged() -> bool:
                spans = spans_in(came)
                of_web = {one.trace_id for process, one in spans if process == "web"}
                return any(
                    process == "worker" and one.name == "judge" and one.trace_id in of_web
                    for process, one in spans
                )

            wait_until(judged, what="a judged result in the trace of whoever sent it")
        spans = spans_in(came)
    names = {one.name for _process, one in spans}
    assert {"POST session-submissions", "judge"} <= names
    asked = next(one for process, one in spans if process == "web" and one.name == "POST session-submissions")
    assert "etui.request" in {one.key for one in asked.attributes}
    whole = b"".join(body for _path, body in came)
    assert [one for one in ("Quesnel", organiser, *hall.tables.values()) if one.encode() in whole] == []


FAILING = """
import django, tournaments.celery; django.setup()
from tournaments import tracing, watched
watched.begin("web")
import logging
log = logging.getLogger("tournaments")
try:
    secret = "Quesnelmaster"
    raise ValueError("Gone: /en/invitations/link/k3Y_x/")
except ValueError:
    with tracing.working_for({tracing.HEADERS: "followed-by-this"}):
        log.exception("results of %s could not be stored", 7)
"""


def test_an_error_is_told_with_its_ids_and_without_values() -> None:
    with receiver() as (address, came):
        environment = SPECIAL | {"SENTRY_DSN": f"http://key@{address}/1"}
        subprocess.run([sys.executable, "-c", FAILING], cwd=ROOT, env=environment, check=True)
        wait_until(lambda: bool(came), what="an error")
    [(_path, body)] = came
    event = json.loads(body.splitlines()[2])
    assert event["logentry"]["formatted"] == "results of 7 could not be stored"
    assert event["tags"] == {"request": "followed-by-this"}
    [raised] = event["exception"]["values"]
    assert (raised["type"], raised["value"]) == ("ValueError", "Gone: /en/invitations/link/…/")
    assert set(raised["stacktrace"]["frames"][0]) <= set(watched.OF_A_FRAME)
    assert b"Quesnel" not in body


def test_what_is_asked_for_has_to_be_there(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SENTRY_DSN = "http://key@127.0.0.1:9/1"
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(Exception, match=r"sentry_sdk is not installed.*pip install etui\[watch\]"):
        watched.begin("web")


def test_nothing_is_imported_where_nobody_asks() -> None:
    code = (
        "import django, sys, tournaments.celery; django.setup(); import tournaments.worker;"
        "from tournaments import watched; watched.begin('worker');"
        "print({'sentry_sdk', 'opentelemetry'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=SPECIAL, check=True, stdout=subprocess.PIPE, text=True
    )
    assert done.stdout.strip() == "set()"
