"""How much is tried of what asks the same again: a part in `make test`, the same in every run, and all of it
in `make campaign-samples`."""

import os
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")
WHOLE = os.environ.get("ETUI_SAMPLES") == "all"


def some(cases: Sequence[Case], *, one_in: int) -> Sequence[Case]:
    """The first of so many cases and of each so many after them."""
    return cases if WHOLE else cases[::one_in]


def many(few: int, whole: int) -> int:
    """How often something random is tried."""
    return whole if WHOLE else few
