"""What tables and clubs hand in: stored at once, and judged by the game's engine a moment later."""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from engines import records, registry
from engines.errors import BadRecord, EngineError, IllegalAction
from engines.phrases import LANGUAGES, Phrase

from ..models import Board, Play, Result, Session, Submission, Token
from . import board_sets, bulk, history, queue
from .errors import Conflict, Invalid, Missing

log = logging.getLogger(__name__)

BATCH = 200
REFUSALS_AT_MOST = 10  # for one play, from tables: whoever tries more could be guessing at hands


@dataclass(frozen=True, slots=True)
class Entry:
    """A result that is handed in. `content`: {"actions": [...]} or {"sheet": {...}}; `check`: the letter on
    the board's wallet, if the sender gives it."""

    section: str
    table: int
    board: int
    key: UUID
    content: dict[str, Any]
    check: str = ""


def submit(*, session: Session, sender: Token | None, entries: Sequence[Entry]) -> list[Submission]:
    """Store what is handed in, all or nothing. The same key again returns the same submission.

    Missing: a play that the sender may not enter. Conflict: a table after the end of the session (scorers
    and organisers can still correct), too many refused results, or a key that was used for another result.
    Invalid: the check letter of another board.
    """
    try:
        return _store(session, sender, entries)
    except IntegrityError:  # the same key came twice at the same time: by now the first one is stored
        return _store(session, sender, entries)


@transaction.atomic
def _store(session: Session, sender: Token | None, entries: Sequence[Entry]) -> list[Submission]:
    if session.state != Session.State.OPEN and (sender is None or sender.role is None):
        raise Conflict(
            "session-finished",
            _("The session is finished: only its scorers and organisers can still correct results."),
        )
    board_sets.check_dealt(session)
    by_key = {s.key: s for s in Submission.objects.filter(sender=sender, key__in=[e.key for e in entries])}
    plays = _plays(session, sender, entries)
    guesses = _possible_guesses(plays.values())
    from_table = sender is not None and sender.table_id is not None
    new: dict[UUID, Submission] = {}
    for index, entry in enumerate(entries):
        play = plays.get((entry.section, entry.table, entry.board))
        if play is None:
            raise Missing("no-such-play", _no_such_play(entry), {"index": index})
        if entry.check and entry.check.upper() != board_sets.letter(session, entry.board):
            message = _("%(letter)s is not the letter of board %(board)d. Did you play another board?")
            names = {"letter": entry.check, "board": entry.board}
            raise Invalid("wrong-board", message % names, {"index": index})
        earlier = by_key.get(entry.key) or new.get(entry.key)
        if earlier is None:
            if from_table and guesses[play.pk] >= REFUSALS_AT_MOST:
                message = _("Too many results for this board have been refused: please ask the director.")
                raise Conflict("too-many-refused", message)
            guesses[play.pk] += 1
            new[entry.key] = Submission(play=play, sender=sender, key=entry.key, content=entry.content)
        elif (earlier.play_id, earlier.content) != (play.pk, entry.content):
            message = _("This key was already used for another result: a new result needs a new key.")
            raise Conflict("key-reused", message, {"index": index, "key": str(entry.key)})
    if new:
        Submission.objects.bulk_create(new.values())
        by_key |= new
        lines = [(submission, {"play": submission.play_id}) for submission in new.values()]
        history.note_all(sender, "submitted", lines, session=session)
    queue.after_commit("judge", session.pk)
    return [by_key[entry.key] for entry in entries]


def _plays(
    session: Session, sender: Token | None, entries: Iterable[Entry]
) -> dict[tuple[str, int, int], Play]:
    """The plays of these boards that the sender may enter, locked, by section, table and board."""
    plays = (
        Play.objects.entered_by(sender)
        .filter(table__section__session=session, board__number__in={entry.board for entry in entries})
        .select_related("table__section", "board")
        .select_for_update(of=("self",), no_key=True)
        .order_by("pk")
    )
    return {(p.table.section.name, p.table.number, p.board.number): p for p in plays}


def _possible_guesses(plays: Iterable[Play]) -> Counter[int]:
    """By play, how many submissions of tables have been refused or may still be: each could be a guess at a
    hand."""
    states = [Submission.State.REFUSED, Submission.State.PENDING]
    guesses = Submission.objects.filter(play__in=plays, sender__table__isnull=False, state__in=states)
    counts = guesses.values("play").annotate(count=Count("pk"))
    return Counter(dict(counts.values_list("play", "count")))


def _no_such_play(entry: Entry) -> str:
    text = _(
        "Board %(board)d is not played at table %(section)s%(table)d, or you may not enter results for that "
        "table."
    )
    return text % {"board": entry.board, "section": entry.section, "table": entry.table}


# ── Judging ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the engine says to a submission: a judgement, a refusal, or neither after an internal error."""

    state: Submission.State
    judgement: records.Judgement | None = None
    refusal: Any = None


@transaction.atomic
def judge(*, session_id: int) -> bool:
    """Judge what is pending in a session, the oldest first; True if more than one batch waits.

    Running it twice, late, or on two workers at once does what running it once does: a submission is judged
    under its lock, and of several for a play the newest accepted one makes the result.
    """
    session = Session.objects.select_related("board_set").filter(pk=session_id).first()
    if session is None:
        return False
    pending = list(
        Submission.objects.pending()
        .filter(play__table__section__session=session)
        .select_related("play__board")
        .select_for_update(skip_locked=True, of=("self",))
        .order_by("pk")[:BATCH]
    )
    if not pending:
        return False
    verdicts = {s.pk: verdict(session, s.play.board, s.content) for s in pending}
    now = timezone.now()
    for submission in pending:
        submission.state = verdicts[submission.pk].state
        submission.refusal = verdicts[submission.pk].refusal
        submission.judged_at = now
    Submission.objects.bulk_update(pending, ["state", "refusal", "judged_at"])
    for state in Submission.State:
        lines = [(s, {"play": s.play_id}) for s in pending if s.state == state]
        history.note_all(None, state.value, lines, session=session)
    if _keep_results(session, pending, verdicts):
        queue.after_commit("rank", session.pk)
    return len(pending) == BATCH


def _keep_results(session: Session, judged: Sequence[Submission], verdicts: dict[int, Verdict]) -> bool:
    """The newest accepted submission of each play becomes its result, whichever worker judges it when; the
    lists take it in later. True if there was any."""
    newest = {s.play_id: s for s in judged if s.state == Submission.State.ACCEPTED}
    results = []
    for play, submission in sorted(newest.items()):
        judgement = verdicts[submission.pk].judgement
        assert judgement is not None
        outcome = judgement.outcome
        results.append(
            Result(
                session=session,
                play_id=play,
                submission=submission,
                scores=list(outcome.scores),
                facts=[fact.to_json() for fact in outcome.facts],
                averaged=list(outcome.averaged),
                sheet=judgement.sheet,
            )
        )
    bulk.upsert(
        results,
        unique="play",
        update=["submission", "scores", "facts", "averaged", "sheet", "position", "updated_at"],
        unless_newer="submission",
    )
    return bool(results)


def verdict(session: Session, board: Board, content: dict[str, Any]) -> Verdict:
    """What the engine says to a content. An unexpected error sets this one aside, and is logged."""
    try:
        judgement = judgement_of(session, board, content)
    except EngineError as error:
        if isinstance(error, IllegalAction):  # what was legal is a hand, and the board is still in play
            error = error.without_legal()
        refusal = {language: error.to_json(language) for language in LANGUAGES}
        return Verdict(Submission.State.REFUSED, refusal=refusal)
    except Exception:
        log.exception("the engine of %s failed on a submission for board %d", session.game, board.number)
        return Verdict(Submission.State.FAILED)
    return Verdict(Submission.State.ACCEPTED, judgement)


def judgement_of(session: Session, board: Board, content: dict[str, Any]) -> records.Judgement:
    """What a finished record or a sheet is worth on a board of the session. EngineError refuses."""
    game, deal = registry.game(session.game), board_sets.deal_of(session, board.number)
    record = records.with_content(records.Record(game, session.options, session.conditions, deal), content)
    if record.sheet is None and (record.actions is None or deal is None):
        raise BadRecord("sheet", Phrase("a result sheet is needed here"))
    return records.final_judgement(record)


@transaction.atomic
def retry(*, session: Session) -> int:
    """Let the workers try again what failed by an internal error; the number of submissions."""
    failures = Submission.objects.filter(play__table__section__session=session, state=Submission.State.FAILED)
    count = failures.update(state=Submission.State.PENDING)
    queue.after_commit("judge", session.pk)
    return count
