"""The pad beside the engine: what it knows of a table, from what was taken down, and nothing else."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from engines import registry
from engines.contract import Game, with_defaults
from engines.games.besigue.melds import KINDS, Search
from tests.engines.test_conformance import board
from tests.frontend.alone import ADDRESS, IMPORTS, STATIC
from tests.frontend.playing import (
    PADS,
    a_record,
    around,
    as_recorded,
    board_pad,
    in_browser,
    in_tapping_order,
    pad_of,
    unsaid,
    whose,
)
from tests.samples import here, many
from tournaments.compressing import plain

PAGE = """<!doctype html><script type="importmap">{imports}</script><script type="module">
import {{ actions, faceDown, misfit, revoked, tableAfter, words }} from "lib/card-pad.js"
window.turns = (pad, entries) => [...entries.keys(), entries.length].map((at) => {{
  const table = tableAfter(pad, entries.slice(0, at))
  return [table.wants, table.seat, at === entries.length || table.fits(entries[at])]
}})
window.lies = (pad, entries) => [...entries.keys()].map((at) => tableAfter(pad, entries.slice(0, at)).lying)
window.judged = (pad, asked) => asked.map(([entries, token]) => !tableAfter(pad, entries).refusalOf(token))
window.revokes = (pad, plays) => plays.map((entries) => revoked(pad, entries)?.later ?? -1)
window.sent = (pad, entries) => [actions(pad, entries), misfit(pad, entries)]
</script>"""


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
@pytest.mark.parametrize("game", here(PADS, one_in=4), ids=lambda game: game.id)
def test_a_card_that_cannot_be_is_named_from_what_was_played_alone(turns: Page, game: Game[Any]) -> None:
    """What robots play is never doubted. With two cards of a seat in each other's places its hand is the
    same: of a pair that is doubted then, the engine refuses one, or a card before."""
    found, has_duty = 0, False
    for number in range(1, 1 + many(3, 20)):
        with board(game, "pads", number) as played:
            entries, seats = a_record(played)
            at = [place for place, one in enumerate(entries) if re.fullmatch(r"play:\w+", one)]
            if not at:
                continue
            pad = pad_of(game, played.options) | around(game, played)
            has_duty |= any("duty" in stage for stage in pad["stages"])
            swapped = [entries]
            for _time in range(many(12, 30)):
                one = played.random.choice(at)
                other = played.random.choice([place for place in at if seats[place] == seats[one]])
                swapped.append(list(entries))
                swapped[-1][one], swapped[-1][other] = entries[other], entries[one]
            if pad["stages"][0]["kind"] == "melding":  # what is unsaid is so by its place: no card moves it
                silent = set(unsaid(played, entries))
                tapped = [[one for at, one in enumerate(whole) if at not in silent] for whole in swapped]
            else:
                tapped = [in_tapping_order(game, played, one) for one in swapped]
            doubted = turns.evaluate("([pad, plays]) => revokes(pad, plays)", [pad, tapped])
            assert doubted[0] == -1
            for one, whole, place in zip(tapped[1:], swapped[1:], doubted[1:], strict=True):
                if place >= 0:
                    found += 1
                    plays = [at for at, entry in enumerate(whole) if entry.startswith("play:")]
                    nth = sum(entry.startswith("play:") for entry in one[:place])
                    assert refused_at(game, played, whole) <= plays[nth]
    assert bool(found) == has_duty


def refused_at(game: Game[Any], played: Any, entries: list[str]) -> int:
    """The place of the first entry that the engine refuses."""
    state = game.start(played.deal, played.options)
    for place, entry in enumerate(entries):
        if state.over or not state.is_legal(entry):
            return place
        state.apply(entry)
    return len(entries)


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
