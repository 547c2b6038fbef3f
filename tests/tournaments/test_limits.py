"""How often one caller may call, and what callers hear while Redis or the database is away."""

import re
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import resolve

from tests.running import REDIS_URL, ROOT, wait_until
from tournaments import limits
from tournaments.models import Session

from .worlds import World, a_world

pytestmark = pytest.mark.django_db


def path(world: World, rest: str = "") -> str:
    return f"/api/v1/sessions/{world.session.pk}/{rest}"


@pytest.fixture(autouse=True)
def few(settings: Any) -> None:
    settings.RATES = {"anonymous": "2/day", "token": "3/day", "failed": "2/day"}


def test_a_caller_in_too_great_a_hurry_is_asked_to_wait() -> None:
    world = a_world(published=True)
    anyone = [world.client("anyone").get(path(world)) for _ in range(3)]
    own = [world.client("organiser").get(path(world)) for _ in range(4)]
    assert [response.status_code for response in anyone] == [200, 200, 429]
    assert [response.status_code for response in own] == [200, 200, 200, 429]
    assert own[3].json()["error"]["code"] == "too-many-requests"
    assert int(own[3]["Retry-After"]) > 0
    assert [response["RateLimit-Remaining"] for response in own] == ["2", "1", "0", "0"]
    assert {response["RateLimit-Limit"] for response in own} == {"3"}
    assert 0 < int(own[0]["RateLimit-Reset"]) <= 86_400


def test_pages_count_too() -> None:
    answers = [Client().get("/en/") for _ in range(3)]
    assert [response.status_code for response in answers] == [200, 200, 429]
    assert b"One moment" in answers[2].content
    assert int(answers[2]["Retry-After"]) > 0


def test_wrong_tokens_are_counted_and_right_ones_from_there_still_pass() -> None:
    world = a_world()
    wrong = {"HTTP_AUTHORIZATION": f"Bearer etui_{'a' * 8}_{'b' * 43}"}
    statuses = [Client().get(path(world), **wrong).status_code for _ in range(3)]
    assert statuses == [401, 401, 429]
    assert world.client("organiser").get(path(world)).status_code == 200


def test_nobody_evades_the_limit_by_a_header() -> None:
    statuses = [Client().get("/en/", HTTP_X_FORWARDED_FOR=f"10.0.0.{n}").status_code for n in range(3)]
    assert statuses == [200, 200, 429]


def test_a_trusted_proxy_is_believed_as_far_as_it_is_trusted(settings: Any) -> None:
    settings.TRUSTED_PROXIES = ["127.0.0.0/8", "10.1.0.0/16", "fd00::/8"]
    limits.networks.cache_clear()
    try:
        for forwarded, address in [
            ("203.0.113.7", "203.0.113.7"),
            ("198.51.100.9, 203.0.113.7, 10.1.2.3", "203.0.113.7"),  # the client's own word comes first
            ("10.1.9.9", "10.1.9.9"),
            ("", "127.0.0.1"),
            ("unknown", "unknown"),
            ("2001:db8::1, fd00::2", "2001:db8::1"),
        ]:
            meta = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": forwarded}
            assert limits.address_of(meta) == address
        stranger = {"REMOTE_ADDR": "203.0.113.1", "HTTP_X_FORWARDED_FOR": "10.1.2.3"}
        assert limits.address_of(stranger) == "203.0.113.1"
    finally:
        limits.networks.cache_clear()


def test_without_redis_each_process_counts_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    world = a_world(published=True)
    monkeypatch.setattr("tournaments.api.throttles.limiter", limits.Limiter("redis://127.0.0.1:1/0"))
    statuses = [world.client("anyone").get(path(world)).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


needs_redis = pytest.mark.skipif(not REDIS_URL, reason="needs Redis: set REDIS_URL")


@pytest.fixture
def two(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[limits.Limiter]:
    """Those of two processes, which exchange their counts when the test says so."""
    monkeypatch.setattr(limits.Limiter, "_call", lambda _limiter: None)
    return [limits.Limiter(settings.REDIS_URL) for _ in range(2)]


@needs_redis
def test_processes_count_together_as_far_as_they_have_heard_of_each_other(two: list[limits.Limiter]) -> None:
    here, there = two
    assert [here.count("token", "a").calls for _ in range(3)] == [1, 2, 3]
    assert there.count("token", "a").is_allowed  # it has not heard of these three
    for one in (here, there):
        one.exchange()
    assert there.count("token", "a").calls == 5
    assert not there.count("token", "a").is_allowed
    assert here.count("token", "a").calls == 4  # nor this one of those since
    for one in (there, here):
        one.exchange()
    assert here.count("token", "a").calls == 8
    assert here.count("token", "b").calls == 1


@needs_redis
def test_an_exchange_follows_by_itself(settings: Any) -> None:
    here, there = (limits.Limiter(settings.REDIS_URL) for _ in range(2))
    here.count("token", "a")
    wait_until(
        lambda: there.count("token", "a").calls > there.counters["token", "a"].here, what="an exchange"
    )


def test_what_redis_has_not_taken_is_told_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.Limiter, "_call", lambda _limiter: None)
    one = limits.Limiter("redis://127.0.0.1:1/0")
    one.count("token", "a")
    with pytest.raises(one.away):
        one.exchange()
    assert [(counter.here, counter.sent) for counter in one.changed] == [(1, 0)]
    assert one.count("token", "a").calls == 2


def test_of_too_many_callers_those_who_call_most_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CALLERS_AT_MOST", 10)
    one = limits.Limiter()
    for _ in range(3):
        one.count("anonymous", "busy")
    for number in range(100):
        one.count("anonymous", number)
    assert len(one.counters) <= 10
    assert one.count("anonymous", "busy").calls == 4


@pytest.mark.parametrize("text", ["", "many/min", "5/week", "-1/s", "5"])
def test_a_rate_is_a_number_in_a_period(text: str) -> None:
    with pytest.raises(ValueError, match="not a rate"):
        limits.period(text)


@pytest.mark.parametrize("error", [OperationalError, connection.Database.OperationalError])
def test_while_the_database_is_away_callers_hear_when_to_come_again(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told by the framework, or by the driver itself."""

    def away(*_: object, **__: object) -> None:
        raise error("database or disk is full")

    resolve("/api/v1/sessions/1/")  # the routes are there before the database is away
    monkeypatch.setattr(type(Session.objects), "get_queryset", away)
    answer = Client().get("/api/v1/sessions/1/")
    assert answer.status_code == 503
    assert answer["Retry-After"]
    assert answer.json()["error"]["code"] == "unavailable"
    page = Client().get("/fr/", HTTP_ACCEPT_LANGUAGE="fr")
    assert page.status_code == 503
    assert page["Retry-After"]
    assert "Rien n’est perdu" in page.content.decode()


def test_every_kind_of_call_is_told_to_programs_with_its_rate() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    told = dict(re.findall(r"^\| `([a-z]+)` \| .* \| ([0-9]+/[a-z]+) \|$", page, re.MULTILINE))
    defaults = re.findall(
        r'RATE_([A-Z]+)", default="([0-9a-z/]+)"', (ROOT / "tournaments" / "settings.py").read_text()
    )
    assert told == {kind.lower(): rate for kind, rate in defaults}
