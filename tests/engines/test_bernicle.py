"""Bernicle: the worked examples of engines/rules/bernicle.md, then every refusal and option that it names."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from engines import bots, records, registry
from engines.cards import lowest
from engines.contract import with_defaults
from engines.errors import BadDeal, BadRecord, BadSheet, IllegalAction
from engines.games.bernicle import Bernicle
from engines.games.bernicle.cards import PACK, Deal
from engines.games.bernicle.combinations import (
    CODES,
    best_declaration,
    broken_list,
    declarations,
    in_order,
    worth_of,
)
from engines.games.bernicle.marks import niche_points

from .cases import RANDOM, SENSIBLE, Case

GAME = Bernicle()
DEAL: dict[str, Any] = {  # seat 1 is at the dealer's left
    "dealer": 3,
    "hands": [
        ["AH", "AH", "TH", "TH", "KH", "KH", "QH", "QH", "JH", "JD", "QS", "KS", "7S"],
        ["AS", "AS", "TS", "TS", "KS", "QS", "JS", "JS", "7S", "7H", "7H", "JH", "AD"],
        ["AD", "TD", "TD", "KD", "KD", "QD", "QD", "JD", "7D", "7D", "AC", "AC", "TC"],
    ],
    "dog": ["TC", "KC", "KC", "QC", "QC"],
    "pups": [["JC", "JC"], ["7C", "7C"]],
}
TAKEN = ("bid:150", "pass", "pass", "trump:H")
CHANGED = (*TAKEN, "discard:7S,QC,QC,KC,KC", "discard:JC,JC", "discard:7C,7C")
DECLARED = (*CHANGED, "declare:max", "declare:none", "declare:MD")


def replayed(*actions: str, deal: dict[str, Any] = DEAL, **options: Any) -> Any:
    return records.replay(
        records.read({"game": "bernicle", "options": options, "deal": deal, "actions": list(actions)})
    )


def legal(state: Any) -> list[str]:
    return list(state.legal(state.actors()[0]))


def illegal(*actions: str, **options: Any) -> str:
    with pytest.raises(IllegalAction) as refused:
        replayed(*actions, **options)
    return str(refused.value.rule)


# ── The deal ──────────────────────────────────────────────────────────────────────────────────────


def test_who_gets_which_cards_of_the_pack() -> None:
    """Worked example 10: dealer 2."""
    deal = Deal.of(PACK.order, dealer=2)

    def cards(*places: int) -> Counter[str]:
        return Counter(PACK.order[place] for place in places)

    first = (0, 8, 16, 24, 32, 40 - 2)
    by_seat = {seat: Counter(PACK.tokens(hand)) for seat, hand in enumerate(deal.hands, 1)}
    assert by_seat[3] == cards(*(p + i for p in first for i in (0, 1)), 44)
    assert by_seat[1] == cards(*(p + i for p in first for i in (2, 3)), 45)
    assert by_seat[2] == cards(*(p + i for p in first for i in (4, 5)), 46)
    assert Counter(PACK.tokens(deal.dog)) == cards(6, 7, 14, 15, 47)
    assert [Counter(PACK.tokens(pup)) for pup in deal.pups] == [cards(22, 23), cards(30, 31)]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"dog": ["TC", "KC", "KC", "QC", "JC"]}, "more than 2 times"),
        ({"dog": ["TC", "KC", "KC", "QC", "8C"]}, "not in the pack"),
        ({"dog": ["TC", "KC", "KC", "QC"]}, "13, 13, 13, 5, 2, 2"),
        ({"pups": ["JC", "JC"]}, "lists of"),
        ({"pups": None}, "lists of"),
        ({"dealer": 4}, "dealer"),
        ({"talon": []}, "talon"),
    ],
)
def test_a_deal_that_is_not_the_pack(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDeal, match=said):
        GAME.read_deal(DEAL | change)


# ── The auction ───────────────────────────────────────────────────────────────────────────────────


def test_bids_begin_at_150_or_160_and_rise_by_ten_or_twenty() -> None:
    assert legal(replayed()) == ["pass", "bid:150", "bid:160"]
    assert legal(replayed("bid:160")) == ["pass", "bid:170", "bid:180"]
    assert "150 or 160" in illegal("bid:140")
    assert "150 or 160" in illegal("bid:170")
    assert "ten or twenty more" in illegal("bid:150", "bid:180")
    assert "ten or twenty more" in illegal("bid:150", "bid:0160")
    assert "no such action" in illegal("trump:S")
    assert legal(replayed(*[f"bid:{amount}" for amount in range(150, 2000, 10)]))[1] == "bid:2000"


def test_who_has_passed_is_asked_again() -> None:
    state = replayed("pass", "pass")
    assert (state.over, state.actors()) == (False, (3,))
    state = replayed("pass", "pass", "bid:150", "pass", "bid:160", "pass")
    assert (state.phase, state.actors()) == ("auction", (1,))
    state.apply("pass")
    assert (state.phase, state.actors(), state.contract) == ("trump", (2,), 160)


def test_three_passes_end_the_deal_with_nothing() -> None:
    state = replayed("pass", "pass", "pass")
    assert state.over
    assert state.outcome().scores == (0, 0, 0)
    assert GAME.summarise(state) == {"taker": None}


def test_where_the_first_must_open() -> None:
    assert legal(replayed(opening="forced")) == ["bid:150", "bid:160"]
    assert "must open" in illegal("pass", opening="forced")
    with pytest.raises(BadSheet, match="must open"):
        GAME.score({"taker": None}, options={"opening": "forced"})


# ── The exchange ──────────────────────────────────────────────────────────────────────────────────


def test_the_taker_names_trumps_before_seeing_the_dog() -> None:
    state = replayed(*TAKEN[:3])
    assert legal(state) == ["trump:S", "trump:H", "trump:D", "trump:C"]
    assert "QC" not in state.view(1).hand
    state.apply("trump:H")
    assert state.view(1).hand.count("QC") == 2
    assert len(state.view(1).hand) == 18
    assert "no such action" in illegal(*TAKEN[:3], "trump:X")
    assert "no such action" in illegal(*TAKEN[:3], "trump:")


def test_the_pups_go_to_the_defenders_in_turn() -> None:
    state = replayed(*TAKEN, "discard:7S,QC,QC,KC,KC")
    assert state.actors() == (2,)
    assert state.view(2).hand.count("JC") == 2
    state.apply("discard:JC,AS")
    assert state.view(3).hand.count("7C") == 2
    state.apply("discard:7C,AC")
    assert state.actors() == (1,)
    assert [list(state.view(seat).pile("discards").shown) for seat in (1, 2, 3)] == [
        ["7S", "KC", "KC", "QC", "QC"], ["AS", "JC"], ["AC", "7C"]
    ]  # fmt: skip
    assert state.view(None).pile("discards").shown == state.view(None).pile("niche").shown == ()


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("discard:7S,QC,QC,KC", "lay aside 5 cards"),
        ("discard:7S,7S,QC,QC,KC", "not in the hand"),
        ("discard:AS,QC,QC,KC,KC", "not in the hand"),
        ("discard:7S,QC,QC,QC,KC", "not in the hand"),
        ("discard:7S,QC,QC,KC,8C", "no such action"),
        ("discard:", "no such action"),
        ("declare:max", "no such action"),
    ],
)
def test_what_cannot_be_laid_aside(token: str, said: str) -> None:
    assert said in illegal(*TAKEN, token)


def test_cards_are_laid_aside_in_any_order_and_recorded_in_that_of_the_pack() -> None:
    assert replayed(*TAKEN, "discard:KC,QC,7S,KC,QC").entries[-1] == "discard:7S,QC,QC,KC,KC"


def test_every_choice_of_cards_is_listed_once() -> None:
    state = replayed(*TAKEN)
    listed = legal(state)
    assert len(set(listed)) == len(listed)
    # 18 cards of 12 faces, six of them double: the coefficient of x^5 in (1+x)^6 (1+x+x²)^6
    ways = [1]  # by number of cards chosen
    for copies in [1] * 6 + [2] * 6:
        ways = [
            sum(ways[n - taken] for taken in range(copies + 1) if 0 <= n - taken < len(ways))
            for n in range(19)
        ]
    assert len(listed) == ways[5]


# ── The combinations ──────────────────────────────────────────────────────────────────────────────

EXAMPLES = {
    "QS KS JD QD KD QH KH QC KC AS TS 7H JH": (["GB", "4Q", "4K", "P"], 630),  # worked example 5
    "JH QH KH TH AH QH KH JS JD JC QS KS AC": (["MH", "GB", "4J", "FH"], 370),  # worked example 6
    "QS QS JD JD KS AH TH 7H 7C JC KC KD AD": (["MS", "BB"], 320),  # worked example 7
}


@pytest.mark.parametrize(("cards", "best"), EXAMPLES.items())
def test_the_best_list(cards: str, best: tuple[list[str], int]) -> None:
    declared = best_declaration(PACK.cards(cards), "H")
    assert (in_order(declared), worth_of(declared, "H")) == best


def random_hand(random: Random) -> int:
    """Thirteen cards, often without sevens and tens, so that there is something to declare."""
    some = [token for token in PACK.order if random.random() < 0.7 or token[0] not in "7T"]
    if random.random() < 0.5:
        some = [token for token in PACK.order if token[0] in "QKJ" or token[1] == "S"]
    return PACK.cards(random.sample(some, 13))


def test_all_legal_lists_are_listed_once_and_one_is_the_best() -> None:
    random = Random(5)
    for _ in range(400):
        hand = random_hand(random)
        lists = [tuple(in_order(declared)) for declared in declarations(hand)]
        assert len(set(lists)) == len(lists)
        assert all(broken_list(Counter(codes), hand) is None for codes in lists)
        worths = sorted(worth_of(Counter(codes), "H") for codes in lists)
        best = best_declaration(hand, "H")
        assert tuple(in_order(best)) in lists
        assert worth_of(best, "H") == worths[-1]
        assert worths.count(worths[-1]) == 1
        for _ in range(20):  # a list with a code more, or one less, is legal where it is listed
            codes = Counter(random.choice(lists))
            codes[random.choice(list(CODES))] += random.choice([-1, 1])
            if min(codes.values()) >= 0:
                assert (broken_list(codes, hand) is None) == (tuple(in_order(codes)) in lists)


def test_eight_of_a_rank_take_the_place_of_the_fours() -> None:
    hand = PACK.cards("QS QS QH QH QD QD QC QC 7S 7H 7D 7C JD")
    assert in_order(best_declaration(hand, "H")) == ["B", "8Q"]
    assert broken_list(Counter({"4Q": 2}), hand) is None
    assert broken_list(Counter({"4Q": 1, "8Q": 1}), hand) is not None


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("FH,FH", "famille"),
        ("FS", "famille"),
        ("P", "procession"),
        ("BB", "Bernicles"),
        ("GB,B", "Bernicles"),
        ("MH,MH,FH", "marriage"),
        ("MS,GB", "marriage"),
        ("4J", "four of a rank"),
        ("8Q", "four of a rank"),
        ("XX", "no such action"),
        ("", "no such action"),
        ("none,MH", "no such action"),
    ],
)
def test_what_cannot_be_declared(declared: str, said: str) -> None:
    assert said in illegal(*CHANGED, f"declare:{declared}")


def test_everyone_declares_once_the_taker_first() -> None:
    state = replayed(*CHANGED)
    assert state.actors() == (1,)
    assert legal(state)[0] == "declare:none"
    state.apply("declare:max")
    assert state.entries[-1] == "declare:MH,GB,FH"
    state.apply("declare:none")
    state.apply("declare:MD,MD")
    assert state.view(2).combinations == (("MH", "GB", "FH"), (), ("MD", "MD"))
    assert state.view(None).combos == (330, 0, 40)
    assert (state.phase, state.actors()) == ("play", (1,))
    assert replayed(*CHANGED, "declare:FH,MH").entries[-1] == "declare:MH,FH"


# ── The play ──────────────────────────────────────────────────────────────────────────────────────

CLUBS: dict[str, Any] = {  # worked example 9: seat 1 leads KH, trumps clubs, seat 2 answers
    "dealer": 3,
    "hands": [
        ["KH", "7S", "7S", "JS", "JS", "QS", "QS", "KS", "KS", "TS", "TS", "AS", "AS"],
        ["7C", "JC", "7D", "7D", "JD", "JD", "QD", "QD", "KD", "KD", "TD", "TD", "AD"],
        ["TH", "AH", "QH", "7C", "QC", "AD", "JH", "JH", "7H", "7H", "KC", "KC", "TC"],
    ],
    "dog": ["QH", "KH", "TH", "AH", "JC"],
    "pups": [["QC", "TC"], ["AC", "AC"]],
}
START = ("bid:150", "pass", "pass", "trump:C", "discard:QH,KH,TH,AH,JC")
QUIET = ("declare:none", "declare:none", "declare:none")


@pytest.mark.parametrize(
    ("second", "third", "played", "playable"),
    [
        ("discard:QC,TC", "discard:QC,AC", ["KH", "7C"], ["AH", "TH", "QH", "JH", "7H"]),  # a ruffed suit
        ("discard:QC,TC", "discard:QC,AC", ["KH", "JC"], ["AH", "TH", "QH", "JH", "7H"]),
    ],
)
def test_no_duty_to_go_up_in_a_ruffed_suit(
    second: str, third: str, played: list[str], playable: list[str]
) -> None:
    cards = [f"play:{card}" for card in played]
    state = replayed(*START, second, third, *QUIET, *cards, deal=CLUBS)
    assert legal(state) == [f"play:{card}" for card in playable]


def playable(trick: str, hand: str, trump: str = "C") -> list[str]:
    """The cards that a hand may play to a trick, asked of the engine itself."""
    state = replayed("bid:150", "pass", "pass", f"trump:{trump}")
    state.trick = [PACK.cards([token]) for token in trick.split()]
    state.asked = PACK.suit_of[lowest(state.trick[0])]
    return list(PACK.faces_of(state.may_play(PACK.cards(hand))))


@pytest.mark.parametrize(
    ("trick", "hand", "cards"),
    [
        ("KH", "TH AH QH 7C", ["AH", "TH"]),  # worked example 9
        ("KH 7C", "TH AH QH 7C", ["AH", "TH", "QH"]),
        ("KH JC", "7C QC AS", ["QC"]),
        ("KH JC", "7C AS", ["7C"]),
        ("AH", "TH QH 7C", ["TH", "QH"]),  # cannot go up
        ("TH", "TH QH", ["TH", "QH"]),  # the same card is no higher one
        ("KH TH", "AH QH", ["AH"]),
        ("TH KH", "AH QH", ["AH"]),
        ("QC", "KC 7C AH", ["KC"]),  # trumps led
        ("QC TC", "KC 7C AH", ["KC", "7C"]),
        ("KH", "7S AD JD", ["7S", "AD", "JD"]),
        ("KH AS", "TC 7C JD", ["TC", "7C"]),
    ],
)
def test_what_may_be_played(trick: str, hand: str, cards: list[str]) -> None:
    assert playable(trick, hand) == cards


def test_refusals_name_the_rule() -> None:
    assert "no such action" in illegal(*DECLARED, "play:8H")
    assert "not in the hand" in illegal(*DECLARED, "play:AC")
    assert "follow the suit" in illegal(*DECLARED, "play:KS", "play:AD")
    assert "higher card of the suit" in illegal(*DECLARED, "play:KS", "play:JS")
    assert "play a trump" in illegal(*START, "discard:QC,TC", "discard:7H,7H", *QUIET, "play:KH", "play:7D",
                                     deal=CLUBS)  # fmt: skip
    over = (*START, "discard:QC,TC", "discard:7H,7H", *QUIET, "play:KS", "play:JC")
    assert "play a trump" in illegal(*over, "play:AD", deal=CLUBS)
    assert "a higher trump" in illegal(*over, "play:7C", deal=CLUBS)


def test_of_two_equal_cards_the_first_played_wins() -> None:
    state = replayed(*DECLARED, "play:KS", "play:AS", "play:AD")
    assert (state.taker, state.view(None).points) == (1, (0, 25, 0))
    deal = DEAL | {
        "hands": [
            [*DEAL["hands"][0][:-1], "TD"],
            DEAL["hands"][1],
            [card if card != "TD" else "7S" for card in DEAL["hands"][2][:2]] + DEAL["hands"][2][2:],
        ]
    }
    state = replayed(
        *TAKEN, "discard:QC,QC,KC,KC,TC", "discard:JC,JC", "discard:7C,7C", "declare:none", "declare:none",
        "declare:none", "play:TD", "play:AD", "play:AD", deal=deal
    )  # fmt: skip
    assert state.taker == 1  # seat 2, whose ace came first


# ── The marks ─────────────────────────────────────────────────────────────────────────────────────

ONE: dict[str, Any] = {
    "taker": 1,
    "contract": 250,
    "combos": [140, 60, 0],
    "tricks": [7, 4, 2],
    "points": [120, 40, 20],
    "niche": 30,
}


@pytest.mark.parametrize(
    ("change", "options", "scores"),
    [
        ({}, {}, (510, 150, 150)),  # worked example 1
        ({"points": [100, 60, 20]}, {}, (140, 420, 420)),  # worked example 2
        ({"points": [100, 80, 0], "tricks": [7, 6, 0], "combos": [140, 60, 20]}, {}, (140, 440, 0)),  # 3
        (
            {"points": [100, 80, 0], "tricks": [7, 6, 0], "combos": [140, 60, 20]},
            {"trickless_combos": "void"},
            (140, 420, 0),
        ),
        (
            {"contract": 300, "combos": [60, 0, 20], "tricks": [0, 13, 0], "points": [0, 190, 0], "niche": 0},
            {},
            (0, 710, 0),
        ),  # worked example 4
        (
            {"contract": 300, "combos": [60, 0, 20], "tricks": [0, 13, 0], "points": [0, 190, 0], "niche": 0},
            {"capot": "flat400"},
            (0, 720, 0),
        ),
        ({"tricks": [13, 0, 0], "points": [180, 0, 0]}, {}, (250 + 180 + 200 + 140, 0, 0)),
        ({"tricks": [13, 0, 0], "points": [180, 0, 0]}, {"capot": "flat400"}, (250 + 400 + 140, 0, 0)),
        ({"contract": 260}, {}, (260 + 260, 150, 150)),  # reached exactly
        ({"contract": 270}, {}, (140, 420, 420)),
        # The 200 for all tricks count towards the contract.
        ({"contract": 500, "tricks": [13, 0, 0], "points": [180, 0, 0]}, {}, (500 + 380 + 140, 0, 0)),
        ({"tricks": [0, 7, 6], "points": [0, 90, 90], "combos": [400, 0, 0]}, {}, (0, 460, 460)),
        ({"trump": "S", "fault": None}, {}, (510, 150, 150)),
    ],
)
def test_the_marks(change: dict[str, Any], options: dict[str, Any], scores: tuple[int, ...]) -> None:
    assert GAME.score(ONE | change, options=options).scores == scores


def test_a_fault_of_the_taker_gives_the_defence_what_is_known() -> None:
    sheet = {name: value for name, value in ONE.items() if name != "tricks"}
    told = sheet | {"fault": 1, "points": [50, 10, 0]}
    assert GAME.score(told).scores == (0, 10 + 60 + 30 + 250, 350)


def test_a_fault_of_a_defender_gives_the_taker_his_contract() -> None:
    sheet = {name: value for name, value in ONE.items() if name not in {"tricks", "points"}}
    assert GAME.score(sheet | {"fault": 2}).scores == (250 + 200 + 140, 0, 0 + 30)
    assert GAME.score(sheet | {"fault": 3}).scores == (590, 60 + 30, 0)


@pytest.mark.parametrize(
    ("niche", "natural", "points"),
    [
        ("7S 7S 7H 7D 7D 7C JH QH JC", False, 190),  # worked example 8
        ("7S 7S 7H 7D 7D 7C JH QH JC", True, 160),
        ("7S JS QS KS TS AS 7H 7D KD", False, 60),  # 7–J–Q and K–10–A
        ("7S JS QS KS TS AS 7H 7D KD", True, 30),  # 10–J–Q or J–Q–K, 7 apart
        ("JS QH JH QS 7S 7H KD TC AC", False, 260),  # two tierces besides
        ("JS QH JH QS 7D 7C KD TC AC", False, 200),
        ("JS QS AH AD TC TD 7C 7D KH", False, 0),  # the same suit
        ("JS JH QS QH QD KC TC AD AH", False, 200),
        ("AS AS AH AH AD AD AC AC 7S", False, 100),
        ("AS AS AH AH AD AD AC 7C 7S", False, 80),
        ("AS AS AH AH AD 7D 7C TC TS", False, 50),
    ],
)
def test_what_the_niche_is_worth(niche: str, natural: bool, points: int) -> None:
    assert niche_points(niche.split(), natural=natural) == points


def test_tierces_from_the_lowest_are_the_most() -> None:
    """Against all ways to choose distinct runs, on random suits of up to nine cards."""
    random = Random(11)

    def most(left: Counter[str]) -> int:
        best = 0
        for at in range(4):
            run = "7JQKTA"[at : at + 3]
            if all(left[rank] for rank in run):
                best = max(best, 1 + most(left - Counter(run)))
        return best

    for _ in range(300):
        ranks = Counter(random.sample("7JQKTA" * 2, random.randint(3, 9)))
        niche = [f"{rank}S" for rank in ranks.elements()]
        counted = {4: 40, 5: 50, 6: 60, 7: 80, 8: 100}
        assert niche_points(niche) - sum(counted.get(n, 0) for n in ranks.values()) == 30 * most(ranks)


def test_petites_bernicles_are_the_largest_matching() -> None:
    random = Random(12)

    def most(jacks: tuple[str, ...], queens: tuple[str, ...]) -> int:
        if not jacks:
            return 0
        first, rest = jacks[0], jacks[1:]
        found = [most(rest, queens)]
        for at, queen in enumerate(queens):
            if queen != first:
                found.append(1 + most(rest, queens[:at] + queens[at + 1 :]))
        return max(found)

    for _ in range(300):
        niche = random.sample([f"{rank}{suit}" for rank in "JQ" for suit in "SHDC"] * 2, random.randint(0, 7))
        jacks, queens = (tuple(card[1] for card in niche if card[0] == rank) for rank in "JQ")
        counted = {4: 40, 5: 50, 6: 60, 7: 80, 8: 100}
        ranks = counted.get(len(jacks), 0) + counted.get(len(queens), 0)
        assert niche_points(niche) - ranks == 100 * most(jacks, queens)


def test_a_whole_deal() -> None:
    state = replayed(*DECLARED)
    while not state.over:
        state.apply(legal(state)[0])
    sheet = GAME.summarise(state)
    assert sum(sheet["tricks"]) == 13
    assert sum(sheet["points"]) == 200 - 10  # two kings lie in the niche
    assert sheet["niche"] == 60  # 7–J–Q of clubs, twice
    assert state.view(None).pile("niche").shown == ("7S", "KC", "KC", "QC", "QC", "JC", "JC", "7C", "7C")
    assert GAME.score(sheet).scores == state.outcome().scores


# ── The result sheet ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"taker": 4}, "taker", "seat"),
        ({"taker": None}, "contract", "left out"),
        ({"contract": 140}, "contract", "150 or more"),
        ({"contract": 155}, "contract", "multiple of 10"),
        ({"contract": None}, "contract", "missing"),
        ({"combos": [5, 0, 0]}, "combos", "multiple of 10"),
        ({"combos": None}, "combos", "missing"),
        ({"tricks": [7, 4, 3]}, "tricks", "add up to 14"),
        ({"tricks": None}, "tricks", "missing"),
        ({"points": [121, 40, 20]}, "points", "multiple of 5"),
        ({"points": [150, 40, 20]}, "points", "the pack has 200"),
        ({"points": [60, 40, 5]}, "points", "at most 90"),
        ({"points": [120, 0, 65]}, "points", "seat 3"),
        ({"points": [120, 40, 20], "tricks": [9, 4, 0]}, "points", "seat 3"),
        ({"points": None}, "points", "missing"),
        ({"niche": 25}, "niche", "multiple of 10"),
        ({"niche": None}, "niche", "missing"),
        ({"niche": -10}, "niche", "0 or more"),
        ({"trump": "T"}, "trump", "one of"),
        ({"fault": 1}, "tricks", "left out"),
        ({"fault": 2, "tricks": None}, "points", "left out"),
        ({"fault": 0}, "fault", "seat"),
        ({"fault": 1, "tricks": None, "points": [150, 40, 20]}, "points", "the pack has 200"),
        ({"winner": 1}, "winner", "not a field"),
    ],
)
def test_a_sheet_that_cannot_be(change: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(BadSheet) as refused:
        GAME.score(ONE | change)
    assert refused.value.field == field
    assert said in str(refused.value.constraint)


def test_a_sheet_needs_its_taker() -> None:
    with pytest.raises(BadSheet, match="taker: is missing"):
        GAME.score({})
    assert GAME.score({"taker": None}).scores == (0, 0, 0)


# ── The match ─────────────────────────────────────────────────────────────────────────────────────


def test_the_first_alone_at_2000_wins() -> None:
    big = ONE | {"contract": 800, "combos": [700, 60, 0]}  # 1620 for the taker, 150 each
    account = GAME.ledger([big, {"taker": None}, big])
    assert (account["over"], account["winner"], account["totals"]) == (True, 1, [3240, 300, 300])
    assert [row["dealer"] for row in account["rows"]] == [1, 2, 3]
    assert account["next_dealer"] is None
    assert account["rows"][1] == {"dealer": 2, "scores": [0, 0, 0], "totals": [1620, 150, 150]}
    with pytest.raises(BadRecord, match="over after 3 deals"):
        GAME.ledger([big, {"taker": None}, big, ONE])


def test_equal_highest_totals_play_on() -> None:
    lost = ONE | {"contract": 2000}  # each defender 30 + 60 + 60 + 2000
    account = GAME.ledger([lost])
    assert (account["over"], account["totals"], account["next_dealer"]) == (False, [140, 2150, 2150], 2)
    assert GAME.ledger([lost, ONE | {"taker": 2, "contract": 150}])["over"] is True


def test_a_misdeal_costs_200_and_is_no_deal() -> None:
    account = GAME.ledger([ONE, {"misdeal": 2}, {"misdeal": 2}, ONE])
    assert account["totals"] == [1020, -100, 300]
    assert account["rows"][1] == {
        "dealer": 2,
        "scores": [0, -200, 0],
        "totals": [510, -50, 150],
        "misdeal": 2,
    }
    assert (account["rows"][3]["dealer"], account["next_dealer"]) == (2, 3)


def test_nobody_wins_by_a_misdeal() -> None:
    """Seats 2 and 3 are equal above 2000 until seat 2 misdeals; the deal is played all the same."""
    lost = ONE | {"contract": 2000}
    account = GAME.ledger([lost, {"misdeal": 2}])
    assert (account["over"], account["totals"]) == (False, [140, 1950, 2150])


@pytest.mark.parametrize("entry", [{"misdeal": 1}, {"misdeal": True}, {"misdeal": 2, "taker": None}, 5, []])
def test_entries_that_are_refused(entry: Any) -> None:
    with pytest.raises(BadSheet, match=r"deals\[1\]"):
        GAME.ledger([ONE, entry])


def test_the_options_of_the_ledger_are_those_of_its_sheets() -> None:
    told = ONE | {"tricks": [13, 0, 0], "points": [180, 0, 0]}
    assert GAME.ledger([told], options={"capot": "flat400"})["totals"] == [790, 0, 0]


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

BOARD_FOUR = {**SENSIBLE, "about": "Board 4, sensible robots.", "number": 4}
CASES = {"bernicle": Case(recipes=(BOARD_FOUR, RANDOM), same_words=frozenset({"niche"}))}
