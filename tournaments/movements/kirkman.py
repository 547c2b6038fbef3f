"""Kirkman triple systems: three to a table, and everyone meets everyone exactly once.

Nine players are the affine plane of order three. For 15, 27 and 39 the first round is developed: its
players are ∞ and two circles of m, and each round turns both circles one step further. The first
rounds below were found by exhaustive search; the tests prove each system.
"""

from engines.phrases import Phrase

from .layout import BadMovement, Movement, Sitting

Triple = tuple[int, int, int]
Round = list[Triple]

# By the size m of the circles: the first round. Players 0 to m − 1 are the first circle, m to 2m − 1
# the second, 2m is ∞.
FIRST_ROUNDS: dict[int, Round] = {
    7: [(14, 0, 7), (1, 2, 4), (3, 8, 12), (5, 11, 13), (6, 9, 10)],
    13: [
        *[(26, 0, 13), (1, 2, 4), (3, 7, 22), (5, 10, 21), (6, 12, 24)],
        *[(8, 16, 17), (9, 19, 23), (11, 15, 18), (14, 20, 25)],
    ],
    19: [
        *[(38, 0, 19), (1, 2, 4), (3, 7, 12), (5, 11, 20), (6, 13, 23), (8, 16, 22), (9, 29, 31)],
        *[(10, 21, 34), (14, 32, 37), (15, 27, 36), (17, 30, 33), (18, 25, 26), (24, 28, 35)],
    ],
}
SIZES = (9, *(2 * m + 1 for m in FIRST_ROUNDS))


def kirkman(players: int, seats: int, boards_per_round: int) -> Movement:
    """All tables play the same boards in a round, and change seats after each board."""
    if seats != 3:
        raise BadMovement(Phrase("a Kirkman movement has three seats to a table, not {seats}", seats=seats))
    if players not in SIZES:
        sizes = ", ".join(str(size) for size in SIZES)
        raise BadMovement(
            Phrase(
                "no Kirkman movement for {players} players here; there are: {sizes}",
                players=players,
                sizes=sizes,
            )
        )
    rounds = affine_plane() if players == 9 else developed(FIRST_ROUNDS[players // 2], players // 2)
    sittings = [
        Sitting(r, table, (r - 1) * boards_per_round + board, turned(triple, r + board))
        for r, tables in enumerate(rounds, 1)
        for table, triple in enumerate(sorted(sorted(t) for t in tables), 1)
        for board in range(1, boards_per_round + 1)
    ]
    return Movement(f"kirkman-{players}", tuple(sittings))


def developed(first: Round, circle: int) -> list[Round]:
    """One round for each turn of the circles."""

    def turn(player: int, steps: int) -> int:
        if player == 2 * circle:
            return player
        return player // circle * circle + (player + steps) % circle

    return [[(turn(a, s), turn(b, s), turn(c, s)) for a, b, c in first] for s in range(circle)]


def affine_plane() -> list[Round]:
    """The twelve lines of nine points in a square, in four directions."""
    slopes: list[Round] = [
        [(shift, 3 + (slope + shift) % 3, 6 + (2 * slope + shift) % 3) for shift in range(3)]
        for slope in range(3)
    ]
    columns: Round = [(3 * x, 3 * x + 1, 3 * x + 2) for x in range(3)]
    return [*slopes, columns]


def turned(triple: list[int], steps: int) -> Triple:
    """The players by seat, numbered from 1: each step moves everyone one seat on."""
    a, b, c = (triple[(seat - steps) % 3] + 1 for seat in range(3))
    return a, b, c
