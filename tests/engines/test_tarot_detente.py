"""Tarot double détente and Triple-Détente: the worked examples of their page, then refusals and options."""

from typing import Any

import pytest

from engines import bots, records, registry
from engines.errors import BadDeal, BadRecord, BadSheet, IllegalAction
from engines.games.tarot_detente import DoubleDetente, TripleDetente
from engines.games.tarot_detente.cards import EXCUSE, PACK, TRUMPS, Part, parts_of, powers_with, strength_with
from engines.tarot import tarot_cards

from .cases import SENSIBLE, Case

THREE, TWO = DoubleDetente(), TripleDetente()
ALL_OPTIONS = {"cavalry": True, "modifications": True, "winning_ace": True, "all_or_nothing": True}


def deal_of(game: Any, number: int = 1, **options: Any) -> dict[str, Any]:
    settings = registry.options_of(game, options)
    return dict(game.show_deal(registry.deal_board(game, bytes(32), number, settings, {})))


def replayed(game: Any, deal: dict[str, Any], *actions: str, **options: Any) -> Any:
    file = {"game": game.id, "options": options, "deal": deal, "actions": list(actions)}
    return records.replay(records.read(file))


def legal(state: Any) -> list[str]:
    return list(state.legal(state.actors()[0]))


def turned_up(card: str, second: str = "") -> dict[str, Any]:
    """A deal of three in which a card is turned in the first part (the second after an Excuse)."""
    wanted = [card, second] if second else [card]
    rest = [token for token in PACK.order if token not in wanted]
    hands = [rest[0:13], rest[13:26], rest[26:39]]
    return {"dealer": 3, "hands": hands, "stock": [*wanted, *rest[39:]], "start_scores": [0, 0, 0]}


# ── The cards and the deal ────────────────────────────────────────────────────────────────────────


def test_the_pack() -> None:
    assert len(PACK.order) == 78
    assert PACK.order[:14] == tuple(f"{rank}S" for rank in "123456789TJCQK")
    assert PACK.order[-2:] == ("21T", "EX")
    assert PACK.tokens(PACK.cards("1S KS 2T 21T EX TC CC")) == ("KS", "1S", "CC", "TC", "EX", "21T", "2T")
    assert PACK.suit_of[PACK.card("TC")] == PACK.suit("C")
    assert PACK.suit_of[PACK.card("EX")] == PACK.card("EX")


def test_every_part_is_dealt_from_the_same_pack() -> None:
    for game, seats in ((THREE, 3), (TWO, 2)):
        for modifications in (False, True):
            deal = game.read_deal(deal_of(game))
            parts = parts_of(deal, modifications)
            assert sum(sum(part.hands) for part in parts) == PACK.all
            assert all(hand.bit_count() == 13 for part in parts for hand in part.hands)
            assert [bool(part.turned) for part in parts] == [modifications] * (len(parts) - 1) + [False]
            assert len(parts[0].hands) == seats


def test_the_second_part_comes_from_the_top_and_turned_cards_go_under() -> None:
    deal = THREE.read_deal(turned_up("EX", "CS"))
    first, second = parts_of(deal, True)
    assert first.turned == ("EX", "CS")
    assert second.hands[1] & PACK.card("EX")  # dealer 3: the last two cards go to seats 2 and 3
    assert second.hands[2] & PACK.card("CS")
    plain = parts_of(deal, False)[1]
    assert plain.hands[0] & PACK.card("EX")  # dealer 3: the first card goes to seat 1


@pytest.mark.parametrize(
    ("turned", "effect"),
    [
        (("5T",), "exact"),
        (("1T",), "exact"),
        (("CH",), "doubled"),
        (("KD",), "D"),
        (("TC",), "C"),
        (("EX", "CS"), "doubled"),
    ],
)
def test_what_a_turned_card_does(turned: tuple[str, ...], effect: str) -> None:
    assert Part((), turned).effect == effect


def test_a_reversed_suit_is_upside_down_and_trumps_never_are() -> None:
    """Worked example 8."""
    strength = strength_with("H")
    order = sorted([f"{rank}H" for rank in "123456789TJCQK"], key=lambda t: strength[PACK.card(t)])
    assert order == [f"{rank}H" for rank in "KQCJT987654321"]
    assert strength[PACK.card("KS")] > strength[PACK.card("1S")]
    assert strength[PACK.card("21T")] > strength[PACK.card("1T")] > strength[PACK.card("1H")]


# ── The contracts ─────────────────────────────────────────────────────────────────────────────────


def test_everyone_speaks_once_from_the_dealers_left() -> None:
    deal = deal_of(THREE, 3)
    assert replayed(THREE, deal).actors() == (1,)
    assert len(legal(replayed(THREE, deal))) == 14
    state = replayed(THREE, deal, "bid:4", "bid:6", "bid:3")  # thirteen in all is free
    assert (state.phase, state.actors()) == ("play", (1,))


def test_with_two_players_the_second_may_not_make_thirteen() -> None:
    """Worked example 6: after the seven of seat 1, seat 2 may not bid six."""
    deal = deal_of(TWO, 2)
    assert "bid:6" not in legal(replayed(TWO, deal, "bid:7"))
    with pytest.raises(IllegalAction, match="thirteen"):
        replayed(TWO, deal, "bid:7", "bid:6")
    assert replayed(TWO, deal_of(TWO, 1)).actors() == (2,)  # dealer 1: seat 2 speaks first


@pytest.mark.parametrize("token", ["bid:14", "bid:-1", "bid:", "pass", "play:1S", "bid:3!all:9"])
def test_what_is_no_contract(token: str) -> None:
    with pytest.raises(IllegalAction, match="no such action"):
        replayed(THREE, deal_of(THREE, 3), token)


def test_all_or_nothing_names_an_opponent_with_a_hundred_points() -> None:
    rich = deal_of(THREE, 3) | {"start_scores": [150, 100, 99]}
    state = replayed(THREE, rich, all_or_nothing=True)
    assert "bid:4!all:2" in legal(state)
    assert not [action for action in legal(state) if action.endswith(("all:1", "all:3"))]
    for deal, options in ((rich, {}), (deal_of(THREE, 3), {"all_or_nothing": True})):
        with pytest.raises(IllegalAction, match="100 points"):
            replayed(THREE, deal, "bid:4!all:2", **options)
    state.apply("bid:4!all:2")
    assert state.view(None).all_or_nothing == (2, None, None)


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


def following(trick: str, hand: str) -> set[str]:
    cards = [PACK.card(token) for token in trick.split()]
    demanded = next((PACK.suit(token[-1]) for token in trick.split() if token != "EX"), 0)
    return set(PACK.tokens(tarot_cards(PACK.cards(hand), demanded, cards, TRUMPS, EXCUSE)))


@pytest.mark.parametrize(
    ("trick", "hand", "free"),
    [
        ("KH 5T", "3H 20T", "3H"),  # worked example 7
        ("KH 5T", "2T 20T 7C", "20T"),
        ("KH 5T", "2T 3T 7C EX", "2T 3T EX"),
        ("KH", "3H 20T EX", "3H EX"),
        ("EX", "3H 20T 7C", "3H 20T 7C"),  # the Excuse led: anything
        ("EX 7C", "3C 20T", "3C"),
        ("8T", "7T 9T KS", "9T"),
        ("8T", "7T KS", "7T"),
        ("8T", "KS 2D EX", "KS 2D EX"),
        ("KH", "7C 2D", "7C 2D"),
    ],
)
def test_what_may_be_played(trick: str, hand: str, free: str) -> None:
    assert following(trick, hand) == set(free.split())


@pytest.mark.parametrize(
    ("trick", "winner", "reversed_suit"),
    [
        ("KH 1H QH", 1, ""),
        ("KH 1H QH", 2, "H"),
        ("EX 7C KC", 3, ""),
        ("7C EX 3C", 1, ""),
        ("KH 1T KS", 2, ""),
        ("2H KS QH", 3, ""),
    ],
)
def test_who_wins_the_trick(trick: str, winner: int, reversed_suit: str) -> None:
    state = replayed(THREE, deal_of(THREE, 3), "bid:1", "bid:1", "bid:1")
    state.power = powers_with(reversed_suit)
    state.hands = [PACK.card(token) | PACK.card("2S") for token in trick.split()]
    state.playable = state.hands[0]
    for card in trick.split():
        state.apply(f"play:{card}")
    assert state.taker is not None
    assert state.taker + 1 == winner


def test_illegal_cards_name_their_rule() -> None:
    hands = [["KH", *[f"{n}T" for n in range(1, 13)]], ["3H", *[f"{r}S" for r in "123456789TJC"]],
             ["20T", "13T", *[f"{r}C" for r in "123456789TJ"]]]  # fmt: skip
    rest = [token for token in PACK.order if not any(token in hand for hand in hands)]
    deal = {"dealer": 3, "hands": hands, "stock": rest}
    told = ("bid:1", "bid:1", "bid:1")
    for actions, said in (
        (("play:3H",), "not in the hand"),
        (("play:KH", "play:1S"), "follow the suit"),
        (("play:KH", "play:3H", "play:1C"), "play a trump"),
        (("play:KH", "play:3H", "play:ZZ"), "no such action"),
        (("play:1T", "play:3H", "play:1C"), "a trump was led"),
    ):
        with pytest.raises(IllegalAction, match=said):
            replayed(THREE, deal, *told, *actions)


# ── The marks ─────────────────────────────────────────────────────────────────────────────────────


def part(contracts: list[int], tricks: list[int], **more: Any) -> dict[str, Any]:
    return {"contracts": contracts, "tricks": tricks} | more


EMPTY = part([0, 0, 0], [13, 0, 0])  # 13, and no bonus but for the exact noughts


def marked(game: Any, parts: list[dict[str, Any]], number: int, **given: Any) -> list[int]:
    """The marks of one part, by seat: what it adds to a board whose other parts stay."""
    outcome = game.score({"parts": parts}, **given)
    return [
        sum(f.points for f in outcome.facts if f.seat == seat and f.value == number)
        for seat in range(1, game.seats[0] + 1)
    ]


def test_the_first_worked_examples() -> None:
    first = part([4, 6, 2], [4, 7, 2], petit=2)
    assert marked(THREE, [first, EMPTY], 1) == [14, 14, 12]
    second = part([4, 6, 2], [4, 7, 2], petit=2, petit_last=True, excuse_last=1)
    assert marked(THREE, [EMPTY, second], 2) == [19, 24, 22]


def test_a_turned_trump_pays_the_exact_contract_only() -> None:
    """Worked example 3: a deal in which a trump is turned and the Petit is in the first part."""
    deal = turned_up("20T")
    swap = deal["hands"][0][0]
    deal["stock"] = [swap if card == "1T" else card for card in deal["stock"]]
    deal["hands"][0][0] = "1T"
    told = [part([5, 3, 4], [5, 6, 2], petit=1), part([0, 0, 0], [1, 11, 1])]
    assert marked(THREE, told, 1, deal=THREE.read_deal(deal), options={"modifications": True}) == [17, 6, 2]


def test_knights_and_winning_aces() -> None:
    """Worked example 4, without the doubling: 10+5+2, 5+4+2−10, 10+4+4−10."""
    options = {"cavalry": True, "winning_ace": True}
    told = [
        part([5, 3, 4], [5, 4, 4], knights=[1, 0, 2], aces=[1, 0, 0], petit=2),
        part([0, 0, 0], [13, 0, 0], knights=[1, 0, 0], aces=[0, 0, 0]),
    ]
    assert marked(THREE, told, 1, options=options) == [17, 1, 8]


def test_all_or_nothing() -> None:
    """Worked example 5."""
    told = [EMPTY, part([5, 4, 4], [5, 5, 3], petit=2, all_or_nothing=[3, 3, None])]
    options, rich = {"all_or_nothing": True}, {"start_scores": [100, 100, 100]}
    assert marked(THREE, told, 2, options=options, conditions=rich) == [25, 0, -7]
    with pytest.raises(BadSheet, match="100 points"):
        THREE.score({"parts": told}, options=options, conditions={"start_scores": [0, 0, 0]})
    with pytest.raises(BadSheet, match="left out"):
        THREE.score({"parts": told}, conditions=rich)


def test_the_third_part_of_two() -> None:
    """Worked example 6."""
    blank = part([0, 0], [13, 0])
    assert marked(TWO, [blank, blank, part([7, 5], [8, 5], petit=1)], 3) == [30, 35]


def test_a_fault_stops_its_part_and_gives_averages() -> None:
    outcome = THREE.score({"parts": [{"fault": 2}, part([4, 6, 3], [4, 6, 3], petit=1)]})
    assert outcome.scores == (26, -20 + 26, 23)
    assert outcome.averaged == (1, 3)


@pytest.mark.parametrize(
    ("parts", "options", "said"),
    [
        ([EMPTY], {}, "has 2 parts"),
        ([EMPTY, EMPTY], {}, "Petit is won in exactly one"),
        ([EMPTY | {"petit": 1}, EMPTY | {"petit": 1}], {}, "Petit is won in exactly one"),
        ([EMPTY | {"petit": 2}, EMPTY], {}, "won no trick"),
        ([EMPTY | {"petit_last": True}, EMPTY], {}, "won the Petit"),
        ([part([1, 1, 1], [5, 5, 4]), EMPTY], {}, "add up to 14"),
        ([part([14, 1, 1], [5, 5, 3]), EMPTY], {}, "0 to 13"),
        ([part([1, 1], [5, 5, 3]), EMPTY], {}, "3 values"),
        ([EMPTY | {"excuse_last": 1}, EMPTY], {}, "does not win that trick"),
        (
            [part([1, 1, 1], [5, 5, 3], petit=1, petit_last=True, excuse_last=1), EMPTY],
            {},
            "does not win that trick",
        ),
        ([EMPTY | {"knights": [1, 0, 0]}, EMPTY], {}, "left out"),
        ([EMPTY | {"knights": [0, 1, 0], "petit": 1}, EMPTY], {"cavalry": True}, "won no trick"),
        (
            [EMPTY | {"knights": [1, 0, 0], "petit": 1}, EMPTY | {"knights": [1, 0, 0]}],
            {"cavalry": True},
            "four knights",
        ),
        ([EMPTY | {"aces": [0, 1, 0], "petit": 1}, EMPTY], {"winning_ace": True}, "more tricks with aces"),
        (
            [EMPTY | {"aces": [3, 0, 0], "petit": 1}, EMPTY | {"aces": [2, 0, 0]}],
            {"winning_ace": True},
            "four aces",
        ),
        ([{"fault": 1, "tricks": [13, 0, 0]}, EMPTY], {}, "left out"),
        ([{"fault": 4}, EMPTY], {}, "seat from 1 to 3"),
        ([EMPTY | {"colour": 1}, EMPTY], {}, "not a field"),
        (["x", EMPTY], {}, "object"),
        ([EMPTY | {"petit": 1}, EMPTY], {"modifications": True}, "needs its deal"),
    ],
)
def test_what_a_sheet_refuses(parts: list[Any], options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSheet, match=said):
        THREE.score({"parts": parts}, options=options)


def test_what_the_deal_says_of_a_sheet() -> None:
    deal = THREE.read_deal(deal_of(THREE, 3))
    state = THREE.start(deal, registry.options_of(THREE, {}))
    bots.play_on(THREE, state, [bots.at_random] * 3, bots.randomness(1))
    sheet = THREE.summarise(state)
    assert THREE.score(sheet, deal=deal) == state.outcome()
    swapped = {
        "parts": [
            sheet["parts"][0] | {"petit": sheet["parts"][1]["petit"]},
            sheet["parts"][1] | {"petit": sheet["parts"][0]["petit"]},
        ]
    }
    with pytest.raises(BadSheet, match="petit"):
        THREE.score(swapped, deal=deal)


# ── The match ─────────────────────────────────────────────────────────────────────────────────────


def test_the_ledger_of_rounds() -> None:
    rounds = [{"dealer": n % 3 + 1, "marks": [[40, 10, 5], [40, 10, 5]]} for n in range(3)]
    ledger = THREE.ledger(rounds[:2])
    assert (ledger["over"], ledger["scores"]) == (False, [160, 40, 20])
    assert ledger["rows"][1]["parts"][0]["eligible"] == [True, False, False]
    won = THREE.ledger(rounds)
    assert (won["over"], won["winner"], won["scores"]) == (True, 1, [240, 60, 30])
    with pytest.raises(BadRecord, match="over after 3"):
        THREE.ledger([*rounds, rounds[0]])
    with pytest.raises(BadSheet, match="dealt by seat 1"):
        THREE.ledger([rounds[1]])
    with pytest.raises(BadSheet, match="marks of 2 parts"):
        THREE.ledger([{"dealer": 1, "marks": [[1, 2, 3]]}])
    named = rounds[0] | {"all_or_nothing": [[2, None, None], None]}
    with pytest.raises(BadSheet, match="100 points"):
        THREE.ledger([named], options={"all_or_nothing": True})
    late = rounds[2] | {"all_or_nothing": [[None, 1, None], None]}
    assert THREE.ledger([*rounds[:2], late], options={"all_or_nothing": True})["over"]
    shared = [{"dealer": 1, "marks": [[100, 100, 0], [100, 100, 0]]}]
    assert not THREE.ledger(shared)["over"]
    assert TWO.ledger([{"dealer": 1, "marks": [[70, 0], [70, 0], [70, 0]]}])["winner"] == 1


def test_boards_in_the_red() -> None:
    for game, red in ((THREE, [2, 4, 6, 8]), (TWO, [3, 4, 7, 8])):
        scores = {n: deal_of(game, n, all_or_nothing=True)["start_scores"] for n in range(1, 9)}
        assert [n for n, start in scores.items() if set(start) == {100}] == red
        assert set(deal_of(game, 4)["start_scores"]) == {0}


@pytest.mark.parametrize(
    "change", [{"start_scores": [0]}, {"dealer": 4}, {"stock": []}, {"hands": [[]] * 3}, {"x": 1}]
)
def test_a_deal_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadDeal):
        THREE.read_deal(deal_of(THREE) | change)


@pytest.mark.parametrize("game", [THREE, TWO], ids=lambda game: game.id)
def test_the_sensible_robot_makes_more_than_one_that_says_anything(game: Any) -> None:
    options, seats = registry.options_of(game, {}), game.seats[0]
    total = {True: 0, False: 0}
    for number in range(1, 61):
        state = game.start(registry.deal_board(game, bytes(32), number, options, {}), options)
        robots = [bots.sensible if seat == number % seats else bots.at_random for seat in range(seats)]
        bots.play_on(game, state, robots, bots.randomness(number))
        for seat, score in enumerate(state.outcome().scores):
            total[seat == number % seats] += score
    assert total[True] > total[False] / (seats - 1)


def test_every_option_together_keeps_record_and_sheet_in_agreement() -> None:
    for game in (THREE, TWO):
        for number in range(1, 101):
            settings = registry.options_of(game, ALL_OPTIONS)
            deal = registry.deal_board(game, bytes(32), number, settings, {})
            state = game.start(deal, settings)
            bots.play_on(game, state, [bots.at_random] * game.seats[0], bots.randomness(number))
            assert game.score(game.summarise(state), deal=deal, options=settings) == state.outcome()


# ── For the suites of all games ───────────────────────────────────────────────────────────────────

EVERY_OPTION = {
    "name": "all-options",
    "about": "Board 2 with every option, robots that play anything.",
    "number": 2,
    "bot": "random",
    "options": ALL_OPTIONS,
}
CASES = {"tarot-double-detente": Case(recipes=(SENSIBLE, EVERY_OPTION))}
