"""Links by which the phones at a table come to its page, and what came by them too late to be entered."""

from __future__ import annotations

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils import timezone

from .accounts import Role
from .people import Token
from .plays import Play, Submission
from .tournaments import Table


class TableLinkQuerySet(models.QuerySet["TableLink"]):
    def in_force(self) -> TableLinkQuerySet:
        return self.filter(token__revoked_at=None, token__expires_at__gt=timezone.now())


class TableLink(models.Model):
    """The code by which phones enter the results of a table, until the next one is made for it.

    The code itself is nowhere: it is worked out from `salt` and the service's secret key, so that a card can
    be printed again; `digest`, under the same key, finds it. `token`: by which the phones act; nobody has its
    text.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="links")
    token = models.OneToOneField(Token, models.PROTECT, related_name="table_link")
    salt = models.CharField(max_length=32)
    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField(default=timezone.now)

    objects = TableLinkQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint("digest", name="table_link_digest_unique")]


class LateEntry(models.Model):
    """A result that a table handed in when it could no longer be entered: its link had ended, or its round.
    A director takes it, as `submission`, or leaves it. `why`: the code of the refusal; `role`: in which an
    official has decided."""

    link = models.ForeignKey(TableLink, models.PROTECT, related_name="late", db_index=False)
    play = models.ForeignKey(Play, models.PROTECT, related_name="late")
    key = models.UUIDField()
    content = models.JSONField(encoder=DjangoJSONEncoder)
    seat = models.PositiveSmallIntegerField(null=True)
    why = models.CharField(max_length=40)
    received_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True)
    role = models.ForeignKey(Role, models.PROTECT, null=True, related_name="+", db_index=False)
    submission = models.ForeignKey(Submission, models.PROTECT, null=True, related_name="+", db_index=False)

    class Meta:
        constraints = [
            models.UniqueConstraint("link", "key", name="late_entry_key_unique"),
            models.CheckConstraint(
                condition=Q(submission=None) | Q(settled_at__isnull=False), name="late_entry_taken_is_settled"
            ),
        ]
        indexes = [models.Index("play", name="late_entry_waits", condition=Q(settled_at=None))]
