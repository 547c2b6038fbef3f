"""Every page as people see it, at five widths, light and dark, in French and English.

`make campaign-pages` photographs them, too; the photographs stay in the tests' temporary folder (`--basetemp`
says where) for whoever wants to look.
"""

import os
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.frontend.browsers import in_a_browser, troubles_of
from tests.running import PATIENCE, Service, campaign
from tournaments.management import robots

expect.set_options(timeout=PATIENCE * 1000)
pytestmark = in_a_browser

WIDTHS = {360: 740, 390: 844, 768: 1024, 1280: 900, 1920: 1080}
PHOTOGRAPHED = {390, 1280, 1920}
LONG = "W" * 180
NAMES = [LONG, "Marie-Antoinette de Villeneuve-Bargemon", "François-Xavier de La Rochebrochard", "Éloïse Ő"]
# `make campaign-pages` has every page, in both languages, and photographs; French is the longer one.
ALL = os.environ.get("ETUI_PAGES") == "all"
EVERY_KIND = ["home", "ranking", "sixty", "boards", "traveller", "replay", "job", "design", "nothing"]
KINDS = EVERY_KIND if ALL else ["ranking"]
LOOKED_AT = [*((kind, "fr") for kind in KINDS), *((kind, "en") for kind in (KINDS if ALL else []))]
TEXT, SHAPE = 4.5, 3.0  # contrasts: WCAG AA
PHONE, SMALLEST, HEAVIEST = 44, 12, 60_000  # pixels, pixels, bytes


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


@pytest.mark.parametrize(("kind", "language"), LOOKED_AT)
def test_a_page_fits_and_can_be_read(
    service: Service, tab: Page, pages: dict[str, str], tmp_path: Path, kind: str, language: str
) -> None:
    """From 360 to 1920 px, light and dark, nothing leaves the window or is cut off, every text is large
    enough and has its contrast, and what is touched on a phone is 44 px high."""
    tab.emulate_media(reduced_motion="reduce")  # colours are not on their way to others
    with troubles_of(tab) as troubles:
        opened(tab, service, f"/{language}{pages[kind]}")
        for width, height in WIDTHS.items():
            tab.set_viewport_size({"width": width, "height": height})
            assert tab.evaluate("document.documentElement.scrollWidth") <= width, width
            assert tab.evaluate("looks.cut()") == [], width
            for scheme in ("light", "dark") if width in PHOTOGRAPHED else ():
                tab.emulate_media(color_scheme=scheme)
                assert tab.evaluate(f"looks.faint({TEXT})") == [], (width, scheme)
                if ALL:
                    tab.screenshot(path=tmp_path / f"{kind}-{language}-{width}-{scheme}.png", full_page=True)
            assert tab.evaluate(f"looks.small({SMALLEST})") == [], width
            if width < 400:
                assert tab.evaluate(f"looks.narrow({PHONE})") == [], width
    assert [one for one in troubles if kind != "nothing"] == []


@campaign
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_light(service: Service, tab: Page, pages: dict[str, str], kind: str) -> None:
    weights: list[int] = []

    def weigh(asked: Request) -> None:
        if "/fonts/" not in asked.url:
            weights.append(asked.sizes()["responseBodySize"])

    tab.route("**/*", lambda route: route.continue_())  # else some of it comes from the browser's cache
    tab.on("requestfinished", weigh)
    opened(tab, service, f"/fr{pages[kind]}")
    tab.wait_for_load_state("load")
    tab.remove_listener("requestfinished", weigh)
    tab.unroute("**/*")
    assert 5_000 < sum(weights) <= HEAVIEST


@campaign
@pytest.mark.parametrize("kind", EVERY_KIND if ALL else ["design"])
def test_what_has_the_focus_is_seen(service: Service, tab: Page, pages: dict[str, str], kind: str) -> None:
    """By the keyboard alone: everything that is reached has a ring of 2 px that stands out."""
    tab.emulate_media(reduced_motion="reduce")
    opened(tab, service, f"/en{pages[kind]}")
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        for _ in range(12):
            tab.keyboard.press("Tab")
            ring = tab.evaluate("looks.ring()")
            assert ring is None or (ring["width"] >= 2 and ring["contrast"] >= SHAPE), (scheme, ring)


def test_pages_are_complete_without_scripts(
    service: Service, browser: Browser, pages: dict[str, str]
) -> None:
    shown = {"home": ".evening", "ranking": "tbody tr", "traveller": ".fan .card", "design": "form"}
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        for kind in ("home", "ranking", "traveller", "replay", "design"):
            page.goto(f"{service.address}/fr{pages[kind]}")
            expect(page.locator("h1")).to_be_visible()
            expect(page.locator(shown.get(kind, ".tricks tbody tr")).first).to_be_visible()
            assert (
                page.get_by_role("button", name="Sombre").count() == 0
            )  # nothing is offered that does nothing


@campaign
def test_a_ranking_is_useful_on_paper(service: Service, tab: Page, pages: dict[str, str]) -> None:
    tab.set_viewport_size({"width": 700, "height": 1000})
    opened(tab, service, f"/fr{pages['sixty']}")
    tab.emulate_media(media="print", color_scheme="dark")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 700
    assert (
        tab.evaluate("getComputedStyle(document.body).color") == "rgb(26, 31, 27)"
    )  # ink, whatever the screen
    expect(tab.locator("tbody tr").last).to_be_visible()
    for name in ("Étuis et feuilles ambulantes", "Sombre", "Clair"):
        expect(tab.get_by_text(name, exact=True)).to_be_hidden()


@campaign
def test_a_reader_chooses_light_or_dark(service: Service, tab: Page) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    choices: list[tuple[Any, str, str]] = [("light", "Dark", "Light"), ("dark", "Light", "Dark")]
    for system, other, same in choices:
        tab.emulate_media(color_scheme=system)
        tab.goto(f"{service.address}/en/")
        before = tab.evaluate(ground)
        tab.get_by_role("button", name=other).click()
        chosen = tab.evaluate(ground)
        assert chosen != before
        tab.reload()
        assert tab.evaluate(ground) == chosen
        tab.get_by_role("button", name=same).click()
        assert tab.evaluate(ground) == before
        assert tab.evaluate("localStorage.length") == 0, "whoever goes back to the system's follows it again"


@campaign
def test_rows_move_when_places_change_unless_motion_is_unwanted(service: Service, tab: Page) -> None:
    """The reader says so in between. Penalties move them for sure, where results may not."""
    service.organiser = service.organiser or service.manage("token", "organiser", "Test").strip()
    wish = {"name": "Soir", "game": "comon", "movement": "kirkman", "boards_per_round": 1}
    wish |= {"contestants": [f"Joueur {n}" for n in range(9)], "names_may_be_published": True}
    hall = an_evening(service, "Essai", wish)
    opened(tab, service, f"/en/sessions/{hall.session}/")
    expect(tab.locator("live-ranking")).to_have_attribute("connection", "live")
    expect(tab.locator("tbody tr")).to_have_count(9)
    expect(tab.locator("tbody .boards").filter(has_text="4")).to_have_count(9)
    tab.evaluate("""() => {
      window.moved = []
      const animate = Element.prototype.animate
      Element.prototype.animate = function (frames, options) {
        window.moved.push(options.duration)
        return animate.call(this, frames, options)
      }
    }""")
    penalised = penalise_who_leads(tab, hall, percent=1000)
    expect(tab.locator("tbody tr").last).to_have_attribute("data-number", penalised)
    assert set(tab.evaluate("window.moved")) == {300}
    tab.emulate_media(reduced_motion="reduce")
    tab.evaluate("window.moved = []")
    penalised = penalise_who_leads(tab, hall, percent=2000)
    expect(tab.locator("tbody tr").last).to_have_attribute("data-number", penalised)
    assert tab.evaluate("window.moved") == []
    expect(tab.locator("p.version")).to_have_text(re.compile(r"version \d+"))


def penalise_who_leads(tab: Page, hall: robots.Hall, *, percent: int) -> str:
    """The number of the contestant at the head of the page, who loses so much of a board's top."""
    number = str(tab.locator("tbody tr").first.get_attribute("data-number"))
    fine = {"contestant": int(number), "kind": "penalty", "amount": str(percent), "unit": "percent"}
    with robots.client(hall.address, hall.organiser) as director:
        asked = {"contestant": fine, "reason": "Late"}
        robots.answer_of(director.post(f"{robots.at(hall)}/rulings/", json=asked))
    return number


def test_a_question_is_asked_before_something_is_lost(service: Service, tab: Page) -> None:
    opened(tab, service, "/en/design/")
    link = tab.get_by_role("link", name="Revoke the token")
    link.click()
    dialog = tab.get_by_role("dialog", name="Revoke the token of the scorers?")
    expect(dialog).to_be_visible()
    tab.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(link).to_be_focused()
    link.press("Enter")
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_be_hidden()


def test_a_form_says_what_is_wrong_and_leads_there(service: Service, tab: Page) -> None:
    opened(tab, service, "/en/design/")
    summary = tab.get_by_role("alert").filter(has_text="This is not right yet")
    summary.get_by_role("link", name="Membership number").click()
    field = tab.locator("#wrong_number")
    expect(field).to_be_in_viewport()
    expect(field).to_have_attribute("aria-invalid", "true")
    described = str(field.get_attribute("aria-describedby")).split()
    assert any("greater than or equal to 1" in tab.locator(f"#{one}").inner_text() for one in described)
