"""CONTRIBUTING.md: what it has newcomers type does what it says, and its map leads to what is there."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engines.games import comon
from tests.running import PATIENCE, ROOT, SPECIAL, campaign

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
FAILING = {"Fourteen": 14}
MAP = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.count(" | ") == 2]


@campaign
@pytest.mark.processes
def test_a_rule_is_changed_fails_and_is_put_back(tmp_path: Path) -> None:
    """In a copy, which has a history of its own."""
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")[:-1]
    for name in tracked:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    assert shell(
        tmp_path, "git init -q . && git add engines && git -c user.name=A -c user.email=a@b commit -qm x"
    )
    changing, putting_back = (block for block in BLOCKS if "pytest" in block)
    changing = changing.partition("\n")[2]  # without `make format`, which has its run in .ci/run
    assert "sed " in changing
    report = shell(tmp_path, changing, fails=True)
    (words,) = re.findall(r"^(\w+) fail\. The first is `(\w+)`", PAGE, re.MULTILINE)
    failed = re.findall(r"^FAILED \S+::(\w+)", report, re.MULTILINE)
    assert (len(failed), failed[0]) == (FAILING[words[0]], words[1]), report
    report = shell(tmp_path, putting_back)
    assert " passed" in report
    assert "failed" not in report


def shell(folder: Path, script: str, *, fails: bool = False) -> str:
    script = script.replace(".venv/bin/python", sys.executable)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=SPECIAL | {"VAR_DIR": str(folder / "var")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert bool(done.returncode) == fails, done.stdout
    return done.stdout or "done"


def test_the_rule_that_is_shown_is_the_games_own() -> None:
    (shown,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    source = Path(comon.__file__).read_text("utf-8")
    head, *body = shown.splitlines()
    assert f"\n{head}\n" in source
    assert "\n".join(body) in source


@pytest.mark.parametrize("cells", MAP[1:], ids=lambda cells: cells[0])
def test_the_map_leads_to_what_is_there(cells: list[str]) -> None:
    _wish, places, tests = cells
    named = [name for name in re.findall(r"`([^`]+)`", places + tests) if "/" in name or "." in name]
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert re.search(r"`tests/", tests)
