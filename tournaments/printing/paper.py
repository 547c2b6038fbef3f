"""A sheet of paper in the hand of the pages: Garamond for titles and people, Inter for the rest, rules
instead of boxes, black first. Lengths are in millimetres, sizes of type in points."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from math import floor
from pathlib import Path
from typing import Literal

import segno
from fpdf import FPDF
from fpdf.enums import XPos, YPos

FONTS = Path(__file__).parent / "fonts"
QR_MASK = 2  # one of eight, whichever: to compare them all takes four times as long
INK, PALE, RED, BAIZE = (0x1A, 0x1F, 0x1B), (0x60, 0x66, 0x5E), (0xB3, 0x34, 0x1A), (0x0E, 0x4B, 0x39)
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RED_SUITS = "HD"
MEASURED = 100  # points
LOGO = 13.0  # high and wide at most
Format = Literal["A4", "Letter"]
FORMATS: tuple[Format, ...] = ("A4", "Letter")


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands on every page: whose evening it is, and when. `day` as the language writes it; `logo`: the
    club's, as a picture, if it has one."""

    club: str
    session: str
    day: str
    logo: bytes | None = None


class Paper(FPDF):
    """`size`: "A4" or "Letter"; `title`, `language` and `made_at` are said in the file."""

    def __init__(self, *, size: Format, title: str, language: str, made_at: datetime) -> None:
        super().__init__(unit="mm", format=size)
        for name, file, style in (
            ("serif", "garamond", ""),
            ("serif-ext", "garamond-ext", ""),
            ("sans", "inter", ""),
            ("sans", "inter-bold", "B"),
            ("sans-ext", "inter-ext", ""),
            ("suits", "suits", ""),
        ):
            self.add_font(name, style, FONTS / f"{file}.ttf")
        self.set_title(title)
        self.set_lang(language)
        self.set_creator("Étui")
        self.set_creation_date(made_at)
        self.set_margin(16)
        self.set_auto_page_break(False)
        self.set_text_color(*INK)
        self.set_draw_color(*INK)
        self.c_margin = 0
        self._widths: dict[tuple[str, str, str], float] = {}

    # ── Type ──────────────────────────────────────────────────────────────────────────────────────

    def serif(self, size: float) -> None:
        self.set_fallback_fonts(["serif-ext", "suits"], exact_match=False)
        self.set_font("serif", "", size)

    def sans(self, size: float, *, bold: bool = False) -> None:
        self.set_fallback_fonts(["sans-ext", "suits"], exact_match=False)
        self.set_font("sans", "B" if bold else "", size)

    @property
    def line_height(self) -> float:
        """The height of a line of the present type."""
        return self.font_size * 1.3

    def write_at(
        self, x: float, y: float, text: str, *, width: float = 0, align: str = "L", pale: bool = False
    ) -> None:
        """One line whose top left corner is here; in a `width`, it becomes as narrow as it has to."""
        if not text:
            return
        size = self.font_size_pt
        if width:
            self.fit(text, width)
        with self._pale(pale):
            self.set_xy(x, y)
            self.cell(width or None, self.line_height, text, align=align, new_x=XPos.LEFT, new_y=YPos.NEXT)
        self.set_font_size(size)

    def width_of(self, text: str) -> float:
        """How wide a text is in the present type. Widths grow with the size, so that each is measured
        once."""
        key = (self.font_family, self.font_style, text)
        if key not in self._widths:
            size = self.font_size_pt
            self.set_font_size(MEASURED)
            self._widths[key] = self.get_string_width(text) / MEASURED
            self.set_font_size(size)
        return self._widths[key] * self.font_size_pt

    def fit(self, text: str, width: float, *, least: float = 6) -> None:
        """Type small enough for a text in a width, in halves of a point, `least` points at the least."""
        wide = self.width_of(text)
        if wide > width:
            self.set_font_size(max(floor(2 * self.font_size_pt * width / wide) / 2, least))

    def name_at(self, x: float, y: float, name: str, *, width: float, align: str = "L") -> None:
        """Somebody’s name on one line whose top left corner is here: whole, else a little smaller, else
        with its first name shortened, else on two lines. Nothing of it is cut off."""
        size = self.font_size_pt
        for text in dict.fromkeys((name, shortened(name))):
            self.set_font_size(size)
            self.fit(text, width, least=size * 0.8)
            if self.width_of(text) <= width:
                self.write_at(x, y + self._lower(size), text, width=width, align=align)
                self.set_font_size(size)
                return
        self.set_font_size(size)
        lines = halves(shortened(name))
        for number, text in enumerate(lines):
            self.set_font_size(size * 0.62)
            self.fit(text, width, least=2)
            self.write_at(x, y - size * 0.03 + number * size * 0.26, text, width=width, align=align)
        self.set_font_size(size)

    def _lower(self, size: float) -> float:
        """By how much smaller type begins lower, to stand on the same line."""
        return (size - self.font_size_pt) * 0.3

    def paragraph(
        self, text: str, *, x: float | None = None, width: float = 0, gap: float = 0, pale: bool = False
    ) -> None:
        """A text broken into lines, from the present height on."""
        if x is not None:
            self.set_x(x)
        with self._pale(pale):
            self.multi_cell(width, self.line_height, text, align="L", new_x=XPos.LEFT, new_y=YPos.NEXT)
        self.set_y(self.get_y() + gap)

    def cards(self, tokens: Sequence[str], shown: "CardWords", *, width: float = 0) -> None:
        """Cards one after the other, suits by shape and colour, from the present place on; broken at a
        width."""
        left, edge = self.get_x(), self.get_x() + width
        for token in tokens:
            rank, suit = shown.rank(token), SUITS.get(token[-1], "") if not shown.is_bare(token) else ""
            wide = self.width_of(rank + suit) + self.font_size * 0.45
            if width and self.get_x() + wide > edge and self.get_x() > left:
                self.set_xy(left, self.get_y() + self.line_height)
            self.cell(None, self.line_height, rank)
            if suit:
                self.set_text_color(*(RED if token[-1] in RED_SUITS else INK))
                self.cell(None, self.line_height, suit)
                self.set_text_color(*INK)
            self.set_x(self.get_x() + self.font_size * 0.45)

    @contextmanager
    def _pale(self, pale: bool) -> Iterator[None]:
        if pale:
            self.set_text_color(*PALE)
        yield
        self.set_text_color(*INK)

    # ── Rules and marks ───────────────────────────────────────────────────────────────────────────

    def rule(
        self, y: float, *, x: float | None = None, width: float | None = None, thick: float = 0.2
    ) -> None:
        left = self.l_margin if x is None else x
        self.set_line_width(thick)
        self.line(left, y, left + (self.epw if width is None else width), y)

    def double_rule(self, y: float, *, x: float | None = None, width: float | None = None) -> None:
        """The rule that opens a printed page: thick, then thin."""
        self.rule(y, x=x, width=width, thick=0.8)
        self.rule(y + 1.1, x=x, width=width, thick=0.25)

    def box(self, x: float, y: float, size: float = 3.6) -> None:
        """A box to tick."""
        self.set_line_width(0.25)
        self.rect(x, y, size, size)

    def write_in(self, x: float, y: float, width: float) -> None:
        """A line to write on."""
        self.rule(y, x=x, width=width, thick=0.25)

    def qr(self, address: str, x: float, y: float, size: float) -> None:
        """A QR code of this width, quiet zone apart: runs of dark modules as rectangles."""
        matrix = segno.make(address, error="m", micro=False, mask=QR_MASK).matrix
        module = size / len(matrix)
        self.set_fill_color(*INK)
        for row, line in enumerate(matrix):
            start = None
            for column, dark in enumerate([*line, 0]):
                if dark and start is None:
                    start = column
                elif not dark and start is not None:
                    self.rect(x + start * module, y + row * module, (column - start) * module, module, "F")
                    start = None

    def cut_marks(self, columns: int, rows: int) -> None:
        """Where pages that hold several pieces are cut: short lines at the edges, clear of the text."""
        self.set_line_width(0.15)
        self.set_draw_color(*PALE)
        for column in range(1, columns):
            x = self.w * column / columns
            self.line(x, 0, x, 5)
            self.line(x, self.h - 5, x, self.h)
            for row in range(1, rows):
                y = self.h * row / rows
                self.line(x - 2, y, x + 2, y)
                self.line(x, y - 2, x, y + 2)
        for row in range(1, rows):
            y = self.h * row / rows
            self.line(0, y, 5, y)
            self.line(self.w - 5, y, self.w, y)
        self.set_draw_color(*INK)

    def picture(self, content: bytes, x: float, y: float, size: float) -> None:
        """A club's logo, as large as its square lets it be."""
        self.image(BytesIO(content), x, y, size, size, keep_aspect_ratio=True)

    def mark(self, x: float, y: float, size: float) -> None:
        """The sign of the service: a wallet with a card's diamond in it."""
        self.set_draw_color(*BAIZE)
        self.set_fill_color(*BAIZE)
        self.set_line_width(size * 0.07)
        self.rect(x, y, size * 0.8, size, round_corners=True, corner_radius=size * 0.1)
        self.polyline(
            [(x, y + size * 0.22), (x + size * 0.22, y + size * 0.22), (x + size * 0.4, y + size * 0.34),
             (x + size * 0.58, y + size * 0.22), (x + size * 0.8, y + size * 0.22)]
        )  # fmt: skip
        middle, low = x + size * 0.4, y + size * 0.64
        half = size * 0.17
        self.polygon(
            [(middle, low - half), (middle + half, low), (middle, low + half), (middle - half, low)],
            style="F",
        )
        self.set_draw_color(*INK)

    # ── Pages ─────────────────────────────────────────────────────────────────────────────────────

    def opened(self, heading: Heading, title: str, *, kicker: str = "", section: bool = False) -> None:
        """A new page that begins with a title, whose evening it is, and the double rule; then its body."""
        self.add_page()
        if section:
            self.start_section(title, strict=False)
        top, right = self.t_margin, self.epw * 0.45
        self.sans(9)
        lines = [heading.club, heading.session, heading.day]
        beside = LOGO + 4 if heading.logo is not None else 0
        if heading.logo is not None:
            x = self.l_margin + self.epw - LOGO
            self.picture(heading.logo, x, top, LOGO)
        for number, line in enumerate(lines):
            x = self.l_margin + self.epw - right
            self.write_at(x, top + number * 4.4, line, width=right - beside, align="R", pale=number == 2)
        if kicker:
            self.write_at(self.l_margin, top, kicker, width=self.epw - right - 4, pale=True)
        self.serif(25)
        self.write_at(self.l_margin, top + 3.6, title, width=self.epw - right - 4)
        self.double_rule(top + 15.5)
        self.set_y(top + 21)

    @property
    def bottom(self) -> float:
        """Where the foot of a page begins."""
        return self.h - self.b_margin - 10

    def foot(self, text: str) -> None:
        """A note at the bottom of the page."""
        self.rule(self.bottom, thick=0.15)
        self.sans(8)
        self.set_xy(self.l_margin, self.bottom + 2)
        self.paragraph(text, width=self.epw, pale=True)

    def bytes(self) -> bytes:
        return bytes(self.output())


def shortened(name: str) -> str:
    """A name with the initials of its first name; those of a pair each.

    >>> shortened("François-Xavier de La Rochebrochard"), shortened("Anne Roux – Noé"), shortened("Zoé")
    ('F.-X. de La Rochebrochard', 'A. Roux – Noé', 'Zoé')
    """
    if " – " in name:
        return " – ".join(shortened(one) for one in name.split(" – "))
    given, _space, rest = name.partition(" ")
    return f"{'-'.join(f'{part[:1]}.' for part in given.split('-'))} {rest}" if rest else name


def halves(text: str) -> list[str]:
    """A text on two lines: broken at the space or hyphen nearest to its middle, or in its middle.

    >>> halves("M.-A. de Villeneuve-Bargemon"), halves("abcdef")
    (['M.-A. de ', 'Villeneuve-Bargemon'], ['abc', 'def'])
    """
    middle = len(text) // 2
    breaks = [place + 1 for place, letter in enumerate(text[:-1]) if letter in " -"]
    at = min(breaks, key=lambda place: abs(place - middle), default=middle)
    return [text[:at], text[at:]]


class CardWords:
    """Cards as a language writes them: R D V in French; trumps of a tarot pack by number."""

    FRENCH = {"K": "R", "Q": "D", "J": "V"}

    def __init__(self, language: str, excuse: str, trump: str) -> None:
        self.letters = {"T": "10", **(self.FRENCH if language.startswith("fr") else {})}
        self.excuse, self.trump = excuse, trump

    def is_bare(self, token: str) -> bool:
        """Whether a card has no suit: the Excuse, a joker, a trump of a tarot pack."""
        return token.endswith("X") or token.startswith("JK") or token[-1] == "T"

    def rank(self, token: str) -> str:
        if token.endswith("X"):
            return self.excuse
        if token.startswith("JK"):
            return "Joker"
        if token[-1] == "T":
            return f"{self.trump} {token[:-1]}"
        return self.letters.get(token[:-1], token[:-1])
