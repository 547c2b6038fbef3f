"""A session’s page at the desk: what has been set up, who sits where next, and the ways to all that is done
with it."""

from django.db.models import Count, Max, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from engines import registry
from scoring.methods import METHODS
from tournaments.models import BoardSet, Play, Role, Round, Section, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    calls,
    comparisons,
    custody,
    deleting,
    matches,
    meanwhile,
    names,
    objections,
    rankings,
    replacing,
    roles,
    shuffling,
)
from tournaments.services.roles import RolePlace

from .. import presentation
from ..accounts.keeping import signed_in
from ..accounts.views import account_of, address_of_invitation
from ..clocks import render_at
from ..officials import sees_all, sees_ranking
from . import grid, running, seating, undoing
from .wizard import language

LEADERS_SHOWN = 8
CALLS_SHOWN = 4


@gzip_page
@require_safe
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    """For all who have a role at the session; those who do not run it change nothing here. The time grows
    with the tables of a round."""
    account = account_of(request)
    own = Session.objects.staffed_by(account).select_related("tournament__club", "board_set")
    one = get_object_or_404(own, pk=session)
    game, place = registry.game(one.game), RolePlace(session=one)
    plays = Play.objects.filter(table__section__session=one)
    rounds = plays.aggregate(most=Max("round"))["most"] or 0
    usual, stands = usual_round(one, rounds)
    number = _round(request, usual, rounds)
    board_set, people = one.board_set, roles.at(place)
    runs = Session.objects.directed_by(account).filter(pk=one.pk).exists()
    is_coming = one.state in Session.COMING
    is_begun = one.state == Session.State.RUNNING or one.is_over
    sees = is_begun and sees_all(request, one)
    reader = names.reader_for(account)
    evening = grid.of(request, one, account, number, reader) if is_begun else None
    places = [] if evening else seating.places_of(one)
    pages = max(-(-len(places) // seating.TABLES_A_PAGE), 1)
    at = seating.page_asked_for(request, pages)
    tables = evening.tables if evening else seating.of_round(one, reader, number, seating.on_page(places, at))
    is_undealt, is_sealed = is_coming and custody.is_undealt(one), board_set.manifest is not None
    context = {
        "session": one,
        "state": Session.State(one.state).label,
        "game": game.name.to(language()),
        "method": METHODS[one.method].name.to(language()),
        "contestants": one.contestants.filter(left_after=None).count(),
        "gone": one.contestants.exclude(left_after=None).filter(seatings__isnull=False).distinct().count(),
        "boards": board_set.boards.count(),
        "rounds": rounds,
        "round": number,
        "stands": stands if number == usual else "",
        "tables": seating.with_copies(one, number, tables),
        "shows_seats": evening is None or "round" in request.GET,
        "tables_before": at - 1 if at > 1 else None,
        "tables_after": at + 1 if at < pages else None,
        "seats_told": seating.seats_told(tables),
        "sits_out": _sitting_out(one, number, reader),
        "before": number - 1 if number > 1 else None,
        "after": number + 1 if number < rounds else None,
        "people": [(kind, held) for kind, held in people if held],
        "may_invite": bool(roles.grantable(account, place)),
        "inviting": address_of_invitation(one, RoleKind.DEAL_OFFICER),
        "is_kept": board_set.custody == BoardSet.Keeping.OFFICER,
        "is_revealed": board_set.is_revealed,
        "is_sealed": is_sealed,
        "awaited": board_set.awaited_source,
        "holders": custody.in_force(one).select_related("account"),
        "is_undealt": is_undealt,
        "shuffling": shuffling.of_session(one) if is_coming and (is_undealt or not is_sealed) else None,
        "several_sections": one.sections.count() > 1 if is_coming and not is_sealed else False,
        "has_officer": any(kind == Role.Kind.DEAL_OFFICER for kind, held in people if held),
        "is_officer": is_undealt and custody.is_deal_officer(account, one),
        "runs": runs,
        "enters": is_begun and Section.objects.entered_by(account).filter(session=one).exists(),
        "has_tables": Section.objects.scored_by(account).filter(session=one).exists(),
        "course": running.course(one) if runs else None,
        "seen": meanwhile.stamp(one) if runs else "",
        "unpublished": names.unpublished_in(one) if runs else [],
        "undoable": undoing.offers(request, one) if runs else (),
        "states": _states(one),
        "objections": objections.waiting_count(one) if runs and is_begun else 0,
        "told": calls.announced(one) if is_begun else None,
        "unannounce": running.step("unannounce"),
        "leaders": _leaders(one, reader) if sees else [],
        "in_percent": one.state == Session.State.RUNNING and comparisons.top(one) is not None,
        "clock": _clock(one),
        "progress": _progress(one, number) if is_begun else None,
        "grid": evening,
        "calling": [row for row in evening.waits if row.kind == "call"][:CALLS_SHOWN] if evening else [],
        "runs_club": one.tournament.club in roles.clubs_of(account),
        "has_matches": matches.rules_of(one) is not None,
        "shows_ranking": one.listed or (is_begun and sees_ranking(request, one)),
        "is_coming": is_coming,
        "sets_up_again": one.state in replacing.BEFORE_PLAY
        and one.tournament.club in roles.clubs_of(account),
        "may_delete": runs and (one.is_trial or one.state in deleting.NEVER_PLAYED),
    }
    return render_at(one.tournament.club, request, "desk/session.html", context)


def _leaders(session: Session, reader: names.Reader) -> list[presentation.Leader]:
    """The first of the list as it is now."""
    newest = rankings.newest_of([session.pk])
    found = presentation.leaders(newest, most=LEADERS_SHOWN, reader=reader)
    return found[session.pk][1] if session.pk in found else []


def _states(session: Session) -> list[tuple[str, str]]:
    """The states that an evening goes through, each "done", "now" or "" (to come); one that is cancelled goes
    through none."""
    if session.state == Session.State.CANCELLED:
        return [(str(Session.State.CANCELLED.label), "now")]
    last = Session.State.AMENDED if session.state == Session.State.AMENDED else Session.State.FINAL
    order = [
        Session.State.READY,
        Session.State.RUNNING,
        Session.State.PLAYED,
        Session.State.PROVISIONAL,
        last,
    ]
    if session.state == Session.State.DRAFT:
        order = [Session.State.DRAFT, *order]
    at = order.index(Session.State(session.state))
    return [
        (str(state.label), "done" if number < at else "now" if number == at else "")
        for number, state in enumerate(order)
    ]


def _clock(session: Session) -> Round | None:
    """The round whose clock a page shows: the first that is open, or the next that the clock will open."""
    if not session.is_paced or session.state not in (Session.State.READY, Session.State.RUNNING):
        return None
    opened = session.rounds.filter(state=Round.State.OPEN).order_by("number").first()
    coming = session.rounds.filter(state=Round.State.WAITING, opens_at__isnull=False).order_by("number")
    return opened or coming.first()


def _progress(session: Session, number: int) -> dict[str, int]:
    """How many boards of a round have been played or ruled on, of how many."""
    plays = Play.objects.filter(table__section__session=session, round=number)
    settled = Q(result__isnull=False) | Q(ruled__is_whole=True)
    return plays.aggregate(all=Count("pk"), done=Count("pk", filter=settled))


def usual_round(session: Session, last: int) -> tuple[int, str]:
    """The round that the page shows unless another is asked for, and how it stands: "open", "next" or "".
    Where nobody opens and closes rounds, one is past when later ones have more results than it still lacks:
    a result that is missing, or a table that is ahead, is no reason to show all tables another round."""
    if session.state not in Session.COMING:
        return last, ""
    if session.is_paced:
        own = session.rounds.order_by("number")
        states = list(own.exclude(state=Round.State.CLOSED).values_list("number", "state"))
        opened = [number for number, state in states if state == Round.State.OPEN]
        if opened:
            return opened[0], "open"
        return (states[0][0], "next") if states else (last, "")
    plays = Play.objects.filter(table__section__session=session).values("round").order_by("round")
    counts = list(plays.annotate(all=Count("pk"), done=Count("result")).values_list("round", "all", "done"))
    later = sum(done for _number, _all, done in counts)
    for number, every, done in counts:
        later -= done
        if every > done and later <= every - done:
            return number, "open" if done or session.state == Session.State.RUNNING else "next"
    return last, ""


def _round(request: HttpRequest, usual: int, most: int) -> int:
    text = request.GET.get("round", "")
    number = int(text) if text.isdecimal() and len(text) < 5 else usual
    return min(max(number, 1), max(most, 1))


def _sitting_out(session: Session, number: int, reader: names.Reader) -> list[str]:
    """Who has no table in a round."""
    seated = Play.objects.filter(table__section__session=session, round=number).values("seatings__contestant")
    out = session.contestants.filter(left_after=None).exclude(pk__in=seated).order_by("number")
    named = names.of_contestants(list(out.values_list("pk", flat=True)), reader)
    return [one.name for one in named.values()]
