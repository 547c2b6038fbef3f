"""For every test: messages in English, whatever the one before was reading."""

from collections.abc import Iterator

import pytest
from django.utils import translation
from hypothesis import settings

from tournaments.limits import limiter

# No test is timed: a busy machine is no fault.
settings.register_profile("etui", deadline=None)
settings.load_profile("etui")


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def no_rates_from_before() -> None:
    limiter.here.reset()
    limiter.away_until = 0.0
