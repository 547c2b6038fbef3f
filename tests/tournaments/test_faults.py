"""The campaign of faults notices what it looks for; it is run by `make campaign-faults`."""

import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE, Popen
from uuid import uuid4

import pytest

from tests.connections import HttpAnswer
from tests.faults import verdict
from tests.faults.faults import small_files
from tests.faults.senders import Ledger, SentResult
from tests.servers import mounted
from tournaments.models import Line, Submission
from tournaments.services import judging, submissions

from .worlds import World, a_world, an_entry, plays_of, work

pytestmark = pytest.mark.django_db
RIGHT, WRONG = {"outcome": "normal", "tricks": [5, 3, 2]}, {"outcome": "normal", "tricks": [9, 9, 9]}


def send(world: World, ledger: Ledger, number: int, *, is_right: bool = True) -> SentResult:
    """Hand in a result for a play, right or wrong, and enter the acknowledgement."""
    play = plays_of(world.session)[number]
    place = {"section": "A", "table": play.table.number, "board": play.board.number}
    entry = SentResult(world.session.pk, "", place, uuid4(), RIGHT if is_right else WRONG, is_right)
    given = replace(an_entry(play, {"sheet": entry.sheet}), key=entry.key)
    stored = submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[given])
    ledger.entries[entry.key] = entry
    ledger.acknowledge(entry, stored[0].pk)
    return entry


@pytest.fixture
def world() -> World:
    return a_world()


@pytest.fixture
def ledger(world: World) -> Ledger:
    """Of two right results, a correction and a wrong one, judged and ranked."""
    ledger = Ledger()
    for number, is_right in ((0, True), (1, True), (0, True), (2, False)):
        send(world, ledger, number, is_right=is_right)
    work(world.session)
    return ledger


def test_what_is_as_it_should_be_is_no_finding(ledger: Ledger) -> None:
    assert verdict.nothing_waits()
    assert list(verdict.findings(ledger)) == []


def test_an_acknowledged_result_that_is_not_there_is_a_finding(ledger: Ledger) -> None:
    entry = replace(next(iter(ledger.entries.values())), key=uuid4())
    ledger.entries[entry.key] = entry
    ledger.acknowledge(entry, 1_000_000)
    assert list(verdict.findings(ledger)) == [
        f"key {entry.key} was acknowledged as submission 1000000, and there are []"
    ]


def test_a_result_that_is_not_what_was_sent_is_a_finding(ledger: Ledger) -> None:
    key, entry = next(iter(ledger.entries.items()))
    ledger.entries[key] = replace(entry, sheet=WRONG, is_right=False)
    pk = ledger.ids[key]
    assert list(verdict.findings(ledger)) == [
        f"submission {pk} is not what was sent",
        f"submission {pk} is accepted",
    ]


def test_a_result_that_nobody_sent_is_a_finding(ledger: Ledger) -> None:
    key = next(iter(ledger.entries))
    pk = ledger.ids.pop(key)
    del ledger.entries[key]
    assert list(verdict.findings(ledger)) == [f"submission {pk} was sent by nobody"]


def test_a_result_that_is_not_judged_is_a_finding(world: World, ledger: Ledger) -> None:
    entry = send(world, ledger, 3)
    pk = Submission.objects.get(key=entry.key).pk
    assert not verdict.nothing_waits()
    assert list(verdict.findings(ledger)) == [f"submission {pk} is pending"]


def test_a_list_that_lacks_a_result_is_a_finding(world: World, ledger: Ledger) -> None:
    send(world, ledger, 3)
    judging.judge(session_id=world.session.pk)
    assert not verdict.nothing_waits()
    assert list(verdict.findings(ledger)) == [f"session {world.session.pk}: the lists are behind the results"]


def test_a_list_that_is_not_that_of_its_results_is_a_finding(world: World, ledger: Ledger) -> None:
    Line.objects.filter(board__board_set__session=world.session, side=0).update(counts={"7": 1})
    findings = list(verdict.findings(ledger))
    assert findings
    assert all(finding.startswith(f"session {world.session.pk}: histogram, ") for finding in findings)


def test_what_the_service_found_and_mended_is_a_finding(tmp_path: Path) -> None:
    line = "2026-11-22 ERROR tournaments: the lists of session 7 disagree: version, 3: 2, not 1"
    (tmp_path / "worker1.log").write_text(f"started\n{line}\n")
    assert list(verdict.of_logs(tmp_path)) == [f"worker1.log: {line}"]


def test_a_broken_answer_is_told_with_its_cause(tmp_path: Path) -> None:
    lines = ["ERROR django.request: Internal Server Error: /x/", "Traceback:", "  KeyError: 7"]
    (tmp_path / "web.log").write_text("\n".join(["started", *lines]))
    assert list(verdict.of_logs(tmp_path)) == ["\n".join(["web.log: " + lines[0], *lines[1:]])]


def test_two_submissions_for_one_key_and_internal_errors_are_findings(ledger: Ledger) -> None:
    entry = next(iter(ledger.entries.values()))
    ledger.acknowledge(entry, 1_000_000)
    for status in (503, 500):
        ledger.count(HttpAnswer(status, {}, b"why", 0.1), "GET /")
    assert ledger.findings == [
        f"key {entry.key} is submission {ledger.ids[entry.key]}, and 1000000",
        "GET /: 500 b'why'",
    ]


def test_without_a_small_disk_the_files_of_processes_are_limited(tmp_path: Path) -> None:
    """And only for a while."""
    writing = "import pathlib, sys; input(); pathlib.Path(sys.argv[1]).write_bytes(bytes(100_000))"
    for name, limited, status in (("limited", True, 1), ("free", False, 0)):
        command = [sys.executable, "-c", writing, str(tmp_path / name)]
        with Popen(command, stdin=PIPE, stderr=PIPE, text=True) as process:
            with small_files([process.pid]) if limited else nullcontext():
                _out, error = process.communicate("\n")
            assert (process.returncode, "File too large" in error) == (status, limited)
    assert not mounted(tmp_path / "nowhere")
