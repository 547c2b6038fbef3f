"""Démons: the worked examples of engines/rules/demons.md, every path of its bets, then every refusal and
option that it names."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engines import registry
from engines.errors import BadDeal, BadRecord, BadSheet
from engines.games.demons import Demons
from engines.games.demons.cards import PACK, Deal
from engines.games.demons.marks import Bet, Played, card_points
from engines.games.demons.play import PLAY
from engines.games.heritiers import Heritiers

from .cases import Case
from .table import Table, legal, mean_scores

GAME = Demons()
DEAL: dict[str, Any] = {  # seat 1 is the forehand; seat 2 holds 1T and is the Diable
    "dealer": 3,
    "markers": ["S", "D", "C"],
    "hands": [
        ["6S", "6H", "6D", "KS", "QS", "CS", "JH", "KD", "KC"],
        ["1T", "3T", "KH", "QH", "CH", "JD", "CD", "QC", "CC"],
        ["4T", "5T", "6C", "JS", "QD", "JC", "KH", "CH", "KD"],
    ],
    "pool": ["KS", "CS", "CD", "KC", "CC", "2T"],
}
TABLE = Table("demons", DEAL)
KEPT = ("keep", "keep", "keep")


def test_the_pack() -> None:
    assert len(PACK) == 33
    human = card_points([[Played(card, None)] for card in PACK if card[1] != "T"], "T", devil=False)
    assert human == 52
    assert sum(card[1] != "T" for card in PACK) == 28


def test_the_pool_is_dealt_second() -> None:
    deal = Deal.of(PACK, dealer=3)
    assert deal.hands[0] == (*PACK[0:2], *PACK[8:10], *PACK[16:18], *PACK[24:26], PACK[30])
    assert deal.pool == (*PACK[2:4], *PACK[10:12], *PACK[18:20])
    assert deal.hands[2] == (*PACK[6:8], *PACK[14:16], *PACK[22:24], *PACK[28:30], PACK[32])
    assert deal.markers == ("S", "D", "C")


def test_who_is_the_diable() -> None:
    deal = GAME.read_deal(DEAL)
    assert (deal.designating, deal.devil) == ("1T", 1)
    hidden = DEAL | {"hands": [DEAL["hands"][0], ["2T", *DEAL["hands"][1][1:]], DEAL["hands"][2]]}
    hidden |= {"pool": [*DEAL["pool"][:5], "1T"]}
    assert (GAME.read_deal(hidden).designating, GAME.read_deal(hidden).devil) == ("2T", 1)
    assert not any(registry.deal_board(GAME, bytes(32), n, {}, {}).is_void for n in range(1, 300))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"markers": ["S", "D", "H"]}, "markers"),
        ({"markers": "SDC"}, "markers"),
        ({"pool": DEAL["pool"][:5]}, "9, 9, 9, 6"),
        ({"pool": ["KS", "KS", "CD", "KC", "CC", "2T"]}, "more copies"),
        ({"pool": ["AS", "CS", "CD", "KC", "CC", "2T"]}, "not in the pack"),
        ({"dealer": 5}, "dealer"),
    ],
)
def test_a_deal_that_is_not_the_pack(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDeal, match=said):
        GAME.read_deal(DEAL | change)


def test_all_demons_in_the_pool_make_no_deal() -> None:
    left = Counter(PACK) - Counter(["1T", "2T", "3T", "4T", "5T", "KS"])
    cards = list(left.elements())
    deal = {"dealer": 1, "markers": ["S", "D", "C"], "hands": [cards[0:9], cards[9:18], cards[18:27]]}
    with pytest.raises(BadDeal, match="nobody is the Diable"):
        GAME.read_deal(deal | {"pool": ["1T", "2T", "3T", "4T", "5T", "KS"]})


# ── The exchange ──────────────────────────────────────────────────────────────────────────────────


def test_sixes_are_changed_for_cards_of_the_pool() -> None:
    state = TABLE.after()
    assert (state.phase, state.actors(), legal(state)[0]) == ("exchange", (1,), "keep")
    state.apply("swap:6H+6S+6D;JH>KS,6D>2T")
    assert state.entries == ["swap:6S+6H+6D;JH>KS,6D>2T"]
    assert {"2T", "KS"} <= set(state.view(1).hand)
    assert state.view(1).pile("given").shown == ("JH", "6D")
    assert state.view(2).pile("given").shown == ()
    assert state.view(3).pile("pool").shown == ("CS", "CD", "CC", "KC")
    assert legal(state) == ["keep"]  # seat 2 holds no sixes
    listed = TABLE.legal()
    assert len(set(listed)) == len(listed)
    pairs = 3 * 9 * 6  # a pair of sixes, one card for one
    three = 9 * 6 + 36 * 15
    assert len(listed) == 1 + pairs + three


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("swap:6S;JH>KS", "show two to four"),
        ("swap:6S+6H;JH>KS,KD>CS", "show two to four"),
        ("swap:6S+KS;JH>CS", "show two to four"),
        ("swap:6S+6C;JH>KS", "not in the hand"),
        ("swap:6S+6H;QC>KS", "not in the hand"),
        ("swap:6S+6H;JH>QC", "not in the pool"),
        ("swap:6S+6H+6D;JH>2T,KD>2T", "not in the pool"),
        ("swap:6S+6H", "no such action"),
        ("swap:6S+6H;JH", "no such action"),
        ("swap:6S+6H;JH>ZZ", "no such action"),
        ("play:KS", "no such action"),
    ],
)
def test_what_cannot_be_exchanged(token: str, said: str) -> None:
    assert said in TABLE.refused(token)


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


def playable(trick: list[Played], hand: str, pool: str, **options: Any) -> list[str]:
    state = TABLE.after(*KEPT, **options)
    state.trick, state.hands[0], state.pool = tuple(trick), tuple(hand.split()), tuple(pool.split())
    state.plays = 20
    return [token[5:] for token in legal(state) if "!" not in token]


@pytest.mark.parametrize(
    ("trick", "hand", "pool", "cards"),
    [
        ([], "KS 3T", "KC 2T", "KS 3T 3T=KC"),
        ([Played("KC", None)], "QC KS 3T", "CC KH", "QC 3T=CC"),
        ([Played("KC", None)], "KS 3T", "CC KH", "KS 3T 3T=CC 3T=KH"),
        ([Played("KC", "4T")], "QC KS 3T", "KH", "QC"),
        ([Played(None, "4T")], "QC KS 3T 5T", "KH", "3T 5T"),
        ([Played(None, "4T")], "QC KS", "KH", "QC KS"),
    ],
)
def test_what_may_be_played(trick: list[Played], hand: str, pool: str, cards: str) -> None:
    assert playable(trick, hand, pool) == cards.split()


def test_an_option_asks_for_possession() -> None:
    led = [Played("KC", None)]
    assert playable(led, "KS 3T", "CC KH", possession_obligation=True) == ["3T=CC"]
    assert playable(led, "KS 3T", "KH", possession_obligation=True) == ["KS", "3T", "3T=KH"]
    assert playable(led, "QC 3T", "CC", possession_obligation=True) == ["QC", "3T=CC"]
    state = TABLE.after(*KEPT, possession_obligation=True)
    state.trick, state.hands[0], state.pool = tuple(led), ("KS", "3T"), ("CC",)
    assert "possess a card of the suit" in str(state.refusal("play:KS").rule)


def test_refusals_name_the_rule() -> None:
    led = (*KEPT, "1 play:KC")
    assert "not in the hand" in TABLE.refused(*led, "play:KS")
    assert "follow the suit" in TABLE.refused(*led, "play:KH")
    assert "a card of it" in TABLE.refused(*led, "play:1T")
    assert "a card of it" in TABLE.refused(*led, "play:1T=KS")
    assert "not in the pool" in TABLE.refused(*led, "play:1T=QD")
    assert "ordinary card" in TABLE.refused(*led, "play:1T=2T")
    assert "ordinary card" in TABLE.refused(*led, "play:QC=KC")
    assert "no such action" in TABLE.refused(*led, "play:AC")
    assert "no such action" in TABLE.refused(*led, "play:QC!paire:new")
    assert "another seat" in TABLE.refused(*led, "3 play:JC")
    assert "not begin a combination" in TABLE.refused(*KEPT, "1 play:6S!suite:new")
    assert "not begin a combination" in TABLE.refused(*KEPT, "1 play:KC!suite:more")
    pure = (*KEPT, "1 play:KC", "2 play:QC", "3 play:JC")
    state = TABLE.after(*pure)
    state.trick, state.actor = (Played(None, "3T"),), 2
    assert "a pure Démon was led" in str(state.refusal("play:KH").rule)
    assert "ordinary card" in str(state.refusal("play:4T=KS").rule)


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        (["KC", "4T=KC", "QC"], 1),  # worked example 3
        (["CC", "4T=KC", "2T=KC"], 2),
        (["KC", "4T=KC", "5T"], 2),
        (["KC", "KC", "QC"], 0),
        (["QC", "CC", "JC"], 1),
        (["JC", "KS", "KD"], 0),
        (["5T", "1T", "6C"], 1),
    ],
)
def test_who_wins(cards: list[str], winner: int) -> None:
    state = TABLE.after(*KEPT)
    state.plays = 20
    state.hands = [(card[:2], "6S") for card in cards]
    state.pool = tuple(card[3:] for card in cards if "=" in card) or ("QD",)
    for card in cards:
        state.apply(f"play:{card}")
    assert state.taker == winner


def test_the_diable_is_revealed_by_his_demon() -> None:
    state = TABLE.after(*KEPT)
    state.plays = 20
    state.hands = [("KC", "QS"), ("1T", "KH"), ("JC", "QD")]
    state.pool = ("CC", "KS")
    for card in ("KC", "1T", "JC"):
        assert state.view(3).devil is None
        state.apply(f"play:{card}")
    assert (state.phase, state.actors(), state.view(1).devil) == ("devil", (2,), 2)
    assert legal(state) == ["devil:keep", "devil:swap:KH>CC", "devil:swap:KH>KS"]
    assert "not in the hand" in str(state.refusal("devil:swap:QD>CC").rule)
    assert "not in the pool" in str(state.refusal("devil:swap:KH>QD").rule)
    assert "no such action" in str(state.refusal("devil:swap:KH").rule)
    other = state.copy()
    other.apply("devil:keep")
    assert other.actors() == (2,)
    state.apply("devil:swap:KH>CC")
    assert (state.hands[1], state.pool, state.phase) == (("CC",), ("KS", "KH"), "play")


def test_card_points_are_shown_to_nobody() -> None:
    state = TABLE.after(*KEPT, "1 play:KC", "2 play:QC", "3 play:JC")
    assert state.view(1).points == state.view(None).points == ()


# ── Combinations ──────────────────────────────────────────────────────────────────────────────────


def announced(*said: str, **options: Any) -> Any:
    """Seat 1 plays these cards, one a trick."""
    state = TABLE.after(*KEPT, **options)
    for card in said:
        told, _bang, suffix = card.partition("!")
        kind, _colon, how = suffix.partition(":")
        state.announce(0, told, kind or None, how or None)
    state.close(0, ("pareil", "suite"))
    return state


def test_combinations_of_a_deal() -> None:
    """Worked example 6."""
    state = announced("KS!suite:new", "QS!suite:more", "CS!suite:more", "6D", "JH!pareil:new", "CD",
                      "QC!pareil:new", "KD!pareil:new", "KC!pareil:more")  # fmt: skip
    assert dict(state.bests[0]) == {"suite": (3, "K"), "pareil": (2, "K")}
    assert state.failures[0] == 1


def test_where_combinations_need_not_be_consecutive() -> None:
    said = ("KS!suite:new", "KD!pareil:new", "QS!suite:more", "6D", "KC!pareil:more")
    free = announced(*said, combination_continuity="free")
    assert dict(free.bests[0]) == {"suite": (2, "K"), "pareil": (2, "K")}
    assert free.failures[0] == 0
    again = announced("KS!suite:new", "QD!suite:new", "JD", combination_continuity="free")
    assert (again.failures[0], again.bests[0]) == (1, {})


def test_a_suite_grows_at_either_end() -> None:
    state = TABLE.after(*KEPT)
    state.active[0] = {"suite": ("QS",)}
    assert set(PLAY.suffixes(state, "KS")) == {("pareil", "new"), ("suite", "new"), ("suite", "more")}
    assert ("suite", "more") in set(PLAY.suffixes(state, "CS"))
    assert ("suite", "more") not in set(PLAY.suffixes(state, "JS"))
    assert ("suite", "more") not in set(PLAY.suffixes(state, "KD"))
    assert not set(PLAY.suffixes(state, "6S"))
    assert not set(PLAY.suffixes(state, None))


# ── Bets ──────────────────────────────────────────────────────────────────────────────────────────


def paths(bet: Bet, said: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Bet]]:
    if not bet.pending:
        yield said, bet
        return
    for token in bet.choices():
        yield from paths(bet.after(token), (*said, token))


@pytest.mark.parametrize(
    ("kind", "out"), [("partial", []), ("complete", []), ("complete", [2]), ("complete", [1, 2])]
)
def test_every_path_of_a_bet(kind: str, out: list[int]) -> None:
    first = {"partial": 10, "complete": 20}[kind]
    found = list(paths(Bet.first(kind, 0, frozenset(out))))
    assert len({said for said, _ in found}) == len(found)
    for said, bet in found:
        assert bet.stake == first * 2 ** said.count("raise")
        assert said.count("raise") <= 2
        assert bet.stake in bet.risk
        assert all(risk in {0, first, 2 * first, 4 * first} and risk <= bet.stake for risk in bet.risk)
        assert all(bet.risk[seat] == bet.stake or seat in bet.out for seat in range(3))
        assert said.count("concede") == len(bet.out) - len(out)
        assert all(bet.risk[seat] == 0 for seat in out)
    assert max(bet.stake for _, bet in found) == (first if len(out) == 2 else 4 * first)


def test_a_bet_in_the_deal() -> None:
    """Worked example 4, opened by the seat whose turn it is."""
    state = TABLE.after(*KEPT)
    assert state.actors() == (1, 2, 3)
    assert list(state.legal(2)) == ["bet:partial", "bet:complete"]
    state.apply("1 bet:partial")
    assert (state.phase, state.actors(), legal(state)) == ("bet", (2,), ["concede", "hold", "raise"])
    for answer in ("hold", "raise", "concede", "hold"):
        state.apply(answer)
    assert (state.phase, state.turn) == ("play", 1)
    assert state.view(2).bets == (Bet("partial", 20, (10, 20, 20), frozenset({0}), ()),)
    assert state.actors() == (1, 2, 3)  # seat 1 plays; 2 and 3 may still bet on the complete gain
    assert "bet:complete" not in list(state.legal(1))
    assert state.entries[3] == "1 bet:partial"
    assert state.entries[4] == "hold"


def test_who_may_bet_and_when() -> None:
    state = TABLE.after(*KEPT, "3 bet:complete", "concede", "concede")
    assert state.actors() == (1,)  # no partial bet after a complete one
    assert "cannot be opened" in TABLE.refused(*KEPT, "3 bet:complete", "concede", "concede", "2 bet:partial")
    assert "no such action" in TABLE.refused(*KEPT, "2 bet:total")
    assert "no such action" in TABLE.refused("1 bet:partial")
    late = TABLE.after(*KEPT)
    both, complete = ["bet:partial", "bet:complete"], ["bet:complete"]
    for plays, kinds in ((6, both), (7, complete), (12, complete), (13, [])):
        late.plays = plays
        assert [token for token in late.legal(2) if token in {"bet:partial", "bet:complete"}] == kinds
    turn = TABLE.after(*KEPT, "bet:partial", "concede", "concede")
    assert turn.turn == 1


# ── The marks ─────────────────────────────────────────────────────────────────────────────────────

PLAIN = [[Played("KS", None), Played("6D", None), Played("QH", None)]]
HAUNTED = [[Played("KD", "1T"), Played("CS", None), Played("JH", None)]]


@pytest.mark.parametrize(
    ("tricks", "marker", "devil", "points"),
    [
        (PLAIN, "S", False, 7),  # worked examples 1 and 2
        (PLAIN, "S", True, 5),
        (HAUNTED, "D", True, 8),
        ([[Played(f"6{suit}", None) for suit in "SHD"]], "S", True, 13),
        ([[Played(f"6{suit}", None) for suit in "SHD"]], "S", False, 0),
        ([[Played(None, "1T"), Played("KS", None), Played("KS", "2T")]], "S", True, 6),
    ],
)
def test_card_points(tricks: Any, marker: str, devil: bool, points: int) -> None:
    assert card_points(tricks, marker, devil=devil) == points


ONE: dict[str, Any] = {
    "tricks": [5, 2, 2],
    "card_points": [20, 10, 5],
    "best_suite": [None, None, None],
    "best_pareil": [None, None, None],
    "penalised_failures": [0, 0, 0],
    "partial": None,
    "complete": None,
}


def suite(length: int, top: str) -> dict[str, Any]:
    return {"length": length, "top": top}


def pareil(length: int, rank: str) -> dict[str, Any]:
    return {"length": length, "rank": rank}


RAISED = {"stake": 20, "risk": [10, 20, 20]}
BOTH = {"partial": {"stake": 10, "risk": [10, 10, 0]}, "complete": {"stake": 20, "risk": [20, 0, 0]}}


@pytest.mark.parametrize(
    ("change", "scores"),
    [
        ({}, (25, 10, 5)),
        ({"tricks": [4, 4, 1]}, (20, 10, 5)),
        ({"partial": RAISED}, (20, -10, -15)),  # worked example 4
        ({"partial": RAISED, "tricks": [2, 4, 3]}, (10, 30, -15)),
        (BOTH | {"tricks": [4, 3, 2]}, (0, 0, 5)),  # 5
        (BOTH | {"tricks": [2, 4, 3]}, (0, 20, 5)),
        (BOTH, (40, 0, 5)),
        ({"best_suite": [suite(2, "K"), suite(2, "K"), suite(2, "Q")]}, (25, 10, 5)),  # 7
        ({"best_suite": [suite(2, "K"), suite(3, "Q"), suite(2, "Q")]}, (25, 40, 5)),
        ({"best_suite": [suite(4, "K"), None, None]}, (85, 10, 5)),
        ({"best_pareil": [pareil(2, "K"), pareil(2, "Q"), None]}, (35, 10, 5)),
        ({"best_pareil": [pareil(6, "K"), pareil(5, "C"), None]}, (75, 10, 5)),
        ({"best_pareil": [pareil(3, "J"), pareil(4, "J"), None]}, (25, 50, 5)),
        ({"penalised_failures": [0, 0, 3]}, (25, 10, -25)),
        ({"faults": [{"seat": 1, "kind": "signal"}] * 2}, (-75, 10, 5)),
        ({"faults": [{"seat": 1, "kind": "pure-demon-revoke"}], "tricks": "?"}, (-100, 0, 0)),
    ],
)
def test_the_marks(change: dict[str, Any], scores: tuple[int, ...]) -> None:
    assert GAME.score(ONE | change).scores == scores


def test_an_annulled_deal_averages_the_others() -> None:
    outcome = GAME.score(
        {"faults": [{"seat": 1, "kind": "pure-demon-revoke"}, {"seat": 2, "kind": "signal"}]}
    )
    assert (outcome.scores, outcome.averaged) == ((-100, -50, 0), (3,))


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"tricks": [5, 2, 3]}, "tricks", "add up to 10"),
        ({"card_points": [65, 0, 0]}, "card_points", "0 to 64"),
        ({"tricks": [7, 2, 0]}, "card_points", "seat 3: 0 at most"),
        ({"best_suite": [None, None]}, "best_suite", "list of 3"),
        ({"best_suite": [suite(5, "K"), None, None]}, "best_suite", "length: must be"),
        ({"best_suite": [suite(4, "Q"), None, None]}, "best_suite", "no such"),
        ({"best_suite": [suite(3, "C"), None, None]}, "best_suite", "no such"),
        ({"best_suite": [{"length": 2}, None, None]}, "best_suite", "top: is missing"),
        ({"best_suite": [suite([], "K"), None, None]}, "best_suite", "length: must be"),
        ({"best_pareil": [pareil(5, "Q"), None, None]}, "best_pareil", "no such"),
        ({"best_pareil": [pareil(2, "6"), None, None]}, "best_pareil", "rank: must be"),
        ({"best_pareil": [pareil(6, "K"), None, None], "best_suite": [suite(4, "K"), None, None]},
         "penalised_failures", "nine cards"),
        ({"best_pareil": [pareil(6, "K"), None, None], "penalised_failures": [3, 0, 0]},
         "penalised_failures", "nine cards"),
        ({"partial": {"stake": 15, "risk": [15, 0, 0]}}, "partial", "stake: must be one of"),
        ({"partial": {"stake": 10, "risk": [10, 0]}}, "partial", "list of 3"),
        ({"partial": {"stake": 10, "risk": [20, 0, 0]}}, "partial", "more than the stake"),
        ({"partial": {"stake": 20, "risk": [10, 0, 0]}}, "partial", "more than the stake"),
        ({"partial": {"stake": 20, "risk": [20, 0, 0]}}, "partial", "half of it"),
        (BOTH | {"complete": {"stake": 20, "risk": [0, 0, 20]}}, "complete", "seat 3 had conceded"),
        ({"partial": []}, "partial", "object"),
        ({"faults": [{}]}, "faults", "seat: is missing"),
        ({"faults": [{"seat": 0, "kind": "signal"}]}, "faults", "seat"),
        ({"faults": [{"seat": 1, "kind": []}]}, "faults", "one of"),
        ({"faults": [{"seat": 1, "kind": "pure-demon-revoke"}] * 2}, "faults", "only one"),
        ({"devil": 1}, "devil", "not a field"),
    ],
)  # fmt: skip
def test_a_sheet_that_cannot_be(change: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(BadSheet) as refused:
        GAME.score(ONE | change)
    assert refused.value.field == field
    assert said in str(refused.value.constraint)


@pytest.mark.parametrize("name", list(ONE))
def test_every_field_is_needed(name: str) -> None:
    with pytest.raises(BadSheet, match=f"{name}: is missing"):
        GAME.score({field: value for field, value in ONE.items() if field != name})


def test_a_known_deal_tells_the_diable() -> None:
    deal = GAME.read_deal(DEAL)
    assert GAME.score(ONE | {"card_points": [0, 64, 0]}, deal=deal).scores[1] == 64
    with pytest.raises(BadSheet, match="58 at most"):
        GAME.score(ONE | {"card_points": [59, 0, 0]}, deal=deal)


def test_333_is_reached_with_a_bet() -> None:
    """Worked example 8."""
    first = ONE | {"card_points": [58, 58, 58], "tricks": [3, 3, 3]}
    before = GAME.ledger([first] * 5)
    assert before["scores"] == [290, 290, 290]
    bet = {"partial": {"stake": 10, "risk": [10, 10, 0]}, "tricks": [3, 4, 2]}
    last = first | bet | {"card_points": [58, 58, 58]}
    account = GAME.ledger([*[first] * 5, last])
    assert account["rows"][-1]["applied"] == [True, True, False]
    assert (account["winner"], account["scores"], account["over"]) == (2, [338, 358, 290], True)
    tied = GAME.ledger(
        [*[first] * 5, last | {"tricks": [4, 4, 1], "partial": {"stake": 10, "risk": [10, 10, 0]}}]
    )
    assert (tied["over"], tied["scores"]) == (False, [290, 290, 290])
    with pytest.raises(BadRecord, match="over after 6 deals"):
        GAME.ledger([*[first] * 5, last, last])
    annulled = GAME.ledger([{"faults": [{"seat": 1, "kind": "pure-demon-revoke"}]}], conditions={"dealer": 2})
    assert (annulled["scores"], annulled["next_dealer"], annulled["rows"][0]["dealer"]) == (
        [-100, 0, 0],
        3,
        2,
    )
    with pytest.raises(BadSheet, match=r"deals\[0\].tricks"):
        GAME.ledger([{}])


def test_les_heritiers_are_the_same_game() -> None:
    other = Heritiers()
    assert (other.id, other.name.to("fr")) == ("heritiers", "Les Héritiers")
    assert other.score(ONE) == GAME.score(ONE)
    assert type(other).score is type(GAME).score


def test_a_sensible_robot_beats_random_ones() -> None:
    sensible, random = mean_scores("demons", 150)
    assert sensible > random + 10


# ── For the suites of all games ───────────────────────────────────────────────────────────────────

CASE = Case(
    announced=("phase", "actors", "devil"),  # a card reveals the Diable
    is_secretive=True,
)
CASES = {"demons": CASE, "heritiers": CASE}
