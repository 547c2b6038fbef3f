"""Deals: the same for ever, and uniform. What they are is in docs/deals.md, read by test_deals_page.py."""

from collections import Counter
from hashlib import sha256
from typing import Any

import pytest

from engines import dealing, registry
from engines.dealing import Stream
from tests.engines.test_deals_page import by_row

SEED = bytes(range(32))


@by_row
def test_boards_are_those_of_the_page_for_ever(
    game: str, options: dict[str, Any], conditions: dict[str, Any], digest: str
) -> None:
    """Published deals are checked with these: they must never change."""
    the_game = registry.game(game)
    given = registry.options_of(the_game, options)
    deals = [
        the_game.show_deal(registry.deal_board(the_game, SEED, n, given, conditions)) for n in range(1, 51)
    ]
    assert sha256(dealing.canonical(deals)).hexdigest() == digest


def test_a_longer_stream_begins_with_the_shorter_one() -> None:
    short, long = Stream(SEED, {}), Stream(SEED, {})
    first = [short.below(256) for _ in range(100)]
    assert [long.below(256) for _ in range(5000)][:100] == first


def test_other_contexts_and_other_seeds_give_other_choices() -> None:
    contexts = [{"board": 1}, {"board": 2}, {"board": 1, "game": "x"}, {}]
    streams = [Stream(SEED, context) for context in contexts] + [Stream(bytes(32), {"board": 1})]
    assert len({tuple(stream.below(1000) for _ in range(10)) for stream in streams}) == 5


def test_shuffles_are_uniform_over_all_orders() -> None:
    """Chi square over the 24 orders of four cards, 24,000 shuffles: 23 degrees, 0.1 % at 49.7."""
    stream = Stream(SEED, {"test": "orders"})
    counts = Counter(tuple(stream.permutation("abcd")) for _ in range(24_000))
    assert len(counts) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 49.7


def test_every_card_reaches_every_seat_equally_often() -> None:
    """Chi square of 32 cards × 3 hands over 3,000 boards, all deals allowed: 62 degrees, 0.1 % at 104."""
    game = registry.game("comon")
    options = registry.options_of(game, {"four_aces": "allow"})
    counts: Counter[tuple[str, int]] = Counter()
    boards = 3000
    for number in range(1, boards + 1):
        deal = game.show_deal(registry.deal_board(game, SEED, number, options, {}))
        counts.update((card, seat) for seat, hand in enumerate(deal["hands"]) for card in hand)
    expected = boards * 10 / 32
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 104


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_of_another_length_is_refused(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Stream(seed, {})


@pytest.mark.parametrize("text", ["", "0" * 63, "0" * 65, "g" * 64, " " + "0" * 64])
def test_a_seed_is_64_hexadecimal_digits(text: str) -> None:
    with pytest.raises(ValueError, match="64"):
        dealing.read_seed(text)


def test_new_seeds_differ() -> None:
    assert len({dealing.new_seed() for _ in range(100)}) == 100


def test_the_dealers_of_boards_are_the_seats_in_turn() -> None:
    assert [dealing.dealer_of(number, 3) for number in range(1, 8)] == [1, 2, 3, 1, 2, 3, 1]
