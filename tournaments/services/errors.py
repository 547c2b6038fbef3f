"""Why a service refuses. The API shows each with its code; nothing has changed when one is raised."""

from typing import Any

from django.utils.translation import get_language

from engines.errors import EngineError


class Refused(Exception):
    """`code`: for programs, never translated; `message`: for people, in their language; `details`:
    facts as JSON values."""

    def __init__(self, code: str, message: str, details: Any = None) -> None:
        super().__init__(code, message, details)
        self.code, self.message, self.details = code, message, details

    def __str__(self) -> str:
        return self.message


class Invalid(Refused):
    """The request itself is wrong."""


class Forbidden(Refused):
    """The caller may look at this, but not do that."""


class Missing(Refused):
    """There is no such thing, or none that the caller may know of."""


class Conflict(Refused):
    """The request was right, but things have moved on."""


def refused(code: str, error: EngineError) -> Invalid:
    """What a library refuses, in the caller's language."""
    language = (get_language() or "en")[:2]
    return Invalid(code, error.phrase().to(language), error.to_json(language))
