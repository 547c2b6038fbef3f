"""Messages to the workers. A message is a hint: the sweep finds the work of one that was lost."""

import logging
from functools import partial
from typing import Any

from django.db import transaction
from kombu.exceptions import OperationalError

from ..celery import app

log = logging.getLogger(__name__)


def after_commit(task: str, session_id: int) -> None:
    """Send a task for a session once the transaction has been committed."""
    transaction.on_commit(partial(send, task, session_id), robust=True)


def send(task: str, session_id: int, **options: Any) -> None:
    """Send a task for a session now. A broker that is away is only logged."""
    try:
        app.send_task(f"tournaments.tasks.{task}", args=[session_id], **options)
    except (OperationalError, OSError) as error:
        log.warning("the broker is away (%s); the sweep will send %s again", type(error).__name__, task)
