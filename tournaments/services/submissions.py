"""What tables and clubs hand in: stored at once, with its sender's key, and judged a moment later."""

from collections.abc import Callable, Sequence

from django.utils.translation import get_language

from . import storing
from .deliveries import Answer, BadToken, Delivery, ResultEntry, Stored
from .storing import REFUSALS_AT_MOST
from .tokens import Claim

__all__ = ["REFUSALS_AT_MOST", "BadToken", "ResultEntry", "Stored", "submit"]


def submit(*, session_id: int, sender: Claim, entries: Sequence[ResultEntry]) -> list[Stored]:
    """Store what is handed in, all or nothing. The same key again returns the same submission, for ever:
    whoever sends for the same table or role, and whatever has happened since.

    Missing: a play that the sender may not enter. Conflict: a table after the end of the session (scorers
    and organisers can still correct), too many refused results, or a key that was used for another result.
    Invalid: the check letter of another board. BadToken: the sender's has ended.
    """
    return what_was_stored(carry(Delivery(session_id, sender, entries, get_language() or "en")))


def what_was_stored(answer: Answer) -> list[Stored]:
    """The answer to a delivery, raised if it is an error."""
    if isinstance(answer, Exception):
        raise answer
    return answer


def _here(delivery: Delivery) -> Answer:
    return storing.store([delivery])[0]


carry: Callable[[Delivery], Answer] = _here
"""How a delivery gets its answer: in this thread, or where many threads store by one that does it for all
(`writer`)."""
