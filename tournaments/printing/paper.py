"""A sheet of paper in the hand of the pages: Garamond for titles and people, Inter for the rest, rules
instead of boxes, black first. Lengths are in millimetres, sizes of type in points."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from io import BytesIO
from math import floor
from pathlib import Path
from typing import Any
from unicodedata import normalize

import segno
from fpdf import FPDF
from fpdf.enums import Duplex, MethodReturnValue, XPos, YPos
from fpdf.fonts import CoreFont, TTFFont
from fpdf.prefs import ViewerPreferences

from engines.words import SUIT_NAMES, words

from . import Format
from .tags import TagTree

FONTS = Path(__file__).parent / "fonts"
QR_MASK = 2  # one of eight, whichever: to compare them all takes four times as long
INK, PALE, RED, BAIZE = (0x1A, 0x1F, 0x1B), (0x60, 0x66, 0x5E), (0xB3, 0x34, 0x1A), (0x0E, 0x4B, 0x39)
HAIR = (0xB4, 0xB0, 0xA6)  # lines between rows: a printer in black makes them fine dots
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RED_SUITS = "HD"
MEASURED = 100  # points
LOGO = 13.0  # high and wide at most
CODE = 19.0  # high and wide: a QR code in the head of a page
HEAD = 18.0  # from the top of a page’s text to its double rule
POINT = 25.4 / 72  # in millimetres
LEADED = 1.05 * POINT  # the height of a line among several, by the size of its type
WHOLE = 0.9  # how much smaller the names of a column may become before one of them is shortened,
SMALLER = 0.8  # and before it is broken
LINES = (2, 3, 4)  # on how many lines a name is broken
LEAST = 4.5  # points: before it is smaller, a name is cut off
RAISED = {ord(letter): normalize("NFKC", letter) for letter in "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"}
SCRIPTS = ("vietnamese", "greek", "cyrillic")  # each in fonts of its own, which are seldom wanted


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands on every page: whose evening it is, and when. `day` as the language writes it; `logo`: the
    club's, as a picture, if it has one."""

    club: str
    session: str
    day: str
    logo: bytes | None = None


class Paper(FPDF):
    """`size`: "A4" or "Letter"; `title`, `language` and `made_at` are said in the file. `duplex`: it is
    printed on both sides, which the file asks of the printer."""

    def __init__(
        self, *, size: Format, title: str, language: str, made_at: datetime, duplex: bool = False
    ) -> None:
        super().__init__(unit="mm", format=size)
        self.struct_builder = self._tags = TagTree()
        self._is_tagged = False
        self.duplex = duplex
        kind = Duplex.DUPLEX_FLIP_LONG_EDGE if duplex else Duplex.SIMPLEX
        self.viewer_preferences = ViewerPreferences(display_doc_title=True, duplex=kind)
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
        self.set_fill_color(*INK)  # a text in another colour than areas says its own each time
        self.set_draw_color(*INK)
        self.c_margin = 0
        self._widths: dict[tuple[str, str, str], float] = {}
        self._main = {family: _letters_of(self.fonts[family]) for family in ("serif", "sans")}
        self._widely = frozenset().union(*(_letters_of(font) for font in self.fonts.values()))
        self._others: list[str] = []

    # ── Tags ──────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def tagged(self, kind: str, *, alt: str | None = None) -> Iterator[None]:
        """What is drawn meanwhile, on one page, is one thing to a screen reader: a title (`H1`, `H2`), a
        paragraph (`P`), a cell (`TH`, `TD`), a picture (`Figure`, with what it says). Within another it is
        a part of that."""
        if self._is_tagged:
            yield
            return
        number, place = self._tags.mark(self._tags.add(kind, self.page, alt), self.page)
        self.pages[self.page].struct_parents = place
        with self._marked(f"/{kind} <</MCID {number}>> BDC"):
            yield

    @contextmanager
    def grouped(self, kind: str) -> Iterator[None]:
        """What is tagged meanwhile, on one page, belongs together: a `Table`, and a row of it (`TR`)."""
        if self._is_tagged:
            yield
            return
        self._tags.parents.append(self._tags.add(kind, self.page))
        yield
        self._tags.parents.pop()

    @contextmanager
    def decoration(self) -> Iterator[None]:
        """What is drawn meanwhile is not read aloud."""
        with self._marked("/Artifact BMC"):
            yield

    @contextmanager
    def _measured(self) -> Iterator[None]:
        """What is laid out meanwhile is not drawn: there is nothing to read."""
        before, self._is_tagged = self._is_tagged, True
        yield
        self._is_tagged = before

    @contextmanager
    def _marked(self, begin: str) -> Iterator[None]:
        self._out(begin)
        self._is_tagged = True
        yield
        self._is_tagged = False
        self._out("EMC")

    def cell(self, *args: Any, **more: Any) -> Any:
        with self.tagged("P"):  # no text is without a tag: it would not be read
            self._set_own_font()
            return super().cell(*args, **more)

    def multi_cell(self, *args: Any, **more: Any) -> Any:
        with self._measured() if more.get("dry_run") else self.tagged("P"):
            self._set_own_font()
            return super().multi_cell(*args, **more)

    def _set_own_font(self) -> None:
        """Say the present font to the page: else fpdf2 says that of the first letter, and keeps it for all
        that follows, even if only this letter is in it."""
        if not self.current_font_is_set_on_page and self.current_font is not None:
            self._out(self._set_font_for_page(self.current_font, self.font_size_pt))

    def text(self, *args: Any, **more: Any) -> None:
        with self.tagged("P"):
            super().text(*args, **more)

    # ── Type ──────────────────────────────────────────────────────────────────────────────────────

    def serif(self, size: float) -> None:
        self.set_font("serif", "", size)

    def sans(self, size: float, *, bold: bool = False) -> None:
        self.set_font("sans", "B" if bold else "", size)

    def letters(self, text: str) -> None:
        """Make ready for a text: other fonts beside the present one are looked into only where it lacks a
        letter, as that takes several times as long."""
        own, text = self.font_family, text.translate(RAISED)
        others = [] if self._main[own].issuperset(text) else [f"{own}-ext", "suits"]
        if others and not self._widely.issuperset(text):
            self._add_scripts()
            others += [f"{own}-{script}" for script in SCRIPTS]
        if others != self._others:
            self.set_fallback_fonts(others, exact_match=False)
            self._others = others

    def _add_scripts(self) -> None:
        """The fonts of names from farther away, when the first of them is written."""
        if "serif-greek" in self.fonts:
            return
        for family, face in (("serif", "garamond"), ("sans", "inter")):
            for script in SCRIPTS:
                self.add_font(f"{family}-{script}", "", FONTS / f"{face}-{script}.ttf")

    def normalize_text(self, text: str) -> str:
        """A raised letter, as of “14ᵉ”, is in none of the fonts: it is written as the letter that it is."""
        return str(super().normalize_text(text.translate(RAISED)))

    @property
    def line_height(self) -> float:
        """The height of a line of the present type."""
        return self.font_size * 1.3

    def write_at(
        self, x: float, y: float, text: str, *, width: float = 0, align: str = "L", pale: bool = False
    ) -> None:
        """One line whose top left corner is here; in a `width`, it becomes as narrow as it has to, and is cut
        off where it could not be read."""
        if not text:
            return
        size = self.font_size_pt
        if width:
            self.fit(text, width)
            text = self.cut_off(text, width)
        self.letters(text)
        with self._pale(pale):
            self.set_xy(x, y + self._lower(size))
            self.cell(width or None, self.line_height, text, align=align, new_x=XPos.LEFT, new_y=YPos.NEXT)
        self.set_font_size(size)

    def width_of(self, text: str) -> float:
        """How wide a text is in the present type. Widths grow with the size, so that each is measured
        once."""
        key = (self.font_family, self.font_style, text)
        if key not in self._widths:
            size = self.font_size_pt
            self.letters(text)
            self.set_font_size(MEASURED)
            self._widths[key] = self.get_string_width(text) / MEASURED
            self.set_font_size(size)
        return self._widths[key] * self.font_size_pt

    def fit(self, text: str, width: float, *, least: float = 6) -> None:
        """Type small enough for a text in a width, in halves of a point, `least` points at the least."""
        wide, size = self.width_of(text), self.font_size_pt
        if wide > width:
            self.set_font_size(min(size, max(floor(2 * size * width / wide) / 2, least)))

    def cut_off(self, text: str, width: float) -> str:
        """A text as far as it goes in a width, in the present type."""
        if self.width_of(text) <= width * 1.001:
            return text
        fits = bisect_left(
            range(len(text)), True, key=lambda letters: self.width_of(f"{text[:letters]}…") > width
        )
        return f"{text[: max(fits - 1, 0)].rstrip()}…"

    def name_at(
        self,
        x: float,
        y: float,
        name: str,
        *,
        width: float,
        height: float = 0,
        align: str = "L",
        least: float = SMALLER,
    ) -> None:
        """Somebody’s name on one line whose top left corner is here: whole, else a little smaller (`least`
        of its size), else with its first name shortened, else on several lines in this `height`; cut off
        where it could not be read."""
        size = self.font_size_pt
        short = shortened(name)
        for text in (name, short):
            self.set_font_size(size)
            if least < 1:
                self.fit(text, width, least=size * least)
            if self.width_of(text) <= width:
                self.write_at(x, y + self._lower(size), text, width=width, align=align)
                self.set_font_size(size)
                return
        self.set_font_size(size)
        whole, less = (
            max(self._size_of(way, width, height) for way in _ways(text)) for text in (name, short)
        )
        text = name if whole >= WHOLE * less else short
        self.lines_at(x, y, text, width=width, height=height, align=align)

    def lines_at(
        self,
        x: float,
        y: float,
        text: str,
        *,
        width: float,
        height: float = 0,
        align: str = "L",
        pale: bool = False,
    ) -> None:
        """A text on several lines around the middle of the one that would begin here: on as many as let it be
        largest."""
        size, line = self.font_size_pt, self.line_height
        whole = max(_ways(text), key=lambda way: self._size_of(way, width, height))
        self.set_font_size(max(self._size_of(whole, width, height), LEAST))
        pitch = self.font_size * 1.05
        lines = self._first_of(whole, (height or line) / pitch)
        first = y + line / 2 - pitch * len(lines) / 2 + (pitch - self.line_height) / 2
        with self.tagged("P"):
            for number, one in enumerate(lines):
                self.write_at(x, first + number * pitch, one.rstrip(), width=width, align=align, pale=pale)
        self.set_font_size(size)

    def lines_size(self, text: str, width: float, height: float) -> float:
        """How large a text on several lines can be in this room, up to the present type."""
        size = self.font_size_pt
        self.set_font_size(size / SMALLER)
        found = max(self._size_of(way, width, height) for way in _ways(text))
        self.set_font_size(size)
        return max(found, LEAST)

    def prose_lines(self, text: str, width: float) -> list[str]:
        """The lines of a text in the present type, broken between words."""
        self.letters(text)
        lines = self.multi_cell(width, 1, text, align="L", dry_run=True, output=MethodReturnValue.LINES)
        return [str(line) for line in lines]

    def prose_size(self, text: str, width: float, height: float) -> float:
        """How large a text can be that goes on several lines in a room, up to the present type."""
        whole = size = self.font_size_pt
        while size > LEAST and len(self.prose_lines(text, width)) * size * LEADED > height:
            size -= 0.25
            self.set_font_size(size)
        self.set_font_size(whole)
        return size

    def prose_at(self, x: float, y: float, text: str, *, width: float, height: float) -> None:
        """A text in a room whose top left corner is here, in the middle of its height: as large as it can be,
        up to the present type."""
        size = self.font_size_pt
        self.set_font_size(self.prose_size(text, width, height))
        lines, pitch = self.prose_lines(text, width), self.font_size_pt * LEADED
        shown = self._first_of(lines, height / pitch)
        first = y + (height - pitch * len(shown)) / 2 + (pitch - self.line_height) / 2
        with self.tagged("P"):
            for number, line in enumerate(shown):
                self.write_at(x, first + number * pitch, line.rstrip(), width=width)
        self.set_font_size(size)

    def several_size(self, texts: Iterable[str], width: float, height: float) -> float:
        """The largest size of the present type, up to its own, in which each of these lists of names has room
        here, whole or shortened, on as many lines as it takes."""
        return min((max(self._sizes(text, width, height)) for text in texts), default=self.font_size_pt)

    def several_at(self, x: float, y: float, text: str, *, width: float, height: float) -> None:
        """Several names in the present size, on one line or on several around it: whole where they have room,
        else with their first names shortened."""
        size = self.font_size_pt
        whole, _short = self._sizes(text, width, height)
        text = text if whole >= size else shortened(text)
        if self.width_of(text) <= width:
            self.write_at(x, y, text)
            return
        self.set_font_size(size / SMALLER)
        self.lines_at(x, y + (size - self.font_size_pt) * 0.65 * POINT, text, width=width, height=height)
        self.set_font_size(size)

    def _sizes(self, text: str, width: float, height: float) -> tuple[float, float]:
        """The size in which names have room here on one line or on several: whole, and shortened."""
        size = self.font_size_pt
        found = []
        for names in (text, shortened(text)):
            line = floor(4 * size * min(1, width / max(self.width_of(names), 0.1))) / 4
            self.set_font_size(size / SMALLER)
            found.append(max(line, *(self._size_of(way, width, height) for way in _ways(names))))
            self.set_font_size(size)
        return found[0], found[1]

    def _size_of(self, lines: Sequence[str], width: float, height: float) -> float:
        """How large lines under each other can be in this room."""
        size = self.font_size_pt
        wide = max(self.width_of(one.rstrip()) for one in lines)
        possible = min(
            size * SMALLER, size * width / max(wide, 0.1), (height or self.line_height) / LEADED / len(lines)
        )
        return floor(4 * possible) / 4

    def _first_of(self, lines: Sequence[str], room: float) -> Sequence[str]:
        """As many lines as there is room for; the last of them says that there are others."""
        most = max(int(room + 0.01), 1)
        return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1].rstrip()}…"]

    def size_for(self, names: Iterable[str], width: float) -> float:
        """The largest size of the present type, up to its own, in which all of these names that fit a line
        at all do: the names of a column are of one size."""
        least = 1.0
        for name in names:
            for text, share in ((name, WHOLE), (shortened(name), SMALLER)):
                possible = width / max(self.width_of(text), 0.1)
                if possible >= share:
                    least = min(least, possible)
                    break
        return floor(4 * self.font_size_pt * least) / 4

    def _lower(self, size: float) -> float:
        """By how much smaller type begins lower, to stand on the same line."""
        return (size - self.font_size_pt) * 0.95 * POINT

    def paragraph(
        self, text: str, *, x: float | None = None, width: float = 0, gap: float = 0, pale: bool = False
    ) -> None:
        """A text broken into lines, from the present height on."""
        if x is not None:
            self.set_x(x)
        self.letters(text)
        with self._pale(pale):
            self.multi_cell(width, self.line_height, text, align="L", new_x=XPos.LEFT, new_y=YPos.NEXT)
        self.set_y(self.get_y() + gap)

    def cards(self, tokens: Sequence[str], shown: "CardWords", *, width: float = 0) -> None:
        """Cards one after the other, suits by shape and colour, from the present place on; broken at a
        width."""
        left, edge = self.get_x(), self.get_x() + width
        with self.tagged("P", alt=shown.said(tokens)):
            for token in tokens:
                rank, suit = shown.rank(token), shown.suit(token)
                if width and self.get_x() + self.card_width(token, shown) > edge and self.get_x() > left:
                    self.set_xy(left, self.get_y() + self.line_height)
                self.letters(rank)
                self.cell(None, self.line_height, rank)
                if suit:
                    self.suit(token[-1])
                self.set_x(self.get_x() + self.font_size * 0.45)

    def card_width(self, token: str, shown: "CardWords") -> float:
        """How wide a card is in the present type, with what is left free after it."""
        return self.width_of(shown.rank(token) + shown.suit(token)) + self.font_size * 0.45

    def lines_of_cards(self, tokens: Sequence[str], shown: "CardWords", width: float) -> int:
        """On how many lines cards stand that are broken at a width."""
        lines, at = 1, 0.0
        for token in tokens:
            wide = self.card_width(token, shown)
            if at and at + wide > width:
                lines, at = lines + 1, 0.0
            at += wide
        return lines

    def suit(self, letter: str) -> None:
        """The sign of a suit at the present place."""
        self.set_text_color(*(RED if letter in RED_SUITS else INK))
        self.letters(SUITS[letter])
        self.cell(None, self.line_height, SUITS[letter])
        self.set_text_color(*INK)

    @contextmanager
    def _pale(self, pale: bool) -> Iterator[None]:
        if pale:
            self.set_text_color(*PALE)
        yield
        self.ink()

    def ink(self) -> None:
        """Letters in the usual colour again."""
        self.set_text_color(*INK)

    # ── Rules and marks ───────────────────────────────────────────────────────────────────────────

    def rule(
        self, y: float, *, x: float | None = None, width: float | None = None, thick: float = 0.2
    ) -> None:
        left = self.l_margin if x is None else x
        self.set_line_width(thick)
        self.line(left, y, left + (self.epw if width is None else width), y)

    def hairline(self, y: float, *, x: float | None = None, width: float | None = None) -> None:
        """The line between two rows: it leads the eye, and stays behind what is written."""
        self.set_draw_color(*HAIR)
        self.rule(y, x=x, width=width, thick=0.2)
        self.set_draw_color(*INK)

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
        count, runs = _runs(address)
        module = size / count
        with self.tagged("Figure", alt=address):
            for row, start, length in runs:
                self.rect(x + start * module, y + row * module, length * module, module, "F")

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

    def picture(self, content: bytes, x: float, y: float, size: float, *, alt: str) -> None:
        """A club's logo, as large as its square lets it be; `alt`: the club’s name."""
        with self.tagged("Figure", alt=alt):
            self.image(BytesIO(content), x, y, size, size, keep_aspect_ratio=True)

    def mark(self, x: float, y: float, size: float, *, colour: tuple[int, int, int] = BAIZE) -> None:
        """The sign of the service: a wallet with a card's diamond in it."""
        self.set_draw_color(*colour)
        self.set_fill_color(*colour)
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
        self.set_fill_color(*INK)

    # ── Pages ─────────────────────────────────────────────────────────────────────────────────────

    def new_sheet(self) -> None:
        """Go on on paper of its own: what is handed out, cut or hung up by itself has nothing else’s on its
        back."""
        if self.duplex and self.pages_count % 2:
            self.add_page()

    def opened(
        self, heading: Heading, title: str, *, kicker: str = "", section: bool = False, code: str = ""
    ) -> None:
        """A new page that begins with a title, whose evening it is, and the double rule; then its body.
        `code`: an address that a square in its corner opens; `section`: it begins something by itself."""
        if section:
            self.new_sheet()
        self.add_page()
        if section:
            self.start_section(title, strict=False)
        top, beside = self.t_margin, 0.0
        if code:
            self.qr(code, self.l_margin + self.epw - CODE, top + HEAD - 2.5 - CODE, CODE)
            beside += CODE + 4
        wide = self.epw * 0.5 - beside
        self.evening_at(heading, top + HEAD, beside=beside, width=wide)
        left = self.epw - beside - wide - 4
        if kicker:
            self.sans(10)
            self.write_at(self.l_margin, top, kicker, width=left)
        self.serif(28)
        with self.tagged("H1"):
            self.write_at(self.l_margin, top + 3.4, title, width=left)
        self.double_rule(top + HEAD)
        self.set_y(top + HEAD + 6)

    def evening_at(self, heading: Heading, y: float, *, beside: float, width: float) -> None:
        """Whose evening it is, on the right over the rule at this height, and the club’s logo: clear of what
        stands `beside` them at the margin."""
        right = self.l_margin + self.epw - beside
        if heading.logo is not None:
            self.picture(heading.logo, right - LOGO, y - 2.5 - LOGO, LOGO, alt=heading.club)
            right, width = right - LOGO - 4, width - LOGO - 4
        self.sans(10)
        lines = [(heading.club, False), *((part, False) for part in self.broken(heading.session, width))]
        lines.append((heading.day, True))
        for number, (line, pale) in enumerate(lines):
            place = y - 7.2 - (len(lines) - 1 - number) * 4.7
            self.write_at(right - width, place, line, width=width, align="R", pale=pale)

    def broken(self, text: str, width: float) -> list[str]:
        """A text on one line, or on two where one is not wide enough."""
        return [text] if self.width_of(text) <= width else [part.strip() for part in halves(text)]

    @property
    def bottom(self) -> float:
        """Where the foot of a page begins."""
        return self.h - self.b_margin - 10

    def foot(self, text: str) -> None:
        """A note at the bottom of the page."""
        self.hairline(self.bottom)
        self.sans(9)
        self.set_xy(self.l_margin, self.bottom + 2.5)
        self.paragraph(text, width=self.epw, pale=True)

    def bytes(self) -> bytes:
        return bytes(self.output())


def _letters_of(font: CoreFont | TTFFont) -> frozenset[str]:
    return frozenset(map(chr, font.cmap)) if isinstance(font, TTFFont) else frozenset()


@lru_cache(maxsize=256)  # the slips of a table have the same address, round after round
def _runs(address: str) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """How many modules a QR code has on a side, and its runs of dark ones: row, first column, length."""
    matrix = segno.make(address, error="m", micro=False, mask=QR_MASK).matrix
    found = []
    for row, line in enumerate(matrix):
        start = None
        for column, dark in enumerate([*line, 0]):
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                found.append((row, start, column - start))
                start = None
    return len(matrix), tuple(found)


def shortened(name: str) -> str:
    """A name with the initials of its first name; those of a pair or a list each, a number left before it.

    >>> shortened("François-Xavier de La Rochebrochard"), shortened("Anne Roux – Noé"), shortened("Zoé")
    ('F.-X. de La Rochebrochard', 'A. Roux – Noé', 'Zoé')
    >>> shortened("3 Anne Roux, 12 Noé Quéméner")
    '3 A. Roux, 12 N. Quéméner'
    """
    for between in (", ", " – "):
        if between in name:
            return between.join(shortened(one) for one in name.split(between))
    given, _space, rest = name.partition(" ")
    if given.isdigit():
        return f"{given} {shortened(rest)}"
    return f"{'-'.join(f'{part[:1]}.' for part in given.split('-'))} {rest}" if rest else name


def halves(text: str) -> list[str]:
    """A text on two lines.

    >>> halves("M.-A. de Villeneuve-Bargemon"), halves("3 A. Roux, 12 N. Roux"), halves("abcdef")
    (['M.-A. de ', 'Villeneuve-Bargemon'], ['3 A. Roux, ', '12 N. Roux'], ['abc', 'def'])
    """
    return on_lines(text, 2)


@lru_cache(maxsize=4096)  # a name stands on many sheets
def _ways(text: str) -> list[list[str]]:
    """A text on several lines, each of the people of a list on lines of their own.

    >>> _ways("13 G. de La Rochebrochard-Montmorency, 9 M.-A. Őry")[1]
    ['13 G. de La Rochebrochard-', 'Montmorency, ', '9 M.-A. Őry']
    """
    people = [one for one in re.split(r"(?<=, )", text) if one]
    if len(people) < 2:
        return [on_lines(text, count) for count in LINES]
    whole = [on_lines(text, count) for count in LINES if count <= len(people)]
    longest = max(map(len, people))
    return [
        *whole,
        [line for one in people for line in (on_lines(one, 2) if 2 * len(one) > longest else [one])],
    ]


def on_lines(text: str, count: int) -> list[str]:
    """A text on so many lines, or fewer, of which the longest is as short as can be: broken between the
    people of a list, else at spaces and hyphens; a single word is broken where it has to be.

    >>> on_lines("Marie-Antoinette de La Rochebrochard", 3)
    ['Marie-', 'Antoinette de ', 'La Rochebrochard']
    """
    for between in (r"(?<=, )", r"(?<= )|(?<=\w-)", r"(?<=.)"):
        pieces = [one for one in re.split(between, text) if one]
        if len(pieces) >= count:
            break
    most = max(-(-len(text) // count), *map(len, pieces)) if pieces else 0
    while len(lines := _filled(pieces, most)) > count:
        most += 1
    return lines


def _filled(pieces: Sequence[str], most: int) -> list[str]:
    """Pieces on lines of at most so many letters, each as full as can be."""
    lines = [""]
    for one in pieces:
        if lines[-1] and len(lines[-1]) + len(one) > most:
            lines.append("")
        lines[-1] += one
    return lines


class CardWords:
    """Cards as a language writes them: R D V in French; trumps of a tarot pack by number."""

    FRENCH = {"K": "R", "Q": "D", "J": "V"}

    def __init__(self, language: str, excuse: str, trump: str) -> None:
        french = language.startswith("fr")
        self.letters = {"T": "10", **(self.FRENCH if french else {})}
        self.excuse, self.trump = excuse, trump
        named = words(SUIT_NAMES).items()
        self.suits = {suit: name.to("fr" if french else "en") for suit, name in named}

    def is_bare(self, token: str) -> bool:
        """Whether a card has no suit: the Excuse, a joker, a trump of a tarot pack."""
        return token.endswith("X") or token.startswith("JK") or token[-1] == "T"

    def suit(self, token: str) -> str:
        """Its sign; "" for a bare card."""
        return "" if self.is_bare(token) else SUITS.get(token[-1], "")

    def said(self, tokens: Iterable[str]) -> str:
        """Cards as they are read aloud: each suit by its name, before those of its cards that follow each
        other.

        >>> CardWords("fr", "Excuse", "atout").said(["AS", "TS", "KH", "21T", "EX"])
        'pique A 10, cœur R, atout 21, Excuse'
        """
        parts: list[str] = []
        last = ""
        for token in tokens:
            suit, rank = self.suits[token[-1]] if self.suit(token) else "", self.rank(token)
            if suit and suit == last:
                parts[-1] += f" {rank}"
            else:
                parts.append(f"{suit} {rank}".strip())
            last = suit
        return ", ".join(parts)

    def rank(self, token: str) -> str:
        if token.endswith("X"):
            return self.excuse
        if token.startswith("JK"):
            return "Joker"
        if token[-1] == "T":
            return f"{self.trump} {token[:-1]}"
        return self.letters.get(token[:-1], token[:-1])
