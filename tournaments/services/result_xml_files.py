"""Results that come as XML, in the form in which they leave (`result_xml`, docs/formats.md): read into the
rows of a file of results, so that all that is asked of such a file is asked of them."""

import csv
import io
from collections.abc import Mapping
from xml.parsers.expat import ExpatError, ParserCreate

from django.utils.translation import gettext as _

from . import spreadsheets
from .errors import Invalid

ROOT, DEEPEST, SEATS_AT_MOST = "ETUI_RESULTS", 8, 12
NAME_LETTERS = 1_000  # of a contestant that is called by its players
PLACE = ("section", "round", "table", "board")
BEGINNINGS = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe<\0", b"\xfe\xff\0<")


def text_of(content: bytes, *, bytes_at_most: int, rows_at_most: int) -> str:
    """The text of a file of results: XML as CSV, anything else as `spreadsheets.text_of` reads it. Invalid:
    it is too large, or nothing of the kind. Time and memory grow with the file, which may declare no
    entities, and name nobody at length: a name stands in every row of its contestant."""
    if not content.startswith(BEGINNINGS):
        return spreadsheets.text_of(content, bytes_at_most=bytes_at_most, rows_at_most=rows_at_most)
    if len(content) > bytes_at_most:
        raise Invalid("too-long", _("The file is too large."))
    reading = _Reading(rows_at_most)
    try:
        reading.parser.Parse(content, True)
    except (ExpatError, ValueError, LookupError):
        message = _("This XML cannot be read: it is not the results of an evening as they leave here.")
        raise Invalid("bad-file", message) from None
    return reading.as_csv()


class _Reading:
    """The lines of travellers, as a parser comes upon them. ValueError where they are not what they should
    be."""

    def __init__(self, rows_at_most: int) -> None:
        self.rows_at_most = rows_at_most
        self.above: list[tuple[str, Mapping[str, str]]] = []
        self.texts: list[str] = []
        self.contestant: dict[str, str] = {}
        self.names: dict[str, str] = {}  # by number
        self.board, self.waiting = "", 0  # of a board: its number, and the first of its lines
        self.lines: list[dict[str, str]] = []
        self.seats: list[dict[str, str]] = []  # by line, the numbers of those who sit there
        self.columns: dict[str, None] = {}
        self.parser = ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self.texts.append
        self.parser.StartDoctypeDeclHandler = self._refuse

    def as_csv(self) -> str:
        """With the columns of a club’s file, who sat there by name."""
        count = max((int(seat) for line in self.seats for seat in line), default=0)
        around = [str(seat) for seat in range(1, count + 1)]
        out = io.StringIO()
        written = csv.writer(out, lineterminator="\n")
        written.writerow([*PLACE, *(f"seat{seat}" for seat in around), *self.columns])
        for line, seated in zip(self.lines, self.seats, strict=True):
            people = [self.names.get(seated.get(seat, ""), "") for seat in around]
            written.writerow(
                [*(line[name] for name in PLACE), *people, *(line.get(one, "") for one in self.columns)]
            )
            if out.tell() > spreadsheets.UNPACKED_AT_MOST:
                raise Invalid("too-long", _("The file is too large."))
        return out.getvalue()

    def _refuse(self, *_declared: object) -> None:
        raise ValueError("results declare no entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.above) == DEEPEST or (not self.above and name != ROOT):
            raise ValueError("no results of an evening")
        self.above.append((name, attributes))
        self.texts.clear()
        if name == "CONTESTANT":
            self.contestant = {}
        elif name == "BOARD":
            self.board, self.waiting = "", len(self.lines)
        elif name == "TRAVELLER_LINE":
            if len(self.lines) == self.rows_at_most:
                raise ValueError("too many lines")
            self.lines.append({one: attributes.get(one.upper(), "") for one in PLACE})
            self.seats.append({})

    def _end(self, name: str) -> None:
        _name, attributes = self.above.pop()
        inside, outer = self.above[-1] if self.above else ("", {})
        text = " ".join("".join(self.texts).split())
        self.texts.clear()
        if inside == "CONTESTANT":
            self.contestant[name] = text
        elif name == "CONTESTANT":
            called = _short(self.contestant.get("CONTESTANT_NAME", ""))
            self.names[self.contestant["CONTESTANT_NUMBER"]] = called
        elif (inside, name) == ("BOARD", "BOARD_NUMBER"):
            self.board = _short(text)
        elif name == "BOARD":
            for line in self.lines[self.waiting :]:
                line["board"] = self.board
        elif (inside, name) == ("SEAT", "CONTESTANT_NUMBER"):
            if not 1 <= int(outer["NUMBER"]) <= SEATS_AT_MOST:
                raise ValueError("no seat of a table")
            self.seats[-1][str(int(outer["NUMBER"]))] = text
        elif name == "FIELD" and inside == "TRAVELLER_LINE":
            self._add(attributes["NAME"] + attributes.get("SEAT", ""), text)

    def _add(self, column: str, text: str) -> None:
        self.columns.setdefault(column)
        if column in self.lines[-1] or len(self.columns) > spreadsheets.COLUMNS_AT_MOST:
            raise ValueError("a cell twice, or too many")
        self.lines[-1][column] = text


def _short(text: str) -> str:
    """What stands once in the file, and in many rows of what is made of it: a long one would fill the
    memory."""
    if len(text) > NAME_LETTERS:
        raise ValueError("no name is as long")
    return text
