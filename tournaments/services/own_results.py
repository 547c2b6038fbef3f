"""What a player has played: the evenings and, of each, the boards, as far as they may see them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q

from scoring.totals import Total

from ..models import Contestant, Member, Play, Player, Seating, Session, Submission, Substitution, Token
from ..models.open_boards import open_in
from ..models.plays import sat_instead
from . import live_lists, names, versions
from .awards import AwardBook, LineOfPlay
from .names import Reader

ON_A_PAGE = 10  # evenings; of each the whole ranking is read


def as_caller(player: Player) -> Token:
    """A caller who is this player, for the querysets that say who may see what. It is not stored."""
    return Token(player=player)


@dataclass(frozen=True, slots=True)
class OwnEvening:
    """A session that a player has a part in. `position` of `count`: where the newest ranking that everybody
    sees has them; None while there is none, or it has no place for them, and for a substitute who is not
    credited. `is_substitute`: they played some rounds in the place of a member."""

    session: Session
    contestant: int
    name: str
    position: int | None
    count: int
    is_substitute: bool = False


def evenings(players: Sequence[Player], *, before: int | None = None) -> list[OwnEvening]:
    """The latest sessions of these players, who are one person; at most a page of them, and one more if there
    are others. `before`: the id of a session, those after it are left out."""
    own = (
        Contestant.objects.filter(plays_as([one.pk for one in players]))
        .distinct()
        .select_related("session__tournament__club")
    )
    if before is not None:
        own = own.filter(session__lt=before)
    shown = list(own.order_by("-session_id", "pk")[: ON_A_PAGE + 1])
    member = set(
        Member.objects.filter(player__in=players, contestant__in=shown).values_list("contestant", flat=True)
    )
    reader = Reader(players=frozenset(player.pk for player in players))
    named = names.of_contestants([one.pk for one in shown], reader)
    public = Session.objects.ranking_visible_to(None).filter(pk__in=[one.session_id for one in shown])
    newest = {one.session_id: one for one in live_lists.public_rankings(public.values_list("pk", flat=True))}
    found = []
    for one in shown:
        ranking = newest.get(one.session_id)
        order = versions.Order({}) if ranking is None else versions.order_of(ranking)
        instead = one.pk not in member
        position = order.positions.get(one.pk) if not instead or credits_substitutes(one.session) else None
        found.append(OwnEvening(one.session, one.pk, named[one.pk].name, position, order.count, instead))
    return found


def credits_substitutes(session: Session) -> bool:
    """Whether the place of a contestant is to the credit of whoever played some of its rounds, too."""
    return session.substitutes_credited != Session.Credited.MEMBER


def plays_as(players: Collection[int]) -> Q:
    """The contestants that these players, by id, are members of, or play some rounds for."""
    instead = Substitution.objects.filter(player__in=players, undone_at=None)
    return Q(members__player__in=players) | Q(pk__in=instead.values("contestant"))


def contestant_of(session: Session, players: Collection[Player]) -> Contestant | None:
    """For whom one of these players, who are one person, plays in a session, be it for some rounds."""
    return session.contestants.filter(plays_as([one.pk for one in players])).order_by("pk").first()


@dataclass(frozen=True, slots=True)
class Stand:
    """Rounds that a player plays for another one (`is_own`), or another one for them."""

    first: int
    last: int
    other: int
    is_own: bool


def stands(contestant: Contestant, player: Player) -> list[Stand]:
    """Those of a contestant that concern a player, the first rounds first."""
    own = contestant.substitutions.filter(Q(player=player) | Q(for_player=player), undone_at=None)
    return [
        Stand(
            one.first_round,
            one.last_round,
            one.for_player_id if one.player_id == player.pk else one.player_id,
            one.player_id == player.pk,
        )
        for one in own.order_by("first_round", "pk")
    ]


@dataclass(frozen=True, slots=True)
class OwnPlay:
    """A board as a player plays it. `seats`: their own; `beside`: who else sits there, by seat. Of what has
    come of it: `score`, in the game's smallest unit, and the `facts` that it follows from; `award`, an exact
    fraction, and `line`, what all who held the same cards have made of them, once the board is over for them.
    `is_open`: they may see its hands; `is_public`: so may everybody. `is_ruled`: a director has decided what
    counts for them; `is_changed`: an official has entered another result than stood there."""

    pk: int
    board: int
    round: int
    section: str
    table: int
    seats: Sequence[int]
    beside: Mapping[int, int]
    is_open: bool
    is_public: bool
    score: int | None = None
    facts: Sequence[Mapping[str, Any]] = ()
    award: str | None = None
    line: LineOfPlay | None = None
    is_ruled: bool = False
    is_changed: bool = False

    @property
    def seat(self) -> int:
        return self.seats[0]


def own_plays(session: Session, player: Player) -> list[OwnPlay]:
    """The boards of a session that a player plays, in the order of the rounds, and of a substitute those of
    their rounds: a few queries, and a time that grows with these boards."""
    members = Contestant.objects.filter(session=session, members__player=player)
    instead = sat_instead([player.pk]).filter(contestant__session=session)
    own = {*members.values_list("pk", flat=True), *instead.values_list("contestant", flat=True)}
    open_to_them = set(open_in(session, as_caller(player)).values_list("pk", flat=True))
    public = set(open_in(session, None).values_list("pk", flat=True))
    plays = (
        Play.objects.filter(
            Exists(Seating.objects.filter(play=OuterRef("pk"), contestant__in=members))
            | Q(pk__in=instead.values("play"))
        )
        .select_related("table__section", "board", "result__submission", "ruled")
        .prefetch_related(Prefetch("seatings", Seating.objects.order_by("seat")))
        .order_by("round", "board__number", "pk")
    )
    shown = list(plays)
    book = AwardBook(session, {one.board_id for one in shown})
    changed = _changed(shown)
    return [
        _own_play(
            *(one, own, book),
            is_open=one.board_id in open_to_them,
            is_public=one.board_id in public,
            is_changed=one.pk in changed,
        )
        for one in shown
    ]


def _changed(plays: Sequence[Play]) -> set[int]:
    """Of which of these plays an official has entered another result than the one that counted."""
    corrected = {
        one.pk: one.result.submission_id
        for one in plays
        if hasattr(one, "result") and one.result.submission.role_id is not None
    }
    earlier = Submission.objects.filter(play__in=corrected, state__in=Submission.COUNTED)
    before = earlier.values_list("play", "pk", "content")
    now = {one.pk: one.result.submission.content for one in plays if one.pk in corrected}
    return {play for play, pk, content in before if pk < corrected[play] and content != now[play]}


def _own_play(
    play: Play, own: Collection[int], book: AwardBook, *, is_open: bool, is_public: bool, is_changed: bool
) -> OwnPlay:
    seats = [one.seat for one in play.seatings.all() if one.contestant_id in own]
    seat = seats[0]
    result = getattr(play, "result", None)
    ruled = getattr(play, "ruled", None)
    won = line = None
    if is_open:
        scored = (None, None, None) if result is None else (result.scores, result.averaged, result.position)
        won = book.at(play.board_id, *scored, play=play.pk)
        line = book.line_of(result, board=play.board_id, play=play.pk, seat=seat)
    return OwnPlay(
        pk=play.pk,
        board=play.board.number,
        round=play.round,
        section=play.table.section.name,
        table=play.table.number,
        seats=seats,
        beside={one.seat: one.contestant_id for one in play.seatings.all() if one.contestant_id not in own},
        is_open=is_open,
        is_public=is_public,
        score=None if result is None else result.scores[seat - 1],
        facts=() if result is None else [one for one in result.facts if one["seat"] in (0, None, seat)],
        award=None if won is None else won[seat - 1],
        line=line,
        is_ruled=ruled is not None and ruled.entries[seat - 1] is not None,
        is_changed=is_changed,
    )


# ── Where they stand ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class OwnStanding:
    """Where the newest list that everybody sees has a contestant. `count`: those it is compared with;
    `shares`: who has the same place; `is_live`: it counts boards that are over alone."""

    rank: str
    total: Total
    count: int
    shares: Sequence[int]
    is_live: bool


def standing(session: Session, contestant: int) -> OwnStanding | None:
    """None while there is no list, or it has no place for them. The time grows with all contestants."""
    ranking = live_lists.public_ranking(session) if session.listed else None
    if ranking is None:
        return None
    for places in versions.order_of(ranking).groups.values():
        found = next((place for place in places if place.contestant == contestant), None)
        if found is None:
            continue
        same = [place.contestant for place in places if place.rank == found.rank] if found.rank else []
        others = [one for one in same if one != contestant]
        return OwnStanding(found.rank, found.total, len(places), others, ranking.is_live)
    return None
