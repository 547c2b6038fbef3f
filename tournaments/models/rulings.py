"""What directors decide: rulings, what each says of single plays, and what stands for these plays today."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from .accounts import Role
from .history import Remark
from .matches import Match
from .plays import Play
from .tournaments import Contestant, Session


class RulingQuerySet(models.QuerySet["Ruling"]):
    def in_force(self) -> RulingQuerySet:
        return self.filter(reversed_at=None)

    def with_all(self) -> RulingQuerySet:
        """With what it takes to say what was decided, by whom and why."""
        return self.select_related(
            *["role__account", "reversed_by__account", "remark", "reversal_remark", "contestant", "match"]
        )


class Ruling(models.Model):
    """A director's decision. It is never edited; it may be reversed, once.

    `content`: what was decided, in the form in which it was asked for; what it means for single plays is in
    its parts, and one about a contestant (a penalty) or a match (a forfeit) has none. `role`: of whoever
    decided, None for the service's operator. `remark`: the reason, which an erasure may empty. `position`,
    `reversed_position`: its place, and that of its reversal, in the order in which the session's lists take
    changes in.
    """

    class Kind(models.TextChoices):
        ARTIFICIAL = "artificial"
        ASSIGNED = "assigned"
        WEIGHTED = "weighted"
        SPLIT = "split"
        ANNULLED = "annulled"
        NOT_PLAYED = "not-played"
        FOULED = "fouled"
        PENALTY = "penalty"
        BONUS = "bonus"
        CARRY_OVER = "carry-over"
        DISQUALIFICATION = "disqualification"
        FORFEIT = "forfeit"

    ABOUT_CONTESTANTS = (Kind.PENALTY, Kind.BONUS, Kind.CARRY_OVER, Kind.DISQUALIFICATION)

    session = models.ForeignKey(Session, models.PROTECT, related_name="rulings", db_index=False)
    kind = models.CharField(max_length=20, choices=Kind)
    content = models.JSONField()
    contestant = models.ForeignKey(Contestant, models.PROTECT, null=True, related_name="rulings")
    match = models.ForeignKey(Match, models.PROTECT, null=True, related_name="rulings")
    role = models.ForeignKey(Role, models.PROTECT, null=True, related_name="+", db_index=False)
    remark = models.ForeignKey(Remark, models.PROTECT, related_name="+", db_index=False)
    made_at = models.DateTimeField(auto_now_add=True)
    position = models.PositiveBigIntegerField()
    reversed_at = models.DateTimeField(null=True)
    reversed_by = models.ForeignKey(Role, models.PROTECT, null=True, related_name="+", db_index=False)
    reversal_remark = models.ForeignKey(Remark, models.PROTECT, null=True, related_name="+", db_index=False)
    reversed_position = models.PositiveBigIntegerField(null=True)

    objects = RulingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("session", "position", name="ruling_position_unique"),
            models.CheckConstraint(
                condition=Q(
                    kind__in=[
                        *["artificial", "assigned", "weighted", "split", "annulled", "not-played", "fouled"],
                        *["penalty", "bonus", "carry-over", "disqualification", "forfeit"],
                    ]
                ),
                name="ruling_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(
                    kind__in=["penalty", "bonus", "carry-over", "disqualification"], contestant__isnull=False
                )
                | Q(~Q(kind__in=["penalty", "bonus", "carry-over", "disqualification"]), contestant=None),
                name="ruling_of_a_contestant",
            ),
            models.CheckConstraint(
                condition=Q(kind="forfeit", match__isnull=False) | Q(~Q(kind="forfeit"), match=None),
                name="ruling_of_a_match",
            ),
            models.CheckConstraint(
                condition=Q(reversed_at=None, reversed_position=None, reversal_remark=None, reversed_by=None)
                | Q(
                    reversed_at__isnull=False,
                    reversed_position__gt=F("position"),
                    reversal_remark__isnull=False,
                ),
                name="ruling_reversed_wholly",
            ),
        ]


class RulingPart(models.Model):
    """What a ruling says of one play. `entries`: by seat, what counts in place of the score
    (`services.ruled_entries`), null for a seat that it says nothing of; `deal`: the name of the cards that
    were really dealt there, where the board was fouled."""

    ruling = models.ForeignKey(Ruling, models.PROTECT, related_name="parts", db_index=False)
    play = models.ForeignKey(Play, models.PROTECT, related_name="ruling_parts")
    entries = models.JSONField()
    deal = models.CharField(max_length=20, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint("ruling", "play", name="ruling_part_once_a_play")]


class RuledPlay(models.Model):
    """What stands for a play by all rulings in force on it, the newest for each seat: what `RulingPart`s say
    together. It stays, empty, when all are reversed. `position`: as of a result. `is_whole`: something stands
    for every seat, so that nobody waits for a result."""

    session = models.ForeignKey(Session, models.PROTECT, related_name="ruled_plays", db_index=False)
    play = models.OneToOneField(Play, models.PROTECT, related_name="ruled")
    entries = models.JSONField()
    deal = models.CharField(max_length=20, blank=True, default="")
    position = models.PositiveBigIntegerField()
    is_whole = models.BooleanField(db_default=False, default=False)

    class Meta:
        indexes = [models.Index("session", "position", name="ruled_play_by_position")]
