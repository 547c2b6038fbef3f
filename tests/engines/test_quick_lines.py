"""A sheet in one line, for every game: what is written is read again, and what is wrong is named."""

import json
from typing import Any

import pytest

from engines import quick_lines, registry, sheets
from engines.contract import Game, with_defaults
from engines.errors import BadSheet
from engines.forms import JSON_KINDS
from engines.phrases import LANGUAGES
from tests.samples import many

from .test_conformance import board, every_game


def line(game: str, text: str, **known: Any) -> Any:
    one = registry.game(game)
    seats = one.seat_count({})
    return quick_lines.read(one, text, seats=seats, options=with_defaults(one.options, {}), known=known)


@pytest.mark.parametrize(("game", "text", "sheet"), [
    ("hombre", "prendre 1 4-3-2 1", {"contract": "prendre", "hombre": 1, "tricks": [4, 3, 2], "matadors": 1}),
    ("hombre", "pren 1 4 3 2 1", {"contract": "prendre", "hombre": 1, "tricks": [4, 3, 2], "matadors": 1}),
    ("hombre", "passed", {"contract": "none"}),
    ("hombre", "donne passée", {"contract": "none"}),  # as it is shown, in either language
    ("hombre", "passée", {"contract": "none"}),
    ("hombre", "sans prendre 2 2-5-2 2",
     {"contract": "sans-prendre", "hombre": 2, "tricks": [2, 5, 2], "matadors": 2}),
    ("hombre", "vole 1 oui 3", {"contract": "vole", "hombre": 1, "made": True, "matadors": 3}),
    ("hombre", "vole 1 x 3", {"contract": "vole", "hombre": 1, "made": True, "matadors": 3}),
    ("hombre", "vole 1 n", {"contract": "vole", "hombre": 1, "made": False}),
    ("hombre", "vole 1 vole faite 3", {"contract": "vole", "hombre": 1, "made": True, "matadors": 3}),
    ("hombre", "vole 1 9-0-0 oui 3", {"contract": "vole", "tricks": [9, 0, 0], "made": True, "matadors": 3}),
    ("hombre", "prendre 3 4-4-1 0", {"contract": "prendre", "tricks": [4, 4, 1], "matadors": 0}),
    ("bernicle", "personne n'a pris", {"taker": None}),
    ("comon", "5 3 2", {"outcome": "normal", "tricks": [5, 3, 2]}),
    ("comon", "5-3", {"outcome": "normal", "tricks": [5, 3, 2]}),  # ten tricks: the last is known
    ("comon", "fault 2", {"outcome": "fault", "offender": 2}),
    ("comon", "faute 2", {"outcome": "fault", "offender": 2}),  # in either language
    ("belote-noisette", "2 1 40-67-25", {"taker": 2, "stage": "1", "points": [40, 67, 25]}),
    ("belote-noisette", "2 1 40-67 25", {"taker": 2, "stage": "1", "points": [40, 67, 25]}),  # 132 in all
    ("belote-noisette", "2 forced 50 67 25 belote=3",
     {"taker": 2, "stage": "forced", "points": [50, 67, 25], "belote": 3}),
    ("cochonnet", "41 30 / 45 33", {"rounds": [[41, 30], [45, 33]]}),
    ("cochonnet", "41 30 45 33", {"rounds": [[41, 30], [45, 33]]}),
    ("cochonnet", "41/30 45/33", {"rounds": [[41, 30], [45, 33]]}),
    ("cochonnet", "41 30/45 33", {"rounds": [[41, 30], [45, 33]]}),  # a stroke that touches its neighbours
    ("cochonnet", "41-30 / 45-33", {"rounds": [[41, 30], [45, 33]]}),
    ("comon", "532", {"outcome": "normal", "tricks": [5, 3, 2]}),  # ten tricks: no seat has 532
    ("bridgette", "1 4 coeur 11", {"denomination": "H"}),  # as a keyboard without œ has it
    ("tarot-4-saisons", "tout 1 7-5-3 80-52-41", {"points": [80, 52, 41], "dog": 12}),  # 185 in all
    ("mille", "2 120 30-74-16 mariages=trèfle,2", {"marriages": [{"suit": "C", "seat": 2}]}),
    ("mille", "2 120 30-74-16 marriages=C,2;D,1",
     {"taker": 2, "contract": 120, "end": "played", "points": [30, 74, 16],
      "marriages": [{"suit": "C", "seat": 2}, {"suit": "D", "seat": 1}]}),
    ("besigue-chinois", "5220 3230 1", {"points": [5220, 3230], "last_trick": 1}),
    ("le-99", "2", {"loser": 2}),
    ("le-99", "void", {"void": True}),
    ("bernicle", "-", {"taker": None}),
    ("loba", "1 1 0-31-88 laid=yes-no-yes", {"laid": [True, False, True]}),
    ("loba", "1 1 0-31-88 déposé=oui,non,oui", {"laid": [True, False, True]}),
    ("loba", "1 1 left2=AS left3=KS;4C", {"left": [[], ["AS"], ["KS", "4C"]]}),  # who finished has none
    ("tarot-triple-detente", "5-7 6-7 / 7-7 6-7 / 8-6 7-6 petit=1",
     {"parts": [{"contracts": [5, 7], "tricks": [6, 7]}, {"contracts": [7, 7], "tricks": [6, 7]},
                {"contracts": [8, 6], "tricks": [7, 6], "petit": 1}]}),
])  # fmt: skip
def test_what_a_scorer_types(game: str, text: str, sheet: Any) -> None:
    found = line(game, text)
    assert {name: value for name, value in found.items() if name in sheet} == sheet


@pytest.mark.parametrize(("language", "word", "stage"), [
    ("fr", "p", "1"),  # “premier tour d’enchères”, though “prendre” is a word of “forcé de prendre”
    ("fr", "f", "forced"),
    ("en", "s", "2"),
    ("en", "t", "forced"),  # of “take”: nothing else begins so
])  # fmt: skip
def test_one_letter_is_enough_where_no_other_name_begins_so(language: str, word: str, stage: str) -> None:
    game = registry.game("belote-noisette")
    options = with_defaults(game.options, {})
    text = f"2 {word} 40 67 25"
    assert (
        quick_lines.read(game, text, seats=3, options=options, known={}, language=language)["stage"] == stage
    )


@pytest.mark.parametrize(("game", "text", "field", "says"), [
    ("hombre", "prendre 1 4-3-x 1", "tricks", "not a whole number"),
    ("hombre", "prendre x", "hombre", "must be a seat from 1 to 3"),
    ("hombre", "vole 1 maybe", "made", "“maybe” is neither yes nor no"),
    ("hombre", "xyzzy 1", "contract", "“xyzzy” is none of these: passed out, prendre"),
    ("hombre", "p", "contract", "“p” may be one of these: passed out, prendre"),
    ("loba", "1 n", "mene", "“n” may be one of these: nobody finished"),  # a rare end is two letters at least
    ("comon", "5 3 2 1", "line", "“1” is one word too many"),
    ("comon", "5 4 x", "tricks", "not a whole number"),
    ("belote-noisette", "2 1 40-67 24", "line", "“24” is one word too many"),  # the sum says 25
    ("comon", "5 3 2 xyzzy=2", "line", "nothing here is called"),
    ("belote-noisette", "2 1 40", "points", "one for each"),
    ("belote-noisette", "9 1", "taker", "must be a seat from 1 to 3"),
    ("comon", "53 2", "tricks", "must be a whole number from 0 to 10"),
    ("comon", "533", "tricks", "must be a whole number from 0 to 10"),  # eleven tricks
    ("cochonnet", "41 30 / 45 / 38 29", "it", "is missing before the stroke"),
    ("demons-punisseurs", "9,2,2,0,0", "pareil", "winner: must be a seat from 1 to 3"),
    ("hombre", "prendre 1 5-4-1", "tricks", "add up to 10; here they must add up to 9"),  # at once
    ("hombre", "prendre 1 6-4", "tricks", "add up to 10"),
    ("hombre", "prendre 1 2-2-2", "tricks", "add up to 6"),
    ("cochonnet", "41,5 30", "it", "“41,5” may be two numbers"),
    ("cochonnet", "41 30 / 45,33", "it", "“45,33” may be two numbers"),
    ("loba", "1 1 0-31,5-88", "points", "“0-31,5-88” may be"),
    ("loba", "1 1 0 7,5 88", "points", "“7,5”: results have whole numbers alone"),
    ("loba", "1 1 7,5 0 88", "points", "“7,5” may be two numbers"),
    ("loba", "1 1 0 7.5 88", "points", "“7.5”: results have whole numbers alone"),
    ("loba", "1 1 0 7½ 88", "points", "“7½”: results have whole numbers alone"),
])  # fmt: skip
def test_a_word_that_is_wrong_is_named(game: str, text: str, field: str, says: str) -> None:
    with pytest.raises(BadSheet, match=says) as refused:
        line(game, text)
    assert refused.value.field == field


def test_a_cell_that_is_neither_yes_nor_no_is_told_in_the_words_of_a_line() -> None:
    fields = tuple(one for one in registry.game("sept").fields if one.kind == "flag")
    (column,) = sheets.columns(fields, seats=2)
    with pytest.raises(BadSheet, match="“maybe” is neither yes nor no"):
        sheets.read_row(fields, {column: "maybe"}, seats=2)
    assert sheets.read_row(fields, {column: "Oui"}, seats=2) == {column: True}


@pytest.mark.parametrize(("game", "text", "field"), [
    ("hombre", "", "contract"),
    ("hombre", "prendre", "hombre"),
    ("hombre", "prendre 1", "tricks"),
    ("comon", "fault", "offender"),
    ("comon", "5 3 2", None),
    ("cochonnet", "", "it"),
    ("cochonnet", "41", "it"),
    ("cochonnet", "61 30", None),  # 60 a round: it is over
    ("hombre", "p", "contract"),  # of “passed” or “prendre”
    ("comon", "f", "outcome"),  # of a rare end
    ("comon", "53", "tricks"),  # of 532
    ("loba", "", "mene"),  # its form asks for it first, where nobody knows it
    ("loba", "1", "finisher"),
    ("loba", "1 1", "points"),  # or the cards, which are named
    ("loba", "1 1 0-31-88", None),
    ("comon", "5,3", "tricks"),  # of 5,3,2, or a slip of the pen
    ("comon", "5-", "tricks"),
])  # fmt: skip
def test_what_a_line_asks_for_next(game: str, text: str, field: str | None) -> None:
    one = registry.game(game)
    options = with_defaults(one.options, {})
    asked = quick_lines.asked_next(one, text, seats=one.seat_count({}), options=options, known={})
    assert (None if asked is None else asked.field.name) == field


@pytest.mark.parametrize(("game", "text", "language", "said"), [
    ("belote-noisette", "2 f 40-32-60", "fr", "forced"),
    ("belote-noisette", "2 f 40-32-60", "en", "first round of the auction, forced to take"),
    ("hombre", "v 1", "fr", "vole"),
    ("hombre", "p 1", "fr", "prendre"),  # a word of other names, too, but the beginning of this one alone
    ("hombre", "p 1", "en", "passed out, prendre"),
    ("hombre", "v 1", "", "is none of these"),  # nobody’s language
    ("hombre", "prendre 1 5-2-2 1 couleur=c", "fr", "cœur, carreau"),  # the code of clubs, but no French word
    ("hombre", "prendre 1 5-2-2 1 couleur=d", "fr", "D"),  # nothing French begins so
    ("hombre", "prendre 1 5-2-2 1 trump=c", "en", "C"),
])  # fmt: skip
def test_one_letter_is_enough_where_no_other_word_begins_so(
    game: str, text: str, language: str, said: str
) -> None:
    one = registry.game(game)
    how: dict[str, Any] = {"seats": 3, "options": with_defaults(one.options, {}), "known": {}}
    try:
        told = ", ".join(map(str, quick_lines.read(one, text, **how, language=language).values()))
        assert "," not in said, "it had to be refused"
    except BadSheet as error:
        told = error.constraint.to(language or "en")
        assert " " in said, "it had to be read"
    assert said in told


@pytest.mark.parametrize(("game", "text", "block", "whose"), [
    ("comon", "", 0, 1),
    ("belote-noisette", "2 1 40", 0, 2),
    ("cochonnet", "41", 1, 2),
    ("cochonnet", "41 30 / 45", 2, 2),
    ("cochonnet", "41 30", 2, 1),
    ("tarot-triple-detente", "5-7 6-7 / 7-7", 2, 1),
    ("tarot-triple-detente", "5-7 6-7 /", 2, 1),
])  # fmt: skip
def test_whose_value_a_line_asks_for_next(game: str, text: str, block: int, whose: int) -> None:
    one = registry.game(game)
    options = with_defaults(one.options, {})
    asked = quick_lines.asked_next(one, text, seats=one.seat_count({}), options=options, known={})
    assert asked is not None
    assert (asked.place.block, asked.place.whose) == (block, whose)


def test_a_number_that_is_wrong_is_found_among_several() -> None:
    with pytest.raises(quick_lines.Misread) as refused:
        line("cochonnet", "41 30 / 45 33 / 38 299 / 35 40")
    assert (refused.value.place, refused.value.part.per_side) == (quick_lines.Place(3, 2), True)


@pytest.mark.parametrize(("text", "order"), [
    ("", ["contract", "hombre?", "tricks?", "made?", "matadors?"]),
    ("none", ["contract"]),
    ("prendre", ["contract", "hombre", "tricks", "matadors?"]),  # only whoever takes the pot has any
    ("prendre 1 5-2-2", ["contract", "hombre", "tricks", "matadors"]),
    ("prendre 3 4-4-1", ["contract", "hombre", "tricks"]),
    ("vole 1", ["contract", "hombre", "made", "matadors?"]),
    ("vole 1 yes", ["contract", "hombre", "made", "matadors"]),
    ("xyzzy", []),
])  # fmt: skip
def test_the_fields_that_follow_from_what_has_been_typed(text: str, order: list[str]) -> None:
    game = registry.game("hombre")
    how: dict[str, Any] = {"seats": 3, "options": with_defaults(game.options, {}), "known": {}}
    found = quick_lines.order_after(game, text, **how)
    assert [field.name + ("" if is_asked else "?") for field, is_asked in found] == order


@every_game
def test_every_word_of_a_form_is_read_as_it_is_shown(game: Game[Any]) -> None:
    seats = game.seat_count({})
    how: dict[str, Any] = {"seats": seats, "options": with_defaults(game.options, {}), "known": {}}
    first = quick_lines.order_of(game)[0] if not any(s.widget == "blocks" for s in game.form.steps) else None
    choices = first.choices if first is not None and not first.is_listed else ()
    for choice in choices:
        for language in LANGUAGES:
            shown = game.names[choice].to(language) if choice in game.names else choice
            sheet = quick_lines.read(game, shown, **how)
            assert sheet[first.name] == choice, (shown, sheet)  # type: ignore[union-attr]
    for door in game.form.other:
        for language in LANGUAGES:
            sheet = quick_lines.read(game, door.label.to(language), **how)
            assert sheet.items() >= door.sets.items(), door.label.to(language)


@every_game
def test_every_sheet_of_a_robot_is_written_in_a_line_and_read_again(game: Game[Any]) -> None:
    """And so is the example of a usual result; half of the lines are short enough to be typed at a glance."""
    lengths = []
    for number in range(1, 1 + many(6, 40)):
        played = board(game, "quick lines", number)
        played.play()
        sheet, conditions = game.summarise(played.state), played.file["conditions"]
        public = {condition.name for condition in game.conditions}
        known = game.known(played.deal, conditions)
        known = conditions | {name: value for name, value in known.items() if name in public}
        lengths.append(asked_again(game, sheet, played.options, known))
    asked_again(game, game.form.example, with_defaults(game.options, {}), {})
    assert sorted(lengths)[len(lengths) // 2] <= 20


@every_game
def test_what_is_named_in_a_line_is_named_in_words_that_are_read(game: Game[Any]) -> None:
    how: dict[str, Any] = {
        "seats": game.seat_count({}),
        "options": with_defaults(game.options, {}),
        "known": {},
    }
    for language in LANGUAGES:
        names = [quick_lines.name_of(game, field, language) for field in quick_lines.named(game)]
        assert len(set(names)) == len(names)
        assert not any("_" in name for name in names), "a name of a program is no word of a page"
        for name, field in zip(names, quick_lines.named(game), strict=True):
            fields = quick_lines._line_fields(game)
            assert quick_lines._field_called(name, fields) is field
        written = quick_lines.write(game, game.form.example, language=language, **how)
        read = quick_lines.read(game, written, **how)
        again = quick_lines.read(game, quick_lines.write(game, game.form.example, **how), **how)
        assert read == again, written
        for field in [part for one in game.fields for part in (one, *one.of)]:
            for choice in field.choices:
                word = quick_lines.word_of(game, field, choice, language)
                assert quick_lines.read_value(game, field, word, seats=3) == choice, (word, choice)


@every_game
def test_what_a_line_says_may_stand_next_is_read_there(game: Game[Any]) -> None:
    options = with_defaults(game.options, {})
    how: dict[str, Any] = {"seats": game.seat_count({}), "options": options, "known": {}}
    for language in LANGUAGES:
        words = quick_lines.write(game, game.form.example, language=language, **how).split()
        for count in range(len(words)):
            begun = " ".join(words[:count])
            asked = quick_lines.asked_next(game, begun, **how)
            for choice in asked.choices if asked is not None else ():
                is_word = asked is not None and asked.field.kind == "choice" and choice in game.names
                shown = game.names[choice].to(language) if is_word else choice
                quick_lines.read(game, f"{begun} {shown}", **how)


@every_game
def test_several_things_of_a_field_are_written_in_a_cell_and_read_again(game: Game[Any]) -> None:
    """As a director corrects them, and as a club's file may have them: not as JSON, which is read as well."""
    for number in range(1, 1 + many(3, 40)):
        played = board(game, "cells", number)
        played.play()
        sheet = game.summarise(played.state)
        seats = game.seat_count(played.file["conditions"])
        for field in game.fields:
            if field.kind not in JSON_KINDS or not sheet.get(field.name):
                continue
            text = quick_lines.write_value(game, field, sheet[field.name], seats=seats)
            for cell in (text, json.dumps(sheet[field.name])):
                cells = quick_lines.in_json(game, {field.name: cell}, seats=seats)
                known = sheet | sheets.read_row((field,), cells, seats=seats)
                first, second = (plain(one[field.name]) for one in (sheet, known))
                assert first == second, (field.name, cell)


def plain(value: Any) -> Any:
    """A value without what is left out, and with nothing where nothing is said."""
    if isinstance(value, dict):
        told = {name: plain(one) for name, one in value.items()}
        return {name: one for name, one in told.items() if one not in (None, False, [])}
    return [plain(one) for one in value if one is not None] if isinstance(value, list) else value


def asked_again(game: Game[Any], sheet: Any, options: Any, known: Any) -> int:
    seats = game.seat_count(known)
    how: dict[str, Any] = {"seats": seats, "options": options, "known": known}
    text = quick_lines.write(game, sheet, **how)
    again = quick_lines.read(game, text, **how)
    given = {**how, "known": game.known(None, known)}
    first, second = (sheets.check(game.form, one, **given) for one in (sheet, again))
    assert first == second, text
    return len(text.split())
