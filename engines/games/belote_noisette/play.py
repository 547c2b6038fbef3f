"""Belote Noisette: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator
from typing import Any

from ...cards import CardSet
from ...contract import Outcome, Settings, View
from ...phrases import Phrase
from ...tricks import StagedTricks, clockwise_from, on_the_table, strongest
from ...turns import FOLLOW, MUST_OVERTRUMP, MUST_RUFF, NO_SUCH_ACTION, NOT_HELD, OVER
from .cards import (
    BELOTE,
    BELOTE_POINTS,
    LAST_TRICK_POINTS,
    LEFT_OF,
    SEATS,
    Deal,
    Trumps,
    pack_without,
    plays_of,
    with_trumps,
)
from .marks import Ending, outcome_of

ROUND1, ROUND2, FORCED, PLAY = "round1", "round2", "forced", "play"
STAGE = {ROUND1: "1", ROUND2: "2", FORCED: "forced"}
PASS = "pass"  # noqa: S105 - a word of the auction

NOT_PROPOSED = Phrase("only the suit of a turned card can be trumps")
MUST_TAKE = Phrase("all have passed twice: the player at the dealer's left must take")
NO_BELOTE = Phrase(
    "a belote is announced with the first of the queen and king of trumps, while both are in the hand"
)


class NoisetteState(StagedTricks):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "belote", "bids", "deal", "declarer", "hands", "options", "pack", "plays", "points",
        "taken_in", "trump", "trumps", "turned",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(SEATS)
        self.deal, self.options = deal, options
        self.pack, self.plays = pack_without(deal.removed), plays_of(deal.removed)
        self.hands = list(deal.hands)
        self.bids: list[tuple[int, str]] = []
        self.turned: tuple[str, ...] = (deal.turned,)
        self.declarer: int | None = None
        self.taken_in = ""  # the stage, as sheets write it
        self.trump: str | None = None
        self.trumps: Trumps | None = None
        self.belote: int | None = None
        self.points = [0] * SEATS
        self.stage = ROUND1
        self.actor = LEFT_OF[deal.dealer - 1]

    def choices(self) -> Iterator[str]:
        if self.stage == PLAY:
            for token in self.pack.tokens(self.playable):
                yield f"play:{token}"
                if self.may_say_belote(self.pack.card(token)):
                    yield f"play:{token}{BELOTE}"
            return
        if self.stage != FORCED:
            yield PASS
        for suit in dict.fromkeys(card[1] for card in self.turned):
            yield f"take:{suit}"

    def broken_rule(self, token: str) -> Phrase | None:
        if self.stage == PLAY:
            return self.broken_play(token)
        if token == PASS:
            return MUST_TAKE if self.stage == FORCED else None
        if token not in {f"take:{suit}" for suit in self.pack.suit_letters}:
            return NO_SUCH_ACTION
        return None if token[-1] in [card[1] for card in self.turned] else NOT_PROPOSED

    def broken_play(self, token: str) -> Phrase | None:
        plain = token.removesuffix(BELOTE)
        card = self.plays.get(plain, 0)
        if not card:
            return NO_SUCH_ACTION
        if card & self.playable:
            return NO_BELOTE if plain != token and not self.may_say_belote(card) else None
        hand = self.hands[self.actor]
        if not card & hand:
            return NOT_HELD
        assert self.trumps is not None
        if hand & self.pack.suit_of[self.trick[0]] and not card & self.pack.suit_of[self.trick[0]]:
            return FOLLOW
        return MUST_OVERTRUMP if card & self.trumps.all else MUST_RUFF

    def may_say_belote(self, card: CardSet) -> bool:
        assert self.trumps is not None
        couple = self.trumps.couple
        return bool(card & couple) and self.hands[self.actor] & couple == couple

    def apply(self, entry: str) -> None:
        card = self.plays.get(entry, 0)
        if card & self.playable:
            self.log.append(entry)
            self.play(card)
            return
        token = self.checked(entry)
        if self.stage != PLAY:
            self.log.append(token)
            self.speak(token)
        elif token.endswith(BELOTE):
            self.log.append(token)
            self.belote = self.actor
            self.play(self.plays[token.removesuffix(BELOTE)])
        else:
            self.apply(token)

    # The auction

    def speak(self, token: str) -> None:
        self.bids.append((self.actor, token))
        if token != PASS:
            self.take(token[-1])
        elif self.actor != self.deal.dealer - 1:
            self.actor = LEFT_OF[self.actor]
        else:
            self.actor = LEFT_OF[self.actor]
            if self.stage == ROUND1:
                self.turn_second()
            self.stage = ROUND2 if self.stage == ROUND1 else FORCED

    def turn_second(self) -> None:
        """Nobody has taken: everyone gets one card more, and a second card is turned."""
        for seat, token in zip(clockwise_from(self.deal.dealer, SEATS), self.deal.stock, strict=False):
            self.hands[seat - 1] |= self.pack.card(token)
        self.turned = (self.deal.turned, self.deal.stock[3])

    def take(self, suit: str) -> None:
        """The taker gets the turned cards; the stock fills all hands to eight, from the dealer's left."""
        taker = self.actor
        self.declarer, self.trump, self.taken_in = taker, suit, STAGE[self.stage]
        self.trumps = with_trumps(self.deal.removed, str(self.options["rank_order"]), suit)
        self.hands[taker] |= self.pack.cards(self.turned)
        at = 0 if self.stage == ROUND1 else 4
        for seat in clockwise_from(self.deal.dealer, SEATS):
            count = 8 - self.hands[seat - 1].bit_count()
            self.hands[seat - 1] |= self.pack.cards(self.deal.stock[at : at + count])
            at += count
        self.stage = PLAY
        self.playable = self.hands[taker]

    # The play

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

    def winning(self) -> int:
        """The place in the trick of the card that is winning it."""
        assert self.trumps is not None
        led, trumps = self.pack.suit_of[self.trick[0]], self.trumps
        return strongest(self.trick, led | trumps.all, trumps.strength)

    def legal_cards(self, hand: CardSet) -> CardSet:
        """Follow suit, going up in trumps; failing that ruff and overruff, unless the partner wins."""
        assert self.trumps is not None
        trumps, led = self.trumps, self.pack.suit_of[self.trick[0]]
        following = hand & led
        if led != trumps.all:
            if following:
                return following
            held = hand & trumps.all
            up = self.upwards(held)
            return up | hand & ~trumps.all if not held or self.partner_wins() else up
        if not following:
            return hand
        return self.upwards(following) if self.options["beat_led_trump"] else following

    def upwards(self, held: CardSet) -> CardSet:
        """The trumps of the hand above those of the trick, if there are any; otherwise all its trumps."""
        assert self.trumps is not None
        played = [card for card in self.trick if card & self.trumps.all]
        if not played:
            return held
        top = max(played, key=self.trumps.strength.__getitem__)
        return held & self.trumps.higher[top] or held

    def partner_wins(self) -> bool:
        """Whether the other adversary of the taker is winning the trick."""
        if self.options["partners"] == "none" or self.actor == self.declarer:
            return False
        return (self.leader + self.winning()) % SEATS != self.declarer

    def gather(self) -> None:
        assert self.trumps is not None
        self.actor = actor = (self.leader + self.winning()) % SEATS
        self.points[actor] += sum(self.trumps.points[card] for card in self.trick)
        self.tricks[actor] += 1
        self.taker = actor
        self.gathered += 1
        self.playable = self.hands[actor]
        if not self.playable:
            self.points[actor] += LAST_TRICK_POINTS
            if self.belote is not None:
                self.points[self.belote] += BELOTE_POINTS
            self.stage = OVER

    def result(self) -> "Ending":
        self.check_over()
        assert self.declarer is not None
        return Ending(self.declarer, self.taken_in, self.belote, tuple(self.points))

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.deal.nuts, self.deal.pot)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The player's own hand; turned cards, what was said, holdings, trumps, the trick, the tricks."""
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "nuts": list(self.deal.nuts),
            "pot": self.deal.pot,
            "actors": list(self.actors()),
            "turned": list(self.turned),
            "bids": [{"seat": who + 1, "bid": said} for who, said in self.bids],
            "declarer": None if self.declarer is None else self.declarer + 1,
            "stage": self.taken_in or None,
            "trump": self.trump,
            "belote": None if self.belote is None else self.belote + 1,
            "trick": on_the_table(self.pack, self.trick, self.leader, SEATS),
            "tricks": list(self.tricks),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is not None:
            shown["hand"] = list(self.pack.tokens(self.hands[seat - 1]))
        return shown
