"""What the games' engines say to what was handed in: a result, or a refusal that says why."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from engines import records, registry
from engines.errors import BadRecord, EngineError, IllegalAction
from engines.phrases import LANGUAGES, Phrase

from ..models import Result, Session, Submission, Tally
from . import board_sets, bulk, history, queue

log = logging.getLogger(__name__)

BATCH = 1_000


class Pending(NamedTuple):
    """A submission to be judged. `board`: its number."""

    pk: int
    play: int
    content: dict[str, Any]
    board: int
    session: int


FIELDS = ("pk", "play_id", "content", "play__board__number", "play__board__board_set__session_id")
"""Where the columns of `Pending` come from."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the engine says to a submission: a judgement, a refusal, or neither after an internal error."""

    state: Submission.State
    judgement: records.Judgement | None = None
    refusal: Any = None


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
    sessions = Session.objects.select_related("board_set").in_bulk({one.session for one in pending})
    verdicts = _verdicts(sessions, pending)
    _keep_states(pending, verdicts)
    history.keep(
        history.Note(
            sessions[one.session].tournament_id,
            one.session,
            verdicts[one.pk].state.value,
            history.subject_of(Submission, one.pk),
            {"play": one.play},
        )
        for one in pending
    )
    return Batch(_keep_results(pending, verdicts), len(pending) == BATCH)


def _pending(session_id: int | None) -> list[Pending]:
    """The oldest submissions that nobody else is judging right now, locked."""
    waiting = Submission.objects.pending().select_for_update(skip_locked=True, of=("self",))
    if session_id is not None:
        waiting = waiting.filter(play__board__board_set__session=session_id)
    return [Pending(*row) for row in waiting.order_by("pk").values_list(*FIELDS)[:BATCH]]


def _keep_states(pending: Sequence[Pending], verdicts: Mapping[int, Verdict]) -> None:
    now = timezone.now()
    for state in Submission.State:
        some = [one.pk for one in pending if verdicts[one.pk].state == state]
        if some and state != Submission.State.REFUSED:
            Submission.objects.filter(pk__in=bulk.listed(some)).update(state=state, judged_at=now)
    refused = [
        Submission(pk=pk, state=verdict.state, refusal=verdict.refusal, judged_at=now)
        for pk, verdict in verdicts.items()
        if verdict.state == Submission.State.REFUSED
    ]
    Submission.objects.bulk_update(refused, ["state", "refusal", "judged_at"])


def _keep_results(pending: Sequence[Pending], verdicts: Mapping[int, Verdict]) -> tuple[int, ...]:
    """The newest accepted submission of each play becomes its result, whichever worker judges it when; the
    sessions."""
    newest = {one.play: one for one in pending if verdicts[one.pk].state == Submission.State.ACCEPTED}
    return keep_results(
        [
            Accepted(one.session, play, one.pk, _accepted(verdicts[one.pk]))
            for play, one in sorted(newest.items())
        ]
    )


class Accepted(NamedTuple):
    """A submission that was accepted, by the ids of its session, play and its own."""

    session: int
    play: int
    submission: int
    judgement: records.Judgement


def keep_results(rows: Sequence[Accepted]) -> tuple[int, ...]:
    """The results of different plays, at the next position of their session; the sessions. What is newer
    stays."""
    if not rows:
        return ()
    positions = _next_positions({one.session for one in rows})
    outcomes = [one.judgement.outcome for one in rows]
    bulk.insert(
        Result,
        {
            "session": [one.session for one in rows],
            "play": [one.play for one in rows],
            "submission": [one.submission for one in rows],
            "scores": [outcome.scores for outcome in outcomes],
            "facts": [[fact.to_json() for fact in outcome.facts] for outcome in outcomes],
            "averaged": [outcome.averaged for outcome in outcomes],
            "sheet": [one.judgement.sheet for one in rows],
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


def _accepted(verdict: Verdict) -> records.Judgement:
    assert verdict.judgement is not None
    return verdict.judgement


def _next_positions(sessions: set[int]) -> dict[int, int]:
    """By session: where its lists will find the results that are stored now. Until these are committed,
    nobody else stores any for the session: whoever has read up to a position has missed none before it."""
    tallies = Tally.objects.filter(session__in=sessions)
    locked = list(tallies.select_for_update(no_key=True).order_by("session"))
    tallies.update(position=F("position") + 1)
    return {tally.session_id: tally.position + 1 for tally in locked}


# ── Verdicts ──────────────────────────────────────────────────────────────────────────────────────


def _verdicts(sessions: Mapping[int, Session], pending: Sequence[Pending]) -> dict[int, Verdict]:
    """By submission. A board is dealt once for all of them."""
    boards: dict[tuple[int, int], records.Record] = {}
    verdicts = {}
    for one in pending:
        place = one.session, one.board
        try:
            if place not in boards:
                boards[place] = board_of(sessions[one.session], one.board)
            verdicts[one.pk] = _verdict(boards[place], one.content)
        except Exception:
            game = sessions[one.session].game
            log.exception("the engine of %s failed on a submission for board %d", game, one.board)
            verdicts[one.pk] = Verdict(Submission.State.FAILED)
    return verdicts


def _verdict(board: records.Record, content: dict[str, Any]) -> Verdict:
    """What the engine says to a content."""
    try:
        return Verdict(Submission.State.ACCEPTED, judgement_of(board, content))
    except EngineError as error:
        if isinstance(error, IllegalAction):  # what was legal is a hand, and the board is still in play
            error = error.without_legal()
        refusal = {language: error.to_json(language) for language in LANGUAGES}
        return Verdict(Submission.State.REFUSED, refusal=refusal)


def board_of(session: Session, number: int) -> records.Record:
    """A board of a session, as the engine wants it, before anything has happened there."""
    game, deal = registry.game(session.game), board_sets.deal_of(session, number)
    return records.Record(game, session.options, session.conditions, deal)


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
    queue.after_commit("judge")
    return count
