"""The play of a board taken down card by card: the pad knows what the table has seen, and nothing else."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation
from playwright.sync_api import Page, Route, expect

from engines import bots, registry
from engines.contract import Game, with_defaults
from engines.errors import EngineError
from engines.games.besigue.melds import KINDS, Search
from engines.games.demons_punisseurs.cards import STRENGTH
from engines.pads import Costumes, Melding, Pad
from frontend.table import showing
from frontend.table.views import ENTRIES, ENTRY_LETTERS
from tests.engines.test_conformance import GAMES, RandomBoard, board
from tests.frontend.browsers import in_a_browser, styles_together, troubles_of
from tests.frontend.test_result_entry import ADDRESS, IMPORTS, STATIC
from tests.frontend.test_table_page import phone, send
from tests.samples import here, many
from tests.tournaments.test_table_links import an_official
from tests.tournaments.worlds import World, a_world, plays_of, work
from tests.tournaments.worlds import a_record as a_record_of
from tournaments.compressing import plain
from tournaments.models import LateEntry, Session, Submission
from tournaments.services import board_sets, table_links
from tournaments.versioned import version

PADS = [game for game in GAMES if game.pad(with_defaults(game.options, {})) is not None]
PAGE = """<!doctype html><script type="importmap">{imports}</script><script type="module">
import {{ actions, faceDown, misfit, tableAfter, words }} from "lib/card-pad.js"
window.turns = (pad, entries) => [...entries.keys(), entries.length].map((at) => {{
  const table = tableAfter(pad, entries.slice(0, at))
  return [table.wants, table.seat, at === entries.length || table.fits(entries[at])]
}})
window.lies = (pad, entries) => [...entries.keys()].map((at) => tableAfter(pad, entries.slice(0, at)).lying)
window.judged = (pad, asked) => asked.map(([entries, token]) => !tableAfter(pad, entries).refusalOf(token))
window.sent = (pad, entries) => [actions(pad, entries), misfit(pad, entries)]
</script>"""


def in_browser(test: Any) -> Any:
    """A test of this page that needs a browser; the others do not."""
    for mark in in_a_browser:
        test = mark(test)
    return test


@pytest.fixture
def turns(tab: Page) -> Iterator[Page]:
    """A page with nothing but what is known of the table."""

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if not path:
            route.fulfill(body=PAGE.format(imports=json.dumps(IMPORTS)), content_type="text/html")
        else:
            text = plain(path, (STATIC / path).read_bytes())
            route.fulfill(body=text, content_type="text/javascript")

    tab.route(f"{ADDRESS}**", serve)
    tab.goto(ADDRESS)
    tab.wait_for_function("Boolean(window.turns)")
    yield tab
    tab.unroute(f"{ADDRESS}**")


def pad_of(game: Game[Any], options: Any) -> dict[str, Any]:
    pad = game.pad(options)
    assert pad is not None
    return pad.to_json(game.names, game.words, game.thing, "en")


def around(game: Game[Any], board: RandomBoard) -> dict[str, Any]:
    """What a table knows of a board."""
    known = game.known(board.deal, {})
    return {"seats": len(board.seats), "dealer": board.deal.dealer, "known": known}


def down(pad: dict[str, Any]) -> tuple[str, ...]:
    """How tokens begin that say what lies face down."""
    return tuple(f"{stage['verb']}:" for stage in pad["stages"] if stage["kind"] == "down")


def a_record(board: RandomBoard) -> tuple[list[str], list[int]]:
    """What robots play in turn, and whose turn it is; nothing where no card is played, which pads leave to
    sheets."""
    state, seats = board.state, []
    while not state.over:
        seat = board.random.choice(state.actors()) if board.random.random() < 0.1 else state.turn
        seats.append(seat)
        state.apply(f"{seat} {state.any_legal(seat, board.random)}")
    pad = board_pad(board)
    if pad is None or not pad.is_whole(state.entries):
        return [], []
    if pad.counts:  # jokers are alike: which of them is meant, no table sees
        alike = [ALIKE.sub("JK", entry) for entry in state.entries]
        return (alike, seats) if is_as_good(board, alike) else ([], [])
    calls = {call for stage in pad.stages if isinstance(stage, Costumes) for call in stage.talk.calls}
    calls |= {stage.shows for stage in pad.stages if isinstance(stage, Melding)}
    pairs = zip(state.entries, seats, strict=True)
    return [f"{seat} {entry}" if entry in calls else entry for entry, seat in pairs], seats


ALIKE = re.compile(r"JK\d")


def is_as_good(board: RandomBoard, entries: list[str]) -> bool:
    """Whether a play is the same whichever joker is meant: what is shuffled again lies otherwise; and not too
    long for a phone."""
    state = registry.game(board.file["game"]).start(board.deal, board.options)
    try:
        state.apply_all(entries)
    except EngineError:
        return False
    return state.over and len(entries) <= ENTRIES


def as_recorded(board: RandomBoard, entries: list[str]) -> list[str]:
    """What the engine writes down of a play that was sent."""
    state = registry.game(board.file["game"]).start(board.deal, board.options)
    state.apply_all(entries)
    assert state.over
    return list(state.entries)


def unsaid(board: RandomBoard, entries: list[str]) -> list[int]:
    """The places of what nobody says: that nothing is announced, or that cartes blanches are not shown."""
    state = registry.game(board.file["game"]).start(board.deal, board.options)
    places = []
    for place, entry in enumerate(entries):
        if entry == "pass" and state.phase in {"meld", "blanche"}:
            places.append(place)
        state.apply(entry)
    return places


def is_call(entry: str) -> bool:
    """Said by a seat that is not asked."""
    return entry[0].isdigit() and not entry[2:].startswith(("play:", "dispute:"))


def in_turn(entry: str) -> str:
    """Without the seat that is to act anyway."""
    return entry if is_call(entry) or not entry[0].isdigit() else entry[2:]


def board_pad(board: RandomBoard) -> Pad | None:
    return registry.game(board.file["game"]).pad(board.options)


def in_tapping_order(game: Game[Any], board: RandomBoard, entries: list[str]) -> list[str]:
    """First the suits that are turned, last what lies face down."""
    pad = pad_of(game, board.options)
    if pad["stages"][0]["kind"] == "melding":
        silent = set(unsaid(board, entries))
        return [entry for place, entry in enumerate(entries) if place not in silent]
    lying = [stage for stage in pad["stages"] if stage.get("stay")]
    if lying:
        turned = board.deal.pool if hasattr(board.deal, "pool") else board.deal.turned
        parts = [in_two(entry) for entry in map(in_turn, entries)]
        if game.id == "demons-punisseurs" and without_a_trade(board):
            parts = [part for part in parts if part != ["done"]]
        first, last = [part[0] for part in parts], [part[1] for part in parts if part[1:]]
        return [*(f"@turned:{card}" for card in turned), *first, *last]
    if any(stage["kind"] == "counting" for stage in pad["stages"]):
        return [f"@turned:{board.deal.turned}", *entries, "@stuck"]
    named = [stage["labels"] for stage in pad["stages"] if stage["kind"] == "turned" and stage["labels"]]
    if named:
        turned = [ALIKE.sub("JK", getattr(board.deal, name.split()[0])) for name in named[0]]
        first = [f"@turned:{card}" for card in turned]
        tapped = first + sorted(entries, key=lambda entry: entry.startswith(down(pad)))
        if named[1:] and entries[:3] == ["pass"] * 3:  # nobody wants the first one
            tapped.insert(4, f"@turned:{board.deal.stock[3]}")
        return tapped
    turned = sum(stage["count"] for stage in pad["stages"] if stage["kind"] == "turned")
    first = [f"@turned:{card[-1]}" for card in getattr(board.deal, "turned", ())[:turned]]
    return first + sorted(entries, key=lambda entry: entry.startswith(down(pad)))


def whose(
    pad: dict[str, Any], board: RandomBoard, entries: list[str], seats: list[int], tapped: list[str]
) -> list[int | None]:
    """Who is to act at each entry of a pad; None where nobody is, or whoever wants to."""
    left = [(in_two(in_turn(entry)), seat) for entry, seat in zip(entries, seats, strict=True)]
    if pad["stages"][0]["kind"] == "melding":
        silent = set(unsaid(board, entries))
        left = [one for place, one in enumerate(left) if place not in silent]
    acted: list[int | None] = []
    for one in tapped:
        place = next((at for at, (parts, _seat) in enumerate(left) if one in parts), None)
        acted.append(None if place is None or is_call(one) else left[place][1])
        if place is not None:
            left[place][0].remove(one)
    return acted


def in_two(entry: str) -> list[str]:
    """What a seat shows and takes, and what it gives face down."""
    if not entry.startswith("swap:"):
        return [entry]
    shown, _semicolon, pairs = entry.removeprefix("swap:").partition(";")
    gives, takes = zip(*(pair.split(">") for pair in pairs.split(",")), strict=True)
    return [f"@swap:{shown}>{'+'.join(takes)}", f"gave:{','.join(gives)}"]


def without_a_trade(board: RandomBoard) -> bool:
    """Whether no Démon lies face up that the dealer could take: nobody is asked."""
    deal = board.deal
    return not any(STRENGTH[deal.trump][card] and card[1] in {"C", deal.trump} for card in deal.turned)


@in_browser
@pytest.mark.parametrize("game", here(PADS, one_in=4), ids=lambda game: game.id)
def test_the_pad_says_it_as_the_engine_does(turns: Page, game: Game[Any]) -> None:
    """Without the hands: from what is said and played, and from the turned cards. What lies face down is
    asked at the end, and sent where it belongs."""
    compared = 0
    for number in range(1, 1 + many(4, 60)):
        with board(game, "pads", number) as played:
            entries, seats = a_record(played)
            if not entries:
                continue
            pad = pad_of(game, played.options) | around(game, played)
            tapped = in_tapping_order(game, played, entries)
            acted = whose(pad, played, entries, seats, tapped)
            shown = turns.evaluate("([pad, entries]) => turns(pad, entries)", [pad, tapped])
            assert [fits for _wants, _seat, fits in shown] == [True] * len(shown)
            asked = [None if seat is None else one[1] for seat, one in zip(acted, shown, strict=False)]
            assert asked == acted
            assert shown[-1][0] == "end" or pad["rounds"] > 1
            sent, wrong = turns.evaluate("([pad, entries]) => sent(pad, entries)", [pad, tapped])
            assert (as_recorded(played, sent), wrong) == (as_recorded(played, entries), -1)
            compared += len(acted)
    assert compared > 0


@in_browser
@pytest.mark.parametrize("game", [game for game in PADS if game.id.startswith("besigue")], ids=lambda g: g.id)
@pytest.mark.parametrize("crossing", ["pairwise", "connected"])
def test_the_pad_refuses_the_announcements_that_the_engine_refuses(
    turns: Page, game: Game[Any], crossing: str
) -> None:
    """Both judge whatever could be tapped of the cards on the table and in the hand; the pad by the table."""
    judged: Counter[bool] = Counter()
    options = with_defaults(game.options, {"crossing": crossing, "mariage_with_suite": "refused"})
    for number in range(1, 1 + many(2, 20)):
        with board(game, "refusals", number) as played:
            random, state, asked, tapped = played.random, game.start(played.deal, options), [], []
            while not state.over:
                if state.phase == "meld":
                    for token in wild_announcements(state, random):
                        asked.append([list(tapped), token])
                        judged[fine := state.is_legal(token)] += 1
                        asked[-1].append(fine)
                entry = state.any_legal(state.turn, random)
                if entry == "blanche":
                    tapped.append(f"{state.turn} blanche")
                elif entry != "pass" or state.phase == "brisques":
                    tapped.append(entry)
                state.apply(entry)
            pad = pad_of(game, options) | {"seats": 2, "dealer": played.deal.dealer}
            told = turns.evaluate("([pad, asked]) => judged(pad, asked)", [pad, asked])
            wrong = [one[1:] for one, fits in zip(asked, told, strict=True) if fits is not one[2]]
            assert wrong == []
    assert min(judged[True], judged[False]) > 20


def wild_announcements(state: Any, random: Random) -> Iterator[str]:
    """A good one with something changed, and what somebody might think of."""
    side = state.side()
    good = Search(side).draw(random)
    slots = [laid.slot for laid in side.laid]
    for _time in range(3):
        new = random.sample(side.hand, min(len(side.hand), random.randint(0, 3)))
        there = [*slots, *range(side.first, side.first + len(new))]
        size = random.choice([2, 4, 4, 5])
        if len(there) >= size:
            chosen = ",".join(map(str, sorted(random.sample(there, size))))
            yield f"meld:{','.join(new)}>{random.choice(KINDS)}:{chosen}"
    if good:
        yield good
        cards, melds = good.removeprefix("meld:").split(">")
        parts = melds.split("+")
        random.shuffle(parts)
        yield f"meld:{cards}>{'+'.join(parts)}"
        yield f"meld:{cards}>{random.choice(parts)}"
        if slots:
            other = random.choice(slots)
            yield f"meld:{cards}>{re.sub(r'[0-9]+', str(other), melds, count=1)}"


@in_browser
@pytest.mark.parametrize("cards", ["KH KS KD KC", "2H 3D 4H 5D 6H 7D KH KS KD KC"])
def test_a_penitence_is_left_to_the_sheet(turns: Page, cards: str) -> None:
    """Four cards that are accepted would tell who holds them."""
    game = registry.game("frappe")
    pad = pad_of(game, with_defaults(game.options, {})) | {"seats": 2, "dealer": 1}
    played = [f"play:{card}" for card in cards.split()]
    entries = ["wait", *played[:6], *(["wait", *played[6:]] if len(played) > 6 else [])]
    shown = turns.evaluate("([pad, entries]) => turns(pad, entries)", [pad, entries])
    assert all(fits for _wants, _seat, fits in shown)
    assert [wants for wants, _seat, _fits in shown][-2:] == ["card", "out"]
    one = game.pad(with_defaults(game.options, {}))
    assert one is not None
    assert not one.is_whole(entries)


@in_browser
def test_a_play_that_ends_before_the_last_card_is_left_to_the_sheet(turns: Page) -> None:
    """A défi that is conceded, a Misère that takes a trick: handed in, it would ask about hands."""
    game, short = registry.game("caisse"), 0
    for number in range(1, 400):
        with board(game, "short", number) as played:
            while not played.state.over:
                played.state.apply(played.state.any_legal(played.state.turn, played.random))
            entries, pad = list(played.state.entries), board_pad(played)
            assert pad is not None
            if pad.is_whole(entries) or not any("play:" in entry for entry in entries):
                continue
            tapped = in_tapping_order(game, played, entries)
            tapped = [entry for entry in tapped if not entry.startswith("discard:")]
            shown = turns.evaluate(
                "([pad, entries]) => turns(pad, entries)",
                [pad_of(game, played.options) | around(game, played), tapped],
            )
            assert all(fits for _wants, _seat, fits in shown)
            assert shown[-1][0] == "out"
            short += 1
            if short == many(3, 20):
                return
    raise AssertionError("every play is whole")


@in_browser
def test_the_table_of_frappe_lies_as_the_engine_has_it(turns: Page) -> None:
    """What a card takes, and in which order the others lie, says which cards may stay in place."""
    game, compared = registry.game("frappe"), 0
    for number in range(1, 1 + many(6, 60)):
        with board(game, "lying", number) as played:
            state, lying = played.state, []
            while not state.over:
                lying.append(list(state.table))
                state.apply(state.any_legal(state.turn, played.random))
            entries = list(state.entries)
            pad = pad_of(game, played.options) | {"seats": 2, "dealer": played.deal.dealer}
            assert turns.evaluate("([pad, entries]) => lies(pad, entries)", [pad, entries]) == lying
            after = turns.evaluate("([pad, entries]) => turns(pad, entries)", [pad, entries])[-1]
            assert after[0] == ("out" if state.winner is not None else "end")
            compared += len(lying)
    assert compared > 0


# ── The page ──────────────────────────────────────────────────────────────────────────────────────

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
        together = styles_together(path.partition(f"{version()}/")[2])
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


# ── What the service keeps and takes ──────────────────────────────────────────────────────────────


def first_play(world: World, home: str) -> Any:
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    return next(one for one in plays_of(world.session) if one.table_id == link.table_id)


def told(client: Client, address: str) -> dict[str, Any]:
    text = client.get(address).content.decode()
    return dict(json.loads(re.findall(r'<script id="pad"[^>]*>(.*?)</script>', text)[0]))


def test_a_play_is_taken_down_by_one_phone_and_handed_in_by_another(world: World) -> None:
    client, home = phone(world)
    play = first_play(world, home)
    number, address = play.board.number, f"{home}boards/{play.board.number}/play/"
    page = client.get(address)
    assert page.headers["Cache-Control"] == "no-store"
    assert "Cards that are still out" in page.content.decode()
    assert "Card by card" in client.get(home).content.decode()
    actions = a_record_of(play, world.session)["actions"]
    entries = ["@turned:S", "@turned:H", *actions[:2]]
    kept = send(client, f"{home}records/", board=number, entries=entries, revision=0)
    assert kept.json() == {"revision": 1}
    other = Client(HTTP_HOST="localhost")
    assert told(other, address)["kept"] == {"entries": entries, "revision": 1}
    assert send(other, f"{home}records/", board=number, entries=actions[:3], revision=1).json() == {
        "revision": 2
    }
    late = send(client, f"{home}records/", board=number, entries=entries, revision=1)
    assert (late.status_code, late.json()["code"]) == (409, "taken-up")
    assert late.json()["details"] == {"entries": actions[:3], "revision": 2}
    entry = {"board": number, "key": str(uuid4()), "actions": actions, "seat": 1}
    stored = [send(other, f"{home}results/", **entry).json() for _time in range(2)]
    assert stored[0] == stored[1]
    work(world.session)
    assert Submission.objects.get().state == "accepted"
    assert Submission.objects.get().content == {"actions": actions}
    assert client.get(address).headers["Location"] == home  # nothing more is shown of its cards
    assert "play:" not in client.get(home).content.decode()
    again = send(client, f"{home}records/", board=number, entries=[], revision=2)
    assert (again.status_code, again.json()["code"]) == (409, "not-open")


@pytest.mark.django_db
@pytest.mark.parametrize("game", here([game.id for game in PADS if game.seats[0] == 3], one_in=4))
def test_the_pad_is_the_same_whatever_was_dealt(game: str) -> None:
    shown = []
    for _deal in range(2):
        world = a_world(published=True, game=game)
        client, home = phone(world)
        answers = [
            client.get(f"{home}boards/{number}/play/")
            for number in range(world.session.board_set.boards.count() + 2)
        ]
        assert {one.status_code for one in answers} == {200, 404}  # of the round that is played alone
        texts = [re.sub(r"/t/\w{10}/|nonce=\S+", "", one.content.decode()) for one in answers]
        shown.append([(one.status_code, text) for one, text in zip(answers, texts, strict=True)])
    assert shown[0] == shown[1]


def test_a_wrong_play_is_refused_without_a_word_of_what_is_wrong(world: World) -> None:
    client, home = phone(world)
    play = first_play(world, home)
    actions = a_record_of(play, world.session)["actions"]
    entry = {"board": play.board.number, "key": str(uuid4()), "actions": actions[::-1]}
    assert send(client, f"{home}results/", **entry).status_code == 200
    work(world.session)
    text = client.get(f"{home}now/").content.decode()
    data = json.loads(re.findall(r'<script id="data"[^>]*>(.*?)</script>', text)[0])
    said = data["boards"][str(play.board.number)]["said"].values()
    assert {tuple(one) for one in said} == {
        ("refused", f"This cannot be the whole play of board {play.board.number}; is the number right?", None)
    }


def test_a_play_without_all_of_its_cards_is_not_read(world: World) -> None:
    """Accepted or not, it would tell who may claim, or bid so high."""
    client, home = phone(world)
    play = first_play(world, home)
    actions = a_record_of(play, world.session)["actions"]
    for short in (actions[:-1], ["claim-aces"], []):
        entry = {"board": play.board.number, "key": str(uuid4()), "actions": short}
        answer = send(client, f"{home}results/", **entry)
        assert (answer.status_code, answer.json()["code"]) == (400, "not-whole")
    assert not Submission.objects.exists()


@pytest.mark.django_db
def test_a_caisse_is_taken_whole_or_not_read() -> None:
    """Of a défi that is conceded nothing is told; from the first card to the last it counts."""
    world = a_world(game="caisse")
    client, home = phone(world)
    play = first_play(world, home)
    board = play.board.number
    page = client.get(f"{home}boards/{board}/play/").content.decode()
    assert "Cards that are still out" in page
    game, pad = registry.game("caisse"), showing.pad_of(world.session)
    assert pad is not None
    actions: list[str] = []
    for seed in range(100):
        if pad.is_whole(actions):
            break
        state = game.start(board_sets.deal_of(world.session, board), world.session.options)
        bots.play_on(game, state, [bots.at_random] * 3, bots.randomness(seed))
        actions = list(state.entries)
    last = max(at for at, action in enumerate(actions) if action.startswith("play:"))
    short = send(client, f"{home}results/", board=board, key=str(uuid4()), actions=actions[:last])
    assert (short.status_code, short.json()["code"]) == (400, "not-whole")
    assert not Submission.objects.exists()
    assert send(client, f"{home}results/", board=board, key=str(uuid4()), actions=actions).status_code == 200
    work(world.session)
    assert Submission.objects.get().state == "accepted"


@pytest.mark.django_db
def test_of_demons_punisseurs_only_a_jeu_that_was_played_is_read_and_once() -> None:
    """A jeu that is conceded would tell who has a specimen; a play that goes wrong is the last one."""
    world = a_world(game="demons-punisseurs")
    client, home = phone(world)
    board = first_play(world, home).board.number

    def answer(actions: list[str]) -> Any:
        return send(client, f"{home}results/", board=board, key=str(uuid4()), actions=actions)

    conceded = [f"{seat} concede:{name}" for name in ("pareil", "suite", "jeu") for seat in (1, 2)]
    assert answer(["done", *conceded]).json()["code"] == "not-whole"
    assert not Submission.objects.exists()
    guess = ["done", *(f"play:{card}" for card in ("7S", "8S", "9S", "TS") for _seat in range(3))]
    assert answer(guess).status_code == 200
    work(world.session)
    assert Submission.objects.get().state == "refused"
    again = answer(guess[::-1])
    assert (again.status_code, again.json()["code"]) == (409, "too-many-refused")
    assert Submission.objects.count() == 1


@pytest.mark.django_db
def test_a_loba_is_handed_in_once() -> None:
    """Who finishes, and with what, is a guess at hands: the first one is read, and no other."""
    world = a_world(game="loba")
    client, home = phone(world)
    board = first_play(world, home).board.number

    def answer(actions: list[str]) -> Any:
        return send(client, f"{home}results/", board=board, key=str(uuid4()), actions=actions)

    assert answer(["draw", "lay:set(7S,7H,JK)+set(8S,8H,JK)"]).json()["code"] == "not-whole"
    assert not Submission.objects.exists()
    assert answer(["draw", "discard:AS"]).status_code == 200
    work(world.session)
    assert Submission.objects.get().state == "refused"
    assert answer(["draw", "discard:2S"]).json()["code"] == "too-many-refused"
    game, session = registry.game("loba"), world.session
    state = game.start(board_sets.deal_of(session, board), session.options)
    bots.play_on(game, state, [bots.at_random] * 3, bots.randomness(1))
    assert answer(list(state.entries)).json()["code"] == "too-many-refused"


def test_a_play_that_comes_too_late_waits_unread(world: World) -> None:
    client, home = phone(world)
    play = first_play(world, home)
    actions = a_record_of(play, world.session)["actions"]
    table_links.make(session=world.session, actor=world.organiser, tables=[play.table_id])
    entry = {"board": play.board.number, "key": str(uuid4()), "actions": actions}
    assert send(client, f"{home}results/", **entry).json()["state"] == "kept"
    assert client.get(f"{home}boards/{play.board.number}/play/").status_code == 404
    assert send(client, f"{home}records/", board=play.board.number, entries=[], revision=0).status_code == 409
    official = an_official(world)
    desk = Client(HTTP_HOST="localhost")
    desk.force_login(official)
    shown = desk.get(f"/en/desk/sessions/{world.session.pk}/tables/").content.decode()
    assert "Card by card: 30" in shown
    assert actions[0] not in shown
    table_links.settle(entry=LateEntry.objects.get(), account=official, take=True)
    work(world.session)
    assert Submission.objects.get().state == "accepted"


@pytest.mark.parametrize(
    "entries", [None, "play:AS", [1], ["x" * 701], ["é"], ["a\nb"], ["play:AS"] * 601, {"0": "play:AS"}]
)
def test_what_no_pad_sends_is_refused(world: World, entries: Any) -> None:
    client, home = phone(world)
    board = first_play(world, home).board.number
    for name, body in (("records", {"entries": entries}), ("results", {"actions": entries})):
        body |= {"board": board, "key": str(uuid4())}
        assert send(client, f"{home}{name}/", **body).status_code == 400
    assert not Submission.objects.exists()


def test_a_game_that_tells_too_much_has_no_pad(world: World) -> None:
    """Who may claim four aces would learn by a short play whether somebody holds them."""
    client, home = phone(world)
    board = first_play(world, home).board.number
    Session.objects.filter(pk=world.session.pk).update(options={"four_aces": "allow"})
    assert client.get(f"{home}boards/{board}/play/").status_code == 404
    assert "Card by card" not in client.get(home).content.decode()
    entry = {"board": board, "key": str(uuid4()), "actions": ["claim-aces", "vote:yes", "vote:yes"]}
    assert send(client, f"{home}results/", **entry).json()["code"] == "no-pad"
    assert not Submission.objects.exists()


def test_of_a_duel_any_play_would_be_taken_and_tell_the_packs() -> None:
    """It says who draws and who concedes, which fits whatever lies in the packs: there is no pad."""
    game = registry.game("duel-las-vegas")
    told: dict[int, set[tuple[int, ...]]] = {}
    for number in range(1, 20):
        with board(game, "duel", number) as dealt:
            while not dealt.state.over:
                dealt.state.apply("concede")
            told.setdefault(len(dealt.state.entries), set()).add(dealt.state.outcome().scores)
    assert game.pad(with_defaults(game.options, {})) is None
    assert max(map(len, told.values())) > 1
