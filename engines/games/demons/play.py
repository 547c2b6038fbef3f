"""Démons: the phases (section 4), and what may be seen (section 11)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from ...choices import Asked, OneForOne
from ...combinations import selections
from ...contract import Outcome, Settings
from ...phases import OVER, CallingState, Calls, Phase
from ...phrases import Phrase
from ...tricks import number_of
from ...turns import FOLLOW, NO_SUCH_ACTION, NOT_HELD
from ...views import Pile, View, in_hand, laid_from
from .cards import (
    DEMONS,
    FACES,
    LEFT_OF,
    PAREIL,
    PLACE,
    SEATS,
    SUITE,
    TRICK_ORDER,
    Best,
    Deal,
    best_of,
    extends,
    is_demon,
    strength,
)
from .marks import (
    COMPLETE,
    LAST_PLAY,
    PARTIAL,
    Bet,
    Ending,
    Played,
    Stakes,
    card_points,
    first_bet,
    outcome_of,
)
from .sheet import FORM

KEEP, STAY = "keep", "devil:keep"
NEW, MORE = "new", "more"
CARD_FORM = re.compile(r"play:([0-9A-Z]{2})(?:=([0-9A-Z]{2}))?(?:!(pareil|suite):(new|more))?")
SPIRIT = {demon: len(DEMONS) - place for place, demon in enumerate(DEMONS)}

SHOW_SIXES = Phrase("show two to four sixes, and swap fewer cards than that with the pool")
NOT_IN_THE_POOL = Phrase("this card is not in the pool")
PURE_LED = Phrase("a pure Démon was led: play one, pure, while you hold one")
ORDINARY_LED = Phrase("you hold the suit led: play a card of it, or a Démon that possesses one")
MUST_POSSESS = Phrase("possess a card of the suit led: with this option you must while you hold a Démon")
NO_POSSESSION = Phrase(
    "a Démon can possess only an ordinary card of the pool, and cannot follow a pure Démon that way"
)
NO_COMBINATION = Phrase("this card does not begin a combination, or does not extend the open one")
NO_BET = Phrase("this bet cannot be opened now, or not by this seat")


class DemonsState(CallingState):
    """A deal in progress. Seats are indices from 0 inside; lists are by seat."""

    __slots__ = (
        "active", "bests", "bets", "deal", "designating", "failures", "free", "gathered", "given", "hands",
        "leader", "options", "plays", "pool", "queue", "revealed", "taker", "trick", "won",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.designating = deal.designating
        self.log = []
        self.hands = [sorted(hand, key=PLACE.__getitem__) for hand in deal.hands]
        self.pool = sorted(deal.pool, key=PLACE.__getitem__)
        self.given: list[list[str]] = [[], [], []]  # face down, for cards of the pool
        self.bets: list[Bet] = []
        self.plays = 0
        self.trick: list[Played] = []
        self.won: list[list[tuple[Played, ...]]] = [[], [], []]
        self.gathered = 0
        self.leader = 0
        self.taker: int | None = None
        self.revealed = False
        self.active: list[dict[str, tuple[str, ...]]] = [{}, {}, {}]  # open combinations by kind
        self.free = [True] * SEATS  # whether a failure is without penalty
        self.failures = [0] * SEATS
        self.bests: list[dict[str, Best]] = [{}, {}, {}]
        forehand = LEFT_OF[deal.dealer - 1]
        self.queue = [LEFT_OF[forehand], LEFT_OF[LEFT_OF[forehand]]]
        self.now = EXCHANGE
        self.actor = forehand

    def any_legal(self, seat: int, random: Random) -> str:
        """Bets and announces often enough for every talk to come up, and for combinations to grow."""
        listed = list(self.legal(seat))
        bets = [token for token in listed if token.startswith("bet:")]
        if bets and (seat != self.turn or random.random() < 0.08):
            return random.choice(bets)
        others = [token for token in listed if not token.startswith("bet:")]
        more = [token for token in others if token.endswith(MORE)]
        if more and random.random() < 0.8:
            return random.choice(more)
        return random.choice(others)

    # Combinations

    def announce(self, seat: int, face: str | None, kind: str | None, how: str | None) -> None:
        """What a card does to the combinations of its player."""
        own, together = self.active[seat], self.options["combination_continuity"] == "free"
        if how == MORE and kind and face:
            grown = (*own[kind], face)
            self.active[seat] = own | {kind: grown}
            if len(grown) == 2:
                self.free[seat] = True
            best = best_of(kind, grown)
            self.bests[seat] = self.bests[seat] | {
                kind: max(best, self.bests[seat].get(kind, best), key=strength)
            }
            return
        if own and (kind or not together):
            self.close(seat, [one for one in own if not together or one == kind])
        if kind and face:
            self.active[seat] = self.active[seat] | {kind: (face,)}

    def close(self, seat: int, kinds: Sequence[str]) -> None:
        """A combination that remained a single card has failed: the first time without penalty."""
        for own, cards in self.active[seat].items():
            if own in kinds and len(cards) == 1:
                self.failures[seat] += not self.free[seat]
                self.free[seat] = False
        self.active[seat] = {own: cards for own, cards in self.active[seat].items() if own not in kinds}

    # The end

    def result(self) -> Ending:
        self.check_over()
        deal = self.deal
        points = tuple(
            card_points(won, deal.markers[seat], devil=seat == deal.devil)
            for seat, won in enumerate(self.won)
        )
        bets = {bet.kind: Stakes(bet.stake, bet.risk) for bet in self.bets}
        return Ending(
            tricks=tuple(map(len, self.won)),
            card_points=points,
            best_suite=tuple(own.get(SUITE) for own in self.bests),
            best_pareil=tuple(own.get(PAREIL) for own in self.bests),
            penalised_failures=tuple(self.failures),
            partial=bets.get(PARTIAL),
            complete=bets.get(COMPLETE),
        )

    def outcome(self) -> Outcome:
        return outcome_of(self.result())

    def sheet(self) -> dict[str, Any]:
        return self.result().to_sheet(FORM, SEATS)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "DemonsView":
        """No points of cards, which would tell who the Diable is."""
        combinations = (
            Pile(kind, tuple(cards), seat=who)
            for who, own in enumerate(self.active, 1)
            for kind, cards in own.items()
        )
        given = self.given[seat - 1] if seat else ()
        return DemonsView(
            **self.common(
                seat,
                self.deal.dealer,
                *in_hand(self.hands, seat),
                Pile("pool", tuple(self.pool)),
                Pile("given", tuple(given)),
                *combinations,
            ),
            trick=laid_from(self.leader, [(one.face_up, one.demon) for one in self.trick], SEATS),
            tricks=tuple(len(won) for won in self.won),
            gathered=self.gathered,
            taker=number_of(self.taker),
            markers=self.deal.markers,
            devil=self.deal.devil + 1 if self.revealed or self.over else None,
            bets=tuple(self.bets),
            failures=tuple(self.failures),
            free_failure=tuple(self.free),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DemonsView(View):
    """`devil`: the seat of the Diable, once revealed. The pile `given`: what the seat has exchanged."""

    markers: tuple[str, ...]
    devil: int | None
    bets: tuple[Bet, ...]
    failures: tuple[int, ...]
    free_failure: tuple[bool, ...]


# ── The exchange of sixes ─────────────────────────────────────────────────────────────────────────


class Swap(NamedTuple):
    """The sixes that are shown, and what is given for what, in the order of the pack."""

    sixes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()

    @property
    def token(self) -> str:
        pairs = ",".join(f"{give}>{take}" for give, take in zip(self.gives, self.takes, strict=True))
        return f"swap:{'+'.join(self.sixes)};{pairs}" if self.sixes else KEEP


class Exchange(Phase[DemonsState, Swap]):
    name = "exchange"

    def offers(self, state: DemonsState) -> Iterator[str]:
        """Each exchange once: sixes, gives and takes in the order of the pack."""
        yield KEEP
        hand = state.hands[state.actor]
        held, lying = copies(hand), copies(state.pool)
        own = [card for card in hand if card[0] == "6"]
        for shown in range(2, len(own) + 1):
            for sixes in combinations(own, shown):
                for size in range(1, shown):
                    for gives in selections(held, size):
                        for takes in selections(lying, size):
                            yield Swap(sixes, tuple(gives), tuple(takes)).token

    def read(self, state: DemonsState, token: str) -> Swap | None:
        if token == KEEP:
            return Swap()
        sixes, semicolon, pairs = token.removeprefix("swap:").partition(";")
        if not token.startswith("swap:") or not semicolon:
            return None
        swaps = [pair.split(">") for pair in pairs.split(",")]
        if any(len(pair) != 2 for pair in swaps):
            return None
        lists = (sixes.split("+"), [pair[0] for pair in swaps], [pair[1] for pair in swaps])
        if not all(card in PLACE for cards in lists for card in cards):
            return None
        return Swap(*(tuple(sorted(cards, key=PLACE.__getitem__)) for cards in lists))

    def rule(self, state: DemonsState, action: Swap) -> Phrase | None:
        if not action.sixes:
            return None
        hand = Counter(state.hands[state.actor])
        if Counter(action.sixes) - hand or Counter(action.gives) - hand:
            return NOT_HELD
        shown = len(action.sixes)
        if any(card[0] != "6" for card in action.sixes) or shown < 2 or len(action.gives) >= shown:
            return SHOW_SIXES
        return NOT_IN_THE_POOL if Counter(action.takes) - Counter(state.pool) else None

    def written(self, action: Swap, token: str) -> str:
        return action.token

    def take(self, state: DemonsState, action: Swap) -> None:
        actor = state.actor
        if action.sixes:
            for card in action.gives:
                state.hands[actor].remove(card)
            for card in action.takes:
                state.pool.remove(card)
            state.hands[actor] = sorted([*state.hands[actor], *action.takes], key=PLACE.__getitem__)
            state.given[actor] = list(action.gives)
        if state.queue:
            state.actor = state.queue.pop(0)
        else:
            state.now = PLAY
            state.actor = state.leader = LEFT_OF[state.deal.dealer - 1]


# ── Bets, at a seat's turn or not ─────────────────────────────────────────────────────────────────


EVERYBODY = (1 << SEATS) - 1  # as bits


class Bets(Calls[DemonsState, str]):
    """The kind of the bet that is opened."""

    def open_to(self, state: DemonsState, kind: str) -> int:
        """The seats that may open a bet now, as bits."""
        bets = state.bets
        if state.plays > LAST_PLAY[kind] or (bets and (kind == PARTIAL or bets[-1].kind == kind)):
            return 0
        return sum(1 << seat for seat in range(SEATS) if seat not in self.out(state)) if bets else EVERYBODY

    def out(self, state: DemonsState) -> frozenset[int]:
        """The seats that conceded the partial bet."""
        return state.bets[0].out if state.bets and state.bets[0].kind == PARTIAL else frozenset()

    def callers(self, state: DemonsState) -> int:
        if state.plays > LAST_PLAY[COMPLETE]:
            return 0
        return self.open_to(state, PARTIAL) | self.open_to(state, COMPLETE)

    def offers(self, state: DemonsState, seat: int) -> Iterator[str]:
        return (f"bet:{kind}" for kind in (PARTIAL, COMPLETE) if self.open_to(state, kind) >> seat & 1)

    def read(self, state: DemonsState, token: str) -> str | None:
        verb, _colon, kind = token.partition(":")
        return kind if verb == "bet" else None

    def rule(self, state: DemonsState, seat: int, action: str) -> Phrase | None:
        if action not in {PARTIAL, COMPLETE} or not 0 <= seat < SEATS:
            return NO_SUCH_ACTION
        return None if self.open_to(state, action) >> seat & 1 else NO_BET

    def take(self, state: DemonsState, seat: int, action: str) -> None:
        state.bets.append(first_bet(action, seat, SEATS, self.out(state)))
        state.queue = [state.actor]  # whose turn it is
        state.now = BET
        BET.go_on(state)


BETS = Bets()


class BetTalk(Asked[DemonsState]):
    """The answers to a bet, which interrupts the play."""

    name = "bet"

    def answers(self, state: DemonsState) -> tuple[str, ...]:
        return state.bets[-1].choices()

    def take(self, state: DemonsState, action: str) -> None:
        state.bets[-1] = state.bets[-1].after(action)
        self.go_on(state)

    def go_on(self, state: DemonsState) -> None:
        pending = state.bets[-1].pending
        if pending:
            state.actor = pending[0]
        else:
            state.now = PLAY
            state.actor = state.queue.pop()


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


class Card(NamedTuple):
    """A card that is played, what it possesses, and what is announced with it."""

    card: str
    possessed: str | None
    kind: str | None
    how: str | None

    @property
    def face(self) -> str | None:
        """What it shows; None for a pure Démon."""
        return self.possessed or (None if self.card in SPIRIT else self.card)


def parsed(token: str) -> Card | None:
    match = CARD_FORM.fullmatch(token)
    return Card(*match.groups()) if match and match[1] in PLACE else None


ANNOUNCED = ("", *(f"!{kind}:{how}" for kind in (PAREIL, SUITE) for how in (NEW, MORE)))
SHOWN = (*FACES, *(f"{demon}={face}" for demon in DEMONS for face in FACES))
PLAYS = {token: parsed(token) for token in (f"play:{one}{said}" for one in SHOWN for said in ANNOUNCED)}


class Play(Phase[DemonsState, Card]):
    name = "play"
    calls = BETS

    def offers(self, state: DemonsState) -> Iterator[str]:
        """The cards that may be played, each once, with what they possess, if anything, and what may be
        announced with them."""
        bound, led = self.bound(state)
        hand = list(dict.fromkeys(state.hands[state.actor]))
        bodies = [card for card in dict.fromkeys(state.pool) if not is_demon(card)]
        possessed = [(card, body) for card in hand if is_demon(card) for body in bodies]
        for card, body in [(card, "") for card in hand] + possessed:
            if broken_bound(card, body, bound, led) is None:
                token = f"play:{card}={body}" if body else f"play:{card}"
                yield token
                face = body or (None if is_demon(card) else card)
                yield from (f"{token}!{kind}:{how}" for kind, how in self.suffixes(state, face))

    def bound(self, state: DemonsState) -> tuple[Phrase | None, str | None]:
        """The rule that binds the actor's card, if one does, and the suit led, `T` for a pure Démon."""
        if len(state.trick) in {0, SEATS}:
            return None, None
        first, hand = state.trick[0].face, state.hands[state.actor]
        if first is None:
            return (PURE_LED if any(card in SPIRIT for card in hand) else NO_POSSESSION), "T"
        led = first[1]
        for card in hand:
            if card[1] == led:
                return FOLLOW, led
        obliged = state.options["possession_obligation"] and any(card[1] == led for card in state.pool)
        return (MUST_POSSESS if obliged and any(map(is_demon, hand)) else None), led

    def suffixes(self, state: DemonsState, face: str | None) -> Iterator[tuple[str | None, str | None]]:
        """What may be announced with a card."""
        if face is None or face[0] == "6":
            return
        for kind in (PAREIL, SUITE):
            yield kind, NEW
            cards = state.active[state.actor].get(kind)
            if cards and extends(kind, cards, face):
                yield kind, MORE

    def read(self, state: DemonsState, token: str) -> Card | None:
        return PLAYS.get(token) or parsed(token)

    def rule(self, state: DemonsState, action: Card) -> Phrase | None:
        card, possessed, kind, how = action
        if card not in state.hands[state.actor]:
            return NOT_HELD
        if possessed:
            if card not in SPIRIT or possessed in SPIRIT:
                return NO_POSSESSION
            if possessed not in state.pool:
                return NOT_IN_THE_POOL
        if rule := broken_bound(card, possessed or "", *self.bound(state)):
            return rule
        return NO_COMBINATION if kind and (kind, how) not in self.suffixes(state, action.face) else None

    def take(self, state: DemonsState, action: Card) -> None:
        card, possessed, kind, how = action
        actor, face = state.actor, action.face
        state.hands[actor].remove(card)
        if possessed:
            state.pool.remove(possessed)
        if len(state.trick) in {0, SEATS}:
            state.trick = []
            state.leader = actor
        state.trick.append(Played(face, card if card in SPIRIT else None))
        state.plays += 1
        state.announce(actor, face, kind, how)
        if len(state.trick) == SEATS:
            self.gather(state)
        else:
            state.actor = LEFT_OF[actor]

    def gather(self, state: DemonsState) -> None:
        """The strongest pure Démon; else the highest of the suit led, a possessed card before its like."""
        trick = tuple(state.trick)
        led = trick[0].face[1] if trick[0].face else ""
        powers = [
            (2, SPIRIT.get(demon or "", 0), 0)
            if face is None
            else (int(face[1] == led), TRICK_ORDER.index(face[0]), SPIRIT.get(demon or "", 0))
            for face, demon in trick
        ]
        winner = (state.leader + powers.index(max(powers))) % SEATS  # of equal ones the first
        state.won[winner].append(trick)
        state.taker = state.actor = winner
        state.gathered += 1
        demons = [played.demon for played in trick]
        if not state.revealed and state.designating in demons:
            devil = (state.leader + demons.index(state.designating)) % SEATS
            if devil == state.deal.devil:
                state.revealed = True
                if state.hands[devil] and state.pool:
                    state.now = DEVIL
                    state.actor = devil
                    return
        if not state.hands[winner]:
            for seat in range(SEATS):
                state.close(seat, (PAREIL, SUITE))
            state.now = OVER


class Devil(OneForOne[DemonsState]):
    """The Diable, revealed, may change a card with the pool, face up."""

    name, verb, nothing, pack, wrong = "devil", "devil:swap", STAY, PLACE, NOT_IN_THE_POOL

    def hand(self, state: DemonsState) -> list[str]:
        return state.hands[state.actor]

    def pile(self, state: DemonsState) -> list[str]:
        return state.pool

    def take(self, state: DemonsState, action: tuple[str, ...]) -> None:
        if action:
            self.exchange(state, *action)
            state.hands[state.actor].sort(key=PLACE.__getitem__)
            state.pool.sort(key=PLACE.__getitem__)
        assert state.taker is not None
        state.now = PLAY
        state.actor = state.taker


EXCHANGE, BET, PLAY, DEVIL = Exchange(), BetTalk(), Play(), Devil()


def broken_bound(card: str, possessed: str, bound: Phrase | None, led: str | None) -> Phrase | None:
    """The rule that a card, with what it possesses, breaks."""
    if bound is None:
        return None
    demon = is_demon(card)
    if bound is PURE_LED or bound is NO_POSSESSION:
        return NO_POSSESSION if possessed else PURE_LED if bound is PURE_LED and not demon else None
    if (possessed or card)[1] == led and (possessed or not demon):
        return None
    return ORDINARY_LED if bound is FOLLOW and demon else bound


def copies(cards: Sequence[str]) -> list[tuple[str, int]]:
    return list(Counter(cards).items())
