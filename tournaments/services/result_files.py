"""Results of an evening that is set up, from a spreadsheet: a template with who plays what where, filled in
at home or at the desk, read back with every mistake at once, and handed in as by the official who brings
it.

A file says nothing of who sat where that the session does not know already. What only the deal contradicts
is found out after it was handed in, as for every result: nobody learns of a deal here.
"""

import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid5

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engines import quick_lines, registry, sheets
from engines.contract import Game
from engines.errors import BadSheet, EngineError
from engines.forms import JSON_KINDS, Field
from engines.phrases import brief
from engines.quick_values import yes_or_no

from ..models import Account, Play, Section, Session, Token
from ..models.people import fold
from . import custody, desk_entries, judging, names, result_xml_files, spreadsheets, submissions
from .deliveries import ResultEntry
from .errors import Conflict, Forbidden, Invalid
from .register_files import Effect

ROWS_AT_MOST, BYTES_AT_MOST = 20_000, 4_000_000
AT_ONCE = 500  # results that are stored in one transaction
FILE_KEYS = UUID("6f6fb1a0-5d1b-4b0e-9b43-8a51e3a1d2b7")
PLACE = {"section": ("section",), "round": ("round", "tour"), "table": ("table",), "board": ("board", "étui")}
NOBODY = {"none", "nobody", "personne", "–", "-"}
NOBODY_FOLDED = frozenset(map(fold, NOBODY))


# ── Columns ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column of a file: its `name` as programs call it, its `title` in a language; `field` of the result
    sheet, if it is one, and the `seat`, where each has a column."""

    name: str
    title: str
    field: Field | None = None
    seat: int | None = None


def columns_of(session: Session, language: str) -> list[FileColumn]:
    """The columns of a session’s file: where it was played, who sat there, and the result sheet."""
    game = registry.game(session.game)
    seats = game.seat_count(session.conditions)
    french = language.startswith("fr")
    found = [FileColumn(name, words[-1 if french else 0]) for name, words in PLACE.items()]
    seat_word = "place" if french else "seat"
    found += [FileColumn(f"seat{seat}", f"{seat_word} {seat}") for seat in range(1, seats + 1)]
    for one in game.fields:
        label = one.label.to(language)
        if one.has_columns:
            found += [
                FileColumn(f"{one.name}{seat}", f"{label} {seat}", one, seat) for seat in range(1, seats + 1)
            ]
        else:
            found.append(FileColumn(one.name, label, one))
    return found


def _by_header(session: Session) -> dict[str, FileColumn]:
    """The columns by everything that they may be called: as programs do, in English, in French."""
    found: dict[str, FileColumn] = {}
    for language in ("en", "fr"):
        for column in columns_of(session, language):
            for word in (column.name, column.title, *PLACE.get(column.name, ())):
                found.setdefault(fold(word), column)
    return found


# ── The template ──────────────────────────────────────────────────────────────────────────────────


def template(
    *, session: Session, account: Account, language: str
) -> tuple[list[list[Any]], dict[int, list[str]]]:
    """The rows of a file to be filled in, its header first, and by column what one may choose from: the
    plays in the sections of an account, with who sits there. Two queries; the time grows with the plays."""
    game, columns = registry.game(session.game), columns_of(session, language)
    rows: list[list[Any]] = [[column.title for column in columns]]
    named = names.of_contestants(
        list(session.contestants.values_list("pk", flat=True)), names.reader_for(account)
    )
    for place in places_of(session, account).plays.values():
        seated = [named[one].name for one in place.contestants]
        rows.append([place.section, place.round, place.table, place.board, *seated])
        rows[-1] += [None] * (len(columns) - len(rows[-1]))
    choices = {}
    for at, column in enumerate(columns):
        one = column.field
        if one is not None and one.kind == "choice":
            choices[at] = [_label(game, choice, language) for choice in one.choices]
        elif one is not None and one.kind == "flag":
            choices[at] = ["oui", "non"] if language.startswith("fr") else ["yes", "no"]
    return rows, choices


def _label(game: Game[Any], choice: str, language: str) -> str:
    return game.names[choice].to(language) if choice in game.names else choice


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A play where a row of a file belongs. `sheet`: of its result, if there is one."""

    play: int
    section: str
    round: int
    table: int
    board: int
    contestants: tuple[int, ...]
    sheet: Mapping[str, Any] | None


@dataclass(frozen=True)
class FilePlaces:
    """The plays that a file may fill in, by section, table and board."""

    plays: Mapping[tuple[str, int, int], FilePlace]

    @cached_property
    def sections(self) -> dict[str, str]:
        """Their names, by how they may be written."""
        return {fold(section): section for section, _table, _board in self.plays}

    @cached_property
    def boards(self) -> dict[tuple[str, int], list[int]]:
        """What each table plays."""
        found: dict[tuple[str, int], list[int]] = {}
        for section, table, board in sorted(self.plays):
            found.setdefault((section, table), []).append(board)
        return found


def places_of(session: Session, account: Account | Token) -> FilePlaces:
    """Those in the sections of an account."""
    own = Section.objects.scored_by(account).filter(session=session)
    plays = (
        Play.objects.filter(table__section__in=own)
        .order_by("round", "table__section__name", "table__number", "board__number")
        .values_list(
            *("pk", "table__section__name", "round", "table__number", "board__number"),
            *("seatings__contestant_id", "result__sheet"),
        )
        .order_by("round", "table__section__name", "table__number", "board__number", "seatings__seat")
    )
    found: dict[int, tuple[Any, ...]] = {}
    seated: dict[int, list[int]] = {}
    for pk, section, number, table, board, contestant, sheet in plays:
        found[pk] = (section, number, table, board, sheet)
        seated.setdefault(pk, []).append(contestant)
    return FilePlaces(
        {
            (section, table, board): FilePlace(pk, section, number, table, board, tuple(seated[pk]), sheet)
            for pk, (section, number, table, board, sheet) in found.items()
        }
    )


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class CellMistake:
    """What is wrong in a cell (a column by its name; "" for the whole row), and what would be right."""

    column: str
    reason: str

    def to_json(self) -> dict[str, str]:
        return {"column": self.column, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class FileLine:
    """A row that says something, by the number of its line; `cells` by column. What it would do: `kind`;
    `place` and `sheet` (or, of a play that is told whole, its `actions`) unless it is wrong. `before`: by
    column what it changes, in words, for whoever may know it."""

    line: int
    cells: Mapping[str, str]
    kind: Effect
    mistakes: Sequence[CellMistake] = ()
    place: FilePlace | None = None
    sheet: Mapping[str, Any] = field(default_factory=dict)
    before: Mapping[str, str] = field(default_factory=dict)
    actions: Sequence[str] | None = None

    @property
    def content(self) -> dict[str, Any]:
        """What is handed in."""
        return {"sheet": dict(self.sheet)} if self.actions is None else {"actions": list(self.actions)}

    def to_json(self) -> dict[str, Any]:
        return {
            "line": self.line,
            "effect": self.kind.value,
            "mistakes": [mistake.to_json() for mistake in self.mistakes],
            "play": self.place.play if self.place else None,
        }


@dataclass(frozen=True)
class FilePreview:
    """What a file would do: `columns` as it names them, its rows but the empty ones, and the file as
    `text`."""

    columns: Sequence[FileColumn]
    lines: Sequence[FileLine]
    text: str

    def of_kind(self, kind: Effect) -> list[FileLine]:
        return [line for line in self.lines if line.kind == kind]

    @property
    def is_ready(self) -> bool:
        return not self.of_kind(Effect.WRONG) and any(
            line.kind in (Effect.NEW, Effect.CHANGED) for line in self.lines
        )


def text_of(content: bytes) -> str:
    """The text of a file. Invalid: it is too large, nothing that a spreadsheet saves, and not the XML of
    `result_xml`."""
    return result_xml_files.text_of(content, bytes_at_most=BYTES_AT_MOST, rows_at_most=ROWS_AT_MOST)


def preview(
    *, session: Session, account: Account | Token, text: str, held: Collection[int] = ()
) -> FilePreview:
    """What each row of a file would do; nothing is stored. Invalid: the file itself, or its header, is wrong.
    Forbidden: the account enters no results here. The time grows with the rows."""
    places = places_of(session, account)
    if not places.plays:
        raise Forbidden("may-not-enter", _("You enter no results of this session."))
    rows = iter(spreadsheets.checked_rows(text, rows_at_most=ROWS_AT_MOST))
    columns = _header(session, next(rows, (1, []))[1])
    game = registry.game(session.game)
    known = _known_names(session, account)
    sees = custody.seen_boards(session, account, held=held) is None
    lines = []
    seen: dict[int, int] = {}
    for number, cells in rows:
        given = {
            column.name: spreadsheets.plain(cell)
            for column, cell in zip(columns, cells, strict=False)
            if cell.strip()
        }
        own = [column.name for column in columns if column.field is not None]
        if not any(given.get(name) for name in own):
            continue
        line = _line(session, game, number, given, columns, places, known, sees=sees)
        first = number if line.place is None else seen.setdefault(line.place.play, number)
        if first != number:
            reason = _("This play is on line %(line)d already.") % {"line": first}
            line = FileLine(number, given, Effect.WRONG, [CellMistake("board", reason)])
        lines.append(line)
    if not lines:
        raise Invalid("no-results", _("No row of the file has a result."))
    titled = {column.name: column for column in columns_of(session, _language())}
    return FilePreview([titled[column.name] for column in columns], lines, text)


def _header(session: Session, header: Sequence[str]) -> list[FileColumn]:
    by_header = _by_header(session)
    columns = [by_header.get(fold(cell)) for cell in header]
    mistakes = [
        CellMistake(brief(cell.strip()), _("This is not a column of a file of this game."))
        for cell, column in zip(header, columns, strict=True)
        if column is None
    ]
    held = [column.name for column in columns if column is not None]
    mistakes += [
        CellMistake(name, _("This column is missing.")) for name in ("table", "board") if name not in held
    ]
    mistakes += [
        CellMistake(name, _("This column appears twice.")) for name in set(held) if held.count(name) > 1
    ]
    if mistakes:
        message = _("The first line names the columns, as the template does.")
        raise Invalid("bad-columns", message, [mistake.to_json() | {"line": 1} for mistake in mistakes])
    return [column for column in columns if column is not None]


def _known_names(session: Session, account: Account | Token) -> dict[int, str]:
    pks = list(session.contestants.values_list("pk", flat=True))
    reader = names.reader_for(account) if isinstance(account, Account) else names.reader_of(account)
    return {pk: one.name for pk, one in names.of_contestants(pks, reader).items()}


def _line(
    session: Session,
    game: Game[Any],
    number: int,
    cells: Mapping[str, str],
    columns: Sequence[FileColumn],
    places: FilePlaces,
    known: Mapping[int, str],
    *,
    sees: bool,
) -> FileLine:
    mistakes: list[CellMistake] = []
    place = place_of(cells, places, mistakes)
    if place is not None:
        for seat, contestant in enumerate(place.contestants, 1):
            written = cells.get(f"seat{seat}")
            if written and written != known[contestant] and fold(written) != fold(known[contestant]):
                words = {"name": known[contestant], "written": brief(written)}
                reason = (
                    _("%(name)s sits here, not %(written)s: change the seats on the session’s page.") % words
                )
                mistakes.append(CellMistake(f"seat{seat}", reason))
    tokens = _tokens(game, columns, cells, [known[one] for one in place.contestants] if place else [])
    sheet: dict[str, Any] | None = None
    refused: EngineError | None = None
    if place is not None and not mistakes:
        try:
            sheet = _sheet(session, game, place, tokens)
        except EngineError as error:
            refused = error
    if sheet is None:  # each field is read alone to tell all that is wrong, which few rows need
        mistakes += _cell_mistakes(game, session, tokens)
    if sheet is None or place is None:
        assert mistakes or refused is not None
        told = mistakes or [_mistake_of(game, refused, columns, tokens, session)] if refused else mistakes
        return FileLine(number, cells, Effect.WRONG, told)
    if place.sheet is None:
        return FileLine(number, cells, Effect.NEW, (), place, sheet)
    if not sees:
        return FileLine(number, cells, Effect.CHANGED, (), place, sheet)
    old, new = _without_known(game, place.sheet, sheet), _without_known(game, sheet, place.sheet)
    if old == new:
        return FileLine(number, cells, Effect.SAME, (), place, sheet)
    before = dict(_before(game, columns, old, new, [known[one] for one in place.contestants]))
    return FileLine(number, cells, Effect.CHANGED, (), place, sheet, before)


def _without_known(game: Game[Any], one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet without what its board tells, where the other leaves that to the board."""
    told = {
        one.name for one in game.fields if one.implied.startswith("known.") and other.get(one.name) is None
    }
    return {name: value for name, value in one.items() if name not in told}


def _mistake_of(
    game: Game[Any],
    error: EngineError,
    columns: Sequence[FileColumn],
    tokens: Mapping[str, str],
    session: Session,
) -> CellMistake:
    """What an engine refuses, in the cell that it is about, if it is about one of the file."""
    language = _language()
    if not isinstance(error, BadSheet):
        return CellMistake("", error.phrase().to(language))
    at = sheets.place_of(error, [column.name for column in columns if column.field])
    field = next((column.field for column in columns if column.name == at), None)
    if field is not None:
        seats = game.seat_count(session.conditions)
        return CellMistake(at, _in_words(field, tokens, error, seats))
    called = [column.field.label for column in columns if column.field and column.field.name == error.field]
    if not called:
        return CellMistake("", error.phrase().to(language))
    words = {"column": called[0].to(language), "reason": error.constraint.to(language)}
    return CellMistake("", _("%(column)s: %(reason)s") % words)


def _before(
    game: Game[Any],
    columns: Sequence[FileColumn],
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    seated: Sequence[str],
) -> Iterator[tuple[str, str]]:
    """What the cells that a sheet changes held before, in words."""
    was, will_be = (sheets.write_row(game.fields, one, seats=len(seated)) for one in (old, new))
    for column in columns:
        one, value = column.field, was.get(column.name)
        if one is None or value == will_be.get(column.name):
            continue
        text = "–" if value is None or (one.nobody and value == "none") else str(value)
        if one.kind == "choice" and value is not None:
            text = _label(game, text, _language())
        elif one.kind == "flag" and value is not None:
            text = _("yes") if value == "true" else _("no")
        elif one.kind == "seat" and text != "–":
            text = seated[int(text) - 1]
        yield column.name, text


def place_of(
    cells: Mapping[str, str],
    places: FilePlaces,
    mistakes: list[CellMistake],
) -> FilePlace | None:
    """The play of a row: its table may carry the section (A3), and the section may be left out where there
    is one."""
    sections, section, table = places.sections, cells.get("section", ""), cells.get("table", "")
    if not section:
        at = fold(table)
        section = next((one for one in sections.values() if at.startswith(fold(one)) and table != one), "")
        table = table[len(section) :] if section else table
        section = section or (next(iter(sections.values())) if len(sections) == 1 else "")
    section = sections.get(fold(section), section)
    numbers = {}
    for name, text in (("table", table), ("board", cells.get("board", ""))):
        if (number := sheets.whole(text)) is None:
            mistakes.append(CellMistake(name, _("“%(text)s” is not a whole number.") % {"text": brief(text)}))
        else:
            numbers[name] = number
    if mistakes:
        return None
    found = places.plays.get((section, numbers["table"], numbers["board"]))
    if found is None:
        here = places.boards.get((section, numbers["table"]))
        if here is None:
            called = f"{section}{table}" if len(sections) > 1 else table
            reason = _("There is no table %(table)s in your charge.") % {"table": brief(called)}
            mistakes.append(CellMistake("table", reason))
        else:
            words = {"boards": ", ".join(map(str, here))}
            mistakes.append(CellMistake("board", _("This table plays boards %(boards)s.") % words))
    elif (written := sheets.whole(cells.get("round", ""))) is not None and written != found.round:
        reason = _("This table plays this board in round %(round)d.") % {"round": found.round}
        mistakes.append(CellMistake("round", reason))
    return found if not mistakes else None


def _tokens(
    game: Game[Any], columns: Sequence[FileColumn], cells: Mapping[str, str], seated: Sequence[str]
) -> dict[str, str]:
    """The cells of the result sheet as engines read them."""
    return {
        column.name: _token(column.field, cells[column.name], seated)
        for column in columns
        if column.field is not None and column.name in cells
    }


def _cell_mistakes(game: Game[Any], session: Session, tokens: Mapping[str, str]) -> Iterator[CellMistake]:
    """Cells that hold no value of their field, whatever the others say: at most one of each field."""
    seats = game.seat_count(session.conditions)
    for one in game.fields:
        try:
            cells = quick_lines.in_json(game, tokens, seats=seats, only=one, language=_language())
            sheets.read_row((one,), cells, seats=seats)
        except BadSheet as error:
            yield CellMistake(error.field, _in_words(one, tokens, error, seats))


def _in_words(one: Field, tokens: Mapping[str, str], error: BadSheet, seats: int) -> str:
    """Why a cell holds no value of its field, as whoever fills in the file has it: a seat by who sits
    there."""
    text = tokens.get(error.field, "")
    if one.kind == "seat" and text and sheets.whole(text) is None:
        facts = {"text": brief(text), "seats": seats}
        return (
            _("“%(text)s” does not sit here: write a name of this table, or a seat from 1 to %(seats)d.")
            % facts
        )
    return error.constraint.to(_language())


def _sheet(session: Session, game: Game[Any], place: FilePlace, tokens: Mapping[str, str]) -> dict[str, Any]:
    """The result sheet of a row, checked by the rules alone. BadSheet, and what else an engine refuses."""
    seats = game.seat_count(session.conditions)
    cells = quick_lines.in_json(game, tokens, seats=seats, language=_language())
    sheet = dict(game.sheet_of_row(sheets.read_row(game.fields, cells, seats=seats)))
    judging.check_unseen(session, place.board, sheet)
    return sheet


def _token(one: Field, cell: str, seated: Sequence[str]) -> str:
    """A cell as engines read it: yes or no, or the name of somebody at the table, in either language."""
    folded = fold(cell)
    if one.nobody and folded in NOBODY_FOLDED:
        return "none"
    if one.kind == "flag" and (said := yes_or_no(cell)) is not None:
        return "true" if said else "false"
    if one.kind == "seat":
        for seat, name in enumerate(seated, 1):
            if folded == fold(name):
                return str(seat)
    elif one.kind not in JSON_KINDS:
        return cell.replace(" ", "").replace(" ", "").replace(" ", "") if cell[:1].isdigit() else cell
    return cell


# ── Handing in ────────────────────────────────────────────────────────────────────────────────────


def hand_in(
    *, session: Session, account: Account, text: str, reason: str = "", held: Collection[int] = ()
) -> dict[Effect, int]:
    """The same of a file that has been brought: read, and stored as `store` does."""
    shown = preview(session=session, account=account, text=text, held=held)
    return store(session=session, sender=account, shown=shown, reason=reason)


def check_rows(shown: FilePreview) -> None:
    """Invalid: a row of a file is wrong. Conflict: nothing in it is new."""
    if wrong := shown.of_kind(Effect.WRONG):
        details = [line.to_json() for line in wrong]
        raise Invalid("slips", _("Mend these rows first; nothing has been stored."), details)
    if not any(line.kind in (Effect.NEW, Effect.CHANGED) for line in shown.lines):
        raise Conflict("nothing-new", _("Every result of this file is there already."))


def store(
    *, session: Session, sender: Account | Token, shown: FilePreview, reason: str = ""
) -> dict[Effect, int]:
    """Hand in what is new in a file, and what it changes; how many of each. A file that comes twice is
    stored once: keys follow from what a row says.

    Invalid: a row is wrong, or a confirmed result is changed without a `reason`; nothing was stored.
    Conflict: nothing is new. Results are stored some hundred at a time: whatever stops that, the same file
    goes on with it.
    """
    check_rows(shown)
    if shown.of_kind(Effect.CHANGED) and not reason.strip():
        raise Invalid("no-reason", _("The file changes results that are there: say why."))

    fresh = [line for line in shown.lines if line.kind in (Effect.NEW, Effect.CHANGED)]
    token = sender if isinstance(sender, Token) else desk_entries.token_of(sender, session)
    entries = [_entry(session, line, reason) for line in fresh]
    for start in range(0, len(entries), AT_ONCE):
        submissions.submit(session_id=session.pk, sender=token, entries=entries[start : start + AT_ONCE])
    return {kind: len(shown.of_kind(kind)) for kind in (Effect.NEW, Effect.CHANGED, Effect.SAME)}


def _entry(session: Session, line: FileLine, reason: str) -> ResultEntry:
    assert line.place is not None
    what = sorted(line.sheet.items()) if line.actions is None else list(line.actions)
    said = f"{session.pk} {line.place.play} {line.place.sheet} {what!r}"
    key = uuid5(FILE_KEYS, sha256(said.encode()).hexdigest())
    return ResultEntry(
        line.place.section,
        line.place.table,
        line.place.board,
        key,
        line.content,
        reason=reason if line.kind == Effect.CHANGED else "",
    )


def mended(text: str, cells: Mapping[tuple[int, str], str], session: Session) -> str:
    """The file with some cells written anew: by their line, and the name of the column."""
    rows = list(spreadsheets.checked_rows(text, rows_at_most=ROWS_AT_MOST))
    columns = _header(session, rows[0][1]) if rows else []
    places = {column.name: at for at, column in enumerate(columns)}
    out, last = io.StringIO(), 0
    written = csv.writer(out, lineterminator="\n")
    for number, row in rows:
        for _line_number in range(last + 1, number):
            written.writerow([])  # lines keep their numbers
        last = number
        filled = [*row, *[""] * (len(columns) - len(row))]
        for (line, name), value in cells.items():
            if line == number and name in places:
                filled[places[name]] = value
        written.writerow(filled)
    return out.getvalue()


def _language() -> str:
    return (get_language() or "en")[:2]
