"""Messages to the workers. A message is a hint: the sweep finds the work of one that was lost."""

import logging
from collections.abc import Mapping
from functools import partial
from threading import Event, Lock, Thread, Timer
from time import sleep
from typing import Any

from django.db import transaction
from kombu.exceptions import OperationalError

from .. import metrics, tracing
from ..celery import app

log = logging.getLogger(__name__)


def after_commit(task: str, *ids: int | str, **options: Any) -> None:
    """Send a task once the transaction has been committed."""
    transaction.on_commit(partial(send, task, *ids, **options), robust=True)


def send(task: str, *ids: int | str, **options: Any) -> None:
    """Send a task now. A broker that is away is only logged."""
    try:
        app.send_task(f"tournaments.tasks.{task}", args=ids, headers=tracing.headers(), **options)
    except (OperationalError, OSError) as error:
        metrics.unsent.labels(task).inc()
        log.warning("the broker is away (%s); the sweep will send %s again", type(error).__name__, task)


_on_their_way: set[tuple[object, ...]] = set()


def send_later(task: str, *ids: int, seconds: float) -> None:
    """Send a task so many seconds from now, unless this process is going to send the same. It waits here:
    without Redis, a worker of Celery may look a second late for what it was told to begin later."""
    key = (task, *ids)
    if key in _on_their_way:
        return
    _on_their_way.add(key)
    timer = Timer(seconds, _send_now, key, {"origin": tracing.headers()})
    timer.daemon = True
    timer.start()


def _send_now(task: str, *ids: int, origin: Mapping[str, str]) -> None:
    _on_their_way.discard((task, *ids))
    with tracing.working_for(origin):
        send(task, *ids)


class TaskCaller:
    """Sends a task, without ids, whenever it is called: at once, and again after a pause if it was called
    meanwhile. Whoever calls does not wait for the broker."""

    def __init__(self, task: str, *, pause_seconds: float = 0.05) -> None:
        self.task, self.pause_seconds = task, pause_seconds
        self.called, self.starting = Event(), Lock()
        self.origin: Mapping[str, str] = {}  # of the last call
        self.thread: Thread | None = None

    def call(self) -> None:
        self.origin = tracing.headers()
        self.called.set()
        if self.thread is None:
            with self.starting:
                if self.thread is None:
                    self.thread = Thread(target=self._run, name=f"caller of {self.task}", daemon=True)
                    self.thread.start()

    def _run(self) -> None:
        while True:
            self.called.wait()
            self.called.clear()
            try:
                with tracing.working_for(self.origin):
                    send(self.task)
            except Exception:
                log.exception("%s could not be sent; the sweep will send it again", self.task)
            sleep(self.pause_seconds)
