"""Workers are told of new results at once, and of all that come while the caller pauses once more."""

from queue import SimpleQueue
from threading import Event
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
