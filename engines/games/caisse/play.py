"""Caisse: a deal in progress (section 4), and what may be seen (section 11)."""

from dataclasses import dataclass
from random import Random

from ...contract import Settings
from ...tricks import number_of
from ...views import Pile, View, said
from .cards import PACK, SEATS, Deal, suites_of
from .phases import (
    CARRE,
    FINAL,
    FIRST,
    FIRST_TRICK,
    PASS,
    SECOND,
    SUITE,
    THIRD,
    VALIDATION,
    Talk,
    after_first_trick,
)
from .table import Table


class CaisseState(Table):
    __slots__ = ()

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(deal, options)
        self.in_turn(FIRST)

    def after_first_trick(self) -> None:
        after_first_trick(self)

    def any_legal(self, seat: int, random: Random) -> str:
        """Passes often enough for every declaration to come up, and speaks often enough for talks to go far:
        more contres than contracts, since a contract other than a Caisse leaves no défi."""
        if seat == self.actor + 1 and self.now in (FIRST, SECOND, THIRD) and random.random() < 0.7:
            return PASS
        if seat == self.actor + 1 and isinstance(self.now, Talk) and not self.now.has_spoken(self):
            items = list(self.now.items(self))
            likely = [item for item in items if item[:2] == "x:" or item in {SUITE, CARRE, "caisse"}]
            if likely and random.random() < 0.5:
                return f"say:{random.choice(likely)}"
            if items and random.random() < 0.1:
                return f"say:{random.choice(items)}"
            if self.now is not FIRST_TRICK:
                return PASS
            return f"play:{random.choice(PACK.tokens(self.playable))}"
        return super().any_legal(seat, random)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "CaisseView":
        marked = self.gathered > 0 and self.now not in (FIRST_TRICK, FINAL, VALIDATION)
        exchanged = number_of(self.exchanged)
        return CaisseView(
            **self.seen_by(
                seat,
                self.deal.dealer,
                Pile("proposed", (self.deal.proposed,)),
                Pile("indicator", (self.deal.indicator,)),
                Pile("opened", self.opened),
                Pile("discards", PACK.in_order(self.discards) if seat and seat == exchanged else ()),
            ),
            talk=said(self.bids),
            declarer=number_of(self.declarer),
            trump=self.trump,
            exchanged=exchanged,
            game=self.game,
            contres=self.contres.level,
            contracts=tuple((one.seat + 1, one.id, one.at, one.level) for one in self.contracts),
            announced=tuple(self.announcement(who) for who in range(SEATS)),
            renounced=tuple(self.renounced),
            suite=(self.suite[0] + 1, self.suite[1]) if self.suite and marked else None,
            carre=(self.carre[0] + 1, self.carre[1]) if self.carre and marked else None,
            defi=None if self.defi is None else self.defi.exponent,
        )

    def announcement(self, seat: int) -> tuple[int | None, bool]:
        """What the announcement of a seat reveals: the length of its longest suite, and whether it has a
        carré."""
        items = self.announced[seat]
        lengths = [suite.length for suite in suites_of(self.first_hands[seat])]
        return max(lengths) if SUITE in items else None, CARRE in items


@dataclass(frozen=True, slots=True, kw_only=True)
class CaisseView(View):
    """`contracts`: whose, which, after how many tricks, the level of their contres; `announced`: by seat, the
    length of its suite and whether it has a carré; `suite`, `carre`: whose are marked, with their points."""

    exchanged: int | None
    game: str | None
    contres: int
    contracts: tuple[tuple[int, str, int, int], ...]
    announced: tuple[tuple[int | None, bool], ...]
    renounced: tuple[tuple[str, ...], ...]
    suite: tuple[int, int] | None
    carre: tuple[int, int] | None
    defi: int | None
