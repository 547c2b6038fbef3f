"""What workers do. A task may run twice, late, or on two workers at once: its message is a hint, and the
service finds in the database what there is to do. Tasks take ids."""

from celery import shared_task

from .services import queue, rankings, submissions
from .services import sweep as sweeping


@shared_task
def judge(session_id: int) -> None:
    """Judge the results that have been handed in."""
    if submissions.judge(session_id=session_id):
        queue.send("judge", session_id)


@shared_task
def rank(session_id: int) -> None:
    """Make the ranking that takes all results in; a moment later, where the last version is too young."""
    wait = rankings.seconds_to_wait(session_id=session_id)
    if wait:
        queue.send("rank", session_id, countdown=wait)
    else:
        rankings.rank(session_id=session_id)


@shared_task
def progress(session_id: int) -> None:
    """Bring the plot of a large field up to date."""
    rankings.refresh_progress(session_id=session_id)


@shared_task
def sweep() -> None:
    """Find work that was left undone, and send it again."""
    sweeping.sweep()
