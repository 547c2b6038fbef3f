"""The phone's own reading of forms, in JavaScript, says of every game's form what Python says of it: of all
expressions whatever is known, and of forms that are filled in by chance, tap after tap.

It is run by Node where there is one, else by Chromium.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engines.contract import Game
from engines.expressions import OPERATIONS, UNKNOWN, WRITERS, function
from tests.engines import taps
from tests.engines.test_conformance import GAMES
from tests.frontend.browsers import CHROMIUM, chromium
from tests.samples import many

LIB = Path(__file__).parents[2] / "frontend" / "static" / "frontend" / "lib"
NODE = shutil.which("node")
MODULES = ("expressions.js", "sheet-form.js")
UNTOLD = {"unknown": True}
CHECK = Path(__file__).with_name("differences.js").read_text("utf-8")


def as_json(value: Any) -> Any:
    """A value with what is unknown marked."""
    if value is UNKNOWN:
        return UNTOLD
    if isinstance(value, list):
        return [as_json(one) for one in value]
    if isinstance(value, dict):
        return {name: as_json(one) for name, one in value.items()}
    return value


def expressions_in(data: Any) -> Iterator[Any]:
    """All expressions of a form, and all in them."""
    if isinstance(data, dict):
        if len(data) == 1 and next(iter(data)) in WRITERS.keys() | OPERATIONS.keys():
            yield data
        for one in data.values():
            yield from expressions_in(one)
    elif isinstance(data, list):
        for one in data:
            yield from expressions_in(one)


def some_value(random: Random) -> Any:
    kind = random.randrange(9)
    if kind == 0:
        return UNKNOWN
    if kind == 1:
        return None
    if kind == 2:
        return random.random() < 0.5
    if kind == 3:
        return [random.choice([0, 1, 2, 5, UNKNOWN, None, True]) for _ in range(3)]
    if kind == 4:
        return {
            "seat": random.choice([1, 2, UNKNOWN]),
            "kind": random.choice(["revoke", "none"]),
            "id": "cent",
        }
    return random.choice([0, 1, 2, 3, 40, 90, 132, "none", "prendre", [{"seat": 2, "kind": "revoke"}]])


def names_in(data: Any) -> set[str]:
    if isinstance(data, dict):
        own = {data["get"][0]} if isinstance(data.get("get"), list) else set()
        return own.union(*(names_in(one) for one in data.values()))
    return set().union(*map(names_in, data)) if isinstance(data, list) else set()


def asked(form: dict[str, Any], random: Random) -> Iterator[dict[str, Any]]:
    """Expressions with values that fit and that do not, and what Python makes of them."""
    for data in expressions_in([form["rules"], form["steps"], form["fields"], form["sentences"]]):
        for _time in range(many(3, 20)):
            values = {name: some_value(random) for name in names_in(data)}
            values |= {"seats": form["seats"], "option": form["option"], "known": form["known"]}
            try:
                value = function(data)(values)
            except (TypeError, ValueError, IndexError, AttributeError, KeyError):
                continue  # of a kind that the field never has
            yield {"data": data, "values": as_json(values), "value": as_json(value)}


def states_of(form: dict[str, Any], random: Random) -> Iterator[dict[str, Any]]:
    """A form that is filled in by chance, after each tap, also where the tap was grey."""
    phone = taps.Phone(form)
    names = [f"Seat {seat}" for seat in form["seats"]]

    def state() -> dict[str, Any]:
        known, open_steps = phone.values(), list(phone.open_steps())
        following = phone.next_step()
        whole = phone.is_whole()
        sheet = phone.sheet() if whole else None
        return {
            "answers": as_json(phone.answers),
            "values": as_json({name: known[name] for name in phone.fields}),
            "open": [phone.steps.index(step) for step in open_steps],
            "next": -1 if following is None else phone.steps.index(following),
            "places": [_place(phone, step) for step in open_steps],
            "broken": bool(phone.broken(known)),
            "whole": whole,
            "sheet": as_json(sheet),
            "names": names,
        }

    yield state()
    for _tap in range(12):
        steps = [step for step in phone.open_steps() if "blocks" not in step and not step.get("steps")]
        if not steps:
            return
        step = random.choice(steps)
        place = None if step.get("shapes") else phone.next_place(step, random.choice(form["seats"]))
        answer = {}
        if step.get("shapes"):
            answer = dict(random.choice(step["shapes"]))
        else:
            for name in step["fields"]:
                answer[name] = taps.drawn(phone.fields[name], form["seats"], random, step.get("most"))
        before = {name: dict(one) if isinstance(one, dict) else one for name, one in phone.answers.items()}
        try:
            phone.tap(step, place, answer)
        except taps.Grey:
            phone.answers = before
            for name, value in answer.items():
                field = phone.fields[name]
                if not phone.is_listed(field):
                    phone.answers[name] = value
                elif place is not None:
                    phone.answers[name] = {**phone.answers.get(name, {}), place: value}
            yield state()
            phone.answers = before
            continue
        yield state()


def _place(phone: taps.Phone, step: dict[str, Any]) -> int | None:
    if step.get("shapes"):
        return None
    if "first" in step and phone.values().get(step["first"]) is UNKNOWN:
        return None
    return phone.next_place(step)


def of_game(game: Game[Any]) -> dict[str, Any]:
    random = Random(f"javascript of {game.id}")
    conditions = {one.name: one.default for one in game.conditions if one.values}
    form = json.loads(json.dumps(game.show_form("en", {}, conditions)))
    states = [state for _form in range(many(4, 40)) for state in states_of(form, random)]
    return {"game": game.id, "form": form, "expressions": list(asked(form, random)), "states": states}


def found_by_javascript(games: list[dict[str, Any]], folder: Path) -> list[Any]:
    if NODE is not None:
        lib = folder / "node_modules" / "lib"
        lib.mkdir(parents=True)
        for name in MODULES:
            (lib / name).write_text((LIB / name).read_text("utf-8"), "utf-8")
        (lib / "package.json").write_text('{"type": "module"}')
        (folder / "check.mjs").write_text(CHECK)
        (folder / "games.json").write_text(json.dumps(games))
        (folder / "run.mjs").write_text(
            'import { readFileSync } from "node:fs"\nimport { differences } from "./check.mjs"\n'
            'console.log(JSON.stringify(differences(JSON.parse(readFileSync("games.json")))))'
        )
        done = subprocess.run([NODE, "run.mjs"], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        return list(json.loads(done.stdout))
    sources = {f"https://etui.test/{name}": (LIB / name).read_text("utf-8") for name in MODULES}
    sources["https://etui.test/check.js"] = CHECK
    imports = {"imports": {"lib/": "https://etui.test/", "check": "https://etui.test/check.js"}}
    sources["https://etui.test/"] = f'<script type="importmap">{json.dumps(imports)}</script>'
    with chromium() as browser:
        page = browser.new_page()
        page.route(
            "**/*",
            lambda route: route.fulfill(
                body=sources[route.request.url],
                content_type="text/javascript" if route.request.url.endswith(".js") else "text/html",
            ),
        )
        page.goto("https://etui.test/")
        return list(page.evaluate("games => import('check').then(check => check.differences(games))", games))


@pytest.mark.skipif(NODE is None and CHROMIUM is None, reason="needs Node or Chromium")
def test_javascript_reads_every_form_as_python_does(tmp_path: Path) -> None:
    games = [of_game(game) for game in GAMES]
    assert sum(len(one["expressions"]) for one in games) > 1_000
    assert sum(len(one["states"]) for one in games) > 200
    assert found_by_javascript(games, tmp_path)[:3] == []
