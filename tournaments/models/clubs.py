"""Clubs."""

from django.db import models


class Club(models.Model):
    name = models.CharField(max_length=200)
    slug = models.SlugField(max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint("slug", name="club_slug_unique")]
