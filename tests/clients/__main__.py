"""Have a Python and a TypeScript client made from the description that a running service gives of itself,
check the types of a program that uses each, and run both against the service.

A warning of a generator or a checker is a defect of the description: any of them is the end of it.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

from tests.running import ROOT, SPECIAL, started
from tests.servers import place_for

HERE = Path(__file__).parent
PACKAGES = ROOT / "var" / "clients"
"""Where npm puts what requirements/package-lock.json names."""
OPENAPI = "application/vnd.oai.openapi+json"


def main() -> None:
    modules = install()
    with place_for("embedded", SWEEP_SECONDS="1") as place, started(place.environment) as service:
        folder = Path(place.environment["VAR_DIR"]) / "clients"
        folder.mkdir()
        answer = httpx.get(f"{service.address}/api/v1/schema/", headers={"Accept": OPENAPI})
        description = folder / "description.json"
        description.write_text(json.dumps(answer.raise_for_status().json()))
        token = service.manage("token", "organiser", "Organiser").strip()
        for client in (python_client(folder), typescript_client(folder, modules)):
            print(run(*client, service.address, token, folder=folder), end="", flush=True)


def install() -> Path:
    """What npm has installed, once for each lock."""
    PACKAGES.mkdir(parents=True, exist_ok=True)
    lock = ROOT / "requirements" / "package-lock.json"
    installed = PACKAGES / "installed.json"
    if not installed.exists() or installed.read_bytes() != lock.read_bytes():
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(ROOT / "requirements" / name, PACKAGES)
        run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", folder=PACKAGES)
        shutil.copy(lock, installed)
    return PACKAGES / "node_modules"


def python_client(folder: Path) -> list[str]:
    """How the program is run that uses the Python client, once that has been made."""
    generator = Path(sys.executable).with_name("openapi-python-client")
    said = run(
        *(generator, "generate", "--path", folder / "description.json", "--fail-on-warning"),
        *("--meta", "none", "--output-path", folder / "etui_client", "--config", HERE / "generator.yaml"),
        folder=folder,
    )
    assert "warning" not in said.lower(), said
    shutil.copy(HERE / "journey.py", folder)
    checker = (sys.executable, "-m", "mypy", "--strict", "--no-warn-redundant-casts", "--config-file=")
    run(*checker, "journey.py", folder=folder)
    return [sys.executable, "journey.py"]


def typescript_client(folder: Path, modules: Path) -> list[str]:
    """How the program is run that uses the TypeScript client, once that has been made and compiled."""
    (folder / "node_modules").symlink_to(modules)
    (folder / "package.json").write_text(json.dumps({"type": "module"}))
    said = run(
        *(modules / ".bin" / "openapi-typescript", "description.json", "-o", "api.ts"),
        *("--default-non-nullable", "false"),  # what has a default need not be sent
        folder=folder,
    )
    assert not {"⚠", "warn"} & set(said.lower().split()), said
    for name in ("journey.ts", "tsconfig.json"):
        shutil.copy(HERE / name, folder)
    run(modules / ".bin" / "tsc", "--noEmit", folder=folder)
    run(modules / ".bin" / "tsc", folder=folder)
    return ["node", "journey.js"]


def run(*command: Any, folder: Path) -> str:
    """What a program says that ends well."""
    words = [str(word) for word in command]
    home = {name: value for name, value in os.environ.items() if name.lower().startswith("npm_config")}
    done = subprocess.run(words, cwd=folder, env=SPECIAL | home, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


if __name__ == "__main__":
    main()
