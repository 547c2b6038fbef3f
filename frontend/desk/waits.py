"""What waits for somebody while a session is played, the most urgent first, with one verb each; and the short
questions of the page whether anything is new."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST, require_safe

from engines import registry
from scoring.rounding import in_units
from tournaments.models import Account, Call, LateEntry, Play, Seating, Session, Submission, Table
from tournaments.services import (
    calls,
    desk_entries,
    names,
    objections,
    own_plays,
    reseating,
    rulings,
    table_links,
)
from tournaments.services.errors import Refused
from tournaments.services.flags import Flag
from tournaments.services.grid import GridPlay
from tournaments.services.play_states import PlayState

from ..accounts.keeping import signed_in
from ..accounts.views import account_of
from ..places import table_name
from . import seating, undoing

URGENCY = (
    "call",
    "contradicted",
    "wrong-board",
    "fouled",
    "sides",
    "too late",
    "passed over",
    "met twice",
    "objection",
    "missing",
    "coming",
    "behind",
    "slow",
    "outlier",
    "without",
    "entered",
)
UNSETTLED = (
    "contradicted",
    "fouled",
    "sides",
    "too late",
    "passed over",
    "met twice",
    "objection",
    "without",
)
"""What of this would change a list."""
MARKS = {
    "call": "called",
    "coming": "coming",
    "missing": "late",
    "behind": "late",
    "slow": "late",
    "without": "late",
    "entered": "entered",
}
CALLS_AT_MOST = 50
CALLS_TOLD = 4  # of them on each other page of the session
TOLD_AT_MOST = 12  # results that wait to be agreed with: a page shows no more


@dataclass(frozen=True, slots=True)
class WaitingAct:
    """What somebody should look at, or do. `kind`: how urgent it is; `href`: the way to it, or, where a
    button does it, what it sends (`sent`); neither where somebody else is to do it.
    `at`: the id of its row; `beside`: another way, with its words."""

    kind: str
    place: str
    reason: str
    verb: str
    href: str = ""
    sent: dict[str, Any] = field(default_factory=dict)
    at: str = ""
    beside: tuple[str, str] | None = None

    @property
    def mark(self) -> str:
        return MARKS.get(self.kind, "disputed")


def of(
    session: Session,
    account: Account,
    flagged: Sequence[Flag],
    plays: Sequence[GridPlay],
    *,
    enters: bool,
    several: bool,
) -> list[WaitingAct]:
    """Calls in the order in which tables called, flags, and results that nobody has agreed with yet, of which
    those after the first dozen are only counted. `several`: the session has several sections, and a table is
    told with its own. A few queries; the time grows with the plays."""
    open_calls = calls.of(session, account).filter(ended_at=None)
    found = [_call(session, one, account, several=several) for one in open_calls[:CALLS_AT_MOST]]
    if (
        session.is_over
    ):  # it was finished without them: nobody waits, and what does is not to be lost among them
        without = [one for one in flagged if one.kind == "missing"]
        flagged = [one for one in flagged if one.kind != "missing"]
        found += _finished_without(session, len(without)) if without else []
    found += [_flag(session, one, enters=enters, several=several) for one in flagged]
    found += _objections(session, account)
    found += _passed_over(session, account, several=several)
    found += _met_twice(session, account, several=several)
    found += _too_late(session, account, several=several) if enters else []
    if enters:
        late = {one.play for one in flagged}
        unconfirmed = [
            one
            for one in plays
            if one.state == PlayState.ENTERED and one.scores is not None and one.play not in late
        ]
        first = unconfirmed[:TOLD_AT_MOST]
        own = own_plays.own_of(account, session, [one.play for one in first])
        told = _scores(session, account, [one for one in first if one.play not in own])
        found += [
            _unconfirmed(session, one, told.get(one.play, ""), several=several, is_own=one.play in own)
            for one in first
        ]
        found += [WaitingAct("entered", "", "", "")] * (len(unconfirmed) - len(first))  # only counted
    return sorted(found, key=lambda one: URGENCY.index(one.kind))


def calling(session: Session, account: Account) -> list[WaitingAct]:
    """The tables that call and to which nobody is coming yet, as `of` tells them, but for the minutes: what
    is told anew each minute would be read aloud each minute. A few queries for each."""
    waiting = _waiting_calls(session, account)[:CALLS_TOLD]
    if not waiting:
        return []
    several = session.sections.count() > 1
    rows = [_call(session, one, account, several=several) for one in waiting]
    return [replace(row, reason=row.reason.rpartition(" · ")[0]) for row in rows]


def calling_count(session: Session, account: Account) -> int:
    """How many `calling` would tell."""
    return min(_waiting_calls(session, account).count(), CALLS_TOLD)


def _waiting_calls(session: Session, account: Account) -> QuerySet[Call]:
    return calls.of(session, account).filter(state=Call.State.WAITING)


def _call(session: Session, one: Call, account: Account, *, several: bool) -> WaitingAct:
    minutes = max(int((timezone.now() - one.made_at).total_seconds() // 60), 0)
    counted = ngettext("for %(count)d minute", "for %(count)d minutes", minutes) % {"count": minutes}
    since = counted if minutes else gettext("just now")
    words = [str(Call.Reason(one.reason).label)]
    words += [gettext("board %(board)d") % {"board": one.board.number}] if one.board else []
    words += [gettext("“%(text)s”") % {"text": one.remark.text}] if one.remark and one.remark.text else []
    table = table_name(one.table.section.name, one.table.number, several=several)
    beside = None
    if one.order is not None:
        seats = _seats(session, one, account)
        words += [seats] if seats else []
        if Session.objects.directed_by(account).filter(pk=session.pk).exists():
            order = "-".join(map(str, one.order))
            asked = urlencode({"table": str(one.table_id), "round": str(one.round or 1), "order": order})
            beside = (
                gettext("Write these seats down"),
                f"{reverse('change-table', args=[session.pk])}?{asked}",
            )
    is_about_cards = one.reason == Call.Reason.BOARD and one.board is not None
    if is_about_cards and Session.objects.directed_by(account).filter(pk=session.pk).exists():
        asked = urlencode({"board": str(one.board.number if one.board else "")})
        beside = (
            gettext("The wallet held the wrong cards"),
            f"{reverse('change-cards', args=[session.pk])}?{asked}",
        )
    is_coming = one.state == Call.State.COMING
    if is_coming and one.role is not None:
        words.append(gettext("%(name)s is coming") % {"name": one.role.account.name})
    return WaitingAct(
        "coming" if is_coming else "call",
        gettext("Table %(table)s calls") % {"table": table},
        f"{', '.join(words)} · {since}",
        gettext("Settled") if is_coming else gettext("I am coming"),
        sent={"way": "done" if is_coming else "coming", "call": one.pk},
        beside=beside,
    )


def _seats(session: Session, one: Call, account: Account) -> str:
    """Who sits in which seat, as the table says: those who do not sit as planned."""
    rows = Seating.objects.filter(play__table=one.table_id, play__round=one.round or 1)
    planned = dict(rows.order_by("-play__board__number").values_list("seat", "contestant"))
    if set(planned) != set(one.order or ()):
        return ""  # planned anew meanwhile
    named = seating.called(session, account, set(planned.values()), one.round or 1)
    told = [
        gettext("seat %(seat)d: %(name)s") % {"seat": seat, "name": named.get(planned[sat], "?")}
        for seat, sat in enumerate(one.order or (), 1)
        if sat != seat
    ]
    return gettext("; ").join(told)


def _objections(session: Session, account: Account) -> list[WaitingAct]:
    """Those that nobody has answered, in one row, for whoever answers them."""
    if not Session.objects.directed_by(account).filter(pk=session.pk).exists():
        return []
    if not (count := objections.waiting_count(session)):
        return []
    reason = ngettext("%(count)d waits for an answer", "%(count)d wait for an answer", count)
    place, href = gettext("Objections"), reverse("desk-objections", args=[session.pk])
    return [WaitingAct("objection", place, reason % {"count": count}, gettext("Answer"), href=href)]


def _passed_over(session: Session, account: Account, *, several: bool) -> list[WaitingAct]:
    """Results that came in after their board had been taken off the table, for whoever rules."""
    if not Session.objects.directed_by(account).filter(pk=session.pk).exists():
        return []
    return [
        WaitingAct(
            "passed over",
            gettext("Table %(table)s, board %(board)d")
            % {
                "table": table_name(play.table.section.name, play.table.number, several=several),
                "board": play.board.number,
            },
            gettext("A result has come in since it was ruled not played: it does not count."),
            gettext("Look"),
            reverse("desk-play", args=[session.pk, play.pk]) + "#ruling",
        )
        for play in rulings.passed_over(session)
    ]


def _met_twice(session: Session, account: Account, *, several: bool) -> list[WaitingAct]:
    """Results of people who had met the board before, for whoever rules."""
    if not Session.objects.directed_by(account).filter(pk=session.pk).exists():
        return []
    met = reseating.met_twice(session)
    who = {pk for one in met for pk in one.contestants}
    named = names.of_contestants(list(who), names.reader_for(account)) if who else {}
    return [
        WaitingAct(
            "met twice",
            gettext("Table %(table)s, board %(board)d")
            % {
                "table": table_name(one.play.table.section.name, one.play.table.number, several=several),
                "board": one.play.board.number,
            },
            gettext("They had played this board before, and both results count until you rule: %(names)s")
            % {"names": ", ".join(named[pk].name for pk in one.contestants)},
            gettext("Look"),
            reverse("desk-play", args=[session.pk, one.play.pk]) + "#ruling",
        )
        for one in met
    ]


def _too_late(session: Session, account: Account, *, several: bool) -> list[WaitingAct]:
    """Results that a phone handed in when they could no longer be entered."""
    href = reverse("session-tables", args=[session.pk]) + "#late"
    return [
        WaitingAct(
            "too late",
            gettext("Table %(table)s, board %(board)d")
            % {
                "table": table_name(one.play.table.section.name, one.play.table.number, several=several),
                "board": one.play.board.number,
            },
            gettext("A result has come too late to be entered: it is kept here for you."),
            gettext("Look"),
            href,
        )
        for one in table_links.late(session, account)
    ]


def _finished_without(session: Session, count: int) -> list[WaitingAct]:
    words = ngettext(
        "%(count)d board has no result: the session was finished without it.",
        "%(count)d boards have no result: the session was finished without them.",
        count,
    )
    href = reverse("session-desk", args=[session.pk]) + "?show=expected#grid"
    place = gettext("Results that are missing")
    return [WaitingAct("without", place, words % {"count": count}, gettext("Look"), href)]


def _flag(session: Session, flag: Flag, *, enters: bool, several: bool) -> WaitingAct:
    table = table_name(flag.section, flag.table, several=several)
    place = gettext("Table %(table)s") % {"table": table}
    href = reverse("session-desk", args=[session.pk]) + "?show=waiting#grid"
    verb = gettext("Look")
    if flag.board is not None:
        place = gettext("Table %(table)s, board %(board)d") % {"table": table, "board": flag.board}
    if flag.play is not None:
        href = reverse("desk-play", args=[session.pk, flag.play])
    if flag.kind == "missing" and enters:
        verb = gettext("Enter the slip")
        href = slip_address(session, table, flag.board)
    elif MARKS.get(flag.kind) is None and flag.kind != "outlier":
        verb = gettext("Settle it")
    return WaitingAct(flag.kind, place, flag.reason, verb, href)


def slip_address(session: Session, table: str, board: int | None) -> str:
    """Where the slip of a board is entered, begun already."""
    return f"{reverse('desk-slips', args=[session.pk])}?{urlencode({'line': f'{table} {board} '})}"


def _scores(session: Session, account: Account, plays: Sequence[GridPlay]) -> dict[int, str]:
    """By play, whom its result gives what: nobody confirms what they have not seen. Four queries at most, and
    none where nothing waits."""
    if not plays:
        return {}
    sat: dict[int, dict[int, int]] = {one.play: {} for one in plays}
    rows = Seating.objects.filter(play__in=[*sat]).order_by("play", "seat")
    for play, seat, contestant in rows.values_list("play_id", "seat", "contestant_id"):
        sat[play].setdefault(contestant, seat)
    in_round: dict[int, set[int]] = {}
    for one in plays:
        in_round.setdefault(one.round, set()).update(sat[one.play])
    named = seating.called_in(session, account, in_round)
    unit = registry.game(session.game).unit.divisor
    return {
        one.play: ", ".join(
            f"{named[one.round].get(contestant, '?')} {in_units(one.scores[seat - 1], unit)}"
            for contestant, seat in sat[one.play].items()
        )
        for one in plays
        if one.scores is not None
    }


def _unconfirmed(session: Session, one: GridPlay, scores: str, *, several: bool, is_own: bool) -> WaitingAct:
    facts = {"table": table_name(one.section, one.table, several=several), "board": one.board}
    if is_own:
        place = gettext("Table %(table)s, board %(board)d") % facts
        return WaitingAct(
            "entered", place, gettext("You sat at this table: somebody else confirms its results."), ""
        )
    return WaitingAct(
        "entered",
        gettext("Table %(table)s, board %(board)d") % facts,
        gettext("%(scores)s: no other side has agreed yet.") % {"scores": scores}
        if scores
        else gettext("Entered; no other side has agreed yet."),
        gettext("Confirm"),
        sent={"way": "confirm", "play": one.play, "submission": one.submission},
        at=row_of(one.play),
        beside=(gettext("Look"), reverse("desk-play", args=[session.pk, one.play])),
    )


def row_of(play: int) -> str:
    """The id of the row of a play: a refusal is shown there too, and the page comes back to it."""
    return f"wait-{play}"


@require_POST
@signed_in
def act(request: HttpRequest, session: int) -> HttpResponse:
    """Do what a button among those that wait says: come to a table, have been there, confirm a result."""
    account = account_of(request)
    own = Session.objects.staffed_by(account).select_related("tournament__club", "board_set")
    one = get_object_or_404(own, pk=session)
    way, back = request.POST.get("way", ""), "waits"
    call, play, submission = (_number(request, name) for name in ("call", "play", "submission"))
    try:
        if way in (Call.State.COMING, Call.State.DONE):
            waiting = get_object_or_404(calls.of(one, account), pk=call)
            calls.answer(call=waiting, actor=account, state=way)
            words = gettext("Table %(table)s: you are coming.")
            if way == Call.State.DONE:
                words = gettext("Table %(table)s: settled.")
            table = _name(one, waiting.table)
            undoing.said(request, words % {"table": table}, one, "call", call=call)
        elif way == "confirm":
            plays = Play.objects.filter(table__section__session=one).select_related("table__section", "board")
            the_play = get_object_or_404(plays, pk=play)
            desk_entries.confirm(session=one, play=the_play, account=account, submission=submission)
            facts = {"table": _name(one, the_play.table), "board": the_play.board.number}
            undoing.said(request, gettext("Table %(table)s, board %(board)d is confirmed.") % facts, one)
        else:
            return HttpResponseBadRequest()
    except Refused as error:
        back = row_of(play) if way == "confirm" else back
        undoing.refused(request, error, back)
    return redirect(reverse("session-desk", args=[one.pk]) + f"#{back}")


def _name(session: Session, table: Table) -> str:
    several = session.sections.count() > 1
    return table_name(table.section.name, table.number, several=several)


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


@require_safe
@signed_in
def news(request: HttpRequest, session: int) -> HttpResponse:
    """A stamp that changes with anything that the page of an evening shows, and the tables that call: pages
    ask every second or three. Five small queries, a few more while a table calls, whatever the session."""
    account = account_of(request)
    own = Session.objects.staffed_by(account).select_related("tally", "tournament__club")
    one = get_object_or_404(own.defer("tally__progress"), pk=session)
    tally = one.tally
    handed_in = Submission.objects.filter(play__table__section__session=one)
    waits = one.calls.aggregate(
        last=Max("pk"),
        answered=Max("answered_at"),
        ended=Count("ended_at"),
        open=Count("pk", filter=Q(state=Call.State.WAITING)),
    )
    calls_now = calling(one, account) if waits.pop("open") else []
    told = one.announcements.aggregate(last=Max("pk"), ended=Count("ended_at"))
    late = LateEntry.objects.filter(play__table__section__session=one)
    kept = late.aggregate(last=Max("pk"), settled=Count("settled_at"))
    stamp = [
        *(tally.version, tally.position, tally.said, tally.rulings, tally.layout, tally.names),
        *(one.state, one.listed, one.round_changes, one.clock_changes, one.name, str(one.starts_at)),
        *(handed_in.aggregate(last=Max("pk"))["last"], *map(str, waits.values()), *map(str, told.values())),
        *map(str, kept.values()),
    ]
    told_calls = [{"place": row.place, "reason": row.reason} for row in calls_now]
    return JsonResponse({"stamp": "/".join(map(str, stamp)), "calling": told_calls})
