"""The README's lines, run as a newcomer would run them."""

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests import migrated
from tests.running import PATIENCE, ROOT, SPECIAL, Service, wait_until
from tournaments.management import robots

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "engines" / "rules").glob("*.md")),
    ROOT / "examples" / "evenings" / "README.md",
]


def block_with(word: str) -> str:
    return next(block for block in BLOCKS if word in block)


def shell(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    script = script.replace(".venv/bin/python", sys.executable)
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=ROOT,
        env=SPECIAL | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.processes
def test_a_result_by_curl_changes_the_ranking(service: Service) -> None:
    hall = service.set_up(players=9, boards_per_round=1)
    for _ in robots.evening(hall, seconds=0, random=Random(3)):
        pass
    robots.finish(hall)
    script = block_with("curl").replace("127.0.0.1:8000", f"127.0.0.1:{service.port}")
    script = script.replace("/sessions/1/", f"/sessions/{hall.session}/")
    script = re.sub(r"TOKEN=\S+", f"TOKEN={hall.organiser}", script)

    def ranking() -> Any:
        with robots.client(hall.address, hall.organiser) as anyone:
            return robots.answer_of(anyone.get(f"{robots.at(hall)}/ranking/"))

    before = ranking()["version"]
    for _ in range(2):  # of two results that differ, one changes the ranking
        done = shell(script)
        assert done.returncode == 0, done.stderr
        decoder = json.JSONDecoder()
        sent, end = decoder.raw_decode(done.stdout)
        assert sent["state"] == "pending"
        assert decoder.raw_decode(done.stdout[end:].lstrip())[0]["places"]
        script = script.replace("[10, 0, 0]", "[0, 10, 0]")
    wait_until(lambda: ranking()["version"] > before, what="a new version of the ranking")


def test_the_paper_evening(tmp_path: Path) -> None:
    migrated.copy_into(tmp_path)
    done = shell(block_with("import_evening"), VAR_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "Joueur 05" in done.stdout.splitlines()[0]


def test_the_engines_own_command_line(tmp_path: Path) -> None:
    script = block_with("-m engines").replace("record.json", str(tmp_path / "record.json"))
    done = shell(script)
    assert done.returncode == 0, done.stderr
    assert "scores (half life)" in done.stdout


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_documents_lead_only_to_what_is_there(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text("utf-8")):
        assert (document.parent / target).exists(), target


def test_every_make_target_that_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for document in DOCUMENTS:
        for target in re.findall(r"(?:`|^)make ([a-z-]+)", document.read_text("utf-8"), re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), (document.name, target)
