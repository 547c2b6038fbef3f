"""Démons: the phases (section 4), and what may be seen (section 11)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

from ...combinations import selections
from ...contract import Outcome, Settings, View, seat_and_token
from ...phrases import Phrase
from ...turns import FOLLOW, IS_OVER, NO_SUCH_ACTION, NOT_HELD, NOT_YOUR_TURN, OVER, LoggedState
from .bets import COMPLETE, LAST_PLAY, PARTIAL, Bet, first_bet
from .cards import (
    DEMONS,
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
from .marks import Ending, Played, Stakes, card_points, outcome_of

EXCHANGE, PLAY, BET, DEVIL = "exchange", "play", "bet", "devil"
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


class DemonsState(LoggedState):
    """A deal in progress. Seats are indices from 0 inside; lists are by seat."""

    __slots__ = (
        "active", "bests", "bets", "deal", "failures", "free", "gathered", "given", "hands", "leader",
        "options", "plays", "pool", "queue", "revealed", "taker", "trick", "won",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
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
        self.active: list[list[tuple[str, tuple[str, ...]]]] = [[], [], []]  # open combinations
        self.free = [True] * SEATS  # whether a failure is without penalty
        self.failures = [0] * SEATS
        self.bests: list[list[tuple[str, Best]]] = [[], [], []]  # by kind
        forehand = LEFT_OF[deal.dealer - 1]
        self.queue = [LEFT_OF[forehand], LEFT_OF[LEFT_OF[forehand]]]
        self.stage = EXCHANGE
        self.actor = forehand

    @property
    def turn(self) -> int:
        return self.actor + 1

    # Who may act, and what is legal

    def actors(self) -> tuple[int, ...]:
        if self.stage != PLAY:
            return super().actors()
        may = {self.actor, *(seat for seat in range(SEATS) if any(self.openings(seat)))}
        return tuple(seat + 1 for seat in sorted(may))

    def legal(self, seat: int) -> Iterator[str]:
        if self.stage == PLAY and 1 <= seat <= SEATS:
            yield from (f"bet:{kind}" for kind in self.openings(seat - 1))
        yield from super().legal(seat)

    def choices(self) -> Iterator[str]:
        if self.stage == EXCHANGE:
            yield KEEP
            yield from self.exchanges()
        elif self.stage == BET:
            yield from self.bets[-1].choices()
        elif self.stage == DEVIL:
            yield STAY
            hand, pool = dict.fromkeys(self.hands[self.actor]), dict.fromkeys(self.pool)
            yield from (f"devil:swap:{give}>{take}" for give in hand for take in pool)
        else:
            for card, possessed in self.playable():
                token = f"play:{card}={possessed}" if possessed else f"play:{card}"
                yield token
                face = possessed or (None if is_demon(card) else card)
                yield from (f"{token}!{kind}:{how}" for kind, how in self.suffixes(face))

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

    def rule_against(self, seat: int | None, token: str) -> Phrase | None:
        if self.stage == OVER:
            return IS_OVER
        who = self.actor if seat is None else seat - 1
        verb, _colon, kind = token.partition(":")
        if verb == "bet" and self.stage == PLAY:
            if kind not in {PARTIAL, COMPLETE} or not 0 <= who < SEATS:
                return NO_SUCH_ACTION
            return None if kind in self.openings(who) else NO_BET
        return NOT_YOUR_TURN if who != self.actor else self.broken_rule(token)

    def broken_rule(self, token: str) -> Phrase | None:
        if self.stage == EXCHANGE:
            return None if token == KEEP else self.broken_swap(token)
        if self.stage == BET:
            return None if token in self.bets[-1].choices() else NO_SUCH_ACTION
        if self.stage == DEVIL:
            return self.broken_devil(token)
        return self.broken_play(token)

    def apply(self, entry: str) -> None:
        several = self.stage == PLAY and len(self.actors()) > 1
        token = self.checked(entry)
        seat = seat_and_token(entry)[0]
        who = self.actor if seat is None else seat - 1
        if self.stage == EXCHANGE:
            token = self.swap(token)
        self.log.append(f"{who + 1} {token}" if several else token)
        verb, _colon, rest = token.partition(":")
        if verb == "bet":
            self.open_bet(rest, who)
        elif self.stage == EXCHANGE:
            self.next_exchange()
        elif self.stage == BET:
            self.bets[-1] = self.bets[-1].after(token)
            self.go_on_betting()
        elif self.stage == DEVIL:
            self.devil(token)
        else:
            self.play(token)

    # The exchange of sixes

    def sixes(self) -> list[str]:
        return [card for card in self.hands[self.actor] if card[0] == "6"]

    def exchanges(self) -> Iterator[str]:
        """Each exchange once: sixes, gives and takes in the order of the pack."""
        held, lying = copies(self.hands[self.actor]), copies(self.pool)
        for shown in range(2, len(self.sixes()) + 1):
            for sixes in combinations(self.sixes(), shown):
                for size in range(1, shown):
                    for gives in selections(held, size):
                        for takes in selections(lying, size):
                            yield swap_token(sixes, gives, takes)

    def read_swap(self, token: str) -> tuple[list[str], list[str], list[str]] | None:
        sixes, semicolon, pairs = token.removeprefix("swap:").partition(";")
        if not token.startswith("swap:") or not semicolon:
            return None
        swaps = [pair.split(">") for pair in pairs.split(",")]
        if any(len(pair) != 2 for pair in swaps):
            return None
        lists = [sorted(cards) for cards in (sixes.split("+"), [p[0] for p in swaps], [p[1] for p in swaps])]
        if not all(card in PLACE for cards in lists for card in cards):
            return None
        shown, gives, takes = (sorted(cards, key=PLACE.__getitem__) for cards in lists)
        return shown, gives, takes

    def broken_swap(self, token: str) -> Phrase | None:
        read = self.read_swap(token)
        if read is None:
            return NO_SUCH_ACTION
        shown, gives, takes = read
        hand = Counter(self.hands[self.actor])
        if Counter(shown) - hand or Counter(gives) - hand:
            return NOT_HELD
        if any(card[0] != "6" for card in shown) or len(shown) < 2 or len(gives) >= len(shown):
            return SHOW_SIXES
        return NOT_IN_THE_POOL if Counter(takes) - Counter(self.pool) else None

    def swap(self, token: str) -> str:
        """Carries an exchange out; its token in canonical form."""
        read = self.read_swap(token)
        if read is None:
            return token
        shown, gives, takes = read
        actor = self.actor
        for card in gives:
            self.hands[actor].remove(card)
        for card in takes:
            self.pool.remove(card)
        self.hands[actor] = sorted([*self.hands[actor], *takes], key=PLACE.__getitem__)
        self.given[actor] = gives
        return swap_token(shown, gives, takes)

    def next_exchange(self) -> None:
        if self.queue:
            self.actor = self.queue.pop(0)
        else:
            self.stage = PLAY
            self.actor = self.leader = LEFT_OF[self.deal.dealer - 1]

    # Bets

    def openings(self, seat: int) -> Iterator[str]:
        """The bets that a seat may open now."""
        if self.plays > LAST_PLAY[COMPLETE]:
            return
        kinds = {bet.kind for bet in self.bets}
        if not kinds and self.plays <= LAST_PLAY[PARTIAL]:
            yield PARTIAL
        if COMPLETE not in kinds and self.plays <= LAST_PLAY[COMPLETE] and seat not in self.out():
            yield COMPLETE

    def out(self) -> frozenset[int]:
        """The seats that conceded the partial bet."""
        return next((bet.out for bet in self.bets if bet.kind == PARTIAL), frozenset())

    def open_bet(self, kind: str, who: int) -> None:
        self.bets.append(first_bet(kind, who, SEATS, self.out()))
        self.queue = [self.actor]  # whose turn it is
        self.stage = BET
        self.go_on_betting()

    def go_on_betting(self) -> None:
        pending = self.bets[-1].pending
        if pending:
            self.actor = pending[0]
        else:
            self.stage = PLAY
            self.actor = self.queue.pop()

    # The play

    def suit_led(self) -> str | None:
        """The suit led, `T` for a pure Démon; None for the leader."""
        if len(self.trick) in {0, SEATS}:
            return None
        first = self.trick[0]
        return first.face[1] if first.face else "T"

    def playable(self) -> Iterator[tuple[str, str]]:
        """The cards that may be played, each once, and what they possess, if anything."""
        bound, led = self.bound()
        hand = list(dict.fromkeys(self.hands[self.actor]))
        bodies = [card for card in dict.fromkeys(self.pool) if not is_demon(card)]
        plain = [(card, "") for card in hand]
        for card, body in plain + [(card, body) for card in hand if is_demon(card) for body in bodies]:
            if broken_bound(card, body, bound, led) is None:
                yield card, body

    def bound(self) -> tuple[Phrase | None, str | None]:
        """The rule that binds the actor's card, if one does, and the suit led."""
        led = self.suit_led()
        if led is None:
            return None, None
        hand = self.hands[self.actor]
        if led == "T":
            return (PURE_LED if any(map(is_demon, hand)) else NO_POSSESSION), led
        if any(card[1] == led for card in hand):
            return FOLLOW, led
        obliged = self.options["possession_obligation"] and any(card[1] == led for card in self.pool)
        return (MUST_POSSESS if obliged and any(map(is_demon, hand)) else None), led

    def suffixes(self, face: str | None) -> Iterator[tuple[str, str]]:
        """What may be announced with a card."""
        if face is None or face[0] == "6":
            return
        for kind in (PAREIL, SUITE):
            yield kind, NEW
            if any(own == kind and extends(kind, cards, face) for own, cards in self.active[self.actor]):
                yield kind, MORE

    def broken_play(self, token: str) -> Phrase | None:
        match = CARD_FORM.fullmatch(token)
        if not match or match[1] not in PLACE:
            return NO_SUCH_ACTION
        card, possessed, kind, how = match.groups()
        hand = self.hands[self.actor]
        if card not in hand:
            return NOT_HELD
        if possessed and (not is_demon(card) or is_demon(possessed)):
            return NO_POSSESSION
        if possessed and possessed not in self.pool:
            return NOT_IN_THE_POOL
        if rule := broken_bound(card, possessed or "", *self.bound()):
            return rule
        face = possessed or (None if is_demon(card) else card)
        return NO_COMBINATION if kind and (kind, how) not in self.suffixes(face) else None

    def play(self, token: str) -> None:
        match = CARD_FORM.fullmatch(token)
        assert match is not None
        card, possessed, kind, how = match.groups()
        actor = self.actor
        self.hands[actor].remove(card)
        if possessed:
            self.pool.remove(possessed)
        played = Played(possessed or (None if is_demon(card) else card), card if is_demon(card) else None)
        if len(self.trick) in {0, SEATS}:
            self.trick = []
            self.leader = actor
        self.trick.append(played)
        self.plays += 1
        self.announce(actor, played.face, kind, how)
        if len(self.trick) == SEATS:
            self.gather()
        else:
            self.actor = LEFT_OF[actor]

    def announce(self, seat: int, face: str | None, kind: str | None, how: str | None) -> None:
        """What a card does to the combinations of its player."""
        together = self.options["combination_continuity"] == "free"
        if how == MORE and kind and face:
            cards = next(cards for own, cards in self.active[seat] if own == kind)
            grown = (*cards, face)
            self.active[seat] = [(own, grown if own == kind else old) for own, old in self.active[seat]]
            if len(grown) == 2:
                self.free[seat] = True
            self.remember(seat, kind, best_of(kind, grown))
            return
        if not together or kind:
            self.close(seat, [own for own, _ in self.active[seat] if not together or own == kind])
        if kind and face:
            self.active[seat].append((kind, (face,)))

    def close(self, seat: int, kinds: Sequence[str]) -> None:
        """A combination that remained a single card has failed: the first time without penalty."""
        for own, cards in self.active[seat]:
            if own in kinds and len(cards) == 1:
                self.failures[seat] += not self.free[seat]
                self.free[seat] = False
        self.active[seat] = [(own, cards) for own, cards in self.active[seat] if own not in kinds]

    def remember(self, seat: int, kind: str, best: Best) -> None:
        kept = [(own, old) for own, old in self.bests[seat] if own != kind]
        old = [old for own, old in self.bests[seat] if own == kind]
        self.bests[seat] = [*kept, (kind, max([best, *old], key=strength))]

    def gather(self) -> None:
        """The strongest pure Démon; else the highest of the suit led, a possessed card before its like."""
        trick = tuple(self.trick)
        led = trick[0].face[1] if trick[0].face else ""

        def power(place: int) -> tuple[int, int, int, int]:
            face, demon = trick[place]
            spirit = len(DEMONS) - DEMONS.index(demon) if demon else 0
            if face is None:
                return 2, spirit, 0, 0
            return int(face[1] == led), TRICK_ORDER.index(face[0]), spirit, -place

        winner = (self.leader + max(range(SEATS), key=power)) % SEATS
        self.won[winner].append(trick)
        self.taker = self.actor = winner
        self.gathered += 1
        unmasked = any(played.demon == self.deal.designating for played in trick) and not self.revealed
        player = next((p for p, played in enumerate(trick) if played.demon == self.deal.designating), 0)
        devil = (self.leader + player) % SEATS
        if unmasked and devil == self.deal.devil:
            self.revealed = True
            if self.hands[devil] and self.pool:
                self.stage = DEVIL
                self.actor = devil
                return
        if not self.hands[winner]:
            for seat in range(SEATS):
                self.close(seat, (PAREIL, SUITE))
            self.stage = OVER

    def broken_devil(self, token: str) -> Phrase | None:
        if token == STAY:
            return None
        give, arrow, take = token.removeprefix("devil:swap:").partition(">")
        if not token.startswith("devil:swap:") or not arrow or give not in PLACE or take not in PLACE:
            return NO_SUCH_ACTION
        if give not in self.hands[self.actor]:
            return NOT_HELD
        return None if take in self.pool else NOT_IN_THE_POOL

    def devil(self, token: str) -> None:
        """The Diable, revealed, may change a card with the pool, face up."""
        if token != STAY:
            give, _arrow, take = token.removeprefix("devil:swap:").partition(">")
            hand = self.hands[self.actor]
            hand[hand.index(give)] = take
            self.pool[self.pool.index(take)] = give
            hand.sort(key=PLACE.__getitem__)
            self.pool.sort(key=PLACE.__getitem__)
        assert self.taker is not None
        self.stage = PLAY
        self.actor = self.taker

    # The end

    def result(self) -> Ending:
        self.check_over()
        deal = self.deal
        points = tuple(
            card_points(won, deal.markers[seat], devil=seat == deal.devil)
            for seat, won in enumerate(self.won)
        )
        bets = {bet.kind: Stakes(bet.stake, bet.risk) for bet in self.bets}

        def bests(kind: str) -> tuple[Best | None, ...]:
            return tuple(dict(own).get(kind) for own in self.bests)

        return Ending(
            tuple(len(won) for won in self.won), points, bests(SUITE), bests(PAREIL), tuple(self.failures),
            bets.get(PARTIAL), bets.get(COMPLETE),
        )  # fmt: skip

    def outcome(self) -> Outcome:
        return outcome_of(self.result())

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The player's own hand and the cards given away; the pool, the tricks, announcements and bets; the
        Diable once revealed, and no points of cards, which would tell."""
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "markers": list(self.deal.markers),
            "actors": list(self.actors()),
            "pool": list(self.pool),
            "devil": self.deal.devil + 1 if self.revealed or self.over else None,
            "bets": [shown_bet(bet) for bet in self.bets],
            "open": [[{"kind": kind, "cards": list(cards)} for kind, cards in own] for own in self.active],
            "failures": list(self.failures),
            "free_failure": list(self.free),
            "trick": [
                {"seat": (self.leader + step) % SEATS + 1, "card": played.face_up, "demon": played.demon}
                for step, played in enumerate(self.trick)
            ],
            "tricks": [len(won) for won in self.won],
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is not None:
            shown["hand"] = list(self.hands[seat - 1])
            shown["given"] = list(self.given[seat - 1])
        return shown


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


def shown_bet(bet: Bet) -> dict[str, Any]:
    pending = [seat + 1 for seat in bet.pending]
    return {"kind": bet.kind, "stake": bet.stake, "risk": list(bet.risk), "pending": pending}


def copies(cards: Sequence[str]) -> list[tuple[str, int]]:
    return list(Counter(cards).items())


def swap_token(sixes: Sequence[str], gives: Sequence[str], takes: Sequence[str]) -> str:
    pairs = ",".join(f"{give}>{take}" for give, take in zip(gives, takes, strict=True))
    return f"swap:{'+'.join(sixes)};{pairs}"
