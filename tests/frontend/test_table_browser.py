"""The phones at a table, in a real browser on a real service: at 360 and 390 px, by touch."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from engines import bots, registry
from engines.contract import Game, with_defaults
from engines.errors import EngineError
from tests.engines import taps
from tests.engines.test_conformance import GAMES, RandomBoard
from tests.engines.test_forms import SEND
from tests.frontend.browsers import barriers, in_a_browser, page_of
from tests.frontend.phones import Finger
from tests.frontend.playing import PADS, a_record, in_tapping_order
from tests.frontend.test_play_pad import TAP
from tests.running import PATIENCE, Service, wait_until
from tests.tournaments.test_logos import a_picture
from tournaments.management import robots

expect.set_options(timeout=PATIENCE * 1000)
pytestmark = in_a_browser
SIZES = ({"width": 360, "height": 640}, {"width": 390, "height": 844})
WIRE = 50_000
FINGER = 40  # pixels that a key is wide at least, on the narrowest phone


def an_evening(service: Service, game: Game[Any], **more: Any) -> tuple[robots.Hall, dict[int, str]]:
    """A session of a game with its smallest field; the addresses of its tables' pages, by their numbers."""
    service.organiser = service.organiser or service.manage("token", "organiser", "Test").strip()
    movement, count = FIELDS[game.seats[0]]
    session = {
        **{"name": "Soir", "game": game.id, "names_may_be_published": True, "boards_per_round": 1},
        **{"contestants": [f"{name} Roux" for name in NAMES[:count]], "movement": movement},
    }
    hall = robots.set_up(service.address, service.organiser, tournament="Essai", session=session | more)
    with robots.client(hall.address, hall.organiser) as director:
        links = robots.answer_of(director.post(f"{robots.at(hall)}/table-links/", json={}))
    return hall, {one["table"]: f"{service.address}{one['path']}" for one in links}


FIELDS = {2: ("round-robin", 4), 3: ("kirkman", 9), 4: ("mitchell", 8)}  # by the seats of a table
NAMES = ("Anna", "Bruno", "Chloé", "David", "Ève", "Félix", "Gaspard", "Hana", "Irénée")


def plays_at(hall: robots.Hall, table: int) -> list[dict[str, Any]]:
    with robots.client(hall.address, hall.organiser) as director:
        plays = [one for one in robots.pages(director, f"{robots.at(hall)}/plays/") if one["table"] == table]
    return sorted(plays, key=lambda one: (one["round"], one["board"]))


@contextmanager
def a_phone(browser: Browser, address: str, size: int = 0, **options: Any) -> Iterator[Page]:
    page = page_of(browser, viewport=SIZES[size], has_touch=True, is_mobile=True, locale="fr-FR", **options)
    page.goto(address)
    expect(page.locator("table-page")).to_be_visible()
    yield page
    page.context.close()


def opened(page: Page, board: int) -> Finger:
    """The entry of a board, by the address that its link leads to, once the one before has closed."""
    expect(page.locator("result-entry")).to_have_count(0)
    page.evaluate("board => { location.hash = `board-${board}` }", board)
    expect(page.locator("result-entry .send")).to_be_visible()
    return Finger(page)


def entered(page: Page, board: int, state: str) -> None:
    expect(page.locator(f'.board[data-board="{board}"]')).to_have_attribute("data-state", state)


phones = pytest.mark.phones
COMON = registry.game("comon")
NAMELESS = """() => [...document.querySelectorAll("a, button, input:not([type=hidden]), summary, select")]
  .filter((one) => one.checkVisibility())
  .filter((one) => !(one.getAttribute("aria-label") ?? (one.labels?.[0] ?? one).textContent).trim())
  .map((one) => one.outerHTML)"""


def belongs_to(phone: Page, seat: int) -> None:
    """Somebody says whose phone it is."""
    finger = Finger(phone)
    finger.tap(phone.locator(".whose > summary"))
    finger.tap(phone.locator(f'.whose [data-seat="{seat}"]:not([data-name])'))


def sends(phone: Page, board: int, tricks: list[int], *, again: bool = False) -> None:
    finger = opened(phone, board)
    finger.enter({"tricks": tricks}, again=again)
    finger.send()


def boards_of(hall: robots.Hall) -> list[int]:
    return [one["board"] for one in plays_at(hall, 1)]


def handed_in(hall: robots.Hall) -> list[dict[str, Any]]:
    with robots.client(hall.address, hall.organiser) as director:
        return list(robots.pages(director, f"{robots.at(hall)}/submissions/"))


@phones
def test_two_phones_of_a_table_agree_and_disagree(service: Service, browser: Browser) -> None:
    hall, tables = an_evening(service, COMON)
    first, second, *_others = boards_of(hall)
    with a_phone(browser, tables[1]) as one, a_phone(browser, tables[1], 1) as other:
        belongs_to(one, 1)
        belongs_to(other, 2)
        Finger(one).tap(one.get_by_role("button", name="Nous sommes assis"))
        assert one.evaluate(NAMELESS) == []
        opened(one, first)
        assert barriers(one) == []
        one.go_back()
        sends(one, first, [5, 3, 2])
        entered(one, first, "entered")
        entered(other, first, "entered")  # the stream of the page says so
        expect(one.locator(".agree [name=seat]:visible")).to_have_count(0)  # not with one's own
        assert other.evaluate(NAMELESS) == []
        Finger(other).tap(other.locator(".agree [name=seat]:visible"))
        entered(other, first, "confirmed")
        sends(one, second, [5, 3, 2])
        entered(one, second, "entered")
        belongs_to(other, 2)  # somebody else sits there now
        entered(other, second, "entered")
        opened(other, second)
        expect(other.locator("result-entry .line")).to_contain_text("c’était autrement")
        expect(other.locator("result-entry .send")).to_have_attribute(
            "aria-disabled", "true"
        )  # it is the same
        other.go_back()
        sends(other, second, [4, 4, 2], again=True)
        entered(other, second, "disputed")
        expect(one.locator(f'.board[data-board="{second}"] .says')).to_have_count(2)
        expect(one.locator("[data-take]:visible")).to_have_attribute("data-take", "opposing")
        Finger(other).tap(other.locator("[data-take=counting]:visible"))  # after all
        entered(one, second, "confirmed")
        with robots.client(hall.address, hall.organiser) as director:
            robots.answer_of(
                director.post(f"{robots.at(hall)}/announcements/", json={"text": "Pause à 21 h"})
            )
        expect(one.locator(".announced")).to_contain_text("Pause à 21 h")


@phones
def test_on_a_phone_for_all_whoever_agrees_taps_their_name(service: Service, browser: Browser) -> None:
    """As a phone is that nobody has called theirs, beside one whose seat has sent the result."""
    hall, tables = an_evening(service, COMON)
    first = boards_of(hall)[0]
    with a_phone(browser, tables[1]) as one, a_phone(browser, tables[1], 1) as shared:
        belongs_to(one, 1)
        sends(one, first, [5, 3, 2])
        entered(shared, first, "entered")
        expect(shared.locator(".agree [name=seat]:visible")).to_have_count(2)
        Finger(shared).tap(shared.locator(".agree [name=seat]:visible").first)
        entered(one, first, "confirmed")


@phones
def test_what_a_second_phone_for_all_has_replaced_is_told_and_put_back(
    service: Service, browser: Browser
) -> None:
    hall, tables = an_evening(service, COMON)
    first = boards_of(hall)[0]
    five, four = re.compile(r" 5, .* 3, .* 2\."), re.compile(r" 4, .* 4, .* 2\.")
    with a_phone(browser, tables[1]) as one, a_phone(browser, tables[1], 1) as other:
        sends(one, first, [5, 3, 2])
        entered(other, first, "entered")
        expect(other.locator(".board.entered [data-take]:visible")).to_have_count(0)
        sends(other, first, [4, 4, 2], again=True)
        for phone in one, other:
            expect(phone.locator(".board.entered .changed")).to_contain_text(five)
            expect(phone.locator(".board.entered .says")).to_contain_text(four)
        Finger(one).tap(one.locator("[data-take=before]:visible"))
        expect(one.locator(".board.entered .says")).to_contain_text(five)
        expect(other.locator(".board.entered .changed")).to_contain_text(four)
        entered(other, first, "entered")  # nobody has agreed by putting it back


@phones
@pytest.mark.parametrize("version", ["counting", "opposing"])
def test_those_who_disagreed_have_agreed_once_they_say_so_on_the_phone_for_all(
    service: Service, browser: Browser, version: str
) -> None:
    hall, tables = an_evening(service, COMON)
    first = boards_of(hall)[0]
    with a_phone(browser, tables[1]) as one, a_phone(browser, tables[1], 1) as shared:
        belongs_to(one, 1)
        sends(one, first, [5, 3, 2])
        entered(shared, first, "entered")
        sends(shared, first, [4, 4, 2], again=True)
        entered(shared, first, "disputed")
        Finger(shared).tap(shared.locator(f"[data-take={version}]:visible"))
        entered(shared, first, "confirmed")
        entered(one, first, "confirmed")


@phones
def test_what_is_sent_twice_or_at_once_counts_once(service: Service, browser: Browser) -> None:
    """A double tap, the way back, and both phones of a table at the same moment."""
    hall, tables = an_evening(service, COMON)
    first, second, *_others = boards_of(hall)
    with a_phone(browser, tables[1]) as one, a_phone(browser, tables[1], 1) as other:
        opened(one, first).enter({"tricks": [5, 3, 2]})
        one.go_back()  # what was tapped so far is still there
        expect(one.locator("result-entry")).to_have_count(0)
        expect(one.locator(f'[data-board="{first}"] .mine')).to_contain_text("Commencé sur ce téléphone")
        expect(other.locator(f'[data-board="{first}"] .mine')).to_be_hidden()
        opened(one, first)
        expect(one.locator(".line .gain")).to_have_text("+½")
        assert one.evaluate(NAMELESS) == []
        one.evaluate("const send = document.querySelector('.send'); send.click(); send.click()")
        entered(one, first, "entered")
        assert len(handed_in(hall)) == 1
        fingers = []
        for phone in (one, other):
            fingers.append(opened(phone, second))
            fingers[-1].enter({"tricks": [2, 5, 3]})
        for finger in fingers:
            finger.send()
        for phone in (one, other):
            expect(phone.locator(f'[data-board="{second}"].entered')).to_be_visible()
            expect(phone.locator(".outbox")).to_be_hidden()
        assert [play["result"]["scores"] for play in plays_at(hall, 1)[:2]] == [[1, -2, 0], [0, 1, -2]]


@phones
def test_a_second_tap_on_send_opens_nothing_and_larger_keys_stay(service: Service, browser: Browser) -> None:
    """The next board's button lies where *Send* lay."""
    hall, tables = an_evening(service, COMON, boards_per_round=2)
    first, second = boards_of(hall)[:2]
    with a_phone(browser, tables[1]) as phone:
        Finger(phone).tap(phone.get_by_role("button", name="Nous sommes assis"))
        Finger(phone).tap(phone.locator(".keys-size"))
        belongs_to(phone, 1)
        assert phone.evaluate("document.documentElement.dataset.keys") == "large", "whosever the phone is"
        finger = opened(phone, first)
        finger.enter({"tricks": [5, 3, 2]})
        place = phone.locator(".send").bounding_box()
        assert place is not None
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        phone.touchscreen.tap(x, y)
        expect(phone.locator(".foot-bar [data-enter]")).to_have_attribute("data-enter", str(second))
        phone.touchscreen.tap(x, y)
        entered(phone, first, "entered")
        expect(phone.locator("result-entry")).to_have_count(0)
        assert len(handed_in(hall)) == 1


@phones
def test_two_quick_taps_on_one_place_answer_one_question(service: Service, browser: Browser) -> None:
    """The key of the next question lies where the finger trembles."""
    _hall, tables = an_evening(service, registry.game("hombre"))
    with a_phone(browser, tables[1]) as phone:
        opened(phone, 1)
        key = phone.locator("result-entry .asked .keys button:not([aria-disabled=true])").first
        box = key.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        phone.evaluate(
            """([clientX, clientY]) => { for (const _ of [1, 2]) document.elementFromPoint(clientX, clientY)
            .dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1, clientX, clientY })) }""",
            [x, y],
        )
        expect(phone.locator("result-entry .answers .answer")).to_have_count(1)


@phones
def test_a_phone_without_a_network_keeps_three_rounds(service: Service, browser: Browser) -> None:
    """From the second round to the fourth, the page opened anew meanwhile: a worker keeps it."""
    hall, tables = an_evening(service, COMON)
    boards = boards_of(hall)
    with a_phone(browser, tables[1]) as phone:
        sends(phone, boards[0], [5, 3, 2])
        expect(phone.locator(f'.boards [data-board="{boards[1]}"]')).to_be_visible()
        phone.evaluate("navigator.serviceWorker.ready")
        phone.wait_for_function(KEPT)
        phone.context.set_offline(True)
        phone.context.route(
            "**/results/", lambda route: route.abort()
        )  # a page opened anew is offline a moment late
        caller = phone.locator(".caller")  # the foot may be drawn anew under the first finger
        wait_until(
            lambda: caller.get_attribute("open") is not None or caller.locator("summary").tap(),
            what="the reasons of a call",
        )
        caller.locator("[name=reason]").first.tap()
        expect(phone.locator(".outbox")).to_contain_text("l’appel partira")
        for board in boards[1:4]:
            sends(phone, board, [2, 5, 3])
            expect(phone.locator(".outbox")).to_contain_text(f"Étui {board}")
        expect(phone.locator(f'[data-board="{boards[1]}"] .mine')).to_contain_text("Attend d’être envoyé")
        sends(phone, boards[1], [2, 3, 5], again=True)  # what is kept is mended, and counts once
        sends(phone, boards[1], [2, 5, 3], again=True)
        expect(phone.locator("result-entry")).to_have_count(0)  # it is kept
        phone.reload()
        expect(phone.locator(".outbox")).to_contain_text(f"Étui {boards[3]}")
        assert phone.evaluate(NAMELESS) == []
        assert [play["result"] for play in plays_at(hall, 1)[1:4]] == [None] * 3
        phone.context.unroute("**/results/")
        phone.context.set_offline(False)
        expect(phone.locator(".outbox")).to_be_hidden()
        what = "three results to be judged"
        wait_until(lambda: all(play["result"] for play in plays_at(hall, 1)[1:4]), what=what)
        assert [play["result"]["scores"] for play in plays_at(hall, 1)[1:4]] == [[0, 1, -2]] * 3
        sent = sorted(handed_in(hall), key=lambda one: one["id"])
        assert [one["board"] for one in sent] == boards[:4]
        with robots.client(hall.address, hall.organiser) as director:
            called = robots.answer_of(director.get(f"{robots.at(hall)}/calls/"))["results"]
        assert [one["table"] for one in called] == [1], "the call was kept as well"


@phones
def test_a_page_that_was_never_opened_says_so_without_a_network_and_leads_to_the_sheet(
    service: Service, browser: Browser
) -> None:
    hall, tables = an_evening(service, COMON)
    first = boards_of(hall)[0]
    with a_phone(browser, tables[1]) as phone:
        phone.evaluate("navigator.serviceWorker.ready")
        phone.wait_for_function(KEPT)
        phone.context.set_offline(True)
        phone.locator(f'[data-board="{first}"] .link', has_text="Carte par carte").tap()
        expect(phone.get_by_role("heading")).to_have_text("Pas de réseau")
        assert barriers(phone) == []
        phone.get_by_role("link").tap()
        expect(phone.locator("result-entry .send")).to_be_visible()
        finger = Finger(phone)
        finger.enter({"tricks": [5, 3, 2]})
        finger.send()
        expect(phone.locator(".outbox")).to_contain_text(f"Étui {first}")
        phone.context.set_offline(False)
        entered(phone, first, "entered")
        phone.context.set_offline(True)
        phone.goto(f"{phone.url.partition('#')[0]}photos/")
        assert phone.evaluate("document.styleSheets.length") == 1, "it is kept"
        phone.get_by_role("link").tap()
        expect(phone.locator(f'[data-board="{first}"]')).to_be_visible()


KEPT = """async () => {
  const cache = await caches.open("etui-table-2")
  const resources = performance.getEntriesByType("resource").map((one) => one.name)
  const loaded = resources.filter((one) => one.endsWith(".js"))
  const there = await Promise.all([location.href.split("#")[0], ...loaded].map((one) => cache.match(one)))
  return there.every(Boolean)
}"""


@phones
def test_what_could_not_be_sent_goes_without_being_told_that_the_network_is_back(
    service: Service, browser: Browser
) -> None:
    """A network that comes and goes tells a browser nothing: an answer is lost, and the page asks again."""
    hall, tables = an_evening(service, COMON)
    first = boards_of(hall)[0]
    with a_phone(browser, tables[1], service_workers="block") as phone:
        phone.route("**/results/", lambda route: route.abort(), times=1)
        sends(phone, first, [5, 3, 2])
        entered(phone, first, "entered")
        expect(phone.locator(".outbox")).to_be_hidden()
    assert plays_at(hall, 1)[0]["result"]["scores"] == [1, -2, 0]


class Plain:
    """The service at an address without a secure connection, as in a hall's own network. `is_cut`: nothing
    comes through."""

    ORIGIN = "http://hall.test"

    def __init__(self, service: Service) -> None:
        self.service, self.is_cut = service, False

    def __call__(self, route: Route) -> None:
        address = route.request.url.replace(self.ORIGIN, self.service.address)
        if self.is_cut or address.endswith("/live/"):  # a stream would be waited for until its end
            route.abort()
        else:
            route.fulfill(response=route.fetch(url=address))


@phones
def test_without_https_the_page_says_what_is_missing_and_keeps_what_is_entered(
    service: Service, browser: Browser
) -> None:
    hall, tables = an_evening(service, COMON)
    first, plain = boards_of(hall)[0], Plain(service)
    with a_phone(browser, tables[1]) as phone:
        expect(phone.locator(".keys-size")).to_be_visible()
        expect(phone.locator(".insecure")).to_be_hidden()
        phone.route(f"{plain.ORIGIN}/**", plain)
        phone.goto(tables[1].replace(service.address, plain.ORIGIN))
        assert phone.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]
        expect(phone.locator(".insecure")).to_contain_text("HTTPS")
        plain.is_cut = True
        sends(phone, first, [5, 3, 2])
        expect(phone.locator(".outbox")).to_contain_text(f"Étui {first}")
        expect(phone.locator(".outbox")).to_contain_text("connexion sécurisée")
        plain.is_cut = False
        phone.evaluate("dispatchEvent(new Event('online'))")
        entered(phone, first, "entered")
        expect(phone.locator(".outbox")).to_be_hidden()
        expect(phone.locator(".insecure")).to_be_visible()
    assert len(handed_in(hall)) == 1


@phones
def test_what_was_entered_ahead_goes_once_its_round_is_open(service: Service, browser: Browser) -> None:
    hall, tables = an_evening(service, COMON)
    first, second, *_others = boards_of(hall)
    with robots.client(hall.address, hall.organiser) as director:

        def put(path: str, body: dict[str, Any]) -> None:
            robots.answer_of(director.put(f"{robots.at(hall)}/{path}", json=body))

        put("clock/", {"duration": 45})
        with a_phone(browser, tables[1], service_workers="block") as phone:
            phone.evaluate("() => { navigator.vibrate = () => { window.buzzed = (window.buzzed ?? 0) + 1 } }")
            put("rounds/1/state/", {"state": "open"})
            expect(phone.locator("body > [role=status]")).to_have_text("Le tour 1 est ouvert\u202f: table 1.")
            assert phone.evaluate("window.buzzed") == 1
        with a_phone(browser, tables[1], service_workers="block") as phone:
            sends(phone, first, [5, 3, 2])
            entered(phone, first, "entered")
            sends(phone, second, [5, 3, 2])
            expect(phone.locator(".outbox")).to_contain_text(f"Étui {second}")
            put("rounds/1/state/", {"state": "closed"})
            put("rounds/2/state/", {"state": "open"})
            expect(phone.locator(".outbox")).to_be_hidden()
    wait_until(
        lambda: all(play["result"] for play in plays_at(hall, 1)[:2]), what="both results to be judged"
    )


@phones
def test_the_wrong_board_is_noticed_once(service: Service, browser: Browser) -> None:
    """What cannot have happened with these cards is asked about: the board's number may be another."""
    options = {"four_aces": "allow"}
    hall, tables = an_evening(service, COMON, options=options)
    with robots.client(hall.address, hall.organiser) as director:
        deals = {one["number"]: one["deal"] for one in robots.pages(director, f"{robots.at(hall)}/boards/")}
    board = boards_of(hall)[0]
    deal = COMON.read_deal(deals[board], options)
    claims = [CLAIM | {"claimer": seat} for seat in (1, 2, 3)]
    wrong = next(sheet for sheet in claims if is_refused(COMON, sheet, deal, options))
    with a_phone(browser, tables[1]) as phone:
        finger = opened(phone, board)
        finger.enter(wrong)
        finger.send()
        expect(phone.locator(".outbox [role=alert]")).to_contain_text("le numéro est-il le bon")
        Finger(phone).tap(phone.locator(".outbox button").first)  # once more: the director looks at it
        expect(phone.locator("result-entry .send")).to_have_attribute("aria-disabled", "false")
        phone.goto(tables[1])  # the page goes meanwhile: what was refused is still there
        expect(phone.locator(".outbox [role=alert]")).to_contain_text("le numéro est-il le bon")
        Finger(phone).tap(phone.locator(".outbox button").first)
        expect(phone.locator("result-entry .send")).to_have_attribute("aria-disabled", "false")
        Finger(phone).send()
        expect(phone.locator(f'[data-board="{board}"].entered')).to_be_visible()
        expect(phone.locator(".outbox")).to_be_hidden()


@phones
def test_nothing_moves_under_a_finger(service: Service, browser: Browser) -> None:
    """What the page has to say meanwhile waits until the finger has gone; its click is not lost."""
    options = {"four_aces": "allow"}
    hall, tables = an_evening(service, COMON, options=options)
    board = boards_of(hall)[0]
    with a_phone(browser, tables[1]) as phone:
        finger = opened(phone, board)
        finger.enter(CLAIM | {"claimer": 1})
        said = {"code": "such", "message": "So"}
        phone.route("**/results/", lambda route: route.fulfill(status=400, json=said))
        finger.send()
        expect(phone.locator(".outbox [role=alert]")).to_contain_text("So")
        phone.unroute("**/results/")
        assert phone.evaluate(UNDER_A_FINGER) is True
        expect(phone.locator("result-entry .send")).to_have_attribute("aria-disabled", "false")


UNDER_A_FINGER = """async () => {
  const key = document.querySelector(".outbox button")
  key.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }))
  dispatchEvent(new Event("offline"))
  const base = await new Promise((done) => {
    indexedDB.open("etui-table", 1).onsuccess = ({ target }) => done(target.result)
  })
  await new Promise((done) => {
    base.transaction("outbox").objectStore("outbox").getAll().onsuccess = () => setTimeout(done)
  })
  const isThere = key.isConnected
  key.click()
  return isThere
}"""


@phones
def test_a_defi_after_a_suite_has_its_key(service: Service, browser: Browser) -> None:
    """Beside other rare things; behind *Something else…* it stands for deals that are conceded."""
    game = registry.game("caisse")
    _hall, tables = an_evening(service, game)
    with a_phone(browser, tables[1]) as phone:
        finger = opened(phone, 1)
        finger.enter(dict(game.form.example) | {"defi": 1})
        told = phone.evaluate("document.querySelector('result-entry').sheet")
        assert (told["defi"], told["conceded_by"], told["suite"]["points"]) == (1, "none", 20)


@phones
def test_the_letter_on_the_wallet_is_tapped_before_sending(service: Service, browser: Browser) -> None:
    hall, tables = an_evening(service, COMON)
    board = boards_of(hall)[0]
    with robots.client(hall.address, hall.organiser) as director:
        (own,) = [
            one["letter"]
            for one in robots.pages(director, f"{robots.at(hall)}/boards/")
            if one["number"] == board
        ]
    with a_phone(browser, tables[1]) as phone:
        finger = opened(phone, board)
        finger.enter({"tricks": [5, 3, 2]})
        finger.tap(phone.locator("result-entry details.more summary").last)
        keys = phone.locator("result-entry details.more .chips button")
        finger.tap(keys.filter(has_not_text=own).first)
        finger.send()
        expect(phone.locator(".outbox [role=alert]")).to_contain_text("lettre")
        Finger(phone).tap(phone.locator(".outbox button").first)
        expect(phone.locator("result-entry .line")).to_contain_text("lettre")
        expect(phone.locator("result-entry .letter button:focus")).to_have_attribute("aria-pressed", "true")
        finger = Finger(phone)  # the letter stands there, to be another one
        finger.tap(keys.filter(has_text=own))
        finger.send()
        entered(phone, board, "entered")
        assert len(handed_in(hall)) == 1


CLAIM = {"outcome": "annulled", "granted": True}


def is_refused(game: Game[Any], sheet: dict[str, Any], deal: Any, options: dict[str, Any]) -> bool:
    try:
        game.score(sheet, deal=deal, options=options)
    except EngineError:
        return True
    return False


@phones
def test_a_phone_that_stays_on_the_table_is_no_longer_whose_it_was(
    service: Service, browser: Browser
) -> None:
    hall, tables = an_evening(service, COMON)
    boards = boards_of(hall)
    with a_phone(browser, tables[1]) as phone:
        names = [one.inner_text() for one in phone.locator(".hall .person").all()]
        belongs_to(phone, 2)
        expect(phone.locator(".whose .phone")).to_contain_text(names[1])
        sends(phone, boards[0], [5, 3, 2])
        entered(phone, boards[0], "entered")
        expect(phone.locator(".hall .person").nth(1)).not_to_have_text(names[1])
        expect(phone.locator(".whose .phone")).to_contain_text(names[1])  # who may still change it
        sends(phone, boards[1], [5, 3, 2])
        entered(phone, boards[1], "entered")
        expect(phone.locator(".whose .phone")).to_have_text("à tous")
        assert [one["seat"] for one in sorted(handed_in(hall), key=lambda one: one["id"])] == [2, None]


@phones
def test_an_old_link_delivers_what_was_entered(service: Service, browser: Browser) -> None:
    hall, tables = an_evening(service, COMON)
    board = boards_of(hall)[0]
    with a_phone(browser, tables[1]) as phone:
        finger = opened(phone, board)
        finger.enter({"tricks": [3, 5, 2]})
        with robots.client(hall.address, hall.organiser) as director:
            robots.answer_of(director.post(f"{robots.at(hall)}/table-links/", json={"table": 1}))
        finger.send()
        expect(phone.locator(".outbox")).to_contain_text("directeur")
        phone.reload()
        expect(phone.get_by_text("Ce lien n’est plus valable.")).to_be_visible()
        assert phone.evaluate(NAMELESS) == []


@phones
def test_a_board_is_taken_down_by_two_phones(service: Service, browser: Browser) -> None:
    """One begins, the other goes on, the first takes it up again and sends: the result is the engine's."""
    hall, tables = an_evening(service, COMON)
    board = boards_of(hall)[0]
    actions, turned, scores = a_play(hall, board)
    with a_phone(browser, tables[1]) as one, a_phone(browser, tables[1], 1) as other:
        belongs_to(one, 2)
        one.locator(f'[data-board="{board}"] .link').tap()
        finger = pad_on(one)
        began = monotonic()
        for suit in turned:
            finger.tap(one.locator(f'[data-turned="{suit}"]'))
        taken_down(finger, actions[:10])
        finger.tap(one.locator(".undo"))
        taken_down(finger, actions[9:10])
        expect(one.locator(".pack button:disabled")).to_have_count(10)
        assert one.evaluate(NAMELESS) == []
        one.wait_for_function(SAVED, arg=12)
        other.goto(one.url)
        expect(other.locator(".strip li")).to_have_count(12)
        taken_down(pad_on(other), actions[10:20])
        other.wait_for_function(SAVED, arg=22)
        taken_down(finger, actions[11:12])
        expect(one.locator(".elsewhere")).to_be_visible()
        finger.tap(one.locator(".elsewhere button"))
        expect(one.locator(".strip li")).to_have_count(22)
        expect(one.locator(".send")).to_have_attribute("aria-disabled", "true")
        taken_down(finger, actions[20:])
        one.locator(".send").tap()
        print(f"{len(actions)} cards: {finger.taps} taps, {monotonic() - began:.0f} s")
        entered(one, board, "entered")
        (sent,) = handed_in(hall)
        assert sent["seat"] == 2
        assert plays_at(hall, 1)[0]["result"]["scores"] == scores


@phones
def test_an_entry_is_replaced_and_a_refused_play_comes_back(service: Service, browser: Browser) -> None:
    hall, tables = an_evening(service, COMON)
    board = boards_of(hall)[0]
    actions, turned, scores = a_play(hall, board)
    with a_phone(browser, tables[1]) as phone:
        phone.goto(f"{phone.url}boards/{board}/play/")
        finger = pad_on(phone)
        for suit in turned:
            finger.tap(phone.locator(f'[data-turned="{suit}"]'))
        taken_down(finger, [actions[1], actions[0], *actions[2:]])  # the second card is not the first seat's
        phone.locator(".send").tap()
        expect(phone.locator(".outbox [role=alert]")).to_contain_text("le numéro est-il le bon")
        phone.locator(".outbox button").first.tap()
        expect(phone.locator(".strip li")).to_have_count(32)
        finger = Finger(phone)
        finger.tap(phone.locator('.strip [data-entry="2"]'))
        taken_down(finger, actions[:1])  # which is the next entry too: that is asked for now
        expect(phone.locator(".line")).to_contain_text("4")
        expect(phone.locator(".send")).to_have_attribute("aria-disabled", "true")
        taken_down(finger, actions[1:2])
        phone.locator(".send").tap()
        entered(phone, board, "entered")
        assert plays_at(hall, 1)[0]["result"]["scores"] == scores


@phones
@pytest.mark.parametrize("game", PADS, ids=lambda game: game.id)
def test_a_play_of_each_game_is_taken_down_by_two_phones(
    service: Service, browser: Browser, game: Game[Any]
) -> None:
    """One begins, the other goes on and sends what robots have played: the result is the engine's."""
    hall, tables = an_evening(service, game)
    board = boards_of(hall)[0]
    played, entries = a_whole_play(hall, game, board)
    tapped = in_tapping_order(game, played, entries)
    half, began = len(tapped) // 2, monotonic()
    with a_phone(browser, tables[1]) as one, a_phone(browser, tables[1], 1) as other:
        one.goto(f"{one.url}boards/{board}/play/")
        pad_on(one)
        one.evaluate(TAP)
        kept = one.evaluate("entries => tapAll(entries)", tapped[:half])[0]
        assert [in_any_order(entry) for entry in kept] == [in_any_order(entry) for entry in tapped[:half]]
        one.wait_for_function(SAVED, arg=half)
        assert one.evaluate(NAMELESS) == []
        other.goto(one.url)
        pad_on(other)
        expect(other.locator(".strip li")).to_have_count(half)
        other.evaluate(TAP)
        _kept, taps, is_off = other.evaluate(f"entries => tapAll(entries, {half})", tapped)
        assert is_off == "false"
        other.locator(".send").tap()
        entered(other, board, "entered")
        taps += one.evaluate("taps")
    print(f"{game.id:24}{len(entries):4} entries{taps + 1:5} taps{monotonic() - began:6.1f} s")
    assert plays_at(hall, 1)[0]["result"]["scores"] == scores_of(played, entries)


def in_any_order(entry: str) -> str:
    """Cards that are shown or taken together have no order; the pad writes them in that of its keys.

    >>> in_any_order("@swap:6S+6H+6D>3T+1T"), in_any_order("play:6H")
    ('@swap:6D+6H+6S>1T+3T', 'play:6H')
    """
    verb, colon, cards = entry.partition(":")
    if verb != "@swap":
        return entry
    return verb + colon + ">".join("+".join(sorted(part.split("+"))) for part in cards.split(">"))


def a_whole_play(hall: robots.Hall, game: Game[Any], board: int) -> tuple[RandomBoard, list[str]]:
    """What robots play on a board, until it is a play that a pad takes."""
    with robots.client(hall.address, hall.organiser) as director:
        deals = {one["number"]: one["deal"] for one in robots.pages(director, f"{robots.at(hall)}/boards/")}
        around = robots.answer_of(director.get(f"{robots.at(hall)}/"))
    options = with_defaults(game.options, around["options"])
    deal = game.read_deal(deals[board], options)
    seats = range(1, game.seats[0] + 1)
    for number in range(400):
        random = bots.randomness(game.id, number)
        file = {"game": game.id, "board": {"number": board}}
        played = RandomBoard("phones", board, file, deal, options, seats, game.start(deal, options), random)
        entries, _seats = a_record(played)
        if entries:
            return played, entries
    raise AssertionError("no play of this board is whole")


def scores_of(played: RandomBoard, entries: list[str]) -> list[int]:
    state = registry.game(played.file["game"]).start(played.deal, played.options)
    state.apply_all(entries)
    return list(state.outcome().scores)


SAVED = """(count) => Object.entries(localStorage).filter(([name]) => name.startsWith("play "))
  .map(([_name, text]) => JSON.parse(text)).some((one) => one.isSaved && one.entries.length === count)"""


def a_play(hall: robots.Hall, board: int) -> tuple[list[str], list[str], list[int]]:
    """What robots play on a board; the suits of the cards that are turned there; what each seat scores."""
    with robots.client(hall.address, hall.organiser) as director:
        deals = {one["number"]: one["deal"] for one in robots.pages(director, f"{robots.at(hall)}/boards/")}
        options = robots.answer_of(director.get(f"{robots.at(hall)}/"))["options"]
    state = COMON.start(COMON.read_deal(deals[board], options), with_defaults(COMON.options, options))
    while not state.over:
        state.apply(next(state.legal(state.turn)))
    return list(state.entries), [card[-1] for card in deals[board]["turned"]], list(state.outcome().scores)


def pad_on(page: Page) -> Finger:
    expect(page.locator("play-pad .place").first).to_be_visible()
    expect(page.locator(".group:visible").first).to_be_visible()
    return Finger(page)


def taken_down(finger: Finger, plays: list[str]) -> None:
    for entry in plays:
        finger.tap(finger.page.locator(f'.pack button[data-card="{entry.removeprefix("play:")}"]'))


def test_the_page_of_a_table_is_small_on_the_wire(service: Service, browser: Browser) -> None:
    """With its scripts and the largest form, fonts apart."""
    _hall, tables = an_evening(service, registry.game("tarot-4-saisons"))
    page = page_of(browser, viewport=SIZES[0], locale="fr-FR")
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    names: dict[str, str] = {}
    sizes: dict[str, int] = {}
    network.on(
        "Network.responseReceived", lambda got: names.update({got["requestId"]: got["response"]["url"]})
    )
    network.on(
        "Network.loadingFinished", lambda got: sizes.update({got["requestId"]: got["encodedDataLength"]})
    )
    page.goto(tables[1])
    opened(page, 1)
    page.wait_for_load_state("networkidle")
    later = (".woff2", "/now/")  # fonts, and what has changed since
    sent = {names[one]: size for one, size in sizes.items() if not names[one].endswith(later)}
    for name, size in sorted(sent.items(), key=lambda one: -one[1]):
        print(f"{size:7,} {name.rpartition('/static/')[2]}")
    print(f"{sum(sent.values()):,} bytes")
    assert sum(sent.values()) <= WIRE
    asked = page.evaluate("[...document.querySelectorAll('link[rel=modulepreload]')].map((one) => one.href)")
    loaded = {address for address in names.values() if address.endswith(".js")}
    assert len(loaded) == 1, "all scripts together"
    assert set(asked) == loaded, "what the page needs is asked for at once"
    page.context.close()


def test_a_photo_of_a_slip_is_made_small_and_says_where_there_is_no_network(
    service: Service, browser: Browser
) -> None:
    _hall, tables = an_evening(service, COMON)
    page = page_of(browser, viewport=SIZES[0], has_touch=True, is_mobile=True, locale="fr-FR")
    page.goto(tables[1])
    page.get_by_role("link", name="Photo d’une feuille de marque").click()
    board = page.get_by_label("Quel étui ?")
    board.select_option(index=0)
    picture = {"name": "x.png", "mimeType": "image/png", "buffer": a_picture("PNG", (2400, 3000))}
    page.get_by_label("Une photo de la feuille de marque").set_input_files(picture)
    page.wait_for_function("() => document.querySelector('input[type=file]').files[0].name === 'slip.jpg'")
    page.context.set_offline(True)
    page.get_by_role("button", name="Envoyer la photo").click()
    expect(page.locator("slip-photo .says")).to_contain_text("Pas de réseau")
    page.context.set_offline(False)
    page.get_by_role("button", name="Envoyer la photo").click()
    expect(page.get_by_role("status").first).to_contain_text("Le directeur a 1 photo")
    wrong = {"name": "x.svg", "mimeType": "image/svg+xml", "buffer": b"<svg/>"}
    page.get_by_label("Une photo de la feuille de marque").set_input_files(wrong)
    page.get_by_role("button", name="Envoyer la photo").click()
    expect(page.locator("main")).to_contain_text("Ce n’est pas une photo")
    page.context.close()


@phones
def test_the_usual_result_of_each_game_takes_the_taps_that_the_page_says(
    service: Service, browser: Browser
) -> None:
    wrong = []
    for size, game in enumerate(GAMES):
        _hall, tables = an_evening(service, game)
        with a_phone(browser, tables[1], size % 2) as page:
            finger = opened(page, 1)
            began = monotonic()
            finger.enter(dict(game.form.example))
            finger.send()
            seconds = monotonic() - began
            preset = {one.name: one.default for one in game.conditions if one.values}
            phone = taps.tapped_in(game.show_form("en", {}, preset), dict(game.form.example))
            print(f"{game.id:24}{finger.taps:3} taps{seconds:6.1f} s")
            if finger.taps != phone.taps + SEND:
                wrong.append((game.id, finger.taps, phone.taps + SEND))
            assert finger.narrowest >= FINGER, (game.id, finger.narrowest)
    assert wrong == []


@phones
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_an_evening_is_entered_by_two_phones_a_table(
    service: Service, browser: Browser, game: Game[Any]
) -> None:
    """What robots have played, tapped in: the results are those of the engines."""
    hall, tables = an_evening(service, game)
    with robots.client(hall.address, hall.organiser) as director:
        deals = {one["number"]: one["deal"] for one in robots.pages(director, f"{robots.at(hall)}/boards/")}
        options = robots.answer_of(director.get(f"{robots.at(hall)}/"))["options"]
    seconds, tapped = 0.0, []
    for table, address in tables.items():
        with a_phone(browser, address) as one, a_phone(browser, address, 1) as other:
            for number, play in enumerate(plays_at(hall, table)):
                phone, board = (one, other)[number % 2], play["board"]
                finger, began = opened(phone, board), monotonic()
                finger.enter(sheet_of(game, options, deals[board], play))
                finger.send()
                entered(phone, board, "entered")
                seconds += monotonic() - began
                tapped.append(finger.taps)
        for play in plays_at(hall, table):
            sheet = sheet_of(game, options, deals[play["board"]], play)
            deal = game.read_deal(deals[play["board"]], options)
            assert play["result"]["scores"] == list(game.score(sheet, deal=deal, options=options).scores)
    taps, most, count = sum(tapped) / len(tapped), max(tapped), len(tapped)
    print(f"{game.id:24}{count:4} boards{taps:6.1f} taps{most:4} at most{seconds / count:6.1f} s")


def sheet_of(game: Game[Any], options: dict[str, Any], deal: Any, play: dict[str, Any]) -> dict[str, Any]:
    return dict(robots.result_of(game, options, deal, play, as_sheet=True)["sheet"])
