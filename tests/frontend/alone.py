"""The entry of a result alone on a page, without a service: what the component does by itself."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Locator, Page, Route

from engines import registry
from tests.frontend.browsers import parts_together
from tests.frontend.phones import Finger
from tournaments.compressing import plain

ADDRESS = "https://etui.test/"
STATIC = Path(__file__).parents[2] / "frontend" / "static" / "frontend"
IMPORTS = {"imports": {f"{folder}/": f"{ADDRESS}{folder}/" for folder in ("lib", "components")}}
STYLES = "at-entry.css"
TYPES = {".js": "text/javascript", ".css": "text/css"}
PAGE = """<!doctype html><html lang="fr"><meta charset="utf-8"><title>Table 1</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<script type="importmap">{imports}</script><link rel="stylesheet" href="{styles}">{words}
<script type="module">
import {{ ResultEntry }} from "components/result-entry.js"; import {{ wordsOf }} from "lib/elements.js"
ResultEntry.define()
window.begin = (given) => {{
  const entry = document.createElement("result-entry")
  document.querySelector("result-entry")?.remove()
  document.body.append(entry)
  entry.begin({{ ...given, words: wordsOf(document) }})
}}</script><body class="at-table"></body></html>"""
NAMES = ("Anna Roux", "Bruno Roux", "Chloé Roux", "David Roux", "Ève Roux", "Félix Roux")


class Pointer(Finger):
    """Clicks without a finger: no key moves, so that nothing has to be waited for."""

    def tap(self, key: Locator) -> None:
        key.evaluate("key => key.click()")
        self.taps += 1


@contextmanager
def alone(tab: Page) -> Iterator[Page]:
    """A page with nothing but the component."""
    with translation.override("fr"):
        words = render_to_string("table/words.html")
    whole = PAGE.format(imports=json.dumps(IMPORTS), styles=ADDRESS + STYLES, words=words)

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if not path:
            route.fulfill(body=whole, content_type="text/html")
        elif path == STYLES:
            route.fulfill(body=parts_together(f"frontend/{STYLES}"), content_type="text/css")
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


def begun(entry: Page, game: str, *, options: dict[str, Any] | None = None, **more: Any) -> None:
    """An entry of a game at 360 px, of which nothing has been told yet, or `more`; keys as usual."""
    options = options or {}
    form = registry.game(game).show_form("fr", options, {})
    told = {"known": form["known"], "dealer": 1, "names": list(NAMES[: len(form["seats"])]), "conditions": {}}
    given = {"game": game, "options": options, "divisor": 1, "form": form, "number": 1, "address": "#"}
    entry.set_viewport_size({"width": 360, "height": 640})
    entry.evaluate("delete document.documentElement.dataset.keys")
    entry.evaluate("given => begin(given)", given | {"board": told} | more)
