"""Sheets from which boards are dealt by hand: of which deal each is, and which others of it there are."""

import hmac
from base64 import b32encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from ..models import HistoryEntry, Session
from . import board_sets
from .errors import Missing

VERB = "printed lists"
MISREAD = str.maketrans("018", "OIB")  # none of the three is a sign of a code


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """A sheet that there is: who had it printed when, and its mark, by which it is told from the others."""

    by: str
    at: datetime
    mark: str


@dataclass(frozen=True, slots=True)
class DealSheets:
    """The deal of a board, and its sheets, the oldest first. `letter`: of its wallet."""

    board: int
    letter: str | None
    code: str
    printed: Sequence[PrintedSheet]


def codes(session: Session) -> dict[int, str]:
    """By what sheets and wallets of one deal are known to be the same: eight signs a board, under the key
    that the boards are dealt from. Of a short pack, too, nobody can find the deal by trying all that there
    are. Empty while there are no boards."""
    key = session.board_set.key
    return {} if key is None else {board: _code(key, board) for board in board_sets.numbers(session)}


def _code(key: bytes, board: int) -> str:
    code = b32encode(hmac.digest(key, f"etui/sheet/1\n{board}".encode(), "sha256")).decode()
    return f"{code[:4]}-{code[4:8]}"


def board_of(session: Session, typed: str) -> int | None:
    """The board whose sheets have a code, however it is typed; None: no board of this session."""
    signs = _signs(typed)
    return next((board for board, code in codes(session).items() if _signs(code) == signs), None)


def _signs(typed: str) -> str:
    return "".join(filter(str.isalnum, typed.upper())).translate(MISREAD)


def details(session: Session, typed: str) -> DealSheets:
    """Of which deal a sheet is by its code, and which sheets of it there are: for officials, whom the history
    tells the same. Missing: no board of this session has it."""
    board = board_of(session, typed)
    if board is None:
        message = _("No board of this session has the code %(code)s: is the sheet of another evening?")
        raise Missing("no-such-sheet", message % {"code": typed.strip()[:20]})
    entries = HistoryEntry.objects.filter(session=session, verb=VERB).select_related("account").order_by("pk")
    printed = [
        PrintedSheet(one.account.name if one.account else "–", one.at, one.detail.get("mark", ""))
        for one in entries
        if board in one.detail.get("boards", ())
    ]
    return DealSheets(board, board_sets.letter(session, board), codes(session)[board], printed)


def marks(session: Session) -> dict[int, list[str]]:
    """The marks of the sheets that there are of each board, the oldest first."""
    found: dict[int, list[str]] = {}
    entries = HistoryEntry.objects.filter(session=session, verb=VERB).order_by("pk")
    for detail in entries.values_list("detail", flat=True):
        for board in detail.get("boards", ()):
            found.setdefault(board, []).append(detail.get("mark", ""))
    return found


def line(code: str, before: Sequence[str]) -> str:
    """What a sheet says of others of the same deal."""
    own = _("Sheet %(code)s, as on the wallet’s label.") % {"code": code}
    if not before:
        return own
    there = _("There are sheets of this deal already (%(marks)s): do not deal it twice.")
    return f"{own} {there % {'marks': ', '.join(before)}}"
