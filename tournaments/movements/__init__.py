"""Who sits where and which boards are played, for each round and table. Pure functions.

A family is one function and one line in `FAMILIES`.
"""

from .families import FAMILIES, arranged
from .layout import BadMovement, Movement, Sitting, check

__all__ = ["FAMILIES", "BadMovement", "Movement", "Sitting", "arranged", "check"]
