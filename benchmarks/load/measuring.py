"""One form of the service, measured from beside it, in the order of the table."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from urllib.request import urlopen

from tqdm import tqdm

from tests.running import ROOT, Service, children_of, free_port, started, typed_by_make, wait_until
from tournaments.management import supervisor
from tournaments.management.places import LOOPBACK, ServingPlace

from . import directing, memory, phones, reading, results, watchers
from .fields import FieldOfTables, a_field
from .figures import FigureUnit, Run

HALL, LARGE = 100, 1_000  # tables: a club's evening, a federation's
BULK_REQUESTS = 40  # so that what the first and the last wait for weighs little
GETS = {
    HALL: {"plays": "plays/"},
    LARGE: {"traveller": "boards/1/traveller/", "guides": "guides/contestants/", "ranking": "ranking/"},
}


def measure(run: Run, seconds: float, tables: list[int], audiences: list[int]) -> None:
    hall, large = (min(size, max(tables)) for size in (HALL, LARGE))
    tables = sorted({*tables, large})  # whose versions are read later
    repetitions = max(int(4 * seconds), 3)
    sizes = sorted({*tables, hall})
    is_embedded = run.form == "embedded"
    with progress(run.form, len(sizes) + 3 * len(tables) + len(audiences) + 12) as step:
        fields: dict[int, FieldOfTables] = {}
        for size in sizes:
            with step(f"a field of {size} tables"):
                fields[size] = a_field(size)
        in_hall, in_large = fields[hall], fields[large]
        for name, server in zip(results.EMPTY_VIEWS, (yardstick, server_of_the_service), strict=True):
            with empty_view(server) as port, step(name):
                asyncio.run(results.empty(run, name, port, seconds))
        with started(dict(os.environ), workers=1 if is_embedded else 2) as service:
            web, port = web_of(service), service.port
            with step("rounds opened"):
                asyncio.run(directing.opened_rounds(run, port, in_large, repetitions))
            with step("single results"):
                asyncio.run(results.singles(run, port, in_hall, seconds))
            for size in tables:
                with step(f"one result of {size} tables"):
                    asyncio.run(results.alone(run, port, fields[size], repetitions))
                with step(f"rulings among {size} tables"):
                    asyncio.run(directing.rulings(run, port, fields[size], repetitions))
                with step(f"differences among {size} tables"):
                    asyncio.run(directing.differences(run, port, fields[size], repetitions))
            with step("old versions"):
                asyncio.run(reading.old_versions(run, port, in_large))
            for field, names in ((in_hall, GETS[HALL]), (in_large, GETS[LARGE])):
                with step("reading"):
                    asyncio.run(reading.gets(run, port, field, names, repetitions))
            for field in {hall: in_hall, large: in_large}.values():
                with step("the desk's grid"):
                    asyncio.run(reading.grid(run, port, field, repetitions))
            with step("bulk"):
                asyncio.run(results.bulk(run, port, in_large, max(min(int(40 * seconds), BULK_REQUESTS), 1)))
            with step("phones at the tables"):
                codes = phones.codes_of(in_large)
                asyncio.run(phones.at_tables(run, port, web, in_large, codes))
            for count in audiences:
                with step(f"{count} watchers"):
                    asyncio.run(watchers.watchers(run, port, web, in_hall, count))
            if not is_embedded:
                weigh(run, "two workers after load", service.process.pid)
        if is_embedded:
            with step("make demo"):
                demo(run)


@contextmanager
def progress(form: str, steps: int) -> Iterator[Callable[[str], AbstractContextManager[None]]]:
    """A bar that says what is being measured."""
    with tqdm(desc=form, total=steps, unit="step", leave=False, disable=None) as bar:

        @contextmanager
        def step(name: str) -> Iterator[None]:
            bar.set_postfix_str(name)
            yield
            bar.update()

        yield step


def server_of_the_service(port: int) -> list[str]:
    return supervisor.web_server(ServingPlace(LOOPBACK, port))


def yardstick(port: int) -> list[str]:
    """The command of the server that the goals were set beside: uvicorn as it was then, whatever the service
    has come to use."""
    command = server_of_the_service(port)
    command[command.index("tournaments.asgi:application")] = "benchmarks.load.yardstick:application"
    return [*command, "--loop", "asyncio", "--http", "h11"]


@contextmanager
def empty_view(server: Callable[[int], list[str]]) -> Iterator[int]:
    """The empty view under a server; its port."""
    port = free_port()
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "benchmarks.load.empty"}
    process = subprocess.Popen(server(port), cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        wait_until(
            lambda: process.poll() is not None or is_open(f"http://127.0.0.1:{port}/empty"),
            what="the empty view",
        )
        assert process.poll() is None, "the server of the empty view has ended"
        yield port
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def is_open(address: str) -> bool:
    try:
        return bool(urlopen(address, timeout=5).status == 200)  # noqa: S310 - our own
    except OSError:
        return False


def web_of(service: Service) -> int:
    """The process that listens: the child of the supervisor that is no worker."""
    children = children_of(service.process.pid)
    return next(pid for pid, command in children if "tournaments.working" not in command)


def weigh(run: Run, name: str, root: int) -> None:
    weights = [memory.proportional(pid) for pid in memory.tree(root)]
    run.add(f"{name}, memory", sum(weights) / 1e6, FigureUnit.MB)
    run.add(f"{name}, processes", len(weights), FigureUnit.COUNT)


def demo(run: Run) -> None:
    """What `make demo` weighs when its evening is over."""
    folder = Path(os.environ["VAR_DIR"]) / "demo"
    command = typed_by_make("demo", f"PORT={free_port()}", "SPEED=0")
    environment = {**os.environ, "VAR_DIR": str(folder), "PYTHONUNBUFFERED": "1"}
    folder.mkdir()
    log = folder / "demo.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=out, stderr=out, start_new_session=True
        )
    try:
        wait_until(
            lambda: "The evening is over" in log.read_text() or process.poll() is not None, what="the demo"
        )
        assert process.poll() is None, log.read_text()
        weigh(run, "make demo", process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
