"""What a page does whose stream is cut, alone in a real browser whose clock the test turns: it asks seldom,
and comes back by itself."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.frontend.browsers import SEEN, in_a_browser, page_of

pytestmark = in_a_browser
ADDRESS = "https://etui.test/"
STATIC = Path(__file__).parents[2] / "frontend" / "static" / "frontend"
IMPORTS = {"imports": {"lib/": f"{ADDRESS}lib/"}}
PAGE = """<!doctype html><html lang="fr"><meta charset="utf-8"><script type="importmap">%s</script>
<body><p></p><script type="module">
import { follow } from "lib/fetching.js"
window.polls = []
window.stop = new AbortController()
const poll = () => { window.polls.push(Date.now()) }
const heard = ({ n }) => { document.querySelector("p").textContent += n }
window.begin = () => follow("/live/", { event: "table", heard, poll, signal: window.stop.signal })
</script></body></html>"""
MINUTE, STEP = 60_000, 5_000
LEAST = 15_000  # milliseconds between two tries, and between two questions


class Cut:
    """A page whose stream is there or answers `status`. `tries`: when it was asked for, in milliseconds."""

    def __init__(self, page: Page) -> None:
        self.page, self.status, self.tries = page, 503, list[int]()
        page.clock.install(time=0)
        page.route(f"{ADDRESS}**", self.serve)
        page.goto(ADDRESS)
        page.clock.pause_at(MINUTE)
        self.now = MINUTE

    def serve(self, route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if path == "live/":
            self.tries.append(self.now)
            there: dict[str, Any] = {"body": 'event: table\ndata: {"n": 7}\n\n'}
            answer = there if self.status == 200 else {"status": self.status}
            route.fulfill(content_type="text/event-stream", **answer)
        elif path == "after/":
            route.fulfill(body="")
        elif path:
            route.fulfill(body=(STATIC / path).read_bytes(), content_type="text/javascript")
        else:
            route.fulfill(body=PAGE % json.dumps(IMPORTS), content_type="text/html")

    def wait(self, minutes: float) -> None:
        """Turn the clock, a little at a time: whatever is asked meanwhile is answered before it goes on."""
        for _step in range(round(minutes * MINUTE / STEP)):
            self.now += STEP
            self.page.clock.run_for(STEP)
            self.page.evaluate("() => fetch('/after/')")

    @property
    def polls(self) -> list[int]:
        return list(self.page.evaluate("window.polls"))


@pytest.fixture
def cut(browser: Browser) -> Iterator[Cut]:
    page = page_of(browser)
    yield Cut(page)
    page.context.close()


def pauses(times: list[int]) -> list[int]:
    return [after - before for before, after in pairwise(times)]


@pytest.mark.parametrize("status", [429, 502, 503])
def test_a_page_whose_stream_is_refused_asks_seldom_and_comes_back(cut: Cut, status: int) -> None:
    cut.status = status
    cut.page.evaluate("window.begin()")
    cut.wait(5)
    tries, polls = list(cut.tries), cut.polls
    assert 6 <= len(tries) <= 10, tries
    assert min(pauses(tries)) >= LEAST, tries
    assert max(pauses(tries)) <= MINUTE + STEP, tries
    assert pauses(tries)[-1] > 2 * LEAST, "it tries more and more seldom"
    assert 12 <= len(polls) <= 20, polls
    assert min(pauses(polls)) >= LEAST, polls
    assert len(set(pauses(polls))) > 1, "no two phones of a hall ask at the same moments for ever"
    cut.status = 200
    cut.wait(1.25)
    expect(cut.page.locator("p")).to_contain_text("7")


def test_a_page_that_nobody_sees_asks_nothing_and_is_fresh_at_once(cut: Cut) -> None:
    cut.page.evaluate("window.begin()")
    cut.wait(0.5)
    cut.page.evaluate(SEEN, False)
    tries, polls = list(cut.tries), cut.polls
    cut.wait(3)
    assert (cut.tries, cut.polls) == (tries, polls)
    cut.page.evaluate(SEEN, True)
    assert len(cut.polls) == len(polls) + 1
    cut.status = 200
    cut.wait(1.25)
    expect(cut.page.locator("p")).to_contain_text("7")
    cut.page.evaluate("window.stop.abort()")
    tries, polls = list(cut.tries), cut.polls
    cut.wait(2)
    assert (cut.tries, cut.polls) == (tries, polls), "it has ended"
