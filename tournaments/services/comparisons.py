"""The method by which a session compares its lines, with the options that were fixed when it was set up."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engines import registry
from scoring import units
from scoring.datum import total_points
from scoring.errors import BadScoring
from scoring.lines import Comparison
from scoring.methods import METHODS, method, top_of

from ..models import Session
from .errors import Invalid


def options_of(name: str, options: Mapping[str, Any], game: str) -> dict[str, Any]:
    """The options of a method for a game, with the game's unit if the method needs one and none is given.
    Invalid says which option is wrong."""
    if not isinstance(options, Mapping):
        raise Invalid("bad-method", _("The options of a method must be given as names with their values."))
    try:
        method(name, **options)
        if "unit" not in METHODS[name].options or "unit" in options:
            return dict(options)
        in_imps = METHODS[name].unit == "imps"
        unit = units.unit(game) if in_imps else Fraction(1, registry.game(game).unit.divisor)
        return {**options, "unit": str(unit)}
    except BadScoring as error:
        language = (get_language() or "en")[:2]
        raise Invalid("bad-method", error.phrase().to(language), error.to_json(language)) from error


def comparison_of(session: Session) -> Comparison:
    """How the session compares a line."""
    return method(session.method, **session.method_options)


def adds_up(session: Session) -> bool:
    """Whether scores are added up as they are, compared with nobody's."""
    return METHODS[session.method].comparison is total_points


def top(session: Session) -> int | None:
    """The most that one board of the session can give; None for a method without a top."""
    return top_of(comparison_of(session), session.plays_per_board)
