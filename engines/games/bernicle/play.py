"""Bernicle: the phases (section 4), and what may be seen (section 11)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from ...cards import CardSet, highest, lowest
from ...combinations import selections
from ...contract import Outcome, Settings, View
from ...phrases import Phrase
from ...tricks import StagedTricks, on_the_table, strongest
from ...turns import FOLLOW, MUST_OVERTRUMP, MUST_RUFF, NO_SUCH_ACTION, NOT_HELD, OVER
from .cards import (
    HIGHER,
    LEFT_OF,
    PACK,
    PLAYS,
    SEATS,
    STRENGTH,
    TRICKS,
    TRUMP_STRENGTH,
    Deal,
    card_points,
    copies_of,
)
from .combinations import CODES, LISTED, best_declaration, broken_list, declarations, in_order, worth_of
from .marks import Ending, niche_points, outcome_of

AUCTION, TRUMP, EXCHANGE, COMBINATIONS, PLAY = "auction", "trump", "exchange", "combinations", "play"
PASS = "pass"  # noqa: S105
OPENINGS, STEPS = (150, 160), (10, 20)
NONE, BEST = "declare:none", "declare:max"

MUST_OPEN = Phrase("the player at the dealer's left must open, with 150 or 160")
OPEN_SO = Phrase("the first bid is 150 or 160")
BID_SO = Phrase("bid ten or twenty more, or pass")
LAY_ASIDE = Phrase("lay aside {count} cards of your hand")


class BernicleState(StagedTricks):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "bids", "contract", "deal", "declared", "declarer", "discards", "hands", "options",
        "passes", "points", "strength", "trump", "trump_suit",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(SEATS)
        self.deal, self.options = deal, options
        self.hands = list(deal.hands)
        self.discards: list[CardSet] = [0] * SEATS
        self.bids: list[tuple[int, str]] = []
        self.passes = 0  # in a row
        self.contract = 0
        self.declarer: int | None = None
        self.trump: str | None = None
        self.trump_suit: CardSet = 0
        self.strength: Mapping[CardSet, int] = STRENGTH
        self.declared: list[tuple[str, ...] | None] = [None] * SEATS
        self.points = [0] * SEATS
        self.stage = AUCTION
        self.actor = LEFT_OF[deal.dealer - 1]

    def choices(self) -> Iterator[str]:
        if self.stage == AUCTION:
            if not self.must_open():
                yield PASS
            yield from (f"bid:{amount}" for amount in self.next_bids())
        elif self.stage == TRUMP:
            yield from (f"trump:{suit}" for suit in PACK.suit_letters)
        elif self.stage == EXCHANGE:
            for tokens in selections(copies(self.hands[self.actor]), self.surplus()):
                yield f"discard:{','.join(tokens)}"
        elif self.stage == COMBINATIONS:
            for declared in declarations(self.hands[self.actor]):
                yield f"declare:{','.join(in_order(declared))}" if declared else NONE
        else:
            yield from (f"play:{token}" for token in PACK.faces_of(self.playable))

    def any_legal(self, seat: int, random: Random) -> str:
        """Thousands of discards are possible: one is drawn card by card."""
        if self.stage != EXCHANGE or seat != self.actor + 1:
            return super().any_legal(seat, random)
        chosen = random.sample(PACK.tokens(self.hands[self.actor]), self.surplus())
        return f"discard:{','.join(sorted(chosen, key=PACK.faces.index))}"

    def broken_rule(self, token: str) -> Phrase | None:
        verb, _colon, rest = token.partition(":")
        if self.stage == PLAY:
            return self.broken_play(token)
        if self.stage == AUCTION:
            return self.broken_bid(token)
        if self.stage == TRUMP:
            return None if verb == "trump" and rest in LETTERS else NO_SUCH_ACTION
        if self.stage == EXCHANGE:
            return self.broken_discard(verb, rest)
        if token in {NONE, BEST}:
            return None
        codes = rest.split(",")
        if verb != "declare" or not all(code in CODES for code in codes):
            return NO_SUCH_ACTION
        return broken_list(Counter(codes), self.hands[self.actor])

    def apply(self, entry: str) -> None:
        cards = PLAYS.get(entry, 0) & self.playable
        if cards:
            self.log.append(entry)
            self.play(lowest(cards))
            return
        token = self.checked(entry)
        rest = token.partition(":")[2]
        if self.stage == PLAY:
            self.apply(token)
        elif self.stage == AUCTION:
            self.log.append(token)
            self.speak(token)
        elif self.stage == TRUMP:
            self.log.append(token)
            self.trump, self.trump_suit = rest, PACK.suit(rest)
            self.strength = TRUMP_STRENGTH[rest]
            self.stage = EXCHANGE
            self.hands[self.actor] |= self.deal.dog
        elif self.stage == EXCHANGE:
            self.exchange(rest.split(","))
        else:
            self.declare(token)

    # The auction

    def next_bids(self) -> tuple[int, ...]:
        return tuple(self.contract + step for step in STEPS) if self.contract else OPENINGS

    def must_open(self) -> bool:
        return self.options["opening"] == "forced" and not self.bids

    def broken_bid(self, token: str) -> Phrase | None:
        if token == PASS:
            return MUST_OPEN if self.must_open() else None
        if token in {f"bid:{amount}" for amount in self.next_bids()}:
            return None
        if not token.startswith("bid:"):
            return NO_SUCH_ACTION
        return BID_SO if self.contract else OPEN_SO

    def speak(self, token: str) -> None:
        """Two passes in a row after a bid end it; three without a bid end the deal."""
        self.bids.append((self.actor, token))
        if token == PASS:
            self.passes += 1
        else:
            self.passes = 0
            self.contract, self.declarer = int(token.removeprefix("bid:")), self.actor
        if self.declarer is None and self.passes == SEATS:
            self.stage = OVER
        elif self.declarer is not None and self.passes == SEATS - 1:
            self.stage = TRUMP
            self.actor = self.declarer
        else:
            self.actor = LEFT_OF[self.actor]

    # The exchange and the combinations: the taker first, then in turn

    def surplus(self) -> int:
        """How many cards the actor lays aside."""
        return self.hands[self.actor].bit_count() - TRICKS

    def broken_discard(self, verb: str, rest: str) -> Phrase | None:
        tokens = rest.split(",")
        if verb != "discard" or not all(token in PACK for token in tokens):
            return NO_SUCH_ACTION
        if len(tokens) != self.surplus():
            return Phrase(LAY_ASIDE.text, count=self.surplus())
        counted = Counter(tokens)
        hand = self.hands[self.actor]
        return NOT_HELD if any(copies_of(hand, token) < count for token, count in counted.items()) else None

    def exchange(self, tokens: Sequence[str]) -> None:
        self.log.append(f"discard:{','.join(sorted(tokens, key=PACK.faces.index))}")
        actor = self.actor
        self.discards[actor] = PACK.selection(self.hands[actor], tokens)
        self.hands[actor] ^= self.discards[actor]
        self.actor = actor = LEFT_OF[actor]
        if actor == self.declarer:
            self.stage = COMBINATIONS
        else:
            second = LEFT_OF[actor] == self.declarer
            self.hands[actor] |= self.deal.pups[second]

    def declare(self, token: str) -> None:
        actor, hand = self.actor, self.hands[self.actor]
        if token == BEST:
            assert self.trump is not None
            codes = in_order(best_declaration(hand, self.trump))
        else:
            codes = (
                [] if token == NONE else sorted(token.partition(":")[2].split(","), key=LISTED.__getitem__)
            )
        self.log.append(f"declare:{','.join(codes)}" if codes else NONE)
        self.declared[actor] = tuple(codes)
        self.actor = actor = LEFT_OF[actor]
        if actor == self.declarer:
            self.stage = PLAY
            self.playable = self.hands[actor]

    def combos(self) -> tuple[int, ...]:
        """The points of the combinations declared so far, by seat."""
        return tuple(worth_of(Counter(codes), self.trump or "") for codes in self.declared)

    # The play

    def broken_play(self, token: str) -> Phrase | None:
        cards = PLAYS.get(token, 0)
        if not cards:
            return NO_SUCH_ACTION
        if cards & self.playable:
            return None
        hand = self.hands[self.actor]
        if not cards & hand:
            return NOT_HELD
        led = PACK.suit_of[self.trick[0]]
        if hand & led:
            return GO_UP if cards & led else FOLLOW
        return MUST_OVERTRUMP if cards & self.trump_suit else MUST_RUFF

    def play(self, card: CardSet) -> None:
        actor = self.actor
        self.hands[actor] ^= card
        if len(self.trick) % SEATS == 0:
            self.trick = []
            self.leader = actor
        trick = self.trick
        trick.append(card)
        if len(trick) == SEATS:
            self.gather()
        else:
            self.actor = actor = LEFT_OF[actor]
            self.playable = self.legal_cards(self.hands[actor])

    def legal_cards(self, hand: CardSet) -> CardSet:
        """Follow suit and go up, unless the suit is trumped; failing that ruff, and overruff; failing that
        any card."""
        trick, trump = self.trick, self.trump_suit
        led = PACK.suit_of[trick[0]]
        following = hand & led
        contended = led
        if following:
            if led != trump and sum(trick) & trump:
                return following
        else:
            following = hand & trump
            if not following:
                return hand
            contended = trump
        played = sum(trick) & contended
        return following & HIGHER[highest(played)] or following if played else following

    def gather(self) -> None:
        """The strongest trump, else the strongest of the suit led; of two equal cards the first."""
        trick = self.trick
        place = strongest(trick, PACK.suit_of[trick[0]] | self.trump_suit, self.strength)
        self.actor = actor = (self.leader + place) % SEATS
        self.points[actor] += card_points(sum(trick))
        self.tricks[actor] += 1
        self.taker = actor
        self.gathered += 1
        self.playable = self.hands[actor]
        if not self.playable:
            self.stage = OVER

    def result(self) -> "Ending | None":
        self.check_over()
        if self.declarer is None:
            return None
        niche = niche_points(
            PACK.tokens(sum(self.discards)), natural=self.options["tierce_order"] == "natural"
        )
        return Ending(
            self.declarer, self.contract, self.combos(), niche, tuple(self.tricks), tuple(self.points)
        )

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.options)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The player's own hand and discards; bids, trump, declared combinations, the trick; at the end the
        niche."""
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "actors": list(self.actors()),
            "bids": [{"seat": who + 1, "bid": said} for who, said in self.bids],
            "declarer": None if self.declarer is None or self.stage == AUCTION else self.declarer + 1,
            "contract": self.contract or None,
            "trump": self.trump,
            "combinations": [None if codes is None else list(codes) for codes in self.declared],
            "combos": list(self.combos()),
            "trick": on_the_table(PACK, self.trick, self.leader, SEATS),
            "tricks": list(self.tricks),
            "points": list(self.points),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
            "niche": list(PACK.tokens(sum(self.discards))) if self.over else None,
        }
        if seat is not None:
            shown["hand"] = list(PACK.tokens(self.hands[seat - 1]))
            shown["discards"] = list(PACK.tokens(self.discards[seat - 1]))
        return shown


LETTERS = tuple(PACK.suit_letters)
GO_UP = Phrase("play a higher card of the suit while you hold one")


def copies(cards: CardSet) -> list[tuple[str, int]]:
    """The faces of the cards in the order of the pack, and how many there are of each."""
    return [(token, copies_of(cards, token)) for token in PACK.faces if copies_of(cards, token)]
