"""What there is to know of the games, and what a result sheet would be worth. The database is not asked."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engines import describing, registry, sheets
from engines.contract import Fact, Game, Settings, setting_text, with_defaults
from engines.errors import BadField, BadRecord, BadSheet, NeedsDeal
from engines.phrases import Phrase

from .. import movements
from .errors import Invalid, Missing

FORMS_KEPT = 256
"""Forms that a process keeps, of some 40 kB each."""


@dataclass(frozen=True, slots=True)
class Known:
    """Something that changes with a release alone, and its digest."""

    content: Any
    digest: str


def known(content: Any) -> Known:
    return Known(content, sha256(json.dumps(content, sort_keys=True).encode()).hexdigest())


def with_id(game: str) -> Game[Any]:
    """Missing: there is none of that id."""
    try:
        return registry.game(game)
    except BadRecord as error:
        raise Missing("not-found", error.phrase().to(language())) from None


@cache
def all_games() -> Known:
    """Every game in short, by its id."""
    games = registry.games().values()
    return known([describing.identity(game, describing.in_all_languages) for game in games])


def description(game: Game[Any], options: Settings, conditions: Settings) -> Known:
    """All of a game, with its form under these options and conditions. Invalid names one that is wrong."""
    checked = [_checked(game, options, "options"), _checked(game, conditions, "conditions")]
    return _description(game.id, json.dumps(checked, sort_keys=True))


@lru_cache(FORMS_KEPT)
def _description(game: str, settings: str) -> Known:
    options, conditions = json.loads(settings)
    return known(describing.whole(registry.game(game), options, conditions))


def _checked(game: Game[Any], given: Settings, of: str) -> dict[str, Any]:
    try:
        return registry.valid_settings(game.options if of == "options" else game.conditions, given, of=of)
    except BadRecord as error:
        name, reason = error.key.partition(".")[2], error.reason.to(language())
        raise _wrong(of, {name: [reason]} if name else [reason]) from None


def _wrong(name: str, what: Any) -> Invalid:
    return Invalid("invalid", _("Some fields are wrong."), {name: what})


@dataclass(frozen=True, slots=True)
class SeatMarks:
    """What a sheet is worth to one seat: in the smallest unit, and why."""

    seat: int
    score: int
    averaged: bool
    facts: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class SheetPreview:
    """What a sheet says and is worth. `marks`: None where they need the deal."""

    unit: Mapping[str, Any]
    sentence: str | None
    marks: Sequence[SeatMarks] | None
    facts: Sequence[Mapping[str, Any]]


def preview(
    game: Game[Any], *, sheet: Any, options: Settings, conditions: Settings, names: Sequence[str]
) -> SheetPreview:
    """What a sheet would be worth by the rules alone: no deal is asked. Invalid names the field that is
    wrong; `names`: who sits where, in the sentence."""
    settings = with_defaults(game.options, _checked(game, options, "options"))
    around = _checked(game, conditions, "conditions")
    seats = game.seat_count(around)
    if names and len(names) != seats:
        raise _wrong("names", [_("There are %(count)d seats: give as many names.") % {"count": seats}])
    seated = names or [_("Seat %(number)d") % {"number": seat} for seat in range(1, seats + 1)]
    unit = game.unit_of(settings).to_json()
    try:
        outcome = game.score(sheet, options=settings, conditions=around)
    except NeedsDeal:
        outcome = None
    except BadSheet as error:
        raise _wrong("sheet", _reason(error)) from None
    sentence = sheets.sentence(game, sheet, language(), seated, settings, around)
    if outcome is None:
        return SheetPreview(unit, sentence, None, [])
    facts = [(fact.seat, _shown(fact, game)) for fact in outcome.facts]
    marks = [
        SeatMarks(seat, score, seat in outcome.averaged, [fact for whose, fact in facts if whose == seat])
        for seat, score in enumerate(outcome.scores, 1)
    ]
    return SheetPreview(unit, sentence, marks, [fact for whose, fact in facts if whose is None])


def _reason(error: BadField) -> Any:
    reason = [error.constraint.to(language())]
    return reason if error.field == "sheet" else {error.field: reason}


def _shown(fact: Fact, game: Game[Any]) -> dict[str, Any]:
    label = game.names.get(fact.name)
    return {
        "fact": fact.name,
        "words": fact.name if label is None else label.to(language()),
        "points": fact.points,
        "value": None if fact.value is None else setting_text(value_in_words(game, fact.value, language())),
    }


def conditions_in_words(game: Game[Any], around: Settings, language: str) -> list[str]:
    """What is preset of a board beside who deals, in words: "mène 1", as the form of the game calls it."""
    called = {one.name: one.label for one in game.form.fields}
    words = []
    for one in game.conditions:
        if one.name in around and one.name not in ("seats", "dealer"):
            value = around[one.name]
            value = ", ".join(map(str, value)) if isinstance(value, list | tuple) else setting_text(value)
            if one.name in called:
                words.append(f"{called[one.name].to(language)} {value}")
            else:
                about = {"column": one.meaning.to(language), "reason": value}
                words.append(_("%(column)s: %(reason)s") % about)
    return words


def value_in_words(game: Game[Any], value: Any, language: str) -> Any:
    """The value of a fact as people read it: a word of the game in theirs, a number as itself, whatever word
    of the game is called so."""
    return game.names[value].to(language) if isinstance(value, str) and value in game.names else value


def language() -> str:
    return (get_language() or "en")[:2]


def conditions_of(game: Game[Any], seats: int | None) -> dict[str, Any]:
    """The conditions of a session with so many seats at a table: empty where the game leaves no choice."""
    if len(game.seats) == 1 and seats in {None, game.seats[0]}:
        return {}
    count = game.seats[0] if seats is None else seats
    if count not in game.seats:
        known = ", ".join(map(str, game.seats))
        raise movements.BadMovement(
            Phrase(
                "{game} is played at tables of {known}, not of {seats}",
                game=game.name,
                known=known,
                seats=count,
            )
        )
    return {"seats": count}
