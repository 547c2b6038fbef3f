"""Who sits where and which boards are played, for each round and table. Pure functions."""

from .candidates import Candidate, candidates
from .families import FAMILIES, Plan, arranged
from .layout import BadMovement, Movement, Sitting, check
from .quality import Quality, balance, quality
from .seating import seated

__all__ = [
    "FAMILIES",
    "BadMovement",
    "Candidate",
    "Movement",
    "Plan",
    "Quality",
    "Sitting",
    "arranged",
    "balance",
    "candidates",
    "check",
    "quality",
    "seated",
]
