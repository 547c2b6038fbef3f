"""Cards, percentages and progress lines as pages show them."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from frontend import presentation
from frontend.presentation import letter
from scoring.rounding import decimals
from tournaments.models import Session
from tournaments.services import rankings
from tournaments.services.games import language
from tournaments.services.percentages import in_percent

register = template.Library()

PIP_SUITS = "SHDC"
PIP_RANKS = set("A23456789T")
RANKS_FR = {"K": "R", "Q": "D", "J": "V", "T": "10", "A": "A"}
RANKS_EN = {"T": "10"}


@register.filter
def rank(token: str) -> str:
    """The rank of a card in the reader's language: R D V in French."""
    if token.endswith("X"):
        return _("Exc.")
    if token.startswith("JK"):
        return "★"
    letters = RANKS_FR if (get_language() or "en").startswith("fr") else RANKS_EN
    return letters.get(token[:-1], token[:-1])


@register.filter
def game_name(session: Session) -> str:
    return presentation.game_name(session, language())


@register.filter
def score_unit(session: Session) -> str:
    """What its scores count, as the head of a column."""
    return presentation.score_unit(session, language())


@register.filter
def suit_name(letter: str) -> str:
    names = {"S": _("spades"), "H": _("hearts"), "D": _("diamonds"), "C": _("clubs")}
    return names[letter] if letter in names else {"T": _("trumps"), "X": _("without suit")}[letter]


def rank_name(token: str) -> str:
    """The rank of a card as it is said: “jack”; a figure as it is."""
    names = {
        "K": pgettext("card", "king"),
        "Q": pgettext("card", "queen"),
        "C": pgettext("card", "knight"),
        "J": pgettext("card", "jack"),
        "A": pgettext("card", "ace"),
        "1": pgettext("card", "ace"),  # of a tarot pack
    }
    return names.get(token[:-1]) or rank(token)


@register.filter
def spoken(token: str) -> str:
    """A card as it is read aloud: “jack of hearts”, “21 of trumps”."""
    if letter(token) == "X":
        return _("Excuse") if token.endswith("X") else _("joker")
    if letter(token) == "T":
        return pgettext("card", "%(rank)s of trumps") % {"rank": rank(token)}
    return pgettext("card", "%(rank)s of %(suit)s") % {"rank": rank_name(token), "suit": suit_name(token[-1])}


@register.simple_tag
def card(token: str) -> SafeString:
    """A card: rank and suit, told apart by shape as well as by colour. Where it stands says how it is drawn
    (components/card.css): a chip, or a face with its pips, or with the letter of a court card."""
    kind = face(token)
    return format_html(
        '<span class="card" data-card="{}" data-suit="{}" data-face="{}" role="img" aria-label="{}">'
        "<b>{}</b>{}</span>",
        token, letter(token), kind, spoken(token), rank(token),
        format_html("<i>{}</i>", rank(token)) if kind == "court" else "",
    )  # fmt: skip


def face(token: str) -> str:
    """What a card shows: its pips ("A", "2" … "T"), a "court" card's letter, or an "ornament".

    >>> face("TH"), face("KS"), face("21T")
    ('T', 'court', 'ornament')
    """
    if letter(token) not in PIP_SUITS:
        return "ornament"
    return token[:-1] if token[:-1] in PIP_RANKS else "court"


@register.filter
def size(number: int) -> int:
    """A number without its sign."""
    return abs(number)


@register.filter
def score(value: Fraction | None, places: int = 2) -> str:
    """A score with its decimals and the language's comma; the column says of what. None: none yet."""
    return "–" if value is None else str(number_format(decimals(value, places), places)).replace("-", "−")


@register.filter
def places_of(standings: Iterable[Any]) -> int:
    """How many decimals the column of their totals shows. `standings`: or rows of a list, which have their
    place."""
    places = [one["place"] if isinstance(one, dict) else one for one in standings]
    return rankings.places_of([one.total for one in places])


@register.filter
def percent(value: Fraction) -> str:
    """A percentage with its sign, as the language writes it."""
    return in_percent(score(value))


@register.filter
def with_percent(number: int) -> str:
    """A whole number with the sign of a percentage."""
    return in_percent(number)


@register.filter
def award(value: str) -> str:
    """An award as exact text ("13/3"): two decimals where it needs them."""
    exact = Fraction(value)
    return score(exact) if exact.denominator > 1 else str(exact).replace("-", "−")


@register.filter
def points_of(value: Fraction) -> str:
    """Points that were won: two decimals where they need them."""
    return award(str(value))


@register.filter
def points(progress: Sequence[Fraction], window: tuple[float, float]) -> str:
    """The points of a progress line in a box of 100 by 24; what is outside the window lies at its edge."""
    low, high = window
    heights = [min(max(float(p), low), high) for p in progress]
    if len(heights) == 1:
        heights *= 2
    step = 100 / max(len(heights) - 1, 1)
    scale = 24 / (high - low)
    return " ".join(f"{i * step:.1f},{24 - (h - low) * scale:.1f}" for i, h in enumerate(heights))


@register.filter
def last_point(line: str) -> str:
    """The path of a mark on the last point of a progress line; lib/plotting.js has the same."""
    return f"M{line.rpartition(' ')[2]}h0" if line else ""
