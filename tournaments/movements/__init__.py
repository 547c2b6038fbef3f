"""Who sits where and which boards are played, for each round and table. Pure functions."""

from .candidates import Candidate, candidates
from .families import FAMILIES, Plan, arranged, family_called
from .groups import line_groups
from .guides import by_contestant, by_table
from .layout import BadMovement, Movement, Sitting, check
from .quality import Quality, balance, quality
from .replan import replanned
from .seating import seated
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
    "arranged",
    "balance",
    "by_contestant",
    "by_table",
    "candidates",
    "check",
    "family_called",
    "line_groups",
    "quality",
    "replanned",
    "seated",
    "swiss_round",
]
