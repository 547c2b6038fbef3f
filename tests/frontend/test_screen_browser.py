"""The projector in a browser: what stands on it is whole, however much there is."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page

from tests.frontend.browsers import CHROMIUM, chromium, page_of
from tests.frontend.test_every_page import content_of, show
from tests.running import campaign
from tests.tournaments.worlds import a_session
from tournaments.models import Round, Table
from tournaments.services import rounds

TABLES = """() => [...document.querySelectorAll("[data-table]")]
    .filter(one => one.checkVisibility())
    .map(one => [one.querySelector(".rank").textContent, one.getBoundingClientRect().bottom])"""
WHOLE = """() => {
    const foot = document.querySelector("footer").getBoundingClientRect().top
    const shown = [...document.querySelectorAll("[data-table]")].filter(one => one.checkVisibility())
    return shown.every(one => one.getBoundingClientRect().bottom <= foot)
}"""
FOOT = """() => document.querySelector("footer").getBoundingClientRect().top"""


@campaign
@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")
@pytest.mark.django_db
def test_the_screen_turns_to_every_table_and_cuts_none_off() -> None:
    """More tables than there is room for, and a clock that has run over by twenty minutes."""
    session = a_session(players=15, movement="kirkman", published=True)
    rounds.pace(session=session, actor=None, pace=rounds.Pace(duration=1500))
    rounds.open_round(session=session, actor=None, number=1)
    late = timezone.now() - timedelta(minutes=20)
    Round.objects.filter(session=session, number=1).update(ends_at=late)
    own = Table.objects.filter(section__session=session)
    tables = {str(number) for number in own.values_list("number", flat=True)}
    address = reverse("screen-page", args=[session.pk])
    html = content_of(Client().get(address))
    with chromium() as browser:  # beside which nothing is asked of the database
        page = page_of(browser, viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
        show(page, address, html)
        page.locator("round-clock.late").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert seen_in_turn(page) == tables
        page.set_viewport_size({"width": 1300, "height": 1080})  # smaller type, and room for every table
        page.wait_for_function("document.querySelectorAll('[data-table][hidden]').length === 0")
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.wait_for_function(WHOLE)
        assert seen_in_turn(page) == tables


def seen_in_turn(page: Page) -> set[str]:
    """The tables that are shown, page after page; each is whole, and above what stands beneath."""
    seen: set[str] = set()
    for _ in range(4):
        shown = page.evaluate(TABLES)
        assert 0 < len(shown) < 5, "they stand on several pages"
        assert max(bottom for _table, bottom in shown) <= page.evaluate(FOOT)
        seen |= {table for table, _bottom in shown}
        page.keyboard.press("ArrowRight")
    return seen
