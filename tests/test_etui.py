"""The command `etui`; `make test-dist` installs it and asks it what it is for."""

import subprocess
import sys
from pathlib import Path

import pytest

from etui import data_folder
from tests.running import ROOT, SPECIAL

HOME = Path("/home/ana")


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, "/home/ana/.local/share/etui"),
        ("linux", {"XDG_DATA_HOME": "/data/ana"}, "/data/ana/etui"),
        ("linux", {"XDG_DATA_HOME": "data"}, "/home/ana/.local/share/etui"),  # no absolute path: ignored
        ("linux", {"LOCALAPPDATA": "/other"}, "/home/ana/.local/share/etui"),
        ("darwin", {}, "/home/ana/Library/Application Support/etui"),
        ("win32", {}, "/home/ana/AppData/Local/etui"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/etui"),
    ],
)
def test_data_lie_where_each_system_has_them(platform: str, environment: dict[str, str], folder: str) -> None:
    assert data_folder(platform, environment, HOME).as_posix() == folder


def test_the_games_are_asked_without_anything_of_the_service(tmp_path: Path) -> None:
    """Nor is a folder made for it."""
    code = (
        "import sys, etui; sys.argv = ['etui', 'engines', 'games']\n"
        "try: etui.main()\nexcept SystemExit as end: assert end.code == 0\n"
        "sys.exit(bool({'django', 'celery', 'tournaments'} & {*sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=SPECIAL | {"HOME": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "belote-noisette" in done.stdout
    assert list(tmp_path.iterdir()) == []
