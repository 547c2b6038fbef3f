"""The entry of a result, alone on a page: what robots play in every game can be tapped in, key by key."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Locator, Page, Route

from engines.contract import Game
from tests.engines.test_conformance import GAMES, board
from tests.frontend.browsers import in_a_browser
from tests.frontend.phones import Finger
from tests.samples import here, many
from tournaments.compressing import plain

pytestmark = in_a_browser
ADDRESS = "https://etui.test/"
STATIC = Path(__file__).parents[2] / "frontend" / "static" / "frontend"
IMPORTS = {"imports": {f"{folder}/": f"{ADDRESS}{folder}/" for folder in ("lib", "components")}}
STYLES = ("tokens", "page", "components/button", "components/result-entry")
LINKS = "".join(f'<link rel="stylesheet" href="{ADDRESS}{name}.css">' for name in STYLES)
TYPES = {".js": "text/javascript", ".css": "text/css"}
PAGE = """<!doctype html><html lang="fr"><meta charset="utf-8"><script type="importmap">{imports}</script>
{styles}{words}<script type="module">
import {{ ResultEntry }} from "components/result-entry.js"; import {{ wordsOf }} from "lib/elements.js"
ResultEntry.define()
window.begin = (given) => {{
  const entry = document.createElement("result-entry")
  document.querySelector("result-entry")?.remove()
  document.body.append(entry)
  entry.begin({{ ...given, words: wordsOf(document) }})
}}</script></html>"""


class Pointer(Finger):
    """Clicks without a finger: no key moves, so that nothing has to be waited for."""

    def tap(self, key: Locator) -> None:
        key.evaluate("key => key.click()")
        self.taps += 1


@pytest.fixture
def entry(tab: Page) -> Iterator[Page]:
    """A page with nothing but the component."""
    with translation.override("fr"):
        words = render_to_string("table/words.html")
        whole = PAGE.format(imports=json.dumps(IMPORTS), styles=LINKS, words=words)

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if not path:
            route.fulfill(body=whole, content_type="text/html")
        elif (STATIC / path).is_file():
            text = plain(path, (STATIC / path).read_bytes())  # as it is sent
            route.fulfill(body=text, content_type=TYPES.get(Path(path).suffix))
        else:
            route.fulfill(status=404)

    tab.route(f"{ADDRESS}**", serve)
    tab.goto(ADDRESS)
    tab.wait_for_function("Boolean(window.begin)")
    yield tab
    tab.unroute(f"{ADDRESS}**")


@pytest.mark.parametrize("game", here(GAMES, one_in=4), ids=lambda game: game.id)
def test_what_robots_play_is_tapped_in_and_gives_the_same_marks(entry: Page, game: Game[Any]) -> None:
    for number in range(1, 1 + many(1, 10)):
        with board(game, "phones", number) as played:
            played.play()
            conditions = played.file["conditions"]
            known = conditions | {
                name: value
                for name, value in game.known(played.deal, conditions).items()
                if name in {condition.name for condition in game.conditions}
            }
            form = game.show_form("fr", played.options, known)
            names = ["Anna Roux", "Bruno Roux", "Chloé Roux", "David Roux", "Ève Roux", "Félix Roux"]
            told = {"known": form["known"], "dealer": 1, "names": names[: len(form["seats"])]}
            given = {"game": game.id, "options": {}, "divisor": 1, "form": form, "number": number}
            entry.evaluate(
                "given => begin(given)", given | {"board": told | {"conditions": {}}, "address": "#"}
            )
            Pointer(entry).enter(game.summarise(played.state))
            sheet = entry.evaluate("document.querySelector('result-entry').sheet")
            scored = game.score(sheet, deal=played.deal, options=played.options, conditions=conditions)
            assert scored.scores == played.state.outcome().scores


@pytest.mark.parametrize("game", here(GAMES, one_in=4), ids=lambda game: game.id)
def test_large_keys_ask_for_the_same_by_tens_and_units(entry: Page, game: Game[Any]) -> None:
    """A setting of the phone: each key is large enough for any finger, and the sheet is the same. Without it
    no key is smaller than the phone's own letters."""
    form = game.show_form("fr", {}, {})
    names = ["Anna Roux", "Bruno Roux", "Chloé Roux", "David Roux", "Ève Roux", "Félix Roux"]
    told = {"known": form["known"], "dealer": 1, "names": names[: len(form["seats"])], "conditions": {}}
    given = {"game": game.id, "options": {}, "divisor": 1, "form": form, "number": 1, "address": "#"}
    taps, sheets = [], []
    entry.set_viewport_size({"width": 360, "height": 640})
    for keys in ("", "large"):
        entry.evaluate("keys => { document.documentElement.dataset.keys = keys }", keys)
        entry.evaluate("given => begin(given)", given | {"board": told})
        finger = Measured(entry, 44 if keys else 24)
        finger.enter(dict(game.form.example))
        sheets.append(entry.evaluate("document.querySelector('result-entry').sheet"))
        taps.append(finger.taps)
    assert sheets[0] == sheets[1]
    assert taps[0] <= taps[1] <= 2 * taps[0]


class Measured(Pointer):
    """It finds keys that are smaller than what a finger needs: `least` pixels."""

    def __init__(self, page: Page, least: int) -> None:
        super().__init__(page)
        self.least = least

    def tap(self, key: Locator) -> None:
        small = self.page.evaluate(SMALL, self.least)
        assert small == []
        super().tap(key)


SMALL = """(least) => [...document.querySelectorAll("result-entry .asked .keys button")].map((key) => {
  const { width, height } = key.getBoundingClientRect()
  return [key.getAttribute("aria-label") ?? key.textContent, Math.round(width), Math.round(height)]
}).filter(([_name, width, height]) => width && (width < least || height < least))"""
