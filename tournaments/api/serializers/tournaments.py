"""Tournaments and their sessions, field by field."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engines import registry
from engines.public_values import KINDS, PublicValue
from scoring.methods import METHODS

from ...models import BoardSet, Section, Session, Tournament
from ...movements import FAMILIES
from ...services import evenings, movement_files, states
from ..pagination import LARGEST_NUMBER
from ..strict import OnlyKnownFields
from .fields import (
    EntrantField,
    FlagField,
    MomentField,
    PlainObjectField,
    TextField,
    is_plain_text,
    publishable_names,
    reason_field,
    shown_object,
)


class TournamentSerializer(OnlyKnownFields, serializers.ModelSerializer[Tournament]):
    name = TextField(max_length=200)
    club = serializers.CharField(source="club.name", read_only=True)

    class Meta:
        model = Tournament
        fields = ["id", "name", "club", "created_at"]
        read_only_fields = ["id", "created_at"]


class SectionSerializer(serializers.ModelSerializer[Section]):
    club = serializers.CharField(source="club.name")
    tables = serializers.IntegerField(source="table_count")

    class Meta:
        model = Section
        fields = ["name", "club", "tables"]


class SessionSerializer(serializers.ModelSerializer[Session]):
    """Of a session as `views.seen.with_all` reads it."""

    options = shown_object(help_text="The variants of its game.")
    method_options = shown_object(help_text="As docs/scoring.md names them.")
    sections = SectionSerializer(many=True, read_only=True)
    boards = serializers.IntegerField(source="board_count", read_only=True)
    contestants = serializers.IntegerField(source="contestant_count", read_only=True)
    board_set = serializers.SerializerMethodField(help_text="How far the boards are.")
    commitment = serializers.CharField(source="board_set.commitment", read_only=True)
    public_value = serializers.DictField(
        child=serializers.CharField(allow_null=True),
        source="board_set.public_value",
        allow_null=True,
        read_only=True,
        help_text="What is mixed into the seed, if anything is: kind, source, and the value once known.",
    )
    custody = serializers.ChoiceField(
        choices=BoardSet.Keeping.choices,
        source="board_set.custody",
        read_only=True,
        help_text="Who sees the boards before they are over: a deal officer (`officer`), or, where the club "
        "plays with what its own organisers dealt, these (`none`).",
    )
    listed = serializers.BooleanField(
        read_only=True, help_text="Whether everybody may see its list and its pages."
    )
    next_states = serializers.SerializerMethodField(
        help_text="The states that whoever runs it may bring it into."
    )
    paced = serializers.BooleanField(
        source="is_paced",
        read_only=True,
        help_text="Whether its rounds are opened and closed; otherwise all are open while it runs.",
    )
    version = serializers.IntegerField(
        source="public_version",
        read_only=True,
        help_text="The newest of its ranking; while it is played, of the live list. 0 before the first.",
    )
    live = serializers.ChoiceField(
        choices=Session.Live.choices,
        read_only=True,
        help_text="What the lists that everybody sees count while it is played: boards that are over, as"
        " soon as they are (`boards_over`) or after each round (`rounds`); or nothing (`hidden`).",
    )
    seed = serializers.SerializerMethodField(help_text="The secret of the deals, once the session is over.")

    trial = serializers.BooleanField(
        source="is_trial", read_only=True, help_text="Whether it may be deleted with all that comes of it."
    )
    leg = serializers.IntegerField(
        source="leg_id",
        allow_null=True,
        read_only=True,
        help_text="Of an event whose boards it plays; null where it has boards of its own.",
    )
    time_zone = serializers.CharField(
        source="tournament.club.time_zone",
        read_only=True,
        help_text="By whose clock its pages show times: the club’s, by its name in the IANA database.",
    )

    class Meta:
        model = Session
        fields = [
            *["id", "tournament", "number", "name", "game", "options", "method", "method_options"],
            *[
                "movement",
                "state",
                "next_states",
                "listed",
                "live",
                "starts_at",
                "trial",
                "time_zone",
                "corrections_until",
                "paced",
            ],
            *["version", "sections", "boards", "contestants", "leg"],
            *["board_set", "custody", "commitment", "public_value", "seed"],
        ]

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(choices=Session.State.choices)))
    def get_next_states(self, session: Session) -> list[str]:
        return states.next_states(session)

    @extend_schema_field(serializers.ChoiceField(choices=BoardSet.State.choices))
    def get_board_set(self, session: Session) -> str:
        return session.board_set.state(issued=session.is_issued)  # type: ignore[attr-defined]  # annotated

    def get_seed(self, session: Session) -> str | None:
        seed = session.board_set.public_seed
        return None if seed is None else seed.hex()


class PublicValueSerializer(OnlyKnownFields):
    """A public value that is announced."""

    kind = serializers.ChoiceField(choices=list(KINDS), help_text="It fixes how the value is written.")
    source = TextField(  # type: ignore[assignment]  # a declared field, no attribute of the class
        max_length=200, help_text="Where anybody will find it, in words that leave no choice."
    )


class SetUpSerializer(OnlyKnownFields):
    """A session to set up: who plays which game, by which movement, and how it is scored."""

    name = TextField(max_length=200)
    game = serializers.ChoiceField(choices=[])
    options = PlainObjectField(default=dict)
    method = serializers.ChoiceField(choices=list(METHODS), default="matchpoints")
    method_options = PlainObjectField(default=dict, help_text="As docs/scoring.md names them.")
    movement = serializers.ChoiceField(choices=list(FAMILIES), default="kirkman")
    contestants = serializers.ListField(child=EntrantField(), min_length=2, max_length=1000, required=False)
    registration = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_NUMBER,
        required=False,
        help_text="A registration list of the tournament, instead of contestants: its complete entries "
        "that do not wait.",
    )
    movement_file = TextField(
        max_length=movement_files.BYTES_AT_MOST,
        default="",
        allow_blank=True,
        trim_whitespace=False,
        help_text="In place of movement, boards_per_round and rounds: the text of a CSV file with a row for "
        "each seat (round, table, seat, contestant, boards), as docs/formats.md describes it.",
    )
    boards_per_round = serializers.IntegerField(min_value=1, max_value=30, default=3)
    rounds = serializers.IntegerField(min_value=1, max_value=400, required=False)
    seats = serializers.IntegerField(
        min_value=2, max_value=7, required=False, help_text="Where a game leaves the choice."
    )
    reserves = serializers.IntegerField(
        min_value=0,
        max_value=100,
        default=0,
        help_text="Boards sealed besides, for those that cannot be played.",
    )
    public_value = PublicValueSerializer(
        default=None,
        allow_null=True,
        help_text="A value that nobody knows yet, to be mixed into the seed; there are no boards before.",
    )
    section = TextField(max_length=20, default="A")
    names_may_be_published = publishable_names()
    trial = FlagField(
        default=False,
        help_text="It is played to try things out, and may be deleted with all that comes of it.",
    )
    starts_at = MomentField(
        default=None, allow_null=True, help_text="When it begins, with the offset from UTC."
    )
    custody = serializers.ChoiceField(
        choices=BoardSet.Keeping.choices,
        default=BoardSet.Keeping.OFFICER.value,
        help_text="Who sees the boards before they are over: a deal officer who takes custody of them "
        "(`officer`), or the club's organisers, unasked (`none`).",
    )
    sealed = FlagField(
        default=True,
        help_text="Whether the boards are drawn here; else the tables shuffle their own cards. Refused where"
        " several tables play a board at once, unless it is `copied`: `GET …/movements/?single=true` lists"
        " the movements in which none do.",
    )
    copied = FlagField(
        default=False,
        help_text="With `sealed: false`: somebody who does not play shuffles each board once, and copies it"
        " for all tables that play it at once.",
    )
    substitutes_credited = serializers.ChoiceField(
        choices=Session.Credited.choices,
        default=Session.Credited.BOTH.value,
        help_text="Who has to their credit what a substitute plays; the contestant always has.",
    )
    live = serializers.ChoiceField(
        choices=Session.Live.choices,
        default=Session.Live.BOARDS_OVER.value,
        help_text="What the lists that everybody sees count while it is played.",
    )
    leg = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_NUMBER,
        required=False,
        help_text="Of an event that the club has entered: the session plays its boards, dealt for all clubs.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        game = self.fields["game"]
        assert isinstance(game, serializers.ChoiceField)
        game.choices = list(registry.games())

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("contestants" in attrs) == ("registration" in attrs):
            raise serializers.ValidationError(_("Give either the contestants or a registration list."))
        both = [*{"movement", "boards_per_round", "rounds"} & self.initial_data.keys()]
        if attrs["movement_file"] and both:
            message = _("The file of the movement says this already.")
            raise serializers.ValidationError(dict.fromkeys(sorted(both), message))
        if not attrs["sealed"] and (drawn := [name for name in ("reserves", "public_value") if attrs[name]]):
            message = _("No board is drawn here: the tables shuffle their own cards.")
            raise serializers.ValidationError(dict.fromkeys(drawn, message))
        if attrs["copied"] and attrs["sealed"]:
            message = _("The boards are drawn here: they are dealt from lists, not shuffled.")
            raise serializers.ValidationError({"copied": message})
        return attrs

    def validate_public_value(self, announced: dict[str, str] | None) -> PublicValue | None:
        return PublicValue(**announced) if announced else None


class EveningSerializer(OnlyKnownFields):
    """A club's evening on paper: its file, and what was played. Or a second file of one that came of a file:
    what it changes is the `outcome` of its job."""

    file = serializers.FileField(max_length=200)
    name = TextField(max_length=200, required=False, help_text="Needed, unless it `amends` a session.")
    game = serializers.CharField(
        max_length=40, required=False, help_text="Needed, unless it `amends` a session."
    )
    method = serializers.ChoiceField(choices=list(METHODS), default="matchpoints")
    method_options = PlainObjectField(default=dict, help_text="As docs/scoring.md names them.")
    options = PlainObjectField(default=dict)
    names_may_be_published = serializers.BooleanField(
        default=False,
        help_text="Whether the names of players whom this adds to the club’s register may be published.",
    )
    dry_run = serializers.BooleanField(
        default=False, help_text="Only check the rows; of a second file, say what it would change."
    )
    amends = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_NUMBER,
        help_text="The session that came of the first file, and is amended: this one is the evening whole.",
    )
    reason = reason_field()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "amends" in attrs:
            of_the_first = [*self.OF_THE_FIRST & self.initial_data.keys()]
            if of_the_first:
                message = _("The session that is amended says this already.")
                raise serializers.ValidationError(dict.fromkeys(sorted(of_the_first), message))
        elif missing := [name for name in ("name", "game") if name not in attrs]:
            raise serializers.ValidationError(dict.fromkeys(missing, _("This field is required.")))
        return attrs

    OF_THE_FIRST = frozenset({"name", "game", "method", "method_options", "options"})

    def validate_file(self, file: Any) -> str:
        if file.size > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise serializers.ValidationError(_("The file is too large."))
        text = evenings.text_of(file.read())
        if not is_plain_text(text):
            raise serializers.ValidationError(_("This has characters that cannot be stored."))
        return text


class StateSerializer(OnlyKnownFields):
    """The state that a session is to have. Which lead where, and on which conditions: docs/evening.md."""

    state = serializers.ChoiceField(choices=Session.State.choices)
    confirm = FlagField(
        default=False, help_text="End the play although results are missing: 409 says which, without it."
    )
    reason = reason_field()
    corrections_until = MomentField(
        default=None,
        allow_null=True,
        help_text="With `provisional`: when the list becomes final, unless somebody makes it so before.",
    )


class SessionChangeSerializer(OnlyKnownFields):
    """What can be mended of a session at any time."""

    name = TextField(max_length=200, required=False)
    starts_at = MomentField(allow_null=True, required=False)
    live = serializers.ChoiceField(choices=Session.Live.choices, required=False)
    sealed = FlagField(
        required=False,
        help_text="`false`: the tables shuffle their own cards, and the deals that were drawn are forgotten,"
        " as long as nobody has had custody or printed a list and no result has come in. It cannot be taken"
        " back. Refused where several tables play a board at once, unless it is `copied`.",
    )
    copied = FlagField(
        required=False,
        help_text="With `sealed: false`: somebody who does not play shuffles each board once, and copies it"
        " for all tables that play it at once.",
    )

    def validate_sealed(self, value: bool) -> bool:
        if value:
            raise serializers.ValidationError(_("Boards are sealed when a session is set up, not later."))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("copied") and "sealed" not in attrs:
            message = _("Say with it that nothing is sealed.")
            raise serializers.ValidationError({"copied": message})
        return attrs


class PublicationSerializer(OnlyKnownFields):
    listed = FlagField()


class TableTokenSerializer(serializers.Serializer[Any]):
    section = serializers.CharField(source="table.section.name")
    table = serializers.IntegerField(source="table.number")
    token = serializers.CharField(help_text="Shown only once.")


class TableLinkSerializer(serializers.Serializer[Any]):
    section = serializers.CharField(source="link.table.section.name")
    table = serializers.IntegerField(source="link.table.number")
    code = serializers.CharField(help_text="Ten characters: whoever has them enters the table’s results.")
    path = serializers.CharField(help_text="Of the table’s page, on this service.")


class TableTokenRequestSerializer(OnlyKnownFields):
    section = TextField(max_length=20, required=False)
    table = serializers.IntegerField(
        min_value=1,
        max_value=1_000_000,
        required=False,
        help_text="A single table, if it is new or its token is lost.",
    )
