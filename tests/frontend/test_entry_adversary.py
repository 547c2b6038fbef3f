"""Somebody who taps anything on the entry of a result, also what is rare, details and the way back, and types
values at random."""

import os
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from engines.contract import Game
from engines.errors import BadSheet, NeedsDeal
from tests.engines.test_conformance import GAMES
from tests.frontend.alone import begun
from tests.frontend.browsers import in_a_browser

pytestmark = [*in_a_browser, pytest.mark.phones]
TRIES = int(os.environ.get("ETUI_TRIES", len(GAMES)))  # among all games, each from another seed
TAPS = 40
ANYTHING = """([seed, count]) => {
  const entry = document.querySelector("result-entry")
  const values = ["", "0", "-1", "7", "1e9", "½", "<b>", "x".repeat(99)]
  let random = seed, kept = null, then = null
  const below = (top) => {
    random = (random * 1103515245 + 12345) % 2147483648
    return Math.floor(random / 65536) % top
  }
  entry.addEventListener("result:changed", ({ detail }) => {
    kept = JSON.parse(JSON.stringify(detail.kept))
    then = entry.sheet  // what is only asked again since then is not taken out of the draft
  })
  const isLive = () => entry.querySelector(".send").ariaDisabled !== "true"
  for (let at = 0; at < count && !(isLive() && below(4) === 0); at++) {
    const all = [...entry.querySelectorAll("button:not(.leave, .size, .send), input, summary")]
      .filter((one) => one.checkVisibility())
    const asked = all.filter((one) => one.closest(".asked") && one.ariaDisabled !== "true")
    const own = asked.length && below(5) ? asked : all, one = own[below(own.length)]
    if (one.localName === "input") {
      one.value = values[below(values.length)]
      one.dispatchEvent(new Event("change"))
    } else one.click()
  }
  const heading = entry.querySelector(".asked h2")?.textContent
  return { sheet: entry.sheet, then, isLive: isLive(), kept, heading }
}"""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_whatever_is_tapped_a_sheet_that_can_be_sent_is_one_and_nothing_is_lost(
    entry: Page, game: Game[Any]
) -> None:
    """No script breaks, a question always stands there, what a draft keeps is the sheet, and the engine takes
    whatever *Send* would send."""
    random, sent, errors = Random(f"adversary of {game.id}"), 0, list[str]()

    def heard(error: Any) -> None:
        errors.append(str(error))

    entry.on("pageerror", heard)
    for number in range(-(-TRIES // len(GAMES))):
        options = {one.name: random.choice(one.values) for one in game.options if random.random() < 0.3}
        seed, what = random.randrange(2**31), f"{game.id}, try {number}, {options}"
        begun(entry, game.id, options=options, letters="ABC")
        told = entry.evaluate(ANYTHING, [seed, TAPS])
        assert errors == [], what
        assert told["heading"], what
        if told["kept"] is not None:
            begun(entry, game.id, options=options, kept=told["kept"])
            again = entry.evaluate("document.querySelector('result-entry').sheet")
            assert again == told["then"], what
        if told["isLive"]:
            sent += 1
            try:
                game.score(told["sheet"], options=options, conditions={})
            except NeedsDeal:
                continue
            except BadSheet as error:
                pytest.fail(f"{error}: {told['sheet']}, {what}")
    entry.remove_listener("pageerror", heard)
    print(f"{game.id:24}{sent:4} sheets that can be sent")
