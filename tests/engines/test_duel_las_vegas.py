"""Duel à Las Vegas: the worked examples of engines/rules/duel-las-vegas.md, then what it says besides.

The worth of piles has tests of its own: test_poker.py.
"""

from typing import Any

import pytest

from engines.errors import BadDeal, BadRecord, BadSheet
from engines.games.duel_las_vegas import Duel

from .cases import Case, Places
from .table import Table, legal, mean_scores

GAME = Duel()


def decks(first: str, second: str) -> dict[str, Any]:
    return {"decks": [first.split(), second.split()]}


def after(first: str, second: str, *actions: str, **options: Any) -> Any:
    return Table("duel-las-vegas", decks(first, second)).after(*actions, **options)


def shown(state: Any, name: str) -> list[tuple[str, ...]]:
    return [state.view(1).pile(name, seat).shown for seat in (1, 2)]


def left(state: Any) -> list[int]:
    return [state.view(None).pile("pack", seat).hidden for seat in (1, 2)]


@pytest.mark.parametrize(
    ("first", "second", "actor", "piles"),
    [
        ("7S 2D", "8S 2C", 1, (1, 1)),
        ("9S 2D", "8S 2C", 2, (1, 1)),
        ("9S 2D 4D", "9H 3C 4C", 1, (2, 2)),  # as high, and both draw
        ("JK1 2D 3D", "AS 2C 4C", 2, (2, 2)),  # worked example 3; then a pair of deuces
    ],
)
def test_the_weaker_decides(first: str, second: str, actor: int, piles: tuple[int, int]) -> None:
    state = after(first + " 5H 6H", second + " 5D 6D")
    assert state.actors() == (actor,)
    assert state.view(None).held == piles
    assert legal(state) == ["concede", "draw"]


def test_drawing_until_one_is_stronger() -> None:
    """Worked examples 1 and 2."""
    state = after("7S 7H 3S 4S", "8D 7C 7D 2S 5S", "draw")
    assert state.actors() == (2,)  # a pair against an eight
    state.apply("draw")
    state.apply("draw")
    assert shown(state, "hand") == [("7S", "7H"), ("8D", "7C", "7D")]
    assert state.actors() == (1,)  # the same pair without a third card
    assert after("KH JK1 3S", "AS 3C 4C", "draw").actors() == (2,)


def test_who_concedes_loses_the_main_and_both_piles_go() -> None:
    state = after("7S 9S 2H 3H", "8D 2D 3D 4D", "concede")
    assert state.wins == [0, 1]
    assert shown(state, "gone") == [("7S",), ("8D",)]
    assert shown(state, "hand") == [("9S",), ("2D",)]
    assert left(state) == [2, 2]
    assert state.view(2).tricks == (0, 1)
    assert not [pile for pile in state.view(1).piles if pile.name == "pack" and pile.shown]


def test_second_parts_decide_between_equal_first_ones() -> None:
    """Worked example 6: drawn card by card, the second pile must decide at the end."""
    state = after("AS 2S", "AD 2D")
    first, second = ["AS", "AH", "KD", "KC", "QS", "QH"], ["AD", "AC", "KS", "KH", "QD", "JC"]
    state.deal = GAME.read_deal(decks(" ".join(first), " ".join(second)))
    state.clear()
    state.drawn = [0, 0]
    for _ in range(6):
        state.draw(0)
        state.draw(1)
    assert state.first[0] == state.first[1] == (3, 14, 13, 12)
    assert state.order() == 1


def test_a_second_part_is_more_than_none() -> None:
    state = after("AS 2S", "AD 2D")
    state.deal = GAME.read_deal(decks("AS KS QS JS TS 2D", "AD KD QD JD TD"))
    state.clear()
    state.drawn = [0, 0]
    for seat, count in ((0, 6), (1, 5)):
        for _ in range(count):
            state.draw(seat)
    assert state.first[0] == state.first[1] == (9, 14)
    assert state.order() == 1


def test_an_empty_pack_concedes_when_it_has_to_draw() -> None:
    state = after("7S", "8D 2D 3D")
    assert state.over  # the weaker cannot draw: main lost, and the other wins what is left card by card
    assert state.wins == [0, 3]
    stronger = after("9S", "8D 2D 3D")
    assert (stronger.actors(), stronger.wins) == ((2,), [0, 0])  # not beaten yet
    stronger.apply("concede")
    assert (stronger.over, stronger.wins) == (True, [1, 2])


def test_equal_piles_and_empty_packs() -> None:
    state = after("9S", "9D")
    assert (state.over, state.wins) == (True, [0, 0])
    assert GAME.summarise(state) == {"mains": [0, 0], "packs_exhausted": True}
    one = after("9S", "9D 2D")
    assert (one.over, one.wins) == (True, [0, 2])


def test_the_other_draws_a_card_a_main_until_it_has_six() -> None:
    """Worked example 8."""
    state = after("", "2D 3D")
    assert state.wins == [0, 2]
    state = after("7S", "8S 2D 3D 4D 5D 6D 7D 8D 9D")
    assert (state.wins, left(state)) == ([0, 6], [0, 3])
    assert GAME.summarise(state) == {"mains": [0, 6], "packs_exhausted": False}


def test_the_sixth_main_ends_the_game() -> None:
    state = after(
        " ".join(f"{r}S" for r in "2345678"), " ".join(f"{r}D" for r in "9TJQKA3"), *["concede"] * 6
    )
    assert (state.over, state.wins) == (True, [0, 6])
    assert "deal is over" in Table("duel-las-vegas", decks("2S", "3S")).refused("draw")
    assert state.outcome().scores == (-6, 6)


def test_refusals_name_the_rule() -> None:
    table = Table("duel-las-vegas", decks("7S 2S", "8S 3S"))
    assert "no such action" in table.refused("stop")
    assert "another seat" in table.refused("2 draw")


def test_where_the_ace_lies_not_low() -> None:
    worth = []
    for low in ("on", "off"):
        state = after("AS 2H 3D 4C 5S", "KS KD", ace_low_straight=low)
        for _ in range(4):
            state.draw(0)
        worth.append(state.first[0])
    assert worth == [(5, 5), (1, 14, 5, 4, 3, 2)]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"decks": [["7S"]]}, "two packs"),
        ({"decks": [["7S", "7S"], []]}, "twice"),
        ({"decks": [["JK"], []]}, "not in the pack"),
        ({"decks": [["7S"], []], "dealer": 1}, "key decks"),
        ([], "key decks"),
    ],
)
def test_a_deal_that_is_none(data: Any, said: str) -> None:
    with pytest.raises(BadDeal, match=said):
        GAME.read_deal(data)


# ── Sheets and matches ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sheet", "scores", "victory"),
    [
        ({"mains": [3, 6]}, (-3, 3), (-1, 1)),
        ({"mains": [6, 0], "packs_exhausted": False}, (6, -6), (1, -1)),
        ({"mains": [4, 4], "packs_exhausted": True}, (0, 0), (0, 0)),  # worked example 9
        ({"mains": [5, 2], "packs_exhausted": True}, (3, -3), (1, -1)),
    ],
)
def test_sheets(sheet: dict[str, Any], scores: tuple[int, ...], victory: tuple[int, ...]) -> None:
    assert GAME.score(sheet).scores == scores
    assert GAME.score(sheet, options={"line_basis": "victory"}).scores == victory


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ({}, "mains: is missing"),
        ({"mains": [6, 6]}, "sixth main"),
        ({"mains": [7, 0]}, "0 to 6"),
        ({"mains": [5, 2]}, "packs_exhausted"),
        ({"mains": [6, 2], "packs_exhausted": True}, "packs_exhausted"),
        ({"mains": [6, 2], "winner": 1}, "not a field"),
    ],
)
def test_a_sheet_that_cannot_be(sheet: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSheet, match=said):
        GAME.score(sheet)


def test_games_add_up() -> None:
    games = [{"mains": [6, 2], "board": 3}, {"mains": [4, 4], "packs_exhausted": True}, {"mains": [1, 6]}]
    account = GAME.ledger(games)
    assert account == {
        "over": False,
        "winner": None,
        "totals": [1, 1],
        "rows": [
            {"board": 3, "wins": [6, 2], "winner": 1},
            {"wins": [4, 4], "winner": None},
            {"wins": [1, 6], "winner": 2},
        ],
    }
    won = GAME.ledger([*games, games[0]], options={"target_games": 2})
    assert (won["over"], won["winner"]) == (True, 1)
    with pytest.raises(BadRecord, match="over after 4 deals"):
        GAME.ledger([*games, games[0], games[0]], options={"target_games": 2})
    with pytest.raises(BadSheet, match=r"deals\[0\]"):
        GAME.ledger([7])


def test_a_sensible_robot_beats_random_ones() -> None:
    sensible, random = mean_scores("duel-las-vegas", 60)
    assert sensible > random + 4


# ── For the suites of all games ───────────────────────────────────────────────────────────────────


def thirds_of_the_first_pack(places: Places) -> Places:
    """No hands are dealt, but a pack is shuffled."""
    return {str(part + 1): places["decks 1"][18 * part : 18 * part + 18] for part in range(3)}


CASES = {"duel-las-vegas": Case(places=thirds_of_the_first_pack)}
