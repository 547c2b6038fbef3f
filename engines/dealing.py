"""Deals that nobody can foresee and everybody can check: the stream that they come from.

A board comes from a keyed stream: SHAKE-256 (FIPS 202) over the seed, the game, the board's number
and the options that change the deal. The same bytes everywhere and for ever: the vectors in
docs/deals.md, where all of this is specified, must never change.
"""

import json
import re
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256, shake_256
from typing import Any, TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_BLOCK_BYTES = 1024  # one block serves a pack of 200 cards


def new_seed() -> bytes:
    """256 bits from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def read_seed(text: str) -> bytes:
    """The seed from its 64 hexadecimal digits; ValueError for anything else."""
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise ValueError("a seed is 64 hexadecimal digits")
    return bytes.fromhex(text)


def canonical(value: Any) -> bytes:
    """The one way to write a JSON value as bytes: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


class Stream:
    """Uniform choices from a seed and a context; whoever knows another context's choices learns nothing."""

    def __init__(self, seed: bytes, context: Mapping[str, Any]) -> None:
        """`seed`: 32 bytes. `context`: what the choices are for, as JSON values."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._source = shake_256(b"etui/deal/1\n" + seed + canonical(context))
        self._bytes = b""
        self._at = 0

    def below(self, count: int) -> int:
        """A whole number from 0 to count − 1, each equally likely (what lies above is drawn again)."""
        bits = (count - 1).bit_length()
        size, mask = (bits + 7) // 8, (1 << bits) - 1
        while True:
            value = int.from_bytes(self._take(size)) & mask
            if value < count:
                return value

    def permutation(self, items: Sequence[T]) -> list[T]:
        """The items in an order drawn uniformly from all of them (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order

    def _take(self, size: int) -> bytes:
        if self._at + size > len(self._bytes):  # a longer digest begins with the shorter one
            self._bytes = self._source.digest(len(self._bytes) + _BLOCK_BYTES)
        self._at += size
        return self._bytes[self._at - size : self._at]


def new_key(stream: Stream) -> str:
    """The secret key by which a board's stock is shuffled again: 32 hexadecimal digits."""
    return "".join(f"{stream.below(16):x}" for _ in range(32))


def is_key(value: object) -> bool:
    """Whether an explicit deal may have this key: 1 to 64 printable ASCII characters."""
    return isinstance(value, str) and re.fullmatch(r"[ -~]{1,64}", value) is not None


def new_stock(key: str, number: int, pile: Sequence[str]) -> list[str]:
    """The pile as the new stock of reshuffle `number` (from 1): the same wherever the same cards lie there.

    >>> " ".join(new_stock("BOARD-KEY-1", 1, "7H 7H KS KS 2C AD 9D TC".split()))
    'KS 7H TC 2C AD 7H KS 9D'
    """
    keyed = [
        (sha256(f"{key}|{number}|{face}|{copy}".encode()).hexdigest(), face)
        for face, copies in Counter(pile).items()
        for copy in range(1, copies + 1)
    ]
    return [face for _, face in sorted(keyed)]


def dealer_of(number: int, seats: int) -> int:
    """Who deals board `number` (from 1): the seats in turn."""
    return (number - 1) % seats + 1
