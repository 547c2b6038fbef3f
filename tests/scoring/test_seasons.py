"""Standings of seasons, each beside a plain script; the way they moved; prizes."""

from fractions import Fraction
from statistics import mean, pstdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.seasons import (
    SEASON_TIE_BREAKS,
    Prizes,
    SeasonEvening,
    SeasonRules,
    positions_after_each,
    prize_list,
    season_ranking,
    standardised,
)
from tests.scoring.refusals import check_refusal

Table = list[dict[str, int]]

evenings_of = st.lists(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(30, 70), min_size=1), min_size=1, max_size=6
)


def evenings(table: Table, shares: dict[str, Fraction] | None = None) -> list[SeasonEvening[str]]:
    return [SeasonEvening(str(at), values, shares=shares or {}) for at, values in enumerate(table)]


@given(table=evenings_of, best=st.integers(1, 4) | st.none(), drop=st.integers(0, 3), average=st.booleans())
def test_the_standings_are_those_of_a_plain_script(
    table: Table, best: int | None, drop: int, average: bool
) -> None:
    drop = 0 if best else drop
    rules = SeasonRules("average" if average else "sum", best=best, drop=drop, least=2)
    plain: dict[str, Fraction] = {}
    for k in {k for values in table for k in values}:
        own = sorted((values[k] for values in table if k in values), reverse=True)
        own_count = len(own)
        own = own[: best or max(len(table) - drop, 1)]
        if own_count >= 2:
            plain[k] = Fraction(sum(own), len(own) if average else 1)
    for row in season_ranking(evenings(table), rules):
        if row.contestant not in plain:
            assert row.rank == ""
            continue
        above = sum(other > plain[row.contestant] for other in plain.values())
        same = sum(other == plain[row.contestant] for other in plain.values())
        assert (row.value, row.rank) == (plain[row.contestant], f"{above + 1}{'=' if same > 1 else ''}")


@given(table=evenings_of, order=st.permutations(SEASON_TIE_BREAKS))
def test_after_each_evening_everybody_stands_where_a_season_that_ended_then_would_put_them(
    table: Table, order: list[str]
) -> None:
    rules = SeasonRules(best=3, tie_breaks=tuple(order))
    found = positions_after_each(evenings(table), rules)
    for count, positions in enumerate(found, 1):
        rows = season_ranking(evenings(table)[:count], rules)
        assert positions == {row.contestant: int(row.rank.rstrip("=")) for row in rows if row.rank}
        assert sorted(row.rank for row in rows if not row.rank.endswith("=")) == sorted(
            str(positions[row.contestant]) for row in rows if not row.rank.endswith("=")
        )


@given(values=st.dictionaries(st.integers(), st.integers(-500, 500), min_size=2))
def test_standardised_are_those_of_the_standard_library(values: dict[int, int]) -> None:
    found = standardised(values)
    spread = pstdev(values.values())
    for k, value in values.items():
        right = 50 + 10 * (value - mean(values.values())) / spread if spread else 50.0
        assert abs(float(found[k]) - right) < 0.0011


HALF = {"a": Fraction(1, 2)}


@pytest.mark.parametrize(("rules", "a"), [
    ({"half": "whole"}, (120, 2)),
    ({"half": "half"}, (60, 1)),
    ({"half": "none"}, (0, 0)),
    ({"half": "half", "enough": Fraction(1, 2)}, (120, 2)),
    ({"half": "half", "combine": "average"}, (60, 1)),  # an average does not fall with half an evening
])  # fmt: skip
def test_half_an_evening_counts_as_the_season_says(rules: dict[str, Any], a: tuple[int, int]) -> None:
    table = [{"a": 60, "b": 50}, {"a": 60, "b": 50}]
    row = next(
        one for one in season_ranking(evenings(table, HALF), SeasonRules(**rules)) if one.contestant == "a"
    )
    assert (row.value, row.played) == a


def test_a_missed_evening_is_worth_what_the_season_says_and_is_dropped_first() -> None:
    table = [{"a": 60, "b": 30}, {"b": 58}]
    by = {row.contestant: row for row in season_ranking(evenings(table), SeasonRules(absent=Fraction(40)))}
    assert (by["a"].value, by["b"].value) == (100, 88)
    assert [one.is_absent for one in by["a"].parts] == [False, True]
    assert by["a"].played == 1
    dropped = season_ranking(evenings(table), SeasonRules(drop=1))
    assert [(row.contestant, row.value) for row in dropped] == [("a", 60), ("b", 58)]


def test_weights_and_handicaps() -> None:
    double = [SeasonEvening("1", {"a": 60, "b": 50}), SeasonEvening("2", {"a": 40, "b": 52}, Fraction(2))]
    total = {row.contestant: row.value for row in season_ranking(double, SeasonRules())}
    assert total == {"a": 140, "b": 154}
    average = season_ranking(double, SeasonRules("average"), handicaps={"a": Fraction(6)})
    assert [(row.contestant, row.value) for row in average] == [
        ("a", Fraction(158, 3)),
        ("b", Fraction(154, 3)),
    ]


@pytest.mark.parametrize(("name", "table", "first"), [
    ("encounters", [{"a": 60, "b": 50}, {"a": 40, "b": 50}, {"a": 51, "b": 51}], None),
    ("encounters", [{"a": 60, "b": 50}, {"a": 60, "b": 50}, {"a": 40, "b": 60}], "a"),
    ("best-evenings", [{"a": 60, "b": 50}, {"a": 40, "b": 50}], "a"),
    ("evenings", [{"a": 60, "b": 30}, {"b": 30}], "b"),
    ("count-back", [{"a": 60, "b": 50}, {"a": 40, "b": 50}], "b"),
])  # fmt: skip
def test_tie_breaks_tell_equals_apart_or_do_not(name: str, table: Table, first: str | None) -> None:
    rows = season_ranking(evenings(table), SeasonRules(tie_breaks=(name,)))
    if first is None:
        assert [row.rank for row in rows] == ["1=", "1="]
    else:
        assert (rows[0].contestant, rows[0].rank, rows[0].before_next) == (first, "1", name)


def test_nobody_has_two_prizes_and_equals_share_theirs() -> None:
    persons = {one: [one] for one in "abcdef"} | {"ab": ["a", "b"], "cd": ["c", "d"], "ef": ["e", "f"]}
    overall = Prizes("overall", 2, [("1", "a"), ("2=", "b"), ("2=", "c"), ("4", "d")])
    pairs = Prizes("pairs", 1, [("1", "ab"), ("2", "cd"), ("3", "ef")])
    juniors = Prizes("juniors", 2, [("1", "e"), ("2", "d"), ("", "f")])
    assert prize_list([overall, pairs, juniors], persons=persons) == [
        ("overall", [(1, ("a",)), (2, ("b", "c"))]),
        ("pairs", [(1, ("ef",))]),  # the partner of whoever has one is passed over
        ("juniors", [(1, ("d",))]),
    ]


@pytest.mark.parametrize(("rules", "field", "constraint"), [
    (SeasonRules(combine="best"), "combine", "must be one of: sum, average"),
    (SeasonRules(half="some"), "half", "must be one of"),
    (SeasonRules(best=0), "best", "above 0"),
    (SeasonRules(best=2, drop=1), "drop", "name one of them"),
    (SeasonRules(least=-1), "least", "0 or more"),
    (SeasonRules(enough=Fraction(3, 2)), "enough", "from 0 to 1"),
    (SeasonRules(tie_breaks=("wins",)), "tie_breaks", "encounters"),
])  # fmt: skip
def test_rules_that_cannot_be_are_refused(rules: SeasonRules, field: str, constraint: str) -> None:
    check_refusal(lambda: season_ranking([], rules), field, constraint)
