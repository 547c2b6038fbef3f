"""A finger on the table's page: it does what a plan of taps says (tests/engines/taps.py), and counts.

It knows no game: each key knows what it answers. A touch becomes a click a moment later, so that the next one
waits until the page has heard of the one before; what a page shows then is what it shows.
"""

from math import inf
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.engines import taps
from tests.engines.taps import WINDOW, Move

Sheet = dict[str, Any]

KEYS = Path(__file__).with_name("keys.js").read_text("utf-8").partition("\n")[2]
HEAR = """() => {
  if (window.heard !== undefined) return
  window.heard = 0
  addEventListener("click", () => { window.heard++ })
}"""
FORM = "document.querySelector('result-entry').told"
TAPS = 300  # more than any sheet takes: the finger turns in a circle
QUICK = 300  # milliseconds in which two taps on one place are one, by mistake


def plain(value: Any) -> Any:
    """An answer without what is not told."""
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items() if one is not None}
    return [plain(one) for one in value] if isinstance(value, list) else value


class Finger:
    """The taps on one page. `taps`: so far; `narrowest`: how wide the narrowest key was that it has seen, in
    pixels."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        self.narrowest = inf
        self.last: tuple[float, float] | None = None
        page.evaluate(HEAR)

    def tap(self, key: Locator) -> None:
        """Touch it, and wait until the page has heard of it."""
        while (box := key.bounding_box()) is None:
            expect(key).to_be_visible()  # the page has just drawn it anew
        place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if self.last is not None and max(abs(place[0] - self.last[0]), abs(place[1] - self.last[1])) < 24:
            self.page.wait_for_timeout(QUICK)  # meant twice
        before = self.page.evaluate("window.heard")
        key.tap()
        self.page.wait_for_function("before => window.heard > before", arg=before)
        self.last = place
        self.taps += 1

    def key(self, at: int) -> None:
        self.tap(self.page.locator(f'result-entry .asked [data-at="{at}"]'))

    def plan(self, sheet: Sheet) -> list[Move]:
        """The taps that a sheet takes on the form that the page has."""
        return taps.tapped_in(self.page.evaluate(FORM), sheet).moves

    def enter(self, sheet: Sheet, *, again: bool = False) -> None:
        """Tap a sheet in, until *Send* is live. `again`: another one has been entered before."""
        self.page.locator("result-entry .send").wait_for()
        if again:
            self.tap(self.page.locator("result-entry .answers .answer").first)
        waiting = self.plan(sheet)
        while waiting:
            keys = self.page.evaluate(KEYS)
            assert all(key["name"] for key in keys), "a key without a name"
            self.narrowest = min([self.narrowest, *(key["width"] for key in keys)])
            done = next(((move, key) for move in waiting for key in keys if self.says(key, move)), None)
            if done is None:
                assert self.taps < TAPS, (waiting, keys)
                self.turn(keys, waiting)
                continue
            move, key = done
            waiting.remove(move)
            self.key(key["at"])
        assert self.is_live, self.page.inner_text("result-entry")

    @staticmethod
    def says(key: Any, move: Move) -> bool:
        """Whether a key is the one of a tap that was planned."""
        if key["answer"] is None or key["off"] or (move.block is not None and move.block != key["block"]):
            return False
        return bool(key["place"] == move.place and plain(key["answer"]) == plain(move.answer))

    def turn(self, keys: Any, waiting: list[Move]) -> None:
        """What stands between the page and a key: a window of numbers, another page, the door, parts."""
        own = [move for move in waiting if move.block is None or not keys or move.block == keys[0]["block"]]
        for move in own:
            for key in keys:
                if self.leads(key, move) or self.opens(key, move):
                    return self.key(key["at"])
                if key["adds"] and key["adds"]["field"] in move.answer and move.door == key["adds"]["door"]:
                    return self.add(key, move, waiting)
        turns = [key for key in keys if key["turns"] is not None]
        if turns:
            at = next(number for number, key in enumerate(turns) if key["pressed"])
            if at + 1 < len(turns):
                return self.key(turns[at + 1]["at"])
        if waiting[0].door:
            return self.tap(self.page.locator(".entry-foot .button").first)
        of_block = next((move for move in waiting if move.block is not None), None)
        if of_block is not None and self.is_live:
            return self.tap(self.page.locator("result-entry .answers .tab").nth(of_block.block))
        shown = [key for key in keys if key["answer"] is not None]
        raise AssertionError(f"this cannot be tapped in: {waiting[0]}; there are {shown[:8]}")

    @staticmethod
    def leads(key: Any, move: Move) -> bool:
        """Whether a key opens the window in which a number lies."""
        window = key["window"]
        if window is None or key["pressed"] or window.get("place") not in (None, move.place):
            return False
        name = window["field"]
        value = move.answer.get(name)
        return isinstance(value, int) and value // (WINDOW * window["step"]) == window["at"]

    @staticmethod
    def opens(key: Any, move: Move) -> bool:
        """Whether a key opens the ten, or the row, in which an answer lies."""
        return any(
            one["place"] == move.place and plain(one["answer"]) == plain(move.answer)
            for one in key["opens"] or ()
        )

    def add(self, key: Any, move: Move, waiting: list[Move]) -> None:
        """An entry of several parts: each by its keys, and *Take*."""
        name = key["adds"]["field"]
        value = move.answer[name]
        value = value[-1] if isinstance(value, list) else value
        waiting.remove(move)
        self.key(key["at"])
        told = value if isinstance(value, dict) else {"it": value}
        for part, wanted in told.items():
            for place, one in enumerate(wanted, 1) if isinstance(wanted, list) else [(None, wanted)]:
                self.give(part, place, one)
        self.key(next(key["at"] for key in self.page.evaluate(KEYS) if key["takes"]))

    def give(self, part: str, place: int | None, value: Any) -> None:
        """A part of an entry: by its key, or typed."""
        own = [key for key in self.page.evaluate(KEYS) if key["tells"] and key["tells"]["name"] == part]
        for key in own:
            if key["tells"].get("place") != place:
                continue
            if key["typed"]:
                self.page.locator(f'result-entry .asked [data-at="{key["at"]}"]').fill(str(value))
                self.page.keyboard.press("Tab")
            elif key["tells"].get("value") == value:
                self.key(key["at"])

    @property
    def is_live(self) -> bool:
        """Whether the sheet can be sent."""
        return self.page.locator(".send").get_attribute("aria-disabled") != "true"

    def send(self) -> None:
        self.tap(self.page.locator(".send"))
