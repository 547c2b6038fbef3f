"""Webhooks: partners are told of the feed's items, signed as Standard Webhooks says.

Messages are made from the feed once its items have their positions (`follow`), and sent by workers, each
until the receiver has it or a day has passed. Nobody who plays waits for one.
"""

import json
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import new as hmac
from urllib.parse import urlsplit

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import vault
from ..models import Account, Club, Event, FeedCounter, FeedItem, Token, Webhook, WebhookDelivery
from . import calling, feed, history, letters, public_addresses, queue
from .errors import Conflict, Invalid, Missing
from .public_addresses import NotPublic

State = WebhookDelivery.State

PREFIX = "whsec_"
SECRET_BYTES = 32
BOTH_VALID = timedelta(days=1)  # how long the secret before signs too
MOST_OF_ONE = 20  # webhooks of a club
FOLLOWED_AT_ONCE = 500  # items of a webhook, in one transaction
LEASE = timedelta(minutes=2)  # of whoever sends a message; far longer than a call may take
BACK_OFF = (10, 60, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 8 * 3600, 8 * 3600)
"""Seconds before each try after the first: a day in all."""
GONE = 410  # a receiver that wants no more
LOG_DAYS = 30  # that deliveries are kept


# ── Setting one up ────────────────────────────────────────────────────────────────────────────────


def check_address(url: str) -> None:
    """Invalid for an address that the service would not call, as far as it says so itself."""
    try:
        public_addresses.parts_of(url)
    except NotPublic as error:
        raise Invalid("bad-webhook-address", MESSAGES_OF_ADDRESSES[error.code]()) from error


MESSAGES_OF_ADDRESSES = {
    "bad-address": lambda: _("This is not an address of a program: https://example.org/hook"),
    "not-https": lambda: _("The address has to begin with https://"),
    "not-public": lambda: _("This address is not of the internet: programs there cannot be told anything."),
}


@transaction.atomic
def add(
    *, club: Club | None, actor: Account | Token, name: str, url: str, kinds: Iterable[str]
) -> tuple[Webhook, str]:
    """A new webhook of a club or of the federation, and its secret, which is shown nowhere else. It is told
    of what happens from now on. Invalid: the address cannot be called; Conflict: there are too many."""
    check_address(url)
    if club is not None:  # one at a time
        list(Club.objects.select_for_update(no_key=True).filter(pk=club.pk))
    if Webhook.objects.filter(club=club, removed_at=None).count() >= MOST_OF_ONE:
        raise Conflict("too-many-webhooks", _("There are too many webhooks: remove some first."))
    feed.place_new()  # what has happened until now is not its own
    text = new_secret()
    made = Webhook.objects.create(
        club=club,
        made_by=account_of(actor),
        name=name.strip(),
        url=url,
        kinds=[kind for kind in FeedItem.Kind.values if kind in set(kinds)],
        position=newest_position(),
        sealed_secret=vault.seal(text.encode()),
    )
    history.note(actor, "added webhook", made, club=club, host=urlsplit(url).hostname)
    return made, text


def account_of(actor: Account | Token) -> Account | None:
    return actor if isinstance(actor, Account) else None if actor.role is None else actor.role.account


def new_secret() -> str:
    return PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def newest_position() -> int:
    return FeedCounter.objects.filter(pk=1).values_list("newest", flat=True).first() or 0


@transaction.atomic
def rotate(*, webhook: Webhook, actor: history.Actor) -> tuple[Webhook, str]:
    """A new secret, and its text; the one before signs beside it for a day, so that no message is refused
    while the receiver takes the new one."""
    held = _held(webhook)
    text = new_secret()
    held.sealed_previous, held.sealed_secret = bytes(held.sealed_secret), vault.seal(text.encode())
    held.previous_until = timezone.now() + BOTH_VALID
    held.save(update_fields=["sealed_previous", "sealed_secret", "previous_until"])
    history.note(actor, "rotated secret of webhook", held, club=held.club)
    return held, text


@transaction.atomic
def change_state(*, webhook: Webhook, actor: history.Actor, to: str) -> Webhook:
    """On again, from what happens now on; off; or removed for good, with its secrets. Twice does what once
    does."""
    held = _held(webhook)
    now = timezone.now()
    if to == "on" and held.off_at is not None:
        held.off_at, held.position = None, newest_position()
    elif to == "off" and held.off_at is None:
        _switch_off(held)
    elif to == "removed":
        _switch_off(held)
        held.removed_at, held.sealed_secret, held.sealed_previous = now, b"", None
    else:
        return held
    held.save()
    verb = "removed webhook" if to == "removed" else f"switched webhook {to}"
    history.note(actor, verb, held, club=held.club)
    return held


def _switch_off(webhook: Webhook) -> None:
    webhook.off_at = webhook.off_at or timezone.now()
    webhook.deliveries.filter(state=State.WAITING).update(state=State.FAILED, next_at=None)


def _held(webhook: Webhook) -> Webhook:
    """As it is now, until the end of the transaction. Missing: it was removed."""
    rows = Webhook.objects.select_for_update(no_key=True, of=("self",)).select_related("club")
    found = rows.filter(pk=webhook.pk, removed_at=None).first()
    if found is None:
        raise Missing("no-such-webhook", _("There is no such webhook any more."))
    return found


# ── Messages ──────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def test(*, webhook: Webhook, actor: history.Actor) -> WebhookDelivery:
    """A message that says nothing, sent at once. Conflict while the webhook is off."""
    held = _held(webhook)
    _check_on(held)
    made = WebhookDelivery.objects.create(webhook=held)
    history.note(actor, "tested webhook", held, club=held.club)
    queue.after_commit("deliver", made.pk)
    return made


@transaction.atomic
def replay(*, delivery: WebhookDelivery, actor: history.Actor) -> WebhookDelivery:
    """Send a message again, by the id that it had, whatever became of it. Conflict while the webhook is
    off."""
    held = _held(delivery.webhook)
    _check_on(held)
    own = WebhookDelivery.objects.select_for_update(no_key=True).get(pk=delivery.pk)
    own.state, own.attempts, own.next_at = State.WAITING, 0, timezone.now()
    own.save(update_fields=["state", "attempts", "next_at"])
    history.note(actor, "replayed delivery", held, club=held.club, delivery=own.pk)
    queue.after_commit("deliver", own.pk)
    return own


def _check_on(webhook: Webhook) -> None:
    if webhook.off_at is not None:
        raise Conflict("webhook-off", _("This webhook is off: switch it on first."))


def follow() -> int:
    """Make the messages of what has come to the feed; how many. Twice, or on two workers at once, it does
    what once does."""
    behind = Webhook.objects.filter(off_at=None, removed_at=None, position__lt=newest_position())
    return sum(_follow(pk) for pk in behind.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def _follow(pk: int) -> int:
    rows = Webhook.objects.select_for_update(no_key=True, skip_locked=True)
    webhook = rows.filter(pk=pk, off_at=None, removed_at=None).first()
    if webhook is None:
        return 0
    newest = newest_position()
    until = min(newest, webhook.position + FOLLOWED_AT_ONCE)
    items = items_for(webhook).filter(position__gt=webhook.position, position__lte=until)
    made = WebhookDelivery.objects.bulk_create(
        WebhookDelivery(webhook=webhook, item=item) for item in items.order_by("position")
    )
    Webhook.objects.filter(pk=pk).update(position=until)
    for one in made:
        queue.after_commit("deliver", one.pk)
    if until < newest:
        queue.after_commit("place_feed")
    return len(made)


def items_for(webhook: Webhook) -> QuerySet[FeedItem]:
    """What it is told of: everything of its club; for the federation what everybody might have seen."""
    items = FeedItem.objects.filter(position__isnull=False)
    items = items.filter(was_public=True) if webhook.club_id is None else items.filter(club=webhook.club_id)
    return items.filter(kind__in=webhook.kinds) if webhook.kinds else items


def is_due() -> bool:
    """Whether a webhook has not been told of something yet."""
    return Webhook.objects.filter(off_at=None, removed_at=None, position__lt=newest_position()).exists()


def due(now: datetime) -> QuerySet[WebhookDelivery]:
    """What is to be sent."""
    return WebhookDelivery.objects.filter(state=State.WAITING, next_at__lte=now)


# ── Sending ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent."""

    headers: dict[str, str]
    body: bytes


def deliver(*, delivery_id: int) -> None:
    """Send a message that is due, once. Whoever comes second while it is being sent does nothing."""
    now = timezone.now()
    if not due(now).filter(pk=delivery_id).update(next_at=now + LEASE, attempts=F("attempts") + 1):
        return
    rows = WebhookDelivery.objects.select_related(
        "webhook__club", "item__club", "item__session__tournament", "item__event"
    )
    delivery = rows.get(pk=delivery_id)
    message = message_of(delivery, now)
    answered = calling.post(delivery.webhook.url, message.headers, message.body)
    _keep(delivery, answered)


def message_of(delivery: WebhookDelivery, now: datetime) -> Message:
    """What is sent now: names as they are, and what may no longer be seen without them."""
    item = delivery.item
    at, content = delivery.made_at, {"webhook": delivery.webhook.name}
    if item is not None:
        at, content = item.at, feed.content(item, is_visible=is_visible(item, delivery.webhook))
    told = {"type": delivery.kind, "timestamp": at, "data": content}
    body = json.dumps(told, cls=DjangoJSONEncoder, separators=(",", ":"), ensure_ascii=False).encode()
    return Message(signed(delivery.key, int(now.timestamp()), body, secrets_of(delivery.webhook, now)), body)


def is_visible(item: FeedItem, webhook: Webhook) -> bool:
    """Whether those whose webhook it is may see what an item is about, today."""
    session, event = item.session, item.event
    if session is not None:
        return session.listed or webhook.club_id == session.tournament.club_id
    return event is not None and (event.state == Event.State.ANNOUNCED or webhook.club_id == event.club_id)


def secrets_of(webhook: Webhook, now: datetime) -> list[str]:
    """What its messages are signed with: the newest first. vault.CannotOpen: a key is missing."""
    sealed = [bytes(webhook.sealed_secret)]
    if webhook.sealed_previous and webhook.previous_until is not None and webhook.previous_until > now:
        sealed.append(bytes(webhook.sealed_previous))
    return [vault.open_file(one).decode() for one in sealed]


def signed(key: str, seconds: int, body: bytes, texts: Sequence[str]) -> dict[str, str]:
    """The headers of a message (Standard Webhooks): a signature for each secret.

    >>> headers = signed("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}',
    ...     ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
    >>> headers["webhook-signature"]
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    to_sign = f"{key}.{seconds}.".encode() + body
    return {
        "content-type": "application/json",
        "user-agent": "Etui",
        "webhook-id": key,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(f"v1,{_signature(text, to_sign)}" for text in texts),
    }


def _signature(text: str, to_sign: bytes) -> str:
    return b64encode(hmac(b64decode(text.removeprefix(PREFIX)), to_sign, sha256).digest()).decode()


@transaction.atomic
def _keep(delivery: WebhookDelivery, answered: calling.Answer) -> None:
    """What became of a message. One that has been refused for a day, or whose receiver wants no more,
    switches its webhook off, and those who run it are told by mail."""
    now = timezone.now()
    webhook = Webhook.objects.select_for_update(no_key=True).get(pk=delivery.webhook_id)
    own = WebhookDelivery.objects.select_for_update(no_key=True).get(pk=delivery.pk)
    own.sent_at, own.status, own.error = now, answered.status, answered.error
    if answered.is_taken:
        own.state, own.next_at = State.DELIVERED, None
    elif webhook.off_at is not None:
        own.state, own.next_at = State.FAILED, None
    elif own.attempts > len(BACK_OFF) or answered.status == GONE:
        own.state, own.next_at = State.FAILED, None
        _switch_off(webhook)
        webhook.save(update_fields=["off_at"])
        history.note(None, "switched webhook off", webhook, club=webhook.club)
        letters.webhook_off(webhook)
    else:
        own.next_at = now + timedelta(seconds=BACK_OFF[own.attempts - 1])
    own.save(update_fields=["sent_at", "status", "error", "state", "next_at"])


def forget(before: datetime) -> int:
    """Forget what became of messages, once that is long past."""
    over = WebhookDelivery.objects.filter(~Q(state=State.WAITING), made_at__lt=before)
    return over.delete()[0]
