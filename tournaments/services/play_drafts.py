"""The play of a board while a phone takes it down, card by card: remembered for some hours, so that another
phone of the table can go on with it. It may be lost: the phone has it as well.

A draft holds what the table has played, and nothing is checked: an answer would show what somebody holds. It
is shown to the table as long as nothing of the board has been entered, and forgotten as soon as something is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.utils.translation import gettext as _

from ..models import TableLink
from .errors import Conflict

SECONDS = 3 * 3600


@dataclass(frozen=True, slots=True)
class PlayDraft:
    """What was taken down so far, and how often it was kept."""

    entries: tuple[str, ...] = ()
    revision: int = 0


def kept(link: TableLink, board: int) -> PlayDraft:
    """The draft of what a table plays with a board (its number); an empty one where there is none."""
    found = cache.get(_key(link, board))
    return found if isinstance(found, PlayDraft) else PlayDraft()


def keep(link: TableLink, board: int, entries: Sequence[str], revision: int) -> PlayDraft:
    """Keep a draft in place of the one of this revision. Conflict, with the newer one, where another phone
    has gone on with it."""
    before = kept(link, board)
    if before.revision > revision:
        details = {"entries": list(before.entries), "revision": before.revision}
        raise Conflict("taken-up", _("Another phone goes on with this record."), details)
    draft = PlayDraft(tuple(entries), revision + 1)
    cache.set(_key(link, board), draft, SECONDS)
    return draft


def forget(link: TableLink, board: int) -> None:
    cache.delete(_key(link, board))


def _key(link: TableLink, board: int) -> str:
    """A new link of the table finds no draft of the one before: that may be in anybody's hands."""
    return f"play-draft:{link.digest}:{board}"
