"""Combinations of cards that several games know, as pure functions of how many copies of each are held."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import comb
from typing import TypeVar

T = TypeVar("T")
Held = Callable[[str], int]  # how many copies of a card there are


class Tally:
    """How many there are of each of some things, up to seven, as one number with a digit for each: a hand is
    a sum, and one subtraction takes from it all that is wanted, or finds that it has too few.

    >>> tally = Tally("7S AS".split())
    >>> hand = tally.of("AS 7S AS".split())
    >>> hand == tally.of(["7S"]) + tally.of(["AS", "AS"])
    True
    >>> tally.without(hand, tally.of(["AS"])) == tally.of(["7S", "AS"])
    True
    >>> tally.without(hand, 2 * tally.of(["7S"]))
    -1
    """

    def __init__(self, cards: Sequence[str], bits: int = 3) -> None:
        """`bits` of a digit: more than three count beyond seven."""
        self.one = {card: 1 << (bits + 1) * place for place, card in enumerate(cards)}
        self.ones = sum(self.one.values())
        self._bits, self._guard = bits, self.ones << bits

    def of(self, cards: Iterable[str]) -> int:
        one = self.one
        return sum([one[card] for card in cards])

    def faces(self, held: int) -> int:
        """One of each card that is held."""
        return (held + self._guard - self.ones & self._guard) >> self._bits

    def without(self, held: int, wanted: int) -> int:
        """What is left when these cards are taken away; −1 if there are fewer."""
        guard = self._guard
        left = (held | guard) - wanted
        return left ^ guard if left & guard == guard else -1


def selections(held: Sequence[tuple[T, int]], count: int) -> Iterator[tuple[T, ...]]:
    """Every choice of so many cards, once, in the order of `held` (card, copies); copies are alike.

    >>> list(selections([("7S", 1), ("AS", 2)], 2))
    [('7S', 'AS'), ('AS', 'AS')]
    """

    def choices(place: int, wanted: int) -> Iterator[tuple[T, ...]]:
        if wanted == 0:
            yield ()
        elif place < len(held):
            card, copies = held[place]
            for taken in range(min(copies, wanted), -1, -1):
                for rest in choices(place + 1, wanted - taken):
                    yield (card,) * taken + rest

    return choices(0, count)


def nth(items: Sequence[T], count: int, at: int) -> tuple[T, ...]:
    """The choice of so many things that `itertools.combinations` would list at this place, from 0.

    >>> nth("ABCD", 2, 3), nth("ABCD", 2, 5)
    (('B', 'C'), ('C', 'D'))
    """
    chosen: list[T] = []
    for place, item in enumerate(items):
        wanted = count - len(chosen)
        with_it = comb(len(items) - place - 1, wanted - 1) if wanted else 0
        if at < with_it:
            chosen.append(item)
        else:
            at -= with_it
    return tuple(chosen)


def couples(held: Held, first: str, second: str) -> int:
    """How many pairs of two cards: marriages of queen and king, bésigues of queen and jack.

    >>> couples("QS QS KS".split().count, "QS", "KS")
    1
    """
    return min(held(first), held(second))


def complete(held: Held, cards: Sequence[str]) -> int:
    """How many times all of the cards are held: four of a rank in four suits, five of a suit.

    >>> complete("JS JH JD JC JC".split().count, ["JS", "JH", "JD", "JC"])
    1
    """
    return min(held(card) for card in cards)


def runs(held: Held, suit: str, ranks: str, length: int) -> int:
    """How many runs of a suit can be laid with different cards, `ranks` being the order: from the lowest up,
    which is the most.

    >>> runs("7S JS QS KS TS AS".split().count, "S", "7JQKTA", 3)
    2
    """
    left = {rank: held(rank + suit) for rank in ranks}
    total = 0
    for low in range(len(ranks) - length + 1):
        window = ranks[low : low + length]
        laid = min(left[rank] for rank in window)
        total += laid
        for rank in window:
            left[rank] -= laid
    return total
