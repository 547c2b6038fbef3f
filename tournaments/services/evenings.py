"""An evening on paper: a file becomes a session and its ranking. All slips are reported at once."""

import csv
import io
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from typing import Any
from unicodedata import normalize
from uuid import uuid4

from django.db import transaction
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from engines import registry, sheets
from engines.contract import Game, Settings, Sheet
from engines.errors import BadSheet, EngineError
from engines.phrases import Phrase

from ..models import Club, PaperFile, Play, Session, Submission, Token, Tournament
from ..movements import Movement, Sitting
from . import history, rankings, sessions, submissions
from .errors import Conflict, Invalid, refusal
from .layouts import lay_out

PLACE_COLUMNS = ("section", "round", "table", "board")
DELIMITERS = (",", ";", "\t")
ROWS_AT_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Row:
    """One board at one table. `line` counts from 1, the header's; `contestants` by seat."""

    line: int
    section: str
    round: int
    table: int
    board: int
    contestants: tuple[str, ...]
    sheet: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Slip:
    """What is wrong in a file, and where; `column` is empty if it concerns the whole row."""

    line: int
    column: str
    reason: Phrase

    def to_json(self, language: str) -> dict[str, Any]:
        return {"line": self.line, "column": self.column, "reason": self.reason.to(language)}


def text_of(content: bytes) -> str:
    """The text of a file as any spreadsheet saves it: UTF-8 with or without its mark, Windows-1252, or
    UTF-16 with its mark. Invalid if it is none of these."""
    if content.startswith(b"PK\x03\x04"):
        raise Invalid("bad-file", _("This is a workbook, not a text file: save it as CSV."))
    encodings = ("utf-16",) if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            return normalize("NFC", content.decode(encoding)).replace("\r\n", "\n").replace("\r", "\n")
    raise Invalid("bad-file", _("The file cannot be read as text: save it as “CSV UTF-8”."))


def read(text: str, game: Game[Any], options: Settings) -> tuple[list[Row], list[Slip]]:
    """The good rows of a file, and the slips of the others in the order of their lines."""
    header, _newline, _rest = text.partition("\n")
    delimiter = max(DELIMITERS, key=header.count)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    columns = [name.strip().casefold() for name in _without_empty_end(next(lines, []))]
    slips = list(_header_slips(columns, game))
    if slips:
        return [], slips
    by_line = dict(_cells(lines, columns, slips))
    if not by_line and not slips:
        slips.append(Slip(1, "", Phrase("the file has no rows")))
    seats = _seat_count(by_line.values(), game)
    rows: list[Row] = []
    for line, cells in by_line.items():
        row = _read_row(line, cells, game, seats, options)
        if isinstance(row, Row):
            rows.append(row)
        else:
            slips += row
    rows, repeated = _without_repeats(rows)
    slips += repeated
    slips += _seating_slips(rows)
    slips += _board_slips(rows)
    return rows, sorted(set(slips), key=lambda slip: (slip.line, slip.column))


def _without_empty_end(cells: list[str]) -> list[str]:
    """A line's cells without the empty ones at its end: some spreadsheets add them, others drop them."""
    filled = [place for place, cell in enumerate(cells, 1) if cell.strip()]
    return cells[: filled[-1]] if filled else []


def _header_slips(columns: Sequence[str], game: Game[Any]) -> Iterator[Slip]:
    fewest, most = game.seats[0], game.seats[-1]
    fields = sheets.columns(game.fields, seats=most)
    known = [*PLACE_COLUMNS, *_seat_columns(most), *fields]
    for name in [*PLACE_COLUMNS, *_seat_columns(fewest), fields[0]]:
        if name not in columns:
            yield Slip(1, name, Phrase("this column is missing"))
    for name in columns:
        if name not in known:
            yield Slip(1, name, Phrase("unknown column; the columns are: {known}", known=", ".join(known)))
        elif columns.count(name) > 1:
            yield Slip(1, name, Phrase("this column appears twice"))


def _seat_columns(seats: int) -> list[str]:
    return [f"seat{seat}" for seat in range(1, seats + 1)]


def _cells(lines: Any, columns: Sequence[str], slips: list[Slip]) -> Iterator[tuple[int, dict[str, str]]]:
    """Each row that is not empty, by the number of its line: its cells by column. What cannot be read as a
    row is added to the slips."""
    try:
        for given in lines:
            cells = _without_empty_end(given)
            if len(cells) > len(columns):
                wrong = Phrase(
                    "the row has {cells} cells, the header {columns}", cells=len(cells), columns=len(columns)
                )
                slips.append(Slip(lines.line_num, "", wrong))
            elif cells:
                named = zip_longest(columns, cells, fillvalue="")
                yield lines.line_num, {column: cell.strip() for column, cell in named}
    except csv.Error as error:
        slips.append(Slip(lines.line_num, "", Phrase("the row cannot be read: {reason}", reason=str(error))))


def _seat_count(rows: Iterable[dict[str, str]], game: Game[Any]) -> int:
    """How many players sit at a table: where a game leaves the choice, as many as in the fullest row."""
    fewest, most = game.seats[0], game.seats[-1]
    return max(
        (seat for row in rows for seat in range(fewest + 1, most + 1) if row.get(f"seat{seat}")),
        default=fewest,
    )


def _read_row(
    line: int, cells: dict[str, str], game: Game[Any], seats: int, options: Settings
) -> Row | list[Slip]:
    """The row, or everything that is wrong with it alone."""
    slips = []
    numbers = {}
    for column in ("round", "table", "board"):
        number = sheets.whole(cells[column])
        if number is None or not 1 <= number < 1_000_000:
            wrong = Phrase("“{text}” is not a whole number of 1 or more", text=cells[column])
            slips.append(Slip(line, column, wrong))
        else:
            numbers[column] = number
    if not 1 <= len(cells["section"]) <= 20 or not cells["section"].isprintable():
        slips.append(Slip(line, "section", Phrase("the name of a section has 1 to 20 characters")))
    contestants = tuple(cells.get(column, "") for column in _seat_columns(seats))
    conditions = sessions.conditions_of(game, seats)
    slips += _name_slips(line, contestants, game.sides_of(conditions))
    own = sheets.columns(game.fields, seats=seats)
    for column in sheets.columns(game.fields, seats=game.seats[-1]):
        if column not in own and cells.get(column):
            slips.append(Slip(line, column, Phrase("nobody sits in this seat")))
    sheet: Sheet = {}
    try:
        sheet = game.sheet_of_row(sheets.read_row(game.fields, cells, seats=seats))
        game.score(sheet, options=options, conditions=conditions)
    except BadSheet as error:
        slips.append(Slip(line, _columns_of(error.field, game, seats), error.constraint))
    if slips:
        return slips
    return Row(
        line, cells["section"], numbers["round"], numbers["table"], numbers["board"], contestants, dict(sheet)
    )


def _name_slips(line: int, names: Sequence[str], sides: Sequence[Sequence[int]]) -> Iterator[Slip]:
    """Each seat has a name of its own, or that of the pair or team whose side it is."""
    side_of = {seat: side for side in sides for seat in side}
    for seat, name in enumerate(names, 1):
        earlier = names.index(name) + 1
        if not name:
            yield Slip(line, f"seat{seat}", Phrase("the name of the player in this seat is missing"))
        elif len(name) > 200 or not name.isprintable():
            yield Slip(
                line, f"seat{seat}", Phrase("a name has at most 200 characters, all of them printable")
            )
        elif side_of[earlier] != side_of[seat]:
            yield Slip(line, f"seat{seat}", Phrase("{name} sits in two seats", name=name))


def _columns_of(name: str, game: Game[Any], seats: int) -> str:
    """The columns of a field, for a message: “tricks1–tricks3”."""
    if any(field.name == name and field.per_seat for field in game.fields):
        return f"{name}1–{name}{seats}"
    return name


def _without_repeats(rows: Sequence[Row]) -> tuple[list[Row], list[Slip]]:
    """Each play once; a play that comes again is a slip of the later line."""
    first: dict[tuple[str, int, int], Row] = {}
    slips = []
    for row in rows:
        earlier = first.setdefault((row.section, row.table, row.board), row)
        if earlier is not row:
            reason = Phrase(
                "board {board} at table {section}{table} is already on line {line}",
                board=row.board,
                section=row.section,
                table=row.table,
                line=earlier.line,
            )
            slips.append(Slip(row.line, "board", reason))
    return list(first.values()), slips


def _seating_slips(rows: Sequence[Row]) -> Iterator[Slip]:
    """Nobody sits at two tables in one round, plays a board twice, or sits down for one board of a round."""
    at_table: dict[tuple[int, str], Row] = {}
    met: dict[tuple[int, str], Row] = {}
    together: dict[tuple[str, int, int], list[Row]] = defaultdict(list)
    for row in rows:
        together[row.section, row.round, row.table].append(row)
        for seat, name in enumerate(row.contestants, 1):
            other = at_table.setdefault((row.round, name), row)
            if (other.section, other.table) != (row.section, row.table):
                reason = Phrase(
                    "{name} sits at table {section}{table} in this round, on line {line}",
                    name=name,
                    section=other.section,
                    table=other.table,
                    line=other.line,
                )
                yield Slip(row.line, f"seat{seat}", reason)
                continue
            earlier = met.setdefault((row.board, name), row)
            if earlier is not row:
                reason = Phrase(
                    "{name} has already played this board, on line {line}", name=name, line=earlier.line
                )
                yield Slip(row.line, f"seat{seat}", reason)
    for group in together.values():
        counts = Counter(name for row in group for name in set(row.contestants))
        for row in group if len(group) > 2 else []:
            for seat, name in enumerate(row.contestants, 1):
                if counts[name] == 1 and max(counts.values()) > 1:
                    reason = Phrase(
                        "{name} is on no other row of this table's round: a slip in the name?", name=name
                    )
                    yield Slip(row.line, f"seat{seat}", reason)


def _board_slips(rows: Sequence[Row]) -> Iterator[Slip]:
    """A board that only one table played, where the other tables of the round played another."""
    plays = Counter(row.board for row in rows)
    played: dict[tuple[str, int, int], set[int]] = defaultdict(set)
    for row in rows:
        played[row.section, row.round, row.table].add(row.board)
    for row in rows:
        if plays[row.board] > 1:
            continue
        place = (row.section, row.round, row.table)
        own = played[place]
        others = [
            boards for at, boards in played.items() if at != place and (at[1] == row.round or boards & own)
        ]
        others = [boards for boards in others if boards - own and (boards & own or len(own) == 1)]
        if others:
            programme = Counter(tuple(sorted(boards)) for boards in others).most_common(1)[0][0]
            reason = Phrase(
                "board {board} belongs to no round: the others play {boards}",
                board=row.board,
                boards=", ".join(map(str, programme)),
            )
            yield Slip(row.line, "board", reason)


def movements_of(rows: Sequence[Row], numbers: dict[str, int]) -> dict[str, Movement]:
    """The movement of each section, as it follows from the rows."""
    sittings: dict[str, list[Sitting]] = defaultdict(list)
    for row in rows:
        contestants = tuple(numbers[name] for name in row.contestants)
        sittings[row.section].append(Sitting(row.round, row.table, row.board, contestants))
    return {section: Movement("as played", tuple(plays)) for section, plays in sorted(sittings.items())}


@transaction.atomic
def import_evening(
    *,
    tournament: Tournament,
    actor: Token | None,
    name: str,
    text: str,
    game: str,
    method: str,
    options: dict[str, Any],
    method_options: dict[str, Any] | None = None,
    club: Club | None = None,
    again: bool = False,
) -> Session:
    """A finished session from a club's file, judged, compared and ranked.

    Invalid carries every slip; Conflict: the club has imported this file before, and not `again` on purpose.
    """
    rows, settings = rows_of(text=text, game=game, options=options)
    names = sorted({name for row in rows for name in row.contestants}, key=str.casefold)
    numbers = {name: number for number, name in enumerate(names, 1)}
    session = lay_out(
        tournament=tournament,
        name=name,
        game=game,
        options=settings,
        conditions=sessions.conditions_of(registry.game(game), len(rows[0].contestants)),
        method=method,
        method_options=method_options,
        movements=movements_of(rows, numbers),
        contestants=names,
        club=club or tournament.club,
    )
    digest = sha256(text.encode()).hexdigest()
    _keep_file(session, digest, again=again)
    history.note(actor, "imported", session, session=session, digest=digest, rows=len(rows))
    plays = {
        (play.table.section.name, play.table.number, play.board.number): play
        for play in Play.objects.filter(table__section__session=session).select_related(
            "table__section", "board"
        )
    }
    Submission.objects.bulk_create(
        Submission(
            play=plays[row.section, row.table, row.board],
            sender=actor,
            key=uuid4(),
            content={"sheet": row.sheet},
        )
        for row in rows
    )
    while submissions.judge(session_id=session.pk):
        pass
    while rankings.rank(session_id=session.pk) is not None:
        pass
    return sessions.finish(session=session, actor=actor)


def _keep_file(session: Session, digest: str, *, again: bool) -> None:
    """Remember which file a session came from; of two imports at once, the database lets one in."""
    file, is_new = PaperFile.objects.get_or_create(
        club=session.tournament.club, digest=digest, defaults={"session": session}
    )
    if is_new:
        return
    if not again:
        message = _("This file has already been imported: it is session %(session)s.") % {
            "session": file.session_id
        }
        raise Conflict("imported-before", message, {"session": file.session_id})
    file.session = session
    file.save(update_fields=["session"])


def rows_of(*, text: str, game: str, options: dict[str, Any]) -> tuple[list[Row], dict[str, Any]]:
    """The rows of a file, none with a slip, and the complete options. Invalid carries every slip."""
    language = (get_language() or "en")[:2]
    try:
        the_game = registry.game(game)
        settings = registry.options_of(the_game, options)
    except EngineError as error:
        raise refusal("bad-session", error) from error
    if text.count("\n") > ROWS_AT_MOST:
        raise Invalid("too-long", _("A file may have at most %(most)d rows.") % {"most": ROWS_AT_MOST})
    rows, slips = read(text, the_game, settings)
    if slips:
        message = ngettext(
            "%(count)d slip; nothing has been stored.",
            "%(count)d slips; nothing has been stored.",
            len(slips),
        )
        raise Invalid("slips", message % {"count": len(slips)}, [slip.to_json(language) for slip in slips])
    return rows, settings
