"""Standings kept up to date: the same as from scratch after every result, and no more work than it needs."""

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.amounts import Totals
from scoring.entries import AVERAGE_MINUS, AVERAGE_PLUS, NoScore, Weighted
from scoring.lines import Histogram, Valuation
from scoring.methods import METHODS, method
from scoring.ranking import ranking
from scoring.recaps import Recap, TravellerRow, travellers_of
from scoring.rulings import Penalty, with_carry_over, with_handicaps, with_penalties
from scoring.standings import ComparedLine, LineRow, Standings
from scoring.totals import Total
from tests.scoring.lines import entries
from tests.scoring.refusals import check_refusal

MATCHPOINTS = method("matchpoints")
THREE = ((1,), (2,), (3,))
PAIRS = ((1, 3), (2, 4))
BOARDS, TABLES = 3, 4


@st.composite
def evenings(draw: st.DrawFn, sides: Any) -> list[TravellerRow[str]]:
    """Results as they come in: tables hand in the boards in any order, some twice, with another deal, with a
    ruling for one seat. Contestants sit anywhere; on one board a pair holds both seats of its side."""
    seats = sum(map(len, sides))
    people = {
        board: draw(st.permutations([f"c{n}" for n in range(TABLES * seats)]))
        for board in range(1, BOARDS + 1)
    }
    plays = []
    for _ in range(draw(st.integers(1, 12))):
        board, table = draw(st.integers(1, BOARDS)), draw(st.integers(0, TABLES - 1))
        by_side = {side: draw(entries()) for side in sides}
        scores: list[Any] = [
            next(by_side[side] for side in sides if seat in side) for seat in range(1, seats + 1)
        ]
        if draw(st.integers(0, 4)) == 0:
            scores[draw(st.integers(0, seats - 1))] = draw(entries())  # a split score
        sitting: list[Any] = people[board][table * seats : (table + 1) * seats]
        if board == 1 and seats == 4:
            sitting = [sitting[0], sitting[1], sitting[0], sitting[1]]
        if draw(st.integers(0, 9)) == 0:
            sitting[0] = None
        plays.append(
            TravellerRow(board, f"A{table}", tuple(sitting), tuple(scores), 1, draw(st.sampled_from("xxxy")))
        )
    return plays


def from_scratch(plays: list[TravellerRow[str]], sides: Any, name: str) -> Recap[str]:
    last = {(play.board, play.table): play for play in plays}
    boards = travellers_of(last.values(), seats=sum(map(len, sides)))
    return Recap(boards, sides=sides, comparison=method(name), plays=TABLES)


def empty_line(name: str, seats: int = 1, plays: int = TABLES) -> ComparedLine[str]:
    return ComparedLine.of(
        method(name), tables=[], contestants=[[]] * seats, entries=[[]] * seats, plays=plays
    )


def row(play: TravellerRow[str], side: tuple[int, ...]) -> LineRow[str]:
    return LineRow(
        play.table,
        tuple(play.contestants[seat - 1] for seat in side),
        tuple(play.entries[seat - 1] for seat in side),
        play.deal,
    )


@pytest.mark.parametrize("sides", [THREE, PAIRS])
@given(data=st.data(), name=st.sampled_from([*METHODS]))
def test_after_every_result_the_standings_are_those_from_scratch(sides: Any, data: Any, name: str) -> None:
    plays = data.draw(evenings(sides))
    standings: Standings[str] = Standings(
        {(board, side): empty_line(name, len(side)) for board in range(1, BOARDS + 1) for side in sides}
    )
    for count, play in enumerate(plays, 1):
        keys = [(play.board, side) for side in sides]
        before = standings.totals
        standings = standings.with_lines({
            key: standings.lines[key].with_rows([row(play, key[1])]) for key in keys
        })  # fmt: skip
        expected = from_scratch(plays[:count], sides, name)
        assert dict(standings.totals) == dict(expected.totals)
        assert standings.totals.differing_from(before) == [
            k for k, total in standings.totals.items() if k not in before or before[k] != total
        ]
        for key in keys:
            for at, seat in enumerate(key[1]):
                table = next(
                    i for i, one in enumerate(expected.boards[play.board].tables) if one == play.table
                )
                award = expected.awards(play.board)[seat - 1][table]
                assert standings.lines[key].award(play.table, at) == award
    everybody = sorted(standings.totals)
    assert [*ranking(standings.totals.of(everybody))] == [
        *ranking({k: expected.totals[k] for k in everybody})
    ]


@settings(max_examples=30)
@given(data=st.data())
def test_many_results_at_once_are_the_same_as_one_by_one(data: Any) -> None:
    rows = [row(play, (1,)) for play in data.draw(evenings(THREE)) if play.board == 1]
    line = empty_line("matchpoints")
    one_by_one = line
    for one in rows:
        one_by_one = one_by_one.with_rows([one])
    at_once = line.with_rows(rows)
    assert dict(Standings({"": at_once}).totals) == dict(Standings({"": one_by_one}).totals)
    assert dict(Standings({"": line}).totals) == {}  # what was there before has not changed


def played(*scores: Any, names: str = "abcdefgh", plays: int | None = None, name: str = "matchpoints") -> Any:
    return ComparedLine.of(
        method(name),
        tables=range(len(scores)),
        contestants=[list(names[: len(scores)])],
        entries=[list(scores)],
        plays=plays,
    )


def test_a_late_result_changes_the_awards_of_its_line_and_compares_no_other() -> None:
    asked: list[int] = []

    def comparison(line: Histogram, plays: int) -> Valuation:
        asked.append(line.plays)
        return MATCHPOINTS(line, plays)

    lines = {
        number: ComparedLine.of(
            comparison,
            tables=range(4),
            contestants=["abcd"],
            entries=[[9, 5, 1, NoScore.LATE if number == 3 else 7]],
        )
        for number in range(5)
    }
    standings: Standings[str] = Standings(lines)
    assert {k: t.points for k, t in standings.totals.items()} == {
        "a": 4 * 6 + Fraction(17, 3), "b": 4 * 2 + 3, "c": Fraction(1, 3), "d": 4 * 4,
    }  # fmt: skip
    asked.clear()
    late = standings.with_lines({3: lines[3].with_rows([LineRow(3, ("d",), (7,))])})
    assert {k: t.points for k, t in late.totals.items()} == {"a": 30, "b": 10, "c": 0, "d": 20}
    assert asked == [4]


def test_one_line_may_stand_in_several_lists_and_a_list_may_span_sessions() -> None:
    """Two clubs play the same board: each has its own list, and there is one of both, in which everybody is
    compared with everybody. On the second evening only the first club plays."""
    here, there = played(9, 5), played(7, 5, 1, names="xyz")
    both = played(9, 5, 7, 5, 1, names="abxyz")
    second = played(3, 4)
    lists: dict[str, Mapping[Hashable, ComparedLine[str]]] = {
        "here": {(1, 1): here},
        "there": {(1, 1): there},
        "both": {(1, 1): both},
        "season": {(1, 1): both, (2, 1): second},
    }
    totals = {name: Standings(lines).totals for name, lines in lists.items()}
    assert {k: t.percentage for k, t in totals["here"].items()} == {"a": 100, "b": 0}
    assert {k: t.percentage for k, t in totals["both"].items()} == {
        "a": 100, "b": Fraction(75, 2), "x": 75, "y": Fraction(75, 2), "z": 0,
    }  # fmt: skip
    assert totals["season"]["b"] == Total() + totals["both"]["b"] + Standings({1: second}).totals["b"]
    assert [place.contestant for place in ranking(totals["season"])] == ["a", "x", "b", "y", "z"]
    assert [place.contestant for place in ranking(totals["season"].of("yb?"))] == ["b", "y", "?"]


def test_how_often_a_board_is_to_be_played_may_change() -> None:
    line = played(9, 5, plays=2)
    more = line.with_rows([], plays=10)
    assert [award and award.points for award in more.awards[None].values()] == [14, 4]
    assert more.with_rows([LineRow(2, ("c",), (1,))]).plays == 10


def test_a_row_may_go_to_another_deal_and_back() -> None:
    line = played(9, 5, 7, 1)
    fouled = line.with_rows([LineRow(3, ("d",), (1,), "wrong")])
    assert fouled.award(3) is not None
    assert [line_award(fouled, at) for at in range(4)] == [
        Fraction(17, 3),
        Fraction(1, 3),
        3,
        Fraction(18, 5),
    ]
    assert [line_award(fouled.with_rows([LineRow(3, ("d",), (1,))]), at) for at in range(4)] == [6, 2, 4, 0]


def line_award(line: ComparedLine[str], at: int) -> Fraction | None:
    award = line.award(at)
    return award and award.points


def test_a_row_may_be_given_to_others() -> None:
    standings = Standings({1: played(9, 5)})
    after = standings.with_lines({1: standings.lines[1].with_rows([LineRow(0, ("z",), (9,))])})
    assert {k: t.points for k, t in after.totals.items()} == {"b": 0, "z": 2}


def test_a_contestants_rate_on_its_other_boards_is_that_of_the_newest_standings() -> None:
    standings = Standings({1: played(9, 5), 2: played(AVERAGE_PLUS, AVERAGE_MINUS, plays=2)})
    assert {k: t.percentage for k, t in standings.totals.items()} == {"a": 100, "b": 0}
    after = standings.with_lines({1: standings.lines[1].with_rows([LineRow(0, ("a",), (5,))])})
    assert {k: t.percentage for k, t in after.totals.items()} == {"a": 55, "b": 45}


def many(count: int = 300) -> Totals[int]:
    """Totals over different denominators, some equal."""
    lines = {
        number: ComparedLine.of(
            MATCHPOINTS,
            tables=range(count),
            contestants=[[(at * 7 + number) % count for at in range(count)]],
            entries=[
                [NoScore.NOT_PLAYED if at % 31 < number else at * at % 40 for at in range(count)]
            ],
        )
        for number in range(5)
    }  # fmt: skip
    return Standings(lines).totals


def test_a_ranking_of_whole_numbers_is_that_of_the_fractions() -> None:
    totals = many()
    assert [*ranking(totals)] == [*ranking(dict(totals))]
    assert any(place.rank.endswith("=") for place in ranking(totals))
    assert [*ranking(totals, min_boards=5)] == [*ranking(dict(totals), min_boards=5)]
    assert {place.rank for place in ranking(totals, min_boards=5)} > {""}


def test_rulings_on_the_whole_session_leave_the_other_totals_as_they_are() -> None:
    totals = many()
    rulings: list[Callable[[Mapping[int, Total], int], Mapping[int, Total]]] = [
        lambda held, k: with_penalties(held, [Penalty(k, 90, "percent")], unit="matchpoints", top=598),
        lambda held, k: with_carry_over(held, {k: -1500}, fraction=Fraction(1, 3)),
        lambda held, k: with_handicaps(held, {k: -50}),
        lambda held, k: with_penalties(held, [Penalty(11, 1, "percent")] * 2, unit="matchpoints", top=598),
    ]
    fast: Mapping[int, Total] = totals
    slow: Mapping[int, Total] = dict(totals)
    ruled = set()
    for ruling, k in zip(rulings, [7, 7, ranking(totals)[0].contestant, 11], strict=True):
        before = fast[k]
        fast, slow = ruling(fast, k), ruling(slow, k)
        ruled.add(k)
        assert isinstance(fast, Totals)
        assert fast[k] == slow[k] != before
        assert {k for k in totals if fast[k] != totals[k]} == ruled
        assert [*ranking(fast)] == [*ranking(slow)]
        assert [*ranking(fast.of(range(250)))] == [*ranking({k: slow[k] for k in range(250)})]


def test_the_first_page_of_a_list_costs_no_more_than_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    totals = many()
    places = ranking(totals)
    looked_at = []
    make = Totals.__getitem__
    monkeypatch.setattr(Totals, "__getitem__", lambda self, k: looked_at.append(k) or make(self, k))
    page = places[:20]
    assert looked_at == [place.contestant for place in page]
    assert places[-1] == places[len(places) - 1]
    assert places[-1].rank == "300"
    with pytest.raises(IndexError):
        places[len(places)]


@pytest.mark.parametrize(("call", "field", "constraint"), [
    (lambda: played(1, 2, plays=1), "plays", "at least 2"),
    (lambda: played(1, 2.5), "score", "not 2.5"),
    (lambda: ComparedLine.of(MATCHPOINTS, tables=[1], contestants=["a", "b"], entries=[[4], ["5"]]),  # type: ignore[list-item]
     "score", "not '5'"),
    (lambda: played(1, 2, plays=2).with_rows([LineRow(2, ("c",), (3,))]), "plays", "at least 3"),
    (lambda: played(1, 2).with_rows([], plays=1), "plays", "at least 2"),
    (lambda: played(1, 2).with_rows([LineRow(0, ("a",), ("1",))]), "score", "not '1'"),  # type: ignore[arg-type]
    (lambda: played(1, 2).with_rows([LineRow(0, ("a", "b"), (1, 1))]),
     "entries", "table 0: as many are needed as the side has seats (1)"),
])  # fmt: skip
def test_bad_input_names_the_field_and_the_constraint(call: Any, field: str, constraint: str) -> None:
    check_refusal(call, field, constraint)


def test_a_weighted_score_of_one_seat_stands_in_the_line_of_its_side() -> None:
    line: ComparedLine[str] = ComparedLine.of(
        MATCHPOINTS,
        tables=range(2),
        contestants=["ac", "bd"],
        entries=[[4, 3], [Weighted.percent({4: 50, 2: 50}), 3]],
    )
    totals = Standings({1: line}).totals
    assert {k: t.points for k, t in totals.items()} == {"a": 2, "b": 1, "c": 0, "d": 0}
