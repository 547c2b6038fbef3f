"""What has just been done is offered to be undone: the notice that says so has a button for it, on every page
of the desk, and the session's page offers it for as long as it may be. What it takes is signed, and each way
back calls one service, which refuses once somebody has relied on what was done."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST

from tournaments.models import Account, Announcement, Call, Club, Play, Session, Submission, Substitution
from tournaments.services import (
    board_sets,
    calls,
    consents,
    desk_entries,
    fees,
    lists,
    meanwhile,
    replanning,
    reseating,
    rounds,
    rulings,
    states,
    substitutes,
)
from tournaments.services.deliveries import Stored
from tournaments.services.errors import Refused
from tournaments.services.rounds import Pace

from ..accounts.keeping import signed_in
from ..accounts.views import account_of

MARK = "undo:"  # of a message that offers it
SALT = "undo"
GOOD_SECONDS = 15 * 60
EVENING_SECONDS = 12 * 60 * 60
LASTING = ("plan", "seats", "reserve", "substitution", "ruling")  # until somebody has relied on it
KEPT = "undo"  # in the browser's session: what it has done
KEPT_AT_MOST = 5
BEFORE_PLAY = (Session.State.DRAFT, Session.State.READY)
"""States to which a session goes back only while nothing has come in."""

Facts = Mapping[str, Any]
Undoing = Callable[[Session, Account, Facts], Any]


def said(request: HttpRequest, words: str, session: Session, way: str = "", **facts: Any) -> None:
    """Say that something has been done, and offer to undo it in this way, if there is one: to the page that
    somebody opens, and not to a page that asks again for itself, which would say it twice."""
    if "X-Again" in request.headers:
        return
    token = ""
    if way:
        kept = {"session": session.pk, "way": way, "words": words, **facts}
        signed = signing.dumps(kept, salt=SALT, compress=True)
        token = MARK + signed
        if way not in AT_ONCE:  # those are a click where they were done
            request.session[KEPT] = [signed, *request.session.get(KEPT, ())][:KEPT_AT_MOST]
    messages.success(request, words, extra_tags=token)


def way_back_to_result(play: Play, stored: Stored) -> dict[str, Any]:
    """The way in which a result that has just been handed in is taken back, for `said`: what counted before
    counts again. Nothing where nothing did. `play`: as it was read before."""
    if not hasattr(play, "result") or play.result.submission_id == stored.pk:
        return {}
    return {"way": "result", "play": play.pk, "made": stored.pk, "before": play.result.submission_id}


def said_in_club(request: HttpRequest, words: str, club: Club, way: str = "", **facts: Any) -> None:
    """The same of something that has been done in a club."""
    kept = {"club": club.pk, "way": way, "words": words, **facts}
    token = MARK + signing.dumps(kept, salt=SALT, compress=True) if way else ""
    messages.success(request, words, extra_tags=token)


@dataclass(frozen=True, slots=True)
class Undoable:
    """Something done that can still be undone: what was said of it, and what its form sends back."""

    words: str
    undo: str


def offers(request: HttpRequest, session: Session) -> Sequence[Undoable]:
    """What this browser has done to a session and may still undo, the newest first: nothing after which
    something else has been done, where that would be refused. A few queries at most."""
    found = []
    stamp = None
    for signed in request.session.get(KEPT, ()):
        try:
            facts = _read(signed)
        except signing.BadSignature:
            continue
        if facts.get("session") != session.pk:
            continue
        if "seen" in facts:
            stamp = stamp or meanwhile.stamp(session)
            if facts["seen"].partition(".")[0] != stamp.partition(".")[0]:
                continue
        if facts["way"] == "state" and facts["to"] in BEFORE_PLAY and not states.can_be_taken_back(session):
            continue
        if facts["way"] == "result" and _is_overtaken(facts):
            continue
        if facts["way"] == "ruling" and not rulings.is_in_force(session, facts["ruling"]):
            continue
        found.append(Undoable(facts["words"], signed))
    return found


def _is_overtaken(facts: Facts) -> bool:
    """Whether something else has been handed in since a result was corrected."""
    return Submission.objects.filter(play=facts["play"], pk__gt=facts["made"]).exists()


def _read(signed: str) -> Facts:
    """What a notice or a page has offered to undo. BadSignature: it never has; SignatureExpired: too late."""
    facts: Facts = signing.loads(signed, salt=SALT)
    seconds = EVENING_SECONDS if facts["way"] in LASTING else GOOD_SECONDS
    signing.loads(signed, salt=SALT, max_age=seconds)
    return facts


def refused(request: HttpRequest, error: Refused, at: str = "") -> None:
    """`at`: the id of a row that shows it as well, where the page has such a row."""
    messages.error(request, str(error), extra_tags=at)


@require_POST
@signed_in
def undo(request: HttpRequest) -> HttpResponse:
    """Undo what a notice has offered to. For those who run the session; a call, for those who answer it, and
    a fee, for those at the door; in a club, for those who keep its register."""
    try:
        facts = _read(signed := request.POST.get("undo", ""))
    except signing.SignatureExpired:
        messages.error(request, _("This was offered for a quarter of an hour: look for it among the steps."))
        return redirect("desk")
    except signing.BadSignature:
        return HttpResponseBadRequest()
    account = account_of(request)
    place: Session | Club
    if "club" in facts:
        place = get_object_or_404(Club, pk=facts["club"])
    else:
        own = OTHERS.get(facts["way"], Session.objects.directed_by)(account)
        place = get_object_or_404(own.select_related("tournament__club", "board_set"), pk=facts["session"])
    is_alone = facts["way"] in STORED_ELSEWHERE
    together: AbstractContextManager[object] = nullcontext() if is_alone else transaction.atomic()
    try:
        with together:
            if isinstance(place, Club):
                consents.take_back(club=place, actor=account, act=facts["act"])
            else:
                held = meanwhile.hold(place, facts["seen"]) if "seen" in facts else place
                WAYS[facts["way"]](held, account, facts)
    except Refused as error:
        messages.error(request, str(error))
    else:
        request.session[KEPT] = [one for one in request.session.get(KEPT, ()) if one != signed]
        messages.success(
            request, pgettext("a deed", "It has been undone: “%(words)s”") % {"words": facts["words"]}
        )
    back = request.POST.get("next", "")
    if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        return HttpResponseRedirect(back)
    if isinstance(place, Club):
        return redirect("club-register", club=place.slug)
    return redirect("session-desk", session=place.pk)


# ── The ways back ─────────────────────────────────────────────────────────────────────────────────


def _state(session: Session, actor: Account, facts: Facts) -> None:
    if "listed" in facts:
        states.publish(session=session, actor=actor, listed=facts["listed"])
    until = _time(facts.get("until"))
    if (session.state, facts["to"]) in states.TAKEN_BACK:
        states.take_back(session=session, actor=actor, to=facts["to"], until=until)
        return
    for to in [*facts.get("over", []), facts["to"]]:  # a list that stood stands again once play has ended
        states.change(
            session=session, actor=actor, to=to, reason=_("Undone at once."), confirmed=True, until=until
        )


def _open_round(session: Session, actor: Account, facts: Facts) -> None:
    rounds.take_back_opening(session=session, actor=actor, number=facts["round"])


def _open_again(session: Session, actor: Account, facts: Facts) -> None:
    rounds.close_round(session=session, actor=actor, number=facts["round"])


def _close_round(session: Session, actor: Account, facts: Facts) -> None:
    ends_at = _time(facts["ends_at"])
    rounds.take_back_closing(session=session, actor=actor, number=facts["round"], ends_at=ends_at)


def _pause(session: Session, actor: Account, facts: Facts) -> None:
    rounds.pause(session=session, actor=actor, number=facts["round"], paused=facts["paused"])


def _extend(session: Session, actor: Account, facts: Facts) -> None:
    rounds.take_back_extension(
        session=session,
        actor=actor,
        number=facts["round"],
        minutes=facts["minutes"],
        table=facts["table"],
        until=_time(facts["until"]),
    )


def _pace(session: Session, actor: Account, facts: Facts) -> None:
    if facts["pace"] is None:
        rounds.stop_pacing(session=session, actor=actor)
    else:
        rounds.pace(session=session, actor=actor, pace=Pace(*facts["pace"]))


def _corrections(session: Session, actor: Account, facts: Facts) -> None:
    states.correct_until(session=session, actor=actor, until=_time(facts["until"]))


def _added_list(session: Session, actor: Account, facts: Facts) -> None:
    one = lists.with_number(session, facts["list"])
    one.session = session
    lists.remove(the_list=one, actor=actor, seen=facts["list_seen"])


def _changed_list(session: Session, actor: Account, facts: Facts) -> None:
    one = lists.with_number(session, facts["list"])
    one.session = session
    setup = lists.ListSetup(**facts["setup"])
    lists.change(the_list=one, actor=actor, setup=setup, seen=facts["list_seen"])


def _removed_list(session: Session, actor: Account, facts: Facts) -> None:
    lists.set_up(session=session, actor=actor, setup=lists.ListSetup(**facts["setup"]))


def _mend(session: Session, actor: Account, facts: Facts) -> None:
    starts_at = _time(facts["starts_at"])
    states.mend(session=session, actor=actor, name=facts["name"], starts_at=starts_at, live=facts["live"])


def _ruling(session: Session, actor: Account, facts: Facts) -> None:
    ruling = rulings.with_id(session, facts["ruling"])
    rulings.reverse(ruling=ruling, actor=actor, text=_("Undone at once."))


def _result(session: Session, actor: Account, facts: Facts) -> None:
    own = Play.objects.filter(table__section__session=session).select_related("table__section", "board")
    play = get_object_or_404(own, pk=facts["play"])
    desk_entries.take_back(
        session=session, play=play, account=actor, made=facts["made"], before=facts["before"]
    )


def _plan(session: Session, actor: Account, _facts: Facts) -> None:
    replanning.take_back(session=session, actor=actor)


def _seats(session: Session, actor: Account, facts: Facts) -> None:
    plan = reseating.plan(session=session, **facts["plan"])
    reseating.store(plan, actor=actor, reason=_("Undone at once."), takes_back=True)


def _reserve(session: Session, actor: Account, facts: Facts) -> None:
    board_sets.take_back_reserve(session=session, actor=actor, reserve=facts["reserve"], board=facts["board"])


def _substitution(session: Session, actor: Account, facts: Facts) -> None:
    own = Substitution.objects.filter(contestant__session=session)
    substitutes.undo(substitution=get_object_or_404(own, pk=facts["substitution"]), actor=actor)


def _fee(session: Session, actor: Account, facts: Facts) -> None:
    does = fees.give_back if facts["taken"] else fees.take
    does(session=session, actor=actor, member=facts["member"])


def _call(session: Session, actor: Account, facts: Facts) -> None:
    one = get_object_or_404(Call.objects.filter(session=session), pk=facts["call"])
    calls.take_back(call=one, actor=actor)


def _announcement(session: Session, actor: Account, facts: Facts) -> None:
    own = Announcement.objects.filter(session=session)
    calls.withdraw(announcement=get_object_or_404(own, pk=facts["announcement"]), actor=actor)


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


WAYS: Mapping[str, Undoing] = {
    "state": _state,
    "open-round": _open_round,
    "open-again": _open_again,
    "close-round": _close_round,
    "pause": _pause,
    "extend": _extend,
    "pace": _pace,
    "mend": _mend,
    "corrections": _corrections,
    "added list": _added_list,
    "changed list": _changed_list,
    "removed list": _removed_list,
    "ruling": _ruling,
    "result": _result,
    "plan": _plan,
    "seats": _seats,
    "reserve": _reserve,
    "substitution": _substitution,
    "fee": _fee,
    "call": _call,
    "announcement": _announcement,
}
OTHERS: Mapping[str, Callable[[Account], QuerySet[Session]]] = {
    "call": Session.objects.staffed_by,
    "result": Session.objects.staffed_by,
    "fee": fees.with_door,
}
"""The sessions of those who undo in these ways, where it is not those alone who run a session."""
AT_ONCE = ("call", "fee")
STORED_ELSEWHERE = ("result",)  # by the writer of results, for which no transaction may wait
