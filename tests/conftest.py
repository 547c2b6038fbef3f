"""For every test: messages in English, whatever the one before was reading."""

from collections.abc import Iterator

import pytest
from django.utils import translation
from hypothesis import settings

from tournaments.limits import limiter

# No example is timed, a busy machine being no fault, and all runs try the same ones. `make campaign-tests`
# tries others each time, and more.
settings.register_profile("etui", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("campaign", deadline=None, max_examples=400)
settings.load_profile("etui")


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def no_rates_from_before() -> None:
    limiter.here.reset()
    limiter.away_until = 0.0
