"""The feed: what has happened that others may know, in one order, for those who build on the service."""

from __future__ import annotations

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from .clubs import Club
from .events import Event, Leg
from .people import Token
from .tournaments import Session


class FeedItemQuerySet(models.QuerySet["FeedItem"]):
    def visible_to(self, viewer: Token | None) -> FeedItemQuerySet:
        """The items that have their place, with whether the viewer may see what they are about
        (`is_visible`): those that they may see, and those that everybody might have seen once."""
        return (
            self.filter(position__isnull=False)
            .annotate(is_visible=_is_visible(viewer))
            .filter(Q(is_visible=True) | Q(was_public=True))
        )


def _is_visible(viewer: Token | None) -> Q:
    sessions = Session.objects.visible_to(viewer).filter(pk=OuterRef("session"))
    events = Event.objects.visible_to(viewer).filter(pk=OuterRef("event"))
    return Q(Exists(sessions)) | Q(Exists(events))


class FeedItem(models.Model):
    """Something that happened to a session or to an event: facts alone, so that names are as they are when
    somebody reads it. It is written in the transaction of what it tells, and has a `position` once that is
    committed (`services.feed`).

    `club`: whose it is, None for the federation's; `session`: kept when the session is deleted, which
    deletes nothing here; `state`: the one that the session reached; `round`: the one that has begun; `leg`
    and `version`: of the event's lists, or the version of the session's ranking. `was_public`: everybody
    may see what it is about, or might once."""

    class Kind(models.TextChoices):
        """What happened. A new one is a line here, and in docs/api.md."""

        SESSION_PLANNED = "session.planned"
        SESSION_LISTED = "session.listed"
        SESSION_WITHDRAWN = "session.withdrawn"
        SESSION_BEGUN = "session.begun"
        SESSION_PLAYED = "session.played"
        SESSION_CANCELLED = "session.cancelled"
        ROUND_BEGUN = "round.begun"
        RANKING_PUBLISHED = "ranking.published"
        RANKING_FINAL = "ranking.final"
        RANKING_AMENDED = "ranking.amended"
        RANKING_WITHDRAWN = "ranking.withdrawn"
        EVENT_ANNOUNCED = "event.announced"
        EVENT_RANKED = "event.ranked"

    position = models.PositiveBigIntegerField(null=True)
    kind = models.CharField(max_length=30, choices=Kind)
    at = models.DateTimeField(default=timezone.now)
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="feed_items", db_index=False)
    session = models.ForeignKey(
        Session, models.DO_NOTHING, null=True, related_name="feed_items", db_index=False, db_constraint=False
    )
    event = models.ForeignKey(Event, models.PROTECT, null=True, related_name="feed_items", db_index=False)
    leg = models.ForeignKey(Leg, models.PROTECT, null=True, related_name="feed_items", db_index=False)
    state = models.CharField(max_length=20, blank=True, default="")
    round = models.PositiveIntegerField(null=True)
    version = models.PositiveBigIntegerField(null=True)
    was_public = models.BooleanField(default=False)

    objects = FeedItemQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("position", name="feed_position_unique"),
            models.CheckConstraint(
                condition=Q(session__isnull=False, event=None) | Q(session=None, event__isnull=False),
                name="feed_item_about_one",
            ),
        ]
        indexes = [
            models.Index("id", name="feed_item_unplaced", condition=Q(position=None)),
            models.Index("session", name="feed_item_of_session", condition=Q(session__isnull=False)),
            models.Index("at", name="feed_item_by_age"),
        ]


class FeedCounter(models.Model):
    """How far the feed is: the `newest` position that an item has been given, and the one up to which items
    have been `forgotten`. There is one row."""

    newest = models.PositiveBigIntegerField(default=0)
    forgotten = models.PositiveBigIntegerField(default=0)
