"""Install the wheel of `make dist` into an empty environment, and use it as somebody who has nothing else.

Nothing is fetched: what the service needs is found in the environment of this process, by a line in a file
that Python reads. So this shows that the wheel is whole and asks for what it needs, not that an index has it.
"""

import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

from tests.running import PATIENCE, ROOT, SPECIAL, answers, free_port, wait_until

PACKAGES = ("engines", "scoring", "tournaments", "frontend")
PAGES = {  # an address, and what stands there
    "/en/": "Étui",
    "/fr/help/": "<h2",
    "/en/games/comon/": "COM’ON",
    "/static/frontend/page.css": "{",
    "/api/docs/": "swagger",
}


def main() -> None:
    (wheel,) = Path(sys.argv[1]).glob("*.whl")
    compare(wheel)
    with tempfile.TemporaryDirectory() as place:
        use(wheel.absolute(), Path(place))
    print(f"{wheel.name}: whole, installed, served, and an evening on paper ranked")


def compare(wheel: Path) -> None:
    """All that the repository has of the packages is in the wheel, and nothing else."""
    tracked = subprocess.run(
        ["git", "ls-files", *PACKAGES, "docs/help*.md"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout.split("\n")[:-1]
    expected = {f"frontend/{name}" if name.startswith("docs/") else name for name in tracked} | {"etui.py"}
    packed = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == expected, packed ^ expected


def use(wheel: Path, place: Path) -> None:
    run = {"cwd": place, "env": SPECIAL | {"HOME": str(place / "home"), "BALANCING_SECONDS": "0"}}
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(place / "venv")]

    def done(*command: str) -> str:
        ended = subprocess.run(command, **run, capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    done(sys.executable, "-m", "venv", "--without-pip", str(place / "venv"))
    done(*pip, "install", "-q", "--no-index", "--no-deps", str(wheel))
    etui = str(place / "venv" / "bin" / "etui")
    assert "comon" in done(etui, "engines", "games")  # the rules need nothing else

    (site,) = (place / "venv").glob("lib/python*/site-packages")
    (site / "beside.pth").write_text(sysconfig.get_path("purelib") + "\n")
    assert "No broken requirements" in done(*pip, "check")
    assert done(etui, "--version").startswith("Étui 0.")
    with serving(etui, **run) as address:
        for path, words in PAGES.items():
            with urlopen(address + path, timeout=PATIENCE) as answer:
                assert words in answer.read().decode(), path
    data = place / "home" / ".local" / "share" / "etui"
    assert {"etui.sqlite3", "log", "secret_key"} <= {path.name for path in data.iterdir()}
    assert not (site / "var").exists()
    paper = ROOT / "examples" / "evenings" / "comon-15.csv"
    assert "Joueur 05" in done(etui, "import_evening", str(paper), "--game", "comon").splitlines()[0]


@contextmanager
def serving(etui: str, *, cwd: Path, env: dict[str, str]) -> Iterator[str]:
    """The address of `etui serve`, which ends with the block, and as it should."""
    port = free_port()
    log = cwd / "serve.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [etui, "serve", "--port", str(port)], cwd=cwd, env=env, stdout=out, stderr=out
        )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: process.poll() is not None or answers(address), what="the service to answer")
        assert process.poll() is None, log.read_text()
        wait_until(lambda: "Administrator:" in log.read_text(), what="the link of the first administrator")
        yield address
        process.terminate()
        assert process.wait(PATIENCE) == 0, log.read_text()
    finally:
        process.kill()


if __name__ == "__main__":
    main()
