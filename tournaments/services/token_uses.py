"""When tokens were last used: remembered in a set, and written for all of them at once, once a minute. What
the last minute of a process knew is lost with it."""

import logging
import time
from collections.abc import Iterable
from datetime import timedelta
from threading import Thread

from django.db import Error, connection
from django.db.models import Q
from django.utils import timezone

from ..models import Token

log = logging.getLogger(__name__)

EVERY_SECONDS = 60.0
AT_ONCE = 500  # tokens in a statement

_used: set[int] = set()


def note(tokens: Iterable[Token | None]) -> None:
    """These have just been used."""
    _used.update(token.pk for token in tokens if token is not None)


def write() -> int:
    """Store what was noted; how many tokens that concerned. One that another process has written within the
    minute is left as it is."""
    used = [_used.pop() for _one in range(len(_used))]
    now = timezone.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - timedelta(seconds=EVERY_SECONDS))
    count = 0
    for start in range(0, len(used), AT_ONCE):
        some = Token.objects.valid().filter(stale, pk__in=used[start : start + AT_ONCE])
        count += some.update(last_used_at=now)
    return count


def begin() -> None:
    """From now on this process writes what it notes."""
    Thread(target=_run, name="token-uses", daemon=True).start()


def _run() -> None:
    while True:
        time.sleep(EVERY_SECONDS)
        if not _used:
            continue
        try:
            write()
        except Error as error:
            log.warning("the database is away (%s): when tokens were used is not known", type(error).__name__)
        finally:
            connection.close()
