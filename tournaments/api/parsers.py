"""Bodies of requests as values that can be stored, compared and sent back."""

import json
from collections.abc import Iterator, Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.parsers import BaseParser

from .serializers.fields import SUSPECT, is_plain_text


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
        text = stream.read()
        try:
            value = json.loads(text.decode("utf-8"), parse_constant=_no_number)
        except json.JSONDecodeError as error:
            raise ParseError(_("This is not JSON: %(reason)s.") % {"reason": error}) from None
        except UnicodeDecodeError:
            raise ParseError(_("JSON must be in UTF-8.")) from None
        except ValueError:  # thousands of digits, or NaN
            raise ParseError(_("A number has too many digits, or is not one that JSON knows.")) from None
        if SUSPECT.search(text):
            _check_plain(value)
        return value


def _no_number(name: str) -> None:
    raise ValueError(name)


def _check_plain(value: Any) -> None:
    message = _("This has characters that cannot be stored.")
    if not isinstance(value, dict):
        if not _is_plain(value):
            raise ParseError(message)
        return
    wrong = {name: [message] for name, part in value.items() if is_plain_text(name) and not _is_plain(part)}
    if not all(map(is_plain_text, value)):
        raise ParseError(message)
    if wrong:
        raise ValidationError(wrong)


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
