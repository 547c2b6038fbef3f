"""Which boards are over, and who may see the cards of which."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from itertools import takewhile
from types import MappingProxyType
from typing import NamedTuple

from django.db import models
from django.db.models import (
    Case,
    Exists,
    IntegerField,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from . import access
from .accounts import RoleKind
from .boards import Board, BoardSet, Custody
from .people import Token
from .plays import Confirmation, Play, Submission, sat_instead
from .rankings import Tally
from .rounds import Round
from .tournaments import Session


class Rounds(NamedTuple):
    """How far a session has come, as its results tell. `closed`: up to this round every play has a result, or
    a director has ruled on it;
    `is_complete`: it was the last. `begun`: by round, the submission after which its results count; what came
    before came early. `last`: the submission by which every play of the closed rounds had something, and of
    those but the last. `waits_for`: a play of the first round that is not closed."""

    closed: int = 0
    begun: Mapping[int, int] = MappingProxyType({})
    last: tuple[int, int] = (0, 0)
    waits_for: int | None = None
    is_complete: bool = False

    @classmethod
    def of(cls, session: Session) -> Rounds:
        """A small query, unless a round has been closed since this process looked last: then its time grows
        with the plays of the session.

        A round has begun once every play of the rounds before the last one has something that was accepted:
        tables that wait for nobody are a round ahead at most. In a paced session, rounds begin and are over
        as they are opened and closed.
        """
        return Course.of(session).rounds_of(session)

    @classmethod
    def as_opened(cls, session: Session) -> Rounds:
        """Those of a paced session."""
        rounds = list(session.rounds.order_by("number"))
        settled = takewhile(lambda one: one.settled_at is not None, rounds)
        begun = {one.number: one.opened_after or 0 for one in rounds if one.state != Round.State.WAITING}
        return cls(max((one.number for one in settled), default=0), begun, is_complete=True)


class ClosedBoards:
    """Of which boards (by id) every play is closed, as far as this process has looked, by the tables' own
    results or what officials with these roles have entered or confirmed. What is closed stays so, as long as
    the plan is the same and rounds are as open as they were; of what is not, one play is known that it waits
    for, and as long as it does, no other is looked at."""

    def __init__(self, roles: frozenset[int] = frozenset()) -> None:
        self.roles = roles
        self.boards: set[int] = set()
        self.wait_for: dict[int, int] = {}  # of others, by board: the play


class Course:
    """How far a session has come, as far as this process has looked: which boards are over, and which count
    in its live list, by what the officials enter who had no seat when it looked last. Of what was handed in
    twice and judged in the other order, a process that looked meanwhile may take a round for begun later than
    it was: it opens less then, and never more."""

    def __init__(self) -> None:
        self.rounds = Rounds()
        self.over = ClosedBoards()
        self.counted = ClosedBoards()

    def counted_with(self, roles: frozenset[int]) -> ClosedBoards:
        """Who has sat down, or been granted a role, since this process looked last lets it look anew."""
        counted = self.counted
        if counted.roles != roles:
            counted = self.counted = ClosedBoards(roles)
        return counted

    @staticmethod
    def of(session: Session) -> Course:
        """Ids come again where a transaction failed, and plays with a new plan; rounds are opened again."""
        tally = Tally.objects.filter(session=session).values_list("layout", flat=True)
        layout = session.tally.layout if Session.tally.is_cached(session) else tally.get()
        key = (session.pk, session.created_at, layout, session.is_paced, session.round_changes)
        course = _courses.get(key)
        if course is None:
            if len(_courses) >= COURSES_AT_MOST:
                _courses.clear()
            course = _courses[key] = Course()
        return course

    def rounds_of(self, session: Session) -> Rounds:
        rounds = self.rounds
        if session.is_paced and not rounds.is_complete:
            self.rounds = Rounds.as_opened(session)
            return self.rounds
        missing = rounds.waits_for
        if missing is not None and Play.objects.filter(WAITS, pk=missing).exists():
            return rounds
        if rounds.is_complete:
            return rounds
        plays = Play.objects.filter(board__board_set__session=session, round__gt=rounds.closed)
        waiting = plays.filter(WAITS).order_by("round", "pk").values_list("pk", "round").first()
        if waiting is not None:
            plays = plays.filter(round__lt=waiting[1])
        handed_in = Submission.objects.filter(play=OuterRef("pk"), state__in=Submission.TAKEN)
        first = handed_in.order_by().values("play").annotate(first=Min("pk")).values("first")
        closed = plays.order_by().values("round").annotate(last=Max(Subquery(first, IntegerField())))
        number, begun, (before, last) = rounds.closed, dict(rounds.begun), rounds.last
        for number, own in closed.order_by("round").values_list("round", "last"):
            begun[number] = before
            before, last = last, max(last, own or 0)
        if waiting is not None:
            begun[waiting[1]] = before
        missing = None if waiting is None else waiting[0]
        rounds = self.rounds = Rounds(number, begun, (before, last), missing, waiting is None)
        return rounds

    def look(self, session: Session, boards: Collection[int], closed: ClosedBoards) -> None:
        """Find out which of these boards are closed: a small query as long as each waits for a result; else
        the time grows with the plays of those that do not."""
        unknown = [board for board in boards if board not in closed.boards]
        known = [closed.wait_for[board] for board in unknown if board in closed.wait_for]
        without = Play.objects.filter(WAITS)
        waiting = set(without.filter(pk__in=known).values_list("board", flat=True))
        if not (unknown := [board for board in unknown if board not in waiting]):
            return
        rounds = self.rounds_of(session)
        since = Case(
            *(When(round=number, then=Value(pk)) for number, pk in rounds.begun.items()),
            default=Value(0),
            output_field=models.BigIntegerField(),
        )
        by_table = Submission.objects.filter(
            play=OuterRef("pk"), table__isnull=False, state__in=Submission.TAKEN, pk__gt=OuterRef("since")
        )
        of_scorers = Token.objects.filter(table__section__session=session, issued_by__kind=RoleKind.SCORER)
        by_table = by_table.exclude(sender__in=of_scorers.values("pk"))
        unanswered = Play.objects.annotate(since=since).filter(UNDECIDED, ~Exists(by_table))
        if closed.roles:
            taken = Submission.objects.filter(play=OuterRef("pk"), state__in=Submission.TAKEN)
            agreed = Confirmation.objects.filter(submission__play=OuterRef("pk"), role__in=closed.roles)
            unanswered = unanswered.filter(~Exists(taken.filter(role__in=closed.roles)), ~Exists(agreed))
        open_plays = Play.objects.annotate(since=since).filter(round__gt=rounds.closed) | unanswered
        of_board = [some.filter(board=OuterRef("pk")).order_by() for some in (without, open_plays)]
        one = Coalesce(*(Subquery(some.values("pk")[:1]) for some in of_board))
        played = Board.objects.filter(Exists(Play.objects.filter(board=OuterRef("pk"))), pk__in=unknown)
        for board, play in played.annotate(play=one).values_list("pk", "play"):
            if play is None:
                closed.boards.add(board)
            else:
                closed.wait_for[board] = play  # one without a result, if there is any


UNDECIDED = Q(ruled=None) | Q(ruled__is_whole=False)
WAITS = Q(result=None) & UNDECIDED
"""A play that nobody has closed: neither by a result, nor by a ruling for each seat. Of what has been ruled
on so, nobody can play it any more once its board is over (`services.rulings.reverse`, `services.storing`)."""

COURSES_AT_MOST = 500
_courses: dict[tuple[int, datetime, int, bool, int], Course] = {}


def over_in(session: Session, among: Collection[int] | None = None) -> QuerySet[Board]:
    """The boards of a session that are over: none while its leg of an event is under embargo, as other clubs
    play them; else all of them once it has been played; before that those of which every table has handed in
    its own result, in a round that had begun and has been played everywhere, or will not play it, as a
    director has ruled.

    `among`: the ids of those that are asked about; no other is looked at.

    What others enter for a table counts and is ranked, but opens no board: whoever may enter every
    table's results could close a board that nobody has played. So could a scorer who makes tokens for all
    tables and enters results with them: what comes by a token that a scorer has made opens none either.
    """
    return _closed_in(session, among)


def counted_in(session: Session, roles: frozenset[int]) -> QuerySet[Board]:
    """The boards of a session that its live list counts: those that are over; and those that would be, if
    what officials with these roles have entered or confirmed for a table were the table's own. `roles`: of
    those who do not play (`services.who_plays`), and so learn nothing by it: they see every result anyway.

    What they enter may come before its round: scorers type the slips of a table together. It counts once its
    round has been played everywhere, like any other.
    """
    return _closed_in(session, None, roles)


def _closed_in(
    session: Session, among: Collection[int] | None, roles: frozenset[int] = frozenset()
) -> QuerySet[Board]:
    own = Board.objects.filter(board_set=session.board_set)
    if among is not None:
        own = own.filter(pk__in=among)
    if session.is_under_embargo:
        return own.none()
    if session.is_over:
        return own
    boards = list(own.values_list("pk", flat=True)) if among is None else among
    course = Course.of(session)
    closed = course.counted_with(roles) if roles else course.over
    course.look(session, boards, closed)
    return own.filter(pk__in=closed.boards.intersection(boards))


def open_in(session: Session, viewer: Token | None, among: Collection[int] | None = None) -> QuerySet[Board]:
    """The boards of a session whose hands and traveller the viewer may see, or those among some.

    Anyone: all, once the list of the session is provisional, and public. Whoever has custody of them: all,
    from the beginning; organisers only of a set that nobody has custody of. Those who organise the session,
    or score, play or are a table where a board is played: once it is over.
    """
    own = Board.objects.filter(board_set=session.board_set)
    if among is not None:
        own = own.filter(pk__in=among)
    if session.board_set.is_revealed:
        return own
    if viewer is None:
        return own.none()
    organises = viewer.organised_club == session.tournament.club_id
    if organises and session.board_set.custody == BoardSet.Keeping.NONE:
        return own
    over = Q(pk__in=over_in(session, among).values("pk"))
    if viewer.role is None:
        return own.filter(over, _played_by(viewer))
    held = Custody.objects.in_force().filter(board_set=session.board_set, account=viewer.role.account_id)
    is_official = organises or access.directs(viewer, session=session.pk, club=session.tournament.club_id)
    is_official = is_official or session.pk in access.held(viewer, "session", access.ENTER)
    return own.filter(Exists(held) | (over if is_official else over & _played_by(viewer)))


def _played_by(viewer: Token) -> Q:
    """The boards that a scorer, a table or a player has a part in."""
    played = Board.objects.filter(pk=OuterRef("pk"))
    if viewer.scored_club:
        return Q(Exists(played.filter(plays__table__section__club=viewer.scored_club)))
    if viewer.table_id:
        return Q(Exists(played.filter(plays__table=viewer.table_id)))
    if viewer.player_id:
        member = Exists(played.filter(plays__seatings__contestant__players=viewer.player_id))
        return Q(member) | Q(pk__in=sat_instead([viewer.player_id]).values("play__board"))
    return Q(pk__in=[])
