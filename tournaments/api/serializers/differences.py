"""Differences between two lists, field by field."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rest_framework import serializers

from scoring.rounding import decimals

from ...models import Ranking
from ...services import differences
from ...services.names import Named
from ..pagination import LARGEST_NUMBER
from ..strict import OnlyKnownFields
from .fields import RoundedField

SHOWN = 500
"""Contestants in one difference: those whose total changes come first."""


class StandingSerializer(serializers.Serializer[Any]):
    rank = serializers.IntegerField(allow_null=True, help_text="Null for a contestant without a place.")
    points = serializers.CharField(source="total.points", help_text="An exact fraction.")
    top = serializers.IntegerField(source="total.top")
    score = RoundedField(allow_null=True, help_text="What the list goes by: per cent, or points.")
    boards = serializers.IntegerField(source="total.boards")


class MoveSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    contestant = serializers.CharField()
    before = StandingSerializer()
    after = StandingSerializer()


class ListMovesSerializer(serializers.Serializer[Any]):
    """The same in a further list of the session."""

    number = serializers.IntegerField(help_text="Of the list.")
    name = serializers.CharField()
    count = serializers.IntegerField(help_text="All that have another total or place there.")
    moves = MoveSerializer(many=True)


class DifferenceSerializer(serializers.Serializer[Any]):
    """Whom it moves: those whose total changes first, each as in the list after; at most 500 of them."""

    count = serializers.IntegerField(help_text="All contestants with another total or place.")
    moves = MoveSerializer(many=True)
    teams = MoveSerializer(
        many=True, help_text="Of a session that has matches, the teams that it moves by these; else empty."
    )
    lists = ListMovesSerializer(
        many=True, help_text="Each further list of the session in which it moves any."
    )


class InvariantsSerializer(serializers.Serializer[Any]):
    """Sums and counts, made from the lines and from the contestants' totals."""

    lines = serializers.IntegerField(help_text="Sides of boards that are compared.")
    boards = serializers.IntegerField(help_text="Boards of all contestants together.")
    points = serializers.CharField(
        help_text="Points of all contestants together, an exact fraction; without artificial scores that"
        " depend on other boards, and without penalties, bonuses and carry-overs."
    )
    shared_out = serializers.IntegerField(
        help_text="Lines that give exactly as much as if everybody had an average: all plain ones, where the"
        " method promises it."
    )
    holds = serializers.BooleanField(help_text="Whether both sides agree, and every such line does.")


class RankingVersionSerializer(serializers.ModelSerializer[Ranking]):
    """A version of a ranking, without what it says of all contestants."""

    digest = serializers.CharField(
        help_text="SHA-256 of all that it was made from; empty in those of older releases."
    )
    rules = serializers.IntegerField(allow_null=True, help_text="The version of the rules of comparison.")
    invariants = InvariantsSerializer(allow_null=True)

    class Meta:
        model = Ranking
        fields = ["version", "created_at", "digest", "rules", "invariants"]


class VersionsWishSerializer(OnlyKnownFields):
    """Which versions."""

    to = serializers.IntegerField(
        min_value=1, max_value=LARGEST_NUMBER, required=False, help_text="By default the newest."
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        earlier = serializers.IntegerField(
            min_value=1, max_value=LARGEST_NUMBER, required=False, help_text="By default the one before it."
        )
        return {"from": earlier, **super().get_fields()}  # a word that Python keeps for itself


class CauseSerializer(serializers.Serializer[Any]):
    """What came between two versions."""

    kind = serializers.ChoiceField(choices=[one.value for one in differences.CauseKind])
    board = serializers.IntegerField(allow_null=True, help_text="Null where it is about no board alone.")
    section = serializers.CharField(allow_null=True)
    table = serializers.IntegerField(allow_null=True)
    ruling = serializers.IntegerField(allow_null=True, help_text="The id of a ruling.")
    number = serializers.IntegerField(
        allow_null=True, help_text="Of the contestant whom a ruling is about, not one of its plays."
    )


class CausedMoveSerializer(MoveSerializer):
    boards = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Those among the causes that the contestant has played; empty for one who is only passed.",
    )


class VersionDifferenceSerializer(serializers.Serializer[Any]):
    """Who moved between two versions, and why: those whose total changes first, each as in the later version;
    at most 500 of them, and of the causes."""

    session = serializers.IntegerField()
    live = serializers.BooleanField(help_text="Whether these are versions of the live list.")
    first = serializers.IntegerField(help_text="The earlier version.")
    last = serializers.IntegerField(help_text="The later version.")
    count = serializers.IntegerField(help_text="All contestants with another total or place.")
    cause_count = serializers.IntegerField()
    causes = CauseSerializer(many=True)
    moves = CausedMoveSerializer(many=True)


Figures = tuple[dict[str, Any], dict[str, Any]]
"""Of a contestant, before and after."""


def moves_data(shown: Sequence[differences.Move], named: Mapping[int, Named]) -> list[dict[str, Any]]:
    """In the form of `MoveSerializer`. Written here and not by it: of the 20 ms that a difference may take,
    its fields would need 60 for 500 contestants."""
    return _with_names([one.contestant for one in shown], _figures(shown), named)


def moves_between_versions(found: differences.Moves, named: Mapping[int, Named]) -> list[dict[str, Any]]:
    """The same of two versions: their figures never change, names may with each answer."""
    return _with_names(found.contestants[:SHOWN], _kept_figures(found), named)


@lru_cache(maxsize=4)
def _kept_figures(found: differences.Moves) -> list[Figures]:
    return _figures(found[:SHOWN])


def _with_names(
    contestants: Sequence[int], figures: Sequence[Figures], named: Mapping[int, Named]
) -> list[dict[str, Any]]:
    rows = []
    for contestant, (before, after) in zip(contestants, figures, strict=True):
        one = named[contestant]
        rows.append({"number": one.number, "contestant": one.name, "before": before, "after": after})
    return rows


def _figures(shown: Sequence[differences.Move]) -> list[Figures]:
    figures = []
    for one in shown:
        before = _standing_data(one.before)
        if one.after.total is one.before.total:
            figures.append((before, before | {"rank": one.after.rank}))  # most are only passed
        else:
            figures.append((before, _standing_data(one.after)))
    return figures


def _standing_data(standing: differences.ListStanding) -> dict[str, Any]:
    total, score = standing.total, standing.score
    return {
        "rank": standing.rank,
        "points": str(total.points),
        "top": total.top,
        "score": None if score is None else decimals(score),
        "boards": total.boards,
    }


def causes_data(causes: Sequence[differences.Cause], named: Mapping[int, Named]) -> list[dict[str, Any]]:
    return [
        {
            "kind": one.kind.value,
            "board": one.board,
            "section": None if one.place is None else one.place[0],
            "table": None if one.place is None else one.place[1],
            "ruling": one.ruling,
            "number": None if one.contestant is None else named[one.contestant].number,
        }
        for one in causes
    ]
