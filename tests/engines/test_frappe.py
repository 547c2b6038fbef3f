"""Frappe: the worked examples of engines/rules/frappe.md, then every refusal and option that it names."""

from dataclasses import replace
from typing import Any

import pytest

from engines.contract import Fact
from engines.errors import BadDeal, BadRecord, BadSheet
from engines.games.frappe import Frappe
from engines.games.frappe.cards import PACK, PLACE, Deal
from engines.games.frappe.marks import Mark
from engines.games.frappe.play import (
    Capture,
    FrappeState,
    FrappeView,
    best_announcement,
    combination,
    in_position,
)
from engines.views import Laid, Pile

from .cases import Case
from .table import Table, legal, mean_scores

GAME = Frappe()


def deal_of(first: str, second: str, extension: str = "") -> dict[str, Any]:
    """Dealer 2; the distributions begin as said and go on with what remains."""
    lists = [first.split(), second.split(), extension.split()]
    used = [card for cards in lists for card in cards]
    rest = [card for card in PACK.order[::-1] if card not in used]
    for cards, size in zip(lists, (24, 24, 4), strict=True):
        while len(cards) < size:
            cards.append(rest.pop())
    return {"dealer": 2, "hands": lists[:2], "extension": lists[2]}


DEAL = deal_of("KH 5C KD", "KS 9H KC", "2H AS 4D 3C")
TABLE = Table("frappe", DEAL)


def taken(state: FrappeState) -> list[int]:
    return [state.view(1).pile("taken", seat).hidden for seat in (1, 2)]


def pending(state: FrappeState) -> tuple[int, str, tuple[str, ...]]:
    capture = state.view(1).pending
    assert capture is not None
    return capture.seat, capture.kind, capture.cards


def test_three_at_a_time_the_forehand_first() -> None:
    deal = Deal.of(PACK.order, dealer=2)
    assert deal.hands[0][:6] == PACK.order[0:3] + PACK.order[6:9]
    assert deal.hands[1][:6] == PACK.order[3:6] + PACK.order[9:12]
    assert deal.extension == PACK.order[48:]
    assert Deal.of(PACK.order, dealer=1).hands == deal.hands[::-1]


@pytest.mark.parametrize(
    ("change", "said"),
    [({"extension": []}, "24, 24, 4"), ({"extension": ["KH"] * 4}, "twice"), ({"hands": 1}, "lists")],
)
def test_a_deal_that_is_not_the_pack(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDeal, match=said):
        GAME.read_deal(DEAL | change)


# ── The extension ─────────────────────────────────────────────────────────────────────────────────


def test_the_dealer_decides_before_he_sees_his_hand() -> None:
    state = TABLE.after()
    assert (state.phase, state.actors(), legal(state)) == ("extension", (2,), ["extend", "wait"])
    assert state.view(1).hand == state.view(2).hand == ()
    assert state.view(1).announced == (None, None)
    state.apply("wait")
    assert state.view(1).hand == ("KH", "KD", "5C")
    assert state.view(2).announced == ("paire", "paire")


def test_the_extension_is_arranged_for_the_most_points() -> None:
    """Worked example 7."""
    state = TABLE.after("extend")
    assert (state.phase, state.actors(), len(legal(state))) == ("arrange", (2,), 8)
    assert state.view(1).pile("extension").shown == tuple(DEAL["extension"])
    assert legal(state)[:2] == ["arrange:2H,AS,4D,3C>", "arrange:2H,AS,4D,3C<"]
    state.apply("arrange:AS,2H,3C,4D>")
    assert state.view(None).events == (Mark(1, "positions", 10),)
    assert (state.phase, state.actors(), state.table) == ("play", (1,), ["AS", "2H", "3C", "4D"])
    assert "change the first two" in TABLE.refused("extend", "arrange:AS,4D,2H,3C>")
    assert "change the first two" in TABLE.refused("extend", "arrange:AS,2H,3C,4D")
    assert "no such action" in TABLE.refused("extend", "wait")


@pytest.mark.parametrize(
    ("cards", "direction", "points"),
    [
        ("2H AS 4D 3C", ">", 0),
        ("4H 3S 2D AC", "<", 10),
        ("AH 9S 9D 4C", ">", 5),
        ("AH 9S 9D 4C", "<", 0),
        ("KS 2S 9S 9H", ">", 2),
    ],
)
def test_cards_at_their_place(cards: str, direction: str, points: int) -> None:
    assert in_position(cards.split(), direction) == points


@pytest.mark.parametrize(
    ("extension", "table", "points"),
    [
        ("KH 7S KD 9C", ["KS"], 12),  # worked example 8
        ("KH 7S KD 9C", [], 4),
        ("QH 7S 8D 9C", ["QS"], 3),
        ("JH JS TD TC", [], 2 + 1),
        ("5H 7S 8D 9C", ["6S", "6H"], 0),  # not a card of the extension
    ],
)
def test_multiples_of_the_extension(extension: str, table: list[str], points: int) -> None:
    state = Table("frappe", deal_of("", "", extension)).after("extend")
    state.table = list(table)
    state.apply(legal(state)[0])
    assert sum(event.points for event in state.events if event.kind == "multiple") == points
    assert len(state.table) == 4 + len(table)


def test_four_of_a_rank_win_the_match() -> None:
    state = Table("frappe", deal_of("", "", "KH KS KD KC")).after("extend")
    assert state.over
    assert state.outcome().scores == (-61, 61)
    assert GAME.summarise(state) == {"points": [0, 0], "penitence": 2}


def test_the_extension_comes_at_the_eighth_distribution_at_the_latest() -> None:
    state = TABLE.after()
    while state.round < 8:
        state.apply("wait" if state.phase == "extension" else legal(state)[0])
    assert state.phase == "arrange"


def test_where_the_extension_is_the_second_distributions() -> None:
    state = TABLE.after(extension_timing="second")
    assert (state.phase, state.round) == ("play", 1)
    while state.round < 2:
        state.apply(legal(state)[0])
    assert (state.phase, state.view(2).pile("extension").shown) == ("arrange", tuple(DEAL["extension"]))
    assert "no such action" in TABLE.refused("extend", extension_timing="second")


# ── Announcements ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("forehand", "dealer", "marked"),
    [
        ("9S 9H 2C", "9D 9C KC", (0, "paire", "9")),  # worked example 9
        ("KS KH 2C", "2D 2H 2S", (1, "brelan", "2")),
        ("KS KH 2C", "QD QH 2S", (0, "paire", "K")),
        ("AS AH 2C", "2D 2H 9S", (1, "paire", "2")),  # the ace is low
        ("AS 5H 2C", "2D 4H 9S", None),
        ("AS 5H 2C", "2D 2H 9S", (1, "paire", "2")),
    ],
)
def test_the_better_announcement(forehand: str, dealer: str, marked: Any) -> None:
    assert best_announcement([combination(forehand.split()), combination(dealer.split())], 1) == marked


def test_an_announcement_is_marked_when_the_six_cards_are_played() -> None:
    state = Table("frappe", deal_of("QS QH 9C", "TS JH 2D")).after("wait")
    assert state.view(2).announced == ("paire", None)
    assert state.view(2).resolved is None
    for card in ("QS", "TS", "QH", "JH", "9C", "2D"):
        state.apply(f"play:{card}")
    assert state.view(2).resolved == (0, "paire", "Q")
    assert Mark(0, "paire", 3) in state.view(2).events


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


def at_table(table: str, hand: str = "", **values: Any) -> Any:
    """Seat 1 to play, with something of the state changed."""
    state = TABLE.after("wait")
    state.table = table.split()
    if hand:
        state.hands[0] = PLACE.sorted(hand.split())
    for name, value in values.items():
        setattr(state, name, value)
    return state


def marks(state: Any) -> list[tuple[int, str, int]]:
    return [(event.seat + 1, event.kind, event.points) for event in state.events]


@pytest.mark.parametrize(
    ("table", "card", "left", "pile", "marked"),
    [
        ("", "AH", ["AH"], 0, [(1, "place", 1)]),  # worked example 1
        ("9S", "2H", ["9S", "2H"], 0, [(1, "place", 2)]),
        ("9S", "3H", ["9S", "3H"], 0, []),
        ("TS JS QS", "TH", [], 4, [(1, "nettoyage", 3)]),  # 2
        ("KS QS 2S AS", "QH", [], 5, [(1, "nettoyage", 1)]),  # 3
        ("KS QS 2S AS 9S", "QH", ["9S"], 5, []),
        ("KS QS KD", "QH", ["KD"], 3, []),  # of two alike the one that lies longer
        ("9S 5S", "5H", ["9S"], 2, []),
        ("KS AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", "KH", [], 14, [(1, "nettoyage", 3)]),
    ],
)
def test_what_a_card_takes(table: str, card: str, left: list[str], pile: int, marked: Any) -> None:
    state = at_table(table, f"{card} 9C 9D")
    state.apply(f"play:{card}")
    assert (state.table, len(state.piles[0]), marks(state)) == (left, pile, marked)


def test_a_frappe_counts_once_nobody_has_answered() -> None:
    """Worked example 4."""
    state = TABLE.after("wait", "play:KH", "play:KS")
    assert pending(state) == (1, "frappe", ("KH", "KS"))
    assert (marks(state), taken(state), state.table) == ([], [0, 0], [])
    state.apply("play:5C")
    assert marks(state) == [(2, "frappe", 4), (2, "nettoyage", 4)]
    assert taken(state) == [0, 2]


def test_a_contre_frappe_and_a_penitence() -> None:
    """Worked example 5."""
    state = TABLE.after("wait", "play:KH", "play:KS", "play:KD")
    assert pending(state) == (0, "contre-frappe", ("KH", "KS", "KD"))
    other = state.copy()
    other.apply("play:9H")
    assert marks(other) == [(1, "contre-frappe", 12), (1, "nettoyage", 4)]
    assert taken(other) == [3, 0]
    state.apply("play:KC")
    assert (state.over, state.outcome().scores) == (True, (-61, 61))
    assert GAME.summarise(state) == {"points": [0, 0], "penitence": 2}


def test_a_frappe_takes_the_sequence() -> None:
    """Worked example 6: the five stays."""
    state = at_table("5H 7H", "6S 9C 9D", hands=[("6S", "9C", "9D"), ("6H", "TC", "TD")])
    state.apply("play:6S")
    state.apply("play:6H")
    assert state.table == ["5H"]
    state.apply("play:9C")
    assert marks(state) == [(2, "frappe", 1)]
    assert sorted(state.piles[1]) == ["6H", "6S", "7H"]


def test_a_frappe_needs_the_card_just_played() -> None:
    state = at_table("9S KC", "9H 2C 3D", last_played=None)
    state.apply("play:9H")
    assert (state.pending, state.piles[0]) == (None, ("9S", "9H"))


def test_a_frappe_takes_the_card_just_played_though_another_lies_there_longer() -> None:
    """Section 4: the other had laid his two in place beside an equal one."""
    state = at_table("2S 2H", "2D 9C 9D", last_played="2H")
    state.apply("play:2D")
    assert (state.table, state.pending.kind, state.pending.cards) == (["2S"], "frappe", ("2H", "2D"))


def test_the_last_card_of_a_distribution_is_confirmed() -> None:
    state = at_table("", "KH", hands=[("KH",), ("KS",)])
    state.apply("play:KH")
    state.apply("play:KS")
    assert marks(state)[:2] == [(2, "frappe", 4), (2, "nettoyage", 4)]
    assert state.round == 2


def test_a_card_that_could_take_may_lie_in_place() -> None:
    state = at_table("2S", "2H 9C 9D")
    assert legal(state) == ["play:2H", "play:2H!place", "play:9D", "play:9C"]
    state.apply("play:2H!place")
    assert (state.table, marks(state), state.last_played) == (["2S", "2H"], [(1, "place", 2)], "2H")
    assert "card in place" in str(at_table("9S", "2H 9C 9D").refusal("play:2H!place").rule)
    assert "card in place" in str(at_table("9S 8S", "2H 9C 9D").refusal("play:2H!place").rule)


def test_in_place_one_need_not_answer_a_frappe() -> None:
    pending = Capture("frappe", 1, "A", ("AS", "AC"), ())
    state = at_table("", "AH 9C 9D", pending=pending)
    assert legal(state)[:2] == ["play:AH", "play:AH!place"]
    answered = state.copy()
    answered.apply("play:AH")
    assert answered.pending.kind == "contre-frappe"
    state.apply("play:AH!place")
    assert (state.piles[1], state.table) == (("AS", "AC"), ["AH"])


def test_refusals_name_the_rule() -> None:
    assert "no such action" in TABLE.refused("play:KH")
    assert "no such action" in TABLE.refused("wait", "extend")
    assert "no such action" in TABLE.refused("wait", "play:1H")
    assert "not in the hand" in TABLE.refused("wait", "play:9H")
    assert "another seat" in TABLE.refused("wait", "2 play:9H")


def test_a_whole_deal() -> None:
    for timing in ("any", "second"):
        state = TABLE.after(extension_timing=timing)
        while not state.over:
            state.apply(legal(state)[-1])
        sheet = GAME.summarise(state)
        assert sum(sheet["cards"]) == 52
        assert state.outcome().scores == GAME.score(sheet).scores
        assert sum(len(pile) for pile in state.piles) == 52
        assert state.view(None).table == ()


def test_no_sweep_with_the_last_card() -> None:
    state = at_table("KS", "KH", round=8, hands=[("2H",), ("KH",)], extended=True)
    state.apply("play:2H")
    state.table = ["KS"]
    state.last_played = None
    state.apply("play:KH")
    assert state.over
    assert not any(kind == "nettoyage" for _, kind, _ in marks(state))


def test_what_a_player_sees() -> None:
    """Section 11: all that was played and marked, and how many cards the other has."""
    state = TABLE.after("wait", "play:KH", "play:KS")
    everybody = state.view(None)
    assert everybody == FrappeView(
        seat=None,
        phase="play",
        dealer=2,
        actors=(1,),
        piles=(
            Pile("hand", hidden=2, seat=1),
            Pile("hand", hidden=2, seat=2),
            Pile("table"),
            Pile("extension"),
            Pile("taken", seat=1),
            Pile("taken", seat=2),
        ),
        trick=(Laid(2, "KS"),),
        round=1,
        extended=False,
        announced=("paire", "paire"),
        resolved=None,
        pending=state.pending,
        last_played=None,
        events=(),
    )
    assert pending(state) == (1, "frappe", ("KH", "KS"))
    for seat, own in ((1, ("KD", "5C")), (2, ("9H", "KC"))):
        piles = tuple(
            Pile("hand", own, seat=seat) if at == seat - 1 else pile
            for at, pile in enumerate(everybody.piles)
        )
        assert state.view(seat) == replace(everybody, seat=seat, piles=piles)


# ── Sheets and matches ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sheet", "scores"),
    [
        ({"points": [14, 9], "cards": [30, 22]}, (13, -13)),  # worked example 10
        ({"points": [14, 9], "cards": [26, 26]}, (5, -5)),
        ({"points": [0, 0], "cards": [0, 52]}, (-52, 52)),
        ({"penitence": 1}, (61, -61)),
        ({"penitence": 2, "points": [30, 2]}, (-61, 61)),
        ({"penitence": None, "points": [14, 9], "cards": [30, 22]}, (13, -13)),
        ({"points": [1, 0], "cards": [26, 26], "undeclared": [
            {"seat": 1, "distribution": 8, "kind": "paire", "rank": "Q", "noticed": True},
            {"seat": 2, "distribution": 1, "kind": "brelan", "rank": "A", "noticed": False}]}, (1, -1)),
    ],
)  # fmt: skip
def test_sheets(sheet: dict[str, Any], scores: tuple[int, ...]) -> None:
    assert GAME.score(sheet).scores == scores


def test_a_penitence_is_told_as_such_to_both() -> None:
    assert GAME.score({"penitence": 2}).facts == (Fact("penitence-lost", 1, -61), Fact("penitence", 2, 61))
    state = TABLE.after("wait", "play:KH", "play:KS", "play:KD", "play:KC")
    assert state.outcome().facts == GAME.score({"penitence": 2}).facts
    assert marks(state) == [(2, "penitence", 0)]


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ({}, "points: is missing"),
        ({"points": [1, 2]}, "cards: is missing"),
        ({"points": [1, 2], "cards": [30, 23]}, "^cards: add up to 53"),
        ({"points": [1, 2], "cards": [51, 1]}, "cannot be 1, 51"),
        ({"points": [1, -2], "cards": [26, 26]}, "0 or more"),
        ({"penitence": 3}, "seat"),
        ({"penitence": 1, "cards": [26, 26]}, "left out"),
        ({"points": [1, 2], "ended_early": True}, "belongs to a match"),
        ({"points": [1, 2], "ended_early": True, "penitence": 1}, "does not go with"),
        ({"points": [1, 2], "ended_early": True, "cards": [26, 26]}, "left out"),
        ({"points": [1, 2], "cards": [26, 26], "undeclared": [{}]}, "seat: is missing"),
        ({"points": [1, 2], "cards": [26, 26], "undeclared": [
            {"seat": 1, "distribution": 9, "kind": "paire", "rank": "Q", "noticed": True}]}, "1 to 8"),
        ({"points": [1, 2], "cards": [26, 26], "undeclared": [
            {"seat": 1, "distribution": 1, "kind": [], "rank": "QK", "noticed": True}]}, "kind: must be"),
        ({"points": [1, 2], "cards": [26, 26], "tricks": 1}, "not a field"),
    ],
)  # fmt: skip
def test_a_sheet_that_cannot_be(sheet: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSheet, match=said):
        GAME.score(sheet)


def event(seat: int, kind: str, points: int) -> dict[str, Any]:
    return {"seat": seat, "kind": kind, "points": points}


def test_the_first_to_61_wins_in_the_middle_of_a_deal() -> None:
    first = {"points": [40, 20], "cards": [30, 22], "board": 3}
    told = [
        event(1, "frappe", 4),
        event(2, "paire", 9),
        event(1, "place", 4),
        event(1, "frappe", 9),
        event(2, "x", 99),
    ]
    account = GAME.ledger([first, {"events": told}])
    assert account["totals"] == [48 + 17, 20 + 9]
    assert (account["over"], account["winner"], account["target"]) == (True, 1, 61)
    assert account["rows"] == [
        {"board": 3, "dealer": 1, "points": [48, 20], "ended_by": "normal"},
        {"dealer": 2, "points": [17, 9], "ended_by": "target"},
    ]
    with pytest.raises(BadRecord, match=r"^deals\[2\]: .*over after 2 deals"):
        GAME.ledger([first, {"events": told}, first])


def test_a_match_by_sheets() -> None:
    first = {"points": [40, 20], "cards": [30, 22], "dealer": 2}
    early = GAME.ledger([first, {"points": [12, 41], "ended_early": True}])
    assert (early["winner"], early["rows"][1]["ended_by"], early["totals"]) == (2, "target", [60, 61])
    by_cards = GAME.ledger([first, {"points": [12, 30], "cards": [30, 22]}])
    assert (by_cards["winner"], by_cards["totals"]) == (1, [68, 50])
    penitence = GAME.ledger([first, {"penitence": 2}])
    assert (penitence["winner"], penitence["rows"][1]["points"], penitence["rows"][1]["ended_by"]) == (
        2,
        [0, 0],
        "penitence",
    )
    going_on = GAME.ledger([first])
    assert (going_on["over"], going_on["next_dealer"], going_on["rows"][0]["dealer"]) == (False, 1, 2)
    told = GAME.ledger([{"events": [event(1, "frappe", 4), event(2, "penitence", 0), event(1, "frappe", 4)]}])
    assert (told["winner"], told["totals"]) == (2, [4, 0])


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"points": [13, 0], "cards": [26, 26]}, ".points: .*stopped"),
        ({"points": [1, 1], "ended_early": True}, ".ended_early: exactly one"),
        ({"points": [30, 60], "ended_early": True}, "exactly one"),
        ({"points": [1, 1], "cards": [26, 26], "dealer": 1}, "deal in turn"),
        ({"points": [1, 1], "cards": [26, 26], "dealer": 0}, "dealer"),
        ({"points": [1, 1], "cards": [26, 26], "board": 0}, "board"),
        ({"events": [], "points": [1, 1]}, ".events: .*beside it"),
        ({"events": {}}, ".events: must be a list"),
        ({"events": [{}]}, ".events: each needs"),
        ({"events": [event(3, "x", 1)]}, ".events: each needs"),
        ({"events": [event(1, "x", -1)]}, ".events: each needs"),
        ({"events": [{"seat": 1, "kind": 7, "points": 1}]}, ".events: each needs"),
        (7, "object"),
    ],
)
def test_entries_that_are_refused(entry: Any, said: str) -> None:
    first = {"points": [40, 20], "cards": [30, 22]}
    with pytest.raises(BadSheet, match=rf"^deals\[1\].*{said}"):
        GAME.ledger([first, entry])


def test_the_first_deal_says_who_deals_among_two() -> None:
    with pytest.raises(BadSheet, match=r"^deals\[0\].dealer: "):
        GAME.ledger([{"points": [1, 1], "cards": [26, 26], "dealer": 3}])


def test_a_sensible_robot_beats_random_ones() -> None:
    sensible, random = mean_scores("frappe", 200)
    assert sensible > random + 3


# ── For the suites of all games ───────────────────────────────────────────────────────────────────

CASES = {
    "frappe": Case(
        same_words=frozenset({"contre-frappe", "extension", "frappe", "pénitence"}),
        announced=("announced", "resolved", "events"),
        explains_more=True,
    )
}
