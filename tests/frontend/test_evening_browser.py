"""The page of an evening that is played, in a browser: it follows the evening under a director’s hands."""

from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from tests.frontend.browsers import chromium, in_a_browser, page_of
from tests.frontend.test_desk import Visitor
from tests.frontend.test_every_page import content_of, show
from tests.frontend.test_grid import an_official
from tests.tournaments.worlds import World, a_session, a_world, plays_of, table_hands_in, work
from tournaments.models import Account, Round, Session
from tournaments.services import calls, rounds, tokens

pytestmark = [*in_a_browser, pytest.mark.django_db]

SECONDS = 1000
RINGS = """window.rung = []
window.OscillatorNode = class extends OscillatorNode {
  constructor(audio, asked) { super(audio, asked); window.rung.push(asked.frequency) }
}"""
FIELD = '<div class="actions"><input aria-label="Why?" value="">'


@dataclass
class Followed:
    """What the service says of an evening to a page that follows it; `asked`: where, each time."""

    html: str
    stamp: int = 1
    asked: list[str] = field(default_factory=list)

    def change(self, html: str) -> None:
        self.html, self.stamp = html, self.stamp + 1

    def open(self, page: Page, address: str) -> None:
        show(page, address, self.html)
        page.route("**/news/", self.tell)
        page.route(f"http://localhost{address}", self.answer)

    def tell(self, route: Route) -> None:
        self.asked.append(route.request.url)
        route.fulfill(json={"stamp": self.stamp, "calling": []})

    def answer(self, route: Route) -> None:
        route.fulfill(body=self.html, content_type="text/html; charset=utf-8")

    def ask(self, page: Page, times: int = 3) -> None:
        """Until the page has asked so often again."""
        before = len(self.asked)
        while len(self.asked) < before + times:
            page.wait_for_timeout(100)


def a_round(*, left: timedelta = timedelta(minutes=20)) -> tuple[World, Visitor]:
    """Round one, open under a clock."""
    world = a_world()
    tokens.issue_for_tables(session=world.session, actor=world.organiser)
    rounds.pace(session=world.session, actor=None, pace=rounds.Pace(duration=1500, warning=120))
    rounds.open_round(session=world.session, actor=None, number=1)
    Round.objects.filter(session=world.session, number=1).update(ends_at=timezone.now() + left)
    return world, an_official(world.session, "Dora")


def told(visitor: Visitor, session: Session) -> str:
    return content_of(visitor.open(reverse("session-desk", args=[session.pk])).answer)


def test_the_page_goes_on_under_a_button_that_was_pressed_and_keeps_what_is_typed() -> None:
    world, visitor = a_round()
    pages = [told(visitor, world.session)]
    for play in plays_of(world.session)[:2]:
        table_hands_in(world, play)
        work(world.session)
        pages.append(told(visitor, world.session))
    dora = Account.objects.get(name="Dora")
    calls.announce(session=world.session, actor=dora, text="Coffee is ready.")
    pages.append(told(visitor, world.session))
    evening = Followed(pages[0])
    with chromium() as browser:
        page = page_of(browser)
        evening.open(page, visitor.path)
        band, bell = page.locator(".evening"), page.locator("round-bell button")
        expect(band).to_contain_text("Round 1: 0 results of 3")
        evening.ask(page, 1)
        bell.click()
        expect(bell).to_have_text("Silence the bell")
        evening.change(pages[1])
        expect(band).to_contain_text("Round 1: 1 result of 3")
        expect(bell).to_be_focused()
        cell = page.locator(".grid .state").nth(2)
        cell.focus()
        evening.change(pages[2])
        expect(band).to_contain_text("Round 1: 2 results of 3")
        expect(cell).to_be_focused()

        evening.change(pages[2].replace('<div class="actions">', FIELD, 1))
        typed = page.get_by_label("Why?")
        typed.press_sequentially("A card fe")
        evening.change(pages[3].replace('<div class="actions">', FIELD, 1))
        evening.ask(page)
        typed.press_sequentially("ll")
        bell.focus()
        evening.ask(page)
        expect(typed).to_have_value("A card fell")
        expect(band).not_to_contain_text("Coffee is ready.")
        typed.fill("")
        bell.focus()
        expect(band).to_contain_text("Coffee is ready.")


def test_the_bell_rings_at_the_end_also_where_the_band_was_shown_anew_that_moment() -> None:
    world, visitor = a_round(left=timedelta(seconds=130))
    session = world.session
    html = told(visitor, session)
    ends = Round.objects.get(session=session, number=1).ends_at
    assert ends is not None
    with chromium() as browser:
        page = page_of(browser)
        page.add_init_script(RINGS)
        page.clock.install(time=ends - timedelta(seconds=190))
        Followed(html).open(page, visitor.path)
        page.clock.pause_at(ends - timedelta(seconds=130.4))
        page.evaluate("document.querySelector('.evening').innerHTML += ''")  # which listens from now on
        page.get_by_role("button", name="Ring the bell").click()
        rung: list[list[int]] = []
        for seconds in (9, 2, 118):
            page.evaluate("window.rung = []")
            page.clock.run_for(seconds * SECONDS)
            rung.append(page.evaluate("rung"))
        assert rung == [[], [660], []]
        expect(page.locator(".evening round-clock")).to_have_text("0:01")
        page.clock.run_for(950)  # it has not listened since
        page.evaluate("document.querySelector('.evening').innerHTML += ''")
        page.clock.run_for(3 * SECONDS)
        assert page.evaluate("rung") == [660, 880, 660], "once"


def test_the_clock_fills_the_screen_and_goes_on_there() -> None:
    world, visitor = a_round()
    html = told(visitor, world.session)
    table_hands_in(world, plays_of(world.session)[0])
    work(world.session)
    evening = Followed(html)
    with chromium() as browser:
        page = page_of(browser)
        evening.open(page, visitor.path)
        page.get_by_role("button", name="Full screen", exact=True).click()
        back = page.locator(".evening").get_by_role("button", name="Leave the full screen").first
        expect(back).to_be_visible()
        assert page.evaluate("document.fullscreenElement.className").split()[-1] == "evening"
        evening.ask(page, 1)
        evening.change(html.replace("Round 1: 0 results of 3", "Round 1: 1 result of 3"))
        expect(page.locator(".evening")).to_contain_text("Round 1: 1 result of 3")
        back.click()
        expect(page.get_by_role("button", name="Full screen", exact=True)).to_be_visible()
        assert page.evaluate("document.fullscreenElement") is None


def test_a_notice_offers_to_undo_for_ten_seconds_and_the_page_from_then_on() -> None:
    session = a_session(custody="none")
    visitor = an_official(session, "Dora").open(reverse("session-desk", args=[session.pk]))
    visitor.press("Start")
    assert "<undo-offer>" in visitor.text
    with chromium() as browser:
        page = page_of(browser)
        page.clock.install()
        show(page, visitor.path, content_of(visitor.answer))
        page.evaluate("window.sent = document.body.innerHTML")
        page.clock.pause_at(timezone.now() + timedelta(minutes=1))
        page.evaluate("document.body.innerHTML = sent")  # offered from now on
        offer, later = page.locator("undo-offer button"), page.locator("#undo")
        page.clock.run_for(9_900)
        expect(offer).to_be_visible()
        expect(later).not_to_be_visible()
        page.clock.run_for(200)
        expect(offer).to_have_count(0)
        expect(later.get_by_role("button")).to_be_visible()
        page.evaluate("document.body.innerHTML = sent")
        offer.focus()
        page.clock.run_for(30_000)
        expect(offer).to_be_visible()
        page.locator("h1").click()
        page.clock.run_for(10_100)
        expect(offer).to_have_count(0)


SMALL = """least => {
  const grid = document.querySelector("evening-grid")
  const texts = document.createTreeWalker(grid, NodeFilter.SHOW_TEXT)
  const read = { texts: [], small: [], broken: [], wide: grid.scrollWidth - grid.clientWidth }
  while (texts.nextNode()) {
    const { textContent: text, parentElement: at } = texts.currentNode
    if (!text.trim() || at.closest("whole-screen, .unseen") || !at.checkVisibility()) continue
    read.texts.push(text.trim())
    const size = parseFloat(getComputedStyle(at).fontSize)
    if (size < least) read.small.push(`${size}: ${text.trim()}`)
    const lines = document.createRange()
    lines.selectNode(texts.currentNode)
    if (lines.getClientRects().length > 1) read.broken.push(text.trim())
  }
  return read
}"""


def test_the_grid_on_the_full_screen_is_read_from_two_metres() -> None:
    """At two metres 28 pixels, of 96 to the inch, are a fifth of a degree high."""
    world, visitor = a_round()
    session = world.session
    first = plays_of(session)[0]
    table_hands_in(world, first)
    work(session)
    rounds.close_round(session=session, actor=None, number=1)
    Round.objects.filter(session=session, number=1).update(
        closed_at=timezone.now() - timedelta(minutes=2, seconds=5), settled_at=timezone.now()
    )
    rounds.open_round(session=session, actor=None, number=2)
    Round.objects.filter(session=session, number=2).update(ends_at=timezone.now() + timedelta(minutes=9))
    html = told(visitor, session)
    names = {member.player.name for member in session.members.select_related("player")}
    with chromium() as browser:
        page = page_of(browser)
        for width, height, least in ((1280, 800, 28), (1920, 1080, 35)):
            page.set_viewport_size({"width": width, "height": height})
            Followed(html).open(page, visitor.path)
            page.get_by_role("button", name="The grid, full screen").first.click()
            expect(page.locator("#grid").get_by_role("button", name="Leave the full screen")).to_be_visible()
            read = page.evaluate(SMALL, least)
            assert (read["small"], read["broken"]) == ([], [])
            assert read["wide"] <= 0, "nothing leaves the screen"
            assert names <= set(read["texts"])
            assert {"expected", "Round 2", "Round 2 of 4"} <= set(read["texts"])
            assert "Round 3" not in " ".join(read["texts"]), "what is calm is left out"
            page.keyboard.press("Escape")
            page.evaluate("document.fullscreenElement ? document.exitFullscreen() : null")
