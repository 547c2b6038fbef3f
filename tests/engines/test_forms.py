"""One suite for the result sheets of every game: what a form lets one tap is what the rules accept.

`taps` plays the phone. It reads a form as data and knows no game.
"""

import json
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engines import records, sheets
from engines.contract import Game, with_defaults
from engines.errors import BadSheet, NeedsDeal
from engines.expressions import UNKNOWN, expression
from engines.forms import NO_VALUE, Rule
from engines.phrases import LANGUAGES
from tests.samples import many

from . import goldens, taps
from .test_conformance import GAMES, board, every_game

PAGE = Path(__file__).parents[2] / "docs" / "forms.md"
SEND = 1


# ── Expressions ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sum(tricks) == 10", True),
        ("tricks[2] + 1 < tricks[1] - 1", True),
        ("tricks[taker] * 2 % 4", 0),
        ("taker in (1, 2) and not taker == 1", True),
        ("belote == None", True),
        ("fault.kind == 'revoke' and fault.seat in (3, None)", True),
        ("nothing.kind == None", True),  # a part of nothing is nothing
        ("sum(1 for seat in seats if tricks[seat] > 2)", 2),
        ("max(tricks) if len(tricks) == 3 else min(tricks)", 5),
        ("count(tricks, 3) == 1 and distinct(tricks)", True),
        ("any(one == 2 for one in tricks) and all(one > 1 for one in tricks)", True),
        ("-taker", -2),
        ("sum(told)", UNKNOWN),  # and what is not known yet
        ("so_far(told)", 7),
        ("told[1] == 4 or told[2] == 9", True),
        ("told[1] == 5 or told[2] == 9", UNKNOWN),
        ("told[1] == 5 and told[2] == 9", False),
        ("max(told) > 2", UNKNOWN),
        ("9 in told", UNKNOWN),
        ("3 in told", True),
        ("all(one < 9 for one in told)", UNKNOWN),
        ("all(one < 4 for one in told)", False),
        ("distinct(told)", True),
        ("not missing", UNKNOWN),
        ("1 if missing else 2", UNKNOWN),
        ("belote < 3", UNKNOWN),
    ],
)
def test_expressions_are_data_and_say_what_is_known(text: str, value: Any) -> None:
    known = {
        "seats": [1, 2, 3],
        "tricks": [5, 2, 3],
        "told": [4, UNKNOWN, 3],
        "taker": 2,
        "belote": None,
        "nothing": None,
        "fault": {"kind": "revoke", "seat": 3},
    }
    assert expression(text).value(known) == value or expression(text).value(known) is value
    data = json.loads(json.dumps(expression(text).data))
    assert expression(text).data == data


@pytest.mark.parametrize(
    "text", ["open('x')", "tricks.__class__()", "lambda: 1", "[n for n in tricks]", "2 ** 9"]
)
def test_an_expression_is_never_code(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        expression(text).data  # noqa: B018 - read for its error


# ── Every game's form ─────────────────────────────────────────────────────────────────────────────


PATIENT_FORMS = 60  # some games rule out most of what is tapped at random


@every_game
def test_what_robots_play_can_be_tapped_in_and_gives_the_same_marks(game: Game[Any]) -> None:
    for number in range(1, 1 + many(2, 4)):
        with board(game, "forms", number) as played:
            played.play()
            sheet, conditions = game.summarise(played.state), played.file["conditions"]
            known = conditions | {
                name: value
                for name, value in game.known(played.deal, conditions).items()
                if name in {condition.name for condition in game.conditions}
            }
            phone = taps.tapped_in(game.show_form("en", played.options, known), sheet)
            scored = game.score(
                phone.sheet(), deal=played.deal, options=played.options, conditions=conditions
            )
            assert scored.scores == played.state.outcome().scores
            assert Draft202012Validator(game.sheet_schema("fr", conditions)).is_valid(sheet)


@every_game
def test_whatever_random_taps_complete_is_accepted_without_a_deal(game: Game[Any]) -> None:
    random, complete = Random(f"taps of {game.id}"), 0
    for form in range(PATIENT_FORMS):
        if form >= many(8, 20) and complete >= 3:
            break
        options = {option.name: random.choice(option.values) for option in game.options}
        conditions = {
            one.name: random.choice(one.values)
            for one in game.conditions
            if one.values and random.random() < 0.7
        }
        phone = taps.at_random(game.show_form("en", options, conditions), random)
        if phone is not None:
            complete += 1
            sheet = json.loads(json.dumps(phone.sheet()))
            try:
                game.score(sheet, options=options, conditions=conditions)
            except NeedsDeal:
                continue
            except BadSheet as error:
                pytest.fail(f"{error}: {sheet} {options} {conditions}")
    assert complete >= 3, "forms end without going back"


@every_game
def test_what_is_read_as_a_whole_keeps_each_rule_asked_by_itself(game: Game[Any]) -> None:
    """A sheet is read by one function that knows of what kind each value is, a form asks its rules one by one
    and knows nothing: of whole sheets and of random changes to them both say the same."""
    random, asked = Random(f"rules of {game.id}"), {True: 0, False: 0}
    for number in range(1, 4):
        with board(game, "rules", number) as played:
            played.play()
            seats = game.seat_count(played.file["conditions"])
            around = {"seats": list(range(1, seats + 1)), "option": played.options}
            around["known"] = game.known(played.deal, played.file["conditions"])
            whole = json.loads(json.dumps(game.summarise(played.state)))
            for sheet in [whole, *(changed(whole, random) for _ in range(40))]:
                broken = None
                try:
                    told = sheets.check(
                        game.form, sheet, seats=seats, options=played.options, known=around["known"]
                    )
                except BadSheet as error:
                    broken = next((r for r in game.form.rules if r.says.text == error.constraint.text), None)
                    if broken is None:
                        continue  # a value by itself, or one that is missing
                    usual = {one.name: one.usual if one.optional else None for one in game.fields}
                    told = {**{name: None if v is NO_VALUE else v for name, v in usual.items()}, **sheet}
                asked[broken is None] += 1
                kept = [keeps(rule, {**around, **told}) for rule in game.form.rules]
                if broken is None:
                    assert all(kept), sheet
                elif not any(one.of for one in game.fields):  # of parts, which are completed, we know less
                    assert not kept[game.form.rules.index(broken)], (sheet, broken)
    assert asked[True] >= 3


def changed(sheet: Any, random: Random) -> Any:
    """The sheet with another number, or other numbers, somewhere."""
    copy = json.loads(json.dumps(sheet))
    for _ in range(random.choice((1, 2))):
        inside, place = copy, random.choice(list(copy))
        while isinstance(inside[place], list | dict) and inside[place]:
            inside = inside[place]
            place = random.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        if type(inside[place]) is int:
            inside[place] = max(0, inside[place] + random.choice((-2, -1, 1, 2, 10)))
        elif isinstance(inside[place], bool):
            inside[place] = not inside[place]
        elif random.random() < 0.2:
            inside[place] = None
    return copy


def keeps(rule: Rule, values: dict[str, Any]) -> bool:
    holds = expression(rule.holds).value
    if not rule.each:
        return holds(values) is not False
    variable, among = rule.over()
    elements = expression(among).value(values)
    return all(
        holds({**values, variable: one}) is not False
        for one in (elements if isinstance(elements, list) else ())
    )


@cache
def usual_taps() -> dict[str, int]:
    """The table of docs/forms.md: taps of the usual result by game."""
    return {
        game: int(count)
        for game, count in re.findall(r"^\| `([a-z0-9-]+)` \|.*\| (\d+) \|$", PAGE.read_text("utf-8"), re.M)
    }


@every_game
def test_the_usual_result_takes_as_many_taps_as_the_page_says(game: Game[Any]) -> None:
    conditions = {one.name: one.default for one in game.conditions if one.values}
    example = dict(game.form.example)
    phone = taps.tapped_in(game.show_form("en", {}, conditions), example)
    assert phone.taps + SEND == usual_taps()[game.id]
    marks = [game.score(sheet, conditions=conditions).scores for sheet in (phone.sheet(), example)]
    assert marks[0] == marks[1]


@every_game
def test_a_sheet_has_a_schema_in_both_languages(game: Game[Any]) -> None:
    paths = [path for path in goldens.files() if path.parent.name == game.id]
    for language in LANGUAGES:
        schema = game.sheet_schema(language, {})
        Draft202012Validator.check_schema(schema)
        assert Draft202012Validator(schema).is_valid(dict(game.form.example))
        assert not Draft202012Validator(schema).is_valid({"nonsense": 1})
        for path in paths:
            golden = json.loads(path.read_text("utf-8"))
            conditions = records.read(golden["record"]).conditions
            errors = list(
                Draft202012Validator(game.sheet_schema(language, conditions)).iter_errors(golden["sheet"])
            )
            assert errors == []
    english, french = (json.dumps(game.show_form(language, {}, {})) for language in ("en", "fr"))
    assert english != french


@every_game
def test_every_sheet_has_its_sentence(game: Game[Any]) -> None:
    """The line tells each golden record in one sentence, of whose values none is left open."""
    for path in goldens.files():
        if path.parent.name != game.id:
            continue
        golden = json.loads(path.read_text("utf-8"))
        record = records.read(golden["record"])
        options = with_defaults(game.options, record.options)
        form = game.show_form("en", options, record.conditions)
        told = taps.told(form, golden["sheet"])
        assert len(told) == 1, (path.name, told)


def test_one_round_is_not_told_as_several() -> None:
    game = next(game for game in GAMES if game.id == "cochonnet")
    form = game.show_form("en", with_defaults(game.options, {}), {})
    (one,) = taps.told(form, {"rounds": [[61, 30]]})
    (two,) = taps.told(form, {"rounds": [[41, 30], [45, 33]]})
    assert ("in one round" in str(one), "in 2 rounds" in str(two)) == (True, True), (one, two)


def test_a_key_that_an_answer_rules_out_is_grey_and_says_why() -> None:
    form = next(game for game in GAMES if game.id == "comon").show_form("en", {}, {})
    phone = taps.Phone(form)
    (step,) = phone.open_steps()
    phone.tap(step, 1, {"tricks": 6})
    assert phone.values()["tricks"] == [6, UNKNOWN, UNKNOWN]
    with pytest.raises(taps.Grey, match="-1"):
        phone.tap(step, 2, {"tricks": 5})
    phone.tap(step, 2, {"tricks": 3})
    assert (phone.sheet(), phone.taps) == ({"outcome": "normal", "tricks": [6, 3, 1]}, 2)


def test_a_rule_says_why_in_the_language_of_the_form() -> None:
    form = next(game for game in GAMES if game.id == "sept").show_form("fr", {}, {})
    assert "90" in form["rules"][0]["says"]
    assert form["rules"][0]["holds"] == expression("not all_cards or max(points) == 90").data
