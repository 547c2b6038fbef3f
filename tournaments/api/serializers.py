"""What goes in and out, field by field."""

from typing import Any

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engines import registry
from scoring.methods import METHODS
from scoring.ranking import shown

from ..models import Board, BoardSet, Event, Play, Ranking, Section, Session, Submission, Tournament
from ..movements import FAMILIES, Candidate, Quality
from ..services import board_sets, submissions


class PlainJSONField(serializers.JSONField):
    """JSON that every database can keep: no NUL, no half of a character, not nested without end."""

    def to_internal_value(self, data: Any) -> Any:
        value = super().to_internal_value(data)
        if not _is_plain(value, depth=8):
            raise serializers.ValidationError(_("Too deep, or with characters that cannot be kept."))
        return value


def _is_plain(value: Any, depth: int) -> bool:
    if isinstance(value, str):
        return len(value) <= 200 and not any(char == "\0" or "\ud800" <= char <= "\udfff" for char in value)
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        return depth > 0 and len(value) <= 1000 and all(_is_plain(part, depth - 1) for part in value)
    return not isinstance(value, int) or abs(value) < 10**15


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    club = serializers.CharField(source="club.name", read_only=True)

    class Meta:
        model = Tournament
        fields = ["id", "name", "club", "created_at"]
        read_only_fields = ["id", "created_at"]


class SectionSerializer(serializers.ModelSerializer[Section]):
    club = serializers.CharField(source="club.name")
    tables = serializers.IntegerField(source="tables.count")

    class Meta:
        model = Section
        fields = ["name", "club", "tables"]


class SessionSerializer(serializers.ModelSerializer[Session]):
    sections = SectionSerializer(many=True, read_only=True)
    boards = serializers.IntegerField(source="board_set.boards.count", read_only=True)
    contestants = serializers.IntegerField(source="contestants.count", read_only=True)
    board_set = serializers.ChoiceField(
        source="board_set.state",
        choices=BoardSet.State.choices,
        read_only=True,
        help_text="How far the boards are.",
    )
    commitment = serializers.CharField(source="board_set.commitment", read_only=True)
    public_value = serializers.DictField(
        child=serializers.CharField(allow_null=True),
        source="board_set.public_value",
        allow_null=True,
        read_only=True,
        help_text="What is mixed into the seed, if something is: its source, and its value once known.",
    )
    seed = serializers.SerializerMethodField(help_text="The secret of the deals, once the session is over.")

    class Meta:
        model = Session
        fields = [
            *["id", "tournament", "number", "name", "game", "options", "method", "method_options"],
            *["movement", "state"],
            *["published", "version", "sections", "boards", "contestants"],
            *["board_set", "commitment", "public_value", "seed"],
        ]

    def get_seed(self, session: Session) -> str | None:
        over = session.state == Session.State.FINISHED and session.published
        seed = session.board_set.seed
        return bytes(seed).hex() if over and seed is not None and not session.board_set.awaited else None


class WishSerializer(serializers.Serializer[Any]):
    """What a movement is looked for."""

    game = serializers.CharField(max_length=40)
    contestants = serializers.IntegerField(min_value=2, max_value=120)
    boards = serializers.IntegerField(min_value=1, max_value=100, help_text="How many each wants to play.")
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
        return None if measures.balance is None else shown(measures.balance, 1)


class CandidateSerializer(serializers.Serializer[Any]):
    """A movement that would do, as `POST …/sessions/` takes it."""

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


class SetUpSerializer(serializers.Serializer[Any]):
    """A session to set up: who plays what, and how often."""

    name = serializers.CharField(max_length=200)
    game = serializers.ChoiceField(choices=[])
    options = PlainJSONField(default=dict)
    method = serializers.ChoiceField(choices=list(METHODS), default="matchpoints")
    method_options = PlainJSONField(default=dict, help_text="As docs/scoring.md names them.")
    movement = serializers.ChoiceField(choices=list(FAMILIES), default="kirkman")
    contestants = serializers.ListField(
        child=serializers.CharField(max_length=200), min_length=2, max_length=1000
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
    public_value = serializers.CharField(
        max_length=200,
        default="",
        allow_blank=True,
        help_text="Where a value will come from that nobody knows yet; there are no boards before.",
    )
    section = serializers.CharField(max_length=20, default="A")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        game = self.fields["game"]
        assert isinstance(game, serializers.ChoiceField)
        game.choices = list(registry.games())


class EveningSerializer(serializers.Serializer[Any]):
    """A club's paper evening: its file, and what was played."""

    file = serializers.FileField(max_length=200)
    name = serializers.CharField(max_length=200)
    game = serializers.CharField(max_length=40)
    method = serializers.ChoiceField(choices=list(METHODS), default="matchpoints")
    method_options = PlainJSONField(default=dict, help_text="As docs/scoring.md names them.")
    options = PlainJSONField(default=dict)
    dry_run = serializers.BooleanField(default=False, help_text="Only check the rows.")

    def validate_file(self, file: Any) -> str:
        if file.size > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise serializers.ValidationError(_("The file is too large."))
        try:
            return str(file.read().decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise serializers.ValidationError(_("The file is not UTF-8: save it as “CSV UTF-8”.")) from None


class ReserveSerializer(serializers.Serializer[Any]):
    """A board that cannot be played, and why."""

    board = serializers.IntegerField(min_value=1, max_value=1_000_000)
    reason = serializers.CharField(max_length=500)


class ReplanSerializer(serializers.Serializer[Any]):
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
    """What is printed for a section: for each contestant, each table and each board where it goes."""

    section = serializers.CharField()
    contestants = ContestantGuideSerializer(many=True)
    tables = TableGuideSerializer(many=True)
    boards = BoardGuideSerializer(many=True)


class MixInSerializer(serializers.Serializer[Any]):
    value = serializers.CharField(max_length=200, help_text="The public value, as everybody can read it.")


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


class StateSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(choices=[Session.State.FINISHED.value])


class PublicationSerializer(serializers.Serializer[Any]):
    published = serializers.BooleanField()


class TableTokenSerializer(serializers.Serializer[Any]):
    section = serializers.CharField(source="table.section.name")
    table = serializers.IntegerField(source="table.number")
    token = serializers.CharField(help_text="Shown this once.")


class TableTokenRequestSerializer(serializers.Serializer[Any]):
    section = serializers.CharField(max_length=20, required=False)


class BoardSerializer(serializers.ModelSerializer[Board]):
    """`deal` is null while the caller may not see it, and for boards that a club dealt by itself."""

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
        deal = submissions.deal_of(self.context["session"], board.number)
        return None if deal is None else self.context["game"].show_deal(deal)


class SeatingSerializer(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    number = serializers.IntegerField(source="contestant.number")
    contestant = serializers.CharField(source="contestant.name")


class ResultSerializer(serializers.Serializer[Any]):
    submission = serializers.IntegerField(source="submission_id")
    scores = serializers.ListField(child=serializers.IntegerField())
    facts = serializers.JSONField()
    sheet = serializers.JSONField()
    awards = serializers.ListField(child=serializers.CharField(), allow_null=True)


class PlaySerializer(serializers.ModelSerializer[Play]):
    """One board at one table: who sits where, and what came of it (null until then)."""

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
        return None if result is None else ResultSerializer(result).data


class TravellerSerializer(serializers.Serializer[Any]):
    """All results of one board, side by side."""

    board = BoardSerializer()
    top = serializers.IntegerField(allow_null=True, help_text="Null where a method has no top.")
    plays = PlaySerializer(many=True)


class EntrySerializer(serializers.Serializer[Any]):
    """A result to hand in: the actions of a record, or a result sheet."""

    section = serializers.CharField(max_length=20, default="A")
    table = serializers.IntegerField(min_value=1, max_value=1_000_000)
    board = serializers.IntegerField(min_value=1, max_value=1_000_000)
    key = serializers.UUIDField(help_text="Made by the sender: the same result again has the same key.")
    actions = serializers.ListField(
        child=serializers.CharField(max_length=200), max_length=2000, required=False
    )
    sheet = PlainJSONField(required=False)
    check = serializers.CharField(
        max_length=1,
        default="",
        allow_blank=True,
        help_text="The letter on the board's wallet, if it has one.",
    )

    def validate(self, attrs: dict[str, Any]) -> submissions.Entry:
        content: dict[str, Any] = {name: attrs.pop(name) for name in ("actions", "sheet") if name in attrs}
        if len(content) != 1:
            raise serializers.ValidationError(_("Give actions or a sheet, one of the two."))
        return submissions.Entry(**attrs, content=content)


class EntriesSerializer(serializers.Serializer[Any]):
    submissions = serializers.ListField(child=EntrySerializer(), min_length=1, max_length=500)


class SubmissionSerializer(serializers.ModelSerializer[Submission]):
    """`refusal` says why, in the caller's language, what was wrong and what would be right."""

    session = serializers.IntegerField(source="play.table.section.session_id")
    section = serializers.CharField(source="play.table.section.name")
    table = serializers.IntegerField(source="play.table.number")
    board = serializers.IntegerField(source="play.board.number")
    refusal = serializers.SerializerMethodField()

    class Meta:
        model = Submission
        fields = [
            *["id", "key", "session", "section", "table", "board", "state", "refusal", "content"],
            *["created_at", "judged_at"],
        ]

    @extend_schema_field({"type": "object", "nullable": True})
    def get_refusal(self, submission: Submission) -> Any:
        language = (get_language() or "en")[:2]
        return submission.refusal and submission.refusal[language]


class SubmissionsSerializer(serializers.Serializer[Any]):
    submissions = SubmissionSerializer(many=True)


class PlaceSerializer(serializers.Serializer[Any]):
    rank = serializers.CharField(help_text="“3”, or “3=” when shared; empty before the first board.")
    number = serializers.IntegerField()
    contestant = serializers.CharField()
    points = serializers.CharField(help_text="An exact fraction.")
    top = serializers.IntegerField(help_text="What the points are out of; 0 where a method has no top.")
    percent = serializers.CharField(allow_null=True, help_text="Null before a board, and without a top.")
    score = serializers.SerializerMethodField(help_text="What the ranking goes by: per cent, or points.")
    boards = serializers.IntegerField()
    change = serializers.IntegerField(help_text="Places won since the last version.")
    progress = serializers.ListField(child=serializers.CharField(), help_text="The score after each round.")

    def get_score(self, place: dict[str, Any]) -> str | None:
        score = place.get("score", place["percent"])  # the first versions knew percentages alone
        return None if score is None else str(score)


class RankingSerializer(serializers.ModelSerializer[Ranking]):
    state = serializers.CharField(source="session.state")
    places = PlaceSerializer(many=True)

    class Meta:
        model = Ranking
        fields = ["session", "version", "state", "created_at", "places"]


class EventSerializer(serializers.ModelSerializer[Event]):
    actor = serializers.CharField(source="actor_name")

    class Meta:
        model = Event
        fields = ["id", "at", "actor", "verb", "subject", "detail"]
