"""What runs an evening from its page: the next step, the other steps beside it, and their forms.

A step calls one service of the session's states or rounds, which says by itself whether it may be taken.
Every form brings back what its page showed (`services.meanwhile`), so that nobody closes the round that
somebody else has just opened.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django import forms
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.models import Account, Round, RoundExtension, Session, Table
from tournaments.services import calls, dates, meanwhile, rounds, states
from tournaments.services.errors import Conflict, Refused
from tournaments.services.meanwhile import Overtaken
from tournaments.services.rounds import Pace

from .. import history_words
from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from . import undoing
from .wizard import language

State = Session.State
MORE_MINUTES = 5
MISSING_SHOWN = 30


# ── What is asked for ─────────────────────────────────────────────────────────────────────────────


class EveningForm(forms.Form):
    """`seen`: what its page showed of the session; `round`: which one it is about; `at`: the page to go back
    to, if it is not the session's own (`BACK`)."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=80)
    round = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=1, max_value=10_000)
    at = forms.CharField(widget=forms.HiddenInput, required=False, max_length=20)

    def __init__(self, data: Any, *, session: Session, initial: Mapping[str, Any]) -> None:
        super().__init__(data, initial=dict(initial))


class ReasonForm(EveningForm):
    reason = forms.CharField(
        label=_("Why?"),
        max_length=2000,
        help_text=_("The history keeps it, for those who look later."),
    )


class FinishForm(EveningForm):
    confirmed = forms.BooleanField(required=False, widget=forms.HiddenInput)


class ProvisionalForm(EveningForm):
    minutes = forms.TypedChoiceField(
        label=_("The list becomes final"),
        coerce=int,
        empty_value=None,
        required=False,
        choices=[
            ("", _("when I say so")),
            ("30", _("in half an hour, by itself")),
            ("60", _("in an hour, by itself")),
            ("1440", _("in a day, by itself")),
        ],
    )


class ExtendForm(EveningForm):
    minutes = forms.IntegerField(label=_("Minutes more"), min_value=1, max_value=240)
    table = forms.ChoiceField(label=_("For"), required=False)

    def __init__(self, data: Any, *, session: Session, initial: Mapping[str, Any]) -> None:
        super().__init__(data, session=session, initial={"minutes": MORE_MINUTES, **initial})
        tables = Table.objects.filter(section__session=session).order_by("section__name", "number")
        names = [(pk, f"{section}{number}") for pk, section, number in tables.values_list(
            "pk", "section__name", "number"
        )]  # fmt: skip
        self.fields["table"].choices = [  # type: ignore[attr-defined]
            ("", gettext("all tables")),
            *((str(pk), gettext("table %(table)s alone") % {"table": name}) for pk, name in names),
        ]


class PaceForm(EveningForm):
    duration = forms.IntegerField(
        label=_("Minutes a round"),
        required=False,
        help_text=_("Empty: a round ends when you close it."),
        min_value=1,
        max_value=600,
    )
    warning = forms.IntegerField(
        label=_("Warning, minutes before the end"), required=False, min_value=0, max_value=600
    )
    grace = forms.IntegerField(
        label=_("Minutes after the end in which tables still enter results"),
        required=False,
        min_value=0,
        max_value=600,
    )
    pause_before = forms.IntegerField(
        label=_("Minutes until the next round opens"),
        required=False,
        min_value=0,
        max_value=600,
        help_text=_("Empty: you open it."),
    )
    is_barometer = forms.BooleanField(
        label=_("All tables play the same boards: a round opens once those before it are over"),
        required=False,
    )

    def pace(self) -> Pace:
        given = self.cleaned_data
        seconds = {
            name: None if given[name] is None else 60 * given[name]
            for name in ("duration", "warning", "pause_before")
        }
        return Pace(**seconds, grace=60 * (given["grace"] or 0), is_barometer=given["is_barometer"])


class AnnouncementForm(EveningForm):
    text = forms.CharField(
        label=_("What all tables are to know"),
        max_length=calls.ANNOUNCEMENT_LETTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class MendForm(EveningForm):
    name = forms.CharField(label=_("Name of the session"), max_length=200)
    day = forms.DateField(
        label=_("Day"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    begins = forms.TimeField(
        label=pgettext_lazy("time", "From"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time", "step": "300"}),
    )
    live = forms.ChoiceField(
        label=_("What everybody sees of the list while it is played"), choices=Session.Live.choices
    )

    def __init__(self, data: Any, *, session: Session, initial: Mapping[str, Any]) -> None:
        self.zone = session.tournament.club.zone
        begins = session.starts_at and session.starts_at.astimezone(self.zone)
        own = {"name": session.name, "day": begins and begins.date(), "begins": begins and begins.time()}
        own["live"] = session.live
        super().__init__(data, session=session, initial={**own, **initial})

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if bool(given.get("day")) != bool(given.get("begins")) and not self.errors:
            self.add_error("begins" if given.get("day") else "day", gettext("Say both the day and the hour."))
        if (day := given.get("day")) and not dates.is_near(day):
            self.add_error("day", gettext("This day is too far away."))
        return given

    @property
    def starts_at(self) -> datetime | None:
        given = self.cleaned_data
        if given["day"] is None:
            return None
        return datetime.combine(given["day"], given["begins"], tzinfo=self.zone)


# ── What can be done ──────────────────────────────────────────────────────────────────────────────

Given = Mapping[str, Any]
Doing = Callable[[Session, Account, EveningForm], str]


class Act(NamedTuple):
    """Something that whoever runs an evening does with it. `words`: on its button; `does`: it, and says what
    has been done; `asks`: whether it has a page of its own, because something is to be filled in or known
    first."""

    words: Any
    does: Doing
    form: type[EveningForm] = EveningForm
    asks: bool = False
    note: Any = ""


def _to(to: State, said: Any) -> Doing:
    def does(session: Session, actor: Account, form: EveningForm) -> str:
        given = form.cleaned_data
        minutes = given.get("minutes")
        states.change(
            session=session,
            actor=actor,
            to=to,
            reason=given.get("reason", ""),
            confirmed=given.get("confirmed", False),
            until=timezone.now() + timedelta(minutes=minutes) if minutes else None,
        )
        return str(said)

    return does


def _listed(listed: bool, said: Any) -> Doing:
    def does(session: Session, actor: Account, form: EveningForm) -> str:
        reason = form.cleaned_data.get("reason", "")
        states.publish(session=session, actor=actor, listed=listed, reason=reason)
        return str(said)

    return does


def _corrections(session: Session, actor: Account, form: EveningForm) -> str:
    minutes = form.cleaned_data["minutes"]
    until = timezone.now() + timedelta(minutes=minutes) if minutes else None
    states.correct_until(session=session, actor=actor, until=until)
    return gettext("Corrections have another end now.")


def _round(change: Callable[..., Round], said: Any, **fixed: Any) -> Doing:
    def does(session: Session, actor: Account, form: EveningForm) -> str:
        given = form.cleaned_data
        number = given["round"] or 0
        why = {"reason": given["reason"]} if "reason" in given else {}
        change(session=session, actor=actor, number=number, **fixed, **why)
        return str(said) % {"round": number}

    return does


def _extend(session: Session, actor: Account, form: EveningForm) -> str:
    given = form.cleaned_data
    section, number = None, None
    if given["table"]:
        section, number = Table.objects.values_list("section__name", "number").get(pk=given["table"])
    rounds.extend(
        session=session,
        actor=actor,
        number=given["round"] or 0,
        minutes=given["minutes"],
        section=section,
        table=number,
    )
    return gettext("There is more time now.")


def _pace(session: Session, actor: Account, form: EveningForm) -> str:
    assert isinstance(form, PaceForm)
    rounds.pace(session=session, actor=actor, pace=form.pace())
    return gettext("Rounds are opened and closed from now on.")


def _unpace(session: Session, actor: Account, _form: EveningForm) -> str:
    rounds.stop_pacing(session=session, actor=actor)
    return gettext("All rounds are open now.")


def _mend(session: Session, actor: Account, form: EveningForm) -> str:
    assert isinstance(form, MendForm)
    given = form.cleaned_data
    states.mend(
        session=session, actor=actor, name=given["name"], starts_at=form.starts_at, live=given["live"]
    )
    return gettext("It has been mended.")


def _announce(session: Session, actor: Account, form: EveningForm) -> str:
    calls.announce(session=session, actor=actor, text=form.cleaned_data["text"])
    return gettext("All tables are told.")


def _unannounce(session: Session, actor: Account, _form: EveningForm) -> str:
    told = calls.announced(session)
    if told is not None:
        calls.withdraw(announcement=told, actor=actor)
    return gettext("The tables are not told any more.")


ACTS: Mapping[str, Act] = {
    "ready": Act(_("Ready to be played"), _to(State.READY, _("The session is ready."))),
    "draft": Act(_("Not ready yet"), _to(State.DRAFT, _("The session is a draft again."))),
    "start": Act(_("Start"), _to(State.RUNNING, _("The session is running."))),
    "unstart": Act(_("Take the start back"), _to(State.READY, _("The session has not started."))),
    "finish": Act(_("Finish"), _to(State.PLAYED, _("The session has been played.")), FinishForm),
    "provisional": Act(
        _("Make the list provisional"),
        _to(State.PROVISIONAL, _("The list is provisional: it stands, unless somebody objects.")),
        ProvisionalForm,
        asks=True,
        note=_("It stands, unless somebody objects until it is final."),
    ),
    "unprovisional": Act(_("Take the list back"), _to(State.PLAYED, _("The list does not stand yet."))),
    "final": Act(_("Make the list final"), _to(State.FINAL, _("The list is final."))),
    "amend": Act(
        _("Amend the list"),
        _to(State.AMENDED, _("The list is amended.")),
        ReasonForm,
        asks=True,
        note=_("Its page says from now on that it has been changed since it was final."),
    ),
    "reopen": Act(
        _("Go on playing"),
        _to(State.RUNNING, _("The session goes on.")),
        ReasonForm,
        asks=True,
        note=_("It was finished too early: tables enter results again, and boards that were open close."),
    ),
    "cancel": Act(
        _("Cancel the session"),
        _to(State.CANCELLED, _("The session is cancelled.")),
        ReasonForm,
        asks=True,
        note=_("Nobody enters anything any more, and its boards stay closed. It can be reinstated."),
    ),
    "reinstate": Act(
        _("Reinstate the session"),
        _to(State.READY, _("The session takes place after all.")),
        ReasonForm,
        asks=True,
    ),
    "reinstate-draft": Act(
        _("Reinstate it as a draft"),
        _to(State.DRAFT, _("The session is a draft again.")),
        ReasonForm,
        asks=True,
    ),
    "publish": Act(_("Publish the ranking"), _listed(True, _("Everybody may see the ranking now."))),
    "withdraw": Act(
        _("Hide the ranking"),
        _listed(False, _("The ranking is hidden again.")),
        ReasonForm,
        asks=True,
        note=_("Nobody but those who run or score the session sees it until it is published again."),
    ),
    "corrections": Act(
        _("Another end for corrections"),
        _corrections,
        ProvisionalForm,
        asks=True,
        note=_("From now on: whoever finds a mistake tells you until then."),
    ),
    "open-round": Act(_("Open round %(round)d"), _round(rounds.open_round, _("Round %(round)d is open."))),
    "open-again": Act(
        _("Open round %(round)d again"),
        _round(rounds.open_round, _("Round %(round)d is open again.")),
        ReasonForm,
        asks=True,
        note=_("Its tables enter results again until you close it."),
    ),
    "close-round": Act(
        _("Close round %(round)d"), _round(rounds.close_round, _("Round %(round)d is closed."))
    ),
    "unopen-round": Act(
        _("Take back round %(round)d"),
        _round(rounds.take_back_opening, _("Round %(round)d waits again.")),
    ),
    "pause": Act(
        _("Pause round %(round)d"),
        _round(rounds.pause, _("The clock of round %(round)d stands."), paused=True),
    ),
    "resume": Act(
        _("Let round %(round)d go on"),
        _round(rounds.pause, _("The clock of round %(round)d goes on."), paused=False),
    ),
    "extend": Act(_("More time for round %(round)d"), _extend, ExtendForm, asks=True),
    "pace": Act(
        _("Rounds by the clock"),
        _pace,
        PaceForm,
        asks=True,
        note=_("Rounds are opened and closed, and tables enter results of open rounds alone."),
    ),
    "unpace": Act(_("Leave all rounds open"), _unpace),
    "announce": Act(
        _("Tell all tables"),
        _announce,
        AnnouncementForm,
        asks=True,
        note=_("Phones at the tables show it, in the place of what they were told before."),
    ),
    "unannounce": Act(_("Tell them no more"), _unannounce),
    "mend": Act(_("Name and time"), _mend, MendForm, asks=True),
}
BY_STATE = {  # the act that brings a session from one state into another
    **{(State.DRAFT, State.READY): "ready", (State.READY, State.DRAFT): "draft"},
    **{(State.READY, State.RUNNING): "start", (State.RUNNING, State.READY): "unstart"},
    **{(State.READY, State.PLAYED): "finish", (State.RUNNING, State.PLAYED): "finish"},
    **{(State.PLAYED, State.RUNNING): "reopen", (State.PROVISIONAL, State.RUNNING): "reopen"},
    **{(State.PLAYED, State.PROVISIONAL): "provisional", (State.PROVISIONAL, State.PLAYED): "unprovisional"},
    **{(State.PROVISIONAL, State.FINAL): "final", (State.FINAL, State.AMENDED): "amend"},
    **{(before, State.CANCELLED): "cancel" for before in Session.COMING},
    **{(State.CANCELLED, State.DRAFT): "reinstate-draft", (State.CANCELLED, State.READY): "reinstate"},
    (State.CANCELLED, State.RUNNING): "reopen",
}
BACK = {"rankings": "desk-lists"}  # pages with steps of their own
TAKEN_BACK = ("draft", "unstart", "reinstate", "reinstate-draft")  # only while nothing has come in


@dataclass(frozen=True, slots=True)
class Step:
    """An act that is offered: `words` on its button, `round` that it is about."""

    name: str
    words: str
    asks: bool
    round: int | None = None


@dataclass(frozen=True, slots=True)
class EveningCourse:
    """How far an evening is: the step that comes next, and what else can be done. `open`: the round that is
    being played, where rounds are opened and closed; `rounds`: all of them, as a bar shows them."""

    next: Step | None
    beside: Sequence[Step]
    rare: Sequence[Step]
    open: Round | None
    bar: Sequence[str]

    @property
    def all(self) -> list[Step]:
        """Every step that may be taken now, the next one first."""
        return [*([self.next] if self.next is not None else ()), *self.beside, *self.rare]


def course(session: Session) -> EveningCourse:
    """What whoever runs a session may do with it now. Three queries at most."""
    own = list(session.rounds.order_by("number"))
    is_played = session.state in (State.READY, State.RUNNING)
    opened = [one for one in own if one.state == Round.State.OPEN]
    waiting = next((one for one in own if one.state == Round.State.WAITING), None)
    closed = [one for one in own if one.state == Round.State.CLOSED]
    names = [BY_STATE[State(session.state), State(to)] for to in states.next_states(session)]
    if any(name in TAKEN_BACK for name in names) and not states.can_be_taken_back(session):
        names = [name for name in names if name not in TAKEN_BACK]
    first: list[Step] = []
    beside: list[Step] = []
    if is_played and session.is_paced:
        for one in opened:
            first.append(step("close-round", one.number))
            beside.append(step("resume" if one.paused_at else "pause", one.number))
            if one.ends_at is not None:
                beside.append(step("extend", one.number))
        if waiting is not None:
            first.append(step("open-round", waiting.number))
    if not first or session.state not in (State.READY, State.RUNNING):
        coming = NEXT.get(State(session.state), ())
        first += [step(name) for name in coming if name in names or name == "publish"]
    if [one.name for one in first] == ["finish"] and not own and states.missing(session):
        beside, first = first, []  # results are still to come: the next thing is not the end
    first = [one for one in first if not (one.name == "publish" and session.listed)]
    rare = [step(name) for name in names]
    if is_played and session.is_paced:
        rare += [step("unopen-round", one.number) for one in opened]
        rare += [*(step("open-again", one.number) for one in closed[-1:]), step("unpace")]
    if is_played:
        rare.append(step("announce"))
    if session.state in Session.COMING:
        rare.append(step("pace"))
    if session.state == State.PROVISIONAL:
        rare.append(step("corrections"))
    rare.append(step("withdraw" if session.listed else "publish"))
    rare.append(step("mend"))
    offered = {(one.name, one.round) for one in (*first, *beside)}
    rare = [one for one in rare if (one.name, one.round) not in offered]
    bar = ["done" if one.settled_at or one in closed else "now" if one in opened else "" for one in own]
    return EveningCourse(
        first[0] if first else None, [*first[1:], *beside], rare, opened[0] if opened else None, bar
    )


NEXT: Mapping[State, Sequence[str]] = {
    State.DRAFT: ("ready",),
    State.READY: ("start",),
    State.RUNNING: ("finish",),
    State.PLAYED: ("publish", "provisional"),
    State.PROVISIONAL: ("publish", "final"),
}


def step(name: str, number: int | None = None) -> Step:
    act = ACTS[name]
    words = str(act.words) % {"round": number} if number is not None else str(act.words)
    return Step(name, words, act.asks, number)


def directed(request: HttpRequest, pk: int) -> Session:
    """The session, for those who run it."""
    own = Session.objects.directed_by(account_of(request))
    return get_object_or_404(own.select_related("tournament__club", "board_set"), pk=pk)


# ── Doing it ──────────────────────────────────────────────────────────────────────────────────────


@forms_and_pages
@signed_in
def run(request: HttpRequest, session: int, act: str) -> HttpResponse:
    """One act: what it asks for, and its doing. For those who run the session."""
    one = directed(request, session)
    if (what := ACTS.get(act)) is None:
        raise Http404
    asked = {"seen": meanwhile.stamp(one), "round": request.GET.get("round") or request.POST.get("round")}
    asked["at"] = request.GET.get("at") or request.POST.get("at")
    back_to = BACK.get(asked["at"] or "", "session-desk")
    form = what.form(request.POST or None, session=one, initial=asked)
    refusal, status = "", 200
    done: list[history_words.HistoryLine] = []
    missing: list[dict[str, Any]] = []
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                with transaction.atomic():
                    held = meanwhile.hold(one, form.cleaned_data["seen"])
                    before = Before.of(held, form.cleaned_data["round"])
                    said = what.does(held, account_of(request), form)
                    back = _way_back(act, before, held, form.cleaned_data)
            except Overtaken as overtaken:
                refusal, status = str(overtaken), 409
                done = history_words.lines(overtaken.entries, language(), ())
                one.refresh_from_db()
            except Refused as error:
                refusal, status = str(error), 409 if isinstance(error, Conflict) else 400
                missing = (error.details or {}).get("missing", []) if error.code == "results-missing" else []
            else:
                undoing.said(request, said, one, **back)
                return redirect(back_to, session=one.pk)
        form.data = {**form.data.dict(), "seen": meanwhile.stamp(one)}  # type: ignore[attr-defined]
    words = step(act, form["round"].value() and _number(form["round"].value())).words
    context = {
        **{"session": one, "act": act, "words": words, "note": what.note, "form": form, "back_to": back_to},
        **{"refusal": refusal, "done": done, "missing": missing[:MISSING_SHOWN]},
        **{"more": max(len(missing) - MISSING_SHOWN, 0), "is_danger": act == "cancel"},
    }
    return render_at(one.tournament.club, request, "desk/run.html", context, status)


# ── Undoing it ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Before:
    """What undoing an act needs of how it was before."""

    state: str
    listed: bool
    name: str
    live: str
    starts_at: str | None
    until: str | None
    ends_at: str | None
    pace: tuple[Any, ...] | None

    @classmethod
    def of(cls, session: Session, number: int | None) -> "Before":
        one = session.rounds.filter(number=number).first() if number else None
        paced = session.rounds.filter(state=Round.State.WAITING).first() if session.is_paced else None
        return cls(
            str(session.state),
            session.listed,
            session.name,
            session.live,
            _text(session.starts_at),
            _text(session.corrections_until),
            None if one is None else _text(one.ends_at),
            None if paced is None else tuple(getattr(paced, name) for name in Pace._fields),
        )


def _way_back(act: str, before: Before, session: Session, given: Mapping[str, Any]) -> dict[str, Any]:
    """The way in which an act is undone (`undoing`), with what that needs; nothing where there is none."""
    session.refresh_from_db()
    number, change = given["round"], (State(session.state), State(before.state))
    found: dict[str, Any] = {}
    if act in ("publish", "withdraw"):
        found = {"way": "state", "to": before.state, "listed": before.listed, "until": before.until}
    elif act in BY_STATE.values() and change in states.ARROWS:
        found = {"way": "state", "to": before.state, "until": before.until}
    elif act in ("open-round", "open-again"):
        found = {"way": act, "round": number}
    elif act == "close-round":
        found = {"way": act, "round": number, "ends_at": before.ends_at}
    elif act in ("pause", "resume"):
        found = {"way": "pause", "round": number, "paused": act == "resume"}
    elif act == "extend":
        table = int(given["table"]) if given["table"] else None
        found = {"way": act, "round": number, "minutes": given["minutes"], "table": table}
        found["until"] = _extended_until(session, number, table)
    elif act == "pace" and (before.pace is not None or not session.rounds.exclude(state="waiting").exists()):
        found = {"way": act, "pace": before.pace}
    elif act == "announce" and (told := calls.announced(session)) is not None:
        found = {"way": "announcement", "announcement": told.pk}
    elif act == "corrections":
        found = {"way": act, "until": before.until}
    elif act == "mend":
        found = {"way": act, "name": before.name, "live": before.live, "starts_at": before.starts_at}
    return {**found, "seen": meanwhile.stamp(session)} if found else {}


def _extended_until(session: Session, number: int, table: int | None) -> str | None:
    """Until when a round, or a table of it, has been given time."""
    if table is None:
        return _text(session.rounds.values_list("ends_at", flat=True).get(number=number))
    given = RoundExtension.objects.filter(round__session=session, round__number=number, table=table)
    return _text(given.values_list("until", flat=True).get())


def _text(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat()


def _number(text: object) -> int | None:
    shown = str(text)
    return int(shown) if shown.isascii() and shown.isdecimal() and len(shown) < 6 else 0
