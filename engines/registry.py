"""All games by their ids. A module in `games` is found automatically if it lists its games in `GAMES`."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from .contract import Game, Option, Setting, Settings, with_defaults
from .dealing import Stream
from .errors import BadRecord
from .phrases import Phrase, brief

PACKAGE = "engines.games"
_by_id: dict[str, Game[Any]] = {}  # those that somebody has asked for


@cache
def modules() -> tuple[str, ...]:
    """The names of all modules of games, none of which this loads."""
    return tuple(module.name for module in iter_modules(import_module(PACKAGE).__path__))


def games_in(module: str) -> tuple[Game[Any], ...]:
    return tuple(import_module(f"{PACKAGE}.{module}").GAMES)


@cache
def games() -> dict[str, Game[Any]]:
    """Every game, by id, in alphabetical order."""
    by_id = {game.id: game for module in modules() for game in games_in(module)}
    return dict(sorted(by_id.items()))


def game(name: object) -> Game[Any]:
    """The game of that id; BadRecord lists the games there are. Modules whose name is made of words of the
    id are looked into first, the longest name before others: whoever needs one game loads no other."""
    if not isinstance(name, str):
        raise unknown(name)
    if name not in _by_id:
        words = set(name.split("-"))
        alike = [module for module in modules() if set(module.split("_")) <= words]
        nearest_first = sorted(alike, key=len, reverse=True)
        own = (game for module in nearest_first for game in games_in(module) if game.id == name)
        found = next(own, None) or games().get(name)
        if found is None:
            raise unknown(name)
        _by_id[name] = found
    return _by_id[name]


def unknown(name: object) -> BadRecord:
    known = ", ".join(games())
    return BadRecord(
        "game",
        Phrase(
            "“{name}” is not a game of this library; its games are: {known}",
            name=brief(str(name)),
            known=known,
        ),
    )


def options_of(game: Game[Any], given: object) -> dict[str, Setting]:
    """All options of a game with their values, after the given ones are checked. BadRecord names what is
    unknown."""
    return with_defaults(game.options, valid_settings(game.options, given, of="options"))


def valid_settings(
    known: tuple[Option, ...], given: object, *, of: str, reader: str | None = None
) -> dict[str, Setting]:
    """The given options or conditions, if each is known, has one of its values, and is read by
    `reader` where one is named. `of`: the key that errors name."""
    if not isinstance(given, dict):
        raise BadRecord(of, Phrase("must be an object of names and values"))
    by_name = {option.name: option for option in known if reader is None or reader in option.reads}
    for name, value in given.items():
        option = by_name.get(name)
        if option is None:
            names = ", ".join(by_name) or "–"
            raise BadRecord(f"{of}.{name}", Phrase("unknown here; there are: {names}", names=names))
        if not option.accepts(value):
            raise BadRecord(f"{of}.{name}", option.requirement())
    return dict(given)


def deal_board(game: Game[Any], seed: bytes, number: int, options: Settings, conditions: Settings) -> Any:
    """Board `number` of a seed. The options and conditions that the generator reads are bound into
    the stream, so that boards of different variants tell nothing about each other."""
    binding = {
        option.name: given.get(option.name, option.default)
        for known, given in ((game.options, options), (game.conditions, conditions))
        for option in known
        if "generator" in option.reads
    }
    stream = Stream(seed, {"game": game.id, "board": number, "options": binding})
    dealer = game.dealer_of(number, conditions)
    return game.deal(stream, number=number, dealer=dealer, options=options, conditions=conditions)
