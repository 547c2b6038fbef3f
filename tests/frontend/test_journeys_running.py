"""What goes otherwise while an evening is played, set right by hand in a real browser, its clicks counted.
The hands wait for states and never for a time; who sits where with which board stands in a file."""

import re
from collections.abc import Iterator
from time import monotonic

import pytest
from playwright.sync_api import Browser, expect

from tests.frontend.browsers import in_a_browser
from tests.running import Service, campaign, serving

from .journeys import DESKTOP, ENGLISH, FRENCH, PHONE, THIRTEEN, Hand, Words, a_house

pytestmark = [*in_a_browser, campaign]
WAYS = {"English-1280": (DESKTOP, ENGLISH), "French-390": (PHONE, FRENCH)}
EIGHT = [
    *(f"{one} / {other}" for one, other in zip(THIRTEEN[:6], THIRTEEN[6:12], strict=True)),
    *("Noé Roux / Zoé Roux", "Léo Brun / Mia Brun"),
]
SLIP = "41 30 / 45 33 / 38 29 / 35 40"
OTHER_SLIP = "41 30 / 45 33 / 38 29 / 36 40"


def ways(first: str) -> pytest.MarkDecorator:
    """On a desk and on a phone; `.ci/run` goes the first way alone, `.ci/run --all` both."""
    asked = [
        pytest.param(*way, id=name, marks=() if name == first else pytest.mark.sampled)
        for name, way in WAYS.items()
    ]
    return pytest.mark.parametrize(("size", "words"), asked)


on_a_desk_first, on_a_phone_first = ways("English-1280"), ways("French-390")


@pytest.fixture(scope="module")
def halls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving("embedded", tmp_path_factory.mktemp("service") / "var") as service:
        yield service


def a_movement(pairs: int, rounds: int, boards: int) -> str:
    """Pair 1 stays, the others go round; all tables play the same `boards` in a round, the next ones in the
    next. Of an odd number of pairs one sits out in each."""
    circle = list(range(1, pairs + pairs % 2 + 1))
    lines = ["round,table,seat,contestant,boards"]
    for number in range(rounds):
        held = f"{number * boards + 1}-{(number + 1) * boards}"
        met = [(one, circle[-at]) for at, one in enumerate(circle[: len(circle) // 2], 1)]
        playing = [two for two in met if max(two) <= pairs]
        for table, two in enumerate(playing, 1):
            lines += [f"{number + 1},{table},{seat},{pair},{held}" for seat, pair in enumerate(two, 1)]
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return "\n".join(lines)


def an_evening(hand: Hand, pairs: int, rounds: int, boards: int) -> str:
    """Of pairs at Cochonnet, which has just begun; the address of its desk."""
    desk = hand.sets_up("Cochonnet", EIGHT[:pairs], a_movement(pairs, rounds, boards))
    hand.starts()
    return desk


@on_a_phone_first
def test_a_late_pair_arrives_in_round_two(
    halls: Service, browser: Browser, size: dict[str, int], words: Words
) -> None:
    """Of seven pairs one sits out in each round; with an eighth from round three on, none does."""
    with a_house(halls, browser, f"Late at {size['width']}", "Ana") as house:
        ana = house.hand("Ana", size=size, words=words)
        desk = an_evening(ana, 7, 3, 3)
        ana.enters(SLIP, at="1 1", desk=desk)
        ana.enters(SLIP, at="2 4", desk=desk, is_early=True)
        ana.count()
        _comes_late(ana, EIGHT[7])
        ana.told("A late pair, until it has a place", at_most=5)
        ana.undoes()
        ana.page.goto(f"{desk}?round=3")
        ana.reads(words.sits_out)
        expect(ana.page.locator(".sitting")).not_to_contain_text("Mia Brun")
        ana.page.goto(desk)
        _comes_late(ana, EIGHT[7])
        ana.page.goto(f"{desk}?round=3")
        expect(ana.page.locator(".sitting")).to_contain_text("Mia Brun")
        expect(ana.page.get_by_text(words.sits_out)).to_have_count(0)
        expect(ana.cell(1, 1)).to_have_attribute("data-state", "confirmed")


def _comes_late(hand: Hand, pair: str) -> None:
    words = hand.words
    hand.press(words.otherwise, then=words.otherwise)
    hand.press(words.who_is_here, then=words.who_is_here)
    expect(hand.page.get_by_label(words.from_round)).to_have_value("3")
    hand.fill(words.late, pair)
    hand.press(words.cost, then=hand.button(words.plan))
    hand.press(words.plan, then=hand.says(words.planned))


@on_a_desk_first
def test_a_wrong_board_is_found_in_round_three(
    halls: Service, browser: Browser, size: dict[str, int], words: Words
) -> None:
    """Of eight pairs, in five rounds of two boards, table 2 has taken those of round four."""
    with a_house(halls, browser, f"Wrong board at {size['width']}", "Ana") as house:
        ana = house.hand("Ana", size=size, words=words)
        desk = an_evening(ana, 8, 5, 2)
        for place in ("1 1", "1 3", "1 5"):  # no slip is of a round far ahead
            ana.enters(SLIP, at=place, desk=desk, is_early=place != "1 1")
        ana.count()
        _took_other_boards(ana, "7, 8")
        ana.told("A wrong board, until it is written down", at_most=6)
        ana.undoes()
        ana.page.goto(f"{desk}?round=3")
        _took_other_boards(ana, "7, 8")
        ana.page.goto(f"{desk}?round=3")
        sitting = ana.page.locator(".sitting tbody tr")
        expect(sitting.nth(1).locator(".boards")).to_have_text(re.compile("7.+8"))
        expect(sitting.nth(0).locator(".boards")).to_have_text(re.compile("5.+6"))
        ana.enters(SLIP, at="2 7", desk=desk, is_early=True)
        expect(ana.cell(2, 7)).to_have_attribute("data-state", "confirmed")


def _took_other_boards(hand: Hand, boards: str) -> None:
    """Instead of board 5 and the next at table 2, from the board in the grid."""
    words = hand.words
    hand.click(hand.cell(2, 5))
    hand.sees(hand.button(words.played_otherwise))
    hand.press(words.played_otherwise, then=hand.button(words.cost))
    hand.check(words.other_boards)
    hand.fill(words.boards_played, boards)
    hand.press(words.cost, then=hand.button(words.write_down))
    hand.press(words.write_down, then=hand.says(words.written_down))


@on_a_phone_first
def test_a_ruling_is_looked_at_where_the_eye_is_and_then_counts(
    halls: Service, browser: Browser, size: dict[str, int], words: Words
) -> None:
    """Of four pairs, one gets another score for its first board, from the grid, without and with scripts."""
    with a_house(halls, browser, f"Ruling at {size['width']}", "Ana") as house:
        ana = house.hand("Ana", size=size, words=words)
        desk = an_evening(ana, 4, 3, 1)
        ana.enters(SLIP, at="1 1", desk=desk)
        ana.enters(OTHER_SLIP, at="2 1", desk=desk)
        ana.count()
        panel, what = ana.page.locator("#ruling"), ana.page.locator("#ruling .moved")
        ana.click(ana.cell(1, 1))
        ana.sees(panel.locator("[value=look]"))
        shown = ana.page.url
        ana.click(panel.locator("#ruling_score_0"))
        panel.locator("#ruling_score_0").fill("+99")
        ana.click(panel.locator("[value=look]"))
        ana.sees(what)
        assert ana.page.url == shown, "the page stays where it is"
        expect(panel).to_be_focused()
        expect(panel.get_by_role("heading").first).to_be_in_viewport()
        ana.click(panel.locator("#ruling_reason"))
        panel.locator("#ruling_reason").fill("A revoke")
        ana.click(panel.locator("[value=rule]"))
        ana.sees(ana.page.locator("#ruling .made"))
        ana.told("A ruling, from the grid until it counts", at_most=5)
        ana.undoes()
        ana.page.goto(shown)
        expect(panel.locator(".keptdraft")).to_be_hidden()
        panel.locator("#ruling_score_0").fill("+97")
        panel.locator("#ruling_reason").fill("Half a reason")
        ana.page.goto(desk)
        ana.page.goto(shown)
        expect(panel.locator(".keptdraft")).to_be_visible()
        expect(panel.locator("#ruling_score_0")).to_have_value("+97")
        expect(panel.locator("#ruling_reason")).to_have_value("Half a reason")
        panel.locator(".keptdraft button").click()
        ana.page.reload()
        expect(panel.locator("#ruling_reason")).to_have_value("")
        ana.page.route("**/board-desk.js", lambda route: route.abort())
        ana.page.reload()
        panel.locator("#ruling_score_0").fill("+98")
        panel.locator("[value=look]").click()
        ana.sees(what)
        expect(panel).to_be_focused()
        expect(panel.get_by_role("heading").first).to_be_in_viewport()


@on_a_phone_first
def test_a_correction_that_is_refused_says_why_where_the_eye_is(
    halls: Service, browser: Browser, size: dict[str, int], words: Words
) -> None:
    """What another official has entered is changed without a reason: the form comes back unfolded, at what is
    wrong, which leads to what lacks."""
    with a_house(halls, browser, f"Correction at {size['width']}", "Ana", "Bea") as house:
        ana = house.hand("Ana", words=words)
        bea = house.hand("Bea", size=size, words=words)
        desk = an_evening(ana, 4, 3, 1)
        ana.enters(SLIP, at="1 1", desk=desk)
        bea.page.goto(desk)
        bea.click(bea.cell(1, 1))
        folded = bea.page.locator("details", has=bea.page.locator("[value=enter]"))
        bea.click(folded.locator("summary"))
        line = folded.locator("input:not([type=hidden])[value*='35']").first
        line.fill(line.input_value().replace("35", "36"))
        summary, reason = bea.page.locator(".summary"), bea.page.locator("#sheet_sheet-reason")
        bea.page.route("**/wrong.js", lambda route: route.abort())
        bea.click(folded.locator("[value=enter]"))
        expect(summary).to_be_focused()
        expect(summary).to_be_in_viewport()
        bea.page.unroute("**/wrong.js")
        bea.click(folded.locator("[value=enter]"))
        expect(summary).to_be_focused()
        expect(summary).to_be_in_viewport()
        bea.click(summary.get_by_role("link"))
        expect(reason).to_be_focused()
        expect(reason).to_be_in_viewport()
        expect(folded.locator(".whyother .error")).to_be_in_viewport()


@on_a_desk_first
def test_an_evening_that_was_finished_by_mistake_goes_on(
    halls: Service, browser: Browser, size: dict[str, int], words: Words
) -> None:
    with a_house(halls, browser, f"Finished at {size['width']}", "Ana") as house:
        ana = house.hand("Ana", size=size, words=words)
        desk = an_evening(ana, 6, 3, 2)
        ana.enters(SLIP, desk=desk)
        ana.count()
        ana.opens_more(words.other_steps)
        ana.press(words.finish, then=ana.page.get_by_text(words.missing))
        ana.press(words.finish_anyway, then=ana.says(words.played))
        ana.told("Finished by mistake", at_most=3)
        ana.count()
        ana.undoes()
        ana.told("and undone", at_most=1)
        ana.enters(SLIP, desk=desk)


@on_a_desk_first
def test_two_directors_at_once_on_two_machines(
    halls: Service, browser: Browser, size: dict[str, int], words: Words
) -> None:
    """Each sees what the other does without doing anything. Who comes second learns what has been done, and
    sees both versions of a result."""
    with a_house(halls, browser, f"Two at {size['width']}", "Ana", "Bea") as house:
        ana = house.hand("Ana", words=words)
        bea = house.hand("Bea", size=size, words=words)
        desk = ana.sets_up("Cochonnet", EIGHT[:6], a_movement(6, 3, 2))
        bea.page.goto(desk)
        by_tables = bea.page.get_by_text(words.tables_shuffle)
        bea.press(words.start, then=by_tables)
        ana.starts()
        bea.click(by_tables)
        bea.press(words.start, then=bea.page.get_by_text(words.quicker))
        bea.reads(re.compile("Ana "))
        bea.press(words.back, then=bea.page.locator("evening-grid"))

        ana.press(words.slips, then=words.slips)
        line = ana.page.get_by_label(words.line)
        ana.types(line, f"1 1 {SLIP}", then=ana.page.get_by_text(words.entered).first)
        began = monotonic()
        expect(bea.cell(1, 1)).to_have_attribute("data-state", "confirmed")
        print(f"\nThe other window shows a result {monotonic() - began:.1f} s later", flush=True)

        ana.page.goto(desk)
        bea.count()
        bea.opens_more(words.other_steps)
        bea.press(words.tell, then=words.tell)
        bea.fill(words.what_to_tell, "Pause : 21 h")
        bea.press(words.tell, then=bea.page.get_by_text("Pause : 21 h"))
        began = monotonic()
        ana.reads("Pause : 21 h")
        print(f"\nThe other window shows an announcement {monotonic() - began:.1f} s later", flush=True)
        bea.told("An announcement to all tables", at_most=4)

        bea.press(words.slips, then=words.slips)
        bea.count()
        line = bea.page.get_by_label(words.line)
        bea.types(line, f"1 1 {OTHER_SLIP}", then=bea.page.get_by_text(words.stands))
        versions = bea.page.locator(".versions")
        expect(versions).to_contain_text("Ana")
        expect(versions).to_contain_text("35")
        expect(versions).to_contain_text("36")
        expect(line).to_have_value(f"1 1 {OTHER_SLIP}")
        bea.press(words.keep, then=bea.page.get_by_text(words.kept))
        bea.told("Another slip for a board that somebody has entered", at_most=2)


@on_a_phone_first
def test_a_stale_form_keeps_what_was_typed_beside_what_was_done_meanwhile(
    halls: Service, browser: Browser, size: dict[str, int], words: Words
) -> None:
    with a_house(halls, browser, f"Stale at {size['width']}", "Ana", "Bea") as house:
        ana = house.hand("Ana", words=words)
        bea = house.hand("Bea", size=size, words=words)
        desk = an_evening(ana, 6, 3, 2)
        ana.page.goto(desk)
        bea.page.goto(desk)
        for hand in (ana, bea):
            hand.count()
            hand.opens_more(words.other_steps)
            hand.press(words.mend, then=words.mend)
        ana.fill(words.name, "Coupe d’Ana")
        bea.fill(words.name, "Coupe de Bea")
        ana.press(words.save, then="Coupe d’Ana")
        bea.press(words.save, then=bea.page.get_by_text(words.quicker))
        bea.reads(re.compile("Ana .*"))
        bea.reads(re.compile("→ Coupe d’Ana"))
        expect(bea.page.get_by_label(words.name)).to_have_value("Coupe de Bea")
        bea.press(words.save, then="Coupe de Bea")
        bea.told("A name that somebody else has changed meanwhile", at_most=5)


def test_thirty_slips_are_entered_by_keyboard_alone(halls: Service, browser: Browser) -> None:
    """In the order in which they are missing, 60 ms a key: what a practised scorer needs. Nothing is clicked,
    the field stays where it is, and each next slip begins in it."""
    with a_house(halls, browser, "Thirty slips", "Ana") as house:
        ana = house.hand("Ana", words=ENGLISH)
        an_evening(ana, 6, 5, 2)
        ana.press(ENGLISH.slips, then=ENGLISH.slips)
        places = ana.page.locator(".slipsleft a").evaluate_all("links => links.map(one => one.textContent)")
        assert len(places) == 30
        line, keyboard = ana.page.get_by_label(ENGLISH.line), ana.page.keyboard
        expect(line).to_be_focused()
        heights, keys, began = set(), 0, monotonic()
        for place in places:
            table, board = place.split()
            slip = f"{place} {SLIP.replace(' /', '')}"
            keyboard.type(slip, delay=60)
            keyboard.press("Enter")
            keys += len(slip) + 1
            expect(ana.page.locator("output .news")).to_have_text(f"Table {table}, board {board} is entered.")
            heights.add(line.bounding_box()["y"])  # type: ignore[index]
        print(f"\nThirty slips by {keys} keys: {monotonic() - began:.0f} s", flush=True)
        assert len(heights) == 1, "what has been entered is told beneath the field"
        expect(ana.page.locator(".slipsleft a")).to_have_count(0)
