"""Cochonnet: the example of the written rules first, then the worked examples of its page, then every
refusal and every option that it names."""

from typing import Any

import pytest

from engines import bots, records, registry
from engines.errors import BadDeal, BadRecord, BadSheet, IllegalAction
from engines.games.cochonnet import LAST, PACK, VALUE, Cochonnet, Deal, projection

GAME = Cochonnet()
SUITS = "SHDC"
# Each seat has a suit, but for some exchanges: seat 1 spades, 2 hearts, 3 diamonds, 4 clubs.
LONG_SUITS = {"dealer": 4, "hands": [[f"{rank}{suit}" for rank in "AKQJT98765432"] for suit in SUITS]}


def deal_with(*swaps: tuple[str, str], dealer: int = 4) -> dict[str, Any]:
    """The long suits, with pairs of cards exchanged."""
    moved = dict(swaps) | {b: a for a, b in swaps}
    hands = [[moved.get(card, card) for card in hand] for hand in LONG_SUITS["hands"]]  # type: ignore[attr-defined]
    return {"dealer": dealer, "hands": hands}


def replayed(deal: dict[str, Any], *actions: str, **options: Any) -> Any:
    file = {"game": "cochonnet", "options": options, "deal": deal, "actions": list(actions)}
    return records.replay(records.read(file))


def played(number: int, **options: Any) -> Any:
    settings = registry.options_of(GAME, options)
    state = GAME.start(registry.deal_board(GAME, bytes(32), number, settings, {}), settings)
    bots.play_on(GAME, state, [bots.at_random] * 4, bots.randomness(number, sorted(options)))
    return state


def test_values_and_checksums() -> None:
    assert [VALUE[PACK.card(f"{rank}S")] for rank in "23456789TJQKA"] == [
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        15,
        20,
        25,
        30,
    ]
    assert sum(VALUE.values()) == 576
    assert sum(VALUE[PACK.card(f"{rank}H")] for rank in "23456789TJQKA") == 144


def test_one_card_at_a_time_from_the_dealers_left() -> None:
    deal = Deal.of(PACK.order, dealer=4)
    assert deal.hands[0] == PACK.cards(PACK.order[0::4])
    assert Deal.of(PACK.order, dealer=1).hands[0] == PACK.cards(PACK.order[3::4])


@pytest.mark.parametrize(
    ("swaps", "trick", "winner", "runt"),
    [
        (
            [("TS", "TH"), ("QS", "QD"), ("2S", "2C")],
            "6S TS QS 2S",
            3,
            "2S",
        ),  # the rules' Annie, Benny, Connie, Denny
        ([], "6S TH QD 2C", 1, "6S"),  # the rules: nobody could follow
        ([("AS", "AD"), ("KH", "KC"), ("9C", "9H")], "AD KC 2D 9H", 1, "2D"),
        ([("KS", "KH"), ("QH", "QD"), ("JH", "JC")], "KH AH QH JH", 2, "JH"),
    ],
)
def test_the_highest_of_the_suit_led_wins_and_the_lowest_gives_the_value(
    swaps: list[tuple[str, str]], trick: str, winner: int, runt: str
) -> None:
    state = replayed(deal_with(*swaps), *(f"play:{card}" for card in trick.split()))
    assert (state.phase, state.actors()) == ("give", (winner,))
    state.apply(f"give:{winner}")
    assert state.view(None).pile("runts", winner).shown == (runt,)


def test_who_receives_the_trick_leads_the_next() -> None:
    state = replayed(LONG_SUITS, "play:6S", "play:TH", "play:QD", "play:2C", "give:4")
    assert (state.phase, state.actors()) == ("play", (4,))
    assert state.view(None).tricks == (0, 0, 0, 1)


def test_the_first_leaders_of_the_rounds_are_the_seats_in_turn() -> None:
    """Worked example 7: dealer 3: seats 4, 1, 2, 3."""
    state = played(3, sudden_death="off")
    leaders, replay = [], GAME.start(state.deal, state.options)
    for count, entry in enumerate(state.entries):
        if count % (12 * 5 + 4) == 0:
            leaders.append(replay.actors()[0])
        replay.apply(entry)
    assert state.deal.dealer == 3
    assert leaders == [4, 1, 2, 3]


def last_trick(hands: tuple[str, str, str, str], **options: Any) -> Any:
    """A state in which twelve tricks are given and seat 1 leads its last card."""
    state = replayed(LONG_SUITS, **options)
    state.hands = [PACK.card(card) for card in hands]
    state.runts = [tuple(PACK.card(f"{rank}{suit}") for rank in "234") for suit in SUITS]
    state.piles = [PACK.suit(suit) & ~PACK.card(hand) for suit, hand in zip(SUITS, hands, strict=True)]
    state.now = LAST
    state.lead(0)
    for card in hands:
        state.apply(f"play:{card}")
    return state


@pytest.mark.parametrize(("last_swap", "fronts"), [("kept", "9H 3H KH AC"), ("returned", "9H KH 3H AC")])
def test_the_last_trick_is_exchanged_and_taken_up(last_swap: str, fronts: str) -> None:
    """Worked example 5: seat 2 wins, EW score 3."""
    state = last_trick(("9H", "KH", "3H", "AC"), last_swap=last_swap)
    assert state.history == ((18, 18 + 3),)
    for seat, card in enumerate(fronts.split()):
        assert PACK.card(card) & state.hands[seat]


def test_if_nobody_follows_the_led_card_stays_and_scores() -> None:
    """Worked example 6, from seat 1: 30 for its side."""
    state = last_trick(("AD", "2S", "2H", "2C"))
    assert state.history == ((18 + 30, 18),)


@pytest.mark.parametrize(
    ("actions", "seat", "rule"),
    [
        (["play:6H"], 1, "not in the hand"),
        (["give:1"], 1, "no such action"),
        (["2 play:TH"], 2, "another seat"),
        (["play:6S", "play:TH", "play:QD", "play:2C", "play:5S"], 1, "no such action"),
        (["play:6S", "play:TH", "play:QD", "play:2C", "give:5"], 1, "no such action"),
    ],
)
def test_what_is_illegal(actions: list[str], seat: int, rule: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        replayed(LONG_SUITS, *actions)
    assert (refused.value.position, refused.value.seat) == (len(actions) - 1, seat)
    assert rule in str(refused.value.rule)


def test_a_revoke_is_refused() -> None:
    deal = deal_with(("2S", "2H"))
    with pytest.raises(IllegalAction, match="follow the suit") as refused:
        replayed(deal, "play:6S", "play:TH")
    assert refused.value.legal == ("play:2S",)


def test_nobody_gets_a_fourth_trick() -> None:
    actions: list[str] = []
    for spade, heart, diamond, club in zip("65432", "65432", "65432", "65432", strict=True):
        if len(actions) == 15:
            break
        actions += [f"play:{spade}S", f"play:{heart}H", f"play:{diamond}D", f"play:{club}C", "give:1"]
    with pytest.raises(IllegalAction, match="already been given three tricks") as refused:
        replayed(LONG_SUITS, *actions, "play:3S", "play:3H", "play:3D", "play:3C", "give:1")
    assert refused.value.legal == ("give:2", "give:3", "give:4")


def test_cards_are_conserved_from_round_to_round() -> None:
    for number in range(1, 41):
        state = played(number, sudden_death="off")
        replay, rounds = GAME.start(state.deal, state.options), 0
        for entry in state.entries:
            replay.apply(entry)
            if len(replay.history) > rounds and not replay.over:
                rounds += 1
                assert sum(replay.hands) == PACK.all
                assert [hand.bit_count() for hand in replay.hands] == [13] * 4
        assert len(state.history) == 4
        for ns, ew in state.history:
            assert min(ns, ew) >= 14
            assert max(ns, ew) <= 195


def test_other_hands_stay_hidden_in_every_round() -> None:
    state = played(5, sudden_death="off")
    replay = GAME.start(state.deal, state.options)
    for entry in state.entries:
        for seat in range(1, 5):
            shown = set(replay.view(seat).hand)
            assert shown == set(PACK.tokens(replay.hands[seat - 1]))
        assert replay.view(None).hand == ()
        replay.apply(entry)


# ── The game and its sheet ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("rounds", "options", "score"),
    [
        ([[61, 28]], {}, 132),  # worked example 8
        ([[61, 28]], {"sudden_death_scoring": "actual"}, 33),
        ([[40, 30], [42, 35], [98, 20]], {}, 127),
        ([[41, 30], [45, 33], [38, 29], [35, 40]], {}, 27),
        ([[28, 61]], {}, -132),
        ([[61, 28]], {"rounds_per_board": 2}, 66),
        ([[41, 30], [45, 33]], {"rounds_per_board": 2}, 23),
        ([[70, 65]], {}, 20),  # both have 60: the higher total
    ],
)
def test_the_score_of_a_board(rounds: list[list[int]], options: dict[str, Any], score: int) -> None:
    assert GAME.score({"rounds": rounds}, options=options).scores == (score, -score, score, -score)


def test_halves_are_rounded_away_from_nought() -> None:
    assert [projection(d, 2, 3) for d in (1, -1, 3, -3, 2)] == [2, -2, 5, -5, 3]


@pytest.mark.parametrize(
    ("sheet", "options", "said"),
    [
        ({}, {}, "missing"),
        ({"rounds": []}, {}, "1 to 4"),
        ({"rounds": [[41, 30]]}, {}, "not over after round 1"),
        ({"rounds": [[61, 28], [40, 30], [40, 30], [40, 30]]}, {}, "over after round 1"),
        ({"rounds": [[60, 60], [41, 30]]}, {}, "not over after round 2"),  # equal at 60: play went on
        ({"rounds": [[41, 30]] * 5}, {}, "1 to 4"),
        ({"rounds": [[61, 28]]}, {"sudden_death": "off"}, "not over"),
        ({"rounds": [[13, 40]]}, {}, "14 to 195"),
        ({"rounds": [[196, 40]]}, {}, "14 to 195"),
        ({"rounds": [[20, 20]]}, {}, "at least 41"),
        ({"rounds": [[190, 190]]}, {}, "at most 315"),
        ({"rounds": [[41]]}, {}, "pair"),
        ({"rounds": [41, 30]}, {}, "pair"),
        ({"rounds": [[41.0, 30]]}, {}, "14 to 195"),
        ({"rounds": "x"}, {}, "list"),
        ({"cochonnets": [[["2S"], ["3S"]]]}, {}, "six runts"),
        ({"cochonnets": [[["2S"] * 6, ["3S"] * 7]]}, {}, "different cards"),
        ({"cochonnets": [[["2S"] * 6, [1, 2, 3, 4, 5, 6, 7]]]}, {}, "must be a card"),
        ({"tricks": []}, {}, "not a field"),
    ],
)
def test_what_a_sheet_refuses(sheet: dict[str, Any], options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSheet, match=said):
        GAME.score(sheet, options=options)


def test_runts_may_stand_for_the_rounds_and_must_agree_with_them() -> None:
    ns, ew = ["AS", "KS", "QS", "2S", "3S", "4S"], ["2H", "3H", "4H", "5H", "6H", "7H", "8H"]
    points = [30 + 25 + 20 + 2 + 3 + 4, 2 + 3 + 4 + 5 + 6 + 7 + 8]
    by_runts = GAME.score({"cochonnets": [[ns, ew]]})
    assert (
        by_runts
        == GAME.score({"rounds": [points]})
        == GAME.score({"rounds": [points], "cochonnets": [[ns, ew]]})
    )
    with pytest.raises(BadSheet, match="do not give"):
        GAME.score({"rounds": [[85, 35]], "cochonnets": [[ns, ew]]})


def test_the_ledger_of_a_game() -> None:
    ledger = GAME.ledger([[41, 30], [45, 33]])
    assert (ledger["over"], ledger["totals"], ledger["winner"], ledger["ended_by"]) == (
        False,
        [86, 63],
        None,
        None,
    )
    ledger = GAME.ledger([[61, 28]])
    assert (ledger["over"], ledger["winner"], ledger["ended_by"]) == (True, "NS", "sudden_death")
    ledger = GAME.ledger([[30, 41]] * 4)
    assert (ledger["winner"], ledger["ended_by"], ledger["round"]) == ("EW", "rounds", 4)
    assert GAME.ledger([[30, 41], [41, 30]] * 2)["winner"] == "draw"
    assert ledger["rows"][1] == {"round": 2, "points": [30, 41], "totals": [60, 82]}
    with pytest.raises(BadRecord, match="over after round 1"):
        GAME.ledger([[61, 28], [40, 30]])
    with pytest.raises(BadSheet, match="14 to 195"):
        GAME.ledger([[1, 2]])
    assert GAME.ledger([])["over"] is False


@pytest.mark.parametrize(
    "change",
    [{"dealer": 5}, {"hands": [[]] * 4}, {"hands": None}, {"turned": []}, {"hands": [["AS"] * 13] * 4}],
)
def test_a_deal_that_is_not_the_whole_pack_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadDeal):
        GAME.read_deal(LONG_SUITS | change)


def test_the_sensible_robots_win() -> None:
    options = registry.options_of(GAME, {})
    total = 0
    for number in range(1, 61):
        state = GAME.start(registry.deal_board(GAME, bytes(32), number, options, {}), options)
        sensible_side = number % 2
        robots = [bots.sensible if seat % 2 == sensible_side else bots.at_random for seat in range(4)]
        bots.play_on(GAME, state, robots, bots.randomness(number))
        total += state.outcome().scores[sensible_side]
    assert total > 60 * 20
