"""The players, and the tokens by which the API knows its callers."""

from __future__ import annotations

from collections.abc import Callable

from django.db import models
from django.db.models import Q
from django.utils import timezone

from .accounts import Role
from .clubs import Club


class Player(models.Model):
    """Somebody who plays, under the name by which the club knows them."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="players")
    name = models.CharField(max_length=200)

    class Meta:
        constraints = [models.UniqueConstraint("club", "name", name="player_name_unique_in_club")]


class TokenQuerySet(models.QuerySet["Token"]):
    def valid(self) -> TokenQuerySet:
        now = timezone.now()
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now), revoked_at=None)


class Token(models.Model):
    """What a caller of the API is known by: an account's role in a club, a table or a player.

    Of its text only a prefix is kept, to find the token, and the SHA-256 of its 256-bit secret.
    """

    prefix = models.CharField(max_length=8)
    digest = models.CharField(max_length=64)
    role = models.ForeignKey(Role, models.PROTECT, null=True, related_name="tokens")
    table = models.ForeignKey("Table", models.PROTECT, null=True, related_name="tokens")
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="tokens")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = TokenQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("prefix", name="token_prefix_unique"),
            models.CheckConstraint(
                condition=Q(role__isnull=False, table=None, player=None)
                | Q(role=None, table__isnull=False, player=None)
                | Q(role=None, table=None, player__isnull=False),
                name="token_has_one_holder",
            ),
        ]

    def __str__(self) -> str:
        """Who acts, in the words of the history."""
        if self.role is not None:
            place = self.role.club.name if self.role.club is not None else "Étui"
            return f"{self.role.account.name} ({self.kind}, {place})"
        if self.table is not None:
            return f"table {self.table.section.name}{self.table.number}"
        assert self.player is not None
        return self.player.name

    @property
    def kind(self) -> str:
        """Who holds it: the kind of a role, "table" or "player"."""
        if self.role is not None:
            return self.role.kind
        return "table" if self.table_id else "player"

    @property
    def organised_club(self) -> int | None:
        """The club whose tournaments this caller runs."""
        return None if self.role is None else self.role.organised_club

    @property
    def scored_club(self) -> int | None:
        """The club whose sections this caller enters results for, and nothing more."""
        return None if self.role is None else self.role.scored_club

    def enters(self, organising_club: int) -> Callable[[int, int], bool]:
        """Whether the holder may enter the results of a table, by the table's id and its section's club, in
        the sessions of a club: the rule of `PlayQuerySet.entered_by`."""
        if self.table_id:
            own = self.table_id
            return lambda table, _club: table == own
        if self.organised_club == organising_club:
            return lambda _table, _club: True
        scored = self.scored_club
        return lambda _table, club: club == scored
