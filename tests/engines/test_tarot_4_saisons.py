"""Tarot 4 saisons: the worked examples of engines/rules/tarot-4-saisons.md, then every refusal and option."""

from collections import Counter
from math import comb
from typing import Any

import pytest

from engines import bots, records, registry
from engines.contract import with_defaults
from engines.errors import BadDeal, BadRecord, BadSheet, IllegalAction
from engines.games.tarot_4_saisons import Saisons
from engines.games.tarot_4_saisons.cards import (
    BIDS,
    EXCUSE,
    PACK,
    PETIT,
    TRUMPS,
    TWO,
    Deal,
    card_points,
)
from engines.tarot import tarot_cards
from engines.views import Said

from .cases import Case

GAME = Saisons()
DEAL: dict[str, Any] = {  # seat 1 is the forehand and can show spades; seat 2 has no figure
    "dealer": 3,
    "hands": [
        ["KS", "QS", "CS", "JS", "21T", "20T", "19T", "18T", "17T", "16T", "15T", "14T", "2T", "1T", "EX"],
        ["1S", "2S", "4S", "1H", "2H", "4H", "1D", "2D", "4D", "1C", "2C", "4C", "3T", "4T", "5T"],
        ["KH", "QH", "CH", "JH", "KD", "QD", "CD", "JD", "KC", "QC", "CC", "JC", "6T", "7T", "8T"],
    ],
    "dog": ["9T", "10T", "11T", "12T", "13T"],
}
NO_CONTRACTS = ("contracts:none", "contracts:none", "contracts:none")
NO_CONTRES = ("pass", "pass", "pass")
NO_SUITES = ("suites:none", "suites:none", "suites:none")
QUIET = (*NO_CONTRACTS, *NO_CONTRES, *NO_SUITES)
SANS_VOIR = ("bid:sans-voir", "pass", "pass")


def replayed(*actions: str, deal: dict[str, Any] = DEAL, **options: Any) -> Any:
    return records.replay(
        records.read({"game": "tarot-4-saisons", "options": options, "deal": deal, "actions": list(actions)})
    )


def legal(state: Any) -> list[str]:
    return list(state.legal(state.actors()[0]))


def illegal(*actions: str, **options: Any) -> str:
    with pytest.raises(IllegalAction) as refused:
        replayed(*actions, **options)
    return str(refused.value.rule)


# ── Cards and deal ────────────────────────────────────────────────────────────────────────────────


def test_the_pack_and_its_points() -> None:
    assert len(PACK.order) == 50
    assert (PACK.order[:7], PACK.order[28], PACK.order[-1]) == (
        ("1S", "2S", "4S", "JS", "CS", "QS", "KS"), "1T", "EX"
    )  # fmt: skip
    assert card_points(PACK.all) == 185
    worth = {
        "EX": 10,
        "1T": 10,
        "21T": 10,
        "16T": 5,
        "20T": 1,
        "KS": 10,
        "QH": 8,
        "CD": 6,
        "JC": 2,
        "1C": 4,
        "4S": 0,
    }
    assert {token: card_points(PACK.card(token)) for token in worth} == worth


def test_five_at_a_time_and_the_dog_after_the_first_round() -> None:
    deal = Deal.of(PACK.order, dealer=2)
    assert deal.dog == PACK.order[15:20]
    assert deal.hands[2] == PACK.cards(PACK.order[0:5] + PACK.order[20:25] + PACK.order[35:40])
    assert deal.hands[0] == PACK.cards(PACK.order[5:10] + PACK.order[25:30] + PACK.order[40:45])


def test_boards_give_everybody_a_trump() -> None:
    void = {"dealer": 1, "hands": [DEAL["hands"][2][:12] + ["EX", "1S", "2S"],
                                   ["4S", *DEAL["hands"][1][3:], "6T", "7T"],
                                   [*DEAL["hands"][0][:-1], "8T"]], "dog": DEAL["dog"]}  # fmt: skip
    assert GAME.read_deal(void).is_void  # the Excuse is no trump
    assert not GAME.read_deal(DEAL).is_void
    for number in range(1, 500):
        assert not registry.deal_board(GAME, bytes(32), number, {}, {}).is_void


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"dog": ["9T", "10T", "11T", "12T", "3S"]}, "not in the pack"),
        ({"dog": ["9T", "10T", "11T", "12T", "14T"]}, "twice"),
        ({"dog": []}, "15, 15, 15, 5"),
        ({"hands": 1}, "lists of"),
        ({"dealer": 0}, "dealer"),
    ],
)
def test_a_deal_that_is_not_the_pack(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDeal, match=said):
        GAME.read_deal(DEAL | change)


# ── The auction ───────────────────────────────────────────────────────────────────────────────────


def test_bids_rise_in_the_order_of_their_table() -> None:
    assert legal(replayed()) == ["pass", *(f"bid:{level}" for level in BIDS)]
    assert legal(replayed("bid:contre"))[:3] == ["misere", "pass", "bid:tout-clair"]
    assert legal(replayed("bid:contre-clair")) == ["misere", "pass"]
    assert "higher" in illegal("bid:3", "bid:2+2")
    assert "higher" in illegal("bid:3", "bid:3")
    assert "no such action" in illegal("bid:4")
    assert "no such action" in illegal("3")
    stakes = [bid.stake for bid in BIDS.values()]
    assert stakes == sorted(stakes)


def test_everybody_speaks_once_at_least_and_two_passes_in_a_row_end_it() -> None:
    assert replayed("pass", "pass").actors() == (3,)
    state = replayed("pass", "pass", "bid:tout", "bid:2+2", "pass")
    assert (state.phase, state.actors()) == ("auction", (3,))  # seat 1 came back after its pass
    state.apply("bid:sans-voir")
    state.apply("pass")
    state.apply("pass")
    assert (state.phase, state.view(None).declarer) == ("contracts", 3)
    assert replayed("pass", "bid:tout", "pass").phase == "auction"


def test_where_a_pass_is_final() -> None:
    state = replayed("pass", "bid:tout", "bid:3", pass_is_final=True)
    assert state.actors() == (2,)
    state.apply("pass")
    assert (state.phase, state.view(None).declarer) == ("dog", 3)
    assert replayed("pass", "pass", pass_is_final=True).actors() == (3,)
    assert replayed("pass", "pass", "bid:tout", pass_is_final=True).phase == "dog"
    assert replayed("pass", "pass", "pass", pass_is_final=True).over


def test_a_passed_deal_costs_everybody_a_point() -> None:
    state = replayed("pass", "misere", "pass", "pass")
    assert state.outcome().scores == (-1, 1, -1)
    assert GAME.summarise(state) == {"bid": "passed", "misere": [2]}
    assert state.view(1).pile("dog").shown == ()


def test_a_misere_is_declared_before_the_first_call_by_a_hand_without_figures() -> None:
    assert "misere" not in legal(replayed())
    assert "misère" in illegal("misere")
    state = replayed("pass", "misere")
    assert (state.actors(), state.view(1).misere) == ((2,), (2,))
    assert "misère" in illegal("pass", "misere", "misere")
    assert "misere" not in legal(replayed("pass", "pass", "bid:tout", "pass"))
    assert "misère" in illegal("pass", "pass", "bid:tout", "pass", "misere")


def test_where_a_misere_must_be_declared() -> None:
    assert legal(replayed("pass", misere_mandatory=True)) == ["misere"]
    assert "must declare" in illegal("pass", "pass", misere_mandatory=True)
    assert "pass" in legal(replayed("pass", "misere", misere_mandatory=True))


# ── The dog ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("level", "turned"), [("tout", 5), ("3", 3), ("tout-clair", 5), ("3-clair", 3)])
def test_cards_are_turned_from_the_top(level: str, turned: int) -> None:
    state = replayed(f"bid:{level}", "pass", "pass")
    assert state.view(2).pile("turned").shown == tuple(DEAL["dog"][:turned])
    assert len(state.view(1).hand) == 15 + turned
    assert len(legal(state)) == comb(15 + turned - 4, turned)  # but the king and the bouts


@pytest.mark.parametrize("level", ["sans-voir", "sans-points", "contre", "sans-voir-clair"])
def test_some_bids_turn_none(level: str) -> None:
    state = replayed(f"bid:{level}", "pass", "pass")
    assert (state.phase, state.view(None).pile("turned").shown) == ("contracts", ())


def test_the_optional_cards_may_lower_the_stake() -> None:
    state = replayed("bid:2+2", "pass", "pass")
    assert legal(state) == ["option:take", "option:skip"]
    assert state.view(3).pile("turned").shown == ("9T", "10T")
    assert replayed("bid:2+2", "pass", "pass", "option:skip").view(1).hand.count("9T") == 1
    state.apply("option:take")
    assert (state.actors(), state.view(1).pile("turned").shown) == ((2,), ("9T", "10T", "11T", "12T"))
    assert legal(state) == ["lower:accept", "lower:refuse"]
    one_refuses = state.copy()
    one_refuses.apply("lower:refuse")
    assert one_refuses.actors() == (3,)  # asked all the same
    one_refuses.apply("lower:accept")
    assert (one_refuses.lowered, one_refuses.actors()) == (False, (1,))
    state.apply("lower:accept")
    state.apply("lower:accept")
    assert (state.lowered, len(state.view(1).hand)) == (True, 19)
    assert replayed("bid:1+1", "pass", "pass", "option:take").view(2).pile("turned").shown == ("9T", "10T")


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("discard:KS,14T,15T", "kings and bouts"),
        ("discard:1T,14T,15T", "kings and bouts"),
        ("discard:EX,14T,15T", "kings and bouts"),
        ("discard:9T,14T", "lay 3 cards"),
        ("discard:9T,9T,14T", "twice"),
        ("discard:3T,9T,14T", "not in the hand"),
        ("discard:9T,14T,3S", "no such action"),
        ("option:take", "no such action"),
        ("contracts:none", "no such action"),
    ],
)
def test_what_cannot_be_laid_on_the_dog(token: str, said: str) -> None:
    assert said in illegal("bid:3", "pass", "pass", token)


def test_the_discard_is_the_takers_secret_until_the_end() -> None:
    state = replayed("bid:3", "pass", "pass", "discard:14T,JS,9T")
    assert state.entries[-1] == "discard:JS,9T,14T"
    assert state.view(1).pile("discard").shown == ("JS", "9T", "14T")
    assert state.view(2).pile("discard").shown == state.view(None).pile("dog").shown == ()


# ── Contracts, contres, suites ────────────────────────────────────────────────────────────────────


def test_contracts_are_offered_by_side() -> None:
    state = replayed(*SANS_VOIR)
    assert state.actors() == (1,)
    assert len(legal(state)) == 2**5
    assert legal(state)[:6] == ["contracts:none", "contracts:petit-au-bout", "contracts:deux-avant-dernier",
                                "contracts:quasi", "contracts:quatre-rois", "contracts:capot"]  # fmt: skip
    assert "only the taker" in illegal(*SANS_VOIR, "contracts:resistance")
    assert "only the taker" in illegal(*SANS_VOIR, "contracts:none", "contracts:capot")
    assert "twice" in illegal(*SANS_VOIR, "contracts:quasi,quasi")
    assert "no such action" in illegal(*SANS_VOIR, "contracts:none,quasi")
    assert "no such action" in illegal(*SANS_VOIR, "contracts:")
    assert replayed(*SANS_VOIR, "contracts:capot,quasi").entries[-1] == "contracts:quasi,capot"


def test_each_side_contres_the_other_once() -> None:
    said = (*SANS_VOIR, "contracts:quasi,capot", "contracts:resistance", "contracts:resistance,quasi")
    state = replayed(*said)
    assert legal(state)[:4] == ["pass", "contre:resistance@2", "contre:quasi@3", "contre:resistance@3"]
    state.apply("contre:resistance@3,quasi@3")
    assert state.entries[-1] == "contre:quasi@3,resistance@3"
    assert legal(state) == ["pass", "contre:game", "contre:quasi@1", "contre:game,quasi@1"]
    state.apply("contre:game,quasi@1")
    assert legal(state) == ["pass"]
    state.apply("pass")
    assert state.view(2).game_contred
    assert state.view(2).contred == (Said(3, "quasi"), Said(3, "resistance"), Said(1, "quasi"))
    assert "nobody has contred" in illegal(*said, "contre:game")
    assert "nobody has contred" in illegal(*said, "pass", "contre:capot@1")
    assert "nobody has contred" in illegal(*said, "pass", "contre:resistance@3")
    assert "nobody has contred" in illegal(*said, "pass", "contre:game", "contre:game")
    assert "twice" in illegal(*said, "pass", "contre:game,game")
    assert "no such action" in illegal(*said, "suites:none")


def test_suites_may_be_shown_by_who_holds_them() -> None:
    said = (*SANS_VOIR, *NO_CONTRACTS, *NO_CONTRES)
    assert legal(replayed(*said)) == ["suites:none", "suites:S"]
    assert legal(replayed(*said, "suites:S")) == ["suites:none"]
    assert legal(replayed(*said, "suites:S", "suites:none"))[-1] == "suites:H,D,C"
    assert "king, queen" in illegal(*said, "suites:H")
    assert "twice" in illegal(*said, "suites:S,S")
    assert "no such action" in illegal(*said, "suites:T")
    assert "no such action" in illegal(*said, "pass")
    state = replayed(*said, "suites:S", "suites:none", "suites:C,H")
    assert state.entries[-1] == "suites:H,C"
    assert state.view(1).suites == (("S",), (), ("H", "C"))


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


def test_the_forehand_leads_unless_a_capot_lets_the_taker_choose() -> None:
    assert replayed(*SANS_VOIR, *QUIET).actors() == (1,)
    capot = ("pass", "pass", "bid:sans-voir", "pass", "pass", "contracts:none", "contracts:none",
             "contracts:capot", *NO_CONTRES, *NO_SUITES)  # fmt: skip
    state = replayed(*capot)
    assert (state.phase, state.actors(), legal(state)) == ("play", (3,), ["lead:me", "lead:forehand"])
    assert "no such action" in illegal(*capot, "play:KH")
    assert replayed(*capot, "lead:me").actors() == (3,)
    assert replayed(*capot, "lead:forehand").actors() == (1,)
    own = replayed(*SANS_VOIR, "contracts:capot", *NO_CONTRACTS[1:], *NO_CONTRES, *NO_SUITES)
    assert legal(own) == ["lead:me", "lead:forehand"]


def following(trick: str, hand: str) -> set[str]:
    cards = [PACK.card(token) for token in trick.split()]
    demanded = next((PACK.suit(token[-1]) for token in trick.split() if token != "EX"), 0)
    return set(PACK.tokens(tarot_cards(PACK.cards(hand), demanded, cards, TRUMPS, EXCUSE)))


@pytest.mark.parametrize(
    ("trick", "hand", "free"),
    [
        ("KD 12T", "5T 14T 20T EX KS", "14T 20T EX"),  # worked example 9
        ("KD 12T", "5T 9T EX KS", "5T 9T EX"),
        ("2D", "1D KD 5T EX", "1D KD EX"),  # no duty to win
        ("2D", "5T KS", "5T"),
        ("2D", "KS QH", "KS QH"),
        ("EX", "KS 5T", "KS 5T"),
        ("EX 2D", "KD 5T", "KD"),
        ("7T", "6T 8T KS", "8T"),
        ("KD 12T", "1D 14T", "1D"),
    ],
)
def test_what_may_be_played(trick: str, hand: str, free: str) -> None:
    assert following(trick, hand) == set(free.split())


def test_refusals_name_the_rule() -> None:
    play = (*SANS_VOIR, *QUIET)
    assert "no such action" in illegal(*play, "play:3S")
    assert "not in the hand" in illegal(*play, "play:KH")
    assert "follow the suit" in illegal(*play, "play:KS", "play:3T")
    assert "play a trump" in illegal(*play, "play:KS", "play:1S", "play:KH")
    assert "a trump was led" in illegal(*play, "play:2T", "play:1S")
    state = at_play(hands=[PACK.card("9T"), PACK.cards("5T 14T"), PACK.card("KS")], playable=PACK.card("9T"))
    state.apply("play:9T")
    assert "a higher trump" in str(state.refusal("play:5T").rule)
    assert state.refusal("play:14T") is None


def at_play(**values: Any) -> Any:
    """The play begun, seat 1 to lead, with something of the state changed."""
    state = replayed(*SANS_VOIR, *QUIET)
    for name, value in values.items():
        setattr(state, name, value)
    return state


@pytest.mark.parametrize(("already", "keeper"), [("KH 4H 2H", 1), ("KH QH JH", 0), ("", 0)])
def test_who_keeps_the_excuse(already: str, keeper: int) -> None:
    """Worked example 8: seat 2 plays the Excuse, seat 1 wins the trick."""
    state = at_play(
        won=[0, PACK.cards(already), 0],
        hands=[PACK.cards("KS 2C"), PACK.cards("EX 4C"), PACK.cards("QS 4D")],
        playable=PACK.cards("KS 2C"),
    )
    for token in ("play:KS", "play:EX", "play:QS"):
        state.apply(token)
    assert state.won[keeper] & EXCUSE
    assert sum(map(card_points, state.won)) == card_points(PACK.cards(already) | PACK.cards("KS EX QS"))
    assert sum(won.bit_count() for won in state.won) == len(already.split()) + 3
    assert state.taker == 0


@pytest.mark.parametrize(("gathered", "late"), [(12, None), (13, 0), (14, 0)])
def test_the_excuse_costs_in_the_last_two_tricks(gathered: int, late: int | None) -> None:
    state = at_play(
        takers=[0] * gathered,
        hands=[PACK.cards("EX 2C"), PACK.cards("KS 4C"), PACK.cards("QS 4D")],
        playable=PACK.cards("EX 2C"),
    )
    for token in ("play:EX", "play:KS", "play:QS"):
        state.apply(token)
    assert state.excuse_late == late
    assert state.taker == 1


@pytest.mark.parametrize(
    ("cards", "petit"), [("1T KS QS", 0), ("KS 1T QS", 1), ("KS 1T 3T", None), ("KS QS EX", None)]
)
def test_the_petit_in_the_last_trick(cards: str, petit: int | None) -> None:
    hands = [PACK.card(card) for card in cards.split()]
    state = at_play(takers=[0] * 14, hands=hands, playable=hands[0])
    for card in cards.split():
        state.apply(f"play:{card}")
    assert state.over
    assert state.petit == petit


@pytest.mark.parametrize(("gathered", "deux"), [(12, None), (13, 1)])
def test_the_two_in_the_last_trick_but_one(gathered: int, deux: int | None) -> None:
    hands = [PACK.cards("KS KC"), PACK.cards("2T 1C"), PACK.cards("QS QC")]
    state = at_play(takers=[0] * gathered, hands=hands, playable=hands[0])
    for card in ("KS", "2T", "QS"):
        state.apply(f"play:{card}")
    assert state.deux == deux


@pytest.mark.parametrize(
    ("bid", "owner"), [("tout", 0), ("3-clair", 0), ("sans-points", None), ("contre", None)]
)
def test_whose_the_cards_of_the_dog_are(bid: str, owner: int | None) -> None:
    state = at_play(bid=list(BIDS).index(bid), won=[PACK.cards("1T 21T"), 0, 0], discard=EXCUSE, turned=5)
    assert state.owner_of(PETIT | EXCUSE | PACK.card("21T")) == owner
    assert state.owner_of(PETIT | TWO) is None


def test_a_whole_deal() -> None:
    state = replayed(*SANS_VOIR, "contracts:quatre-rois,quasi", *NO_CONTRACTS[1:], "pass", "contre:quasi@1",
                     "pass", "suites:S", "suites:none", "suites:H,D,C")  # fmt: skip
    while not state.over:
        state.apply(legal(state)[0])
    sheet = GAME.summarise(state)
    assert sum(sheet["tricks"]) == 15
    assert sum(sheet["points"]) + sheet["dog"] == 185
    assert sheet["suites"] == [1, 0, 3]
    assert state.view(None).pile("dog").shown == ("9T", "10T", "11T", "12T", "13T")
    assert GAME.score(sheet, deal=GAME.read_deal(DEAL)) == state.outcome()


# ── The marks ─────────────────────────────────────────────────────────────────────────────────────


def fault(seat: int, kind: str) -> dict[str, Any]:
    return {"seat": seat, "kind": kind}


ONE: dict[str, Any] = {
    "bid": "tout",
    "taker": 1,
    "lowered": False,
    "game_contred": False,
    "tricks": [7, 5, 3],
    "points": [70, 60, 45],
    "dog": 10,
    "contracts": [],
    "petit_au_bout": None,
    "deux_avant_dernier": None,
    "trois_bouts": None,
    "quatre_as": None,
    "misere": [],
    "suites": [0, 0, 0],
    "excuse_late": None,
}


def contract(seat: int, name: str, made: bool, contred: bool = False) -> dict[str, Any]:
    return {"seat": seat, "id": name, "contred": contred, "made": made}


FOURTEEN = {"tricks": [14, 1, 0], "points": [150, 25, 0]}
ALL_TRICKS = {"tricks": [15, 0, 0], "points": [175, 0, 0]}
CAPOT = [contract(1, "capot", True)]


@pytest.mark.parametrize(
    ("change", "scores"),
    [
        ({}, (2, 0, 0)),  # worked example 2
        ({"points": [83, 50, 42]}, (4, 0, 0)),
        ({"points": [60, 70, 45]}, (0, 3, 2)),
        ({"bid": "1+1", "game_contred": True, "points": [85, 50, 40]}, (16, 0, 0)),  # 3
        ({"bid": "contre", "points": [80, 55, 30], "dog": 20}, (10, 1, 0)),  # 4
        ({"bid": "tout-clair", "points": [82, 50, 43]}, (0, 12, 12)),  # 5
        ({"bid": "tout-clair", "points": [83, 50, 42]}, (12, 0, 0)),
        (FOURTEEN | {"bid": "3", "contracts": [contract(1, "capot", False)]}, (11, 32, 32)),  # 6
        ({"points": [70, 61, 44], "contracts": [contract(2, "resistance", False, True)]}, (6, 0, 0)),  # 7
        ({"points": [69, 62, 44], "contracts": [contract(2, "resistance", True, True)]}, (2, 4, 0)),
        (ALL_TRICKS, (8, 0, 0)),
        (ALL_TRICKS | {"contracts": CAPOT}, (16, 0, 0)),
        (ALL_TRICKS | {"bid": "contre-clair", "contracts": CAPOT, "game_contred": True}, (8 * 26, 0, 0)),
        (ALL_TRICKS | {"bid": "sans-points-clair"}, (4 * 21, 0, 0)),
        ({"bid": "2+2", "lowered": True}, (3, 0, 0)),
        ({"bid": "1+1-clair", "lowered": True, "points": [83, 50, 42]}, (16, 0, 0)),
        ({"bid": "sans-points", "points": [70, 60, 45]}, (9, 0, 0)),  # the dog counts for nobody
        ({"bid": "sans-points-clair", "points": [92, 50, 33]}, (0, 21, 21)),
        ({"bid": "contre", "points": [61, 61, 53]}, (0, 11, 11)),  # 61, 71, 63
        ({"petit_au_bout": 2}, (2, 3, 0)),
        ({"petit_au_bout": 2, "contracts": [contract(2, "petit-au-bout", True)]}, (2, 6, 0)),
        ({"petit_au_bout": 3, "contracts": [contract(2, "petit-au-bout", False)]}, (8, 0, 3)),
        ({"contracts": [contract(1, "petit-au-bout", False, True)]}, (2, 8, 8)),
        ({"deux_avant_dernier": 1}, (4, 0, 0)),
        ({"deux_avant_dernier": 1, "contracts": [contract(1, "deux-avant-dernier", True, True)]}, (8, 0, 0)),
        ({"trois_bouts": 1, "quatre_as": 3}, (4, 0, 1)),
        ({"tricks": [1, 14, 0], "points": [85, 90, 0]}, (4, 3 + 1, 0)),
        (FOURTEEN | {"contracts": [contract(1, "quasi", True)]}, (10, 0, 0)),
        (FOURTEEN | {"tricks": [13, 2, 0], "contracts": [contract(1, "quasi", False)]}, (4, 6, 6)),
        ({"contracts": [contract(3, "quatre-rois", True)]}, (2, 0, 3)),
        ({"contracts": [contract(3, "quatre-rois", False), contract(1, "quatre-rois", True)]}, (8, 0, 0)),
        ({"misere": [2], "suites": [1, 0, 2], "excuse_late": 3}, (4, 2, 4 - 6)),
        ({"passed_before": 2}, (2 + 6, 0, 0)),
        ({"passed_before": 1, "points": [60, 70, 45]}, (0, 2 + 1 + 3, 2 + 3)),
        (ALL_TRICKS | {"passed_before": 1}, (11, 0, 0)),  # never multiplied
        ({"faults": [fault(3, "misdeal-repairable")]}, (2, 0, -2)),
        ({"faults": [fault(1, "dog-fault"), fault(2, "misdeal-repairable")]}, (-1, -2, 0)),
    ],
)  # fmt: skip
def test_the_marks(change: dict[str, Any], scores: tuple[int, ...]) -> None:
    assert GAME.score(ONE | change).scores == scores


@pytest.mark.parametrize(
    ("sheet", "scores"),
    [
        ({"bid": "passed", "misere": []}, (-1, -1, -1)),
        ({"bid": "passed", "misere": [1, 3]}, (1, -1, 1)),
        ({"bid": "passed", "misere": [], "faults": [fault(2, "misdeal-repairable")]}, (-1, -3, -1)),
        ({"faults": [fault(2, "misdeal")]}, (0, -2, 0)),
        ({"faults": [fault(2, "no-trump")]}, (0, 2, 0)),
        ({"faults": [fault(2, "revoke")]}, (0, -6, 0)),
        ({"bid": "passed", "faults": [fault(2, "misere-omitted")]}, (0, -6, 0)),
        ({"bid": "3", "taker": 1, "faults": [fault(2, "revoke")]}, (0, -10, 0)),
        (
            {"bid": "2+2", "taker": 1, "lowered": True, "game_contred": True,
             "faults": [fault(1, "dog-fault-exchanged")]},
            (-8, 0, 0),
        ),
        (
            {"bid": "3", "taker": 1, "faults": [fault(1, "dog-fault"), fault(3, "revoke")]},
            (-3, 0, -10),
        ),
        (ONE | {"misere": [2], "tricks": "?", "faults": [fault(2, "revoke")]}, (0, -8, 0)),
    ],
)  # fmt: skip
def test_passed_and_annulled_deals(sheet: dict[str, Any], scores: tuple[int, ...]) -> None:
    assert GAME.score(sheet).scores == scores


def test_innocents_of_an_annulled_deal_are_not_compared() -> None:
    outcome = GAME.score({"bid": "3", "taker": 1, "faults": [fault(2, "revoke")]})
    assert outcome.averaged == (1, 3)
    assert GAME.score(ONE).averaged == ()


# ── The result sheet ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"bid": "prise"}, "bid", "one of"),
        ({"bid": None}, "bid", "missing"),
        ({"bid": "passed"}, "taker", "left out"),
        ({"taker": 4}, "taker", "seat"),
        ({"lowered": True}, "lowered", "2 + 2"),
        ({"tricks": [7, 5, 4]}, "tricks", "add up to 16"),
        ({"points": [70, 60, 46]}, "points", "add up to 186"),
        ({"dog": 51}, "dog", "50"),
        ({"tricks": [8, 7, 0]}, "points", "seat 3"),
        ({"contracts": [{"seat": 1}]}, "contracts", "id: is missing"),
        ({"contracts": [contract(4, "quasi", False)]}, "contracts", "seat"),
        ({"contracts": [contract(1, "trois-bouts", False)]}, "contracts", "one of"),
        ({"contracts": [contract(1, "quasi", False) | {"made": 1}]}, "contracts", "true or false"),
        ({"contracts": [contract(2, "capot", False)]}, "contracts", "only the taker"),
        ({"contracts": [contract(1, "resistance", False)]}, "contracts", "only the taker"),
        ({"contracts": [contract(1, "capot", False, True)]}, "contracts", "cannot be contred"),
        ({"contracts": [contract(1, "quasi", False)] * 2}, "contracts", "twice"),
        ({"contracts": [contract(1, "quasi", True)]}, "contracts", "does not agree"),
        ({"contracts": [contract(1, "capot", True)]}, "contracts", "does not agree"),
        ({"contracts": [contract(2, "resistance", True)]}, "contracts", "does not agree"),
        ({"contracts": [contract(2, "petit-au-bout", True)]}, "contracts", "does not agree"),
        ({"petit_au_bout": 2, "contracts": [contract(2, "petit-au-bout", False)]}, "contracts", "agree"),
        ({"contracts": [contract(s, "quatre-rois", True) for s in (1, 2)]}, "contracts", "four kings"),
        ({"petit_au_bout": 0}, "petit_au_bout", "seat"),
        ({"petit_au_bout": 3, "tricks": [9, 6, 0], "points": [80, 95, 0]}, "petit_au_bout", "too few"),
        ({"petit_au_bout": 3, "deux_avant_dernier": 3, "tricks": [9, 5, 1]}, "petit_au_bout", "too few"),
        ({"trois_bouts": 3, "points": [86, 60, 29]}, "trois_bouts", "30"),
        ({"quatre_as": 3, "points": [100, 60, 15]}, "quatre_as", "16"),
        ({"misere": [4]}, "misere", "seats"),
        ({"suites": [3, 2, 0]}, "suites", "four suits"),
        ({"suites": [4, 0, 0]}, "suites", "0 to 3"),
        (ALL_TRICKS | {"excuse_late": 1}, "excuse_late", "does not win"),
        ({"faults": [{"seat": 1}]}, "faults", "kind: is missing"),
        ({"faults": [fault(4, "revoke")]}, "faults", "seat"),
        ({"faults": [fault(1, "late")]}, "faults", "one of"),
        ({"faults": [{"seat": 1, "kind": []}]}, "faults", "one of"),
        ({"faults": [fault(2, "dog-fault")]}, "faults", "only the taker"),
        ({"faults": [fault(1, "revoke"), fault(2, "misdeal")]}, "faults", "only one"),
        ({"faults": {}}, "faults", "list"),
        ({"passed_before": -1}, "passed_before", "0 or more"),
        ({"winner": 1}, "winner", "not a field"),
    ],
)  # fmt: skip
def test_a_sheet_that_cannot_be(change: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(BadSheet) as refused:
        GAME.score(ONE | change)
    assert refused.value.field == field
    assert said in str(refused.value.constraint)


@pytest.mark.parametrize("name", list(ONE))
def test_every_field_of_a_played_deal_is_needed(name: str) -> None:
    with pytest.raises(BadSheet, match=f"{name}: is missing"):
        GAME.score({field: value for field, value in ONE.items() if field != name})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"misere": [1]}, "dealt a figure"),
        ({"bid": "sans-voir", "dog": 10}, "it has 5"),
        ({"passed_before": 1}, "passed_before"),
        ({"faults": [fault(1, "misdeal")]}, "seat 3"),
        ({"faults": [fault(1, "no-trump")]}, "dealt a trump"),
    ],
)
def test_what_a_known_deal_rules_out(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSheet, match=said):
        GAME.score(ONE | change, deal=GAME.read_deal(DEAL))
    if "dog" not in change:
        return
    right = {"bid": "sans-voir", "dog": 5, "points": [75, 60, 45]}
    assert GAME.score(ONE | right, deal=GAME.read_deal(DEAL)).scores == (7, 0, 0)


def test_a_misdeal_is_the_dealers_where_he_is_known() -> None:
    sheet = {"faults": [fault(1, "misdeal")]}
    assert GAME.score(sheet, conditions={"dealer": 1}).scores == (-2, 0, 0)
    with pytest.raises(BadSheet, match="seat 2"):
        GAME.score(sheet, conditions={"dealer": 2})


# ── The match ─────────────────────────────────────────────────────────────────────────────────────


def taken(taker: int, marks: int) -> dict[str, Any]:
    """A sheet that brings its taker 2 or 12 marks, and the others none."""
    bid, own, other = {2: ("tout", 82, 53), 12: ("1+1", 83, 52)}[marks]
    points = [40, 40, 40]
    points[taker - 1], points[taker % 3] = own, other
    return ONE | {"bid": bid, "taker": taker, "points": points}


def test_the_bar_rises_until_one_alone_has_reached_it() -> None:
    """Worked example 1: from 48 each to 54 and 61."""
    before = [taken(1, 12), taken(2, 12)] * 4  # 48 each
    account = GAME.ledger(before)
    assert (account["scores"], account["bar"], account["over"]) == ([48, 48, 0], 50, False)
    made = ONE | {"points": [40, 60, 75], "contracts": []}  # each opponent 2, seat 3 also 1
    both = GAME.ledger([*before, made | {"taker": 3, "bid": "1+1", "points": [60, 70, 45]}])
    assert both["scores"] == [54, 54 + 1, 0]
    assert (both["bar"], both["over"], both["next_dealer"]) == (60, False, 1)
    won = GAME.ledger([*before, made | {"taker": 3, "bid": "1+1", "points": [60, 70, 45], "petit_au_bout": 2,
                                        "contracts": [contract(2, "petit-au-bout", True)]}])  # fmt: skip
    assert won["scores"] == [54, 61, 0]
    assert (won["bar"], won["winner"], won["next_dealer"]) == (60, 2, None)
    with pytest.raises(BadRecord, match="over after 9 deals"):
        GAME.ledger([*before, taken(1, 2), taken(1, 2)])


def test_passed_deals_add_up_until_one_is_played() -> None:
    passed = {"bid": "passed", "misere": []}
    account = GAME.ledger([passed, passed, taken(1, 2), taken(1, 2)])
    assert [row["passed"] for row in account["rows"]] == [1, 2, 0, 0]
    assert account["scores"] == [-2 + 2 + 6 + 2, -2, -2]
    assert [row["dealer"] for row in account["rows"]] == [1, 2, 3, 1]
    assert GAME.ledger([passed, taken(1, 2) | {"passed_before": 1}])["scores"][0] == -1 + 2 + 3
    with pytest.raises(BadSheet, match=r"deals\[1\].passed_before: must be 1"):
        GAME.ledger([passed, taken(1, 2) | {"passed_before": 2}])


def test_an_annulled_deal_changes_no_passes_and_some_keep_the_dealer() -> None:
    passed = {"bid": "passed", "misere": []}
    account = GAME.ledger(
        [
            passed,
            {"faults": [fault(2, "misdeal")]},
            {"faults": [fault(1, "no-trump")]},
            {"bid": "3", "taker": 1, "faults": [fault(1, "revoke")]},
        ],
    )
    assert [row["dealer"] for row in account["rows"]] == [1, 2, 2, 2]
    assert [row["passed"] for row in account["rows"]] == [1, 1, 1, 1]
    assert (account["next_dealer"], account["scores"]) == (3, [-1 + 2 - 10, -1 - 2, -1])
    with pytest.raises(BadSheet, match="seat 1"):
        GAME.ledger([{"faults": [fault(2, "misdeal")]}])


def test_the_first_dealer_can_be_another() -> None:
    account = GAME.ledger([taken(1, 2)], conditions={"dealer": 3})
    assert (account["rows"][0]["dealer"], account["next_dealer"]) == (3, 1)


# ── Robots ────────────────────────────────────────────────────────────────────────────────────────


def test_a_sensible_robot_beats_random_ones() -> None:
    totals = Counter[str]()
    options = with_defaults(GAME.options, None)
    for number in range(1, 121):
        good = number % 3
        deal = registry.deal_board(GAME, bytes(32), number, options, {})
        state = GAME.start(deal, options)
        robots = [bots.sensible if seat == good else bots.at_random for seat in range(3)]
        bots.play_on(GAME, state, robots, bots.randomness(number))
        for seat, score in enumerate(state.outcome().scores):
            totals["good" if seat == good else "random"] += score
    assert totals["good"] > totals["random"] / 2


# ── For the suites of all games ───────────────────────────────────────────────────────────────────

CASES = {
    "tarot-4-saisons": Case(
        same_words=frozenset(
            {
                "1 + 1",
                "1 + 1, clair",
                "2 + 2",
                "2 + 2, clair",
                "contre",
                "contre, clair",
                "contres",
                "misère",
                "sans points",
                "sans points, clair",
                "sans voir",
                "sans voir, clair",
                "suites",
                "tout",
                "tout, clair",
            }
        )
    )
}
