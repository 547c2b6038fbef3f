"""Keys and suggestions in a browser: "/" reaches the search, what is found can be chosen, and all of it can
be turned off; the projector turns its pages, and holds one."""

import json

import pytest
from django.test import Client
from playwright.sync_api import Page, Route

from tests.frontend.browsers import chromium, in_a_browser, page_of
from tests.frontend.test_every_page import content_of, show
from tests.tournaments.worlds import a_world, played_through
from tournaments.services import sessions

pytestmark = [*in_a_browser, pytest.mark.django_db]


def test_pages_are_reached_by_keys_and_the_projector_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    world = a_world(published=True)
    played_through(world)
    sessions.finish(
        session=world.session, actor=world.organiser
    )  # what a club enters itself opens no board before
    monkeypatch.setattr("frontend.screen.ROWS", 4)
    client = Client(HTTP_HOST="localhost")
    screen = f"/en/sessions/{world.session.pk}/screen/"
    pages = {one: content_of(client.get(one)) for one in ("/en/", "/en/keys/", "/en/search/", screen)}
    found = client.get("/en/search/suggestions/", {"q": "joueur 01"}).json()
    with chromium() as browser:
        page = page_of(browser)
        show(page, "/en/", pages["/en/"])
        page.route("**/suggestions/**", lambda route: route.fulfill(json=found))
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "find"
        page.keyboard.type("joueur 01")
        page.get_by_role("option").first.wait_for()
        page.keyboard.press("ArrowDown")
        assert page.locator("[aria-selected=true]").inner_text().startswith("Joueur 01")
        assert goes_to(page, "Enter") == found["suggestions"][0]["address"]
        show(page, "/en/keys/", pages["/en/keys/"])
        assert goes_to(page, "g", "c") == "/en/clubs/"
        show(page, "/en/search/", pages["/en/search/"])
        page.wait_for_function("document.activeElement.id === 'find'")
        show(page, "/en/keys/", pages["/en/keys/"])
        page.get_by_label("Shortcuts are on in this browser").uncheck()
        page.locator("h1").click()
        page.keyboard.press("?")
        page.keyboard.press("g")
        page.keyboard.press("h")
        assert page.evaluate("location.pathname") == "/en/keys/"
        page.clock.install()
        show(page, screen, pages[screen])
        first = shown(page)
        assert len(first) == 4
        page.clock.run_for(12_500)
        second = shown(page)
        assert not set(first) & set(second)
        page.keyboard.press(" ")
        page.clock.run_for(40_000)
        assert shown(page) == second  # it is held
        page.keyboard.press("ArrowLeft")
        assert shown(page) == first


def goes_to(page: Page, *keys: str) -> str:
    """Where keys lead."""
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url.split("localhost", 1)[1])
        route.fulfill(body="<p>there</p>", content_type="text/html")

    page.route("**/en/clubs/**", answer)
    with page.expect_navigation():
        for key in keys:
            page.keyboard.press(key)
    page.unroute("**/en/clubs/**")
    return asked[0]


def shown(page: Page) -> list[str]:
    names: list[str] = json.loads(
        page.evaluate(
            "JSON.stringify([...document.querySelectorAll('[data-page]:not([hidden]) .person')]"
            ".map(one => one.textContent))"
        )
    )
    return names
