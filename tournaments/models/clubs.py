"""Clubs."""

from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import Q
from django.utils.translation import pgettext_lazy

TIME_ZONE = "Europe/Paris"


class Club(models.Model):
    """`time_zone`: by whose clock its sessions begin; pages show their times in it. `town`: where it plays,
    as visitors look for it; `region`: the clubs among which events over many clubs rank it, too. `accent`:
    the colour of its pages, "" for the green. `logo`: the digest of its logo, "" for none; the picture itself
    is its `ClubLogo`."""

    class Accent(models.TextChoices):
        """The colours that there are: `static/frontend/accents.css`."""

        GREEN = "", pgettext_lazy("colour", "green")
        PETROL = "petrol", pgettext_lazy("colour", "petrol")
        PLUM = "plum", pgettext_lazy("colour", "plum")
        MOSS = "moss", pgettext_lazy("colour", "moss")
        SEPIA = "sepia", pgettext_lazy("colour", "sepia")
        GRAPHITE = "graphite", pgettext_lazy("colour", "graphite")

    class Currency(models.TextChoices):
        """In which its fees are."""

        EUR = "EUR", pgettext_lazy("currency", "euros")
        CHF = "CHF", pgettext_lazy("currency", "Swiss francs")
        GBP = "GBP", pgettext_lazy("currency", "pounds")
        CAD = "CAD", pgettext_lazy("currency", "Canadian dollars")
        USD = "USD", pgettext_lazy("currency", "US dollars")

    name = models.CharField(max_length=200)
    slug = models.SlugField(max_length=80)
    time_zone = models.CharField(max_length=64, db_default=TIME_ZONE, default=TIME_ZONE)
    town = models.CharField(max_length=80, blank=True, db_default="", default="")
    region = models.CharField(max_length=80, blank=True, db_default="", default="")
    accent = models.CharField(max_length=20, choices=Accent, blank=True, db_default="", default="")
    currency = models.CharField(max_length=3, choices=Currency, db_default="EUR", default="EUR")
    logo = models.CharField(max_length=64, blank=True, db_default="", default="")
    logo_width = models.PositiveSmallIntegerField(db_default=0, default=0)
    logo_height = models.PositiveSmallIntegerField(db_default=0, default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint("slug", name="club_slug_unique"),
            models.CheckConstraint(
                condition=Q(accent__in=["", "petrol", "plum", "moss", "sepia", "graphite"]),
                name="club_accent_known",
            ),
            models.CheckConstraint(
                condition=Q(currency__in=["EUR", "CHF", "GBP", "CAD", "USD"]), name="club_currency_known"
            ),
        ]

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


class ClubLogo(models.Model):
    """The picture of a club's logo, as WebP: apart from the club, whose row every page reads."""

    club = models.OneToOneField(Club, models.PROTECT, primary_key=True, related_name="picture")
    content = models.BinaryField()
