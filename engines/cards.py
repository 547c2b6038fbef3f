"""Cards and packs. A set of cards is an integer, one bit per card: quick to test and to intersect.

Bits run by rank, then by suit: of two cards of one suit the higher is the greater integer, and so
is the highest of several trumps, whatever their suits. Only `Pack` turns bits into tokens and back.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from .errors import BadDeal
from .phrases import Phrase

CardSet = int


def highest(cards: CardSet) -> CardSet:
    """The highest of some cards of one suit, or of trumps of one rank order; the set is not empty."""
    return 1 << cards.bit_length() - 1


def lowest(cards: CardSet) -> CardSet:
    """The lowest of such cards."""
    return cards & -cards


def below(number: int, random: Random) -> int:
    """A whole number from 0, less than this one, by chance: the same as `random.randrange` draws, in one call
    instead of three."""
    bits = number.bit_length()
    drawn = random.getrandbits(bits)
    while drawn >= number > 0:
        drawn = random.getrandbits(bits)
    return drawn


def chosen(words: Sequence[str], random: Random) -> str:
    """One of some words, by chance."""
    return words[below(len(words), random)]


def without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    """A hand in some order, after one card has left it."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def swapped(hand: tuple[str, ...], out: str, into: str) -> tuple[str, ...]:
    """A hand in some order, after one card has taken the place of another."""
    at = hand.index(out)
    return (*hand[:at], into, *hand[at + 1 :])


ByBit = tuple[int, ...]  # a tuple: the copies of a state share it


def by_bit(values: Mapping[CardSet, int]) -> ByBit:
    """What is known of every card, to be looked up by `card.bit_length()`.

    Sets of one card end with zeros, all of them: in a dictionary they lie in each other's way, and one is
    found four times as slowly. What is asked once a trick is kept like this."""
    return (0, *(values[1 << bit] for bit in range(len(values))))


class Order(dict[str, int]):
    """The places of cards in an order.

    >>> Order("7S 8S 9S".split()).sorted(["9S", "7S"])
    ('7S', '9S')
    """

    def __init__(self, cards: Iterable[str]) -> None:
        super().__init__((card, place) for place, card in enumerate(cards))

    def sorted(self, cards: Iterable[str]) -> tuple[str, ...]:
        """Cards in this order."""
        return tuple(sorted(cards, key=self.__getitem__))


class Part(dict[CardSet, tuple[str, ...]]):
    """The words for any of some cards of a pack, in their order: listed when somebody asks for the first, all
    of them, as each is another with one card more."""

    def __init__(self, shown: Sequence[tuple[CardSet, str]]) -> None:
        super().__init__()
        self.shown = shown

    def __missing__(self, cards: CardSet) -> tuple[str, ...]:
        if not self:
            listed: dict[CardSet, tuple[str, ...]] = {0: ()}
            for card, word in reversed(self.shown):
                listed.update([(card | others, (word, *words)) for others, words in listed.items()])
            self.update(listed)  # all at once: other threads look words up meanwhile
            return self[cards]
        words = self[cards] = tuple([word for card, word in self.shown if card & cards])  # of several copies
        return words


def _tables(shown: Sequence[tuple[CardSet, str]], at_once: int) -> tuple[tuple[CardSet, Part], ...]:
    """So many cards at once, and the words for any of them."""
    parts = [shown[at : at + at_once] for at in range(0, len(shown), at_once)]
    return tuple((sum(card for card, _word in part), Part(part)) for part in parts)


def _listed(tables: Iterable[tuple[CardSet, Part]], cards: CardSet) -> tuple[str, ...]:
    words: tuple[str, ...] = ()
    for part, table in tables:
        some = cards & part
        if some:
            words += table[some]
    return words


class Pack:
    """A pack, or several packs of one kind mixed: `copies` of each card, one bit each, and one token.

    >>> pack = Pack(suits="SHDC", ranks="789TJQKA")
    >>> pack.token(max(pack.card("TS"), pack.card("9D")))
    'TS'
    >>> pack.tokens(pack.cards("7H AS TS"))
    ('AS', 'TS', '7H')
    >>> double = Pack(suits="SHDC", ranks="7JQKTA", copies=2)
    >>> double.tokens(double.cards("7H AS 7H"))
    ('AS', '7H', '7H')
    """

    def __init__(
        self,
        *,
        suits: str,
        ranks: str,
        trumps: int = 0,
        excuse: bool = False,
        alone: tuple[str, ...] = (),
        copies: int = 1,
    ) -> None:
        """`suits` in the order of the pack; `ranks` from low to high, one character each. A tarot pack has
        `trumps` besides (`1T`, `2T`…, the suit T) and the Excuse (`EX`, a suit of its own). Cards `alone`,
        such as jokers, belong to no suit and have no rank, whatever their tokens end with."""
        self.suit_letters, self.rank_letters, self.copies = suits, ranks, copies
        plain = tuple(rank + suit for suit in suits for rank in ranks)
        beyond = tuple(f"{number}T" for number in range(1, trumps + 1)) + (("EX",) if excuse else ()) + alone
        self.faces = plain + beyond
        self.order = self.faces * copies
        self.places = {face: place for place, face in enumerate(self.faces)}
        ascending = [rank + suit for rank in ranks for suit in suits] + list(beyond)
        one_each = (1 << copies) - 1
        self._cards = {token: one_each << place * copies for place, token in enumerate(ascending)}
        self._tokens = {1 << bit: ascending[bit // copies] for bit in range(len(ascending) * copies)}
        shown = [rank + s for s in suits for rank in ranks[::-1]] + list(beyond[::-1])
        self._shown = tuple((self._cards[token], token) for token in shown)
        at_once = 8 if copies == 1 else 1  # a table of so many cards has at most 256 rows
        plays = [(card, f"play:{token}") for card, token in self._shown]
        self._faces = _tables(self._shown, at_once)
        self._plays = _tables(plays, at_once)
        self.plays = {f"play:{token}": card for token, card in self._cards.items()}
        self.all = sum(self._cards.values())
        suited = {token: card for token, card in self._cards.items() if token not in alone}
        self._suits = {s: sum(c for t, c in suited.items() if t[-1] == s) for s in {t[-1] for t in suited}}
        self._ranks = {r: sum(self._cards[r + s] for s in suits) for r in ranks}
        self.suit_of = {
            card: self._cards[token] if token in alone else self._suits[token[-1]]
            for card, token in self._tokens.items()
        }
        self.suit_by_bit = by_bit(self.suit_of)
        self.rank_of = {
            card: self._cards[token] if token in alone else self._ranks.get(token[:-1], card)
            for card, token in self._tokens.items()
        }

    def __contains__(self, token: object) -> bool:
        return token in self._cards

    def card(self, token: str) -> CardSet:
        """The card as a set of one, or of all its copies. KeyError for a token that is not in the pack."""
        return self._cards[token]

    def token(self, card: CardSet) -> str:
        return self._tokens[card]

    def cards(self, tokens: str | Iterable[str]) -> CardSet:
        """The set of the given cards: tokens, or one string of tokens with spaces between them. A token
        given twice is two copies; KeyError for one copy too many."""
        return self.selection(self.all, tokens.split() if isinstance(tokens, str) else tokens)

    def selection(self, held: CardSet, tokens: Iterable[str]) -> CardSet:
        """The cards of these tokens out of those held. KeyError for a token that is not among them."""
        by_token, left = self._cards, held
        if self.copies == 1:
            tokens = tuple(tokens)
            cards = sum(map(by_token.__getitem__, tokens))  # has a bit for each if no two are the same
            if cards & held == cards and cards.bit_count() == len(tokens):
                return cards
        for token in tokens:
            card = by_token[token] & left
            if not card:
                raise KeyError(token)
            left ^= card & -card
        return held ^ left

    def same(self, cards: CardSet, pack: "Pack") -> CardSet:
        """These cards of another pack as cards of this one."""
        return cards if pack is self else self.cards(pack.tokens(cards))

    def in_order(self, cards: CardSet) -> tuple[str, ...]:
        """The cards in the order of the unshuffled pack."""
        return tuple(token for token in self.order if self._cards[token] & cards)

    def tokens(self, cards: CardSet) -> tuple[str, ...]:
        """The cards as players sort them: by suit, from high to low."""
        if self.copies == 1:
            return self.faces_of(cards)
        return tuple([token for card, token in self._shown for _ in range((card & cards).bit_count())])

    def faces_of(self, cards: CardSet) -> tuple[str, ...]:
        """The same, each token once, however many copies there are."""
        return _listed(self._faces, cards)

    def plays_of(self, cards: CardSet) -> tuple[str, ...]:
        """The same as actions: `play:AS`."""
        return _listed(self._plays, cards)

    def any_play(self, cards: CardSet, random: Random) -> str:
        """One of these actions, by chance; there must be one."""
        if self.copies > 1:
            return chosen(self.plays_of(cards), random)
        at = below(cards.bit_count(), random)
        for part, table in self._plays:
            some = cards & part
            if some:
                words = table[some]
                if at < len(words):
                    return words[at]
                at -= len(words)
        raise IndexError("no card may be played")

    def read(self, lists: Any, *, sizes: tuple[int, ...]) -> tuple[CardSet, ...]:
        """Lists of tokens as sets of the given sizes, which together are the whole pack. BadDeal names
        the cards that are unknown or there twice."""
        counts = (
            [len(cards) if isinstance(cards, list) else -1 for cards in lists]
            if isinstance(lists, list)
            else []
        )
        if tuple(counts) != sizes:
            wanted = ", ".join(str(size) for size in sizes)
            raise BadDeal((), Phrase("the cards must be in lists of {wanted}", wanted=wanted))
        cards = [card for cards in lists for card in cards]
        if strange := tuple(str(card) for card in cards if not isinstance(card, str) or card not in self):
            raise BadDeal(strange, Phrase("has cards that are not in the pack"))
        if many := tuple(sorted(card for card, count in Counter(cards).items() if count > self.copies)):
            if self.copies == 1:
                raise BadDeal(many, Phrase("has the same card twice"))
            raise BadDeal(many, Phrase("has a card more than {copies} times", copies=self.copies))
        left, sets = self.all, []
        for cards in lists:
            sets.append(self.selection(left, cards))
            left ^= sets[-1]
        return tuple(sets)

    def suit(self, letter: str) -> CardSet:
        return self._suits[letter]

    def suits(self, letters: str) -> CardSet:
        cards = 0
        for letter in letters:
            cards |= self._suits[letter]
        return cards

    def rank(self, letter: str) -> CardSet:
        return self._ranks[letter]
