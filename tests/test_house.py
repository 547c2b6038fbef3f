"""What holds of the code as a whole."""

import re
from collections import defaultdict

from tests.running import ROOT


def test_two_classes_share_a_name_only_if_one_is_the_other() -> None:
    """The games are left out, where a class of the same name is the same thing of each game;
    and so are those that Django finds by their names."""
    homes = defaultdict(list)
    for package in ("scoring", "tournaments", "frontend"):
        for path in (ROOT / package).rglob("*.py"):
            for name in re.findall(r"^class (\w+)", path.read_text(), re.M):
                homes[name].append(path.relative_to(ROOT).as_posix())
    by_name = {"Command", "Migration"}
    assert {name: paths for name, paths in homes.items() if len(paths) > 1 and name not in by_name} == {}


def test_no_text_of_a_script_goes_over_several_lines() -> None:
    """Scripts are sent without indentation (`tournaments.compressing`): such a text would lose blanks."""
    scripts = [path for path in (ROOT / "frontend/static").rglob("*.js") if "vendor" not in path.parts]
    assert scripts
    for path in scripts:
        for line in path.read_text("utf-8").splitlines():
            assert line.count("`") % 2 == 0, (path, line)
            assert not line.endswith("\\"), (path, line)
