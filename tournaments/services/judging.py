"""What the games' engines say to what was handed in: a result, or a refusal that says why."""

import json
import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils import timezone

from engines import records, registry
from engines.errors import BadRecord, EngineError, IllegalAction, NeedsDeal
from engines.phrases import LANGUAGES, Phrase

from ..models import Play, Result, Session, Submission, Tally
from ..models.open_boards import Rounds
from . import board_sets, bulk, history, queue

log = logging.getLogger(__name__)

BATCH = 1_000


class BoardKey(NamedTuple):
    """What is dealt on a board follows from this: boards of a session change with their commitment only, and
    the id of a session comes again where a transaction failed."""

    session: int
    game: str
    made_at: Any
    commitment: str
    number: int


class Pending(NamedTuple):
    """A submission to be judged. `table`: the one that handed it in, None where somebody did for it;
    `content`: as JSON."""

    pk: int
    play: int
    table: int | None
    content: str
    tournament: int
    board: BoardKey


class Columns(NamedTuple):
    """What a judgement says in the row of its result, each as JSON."""

    scores: bulk.Json
    facts: bulk.Json
    averaged: bulk.Json
    sheet: bulk.Json


class Verdict(NamedTuple):
    """What the engine says to a submission: what becomes the result, a refusal, or neither after an internal
    error. Both, as disputed, where the deal alone contradicts it. `contradicted`: the refusal follows from
    the deal, and is not for those who may not see it."""

    state: Submission.State
    accepted: Columns | None = None
    refusal: Any = None
    contradicted: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """What was judged at once. `sessions`: those with new results, whose lists are to follow; `is_full`: more
    may wait."""

    sessions: tuple[int, ...] = ()
    is_full: bool = False


@transaction.atomic
def judge(*, session_id: int | None = None) -> Batch:
    """Judge what is pending, the oldest first, in one session or in all.

    Running it twice, late, or on two workers at once does what running it once does: a submission is judged
    under its lock, and of several for a play the newest accepted one makes the result. It takes a dozen
    statements whatever the number of results and sessions.
    """
    pending = _pending(session_id)
    if not pending:
        return Batch()
    verdicts = _verdicts(pending)
    verdicts |= _asked_again(pending, verdicts)
    _keep_states(pending, verdicts)
    history.keep(_notes(pending, verdicts))
    return Batch(_keep_results(pending, verdicts), len(pending) == BATCH)


def _pending(session_id: int | None) -> list[Pending]:
    """The oldest submissions that nobody else is judging right now, locked."""
    text = "submission.content::text" if connection.vendor == "postgresql" else "submission.content"
    rows = bulk.select(
        f"""
        SELECT submission.id, submission.play_id, submission.table_id, {text}, session.tournament_id,
            session.id, session.game, session.created_at, board_set.commitment, board.number
        FROM tournaments_submission submission
        JOIN tournaments_play play ON play.id = submission.play_id
        JOIN tournaments_board board ON board.id = play.board_id
        JOIN tournaments_boardset board_set ON board_set.id = board.board_set_id
        JOIN tournaments_session session ON session.id = board_set.session_id
        WHERE submission.state = 'pending' {"" if session_id is None else "AND session.id = %s"}
        ORDER BY submission.id LIMIT {BATCH}
        """,  # noqa: S608 - two texts from here
        {},
        more=[] if session_id is None else [session_id],
        lock="FOR UPDATE OF submission SKIP LOCKED",
    )
    return [
        Pending(pk, play, table, content, tournament, BoardKey(*key))
        for pk, play, table, content, tournament, *key in rows
    ]


def _notes(pending: Sequence[Pending], verdicts: Mapping[int, Verdict]) -> Iterator[history.Note]:
    """An entry for each session and verdict, about all that were judged so."""
    plays: dict[tuple[int, int, str], dict[int, dict[str, Any]]] = defaultdict(dict)
    for one in pending:
        state = verdicts[one.pk].state.value
        plays[one.tournament, one.board.session, state][one.pk] = {"play": one.play}
    for about, details in plays.items():
        yield history.Note(*about, *history.together(Submission, details))


def _keep_states(pending: Sequence[Pending], verdicts: Mapping[int, Verdict]) -> None:
    now = timezone.now()
    for state in (Submission.State.ACCEPTED, Submission.State.FAILED):
        if some := [one.pk for one in pending if verdicts[one.pk].state == state]:
            bulk.give(Submission, some, state=state.value, judged_at=now)
    rest = {one.pk: verdict for one in pending if (verdict := verdicts[one.pk]).refusal is not None}
    bulk.update(
        Submission,
        {
            "id": list(rest),
            "state": [verdict.state.value for verdict in rest.values()],
            "judged_at": [now] * len(rest),
            "refusal": [verdict.refusal for verdict in rest.values()],
            "contradicted": [verdict.contradicted for verdict in rest.values()],
        },
    )


def _keep_results(pending: Sequence[Pending], verdicts: Mapping[int, Verdict]) -> tuple[int, ...]:
    """The newest submission that counts becomes the result of each play, whichever worker judges it when; the
    sessions."""
    newest = {one.play: one for one in pending if verdicts[one.pk].state in Submission.COUNTED}
    return keep_results(
        [
            Accepted(one.board.session, play, one.pk, accepted)
            for play, one in sorted(newest.items())
            if (accepted := verdicts[one.pk].accepted)
        ]
    )


class Accepted(NamedTuple):
    """A submission that was accepted, by the ids of its session, play and its own."""

    session: int
    play: int
    submission: int
    columns: Columns


def keep_results(rows: Sequence[Accepted]) -> tuple[int, ...]:
    """The results of different plays, at the next position of their session; the sessions. What is newer
    stays."""
    if not rows:
        return ()
    positions = _next_positions({one.session for one in rows})
    bulk.insert(
        Result,
        {
            "session": [one.session for one in rows],
            "play": [one.play for one in rows],
            "submission": [one.submission for one in rows],
            "scores": [one.columns.scores for one in rows],
            "facts": [one.columns.facts for one in rows],
            "averaged": [one.columns.averaged for one in rows],
            "sheet": [one.columns.sheet for one in rows],
            "position": [positions[one.session] for one in rows],
        },
        same={"updated_at": timezone.now()},
        conflict=bulk.newer(
            Result,
            unique="play",
            update=["submission", "scores", "facts", "averaged", "sheet", "position", "updated_at"],
            unless_newer="submission",
        ),
    )
    return tuple(positions)


def _next_positions(sessions: set[int]) -> dict[int, int]:
    """By session: where its lists will find the results that are stored now. Until these are committed,
    nobody else stores any for the session: whoever has read up to a position has missed none before it."""
    locked = bulk.select(
        """
        SELECT tally.id, tally.session_id, tally.position + 1
        FROM {wanted} JOIN tournaments_tally tally ON tally.session_id = wanted.session
        ORDER BY tally.session_id
        """,
        {"session": ("bigint", list(sessions))},
        lock="FOR NO KEY UPDATE OF tally",
    )
    ids, new = [pk for pk, _session, _position in locked], [position for *_ids, position in locked]
    bulk.update(Tally, {"id": ids, "position": new})
    return {session: position for _pk, session, position in locked}


# ── Verdicts ──────────────────────────────────────────────────────────────────────────────────────


def _verdicts(pending: Sequence[Pending]) -> dict[int, Verdict]:
    """By submission."""
    boards = {one.board: _boards.get(one.board) for one in pending}
    unknown = {key.session for key, board in boards.items() if board is None}
    sessions = Session.objects.select_related("board_set").in_bulk(unknown) if unknown else {}
    verdicts = {}
    for one in pending:
        try:
            if (board := boards[one.board]) is None:
                session = sessions[one.board.session]
                board = boards[one.board] = DealtBoard(
                    board_of(session, one.board.number), dealer_of(session, one.board.number)
                )
                _remember(one.board, board)
            verdicts[one.pk] = board.verdict(one.content)
        except Exception:
            log.exception("the engine of %s failed on submission %d", one.board.game, one.pk)
            verdicts[one.pk] = Verdict(Submission.State.FAILED)
    return verdicts


BOARDS, SHEETS, SHORT = 200, 100, 300
"""So many boards are remembered, so many sheets of each, of so many characters at most: some 20 MB."""


class DealtBoard:
    """A board that results come in for: it is dealt once, and of many tables that hand in the same sheet, one
    is judged. What an engine says depends on nothing else."""

    def __init__(self, record: records.Record, dealer: int) -> None:
        self.record, self.dealer = record, dealer
        self.verdicts: dict[str, Verdict] = {}

    def verdict(self, content: str) -> Verdict:
        """What the engine says to a content, given as JSON."""
        verdict = self.verdicts.get(content)
        if verdict is None:
            verdict = _verdict(self.record, self.dealer, json.loads(content))
            if len(content) <= SHORT and len(self.verdicts) < SHEETS:
                self.verdicts[content] = verdict
        return verdict


_boards: dict[BoardKey, DealtBoard] = {}


def _remember(key: BoardKey, board: DealtBoard) -> None:
    if len(_boards) >= BOARDS:
        _boards.clear()
    _boards[key] = board


def _verdict(board: records.Record, dealer: int, content: dict[str, Any]) -> Verdict:
    """What the engine says to a content. What is wrong whatever was dealt is said first: it tells nobody a
    card. Of what the deal alone contradicts, a sheet says enough to count until somebody has looked; a record
    that cannot be played to its end does not."""
    try:
        return Verdict(Submission.State.ACCEPTED, columns_of(judgement_of(board, content)))
    except EngineError as error:
        against_deal = error
    if board.deal is None:
        return _refused(against_deal)
    if "sheet" not in content:
        return _refused(against_deal, contradicted="actions" in content)
    try:
        unseen = replace(board, deal=None, conditions={**board.conditions, "dealer": dealer})
        columns = columns_of(judgement_of(unseen, content))
    except NeedsDeal:
        return _refused(against_deal, contradicted=True)
    except EngineError as error:
        return _refused(error)
    return _refused(against_deal, contradicted=True)._replace(
        state=Submission.State.DISPUTED, accepted=columns
    )


def _refused(error: EngineError, *, contradicted: bool = False) -> Verdict:
    if isinstance(error, IllegalAction):  # what was legal is a hand, and is written nowhere
        error = error.without_legal()
    refusal = {language: error.to_json(language) for language in LANGUAGES}
    return Verdict(Submission.State.REFUSED, refusal=refusal, contradicted=contradicted)


def _asked_again(pending: Sequence[Pending], verdicts: Mapping[int, Verdict]) -> dict[int, Verdict]:
    """A table is told once a play, in a round that has begun, that its sheet cannot be: it may have taken the
    wrong number. Whatever else the deal contradicts is answered like what it does not, or the answers would
    tell the deal. Two queries for each session with such a sheet, and one for all."""
    sheets = [
        one
        for one in pending
        if one.table is not None and verdicts[one.pk].state == Submission.State.DISPUTED
    ]
    if not sheets:
        return {}
    plays = Play.objects.filter(pk__in={one.play for one in sheets}).select_for_update(no_key=True)
    rounds = dict(plays.order_by("pk").values_list("pk", "round"))  # another worker waits here
    earlier = Submission.objects.filter(
        play__in=rounds, table__isnull=False, contradicted=True, state=Submission.State.REFUSED
    )
    told = set(earlier.values_list("play", flat=True))
    sessions = Session.objects.select_related("board_set").in_bulk({one.board.session for one in sheets})
    begun = {pk: Rounds.of(session).begun for pk, session in sessions.items()}
    again = {}
    for one in sheets:
        if one.play not in told and rounds[one.play] in begun[one.board.session]:
            told.add(one.play)
            again[one.pk] = verdicts[one.pk]._replace(state=Submission.State.REFUSED, accepted=None)
    return again


def columns_of(judgement: records.Judgement) -> Columns:
    outcome = judgement.outcome
    facts = [fact.to_json() for fact in outcome.facts]
    return Columns(*map(bulk.Json.of, (outcome.scores, facts, outcome.averaged, judgement.sheet)))


def board_of(session: Session, number: int) -> records.Record:
    """A board of a session, as the engine wants it, before anything has happened there."""
    game, deal = registry.game(session.game), board_sets.deal_of(session, number)
    return records.Record(game, session.options, session.conditions, deal)


def dealer_of(session: Session, number: int) -> int:
    return registry.game(session.game).dealer_of(number, session.conditions)


def judgement_of(board: records.Record, content: dict[str, Any]) -> records.Judgement:
    """What a finished record or a sheet is worth on a board. EngineError refuses."""
    record = records.with_content(board, content)
    if record.sheet is None and (record.actions is None or record.deal is None):
        raise BadRecord("sheet", Phrase("a result sheet is needed here"))
    return records.final_judgement(record)


@transaction.atomic
def retry(*, session: Session) -> int:
    """Let the workers try again what failed by an internal error; the number of submissions."""
    failures = Submission.objects.filter(play__table__section__session=session, state=Submission.State.FAILED)
    count = failures.update(state=Submission.State.PENDING)
    if count:
        history.note(None, "asked to judge again", session, session=session, submissions=count)
    queue.after_commit("judge")
    return count
