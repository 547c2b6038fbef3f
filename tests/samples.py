"""How much is tried of what asks the same again: a part in `make test`, the same in every run, and all of it
in `make campaign-samples`."""

import os
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

Case = TypeVar("Case")
WHOLE = os.environ.get("ETUI_SAMPLES") == "all"


def some(cases: Sequence[Case], *, one_in: int) -> Sequence[Case]:
    """The first of so many cases and of each so many after them."""
    return cases if WHOLE else cases[::one_in]


def here(cases: Sequence[Case], *, one_in: int) -> list[Any]:
    """All of them, but `make test` leaves to `make campaign-processes` what `some` would leave out: for what
    a browser or a process is asked, to which samples do not come; `.ci/run` to `.ci/run --all`."""
    elsewhere = [pytest.mark.campaign, pytest.mark.sampled]
    return [
        pytest.param(case, marks=elsewhere if number % one_in else ()) for number, case in enumerate(cases)
    ]


def many(few: int, whole: int) -> int:
    """How often something random is tried."""
    return whole if WHOLE else few
