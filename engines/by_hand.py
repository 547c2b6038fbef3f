"""For people who deal by hand: where each card of the pack goes, what each seat gets, and a letter that tells
one board from another.
"""

from collections.abc import Sequence
from typing import Any

from .contract import Game
from .dealing import Stream

LETTERS = "GHQRWXY"
"""Called across a room, none is taken for another, in French or in English (docs/deals.md)."""


def by_seat(game: Game[Any], deal: Any) -> dict[str, list[str]]:
    """The cards of each place of a deal: "1", "2"… for the seats, and the piles beside them by name."""
    return {place: list(cards) for place, cards in game.places(deal).items()}


def by_card(game: Game[Any], deal: Any) -> list[tuple[str, str]]:
    """(card, place) in the order in which a sorted pack lies: deal it out along this list. Identical cards
    stand one after the other; in a pile the place says how deep the card lies, from the top."""
    places = []
    for place, cards in by_seat(game, deal).items():
        is_pile = not place.isdigit() and len(cards) > 1
        places += [(card, f"{place} {depth}" if is_pile else place) for depth, card in enumerate(cards, 1)]
    return sorted(places, key=lambda one: (_suit(one[0]), _rank(one[0]), one[0]))


def in_words(game: Game[Any], place: str, language: str) -> str:
    """A place in words: a seat stays a number, a pile has the game's word, with the depth of a card in it; of
    several piles, each is one of them.

    >>> from .registry import game
    >>> in_words(game("caisse"), "reserves 2 3", "en"), in_words(game("caisse"), "talon 3", "en")
    ('reserve 2 3', 'talon 3')
    """
    words = place.split()
    if len(words) > 1 and f"one of {words[0]}" in game.names:
        words[0] = f"one of {words[0]}"
    return " ".join(
        game.names[word].to(language) if word in game.names and not word.isdigit() else word for word in words
    )


def in_order(place: str, cards: Sequence[str]) -> list[str]:
    """The cards of a place as one holds them, suit after suit and the highest first; those of a pile as they
    lie.

    >>> in_order("2", ["4D", "KH", "7D", "AH"]), in_order("stock", ["4D", "KH"])
    (['AH', 'KH', '7D', '4D'], ['4D', 'KH'])
    """
    if not place.isdigit():
        return list(cards)
    return sorted(cards, key=lambda card: (_suit(card), -_rank(card), card))


def check_letter(seed: bytes, number: int) -> str:
    """The letter on a board's wallet, by which a result entered for another board is noticed: two boards have
    the same letter only if their numbers are 7, 14… apart. It says nothing about the cards."""
    start = Stream(seed, {"check letter": 0}).below(len(LETTERS))
    return LETTERS[(start + number) % len(LETTERS)]


SUITS = "SHDCT"
RANKS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "C", "Q", "K", "A"]


def _suit(card: str) -> int:
    return SUITS.index(card[-1]) if card[-1] in SUITS and card not in {"EX"} else len(SUITS)


def _rank(card: str) -> int:
    rank = card[:-1]
    if card[-1] == "T" and rank.isdigit():
        return int(rank)
    return RANKS.index(rank) if rank in RANKS else 0
