"""Bridgette: the worked examples of engines/rules/bridgette.md, then every refusal and option that it
names."""

from math import comb
from random import Random
from typing import Any

import pytest

from engines.errors import BadDeal, BadRecord, BadSheet
from engines.games.bridgette import Bridgette
from engines.games.bridgette.cards import GROUPS, PACK, Deal

from .cases import Case
from .table import Table, legal, mean_scores

GAME = Bridgette()


def deal_of(first: str, second: str, turned: str = "2C", stock: str = "") -> dict[str, Any]:
    """Dealer 2; the stock begins as said and goes on with what remains."""
    hands, begun = [first.split(), second.split()], stock.split()
    used = [*hands[0], *hands[1], turned, *begun]
    rest = [card for card in PACK.order if card not in used]
    for hand in hands:
        while len(hand) < 13:
            hand.append(rest.pop())
    return {"dealer": 2, "hands": hands, "turned": turned, "stock": begun + rest}


DEAL = deal_of(
    "AH KH QH JH TH 9H 8H 7H AD KD AC AS KS",
    "QS JS TS 9S 8S QD JD TD 9D KC QC JC 6H",
    stock="2H 3H 2S 3S 4S 5S",
)
TABLE = Table("bridgette", DEAL)
EXCHANGED = ("discard:2H,3H", "discard:2S,3S,4S,5S")


def test_the_pack_and_its_colons() -> None:
    assert len(PACK.order) == 55
    assert PACK.order[-4:] == ("AC", "1T", "CS", "EX")
    assert sum(group.bit_count() for group in GROUPS.values()) == 52
    assert not PACK.card("CS") & PACK.suit("S")


def test_one_by_one_the_forehand_first() -> None:
    deal = Deal.of(PACK.order, dealer=2)
    assert deal.hands[0] == PACK.cards(PACK.order[0:26:2])
    assert deal.hands[1] == PACK.cards(PACK.order[1:26:2])
    assert (deal.turned, deal.stock) == (PACK.order[26], PACK.order[27:])


@pytest.mark.parametrize(
    ("turned", "cards"), [("QD", 8), ("CS", 8), ("EX", 4), ("TD", 4), ("2C", 4), ("1T", 12), ("AH", 12)]
)
def test_what_the_turned_card_gives_the_dealer(turned: str, cards: int) -> None:
    """Worked example 5."""
    state = Table("bridgette", deal_of("", "", turned)).after()
    assert state.view(1).exchanged == (2, cards)
    assert [len(state.view(seat).hand) for seat in (1, 2)] == [15, 13 + cards]


@pytest.mark.parametrize(
    ("change", "said"),
    [({"turned": "AH"}, "twice"), ({"stock": []}, "13, 13, 1, 28"), ({"turned": "CD"}, "not in")],
)
def test_a_deal_that_is_not_the_pack(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDeal, match=said):
        GAME.read_deal(DEAL | change)


# ── The exchange ──────────────────────────────────────────────────────────────────────────────────


def test_discards_are_listed_as_long_as_they_can_be() -> None:
    assert len(TABLE.legal()) == comb(15, 2)
    assert len(TABLE.legal("discard:2H,3H")) == comb(17, 4)
    eight = Table("bridgette", deal_of("", "", "QD"))
    first = eight.legal()[0]
    assert len(eight.legal(first)) == 1
    state = eight.after(first)
    for _ in range(20):
        token = state.any_legal(2, Random(_))
        assert state.is_legal(token)
        assert len(token.split(",")) == 8


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("discard:2H", "lay aside 2 cards"),
        ("discard:2H,2H", "twice"),
        ("discard:2H,QS", "not in the hand"),
        ("discard:2H,ZZ", "no such action"),
        ("pass", "no such action"),
    ],
)
def test_what_cannot_be_laid_aside(token: str, said: str) -> None:
    assert said in TABLE.refused(token)


def test_each_knows_his_own_exchange() -> None:
    state = TABLE.after("discard:AH,2H")
    assert state.entries == ["discard:2H,AH"]
    assert state.view(1).pile("discards").shown == ("AH", "2H")
    assert state.view(2).pile("received").shown == ("5S", "4S", "3S", "2S")
    assert state.view(None).pile("discards").shown == state.view(2).pile("discards").shown == ()


# ── The auction ───────────────────────────────────────────────────────────────────────────────────


def test_bids_follow_the_hand() -> None:
    """Seat 1 holds eight hearts, two diamonds, one club, two spades; seat 2 five spades and so on."""
    listed = TABLE.legal(*EXCHANGED)
    assert listed[:4] == ["pass", "bid:0SA", "bid:1D", "bid:1H"]
    assert "bid:7H" in listed  # a jump with eight cards
    assert "bid:2D" not in listed  # a jump with two
    assert "bid:7SA" in listed
    assert not any(action.endswith("C") for action in listed)
    assert "two cards" in TABLE.refused(*EXCHANGED, "bid:1C")
    assert "jump in a suit" in TABLE.refused(*EXCHANGED, "bid:2D")
    assert "higher" in TABLE.refused(*EXCHANGED, "bid:1S", "bid:1H")
    assert "no such action" in TABLE.refused(*EXCHANGED, "bid:0C")
    assert "no such action" in TABLE.refused(*EXCHANGED, "bid:8SA")


def test_a_jump_depends_on_the_bid_before() -> None:
    said = (*EXCHANGED, "bid:1S")
    assert "bid:2C" in TABLE.legal(*said)
    assert "jump in a suit" in TABLE.refused(*said, "bid:3C")  # three clubs
    assert "bid:2H" not in TABLE.legal(*said)  # one heart only


def test_sans_atout_needs_every_suit() -> None:
    table = Table(
        "bridgette", deal_of("AH KH QH JH TH 9H 8H 7H 6H AC AD KD QD", "", stock="2H 3H 4S 5S 6S 7S")
    )
    state = table.after("discard:2H,3H")
    state.apply(legal(state)[-1])
    assert "card of each suit" in str(state.refusal("bid:0SA").rule)


@pytest.mark.parametrize(
    ("calls", "ended", "contract"),
    [
        ("pass pass", True, None),
        ("bid:1H pass", False, None),
        ("bid:1H pass pass", True, ("1H", 1, "none")),
        ("pass bid:1S pass pass", True, ("1S", 2, "none")),
        ("bid:1H pass bid:2H contre pass", True, ("2H", 1, "contre")),  # worked example 8
        ("bid:1H contre surcontre", True, ("1H", 1, "surcontre")),
        ("bid:1H contre bid:2H pass pass", True, ("2H", 1, "none")),
        ("bid:1H bid:1S pass pass", True, ("1S", 2, "none")),
    ],
)
def test_how_the_auction_ends(calls: str, ended: bool, contract: Any) -> None:
    state = TABLE.after(*EXCHANGED, *calls.split())
    assert (state.phase != "auction") == ended
    if contract:
        assert (state.view(1).contract, state.view(1).declarer, state.doubling) == contract
        assert state.actors() == (contract[1],)


def test_doubles_come_at_once() -> None:
    assert "at once" in TABLE.refused(*EXCHANGED, "contre")
    assert "at once" in TABLE.refused(*EXCHANGED, "bid:1H", "surcontre")
    assert "at once" in TABLE.refused(*EXCHANGED, "bid:1H", "pass", "contre")
    assert "at once" in TABLE.refused(*EXCHANGED, "bid:1H", "contre", "contre")
    assert TABLE.legal(*EXCHANGED, "bid:1H", "contre")[:2] == ["pass", "surcontre"]


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


def at_play(first: str, second: str, bid: str = "bid:0SA") -> Any:
    """Seat 1 leads with these cards left."""
    state = TABLE.after(*EXCHANGED, bid, "pass", "pass")
    state.hands = [PACK.cards(first), PACK.cards(second)]
    state.playable = state.hands[0]
    return state


def test_a_colon_may_answer_its_group() -> None:
    """Worked example 6."""
    state = at_play("KD QD 2S", "4D CS EX 9H")
    state.apply("play:KD")
    assert legal(state) == ["play:4D", "play:CS"]
    assert "follow the suit" in str(state.refusal("play:EX").rule)
    state.apply("play:CS")
    assert (state.taker, state.view(1).ban, legal(state)) == (0, "D", ["play:2S"])
    assert "away the right" in str(state.refusal("play:QD").rule)
    state.apply("play:2S")
    assert state.view(1).ban is None


@pytest.mark.parametrize(
    ("first", "second", "answer", "winner", "ban", "free"),
    [
        ("KD QD", "CS 9H", "CS", 0, "D", "QD"),  # nothing but diamonds
        ("KD QD 1T", "CS 9H", "CS", 0, "D", "1T"),  # a Colon can always be led
        ("KD QD 2S", "EX 9H", "EX", 0, None, "QD 2S"),  # void, and not its group
        ("AD QD 2S", "1T 9D", "1T", 0, "D", "2S"),
        ("9D QD 2S", "EX TD", "EX", 0, "D", "2S"),
        ("9D QD 2S", "TD 9H", "TD", 1, None, "9H"),
        ("9D QD 2S", "8D 9H", "8D", 0, None, "QD 2S"),
    ],
)
def test_answers_and_bans(first: str, second: str, answer: str, winner: int, ban: Any, free: str) -> None:
    state = at_play(first, second)
    state.apply(f"play:{first[:2]}")
    state.apply(f"play:{answer}")
    assert (state.taker, state.view(1).ban) == (winner, ban)
    assert {action[5:] for action in legal(state)} == set(free.split())


@pytest.mark.parametrize(
    ("led", "answer", "winner"),
    [
        ("1T", "AC", 1),  # worked example 7, hearts trumps
        ("1T", "2H", 1),
        ("1T", "KS", 0),
        ("1T", "EX", 0),
        ("CS", "JD", 1),
        ("EX", "JD", 0),
        ("KS", "2H", 1),
        ("KH", "AH", 1),
        ("AH", "2H", 0),
        ("AH", "AS", 0),
    ],
)
def test_who_wins(led: str, answer: str, winner: int) -> None:
    state = at_play(f"{led} 3C", f"{answer} 3D", "bid:1H")
    state.apply(f"play:{led}")
    state.apply(f"play:{answer}")
    assert state.taker == winner


def test_refusals_name_the_rule() -> None:
    play = (*EXCHANGED, "bid:1H", "pass", "pass")
    assert "no such action" in TABLE.refused(*play, "play:CD")
    assert "not in the hand" in TABLE.refused(*play, "play:QS")
    assert "another seat" in TABLE.refused(*play, "2 play:QS")
    assert "follow the suit" in TABLE.refused(*play, "play:AD", "play:QS")


def test_a_whole_deal() -> None:
    state = TABLE.after(*EXCHANGED, "bid:4H", "contre", "pass")
    while not state.over:
        state.apply(legal(state)[0])
    sheet = GAME.summarise(state)
    assert sum(state.tricks) == 13
    assert GAME.score(sheet) == state.outcome()
    assert (sheet["level"], sheet["denomination"], sheet["doubling"], sheet["declarer"]) == (
        4,
        "H",
        "contre",
        1,
    )


# ── The marks ─────────────────────────────────────────────────────────────────────────────────────


def sheet(contract: str, tricks: int, doubling: str = "none", **more: Any) -> dict[str, Any]:
    told = {"declarer": 1, "level": int(contract[0]), "denomination": contract[1:], "doubling": doubling}
    return told | {"tricks": tricks} | more


@pytest.mark.parametrize(
    ("told", "score"),
    [
        (sheet("2S", 8), 200),  # worked examples 1 to 4
        (sheet("2S", 10), 300),
        (sheet("4H", 11, "contre"), 1300),
        (sheet("1SA", 7, "surcontre"), 1200),
        (sheet("1SA", 8, "surcontre"), 1700),
        (sheet("3SA", 7), -200),
        (sheet("3SA", 7, "contre"), -600),
        (sheet("3SA", 7, "surcontre"), -800),
        (sheet("7C", 6), -1000),
        (sheet("7C", 6, "contre"), -3000),
        (sheet("7C", 6, "surcontre"), -4000),
        (sheet("7C", 8), -500),
        (sheet("0SA", 6), 100),
        (sheet("2SA", 8), 200),
        (sheet("4D", 10), 200),
        (sheet("4S", 10), 700),
        (sheet("4SA", 10), 700),
        (sheet("5C", 11), 700),
        (sheet("6C", 12), 1400),
        (sheet("5SA", 11), 1500),
        (sheet("6SA", 12), 2000),
        (sheet("7S", 13), 2100),
        (sheet("7SA", 13), 2500),
        (sheet("2S", 8, faults=[{"seat": 1, "kind": "autre"}]), -200),
        (sheet("2S", 8, faults=[{"seat": 2, "kind": "sa_sans_couleurs"}]), 300),
        (sheet("2S", 8, faults=[{"seat": s, "kind": "autre"} for s in (1, 2)]), 200),
        (sheet("7SA", 12, faults=[{"seat": 2, "kind": "autre"}] * 2), 2500),
        (sheet("0SA", 1, faults=[{"seat": 1, "kind": "autre"}]), -1000),
        (sheet("3C", 9, declarer=2), -200),
        ({"passed_out": True}, 0),
    ],
)
def test_the_marks(told: dict[str, Any], score: int) -> None:
    assert GAME.score(told).scores == (score, -score)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({}, "declarer: is missing"),
        ({"passed_out": True, "level": 1}, "left out"),
        ({"passed_out": "yes"}, "true or false"),
        (sheet("0S", 6), "for sans atout"),
        (sheet("8S", 6), "0 to 7"),
        (sheet("1N", 6), "denomination"),
        (sheet("1S", 14), "0 to 13"),
        (sheet("1S", 7, "redouble"), "doubling"),
        (sheet("1S", 7, declarer=3), "seat"),
        (sheet("1S", 7, faults=[{}]), "seat: is missing"),
        (sheet("1S", 7, faults=[{"seat": 3, "kind": "autre"}]), "seat"),
        (sheet("1S", 7, faults=[{"seat": 1, "kind": []}]), "one of"),
        (sheet("1S", 7, trump="S"), "not a field"),
    ],
)
def test_a_sheet_that_cannot_be(told: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSheet, match=said):
        GAME.score(told)


# ── The match ─────────────────────────────────────────────────────────────────────────────────────

PASSED = {"passed_out": True}


def test_six_deals() -> None:
    account = GAME.ledger([sheet("2S", 8) | {"board": 4, "dealer": 2}] + [PASSED] * 4 + [sheet("1S", 7)])
    assert (account["over"], account["winner"], account["totals"]) == (True, 1, [300, 0])
    assert [row["dealer"] for row in account["rows"]] == [2, 1, 2, 1, 2, 1]
    assert account["rows"][0] == {
        "board": 4,
        "dealer": 2,
        "contract": {"declarer": 1, "level": 2, "denomination": "S", "doubling": "none"},
        "tricks": 8,
        "marks": [200, 0],
    }
    assert account["rows"][1]["contract"] is None
    assert (account["extra_deal"], account["next_dealer"], account["deals_planned"]) == (False, None, 6)
    with pytest.raises(BadRecord, match="over after 6 deals"):
        GAME.ledger([sheet("2S", 8)] * 7)


def test_a_seventh_deal_decides() -> None:
    tied = [PASSED] * 6
    account = GAME.ledger(tied)
    assert (account["over"], account["extra_deal"], account["next_dealer"]) == (False, True, 1)
    again = GAME.ledger([*tied, PASSED])
    assert (again["over"], again["next_dealer"], again["rows"][-1]["dealer"]) == (False, 1, 1)
    done = GAME.ledger([*tied, PASSED, sheet("2S", 7)])
    assert (done["over"], done["winner"], done["extra_deal"], done["totals"]) == (True, 2, True, [0, 100])


def test_where_passed_out_deals_are_dealt_again() -> None:
    account = GAME.ledger([PASSED, PASSED, sheet("2S", 8)], options={"passed_out": "redeal"})
    assert [row["dealer"] for row in account["rows"]] == [1, 1, 1]
    assert account["next_dealer"] == 2


@pytest.mark.parametrize(
    ("entry", "said"),
    [(PASSED | {"dealer": 1}, "deal in turn"), (PASSED | {"board": "x"}, "board"), (1, "object")],
)
def test_entries_that_are_refused(entry: Any, said: str) -> None:
    with pytest.raises(BadSheet, match=rf"deals\[1\].*{said}"):
        GAME.ledger([PASSED, entry])


def test_a_sensible_robot_beats_random_ones() -> None:
    sensible, random = mean_scores("bridgette", 100)
    assert sensible > random + 500


# ── For the suites of all games ───────────────────────────────────────────────────────────────────


def any_large_discard(state: Any, token: str) -> Any:
    """One of the millions of large discards is listed."""
    return "discard" if state.phase == "exchange" and state.surplus() > 4 else token


CASES = {"bridgette": Case(same_words=frozenset({"contre", "surcontre"}), meaning=any_large_discard)}
