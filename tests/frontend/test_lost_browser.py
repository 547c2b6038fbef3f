"""Pages that keep themselves up to date, each alone in a real browser whose network is cut: they say so in
words, since when, ask again, and the words go."""

import json
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Page, Route, expect

from tests.frontend.browsers import in_a_browser

pytestmark = in_a_browser
ADDRESS = "https://etui.test/"
STATIC = Path(__file__).parents[2] / "frontend" / "static" / "frontend"
IMPORTS = {"imports": {"lib/": f"{ADDRESS}lib/", "components/": f"{ADDRESS}components/"}}
PAGE = """<!doctype html><html lang="en-GB"><meta charset="utf-8"><script type="importmap">{imports}</script>
<body>{part}{lost}<script type="module">{script}</script></body></html>"""
ANSWERS = {
    "news": {"stamp": "1", "calling": []},
    "ranking": {"version": 1, "state": "running", "live": False},
}
DEFINED = 'import {{ {name} }} from "components/{file}.js"; {name}.define()'
PARTS = {
    "again": ("<main>Tour 2</main>", 'import { again } from "lib/again.js"; again(5)'),
    "again with a stream": ("<main>Tour 2</main>", 'import { again } from "lib/again.js"; again(5, "/live")'),
    "hall-calls": (
        '<hall-calls news="/news"></hall-calls>',
        DEFINED.format(name="HallCalls", file="hall-calls"),
    ),
    "evening-grid": (
        '<evening-grid news="/news"></evening-grid>',
        DEFINED.format(name="EveningGrid", file="evening-grid"),
    ),
    "hall-screen": (
        '<hall-screen stream="/live"><main></main></hall-screen>',
        DEFINED.format(name="HallScreen", file="hall-screen"),
    ),
    "live-ranking": (
        '<live-ranking src="/ranking" stream="/live" version="1" state="running">'
        '<p class="status"></p></live-ranking>',
        DEFINED.format(name="LiveRanking", file="live-ranking"),
    ),
}
MINUTE = 60_000
ON_WHOLE = "getComputedStyle(document.documentElement).getPropertyValue('--lost')"


@pytest.mark.parametrize(
    ("name", "how"), [*((name, "cut") for name in PARTS), ("again", 502), ("again", 403)]
)
def test_a_page_says_since_when_nothing_answers_and_asks_on(tab: Page, name: str, how: str | int) -> None:
    part, script = PARTS[name]
    with translation.override("en"):
        lost = render_to_string("frontend/parts/lost.html")
    page = PAGE.format(imports=json.dumps(IMPORTS), part=part, lost=lost, script=script)
    is_away, asked = [False], [0]

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if path.endswith(".js"):
            route.fulfill(body=(STATIC / path).read_bytes(), content_type="text/javascript")
        elif path == "after":
            route.fulfill(body="")
        elif is_away[0] or path == "live":
            asked[0] += 1
            route.abort("internetdisconnected") if how == "cut" else route.fulfill(status=int(how))
        elif path:
            route.fulfill(json=ANSWERS[path])
        else:
            route.fulfill(body=page, content_type="text/html")

    def wait() -> None:
        """Half a minute of the page's own clock; what is asked meanwhile is answered before it goes on."""
        for _step in range(10):
            tab.clock.run_for(3000)
            tab.evaluate("() => fetch('/after')")

    tab.clock.install(time=0)
    tab.route(f"{ADDRESS}**", serve)
    tab.goto(ADDRESS)
    tab.clock.pause_at(MINUTE)
    wait()
    told = tab.locator(".lost[aria-live=polite]")
    expect(told).to_be_empty()
    hour = tab.evaluate("new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format()")
    is_away[0] = True
    wait()
    if how == 403:
        expect(told).to_be_empty()  # it has been answered: that it may not be seen
    else:
        expect(told).to_contain_text(f"No connection since {hour}: ")
        shown, tries = told.inner_text(), asked[0]
        assert tries > 0
        wait()
        assert asked[0] > tries, "it keeps trying"
        assert told.inner_text() == shown, "since when it began, and not since the last try"
        assert json.loads(tab.evaluate(ON_WHOLE)) == shown, "on the whole screen too"
    is_away[0] = False
    wait()
    expect(told).to_be_empty()
    assert tab.evaluate(ON_WHOLE) in {"", "none"}
    tab.unroute(f"{ADDRESS}**")
