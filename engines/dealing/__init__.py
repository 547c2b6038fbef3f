"""Deals that nobody can foresee and everybody can check: the stream that they come from. `sealing` proves
them, `by_hand` writes them out for people who deal."""

from .stream import (
    SEED_BYTES,
    Stream,
    canonical,
    dealer_of,
    is_key,
    new_key,
    new_seed,
    read_seed,
    reshuffled,
)

__all__ = [
    "SEED_BYTES",
    "Stream",
    "canonical",
    "dealer_of",
    "is_key",
    "new_key",
    "new_seed",
    "read_seed",
    "reshuffled",
]
