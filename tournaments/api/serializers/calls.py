"""Calls of tables and announcements to them, field by field."""

from rest_framework import serializers

from ...models import Announcement, Call
from ...services import calls
from ..strict import OnlyKnownFields
from . import plain_entries
from .fields import TextField


class NewCallSerializer(OnlyKnownFields):
    """A table calls the director. A table's own token needs not say which."""

    section = TextField(max_length=plain_entries.SECTION, default="A")
    table = serializers.IntegerField(
        min_value=1,
        max_value=plain_entries.HIGHEST_NUMBER,
        required=False,
        help_text="Of an official who writes it down.",
    )
    reason = serializers.ChoiceField(choices=Call.Reason.choices, default=Call.Reason.DIRECTOR)
    board = serializers.IntegerField(
        min_value=1,
        max_value=plain_entries.HIGHEST_NUMBER,
        default=None,
        allow_null=True,
        help_text="Its number, if the call is about one.",
    )
    text = TextField(max_length=calls.TEXT_LETTERS, default="", allow_blank=True)


class CallStateSerializer(OnlyKnownFields):
    """An official comes, or has been there; the table takes its call back. `waiting`: an answer was given by
    mistake."""

    state = serializers.ChoiceField(choices=Call.State.choices)


class CallSerializer(serializers.ModelSerializer[Call]):
    section = serializers.CharField(source="table.section.name")
    table = serializers.IntegerField(source="table.number")
    board = serializers.IntegerField(source="board.number", allow_null=True, default=None)
    text = serializers.CharField(source="remark.text", default="", help_text="Empty once it has been erased.")
    by = serializers.CharField(
        source="role.account.name", allow_null=True, default=None, help_text="The official who comes."
    )

    class Meta:
        model = Call
        fields = [
            *["id", "section", "table", "reason", "board", "text", "state", "by"],
            *["made_at", "answered_at", "ended_at"],
        ]


class NewAnnouncementSerializer(OnlyKnownFields):
    """What all tables are to know, in place of what they were told before."""

    text = TextField(max_length=calls.ANNOUNCEMENT_LETTERS)


class AnnouncementSerializer(serializers.ModelSerializer[Announcement]):
    text = serializers.CharField(source="remark.text", help_text="Empty once it has been erased.")

    class Meta:
        model = Announcement
        fields = ["id", "text", "made_at", "ended_at"]
