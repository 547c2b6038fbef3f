"""Boards and what is played with them, field by field."""

from collections.abc import Callable, Collection
from typing import Any

from django.db.models import Exists, F, OuterRef
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ...models import Board, Play, Seating, Session, Submission, TableAtPlay, Token, access, open_boards
from ...services import board_sets, custody, names, own_plays, ruling_words
from ...services.awards import AwardBook
from ...services.names import reader_of
from ...services.play_states import PlayFacts, PlayState, state_of
from ..strict import OnlyKnownFields
from .confirmations import PlayConfirmationSerializer
from .fields import OBJECT, TextField

DISPUTED = Submission.State.DISPUTED.value


class ReserveSerializer(OnlyKnownFields):
    """A board that cannot be played, and why."""

    board = serializers.IntegerField(min_value=1, max_value=1_000_000)
    reason = TextField(max_length=500)


class MixInSerializer(OnlyKnownFields):
    value = TextField(max_length=200, help_text="The public value, in the form of its kind.")


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
    code = serializers.CharField(help_text="As on its wallet: sheets of one deal, and of no other, have it.")
    before = serializers.ListField(
        child=serializers.CharField(), help_text="The marks of the lists of it that there are already."
    )
    printed_by = serializers.CharField()
    printed_at = serializers.DateTimeField()
    mark = serializers.CharField(help_text="What the history knows these lists by: print it beneath them.")


class BoardSerializer(serializers.ModelSerializer[Board]):
    """`deal` is null while the caller may not see it, and for boards that the club itself dealt."""

    dealer = serializers.SerializerMethodField()
    letter = serializers.SerializerMethodField(help_text="For its wallet; organisers and scorers see it.")
    code = serializers.SerializerMethodField(
        help_text="By which its wallet and all sheets of its deal are known; organisers and scorers see it."
    )
    printed = serializers.SerializerMethodField(
        help_text="The marks of the lists for dealing it by hand that there are, the oldest first; null for "
        "those who do not see its code. Two of them, and it may be dealt twice."
    )
    deal = serializers.SerializerMethodField()
    plays = serializers.IntegerField(source="play_count")
    results = serializers.SerializerMethodField(help_text="As many as the lists have taken in.")
    disputed = serializers.SerializerMethodField(
        help_text="How many of them the deal contradicts; null for those who do not direct the session, and "
        "for those who play in it until the board is over."
    )

    class Meta:
        model = Board
        fields = [
            "id",
            "number",
            "dealer",
            "letter",
            "code",
            "printed",
            "plays",
            "results",
            "disputed",
            "deal",
        ]

    def get_dealer(self, board: Board) -> int:
        return int(self.context["game"].dealer_of(board.number, self.context["session"].conditions))

    def get_results(self, board: Board) -> int:
        return int(self.context["results"].get(board.pk, 0))

    def get_disputed(self, board: Board) -> int | None:
        seen = self.context["seen"]
        return getattr(board, "disputed_count", None) if seen is None or board.pk in seen else None

    def get_letter(self, board: Board) -> str | None:
        return board_sets.letter(self.context["session"], board.number) if self.context["prints"] else None

    def get_code(self, board: Board) -> str | None:
        found: str | None = self.context["codes"].get(board.number)
        return found

    @extend_schema_field(serializers.ListField(child=serializers.CharField(), allow_null=True))
    def get_printed(self, board: Board) -> list[str] | None:
        return self.context["marks"].get(board.number, []) if self.context["prints"] else None

    @extend_schema_field(OBJECT | {"nullable": True})
    def get_deal(self, board: Board) -> dict[str, Any] | None:
        if not board.is_open:  # type: ignore[attr-defined]  # annotated
            return None
        deal = board_sets.deal_of(self.context["session"], board.number)
        return None if deal is None else self.context["game"].show_deal(deal)


class SeatingSerializer(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    number = serializers.IntegerField()
    contestant = serializers.CharField()


class ResultSerializer(serializers.Serializer[Any]):
    submission = serializers.IntegerField()
    state = serializers.ChoiceField(
        choices=[Submission.State.ACCEPTED.value, Submission.State.DISPUTED.value],
        help_text="What the deal contradicts is disputed, for those who direct the session or may see the "
        "deal; to others it looks accepted.",
    )
    scores = serializers.ListField(child=serializers.IntegerField())
    facts = serializers.ListField(child=serializers.DictField(), help_text="The lines of the traveller.")
    sheet = serializers.DictField()
    awards = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Exact fractions; null until the lists count them, and for those who play until the board "
        "is over.",
    )
    confirmed = PlayConfirmationSerializer(
        allow_null=True, help_text="Who has agreed with it last; null while nobody has."
    )
    changed = serializers.BooleanField(
        help_text="It took the place of one that was confirmed, or whose board was over."
    )
    reason = serializers.CharField(
        allow_null=True, help_text="Why; null if nothing was changed, and for those who do not enter it."
    )


class RuledSerializer(serializers.Serializer[Any]):
    """What directors have decided about a play."""

    words = serializers.ListField(child=serializers.CharField(), help_text="Each ruling, the oldest first.")
    awards = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        allow_null=True,
        help_text="As of a result; empty for a seat to which the play does not count.",
    )


class PlaySerializer(serializers.Serializer[Any]):
    """One board at one table: how far it is, who sits where, the result (null until there is one), and what
    was ruled (null if nothing was). Both are null for officials who play, until the board is over.
    `plays_data` makes the values."""

    id = serializers.IntegerField()
    section = serializers.CharField()
    round = serializers.IntegerField()
    table = serializers.IntegerField()
    board = serializers.IntegerField()
    state = serializers.ChoiceField(
        choices=[str(state) for state in PlayState if state is not PlayState.LATE],
        help_text="At play once the table has said that it sits; disputed where its sides say different "
        "things.",
    )
    seatings = SeatingSerializer(many=True)
    result = ResultSerializer(allow_null=True)
    ruled = RuledSerializer(allow_null=True)


RESULT = (
    *("submission", "submission__state", "scores", "facts", "sheet", "averaged", "position"),
    *("submission__table", "submission__remark", "submission__remark__text"),
)


def plays_data(session: Session, viewer: Token | None, plays: Collection[int]) -> list[dict[str, Any]]:
    """A page of plays (by id), in its order, as the API shows them, in a few queries for all. Officials see
    every award at once, whoever plays once the board is over; of an official who plays, a board that is not
    over has neither results nor rulings."""
    fields: dict[str, Any] = {name.replace("__", "_"): F(f"result__{name}") for name in RESULT} | {
        "section": F("table__section__name"),
        "table_number": F("table__number"),
        "board_number": F("board__number"),
        "section_club": F("table__section__club"),
        "confirmed": F("confirmation__submission"),
        "by_seat": F("confirmation__seat"),
        "is_shared": F("confirmation__is_shared"),
        "confirmed_at": F("confirmation__made_at"),
        "is_seated": Exists(TableAtPlay.objects.filter(table=OuterRef("table"), round=OuterRef("round"))),
    }
    if session.tally.rulings:
        fields["decided"] = F("ruled__entries")
    rows: dict[int, Any] = {
        row["id"]: row
        for row in Play.objects.filter(pk__in=plays).values(
            "id", "round", "board_id", "table_id", "disagreement", **fields
        )
    }
    seatings: dict[int, list[dict[str, Any]]] = {pk: [] for pk in plays}
    seated = Seating.objects.filter(play__in=plays).order_by("play", "seat")
    seats = list(seated.values_list("play_id", "seat", "contestant_id"))
    contestants = names.of_contestants({contestant for _play, _seat, contestant in seats}, reader_of(viewer))
    for play, seat, contestant in seats:
        named = contestants[contestant]
        seatings[play].append({"seat": seat, "number": named.number, "contestant": named.name})
    shown = {row["board_id"] for row in rows.values()}
    if viewer is None or viewer.role_id is None:
        over = open_boards.over_in(session).filter(pk__in=shown)
        shown = set(over.values_list("pk", flat=True))
    told_of = custody.seen_boards(session, viewer, {row["board_id"] for row in rows.values()})
    if told_of is not None:
        shown &= told_of
    hidden = {pk for pk, row in rows.items() if told_of is not None and row["board_id"] not in told_of}
    book = AwardBook(session, shown)
    disputed = {row["board_id"] for row in rows.values() if row["submission_state"] == DISPUTED}
    known = _known_to(session, viewer, disputed)
    club = session.tournament.club_id
    enters = None if viewer is None else access.enters(viewer, session=session.pk, club=club)
    own = own_plays.entered_by_players(session, list(rows))
    told = ruling_words.of_plays(session, plays) if session.tally.rulings else {}
    in_force = {play: [one.words for one in some if not one.is_replaced] for play, some in told.items()}
    return [
        {
            **{"id": pk, "section": row["section"], "round": row["round"], "table": row["table_number"]},
            **{"board": row["board_number"], "state": _state(row, own), "seatings": seatings[pk]},
            "result": None
            if row["position"] is None or pk in hidden
            else _result_data(row, book, known, enters),
            "ruled": {"words": in_force[pk], "awards": _awards(row, book)}
            if pk in in_force and pk not in hidden
            else None,
        }
        for pk in plays
        if (row := rows.get(pk))
    ]


def _known_to(session: Session, viewer: Token | None, disputed: Collection[int]) -> Collection[int]:
    """Of the boards with a disputed result, those of which the viewer may know it: all, for those who direct
    the session, or whose deal they may see."""
    if not disputed or (
        viewer is not None and access.directs(viewer, session=session.pk, club=session.tournament.club_id)
    ):
        return disputed
    return set(open_boards.open_in(session, viewer, disputed).values_list("pk", flat=True))


def _state(row: dict[str, Any], own: Collection[int]) -> PlayState:
    by_official = row["submission_table"] is None and row["id"] not in own
    facts = PlayFacts(
        *(row["is_seated"], row["submission"], by_official, row["confirmed"], row["disagreement"]),
        row.get("decided"),
    )
    return state_of(facts)


def _result_data(
    row: dict[str, Any],
    book: AwardBook,
    known: Collection[int],
    enters: Callable[[int, int], bool] | None,
) -> dict[str, Any]:
    shown = {name: row[name] for name in ("submission", "scores", "facts", "sheet")}
    is_disputed = row["submission_state"] == DISPUTED and row["board_id"] in known
    shown["state"] = DISPUTED if is_disputed else Submission.State.ACCEPTED.value
    is_confirmed = row["confirmed"] == row["submission"]
    shown["confirmed"] = (
        {"seat": row["by_seat"], "shared": row["is_shared"], "made_at": row["confirmed_at"]}
        if is_confirmed
        else None
    )
    shown["changed"] = row["submission_remark"] is not None
    tells = enters is not None and enters(row["table_id"], row["section_club"])
    shown["reason"] = row["submission_remark_text"] if tells else None
    return shown | {"awards": _awards(row, book)}


def _awards(row: dict[str, Any], book: AwardBook) -> list[str] | None:
    return book.at(row["board_id"], row["scores"], row["averaged"], row["position"], play=row["id"])


class TravellerSerializer(serializers.Serializer[Any]):
    """The results of one board, side by side, a page at a time."""

    board = BoardSerializer()
    top = serializers.IntegerField(allow_null=True, help_text="Null where a method has no top.")
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    plays = PlaySerializer(many=True)
