"""What tables and clubs hand in: stored at once, judged by the engines a moment later."""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, F
from django.utils import timezone
from django.utils.translation import gettext as _

from engines import records, registry
from engines.errors import BadRecord, EngineError, IllegalAction
from engines.phrases import LANGUAGES, Phrase

from ..models import Board, Play, Result, Session, Submission, Token
from . import board_sets, history, queue
from .errors import Conflict, Invalid, Missing

log = logging.getLogger(__name__)

BATCH = 200
REFUSALS_AT_MOST = 10  # of one play, by a table: more would be guessing at hands


@dataclass(frozen=True, slots=True)
class Entry:
    """A result on its way in. `content`: {"actions": [...]} or {"sheet": {...}}; `check`: the letter on the
    board's wallet, if the sender has one."""

    section: str
    table: int
    board: int
    key: UUID
    content: dict[str, Any]
    check: str = ""


def submit(*, session: Session, sender: Token | None, entries: Sequence[Entry]) -> list[Submission]:
    """Store what was handed in, all or nothing. The same key again returns the same submission.

    Missing: a play that the sender may not enter; Conflict: a table after the end of the session
    (scorers and organisers still correct), or a key that came with another content before.
    """
    try:
        return _store(session, sender, entries)
    except IntegrityError:  # the same key came twice at once: by now the first is known
        return _store(session, sender, entries)


@transaction.atomic
def _store(session: Session, sender: Token | None, entries: Sequence[Entry]) -> list[Submission]:
    if session.state != Session.State.OPEN and (sender is None or sender.role is None):
        raise Conflict(
            "session-finished", _("The session is finished: only its scorer or organiser still corrects.")
        )
    board_sets.check_dealt(session)
    known = {s.key: s for s in Submission.objects.filter(sender=sender, key__in=[e.key for e in entries])}
    plays = _plays(session, sender, entries)
    guesses = _not_accepted(plays.values())
    limited = sender is not None and sender.table_id is not None
    fresh: dict[UUID, Submission] = {}
    for place, entry in enumerate(entries):
        play = plays.get((entry.section, entry.table, entry.board))
        if play is None:
            raise Missing("no-such-play", _no_such_play(entry), {"index": place})
        if entry.check and entry.check.upper() != board_sets.letter(session, entry.board):
            message = _("%(letter)s is not the letter of board %(board)d: is this another board?")
            told = {"letter": entry.check, "board": entry.board}
            raise Invalid("wrong-board", message % told, {"index": place})
        earlier = known.get(entry.key) or fresh.get(entry.key)
        if earlier is None:
            if limited and guesses[play.pk] >= REFUSALS_AT_MOST:
                raise Conflict(
                    "too-many-refused", _("Too many refused results for this board: ask the director.")
                )
            guesses[play.pk] += 1
            fresh[entry.key] = Submission(play=play, sender=sender, key=entry.key, content=entry.content)
        elif (earlier.play_id, earlier.content) != (play.pk, entry.content):
            message = _("This key came with another result before; a new result needs a new key.")
            raise Conflict("key-reused", message, {"index": place, "key": str(entry.key)})
    if fresh:
        Submission.objects.bulk_create(fresh.values())
        known |= fresh
        history.note_all(
            sender, "submitted", [(s, {"play": s.play_id}) for s in fresh.values()], session=session
        )
    queue.after_commit("judge", session.pk)
    return [known[entry.key] for entry in entries]


def _plays(
    session: Session, sender: Token | None, entries: Iterable[Entry]
) -> dict[tuple[str, int, int], Play]:
    plays = (
        Play.objects.entered_by(sender)
        .filter(table__section__session=session, board__number__in={entry.board for entry in entries})
        .select_related("table__section", "board")
        .select_for_update(of=("self",), no_key=True)
        .order_by("pk")
    )
    return {(p.table.section.name, p.table.number, p.board.number): p for p in plays}


def _not_accepted(plays: Iterable[Play]) -> Counter[int]:
    """By play, what tables have handed in that was refused, or waits and may be: each could be a guess."""
    tables = Submission.objects.filter(play__in=plays, sender__table__isnull=False)
    counted = tables.filter(state__in=[Submission.State.REFUSED, Submission.State.PENDING]).values("play")
    return Counter(dict(counted.annotate(count=Count("pk")).values_list("play", "count")))


def _no_such_play(entry: Entry) -> str:
    text = _(
        "Board %(board)d is not played at table %(section)s%(table)d, or that table is not yours to enter."
    )
    return text % {"board": entry.board, "section": entry.section, "table": entry.table}


# ── Judging ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a submission: a judgement, or a refusal, or neither after an internal error."""

    state: Submission.State
    judgement: records.Judgement | None = None
    refusal: Any = None


@transaction.atomic
def judge(*, session_id: int) -> bool:
    """Judge what is pending in a session, the oldest first; True if more waits than one batch.

    Twice, late or on two workers at once it does what once does: a submission is judged under its
    lock, and of several for a play the newest accepted one makes the result.
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
        told = [(s, {"play": s.play_id}) for s in pending if s.state == state]
        history.note_all(None, state.value, told, session=session)
    if _keep_results(pending, verdicts):
        queue.after_commit("score", session.pk)
    return len(pending) == BATCH


def _keep_results(judged: Sequence[Submission], verdicts: dict[int, Verdict]) -> bool:
    """The newest accepted submission of each play becomes its result; its board is to be scored again."""
    newest = {s.play_id: s for s in judged if s.state == Submission.State.ACCEPTED}
    boards = sorted({s.play.board_id for s in newest.values()})
    list(
        Board.objects.select_for_update(no_key=True).filter(pk__in=boards).order_by("pk")
    )  # locks come first
    held = dict(Result.objects.filter(play__in=newest).values_list("play_id", "submission_id"))
    newer = {play: s for play, s in newest.items() if held.get(play, 0) < s.pk}
    if not newer:
        return False
    results = []
    for play, submission in newer.items():
        judgement = verdicts[submission.pk].judgement
        assert judgement is not None
        results.append(
            Result(
                play_id=play,
                submission=submission,
                scores=list(judgement.outcome.scores),
                facts=[fact.to_json() for fact in judgement.outcome.facts],
                averaged=list(judgement.outcome.averaged),
                sheet=judgement.sheet,
                updated_at=timezone.now(),
            )
        )
    Result.objects.bulk_create(
        results,
        update_conflicts=True,
        unique_fields=["play"],
        update_fields=["submission", "scores", "facts", "averaged", "sheet", "awards", "updated_at"],
    )
    changed = {s.play.board_id for s in newer.values()}
    Board.objects.filter(pk__in=changed).update(dirty=F("dirty") + 1)
    return True


def verdict(session: Session, board: Board, content: dict[str, Any]) -> Verdict:
    """What the engine says to a content; an unexpected error of it is kept apart and logged."""
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
        raise BadRecord("sheet", Phrase("a result sheet is wanted here"))
    return records.final_judgement(record)


@transaction.atomic
def retry(*, session: Session) -> int:
    """Let the workers try again what failed by an error of ours; the number of submissions."""
    failed = Submission.objects.filter(play__table__section__session=session, state=Submission.State.FAILED)
    count = failed.update(state=Submission.State.PENDING)
    queue.after_commit("judge", session.pk)
    return count
