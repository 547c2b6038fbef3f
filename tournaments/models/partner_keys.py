"""Keys of partners: what a program is known by that reads what everybody may see, with a limit of its own."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from . import access
from .access import Caller
from .accounts import Account
from .clubs import Club


class PartnerKeyQuerySet(models.QuerySet["PartnerKey"]):
    def managed_by(self, caller: Caller) -> PartnerKeyQuerySet:
        """Those of clubs that the caller runs, and for administrators of the federation its own; none that
        were revoked."""
        own = access.managed(caller, club="club")
        if access.administers_federation(caller):
            own |= Q(club=None)
        return self.filter(own, revoked_at=None)


class PartnerKey(models.Model):
    """A key that a club, or (`club` None) the federation, has given to a partner. Of its text only a prefix
    is kept, to find it, and the SHA-256 of its 256-bit secret. `per_minute`: how often it may call.
    `last_used_at` is an hour late at most."""

    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="partner_keys")
    made_by = models.ForeignKey(Account, models.PROTECT, null=True, related_name="+", db_index=False)
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=8)
    digest = models.CharField(max_length=64)
    per_minute = models.PositiveIntegerField()
    made_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = PartnerKeyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("prefix", name="partner_key_prefix_unique"),
            models.CheckConstraint(condition=Q(per_minute__gt=0), name="partner_key_may_call"),
        ]

    def __str__(self) -> str:
        return self.name
