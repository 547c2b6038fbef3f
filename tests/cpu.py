"""Where the tests' time goes: `python -m pytest -q -p tests.cpu` ends with the CPU seconds of each file, the
processes that its tests started and waited for among them. To be run by one process."""

from collections import Counter
from collections.abc import Iterator
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

import pytest

START = "start, and finding the tests"
by_file: Counter[str] = Counter()


def cpu_seconds() -> float:
    used = (getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def pytest_collection_finish() -> None:
    by_file[START] = cpu_seconds()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    before = cpu_seconds()
    try:
        return (yield)
    finally:
        by_file[item.nodeid.partition("::")[0]] += cpu_seconds() - before


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.section("CPU seconds")
    for file, seconds in [*by_file.most_common(), ("in all", by_file.total())]:
        terminalreporter.write_line(f"{seconds:8.1f}  {file}")
