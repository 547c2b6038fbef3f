"""The Bésigues: sound combinations, and all that a hand could announce (section 4)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations_with_replacement, product
from random import Random
from typing import NamedTuple

from ...combinations import Tally, complete, couples, selections
from ...contract import Settings
from ...phrases import Phrase
from .cards import FACES, RANKS, SUITS, Rules

MARIAGE, BESIGUE, CARRE, SUITE = "mariage", "besigue", "carre", "suite"
KINDS = (MARIAGE, BESIGUE, CARRE, SUITE)
FLAG = {MARIAGE: "M", BESIGUE: "B", CARRE: "C", SUITE: "S"}
MARIAGES = {1: (20, 40), 2: (80, 160)}  # by number; in trumps
BESIGUES = {1: 40, 2: 500, 3: 1500, 4: 4500}
CARRES = {"J": 40, "Q": 60, "K": 80, "A": 100}
TRUMP_CARRES = {"J": 400, "Q": 600, "K": 800, "T": 900, "A": 1000}
SUITES = (150, 250)
OF_A_SUITE = "JQKTA"
PAIR = ("QS", "JD")

NOT_FORMED = Phrase(
    "a mariage is the queen and king of a suit, a bésigue the queen of spades and jack of diamonds, a carré "
    "four of a rank, a suite the jack to ace of a suit"
)
STANDS_ALREADY = Phrase("this combination already stands, or uses cards that may not serve in it again")
FIVE_IN_A_CARRE = Phrase(
    "a carré that has lost a card is announced again with all its other cards; no card joins a complete one"
)
NOT_CROSSED = Phrase("combinations that are announced together must be of different types and share cards")
NOT_TOGETHER = Phrase("a mariage and a suite may not be announced together")
OBSTRUCTED = Phrase("a card on the table would lie outside every combination")
ALL_USED = Phrase("every card that is laid now must serve in a combination")
NEW_CARD = Phrase("an announcement needs a card that is laid with it")

REFUSALS = {
    "formed": NOT_FORMED, "stands": STANDS_ALREADY, "fifth": FIVE_IN_A_CARRE, "crossed": NOT_CROSSED,
    "apart": NOT_TOGETHER, "outside": OBSTRUCTED, "unused": ALL_USED, "new": NEW_CARD,
}  # fmt: skip


class Laid(NamedTuple):
    """A card on a table, and in which kinds of combinations it was announced."""

    slot: int
    card: str
    flags: frozenset[str] = frozenset()


class Meld(NamedTuple):
    """A combination: its kind, and its cards by their slots, ascending."""

    kind: str
    slots: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.kind}:{','.join(map(str, self.slots))}"


Table = Mapping[int, Laid]  # by slot


def cards_of(meld: Meld, table: Table) -> list[str]:
    return [table[slot].card for slot in meld.slots]


def count(table: Table, card: str, flag: str) -> int:
    """How many copies of a card on the table carry a flag."""
    return sum(laid.card == card and flag in laid.flags for laid in table.values())


def standing_besigues(table: Table) -> int:
    return min(count(table, "QS", "B"), count(table, "JD", "B"))


def is_formed(meld: Meld, cards: Sequence[str], trump: str | None, rules: Rules) -> bool:
    """Whether the cards form a combination of this kind."""
    return (meld.kind, tuple(sorted(cards))) in all_combinations(trump or "", rules)


def is_new(meld: Meld, table: Table, rules: Rules) -> Phrase | None:
    """The rule against announcing a combination again with cards that have served in it."""
    laid = [table[slot] for slot in meld.slots]
    flag = FLAG[meld.kind]
    flagged = Counter(one.card for one in laid if flag in one.flags)
    number = len(laid) // 2
    if meld.kind == MARIAGE:
        suit = laid[0].card[1]
        king, queen = "K" + suit, "Q" + suit
        standing = min(count(table, king, flag), count(table, queen, flag))
        if number <= standing or min(flagged[king], flagged[queen]) < standing:
            return STANDS_ALREADY
        # A card of a suite is no longer married; it may be listed where it stands in a marriage.
        for card in (king, queen):
            in_suite = [one for one in laid if one.card == card and "S" in one.flags]
            if len(in_suite) > standing or any("M" not in one.flags for one in in_suite):
                return STANDS_ALREADY
        return None
    if meld.kind == BESIGUE:
        standing = standing_besigues(table)
        enough = min(flagged["QS"], flagged["JD"]) >= standing
        return None if number > standing and enough else STANDS_ALREADY
    if meld.kind == CARRE:
        if flagged.total() == len(laid):
            return STANDS_ALREADY
        rank = laid[0].card[0]
        served = {slot for slot, one in table.items() if one.card[0] == rank and flag in one.flags}
        return FIVE_IN_A_CARRE if not rules.trump_carres and not served <= set(meld.slots) else None
    suit = laid[0].card[1]
    stands = all(count(table, rank + suit, flag) for rank in OF_A_SUITE)
    again = flagged.total() > 0 if stands else flagged.total() == len(laid)
    return STANDS_ALREADY if again else None


def value(meld: Meld, table: Table, trump: str | None, rules: Rules) -> int:
    cards = cards_of(meld, table)
    in_trumps = all(card[1] == trump for card in cards)
    if meld.kind == MARIAGE:
        return MARIAGES[len(cards) // 2][in_trumps]
    if meld.kind == BESIGUE:
        return BESIGUES[len(cards) // 2]
    if meld.kind == SUITE:
        return SUITES[in_trumps]
    return (TRUMP_CARRES if rules.trump_carres and in_trumps else CARRES)[cards[0][0]]


def trump_after(melds: Sequence[Meld], table: Table, trump: str | None) -> str | None:
    """The trump suit once these are announced: the first mariage or suite fixes it."""
    fixing = (table[meld.slots[0]].card[1] for meld in melds if meld.kind in {MARIAGE, SUITE})
    return trump or next(fixing, None)


def is_covered(cards: Sequence[str], trump: str | None, rules: Rules) -> bool:
    """Whether every card on a table lies in some combination, by its shape alone."""
    held, outside = Counter(cards), Counter[str]()  # outside of bésigues, suites and mariages, by rank
    for card, copies in held.items():
        rank, suit = card[0], card[1]
        serving = complete(held.__getitem__, [one + suit for one in OF_A_SUITE])
        if rank in "QK":
            serving += couples(held.__getitem__, "Q" + suit, "K" + suit)
        if card in {"QS", "JD"}:
            serving += couples(held.__getitem__, "QS", "JD")
        if copies > serving:
            if rank == "T" and not (rules.trump_carres and suit == trump and copies >= 4):
                return False
            outside[rank] += copies - serving
    for rank in outside.keys() & CARRES.keys():
        together = sum(held[rank + suit] for suit in SUITS)
        if together < 4 if rules.trump_carres else outside[rank] > 4 * (together // 4):
            return False
    return True


def are_crossed(melds: Sequence[Meld], option: str) -> bool:
    """Whether these may be announced together: each goes with those before it, and all are connected."""
    return all(goes_with(meld, melds[:at], option) for at, meld in enumerate(melds)) and hang_together(melds)


def goes_with(meld: Meld, others: Sequence[Meld], option: str) -> bool:
    """Whether a combination may stand in an announcement after others: it is of another type, or a bésigue
    with all the cards of a lower one, and by the option `pairwise` it shares a card with each of them."""
    cards = set(meld.slots)
    lower = [other for other in others if meld.kind == other.kind == BESIGUE]
    return (
        is_another_type(meld.kind, others)
        and all(cards > set(other.slots) for other in lower)
        and (option == "connected" or not any(cards.isdisjoint(other.slots) for other in others))
    )


def is_another_type(kind: str, others: Sequence[Meld]) -> bool:
    """Whether a combination of this kind can join others: of bésigues there are several levels."""
    return kind == BESIGUE or all(other.kind != kind for other in others)


def hang_together(melds: Sequence[Meld]) -> bool:
    """Whether each combination shares a card with another, and so all of them with the first."""
    together, rest = set(melds[0].slots), list(melds[1:])
    while joined := [meld for meld in rest if set(meld.slots) & together]:
        together.update(*(meld.slots for meld in joined))
        rest = [meld for meld in rest if meld not in joined]
    return not rest


@dataclass(frozen=True, slots=True)
class Side:
    """What a player may announce depends on: the concealed `hand` in order; the cards `laid` on the table,
    and the combinations `pending` there; `first`: the slot of the next card that is laid; `level`: the
    highest bésigue scored among those that stand."""

    hand: tuple[str, ...]
    laid: Sequence[Laid]
    pending: Sequence[Meld]
    first: int
    level: int
    trump: str | None
    rules: Rules
    options: Settings

    def table(self, new: Sequence[str] = ()) -> dict[int, Laid]:
        """The cards on the table by slot, with these laid now."""
        table = {laid.slot: laid for laid in self.laid}
        return table | {slot: Laid(slot, card) for slot, card in enumerate(new, self.first)}

    def may_mark(self, meld: Meld) -> bool:
        """Whether a pending combination can be scored: a bésigue above those scored and not above those that
        stand."""
        return meld.kind != BESIGUE or self.level < len(meld.slots) // 2 <= standing_besigues(self.table())

    def broken_rule(self, melds: Sequence[Meld], new: Sequence[str]) -> Phrase | None:
        """The rule that an announcement breaks, with which these cards are laid."""
        table, rules = self.table(new), self.rules
        if self.options["new_card_required"] == "on" and not new:
            return NEW_CARD
        if not {slot for meld in melds for slot in meld.slots} >= {
            slot for slot in table if slot >= self.first
        }:
            return ALL_USED
        trump = trump_after(melds, table, self.trump)
        besigues = [meld for meld in melds if meld.kind == BESIGUE]
        for meld in melds:
            if not is_formed(meld, cards_of(meld, table), trump, rules):
                return NOT_FORMED
            judged = meld.kind != BESIGUE or meld == besigues[-1]
            if judged and (rule := is_new(meld, table, rules)):
                return rule
            if meld.kind == BESIGUE and len(meld.slots) // 2 <= self.level:
                return STANDS_ALREADY
        if len(melds) > 1 and not are_crossed(melds, str(self.options["crossing"])):
            return NOT_CROSSED
        if self.options["mariage_with_suite"] == "refused" and {MARIAGE, SUITE} <= {
            meld.kind for meld in melds
        }:
            return NOT_TOGETHER
        return None if is_covered([laid.card for laid in table.values()], trump, rules) else OBSTRUCTED


# ── All that a hand could announce ────────────────────────────────────────────────────────────────

MOST = 7  # combinations in one announcement: four levels of bésigues, and one of each other kind

Cell = tuple[str, tuple[int, ...]]
"""Cards that nothing tells apart so far: the face, and their slots, ascending; what is still in the hand has
slots beyond those of the table."""

Faces = tuple[tuple[tuple[str, ...], int], ...]  # how many cards of which faces

TALLY = Tally((*FACES, *RANKS), bits=5)
COPY = {face: TALLY.of((face, face[0])) for face in FACES}
"""What a card adds to a tally: one to its face, and one to its rank."""


class Shape(NamedTuple):
    """A shape of a combination. `wanted`: the tally that it takes."""

    kind: str
    faces: Faces
    size: int
    wanted: int

    @classmethod
    def of(cls, kind: str, *faces: tuple[tuple[str, ...], int]) -> "Shape":
        wanted = sum(size * TALLY.one[names[0] if len(names) == 1 else names[0][0]] for names, size in faces)
        return cls(kind, faces, sum(size for _, size in faces), wanted)


@cache
def all_shapes(trump: str | None, rules: Rules) -> tuple[Shape, ...]:
    """Every shape of a combination. None: any suit may still become trumps."""
    tens = [suit for suit in SUITS if trump in {None, suit}] if rules.trump_carres else []
    return (
        *(Shape.of(MARIAGE, (("K" + suit,), n), (("Q" + suit,), n)) for suit in SUITS for n in MARIAGES),
        *(Shape.of(BESIGUE, (("QS",), n), (("JD",), n)) for n in BESIGUES),
        *(Shape.of(CARRE, (tuple(rank + suit for suit in SUITS), 4)) for rank in CARRES),
        *(Shape.of(CARRE, (("T" + suit,), 4)) for suit in tens),
        *(Shape.of(SUITE, *(((rank + suit,), 1) for rank in OF_A_SUITE)) for suit in SUITS),
    )


@cache
def all_combinations(trump: str | None, rules: Rules) -> frozenset[tuple[str, tuple[str, ...]]]:
    """Every combination: its kind, and its cards, sorted."""
    return frozenset(
        (kind, tuple(sorted(chain(*cards))))
        for kind, faces, _, _ in all_shapes(trump, rules)
        for cards in product(*(combinations_with_replacement(names, size) for names, size in faces))
    )


def chosen_from(where: Mapping[str, Sequence[tuple[int, int]]], faces: Faces) -> Iterator[dict[int, int]]:
    """How many cards of each cell (by its place) make the shape, in every way. `where`: by face, the places
    of its cells and how many cards they have."""
    groups = []
    for names, size in faces:
        held = sorted(cell for name in names for cell in where.get(name, ()))
        if sum(copies for _, copies in held) < size:
            return
        groups.append(list(selections(held, size)))
    for parts in product(*groups):
        yield dict(Counter(chain(*parts)))


def follows(kind: str, size: int, melds: tuple[Meld, ...]) -> bool:
    """Whether a combination can follow the others in their order."""
    if not melds:
        return True
    if not is_another_type(kind, melds):
        return False
    levels = [len(meld.slots) for meld in melds if meld.kind == BESIGUE]
    later = not melds[1:] or KINDS.index(melds[-1].kind) <= KINDS.index(kind)
    return later and (kind != BESIGUE or all(level < size for level in levels))


class Search:
    """The announcements of a side: the cells of cards that nothing tells apart, concealed cards with slots
    beyond those of the table as if all were laid."""

    def __init__(self, side: Side) -> None:
        self.side, self.hand = side, side.hand
        held = sum([COPY[card] for card in side.hand]) + sum([COPY[laid.card] for laid in side.laid])
        shapes = all_shapes(side.trump, side.rules)
        self.shapes = [shape for shape in shapes if TALLY.without(held, shape.wanted) >= 0]
        self.cells = cells_of(side) if self.shapes else []
        self.option = str(side.options["crossing"])
        self.table = side.table(self.hand) if self.shapes else {}

    def sound(self, meld: Meld) -> bool:
        """Whether a combination may be announced, as far as that does not depend on the others."""
        if meld.kind == BESIGUE:
            return len(meld.slots) // 2 > self.side.level
        return is_new(meld, self.table, self.side.rules) is None

    def steps(self, cells: Sequence[Cell], before: tuple[Meld, ...]) -> Iterator[Meld]:
        """Every combination that can follow the others in their order. Of cards that nothing tells apart the
        first are taken."""
        where: dict[str, list[tuple[int, int]]] = {}
        for at, (face, slots) in enumerate(cells):
            where.setdefault(face, []).append((at, len(slots)))
        for kind, faces, size, _ in self.shapes:
            if not follows(kind, size, before):
                continue
            for taken in chosen_from(where, faces):
                chosen = sorted(slot for at, n in taken.items() for slot in cells[at][1][:n])
                meld = Meld(kind, tuple(chosen))
                if goes_with(meld, before, self.option) and self.sound(meld):
                    yield meld

    def choices(
        self, cells: Sequence[Cell], size: int, before: tuple[Meld, ...] = ()
    ) -> Iterator[tuple[Meld, ...]]:
        """Every choice of so many combinations, in the order in which they are written: the scored one, then
        the others as mariage, bésigues from the smallest, carré, suite. Only the current choice is kept in
        memory."""
        for meld in self.steps(cells, before):
            chosen = (*before, meld)
            if len(chosen) < size:
                yield from self.choices(after(cells, meld), size, chosen)
            elif hang_together(chosen):
                yield chosen

    def announcements(self, size: int) -> Iterator[str]:
        """Those of so many combinations, one after the other."""
        yield from filter(None, map(self.to_token, self.choices(self.cells, size)))

    def to_token(self, combinations: Sequence[Meld]) -> str | None:
        """The announcement as a token, its new cards numbered as they are laid; None if it is not legal."""
        first = self.side.first
        used = sorted({slot for meld in combinations for slot in meld.slots if slot >= first})
        new = [self.hand[slot - first] for slot in used]
        renamed = {slot: first + place for place, slot in enumerate(used)}
        numbered = [
            Meld(meld.kind, tuple(sorted(renamed.get(slot, slot) for slot in meld.slots)))
            for meld in combinations
        ]
        if self.side.broken_rule(numbered, new):
            return None
        return f"meld:{','.join(new)}>{'+'.join(map(str, numbered))}"

    def draw(self, random: Random) -> str | None:
        """One by chance, put together combination by combination; each can be drawn."""
        cells, combinations = self.cells, tuple[Meld, ...]()
        token: str | None = None
        while options := list(self.steps(cells, combinations)):
            meld = random.choice(options)
            cells, combinations = after(cells, meld), (*combinations, meld)
            token = self.to_token(combinations) or token
            if token and random.random() < 0.5:
                break
        return token


def after(cells: Sequence[Cell], meld: Meld) -> list[Cell]:
    """The cells when a combination tells their cards apart."""
    parts = []
    for face, slots in cells:
        inside = tuple(slot for slot in slots if slot in meld.slots)
        parts += [(face, part) for part in (inside, slots[len(inside) :]) if part]
    return parts


def cells_of(side: Side) -> list[Cell]:
    """The cards of a table that nothing tells apart (face, flags, pending combinations), then those in the
    hand by face."""
    groups: dict[tuple[str, frozenset[str], frozenset[Meld]], list[int]] = {}
    for laid in side.laid:
        within = frozenset(meld for meld in side.pending if laid.slot in meld.slots)
        groups.setdefault((laid.card, laid.flags, within), []).append(laid.slot)
    cells = [(card, tuple(slots)) for (card, _, _), slots in groups.items()]
    first = side.first
    for face, copies in Counter(side.hand).items():
        cells.append((face, tuple(range(first, first + copies))))
        first += copies
    return cells
