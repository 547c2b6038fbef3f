"""A sheet is worth the same to whoever does not know the deal: what counts although the deal contradicts it
does not stand out by its scores."""

from random import Random
from typing import Any

import pytest

from engines import bots, registry
from engines.errors import BadSheet, NeedsDeal

TABLES = [
    (name, {} if len(registry.game(name).seats) == 1 else {"seats": seats})
    for name in registry.games()
    for seats in registry.game(name).seats
]


@pytest.mark.parametrize(("name", "conditions"), TABLES)
def test_a_sheet_without_its_deal_is_worth_what_it_is_worth_with_it(
    name: str, conditions: dict[str, int]
) -> None:
    game = registry.game(name)
    options = registry.options_of(game, {})
    for number in (1, 2):
        deal = registry.deal_board(game, bytes(32), number, options, conditions)
        state = game.start(deal, options)
        bots.play_on(game, state, [bots.sensible] * game.seat_count(conditions), Random(number))
        sheet = game.summarise(state)
        known = conditions | {"dealer": game.dealer_of(number, conditions)}
        without = game.score(sheet, options=options, conditions=known)
        assert without == game.score(sheet, deal=deal, options=options, conditions=conditions)


def test_a_game_says_where_a_sheet_means_nothing_without_its_deal() -> None:
    game = registry.game("tarot-triple-detente")
    options = registry.options_of(game, {"modifications": True})
    deal = registry.deal_board(game, bytes(32), 1, options, {})
    state = game.start(deal, options)
    bots.play_on(game, state, [bots.sensible] * game.seat_count({}), Random(1))
    sheet = game.summarise(state)
    with pytest.raises(NeedsDeal):
        game.score(sheet, options=options)
    with pytest.raises(BadSheet, match="board has"):
        game.score(sheet | {"parts": []}, options=options)


@pytest.mark.parametrize(
    ("conditions", "parts", "error"),
    [
        ({}, [{}, {"all_or_nothing": [2, None, None]}], NeedsDeal),  # it says who has 100 points
        ({"start_scores": [0, 0, 0]}, [{}, {"all_or_nothing": [2, None, None]}], BadSheet),
        ({"start_scores": [0, 100, 0]}, [{"all_or_nothing": [2, None, None]}, {}], None),
    ],
)
def test_who_may_be_named_is_said_by_the_deal_or_by_the_scores_before_it(
    conditions: dict[str, Any], parts: list[dict[str, Any]], error: type[BadSheet] | None
) -> None:
    game = registry.game("tarot-double-detente")
    options = registry.options_of(game, {"all_or_nothing": True})
    usual = {"contracts": [4, 5, 3], "tricks": [4, 5, 4], "all_or_nothing": [None, None, None]}
    sheet = {"parts": [usual | part | petit for part, petit in zip(parts, ({"petit": 2}, {}), strict=True)]}
    if error is None:
        assert game.score(sheet, options=options, conditions=conditions).scores
    else:
        with pytest.raises(BadSheet) as refused:
            game.score(sheet, options=options, conditions=conditions)
        assert type(refused.value) is error
        assert refused.value.field == "parts[1].all_or_nothing"
