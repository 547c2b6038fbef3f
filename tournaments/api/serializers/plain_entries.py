"""Results that are handed in, read quickly where everything about them is plainly right: in a twentieth of
the time that the framework's fields take. Whatever else comes is left to these (`serializers.results`): they
take what is right in another way, and say what is wrong. So this holds no rules of its own, only a quick yes.
"""

from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ...services.deliveries import ResultEntry
from .fields import DEPTH, HIGHEST, LONGEST, PARTS, SUSPECT

AT_ONCE = 500
SECTION, ACTION, ACTIONS = 20, 200, 2_000
SEATS, REASON = 20, 500
HIGHEST_NUMBER = 1_000_000
"""What the results of one request may have at most: how many there are; the characters of a section and of
an action; the actions of one; seats; the characters of a reason; the numbers of tables and boards."""

Number = Annotated[int, Meta(ge=1, le=HIGHEST_NUMBER)]
Seat = Annotated[int, Meta(ge=1, le=SEATS)]
Section = Annotated[str, Meta(pattern=r"(?s)\A\S(?:.*\S)?\Z", max_length=SECTION)]
Reason = Annotated[str, Meta(pattern=r"(?s)\A(?:\S(?:.*\S)?)?\Z", max_length=REASON)]
Letter = Annotated[str, Meta(pattern=r"\A[!-~]?\Z")]
Action = Annotated[str, Meta(pattern=r"\A[!-~]+\Z", max_length=ACTION)]
Text = Annotated[str, Meta(max_length=LONGEST)]
Whole = Annotated[int, Meta(gt=-HIGHEST, lt=HIGHEST)]
Broken = Annotated[float, Meta(gt=-HIGHEST, lt=HIGHEST)]


def _json() -> Any:
    """JSON of so many levels at most."""
    kind: Any = Text | Whole | Broken | bool | None
    for _level in range(DEPTH):
        parts = Annotated[list[kind], Meta(max_length=PARTS)]
        kind = (
            Text
            | Whole
            | Broken
            | bool
            | None
            | parts
            | Annotated[dict[Text, kind], Meta(max_length=PARTS // 2)]
        )
    return kind


if TYPE_CHECKING:
    Part = Any
else:
    Part = _json()


class PlainEntry(Struct, forbid_unknown_fields=True):
    """A result as most senders write it."""

    table: Number
    board: Number
    key: UUID
    section: Section = "A"
    sheet: dict[Text, Part] | UnsetType = UNSET
    actions: Annotated[list[Action], Meta(max_length=ACTIONS)] | UnsetType = UNSET
    check: Letter = ""
    seat: Seat | None = None
    reason: Reason = ""


class PlainEntries(Struct, forbid_unknown_fields=True):
    submissions: Annotated[list[PlainEntry], Meta(min_length=1, max_length=AT_ONCE)]


_decoder_of_one, _decoder_of_many = msgspec.json.Decoder(PlainEntry), msgspec.json.Decoder(PlainEntries)


def read(body: bytes, *, many: bool) -> list[ResultEntry] | None:
    """The results of a body as it came; None if they are not plainly right."""
    if SUSPECT.search(body):
        return None
    try:
        given = _decoder_of_many.decode(body).submissions if many else [_decoder_of_one.decode(body)]
        return [entry_of(one) for one in given]
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None


def many(data: Any) -> list[ResultEntry] | None:
    """The results of a body that was read as JSON without a text that cannot be stored (`parsers`); None if
    they are not plainly right."""
    try:
        return [entry_of(one) for one in msgspec.convert(data, PlainEntries).submissions]
    except (msgspec.ValidationError, ValueError):
        return None


def entry_of(one: PlainEntry) -> ResultEntry:
    """ValueError unless there are either actions or a sheet."""
    if (one.sheet is UNSET) == (one.actions is UNSET):
        raise ValueError
    content = {"sheet": one.sheet} if one.actions is UNSET else {"actions": one.actions}
    return ResultEntry(one.section, one.table, one.board, one.key, content, one.check, one.seat, one.reason)
