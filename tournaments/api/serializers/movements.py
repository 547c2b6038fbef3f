"""Movements, guides and plans, field by field."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.rounding import decimals

from ...movements import Candidate, Quality
from ..strict import OnlyKnownFields


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


class RangeSerializer(serializers.Serializer[Any]):
    least = serializers.IntegerField()
    most = serializers.IntegerField()


class MeasuresSerializer(serializers.Serializer[Any]):
    """How fair a movement is."""

    balance = serializers.SerializerMethodField(help_text="From 0 to 100; null where nobody is compared.")
    seats = serializers.IntegerField(help_text="How uneven, in boards.")
    meetings = RangeSerializer()
    shared_boards = RangeSerializer()
    sit_outs = RangeSerializer()
    boards_played = RangeSerializer(source="boards")

    def get_balance(self, measures: Quality) -> str | None:
        return None if measures.balance is None else decimals(measures.balance, 1)


class CandidateSerializer(serializers.Serializer[Any]):
    """A suitable movement, as `POST …/sessions/` takes it."""

    movement = serializers.CharField(source="family")
    rounds = serializers.IntegerField(source="movement.rounds")
    boards_per_round = serializers.SerializerMethodField()
    boards = serializers.IntegerField(source="movement.boards", help_text="In all.")
    copies = serializers.IntegerField(source="movement.copies", help_text="Of each board, in one round.")
    one_ranking = serializers.BooleanField(help_text="If not, each seat has a ranking of its own.")
    quality = MeasuresSerializer()
    without_one = serializers.SerializerMethodField(
        help_text="The worst of each measure when one contestant stays away; of more than 24 it is not taken."
    )

    def get_boards_per_round(self, candidate: Candidate) -> int:
        first = candidate.movement.sittings[0]
        same = [s for s in candidate.movement.sittings if (s.round, s.table) == (first.round, first.table)]
        return len(same)

    @extend_schema_field(MeasuresSerializer(allow_null=True))
    def get_without_one(self, candidate: Candidate) -> Any:
        return MeasuresSerializer(candidate.without_one).data if candidate.contestants <= 24 else None


class ReplanSerializer(OnlyKnownFields):
    """Who leaves and who arrives, and after which round."""

    after = serializers.IntegerField(min_value=0, max_value=400, help_text="0: before the first round.")
    leaving = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=1_000_000), default=list, max_length=1000
    )
    arriving = serializers.ListField(
        child=serializers.CharField(max_length=200), default=list, max_length=1000
    )


class StopSerializer(serializers.Serializer[Any]):
    round = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True, help_text="Null for a sit-out.")
    seats = serializers.ListField(
        child=serializers.IntegerField(), help_text="One (a side's), or one for each board if they change."
    )
    others = serializers.ListField(child=serializers.IntegerField(), help_text="Who else sits there.")
    boards = serializers.ListField(child=serializers.IntegerField())


class ContestantGuideSerializer(serializers.Serializer[Any]):
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
    table = serializers.IntegerField()
    rounds = TableRoundSerializer(many=True)


class TravelSerializer(serializers.Serializer[Any]):
    round = serializers.IntegerField()
    table = serializers.IntegerField()


class BoardGuideSerializer(serializers.Serializer[Any]):
    board = serializers.IntegerField()
    places = TravelSerializer(many=True)


class GuideSerializer(serializers.Serializer[Any]):
    """What is printed for a section: for each contestant, table and board, where it goes in each round."""

    section = serializers.CharField()
    contestants = ContestantGuideSerializer(many=True)
    tables = TableGuideSerializer(many=True)
    boards = BoardGuideSerializer(many=True)
