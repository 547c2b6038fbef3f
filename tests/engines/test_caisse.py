"""Caisse: the worked examples of engines/rules/caisse.md, every path of its two talks, then every refusal and
option that it names."""

from collections.abc import Iterator
from typing import Any

import pytest

from engines.errors import BadDeal, BadRecord, BadSheet
from engines.games.caisse import Caisse
from engines.games.caisse.cards import (
    PACK,
    VALUE,
    Deal,
    Suite,
    best_carre,
    best_suite,
    carres_of,
    suites_of,
)
from engines.games.caisse.marks import MOST_CONTRES, Contres, Defi

from .cases import Case
from .table import Table, legal, mean_scores

GAME = Caisse()
DEAL: dict[str, Any] = {  # dealer 3, seat 1 is the forehand; hearts are proposed
    "dealer": 3,
    "hands": [
        ["KH", "QH", "7H", "AS", "KS", "QS"],
        ["9H", "TH", "8S", "9S", "TS", "AD"],
        ["8H", "JS", "7S", "7D", "8D", "9D"],
    ],
    "proposed": "AH",
    "reserves": [["AC", "KC", "QC"], ["TD", "JD", "QD"], ["7C", "8C", "9C"]],
    "indicator": "KD",
    "talon": ["JH", "TC", "JC"],
}
TABLE = Table("caisse", DEAL)
QUIET = ("take", "pass", "pass", "pass")
KEPT = (*QUIET, "keep", "keep", "keep")


def with_cards(**changes: Any) -> Table:
    return Table("caisse", DEAL | changes)


def test_the_pack_and_its_points() -> None:
    assert sum(VALUE["H"].values()) == 152
    assert sum(VALUE[None].values()) == 120


def test_three_three_and_three() -> None:
    deal = Deal.of(PACK.order, dealer=2)
    order = PACK.order
    assert deal.hands[2] == PACK.cards(order[0:3] + order[9:12])
    assert set(deal.reserves[2]) == set(order[19:22])
    assert deal.hands[1] == PACK.cards(order[6:9] + order[15:18])
    assert (deal.proposed, deal.indicator, deal.talon) == (order[18], order[28], order[29:])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"proposed": "KH"}, "twice"),
        ({"talon": []}, "6, 6, 6, 1, 3, 3, 3, 1, 3"),
        ({"reserves": None}, "lists"),
        ({"dealer": 0}, "dealer"),
    ],
)
def test_a_deal_that_is_not_the_pack(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDeal, match=said):
        GAME.read_deal(DEAL | change)


# ── Declarations ──────────────────────────────────────────────────────────────────────────────────


def test_the_first_to_take_ends_the_first_declaration() -> None:
    assert TABLE.legal() == ["pass", "take"]
    state = TABLE.after("pass", "take")
    assert (state.phase, state.actors(), state.game, state.trump) == ("contracts-6", (2,), "atout1", "H")
    assert "no such action" in TABLE.refused("bid:S")


def test_the_second_declaration_goes_round_once() -> None:
    passes = ("pass", "pass", "pass")
    assert TABLE.legal(*passes) == ["pass", "bid:S", "bid:D", "bid:C", "bid:SA"]
    assert TABLE.legal(*passes, "bid:D") == ["pass", "bid:C", "bid:SA"]
    assert "suit other than" in TABLE.refused(*passes, "bid:H")
    assert "stronger than the last" in TABLE.refused(*passes, "bid:D", "bid:S")
    state = TABLE.after(*passes, "bid:S", "bid:D", "pass")
    assert (state.phase, state.actors(), state.game, state.trump) == ("contracts-6", (2,), "atout2", "D")
    without = TABLE.after(*passes, "bid:S", "pass", "bid:SA")
    assert (without.actors(), without.game, without.trump) == ((3,), "sans-atout", None)


def test_the_third_declaration_is_made_with_nine_cards() -> None:
    passes = ("pass",) * 6
    state = TABLE.after(*passes)
    assert (state.phase, len(state.view(1).hand), legal(state)) == (
        "declaration-3",
        9,
        ["pass", "bid:misere"],
    )
    misere = TABLE.after(*passes, "pass", "bid:misere")
    assert (misere.phase, misere.game, misere.view(1).declarer, misere.actors()) == (
        "first-trick", "misere", 2, (1,)
    )  # fmt: skip
    assert legal(misere)[0] == "say:x:game"
    general = TABLE.after(*passes, "pass", "pass", "pass")
    assert (general.game, general.view(1).declarer) == ("misere-generale", None)
    assert all(action.startswith("play") for action in legal(general))


def test_reserves_are_hidden_from_their_owner() -> None:
    state = TABLE.after("take")
    assert len(state.view(1).hand) == 6
    assert len(TABLE.after(*QUIET).view(1).hand) == 9


# ── Contracts and contres ─────────────────────────────────────────────────────────────────────────


def test_contracts_with_six_cards() -> None:
    state = TABLE.after("take")
    assert "say:caisse" in legal(state)
    assert "say:capot" not in legal(state)
    assert "say:x:game" not in legal(state)  # its own
    state.apply("say:caisse+cent")
    assert state.view(2).contracts[0] == (1, "caisse", 6, 0)
    assert {"say:x:game", "say:x:caisse@1", "say:x:cent@1"} <= set(legal(state))
    assert "say:caisse" not in legal(state)  # king and queen are not there
    assert "twice" in TABLE.refused("take", "say:cent+cent")
    assert "cannot be said now" in TABLE.refused("take", "say:clarte+cent")
    assert "cannot be said now" in TABLE.refused("take", "say:capot")
    assert "cannot be said now" in TABLE.refused("take", "say:x:game")
    assert "cannot be said now" in TABLE.refused("take", "say:x:cent@2")
    assert "cannot be said now" in TABLE.refused("take", "say:suite")
    assert "no such action" in TABLE.refused("take", "say:prise")


def test_no_clarte_after_a_cent() -> None:
    said = ("take", "say:cent", "say:x:game", "pass")
    assert "say:clarte" not in TABLE.legal(*said)
    assert "say:cent" in TABLE.legal("take", "say:clarte", "say:x:game", "pass")


def test_a_round_of_contracts_ends_with_two_passes() -> None:
    assert TABLE.after("take", "pass", "pass").phase == "contracts-6"  # the third still has its turn
    assert TABLE.after(*QUIET).phase == "exchange"
    state = TABLE.after("take", "pass", "pass", "say:x:game", "pass")
    assert (state.phase, state.actors()) == ("contracts-6", (2,))
    state.apply("pass")
    assert state.phase == "exchange"


def test_without_trumps_there_are_no_contracts_on_them() -> None:
    listed = TABLE.legal("pass", "pass", "pass", "bid:SA", "pass", "pass")
    assert listed == ["pass", "say:clarte", "say:cent", "say:deux-cents", "say:quarante-quatre"]


@pytest.mark.parametrize("sixes", range(MOST_CONTRES + 1))
def test_contres_go_to_four_levels_by_turns(sixes: int) -> None:
    """Every path: so many levels with six cards, the others with nine; the sides alternate."""
    contres = Contres()
    for level in range(MOST_CONTRES):
        assert contres.may(owner=level % 2 == 1)
        assert not contres.may(owner=level % 2 == 0)
        contres = contres.with_level(with_six=level < sixes)
        assert contres.level == level + 1
    assert not contres.may(owner=True)
    assert not contres.may(owner=False)
    assert contres.factor == 4**sixes * 2 ** (MOST_CONTRES - sixes)


def test_contres_of_game_and_contracts() -> None:
    """Worked example 1: four levels with six cards."""
    state = TABLE.after("take", "say:clarte", "say:x:game+x:clarte@1", "pass", "say:x:game+x:clarte@1",
                        "say:x:game+x:clarte@1", "pass", "say:x:game+x:clarte@1")  # fmt: skip
    assert (state.contres.factor, state.contracts[0].value(0)) == (256, 512)
    assert "x:game" not in " ".join(legal(state))


# ── The exchange ──────────────────────────────────────────────────────────────────────────────────


def test_the_seven_is_exchanged() -> None:
    state = TABLE.after(*QUIET)
    assert (state.phase, legal(state)) == ("exchange", ["keep", "exchange"])
    assert TABLE.legal(*QUIET, "keep") == ["keep"]
    assert "only the holder" in TABLE.refused(*QUIET, "keep", "exchange")
    state.apply("exchange")  # the indicator is neither trump nor ace
    assert (state.phase, "AH" in state.view(1).hand, "7H" in state.view(1).hand) == (
        "first-trick",
        True,
        False,
    )
    assert state.view(2).exchanged == 1


def test_the_eight_where_the_seven_was_proposed() -> None:
    hands = [["AH", *DEAL["hands"][0][:2], *DEAL["hands"][0][3:]], *DEAL["hands"][1:]]
    table = with_cards(proposed="7H", hands=hands)
    assert table.legal(*QUIET, "keep", "keep") == ["keep", "exchange"]


def test_the_indicator_brings_trumps_and_aces_of_the_talon() -> None:
    """Worked example 10."""
    table = with_cards(
        indicator="AC",
        talon=["JH", "TC", "JC"],
        reserves=[["KD", "KC", "QC"], *DEAL["reserves"][1:]],
    )
    state = table.after(*QUIET, "exchange")
    assert legal(state) == ["take-indicator", "leave-indicator"]
    assert table.after(*QUIET, "exchange", "leave-indicator").phase == "first-trick"
    state.apply("take-indicator")
    assert {"AC", "JH", "AH"} <= set(state.view(1).hand)
    assert state.view(2).pile("opened").shown == ("JH", "TC", "JC")
    assert all("H" not in action.partition(":")[2] for action in legal(state))
    said = (*QUIET, "exchange", "take-indicator")
    assert "lay aside 2 cards" in table.refused(*said, "discard:KS")
    assert "lay aside 2 cards" in table.refused(*said, "discard:KS,QH")
    assert "twice" in table.refused(*said, "discard:KS,KS")
    assert "not in the hand" in table.refused(*said, "discard:KS,9S")
    assert "no such action" in table.refused(*said, "discard:KS,ZZ")
    assert "no such action" in table.refused(*said, "keep")
    state.apply("discard:QS,KS")
    assert (state.entries[-1], len(state.view(1).hand)) == ("discard:QS,KS", 9)
    assert state.view(1).pile("discards").shown == ("QS", "KS")
    assert state.view(2).pile("discards").shown == ()


def test_a_seven_promised_is_kept() -> None:
    said = ("take", "say:ultime", "pass", "pass")
    assert TABLE.legal(*said) == ["keep"]
    state = TABLE.after(*said, "keep", "keep", "keep")
    assert "play:7H" not in legal(state)
    assert "kept as long" in str(state.refusal("play:7H").rule)
    state.hands[0] = PACK.cards("7H")
    assert state.free(state.hands[0]) == PACK.cards("7H")
    now = TABLE.after(*KEPT)
    assert "play:7H" in legal(now)
    now.apply("say:ultime")
    assert "play:7H" not in legal(now)


# ── The first trick and validation ────────────────────────────────────────────────────────────────


def test_who_leads() -> None:
    assert TABLE.after(*KEPT).actors() == (1,)
    without = TABLE.after("pass", "pass", "pass", "bid:SA", "pass", "pass", "pass", "pass", "pass")
    assert (without.phase, without.actors()) == ("first-trick", (3,))  # the taker plays second


def test_one_speaks_once_before_the_first_card() -> None:
    state = TABLE.after(*KEPT)
    assert {"say:suite", "say:caisse", "say:capot"} <= set(legal(state))
    assert "say:carre" not in legal(state)
    state.apply("say:suite+caisse")
    assert state.view(2).announced[0] == (3, False)
    assert all(action.startswith("play") for action in legal(state))
    assert "speaks once" in str(state.refusal("say:cent").rule)
    state.apply("play:AS")
    assert "say:x:game" in legal(state)


def test_following_and_ruffing() -> None:
    state = TABLE.after(*KEPT, "play:AS")
    assert {action for action in legal(state) if action.startswith("play")} == {
        "play:TS",
        "play:9S",
        "play:8S",
    }
    assert "follow the suit" in str(state.refusal("play:AD").rule)
    assert "not in the hand" in str(state.refusal("play:AC").rule)
    assert "no such action" in str(state.refusal("play:1C").rule)
    ruff = TABLE.after(*KEPT, "play:AC")
    assert {action for action in legal(ruff) if action.startswith("play")} == {"play:TH", "play:9H"}
    assert "play a trump" in str(ruff.refusal("play:AD").rule)


@pytest.mark.parametrize(
    ("hand", "suites"),
    [
        ("7S 8S 9S", [Suite(3, 2, "S")]),
        ("7S 8S TS JS QS KS", [Suite(4, 6, "S")]),
        ("7S 8S 9S JS QS KS", [Suite(3, 2, "S"), Suite(3, 6, "S")]),
        ("QH KH AH 7D 8D 9D TD JD", [Suite(3, 7, "H"), Suite(5, 4, "D")]),
        ("QS KS", []),
    ],
)
def test_suites_are_as_long_as_they_can_be(hand: str, suites: list[Suite]) -> None:
    assert suites_of(PACK.cards(hand)) == suites


def test_points_of_combinations() -> None:
    assert [Suite(n, 7, "S").points for n in range(3, 9)] == [20, 50, 100, 100, 100, 100]
    assert carres_of(PACK.cards("7S 7H 7D 7C KS KH KD KC")) == ["7", "K"]


@pytest.mark.parametrize(
    ("hands", "trump", "down", "marked"),
    [
        (["7S 8S 9S", "TH JH QH"], None, False, (1, 20)),
        (["7S 8S 9S TS", "TH JH QH"], None, False, (0, 50)),
        (["7S 8S 9S", "7H 8H 9H"], None, False, None),
        (["7S 8S 9S", "7H 8H 9H"], "H", False, (1, 20)),
        (["TS JS QS", "TH JH QH", "7D 8D 9D"], None, False, None),
        (["TS JS QS", "TH JH QH", "7D 8D 9D"], None, True, (2, 20)),
        (["7S 8S 9S JS QS KS", "7H 8H 9H"], None, False, (0, 40)),
        (["7S 8S", "7H"], None, False, None),
    ],
)
def test_the_best_suite(hands: list[str], trump: str | None, down: bool, marked: Any) -> None:
    shown = {seat: PACK.cards(hand) for seat, hand in enumerate(hands)}
    assert best_suite(shown, trump, passes_down=down) == marked


def test_the_best_carre() -> None:
    hands = {0: PACK.cards("AS AH AD AC 7S 7H 7D 7C"), 2: PACK.cards("9S 9H 9D 9C")}
    assert best_carre(hands, "H") == (2, 80)
    assert best_carre(hands, None) == (0, 160)
    assert best_carre({}, None) is None


def test_validation_asks_who_announced() -> None:
    cards = ("play:AS", "say:suite", "play:8S", "play:7S")
    state = TABLE.after(*KEPT, "say:suite", *cards)
    assert (state.phase, state.actors(), legal(state)) == ("validation", (1,), ["maintain", "renounce:suite"])
    assert "only give up" in str(state.refusal("renounce:carre").rule)
    assert "no such action" in str(state.refusal("keep").rule)
    state.apply("maintain")
    given_up = state.copy()
    given_up.apply("renounce:suite")
    assert given_up.view(3).suite == (1, 40)  # queen to ace of spades, of clubs
    state.apply("maintain")
    assert state.view(3).suite == (1, 40)  # higher than ten, jack, queen of diamonds
    assert state.phase == "defi"


# ── The défi ──────────────────────────────────────────────────────────────────────────────────────


def paths(talk: Defi, said: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Defi]]:
    if talk.is_over:
        yield said, talk
        return
    for token in talk.choices():
        yield from paths(talk.after(token), (*said, token))


def test_every_path_of_the_defi() -> None:
    """What each path comes to, found by counting what was said."""
    found = list(paths(Defi(0, (1, 2))))
    assert len(found) == len({said for said, _ in found})
    for said, talk in found:
        raises = said.count("contre")
        assert raises <= 4
        assert talk.exponent == ("defi" in said) + raises
        if "defi" not in said:
            assert (said, talk.by, talk.power) == (("no", "no"), "none", 0)
            continue
        taker_ends = raises % 2 == 0
        last = said[-1:] if taker_ends else said[-2:]
        conceded = set(last) == {"concede"}
        assert talk.power == talk.exponent - conceded
        assert talk.by == (("taker" if taker_ends else "opponents") if conceded else "none")
        assert talk.speaker is None
    assert max(talk.power for _, talk in found) == 5
    assert {talk.power for _, talk in found if talk.by == "taker"} == {0, 2, 4}
    assert {talk.power for _, talk in found if talk.by == "opponents"} == {1, 3}


def test_who_speaks_in_the_defi() -> None:
    talk = Defi(1, (2, 0))
    speakers = [talk.speaker]
    for token in ("no", "defi", "contre", "accept", "contre", "contre", "concede", "contre"):
        talk = talk.after(token)
        speakers.append(talk.speaker)
    assert speakers == [2, 0, 1, 2, 0, 1, 2, 0, 1]
    assert "contre" not in talk.choices()


FIRST_TRICK = ("play:AS", "play:8S", "play:7S")


def test_the_defi_in_a_deal() -> None:
    """Worked example 9."""
    said = (*KEPT, "say:caisse", *FIRST_TRICK)
    state = TABLE.after(*said)
    assert (state.phase, state.actors(), legal(state)) == ("defi", (2,), ["defi", "no"])
    conceded = TABLE.after(*said, "defi", "contre", "concede", "concede")
    assert conceded.over
    assert conceded.outcome().scores == (4, 0, 0)
    assert GAME.summarise(conceded)["conceded_by"] == "opponents"
    accepted = TABLE.after(*said, "no", "defi", "accept")
    assert (accepted.phase, accepted.actors()) == ("play", (1,))
    assert "no such action" in TABLE.refused(*said, "accept")


def test_no_defi_beside_another_contract() -> None:
    assert TABLE.after(*KEPT, "say:caisse+cent", *FIRST_TRICK).phase == "play"
    assert TABLE.after(*KEPT, *FIRST_TRICK).phase == "defi"


def test_a_misere_ends_with_a_trick() -> None:
    state = TABLE.after(*["pass"] * 6, "bid:misere", "play:AS", "play:8S", "play:7S")
    assert (state.over, state.outcome().scores) == (True, (0, 5, 5))
    assert GAME.summarise(state)["misere_made"] is False


def test_a_round_of_contres_after_the_first_trick() -> None:
    state = TABLE.after(*KEPT, *FIRST_TRICK, final_contre_round=True)
    assert (state.phase, state.actors(), legal(state)) == ("final-contres", (1,), ["pass"])
    state.apply("pass")
    assert legal(state) == ["pass", "say:x:game"]
    state.apply("say:x:game")
    state.apply("pass")
    state.apply("pass")
    assert (state.phase, state.contres) == ("defi", Contres(0, 1))


def test_a_whole_deal_with_every_kind_of_contract() -> None:
    say = "say:caisse+clarte+deux-cents+quarante-quatre+tous-les-trois+famille+tous-les-atouts"
    state = TABLE.after("take", say, "say:x:game", "pass", "pass", "keep", "keep", "keep", "say:capot")
    while not state.over:
        plays = [action for action in legal(state) if action.startswith("play") or action == "maintain"]
        state.apply(plays[0])
    sheet = GAME.summarise(state)
    assert len(sheet["contracts"]) == 8
    assert sum(sheet["trick_points"]) == 162 - sum(
        VALUE["H"][PACK.card(token)] for token in ("AH", "KD", "JH", "TC", "JC")
    )
    assert sheet["belote"] == 1
    assert GAME.score(sheet, deal=GAME.read_deal(DEAL)) == state.outcome()


# ── The marks ─────────────────────────────────────────────────────────────────────────────────────

NONE = {"six": 0, "nine": 0}
ONE: dict[str, Any] = {
    "game": "atout2",
    "trump": "S",
    "taker": 1,
    "game_contres": NONE,
    "contracts": [],
    "defi": 0,
    "conceded_by": "none",
    "trick_points": [70, 61, 31],
}
SANS = {name: value for name, value in ONE.items() if name != "trump"} | {"game": "sans-atout"}
MISERE = {"game": "misere", "taker": 3, "game_contres": NONE, "defi": 0, "conceded_by": "none"}
CONCEDED = {name: value for name, value in ONE.items() if name != "trick_points"}


def contract(
    seat: int, name: str, at: int = 9, made: Any = None, six: int = 0, nine: int = 0
) -> dict[str, Any]:
    told = {"seat": seat, "id": name, "at": at, "six": six, "nine": nine}
    return told if made is None else told | {"made": made}


CAISSE = [contract(1, "caisse")]
FOURS = {"carre": {"seat": 1, "points": 160}}


@pytest.mark.parametrize(
    ("sheet", "options", "scores"),
    [
        (ONE | {"taker": 2, "trick_points": [61, 70, 31]}, {}, (0, 1, 0)),  # worked example 3
        (ONE | {"trick_points": [70, 70, 22]}, {}, (0, 1, 1)),
        (ONE | {"trick_points": [70, 70, 22]}, {"tie_taker": "wins"}, (1, 0, 0)),
        (SANS | {"trick_points": [20, 60, 50], "game_contres": {"six": 0, "nine": 1}}, {}, (0, 4, 4)),
        (ONE | {"belote": 1, "contracts": [contract(1, "caisse", 6, nine=1)]}, {}, (5, 0, 0)),
        (ONE | {"trick_points": [50, 81, 31], "contracts": [contract(3, "clarte")]}, {}, (1, 1, 1)),
        (MISERE | {"game_contres": {"six": 0, "nine": 1}, "defi": 1, "misere_made": False}, {}, (20, 20, 0)),
        (MISERE | {"misere_made": True}, {}, (0, 0, 5)),
        ({"game": "misere-generale", "tricks": [4, 1, 4]}, {}, (0, 5, 0)),
        ({"game": "misere-generale", "tricks": [5, 4, 0]}, {}, (0, 3, 3)),
        ({"game": "misere-generale", "tricks": [3, 3, 3]}, {}, (0, 0, 0)),
        (ONE | {"game_contres": {"six": 4, "nine": 0}}, {}, (256, 0, 0)),
        (ONE | {"defi": 5}, {}, (32, 0, 0)),
        (CONCEDED | {"conceded_by": "taker"}, {}, (0, 1, 1)),
        (
            CONCEDED | {"conceded_by": "opponents", "defi": 3, "contracts": [contract(1, "caisse")]},
            {},
            (16, 0, 0),
        ),
        (CONCEDED | {"conceded_by": "taker", "defi": 2, "contracts": [contract(2, "caisse")]}, {}, (0, 8, 8)),
        (ONE | {"contracts": [contract(1, "clarte", made=False)]}, {}, (1, 1, 1)),
        (ONE | {"trick_points": [100, 31, 31], "contracts": [contract(1, "cent", 6)]}, {}, (5, 0, 0)),
        (ONE | {"contracts": [contract(2, "capot", made=False)]}, {}, (6, 0, 0)),
        (ONE | {"trick_points": [0, 160, 0], "contracts": [contract(2, "capot", made=True)]}, {}, (0, 6, 6)),
        (ONE | {"contracts": [contract(3, "ultime", made=True, nine=2)]}, {}, (1, 8, 8)),
        (ONE | {"suite": {"seat": 2, "points": 20}}, {}, (0, 1, 1)),
        (
            ONE | {"carre": {"seat": 1, "points": 160}, "contracts": [contract(1, "deux-cents")]},
            {},
            (2, 0, 0),
        ),
    ],
)
def test_the_marks(sheet: dict[str, Any], options: dict[str, Any], scores: tuple[int, ...]) -> None:
    assert GAME.score(sheet, options=options).scores == scores


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"game": "belote"}, "game", "one of"),
        ({"trump": None}, "trump", "missing"),
        ({"taker": None}, "taker", "missing"),
        ({"tricks": [3, 3, 3]}, "tricks", "does not belong"),
        ({"exchanged": True}, "exchanged", "does not belong"),
        ({"game_contres": {"six": 1}}, "game_contres", "nine: is missing"),
        ({"game_contres": {"six": 3, "nine": 2}}, "game_contres", "four levels"),
        ({"game_contres": {"six": -1, "nine": 2}}, "game_contres", "six: must be"),
        ({"contracts": [{}]}, "contracts", "seat: is missing"),
        ({"contracts": [contract(4, "cent")]}, "contracts", "seat"),
        ({"contracts": [contract(1, "schneider")]}, "contracts", "one of"),
        ({"contracts": [contract(1, "cent", 7)]}, "contracts", "one of: 6, 9"),
        ({"contracts": [contract(1, "cent", made="yes")]}, "contracts", "true or false"),
        ({"contracts": [contract(1, "cent", six=1)]}, "contracts", "contred at 6"),
        ({"contracts": [contract(1, "capot", 6, True)]}, "contracts", "declared at 6"),
        ({"contracts": [contract(1, "cent")] * 2}, "contracts", "twice"),
        ({"contracts": [contract(1, "cent", 6), contract(1, "clarte", 9)]}, "contracts", "a Clarté cannot"),
        ({"contracts": [contract(1, "caisse"), contract(2, "caisse")]}, "contracts", "only one seat"),
        ({"contracts": [contract(1, "cent", made=True)]}, "contracts", "does not agree"),
        ({"contracts": [contract(1, "ultime")]}, "contracts", "made is missing"),
        ({"contracts": [contract(s, "ultime", made=True) for s in (1, 2)]}, "contracts", "only one seat can"),
        ({"contracts": [contract(1, "capot", made=True)]}, "trick_points", "have none"),
        ({"contracts": [contract(2, "caisse")], "belote": 1}, "belote", "whose Caisse"),
        ({"defi": 1, "contracts": [contract(1, "ultime", made=True)]}, "defi", "where a contract"),
        ({"defi": 6}, "defi", "0 to 5"),
        ({"conceded_by": "taker"}, "trick_points", "does not belong"),
        ({"conceded_by": "taker", "trick_points": None, "defi": 1}, "defi", "concedes at"),
        ({"conceded_by": "taker", "trick_points": None, "contracts": [contract(1, "caisse", made=True)]},
         "contracts", "left out"),
        ({"trick_points": [100, 50, 13]}, "trick_points", "add up to 163"),
        ({"suite": {"seat": 1}}, "suite", "points: is missing"),
        ({"suite": {"seat": 1, "points": 30}}, "suite", "one of"),
        ({"carre": {"seat": 4, "points": 80}}, "carre", "a seat"),
        ({"winner": 1}, "winner", "not a field"),
    ],
)  # fmt: skip
def test_a_sheet_that_cannot_be(change: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(BadSheet) as refused:
        GAME.score(ONE | change)
    assert refused.value.field == field
    assert said in str(refused.value.constraint)


def test_other_sheets_that_cannot_be() -> None:
    for sheet, said in (
        ({"game": "misere-generale", "tricks": [3, 3, 2]}, "add up to 8"),
        ({"game": "misere-generale"}, "tricks: is missing"),
        (MISERE, "misere_made: is missing"),
        (MISERE | {"misere_made": True, "game_contres": {"six": 1, "nine": 0}}, "with nine cards"),
        (SANS | {"trick_points": [70, 61, 0], "belote": 1}, "belote: must be left out"),
        (
            SANS | {"trick_points": [70, 60, 0], "contracts": [contract(1, "famille", made=True)]},
            "needs trumps",
        ),
        (SANS | {"trick_points": [70, 61, 0]}, "the pack has 130"),
    ):
        with pytest.raises(BadSheet, match=said):
            GAME.score(sheet)


def test_what_a_known_deal_rules_out() -> None:
    deal = GAME.read_deal(DEAL)
    told = {name: value for name, value in ONE.items() if name != "trump"} | {
        "game": "atout1",
        "exchanged": False,
    }
    good = told | {"trick_points": [60, 40, 15], "belote": 1}  # AH KD JH TC JC lie apart: 47
    assert GAME.score(good, deal=deal).scores == (1, 0, 0)
    assert GAME.score(good | {"exchanged": True, "trick_points": [60, 40, 1]}, deal=deal).scores[0] == 1
    for change, said in (
        ({"trick_points": [60, 40, 16]}, "115 on this board"),
        ({"belote": None}, "belote"),
        ({"suite": {"seat": 1, "points": 20}}, "seat 1 was dealt 40"),
        ({"carre": {"seat": 1, "points": 80}}, "seat 1 was dealt 0"),
    ):
        with pytest.raises(BadSheet, match=said):
            GAME.score(good | change, deal=deal)
    with pytest.raises(BadSheet, match="suit other than"):
        GAME.score(ONE | {"trump": "H"}, deal=deal)


def test_a_manche_moves_its_goal() -> None:
    account = GAME.ledger([{"scores": [45, 22, 0]}])
    assert (account["over"], account["winner"], account["goal"], account["next_dealer"]) == (
        True,
        1,
        40,
        None,
    )
    going_on = GAME.ledger([{"scores": [19, 5, 0]}, {"scores": [2, 20, 0]}])
    assert (going_on["over"], going_on["goal"], going_on["scores"]) == (False, 40, [21, 25, 0])
    assert [row["dealer"] for row in going_on["rows"]] == [1, 2]
    assert going_on["next_dealer"] == 3
    with pytest.raises(BadRecord, match="over after 1 deals"):
        GAME.ledger([{"scores": [45, 22, 0]}, {"scores": [0, 0, 0]}])
    for entry in ({"scores": [1, 2]}, {"scores": [-1, 0, 0]}, {}, 3):
        with pytest.raises(BadSheet, match=r"deals\[0\].scores"):
            GAME.ledger([entry])


def test_a_sensible_robot_beats_random_ones() -> None:
    """By marks as they are without contres, which random players say at will."""
    sensible, random = mean_scores("caisse", 900)
    assert sensible > random


# ── For the suites of all games ───────────────────────────────────────────────────────────────────

CASES = {
    "caisse": Case(
        same_words=frozenset(
            {
                "Belote",
                "Cent",
                "Clarté",
                "Deux Cents",
                "Misère",
                "Misère Générale",
                "carré",
                "contre",
                "défi",
                "suite",
                "talon",
                "validation",
            }
        ),
        announced=("announced", "suite", "carre"),
        is_secretive=True,
    )
}
