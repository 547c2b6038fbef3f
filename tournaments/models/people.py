"""The players of a club's register, and the tokens by which the API knows its callers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from .accounts import Account, Role, Scope
from .clubs import Club

FOLDED = 400  # letters of a folded name, at most


class Category(models.TextChoices):
    """What a player may be ranked among besides everybody. A new one is a line here."""

    CADET = "cadet", pgettext_lazy("category", "cadet")
    JUNIOR = "junior", pgettext_lazy("category", "junior")
    SENIOR = "senior", pgettext_lazy("category", "senior")
    VETERAN = "veteran", pgettext_lazy("category", "veteran")
    NEWCOMER = "newcomer", pgettext_lazy("category", "newcomer")


class PlayerQuerySet(models.QuerySet["Player"]):
    def in_register(self) -> PlayerQuerySet:
        """Those whom a club may enter: neither merged into another nor erased."""
        return self.filter(merged_into=None, erased_at=None)


class Player(models.Model):
    """Somebody who plays, as a club has them in its register. Two people of one name are two players.

    `public_name`: how the player is shown, by default the whole name. `number`: of the membership.
    `home_club`: where the player is a member, if not here. `consent`: the name may be published.
    `merged_into`: the same person, entered twice; `erased_at`: since when nothing tells who it was.
    `folded`: the name, to find it by (`fold`); saving keeps it right. `licence_until`: the last day on which
    the licence holds; `suspended_from`, `suspended_until`: the days on which the player may not play, without
    a last one until further notice. What is not known of these is None.
    """

    club = models.ForeignKey(Club, models.PROTECT, related_name="players")
    given_name = models.CharField(max_length=200, blank=True)
    family_name = models.CharField(max_length=200, blank=True)
    public_name = models.CharField(max_length=200, blank=True)
    folded = models.CharField(max_length=FOLDED, blank=True, editable=False)
    number = models.CharField(max_length=20, blank=True)
    home_club = models.ForeignKey(Club, models.PROTECT, null=True, blank=True, related_name="+")
    categories = models.JSONField(default=list, blank=True)
    consent = models.BooleanField(default=False)
    account = models.ForeignKey(Account, models.PROTECT, null=True, blank=True, related_name="players")
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="merged")
    erased_at = models.DateTimeField(null=True, blank=True)
    registered_at = models.DateTimeField(default=timezone.now)
    licence_until = models.DateField(null=True, blank=True)
    suspended_from = models.DateField(null=True, blank=True)
    suspended_until = models.DateField(null=True, blank=True)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "club",
                "number",
                condition=~Q(number="") & Q(merged_into=None),
                name="player_number_unique_in_club",
            ),
            models.CheckConstraint(
                condition=~Q(given_name="", family_name="") | Q(erased_at__isnull=False),
                name="player_has_name",
            ),
            models.CheckConstraint(
                condition=Q(merged_into=None) | ~Q(merged_into=F("id")), name="player_merged_into_another"
            ),
            models.CheckConstraint(
                condition=Q(suspended_until=None)
                | Q(suspended_from__isnull=False, suspended_until__gte=F("suspended_from")),
                name="player_suspended_in_order",
            ),
        ]
        indexes = [
            models.Index("club", "folded", name="player_by_folded_name"),
            # Who of all may be an account, by name: asked whenever an official decides something.
            models.Index("folded", name="player_of_nobody_by_name", condition=Q(account=None)),
            models.Index("club", "family_name", "given_name", "id", name="player_in_order"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        self.folded = fold(self.name)
        if update_fields is not None:
            update_fields = {*update_fields, "folded"}
        super().save(*args, update_fields=update_fields, **kwargs)

    @property
    def name(self) -> str:
        """The whole name, as the club knows it."""
        return f"{self.given_name} {self.family_name}".strip()

    @property
    def category_names(self) -> list[str]:
        """What the categories are called, in the reader's language."""
        labels = {one.value: str(one.label) for one in Category}
        return [labels.get(category, category) for category in self.categories]


def fold(name: str) -> str:
    """A name to compare by: its words in small letters without accents, in alphabetical order.

    >>> fold("Éloïse  DURAND-Petit")
    'durand eloise petit'
    >>> fold("Durand Petit Eloise")
    'durand eloise petit'
    """
    return (" ".join(sorted(plain(name).split())) or name.casefold())[:FOLDED]


def plain(name: str) -> str:
    """A name in small letters without accents, with blanks in place of signs: to put names in order.

    >>> plain("Éloïse Durand-Petit")
    'eloise durand petit'
    """
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(
        letter if letter.isalnum() else " " for letter in letters if not unicodedata.combining(letter)
    )


PARTICLES = frozenset(
    [
        *["d", "da", "dal", "dalla", "das", "de", "degli", "dei", "del", "della", "den", "der", "des", "di"],
        *["do", "dos", "du", "el", "la", "las", "le", "les", "los", "ten", "ter", "van", "von", "zu"],
    ]
)


def split_name(name: str) -> tuple[str, str]:
    """The given and the family name of a whole one. The family's begins with its particle; or it stands in
    capitals, in front or behind; or it is the last word, unless there is no other.

    >>> split_name("Marie Anne Durand"), split_name("Zoé"), split_name("François de La Rochebrochard")
    (('Marie Anne', 'Durand'), ('Zoé', ''), ('François', 'de La Rochebrochard'))
    >>> split_name("DE LA TOUR Odile"), split_name("Odile DURAND PETIT"), split_name("JB Martin")
    (('Odile', 'DE LA TOUR'), ('Odile', 'DURAND PETIT'), ('JB', 'Martin'))
    """
    words = name.split()
    capital = [len(word) > 2 and word.isupper() for word in words]
    is_particle = [word.casefold() in PARTICLES for word in words]
    if not all(word.isupper() for word in words):
        front = next((at for at, word in enumerate(words) if not word.isupper()), len(words))
        if any(capital[:front]) and not any(word.isupper() for word in words[front:]):
            return " ".join(words[front:]), " ".join(words[:front])
    first = next((at for at in range(1, len(words) - 1) if is_particle[at]), len(words) - 1)
    behind = next((at for at in range(1, len(words)) if all(capital[at:]) and not all(capital)), first)
    at = min(first, behind)
    return (" ".join(words[:at]), " ".join(words[at:])) if at > 0 else (" ".join(words), "")


class TokenQuerySet(models.QuerySet["Token"]):
    def valid(self) -> TokenQuerySet:
        now = timezone.now()
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now), revoked_at=None)


class Token(models.Model):
    """What a caller of the API is known by: an account's role in a club, a table or a player.

    Of its text only a prefix is kept, to find the token, and the SHA-256 of its 256-bit secret. It does what
    its holder may do, and nothing beyond its `scopes` (their names, with spaces between them). `name`: what
    its account calls it. `last_used_at` is a minute late at most (`services.token_uses`). `issued_by`: the
    role that made a table's, and so has read its text.
    """

    Scope = Scope

    prefix = models.CharField(max_length=8)
    digest = models.CharField(max_length=64)
    role = models.ForeignKey(Role, models.PROTECT, null=True, related_name="tokens")
    table = models.ForeignKey("Table", models.PROTECT, null=True, related_name="tokens")
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="tokens")
    issued_by = models.ForeignKey(Role, models.PROTECT, null=True, related_name="+", db_index=False)
    name = models.CharField(max_length=80, blank=True)
    scopes = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)
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
            models.CheckConstraint(
                condition=Q(role=None) | Q(expires_at__isnull=False), name="token_of_role_ends"
            ),
            models.CheckConstraint(condition=~Q(scopes=""), name="token_has_scopes"),
        ]

    def __str__(self) -> str:
        """Who acts, in the words of the history."""
        if self.role is not None:
            at = self.role.club or self.role.session
            place = "Étui" if at is None else at.name
            return f"{self.role.account.name} ({self.kind}, {place})"
        if self.table is not None:
            return f"table {self.table.section.name}{self.table.number}"
        return f"player {self.player_id}"

    @property
    def kind(self) -> str:
        """Who holds it: the kind of a role, "table" or "player"."""
        if self.role is not None:
            return self.role.kind
        return "table" if self.table_id else "player"

    @property
    def scope_labels(self) -> list[str]:
        return [str(Scope(name).label) for name in self.scopes.split()]

    def allows(self, scope: str) -> bool:
        return scope in self.scopes.split()

    @property
    def organised_club(self) -> int | None:
        """The club whose tournaments this caller runs."""
        return None if self.role is None else self.role.organised_club

    @property
    def scored_club(self) -> int | None:
        """The club whose sections this caller enters results for, and nothing more."""
        return None if self.role is None else self.role.scored_club
