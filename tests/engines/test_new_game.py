"""The games that docs/new-game.md makes are games: the page's programs play through what is asked of all."""

import re
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from engines import bots, registry
from engines.contract import Game

from . import taps, test_conformance

PAGE = Path(__file__).parents[2] / "docs" / "new-game.md"
LINES_AT_MOST = 120
ASKED = (
    test_conformance.test_legal_actions_are_accepted_and_all_others_refused,
    test_conformance.test_the_order_of_legal_actions_is_fixed,
    test_conformance.test_the_sensible_robot_answers_for_every_seat_that_may_act,
    test_conformance.test_record_and_sheet_agree_and_points_add_up,
    test_conformance.test_a_deal_is_the_whole_pack_and_its_json_reads_back,
    test_conformance.test_views_hide_what_a_seat_may_not_know,
)


def made(monkeypatch: pytest.MonkeyPatch, programs: int) -> Game[Any]:
    """The game of the page's first programs, one after the other, which the registry knows for this test."""
    texts = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(texts[0].splitlines()) <= LINES_AT_MOST
    module = ModuleType("engines.games.hot_hearts")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for text in texts[:programs]:
        exec(compile(text, PAGE.name, "exec"), vars(module))
    (game,) = module.GAMES
    monkeypatch.setitem(registry._by_id, game.id, game)
    one: Game[Any] = game
    return one


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Game[Any]:
    return made(monkeypatch, programs=1)


@pytest.fixture(params=[1, 2], ids=["hot-hearts", "named-hearts"])
def either(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Game[Any]:
    return made(monkeypatch, programs=request.param)


@pytest.fixture
def boards() -> test_conformance.RandomBoards:
    return test_conformance.RandomBoards("new game", range(1, 13))


def test_the_pages_programs_play_through_what_is_asked_of_every_game(
    either: Game[Any], boards: test_conformance.RandomBoards
) -> None:
    for ask in ASKED:
        ask(either, boards)
    test_conformance.test_sheets_of_nonsense_are_refused_with_a_field(either)


def test_named_trumps_ruff_and_nothing_is_played_before_they_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = made(monkeypatch, programs=2)
    random, ruffed = Random(1), 0
    for number in range(1, 9):
        state = game.start(registry.deal_board(game, bytes(32), number, {}, {}), {})
        assert state.phase == "trump"
        assert not any(action.startswith("play:") for action in state.legal(state.turn))
        state.apply("trump:S")
        while not state.over:
            state.apply(state.any_legal(state.turn, random))
            view = state.view(None)
            spades = [one for one in view.trick if one.card[1] == "S"]
            if len(view.trick) == 4 and spades:
                ruffed += view.trick[0].card[1] != "S"
                assert view.taker == max(spades, key=lambda one: "789TJQKA".index(one.card[0])).seat
    assert ruffed


def test_each_heart_taken_costs_a_point_and_the_highest_card_of_the_suit_led_takes(game: Game[Any]) -> None:
    """Counted again, trick by trick, from what a spectator sees."""
    state = game.start(registry.deal_board(game, bytes(32), 1, {}, {}), {})
    random, hearts = Random(1), [0] * 4
    while not state.over:
        seat = state.turn
        state.apply(state.any_legal(seat, random))
        trick = state.view(None).trick
        if len(trick) == 4:
            led = [one for one in trick if one.card[1] == trick[0].card[1]]
            taker = max(led, key=lambda one: "789TJQKA".index(one.card[0])).seat
            assert state.view(None).taker == taker
            hearts[taker - 1] += sum(one.card[1] == "H" for one in trick)
    assert state.outcome().scores == tuple(-taken for taken in hearts)


def test_a_whole_match_of_it_is_played_by_robots_and_tapped_in(game: Game[Any]) -> None:
    told = []
    for number in range(1, 9):
        deal = registry.deal_board(game, bytes(32), number, {}, {})
        state = game.start(deal, {})
        bots.play_on(game, state, [bots.sensible] * 4, Random(number))
        phone = taps.tapped_in(game.show_form("en", {}, {}), game.summarise(state))
        assert game.score(phone.sheet(), deal=deal).scores == state.outcome().scores
        assert sum(state.outcome().scores) == -8
        told.append(phone.sheet())
    assert game.ledger(told)["over"]
    assert sum(game.ledger(told)["totals"]) == -64
