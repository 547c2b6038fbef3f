"""Messages to the workers. A message is a hint: the sweep finds the work of one that was lost."""

import logging
from functools import partial
from time import monotonic
from typing import Any

from django.db import transaction
from kombu.exceptions import OperationalError

from ..celery import app

log = logging.getLogger(__name__)


def after_commit(task: str, *ids: int | str, **options: Any) -> None:
    """Send a task once the transaction has been committed."""
    transaction.on_commit(partial(send, task, *ids, **options), robust=True)


def send(task: str, *ids: int | str, **options: Any) -> None:
    """Send a task now. A broker that is away is only logged."""
    try:
        app.send_task(f"tournaments.tasks.{task}", args=ids, **options)
    except (OperationalError, OSError) as error:
        log.warning("the broker is away (%s); the sweep will send %s again", type(error).__name__, task)


_on_their_way: dict[tuple[object, ...], float] = {}


def send_later(task: str, *ids: int, seconds: float) -> None:
    """Send a task that is to be begun so many seconds from now, unless this process has sent the same."""
    now, key = monotonic(), (task, *ids)
    if _on_their_way.get(key, 0.0) > now:
        return
    for other, due in list(_on_their_way.items()):
        if due <= now:
            _on_their_way.pop(other, None)
    _on_their_way[key] = now + seconds
    send(task, *ids, countdown=seconds)
