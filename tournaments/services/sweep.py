"""Work that was left undone, because its message was lost with a worker or a broker."""

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q

from ..models import Result, Submission, Tally
from . import queue


def sweep() -> int:
    """Send a message for all work that waits; the number of messages. One too many does no harm: its worker
    finds nothing to do."""
    waiting = {
        "judge": Submission.objects.pending().values_list("play__table__section__session", flat=True),
        "rank": Tally.objects.filter(
            Q(layout__gt=F("counted_layout"))
            | Exists(Result.objects.filter(session=OuterRef("session"), position=None))
        ).values_list("session", flat=True),
        "progress": Tally.objects.filter(progress_position__lt=F("position")).values_list(
            "session", flat=True
        ),
    }
    count = 0
    for task, sessions in waiting.items():
        for session_id in sessions.order_by().distinct():
            queue.send(task, session_id, expires=5 * settings.SWEEP_SECONDS)
            count += 1
    return count
