"""The trick: who leads, what may be played, who takes it, and what lies on the table."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import repeat
from operator import itemgetter, length_hint
from random import Random
from typing import Any, ClassVar, TypeVar

from .cards import ByBit, CardSet, Pack, by_bit, highest, lowest
from .combinations import selections
from .phases import OVER, Phase, PhasedState
from .phrases import Phrase
from .turns import FOLLOW, MUST_RUFF, NOT_HELD
from .views import HAND, Laid, Pile, Talk, said

NEXT = {seats: tuple((seat + 1) % seats for seat in range(seats)) for seats in range(2, 8)}
"""By number of seats, who sits at the left of each (indices from 0)."""

AROUND = {
    (seats, turn): tuple(
        tuple((seat + turn * step) % seats for step in range(seats)) for seat in range(seats)
    )
    for seats in range(2, 8)
    for turn in (1, -1)
}
"""By number of seats and the way play goes round: all seats in turn, from each."""


class CardState(PhasedState):
    """Cards that are played to a table. Seats are indices; `hands` by seat, cards of the `pack`, whose tokens
    mean `plays`;
    `trick` lies on the table, the last one until the next begins;
    `leader` began it; `takers` of all tricks so far; `playable`: what the actor may play, nothing outside the
    play. A game says how many play (`seats`)."""

    __slots__ = ("hands", "leader", "pack", "playable", "plays", "takers", "trick")

    seats: ClassVar[int]
    turn_by: ClassVar[int] = 1  # −1: play goes to the right

    def __init__(self, pack: Pack, hands: Sequence[CardSet]) -> None:
        self.log = []
        self.pack, self.plays = pack, pack.plays
        self.hands = list(hands)
        self.trick: list[CardSet] = []
        self.takers: list[int] = []
        self.leader = 0
        self.playable: CardSet = 0

    @property
    def tricks(self) -> list[int]:
        """How many each seat has taken."""
        return [self.takers.count(seat) for seat in range(self.seats)]

    @property
    def gathered(self) -> int:
        return len(self.takers)

    @property
    def taker(self) -> int | None:
        """Who took the last trick."""
        return self.takers[-1] if self.takers else None

    @abstractmethod
    def play(self, cards: Iterable[CardSet]) -> bool:
        """Cards are played one after the other, up to one that may not be played; answers whether all were.
        Of several copies of a card one is."""

    def lead(self, seat: int) -> None:
        """A seat leads any card of its hand."""
        self.actor = seat
        self.playable = self.hands[seat]

    def apply(self, entry: str) -> None:
        if self.playable and self.play((self.plays.get(entry, 0),)):
            self.log.append(entry)
        else:
            PhasedState.apply(self, entry)

    def apply_all(self, entries: Sequence[str]) -> None:
        """The cards of a record are played as long as nothing but cards comes: what they change stays in
        local names, and a call costs more than a rule."""
        cards = iter(self.cards_of(entries))
        at, end = 0, len(entries)
        while at < end:
            if not self.playable:
                next(cards)
            elif self.play(cards):
                self.log += entries[at:]
                break
            else:
                first, at = at, end - length_hint(cards) - 1
                self.log += entries[first:at]
            PhasedState.apply(self, entries[at])  # it is not a card, or may not be played
            at += 1

    def cards_of(self, entries: Sequence[str]) -> Sequence[CardSet]:
        """The cards that entries play; none where one is something else."""
        plays = self.plays
        cards: Sequence[CardSet] = ()
        if len(entries) > 1 and entries[0] in plays:
            try:
                cards = itemgetter(*entries)(plays)  # twice as quick, where all are cards
            except KeyError:
                cards = ()
        return cards or list(map(plays.get, entries, repeat(0)))

    def seen_by(self, seat: int | None, dealer: int, *piles: Pile) -> dict[str, Any]:
        """The fields that the views of trick-taking games have, as a seat (None: a spectator) sees them: the
        hands, its own shown; `piles` besides; the trick, and who has taken how many."""
        in_hand = (
            Pile(HAND, tuple(self.pack.tokens(hand)), seat=number)
            if number == seat
            else Pile(HAND, hidden=hand.bit_count(), seat=number)
            for number, hand in enumerate(self.hands, 1)
        )
        return self.common(seat, dealer, *in_hand, *piles) | {
            "trick": on_the_table(self.pack, self.trick, self.leader, self.seats, self.turn_by),
            "tricks": tuple(self.tricks),
            "gathered": self.gathered,
            "taker": number_of(self.taker),
        }


class TrickState(CardState):
    """Cards that are played to tricks. `asks`: by bit, what each lead asks for, its suit unless the game
    says otherwise; `asked`: by the present one; `trumps`: the cards that ruff; `awaited`: how many cards the
    trick still waits for.

    A game says who plays after whom (`next_seat`), and, if it `counts`, what else follows when a trick's
    winner `took` it; where the winner does not lead at once (`leads` is off), what it is to `give` it
    away; and where its rules are not the usual ones (`follows` is off), what a hand `may_play` to the trick,
    and which card is `winning` it.
    """

    __slots__ = ("around", "asked", "asks", "awaited", "customs", "trumps")

    next_seat: ClassVar[tuple[int, ...]]
    follows: ClassVar[bool] = True  # suit; failing that, a trump is played; failing that, any card
    leads: ClassVar[bool] = True  # the winner has the trick and leads any card; without one, the deal is over
    counts: ClassVar[bool] = True  # whether anything else follows when a trick was taken

    def __init__(self, pack: Pack, hands: Sequence[CardSet]) -> None:
        CardState.__init__(self, pack, hands)
        self.customs = customs_of(type(self))
        self.around = self.customs[0]
        self.asks = pack.suit_by_bit
        self.asked: CardSet = 0
        self.trumps: CardSet = 0
        self.awaited = 0

    def may_play(self, hand: CardSet) -> CardSet:
        """The cards of a hand that may follow those of the trick: any, unless a game has a rule."""
        return hand

    def winning(self) -> int:
        """The place in the trick of the card that takes it: the highest trump, else the highest of those
        asked for."""
        cards = sum(self.trick)
        return self.trick.index(highest(cards & self.trumps or cards & self.asked))

    def took(self, winner: int, place: int) -> None:
        """The trick is whole, and this seat took it with the card at this place."""

    def give(self, gift: CardSet) -> None:
        """The winner gives the trick away, by a bit beyond those of the pack."""

    def play(self, cards: Iterable[Any]) -> bool:
        around, next_seat, followers, follows, leads, counts = self.customs
        actor, awaited, playable, several = self.actor, self.awaited, self.playable, self.pack.copies > 1
        hands, trick, leader, asked, trumps = self.hands, self.trick, self.leader, self.asked, self.trumps
        all_played = True
        hand = hands[actor]
        for kept in cards:  # in the compiled form a list keeps this, and reckoning is done with a number of C
            card: CardSet = kept
            if not card & playable:
                all_played = False
                break
            if several:
                kept = card = lowest(card & playable)
            if awaited:
                hands[actor] = hand - card
                trick.append(kept)
                awaited -= 1
                if not awaited:
                    place = self.winning()
                    winner = around[leader][place]
                    if leads:
                        self.takers.append(winner)
                        actor, playable = winner, hands[winner]
                        if not playable:
                            self.now = OVER
                        if not counts:
                            hand = playable
                            continue
                        self.actor, self.playable = actor, playable
                    self.took(winner, place)
                    actor, playable, hands = self.actor, self.playable, self.hands
                    hand = hands[actor]
                    continue
            elif leads or card <= self.pack.all:
                hands[actor] = hand - card
                self.trick = trick = [kept]
                awaited = followers
                self.leader = leader = actor
                self.asked = asked = self.asks[card.bit_length()]
            else:
                self.give(card)
                actor, playable = self.actor, self.playable
                hand = playable
                continue
            actor = next_seat[actor]
            hand = hands[actor]
            if follows:
                playable = hand & asked or hand & trumps or hand
            else:
                self.actor = actor
                playable = self.may_play(hand)
        self.actor, self.awaited, self.playable = actor, awaited, playable
        return all_played


Customs = tuple[tuple[tuple[int, ...], ...], tuple[int, ...], int, bool, bool, bool]


@cache
def customs_of(game: type[TrickState]) -> Customs:
    """What the states of a game say of themselves, for the loop that plays its cards."""
    around = AROUND[game.seats, game.turn_by]
    return around, game.next_seat, game.seats - 1, game.follows, game.leads, game.counts


class TakingState(TrickState):
    """One in which somebody takes after what all have said: `bids` so far, the `declarer`, the suit of
    `trump`. The `forehand` sits after the dealer. Who has bid last takes after the phase `auction`."""

    __slots__ = ("bids", "declarer", "forehand", "trump")

    auction: ClassVar[str] = "auction"

    def __init__(self, pack: Pack, hands: Sequence[CardSet], dealer: int) -> None:
        TrickState.__init__(self, pack, hands)
        self.bids: Talk = ()
        self.declarer: int | None = None
        self.trump: str | None = None
        self.forehand = self.next_seat[dealer - 1]

    def note(self, token: str) -> None:
        """What the actor says is heard by all."""
        self.bids += ((self.actor, token),)

    def have_all_spoken(self) -> bool:
        """The turn passes on; whether it has gone round, from the forehand."""
        self.actor = actor = self.next_seat[self.actor]
        return actor == self.forehand

    def seen_by(self, seat: int | None, dealer: int, *piles: Pile) -> dict[str, Any]:
        """Nobody has taken as long as the auction lasts."""
        declarer = None if self.now.name == self.auction else number_of(self.declarer)
        said_so = {"talk": said(self.bids), "declarer": declarer, "trump": self.trump}
        return CardState.seen_by(self, seat, dealer, *piles) | said_so


def number_of(seat: int | None) -> int | None:
    """A seat as people number it, from 1; nobody stays None."""
    return None if seat is None else seat + 1


T = TypeVar("T", bound=CardState)


class CardPlay(Phase[T, CardSet]):
    """The play of a trick-taking game: one card at a time, of those that the state names `playable`."""

    name = "play"

    def offers(self, state: T) -> Iterator[str]:
        return iter(state.pack.plays_of(state.playable))

    def draw(self, state: T, random: Random) -> str:
        return state.pack.any_play(state.playable, random)

    def read(self, state: T, token: str) -> CardSet | None:
        return state.plays.get(token)

    def rule(self, state: T, action: CardSet) -> Phrase | None:
        if action & state.playable:
            return None
        hand = state.hands[state.actor]
        return self.reason(state, hand, action) if action & hand else NOT_HELD

    def reason(self, state: T, hand: CardSet, card: CardSet) -> Phrase:
        """The rule that keeps a card of the hand from being played."""
        return FOLLOW if hand & state.pack.suit_of[state.trick[0]] else MUST_RUFF

    def take(self, state: T, action: CardSet) -> None:
        state.play((action,))


class MarkedPlay(Phase[T, tuple[CardSet, bool]]):
    """A card; or with it something is said, by a token that ends with the `mark`; `unmarked`: the rule
    against saying it with another card. `cards`: the play without it."""

    name = "play"
    mark: ClassVar[str]
    unmarked: ClassVar[Phrase]
    cards: ClassVar[CardPlay[Any]] = CardPlay()

    @abstractmethod
    def saying(self, state: T) -> CardSet:
        """The cards with which it may be said, if they may be played."""

    @abstractmethod
    def say(self, state: T, card: CardSet) -> None:
        """What it brings, before the card is played."""

    def offers(self, state: T) -> Iterator[str]:
        saying = self.saying(state)
        for token in self.cards.offers(state):
            yield token
            if saying and state.plays[token] & saying:
                yield token + self.mark

    def draw(self, state: T, random: Random) -> str:
        return Phase.draw(self, state, random) if self.saying(state) else self.cards.draw(state, random)

    def read(self, state: T, token: str) -> tuple[CardSet, bool] | None:
        plain = token.removesuffix(self.mark)
        card = self.cards.read(state, plain)
        return None if card is None else (card, plain != token)

    def rule(self, state: T, action: tuple[CardSet, bool]) -> Phrase | None:
        card, says = action
        rule = self.cards.rule(state, card)
        return self.unmarked if says and not rule and not card & self.saying(state) else rule

    def take(self, state: T, action: tuple[CardSet, bool]) -> None:
        card, says = action
        if says:
            self.say(state, card)
        state.play((card,))


LAY_ASIDE = Phrase("lay aside {count} cards of your hand")


class LayingAside(Phase[T, tuple[str, ...]]):
    """Cards of the hand are laid aside, named after a verb: written in the order of the pack. `so`: the rule
    against another number."""

    verb: ClassVar[str] = "discard"
    so: ClassVar[Phrase] = LAY_ASIDE
    pack: ClassVar[Pack]

    @abstractmethod
    def count(self, state: T) -> int:
        """How many cards the actor lays aside."""

    def offers(self, state: T) -> Iterator[str]:
        held = Counter(self.held(state))
        chosen = selections([(face, held[face]) for face in self.pack.faces if held[face]], self.count(state))
        return map(self.token, chosen)

    def draw(self, state: T, random: Random) -> str:
        """Thousands of choices are possible: one is drawn card by card."""
        return self.token(self.in_order(random.sample(self.held(state), self.count(state))))

    def held(self, state: T) -> Sequence[str]:
        return self.pack.tokens(state.hands[state.actor])

    def token(self, cards: Sequence[str]) -> str:
        return f"{self.verb}:{','.join(cards)}"

    def in_order(self, cards: Sequence[str]) -> list[str]:
        return sorted(cards, key=self.pack.places.__getitem__)

    def read(self, state: T, token: str) -> tuple[str, ...] | None:
        verb, _colon, rest = token.partition(":")
        cards = tuple(rest.split(","))
        return cards if verb == self.verb and self.pack.places.keys() >= set(cards) else None

    def rule(self, state: T, action: tuple[str, ...]) -> Phrase | None:
        count = self.count(state)
        if len(action) != count:
            return Phrase(self.so.text, count=count)
        try:
            self.pack.selection(state.hands[state.actor], action)
        except KeyError:
            return NOT_HELD
        return None

    def written(self, action: tuple[str, ...], token: str) -> str:
        return self.token(self.in_order(action))

    def lay_aside(self, state: T, cards: Sequence[str]) -> CardSet:
        """They leave the hand."""
        laid = self.pack.selection(state.hands[state.actor], cards)
        state.hands[state.actor] ^= laid
        return laid


@cache
def clockwise_from(seat: int, seats: int) -> tuple[int, ...]:
    """All seats (from 1), beginning with the one at the left of `seat`, which comes last.

    >>> clockwise_from(2, 3)
    (3, 1, 2)
    """
    return tuple((seat + step) % seats + 1 for step in range(seats))


Powers = tuple[ByBit, ...]


def powers(strength: Mapping[CardSet, int], asks: ByBit, trumps: CardSet) -> Powers:
    """By the bit of the card led, the strength of every card, by bit: what it does not ask for and does not
    ruff has none."""
    by_asked = {
        asked: by_bit({card: power if card & (asked | trumps) else -1 for card, power in strength.items()})
        for asked in set(asks)
    }
    return tuple(by_asked[asked] for asked in asks)


def by_rank(
    pack: Pack, plain: Mapping[str, int], of_trumps: Mapping[str, int], trumps: str = ""
) -> dict[CardSet, int]:
    """A number for every card by its rank, another in the suits of `trumps`: what it counts, how strong it
    is."""
    tokens = {card: pack.token(card) for card in pack.suit_of}
    return {card: (of_trumps if token[1] in trumps else plain)[token[0]] for card, token in tokens.items()}


def strengths(pack: Pack, order: str, trumps: str = "", trump_order: str = "") -> dict[CardSet, int]:
    """How strong every card is: by `order`, from low to high, and trumps, in theirs, above all others."""
    above = {rank: len(order) + place for place, rank in enumerate(trump_order or order)}
    return by_rank(pack, {rank: place for place, rank in enumerate(order)}, above, trumps)


def place_of_best(trick: Sequence[CardSet], power: ByBit) -> int:
    """The place in a trick of its strongest card, each having its power by bit; of equal ones the first."""
    best, place = -1, 0  # `max` with a key costs a trick more than the rest of its rules
    for at, card in enumerate(trick):
        strength = power[card.bit_length()]
        if strength > best:
            best, place = strength, at
    return place


def total(trick: Iterable[CardSet], values: ByBit) -> int:
    """What the cards of a trick count together, each having its value by bit."""
    points = 0
    for card in trick:
        points += values[card.bit_length()]
    return points


def would_take(
    cards: Iterable[CardSet], trick: Sequence[CardSet], contending: CardSet, strength: Mapping[CardSet, int]
) -> list[CardSet]:
    """Those of the cards that would take a trick so far."""
    best = max((strength[card] for card in trick if card & contending), default=-1)
    return [card for card in cards if card & contending and strength[card] > best]


def strongest_or_cheapest(
    cards: Sequence[CardSet],
    trick: Sequence[CardSet],
    contending: CardSet,
    strength: Mapping[CardSet, int],
    worth: Callable[[CardSet], int],
) -> CardSet:
    """What a sensible robot plays of some cards, which are in the order of their strength: the strongest, if
    it leads or takes the trick so far; else the one that is worth least."""
    if not trick:
        return cards[-1]
    winning = would_take(cards, trick, contending, strength)
    return winning[-1] if winning else min(cards, key=lambda card: (worth(card), strength[card]))


def on_the_table(
    pack: Pack, trick: Sequence[CardSet], leader: int, seats: int, turn: int = 1
) -> tuple[Laid, ...]:
    """A trick as views show it, from the lead; `turn` is −1 where play goes to the right."""
    return tuple(
        Laid((leader + turn * step) % seats + 1, pack.token(card)) for step, card in enumerate(trick)
    )
