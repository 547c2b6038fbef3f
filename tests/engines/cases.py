"""What the suites of all games must know of one game. The suites name none: a game that is special in some
way says so at the end of its own test file, `CASES = {"<id>": Case(…)}`; one without a case is as usual.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from engines import registry

Recipe = Mapping[str, Any]
"""A golden record to be: file name, what it shows, options, and either a board and a robot or a deal and its
actions."""

SENSIBLE: Recipe = {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"}
RANDOM: Recipe = {
    "name": "random",
    "about": "Board 2, robots that say and play anything.",
    "number": 2,
    "bot": "random",
}

Places = dict[str, list[str]]
"""The cards of each place of a deal, by its name."""


def as_written(_state: Any, token: str) -> Any:
    return token


def as_dealt(places: Places) -> Places:
    return places


@dataclass(frozen=True, kw_only=True)
class Case:
    """How the suites of all games treat one game."""

    recipes: tuple[Recipe, ...] = (SENSIBLE, RANDOM)
    """Its golden records."""

    same_words: frozenset[str] = frozenset()
    """Texts that are the same in French and English, besides the game's name."""

    announced: tuple[str, ...] = ()
    """What the rules announce to all without an action, as fields of a spectator's view: hands that would
    announce something else differ openly."""

    opens: tuple[str, ...] = ()
    """The piles, by their names, in which cards of hands are shown without an action that names them."""

    meaning: Callable[[Any, str], Any] = as_written
    """(state, token): equal for two spellings of one action, of which only one is listed as legal."""

    is_secretive: bool = False
    """It has secret roles, or exchanges face down: its views are compared on more boards."""

    explains_more: bool = False
    """Its records explain points that its sheets only sum up."""

    pack_options: tuple[str, ...] = ()
    """The options that change its pack."""

    places: Callable[[Places], Places] = as_dealt
    """The places, by seat or part ("1", "2"…), that every card must reach equally often."""


@cache
def case_of(game_id: str) -> Case:
    """The case of a game, from the test file that bears the name of its module."""
    module = type(registry.game(game_id)).__module__.removeprefix("engines.games.").partition(".")[0]
    name = f"tests.engines.test_{module}"
    cases = getattr(import_module(name), "CASES", {}) if find_spec(name) else {}
    return cases.get(game_id, Case())
