"""How mails leave: to a folder, or to a mail server, beside the request that wrote them.

A mail server may take seconds, and how long it takes would tell whether there is an account. So a thread of
the web process hands mails over. They are kept nowhere meanwhile, as they carry codes and links: one that was
under way when its process was killed is lost, and is asked for again."""

import logging
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.message import EmailMessage

log = logging.getLogger(__name__)

KEPT_SECONDS = 30 * 24 * 3600  # in the folder
TRIES, PAUSE_SECONDS = 3, 5.0


class Folder(BaseEmailBackend):
    """Mails as files that their user alone can read, for a machine without a mail server."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        settings.MAIL_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
        for path in settings.MAIL_DIR.glob("*.eml"):
            if path.stat().st_mtime < time.time() - KEPT_SECONDS:
                path.unlink(missing_ok=True)
        for message in email_messages:
            name = f"{datetime.now(UTC):%Y-%m-%d-%H%M%S-%f}-{uuid4().hex[:8]}.eml"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with os.fdopen(os.open(settings.MAIL_DIR / name, flags, 0o600), "wb") as file:
                file.write(message.message().as_bytes())
        return len(email_messages)


class Aside(BaseEmailBackend):
    """The backend that EMAIL_URL names, in a thread of its own."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for message in email_messages:
            _thread.submit(hand_over, message)
        return len(email_messages)


_thread = ThreadPoolExecutor(1, thread_name_prefix="mail")


def hand_over(message: Any) -> bool:
    """Whether the mail server has taken a mail, at the third try at the latest."""
    for number in range(1, TRIES + 1):
        try:
            get_connection(settings.MAIL_BACKEND).send_messages([message])
            return True
        except OSError as error:  # smtplib's errors are
            log.warning("the mail server has not taken a mail (%s, try %d)", type(error).__name__, number)
            if number < TRIES:
                time.sleep(PAUSE_SECONDS * number)
    return False
