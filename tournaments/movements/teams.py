"""Teams of two pairs, which play each match at two tables: one pair sits first at the one, the other second
at the other. The contestants are the pairs: those of team n (from 1) are 2n − 1, which always sits first, and
2n.
"""

from collections.abc import Sequence

from engines.phrases import Phrase

from .layout import BadMovement, Movement, Table, laid_out

Match = tuple[int, int | None]
"""Two teams; None for a bye."""


def team_round_robin(contestants: int, boards_per_round: int, rounds: int | None = None) -> Movement:
    """Every team meets every other; all matches of a round are played on the same boards, so that all results
    of a seat can be compared too. Of an odd number of teams one sits out."""
    teams = _teams(contestants, 2)
    circle = teams + teams % 2
    most = circle - 1
    laid: list[list[Table]] = []
    for step in range(most if rounds is None else rounds):
        matches = [(most, step)] + [((step + i) % most, (step - i) % most) for i in range(1, circle // 2)]
        played = [pair for pair in matches if max(pair) < teams]
        laid.append([((2 * a, 2 * b + 1), step) for one in played for a, b in (one, one[::-1])])
    return laid_out(f"team-round-robin-{contestants}x{len(laid)}", laid, boards_per_round)


def triplicate(contestants: int, boards_per_round: int) -> Movement:
    """Three teams play each other at once, in two rounds on three sets of boards; each set is one match."""
    if _teams(contestants, 3) != 3:
        raise BadMovement(Phrase("a triplicate is for three teams, not {count}", count=contestants // 2))
    first = [((0, 3), 0), ((2, 5), 1), ((4, 1), 2)]  # the first pair of A against the second of B, and so on
    second = [((0, 5), 2), ((2, 1), 0), ((4, 3), 1)]
    return laid_out("triplicate-6x2", [first, second], boards_per_round)


def knock_out(teams: Sequence[int]) -> list[Match]:
    """The first round of a knock-out, from the teams by their seeds: the best meets the last, and can meet
    the second only at the end. If their number is not a power of two, the best have a bye.

    >>> knock_out([1, 2, 3, 4, 5])
    [(1, None), (4, 5), (2, None), (3, None)]

    The winners, in this order, two by two, are the next round (`next_round`).
    """
    if len(teams) < 2 or len(set(teams)) < len(teams):
        raise BadMovement(Phrase("a knock-out needs two different teams or more"))
    order = [0]
    while len(order) < len(teams):
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    seeded = [teams[seed] if seed < len(teams) else None for seed in order]
    found: list[Match] = []
    for one, other in zip(seeded[::2], seeded[1::2], strict=True):
        assert one is not None  # byes are for the higher numbers, one in a match at most
        found.append((one, other))
    return found


def next_round(matches: Sequence[Match], winners: Sequence[int]) -> list[Match]:
    """The matches of the winners, match by match in the order of the round before; who had a bye has won.

    BadMovement for a winner who did not play, or not one for each match.
    """
    if len(winners) != len(matches):
        raise BadMovement(
            Phrase("there must be a winner for each of the {count} matches", count=len(matches))
        )
    for winner, match in zip(winners, matches, strict=True):
        if winner not in match:
            raise BadMovement(Phrase("team {team} did not play there", team=winner))
    return list(zip(winners[::2], winners[1::2], strict=True)) if len(winners) > 1 else []


def _teams(contestants: int, least: int) -> int:
    if contestants % 2 or contestants < 2 * least:
        raise BadMovement(
            Phrase(
                "teams of two pairs need an even number of pairs, {least} or more, not {count}",
                least=2 * least,
                count=contestants,
            )
        )
    return contestants // 2
