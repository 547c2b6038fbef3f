"""Belote Noisette: the match (section 6)."""

from collections.abc import Sequence


def manche_points(nuts: Sequence[int]) -> tuple[str | None, tuple[int, ...]]:
    """Whether a manche has ended with these holdings, and what it brings each."""
    best = max(nuts)
    if best >= 21:
        return "complete", tuple(3 if held == best else 0 for held in nuts)
    if min(nuts) > 0:
        return None, (0, 0, 0)
    if nuts.count(best) > 1:
        return "partial", tuple(int(held == best) for held in nuts)
    second = sorted(nuts)[1]
    alone = second > 0 and nuts.count(second) == 1
    return "partial", tuple(2 if held == best else int(held == second and alone) for held in nuts)


def goal_after(match_points: Sequence[int], goal: int) -> int:
    """The goal, raised by two as long as several have reached it at once."""
    best = max(match_points)
    while best >= goal and list(match_points).count(best) > 1:
        goal += 2
    return goal
