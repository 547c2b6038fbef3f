"""Which boards are over, and who may see the cards of which."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from django.db import models
from django.db.models import (
    Case,
    Count,
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

from . import access
from .accounts import RoleKind
from .boards import Board, BoardSet, Custody
from .people import Token
from .plays import Play, Submission
from .tournaments import Session


class Rounds(NamedTuple):
    """How far a session has come, as its results tell. `closed`: up to this round every play has a result.
    `begun`: by round, the submission after which its results count; what came before came early."""

    closed: int
    begun: Mapping[int, int]

    @classmethod
    def of(cls, session: Session) -> Rounds:
        """One query; its time grows with the plays of the session.

        A round has begun once every play of the rounds before the last one has something that was accepted:
        tables that wait for nobody are a round ahead at most. Where rounds have a clock, it will say when a
        round has begun and whether it is closed, and nothing else here changes.
        """
        handed_in = Submission.objects.filter(play=OuterRef("pk"), state__in=Submission.COUNTED)
        first = handed_in.order_by().values("play").annotate(first=Min("pk")).values("first")
        plays = Play.objects.filter(board__board_set__session=session)
        rows = plays.order_by().values("round").annotate(
            missing=Count("pk") - Count("result"), last=Max(Subquery(first, output_field=IntegerField()))
        )  # fmt: skip
        closed, begun, latest = 0, {}, [0, 0]
        for number, missing, last in rows.order_by("round").values_list("round", "missing", "last"):
            begun[number] = latest[-2]
            if missing:
                break
            closed = number
            latest.append(max(latest[-1], last or 0))
        return cls(closed, begun)


def over_in(session: Session, among: Collection[int] | None = None) -> QuerySet[Board]:
    """The boards of a session that are over: all of them once it is finished; before that those of which
    every table has handed in its own result, in a round that had begun and has been played everywhere.

    `among`: the ids of those that are asked about. As long as each of these waits for a result, no other is
    looked at.

    What others enter for a table counts and is ranked, but opens no board: whoever may enter every
    table's results could close a board that nobody has played. So could a scorer who makes tokens for all
    tables and enters results with them: what comes by a token that a scorer has made opens none either.
    """
    own = Board.objects.filter(board_set=session.board_set)
    if among is not None:
        own = own.filter(pk__in=among)
    if session.state == Session.State.FINISHED:
        return own
    waiting = Play.objects.filter(board=OuterRef("pk"), result=None)
    if not own.filter(~Exists(waiting)).exists():
        return own.none()
    rounds = Rounds.of(session)
    if not rounds.closed:
        return own.none()
    since = Case(
        *(When(round=number, then=Value(pk)) for number, pk in rounds.begun.items()),
        default=Value(0),
        output_field=models.BigIntegerField(),
    )
    by_table = Submission.objects.filter(
        play=OuterRef("pk"), table__isnull=False, state__in=Submission.COUNTED, pk__gt=OuterRef("since")
    )
    of_scorers = Token.objects.filter(table__section__session=session, issued_by__kind=RoleKind.SCORER)
    by_table = by_table.exclude(sender__in=of_scorers.values("pk"))
    plays = Play.objects.filter(board=OuterRef("pk"))
    open_plays = plays.annotate(since=since).filter(Q(round__gt=rounds.closed) | ~Exists(by_table))
    return own.filter(Exists(plays), ~Exists(open_plays))


def open_in(session: Session, viewer: Token | None, among: Collection[int] | None = None) -> QuerySet[Board]:
    """The boards of a session whose hands and traveller the viewer may see, or those among some.

    Anyone: all, once the session is finished and published. Whoever has custody of them: all, from the
    beginning; organisers only of a set that nobody has custody of. Those who organise the session, or
    score, play or are a table where a board is played: once it is over.
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
        return Q(Exists(played.filter(plays__seatings__contestant__players=viewer.player_id)))
    return Q(pk__in=[])
