"""Loba: the worked examples of engines/rules/loba.md, then every refusal and option that it names; the list
of legal actions against trying everything."""

from collections import Counter
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest

from engines import bots, registry
from engines.contract import with_defaults
from engines.dealing import new_stock
from engines.errors import BadDeal, BadRecord, BadSheet
from engines.games.loba import Loba
from engines.games.loba.cards import (
    CONTRACTS,
    PACK,
    Deal,
    Meld,
    copies,
    extension,
    lay_downs,
    meld,
    penalty,
    shapes,
)

from .cases import Case
from .table import Table, legal, mean_scores

GAME = Loba()


def deal_of(*hands: str, mene: int = 1, turned: str = "9D", stock: str = "") -> dict[str, Any]:
    """The last seat deals; hands and stock begin as said and go on with what remains."""
    lists = [hand.split() for hand in hands]
    begun = stock.split()
    left = list(
        (Counter(PACK.order) - Counter([c for hand in lists for c in hand] + [turned, *begun])).elements()
    )
    for hand in lists:
        while len(hand) < 11:
            hand.append(left.pop())
    return {
        "dealer": len(hands),
        "mene": mene,
        "hands": lists,
        "turned": turned,
        "stock": begun + left,
        "reshuffle_key": "BOARD-KEY-1",
    }


FIRST = "7S 7H JK1 KH KD KC 2S 3S 4S 5H 6H"
DEAL = deal_of(FIRST, "9S 9S 9H 9C JK2 2D 3D 4D 5D QS QH", "AS AH AD TS TH TD", stock="8S 8H 8D 8C")
TABLE = Table("loba", DEAL)
TWO_SETS = "lay:set(7S,7H,JK)+set(KH,KD,KC)"


def test_the_pack_and_its_points() -> None:
    assert len(PACK.order) == 108
    assert PACK.order[:3] == ("AS", "2S", "3S")
    assert PACK.order[52:54] == ("JK1", "JK2")
    assert sum(penalty(card, 1) for card in PACK.order) == 828
    assert sum(penalty(card, 14) for card in PACK.order) == 932
    assert sum(penalty(card, 1) for card in ["AS", "9D", "QH", "JK"]) == 47  # worked example 5


def test_one_card_at_a_time() -> None:
    deal = Deal.of(PACK.order, 2, 4, 1, "k")
    assert deal.hands[2][:3] == (PACK.order[0], PACK.order[4], PACK.order[8])
    assert (deal.turned, len(deal.stock)) == (PACK.order[44], 63)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"mene": 7}, "1 to 6"),
        ({"mene": True}, "1 to 6"),
        ({"reshuffle_key": ""}, "printable"),
        ({"hands": DEAL["hands"][:2]}, "three to five players"),
        ({"turned": "JK1", "stock": ["9D", *DEAL["stock"][1:]]}, "more than 2 times"),
        ({"turned": "ZZ"}, "not in the pack"),
        ({"stock": []}, "11, 11, 11, 1, 74"),
        ({"hands": "no"}, "lists"),
    ],
)
def test_a_deal_that_is_not_the_pack(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDeal, match=said):
        GAME.read_deal(DEAL | change)


def test_the_reshuffle() -> None:
    pile = ["JK1", "5H", "5H", "KD", "2S", "JK2", "9C"]
    assert " ".join(new_stock("BOARD-KEY-1", 1, pile)) == "9C 5H JK2 KD 2S 5H JK1"


def test_two_ways_to_the_same_discards_draw_the_same_cards() -> None:
    """Two tables with an empty stock, the discards thrown away in another order but for the last."""
    states = [TABLE.after(), TABLE.after()]
    below = ["2H", "3H", "4H", "5C", "6C"]
    for state, order in zip(states, (below, below[::-1]), strict=True):
        state.left, state.pile = 0, [*order, "9D"]
        state.apply("draw")
    first, second = states
    assert first.view(1).hand == second.view(1).hand
    assert first.stock == second.stock
    assert (first.pile, first.reshuffles, first.left) == (["9D"], 1, 4)


# ── Combinations ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("kind", "cards", "start"),
    [
        ("set", "7S 7H JK1", 0),
        ("set", "7S 7S 7H", 0),
        ("six", "9S 9S 9H 9D 9C JK1", 0),
        ("run", "AH 2H 3H 4H", 1),  # worked example 2
        ("run", "JS QS KS AS", 11),
        ("run", "4S 5S JK1 7S", 4),
        ("run", "JK1 2D 3D 4D", 1),
        ("run", "JS QS KS JK2", 11),
    ],
)
def test_what_is_a_combination(kind: str, cards: str, start: int) -> None:
    assert meld(kind, cards.split(), multicolour=False) == Meld(kind, tuple(cards.split()), start)


@pytest.mark.parametrize(
    ("kind", "cards"),
    [
        ("set", "7S 7H 8S"),
        ("set", "7S JK1 JK2"),
        ("set", "7S 7H 7D 7C"),
        ("six", "9S 9S 9H 9D JK1 JK2"),  # worked example 1
        ("six", "9S 9S 9H"),
        ("run", "QS KS AS 2S"),
        ("run", "4S 5S 6S"),
        ("run", "4S 5H 6S 7S"),
        ("run", "4S 6S 5S 7S"),
        ("run", "JK1 AS 2S 3S"),
        ("run", "QS KS AS JK1"),
        ("run", "4S JK1 JK2 7S"),
        ("run", "4S 5S JK1 8S"),
    ],
)
def test_what_is_none(kind: str, cards: str) -> None:
    assert meld(kind, cards.split(), multicolour=False) is None


def test_runs_may_mix_suits_by_option() -> None:
    assert meld("run", ["4S", "5H", "6D", "7C"], multicolour=True) is not None
    mixed = meld("run", ["4S", "5H", "6D", "JK1"], multicolour=True)
    assert mixed is not None
    moved = extension(mixed, "high", "7C", multicolour=True)
    assert moved is not None
    assert moved.cards == ("4S", "5H", "6D", "7C", "JK1")


@pytest.mark.parametrize(
    ("cards", "side", "card", "becomes"),
    [
        ("4H 5H 6H JK1", "high", "7H", "4H 5H 6H 7H JK1"),  # worked example 3
        ("4H 5H 6H JK1", "high", "8H", "4H 5H 6H JK1 8H"),
        ("4H 5H 6H JK1", "high", "9H", None),
        ("4H 5H 6H JK1", "high", "JK2", None),
        ("4H 5H 6H JK1", "low", "3H", "3H 4H 5H 6H JK1"),
        ("JK1 2D 3D 4D", "low", "AD", None),  # 4
        ("JK1 3D 4D 5D", "low", "2D", "JK1 2D 3D 4D 5D"),
        ("JK1 3D 4D 5D", "low", "AD", "AD JK1 3D 4D 5D"),
        ("JS QS KS JK1", "high", "AS", None),
        ("TS JS QS KS", "high", "AS", "TS JS QS KS AS"),
        ("JS QS KS AS", "high", "2S", None),
        ("AS 2S 3S 4S", "low", "KS", None),
        ("2S 3S 4S 5S", "low", "JK1", "JK1 2S 3S 4S 5S"),
        ("AS 2S 3S 4S", "low", "JK1", None),
        ("4H JK1 6H 7H", "high", "8D", None),
        ("4H JK1 6H 7H", "high", "8H", "4H JK1 6H 7H 8H"),
    ],
)
def test_what_can_be_added_to_a_run(cards: str, side: str, card: str, becomes: str | None) -> None:
    run = meld("run", cards.split(), multicolour=False)
    assert run is not None
    found = extension(run, side, card, multicolour=False)
    assert (found and " ".join(found.cards)) == becomes


def test_a_run_can_have_all_fourteen_places() -> None:
    run = meld("run", ["AS", "2S", "3S", "4S"], multicolour=False)
    for card in ("5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS"):
        assert run is not None
        run = extension(run, "high", card, multicolour=False)
    assert run is not None
    assert len(run.cards) == 14
    assert extension(run, "high", "JK1", multicolour=False) is None


@pytest.mark.parametrize(("card", "fits"), [("7D", True), ("8D", False), ("JK1", True)])
def test_what_can_be_added_to_a_set(card: str, fits: bool) -> None:
    bare = Meld("set", ("7S", "7H", "7S"))
    assert (extension(bare, "", card, multicolour=False) is not None) == fits
    with_joker = Meld("set", ("7S", "7H", "JK2"))
    assert (extension(with_joker, "", card, multicolour=False) is not None) == (fits and card != "JK1")


# ── What a hand can lay, against trying everything ────────────────────────────────────────────────


def by_trying(hand: list[str], sets: int, runs: int, multicolour: bool) -> set[Any]:
    """All lay-downs as collections of (kind, cards), every subset of the hand in every order for runs."""

    def plain(cards: Any) -> tuple[str, ...]:
        return tuple("JK" if card.startswith("JK") else card for card in cards)

    found: dict[tuple[int, ...], set[Any]] = {}
    for size, kind in ((3, "set"), (6, "six"), (4, "run")):
        for places in combinations(range(len(hand)), size):
            cards = [hand[place] for place in places]
            orders = permutations(cards) if kind == "run" else [cards]
            for order in orders:
                if meld(kind, list(order), multicolour=multicolour):
                    shown = plain(order)
                    ordered = shown if kind == "run" else tuple(sorted(shown))
                    found.setdefault(places, set()).add((kind, ordered))
    collections: set[Any] = set()

    def further(used: frozenset[int], chosen: tuple[Any, ...], sets: int, runs: int) -> None:
        if sets == runs == 0:
            collections.add(tuple(sorted(chosen)))
            return
        for places, melds in found.items():
            if used.isdisjoint(places):
                for kind, cards in melds:
                    counts = {"set": 1, "six": 2, "run": 0}[kind]
                    if counts <= sets and (kind != "run" or runs):
                        fewer = (sets - counts, runs - (kind == "run"))
                        further(used | set(places), (*chosen, (kind, cards)), *fewer)

    further(frozenset(), (), sets, runs)
    return collections


@pytest.mark.parametrize("mene", CONTRACTS)
def test_every_lay_down_is_listed_once(mene: int) -> None:
    random = Random(mene)
    sets, runs = CONTRACTS[mene]
    some = 0
    for _ in range(12):
        dense = [card for card in PACK.order if (card[0] in "2345" and card[1] in "SH") or card[:2] == "JK"]
        hand = random.sample(dense, 9 if sets + runs == 2 else 12)
        multicolour = random.random() < 0.2 and runs < 2
        kinds = ["set", "six", "run"]
        held = copies(hand)
        listed = list(lay_downs(held, sets, runs, shapes(held, kinds, multicolour=multicolour)))
        told = [
            tuple(sorted((s.kind, s.cards if s.kind == "run" else tuple(sorted(s.cards))) for s in one))
            for one in listed
        ]
        assert len(set(told)) == len(told)
        assert set(told) == by_trying(hand, sets, runs, multicolour)
        some += bool(told)
    assert some > 1


def test_the_list_agrees_with_the_check() -> None:
    """Every single card discarded, added, and every set and run laid: legal where it is listed."""
    for number in range(1, 7):
        random = Random(number)
        options = with_defaults(
            GAME.options, {"may_return": "off", "final_discard": random.choice(["free", "required"])}
        )
        state = GAME.start(registry.deal_board(GAME, bytes(32), number, options, {}), options)
        for _ in range(60):
            if state.over:
                break
            seat = state.actors()[0]
            listed = set(state.legal(seat))
            if state.phase == "table":
                hand = set(state.hands[seat - 1])
                tried = {f"discard:{card}" for card in PACK.faces}
                tried |= {f"add:{n}:{card}" for n in range(1, 5) for card in hand}
                tried |= {
                    f"add:{n}:{side}:{card}" for n in range(1, 9) for side in ("high", "low") for card in hand
                }
                unlisted = {t for t in tried - listed if state.is_legal(t)}
                assert all("JK2" in token for token in unlisted)  # a joker is added as JK1 if there is one
                assert all(state.is_legal(token) for token in listed)
            state.apply(state.any_legal(seat, random))


# ── The turn ──────────────────────────────────────────────────────────────────────────────────────


def test_a_turn_is_draw_lay_discard() -> None:
    state = TABLE.after()
    assert (state.phase, state.actors(), legal(state)) == ("draw", (1,), ["draw", "take"])
    state.apply("draw")
    assert "8S" in state.view(1).hand
    assert legal(state)[0] == "lay:set(7S,7H,JK1)+set(KH,KD,KC)"
    state.apply(TWO_SETS)
    assert state.entries[-1] == "lay:set(7S,7H,JK1)+set(KH,KD,KC)"
    assert (state.view(2).kinds[0], state.view(2).table[:3]) == ("set", ("7S", "7H", "JK1"))
    assert all(action.startswith("discard") for action in legal(state))
    state.apply("discard:8S")
    assert (state.phase, state.actors(), state.view(3).pile("discards").shown) == ("draw", (2,), ("8S",))
    assert state.view(2).held == (5, 11, 11)


def test_taking_the_last_discard() -> None:
    state = TABLE.after("take")
    assert state.view(2).taken == "9D"
    assert "9D" in state.view(1).hand
    assert "discard:9D" in legal(state)
    kept = TABLE.after("take", may_return="off")
    assert "discard:9D" not in legal(kept)
    assert "discard one like" in TABLE.refused("take", "discard:9D", may_return="off")
    assert "discard:9D" in TABLE.legal("take", TWO_SETS, may_return="off")
    kept.hands[0] = ("9D", "9D")
    assert legal(kept) == ["discard:9D"]


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("lay:set(7S,7H,JK)", "exactly the combinations"),
        ("lay:set(7S,7H,JK)+set(KH,KD,KC)+run(2S,3S,4S,JK)", "not in the hand"),
        ("lay:set(KH,KD,KC)+run(2S,3S,4S,JK)", "exactly the combinations"),
        ("lay:set(7S,7H,JK2)+set(KH,KD,KC)", "not in the hand"),
        ("lay:set(7S,7H,KH)+set(KD,KC,JK)", "three cards of a rank"),
        ("lay:set(7S,7H,JK)+set(KH,KD,KC", "no such action"),
        ("lay:set(7S,7H,JK)set(KH,KD,KC)", "no such action"),
        ("lay:set(7S,7H,ZZ)+set(KH,KD,KC)", "no such action"),
        ("lay:", "no such action"),
        ("add:1:7S", "your first lay-down"),
        ("add:x:7S", "no such action"),
        ("add:01:7S", "no such action"),
        ("discard:AS", "not in the hand"),
        ("discard:ZZ", "no such action"),
        ("draw", "no such action"),
        ("play:7S", "no such action"),
    ],
)
def test_what_is_refused_before_the_lay_down(token: str, said: str) -> None:
    assert said in TABLE.refused("draw", token)


def test_a_six_stands_for_two_sets() -> None:
    """Worked example 1."""
    table = Table("loba", deal_of("9S 9S 9H 9D 9C JK1 JK2 2S 3S 4S 5H", "", ""))
    assert "three cards of a rank" in table.refused("draw", "lay:six(9S,9S,9H,9D,JK1,JK2)")
    assert table.after("draw", "lay:six(9S,9S,9H,9D,9C,JK)").view(1).kinds[0] == "six"
    two = table.after("draw", "lay:set(9S,9H,JK1)+set(9S,9D,JK2)")
    assert len(two.melds) == 2
    assert table.after("draw", "lay:set(9S,9H,JK)+set(9S,9D,JK)").entries[-1] == two.entries[-1]
    assert "lay:six(9S,9S,9H,9D,9C,JK1)" in table.legal("draw")
    assert "exactly the combinations" in Table("loba", deal_of("9S 9S 9H 9D 9C JK1", "", "", mene=2)).refused(
        "draw", "lay:six(9S,9S,9H,9D,9C,JK)"
    )


def later() -> Any:
    """Seat 1 has laid two sets and drawn again."""
    return TABLE.after("draw", TWO_SETS, "discard:8S", "draw", "discard:8H", "draw", "discard:8D", "draw")


def test_later_turns_lay_and_add() -> None:
    state = later()
    state.hands[0] = ("2S", "3S", "4S", "5S", "7D", "KS", "JK2", "6H")
    listed = legal(state)
    assert "lay:run(2S,3S,4S,5S)" in listed
    assert "lay:run(2S,3S,4S,JK2)" in listed
    assert "add:1:7D" in listed
    assert "add:2:JK2" in listed
    assert "add:1:JK2" not in listed  # it has a joker
    state.apply("add:1:7D")
    state.apply("add:2:KS,JK")
    assert state.entries[-1] == "add:2:KS,JK2"
    state.apply("lay:run(2S,3S,4S,5S)")
    assert state.melds[1].cards == ("KH", "KD", "KC", "KS", "JK2")
    assert (state.over, state.hands[0]) == (False, ("6H",))
    assert legal(state) == ["discard:6H"]


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("add:3:7D", "no combination of this number"),
        ("add:1:6H", "does not fit"),
        ("add:1:7D,6H", "does not fit"),
        ("add:1:high:7D", "no such action"),
        ("add:1:up:7D", "no such action"),
        ("lay:six(7D,7D,7D,7D,7D,7D)", "not in the hand"),
        ("lay:set(7D,6H,JK2)", "three cards of a rank"),
        ("add:1:7S", "not in the hand"),
    ],
)
def test_what_is_refused_later(token: str, said: str) -> None:
    state = later()
    state.hands[0] = ("7D", "KS", "JK2", "6H")
    assert said in str(state.refusal(token).rule)


def test_no_six_after_the_first_lay_down() -> None:
    state = later()
    state.hands[0] = ("5S", "5S", "5H", "5H", "5D", "5C", "6H")
    assert "the first lay-down" in str(state.refusal("lay:six(5S,5S,5H,5H,5D,5C)").rule)


def test_nothing_more_in_the_turn_of_the_lay_down() -> None:
    said = ("draw", TWO_SETS)
    assert "nothing more" in TABLE.refused(*said, "lay:set(2S,3S,4S)")
    state = TABLE.after(*said)
    state.hands[0] = ("7D", "2S")
    assert "nothing more" in str(state.refusal("add:1:7D").rule)


def test_laying_the_last_card_ends_the_mene() -> None:
    """Worked example 7."""
    state = later()
    state.hands[0] = ("7D", "7C")
    state.apply("add:1:7D,7C")
    assert (state.over, state.finisher) == (True, 0)
    assert state.outcome().scores[0] == 0
    joker = later()
    joker.hands[0] = ("JK2",)
    joker.apply("discard:JK")
    assert joker.over


def test_where_the_last_card_must_be_discarded() -> None:
    state = later()
    state.options = state.options | {"final_discard": "required"}
    state.hands[0] = ("7D", "7C")
    assert "must be discarded" in str(state.refusal("add:1:7D,7C").rule)
    assert [action for action in legal(state) if action.startswith("add")] == ["add:1:7D", "add:1:7C"]
    state.apply("add:1:7D")
    assert legal(state) == ["discard:7C"]


def test_the_sixth_mene_ends_with_its_contract() -> None:
    """Worked example 6."""
    hand = "7S 7H 7D 2S 3S 4S 5S TH JH QH KH"
    table = Table("loba", deal_of(hand, "", "", mene=6, stock="9C"))
    lay = "lay:set(7S,7H,7D)+run(2S,3S,4S,5S)+run(TH,JH,QH,KH)"
    assert lay in table.legal("draw")
    state = table.after("draw", lay, "discard:9C")
    assert (state.over, state.finisher) == (True, 0)
    assert GAME.summarise(state)["laid"] == [True, False, False]


def test_a_mene_stops_without_a_finisher() -> None:
    state = TABLE.after("draw", "discard:8S", max_turns=1)
    assert (state.over, state.finisher) == (True, None)
    assert GAME.summarise(state)["finisher"] is None
    empty = TABLE.after("draw", max_reshuffles=0)
    empty.left = 0
    empty.apply("discard:8S")
    assert empty.over
    again = TABLE.after("draw", max_reshuffles=1)
    again.left = 0
    again.apply("discard:8S")
    assert (again.over, legal(again)) == (False, ["draw", "take"])
    again.pile = ["8S"]
    assert legal(again) == ["take"]
    assert "nothing to shuffle" in str(again.refusal("draw").rule)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_whole_menes_of_every_size(seats: int) -> None:
    options = registry.options_of(GAME, {})
    for number in range(1, 7):
        deal = registry.deal_board(GAME, bytes(32), number, options, {"seats": seats})
        assert (deal.mene, len(deal.hands)) == (number, seats)
        state = GAME.start(deal, options)
        bots.play_on(GAME, state, [bots.sensible] * seats, Random(number))
        cards = [c for hand in state.hands for c in hand] + state.pile + list(state.stock[: state.left])
        cards += [card for one in state.melds for card in one.cards]
        assert Counter(cards) == Counter(PACK.order)
    assert registry.deal_board(GAME, bytes(32), 3, options, {"mene": 5}).mene == 5


# ── Sheets and matches ────────────────────────────────────────────────────────────────────────────


def sheet(points: list[int], finisher: int | None = 1, mene: int = 1, **more: Any) -> dict[str, Any]:
    return {"mene": mene, "finisher": finisher, "points": points, **more}


@pytest.mark.parametrize(
    ("told", "scores"),
    [
        (sheet([0, 31, 88, 12]), (0, -31, -88, -12)),  # worked example 8
        (sheet([5, 31, 88, 12], finisher=None), (-5, -31, -88, -12)),
        (sheet([0, 113, 14, 191], laid=[True, True, False, False]), (0, -113, -14, -191)),
        (sheet([0, 14, 191, 20], mene=6), (0, -14, -191, -20)),
        (
            {"mene": 1, "finisher": 2, "left": [["AS", "9D", "QH", "JK"], [], ["AS"], ["KS"]]},
            (-47, 0, -1, -13),
        ),
    ],
)
def test_sheets(told: dict[str, Any], scores: tuple[int, ...]) -> None:
    assert GAME.score(told, conditions={"seats": 4}).scores == scores


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"finisher": 1, "points": [0, 1, 1]}, "mene: is missing"),
        ({"mene": 1, "points": [0, 1, 1]}, "finisher: is missing"),
        ({"mene": 1, "finisher": 1}, "and not both"),
        (sheet([0, 1, 1], left=[[], [], []]), "and not both"),
        (sheet([0, 1, 1], mene=7), "1 to 6"),
        (sheet([0, 1]), "list of 3"),
        (sheet([1, 1, 1]), "seat 1 has finished"),
        (sheet([0, 0, 1]), "seat 2: from 1 to 191"),
        (sheet([0, 192, 1]), "seat 2: from 1 to 191"),
        (
            sheet([0, 13, 20], mene=6),
            "seat 2: in the sixth mène nobody else has laid down, so from 14 to 191",
        ),
        (sheet([0, 13, 20], laid=[True, False, True]), "seat 2 has not laid down, and so has from 14 to 191"),
        (
            sheet([0, 76, 20], mene=3, laid=[True, True, True]),
            "seat 2 has laid down, and so has from 1 to 75",
        ),
        (sheet([0, 20, 20], mene=6, laid=[True, True, False]), "has finished"),
        (sheet([0, 20, 20], laid=[False, True, True]), "must have laid"),
        (sheet([0, 191, 191]) | {"points": [0, 500, 500]}, "more than the pack"),
        ({"mene": 1, "finisher": 1, "left": [[], ["AS"]]}, "list of 3"),
        ({"mene": 1, "finisher": 1, "left": [[], ["AS"], ["ZZ"]]}, "not in the pack"),
        ({"mene": 1, "finisher": 1, "left": [[], ["AS"] * 2, ["AS"]]}, "more copies"),
        ({"mene": 1, "finisher": 1, "left": [[], ["JK"] * 3, ["JK1", "JK2"]]}, "more copies"),
        ({"mene": 1, "finisher": 1, "left": [["AS"], ["2S"], ["3S"]]}, "seat 1 cannot have 1"),
        ({"mene": 5, "finisher": 1, "left": [[], ["2S", "3S"], ["3S"]]}, "seat 2 cannot have 2"),
        ({"mene": 1, "finisher": 1, "left": [[], ["2S"], ["3S"]], "laid": [True, False, True]}, "seat 2"),
        (sheet([0, 1, 1], winner=1), "not a field"),
    ],
)
def test_a_sheet_that_cannot_be(told: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSheet, match=said):
        GAME.score(told)


def test_the_mene_may_come_from_the_board() -> None:
    told = {"finisher": 1, "points": [0, 1, 1]}
    assert GAME.score(told, conditions={"mene": 2}).scores == (0, -1, -1)
    assert GAME.score(told, deal=GAME.read_deal(DEAL)).scores == (0, -1, -1)
    with pytest.raises(BadSheet, match="this is mène 1"):
        GAME.score(told | {"mene": 2}, deal=GAME.read_deal(DEAL))


def test_aces_may_cost_fourteen() -> None:
    high = {"ace_points": 14}
    left = {"mene": 1, "finisher": 1, "left": [[], ["AS", "AD"], ["2S"]]}
    assert GAME.score(left, options=high).scores == (0, -28, -2)
    assert GAME.score(sheet([0, 198, 25]), options=high).scores == (0, -198, -25)
    with pytest.raises(BadSheet, match="from 2 to 198"):
        GAME.score(sheet([0, 1, 25]), options=high)


def test_six_menes() -> None:
    menes = [sheet([0, 20, 30], mene=number) for number in range(1, 7)]
    account = GAME.ledger(menes[:2])
    assert (account["over"], account["mene"], account["totals"], account["ranks"]) == (
        False,
        3,
        [0, 40, 60],
        None,
    )
    assert account["rows"][1] == {"mene": 2, "points": [0, 20, 30], "totals": [0, 40, 60]}
    over = GAME.ledger(menes)
    assert (over["over"], over["winner"], over["ranks"], over["mene"]) == (True, 1, [1, 2, 3], None)
    with pytest.raises(BadRecord, match="over after 6 deals"):
        GAME.ledger([*menes, menes[0]])
    with pytest.raises(BadSheet, match=r"deals\[1\].mene: this is mène 2"):
        GAME.ledger([menes[0], menes[0]])
    with pytest.raises(BadSheet, match=r"deals\[0\].mene"):
        GAME.ledger([{"finisher": 1, "points": [0, 1, 1]}])
    five = GAME.ledger([sheet([0, 20, 30, 40, 50])])
    assert five["totals"] == [0, 20, 30, 40, 50]
    assert GAME.ledger([], conditions={"seats": 4})["totals"] == [0] * 4
    with pytest.raises(BadSheet, match=r"deals\[1\].points: must be a list of 5"):
        GAME.ledger([sheet([0, 20, 30, 40, 50]), sheet([0, 1, 1], mene=2)])


def test_a_sensible_robot_beats_random_ones() -> None:
    sensible, random = mean_scores("loba", 60)
    assert sensible > random + 20


# ── For the suites of all games ───────────────────────────────────────────────────────────────────


def any_joker(_state: Any, token: str) -> Any:
    """A joker is listed as the first that the hand holds."""
    return token.replace("JK2", "JK1")


CASES = {"loba": Case(same_words=frozenset({"mène"}), meaning=any_joker)}
