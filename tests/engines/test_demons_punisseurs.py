"""Démons punisseurs: the worked examples, every path of a talk, the exposition, sheets, matches."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest

from engines import bots, registry
from engines.errors import BadDeal, BadRecord, BadSheet
from engines.games.demons_punisseurs.cards import (
    BEST,
    PACK,
    PAREIL,
    RANKS,
    SUITE,
    best_pareil,
    best_suite,
    example,
    has_specimen,
    strength,
)
from engines.games.demons_punisseurs.marks import IN, OUT, RISK, Objective
from engines.games.demons_punisseurs.play import Laid

from .cases import Case
from .table import Table, legal, mean_scores

GAME = registry.game("demons-punisseurs")
DEAL = {
    "dealer": 1,
    "hands": [
        ["9S", "TS", "AC", "JH", "8D", "9D", "KC"],
        ["QC", "AS", "8S", "9H", "TD", "QD", "9C"],
        ["KH", "7H", "6D", "7S", "KS", "TH", "JD"],
    ],
    "turned": ["JC", "8C", "QH"],
    "unused": ["7D", "KD", "AD", "QS", "JS", "8H", "AH", "7C", "TC"],
}
TABLE = Table("demons-punisseurs", DEAL)


def test_the_pack_and_its_demons() -> None:
    assert len(set(PACK)) == 33
    order = {trump: sorted(PACK, key=lambda card: strength(card, trump)) for trump in "SHD"}
    assert order["S"][-9:] == ["QC", "JC", "QS", "JS", "7S", "7C", "7D", "6D", "KH"]
    assert order["H"][-9:] == ["QC", "JC", "QH", "JH", "7H", "7C", "7D", "6D", "KH"]
    assert order["D"][-8:] == ["QC", "JC", "QD", "JD", "7C", "7D", "6D", "KH"]
    assert [sum(not strength(card, trump) for card in PACK) for trump in "SHD"] == [24, 24, 25]


def test_every_board_is_dealt_by_the_rules() -> None:
    clubs = set()
    for number in range(1, 400):
        deal: Any = registry.deal_board(GAME, bytes(32), number, registry.options_of(GAME, {}), {})
        assert deal.dealer == (number - 1) % 3 + 1
        assert deal.trump != "C"
        assert all(card[1] == "C" for card in deal.turned[:-1])
        assert [len(hand) for hand in deal.hands] == [7, 7, 7]
        assert sorted([*sum(deal.hands, ()), *deal.turned, *deal.unused]) == sorted(PACK)
        clubs.add(len(deal.turned) - 1)
    assert {0, 1, 2} <= clubs


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hands": DEAL["hands"][:2]}, "be in lists"),  # type: ignore[index]
        ({"turned": ["JC"], "unused": [*DEAL["unused"], "8C", "QH"]}, "the last must be clubs"),  # type: ignore[misc]
        ({"turned": ["JC", "QH", "8C"]}, "the last must be clubs"),
        ({"turned": ["JC", "8C", "9S"]}, "more copies"),
        ({"turned": ["JC", "8C", "2H"]}, "not in the pack"),
    ],
)
def test_a_deal_that_cannot_be(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDeal, match=said):
        GAME.read_deal(DEAL | change)


# ── The dealer's exchange ─────────────────────────────────────────────────────────────────────────


def test_the_dealer_takes_one_demon_of_each_suit() -> None:
    assert TABLE.legal() == ["done", "rob:KC>JC", "rob:AC>JC"]
    state = TABLE.after("rob:AC>JC")
    assert legal(state) == ["done"]
    assert state.view(2).pile("turned").shown == ("AC", "8C", "QH")
    assert "JC" in state.view(1).hand
    assert "one of each" in TABLE.refused("rob:AC>8C")
    assert "one of each" in TABLE.refused("rob:JH>QH")  # a Démon is not given
    assert "not in the hand" in TABLE.refused("rob:7H>QH")
    assert "no such action" in TABLE.refused("rob:AC")
    assert "no such action" in TABLE.refused("play:AC")


def test_all_of_them_with_the_option() -> None:
    deal = DEAL | {"turned": ["JC", "QC", "8H"]}
    deal["hands"] = [*DEAL["hands"]]  # type: ignore[misc]
    deal["hands"][1] = ["8C", "AS", "8S", "9H", "TD", "QD", "9C"]
    deal["unused"] = ["7D", "KD", "AD", "QS", "JS", "QH", "AH", "7C", "TC"]
    once = TABLE.after("rob:AC>JC", deal=deal)
    assert legal(once) == ["done"]
    again = TABLE.after("rob:AC>JC", deal=deal, rob_limit="all")
    assert legal(again) == ["done", "rob:KC>QC"]


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "winner"),
    [
        (("9S", "QC=AS", "KS"), 2),
        (("AS", "QC=AS", "7S"), 2),  # 7: the Démon wins, whatever came first
        (("QC=AS", "AS", "7S"), 1),
        (("9S", "QC=AS", "KH=AS"), 3),
        (("9S", "QC=AS", "KH=7H"), 3),
        (("9S", "JH=7H", "7H=8H"), 3),
        (("9S", "AC", "KS"), 3),
        (("QC=9D", "AC", "8D"), 1),
    ],
)
def test_who_wins_a_trick(said: tuple[str, ...], winner: int) -> None:
    state = TABLE.after("done")
    state.leader = state.actor = 0
    state.hands = [(card[:2],) * 7 for card in said]
    for told in said:
        state.apply(f"play:{told}")
    assert state.winners == (winner - 1,)
    assert state.turn == winner


def test_following() -> None:
    """Worked example 8: with a card printed in the suit led, that suit or trumps."""
    state = TABLE.after("done")
    state.trump = "S"
    state.hands[1] = ("8D", "6D", "QC", "KH", "AC", "9H", "TH")
    state.leader = state.actor = 0
    state.apply("play:9D")
    plays = {token.removeprefix("play:") for token in state.choices()}
    faces = {rank + suit for suit in "DS" for rank in RANKS if rank + suit in PACK}
    wanted = {"8D", "6D"} | {f"{d}={f}" for d in ("6D", "QC", "KH") for f in faces if f != d}
    assert plays == wanted
    assert "follow" in str(state.refusal("play:QC").rule)
    assert "follow" in str(state.refusal("play:KH=AH").rule)
    assert "only a Démon" in str(state.refusal("play:8D=9D").rule)
    assert "only a Démon" in str(state.refusal("play:QC=QC").rule)
    assert "not in the hand" in str(state.refusal("play:TD").rule)
    assert "no such action" in str(state.refusal("play:8D=2D").rule)
    state.hands[1] = ("6D", "QC", "AC")
    assert "play:AC" not in set(state.choices())
    free = TABLE.after("done", demon_possession="ordinary-only")
    free.trump, free.hands[1] = "S", ("6D", "QC", "AC")
    free.leader = free.actor = 0
    free.apply("play:9D")
    assert "play:AC" in set(free.choices())
    state.trick = (state.trick[0]._replace(face="9S"),)
    state.hands[1] = ("8S", "AC")
    assert "trump" in str(state.refusal("play:AC").rule)


# ── Bets ──────────────────────────────────────────────────────────────────────────────────────────


def talks(one: Objective, said: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Objective]]:
    """Every way in which bets, pushes and concessions can go."""
    yield said, one
    if one.proposal is not None:
        for token in one.choices():
            yield from talks(one.after(token), (*said, token))
        return
    for seat in range(3):
        assert not {"bet", "push"} <= set(one.calls[seat])
        if {"bet", "push"} & set(one.calls[seat]):
            yield from talks(one.propose(seat), (*said, f"{seat} proposes"))
        if "concede" in one.calls[seat]:
            yield from talks(one.concede(seat), (*said, f"{seat} concedes"))


def test_every_path_of_a_talk() -> None:
    """Wherever an objective ends, its sheet is one that the rules know; at every step it is in order."""
    found = list(talks(Objective()))
    assert len(found) == len({said for said, _ in found}) > 400
    shapes = set()
    for said, one in found:
        assert one.stake in {1, 2, 3}
        assert all(engaged in {0, 2, 3} and engaged <= one.stake for engaged in one.engaged)
        assert (RISK in one.status) <= (one.stake == 3)
        assert all(one.engaged[seat] == 2 for seat in range(3) if one.status[seat] == RISK)
        assert (one.last_bidder is None) == (one.stake == 1)
        assert said.count("push") <= 1
        if one.proposal is None:
            left = one.contenders
            assert (len(left) == 1) <= (one.conceded_to is not None)
            wins = [one.conceded_to] if one.conceded_to is not None else list(left)
            for winner in (*wins, None):
                done = one.with_winner(winner)
                share = {"winner": None if winner is None else winner + 1, "points": done.points}
                GAME.score(NONE | {"pareil": share | {"losses": list(done.losses)}})
                shapes.add((winner is None, done.points, tuple(sorted(done.losses))))
    assert len(shapes) == 7 + 5  # as many as the sheet knows


@pytest.mark.parametrize(
    ("said", "conceded", "stake", "status", "engaged"),
    [
        (["good", "good"], 0, 1, None, (0, 0, 0)),
        (["good", "hold"], None, 2, (IN, OUT, IN), (2, 0, 2)),  # 3
        (["hold", "silent"], None, 2, (IN, IN, IN), (2, 2, 0)),  # 4
        (["hold", "push", "good", "hold"], None, 3, (RISK, IN, IN), (2, 3, 3)),  # 5
        (["hold", "push", "hold", "silent"], None, 3, (IN, IN, IN), (3, 2, 3)),
        (["hold", "push", "good", "good"], 2, 2, None, (2, 2, 0)),
        (["good", "push", "good"], 2, 2, None, (2, 0, 0)),  # 6
        (["good", "push", "hold"], None, 3, (IN, OUT, IN), (3, 0, 3)),
    ],
)
def test_a_talk(
    said: list[str],
    conceded: int | None,
    stake: int,
    status: tuple[str, ...] | None,
    engaged: tuple[int, ...],
) -> None:
    one = Objective().propose(0)
    for token in said:
        assert token in one.choices()
        one = one.after(token)
    assert (one.conceded_to, one.stake, one.engaged) == (conceded, stake, engaged)
    assert status is None or one.status == status


def test_who_may_push_later() -> None:
    one = Objective().propose(0).after("hold").after("silent")
    assert one.calls == (("concede",), ("push", "concede"), ("push", "concede"))
    assert one.propose(1).proposal.waiting == (2, 0)  # type: ignore[union-attr]
    assert one.propose(1).after("hold").choices() == ("silent",)
    assert one.propose(1).after("good").choices() == ("hold", "good")


def test_bets_out_of_turn() -> None:
    state = TABLE.after("done", "3 bet:suite")
    assert (state.phase, state.actors(), legal(state)) == ("talk", (1,), ["hold", "good"])
    state.apply("hold")
    assert legal(state) == ["silent", "push"]
    state.apply("2 silent")
    assert state.entries == ["done", "3 bet:suite", "hold", "silent"]
    assert (state.phase, state.turn, state.actors()) == ("play", 2, (1, 2, 3))
    assert "push:suite" not in set(state.legal(3))
    assert list(state.legal(1)) == [
        "bet:pareil", "concede:pareil", "push:suite", "concede:suite", "bet:jeu", "concede:jeu",
    ]  # fmt: skip
    assert "cannot bet" in str(state.refusal("3 push:suite").rule)
    assert "cannot bet" in str(state.refusal("1 bet:suite").rule)
    assert "another seat" in str(state.refusal("1 play:9S").rule)
    assert "no such action" in str(state.refusal("1 bet:tricks").rule)
    state.apply("bet:pareil")
    assert state.entries[-1] == "2 bet:pareil"
    assert "no such action" in str(state.refusal("concede:suite").rule)
    assert "another seat" in TABLE.refused("3 done")


def test_a_concession_asks_for_a_specimen() -> None:
    """Worked example 2, and a hand without a pair."""
    state = TABLE.after("done", "1 bet:pareil", "good", "good")
    assert state.view(None).objectives["pareil"].winner == 0
    poor = TABLE.after("done")
    poor.hands[0] = ("9S", "TS", "AC", "8D", "KC", "QD", "7S")
    assert not has_specimen(PAREIL, [], poor.hands[0], "H")
    for entry in ("1 bet:pareil", "good", "good"):
        poor.apply(entry)
    pareil = poor.view(None).objectives["pareil"]
    assert (pareil.resolved, pareil.winner) == (True, None)
    poor.apply("2 concede:suite")
    assert not poor.view(None).objectives["suite"].resolved
    poor.apply("3 concede:suite")
    assert poor.view(None).objectives["suite"].winner == 0  # 9S TS
    assert "no part" in str(poor.refusal("2 concede:suite").rule)
    assert poor.phase == "play"


# ── Exposition ────────────────────────────────────────────────────────────────────────────────────


def exposed(hands: list[list[str]], shown: list[list[str]], **options: Any) -> Any:
    """The jeu conceded to seat 1, with these cards shown and in the hands."""
    state = TABLE.after("done", **options)
    state.hands = list(map(tuple, hands))
    state.laid = [tuple(Laid(card, card) for card in own) for own in shown]
    for entry in ("2 concede:jeu", "3 concede:jeu"):
        state.apply(entry)
    return state


def test_an_exposition() -> None:
    state = exposed([["9H", "QC"], ["8S", "8H"], ["TS"]], [["9S"], ["8C", "8D"], ["JS", "KD"]])
    assert (state.phase, state.turn, state.view(1).todo) == ("exposition", 1, ("pareil", "suite"))
    assert list(state.choices()) == ["dispute:pareil:9H,QC=9C"]
    assert "Pareil before Suite" in str(state.refusal("dispute:suite").rule)
    assert "must match" in str(state.refusal("dispute:pareil").rule)
    assert "no such action" in str(state.refusal("dispute:pareil:QC=QC").rule)
    assert "no such action" in str(state.refusal("dispute:jeu").rule)
    assert "not in the hand" in str(state.refusal("dispute:pareil:9H,9H").rule)
    assert "only a Démon" in str(state.refusal("dispute:pareil:9H=9D").rule)
    state.apply("dispute:pareil:QC=9D,9H")
    assert state.entries[-1] == "1 dispute:pareil:9H,QC=9D"
    assert (state.hands[0], state.view(1).todo) == ((), ("suite",))
    assert "must match" in str(state.refusal("dispute:suite").rule)
    state.apply("concede:suite")
    assert state.turn == 2
    assert list(state.choices()) == ["dispute:pareil:8H,8S"]
    assert "must match" in str(state.refusal("dispute:pareil:8S").rule)
    state.apply("dispute:pareil:8S,8H")
    assert list(state.choices()) == []  # no two successive cards of a suit
    state.apply("2 concede:suite")
    assert state.view(None).objectives["suite"].winner == 2  # TS JS as a specimen
    assert state.turn == 3
    state.apply("3 concede:pareil")
    assert state.turn == 1
    assert "must match" in str(state.refusal("dispute:pareil").rule)
    state.apply("concede:pareil")
    assert state.over
    assert state.outcome().scores == (1, 1, 1)


def test_equal_combinations_are_disputed_to_the_end() -> None:
    shown = [["9S", "9C"], ["9H", "9D"], ["JS", "KD"]]
    state = exposed([["TC"], ["AD"], ["7S"]], [list(own) for own in shown])
    for entry in ("2 concede:suite", "3 concede:suite", "3 concede:pareil"):
        state.apply(entry)
    assert state.view(None).objectives["suite"].winner == 0  # 9C TC
    state.apply("dispute:pareil")
    assert (state.turn, state.view(1).disputed["pareil"]) == (2, (1,))
    other = state.copy()
    state.apply("dispute:pareil")
    assert state.over
    assert state.outcome().scores == (2, 0, 0)
    other.apply("1 bet:pareil")
    assert other.view(1).disputed["pareil"] == ()
    other.apply("hold")
    assert (other.turn, other.view(1).todo) == (2, ("pareil",))
    other.apply("dispute:pareil:AD")
    other.apply("dispute:pareil")
    assert not other.over
    other.apply("dispute:pareil")
    assert other.outcome().scores == (0, -2, 0)
    strict = exposed([["TC"], ["AD"], ["7S"]], shown, dispute_equal="refused")
    assert "must beat" in str(strict.refusal("dispute:pareil").rule)


def test_the_fourth_trick_ends_the_play() -> None:
    state = TABLE.after("done")
    state.winners = (0, 0, 0, 1)
    state.hands = [("9S", "TS"), ("8S", "TD"), ("7S", "7C")]
    state.leader = state.actor = 0
    for card in ("9S", "8S", "7S"):
        state.apply(f"play:{card}")
    assert (state.phase, state.view(None).objectives["jeu"].winner) == ("exposition", 0)
    out = TABLE.after("done", "1 concede:jeu")
    out.winners = (0, 0, 0, 1)
    out.hands = [("9S", "TS"), ("8S", "TD"), ("7S", "7C")]
    out.leader = out.actor = 0
    for card in ("9S", "8S", "7S"):
        out.apply(f"play:{card}")
    jeu = out.view(None).objectives["jeu"]
    assert (out.phase, jeu.resolved, jeu.winner) == ("exposition", True, None)


def test_seven_tricks_are_compared() -> None:
    state = TABLE.after("done")
    state.winners = (0, 0, 0, 1, 1, 2)
    state.hands = [("9S",), ("AS",), ("7S",)]
    state.laid = [(Laid("TS", "TS"),), (Laid("AD", "AD"), Laid("8C", "8C")), (Laid("8S", "8S"),)]
    state.leader = state.actor = 0
    for card in ("9S", "AS", "7S"):
        state.apply(f"play:{card}")
    assert state.over
    assert state.outcome().scores == (1, 1, 0)  # the suite of 1, the pair of aces of 2, nobody's jeu
    assert GAME.summarise(state)["tricks"] == [3, 3, 1]


def best_by_trying(objective: str, shown: list[str], hand: list[str]) -> Any:
    """The strongest combination over every reveal, and the first of its shortest reveals."""
    ways = []
    for size in range(len(hand) + 1):
        for cards in combinations(hand, size):
            faces = [PACK if strength(card, "H") else (card,) for card in cards]
            for named in product(*faces):
                told = sorted(c if c == f else f"{c}={f}" for c, f in zip(cards, named, strict=True))
                best = BEST[objective]([*shown, *named])
                if best:
                    ways.append((best, told))
    if not ways:
        return None
    top = max(best for best, _ in ways)
    told = min(
        (told for best, told in ways if best == top), key=lambda t: (len(t), sum("=" in c for c in t), t)
    )
    return (top, ",".join(told)) if told else None


def test_examples_equal_those_found_by_trying_everything() -> None:
    random = bots.randomness("punisseurs", "examples")
    found = 0
    for _ in range(100):
        cards = random.sample(PACK, 7)
        while sum(strength(card, "H") > 0 for card in cards[4:]) > 2:
            cards = random.sample(PACK, 7)
        for objective in (PAREIL, SUITE):
            told = example(objective, cards[:4], cards[4:], "H")
            tried = best_by_trying(objective, cards[:4], cards[4:])
            assert told == tried
            found += told is not None
            assert has_specimen(objective, cards[:4], cards[4:], "H") >= (tried is not None)
    assert found > 66


def test_combinations() -> None:
    assert best_pareil(["9S", "9S", "TH"]) == (2, RANKS.index("9"))
    assert best_pareil(["9S", "8S"]) is None
    assert best_suite(["9S", "9S", "TS", "QS"]) == (2, RANKS.index("T"))
    assert best_suite(["6D", "7D", "8D", "KS", "AS"]) == (3, RANKS.index("8"))
    assert best_suite(["9S", "TH"]) is None


# ── Sheets and matches ────────────────────────────────────────────────────────────────────────────


def share(winner: int | None, points: int, *losses: int) -> dict[str, Any]:
    return {"winner": winner, "points": points, "losses": list(losses or (0, 0, 0))}


NONE = {"pareil": share(None, 0), "suite": share(None, 0), "jeu": share(None, 0)}


@pytest.mark.parametrize(
    ("change", "scores"),
    [
        ({"pareil": share(2, 1), "jeu": share(1, 1), "tricks": [4, 1, 1]}, (1, 1, 0)),  # 1
        ({"pareil": share(1, 1)}, (1, 0, 0)),  # 2
        ({"suite": share(3, 2, 2, 0, 0)}, (-2, 0, 2)),  # 3
        ({"jeu": share(3, 2, 2, 2, 0)}, (-2, -2, 2)),  # 4
        ({"jeu": share(None, 0, 2, 2, 0), "tricks": [3, 2, 2]}, (-2, -2, 0)),
        ({"jeu": share(2, 3, 2, 0, 3)}, (-2, 3, -3)),  # 5
        ({"jeu": share(1, 0, 0, 3, 3)}, (0, -3, -3)),
        ({"pareil": share(3, 2, 2, 2, 0)}, (-2, -2, 2)),  # 6
        ({name: share(2, 3, 3, 0, 3) for name in NONE}, (-9, 9, -9)),
        ({"suite": share(None, 0, 0, 2, 0)}, (0, -2, 0)),
    ],
)
def test_the_marks(change: dict[str, Any], scores: tuple[int, ...]) -> None:
    assert GAME.score(NONE | change).scores == scores


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"pareil": share(1, 1, 2, 0, 0)}, "pareil", "where a seat wins 1"),
        ({"pareil": share(1, 1, 0, 2, 0)}, "pareil", "where a seat wins 1"),
        ({"pareil": share(1, 0, 0, 0, 3)}, "pareil", "where a seat wins 0"),
        ({"suite": share(None, 1)}, "suite", "where nobody wins"),
        ({"suite": share(None, 0, 2, 2, 2)}, "suite", "where nobody wins"),
        ({"jeu": share(None, 0, 0, 0, 2)}, "jeu", "where nobody wins"),
        ({"jeu": share(4, 1)}, "jeu", "winner: must be a"),
        ({"jeu": share(1, 4)}, "jeu", ": must be"),
        ({"jeu": share(1, 2, 0, 1, 2)}, "jeu", ": must be"),
        ({"jeu": share(1, 1, 0, 0)}, "jeu", "losses: must be a"),
        ({"jeu": {"winner": 1, "points": 1}}, "jeu", "losses: is missing"),
        ({"jeu": 1}, "jeu", "object"),
        ({"tricks": [4, 4, 0]}, "tricks", "at most seven"),
        ({"tricks": [5, 0, 0]}, "tricks", "4"),
        ({"tricks": [4, 0, 0], "jeu": share(2, 1)}, "jeu", "four tricks"),
        ({"tricks": [3, 3, 1], "jeu": share(2, 1)}, "jeu", "nobody wins it"),
        ({"tricks": [3, 0, 0]}, "jeu", "somebody wins it"),
        ({"faults": []}, "faults", "not a field"),
    ],
)
def test_a_sheet_that_cannot_be(change: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(BadSheet) as refused:
        GAME.score(NONE | change)
    assert refused.value.field == field
    assert said in str(refused.value.constraint)


def test_a_match_of_twelve_deals() -> None:
    won = NONE | {"pareil": share(1, 1), "suite": share(2, 1)}
    account = GAME.ledger([won] * 12)
    assert (account["over"], account["winner"], account["ranks"]) == (True, None, [1, 1, 3])
    assert (account["deals_left"], account["next_dealer"], account["scores"]) == (0, None, [12, 12, 0])
    begun = GAME.ledger([won] * 4, conditions={"dealer": 2})
    assert (begun["deals_left"], begun["next_dealer"], begun["ranks"]) == (8, 3, [None] * 3)
    assert [row["dealer"] for row in begun["rows"]] == [2, 3, 1, 2]
    with pytest.raises(BadRecord, match="over after 12 deals"):
        GAME.ledger([won] * 13)
    assert (
        GAME.ledger([NONE | {"jeu": share(3, 1)}] * 3, options={"deals": 3, "target": "none"})["winner"] == 3
    )


def test_a_match_to_a_target() -> None:
    both = NONE | {"pareil": share(1, 1), "suite": share(2, 1)}
    options = {"target": 2, "deals": 12}
    tied = GAME.ledger([both] * 3, options=options)
    assert (tied["over"], tied["deals_left"], tied["target"]) == (False, None, 2)
    won = GAME.ledger([*[both] * 3, NONE | {"jeu": share(2, 1)}], options=options)
    assert (won["over"], won["winner"], won["ranks"]) == (True, 2, [2, 1, 3])


def test_the_sensible_robot_beats_the_random_one() -> None:
    sensible, random = mean_scores("demons-punisseurs", 300)
    assert sensible > random + 0.5


# ── For the suites of all games ───────────────────────────────────────────────────────────────────


def any_reveal(_state: Any, token: str) -> Any:
    """One of the reveals is listed with which an objective may be disputed."""
    return ":".join(token.split(":")[:2]) if token.startswith("dispute") else token


CASES = {
    "demons-punisseurs": Case(
        same_words=frozenset({"Jeu", "Pareil", "Suite", "exposition"}),
        announced=("phase", "objectives"),  # whether the player who is left had a specimen
        meaning=any_reveal,
        is_secretive=True,
    )
}
