"""Le 99: the worked examples of engines/rules/le-99.md, then every refusal and option that it names."""

from collections import Counter
from typing import Any

import pytest

from engines import records, registry
from engines.dealing import new_stock
from engines.errors import BadDeal, BadRecord, BadSheet
from engines.games.le_99 import Deal, NinetyNine, packs_for

from .table import Table, legal, mean_scores

GAME = NinetyNine()


def deal_of(*hands: str, turned: str, stock: str = "", dealer: int = 0) -> dict[str, Any]:
    """A deal of these cards; the stock begins as said and goes on with what remains of the packs."""
    lists = [hand.split() for hand in hands]
    pack = packs_for(len(hands))
    left = Counter(pack.order) - Counter([card for hand in lists for card in hand]) - Counter([turned])
    first = stock.split()
    rest = list((left - Counter(first)).elements())
    return {
        "dealer": dealer or len(hands),
        "hands": lists,
        "turned": turned,
        "stock": first + rest,
        "reshuffle_key": "BOARD-KEY-1",
    }


FOUR = deal_of("5S QS 8H", "QH JD 7C", "KD 4C TD", turned="2C", stock="9S 3D AH KC 6S 8S 5D 2H")
TABLE = Table("le-99", FOUR)


def test_packs_by_players() -> None:
    assert [len(packs_for(n).order) // 52 for n in range(3, 10)] == [2, 3, 3, 4, 4, 5, 5]


def test_one_card_at_a_time_then_one_turned() -> None:
    """Worked example 4's deal, dealer 3."""
    pack = ["5S", "QH", "KD", "QS", "JD", "4C", "8H", "7C", "TD", "2C", "9S", "3D"]
    deal = Deal.of(pack, 3, 3, "k")
    assert deal.hands == (("5S", "QS", "8H"), ("QH", "JD", "7C"), ("KD", "4C", "TD"))
    assert (deal.turned, deal.stock) == ("2C", ("9S", "3D"))
    assert Deal.of(pack, 1, 3, "k").hands[1] == ("5S", "QS", "8H")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"reshuffle_key": ""}, "1 to 64"),
        ({"reshuffle_key": "é"}, "1 to 64"),
        ({"reshuffle_key": 5}, "1 to 64"),
        ({"turned": "5S"}, "more than 2 times"),
        ({"turned": "1S"}, "not in the pack"),
        ({"stock": []}, "3, 3, 3, 1, 94"),
        ({"hands": [["5S", "QS", "8H"]] * 2}, "least three players"),
        ({"hands": "no"}, "lists"),
        ({"dealer": 4}, "dealer"),
    ],
)
def test_a_deal_that_is_not_the_pack(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDeal, match=said):
        GAME.read_deal(FOUR | change)


def test_the_reshuffle_follows_from_key_number_and_heap() -> None:
    pile = ["7H", "7H", "KS", "KS", "2C", "AD", "9D", "TC"]
    assert " ".join(new_stock("BOARD-KEY-1", 1, pile)) == "KS 7H TC 2C AD 7H KS 9D"
    assert " ".join(new_stock("BOARD-KEY-1", 2, pile)) == "9D KS 7H 7H 2C KS AD TC"
    assert new_stock("BOARD-KEY-1", 1, pile[::-1]) == new_stock("BOARD-KEY-1", 1, pile)
    assert new_stock("BOARD-KEY-2", 1, pile) != new_stock("BOARD-KEY-1", 1, pile)


def test_two_ways_to_the_same_heap_draw_the_same_cards() -> None:
    """Two tables with an empty stock: the heaps were laid in another order, the draws are the same."""
    states = [TABLE.after(), TABLE.after()]
    pile = ["2S", "3S", "4S", "5H", "6H", "7H", "8D"]
    for state, order in zip(states, (pile, pile[::-1]), strict=True):
        state.left, state.pile = 0, list(order)
        state.apply("play:5S")
    first, second = states
    assert first.reshuffles == second.reshuffles == 1
    assert first.view(1).hand == second.view(1).hand
    assert first.stock == second.stock
    assert (first.pile, first.total) == ([], 7)
    assert first.left == len(pile)  # with the card just played, less the one drawn


def test_a_whole_deal() -> None:
    """Worked example 4."""
    said = "5S=7 QH=17 KD=99 9S=99 TD=89 7C=96 KC=99"
    actions = [f"play:{card}" for card in said.split()]
    totals = [7, 17, 99, 99, 89, 96, 99]
    for count, total in enumerate(totals, 1):
        assert TABLE.after(*actions[:count]).view(None).total == total
    state = TABLE.after(*actions)
    assert state.over
    assert state.outcome().scores == (0, 0, -1)
    assert GAME.summarise(state) == {"loser": 3, "plays": 7}
    assert "deal is over" in TABLE.refused(*actions, "play:AH")
    assert "deal is over" in TABLE.refused(*actions, "1 early-pickup")


def at_total(total: int, hand: str = "", seats: int = 3) -> Any:
    deal = deal_of("5S QS 8H", "QH JD 7C", "KD 4C TD", *["2C 3C 4C"] * (seats - 3), turned="2D")
    state = Table("le-99", deal).after()
    state.total = total
    state.hands[0] = tuple(hand.split()) or state.hands[0]
    return state


@pytest.mark.parametrize(
    ("total", "card", "after", "next_seat"),
    [
        (99, "KS", 99, 2),  # worked example 2
        (99, "JS", 99, 3),
        (99, "TS", 89, 2),
        (99, "9S", 99, 3),
        (3, "TS", -7, 2),  # worked example 6
        (-7, "KS", 99, 2),
        (7, "QS", 17, 2),  # worked example 1
        (10, "AS", 11, 2),
        (91, "8S", 99, 2),
    ],
)
def test_what_a_card_does(total: int, card: str, after: int, next_seat: int) -> None:
    state = at_total(total, f"{card} 2S 3S")
    state.hands[next_seat - 1] = ("KH", *state.hands[next_seat - 1][1:])  # nobody is stuck at once
    state.apply(f"play:{card}")
    assert (state.total, state.actors()) == (after, (next_seat,))


@pytest.mark.parametrize(
    ("direction", "card", "next_seat"),
    [(1, "JS", 3), (-1, "JS", 3), (1, "9S", 4), (-1, "9S", 2), (1, "2S", 2), (-1, "2S", 4)],
)
def test_whose_turn_is_next_among_four(direction: int, card: str, next_seat: int) -> None:
    """Worked example 7."""
    state = at_total(10, f"{card} 2S 3S", seats=4)
    state.direction = direction
    state.apply(f"play:{card}")
    assert state.actors() == (next_seat,)


@pytest.mark.parametrize(
    ("total", "hand", "playable"),
    [
        (95, "8S 7H 6D", []),  # worked example 5: stuck
        (95, "4S 7H 6D", ["4S"]),
        (99, "AS QS TD", ["TD"]),
        (90, "QS 9S 9S", ["9S"]),
        (89, "QS 9S AS", ["AS", "9S", "QS"]),
    ],
)
def test_what_may_be_played(total: int, hand: str, playable: list[str]) -> None:
    assert list(at_total(total, hand).choices()) == [f"play:{card}" for card in playable]
    state = at_total(total, hand)
    state.look_for_a_loser()
    assert state.over == (not playable)


def test_refusals_name_the_rule() -> None:
    assert "not in the hand" in TABLE.refused("play:KS")
    assert "no such action" in TABLE.refused("play:1S")
    assert "no such action" in TABLE.refused("play:5S=07")
    assert "no such action" in TABLE.refused("play:5S=+7")
    assert "no such action" in TABLE.refused("play:5S!nodraw=7")
    assert "no such action" in TABLE.refused("draw")
    assert "the total is 7" in TABLE.refused("play:5S=8")
    assert "another seat" in TABLE.refused("2 play:QH")
    assert "past 99" in str(at_total(95, "8S 4S 2D").refusal("play:8S").rule)
    assert "at 99 only" in str(at_total(99, "8S KS 2D").refusal("play:8S").rule)


def test_where_one_is_stuck_only_at_99() -> None:
    state = Table("le-99", FOUR).after(overshoot="stuck_only_at_99")
    state.total = 95
    assert legal(state) == ["play:5S", "play:QS", "play:8H"]
    state.apply("play:QS=99")
    assert state.total == 99


@pytest.mark.parametrize(
    ("turned", "effects", "actor", "direction"),
    [
        ("JS", "off", 1, 1),
        ("JS", "on", 2, 1),
        ("9S", "on", 2, -1),
        ("9S", "off", 1, 1),
        ("TS", "on", 1, 1),
    ],
)
def test_what_the_turned_card_does(turned: str, effects: str, actor: int, direction: int) -> None:
    deal = deal_of("5S QS 8H", "QH JD 7C", "KD 4C TD", turned=turned)
    state = Table("le-99", deal).after(retourne_effects=effects)
    assert (state.actors(), state.direction) == ((actor,), direction)
    assert state.total == (-10 if turned[0] == "T" else 0)


def test_a_king_turned_up_can_end_the_deal_before_it_begins() -> None:
    table = Table("le-99", deal_of("5S QS 8H", "QH JD 7C", "KD 4C TD", turned="KC"))
    state = table.after()
    assert (state.over, state.outcome().scores) == (True, (-1, 0, 0))
    assert "deal is over" in table.refused("2 early-pickup")
    assert GAME.summarise(state) == {"loser": 1, "plays": 0}


def test_a_hand_picked_up_too_early_has_two_cards() -> None:
    state = TABLE.after("2 early-pickup", "1 early-pickup", "play:5S", "play:QH")
    assert state.view(None).limits == (2, 2, 3)
    assert state.view(1).hand == ("9S", "QS")
    assert state.view(2).held == (2, 2, 3)
    assert (state.stock[1], state.stock[0]) == ("7C", "8H")  # the last to be drawn
    assert "before the first card" in TABLE.refused("play:5S", "2 early-pickup")
    assert "already been noted" in TABLE.refused("2 early-pickup", "2 early-pickup")
    assert "say which seat" in TABLE.refused("early-pickup")
    assert "no such action" in TABLE.refused("4 early-pickup")
    sheet = GAME.summarise(finish(state))
    assert sheet["irregularities"] == [{"seat": seat, "kind": "early-pickup"} for seat in (2, 1)]


def finish(state: Any) -> Any:
    while not state.over:
        state.apply(legal(state)[0])
    return state


def test_an_early_pickup_can_leave_the_first_player_stuck() -> None:
    deal = deal_of("5S QS KH", "QH JD 7C", "KD 4C TD", turned="KC")
    state = Table("le-99", deal).after("1 early-pickup")
    assert (state.over, state.loser) == (True, 0)


def test_a_forgotten_draw_costs_a_card_for_good() -> None:
    state = TABLE.after("play:5S=7!nodraw", "play:QH!nodraw")
    assert state.view(None).limits == (2, 2, 3)
    assert state.view(1).hand == ("QS", "8H")
    state = TABLE.after("play:5S!nodraw", "play:QH", "play:TD", "play:8H")
    assert len(state.view(1).hand) == 2
    assert GAME.summarise(finish(TABLE.after("play:5S!nodraw")))["irregularities"] == [
        {"seat": 1, "kind": "nodraw"}
    ]


def test_who_has_no_card_left_is_stuck() -> None:
    state = at_total(0, "2S")
    state.limits[0] = 1
    state.apply("play:2S!nodraw")
    while not state.over:
        state.apply(legal(state)[0])
    assert state.loser == 0


def test_a_deal_is_void_after_so_many_cards() -> None:
    state = Table("le-99", FOUR).after("play:5S", "play:QH", max_plays=2)
    assert state.over
    assert state.outcome().scores == (0, 0, 0)
    assert GAME.summarise(state) == {"void": True, "plays": 2}
    stuck = Table("le-99", FOUR).after("play:5S", max_plays=1)
    assert stuck.over


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_boards_of_every_size(seats: int) -> None:
    deal = registry.deal_board(GAME, bytes(32), 9, {}, {"seats": seats})
    shown = GAME.show_deal(deal)
    assert len(shown["hands"]) == seats
    assert shown["dealer"] == (9 - 1) % seats + 1
    record = {"game": "le-99", "conditions": {"seats": seats}, "board": {"seed": "00" * 32, "number": 9}}
    state = finish(records.replay(records.read(record | {"actions": []})))
    assert sum(state.outcome().scores) == -1
    assert len(state.outcome().scores) == seats


# ── Sheets and matches ────────────────────────────────────────────────────────────────────────────


def test_sheets() -> None:
    assert GAME.score({"loser": 2}).scores == (0, -1, 0)
    assert GAME.score({"void": True}, conditions={"seats": 5}).scores == (0,) * 5
    told = {"loser": 4, "plays": 12, "irregularities": [{"seat": 1, "kind": "nodraw"}]}
    assert GAME.score(told, conditions={"seats": 4}).scores == (0, 0, 0, -1)
    assert GAME.score({"loser": 3}, deal=GAME.read_deal(FOUR)).scores == (0, 0, -1)


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ({}, "either a loser"),
        ({"loser": 1, "void": True}, "either a loser"),
        ({"loser": 4}, "seat from 1 to 3"),
        ({"void": False}, "leave it out"),
        ({"loser": 1, "plays": -1}, "plays"),
        ({"loser": 1, "irregularities": [{}]}, "seat: is missing"),
        ({"loser": 1, "irregularities": [{"seat": 0, "kind": "x"}]}, "seat"),
        ({"loser": 1, "irregularities": [{"seat": 1, "kind": ""}]}, "word"),
        ({"loser": 1, "winner": 2}, "not a field"),
    ],
)
def test_a_sheet_that_cannot_be(sheet: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSheet, match=said):
        GAME.score(sheet)


def lost(seat: int, seats: int = 3) -> dict[str, Any]:
    return {"scores": [-1 if s == seat else 0 for s in range(1, seats + 1)]}


def test_the_fifth_lost_deal_loses_the_match() -> None:
    """Worked example 3."""
    before = [lost(1)] * 2 + [lost(2)] * 2 + [lost(3)] * 4
    account = GAME.ledger([*before, {"scores": [0, 0, 0]}])
    assert (account["marks"], account["coups"], account["over"], account["ranks"]) == (
        [2, 2, 4],
        9,
        False,
        None,
    )
    assert account["rows"][-1] == {"loser": None, "marks": [2, 2, 4]}
    over = GAME.ledger([*before, lost(3)])
    assert (over["loser"], over["ranks"], over["winner"]) == (3, [1, 1, 3], None)
    alone = GAME.ledger([lost(1), lost(2), lost(2)], options={"losses_to_end": 2})
    assert (alone["winner"], alone["ranks"]) == (3, [2, 3, 1])
    with pytest.raises(BadRecord, match="over after 9 deals"):
        GAME.ledger([*before, lost(3), lost(1)])
    assert GAME.ledger([], conditions={"seats": 4})["marks"] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "entry", [{}, {"scores": [0, -1]}, {"scores": [-1, -1, 0]}, {"scores": [1, 0, 0]}, {"scores": [0] * 4}, 5]
)
def test_entries_that_are_refused(entry: Any) -> None:
    with pytest.raises(BadSheet, match=r"deals\[1\].scores"):
        GAME.ledger([lost(1), entry])


@pytest.mark.parametrize("seats", [3, 5])
def test_a_sensible_robot_beats_random_ones(seats: int) -> None:
    sensible, random = mean_scores("le-99", 600, seats=seats)
    assert sensible > random + 0.05
