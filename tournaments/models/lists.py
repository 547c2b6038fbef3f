"""The lists of a session besides its ranking, as its organiser has set them up; and the penalties, the
bonuses and the formulas for master points that a club has agreed on."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import pgettext_lazy

from .clubs import Club
from .tournaments import Session


class SessionList(models.Model):
    """One list of a session. What it shows is not stored: it follows from the session's one ranking.

    `number`: its address in the session, never given again. `about`: which line group, section, club or
    category it is of, as `kind` says (`teams`: by what their contestants won together; `matches`: by what
    they gained in their matches); the contestants of a club or category are those all of whose players
    belong to it. `method`: another than the session's, with its options. `award_factor`: of the master points
    that it gives, exact; "" for none. `formula`, `formula_text`: by which of the club's formulas, and what it
    said when the list was set up; "" for the built-in scale. `handicaps`: by contestant (its number), exact.
    `changes`: how often it has been set up again.
    """

    class Kind(models.TextChoices):
        OVERALL = "overall", pgettext_lazy("list", "overall")
        LINE_GROUP = "line-group", pgettext_lazy("list", "line group")
        SECTION = "section", pgettext_lazy("list", "section")
        CLUB = "club", pgettext_lazy("list", "club")
        CATEGORY = "category", pgettext_lazy("list", "category")
        HANDICAP = "handicap", pgettext_lazy("list", "handicap")
        TEAMS = "teams", pgettext_lazy("list", "teams")
        MATCHES = "matches", pgettext_lazy("list", "matches")

    OF_TEAMS = (Kind.TEAMS, Kind.MATCHES)  # which rank teams, and not contestants

    session = models.ForeignKey(Session, models.PROTECT, related_name="lists", db_index=False)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=20, choices=Kind)
    about = models.CharField(max_length=80, blank=True)
    method = models.CharField(max_length=40, blank=True)
    method_options = models.JSONField(default=dict)
    tie_breaks = models.JSONField(default=list)
    min_boards = models.PositiveIntegerField(default=1)
    award_factor = models.CharField(max_length=30, blank=True)
    formula = models.CharField(max_length=80, blank=True, default="", db_default="")
    formula_text = models.TextField(blank=True, default="", db_default="")
    handicaps = models.JSONField(default=dict)
    changes = models.PositiveIntegerField(default=0)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "list"
        constraints = [
            models.UniqueConstraint("session", "number", name="listing_unique"),
            models.CheckConstraint(
                condition=Q(
                    kind__in=[
                        *["overall", "line-group", "section", "club", "category", "handicap"],
                        *["teams", "matches"],
                    ]
                ),
                name="list_kind_known",
            ),
            models.CheckConstraint(condition=Q(min_boards__gte=1), name="list_min_boards_from_1"),
        ]


class CataloguePenalty(models.Model):
    """A penalty or a bonus of a club's catalogue: what slow play costs there, so that it costs everybody the
    same. Rulings name it, and keep what it was then. `retired_at`: since when no new ruling may name it."""

    class Kind(models.TextChoices):
        PENALTY = "penalty", pgettext_lazy("ruling", "penalty")
        BONUS = "bonus", pgettext_lazy("ruling", "bonus")

    club = models.ForeignKey(Club, models.PROTECT, related_name="penalties", db_index=False)
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=20, choices=Kind)
    amount = models.CharField(max_length=30)
    unit = models.CharField(max_length=20)
    retired_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "catalogue penalty"
        constraints = [
            models.UniqueConstraint(
                "club", "name", condition=Q(retired_at=None), name="catalogue_penalty_name_unique"
            ),
            models.CheckConstraint(condition=Q(kind__in=["penalty", "bonus"]), name="catalogue_penalty_kind"),
        ]
        indexes = [models.Index("club", "id", name="catalogue_penalty_of_club")]


class AwardFormula(models.Model):
    """A formula for master points that a club goes by (`scoring.formulas`): it is never changed. Lists name
    it, and keep what it was then. `retired_at`: since when no list that is set up may name it."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="award_formulas", db_index=False)
    name = models.CharField(max_length=80)
    text = models.TextField()
    retired_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "club", "name", condition=Q(retired_at=None), name="award_formula_name_unique"
            ),
        ]
        indexes = [models.Index("club", "id", name="award_formula_of_club")]
