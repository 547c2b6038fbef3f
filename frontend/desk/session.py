"""A session’s page at the desk: what has been set up, who sits where next, and the ways to all that is done
with it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from engines import registry
from scoring.methods import METHODS
from tournaments.models import Account, BoardSet, Play, Role, Round, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import custody, layouts, meanwhile, names, roles
from tournaments.services.roles import RolePlace

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, address_of_invitation
from ..clocks import render_at
from ..officials import sees_ranking
from . import grid, running
from .seating import called
from .wizard import language

TABLES_AT_MOST = 100


@dataclass(frozen=True, slots=True)
class TableOfRound:
    """A table in a round: its boards, and who sits in which seats."""

    name: str
    boards: str
    seats: list[tuple[str, str]]


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
    usual, stands = _usual(one, rounds)
    number = _round(request, usual, rounds)
    board_set, people = one.board_set, roles.at(place)
    runs = Session.objects.directed_by(account).filter(pk=one.pk).exists()
    is_begun = one.state == Session.State.RUNNING or one.is_over
    tables = _tables(one, number, account)
    context = {
        "session": one,
        "state": Session.State(one.state).label,
        "game": game.name.to(language()),
        "method": METHODS[one.method].name.to(language()),
        "contestants": one.contestants.count(),
        "boards": board_set.boards.count(),
        "rounds": rounds,
        "round": number,
        "stands": stands if number == usual else "",
        "tables": tables,
        "seats_told": _seats_told(tables),
        "sits_out": _sitting_out(one, number, account),
        "before": number - 1 if number > 1 else None,
        "after": number + 1 if number < rounds else None,
        "people": [(kind, held) for kind, held in people if held],
        "may_invite": bool(roles.grantable(account, place)),
        "inviting": address_of_invitation(one, RoleKind.DEAL_OFFICER),
        "is_kept": board_set.custody == BoardSet.Keeping.OFFICER,
        "is_revealed": board_set.is_revealed,
        "is_sealed": board_set.manifest is not None,
        "awaited": board_set.awaited_source,
        "holders": custody.in_force(one).select_related("account"),
        "is_held": custody.in_force(one).exists(),
        "has_officer": any(kind == Role.Kind.DEAL_OFFICER for kind, held in people if held),
        "runs": runs,
        "course": running.course(one) if runs else None,
        "seen": meanwhile.stamp(one) if runs else "",
        "states": _states(one),
        "clock": _clock(one),
        "progress": _progress(one, number) if is_begun else None,
        "grid": grid.of(request, one, account, number) if is_begun else None,
        "runs_club": one.tournament.club in roles.clubs_of(account),
        "shows_ranking": one.listed or (is_begun and sees_ranking(request, one)),
        "is_coming": one.state in Session.COMING,
    }
    return render_at(one.tournament.club, request, "desk/session.html", context)


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
    """How many results of a round there are, of how many."""
    plays = Play.objects.filter(table__section__session=session, round=number)
    return plays.aggregate(all=Count("pk"), done=Count("result"))


def _usual(session: Session, last: int) -> tuple[int, str]:
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
            return number, "open" if done else "next"
    return last, ""


def _round(request: HttpRequest, usual: int, most: int) -> int:
    text = request.GET.get("round", "")
    number = int(text) if text.isdecimal() and len(text) < 5 else usual
    return min(max(number, 1), max(most, 1))


def _tables(session: Session, number: int, account: Account) -> list[TableOfRound]:
    """Who sits where in a round: a few queries, whatever its tables."""
    sides = registry.game(session.game).sides_of(session.conditions)
    found = []
    numbers = dict(session.contestants.values_list("number", "pk"))
    named = called(session, account, list(numbers.values()), number)
    sections = list(session.sections.order_by("name"))
    for section in sections:
        plays = Play.objects.filter(table__section=section, round=number)
        tables: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        for sitting in layouts.sittings_of(plays, sides):
            tables.setdefault(sitting.table, []).append((sitting.board, sitting.contestants))
        for table, played in sorted(tables.items()):
            seats: dict[int, list[int]] = {}
            for _board, contestants in played:
                for seat, contestant in enumerate(contestants, 1):
                    seats.setdefault(contestant, [])
                    if seat not in seats[contestant]:
                        seats[contestant].append(seat)
            boards = [board for board, _contestants in played]
            found.append(
                TableOfRound(
                    name=f"{section.name}{table}" if len(sections) > 1 else str(table),
                    boards=", ".join(map(str, boards)),
                    seats=[
                        (_seat_words(held, sides, len(seats)), named[numbers[contestant]])
                        for contestant, held in sorted(seats.items(), key=lambda one: one[1])
                    ],
                )
            )
    return found[:TABLES_AT_MOST]


def _seat_words(held: Sequence[int], sides: Sequence[Sequence[int]], contestants: int) -> str:
    """The seats of somebody at a table: one, a side’s, or one for each board."""
    if contestants == len(sides) and any(len(side) > 1 for side in sides):
        return " + ".join(str(seat) for side in held for seat in sides[side - 1])
    return ", ".join(map(str, held))


def _seats_told(tables: Sequence[TableOfRound]) -> str:
    """What signs between seats mean, as far as there are any."""
    signs = "".join(seats for table in tables for seats, _name in table.seats)
    told = [_("Several seats: one for each board, in their order.")] if "," in signs else []
    return " ".join([*told, *([_("With a plus: all seats of a side.")] if "+" in signs else [])])


def _sitting_out(session: Session, number: int, account: Account) -> list[str]:
    """Who has no table in a round."""
    seated = Play.objects.filter(table__section__session=session, round=number).values("seatings__contestant")
    out = session.contestants.filter(left_after=None).exclude(pk__in=seated).order_by("number")
    named = names.of_contestants(list(out.values_list("pk", flat=True)), names.reader_for(account))
    return [one.name for one in named.values()]
