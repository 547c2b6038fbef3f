"""What a player has played: the evenings and, of each, the boards, as far as they may see them."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..models import Contestant, Member, Play, Player, Result, Session, Token
from ..models.open_boards import open_in
from . import names, rankings, versions
from .awards import AwardBook
from .names import Reader

ON_A_PAGE = 10  # evenings; of each the whole ranking is read


def as_caller(player: Player) -> Token:
    """A caller who is this player, for the querysets that say who may see what. It is not stored."""
    return Token(player=player)


@dataclass(frozen=True, slots=True)
class OwnEvening:
    """A session that a player has a part in. `position` of `count`: where the newest ranking has them; None
    while they may not see it, or it has no place for them."""

    session: Session
    contestant: int
    name: str
    position: int | None
    count: int


def evenings(players: Sequence[Player], *, before: int | None = None) -> list[OwnEvening]:
    """The latest sessions of these players, who are one person; at most a page of them, and one more if there
    are others. `before`: the id of a session, those after it are left out."""
    members = Member.objects.filter(player__in=players).select_related("session__tournament__club", "player")
    if before is not None:
        members = members.filter(session__lt=before)
    shown = list(members.order_by("-session_id")[: ON_A_PAGE + 1])
    reader = Reader(players=frozenset(player.pk for player in players))
    named = names.of_contestants([member.contestant_id for member in shown], reader)
    public = Session.objects.ranking_visible_to(None).filter(pk__in=[one.session_id for one in shown])
    newest = {one.session_id: one for one in rankings.newest_of(public.values_list("pk", flat=True))}
    found = []
    for member in shown:
        ranking = newest.get(member.session_id)
        order = versions.Order({}) if ranking is None else versions.order_of(ranking)
        position = order.positions.get(member.contestant_id)
        name = named[member.contestant_id].name
        found.append(OwnEvening(member.session, member.contestant_id, name, position, order.count))
    return found


@dataclass(frozen=True, slots=True)
class OwnPlay:
    """A board as a player has played it. `score`: in the game's smallest unit; `award`: once the board is
    over for them, an exact fraction; `is_open`: they may see its hands; `is_public`: so may everybody."""

    board: int
    round: int
    section: str
    table: int
    seat: int
    score: int | None
    award: str | None
    is_open: bool
    is_public: bool


def own_plays(session: Session, player: Player) -> list[OwnPlay]:
    """The boards of a session that a player plays, in the order of the rounds. The time grows with them."""
    own = Contestant.objects.filter(session=session, members__player=player)
    open_to_them = set(open_in(session, as_caller(player)).values_list("pk", flat=True))
    public = set(open_in(session, None).values_list("pk", flat=True))
    plays = (
        Play.objects.filter(seatings__contestant__in=own)
        .select_related("table__section", "board")
        .order_by("round", "board__number", "pk")
        .values_list(
            *("pk", "board__number", "round", "table__section__name", "table__number"),
            *("seatings__seat", "board_id"),
        )
    )
    rows = list(plays)
    results = {
        one.play_id: one
        for one in Result.objects.filter(play__in=[row[0] for row in rows]).select_related("play")
    }
    book = AwardBook(session, {one.play.board_id for one in results.values()})
    shown: dict[int, OwnPlay] = {}
    for pk, board, number, section, table, seat, board_id in rows:
        if pk in shown:  # a pair sits in several seats
            continue
        result = results.get(pk)
        is_open = board_id in open_to_them
        won = book.of(result) if result is not None and is_open else None
        shown[pk] = OwnPlay(
            *(board, number, section, table, seat),
            None if result is None else result.scores[seat - 1],
            None if won is None else won[seat - 1],
            is_open,
            board_id in public,
        )
    return list(shown.values())
