"""Sept: the worked examples of engines/rules/sept.md, then every refusal and option that it names."""

from typing import Any

import pytest

from engines.errors import BadDeal, BadRecord, BadSheet
from engines.games.sept import PACK, Deal, Sept

from .table import Table, legal, mean_scores

GAME = Sept()


def deal_of(first: str, second: str) -> dict[str, Any]:
    """Seat 1 leads; the stock is what remains, in the order of the pack."""
    hands = [first.split(), second.split()]
    rest = [card for card in PACK.order if card not in hands[0] + hands[1]]
    return {"dealer": 2, "hands": hands, "stock": rest}


DEAL = deal_of("KH 7C KD 8S", "9S 7D KS 8H")
TABLE = Table("sept", DEAL)


def test_two_and_two_the_forehand_first() -> None:
    deal = Deal.of(PACK.order, dealer=1)
    assert deal.hands[1] == PACK.cards([PACK.order[i] for i in (0, 1, 4, 5)])
    assert deal.hands[0] == PACK.cards([PACK.order[i] for i in (2, 3, 6, 7)])
    assert deal.stock == PACK.order[8:]


@pytest.mark.parametrize(
    ("change", "said"),
    [({"stock": []}, "4, 4, 24"), ({"hands": [["KH"], []]}, "4, 4, 24"), ({"dealer": 3}, "dealer")],
)
def test_a_deal_that_is_not_the_pack(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDeal, match=said):
        GAME.read_deal(DEAL | change)


@pytest.mark.parametrize(
    ("actions", "winner"),
    [
        ("play:KH play:9S stop", 1),  # worked example 1
        ("play:KH play:7D stop", 2),
        ("play:KH play:7D play:7C play:KS stop", 2),
        ("play:KH play:KS play:7C play:9S stop", 1),
        ("play:7C play:7D stop", 2),  # 4
        ("play:7C play:KS stop", 1),  # sevens led: only sevens match
        ("play:8S play:8H stop", 2),
    ],
)
def test_who_wins(actions: str, winner: int) -> None:
    state = TABLE.after(*actions.split())
    assert state.view(None).taker == winner
    assert state.actors() == (winner,)
    assert state.phase == "lead"
    assert state.view(1).held == (4, 4)


def test_without_a_card_to_go_on_one_still_says_stop() -> None:
    """Worked example 4."""
    table = Table("sept", deal_of("7H KD KS KC", "7S 8H 9H TH"))
    assert table.legal("play:7H", "play:7S") == ["stop"]
    assert "go on with the rank" in table.refused("play:7H", "play:7S", "play:KD")


def test_one_may_go_on_while_winning() -> None:
    assert TABLE.legal("play:KH", "play:9S") == ["stop", "play:KD", "play:7C"]


def test_a_trick_of_whole_hands_ends_by_itself() -> None:
    """Worked example 5; the stock is empty, so that no hand is filled up."""
    state = Table("sept", deal_of("AH AD 7C 7S", "AS TS 9D AC")).after()
    state.drawn = 24
    for card in ["AH", "AS", "AD", "TS", "7C", "9D", "7S", "AC"]:
        state.apply(f"play:{card}")
    assert (state.view(None).taker, state.over) == (2, True)
    assert state.points() == (0, 50 + 10)
    assert "deal is over" in str(state.refusal("stop").rule)


def test_the_winner_draws_first() -> None:
    state = TABLE.after("play:KH", "play:7D", "stop")
    stock = DEAL["stock"]
    assert stock[0] in state.view(2).hand
    assert stock[1] in state.view(1).hand
    assert state.view(1).pile("stock").hidden == 22
    longer = TABLE.after("play:KH", "play:7D", "play:7C", "play:KS", "stop")
    assert {stock[0], stock[2]} <= set(longer.view(2).hand)


def test_refusals_name_the_rule() -> None:
    assert "no such action" in TABLE.refused("stop")
    assert "no such action" in TABLE.refused("play:2H")
    assert "not in the hand" in TABLE.refused("play:AH")
    assert "no such action" in TABLE.refused("play:KH", "stop")
    assert "another seat" in TABLE.refused("2 play:9S")
    assert "go on with the rank" in TABLE.refused("play:KH", "play:7D", "play:8S")
    assert "not in the hand" in TABLE.refused("play:KH", "play:7D", "play:KS")


def test_a_whole_deal_has_ninety_points() -> None:
    state = TABLE.after()
    while not state.over:
        state.apply(legal(state)[-1])
    assert sum(state.points()) == 90
    assert sum(pile.hidden for pile in state.view(None).piles if pile.name == "won") == 32
    assert state.view(1).held == (0, 0)


@pytest.mark.parametrize(
    ("sheet", "scores", "by_points"),
    [
        ({"points": [50, 40]}, (1, -1), (10, -10)),  # worked example 6
        ({"points": [90, 0]}, (2, -2), (90, -90)),
        ({"points": [90, 0], "all_cards": True}, (3, -3), (90, -90)),
        ({"points": [0, 90], "all_cards": True}, (-3, 3), (-90, 90)),
        ({"points": [20, 70], "all_cards": False}, (-1, 1), (-50, 50)),
    ],
)
def test_the_marks(sheet: dict[str, Any], scores: tuple[int, ...], by_points: tuple[int, ...]) -> None:
    assert GAME.score(sheet).scores == scores
    assert GAME.score(sheet, options={"line_basis": "points"}).scores == by_points


def test_the_unit_follows_what_is_compared() -> None:
    assert GAME.unit_of({"line_basis": "marque"}).name.to("fr") == "point de marque"
    assert GAME.unit_of({"line_basis": "points"}).name.to("fr") == "point de carte"


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ({}, "points: is missing"),
        ({"points": [50, 30]}, "add up to 80"),
        ({"points": [45, 45]}, "multiple of 10"),
        ({"points": [100, -10]}, "0 to 90"),
        ({"points": [90]}, "list of 2"),
        ({"points": [80, 10], "all_cards": True}, "all_cards"),
        ({"points": [90, 0], "all_cards": 1}, "true or false"),
        ({"points": [90, 0], "tricks": 1}, "not a field"),
    ],
)
def test_a_sheet_that_cannot_be(sheet: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSheet, match=said):
        GAME.score(sheet)


def test_the_match_goes_to_ten_and_the_loser_deals() -> None:
    all_won = {"points": [90, 0], "all_cards": True}
    account = GAME.ledger([all_won | {"board": 7, "dealer": 1}, {"points": [0, 90]}, all_won, all_won])
    assert [row["dealer"] for row in account["rows"]] == [1, 2, 1, 2]
    assert account["totals"] == [9, 2]
    assert (account["over"], account["next_dealer"]) == (False, 2)
    assert account["rows"][0] == {"board": 7, "dealer": 1, "marks": [3, 0], "totals": [3, 0], "pts": [90, 0]}
    over = GAME.ledger([all_won] * 4)
    assert (over["over"], over["winner"], over["next_dealer"], over["target"]) == (True, 1, None, 10)
    assert GAME.ledger([])["next_dealer"] == 1
    with pytest.raises(BadRecord, match="over after 4 deals"):
        GAME.ledger([all_won] * 5)


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([{"points": [90, 0]}, {"points": [90, 0], "dealer": 1}], r"deals\[1\].dealer: must be seat 2"),
        ([{"points": [90, 0], "dealer": 3}], r"deals\[0\].dealer"),
        ([{"points": [90, 0], "board": "x"}], r"deals\[0\].board"),
        ([5], r"deals\[0\]"),
    ],
)
def test_entries_that_are_refused(entries: list[Any], said: str) -> None:
    with pytest.raises(BadSheet, match=said):
        GAME.ledger(entries)


def test_a_sensible_robot_beats_random_ones() -> None:
    sensible, random = mean_scores("sept", 400)
    assert sensible > random + 0.1
