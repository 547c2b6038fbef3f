"""Players' own pages, and the links by which they come to them: each view asks a service, and shows the
answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from engines import registry
from scoring.methods import METHODS
from tournaments.models import (
    Account,
    Board,
    Club,
    Objection,
    Play,
    Player,
    PlayerLink,
    RegistrationList,
    Session,
    Token,
)
from tournaments.models.open_boards import open_in
from tournaments.models.plays import sat_instead
from tournaments.services import (
    accounts,
    comparisons,
    erasing,
    evening_links,
    master_points,
    names,
    own_news,
    own_results,
    own_season,
    own_seats,
    player_links,
    register,
    roles,
    rulings,
)
from tournaments.services import objections as all_objections
from tournaments.services.errors import Conflict, Refused
from tournaments.services.roles import RolePlace

from .. import board_pages, icalendar, plots, presentation, rating_rows, season_words
from ..accounts.forms import JoinForm, language_now
from ..accounts.keeping import signed_in
from ..accounts.views import absolute, account_of, forms_and_pages
from ..clocks import by_clock, render_at
from ..codes import code_of
from . import evening as day
from . import mine
from .forms import FindForm, ObjectionForm

CARD = "evening-card"  # in the session: the digest of the newest card that somebody has followed
SEEN = "player-links"  # in the session: the digests of the links that somebody has followed, by link
FOUND_AT_MOST = 50


# ── Links ─────────────────────────────────────────────────────────────────────────────────────────


@require_safe
def follow_link(request: HttpRequest, secret: str) -> HttpResponse:
    """The address in a link. Its secret goes no further: the page that follows has an address of its own."""
    link = player_links.with_secret(secret)
    if link is None:
        return redirect("player-link", pk=0)
    seen = request.session.get(SEEN, {})
    request.session[SEEN] = seen | {str(link.pk): link.digest}
    return redirect("player-link", pk=link.pk)


@sensitive_post_parameters("password")
@forms_and_pages
def player_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Whose entry a link opens and how it stands; attaching it to an account, a new one too, or using it in
    this browser alone."""
    digest = request.session.get(SEEN, {}).get(str(pk))
    link = player_links.with_digest(pk, digest) if digest is not None else None
    if link is None:
        return render(request, "players/no_link.html", status=404)
    account = request.user if isinstance(request.user, Account) else None
    form = JoinForm(
        request.POST if "name" in request.POST else None, bound_to=None, initial={"name": link.player.name}
    )
    if request.method == "POST" and player_links.state_of(link) == PlayerLink.State.OPEN:
        try:
            if (answer := _use(request, link, account, form)) is not None:
                return answer
        except Refused as error:  # somebody was quicker, or the entry is another's
            if error.code == "address-taken":
                form.add_error("email", str(error))
            else:
                messages.error(request, str(error))
                return redirect("player-link", pk=pk)
    state = player_links.state_of(link)
    held = mine.myself(request)
    is_mine = state == PlayerLink.State.USED and link.player_id in {player.pk for player in held.players}
    context = {
        "link": link,
        "player": link.player,
        "state": "mine" if is_mine else state.value,
        "form": form,
    }
    fits = is_mine or state == PlayerLink.State.OPEN
    return render(request, "players/link.html", context, status=200 if fits else 410)


def _use(
    request: HttpRequest, link: PlayerLink, account: Account | None, form: JoinForm
) -> HttpResponse | None:
    """The answer to somebody who has said how they use a link; None where the form says what is missing."""
    way = request.POST.get("way", "")
    if way == "browser":
        mine.hold(request, player_links.use(link=link, account=account))
        messages.success(request, _("This browser opens your page from now on."))
        return redirect("me")
    if way == "account" and account is not None:
        player_links.attach(link=link, account=account)
        messages.success(request, _("The entry belongs to your account now."))
        return redirect("me")
    if way == "join" and account is None and form.is_valid():
        from allauth.account.utils import perform_login  # not before somebody comes
        from allauth.core import ratelimit

        if (refusal := ratelimit.consume_or_429(request, action="signup")) is not None:
            return refusal  # type: ignore[no-any-return]  # theirs has no types
        with transaction.atomic():
            made = accounts.create(language=language_now(), **form.cleaned_data)
            player_links.attach(link=link, account=made)
        messages.success(request, _("The entry belongs to your account now."))
        return perform_login(  # type: ignore[no-any-return]
            request, made, email_verification="none", redirect_url=reverse("me")
        )
    return None


# ── The club's page of links ──────────────────────────────────────────────────────────────────────


def run_club(request: HttpRequest, slug: str) -> Club:
    """A club that somebody runs; otherwise 403, and 404 where there is none."""
    club = get_object_or_404(Club, slug=slug)
    if not register.may_change(account_of(request), club):
        raise PermissionDenied
    return club


@forms_and_pages
@signed_in
def links(request: HttpRequest, club: str) -> HttpResponse:
    """The links of a club's players that are still to be used, and new ones for whoever is looked for."""
    the_club = run_club(request, club)
    secret = chosen = None
    if request.method == "POST":
        there = Player.objects.in_register().filter(club=the_club)
        chosen = get_object_or_404(there, pk=number(request.POST.get("player", "")))
        try:
            _link, secret = player_links.offer(player=chosen, actor=account_of(request))
        except Conflict as error:
            messages.error(request, str(error))
    find = FindForm(request.GET or None)
    found: list[Player] = []
    if find.is_bound and find.is_valid():
        found = list(player_links.entries(the_club, find.cleaned_data["q"])[:FOUND_AT_MOST])
    context = {
        "club": the_club,
        "links": player_links.of_club(the_club),
        "wishes": erasing.wishes_of(the_club),
        "form": find,
        "found": found,
        "may_erase": roles.is_administrator(account_of(request), RolePlace(the_club)),
        "chosen": chosen,
        "link": absolute(request, player_links.path_of(secret)) if secret else None,
    }
    return render_at(the_club, request, "players/links.html", context)


SESSIONS_SHOWN = 12


@forms_and_pages
@signed_in
def all_links(request: HttpRequest, club: str) -> HttpResponse:
    """Links for everybody who has none, on one page to print and cut, or to send. They are on the answer to
    the one request that makes them, and nowhere else: whoever asks again gets others, and these stop
    working."""
    the_club = run_club(request, club)
    own = Session.objects.filter(tournament__club=the_club, is_trial=False).order_by("-pk")[:SESSIONS_SHOWN]
    chosen = next((one for one in own if str(one.pk) == (request.POST or request.GET).get("session")), None)
    players = list(player_links.without(the_club, chosen)[: player_links.AT_ONCE + 1])
    made: list[dict[str, object]] = []
    status = 200
    if request.method == "POST":
        try:
            offered = player_links.offer_all(players=players, actor=account_of(request))
        except Refused as error:
            messages.error(request, str(error))
            status = 409
        else:
            for player, secret in offered:
                address = absolute(request, player_links.path_of(secret))
                made.append({"player": player, "address": address, "code": code_of(address)})
    context = {
        **{"club": the_club, "sessions": own, "chosen": chosen, "made": made},
        "count": len(players),
        "most": player_links.AT_ONCE,
        "days": settings.INVITATION_DAYS,
    }
    answer = render_at(the_club, request, "players/all_links.html", context, status)
    answer["Cache-Control"] = "no-store"
    return answer


def number(text: str) -> int:
    """The number that a text is, 0 for any other."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


@require_POST
@signed_in
def withdraw_link(request: HttpRequest, pk: int) -> HttpResponse:
    link = get_object_or_404(PlayerLink.objects.select_related("player__club"), pk=pk)
    try:
        player_links.withdraw(link=link, actor=account_of(request))
    except Refused:
        raise Http404 from None
    messages.success(request, _("The link has been withdrawn: it no longer works."))
    return redirect("player-links", club=link.player.club.slug)


@require_POST
@signed_in
def detach(request: HttpRequest, pk: int) -> HttpResponse:
    """By the club or by the account itself: the entry opens for nobody until there is a new link."""
    player = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    is_own = player.account_id == account_of(request).pk
    try:
        player_links.detach(player=player, actor=account_of(request))
    except Refused:
        raise Http404 from None
    messages.success(request, _("The entry is no longer attached to an account or a browser."))
    return redirect("me") if is_own else redirect("player-links", club=player.club.slug)


# ── One's own page ────────────────────────────────────────────────────────────────────────────────


@require_safe
def me(request: HttpRequest) -> HttpResponse:
    """Where one sits, the latest evenings, open lists; one's entries and how others read them, data."""
    who = mine.myself(request)
    if not who.players and who.account is None:
        return render(request, "players/nobody.html")
    public = names.of_players([player.pk for player in who.players], names.ANYONE)
    lists = RegistrationList.objects.filter(
        tournament__club__in={player.club_id for player in who.players}, closed_at=None, is_public=True
    ).select_related("tournament__club")
    context = {
        "who": who,
        "entries": [
            {"player": player, "shown": public[player.pk], "token": who.tokens.get(player.pk)}
            for player in who.players
        ],
        "news": own_news.latest(who.players),
        "seats": [_seat(one) for one in own_seats.coming(who.players)],
        "evenings": own_results.evenings(who.players)[:LATEST],
        "lists": lists.order_by("-pk")[:20],
    }
    return render(request, "players/me.html", context)


LATEST = 3  # evenings on the first page; the others on one of their own


def _seat(one: own_seats.OwnSeat) -> dict[str, Any]:
    """Where somebody sits, with the names of those who sit beside them."""
    rounds = [
        {"round": a_round, "beside": [one.named[pk].name for pk in dict.fromkeys(a_round.beside.values())]}
        for a_round in one.rounds
    ]
    game = presentation.game_name(one.session, language_now() or "en")
    return {"seat": one, "rounds": rounds, "game": game}


@require_safe
def results(request: HttpRequest) -> HttpResponse:
    """All evenings that one has a part in, the newest first."""
    who = mine.myself(request)
    if not who.players:
        return redirect("me")
    before = number(request.GET.get("before", "")) or None
    evenings = own_results.evenings(who.players, before=before)
    context = {
        "evenings": evenings[: own_results.ON_A_PAGE],
        "earlier": evenings[-2].session.pk if len(evenings) > own_results.ON_A_PAGE else None,
    }
    return render(request, "players/results.html", context)


@require_safe
def season(request: HttpRequest) -> HttpResponse:
    """One's form over the last evenings, places in seasons, ratings, and with whom one has played."""
    who = mine.myself(request)
    if not who.players:
        return redirect("me")
    evenings, own = own_season.form(who.players), [one.pk for one in who.players]
    reader = names.Reader(players=frozenset(one.pk for one in who.players))
    context = {
        "evenings": evenings,
        "form": plots.form(
            [one.share for one in evenings], [by_clock(one.session, "j N") for one in evenings]
        ),
        "standings": [
            {
                "own": one,
                "list": season_words.list_name(one.wish, one.held),
                "query": season_words.query_of(one.wish, who=one.row.contestant),
                "why": season_words.tie_words(one.row, one.held.rules),
            }
            for one in own_season.standings(who.players)
        ],
        "seasons": own_season.seasons(who.players),
        "companions": own_season.companions(who.players, reader),
        "gifts": master_points.history_of(own),
        "points": sum(master_points.totals_of(own).values()),
        "ratings": rating_rows.with_histories(own_season.ratings(who.players), own, language_now() or "en"),
    }
    return render(request, "players/season.html", context)


@require_safe
def calendar(request: HttpRequest) -> HttpResponse:
    """One's own evenings for a calendar (RFC 5545): those that have a time, of the last year and to come."""
    who = mine.myself(request)
    if not who.players:
        return redirect("me")
    events = icalendar.events_of(request, own_seats.dated(who.players), "my-evening")
    answer = HttpResponse(icalendar.calendar("Étui", events), content_type=icalendar.TYPE)
    answer["Content-Disposition"] = 'attachment; filename="etui.ics"'
    answer["Cache-Control"] = "private, no-store"
    return answer


@forms_and_pages
def objections(request: HttpRequest, pk: int) -> HttpResponse:
    """What one objects to in a session, what was answered, and the way to object, appeal or withdraw."""
    session, player, _reader = _own(request, pk)
    caller = own_results.as_caller(player)
    by = mine.myself(request).actor_for(player)
    plays = [one for one in own_results.own_plays(session, player) if one.score is not None or one.is_ruled]
    chosen = number(request.GET.get("board", ""))
    divisor = registry.game(session.game).unit.divisor
    several = session.sections.count() > 1
    initial = {"play": _play_on(plays, chosen)}
    form = ObjectionForm(plays, divisor, request.POST or None, several=several, initial=initial)
    status = 200
    if request.method == "POST":
        try:
            if _said(request, session, form, plays, caller, by):
                return redirect("my-objections", pk=pk)
            status = 400
        except Refused as error:
            messages.error(request, str(error))
            status = 409
    context = {
        "session": session,
        "objections": [_objection(one) for one in all_objections.of(session, caller)],
        "form": form if session.state not in all_objections.CLOSED and plays else None,
    }
    answer = render_at(session.tournament.club, request, "players/objections.html", context, status)
    answer["Cache-Control"] = "private, no-store"
    return answer


def _play_on(plays: Sequence[own_results.OwnPlay], board: int) -> int | None:
    return next((one.pk for one in plays if one.board == board), None)


def _said(
    request: HttpRequest,
    session: Session,
    form: ObjectionForm,
    plays: Sequence[own_results.OwnPlay],
    caller: Token,
    by: Account | Token,
) -> bool:
    """Does what the form says; False where it lacks something."""
    if kind := request.POST.get("kind"):
        open_to_them = all_objections.of(session, caller)
        one = get_object_or_404(open_to_them, pk=number(request.POST.get("objection", "")))
        if kind not in ("appeal", "withdrawal"):
            raise Http404
        text = request.POST.get("text", "") or _("Withdrawn by the contestant.")
        all_objections.follow(objection=one, actor=caller, kind=kind, text=text, by=by)
        messages.success(request, _("It has been written down."))
        return True
    if not form.is_valid():
        return False
    play = next(one for one in plays if one.pk == form.cleaned_data["play"])
    place = rulings.PlayPlace(play.section, play.table, play.board)
    all_objections.object_to(
        session=session, actor=caller, place=place, text=form.cleaned_data["text"], by=by
    )
    messages.success(request, _("Your objection is with the director. The answer stands here."))
    return True


def _objection(one: Objection) -> dict[str, Any]:
    state = all_objections.state_of(one)
    return {
        "objection": one,
        "state": state,
        "steps": sorted(one.steps.all(), key=lambda step: step.pk),
        "may_appeal": state == "answered",
        "may_withdraw": state in ("open", "answered", "appealed"),
    }


@require_POST
def consent(request: HttpRequest, pk: int) -> HttpResponse:
    """Whether one's name may be published; it counts at once."""
    who = mine.myself(request)
    player = next((one for one in who.players if one.pk == pk), None)
    if player is None:
        raise Http404
    wish = request.POST.get("consent") == "yes"
    player_links.decide_consent(player=player, consent=wish, actor=who.actor_for(player))
    if wish:
        messages.success(request, _("Your name is published from now on, in earlier results too."))
    else:
        messages.success(request, _("Your name is published nowhere any more, in earlier results neither."))
    return redirect("me")


@require_POST
def leave_browser(request: HttpRequest) -> HttpResponse:
    """This browser opens nobody's page any more."""
    for token in mine.myself(request).tokens.values():
        player_links.end_token(token)
    mine.let_go(request)
    messages.success(request, _("This browser no longer opens your page."))
    return redirect("home")


@require_safe
def evening(request: HttpRequest, pk: int) -> HttpResponse:
    """What one has played in a session, board by board, beside the field."""
    session, player, reader = _own(request, pk)
    context = _evening(session, player, reader)
    context["answered"] = all_objections.answered_to(session, player)
    return render(request, "players/evening.html", context | {"shared": _shared_place(request, context)})


def _shared_place(request: HttpRequest, context: dict[str, Any]) -> dict[str, str] | None:
    """What is handed on of a place in a list that anybody may see; None while there is none."""
    session, standing = context["session"], context["standing"]
    if standing is None or not standing.rank or not session.listed:
        return None
    number = context["number"]
    return {
        "address": absolute(request, f"{reverse('ranking-page', args=[session.pk])}?place={number}"),
        "picture": absolute(request, reverse("place-preview", args=[session.pk, number])),
        "title": f"{session.tournament.name}, {session.name}",
    }


def _own(request: HttpRequest, pk: int) -> tuple[Session, Player, names.Reader]:
    """A session that somebody has a part in, as which of their entries, and as whom they read names; or
    404."""
    who = mine.myself(request)
    session = get_object_or_404(Session.objects.select_related("tournament__club", "board_set"), pk=pk)
    contestant = own_results.contestant_of(session, who.players)
    if contestant is None:
        raise Http404
    own = Q(memberships__contestant=contestant)
    own |= Q(substitutions__contestant=contestant, substitutions__undone_at=None)
    there = Player.objects.filter(own, pk__in=[one.pk for one in who.players])
    player = there.order_by("pk").distinct()[0]
    return session, player, names.Reader(players=frozenset(one.pk for one in who.players))


@require_safe
def board(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A board that one has played, once it is over for those who play it, listed or not."""
    session, player, reader = _own(request, pk)
    boards = _own_boards(session, player)
    own = presentation.own_contestants(session, reader.players)
    answer = board_pages.board_page(request, session, boards, number, own=own, reader=reader, is_mine=True)
    answer["Cache-Control"] = "private, no-store"
    return answer


@require_safe
def replay(request: HttpRequest, pk: int, number: int, play: int) -> HttpResponse:
    """A record of such a board, card by card."""
    session, player, reader = _own(request, pk)
    own = _own_boards(session, player)
    answer = board_pages.replay_page(request, session, own, number, play, reader=reader, is_mine=True)
    answer["Cache-Control"] = "private, no-store"
    return answer


def _own_boards(session: Session, player: Player) -> QuerySet[Board]:
    """Those of a player's own boards whose cards they may see."""
    played = Q(seatings__contestant__players=player) | Q(pk__in=sat_instead([player.pk]).values("play"))
    own = Play.objects.filter(played, board=OuterRef("pk"))
    return open_in(session, own_results.as_caller(player)).filter(Exists(own)).order_by("number")


@require_safe
def follow_card(request: HttpRequest, secret: str) -> HttpResponse:
    """The address on a guide card. Its secret goes no further, as that of any link."""
    request.session[CARD] = evening_links.digest_of(secret)
    answer = redirect("evening-card")
    answer["Cache-Control"] = "private, no-store"
    return answer


@require_safe
def card(request: HttpRequest) -> HttpResponse:
    """What the contestant of a guide card has played, for the browser that has followed it, until it ends."""
    digest = request.session.get(CARD)
    link = evening_links.with_digest(digest) if digest is not None else None
    player = evening_links.player_of(link) if link is not None else None
    if link is None or player is None:
        return render(request, "players/no_card.html", status=404)
    reader = names.Reader(players=frozenset({player.pk}))
    context = _evening(link.contestant.session, player, reader) | {"is_card": True}
    answer = render(request, "players/evening.html", context)
    answer["Cache-Control"] = "private, no-store"
    return answer


def _named_or_not(named: Mapping[int, str], player: int) -> str:
    """The name of a player; that it is another one where nobody may read it."""
    return named[player] if named[player] != str(player) else _("another player")


def _evening(session: Session, player: Player, reader: names.Reader) -> dict[str, Any]:
    """A few queries, whatever has been played."""
    language = language_now() or "en"
    plays = own_results.own_plays(session, player)
    contestant = own_results.contestant_of(session, [player])
    assert contestant is not None, "whoever asks has a part in it"
    own = contestant.pk
    stands = own_results.stands(contestant, player)
    is_credited = own_results.credits_substitutes(session) or not any(one.is_own for one in stands)
    standing = own_results.standing(session, own) if is_credited else None
    beside = {one for play in plays for one in play.beside.values()}
    shares = standing.shares if standing is not None else ()
    at_table = names.in_hall(session, players=reader.players)
    others = names.of_players([one.other for one in stands], at_table, session=session.pk)
    named = names.of_contestants({own, *shares}, reader) | names.of_contestants(beside, at_table)
    rows = day.rows(session, plays, named, language)
    played = [one for one in rows if one.score or one.play.is_ruled]
    top, is_alone = comparisons.top(session), session.plays_per_board == 1
    return {
        "session": session,
        "player": player,
        "game": registry.game(session.game).name.to(language),
        "name": named[own].name,
        "stands": [(one, _named_or_not(others, one.other)) for one in stands],
        "is_credited": is_credited,
        "number": named[own].number,
        "status": presentation.WORDS.get(session.state, ""),
        "standing": standing,
        "shares": [named[one].name for one in shares],
        "plays": played,
        "without": [one.play.board for one in rows if one not in played],
        "counted": [] if is_alone else day.counted_most(rows),
        "beside": None if is_alone else day.beside_the_field(session, plays),
        "is_alone": is_alone,
        "has_initials": session.is_over and names.has_unpublished(beside, but=reader.players),
        "top": top,
        "unit": METHODS[session.method].unit,
        "several": session.sections.count() > 1,
    }
