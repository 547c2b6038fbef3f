"""The lists of a session, field by field."""

from typing import Any

from rest_framework import serializers

from scoring.matches import MATCH_TIE_BREAKS
from scoring.methods import METHODS
from scoring.ties import TIE_BREAKS

from ...models import SessionList
from ...services import lists
from ..strict import OnlyKnownFields
from .fields import PlainObjectField, RoundedField, TextField, shown_object
from .rulings import ExactField

MOST_BOARDS = 1_000
ALL_TIE_BREAKS = [*TIE_BREAKS, *(name for name in MATCH_TIE_BREAKS if name not in TIE_BREAKS)]


class ListSetupSerializer(OnlyKnownFields):
    """How a list is to be: of contestants or, where the session has matches, of teams."""

    name = TextField(max_length=80, help_text="What people call it.")
    kind = serializers.ChoiceField(choices=SessionList.Kind.choices, help_text="Whom it ranks.")
    about = TextField(
        max_length=80,
        default="",
        allow_blank=True,
        help_text="Which line group (its number), section (its name), club (its short name) or category. The"
        " contestants of a club or category are those all of whose players belong to it.",
    )
    method = serializers.ChoiceField(
        choices=["", *METHODS],
        default="",
        help_text="Empty: the session's, so that nothing is compared again.",
    )
    method_options = PlainObjectField(default=dict, help_text="Of that method.")
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(choices=ALL_TIE_BREAKS),
        max_length=len(TIE_BREAKS),
        default=list,
        help_text="In their order: the first that tells equal contestants apart decides. A list of matches"
        " has direct-encounter, wins, margin and opponents; one of teams has none.",
    )
    min_boards = serializers.IntegerField(
        min_value=1,
        max_value=MOST_BOARDS,
        default=1,
        help_text="Who has played fewer stands at the end, without a place.",
    )
    award_factor = ExactField(
        default="", allow_blank=True, help_text="Of the master points that it gives; empty for none."
    )
    formula = TextField(
        max_length=80,
        default="",
        allow_blank=True,
        help_text="By which of the club's formulas it gives them, by its name; empty for the built-in scale.",
    )
    handicaps = serializers.DictField(
        child=ExactField(),
        default=dict,
        help_text="Of a handicap list, by the contestant's number: per cent, or points where there are none.",
    )

    @property
    def setup(self) -> lists.ListSetup:
        return lists.ListSetup(**self.validated_data)


class SessionListSerializer(serializers.ModelSerializer[SessionList]):
    """A list of a session, as it has been set up."""

    method_options = shown_object()
    tie_breaks = serializers.ListField(child=serializers.CharField(), read_only=True)
    handicaps = serializers.DictField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = SessionList
        fields = [
            *["number", "name", "kind", "about", "method", "method_options", "tie_breaks", "min_boards"],
            *["award_factor", "formula", "formula_text", "handicaps"],
        ]


class ListPlaceSerializer(serializers.Serializer[Any]):
    line_group = serializers.IntegerField(help_text="Each group is ranked by itself, one after the other.")
    rank = serializers.CharField(
        help_text="“3”, or “3=” when shared; empty for a contestant who has played too few boards."
    )
    number = serializers.IntegerField()
    contestant = serializers.CharField()
    points = serializers.CharField(help_text="An exact fraction.")
    top = serializers.IntegerField(help_text="What the points are out of; 0 where a method has no top.")
    handicap = serializers.CharField(help_text="An exact fraction; 0 but in a handicap list.")
    score = RoundedField(allow_null=True, help_text="What the list goes by: per cent, or points.")
    boards = serializers.IntegerField()
    scratch_rank = serializers.CharField(
        allow_null=True, help_text="The rank without handicaps, in a list that has them."
    )
    before_next = serializers.ChoiceField(
        choices=["score", *ALL_TIE_BREAKS],
        allow_null=True,
        help_text="What puts it before the next: its score, or a tie-break; null where nothing does.",
    )
    tie = serializers.CharField(help_text="The same in words, where somebody has the same score.")
    master_points = RoundedField(allow_null=True, help_text="Null in a list that gives none.")


class AbsentSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    contestant = serializers.CharField()


class ListContentSerializer(serializers.Serializer[Any]):
    """A page of a list."""

    session = serializers.IntegerField()
    list = SessionListSerializer()
    version = serializers.IntegerField(help_text="Of the ranking that it follows from; 0 before the first.")
    live = serializers.BooleanField(help_text="Whether it follows from the live list.")
    state = serializers.CharField(help_text="Of the session.")
    count = serializers.IntegerField(help_text="All places, of all pages.")
    absent = AbsentSerializer(many=True, help_text="Who has not played a board, apart from the places.")
    left_out = serializers.IntegerField(
        help_text="Penalties, bonuses and carry-overs that do not count: its method counts something else."
    )
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    places = ListPlaceSerializer(many=True)
