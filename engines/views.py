"""What a seat may know of a deal: piles of cards, shown or hidden, the trick on the table, what was said.

Pages and robots read these values and nothing else. A game in which more is known extends `View` by fields of
its own, and its robot reads them by their names.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

HAND, TABLE = "hand", "table"
"""Names of piles: the cards that a seat holds, and those that lie face up for all."""


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards that lie together: those that are `shown`, and how many others are `hidden`. `seat`: whose they
    are, if anybody's."""

    name: str
    shown: tuple[str, ...] = ()
    hidden: int = 0
    seat: int | None = None

    @classmethod
    def of(cls, name: str, cards: Sequence[str], *, is_shown: bool = True, seat: int | None = None) -> "Pile":
        """All of its cards shown, or none."""
        return cls(name, tuple(cards), 0, seat) if is_shown else cls(name, (), len(cards), seat)


@dataclass(frozen=True, slots=True)
class Laid:
    """A card of a trick: whose it is and the face that counts; `under`: the card that has taken this face."""

    seat: int
    card: str
    under: str | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What a seat said, as its token."""

    seat: int
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a `seat` may know (None: a spectator). Seats count from 1."""

    seat: int | None
    phase: str
    actors: tuple[int, ...]
    piles: tuple[Pile, ...]
    dealer: int | None = None
    trick: tuple[Laid, ...] = ()  # from its lead; the last one until the next begins
    tricks: tuple[int, ...] = ()  # by seat, and how many are `gathered`
    gathered: int = 0
    taker: int | None = None  # of the last trick
    talk: tuple[Said, ...] = ()
    declarer: int | None = None
    trump: str | None = None
    points: tuple[int, ...] = ()  # by seat

    @property
    def index(self) -> int:
        """The place of the seat in lists by seat."""
        assert self.seat is not None, "a spectator has no place"
        return self.seat - 1

    @property
    def hand(self) -> tuple[str, ...]:
        """The cards that the seat holds; none for a spectator."""
        return () if self.seat is None else self.pile(HAND, self.seat).shown

    @property
    def held(self) -> tuple[int, ...]:
        """By seat, how many cards it holds."""
        return tuple(len(pile.shown) + pile.hidden for pile in self.piles if pile.name == HAND)

    @property
    def table(self) -> tuple[str, ...]:
        """The cards that lie on the table beside the trick."""
        return tuple(card for pile in self.piles if pile.name == TABLE for card in pile.shown)

    @property
    def unfinished(self) -> tuple[Laid, ...]:
        """The trick that waits for more cards; none where the next card leads."""
        return self.trick if len(self.trick) < len(self.tricks) else ()

    def pile(self, name: str, seat: int | None = None) -> Pile:
        """The pile of this name (of this seat)."""
        return next(pile for pile in self.piles if pile.name == name and pile.seat == seat)


def in_hand(cards: Sequence[Sequence[str]], seat: int | None) -> tuple[Pile, ...]:
    """The hands as a seat sees them: its own shown, those of the others hidden."""
    return tuple(
        Pile.of(HAND, hand, is_shown=number == seat, seat=number) for number, hand in enumerate(cards, 1)
    )


def by_seat(name: str, cards: Iterable[Sequence[str]]) -> tuple[Pile, ...]:
    """A pile of this name for each seat, all shown."""
    return tuple(Pile(name, tuple(one), seat=number) for number, one in enumerate(cards, 1))


def laid_from(leader: int, cards: Iterable[str | tuple[str, str | None]], seats: int) -> tuple[Laid, ...]:
    """A trick from its lead (an index): cards, or each with the card that has taken its face."""
    numbered = (((leader + step) % seats + 1, card) for step, card in enumerate(cards))
    return tuple(Laid(seat, card) if isinstance(card, str) else Laid(seat, *card) for seat, card in numbered)


def latest(played: tuple[int, str] | None) -> tuple[Laid, ...]:
    """The card that was played last, and by which seat (an index), where cards are played one by one."""
    return () if played is None else (Laid(played[0] + 1, played[1]),)


Talk = tuple[tuple[int, str], ...]
"""An auction so far: seats (indices) and their tokens."""


def said(bids: Talk) -> tuple[Said, ...]:
    """An auction as views show it."""
    return tuple(Said(seat + 1, token) for seat, token in bids)
