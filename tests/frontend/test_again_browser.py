"""A page that comes again by itself, alone in a real browser: a player's own, once a round is opened."""

import json
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from tests.frontend.browsers import SEEN, in_a_browser

pytestmark = in_a_browser
ADDRESS = "https://etui.test/"
STATIC = Path(__file__).parents[2] / "frontend" / "static" / "frontend"
IMPORTS = {"imports": {"lib/": f"{ADDRESS}lib/"}}
PAGE = """<!doctype html><html lang="fr"><meta charset="utf-8"><script type="importmap">{imports}</script>
<body><main>{main}</main><script type="module">
import {{ again }} from "lib/again.js"
window.buzzed = 0
navigator.vibrate = () => {{ window.buzzed++ }}
again(0.1)
</script></body></html>"""
SEATS = (
    "<p>Table 4, quand le tour est ouvert</p>",
    '<div data-opened="Le tour 2 est ouvert : table 4.">Table 4, maintenant</div>',
    '<div data-opened="Le tour 2 est ouvert : table 4.">Table 4, jusqu’à 21 h</div>',
)


def test_a_player_is_buzzed_once_when_a_round_opens_and_the_page_stays(tab: Page) -> None:
    shown = [0]

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if path:
            route.fulfill(body=(STATIC / path).read_bytes(), content_type="text/javascript")
        else:
            body = PAGE.format(imports=json.dumps(IMPORTS), main=SEATS[shown[0]])
            route.fulfill(body=body, content_type="text/html")

    tab.route(f"{ADDRESS}**", serve)
    tab.goto(ADDRESS)
    tab.evaluate("() => { window.isSame = true }")
    for number, words in ((1, "maintenant"), (2, "jusqu’à")):
        shown[0] = number
        expect(tab.locator("main")).to_contain_text(words)
        expect(tab.locator("[role=status]")).to_have_text("Le tour 2 est ouvert : table 4.")
        assert tab.evaluate("[window.buzzed, window.isSame]") == [1, True]
    tab.unroute(f"{ADDRESS}**")


def test_a_page_that_nobody_sees_is_not_asked_for_and_is_fresh_at_once(tab: Page) -> None:
    asked = []

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if path:
            route.fulfill(body=(STATIC / path).read_bytes(), content_type="text/javascript")
        else:
            asked.append(path)
            body = PAGE.format(imports=json.dumps(IMPORTS), main=SEATS[0]).replace("(0.1)", "(0.01)")
            route.fulfill(body=body, content_type="text/html")

    tab.route(f"{ADDRESS}**", serve)
    tab.goto(ADDRESS)
    tab.wait_for_function("performance.getEntriesByType('resource').length > 5")
    tab.evaluate(SEEN, False)
    tab.evaluate("() => fetch('/lib/again.js')")  # comes after what was on its way
    before = len(asked)
    tab.wait_for_timeout(500)
    assert len(asked) == before
    with tab.expect_request(ADDRESS):
        tab.evaluate(SEEN, True)
    tab.unroute(f"{ADDRESS}**")
