"""Every page of the site, as each of its people sees it: what a machine can see of it, and photographs for
whoever looks (`make campaign-pages ARGS=--basetemp=…`)."""

import gzip
import mimetypes
import os
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Page, Route

from tests import locale
from tests.frontend.browsers import CHROMIUM, MOVED, barriers, chromium, page_of, parts_together
from tests.frontend.scene import Scene, remembered
from tests.frontend.test_who_may import routes
from tests.frontend.views import ELSEWHERE, VIEWS, View
from tests.running import campaign
from tests.tournaments.test_logos import a_picture
from tournaments import compressing
from tournaments.models import (
    Club,
    Event,
    Player,
    RegistrationList,
    Season,
    Session,
    SessionList,
    SessionTemplate,
    Tournament,
)
from tournaments.services import logos

WINDOWS = (  # width, height, language, colours
    (390, 844, "fr", "light"),
    (1280, 900, "en", "dark"),
    (390, 844, "en", "dark"),
    (1280, 900, "fr", "light"),
)
EACH = int(os.environ.get("ETUI_WINDOWS", len(WINDOWS)))  # of them for a page; the next begins with the next
SOME = os.environ.get("ETUI_VIEWS", "")  # those alone whose names match
PARTS = 2  # which run beside each other, each with a browser of its own
LOGO = logos.picture(a_picture()).content
LONG = "W" * 180
HEAVIEST = 60_000  # bytes over the wire of a page, without its fonts
LATER = (".js", ".woff2")
STIRS = {  # how much of the window may move when the scripts are there, and why
    "table-play": 0.002,  # what the pad asks first stands below its keys, and may take a second line there
}
DRAWN = """new Promise(done => new PerformanceObserver(done)
  .observe({ type: "paint", buffered: true })).then(() => true)"""
SAMPLES = {"design"}  # shows all parts at once, with the names of the tokens


def test_each_page_is_among_those_that_are_looked_at() -> None:
    """`make campaign-pages` photographs VIEWS: whoever adds a page adds it there, or says why not."""
    pages = {route.name for route in routes() if "GET" in route.methods and not route.is_api}
    looked_at = {one.route for one in VIEWS}
    assert pages - looked_at - ELSEWHERE.keys() == set()
    assert (looked_at | ELSEWHERE.keys()) - pages == set()
    assert looked_at & ELSEWHERE.keys() == set()
    names = [one.name for one in VIEWS]
    assert sorted(set(names)) == sorted(names)


@campaign
@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")
@pytest.mark.django_db
@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_fits_can_be_read_and_is_in_its_language(part: int, tmp_path: Path) -> None:
    """At 390 and 1280 px, in French and English, light and dark; with nothing for axe-core to find."""
    scene, wrong = Scene.set(), []
    views = [one for one in VIEWS if re.search(SOME, one.name)][part::PARTS]
    pages = {(one.name, of): content_of(one.answer(scene, of)) for one in views for of in ("fr", "en")}
    english = English()
    for view in views:
        if view.route not in SAMPLES:
            wrong += [f"{view.name}: {text}" for text in english.left_in(pages[view.name, "fr"])]
    with chromium() as browser:  # beside which nothing is asked of the database
        page = page_of(browser)
        page.emulate_media(reduced_motion="reduce")
        for number, view in enumerate(views):
            for width, height, language, colours in windows_of(number):
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme=colours)
                found = []
                if not page.url.endswith(f"/{language}/{view.name}/"):
                    shown = pages[view.name, language]
                    moves = STIRS.get(view.route, 0)
                    found += show(page, f"/{language}/{view.name}/", shown, moves=moves)
                found += troubles_of(page, view, width)
                if width == 1280 and (colours == "dark" or EACH == 1):
                    found += by_keyboard(page)
                rules = {} if language == "fr" else {"runOnly": ["color-contrast"]}  # the rest is the same
                found += [f"a barrier: {one}" for one in barriers(page, **rules)]
                wrong += [f"{view.name} {width} {language} {colours}: {one}" for one in found]
                page.screenshot(
                    path=tmp_path / f"{view.name}-{width}-{language}-{colours}.png", full_page=True
                )
    assert not wrong, "\n".join(wrong)


@campaign
@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")
@pytest.mark.skipif(len(WINDOWS) > EACH, reason="left to `.ci/run --all`, as three of four windows are")
@pytest.mark.django_db
@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_has_room_for_the_longest_names(part: int, tmp_path: Path) -> None:
    """Of people, clubs, tournaments, sessions, lists and events, without a space: at 390 and 1920 px nothing
    leaves the window or is cut off."""
    scene, wrong = Scene.set(), []
    name_at_length()
    views = [one for one in VIEWS if re.search(SOME, one.name) and one.sent is None][part::PARTS]
    pages = {one.name: content_of(one.answer(scene, "fr")) for one in views}
    with chromium() as browser:
        page = page_of(browser)
        page.emulate_media(reduced_motion="reduce")
        for view in views:
            show(page, f"/fr/{view.name}/", pages[view.name])
            for width, height in ((390, 844), (1920, 1080)):
                page.set_viewport_size({"width": width, "height": height})
                beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                found = [f"wider than the window by {beyond} px"] if beyond > 0 else []
                found += [f"cut off: {one}" for one in page.evaluate("looks.cut()")]
                wrong += [f"{view.name} {width}: {one}" for one in found]
                if found:
                    page.screenshot(path=tmp_path / f"{view.name}-{width}.png", full_page=True)
    assert not wrong, "\n".join(wrong)


def name_at_length() -> None:
    """The names of a scene, as long as they may be."""
    for model in (Club, Tournament, Session, SessionList, Event, Season, SessionTemplate, RegistrationList):
        length = getattr(model._meta.get_field("name"), "max_length", 0)
        rows = list(model._default_manager.all())
        for row in rows:
            setattr(row, "name", (f"{row.pk}" + LONG)[: min(length, len(LONG))])  # noqa: B010
        model._default_manager.bulk_update(rows, ["name"])
    for player in Player.objects.exclude(family_name=""):
        player.family_name, player.public_name = f"{LONG[:-4]}{player.pk}", ""
        player.save()  # its folded name, too
    remembered.clear()


def windows_of(number: int) -> Iterator[tuple[int, int, str, str]]:
    """Those in which a page is looked at, by its number among the views."""
    return islice(cycle(WINDOWS), number % len(WINDOWS), number % len(WINDOWS) + EACH)


def content_of(answer: Any) -> str:
    content = answer.content
    return str((gzip.decompress(content) if answer.get("Content-Encoding") == "gzip" else content).decode())


def show(page: Page, address: str, html: str, *, moves: float | None = None) -> list[str]:
    """A page that has been fetched, with the static files that it asks for. Where it is said how much of the
    window may move, scripts and fonts come when it has been drawn, as from afar. What is wrong: it is
    too heavy, or more has moved."""
    weights, held, late = [len(gzip.compress(html.encode()))], list[Route](), moves is not None

    def answer(route: Route) -> None:
        path = route.request.url.split("localhost", 1)[1].partition("?")[0]
        if path == address and len(weights) == 1:
            weights.append(0)
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif path == address:
            route.fulfill(status=204)  # a page that comes again by itself stays as it is
        elif late and path.endswith(LATER) and not path.endswith("/theme.js"):
            held.append(route)
        elif path.startswith("/static/") and (sent := sent_as(path.split("/", 3)[3])):
            body, kind = sent
            weights.append(weight_of(path.split("/", 3)[3]))
            route.fulfill(body=body, content_type=kind)
        elif path.endswith("/logo.webp"):
            weights.append(len(LOGO))
            route.fulfill(body=LOGO, content_type="image/webp")
        else:
            route.abort()  # what scripts would follow: the pages are looked at as they are sent

    page.unroute("**/*")
    page.route("**/*", answer)
    page.goto(f"http://localhost{address}", wait_until="load" if moves is None else "commit")
    if moves is not None:
        page.evaluate(DRAWN)
        late = False
        for route in held:
            answer(route)
        page.wait_for_load_state("load")
    moved, what = (0, []) if moves is None else page.evaluate(MOVED)
    page.add_style_tag(content=faces())
    page.evaluate("document.fonts.ready.then(() => true)")
    found = [f"{sum(weights)} bytes, without its fonts"] if sum(weights) > HEAVIEST else []
    return found + ([f"{moved:.4f} of it has moved: {what}"] if moved > (moves or 0) else [])


@cache
def faces() -> str:
    """The fonts of the pages, which come here however late they are: nobody looks at a page without them."""
    rules = (compressing.STYLES / "frontend/tokens.css").read_text("utf-8").split("\n\n")[0]
    return rules.replace("url(", "url(/static/-/frontend/").replace("optional", "swap")


@cache
def sent_as(name: str) -> tuple[bytes, str] | None:
    """A static file, or what is sent together under such a name, and its kind; None where there is none."""
    kind = mimetypes.guess_type(name)[0] or "font/woff2"
    if parts := parts_together(name):
        return parts, kind
    file = finders.find(name)
    return (Path(file).read_bytes(), kind) if file else None


@cache
def weight_of(name: str) -> int:
    """Its bytes over the wire."""
    if name.endswith(".woff2"):
        return 0
    body, _kind = sent_as(name) or (b"", "")
    return len(gzip.compress(compressing.plain(name, body)) if name.endswith(compressing.TEXTS) else body)


def by_keyboard(page: Page) -> list[str]:
    """What the Tab key does not reach, in order, with a ring; and questions that Escape leaves open."""
    for _ in range(page.evaluate("looks.listen()")):
        page.keyboard.press("Tab")
    found: list[str] = page.evaluate("looks.missed()")
    asking = page.locator("ask-first > a, ask-first > button").first
    if asking.count() and asking.is_visible():
        asking.press("Enter")
        if page.locator("dialog[open]").count() != 1:
            found.append("no question was asked")
        page.keyboard.press("Escape")
        if page.locator("dialog[open]").count():
            found.append("Escape leaves the question open")
        if not asking.evaluate("link => link === document.activeElement"):
            found.append("the focus is lost with the question")
    return found


def troubles_of(page: Page, view: View, width: int) -> list[str]:
    asked = {"cut off": "cut()", "faint": "faint(4.5)", "too small": "small(12)"}
    if width < 400:
        asked["too low to be touched"] = "narrow(44)"
    if view.route not in SAMPLES:
        asked["more than one filled button"] = "loud()"
    found = [
        f"{what}: {one}" for what, question in asked.items() for one in page.evaluate(f"looks.{question}")
    ]
    beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    found += [f"wider than the window by {beyond} px"] if beyond > 0 else []
    return found + (["words are set as wide as figures"] if page.evaluate("looks.spread()") > 1 else [])


# ── What is left in English ───────────────────────────────────────────────────────────────────────


class Texts(HTMLParser):
    """What is read on a page, its attributes too; not what is marked as another language's, or as code."""

    SAID = ("aria-label", "placeholder", "alt", "data-label", "title")
    CLOSED = ("script", "style", "code", "textarea", "option")
    EMPTY = ("meta", "link", "input", "img", "br", "hr", "path", "circle", "rect", "line", "use", "polyline")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[bool] = [True]
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        readable = self.open[-1] and tag not in self.CLOSED and given.get("lang", "fr") == "fr"
        if readable:
            self.found += [text for name in self.SAID if (text := given.get(name))]
        if tag not in self.EMPTY:
            self.open.append(readable)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY and len(self.open) > 1:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open[-1] and data.strip():
            self.found.append(" ".join(data.split()))


class English:
    """The texts of the catalogues, and the small words that no English sentence is without."""

    WORDS = re.compile(r"\b(?:the|and|of|with|your|you|are|this|that|been|from|to|has|have|is|it)\b", re.I)

    def __init__(self) -> None:
        messages = [one for package in locale.DOMAINS for one in locale.translated(package) if one.id]
        plain = [(str(one.id), str(one.string)) for one in messages if isinstance(one.id, str)]
        self.texts = {text for text, _french in plain} - {french for _text, french in plain}

    def left_in(self, html: str) -> list[str]:
        return [one for one in Texts(html).found if one in self.texts or self.WORDS.search(one)]
