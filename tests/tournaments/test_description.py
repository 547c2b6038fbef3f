"""What was promised to programs holds: today’s description beside the released one, and the codes of
refusals."""

import ast
import json
import re

from tests.description import RELEASED, broken, promises
from tests.running import ROOT

from .test_strict import description

PERMITTED: dict[str, str] = {}
"""What may be broken, each with the release and its reason; docs/api.md says how such a thing is
announced."""

REFUSALS = {
    **dict.fromkeys(("Invalid", "Forbidden", "Missing", "Conflict", "Stale", "refusal"), 0),
    **{"problem_response": 1, "refuse": 2, "_refuse_unread": 3},
}
"""What refuses, each with the place of the code among its arguments."""


def test_nothing_that_was_released_is_gone_or_asks_for_more() -> None:
    """A change that has to be made is announced, and stands in PERMITTED until the next release."""
    found = broken(json.loads(RELEASED.read_text()), promises())
    assert sorted(found) == sorted(PERMITTED)


def test_a_promise_that_is_broken_is_noticed() -> None:
    before = promises()
    name = "POST sessions/{id}/prints/"
    changed = json.loads(json.dumps(before))
    del changed["GET games/"]
    changed["GET jobs/{id}/"]["name"] = "findJob"
    changed[name]["request"] = {"kinds": True, "pages": True}
    changed[name]["answers"]["202"].remove("progress")
    assert broken(before, before) == []
    assert set(broken(before, changed)) >= {
        "GET games/ is gone",
        "GET jobs/{id}/ is called findJob",
        f"{name}: request pages is required now",
        f"{name}: request size is gone",
        f"{name}: progress is gone from 202",
    }


def codes() -> set[str]:
    """The codes of all refusals, as the code writes them."""
    found = set()
    pages = {"problem_response": REFUSALS["problem_response"]}  # what else they refuse, they say to people
    places = {"tournaments": REFUSALS, "frontend": pages}
    for path, known in [
        (path, known) for name, known in places.items() for path in (ROOT / name).rglob("*.py")
    ]:
        for node in ast.walk(ast.parse(path.read_text())):
            texts: list[ast.expr] = []
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                texts = node.args[known[name] :][:1] if name in known else []
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "default_code":
                texts = [node.value]
            found |= {
                one.value for one in texts if isinstance(one, ast.Constant) and isinstance(one.value, str)
            }
    return found


def test_every_code_of_a_refusal_is_listed() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    listed = re.findall(r"`([a-z-]+)`", page.partition("## Codes")[2])
    assert sorted(listed) == sorted(set(listed)), "each once"
    assert set(listed) == codes() | {
        *("invalid", "not-found", "no-token", "bad-token", "not-allowed", "too-many-requests"),
        *("parse-error", "method-not-allowed", "not-acceptable", "unsupported-media-type"),
    }


def test_the_old_shape_of_refusals_is_marked_as_deprecated_and_nothing_beside_it() -> None:
    fields = description()["components"]["schemas"]["Problem"]["properties"]
    assert [name for name, schema in fields.items() if schema.get("deprecated")] == ["error"]
