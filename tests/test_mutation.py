"""The command that asks the tests which changes of the code they notice."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.mutation import MUTMUT, ROOT, copy_to, drawn, undecorated

ARGUMENTS = ["scoring/divisions.py", "--tests", "tests/scoring/test_borders.py", "--sample", "2"]


def test_the_command_says_what_it_needs() -> None:
    """Without mutmut, which is not among the requirements, it names the page; with it, it counts."""
    command = [sys.executable, "-m", "tests.mutation", *ARGUMENTS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
    if MUTMUT.exists():
        assert " of 2 noticed, of " in done.stdout
    else:
        assert done.returncode == 1
        assert "docs/testing.md" in done.stderr


def test_the_copy_is_whole_and_only_its_sources_are_rewritten(tmp_path: Path) -> None:
    copy_to(tmp_path, ["scoring/totals.py"], ["tests/scoring"], "totals")
    assert "points = property(points)" in (tmp_path / "scoring/totals.py").read_text()
    assert (tmp_path / "scoring/lines.py").read_bytes() == (ROOT / "scoring/lines.py").read_bytes()
    settings = tomllib.loads((tmp_path / "pyproject.toml").read_text())["tool"]["mutmut"]
    assert settings["only_mutate"] == ["scoring/totals.py"]
    assert settings["source_paths"] == ["scoring"]
    assert {"docs", "engines", "tests"} <= set(settings["also_copy"])
    assert settings["pytest_add_cli_args_test_selection"] == [
        "tests/scoring", "scoring/totals.py", "-k", "(totals) and not mutmut",
    ]  # fmt: skip


def test_the_same_seed_draws_the_same_mutants() -> None:
    names = [f"mutant {number}" for number in range(100)]
    assert drawn(names, 10, 13) == drawn(names, 10, 13) != drawn(names, 10, 14)
    assert drawn(names, None, 13) == drawn(names, 100, 13) == names


@pytest.mark.parametrize("path", ["scoring/totals.py", "tournaments/services/submissions.py"])
def test_what_is_without_its_decorators_says_the_same(path: str) -> None:
    rewritten = undecorated((ROOT / path).read_text())
    assert "@property" not in rewritten
    assert "@transaction.atomic" not in rewritten
    compile(rewritten, path, "exec")
