"""The page that shows every part of the design system in every state: for those who build pages, and for the
tests that photograph it. The service has it only where DESIGN_PAGE or DEBUG is set."""

from datetime import timedelta
from fractions import Fraction
from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from . import plots

STATES = {
    "expected": _("expected"),
    "at-play": _("at play"),
    "entered": _("to be confirmed"),
    "confirmed": _("confirmed"),
    "disputed": _("disputed"),
    "ruled": _("ruled"),
    "not-played": _("not played"),
    "late": _("late"),
}
NAMES = ["Joséphine Le Guillou", "François-Xavier de La Rochebrochard", "Éloïse Quéméner", "W" * 180]
COLOURS = ["paper", "sheet", "sunk", "ink", "ink2", "ink3", "rule", "rule2", "baize", "onbaize", "onbaize2"]
COLOURS += ["link", "sel", "onsel", "tint", "verm", "vtint", "card", "card-red"]
SIZES = ["hero", "h1", "h2", "h3", "name", "body", "note", "head"]
HAND = ["AS", "7H", "KH", "QC", "JC", "5C", "4D", "TD", "9S", "2S"]


class Sample(forms.Form):
    """One field of each kind."""

    name = forms.CharField(label=_("Given and family name"), help_text=_("As it stands on your licence."))
    email = forms.EmailField(label=_("E-mail"), widget=forms.EmailInput(attrs={"autocomplete": "email"}))
    password = forms.CharField(
        label=_("Password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("Twelve letters or more; a sentence is best."),
    )
    number = forms.IntegerField(label=_("Membership number"), required=False, min_value=1)
    club = forms.ChoiceField(
        label=_("Club"), choices=[("", "–"), ("1", "Club de l’Étui, Nantes"), ("2", "Cercle de la Bièvre")]
    )
    role = forms.ChoiceField(
        label=_("Part in the session"),
        widget=forms.RadioSelect,
        choices=[("director", _("director")), ("scorer", _("scorer"))],
    )
    remark = forms.CharField(label=_("Remark"), widget=forms.Textarea(attrs={"rows": 3}), required=False)
    file = forms.FileField(label=_("List of players"), help_text=_("CSV or XLSX."), required=False)
    consent = forms.BooleanField(label=_("My name may be published."))


@gzip_page
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Every part in every state; 404 where people play."""
    if not (settings.DEBUG or settings.DESIGN_PAGE):
        raise Http404
    filled = {
        "name": NAMES[1],
        "email": "fx@example.org",
        "number": "0",
        "club": "1",
        "role": "scorer",
        "remark": gettext("Plays from the second round on."),
    }
    return render(request, "frontend/design.html", context(filled))


def _plot(count: int) -> dict[str, Any]:
    """A field of so many results: dots where they are few, a histogram where they are many."""
    scores = [(number, str(number), (number * 7) % 23 - 9) for number in range(count)]
    return {
        "field": plots.field(scores, own=4, divisor=1),
        "seats": ["1"],
        "results": count,
        "words": {str(score): [label] for _number, label, score in scores[:9]},
    }


def context(filled: dict[str, str]) -> dict[str, Any]:
    return {
        "colours": COLOURS,
        "sizes": SIZES,
        "states": STATES.items(),
        "empty": Sample(auto_id="empty_%s"),
        "wrong": Sample(filled, auto_id="wrong_%s"),
        "names": NAMES,
        "rows": [
            ("1", 2, NAMES[1], "61.81", "+18"),
            ("2", 0, NAMES[0], "56.25", "+5½"),
            ("2", -1, NAMES[2], "56.25", "−8"),
            ("4", -12, NAMES[3], "9.03", "0"),
        ],
        "hand": HAND,
        "long_hand": [rank + suit for suit in "SHCD" for rank in "A23456"] + ["21T", "1T", "EX"],
        "changes": [2, 0, -3],
        "pages": {"previous": 1, "next": 3},
        "rounds": ["done", "done", "now", "", ""],
        "versions": [
            (gettext("Name"), NAMES[0], NAMES[1]),
            (gettext("Remark"), "", gettext("Plays from the second round on.")),
        ],
        "leaders": [
            {"rank": rank, "name": name, "value": Fraction(value), "is_percent": True}
            for rank, name, value in (
                ("1", NAMES[1], "125/2"),
                ("2=", NAMES[0], "225/4"),
                ("2=", NAMES[2], "225/4"),
            )
        ],
        "plots": [_plot(9), _plot(60)],
        "help": {
            "topic": "lists",
            "title": gettext("Forms"),
            "html": gettext("As it stands on your licence."),
        },
        "ends": timezone.now() + timedelta(minutes=18),
        "shared": {
            "address": "https://example.org/fr/",
            "picture": static("frontend/icon.svg"),
            "title": gettext("Second session"),
        },
    }
