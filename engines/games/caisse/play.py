"""Caisse: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from random import Random
from typing import Any

from ...cards import CardSet
from ...contract import Outcome, Settings, View
from ...phases import OVER, Answers, Phase
from ...phrases import Phrase
from ...tricks import CardPlay, LayingAside, TrickState, number_of, said, strongest
from ...turns import FOLLOW, MUST_RUFF, NO_SUCH_ACTION, NOT_HELD
from .cards import (
    ACES,
    BID_ORDER,
    LAST_TRICK,
    LEFT_OF,
    PACK,
    PLAYS,
    SEATS,
    STRENGTH,
    TRICKS,
    VALUE,
    Deal,
    best_carre,
    best_suite,
    carres_of,
    holds_belote,
    in_order,
    suites_of,
)
from .contres import Contres
from .defi import CONCEDED, Defi
from .marks import (
    ATOUT_1,
    ATOUT_2,
    BY_POINTS,
    CONTRACTS,
    GENERALE,
    MISERE,
    OF_TRUMPS,
    SANS_ATOUT,
    WITH_POINTS,
    Contracted,
    Ending,
    outcome_of,
)

PASS = "pass"  # noqa: S105
TAKE, KEEP, SWAP, TAKE_IT, LEAVE_IT = "take", "keep", "exchange", "take-indicator", "leave-indicator"
MAINTAIN = "maintain"
MISERE_BID = "bid:misere"
SUITE, CARRE = "suite", "carre"

BID_HIGHER = Phrase(
    "bid a suit other than the proposed one, and stronger than the last bid: S, D, H, C, then SA"
)
NOT_NOW = Phrase(
    "this cannot be said now: you do not hold it, have said it before, may not say it in this game, or "
    "only the other side may"
)
TWICE = Phrase("names the same thing twice")
ONCE = Phrase("each player speaks once, before playing a first card")
NOT_ENTITLED = Phrase(
    "only the holder of the seven of trumps may exchange, or of the eight if the seven was proposed"
)
LAY_ASIDE = Phrase("lay aside {count} cards of your hand, and no trumps")
NOT_ANNOUNCED = Phrase("you can only give up what you have announced")
KEEP_THE_SEVEN = Phrase("the seven of an Ultime is kept as long as there is another card to play")

WANTED: dict[str, str | None] = {
    "quarante-quatre": None,  # the four aces
    "tous-les-trois": "J97",
    "famille": "AKQ",
    "tous-les-atouts": "J9ATKQ",
}


class CaisseState(TrickState):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "announced", "bids", "carre", "contracts", "contres", "deal", "declarer", "defi", "discards",
        "exchanged", "first_hands", "game", "kept", "opened", "options", "passes", "points", "queue",
        "renounced", "speaker", "suite", "table", "trump", "turns", "ultime", "won",
    )  # fmt: skip

    seats, next_seat = SEATS, LEFT_OF

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(PACK, PLAYS, deal.hands)
        self.deal, self.options = deal, options
        self.bids: list[tuple[int, str]] = []
        self.game: str | None = None
        self.declarer: int | None = None
        self.trump: str | None = None
        self.contres = Contres()  # of the game
        self.contracts: list[Contracted] = []
        self.turns = self.passes = 0  # of a round of contracts; passes in a row
        self.queue: list[int] = []  # the seats that are still to speak in this phase
        self.exchanged: int | None = None  # the seat that has exchanged
        self.opened: list[str] = []  # the talon's cards turned up
        self.table: list[str] = [deal.indicator, *deal.talon]  # what is left of the talon
        self.discards: CardSet = 0
        self.speaker: int | None = None  # who spoke last before a first card
        self.announced: list[list[str]] = [[] for _ in range(SEATS)]
        self.renounced: list[list[str]] = [[] for _ in range(SEATS)]
        self.first_hands: list[CardSet] = [0] * SEATS  # as they stood before the first card
        self.kept: list[CardSet] = [0] * SEATS  # the seven that an Ultime keeps to the last
        self.suite: tuple[int, int] | None = None  # the seat that marks suites, and how much
        self.carre: tuple[int, int] | None = None
        self.points = [0] * SEATS
        self.won: list[CardSet] = [0] * SEATS
        self.ultime: int | None = None  # the seat that won the last trick with the seven of trumps
        self.defi: Defi | None = None
        self.in_turn(FIRST, self.forehand)

    @property
    def forehand(self) -> int:
        return LEFT_OF[self.deal.dealer - 1]

    def in_turn(self, phase: Phase[Any, Any], first: int) -> None:
        """A phase in which everybody speaks once."""
        self.now = phase
        self.actor = first
        self.queue = [LEFT_OF[first], LEFT_OF[LEFT_OF[first]]]

    def next_speaker(self) -> bool:
        """The turn of the next seat that is still to speak, if there is one."""
        if not self.queue:
            return False
        self.actor = self.queue.pop(0)
        return True

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

    # From phase to phase

    def take(self, seat: int, game: str, trump: str | None) -> None:
        self.game, self.declarer, self.trump = game, seat, trump
        if game == MISERE:
            self.begin_first_trick()
        else:
            self.begin_talk(SIX, seat)

    def begin_talk(self, talk: "Talk", seat: int) -> None:
        self.now, self.actor = talk, seat
        self.turns = self.passes = 0

    def pick_up(self) -> None:
        self.hands = [hand | more for hand, more in zip(self.hands, self.deal.reserves, strict=True)]

    def after_contracts(self) -> None:
        self.pick_up()
        if self.game == ATOUT_1:
            self.in_turn(EXCHANGE, self.forehand)
        else:
            self.begin_first_trick()

    def begin_first_trick(self) -> None:
        self.now = FIRST_TRICK
        self.first_hands = list(self.hands)
        before = LEFT_OF[self.declarer] if self.game == SANS_ATOUT and self.declarer is not None else None
        self.leader = self.forehand if before is None else LEFT_OF[before]
        self.lead(self.leader)

    def after_first_trick(self) -> None:
        if self.options["final_contre_round"] and self.game != GENERALE:
            self.begin_talk(FINAL, self.leader)
        else:
            self.begin_validation()

    def begin_validation(self) -> None:
        first = self.leader
        seats = (first, LEFT_OF[first], LEFT_OF[LEFT_OF[first]])
        self.queue = [seat for seat in seats if self.announced[seat]]
        self.now = VALIDATION
        self.go_on_validating()

    def go_on_validating(self) -> None:
        if self.next_speaker():
            return
        passes_down = bool(self.options["suite_tie_passes_down"])
        self.suite = best_suite(self.hands_showing(SUITE), self.trump, passes_down=passes_down)
        self.carre = best_carre(self.hands_showing(CARRE), self.trump)
        if self.game == GENERALE or any(one.id != "caisse" for one in self.contracts):
            self.go_on()
            return
        assert self.declarer is not None
        first = LEFT_OF[self.declarer]
        self.defi = Defi(self.declarer, (first, LEFT_OF[first]))
        self.now = CHALLENGE
        self.go_on_challenging()

    def hands_showing(self, kind: str) -> dict[int, CardSet]:
        return {
            seat: self.first_hands[seat]
            for seat in range(SEATS)
            if kind in self.announced[seat] and kind not in self.renounced[seat]
        }

    def go_on_challenging(self) -> None:
        assert self.defi is not None
        if self.defi.speaker is not None:
            self.actor = self.defi.speaker
        elif self.defi.state == CONCEDED:
            self.now = OVER
        else:
            self.go_on()

    def go_on(self) -> None:
        assert self.taker is not None
        self.now = PLAY
        self.lead(self.taker)

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
        self.playable = self.free(self.playable) if self.now is PLAY else 0
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

    # The end

    def result(self) -> Ending:
        self.check_over()
        assert self.game is not None
        if self.game == GENERALE:
            return Ending(GENERALE, tricks=tuple(self.tricks))
        conceded = self.defi is not None and self.defi.state == CONCEDED
        power, by = (self.defi.power, self.defi.by) if self.defi is not None else (0, "none")
        contracts = tuple(sorted(self.contracts, key=lambda one: (one.seat, list(CONTRACTS).index(one.id))))
        if self.game == MISERE or conceded:
            made = None if conceded else self.tricks[self.declarer or 0] == 0
            return Ending(self.game, self.declarer, self.contres, contracts, power, by, misere_made=made)
        trump = self.trump
        belote = [seat for seat in range(SEATS) if trump and holds_belote(self.first_hands[seat], trump)]
        result = Ending(
            self.game, self.declarer, self.contres, (), power, by, tuple(self.points), self.suite, self.carre,
            belote[0] if belote else None,
        )  # fmt: skip
        return replace(result, contracts=tuple(self.with_result(one, result) for one in contracts))

    def with_result(self, contract: Contracted, result: Ending) -> Contracted:
        """A contract with whether it was made."""
        made = contract.made
        if contract.id in BY_POINTS:
            made = result.by_points(contract.seat, contract.id)
        elif contract.id == "capot":
            made = self.tricks[contract.seat] == TRICKS
        elif contract.id == "ultime":
            made = self.ultime == contract.seat
        else:
            wanted = WANTED[contract.id]
            cards = ACES if wanted is None else PACK.cards([rank + (self.trump or "") for rank in wanted])
            made = self.won[contract.seat] & cards == cards
        return replace(contract, made=bool(made))

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.options)

    def sheet(self) -> dict[str, Any]:
        result = self.result()
        if result.game == GENERALE:
            return {"game": GENERALE, "tricks": list(result.tricks)}
        assert result.taker is not None
        sheet: dict[str, Any] = {"game": result.game, "taker": result.taker + 1}
        sheet["game_contres"] = asdict(result.contres)
        sheet |= {"defi": result.defi, "conceded_by": result.conceded_by}
        conceded = result.conceded_by != "none"
        if result.game == MISERE:
            return sheet if conceded else sheet | {"misere_made": result.misere_made}
        if result.game == ATOUT_2:
            sheet["trump"] = self.trump
        if result.game == ATOUT_1:
            sheet["exchanged"] = self.exchanged is not None
        sheet["contracts"] = [
            {"seat": one.seat + 1, "id": one.id, "at": one.at, **asdict(one.contres)}
            | ({} if conceded else {"made": one.made})
            for one in result.contracts
        ]
        if conceded:
            return sheet
        sheet["trick_points"] = list(result.trick_points)
        for name, marked in (("suite", result.suite), ("carre", result.carre)):
            sheet[name] = None if marked is None else {"seat": marked[0] + 1, "points": marked[1]}
        if result.game != SANS_ATOUT:
            sheet["belote"] = number_of(result.belote)
        return sheet

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The player's own hand; the cards turned, all that was said, the lengths of announced suites, the
        trick."""
        marked = self.gathered > 0 and self.now not in (FIRST_TRICK, FINAL, VALIDATION)
        shown = self.shown(
            seat,
            self.deal.dealer,
            proposed=self.deal.proposed,
            indicator=self.deal.indicator,
            opened=list(self.opened),
            exchanged=number_of(self.exchanged),
            bids=said(self.bids),
            game=self.game,
            trump=self.trump,
            declarer=number_of(self.declarer),
            contres=self.contres.level,
            contracts=[
                {"seat": one.seat + 1, "id": one.id, "at": one.at, "contres": one.contres.level}
                for one in self.contracts
            ],
            announced=[self.announcement(who) for who in range(SEATS)],
            renounced=[list(given_up) for given_up in self.renounced],
            suite=self.suite and marked and {"seat": self.suite[0] + 1, "points": self.suite[1]},
            carre=self.carre and marked and {"seat": self.carre[0] + 1, "points": self.carre[1]},
            defi=None if self.defi is None else self.defi.exponent,
        )
        has_exchanged = seat is not None and seat - 1 == self.exchanged
        return shown | {"discards": list(in_order(self.discards))} if has_exchanged else shown

    def announcement(self, seat: int) -> dict[str, Any]:
        """What the announcement of a seat reveals: the length of its longest suite, and whether it has a
        carré."""
        items = self.announced[seat]
        lengths = [suite.length for suite in suites_of(self.first_hands[seat])]
        return {"suite": max(lengths) if SUITE in items else None, "carre": CARRE in items}


# ── The declarations ──────────────────────────────────────────────────────────────────────────────


class FirstDeclaration(Answers[CaisseState]):
    name = "declaration-1"
    words = (PASS, TAKE)

    def take(self, state: CaisseState, action: str) -> None:
        state.bids.append((state.actor, action))
        if action == TAKE:
            state.take(state.actor, ATOUT_1, state.deal.trump)
        elif not state.next_speaker():
            state.bids.clear()
            state.in_turn(SECOND, state.forehand)


class SecondDeclaration(Answers[CaisseState]):
    """Everybody may outbid; the last and highest bid takes."""

    name = "declaration-2"
    words = (PASS, *(f"bid:{one}" for one in BID_ORDER))

    def rule(self, state: CaisseState, action: str) -> Phrase | None:
        if action == PASS:
            return None
        made = [said for _, said in state.bids if said != PASS]
        higher = not made or self.words.index(action) > self.words.index(made[-1])
        return None if higher and action != f"bid:{state.deal.trump}" else BID_HIGHER

    def take(self, state: CaisseState, action: str) -> None:
        state.bids.append((state.actor, action))
        if state.next_speaker():
            return
        made = [(seat, said.removeprefix("bid:")) for seat, said in state.bids if said != PASS]
        if made:
            seat, bid = made[-1]
            state.take(seat, SANS_ATOUT if bid == "SA" else ATOUT_2, None if bid == "SA" else bid)
        else:
            state.pick_up()
            state.in_turn(THIRD, state.forehand)


class ThirdDeclaration(Answers[CaisseState]):
    name = "declaration-3"
    words = (PASS, MISERE_BID)

    def take(self, state: CaisseState, action: str) -> None:
        state.bids.append((state.actor, action))
        if action == MISERE_BID:
            state.take(state.actor, MISERE, None)
        elif not state.next_speaker():
            state.game = GENERALE
            state.begin_first_trick()


# ── Contracts and contres ─────────────────────────────────────────────────────────────────────────


class Talk(Phase[CaisseState, tuple[str, ...]]):
    """A round of contracts or of contres: the things said together, or nothing for a pass. It is over when
    everybody has had a turn and two in a row have passed."""

    def items(self, state: CaisseState) -> Iterator[str]:
        """What the actor may say now, one thing at a time."""
        contracts = state.game in WITH_POINTS and self is not FINAL
        if contracts:
            yield from (contract for contract in CONTRACTS if self.may_contract(state, contract))
        if state.declarer is not None:
            if state.contres.may(owner=self.is_owner(state, state.declarer)):
                yield "x:game"
            for contract in state.contracts:
                if contract.contres.may(owner=self.is_owner(state, contract.seat)):
                    yield f"x:{contract.id}@{contract.seat + 1}"
        if contracts and self is FIRST_TRICK:
            hand = state.hands[state.actor]
            if suites_of(hand):
                yield SUITE
            if carres_of(hand):
                yield CARRE

    def is_owner(self, state: CaisseState, owner: int) -> bool:
        """Whether the actor is on the side of a seat."""
        return (owner == state.declarer) == (state.actor == state.declarer)

    def may_contract(self, state: CaisseState, contract: str) -> bool:
        own = {one.id for one in state.contracts if one.seat == state.actor}
        if contract in own or (contract == "clarte" and "cent" in own):
            return False
        if contract == "capot" and self is SIX:
            return False
        if contract in OF_TRUMPS and state.trump is None:
            return False
        return contract != "caisse" or holds_belote(state.hands[state.actor], state.trump or "")

    def has_spoken(self, state: CaisseState) -> bool:
        """Whether the actor may say nothing more."""
        return False

    def offers(self, state: CaisseState) -> Iterator[str]:
        yield PASS
        yield from (f"say:{item}" for item in self.items(state))

    def read(self, state: CaisseState, token: str) -> tuple[str, ...] | None:
        if token == PASS:
            return ()
        verb, _colon, rest = token.partition(":")
        return tuple(rest.split("+")) if verb == "say" else None

    def rule(self, state: CaisseState, action: tuple[str, ...]) -> Phrase | None:
        if self.has_spoken(state):
            return ONCE
        if not all(item in CONTRACTS or item in {SUITE, CARRE} or item.startswith("x:") for item in action):
            return NO_SUCH_ACTION
        if len(set(action)) < len(action):
            return TWICE
        allowed = set(action) <= set(self.items(state)) and not {"clarte", "cent"} <= set(action)
        return None if allowed else NOT_NOW

    def take(self, state: CaisseState, action: tuple[str, ...]) -> None:
        state.turns += 1
        state.passes = 0 if action else state.passes + 1
        self.say(state, action)
        if state.turns < SEATS or state.passes < 2:
            state.actor = LEFT_OF[state.actor]
        elif self is FINAL:
            state.begin_validation()
        else:
            state.after_contracts()

    def say(self, state: CaisseState, items: Sequence[str]) -> None:
        actor, with_six = state.actor, self is SIX
        for item in items:
            if item in CONTRACTS:
                state.contracts.append(Contracted(actor, item, 6 if with_six else 9))
                if item == "ultime":
                    state.kept[actor] = PACK.card(f"7{state.trump}")
            elif item == "x:game":
                state.contres = state.contres.with_level(with_six=with_six)
            elif item in {SUITE, CARRE}:
                state.announced[actor].append(item)
            else:
                name, _at, seat = item.removeprefix("x:").partition("@")
                at = [(one.id, one.seat + 1) for one in state.contracts].index((name, int(seat)))
                one = state.contracts[at]
                state.contracts[at] = replace(one, contres=one.contres.with_level(with_six=with_six))


class TalkWithSix(Talk):
    name = "contracts-6"


class FinalContres(Talk):
    name = "final-contres"


# ── The exchange of trumps ────────────────────────────────────────────────────────────────────────


class Exchange(Answers[CaisseState]):
    """Its holder may exchange the seven of trumps, or the eight, for the proposed card."""

    name = "exchange"
    words = (KEEP, SWAP)

    def card(self, state: CaisseState) -> CardSet:
        """The card that may be exchanged for the proposed one."""
        return PACK.card(("8" if state.deal.proposed[0] == "7" else "7") + state.deal.trump)

    def rule(self, state: CaisseState, action: str) -> Phrase | None:
        free = state.hands[state.actor] & ~state.kept[state.actor]
        return None if action == KEEP or self.card(state) & free else NOT_ENTITLED

    def take(self, state: CaisseState, action: str) -> None:
        if action == KEEP:
            if not state.next_speaker():
                state.begin_first_trick()
            return
        state.exchanged = state.actor
        state.hands[state.actor] ^= self.card(state) | PACK.card(state.deal.proposed)
        if PACK.card(state.deal.indicator) & wanted_of_talon(state):
            state.now = INDICATOR
        else:
            state.begin_first_trick()


class Indicator(Answers[CaisseState]):
    """Whoever has exchanged may take the trumps and aces of the talon, if the indicator card is one."""

    name = "exchange"
    words = (TAKE_IT, LEAVE_IT)

    def take(self, state: CaisseState, action: str) -> None:
        if action == LEAVE_IT:
            state.begin_first_trick()
            return
        state.opened = list(state.deal.talon)
        taken = [card for card in state.table if PACK.card(card) & wanted_of_talon(state)]
        state.table = [card for card in state.table if card not in taken]
        state.hands[state.actor] |= PACK.cards(taken)
        state.now = DISCARD


def wanted_of_talon(state: CaisseState) -> CardSet:
    return PACK.suit(state.deal.trump) | ACES


class Discard(LayingAside[CaisseState]):
    """As many cards as were taken, and no trumps."""

    name = "exchange"
    pack = PACK
    draw = Phase.draw  # few cards are laid aside

    def count(self, state: CaisseState) -> int:
        return state.hands[state.actor].bit_count() - TRICKS

    def held(self, state: CaisseState) -> Sequence[str]:
        return in_order(state.hands[state.actor] & ~PACK.suit(state.deal.trump))

    def rule(self, state: CaisseState, action: tuple[str, ...]) -> Phrase | None:
        if len(set(action)) < len(action):
            return TWICE
        cards, count = PACK.cards(action), self.count(state)
        if cards & ~state.hands[state.actor]:
            return NOT_HELD
        wrong = len(action) != count or cards & PACK.suit(state.deal.trump)
        return Phrase(LAY_ASIDE.text, count=count) if wrong else None

    def take(self, state: CaisseState, action: tuple[str, ...]) -> None:
        state.discards = self.lay_aside(state, action)
        state.begin_first_trick()


# ── The play, and what follows the first trick ────────────────────────────────────────────────────


class Play(CardPlay[CaisseState]):
    def reason(self, state: CaisseState, hand: CardSet, card: CardSet) -> Phrase:
        led = PACK.suit_of[state.trick[0]] if 0 < len(state.trick) < SEATS else 0
        if hand & led and not card & led:
            return FOLLOW
        if led and state.trump and not hand & led and not card & PACK.suit(state.trump):
            return MUST_RUFF
        return KEEP_THE_SEVEN


class FirstTrick(Talk):
    """Each player may speak once before playing a first card; a card is what the play says of it."""

    name = "first-trick"

    def has_spoken(self, state: CaisseState) -> bool:
        return state.speaker == state.actor

    def offers(self, state: CaisseState) -> Iterator[str]:
        if not self.has_spoken(state):
            yield from (f"say:{item}" for item in self.items(state))
        yield from PLAY.offers(state)

    def read(self, state: CaisseState, token: str) -> tuple[str, ...] | None:
        return (token,) if token in PLAYS else super().read(state, token) or None

    def rule(self, state: CaisseState, action: tuple[str, ...]) -> Phrase | None:
        card = PLAYS.get(action[0])
        return super().rule(state, action) if card is None else PLAY.rule(state, card)

    def take(self, state: CaisseState, action: tuple[str, ...]) -> None:
        card = PLAYS.get(action[0])
        if card is not None:
            state.play(card)
            return
        self.say(state, action)
        state.speaker = state.actor
        hand = state.hands[state.actor]
        state.playable = state.may_play(hand) if len(state.trick) % SEATS else state.free(hand)


class Validation(Phase[CaisseState, tuple[str, ...]]):
    """What was announced is maintained, or some of it given up."""

    name = "validation"

    def renunciations(self, state: CaisseState) -> list[tuple[str, ...]]:
        announced = state.announced[state.actor]
        return [some for some in ((SUITE,), (CARRE,), (SUITE, CARRE)) if set(some) <= set(announced)]

    def offers(self, state: CaisseState) -> Iterator[str]:
        yield MAINTAIN
        yield from (f"renounce:{'+'.join(some)}" for some in self.renunciations(state))

    def read(self, state: CaisseState, token: str) -> tuple[str, ...] | None:
        if token == MAINTAIN:
            return ()
        verb, _colon, rest = token.partition(":")
        some = tuple(rest.split("+"))
        return some if verb == "renounce" and set(some) <= {SUITE, CARRE} else None

    def rule(self, state: CaisseState, action: tuple[str, ...]) -> Phrase | None:
        return None if not action or action in self.renunciations(state) else NOT_ANNOUNCED

    def take(self, state: CaisseState, action: tuple[str, ...]) -> None:
        state.renounced[state.actor] = list(action)
        state.go_on_validating()


class Challenge(Phase[CaisseState, str]):
    name = "defi"

    def offers(self, state: CaisseState) -> Iterator[str]:
        return iter(state.defi.choices() if state.defi is not None else ())

    def read(self, state: CaisseState, token: str) -> str | None:
        return token if token in self.offers(state) else None

    def rule(self, state: CaisseState, action: str) -> Phrase | None:
        return None

    def take(self, state: CaisseState, action: str) -> None:
        assert state.defi is not None
        state.defi = state.defi.after(action)
        state.go_on_challenging()


FIRST, SECOND, THIRD = FirstDeclaration(), SecondDeclaration(), ThirdDeclaration()
SIX, FINAL = TalkWithSix(), FinalContres()
EXCHANGE, INDICATOR, DISCARD = Exchange(), Indicator(), Discard()
FIRST_TRICK, VALIDATION, CHALLENGE, PLAY = FirstTrick(), Validation(), Challenge(), Play()
