"""How a deal ended, as a value that mirrors the result sheet: it is read from one, and writes one."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, ClassVar, Self

from .contract import Fact, Setting
from .expressions import expression
from .forms import Field, Form


class Mirror:
    """A dataclass whose fields bear the names of a form's. Seats are indices from 0 in it, lists are tuples,
    and what does not belong to the deal has its default.

    `parts`: the classes of objects and of the elements of lists; without one they are tuples, in the order
    of their parts. `noted`: the fields that only a table can write, and no record shows."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Any]]

    parts: ClassVar[Mapping[str, Callable[..., Any]]] = {}
    noted: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def mirrored(cls, form: Form) -> dict[str, Field]:
        """The fields of a form that this class mirrors, in its own order."""
        return _of_form(form, tuple(cls.__dataclass_fields__))

    @classmethod
    def from_sheet(cls, form: Form, told: Mapping[str, Any]) -> Self:
        """What a complete sheet (`sheets.check`) says."""
        given = ((field, told[field.name]) for field in cls.mirrored(form).values())
        return cls(
            **{
                field.name: value_of(field, value, cls.parts.get(field.name, _in_order))
                for field, value in given
                if value is not None
            }
        )

    def to_sheet(self, form: Form, seats: int) -> dict[str, Any]:
        """The sheet, with the fields that belong to the deal in the order of this class."""
        around = self.around(form, seats)
        return {
            name: around[name]
            for name, field in self.mirrored(form).items()
            if name not in self.noted and (not field.when or expression(field.when).value(around) is True)
        }

    def around(self, form: Form, seats: int) -> dict[str, Any]:
        """What the expressions of the form read: the fields as the sheet has them, and the seats."""
        shown = self.mirrored(form).items()
        values = {name: _written(field, getattr(self, name)) for name, field in shown}
        return {"seats": list(range(1, seats + 1)), **values}


class OneAgainstAll(Mirror):
    """One in which the `taker` plays against all other seats; None: nobody took."""

    __slots__ = ()

    seats: ClassVar[int] = 3
    taker: int | None

    @property
    def opponents(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.seats) if seat != self.taker)

    def side_of(self, seat: int) -> tuple[int, ...]:
        return (seat,) if seat == self.taker else self.opponents

    def against(self, seat: int) -> tuple[int, ...]:
        """The side that a seat plays against."""
        return tuple(other for other in range(self.seats) if other not in self.side_of(seat))

    def failed(self, contract: str, seat: int, points: int) -> list[Fact]:
        """The facts of a contract of a seat that failed: each of the other side marks it."""
        return facts(f"{contract}-lost", (seat,)) + facts(f"{contract}-failed", self.against(seat), points)


def facts(name: str, seats: Iterable[int], points: int = 0, value: Setting | None = None) -> list[Fact]:
    """The same fact of several seats (indices)."""
    return [Fact(name, seat + 1, points, value) for seat in seats]


@lru_cache
def _of_form(form: Form, names: tuple[str, ...]) -> dict[str, Field]:
    by_name = {field.name: field for field in form.fields}
    return {name: by_name[name] for name in names if name in by_name}


def _in_order(**parts: Any) -> tuple[Any, ...]:
    return tuple(parts.values())


def value_of(field: Field, value: Any, kind: Callable[..., Any]) -> Any:
    """What is told of a field; `kind` makes a value of the parts of an object, or of an element of a list."""
    if field.is_listed:
        return tuple(None if one is None else _read_one(field, one, kind) for one in value)
    match field.kind:
        case "seats":
            return tuple(sorted(seat - 1 for seat in value))
        case "list":
            return tuple(_read_one(field, one, kind) for one in value)
    return _read_one(field, value, kind)


def _read_one(field: Field, value: Any, kind: Callable[..., Any]) -> Any:
    if field.kind == "seat":
        return value - 1
    if not field.of:
        return value
    parts = {part.name: value[part.name] for part in field.of}
    return kind(
        **{
            part.name: None if parts[part.name] is None else value_of(part, parts[part.name], _in_order)
            for part in field.of
        }
    )


def _written(field: Field, value: Any) -> Any:
    if value is None:
        return None
    if field.kind == "seats":
        return sorted(seat + 1 for seat in value)
    if field.is_listed or field.kind == "list":
        return [None if one is None else _one_written(field, one) for one in value]
    return _one_written(field, value)


def _one_written(field: Field, value: Any) -> Any:
    if field.kind == "seat":
        return value + 1
    if not field.of:
        return value
    in_order = type(value) is tuple
    values = value if in_order else [getattr(value, part.name) for part in field.of]
    parts = {part.name: _written(part, one) for part, one in zip(field.of, values, strict=True)}
    optional = {part.name for part in field.of if part.optional}
    return {name: one for name, one in parts.items() if one is not None or name not in optional}
