"""What checks across the clubs of an event have found, field by field."""

from typing import Any

from rest_framework import serializers

from ...models import CheckAnswer
from ...services import event_checks
from ..strict import OnlyKnownFields
from .fields import TextField, reason_field


class CheckTableSerializer(serializers.Serializer[Any]):
    section = serializers.CharField()
    table = serializers.IntegerField()


class CheckPlayerSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="Of the contestant, at the club where it plays.")
    name = serializers.CharField()


class CheckSerializer(serializers.Serializer[Any]):
    """Something to be looked at, at one club."""

    key = serializers.CharField(help_text="By which it is answered; another once it is about other facts.")
    kind = serializers.ChoiceField(choices=event_checks.KINDS)
    club = serializers.CharField(help_text="Its short name.")
    session = serializers.IntegerField(source="entry.session_id", help_text="By which the club plays.")
    board = serializers.IntegerField(allow_null=True, help_text="Null where it is about all of them.")
    tables = CheckTableSerializer(many=True)
    contestants = CheckPlayerSerializer(many=True, help_text="Where it is about who plays.")
    reason = serializers.CharField(help_text="In the caller’s language.")
    answers = serializers.ListField(child=serializers.CharField(), help_text="What can be said to it.")
    answer = serializers.CharField(
        source="answer.answer", default=None, allow_null=True, help_text="What has been; null while it waits."
    )
    answered_at = serializers.DateTimeField(source="answer.made_at", default=None, allow_null=True)


class CheckAnswerSerializer(OnlyKnownFields):
    """What those who run the event say to a finding: `right`: it is right as it stands; `asked`: its club is
    asked by mail; `apart`: the board was dealt otherwise there, and is compared by itself."""

    key = TextField(max_length=64, help_text="Of the finding.")
    answer = serializers.ChoiceField(choices=CheckAnswer.Answer.choices)
    reason = reason_field()
