"""Who sits where and which boards are played, for each round and table. Pure functions."""

from .candidates import Candidate, candidates
from .families import FAMILIES, Plan, family_called, family_movement, usual_rounds
from .groups import line_groups
from .guides import by_contestant, by_table
from .layout import BadMovement, Movement, Sitting, check
from .paired import match_tables, round_boards, round_sittings, team_members
from .quality import Quality, balance, quality
from .replan import ANEW, IN_PLACES, RESTS, SIT_OUTS, places_for_newcomers, ways_for_newcomers, with_new_rest
from .seating import with_seats
from .swiss import Pairing, swiss_round
from .teams import knock_out, next_round

__all__ = [
    "ANEW",
    "FAMILIES",
    "IN_PLACES",
    "RESTS",
    "SIT_OUTS",
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
    "knock_out",
    "line_groups",
    "match_tables",
    "next_round",
    "places_for_newcomers",
    "quality",
    "round_boards",
    "round_sittings",
    "swiss_round",
    "team_members",
    "usual_rounds",
    "ways_for_newcomers",
    "with_new_rest",
    "with_seats",
]
