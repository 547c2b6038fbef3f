"""Caisse: the cards in play and what is known of them; the tricks, and what they make (sections 4 and 5)."""

from abc import abstractmethod
from dataclasses import replace
from typing import Any

from ...cards import CardSet
from ...contract import Outcome, Settings
from ...phases import OVER, Phase
from ...tricks import TrickState, strongest
from ...views import Talk
from .cards import ACES, LAST_TRICK, LEFT_OF, PACK, PLAYS, SEATS, STRENGTH, TRICKS, VALUE, Deal, holds_belote
from .marks import CONCEDED, MISERE, WITH_POINTS, Contracted, Contres, Defi, Ending, outcome_of
from .sheet import FORM

WANTED = {"tous-les-trois": "J97", "famille": "AKQ", "tous-les-atouts": "J9ATKQ"}  # trumps


class Table(TrickState):
    """A deal as all phases see it. Seats are indices from 0 inside."""

    __slots__ = (
        "announced", "bids", "carre", "contracts", "contres", "deal", "declarer", "defi", "discards",
        "exchanged", "first_hands", "game", "kept", "opened", "options", "passes", "points", "queue",
        "renounced", "speaker", "suite", "trump", "turns", "ultime", "won",
    )  # fmt: skip

    seats, next_seat = SEATS, LEFT_OF
    follows = False

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(PACK, PLAYS, deal.hands)
        self.deal, self.options = deal, options
        self.bids: Talk = ()
        self.game: str | None = None
        self.declarer: int | None = None
        self.trump: str | None = None
        self.contres = Contres()  # of the game
        self.contracts: list[Contracted] = []
        self.turns = self.passes = 0  # of a round of contracts; passes in a row
        self.queue: list[int] = []  # the seats that are still to speak in this phase
        self.exchanged: int | None = None  # the seat that has exchanged
        self.opened: tuple[str, ...] = ()  # the talon's cards turned up
        self.discards: CardSet = 0
        self.speaker: int | None = None  # who spoke last before a first card
        self.announced: list[tuple[str, ...]] = [()] * SEATS
        self.renounced: list[tuple[str, ...]] = [()] * SEATS
        self.first_hands: tuple[CardSet, ...] = (0,) * SEATS  # as they stood before the first card
        self.kept: list[CardSet] = [0] * SEATS  # the seven that an Ultime keeps to the last
        self.suite: tuple[int, int] | None = None  # the seat that marks suites, and how much
        self.carre: tuple[int, int] | None = None
        self.points = [0] * SEATS
        self.won: list[CardSet] = [0] * SEATS
        self.ultime: int | None = None  # the seat that won the last trick with the seven of trumps
        self.defi: Defi | None = None

    @property
    def forehand(self) -> int:
        return LEFT_OF[self.deal.dealer - 1]

    def in_turn(self, phase: Phase[Any, Any]) -> None:
        """A phase in which everybody speaks once."""
        self.now = phase
        self.actor = first = self.forehand
        self.queue = [LEFT_OF[first], LEFT_OF[LEFT_OF[first]]]

    def next_speaker(self) -> bool:
        """The turn of the next seat that is still to speak, if there is one."""
        if not self.queue:
            return False
        self.actor = self.queue.pop(0)
        return True

    def pick_up(self) -> None:
        self.hands = self.deal.whole_hands()

    def hands_showing(self, kind: str) -> dict[int, CardSet]:
        return {
            seat: self.first_hands[seat]
            for seat in range(SEATS)
            if kind in self.announced[seat] and kind not in self.renounced[seat]
        }

    # The tricks

    def lead(self, seat: int) -> None:
        self.actor = seat
        self.playable = self.free(self.hands[seat])

    def free(self, cards: CardSet) -> CardSet:
        """The actor's cards but the seven that an Ultime keeps, as long as there are others."""
        return cards & ~self.kept[self.actor] or cards

    def may_play(self, hand: CardSet) -> CardSet:
        """Follow suit; failing that play a trump; failing that any card. There is no duty to go up."""
        trumps = PACK.suit(self.trump) if self.trump else 0
        return self.free(hand & PACK.suit_of[self.trick[0]] or hand & trumps or hand)

    def winning(self) -> int:
        trump = self.trump
        contending = PACK.suit_of[self.trick[0]] | (PACK.suit(trump) if trump else 0)
        return strongest(self.trick, contending, STRENGTH[trump])

    def took(self, winner: int, place: int) -> None:
        trick, trump = self.trick, self.trump
        value = VALUE[trump]
        self.points[winner] += value[trick[0]] + value[trick[1]] + value[trick[2]]
        self.won[winner] |= sum(trick)
        self.playable = self.free(self.playable) if self.gathered > 1 else 0
        if self.game == MISERE and winner == self.declarer:
            self.now = OVER
            self.playable = 0
        elif self.gathered == 1:
            self.after_first_trick()
        elif self.gathered == TRICKS:
            self.points[winner] += LAST_TRICK
            if trump and trick[place] == PACK.card("7" + trump):
                self.ultime = winner
            self.now = OVER

    @abstractmethod
    def after_first_trick(self) -> None:
        """What is said before the second trick."""

    # The end

    def result(self) -> Ending:
        self.check_over()
        assert self.game is not None
        defi, trump = self.defi, self.trump
        conceded = defi is not None and defi.state == CONCEDED
        counts = self.game in WITH_POINTS and not conceded
        belote = [seat for seat in range(SEATS) if trump and holds_belote(self.first_hands[seat], trump)]
        return Ending(
            game=self.game,
            tricks=tuple(self.tricks),
            taker=self.declarer,
            game_contres=self.contres,
            defi=defi.power if defi else 0,
            conceded_by=defi.by if defi else "none",
            misere_made=self.game == MISERE and not self.tricks[self.declarer or 0],
            trump=trump,
            exchanged=self.exchanged is not None,
            contracts=tuple(
                replace(one, made=self.has_made(one) if counts else None) for one in self.contracts
            ),
            trick_points=tuple(self.points) if counts else (),
            suite=self.suite,
            carre=self.carre,
            belote=belote[0] if belote else None,
        ).settled()

    def has_made(self, contract: Contracted) -> bool:
        """Whether the feat of a contract was achieved, if it does not follow from the points."""
        if contract.id == "capot":
            return self.tricks[contract.seat] == TRICKS
        if contract.id == "ultime":
            return self.ultime == contract.seat
        wanted = WANTED.get(contract.id, "")
        cards = PACK.cards([rank + (self.trump or "") for rank in wanted]) if wanted else ACES
        return self.won[contract.seat] & cards == cards

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.options)

    def sheet(self) -> dict[str, Any]:
        return self.result().to_sheet(FORM, SEATS)
