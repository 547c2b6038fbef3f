"""Every screen of the entry of every game, as its script draws it: nothing for axe-core to find at 360 px."""

import re
from itertools import pairwise
from math import atan2, tau
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from engines.contract import Game
from tests.engines.test_conformance import GAMES
from tests.frontend.alone import Pointer, begun
from tests.frontend.browsers import barriers, in_a_browser
from tests.samples import here

pytestmark = [*in_a_browser, pytest.mark.phones]
SCREEN = """() => JSON.stringify([document.querySelector("result-entry .asked h2")?.textContent,
  ...[...document.querySelectorAll("result-entry .asked *, result-entry .line *")]
  .map((one) => one.className)])"""
SCROLLED = re.compile('class="answer"|class="tab" aria-pressed="false"')  # sideways, with the focus
CLOSED = "result-entry .asked details.more:not([open]) > summary"


class Looking(Pointer):
    """It looks at each screen before it taps: with light colours at everything, with dark ones at these where
    `both`."""

    def __init__(self, page: Page, *, both: bool) -> None:
        super().__init__(page)
        self.both = both
        self.wrong: list[str] = []
        self.seen: set[str] = set()

    def tap(self, key: Locator) -> None:
        self.look()
        super().tap(key)

    def look(self) -> None:
        screen = self.page.evaluate(SCREEN)
        if screen in self.seen:
            return
        self.seen.add(screen)
        title = self.page.inner_text("result-entry .asked h2")
        beyond = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        found = [f"wider than the window by {beyond} px"] if beyond > 0 else []
        found += [f"cut off: {one}" for one in self.page.evaluate("looks.cut()") if not SCROLLED.search(one)]
        found += barriers(self.page)
        if self.both:
            self.page.emulate_media(color_scheme="dark")
            found += [f"dark: {one}" for one in barriers(self.page, runOnly=["color-contrast"])]
            self.page.emulate_media(color_scheme="light")
        self.wrong += [f"{title}: {one}" for one in found]

    def back(self) -> None:
        super().tap(self.page.locator("result-entry .undo"))

    def look_behind(self, keys: str) -> None:
        """The pages that keys of a screen open, one after another, and the way back from each."""
        for at in range(self.page.locator(keys).count()):
            self.tap(self.page.locator(keys).nth(at))
            self.look()
            self.back()
            self.open()

    def open(self) -> None:
        self.page.eval_on_selector_all(CLOSED, "all => all.forEach((one) => one.click())")

    def look_at_the_end(self) -> None:
        """The last screen, all parts of it, and what lies behind *Something else…*."""
        self.look()
        self.open()
        self.look()
        self.look_behind("result-entry .asked :is(.entries, .more) .button")
        self.look_behind("result-entry .answers .tab, result-entry .asked .part > .button")
        door = self.page.locator("result-entry .entry-foot .button").first
        self.tap(door)
        self.open()
        self.look()
        self.look_behind("result-entry .asked .rare > .button")
        off = self.page.locator("result-entry .asked [aria-disabled=true]")
        if off.count():
            self.tap(off.first)
            self.look()


@pytest.mark.parametrize("game", here(GAMES, one_in=3), ids=lambda game: game.id)
def test_every_screen_of_an_entry_can_be_read_and_touched(entry: Page, game: Game[Any]) -> None:
    begun(entry, game.id, asks=True, letters="ABC")
    looked(entry, game, both=True)


@pytest.mark.parametrize("game", here(GAMES[::3], one_in=3), ids=lambda game: game.id)
def test_the_same_with_large_keys(entry: Page, game: Game[Any]) -> None:
    begun(entry, game.id)
    entry.evaluate("document.documentElement.dataset.keys = 'large'")
    looked(entry, game, both=False)


def looked(entry: Page, game: Game[Any], *, both: bool) -> None:
    entry.emulate_media(reduced_motion="reduce")
    finger = Looking(entry, both=both)
    finger.enter(dict(game.form.example))
    finger.look_at_the_end()
    print(f"{game.id:24}{len(finger.seen):4} screens")
    assert not finger.wrong, "\n".join(finger.wrong)


@pytest.mark.parametrize("count", range(3, 8))
def test_the_seats_of_a_table_stand_round_it(entry: Page, count: int) -> None:
    """Seat 1 nearest whoever reads, the others clockwise, as far from each other as they sit."""
    entry.set_viewport_size({"width": 360, "height": 640})
    places = entry.evaluate(ROUND, count)
    assert len({tuple(place) for place in places}) == count
    assert places[0][1] == max(y for _x, y in places)
    middle = sum(x for x, _y in places) / count, sum(y for _x, y in places) / count
    turns = [atan2(y - middle[1], x - middle[0]) for x, y in places]
    steps = [(after - before) % tau for before, after in pairwise([*turns, turns[0]])]
    assert sum(steps) == pytest.approx(tau)


ROUND = """(count) => {
  const one = (_one, at) => `<li><span class="seat">${at + 1}</span><b class="person">Anna Roux</b></li>`
  const all = Array.from({ length: count }, one).join("")
  document.body.innerHTML = `<header class="felt hall"><ol class="seats of-${count}">${all}</ol></header>`
  return [...document.querySelectorAll(".seat")].map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect()
    return [left + width / 2, top + height / 2]
  })
}"""
