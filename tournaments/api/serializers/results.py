"""What is handed in, and the rankings and histories that follow, field by field."""

from typing import Any, ClassVar

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from ...models import HistoryEntry, HistorySeal, Session, Submission
from ...services import disputes, submissions
from ..pagination import LARGEST_NUMBER
from ..strict import OnlyKnownFields
from . import plain_entries
from .fields import (
    OBJECT,
    KeyField,
    MomentField,
    PlainObjectField,
    RoundedField,
    TextField,
    shown_object,
)

REFUSAL = OBJECT | {
    "nullable": True,
    "required": ["message"],
    "properties": {
        "type": {"type": "string", "description": "For programs: what kind of refusal it is."},
        "message": {"type": "string", "description": "For people, in their language."},
        "clause": {"type": "string", "nullable": True, "description": "Where the rule stands."},
    },
}


class EntrySerializer(OnlyKnownFields):
    """A result to hand in: the actions of a record, or a result sheet."""

    section = TextField(max_length=plain_entries.SECTION, default="A")
    table = serializers.IntegerField(min_value=1, max_value=plain_entries.HIGHEST_NUMBER)
    board = serializers.IntegerField(min_value=1, max_value=plain_entries.HIGHEST_NUMBER)
    key = KeyField(help_text="Made by the sender: the same result again has the same key.")
    actions = serializers.ListField(
        child=TextField(max_length=plain_entries.ACTION), max_length=plain_entries.ACTIONS, required=False
    )
    sheet = PlainObjectField(required=False)
    check = TextField(
        max_length=1,
        default="",
        allow_blank=True,
        help_text="The letter on the board's wallet, if it has one.",
    )
    seat = serializers.IntegerField(
        min_value=1,
        max_value=plain_entries.SEATS,
        default=None,
        allow_null=True,
        help_text="The seat whose phone a table uses; null where one phone speaks for all.",
    )
    reason = TextField(
        max_length=plain_entries.REASON,
        default="",
        allow_blank=True,
        help_text="Why it differs from a result that was confirmed, or whose board is over.",
    )

    def validate(self, attrs: dict[str, Any]) -> submissions.ResultEntry:
        content: dict[str, Any] = {name: attrs.pop(name) for name in ("actions", "sheet") if name in attrs}
        if len(content) != 1:
            raise serializers.ValidationError(_("Give either the actions or a sheet."))
        return submissions.ResultEntry(**attrs, content=content)


class EntriesSerializer(OnlyKnownFields):
    submissions = serializers.ListField(
        child=EntrySerializer(), min_length=1, max_length=plain_entries.AT_ONCE
    )


def one_entry(data: Any) -> list[submissions.ResultEntry]:
    """The result that a body says; ValidationError says which fields are wrong."""
    given = EntrySerializer(data=data)
    given.is_valid(raise_exception=True)
    return [given.validated_data]


def many_entries(data: Any) -> list[submissions.ResultEntry]:
    """The results that a body says, likewise."""
    if (plain := plain_entries.many(data)) is not None:
        return plain
    given = EntriesSerializer(data=data)
    given.is_valid(raise_exception=True)
    entries: list[submissions.ResultEntry] = given.validated_data["submissions"]
    return entries


class SubmissionSerializer(serializers.ModelSerializer[Submission]):
    """`refusal` says, in the caller's language, what was wrong and what would be right; its `clause` is the
    address of the rule, if it is one of the game's. What follows from the deal of a board is left out for
    those who may not see it: a `disputed` result looks accepted, but to those who direct the session, and
    records of play are shown to their table alone. An official who plays in the session sees only their own
    content of boards that are not over."""

    session = serializers.IntegerField(source="play.table.section.session_id")
    section = serializers.CharField(source="play.table.section.name")
    table = serializers.IntegerField(source="play.table.number")
    board = serializers.IntegerField(source="play.board.number")
    state = serializers.SerializerMethodField()
    refusal = serializers.SerializerMethodField()
    content = serializers.SerializerMethodField()

    class Meta:
        model = Submission
        fields = [
            *["id", "key", "session", "section", "table", "board", "state", "refusal", "content"],
            *["created_at", "judged_at", "seat"],
        ]

    @extend_schema_field(REFUSAL)
    def get_refusal(self, submission: Submission) -> Any:
        if not self._knows_result(submission):
            return None
        if self._sees_deal(submission):
            refusal = submission.refusal
        else:
            refusal = disputes.refusal_shown(submission, submission.play.board.number)
        return refusal and refusal[language()]

    @extend_schema_field(serializers.ChoiceField(choices=Submission.State.choices))
    def get_state(self, submission: Submission) -> str:
        is_told = self.context["sight"].is_told_disputes(submission.play.board_id)
        return submission.state if is_told else disputes.state_shown(submission)

    @extend_schema_field(OBJECT)
    def get_content(self, submission: Submission) -> Any:
        """The actions of a record are null for those who may not see the deal that they play, and a sheet
        for those who may not know the result."""
        if not self._knows_result(submission):
            return dict.fromkeys(submission.content)
        if self.context["sight"].own or self._sees_deal(submission) or "actions" not in submission.content:
            return submission.content
        return {"actions": None}

    def _knows_result(self, submission: Submission) -> bool:
        sight = self.context["sight"]
        is_told = sight.results is None or submission.play.board_id in sight.results
        return is_told or submission.role_id == sight.role

    def _sees_deal(self, submission: Submission) -> bool:
        return submission.play.board_id in self.context["sight"].boards


class StoredSubmissionsSerializer(serializers.Serializer[Any]):
    submissions = SubmissionSerializer(many=True)


def language() -> str:
    """The reader's."""
    return (get_language() or "en")[:2]


def submission_data(stored: submissions.Stored, language: str) -> dict[str, Any]:
    """What `SubmissionSerializer` shows of a submission, without its fields being made again each time."""
    return {
        "id": stored.pk,
        "key": stored.key,
        "session": stored.session,
        "section": stored.section,
        "table": stored.table,
        "board": stored.board,
        "state": stored.state,
        "refusal": stored.refusal and stored.refusal[language],
        "content": stored.content,
        "created_at": stored.created_at,
        "judged_at": stored.judged_at,
        "seat": stored.seat,
    }


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


class RankingWishSerializer(OnlyKnownFields):
    version = serializers.IntegerField(
        min_value=1, max_value=LARGEST_NUMBER, required=False, help_text="By default the newest."
    )


def wanted_version(request: Request) -> int | None:
    """The version of a ranking that a request asks for; None for the newest."""
    wish = RankingWishSerializer(
        data={name: text for name, text in request.query_params.items() if name == "version"}
    )
    wish.is_valid(raise_exception=True)
    version: int | None = wish.validated_data.get("version")
    return version


class RankingSerializer(serializers.Serializer[Any]):
    """A page of a version of a ranking."""

    session = serializers.IntegerField()
    version = serializers.IntegerField(help_text="0 before the first.")
    live = serializers.BooleanField(
        help_text="Whether it counts only boards that are over: the list that everybody sees while the"
        " session is played, with versions of its own."
    )
    state = serializers.ChoiceField(choices=Session.State.choices)
    created_at = serializers.DateTimeField(allow_null=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    places = PlaceSerializer(many=True)


class HistoryEntrySerializer(serializers.ModelSerializer[HistoryEntry]):
    actor = serializers.CharField(
        help_text="Who, by the name that they have today; “worker” is the service, “operator” a command."
    )
    changes = shown_object(
        allow_null=True, help_text="By field, from what to what; null where nothing was changed."
    )
    detail = shown_object(help_text="What else is to be known of it.")
    reason = serializers.SerializerMethodField(
        help_text="Why, where that is asked; null where it is not, where it has been erased, and where it "
        "would tell results."
    )

    class Meta:
        model = HistoryEntry
        fields = [
            *["id", "at", "actor", "agent", "account", "role", "verb", "subject", "changes", "detail"],
            "reason",
        ]

    @extend_schema_field({"type": "string", "nullable": True})
    def get_reason(self, entry: HistoryEntry) -> str | None:
        if entry.remark is None or entry.remark_id in self.context["hidden"]:
            return None
        return entry.remark.text or None


class HistoryWishSerializer(OnlyKnownFields):
    """Which entries of a history; without any of these, all of them."""

    account = serializers.IntegerField(
        min_value=1, max_value=LARGEST_NUMBER, required=False, help_text="Whose: an account's id."
    )
    agent = serializers.ChoiceField(
        HistoryEntry.Agent.choices, required=False, help_text="What kind of actor did it."
    )
    verb = TextField(max_length=40, required=False, help_text="What was done, as entries say it.")
    subject = TextField(max_length=80, required=False, help_text="To what, as entries say it.")
    since = MomentField(required=False, help_text="From this moment on.")
    until = MomentField(required=False, help_text="Before this moment.")

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """As `HistoryEntry` is filtered."""
        given: dict[str, Any] = super().to_internal_value(data)
        names = {"since": "at__gte", "until": "at__lt"}
        return {names.get(name, name): value for name, value in given.items()}


class HistorySealSerializer(serializers.ModelSerializer[HistorySeal]):
    """A seal on entries of a history; `previous` is the digest of the seal before it."""

    class Meta:
        model = HistorySeal
        fields = ["number", "made_at", "first", "last", "count", "previous", "digest"]
        extra_kwargs: ClassVar[dict[str, Any]] = {
            "first": {"help_text": "The id of its first entry."},
            "last": {"help_text": "The id of its last entry."},
        }
