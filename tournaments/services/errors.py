"""Why a service refuses. Nothing has changed when one of these is raised. The API shows the code."""

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

    def to_json(self) -> dict[str, Any]:
        body = {"code": self.code, "message": self.message}
        return body if self.details is None else body | {"details": self.details}


class Invalid(Refused):
    """The request itself is wrong."""


class Forbidden(Refused):
    """The caller may see this, but not do what was asked."""


class Missing(Refused):
    """The thing does not exist, or the caller may not know of it."""


class Conflict(Refused):
    """The request was right in itself, but the state of things does not allow it any more."""


class Stale(Conflict):
    """The change was made to something that somebody else has changed since."""


class Outdated(Exception):
    """What was to be stored rests on something that has changed since: it has to be computed again."""


def refusal(code: str, error: EngineError) -> Invalid:
    """The refusal of a library, in the caller's language."""
    language = (get_language() or "en")[:2]
    return Invalid(code, error.phrase().to(language), error.to_json(language))


class CannotBackUp(Exception):
    """No backup has been made, or brought back; it says why, in one line."""
