"""Tie-breaks: each encounter is counted for both, and only what was played at the same table."""

from fractions import Fraction
from typing import Any

import pytest

from scoring.entries import NoScore
from scoring.methods import method
from scoring.recaps import Recap, TravellerRow, travellers_of
from scoring.ties import tie_breaks

HALF = Fraction(1, 2)


def met(*encounters: tuple[str, str, int]) -> Recap[str]:
    """A board for each encounter, on which nobody else wins or loses: (one, other, what the one wins)."""
    plays = []
    for board, (one, other, score) in enumerate(encounters, 1):
        plays.append(TravellerRow(board, "A1", (one, other), (score, -score), board))
        plays.append(TravellerRow(board, "A2", ("x", "y"), (0, 0), board))
    return Recap(travellers_of(plays, seats=2), sides=((1,), (2,)), comparison=method("zero-sum"))


def compared(name: str, session: Recap[str], *equal: str) -> list[Any]:
    ((_, tie_break),) = tie_breaks([name], session)
    found = tie_break(equal)
    return [found[one] for one in equal]


@pytest.mark.parametrize(("encounters", "wins"), [
    ([("ana", "bo", 3), ("ana", "cy", 0), ("bo", "cy", -3)], [3 * HALF, 0, 3 * HALF]),
    ([("ana", "bo", 3), ("ana", "cy", 3), ("bo", "cy", 0)], [2, HALF, HALF]),
    ([("ana", "bo", 0), ("ana", "cy", 0), ("bo", "cy", 0)], [1, 1, 1]),
    ([("ana", "bo", -3), ("ana", "cy", -3), ("bo", "cy", -3)], [0, 1, 2]),
    ([("ana", "bo", 3), ("bo", "cy", 3), ("cy", "ana", 3)], [1, 1, 1]),  # each has beaten one
])  # fmt: skip
def test_a_direct_encounter_counts_for_both(encounters: Any, wins: list[Any]) -> None:
    session = met(*encounters)
    assert compared("direct-encounter", session, "ana", "bo", "cy") == wins
    assert compared("direct-encounter", session, "cy", "bo", "ana") == wins[::-1]


def test_all_boards_of_an_encounter_decide_together_and_no_others() -> None:
    session = met(("ana", "bo", 3), ("bo", "ana", 1), ("bo", "cy", 9), ("cy", "ana", 9))
    assert compared("direct-encounter", session, "ana", "bo") == [1, 0]
    session = met(("ana", "bo", 3), ("bo", "ana", 5))
    assert compared("direct-encounter", session, "ana", "bo") == [0, 1]


def test_a_board_won_is_one_above_average_and_at_average_half_of_one() -> None:
    session = met(("ana", "bo", 3), ("ana", "bo", 3), ("ana", "bo", 0), ("ana", "bo", -1))
    assert compared("wins", session, "ana", "bo") == [5 * HALF, 3 * HALF]


def test_a_board_that_was_not_played_is_neither_won_nor_lost() -> None:
    plays = [
        TravellerRow(1, "A1", ("ana", "bo"), (NoScore.NOT_PLAYED, NoScore.NOT_PLAYED)),
        TravellerRow(1, "A2", ("x", "y"), (0, 0)),
    ]
    session = Recap(travellers_of(plays, seats=2), sides=((1,), (2,)), comparison=method("zero-sum"))
    assert compared("wins", session, "ana", "x") == [0, HALF]
    assert compared("best-boards", session, "ana") == [[]]
