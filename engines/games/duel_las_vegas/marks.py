"""Duel à Las Vegas: the score (section 5), the result sheet (section 8) and the match (section 6)."""

from collections.abc import Sequence
from typing import Any

from ... import sheets
from ...contract import Fact, Field, Outcome, Settings
from ...errors import BadSheet
from ...phrases import Phrase
from .cards import MAINS, SEATS

NONE = "none"


def winner_of(wins: Sequence[int]) -> int | None:
    """The seat (index) with more mains, if there is one."""
    return None if wins[0] == wins[1] else wins.index(max(wins))


def outcome_of(wins: Sequence[int], options: Settings) -> Outcome:
    """The seat's own mains minus the other's; or a victory."""
    winner = winner_of(wins)
    if options["line_basis"] == "victory":
        scores = tuple(0 if winner is None else 1 if seat == winner else -1 for seat in range(SEATS))
        names = {1: "victory", 0: "no-winner", -1: "defeat"}
        facts = [Fact(names[score], seat, score, wins[seat - 1]) for seat, score in enumerate(scores, 1)]
        return Outcome(scores, tuple(facts))
    facts = []
    for seat in range(SEATS):
        facts.append(Fact("mains", seat + 1, wins[seat]))
        facts.append(Fact("opponent", seat + 1, -wins[1 - seat]))
    return Outcome((wins[0] - wins[1], wins[1] - wins[0]), tuple(facts))


def result_of(fields: tuple[Field, ...], sheet: Any) -> tuple[int, ...]:
    """The mains by seat."""
    sheets.check(fields, sheet, seats=SEATS)
    wins = tuple(sheet["mains"])
    if min(wins) == MAINS:
        raise BadSheet("mains", Phrase("the game is over with the sixth main of one seat"))
    exhausted = bool(sheet.get("packs_exhausted", False))
    if exhausted == (max(wins) == MAINS):
        raise BadSheet("packs_exhausted", Phrase("must be true where nobody has six mains, and only there"))
    return wins
