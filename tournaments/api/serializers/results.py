"""What is handed in, and the rankings and histories that follow, field by field."""

from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ...models import Event, Ranking, Submission
from ...services import rankings, submissions
from ..strict import OnlyKnownFields
from .fields import PlainJSONField, RoundedField


class EntrySerializer(OnlyKnownFields):
    """A result to hand in: the actions of a record, or a result sheet."""

    section = serializers.CharField(max_length=20, default="A")
    table = serializers.IntegerField(min_value=1, max_value=1_000_000)
    board = serializers.IntegerField(min_value=1, max_value=1_000_000)
    key = serializers.UUIDField(help_text="Made by the sender: the same result again has the same key.")
    actions = serializers.ListField(
        child=serializers.CharField(max_length=200), max_length=2000, required=False
    )
    sheet = PlainJSONField(required=False)
    check = serializers.CharField(
        max_length=1,
        default="",
        allow_blank=True,
        help_text="The letter on the board's wallet, if it has one.",
    )

    def validate(self, attrs: dict[str, Any]) -> submissions.Entry:
        content: dict[str, Any] = {name: attrs.pop(name) for name in ("actions", "sheet") if name in attrs}
        if len(content) != 1:
            raise serializers.ValidationError(_("Give either the actions or a sheet."))
        return submissions.Entry(**attrs, content=content)


class EntriesSerializer(OnlyKnownFields):
    submissions = serializers.ListField(child=EntrySerializer(), min_length=1, max_length=500)


class SubmissionSerializer(serializers.ModelSerializer[Submission]):
    """`refusal` says, in the caller's language, what was wrong and what would be right."""

    session = serializers.IntegerField(source="play.table.section.session_id")
    section = serializers.CharField(source="play.table.section.name")
    table = serializers.IntegerField(source="play.table.number")
    board = serializers.IntegerField(source="play.board.number")
    refusal = serializers.SerializerMethodField()

    class Meta:
        model = Submission
        fields = [
            *["id", "key", "session", "section", "table", "board", "state", "refusal", "content"],
            *["created_at", "judged_at"],
        ]

    @extend_schema_field({"type": "object", "nullable": True})
    def get_refusal(self, submission: Submission) -> Any:
        language = (get_language() or "en")[:2]
        return submission.refusal and submission.refusal[language]


class SubmissionsSerializer(serializers.Serializer[Any]):
    submissions = SubmissionSerializer(many=True)


class PlaceSerializer(serializers.Serializer[Any]):
    line_group = serializers.IntegerField(
        help_text="Those of one group can be compared; each group is ranked by itself, one after the other.",
    )
    rank = serializers.CharField(help_text="“3”, or “3=” when shared; empty before the first board.")
    number = serializers.IntegerField(source="contestant.number")
    contestant = serializers.CharField(source="contestant.name")
    points = serializers.CharField(source="total.points", help_text="An exact fraction.")
    top = serializers.IntegerField(
        source="total.top", help_text="What the points are out of; 0 where a method has no top."
    )
    percent = RoundedField(
        source="total.percentage", allow_null=True, help_text="Null before a board, and without a top."
    )
    score = RoundedField(
        source="total.value", allow_null=True, help_text="What the ranking goes by: per cent, or points."
    )
    boards = serializers.IntegerField(source="total.boards")
    change = serializers.IntegerField(help_text="Places won since the last version.")
    progress = serializers.ListField(child=RoundedField(), help_text="The score after each round.")


class RankingSerializer(serializers.ModelSerializer[Ranking]):
    state = serializers.CharField(source="session.state")
    places = serializers.SerializerMethodField()

    class Meta:
        model = Ranking
        fields = ["session", "version", "state", "created_at", "places"]

    @extend_schema_field(PlaceSerializer(many=True))
    def get_places(self, ranking: Ranking) -> Any:
        return PlaceSerializer(rankings.standings(ranking), many=True).data


class EventSerializer(serializers.ModelSerializer[Event]):
    actor = serializers.CharField(source="actor_name")

    class Meta:
        model = Event
        fields = ["id", "at", "actor", "verb", "subject", "detail"]
