"""Board sets and boards. Only a board set's seed is secret; everything about a deal follows from it. The
database has it sealed (`tournaments.vault`)."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q

from engines import sealing

from .. import vault
from .people import Token
from .tournaments import Session


class BoardSet(models.Model):
    """The boards of a session, dealt from one secret seed; there is none where a club dealt its own cards.
    `manifest`: what was sealed, in the form that `engines.sealing` gives it."""

    session = models.OneToOneField(Session, models.PROTECT, related_name="board_set")
    sealed_seed = models.BinaryField(null=True)
    manifest = models.JSONField(null=True)
    commitment = models.CharField(max_length=64, blank=True)
    sealed_at = models.DateTimeField(auto_now_add=True)

    class State(models.TextChoices):
        DRAFT = "draft"  # the seed is sealed, but the boards wait for a public value
        SEALED = "sealed"  # nobody has seen a card
        ISSUED = "issued"  # a result has been handed in
        PLAYED = "played"  # the session is over; these boards are never played again
        REVEALED = "revealed"  # the session is published: everybody may see the boards

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
        return self.session.state == Session.State.FINISHED and self.session.published

    @property
    def public_seed(self) -> bytes | None:
        """The seed as everybody may see it; None while the boards are secret, or wait for a public value."""
        return None if not self.is_revealed or self.awaited_source else self.seed

    def state(self, *, issued: bool) -> str:
        """How far the boards have come, judged by what has happened in their session. `issued`: whether a
        result has been handed in."""
        if self.is_revealed:
            return self.State.REVEALED
        if self.session.state == Session.State.FINISHED:
            return self.State.PLAYED
        if self.awaited_source:
            return self.State.DRAFT
        return self.State.ISSUED if issued else self.State.SEALED


class BoardQuerySet(models.QuerySet["Board"]):
    def open_to(self, viewer: Token | None) -> BoardQuerySet:
        """The boards whose hands and traveller the viewer may see.

        Anyone: those of a finished and published session. Organisers, who prepare them: their club's own.
        Players and scorers: those they have a part in, once every table has played them.
        """
        over = Q(board_set__session__state=Session.State.FINISHED, board_set__session__published=True)
        if viewer is None:
            return self.filter(over)
        if viewer.organised_club:
            return self.filter(over | Q(board_set__session__tournament__club=viewer.organised_club))
        board = self.model.objects.filter(pk=OuterRef("pk"))
        waiting = Exists(board.filter(plays__result=None))
        if viewer.scored_club:
            own = board.filter(plays__table__section__club=viewer.scored_club)
        elif viewer.player_id:
            own = board.filter(plays__seatings__contestant__players=viewer.player_id)
        else:
            own = board.none()
        return self.filter(over | (Exists(own) & ~waiting))


class Board(models.Model):
    board_set = models.ForeignKey(BoardSet, models.PROTECT, related_name="boards")
    number = models.PositiveIntegerField()

    objects = BoardQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("board_set", "number", name="board_number_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="board_number_from_1"),
        ]
