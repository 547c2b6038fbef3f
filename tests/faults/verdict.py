"""What must be true after any faults: nothing is lost, nothing is there twice, every list follows from its
results."""

from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

from django.db.models import Max

from engines import records, registry
from tournaments.models import Result, Session, Submission, Tally
from tournaments.services import board_sets, recomputing

from .senders import Ledger

State = Submission.State


def nothing_waits() -> bool:
    return not Submission.objects.pending().exists() and not Tally.objects.behind().exists()


def findings(ledger: Ledger) -> Iterator[str]:
    yield from of_acknowledgements(ledger)
    for session in Session.objects.select_related("board_set", "tournament", "tally"):
        yield from of_results(session)
        yield from of_list(session)


def of_acknowledgements(ledger: Ledger) -> Iterator[str]:
    """Every acknowledged result is there exactly once, as it was sent, and was judged as it had to be."""
    rows = Submission.objects.select_related("play__table__section", "play__board")
    counted = Submission.objects.filter(state=State.ACCEPTED, table=None)
    by_officials = set(counted.values_list("play", flat=True))
    by_key: dict[Any, list[Submission]] = {}
    for row in rows.iterator(chunk_size=2000):
        by_key.setdefault(row.key, []).append(row)
    for key, pk in ledger.ids.items():
        found = by_key.get(key, [])
        if [row.pk for row in found] != [pk]:
            yield f"key {key} was acknowledged as submission {pk}, and there are {[row.pk for row in found]}"
    for key, found in by_key.items():
        entry = ledger.entries.get(key)
        if entry is None:
            yield f"submission {found[0].pk} was sent by nobody"
            continue
        if len(found) > 1:
            yield f"key {key} is there {len(found)} times"
        for row in found:
            play = row.play
            place = {
                "section": play.table.section.name,
                "table": play.table.number,
                "board": play.board.number,
            }
            if (place, row.content) != (entry.place, {"sheet": entry.sheet}):
                yield f"submission {row.pk} is not what was sent"
            if row.state not in _may_be(row, by_officials, is_right=entry.is_right):
                yield f"submission {row.pk} is {row.state}"


def _may_be(row: Submission, by_officials: Container[int], *, is_right: bool) -> set[str]:
    """A right result counts, but for a table's where an official has entered something: it agrees or not."""
    if not is_right:
        return {State.REFUSED}
    is_second = row.table_id is not None and row.play_id in by_officials
    return {State.ACCEPTED, State.AGREED, State.OPPOSED} if is_second else {State.ACCEPTED}


def of_results(session: Session) -> Iterator[str]:
    """The newest accepted submission of each play is its result, as the engine judges it."""
    accepted = Submission.objects.filter(
        play__table__section__session=session, state=Submission.State.ACCEPTED
    )
    newest = dict(accepted.values("play").annotate(newest=Max("pk")).values_list("play", "newest"))
    results = Result.objects.filter(session=session).select_related("submission", "play__board")
    kept = {result.play_id: result.submission_id for result in results}
    if kept != newest:
        yield f"session {session.pk}: the results are not the newest accepted submissions"
    for result in results:
        deal = board_sets.deal_of(session, result.play.board.number)
        board = records.Record(registry.game(session.game), session.options, session.conditions, deal)
        outcome = records.final_judgement(records.with_content(board, result.submission.content)).outcome
        if list(outcome.scores) != result.scores:
            yield f"result {result.pk} is {result.scores}, and the engine says {outcome.scores}"


def of_list(session: Session) -> Iterator[str]:
    """The newest version and the histograms equal what is counted from all results, from scratch."""
    answer = recomputing.recompute(session=session)
    if answer is None:
        yield f"session {session.pk}: the lists are behind the results"
        return
    for disagreement in answer.disagreements:
        yield f"session {session.pk}: {disagreement}"


BROKEN = "Internal Server Error: "
LINES_TOLD = 120


def of_logs(folder: Path) -> Iterator[str]:
    """What the service itself found and mended meanwhile is a finding as well, and so is the cause of an
    answer that says no more than that there is one."""
    for log in sorted(folder.glob("*.log*")):
        lines = log.read_text(errors="replace").splitlines()
        for number, line in enumerate(lines):
            if " disagree: " in line:
                yield f"{log.name}: {line}"
            if BROKEN in line:
                yield "\n".join([f"{log.name}: {line}", *lines[number + 1 : number + LINES_TOLD]])
