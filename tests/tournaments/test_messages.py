"""Each step tells the queue the next one, for its own session, once it is kept."""

from typing import Any

import pytest

from tournaments.models import Submission
from tournaments.services import queue, submissions

from .worlds import a_world, an_entry, hand_in, plays_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch: Any) -> list[tuple[str, int]]:
    messages: list[tuple[str, int]] = []
    monkeypatch.setattr(queue, "send", lambda task, session_id, **_: messages.append((task, session_id)))
    return messages


def test_each_step_tells_the_queue_the_next(
    sent: list[tuple[str, int]], django_capture_on_commit_callbacks: Any
) -> None:
    world = a_world()
    pk = world.session.pk
    for step, following in (
        (lambda: hand_in(world, plays_of(world.session)[0]), "judge"),
        (lambda: submissions.judge(session_id=pk), "rank"),
    ):
        sent.clear()
        with django_capture_on_commit_callbacks(execute=True):
            step()
        assert sent == [(following, pk)]


def test_what_failed_is_sent_to_be_judged_again(
    sent: list[tuple[str, int]], django_capture_on_commit_callbacks: Any
) -> None:
    world = a_world()
    handed_in = hand_in(world, plays_of(world.session)[0])
    Submission.objects.filter(pk=handed_in.pk).update(state=Submission.State.FAILED)
    with django_capture_on_commit_callbacks(execute=True):
        assert submissions.retry(session=world.session) == 1
    assert sent == [("judge", world.session.pk)]


def test_nothing_is_sent_of_what_is_not_kept(
    sent: list[tuple[str, int]], django_capture_on_commit_callbacks: Any
) -> None:
    world = a_world()
    play = plays_of(world.session)[0]
    nowhere = submissions.Entry("Z", 99, play.board.number, an_entry(play).key, an_entry(play).content)
    with django_capture_on_commit_callbacks(execute=True), pytest.raises(submissions.Missing):
        submissions.submit(session=world.session, sender=world.organiser, entries=[nowhere])
    assert sent == []
