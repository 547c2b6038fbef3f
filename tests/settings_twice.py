"""The project's settings, with a post that brings every message twice."""

from typing import Any

from celery import current_app
from celery.signals import after_task_publish

from tournaments.settings import *  # noqa: F403


@after_task_publish.connect(weak=False)
def send_again(sender: str, headers: dict[str, Any], body: Any, **_: Any) -> None:
    if not headers.get("again"):
        current_app.send_task(
            sender, args=body[0], kwargs=body[1], task_id=headers["id"], headers={"again": True}
        )
