"""The documentation as a site: every page has its place in the menu.

Whether its links lead somewhere is asked by `make site`.
"""

import re

from tests.running import ROOT

MENU = re.findall(r"^ +- (?:.*: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)


def test_every_page_of_the_documentation_stands_in_the_menu_once() -> None:
    pages = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
    assert sorted(page for page in MENU if page.startswith("docs/")) == pages


def test_every_entry_of_the_menu_is_a_page_once() -> None:
    assert len(MENU) == len(set(MENU))
    assert [page for page in MENU if not (ROOT / page).is_file()] == []


def test_what_leads_nowhere_stops_the_making_of_the_site() -> None:
    """Told to be quiet, mkdocs counts no warnings, and calls every site right."""
    made = re.search(r"mkdocs build .*", (ROOT / "Makefile").read_text("utf-8"))
    assert made
    assert "--strict" in made[0]
    assert not re.search(r" (-q|--quiet)\b", made[0])
