"""Tarot 4 saisons: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ...cards import CardSet, lowest
from ...choices import TWICE, Several
from ...contract import Outcome, Settings
from ...phases import OVER, Answers
from ...phrases import Phrase
from ...tarot import PLAY, TarotState
from ...tricks import LayingAside, number_of
from ...views import Pile, Said, View, by_seat, said
from .cards import (
    ACES,
    BIDS,
    CONTRACTS,
    EXCUSE,
    FIGURES,
    GAME,
    KINGS,
    LEFT_OF,
    NOT_TO_THE_DOG,
    OUDLERS,
    PACK,
    PASSED_OUT,
    PETIT,
    RANKED,
    SEATS,
    SUITS,
    TRICKS,
    TWO,
    WORTHLESS,
    Deal,
    card_points,
)
from .marks import Contracted, Ending, outcome_of, place_of
from .sheet import FORM, NOT_YOURS, is_made

PASS = "pass"  # noqa: S105
MISERE = "misere"
TAKE, SKIP, ACCEPT, REFUSE = "option:take", "option:skip", "lower:accept", "lower:refuse"
LEAD_ME, LEAD_FOREHAND = "lead:me", "lead:forehand"
NOTHING = "none"

BID_HIGHER = Phrase("bid higher than the last bid, or pass")
NO_MISERE = Phrase("a misère is declared before the first call, once, by a player who holds no figure")
MUST_DECLARE = Phrase("a player who holds no figure must declare the misère first")
LAY_ASIDE = Phrase("lay {count} cards of your hand on the dog")
NEVER_TO_THE_DOG = Phrase("kings and bouts may not be laid on the dog")
NOTHING_THERE = Phrase(
    "name what the other side has announced and nobody has contred; a capot cannot be contred"
)
NO_SUITE = Phrase("a suite is the king, queen, knight and jack of a suit, all in the hand")

Contract = tuple[int, str]  # the seat (index) and the id


class SaisonsState(TarotState):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "answers", "bid", "contracts", "contred", "deal", "deux", "discard",
        "excuse_late", "game_contred", "last", "lowered", "misere", "options", "passed", "passes", "petit",
        "suites", "turned", "turns", "won",
    )  # fmt: skip

    seats, next_seat = SEATS, LEFT_OF

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(PACK, deal.hands, deal.dealer)
        self.deal, self.options = deal, options
        self.bid = -1  # its rank
        self.turns = 0  # calls so far
        self.passes = 0  # in a row
        self.passed: tuple[int, ...] = ()
        self.misere: tuple[int, ...] = ()
        self.turned = 0
        self.answers: tuple[bool, ...] = ()
        self.lowered = False
        self.discard: CardSet = 0
        self.contracts: tuple[Contract, ...] = ()
        self.contred: tuple[Contract, ...] = ()
        self.game_contred = False
        self.suites: list[str] = [""] * SEATS
        self.won: list[CardSet] = [0] * SEATS
        self.last: list[CardSet] = [0] * SEATS  # the last trick of each
        self.petit: int | None = None
        self.deux: int | None = None
        self.excuse_late: int | None = None
        self.now = AUCTION
        self.actor = self.forehand

    @property
    def level(self) -> str:
        return RANKED[self.bid]

    # From phase to phase

    def begin_dog(self) -> None:
        if self.declarer is None:
            self.now = OVER
            return
        self.actor = self.declarer
        self.turned = BIDS[self.level].turned
        if BIDS[self.level].option:
            self.now = OPTION
        elif self.turned:
            self.take_dog()
        else:
            self.begin_contracts()

    def take_dog(self) -> None:
        assert self.declarer is not None
        self.now, self.actor = DISCARD, self.declarer
        self.hands[self.actor] |= PACK.cards(self.deal.dog[: self.turned])

    def begin_contracts(self) -> None:
        """Contracts, contres and suites: everybody once, from the forehand."""
        self.now, self.actor = CONTRACT, self.forehand

    def begin_play(self) -> None:
        assert self.declarer is not None
        if (self.declarer, "capot") in self.contracts:
            self.now, self.actor = LEAD, self.declarer
        else:
            self.now = PLAY
            self.lead(self.forehand)

    # The tricks

    def took(self, winner: int, place: int) -> None:
        """The Excuse goes back to its player for a worthless card of the tricks already won."""
        trick, count = self.trick, len(self.takers)
        first, second, third = trick
        self.last[winner] = cards = first | second | third
        if cards & EXCUSE:
            owner = self.around[self.leader][trick.index(EXCUSE)]
            if count >= TRICKS - 1:
                self.excuse_late = owner
            if spare := self.won[owner] & WORTHLESS:
                given = lowest(spare)
                self.won[owner] ^= given | EXCUSE
                cards ^= given | EXCUSE
        self.won[winner] |= cards
        if count == TRICKS - 1 and trick[place] == TWO:
            self.deux = winner
        if count == TRICKS:
            self.petit = winner if trick[place] == PETIT else None

    # The end

    def final_dog(self) -> CardSet:
        """The dog after the exchange."""
        return PACK.cards(self.deal.dog[self.turned :]) | self.discard

    def owner_of(self, cards: CardSet) -> int | None:
        """The owner of all these cards, if there is one; the dog is the taker's where its points are."""
        for seat, won in enumerate(self.won):
            takes_dog = seat == self.declarer and BIDS[self.level].dog_to == "taker"
            owned = won | self.final_dog() if takes_dog else won
            if owned & cards == cards:
                return seat
        return None

    def result(self) -> Ending:
        self.check_over()
        misere = tuple(sorted(self.misere))
        if self.declarer is None:
            return Ending(bid=PASSED_OUT, misere=misere)
        result = Ending(
            bid=self.level,
            taker=self.declarer,
            lowered=self.lowered,
            game_contred=self.game_contred,
            tricks=tuple(self.tricks),
            points=tuple(card_points(won) for won in self.won),
            dog=card_points(self.final_dog()),
            petit_au_bout=self.petit,
            deux_avant_dernier=self.deux,
            trois_bouts=self.owner_of(OUDLERS),
            quatre_as=self.owner_of(ACES),
            misere=misere,
            suites=tuple(map(len, self.suites)),
            excuse_late=self.excuse_late,
        )
        kings = self.owner_of(KINGS)
        contracts = (
            Contracted(seat, one, (seat, one) in self.contred, is_made(result, seat, one, kings))
            for seat, one in sorted(self.contracts, key=place_of)
        )
        return replace(result, contracts=tuple(contracts))

    def outcome(self) -> Outcome:
        return outcome_of(self.result())

    def sheet(self) -> dict[str, Any]:
        return self.result().to_sheet(FORM, SEATS)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "SaisonsView":
        turned = 0 if self.now is AUCTION else self.turned
        of_taker = number_of(self.declarer)
        return SaisonsView(
            **self.seen_by(
                seat,
                self.deal.dealer,
                Pile("turned", self.deal.dog[:turned]),
                *by_seat("last_trick", map(PACK.tokens, self.last)),
                Pile("dog", PACK.in_order(self.final_dog()) if self.over and of_taker else ()),
                Pile("discard", PACK.in_order(self.discard) if seat and seat == of_taker else ()),
            ),
            contract=self.level if self.bid >= 0 else None,
            misere=tuple(who + 1 for who in self.misere),
            answers=self.answers,
            lowered=self.lowered,
            contracts=said(self.contracts),
            game_contred=self.game_contred,
            contred=said(self.contred),
            suites=tuple(map(tuple, self.suites)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SaisonsView(View):
    """`misere`: who announced one; `answers` of the taker to the options; `suites`: by seat, the suits. The
    pile `discard` is the taker's own, the `dog` is what lies there at the end."""

    contract: str | None
    misere: tuple[int, ...]
    answers: tuple[bool, ...]
    lowered: bool
    contracts: tuple[Said, ...]
    game_contred: bool
    contred: tuple[Said, ...]
    suites: tuple[tuple[str, ...], ...]


# ── The auction ───────────────────────────────────────────────────────────────────────────────────


class Auction(Answers[SaisonsState]):
    """Two passes in a row end it once everybody has spoken; where a pass is final, all passes but one."""

    name = "auction"
    words = (MISERE, PASS, *(f"bid:{level}" for level in RANKED))

    def may_declare_misere(self, state: SaisonsState) -> bool:
        actor = state.actor
        return state.turns < SEATS and actor not in state.misere and not state.hands[actor] & FIGURES

    def rule(self, state: SaisonsState, action: str) -> Phrase | None:
        if action == MISERE:
            return None if self.may_declare_misere(state) else NO_MISERE
        if state.options["misere_mandatory"] and self.may_declare_misere(state):
            return MUST_DECLARE
        low = action != PASS and RANKED.index(action.removeprefix("bid:")) <= state.bid
        return BID_HIGHER if low else None

    def take(self, state: SaisonsState, action: str) -> None:
        actor = state.actor
        if action == MISERE:
            state.misere += (actor,)
            return
        state.note(action)
        state.turns += 1
        if action == PASS:
            state.passes += 1
            state.passed += (actor,)
        else:
            state.passes = 0
            state.bid, state.declarer = RANKED.index(action.removeprefix("bid:")), actor
        final = bool(state.options["pass_is_final"])
        ended = len(state.passed) if final else state.passes
        if state.turns >= SEATS and ended >= (2 if state.declarer is not None else SEATS):
            state.begin_dog()
            return
        state.actor = LEFT_OF[actor]
        while final and state.actor in state.passed:
            state.actor = LEFT_OF[state.actor]


# ── The dog ───────────────────────────────────────────────────────────────────────────────────────


class Optional(Answers[SaisonsState]):
    """The taker: whether to turn the optional cards."""

    name = "dog"
    words = (TAKE, SKIP)

    def take(self, state: SaisonsState, action: str) -> None:
        if action == SKIP:
            state.take_dog()
            return
        state.turned *= 2
        state.now = LOWER
        state.actor = LEFT_OF[state.actor]


class Lower(Answers[SaisonsState]):
    """Both opponents: whether the stake falls."""

    name = "dog"
    words = (ACCEPT, REFUSE)

    def take(self, state: SaisonsState, action: str) -> None:
        state.answers += (action == ACCEPT,)
        state.actor = LEFT_OF[state.actor]
        if state.actor == state.declarer:
            state.lowered = all(state.answers)
            state.take_dog()


class Discard(LayingAside[SaisonsState]):
    """As many cards as were turned, and neither kings nor bouts."""

    name = "dog"
    pack, so = PACK, LAY_ASIDE

    def count(self, state: SaisonsState) -> int:
        return state.turned

    def held(self, state: SaisonsState) -> Sequence[str]:
        return PACK.in_order(state.hands[state.actor] & ~NOT_TO_THE_DOG)

    def rule(self, state: SaisonsState, action: tuple[str, ...]) -> Phrase | None:
        if len(set(action)) < len(action):
            return TWICE
        kept = PACK.cards(action) & NOT_TO_THE_DOG
        return super().rule(state, action) or (NEVER_TO_THE_DOG if kept else None)

    def take(self, state: SaisonsState, action: tuple[str, ...]) -> None:
        state.discard = self.lay_aside(state, action)
        state.begin_contracts()


# ── Contracts, contres and suites ─────────────────────────────────────────────────────────────────


class OwnContracts(Several[SaisonsState]):
    name = verb = "contracts"
    nothing, known, missing = f"contracts:{NOTHING}", CONTRACTS, NOT_YOURS

    def items(self, state: SaisonsState) -> list[str]:
        other = "resistance" if state.actor == state.declarer else "capot"
        return [one for one in CONTRACTS if one != other]

    def take(self, state: SaisonsState, action: tuple[str, ...]) -> None:
        state.contracts += tuple((state.actor, one) for one in action)
        if state.have_all_spoken():
            state.now = CONTRE


class Contres(Several[SaisonsState]):
    name, verb, nothing, missing = "contres", "contre", PASS, NOTHING_THERE

    def targets(self, state: SaisonsState) -> dict[str, Contract]:
        """What the actor may contre, the game (of the taker) first, then by seat and id."""
        assert state.declarer is not None
        targets: dict[str, Contract] = {}
        if state.actor != state.declarer and not state.game_contred:
            targets[GAME] = (state.declarer, GAME)
        theirs = [
            (seat, one)
            for seat, one in state.contracts
            if (seat == state.declarer) != (state.actor == state.declarer)
            and one != "capot"
            and (seat, one) not in state.contred
        ]
        theirs = sorted(theirs, key=place_of)
        return targets | {f"{one}@{seat + 1}": (seat, one) for seat, one in theirs}

    def items(self, state: SaisonsState) -> list[str]:
        return list(self.targets(state))

    def draw(self, state: SaisonsState, random: Random) -> str:
        """A thousand contres are possible: they are drawn one by one."""
        return self.written(tuple(item for item in self.items(state) if random.random() < 0.3), "")

    def take(self, state: SaisonsState, action: tuple[str, ...]) -> None:
        if action:
            targets = self.targets(state)
            state.contred += tuple(targets[one] for one in action if one != GAME)
            state.game_contred |= GAME in action
        if state.have_all_spoken():
            state.now = SUITE


class OwnSuites(Several[SaisonsState]):
    name = verb = "suites"
    nothing, known, missing = f"suites:{NOTHING}", SUITS, NO_SUITE

    def items(self, state: SaisonsState) -> list[str]:
        hand = state.hands[state.actor]
        return [letter for letter, cards in SUITS.items() if hand & cards == cards]

    def take(self, state: SaisonsState, action: tuple[str, ...]) -> None:
        state.suites[state.actor] = "".join(action)
        if state.have_all_spoken():
            state.begin_play()


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


class Lead(Answers[SaisonsState]):
    """Whoever has contracted a capot says who leads."""

    name = "play"
    words = (LEAD_ME, LEAD_FOREHAND)

    def take(self, state: SaisonsState, action: str) -> None:
        state.now = PLAY
        state.lead(state.actor if action == LEAD_ME else state.forehand)


AUCTION, OPTION, LOWER, DISCARD = Auction(), Optional(), Lower(), Discard()
CONTRACT, CONTRE, SUITE = OwnContracts(), Contres(), OwnSuites()
LEAD = Lead()
