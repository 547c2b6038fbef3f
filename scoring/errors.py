"""What scoring refuses: it has computed nothing when this is raised."""

from pathlib import Path
from typing import Any

from engines.errors import EngineError
from engines.phrases import Phrase, look_up_in

look_up_in("scoring", Path(__file__).parent / "locale")


class BadScoring(EngineError):
    """`field`: the argument or option that is wrong (`weights`, `divisor`); `constraint`: what it must meet.

    It has the shape of the engines' refusals, so that whoever answers those answers it too.
    """

    def __init__(self, field: str, constraint: Phrase) -> None:
        super().__init__(field, constraint)
        self.field, self.constraint = field, constraint

    def phrase(self) -> Phrase:
        return Phrase("{field}: {constraint}", field=self.field, constraint=self.constraint)

    def facts(self, language: str = "en") -> dict[str, Any]:
        return {"field": self.field, "constraint": self.constraint.to(language)}


def one_of(field: str, value: object, known: tuple[str, ...]) -> str:
    """The value, if it is one of those known; BadScoring says which there are."""
    if not isinstance(value, str) or value not in known:
        raise BadScoring(
            field, Phrase("must be one of: {known}, not {value}", known=", ".join(known), value=value)
        )
    return value
