"""The Bésigues: the worked examples of engines/rules/besigue-japonais.md, then every refusal and option that
it names; the list of announcements against trying everything."""

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import pytest

from engines import registry
from engines.contract import with_defaults
from engines.errors import BadDeal, BadRecord, BadSheet
from engines.games.besigue import Chinois, Japonais
from engines.games.besigue.cards import CHINOIS, JAPONAIS, PACKS, PLACE, ChinoisDeal, JaponaisDeal
from engines.games.besigue.melds import Laid, Meld, is_covered, is_formed, standing_besigues
from engines.games.besigue.play import LEAD, MELD
from tests.samples import many

from .cases import Case
from .table import Table, legal, mean_scores

SIX, FOUR = Chinois(), Japonais()


def deal_of(first: str, second: str, stock: str = "", packs: int = 4) -> dict[str, Any]:
    """Dealer 2: seat 1 leads. Hands and stock begin as said and go on with low cards, then what remains."""
    size = {4: 9, 6: 12}[packs]
    lists, begun = [first.split(), second.split()], stock.split()
    left = list((Counter(PACKS[packs].order) - Counter([*lists[0], *lists[1], *begun])).elements())
    left.sort(key=lambda card: card[0] not in "789")
    for hand in lists:
        while len(hand) < size:
            hand.append(left.pop(0))
    return {"dealer": 2, "hands": lists, "stock": begun + left}


DEAL = deal_of("KH QH QS JD AS TS KS 7S 8S", "7H 7D 7C 8H 8D 8C 9H 9D JC")
TABLE = Table("besigue-japonais", DEAL)


def laid(state: Any, cards: str, hand: str = "", seat: int = 0) -> Any:
    """The state with these cards on the seat's table, announced as `KH/M` says, and the seat to announce."""
    told = [card.partition("/") for card in cards.split()]
    cards_laid = (Laid(slot, card, frozenset(flags)) for slot, (card, _, flags) in enumerate(told, 1))
    state.laid[seat] = tuple(cards_laid)
    state.next_slot[seat] = len(told) + 1
    state.level[seat] = standing_besigues({one.slot: one for one in state.laid[seat]})
    if hand:
        state.hands[seat] = PLACE.sorted(hand.split())
    state.now, state.actor, state.taker = MELD, seat, seat
    return state


def announcing(
    cards: str, hand: str, game: str = "besigue-japonais", trump: str | None = None, **how: Any
) -> Any:
    deal = DEAL if game == "besigue-japonais" else deal_of("", "", packs=6)
    state = laid(Table(game, deal).after(**how), cards, hand)
    state.trump = trump
    return state


def rule(state: Any, token: str) -> str:
    refusal = state.refusal(token)
    return "" if refusal is None else str(refusal.rule)


# ── The deal ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("made", "size", "stock"), [(JaponaisDeal, 9, 110), (ChinoisDeal, 12, 168)])
def test_three_by_three_the_forehand_first(made: Any, size: int, stock: int) -> None:
    pack = made.pack.order
    deal = made.of(pack, 2)
    assert deal.hands[0][:6] == (*pack[0:3], *pack[6:9])
    assert deal.hands[1][:3] == pack[3:6]
    assert [len(hand) for hand in deal.hands] == [size, size]
    assert len(deal.stock) == stock
    assert made.of(pack, 1).hands == deal.hands[::-1]


@pytest.mark.parametrize(
    ("change", "said"), [({"stock": []}, "9, 9, 110"), ({"hands": 1}, "lists"), ({"dealer": 3}, "dealer")]
)
def test_a_deal_that_is_not_the_pack(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDeal, match=said):
        FOUR.read_deal(DEAL | change)
    with pytest.raises(BadDeal):
        SIX.read_deal(DEAL)


# ── The cut and cartes blanches ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("lift", "guess", "points"),
    [(18, 18, [150, 250]), (18, 17, [0, 250]), (20, 20, [150, 0]), (20, 18, [0, 0])],
)
def test_the_cut(lift: int, guess: int, points: list[int]) -> None:
    state = TABLE.after(coupe="on")
    assert (state.phase, state.actors(), len(legal(state))) == ("lift", (2,), 128)
    state.apply(f"lift:{lift}")
    assert state.view(1).lifted is None
    state.apply(f"guess:{guess}")
    assert state.view(1).points == tuple(points)
    assert state.view(1).lifted == lift
    assert "size of the pack" in TABLE.refused("lift:129", coupe="on")
    assert "size of the pack" in TABLE.refused("lift:018", coupe="on")
    assert "no such action" in TABLE.refused("guess:18", coupe="on")


BLANK = "7H 7D 7C 8H 8D 8C 9H 9D 9C"


def test_cartes_blanches_in_a_chain() -> None:
    table = Table("besigue-japonais", deal_of("KH 7S 8S 9S AS TS 7S 8S 9S", BLANK, stock="TD JC TC AC"))
    state = table.after()
    assert (state.phase, state.actors(), legal(state)) == ("blanche", (2,), ["blanche", "pass"])
    shown = table.after("blanche")
    assert shown.view(1).pile("blanche", 2).shown == shown.view(2).hand
    assert (shown.phase, shown.actors(), shown.view(1).points) == ("lead", (1,), (0, 50))
    again = table.after("blanche", "play:AS", "play:7H", "pass")
    assert (again.phase, again.actors()) == ("lead", (1,))  # the jack ended the chain
    other = Table("besigue-japonais", deal_of("KH 7S 8S 9S AS TS 7S 8S 9S", BLANK, stock="JC TD"))
    chained = other.after("blanche", "play:AS", "play:7H", "pass")
    assert (chained.phase, chained.actors()) == ("blanche", (2,))
    chained.apply("blanche")
    assert chained.view(1).points == (0, 100)
    assert other.after("pass", "play:AS", "play:7H", "pass").phase == "lead"
    assert other.after("pass", "play:AS", "play:7H", "pass", blanches="any").phase == "blanche"
    assert "no such action" in str(state.refusal("play:KH"))


def test_a_record_leaves_out_who_passes_with_cartes_blanches() -> None:
    """A table has not heard it: the next entry says it, and the engine writes it down."""
    table = Table("besigue-japonais", deal_of("7S 8S 9S AS TS 7S 8S 9S TS", BLANK, stock="TD TC"))
    both = table.after()
    assert both.actors() == (1,)
    both.apply_all(["2 blanche", "play:AS", "play:7H", "pass", "play:TS"])
    assert both.entries == ["pass", "blanche", "play:AS", "play:7H", "pass", "pass", "play:TS"]
    assert both.view(1).points == (0, 50)
    assert "not in the hand" in table.refused("play:AS", "play:KH")
    game, told = Japonais(), ["1 blanche", "play:AS"]
    deal = game.read_deal(deal_of("7S 8S 9S AS TS 7S 8S 9S TS", BLANK))
    assert game.whole(deal, with_defaults(game.options, {}), told) == ["blanche", "pass", "play:AS"]


# ── Tricks with drawing ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("led", "answer", "trump", "winner"),
    [
        ("KH", "TH", None, 1),
        ("TH", "KH", None, 0),
        ("KH", "KH", None, 0),
        ("KH", "AS", None, 0),
        ("KH", "7S", "S", 1),
        ("KS", "7S", "S", 0),
        ("AD", "7H", "S", 0),
    ],
)
def test_who_wins(led: str, answer: str, trump: str | None, winner: int) -> None:
    state = TABLE.after()
    state.trump = trump
    state.hands = [(led, "7C"), (answer, "7C")]
    state.playable = state.hands[0]
    state.apply(f"play:{led}")
    state.apply(f"play:{answer}")
    assert (state.taker, state.phase, state.actors()) == (winner, "meld", (winner + 1,))


def test_the_winner_draws_first() -> None:
    state = TABLE.after("play:AS", "play:7H", "pass")
    assert DEAL["stock"][0] in state.view(1).hand
    assert (state.drawn, state.actors(), state.phase) == (2, (1,), "lead")
    assert (state.view(1).pile("stock").hidden, state.view(None).pile("stock").hidden) == (0, 108)
    assert [state.view(2).pile("last_trick", seat).shown for seat in (1, 2)] == [("AS", "7H"), ()]


def test_laid_cards_are_played_by_their_place() -> None:
    state = TABLE.after("play:AS", "play:7H", "meld:KH,QH>mariage:1,2")
    assert {"play:KH#1", "play:QH#2"} <= set(legal(state))
    assert "not in the hand" in rule(state, "play:KH")
    assert "not in that place" in rule(state, "play:KH#2")
    assert "not in that place" in rule(state, "play:KH#3")
    assert "no such action" in rule(state, "play:KH#x")
    assert "no such action" in rule(state, "play:KH#01")
    state.apply("play:QH#2")
    assert state.view(2).pile("table", 1).shown == ("KH",)


# ── Announcements ─────────────────────────────────────────────────────────────────────────────────


def test_the_first_mariage_makes_trumps() -> None:
    """Worked example 2."""
    state = TABLE.after("play:AS", "play:7H", "meld:KH,QH>mariage:1,2")
    assert (state.view(2).trump, state.view(2).points) == ("H", (40, 0))
    assert (state.view(2).pile("table", 1).shown, state.view(2).slots[0]) == (("KH", "QH"), (1, 2))
    later = announcing("", "KS QS", trump="H")
    later.apply("meld:KS,QS>mariage:1,2")
    assert later.points() == (20, 0)
    pending = announcing("", "QS JD KS")
    pending.apply("meld:QS,JD,KS>besigue:1,2+mariage:1,3")
    assert (pending.trump, pending.points()) == ("S", (40, 0))


def test_besigues_add_up() -> None:
    """Worked example 1."""
    state = announcing("QS/B JD/B", "QS JD")
    state.apply("meld:QS,JD>besigue:1,2,3,4")
    assert state.points() == (500, 0)
    both = announcing("", "QS JD QS JD")
    assert {"meld:QS,QS,JD,JD>besigue:1,2,3,4", "meld:QS,QS,JD,JD>besigue:1,3+besigue:1,2,3,4"} <= set(
        legal(both)
    )
    both.apply("meld:QS,JD,QS,JD>besigue:1,2+besigue:1,2,3,4")
    assert both.points() == (40, 0)
    laid(both, "QS/B JD/B QS/B JD/B")
    both.level[0] = 1
    assert legal(both)[0] == "mark:besigue:1,2,3,4"
    both.apply("mark:besigue:4,3,2,1")
    assert (both.points(), both.level[0], both.pending[0]) == ((540, 0), 2, ())
    assert both.entries[-1] == "mark:besigue:1,2,3,4"


def test_a_fifth_besigue_needs_a_broken_fourth() -> None:
    four = " ".join(["QS/B JD/B"] * 4)
    state = announcing(four, "QS JD", "besigue-chinois")
    assert rule(state, "meld:QS,JD>besigue:1,2,3,4,5,6,9,10")
    broken = announcing(" ".join(["QS/B JD/B"] * 3 + ["JD/B"]), "QS JD 7C", "besigue-chinois")
    assert broken.level[0] == 3
    broken.apply("meld:QS>besigue:1,2,3,4,5,6,7,8")
    assert broken.points() == (4500, 0)


def test_playing_a_card_lowers_what_stands() -> None:
    state = announcing("QS/B JD/B QS/B JD/B", "7C 8C 9C")
    state.pending[0] = (Meld("besigue", (1, 2, 3, 4)),)
    state.now = LEAD
    state.apply("play:QS#1")
    assert (state.level[0], state.pending[0]) == (1, ())


@pytest.mark.parametrize(
    ("table", "hand", "token", "fine"),
    [
        ("KH/M", "QS JD", "meld:QS,JD>besigue:2,3", False),  # worked example 3: the king obstructs
        ("KH/M", "QH", "meld:QH>mariage:1,2", True),  # widowed, it may be married again
        ("KH/M", "KS KD KC", "meld:KS,KD,KC>carre:1,2,3,4", True),
        ("KH/M QH/M", "QH", "meld:QH>mariage:1,3", False),
        ("KH/M QH/M", "KH QH", "meld:KH,QH>mariage:1,2,3,4", True),
        ("KH/M QH/M", "KH QH", "meld:KH,QH>mariage:3,4", False),
        ("KH/M QH/M KH/M QH/M", "KH QH", "meld:KH,QH>mariage:1,2,5,6", False),
        ("KH/S QH/S", "QS JD", "meld:QS,JD>besigue:3,4", True),  # 9
        ("KH/S QH/S", "QS", "meld:>mariage:1,2", False),
        ("KH/S QH/S", "QH", "meld:QH>mariage:1,3", False),
        ("KH/M QH/M", "AH TH JH", "meld:AH,TH,JH>suite:1,2,3,4,5", True),
        ("AH/S KH/S QH/S JH/S TH/S", "AH", "meld:AH>suite:2,3,4,5,6", False),
        ("KH/S QH/S JH/S TH/S", "AH", "meld:AH>suite:1,2,3,4,5", True),
        ("AH/S KH/S QH/S JH/S TH/S", "AH KH QH JH TH", "meld:AH,KH,QH,JH,TH>suite:6,7,8,9,10", True),
        ("KS/C KH/C KD/C KC/C", "KS", "meld:KS>carre:2,3,4,5", False),  # 4
        ("KS/C KH/C KD/C", "KS", "meld:KS>carre:1,2,3,4", True),
        ("", "KS KS KS KS", "meld:KS,KS,KS,KS>carre:1,2,3,4", True),
        ("", "TS TS TS TS", "meld:TS,TS,TS,TS>carre:1,2,3,4", False),
        ("", "7S 7H 7D 7C", "meld:7S,7H,7D,7C>carre:1,2,3,4", False),
        ("", "KH QS", "meld:KH,QS>mariage:1,2", False),
        ("", "KH QH KD", "meld:KH,QH,KD>mariage:1,2", False),  # a card too many
        ("", "QS KS JD", "meld:QS,KS,JD>mariage:1,2+besigue:1,3", True),
        ("", "KS QS KH QH", "meld:KS,QS,KH,QH>mariage:1,2+mariage:3,4", False),
        ("", "KS QS QH JD", "meld:KS,QS,QH,JD>mariage:1,2+besigue:3,4", False),
        ("", "AS KS QS JS TS", "meld:AS,KS,QS,JS,TS>mariage:2,3+suite:1,2,3,4,5", True),
        ("", "KS QS QH QD QC JD", "meld:KS,QS,QH,QD,QC,JD>mariage:1,2+carre:2,3,4,5", False),
        ("", "KS QS QH QD QC JD", "meld:KS,QS,QH,QD,QC,JD>mariage:1,2+besigue:2,6+carre:2,3,4,5", True),
    ],
)
def test_what_may_be_announced(table: str, hand: str, token: str, fine: bool) -> None:
    state = announcing(table, hand)
    assert (rule(state, token) == "") == fine


def test_more_in_the_chinese_game() -> None:
    """Worked example 4, and carrés of trumps."""
    fifth = announcing("KS/C KH/C KD/C KC/C", "KS", "besigue-chinois")
    fifth.apply("meld:KS>carre:2,3,4,5")
    assert fifth.points() == (80, 0)
    for cards, points in (("JH", 400), ("QH", 600), ("KH", 800), ("TH", 900), ("AH", 1000), ("AS", 100)):
        state = announcing("", " ".join([cards] * 4), "besigue-chinois", trump="H")
        state.apply(f"meld:{','.join([cards] * 4)}>carre:1,2,3,4")
        assert state.points() == (points, 0)
    assert rule(announcing("", "TS TS TS TS", "besigue-chinois", trump="H"), "meld:TS,TS,TS,TS>carre:1,2,3,4")
    assert rule(announcing("", "TH TH TH TH", "besigue-chinois"), "meld:TH,TH,TH,TH>carre:1,2,3,4")
    tens = "AS KS QS JS TS TS TS TS"
    both = announcing("", tens, "besigue-chinois")
    assert not rule(both, "meld:AS,KS,QS,JS,TS,TS,TS,TS>carre:5,6,7,8+suite:1,2,3,4,5")


def test_options_of_announcements() -> None:
    stands = "KS/C KH/C KD/C KC/C QS/B JD/B"
    assert not rule(announcing(stands, "7C"), "meld:>mariage:1,5")
    assert "laid with it" in rule(announcing(stands, "7C", new_card_required="on"), "meld:>mariage:1,5")
    hanging = "meld:QS,JD,JS,JH,JC,KS>besigue:1,2+mariage:1,6+carre:2,3,4,5"
    assert "of different types" in rule(announcing("", "QS JD JS JH JC KS"), hanging)
    assert not rule(announcing("", "QS JD JS JH JC KS", crossing="connected"), hanging)
    suite = "meld:AS,KS,QS,JS,TS>mariage:2,3+suite:1,2,3,4,5"
    assert "together" in rule(announcing("", "AS KS QS JS TS", mariage_with_suite="refused"), suite)


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("meld:KH,QH", "no such action"),
        ("meld:KH,QH>", "no such action"),
        ("meld:KH,QH>paire:1,2", "no such action"),
        ("meld:KH,QH>mariage:1,x", "no such action"),
        ("meld:KH,QH>mariage:01,2", "no such action"),
        ("meld:KH,ZZ>mariage:1,2", "no such action"),
        ("meld:KH,QD>mariage:1,2", "not in the hand"),
        ("meld:KH,QH>mariage:1,3", "not in that place"),
        ("meld:KH,QH>mariage:1,1,2,2", "not in that place"),
        ("meld:KH,QH>carre:1,2", "a mariage is"),
        ("mark:mariage:1,2", "not pending"),
        ("mark:mariage", "no such action"),
        ("play:KH", "no such action"),
    ],
)
def test_what_is_refused(token: str, said: str) -> None:
    assert said in TABLE.refused("play:AS", "play:7H", token)


@pytest.mark.parametrize(
    ("cards", "four", "six"),
    [
        ("KH", False, False),
        ("KH QH", True, True),
        ("KH QH QH", False, False),
        ("KH KS KD KC", True, True),
        ("KH KS KD KC KC", False, True),
        ("KH KS KD KC KC QC", True, True),
        ("AS KS QS JS TS", True, True),
        ("AS KS QS JS TS TS", False, False),
        ("QS JD", True, True),
        ("TH TH TH TH", False, True),
        ("TS TS TS TS", False, False),
    ],
)
def test_no_card_may_obstruct(cards: str, four: bool, six: bool) -> None:
    assert is_covered(cards.split(), "H", JAPONAIS) == four
    assert is_covered(cards.split(), "H", CHINOIS) == six


# ── All announcements, against trying everything ──────────────────────────────────────────────────


def accepted(state: Any) -> set[Any]:
    """Every announcement of up to three combinations that is not refused, each once: of what can be formed
    with the cards of table and hand, one combination to be scored and others after it in their order."""
    first = state.next_slot[state.actor]
    hand = sorted(state.hands[state.actor])
    cards = {one.slot: one.card for one in state.laid[state.actor]} | dict(enumerate(hand, first))
    melds = [
        Meld(kind, slots)
        for kind, sizes in (("mariage", (2, 4)), ("besigue", (2, 4)), ("carre", (4,)), ("suite", (5,)))
        for size in sizes
        for slots in combinations(sorted(cards), size)
        if is_formed(Meld(kind, slots), [cards[slot] for slot in slots], state.trump, state.rules)
    ]
    shapes = set()
    for count in (0, 1, 2):
        for others in combinations(melds, count):
            for scored in melds:
                chosen = [scored, *others]
                used = sorted({slot for meld in chosen for slot in meld.slots if slot >= first})
                renamed = {slot: first + place for place, slot in enumerate(used)}
                told = "+".join(
                    str(Meld(meld.kind, tuple(renamed.get(slot, slot) for slot in meld.slots)))
                    for meld in chosen
                )
                token = f"meld:{','.join(cards[slot] for slot in used)}>{told}"
                if state.is_legal(token):
                    shapes.add(shape(state, token))
    return shapes


def shape(state: Any, token: str) -> Any:
    """An announcement by what can be told apart: of each card in use its face, whether it is new, its flags,
    and in which of the combinations it serves."""
    cards, _arrow, told = token.removeprefix("meld:").partition(">")
    table = state.side().table(cards.split(",") if cards else [])
    parts = [part.partition(":") for part in told.split("+")]
    where = {slot: [] for slot in table}  # type: dict[int, list[int]]
    for place, (_kind, _, slots) in enumerate(parts):
        for slot in slots.split(","):
            where[int(slot)].append(place)
    first = state.next_slot[state.actor]
    used = Counter(
        (table[slot].card, slot >= first, table[slot].flags, tuple(places))
        for slot, places in where.items()
        if places
    )
    return tuple(kind for kind, _, _ in parts), frozenset(used.items())


@pytest.mark.parametrize("game", ["besigue-japonais", "besigue-chinois"])
@pytest.mark.parametrize("crossing", ["pairwise", "connected"])
def test_what_is_listed_is_what_is_not_refused(game: str, crossing: str) -> None:
    random = Random(8)
    flags = {"K": "MCS", "Q": "MBCS", "J": "BCS", "A": "CS", "T": "S"}
    seen = Counter[int]()
    for number in range(many(15, 40)):
        pool = ["KS", "QS", "JD", "KH", "QH", "AS", "TS", "JS"] * 2
        if number % 2:
            pool = ["JS", "JH", "JD", "JC", "QS", "KS", "QS", "JD"]
        cards = random.sample(pool, 7)
        there = [f"{card}/{random.choice(flags[card[0]])}" for card in cards[: random.randint(0, 3)]]
        state = announcing(
            " ".join(there), " ".join(cards[len(there) :]), game, random.choice([None, "S"]),
            crossing=crossing, mariage_with_suite=random.choice(["crossed", "refused"]),
            new_card_required=random.choice(["on", "off"]),
        )  # fmt: skip
        listed = [token for token in legal(state) if token.startswith("meld")]
        assert all(state.is_legal(token) for token in listed)
        few = [shape(state, token) for token in listed if token.count("+") < 3]
        assert len(set(few)) == len(few)
        assert set(few) == accepted(state)
        seen.update(token.count("+") for token in listed)
    assert min(seen[0], seen[1], seen[2]) >= 3


def test_a_connected_announcement_may_begin_apart() -> None:
    """A carré and a mariage that share no card, and a bésigue that joins them."""
    state = announcing("", "JS QS KS JH JD JC", crossing="connected")
    token = "meld:JS,QS,KS,JH,JD,JC>carre:1,4,5,6+mariage:2,3+besigue:2,5"
    assert state.is_legal(token)
    assert shape(state, token) in {shape(state, one) for one in legal(state) if one.startswith("meld")}
    drawn = {state.any_legal(1, Random(number)) for number in range(300)}
    assert shape(state, token) in {shape(state, one) for one in drawn if one.startswith("meld")}


# ── The final phase ───────────────────────────────────────────────────────────────────────────────


def at_the_end(first: str, second: str, trump: str | None = "S") -> Any:
    state = TABLE.after()
    state.drawn = len(DEAL["stock"])
    state.hands = [PLACE.sorted(first.split()), PLACE.sorted(second.split())]
    state.trump = trump
    state.begin_final()
    return state


@pytest.mark.parametrize(
    ("hand", "playable", "trump"),
    [
        ("QD TD AS", "TD", "S"),  # worked example 8
        ("QD AS 7C", "QD", "S"),
        ("AS 7S 7C", "7S AS", "S"),
        ("AS 7C", "AS 7C", None),
        ("9D QD", "9D QD", "S"),
        ("KD AD", "AD", "S"),
        ("7C 8H", "8H 7C", "S"),
    ],
)
def test_the_answer_of_the_final_phase(hand: str, playable: str, trump: str | None) -> None:
    state = at_the_end("KD 7H 7H", hand, trump)
    state.apply("play:KD")
    assert legal(state) == [f"play:{card}" for card in playable.split()]


def test_refusals_of_the_final_phase() -> None:
    state = at_the_end("KD 7H", "QD TD AS 7C")
    state.apply("play:KD")
    assert "higher card of the suit" in rule(state, "play:QD")
    assert "follow the suit" in rule(state, "play:AS")
    assert "no such action" in rule(state, "pass")
    void = at_the_end("KD 7H", "AS 7C")
    void.apply("play:KD")
    assert "play a trump" in rule(void, "play:7C")


def test_laid_cards_go_back_to_the_hand() -> None:
    state = TABLE.after("play:AS", "play:7H", "meld:KH,QH>mariage:1,2")
    state.drawn = len(DEAL["stock"])
    state.pending[0] = (Meld("mariage", (1, 2)),)
    state.begin_final()
    assert (state.laid, state.pending) == ([(), ()], [(), ()])
    assert {"KH", "QH"} <= set(state.hands[0])


def test_brisques_are_asked_for_below_the_rubicon() -> None:
    state = at_the_end("KD", "7D")
    state.apply("play:KD")
    state.apply("play:7D")
    assert (state.phase, state.actors(), legal(state)) == ("brisques", (1,), ["brisques", "pass"])
    asked = state.copy()
    asked.apply("brisques")
    assert (asked.over, asked.asked_by) == (True, 0)
    state.apply("pass")
    assert (state.phase, state.actors()) == ("brisques", (2,))
    assert "no such action" in rule(state, "play:KD")
    state.apply("pass")
    assert (state.over, state.asked_by) == (True, None)
    rich = at_the_end("KD", "7D")
    rich.mark(0, "suite", 2000)
    rich.mark(1, "suite", 2000)
    rich.apply("play:KD")
    rich.apply("play:7D")
    assert rich.over


@pytest.mark.parametrize("game", [FOUR, SIX])
def test_whole_deals(game: Any) -> None:
    for number in range(1, 6):
        options = with_defaults(game.options, {"coupe": "on"})
        state = game.start(registry.deal_board(game, bytes(32), number, options, {}), options)
        random = Random(number)
        while not state.over:
            state.apply(state.any_legal(state.actors()[0], random))
        assert sum(state.tricks) == game.rules.cards // 2
        assert sum(state.brisques) == 8 * game.rules.packs
        sheet = game.summarise(state)
        assert game.score(sheet).scores == state.outcome().scores


# ── The marks ─────────────────────────────────────────────────────────────────────────────────────


def sheet(one: int, other: int, **more: Any) -> dict[str, Any]:
    return {"points": [one, other], "last_trick": 1, **more}


def fault(seat: int, kind: str, count: int = 1) -> dict[str, Any]:
    return {"seat": seat, "kind": kind, "count": count}


@pytest.mark.parametrize(
    ("game", "told", "score"),
    [
        (FOUR, sheet(1400, 820), 3200),  # worked example 5
        (FOUR, sheet(1400, 820, brisques_asked_by=2, brisques=[13, 19]), 1000),
        (FOUR, sheet(1400, 820, brisques_asked_by=None, brisques=["?"]), 3200),
        (SIX, sheet(4990, 2990, brisques_asked_by=2, brisques=[23, 25]), 500 + 5240 + 230 - 2990 - 250 - 30),
        (SIX, sheet(5220, 3230), 2700),  # 6: 5470 with the last trick
        (FOUR, sheet(1150, 1200, brisques=[17, 15]), 500),  # 7
        (FOUR, sheet(1150, 1200, brisques=[15, 17]), -500),
        (FOUR, sheet(1150, 1200, brisques=[16, 16]), 500),
        (FOUR, sheet(1200, 1150, brisques=[16, 16], last_trick=2), -500),
        (FOUR, sheet(0, 0), 1000),  # 50 to nothing
        (FOUR, sheet(2000, 1000, faults=[fault(1, "trop_de_cartes", 3)]), 500 + 2050 - 1300 - 50),
        (FOUR, sheet(2000, 1000, faults=[fault(1, "oubli_de_pioche", 2)]), 500 + 2050 - 1020 - 30),
        (FOUR, sheet(2000, 1000, faults=[fault(2, "erreur_finale")]), 500 + 1050 - 50),
    ],
)
def test_the_marks(game: Any, told: dict[str, Any], score: int) -> None:
    assert game.score(told).scores == (score, -score)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"points": [0, 0]}, "last_trick: is missing"),
        (sheet(5, 0), "multiple of 10"),
        (sheet(10, 0), "cannot be 10"),
        (sheet(0, 30), "cannot be 10, 30"),
        (sheet(-10, 0), "0 or more"),
        (sheet(0, 0, last_trick=3), "seat"),
        (sheet(1400, 820, brisques_asked_by=1, brisques=[16, 16]), "reached the Rubicon"),
        (sheet(1400, 820, brisques_asked_by=2), "brisques: is missing"),
        (sheet(950, 1000), "brisques: is missing"),  # a tie
        (sheet(1400, 820, brisques_asked_by=2, brisques=[16, 17]), "add up to 33"),
        (sheet(1400, 820, brisques_asked_by=2, brisques=[33, -1]), "0 or more"),
        (sheet(0, 0, faults=[{"seat": 1}]), "kind: is missing"),
        (sheet(0, 0, faults=[fault(3, "oubli_de_pioche")]), "seat"),
        (sheet(0, 0, faults=[fault(1, "triche")]), "one of"),
        (sheet(0, 0, faults=[fault(1, "oubli_de_pioche", 0)]), "count"),
        (sheet(0, 0, faults=[fault(2, "erreur_finale", 2)]), "count"),
        (sheet(0, 0, faults=[fault(2, "erreur_finale"), fault(2, "erreur_finale")]), "only one"),
        (sheet(0, 0, faults=[fault(1, "erreur_finale")]), "last_trick"),
        (sheet(0, 0, trump="S"), "not a field"),
    ],
)
def test_a_sheet_that_cannot_be(told: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSheet, match=said):
        FOUR.score(told)


def test_impossible_sums_differ_by_game() -> None:
    assert FOUR.score(sheet(2000, 110)).scores[0] > 0
    with pytest.raises(BadSheet, match="90, 110"):
        SIX.score(sheet(2000, 110))


def test_a_match_goes_to_its_target() -> None:
    won = {"scores": [3200, -3200]}
    account = FOUR.ledger([won | {"dealer": 2}, {"scores": [-500, 500]}])
    assert (account["totals"], account["over"], account["next_dealer"]) == ([3200, 500], False, 2)
    assert account["rows"][0] == {"dealer": 2, "marks": [3200, 0], "totals": [3200, 0]}
    over = FOUR.ledger([won, won])
    assert (over["over"], over["winner"], over["target"]) == (True, 1, 5000)
    assert SIX.ledger([won, won])["over"] is False
    with pytest.raises(BadRecord, match="over after 2 deals"):
        FOUR.ledger([won, won, won])


@pytest.mark.parametrize(
    "entry",
    [
        {"scores": [3200, 3200]},
        {"scores": [400, -400]},
        {"scores": [550, -550]},
        {"scores": [True, False]},
        {"scores": [3200]},
        {},
        7,
        {"scores": [3200, -3200], "dealer": 1},
    ],
)
def test_entries_that_are_refused(entry: Any) -> None:
    with pytest.raises(BadSheet, match=r"deals\[1\]"):
        FOUR.ledger([{"scores": [500, -500]}, entry])


@pytest.mark.parametrize("game", ["besigue-japonais", "besigue-chinois"])
def test_a_sensible_robot_beats_random_ones(game: str) -> None:
    sensible, random = mean_scores(game, 12)
    assert sensible > random + 1000


# ── For the suites of all games ───────────────────────────────────────────────────────────────────


def meld_by_shape(state: Any, token: str) -> Any:
    """One of the announcements is listed that differ by cards which nothing tells apart."""
    return shape(state, token) if token.startswith("meld") else token


CASE = Case(
    same_words=frozenset({"brisques", "bésigue", "carré", "cartes blanches", "mariage", "suite", "total"}),
    announced=("phase", "actors"),  # a seat that is asked about cartes blanches holds them
    opens=("blanche",),
    meaning=meld_by_shape,
    explains_more=True,
)
CASES = {"besigue-chinois": CASE, "besigue-japonais": CASE}
