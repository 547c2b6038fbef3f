"""The page of a pad: the play of a board taken down card by card, key by key."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Page, Route, expect

from engines import registry
from engines.contract import Game, with_defaults
from frontend.table import showing
from frontend.table.views import ENTRY_LETTERS
from tests.engines.test_conformance import board
from tests.frontend.alone import ADDRESS, STATIC
from tests.frontend.browsers import parts_together, troubles_of
from tests.frontend.playing import PADS, a_record, as_recorded, in_browser, in_tapping_order
from tests.samples import here, many
from tournaments.compressing import plain
from tournaments.versioned import version

NAMES = ("Anna Roux", "Bruno Roux", "Chloé Roux", "David Roux", "Ève Roux", "Félix Roux", "Hana Roux")
TAP = """
window.shown = (selector) => [...document.querySelectorAll(selector)].find((one) => one.checkVisibility() && !one.disabled)
window.taps = 0
window.touch = (selector) => {
  const key = shown(selector)
  if (!key) throw Error(`no key ${selector}: ${document.querySelector(".line").textContent}`)
  taps++
  key.click()
}
window.tapIn = (entry) => {
  const verb = entry.split(":")[0], what = entry.slice(verb.length + 1), [said, mark] = what.split("!"), end = /[<>]$/.test(said) ? said.at(-1) : ""
  const cards = end ? said.slice(0, -1) : said
  if (/^[0-9] /.test(entry)) {
    if (shown(`[data-say="${entry}"]`)) return touch(`[data-say="${entry}"]`)
    touch(".group:not(.calls) [data-act=talk]")
    return touch(`.calls [data-say="${entry}"]`)
  }
  if (verb === "meld") return tapMeld(what)
  if (verb === "play") {
    const [card, face] = said.split("=")
    if (card.includes("#")) return touch(`[data-slot="${card.split("#")[1]}"]:enabled`)
    if (mark) touch(`[data-mark="!${mark}"]`)
    tapCard(card)
    if (face) return tapCard(face)
    return shown("[data-act=itself]") && touch("[data-act=itself]")
  }
  if (shown(`[data-say="${entry}"]`)) return touch(`[data-say="${entry}"]`)
  if (/^(@swap|rob|devil|dispute):/.test(entry)) {
    for (const one of entry.split(/[:>+,]/).slice(1)) {
      const [card, face] = one.split("=")
      if (!document.querySelector(`.pack [data-card="${card}"]`)) continue
      tapCard(card)
      if (face) tapCard(face)
      else if (shown("[data-act=itself]")) touch("[data-act=itself]")
    }
    return kept().length < tapped && touch("[data-act=done]")
  }
  if (verb === "lay") {
    touch("[data-act=lay]")
    for (const [, kind, cards] of what.matchAll(/(\\w+)\\(([^()]*)\\)/g)) {
      cards.split(",").forEach(tapCard)
      if (kind === "six") touch("[data-act=six]")
    }
    return touch(".pack [data-act=done]")
  }
  if (verb === "add") {
    const at = what.lastIndexOf(":")
    touch(`[data-meld="${what.slice(0, at)}"]`)
    return tapCard(what.slice(at + 1))
  }
  if (verb === "@turned") return touch(what.length > 1 ? `.pack [data-card="${what}"]` : `[data-turned="${what}"]`)
  if (verb === "give" && !shown(".pack")) return touch(`.place[data-seat="${what}"]`)
  if (verb === "say" && !shown("[data-item]")) touch("[data-act=talk]")
  const isList = Boolean(shown("[data-item]"))
  for (const one of ["", "none"].includes(what) ? [] : cards.split(/[,+]/)) {
    const key = isList ? `[data-item="${one}"]` : `.pack [data-card="${one}"]`
    if (!shown(key)) touch(".pack .turn")
    touch(key)
  }
  if (end) touch(`[data-end="${end}"]`)
  if (verb !== "play" && !verb.startsWith("@") && shown("[data-act=done]") && kept().length < tapped) touch("[data-act=done]")
}
window.tapMeld = (what) => {
  const [cards, melds] = what.split(">"), fresh = cards ? cards.split(",") : [], there = []
  const numbers = melds.match(/[0-9]+/g).map(Number), first = Math.max(...numbers) + 1 - fresh.length
  for (const one of melds.split("+")) {
    const [kind, slots] = one.split(":")
    touch(`[data-kind="${kind}"]`)
    for (const slot of slots.split(",").map(Number)) {
      if (fresh.length && slot >= first && !there.includes(slot)) {
        tapCard(fresh[slot - first])
        there.push(slot)
      } else touch(`[data-slot="${fresh.length && slot >= first ? first + there.indexOf(slot) : slot}"]:enabled`)
    }
  }
  touch("[data-act=done]")
}
window.tapCard = (card) => {
  const key = `.pack [data-card="${card}"]`
  if (!shown(key)) touch(".pack .turn")
  touch(key)
}
window.kept = () => JSON.parse(localStorage.getItem(Object.keys(localStorage).find((one) => one.startsWith("play "))) ?? "{}").entries ?? []
window.addEventListener("error", (event) => { window.trouble = event.error.stack })
window.tapAll = (entries, from = 0) => {
  for (const [at, entry] of entries.entries()) {
    if (at < from) continue
    window.tapped = at + 1
    tapIn(entry)
    if (kept().length !== at + 1) throw Error(`entry ${at}, ${entry}: ${kept()} ${window.trouble}`)
  }
  return [kept(), taps, document.querySelector(".send").getAttribute("aria-disabled")]
}
window.tapAnything = (count, random) => {
  for (let at = 0; at < count; at++) {
    random = (random * 1103515245 + 12345) % 2147483648
    const keys = [...document.querySelectorAll("play-pad button:not(.send)")].filter((one) => one.checkVisibility() && !one.disabled)
    keys[Math.floor(random / 65536) % keys.length].click()
  }
}
"""  # noqa: E501


@pytest.fixture
def shown(tab: Page) -> Iterator[Callable[..., Page]]:
    """The page of a pad, alone, before its first entry."""
    page = ""

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        file = STATIC / path.partition("/frontend/")[2]
        together = parts_together(path.partition(f"{version()}/")[2])
        if path == PAD_PATH:
            route.fulfill(body=page, content_type="text/html")
        elif together:
            route.fulfill(body=together, content_type="text/css")
        elif file.is_file():
            kind = {".js": "text/javascript", ".css": "text/css"}.get(file.suffix, "image/svg+xml")
            text = plain(path, file.read_bytes()) if file.suffix == ".js" else file.read_bytes()
            route.fulfill(body=text, content_type=kind)
        else:
            route.fulfill(status=404)

    def open_pad(
        game: Game[Any], options: Any, seats: int, dealer: int, language: str = "en", known: Any = None
    ) -> Page:
        nonlocal page
        pad = game.pad(options)
        assert pad is not None
        more = {"dealer": dealer, "number": 1, "known": known or {}, "kept": {"entries": [], "revision": 0}}
        with translation.override(language):
            keys = showing.pad_keys(game, pad, NAMES[:seats], more)
            page = render_to_string("table/play.html", keys | {"board": 1, "code": "0123456789", "parts": []})
        page = page.replace(f"/{language}/t/", "/en/t/")
        tab.goto(ADDRESS + PAD_PATH)
        tab.evaluate("localStorage.clear()")
        tab.goto(ADDRESS + PAD_PATH)
        tab.wait_for_function("Boolean(document.querySelector('.place[aria-current], [data-turned]'))")
        tab.evaluate(TAP)
        return tab

    tab.route(f"{ADDRESS}**", serve)
    yield open_pad
    tab.unroute(f"{ADDRESS}**")


@in_browser
def test_a_pad_says_that_there_is_no_network(shown: Callable[..., Page]) -> None:
    game = registry.game("belote-noisette")
    with board(game, "pads", 1) as played:
        page = shown(game, played.options, len(played.seats), played.deal.dealer, "fr")
    told = page.get_by_text("Pas de réseau")
    expect(told).to_be_hidden()
    expect(page.locator("[data-act=undo]")).to_have_text("Défaire")
    page.context.set_offline(True)
    expect(told).to_be_visible()
    page.context.set_offline(False)
    expect(told).to_be_hidden()


@pytest.mark.parametrize(
    ("name", "token", "language", "label"),
    [
        ("caisse", "x:clarte@2", "en", "contre of Clarté, Bruno"),
        ("caisse", "x:clarte@2", "fr", "contre de Clarté, Bruno"),
        ("caisse", "tous-les-atouts", "fr", "Tous les Atouts"),
        ("tarot-4-saisons", "quasi@3", "fr", "quasi, Chloé"),
    ],
)
def test_a_contract_is_called_by_its_name_and_whose_it_is(
    name: str, token: str, language: str, label: str
) -> None:
    game = registry.game(name)
    pad = game.pad(with_defaults(game.options, {}))
    assert pad is not None
    with translation.override(language):
        told = showing.pad_keys(game, pad, NAMES[: game.seats[0]], {})["told"]
    words = [
        one
        for stage in told["stages"]
        for one in (*stage.get("words", ()), *stage.get("said", {}).get("words", ()))
    ]
    labels = {one["label"].lower() for one in words if one["token"] == token}
    assert labels == {label.lower()}


@pytest.mark.parametrize("game", PADS, ids=lambda game: game.id)
def test_whatever_is_said_together_is_not_too_long_to_be_sent(game: Game[Any]) -> None:
    pad = game.pad(with_defaults(game.options, {}))
    assert pad is not None
    told = pad.to_json(game.names, game.words, game.thing, "en")
    for stage in (one.get("said", one) for one in told["stages"]):
        if stage.get("between"):
            all_said = stage["between"].join(word["token"] for word in stage["words"])
            assert len(f"{stage['verb']}:{all_said}") <= ENTRY_LETTERS


PAD_PATH = "en/t/0123456789/boards/1/play/"


@in_browser
@pytest.mark.parametrize("game", here(PADS, one_in=4), ids=lambda game: game.id)
def test_what_robots_play_is_tapped_in_key_by_key(shown: Callable[..., Page], game: Game[Any]) -> None:
    left = many(1, 20)
    for number in range(1, 200):
        with board(game, "keys", number) as played:
            entries, _seats = a_record(played)
            if not entries:
                continue
            known = game.known(played.deal, {})
            page = shown(game, played.options, len(played.seats), played.deal.dealer, known=known)
            tapped = in_tapping_order(game, played, entries)
            kept, taps, is_off = page.evaluate("entries => tapAll(entries)", tapped)
            assert kept == tapped
            assert is_off == "false"
            told = page.eval_on_selector_all(
                ".strip button", "keys => keys.map((key) => key.getAttribute('aria-label'))"
            )
            assert [one for one in told if not re.fullmatch(r"Entry \d+: \S.*", one)] == []
            sent = page.evaluate(
                "async entries => (await import('lib/card-pad.js')).actions(JSON.parse("
                "document.getElementById('pad').textContent), entries)",
                kept,
            )
            assert as_recorded(played, sent) == as_recorded(played, entries)
            print(f"{game.id}: {len(entries)} entries, {taps} taps")
            left -= 1
            if not left:
                return
    raise AssertionError("no play of this game is whole")


@in_browser
def test_a_card_that_does_not_go_on_ends_the_trick(shown: Callable[..., Page]) -> None:
    """Only where it might go on somebody has to say that it does not."""
    game = registry.game("sept")
    page = shown(game, with_defaults(game.options, {}), 2, 2)
    for card in ("8S", "8H", "9S", "TS", "JD"):
        page.evaluate('card => touch(`.pack [data-card="${card}"]`)', card)
    kept = ["play:8S", "play:8H", "stop", "play:9S", "play:TS", "stop", "play:JD"]
    assert page.evaluate("kept()") == kept
    assert "Anna" in page.locator(".place[aria-current]").inner_text()  # Bruno has taken twice


@in_browser
@pytest.mark.parametrize("game", here(PADS, one_in=4), ids=lambda game: game.id)
def test_a_pad_takes_any_taps(shown: Callable[..., Page], game: Game[Any]) -> None:
    """Whoever taps without a plan is told what is wanted, in words, until all is entered."""
    options = with_defaults(game.options, {})
    for seed in range(1, 1 + many(1, 20)):
        page = shown(game, options, game.seats[0], 1, known=game.conditions_of(1, {}))
        with troubles_of(page) as troubles:
            page.evaluate("seed => tapAnything(400, seed)", seed)
        assert page.evaluate("window.trouble") is None
        assert [one for one in troubles if "404" not in one and "records" not in one] == []
        assert page.locator(".line").inner_text()


@in_browser
def test_a_diable_that_exchanges_nothing_says_so(shown: Callable[..., Page]) -> None:
    """A word of its own, beside the exchange that it could make."""
    game = registry.game("heritiers")
    for number in range(1, 400):
        with board(game, "keeps", number) as played:
            entries, _seats = a_record(played)
            if "devil:keep" not in entries:
                continue
            page = shown(game, played.options, len(played.seats), played.deal.dealer)
            tapped = in_tapping_order(game, played, entries)
            assert page.evaluate("entries => tapAll(entries)", tapped)[0] == tapped
            return
    raise AssertionError("no Diable keeps its cards")


@in_browser
def test_a_card_that_is_thrown_away_says_that_one_was_drawn(shown: Callable[..., Page]) -> None:
    """Only what is taken from the table has to be said, and what is laid there: in words, where it cannot
    be."""
    page = shown(
        registry.game("loba"), with_defaults(registry.game("loba").options, {}), 3, 3, known={"mene": 2}
    )

    def tap(*cards: str) -> None:
        for card in cards:
            page.evaluate("card => tapCard(card)", card)

    tap("9D", "KS")
    page.evaluate("() => touch('[data-say=take]')")
    tap("QS")
    assert page.evaluate("kept()") == ["@turned:9D", "draw", "discard:KS", "take", "discard:QS"]
    page.evaluate("() => touch('[data-act=lay]')")
    tap("7S", "7H", "JK")
    page.evaluate("() => touch('.pack [data-act=done]')")
    assert page.locator(".line").inner_text() == "The first lay-down is set + run, and nothing more."
    tap("5D")
    assert page.locator('.pack button[data-card="5H"]').is_disabled(), "one set is the contract"
    tap("JK", "4D", "2D")  # in whatever order
    page.evaluate("() => touch('.pack [data-act=done]')")
    laid = ["draw", "lay:set(7S,7H,JK)+run(2D,JK,4D,5D)"]
    assert page.evaluate("kept()")[5:] == laid
    assert page.locator(".meld button").all_inner_texts() != []
    assert page.locator(".meld button:enabled").count() == 0, "nothing more in the same turn"
    assert [one.inner_text() for one in page.locator(".place small").all()] == [
        "cards 11",
        "cards 11",
        "cards 5",
    ]
    tap("KS", "2C", "3C")
    page.evaluate("() => touch('[data-meld=\"2:low\"]')")
    tap("AD")
    tap("6C")
    assert page.evaluate("kept()")[7:] == [
        *("discard:KS", "draw", "discard:2C", "draw", "discard:3C"),
        *("draw", "add:2:low:AD", "discard:6C"),
    ]


@in_browser
def test_six_of_a_rank_are_one_combination_where_it_is_said(shown: Callable[..., Page]) -> None:
    page = shown(
        registry.game("loba"), with_defaults(registry.game("loba").options, {}), 3, 3, known={"mene": 1}
    )
    entries = ["@turned:9D", "draw", "lay:six(9S,9S,9H,9C,9C,JK)", "discard:2D"]
    assert page.evaluate("entries => tapAll(entries)", entries)[0] == entries
    assert page.locator(".meld").count() == 1
    page.evaluate("() => { for (const _of of [1, 2]) touch('.undo') }")
    page.evaluate("() => touch('[data-act=lay]')")
    for card in ("9S", "9S", "JK", "9H", "9C", "JK"):
        page.evaluate("card => tapCard(card)", card)
    assert not page.locator("[data-act=six]").is_visible(), "it would have two jokers"
    page.evaluate("() => touch('.pack [data-act=done]')")
    assert page.locator(".meld").count() == 2


@in_browser
def test_a_forgotten_announcement_is_entered_in_its_place_and_one_too_many_taken_out(
    shown: Callable[..., Page],
) -> None:
    """Later cards of the table are then in other places, and the pad knows where."""
    game = registry.game("besigue-japonais")
    page = shown(game, with_defaults(game.options, {}), 2, 2)
    later = ["play:AC", "play:7C", "meld:QH,KH>mariage:1,2", "play:QH#1", "play:9H"]
    entries = ["1 blanche", "play:AD", "play:7D", *later]
    assert page.evaluate("entries => tapAll(entries)", entries)[0] == entries
    page.evaluate("() => touch('.strip [data-entry=\"3\"]')")
    page.evaluate("() => { tapped = 0; tapMeld('QS,JD>besigue:1,2') }")
    moved = ["play:AC", "play:7C", "meld:QH,KH>mariage:3,4", "play:QH#3", "play:9H"]
    assert page.evaluate("kept()") == [*entries[:3], "meld:QS,JD>besigue:1,2", *moved]
    assert page.locator(".place .taken").all_inner_texts() == ["130", "0"]
    page.evaluate("() => touch('.strip [data-entry=\"3\"]')")
    page.evaluate("() => touch('[data-act=out]')")
    assert page.evaluate("kept()") == entries
    assert page.locator(".place .taken").all_inner_texts() == ["90", "0"]


@in_browser
def test_the_pad_of_a_besigue_does_not_count_the_stock(shown: Callable[..., Page]) -> None:
    """Counting the cards that are left is forbidden: neither copies nor tricks are told."""
    game = registry.game("besigue-japonais")
    page = shown(game, with_defaults(game.options, {}), 2, 2)
    counted = "[...document.querySelectorAll('[data-count]')].map((key) => key.dataset.count).filter(Boolean)"
    page.evaluate("entries => tapAll(entries)", ["play:AD", "play:7D", "play:AD", "play:8D"])
    assert page.evaluate(counted) == []
    page.evaluate("() => touch('.send')")
    assert page.locator(".line").inner_text() == "Not all cards have been played yet."
    assert page.locator(".place .taken").all_inner_texts() == ["0", "0"]


@in_browser
def test_only_the_suits_of_turned_cards_are_taken(shown: Callable[..., Page]) -> None:
    """A wrong one would be noticed after the last card; the second is turned once nobody wants the first."""
    game = registry.game("belote-noisette")
    page = shown(game, with_defaults(game.options, {}), 3, 3)
    offered = "[...document.querySelectorAll('.group:not([hidden]) [data-say]')]"
    offered += ".filter((key) => key.checkVisibility() && !key.disabled).map((key) => key.dataset.say)"
    assert page.locator(".line").inner_text() == "Which card is it: turned card?"
    page.evaluate("entries => tapAll(entries)", ["@turned:9H"])
    assert sorted(page.evaluate(offered)) == ["pass", "take:H"]
    entries = ["@turned:9H", "pass", "pass", "pass", "@turned:AS"]
    page.evaluate("entries => tapAll(entries, 1)", entries)
    assert sorted(page.evaluate(offered)) == ["pass", "take:H", "take:S"]
    page.evaluate("entries => tapAll(entries, 5)", [*entries, "take:S"])
    assert page.locator('.pack button[data-card="AS"]').is_enabled(), "it lies face up, and goes to the taker"


@in_browser
@pytest.mark.parametrize("game", ["le-99", "loba"])
def test_what_ends_with_no_certain_card_counts_none(shown: Callable[..., Page], game: str) -> None:
    page = shown(registry.game(game), with_defaults(registry.game(game).options, {}), 3, 3)
    page.evaluate("entries => tapAll(entries)", ["@turned:5H"])
    page.evaluate("() => touch('.send')")
    assert page.locator(".line").inner_text() == "The deal is not over yet."


@in_browser
def test_what_is_plain_of_an_announcement_is_filled_in(shown: Callable[..., Page]) -> None:
    """A bésigue takes two taps, a mariage and a suite three; what breaks a rule is refused in words."""
    game = registry.game("besigue-japonais")
    page = shown(game, with_defaults(game.options, {}), 2, 2)

    def announced(*keys: str) -> str:
        for key in keys:
            page.evaluate("key => touch(key)", key)
        return str(page.evaluate("kept().at(-1)"))

    done, cards = "[data-act=done]", '.pack [data-card="{}"]'
    page.evaluate("entries => tapAll(entries)", ["play:AD", "play:7D"])
    assert announced("[data-kind=besigue]", done) == "meld:QS,JD>besigue:1,2"
    page.evaluate("entries => tapAll(entries, 3)", [*page.evaluate("kept()"), "play:AD", "play:7D"])
    assert announced("[data-kind=suite]", cards.format("KS"), done) == "meld:JS,KS,TS,AS>suite:1,3,4,5,6"
    page.evaluate("entries => tapAll(entries, 6)", [*page.evaluate("kept()"), "play:AD", "play:7D"])
    served = announced("[data-kind=mariage]", '[data-slot="4"]:enabled', '[data-slot="1"]:enabled', done)
    assert served == "play:7D", "cards of a suite are not married"
    assert "cannot be announced" in page.locator(".line").inner_text()


@in_browser
def test_what_was_said_out_of_turn_is_moved_with_its_answers(shown: Callable[..., Page]) -> None:
    """Somebody takes down a bet later than it was said."""
    game = registry.game("demons-punisseurs")
    page = shown(game, with_defaults(game.options, {}), 3, 3)
    entries = ["@turned:9H", "play:8S", "2 bet:suite", "hold", "silent", "play:TS"]
    assert page.evaluate("entries => tapAll(entries)", entries)[0] == entries
    page.evaluate("() => touch('.strip [data-entry=\"2\"]')")
    page.evaluate("() => touch('[data-move=earlier]')")
    moved = ["@turned:9H", "2 bet:suite", "hold", "silent", "play:8S", "play:TS"]
    assert page.evaluate("kept()") == moved
    page.evaluate("() => touch('[data-move=later]')")
    assert page.evaluate("kept()") == entries
    assert page.evaluate("() => touch('.strip [data-entry=\"2\"]')") is None
    assert not page.locator(".moves").is_visible()
