"""The reader before Django answers as Django does, takes nothing that Django would not, and counts nobody
twice."""

import asyncio
import json
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import OperationalError, connections
from django.urls import URLPattern, reverse
from hypothesis import example, given
from hypothesis import strategies as st
from rest_framework.exceptions import APIException

from tournaments import limits, wsgi
from tournaments.api import door, quick, urls
from tournaments.api.parsers import JSONParser
from tournaments.api.serializers import plain_entries
from tournaments.api.serializers.results import many_entries, one_entry
from tournaments.models import Play, Submission, Token
from tournaments.services import queue, sessions, storing, writer
from tournaments.services.deliveries import ResultEntry

from .worlds import ROLES, World, a_world, an_entry

# ── What is read ──────────────────────────────────────────────────────────────────────────────────


def by_django(body: bytes, read: Callable[[Any], list[ResultEntry]]) -> list[ResultEntry] | None:
    """What the API's own fields make of a body; None for what they refuse."""
    try:
        return read(JSONParser().parse(BytesIO(body)))
    except (APIException, RecursionError):
        return None


TEXTS = st.one_of(
    st.sampled_from(
        ["A", "Café", "", " ", " A", "A\t", "x" * 20, "x" * 21, "x" * 200, "x" * 201, "\0", "\x85"]
    ),
    st.text(max_size=6),
)
NUMBERS = st.sampled_from(
    [1, 7, 0, -1, 1_000_000, 1_000_001, 1.0, 1.5, "3", True, None, 10**15, 2**64, 1e300]
)
VALUES: Any = st.recursive(
    st.one_of(TEXTS, NUMBERS, st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
KEYS = st.one_of(
    st.uuids().map(str),
    st.sampled_from([
        "0123456789abcdef0123456789ABCDEF", "urn:uuid:12345678-1234-5678-1234-567812345678", "no", 7, None,
        "{12345678-1234-5678-1234-567812345678}", "12345678-1234-5678-1234-56781234567",
    ]),
)  # fmt: skip
ACTIONS = st.one_of(st.lists(TEXTS, max_size=4), VALUES)
RESULTS = st.fixed_dictionaries(
    {},
    optional={
        **{"table": NUMBERS, "board": NUMBERS, "key": KEYS, "section": TEXTS | NUMBERS},
        **{"check": TEXTS | NUMBERS, "actions": ACTIONS, "sheet": VALUES, "other": VALUES},
    },
)
RIGHT = st.fixed_dictionaries(
    {"table": st.integers(1, 1_000_000), "board": st.integers(1, 1_000_000), "key": st.uuids().map(str)},
    optional={"section": st.sampled_from(["A", "B", "Été"]), "check": st.sampled_from(["", "K"])},
)
SPACES = [(",", ":"), (" , ", " : ")]


def written(value: Any, *, ascii_only: bool, spaces: tuple[str, str]) -> bytes:
    return json.dumps(value, ensure_ascii=ascii_only, separators=spaces).encode("utf-8", "surrogatepass")


@given(
    body=RESULTS | RIGHT.flatmap(lambda one: RESULTS.map(lambda more: one | more)), ascii_only=st.booleans()
)
@example(body={"table": 1, "board": 1, "key": str(UUID(int=1)), "sheet": None}, ascii_only=True)
@example(body={"table": 1, "board": 1, "key": str(UUID(int=1)), "sheet": 1, "actions": []}, ascii_only=True)
@example(
    body={"table": 1, "board": 1, "key": str(UUID(int=1)), "sheet": -0.0, "section": "A "}, ascii_only=True
)
@example(body={"table": 1, "board": 1, "key": str(UUID(int=1)), "actions": ["a "]}, ascii_only=True)
def test_a_result_that_is_read_is_read_by_django_as_the_same(body: Any, ascii_only: bool) -> None:
    text = written(body, ascii_only=ascii_only, spaces=SPACES[0])
    entries = plain_entries.read(text, many=False)
    if entries is not None:
        assert_same(entries, by_django(text, one_entry))
    many = written({"submissions": [body, body]}, ascii_only=ascii_only, spaces=SPACES[1])
    entries = plain_entries.read(many, many=True)
    if entries is not None:
        assert_same(entries, by_django(many, many_entries))


def assert_same(ours: list[ResultEntry], theirs: list[ResultEntry] | None) -> None:
    assert ours == theirs
    assert repr(ours) == repr(theirs)  # 1 is not 1.0, nor True


@given(
    one=RIGHT,
    content=st.one_of(
        st.fixed_dictionaries({"actions": st.lists(st.sampled_from(["play:AH", "pass"]), max_size=5)}),
        st.fixed_dictionaries(
            {"sheet": st.dictionaries(st.sampled_from("abc"), st.integers(-99, 99), max_size=3)}
        ),
    ),
)
def test_a_right_result_is_read(one: dict[str, Any], content: dict[str, Any]) -> None:
    text = json.dumps(one | content).encode()
    assert plain_entries.read(text, many=False) == by_django(text, one_entry) is not None


@pytest.mark.parametrize(
    "body",
    [
        *[b"", b"{", b"[]", b"null", b"{}x", b"\xef\xbb\xbf{}", b"\xff", b'{"submissions": []}'],
        b"[" * 100_000,
        b'{"table": 1, "board": 1, "key": "%s", "sheet": "\\ud800"}' % str(UUID(int=1)).encode(),
        b'{"table": 1, "board": 1, "key": "%s", "sheet": NaN}' % str(UUID(int=1)).encode(),
        b'{"table": 1, "board": 1, "key": "%s", "sheet": 1e999}' % str(UUID(int=1)).encode(),
        b'{"table": 1, "board": 1, "key": "%s", "sheet": %s}' % (str(UUID(int=1)).encode(), b"9" * 5000),
        b'{"table": 01, "board": 1, "key": "%s", "sheet": 1}' % str(UUID(int=1)).encode(),
        b'{"table": 1, "board": 1, "key": "%s", "sheet": "a\nb"}' % str(UUID(int=1)).encode(),
    ],
)
def test_what_is_no_result_is_not_read(body: bytes) -> None:
    assert plain_entries.read(body, many=False) is None
    assert plain_entries.read(body, many=True) is None
    assert by_django(body, one_entry) is None


# ── What is answered ──────────────────────────────────────────────────────────────────────────────

Told = tuple[int, dict[str, str], Any]
FREE = {"id", "key", "created_at"}


class Both:
    """A door to Django, and the reader before it."""

    def __init__(self) -> None:
        self.door = door.Door(wsgi.application, threads=1)
        self.writer = writer.Writer()
        self.quick = quick.Quick(self.door, self.writer)

    def ask(
        self, app: Any, path: str, body: bytes, headers: dict[str, str], method: str, query: bytes
    ) -> Told:
        given = {"host": "testserver", "content-type": "application/json"} | headers
        scope = {
            **{"type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": path},
            **{"query_string": query, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000)},
            "headers": [(name.encode(), text.encode("latin-1")) for name, text in given.items() if text],
        }
        told: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            told.append(message)

        asyncio.run(app(scope, receive, send))
        start, content = told
        lines = {name.decode(): text.decode() for name, text in start["headers"]}
        assert lines.pop("content-length", None) in {str(len(content["body"])), None}
        return start["status"], lines, content["body"]

    def end(self) -> None:
        self.writer.end()
        self.door.threads.submit(connections.close_all).result()
        self.door.threads.shutdown()


@pytest.fixture
def both(monkeypatch: Any) -> Iterator[Both]:
    monkeypatch.setattr(queue, "send", lambda *_, **__: None)
    one = Both()
    yield one
    one.end()


def path_of(world: World, *, many: bool = False) -> str:
    return f"/api/v1/sessions/{world.session.pk}/submissions/{'bulk/' if many else ''}"


def bearer(world: World, role: str, **more: str) -> dict[str, str]:
    text = world.texts[role]
    return {"authorization": f"Bearer {text}" if text else ""} | more


def a_body(world: World, **more: Any) -> dict[str, Any]:
    play = Play.objects.filter(table=world.table.table).select_related("table__section", "board").first()
    assert play is not None
    entry = an_entry(play)
    place = {"section": entry.section, "table": entry.table, "board": entry.board, "key": str(uuid4())}
    return place | entry.content | more


def cases(world: World) -> Iterator[tuple[Any, dict[str, str], str, bytes, bool]]:
    """Body, headers, method, query, and whether it goes to bulk."""
    organiser = bearer(world, "organiser")
    for role in ROLES:
        for language in ("en", "fr"):
            headers = bearer(world, role, **{"accept-language": language})
            yield a_body(world), headers, "POST", b"", False
            yield {"submissions": [a_body(world), a_body(world)]}, headers, "POST", b"", True
            yield a_body(world, board=99), headers, "POST", b"", False
    for more in (
        {"check": "?"}, {"other": 1}, {"table": "1"}, {"table": 0}, {"section": " A "}, {"key": "no"},
        {"sheet": None}, {"actions": []}, {"sheet": {"outcome": "nothing"}}, {"board": 1.0}, {"section": ""},
    ):  # fmt: skip
        yield a_body(world, **more), organiser, "POST", b"", False
        yield {"submissions": [a_body(world), a_body(world, **more)]}, organiser, "POST", b"", True
    for body in (b"", b"{", b"[]", b"\xff", b'{"submissions": []}'):
        yield body, organiser, "POST", b"", False
        yield body, organiser, "POST", b"", True
    for headers in (
        {"content-type": "text/plain"},
        {"content-type": ""},
        {"content-type": "application/json; charset=utf-8"},
        {"content-type": "application/json; charset=nothing"},
        {"accept": "text/html"},
        {"accept": "*/*"},
        {"accept": "application/json; indent=4"},
        {"host": "elsewhere.example"},
        {"host": ""},
        {"host": "a b"},
        {"accept-language": "de, fr;q=0.5"},
        {"accept-language": "*"},
        {"accept-language": "fr-CA,en;q=0.1"},
        {"cookie": "django_language=fr"},
        {"cookie": "a=b"},
        {"authorization": "Bearer"},
        {"authorization": "Basic eA=="},
        {"authorization": f"Bearer etui_{'a' * 8}_{'b' * 43}"},
        {"authorization": "Bearer etui_short"},
        {"authorization": organiser["authorization"].replace("Bearer ", "bearer  ")},
        {"authorization": f"{organiser['authorization'][:-4]}AAAA"},
        {"x-forwarded-proto": "https"},
        {"x-http-method-override": "GET"},
    ):
        yield a_body(world), organiser | headers, "POST", b"", False
    yield a_body(world), organiser, "POST", b"a=1", False
    for method in ("GET", "PUT", "OPTIONS", "HEAD", "DELETE"):
        yield b"", organiser, method, b"", False
        yield b"", organiser, method, b"", True


def shown(told: Told) -> tuple[int, dict[str, str], Any]:
    """What two answers to the same question have in common."""
    status, headers, content = told
    body: Any = json.loads(content) if content and "json" in headers["content-type"] else content
    if status == 202:
        place = headers.pop("location", None)
        assert place == (None if "submissions" in body else f"/api/v1/submissions/{body['id']}/")
        for one in body.get("submissions", [body]):
            assert one.keys() >= FREE
            for name in FREE:
                one.pop(name)
    assert len(headers["x-request-id"]) == 32
    own = {"ratelimit-remaining", "x-request-id"}  # of each call
    return status, {name: text for name, text in headers.items() if name not in own}, body


@pytest.mark.django_db(transaction=True)
def test_every_answer_is_the_one_that_django_gives(both: Both, settings: Any) -> None:
    settings.RATES = {"anonymous": "900000/day", "token": "900000/day", "failed": "900000/day"}
    world = a_world()
    statuses = set()
    for body, headers, method, query, many in cases(world):
        path = path_of(world, many=many)
        answers = []
        for app in (both.quick, both.door):
            text = body if isinstance(body, bytes) else json.dumps(fresh(body)).encode()
            answers.append(shown(both.ask(app, path, text, headers, method, query)))
            Submission.objects.pending().update(state=Submission.State.ACCEPTED)  # none is a guess
        first, second = (
            {name: text for name, text in one[1].items() if "reset" not in name} for one in answers
        )
        assert (answers[0][0], first, answers[0][2]) == (answers[1][0], second, answers[1][2]), (
            body,
            headers,
        )
        statuses.add(answers[0][0])
    assert statuses >= {200, 202, 400, 401, 403, 404, 405, 406, 415}


def fresh(body: dict[str, Any]) -> dict[str, Any]:
    """The same with other keys."""
    if "submissions" in body:
        return {"submissions": [fresh(one) for one in body["submissions"]]}
    return body | ({"key": str(uuid4())} if body["key"] != "no" else {})


@pytest.mark.django_db(transaction=True)
def test_what_is_right_is_stored_without_django(both: Both, monkeypatch: Any) -> None:
    world = a_world()
    post(both, world, a_body(world), "table")  # from which the look of an answer is learnt
    monkeypatch.setattr(both.door, "inside", None)
    status, _headers, body = post(both, world, a_body(world), "table", **{"accept-language": "en"})
    assert status == 202
    assert Submission.objects.filter(pk=json.loads(body)["id"]).exists()


def post(both: Both, world: World, body: Any, role: str, **headers: str) -> Told:
    text = json.dumps(body).encode()
    return both.ask(both.quick, path_of(world), text, bearer(world, role, **headers), "POST", b"")


@pytest.mark.django_db(transaction=True)
def test_a_key_is_answered_for_ever_as_it_was(both: Both) -> None:
    world = a_world()
    body = a_body(world)
    first = post(both, world, body, "table")
    Submission.objects.update(state="refused", refusal={"en": {"why": "no"}, "fr": {"why": "non"}})
    sessions.finish(session=world.session, actor=None)
    again = post(both, world, body, "table", **{"accept-language": "fr"})
    assert json.loads(again[2]) == json.loads(first[2]) | {"state": "refused", "refusal": {"why": "non"}}
    assert (post(both, world, a_body(world), "table")[0], Submission.objects.count()) == (409, 1)


@pytest.mark.django_db(transaction=True)
def test_a_revoked_token_ends_at_once(both: Both) -> None:
    world = a_world()
    assert post(both, world, a_body(world), "table")[0] == 202
    Token.objects.filter(pk=world.table.pk).update(revoked_at=world.table.created_at)
    assert post(both, world, a_body(world), "table")[0] == 401


@pytest.mark.django_db(transaction=True)
def test_nobody_is_counted_twice_and_nothing_is_asked_twice(
    both: Both, monkeypatch: Any, settings: Any
) -> None:
    settings.RATES = {"anonymous": "9/day", "token": "6/day", "failed": "2/day"}
    world = a_world()
    deliveries = []
    store = storing.store

    def counted(some: Any, **rest: Any) -> Any:
        deliveries.extend(some)
        return store(some, **rest)

    monkeypatch.setattr(storing, "store", counted)
    bodies = [{}, {"board": 99}, {"check": "?"}, {"other": 1}, {"key": "no"}, {}, {}]
    told = [post(both, world, a_body(world, **more), "organiser") for more in bodies]
    assert [status for status, _headers, _body in told] == [202, 404, 400, 400, 400, 202, 429]
    assert [int(headers["ratelimit-remaining"]) for _status, headers, _body in told] == [5, 4, 3, 2, 1, 0, 0]
    assert len(deliveries) == 4
    deliveries.clear()
    wrong = {"authorization": f"Bearer etui_{'a' * 8}_{'b' * 43}"}
    assert [post(both, world, a_body(world), "organiser", **wrong)[0] for _ in range(3)] == [401, 401, 429]
    assert len(deliveries) == 3


@pytest.mark.django_db(transaction=True)
def test_an_outage_is_told_as_one(both: Both, monkeypatch: Any) -> None:
    def away(*_: Any, **__: Any) -> Any:
        raise OperationalError("away")

    world = a_world()
    monkeypatch.setattr(storing, "store", away)
    status, headers, body = post(both, world, a_body(world), "organiser")
    assert (status, json.loads(body)["error"]["code"]) == (503, "unavailable")
    assert headers["retry-after"]


@pytest.mark.django_db(transaction=True)
def test_behind_https_nothing_is_taken_that_came_without(both: Both, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 60
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    both.door.inside = WSGIHandler()  # its middleware reads these settings once
    world = a_world()
    told = {
        said: post(both, world, a_body(world), "table", **{"x-forwarded-proto": said}) for said in PROTOCOLS
    }
    assert {said: status for said, (status, _headers, _body) in told.items()} == PROTOCOLS
    assert told["https"][1]["strict-transport-security"] == "max-age=60"
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]  # not the peer
    limits.networks.cache_clear()
    try:
        assert post(both, world, a_body(world), "table", **{"x-forwarded-proto": "https"})[0] == 301
    finally:
        limits.networks.cache_clear()
    assert Submission.objects.count() == 2


PROTOCOLS = {"": 301, "http": 301, "http, https": 301, "https": 202, "https, http": 202}


def test_only_results_are_read_before_django() -> None:
    names = {"session-submissions", "session-submissions-bulk"}
    assert {quick.ADDRESS.fullmatch(reverse(name, args=[7]))[1] for name in names} == {"7"}  # type: ignore[index]
    for route in urls.urlpatterns:
        assert isinstance(route, URLPattern)
        path = f"/api/v1/{route.pattern}".replace("<int:pk>", "7").replace("<int:number>", "7")
        assert bool(quick.ADDRESS.fullmatch(path)) == (route.name in names), path


# ── Waiting for it ────────────────────────────────────────────────────────────────────────────────


def test_whoever_waits_too_long_is_told_so_and_nothing_is_stored_for_them(monkeypatch: Any) -> None:
    monkeypatch.setattr(writer, "WAIT_SECONDS", 0.01)
    one = writer.Writer()
    monkeypatch.setattr(one, "_start", lambda: None)
    assert isinstance(asyncio.run(one.bring(None)), OperationalError)  # type: ignore[arg-type]
    assert isinstance(one.carry(None), OperationalError)  # type: ignore[arg-type]
    assert [one.waiting.get_nowait().given_up for _ in range(2)] == [True, True]  # type: ignore[union-attr]
