"""Registration: the list that players enter by themselves, and the club's page of it."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Account, Club, Player, Registration, RegistrationList, Token, Tournament
from tournaments.services import names, player_links, registrations, roles
from tournaments.services.errors import Refused, Stale

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..overtaken import overtake
from . import mine
from .forms import FindForm, ListForm, RoomForm
from .views import FOUND_AT_MOST, number


def _list(pk: int) -> RegistrationList:
    return get_object_or_404(RegistrationList.objects.select_related("tournament__club", "session"), pk=pk)


# ── For players ───────────────────────────────────────────────────────────────────────────────────


@forms_and_pages
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """Who has entered, who waits, and who looks for partners; entering oneself and leaving."""
    the_list = _list(pk)
    who = mine.myself(request)
    own = [player for player in who.players if player.club_id == the_list.tournament.club_id]
    if not the_list.is_public and not own:
        raise Http404
    if request.method == "POST":
        player = next((one for one in own if one.pk == number(request.POST.get("player", ""))), None)
        if player is None:  # signed out meanwhile, or never known here
            return redirect("me")
        try:
            messages.success(request, _act(request, the_list, player, who.actor_for(player)))
        except Refused as error:
            messages.error(request, str(error))
        return redirect("registration", pk=pk)
    places = registrations.places(the_list, names.Reader(players=frozenset(one.pk for one in own)))
    stands = {pk: place for place in places for pk in place.players}
    context = {
        "list": the_list,
        "inside": [one for one in places if not one.waits],
        "waiting": [one for one in places if one.waits],
        "own": [{"player": one, "place": stands.get(one.pk)} for one in own],
        "free": [one for one in own if one.pk not in stands],
        "known": bool(who.players) or who.account is not None,
    }
    return render(request, "players/registration.html", context)


def _act(request: HttpRequest, the_list: RegistrationList, player: Player, actor: Account | Token) -> str:
    """Do what a player asks for themselves; what has come of it."""
    way = request.POST.get("way", "")
    if way == "leave":
        place = registrations.place_of(the_list, player, names.ANYONE)
        if place is not None:
            registration = Registration.objects.get(pk=place.registration)
            registrations.leave(registration=registration, player=player.pk, actor=actor, is_official=False)
        return _("You have left the list.")
    if way == "join":
        registration = get_object_or_404(
            Registration.objects.select_related("list"),
            list=the_list,
            pk=number(request.POST.get("registration", "")),
        )
        registrations.join(registration=registration, player=player.pk, actor=actor, is_official=False)
    else:
        registrations.enter(
            the_list=the_list,
            players=[player.pk],
            actor=actor,
            is_official=False,
            wants_players=request.POST.get("alone") != "yes",
        )
    place = registrations.place_of(the_list, player, names.ANYONE)
    if place is not None and place.waits:
        return _("You are on the waiting list, in place %(number)d.") % {"number": place.number}
    return _("You have entered.")


# ── For the club ──────────────────────────────────────────────────────────────────────────────────


@require_safe
@signed_in
def tournaments(request: HttpRequest, club: str) -> HttpResponse:
    """The tournaments of a club, the newest first, each with its open lists."""
    the_club = get_object_or_404(Club, slug=club)
    _run(request, the_club)
    open_lists = RegistrationList.objects.filter(closed_at=None).order_by("-pk")
    shown = the_club.tournaments.order_by("-pk").prefetch_related(
        Prefetch("registration_lists", open_lists, to_attr="open_lists")
    )
    return render(request, "players/tournaments.html", {"club": the_club, "tournaments": shown[:50]})


def _run(request: HttpRequest, club: Club) -> Account:
    account = account_of(request)
    if not roles.runs(account, club):
        raise PermissionDenied
    return account


@forms_and_pages
@signed_in
def lists(request: HttpRequest, pk: int) -> HttpResponse:
    """The lists of a tournament, and a new one."""
    tournament = get_object_or_404(Tournament.objects.select_related("club"), pk=pk)
    account = _run(request, tournament.club)
    form = ListForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = registrations.open_list(tournament=tournament, actor=account, **form.cleaned_data)
        except Refused as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The list is open."))
            return redirect("desk-registration", pk=made.pk)
    shown = tournament.registration_lists.order_by("-pk")[:100]
    return render(request, "players/lists.html", {"tournament": tournament, "lists": shown, "form": form})


@forms_and_pages
@signed_in
def desk(request: HttpRequest, pk: int) -> HttpResponse:
    """The club's page of a list: room, entries, late ones too, and closing it."""
    the_list = _list(pk)
    account = _run(request, the_list.tournament.club)
    room = RoomForm(request.POST if request.POST.get("way") == "room" else None, the_list=the_list)
    status = 200
    if request.method == "POST":
        try:
            said = _direct(request, the_list, account, room)
        except Stale as error:
            the_list.refresh_from_db()
            overtake(room, RoomForm(None, the_list=the_list), error)
            said, status = "", 409
        except Refused as error:
            messages.error(request, str(error))
            return redirect("desk-registration", pk=pk)
        if said:
            messages.success(request, said)
            return redirect("desk-registration", pk=pk)
    find = FindForm(request.GET or None)
    found: list[Player] = []
    if find.is_bound and find.is_valid():
        wanted = find.cleaned_data["q"]
        found = list(player_links.entries(the_list.tournament.club, wanted)[:FOUND_AT_MOST])
    places = registrations.places(the_list, names.reader_for(account))
    context = {
        "list": the_list,
        "inside": [one for one in places if not one.waits],
        "waiting": [one for one in places if one.waits],
        "short": [one for one in places if one.is_short],
        "erased": registrations.erased_in(the_list),
        "room": room,
        "form": find,
        "found": found,
        "many": the_list.players_each > 1,
    }
    return render(request, "players/desk_registration.html", context, status=status)


def _direct(request: HttpRequest, the_list: RegistrationList, account: Account, room: RoomForm) -> str:
    """Do what the club asks; what has come of it, or "" where the form says what is wrong."""
    way = request.POST.get("way", "")
    if way == "room":
        if not room.is_valid():
            return ""
        registrations.change(the_list=the_list, actor=account, **room.cleaned_data)
        return _("The list has been changed.")
    if way == "enter":
        players = [number(text) for text in request.POST.getlist("player")]
        wanted = number(request.POST.get("registration", ""))
        if wanted:
            registration = get_object_or_404(Registration, list=the_list, pk=wanted)
            for player in players:
                registrations.join(registration=registration, player=player, actor=account, is_official=True)
        else:
            registration = registrations.enter(
                the_list=the_list, players=players, actor=account, is_official=True
            )
        places = registrations.places(the_list, names.ANYONE)
        own = next(one for one in places if one.registration == registration.pk)
        if own.waits:
            return _("They are on the waiting list, in place %(number)d.") % {"number": own.number}
        return _("They have entered.")
    if way == "leave":
        registration = get_object_or_404(
            Registration, list=the_list, pk=number(request.POST.get("registration", ""))
        )
        registrations.leave(registration=registration, player=None, actor=account, is_official=True)
        return _("They have left the list; whoever waited first moves up.")
    return ""
