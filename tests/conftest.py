"""For every test: messages in English, whatever the one before was reading; what tests share."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from tests.running import Service, serving
from tournaments.limits import limiter

# No example is timed, a busy machine being no fault, and all runs try the same ones. `make campaign-tests`
# tries others each time, and more.
settings.register_profile("etui", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("campaign", deadline=None, max_examples=400)
settings.load_profile("etui")


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def no_rates_from_before() -> None:
    limiter.reset()


# ── One service for many tests ────────────────────────────────────────────────────────────────────

SHARE_A_SERVICE = {
    "tests/test_readme.py",
    "tests/frontend/test_browser.py",
    "tests/tournaments/test_beside.py",
    "tests/tournaments/test_disturbed.py",
    "tests/tournaments/test_door.py",
    "tests/tournaments/test_live.py",
}


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """An embedded service for all who have sessions of their own on it, and leave it running."""
    with serving("embedded", tmp_path_factory.mktemp("service") / "var") as running:
        yield running


class Schedule(LoadScopeScheduling):
    """The tests that share a service are played by one process, which starts it; any other by any."""

    def _split_scope(self, nodeid: str) -> str:
        """Those of a file that start a service of the other kind do not share it."""
        shares = nodeid.partition("::")[0] in SHARE_A_SERVICE and not nodeid.endswith("[distributed]")
        return "service" if shares else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Schedule:
    return Schedule(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits for other processes goes first: there is work to do beside it."""
    users = {
        item.nodeid.partition("::")[0] for item in items if "service" in getattr(item, "fixturenames", ())
    }
    assert users <= SHARE_A_SERVICE, users - SHARE_A_SERVICE
    items.sort(key=lambda item: not any(item.iter_markers("processes")))
