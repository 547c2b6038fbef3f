"""Webhooks: what a receiver gets, that it can verify it, and that nobody has the service call where it must
not. The receiver is a real one, on this machine."""

import base64
import hmac
import json
import logging
import socket
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address
from threading import Thread
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone

from tournaments import vault
from tournaments.models import Account, FeedCounter, Role, Webhook, WebhookDelivery
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    calling,
    feed,
    letters,
    public_addresses,
    retention,
    roles,
    seeds,
    sessions,
    sweep,
    tokens,
    webhooks,
)
from tournaments.services.errors import Conflict, Invalid

from .fields import a_leg, an_administrator
from .worlds import World, a_session, a_world

pytestmark = pytest.mark.django_db


class Receiver(HTTPServer):
    """It keeps what comes, and answers as `answers` says, one after the other, then 204."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.send_header("location", f"{self.server.url}/elsewhere")
        self.end_headers()

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOKS_TO_LOOPBACK = True
    server = Receiver()
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def a_webhook(world: World, receiver: Receiver, *kinds: str) -> tuple[Webhook, str]:
    club = world.session.tournament.club
    return webhooks.add(club=club, actor=world.organiser, name="Site", url=receiver.url, kinds=kinds)


def work() -> list[WebhookDelivery]:
    """What workers do: positions, messages, and each message once."""
    feed.place_new()
    webhooks.follow()
    for pk in webhooks.due(timezone.now()).order_by("pk").values_list("pk", flat=True):
        webhooks.deliver(delivery_id=pk)
    return list(WebhookDelivery.objects.order_by("pk"))


def is_signed(headers: dict[str, str], body: bytes, secret: str) -> bool:
    """As a receiver finds out, from the text of Standard Webhooks alone."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    mine = "v1," + base64.b64encode(hmac.digest(key, signed, sha256)).decode()
    return mine in headers["webhook-signature"].split()


# ── What arrives ──────────────────────────────────────────────────────────────────────────────────


def test_what_happens_at_a_club_is_told_and_signed(receiver: Receiver) -> None:
    world = a_world()
    feed.place_new()
    _webhook, secret = a_webhook(world, receiver)
    sessions.publish(session=world.session, actor=None, listed=True)
    a_session(club="Club Z", published=True)
    (delivery,) = work()
    ((headers, body),) = receiver.got
    told = json.loads(body)
    assert told["type"] == "session.listed"
    assert told["data"]["session"] == world.session.pk
    assert told["data"]["name"] == world.session.name
    assert (headers["webhook-id"], delivery.state, delivery.status) == (delivery.key, "delivered", 204)
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 600
    assert is_signed(headers, body, secret)
    assert not is_signed(headers, body + b" ", secret)
    assert not is_signed(headers, body, webhooks.new_secret())
    assert work() == [delivery]
    assert len(receiver.got) == 1


def test_only_the_kinds_that_are_asked_for_are_told(receiver: Receiver) -> None:
    world = a_world()
    a_webhook(world, receiver, "ranking.published", "session.withdrawn")
    sessions.publish(session=world.session, actor=None, listed=True)
    sessions.publish(session=world.session, actor=None, listed=False)
    assert [one.kind for one in work()] == ["session.withdrawn"]


def test_what_everybody_may_know_is_told_to_the_federation_alone_and_its_own(receiver: Receiver) -> None:
    webhooks.add(club=None, actor=an_administrator(), name="All", url=receiver.url, kinds=())
    hidden, shown = a_session(), a_session(club="Club Z", published=True)
    leg = a_leg()
    work()
    told = [json.loads(body)["data"] for _headers, body in receiver.got]
    assert {one["session"] for one in told} == {shown.pk, None}
    assert hidden.pk not in {one["session"] for one in told}
    assert {one["event"] for one in told} == {leg.event_id, None}


def test_what_was_withdrawn_meanwhile_is_told_without_its_names(receiver: Receiver) -> None:
    webhooks.add(club=None, actor=an_administrator(), name="All", url=receiver.url, kinds=())
    session = a_session(published=True)
    feed.place_new()
    webhooks.follow()
    sessions.publish(session=session, actor=None, listed=False)
    work()
    told = [json.loads(body)["data"] for _headers, body in receiver.got]
    assert told
    assert all(one["gone"] and one["name"] is None and one["club"] is None for one in told)


def test_two_secrets_sign_for_a_day(receiver: Receiver) -> None:
    world = a_world()
    webhook, before = a_webhook(world, receiver)
    webhook, after = webhooks.rotate(webhook=webhook, actor=world.organiser)
    webhooks.test(webhook=webhook, actor=world.organiser)
    work()
    headers, body = receiver.got[-1]
    assert is_signed(headers, body, before)
    assert is_signed(headers, body, after)
    Webhook.objects.update(previous_until=timezone.now() - timedelta(seconds=1))
    webhooks.test(webhook=webhook, actor=world.organiser)
    work()
    headers, body = receiver.got[-1]
    assert not is_signed(headers, body, before)
    assert is_signed(headers, body, after)


# ── Retries ───────────────────────────────────────────────────────────────────────────────────────


def test_it_is_tried_again_for_a_day_then_the_webhook_is_off_and_a_mail_says_so(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox: list[EmailMessage] = []
    monkeypatch.setattr(letters, "_send", outbox.append)
    monkeypatch.setattr(letters.transaction, "on_commit", lambda send, **_options: send())
    world = a_world()
    club = world.session.tournament.club
    somebody = accounts.create(name="Ana", email="ana@example.org")
    roles.grant(account=somebody, kind=RoleKind.ADMINISTRATOR, place=roles.RolePlace(club), actor=None)
    webhook, _secret = a_webhook(world, receiver)
    made = webhooks.test(webhook=webhook, actor=world.organiser)
    receiver.answers = [500] * 20
    waited = timedelta()
    while (found := work()[0]).state == "waiting":
        assert found.next_at is not None
        assert found.sent_at is not None
        waited += found.next_at - found.sent_at
        WebhookDelivery.objects.update(next_at=timezone.now())
    assert (found.state, found.status, found.attempts) == ("failed", 500, len(webhooks.BACK_OFF) + 1)
    assert timedelta(hours=23) < waited < timedelta(hours=25)
    assert {headers["webhook-id"] for headers, _body in receiver.got} == {made.key}
    webhook.refresh_from_db()
    assert webhook.state == "off"
    assert [one.to for one in outbox] == [["ana@example.org"]]
    sessions.publish(session=world.session, actor=None, listed=True)
    assert len(work()) == 1  # nothing is made while it is off
    with pytest.raises(Conflict, match="off"):
        webhooks.replay(delivery=made, actor=world.organiser)
    webhooks.change_state(webhook=webhook, actor=world.organiser, to="on")
    webhooks.replay(delivery=made, actor=world.organiser)
    receiver.answers.clear()
    assert work()[0].state == "delivered"
    assert receiver.got[-1][0]["webhook-id"] == made.key


def test_a_receiver_that_is_gone_is_told_no_more(receiver: Receiver) -> None:
    world = a_world()
    webhook, _secret = a_webhook(world, receiver)
    webhooks.test(webhook=webhook, actor=world.organiser)
    receiver.answers = [410]
    assert work()[0].state == "failed"
    webhook.refresh_from_db()
    assert webhook.state == "off"


def test_a_message_that_is_being_sent_is_sent_by_nobody_else(receiver: Receiver) -> None:
    world = a_world()
    webhook, _secret = a_webhook(world, receiver)
    made = webhooks.test(webhook=webhook, actor=world.organiser)
    WebhookDelivery.objects.update(next_at=timezone.now() + webhooks.LEASE)  # as whoever sends it has it
    webhooks.deliver(delivery_id=made.pk)
    assert receiver.got == []


def test_the_sweep_finds_what_was_not_sent(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    world = a_world()
    webhook, _secret = a_webhook(world, receiver)
    made = webhooks.test(webhook=webhook, actor=world.organiser)
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr(sweep.queue, "send", lambda *what, **_options: sent.append(what))
    sweep.sweep()
    assert ("deliver", made.pk) in sent


def test_deliveries_are_forgotten_after_thirty_days(receiver: Receiver) -> None:
    world = a_world()
    webhook, _secret = a_webhook(world, receiver)
    webhooks.test(webhook=webhook, actor=world.organiser)
    work()
    WebhookDelivery.objects.update(made_at=timezone.now() - timedelta(days=31))
    assert retention.forget_old()["deliveries of webhooks"] == 1


# ── Where it does not call ────────────────────────────────────────────────────────────────────────

NOT_PUBLIC = (
    *["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"],
    *["224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::", "::1", "fe80::1"],
    *["fc00::1", "fec0::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254"],
    *[
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "2002:7f00:1::1",
        "2001:db8::1",
        "::127.0.0.1",
    ],
    "2001::1",
)


@pytest.mark.parametrize("text", NOT_PUBLIC)
def test_an_address_that_is_not_of_the_internet_is_not_called(text: str, settings: Any) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = False
    assert not public_addresses.is_public(ip_address(text))
    host = f"[{text}]" if ":" in text else text
    assert calling.post(f"https://{host}/hook", {}, b"") == calling.Answer(error="not-public")
    with pytest.raises(Invalid):
        webhooks.check_address(f"https://{host}/hook")


@pytest.mark.parametrize("text", ["9.9.9.9", "2620:fe::fe", "::ffff:9.9.9.9", "64:ff9b::909:909"])
def test_an_address_of_the_internet_may_be_called(text: str) -> None:
    assert public_addresses.is_public(ip_address(text))


@pytest.mark.parametrize("found", [["127.0.0.1"], ["9.9.9.9", "10.0.0.1"], ["::ffff:192.168.0.1"]])
def test_a_name_is_not_called_if_any_of_its_addresses_is_not_public(
    found: list[str], receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = False
    resolve(monkeypatch, found)
    url = f"https://hook.example:{receiver.server_port}/"
    assert calling.post(url, {}, b"") == calling.Answer(error="not-public")


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://example.org/", "not-https"),
        ("ftp://example.org/", "not-https"),
        ("https://user:secret@example.org/", "bad-address"),
        ("https://", "bad-address"),
        ("https://example.org:99999/", "bad-address"),
        ("https://exämple.org/", "bad-address"),
    ],
)
def test_what_is_not_an_address_of_a_program_is_refused(url: str, code: str, settings: Any) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = False
    assert calling.post(url, {}, b"") == calling.Answer(error=code)
    with pytest.raises(Invalid):
        webhooks.check_address(url)


def test_it_is_called_at_the_address_that_was_looked_at_by_its_name(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever answers for the name says something else the second time: it is not asked again."""
    asked = resolve(monkeypatch, ["127.0.0.1"], ["9.9.9.9"])
    answer = calling.post(f"http://hook.example:{receiver.server_port}/x?y=1", {}, b"{}")
    assert answer == calling.Answer(204)
    assert asked == ["hook.example"]
    assert receiver.got[0][0]["host"] == f"hook.example:{receiver.server_port}"


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.answers = [302]
    assert calling.post(receiver.url, {}, b"{}") == calling.Answer(302)
    assert len(receiver.got) == 1


def test_whoever_does_not_answer_is_not_waited_for(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = True
    with socket.create_server(("127.0.0.1", 0)) as silent, monkeypatch.context() as patched:
        patched.setattr(calling, "SECONDS", 0.2)
        port = silent.getsockname()[1]
        assert calling.post(f"http://127.0.0.1:{port}/", {}, b"") == calling.Answer(error="too-slow")
    assert calling.post(f"http://127.0.0.1:{port}/", {}, b"") == calling.Answer(error="no-connection")


def resolve(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Names have these addresses, the first time, the second time and so on; who was asked for."""
    asked: list[str] = []

    def found(host: str, port: int, *_rest: Any, **_options: Any) -> Any:
        asked.append(host)
        texts = answers[min(len(asked), len(answers)) - 1]
        return [
            (socket.AF_INET6 if ":" in text else socket.AF_INET, 1, 6, "", (text, port)) for text in texts
        ]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    return asked


# ── Secrets ───────────────────────────────────────────────────────────────────────────────────────


def test_a_secret_is_shown_once_and_kept_sealed(receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    world = a_world()
    client, wish = world.client("organiser"), {"name": "Site", "url": receiver.url}
    with caplog.at_level(logging.DEBUG):
        made = client.post("/api/v1/webhooks/", wish).json()
        client.post(f"/api/v1/webhooks/{made['id']}/deliveries/")
        work()
    assert made["secret"].startswith("whsec_")
    row = Webhook.objects.get(pk=made["id"])
    assert made["secret"].encode() not in bytes(row.sealed_secret)
    assert vault.open_file(bytes(row.sealed_secret)).decode() == made["secret"]
    for address in ("webhooks/", f"webhooks/{row.pk}/", f"webhooks/{row.pk}/deliveries/"):
        assert "whsec_" not in client.get(f"/api/v1/{address}").content.decode()
    assert "whsec_" not in caplog.text
    assert "/hook" not in caplog.text
    turned = client.post(f"/api/v1/webhooks/{row.pk}/secrets/").json()
    assert turned["secret"] != made["secret"]
    assert client.put(f"/api/v1/webhooks/{row.pk}/state/", {"state": "removed"}).status_code == 200
    row.refresh_from_db()
    assert (bytes(row.sealed_secret), row.sealed_previous) == (b"", None)
    assert client.get(f"/api/v1/webhooks/{row.pk}/").status_code == 404


def test_secrets_are_sealed_again_with_a_new_key(receiver: Receiver, settings: Any) -> None:
    world = a_world()
    _webhook, secret = a_webhook(world, receiver)
    from cryptography.fernet import Fernet

    settings.SEED_KEYS = [Fernet.generate_key().decode(), *settings.SEED_KEYS]
    seeds.seal_again()
    settings.SEED_KEYS = settings.SEED_KEYS[:1]
    sealed = bytes(Webhook.objects.get().sealed_secret)
    assert vault.open_file(sealed).decode() == secret


# ── Doors ─────────────────────────────────────────────────────────────────────────────────────────


def test_nobody_sees_or_switches_the_webhook_of_another(receiver: Receiver) -> None:
    world = a_world()
    webhook, _secret = a_webhook(world, receiver)
    made = webhooks.test(webhook=webhook, actor=world.organiser)
    own = f"/api/v1/webhooks/{webhook.pk}"
    for role in ("foreign organiser", "scorer", "table", "player"):
        client = world.client(role)
        assert client.get("/api/v1/webhooks/").json()["results"] == [], role
        assert client.get(f"{own}/").status_code == 404, role
        assert client.put(f"{own}/state/", {"state": "off"}).status_code in (403, 404), role
        assert client.post(f"{own}/secrets/").status_code in (403, 404), role
        replayed = client.put(f"{own}/deliveries/{made.pk}/state/", {"state": "waiting"})
        assert replayed.status_code in (403, 404), role
    assert world.client("anyone").get("/api/v1/webhooks/").status_code == 401
    shown = world.client("organiser").get(f"{own}/deliveries/").json()["results"]
    assert [(one["message"], one["kind"], one["state"]) for one in shown] == [(made.key, "test", "waiting")]


def test_a_club_has_no_more_than_twenty(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "MOST_OF_ONE", 1)
    world = a_world()
    a_webhook(world, receiver)
    with pytest.raises(Conflict):
        a_webhook(world, receiver)


def test_an_administrator_of_the_federation_makes_its_own(receiver: Receiver) -> None:
    held = Role.objects.get(account=an_administrator(), kind=RoleKind.ADMINISTRATOR, club=None)
    token, _text = tokens.make(role=held, name="Site", scopes=held.scopes, actor=held.account)
    made, _secret = webhooks.add(club=None, actor=token, name="All", url=receiver.url, kinds=())
    assert made.made_by == Account.objects.get(pk=held.account_id)
    assert made.position == (FeedCounter.objects.first() or FeedCounter()).newest
    assert list(Webhook.objects.managed_by(token)) == [made]
    assert not Webhook.objects.managed_by(a_world().organiser).exists()
