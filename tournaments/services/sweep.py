"""Work that was left undone, because its message was lost with a worker or a broker."""

from collections import Counter
from typing import Any

from django.conf import settings
from django.utils import timezone

from .. import metrics
from ..models import FieldTally, Job, PointsTally, RatingTally, SeasonTally, Submission, Tally
from . import chains, events, feed, progress, queue, rounds, states, webhooks

DELIVERIES_AT_MOST = 100  # asked for in one sweep
KEPT_BY_THE_CLOCK = (rounds.is_due, states.is_one_due, events.is_one_due)


def sweep() -> Counter[str]:
    """Send a message for all work that waits; the number of messages of each task. One too many does no harm:
    its worker finds nothing to do."""
    behind = Tally.objects.behind().values_list("session", flat=True)
    undrawn = Tally.objects.filter(progress.UNDRAWN).values_list("session", flat=True)
    now = timezone.now()
    work: list[tuple[Any, ...]] = [
        *([("judge",)] if Submission.objects.pending().exists() else []),
        *(("rank", session) for session in behind),
        *(("progress", session) for session in undrawn),
        *(("rank_field", leg) for leg in FieldTally.objects.behind().values_list("leg", flat=True)),
        *(("rank_season", one) for one in SeasonTally.objects.behind().values_list("season", flat=True)),
        *(("rate_club", one) for one in RatingTally.objects.behind().values_list("club", flat=True)),
        *(("give_points", one) for one in PointsTally.objects.behind().values_list("session", flat=True)),
        *([("keep_time",)] if any(one(now=now) for one in KEPT_BY_THE_CLOCK) else []),
        *([("place_feed",)] if feed.is_due() or webhooks.is_due() else []),
        *([("seal",)] if chains.is_due() else []),
        *(("deliver", one) for one in webhooks.due(now).values_list("pk", flat=True)[:DELIVERIES_AT_MOST]),
        *(("work", str(job)) for job in Job.objects.free(now).values_list("pk", flat=True)),
    ]
    for task, *ids in work:
        metrics.swept.labels(task).inc()
        queue.send(task, *ids, expires=5 * settings.SWEEP_SECONDS)
    return Counter(task for task, *_ids in work)
