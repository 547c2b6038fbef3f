"""Result sheets in words: what their fields are called, what may stand there, and what stands there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

from engines import quick_lines
from engines.contract import Game
from engines.forms import JSON_KINDS, Field
from engines.quick_values import ITEMS


@dataclass(frozen=True, slots=True)
class SheetWords:
    """The words of a game's sheets in a language. `names`: who sits where, if the words may say it."""

    game: Game[Any]
    language: str
    names: Mapping[int, str] = field(default_factory=dict)

    def in_order(self, names: Sequence[str]) -> list[str]:
        """As the game has them: a database keeps no order of its own."""
        order = [one.name for one in self.game.fields]
        return sorted(names, key=lambda name: ([*order, name].index(name), name))

    def label(self, name: str) -> str:
        found = self._field(name)
        return name if found is None else found.label.to(self.language)

    def told(self, sheet: Mapping[str, Any], *, usual: bool = False) -> list[tuple[str, str]]:
        """The fields of a sheet with their values. What is as usual goes without saying, unless `usual`, or
        nothing else is there."""
        names = self.in_order(list(sheet))
        unusual = [name for name in names if not self._goes_without(name, sheet[name])]
        shown = names if usual or not unusual else unusual
        return [(self.label(name), self.cell(name, sheet[name])) for name in shown]

    def in_short(self, sheet: Mapping[str, Any]) -> str:
        """What was played, in a line: what was chosen, by its word, whose it was, and the numbers of all
        seats."""
        parts = []
        for name in self.in_order(list(sheet)):
            of, value = self._field(name), sheet[name]
            if of is None or of.kind in JSON_KINDS or self._goes_without(name, value):
                continue
            if of.kind == "choice" and not of.is_listed:
                parts.append(self._one(of, value))
            elif of.kind == "seat" and isinstance(value, int):
                parts.append(gettext("seat %(seat)d") % {"seat": value})
            elif of.kind in ("whole", "seat") and of.is_listed:
                parts.append(f"{self.label(name)} {self._value(of, value)}")
        return ", ".join(parts)

    def cell(self, name: str, value: Any) -> str:
        found = self._field(name)
        if value is None or found is None or value == []:
            return "–" if value is None or value == [] else str(value)
        if found.kind in JSON_KINDS and found.name in self._of_blocks() and found.of and found.is_bare:
            seats = self.game.seat_count({})
            return quick_lines.write_value(self.game, found, value, seats=seats, language=self.language)
        return self._value(found, value)

    def _value(self, of: Field, value: Any) -> str:
        if not of.is_listed:
            return self._one(of, value)
        each = [self._one(of, one) for one in value]
        if of.per_seat and self.names:
            return ", ".join(f"{self.names.get(seat, seat)} {one}" for seat, one in enumerate(each, 1))
        return ("-" if all(one.isdigit() for one in each) else " · ").join(each)

    def _one(self, of: Field, value: Any) -> str:
        if value is None or value == []:
            return "–"
        match of.kind:
            case "flag":
                return gettext("yes") if value else gettext("no")
            case "choice":
                return self.game.names[value].to(self.language) if value in self.game.names else str(value)
            case "seat":
                return self._seat(value)
            case "seats":
                return ", ".join(map(self._seat, value))
            case "list" if of.is_bare:
                return " ".join(self._value(of.of[0], one) for one in value)
            case "list":
                return gettext("; ").join(self._object(of, one) for one in value)
            case "object":
                return self._object(of, value)
        return str(value)

    def _object(self, of: Field, value: Mapping[str, Any]) -> str:
        there = [part for part in of.of if part.name in value and value[part.name] is not None]
        return ", ".join(
            f"{part.label.to(self.language)} {self._value(part, value[part.name])}" for part in there
        )

    def _seat(self, seat: Any) -> str:
        return self.names.get(seat, str(seat)) if isinstance(seat, int) else str(seat)

    def _field(self, name: str) -> Field | None:
        return next((one for one in self.game.fields if one.name == name), None)

    def _of_blocks(self) -> set[str]:
        return {name for step in self.game.form.steps if step.widget == "blocks" for name in step.fields}

    def _goes_without(self, name: str, value: Any) -> bool:
        found = self._field(name)
        return value is None or value == [] or (found is not None and value == found.usual)


def values(game: Game[Any], of: Field, language: str, *, seats: int) -> list[str]:
    """What may stand for a field in a line: its words, its numbers, or how its parts are put together."""
    match of.kind:
        case "choice":
            return [game.names[one].to(language) if one in game.names else one for one in of.choices]
        case "seat":
            return [*map(str, range(1, seats + 1)), *(gettext("- for nobody") for _ in range(of.nobody))]
        case "seats":
            return [gettext("seats, such as 1,3")]
        case "flag":
            return [gettext("yes"), gettext("no")]
        case "list" | "object" if of.of:
            return [_put_together(game, of, language, seats=seats)]
    if of.among:
        return list(map(str, of.among))
    return [] if of.most is None else [f"{of.least}–{of.most}"]


def example(game: Game[Any], of: Field, language: str, *, seats: int) -> str:
    """A value of a field as a line has it."""
    one = _example(game, of, language, seats=seats)
    return "-".join([one] * seats) if of.per_seat and of.kind in ("whole", "flag") else one


def _example(game: Game[Any], of: Field, language: str, *, seats: int) -> str:
    match of.kind:
        case "choice":
            return quick_lines.word_of(game, of, of.choices[-1], language)
        case "flag":
            return gettext("yes")
        case "seats":
            return "1,3" if seats > 2 else "1"
        case "seat":
            return "2"
        case "card":
            return "AS"
        case "list" if of.is_bare and of.of[0].kind == "card":
            return f"AS{ITEMS}4C"
        case "list" | "object" if of.of:
            parts = [_example(game, part, language, seats=seats) for part in of.of]
            return ",".join(
                one for part, text in zip(of.of, parts, strict=True) for one in [text] * _count(part, seats)
            )
        case "text":
            return "…"
    return str(of.among[-1] if of.among else max(of.least, of.step))


def _count(of: Field, seats: int) -> int:
    return seats if of.per_seat else 2 if of.per_side else 1


def _put_together(game: Game[Any], of: Field, language: str, *, seats: int) -> str:
    """The parts of a thing, with commas between, each with what may stand there where it is a word."""
    parts = []
    for part in of.of:
        called = part.label.to(language)
        if part.kind == "choice":
            words = [quick_lines.word_of(game, part, one, language) for one in part.choices]
            called = f"{called} ({', '.join(words)})"
        parts.append(gettext("%(part)s of each seat") % {"part": called} if part.per_seat else called)
    text = ", ".join(parts)
    return gettext("%(parts)s; several apart by “;”") % {"parts": text} if of.kind == "list" else text
