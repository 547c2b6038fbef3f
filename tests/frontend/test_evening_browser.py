"""A Tuesday of thirteen at L'Hombre, directed in two windows at once."""

import re
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.frontend.browsers import in_a_browser, page_of, troubles_of
from tests.running import Service, campaign, wait_until

from .test_people_browser import a_session, fresh, join

pytestmark = in_a_browser
__all__ = ["fresh"]


@pytest.fixture
def window(browser: Browser, fresh: Service) -> Iterator[Callable[[], Page]]:
    windows: list[Page] = []

    def new() -> Page:
        known = windows[0].context.storage_state() if windows else None
        size = {"width": 1280, "height": 900}
        windows.append(page_of(browser, viewport=size, locale="en-GB", storage_state=known))
        windows[-1].goto(f"http://localhost:{fresh.port}/")
        return windows[-1]

    yield new
    for page in windows:
        page.close()


expect.set_options(timeout=9_000)


@campaign
def test_a_tuesday_of_thirteen_is_directed_in_two_windows(fresh: Service, window: Callable[[], Page]) -> None:
    said = wait_until(
        lambda: re.search(r"http://\S+/invitations/link/\S+", fresh.log.read_text()), what="the link"
    )
    ana = window()
    with troubles_of(ana) as troubles:
        join(ana, said[0].replace("127.0.0.1", "localhost"), "Ana")
        ana.get_by_role("link", name="Make a club").click()
        ana.get_by_label("Name of the club").fill("Club de Nantes")
        ana.get_by_role("button", name="Make the club").click()
        ana.goto(re.sub(r"(/en/).*", r"\1desk/", ana.url))
        a_session(ana)
        desk = ana.url
        ana.get_by_role("button", name="Start").click()
        expect(ana.get_by_role("button", name="Undo")).to_be_visible()
        bea = window()
        bea.goto(desk)
        ana.get_by_role("link", name="Enter slips").click()
        line = ana.get_by_label("The slip, in a line")
        expect(line).to_be_focused()
        ana.keyboard.type("1 ")
        slip = str(ana.locator(".slipsleft a").first.inner_text())
        line.fill("")
        ana.keyboard.type(f"{slip} prendre 1 5-2-2 1")
        expect(ana.locator("quick-line output.whole")).to_be_visible()
        ana.keyboard.press("Enter")
        expect(ana.get_by_text("is entered.")).to_be_visible()
        began = time.monotonic()
        expect(bea.locator(".mark [data-state=confirmed]").first).to_be_visible(timeout=5_000)
        arrived = time.monotonic() - began
        assert arrived < 5, "the other window follows; 0.5 s where nothing else runs"
        ana.goto(desk)
        ana.get_by_text("Other steps").click()
        ana.get_by_role("button", name="Finish").first.click()
        ana.get_by_role("button", name="Finish without them").click()
        expect(ana.get_by_text("The session has been played.")).to_be_visible()
        ana.get_by_role("button", name="Undo").click()
        expect(ana.get_by_text("It has been undone.")).to_be_visible()
        bea.goto(desk)
        bea.get_by_role("link", name="Not as planned").click()
        bea.get_by_role("link", name="Who is here").click()
        bea.get_by_label("Come late").fill("Zoé Petit")
        bea.get_by_role("button", name="Show what it costs").click()
        expect(bea.get_by_role("button", name="Plan it so")).to_be_visible(timeout=30_000)
        bea.get_by_role("button", name="Plan it so").click()
        expect(bea.get_by_text("The rest is planned again.")).to_be_visible(timeout=30_000)
        bea.get_by_role("button", name="Undo").click()
        expect(bea.get_by_text("It has been undone.")).to_be_visible()
    told = ("/run/finish/", "409")  # the question whether to finish without what is missing
    assert [one for one in troubles if not any(words in one for words in told)] == []
