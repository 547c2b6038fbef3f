"""The words about a scorer’s quick line: what is wrong in it, what comes next, what a game asks in which
order, and examples of the evening that is typed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, When
from django.utils.translation import gettext

from engines import quick_lines, registry
from engines.contract import Game, with_defaults
from engines.errors import BadSheet
from engines.forms import JSON_KINDS, Field
from tournaments.models import Play, Session

from .. import sheet_words
from .wizard import language

Names = Mapping[int, str]
"""Who sits where."""


def wrong(game: Game[Any], error: BadSheet, names: Names) -> str:
    words = error.constraint.to(language())
    if isinstance(error, quick_lines.Unfinished) and error.asked.doors:  # a word that belongs to no field
        return words
    if isinstance(error, quick_lines.Misread):
        what = value_called(game, error.part, error.place, names)
        return gettext("%(field)s: %(why)s") % {"field": what, "why": words}
    name = re.split(r"[\d.\[]", error.field)[0]
    field = next((one for one in game.fields if one.name == name), None)
    if field is None:
        return words[:1].upper() + words[1:]
    return gettext("%(field)s: %(why)s") % {"field": label_of(field), "why": words}


def value_called(game: Game[Any], field: Field, place: quick_lines.Place, names: Names) -> str:
    """A value of a field, by its block, and by whose it is."""
    called = label_of(field)
    if place.block and field.per_side:
        called = gettext("%(field)s %(number)d") % {"field": called, "number": place.block}
    elif place.block:
        called = f"{called}, {game.form.block(place.block).to(language())}"
    if not place.whose:
        return called
    whose = [gettext("NS"), gettext("EW")][place.whose - 1] if field.per_side else names.get(place.whose, "")
    return f"{called}, {whose or place.whose}"


def next_of(game: Game[Any], asked: quick_lines.Asked, names: Names, text: str = "") -> tuple[str, list[str]]:
    """What stands next after this text, of whom, and the words or numbers that may stand there."""
    field, place = asked.field, asked.place
    if asked.doors:
        return gettext("Next:"), [one.to(language()) for one in asked.doors]
    called = value_called(game, field, place, names)
    if field.per_seat and place.whose == 1 and field.kind not in JSON_KINDS:
        called = value_called(game, field, quick_lines.Place(place.block), names)
        if names:
            called = gettext("%(field)s, in the order %(names)s") % {
                "field": called,
                "names": ", ".join(names.values()),
            }
    says = gettext("Next: %(field)s") % {"field": called}
    if place.block > 1 and _begins_block(game, field) and not text.rstrip().endswith(quick_lines.BLOCK):
        says = gettext("Next: a stroke /, then %(field)s") % {"field": called}
    if asked.choices:
        words = game.names if field.kind == "choice" else {}  # a seat is its number
        choices = [words[one].to(language()) if one in words else one for one in asked.choices]
        return says, [gettext("- for nobody") if one == "-" else one for one in choices]
    return says, sheet_words.values(game, field, language(), seats=len(names))


def _begins_block(game: Game[Any], part: Field) -> bool:
    """Whether a part is the first of blocks that a stroke has to part: of others than bare numbers."""
    return any(one.of[0] is part and not one.is_bare for one in game.fields if one.of)


def order_after(game: Game[Any], text: str, how: Mapping[str, Any], *, whole: bool = False) -> str:
    """What stands in a line that begins so, as the game asks it: what depends on the rest says so. `whole`:
    with what stands only in lines that begin otherwise."""
    asks = {name: step.ask for step in game.form.steps if step.ask for name in step.fields}
    after = {field.name: is_asked for field, is_asked in quick_lines.order_after(game, text, **how)}
    words = []
    for field in quick_lines.order_of(game):
        if after.get(field.name):
            words.append(label_of(field))
        elif field.name in after:
            asked = capital(asks[field.name].to(language())) if field.name in asks else label_of(field)
            words.append(gettext("%(field)s (if there are any)") % {"field": asked})
        elif whole and not field.implied.startswith("known."):  # the board tells that
            words.append(gettext("%(field)s (after some words)") % {"field": label_of(field)})
    return " · ".join(words)


def label_of(field: Field) -> str:
    return capital(field.label.to(language()))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def who(game: Game[Any], seats: Mapping[int, int], named: Mapping[int, str]) -> str:
    """Who sits where: “1 Ana, 2 Bob”; partners together, as the slip calls their side where it does."""
    own: dict[int, list[str]] = {}
    for seat, contestant in seats.items():
        own.setdefault(contestant, []).append(str(seat))
    is_by_side = any(one.per_side for field in game.fields for one in (field, *field.of))
    calls = [gettext("NS"), gettext("EW")] if is_by_side and len(own) == 2 else [""] * len(own)
    return ", ".join(
        f"{side} {'+'.join(some)} {named[contestant]}".strip()
        for side, (contestant, some) in zip(calls, own.items(), strict=True)
    )


# ── Examples ──────────────────────────────────────────────────────────────────────────────────────


def first_place(session: Session, section: str = "", table: int = 0) -> str:
    """A board that is played, of this table where one is named, as a line about it begins: the first of which
    no result is there, if there is one; "" of a table that there is not."""
    plays = Play.objects.filter(table__section__session=session).select_related("table__section", "board")
    if table:
        plays = plays.filter(table__section__name__iexact=section, table__number=table)
    is_there = Case(When(result=None, then=0), default=1)
    play = plays.order_by(is_there, "round", "table__section__name", "table__number", "board__number").first()
    if play is None:
        return ""
    several = session.sections.count() > 1
    return f"{play.table.section.name if several else ''}{play.table.number} {play.board.number}"


def around_first(session: Session) -> dict[str, Any]:
    """As `around` a board, for a line that is an example."""
    game = registry.game(session.game)
    return {
        "seats": game.seat_count(session.conditions),
        "options": with_defaults(game.options, session.options),
        "known": game.conditions_of(1, session.conditions),
    }


def order_of_example(session: Session) -> str:
    """What stands in the example, in order, with what other words bring in."""
    how, text = around_first(session), example(session, "")
    return order_after(registry.game(session.game), text, how, whole=True)


def example(session: Session, place: str) -> str:
    """A line about this table and board, for as many as play at a table."""
    game, how = registry.game(session.game), around_first(session)
    sheet = dict(game.form.example)
    for field in game.fields:
        values = sheet.get(field.name)
        if field.per_seat and isinstance(values, list) and 1 < len(values) < how["seats"]:
            sheet[field.name] = [*values, *values[1:] * how["seats"]][: how["seats"]]
    try:
        written = quick_lines.write(game, sheet, language=language(), **how)
    except (KeyError, TypeError, ValueError):  # an example of other seats than these
        written = ""
    return f"{place} {written}".strip()


@dataclass(frozen=True, slots=True)
class Rare:
    """What is named in a line: how it is typed, what it is called, and what may stand there."""

    typed: str
    label: str
    values: Sequence[str] = ()


def rare(session: Session) -> list[Rare]:
    """Rare ends by their words, with what they ask; rare fields by their names."""
    game, of = registry.game(session.game), language()
    seats = game.seat_count(session.conditions)
    by_name = {field.name: field for field in game.fields}
    found = []
    for door in game.form.other:
        word, asked = door.label.to(of), [by_name[name] for name in door.fields]
        typed = " ".join([word, *(sheet_words.example(game, one, of, seats=seats) for one in asked)])
        values = [", ".join(sheet_words.values(game, one, of, seats=seats)) for one in asked]
        label = ", ".join(label_of(one) for one in asked) or capital(word)
        found.append(Rare(typed, label, values))
    for field in quick_lines.named(game):
        name, each = quick_lines.name_of(game, field, of), field.is_listed and field.kind in JSON_KINDS
        typed = f"{name}{2 if each else ''}={sheet_words.example(game, field, of, seats=seats)}"
        may_stand = ", ".join(sheet_words.values(game, field, of, seats=seats))
        found.append(Rare(typed, label_of(field), [may_stand] if may_stand else []))
    return found
