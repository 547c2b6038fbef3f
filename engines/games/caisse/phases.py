"""Caisse: the phases (section 4), and what follows each."""

from collections.abc import Iterator, Sequence

from ...cards import CardSet
from ...choices import TWICE, Asked, Several
from ...phases import OVER, Answers, Phase
from ...phrases import Phrase
from ...tricks import CardPlay, LayingAside
from ...turns import FOLLOW, MUST_RUFF, NO_SUCH_ACTION, NOT_HELD
from .cards import (
    ACES,
    BID_ORDER,
    LEFT_OF,
    PACK,
    PLAYS,
    SEATS,
    TRICKS,
    best_carre,
    best_suite,
    carres_of,
    holds_belote,
    suites_of,
)
from .marks import (
    ATOUT_1,
    ATOUT_2,
    CONCEDED,
    CONTRACTS,
    GENERALE,
    MISERE,
    OF_TRUMPS,
    SANS_ATOUT,
    WITH_POINTS,
    Contracted,
    Defi,
)
from .table import Table

PASS = "pass"  # noqa: S105
TAKE, KEEP, SWAP, TAKE_IT, LEAVE_IT = "take", "keep", "exchange", "take-indicator", "leave-indicator"
MISERE_BID = "bid:misere"
SUITE, CARRE = "suite", "carre"

BID_HIGHER = Phrase(
    "bid a suit other than the proposed one, and stronger than the last bid: S, D, H, C, then SA"
)
NOT_NOW = Phrase(
    "this cannot be said now: you do not hold it, have said it before, may not say it in this game, or "
    "only the other side may"
)
ONCE = Phrase("each player speaks once, before playing a first card")
NOT_ENTITLED = Phrase(
    "only the holder of the seven of trumps may exchange, or of the eight if the seven was proposed"
)
LAY_ASIDE = Phrase("lay aside {count} cards of your hand, and no trumps")
NOT_ANNOUNCED = Phrase("you can only give up what you have announced")
KEEP_THE_SEVEN = Phrase("the seven of an Ultime is kept as long as there is another card to play")


# ── The declarations ──────────────────────────────────────────────────────────────────────────────


class FirstDeclaration(Answers[Table]):
    name = "declaration-1"
    words = (PASS, TAKE)

    def take(self, state: Table, action: str) -> None:
        state.bids += ((state.actor, action),)
        if action == TAKE:
            begin_game(state, state.actor, ATOUT_1, state.deal.trump)
        elif not state.next_speaker():
            state.bids = ()
            state.in_turn(SECOND)


class SecondDeclaration(Answers[Table]):
    """Everybody may outbid; the last and highest bid takes."""

    name = "declaration-2"
    words = (PASS, *(f"bid:{one}" for one in BID_ORDER))

    def rule(self, state: Table, action: str) -> Phrase | None:
        if action == PASS:
            return None
        made = [said for _, said in state.bids if said != PASS]
        higher = not made or self.words.index(action) > self.words.index(made[-1])
        return None if higher and action != f"bid:{state.deal.trump}" else BID_HIGHER

    def take(self, state: Table, action: str) -> None:
        state.bids += ((state.actor, action),)
        if state.next_speaker():
            return
        made = [(seat, said.removeprefix("bid:")) for seat, said in state.bids if said != PASS]
        if made:
            seat, bid = made[-1]
            begin_game(state, seat, SANS_ATOUT if bid == "SA" else ATOUT_2, None if bid == "SA" else bid)
        else:
            state.pick_up()
            state.in_turn(THIRD)


class ThirdDeclaration(Answers[Table]):
    name = "declaration-3"
    words = (PASS, MISERE_BID)

    def take(self, state: Table, action: str) -> None:
        state.bids += ((state.actor, action),)
        if action == MISERE_BID:
            begin_game(state, state.actor, MISERE, None)
        elif not state.next_speaker():
            state.game = GENERALE
            begin_first_trick(state)


# ── Contracts and contres ─────────────────────────────────────────────────────────────────────────


class Talk(Phase[Table, tuple[str, ...]]):
    """A round of contracts or of contres: the things said together, or nothing for a pass. It is over when
    everybody has had a turn and two in a row have passed."""

    def items(self, state: Table) -> Iterator[str]:
        """What the actor may say now, one thing at a time."""
        contracts = state.game in WITH_POINTS and self is not FINAL
        if contracts:
            own = {one.id for one in state.contracts if one.seat == state.actor}
            yield from (contract for contract in CONTRACTS if self.may_contract(state, contract, own))
        if state.declarer is not None:
            if state.contres.may(owner=self.is_owner(state, state.declarer)):
                yield "x:game"
            for contract in state.contracts:
                if contract.may(owner=self.is_owner(state, contract.seat)):
                    yield f"x:{contract.id}@{contract.seat + 1}"
        if contracts and self is FIRST_TRICK:
            hand = state.hands[state.actor]
            if suites_of(hand):
                yield SUITE
            if carres_of(hand):
                yield CARRE

    def is_owner(self, state: Table, owner: int) -> bool:
        """Whether the actor is on the side of a seat."""
        return (owner == state.declarer) == (state.actor == state.declarer)

    def may_contract(self, state: Table, contract: str, own: set[str]) -> bool:
        """Whether the actor may declare it beside its `own` ones."""
        if contract in own or (contract == "clarte" and "cent" in own):
            return False
        if contract == "capot" and self is SIX:
            return False
        if contract in OF_TRUMPS and state.trump is None:
            return False
        return contract != "caisse" or holds_belote(state.hands[state.actor], state.trump or "")

    def has_spoken(self, state: Table) -> bool:
        """Whether the actor may say nothing more."""
        return False

    def offers(self, state: Table) -> Iterator[str]:
        yield PASS
        yield from (f"say:{item}" for item in self.items(state))

    def read(self, state: Table, token: str) -> tuple[str, ...] | None:
        if token == PASS:
            return ()
        verb, _colon, rest = token.partition(":")
        return tuple(rest.split("+")) if verb == "say" else None

    def rule(self, state: Table, action: tuple[str, ...]) -> Phrase | None:
        if self.has_spoken(state):
            return ONCE
        if not all(item in CONTRACTS or item in {SUITE, CARRE} or item.startswith("x:") for item in action):
            return NO_SUCH_ACTION
        if len(set(action)) < len(action):
            return TWICE
        allowed = set(action) <= set(self.items(state)) and not {"clarte", "cent"} <= set(action)
        return None if allowed else NOT_NOW

    def take(self, state: Table, action: tuple[str, ...]) -> None:
        state.turns += 1
        state.passes = 0 if action else state.passes + 1
        self.say(state, action)
        if state.turns < SEATS or state.passes < 2:
            state.actor = LEFT_OF[state.actor]
        elif self is FINAL:
            begin_validation(state)
        else:
            after_contracts(state)

    def say(self, state: Table, items: Sequence[str]) -> None:
        actor, with_six = state.actor, self is SIX
        for item in items:
            if item in CONTRACTS:
                state.contracts.append(Contracted(seat=actor, id=item, at=6 if with_six else 9))
                if item == "ultime":
                    state.kept[actor] = PACK.card(f"7{state.trump}")
            elif item == "x:game":
                state.contres = state.contres.with_level(with_six=with_six)
            elif item in {SUITE, CARRE}:
                state.announced[actor] += (item,)
            else:
                name, _at, seat = item.removeprefix("x:").partition("@")
                at = [(one.id, one.seat + 1) for one in state.contracts].index((name, int(seat)))
                state.contracts[at] = state.contracts[at].with_level(with_six=with_six)


class TalkWithSix(Talk):
    name = "contracts-6"


class FinalContres(Talk):
    name = "final-contres"


# ── The exchange of trumps ────────────────────────────────────────────────────────────────────────


class Exchange(Answers[Table]):
    """Its holder may exchange the seven of trumps, or the eight, for the proposed card."""

    name = "exchange"
    words = (KEEP, SWAP)

    def card(self, state: Table) -> CardSet:
        """The card that may be exchanged for the proposed one."""
        return PACK.card(("8" if state.deal.proposed[0] == "7" else "7") + state.deal.trump)

    def rule(self, state: Table, action: str) -> Phrase | None:
        free = state.hands[state.actor] & ~state.kept[state.actor]
        return None if action == KEEP or self.card(state) & free else NOT_ENTITLED

    def take(self, state: Table, action: str) -> None:
        if action == KEEP:
            if not state.next_speaker():
                begin_first_trick(state)
            return
        state.exchanged = state.actor
        state.hands[state.actor] ^= self.card(state) | PACK.card(state.deal.proposed)
        if PACK.card(state.deal.indicator) & wanted_of_talon(state):
            state.now = INDICATOR
        else:
            begin_first_trick(state)


class Indicator(Answers[Table]):
    """Whoever has exchanged may take the trumps and aces of the talon, if the indicator card is one."""

    name = "exchange"
    words = (TAKE_IT, LEAVE_IT)

    def take(self, state: Table, action: str) -> None:
        if action == LEAVE_IT:
            begin_first_trick(state)
            return
        state.opened = tuple(state.deal.talon)
        lying = PACK.cards([state.deal.indicator, *state.deal.talon])
        state.hands[state.actor] |= lying & wanted_of_talon(state)
        state.now = DISCARD


def wanted_of_talon(state: Table) -> CardSet:
    return PACK.suit(state.deal.trump) | ACES


class Discard(LayingAside[Table]):
    """As many cards as were taken, and no trumps."""

    name = "exchange"
    pack = PACK
    draw = Phase.draw  # few cards are laid aside

    def count(self, state: Table) -> int:
        return state.hands[state.actor].bit_count() - TRICKS

    def held(self, state: Table) -> Sequence[str]:
        return PACK.in_order(state.hands[state.actor] & ~PACK.suit(state.deal.trump))

    def rule(self, state: Table, action: tuple[str, ...]) -> Phrase | None:
        if len(set(action)) < len(action):
            return TWICE
        cards, count = PACK.cards(action), self.count(state)
        if cards & ~state.hands[state.actor]:
            return NOT_HELD
        wrong = len(action) != count or cards & PACK.suit(state.deal.trump)
        return Phrase(LAY_ASIDE.text, count=count) if wrong else None

    def take(self, state: Table, action: tuple[str, ...]) -> None:
        state.discards = self.lay_aside(state, action)
        begin_first_trick(state)


# ── The play, and what follows the first trick ────────────────────────────────────────────────────


class Play(CardPlay[Table]):
    def reason(self, state: Table, hand: CardSet, card: CardSet) -> Phrase:
        led = PACK.suit_of[state.trick[0]] if 0 < len(state.trick) < SEATS else 0
        if hand & led and not card & led:
            return FOLLOW
        if led and state.trump and not hand & led and not card & PACK.suit(state.trump):
            return MUST_RUFF
        return KEEP_THE_SEVEN


class FirstTrick(Talk):
    """Each player may speak once before playing a first card; a card is what the play says of it."""

    name = "first-trick"

    def has_spoken(self, state: Table) -> bool:
        return state.speaker == state.actor

    def offers(self, state: Table) -> Iterator[str]:
        if not self.has_spoken(state):
            yield from (f"say:{item}" for item in self.items(state))
        yield from PLAY.offers(state)

    def read(self, state: Table, token: str) -> tuple[str, ...] | None:
        return (token,) if token in PLAYS else super().read(state, token) or None

    def rule(self, state: Table, action: tuple[str, ...]) -> Phrase | None:
        card = PLAYS.get(action[0])
        return super().rule(state, action) if card is None else PLAY.rule(state, card)

    def take(self, state: Table, action: tuple[str, ...]) -> None:
        card = PLAYS.get(action[0])
        if card is not None:
            state.play((card,))
            return
        self.say(state, action)
        state.speaker = state.actor
        hand = state.hands[state.actor]
        state.playable = state.may_play(hand) if len(state.trick) % SEATS else state.free(hand)


class Validation(Several[Table]):
    """What was announced is maintained, or some of it given up."""

    name, verb, nothing, between = "validation", "renounce", "maintain", "+"
    known, missing, any_order = (SUITE, CARRE), NOT_ANNOUNCED, False

    def items(self, state: Table) -> list[str]:
        return [one for one in (SUITE, CARRE) if one in state.announced[state.actor]]

    def take(self, state: Table, action: tuple[str, ...]) -> None:
        state.renounced[state.actor] = tuple(action)
        go_on_validating(state)


class Challenge(Asked[Table]):
    name = "defi"

    def answers(self, state: Table) -> tuple[str, ...]:
        return state.defi.choices() if state.defi is not None else ()

    def take(self, state: Table, action: str) -> None:
        assert state.defi is not None
        state.defi = defi = state.defi.after(action)
        if defi.speaker is not None:
            state.actor = defi.speaker
        elif defi.state == CONCEDED:
            state.now = OVER
        else:
            begin_second_trick(state)


FIRST, SECOND, THIRD = FirstDeclaration(), SecondDeclaration(), ThirdDeclaration()
SIX, FINAL = TalkWithSix(), FinalContres()
EXCHANGE, INDICATOR, DISCARD = Exchange(), Indicator(), Discard()
FIRST_TRICK, VALIDATION, CHALLENGE, PLAY = FirstTrick(), Validation(), Challenge(), Play()


# ── From phase to phase ───────────────────────────────────────────────────────────────────────────


def begin_game(state: Table, seat: int, game: str, trump: str | None) -> None:
    state.game, state.declarer, state.trump = game, seat, trump
    if game == MISERE:
        begin_first_trick(state)
    else:
        begin_talk(state, SIX, seat)


def begin_talk(state: Table, talk: Talk, seat: int) -> None:
    state.now, state.actor = talk, seat
    state.turns = state.passes = 0


def after_contracts(state: Table) -> None:
    state.pick_up()
    if state.game == ATOUT_1:
        state.in_turn(EXCHANGE)
    else:
        begin_first_trick(state)


def begin_first_trick(state: Table) -> None:
    state.now = FIRST_TRICK
    state.first_hands = tuple(state.hands)
    taker = state.declarer
    state.leader = state.forehand if taker is None or state.game != SANS_ATOUT else LEFT_OF[LEFT_OF[taker]]
    state.lead(state.leader)


def after_first_trick(state: Table) -> None:
    if state.options["final_contre_round"] and state.game != GENERALE:
        begin_talk(state, FINAL, state.leader)
    else:
        begin_validation(state)


def begin_validation(state: Table) -> None:
    first = state.leader
    seats = (first, LEFT_OF[first], LEFT_OF[LEFT_OF[first]])
    state.queue = [seat for seat in seats if state.announced[seat]]
    state.now = VALIDATION
    go_on_validating(state)


def go_on_validating(state: Table) -> None:
    if state.next_speaker():
        return
    passes_down = bool(state.options["suite_tie_passes_down"])
    state.suite = best_suite(state.hands_showing(SUITE), state.trump, passes_down=passes_down)
    state.carre = best_carre(state.hands_showing(CARRE), state.trump)
    if state.game == GENERALE or any(one.id != "caisse" for one in state.contracts):
        begin_second_trick(state)
        return
    assert state.declarer is not None
    first = LEFT_OF[state.declarer]
    state.defi = Defi(state.declarer, (first, LEFT_OF[first]))
    state.now, state.actor = CHALLENGE, first


def begin_second_trick(state: Table) -> None:
    assert state.taker is not None
    state.now = PLAY
    state.lead(state.taker)
