"""What every refusal is asked."""

from collections.abc import Callable

import pytest

from scoring.errors import BadScoring


def check_refusal(call: Callable[[], object], field: str, constraint: str) -> None:
    """The call is refused, naming the field and (a part of) the constraint."""
    with pytest.raises(BadScoring) as caught:
        call()
    assert caught.value.field == field
    assert constraint in str(caught.value.constraint)
