"""The Bésigues: all that a hand could announce (section 4)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

from ...combinations import selections
from .cards import FACES, PLACE, SUITS, Rules
from .melds import (
    BESIGUE,
    BESIGUES,
    CARRE,
    CARRES,
    KINDS,
    MARIAGE,
    MARIAGES,
    OF_A_SUITE,
    SUITE,
    Meld,
    Side,
    goes_with,
    hang_together,
    is_another_type,
    is_new,
)

MOST = 7  # combinations in one announcement: four levels of bésigues, and one of each other kind

Cell = tuple[str, tuple[int, ...]]
"""Cards that nothing tells apart so far: the face, and their slots, ascending; what is still in the hand has
slots beyond those of the table."""

Faces = tuple[tuple[tuple[str, ...], int], ...]  # how many cards of which faces


def all_shapes(trump: str | None, rules: Rules) -> Iterator[tuple[str, Faces]]:
    """Every shape of a combination: its kind, and its cards."""
    for suit in SUITS:
        for number in MARIAGES:
            yield MARIAGE, ((("K" + suit,), number), (("Q" + suit,), number))
    for number in BESIGUES:
        yield BESIGUE, ((("QS",), number), (("JD",), number))
    for rank in CARRES:
        yield CARRE, ((tuple(rank + suit for suit in SUITS), 4),)
    for suit in SUITS if rules.trump_carres else ():
        if trump in {None, suit}:
            yield CARRE, ((("T" + suit,), 4),)
    for suit in SUITS:
        yield SUITE, tuple(((rank + suit,), 1) for rank in OF_A_SUITE)


def chosen_from(cells: Sequence[Cell], faces: Faces) -> Iterator[dict[int, int]]:
    """How many cards of each cell (by its place) make the shape, in every way."""
    groups = []
    for names, size in faces:
        held = [(str(at), len(slots)) for at, (face, slots) in enumerate(cells) if face in names]
        if sum(copies for _, copies in held) < size:
            return
        groups.append(list(selections(held, size)))
    for parts in product(*groups):
        yield {int(at): copies for at, copies in Counter(at for part in parts for at in part).items()}


def follows(kind: str, size: int, melds: tuple[Meld, ...]) -> bool:
    """Whether a combination can follow the others in their order."""
    if not is_another_type(kind, melds):
        return False
    levels = [len(meld.slots) for meld in melds if meld.kind == BESIGUE]
    later = not melds[1:] or KINDS.index(melds[-1].kind) <= KINDS.index(kind)
    return later and (kind != BESIGUE or all(level < size for level in levels))


class Search:
    """The announcements of a side: the cells of cards that nothing tells apart, concealed cards with slots
    beyond those of the table as if all were laid."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.hand = sorted(side.hand, key=PLACE.__getitem__)
        self.cells = cells_of(side, self.hand)
        self.shapes = list(all_shapes(side.trump, side.rules))
        self.option = str(side.options["crossing"])
        self.table = side.table(self.hand)

    def sound(self, meld: Meld) -> bool:
        """Whether a combination may be announced, as far as that does not depend on the others."""
        if meld.kind == BESIGUE:
            return len(meld.slots) // 2 > self.side.level
        return is_new(meld, self.table, self.side.rules) is None

    def steps(self, cells: Sequence[Cell], before: tuple[Meld, ...]) -> Iterator[tuple[Meld, list[Cell]]]:
        """Every combination that can follow the others in their order, with the cells after it. Of cards that
        nothing tells apart the first are taken."""
        for kind, faces in self.shapes:
            if not follows(kind, sum(size for _, size in faces), before):
                continue
            for taken in chosen_from(cells, faces):
                slots = sorted(slot for at, n in taken.items() for slot in cells[at][1][:n])
                meld = Meld(kind, tuple(slots))
                if not goes_with(meld, before, self.option) or not self.sound(meld):
                    continue
                split = []
                for at, (face, all_slots) in enumerate(cells):
                    n = taken.get(at, 0)
                    split += [(face, part) for part in (all_slots[:n], all_slots[n:]) if part]
                yield meld, split

    def choices(
        self, cells: Sequence[Cell], size: int, before: tuple[Meld, ...] = ()
    ) -> Iterator[tuple[Meld, ...]]:
        """Every choice of so many combinations, in the order in which they are written: the scored one, then
        the others as mariage, bésigues from the smallest, carré, suite. Only the current choice is kept in
        memory."""
        if len(before) == size:
            if hang_together(before):
                yield before
            return
        for meld, split in self.steps(cells, before):
            yield from self.choices(split, size, (*before, meld))

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
        cells, combinations = list(self.cells), tuple[Meld, ...]()
        token: str | None = None
        while options := list(self.steps(cells, combinations)):
            meld, cells = random.choice(options)
            combinations = (*combinations, meld)
            token = self.to_token(combinations) or token
            if token and random.random() < 0.5:
                break
        return token


def cells_of(side: Side, hand: Sequence[str]) -> list[Cell]:
    """The cards of a table that nothing tells apart (face, flags, pending combinations), then those in the
    hand by face."""
    groups: dict[tuple[str, frozenset[str], frozenset[Meld]], list[int]] = {}
    for laid in side.laid:
        within = frozenset(meld for meld in side.pending if laid.slot in meld.slots)
        groups.setdefault((laid.card, laid.flags, within), []).append(laid.slot)
    cells = [(card, tuple(slots)) for (card, _, _), slots in groups.items()]
    held, first = Counter(hand), side.first
    for face in FACES:
        if held[face]:
            cells.append((face, tuple(range(first, first + held[face]))))
            first += held[face]
    return cells
