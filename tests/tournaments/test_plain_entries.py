"""The quick reader of results says nothing that the framework's fields do not say."""

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tournaments.api.serializers import plain_entries
from tournaments.api.serializers.results import EntriesSerializer

PLAIN = {"section": "A", "table": 3, "board": 7, "sheet": {"outcome": "normal", "tricks": [5, 3, 2]}}
TEXTS = some.sampled_from(
    ["", " ", "A", " A", "A\n", "é", "B" * 20, "B" * 21, "x" * 200, "x" * 201, "12", "1.0"]
)
NUMBERS = some.sampled_from([0, 1, -1, 10**6, 10**6 + 1, 10**15 - 1, 10**15, 1.0, 1.5, True, False])
ANYTHING = some.recursive(
    some.none() | TEXTS | NUMBERS,
    lambda parts: some.lists(parts, max_size=3) | some.dictionaries(TEXTS, parts, max_size=3),
    max_leaves=12,
)
KEYS = some.sampled_from([str(uuid4()), uuid4().hex, f"{{{uuid4()}}}", str(uuid4()).upper(), "7", 7, None])
ENTRIES = some.builds(
    lambda plain, odd, dropped: {name: v for name, v in (plain | odd).items() if name != dropped},
    some.builds(lambda: PLAIN | {"key": str(uuid4())}),
    some.fixed_dictionaries(
        {},
        optional={
            **dict.fromkeys(["section", "check", "reason"], TEXTS | ANYTHING),
            **dict.fromkeys(["table", "board", "seat"], NUMBERS | ANYTHING),
            **dict.fromkeys(["sheet", "more"], ANYTHING),
            "actions": some.lists(TEXTS, max_size=3) | ANYTHING,
            "key": KEYS,
        },
    ),
    some.sampled_from(["", "section", "table", "board", "key", "sheet"]),
)


def by_fields(body: Any) -> Any:
    """What the framework's fields say: the results, or None for what they refuse."""
    given = EntriesSerializer(data=body)
    return given.validated_data["submissions"] if given.is_valid() else None


@given(some.lists(ENTRIES, max_size=3))
def test_what_is_read_quickly_is_what_the_fields_read(entries: list[Any]) -> None:
    body = {"submissions": entries}
    quick = plain_entries.many(body)
    assert quick is None or quick == by_fields(body)
    if quick is not None:
        assert [list(map(type, one.content.values())) for one in quick] == [
            list(map(type, one.content.values())) for one in by_fields(body)
        ]


@pytest.mark.parametrize(
    "body",
    [
        {"submissions": [PLAIN | {"key": str(uuid4())} for _ in range(500)]},
        {"submissions": [{"table": 1, "board": 1, "key": str(uuid4()), "actions": ["bid:3", "play:AH"]}]},
        {"submissions": [PLAIN | {"key": str(uuid4()), "check": "K", "section": "B2"}]},
        {"submissions": [PLAIN | {"key": str(uuid4()), "seat": 2, "reason": "They said so."}]},
    ],
)
def test_what_most_senders_write_is_read_quickly(body: Any) -> None:
    assert plain_entries.many(body) == by_fields(body) is not None


@pytest.mark.parametrize(
    "body",
    [
        {"submissions": []},
        {"submissions": [PLAIN | {"key": str(uuid4())} for _ in range(501)]},
        {"submissions": [PLAIN | {"key": str(uuid4()), "actions": []}]},
        {"submissions": [PLAIN | {"key": str(uuid4()), "sheet": {"a": [[[[[[[[[1]]]]]]]]]}}]},
        {"submissions": [PLAIN | {"key": str(uuid4())}], "more": 1},
        *([], None, "submissions"),
    ],
)
def test_what_is_not_right_is_left_to_the_fields(body: Any) -> None:
    assert plain_entries.many(body) is None
    assert by_fields(body) is None
