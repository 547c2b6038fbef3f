"""What the description of the API promises, in few words: each operation with its name, its parameters, what
it takes and what it answers. `python -m tests.description` keeps today’s as the one that was released."""

import json
from pathlib import Path
from typing import Any

RELEASED = Path(__file__).parent / "tournaments" / "released_api.json"


def promises() -> dict[str, Any]:
    """By operation (`GET sessions/{id}/`): parameters and fields of the request, each with whether it is
    required, and by status the fields of the answer."""
    from drf_spectacular.generators import SchemaGenerator

    schema = SchemaGenerator().get_schema(public=True)
    parts = schema["components"]["schemas"]

    def fields(node: Any, *, depth: int = 0) -> dict[str, bool]:
        """The fields of an object, or of the objects of a list, by their names."""
        if "$ref" in node:
            node = parts[node["$ref"].rpartition("/")[2]]
        found: dict[str, bool] = {}
        for part in (*node.get("allOf", ()), *node.get("oneOf", ()), *node.get("anyOf", ())):
            found |= fields(part, depth=depth)
        required = set(node.get("required", ()))
        for name, value in node.get("properties", {}).items():
            found[name] = name in required
            if depth < 2:
                inner = value.get("items", value)
                found |= {f"{name}.{one}": is_in for one, is_in in fields(inner, depth=depth + 1).items()}
        if node.get("type") == "array":
            found |= fields(node["items"], depth=depth)
        return found

    def of_content(content: Any) -> dict[str, bool]:
        return fields(content["application/json"]["schema"]) if "application/json" in content else {}

    found = {}
    for path, operations in schema["paths"].items():
        for method, one in operations.items():
            if method in {"get", "post", "put", "patch", "delete"}:
                found[f"{method.upper()} {path.removeprefix('/api/v1/')}"] = {
                    "name": one["operationId"],
                    "parameters": {p["name"]: bool(p.get("required")) for p in one.get("parameters", ())},
                    "request": of_content(one.get("requestBody", {}).get("content", {})),
                    "answers": {
                        status: sorted(of_content(answer.get("content", {})))
                        for status, answer in one["responses"].items()
                        if status.startswith("2")
                    },
                }
    return dict(sorted(found.items()))


def broken(released: dict[str, Any], today: dict[str, Any]) -> list[str]:
    """What was promised and is no longer so: an operation, a name, a parameter, a field of an answer that is
    gone; something that has to be sent now."""
    found = []
    for name, before in released.items():
        if name not in today:
            found.append(f"{name} is gone")
            continue
        now = today[name]
        if before.get("name", now["name"]) != now["name"]:
            found.append(f"{name} is called {now['name']}")
        for part in ("parameters", "request"):
            found += [f"{name}: {part} {one} is gone" for one in before[part] if one not in now[part]]
            found += [
                f"{name}: {part} {one} is required now"
                for one, required in now[part].items()
                if required and not before[part].get(one, False) and is_asked(one, before[part])
            ]
        for status, fields in before["answers"].items():
            if status not in now["answers"]:
                found.append(f"{name}: no longer answers {status}")
                continue
            found += [
                f"{name}: {one} is gone from {status}" for one in fields if one not in now["answers"][status]
            ]
    return found


def is_asked(field: str, before: dict[str, bool]) -> bool:
    """Whether a field has to be sent by somebody who sends what they sent before: those of a new whole do
    not."""
    whole, dot, _part = field.rpartition(".")
    return not dot or whole in before


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    RELEASED.write_text(json.dumps(promises(), ensure_ascii=False, indent=1, sort_keys=True) + "\n")
