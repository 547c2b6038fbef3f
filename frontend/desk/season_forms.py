"""The forms of a season on the desk: what it is called and how it is counted, its divisions, its prizes."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.combined import AVERAGE, SUM
from scoring.seasons import HALF, NONE, SEASON_TIE_BREAKS, WHOLE, SeasonRules
from tournaments.models import Category, Season
from tournaments.services import past_seasons, seasons

from ..season_words import TIE_BREAKS, number
from .owned import OwnedForm

ALL, BEST, DROP = "all", "best", "drop"


class NewSeasonForm(OwnedForm):
    name = forms.CharField(label=_("Name of the season"), max_length=seasons.NAME_LETTERS)


class SeasonNumberField(forms.CharField):
    """A number such as 40, 57,25 or 1/3, exact."""

    def clean(self, value: Any) -> Fraction | None:
        text = str(super().clean(value)).strip()
        if not text:
            return None
        if (number := past_seasons.exact(text)) is None:
            raise forms.ValidationError(gettext("Write a number, such as 40, 57.25 or 1/3."))
        return number


class SeasonRulesForm(forms.Form):
    """What a season is called and how it is counted. `seen`: how it was."""

    seen = forms.CharField(widget=forms.HiddenInput)
    name = forms.CharField(label=_("Name of the season"), max_length=seasons.NAME_LETTERS)
    ranked = forms.MultipleChoiceField(
        label=_("Who is ranked"), choices=Season.Ranked.choices, widget=forms.CheckboxSelectMultiple
    )
    measure = forms.ChoiceField(
        label=_("What counts of an evening"),
        choices=Season.Measure.choices,
        help_text=_("Standard scores make evenings of different games alike."),
    )
    combine = forms.ChoiceField(
        label=_("The evenings are"),
        choices=[(SUM, _("added up")), (AVERAGE, _("averaged"))],
    )
    which = forms.ChoiceField(
        label=_("Which evenings count"),
        choices=[
            (ALL, _("all")),
            (BEST, _("the best so many")),
            (DROP, _("all but the worst so many; missed ones are left out first")),
        ],
    )
    count = forms.IntegerField(label=_("So many"), min_value=1, max_value=400, required=False)
    least = forms.IntegerField(
        label=_("Evenings that a place takes"),
        min_value=0,
        max_value=400,
        help_text=_("Two half ones are one."),
    )
    absent = SeasonNumberField(
        label=_("A missed evening is worth"), required=False, max_length=20, help_text=_("Empty: nothing.")
    )
    half = forms.ChoiceField(
        label=_("An evening with too few boards counts"),
        choices=[
            (HALF, _("as half an evening")),
            (WHOLE, _("as a whole one")),
            (NONE, pgettext_lazy("half evening", "not at all")),
        ],
    )
    enough = forms.IntegerField(
        label=_("Per cent of the boards that are enough"), min_value=0, max_value=100, required=False
    )
    tie_breaks = forms.MultipleChoiceField(
        label=_("What tells equal ones apart"),
        choices=[(name, TIE_BREAKS[name]) for name in SEASON_TIE_BREAKS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("In this order; without a tick they share their place."),
    )

    def __init__(self, data: Any, *, season: Season, rules: SeasonRules) -> None:
        which = BEST if rules.best else DROP if rules.drop else ALL
        initial = {
            **{"seen": seasons.stamp(season), "name": season.name, "ranked": season.ranked},
            **{"measure": season.measure, "combine": rules.combine, "which": which},
            **{"count": rules.best or rules.drop or None, "least": rules.least},
            "absent": "" if rules.absent is None else number(rules.absent),
            **{"half": rules.half, "enough": round(100 * rules.enough), "tie_breaks": rules.tie_breaks},
        }
        super().__init__(data, initial=initial, auto_id="rules_%s")

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if given.get("which") in (BEST, DROP) and not given.get("count"):
            self.add_error("count", gettext("Say how many."))
        return given

    @property
    def rules(self) -> dict[str, Any]:
        """The rules as the service takes them."""
        given = self.cleaned_data
        enough = 67 if given["enough"] is None else given["enough"]
        rules: dict[str, Any] = {name: given[name] for name in ("combine", "least", "half")}
        if given["which"] != ALL:
            rules["best" if given["which"] == BEST else "drop"] = given["count"]
        if given["absent"] is not None:
            rules["absent"] = str(given["absent"])
        rules["enough"] = str(
            Fraction(2, 3) if enough == 67 else Fraction(enough, 100)
        )  # as it is by default
        rules["tie_breaks"] = [name for name in SEASON_TIE_BREAKS if name in given["tie_breaks"]]
        return rules


class DivisionsForm(forms.Form):
    """The divisions by name, a line each; who plays in which comes beside it."""

    seen = forms.CharField(widget=forms.HiddenInput)
    names = forms.CharField(
        label=_("Divisions"),
        widget=forms.Textarea(attrs={"rows": 4}),
        required=False,
        help_text=_(
            "A name a line, the highest first; empty for none. Whoever is in none plays in the last."
        ),
    )
    up = forms.IntegerField(label=_("How many go up"), min_value=0, max_value=100)
    down = forms.IntegerField(label=_("How many come down"), min_value=0, max_value=100)

    def __init__(self, data: Any, *, season: Season) -> None:
        initial = {
            "seen": seasons.stamp(season),
            "names": "\n".join(one["name"] for one in season.divisions),
            **{"up": season.up, "down": season.down},
        }
        super().__init__(data, initial=initial, auto_id="divisions_%s")

    def clean_names(self) -> list[str]:
        return [line.strip() for line in self.cleaned_data["names"].splitlines() if line.strip()]


EMPTY_PRIZES = 3  # lines to fill in


def prize_lists(season: Season) -> list[tuple[str, str]]:
    """The lists that prizes are given from, each with what a form calls it."""
    found: list[tuple[str, str]] = []
    for ranked in season.ranked:
        who = str(Season.Ranked(ranked).label).capitalize()
        found.append((f"{ranked}:::", who))
        if season.handicaps:
            found.append((f"{ranked}::1:", f"{who}, {gettext('with handicaps')}"))
        found += [
            (f"{ranked}:{one.value}::", f"{who}, {gettext('category')} {one.label}") for one in Category
        ]
        if ranked == season.ranked[0] and len(season.divisions) > 1:
            found += [
                (f"{ranked}:::{at}", f"{who}, {one['name']}") for at, one in enumerate(season.divisions, 1)
            ]
    return found


def key_of_prize(prize: Mapping[str, Any]) -> str:
    division = prize["division"] or ""
    return f"{prize['ranked']}:{prize['category']}:{'1' if prize['handicap'] else ''}:{division}"


def prizes_in(data: Mapping[str, str], lists: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """The prizes of a form, line by line; a line without a name is none."""
    known = {key for key, _name in lists}
    for at in range(seasons.PRIZES_AT_MOST):
        name, key = data.get(f"prize-{at}", "").strip(), data.get(f"prize-{at}-list", "")
        if name and key in known:
            ranked, category, handicap, division = key.split(":")
            count = data.get(f"prize-{at}-count", "")
            yield {
                "name": name[: seasons.NAME_LETTERS],
                "count": int(count) if count.isdecimal() and len(count) < 4 else 1,
                **{"ranked": ranked, "category": category, "handicap": bool(handicap)},
                "division": int(division) if division else None,
            }
