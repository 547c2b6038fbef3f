"""A file of results that somebody brings, in whichever form: a table (`result_files`) or plays as JSON Lines
(`play_records`)."""

from collections.abc import Collection, Mapping

from ..models import Account, Session, Token
from . import play_records, result_files
from .register_files import Effect
from .result_files import FilePreview


def text_of(content: bytes) -> str:
    """The text of a file. Invalid: it is too large, or in none of these forms."""
    text = play_records.text_of(content)
    return result_files.text_of(content) if text is None else text


def preview(
    *, session: Session, account: Account | Token, text: str, held: Collection[int] = ()
) -> FilePreview:
    """What each row of a file would do; nothing is stored. Refused as by the reader of its form."""
    read = play_records.preview if play_records.is_one(text) else result_files.preview
    return read(session=session, account=account, text=text, held=held)


def mended(text: str, cells: Mapping[tuple[int, str], str], session: Session) -> str:
    """The file with some cells written anew: by their line, and the name of the column."""
    if play_records.is_one(text):
        return play_records.mended(text, cells)
    return result_files.mended(text, cells, session)


def hand_in(
    *,
    session: Session,
    account: Account | Token,
    text: str,
    reason: str = "",
    held: Collection[int] = (),
) -> dict[Effect, int]:
    """Hand in what is new in a file, and what it changes: as `result_files.store`."""
    shown = preview(session=session, account=account, text=text, held=held)
    return result_files.store(session=session, sender=account, shown=shown, reason=reason)
