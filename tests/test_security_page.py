"""docs/security.md: each line of its tables names tests, and code, that are there."""

import ast
import re
from functools import cache

import pytest

from tests.running import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
THREATS = [
    [cell.strip() for cell in re.split(r" \| ", line.strip("| "))]
    for line in PAGE.splitlines()
    if line.startswith("| ") and "::" in line
]


@cache
def names_in(path: str) -> set[str]:
    """The names of the tests of a file."""
    body = ast.parse((ROOT / path).read_text("utf-8")).body
    return {one.name for one in body if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")}


def test_every_threat_has_its_answer_and_its_test() -> None:
    heads = {"how they would try", "what", "---"}
    rows = [line for line in PAGE.splitlines() if line.startswith("|")]
    others = [row for row in rows if "::" not in row and row.strip("| ").split(" |")[0] not in heads]
    what_is_worth = PAGE[PAGE.index("## What is worth") : PAGE.index("## A player who")]
    assert [row for row in others if not row.startswith("|---") and row not in what_is_worth] == []
    assert len(THREATS) > 30
    assert all(len(cells) == 3 and all(cells) for cells in THREATS)


@pytest.mark.parametrize("cells", THREATS, ids=lambda cells: cells[0][:50])
def test_what_a_threat_names_is_there(cells: list[str]) -> None:
    _threat, answer, tests = cells
    for path in re.findall(r"`(\w+/[\w/.]+)`", answer):
        assert (ROOT / path).exists(), path
    names = re.findall(r"`([^`]+)`", tests)
    assert names
    for name in names:
        path, _colons, function = name.partition("::")
        assert function in names_in(path), name
