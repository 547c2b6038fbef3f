"""Mille: the worked examples of engines/rules/mille.md, then every refusal and option that it names."""

from typing import Any

import pytest

from engines import bots, records, registry
from engines.errors import BadDeal, BadRecord, BadSheet, IllegalAction
from engines.games.mille import Mille
from engines.games.mille.cards import PACK, Deal
from engines.games.mille.marks import bomb_points
from engines.views import Pile, Said

GAME = Mille()
DEAL: dict[str, Any] = {  # seat 1 is at the dealer's left, and holds the marriage of hearts
    "dealer": 3,
    "hands": [
        ["KH", "QH", "AH", "TH", "9S", "9D", "9C"],
        ["AS", "TS", "KS", "QS", "JS", "JD", "JC"],
        ["AD", "TD", "KD", "QD", "AC", "TC", "KC"],
    ],
    "dog": ["JH", "9H", "QC"],
    "bombs": [1],
}


def replayed(*actions: str, deal: dict[str, Any] = DEAL, **options: Any) -> Any:
    return records.replay(
        records.read({"game": "mille", "options": options, "deal": deal, "actions": list(actions)})
    )


def legal(state: Any) -> list[str]:
    return list(state.legal(state.actors()[0]))


def illegal(*actions: str, **options: Any) -> str:
    with pytest.raises(IllegalAction) as refused:
        replayed(*actions, **options)
    return str(refused.value.rule)


TAKEN = ("bid:100", "pass", "pass")
GIVEN = (*TAKEN, "give:9S,9D")


def test_one_card_at_a_time_with_a_dog() -> None:
    """Worked example 9: dealer 2: pack[0] to seat 3, [1] to seat 1, [2] to seat 2, [3] to the dog."""
    deal = Deal.of(PACK.order, dealer=2)
    assert deal.hands[2] & PACK.card(PACK.order[0])
    assert deal.hands[0] & PACK.card(PACK.order[1])
    assert deal.hands[1] & PACK.card(PACK.order[2])
    assert deal.dog == (PACK.order[3], PACK.order[7], PACK.order[11])
    assert [hand.bit_count() for hand in deal.hands] == [7, 7, 7]
    assert deal.hands[2] == PACK.cards([PACK.order[i] for i in (0, 4, 8, 12, 15, 18, 21)])


# ── The auction ───────────────────────────────────────────────────────────────────────────────────


def test_the_dealers_left_must_open() -> None:
    state = replayed()
    assert state.actors() == (1,)
    assert "pass" not in legal(state)
    assert legal(state)[0] == "bid:100"
    assert legal(state)[-1] == "bid:400"
    assert "must open" in illegal("pass")
    assert "must open" in illegal("bid:95")


def test_above_120_a_marriage_is_needed() -> None:
    assert legal(replayed("bid:110"))[-1] == "bid:400"  # seat 2 holds the marriage of spades
    without = DEAL | {"hands": [DEAL["hands"][0], ["9H", *DEAL["hands"][1][1:3], "QC", *DEAL["hands"][1][4:]],
                                DEAL["hands"][2]], "dog": ["JH", "AS", "QS"]}  # fmt: skip
    assert legal(replayed("bid:110", deal=without)) == ["pass", "bid:115", "bid:120"]
    with pytest.raises(IllegalAction, match="needs a marriage"):
        replayed("bid:110", "bid:125", deal=without)
    assert legal(replayed("bid:120", deal=without)) == ["pass"]


@pytest.mark.parametrize(
    "token", ["bid:100", "bid:112", "bid:405", "bid:0105", "bid:", "bid:x", "bid:-5", "bid:105 "]
)
def test_what_is_no_higher_bid(token: str) -> None:
    assert illegal("bid:105", token)


def test_two_passes_in_a_row_end_the_auction() -> None:
    state = replayed("bid:100", "pass", "bid:105", "pass", "bid:110", "pass", "pass")
    assert (state.phase, state.actors(), state.contract) == ("exchange", (2,), 110)


def test_without_reentry_who_has_passed_is_out() -> None:
    state = replayed("bid:100", "pass", "bid:105", "bid:110", reentry=False)
    assert state.actors() == (3,)  # seat 2 has passed
    state.apply("pass")
    assert (state.phase, state.actors()) == ("exchange", (1,))


# ── The exchange ──────────────────────────────────────────────────────────────────────────────────


def test_the_dog_is_public_and_two_cards_are_given() -> None:
    state = replayed(*TAKEN)
    assert state.view(2).pile("dog").shown == ("JH", "9H", "QC")
    assert len(state.view(1).hand) == 10
    assert len(legal(state)) == 1 + 90
    state.apply("give:9S,JH")
    assert "9S" in state.view(2).hand
    assert "JH" in state.view(3).hand
    assert [state.view(seat).pile("exchanged").shown for seat in (1, 2, 3)] == [
        ("9S", "JH"),
        ("9S",),
        ("JH",),
    ]
    assert state.view(None).pile("exchanged").shown == ()
    assert replayed("bid:100", "pass", "pass").view(None).pile("dog").shown
    assert replayed("bid:100").view(1).pile("dog") == Pile("dog", hidden=3)


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("give:9S,9S", "two different"),
        ("give:9S", "two different"),
        ("give:9S,AS", "two different"),
        ("give:9S,9D,9C", "two different"),
        ("give:ZZ,9S", "no such action"),
        ("play:AH", "no such action"),
    ],
)
def test_what_cannot_be_given(token: str, said: str) -> None:
    assert said in illegal(*TAKEN, token)


def test_the_bomb_is_where_the_board_offers_it() -> None:
    state = replayed(*TAKEN, "bomb")
    assert state.over
    assert state.outcome().scores == (0, 50, 50)
    assert GAME.summarise(state) == {"taker": 1, "contract": 100, "end": "bomb"}
    assert "no bomb" in illegal("bid:100", "bid:105", "pass", "pass", "bomb")


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


def test_a_marriage_is_led_by_who_has_just_won_a_trick() -> None:
    state = replayed(*GIVEN)
    assert "play:KH!marriage" not in legal(state)
    assert "just won" in illegal(*GIVEN, "play:KH!marriage")
    state = replayed(*GIVEN, "play:AH", "play:JD", "play:KC")
    assert {"play:KH!marriage", "play:QH!marriage", "play:KH"} <= set(legal(state))
    state.apply("play:KH!marriage")
    assert state.view(None).trump == "H"
    assert state.view(None).marriages == (Said(1, "H"),)
    assert state.entries[-1] == "play:KH!marriage"
    assert "just won" in illegal(*GIVEN, "play:AH", "play:JD", "play:KC", "play:TH!marriage")


def following(trick: str, hand: str, trump: str = "", **options: Any) -> list[str]:
    """The legal cards of the seat that follows."""
    state = replayed(*GIVEN, **options)
    cards = trick.split()
    state.trumps = state.pack.suit(trump) if trump else 0
    state.hands = [state.pack.card(cards[0]), 0, state.pack.cards(hand)]
    if len(cards) == 1:
        state.hands[1] = state.pack.cards(hand)
    else:
        state.hands[1] = state.pack.card(cards[1])
    state.playable = state.hands[0]
    for card in cards:
        state.apply(f"play:{card}")
    return [action.removeprefix("play:") for action in legal(state)]


@pytest.mark.parametrize(
    ("trick", "hand", "trump", "free"),
    [
        ("9H KS", "AS JS TD", "S", "AS JS"),  # worked example 6: must ruff, need not overruff
        ("9H KS", "AH AS", "S", "AH"),
        ("9H", "AS TD", "", "AS TD"),  # worked example 7: no trumps yet
        ("9H", "JH AH", "", "AH JH"),
    ],
)
def test_what_may_be_played(trick: str, hand: str, trump: str, free: str) -> None:
    assert following(trick, hand, trump) == free.split()


def test_illegal_cards_name_their_rule() -> None:
    assert "not in the hand" in illegal(*GIVEN, "play:AS")
    assert "no such action" in illegal(*GIVEN, "play:ZZ!marriage")
    marriage = (*GIVEN, "play:AH", "play:JD", "play:KC", "play:KH!marriage")
    assert "not in the hand" in illegal(*marriage, "play:AC")
    deal = DEAL | {"dog": ["9H", "QC", "JD"], "hands": [DEAL["hands"][0], ["JH", *DEAL["hands"][1][:5], "JC"],
                                                      DEAL["hands"][2]]}  # fmt: skip
    with pytest.raises(IllegalAction, match="follow the suit"):
        replayed(*GIVEN, "play:AH", "play:JC", deal=deal)


@pytest.mark.parametrize(("rank_order", "winner"), [("points", 2), ("literal", 1)])
def test_where_the_ten_ranks(rank_order: str, winner: int) -> None:
    state = replayed(*GIVEN, rank_order=rank_order)
    state.hands = [state.pack.card("KS"), state.pack.card("TS"), state.pack.card("9S")]
    state.playable = state.hands[0]
    for card in ("KS", "TS", "9S"):
        state.apply(f"play:{card}")
    assert state.taker + 1 == winner
    assert state.points[state.taker] == 14


# ── The marks ─────────────────────────────────────────────────────────────────────────────────────


def sheet(taker: int, contract: int, *points: int, **more: Any) -> dict[str, Any]:
    return {"taker": taker, "contract": contract, "points": list(points)} | more


def married(*pairs: tuple[str, int]) -> list[dict[str, Any]]:
    return [{"suit": suit, "seat": seat} for suit, seat in pairs]


@pytest.mark.parametrize(
    ("told", "scores"),
    [
        (sheet(1, 120, 74, 31, 15, marriages=married(("C", 1))), (120, 30, 15)),  # worked example 1
        (sheet(1, 120, 78, 42, 0, marriages=married(("S", 1))), (-120, 40, -40)),  # 2
        (sheet(3, 105, 2, 13, 105), (0, 15, 105)),  # 3
        ({"taker": 1, "contract": 115, "end": "bomb"}, (0, 60, 60)),  # 4
        ({"taker": 1, "contract": 100, "end": "bomb"}, (0, 50, 50)),
        (sheet(2, 100, 0, 103, 17, marriages=married(("H", 1))), (60, 100, 15)),  # 5
        (sheet(1, 100, 99, 11, 10), (-100, 10, 10)),
        (sheet(1, 120, 40, 31, 15, end="fault", fault={"seat": 1, "kind": "revoke"}), (-120, 30, 15)),
        (
            {"taker": 1, "contract": 120, "end": "fault", "fault": {"seat": 2, "kind": "trumped"}},
            (0, -120, 0),
        ),
    ],
)
def test_what_a_deal_is_worth(told: dict[str, Any], scores: tuple[int, ...]) -> None:
    assert GAME.score(told).scores == scores


def test_a_bar_costs_what_the_option_says_and_a_fault_gives_averages() -> None:
    told = sheet(1, 120, 120, 0, 0)
    assert GAME.score(told).scores == (120, -40, -40)
    assert GAME.score(told, options={"bar_value": 0}).scores == (120, 0, 0)
    annulled = {"taker": 1, "contract": 120, "end": "fault", "fault": {"seat": 2, "kind": "trumped"}}
    assert GAME.score(annulled).averaged == (1, 3)
    assert [bomb_points(contract) for contract in (100, 105, 120, 125, 140, 145, 160)] == [
        50,
        60,
        60,
        70,
        70,
        80,
        80,
    ]


@pytest.mark.parametrize(
    ("told", "field", "said"),
    [
        (sheet(1, 95, 120, 0, 0), "contract", "100 to 400"),
        (sheet(1, 102, 120, 0, 0), "contract", "multiple of 5"),
        (sheet(1, 405, 120, 0, 0), "contract", "100 to 400"),
        (sheet(1, 120, 74, 31, 16), "points", "add up to 121"),
        (sheet(1, 120, 119, 1, 0), "points", "cannot be 1, 119"),
        (
            sheet(1, 120, 40, 40, 41, end="fault", fault={"seat": 1, "kind": "revoke"}),
            "points",
            "add up to 121",
        ),
        ({"taker": 1, "contract": 120}, "points", "missing"),
        (sheet(1, 120, 120, 0, 0, end="bomb"), "points", "left out"),
        ({"taker": 1, "contract": 120, "end": "bomb", "marriages": []}, "marriages", "left out"),
        (sheet(1, 120, 120, 0, 0, end="fault"), "fault", "missing"),
        (sheet(1, 120, 120, 0, 0, fault={"seat": 1, "kind": "revoke"}), "fault", "left out"),
        (sheet(1, 120, 120, 0, 0, end="fault", fault={"seat": 1}), "fault", "kind: is missing"),
        (sheet(1, 120, 120, 0, 0, end="fault", fault={"seat": 1, "kind": "theft"}), "fault", "kind: must be"),
        (sheet(1, 120, 120, 0, 0, marriages=married(("H", 1), ("H", 2))), "marriages", "one marriage"),
        (sheet(1, 120, 120, 0, 0, marriages=married(("H", 4))), "marriages", "seat from 1"),
        (sheet(1, 120, 120, 0, 0, marriages=[{"suit": "X", "seat": 1}]), "marriages", "suit"),
        (
            sheet(1, 120, 120, 0, 0, marriages=married(("S", 1), ("H", 1), ("D", 1), ("C", 1))),
            "marriages",
            "three",
        ),
        (sheet(1, 120, 120, 0, 0, marriages=married(("S", 2), ("H", 3))), "marriages", "three nines"),
        (sheet(1, 120, 120, 0, 0, marriages=married(("S", 2), ("H", 2))), "marriages", "three nines"),
        (sheet(4, 120, 120, 0, 0), "taker", "seat"),
    ],
)
def test_what_a_sheet_refuses(told: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(BadSheet) as refused:
        GAME.score(told)
    assert refused.value.field == field
    assert said in str(refused.value.constraint)


def test_what_is_known_of_the_board_is_checked() -> None:
    deal = GAME.read_deal(DEAL)
    assert GAME.score(sheet(1, 100, 120, 0, 0), deal=deal).scores[0] == 100
    with pytest.raises(BadSheet, match="dealer's left"):
        GAME.score(sheet(2, 100, 0, 120, 0), deal=deal)
    with pytest.raises(BadSheet, match="dealer's left"):
        GAME.score(sheet(1, 100, 120, 0, 0), conditions={"dealer": 1})
    with pytest.raises(BadSheet, match="no bomb"):
        GAME.score({"taker": 2, "contract": 105, "end": "bomb"}, deal=deal)
    poor = GAME.read_deal(
        DEAL | {"hands": [["QC", *DEAL["hands"][0][1:]], *DEAL["hands"][1:]], "dog": ["JH", "9H", "KH"]}
    )
    with pytest.raises(BadSheet, match="dealt no marriage"):
        GAME.score(sheet(1, 125, 120, 0, 0), deal=poor)


def test_null_counts_as_absent() -> None:
    assert GAME.score(sheet(1, 120, 120, 0, 0) | {"fault": None, "end": None}).scores[0] == 120


# ── The match ─────────────────────────────────────────────────────────────────────────────────────


def made(taker: int, contract: int) -> dict[str, Any]:
    """The taker makes the contract with all card points, and as many marriages as it needs."""
    points = [0, 0, 0]
    points[taker - 1] = 100
    points[taker % 3] = 20
    wanted = [("H", taker), ("D", taker), ("C", taker)] if contract > 100 else []
    return {"taker": taker, "contract": contract, "points": points, "marriages": married(*wanted)}


def defended(points: int, seat: int = 1) -> dict[str, Any]:
    """Seat 2 takes for 105 and makes it; seat 1 has so many points in defence."""
    return {"taker": 2, "contract": 105, "points": [points, 120 - points, 0], "marriages": married(("H", 2))}


def test_the_barrel_of_the_worked_example() -> None:
    """Worked example 8: from 860, defends with 40, with 45, makes 110, defends: falls to 760."""
    start = [made(1, 340), made(1, 340), made(1, 180)]
    assert GAME.ledger(start)["scores"][0] == 860
    story = [*start, defended(40), defended(45), made(1, 110), defended(15)]
    ledger = GAME.ledger(story)
    assert [row["scores"][0] for row in ledger["rows"]] == [340, 680, 860, 880, 880, 880, 760]
    assert [row["barrel"][0] for row in ledger["rows"]] == [None, None, None, 0, 1, 2, None]
    assert ledger["rows"][3]["events"] == [
        {"event": "barrel_up", "seat": 1},
        *ledger["rows"][3]["events"][1:],
    ]
    assert {"event": "barrel_fall", "seat": 1} in ledger["rows"][6]["events"]
    assert ledger["rows"][4]["gains"][0] == 0
    won = GAME.ledger([*start, defended(40), made(1, 120)])
    assert (won["over"], won["winner"], won["scores"][0]) == (True, 1, 1000)
    longer = GAME.ledger(story, options={"barrel_limit": 4})
    assert longer["scores"][0] == 880


def test_three_bars_cost_120() -> None:
    told = sheet(1, 105, 60, 60, 0)
    ledger = GAME.ledger([told] * 3)
    assert [row["bars"][2] for row in ledger["rows"]] == [1, 2, 0]
    assert ledger["scores"][2] == -120
    assert {"event": "three_bars", "seat": 3} in ledger["rows"][2]["events"]


def test_each_player_has_one_bomb() -> None:
    bomb = {"taker": 1, "contract": 110, "end": "bomb"}
    ledger = GAME.ledger([bomb])
    assert ledger["rows"][0]["events"] == [{"event": "bomb", "seat": 1}]
    assert ledger["scores"] == [0, 60, 60]
    with pytest.raises(BadSheet, match=r"deals\[1\].end"):
        GAME.ledger([bomb, bomb])


def test_a_finished_match_takes_no_more_deals() -> None:
    won = [made(1, 340), made(1, 340), made(1, 320)]
    assert GAME.ledger(won)["winners"] == [1]
    with pytest.raises(BadRecord, match="over after 3"):
        GAME.ledger([*won, made(1, 105)])
    with pytest.raises(BadSheet, match=r"deals\[0\].contract"):
        GAME.ledger([made(1, 100)])  # deal 1 is dealt by seat 1: seat 2 opens


def test_bomb_boards_are_three_of_nine_one_for_each_dealer() -> None:
    def bombs(**options: str) -> list[int]:
        settings = registry.options_of(GAME, options)
        deals = (registry.deal_board(GAME, bytes(32), number, settings, {}) for number in range(1, 19))
        return [number for number, deal in enumerate(deals, 1) if deal.bombs == (1, 2, 3)]

    assert bombs() == [3, 5, 7, 12, 14, 16]
    assert bombs(bombs="always") == list(range(1, 19))
    assert bombs(bombs="never") == []
    board = {"seed": "0a" * 32, "number": 1}
    read = records.read({"game": "mille", "board": board, "conditions": {"bombs": [2]}, "actions": []})
    assert read.deal.bombs == (2,)
    with pytest.raises(BadRecord, match="list of different seats"):
        records.read({"game": "mille", "board": board, "conditions": {"bombs": [4]}, "actions": []})


@pytest.mark.parametrize(
    "change", [{"bombs": [4]}, {"bombs": 1}, {"dealer": 0}, {"dog": []}, {"hands": [[]] * 3}, {"x": 1}]
)
def test_a_deal_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadDeal):
        GAME.read_deal(DEAL | change)


def test_the_sensible_robot_makes_more_than_one_that_says_anything() -> None:
    options = registry.options_of(GAME, {})
    total = {True: 0, False: 0}
    for number in range(1, 201):
        state = GAME.start(registry.deal_board(GAME, bytes(32), number, options, {}), options)
        robots = [bots.sensible if seat == number % 3 else bots.at_random for seat in range(3)]
        bots.play_on(GAME, state, robots, bots.randomness(number))
        for seat, score in enumerate(state.outcome().scores):
            total[seat == number % 3] += score
    assert total[True] / 200 > total[False] / 400
