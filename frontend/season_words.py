"""The rules of a season, its lists and its evenings in words, and where a list stands."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.combined import AVERAGE
from scoring.rounding import decimals
from scoring.seasons import (
    BEST_EVENINGS,
    COUNT_BACK,
    ENCOUNTERS,
    EVENINGS,
    HALF,
    NONE,
    WHOLE,
    EveningPart,
    SeasonRow,
    SeasonRules,
)
from tournaments.models import Category, Season
from tournaments.services.percentages import in_percent
from tournaments.services.season_results import Key
from tournaments.services.season_standings import HeldStanding, SeasonWish

TIE_BREAKS = {
    ENCOUNTERS: gettext_lazy("who was ahead more often, of those who are equal"),
    BEST_EVENINGS: gettext_lazy("the best evening, then the second best"),
    EVENINGS: gettext_lazy("who has played more evenings"),
    COUNT_BACK: gettext_lazy("the last evening, then the one before"),
}
MEASURES = {
    Season.Measure.PERCENT: gettext_lazy("Each evening counts by its percentage."),
    Season.Measure.STANDARD: gettext_lazy(
        "Each evening counts by its standard score: 50 for the mean of the field, and 10 for each standard"
        " deviation above or below it. So evenings of different games weigh the same."
    ),
    Season.Measure.SCORE: gettext_lazy("Each evening counts by its score, as it is."),
}


def rules_in_words(rules: SeasonRules, measure: str) -> Iterator[str]:
    """A sentence for each rule."""
    yield str(MEASURES[Season.Measure(measure)])
    is_average = rules.combine == AVERAGE
    if rules.best is not None:
        said = (
            ngettext("The best %(count)d evening is averaged.", "The best %(count)d evenings are averaged.",
                     rules.best)
            if is_average
            else ngettext("The best %(count)d evening counts.", "The best %(count)d evenings are added up.",
                          rules.best)
        )  # fmt: skip
        yield said % {"count": rules.best}
    else:
        yield _("The evenings are averaged.") if is_average else _("The evenings are added up.")
        if rules.drop:
            said = ngettext(
                "The worst %(count)d does not count; an evening that was missed is the first to be left out.",
                "The worst %(count)d do not count; evenings that were missed are the first to be left out.",
                rules.drop,
            )
            yield said % {"count": rules.drop}
    if rules.least > 1:
        yield _("A place takes %(count)d evenings.") % {"count": rules.least}
    if rules.absent is not None:
        yield _("A missed evening is worth %(value)s.") % {"value": number(rules.absent)}
    if rules.half != WHOLE:
        part = in_percent(number(100 * rules.enough))
        said = (
            _("Less than %(part)s of an evening’s boards count as half an evening.")
            if rules.half == HALF
            else _("An evening counts only with at least %(part)s of its boards.")
        )
        yield said % {"part": part}
    if rules.tie_breaks:
        told = ", ".join(str(TIE_BREAKS[name]) for name in rules.tie_breaks)
        yield _("Equal ones are told apart by: %(names)s.") % {"names": told}
    else:
        yield _("Equal ones share their place.")


def number(value: Fraction) -> str:
    """A number with as many decimals as it needs, two at most."""
    text = str(decimals(value))
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return str(number_format(Decimal(text))).replace("-", "−")


def list_name(wish: SeasonWish, held: HeldStanding) -> str:
    """What a list is called."""
    parts = [str(Season.Ranked(wish.ranked).label).capitalize()] if len(held.ranked) > 1 else []
    if wish.division is not None:
        parts.append(held.divisions[wish.division - 1].name)
    if wish.category:
        parts.append(str(Category(wish.category).label).capitalize())
    if wish.handicap:
        parts.append(_("with handicaps"))
    return ", ".join(parts) or _("Everybody")


def query_of(wish: SeasonWish, who: Key | None = None) -> str:
    """The part of the address that asks for a list, and for somebody's evenings in it."""
    asked: dict[str, Any] = {"ranked": wish.ranked}
    if wish.division is not None:
        asked["division"] = wish.division
    if wish.category:
        asked["category"] = wish.category
    if wish.handicap:
        asked["handicap"] = "1"
    if who is not None:
        asked["who"] = "-".join(map(str, who))
    return urlencode(asked)


def tie_words(row: SeasonRow[Key], rules: SeasonRules) -> str:
    """What puts a line before the next with the same total, or that nothing does."""
    if row.before_next in TIE_BREAKS:
        return _("Before the next, with the same total: %(why)s.") % {"why": TIE_BREAKS[row.before_next]}
    if row.rank.endswith("="):
        if rules.tie_breaks:
            return _("Equal by every tie-break of the season.")
        return _("Equal; the season has no tie-break.")
    return ""


MOVES: Mapping[str, object] = {
    "up": gettext_lazy("goes up"),
    "down": gettext_lazy("comes down"),
    "tied": gettext_lazy("tied across the border"),
}


def part_words(part: EveningPart, *, counted: bool, half: str) -> str:
    """What is to be said of an evening in somebody's line."""
    if part.is_absent:
        told = _("missed")
    elif part.counts == 1:
        told = ""
    else:
        told = _("too few boards") if half == NONE else _("half an evening")
    if counted:
        return told
    return f"{told}, {_('does not count')}" if told else _("does not count")
