"""Boards and what is played with them, field by field."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ...models import Board, Play, Result
from ...services import board_sets
from ...services.rankings import AwardBook
from ..strict import OnlyKnownFields


class ReserveSerializer(OnlyKnownFields):
    """A board that cannot be played, and why."""

    board = serializers.IntegerField(min_value=1, max_value=1_000_000)
    reason = serializers.CharField(max_length=500)


class MixInSerializer(OnlyKnownFields):
    value = serializers.CharField(max_length=200, help_text="The public value, in the form of its kind.")


class ListsSerializer(serializers.Serializer[Any]):
    """A board for people who deal it by hand."""

    board = serializers.IntegerField()
    letter = serializers.CharField()
    by_card = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2),
        help_text="Each card of a sorted pack, and where it goes.",
    )
    by_seat = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text="What lies at each place."
    )


class BoardSerializer(serializers.ModelSerializer[Board]):
    """`deal` is null while the caller may not see it, and for boards that the club itself dealt."""

    dealer = serializers.SerializerMethodField()
    letter = serializers.SerializerMethodField(help_text="For its wallet; organisers and scorers see it.")
    deal = serializers.SerializerMethodField()
    plays = serializers.IntegerField(source="play_count")
    results = serializers.IntegerField(source="result_count")

    class Meta:
        model = Board
        fields = ["id", "number", "dealer", "letter", "plays", "results", "deal"]

    def get_dealer(self, board: Board) -> int:
        return int(self.context["game"].dealer_of(board.number, self.context["session"].conditions))

    def get_letter(self, board: Board) -> str | None:
        return board_sets.letter(self.context["session"], board.number) if self.context["prints"] else None

    @extend_schema_field({"type": "object", "nullable": True})
    def get_deal(self, board: Board) -> dict[str, Any] | None:
        if board.pk not in self.context["open_boards"]:
            return None
        deal = board_sets.deal_of(self.context["session"], board.number)
        return None if deal is None else self.context["game"].show_deal(deal)


class SeatingSerializer(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    number = serializers.IntegerField(source="contestant.number")
    contestant = serializers.CharField(source="contestant.name")


class ResultSerializer(serializers.Serializer[Any]):
    """`awards` in the context: the book to read awards from."""

    submission = serializers.IntegerField(source="submission_id")
    scores = serializers.ListField(child=serializers.IntegerField())
    facts = serializers.JSONField()
    sheet = serializers.JSONField()
    awards = serializers.SerializerMethodField(help_text="Exact fractions; null until the lists count them.")

    @extend_schema_field({"type": "array", "items": {"type": "string"}, "nullable": True})
    def get_awards(self, result: Result) -> list[str] | None:
        book: AwardBook = self.context["awards"]
        return book.of(result.play)


class PlaySerializer(serializers.ModelSerializer[Play]):
    """One board at one table: who sits where, and the result (null until there is one)."""

    section = serializers.CharField(source="table.section.name")
    table = serializers.IntegerField(source="table.number")
    board = serializers.IntegerField(source="board.number")
    seatings = SeatingSerializer(many=True)
    result = serializers.SerializerMethodField()

    class Meta:
        model = Play
        fields = ["id", "section", "round", "table", "board", "seatings", "result"]

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, play: Play) -> Any:
        result = getattr(play, "result", None)
        return None if result is None else ResultSerializer(result, context=self.context).data


class TravellerSerializer(serializers.Serializer[Any]):
    """All results of one board, side by side."""

    board = BoardSerializer()
    top = serializers.IntegerField(allow_null=True, help_text="Null where a method has no top.")
    plays = PlaySerializer(many=True)
