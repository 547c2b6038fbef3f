"""What runs an evening from its page: the next step, the other steps beside it, and how each is undone.

A step is one of the acts of an evening (`acts`). Every form brings back what its page showed
(`services.meanwhile`), so that nobody closes the round that somebody else has just opened.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext, ngettext

from tournaments.models import Round, RoundExtension, Session
from tournaments.services import calls, meanwhile, names, states
from tournaments.services.errors import Conflict, Refused
from tournaments.services.meanwhile import Overtaken
from tournaments.services.rounds import Pace

from .. import history_words
from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..officials import sees_all
from ..overtaken import Versions, both
from ..places import table_name
from . import acts, grid, undoing
from .acts import ACTS, BY_STATE
from .few_boards import few_boards
from .waits import slip_address
from .wizard import language

State = Session.State
MISSING_SHOWN = 30
DOUBTFUL = ("contradicted", "wrong-board", "fouled", "sides", "met twice")
"""What waits about results that count, right or wrong."""
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
    being played, where rounds are opened and closed; `bar`: all of them, as a bar shows them; `note`: what
    whoever runs it should know before the next step; `publishing`: what publishing would do, if that is
    offered, and `publishes_next` whether it comes next."""

    next: Step | None
    beside: Sequence[Step]
    rare: Sequence[Step]
    open: Round | None
    bar: Sequence[str]
    note: str
    publishing: str

    @property
    def publishes_next(self) -> bool:
        return any(one.name == "publish" for one in (self.next, *self.beside) if one is not None)

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
    if [one.name for one in first] == ["finish"] and states.is_missing_any(session):
        beside, first = first, []  # results are still to come: the next thing is not the end
    first = [one for one in first if not (one.name == "publish" and session.listed)]
    if session.state == State.PLAYED:  # publishing does it too: side by side, nobody knew which
        first = first[:1]
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
    if acts.asks_who_deals(session):
        first = [replace(one, asks=one.asks or one.name in ("start", "open-round")) for one in first]
    bar = ["done" if one.settled_at or one in closed else "now" if one in opened else "" for one in own]
    return EveningCourse(
        first[0] if first else None,
        [*first[1:], *beside],
        rare,
        opened[0] if opened else None,
        bar,
        _note(session),
        "" if session.listed else publishing(session),
    )


def publishing(session: Session) -> str:
    """What publishing does to a session: what becomes visible, to whom, and that it can be taken back."""
    if session.state in Session.COMING:
        shown = gettext(
            "Publishing shows the session to everybody on the club’s public pages, at once: what you have set"
            " to be shown of its list while it is played, and each board once nobody is to play it any more."
        )
    else:
        shown = gettext(
            "Publishing shows the ranking and the boards, with all results, to everybody on the club’s public"
            " pages, at once."
        )
    kept = gettext(
        "Whoever has not agreed to be named stands there by their initials. It can be hidden again at any"
        " time."
    )
    return f"{shown} {kept}"


def _note(session: Session) -> str:
    if session.state == State.RUNNING and not session.is_paced:
        return gettext("All rounds are open: each table goes on when it is ready.")
    if session.state == State.PLAYED:
        return gettext("Published, the ranking is provisional until you make it final.")
    if session.state == State.PROVISIONAL and session.corrections_until is None:
        return gettext("The ranking stands, unless somebody objects, until you make it final.")
    return ""


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
    missing: list[tuple[str, str]] = []
    versions: Versions = ()
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
                done = history_words.lines(
                    overtaken.entries, language(), names.reader_for(account_of(request)), ()
                )
                one.refresh_from_db()
                versions = both(form, what.form(None, session=one, initial=asked)) if what.saves else ()
            except Refused as error:
                refusal, status = str(error), 409 if isinstance(error, Conflict) else 400
                missing = _missing(one, error)
            else:
                if act == "finish":
                    said = " ".join([said, *_left_open(request, one)])
                tells_few = act == "publish" and sees_all(request, one)
                if tells_few and (few := few_boards(one, account_of(request))) is not None:
                    said = f"{said} {few.words}"
                undoing.said(request, said, one, **back)
                return redirect(back_to, session=one.pk)
        form.data = {**form.data.dict(), "seen": meanwhile.stamp(one)}  # type: ignore[attr-defined]
    unsettled = grid.unsettled(request, one, account_of(request)) if act == "final" else []
    tells_few = act in ("final", "provisional") and sees_all(request, one)
    words = step(act, form["round"].value() and _number(form["round"].value())).words
    context = {
        **{
            "session": one,
            "act": act,
            "words": words,
            "verb": gettext("Save") if what.saves else words,
            "note": publishing(one) if act == "publish" else what.note,
            "form": form,
            "versions": versions,
            "back_to": back_to,
        },
        **{"refusal": refusal, "done": done, "missing": missing[:MISSING_SHOWN]},
        **{"more": max(len(missing) - MISSING_SHOWN, 0), "is_danger": act == "cancel"},
        "few_boards": few_boards(one, account_of(request)) if tells_few else None,
        **{"unsettled": unsettled[:MISSING_SHOWN], "unsettled_count": len(unsettled)},
        "unsettled_more": max(len(unsettled) - MISSING_SHOWN, 0),
    }
    return render_at(one.tournament.club, request, "desk/run.html", context, status)


def _left_open(request: HttpRequest, session: Session) -> list[str]:
    """What nobody has settled when a session ends, in words: calls, results that are doubtful, and those with
    which nobody agreed."""
    kinds = [one.kind for one in grid.waiting(request, session, account_of(request))]
    calling, entered = sum(kind in ("call", "coming") for kind in kinds), kinds.count("entered")
    doubtful = sum(kind in DOUBTFUL for kind in kinds)
    told = []
    if calling:
        told.append(ngettext("%(count)d table still calls.", "%(count)d tables still call.", calling))
    if doubtful:
        told.append(
            ngettext(
                "%(count)d result is doubtful, and counts as it stands.",
                "%(count)d results are doubtful, and count as they stand.",
                doubtful,
            )
        )
    if entered:
        told.append(
            ngettext(
                "Nobody has agreed with %(count)d result yet.",
                "Nobody has agreed with %(count)d results yet.",
                entered,
            )
        )
    return [
        words % {"count": count}
        for words, count in zip(told, filter(None, (calling, doubtful, entered)), strict=True)
    ]


def _missing(session: Session, error: Refused) -> list[tuple[str, str]]:
    """The results without which a session does not end unless somebody says so: where each is missing, and
    the way to its slip."""
    if error.code != "results-missing":
        return []
    several, found = session.sections.count() > 1, []
    for one in (error.details or {}).get("missing", []):
        facts = {**one, "table": table_name(one["section"], one["table"], several=several)}
        words = gettext("Table %(table)s, board %(board)d, round %(round)d") % facts
        found.append((words, slip_address(session, facts["table"], one["board"])))
    return found


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
    elif act in BY_STATE.values() and (change in states.ARROWS or change in states.TAKEN_BACK):
        found = {"way": "state", "to": before.state, "until": before.until}
    elif change == (State.RUNNING, State.PROVISIONAL):
        found = {"way": "state", "to": before.state, "until": before.until, "over": [State.PLAYED]}
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
