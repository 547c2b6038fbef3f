"""The few journeys that matter, in a real browser on a real service."""

import os
import signal
import uuid
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.frontend.browsers import MOVED, in_a_browser
from tests.running import PATIENCE, Service, answers, campaign, children_of, wait_until
from tournaments.management import robots

expect.set_options(timeout=PATIENCE * 1000)
pytestmark = in_a_browser


@pytest.fixture(scope="module")
def hall(service: Service) -> robots.Hall:
    """A finished evening of nine players."""
    hall = service.set_up(players=9, boards_per_round=1)
    for _ in robots.evening(hall, seconds=0, random=Random(1)):
        pass
    robots.finish(hall)
    return hall


def test_a_result_arrives_in_the_open_ranking_without_a_reload(service: Service, page: Page) -> None:
    """Enter a result, correct it, finish: the page follows."""
    hall = service.set_up(players=9, boards_per_round=1)
    with robots.client(hall.address, hall.organiser) as director:
        play = next(p for p in robots.pages(director, f"{robots.at(hall)}/plays/"))
    page.goto(f"{service.address}/en/sessions/{hall.session}/")
    expect(page.locator("live-ranking")).to_have_attribute("connection", "live")
    expect(page.locator(".empty")).to_be_visible()
    page.evaluate("window.before = 'still the same page'")
    first = play["seatings"][0]["contestant"]

    def hand_in(*tricks: int, reason: str = "") -> None:
        entry = {name: play[name] for name in ("section", "table", "board")} | {"key": str(uuid.uuid4())}
        token = hall.tables[play["section"], play["table"]]
        with robots.client(hall.address, token) as phone:
            sheet = {"sheet": {"outcome": "normal", "tricks": list(tricks)}, "reason": reason}
            robots.answer_of(phone.post(f"{robots.at(hall)}/submissions/", json=entry | sheet))

    first_table = play
    others = [p for p in all_plays(hall) if p["board"] == play["board"] and p["id"] != play["id"]]
    for one in (first_table, *others):
        play = one
        expect(page.locator(".empty")).to_be_visible()  # until the board is over
        hand_in(5, 3, 2)
    expect(page.locator("tbody tr")).to_have_count(9)
    row = page.locator("tbody tr", has_text=first)
    expect(row.locator(".score")).to_have_text("50.00")
    play = others[0]
    hand_in(3, 5, 2, reason="misread")  # another table's first seat does worse
    expect(row.locator(".score")).to_have_text("75.00")
    expect(row.locator(".rank")).to_have_text("2=")
    hand_in(5, 3, 2, reason="it was right")  # corrected: the same result
    expect(row.locator(".score")).to_have_text("50.00")
    assert page.evaluate("window.before") == "still the same page"
    with robots.client(hall.address, hall.organiser) as director:
        robots.answer_of(director.put(f"{robots.at(hall)}/state/", json={"state": "played", "confirm": True}))
    expect(page.locator(".status")).to_have_text("provisional ranking")
    expect(page.get_by_role("link", name="Boards and travellers")).to_be_visible()
    with robots.client(hall.address, hall.organiser) as director:  # the organiser corrects after the end
        entry = {name: play[name] for name in ("section", "table", "board")} | {"key": str(uuid.uuid4())}
        correction = entry | {"sheet": {"outcome": "fault", "offender": 1}, "reason": "Seen by all"}
        robots.answer_of(director.post(f"{robots.at(hall)}/submissions/", json=correction))
    expect(row.locator(".score")).to_have_text("75.00")


def all_plays(hall: robots.Hall) -> list[dict[str, Any]]:
    with robots.client(hall.address, hall.organiser) as director:
        return list(robots.pages(director, f"{robots.at(hall)}/plays/"))


@campaign
def test_a_page_that_lost_its_stream_catches_up(service: Service, tab: Page) -> None:
    hall = service.set_up(players=9, boards_per_round=1)
    tab.goto(f"{service.address}/fr/sessions/{hall.session}/")
    expect(tab.locator("live-ranking")).to_have_attribute("connection", "live")
    tab.context.set_offline(True)
    web = next(pid for pid, command in children_of(service.process.pid) if "uvicorn" in command)
    os.kill(web, signal.SIGKILL)
    expect(tab.locator("live-ranking")).to_have_attribute("connection", "waiting")
    wait_until(lambda: answers(service.address), what="the web server to be started again")
    for _ in robots.evening(hall, seconds=0, random=Random(2)):
        pass
    tab.context.set_offline(False)
    expect(tab.locator("tbody tr")).to_have_count(9)
    expect(tab.locator("tbody .boards").first).to_have_text("4")


@campaign
def test_an_open_page_says_that_the_ranking_has_been_withdrawn(service: Service, tab: Page) -> None:
    hall = service.set_up(players=9, boards_per_round=1)
    tab.goto(f"{service.address}/fr/sessions/{hall.session}/")
    expect(tab.locator("live-ranking")).to_have_attribute("connection", "live")
    with robots.client(hall.address, hall.organiser) as director:
        robots.answer_of(director.put(f"{robots.at(hall)}/publication/", json={"listed": False}))
    expect(tab.get_by_role("status")).to_have_text("Ce classement n’est plus public.")
    expect(tab.get_by_role("table")).to_have_count(0)
    expect(tab.locator(".empty")).to_be_hidden()


@campaign
def test_an_open_page_follows_a_job_to_its_end(service: Service, page: Page) -> None:
    hall = service.set_up(players=9, boards_per_round=1)
    stopped = service.workers()
    for pid in stopped:
        os.killpg(pid, signal.SIGSTOP)
    try:
        with robots.client(hall.address, hall.organiser) as director:
            session = robots.answer_of(director.get(f"{robots.at(hall)}/"))
            wish = {"name": "Soirée d’été", "game": "comon", "contestants": [f"J{n}" for n in range(9)]}
            wish["names_may_be_published"] = True
            made = director.post(f"/tournaments/{session['tournament']}/sessions/", json=wish)
            job = robots.answer_of(made)
        page.goto(f"{service.address}/fr/jobs/{job['id']}/")
        expect(page.get_by_role("status")).to_have_text("En attente…")
        page.evaluate("window.hereSinceTheStart = true")
    finally:
        for pid in stopped:
            os.killpg(pid, signal.SIGCONT)
    expect(page.get_by_role("status")).to_have_text("La séance est prête à être jouée.")
    expect(page.locator("progress")).to_have_count(0)
    assert page.evaluate("window.hereSinceTheStart")


@campaign
def test_lines_that_cannot_be_compared_get_a_table_each_while_people_watch(
    service: Service, page: Page
) -> None:
    hall = service.set_up(players=12, boards_per_round=1, movement="rainbow")
    page.goto(f"{service.address}/en/sessions/{hall.session}/")
    expect(page.locator("live-ranking")).to_have_attribute("connection", "live")
    expect(page.locator("live-ranking table")).to_have_count(1)  # of nobody yet, and not to be seen
    (play, *_) = all_plays(hall)
    with robots.client(hall.address, hall.tables[play["section"], play["table"]]) as phone:
        entry = {name: play[name] for name in ("section", "table", "board")} | {"key": str(uuid.uuid4())}
        sheet = {"outcome": "normal", "tricks": [5, 3, 2]}
        robots.answer_of(phone.post(f"{robots.at(hall)}/submissions/", json=entry | {"sheet": sheet}))
    with robots.client(hall.address, hall.organiser) as director:  # before that, the board is not over
        ends = {"state": "played", "confirm": True}
        robots.answer_of(director.put(f"{robots.at(hall)}/state/", json=ends, headers={"If-Match": "*"}))
    for line in ("Line 1", "Line 2", "Line 3"):
        table = page.get_by_role("table", name=line)
        expect(table.locator("tbody tr")).to_have_count(4)
        expect(table.locator("tbody tr").first.locator(".score")).to_have_text("50.00")


def test_from_the_ranking_to_a_traveller_to_a_replay_by_keyboard(
    service: Service, hall: robots.Hall, page: Page
) -> None:
    page.goto(f"{service.address}/fr/")
    page.locator(f'a[href="/fr/sessions/{hall.session}/"]').click()
    page.get_by_role("link", name="Étuis et feuilles ambulantes").click()
    page.locator(".numbers").get_by_role("link", name="1", exact=True).click()
    expect(page.get_by_role("heading", name="Étui 1")).to_be_visible()
    page.locator('.traveller a[href*="/boards/1/"]:not([href*="?"])').first.click()
    replay = page.locator("play-replay")
    output = page.locator("output")
    expect(output).to_have_text("0 sur 30")
    assert page.evaluate(MOVED) == [0, []], "nothing jumps when the script comes"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(output).to_have_text("2 sur 30")
    expect(page.locator(".playing .card")).to_have_count(2)
    page.keyboard.press("PageDown")
    expect(output).to_have_text("3 sur 30")
    expect(page.locator(".deal .hand .card")).to_have_count(27)
    page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    expect(output).to_have_text("3 sur 30")
    page.keyboard.press("End")
    expect(page.locator(".deal .hand .card")).to_have_count(0)
    taken = [int(text) for text in page.locator(".felt .taken").all_inner_texts()]
    assert sum(taken) == 10
    page.keyboard.press("ArrowRight")  # nothing beyond the end
    expect(output).to_have_text("30 sur 30")
    page.get_by_role("button", name="Revenir au début").click()
    expect(replay).to_have_attribute("step", "0")
    expect(page.locator(".deal .hand .card")).to_have_count(30)
    for start, end, step in (
        (300, 200, 1),
        (300, 180, 2),
        (200, 320, 1),
        (300, 280, 1),
    ):  # the last too short
        swipe(page, start, end)
        expect(replay).to_have_attribute("step", str(step))
    root = page.locator("html")
    page.get_by_role("button", name="Couleurs : quatre teintes").click()
    expect(root).to_have_attribute("data-suits", "four")
    page.reload()
    expect(root).to_have_attribute("data-suits", "four")
    page.get_by_role("button", name="Couleurs : deux teintes").click()
    expect(root).not_to_have_attribute("data-suits", "four")
    for language in ("en", "fr"):  # what is chosen last is kept, whatever the browser asks for
        page.locator(f'.languages a[hreflang="{language}"]').click()
        expect(root).to_have_attribute("lang", language)
        page.goto(f"{service.address}/")
        expect(root).to_have_attribute("lang", language)


def swipe(page: Page, start: int, end: int) -> None:
    """A finger that moves over the cards of a replay, from one x to another."""
    page.locator("play-replay .felt").evaluate(
        """(felt, [start, end]) => {
          const touch = x => [new Touch({ identifier: 1, target: felt, clientX: x, clientY: 200 })]
          const send = (name, touches, changed) =>
            felt.dispatchEvent(new TouchEvent(name, { touches, changedTouches: changed }))
          send("touchstart", touch(start), touch(start))
          send("touchend", [], touch(end))
        }""",
        [start, end],
    )
