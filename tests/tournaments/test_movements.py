"""Every movement, by a checker that knows nothing of how it was made."""

from collections import Counter
from itertools import combinations

import pytest

from tournaments import movements
from tournaments.movements import BadMovement, Movement, Sitting
from tournaments.movements.kirkman import SIZES


@pytest.mark.parametrize("players", SIZES)
def test_in_a_kirkman_movement_everyone_meets_everyone_once(players: int) -> None:
    movement = movements.arranged("kirkman", contestants=players, seats=3, boards_per_round=3)
    movements.check(movement)
    assert (movement.tables, movement.rounds) == (players // 3, (players - 1) // 2)
    meetings: Counter[tuple[int, ...]] = Counter()
    for table in {(s.round, s.table): frozenset(s.contestants) for s in movement.sittings}.values():
        meetings.update(combinations(sorted(table), 2))
    assert len(meetings) == players * (players - 1) // 2
    assert set(meetings.values()) == {1}


@pytest.mark.parametrize("players", SIZES)
def test_everyone_plays_every_board_once_and_each_seat_equally_often(players: int) -> None:
    movement = movements.arranged("kirkman", contestants=players, seats=3, boards_per_round=3)
    boards = Counter((c, s.board) for s in movement.sittings for c in s.contestants)
    assert set(boards.values()) == {1}
    assert len(boards) == players * movement.boards
    seats = Counter((c, seat) for s in movement.sittings for seat, c in enumerate(s.contestants))
    assert set(seats.values()) == {movement.rounds}
    assert movement.copies == movement.tables


def test_all_tables_play_the_boards_of_the_round() -> None:
    movement = movements.arranged("kirkman", contestants=15, seats=3, boards_per_round=3)
    assert (movement.boards, len(movement.sittings)) == (21, 105)
    for sitting in movement.sittings:
        assert (sitting.board - 1) // 3 + 1 == sitting.round


@pytest.mark.parametrize(
    ("family", "given", "said"),
    [
        ("kirkman", {"contestants": 10}, "9, 15, 27, 39"),
        ("kirkman", {"seats": 4}, "three seats"),
        ("kirkman", {"boards_per_round": 0}, "one board or more"),
        ("waltz", {}, "kirkman"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_would_be_possible(
    family: str, given: dict[str, int], said: str
) -> None:
    with pytest.raises(BadMovement, match=said):
        movements.arranged(family, **({"contestants": 15, "seats": 3, "boards_per_round": 3} | given))


@pytest.mark.parametrize(
    ("sittings", "said"),
    [
        ([Sitting(1, 1, 1, (1, 2, 3)), Sitting(2, 2, 1, (1, 4, 5))], "meets board 1 twice"),
        ([Sitting(1, 1, 1, (1, 2, 3)), Sitting(1, 2, 2, (1, 4, 5))], "tables 1 and 2 in round 1"),
        ([Sitting(1, 1, 1, (1, 1, 3))], "meets board 1 twice"),
    ],
)
def test_the_check_finds_what_cannot_be_played(sittings: list[Sitting], said: str) -> None:
    with pytest.raises(BadMovement, match=said):
        movements.check(Movement("x", tuple(sittings)))
