"""Each step tells the queue the next one, for its own session, once it is kept."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tournaments import tasks
from tournaments.models import Submission
from tournaments.services import jobs, judging, queue, rankings, submissions
from tournaments.services.errors import Missing

from .worlds import World, a_world, an_entry, hand_in, plays_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch: Any) -> list[tuple[Any, ...]]:
    """What is sent, at once or later; what is to be sent later stays on its way."""
    messages: list[tuple[Any, ...]] = []

    class Later:
        def __init__(self, _seconds: float, _send: Any, message: tuple[Any, ...], _about: Any) -> None:
            self.message = message

        def start(self) -> None:
            messages.append(self.message)

    monkeypatch.setattr(queue, "send", lambda *message, **_: messages.append(message))
    monkeypatch.setattr(queue, "Timer", Later)
    monkeypatch.setattr(queue, "_on_their_way", set())
    return messages


def test_a_result_is_told_to_the_workers(
    world: World, sent: list[tuple[Any, ...]], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        hand_in(world, plays_of(world.session)[0])
    assert sent == [("judge",)]


def test_one_task_judges_what_waits_in_all_sessions_and_ranks_them(sent: list[tuple[Any, ...]]) -> None:
    worlds = [a_world(), a_world()]
    for world in worlds:
        hand_in(world, plays_of(world.session)[0])
    tasks.judge()
    assert not Submission.objects.pending().exists()
    assert [world.refresh().version for world in worlds] == [1, 1]
    assert sent == []


def test_a_session_is_ranked_by_one_thread_of_a_worker_at_a_time(
    sent: list[tuple[Any, ...]], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes meanwhile is judged, and ranked a moment later."""
    settings.RANKING_SECONDS = 0.0
    first, second = a_world(), a_world()
    rank = rankings.rank

    def rank_slowly(*, session_id: int) -> int | None:
        monkeypatch.setattr(rankings, "rank", rank)
        for world in (first, second):
            hand_in(world, plays_of(world.session)[1])
        tasks.judge()
        assert [first.refresh().version, second.refresh().version] == [0, 1]
        return rank(session_id=session_id)

    monkeypatch.setattr(rankings, "rank", rank_slowly)
    hand_in(first, plays_of(first.session)[0])
    tasks.judge()
    assert not Submission.objects.pending().exists()
    assert sent == [("rank", first.session.pk)]
    assert [first.refresh().version, second.refresh().version] == [1, 1]


def test_a_full_batch_calls_for_the_next_one_before_it_ranks(
    world: World, sent: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "BATCH", 2)
    for play in plays_of(world.session)[:3]:
        hand_in(world, play)
    tasks.judge()
    assert sent == [("judge",)]
    assert Submission.objects.pending().count() == 1


def test_jobs_leave_threads_to_those_who_judge(
    sent: list[tuple[Any, ...]], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While some are being done, each asks for one more; it is done once they are over."""
    asked: list[UUID] = []

    def do(*, job_id: UUID) -> None:
        asked.append(job_id)
        if len(asked) <= settings.JOBS_AT_ONCE:
            tasks.work(str(uuid4()))

    monkeypatch.setattr(jobs, "do", do)
    tasks.work(str(uuid4()))
    assert len(asked) == settings.JOBS_AT_ONCE < settings.CELERY_WORKER_CONCURRENCY
    [(task, later)] = sent
    assert task == "work"
    tasks.work(later)
    assert str(asked[-1]) == later


def test_a_version_that_is_too_young_calls_for_the_next_one_once(
    sent: list[tuple[Any, ...]], settings: Any
) -> None:
    settings.RANKING_SECONDS = 3600
    world = a_world()
    for play in plays_of(world.session)[:3]:
        hand_in(world, play)
        tasks.judge()
    assert world.refresh().version == 1
    assert sent == [("rank", world.session.pk)]


def test_what_failed_is_sent_to_be_judged_again(
    world: World, sent: list[tuple[Any, ...]], django_capture_on_commit_callbacks: Any
) -> None:
    handed_in = hand_in(world, plays_of(world.session)[0])
    Submission.objects.filter(pk=handed_in.pk).update(state=Submission.State.FAILED)
    with django_capture_on_commit_callbacks(execute=True):
        assert judging.retry(session=world.session) == 1
    assert sent == [("judge",)]


def test_nothing_is_sent_of_what_is_not_kept(
    world: World, sent: list[tuple[Any, ...]], django_capture_on_commit_callbacks: Any
) -> None:
    play = plays_of(world.session)[0]
    nowhere = submissions.ResultEntry("Z", 99, play.board.number, an_entry(play).key, an_entry(play).content)
    with django_capture_on_commit_callbacks(execute=True), pytest.raises(Missing):
        submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[nowhere])
    assert sent == []
