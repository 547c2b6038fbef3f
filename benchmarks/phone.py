"""The table's page on a slow phone behind a slow network: `make bench-phone`.

A service of its own runs in the embedded form; between it and a real browser stands a line that lets
1.6 Mbit/s through towards the phone and holds each request back by 150 ms, for the page and its worker
alike. The browser computes four times slower. What is measured is the time from the touch of the link until
the keys of a board's result are there: on the first visit, with nothing kept; on the next one, with what the
browser has kept, once any file is old enough to be asked for again; and with the network gone.
"""

import argparse
import asyncio
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from engines import registry
from tests.running import PATIENCE, serving
from tournaments.management import robots

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LATENCY_SECONDS, BYTES_A_SECOND, SLOWER = 0.150, 1_600_000 / 8, 4
CHUNK = 2_048
GAMES = ("tarot-4-saisons", "comon")
FIELDS = {2: ("round-robin", 4), 3: ("kirkman", 9), 4: ("mitchell", 8)}
VISITS = 5
GOALS = {"first": 2.5, "next": 1.0, "offline": 1.0}
OPENED = """(() => {
  const look = () => document.querySelector("result-entry .asked button")
    ? Object.assign(window, { opened: performance.now() }) : requestAnimationFrame(look)
  look()
})()"""


class SlowLine:
    """A line to a port of this machine. All its connections share what goes through in a second."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.free_at = 0.0
        self.is_cut = False
        self.loop = asyncio.new_event_loop()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        ready = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait()

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(asyncio.start_server(self._joined, "127.0.0.1", self.port))
        ready.set()
        self.loop.run_forever()

    async def _joined(self, phone: asyncio.StreamReader, to_phone: asyncio.StreamWriter) -> None:
        if self.is_cut:
            to_phone.transport.abort()
            return
        service, to_service = await asyncio.open_connection("127.0.0.1", self.target)
        ways = (self._up(phone, to_service), self._down(service, to_phone))
        await asyncio.wait([asyncio.create_task(one) for one in ways], return_when=asyncio.FIRST_COMPLETED)
        for writer in (to_service, to_phone):
            writer.close()

    async def _up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while (data := await reader.read(65_536)) and not self.is_cut:
                await asyncio.sleep(LATENCY_SECONDS)
                writer.write(data)
                await writer.drain()

    async def _down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while (data := await reader.read(CHUNK)) and not self.is_cut:
                now = time.monotonic()
                self.free_at = max(self.free_at, now) + len(data) / BYTES_A_SECOND
                await asyncio.sleep(self.free_at - now)
                writer.write(data)
                await writer.drain()


@contextmanager
def a_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])


def table_of(address: str, organiser: str, game_id: str) -> str:
    """The page of a table that may enter results of board 1; its path."""
    game = registry.game(game_id)
    movement, count = FIELDS[game.seats[0]]
    names = [f"Player {number}" for number in range(1, count + 1)]
    session = {"name": game_id, "game": game_id, "contestants": names, "movement": movement}
    hall = robots.set_up(address, organiser, tournament="Phones", session=session)
    with robots.client(address, organiser) as director:
        links = robots.answer_of(director.post(f"{robots.at(hall)}/table-links/", json={}))
        plays = list(robots.pages(director, f"{robots.at(hall)}/plays/"))
    table = next(one["table"] for one in plays if one["round"] == 1)
    board = next(one["board"] for one in plays if one["round"] == 1 and one["table"] == table)
    path = next(one["path"] for one in links if one["table"] == table)
    return f"/fr{path}/#board-{board}"


def visit(context: BrowserContext, address: str) -> float:
    """Seconds from the touch of a link until a board's first question can be answered."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.add_init_script(OPENED)
    slow = context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => window.opened")
    seconds = float(page.evaluate("window.opened")) / 1000
    page.wait_for_load_state("load")
    with suppress(Exception):  # a page without a secure connection has no worker
        page.evaluate(KEPT)
    page.close()
    return seconds


KEPT = """async () => {
  await navigator.serviceWorker.ready
  for (let n = 0; n < 100; n++) {
    const cache = await caches.open((await caches.keys()).find((one) => one.startsWith("etui-table-")))
    if (await cache.match(location.href.split("#")[0])) return
    await new Promise((done) => setTimeout(done, 100))
  }
}"""


def measured(browser: Browser, line: SlowLine, path: str, visits: int, age: float) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {"first": [], "next": [], "offline": []}
    phone: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    address = f"http://127.0.0.1:{line.port}{path}"
    for _ in range(visits):
        context = browser.new_context(**phone, locale="fr-FR")
        found["first"].append(visit(context, address))
        time.sleep(age)
        found["next"].append(visit(context, address))
        line.is_cut = True
        found["offline"].append(visit(context, address))
        line.is_cut = False
        context.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.phone", description=__doc__)
    parser.add_argument("--visits", type=int, default=VISITS, help="of each kind; the median is shown")
    parser.add_argument(
        "--age", type=float, default=61.0, help="seconds between the first visit and the next"
    )
    parser.add_argument("--games", nargs="+", default=GAMES)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving("embedded", Path(folder)) as service:
        organiser = service.manage("token", "organiser", "Phones").strip()
        line = SlowLine(service.port)
        with a_browser() as browser:
            print(f"{'seconds until the first key':28}" + "".join(f"{kind:>12}" for kind in GOALS))
            for game in arguments.games:
                path = table_of(service.address, organiser, game)
                found = measured(browser, line, path, arguments.visits, arguments.age)
                shown = "".join(f"{median(found[kind]):12.2f}" for kind in GOALS)
                print(f"{game:28}{shown}", flush=True)
        print(f"{'goal':28}" + "".join(f"{goal:12.2f}" for goal in GOALS.values()))


if __name__ == "__main__":
    main()
