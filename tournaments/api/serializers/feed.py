"""The feed, field by field."""

from typing import Any

from rest_framework import serializers

from ...models import FeedItem
from ...services import feed


class FeedItemSerializer(serializers.Serializer[Any]):
    """Something that happened. What is `gone` may no longer be seen: of it there are the ids alone."""

    id = serializers.IntegerField(help_text="Its place in the feed, and its cursor.")
    kind = serializers.ChoiceField(choices=FeedItem.Kind.choices)
    at = serializers.DateTimeField()
    gone = serializers.BooleanField(
        help_text="You may not see it any more: delete what you have of it. There are no names then."
    )
    session = serializers.IntegerField(allow_null=True, help_text="Its id, if it is about one.")
    event = serializers.IntegerField(allow_null=True, help_text="Its id, if it is about one.")
    leg = serializers.IntegerField(allow_null=True, help_text="Of the event.")
    club = serializers.CharField(allow_null=True, help_text="Its short name; null for the federation’s.")
    tournament = serializers.IntegerField(allow_null=True, help_text="Of the session.")
    name = serializers.CharField(allow_null=True, help_text="Of the session or the event, as it is now.")
    state = serializers.CharField(
        allow_null=True, help_text="The one that the session was in when it happened."
    )
    round = serializers.IntegerField(allow_null=True, help_text="Which has begun.")
    version = serializers.IntegerField(
        allow_null=True, help_text="Of the ranking, or of the joint field of the leg."
    )

    def to_representation(self, item: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation(feed.content(item, is_visible=item.is_visible))
        return shown
