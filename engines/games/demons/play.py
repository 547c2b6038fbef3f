"""Démons: the phases (section 4), and what may be seen (section 11)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from ...cards import chosen, swapped, without
from ...choices import Interruption, OneForOne
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
    FIGURES,
    LEFT_OF,
    PAREIL,
    PLACE,
    SEATS,
    SPIRIT,
    SUITE,
    TRICK_ORDER,
    Best,
    Deal,
    best_of,
    extending,
    is_demon,
    strength,
)
from .marks import COMPLETE, LAST_PLAY, PARTIAL, Bet, Ending, Played, Stakes, card_points, outcome_of
from .sheet import FORM

KEEP, STAY = "keep", "devil:keep"
NEW, MORE = "new", "more"
CARD_FORM = re.compile(r"play:([0-9A-Z]{2})(?:=([0-9A-Z]{2}))?(?:!(pareil|suite):(new|more))?")

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
        "leader", "options", "plays", "pool", "revealed", "taker", "trick", "won",
    )  # fmt: skip

    calling = 0.08  # often enough for every talk to come up

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.designating = deal.designating
        self.log = []
        self.hands = list(map(PLACE.sorted, deal.hands))
        self.pool = PLACE.sorted(deal.pool)
        self.given: list[tuple[str, ...]] = [()] * SEATS  # face down, for cards of the pool
        self.bets: tuple[Bet, ...] = ()
        self.interrupted = None
        self.plays = 0
        self.trick: tuple[Played, ...] = ()
        self.won: list[tuple[tuple[Played, ...], ...]] = [()] * SEATS
        self.gathered = 0
        self.taker: int | None = None
        self.revealed = False
        self.active: list[dict[str, tuple[str, ...]]] = [{}, {}, {}]  # open combinations by kind
        self.free = [True] * SEATS  # whether a failure is without penalty
        self.failures = [0] * SEATS
        self.bests: list[dict[str, Best]] = [{}, {}, {}]
        self.now = EXCHANGE
        self.leader = self.actor = LEFT_OF[deal.dealer - 1]

    # Combinations

    def announce(self, seat: int, face: str | None, kind: str | None, how: str | None) -> None:
        """What a card does to the combinations of its player."""
        own = self.active[seat]
        if not own and not kind:
            return
        together = self.options["combination_continuity"] == "free"
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
                Pile("given", given),
                *combinations,
            ),
            trick=laid_from(self.leader, [(one.face_up, one.demon) for one in self.trick], SEATS),
            tricks=tuple(len(won) for won in self.won),
            gathered=self.gathered,
            taker=number_of(self.taker),
            markers=self.deal.markers,
            devil=self.deal.devil + 1 if self.revealed or self.over else None,
            bets=self.bets,
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


Cards = tuple[str, ...]


class Swap(NamedTuple):
    """The sixes that are shown, and what is given for what, in the order of the pack."""

    sixes: Cards = ()
    gives: Cards = ()
    takes: Cards = ()

    @property
    def token(self) -> str:
        pairs = ",".join(f"{give}>{take}" for give, take in zip(self.gives, self.takes, strict=True))
        return f"swap:{'+'.join(self.sixes)};{pairs}" if self.sixes else KEEP


class Exchange(Phase[DemonsState, Swap]):
    name = "exchange"

    def swaps(self, state: DemonsState) -> Iterator[tuple[Cards, list[Cards], list[Cards]]]:
        """The sixes that may be shown, with all that may be given and taken for them: each exchange once, in
        the order of the pack."""
        hand = state.hands[state.actor]
        own = [card for card in hand if card[0] == "6"]
        ways = [()] + [
            tuple(list(selections(list(Counter(cards).items()), size)) for cards in (hand, state.pool))
            for size in range(1, len(own))
        ]
        for shown in range(2, len(own) + 1):
            for sixes in combinations(own, shown):
                for size in range(1, shown):
                    yield (sixes, *ways[size])

    def offers(self, state: DemonsState) -> Iterator[str]:
        yield KEEP
        for sixes, gives, takes in self.swaps(state):
            yield from (Swap(sixes, give, take).token for give in gives for take in takes)

    def draw(self, state: DemonsState, random: Random) -> str:
        """There can be thousands: one is found by its place among all."""
        swaps = list(self.swaps(state))
        place = random.randrange(1 + sum(len(gives) * len(takes) for _, gives, takes in swaps)) - 1
        for sixes, gives, takes in swaps:
            if 0 <= place < len(gives) * len(takes):
                give, take = divmod(place, len(takes))
                return Swap(sixes, gives[give], takes[take]).token
            place -= len(gives) * len(takes)
        return KEEP

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
        return Swap(*map(PLACE.sorted, lists))

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
            hand = state.hands[actor]
            for give, take in zip(action.gives, action.takes, strict=True):
                hand, state.pool = swapped(hand, give, take), without(state.pool, take)
            state.hands[actor], state.given[actor] = PLACE.sorted(hand), action.gives
        state.actor = LEFT_OF[actor]
        if state.actor == state.leader:
            state.now = PLAY


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
        """Who may open a partial bet may open a complete one as well."""
        return self.open_to(state, COMPLETE)

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
        state.bets += (Bet.first(action, seat, self.out(state)),)
        BET.begin(state)


BETS = Bets()


class BetTalk(Interruption[DemonsState]):
    name = "bet"

    def answers(self, state: DemonsState) -> tuple[str, ...]:
        return state.bets[-1].choices()

    def waiting(self, state: DemonsState) -> tuple[int, ...]:
        return state.bets[-1].pending

    def take(self, state: DemonsState, action: str) -> None:
        state.bets = (*state.bets[:-1], state.bets[-1].after(action))
        self.go_on(state)


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


class Card(NamedTuple):
    """A card that is played, what it possesses, and what is announced with it; how it lies in the trick."""

    card: str
    possessed: str | None
    kind: str | None
    how: str | None
    shown: Played


def parsed(token: str) -> Card | None:
    match = CARD_FORM.fullmatch(token)
    if not match or match[1] not in PLACE:
        return None
    card, possessed, kind, how = match.groups()
    demon = card if is_demon(card) else None
    return Card(card, possessed, kind, how, Played(possessed or (None if demon else card), demon))


Said = tuple[tuple[str, str], ...]  # combinations that may be begun or extended with a card

SAID: list[Said] = [
    ((PAREIL, NEW), *[(PAREIL, MORE)] * (grows & 1), (SUITE, NEW), *[(SUITE, MORE)] * (grows >> 1))
    for grows in range(4)
]
"""With a figure that extends no combination, the open pareil (1), the suite (2), or both."""

ANNOUNCED = ("", *(f"!{kind}:{how}" for kind in (PAREIL, SUITE) for how in (NEW, MORE)))
SHOWN = (*FACES, *(f"{demon}={face}" for demon in DEMONS for face in FACES))
PLAYS = {token: parsed(token) for token in (f"play:{one}{said}" for one in SHOWN for said in ANNOUNCED)}
ALIKE = {face: frozenset(other for other in FACES if other[1] == face[1]) for face in FACES}
"""By face, those of its suit; the Démons are one."""


TOKENS = {
    shown: [
        (f"play:{shown}", *(f"play:{shown}!{kind}:{how}" for kind, how in said if shown[-2] in FIGURES))
        for said in SAID
    ]
    for shown in SHOWN
}
"""A card, with what it possesses, alone and with each thing that may be said with it."""


class Play(Phase[DemonsState, Card]):
    name = "play"
    calls = BETS

    def asked(self, state: DemonsState) -> frozenset[str] | None:
        """What a card must show: the suit led, or a pure Démon if one was led, while the actor holds one; by
        an option also a card of the suit that a Démon can possess. None: anything."""
        if not 0 < len(state.trick) < SEATS:
            return None
        alike, hand = ALIKE[state.trick[0].face_up], state.hands[state.actor]
        if alike.isdisjoint(hand):
            obliged = state.options["possession_obligation"] and not alike.isdisjoint(state.pool)
            return alike if obliged and any(map(is_demon, hand)) else None
        return alike

    def reason(self, state: DemonsState, asked: frozenset[str], action: Card) -> Phrase:
        """The rule that a card breaks, which does not show what is asked for."""
        if DEMONS[0] in asked:
            return NO_POSSESSION if action.possessed else PURE_LED
        if asked.isdisjoint(state.hands[state.actor]):
            return MUST_POSSESS
        return ORDINARY_LED if is_demon(action.card) else FOLLOW

    def grows(self, state: DemonsState, face: str) -> int:
        """Which open combinations of the actor a face extends."""
        active = state.active[state.actor]
        pareil = PAREIL in active and face in extending(PAREIL, active[PAREIL])
        return pareil + 2 * (SUITE in active and face in extending(SUITE, active[SUITE]))

    def suffixes(self, state: DemonsState, face: str | None) -> Said:
        """What may be announced with a face: a figure begins either combination, or extends the open one."""
        return () if face is None or face[0] not in FIGURES else SAID[self.grows(state, face)]

    def tokens(self, state: DemonsState) -> list[str]:
        """The cards that may be played, each once, with what they possess, if anything, and what may be
        announced with them."""
        asked = self.asked(state)
        shown = list(dict.fromkeys(state.hands[state.actor]))
        if demons := [card for card in shown if card in SPIRIT]:
            bodies = [card for card in dict.fromkeys(state.pool) if card not in SPIRIT]
            shown += [f"{demon}={body}" for demon in demons for body in bodies]
        if asked is not None:
            shown = [one for one in shown if one[-2:] in asked]
        if state.active[state.actor]:
            return [token for one in shown for token in TOKENS[one][self.grows(state, one[-2:])]]
        return [token for one in shown for token in TOKENS[one][0]]

    def offers(self, state: DemonsState) -> Iterator[str]:
        return iter(self.tokens(state))

    def draw(self, state: DemonsState, random: Random) -> str:
        """Announces often enough for combinations to grow."""
        tokens = self.tokens(state)
        more = [token for token in tokens if token.endswith(MORE)] if state.active[state.actor] else []
        return chosen(more if more and random.random() < 0.8 else tokens, random)

    def read(self, state: DemonsState, token: str) -> Card | None:
        return PLAYS.get(token) or parsed(token)

    def rule(self, state: DemonsState, action: Card) -> Phrase | None:
        card, possessed, kind, how, shown = action
        if card not in state.hands[state.actor]:
            return NOT_HELD
        if possessed:
            if card not in SPIRIT or possessed in SPIRIT:
                return NO_POSSESSION
            if possessed not in state.pool:
                return NOT_IN_THE_POOL
        asked = self.asked(state)
        if asked is not None and shown.face_up not in asked:
            return self.reason(state, asked, action)
        return NO_COMBINATION if kind and (kind, how) not in self.suffixes(state, shown.face) else None

    def take(self, state: DemonsState, action: Card) -> None:
        card, possessed, kind, how, shown = action
        actor = state.actor
        state.hands[actor] = without(state.hands[actor], card)
        if possessed:
            state.pool = without(state.pool, possessed)
        if len(state.trick) in {0, SEATS}:
            state.trick, state.leader = (), actor
        state.trick += (shown,)
        state.plays += 1
        state.announce(actor, shown.face, kind, how)
        if len(state.trick) == SEATS:
            self.gather(state)
        else:
            state.actor = LEFT_OF[actor]

    def gather(self, state: DemonsState) -> None:
        """The strongest pure Démon; else the highest of the suit led, a possessed card before its like."""
        trick = state.trick
        powers = [power(played, trick[0].face_up[1]) for played in trick]
        winner = (state.leader + powers.index(max(powers))) % SEATS  # of equal ones the first
        state.won[winner] += (trick,)
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


@cache
def power(played: Played, led: str) -> tuple[int, int, int]:
    """What a card weighs in a trick, in which this suit was led."""
    spirit = SPIRIT.get(played.demon or "", 0)
    if played.face is None:
        return 2, spirit, 0
    return int(played.face[1] == led), TRICK_ORDER.index(played.face[0]), spirit


class Devil(OneForOne[DemonsState]):
    """The Diable, revealed, may change a card with the pool, face up."""

    name, verb, nothing, pack, wrong = "devil", "devil:swap", STAY, PLACE, NOT_IN_THE_POOL

    def hand(self, state: DemonsState) -> Cards:
        return state.hands[state.actor]

    def pile(self, state: DemonsState) -> Cards:
        return state.pool

    def take(self, state: DemonsState, action: Cards) -> None:
        if action:
            give, take = action
            state.hands[state.actor] = PLACE.sorted(swapped(state.hands[state.actor], give, take))
            state.pool = PLACE.sorted(swapped(state.pool, take, give))
        assert state.taker is not None
        state.now, state.actor = PLAY, state.taker


EXCHANGE, BET, PLAY, DEVIL = Exchange(), BetTalk(), Play(), Devil()
