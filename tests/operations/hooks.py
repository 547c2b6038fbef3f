"""What Schemathesis cannot know of the scene: it is told which ids there are, and while it asks, its own
requests make more."""

from typing import Any

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.core.parameters import ParameterLocation

from .scene import may_be_new


@schemathesis.hook
def filter_failure(context: Any, failure: Failure, case: Any, response: Any) -> bool:
    """Nothing forbidden was accepted where what made it so was a number that exists by now."""
    return not (isinstance(failure, AcceptedNegativeData) and any(map(may_be_new, wrong_numbers(case))))


def wrong_numbers(case: Any) -> list[Any]:
    """The numbers in those parts of a request that were made wrong on purpose."""
    parts = case.meta.components
    numbers: list[Any] = []
    if ParameterLocation.PATH in parts and parts[ParameterLocation.PATH].mode.is_negative:
        numbers += case.path_parameters.values()
    if ParameterLocation.BODY in parts and parts[ParameterLocation.BODY].mode.is_negative:
        body = case.body if isinstance(case.body, dict) else {}
        entries = body.get("submissions", [body])
        entries = [one for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []
        numbers += [one.get(name) for one in entries for name in ("table", "board")]
    return numbers
