"""Boards that are not dealt from lists: how many copies of a board a session needs, and which table shuffles
it. A board that several tables play at once cannot be shuffled at each of them: nobody would be compared."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from ..models import Play, Session
from ..movements.layout import BoardPlace, at_once, copies_at, copies_of, first_tables
from .errors import Conflict, Invalid

SHARED = ("howell-4x", "howell-6x", "relay-mitchell-")
"""Movements in which two tables pass a board between them in a round."""


@dataclass(frozen=True, slots=True)
class ShufflingTable:
    """A table, and the boards that it shuffles, since it plays them first."""

    section: str
    table: int
    boards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Copies:
    """`copies`: of each board, in play in one round at most; `at_once`: at how many tables a board has to be
    at once, 0 where one copy is enough; `tables`: which table shuffles what then."""

    copies: int
    at_once: int
    tables: tuple[ShufflingTable, ...]


def of_session(session: Session) -> Copies:
    """One query; the time grows with the plays of the session."""
    places = _places(session)
    if not places:
        return Copies(0, 0, ())
    several = at_once(places)
    own: dict[Any, list[int]] = defaultdict(list)
    if not several:
        for board, table in sorted(first_tables(places).items()):
            own[table].append(board)
    tables = tuple(
        ShufflingTable(section, number, tuple(boards)) for (section, number), boards in sorted(own.items())
    )
    return Copies(copies_of(places, shared=session.movement.startswith(SHARED)), several, tables)


def copies_in_round(session: Session, number: int) -> dict[tuple[str, int], dict[int, int]]:
    """By section and number of each table, which copy of each of its boards it has in a round; tables and
    boards of which there is one alone are left out. One query."""
    return copies_by_round(session, round=number).get(number, {})


def copies_by_round(session: Session, **of: int) -> dict[int, dict[tuple[str, int], dict[int, int]]]:
    """The same of every round, or of the plays `of` it, by round. One query."""
    shared = session.movement.startswith(SHARED)
    found: dict[int, dict[Any, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    for (number, table, board), copy in copies_at(_places(session, **of), shared=shared).items():
        found[number][table][board] = copy
    return {number: dict(tables) for number, tables in found.items()}


def by_table(session: Session) -> dict[tuple[str, int], tuple[int, ...]]:
    """By section and number of each table, the boards that it shuffles itself; nothing where somebody deals
    them. One query at most."""
    if session.board_set.manifest is not None:
        return {}
    return {(one.section, one.table): one.boards for one in of_session(session).tables}


def _places(session: Session, **of: int) -> list[BoardPlace]:
    plays = Play.objects.filter(table__section__session=session, **of)
    own = ("round", "table__section__name", "table__number", "board__number")
    rows = plays.order_by(*own).values_list(*own)
    return [(number, (section, table), board) for number, section, table, board in rows]


def refusal_of(tables: int) -> str:
    """Why so many tables cannot shuffle a board that they play at once, and what can be done."""
    message = _(
        "%(tables)d tables play the same board at once: if each shuffled its own cards, nobody would hold the"
        " same ones, and nothing could be compared. Choose a movement in which every board is at one table at"
        " a time, or have somebody who does not play shuffle each board once and copy it for all tables."
    )
    return message % {"tables": tables}


def check_planned(places: list[BoardPlace]) -> None:
    """Invalid where tables are to shuffle boards that several play at once."""
    if several := at_once(places):
        raise Invalid("needs-copies", refusal_of(several), {"tables": several})


def check(session: Session) -> None:
    """Conflict where tables are to shuffle boards that several play at once."""
    if several := of_session(session).at_once:
        raise Conflict("needs-copies", refusal_of(several), {"tables": several})
