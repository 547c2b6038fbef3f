"""Every method of comparison against the pairwise oracle, published figures, and what must always hold."""

from fractions import Fraction
from statistics import fmean, pstdev
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.datum import AVERAGES, TRIMS, datum, deviation
from scoring.entries import AVERAGE, AVERAGE_MINUS, AVERAGE_PLUS, Artificial, NoScore, Weighted
from scoring.imps import DIVISORS, SCALE, imps
from scoring.lines import SMALL_GROUPS, Histogram, awards
from scoring.matchpoints import UNEQUAL, neuberg, top
from scoring.methods import METHODS, method, top_of
from tests.scoring import oracles
from tests.scoring.lines import few, lines, wide
from tests.scoring.refusals import check_refusal

units = st.sampled_from([Fraction(1), Fraction(5, 2), Fraction(1, 3), Fraction(160)])
LINE_BY_LINE = [
    *[("matchpoints", {"unequal": unequal}) for unequal in UNEQUAL],
    ("board-a-match", {}),
    *[("cross-imps", {"divisor": divisor, "unit": "5/2"}) for divisor in DIVISORS],
    *[("butler", {"average": a, "trim": t, "unit": 20}) for a in AVERAGES for t in TRIMS],
    ("total-points", {"unit": "1/2"}),
    ("zero-sum", {}),
    ("standardised", {}),
    ("standardised", {"clip": 1}),
]


def points(
    line: list[Any], name: str, plays: int | None = None, deals: Any = None, **options: Any
) -> list[Any]:
    given_awards = awards(line, method(name, **options), plays=plays, deals=deals)
    return [None if award is None else award.points for award in given_awards]


def scores_only(line: list[Any], given_points: list[Any]) -> list[Any]:
    """The points of the entries that were compared, None for the others: what an oracle gives."""
    return [p if oracles.is_compared(entry) else None for entry, p in zip(line, given_points, strict=True)]


@given(lines(), st.integers(0, 10), st.sampled_from(UNEQUAL))
def test_matchpoints_are_the_pairwise_count(line: list[Any], missing: int, unequal: str) -> None:
    plays = len(line) + missing
    found = points(line, "matchpoints", plays, unequal=unequal)
    assert scores_only(line, found) == oracles.matchpoints(line, plays, unequal)


@given(lines())
def test_board_a_match_is_the_mean_of_its_matches(line: list[Any]) -> None:
    assert scores_only(line, points(line, "board-a-match")) == oracles.board_a_match(line, len(line))


@given(lines(wide), units, st.sampled_from(DIVISORS))
def test_cross_imps_are_every_pair_on_the_scale(line: list[Any], unit: Fraction, divisor: str) -> None:
    found = points(line, "cross-imps", unit=unit, divisor=divisor)
    assert scores_only(line, found) == oracles.cross_imps(line, len(line), unit, divisor)


@settings(max_examples=4)
@given(st.lists(st.integers(-3000, 3000), min_size=100, max_size=140, unique=True), units)
def test_cross_imps_of_many_different_scores_are_the_same(line: list[int], unit: Fraction) -> None:
    """Beyond a hundred scores the steps of the scale are counted, and no pair is looked at."""
    assert points(line, "cross-imps", unit=unit) == oracles.cross_imps(line, 0, unit, "comparisons")


@given(lines(wide), units, st.sampled_from(AVERAGES), st.sampled_from(TRIMS))
def test_butler_is_the_distance_from_the_datum(
    line: list[Any], unit: Fraction, average: str, trim: str
) -> None:
    found = points(line, "butler", unit=unit, average=average, trim=trim)
    assert scores_only(line, found) == oracles.butler(line, len(line), unit, average, trim)


@given(lines(wide), units)
def test_points_are_the_scores_and_their_distance_from_the_mean(line: list[Any], unit: Fraction) -> None:
    assert scores_only(line, points(line, "total-points", unit=unit)) == oracles.total_points(line, 0, unit)
    assert scores_only(line, points(line, "zero-sum", unit=unit)) == oracles.zero_sum(line, 0, unit)


@given(lines(wide), st.sampled_from([None, 1, Fraction(1, 2)]))
def test_standardised_scores_are_counted_in_deviations(line: list[Any], clip: Fraction | None) -> None:
    found = scores_only(line, points(line, "standardised", **({} if clip is None else {"clip": clip})))
    for ours, theirs in zip(found, oracles.standardised(line, clip), strict=True):
        assert (ours is None) == (theirs is None)
        assert ours is None or float(ours) == pytest.approx(theirs, abs=1e-9)


@given(lines(most=20), st.data(), st.integers(0, 5), st.sampled_from(UNEQUAL), st.sampled_from(SMALL_GROUPS))
def test_a_fouled_board_is_compared_in_groups(
    line: list[Any], data: Any, missing: int, unequal: str, small_groups: str
) -> None:
    deals = [data.draw(st.sampled_from("AAAB")) for _ in line]
    plays = len(line) + missing
    found = points(line, "matchpoints", plays, deals, unequal=unequal, small_groups=small_groups)
    expected = oracles.fouled(
        line, deals, plays, lambda group, e: oracles.matchpoints(group, e, unequal), small_groups
    )
    assert scores_only(line, found) == expected


@pytest.mark.parametrize(("name", "top_of_board", "oracle"), [
    ("board-a-match", 1, oracles.board_a_match),
    ("cross-imps", None, lambda line, e: oracles.cross_imps(line, e, Fraction(1), "comparisons")),
    ("butler", None, lambda line, e: oracles.butler(line, e, Fraction(1), "mean", "usual")),
])  # fmt: skip
@given(lines(wide, most=20), st.data())
def test_the_other_methods_compare_a_fouled_board_in_groups_too(
    name: str, top_of_board: Any, oracle: Any, line: list[Any], data: Any
) -> None:
    deals = [data.draw(st.sampled_from("AAAB")) for _ in line]
    found = points(line, name, None, deals)
    assert scores_only(line, found) == oracles.in_groups(line, deals, len(line), oracle, top_of_board)


def deviation_of(line: list[Any]) -> float:
    values = [float(value) for value in oracles.means(line)]
    return pstdev(values) if values else 0.0


@pytest.mark.parametrize(("name", "average", "step"), [
    ("matchpoints", lambda line: len(line) - 1, lambda line: (len(line) - 1) / 5),
    ("board-a-match", lambda line: 0.5, lambda line: 0.1),
    ("cross-imps", lambda line: 0, lambda line: 3),
    ("butler", lambda line: 0, lambda line: 3),
    ("zero-sum", lambda line: 0, lambda line: deviation_of(line) / 4),
    ("total-points", lambda line: fmean(oracles.means(line)), lambda line: deviation_of(line) / 4),
    ("standardised", lambda line: 0, lambda line: 0.25),
])  # fmt: skip
@given(lines(wide).filter(lambda line: oracles.plays(line) > 1))
def test_rulings_in_any_line_are_worth_what_they_say(
    name: str, average: Any, step: Any, line: list[Any]
) -> None:
    for entry, found in zip(line, points(line, name), strict=True):
        if not oracles.is_compared(entry):
            expected = oracles.ruled(entry, average(line), step(line))
            assert (found is None) == (expected is None)
            assert found is None or float(found) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("name", "options"), LINE_BY_LINE)
@given(lines(wide), st.data())
def test_the_order_of_the_tables_does_not_matter(
    name: str, options: dict[str, Any], line: list[Any], data: Any
) -> None:
    order = data.draw(st.permutations(range(len(line))))
    straight = points(line, name, **options)
    assert points([line[i] for i in order], name, **options) == [straight[i] for i in order]


@pytest.mark.parametrize(("name", "options"), [one for one in LINE_BY_LINE if one[0] != "total-points"])
@given(lines(wide), st.integers(-500, 500))
def test_a_constant_more_for_all_changes_nothing(
    name: str, options: dict[str, Any], line: list[Any], more: int
) -> None:
    """Total points apart, which are the scores themselves."""

    def moved(entry: Any) -> Any:
        if isinstance(entry, Weighted):
            return Weighted(tuple((score + more, weight) for score, weight in entry.parts))
        return entry + more if isinstance(entry, int) else entry

    assert points([moved(entry) for entry in line], name, **options) == points(line, name, **options)


@given(st.lists(few, min_size=1, max_size=40), st.integers(0, 10))
def test_a_line_shares_out_the_same_sum_however_often_it_is_played(line: list[int], missing: int) -> None:
    actual, expected = len(line), len(line) + missing
    assert sum(points(line, "matchpoints")) == actual * (actual - 1)
    for unequal in UNEQUAL:
        assert sum(points(line, "matchpoints", expected, unequal=unequal)) == actual * (expected - 1)


@given(lines(wide))
def test_cross_imps_and_points_from_the_mean_sum_to_zero(line: list[Any]) -> None:
    for name in ("cross-imps", "zero-sum", "standardised"):
        found = scores_only(line, points(line, name))
        assert sum(p for p in found if p is not None) == 0


@given(lines(), st.integers(0, 10))
def test_awards_stay_between_nothing_and_the_top(line: list[Any], missing: int) -> None:
    plays = len(line) + missing
    assert all(p is None or 0 <= p <= top(plays) for p in points(line, "matchpoints", plays))
    assert all(p is None or 0 <= p <= 1 for p in points(line, "board-a-match", plays))


@pytest.mark.parametrize(
    ("won", "actual", "expected", "brought_to"),
    [
        (12, 7, 10, Fraction(123, 7)),  # 17.571…, a top of seven among ten
        (0, 7, 10, Fraction(3, 7)),  # 0.428…
        (6, 7, 10, 9),  # the middle stays the middle
        (0, 1, 10, 9),  # one play alone: half of the top
        (5, 8, 8, 5),
    ],
)
def test_neubergs_formula(won: int, actual: int, expected: int, brought_to: Fraction) -> None:
    assert neuberg(won, actual, expected) == brought_to


def test_plain_percentage_brings_seven_plays_to_ten() -> None:
    line = [7, 6, 5, 4, 3, 2, 1]
    assert points(line, "matchpoints", 10, unequal="percentage") == [18, 15, 12, 9, 6, 3, 0]
    assert points([4], "matchpoints", 10, unequal="percentage") == [9]


def test_a_weighted_score_is_compared_with_each_of_its_weights() -> None:
    """50 % of 620, 30 % of 170 and 20 % of −100 against 620, 620, 170, −100, 650."""
    ruled = Weighted.percent({620: 50, 170: 30, -100: 20})
    found = points([ruled, 620, 620, 170, -100, 650], "matchpoints")
    assert found == [Fraction(n, 10) for n in (41, 65, 65, 27, 2, 100)]


@pytest.mark.parametrize(("line", "percents"), [
    ([5], [60]),
    ([5, 3], [65, 55]),
    ([5, 5], [60, 60]),
    ([5, 3, 1], [70, 60, 50]),
    ([5, 5, 1], [65, 65, 50]),
    ([5, 1, 1], [70, 55, 55]),
    ([5, 5, 5], [60, 60, 60]),
])  # fmt: skip
def test_a_small_group_of_a_fouled_board_gets_sixty_per_cent_in_steps_of_five(
    line: list[int], percents: list[int]
) -> None:
    others = [9, 8, 7, 6, 5, 4]
    found = points([*line, *others], "matchpoints", None, ["fouled"] * len(line) + ["sound"] * 6)
    most = top(len(line) + 6)
    assert [100 * p / most for p in found[: len(line)]] == percents
    assert found[len(line) :] == points(others, "matchpoints", len(line) + 6)


FIVE = [420, 400, 170, -110, -200]


@pytest.mark.parametrize(("small_groups", "points_of_the_two"), [
    ("third", [Fraction(13, 2), Fraction(3, 2)]),  # by Neuberg's formula: (2·5 + 3) / 2 and (0·5 + 3) / 2
    ("always", [Fraction(26, 5), Fraction(22, 5)]),  # 65 % and 55 % of 8
])  # fmt: skip
def test_two_results_of_five_are_compared_by_neubergs_formula_or_not(
    small_groups: str, points_of_the_two: list[Fraction]
) -> None:
    """The English Bridge Union's own example: five results, of which −110 and −200 on the fouled cards.
    Source: forums.ebu.co.uk, discussion 1580, “Fouled Board in Subfield of 2”."""
    found = points(FIVE, "matchpoints", None, "aaabb", small_groups=small_groups)
    assert found[3:] == points_of_the_two


@pytest.mark.parametrize(("size", "expected", "is_compared"), [
    (1, 9, False), (1, 2, False), (2, 5, True), (2, 6, False), (3, 8, True), (3, 9, False), (4, 99, True),
])  # fmt: skip
def test_a_group_is_small_up_to_three_plays_and_a_third_of_all(
    size: int, expected: int, is_compared: bool
) -> None:
    """The White Book's words, at their borders."""
    line, others = list(range(size)), list(range(expected - size))
    found = points([*line, *others], "matchpoints", None, ["b"] * size + ["a"] * len(others))[:size]
    assert (found == points(line, "matchpoints", expected)) == is_compared


@pytest.mark.parametrize("absent", [NoScore.NOT_PLAYED, NoScore.LATE, NoScore.SIT_OUT, AVERAGE_PLUS])
def test_a_row_without_a_score_does_not_make_a_board_fouled(absent: Any) -> None:
    line = [12, 7, 3, absent]
    assert points(line, "matchpoints", None, "aaab") == points(line, "matchpoints")
    assert points(line, "total-points", None, "aaab") == points(line, "total-points")


def test_a_ruling_on_a_deal_that_nobody_scored_on_is_worth_what_the_largest_group_makes_it() -> None:
    line, deals = [10, 20, 300, 0, 200, AVERAGE], "aabbbc"
    assert points(line, "total-points", None, deals)[-1] == Fraction(500, 3)


def test_one_play_of_another_deal_gets_average_plus_in_imps() -> None:
    assert points([5, 300, 0], "cross-imps", None, ["x", "a", "a"]) == [3, 7, -7]
    assert points([5, 300, 300], "butler", None, ["x", "a", "a"]) == [3, 0, 0]


@pytest.mark.parametrize(("name", "plus", "average", "minus"), [
    ("matchpoints", Fraction(24, 5), 4, Fraction(16, 5)),  # of 8
    ("board-a-match", Fraction(3, 5), Fraction(1, 2), Fraction(2, 5)),
    ("cross-imps", 3, 0, -3),  # laws of duplicate bridge, law 86A
    ("butler", 3, 0, -3),
    ("zero-sum", Fraction(1, 2), 0, Fraction(-1, 2)),  # a quarter of the deviation of 2
    ("total-points", Fraction(21, 2), 10, Fraction(19, 2)),
    ("standardised", Fraction(1, 4), 0, Fraction(-1, 4)),
])  # fmt: skip
def test_what_artificial_scores_are_worth(name: str, plus: Any, average: Any, minus: Any) -> None:
    assert points([AVERAGE_PLUS, AVERAGE, AVERAGE_MINUS, 8, 12], name)[:3] == [plus, average, minus]


def test_an_artificial_score_in_points_from_the_mean_has_their_unit() -> None:
    assert points([AVERAGE_PLUS, 8, 12], "zero-sum", unit=4) == [2, -8, 8]
    assert points([AVERAGE_PLUS], "zero-sum", unit=4) == [0]  # without scores there is no deviation


@given(lines(wide))
def test_artificial_and_missing_scores_leave_the_others_alone(line: list[Any]) -> None:
    played = [entry for entry in line if oracles.is_compared(entry)]
    for name in METHODS:
        found = points(line, name, len(line))
        kept = [p for entry, p in zip(line, found, strict=True) if oracles.is_compared(entry)]
        assert kept == points(played, name, len(line))
        assert all(p is None for entry, p in zip(line, found, strict=True) if isinstance(entry, NoScore))


def test_a_missing_score_is_not_a_zero() -> None:
    assert points([0, -1, NoScore.NOT_PLAYED], "matchpoints") == [Fraction(7, 2), Fraction(1, 2), None]
    assert points([0, -1, 0], "matchpoints") == [3, 0, 3]


@pytest.mark.parametrize(("difference", "worth"), [
    *[(least, n) for n, least in enumerate(SCALE, 1)],
    *[(least - 1, n) for n, least in enumerate(SCALE)],
    (0, 0), (10**9, 24), (Fraction(39, 2), 0), (Fraction(99, 2), 1), (-50, -2), (-49, -1),
])  # fmt: skip
def test_the_scale_of_imps(difference: Any, worth: int) -> None:
    assert imps(difference) == worth == oracles.imps_of(difference)


@pytest.mark.parametrize(("line", "options", "reference"), [
    ([0, 10, 20, 90], {}, 30),  # four plays: none is left out
    ([0, 10, 20, 30, 990], {}, 20),  # from five: one at each end
    ([-900, -900, *range(6), 900, 900], {}, Fraction(5, 2)),  # from ten: two
    ([-999] * 3 + [7] * 24 + [999] * 3, {}, 7),  # from twenty: a tenth
    ([0, 10, 20, 30, 990], {"trim": "none"}, 210),
    ([0, 10, 20, 30, 990], {"trim": "two"}, 20),
    ([0, 10], {"trim": "two"}, 5),  # one or two always remain
    ([0, 10, 990], {"average": "median", "trim": "none"}, 10),
    ([0, 10, 20, 990], {"average": "median", "trim": "none"}, 15),
])  # fmt: skip
def test_the_datum(line: list[int], options: dict[str, str], reference: Any) -> None:
    histogram = Histogram({score: line.count(score) for score in line})
    assert datum(histogram, **options) == reference


@pytest.mark.parametrize(("options", "reference"), [
    ({}, Fraction(1210, 4)),
    ({"round_to": 10}, 300),
    ({"round_to": 5}, 305),  # 302.5 lies in the middle
    ({"round_to": 5, "halves": "away"}, 305),
    ({"round_to": 5, "halves": "towards"}, 300),
    ({"round_to": "5/2"}, Fraction(605, 2)),
])  # fmt: skip
def test_the_datum_may_be_rounded(options: dict[str, Any], reference: Any) -> None:
    """Source of the line: ilovebridge.nl, “Butler-regels uitgelegd”, where 302.5 becomes 300."""
    line = [450, 420, 420, 420, -50, -800]
    found = points(line, "butler", **options)
    assert found == [imps(score - reference) for score in line]
    assert points([-score for score in line], "butler", **options) == [-one for one in found]


def test_halves_of_a_datum_may_go_up() -> None:
    line = [5, -10]
    assert points(line, "butler", unit=20, round_to=5, halves="up") == [imps(100), imps(-200)]  # 0
    assert points(line, "butler", unit=20, round_to=5) == [imps(200), imps(-100)]  # −5


def test_the_deviation_is_that_of_the_whole_population() -> None:
    assert deviation(Histogram({2: 1, 4: 3, 5: 2, 7: 1, 9: 1})) == 2
    assert points([2, 4, 4, 4, 5, 5, 7, 9], "standardised") == [
        Fraction(n, 2) for n in (-3, -1, -1, -1, 0, 0, 2, 4)
    ]
    assert points([2, 4, 4, 4, 5, 5, 7, 9], "standardised", clip="1.5")[-1] == Fraction(3, 2)


def test_equal_scores_are_no_deviation() -> None:
    assert points([7, 7, 7], "standardised") == [0, 0, 0]


def test_an_empty_line_and_a_single_one() -> None:
    for name in METHODS:
        assert points([], name) == []
        assert len(points([7], name)) == 1
        assert points([NoScore.LATE, AVERAGE], name)[0] is None
    assert points([7], "matchpoints") == [0]
    assert points([7], "matchpoints", 5) == [4]


def test_which_methods_have_a_top() -> None:
    tops = {name: top_of(method(name), 7) for name in METHODS}
    assert tops == dict.fromkeys(METHODS) | {"matchpoints": 12, "board-a-match": 1}


@pytest.mark.parametrize(("call", "field", "constraint"), [
    (lambda: method("matchpoint"), "method", "must be one of: matchpoints, board-a-match, cross-imps"),
    (lambda: method("cross-imps", divisor="pairs"), "divisor", "must be one of: comparisons, plays, none"),
    (lambda: method("butler", trim=2), "trim", "must be one of: usual, none, one, two, tenth"),
    (lambda: method("butler", divisor="plays"), "option", "must be one of: unit, average, trim"),
    (lambda: method("board-a-match", unit=1), "option", "must be one of: small_groups, not unit"),
    (lambda: method("matchpoints", small_groups="ebu"), "small_groups", "must be one of: third, always"),
    (lambda: method("butler", halves="even", round_to=10), "halves", "must be one of: away, towards, up"),
    (lambda: method("butler", round_to=0), "round_to", "exact number above 0"),
    (lambda: method("butler", halves="up"), "halves", "belongs to round_to, and only there"),
    (lambda: method("cross-imps", unit=0), "unit", "exact number above 0"),
    (lambda: method("cross-imps", unit="1/0"), "unit", "exact number above 0"),
    (lambda: method("cross-imps", unit="1e999999999"), "unit", "exact number above 0"),
    (lambda: method("cross-imps", unit="-1"), "unit", "exact number above 0"),
    (lambda: method("cross-imps", unit="1" * 10), "unit", "exact number above 0"),
    (lambda: method("cross-imps", unit=True), "unit", "exact number above 0"),
    (lambda: method("standardised", clip=2.5), "clip", "exact number above 0"),
    (lambda: Weighted.percent({620: 50, 170: 30}), "weights", "must sum to 1, not to 4/5"),
    (lambda: Weighted(((1, Fraction(1, 2)), (1, Fraction(1, 2)))), "weights", "each score may appear once"),
    (lambda: Weighted(((1, Fraction(3, 2)), (2, Fraction(-1, 2)))), "weights", "above 0"),
    (lambda: Weighted(((1, 0.5), (2, 0.5))), "weights", "exact number"),
    (lambda: Weighted((("620", Fraction(1)),)), "weights", "whole number"),
    (lambda: Weighted(()), "weights", "must sum to 1, not to 0"),
    (lambda: Artificial(101), "percent", "from 0 to 100"),
    (lambda: Artificial(60.0), "percent", "exact number"),
    (lambda: awards([1, 2, 3], method("matchpoints"), plays=2), "plays", "at least 3"),
    (lambda: awards([1, 2.0], method("matchpoints")), "score", "whole number or a ruling, not 2.0"),
    (lambda: awards([1, None], method("matchpoints")), "score", "not None"),
    (lambda: awards([1, 2], method("matchpoints"), deals=["a"]), "deals", "each of the 2 entries"),
    (lambda: awards([1, 2, None], method("matchpoints"), deals="abc"), "score", "not None"),
    (lambda: neuberg(3, 0, 5), "actual", "from 1 to 5, not 0"),
    (lambda: neuberg(3, 6, 5), "actual", "from 1 to 5, not 6"),
])  # fmt: skip
def test_bad_input_names_the_field_and_the_constraint(call: Any, field: str, constraint: str) -> None:
    check_refusal(call, field, constraint)


def test_thirty_thousand_plays_need_no_pairs() -> None:
    """Nine hundred million comparisons would not end within this test's time."""
    line = [n % 97 for n in range(30_000)]
    assert sum(points(line, "matchpoints")) == 30_000 * 29_999
    assert sum(points([n * 7 % 30_011 for n in range(30_000)], "cross-imps")) == 0
