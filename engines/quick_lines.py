"""A result sheet in one line, as a scorer types a paper slip: `prendre 1 5-2-2 1`.

The values of the fields that the form asks for stand in the order in which the game declares them, one for
each seat where there are several; what is rare is named: `belote=2`. A rare end is called by its word, with
what it asks for: `fault 2`. Blocks of the same questions stand between strokes: `41 30 / 45 33`. What a sum
or a rule gives may be left out at the end. Words may stand as they are shown: `sans prendre`. `read` and
`write` undo each other, for every game.
"""

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .contract import Game, Settings
from .errors import BadSheet
from .expressions import expression
from .forms import JSON_KINDS, NO_VALUE, Door, Field, Step
from .phrases import LANGUAGES, Phrase
from .sheets import FLAGS, SIDES, whole

BLOCK: Final = "/"
NOBODY: Final = frozenset(("-", "–", "—", "none", "nobody", "personne"))
TOGETHER: Final = re.compile(r"\d{1,15}(?:[-–/,]\d{1,15})+")  # 5-3-2
NAMED: Final = re.compile(r"([^\W\d][\w-]*?)(\d?)=(.*)")
ITEMS, PARTS = ";", ","
LETTERS_AT_LEAST: Final = 2  # of a word that is shortened
INNER_LETTERS_AT_LEAST: Final = 4  # of a word out of several, which stands for all of them


@dataclass(frozen=True, slots=True)
class Asked:
    """What stands next in a line: a field, and the words that may stand there, each as it is typed. `must`:
    no line is whole without it; others may stand for a field that is asked for and may be left out."""

    field: Field
    choices: tuple[str, ...]
    must: bool = True


def read(game: Game[Any], text: str, *, seats: int, options: Settings, known: Settings) -> dict[str, Any]:
    """The sheet that a line means, with what is usual, as far as the line goes. BadSheet names the field, or
    "line" where a word is none of any; whether the sheet is complete, and keeps the rules, `sheets.check`
    says."""
    return _Line(game, seats, options, known).sheet(text.split())


def asked_next(game: Game[Any], text: str, *, seats: int, options: Settings, known: Settings) -> Asked | None:
    """What a line that is being typed asks for next; None once it is complete, or where it is wrong."""
    line = _Line(game, seats, options, known)
    try:
        line.sheet(text.split())
    except BadSheet:
        return None
    return line.asked


def order_of(game: Game[Any]) -> tuple[Field, ...]:
    """The fields that stand in a line without their names, in order."""
    return tuple(one for one in game.fields if one.name in _plain(game))


def order_after(
    game: Game[Any], text: str, *, seats: int, options: Settings, known: Settings
) -> tuple[tuple[Field, bool], ...]:
    """The fields that stand in the line that begins so, in order, each with whether it is asked for in any
    case: whether it is may depend on what nobody has typed yet. Empty where the line is wrong."""
    try:
        given = _Line(game, seats, options, known).sheet(text.split())
    except BadSheet:
        return ()
    return _Line(game, seats, options, known).order(given)


def write(
    game: Game[Any], sheet: Mapping[str, Any], *, seats: int, options: Settings, known: Settings
) -> str:
    """The line that means a sheet: `read` gives it back."""
    return _Line(game, seats, options, known).text_of(sheet)


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


class _Line:
    """A line that is read or written, for seats, options and what is known of the board."""

    def __init__(self, game: Game[Any], seats: int, options: Settings, known: Settings) -> None:
        self.game, self.form, self.seats = game, game.form, seats
        self.around: dict[str, Any] = {
            **{"seats": list(range(1, seats + 1)), "option": options},
            **{"known": {**game.known(None, {}), **known}},
        }
        self.plain = _plain(game)
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
            if field.usual is not NO_VALUE and self._belongs(field, self.form.fields, given, ()):
                given.setdefault(field.name, field.usual)
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
        several = {_folded_words(text.split()) for phrase in shown for text in _both(phrase)}
        longest_first = sorted((one for one in several if len(one) > 1), key=len, reverse=True)
        found, at = [], 0
        while at < len(words):
            ahead = _folded_words(words[at:])
            count = len(next((one for one in longest_first if ahead[: len(one)] == one), " "))
            found.append("".join(map(_folded, words[at : at + count])) if count > 1 else words[at])
            at += count
        return found

    def _of_blocks(self, step: Step, words: Sequence[str]) -> dict[str, Any]:
        (name,) = step.fields
        field = next(one for one in self.form.fields if one.name == name)
        if not words:
            self.asked = Asked(field, ())
            return {}
        groups = _split(words)
        given: dict[str, Any] = {}
        if field.is_bare:
            count = self._count(field.of[0])
            if len(groups) == 1:
                (alone,) = groups
                groups = [alone[at : at + count] for at in range(0, len(alone), count)]
            given[name] = [self._listed(field.of[0], deque(one)) for one in groups]
            if any(len(self._apart(field.of[0], one)) > count for one in groups):
                raise BadSheet(name, Phrase("has too many numbers between two strokes"))
        else:
            asked = {part.name for part in field.of if not part.optional and part.usual is NO_VALUE}
            given[name] = [self._fields(field.of, one, frozenset(asked), (), ()) for one in groups if one]
        return dict(self.game.sheet_of_row(given))

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
                    self.asked = Asked(field, self._choices(field))
                elif self.asked is None and field.usual is NO_VALUE and self._is_asked(field, given, steps):
                    self.asked = Asked(field, self._choices(field), must=False)
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
        if rest:
            raise BadSheet("line", Phrase("“{text}” is one word too many", text=rest[0]))
        return given

    def _name(self, fields: Sequence[Field], given: dict[str, Any], *named: str) -> None:
        name, seat, text = named
        field = _meant(name, fields, lambda one: [one.name, *_both(one.label)])
        if field is None:
            raise BadSheet("line", Phrase("nothing here is called “{text}”", text=name))
        if text in NOBODY and not field.nobody and text not in field.choices:
            given[field.name] = None
            return
        if not seat or not field.is_listed:
            if not field.is_listed:
                given[field.name] = self._value(field, text)
            elif text in NOBODY:
                given[field.name] = [None] * self._count(field)
            else:
                words = deque([text] if TOGETHER.fullmatch(text) else text.split(PARTS))
                given[field.name] = self._listed(field, words, self._values(fields, given))
            return
        if not 1 <= int(seat) <= self.seats:
            raise BadSheet(field.name, Phrase("must be a seat from 1 to {seats}", seats=self.seats))
        usual: Any = False if field.kind == "flag" else 0 if field.kind == "whole" else None
        values = given.setdefault(field.name, [usual] * self._count(field))
        values[int(seat) - 1] = self._value(field, text)

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
            door = _meant(word, doors, lambda one: _both(one.label))
            if door is None and not any(self._found(one, word) for one in fields if one.kind == "choice"):
                door = _inner(word, doors, lambda one: _both(one.label))
            flag = next((one for one in flags if _folded(word) in _names_of(one)), None)
            if door is not None:
                given |= door.sets
                for name in door.fields:
                    if words:
                        given[name] = self._taken(by_name[name], words, self._values(fields, given))
                    elif self.asked is None:
                        self.asked = Asked(by_name[name], self._choices(by_name[name]))
            elif flag is not None:
                given[flag.name] = True
            else:
                rest.append(word)
        return rest

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
        if not field.implied or field.optional:
            return None
        values = self._values(fields, given)
        if not field.is_listed:
            value = expression(field.implied).value(values)
            return value if isinstance(value, (int, str)) else None
        found = [expression(field.implied).value({**values, "seat": seat}) for seat in values["seats"]]
        return found if all(isinstance(one, int) for one in found) else None

    def _taken(self, field: Field, words: deque[str], values: Mapping[str, Any]) -> Any:
        if not field.is_listed:
            return self._value(field, words.popleft())
        return self._listed(field, words, values)

    def _listed(self, field: Field, words: deque[str], values: Mapping[str, Any] | None = None) -> list[Any]:
        """A value for each seat, or side: words of their own, or one with lines between the numbers."""
        count = self._count(field)
        if words and TOGETHER.fullmatch(words[0]) and field.kind not in JSON_KINDS:
            texts = re.split(r"[-–/,]", words.popleft())
        else:
            texts = [words.popleft() for _ in range(min(count, len(words)))]
        found = [self._value(field, text) for text in texts]
        if len(found) == count - 1 and field.total and values is not None:
            total = expression(field.total).value(values)
            if isinstance(total, int) and all(isinstance(one, int) for one in found):
                found.append(total - sum(found))
        if len(found) != count:
            message = Phrase("needs {count} values, one for each", count=count)
            raise BadSheet(field.name, message)
        return found

    def _apart(self, field: Field, words: Iterable[str]) -> list[str]:
        return [text for word in words for text in re.split(r"[-–/,]", word)]

    def _count(self, field: Field) -> int:
        return self.seats if field.per_seat else SIDES if field.per_side else 1

    def _value(self, field: Field, text: str) -> Any:
        """One value, as it is typed."""
        if text.casefold() in NOBODY and (field.nobody or field.optional) and text not in field.choices:
            return None
        match field.kind:
            case "choice":
                return self._choice(field, text)
            case "flag":
                return _flag(field, text)
            case "text" | "card":
                return text
            case "seats":
                return [self._whole(field, one) for one in text.split(PARTS) if one]
            case "list":
                part = field.of[0] if field.is_bare else None
                items = [one for one in text.split(ITEMS) if one]
                return [self._value(part, one) if part else self._object(field, one) for one in items]
            case "object":
                return self._object(field, text)
        return self._whole(field, text)

    def _object(self, field: Field, text: str) -> dict[str, Any]:
        words = deque(text.split(PARTS))
        found = {}
        for part in field.of:
            if words:
                listed = part.is_listed
                found[part.name] = self._listed(part, words) if listed else self._value(part, words.popleft())
        if words:
            raise BadSheet(field.name, Phrase("“{text}” is one word too many", text=words[0]))
        return found

    def _whole(self, field: Field, text: str) -> int:
        number = whole(text)
        if number is None:
            raise BadSheet(field.name, Phrase("“{text}” is not a whole number", text=text))
        return number

    def _choice(self, field: Field, text: str) -> str:
        found = self._found(field, text)
        if found is None:
            raise BadSheet(field.name, Phrase("“{text}” is none of its words", text=text))
        return found

    def _found(self, field: Field, text: str) -> str | None:
        """The choice of a field that a word means."""
        names = self.game.names

        def words_of(one: str) -> list[str]:
            return [one, *(_both(names[one]) if one in names else ())]

        found: str | None = _meant(text, field.choices, words_of)
        return found if found is not None else _inner(text, field.choices, words_of)

    def _choices(self, field: Field) -> tuple[str, ...]:
        match field.kind:
            case "choice":
                return field.choices
            case "seat":
                return tuple(map(str, self.around["seats"]))
        return ()

    # ── Writing ───────────────────────────────────────────────────────────────────────────────────

    def text_of(self, sheet: Mapping[str, Any]) -> str:
        if self.blocks is not None:
            (name,) = self.blocks.fields
            field = next(one for one in self.form.fields if one.name == name)
            if field.is_bare:
                groups = [" ".join(map(str, one)) for one in sheet[name]]
            else:
                asked = frozenset(part.name for part in field.of if not part.optional)
                groups = [self._words(field.of, one, asked, ()) for one in sheet[name]]
            return f" {BLOCK} ".join(groups)
        return self._words(self.form.fields, sheet, self.plain, self.form.steps)

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
                found.append(self._text(field, value))
            elif stands and is_in_order and field.nobody:
                found.append("-")
            elif field.name in sheet and (field.usual is NO_VALUE or value != field.usual):
                named += self._named(field, value)
            is_in_order = is_in_order and not (stands and value is None and not field.nobody)
        return " ".join([*found, *named])

    def _named(self, field: Field, value: Any) -> list[str]:
        if not (field.is_listed and field.kind in JSON_KINDS):
            return [f"{field.name}={'-' if value is None else self._text(field, value, together=True)}"]
        if value is None or all(one is None for one in value):
            return [f"{field.name}=-"]
        pairs = enumerate(value, 1)
        return [f"{field.name}{seat}={self._one(field, one)}" for seat, one in pairs if one is not None]

    def _text(self, field: Field, value: Any, *, together: bool = False) -> str:
        if field.is_listed:
            numbers = field.kind == "whole" and all(isinstance(one, int) and one >= 0 for one in value)
            between = PARTS if together else "-" if numbers else " "
            return between.join(self._one(field, one) for one in value)
        return self._one(field, value)

    def _one(self, field: Field, value: Any) -> str:
        if value is None:
            return "-"
        match field.kind:
            case "flag":
                return "yes" if value else "no"
            case "seats":
                return PARTS.join(map(str, value))
            case "list":
                part = field.of[0] if field.is_bare else None
                return ITEMS.join(
                    self._one(part, one) if part else self._whole_of(field, one) for one in value
                )
            case "object":
                return self._whole_of(field, value)
        return str(value)

    def _whole_of(self, field: Field, value: Mapping[str, Any]) -> str:
        there = [part for part in field.of if part.name in value]
        return PARTS.join(self._text(part, value[part.name], together=True) for part in there)


def _split(words: Sequence[str]) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for word in words:
        if word == BLOCK:
            groups.append([])
        else:
            groups[-1].append(word)
    return groups


def _meant(text: str, things: Iterable[Any], words_of: Any) -> Any:
    """The thing that a word means: by one of its names, or the only one of which a name begins so."""
    wanted, begun = _folded(text), []
    for one in things:
        names = [_folded(name) for name in words_of(one)]
        if wanted in names:
            return one
        if len(wanted) >= LETTERS_AT_LEAST and any(name.startswith(wanted) for name in names):
            begun.append(one)
    return begun[0] if len(begun) == 1 else None


def _inner(text: str, things: Iterable[Any], words_of: Any) -> Any:
    """The only thing of whose names this is a word."""
    wanted = _folded(text)
    if len(wanted) < INNER_LETTERS_AT_LEAST:
        return None
    found = [one for one in things if any(wanted in map(_folded, name.split()) for name in words_of(one))]
    return found[0] if len(found) == 1 else None


def _names_of(flag: Field) -> list[str]:
    """What calls a flag: its name, and its label where that is of several words."""
    return [_folded(name) for name in (flag.name, *_both(flag.label)) if name == flag.name or " " in name]


def _both(phrase: Phrase) -> list[str]:
    return [phrase.to(language) for language in LANGUAGES]


def _folded(text: str) -> str:
    """Without capitals, accents and blanks."""
    plain = unicodedata.normalize("NFD", text.casefold())
    return "".join(one for one in plain if one.isalnum())


def _folded_words(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(_folded(word) or word for word in words)


def _flag(field: Field, text: str) -> bool:
    words = {
        **{**FLAGS, "1": True, "0": False, "+": True, "-": False},
        **{"y": True, "o": True, "x": True, "✓": True, "n": False},
    }
    found = words.get(text.casefold())
    if found is None:
        raise BadSheet(field.name, Phrase("“{text}” is neither yes nor no", text=text))
    return found
