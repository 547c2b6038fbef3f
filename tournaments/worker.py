"""What a worker does besides its tasks: it finds work that was left undone, and shows that it is alive.

Threads cannot be stopped, so a task has no time limit: a worker in which one hangs gives no more signs of
life, and whoever watches it starts another one.
"""

import gc
import logging
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from celery import signals
from django.conf import settings
from django.db import Error, close_old_connections

from . import metrics, tracing, watched
from .services import queue, readiness, sweep
from .signs import SIGN
from .sqlite3 import base
from .starting import SWITCH_SECONDS, check_migrated

log = logging.getLogger(__name__)

LOOP_SECONDS = 1.0
GARBAGE = 50_000, 20, 50  # new objects before it is looked for: standings in memory are many, and stay
LOOK_SECONDS = 0.04  # on SQLite, between two looks whether a worker may write: those who hand in go first
FORGET_AFTER_SECONDS = 60.0  # of a worker's life, for the first time: on one machine it may live an evening

_begun: dict[str, float] = {}
"""By task, when it was begun."""
_stopping = threading.Event()
_loop_at = time.monotonic()


@signals.worker_init.connect
def prepare(**_: Any) -> None:
    check_migrated()
    watched.begin("worker")
    base.LONGEST_SECONDS = LOOK_SECONDS
    sys.setswitchinterval(SWITCH_SECONDS)


@signals.worker_ready.connect
def start(sender: Any, **_: Any) -> None:
    gc.collect()
    gc.freeze()  # what is there now stays
    gc.set_threshold(*GARBAGE)
    sender.timer.call_repeatedly(LOOP_SECONDS, _mark)
    threading.Thread(target=_tend, args=(str(sender.hostname),), daemon=True).start()


@signals.worker_shutting_down.connect
def stop(**_: Any) -> None:
    _stopping.set()


@signals.task_prerun.connect
def begin(task_id: str, task: Any = None, args: Any = (), **_: Any) -> None:
    """Note a task. Its thread keeps the connection of the task before, as a web process does, unless that is
    broken or old: on PostgreSQL a new one costs more than to judge a result."""
    _begun[task_id] = time.monotonic()
    if task is not None:
        tracing.begin_task(task.name, task_id, args, task.request)
    close_old_connections()


@signals.task_postrun.connect
def end(task_id: str, task: Any = None, state: str | None = None, **_: Any) -> None:
    begun = _begun.pop(task_id, None)
    if task is not None and begun is not None:
        name = task.name.rpartition(".")[2]
        metrics.done(name, (state or "unknown").lower(), time.monotonic() - begun)
    tracing.end_task()


def _mark() -> None:
    global _loop_at
    _loop_at = time.monotonic()


def is_alive(now: float) -> bool:
    """Whether messages are taken, and no task takes longer than any may."""
    oldest = min(list(_begun.values()), default=now)
    return now - oldest <= settings.TASK_SECONDS and now - _loop_at <= settings.HUNG_SECONDS


def _tend(name: str) -> None:
    sign = os.environ.get(SIGN)
    due = 0.0
    compared_at = time.monotonic()
    forgotten_at = compared_at - settings.FORGET_SECONDS + FORGET_AFTER_SECONDS
    while not _stopping.wait(min(LOOP_SECONDS, settings.SWEEP_SECONDS)):
        now = time.monotonic()
        if not is_alive(now):
            log.error("a task hangs, or no messages are taken: %s gives no more signs of life", name)
            continue
        if sign:
            Path(sign).touch()
        if now >= due:
            due = now + settings.SWEEP_SECONDS
            _look_after_work(name)
        if now >= compared_at + settings.COMPARE_SECONDS:
            compared_at = now
            queue.send("compare", expires=settings.COMPARE_SECONDS)
        if now >= forgotten_at + settings.FORGET_SECONDS:
            forgotten_at = now
            queue.send("forget_old", expires=settings.FORGET_SECONDS)


def _look_after_work(name: str) -> None:
    close_old_connections()
    try:
        readiness.sign_of_life(worker=name)
        readiness.note_sweep(worker=name, found=sweep.sweep())
    except Error as error:
        log.warning("the database is away (%s): looking for work again in a moment", type(error).__name__)
