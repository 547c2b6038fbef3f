"""What the games' engines say to what was handed in: a result, or a refusal that says why."""

import json
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils import timezone

from engines import records, registry, rules
from engines.errors import BadRecord, EngineError, IllegalAction, NeedsDeal
from engines.phrases import LANGUAGES, Phrase

from .. import metrics
from ..models import Result, Session, Submission, WaitingSubmission
from ..models.open_boards import Rounds
from . import board_sets, bulk, clauses, history, pipeline, queue, sides, states

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


class Waiting(NamedTuple):
    """A submission to be judged. `table`: the one that handed it in, None where somebody did for it; `seat`:
    whose phone the table used, if it says so; `is_again`: something counts for its play already; `content`:
    as JSON."""

    pk: int
    play: int
    table: int | None
    seat: int | None
    is_again: bool
    content: str
    tournament: int
    session_state: str
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
    columns: Columns | None = None
    refusal: Any = None
    contradicted: bool = False


class NewResult(NamedTuple):
    """A submission that was accepted, by the ids of its session, play and its own."""

    session: int
    play: int
    submission: int
    columns: Columns


@dataclass(frozen=True, slots=True)
class Batch:
    """What was judged at once. `sessions`: those with new results, whose lists are to follow; `is_full`: more
    may wait; `became`: how many got which state."""

    sessions: tuple[int, ...] = ()
    is_full: bool = False
    became: Mapping[str, int] = field(default_factory=dict)


def judge(*, session_id: int | None = None) -> Batch:
    """Judge what is pending, the oldest first, in one session or in all.

    Running it twice, late, or on two workers at once does what running it once does: whoever judges a
    submission takes it from those that wait, and of several for a play the newest accepted one makes the
    result. It takes ten statements and four waits for the database, whatever the number of results and
    sessions; up to eight more statements where tables say which seat a sheet is from, or say something again
    (`sides`).
    """
    try:
        batch, waiting = _judge(session_id)
    except _FinalList:  # taken back: changes of state are the framework's, in a transaction that it knows of
        with transaction.atomic():
            batch, waiting = _judge(session_id)
    for state, count in batch.became.items():
        metrics.judged.labels(state).inc(count)
    # Afterwards: nobody who hands in waits for the engines. Should it be lost, the next result does it.
    if begun := {one.board.session for one in waiting if one.session_state == Session.State.READY}:
        states.start_all(begun)
    return batch


class _FinalList(Exception):
    """A result counts that came after its list was final."""


def _judge(session_id: int | None) -> tuple[Batch, Sequence[Waiting]]:
    pipeline.remember_statements()
    with pipeline.one_transaction() as parts:
        with parts.at_once():
            rows = _ask_waiting(session_id)
        waiting = _waiting(rows())
        if not waiting:
            return Batch(), ()
        verdicts, boards = _verdicts(waiting)
        if finals := _finals(waiting, verdicts):
            if parts.is_outermost:
                raise _FinalList
            states.amend_all(finals)
        verdicts |= _second_chances(waiting, verdicts)
        said = _hear_sides(waiting, verdicts, boards)
        results = _new_results(waiting, verdicts)
        if said:
            _ask_positions({one.session for one in results}.union(one.session for one in said), by=0)()
            sides.keep(said)
        with parts.at_once():
            _keep_states(waiting, verdicts)
            history.keep(_notes(waiting, verdicts))
            tallies = _ask_positions({one.session for one in results})
        positions: dict[int, int] = dict(tallies())
        with parts.at_once(last=True):
            _insert_results(results, positions)
    became = Counter(str(verdicts[one.pk].state) for one in waiting)
    return Batch(tuple(positions), len(waiting) == BATCH, became), waiting


Rows = Callable[[], list[tuple[Any, ...]]]


def _ask_waiting(session_id: int | None) -> Rows:
    """The oldest submissions that nobody else is judging right now; they wait no longer."""
    postgresql = connection.vendor == "postgresql"
    lock = "FOR UPDATE OF waiting SKIP LOCKED" if postgresql else ""
    of_session = """
        JOIN tournaments_submission submission ON submission.id = waiting.submission_id
        JOIN tournaments_play play ON play.id = submission.play_id
        JOIN tournaments_board board ON board.id = play.board_id
        JOIN tournaments_boardset board_set ON board_set.id = board.board_set_id AND board_set.session_id = %s
    """
    more = [] if session_id is None else [session_id]
    oldest = f"""
        SELECT waiting.submission_id AS id FROM tournaments_waitingsubmission waiting
        {"" if session_id is None else of_session}
        ORDER BY waiting.submission_id LIMIT {BATCH} {lock}
    """  # noqa: S608 - texts from here
    content = "submission.content::text" if postgresql else "submission.content"
    rows = f"""
        SELECT submission.id, submission.play_id, submission.table_id, submission.seat,
            EXISTS (SELECT 1 FROM tournaments_result result WHERE result.play_id = play.id),
            {content}, play.board_id
        FROM {{taken}} AS taken
        JOIN tournaments_submission submission ON submission.id = taken.id
        JOIN tournaments_play play ON play.id = submission.play_id
        ORDER BY submission.id
    """  # noqa: S608 - likewise
    if postgresql:
        taken = f"""
            WITH taken AS (
                DELETE FROM tournaments_waitingsubmission WHERE submission_id = ANY (ARRAY ({oldest}))
                RETURNING submission_id AS id
            )
        """  # noqa: S608 - likewise
        return bulk.ask(f"{taken} {rows.format(taken='taken')}", {}, more=more)
    there = bulk.select(rows.format(taken=f"({oldest})"), {}, more=more)
    bulk.delete(WaitingSubmission, [pk for pk, *_rest in there])
    return lambda: there


def _waiting(rows: Sequence[tuple[Any, ...]]) -> list[Waiting]:
    boards = _boards_of({board for *_rest, board in rows})
    return [Waiting._make((*rest, *boards[board])) for *rest, board in rows]


def _finals(waiting: Sequence[Waiting], verdicts: Mapping[int, Verdict]) -> set[int]:
    """The sessions whose final lists are amended by a result that counts, in the same transaction: each is
    locked before anything else of it; no table waits for it any more."""
    late = [one for one in waiting if one.session_state == Session.State.FINAL]
    return {one.board.session for one in late if verdicts[one.pk].state in Submission.COUNTED}


def _boards_of(ids: Collection[int]) -> dict[int, tuple[int, str, BoardKey]]:
    """By board, its tournament, the state of its session, and what it is dealt by."""
    if not ids:
        return {}
    rows = bulk.select(
        """
        SELECT board.id, session.tournament_id, session.state,
            session.id, session.game, session.created_at, board_set.commitment, board.number
        FROM {wanted}
        JOIN tournaments_board board ON board.id = wanted.board
        JOIN tournaments_boardset board_set ON board_set.id = board.board_set_id
        JOIN tournaments_session session ON session.id = board_set.session_id
        """,
        {"board": ("bigint", list(ids))},
    )
    return {board: (tournament, state, BoardKey(*key)) for board, tournament, state, *key in rows}


def _notes(waiting: Sequence[Waiting], verdicts: Mapping[int, Verdict]) -> Iterator[history.Note]:
    """An entry for each session and verdict, about all that were judged so."""
    plays: dict[tuple[int, int, str], dict[int, dict[str, Any]]] = defaultdict(dict)
    for one in waiting:
        state = str(verdicts[one.pk].state)
        plays[one.tournament, one.board.session, state][one.pk] = {"play": one.play}
    for about, details in plays.items():
        yield history.Note(*about, *history.together(Submission, details))


def _hear_sides(
    waiting: Sequence[Waiting],
    verdicts: dict[int, Verdict],
    boards: "Mapping[BoardKey, DealtBoard | None]",
) -> list[sides.Said]:
    """What the sides of tables say of each other's sheets; verdicts change for those that do not count."""
    if all(one.seat is None and (one.table is None or not one.is_again) for one in waiting):
        return []
    sheets = []
    for one in waiting:
        verdict, board = verdicts[one.pk], boards[one.board]
        if board is not None and verdict.state in Submission.COUNTED and verdict.columns is not None:
            sheet = sides.Sheet(one.pk, one.play, one.table, one.seat, json.loads(verdict.columns.sheet))
            record = board.record
            seats = record.game.sides_of(record.conditions)
            sheets.append(sides.Heard(one.board.session, sheet, seats, bool(one.is_again)))
    changed, said = sides.hear(sheets)
    for pk, state in changed.items():
        verdicts[pk] = verdicts[pk]._replace(state=state, columns=None)
    return said


def _keep_states(waiting: Sequence[Waiting], verdicts: Mapping[int, Verdict]) -> None:
    now = timezone.now()
    said = {one.pk: verdict.state for one in waiting if (verdict := verdicts[one.pk]).refusal is None}
    for state in sorted(set(said.values())):
        if some := [pk for pk, own in said.items() if own == state]:
            bulk.give(Submission, some, state=str(state), judged_at=now)
    rest = {one.pk: verdict for one in waiting if (verdict := verdicts[one.pk]).refusal is not None}
    bulk.update(
        Submission,
        {
            "id": list(rest),
            "state": [str(verdict.state) for verdict in rest.values()],
            "judged_at": [now] * len(rest),
            "refusal": [verdict.refusal for verdict in rest.values()],
            "contradicted": [verdict.contradicted for verdict in rest.values()],
        },
    )


def _new_results(waiting: Sequence[Waiting], verdicts: Mapping[int, Verdict]) -> list[NewResult]:
    """The newest submission that counts becomes the result of each play, whichever worker judges it when."""
    newest = {one.play: one for one in waiting if verdicts[one.pk].state in Submission.COUNTED}
    return [
        NewResult(one.board.session, play, one.pk, columns)
        for play, one in sorted(newest.items())
        if (columns := verdicts[one.pk].columns)
    ]


def keep_results(rows: Sequence[NewResult]) -> None:
    """The results of different plays, at the next position of their session. What is newer stays. In a
    transaction."""
    positions = _ask_positions({one.session for one in rows})
    _insert_results(rows, dict(positions()))


def _insert_results(rows: Sequence[NewResult], positions: Mapping[int, int]) -> None:
    if not rows:
        return
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


def _ask_positions(sessions: Collection[int], *, by: int = 1) -> Rows:
    """By session: where its lists will find the results that are stored now. Until these are committed,
    nobody else stores any for the session: whoever has read up to a position has missed none before it.
    `by` 0: the tallies are held, in the order in which everybody holds them, and nothing else is done."""
    if not sessions:
        return list
    wanted = {"session": ("bigint", sorted(sessions))}
    rows = bulk.ask(
        """
        SELECT tally.session_id, tally.position + 1
        FROM {wanted} JOIN tournaments_tally tally ON tally.session_id = wanted.session
        ORDER BY tally.session_id
        """,
        wanted,
        lock="FOR NO KEY UPDATE OF tally",
    )
    if not by:
        return rows
    bulk.ask(
        """
        UPDATE tournaments_tally SET position = position + 1
        WHERE session_id IN (SELECT session FROM {wanted})
        """,
        wanted,
    )
    return rows


# ── Verdicts ──────────────────────────────────────────────────────────────────────────────────────


def _verdicts(
    waiting: Sequence[Waiting],
) -> "tuple[dict[int, Verdict], Mapping[BoardKey, DealtBoard | None]]":
    """By submission; and the boards."""
    boards = {one.board: _boards.get(one.board) for one in waiting}
    unknown = {key.session for key, board in boards.items() if board is None}
    sessions = Session.objects.select_related("board_set").in_bulk(unknown) if unknown else {}
    verdicts = {}
    for one in waiting:
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
    return verdicts, boards


def admits(session: Session, number: int, content: dict[str, Any]) -> bool:
    """Whether what was handed in for one board could have happened on another. A board of which nothing is
    known says no."""
    key = BoardKey(session.pk, session.game, session.created_at, session.board_set.commitment, number)
    if (board := _boards.get(key)) is None:
        board = DealtBoard(board_of(session, number), dealer_of(session, number))
        _remember(key, board)
    try:
        is_dealt = board.record.deal is not None
        return is_dealt and board.verdict(json.dumps(content)).state == Submission.State.ACCEPTED
    except Exception:
        log.exception("the engine of %s failed on board %d of session %d", session.game, number, session.pk)
        return False


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
        return _refused(against_deal, board)
    if "sheet" not in content:
        return _refused(against_deal, board, contradicted="actions" in content)
    try:
        unseen = replace(board, deal=None, conditions={**board.conditions, "dealer": dealer})
        columns = columns_of(judgement_of(unseen, content))
    except NeedsDeal:
        return _refused(against_deal, board, contradicted=True)
    except EngineError as error:
        return _refused(error, board)
    return _refused(against_deal, board, contradicted=True)._replace(
        state=Submission.State.DISPUTED, columns=columns
    )


def _refused(error: EngineError, board: records.Record, *, contradicted: bool = False) -> Verdict:
    clause = rules.clause_of(board.game.id, error)
    if isinstance(error, IllegalAction):  # what was legal is a hand, and is written nowhere
        error = error.without_legal()
    refusal = {
        language: error.to_json(language) | {"clause": clause and clauses.address(clause, language)}
        for language in LANGUAGES
    }
    return Verdict(Submission.State.REFUSED, refusal=refusal, contradicted=contradicted)


def _second_chances(waiting: Sequence[Waiting], verdicts: Mapping[int, Verdict]) -> dict[int, Verdict]:
    """A table is told once a play, in a round that has begun, that its sheet cannot be: it may have taken the
    wrong number. Whatever else the deal contradicts is answered like what it does not, or the answers would
    tell the deal. Two queries for each session with such a sheet, and one for all."""
    sheets = [
        one
        for one in waiting
        if one.table is not None and verdicts[one.pk].state == Submission.State.DISPUTED
    ]
    if not sheets:
        return {}
    plays = bulk.select(
        """
        SELECT play.id, play.round FROM {wanted} JOIN tournaments_play play ON play.id = wanted.play
        ORDER BY play.id
        """,
        {"play": ("bigint", sorted({one.play for one in sheets}))},
        lock="FOR NO KEY UPDATE OF play",  # another worker waits here
    )
    rounds: dict[int, int] = dict(plays)
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
            again[one.pk] = verdicts[one.pk]._replace(state=Submission.State.REFUSED, columns=None)
    return again


def columns_of(judgement: records.Judgement) -> Columns:
    outcome = judgement.outcome
    facts = [fact.to_json() for fact in outcome.facts]
    return Columns(*map(bulk.Json.of, (outcome.scores, facts, outcome.averaged, judgement.sheet)))


def board_of(session: Session, number: int) -> records.Record:
    """A board of a session, as the engine wants it, before anything has happened there. What everybody knows
    of it is the session's where no deal says it, as where tables shuffle their own cards."""
    game, deal = registry.game(session.game), board_sets.deal_of(session, number)
    conditions = session.conditions if deal is not None else game.conditions_of(number, session.conditions)
    return records.Record(game, session.options, conditions, deal)


def dealer_of(session: Session, number: int) -> int:
    return registry.game(session.game).dealer_of(number, session.conditions)


def judgement_of(board: records.Record, content: dict[str, Any]) -> records.Judgement:
    """What a finished record or a sheet is worth on a board. EngineError refuses."""
    record = records.with_content(board, content)
    if record.sheet is None and (record.actions is None or record.deal is None):
        raise BadRecord("sheet", Phrase("a result sheet is needed here"))
    return records.final_judgement(record)


def check_unseen(session: Session, number: int, sheet: dict[str, Any]) -> None:
    """EngineError where a sheet of a board breaks the rules of the game, whatever was dealt: nobody learns of
    the deal here. Where only the deal says what a sheet is worth, the rest of it is checked."""
    game = registry.game(session.game)
    board = records.Record(game, session.options, game.conditions_of(number, session.conditions), None)
    with suppress(NeedsDeal):
        judgement_of(board, {"sheet": sheet})


@transaction.atomic
def retry(*, session: Session, actor: history.Actor = None) -> int:
    """Let the workers try again what failed by an internal error; the number of submissions."""
    failures = Submission.objects.filter(play__table__section__session=session, state=Submission.State.FAILED)
    ids = list(failures.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
    Submission.objects.filter(pk__in=ids).update(state=Submission.State.PENDING)
    bulk.insert(WaitingSubmission, {"submission": ids}, conflict="ON CONFLICT DO NOTHING")
    if ids:
        history.note(actor, "asked to judge again", session, session=session, submissions=len(ids))
    queue.after_commit("judge")
    return len(ids)
