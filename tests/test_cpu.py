"""The table of what the tests cost counts what they do themselves, and what they have others do."""

import re
import subprocess
import sys
from pathlib import Path

from tests.running import ROOT, SPECIAL

PLAIN = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
BUSY = "import time\nwhile time.process_time() < {}: pass"
TESTS = f"""
import subprocess, sys, time

def test_busy():
    end = time.process_time() + 0.2
    while time.process_time() < end: pass
    subprocess.run([sys.executable, "-c", {BUSY.format(0.3)!r}], check=True)
"""


def test_a_file_costs_what_its_tests_and_their_processes_use(tmp_path: Path) -> None:
    (tmp_path / "test_busy.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.cpu", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "-c", str(tmp_path / "pytest.ini"), str(tmp_path)], env=SPECIAL | PLAIN,
        cwd=ROOT, capture_output=True, check=True, text=True,
    )  # fmt: skip
    shown = re.search(r"^ *([\d.]+)  \S*test_busy\.py$", done.stdout, re.MULTILINE)
    assert shown, done.stdout
    assert float(shown[1]) >= 0.5
