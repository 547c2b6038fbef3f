"""What a director should look at while a session is played: results that are missing, tables that fall
behind, sides that disagree, scores far from all others, sheets that the deal contradicts. Each says
why; nothing is stored."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median, median_high
from typing import Any, NamedTuple

from django.db.models import Count, Exists, Max, Min, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from engines import registry

from ..models import (
    Account,
    Confirmation,
    Play,
    Result,
    Round,
    Section,
    Session,
    Submission,
    TableAtPlay,
    Token,
    access,
)
from . import custody, judging, own_plays, play_states, states

KINDS = ("missing", "behind", "slow", "sides", "outlier", "contradicted", "wrong-board", "fouled")
BEHIND = 2  # boards
SLOW = 2  # times what most tables take for a board
SLOW_AT_LEAST = 10  # minutes without a result
COMPARABLE = (
    5  # results of a board, before any of them can be far from the others; tables, before one is slow
)
FAR = 6  # times the usual distance from the middle
FITTED = 20  # contradicted results that are held against the other boards of their tables


class Flag(NamedTuple):
    """What is to be looked at, and why. `board`, `play`: where it is about one."""

    kind: str
    section: str
    table: int
    round: int | None
    board: int | None
    play: int | None
    reason: str


class WatchedPlay(NamedTuple):
    """A play as flags and the director's grid see it. `ruled`: what stands for its seats by a ruling;
    `is_by_official`: its result was entered by a scorer or director who did not sit there;
    `is_contradicted`: by its deal, and no director has kept it or ruled on it."""

    play: int
    section: str
    table: int
    round: int
    board_id: int
    board: int
    scores: Sequence[int] | None
    averaged: Sequence[int] | None
    ruled: Sequence[str | None] | None = None
    is_by_official: bool = False
    is_contradicted: bool = False
    submission: int | None = None
    disagreement: int | None = None
    confirmed: int | None = None
    is_seated: bool = False


@dataclass(frozen=True, slots=True)
class OfficialSight:
    """What an official may know of a session's results: `sections` in their charge; `boards` of which they
    see results, None for all."""

    sections: frozenset[str]
    boards: frozenset[int] | None
    directs: bool

    def sees(self, one: WatchedPlay) -> bool:
        return one.section in self.sections and (self.boards is None or one.board_id in self.boards)


def of(
    session: Session,
    viewer: Token | Account,
    *,
    rows: Sequence[WatchedPlay] | None = None,
    sight: OfficialSight | None = None,
) -> list[Flag]:
    """The flags of the sections in the viewer's charge, by table and round. For an official who plays in the
    session, only what tells no result, but of boards that are over. One query for plays and results, and a
    few small ones; the time grows with the plays. `rows`, `sight`: the plays, and what the viewer may know
    of them, if they have been read."""
    if rows is None:
        rows = watched(session)
    if sight is None:
        sight = sight_of(session, viewer, rows)
    known = [one for one in rows if sight.boards is None or one.board_id in sight.boards]
    flags = [
        *missing(session, rows),
        *_behind(session, rows),
        *_slow(session, rows),
        *_disagreements(rows),
        *_outliers(session, known),
    ]
    if sight.directs:
        flags += _contradicted(session, known)
    own = [one for one in flags if one.section in sight.sections]
    return sorted(own, key=lambda one: (one.section, one.table, one.round or 0, one.board or 0, one.kind))


def sight_of(
    session: Session, viewer: Token | Account, rows: Sequence[WatchedPlay], held: Collection[int] = ()
) -> OfficialSight:
    """Officials who do not sit in the session see every result of the sections in their charge at once; one
    who plays sees states alone until a board is over. `held`: players whose links have been used in the
    browser that asks."""
    charge = Section.objects.scored_by(viewer).filter(session=session).values_list("name", flat=True)
    boards = custody.seen_boards(session, viewer, {one.board_id for one in rows}, held)
    return OfficialSight(frozenset(charge), boards, directs(viewer, session))


def directs(viewer: Token | Account, session: Session) -> bool:
    if isinstance(viewer, Account):
        return Session.objects.directed_by(viewer).filter(pk=session.pk).exists()
    return access.directs(viewer, session=session.pk, club=session.tournament.club_id)


def watched(session: Session) -> list[WatchedPlay]:
    """All plays of a session, in one query."""
    plays = Play.objects.filter(table__section__in=[one.pk for one in session.sections.all()])
    disputed = Submission.State.DISPUTED
    runs = access.RUN_A_SESSION + access.RUN_A_CLUB
    kept = Confirmation.objects.filter(seat=None, role__kind__in=runs)
    found: Iterable[tuple[Any, ...]] = plays.order_by("pk").values_list(
        *("pk", "table__section__name", "table__number", "round", "board_id", "board__number"),
        *("result__scores", "result__averaged", "ruled__entries"),
        *("result__submission__table", "result__submission__state"),
        *("result__submission", "disagreement", "confirmation__submission"),
        Exists(TableAtPlay.objects.filter(table=OuterRef("table"), round=OuterRef("round"))),
        Exists(kept.filter(submission=OuterRef("result__submission"))),
    )
    own = own_plays.entered_by_players(session)
    return [
        WatchedPlay._make(
            (
                *row,
                submission is not None and table is None and row[0] not in own,
                state == disputed
                and not is_kept
                and not any(row[-1] or ()),  # what has been ruled is settled
                *(submission, disagreement, confirmed, is_seated),
            )
        )
        for *row, table, state, submission, disagreement, confirmed, is_seated, is_kept in found
    ]


def missing(session: Session, rows: Sequence[WatchedPlay]) -> Iterator[Flag]:
    """Plays without a result or ruling: of rounds that are closed; where nobody closes any, of rounds before
    one that their table has entered; and all of them once the session has been played."""
    closed: set[int] = set()
    if session.is_paced:
        over = session.rounds.filter(settled_at__isnull=False)
        closed = set(over.values_list("number", flat=True))
    furthest: dict[tuple[str, int], int] = defaultdict(int)
    for one in rows:
        if one.scores is not None:
            furthest[one.section, one.table] = max(furthest[one.section, one.table], one.round)
    for one in rows:
        if one.scores is not None or not states.leaves_open(one.ruled):
            continue
        if session.is_over:
            reason = _("The session has been played, and nothing was entered.")
        elif one.round in closed:
            reason = _("Round %(round)d is closed, and nothing was entered.") % {"round": one.round}
        elif not session.is_paced and one.round < furthest[one.section, one.table]:
            reason = _("The table has entered a later round already.")
        else:
            continue
        yield _flag("missing", one, reason)


def _behind(session: Session, rows: Sequence[WatchedPlay]) -> Iterator[Flag]:
    """Tables that have entered two boards fewer than most of their section."""
    if session.is_over:
        return
    entered: dict[str, Counter[int]] = defaultdict(Counter)
    there: dict[str, Counter[int]] = defaultdict(Counter)
    for one in rows:
        there[one.section][one.table] += 1
        entered[one.section][one.table] += one.scores is not None
    for section, counts in entered.items():
        usual = median_high(counts.values())
        for table, count in counts.items():
            if min(usual, there[section][table]) - count >= BEHIND:
                words = _("It has entered %(count)d boards, most tables %(usual)d.")
                reason = words % {"count": count, "usual": usual}
                yield Flag("behind", section, table, None, None, None, reason)


def _slow(session: Session, rows: Sequence[WatchedPlay]) -> Iterator[Flag]:
    """Tables of which nothing has been heard for twice as long as most take for a board, while they have
    boards to play. What scorers enter says nothing of the time; a round that is paused, or waits, takes none.
    Two queries at most; the time grows with the tables."""
    if session.is_over:
        return
    opened = None
    if session.is_paced:
        going = session.rounds.filter(state=Round.State.OPEN, paused_at=None)
        opened = dict(going.values_list("number", "opened_at"))
    waiting: dict[tuple[str, int], WatchedPlay] = {}
    for one in rows:
        if one.scores is None and not any(one.ruled or ()) and (opened is None or one.round in opened):
            first = waiting.setdefault((one.section, one.table), one)
            if (one.round, one.board) < (first.round, first.board):
                waiting[one.section, one.table] = one
    heard = _heard(session) if waiting else {}
    paces = [one.minutes_a_board for one in heard.values() if one.minutes_a_board is not None]
    if len(paces) < COMPARABLE:
        return
    usual, now = median(paces), timezone.now()
    for at, one in waiting.items():
        since = [heard[at].last] if at in heard else []
        since += [moment for moment in [(opened or {}).get(one.round)] if moment is not None]
        silent = (now - max(since)).total_seconds() / 60 if since else 0
        if silent > max(SLOW * usual, SLOW_AT_LEAST):
            facts = {"minutes": round(silent), "usual": max(round(usual), 1)}
            words = _("Nothing from it for %(minutes)d minutes; most tables take %(usual)d for a board.")
            yield Flag("slow", one.section, one.table, one.round, None, None, words % facts)


class _Heard(NamedTuple):
    """When the last result of a table came; and how long it takes, where it has handed in several itself."""

    last: datetime
    minutes_a_board: float | None


def _heard(session: Session) -> dict[tuple[str, int], _Heard]:
    """By section and table; those of which nothing has come are left out."""
    at, own = "submission__created_at", Q(submission__table__isnull=False)
    results = Result.objects.filter(session=session).order_by()
    found = results.values_list("play__table__section__name", "play__table__number").annotate(
        newest=Max(at), first=Min(at, filter=own), last=Max(at, filter=own), count=Count("pk", filter=own)
    )
    return {
        (section, table): _Heard(
            newest, (last - first).total_seconds() / 60 / (count - 1) if count > 1 else None
        )
        for section, table, newest, first, last, count in found
    }


def _disagreements(rows: Sequence[WatchedPlay]) -> Iterator[Flag]:
    """Plays of which the sides of the table say different things: it tells no result, and everybody in charge
    is to settle it."""
    for one in rows:
        if play_states.is_disputed(one.submission, one.disagreement) and not any(one.ruled or ()):
            reason = _("The sides of the table have entered different results.")
            yield _flag("sides", one, reason)


def _outliers(session: Session, rows: Sequence[WatchedPlay]) -> Iterator[Flag]:
    """Scores far from all others of their line: several times as far from the middle as half of them are."""
    game = registry.game(session.game)
    sides = game.sides_of(session.conditions)
    boards: Mapping[int, list[WatchedPlay]] = defaultdict(list)
    for one in rows:
        if one.scores is not None:
            boards[one.board_id].append(one)
    for played in boards.values():
        far: dict[int, list[int]] = defaultdict(list)  # by play: the seats
        for seats in sides:
            line = [(one, score) for one in played if (score := _score(one, seats[0])) is not None]
            if len(line) < COMPARABLE:
                continue
            middle = median(score for _one, score in line)
            usual = median(abs(score - middle) for _one, score in line)
            for one, score in line:
                if usual and abs(score - middle) > FAR * usual:
                    far[one.play].append(seats[0])
        for one in played:
            if one.play in far:
                listed = ", ".join(map(str, far[one.play]))
                reason = _("Far from all other scores of the board (seat %(seats)s).") % {"seats": listed}
                yield _flag("outlier", one, reason)


def _score(one: WatchedPlay, seat: int) -> int | None:
    """None where there is none, or an average in its place."""
    return None if one.scores is None or seat in (one.averaged or ()) else one.scores[seat - 1]


def _contradicted(session: Session, rows: Sequence[WatchedPlay]) -> Iterator[Flag]:
    """Results that the deal contradicts: for those who direct. One that the cards of another board of its
    table admit was entered for the wrong one; several of one board, which has results that its deal admits,
    were not played with the cards of these, and a ruling may compare them apart
    (`rulings.on_fouled_board`)."""
    others = _other_boards(session, rows)
    contradicted: dict[int, list[WatchedPlay]] = defaultdict(list)
    admitted: set[int] = set()
    for one in rows:
        if one.is_contradicted:
            contradicted[one.board_id].append(one)
        elif one.scores is not None:
            admitted.add(one.board_id)
    for board, some in contradicted.items():
        is_fouled = len(some) > 1 and board in admitted
        listed = ", ".join(f"{one.section}{one.table}" for one in some)
        for one in some:
            if one.play in others and (others[one.play][1] or not is_fouled):
                yield _wrong_board(one, *others[one.play])
            elif is_fouled:
                reason = _("Tables %(tables)s had other cards than the rest, it seems: compare them apart?")
                yield _flag("fouled", one, reason % {"tables": listed})
            else:
                reason = _("The cards of this board contradict it: is it another board’s?")
                yield _flag("contradicted", one, reason)


def _wrong_board(one: WatchedPlay, other: int, is_exchange: bool) -> Flag:
    facts = {"board": one.board, "other": other}
    if is_exchange:
        words = _(
            "It fits the cards of board %(other)d, and what stands there fits this one: were they exchanged?"
        )
    else:
        words = _(
            "It does not fit the cards of board %(board)d, but those of board %(other)d: is it that one’s?"
        )
    return _flag("wrong-board", one, words % facts)


def _other_boards(session: Session, rows: Sequence[WatchedPlay]) -> dict[int, tuple[int, bool]]:
    """By play of a contradicted result: the number of the one other board of its table whose cards admit it,
    and whether the two results fit each other's board; without that, the other board has no result yet. Only
    boards of the same round, and others that are contradicted. Of the first few alone: where more are, it is
    not a number that was mistaken. One query, and none where nothing is contradicted."""
    asked = [one for one in rows if one.is_contradicted][:FITTED]
    if not asked:
        return {}
    tables: dict[tuple[str, int], list[WatchedPlay]] = defaultdict(list)
    for one in rows:
        tables[one.section, one.table].append(one)
    beside = {
        one.play: [
            other
            for other in tables[one.section, one.table]
            if other.board != one.board and (other.is_contradicted or other.round == one.round)
        ]
        for one in asked
    }
    wanted = {one.submission for some in (asked, *beside.values()) for one in some if one.submission}
    contents = dict(Submission.objects.filter(pk__in=wanted).values_list("pk", "content"))

    def fits(one: WatchedPlay, board: int) -> bool:
        content = None if one.submission is None else contents.get(one.submission)
        return content is not None and judging.admits(session, board, content)

    found = {}
    for one in asked:
        others = [other for other in beside[one.play] if fits(one, other.board)]
        exchanged = [other.board for other in others if fits(other, one.board)]
        free = [other.board for other in others if other.scores is None]
        if len(exchanged) == 1 or (not exchanged and len(free) == 1):
            found[one.play] = (exchanged or free)[0], bool(exchanged)
    return found


def _flag(kind: str, one: WatchedPlay, reason: str) -> Flag:
    return Flag(kind, one.section, one.table, one.round, one.board, one.play, reason)
