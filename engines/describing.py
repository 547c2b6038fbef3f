"""What there is to know of a game before anybody plays it: plain data for the command line and the API."""

from collections.abc import Callable, Mapping
from typing import Any

from .contract import Game, Option, Settings, with_defaults
from .layouts import layouts
from .phrases import LANGUAGES, Phrase
from .sheets import columns

Say = Callable[[Phrase], Any]
"""How a sentence is given: in one language, or in all."""


def in_all_languages(phrase: Phrase) -> dict[str, str]:
    return {language: phrase.to(language) for language in LANGUAGES}


def identity(game: Game[Any], say: Say) -> dict[str, Any]:
    """Which game it is, how many play it, and what its scores count."""
    return {
        "id": game.id,
        "name": say(game.name),
        "seats": list(game.seats),
        "sides": [list(side) for side in game.sides],
        "pack": say(game.pack),
        "board": say(game.board),
        "line_score": say(game.line_score),
        "unit": game.unit.to_json(),
    }


def settings(game: Game[Any], say: Say) -> dict[str, Any]:
    """Its variants, and what an organiser may preset."""
    return {
        "options": [setting(option, say) for option in game.options],
        "conditions": [setting(condition, say) for condition in game.conditions],
    }


def setting(option: Option, say: Say) -> dict[str, Any]:
    """An option: its values, the default first; `which` says what else it may be, where they are not all."""
    shown = {
        "name": option.name,
        "values": list(option.values),
        "reads": list(option.reads),
        "meaning": say(option.meaning),
    }
    return shown if option.which is None else shown | {"which": say(option.which)}


def sheet(
    game: Game[Any], languages: tuple[str, ...], options: Settings, conditions: Settings
) -> dict[str, Any]:
    """Its result sheet under these options and conditions, by language: the schema, and the form; the columns
    that it has in a club's file; and the sheet of a usual result."""
    return {
        "schema": {language: game.sheet_schema(language, conditions) for language in languages},
        "form": {language: game.show_form(language, options, conditions) for language in languages},
        "columns": columns(game.fields, seats=game.seat_count(conditions)),
        "example": dict(game.form.example),
    }


def whole(game: Game[Any], options: Settings, conditions: Settings) -> dict[str, Any]:
    """All of it, in all languages."""
    return {
        **identity(game, in_all_languages),
        **settings(game, in_all_languages),
        "chosen": {"options": with_defaults(game.options, options), "conditions": dict(conditions)},
        "names": names(game.names),
        "sheet": sheet(game, LANGUAGES, options, conditions),
        "deal": layouts().get(game.id),
    }


def names(of_game: Mapping[str, Phrase]) -> dict[str, dict[str, str]]:
    """What its phases, actions and facts are called."""
    return {name: in_all_languages(phrase) for name, phrase in of_game.items()}
