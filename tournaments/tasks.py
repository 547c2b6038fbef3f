"""What workers do. A task may run twice, late, or on two workers at once: its message is a hint, and the
service finds in the database what there is to do. Tasks take ids."""

from threading import BoundedSemaphore
from uuid import UUID

from celery import shared_task
from django.conf import settings

from .models import Session
from .services import (
    board_sets,
    chains,
    counting,
    events,
    feed,
    fields,
    jobs,
    judging,
    master_points,
    movement_offers,
    progress,
    queue,
    rankings,
    ratings,
    recomputing,
    retention,
    rounds,
    season_standings,
    states,
    webhooks,
)

JOB_LATER_SECONDS = 1.0
RANK_LATER_SECONDS = 0.05

_ranking, _drawing, _joining, _standing, _rating, _giving = map(counting.Turns, (1, 2, 3, 4, 5, 6))


@shared_task
def judge() -> None:
    """Judge what has been handed in, whatever its session, and let the lists follow."""
    batch = judging.judge()
    if batch.is_full:  # another thread or worker may go on with it while the lists are made here
        queue.send("judge")
    for session_id in batch.sessions:
        _rank(session_id)


@shared_task
def rank(session_id: int) -> None:
    """Make the ranking that takes all results in; a moment later, where the last version is too young."""
    _rank(session_id)


def _rank(session_id: int) -> None:
    with _ranking.of(session_id) as is_mine:
        wait = rankings.claim(session_id=session_id) if is_mine else RANK_LATER_SECONDS
        if not wait:
            rankings.rank(session_id=session_id)
            board_sets.note_over(session_id=session_id)
    if wait:
        queue.send_later("rank", session_id, seconds=wait)


@shared_task
def rank_field(leg_id: int) -> None:
    """Make the version of a leg's joint field that takes in what has changed."""
    with _joining.of(leg_id) as is_mine:
        if is_mine:
            fields.rank(leg_id=leg_id)


@shared_task
def rank_season(season_id: int) -> None:
    """Make the version of a season's standing that takes in what has changed."""
    with _standing.of(season_id) as is_mine:
        if is_mine:
            season_standings.rank(season_id=season_id)


@shared_task
def rate_club(club_id: int) -> None:
    """Bring the ratings of a club's players up to date."""
    with _rating.of(club_id) as is_mine:
        if is_mine:
            ratings.rate(club_id=club_id)


@shared_task
def give_points(session_id: int) -> None:
    """Give the master points of a session's lists, and take back those that they do not give any more."""
    with _giving.of(session_id) as is_mine:
        if is_mine:
            master_points.give(session_id=session_id)


@shared_task(name="tournaments.tasks.progress")
def draw_progress(session_id: int) -> None:
    """Bring the plot of a large field up to date; the sweep asks again for one that is being drawn."""
    with _drawing.of(session_id) as is_mine:
        if is_mine:
            progress.refresh(session_id=session_id)


@shared_task
def compare() -> None:
    """Count the lists of one session again, and mend them if they are not those of their results."""
    session_id = recomputing.sample()
    if session_id is not None:
        recomputing.recompute(session=Session.objects.get(pk=session_id), mend=True)


@shared_task
def seal() -> None:
    """Seal what has been written to the history since the last time."""
    chains.seal_new()


@shared_task
def place_feed() -> None:
    """Give what has come to the feed its positions, and make the messages that partners are sent of it."""
    feed.place_new()
    webhooks.follow()


_free_for_deliveries = BoundedSemaphore(settings.DELIVERIES_AT_ONCE)


@shared_task
def deliver(delivery_id: int) -> None:
    """Send a message to a partner; a moment later, where so many are being sent here that results would
    wait."""
    if not _free_for_deliveries.acquire(blocking=False):
        queue.send("deliver", delivery_id, countdown=JOB_LATER_SECONDS)
        return
    try:
        webhooks.deliver(delivery_id=delivery_id)
    finally:
        _free_for_deliveries.release()


@shared_task
def keep_time() -> None:
    """Open and close rounds, make lists final, and lift embargoes, as the clock says."""
    rounds.keep_time()
    states.make_due_final()
    events.lift_all()


@shared_task
def forget_old() -> None:
    """Forget what concerns persons and has been kept long enough."""
    retention.forget_old()


_free_for_jobs = BoundedSemaphore(settings.JOBS_AT_ONCE)


@shared_task
def work(job_id: str) -> None:
    """Do a job that takes long; a moment later, where so many are being done here that results would wait."""
    if not _free_for_jobs.acquire(blocking=False):
        queue.send("work", job_id, countdown=JOB_LATER_SECONDS)
        return
    try:
        jobs.do(job_id=UUID(job_id))
    finally:
        _free_for_jobs.release()


@shared_task
def compare_movements(draft_id: int) -> None:
    """Compare the movements that would do for a session that is being set up."""
    movement_offers.compare(draft_id=draft_id)
