"""Board sets and boards, and who may see them when. Only a board set's seed is secret; everything about a
deal follows from it. The database has it sealed (`tournaments.vault`)."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from engines import sealing

from .. import vault
from .accounts import Account, Role, RoleKind
from .tournaments import Session


class BoardSet(models.Model):
    """The boards of a session, dealt from one secret seed; there is none where a club dealt its own cards.
    `manifest`: what was sealed, in the form that `engines.sealing` gives it."""

    session = models.OneToOneField(Session, models.PROTECT, related_name="board_set")
    sealed_seed = models.BinaryField(null=True)
    manifest = models.JSONField(null=True)
    commitment = models.CharField(max_length=64, blank=True)
    sealed_at = models.DateTimeField(auto_now_add=True)
    custody = models.CharField(max_length=10, default="officer")
    custody_changes = models.PositiveIntegerField(default=0)

    class Keeping(models.TextChoices):
        """`custody`: who sees the boards before they are over."""

        OFFICER = "officer", pgettext_lazy("custody", "by a deal officer")
        NONE = "none", pgettext_lazy("custody", "none: its organisers see the boards")

    class State(models.TextChoices):
        DRAFT = "draft"  # the seed is sealed, but the boards wait for a public value
        SEALED = "sealed"  # nobody has seen a card
        ISSUED = "issued"  # a result has been handed in
        PLAYED = "played"  # the session is over; these boards are never played again
        REVEALED = "revealed"  # the list of the session is public: everybody may see the boards
        WITHDRAWN = "withdrawn"  # the session has been cancelled: nobody will play them

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(custody__in=["officer", "none"]), name="board_set_custody_known"
            ),
        ]

    @property
    def seed(self) -> bytes | None:
        """The secret itself. vault.CannotOpen: the key that it was sealed with is missing."""
        return None if self.sealed_seed is None else vault.open_sealed(bytes(self.sealed_seed))

    @property
    def public_value(self) -> dict[str, Any] | None:
        """The value that is mixed into the seed: its `source`, and its `value` once it is known. None where
        nothing is mixed in."""
        return self.manifest["public_value"] if self.manifest else None

    @property
    def awaited_source(self) -> str | None:
        """Where the public value will come from, while it is not known: until then there are no boards."""
        value = self.public_value
        return value["source"] if value and value["value"] is None else None

    @property
    def first_commitment(self) -> str:
        """The commitment as it was published before the public value was known."""
        return sealing.commitment(sealing.without_value(self.manifest)) if self.manifest else ""

    @property
    def key(self) -> bytes | None:
        """What the boards are dealt from; None where a club dealt its own cards, and while there are none."""
        if self.awaited_source or (seed := self.seed) is None:
            return None
        return sealing.key(seed, self.public_value["value"] if self.public_value else None)

    @property
    def is_revealed(self) -> bool:
        """Whether everybody may see the boards."""
        return self.session.is_open_to_all

    @property
    def public_seed(self) -> bytes | None:
        """The seed as everybody may see it; None while the boards are secret, or wait for a public value."""
        return None if not self.is_revealed or self.awaited_source else self.seed

    def state(self, *, issued: bool) -> str:
        """How far the boards have come, judged by what has happened in their session. `issued`: whether a
        result has been handed in."""
        if self.is_revealed:
            return self.State.REVEALED
        if self.session.state == Session.State.CANCELLED:
            return self.State.WITHDRAWN
        if self.session.is_over:
            return self.State.PLAYED
        if self.awaited_source:
            return self.State.DRAFT
        return self.State.ISSUED if issued else self.State.SEALED


class CustodyQuerySet(models.QuerySet["Custody"]):
    def in_force(self) -> CustodyQuerySet:
        """Those that were not laid down, of accounts that are still deal officers of the session."""
        officer = Role.objects.in_force().filter(
            account=OuterRef("account"), session=OuterRef("board_set__session"), kind=RoleKind.DEAL_OFFICER
        )
        return self.filter(Exists(officer), laid_down_at=None, account__is_active=True)


class Custody(models.Model):
    """Somebody's right to see the boards of a set before they are over, from when to when. It is never
    deleted, and taken anew rather than lengthened."""

    board_set = models.ForeignKey(BoardSet, models.PROTECT, related_name="custodies")
    account = models.ForeignKey(Account, models.PROTECT, related_name="custodies")
    taken_at = models.DateTimeField(default=timezone.now)
    laid_down_at = models.DateTimeField(null=True)

    objects = CustodyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "board_set", "account", condition=Q(laid_down_at=None), name="custody_once_at_a_time"
            ),
        ]


class Board(models.Model):
    """`over_at`: when the workers first found that it is over. Who has a part in it may have seen the hands
    since then, whatever has become of it."""

    board_set = models.ForeignKey(BoardSet, models.PROTECT, related_name="boards", db_index=False)
    number = models.PositiveIntegerField()
    over_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("board_set", "number", name="board_number_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="board_number_from_1"),
        ]
