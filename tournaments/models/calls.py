"""What tables and directors say to each other while an evening is played: calls, and announcements to all."""

from __future__ import annotations

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from .accounts import Account, Role
from .boards import Board
from .history import Remark
from .people import Token
from .tournaments import Section, Session, Table

WAITS = ("waiting", "coming")


class CallQuerySet(models.QuerySet["Call"]):
    def visible_to(self, viewer: Token | Account | None) -> CallQuerySet:
        """A table’s own, and for officials those of the sections in their charge."""
        own = Section.objects.entered_by(viewer).filter(pk=OuterRef("table__section"))
        found = self.filter(Exists(own))
        if isinstance(viewer, Token) and viewer.table_id:
            found = found.filter(table=viewer.table_id)
        return found

    def open(self) -> CallQuerySet:
        return self.filter(state__in=WAITS)


class Call(models.Model):
    """A table calls the director. It waits in one call at a time; `role`: of the official who comes.
    Where it says that it sits otherwise in a `round`, `order` has for each seat the planned one of whoever is
    there."""

    class Reason(models.TextChoices):
        DIRECTOR = "director", _("the director, please")
        RULING = "ruling", _("something went wrong in the play")
        SCORING = "scoring", _("how is this counted?")
        BOARD = "board", _("the board or its cards are wrong")
        SEATS = "seats", _("somebody is missing, or sits wrongly")
        OTHER = "other", _("something else")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        COMING = "coming", _("somebody is coming")
        DONE = "done", _("done")
        WITHDRAWN = "withdrawn", _("withdrawn")

    session = models.ForeignKey(Session, models.PROTECT, related_name="calls")
    table = models.ForeignKey(Table, models.PROTECT, related_name="calls")
    board = models.ForeignKey(Board, models.PROTECT, null=True, related_name="+", db_index=False)
    reason = models.CharField(max_length=20, choices=Reason, default=Reason.DIRECTOR)
    remark = models.ForeignKey(Remark, models.PROTECT, null=True, related_name="+", db_index=False)
    round = models.PositiveSmallIntegerField(null=True)
    order = models.JSONField(null=True)
    state = models.CharField(max_length=20, choices=State, default=State.WAITING)
    role = models.ForeignKey(Role, models.PROTECT, null=True, related_name="+", db_index=False)
    made_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = CallQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("table", name="call_open_once_a_table", condition=Q(state__in=WAITS)),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "coming", "done", "withdrawn"]), name="call_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=WAITS, ended_at=None) | Q(ended_at__isnull=False),
                name="call_ended_at_some_time",
            ),
            models.CheckConstraint(
                condition=Q(order__isnull=True) | Q(round__isnull=False), name="call_order_of_a_round"
            ),
        ]


class Announcement(models.Model):
    """What a director says to all tables of a session; they show it until it is withdrawn, or another one
    follows."""

    session = models.ForeignKey(Session, models.PROTECT, related_name="announcements")
    remark = models.ForeignKey(Remark, models.PROTECT, related_name="+", db_index=False)
    made_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("session", name="announcement_one_at_a_time", condition=Q(ended_at=None))
        ]
