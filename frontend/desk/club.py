"""What a club has of its own: its clock, town, colour and logo, its templates of sessions, its catalogue of
penalties. For those who set up its sessions."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from engines import registry
from scoring.methods import METHODS
from tournaments.models import BoardSet, CataloguePenalty, Club, Session, SessionTemplate
from tournaments.services import clubs, drafts, logos, penalties, session_wishes, templates
from tournaments.services.errors import Conflict, Invalid, Missing, Refused, Stale
from tournaments.services.session_wishes import SessionWish

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..hours import HourField
from ..overtaken import overtake
from .rankings import exact
from .wizard import language, managed_club

PLACE = re.compile("(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/|UTC$")

# ── Clock, town, colour, logo ─────────────────────────────────────────────────────────────────────


class ClubPageForm(forms.Form):
    """`seen`: the stamp of what the form replaces."""

    seen = forms.CharField(widget=forms.HiddenInput)
    time_zone = forms.ChoiceField(
        label=_("The club’s time zone"),
        help_text=_("Sessions begin by this clock, and all pages of the club show it."),
    )
    town = forms.CharField(
        label=_("Town"),
        max_length=80,
        required=False,
        help_text=_("Visitors choose it to see the evenings near them."),
    )
    region = forms.CharField(
        label=_("Region"),
        max_length=80,
        required=False,
        help_text=_("Events of many clubs rank the club in it, too: spelt as the others there spell it."),
    )
    currency = forms.ChoiceField(label=_("Currency of its fees"), choices=Club.Currency.choices)
    accent = forms.ChoiceField(
        label=_("Colour of the club’s pages"),
        required=False,
        widget=forms.RadioSelect,
        help_text=_("Each can be read by everybody, light and dark."),
    )

    def __init__(self, data: Any, *, club: Club) -> None:
        initial = {"time_zone": club.time_zone, "town": club.town, "accent": club.accent}
        initial |= {"currency": club.currency, "region": club.region, "seen": clubs.stamp(club)}
        super().__init__(data, initial=initial)
        places = sorted(name for name in available_timezones() if PLACE.match(name))
        zones = [(name, name.replace("_", " ")) for name in places]
        self.fields["time_zone"].choices = zones  # type: ignore[attr-defined]
        self.fields["accent"].choices = Club.Accent.choices  # type: ignore[attr-defined]


class LogoForm(forms.Form):
    logo = forms.FileField(
        label=_("A picture"),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        help_text=_(
            "PNG, JPEG or WebP, 2 MB at most. It is made small, and loses what a camera wrote in it."
        ),
    )

    def clean_logo(self) -> bytes:
        file = self.cleaned_data["logo"]
        if file.size > logos.BYTES_AT_MOST:
            raise forms.ValidationError(gettext("A logo has 2 MB at most: make it smaller."))
        return bytes(file.read())


@forms_and_pages
@signed_in
def settings(request: HttpRequest, club: str) -> HttpResponse:
    """By whose clock the club plays, where, in which colour, and with which logo."""
    the_club, account = managed_club(request, club), account_of(request)
    way = request.POST.get("way", "") if request.method == "POST" else ""
    form = ClubPageForm(request.POST if way == "save" else None, club=the_club)
    logo = LogoForm(request.POST if way == "logo" else None, request.FILES if way == "logo" else None)
    status = 200 if request.method != "POST" else 400
    back = redirect("club-settings", club=the_club.slug)
    if way == "no logo":
        logos.remove(club=the_club, actor=account)
        messages.success(request, gettext("The club has no logo any more."))
        return back
    try:
        if way == "save" and form.is_valid():
            clubs.mend(club=the_club, actor=account, **form.cleaned_data)
            messages.success(request, gettext("It is saved: the club’s pages show it now."))
            return back
        if way == "logo" and logo.is_valid():
            logos.put(club=the_club, actor=account, content=logo.cleaned_data["logo"])
            messages.success(request, gettext("The club’s pages and prints show this logo now."))
            return back
    except Stale as error:
        the_club.refresh_from_db()
        overtake(form, ClubPageForm(None, club=the_club), error)
        status = 409
    except Invalid as error:
        (logo if way == "logo" else form).add_error("logo" if way == "logo" else None, str(error))
    context = {"club": the_club, "form": form, "logo": logo}
    return render_at(the_club, request, "desk/club.html", context, status)


# ── Templates of sessions ─────────────────────────────────────────────────────────────────────────


class TemplateForm(forms.Form):
    """What a session of this kind begins with. `seen`: how often it had been changed."""

    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)
    like = forms.IntegerField(widget=forms.HiddenInput, required=False)
    name = forms.CharField(
        label=_("Name of the template"), max_length=80, help_text=_("As you say it: “Tuesday, L’Hombre”.")
    )
    game = forms.ChoiceField(label=_("Game"))
    begins = HourField(label=pgettext_lazy("time", "From"))
    ends = HourField(label=pgettext_lazy("time", "To"))
    minutes = forms.IntegerField(
        label=_("Minutes a board"),
        min_value=1,
        max_value=240,
        required=False,
        help_text=_("Empty: as usual."),
    )
    boards = forms.IntegerField(
        label=_("Or a number of boards each"),
        required=False,
        min_value=1,
        max_value=100,
        help_text=_("Then no end is wanted."),
    )
    reserves = forms.IntegerField(label=_("Boards in reserve"), min_value=0, max_value=20)
    method = forms.ChoiceField(label=_("How results become a ranking"))
    custody = forms.ChoiceField(
        label=_("Who sees the boards before they have been played"),
        choices=[
            (BoardSet.Keeping.OFFICER.value, _("Only a deal officer, who does not play")),
            (BoardSet.Keeping.NONE.value, _("The club’s organisers, at any time")),
            (session_wishes.BY_TABLES, _("Nobody: the tables shuffle their own cards")),
            (session_wishes.COPIED, _("Whoever shuffles each board once and copies it; they do not play")),
        ],
    )
    substitutes_credited = forms.ChoiceField(
        label=_("What a substitute plays is credited to"), choices=Session.Credited.choices
    )

    def __init__(self, data: Any, *, wish: SessionWish, initial: dict[str, Any]) -> None:
        self.wish = wish
        own = ("game", "begins", "ends", "minutes", "boards", "reserves", "method", "custody")
        known = {name: getattr(wish, name) for name in (*own, "substitutes_credited")}
        super().__init__(data, initial=known | initial)
        games = [(one.id, one.name.to(language())) for one in registry.games().values()]
        self.fields["game"].choices = games  # type: ignore[attr-defined]
        methods = [(key, method.name.to(language())) for key, method in METHODS.items()]
        self.fields["method"].choices = methods  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("begins") and given.get("begins") == given.get("ends"):
            self.add_error("ends", gettext("It has to end later than it begins."))
        return given

    def decided(self) -> SessionWish:
        """What the form says. The options of a game and of a method stay as long as these do."""
        given = self.cleaned_data
        usual = session_wishes.minutes_of(registry.game(given["game"]))
        return replace(
            self.wish,
            game=given["game"],
            options=self.wish.options if given["game"] == self.wish.game else {},
            begins=given["begins"].strftime("%H:%M"),
            ends=given["ends"].strftime("%H:%M"),
            minutes=given["minutes"] or usual,
            boards=given["boards"],
            reserves=given["reserves"],
            method=given["method"],
            method_options=self.wish.method_options if given["method"] == self.wish.method else {},
            custody=given["custody"],
            substitutes_credited=given["substitutes_credited"],
        )


@forms_and_pages
@signed_in
def session_templates(request: HttpRequest, club: str) -> HttpResponse:
    """The templates of a club, and a new one: from nothing, or like a session (`?like=`)."""
    the_club, account = managed_club(request, club), account_of(request)
    way = request.POST.get("way", "") if request.method == "POST" else ""
    if way in ("usual", "remove"):
        try:
            one = templates.with_id(the_club, number_of(request.POST.get("template", "")))
        except Missing:
            raise Http404 from None
        if way == "usual":
            templates.make_usual(template=one, actor=account)
            messages.success(request, gettext("New sessions begin as “%(name)s”.") % {"name": one.name})
        else:
            templates.remove(template=one, actor=account)
            messages.success(request, gettext("The template “%(name)s” is gone.") % {"name": one.name})
        return redirect("club-templates", club=the_club.slug)
    source = _like(request, the_club)
    wish = SessionWish(game=next(iter(registry.games()))) if source is None else drafts.like(source)
    initial = {} if source is None else {"like": source.pk, "name": source.tournament.name}
    form = TemplateForm(request.POST if way == "add" else None, wish=wish, initial=initial)
    status = 200 if request.method != "POST" else 400
    if way == "add" and form.is_valid():
        try:
            templates.add(club=the_club, actor=account, name=form.cleaned_data["name"], wish=form.decided())
        except Refused as error:
            status = _refuse(form, error)
        else:
            messages.success(request, gettext("The template is there: new sessions can begin as it."))
            return redirect("club-templates", club=the_club.slug)
    context = {
        **{"club": the_club, "form": form, "is_like": source is not None},
        "templates": [_told(one) for one in templates.of(the_club)],
    }
    return render_at(the_club, request, "desk/templates.html", context, status)


@forms_and_pages
@signed_in
def session_template(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """One of them, to be changed."""
    the_club, account = managed_club(request, club), account_of(request)
    one = get_object_or_404(templates.of(the_club), pk=pk)
    initial = {"name": one.name, "seen": one.changes}
    form = TemplateForm(request.POST or None, wish=templates.wish_of(one), initial=initial)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            given = form.cleaned_data
            seen = -1 if given["seen"] is None else given["seen"]
            try:
                templates.change(
                    template=one, actor=account, name=given["name"], wish=form.decided(), seen=seen
                )
            except Stale as error:
                one.refresh_from_db()
                now = {"name": one.name, "seen": one.changes}
                overtake(form, TemplateForm(None, wish=templates.wish_of(one), initial=now), error)
                status = 409
            except Refused as error:
                status = _refuse(form, error)
            else:
                messages.success(request, gettext("The template has been changed."))
                return redirect("club-templates", club=the_club.slug)
    context = {"club": the_club, "form": form, "template": one}
    return render_at(the_club, request, "desk/template.html", context, status)


def _like(request: HttpRequest, club: Club) -> Session | None:
    text = request.GET.get("like") or request.POST.get("like") or ""
    if not text:
        return None
    own = Session.objects.filter(tournament__club=club).select_related("tournament__club", "board_set")
    return get_object_or_404(own, pk=number_of(text))


def _told(one: SessionTemplate) -> dict[str, Any]:
    wish = templates.wish_of(one)
    return {
        "one": one,
        "wish": wish,
        "game": registry.game(wish.game).name.to(language()),
        "method": METHODS[wish.method].name.to(language()),
    }


def _refuse(form: forms.Form, error: Refused) -> int:
    field = (error.details or {}).get("field")
    form.add_error(field if field in form.fields else None, str(error))
    return 409 if isinstance(error, Conflict) else 400


def number_of(text: str) -> int:
    """An id that somebody has sent; 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


# ── The catalogue of penalties ────────────────────────────────────────────────────────────────────


class PenaltyEntryForm(forms.Form):
    name = forms.CharField(label=_("What for"), max_length=80, help_text=_("“Slow play”, “board spoiled”…"))
    kind = forms.ChoiceField(label=_("It is"), choices=CataloguePenalty.Kind.choices)
    amount = forms.CharField(label=_("How much"), max_length=20, help_text=_("10, 2.5 or 1/2."))
    unit = forms.ChoiceField(
        label=_("Of what"),
        help_text=_(
            "It is offered in sessions that count so: per cent and matchpoints where boards are compared by "
            "rank, IMPs or points where they are compared so, victory points where teams play matches."
        ),
    )

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.fields["unit"].choices = list(UNITS.items())  # type: ignore[attr-defined]

    def clean_amount(self) -> str:
        found = exact(self.cleaned_data["amount"])
        if found is None or Fraction(found) <= 0:
            raise forms.ValidationError(gettext("Write a number above 0, such as 10, 2.5 or 1/2."))
        return found


UNITS = {
    "matchpoints": _("matchpoints"),
    "percent": _("per cent of a board"),
    "points": _("points, as the session counts"),
    "imps": _("IMPs"),
    "vps": _("victory points, of the team"),
}


@forms_and_pages
@signed_in
def catalogue(request: HttpRequest, club: str) -> HttpResponse:
    """What slow play or a spoiled board costs at the club. An entry is retired, never edited: what was ruled
    by it stays as it was."""
    the_club, account = managed_club(request, club), account_of(request)
    way = request.POST.get("way", "") if request.method == "POST" else ""
    form = PenaltyEntryForm(request.POST if way == "add" else None)
    status = 200 if request.method != "POST" else 400
    if way == "retire":
        one = get_object_or_404(penalties.of(the_club), pk=number_of(request.POST.get("penalty", "")))
        penalties.retire(penalty=one, actor=account)
        messages.success(
            request, gettext("“%(name)s” is retired: no new ruling names it.") % {"name": one.name}
        )
        return redirect("club-catalogue", club=the_club.slug)
    if way == "add" and form.is_valid():
        try:
            penalties.add(club=the_club, actor=account, **form.cleaned_data)
        except Refused as error:
            status = _refuse(form, error)
        else:
            messages.success(request, gettext("Directors can rule by it now."))
            return redirect("club-catalogue", club=the_club.slug)
    entries = [(one, UNITS.get(one.unit, one.unit)) for one in penalties.of(the_club)]
    context = {"club": the_club, "form": form, "entries": entries}
    return render_at(the_club, request, "desk/catalogue.html", context, status)
