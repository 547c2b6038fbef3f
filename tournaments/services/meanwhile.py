"""What has been done to a session since somebody looked at its page: a form says what its sender saw, and is
not carried out where somebody else was quicker."""

import json
from hashlib import sha256

from django.db.models import Max
from django.utils.translation import gettext as _

from ..models import HistoryEntry, Session
from . import states
from .errors import Stale

VERBS = (
    *("made ready", "made draft", "started", "took back start", "finished", "reopened", "cancelled"),
    *("reinstated", "made provisional", "took back list", "made final", "amended", "published", "withdrew"),
    *("opened round", "reopened round", "closed round", "took back round", "paced", "stopped pacing"),
    *("paused round", "resumed round", "extended round", "mended"),
    *("took back closing", "took back extension", "took back final", "took back amendment"),
)
TOLD_AT_MOST = 10


class Overtaken(Stale):
    """`entries`: what was done meanwhile, the oldest first."""

    def __init__(self, entries: list[HistoryEntry]) -> None:
        message = _("Somebody else was quicker: look at what has been done meanwhile.")
        super().__init__("changed-meanwhile", message)
        self.entries = entries


def stamp(session: Session) -> str:
    """What somebody sees of a session's course, for a form to bring back. One query."""
    newest = HistoryEntry.objects.of(session=session).aggregate(newest=Max("pk"))["newest"]
    return f"{_digest(session)}.{newest or 0}"


def hold(session: Session, seen: str) -> Session:
    """The session, held until the end of the transaction, if nothing has been done to it since this stamp;
    otherwise Overtaken says what."""
    held = states.locked(session)
    digest, _dot, newest = seen.partition(".")
    if digest == _digest(held):
        return held
    since = int(newest) if newest.isascii() and newest.isdecimal() and len(newest) < 19 else 0
    done = HistoryEntry.objects.of(session=held).filter(pk__gt=since, verb__in=VERBS)
    rows = done.select_related("account", "role", "token__table__section", "remark").order_by("-pk")
    raise Overtaken(list(rows[:TOLD_AT_MOST])[::-1])


def _digest(session: Session) -> str:
    course = [
        *(session.state, session.listed, session.is_paced, session.round_changes, session.clock_changes),
        *(str(session.corrections_until), str(session.starts_at), session.name),
    ]
    return sha256(json.dumps(course).encode()).hexdigest()[:16]
