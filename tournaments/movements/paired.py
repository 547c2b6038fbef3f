"""Rounds that are planned one after the other, from how things stand: Swiss and knock-out, of contestants by
themselves and of teams of two pairs. What is laid out when a session is set up is its first round; the boards
of all rounds are sealed then.
"""

from collections.abc import Mapping, Sequence

from engines.phrases import Phrase

from .layout import BadMovement, Movement, Sitting
from .swiss import swiss_round
from .teams import Match, knock_out


def swiss_start(
    contestants: int, seats: int, boards_per_round: int, rounds: int, *, team_size: int = 1
) -> Movement:
    """The first round of a Swiss: neighbours in the order of entry meet."""
    members = team_members(contestants, team_size)
    pairing = swiss_round(dict.fromkeys(members, 0), seats=seats)
    tables = (
        pairing.tables
        if team_size == 1
        else match_tables([(one, other) for one, other in pairing.tables], members)
    )
    return _start("swiss" if team_size == 1 else "team-swiss", tables, contestants, boards_per_round, rounds)


def knock_out_start(contestants: int, boards_per_round: int, *, team_size: int = 1) -> Movement:
    """The first round of a knock-out, by the order of entry: the best first."""
    members = team_members(contestants, team_size)
    tables = match_tables(knock_out(list(members)), members)
    name = "knock-out" if team_size == 1 else "team-knock-out"
    return _start(name, tables, contestants, boards_per_round, knock_out_rounds(len(members)))


def team_members(contestants: int, team_size: int) -> dict[int, tuple[int, ...]]:
    """The contestants of each team, by its number: of teams of two, the first is 1 and 2.

    >>> team_members(4, 2)
    {1: (1, 2), 2: (3, 4)}
    """
    if contestants % team_size or contestants < 2 * team_size:
        raise BadMovement(
            Phrase(
                "teams of two pairs need an even number of pairs, {least} or more, not {count}",
                least=2 * team_size,
                count=contestants,
            )
        )
    return {
        number: tuple(range((number - 1) * team_size + 1, number * team_size + 1))
        for number in range(1, contestants // team_size + 1)
    }


def knock_out_rounds(teams: int) -> int:
    """How many rounds it takes until one is left.

    >>> [knock_out_rounds(teams) for teams in (2, 3, 4, 5, 8)]
    [1, 2, 2, 3, 3]
    """
    return max(teams - 1, 0).bit_length()


def match_tables(matches: Sequence[Match], members: Mapping[int, Sequence[int]]) -> list[tuple[int, ...]]:
    """The tables of a round's matches: one for each of contestants by themselves, two for each of teams of
    two pairs, whose pairs sit in different directions. A bye has none.

    >>> match_tables([(1, 2), (3, None)], {1: (1, 2), 2: (3, 4), 3: (5, 6)})
    [(1, 4), (3, 2)]
    """
    tables: list[tuple[int, ...]] = []
    for first, second in matches:
        if second is None:
            continue
        ours, theirs = members[first], members[second]
        if len(ours) == 1:
            tables.append((ours[0], theirs[0]))
        else:
            tables += [(ours[0], theirs[1]), (theirs[0], ours[1])]
    return tables


def round_sittings(number: int, tables: Sequence[Sequence[int]], boards: Sequence[int]) -> list[Sitting]:
    """The sittings of a round in which all tables play the same boards. At tables of three and more everybody
    moves one seat on after each board; of two, they stay."""
    sittings = []
    for table, seated in enumerate(tables, 1):
        turns = len(seated) > 2
        for step, board in enumerate(boards):
            by = (number + step) % len(seated) if turns else 0
            by_seat = tuple(seated[(seat - by) % len(seated)] for seat in range(len(seated)))
            sittings.append(Sitting(number, table, board, by_seat))
    return sittings


def round_boards(number: int, boards_per_round: int) -> range:
    """The boards of a round."""
    return range((number - 1) * boards_per_round + 1, number * boards_per_round + 1)


def _start(
    name: str, tables: Sequence[Sequence[int]], contestants: int, boards_per_round: int, rounds: int
) -> Movement:
    sittings = round_sittings(1, tables, round_boards(1, boards_per_round))
    return Movement(f"{name}-{contestants}x{rounds}", tuple(sittings), sealed=rounds * boards_per_round)
