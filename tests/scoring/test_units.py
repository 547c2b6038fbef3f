"""The table of units: one for each game, and what its command measures."""

import json
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from engines import registry
from scoring import units
from scoring.errors import BadScoring
from scoring.units import SWING, lines, mean_square, measurement, unit


def test_every_game_has_a_unit() -> None:
    assert all(unit(game) > 0 for game in registry.games())


@pytest.mark.parametrize("game", ["comon", "hombre"])
def test_the_committed_table_is_what_the_command_measures(game: str) -> None:
    assert measurement(game) == unit(game)


def test_the_command_writes_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """`python -m scoring.units`, at a small size."""
    monkeypatch.setattr(units, "PATH", tmp_path / "units.json")
    monkeypatch.setattr(units, "measurement", partial(measurement, boards=2, tables=3))
    units.main()
    table = json.loads((tmp_path / "units.json").read_text())
    assert list(table) == list(registry.games())
    assert capsys.readouterr().out.splitlines() == [f"{game}: {value}" for game, value in table.items()]


def test_the_unit_makes_two_tables_swing_by_five_imps() -> None:
    swings: Counter[int] = Counter()
    for line in lines("mille", 30, 8):
        swings.update(abs(a - b) for a, b in combinations(line, 2))
    found = measurement("mille", boards=30, tables=8)
    nearest = abs(mean_square(swings, found) - SWING**2)
    assert all(
        nearest <= abs(mean_square(swings, found + Fraction(step, 10)) - SWING**2)
        for step in (-3, -2, -1, 1, 2, 3)
    )


def test_a_game_that_was_not_measured_is_refused() -> None:
    with pytest.raises(BadScoring, match="unit: has not been measured for bridge"):
        unit("bridge")
