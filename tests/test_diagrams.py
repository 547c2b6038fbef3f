"""The pictures of the architecture show what their texts say, and packages that there are."""

import re
from html import unescape
from pathlib import Path

import pytest

from tests.running import ROOT

TEXTS = sorted((ROOT / "docs" / "diagrams").glob("*.dot"))


def lines_of(text: Path) -> list[str]:
    """What stands in the boxes and beside the arrows, and over groups of boxes."""
    labels = re.findall(r'label="([^"]+)"', text.read_text("utf-8"))
    return sorted(line for label in labels for line in label.split("\\n"))


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_a_picture_is_drawn_from_its_text(text: Path) -> None:
    drawn = re.findall(r"<text [^>]*>([^<]+)</text>", text.with_suffix(".svg").read_text("utf-8"))
    assert sorted(unescape(line) for line in drawn) == lines_of(text), "`make diagrams` draws it again"


def test_the_packages_in_the_picture_are_there() -> None:
    packages = [line for line in lines_of(ROOT / "docs" / "diagrams" / "inside.dot") if "/" in line]
    assert len(packages) > 10
    assert [one for one in packages if not (ROOT / one).exists()] == []
