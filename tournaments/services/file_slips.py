"""What is wrong in a file that somebody brings: told by line, column and reason, all of it at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language, ngettext

from engines.phrases import Phrase

from .errors import Invalid


@dataclass(frozen=True, slots=True)
class Slip:
    """What is wrong in a file, and where; `column` is empty if it concerns the whole row."""

    line: int
    column: str
    reason: Phrase

    def to_json(self, language: str) -> dict[str, Any]:
        return {"line": self.line, "column": self.column, "reason": self.reason.to(language)}


def refused(slips: Sequence[Slip]) -> Invalid:
    """What is said of a file with slips."""
    language = (get_language() or "en")[:2]
    message = ngettext(
        "%(count)d slip; nothing has been stored.",
        "%(count)d slips; nothing has been stored.",
        len(slips),
    )
    return Invalid("slips", message % {"count": len(slips)}, [slip.to_json(language) for slip in slips])
