"""Accounts: the people who can sign in, what each may do where, and the invitations by which they come."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from .clubs import Club

NO_PASSWORD = "!"  # noqa: S105  # as Django marks one that nothing matches


if TYPE_CHECKING:
    TextField = models.EmailField[str | None, str | None]
else:  # Django's fields take their types for the checker alone
    TextField = models.EmailField


class Address(TextField):
    """An e-mail address in small letters, or nothing: `Ana@Example.org` and `ana@example.org` are one."""

    def get_prep_value(self, value: Any) -> Any:
        text = super().get_prep_value(value)
        return (text.strip().lower() or None) if isinstance(text, str) else text

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = self.get_prep_value(super().pre_save(model_instance, add))
        setattr(model_instance, self.attname, value)  # an object says what its row says
        return value


class AccountManager(BaseUserManager["Account"]):
    def get_by_natural_key(self, username: str | None) -> Account:
        return self.get(email=username)


class Account(AbstractBaseUser):
    """A person who can sign in, or who holds the API's tokens. Known by an e-mail address, once there is one;
    names are shown, and two people may have the same."""

    name = models.CharField(max_length=200)
    email = Address(null=True, blank=True, unique=True)
    password = models.CharField(max_length=128, default=NO_PASSWORD)
    language = models.CharField(max_length=8, blank=True, choices=settings.LANGUAGES)  # of mails; "": any
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)  # an operator of the service
    created_at = models.DateTimeField(default=timezone.now)
    erased_at = models.DateTimeField(null=True, blank=True)  # since when nothing tells whose it was

    USERNAME_FIELD = EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    objects = AccountManager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(email=None) | (Q(email=Lower("email")) & ~Q(email="")), name="account_email_lower"
            )
        ]

    def __str__(self) -> str:
        return self.name or _("erased account")

    def clean(self) -> None:
        """As Django's own, but for its wish that everybody has an e-mail address."""


class FormerName(models.Model):
    """What an account was called until it was renamed, folded: whoever may not do something by one name may
    not do it by another."""

    account = models.ForeignKey(Account, models.PROTECT, related_name="former_names")
    folded = models.CharField(max_length=400)
    until = models.DateTimeField(default=timezone.now)


class RoleKind(models.TextChoices):
    """What somebody may be somewhere."""

    ADMINISTRATOR = "administrator", pgettext_lazy("role", "administrator")
    ORGANISER = "organiser", pgettext_lazy("role", "organiser")
    DIRECTOR = "director", pgettext_lazy("role", "director")
    DEAL_OFFICER = "deal-officer", pgettext_lazy("role", "deal officer")
    SCORER = "scorer", pgettext_lazy("role", "scorer")


class Scope(models.TextChoices):
    """What a token may be used for, of what its holder may do."""

    READ = "read", pgettext_lazy("scope", "read")
    ENTER = "enter", pgettext_lazy("scope", "enter results")
    DIRECT = "direct", pgettext_lazy("scope", "direct sessions")
    MANAGE = "manage", pgettext_lazy("scope", "manage tournaments")


AT_FEDERATION = (RoleKind.ADMINISTRATOR, RoleKind.ORGANISER)
AT_CLUB = (RoleKind.ADMINISTRATOR, RoleKind.ORGANISER, RoleKind.SCORER)
AT_SESSION = (RoleKind.ORGANISER, RoleKind.DIRECTOR, RoleKind.DEAL_OFFICER, RoleKind.SCORER)


def exists_there() -> Q:
    """The kinds that there are at the federation (neither club nor session), at a club, at a session."""
    return (
        Q(club=None, session=None, kind__in=AT_FEDERATION)
        | Q(club__isnull=False, session=None, kind__in=AT_CLUB)
        | Q(club=None, session__isnull=False, kind__in=AT_SESSION)
    )


class RoleQuerySet(models.QuerySet["Role"]):
    def in_force(self) -> RoleQuerySet:
        return self.filter(revoked_at=None)


class Role(models.Model):
    """What an account may do: for the federation (neither club nor session), for a club, or for a session.
    It is never deleted, only revoked. Without `granted_by` an operator has granted it."""

    Kind = RoleKind

    account = models.ForeignKey(Account, models.PROTECT, related_name="roles")
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="roles")
    session = models.ForeignKey("Session", models.PROTECT, null=True, related_name="roles")
    kind = models.CharField(max_length=20, choices=RoleKind)
    granted_at = models.DateTimeField(default=timezone.now)
    granted_by = models.ForeignKey(Account, models.PROTECT, null=True, related_name="+")
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey(Account, models.PROTECT, null=True, related_name="+")

    objects = RoleQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=exists_there(), name="role_exists_there"),
            models.CheckConstraint(
                condition=Q(revoked_by=None) | Q(revoked_at__isnull=False), name="role_revoked_when"
            ),
            models.UniqueConstraint(
                "account",
                "kind",
                condition=Q(club=None, session=None, revoked_at=None),
                name="role_once_at_federation",
            ),
            models.UniqueConstraint(
                "account",
                "club",
                "kind",
                condition=Q(club__isnull=False, revoked_at=None),
                name="role_once_at_club",
            ),
            models.UniqueConstraint(
                "account",
                "session",
                "kind",
                condition=Q(session__isnull=False, revoked_at=None),
                name="role_once_at_session",
            ),
        ]

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """What its tokens may be good for."""
        if self.kind in (RoleKind.ADMINISTRATOR, RoleKind.ORGANISER) and self.session_id is None:
            return tuple(Scope) if self.club_id is not None else (Scope.READ, Scope.MANAGE)
        if self.kind in (RoleKind.ORGANISER, RoleKind.DIRECTOR) and self.session_id is not None:
            return (Scope.READ, Scope.ENTER, Scope.DIRECT)
        return (Scope.READ, Scope.ENTER) if self.kind == RoleKind.SCORER else (Scope.READ,)

    @property
    def organised_club(self) -> int | None:
        """The club whose tournaments its holder runs: a club's administrator may do what its organiser
        may."""
        return self.club_id if self.kind in (RoleKind.ORGANISER, RoleKind.ADMINISTRATOR) else None

    @property
    def scored_club(self) -> int | None:
        """The club whose sections its holder enters results for, and nothing more."""
        return self.club_id if self.kind == RoleKind.SCORER else None


class Invitation(models.Model):
    """A role offered to whoever brings the link, of which only the SHA-256 of the secret is kept; with an
    e-mail address, to that person alone. `is_first`: it is good only while the federation has no
    administrator. Without `made_by` an operator has made it."""

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        WITHDRAWN = "withdrawn"
        EXPIRED = "expired"

    digest = models.CharField(max_length=64)
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="invitations")
    session = models.ForeignKey("Session", models.PROTECT, null=True, related_name="invitations")
    kind = models.CharField(max_length=20, choices=RoleKind)
    email = Address(null=True, blank=True)
    is_first = models.BooleanField(default=False)
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(Account, models.PROTECT, null=True, related_name="invitations")
    ends_at = models.DateTimeField()
    role = models.OneToOneField(Role, models.PROTECT, null=True, related_name="invitation")  # once accepted
    accepted_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(Account, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint("digest", name="invitation_digest_unique"),
            models.CheckConstraint(condition=exists_there(), name="invitation_exists_there"),
            models.CheckConstraint(condition=Q(ends_at__gt=F("made_at")), name="invitation_ends"),
            models.CheckConstraint(
                condition=Q(accepted_at=None, role=None)
                | Q(accepted_at__isnull=False, role__isnull=False, withdrawn_at=None),
                name="invitation_once",
            ),
            models.CheckConstraint(
                condition=Q(is_first=False) | Q(kind="administrator", club=None, session=None),
                name="invitation_first_of_all",
            ),
        ]

    def state(self, now: datetime | None = None) -> State:
        if self.accepted_at is not None:
            return self.State.ACCEPTED
        if self.withdrawn_at is not None:
            return self.State.WITHDRAWN
        return self.State.EXPIRED if self.ends_at <= (now or timezone.now()) else self.State.OPEN
