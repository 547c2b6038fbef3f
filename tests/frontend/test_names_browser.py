"""The field of contestants: whom the register knows is proposed while somebody types."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse
from playwright.sync_api import Route, expect

from tests.frontend.browsers import chromium, in_a_browser, page_of
from tests.frontend.test_desk import Visitor, at_desk
from tests.frontend.test_every_page import content_of, show
from tests.tournaments.worlds import a_club
from tournaments.models import Draft, Player

pytestmark = pytest.mark.django_db
KNOWN = [("Ana", "Durand", ""), ("Bob", "Petit", "17"), ("Bob", "Petit", "23"), ("Diana", "Durieux", "")]


def at_contestants(game: str = "cochonnet") -> tuple[Visitor, str]:
    """Somebody who is to say who plays, and where names are asked for."""
    visitor = at_desk()
    for given, family, number in KNOWN:
        Player.objects.create(club=a_club("Club A"), given_name=given, family_name=family, number=number)
    visitor.press("New session").press("Continue", game=game)
    return visitor, reverse("draft-names", args=[Draft.objects.get().pk])


def test_whoever_begins_so_comes_first_and_namesakes_have_their_numbers(
    django_assert_max_num_queries: Any,
) -> None:
    visitor, address = at_contestants()
    with django_assert_max_num_queries(12):
        assert visitor.client.get(address, {"q": "bob p"}).json() == {
            "names": ["Bob Petit (17)", "Bob Petit (23)"]
        }
    assert visitor.client.get(address, {"q": "an"}).json() == {"names": ["Ana Durand", "Diana Durieux"]}
    assert visitor.client.get(address, {"q": "ana dur"}).json()["names"][0] == "Ana Durand"
    for nothing in ("", "a", " ", "nobody", "x" * 500):
        assert visitor.client.get(address, {"q": nothing}).json() == {"names": []}
    for number in range(30):
        Player.objects.create(club=a_club("Club A"), given_name="Zed", family_name=f"Many {number}")
    assert len(visitor.client.get(address, {"q": "zed"}).json()["names"]) == 8


def test_another_clubs_register_is_not_asked() -> None:
    visitor, address = at_contestants()
    Player.objects.create(club=a_club("Club B"), given_name="Bea", family_name="Elsewhere")
    assert visitor.client.get(address, {"q": "elsewhere"}).json() == {"names": []}


class TestInABrowser:
    pytestmark = in_a_browser

    def test_a_name_is_taken_with_tab_or_a_finger_and_the_line_goes_on(self) -> None:
        visitor, address = at_contestants()
        said = {
            asked: visitor.client.get(address, {"q": asked}).json()
            for asked in ("an", "ana", "bo", "bob", "du", "dur")
        }

        def answer(route: Route) -> None:
            (asked,) = parse_qs(urlsplit(route.request.url).query).get("q", [""])
            route.fulfill(json=said.get(asked, {"names": []}))

        with chromium() as browser:
            page = page_of(browser)
            show(page, visitor.path, content_of(visitor.answer))
            page.route("**/names/**", answer)
            field = page.locator("textarea[name=contestants]")
            field.focus()
            page.keyboard.type("ana")
            expect(page.locator(".proposed button")).to_have_text(["Ana Durand", "Diana Durieux"])
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            expect(field).to_be_focused()
            expect(field).to_have_value("Ana Durand / ")
            page.keyboard.type("bob")
            page.get_by_role("button", name="Bob Petit (23)").click()
            expect(field).to_have_value("Ana Durand / Bob Petit (23)\n")
            page.keyboard.type("dur")
            expect(page.locator(".proposed button")).to_have_count(2)
            page.keyboard.press("Escape")
            expect(page.locator(".proposed button")).to_have_count(0)
