"""Rows of cards as SVG. The pictures need no font and no script, and show on light pages and dark ones: cards
lie on felt."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import frontend
from frontend.presentation import letter

MOST, LEAST, MARGIN = 720, 340, 20  # of the width; wide enough for the words, and for a phone
CARD, HEIGHT, STEP = 52, 76, 27

# The colours and the suits of the site, in its light form.
STATIC = Path(frontend.__file__).parent / "static" / "frontend"
TOKENS = dict(re.findall(r"--([a-z0-9-]+): light-dark\((#\w+)", (STATIC / "tokens.css").read_text("utf-8")))
CARDS = (STATIC / "components" / "card.css").read_text("utf-8")
SHAPES = dict(re.findall(r"--([SHDCTX]): url\(.*?%3Cpath d='(.*?)'", CARDS))  # in a box of 24
FELT, LIGHT, PAPER, EDGE = TOKENS["baize"], TOKENS["onbaize"], TOKENS["card"], TOKENS["card-edge"]
INK, RED, GREEN = TOKENS["card-ink"], TOKENS["card-red"], TOKENS["baize"]
COLOURS = {"S": INK, "C": INK, "H": RED, "D": RED, "T": GREEN, "X": GREEN}
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@dataclass(frozen=True, slots=True)
class Row:
    """Cards side by side under their name; those of `marked` have a ring. `apart`: none covers another."""

    name: str
    cards: Sequence[str]
    notes: Sequence[str] = ()
    marked: Sequence[int] = ()
    apart: bool = False

    @property
    def height(self) -> int:
        lines = -(-len(self.cards) // self.in_line) if self.cards else 0
        return 28 + lines * (HEIGHT + 6) + (22 if self.notes else 6)

    @property
    def step(self) -> int:
        return CARD + 14 if self.apart else STEP

    @property
    def width(self) -> int:
        return 2 * MARGIN + CARD + (min(len(self.cards), self.in_line) - 1) * self.step

    @property
    def in_line(self) -> int:
        return (MOST - 2 * MARGIN - CARD) // self.step + 1


def drawing(rows: Sequence[Row], language: str) -> str:
    """The rows under each other, as SVG."""
    parts, top = [], MARGIN
    for row in rows:
        parts.append(_words(MARGIN, top + 14, row.name))
        for at, token in enumerate(row.cards):
            x = MARGIN + at % row.in_line * row.step
            y = top + 28 + at // row.in_line * (HEIGHT + 6)
            is_whole = row.apart or at % row.in_line == row.in_line - 1 or at == len(row.cards) - 1
            parts.append(_card(token, x, y, language, is_whole=is_whole))
            if at in row.marked:
                parts.append(_ring(x, y))
            if row.notes:
                parts.append(_words(x + CARD // 2, y + HEIGHT + 20, row.notes[at], middle=True))
        top += row.height
    used = sorted({letter(card) for row in rows for card in row.cards})
    shapes = "".join(f'<path id="{suit}" d="{SHAPES[suit]}"/>' for suit in used)
    words = ". ".join(
        f"{row.name}: {' '.join(printed(card, language) for card in row.cards)}" for row in rows
    )
    width, height = max(LEAST, *(row.width for row in rows)), top + MARGIN - 6
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-label="{escape(words)}"'
        f' font-family="Georgia, serif">\n<defs>{shapes}</defs>\n'
        f'<rect width="{width}" height="{height}" rx="6" fill="{FELT}"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _words(x: int, y: int, words: str, *, middle: bool = False) -> str:
    place = ' text-anchor="middle"' if middle else ""
    return f'<text x="{x}" y="{y}" font-size="15" fill="{LIGHT}"{place}>{escape(words)}</text>'


def _card(token: str, x: int, y: int, language: str, *, is_whole: bool) -> str:
    """A card whose upper left corner lies there. Of one that another covers, the corner says what it is."""
    suit, rank = letter(token), rank_of(token, language)
    size = {1: 19, 2: 16}.get(len(rank), 12)
    large = f'<use href="#{suit}" transform="translate(18 38) scale(1.2)"/>' if is_whole else ""
    return (
        f'<g transform="translate({x} {y})" fill="{COLOURS[suit]}">'
        f'<rect width="{CARD}" height="{HEIGHT}" rx="4" fill="{PAPER}" stroke="{EDGE}"/>'
        f'<text x="4" y="19" font-size="{size}" font-weight="bold">{rank}</text>'
        f'<use href="#{suit}" transform="translate(5 23) scale(.5)"/>{large}</g>'
    )


def _ring(x: int, y: int) -> str:
    return (
        f'<rect x="{x - 4}" y="{y - 4}" width="{CARD + 8}" height="{HEIGHT + 8}" rx="7" fill="none"'
        f' stroke="{LIGHT}" stroke-width="2"/>'
    )


def rank_of(token: str, language: str) -> str:
    if letter(token) == "X":
        return "★" if token.startswith("JK") else "Exc."
    ranks = {"T": "10"} | ({"K": "R", "Q": "D", "J": "V"} if language == "fr" else {})
    return token[:-1] if letter(token) == "T" else ranks.get(token[:-1], token[:-1])


def printed(token: str, language: str) -> str:
    """A card in a line of text."""
    rank, suit = rank_of(token, language), letter(token)
    return rank + SIGNS[suit] if suit in SIGNS else f"`{token}`"
