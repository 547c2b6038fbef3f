"""The joint field of a leg, field by field."""

from typing import Any

from rest_framework import serializers

from ...services import fields
from ..pagination import LARGEST_NUMBER
from ..strict import OnlyKnownFields
from .fields import RoundedField, TextField


class FieldWishSerializer(OnlyKnownFields):
    """Which list of a field."""

    version = serializers.IntegerField(
        min_value=1, max_value=LARGEST_NUMBER, required=False, help_text="By default the newest."
    )
    club = TextField(max_length=80, default="", help_text="Only those who played there: its short name.")
    region = TextField(max_length=80, default="", help_text="Only those who played at its clubs.")


class FieldPlaceSerializer(serializers.Serializer[Any]):
    """A place in the joint field of a leg. Whoever has no place has an empty rank."""

    line_group = serializers.IntegerField(
        help_text="Those of one group can be compared; each group is ranked by itself, one after the other.",
    )
    rank = serializers.CharField(source="place.rank", help_text="In this list: “3”, or “3=” when shared.")
    field_rank = serializers.CharField(help_text="In the whole field.")
    region_rank = serializers.CharField(help_text="In the region of the club; empty for a club without one.")
    club_rank = serializers.CharField(help_text="At the club, by the same scores.")
    number = serializers.IntegerField(source="named.number", help_text="At the club.")
    contestant = serializers.CharField(source="named.name")
    club = serializers.CharField(source="club.slug", help_text="Its short name.")
    club_name = serializers.CharField(source="club.name")
    region = serializers.CharField(source="club.region")
    points = serializers.CharField(source="place.total.points", help_text="An exact fraction.")
    top = serializers.IntegerField(
        source="place.total.top", help_text="What the points are out of; 0 where a method has no top."
    )
    score = RoundedField(
        source="place.total.value", allow_null=True, help_text="What it is ranked by: per cent, or points."
    )
    boards = serializers.IntegerField(source="place.total.boards")
    own_rank = serializers.CharField(
        source="own.rank",
        default=None,
        allow_null=True,
        help_text="In the club’s own ranking, by its own method: in the list of a club, for whoever may see"
        " that ranking; null for others.",
    )
    own_score = RoundedField(source="own.total.value", default=None, allow_null=True)


class FieldSerializer(serializers.Serializer[Any]):
    """A page of a list of the joint field."""

    leg = serializers.IntegerField()
    version = serializers.IntegerField(help_text="0 under embargo, and before a club has sent its results.")
    created_at = serializers.DateTimeField(allow_null=True)
    clubs = serializers.ListField(child=serializers.CharField(), help_text="Those that count.")
    regions = serializers.ListField(child=serializers.CharField())
    count = serializers.IntegerField(help_text="All places, of all pages.")
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    places = FieldPlaceSerializer(many=True)


class FieldNewsSerializer(serializers.Serializer[Any]):
    club = serializers.CharField(help_text="Its short name.")
    what = serializers.ChoiceField(
        choices=[fields.IN, fields.OUT, fields.MENDED],
        help_text="`in`: its results are taken in; `out`: they count no more; `mended`: they are others.",
    )
    reason = serializers.CharField(
        help_text="Why it was left out or taken in again; empty where nobody said."
    )


class FieldVersionSerializer(serializers.Serializer[Any]):
    """A version of the joint field."""

    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    news = FieldNewsSerializer(many=True, help_text="What is other than in the version before.")
