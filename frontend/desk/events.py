"""Events over many clubs: for those who run one, its clubs and what waits; for a club, what it may enter, and
its material."""

import zoneinfo
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from engines import registry
from scoring.methods import METHODS
from tournaments.models import Account, Club, ClubEntry, Event, Leg
from tournaments.models.accounts import RoleKind
from tournaments.movements import FAMILIES
from tournaments.services import clubs, dates, event_entries, events, field_lists
from tournaments.services.errors import Refused, Stale

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, address_of_invitation, forms_and_pages
from ..clocks import render_at
from ..exports import FORMS, as_file, table_as
from ..hours import HourField
from ..movement_words import WORDS, movement_name
from ..overtaken import overtake
from .club import PLACE, number_of
from .event_findings import asked_of
from .owned import OwnedForm
from .wizard import language, managed_club

State, Stage = ClubEntry.State, ClubEntry.Stage
FEDERATION = "federation"
CLUBS_AT_MOST = 500  # to choose from

SHAPES = {
    State.INVITED: "expected",
    State.ENTERED: "entered",
    State.DECLINED: "not-played",
    State.WITHDRAWN: "not-played",
    State.LEFT_OUT: "ruled",
    Stage.MATERIAL: "entered",
    Stage.PLAYING: "at-play",
    Stage.PLAYED: "at-play",
    Stage.SENT: "entered",
    Stage.CHECKED: "confirmed",
}
"""The shape of each stage, as results have them."""
WAITS = {
    event_entries.ANSWER: _("Has not answered yet"),
    event_entries.SESSION: _("Has not set its session up"),
    event_entries.MATERIAL: _("Has not taken its material"),
    event_entries.RESULTS: _("Has still to send its results"),
    event_entries.CHECK: _("Its results are to be checked"),
}
STEPS = {
    State.INVITED: _("Invite again"),
    State.ENTERED: _("Take in"),
    State.DECLINED: _("Decline"),
    State.WITHDRAWN: _("Withdraw the club"),
    State.LEFT_OUT: _("Leave out"),
    Stage.CHECKED: _("Results are checked"),
    Stage.SENT: _("Look again"),
}


# ── The events that somebody runs ─────────────────────────────────────────────────────────────────


class NewEventForm(OwnedForm):
    name = forms.CharField(label=_("Name of the event"), max_length=200)


@forms_and_pages
@signed_in
def mine(request: HttpRequest) -> HttpResponse:
    """The events that somebody runs, and a new one; for those who run a club, or the federation."""
    account = account_of(request)
    is_federal, own = event_entries.owners(account)
    owners = {club.slug: club for club in own}
    if not owners and not is_federal:
        raise PermissionDenied
    choices = [(FEDERATION, gettext("The federation"))] * is_federal
    choices += [(slug, club.name) for slug, club in owners.items()]
    form = NewEventForm(request.POST or None, choices=choices)
    if request.method == "POST" and form.is_valid():
        club = owners.get(form.cleaned_data["owner"])
        made = events.create(actor=account, club=club, name=form.cleaned_data["name"])
        messages.success(request, gettext("The event is made: say what is played, and when."))
        return redirect("desk-event", event=made.pk)
    context = {
        "form": form,
        "events": event_entries.for_desk(account)[:CLUBS_AT_MOST],
        "clubs": list(owners.values()),
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "desk/events.html", context, status=status)


# ── An event, for those who run it ────────────────────────────────────────────────────────────────


class TermsForm(forms.Form):
    """What clubs rely on. `seen`: how the event was."""

    seen = forms.CharField(widget=forms.HiddenInput)
    name = forms.CharField(label=_("Name of the event"), max_length=200)
    joining = forms.ChoiceField(label=_("Which clubs may enter"), choices=Event.Joining.choices)
    embargo = forms.ChoiceField(
        label=_("Until when boards and lists stay closed"), choices=Event.Embargo.choices
    )
    least_tables = forms.IntegerField(label=_("Tables of a club at least"), min_value=1, max_value=1000)
    least_boards = forms.IntegerField(
        label=_("Boards of a club at least"), min_value=1, max_value=events.BOARDS_AT_MOST
    )
    movements = forms.MultipleChoiceField(
        label=_("Movements that clubs may play"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("Without a tick all of them."),
    )
    correction_hours = forms.IntegerField(
        label=_("Hours in which a club corrects what it has sent"), min_value=0, max_value=1000
    )
    licences = forms.ChoiceField(
        label=_("Licences that have run out, and suspensions"),
        choices=Event.Licences.choices,
        help_text=_("As the clubs’ registers have them."),
    )
    fee = forms.CharField(
        label=_("Fee"), max_length=200, required=False, help_text=_("In words: “3 € a table”.")
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone of the event"), help_text=_("Its times are said and shown by this clock.")
    )

    def __init__(self, data: Any, *, event: Event) -> None:
        terms = {name: getattr(event, name) for name in self.base_fields if name != "seen"}
        super().__init__(data, initial={**terms, "seen": events.stamp(event)}, auto_id="terms_%s")
        places = {name for name in zoneinfo.available_timezones() if PLACE.match(name)} | {event.time_zone}
        zones = [(name, name.replace("_", " ")) for name in sorted(places)]
        known = [name for name in WORDS if name in FAMILIES]
        families = [(name, movement_name(name)) for name in dict.fromkeys([*known, *event.movements])]
        self.fields["movements"].choices = families  # type: ignore[attr-defined]
        self.fields["time_zone"].choices = zones  # type: ignore[attr-defined]
        if event.state == Event.State.ANNOUNCED:
            del self.fields["joining"], self.fields["embargo"]


def a_day(label: Any, **how: Any) -> forms.DateField:
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(label=label, widget=widget, **how)


class LegForm(forms.Form):
    """What is played, and when, by the event's clock."""

    MOMENTS = ("opens", "closes", "material", "late")

    game = forms.ChoiceField(label=_("Game"))
    boards = forms.IntegerField(
        label=_("Boards"),
        min_value=1,
        max_value=events.BOARDS_AT_MOST,
        help_text=_("As many as the largest club needs."),
    )
    method = forms.ChoiceField(label=_("How results become a ranking"))
    opens = a_day(_("Played from"))
    opens_hour = HourField(label=_("Hour it begins"), initial=time(14))
    closes = a_day(_("Played until"))
    closes_hour = HourField(label=_("Hour it ends"), initial=time(23, 59))
    material = a_day(
        _("Material from"), required=False, help_text=_("When deal officers may take it; empty: as it opens.")
    )
    material_hour = HourField(label=_("Hour for the material"), required=False)
    late = a_day(
        _("Late results until"), required=False, help_text=_("How long clubs that are late are waited for.")
    )
    late_hour = HourField(label=_("Hour for late results"), required=False)

    def __init__(self, data: Any, *, event: Event) -> None:
        super().__init__(data, initial={"method": "matchpoints"}, auto_id="leg_%s")
        self.zone = event.zone
        games = [(one.id, one.name.to(language())) for one in registry.games().values()]
        self.fields["game"].choices = games  # type: ignore[attr-defined]
        methods = [(key, method.name.to(language())) for key, method in METHODS.items()]
        self.fields["method"].choices = methods  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        for name in self.MOMENTS:
            day: date | None = given.get(name)
            if day is not None and not dates.is_near(day):
                self.add_error(name, gettext("This day is too far away."))
        return given

    def moment(self, name: str) -> datetime | None:
        day, hour = self.cleaned_data[name], self.cleaned_data[f"{name}_hour"]
        return None if day is None else datetime.combine(day, hour or time(), tzinfo=self.zone)

    @property
    def wish(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {
            "game": given["game"],
            "board_count": given["boards"],
            "method": given["method"],
            "opens_at": self.moment("opens"),
            "closes_at": self.moment("closes"),
            "material_at": self.moment("material"),
            "late_until": self.moment("late"),
        }


class InviteForm(forms.Form):
    clubs = forms.MultipleChoiceField(
        label=_("Clubs to invite"), widget=forms.CheckboxSelectMultiple, required=False
    )
    everybody = forms.BooleanField(label=_("All of these"), required=False)

    def __init__(self, data: Any, *, leg: Leg, account: Account) -> None:
        super().__init__(data, auto_id="invite_%s")
        there = leg.entries.values("club")
        rows = clubs.known_to(account).exclude(pk__in=there).order_by("name", "pk")[:CLUBS_AT_MOST]
        self.known = {str(club.pk): club for club in rows}
        self.fields["clubs"].choices = [(pk, club.name) for pk, club in self.known.items()]  # type: ignore[attr-defined]

    @property
    def chosen(self) -> list[Club]:
        given = self.cleaned_data
        return list(self.known.values()) if given["everybody"] else [self.known[pk] for pk in given["clubs"]]


class ClubStepForm(forms.Form):
    """Why a club is left out, or taken in again: the versions of the joint ranking say it."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("It is in the history, and everybody reads it beside the joint ranking."),
    )

    def __init__(self, data: Any, *, to: str) -> None:
        super().__init__(data, auto_id="step_%s")
        self.fields["reason"].required = to == State.LEFT_OUT


REASONED = (State.LEFT_OUT, State.ENTERED)
"""The steps whose reason is asked for before they are taken."""


@forms_and_pages
@signed_in
def page(request: HttpRequest, event: int) -> HttpResponse:
    """An event: its terms, its legs, and of one of them the clubs and what waits."""
    account, now = account_of(request), timezone.now()
    own = Event.objects.managed_by(account).select_related("club")
    the_event = get_object_or_404(own, pk=event)
    legs = list(the_event.legs.order_by("number"))
    leg = chosen_leg(request, legs)
    way = request.POST.get("way", "") if request.method == "POST" else ""
    terms = TermsForm(request.POST if way == "terms" else None, event=the_event)
    new_leg = LegForm(request.POST if way == "leg" else None, event=the_event)
    invite = (
        None
        if leg is None
        else InviteForm(request.POST if way == "invite" else None, leg=leg, account=account)
    )
    asked = request.POST if way == "step" else request.GET
    to = asked.get("to", "")
    step = (
        ClubStepForm(request.POST if way == "step" else None, to=to)
        if leg is not None and to in REASONED
        else None
    )
    ways: Mapping[str, Callable[[], str | None]] = {
        "announce": lambda: _announce(the_event, account),
        "terms": lambda: _change(the_event, account, terms),
        "leg": lambda: _add_leg(the_event, account, new_leg),
        "invite": lambda: _invite(leg, account, invite),
        "remind": lambda: _remind(leg, account),
        "step": lambda: _step(leg, account, request, step),
    }
    refusal, status = "", 400 if request.method == "POST" else 200
    try:
        if way in ways and (said := ways[way]()) is not None:
            messages.success(request, said)
            chosen = "" if leg is None or way == "leg" else f"?leg={leg.number}"
            return redirect(reverse("desk-event", args=[the_event.pk]) + chosen)
    except Stale as error:
        the_event.refresh_from_db()
        overtake(terms, TermsForm(None, event=the_event), error)
        status = 409
    except Refused as error:
        refusal = str(error)
    the_event.refresh_from_db()
    entries = [] if leg is None else event_entries.of_leg(leg, now=now)
    stage = request.GET.get("stage", "")
    context = {
        "event": the_event,
        "club": the_event.club,
        "legs": [(one, registry.game(one.game).name.to(language())) for one in legs],
        "leg": leg,
        "game": "" if leg is None else registry.game(leg.game).name.to(language()),
        "entries": [shown(one) for one in entries if stage in ("", one.stage)],
        "count": len(entries),
        "tables": event_entries.tables(entries),
        "stages": [(key, LABELS[key], n) for key, n in event_entries.stages(entries).items()],
        "stage": stage,
        "movements": [movement_name(one) for one in the_event.movements],
        "waiting": sum(one.waits in event_entries.ASKED_FOR for one in entries),
        "unchecked": sum(one.waits == event_entries.CHECK for one in entries),
        "reminded": sum(event_entries.is_to_be_reminded(one, now) for one in entries),
        "forms": list(FORMS),
        "is_open": leg is not None and event_entries.is_open(leg, now),
        **{"terms": terms, "new_leg": new_leg, "invite": invite, "refusal": refusal, "step": step, "to": to},
        "stepped": None if step is None else _entry(leg.entries.all() if leg else None, asked),
        "verb": STEPS[to] if step is not None else "",  # type: ignore[index]  # a step is a text
        **_joint(leg, entries),
    }
    with timezone.override(the_event.zone):
        return render(request, "desk/event.html", context, status=status)


@require_safe
@signed_in
def clubs_file(request: HttpRequest, event: int, form: str) -> HttpResponse:
    """The clubs of an event as a file, for those who run it."""
    the_event = get_object_or_404(Event.objects.managed_by(account_of(request)), pk=event)
    if form not in FORMS:
        raise Http404
    content = table_as(event_entries.table(the_event, now=timezone.now()), form)
    return as_file(content, f"{slugify(the_event.name) or 'etui'}-clubs", form)


LABELS = {**dict(State.choices), **dict(Stage.choices)}


def shown(one: event_entries.SeenEntry) -> dict[str, Any]:
    """A club in a leg as a row of a table."""
    entry, steps = one.entry, list(one.steps)
    if one.stage in (Stage.SENT, Stage.CHECKED):
        steps.insert(0, Stage.CHECKED if one.stage == Stage.SENT else Stage.SENT)
    return {
        "entry": entry,
        "shape": SHAPES[one.stage],  # type: ignore[index]  # a stage is a text
        "word": LABELS[one.stage],
        "waits": WAITS.get(one.waits, ""),
        "steps": [(str(step), STEPS[step], step in REASONED) for step in steps],  # type: ignore[index]
    }


def _joint(leg: Leg | None, entries: Sequence[event_entries.SeenEntry]) -> dict[str, Any]:
    """The newest version of the joint field of a leg, and which clubs that have entered are not in it. One
    query."""
    version = None if leg is None else field_lists.newest(leg)
    counted = set() if version is None else {int(pk) for pk in version.sessions}
    entered = [one.entry for one in entries if one.entry.state == State.ENTERED]
    missing = sorted(one.club.name for one in entered if one.session_id not in counted)
    return {"version": version, "counted": len(counted), "missing": missing if version else []}


def chosen_leg(request: HttpRequest, legs: list[Leg]) -> Leg | None:
    """The leg that is asked for; without one, the first that is still under embargo, or the last."""
    if "leg" in request.GET:
        number = number_of(request.GET["leg"])
        found = next((one for one in legs if one.number == number), None)
        if found is None:
            raise Http404
        return found
    return next((one for one in legs if one.lifted_at is None), legs[-1] if legs else None)


def _announce(event: Event, account: Account) -> str:
    events.announce(event=event, actor=account)
    return gettext("The event is announced: clubs may enter.")


def _change(event: Event, account: Account, form: TermsForm) -> str | None:
    if not form.is_valid():
        return None
    given = dict(form.cleaned_data)
    events.change(event=event, actor=account, seen=given.pop("seen"), **given)
    return gettext("The terms are saved.")


def _add_leg(event: Event, account: Account, form: LegForm) -> str | None:
    if not form.is_valid():
        return None
    leg = events.add_leg(event=event, actor=account, **form.wish)
    said = gettext(
        "Leg %(number)d is there: its %(boards)d boards are dealt and sealed, and nobody has seen a card."
    )
    return said % {"number": leg.number, "boards": leg.board_count}


def _invite(leg: Leg | None, account: Account, form: InviteForm | None) -> str | None:
    if leg is None or form is None or not form.is_valid():
        return None
    if not form.chosen:
        form.add_error("clubs", gettext("Choose the clubs first."))
        return None
    made = events.invite(leg=leg, clubs=form.chosen, actor=account)
    return gettext("Invited: %(clubs)s.") % {"clubs": ", ".join(one.club.name for one in made[:10])}


def _remind(leg: Leg | None, account: Account) -> str | None:
    if leg is None:
        return None
    asked = event_entries.remind(leg=leg, actor=account, now=timezone.now())
    said = ngettext(
        "%(count)d club has been asked by mail.", "%(count)d clubs have been asked by mail.", len(asked)
    )
    return said % {"count": len(asked)}


def _step(leg: Leg | None, account: Account, request: HttpRequest, form: ClubStepForm | None) -> str | None:
    """A club is brought into another state."""
    entry = _entry(None if leg is None else leg.entries.all(), request.POST)
    to = request.POST.get("to", "")
    if form is not None and not form.is_valid():
        return None
    if to in (Stage.CHECKED, Stage.SENT):
        events.check_results(entry=entry, actor=account, is_checked=to == Stage.CHECKED)
    elif to in State.values:
        reason = "" if form is None else form.cleaned_data["reason"]
        events.decide(entry=entry, actor=account, to=to, reason=reason)
    else:
        raise Http404
    entry.refresh_from_db()
    names = {"club": entry.club.name, "state": LABELS[entry.stage]}
    return gettext("%(club)s: %(state)s.") % names


def _entry(rows: Any, given: Mapping[str, Any]) -> ClubEntry:
    if rows is None:
        raise Http404
    found: ClubEntry = get_object_or_404(
        rows.select_related("club", "session", "leg__event"), pk=number_of(given.get("entry", ""))
    )
    return found


# ── A club's own ──────────────────────────────────────────────────────────────────────────────────


@forms_and_pages
@signed_in
def of_club(request: HttpRequest, club: str) -> HttpResponse:
    """The events that a club plays or may enter, each with the next thing to do."""
    the_club, account = managed_club(request, club), account_of(request)
    refusal = ""
    if request.method == "POST":
        try:
            if (said := _decided(the_club, account, request)) is not None:
                messages.success(request, said)
                return redirect("club-events", club=the_club.slug)
        except Refused as error:
            refusal = str(error)
    now = timezone.now()
    offered = event_entries.of_club(the_club, now=now)
    with_officer = event_entries.with_officer(offered)
    asked = asked_of(the_club, account)
    context = {
        "club": the_club,
        "refusal": refusal,
        "rows": [
            {
                "leg": one.leg,
                "event": one.leg.event,
                "game": registry.game(one.leg.game).name.to(language()),
                "seen": None if one.seen is None else shown(one.seen),
                "entry": None if one.seen is None else one.seen.entry,
                "may_enter": one.may_enter,
                "tables": _tables_of(one),
                "outs": [] if one.seen is None else _ways_out(one.seen),
                "is_entered": one.seen is not None and one.seen.entry.state == State.ENTERED,
                "is_over": not event_entries.is_open(one.leg, now),
                "is_released": now >= one.leg.material_at,
                "next": _next(one, now, with_officer=with_officer),
                "inviting": _inviting(one),
                "asked": [] if one.seen is None else asked.get(one.seen.entry.pk, []),
                "is_soon": one.leg.closes_at - now < timedelta(days=1),
            }
            for one in offered
        ],
    }
    status = 400 if request.method == "POST" else 200
    return render_at(the_club, request, "desk/club_events.html", context, status)


ENTER, SET_UP, OFFICER, MATERIAL, RUN, NOTHING = "enter", "set up", "officer", "material", "run", ""


OUT = (State.DECLINED, State.WITHDRAWN)


def _ways_out(one: event_entries.SeenEntry) -> list[tuple[str, Any]]:
    """How a club says that it does not play."""
    return [(str(to), STEPS[to]) for to in OUT if to in one.steps]


def _tables_of(one: event_entries.OfferedLeg) -> int:
    """What a club has said, or the least that it may say."""
    said = None if one.seen is None else one.seen.entry.tables
    return said or one.leg.event.least_tables


def _next(one: event_entries.OfferedLeg, now: datetime, *, with_officer: Collection[int]) -> str:
    """The next thing for a club to do. `with_officer`: the sessions that have a deal officer."""
    if one.seen is None or one.seen.entry.state != State.ENTERED:
        return ENTER if one.may_enter else NOTHING
    if one.seen.entry.session is None:
        return SET_UP if event_entries.is_open(one.leg, now) else NOTHING
    if one.seen.stage != State.ENTERED:
        return RUN
    if one.seen.entry.session_id not in with_officer:
        return OFFICER
    return MATERIAL if now >= one.leg.material_at else RUN


def _inviting(one: event_entries.OfferedLeg) -> str:
    """Where a deal officer is invited to a club's part; "" before it has been set up."""
    session = None if one.seen is None else one.seen.entry.session
    return "" if session is None else address_of_invitation(session, RoleKind.DEAL_OFFICER)


def _decided(club: Club, account: Account, request: HttpRequest) -> str | None:
    """A club enters, or says otherwise; in words. None where nothing was said."""
    way = request.POST.get("way", "")
    if way == "enter":
        announced = Leg.objects.filter(event__state=Event.State.ANNOUNCED)
        leg = get_object_or_404(announced.select_related("event"), pk=number_of(request.POST.get("leg", "")))
        tables = max(number_of(request.POST.get("tables", "")), 0)
        events.enter(leg=leg, club=club, actor=account, tables=min(tables, 1000))
        return gettext("The club plays “%(leg)s”, with about %(tables)d tables.") % {
            "leg": leg,
            "tables": tables,
        }
    if way not in OUT:
        return None
    entry = _entry(club.event_entries.all(), request.POST)
    events.decide(entry=entry, actor=account, to=way)
    return gettext("The club does not play “%(leg)s”.") % {"leg": entry.leg}
