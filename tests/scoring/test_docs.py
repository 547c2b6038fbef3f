"""docs/scoring.md: each of its tables is computed again, by the check that follows it."""

import doctest
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engines import registry
from scoring import units
from scoring.combined import combined_ranking, teams
from scoring.divisions import next_divisions
from scoring.entries import AVERAGE, AVERAGE_MINUS, AVERAGE_PLUS, Entry, NoScore, Weighted
from scoring.formulas import formula
from scoring.imps import imps
from scoring.lines import Award, awards
from scoring.masterpoints import master_points
from scoring.methods import METHODS, method
from scoring.ranking import ranking
from scoring.ratings import ratings_after
from scoring.recaps import Recap, TravellerRow, travellers_of
from scoring.rounding import HALVES, decimals
from scoring.rulings import Penalty, with_carry_over, with_handicaps, with_penalties
from scoring.seasons import SeasonEvening, SeasonRules, season_ranking, standardised
from scoring.ties import TIE_BREAKS, tie_breaks
from scoring.totals import Sum, Total, total_of
from scoring.vps import victory_points

PAGE = (Path(__file__).parents[2] / "docs" / "scoring.md").read_text("utf-8")
RULINGS: dict[str, Entry] = {
    "average plus": AVERAGE_PLUS,
    "average": AVERAGE,
    "average minus": AVERAGE_MINUS,
    "not played": NoScore.NOT_PLAYED,
}
Table = dict[str, list[str]]


def number(cell: str) -> Fraction:
    return Fraction(cell.replace("−", "-").removesuffix(" %"))


def text(value: Any) -> str:
    """As the page writes numbers: two decimals at most, with a true minus."""
    written = decimals(Fraction(value))
    return (written.rstrip("0").rstrip(".") if "." in written else written).replace("-", "−")


def entry(cell: str) -> Entry:
    if cell in RULINGS:
        return RULINGS[cell]
    if " of " in cell:
        parts = [part.split(" % of ") for part in cell.split(", ")]
        return Weighted.percent({int(number(score)): int(percent) for percent, score in parts})
    return int(number(cell))


def awards_for(
    scores: list[str],
    name: str,
    *,
    plays: int | None = None,
    deals: Any = None,
    **options: Any,
) -> list[str]:
    results = awards([entry(score) for score in scores], method(name, **options), plays=plays, deals=deals)
    return ["–" if award is None else text(award.points) for award in results]


def points(cell: str) -> Total:
    return Total(Sum(number(cell), 0, 1))


def percent(cell: str) -> Total:
    return Total(Sum(number(cell), 100, 1))


def with_ruling(other_boards: str, ruling: str) -> str:
    """What one board of 100 counts after nine others of that percentage."""
    artificial = RULINGS[ruling]
    (award,) = awards([artificial], method("matchpoints"), plays=51)
    assert isinstance(award, Award)
    others = Total(Sum(9 * number(other_boards), 900, 9))
    return f"{text((others + total_of(award)).points - others.points)} %"


def after_penalty(contestant: str, points_won: str, out_of: str, penalty: str) -> Total:
    amount, unit = penalty.split(" ")
    totals = {contestant: Total(Sum(number(points_won), int(out_of), 10))}
    fine = Penalty(contestant, int(amount), unit)
    return with_penalties(totals, [fine], unit="matchpoints", top=int(out_of) // 10)[contestant]


def evening(page: Table) -> Recap[str]:
    columns = ("table", "round", "first seat", "score", "second seat", "its score")
    plays = [
        TravellerRow(int(number_), table, (one, other), (int(a), int(b)), int(number_))
        for table, number_, one, a, other, b in zip(*(page[name] for name in columns), strict=True)
    ]
    return Recap(travellers_of(plays, seats=2), sides=((1,), (2,)), comparison=method("matchpoints"))


def tables_and_checks() -> list[tuple[int, Table, str]]:
    """(line of the page, the table above it, the check)."""
    parts = []
    for check in re.finditer(r"<!-- checked\n(.*?)-->", PAGE, re.DOTALL):
        *_, last = re.finditer(r"(?:^\|.*\n)+", PAGE[: check.start()], re.MULTILINE)
        head, _, *body = [
            [cell.strip() for cell in line.strip().strip("|").split("|")] for line in last[0].splitlines()
        ]
        table = {name: [row[i] for row in body] for i, name in enumerate(head)}
        parts.append((PAGE[: check.start()].count("\n") + 1, table, check[1]))
    return parts


def test_every_table_of_the_page_is_what_the_library_computes() -> None:
    names: dict[str, Any] = {
        **{one.__name__: one for one in (
            number, text, decimals, entry, awards_for, points, percent, with_ruling, after_penalty, evening,
            imps, victory_points, formula,
            with_carry_over, with_handicaps, ranking, teams, combined_ranking, master_points, next_divisions,
            ratings_after, Penalty, Fraction, SeasonEvening, SeasonRules, season_ranking, standardised,
        )},
        "HALVES": HALVES,
        "UNITS": {game: shown_unit(game) for game in registry.games()},
    }  # fmt: skip
    runner = doctest.DocTestRunner(verbose=False)
    parser = doctest.DocTestParser()
    checks = tables_and_checks()
    assert len(checks) > 25
    for line, table, check in checks:
        names |= {"table": table, "rows": rows_of(table)}
        if "session" in names:
            names |= questions(names["session"])
        test = parser.get_doctest(check, names, f"docs/scoring.md:{line}", "docs/scoring.md", line)
        failures: list[str] = []
        runner.run(test, out=failures.append, clear_globs=False)
        assert not failures, "".join(failures)
        names |= test.globs


def shown_unit(game: str) -> str:
    return f"{float(units.unit(game)):g}"


def rows_of(table: Table) -> Any:
    return lambda *columns: [list(row) for row in zip(*(table[name] for name in columns), strict=True)]


def questions(session: Recap[str]) -> dict[str, Any]:
    """What the page asks about its evening."""

    def keys_of(name: str, players: list[str], penalties: Any = ()) -> list[Any]:
        ((_, tie_break),) = tie_breaks([name], session, penalties)
        found = tie_break(players)
        return [found[player] for player in players]

    def by_tie_break(name: str, players: list[str], penalties: Any = ()) -> list[str]:
        return [text(value) for value in keys_of(name, players, penalties)]

    def awards_of(player: str) -> str:
        return ", ".join(text(row.award.points) for row in session.scorecard(player) if row.award)

    return {"keys_of": keys_of, "by_tie_break": by_tie_break, "awards_of": awards_of}


@pytest.mark.parametrize("name", [*METHODS, *TIE_BREAKS])
def test_every_method_and_tie_break_has_its_part(name: str) -> None:
    (part,) = re.findall(rf"^#+ [^\n]+\n\n`{name}`\. .*?(?=^#+ )", PAGE, re.DOTALL | re.MULTILINE)
    assert "<!-- checked" in part


def test_every_table_has_its_check() -> None:
    tables = re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE)
    assert len(tables) == len(tables_and_checks()) + 1  # the scale and the units share one
