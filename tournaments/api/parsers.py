"""Bodies of requests as values that can be stored, compared and sent back."""

import json
from collections.abc import Iterator, Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.parsers import BaseParser

from .serializers.fields import SUSPECT, UnplainRow, is_plain_text


class JSONParser(BaseParser):
    """JSON as RFC 8259 has it, in UTF-8. What cannot be stored as text is refused, keys included, with the
    names of the fields that have it."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return value_of(stream.read())


class RowsParser(JSONParser):
    """The same for a body with many rows: one that has what cannot be stored is an `UnplainRow`, and whoever
    reads the rows says which it is."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return value_of(stream.read(), marks_rows=True)


def value_of(text: bytes, *, marks_rows: bool = False) -> Any:
    """What JSON says, of which everything can be stored; but for an `UnplainRow`, if it `marks_rows`.
    ParseError, ValidationError: it is none, or cannot."""
    try:
        value = json.loads(text.decode("utf-8"), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise ParseError(_("This is not JSON: %(reason)s.") % {"reason": error}) from None
    except UnicodeDecodeError:
        raise ParseError(_("JSON must be in UTF-8.")) from None
    except ValueError:  # thousands of digits, or NaN
        raise ParseError(_("A number has too many digits, or is not one that JSON knows.")) from None
    if SUSPECT.search(text):
        value = _with_marked_rows(value) if marks_rows else value
        _check_plain(value)
    return value


def _with_marked_rows(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {
        name: [_marked(row) for row in part] if isinstance(part, list) else part
        for name, part in value.items()
    }


def _marked(row: Any) -> Any:
    """A row that is as it should be, or is none at all, stays as it is, and so does one that has names which
    cannot be said again."""
    if not isinstance(row, dict) or not all(map(is_plain_text, row)):
        return row
    return UnplainRow(wrong) if (wrong := _wrong_fields(row)) else row


def _no_number(name: str) -> None:
    raise ValueError(name)


def _check_plain(value: Any) -> None:
    if not isinstance(value, dict):
        if not _is_plain(value):
            raise ParseError(_unplain())
        return
    if not all(map(is_plain_text, value)):
        raise ParseError(_unplain())
    if wrong := {name: _where(part) for name, part in value.items() if not _is_plain(part)}:
        raise ValidationError(wrong)


def _where(part: Any) -> Any:
    """What is wrong with a part that cannot be stored: of a list of objects, by the number of each (the first
    is 0) and by its fields."""
    if not isinstance(part, list) or not all(isinstance(row, dict) for row in part):
        return [_unplain()]
    return {
        str(number): _wrong_fields(row) if all(map(is_plain_text, row)) else [_unplain()]
        for number, row in enumerate(part)
        if not _is_plain(row)
    }


def _wrong_fields(row: Mapping[str, Any]) -> dict[str, list[str]]:
    return {name: [_unplain()] for name, part in row.items() if not _is_plain(part)}


def _unplain() -> str:
    return _("This has characters that cannot be stored.")


def _is_plain(value: Any) -> bool:
    return all(map(is_plain_text, _texts(value)))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from _texts(part)
