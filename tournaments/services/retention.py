"""How long what concerns persons is kept, and what becomes of it then: docs/privacy.md says why.

What a ranking or the history rests on is not here: it is kept under numbers for ever, and `erasing` takes
away what tells who these are.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session as SignIn
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce, Least
from django.utils import timezone

from ..models import (
    Draft,
    ErasureWish,
    EveningLink,
    FormerName,
    Invitation,
    Job,
    PlayerLink,
    Registrant,
    Registration,
    Token,
)
from . import archives, feed, kept_answers, prints, slip_photos, webhooks


@dataclass(frozen=True, slots=True)
class Retention:
    """What is kept for some days after it has ended, and how it is forgotten: with a time before which it
    ended, or as a question, the number of what there is."""

    name: str
    days: int
    forget: Callable[[datetime], int]


def forget_old(now: datetime | None = None) -> dict[str, int]:
    """Forget what has been kept long enough; how much of each kind. Each kind is a transaction of its own,
    and doing it again does no harm."""
    at = now or timezone.now()
    forgotten = {}
    for kind in RETENTIONS:
        with transaction.atomic():
            forgotten[kind.name] = kind.forget(at - timedelta(days=kind.days))
    return forgotten


def _sign_ins(before: datetime) -> int:
    """The sessions of browsers that have ended, and where somebody was signed in with them."""
    from allauth.usersessions.models import UserSession

    count = SignIn.objects.filter(expire_date__lt=before).delete()[0]
    there = SignIn.objects.filter(session_key=OuterRef("session_key"))
    UserSession.objects.filter(~Exists(there)).delete()
    return count


def _invitations(before: datetime) -> int:
    """The addresses of invitations that have been accepted, withdrawn, or have ended."""
    over = Invitation.objects.filter(email__isnull=False)
    over = over.annotate(over_at=Least(Coalesce("accepted_at", "withdrawn_at", "ends_at"), "ends_at"))
    over = over.filter(over_at__lt=before)
    over.filter(accepted_at=None, withdrawn_at=None).update(withdrawn_at=F("ends_at"))
    return over.update(email=None)


def _links(before: datetime) -> int:
    """Links that no player has used, and those of guide cards, whose time is over."""
    cards = EveningLink.objects.filter(ends_at__lt=before).delete()[0]
    return cards + PlayerLink.objects.filter(used_at=None, ends_at__lt=before).delete()[0]


def _browsers(before: datetime) -> int:
    """Links that have given a browser a token, once that has ended."""
    links = PlayerLink.objects.filter(token=OuterRef("pk"))
    ended = Q(revoked_at__lt=before) | Q(expires_at__lt=before)
    over = Token.objects.filter(ended, Exists(links))
    return PlayerLink.objects.filter(token__in=over).delete()[0]


def _wishes(before: datetime) -> int:
    """Who asked to be erased, once that was settled."""
    return ErasureWish.objects.filter(settled_at__lt=before).delete()[0]


def _former_names(before: datetime) -> int:
    return FormerName.objects.filter(until__lt=before).delete()[0]


def _registrations(before: datetime) -> int:
    """Who stood in a list that was closed, or left it: who played is with the session."""
    over = Q(list__closed_at__lt=before)
    count = Registrant.objects.filter(over | Q(left_at__lt=before)).delete()[0]
    empty = Registration.objects.filter(over | Q(left_at__lt=before), registrants=None)
    empty.delete()
    return count


def _jobs(before: datetime) -> int:
    """Why long work was refused: it may quote a file, and so names. What was asked for, where an error of the
    program's has ended it."""
    return Job.objects.filter(ended_at__lt=before, error__isnull=False).update(error=None, request={})


def _drafts(before: datetime) -> int:
    """Sessions that were begun and never set up, and what was typed for those that were."""
    return Draft.objects.filter(saved_at__lt=before).delete()[0]


def _mails(before: datetime) -> int:
    """Mails that lie in a folder, for want of a mail server."""
    return sum(_unlink(path) for path in settings.MAIL_DIR.glob("*.eml") if _written(path) < before)


def _logs(before: datetime) -> int:
    """Lines of the logs that this machine writes."""
    return sum(cut(path, before) for path in sorted((settings.VAR_DIR / "log").glob("*.log")))


def _unlink(path: Path) -> int:
    path.unlink(missing_ok=True)
    return 1


def _written(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, tz=timezone.get_current_timezone())


def cut(path: Path, before: datetime) -> int:
    """The number of lines at the head of a log that are older than a time: they are taken away. Whoever
    writes the log meanwhile goes on at its end."""
    limit = before.strftime("%Y-%m-%dT%H:%M:%S").encode()
    with path.open("rb+") as file:
        lines = file.readlines()
        kept = next((at for at, line in enumerate(lines) if _date(line) >= limit), len(lines))
        if kept:
            file.seek(0)
            file.writelines(lines[kept:])
            file.truncate()
    return kept


DATED = re.compile(rb'(?:{"timestamp": ")?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)')
"""How a line begins, in either form (`tournaments.logs`)."""


def _date(line: bytes) -> bytes:
    """Nothing, of a line that goes on with the one before."""
    begin = DATED.match(line)
    return b"" if begin is None else b"T".join(begin.groups())


RETENTIONS = (
    Retention("sign-ins", 0, _sign_ins),
    Retention("addresses of invitations", 90, _invitations),
    Retention("links that nobody has used", 90, _links),
    Retention("links that browsers have used", 90, _browsers),
    Retention("wishes to be erased", 90, _wishes),
    Retention("former names of accounts", 365, _former_names),
    Retention("registrations", 365, _registrations),
    Retention("reasons of refused jobs", 30, _jobs),
    Retention("drafts of sessions", 60, _drafts),
    Retention("answers to requests with a key", kept_answers.DAYS, kept_answers.forget),
    Retention("items of the feed", feed.DAYS, feed.forget),
    Retention("deliveries of webhooks", webhooks.LOG_DAYS, webhooks.forget),
    Retention("photos of paper slips", slip_photos.DAYS, slip_photos.forget),
    Retention("prints", 1, prints.forget),
    Retention("archives", 1, archives.forget),
    Retention("mails", 30, _mails),
    Retention("lines of logs", 30, _logs),
)
