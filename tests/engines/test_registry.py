"""The registry: games by their ids, each loaded when somebody asks for it."""

import subprocess
import sys

import pytest

from engines import registry
from engines.errors import BadRecord

LOADED = """
import sys
from engines import registry
print(registry.game(sys.argv[1]).id)
print(*(name for name in registry.modules() if f"{registry.PACKAGE}.{name}" in sys.modules))
"""


def loaded_for(game: str) -> list[str]:
    """The id of the game that is found, and the modules of games that this loads."""
    run = subprocess.run([sys.executable, "-c", LOADED, game], capture_output=True, text=True, check=True)
    return run.stdout.split()


def test_whoever_needs_one_game_loads_no_other() -> None:
    assert loaded_for("mille") == ["mille", "mille"]
    assert loaded_for("besigue-chinois") == ["besigue-chinois", "besigue"]
    assert loaded_for("demons-punisseurs") == ["demons-punisseurs", "demons_punisseurs"]


def test_a_game_is_found_also_in_a_module_of_another_name() -> None:
    game, *modules = loaded_for("heritiers")
    assert game == "heritiers"
    assert "demons" in modules


@pytest.mark.parametrize("name", ["", "mille-", "mille-and-more", "demons_punisseurs", None, 7, ["mille"]])
def test_an_unknown_game_is_refused_with_the_known_ones(name: object) -> None:
    with pytest.raises(BadRecord, match="belote-noisette"):
        registry.game(name)
