"""Who changed what, when and why; the seals on it; and the files that were imported."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from .accounts import Account, Role
from .clubs import Club
from .people import Token
from .tournaments import Session, Tournament


class PaperFile(models.Model):
    """A file that a club's evening was imported from, and the newest session that came of it; or one that has
    amended this session since. The same file is not imported twice by mistake."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="paper_files")
    digest = models.CharField(max_length=64)  # SHA-256 of its text
    session = models.ForeignKey(Session, models.PROTECT, related_name="paper_files")

    class Meta:
        constraints = [models.UniqueConstraint("club", "digest", name="paper_file_once_in_club")]


class Remark(models.Model):
    """Free text in the history: why something was done. An entry holds no text and no name itself, and its
    chain of hashes only the digest of this: so a remark can be emptied when somebody's data are erased, and
    the chain still agrees. The salt, emptied too, keeps anybody from guessing what a short text was."""

    digest = models.CharField(max_length=64)  # SHA-256 of salt and text
    salt = models.CharField(max_length=32)
    text = models.TextField()
    emptied_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(emptied_at=None) | Q(salt="", text=""), name="remark_emptied_wholly"
            )
        ]


class HistoryQuerySet(models.QuerySet["HistoryEntry"]):
    def of(self, *, session: Session | None = None, club: Club | None = None) -> HistoryQuerySet:
        """The entries of a session, of a club, or of the federation: each has one of these homes."""
        if session is not None:
            return self.filter(session=session)
        return self.filter(session=None, club=club)

    def with_names(self) -> HistoryQuerySet:
        """With what it takes to say who did it, and why."""
        return self.select_related(
            *["account", "role__club", "role__session", "token__table__section", "token__player", "remark"]
        )


class HistoryEntry(models.Model):
    """A line of the history, stored in the same transaction as the change that it records. The database
    refuses to change or delete one (`tournaments.guards`).

    It is about a session, a club (a tournament's own is its club's), or, with neither, the federation. Who
    did it: an account, with the role in which it did (roles are never deleted, so both are as they were) and
    the API's token where there was one; a table's or a player's token; or nobody, for the service and its
    operator (`agent`). Persons and places are ids alone, joined with names when they are shown.

    What is never deleted (tournaments, accounts, roles, tokens) has no constraint here: the database would
    look for each of them with every result that comes in."""

    class Agent(models.TextChoices):
        """What kind of actor did it."""

        PERSON = "person"
        TABLE = "table"
        PLAYER = "player"
        OPERATOR = "operator"  # a command of `manage.py`
        WORKER = "worker"  # the service itself

    session = models.ForeignKey(Session, models.PROTECT, null=True, related_name="history", db_index=False)
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="history", db_index=False)
    tournament = models.ForeignKey(
        Tournament, models.PROTECT, null=True, related_name="history", db_index=False, db_constraint=False
    )
    at = models.DateTimeField(auto_now_add=True)
    agent = models.CharField(max_length=10, choices=Agent)
    account = models.ForeignKey(
        Account, models.PROTECT, null=True, related_name="history", db_index=False, db_constraint=False
    )
    role = models.ForeignKey(
        Role, models.PROTECT, null=True, related_name="history", db_index=False, db_constraint=False
    )
    token = models.ForeignKey(
        Token, models.PROTECT, null=True, related_name="history", db_index=False, db_constraint=False
    )
    verb = models.CharField(max_length=40)
    subject = models.CharField(max_length=80)
    detail = models.JSONField(default=dict)
    changes = models.JSONField(null=True)  # by field, from what to what
    remark = models.ForeignKey(Remark, models.PROTECT, null=True, related_name="entries", db_index=False)

    objects = HistoryQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = "entry", "entries"  # as the history names them
        # Every index is written with every result that comes in: there are those that pages and the sealing
        # read by, and no more.
        indexes = [
            models.Index("session", "id", name="history_newest_of_session"),
            models.Index("club", "id", condition=Q(club__isnull=False), name="history_newest_of_club"),
            models.Index(
                "account", "id", condition=Q(account__isnull=False), name="history_newest_of_account"
            ),
        ]

    @property
    def actor(self) -> str:
        """Who did it, by the name that they have today, in the role that they had."""
        if self.account is None:
            return self.agent if self.token is None else str(self.token)
        if self.role is None:
            return self.account.name
        place = self.role.session or self.role.club
        return f"{self.account.name} ({self.role.kind}, {'Étui' if place is None else place.name})"


class HistoryChain(models.Model):
    """How far the entries of a session, of a club, or of the federation (neither) are sealed: so many seals,
    the newest of which has this digest. It says again what the seals say, so that a last seal which has been
    taken away is missed."""

    scope = models.CharField(max_length=40)  # as its seals write it: "session 7", "club 3", "federation"
    session = models.OneToOneField(Session, models.PROTECT, null=True, related_name="history_chain")
    club = models.OneToOneField(Club, models.PROTECT, null=True, related_name="history_chain")
    length = models.PositiveIntegerField(default=0)
    last = models.BigIntegerField(default=0)  # the id of the last entry under a seal
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint("scope", name="history_chain_unique")]
        indexes = [models.Index("last", name="history_chain_sealed_to")]


class HistorySeal(models.Model):
    """The entries of a chain from one id to another, by their digests, and the digest of the seal before:
    docs/history.md has its form."""

    chain = models.ForeignKey(HistoryChain, models.PROTECT, related_name="seals", db_index=False)
    number = models.PositiveIntegerField()
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    count = models.PositiveIntegerField()
    leaves = models.BinaryField()  # for each entry its id, 8 bytes, and its digest, 32 bytes
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("chain", "number", name="history_seal_number_unique"),
            models.CheckConstraint(
                condition=Q(first__lte=F("last"), number__gte=1, count__gte=1), name="history_seal_in_order"
            ),
        ]
