"""A phone that fills in any game's result sheet: it knows the form, as plain data, and nothing of the game.

It draws what is on offer from fields, rules and answers, enters what is implied, counts the taps, and
yields the sheet. docs/forms.md says the same in words.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from engines import expressions
from engines.expressions import UNKNOWN

Data = dict[str, Any]
Answer = Mapping[str, Any]  # values by field
WINDOW = 150  # values that one square shows


_functions: dict[int, tuple[Any, expressions.Function]] = {}  # by the identity of their data, which stays


def function(data: Any) -> expressions.Function:
    """What computes an expression, made once."""
    if id(data) not in _functions:
        _functions[id(data)] = data, expressions.function(data)
    return _functions[id(data)][1]


class Grey(Exception):
    """A key that cannot be tapped now, and why."""


@dataclass(frozen=True, slots=True)
class Move:
    """One answer that was tapped in. `place`: the seat or side, where it is of one; `block`: the number of
    the block, where it is of one; `door`: it lies behind *Something else…*."""

    step: Data
    place: int | None
    answer: Answer
    block: int | None = None
    door: bool = False


class Entry:
    """The questions of one sheet, or of one of the blocks in it."""

    def __init__(self, form: Data, around: Answer) -> None:
        self.fields: dict[str, Data] = {field["name"]: field for field in form["fields"]}
        self.rules: list[Data] = form["rules"]
        self.steps: list[Data] = form["steps"]
        self.around = around
        self.answers: dict[str, Any] = {}  # by field; of each seat or side a dictionary
        self.taps = 0
        self.moves: list[Move] = []
        self.window: Any = None

    # What is known

    def values(self) -> dict[str, Any]:
        """The values of all fields, as far as they are known: computed again until nothing changes."""
        known = {**self.around, **dict.fromkeys(self.fields, UNKNOWN)}
        for _round in range(6):
            before = dict(known)
            for name in self.fields:
                known[name] = self.value(name, known)
            if known == before:
                break
        return known

    def value(self, name: str, known: Answer) -> Any:
        field = self.fields[name]
        if self.holds(field.get("when"), known) is False:
            return None
        if self.is_listed(field) and name in self.answers:
            return self.listed(field, known)
        if name in self.answers:
            return self.answers[name]
        if "implied" in field and not self.is_listed(field):
            implied = function(field["implied"])(known)
            if implied is not UNKNOWN and implied is not None:
                return implied
        if "usual" in field:
            return field["usual"]
        asked = [
            self.holds(step.get("when"), known)
            for step in self.steps
            if name in step["fields"] and not step.get("rare")
        ]
        if any(one is not False for one in asked):
            return self.listed(field, known) if self.is_listed(field) else UNKNOWN
        if "needed" in field and self.holds(field["needed"], known) is not False:
            return UNKNOWN
        return None if field.get("optional") or self.has_been_asked(name) else UNKNOWN

    def has_been_asked(self, name: str) -> bool:
        return any(name in step["fields"] and step.get("rare") for step in self.steps) and bool(
            self.fields[name].get("nobody")
        )

    def is_listed(self, field: Data) -> bool:
        return bool(field.get("per_seat") or field.get("per_side"))

    def places(self, field: Data) -> list[int]:
        return list(self.around["seats"]) if field.get("per_seat") else [1, 2]

    def listed(self, field: Data, known: Answer) -> list[Any]:
        """One value for each seat; the last one of a sum enters itself."""
        given = self.answers.get(field["name"], {})
        if field.get("usual") is not None and not given:
            return list(field["usual"])
        spare = field["usual"] if field.get("usual") is not None else None
        places = self.places(field)
        listed = [given.get(place, spare[place - 1] if spare else UNKNOWN) for place in places]
        if "implied" in field:
            for place, one in enumerate(listed, 1):
                implied = function(field["implied"])({**known, "seat": place})
                if one is UNKNOWN and isinstance(implied, int):
                    listed[place - 1] = implied
        if "total" in field and listed.count(UNKNOWN) == 1:
            total = function(field["total"])(known)
            if isinstance(total, int):
                rest = total - sum(one for one in listed if one is not UNKNOWN)
                listed[listed.index(UNKNOWN)] = rest
        return listed

    def holds(self, data: Any, known: Answer) -> Any:
        return True if data is None else function(data)(known)

    # What is asked

    def open_steps(self) -> Iterator[Data]:
        """The questions that exist now."""
        known = self.values()
        for step in self.steps:
            fields = [self.fields[name] for name in step["fields"]]
            if self.holds(step.get("when"), known) is True and any(
                self.holds(field.get("when"), known) is True for field in fields
            ):
                yield step

    def is_complete(self, step: Data, known: Answer) -> bool:
        if step.get("rare"):
            return True
        return all(self.is_known(known[name]) for name in step["fields"])

    def is_known(self, value: Any) -> bool:
        return value is not UNKNOWN and not (isinstance(value, list) and UNKNOWN in value)

    def is_whole(self) -> bool:
        known = self.values()
        return all(self.is_known(known[name]) for name in self.fields)

    def next_step(self) -> Data | None:
        known = self.values()
        return next((step for step in self.open_steps() if not self.is_complete(step, known)), None)

    def next_place(self, step: Data, touched: int | None = None) -> int | None:
        """The seat whose turn it is in a step that has a value for each; None where a tap answers all."""
        fields = [self.fields[name] for name in step["fields"]]
        listed = next((field for field in fields if self.is_listed(field)), None)
        if listed is None:
            return None
        known, places = self.values(), self.places(listed)
        first = known.get(step["first"], 1) if "first" in step else 1
        if first is UNKNOWN and touched is not None:
            return touched
        first = first if isinstance(first, int) else 1
        order = places[first - 1 :] + places[: first - 1]
        values = known[listed["name"]]
        return next((place for place in order if values[place - 1] is UNKNOWN), order[0])

    # What is tapped

    def tap(self, step: Data, place: int | None, answer: Answer, *, costs: int = 1) -> None:
        """One key. Grey says why it cannot be tapped, and changes nothing."""
        before_answers = {
            name: dict(value) if isinstance(value, dict) else value for name, value in self.answers.items()
        }
        move = Move(step, place, answer)
        if place is not None and "first" in step and self.values().get(step["first"]) is UNKNOWN:
            answer = {**answer, step["first"]: place}  # the seat touched first
        for name, value in answer.items():
            field = self.fields[name]
            self.check_on_offer(step, field, value)
            if self.is_listed(field) and place is not None:
                self.answers.setdefault(name, {})[place] = value
            elif self.is_listed(field):
                self.answers[name] = dict(zip(self.places(field), value, strict=True))
            else:
                self.answers[name] = value
        known = self.values()
        if why := self.broken(known):
            self.answers = before_answers
            raise Grey(why)
        self.taps += costs
        self.moves.append(move)

    def check_on_offer(self, step: Data, field: Data, value: Any) -> None:
        if step.get("shapes"):
            return
        if not on_offer(field, value, self.around["seats"], scalar=True):
            raise Grey(f"{field['name']}: {value} is not on offer")

    def broken(self, known: Answer) -> str:
        """The rule that cannot hold any more; nothing if all may."""
        for name, field in self.fields.items():
            values = known[name] if self.is_listed(field) else [known[name]]
            for value in values if isinstance(values, list) else ():
                if value is not UNKNOWN and value is not None:
                    if not on_offer(field, value, self.around["seats"], scalar=True):
                        return f"{name}: {value}"
                    inner = self.broken_within(field, value)
                    if inner:
                        return inner
            if "total" in field and isinstance(known[name], list) and self.is_known(known[name]):
                total = function(field["total"])(known)
                if isinstance(total, int) and sum(known[name]) != total:
                    return f"{name}: adds up to {sum(known[name])}"
        return broken_rule(self.rules, known)

    def broken_within(self, field: Data, value: Any) -> str:
        if not field.get("rules"):
            return ""
        bare = len(field["of"]) == 1 and field["of"][0]["name"] == "it"
        for part in value if field["kind"] == "list" else [value]:
            inner = {"it": part} if bare else {one["name"]: part.get(one["name"]) for one in field["of"]}
            if why := broken_rule(field["rules"], {**self.around, **inner}):
                return why
        return ""

    # The sheet

    def sheet(self) -> Data:
        """What the form has entered: what belongs to the deal and is known."""
        known = self.values()
        sheet = {}
        for name, field in self.fields.items():
            absent = known[name] is None and not field.get("nobody")
            if not absent and self.holds(field.get("when"), known) is True:
                sheet[name] = known[name]
        return sheet


def broken_rule(rules: Sequence[Data], known: Answer) -> str:
    for rule in rules:
        holds = function(rule["holds"])
        if "each" not in rule:
            if holds(known) is False:
                return str(rule["says"])
            continue
        variable, whole = rule["each"]
        elements = function(whole)(known)
        for element in elements if isinstance(elements, list) else ():
            if holds({**known, variable: element}) is False:
                return str(rule["says"])
    return ""


def on_offer(field: Data, value: Any, seats: Sequence[int], *, scalar: bool = False) -> bool:
    """Whether a value is among those of a field."""
    if not scalar and (field.get("per_seat") or field.get("per_side")):
        count = len(seats) if field.get("per_seat") else 2
        return (
            isinstance(value, list)
            and len(value) == count
            and all(on_offer(field, one, seats, scalar=True) for one in value)
        )
    if value is None:
        return bool(field.get("nobody") or field.get("optional"))
    match field["kind"]:
        case "choice":
            return value in [choice["value"] for choice in field["choices"]]
        case "whole":
            most = field["most"] if field["most"] is not None else 10**6
            good = field["least"] <= value <= most and value % field["step"] == 0
            return good and value not in field.get("never", []) and value in field.get("among", [value])
        case "seat":
            return value in seats
        case "seats":
            return set(value) <= set(seats) and len(set(value)) == len(value)
        case "flag":
            return isinstance(value, bool)
        case "list":
            return all(_part_on_offer(field, one, seats) for one in value)
        case "object":
            return _part_on_offer(field, value, seats)
    return True


def _part_on_offer(field: Data, value: Any, seats: Sequence[int]) -> bool:
    if len(field["of"]) == 1 and field["of"][0]["name"] == "it":
        return on_offer(field["of"][0], value, seats)
    return all(on_offer(part, value.get(part["name"]), seats) or "when" in part for part in field["of"])


def drawn(field: Data, seats: Sequence[int], random: Random, most: int | None = None) -> Any:
    """Any value of a field, of one seat where it has one for each."""
    if field.get("nobody") and random.random() < 0.3:
        return None
    match field["kind"]:
        case "choice":
            return random.choice(field["choices"])["value"]
        case "whole":
            if field.get("among"):
                return random.choice(field["among"])
            top = most or field["most"] or WINDOW
            return (
                random.randrange(-(-field["least"] // field["step"]), top // field["step"] + 1)
                * field["step"]
            )
        case "seat":
            return random.choice(seats)
        case "flag":
            return random.random() < 0.5
        case "seats":
            return sorted(random.sample(seats, random.randint(1, len(seats))))
        case "object":
            return drawn_part(field, seats, random)
        case "list":
            return [drawn_part(field, seats, random)]
    return "x"


def drawn_part(field: Data, seats: Sequence[int], random: Random) -> Any:
    values = {}
    for part in field["of"]:
        count = len(seats) if part.get("per_seat") else 2 if part.get("per_side") else 0
        if part.get("optional") and random.random() < 0.5:
            values[part["name"]] = None
            continue
        values[part["name"]] = (
            [drawn(part, seats, random) for _ in range(count)] if count else drawn(part, seats, random)
        )
    return values["it"] if list(values) == ["it"] else values


class Phone(Entry):
    """The form of one board."""

    def __init__(self, form: Data) -> None:
        form = json.loads(json.dumps(form))
        super().__init__(form, {"seats": form["seats"], "option": form["option"], "known": form["known"]})
        self.doors: list[Data] = form["other"]

    def open_door(self, door: Data, answer: Answer) -> None:
        """*Something else…*, and one of the ends behind it."""
        step = {"widget": "door", "fields": list(door["sets"]), "shapes": [{}]}
        self.tap(step, None, {**door["sets"], **answer}, costs=2)
        self.moves[-1] = replace(self.moves[-1], door=True)

    def is_told(self, name: str, wanted: Data) -> bool:
        return wanted.get(name) not in (None, [], self.fields[name].get("usual"))

    # Blocks

    def block(self, step: Data) -> Entry:
        """The next block of a step that asks the same questions again."""
        (name,) = step["fields"]
        field = self.fields[name]
        done = self.answers.get(name, [])
        inner = {"fields": field["of"], "rules": field.get("rules", []), "steps": step["steps"]}
        return Entry(inner, {**self.around, name: done, "number": len(done) + 1})

    def close_block(self, step: Data, block: Entry) -> None:
        (name,) = step["fields"]
        known = block.values()
        told = {one: known[one] for one in block.fields}
        done = [*self.answers.get(name, []), told["it"] if list(told) == ["it"] else told]
        for question in step.get("once", ()):
            done = self.untold(question, name, done)
        self.tap({"shapes": [{}]}, None, {name: done}, costs=block.taps)
        self.moves[-1:] = [replace(move, block=len(done) - 1) for move in block.moves]

    def untold(self, question: Data, name: str, done: list[Any]) -> list[Any]:
        """Blocks with the answer of a question that is asked once of all of them: nobody has told it yet, if
        it has to be told."""
        (field,) = question["fields"]
        bare = [{**one, field: None} for one in done]
        is_asked = self.holds(question.get("when"), {**self.values(), name: bare}) is True
        return [{**one, field: UNKNOWN} for one in done] if is_asked else bare

    def tap_once(self, step: Data, question: Data, at: int, value: Any) -> None:
        """A question that is asked once of all blocks: in which of them, and what."""
        (name,), (field,) = step["fields"], question["fields"]
        done = [
            {**one, field: value if place == at else None} for place, one in enumerate(self.answers[name])
        ]
        self.check_on_offer(question, next(o for o in self.fields[name]["of"] if o["name"] == field), value)
        self.tap({"shapes": [{}]}, None, {name: done})
        self.moves[-1] = Move(question, None, {field: value}, block=at)

    def tap_beside(self, step: Data, question: Data, at: int, answer: Answer) -> None:
        """What belongs to a block that has been closed, beside its own questions."""
        (name,) = step["fields"]
        done = [one | answer if place == at else one for place, one in enumerate(self.answers[name])]
        self.tap({"shapes": [{}]}, None, {name: done})
        self.moves[-1] = Move(question, None, answer, block=at)

    def open_questions(self, step: Data) -> list[Data]:
        """Those asked once of all blocks that nobody has told."""
        done = self.answers.get(step["fields"][0], [])
        return [
            one for one in step.get("once", ()) if any(part[one["fields"][0]] is UNKNOWN for part in done)
        ]

    def wants_block(self, step: Data) -> bool:
        known = self.values()
        (name,) = step["fields"]
        done = self.answers.get(name, [])
        if len(done) >= function(step["blocks"])(known):
            return False
        return not done or "until" not in step or function(step["until"])({**known, name: done}) is not True


# ── Who taps ──────────────────────────────────────────────────────────────────────────────────────


def at_random(form: Data, random: Random) -> Phone | None:
    """A form filled in by chance; None if it came to a dead end, from which one goes back by *undo*."""
    phone = Phone(form)
    if phone.doors and random.random() < 0.3:
        door = random.choice(phone.doors)
        fields = [phone.fields[name] for name in door.get("fields", ())]
        answer = {field["name"]: _drawn_whole(field, phone, random) for field in fields}
        try:
            phone.open_door(door, answer)
        except Grey:
            return None
    for step in phone.open_steps():
        if step.get("rare") and not step.get("unsure") and random.random() < 0.4:
            _tap_any(phone, step, random)
    for _question in range(60):
        step = next((s for s in phone.open_steps() if "blocks" in s and phone.wants_block(s)), None)
        if step is not None:
            block = phone.block(step)
            if not _fill(block, random):
                return None
            try:
                phone.close_block(step, block)
            except Grey:
                return None
            continue
        if any(phone.open_questions(step) for step in phone.open_steps()):
            if not _tap_once_any(phone, random):
                return None
            continue
        step = phone.next_step()
        if step is None:
            break
        if not _tap_any(phone, step, random):
            return None
    return phone if phone.is_whole() else None


def _tap_once_any(phone: Phone, random: Random) -> bool:
    step = next(step for step in phone.open_steps() if phone.open_questions(step))
    (question,) = phone.open_questions(step)
    for _try in range(60):
        at = random.randrange(len(phone.answers[step["fields"][0]]))
        try:
            phone.tap_once(step, question, at, random.choice(phone.around["seats"]))
            return True
        except Grey:
            continue
    return False


def _fill(entry: Entry, random: Random) -> bool:
    for step in list(entry.open_steps()):
        if step.get("rare") and not step.get("unsure") and random.random() < 0.4:
            _tap_any(entry, step, random)
    for _question in range(30):
        step = entry.next_step()
        if step is None:
            return entry.is_whole()
        if not _tap_any(entry, step, random):
            return False
    return False


def _drawn_whole(field: Data, entry: Entry, random: Random) -> Any:
    if entry.is_listed(field):
        return [drawn(field, entry.around["seats"], random) for _ in entry.places(field)]
    return drawn(field, entry.around["seats"], random)


def _tap_any(entry: Entry, step: Data, random: Random) -> bool:
    place = None if step.get("shapes") else entry.next_place(step, random.choice(entry.around["seats"]))
    if step.get("rare") and place is not None:
        place = random.choice(entry.places(entry.fields[step["fields"][0]]))
    seats = entry.around["seats"]
    for _try in range(300):
        if step.get("shapes"):
            answer = dict(random.choice(step["shapes"]))
        else:
            answer = {}
            for name in step["fields"]:
                field = entry.fields[name]
                if entry.holds(field.get("when"), entry.values()) is False:
                    continue
                value = drawn(field, seats, random, step.get("most"))
                if field["kind"] == "list" and isinstance(entry.answers.get(name), list):
                    value = [*entry.answers[name], *value]
                answer[name] = value
        try:
            entry.tap(step, place, answer)
            return True
        except Grey:
            continue
    return False


def tapped_in(form: Data, wanted: Data) -> Phone:
    """The sheet tapped in, by the shortest way: Grey if the form cannot say it."""
    phone = Phone(form)
    known = {**phone.around, **dict.fromkeys(phone.fields), **wanted}
    for name, field in phone.fields.items():
        if "implied" in field and name not in wanted and not phone.is_listed(field):
            implied = function(field["implied"])(known)
            wanted = {**wanted, name: implied} if implied is not UNKNOWN else wanted
    _through_the_door(phone, wanted)
    _answer(phone, wanted)
    return phone


def _through_the_door(phone: Phone, wanted: Data) -> None:
    for door in phone.doors:
        if all(wanted.get(name) == value for name, value in door["sets"].items()):
            usual = {name: phone.fields[name].get("usual", UNKNOWN) for name in door["sets"]}
            asked = {name for step in phone.steps for name in step["fields"]}
            told = [name for name in door.get("fields", ()) if phone.is_told(name, wanted)]
            if usual != door["sets"] or not asked.issuperset(told):
                phone.open_door(door, {name: wanted.get(name) for name in door.get("fields", ())})
                return


def _answer(entry: Entry, wanted: Data) -> None:
    """Rare things first, as they may be needed for the rest; then each question that is open."""
    for _round in range(2):
        for step in list(entry.open_steps()):
            if step.get("rare"):
                _answer_rare(entry, step, wanted)
    for _question in range(60):
        step = None
        if isinstance(entry, Phone):
            step = next((s for s in entry.open_steps() if "blocks" in s and entry.wants_block(s)), None)
        if step is not None and isinstance(entry, Phone):
            block = entry.block(step)
            told = wanted[step["fields"][0]][len(entry.answers.get(step["fields"][0], []))]
            _answer(block, told if isinstance(told, dict) else {"it": told})
            entry.close_block(step, block)
            continue
        if isinstance(entry, Phone) and _answer_once(entry, wanted):
            continue
        step = entry.next_step()
        if step is None:
            break
        _answer_one(entry, step, wanted)
    if not entry.is_whole():
        raise Grey(f"not complete: {entry.values()}")
    for _round in range(2):
        for step in list(entry.open_steps()):
            if step.get("rare"):
                _answer_rare(entry, step, wanted)


def _answer_once(phone: Phone, wanted: Data) -> bool:
    for step in phone.open_steps():
        for question in phone.open_questions(step):
            (field,), told = question["fields"], wanted[step["fields"][0]]
            for at, one in enumerate(told):
                if one.get(field) is not None:
                    phone.tap_once(step, question, at, one[field])
                    _answer_beside(phone, step, at, one)
                    return True
    return False


def _answer_beside(phone: Phone, step: Data, at: int, wanted: Data) -> None:
    """What a block can have only now."""
    for question in step["steps"]:
        now = phone.answers[step["fields"][0]][at]
        for field in question["fields"] if question.get("rare") else ():
            if wanted.get(field) not in (None, False, now[field]) and not isinstance(wanted[field], list):
                phone.tap_beside(step, question, at, {field: wanted[field]})


def _answer_one(entry: Entry, step: Data, wanted: Data) -> None:
    place = entry.next_place(step, wanted.get(step.get("first", "")))
    if step.get("shapes"):
        for shape in step["shapes"]:
            if all(
                wanted.get(name, entry.fields[name].get("usual")) == value for name, value in shape.items()
            ):
                entry.tap(step, None, shape)
                return
    answer, costs = {}, 1
    for name in step["fields"]:
        field, known = entry.fields[name], entry.values()
        if entry.holds(field.get("when"), known) is False:
            continue
        if entry.is_listed(field) and place is not None:
            if len(step["fields"]) > 1 and known[name][place - 1] is not UNKNOWN:
                continue  # it has entered itself
            answer[name] = wanted[name][place - 1]
            costs = max(costs, _windows(entry, field, step, answer[name]))
        else:
            answer[name] = wanted[name]
    if "near" in step and len(answer) > 1:
        first, second = answer.values()
        costs += abs(first - second) > step["near"]
    entry.tap(step, place, answer, costs=costs)


def _windows(entry: Entry, field: Data, step: Data, value: Any) -> int:
    """The taps of a number: two where a window has to be chosen first, which stays for the next. The first
    window stands open, unless the seat that is touched first opens one."""
    most = step.get("most") or field.get("most")
    if field["kind"] != "whole" or most is None or (most - field["least"]) // field["step"] < WINDOW:
        return 1
    window = value // (WINDOW * field["step"])
    stands = 0 if entry.window is None and "first" not in step else entry.window
    costs = 1 if stands == window else 2
    entry.window = window
    return costs


def _answer_rare(entry: Entry, step: Data, wanted: Data) -> None:
    for name in step["fields"]:
        field, target = entry.fields[name], wanted.get(name)
        known = entry.values()
        if target is None or target == known[name] or entry.holds(field.get("when"), known) is False:
            continue
        if entry.is_listed(field):
            now = known[name] if isinstance(known[name], list) else [UNKNOWN] * len(target)
            for place, value in enumerate(target, 1):
                if value not in (None, now[place - 1]):
                    _try(entry, step, place, {name: value})
        elif field["kind"] in ("list", "seats"):
            for count in range(1, len(target) + 1):
                _try(entry, step, None, {name: target[:count]})
        else:
            _try(entry, step, None, {name: target})


def _try(entry: Entry, step: Data, place: int | None, answer: Answer) -> None:
    with suppress(Grey):  # later, when more is known
        entry.tap(step, place, answer)


def told(form: Data, sheet: Data) -> list[str]:
    """The sentences that the line says of a sheet."""
    usual = {field["name"]: field.get("usual") for field in form["fields"]}
    absent = {field["name"]: {part["name"]: None for part in field.get("of", ())} for field in form["fields"]}
    sheet = sheet | {
        name: [absent[name] | one if isinstance(one, dict) else one for one in value]
        for name, value in sheet.items()
        if isinstance(value, list)
    }
    known = {"seats": form["seats"], "option": form["option"], "known": form["known"], **usual, **sheet}
    said = []
    for sentence in form["sentences"]:
        if "when" in sentence and function(sentence["when"])(known) is not True:
            continue
        values = {
            name: function(data)(known)
            for name, kinds in sentence["values"].items()
            for data in kinds.values()
        }
        if UNKNOWN in values.values():
            raise ValueError(f"{sentence['says']}: {values}")
        said.append(sentence["says"].format(**values))
    return said
