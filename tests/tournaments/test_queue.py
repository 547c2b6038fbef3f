"""Workers are told of new results at once, and of all that come while the caller pauses once more."""

from queue import SimpleQueue
from threading import Event
from time import monotonic
from typing import Any

from tests.running import PATIENCE
from tournaments.services import queue


def test_calls_during_a_pause_are_one_more_message_and_the_last_is_never_left_out(monkeypatch: Any) -> None:
    sent: SimpleQueue[str] = SimpleQueue()
    pause_is_over = Event()
    monkeypatch.setattr(queue, "send", sent.put)
    monkeypatch.setattr(queue, "sleep", lambda _seconds: pause_is_over.wait(PATIENCE))
    caller = queue.TaskCaller("judge")
    caller.call()
    assert sent.get(timeout=PATIENCE) == "judge"
    for _ in range(5):
        caller.call()
    assert sent.empty()
    pause_is_over.set()
    assert sent.get(timeout=PATIENCE) == "judge"
    assert sent.empty()
    assert not caller.called.is_set()


def test_what_is_sent_later_is_sent_once_by_this_process_and_without_a_countdown(monkeypatch: Any) -> None:
    """Celery looks for what has a countdown once a second only, where its messages are files."""
    sent: SimpleQueue[Any] = SimpleQueue()
    monkeypatch.setattr(queue, "send", lambda *task, **options: sent.put((task, options)))
    began = monotonic()
    for _ in range(3):
        queue.send_later("rank", 7, seconds=0.05)
    assert sent.get(timeout=PATIENCE) == (("rank", 7), {})
    assert monotonic() - began >= 0.05
    queue.send_later("rank", 7, seconds=0.001)  # the next one is another
    assert sent.get(timeout=PATIENCE) == (("rank", 7), {})
    assert sent.empty()
