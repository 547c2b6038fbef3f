"""Matches of a session: who meets whom in which round, and how a match counts."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import pgettext_lazy

from .tournaments import Session


class MatchRules(models.Model):
    """How the matches of a session are counted; there is a row for each session that has matches, or whose
    rounds are planned one after the other.

    `team_size`: how many contestants are a team (two pairs, or one alone). `measure`: what the two tables of
    a board are compared in; empty where a match is played at one table, and what the session's method gives
    counts. `unit`: exact, points of the IMP scale for one unit of the score. `worth`, `steps`, `whole`: as in
    `scoring.matches.Worth`, with exact texts. `bye`, `forfeit_won`, `forfeit_lost`: exact, what these give.
    `rounds`: how many there are to be. `changes`: how often it has been set up again.
    """

    class Form(models.TextChoices):
        ROUND_ROBIN = "round-robin", pgettext_lazy("matches", "round robin")
        SWISS = "swiss", pgettext_lazy("matches", "Swiss")
        KNOCK_OUT = "knock-out", pgettext_lazy("matches", "knock-out")

    PAIRED = (Form.SWISS, Form.KNOCK_OUT)  # whose rounds are planned one after the other

    session = models.OneToOneField(Session, models.PROTECT, primary_key=True, related_name="match_rules")
    form = models.CharField(max_length=20, choices=Form)
    team_size = models.PositiveSmallIntegerField(default=1)
    rounds = models.PositiveIntegerField()
    measure = models.CharField(max_length=20, blank=True)
    unit = models.CharField(max_length=30, default="1")
    worth = models.CharField(max_length=20)
    steps = models.JSONField(default=list)
    whole = models.CharField(max_length=30, default="20")
    bye = models.CharField(max_length=30)
    forfeit_won = models.CharField(max_length=30)
    forfeit_lost = models.CharField(max_length=30)
    changes = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(form__in=["round-robin", "swiss", "knock-out"]), name="match_rules_form_known"
            ),
            models.CheckConstraint(condition=Q(team_size__in=[1, 2]), name="match_rules_team_of_one_or_two"),
            models.CheckConstraint(
                condition=Q(measure__in=["", "imps", "points", "boards"]), name="match_rules_measure_known"
            ),
            models.CheckConstraint(
                condition=Q(worth__in=["scale", "table", "wins"]), name="match_rules_worth_known"
            ),
        ]

    @property
    def is_paired(self) -> bool:
        """Whether each round is planned when the one before is over."""
        return self.form in self.PAIRED


class Team(models.Model):
    """Contestants who win and lose matches together, numbered from 1. `name`: as the organiser has it; empty
    where it is its contestants'."""

    session = models.ForeignKey(Session, models.PROTECT, related_name="teams", db_index=False)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=80, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint("session", "number", name="team_number_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="team_number_from_1"),
        ]


class Match(models.Model):
    """Two teams meet in a round; or one has a bye (`second` is None). What comes of it follows from the
    plays of these teams, and from rulings. `number`: in its round, from 1; in a knock-out, the winners of two
    that follow each other meet next."""

    session = models.ForeignKey(Session, models.PROTECT, related_name="matches", db_index=False)
    round = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    first = models.ForeignKey(Team, models.PROTECT, related_name="+", db_index=False)
    second = models.ForeignKey(Team, models.PROTECT, null=True, related_name="+", db_index=False)

    class Meta:
        verbose_name_plural = "matches"
        constraints = [
            models.UniqueConstraint("session", "round", "number", name="match_number_unique"),
            models.CheckConstraint(condition=Q(round__gte=1, number__gte=1), name="match_numbers_from_1"),
            models.CheckConstraint(
                condition=Q(second=None) | ~Q(second=F("first")), name="match_of_two_teams"
            ),
        ]
