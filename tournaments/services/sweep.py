"""Work that was left undone, because its message was lost with a worker or a broker."""

from django.conf import settings
from django.db.models import F

from ..models import Session, Submission
from . import queue


def sweep() -> int:
    """Send a message for all work that waits; the number of messages. One too many does no harm: its worker
    finds nothing to do."""
    waiting = {
        "judge": Submission.objects.pending().values_list("play__table__section__session", flat=True),
        "score": Session.objects.filter(
            board_set__boards__dirty__gt=F("board_set__boards__scored")
        ).values_list("pk", flat=True),
        "rank": Session.objects.filter(dirty__gt=F("ranked")).values_list("pk", flat=True),
    }
    count = 0
    for task, sessions in waiting.items():
        for session_id in sessions.order_by().distinct():
            queue.send(task, session_id, expires=5 * settings.SWEEP_SECONDS)
            count += 1
    return count
