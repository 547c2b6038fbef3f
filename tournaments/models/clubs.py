"""Clubs."""

from zoneinfo import ZoneInfo

from django.db import models

TIME_ZONE = "Europe/Paris"


class Club(models.Model):
    """`time_zone`: by whose clock its sessions begin; pages show their times in it."""

    name = models.CharField(max_length=200)
    slug = models.SlugField(max_length=80)
    time_zone = models.CharField(max_length=64, db_default=TIME_ZONE, default=TIME_ZONE)

    class Meta:
        constraints = [models.UniqueConstraint("slug", name="club_slug_unique")]

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)
