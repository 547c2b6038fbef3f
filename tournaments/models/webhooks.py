"""Webhooks: addresses of partners that are told what comes to the feed, and what became of each message."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from . import access
from .access import Caller
from .accounts import Account
from .clubs import Club
from .feed import FeedItem


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def managed_by(self, caller: Caller) -> WebhookQuerySet:
        """Those of clubs that the caller runs, and for administrators of the federation its own; none that
        were removed."""
        own = access.managed(caller, club="club")
        if access.administers_federation(caller):
            own |= Q(club=None)
        return self.filter(own, removed_at=None)


class Webhook(models.Model):
    """An address that is told of what happens at a club, or (`club` None) of what everybody may know, for the
    federation. `kinds`: of feed items, none for all. `position`: up to which item of the feed its messages
    have been made. `sealed_secret`: what they are signed with, under the keys of `vault`;
    `sealed_previous`: the one before, which signs too until `previous_until`. `off_at`: since when nothing is
    sent, as somebody says or as it has refused everything for a day."""

    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="webhooks")
    made_by = models.ForeignKey(Account, models.PROTECT, null=True, related_name="+", db_index=False)
    name = models.CharField(max_length=80)
    url = models.CharField(max_length=500)
    kinds = models.JSONField(default=list)
    position = models.PositiveBigIntegerField(default=0)
    sealed_secret = models.BinaryField()
    sealed_previous = models.BinaryField(null=True)
    previous_until = models.DateTimeField(null=True)
    made_at = models.DateTimeField(default=timezone.now)
    off_at = models.DateTimeField(null=True)
    removed_at = models.DateTimeField(null=True)

    objects = WebhookQuerySet.as_manager()

    @property
    def state(self) -> str:
        return "on" if self.off_at is None else "off"


def _new_key() -> str:
    return f"msg_{uuid4().hex}"


class WebhookDelivery(models.Model):
    """A message to a webhook: of an item of the feed, or (`item` None) a test. `key`: its id at the
    receiver, the same each time that it is sent. `next_at`: when it is to be sent next, while it waits;
    `status`: what the receiver answered last, None where it did not; `error`: why it did not, as a code."""

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("delivery", "waiting")
        DELIVERED = "delivered", pgettext_lazy("delivery", "delivered")
        FAILED = "failed", pgettext_lazy("delivery", "failed")

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    item = models.ForeignKey(FeedItem, models.CASCADE, null=True, related_name="deliveries")
    key = models.CharField(max_length=40, default=_new_key)
    state = models.CharField(max_length=20, choices=State, default=State.WAITING)
    made_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField(null=True, default=timezone.now)
    sent_at = models.DateTimeField(null=True)
    status = models.PositiveIntegerField(null=True)
    error = models.CharField(max_length=40, blank=True, default="")

    class Meta:
        verbose_name = "webhook delivery"
        constraints = [
            models.UniqueConstraint("key", name="webhook_delivery_key_unique"),
            models.UniqueConstraint("webhook", "item", name="webhook_delivery_once_an_item"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "delivered", "failed"]), name="webhook_delivery_state_known"
            ),
        ]
        indexes = [
            models.Index("next_at", name="webhook_delivery_due", condition=Q(state="waiting")),
        ]

    @property
    def kind(self) -> str:
        return "test" if self.item is None else str(self.item.kind)
