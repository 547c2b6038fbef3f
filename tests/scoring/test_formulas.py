"""Formulas for master points: what they say, what is refused, and that no text does anything else."""

import ast
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import formulas
from scoring.errors import BadScoring
from scoring.formulas import FUNCTIONS, LEAST, LONGEST, QUANTITIES, Formula, formula
from scoring.masterpoints import MOST_POINTS, master_points
from tests.scoring.refusals import check_refusal

BUILT_IN = "factor × sqrt(tables) × max(0, ceil(contestants ÷ 3) + 1 − place) ÷ ceil(contestants ÷ 3)"
TABLE = "4: 1 0.5\n\n8: 1.5 1 0.5\n"


def worth(text: str, **known: int | Fraction) -> Fraction:
    return formula(text).value({name: Fraction(known.get(name, least)) for name, least in LEAST.items()})


@pytest.mark.parametrize(("text", "value"), [
    ("1 + 2 × 3", 7), ("(1 + 2) * 3", 9), ("8 − 4 − 2", 2), ("8 ÷ 4 ÷ 2", 1), ("-2 * -3 - -1", 7),
    ("1/3 + 0.1", Fraction(13, 30)), ("min(2, 1) + max(3; 4)", 5), ("floor(5/2) + ceil(5/2)", 5),
    ("floor(-5/2)", -3), ("sqrt(9/4)", Fraction(3, 2)), ("sqrt(2)", Fraction(1414213, 1000000)),
    ("place + 10 * contestants", 94), (" factor*beaten/tables ", Fraction(5, 8)), ("boards", 24),
])  # fmt: skip
def test_an_expression_is_arithmetic(text: str, value: int | Fraction) -> None:
    known: dict[str, int | Fraction] = {
        "place": 4,
        "contestants": 9,
        "beaten": 5,
        "tables": 4,
        "boards": 24,
        "factor": Fraction(1, 2),
    }
    assert worth(text, **known) == value


@pytest.mark.parametrize(("tables", "place", "value"), [
    (3, 1, 0), (4, 1, 2), (7, 2, 1), (7, 3, 0), (8, 1, 3), (90, 3, 1), (90, 4, 0),
])  # fmt: skip
def test_a_table_goes_by_tables_and_place(tables: int, place: int, value: int) -> None:
    assert worth(TABLE, tables=tables, place=place, factor=2) == value


@pytest.mark.parametrize(("text", "constraint"), [
    ("", "column 1: a number, a name or “(” belongs here, not “the end”"),
    ("1 +", "column 4: a number, a name or “(” belongs here, not “the end”"),
    ("1 2", "column 3: a sign (+ − × ÷) or the end belongs here, not “2”"),
    ("(1 + 2", "column 7: a sign (+ − × ÷) or “)” belongs here, not “the end”"),
    ("1)", "column 2: a sign (+ − × ÷) or the end belongs here, not “)”"),
    ("2 ** 3", "column 4: a number, a name or “(” belongs here, not “*”"),
    ("2 ^ 3", "column 3: “^” has no meaning here"),
    ("  tabels", "column 3: must be one of: place, contestants, beaten, tables, boards, factor, min, max"),
    ("sqrt", "column 1: after sqrt comes what it is of, in parentheses"),
    ("place(1)", "column 1: must be one of: place"),
    ("max(0,5; 1)", "column 1: values in these parentheses: 2, not 3; decimals have a point"),
    ("0,5", "column 2: a sign (+ − × ÷) or the end belongs here, not “,”"),
    ("1 / beaten", "column 3: what is divided by here may be 0 or less: write max(1, …)"),
    ("1 / (contestants - place)", "column 3: what is divided by here may be 0 or less"),
    ("1 / (0.5 * factor)", "column 3: what is divided by here may be 0 or less"),
    ("1 / (1 / place)", "column 3: what is divided by here may be 0 or less"),
    ("sqrt(10 - tables)", "column 1: this root may be of less than 0: write sqrt(max(0, …))"),
    ("1234567890", "column 1: a number has at most 9 digits"),
    ("1" + " + 1" * 130, f"an expression has at most {LONGEST} characters"),
    ("(" * 21 + "1" + ")" * 21, "column 21: parentheses stand inside each other 20 times at most"),
    ("-" * 21 + "1", "column 21: parentheses stand inside each other"),
    ("__import__('os').system('id')", "column 12: “'” has no meaning here"),
    ("__import__(1)", "column 1: must be one of: place"),
    ("place.__class__", "column 6: “.” has no meaning here"),
    ("4: 1 0.5\n4: 2", "line 2: each line begins with more tables than the one before"),
    ("0: 1", "line 1: each line begins with more tables"),
    ("4: 1 0,5", "line 1: “0,5” is not a number such as 1.5, with a point"),
    ("4:", "line 1: a line is a number of tables, a colon and the points of each place"),
    ("four: 1", "line 1: a line is a number of tables"),
    ("4: 1: 2", "line 1: “1:” is not a number"),
    ("4: -1", "line 1: “-1” is not a number"),
    ("1: " + "1 " * 201, "line 1: a line has at most 200 places"),
    ("\n".join(f"{n}: 1" for n in range(1, 52)), "a table has at most 50 lines"),
])  # fmt: skip
def test_what_is_no_formula_is_refused_where_it_is_wrong(text: str, constraint: str) -> None:
    check_refusal(lambda: formula(text), "formula", constraint)


@pytest.mark.parametrize("text", [
    "1 / max(1, beaten)", "1 / (contestants + 1 - 1)", "1 / (place * tables)", "1 / sqrt(contestants)",
    "sqrt(max(0, contestants - place))", "1 / ceil(contestants / 3)", "1 / (2 - min(1, boards))",
])  # fmt: skip
def test_what_can_be_worked_out_for_every_field_is_taken(text: str) -> None:
    assert worth(text) >= 0


# ── No text does anything else ────────────────────────────────────────────────────────────────────

WORDS = [*QUANTITIES, *FUNCTIONS, *"+-*/÷×−(),;:.\n", " ", "0", "1", "7", "2.5", "10", "__import__", "lambda"]
PARTS = st.recursive(
    st.sampled_from([*QUANTITIES, "0", "1", "3", "0.25", "999999999"]),
    lambda parts: st.one_of(
        st.builds("({} {} {})".format, parts, st.sampled_from("+-*/"), parts),
        st.builds("{}({})".format, st.sampled_from(["sqrt", "floor", "ceil"]), parts),
        st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), parts, parts),
        st.builds("-{}".format, parts),
    ),
    max_leaves=12,
)
FIELDS = st.fixed_dictionaries({
    **{name: st.integers(least, 3000).map(Fraction) for name, least in LEAST.items() if name != "factor"},
    "factor": st.fractions(Fraction(1, 100), 50, max_denominator=100),
})  # fmt: skip


def taken(text: str) -> Formula | None:
    try:
        return formula(text)
    except BadScoring:
        return None


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=60).map("".join)), FIELDS)
def test_any_text_is_a_number_or_refused(text: str, known: dict[str, Fraction]) -> None:
    if (found := taken(text)) is not None:
        assert isinstance(found.value(known), Fraction)


@given(PARTS, FIELDS)
def test_what_is_taken_never_fails(text: str, known: dict[str, Fraction]) -> None:
    if (found := taken(text)) is not None:
        assert isinstance(found.value(known), Fraction)


@given(PARTS, FIELDS)
def test_a_value_lies_within_the_bounds_that_were_followed(text: str, known: dict[str, Fraction]) -> None:
    if taken(text) is not None:
        term = formulas._Parser(text).whole()
        assert term.low <= term.value(known) <= term.high


@pytest.mark.parametrize("text", [
    "1" + "+1" * 249, "-1" * 250, "9*" * 249 + "9", "999999999*" * 49 + "9", "1/" * 249 + "7",
    "sqrt(" * 20 + "999999999*" * 37 + "9" + ")" * 20, "tables*" * 71 + "1", "1/tables+" * 54 + "1",
])  # fmt: skip
def test_the_longest_are_worked_out(text: str) -> None:
    assert len(text) <= LONGEST
    assert isinstance(worth(text, tables=2999, factor=Fraction(1, 7)), Fraction)


def test_the_parser_runs_nothing() -> None:
    """No text of a formula can reach the interpreter: these names are not in the module at all."""
    tree = ast.parse(Path(formulas.__file__).read_text("utf-8"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {
        node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr != "compile"
    }
    assert not names & {"eval", "exec", "compile", "getattr", "globals", "import_module", "__import__", "ast"}


# ── Points ────────────────────────────────────────────────────────────────────────────────────────


@given(st.integers(1, 40), st.integers(1, 30), st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 4)]))
def test_the_built_in_scale_can_be_written_as_a_formula(count: int, tables: int, factor: Fraction) -> None:
    """To the hundredth where the root is whole; the built-in one rounds the points of the first before it
    steps down from them."""
    places = [(str(n), n) for n in range(1, count + 1)]
    own = master_points(places, tables=tables**2, factor=factor)
    assert master_points(places, tables=tables**2, factor=factor, by=formula(BUILT_IN)) == own


def test_those_who_share_a_place_share_its_points_rounded_down() -> None:
    places = [("1", "Ana"), ("2=", "Bo"), ("2=", "Cy"), ("4", "Di"), ("", "Ed")]
    assert master_points(places, tables=8, by=formula(TABLE)) == {
        "Ana": Fraction(3, 2), "Bo": Fraction(3, 4), "Cy": Fraction(3, 4),
    }  # fmt: skip
    thirds = master_points(places, tables=8, by=formula("beaten / 3 + boards / 1000"), boards={"Bo": 8})
    assert thirds == {"Ana": 1, "Bo": Fraction(50, 100), "Cy": Fraction(50, 100)}
    played = master_points(places, tables=8, by=formula("boards / 8"), boards={"Bo": 8, "Di": 24})
    assert played == {"Bo": 1, "Di": 3}


def test_points_are_not_below_0_nor_out_of_sight() -> None:
    places = [("1", "Ana"), ("2", "Bo")]
    assert master_points(places, tables=1, by=formula("1 - place")) == {}
    vast = master_points(places, tables=1, by=formula("999999999 * 999999999 / place"))
    assert vast == {"Ana": MOST_POINTS, "Bo": MOST_POINTS}


def test_a_long_tie_costs_no_more_than_its_places() -> None:
    asked = 0

    def counted(known: formulas.Quantities) -> Fraction:
        nonlocal asked
        asked += 1
        return known["beaten"]

    places = [("1=", n) for n in range(300)]
    given_points = master_points(
        places, tables=1, by=Formula("", counted), boards=dict.fromkeys(range(300), 7)
    )
    assert set(given_points.values()) == {Fraction(299, 2)}
    assert asked == 300
