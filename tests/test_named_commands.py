"""Every command that the documents or the Makefile name has its run: a test, or a line of `.ci/run`.

A new command without a run fails here, and so does a run of a command that nothing names any more.
"""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running import ROOT, statements, typed_by_make

DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "engines" / "rules").glob("*.md")),
    ROOT / "examples" / "evenings" / "README.md",
]
TESTS = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]
CI = ".ci/run"
README, COMMANDS = "tests/test_readme.py", "tests/tournaments/test_commands.py"
ARCHIVES = "tests/tournaments/test_archives.py"
RECOMPUTING, SEEDS = "tests/tournaments/test_recomputing.py", "tests/tournaments/test_seeds.py"
CHAINS = "tests/tournaments/test_chains.py"
CLI, SUBMISSIONS = "tests/engines/test_cli.py", "tests/tournaments/test_submissions.py"

RUNS = {
    ".ci/run": "",  # what continuous integration calls
    "deploy/containers/build": "tests/containers.py::main",  # by `make test-containers`
    "deploy/containers/configure": "tests/containers.py::main",
    "deploy/systemd/install": "tests/service.py::install",  # by `make test-service`
    "git": "tests/test_contributing.py::test_a_rule_is_changed_fails_and_is_put_back",
    "sed": "tests/test_contributing.py::test_a_rule_is_changed_fails_and_is_put_back",
    "etui-admin": "tests/service.py::asked_by_admin",
    "etui engines": "tests/installed.py::use",  # by `make test-dist`
    "etui import_evening": "tests/installed.py::use",
    "etui serve": "tests/installed.py::serving",
    "curl": f"{README}::test_a_result_by_curl_changes_the_ranking",
    "make bench": f"{CI}: make bench SECONDS=",
    "make bench-compiled": f"{CI}: make bench-compiled SECONDS=",
    "make bench-files": f"{CI}: make bench-files ROWS=",
    "make bench-events": f"{CI}: make bench-events CLUBS=",
    "make bench-prints": f"{CI}: make bench-prints CONTESTANTS=",
    "make bench-bad-files": f"{CI}: make bench-bad-files BYTES=",
    "make bench-movements": f"{CI}: make bench-movements SECONDS=",
    "make bench-phone": f"{CI}: make bench-phone ARGS=",
    "make bench-scoring": f"{CI}: make bench-scoring TABLES=",
    "make bench-service": f"{CI}: make bench-service SECONDS=",
    "make campaign-api": f"{CI}: make campaign-api SECONDS=",
    "make campaign-boards": f"{CI}: make campaign-boards",
    "make campaign-clients": f"{CI}: make campaign-clients",
    "make campaign-files": f"{CI}: make campaign-files SECONDS=",
    "make campaign-movements": f"{CI}: make campaign-movements",
    "make campaign-pages": f"{CI}: make campaign-pages",
    "make campaign-evenings": f"{CI}: make campaign-evenings",
    "make campaign-faults": f"{CI}: make campaign-faults SECONDS=",
    "make campaign-phones": f"{CI}: make campaign-phones",
    "make campaign-processes": f"{CI}: make campaign-processes",
    "make campaign-migrations": f"{CI}: make campaign-migrations",
    "make campaign-roles": f"{CI}: make campaign-roles",
    "make campaign-samples": f"{CI}: make campaign-samples",
    "make campaign-tests": f"{CI}: make campaign-tests",
    "make clean": "tests/test_named_commands.py::test_make_clean_leaves_nothing_that_was_made",
    "make compiled": "",  # `make test-compiled` begins with it
    "make dist": f"{CI}: make test-dist",  # which begins with it
    "make demo": f"{COMMANDS}::test_the_demo_plays_its_evening_goes_on_serving_and_starts_clean",
    "make diagrams": "",  # by hand, with graphviz; tests/test_diagrams.py holds pictures against texts
    "make drill": "",  # `make campaign-processes` asks the same tests
    "make format": f"{CI}: make format",
    "make goldens": f"{CI}: make goldens",
    "make locale": f"{CI}: make locale",
    "make locks": f"{CI}: make locks",
    "make pictures": f"{CI}: make pictures",
    "make pictures-rules": "tests/frontend/test_rules_pages.py::test_pages_and_pictures_are_current",
    "make sbom": "",  # by hand, for a release
    "make serve": "tests/running.py::start",
    "make site": f"{CI}: make site",
    "make test": f"{CI}: make test",
    "make test-compiled": f"{CI}: make test-compiled",
    "make test-containers": "",  # by hand: it needs root and a mirror of Debian
    "make test-dist": f"{CI}: make test-dist",
    "make test-kubernetes": "",  # by hand: it needs what no other test does
    "make test-service": f"{CI}: make test-service",
    "manage.py bundle": "tests/tournaments/test_outputs.py::test_no_output_of_an_evening_tells_on_anybody",
    "manage.py backup": "tests/tournaments/test_backups.py::test_backups_are_made_while_results_come_in",
    "manage.py restore": "tests/tournaments/test_backups.py::test_what_comes_back_is_what_was_there",
    "manage.py club": "tests/tournaments/test_clubs.py::test_tokens_of_two_clubs_are_two_tenants",
    "manage.py demo": f"{COMMANDS}::test_the_demo_plays_its_evening_goes_on_serving_and_starts_clean",
    "manage.py forget_old": "tests/tournaments/test_privacy.py::test_what_was_kept_long_enough_is_forgotten",
    "manage.py import_evening": f"{README}::test_the_paper_evening",
    "manage.py invite": "tests/tournaments/test_people.py::test_an_operator_invites_by_a_command",
    "manage.py migrate": f"{COMMANDS}::test_the_processes_one_by_one_are_a_service",
    "manage.py recompute": f"{RECOMPUTING}::test_the_command_says_what_differs_and_mends_it",
    "manage.py rehearse": "tests/tournaments/test_rehearsals.py::test_an_operator_rehearses_by_a_command",
    "manage.py retry": f"{SUBMISSIONS}::test_an_internal_error_is_set_aside_and_can_be_tried_again",
    "manage.py archive": f"{ARCHIVES}::test_the_operator_takes_an_archive_to_another_database",
    "manage.py import_archive": f"{ARCHIVES}::test_the_operator_takes_an_archive_to_another_database",
    "python -m scoring": f"{ARCHIVES}::test_the_libraries_check_an_archive_alone",
    "manage.py rotate_keys": f"{SEEDS}::test_the_command_says_what_it_did_and_what_comes_next",
    "manage.py serve": "tests/running.py::start",
    "manage.py staff": "tests/frontend/test_operators.py::test_operators_alone_come_in",
    "manage.py token": "tests/tournaments/test_clubs.py::test_tokens_of_two_clubs_are_two_tenants",
    "manage.py verify_history": f"{CHAINS}::test_what_nobody_touched_agrees_in_every_chain",
    "python -m benchmarks.lines": "tests/test_benchmarks.py::test_every_line_of_a_game_is_counted_once",
    "python -m benchmarks.sheets": "tests/test_benchmarks.py::test_every_sheet_that_is_measured_is_scored",
    "python -m tournaments.working": f"{COMMANDS}::test_the_processes_one_by_one_are_a_service",
    "python -m engines games": f"{README}::test_the_engines_own_command_line",
    "python -m engines ledger": f"{CLI}::test_a_reader_can_play_through_a_deal_with_legal_and_replay_alone",
    "python -m engines lists": "tests/engines/test_by_hand.py::test_the_lists_on_the_command_line",
    "python -m engines playout": f"{README}::test_the_engines_own_command_line",
    "python -m engines replay": f"{README}::test_the_engines_own_command_line",
    "python -m engines sheet": f"{CLI}::test_in_json_lines_a_refused_record_does_not_stop_the_others",
    "python -m engines verify": "tests/engines/test_sealing.py::test_anyone_can_verify_on_the_command_line",
    "python -m pip": "",  # as the Makefile calls it
    "python -m pytest": "tests/test_cpu.py::test_a_file_costs_what_its_tests_and_their_processes_use",
    "python -m scoring.units": "tests/scoring/test_units.py::test_the_command_writes_the_table",
    "python -m tests.mutation": "tests/test_mutation.py::test_the_command_says_what_it_needs",
    "python -m uvicorn": f"{COMMANDS}::test_the_processes_one_by_one_are_a_service",
    "python -m venv": "",  # as the Makefile calls it
    "kubectl": "",  # no cluster has run them: docs/running.md says so
    "podman": "",  # by `make test-containers`
    "podman-compose": "",
    "sudoedit": "",  # an editor
    "systemctl": "",  # not started anywhere: docs/running.md says so
    "sqlite3": "tests/tournaments/test_beside.py::test_a_copy_is_made_of_the_database_while_it_is_in_use",
}
"""By command: the test that runs it, or the words that stand in `.ci/run`."""


def named() -> Iterator[tuple[str, list[str]]]:
    """Each command of the documents and the Makefile: where it stands, and its words."""
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
            yield from ((document.name, words) for words in statements(block))
        for span in re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
            if re.match(r"(make|python|manage\.py|sqlite3|curl|uv|pip|pytest|\.ci/run)( |$)", span):
                yield document.name, shlex.split(span)
    for target in re.search(r"^\.PHONY: (.*)$", makefile(), re.MULTILINE)[1].split():  # type: ignore[index]
        yield "Makefile", ["make", target]


def name_of(words: list[str]) -> str:
    """What is run, without its arguments."""
    words = [word for word in words if word != "sudo" and not word.endswith("/python")]
    if words[0] in {"-m", "python"}:
        module, *rest = words[words.index("-m") + 1 :]
        return f"python -m {' '.join([module, *rest[: module == 'engines']])}"
    return " ".join(words[:2]) if words[0] in {"make", "manage.py", "etui"} and words[1:] else words[0]


def makefile() -> str:
    return (ROOT / "Makefile").read_text("utf-8")


def test_every_command_that_is_named_has_a_run() -> None:
    names = {name_of(words): document for document, words in named() if words != ["make"]}
    assert {name: document for name, document in names.items() if name not in RUNS} == {}
    assert set(RUNS) == set(names)


@pytest.mark.parametrize(("name", "run"), [(name, run) for name, run in RUNS.items() if run])
def test_the_run_of_a_command_is_there(name: str, run: str) -> None:
    if run.startswith(CI):
        words = run.removeprefix(f"{CI}: ").split()
        lines = [line.split() for line in (ROOT / CI).read_text("utf-8").splitlines()]
        assert any(all(any(one.startswith(word) for one in line) for word in words) for line in lines)
        return
    path, _colons, function = run.partition("::")
    source = (ROOT / path).read_text("utf-8")
    bodies = {one.name: one for one in ast.parse(source).body if isinstance(one, ast.FunctionDef)}
    assert function in bodies, run
    body = ast.get_source_segment(source, bodies[function])
    word = name.split()[-1].rpartition(".")[2]
    assert body
    assert word in body or "block" in body, f"{run} runs neither {word} nor a block of a document"


@pytest.mark.parametrize(
    "words",
    {tuple(words): words for _, words in named() if words[0] == "make" and words[2:]}.values(),
    ids=" ".join,
)
def test_variables_of_make_reach_its_command(words: list[str]) -> None:
    """Those of the tests, ETUI_…, by the environment, to which make hands all that are typed."""
    typed = typed_by_make(*words[1:])
    for variable in words[2:]:
        name, _equals, value = variable.partition("=")
        switch = value == "1" and f"--{name.lower()}" in typed
        assert switch or value in typed or any(f'"{name}"' in path.read_text("utf-8") for path in TESTS), (
            typed
        )


def test_make_clean_leaves_nothing_that_was_made(tmp_path: Path) -> None:
    typed = typed_by_make("clean", "V=.venv")
    assert typed == ["rm", "-rf", "var", ".venv"]


def test_every_flag_that_is_named_is_used_by_a_run() -> None:
    runs = [ROOT / CI, ROOT / "Makefile", *TESTS]
    used = "\n".join(path.read_text("utf-8") for path in runs)
    for document in DOCUMENTS:
        text = re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL)
        for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]*", "\n".join(re.findall(r"`[^`\n]+`", text))):
            assert re.search(rf"{flag}(?![\w-])", used), (document.name, flag)
