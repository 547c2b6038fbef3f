"""Who sits where in a round, and by which words they are called: with whoever plays for one of them then."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest
from django.utils.translation import gettext as _

from engines import registry
from tournaments.models import Account, Play, Session, Table
from tournaments.services import layouts, names, shuffling, substitutes

from ..labels import side_names
from ..places import table_name

TABLES_A_PAGE = 100
Place = tuple[str, int]
"""A table: its section, and its number there."""


@dataclass(frozen=True, slots=True)
class TableOfRound:
    """A table in a round: its boards, and who sits in which seats; `order`: by board, the seats of those who
    are named, as they are."""

    place: Place
    name: str
    boards: str
    seats: list[tuple[str, str]]
    order: Mapping[int, Sequence[int]]


def places_of(session: Session) -> list[Place]:
    """The tables of a session, in order."""
    rows = Table.objects.filter(section__session=session).order_by("section__name", "number")
    return list(rows.values_list("section__name", "number"))


def page_asked_for(request: HttpRequest, pages: int) -> int:
    """The page of tables that an address asks for, or the nearest that there is."""
    text = request.GET.get("tables", "")
    return min(max(int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 1, 1), pages)


def on_page(places: Sequence[Place], page: int) -> Sequence[Place]:
    return places[(page - 1) * TABLES_A_PAGE : page * TABLES_A_PAGE]


def of_round(
    session: Session, reader: names.Reader, number: int, places: Collection[Place]
) -> list[TableOfRound]:
    """Who sits at these tables in a round. A few queries; the time grows with the tables."""
    game = registry.game(session.game)
    sides, called_sides = game.sides_of(session.conditions), side_names(game)
    sections = list(session.sections.order_by("name"))
    sat: list[tuple[Place, dict[int, Mapping[int, int]], dict[int, list[int]]]] = []
    for section in sections:
        own = [table for name, table in places if name == section.name]
        if not own:
            continue
        plays = Play.objects.filter(table__section=section, round=number, table__number__in=own)
        boards: dict[int, dict[int, Mapping[int, int]]] = defaultdict(dict)
        held: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for sitting in layouts.sittings_of(plays, sides):
            boards[sitting.table][sitting.board] = _first_seats(sitting.contestants, sides)
            for seat, contestant in enumerate(sitting.contestants, 1):
                held[sitting.table][contestant].append(seat)
        sat += [((section.name, table), boards[table], held[table]) for table in sorted(boards)]
    everybody = {contestant for _place, _boards, seats in sat for contestant in seats}
    rows = session.contestants.filter(number__in=everybody)
    numbers = dict(rows.values_list("number", "pk"))
    named = called(session, reader, list(numbers.values()), number)
    found = []
    for place, played, seats in sat:
        ordered = sorted(seats, key=seats.__getitem__)
        found.append(
            TableOfRound(
                place=place,
                name=table_name(*place, several=len(sections) > 1),
                boards=", ".join(map(str, played)),
                seats=[
                    (seat_words(seats[one], sides, len(seats), called_sides), named[numbers[one]])
                    for one in ordered
                ],
                order={board: [own[one] for one in ordered if one in own] for board, own in played.items()},
            )
        )
    return found


def with_copies(session: Session, number: int, tables: Sequence[TableOfRound]) -> list[TableOfRound]:
    """The tables of a round, whose boards say which copy of each is there, where there are several. One
    query."""
    copies = shuffling.copies_in_round(session, number)
    return [replace(one, boards=_with_copies(one, copies.get(one.place, {}))) for one in tables]


def _with_copies(one: TableOfRound, copies: Mapping[int, int]) -> str:
    if len(copies) == len(one.order) and len(set(copies.values())) == 1:
        return _("%(boards)s (copy %(copy)d)") % {"boards": one.boards, "copy": next(iter(copies.values()))}
    return ", ".join(
        _("%(boards)s (copy %(copy)d)") % {"boards": board, "copy": copies[board]}
        if board in copies
        else str(board)
        for board in one.order
    )


def _first_seats(contestants: Sequence[int], sides: Sequence[Sequence[int]]) -> dict[int, int]:
    """The seat of each contestant at a board; the first of a side that is one contestant."""
    if len(contestants) == len(sides):
        return {contestant: side[0] for contestant, side in zip(contestants, sides, strict=True)}
    return {contestant: seat for seat, contestant in enumerate(contestants, 1)}


def seat_words(
    held: Sequence[int], sides: Sequence[Sequence[int]], contestants: int, called_sides: Sequence[str]
) -> str:
    """The seats of somebody at a table: one, a side’s, or one for each board where they change. A side that
    slips call by a name has it here."""
    if contestants == len(sides) and any(len(side) > 1 for side in sides):
        own = held if len(set(held)) > 1 else held[:1]
        words = [" + ".join(map(str, sides[side - 1])) for side in own]
        if called_sides:
            words = [f"{called_sides[side - 1]} {seats}" for side, seats in zip(own, words, strict=True)]
        return ", ".join(words)
    return ", ".join(map(str, held if len(set(held)) > 1 else held[:1]))


def seats_told(tables: Sequence[TableOfRound]) -> str:
    """What signs between seats mean, as far as there are any."""
    signs = "".join(seats for table in tables for seats, _name in table.seats)
    told = [_("Several seats: they change from board to board.")] if "," in signs else []
    return " ".join([*told, *([_("With a plus: all seats of a side.")] if "+" in signs else [])])


def called(
    session: Session, whom: Account | names.Reader, contestants: Collection[int], number: int
) -> dict[int, str]:
    """By contestant (its id), the words by which it is called in a round. The queries do not grow with the
    contestants."""
    return called_in(session, whom, {number: contestants})[number]


def called_in(
    session: Session, whom: Account | names.Reader, sitting: Mapping[int, Collection[int]]
) -> dict[int, dict[int, str]]:
    """The same in several rounds (by number), as many queries as in one."""
    reader = whom if isinstance(whom, names.Reader) else names.reader_for(whom)
    everybody = {pk for contestants in sitting.values() for pk in contestants}
    named = names.of_contestants(everybody, reader)
    standing_in = list(substitutes.of(session).filter(contestant__in=everybody))
    people = {pk for one in standing_in for pk in (one.player_id, one.for_player_id)}
    players = names.of_players(people, reader, session=session.pk) if people else {}
    found: dict[int, dict[int, str]] = {}
    for number, contestants in sitting.items():
        found[number] = {pk: named[pk].name for pk in contestants if pk in named}
        for one in standing_in:
            if one.contestant_id in found[number] and one.first_round <= number <= one.last_round:
                words = found[number][one.contestant_id]
                facts = {"substitute": players[one.player_id], "member": players[one.for_player_id]}
                if facts["member"] == words:
                    words = _("%(substitute)s (for %(member)s)") % facts
                else:
                    words = _("%(name)s (%(substitute)s for %(member)s)") % (facts | {"name": words})
                found[number][one.contestant_id] = words
    return found
