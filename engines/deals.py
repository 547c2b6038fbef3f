"""Deals as most games have them: a dealer, a hand for each seat, and piles besides."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

from . import sheets
from .cards import CardSet, Pack
from .contract import Game, Outcome, Settings, Sheet, State
from .dealing import Stream, is_key
from .errors import BadDeal
from .phrases import Phrase
from .tricks import clockwise_from

H = TypeVar("H")


ALONE = 0
"""The size of a pile that is one card, written without a list."""


@dataclass(frozen=True, slots=True)
class Hands(ABC, Generic[H]):
    """`hands` by seat, of these `sizes`, from the whole `pack`. A game adds a field of tokens for each of its
    `piles`, in their order, and says how its cards are dealt (`of`)."""

    pack: ClassVar[Pack]
    sizes: ClassVar[tuple[int, ...]]
    piles: ClassVar[Mapping[str, int | tuple[int, ...]]] = {}  # how many cards; ALONE; or those of several
    optional: ClassVar[tuple[str, ...]] = ()

    dealer: int
    hands: tuple[H, ...]

    @classmethod
    @abstractmethod
    def of(cls, pack: Sequence[str], dealer: int) -> Self:
        """The deal of a shuffled pack."""

    @classmethod
    def read(cls, data: Any) -> Self:
        """A deal from its JSON form, if its cards are the whole pack. BadDeal names those that are wrong."""
        parts: dict[str, int | tuple[int, ...]] = {"hands": cls.sizes, **cls.piles}
        read = sheets.read_deal(data, len(cls.sizes), ("dealer", *parts), optional=cls.optional)
        lists: list[Any] = []
        sizes: list[int] = []
        for name, size in parts.items():
            lists += (
                read[name]
                if isinstance(size, tuple) and isinstance(read[name], list)
                else [[read[name]] if size == ALONE else read[name]]
            )
            sizes += size if isinstance(size, tuple) else [size or 1]
        sets = cls.pack.read(lists, sizes=tuple(sizes))
        hands = tuple(map(cls.hand, read["hands"], sets))
        return cls(read["dealer"], hands, *(_kept(read[pile]) for pile in cls.piles), **cls.more(read))

    @classmethod
    def more(cls, read: Mapping[str, Any]) -> dict[str, Any]:
        """The fields beyond the cards, from the keys that are `optional`."""
        return {}

    @classmethod
    @abstractmethod
    def hand(cls, tokens: Sequence[str], cards: CardSet) -> H:
        """A hand, from its tokens in the order in which they came, or from the set of its cards."""

    def to_json(self) -> dict[str, Any]:
        hands = [list(self.tokens(hand)) for hand in self.hands]
        more = {name: _listed(getattr(self, name)) for name in (*self.piles, *self.optional)}
        return {"dealer": self.dealer, "hands": hands, **more}

    def places(self) -> "Places":
        lie = places(map(self.tokens, self.hands), {})
        for pile, size in self.piles.items():
            cards = getattr(self, pile)
            lie |= numbered(pile, cards) if isinstance(size, tuple) else {pile: _alone(cards)}
        return lie

    @abstractmethod
    def tokens(self, hand: H) -> Sequence[str]:
        """The cards of a hand."""


def _kept(cards: Any) -> Any:
    return cards if isinstance(cards, str) else tuple(map(_kept, cards))


def _listed(value: Any) -> Any:
    return list(map(_listed, value)) if isinstance(value, tuple) else value


def _alone(cards: Any) -> Sequence[str]:
    return (cards,) if isinstance(cards, str) else cards


@dataclass(frozen=True, slots=True)
class Dealt(Hands[CardSet]):
    """Hands that are sets of cards."""

    @classmethod
    def hand(cls, tokens: Sequence[str], cards: CardSet) -> CardSet:
        return cards

    def tokens(self, hand: CardSet) -> Sequence[str]:
        return self.pack.tokens(hand)


@dataclass(frozen=True, slots=True)
class DealtInOrder(Hands[tuple[str, ...]]):
    """Hands whose cards keep the order in which they came."""

    @classmethod
    def hand(cls, tokens: Sequence[str], cards: CardSet) -> tuple[str, ...]:
        return tuple(tokens)

    def tokens(self, hand: tuple[str, ...]) -> Sequence[str]:
        return hand


KEY_WANTED = Phrase("the key of the reshuffle must be 1 to 64 printable ASCII characters")


@dataclass(frozen=True, slots=True)
class Stocked:
    """Hands in the order in which they were dealt; the card `turned` up; `stock` in drawing order; `key`
    orders a reshuffle."""

    dealer: int
    hands: tuple[tuple[str, ...], ...]
    turned: str
    stock: tuple[str, ...]
    key: str

    @classmethod
    def one_by_one(cls, pack: Sequence[str], dealer: int, seats: int, size: int, key: str) -> Self:
        """One card at a time from the dealer's left, so many rounds; then the card turned up."""
        hands = in_packets(pack, dealer, seats, *(1,) * size)
        at = size * seats
        return cls(dealer, tuple(map(tuple, hands)), pack[at], tuple(pack[at + 1 :]), key)

    @classmethod
    def read_stocked(cls, data: Any, pack: Pack, seats: int, size: int, *more: str) -> Self:
        """A deal from its JSON form, which has `more` keys, if its cards are the whole pack."""
        keys = ("dealer", *more, "hands", "turned", "stock", "reshuffle_key")
        read = sheets.read_deal(data, seats, keys)
        lists = [*read["hands"], [read["turned"]], read["stock"]] if isinstance(read["hands"], list) else []
        pack.read(lists, sizes=(*[size] * seats, 1, len(pack.order) - size * seats - 1))
        stock, key = tuple(read["stock"]), read["reshuffle_key"]
        if not is_key(key):
            raise BadDeal((), KEY_WANTED)
        return cls(read["dealer"], tuple(map(tuple, read["hands"])), read["turned"], stock, key)

    def places(self) -> "Places":
        return places(self.hands, {"turned": (self.turned,), "stock": self.stock})

    def to_json(self) -> dict[str, Any]:
        return {
            "dealer": self.dealer,
            "hands": [list(hand) for hand in self.hands],
            "turned": self.turned,
            "stock": list(self.stock),
            "reshuffle_key": self.key,
        }


class ByField:
    """A deal as a dataclass, whose JSON form has its fields in their order."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Any]]

    def to_json(self) -> dict[str, Any]:
        return {name: _listed(getattr(self, name)) for name in self.__dataclass_fields__}


Places = dict[str, Sequence[str]]


def places(hands: Iterable[Sequence[str]], piles: Mapping[str, Sequence[str]]) -> Places:
    """Where the cards lie: the hands by the numbers of their seats, and the piles."""
    return {str(seat): hand for seat, hand in enumerate(hands, 1)} | dict(piles)


def numbered(name: str, piles: Iterable[Sequence[str]]) -> Places:
    """Several piles of one name.

    >>> numbered("pups", [["7S"], ["8S"]])
    {'pups 1': ['7S'], 'pups 2': ['8S']}
    """
    return {f"{name} {number}": pile for number, pile in enumerate(piles, 1)}


def sizes_of(lists: Sequence[Any]) -> list[int]:
    """How many cards each list has; −1 for what is no list."""
    return [len(cards) if isinstance(cards, list) else -1 for cards in lists]


def check_copies(lists: Sequence[Sequence[Any]], pack: Sequence[str]) -> None:
    """BadDeal names cards that are not in a pack, or of which it has fewer copies."""
    cards = [card for cards in lists for card in cards]
    if strange := tuple(str(card) for card in cards if not isinstance(card, str) or card not in pack):
        raise BadDeal(strange, Phrase("has cards that are not in the pack"))
    if many := tuple(sorted(Counter(cards) - Counter(pack))):
        raise BadDeal(many, Phrase("has more copies of a card than the pack"))


def seats_dealt(data: Any, usual: int) -> int:
    """How many hands an explicit deal has, if it can be counted."""
    hands = data.get("hands") if isinstance(data, dict) else None
    return len(hands) if isinstance(hands, list) else usual


def in_packets(pack: Sequence[str], dealer: int, seats: int, *packets: int) -> list[list[str]]:
    """The hands by seat: round by round, from the dealer's left, so many cards each.

    >>> in_packets("7S 8S 9S TS JS QS".split(), 1, 2, 2, 1)
    [['9S', 'TS', 'QS'], ['7S', '8S', 'JS']]
    """
    hands: list[list[str]] = [[] for _ in range(seats)]
    at = 0
    for size in packets:
        for seat in clockwise_from(dealer, seats):
            hands[seat - 1] += pack[at : at + size]
            at += size
    return hands


D = TypeVar("D", bound=Any)
S = TypeVar("S", bound=State)


class DealtGame(Game[D], Generic[D, S]):
    """A game whose deals read and show themselves (`deal_type`, with `of`, `read` and `to_json`), and whose
    state sums itself up (`state_type`, with `sheet`)."""

    deal_type: ClassVar[type[Any]]
    state_type: ClassVar[type[Any]]

    def deal(self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings) -> D:
        while True:
            deal: D = self.deal_type.of(stream.permutation(self.deal_type.pack.order), dealer)
            if self.accepts(deal, options):
                return deal

    def accepts(self, deal: D, options: Settings) -> bool:
        """Whether a deal may be a board; another is dealt again."""
        return True

    def seats_of(self, deal: D) -> int:
        return self.seats[0] if len(self.seats) == 1 else len(deal.hands)

    def read_deal(self, data: Any, options: Settings | None = None) -> D:
        deal: D = self.deal_type.read(data)
        return deal

    def show_deal(self, deal: D) -> dict[str, Any]:
        shown: dict[str, Any] = deal.to_json()
        return shown

    def places(self, deal: D) -> Places:
        lie: Places = deal.places()
        return lie

    def start(self, deal: D, options: Settings) -> S:
        state: S = self.state_type(deal, options)
        return state

    def summarise(self, state: State) -> dict[str, Any]:
        assert isinstance(state, self.state_type)
        state.check_over()
        sheet: dict[str, Any] = state.sheet()
        return sheet


class JudgedGame(DealtGame[D, S]):
    """One that judges what a complete sheet says."""

    def scored(self, sheet: Sheet, deal: D | None, options: Settings, conditions: Settings) -> Outcome:
        seats = self.seat_count(conditions) if deal is None else self.seats_of(deal)
        known = self.known(deal, conditions)
        told = sheets.check(self.form, sheet, seats=seats, options=options, known=known)
        return self.judged(told, deal, options, seats)

    @abstractmethod
    def judged(self, told: dict[str, Any], deal: D | None, options: Settings, seats: int) -> Outcome:
        """The outcome of a sheet of which every field is there, each within its bounds."""
