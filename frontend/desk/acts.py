"""The acts by which an evening is run: what each asks for, and its doing. Each calls one service of the
session's states or rounds, which says by itself whether it may be done."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.models import Account, Round, Session, Table
from tournaments.services import calls, custody, dates, rounds, shuffling, states
from tournaments.services.rounds import Pace

from ..hours import HourField
from ..labels import LIVE_NOTE, labelled
from ..places import table_name

State = Session.State
MORE_MINUTES = 5


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


BY_TABLES = _(
    "The tables shuffle their own cards: each board once, where it is played first. It goes on as it is, so"
    " that all are compared on the same cards. The deals that were drawn here are forgotten, and the reserve"
    " boards with them"
)
COPIED = _(
    "Somebody who does not play shuffles each board once, and copies it for all tables that play it at once."
    " The deals that were drawn here are forgotten, and the reserve boards with them"
)


class StartForm(EveningForm):
    """Asks who deals where nobody could: a session is not begun with deals that nobody will hold. Tables are
    not to shuffle what several of them play at once."""

    deals = forms.ChoiceField(label=_("Who deals these boards?"), widget=forms.RadioSelect)

    def __init__(self, data: Any, *, session: Session, initial: Mapping[str, Any]) -> None:
        super().__init__(data, session=session, initial=initial)
        if not asks_who_deals(session):
            del self.fields["deals"]
            return
        several = shuffling.of_session(session).at_once
        self.fields["deals"].choices = [  # type: ignore[attr-defined]
            ("copied", f"{COPIED}. {tables_at_once(several)}") if several else ("tables", BY_TABLES),
            ("officer", _("A deal officer, from the lists: whoever it is takes custody before")),
        ]


def tables_at_once(several: int) -> str:
    """Why the tables cannot shuffle for themselves."""
    text = gettext(
        "Up to %(tables)d tables play the same board at once here: shuffled at each of them, it would be"
        " another at each, and nothing could be compared."
    )
    return text % {"tables": several}


def asks_who_deals(session: Session) -> bool:
    return session.state == State.READY and custody.is_undealt(session)


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
        rows = list(tables.values_list("pk", "section__name", "number"))
        several = len({section for _pk, section, _number in rows}) > 1
        names = [(pk, table_name(section, number, several=several)) for pk, section, number in rows]
        self.fields["table"].choices = [  # type: ignore[attr-defined]
            ("", gettext("all tables")),
            *((str(pk), gettext("table %(table)s alone") % {"table": name}) for pk, name in names),
        ]


class PaceForm(EveningForm):
    duration = forms.IntegerField(
        label=_("Minutes a round"),
        required=False,
        help_text=_("Empty: a round ends when you say so."),
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
    begins = HourField(label=pgettext_lazy("time", "From"), required=False)
    live = forms.ChoiceField(
        label=_("What everybody sees of the list while it is played"),
        choices=Session.Live.choices,
        help_text=LIVE_NOTE,
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
    first; `saves`: the button there says so, as the words are no verb."""

    words: Any
    does: Doing
    form: type[EveningForm] = EveningForm
    asks: bool = False
    note: Any = ""
    saves: bool = False


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


def _dealt(does: Doing) -> Doing:
    """What begins a session: who deals it is settled before."""

    def begins(session: Session, actor: Account, form: EveningForm) -> str:
        if (deals := form.cleaned_data.get("deals")) in ("tables", "copied"):
            custody.leave_to_tables(session=session, actor=actor, copied=deals == "copied")
        return does(session, actor, form)

    return begins


def _by_tables(session: Session, actor: Account, _form: EveningForm) -> str:
    custody.leave_to_tables(session=session, actor=actor)
    return gettext("The tables shuffle their own cards.")


def _by_copies(session: Session, actor: Account, _form: EveningForm) -> str:
    custody.leave_to_tables(session=session, actor=actor, copied=True)
    return gettext("The boards are shuffled once each, and copied for the tables.")


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
    said = gettext("There is more time now.")
    words = gettext("Round %(round)d") % {"round": given["round"]}
    if number is not None:
        several = session.sections.count() > 1
        table = table_name(section or "", number, several=several)
        words = gettext("Table %(table)s, round %(round)d") % {"table": table, "round": given["round"]}
    return labelled(words, said)


def _pace(session: Session, actor: Account, form: EveningForm) -> str:
    assert isinstance(form, PaceForm)
    rounds.pace(session=session, actor=actor, pace=form.pace())
    said = gettext("Rounds are opened and closed from now on.")
    under_way = session.rounds.filter(state=Round.State.OPEN, ends_at=None).order_by("number").first()
    if form.pace().duration is None or under_way is None:
        return said
    told = gettext("Round %(round)d is under way without a clock: it ends when you close it.")
    return f"{said} {told % {'round': under_way.number}}"


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
    "draft": Act(_("Take it back to the draft"), _to(State.DRAFT, _("The session is a draft again."))),
    "by-tables": Act(
        _("Leave the shuffling to the tables"),
        _by_tables,
        asks=True,
        note=format_lazy("{}. {}", BY_TABLES, _("This cannot be taken back.")),
    ),
    "by-copies": Act(
        _("Have them shuffled and copied"),
        _by_copies,
        asks=True,
        note=format_lazy("{}. {}", COPIED, _("This cannot be taken back.")),
    ),
    "start": Act(_("Start"), _dealt(_to(State.RUNNING, _("The session is running."))), StartForm),
    "unstart": Act(_("Take the start back"), _to(State.READY, _("The session has not started."))),
    "finish": Act(_("Finish"), _to(State.PLAYED, _("The session has been played.")), FinishForm),
    "provisional": Act(
        _("Make the list provisional"),
        _to(State.PROVISIONAL, _("The list is provisional: it stands, unless somebody objects.")),
        ProvisionalForm,
        asks=True,
        note=_(
            "It stands, unless somebody objects until it is final. Publishing the ranking does this as well,"
            " and shows it to everybody."
        ),
    ),
    "unprovisional": Act(_("Take the list back"), _to(State.PLAYED, _("The list does not stand yet."))),
    "final": Act(
        _("Make the list final"),
        _to(State.FINAL, _("The list is final.")),
        asks=True,
        note=_(
            "From then on its page says so if anything is changed. You can undo it for a quarter of an hour."
        ),
    ),
    "amend": Act(
        _("Amend the list"),
        _to(State.AMENDED, _("The list is amended.")),
        ReasonForm,
        asks=True,
        note=_("Its page says from now on that it has been changed since it was final."),
    ),
    "reopen": Act(
        _("Take the end back: go on playing"),
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
    "open-round": Act(
        _("Open round %(round)d"), _dealt(_round(rounds.open_round, _("Round %(round)d is open."))), StartForm
    ),
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
        _("Rounds and clock"),
        _pace,
        PaceForm,
        asks=True,
        saves=True,
        note=_(
            "Tables enter results of open rounds alone. By a clock, which stands on the desk, on phones and"
            " on the screen; or, with every field left empty, when you say so."
        ),
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
    "mend": Act(_("Name and time"), _mend, MendForm, asks=True, saves=True),
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
