"""One form of the service under faults: `tests.faults.__main__` starts this in a process of its own, with the
variables of the service."""

import argparse
import asyncio
import json
import os
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

import django
from tqdm import tqdm

from tests import running
from tests.running import PATIENCE
from tests.servers import Lodging, PostgreSQL, Redis, end_on_request

from .faults import FAULTS, FaultScene, kill
from .senders import DisturbedEvening, Ledger, Senders

EVENINGS, CLIENTS, WORKERS = 3, 16, 2
PAUSE_SECONDS = (0.0, 0.5)
OVERLAP = 0.25  # how often the next fault comes before the service is back from the last one


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--form", required=True)
    parser.add_argument("--faults", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", required=True)
    parser.add_argument("--disk", action="store_true")
    parser.add_argument("--postgresql", help="its folder and port")
    parser.add_argument("--redis", help="its folder and port")
    parser.add_argument("--json", type=Path, required=True)
    arguments = parser.parse_args()
    end_on_request()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
    django.setup()
    environment = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    postgresql = PostgreSQL(*folder_and_port(arguments.postgresql)) if arguments.postgresql else None
    redis = Redis(*folder_and_port(arguments.redis)) if arguments.redis else None
    place = Lodging(environment, arguments.disk, postgresql, redis)
    report = campaign(arguments.form, place, arguments.seed, arguments.faults, arguments.seconds)
    arguments.json.write_text(json.dumps(report, indent=1))


def folder_and_port(text: str) -> tuple[Path, int]:
    folder, _colon, port = text.rpartition(":")
    return Path(folder), int(port)


def campaign(form: str, place: Lodging, seed: str, most: int, seconds: float) -> dict[str, object]:
    """The report of a form: what was done to it, what was sent, and what is wrong."""
    ledger, happened = Ledger(), Counter[str]()
    workers = WORKERS if form == "distributed" else 1
    scene = FaultScene(
        place, running.free_port(), workers, Senders(0, [], ledger), Random(f"{seed} {form}"), ledger.findings
    )
    began = time.monotonic()
    try:
        scene.start()
        asyncio.run(scene.ready())
        evenings = [DisturbedEvening.of(scene.service.set_up()) for _ in range(EVENINGS)]
        scene.senders = Senders(scene.port, evenings, ledger)
        with suppress(TimeoutError):  # it is among the findings
            asyncio.run(
                under_faults(scene, happened, f"{seed} {form}", most, seconds - (time.monotonic() - began))
            )
            in_the_end(scene)
    finally:
        end(scene)
    return {
        "form": form,
        "seed": seed,
        "seconds": round(time.monotonic() - began),
        "disk": "a small disk of its own, filled" if place.has_disk else "files limited to 64 kB",
        "faults": dict(happened.most_common()),
        "requests": sum(ledger.statuses.values()),
        "answers": dict(ledger.statuses.most_common()),
        "acknowledged": len(ledger.ids),
        "findings": ledger.findings,
    }


async def under_faults(
    scene: FaultScene, happened: Counter[str], seed: str, most: int, seconds: float
) -> None:
    """Clients at work, and one fault after another; then the clients get their last answers."""
    clients = asyncio.create_task(scene.senders.run(seed, CLIENTS))
    deadline = time.monotonic() + seconds
    names = [
        name for name, (_do, _weight, servers) in FAULTS.items() if scene.place.postgresql or not servers
    ]
    weights = [FAULTS[name][1] for name in names]
    with tqdm(total=most, desc=f"{seed}", unit="fault", leave=False, disable=None) as bar:
        while happened.total() < most and time.monotonic() < deadline and not clients.done():
            name = scene.random.choices(names, weights)[0]
            bar.set_postfix_str(f"{name}; {len(scene.senders.ledger.ids)} acknowledged")
            await FAULTS[name][0](scene)
            happened[name] += 1
            bar.update()
            if scene.random.random() > OVERLAP:
                await scene.ready()
            await asyncio.sleep(scene.random.uniform(*PAUSE_SECONDS))
    await scene.ready()
    scene.senders.over.set()
    await asyncio.gather(clients, *scene.deliveries)


def in_the_end(scene: FaultScene) -> None:
    """When all is judged and ranked, is all there?"""
    from . import verdict  # models come after the settings

    deadline = time.monotonic() + PATIENCE
    while not verdict.nothing_waits():
        if time.monotonic() > deadline:
            scene.findings.append(f"something still waits after {PATIENCE} s without a fault")
            break
        time.sleep(0.2)
    scene.findings.extend(verdict.findings(scene.senders.ledger))
    scene.findings.extend(verdict.of_logs(scene.service.var / "log"))


def end(scene: FaultScene) -> None:
    """Stop the service; whatever is left of it, or was left by an earlier supervisor, is a finding."""
    strays = own_processes(scene) - descendants(scene.service.process.pid)
    scene.findings.extend(f"a process without a supervisor: {command_of(pid)}" for pid in strays)
    scene.service.stop()
    deadline = time.monotonic() + 10
    while left := own_processes(scene) - strays:
        if time.monotonic() > deadline:
            scene.findings.extend(f"a process after the end: {command_of(pid)}" for pid in left)
            break
        time.sleep(0.1)
    for pid in strays | left:
        kill(pid)


def own_processes(scene: FaultScene) -> set[int]:
    """All that run with the folder of this service, whoever started them; without this process."""
    mine = f"VAR_DIR={scene.place.environment['VAR_DIR']}".encode()
    pids = set()
    for file in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mine in file.read_bytes().split(b"\0"):
                pids.add(int(file.parent.name))
    return pids - {os.getpid(), os.getppid()}


def descendants(root: int) -> set[int]:
    found = {root}
    for child, _command in running.children_of(root):
        found |= descendants(child)
    return found


def command_of(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return str(pid)


if __name__ == "__main__":
    main()
