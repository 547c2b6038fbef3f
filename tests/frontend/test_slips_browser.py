"""The quick line in a browser: what is wrong is said once, and what its contract asks stands below."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Route, expect

from tests.frontend.browsers import chromium, in_a_browser, page_of
from tests.frontend.test_every_page import content_of, show
from tests.frontend.test_grid import a_running_world, an_official
from tests.frontend.test_grid import page_of as page_of_board
from tests.frontend.test_slips import at_slips, place
from tests.tournaments.worlds import a_session, plays_of

pytestmark = [*in_a_browser, pytest.mark.django_db]

UPPERMOST = """one => {
  const { x, y, width, height } = one.getBoundingClientRect()
  return document.elementFromPoint(x + width / 2, y + height / 2) === one
}"""


def test_a_mistake_is_said_once_and_the_contract_says_what_it_asks() -> None:
    session = a_session(game="hombre")
    visitor = at_slips(session)
    play = plays_of(session)[0]
    refused = visitor.press("Enter", line=f"{place(play)} prendre x").answer
    assert refused.status_code == 400
    answers = hints(
        visitor.client, session.pk, [f"{place(play)} prendre {rest}" for rest in ("x", "xy", "1")]
    )
    with chromium() as browser:
        page = page_of(browser)
        show(page, visitor.path, content_of(refused))
        page.route("**/hint/**", lambda route: answer(route, answers))
        line, said = page.locator("[name=line]"), page.get_by_text("must be a seat from 1 to 3")
        expect(line).to_be_focused()
        expect(said).to_have_count(1)
        assert page.evaluate("getSelection().toString()") == line.input_value(), "typed over by the next slip"
        expect(page.locator("quick-line output .who")).to_contain_text("1 Joueur")
        line.press("End")
        line.press_sequentially("y")
        expect(page.locator("quick-line output.wrong")).to_be_visible()
        expect(said).to_have_count(1)
        page.unroute("**/hint/**")  # nobody answers
        page.route("**/hint/**", lambda route: route.abort())
        line.press_sequentially("z")
        expect(page.get_by_text("No connection: trying again")).to_be_visible()
        page.unroute("**/hint/**")
        page.route("**/hint/**", lambda route: answer(route, answers))
        line.fill(f"{place(play)} prendre 1")
        expect(page.locator(".order")).to_have_text(
            "Contract · Hombre · Tricks · Matadors of the seat that takes the pot (if there are any)"
        )


def test_a_slip_that_is_missing_begins_a_line_where_one_types() -> None:
    session = a_session()
    visitor = at_slips(session)
    line = place(plays_of(session)[0]).removeprefix("A") + " "
    answers = hints(visitor.client, session.pk, [line, f"{line}5", f"{line}532"])
    with chromium() as browser:
        page = page_of(browser)
        show(page, visitor.path, content_of(visitor.answer))
        page.route("**/hint/**", lambda route: answer(route, answers))
        page.evaluate("window.stayed = true")
        page.locator(".slipsleft a").first.click()
        field = page.locator("[name=line]")
        expect(field).to_be_focused()
        expect(field).to_have_value(line)
        expect(page.locator("quick-line output")).to_contain_text("Next: Tricks, in the order")
        field.press("5")
        expect(page.locator("quick-line output")).to_contain_text("Next: Tricks, ")
        expect(page.locator("quick-line output.wrong")).to_have_count(0)
        field.press_sequentially("32")
        expect(page.locator("quick-line output.whole")).to_be_visible()
        assert page.evaluate("window.stayed"), "without another page"


def test_the_next_slip_types_over_one_that_asks_and_its_answer_is_in_sight() -> None:
    world, plays = a_running_world()
    visitor = at_slips(world.session)
    asked = visitor.press("Enter", line=f"{place(plays[0])} 4 4 2").answer
    with chromium() as browser:
        page = page_of(browser, viewport={"width": 390, "height": 844})
        show(page, visitor.path, content_of(asked))
        line = page.locator("[name=line]")
        expect(line).to_be_focused()
        assert page.evaluate("getSelection().toString()") == line.input_value()
        for words in ("The paper slip counts", "What stands there counts"):
            expect(page.get_by_role("button", name=words)).to_be_in_viewport(ratio=1)


def test_what_is_unfolded_in_a_ruling_is_not_covered_by_the_buttons_at_its_foot() -> None:
    world, plays = a_running_world()
    visitor = an_official(world.session, "Dora").open(page_of_board(plays[0]))
    looked = visitor.press("Show what it changes", score_0="+2").answer
    with chromium() as browser:
        page = page_of(browser, viewport={"width": 1280, "height": 800})
        show(page, visitor.path, content_of(looked))
        page.get_by_text("Decide otherwise").click()
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        for number in range(3):
            score = page.locator(f"[name=score_{number}]")
            expect(score).to_be_in_viewport(ratio=1)
            assert score.evaluate(UPPERMOST), number


def hints(client: Client, session: int, lines: list[str]) -> dict[str, bytes]:
    address = reverse("desk-slip-hint", args=[session])
    return {line: client.get(address, {"line": line}).content for line in lines}


def answer(route: Route, answers: dict[str, bytes]) -> None:
    """What the service says of a line, asked beforehand: a browser's thread reaches no test database."""
    line = parse_qs(urlsplit(route.request.url).query)["line"][0]
    route.fulfill(body=answers[line], content_type="application/json")
