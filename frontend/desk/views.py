"""Where somebody works: their clubs, tournaments and sessions, and what waits."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Case, Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from engines import registry
from tournaments.models import (
    Account,
    BoardSet,
    Call,
    Club,
    Draft,
    Result,
    Role,
    Section,
    Session,
    SessionTemplate,
    access,
)
from tournaments.models.accounts import RoleKind
from tournaments.services import combined, drafts, event_entries, roles, sessions, templates

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, address_of_invitation, forms_and_pages
from ..clocks import render_at
from .forms import TournamentForm
from .wizard import language, managed_club

CLUBS_AT_MOST, SESSIONS_AT_MOST, SESSIONS_EACH, TEMPLATES_EACH, ON_A_PAGE = 20, 60, 8, 4, 50
TONIGHT_AT_MOST, SOON = 4, timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class ListedSession:
    """A session in a list: how far it is, and the next thing to do for it."""

    session: Session
    game: str
    state: str
    verb: str
    href: str
    is_urgent: bool


@dataclass(frozen=True, slots=True)
class ClubDesk:
    """A club on the desk: its newest sessions, and the drafts of others."""

    club: Club
    sessions: list[ListedSession]
    drafts: list[Draft]
    templates: list[SessionTemplate]
    events: int  # legs that wait for the club

    @property
    def last(self) -> Session | None:
        """What the next one may be like: no rehearsal."""
        return next((one.session for one in self.sessions if not one.session.is_trial), None)


@gzip_page
@require_safe
@signed_in
def desk(request: HttpRequest) -> HttpResponse:
    """The clubs and sessions that somebody has roles at, and what waits there. The queries do not grow with
    what there is."""
    account = account_of(request)
    own = Club.objects.filter(access.managed(account, club="pk")).order_by("name", "pk")
    managed = list(own[:CLUBS_AT_MOST])
    held = list(roles.of(account))
    federal = {role.kind for role in held if role.club_id is None and role.session_id is None}
    of_clubs = listed(with_hints(Session.objects.filter(tournament__club__in=managed)), held)
    unfinished = drafts.unfinished_of(managed)
    usual = templates.of_clubs(managed)
    awaited = event_entries.waiting_for(managed, now=timezone.now()) if managed else {}
    context = {
        "tonight": _tonight(account),
        "administers": RoleKind.ADMINISTRATOR in federal,
        "organises": RoleKind.ORGANISER in federal,
        "desks": [
            ClubDesk(
                club,
                [one for one in of_clubs if one.session.tournament.club_id == club.pk][:SESSIONS_EACH],
                [one for one in unfinished if one.club_id == club.pk],
                [one for one in usual if one.club_id == club.pk][:TEMPLATES_EACH],
                awaited.get(club.pk, 0),
            )
            for club in managed
        ],
        "directed": listed(with_hints(_elsewhere(account, managed)), held),
        "scored": listed(with_hints(_scored(account, managed)), held),
        "clubs": _other_clubs(account, managed),
        "roles": held,
        "waits": [one for one in of_clubs if one.is_urgent],
        "to_deal": _to_deal(held),
        "failed": [one for one in unfinished if one.job is not None and one.job.error],
    }
    return render(request, "desk/desk.html", context)


def _tonight(account: Account) -> list[tuple[Session, str]]:
    """What somebody is to run or score now, with its game: what is being played, then what begins soon, the
    next first. One query."""
    now = timezone.now()
    soon = Q(state__in=Session.COMING, starts_at__range=(now - SOON, now + SOON))
    is_running = Case(When(state=Session.State.RUNNING, then=0), default=1)
    found = Session.objects.officiated_by(account).filter(Q(state=Session.State.RUNNING) | soon)
    directed = Session.objects.directed_by(account).filter(pk=OuterRef("pk"))
    entered = Section.objects.entered_by(account).filter(session=OuterRef("pk"))
    waiting = Call.objects.filter(session=OuterRef("pk"), state=Call.State.WAITING).order_by("made_at")
    rows = found.select_related("tournament__club").annotate(
        runs=Exists(directed), enters=Exists(entered), calling=Subquery(waiting.values("table__number")[:1])
    )
    rows = rows.order_by(is_running, F("starts_at").asc(nulls_last=True), "-pk")
    return [(one, registry.game(one.game).name.to(language())) for one in rows[:TONIGHT_AT_MOST]]


def _to_deal(held: Sequence[Role]) -> list[Session]:
    """The sessions whose boards somebody with these roles is to deal, and of which nobody has taken custody
    yet. One query, or none."""
    own = [role.session_id for role in held if role.kind == RoleKind.DEAL_OFFICER and role.session_id]
    if not own:
        return []
    kept = Q(board_set__custody=BoardSet.Keeping.OFFICER, board_set__manifest__isnull=False)
    found = Session.objects.filter(kept, pk__in=own, state__in=Session.COMING, board_set__custodies=None)
    return list(found.select_related("tournament__club").order_by("pk")[:SESSIONS_EACH])


def _elsewhere(account: Account, clubs: Iterable[Club]) -> QuerySet[Session]:
    """The sessions that somebody directs in other clubs."""
    return Session.objects.directed_by(account).exclude(tournament__club__in=list(clubs))


def _scored(account: Account, clubs: Iterable[Club]) -> QuerySet[Session]:
    """The sessions that somebody scores without running them, theirs or their club’s."""
    directed = Session.objects.directed_by(account).values("pk")
    others = Session.objects.officiated_by(account).exclude(pk__in=directed)
    return others.exclude(tournament__club__in=list(clubs))


def _other_clubs(account: Account, clubs: Iterable[Club]) -> QuerySet[Club]:
    """The clubs whose people somebody looks after without setting up their sessions."""
    return roles.clubs_of(account).exclude(pk__in=[one.pk for one in clubs])[:200]


def with_hints(found: QuerySet[Session]) -> QuerySet[Session]:
    """The newest of some sessions, with what there is to know of the next thing to do."""
    officers = Role.objects.in_force().filter(session=OuterRef("pk"), kind=Role.Kind.DEAL_OFFICER)
    rows = found.select_related("tournament__club", "board_set").order_by("-created_at", "-pk")
    return rows.annotate(
        has_officer=Exists(officers), has_results=Exists(Result.objects.filter(session=OuterRef("pk")))
    )[:SESSIONS_AT_MOST]


def listed(found: Iterable[Session], held: Sequence[Role]) -> list[ListedSession]:
    """`held`: the roles of whoever reads it."""
    return [_listed(one, may_invite=roles.may_invite_to(one, held)) for one in found]


def _listed(session: Session, *, may_invite: bool) -> ListedSession:
    """The next thing to do for a session of `with_hints`."""
    at_desk = reverse("session-desk", args=[session.pk])
    has_officer, has_results = session.has_officer, session.has_results  # type: ignore[attr-defined]  # annotated
    is_kept = session.board_set.custody == BoardSet.Keeping.OFFICER and session.board_set.manifest is not None
    verb, href, urgent = _("Who sits where"), at_desk, False
    if session.is_over and session.is_trial:
        verb, href = _("Rankings"), reverse("desk-lists", args=[session.pk])
    elif session.is_over and not session.listed:
        verb, urgent = _("Publish the ranking"), True
    elif session.listed:
        verb, href = _("Ranking"), reverse("ranking-page", args=[session.pk])
    elif has_results:
        verb = _("Results are coming in")
    elif may_invite and is_kept and not has_officer and session.state in Session.COMING:
        href = address_of_invitation(session, RoleKind.DEAL_OFFICER)
        verb, urgent = _("Invite a deal officer"), True
    return ListedSession(
        session=session,
        game=registry.game(session.game).name.to(language()),
        state=str(Session.State(session.state).label),
        verb=verb,
        href=href,
        is_urgent=urgent,
    )


# ── Tournaments ───────────────────────────────────────────────────────────────────────────────────


@forms_and_pages
@signed_in
def tournaments(request: HttpRequest, club: str) -> HttpResponse:
    """The tournaments of a club, and a new one."""
    the_club = managed_club(request, club)
    form = TournamentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["name"]
        made = sessions.create_tournament(actor=account_of(request), club=the_club, name=name)
        messages.success(request, _("The tournament “%(name)s” is there.") % {"name": name})
        return redirect("club-tournament", club=the_club.slug, pk=made.pk)
    rows = the_club.tournaments.annotate(count=Count("sessions"), newest=Max("sessions__created_at"))
    page = Paginator(rows.order_by("-pk"), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"club": the_club, "form": form, "tournaments": page.object_list, "pages": pages_of(page)}
    return render_at(the_club, request, "desk/tournaments.html", context)


@require_safe
@signed_in
def tournament(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """A tournament with its sessions."""
    the_club = managed_club(request, club)
    one = get_object_or_404(the_club.tournaments, pk=pk)
    page = Paginator(one.sessions.order_by("-created_at", "-pk").values_list("pk", flat=True), ON_A_PAGE)
    shown = page.get_page(request.GET.get("page"))
    context = {
        "club": the_club,
        "tournament": one,
        "sessions": listed(
            with_hints(Session.objects.filter(pk__in=list(shown.object_list))),
            list(roles.of(account_of(request))),
        ),
        "pages": pages_of(shown),
        "has_standings": combined.are_there(one, account_of(request)),
    }
    return render_at(the_club, request, "desk/tournament.html", context)


def pages_of(page: object) -> dict[str, int | None]:
    """The pages beside one, as the pager takes them."""
    return {
        "previous": page.previous_page_number() if page.has_previous() else None,  # type: ignore[attr-defined]
        "next": page.next_page_number() if page.has_next() else None,  # type: ignore[attr-defined]
    }
