"""What scoring refuses. Nothing has been computed when this is raised."""

from pathlib import Path

from engines.errors import BadField
from engines.phrases import Phrase, look_up_in

look_up_in("scoring", Path(__file__).parent / "locale")


class BadScoring(BadField):
    """An argument or an option (`weights`, `divisor`).

    It has the shape of the engines' refusals: code that answers those answers it too.
    """


def one_of(field: str, value: object, known: tuple[str, ...]) -> str:
    """The value, if it is one of those known; BadScoring says which there are."""
    if not isinstance(value, str) or value not in known:
        raise BadScoring(
            field, Phrase("must be one of: {known}, not {value}", known=", ".join(known), value=value)
        )
    return value
