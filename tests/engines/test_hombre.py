"""L'Hombre: the worked examples of engines/rules/hombre.md and the rules' own order of cards first, then
every refusal and every option that they name."""

from dataclasses import replace
from typing import Any

import pytest

from engines import bots, records, registry
from engines.errors import BadDeal, BadRecord, BadSheet, IllegalAction
from engines.games.hombre import Hombre
from engines.games.hombre.cards import PACK, TRUMPS
from engines.games.hombre.play import HombreView
from engines.views import Laid, Pile, Said

from .cases import Case

GAME = Hombre()
DEAL: dict[str, Any] = {
    "dealer": 1,
    "hands": [
        ["AS", "7H", "AC", "AH", "KH", "QH", "JH", "2H", "3H"],
        ["KS", "QS", "JS", "7S", "6S", "5S", "4S", "3S", "2S"],
        ["KC", "QC", "JC", "7C", "6C", "5C", "4C", "3C", "2C"],
    ],
    "stock": ["4H", "5H", "6H", "KD", "QD", "JD", "AD", "2D", "3D", "4D", "5D", "6D", "7D"],
}


def replayed(*actions: str, deal: dict[str, Any] = DEAL, **options: str) -> Any:
    file = {"game": "hombre", "options": options, "deal": deal, "actions": list(actions)}
    return records.replay(records.read(file))


def illegal(*actions: str, **options: str) -> IllegalAction:
    with pytest.raises(IllegalAction) as refused:
        replayed(*actions, **options)
    return refused.value


def legal(state: Any) -> list[str]:
    return list(state.legal(state.actors()[0]))


@pytest.mark.parametrize(
    ("suit", "order"),
    [
        ("H", "AS 7H AC AH KH QH JH 2H 3H 4H 5H 6H"),  # the rules' red trumps
        ("D", "AS 7D AC AD KD QD JD 2D 3D 4D 5D 6D"),
        ("C", "AS 2C AC KC QC JC 7C 6C 5C 4C 3C"),  # and its black ones
        ("S", "AS 2S AC KS QS JS 7S 6S 5S 4S 3S"),
    ],
)
def test_the_order_of_trumps(suit: str, order: str) -> None:
    trumps = TRUMPS[suit]
    cards = sorted(PACK.order, key=lambda token: -trumps.strength[PACK.card(token)])
    assert " ".join(cards[: len(order.split())]) == order
    assert PACK.cards(order) == trumps.all


def test_the_plain_orders() -> None:
    strength = TRUMPS["H"].strength
    assert sorted(PACK.tokens(PACK.suit("D")), key=lambda t: -strength[PACK.card(t)]) == [
        f"{rank}D" for rank in "KQJA234567"
    ]
    black = [f"{rank}S" for rank in "KQJ765432"]
    assert sorted(black, key=lambda t: -strength[PACK.card(t)]) == black


# ── The auction ───────────────────────────────────────────────────────────────────────────────────


def test_the_turn_goes_to_the_right() -> None:
    assert replayed().actors() == (3,)  # the right of dealer 1
    assert replayed("pass").actors() == (2,)
    assert replayed("pass", "pass").actors() == (1,)


def test_three_passes_end_the_deal_for_nothing() -> None:
    state = replayed("pass", "pass", "pass")
    assert state.over
    assert state.outcome().scores == (0, 0, 0)
    assert GAME.summarise(state) == {"contract": "none"}


def test_a_bid_is_strictly_higher_and_a_pass_is_final() -> None:
    assert legal(replayed("bid:prendre")) == ["pass", "bid:sans-prendre", "bid:vole"]
    assert "bid higher" in str(illegal("bid:sans-prendre", "bid:prendre").rule)
    state = replayed("pass", "bid:prendre", "bid:sans-prendre")
    assert state.actors() == (2,)  # seat 3 has passed
    assert replayed("pass", "bid:prendre", "pass").phase == "trump"
    assert replayed("bid:prendre", "bid:vole").actors() == (2,)  # a vole ends it


def test_the_elder_may_hold() -> None:
    told = ("bid:prendre", "bid:sans-prendre", "pass")
    assert "bid:sans-prendre" not in legal(replayed(*told))
    assert legal(replayed(*told, elder_hold="on")) == ["pass", "bid:sans-prendre", "bid:vole"]
    held = replayed(*told, "bid:sans-prendre", elder_hold="on")
    assert (held.actors(), legal(held)) == ((2,), ["pass", "bid:vole"])


# ── The exchange ──────────────────────────────────────────────────────────────────────────────────


def test_who_exchanges_and_how_many() -> None:
    """Worked example 8: six, five, and at most two for the third."""
    told = ("pass", "pass", "bid:prendre", "trump:H")
    state = replayed(*told)
    assert (state.phase, state.actors()) == ("exchange", (1,))
    state.apply("exchange:3H,2H,JH,QH,KH,AH")
    assert state.view(1).pile("discards").shown == ("KH", "QH", "JH", "3H", "2H", "AH")
    assert set(state.view(1).hand) == {"AS", "7H", "AC", "4H", "5H", "6H", "KD", "QD", "JD"}
    assert state.actors() == (3,)
    state.apply("exchange:2C,3C,4C,5C,6C")
    assert state.view(None).pile("stock").hidden == 2
    assert state.entries[-1] == "exchange:2C,3C,4C,5C,6C"
    with pytest.raises(IllegalAction, match="stock has left"):
        state.apply("exchange:2S,3S,4S")
    assert len(legal(state)) == 1 + 9 + 36
    state.apply("exchange:none")
    assert (state.phase, state.actors()) == ("play", (3,))
    assert state.view(None).exchanged == (6, 0, 5)


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("exchange:AS,AS", "twice"),
        ("exchange:KS", "not in the hand"),
        ("exchange:", "no such action"),
        ("exchange:ZZ", "no such action"),
        ("play:AS", "no such action"),
        ("trump:H", "no such action"),
    ],
)
def test_what_cannot_be_exchanged(token: str, said: str) -> None:
    assert said in str(illegal("pass", "pass", "bid:prendre", "trump:H", token).rule)


def test_who_keeps_all_cards_is_told_so_in_both_languages() -> None:
    told = registry.game("hombre").words("exchange:none")
    assert "none" not in told.to("en") + told.to("fr")


def test_without_taking_only_the_opponents_exchange() -> None:
    assert replayed("pass", "pass", "bid:sans-prendre", "trump:H").actors() == (3,)
    assert replayed("pass", "pass", "bid:vole", "trump:H").phase == "exchange"
    assert replayed("pass", "pass", "bid:vole", "trump:H", vole_exchange="none").phase == "play"


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


def following(trump: str, trick: str, hand: str, **options: str) -> list[str]:
    """The legal cards of a hand that is to follow a trick."""
    state = replayed("pass", "pass", "bid:vole", f"trump:{trump}", vole_exchange="none", **options)
    state.trick = [PACK.card(token) for token in trick.split()]
    state.asked = state.asks[state.trick[0].bit_length()]
    return sorted(PACK.tokens(state.may_play(PACK.cards(hand))))


@pytest.mark.parametrize(
    ("trump", "trick", "hand", "free", "options"),
    [
        ("D", "6D", "AS KS 4C", "AS KS 4C", {}),  # worked example 5: a dry matador
        ("D", "6D", "AS AC 4C", "AS AC", {}),
        ("D", "6D", "AD KS", "AD", {}),
        ("D", "KS", "AS 4H 2C", "AS", {}),  # worked example 6: nothing trumped yet
        ("D", "KS 3D", "AS 4H 2C", "AS 4H 2C", {}),
        ("D", "KS 3D", "AS 4H 2C", "AS", {"dry_matador": "trump_led"}),
        ("D", "6D", "AS KS 4C", "AS KS 4C", {"dry_matador": "trump_led"}),
        ("D", "6D", "AS AC 4C", "AS AC 4C", {"dry_matador": "parent"}),
        ("D", "7D", "AC 4C", "AC", {"dry_matador": "parent"}),  # a higher matador was led
        ("D", "7D", "AS 4C", "AS 4C", {"dry_matador": "parent"}),
        ("D", "7D", "AS AC 4C", "AS AC", {"dry_matador": "parent"}),
        ("D", "KS 3D", "AS 4H", "AS", {"dry_matador": "parent"}),
        ("D", "KS", "AS 4H 2C", "AS 4H 2C", {"must_trump": "off"}),
        ("D", "KS", "QS AS", "QS", {}),  # the plain suit is followed, ruffed or not
        ("D", "KS 3D", "QS AS", "QS", {}),
        ("H", "6D", "7D AC", "7D", {}),
        ("H", "6D", "KS 2C", "KS 2C", {}),
    ],
)
def test_what_may_be_played(trump: str, trick: str, hand: str, free: str, options: dict[str, str]) -> None:
    assert following(trump, trick, hand, **options) == sorted(free.split())


@pytest.mark.parametrize(
    ("trump", "trick", "winner"),
    [
        ("H", "KS AC 7S", 2),
        ("H", "6D 7D AD", 1),
        ("H", "6D 7D KS", 3),
        ("C", "2C AS KC", 2),
        ("S", "KD 2S AC", 2),
    ],
)
def test_who_wins_the_trick(trump: str, trick: str, winner: int) -> None:
    """Worked example 7 among them; seat 3 leads, then 2, then 1."""
    state = replayed("pass", "pass", "bid:vole", f"trump:{trump}", vole_exchange="none")
    led, second, third = trick.split()
    state.hands = [PACK.card(third), PACK.card(second), PACK.card(led)]
    state.playable = state.hands[2]
    for card in (led, second, third):
        state.apply(f"play:{card}")
    assert state.taker is not None
    assert state.taker + 1 == winner
    assert [one.seat for one in state.view(None).trick] == [3, 2, 1]


def test_illegal_cards_name_their_rule() -> None:
    told = ("pass", "pass", "bid:vole", "trump:H")
    assert "not in the hand" in str(illegal(*told, "exchange:none", "exchange:none", "play:AS").rule)
    deal = {**DEAL, "hands": [DEAL["hands"][0], ["KC", *DEAL["hands"][1][1:]], ["KS", *DEAL["hands"][2][1:]]]}
    with pytest.raises(IllegalAction, match="follow the suit"):
        replayed(*told, "exchange:none", "exchange:none", "play:QC", "play:QS", deal=deal)
    with pytest.raises(IllegalAction, match="a trump was led"):
        replayed("pass", "pass", "bid:vole", "trump:C", "exchange:none", "exchange:none",
                 "play:QC", "play:QS", deal=deal)  # fmt: skip
    stock = ["AS" if card == "2D" else card for card in DEAL["stock"]]
    void = {**deal, "hands": [["2D", *DEAL["hands"][0][1:]], *deal["hands"][1:]], "stock": stock}
    with pytest.raises(IllegalAction, match="play a trump"):
        replayed(*told, "exchange:none", "exchange:none", "play:QC", "play:KC", "play:2D", deal=void)


# ── The payments ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sheet", "options", "scores"),
    [
        (
            {"contract": "sans-prendre", "tricks": [5, 2, 2], "matadors": 2},
            {},
            (36, -18, -18),
        ),  # worked example 2
        ({"contract": "sans-prendre", "tricks": [4, 3, 2]}, {}, (-22, 11, 11)),
        ({"contract": "prendre", "tricks": [4, 3, 2], "matadors": 1}, {}, (28, -14, -14)),  # 3
        ({"contract": "prendre", "tricks": [4, 4, 1]}, {}, (-18, 9, 9)),
        ({"contract": "prendre", "tricks": [3, 5, 1], "matadors": 0}, {}, (-12, 24, -12)),
        ({"contract": "vole", "tricks": [9, 0, 0], "matadors": 3}, {}, (184, -92, -92)),  # 4
        ({"contract": "vole", "made": True, "matadors": 3}, {}, (184, -92, -92)),
        ({"contract": "vole", "tricks": [8, 1, 0]}, {}, (-166, 83, 83)),
        ({"contract": "prendre", "tricks": [4, 3, 2]}, {"prendre_goal": "five"}, (-18, 9, 9)),
        ({"contract": "prendre", "tricks": [3, 3, 3]}, {"failed_take": "remise"}, (0, 0, 0)),
        ({"contract": "prendre", "tricks": [3, 3, 3]}, {"failed_take": "bete"}, (-12, 6, 6)),
        ({"contract": "prendre", "tricks": [9, 0, 0], "matadors": 0}, {}, (24, -12, -12)),  # no bonus
    ],
)
def test_what_a_contract_pays(
    sheet: dict[str, Any], options: dict[str, str], scores: tuple[int, ...]
) -> None:
    assert GAME.score({"hombre": 1} | sheet, options=options).scores == scores


def test_every_payment_of_the_table_adds_up_to_nought() -> None:
    for pot in (6, 18, 30, 42):
        for matadors in range(4):
            for tricks in ([5, 2, 2], [2, 5, 2], [2, 2, 5], [9, 0, 0]):
                for contract in ("prendre", "sans-prendre", "vole"):
                    sheet: dict[str, Any] = {"contract": contract, "hombre": 1, "tricks": tricks}
                    made = tricks[0] == 9 or (tricks[0] == 5 and contract != "vole")
                    if made or contract == "prendre":  # made, or codille: one player takes the pot alone
                        sheet["matadors"] = matadors
                    outcome = GAME.score(sheet, conditions={"pot": pot})
                    assert sum(outcome.scores) == 0


@pytest.mark.parametrize(
    ("sheet", "field", "said"),
    [
        ({"contract": "none", "hombre": 1}, "hombre", "does not belong"),
        ({"contract": "prendre", "tricks": [4, 3, 2], "matadors": 1}, "hombre", "missing"),
        ({"contract": "prendre", "hombre": 1}, "tricks", "missing"),
        ({"contract": "prendre", "hombre": 1, "tricks": [4, 3, 3]}, "tricks", "add up to 10"),
        ({"contract": "prendre", "hombre": 1, "tricks": [4, 3, 2]}, "matadors", "did seat 1 hold"),
        ({"contract": "prendre", "hombre": 1, "tricks": [3, 5, 1]}, "matadors", "did seat 2 hold"),
        (
            {"contract": "prendre", "hombre": 1, "tricks": [4, 4, 1], "matadors": 1},
            "matadors",
            "leave it empty",
        ),
        ({"contract": "prendre", "hombre": 1, "made": True}, "made", "does not belong"),
        ({"contract": "vole", "hombre": 1, "tricks": [8, 1, 0], "made": True}, "made", "does not agree"),
        ({"contract": "vole", "hombre": 1, "made": True, "matadors": 4}, "matadors", "0 to 3"),
        ({"contract": "solo"}, "contract", "must be one of"),
        (
            {"contract": "prendre", "hombre": 1, "tricks": [4, 3, 2], "matadors": 1, "trump": "N"},
            "trump",
            "one of",
        ),
        ({"contract": "none", "pot": 18}, "pot", "not a field"),
    ],
)
def test_what_a_sheet_refuses(sheet: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(BadSheet) as refused:
        GAME.score(sheet)
    assert refused.value.field == field
    assert said in str(refused.value.constraint)


@pytest.mark.parametrize(("end", "returned"), [("remise", 10), ("bete", 20)])
def test_what_goes_back_from_the_pot_is_told(end: str, returned: int) -> None:
    sheet = {"contract": "prendre", "hombre": 1, "tricks": [3, 3, 3]}
    outcome = GAME.score(sheet, options={"failed_take": end}, conditions={"pot": 30})
    facts = {(fact.name, fact.seat): fact.points for fact in outcome.facts if fact.points}
    paid = {("bete", 1): -30} if end == "bete" else {}
    assert facts == {(name, seat): points for name, points in (("stake", -10), ("returned", returned))
                     for seat in (1, 2, 3)} | paid  # fmt: skip


def test_the_pot_of_a_sheet_is_the_one_that_was_preset() -> None:
    sheet = {"contract": "prendre", "hombre": 1, "tricks": [4, 4, 1]}
    assert GAME.score(sheet).scores == (-18, 9, 9)
    assert GAME.score(sheet, conditions={"pot": 30}).scores == (-22, 11, 11)


def test_a_known_deal_brings_its_pot() -> None:
    deal = GAME.read_deal(DEAL | {"pot": 30})
    sheet = {"contract": "prendre", "hombre": 1, "tricks": [4, 4, 1]}
    assert GAME.score(sheet, deal=deal).scores == (-22, 11, 11)


# ── The match ─────────────────────────────────────────────────────────────────────────────────────

NONE = {"contract": "none"}
MADE = {"contract": "prendre", "hombre": 1, "tricks": [5, 2, 2], "matadors": 0}
FAILED = {"contract": "prendre", "hombre": 1, "tricks": [3, 3, 3]}


@pytest.mark.parametrize("failed_take", ["pay", "remise", "bete"])
def test_capitals_and_pot_are_240_jetons_whatever_happens(failed_take: str) -> None:
    deals = [NONE, MADE, FAILED, NONE, NONE, FAILED, MADE, FAILED, NONE]
    for count in range(len(deals) + 1):
        ledger = GAME.ledger(deals[:count], options={"failed_take": failed_take, "deals": 9})
        assert sum(ledger["capital"]) + ledger["pot"] == 480
        for row in ledger["rows"]:
            assert sum(row["capital"]) + row["pot"] == 480
    assert ledger["over"]
    assert ledger["pot"] == 0
    assert all(type(left) is int for left in ledger["capital"])


def test_the_pot_waits_after_a_deal_that_was_passed_out() -> None:
    ledger = GAME.ledger([NONE, NONE, MADE])
    assert [row["played_for"] for row in ledger["rows"]] == [18, 30, 42]
    assert [row["pot"] for row in ledger["rows"]] == [30, 42, 0]
    assert [row["dealer"] for row in ledger["rows"]] == [1, 3, 2]
    assert ledger["capital"] == [160 - 14 + 42 + 12, 160 - 14 - 6, 160 - 14 - 6]
    assert (ledger["passes"], ledger["deal_no"], ledger["dealer"]) == (0, 3, 1)
    assert GAME.ledger([NONE])["passes"] == 1


def test_a_match_ends_with_its_last_deal() -> None:
    ledger = GAME.ledger([MADE] * 3, options={"deals": 3})
    assert (ledger["over"], ledger["winner"], ledger["ranks"]) == (True, 1, [1, 2, 2])
    with pytest.raises(BadRecord, match="over after 3"):
        GAME.ledger([MADE] * 4, options={"deals": 3})
    with pytest.raises(BadSheet, match=r"deals\[1\].tricks"):
        GAME.ledger([MADE, MADE | {"tricks": [1, 1, 1]}])
    assert GAME.ledger([NONE] * 12)["winner"] is None
    assert GAME.ledger([MADE], conditions={"dealer": 2})["rows"][0]["dealer"] == 2


def test_how_long_a_match_is_and_what_a_pot_is_are_checked() -> None:
    assert registry.options_of(GAME, {"deals": 15})["deals"] == 15
    for wrong in (0, 4, True, "12", -3):
        with pytest.raises(BadRecord, match="multiple of three"):
            registry.options_of(GAME, {"deals": wrong})
    board = {"seed": "0a" * 32, "number": 1}
    read = records.read({"game": "hombre", "board": board, "conditions": {"pot": 30}, "actions": []})
    assert read.deal.pot == 30
    with pytest.raises(BadRecord, match="multiple of six"):
        records.read({"game": "hombre", "board": board, "conditions": {"pot": 20}, "actions": []})


def test_dealers_and_pots_of_boards() -> None:
    assert [GAME.dealer_of(number, {}) for number in range(1, 8)] == [1, 3, 2, 1, 3, 2, 1]
    options = registry.options_of(GAME, {"pot_cycle": "relance"})
    pots = [registry.deal_board(GAME, bytes(32), n, options, {}).pot for n in range(1, 12)]
    assert pots == [18, 18, 18, 30, 30, 30, 42, 42, 42, 18, 18]


@pytest.mark.parametrize(
    "change",
    [{"pot": 20}, {"pot": 0}, {"pot": True}, {"dealer": 0}, {"stock": []}, {"hands": [[]] * 3}, {"dog": []}],
)
def test_a_deal_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadDeal) as refused:
        GAME.read_deal(DEAL | change)
    assert isinstance(refused.value.to_json()["cards"], list)


def test_what_a_player_sees() -> None:
    """Section 11: bids, trumps, how many cards each has exchanged, the trick and whose tricks they are."""
    state = replayed("pass", "bid:prendre", "pass")
    assert (state.view(None).declarer, state.view(None).contract) == (2, "prendre")
    assert replayed("pass", "bid:prendre").view(None).declarer is None  # the auction is not over
    for action in ("trump:S", "exchange:2S,3S", "exchange:none", "exchange:2C", "play:KC", "play:4S"):
        state.apply(action)
    everybody = state.view(None)
    assert everybody == HombreView(
        seat=None,
        phase="play",
        dealer=1,
        actors=(1,),
        piles=(
            *(Pile("hand", hidden=count, seat=seat) for seat, count in ((1, 9), (2, 8), (3, 8))),
            Pile("stock", hidden=10),
            Pile("discards"),
        ),
        trick=(Laid(3, "KC"), Laid(2, "4S")),
        tricks=(0, 0, 0),
        talk=(Said(3, "pass"), Said(2, "bid:prendre"), Said(1, "pass")),
        declarer=2,
        contract="prendre",
        trump="S",
        pot=18,
        exchanged=(0, 2, 1),
    )
    own = state.view(1)
    assert set(own.hand) == {"AS", "KH", "QH", "JH", "7H", "3H", "2H", "AH", "AC"}
    assert replace(own, seat=None, piles=everybody.piles) == everybody
    state.apply("play:AC")
    after = state.view(None)
    assert (after.tricks, after.gathered, after.taker, after.actors) == ((1, 0, 0), 1, 1, (1,))
    assert [one.seat for one in after.trick] == [3, 2, 1]


def test_discards_and_the_stock_stay_hidden() -> None:
    state = replayed("pass", "pass", "bid:prendre", "trump:H", "exchange:3H,2H")
    for seat in (2, 3, None):
        text = str(state.view(seat))
        assert "'3H'" not in text
        assert "'4H'" not in text  # drawn by seat 1


def test_the_sensible_robot_wins_more_than_one_that_says_anything() -> None:
    options = registry.options_of(GAME, {})
    total = 0
    for number in range(1, 201):
        state = GAME.start(registry.deal_board(GAME, bytes(32), number, options, {}), options)
        good = number % 3
        robots = [bots.sensible if seat == good else bots.at_random for seat in range(3)]
        bots.play_on(GAME, state, robots, bots.randomness(number))
        total += state.outcome().scores[good]
    assert total > 0


# ── For the suites of all games ───────────────────────────────────────────────────────────────────

CASES = {"hombre": Case(same_words=frozenset({"bête", "codille", "matadors", "remise"}))}
