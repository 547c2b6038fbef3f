"""Players' own pages, and the links by which they come to them: each view asks a service, and shows the
answer."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from engines import registry
from tournaments.models import Account, Club, Player, PlayerLink, RegistrationList, Session
from tournaments.services import accounts, erasing, names, own_results, player_links, register, roles
from tournaments.services.errors import Conflict, Refused
from tournaments.services.roles import RolePlace

from .. import presentation
from ..accounts.forms import JoinForm, language_now
from ..accounts.keeping import signed_in
from ..accounts.views import absolute, account_of, forms_and_pages
from ..clocks import render_at
from . import mine
from .forms import FindForm

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
    """One's entries and how others read them, results, open lists, data."""
    who = mine.myself(request)
    if not who.players and who.account is None:
        return render(request, "players/nobody.html")
    before = number(request.GET.get("before", "")) or None
    evenings = own_results.evenings(who.players, before=before)
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
        "evenings": evenings[: own_results.ON_A_PAGE],
        "earlier": evenings[-2].session.pk if len(evenings) > own_results.ON_A_PAGE else None,
        "lists": lists.order_by("-pk")[:20],
    }
    return render(request, "players/me.html", context)


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
    """What one has played in a session, board by board."""
    who = mine.myself(request)
    session = get_object_or_404(Session.objects.select_related("tournament__club"), pk=pk)
    own = Player.objects.filter(pk__in=[one.pk for one in who.players], memberships__session=session)
    player = own.first()
    if player is None:
        raise Http404
    game = registry.game(session.game)
    context = {
        "session": session,
        "player": player,
        "game": game.name.to(language_now() or "en"),
        "plays": [
            {
                "play": one,
                "score": "" if one.score is None else presentation.in_units(one.score, game.unit.divisor),
            }
            for one in own_results.own_plays(session, player)
        ],
    }
    return render(request, "players/evening.html", context)
