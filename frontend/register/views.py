"""A club's register: each view asks a service, and shows the answer."""

from fractions import Fraction
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import content_disposition_header, urlencode
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.models import Account, Club, Contestant, HistoryEntry, Player
from tournaments.services import (
    consents,
    duplicates,
    history,
    licences,
    master_points,
    names,
    register,
    register_files,
)
from tournaments.services.errors import Conflict, Invalid, Refused, Stale
from tournaments.services.register_files import Effect, Preview

from .. import history_words
from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..desk import undoing
from ..exports import FORMS
from ..overtaken import overtake
from .forms import ConfirmForm, ConsentForm, FileForm, LicenceForm, PasteForm, PlayerForm, SearchForm

PAGE_SIZE, SHOWN_ENTRIES, SHOWN_LINES = 50, 50, 50


# ── The register ──────────────────────────────────────────────────────────────────────────────────


@forms_and_pages
@signed_in
def players(request: HttpRequest, club: str) -> HttpResponse:
    """The players, and, sent by a form, who of those chosen has agreed to be named."""
    the_club = _club(request, club, change=request.method == "POST")
    agreed, status = ConsentForm(request.POST or None), 200
    if request.method == "POST":
        if _said_of_names(request, the_club, agreed):
            return redirect(request.get_full_path())
        status = 400
    form = SearchForm(request.GET or None)
    wish = {"search": "", "category": ""}
    if form.is_bound and form.is_valid():
        wish = {name: form.cleaned_data[name] for name in wish}
    found = register.players_of(the_club, **wish)
    page = Paginator(register.in_order(found), PAGE_SIZE).get_page(request.GET.get("page"))
    shown = found.in_bulk(list(page.object_list))
    query = urlencode({name: value for name, value in wish.items() if value})
    points = master_points.totals_of(list(shown))
    context = {
        "form": form,
        "players": [(shown[pk], points.get(pk)) for pk in page.object_list],
        "has_points": bool(points),
        "agreed": agreed,
        "chosen": agreed.chosen,
        "count": page.paginator.count,
        "is_filtered": bool(query),
        "pages": {
            "previous": page.previous_page_number() if page.has_previous() else None,
            "next": page.next_page_number() if page.has_next() else None,
            "query": f"{query}&" if query else "",
        },
    }
    return _page(request, "register/players.html", the_club, context, status)


def _said_of_names(request: HttpRequest, club: Club, form: ConsentForm) -> bool:
    """Whether what the form says of many players is kept."""
    if not form.is_valid():
        return False
    consent, told = request.POST.get("way") == "agreed", form.cleaned_data["told"]
    try:
        act = consents.record(
            club=club, actor=account_of(request), players=form.chosen, consent=consent, told=told
        )
    except Refused as error:
        form.add_error("told" if error.code == "no-reason" else "players", str(error))
        return False
    if not act:
        messages.info(request, _("This was known of all of them already."))
        return True
    words = _("It is recorded: they have agreed that their names are published.")
    if not consent:
        words = _("It is recorded: they have not agreed that their names are published.")
    undoing.said_in_club(request, words, club, "consent", act=act)
    return True


@forms_and_pages
@signed_in
def add(request: HttpRequest, club: str) -> HttpResponse:
    the_club = _club(request, club)
    form = PlayerForm(request.POST or None, club=the_club)
    if request.method == "POST" and form.is_valid():
        try:
            one = register.add(club=the_club, actor=account_of(request), details=form.details())
        except Refused as error:
            form.refuse(error)
        else:
            messages.success(request, _("%(name)s is in the register.") % {"name": one.name})
            return redirect("register-player", club=the_club.slug, pk=one.pk)
    return _page(request, "register/add.html", the_club, {"form": form})


@forms_and_pages
@signed_in
def player(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """A player: details, which organisers change, what they were entered in, and the history."""
    the_club = _club(request, club)
    one = get_object_or_404(
        Player.objects.select_related("club", "home_club", "merged_into"), club=the_club, pk=pk
    )
    is_licence = request.POST.get("way") == "licence"
    form = PlayerForm(None if is_licence else request.POST or None, club=the_club, player=one)
    licence = LicenceForm(request.POST if is_licence else None, player=one)
    status = 200
    if is_licence:
        if _said_of_licence(request, one, licence):
            return redirect("register-player", club=the_club.slug, pk=pk)
        status = 409 if hasattr(licence, "versions") else 400
    elif request.method == "POST":
        if not register.may_change(account_of(request), the_club):
            raise PermissionDenied
        if form.is_valid():
            try:
                register.change(
                    player=one,
                    actor=account_of(request),
                    details=form.details(),
                    seen=form.cleaned_data["seen"],
                )
            except Stale as error:
                one.refresh_from_db()
                overtake(form, PlayerForm(None, club=the_club, player=one), error)
                status = 409
            except Refused as error:
                form.refuse(error)
            else:
                messages.success(request, _("The player has been changed."))
                return redirect("register-player", club=the_club.slug, pk=pk)
    entered = Contestant.objects.filter(members__player=one).select_related("session__tournament")
    played = one.substitutions.filter(undone_at=None).select_related("contestant__session__tournament")
    context = {
        "player": one,
        "played": played.select_related("for_player").order_by("-pk")[:SHOWN_ENTRIES],
        **{"form": form, "licence": licence},
        "entered": entered.order_by("-session__created_at", "-pk")[:SHOWN_ENTRIES],
        "merged": one.merged.order_by("pk"),
        "gifts": master_points.history_of([one.pk]),
        "points": master_points.totals_of([one.pk]).get(one.pk, Fraction(0)),
        "lines": history_words.lines(
            _entries(one), get_language() or "en", names.reader_for(account_of(request))
        ),
    }
    return _page(request, "register/player.html", the_club, context, status=status)


def _said_of_licence(request: HttpRequest, one: Player, form: LicenceForm) -> bool:
    """Whether what the form says of a licence is kept."""
    actor = account_of(request)
    if not register.may_change(actor, one.club):
        raise PermissionDenied
    if not form.is_valid():
        return False
    given = dict(form.cleaned_data)
    seen = given.pop("seen")
    try:
        register.change_licence(player=one, actor=actor, licence=licences.Licence(**given), seen=seen)
    except Stale as error:
        one.refresh_from_db()
        overtake(form, LicenceForm(None, player=one), error)
        return False
    except Refused as error:
        form.add_error(None, str(error))
        return False
    messages.success(request, _("The licence has been changed."))
    return True


def _entries(one: Player) -> list[HistoryEntry]:
    own = HistoryEntry.objects.of(club=one.club).filter(subject=history.subject_of(Player, one.pk))
    return list(own.with_names().order_by("-pk")[:SHOWN_LINES])


# ── Lists ─────────────────────────────────────────────────────────────────────────────────────────


@forms_and_pages
@signed_in
def paste(request: HttpRequest, club: str) -> HttpResponse:
    """Many players at once, one a line: first what would become of each, then one button."""
    the_club = _club(request, club)
    form = PasteForm(request.POST or None)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        text, consent = form.cleaned_data["players"], form.cleaned_data["consent"]
        try:
            lines = register_files.lines_of_paste(text)
            how: dict[str, Any] = {"lines": lines, "text": text, "consent": consent, "adds_only": True}
            if "seen" in request.POST:
                seen = request.POST["seen"]
                done = register_files.store(club=the_club, actor=account_of(request), seen=seen, **how)
                return _report(request, the_club, done)
            context["preview"] = register_files.preview(club=the_club, **how)
        except Conflict as error:
            context |= {"preview": register_files.preview(club=the_club, **how), "refusal": str(error)}
        except Invalid as error:
            if error.code == "slips":
                context["preview"] = register_files.preview(club=the_club, **how)
            else:
                form.add_error("players", str(error))
    return _page(request, "register/paste.html", the_club, _with_preview(context))


@forms_and_pages
@signed_in
def import_list(request: HttpRequest, club: str) -> HttpResponse:
    """A file: first what would become of each line, then one button."""
    the_club = _club(request, club, change=True)
    is_confirmed = "seen" in request.POST
    form = FileForm(None if is_confirmed else request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"form": form}
    confirmed = ConfirmForm(request.POST)
    try:
        if request.method == "POST" and is_confirmed and confirmed.is_valid():
            text, consent = confirmed.cleaned_data["text"], confirmed.cleaned_data["consent"]
            lines = register_files.lines_of_text(text)
            how: dict[str, Any] = {"lines": lines, "text": text, "consent": consent}
            try:
                seen = confirmed.cleaned_data["seen"]
                done = register_files.store(club=the_club, actor=account_of(request), seen=seen, **how)
            except (Conflict, Invalid) as error:
                context |= {"preview": register_files.preview(club=the_club, **how), "refusal": str(error)}
                context["consent"] = consent
            else:
                return _report(request, the_club, done)
        elif request.method == "POST" and form.is_valid():
            lines, text = register_files.lines_of_file(form.cleaned_data["file"])
            context["consent"] = form.cleaned_data["consent"]
            context["preview"] = register_files.preview(
                club=the_club, lines=lines, text=text, consent=form.cleaned_data["consent"]
            )
    except Invalid as error:
        if form.is_bound:
            form.add_error("file", str(error))
        context |= {"refusal": str(error), "mistakes": error.details or []}
    return _page(request, "register/import.html", the_club, _with_preview(context))


def _with_preview(context: dict[str, Any]) -> dict[str, Any]:
    """With the counts of a preview, and its lines: what is to mend first, and not what stays as it is."""
    shown: Preview | None = context.get("preview")
    if shown is None:
        return context
    order = (Effect.WRONG, Effect.CHANGED, Effect.NEW)
    return context | {
        "counts": [
            (kind, shown.counts[kind]) for kind in (Effect.NEW, Effect.CHANGED, Effect.SAME, Effect.WRONG)
        ],
        "lines": [entry for kind in order for entry in shown.of_kind(kind)],
    }


def _report(request: HttpRequest, club: Club, done: Preview) -> HttpResponse:
    counts = done.counts
    added = ngettext("%(count)d player added.", "%(count)d players added.", counts[Effect.NEW])
    text = added % {"count": counts[Effect.NEW]}
    if counts[Effect.CHANGED]:
        changed = ngettext("%(count)d changed.", "%(count)d changed.", counts[Effect.CHANGED])
        text += " " + changed % {"count": counts[Effect.CHANGED]}
    messages.success(request, text)
    return redirect("club-register", club=club.slug)


@require_safe
@signed_in
def export(request: HttpRequest, club: str, form: str) -> HttpResponse:
    """The whole register as a file. For organisers: a file leaves the service."""
    the_club = _club(request, club, change=True)
    if form not in FORMS:
        raise Http404
    found = register.players_of(the_club)
    players = found.in_bulk()
    rows = [players[pk] for pk in register.in_order(found)]
    if form == "csv":
        content = register_files.as_csv(rows, delimiter=";" if get_language() == "fr" else ",")
    elif form == "xlsx":
        content = register_files.as_workbook(rows)
    else:
        content = register_files.as_json(rows)
    headers = {
        "Content-Disposition": content_disposition_header(True, f"{the_club.slug}.{form}") or "attachment",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(content, content_type=FORMS[form], headers=headers)


# ── One person on two lines ───────────────────────────────────────────────────────────────────────


@require_safe
@signed_in
def find_duplicates(request: HttpRequest, club: str) -> HttpResponse:
    the_club = _club(request, club, change=True)
    pairs = duplicates.pairs(the_club)
    ids = {one.pk for pair in pairs for one in (pair.first, pair.second)}
    counted = Player.objects.filter(pk__in=ids).annotate(entries=Count("memberships"))
    counts = dict(counted.values_list("pk", "entries"))
    shown = [
        (
            pair.reason,
            [
                (one, counts[one.pk], other)
                for one, other in ((pair.first, pair.second), (pair.second, pair.first))
            ],
        )
        for pair in pairs
    ]
    return _page(request, "register/duplicates.html", the_club, {"pairs": shown})


@require_POST
@signed_in
def merge(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """Another line becomes this player's: named by its id, or by what somebody has typed."""
    the_club = _club(request, club, change=True)
    kept = get_object_or_404(Player.objects.in_register(), club=the_club, pk=pk)
    try:
        other = register.player_called(the_club, request.POST.get("other", ""))
        duplicates.merge(kept=kept, merged=other, actor=account_of(request))
    except Refused as error:
        messages.error(request, str(error))
    else:
        message = _("%(other)s is %(name)s now, with all results; this can be undone here.")
        messages.success(request, message % {"other": other.name, "name": kept.name})
    return redirect("register-player", club=the_club.slug, pk=pk)


@require_POST
@signed_in
def take_apart(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    the_club = _club(request, club, change=True)
    one = get_object_or_404(Player.objects.select_related("club"), club=the_club, pk=pk)
    try:
        duplicates.take_apart(player=one, actor=account_of(request))
    except Refused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("%(name)s is a player of their own again.") % {"name": one.name})
    return redirect("register-player", club=the_club.slug, pk=pk)


# ── For all of them ───────────────────────────────────────────────────────────────────────────────


def _club(request: HttpRequest, slug: str, *, change: bool = False) -> Club:
    """The club, for those who keep its register."""
    club = get_object_or_404(Club, slug=slug if slug.isprintable() else "")
    account: Account = account_of(request)
    if not (register.may_change if change else register.may_add)(account, club):
        raise PermissionDenied
    return club


def _page(
    request: HttpRequest, template: str, club: Club, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    shared = {"club": club, "may_change": register.may_change(account_of(request), club)}
    return render_at(club, request, template, shared | context, status)
