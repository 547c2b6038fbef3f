"""Movements, guides and plans, field by field."""

from typing import Any

from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.rounding import decimals

from ...movements import FAMILIES, IN_PLACES, RESTS, Candidate, Quality
from ...services.reseating import Kind
from ..strict import OnlyKnownFields
from .fields import EntrantField, FlagField, TextField, publishable_names, reason_field


class WishSerializer(OnlyKnownFields):
    """What kind of evening a movement is wanted for."""

    game = serializers.CharField(max_length=40)
    contestants = serializers.IntegerField(min_value=2, max_value=120)
    boards = serializers.IntegerField(
        min_value=1, max_value=100, help_text="How many each contestant wants to play."
    )
    seats = serializers.IntegerField(
        min_value=2, max_value=7, required=False, help_text="Where a game leaves the choice."
    )
    copies = serializers.IntegerField(
        min_value=1, max_value=200, required=False, help_text="Of each board; by default as many as needed."
    )
    one_ranking = serializers.BooleanField(required=False, allow_null=True, default=None)
    sit_outs = serializers.BooleanField(default=True, help_text="Whether anybody may sit out.")
    single = serializers.BooleanField(
        default=False,
        help_text="Only those in which every board is at one table at a time (or at two, which pass theirs to"
        " each other), as it has to be where the tables shuffle their own cards.",
    )


class RangeSerializer(serializers.Serializer[Any]):
    least = serializers.IntegerField()
    most = serializers.IntegerField()


class MeasuresSerializer(serializers.Serializer[Any]):
    """How fair a movement is."""

    balance = serializers.SerializerMethodField(help_text="From 0 to 100; null where nobody is compared.")
    seats = serializers.IntegerField(help_text="How uneven, in boards.")
    meetings = RangeSerializer()
    repeats = serializers.IntegerField(help_text="Meetings of all pairs that are not their first.")
    shared_boards = RangeSerializer()
    sit_outs = RangeSerializer()
    boards_played = RangeSerializer(source="boards")

    def get_balance(self, measures: Quality) -> str | None:
        return None if measures.balance is None else decimals(measures.balance, 1)


class SuitableMovementSerializer(serializers.Serializer[Any]):
    """A suitable movement, as `POST …/sessions/` takes it."""

    movement = serializers.ChoiceField(list(FAMILIES), source="family")
    rounds = serializers.IntegerField(source="movement.rounds")
    boards_per_round = serializers.SerializerMethodField()
    boards = serializers.IntegerField(source="movement.boards", help_text="In all.")
    copies = serializers.IntegerField(source="movement.copies", help_text="Of each board, in one round.")
    contestants = serializers.IntegerField()
    seats = serializers.IntegerField(help_text="At each table; of a game of partners, sides.")
    one_ranking = serializers.BooleanField(help_text="If not, each line has a ranking of its own.")
    method = serializers.CharField(
        allow_null=True, help_text="The one method of comparison that makes sense; null where any does."
    )
    reason = serializers.SerializerMethodField(help_text="Why there is only one method.")
    quality = MeasuresSerializer()
    without_one = serializers.SerializerMethodField(
        help_text="The worst of each measure when one contestant stays away; null where no table is left, "
        "and for more than 24."
    )

    def get_boards_per_round(self, candidate: Candidate) -> int:
        first = candidate.movement.sittings[0]
        same = [s for s in candidate.movement.sittings if (s.round, s.table) == (first.round, first.table)]
        return len(same)

    @extend_schema_field(MeasuresSerializer(allow_null=True))
    def get_without_one(self, candidate: Candidate) -> Any:
        measures = candidate.without_one if candidate.contestants <= 24 else None
        return None if measures is None else MeasuresSerializer(measures).data

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_reason(self, candidate: Candidate) -> str | None:
        reason = candidate.reason
        return None if reason is None else reason.to((get_language() or "en")[:2])


class CandidateSerializer(SuitableMovementSerializer):
    """A suitable movement; where everybody plays at tables of two sizes, two, each a session of its own."""

    beside = SuitableMovementSerializer(
        many=True, help_text="For those at tables of another size, whose deals differ."
    )


class ReplanSerializer(OnlyKnownFields):
    """Who leaves and who arrives, and after which round."""

    after = serializers.IntegerField(min_value=0, max_value=400, help_text="0: before the first round.")
    leaving = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=1_000_000), default=list, max_length=1000
    )
    arriving = serializers.ListField(child=EntrantField(), default=list, max_length=1000)
    rest = serializers.ChoiceField(
        choices=RESTS,
        default=IN_PLACES,
        help_text="Where boards travel and nobody leaves, how those who arrive come in: `sit-outs`, beside"
        " those who sit out; `anew`, everybody has another movement for the rounds to come.",
    )
    names_may_be_published = publishable_names()
    dry_run = FlagField(default=False, help_text="Only say what it would cost, as the job’s `outcome`.")


class MovedSerializer(OnlyKnownFields):
    """A table has not sat, or played, as planned: `seats` in another `order`, `turned` (the sides have
    changed places), or other `boards`, in place of the round's own."""

    kind = serializers.ChoiceField(choices=[str(kind) for kind in Kind])
    section = TextField(max_length=20, default="A")
    table = serializers.IntegerField(min_value=1, max_value=1_000_000)
    round = serializers.IntegerField(min_value=1, max_value=1_000_000)
    order = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=20),
        max_length=20,
        required=False,
        help_text="By seat, whose planned seat its occupant had: [2, 1, 3] if the first two changed places.",
    )
    boards = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=1_000_000),
        max_length=100,
        required=False,
        help_text="What was played, in the order of the round's own boards.",
    )
    reason = reason_field()
    confirm = FlagField(
        default=False, help_text="The table has played a board of which all others have results already."
    )
    dry_run = FlagField(default=False, help_text="Only say what it would cost.")


class ExactMeasuresSerializer(serializers.Serializer[Any]):
    balance = serializers.CharField(allow_null=True, help_text="An exact fraction, from 0 to 100.")
    seats = serializers.IntegerField()
    meetings = RangeSerializer()
    repeats = serializers.IntegerField()
    shared_boards = RangeSerializer()
    sit_outs = RangeSerializer()
    boards = RangeSerializer()


class PlayedTwiceSerializer(serializers.Serializer[Any]):
    contestant = serializers.IntegerField()
    board = serializers.IntegerField()


class CostSerializer(serializers.Serializer[Any]):
    """The measures of the evening before and after a change, and who would play a board again."""

    before = ExactMeasuresSerializer()
    after = ExactMeasuresSerializer()
    twice = PlayedTwiceSerializer(many=True)


class StopSerializer(serializers.Serializer[Any]):
    round = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True, help_text="Null for a sit-out.")
    seats = serializers.ListField(
        child=serializers.IntegerField(), help_text="One (a side's), or one for each board if they change."
    )
    others = serializers.ListField(child=serializers.IntegerField(), help_text="Who else sits there.")
    boards = serializers.ListField(child=serializers.IntegerField())


class ContestantGuideSerializer(serializers.Serializer[Any]):
    """A contestant's evening. The section is null for one who never plays in several."""

    section = serializers.CharField(allow_null=True)
    number = serializers.IntegerField()
    name = serializers.CharField()
    rounds = StopSerializer(many=True)


class TableRoundSerializer(serializers.Serializer[Any]):
    round = serializers.IntegerField()
    boards = serializers.ListField(child=serializers.IntegerField())
    contestants = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), help_text="By board, then by seat."
    )


class TableGuideSerializer(serializers.Serializer[Any]):
    """A table's evening."""

    section = serializers.CharField()
    table = serializers.IntegerField()
    rounds = TableRoundSerializer(many=True)


class TravelSerializer(serializers.Serializer[Any]):
    """A place on a board's way."""

    board = serializers.IntegerField()
    round = serializers.IntegerField()
    section = serializers.CharField()
    table = serializers.IntegerField()
