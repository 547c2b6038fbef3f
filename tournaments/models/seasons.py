"""Seasons: many evenings of one game or of several, ranked together."""

from __future__ import annotations

from fractions import Fraction

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from . import access
from .access import Caller
from .clubs import Club
from .events import Event, Leg
from .tournaments import Session, not_under_embargo


class SeasonQuerySet(models.QuerySet["Season"]):
    def managed_by(self, caller: Caller) -> SeasonQuerySet:
        """Those that the caller runs: of the clubs that they set up, and for administrators of the federation
        its own."""
        own = Q(club=None) if access.administers_federation(caller) else Q(pk__in=[])
        return self.filter(own | access.managed(caller, club="club"))

    def visible_to(self, caller: Caller) -> SeasonQuerySet:
        """Those that everybody may read, and the caller's own."""
        run = self.model.objects.managed_by(caller).values("pk")
        return self.filter(~Q(state=Season.State.DRAFT) | Q(pk__in=run))


class Season(models.Model):
    """`club`: whose it is, None for the federation's. `measure`: how its evenings are made comparable;
    `ranked`: whether players, contestants of several players, or both have a list. `rules`: by name, as
    `scoring.seasons.SeasonRules` has them, exact numbers as text. `divisions`: the highest first, each with
    its `name` and its `members` (lists of ids of players: of one, or of a contestant's); they are of the
    first list of `ranked`, and whoever is in none plays in the last. `up`, `down`: how many go up or down.
    `handicaps`: by player (its id), exact. `prizes`: in the order in which they are given, each with its
    `name`, `count` and list (`ranked`, `category`, `handicap`, `division`). `follows`: the season before."""

    class State(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("season", "draft")
        OPEN = "open", pgettext_lazy("season", "open")
        OVER = "over", pgettext_lazy("season", "over")

    class Measure(models.TextChoices):
        PERCENT = "percent", pgettext_lazy("season", "percentages")
        STANDARD = "standard", pgettext_lazy("season", "standard scores")
        SCORE = "score", pgettext_lazy("season", "the scores as they are")

    class Ranked(models.TextChoices):
        PLAYERS = "players", pgettext_lazy("season", "players")
        CONTESTANTS = "contestants", pgettext_lazy("season", "pairs and teams")

    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="seasons")
    name = models.CharField(max_length=80)
    state = models.CharField(max_length=20, choices=State, default=State.DRAFT)
    measure = models.CharField(max_length=20, choices=Measure, default=Measure.PERCENT)
    ranked = models.JSONField()
    rules = models.JSONField(default=dict)
    divisions = models.JSONField(default=list)
    up = models.PositiveSmallIntegerField(default=1)
    down = models.PositiveSmallIntegerField(default=1)
    handicaps = models.JSONField(default=dict)
    prizes = models.JSONField(default=list)
    follows = models.ForeignKey("self", models.PROTECT, null=True, related_name="followed_by")
    created_at = models.DateTimeField(default=timezone.now)
    changes = models.PositiveIntegerField(default=0)

    objects = SeasonQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["draft", "open", "over"]), name="season_state_known"
            ),
            models.CheckConstraint(
                condition=Q(measure__in=["percent", "standard", "score"]), name="season_measure_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class CountedEveningQuerySet(models.QuerySet["CountedEvening"]):
    def published(self) -> CountedEveningQuerySet:
        """Those whose ranking everybody may see, and which is at least provisional."""
        session = Q(session__listed=True, session__is_trial=False, session__state__in=Session.RANKED)
        field = Q(leg__lifted_at__isnull=False, leg__event__state=Event.State.ANNOUNCED)
        return self.filter(session & not_under_embargo("session") | field)


class CountedEvening(models.Model):
    """An evening of a season: a session, or a leg of an event by its joint field. `weight`: exact. `results`:
    what everybody came to, packed (`services.season_results`), as it was last read from the ranking;
    `taken`: the digest of what it was read from, "" for what is to be read anew."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="evenings", db_index=False)
    session = models.ForeignKey(Session, models.PROTECT, null=True, related_name="season_evenings")
    leg = models.ForeignKey(Leg, models.PROTECT, null=True, related_name="season_evenings")
    weight = models.CharField(max_length=30, default="1")
    results = models.BinaryField(default=bytes)
    taken = models.CharField(max_length=64, blank=True, default="")

    objects = CountedEveningQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "season", "session", condition=Q(session__isnull=False), name="season_session_once"
            ),
            models.UniqueConstraint("season", "leg", condition=Q(leg__isnull=False), name="season_leg_once"),
            models.CheckConstraint(
                condition=Q(session=None, leg__isnull=False) | Q(session__isnull=False, leg=None),
                name="season_evening_is_one_thing",
            ),
        ]

    @property
    def exact_weight(self) -> Fraction:
        return Fraction(self.weight)


class SeasonTallyQuerySet(models.QuerySet["SeasonTally"]):
    def behind(self) -> SeasonTallyQuerySet:
        """Those of seasons for which something is still to be taken in."""
        return self.filter(SEASON_BEHIND)


SEASON_BEHIND = Q(changes__gt=F("counted"))


class SeasonTally(models.Model):
    """How far the evenings of a season are counted: as `FieldTally` for a field."""

    season = models.OneToOneField(Season, models.CASCADE, primary_key=True, related_name="tally")
    changes = models.PositiveBigIntegerField(default=1)
    counted = models.PositiveBigIntegerField(default=0)
    version = models.PositiveBigIntegerField(default=0)
    basis = models.CharField(max_length=64, blank=True, default="")

    objects = SeasonTallyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(counted__lte=F("changes")), name="season_not_ahead")
        ]
        indexes = [models.Index("season", name="season_behind", condition=SEASON_BEHIND)]


class SeasonStanding(models.Model):
    """A version of the standing of a season; it is never changed. `content`: its rules, its evenings, and
    what everybody came to on each, packed; places follow from it. `evenings`: those that it counts, by the id
    of each the digest of its results; `news`: of each that is other than in the version before its id, and
    "in", "out" or "mended"."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="standings", db_index=False)
    version = models.PositiveBigIntegerField()
    content = models.BinaryField()
    evenings = models.JSONField()
    news = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint("season", "version", name="season_version_unique")]
