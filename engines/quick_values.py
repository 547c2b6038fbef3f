"""One value of a quick line: what a word of it means, and by which word a value is written.

A word means the choice that it names, or the only one that it begins; a number has the bounds of its field;
several numbers stand in one word. `quick_lines` reads and writes whole lines of them.
"""

import re
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from .contract import Game, Settings
from .errors import BadSheet
from .expressions import expression
from .forms import JSON_KINDS, Field, Form
from .phrases import LANGUAGES, Phrase, brief, enumeration
from .reading import TOTAL, demands
from .sheets import FLAGS, SIDES, no_number, whole

UNWRITTEN: Final = frozenset(("none", "null"))  # in a cell of several things: nothing
SIDE_NAMES: Final = Phrase("NS"), Phrase("EW")
YES, NO = Phrase("yes"), Phrase("no")
NOBODY: Final = frozenset(("-", "–", "—", "none", "nobody", "personne"))
TOGETHER: Final = re.compile(r"\d{1,15}(?:[-–/,]\d{1,15})+")  # 5-3-2
DOUBTFUL: Final = re.compile(r"(?:\d+[-–/])*\d+,\d+(?:[-–/]\d+)*")  # 41,5: two numbers, or one and a half
BROKEN_OFF: Final = re.compile(r"(?:\d{1,15}[-–/,])+")  # 5-3-, before the next number is typed
FLAGS_TOGETHER: Final = re.compile(r"\w{1,15}(?:[-–/,]\w{1,15})+")  # yes-no-yes
ITEMS, PARTS = ";", ","
STRANGE: Final = Phrase("must be a whole number")
LETTERS_AT_LEAST: Final = 2  # of a word that is shortened
UNTOLD: Final = frozenset(("deux", "dans", "avec", "pour", "autres", "with", "both", "others"))
INNER_LETTERS_AT_LEAST: Final = 4  # of a word out of several, which stands for all of them


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands among several: in which block of the line, and whose it is, by seat or side."""

    block: int = 0
    whose: int = 0


NOWHERE: Final = Place()


@dataclass(frozen=True, slots=True)
class Asked:
    """What stands next in a line: a field, and the words that may stand there, each as it is typed. `must`:
    no line is whole without it; others may stand for a field that is asked for and may be left out. `place`:
    which of its values; `doors`: the rare ends that a word begins so far."""

    field: Field
    choices: tuple[str, ...]
    must: bool = True
    place: Place = NOWHERE
    doors: tuple[Phrase, ...] = ()


class Misread(BadSheet):
    """A word of a line that is wrong: of which field, or `part` of one, and at which `place` of it."""

    def __init__(self, part: Field, constraint: Phrase, place: Place = NOWHERE) -> None:
        super().__init__(part.name, constraint)
        self.part, self.place = part, place

    def in_column(self, name: str, form: Form) -> BadSheet:
        """The same of a column of a file, with the place in words."""
        block, whose = self.place.block, self.place.whose
        where = [form.block(block)] if block else []
        if whose:
            where.append(SIDE_NAMES[whose - 1] if self.part.per_side else Phrase("seat {seat}", seat=whose))
        constraint = self.constraint
        if where:
            constraint = Phrase("{place}: {constraint}", place=enumeration(where), constraint=constraint)
        return BadSheet(name, constraint)


class Unfinished(Misread):
    """A line that ends within a field, or a word: with more of it, it may be right. `asked`: what is
    lacking."""

    def __init__(self, asked: Asked, constraint: Phrase) -> None:
        super().__init__(asked.field, constraint, asked.place)
        self.asked = asked


class Values:
    """The values of a line that is read or written, for seats, options and what is known of the board."""

    def __init__(
        self, game: Game[Any], seats: int, options: Settings, known: Settings, language: str = ""
    ) -> None:
        self.game, self.seats, self.language = game, seats, language
        self.around: dict[str, Any] = {
            **{"seats": list(range(1, seats + 1)), "option": options},
            **{"known": {**game.known(None, {}), **known}},
        }
        self.block = 0  # that is being read
        self.summed: int | None = None  # what a sum has given for the last value of the list read last

    def asked_of(self, field: Field, *, must: bool = True, whose: int = 0) -> Asked:
        place = Place(self.block, whose or int(field.is_listed))
        return Asked(field, self._choices(field), must, place)

    def listed(self, field: Field, words: deque[str], values: Mapping[str, Any] | None = None) -> list[Any]:
        """A value for each seat, or side: words of their own, one with lines between the numbers, or one of
        as many digits, where no number can be as large and they add up."""
        count = self._count(field)
        total = expression(field.total).value(values) if field.total and values is not None else None
        if words and field.kind == "whole":
            self._is_clear(field, words, count)
        if words and stand_together(field, words[0]):
            texts = re.split(r"[-–/,]", words.popleft())
            while words and len(texts) < count and not isinstance(total, int):
                texts.append(words.popleft())
        elif words and self._is_of_digits(field, words[0], total):
            texts = list(words.popleft())
        else:
            texts = [words.popleft() for _ in range(min(count, len(words)))]
        if len(texts) == 1 and not words and self._may_be_of_digits(field, texts[0], total):
            raise Unfinished(self.asked_of(field), self._bounds(field, texts[0]) or needs(field, count))
        found = [
            self.value(field, text, Place(self.block, whose), is_last=whose == len(texts) and not words)
            for whose, text in enumerate(texts, 1)
        ]
        if isinstance(total, int) and all(isinstance(one, int) for one in found):
            self._may_add_up(field, found, count, total)
        if len(found) == count - 1 and isinstance(total, int) and all(isinstance(one, int) for one in found):
            self.summed = total - sum(found)
            found.append(self.summed)
        if len(found) < count:
            raise Unfinished(self.asked_of(field, whose=len(found) + 1), needs(field, count))
        if len(found) > count:
            raise Misread(field, needs(field, count), Place(self.block))
        return found

    def _is_clear(self, field: Field, words: Sequence[str], count: int) -> None:
        """Refuse the next word where it may be one number or two, and one that breaks off behind a number."""
        text, is_last = words[0], len(words) == 1
        begun = len(re.findall(r"\d+", text))
        if (says := doubtful(text)) is not None:
            if is_last and begun < count:
                raise Unfinished(self.asked_of(field, whose=begun + 1), says)
            raise Misread(field, says, Place(self.block))
        if is_last and begun < count and BROKEN_OFF.fullmatch(text):
            raise Unfinished(self.asked_of(field, whose=begun + 1), needs(field, count))

    def _may_add_up(self, field: Field, found: Sequence[int], count: int, total: int) -> None:
        """Refuse values of some seats, or all, that cannot add up as they have to."""
        if sum(found) > total or (len(found) == count and sum(found) != total):
            raise Misread(field, Phrase(TOTAL.text, total=sum(found), wanted=total), Place(self.block))

    def _is_of_digits(self, field: Field, text: str, total: object) -> bool:
        """Whether a word is the digits of all seats, as in 532: no seat can have as much, and they add up."""
        is_one_word = field.kind == "whole" and len(text) == self._count(field) and _is_number(text)
        is_large = is_one_word and field.most is not None and int(text) > field.most
        return is_large and isinstance(total, int) and sum(map(int, text)) == total

    def _may_be_of_digits(self, field: Field, text: str, total: object) -> bool:
        """Whether a word could become one of these, with more digits."""
        is_short = field.kind == "whole" and len(text) < self._count(field) and _is_number(text)
        is_large = is_short and field.most is not None and int(text) > field.most
        return is_large and isinstance(total, int) and sum(map(int, text)) <= total

    def _count(self, field: Field) -> int:
        return self.seats if field.per_seat else SIDES if field.per_side else 1

    def value(self, field: Field, text: str, place: Place = NOWHERE, *, is_last: bool = False) -> Any:
        """One value, as it is typed. `is_last`: the line ends with it, and may not be at its end."""
        if text.casefold() in NOBODY and (field.nobody or field.optional) and text not in field.choices:
            return None
        match field.kind:
            case "choice":
                return self._choice(field, text, place, is_last=is_last)
            case "flag":
                return _flag(field, text, place)
            case "text" | "card":
                return text
            case "seats":
                seat = replace(field, kind="seat")
                return [self._whole(seat, one, place) for one in text.split(PARTS) if one]
            case "list":
                part = field.of[0] if field.is_bare else None
                items = [one for one in text.split(ITEMS) if one]
                return [self.value(part, one) if part else self._object(field, one) for one in items]
            case "object":
                return self._object(field, text)
        return self._whole(field, text, place, is_last=is_last)

    def _object(self, field: Field, text: str) -> dict[str, Any]:
        words = deque(text.split(PARTS))
        found = {}
        for part in field.of:
            if not words:
                break
            listed = part.is_listed
            try:
                found[part.name] = self.listed(part, words) if listed else self.value(part, words.popleft())
            except Misread as error:
                told = Phrase("{part}: {constraint}", part=part.label, constraint=error.constraint)
                raise Misread(field, told, error.place) from None
        if words:
            raise BadSheet(field.name, Phrase("“{text}” is one word too many", text=brief(words[0])))
        return found

    def _whole(self, field: Field, text: str, place: Place = NOWHERE, *, is_last: bool = False) -> int:
        """A number, or a seat, within the bounds of its field."""
        number = whole(text)
        wrong = self._bounds(field, text)
        if number is not None and wrong is None:
            return number
        if is_last and number is not None and field.kind == "whole" and number < field.least:
            raise Unfinished(Asked(field, (), place=place), wrong or STRANGE)
        raise Misread(field, wrong or STRANGE, place)

    def _bounds(self, field: Field, text: str) -> Phrase | None:
        """Why a word is not a number of the field; None where it is."""
        number = whole(text)
        if number is None and field.kind == "whole":
            return no_number(text)
        for holds, words in demands(field, self.seats):
            if not eval(holds, {"x": number}):  # noqa: S307 - written in `reading` alone
                return words
        return None

    def _choice(self, field: Field, text: str, place: Place, *, is_last: bool) -> str:
        found = self.choice_of(field, text)
        if found is not None:
            return found
        begun = self._begun_choices(field, text)
        several = begun if is_last or len(begun) > 1 else ()
        words = enumeration([self.game.names.get(one, Phrase(one)) for one in several or field.choices])
        if several:
            why = Phrase("“{text}” may be one of these: {words}", text=brief(text), words=words)
            if is_last:
                raise Unfinished(Asked(field, begun, place=place), why)
            raise Misread(field, why, place)
        raise Misread(
            field, Phrase("“{text}” is none of these: {words}", text=brief(text), words=words), place
        )

    def _begun_choices(self, field: Field, text: str) -> tuple[str, ...]:
        """The choices with a name that begins so: a word of it, in the language of whoever types."""
        own = begins(text, field.choices, self._own_words_of)
        return tuple(own or begins(text, field.choices, self._words_of))

    def _words_of(self, choice: str) -> list[str]:
        names = self.game.names
        return [choice, *(both(names[choice]) if choice in names else ())]

    def _own_words_of(self, choice: str) -> list[str]:
        """The words of a choice’s name, in the language of whoever types."""
        names = self.game.names
        return names[choice].to(self.language).split() if self.language and choice in names else []

    def _own_name_of(self, choice: str) -> list[str]:
        """The choice’s whole name, in the language of whoever types."""
        names = self.game.names
        return [names[choice].to(self.language)] if choice in names else []

    def _main_words_of(self, choice: str) -> list[str]:
        """Those of them that do not hang on a little word before them: of “forced to take”, not “take”."""
        words = self._own_words_of(choice)
        little = [len(folded(word)) < INNER_LETTERS_AT_LEAST for word in words]
        return [word for at, word in enumerate(words) if at == 0 or not little[at - 1]]

    def choice_of(self, field: Field, text: str) -> str | None:
        """The choice of a field that a word means."""
        found: str | None = meant(text, field.choices, self._words_of)
        own = begins(text, field.choices, self._own_words_of)
        if found is not None and folded(text) == folded(found) and own and found not in own:
            found = None  # its code, which other words begin with
        if found is None:
            if len(own) > 1:  # “p” is “prendre” rather than “sans prendre”
                own = begins(text, own, self._own_name_of) or own
            if len(own) > 1:  # “p” is “premier tour” rather than “forcé de prendre”
                own = begins(text, own, self._main_words_of) or own
            found = own[0] if len(own) == 1 else None
        return found if found is not None else inner(text, field.choices, self._words_of)

    def _choices(self, field: Field) -> tuple[str, ...]:
        match field.kind:
            case "choice":
                return field.choices
            case "seat":
                return (*map(str, self.around["seats"]), *("-" for _ in range(field.nobody)))
        return ()

    def text(self, field: Field, value: Any, *, together: bool = False) -> str:
        if field.is_listed:
            numbers = field.kind == "whole" and all(isinstance(one, int) and one >= 0 for one in value)
            between = PARTS if together else "-" if numbers else " "
            return between.join(self.of_one(field, one) for one in value)
        return self.of_one(field, value)

    def of_one(self, field: Field, value: Any) -> str:
        if value is None:
            return "-"
        match field.kind:
            case "flag":
                return (YES if value else NO).to(self.language or "en")
            case "choice" if self.language:
                return word_of(self.game, field, value, self.language)
            case "seats":
                return PARTS.join(map(str, value))
            case "list":
                part = field.of[0] if field.is_bare else None
                return ITEMS.join(
                    self.of_one(part, one) if part else self._whole_of(field, one) for one in value
                )
            case "object":
                return self._whole_of(field, value)
        return str(value)

    def _whole_of(self, field: Field, value: Mapping[str, Any]) -> str:
        there = [part for part in field.of if part.name in value]
        return PARTS.join(self.text(part, value[part.name], together=True) for part in there)


def word_of(game: Game[Any], field: Field, choice: str, language: str) -> str:
    """The shortest word that means a choice of a field in a language."""
    shown = game.names[choice].to(language) if choice in game.names else choice
    line, words = Values(game, 0, {}, {}), re.findall(r"[^\s,;()’'+]+", shown)
    for count in range(1, len(words) + 1):
        word = "-".join(words[:count])
        if (tells(words[count - 1]) or count == len(words)) and line.choice_of(field, word) == choice:
            return word
    return choice


def tells(word: str) -> bool:
    """Whether a word of a label says something by itself."""
    return len(word) >= INNER_LETTERS_AT_LEAST and word.casefold() not in UNTOLD


def stand_together(field: Field, text: str) -> bool:
    """Whether a word is the values of several seats, with lines or commas between them."""
    form = FLAGS_TOGETHER if field.kind == "flag" else TOGETHER
    return field.kind not in JSON_KINDS and form.fullmatch(text) is not None


def doubtful(text: str) -> Phrase | None:
    """Why a word of numbers is not clear: a single comma may stand between two, or in one that has decimals.

    >>> doubtful("5,3,2"), doubtful("5-3"), str(doubtful("41,5"))[:29]
    (None, None, '“41,5” may be two numbers, or')
    """
    if not DOUBTFUL.fullmatch(text):
        return None
    return Phrase(
        "“{text}” may be two numbers, or one with decimals, which there are not: put a blank or - between "
        "two numbers",
        text=brief(text),
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def needs(field: Field, count: int) -> Phrase:
    """That some values of several are lacking, and how they are written."""
    example = "-".join("532"[:count].ljust(count, "0"))
    if field.per_side:
        return Phrase("needs a number for NS and one for EW")
    return Phrase("needs {count} values, one for each seat, such as {example}", count=count, example=example)


def meant(text: str, things: Iterable[Any], words_of: Callable[[Any], list[str]]) -> Any:
    """The thing that a word means: by one of its names, or the only one of which a name begins so."""
    wanted, begun = folded(text), []
    for one in things:
        names = [folded(name) for name in words_of(one)]
        if wanted in names:
            return one
        if len(wanted) >= LETTERS_AT_LEAST and any(name.startswith(wanted) for name in names):
            begun.append(one)
    return begun[0] if len(begun) == 1 else None


def begins(text: str, things: Iterable[Any], words_of: Callable[[Any], list[str]]) -> list[Any]:
    """The things with a name that begins so."""
    wanted = folded(text)
    return [
        one for one in things if wanted and any(folded(name).startswith(wanted) for name in words_of(one))
    ]


def inner(text: str, things: Iterable[Any], words_of: Callable[[Any], list[str]]) -> Any:
    """The only thing of whose names this is a word."""
    wanted = folded(text)
    if len(wanted) < INNER_LETTERS_AT_LEAST:
        return None
    found = [one for one in things if any(wanted in map(folded, name.split()) for name in words_of(one))]
    return found[0] if len(found) == 1 else None


def both(phrase: Phrase) -> list[str]:
    return [phrase.to(language) for language in LANGUAGES]


def folded(text: str) -> str:
    """Without capitals, accents and blanks."""
    plain = unicodedata.normalize("NFD", text.casefold().replace("œ", "oe"))
    return "".join(one for one in plain if one.isalnum())


def yes_or_no(text: str) -> bool | None:
    """What a word or a mark says; None where it is neither.

    >>> yes_or_no("Oui"), yes_or_no("n"), yes_or_no("2")
    (True, False, None)
    """
    words = {
        **{**FLAGS, "1": True, "0": False, "+": True, "-": False},
        **{"y": True, "o": True, "x": True, "✓": True, "n": False},
    }
    return words.get(text.casefold())


def _flag(field: Field, text: str, place: Place) -> bool:
    found = yes_or_no(text)
    if found is None:
        raise Misread(field, Phrase("“{text}” is neither yes nor no", text=brief(text)), place)
    return found
