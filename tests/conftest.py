"""For every test: messages in English, whatever the one before was reading; what tests share."""

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from copy import deepcopy
from itertools import groupby
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.management.commands import flush
from django.db import connection, transaction
from django.db.backends.signals import connection_created
from django.utils import translation
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from tests import migrated
from tests.running import DATABASE_URL, ROOT, Service, serving
from tests.samples import many
from tournaments.limits import limiter

# No example is timed, a busy machine being no fault, and all runs try the same ones. `make campaign-tests`
# tries others each time, and more.
settings.register_profile("etui", deadline=None, derandomize=True, max_examples=many(10, 25))
settings.register_profile("campaign", deadline=None, max_examples=400)
settings.load_profile("etui")


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def no_rates_from_before() -> None:
    limiter.reset()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:
    """No process of the tests migrates: each begins with a copy of what one has migrated."""
    if DATABASE_URL:
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated.postgresql_template()
    else:
        connection_created.connect(migrated.fill)


@pytest.fixture(scope="session", autouse=True)
def emptied_is_migrated() -> None:
    """After a test with transactions of its own all tables are emptied. What Django then does as after a
    migration takes longer than that, and nobody here needs it; but the kinds of content that were known are
    gone."""
    flush.emit_post_migrate_signal = lambda *_places, **_names: ContentType.objects.clear_cache()  # type: ignore[attr-defined]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where several processes play, the database that they copy is made while they look for their tests."""
    if getattr(session.config.option, "numprocesses", None):
        subprocess.Popen([sys.executable, "-m", "tests.migrated"], cwd=ROOT)


# ── What all tests of a file begin with ───────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def once(django_db_setup: None, django_db_blocker: Any) -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """Makes what all tests of a file begin with, in a transaction of which each test is a savepoint."""
    around = transaction.atomic()
    with django_db_blocker.unblock():
        around.__enter__()

    def make(scene: Callable[[], Any]) -> Any:
        with django_db_blocker.unblock(), translation.override("en"):
            return scene()

    yield make
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        around.__exit__(None, None, None)


@pytest.fixture(scope="module")
def the_world(request: pytest.FixtureRequest, once: Callable[[Callable[[], Any]], Any]) -> Any:
    """What `begins_with` of the file makes: where it has none, a world in which nothing has happened yet."""
    from tests.tournaments.worlds import a_world

    return once(getattr(request.module, "begins_with", a_world))


@pytest.fixture
def world(the_world: Any, db: None) -> Any:
    """A test's own copy of it, which costs a savepoint; `a_world()` in a test costs a whole setting up."""
    from tests.tournaments.worlds import forget

    forget()
    return deepcopy(the_world)


# ── One service for many tests ────────────────────────────────────────────────────────────────────

SHARE_A_SERVICE = {
    "tests/test_readme.py",
    "tests/frontend/test_browser.py",
    "tests/frontend/test_table_browser.py",
    "tests/frontend/test_design.py",
    "tests/tournaments/test_beside.py",
    "tests/tournaments/test_disturbed.py",
    "tests/tournaments/test_door.py",
    "tests/tournaments/test_live.py",
}
shared = ExitStack()  # what is left when the last test that shares it has ended
running: list[Service] = []


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Service:
    """An embedded service for all who have sessions of their own on it, and leave it running."""
    if not running:
        folder = tmp_path_factory.mktemp("service") / "var"
        running.append(shared.enter_context(serving("embedded", folder, DESIGN_PAGE="true")))
        shared.callback(running.clear)
    return running[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """The service ends with the last test that shares it, and costs the others nothing."""
    yield
    if nextitem is None or not shares_a_service(nextitem.nodeid):
        shared.close()


def shares_a_service(nodeid: str) -> bool:
    """Those of a file that start a service of the other kind do not."""
    return nodeid.partition("::")[0] in SHARE_A_SERVICE and not nodeid.endswith("[distributed]")


# ── Who plays what when ───────────────────────────────────────────────────────────────────────────


class Schedule(LoadScopeScheduling):
    """The tests that share a service are played by one process, which starts it. So are those of
    a file: its scene is made once."""

    def _split_scope(self, nodeid: str) -> str:
        return "service" if shares_a_service(nodeid) else nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Schedule:
    config.option.loadscopereorder = False  # the order below, not files with many tests first
    return Schedule(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers() -> Iterator[int]:
    """One more than cores: a process that plays with services waits more than it computes."""
    return (yield) + 1


ASK_EITHER = (
    "tests/frontend/",
    *(
        f"tests/tournaments/test_{name}.py"
        for name in (
            *("names", "operations", "reading", "roles", "secrets", "strict", "unusual"),
            *("archives", "exports", "matches", "prints", "result_files", "slip_photos"),
        )
    ),
)


def pytest_itemcollected(item: pytest.Item) -> None:
    """What asks either database the same is marked: pages, walks over all routes, documents and matches."""
    if item.nodeid.startswith(ASK_EITHER) and any(item.iter_markers("django_db")):
        item.add_marker("either")


def pytest_collection_finish() -> None:
    """Four thousand tests, and what they import, stay to the end: the garbage collector need not look at them
    again, which takes it a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What only SQLite does is not asked of PostgreSQL; `.ci/run` asks both. What waits for other processes
    goes first, that of the shared service before all: there is work to do beside it. Then comes what needs no
    database, which may still have to be made. Files that empty it go last: what migrations wrote is then
    gone, such as the kinds of rows that Django's admin remembers."""
    if DATABASE_URL:
        elsewhere = [item for item in items if any(item.iter_markers("sqlite"))]
        items[:] = [item for item in items if item not in elsewhere]
        config.hook.pytest_deselected(items=elsewhere)
    users = {
        item.nodeid.partition("::")[0] for item in items if "service" in getattr(item, "fixturenames", ())
    }
    assert users <= SHARE_A_SERVICE, users - SHARE_A_SERVICE
    emptying = {item.nodeid.partition("::")[0] for item in items if empties_the_database(item)}
    items.sort(
        key=lambda item: (
            not shares_a_service(item.nodeid),
            not any(item.iter_markers("processes")),
            item.nodeid.partition("::")[0] in emptying,
            any(item.iter_markers("django_db")),
        )
    )
    # What a file begins with stays there until the next file: tests that begin with nothing go before.
    by_file = groupby(items[:], key=lambda item: item.nodeid.partition("::")[0])
    items[:] = [item for _file, some in by_file for item in sorted(some, key=begins_with_the_others)]


def empties_the_database(item: pytest.Item) -> bool:
    return any(mark.kwargs.get("transaction") for mark in item.iter_markers("django_db"))


def begins_with_the_others(item: pytest.Item) -> bool:
    return "once" in getattr(item, "fixturenames", ())
