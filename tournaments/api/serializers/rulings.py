"""Rulings, field by field: what directors ask for, what it would change, and what was decided."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ...models import Ruling, Session
from ...services import ruling_words, rulings
from ..pagination import LARGEST_NUMBER
from ..strict import OnlyKnownFields
from . import plain_entries
from .fields import OBJECT, PlainObjectField, TextField

DECISIONS, OUTCOMES, GROUPS, TABLES, SEATS = 8, 8, 8, 5_000, 7
WHERE = ("place", "board")  # of a ruling's content
EXACT = re.compile(r"-?\d{1,12}(\.\d{1,6}|/[1-9]\d{0,5})?")


class ExactField(TextField):
    """An exact number: “60”, “2.5” or “1/3”."""

    default_error_messages: ClassVar = {
        "exact": gettext_lazy("This is an exact number, such as “60”, “2.5” or “1/3”.")
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=30, **options)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not EXACT.fullmatch(text):
            self.fail("exact")
        return str(Fraction(text))


def section() -> TextField:
    return TextField(max_length=plain_entries.SECTION, default="A")


def number(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=plain_entries.HIGHEST_NUMBER, **options)


class OutcomeSerializer(OnlyKnownFields):
    """One of the outcomes of a board, with its weight: its scores by seat, or a result sheet."""

    weight = ExactField(default="1", help_text="A part of 1: “1/2”, or “0.3”.")
    scores = serializers.ListField(
        child=serializers.IntegerField(min_value=-rulings.LARGEST_SCORE, max_value=rulings.LARGEST_SCORE),
        max_length=SEATS,
        required=False,
        help_text="By seat, in the game's smallest unit.",
    )
    sheet = PlainObjectField(required=False, help_text="Judged without the deal.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("scores" in attrs) == ("sheet" in attrs):
            raise serializers.ValidationError(_("Give either scores or a sheet."))
        return attrs


class DecisionSerializer(OnlyKnownFields):
    """What counts for some seats in place of the score."""

    kind = serializers.ChoiceField(choices=["artificial", "assigned", "annulled", "not-played"])
    seats = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=SEATS),
        max_length=SEATS,
        required=False,
        help_text="For which it holds; by default for all.",
    )
    percent = ExactField(required=False, help_text="Of an artificial score: of what can be won.")
    own = serializers.ChoiceField(
        choices=["never", "if better", "if worse"],
        required=False,
        help_text="When the share won on the other boards takes the place of an artificial score.",
    )
    outcomes = serializers.ListField(
        child=OutcomeSerializer(),
        min_length=1,
        max_length=OUTCOMES,
        required=False,
        help_text="Of an assigned score; several make a weighted one, and their weights sum to 1.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        needed = {"artificial": {"percent"}, "assigned": {"outcomes"}}.get(attrs["kind"], set())
        allowed = needed | ({"own"} if attrs["kind"] == "artificial" else set())
        given = attrs.keys() & {"percent", "own", "outcomes"}
        if not needed <= given <= allowed:
            message = _("An artificial score needs a percent, an assigned one its outcomes.")
            raise serializers.ValidationError(message)
        return attrs


class RulingOnPlaySerializer(OnlyKnownFields):
    """A ruling on one board at one table."""

    section = section()
    table = number()
    board = number()
    decisions = serializers.ListField(
        child=DecisionSerializer(),
        min_length=1,
        max_length=DECISIONS,
        help_text="Different ones split a score.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        place = rulings.PlayPlace(*(attrs[name] for name in rulings.PlayPlace._fields))
        return {"place": place, "decisions": attrs["decisions"]}


class TableSerializer(OnlyKnownFields):
    section = section()
    table = number()


class GroupSerializer(OnlyKnownFields):
    """Tables that were really dealt the same cards, other than the board's."""

    name = serializers.RegexField(r"^[\w ]+$", max_length=20, help_text="For these cards: “B”.")
    tables = serializers.ListField(child=TableSerializer(), min_length=1, max_length=TABLES)


class FouledBoardSerializer(OnlyKnownFields):
    """A board that was not the same at all tables: each group is compared by itself."""

    board = number()
    groups = serializers.ListField(child=GroupSerializer(), min_length=1, max_length=GROUPS)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        groups = [
            (group["name"], [(one["section"], one["table"]) for one in group["tables"]])
            for group in attrs["groups"]
        ]
        if len({name for name, _tables in groups}) < len(groups):
            raise serializers.ValidationError({"groups": [_("Each group needs a different name.")]})
        return {"board": attrs["board"], "groups": groups}


class RulingOnContestantSerializer(OnlyKnownFields):
    """A penalty, a bonus, a carry-over or a disqualification."""

    kind = serializers.ChoiceField(
        choices=["penalty", "bonus", "carry-over", "disqualification"], required=False
    )
    catalogue = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_NUMBER,
        required=False,
        help_text="In place of all but the contestant: an entry of the club's catalogue, its id.",
    )
    contestant = number(help_text="Its number.")
    amount = ExactField(required=False, help_text="Of a penalty or a bonus: above 0.")
    unit = serializers.ChoiceField(
        choices=["percent", "matchpoints", "imps", "vps", "points"],
        required=False,
        help_text="Per cent of what a board can give, what the session counts or, where it has matches, vps:"
        " what these give, for the contestant's team.",
    )
    won = ExactField(required=False, help_text="Of a carry-over: the points that were won before.")
    fraction = ExactField(required=False, help_text="Of a carry-over: the part of them, from 0 to 1.")
    clamp = ExactField(required=False, help_text="Of a carry-over: the most of it, either way.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        given = attrs.keys() - {"kind", "contestant"}
        if ("catalogue" in attrs) == ("kind" in attrs) or ("catalogue" in given and len(given) > 1):
            raise serializers.ValidationError(
                _("Give a kind with what belongs to it, or an entry of the catalogue.")
            )
        if "catalogue" in attrs:
            return attrs
        needed, allowed = {
            "carry-over": ({"won"}, {"won", "fraction", "clamp", "unit"}),
            "disqualification": (set(), set()),
        }.get(attrs["kind"], ({"amount"}, {"amount", "unit"}))
        if not needed <= given <= allowed:
            message = _(
                "A penalty or a bonus needs an amount, a carry-over what was won; a disqualification neither."
            )
            raise serializers.ValidationError(message)
        return attrs


class RulingOnMatchSerializer(OnlyKnownFields):
    """One team, or both, have forfeited a match."""

    round = number()
    match = number(help_text="Its number in that round.")
    lost = serializers.ListField(
        child=number(), min_length=1, max_length=2, help_text="The numbers of the teams that forfeit it."
    )


class PlannedRulingSerializer(OnlyKnownFields):
    """A ruling to look at: exactly one of `play`, `fouled`, `contestant` and `match` says what it is
    about."""

    play = RulingOnPlaySerializer(required=False)
    fouled = FouledBoardSerializer(required=False)
    contestant = RulingOnContestantSerializer(required=False)
    match = RulingOnMatchSerializer(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs.keys() & ABOUT.keys()) != 1:
            raise serializers.ValidationError(_("Give one of these: play, fouled, contestant, match."))
        return attrs

    def plan(self, session: Session) -> rulings.RulingPlan:
        (about,) = self.validated_data.keys() & ABOUT.keys()
        return ABOUT[about](session=session, **self.validated_data[about])


ABOUT: dict[str, Callable[..., rulings.RulingPlan]] = {
    "play": rulings.on_play,
    "fouled": rulings.on_fouled_board,
    "contestant": rulings.on_contestant,
    "match": rulings.on_match,
}


class NewRulingSerializer(PlannedRulingSerializer):
    """A ruling to be made: exactly one of `play`, `fouled`, `contestant` and `match` says what it
    is about."""

    reason = TextField(max_length=2_000, help_text="For those concerned.")


class RulingStateSerializer(OnlyKnownFields):
    """A ruling is taken back, never edited."""

    state = serializers.ChoiceField(choices=["reversed"])
    reason = TextField(max_length=2_000)


class RulingSerializer(serializers.ModelSerializer[Ruling]):
    """A decision of a director; `state` says whether it is in force. Where it would tell results of boards
    that are not over, a director who plays in the session is not told what was decided."""

    contestant = serializers.IntegerField(
        source="contestant.number", allow_null=True, default=None, help_text="Its number."
    )
    state = serializers.SerializerMethodField()
    content = serializers.SerializerMethodField()
    words = serializers.SerializerMethodField(help_text="What was decided, in your language.")
    reason = serializers.SerializerMethodField(
        help_text="Empty once it has been erased, and where it would tell results."
    )
    by = serializers.CharField(source="role.account.name", allow_null=True, default=None)
    role = serializers.CharField(source="role.kind", allow_null=True, default=None)
    reversed_by = serializers.CharField(source="reversed_by.account.name", allow_null=True, default=None)
    reversal_reason = serializers.SerializerMethodField(help_text="Null where it would tell results.")

    class Meta:
        model = Ruling
        fields = [
            *["id", "kind", "contestant", "content", "state", "words", "reason", "by", "role", "made_at"],
            *["reversed_at", "reversed_by", "reversal_reason"],
        ]

    @extend_schema_field(serializers.ChoiceField(choices=["in force", "reversed"]))
    def get_state(self, ruling: Ruling) -> str:
        return "in force" if ruling.reversed_at is None else "reversed"

    @extend_schema_field(OBJECT)
    def get_content(self, ruling: Ruling) -> Any:
        if not self._is_hidden(ruling):
            return ruling.content
        return {name: value for name, value in ruling.content.items() if name in WHERE}

    def get_words(self, ruling: Ruling) -> str:
        return "" if self._is_hidden(ruling) else ruling_words.of_ruling(self.context["session"], ruling)

    def get_reason(self, ruling: Ruling) -> str:
        return "" if self._is_hidden(ruling) else ruling.remark.text

    def get_reversal_reason(self, ruling: Ruling) -> str | None:
        remark = ruling.reversal_remark
        return None if remark is None or self._is_hidden(ruling) else remark.text

    def _is_hidden(self, ruling: Ruling) -> bool:
        return ruling.pk in self.context["hidden"]
