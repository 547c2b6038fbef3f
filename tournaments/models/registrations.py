"""How players come to what is theirs: the links to their entries in a register, and the lists in which they
enter for a tournament."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from .accounts import Account
from .people import Player, Token
from .tournaments import Session, Tournament


class PlayerLink(models.Model):
    """A link by which a player comes to their own entry in the register, of which only the SHA-256 of the
    secret is kept. It is good once: for `account`, to which it has attached the entry, or for the browser
    that holds `token`."""

    class State(models.TextChoices):
        OPEN = "open"
        USED = "used"
        WITHDRAWN = "withdrawn"
        EXPIRED = "expired"

    digest = models.CharField(max_length=64)
    player = models.ForeignKey(Player, models.PROTECT, related_name="links")
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(Account, models.PROTECT, null=True, related_name="+")
    ends_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    account = models.ForeignKey(Account, models.PROTECT, null=True, related_name="+")
    token = models.OneToOneField(Token, models.PROTECT, null=True, related_name="link")
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("digest", name="player_link_digest_unique"),
            models.CheckConstraint(condition=Q(ends_at__gt=F("made_at")), name="player_link_ends"),
            models.CheckConstraint(
                condition=Q(used_at=None, account=None, token=None)
                | Q(used_at__isnull=False, account__isnull=False, token=None, withdrawn_at=None)
                | Q(used_at__isnull=False, account=None, token__isnull=False, withdrawn_at=None),
                name="player_link_once",
            ),
        ]

    def state(self, now: datetime | None = None) -> State:
        if self.used_at is not None:
            return self.State.USED
        if self.withdrawn_at is not None:
            return self.State.WITHDRAWN
        return self.State.EXPIRED if self.ends_at <= (now or timezone.now()) else self.State.OPEN


class ErasureWish(models.Model):
    """A player wants their entry in the register erased, and has shown no more than a link of the club, which
    somebody else may have used. An administrator of the club settles it: by erasing, or by saying no."""

    player = models.ForeignKey(Player, models.PROTECT, related_name="erasure_wishes")
    made_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "player", condition=Q(settled_at=None), name="erasure_wish_once_at_a_time"
            )
        ]


class RegistrationListQuerySet(models.QuerySet["RegistrationList"]):
    def visible_to(self, viewer: Token | None) -> RegistrationListQuerySet:
        """Public ones; all of a club to its organisers and scorers, and to the players in its register."""
        public = Q(is_public=True)
        if viewer is None:
            return self.filter(public)
        if viewer.player_id:
            own = Player.objects.filter(pk=viewer.player_id).values("club")
            return self.filter(public | Q(tournament__club__in=own))
        return self.filter(public | Q(tournament__club=viewer.organised_club or viewer.scored_club or 0))


class RegistrationList(models.Model):
    """Where players enter for a session of a tournament that is still to be set up. `players_each`: how many
    make a contestant; `limit`: how many contestants there is room for, the next ones wait. Until it is
    closed there are late entries too. `session`: the one that has been set up from it last."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="registration_lists")
    name = models.CharField(max_length=200)
    players_each = models.PositiveSmallIntegerField(default=1)
    limit = models.PositiveIntegerField(null=True)
    is_public = models.BooleanField(default=True)
    opened_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True)
    session = models.ForeignKey(Session, models.PROTECT, null=True, related_name="registration_lists")

    objects = RegistrationListQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(players_each__range=(1, 4)), name="registration_list_players_each"
            ),
            models.CheckConstraint(
                condition=Q(limit=None) | Q(limit__gte=1), name="registration_list_has_room"
            ),
        ]

    @property
    def is_open(self) -> bool:
        return self.closed_at is None


class Registration(models.Model):
    """A contestant to be, in the order of its list: whoever stands beyond the limit waits, and moves up when
    somebody before them leaves. With fewer players than a contestant has it looks for more, as long as it
    `wants_players`. Nothing is deleted: those who leave stay, with the time."""

    list = models.ForeignKey(RegistrationList, models.PROTECT, related_name="registrations")
    wants_players = models.BooleanField(default=True)
    entered_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index("list", "id", name="registration_in_order", condition=Q(left_at=None)),
        ]


class Registrant(models.Model):
    """A player of a registration: once in a list, as long as they have not left."""

    list = models.ForeignKey(RegistrationList, models.PROTECT, related_name="registrants", db_index=False)
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="registrants")
    player = models.ForeignKey(Player, models.PROTECT, related_name="registrants")
    entered_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "list", "player", condition=Q(left_at=None), name="registrant_once_in_list"
            )
        ]
