"""Who sits where and which boards are played, for each round and table. Pure functions."""

from .candidates import Candidate, candidates
from .families import FAMILIES, Plan, family_called, family_movement
from .groups import line_groups
from .guides import by_contestant, by_table
from .layout import BadMovement, Movement, Sitting, check
from .quality import Quality, balance, quality
from .replan import with_new_rest
from .seating import with_seats
from .swiss import Pairing, swiss_round

__all__ = [
    "FAMILIES",
    "BadMovement",
    "Candidate",
    "Movement",
    "Pairing",
    "Plan",
    "Quality",
    "Sitting",
    "balance",
    "by_contestant",
    "by_table",
    "candidates",
    "check",
    "family_called",
    "family_movement",
    "line_groups",
    "quality",
    "swiss_round",
    "with_new_rest",
    "with_seats",
]
