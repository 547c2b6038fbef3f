"""What is printed for an evening: where everybody goes, who comes to each table, where each board travels.

Of a large field a part is asked for at a time; the time grows with that part.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.db.models import Max, OuterRef, QuerySet, Subquery

from engines import registry

from ..models import Contestant, Play, Seating, Section, Session, Table
from ..movements import Movement, Sitting, by_contestant, by_table
from ..movements.guides import Stop, TableRound
from . import names
from .layouts import sittings_of
from .names import Reader

AT_ONCE = 800  # plays that are read by their ids


def contestants_in(session: Session, sections: Collection[Section]) -> QuerySet[Contestant]:
    """Who has a guide: the contestants that sit in these sections; where these are all, those who never play
    as well."""
    if len(sections) == session.sections.count():
        return session.contestants.all()
    seated = Seating.objects.filter(play__table__section__in=sections)
    return session.contestants.filter(pk__in=seated.values("contestant"))


def for_contestants(
    session: Session, sections: Collection[Section], contestants: Sequence[Contestant], reader: Reader
) -> list[dict[str, Any]]:
    """For each contestant its rounds in these sections: where, in which seats of the game, with whom."""
    sides = _sides(session)
    numbers = [one.number for one in contestants]
    named = names.of_contestants([one.pk for one in contestants], reader)
    guides: dict[int, dict[str, Any]] = {
        one.number: {"number": one.number, "name": named[one.pk].name, "section": None, "rounds": []}
        for one in contestants
    }
    for section in sections:
        seatings = Seating.objects.filter(contestant__in=[one.pk for one in contestants])
        if len(sections) > 1:
            seatings = seatings.filter(play__table__section=section)
        sittings = _sittings(seatings.values_list("play_id", flat=True), sides)
        rounds = rounds_in(section.pk, session.created_at, session.tally.layout)
        stops = by_contestant(Movement(session.movement, sittings), numbers, rounds)
        for number in numbers:
            if len(sections) == 1 or any(stop.table is not None for stop in stops[number]):
                shown = [_values(replace(s, seats=_seats(s, sides, sittings))) for s in stops[number]]
                guides[number] |= {"section": section.name, "rounds": shown}
    return list(guides.values())


def for_tables(session: Session, tables: Sequence[Table]) -> list[dict[str, Any]]:
    """For each table its rounds: which boards, and who sits there."""
    guides = []
    for section, together in groupby(tables, key=lambda table: table.section):
        here = list(together)
        plays = Play.objects.filter(table__in=[table.pk for table in here])
        sittings = _sittings(plays.values_list("pk", flat=True), _sides(session))
        rounds = by_table(Movement(session.movement, sittings))
        guides += [
            {
                **{"section": section.name, "table": table.number},
                "rounds": [_values(one) for one in rounds.get(table.number, ())],
            }
            for table in here
        ]
    return guides


def travels(plays: Collection[int]) -> list[dict[str, Any]]:
    """Where boards travel: the places of some plays, in their order."""
    place = ("board__number", "round", "table__section__name", "table__number")
    rows = {pk: values for pk, *values in Play.objects.filter(pk__in=plays).values_list("pk", *place)}
    return [dict(zip(("board", "round", "section", "table"), rows[pk], strict=True)) for pk in plays]


def _sittings(plays: Iterable[int], sides: Sequence[Sequence[int]]) -> tuple[Sitting, ...]:
    """The sittings of these plays, some at a time: no statement gets as long as the list."""
    ids = sorted(set(plays))
    parts = [ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE)]
    return tuple(s for part in parts for s in sittings_of(Play.objects.filter(pk__in=part), sides))


@lru_cache(maxsize=1024)
def rounds_in(section: int, _made_at: datetime, _layout: int) -> int:
    """How many rounds a section has, in this layout. It looks at all its plays, table by table."""
    last = Play.objects.filter(table=OuterRef("pk")).order_by().values("table").annotate(last=Max("round"))
    tables = Table.objects.filter(section=section).annotate(last=Subquery(last.values("last")))
    return tables.aggregate(rounds=Max("last"))["rounds"] or 0


def _sides(session: Session) -> Sequence[Sequence[int]]:
    return registry.game(session.game).sides_of(session.conditions)


def _values(one: Stop | TableRound) -> dict[str, Any]:
    return {field.name: getattr(one, field.name) for field in fields(one)}


def _seats(stop: Stop, sides: Sequence[Sequence[int]], sittings: Sequence[Sitting]) -> tuple[int, ...]:
    """The seats of a stop: all of a side, where sides are seated."""
    if not sittings or len(sittings[0].contestants) != len(sides):
        return stop.seats
    return tuple(seat for side in stop.seats for seat in sides[side - 1])
