"""What an evening costs its players, and who has paid at the door. No money moves here."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from .tournaments import Member, Session


class Fee(models.Model):
    """What a session costs a player: one of a category, or, where it is "", everybody else. `amount`: in
    hundredths of the club's currency."""

    session = models.ForeignKey(Session, models.PROTECT, related_name="fees", db_index=False)
    category = models.CharField(max_length=20, blank=True)
    amount = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint("session", "category", name="fee_once_a_category"),
            models.CheckConstraint(condition=Q(amount__lte=10_000_000), name="fee_amount_has_an_end"),
        ]


class FeePayment(models.Model):
    """A player who has paid; the history says who took it. A tick that was a mistake is `undone_at`."""

    member = models.ForeignKey(Member, models.PROTECT, related_name="fee_payments", db_index=False)
    amount = models.PositiveIntegerField()
    made_at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "fee payment"
        constraints = [
            models.UniqueConstraint("member", condition=Q(undone_at=None), name="fee_payment_once_a_member"),
        ]
        indexes = [models.Index("member", name="fee_payment_of_member")]
