"""Requests that are sent again do nothing again: whoever sends one with a key of its own is given the first
answer for a day, however often it comes.

A key is taken in a transaction of its own, so that others see it; what is asked for and its answer are stored
in one. A process that ends between the two leaves a key without an answer, and nothing done: after a minute
somebody else may take it, and whoever comes late with an answer has to undo what they did.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.utils import timezone
from django.utils.translation import gettext as _

from .. import vault
from ..models import KeptAnswer, Token
from .errors import Conflict

DAYS = 1
LONGEST = timedelta(minutes=1)  # that an answer may take


class OtherRequest(Exception):
    """The key was used for another request."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer as it is kept."""

    status: int
    content: bytes
    headers: Mapping[str, str]


def caller_name(token: Token) -> str:
    """Who sends, whichever of their tokens they use."""
    if token.role_id is not None:
        return f"role {token.role_id}"
    return f"table {token.table_id}" if token.table_id is not None else f"player {token.player_id}"


def take(*, token: Token, key: str, request: str) -> Answered | KeptAnswer:
    """The answer that was given under a key, or the key, which is the caller's now. `request`: a digest of
    what is asked for. OtherRequest: it was used for something else; Conflict: that is being done now."""
    now = timezone.now()
    caller, digest = caller_name(token), sha256(key.encode()).hexdigest()
    old = KeptAnswer.objects.filter(caller=caller, key=digest)
    old.filter(begun_at__lt=now - timedelta(days=DAYS)).delete()
    kept, is_new = old.get_or_create(
        caller=caller, key=digest, defaults={"request": request, "begun_at": now}
    )
    if is_new:
        return kept
    if kept.request != request:
        raise OtherRequest
    if kept.status is not None and kept.content is not None:
        return Answered(kept.status, _opened(bytes(kept.content)), kept.headers)
    if kept.begun_at > now - LONGEST or not _taken_over(kept, now):
        raise still_running()
    return kept


def still_running() -> Conflict:
    message = _("This request is being answered at this moment: send it again in a moment.")
    return Conflict("still-running", message)


def _opened(content: bytes) -> bytes:
    try:
        return vault.open_sealed(content)
    except vault.CannotOpen:
        message = _("This was done, but its answer can no longer be shown.")
        raise Conflict("answer-lost", message) from None


def _taken_over(kept: KeptAnswer, now: datetime) -> bool:
    mine = KeptAnswer.objects.filter(pk=kept.pk, begun_at=kept.begun_at, status=None).update(begun_at=now)
    kept.begun_at = now
    return bool(mine)


def keep(key: KeptAnswer, answer: Answered) -> None:
    """Keep the answer, in the transaction that has done what was asked for. Conflict: somebody else has taken
    the key since, so it must not be done here."""
    mine = KeptAnswer.objects.filter(pk=key.pk, begun_at=key.begun_at, status=None)
    content = vault.seal(answer.content)
    if not mine.update(status=answer.status, content=content, headers=dict(answer.headers)):
        raise still_running()


def give_back(key: KeptAnswer) -> None:
    """Nothing was done: the key is good for another try, with the same request or another."""
    KeptAnswer.objects.filter(pk=key.pk, begun_at=key.begun_at, status=None).delete()


def forget(before: datetime) -> int:
    """Answers that have been kept long enough."""
    return KeptAnswer.objects.filter(begun_at__lt=before).delete()[0]
