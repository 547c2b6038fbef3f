"""Every page as people see it, photographed at three widths, light and dark, in French and English.

The photographs stay in the tests' temporary folder (`--basetemp` says where) for whoever wants to look.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.frontend.browsers import chromium, in_a_browser, page_of, troubles_of
from tests.running import PATIENCE, Service
from tournaments.management import robots

expect.set_options(timeout=PATIENCE * 1000)
pytestmark = in_a_browser

WIDTHS = {360: 740, 390: 844, 768: 1024, 1280: 900, 1920: 1080}
PHOTOGRAPHED = {390, 1280, 1920}
LONG = "W" * 180
NAMES = [LONG, "Marie-Antoinette de Villeneuve-Bargemon", "François-Xavier de La Rochebrochard", "Éloïse Ő"]
# `make campaign-pages` has every page, in both languages; French is the longer one.
ALL = os.environ.get("ETUI_PAGES") == "all"
EVERY_KIND = ["home", "ranking", "sixty", "boards", "traveller", "replay", "job", "design", "nothing"]
KINDS = EVERY_KIND if ALL else ["ranking", "traveller", "design"]
PHOTOGRAPHS = [*((kind, "fr") for kind in KINDS), *((kind, "en") for kind in (KINDS if ALL else ["design"]))]
TEXT, SHAPE = 4.5, 3.0  # contrasts: WCAG AA
PHONE, SMALLEST, HEAVIEST = 44, 12, 60_000  # pixels, pixels, bytes


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def pages(service: Service) -> dict[str, str]:
    """An address of each kind of page: with long names, and a ranking of sixty."""
    service.organiser = service.organiser or service.manage("token", "organiser", "Test").strip()
    wish = {"name": "Deuxième séance", "game": "comon", "movement": "kirkman", "boards_per_round": 1}
    wish["names_may_be_published"] = True
    few = NAMES + [f"Joueur {n}" for n in range(5)]
    hall = an_evening(service, LONG, wish | {"contestants": few})
    robots.finish(hall)
    many = [f"{NAMES[n % 4][:60]} {n}" for n in range(60)]
    sixty = an_evening(service, "Soixante", wish | {"contestants": many, "rounds": 2})
    with robots.client(hall.address, hall.organiser) as director:
        session = robots.answer_of(director.get(f"{robots.at(hall)}/"))
        asked = director.post(
            f"/tournaments/{session['tournament']}/sessions/", json=wish | {"contestants": few}
        )
        job = robots.answer_of(asked)
        traveller = director.get(f"{service.address}/fr/sessions/{hall.session}/boards/1/").text
    replay = re.search(r'href="/fr(/sessions/\d+/boards/1/\d+/)"', traveller)
    assert replay, "no record was handed in for the first board"
    return {
        "home": "/",
        "ranking": f"/sessions/{hall.session}/",
        "sixty": f"/sessions/{sixty.session}/",
        "boards": f"/sessions/{hall.session}/boards/",
        "traveller": f"/sessions/{hall.session}/boards/1/",
        "replay": replay[1],
        "job": f"/jobs/{job['id']}/",
        "design": "/design/",
        "nothing": "/no-such-page/",
    }


def an_evening(service: Service, tournament: str, wish: dict[str, Any]) -> robots.Hall:
    """A session that robots have played."""
    hall = robots.set_up(service.address, service.organiser, tournament=tournament, session=wish)
    for _ in robots.evening(hall, seconds=0, random=Random(1)):
        pass
    return hall


def opened(page: Page, service: Service, address: str) -> None:
    """The page with its fonts and what its scripts have made of it."""
    page.goto(service.address + address)
    expect(page.locator("h1")).to_be_visible()
    page.evaluate("document.fonts.ready.then(() => true)")


@pytest.mark.parametrize(("kind", "language"), PHOTOGRAPHS)
def test_a_page_fits_and_can_be_read(
    service: Service, browser: Browser, pages: dict[str, str], tmp_path: Path, kind: str, language: str
) -> None:
    """From 360 to 1920 px, light and dark, nothing leaves the window or is cut off, every text is large
    enough and has its contrast, and what is touched on a phone is 44 px high."""
    page = page_of(browser, reduced_motion="reduce")  # colours are not on their way to others
    troubles = troubles_of(page)
    opened(page, service, f"/{language}{pages[kind]}")
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        assert page.evaluate("looks.cut()") == [], width
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            if width in PHOTOGRAPHED:
                page.screenshot(path=tmp_path / f"{kind}-{language}-{width}-{scheme}.png", full_page=True)
                assert page.evaluate(f"looks.faint({TEXT})") == [], (width, scheme)
        assert page.evaluate(f"looks.small({SMALLEST})") == [], width
        if width < 400:
            assert page.evaluate(f"looks.narrow({PHONE})") == [], width
    page.close()
    assert [one for one in troubles if kind != "nothing"] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_light(service: Service, browser: Browser, pages: dict[str, str], kind: str) -> None:
    page = page_of(browser)
    weights: list[int] = []
    page.on(
        "requestfinished",
        lambda asked: (
            weights.append(asked.sizes()["responseBodySize"]) if "/fonts/" not in asked.url else None
        ),
    )
    opened(page, service, f"/fr{pages[kind]}")
    page.wait_for_load_state("load")
    assert 5_000 < sum(weights) <= HEAVIEST
    page.close()


@pytest.mark.parametrize("kind", KINDS)
def test_what_has_the_focus_is_seen(
    service: Service, browser: Browser, pages: dict[str, str], kind: str
) -> None:
    """By the keyboard alone: everything that is reached has a ring of 2 px that stands out."""
    page = page_of(browser, viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    opened(page, service, f"/en{pages[kind]}")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for _ in range(12):
            page.keyboard.press("Tab")
            ring = page.evaluate("looks.ring()")
            assert ring is None or (ring["width"] >= 2 and ring["contrast"] >= SHAPE), (scheme, ring)
    page.close()


@pytest.mark.parametrize("kind", ["home", "ranking", "traveller", "replay", "design"])
def test_a_page_is_complete_without_scripts(
    service: Service, browser: Browser, pages: dict[str, str], kind: str
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{service.address}/fr{pages[kind]}")
        expect(page.locator("h1")).to_be_visible()
        shown = {"home": ".evening", "ranking": "tbody tr", "traveller": ".fan .card", "design": "form"}
        expect(page.locator(shown.get(kind, ".tricks tbody tr")).first).to_be_visible()
        assert page.get_by_role("button", name="Sombre").count() == 0  # nothing is offered that does nothing


def test_a_ranking_is_useful_on_paper(service: Service, browser: Browser, pages: dict[str, str]) -> None:
    page = page_of(browser, viewport={"width": 700, "height": 1000}, color_scheme="dark")
    opened(page, service, f"/fr{pages['sixty']}")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    assert (
        page.evaluate("getComputedStyle(document.body).color") == "rgb(26, 31, 27)"
    )  # ink, whatever the screen
    expect(page.locator("tbody tr").last).to_be_visible()
    for name in ("Étuis et feuilles ambulantes", "Sombre", "Clair"):
        expect(page.get_by_text(name, exact=True)).to_be_hidden()
    page.close()


@pytest.mark.parametrize("system", ["light", "dark"])
def test_a_reader_chooses_light_or_dark(service: Service, browser: Browser, system: Any) -> None:
    words = {"light": ("Dark", "Light"), "dark": ("Light", "Dark")}[system]
    with browser.new_context(color_scheme=system) as context:
        page = context.new_page()
        page.goto(f"{service.address}/en/")
        ground = "getComputedStyle(document.body).backgroundColor"
        before = page.evaluate(ground)
        page.get_by_role("button", name=words[0]).click()
        other = page.evaluate(ground)
        assert other != before
        page.reload()
        assert page.evaluate(ground) == other
        page.get_by_role("button", name=words[1]).click()
        assert page.evaluate(ground) == before
        assert page.evaluate("localStorage.length") == 0, "whoever goes back to the system's follows it again"


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_rows_move_when_places_change(service: Service, browser: Browser, motion: Any, moves: bool) -> None:
    hall = service.set_up(players=9, boards_per_round=1)
    evening = robots.evening(hall, seconds=0, random=Random(4))
    for _ in range(4):
        next(evening)
    page = page_of(browser, reduced_motion=motion)
    opened(page, service, f"/en/sessions/{hall.session}/")
    expect(page.locator("live-ranking")).to_have_attribute("connection", "live")
    expect(page.locator("tbody tr")).to_have_count(9)
    page.evaluate("""() => {
      window.moved = []
      const animate = Element.prototype.animate
      Element.prototype.animate = function (frames, options) {
        window.moved.push(options.duration)
        return animate.call(this, frames, options)
      }
    }""")
    for _ in evening:
        pass
    expect(page.locator("tbody .boards").first).to_have_text("4")
    assert set(page.evaluate("window.moved")) == ({300} if moves else set())
    expect(page.locator("p.version")).to_have_text(re.compile(r"version \d+"))
    page.close()


def test_a_question_is_asked_before_something_is_lost(service: Service, browser: Browser) -> None:
    page = page_of(browser)
    opened(page, service, "/en/design/")
    link = page.get_by_role("link", name="Revoke the token")
    link.click()
    dialog = page.get_by_role("dialog", name="Revoke the token of the scorers?")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(link).to_be_focused()
    link.press("Enter")
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_be_hidden()
    page.close()


def test_a_form_says_what_is_wrong_and_leads_there(service: Service, browser: Browser) -> None:
    page = page_of(browser)
    opened(page, service, "/en/design/")
    summary = page.get_by_role("alert").filter(has_text="This has not been saved yet")
    summary.get_by_role("link", name="Membership number").click()
    field = page.locator("#wrong_number")
    expect(field).to_be_in_viewport()
    expect(field).to_have_attribute("aria-invalid", "true")
    described = str(field.get_attribute("aria-describedby")).split()
    assert any("greater than or equal to 1" in page.locator(f"#{one}").inner_text() for one in described)
    page.close()
