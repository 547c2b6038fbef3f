"""The formulas by which a club's lists give master points, for those who set up its sessions."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.formulas import LONGEST_TABLE
from tournaments.models import AwardFormula
from tournaments.services import formulas
from tournaments.services.errors import Conflict, Refused

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from .club import number_of
from .wizard import managed_club

FIELDS = (4, 8, 16)
"""Of so many tables, with two contestants at each, are the samples."""
BOARDS, PLACES = 24, 4  # of a sample


class FormulaForm(forms.Form):
    name = forms.CharField(label=_("What it is called"), max_length=80, help_text=_("“Federation 2026”."))
    text = forms.CharField(
        label=_("Formula"),
        max_length=LONGEST_TABLE,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=_(
            "Of place, contestants, beaten, tables, boards and factor, with + − × ÷, parentheses, min, max,"
            " sqrt, floor and ceil; decimals with a point. Or a table, a line for each number of tables:"
            " “8: 1 0.75 0.5” gives that to the first three from 8 tables on."
        ),
    )


@dataclass(frozen=True, slots=True)
class GivenSample:
    """`points`: of the first places."""

    tables: int
    points: Sequence[Fraction]


@forms_and_pages
@signed_in
def page(request: HttpRequest, club: str) -> HttpResponse:
    """The formulas of a club, each with what it gives in three fields. One is retired, never edited: what was
    given by it stays as it was."""
    the_club, account = managed_club(request, club), account_of(request)
    way = request.POST.get("way", "") if request.method == "POST" else ""
    form = FormulaForm(request.POST if way == "add" else None)
    status = 200 if request.method != "POST" else 400
    if way == "retire":
        one = get_object_or_404(formulas.of(the_club), pk=number_of(request.POST.get("formula", "")))
        formulas.retire(one=one, actor=account)
        messages.success(
            request, gettext("“%(name)s” is retired: no new list names it.") % {"name": one.name}
        )
        return redirect("desk-formulas", club=the_club.slug)
    if way == "add" and form.is_valid():
        try:
            formulas.add(club=the_club, actor=account, **form.cleaned_data)
        except Refused as error:
            form.add_error("text" if error.code == "bad-formula" else "name", str(error))
            status = 409 if isinstance(error, Conflict) else 400
        else:
            messages.success(request, gettext("Lists can give master points by it now."))
            return redirect("desk-formulas", club=the_club.slug)
    entries = [(one, samples_of(one)) for one in formulas.of(the_club)]
    context: dict[str, Any] = {
        **{"club": the_club, "form": form, "entries": entries, "boards": BOARDS},
        "places": range(1, PLACES + 1),
    }
    return render_at(the_club, request, "desk/formulas.html", context, status)


def samples_of(one: AwardFormula) -> list[GivenSample]:
    given = (
        (
            tables,
            formulas.sample(one.text, tables=tables, contestants=2 * tables, boards=BOARDS, places=PLACES),
        )
        for tables in FIELDS
    )
    return [GivenSample(tables, points) for tables, points in given]
