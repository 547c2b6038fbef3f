"""Links on guide cards, by which a contestant comes to the page of one evening."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from .tournaments import Contestant


class EveningLink(models.Model):
    """The secret on the card of a contestant, of which only the SHA-256 is kept: the newest print's alone."""

    contestant = models.OneToOneField(Contestant, models.CASCADE, related_name="evening_link")
    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("digest", name="evening_link_digest_unique"),
            models.CheckConstraint(condition=Q(ends_at__gt=F("made_at")), name="evening_link_ends"),
        ]
