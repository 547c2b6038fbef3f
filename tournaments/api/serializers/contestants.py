"""The contestants of a session, field by field."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ...models import Contestant
from ...services import mending
from ...services.errors import Invalid
from ...services.names import Named
from ..strict import OnlyKnownFields
from . import plain_entries
from .fields import HIGHEST, MEMBERS, TextField
from .register import RowsField


class MendedContestantSerializer(OnlyKnownFields):
    """Whom a contestant is to consist of."""

    number = serializers.IntegerField(min_value=1, max_value=plain_entries.HIGHEST_NUMBER)
    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=HIGHEST),
        min_length=1,
        max_length=MEMBERS,
        help_text="Their ids in the club's register.",
    )
    name = TextField(
        max_length=200, allow_blank=True, default="", help_text="Of its own; empty: those of its players."
    )


class MendedContestantsSerializer(OnlyKnownFields):
    """Many contestants at once."""

    contestants = RowsField(child=MendedContestantSerializer(), min_length=1, max_length=mending.AT_ONCE)

    def rows(self) -> list[mending.NewMembers | Invalid]:
        """Each row, or what is wrong with it."""
        return [self._row(row) for row in self.validated_data["contestants"]]

    def _row(self, row: dict[str, Any] | serializers.ValidationError) -> mending.NewMembers | Invalid:
        if isinstance(row, serializers.ValidationError):
            return Invalid("invalid", _("Some fields are wrong."), row.detail)
        return mending.NewMembers(row["number"], tuple(row["players"]), row["name"])


class ContestantSerializer(serializers.ModelSerializer[Contestant]):
    """A contestant of a session, by the name that you may know."""

    name = serializers.SerializerMethodField()
    players = serializers.SerializerMethodField(
        help_text="Their ids in the register, for those who run the session; null for others."
    )
    team = serializers.IntegerField(
        source="team.number", allow_null=True, default=None, help_text="Its number, where there are matches."
    )

    class Meta:
        model = Contestant
        fields = ["number", "name", "players", "line_group", "team", "came_after", "left_after"]
        extra_kwargs: ClassVar[dict[str, Any]] = {
            "line_group": {"help_text": "Those of one group are ranked together."},
            "came_after": {"help_text": "The round after which it came; 0 from the beginning."},
            "left_after": {"help_text": "The last round before it went home; null while it is there."},
        }

    def get_name(self, contestant: Contestant) -> str:
        named: dict[int, Named] = self.context["named"]
        return named[contestant.pk].name

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField(), allow_null=True))
    def get_players(self, contestant: Contestant) -> list[int] | None:
        if not self.context["runs"]:
            return None
        members = sorted(contestant.members.all(), key=lambda member: member.pk)
        return [member.player_id for member in members]


class MendedSerializer(serializers.Serializer[Any]):
    """What became of a row."""

    index = serializers.IntegerField(help_text="Which row of the request: the first is 0.")
    state = serializers.ChoiceField(choices=["changed"])
    contestant = ContestantSerializer()


class MendedAnswerSerializer(serializers.Serializer[Any]):
    contestants = MendedSerializer(many=True)


def contestants_data(shown: Sequence[Contestant], named: dict[int, Named], *, runs: bool) -> list[Any]:
    return list(ContestantSerializer(shown, many=True, context={"named": named, "runs": runs}).data)
