"""Boards at tables: who sits where, what was handed in, and what came of it."""

from __future__ import annotations

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Exists, OuterRef, Q

from .boards import Board
from .people import Token
from .tournaments import Contestant, Section, Session, Table


class PlayQuerySet(models.QuerySet["Play"]):
    def visible_to(self, viewer: Token | None) -> PlayQuerySet:
        """Who sat where, and the results: for everybody once the session is over and published, before that
        for those concerned."""
        session = "table__section__session"
        over = Q(**{f"{session}__state": Session.State.FINISHED, f"{session}__published": True})
        if viewer is None:
            return self.filter(over)
        if viewer.organised_club:
            return self.filter(over | Q(**{f"{session}__tournament__club": viewer.organised_club}))
        if viewer.scored_club:
            return self.filter(over | Q(table__section__club=viewer.scored_club))
        if viewer.table_id:
            return self.filter(over | Q(table=viewer.table_id))
        own = Seating.objects.filter(play=OuterRef("pk"), contestant__players=viewer.player_id)
        return self.filter(over | Exists(own))

    def entered_by(self, viewer: Token | None) -> PlayQuerySet:
        """The plays whose results the viewer may enter."""
        if viewer is not None and viewer.table_id:
            return self.filter(table=viewer.table_id)
        return self.filter(table__section__in=Section.objects.entered_by(viewer))


class Play(models.Model):
    """One board to be played at one table in one round."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="plays")
    board = models.ForeignKey(Board, models.PROTECT, related_name="plays")
    round = models.PositiveIntegerField()

    objects = PlayQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("table", "board", name="play_once_at_a_table"),
            models.CheckConstraint(condition=Q(round__gte=1), name="play_round_from_1"),
        ]


class Seating(models.Model):
    """Who sits where for one play. Seats count from 1; a pair has a row for each of its seats."""

    play = models.ForeignKey(Play, models.PROTECT, related_name="seatings")
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
        return self.filter(state=Submission.State.PENDING)


class Submission(models.Model):
    """What was handed in for a play: never edited, judged once, and superseded by a later one.

    `content`: {"actions": [...]} or {"sheet": {...}}. `refusal`: the engine's error as JSON, by language.
    The database refuses to change what was handed in (`tournaments.guards`).
    """

    class State(models.TextChoices):
        PENDING = "pending"
        ACCEPTED = "accepted"
        REFUSED = "refused"
        FAILED = "failed"  # an internal error: it is in the log, and `manage.py retry` tries again

    play = models.ForeignKey(Play, models.PROTECT, related_name="submissions")
    sender = models.ForeignKey(Token, models.PROTECT, null=True, related_name="submissions")
    key = models.UUIDField()
    content = models.JSONField(encoder=DjangoJSONEncoder)
    created_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=20, choices=State, default=State.PENDING)
    refusal = models.JSONField(null=True)
    judged_at = models.DateTimeField(null=True)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("sender", "key", name="submission_key_unique"),
            models.CheckConstraint(
                condition=Q(state__in=["pending", "accepted", "refused", "failed"]),
                name="submission_state_known",
            ),
        ]
        indexes = [models.Index("play", name="submission_pending", condition=Q(state="pending"))]


class Result(models.Model):
    """The outcome of the newest accepted submission of a play.

    By-seat lists: `scores` in the game's unit; `averaged`: the seats that get an average instead. `position`:
    when the session's lists took it in (`Tally.position`); null until they have.
    """

    session = models.ForeignKey(Session, models.PROTECT, related_name="results")
    play = models.OneToOneField(Play, models.PROTECT, related_name="result")
    submission = models.OneToOneField(Submission, models.PROTECT, related_name="result")
    scores = models.JSONField()
    facts = models.JSONField()
    averaged = models.JSONField(default=list)
    sheet = models.JSONField()
    position = models.PositiveBigIntegerField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [
            models.Index("session", "position", name="result_by_position"),
            models.Index("session", name="result_not_counted", condition=Q(position=None)),
        ]
