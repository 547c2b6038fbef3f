"""The results of a session as XML, in the manner of USEBIO: its elements where it has them, and seats where
it has directions. docs/formats.md says what each element means."""

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from xml.sax.xmlreader import AttributesImpl

from django.utils.xmlutils import SimplerXMLGenerator

from engines import registry, sheets

from ..models import Account, Session, Token
from . import exports
from .exports import Cell, ExportTable

VERSION = "1"
CONTENT_TYPE = "application/xml"
UNWRITABLE = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML may hold, however it is written."""
Row = Mapping[str, Cell]


def document(*, session: Session, viewer: Account | Token | None) -> bytes:
    """The ranking and every traveller, with the names that the viewer may read. Missing: as the tables of
    `exports`. The time grows with the plays."""
    ranking = exports.table(session=session, viewer=viewer, what=exports.RANKING)
    results = exports.table(session=session, viewer=viewer, what=exports.RESULTS)
    out = io.StringIO()
    xml = _Writer(out)
    xml.startDocument()
    seats = registry.game(session.game).seat_count(session.conditions)
    day = (session.starts_at or session.created_at).astimezone(session.tournament.club.zone).date()
    with xml.element("ETUI_RESULTS", VERSION=VERSION):
        with xml.element("CLUB"):
            xml.leaf("CLUB_NAME", session.tournament.club.name)
        with xml.element("EVENT", GAME=session.game, METHOD=session.method, SEATS=str(seats)):
            xml.leaf("EVENT_DESCRIPTION", f"{session.tournament.name} – {session.name}")
            xml.leaf("DATE", day.isoformat())
            with xml.element("PARTICIPANTS"):
                _participants(xml, ranking)
            for number, rows in _by_board(results):
                with xml.element("BOARD"):
                    xml.leaf("BOARD_NUMBER", number)
                    for row in rows:
                        _traveller_line(xml, session, row, seats)
    xml.endDocument()
    return out.getvalue().encode()


def _participants(xml: "_Writer", ranking: ExportTable) -> None:
    for row in ranking.to_json():
        with xml.element("CONTESTANT", LINE_GROUP=str(row["line_group"])):
            xml.leaf("CONTESTANT_NUMBER", row["number"])
            xml.leaf("CONTESTANT_NAME", row["contestant"])
            xml.leaf("PLACE", row["rank"])
            xml.leaf("BOARDS_PLAYED", row["boards"])
            xml.leaf("TOTAL_SCORE", row["points_exact"])
            xml.leaf("SCORE", row["score_exact"])


def _by_board(results: ExportTable) -> Iterator[tuple[Cell, list[Row]]]:
    """The rows of each board, in their order."""
    boards: dict[Cell, list[Row]] = {}
    for row in results.to_json():
        boards.setdefault(row["board"], []).append(row)
    yield from boards.items()


def _traveller_line(xml: "_Writer", session: Session, row: Row, seats: int) -> None:
    where = {"SECTION": row["section"], "ROUND": row["round"], "TABLE": row["table"]}
    with xml.element("TRAVELLER_LINE", **{name: str(value) for name, value in where.items()}):
        for seat in range(1, seats + 1):
            with xml.element("SEAT", NUMBER=str(seat)):
                xml.leaf("CONTESTANT_NUMBER", row[f"number{seat}"])
                xml.leaf("SCORE", row[f"score{seat}"])
                xml.leaf("AWARD", row[f"award{seat}"])
        for field in registry.game(session.game).fields:
            for seat, column in enumerate(sheets.columns((field,), seats=seats), 1):
                named = {"NAME": field.name} | ({"SEAT": str(seat)} if field.has_columns else {})
                if row[column] not in (None, ""):
                    xml.leaf("FIELD", row[column], **named)


class _Writer(SimplerXMLGenerator):
    """Writes elements with their attributes and texts; what XML cannot hold is left out."""

    def __init__(self, out: io.StringIO) -> None:
        super().__init__(out, "utf-8", short_empty_elements=True)

    @contextmanager
    def element(self, name: str, **attributes: str) -> Iterator[None]:
        """An element that is open for as long as its block runs."""
        given = {key: UNWRITABLE.sub("", value) for key, value in attributes.items()}
        self.startElement(name, AttributesImpl(given))
        yield
        self.endElement(name)

    def leaf(self, name: str, value: Cell, **attributes: str) -> None:
        """An element with a text; none where there is nothing to say."""
        if value is not None and value != "":
            self.addQuickElement(name, UNWRITABLE.sub("", str(value)), attributes)
