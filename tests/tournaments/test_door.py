"""What stands before Django: a slow, silent or greedy caller keeps nobody else waiting."""

import asyncio
import json
import select
import socket
import threading
from collections.abc import Iterator
from typing import Any
from wsgiref.validate import check_environ

import httpx
import pytest
from django.core.handlers.wsgi import WSGIRequest

from tests.running import PATIENCE, Service, campaign, wait_until
from tournaments.api import door


def connected(service: Service, data: bytes) -> socket.socket:
    host, port = httpx.URL(service.address).host, httpx.URL(service.address).port
    caller = socket.create_connection((host, port or 80), timeout=PATIENCE)
    caller.sendall(data)
    return caller


def unfinished(path: str) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100"
    return f"{head}\r\n\r\n{{".encode()


@campaign
@pytest.mark.processes
def test_unfinished_requests_keep_nobody_waiting(service: Service) -> None:
    callers = [connected(service, unfinished("/api/v1/tournaments/")) for _ in range(40)]
    assert httpx.get(f"{service.address}/livez", timeout=PATIENCE).text == "ok"
    ended, _writable, _wrong = select.select(callers, [], [], 0)
    assert len(ended) < len(callers)  # they did not have to end first
    answers = [caller.makefile("rb").readline() for caller in callers]
    assert {answer.split()[1] for answer in answers} == {b"408"}


@pytest.mark.processes
def test_too_large_a_body_is_refused_before_it_is_read(service: Service) -> None:
    head = "POST /api/v1/tournaments/ HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Language: fr\r\nContent-Length: "
    answer = connected(service, f"{head}{door.LARGEST_BODY + 1}\r\n\r\n".encode()).makefile("rb").read()
    assert b" 413 " in answer
    assert "octets" in json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["message"]


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/fr/t/ABCDEFGH23/photos/", door.LARGEST_FILE),
        ("/api/v1/sessions/7/slip-photos/", door.LARGEST_FILE),
        ("/fr/desk/clubs/nantes/archives/", door.LARGEST_FILE),
        ("/fr/desk/clubs/nantes/archives/7/", door.LARGEST_BODY),
        ("/fr/t/ABCDEFGH23/results/", door.LARGEST_BODY),
        ("/fr/t/ABCDEFGH23/photos/more/", door.LARGEST_BODY),
        ("/api/v1/sessions/7/slip-photos/8/", door.LARGEST_BODY),
        ("/api/v1/tournaments/", door.LARGEST_BODY),
    ],
)
def test_a_photo_or_an_archive_may_be_larger_than_any_other_request(path: str, most: int) -> None:
    assert door.largest(door.Headers({"path": path, "headers": []})) == most


@pytest.mark.processes
def test_a_file_of_fifty_megabytes_is_refused_before_it_is_read(service: Service) -> None:
    head = (
        "POST /fr/t/ABCDEFGH23/photos/ HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Language: fr\r\nContent-Length: "
    )
    answer = connected(service, f"{head}{50_000_000}\r\n\r\n".encode()).makefile("rb").read()
    assert b" 413 " in answer
    assert "10100000 octets" in json.loads(answer.partition(b"\r\n\r\n")[2])["detail"]
    shown = connected(service, f"{head}{50_000_000}\r\nAccept: text/html,*/*\r\n\r\n".encode()).makefile("rb")
    page = shown.read().decode()
    assert " 413 " in page
    assert "<h1>Trop volumineux</h1><p>" in page
    assert "10100000 octets" in page


@pytest.mark.processes
def test_chunks_are_counted_too(service: Service) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(30):
            yield b" " * 100_000

    answer = httpx.post(f"{service.address}/api/v1/tournaments/", content=chunks())
    assert answer.status_code == 413


@campaign
@pytest.mark.processes
def test_many_idle_streams_leave_the_database_to_the_others(service: Service) -> None:
    hall = service.set_up(players=9, boards_per_round=1)
    head = f"GET /api/v1/sessions/{hall.session}/live/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    streams = [connected(service, head) for _ in range(200)]
    for watcher in streams:
        assert b" 200 " in watcher.makefile("rb").readline()
    assert service.manage("token", "organiser", "Another").startswith("etui_")
    for watcher in streams:
        watcher.close()
    wait_until(lambda: httpx.get(f"{service.address}/livez").text == "ok", what="the service to go on")


def a_scope(**more: Any) -> dict[str, Any]:
    """A request as a web server hands it on."""
    return {
        **{"type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": "/"},
        **{"query_string": b"", "headers": [], "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000)},
    } | more


def test_an_answer_that_nobody_reads_does_not_hold_a_thread() -> None:
    inside_is_free = threading.Event()

    def inside(environ: Any, start_response: Any) -> Iterator[bytes]:
        start_response("200 OK", [])
        yield b"x" * 1_000_000
        inside_is_free.set()

    async def never_read(message: Any) -> None:
        await asyncio.Event().wait()

    async def request() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def run() -> None:
        asking = asyncio.create_task(door.Door(inside, threads=1)(a_scope(), request, never_read))
        assert await asyncio.to_thread(inside_is_free.wait, PATIENCE)
        assert not asking.done()
        asking.cancel()

    asyncio.run(run())


def test_a_request_reaches_django_as_it_was_sent() -> None:
    headers = [
        (b"host", b"example.org"),
        (b"content-type", b"application/json"),
        (b"content-length", b"2"),
        (b"cookie", b"a=1"),
        (b"cookie", b"b=2"),
        (b"accept", b"text/html"),
        (b"accept", b"application/json"),
        (b"x_forwarded_for", b"192.0.2.1"),  # not the header that a proxy is trusted for
    ]
    scope = a_scope(path="/été/", query_string=b"page=%C3%A9", headers=headers, method="POST")
    environ = door.environ_of(scope, b"{}")
    request = WSGIRequest(environ)
    assert (request.method, request.path, request.GET["page"], request.body) == ("POST", "/été/", "é", b"{}")
    assert (request.content_type, request.COOKIES) == ("application/json", {"a": "1", "b": "2"})
    assert request.headers["Accept"] == "text/html,application/json"
    assert "HTTP_X_FORWARDED_FOR" not in environ
    assert (environ["REMOTE_ADDR"], environ["HTTP_HOST"]) == ("127.0.0.1", "example.org")
    check_environ(environ)
