"""Boards at tables: who sits where, what was handed in, and what came of it."""

from __future__ import annotations

from collections.abc import Collection

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from .accounts import Role
from .boards import Board
from .history import Remark
from .people import Token
from .tournaments import Contestant, Section, Session, Table, not_under_embargo


def sat_instead(players: Collection[int]) -> QuerySet[Seating]:
    """Where these players sit in the place of a contestant’s member, in the rounds that they play."""
    return Seating.objects.filter(
        contestant__substitutions__player__in=players,
        contestant__substitutions__undone_at=None,
        contestant__substitutions__first_round__lte=F("play__round"),
        contestant__substitutions__last_round__gte=F("play__round"),
    )


def _concerning(viewer: Token | None) -> Q:
    """Whose plays the viewer may see before the session is over."""
    if viewer is None:
        return Q(pk__in=[])
    if viewer.organised_club:
        return Q(table__section__session__tournament__club=viewer.organised_club)
    if viewer.scored_club:
        return Q(table__section__club=viewer.scored_club)
    if viewer.table_id:
        return Q(table=viewer.table_id)
    if not viewer.player_id:  # an official of the session, or of the federation
        return Q(table__section__in=Section.objects.scored_by(viewer))
    member = Seating.objects.filter(contestant__players=viewer.player_id)
    return Q(pk__in=member.values("play")) | Q(pk__in=sat_instead([viewer.player_id]).values("play"))


class PlayQuerySet(models.QuerySet["Play"]):
    def visible_to(self, viewer: Token | None) -> PlayQuerySet:
        """Who sat where, and the results: for everybody once the list of the session is provisional and
        public, before that for those concerned."""
        session = "table__section__session"
        over = Q(**{f"{session}__state__in": Session.RANKED, f"{session}__listed": True})
        return self.filter(over & not_under_embargo(session) | _concerning(viewer))

    def seen_in(self, session: Session, viewer: Token | None) -> PlayQuerySet:
        """Those of one session that are visible to the viewer. Whether it is over is known, and who organises
        it, so that the database looks at no play in vain."""
        sections = [section.pk for section in session.sections.all()]
        plays = self.filter(table__section__in=sections)
        if session.is_open_to_all:
            return plays
        if viewer is not None and viewer.organised_club == session.tournament.club_id:
            return plays
        return plays.filter(_concerning(viewer))

    def entered_by(self, viewer: Token | None) -> PlayQuerySet:
        """The plays whose results the viewer may enter."""
        if viewer is not None and viewer.table_id:
            return self.filter(table=viewer.table_id)
        return self.filter(table__section__in=Section.objects.entered_by(viewer))


class Play(models.Model):
    """One board to be played at one table in one round.

    `confirmation`: the newest; it is of the result as long as that comes from the same submission.
    `disagreement`: the newest of the sheets in which its sides have said different things; whatever counts
    and is newer has settled that.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="plays", db_index=False)
    board = models.ForeignKey(Board, models.PROTECT, related_name="plays")
    round = models.PositiveIntegerField()
    confirmation = models.ForeignKey(
        "Confirmation", models.PROTECT, null=True, related_name="+", db_index=False
    )
    disagreement = models.ForeignKey(
        "Submission", models.PROTECT, null=True, related_name="+", db_index=False
    )

    objects = PlayQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("table", "board", name="play_once_at_a_table"),
            models.CheckConstraint(condition=Q(round__gte=1), name="play_round_from_1"),
        ]


class Seating(models.Model):
    """Who sits where for one play. Seats count from 1; a pair has a row for each of its seats."""

    play = models.ForeignKey(Play, models.PROTECT, related_name="seatings", db_index=False)
    seat = models.PositiveSmallIntegerField()
    contestant = models.ForeignKey(Contestant, models.PROTECT, related_name="seatings")

    class Meta:
        constraints = [
            models.UniqueConstraint("play", "seat", name="seating_one_contestant_a_seat"),
            models.CheckConstraint(condition=Q(seat__gte=1), name="seating_seat_from_1"),
        ]


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def visible_to(self, viewer: Token | None) -> SubmissionQuerySet:
        """Whoever may enter a result may see what was handed in for it."""
        return self.filter(play__in=Play.objects.entered_by(viewer))

    def pending(self) -> SubmissionQuerySet:
        return self.filter(waiting__isnull=False)


class Submission(models.Model):
    """What was handed in for a play: never edited, judged once, and superseded by a later one.

    `role` or `table`: who handed it in, whichever of their tokens was the `sender`; the key is theirs.
    Neither where nobody did (an evening imported by a command). `seat`: the one whose phone a table used;
    none where one phone speaks for all. `remark`: why it follows another, where that had to be said.
    `content`: {"actions": [...]} or {"sheet": {...}}. `refusal`: the engine's error as JSON, by language;
    `contradicted`: it follows from the deal, so that it is only for those who may see the deal.
    The database refuses to change what was handed in (`tournaments.guards`).
    """

    class State(models.TextChoices):
        PENDING = "pending"
        ACCEPTED = "accepted"
        REFUSED = "refused"
        FAILED = "failed"  # an internal error: it is in the log, and `manage.py retry` tries again
        DISPUTED = "disputed"  # the deal contradicts it: it counts until the director has looked
        AGREED = "agreed"  # another side's sheet says the same, and counts: that one is confirmed
        OPPOSED = "opposed"  # another side's sheet says something else, and counts until a scorer has looked

    COUNTED = (State.ACCEPTED, State.DISPUTED)
    TAKEN = (*COUNTED, State.AGREED, State.OPPOSED)  # whoever sent one of these has a result of the play

    play = models.ForeignKey(Play, models.PROTECT, related_name="submissions")
    sender = models.ForeignKey(
        Token, models.PROTECT, null=True, related_name="submissions", db_index=False
    )  # nobody asks by sender, and each index costs every result that is stored, and judged
    role = models.ForeignKey(Role, models.PROTECT, null=True, related_name="+", db_index=False)
    table = models.ForeignKey(Table, models.PROTECT, null=True, related_name="+", db_index=False)
    key = models.UUIDField()
    content = models.JSONField(encoder=DjangoJSONEncoder)
    created_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=20, choices=State, default=State.PENDING)
    refusal = models.JSONField(null=True)
    judged_at = models.DateTimeField(null=True)
    contradicted = models.BooleanField(db_default=False)
    seat = models.PositiveSmallIntegerField(null=True)
    remark = models.ForeignKey(Remark, models.PROTECT, null=True, related_name="+", db_index=False)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["role", "key"], condition=Q(role__isnull=False), name="submission_key_unique_of_role"
            ),
            models.UniqueConstraint(
                fields=["table", "key"],
                condition=Q(table__isnull=False),
                name="submission_key_unique_of_table",
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        *["pending", "accepted", "refused", "failed", "disputed", "agreed", "opposed"],
                    ]
                ),
                name="submission_state_known",
            ),
        ]


class Confirmation(models.Model):
    """Somebody has agreed with what was handed in for a play: another `seat` of its `table`, or an official
    by their `role` (none where it came in an archive). `sheet`: the seat's own, which said the same.
    `is_shared`: it was said on the phone that the first sheet came from."""

    submission = models.ForeignKey(Submission, models.PROTECT, related_name="confirmations")
    table = models.ForeignKey(Table, models.PROTECT, null=True, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField(null=True)
    role = models.ForeignKey(Role, models.PROTECT, null=True, related_name="+", db_index=False)
    sheet = models.ForeignKey(Submission, models.PROTECT, null=True, related_name="+", db_index=False)
    is_shared = models.BooleanField(default=False)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(seat__isnull=False, table__isnull=False, role=None)
                | Q(seat=None, table=None, sheet=None, is_shared=False),
                name="confirmation_by_a_seat_or_an_official",
            ),
        ]


class WaitingSubmission(models.Model):
    """A submission that is to be judged: there is one for each in the state "pending". Whoever judges it
    deletes this row, which is narrow. An index of the submissions by their state would cost every one that is
    judged a new entry in each of their indexes, and whoever looks for the oldest all that wait."""

    submission = models.OneToOneField(
        Submission, models.PROTECT, primary_key=True, related_name="waiting", db_constraint=False
    )  # a submission is never deleted, so that the database need not look for each


class Result(models.Model):
    """The outcome of the newest accepted submission of a play.

    By-seat lists: `scores` in the game's unit; `averaged`: the seats that get an average instead. `position`:
    its place in the order in which the session's lists take results in (`Tally.position`).
    """

    session = models.ForeignKey(Session, models.PROTECT, related_name="results", db_index=False)
    play = models.OneToOneField(Play, models.PROTECT, related_name="result")
    submission = models.OneToOneField(Submission, models.PROTECT, related_name="result")
    scores = models.JSONField()
    facts = models.JSONField()
    averaged = models.JSONField(default=list)
    sheet = models.JSONField()
    position = models.PositiveBigIntegerField()
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [models.Index("session", "position", name="result_by_position")]
