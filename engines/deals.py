"""Deals as most games have them: a dealer, a hand for each seat, and piles besides."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

from . import sheets
from .cards import CardSet, Pack
from .contract import Game, Outcome, Settings, Sheet, State, with_defaults
from .dealing import Stream
from .tricks import clockwise_from


@dataclass(frozen=True, slots=True)
class Dealt:
    """`hands` by seat, cards of the `pack`, of these `sizes`. A game adds a field of tokens for each of its
    `piles`, in their order, and says how its cards are dealt."""

    pack: ClassVar[Pack]
    sizes: ClassVar[tuple[int, ...]]
    piles: ClassVar[dict[str, int]] = {}  # and how many cards each has

    dealer: int
    hands: tuple[CardSet, ...]

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> Self:
        """The deal of a shuffled pack."""
        raise NotImplementedError

    @classmethod
    def read(cls, data: Any) -> Self:
        """A deal from its JSON form, if its cards are the whole pack. BadDeal names those that are wrong."""
        seats, piles = len(cls.sizes), cls.piles
        read = sheets.read_deal(data, seats, ("dealer", "hands", *piles))
        lists = [*read["hands"], *(read[pile] for pile in piles)] if isinstance(read["hands"], list) else []
        sets = cls.pack.read(lists, sizes=(*cls.sizes, *piles.values()))
        return cls(read["dealer"], sets[:seats], *(tuple(read[pile]) for pile in piles))

    def to_json(self) -> dict[str, Any]:
        hands = [list(self.pack.tokens(hand)) for hand in self.hands]
        piles = {pile: list(getattr(self, pile)) for pile in self.piles}
        return {"dealer": self.dealer, "hands": hands, **piles}


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
    """A game whose deals read and show themselves (`deal_type`, with `of`, `read` and `to_json`), whose state
    sums itself up (`state_type`, with `sheet`), and which judges what a complete sheet says."""

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

    def read_deal(self, data: Any, options: Settings | None = None) -> D:
        deal: D = self.deal_type.read(data)
        return deal

    def show_deal(self, deal: D) -> dict[str, Any]:
        shown: dict[str, Any] = deal.to_json()
        return shown

    def start(self, deal: D, options: Settings) -> S:
        state: S = self.state_type(deal, options)
        return state

    def summarise(self, state: State) -> dict[str, Any]:
        assert isinstance(state, self.state_type)
        state.check_over()
        sheet: dict[str, Any] = state.sheet()
        return sheet

    def score(
        self,
        sheet: Sheet,
        *,
        deal: D | None = None,
        options: Settings | None = None,
        conditions: Settings | None = None,
    ) -> Outcome:
        settings = with_defaults(self.options, options)
        known = self.known(deal, conditions)
        seats = self.seat_count(conditions or {}) if deal is None else len(deal.hands)
        told = sheets.check(self.form, sheet, seats=seats, options=settings, known=known)
        return self.judged(told, deal, settings)

    def judged(self, told: dict[str, Any], deal: D | None, options: Settings) -> Outcome:
        """The outcome of a sheet of which every field is there, each within its bounds."""
        raise NotImplementedError
