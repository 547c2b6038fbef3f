"""Events over many clubs, their legs, and the clubs that play them, field by field."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from engines import registry
from scoring.methods import METHODS

from ...models import ClubEntry, Event, Leg
from ...movements import FAMILIES
from ...services import events
from ..strict import OnlyKnownFields
from .fields import MomentField, PlainObjectField, TextField, reason_field, shown_object

State, Stage = ClubEntry.State, ClubEntry.Stage
MOST_TABLES, MOST_HOURS, MOST_CLUBS = 1_000, 1_000, 1_000


class EventSerializer(serializers.ModelSerializer[Event]):
    """An event, with its terms."""

    club = serializers.CharField(
        source="club.slug",
        default=None,
        allow_null=True,
        help_text="The short name of the club whose event it is; null for the federation’s.",
    )
    movements = serializers.ListField(
        child=serializers.CharField(), help_text="Those that a club may choose from; empty for all."
    )
    legs = serializers.IntegerField(source="leg_count", help_text="How many there are.")

    class Meta:
        model = Event
        fields = [
            *["id", "name", "club", "state", "joining", "embargo", "least_tables", "least_boards"],
            *["movements", "correction_hours", "licences", "fee", "time_zone", "legs", "created_at"],
        ]


class EventTermsSerializer(OnlyKnownFields):
    """What can be changed of an event; who may enter and the embargo only until it is announced."""

    name = TextField(max_length=200, required=False)
    joining = serializers.ChoiceField(
        choices=Event.Joining.choices, required=False, help_text="Which clubs may enter."
    )
    embargo = serializers.ChoiceField(
        choices=Event.Embargo.choices,
        required=False,
        help_text="Until when boards, travellers and lists stay closed to everybody.",
    )
    least_tables = serializers.IntegerField(
        min_value=1, max_value=MOST_TABLES, required=False, help_text="That a club plays with."
    )
    least_boards = serializers.IntegerField(
        min_value=1, max_value=events.BOARDS_AT_MOST, required=False, help_text="That a club plays."
    )
    movements = serializers.ListField(
        child=serializers.ChoiceField(choices=list(FAMILIES)),
        max_length=len(FAMILIES),
        required=False,
        help_text="Those that a club may choose from; empty for all.",
    )
    correction_hours = serializers.IntegerField(
        min_value=0,
        max_value=MOST_HOURS,
        required=False,
        help_text="For how long a club mends results after it has sent them.",
    )
    licences = serializers.ChoiceField(
        choices=Event.Licences.choices,
        required=False,
        help_text="What becomes of players whose licence has run out, or who are suspended, as the clubs’"
        " registers have them.",
    )
    fee = TextField(max_length=200, allow_blank=True, required=False, help_text="In words.")
    time_zone = TextField(
        max_length=64,
        required=False,
        help_text="By whose clock its window is told, by its name in the IANA database.",
    )


class NewEventSerializer(EventTermsSerializer):
    """An event to be made: of your club, or of the federation."""

    name = TextField(max_length=200)


class EventStateSerializer(OnlyKnownFields):
    state = serializers.ChoiceField(
        choices=[Event.State.ANNOUNCED.value], help_text="Everybody may read of it from now on."
    )


class LegSerializer(serializers.ModelSerializer[Leg]):
    """A leg of an event: what every club plays once."""

    options = shown_object(help_text="The variants of its game.")
    seats = shown_object(source="conditions", help_text="Where a game leaves their number open.")
    method_options = shown_object(help_text="As docs/scoring.md names them.")
    boards = serializers.IntegerField(
        source="board_count", help_text="A club plays these, or the first of them."
    )
    commitment = serializers.CharField(help_text="Of the one sealed set of boards that all clubs play.")
    lifted_at = serializers.DateTimeField(
        allow_null=True, help_text="Since when there is no embargo on its boards; null while there is."
    )

    class Meta:
        model = Leg
        fields = [
            *["id", "event", "number", "game", "options", "seats", "method", "method_options", "boards"],
            *["opens_at", "closes_at", "material_at", "late_until", "commitment", "sealed_at", "lifted_at"],
        ]


class NewLegSerializer(OnlyKnownFields):
    """A leg to be added: its boards are dealt and sealed at once."""

    game = serializers.ChoiceField(choices=[])
    options = PlainObjectField(default=dict)
    seats = serializers.IntegerField(
        min_value=2, max_value=7, required=False, help_text="Where a game leaves the choice."
    )
    method = serializers.ChoiceField(choices=list(METHODS), default="matchpoints")
    method_options = PlainObjectField(default=dict, help_text="As docs/scoring.md names them.")
    boards = serializers.IntegerField(min_value=1, max_value=events.BOARDS_AT_MOST)
    opens_at = MomentField(help_text="From when on clubs may play it.")
    closes_at = MomentField(help_text="Until when.")
    material_at = MomentField(
        required=False, help_text="Since when deal officers may take its boards; by default when it opens."
    )
    late_until = MomentField(
        allow_null=True, default=None, help_text="How long those who are late are waited for."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        game = self.fields["game"]
        assert isinstance(game, serializers.ChoiceField)
        game.choices = list(registry.games())

    @property
    def wish(self) -> dict[str, Any]:
        given = dict(self.validated_data)
        return {"board_count": given.pop("boards"), **given}


class ClubEntrySerializer(serializers.ModelSerializer[ClubEntry]):
    """A club in a leg of an event."""

    club = serializers.CharField(source="club.slug", help_text="Its short name.")
    name = serializers.CharField(source="club.name")
    stage = serializers.ChoiceField(
        choices=[*State.choices, *Stage.choices],
        help_text="Its state; of a club that has entered, how far it has come.",
    )
    session = serializers.IntegerField(
        source="session_id", allow_null=True, help_text="By which it plays, once that has been set up."
    )

    class Meta:
        model = ClubEntry
        fields = [
            *["id", "leg", "club", "name", "state", "stage", "tables", "session"],
            *["material_taken_at", "checked_at", "reminded_at"],
        ]


class AddedClubEntriesSerializer(serializers.Serializer[Any]):
    """The clubs that were invited, or have entered."""

    entries = ClubEntrySerializer(many=True)


class NewClubEntriesSerializer(OnlyKnownFields):
    """Clubs to be invited by those who run the event, or how many tables your own club enters with."""

    clubs = serializers.ListField(
        child=TextField(max_length=80),
        min_length=1,
        max_length=MOST_CLUBS,
        required=False,
        help_text="Their short names: these are invited.",
    )
    tables = serializers.IntegerField(
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
        help_text="About so many: your own club enters, or says another number.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1:
            raise serializers.ValidationError(
                _("Give either the clubs to invite, or the tables to enter with.")
            )
        return attrs


class ClubEntryStateSerializer(OnlyKnownFields):
    """What a club decides (`entered`, `declined`, `withdrawn`), or those who run the event: `invited`,
    `left-out`, `entered` again; and `checked` once they have looked through its results, or `sent` to look
    again."""

    state = serializers.ChoiceField(choices=[*State.values, Stage.SENT.value, Stage.CHECKED.value])
    tables = serializers.IntegerField(
        min_value=1, max_value=MOST_TABLES, required=False, help_text="With `entered`: how many it expects."
    )
    reason = reason_field()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "tables" in attrs and attrs["state"] != State.ENTERED:
            raise serializers.ValidationError(
                {"tables": [_("Only a club that enters says how many tables.")]}
            )
        return attrs
