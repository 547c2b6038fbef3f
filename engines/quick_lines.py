"""A result sheet in one line, as a scorer types a paper slip: `prendre 1 5-2-2 1`.

The values of the fields that the form asks for stand in the order in which the game declares them, one for
each seat where there are several; what is rare is named: `belote=2`. A rare end is called by its word, with
what it asks for: `fault 2`. Blocks of the same questions stand between strokes: `41 30 / 45 33`. What a sum
or a rule gives may be left out at the end. Words may stand as they are shown: `sans prendre`. `read` and
`write` undo each other, for every game.
"""

import json
import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from .contract import Game, Settings
from .errors import BadSheet
from .expressions import expression
from .forms import JSON_KINDS, NO_VALUE, Door, Field, Step
from .phrases import Phrase, brief, enumeration
from .quick_values import (
    NOBODY,
    PARTS,
    TOGETHER,
    UNWRITTEN,
    Asked,
    Misread,
    Place,
    Unfinished,
    Values,
    begins,
    both,
    doubtful,
    folded,
    inner,
    meant,
    needs,
    stand_together,
    tells,
    word_of,
)
from .sheets import whole

__all__ = [
    "BLOCK",
    "NOBODY",
    "Asked",
    "Misread",
    "Place",
    "Unfinished",
    "asked_next",
    "cells_of_seats",
    "in_json",
    "name_of",
    "named",
    "order_after",
    "order_of",
    "read",
    "read_value",
    "word_of",
    "write",
    "write_of_seat",
    "write_value",
]

BLOCK: Final = "/"
NAMED: Final = re.compile(r"([^\W\d][\w-]*?)(\d?)=(.*)")
ARTICLE: Final = re.compile(r"^(?:l[ea] |les |l’|the |an? )", re.IGNORECASE)


def read(
    game: Game[Any], text: str, *, seats: int, options: Settings, known: Settings, language: str = ""
) -> dict[str, Any]:
    """The sheet that a line means, with what is usual, as far as the line goes. BadSheet names the field, or
    "line" where a word is none of any; whether the sheet is complete, and keeps the rules, `sheets.check`
    says. `language`: of whoever types; one letter is enough where no word of another choice begins so."""
    return _Line(game, seats, options, known, language).sheet(text.split())


def asked_next(
    game: Game[Any], text: str, *, seats: int, options: Settings, known: Settings, language: str = ""
) -> Asked | None:
    """What a line that is being typed asks for next; None once it is complete, or where it is wrong."""
    line = _Line(game, seats, options, known, language)
    try:
        line.sheet(text.split())
    except Unfinished as error:
        return error.asked
    except BadSheet:
        return None
    return line.asked


def order_of(game: Game[Any]) -> tuple[Field, ...]:
    """The fields that stand in a line without their names, in order."""
    return tuple(one for one in game.fields if one.name in _plain(game))


def order_after(
    game: Game[Any], text: str, *, seats: int, options: Settings, known: Settings, language: str = ""
) -> tuple[tuple[Field, bool], ...]:
    """The fields that stand in the line that begins so, in order, each with whether it is asked for in any
    case: whether it is may depend on what nobody has typed yet. Empty where the line is wrong."""
    try:
        given = _Line(game, seats, options, known, language).sheet(text.split())
    except BadSheet:
        return ()
    return _Line(game, seats, options, known).order(given)


def write(
    game: Game[Any],
    sheet: Mapping[str, Any],
    *,
    seats: int,
    options: Settings,
    known: Settings,
    language: str = "",
) -> str:
    """The line that means a sheet: `read` gives it back. In the words of a language, if one is given."""
    return _Line(game, seats, options, known, language).text_of(sheet)


def read_value(game: Game[Any], field: Field, text: str, *, seats: int) -> Any:
    """The value of a field that holds several things, as a line has it: rounds as 41 30 / 45 33, seats as
    1,3, things of parts as 2,signal;3,signal."""
    line = _Line(game, seats, {}, {})
    if line.blocks is not None and field.name in line.blocks.fields:
        return line.values_of_blocks(field, text.split())
    if field.is_listed:
        return line.listed(field, deque(text.split()))
    return line.value(field, "".join(text.split()) if field.kind == "seats" else text)


def in_json(
    game: Game[Any],
    cells: Mapping[str, str],
    *,
    seats: int,
    only: Field | None = None,
    language: str = "",
) -> dict[str, str]:
    """The cells of a row, or of one field of it, as `sheets.read_row` takes them, where words and several
    things may stand in a cell as they stand in a line; those of each seat may have a cell of their own
    (`left2`). `language`: of whoever filled them in. BadSheet names the column."""
    found = dict(cells)
    for field in (only,) if only is not None else game.fields:
        if cells_of_seats(field) and field.name not in cells:
            texts = [found.pop(f"{field.name}{seat}", "").strip() for seat in range(1, seats + 1)]
            if any(texts):
                values = [_of_seat(game, field, text, seat, seats) for seat, text in enumerate(texts, 1)]
                found[field.name] = json.dumps(values)
            continue
        text = cells.get(field.name, "").strip()
        if field.kind == "choice" and text and text not in UNWRITTEN:
            found[field.name] = _choice_in_cell(game, field.name, text, language)
        if field.kind in JSON_KINDS and text and text[0] not in "[{" and text not in UNWRITTEN:
            try:
                found[field.name] = json.dumps(read_value(game, field, text, seats=seats))
            except Misread as error:
                raise error.in_column(field.name, game.form) from None
            except BadSheet as error:
                raise BadSheet(field.name, error.constraint) from None
    return found


@lru_cache(1024)
def _choice_in_cell(game: Game[Any], name: str, text: str, language: str) -> str:
    """The choice that a cell means: a program’s own word, or one that a line would have."""
    field = next(one for one in game.fields if one.name == name)
    number = whole(text)  # spreadsheets write 1 as 1.0
    for choice in field.choices:
        if choice in (text, str(number)):
            return choice
    found: str = _Line(game, 0, {}, {}, language).value(field, text)
    return found


def cells_of_seats(field: Field) -> bool:
    """Whether several things of each seat are more than a cell for all of them can show."""
    return field.per_seat and field.kind in JSON_KINDS


def _of_seat(game: Game[Any], field: Field, text: str, seat: int, seats: int) -> Any:
    """The things of one seat, as a cell has them; of one that is empty none."""
    if not text or text.casefold() in NOBODY:
        return [] if field.kind == "list" else None
    try:
        return _Line(game, seats, {}, {}).value(field, "".join(text.split()))
    except BadSheet as error:
        raise BadSheet(f"{field.name}{seat}", error.constraint) from None


def write_of_seat(game: Game[Any], field: Field, value: Any, *, seats: int, language: str = "") -> str:
    """The text that means the things of one seat: its cell gives them back."""
    return _Line(game, seats, {}, {}, language).of_one(field, value) if value else ""


def write_value(game: Game[Any], field: Field, value: Any, *, seats: int, language: str = "") -> str:
    """The text that means a value of a field that holds several things: `read_value` gives it back."""
    line = _Line(game, seats, {}, {}, language)
    is_of_blocks = line.blocks is not None and field.name in line.blocks.fields
    return line.text_of_blocks(field, value) if is_of_blocks else line.text(field, value)


def named(game: Game[Any]) -> tuple[Field, ...]:
    """The fields, or parts of a block, that stand in a line by their names."""
    fields = _line_fields(game)
    plain = _plain(game) if fields is game.fields else _asked_of(fields)
    behind = {name for door in game.form.other for name in (*door.sets, *door.fields)}
    return tuple(one for one in fields if one.name not in plain and one.name not in behind)


def name_of(game: Game[Any], field: Field, language: str) -> str:
    """What calls a field of a line in a language: the first word of its label that means no other one, or as
    many of its first words as do."""
    fields = _line_fields(game)
    words: list[str] = re.findall(r"[^\W\d_][\w-]*", field.label.to(language).casefold())
    for word in words:
        if folded(word) == folded(field.name):
            return word
        begins = [one for one in fields if folded(word)[:6] in folded(" ".join(_names_in(one)))]
        if tells(word) and begins == [field] and _field_called(word, fields) is field:
            return word
    words = re.findall(r"[^\W\d_][\w-]*", ARTICLE.sub("", field.label.to(language).casefold()))
    for count in range(2, len(words) + 1):
        name = "-".join(words[:count])
        if (tells(words[count - 1]) or count == len(words)) and _field_called(name, fields) is field:
            return name
    return field.name


def _line_fields(game: Game[Any]) -> tuple[Field, ...]:
    """The fields among which a word that names one is looked for: of the game, or of one block."""
    for step in game.form.steps:
        if step.widget == "blocks":
            field = next(one for one in game.fields if one.name in step.fields)
            return () if field.is_bare else field.of
    return game.fields


def _asked_of(parts: Sequence[Field]) -> frozenset[str]:
    """The parts of a block that stand in it without their names."""
    return frozenset(part.name for part in parts if not part.optional and part.usual is NO_VALUE)


def _names_in(field: Field) -> list[str]:
    return [field.name, *both(field.label)]


def _field_called(name: str, fields: Sequence[Field]) -> Field | None:
    found: Field | None = meant(name, fields, _names_in)
    if found is None:
        found = inner(name, fields, _names_in)
    return found if found is not None else meant(name, fields, _without_article)


def _without_article(field: Field) -> list[str]:
    return [ARTICLE.sub("", name) for name in both(field.label)]


def _plain(game: Game[Any]) -> frozenset[str]:
    """Fields that are asked for in any case, or have to be there and have no usual value."""
    steps = game.form.steps
    asked = {name for step in steps if not step.rare for name in (*step.fields, step.first)}
    rare = {name for step in steps if step.rare for name in step.fields}
    needed = {
        one.name
        for one in game.fields
        if not one.optional and one.usual is NO_VALUE and not one.implied and one.name not in rare
    }
    doors = {name for door in game.form.other for name in door.fields}
    of_doors = {one.name for one in game.fields if one.name in doors and one.name not in asked}
    return frozenset((asked | needed) - of_doors)


class _Line(Values):
    """A line that is read or written, for seats, options and what is known of the board."""

    def __init__(
        self, game: Game[Any], seats: int, options: Settings, known: Settings, language: str = ""
    ) -> None:
        super().__init__(game, seats, options, known, language)
        self.form, self.plain = game.form, _plain(game)
        self.asked: Asked | None = None
        blocks = [step for step in self.form.steps if step.widget == "blocks"]
        self.blocks = blocks[0] if blocks else None

    # ── Reading ───────────────────────────────────────────────────────────────────────────────────

    def sheet(self, words: Sequence[str]) -> dict[str, Any]:
        if self.blocks is not None:
            return self._of_blocks(self.blocks, words)
        words = self._joined([word for word in words if word != BLOCK])
        given = self._fields(self.form.fields, words, self.plain, self.form.other, self.form.steps)
        for field in self.form.fields:  # what others of the line depend on, too
            if field.name in given or not self._belongs(field, self.form.fields, given, ()):
                continue
            if field.usual is not NO_VALUE:
                given[field.name] = field.usual
            elif (implied := self._implied(field, self.form.fields, given)) is not None:
                given[field.name] = implied
        return dict(self.game.sheet_of_row(given))

    def order(self, given: Mapping[str, Any]) -> tuple[tuple[Field, bool], ...]:
        found = []
        values = {**self.around, **given}  # without what is usual: nobody has told it yet
        for field in order_of(self.game):
            when = expression(field.when).value(values) if field.when else True
            if when is False:
                values.setdefault(field.name, None)
            asking = [step for step in self.form.steps if field.name in step.fields and not step.rare]
            told = [expression(step.when).value(values) if step.when else True for step in asking] or [True]
            if when is not False and not all(one is False for one in told):
                found.append((field, when is True and True in told))
        return tuple(found)

    def _joined(self, words: Sequence[str]) -> list[str]:
        """The words, with those that are shown as one put together: `sans prendre`."""
        shown = [door.label for door in self.form.other]
        for field in self.form.fields:
            shown += [self.game.names[one] for one in field.choices if one in self.game.names]
            shown += [field.label] if field.kind == "flag" else []
        several = {_folded_words(text.split()) for phrase in shown for text in both(phrase)}
        longest_first = sorted((one for one in several if len(one) > 1), key=len, reverse=True)
        found, at = [], 0
        while at < len(words):
            ahead = _folded_words(words[at:])
            count = len(next((one for one in longest_first if ahead[: len(one)] == one), " "))
            found.append("".join(map(folded, words[at : at + count])) if count > 1 else words[at])
            at += count
        return found

    def _of_blocks(self, step: Step, words: Sequence[str]) -> dict[str, Any]:
        (name,) = step.fields
        field = next(one for one in self.form.fields if one.name == name)
        if not words:
            self.asked = self._next_block(step, field, [])
            return {}
        found = self.values_of_blocks(field, words)
        if self.asked is None:
            self.asked = self._next_block(step, field, found)
        return dict(self.game.sheet_of_row({name: found}))

    def values_of_blocks(self, field: Field, words: Sequence[str]) -> list[Any]:
        if field.is_bare:
            return self._of_numbers(field.of[0], words)
        found = []
        for number, group in enumerate(_split(words), 1):
            self.block = number
            if group:
                found.append(self._fields(field.of, group, _asked_of(field.of), (), ()))
        return found

    def _next_block(self, step: Step, field: Field, found: Sequence[Any]) -> Asked | None:
        """The block that follows, where the game goes on; its first field, of its first seat or side."""
        values = {**self.around, field.name: list(found)}
        most = expression(step.blocks).value(values) if step.blocks else None
        begun = [{**values, field.name: list(found[:count])} for count in range(1, len(found) + 1)]
        is_over = bool(step.until) and any(expression(step.until).value(one) is True for one in begun)
        if is_over or (isinstance(most, int) and len(found) >= most):
            return None
        place = Place(len(found) + 1, 1 if field.of[0].is_listed else 0)
        return Asked(field.of[0], self._choices(field.of[0]), place=place)

    def _of_numbers(self, part: Field, words: Sequence[str]) -> list[list[int]]:
        """Blocks of so many bare numbers. Strokes may touch what stands beside them, and stand between the
        numbers of a block as well, as in 41/30: apart from them they show where a block ends."""
        count = self._count(part)
        found: list[list[int]] = [[]]
        for word in words:
            if word == BLOCK and len(found[-1]) % count:
                place = Place(len(found), len(found[-1]) + 1)
                raise Misread(part, Phrase("is missing before the stroke"), place)
            if (says := doubtful(word)) is not None:
                place = Place(len(found) + (len(found[-1]) == count), len(found[-1]) % count + 1)
                raise Misread(part, says, place)
            for text in re.split(r"[-–/,]", word) if word != BLOCK else ():
                if not text:
                    continue
                if len(found[-1]) == count:
                    found.append([])
                self.block = len(found)
                found[-1].append(self.value(part, text, Place(len(found), len(found[-1]) + 1)))
        if len(found[-1]) < count:
            asked = Asked(part, (), place=Place(len(found), len(found[-1]) + 1))
            raise Unfinished(asked, needs(part, count))
        return found

    def _fields(
        self,
        fields: Sequence[Field],
        words: Sequence[str],
        plain: frozenset[str],
        doors: Sequence[Door],
        steps: Sequence[Step],
    ) -> dict[str, Any]:
        given: dict[str, Any] = {}
        rest: deque[str] = deque()
        self.summed = None
        for word in words:
            if (named := NAMED.fullmatch(word)) is not None:
                self._name(fields, given, *named.groups())
            else:
                rest.append(word)
        rest = self._rare_ends(fields, doors, rest, given)
        for field in fields:
            if (
                field.name in given
                or field.name not in plain
                or not (
                    self._belongs(field, fields, given, steps)
                    or self._stands_apart(field, fields, rest, given, steps)
                )
            ):
                continue
            if not rest:
                if (implied := self._implied(field, fields, given)) is not None:
                    given[field.name] = implied
                elif self.asked is None and (field.needed or not field.optional):
                    self.asked = self.asked_of(field)
                elif self.asked is None and field.usual is NO_VALUE and self._is_asked(field, given, steps):
                    self.asked = self.asked_of(field, must=False)
                continue
            given[field.name] = self._taken(field, rest, self._values(fields, given))
        for field in fields:  # what is not asked here, but may be said: whether it is true the rules tell
            is_free = field.name in plain and field.name not in given and field.kind == "whole"
            if (
                rest
                and is_free
                and field.when
                and not field.is_listed
                and self._belongs(field, fields, given, ())
            ):
                given[field.name] = self._taken(field, rest, self._values(fields, given))
        if len(rest) == 1 and self.summed is not None and whole(rest[0]) == self.summed:
            rest.clear()  # 40-67 25: what the sum had given stands there all the same
        if rest:
            raise BadSheet("line", Phrase("“{text}” is one word too many", text=brief(rest[0])))
        return given

    def _name(self, fields: Sequence[Field], given: dict[str, Any], *named: str) -> None:
        name, seat, text = named
        field = _field_called(name, fields)
        if field is None:
            raise BadSheet("line", Phrase("nothing here is called “{text}”", text=brief(name)))
        if text in NOBODY and not field.nobody and text not in field.choices:
            given[field.name] = None
            return
        if not seat or not field.is_listed:
            if not field.is_listed:
                given[field.name] = self.value(field, text)
            elif text in NOBODY:
                given[field.name] = [None] * self._count(field)
            else:
                words = deque([text] if stand_together(field, text) else text.split(PARTS))
                given[field.name] = self.listed(field, words, self._values(fields, given))
            return
        if not 1 <= int(seat) <= self.seats:
            raise BadSheet(field.name, Phrase("must be a seat from 1 to {seats}", seats=self.seats))
        usual: Any = {"flag": False, "whole": 0, "list": []}.get(field.kind)
        values = given.setdefault(field.name, [usual] * self._count(field))
        values[int(seat) - 1] = self.value(field, text)

    def _rare_ends(
        self, fields: Sequence[Field], doors: Sequence[Door], words: deque[str], given: dict[str, Any]
    ) -> deque[str]:
        """The words that are left once rare ends and flags, called by their names, have been taken."""
        by_name = {one.name: one for one in fields}
        flags = [one for one in fields if one.kind == "flag" and not one.is_listed]
        rest: deque[str] = deque()
        while words:
            word = words.popleft()
            if not word.isalpha() and "_" not in word:
                rest.append(word)
                continue
            door = meant(word, doors, lambda one: both(one.label))
            if door is None and not any(self.choice_of(one, word) for one in fields if one.kind == "choice"):
                door = inner(word, doors, lambda one: both(one.label))
            flag = next((one for one in flags if folded(word) in _names_of(one)), None)
            if door is not None:
                given |= door.sets
                for name in door.fields:
                    if words:
                        given[name] = self._taken(by_name[name], words, self._values(fields, given))
                    elif self.asked is None:
                        self.asked = self.asked_of(by_name[name])
            elif flag is not None:
                given[flag.name] = True
            elif not words and (begun := begins(word, doors, lambda one: both(one.label))):
                self._is_begun(word, fields, begun)
                rest.append(word)
            else:
                rest.append(word)
        return rest

    def _is_begun(self, word: str, fields: Sequence[Field], doors: Sequence[Door]) -> None:
        """Refuse the last word, which no choice begins with, as one that is not typed to its end."""
        plain = (one for one in fields if one.kind == "choice" and one.name in self.plain)
        if not any(self._begun_choices(one, word) for one in plain):
            asked = Asked(fields[0], (), doors=tuple(one.label for one in doors))
            words = enumeration([one.label for one in doors])
            raise Unfinished(
                asked, Phrase("“{text}” may be one of these: {words}", text=brief(word), words=words)
            )

    def _belongs(
        self, field: Field, fields: Sequence[Field], given: Mapping[str, Any], steps: Sequence[Step]
    ) -> bool:
        values = self._values(fields, given)
        if field.when and expression(field.when).value(values) is not True:
            return False
        asking = [step for step in steps if field.name in step.fields and not step.rare]
        return not asking or any(
            not step.when or expression(step.when).value(values) is True for step in asking
        )

    def _is_asked(self, field: Field, given: Mapping[str, Any], steps: Sequence[Step]) -> bool:
        """Whether the form asks for it, as far as the line goes."""
        values = self._values(self.form.fields, given)
        asking = [step for step in steps if field.name in step.fields and not step.rare]
        return any(not step.when or expression(step.when).value(values) is True for step in asking)

    def _stands_apart(
        self,
        field: Field,
        fields: Sequence[Field],
        words: Sequence[str],
        given: Mapping[str, Any],
        steps: Sequence[Step],
    ) -> bool:
        """Whether values with lines between them stand where a yes or no is asked: those of a field that is
        not asked for, but belongs there."""
        if not (words and field.is_listed and TOGETHER.fullmatch(words[0])):
            return False
        later = fields[fields.index(field) + 1 :]
        asked = (one for one in later if one.name in self.plain and self._belongs(one, fields, given, steps))
        next_asked = next(asked, None)
        is_flag = next_asked is not None and next_asked.kind == "flag"
        return is_flag and self._belongs(field, fields, given, ())

    def _values(self, fields: Sequence[Field], given: Mapping[str, Any]) -> dict[str, Any]:
        usual = {one.name: None if one.usual is NO_VALUE else one.usual for one in fields}
        return {**self.around, **usual, **given}

    def _implied(self, field: Field, fields: Sequence[Field], given: Mapping[str, Any]) -> Any:
        is_known = field.implied.startswith("known.")  # before anything is entered
        if not field.implied or (field.optional and not is_known):
            return None
        values = self._values(fields, given)
        if not field.is_listed:
            value = expression(field.implied).value(values)
            return value if isinstance(value, (int, str)) else None
        found = [expression(field.implied).value({**values, "seat": seat}) for seat in values["seats"]]
        return found if all(isinstance(one, int) for one in found) else None

    def _taken(self, field: Field, words: deque[str], values: Mapping[str, Any]) -> Any:
        if not field.is_listed:
            is_last = len(words) == 1
            return self.value(field, words.popleft(), Place(self.block), is_last=is_last)
        return self.listed(field, words, values)

    # ── Writing ───────────────────────────────────────────────────────────────────────────────────

    def text_of(self, sheet: Mapping[str, Any]) -> str:
        if self.blocks is not None:
            (name,) = self.blocks.fields
            field = next(one for one in self.form.fields if one.name == name)
            return self.text_of_blocks(field, sheet[name])
        return self._words(self.form.fields, sheet, self.plain, self.form.steps)

    def text_of_blocks(self, field: Field, values: Sequence[Any]) -> str:
        if field.is_bare:
            return f" {BLOCK} ".join(" ".join(map(str, one)) for one in values)
        asked = frozenset(part.name for part in field.of if not part.optional)
        return f" {BLOCK} ".join(self._words(field.of, one, asked, ()) for one in values)

    def _words(
        self,
        fields: Sequence[Field],
        sheet: Mapping[str, Any],
        plain: frozenset[str],
        steps: Sequence[Step],
    ) -> str:
        found, named = [], []
        is_in_order = True
        for field in fields:
            value = sheet.get(field.name)
            stands = field.name in plain and self._belongs(field, fields, sheet, steps)
            if stands and is_in_order and value is not None:
                found.append(self.text(field, value))
            elif stands and is_in_order and field.nobody:
                found.append("-")
            elif field.name in sheet and not self._goes_without(field, fields, value, sheet):
                named += self._named(field, value)
            is_in_order = is_in_order and not (stands and value is None and not field.nobody)
        return " ".join([*found, *named])

    def _goes_without(
        self, field: Field, fields: Sequence[Field], value: Any, sheet: Mapping[str, Any]
    ) -> bool:
        """Whether a value need not be written: it is usual, follows from others, or says nothing."""
        if field.usual is not NO_VALUE:
            return bool(value == field.usual)
        says_nothing = value is None and field.optional and not field.nobody
        return says_nothing or (value is not None and self._implied(field, fields, sheet) == value)

    def _named(self, field: Field, value: Any) -> list[str]:
        name = name_of(self.game, field, self.language) if self.language else field.name
        if not (field.is_listed and field.kind in JSON_KINDS):
            together = not (field.kind == "whole" and field.is_listed)  # numbers have lines between them
            return [f"{name}={'-' if value is None else self.text(field, value, together=together)}"]
        if value is None or all(one is None for one in value):
            return [f"{name}=-"]
        pairs = enumerate(value, 1)
        return [f"{name}{seat}={self.of_one(field, one)}" for seat, one in pairs if one is not None]


def _split(words: Sequence[str]) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for word in words:
        if word == BLOCK:
            groups.append([])
        else:
            groups[-1].append(word)
    return groups


def _names_of(flag: Field) -> list[str]:
    """What calls a flag: its name, and its label where that is of several words."""
    return [folded(name) for name in (flag.name, *both(flag.label)) if name == flag.name or " " in name]


def _folded_words(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(folded(word) or word for word in words)
