"""Deals: the same for ever, uniform, and bound by a commitment."""

from collections import Counter
from hashlib import sha256

import pytest

from engines import dealing, registry
from engines.dealing import Stream

SEED = bytes(range(32))


def test_the_stream_is_shake_256_of_seed_and_context_for_ever() -> None:
    """Published deals are checked with these: they must never change."""
    stream = Stream(SEED, {"game": "comon", "board": 1})
    assert [stream.below(32) for _ in range(12)] == [7, 5, 25, 1, 29, 23, 3, 14, 20, 9, 4, 24]
    assert Stream(SEED, {"board": 1, "game": "comon"}).below(10**30) == 556291154304877702406857873520


def test_committed_vectors_of_every_game() -> None:
    digests = {}
    for game in registry.games().values():
        options = registry.options_of(game, {})
        deals = [game.show_deal(registry.deal_board(game, SEED, n, options, {})) for n in range(1, 51)]
        digests[game.id] = sha256(dealing.canonical(deals)).hexdigest()
    assert digests == {
        "demons-punisseurs": "d6a7bb2fd6de629cc55d14d2f38179706fd86d414b7b44828e18f20ee7262535",
        "heritiers": "e6073f48a70cfd26d5fb1b8e3826f16ae5a6034ad34eb059f74648dc7dcce221",
        "demons": "6b2fdcbe8934ce2ad13fc2e590120e19b73d4e6000262cf27020ff36b416cad5",
        "caisse": "71d2d36be62ce6ee34f283738bcb1c8931448c50f558c44739e851ff94305023",
        "besigue-japonais": "c065e34e310fa3030cd44063fb2071029024a821743addb6b0cafcc34613a0ef",
        "besigue-chinois": "7e01cd526d5a6be7f5959db73c639abc9e03793b77bbf589bc435b881d86bb68",
        "loba": "5b835993360bdab8e2d5edf89f4ffaa7eb4d5a75301e99d37475d370c3de101b",
        "duel-las-vegas": "1c513a5870238d28628d724ac3ff12978200d56b16e3d9667b59208e6766d7a9",
        "bridgette": "fcf652e587407737381f04273cbc1804f8210d1b687de2420646a8fb2c8b4733",
        "frappe": "f5af189897ec78023b5fbc5f5e5260ebe61bb0594822511b4ce83f6dd3158159",
        "le-99": "a9bdfd8af600f70331f4ac81c4c14eccbb95f32b32015655695cdb23f01031bb",
        "sept": "354652e9cffe254208d9b8f8fc72aa52701c14b7ebf8f6908b7131fe09ea1f6b",
        "belote-noisette": "039dc8def2df8e93ef0e49620bfdfd44819bb773a58214fea4244127a20208ea",
        "bernicle": "aed32d0dd753a193218f50a6430612feabf6b830d45b15ab5aee3bc0cc152f53",
        "cochonnet": "257b71bd57436125d7b90f784cac868cca50e24ae71155e34e7913f60206085b",
        "comon": "d9f6a7acd725ed33e25070a5dbd67ffdb22d2c3bec08890e88848880909a910f",
        "tarot-4-saisons": "9536e444d7025499a03939edb510f3b052bbd0dd552720448c290a852efa9da9",
        "tarot-double-detente": "3ded96963c51dba32532446a24e3baea9595f93c28db6985ead311c3b02286a0",
        "tarot-triple-detente": "67d48cea4af015664b4e54cfbc963a666fbedc9fd4c2f06a93ad2d757a2c9998",
        "mille": "2472dfcd36b1e34e3e7b05b7296f20d9b85cfdf6f71465de4ad642aa21d0a212",
        "hombre": "61ecc8e698f3362e06264ee6204d2a42f4ef7055c9da7602bd3e5cfa1f903b4f",
    }


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
