"""Belote Noisette: the worked examples of engines/rules/belote-noisette.md, then its refusals and options."""

from typing import Any

import pytest

from engines import bots, records, registry
from engines.errors import BadDeal, BadRecord, BadSheet, IllegalAction
from engines.games.belote_noisette import BeloteNoisette
from engines.games.belote_noisette.cards import deal_from, pack_without, with_trumps
from engines.games.belote_noisette.match import goal_after, manche_points

from .cases import Case

GAME = BeloteNoisette()
PACK = pack_without("C")
DEAL: dict[str, Any] = {  # seat 1 is at the dealer's left
    "dealer": 3,
    "hands": [["AS", "TS", "KS", "QS", "JS"], ["AD", "TD", "KD", "QD", "JD"], ["9S", "8S", "7S", "9D", "8D"]],
    "turned": "KH",
    "stock": ["AH", "TH", "QH", "JH", "9H", "8H", "7H", "7D"],
}


def replayed(*actions: str, deal: dict[str, Any] = DEAL, **options: Any) -> Any:
    file = {"game": "belote-noisette", "options": options, "deal": deal, "actions": list(actions)}
    return records.replay(records.read(file))


def legal(state: Any) -> list[str]:
    return list(state.legal(state.actors()[0]))


def illegal(*actions: str, **options: Any) -> str:
    with pytest.raises(IllegalAction) as refused:
        replayed(*actions, **options)
    return str(refused.value.rule)


def test_points_of_the_pack() -> None:
    trumps = with_trumps("C", "belote", "H")
    assert sum(trumps.points[PACK.card(f"{rank}H").bit_length()] for rank in "789JQKTA") == 62
    assert sum(trumps.points[PACK.card(f"{rank}S").bit_length()] for rank in "789JQKTA") == 30
    assert sum(trumps.points) == 122


@pytest.mark.parametrize(("rank_order", "ten_over_king"), [("belote", True), ("literal", False)])
def test_where_the_ten_ranks(rank_order: str, ten_over_king: bool) -> None:
    strength = with_trumps("C", rank_order, "H").powers[pack_without("C").card("7S").bit_length()]
    assert (strength[PACK.card("TS").bit_length()] > strength[PACK.card("KS").bit_length()]) == ten_over_king
    assert strength[PACK.card("TH").bit_length()] > strength[PACK.card("KH").bit_length()]
    assert (
        strength[PACK.card("JH").bit_length()]
        > strength[PACK.card("9H").bit_length()]
        > strength[PACK.card("AH").bit_length()]
    )


def test_packets_of_two_and_three() -> None:
    """Worked example 9: dealer 2."""
    pack = PACK.order
    hands, turned, stock = deal_from(pack, 2, "C")
    assert hands[2] == PACK.cards([pack[i] for i in (0, 1, 6, 7, 8)])
    assert hands[0] == PACK.cards([pack[i] for i in (2, 3, 9, 10, 11)])
    assert hands[1] == PACK.cards([pack[i] for i in (4, 5, 12, 13, 14)])
    assert (turned, stock) == (pack[15], pack[16:])


# ── The auction ───────────────────────────────────────────────────────────────────────────────────


def test_taken_in_the_first_round() -> None:
    assert legal(replayed()) == ["pass", "take:H"]
    state = replayed("pass", "take:H")
    assert (state.phase, state.actors(), state.taken_in) == ("play", (2,), "1")
    assert set(state.view(1).hand) == {*DEAL["hands"][0], "AH", "TH", "QH"}
    assert set(state.view(2).hand) == {*DEAL["hands"][1], "KH", "JH", "9H"}
    assert set(state.view(3).hand) == {*DEAL["hands"][2], "8H", "7H", "7D"}


def test_taken_in_the_second_round() -> None:
    second = replayed("pass", "pass", "pass")
    assert (second.phase, second.view(1).pile("turned").shown) == ("round2", ("KH", "JH"))
    assert "AH" in second.view(1).hand
    assert legal(second) == ["pass", "take:H"]  # both turned cards are hearts
    state = replayed("pass", "pass", "pass", "pass", "take:H")
    assert set(state.view(2).hand) == {*DEAL["hands"][1], "TH", "KH", "JH"}
    assert set(state.view(1).hand) == {*DEAL["hands"][0], "AH", "9H", "8H"}
    assert set(state.view(3).hand) == {*DEAL["hands"][2], "QH", "7H", "7D"}


def test_forced_to_take() -> None:
    passes = ["pass"] * 6
    state = replayed(*passes)
    assert (state.phase, state.actors(), legal(state)) == ("forced", (1,), ["take:H"])
    assert "must take" in illegal(*passes, "pass")
    state.apply("take:H")
    assert state.taken_in == "forced"


def test_only_a_turned_suit_may_be_taken() -> None:
    assert "turned card" in illegal("take:S")
    assert "no such action" in illegal("take:C")
    assert "no such action" in illegal("play:AS")


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


def following(trick: str, hand: str, *, leader: int, declarer: int, **options: Any) -> list[str]:
    """The legal cards of who follows; trumps are hearts."""
    state = replayed("take:H", **options)
    state.declarer, state.leader = declarer - 1, leader - 1
    state.trick = [PACK.card(token) for token in trick.split()]
    state.asked = PACK.suit_of[state.trick[0]]
    state.actor = (leader - 1 + len(state.trick)) % 3
    return list(PACK.tokens(state.may_play(PACK.cards(hand))))


@pytest.mark.parametrize(
    ("trick", "hand", "leader", "free", "options"),
    [
        ("8D 9H", "JH 7H KS", 3, "KS JH", {}),  # worked example 6, taker 3
        ("8D", "7H KS", 1, "KS 7H", {}),  # worked example 7
        ("8D KS", "QH AS", 1, "QH", {}),
        ("8D 9H", "JH 7H KS", 3, "JH", {"partners": "none"}),
        ("8D 9H", "QH 7H KS", 3, "KS QH 7H", {}),  # cannot go up: any trump, or a discard
        ("TH", "AH 9H 7H", 3, "AH 9H", {}),  # trumps led: go up
        ("TH", "AH 9H 7H", 3, "AH 9H 7H", {"beat_led_trump": False}),
        ("JH", "AH 7H", 3, "AH 7H", {}),
        ("8D", "AD 7D", 3, "AD 7D", {}),  # no duty to beat in plain suits
        ("8D", "AS 7S", 3, "AS 7S", {}),
    ],
)
def test_what_may_be_played(trick: str, hand: str, leader: int, free: str, options: dict[str, Any]) -> None:
    assert following(trick, hand, leader=leader, declarer=3, **options) == free.split()


def test_the_belote_is_said_with_the_first_of_its_cards() -> None:
    deal = DEAL | {"stock": ["AH", "TH", "JH", "QH", "9H", "8H", "7H", "7D"]}
    told = ["pass", "pass", "pass", "take:H"]
    state = replayed(*told, deal=deal)  # seat 1 has both turned cards: king and queen of hearts
    assert {"play:KH", "play:KH!belote", "play:QH!belote"} <= set(legal(state))
    state.apply("play:KH!belote")
    assert state.view(2).belote == 1
    with pytest.raises(IllegalAction, match="belote"):
        replayed(*told, "play:AH!belote", deal=deal)


def test_a_whole_deal_has_132_points_or_142() -> None:
    seen = set()
    for number in range(1, 301):
        options = registry.options_of(GAME, {})
        state = GAME.start(registry.deal_board(GAME, bytes(32), number, options, {}), options)
        bots.play_on(GAME, state, [bots.at_random] * 3, bots.randomness(number))
        total = sum(state.points)
        assert total == (132 if state.belote is None else 142)
        seen.add(total)
    assert seen == {132, 142}


def test_illegal_cards_name_their_rule() -> None:
    assert "not in the hand" in illegal("take:H", "play:AD")
    assert "no such action" in illegal("take:H", "play:AC")
    assert "follow" in illegal("pass", "take:H", "play:AD", "play:7S")


# ── The marks ─────────────────────────────────────────────────────────────────────────────────────


def sheet(taker: int, stage: str, *points: int, **more: Any) -> dict[str, Any]:
    return {"taker": taker, "stage": stage, "points": list(points)} | more


@pytest.mark.parametrize(
    ("told", "conditions", "scores"),
    [
        (sheet(2, "1", 30, 67, 35), {}, (-1, 2, -1)),  # worked example 1
        (sheet(2, "1", 40, 67, 35, belote=1), {}, (0, 1, -1)),  # 2
        (sheet(3, "2", 60, 22, 50), {}, (1, 1, -3)),  # 3
        (sheet(1, "forced", 44, 44, 44), {}, (-1, 0, 0)),  # 4
        (sheet(1, "1", 60, 42, 30), {"nuts": [1, 14, 15]}, (1, 0, -1)),  # 5: no nut left for the stake
        (sheet(1, "2", 60, 36, 36), {}, (0, -1, -1)),  # equal adversaries: the nut stays
        (sheet(1, "1", 66, 36, 30), {}, (1, 0, -1)),  # exactly half is not more
        (sheet(1, "1", 67, 35, 30), {"nuts": [9, 9, 9], "pot": 3}, (5, -1, -1)),
        (sheet(1, "2", 67, 35, 30), {"nuts": [2, 14, 14]}, (3 + 1 - 2, -1, -1)),  # one nut for the stake
    ],
)
def test_what_a_deal_moves(told: dict[str, Any], conditions: dict[str, Any], scores: tuple[int, ...]) -> None:
    assert GAME.score(told, conditions=conditions).scores == scores


@pytest.mark.parametrize(
    ("told", "field", "said"),
    [
        (sheet(1, "1", 60, 42, 31), "points", "add up to 133"),
        (sheet(1, "1", 60, 42, 30, belote=1), "points", "must add up to 142"),
        (sheet(1, "1", 91, 40, 11, belote=3), "points", "with its belote"),
        (sheet(1, "1", 91, 49, 2, belote=3), "points", "with its belote"),
        (sheet(1, "1", 91, 40, 1), "points", "cannot be 1"),
        (sheet(1, "3", 60, 42, 30), "stage", "must be one of"),
        (sheet(1, "1", 60, 42, 30, trump="C"), "trump", "not in the pack"),
        (sheet(1, "1", 60, 42, 30, faults=[{"seat": 1}]), "faults", "moved: "),
        (
            sheet(1, "1", 60, 42, 30, faults=[{"seat": 1, "moved": [{"to": 9, "points": 1}]}]),
            "faults",
            "moved: ",
        ),
        (sheet(4, "1", 60, 42, 30), "taker", "seat from"),
    ],
)
def test_what_a_sheet_refuses(told: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(BadSheet) as refused:
        GAME.score(told)
    assert refused.value.field == field
    assert said in str(refused.value.constraint)


def test_what_is_known_of_the_board_is_checked() -> None:
    deal = GAME.read_deal(DEAL)
    assert GAME.score(sheet(1, "forced", 44, 44, 44), deal=deal).scores == (-1, 0, 0)
    with pytest.raises(BadSheet, match="forced to take"):
        GAME.score(sheet(2, "forced", 44, 44, 44), deal=deal)
    with pytest.raises(BadSheet, match="turned card"):
        GAME.score(sheet(2, "1", 44, 44, 44, trump="S"), deal=deal)
    moved = [{"seat": 2, "moved": [{"to": 1, "points": 18}]}]
    assert GAME.score(sheet(1, "1", 60, 42, 30, belote=None, faults=moved), deal=deal).scores == (1, 0, -1)


# ── The match ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("nuts", "ended"),
    [
        ((21, 5, 4), ("complete", (3, 0, 0))),
        ((21, 9, 0), ("complete", (3, 0, 0))),
        ((20, 10, 0), ("partial", (2, 1, 0))),
        ((15, 15, 0), ("partial", (1, 1, 0))),
        ((20, 0, 0), ("partial", (2, 0, 0))),
        ((10, 10, 10), (None, (0, 0, 0))),
    ],
)
def test_how_a_manche_ends(nuts: tuple[int, ...], ended: tuple[Any, ...]) -> None:
    assert manche_points(nuts) == ended


def test_the_goal_moves_up_while_it_is_shared() -> None:
    """Worked example 8."""
    assert goal_after([6, 6, 0], 6) == 8
    assert goal_after([7, 6, 0], 6) == 6
    assert goal_after([9, 9, 0], 6) == 10


def a_match(count: int) -> list[dict[str, Any]]:
    """Seat 1 takes in the first round and makes more than half, each time."""
    return [sheet(1, "1", 132, 0, 0, dealer=number % 3 + 1) for number in range(count)]


def test_nuts_and_pot_are_thirty_and_a_match_is_won() -> None:
    ledger = GAME.ledger(a_match(6))
    assert [row["nuts"] for row in ledger["rows"]][:2] == [[12, 9, 9], [14, 8, 8]]
    assert ledger["rows"][5]["manche"] == "complete"
    assert ledger["rows"][5]["manche_points"] == [3, 0, 0]
    assert ledger["nuts"] == [10, 10, 10]
    for row in ledger["rows"]:
        assert sum(row["nuts"]) + row["pot"] == 30
    won = GAME.ledger(a_match(12))
    assert (won["over"], won["winner"], won["match_points"]) == (True, 1, [6, 0, 0])
    with pytest.raises(BadRecord, match="over after 12"):
        GAME.ledger(a_match(13))


def test_the_ledger_checks_dealers_and_scores() -> None:
    told = sheet(3, "2", 60, 22, 50, dealer=1, scores=[1, 1, -3])
    ledger = GAME.ledger([told])
    assert ledger["rows"][0] == {
        "dealer": 1, "scores": [1, 1, -3], "nuts": [11, 11, 7], "pot": 1, "manche": None,
        "manche_points": [0, 0, 0], "match_points": [0, 0, 0], "goal": 6,
    }  # fmt: skip
    with pytest.raises(BadSheet, match=r"deals\[0\].scores"):
        GAME.ledger([told | {"scores": [1, 1, -2]}])
    with pytest.raises(BadSheet, match=r"deals\[0\].dealer"):
        GAME.ledger([told | {"dealer": 2}])
    with pytest.raises(BadSheet, match=r"deals\[0\].points"):
        GAME.ledger([told | {"points": [1, 2, 3]}])
    with pytest.raises(BadSheet, match=r"deals\[0\].dealer"):
        GAME.ledger(["nothing"])


def test_boards_with_a_pot_and_packs_without_a_suit() -> None:
    cycle = registry.options_of(GAME, {"pot_carry": "cycle"})
    pots = [registry.deal_board(GAME, bytes(32), number, cycle, {}).pot for number in range(1, 5)]
    assert pots == [0, 3, 0, 3]
    spades_out = registry.options_of(GAME, {"removed_suit": "S"})
    shown = GAME.show_deal(registry.deal_board(GAME, bytes(32), 1, spades_out, {}))
    assert not [card for hand in shown["hands"] for card in hand if card[1] == "S"]
    with pytest.raises(BadDeal, match="not in the pack"):
        GAME.read_deal(shown)
    assert GAME.show_deal(GAME.read_deal(shown, spades_out)) == shown


@pytest.mark.parametrize(
    ("conditions", "good"),
    [
        ({"nuts": [9, 9, 9], "pot": 3}, True),
        ({"nuts": [9, 9, 9]}, True),
        ({"nuts": [10, 10, 10], "pot": 1}, False),
        ({"nuts": [0, 15, 15]}, False),
        ({"nuts": "x"}, False),
        ({"pot": 40}, False),
    ],
)
def test_conditions_make_thirty_nuts(conditions: dict[str, Any], good: bool) -> None:
    board = {"seed": "0a" * 32, "number": 1}
    file = {"game": "belote-noisette", "board": board, "conditions": conditions, "actions": []}
    if good:
        assert records.read(file).deal.pot == 3
    else:
        with pytest.raises(BadRecord, match="30"):
            records.read(file)


@pytest.mark.parametrize(
    "change", [{"pot": 1}, {"nuts": [10, 10]}, {"dealer": 4}, {"turned": "KC"}, {"stock": []}, {"x": 1}]
)
def test_a_deal_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadDeal):
        GAME.read_deal(DEAL | change)


def test_the_sensible_robot_wins_more_than_one_that_says_anything() -> None:
    options = registry.options_of(GAME, {})
    total = {True: 0, False: 0}
    for number in range(1, 301):
        state = GAME.start(registry.deal_board(GAME, bytes(32), number, options, {}), options)
        robots = [bots.sensible if seat == number % 3 else bots.at_random for seat in range(3)]
        bots.play_on(GAME, state, robots, bots.randomness(number))
        for seat, score in enumerate(state.outcome().scores):
            total[seat == number % 3] += score
    assert total[True] / 300 > total[False] / 600


# ── For the suites of all games ───────────────────────────────────────────────────────────────────

CASES = {"belote-noisette": Case(same_words=frozenset({"belote"}), pack_options=("removed_suit",))}
