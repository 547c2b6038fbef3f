"""Duel à Las Vegas: the score (section 5) and the match (section 6)."""

from collections.abc import Sequence

from ...contract import Fact, Outcome, Settings
from .cards import SEATS

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
