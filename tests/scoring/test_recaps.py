"""Recaps: travellers into totals, one ranking or one per line, explanations, tie-breaks."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.entries import AVERAGE, AVERAGE_MINUS, AVERAGE_PLUS, NoScore, Weighted
from scoring.methods import METHODS, method
from scoring.ranking import ranking
from scoring.recaps import Recap, Traveller, TravellerRow, total_of_scorecard, travellers_of
from scoring.rulings import Penalty
from scoring.ties import TIE_BREAKS, tie_breaks
from tests.scoring import oracles
from tests.scoring.lines import entries
from tests.scoring.refusals import check_refusal

THREE = ((1,), (2,), (3,))
SIDES = ((1, 3), (2, 4))
MATCHPOINTS = method("matchpoints")


def session(
    held: list[TravellerRow[Any]], sides: Any = THREE, name: str = "matchpoints", **options: Any
) -> Recap[Any]:
    seats = sum(map(len, sides))
    return Recap(travellers_of(held, seats=seats), sides=sides, comparison=method(name), **options)


@st.composite
def sessions(draw: st.DrawFn, sides: Any = THREE) -> list[TravellerRow[Any]]:
    """Up to four boards at up to four tables; contestants sit anywhere, seats may be empty."""
    seats = sum(map(len, sides))
    plays = []
    for board in range(1, draw(st.integers(1, 4)) + 1):
        tables = draw(st.integers(1, 4))
        people = draw(st.permutations([f"c{n}" for n in range(tables * seats)]))
        for table in range(tables):
            by_side = {side: draw(entries()) for side in sides}
            score: Any = tuple(
                next(by_side[side] for side in sides if seat in side) for seat in range(1, seats + 1)
            )
            sitting = tuple(people[table * seats : (table + 1) * seats])
            if draw(st.integers(0, 9)) == 0:
                sitting = (None, *sitting[1:])
            plays.append(
                TravellerRow(
                    board, f"A{table}", sitting, score, draw(st.integers(1, 3)), draw(st.sampled_from("xxxy"))
                )
            )
    return plays


@given(sessions())
def test_a_total_is_what_the_boards_of_its_contestant_add_up_to(plays: list[TravellerRow[Any]]) -> None:
    for name in METHODS:
        held = session(plays, name=name)
        for contestant in {k for play in plays for k in play.contestants if k}:
            assert total_of_scorecard(held.scorecard(contestant)) == held.totals.get(
                contestant, total_of_scorecard(())
            )


@given(sessions())
def test_matchpoints_of_a_session_are_those_of_each_line(plays: list[TravellerRow[Any]]) -> None:
    held = session(plays)
    for number in {play.board for play in plays}:
        played = [play for play in plays if play.board == number]
        for seat in range(3):
            line, deals = [play.entries[seat] for play in played], [play.deal for play in played]
            expected = oracles.fouled(line, deals, held.plays, oracles.matchpoints)
            ours = [None if a is None else a.points for a in held.awards(number)[seat]]
            assert [p for e, p in zip(line, ours, strict=True) if oracles.is_compared(e)] == [
                p for p in expected if p is not None
            ]


@given(sessions(), st.data())
def test_the_order_in_which_results_come_does_not_matter(plays: list[TravellerRow[Any]], data: Any) -> None:
    assert dict(session(data.draw(st.permutations(plays))).totals) == dict(session(plays).totals)


def test_a_side_shares_its_award_and_a_pair_wins_it_once() -> None:
    plays = [
        TravellerRow(1, "A1", ("NS1", "EW1", "NS1", "EW1"), (7, -7, 7, -7)),
        TravellerRow(1, "A2", ("ana", "bo", "cy", "di"), (3, -3, 3, -3)),
    ]
    totals = session(plays, SIDES).totals
    assert {k: (t.points, t.boards) for k, t in totals.items()} == {
        "NS1": (2, 1), "EW1": (0, 1), "ana": (0, 1), "cy": (0, 1), "bo": (2, 1), "di": (2, 1),
    }  # fmt: skip


def test_a_ruling_for_one_seat_leaves_its_partner_and_the_table_alone() -> None:
    """Per seat: the table need not sum to anything."""
    plays = [
        TravellerRow(1, "A1", ("ana", "bo", "cy", "di"), (AVERAGE_MINUS, -7, 7, AVERAGE_PLUS)),
        TravellerRow(1, "A2", ("ed", "fa", "gus", "hal"), (3, -3, 3, -3)),
        TravellerRow(1, "A3", ("ida", "jo", "kim", "lou"), (5, -5, 5, -5)),
    ]
    points = {k: t.points for k, t in session(plays, SIDES).totals.items()}
    assert points["ana"] == Fraction(8, 5)  # 40 % of 4
    assert points["cy"] == 4  # its 7 is above 3 and 5
    assert (points["bo"], points["di"]) == (0, Fraction(12, 5))


def test_one_ranking_or_one_for_each_line() -> None:
    plays = [
        TravellerRow(1, "A1", ("ana", "bo", "cy"), (9, 1, 1)),
        TravellerRow(1, "A2", ("di", "ed", "fa"), (5, 2, 1)),
        TravellerRow(2, "A1", ("ana", "bo", "cy"), (9, 5, 1)),
        TravellerRow(2, "A2", ("di", "ed", "fa"), (5, 2, 3)),
    ]
    held = session(plays)
    assert [p.contestant for p in ranking(held.totals)] == ["ana", "fa", "bo", "ed", "cy", "di"]
    assert [p.contestant for p in ranking(held.totals_of((3,)))] == ["fa", "cy"]
    assert {k: t.points for k, t in held.totals_of((3,)).items()} == {"fa": 3, "cy": 1}


def test_sit_outs_and_boards_not_played_count_for_nobody() -> None:
    plays = [
        TravellerRow(1, "A1", ("ana", "bo", None), (4, 2, NoScore.SIT_OUT)),
        TravellerRow(1, "A2", ("cy", "di", "ed"), (3, NoScore.NOT_PLAYED, 1)),
        TravellerRow(2, "A1", ("ana", "cy", "di"), (NoScore.LATE, AVERAGE, 1)),
    ]
    totals = session(plays).totals
    assert {k: (t.points, t.top, t.boards) for k, t in totals.items()} == {
        "ana": (2, 2, 1), "cy": (0 + 1, 4, 2), "bo": (1, 2, 1), "ed": (1, 2, 1), "di": (1, 2, 1),
    }  # fmt: skip


def test_a_late_play_joins_its_line_when_its_score_is_there() -> None:
    early = [
        TravellerRow(1, "A1", ("ana", "bo", "cy"), (4, 2, 0)),
        TravellerRow(1, "A2", ("di", "ed", "fa"), (NoScore.LATE,) * 3),
    ]
    late = [early[0], TravellerRow(1, "A2", ("di", "ed", "fa"), (6, 1, 0))]
    assert {k: t.points for k, t in session(early).totals.items()} == {"ana": 1, "bo": 1, "cy": 1}
    assert {k: t.points for k, t in session(late).totals.items()} == {
        "ana": 0, "bo": 2, "cy": 1, "di": 2, "ed": 0, "fa": 1,
    }  # fmt: skip


def three_rounds() -> Recap[str]:
    """Six players at three tables of two: Ana meets Bo on board 1, and wins more there."""
    scores = {
        1: [("ana", 9, "bo", 3), ("cy", 5, "di", 1), ("ed", 7, "fa", 5)],
        2: [("ana", 1, "cy", 9), ("bo", 5, "ed", 2), ("fa", 3, "di", 4)],
        3: [("ana", 3, "di", 0), ("fa", 4, "bo", 7), ("cy", 2, "ed", 8)],
    }
    plays = [
        TravellerRow(board, table, (one, other), (a, b), board)
        for board, tables in scores.items()
        for table, (one, a, other, b) in enumerate(tables)
    ]
    return Recap(travellers_of(plays, seats=2), sides=((1,), (2,)), comparison=MATCHPOINTS)


@pytest.mark.parametrize(("name", "keys"), [
    ("direct-encounter", {"ana": 1, "bo": 0}),  # 4 against 2 on board 1
    ("wins", {"ana": Fraction(3, 2), "bo": 2}),
    ("best-boards", {"ana": [Fraction(1, 2), 0, Fraction(-1, 2)], "bo": [Fraction(1, 2), 0, 0]}),
])  # fmt: skip
def test_what_tie_breaks_compare(name: str, keys: Any) -> None:
    held = three_rounds()
    ((_, tie_break),) = tie_breaks([name], held)
    found = tie_break(["ana", "bo"])
    assert {k: found[k] for k in ("ana", "bo")} == keys


def test_count_back_begins_with_the_last_round() -> None:
    held = three_rounds()
    ((_, tie_break),) = tie_breaks(["count-back"], held)
    above = {k: {row.round: row.award.above for row in held.scorecard(k) if row.award} for k in ("ana", "bo")}
    assert tie_break(["ana", "bo"]) == {k: [rounds[3], rounds[2], rounds[1]] for k, rounds in above.items()}


def test_opponents_scores_are_weighed_by_the_boards_played_against_them() -> None:
    held = three_rounds()
    ((_, tie_break),) = tie_breaks(["opponents"], held)
    percent = {k: t.percentage or Fraction(0) for k, t in held.totals.items()}
    assert tie_break(["ana", "bo"]) == {
        "ana": (percent["bo"] + percent["cy"] + percent["di"]) / 3,
        "bo": (percent["ana"] + percent["ed"] + percent["fa"]) / 3,
    }


def test_a_partner_is_not_an_opponent() -> None:
    """Ana plays with Cy against Bo and Di, then with Di against Cy and Bo."""
    plays = [
        TravellerRow(1, "A1", ("ana", "bo", "cy", "di"), (9, -9, 9, -9)),  # Ana and Cy against Bo and Di
        TravellerRow(1, "B1", ("ed", "fa", "gus", "hal"), (1, -1, 1, -1)),
        TravellerRow(2, "A1", ("ana", "cy", "di", "bo"), (5, -5, 5, -5)),
        TravellerRow(2, "B1", ("ed", "gus", "hal", "fa"), (7, -7, 7, -7)),
    ]
    held = session(plays, SIDES)
    assert [row.opponents for row in held.scorecard("ana")] == [("bo", "di"), ("cy", "bo")]
    totals = {k: t.value or Fraction(0) for k, t in held.totals.items()}
    assert totals == {"ana": 50, "bo": 50, "cy": 100, "di": 0, "ed": 50, "fa": 50, "gus": 0, "hal": 100}
    ((_, by_opponents),) = tie_breaks(["opponents"], held)
    assert by_opponents(["ana", "bo"]) == {"ana": Fraction(200, 4), "bo": Fraction(200, 4)}
    assert by_opponents(["cy", "di"]) == {
        "cy": (totals["bo"] + totals["di"] + totals["ana"] + totals["di"]) / 4,
        "di": (totals["ana"] + totals["cy"] + totals["cy"] + totals["bo"]) / 4,
    }
    ((_, by_encounter),) = tie_breaks(["direct-encounter"], held)
    assert by_encounter(["ana", "bo"]) == {"ana": Fraction(1, 2), "bo": Fraction(1, 2)}


def test_partners_who_never_met_as_opponents_have_no_direct_encounter() -> None:
    plays = [
        TravellerRow(1, "A1", ("ana", "bo", "cy", "di"), (9, -9, AVERAGE_MINUS, -9)),
        TravellerRow(1, "B1", ("ed", "fa", "gus", "hal"), (1, -1, 1, -1)),
    ]
    ((_, by_encounter),) = tie_breaks(["direct-encounter"], session(plays, SIDES))
    assert by_encounter(["ana", "cy"]) == {"ana": 0, "cy": 0}


def test_fewest_penalties() -> None:
    ((_, tie_break),) = tie_breaks(["fewest-penalties"], three_rounds(), [Penalty("ana", 1, "percent")])
    assert tie_break(["ana", "bo"]) == {"ana": -1, "bo": 0}


def test_a_direct_encounter_needs_all_to_have_met() -> None:
    held = three_rounds()
    ((_, tie_break),) = tie_breaks(["direct-encounter"], held)
    assert set(tie_break(["ana", "bo", "cy"]).values()) == {0}  # Bo and Cy have not met


@given(sessions())
def test_every_tie_break_orders_every_contestant(plays: list[TravellerRow[Any]]) -> None:
    held = session(plays)
    places = ranking(held.totals, tie_breaks=tie_breaks(TIE_BREAKS, held))
    assert sorted(p.contestant for p in places) == sorted(held.totals)
    values = [p.total.value for p in places if p.rank]
    assert values == sorted(values, reverse=True)  # type: ignore[type-var]
    for place, following in pairwise(places):
        if place.rank and following.rank:
            assert (place.before_next is None) == (place.rank == following.rank)
            assert (place.before_next == "score") == (place.total.value != following.total.value)


def a_board(**changes: Any) -> Traveller[str]:
    held: dict[str, Any] = {
        "number": 1, "tables": ["A1", "A2"], "rounds": [1, 1],
        "contestants": (["ana", "di"], ["bo", "ed"], ["cy", "fa"]), "entries": ([1, 2], [3, 4], [5, 6]),
    }  # fmt: skip
    return Traveller(**(held | changes))


def of_boards(*boards: Traveller[str]) -> Recap[str]:
    return Recap(boards, sides=THREE, comparison=MATCHPOINTS)


@pytest.mark.parametrize(("changes", "field", "constraint"), [
    ({"contestants": (["ana", "ana"], ["bo", "ed"], ["cy", "fa"])}, "contestants", "ana plays it twice"),
    ({"contestants": (["ana", "bo"], ["bo", "ed"], ["cy", "fa"])}, "contestants", "board 1: bo plays"),
    ({"contestants": (["ana", "di"], ["bo", "ed"])}, "contestants", "board 1: there are 3 seats, not 2"),
    ({"entries": ([1, 2], [3, 4], [5])}, "entries", "board 1: each seat needs one for each of its 2 tables"),
    ({"tables": ["A1", "A1"]}, "tables", "board 1: table A1 appears twice"),
    ({"entries": ([1, 2], [3, "4"], [5, 6])}, "score", "a whole number or a ruling, not '4'"),
    ({"deals": ["x"]}, "deals", "each of the 2 entries"),
])  # fmt: skip
def test_a_board_that_cannot_be_names_what_is_wrong(changes: Any, field: str, constraint: str) -> None:
    check_refusal(lambda: Recap([a_board(**changes)], sides=THREE, comparison=MATCHPOINTS), field, constraint)


@pytest.mark.parametrize(("call", "field", "constraint"), [
    (lambda: travellers_of([TravellerRow(3, "A1", ("a", "b"), (1, 2, 3))], seats=3), "contestants",
     "board 3, table A1: there are 3 seats, and 2 were given"),
    (lambda: travellers_of([TravellerRow(3, "A1", ("a", "b", "c"), (1, 2))], seats=3), "entries",
     "2 were given"),
    (lambda: of_boards(a_board(), a_board()), "boards", "board 1 appears twice"),
    (lambda: Recap([a_board()], sides=((1,), (2,), (4,)), comparison=MATCHPOINTS), "sides", "each seat"),
    (lambda: of_boards(a_board()).totals_of((4,)), "side", "must be one of: 1, 2, 3, not 4"),
    (lambda: Recap([a_board()], sides=THREE, comparison=MATCHPOINTS, plays=1), "plays", "at least 2"),
    (lambda: tie_breaks(["age"], three_rounds()), "tie-break", "must be one of: direct-encounter, wins"),
])  # fmt: skip
def test_bad_input_names_the_field_and_the_constraint(call: Any, field: str, constraint: str) -> None:
    check_refusal(call, field, constraint)


def test_weighted_and_split_scores_per_seat() -> None:
    """A split score: each seat has its own; the others are compared with the seat's own line."""
    ruled = Weighted.percent({4: 50, 2: 50})
    plays = [
        TravellerRow(1, "A1", ("ana", "bo", "cy"), (ruled, 0, 3)),
        TravellerRow(1, "A2", ("di", "ed", "fa"), (3, 0, 5)),
    ]
    points = {k: t.points for k, t in session(plays).totals.items()}
    assert (points["ana"], points["di"]) == (1, 1)
    assert (points["cy"], points["fa"]) == (0, 2)
