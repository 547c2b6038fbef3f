"""The desk's page of the tables' links, their cards to be printed, and what came too late to be entered."""

from typing import Any

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournaments.models import Account, LateEntry, Section, Session
from tournaments.services import table_links
from tournaments.services.errors import Refused

from .. import history_words
from ..accounts.keeping import signed_in
from ..accounts.views import absolute, account_of, forms_and_pages
from ..clocks import render_at
from ..desk.wizard import language
from ..players.views import number
from ..presentation import game_name
from . import showing


def _session(account: Account, pk: int) -> Session:
    """A session in which somebody has tables in their charge; 404 for any other."""
    own = Section.objects.scored_by(account).filter(session=pk)
    if not own.exists():
        raise Http404
    return get_object_or_404(Session.objects.select_related("tournament__club"), pk=pk)


def _links(request: HttpRequest, session: Session) -> list[dict[str, Any]]:
    several = session.sections.count() > 1
    found = table_links.codes(table_links.in_force(session, account_of(request)))
    return [
        {
            "link": link,
            "code": table_links.shown(code),
            "address": absolute(request, table_links.path_of(code)),
            "name": f"{link.table.section.name}{link.table.number}" if several else str(link.table.number),
        }
        for link, code in found
    ]


@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    """The links of the tables in somebody's charge, new ones, and what waits for a decision."""
    account = account_of(request)
    one = _session(account, session)
    if request.method == "POST":
        only = number(request.POST.get("table", ""))
        try:
            made = table_links.make(session=one, actor=account, tables=[only] if only else None)
            said = ngettext("%(count)d link was made.", "%(count)d links were made.", len(made))
            messages.success(request, said % {"count": len(made)})
        except Refused as error:
            messages.error(request, str(error))
        return redirect("session-tables", session=one.pk)
    links = _links(request, one)
    tables = table_links.tables_of(one, account).count()
    context = {
        "session": one,
        "links": links,
        "missing": tables - len(links),
        "is_coming": one.state in Session.COMING,
        "late": [_late(one, entry) for entry in table_links.late(one, account)],
    }
    return render_at(one.tournament.club, request, "table/links.html", context)


def _late(session: Session, entry: LateEntry) -> dict[str, Any]:
    sheet = entry.content.get("sheet")
    if isinstance(sheet, dict):
        says = history_words.sheet_words(session, sheet, language())
    else:  # nobody reads the cards here: the board may be in play elsewhere
        says = [(_("Card by card"), str(len(entry.content.get("actions", ()))))]
    return {"entry": entry, "says": says, "table": showing.table_name(entry.play.table)}


@require_safe
@signed_in
def cards(request: HttpRequest, session: int) -> HttpResponse:
    """The cards that lie on the tables, one for each, to be printed."""
    one = _session(account_of(request), session)
    shown = [
        link | {"qr": _qr(link["address"]), "typed": link["address"].partition("://")[2]}
        for link in _links(request, one)
    ]
    context = {"session": one, "links": shown, "game": game_name(one, language())}
    return render_at(one.tournament.club, request, "table/cards.html", context)


def _qr(address: str) -> SafeString:
    """An address as a code that a phone's camera reads."""
    code = segno.make(address, error="m", micro=False)
    return mark_safe(code.svg_inline(scale=4, border=2, omitsize=True))  # noqa: S308 - of an address of ours


@require_POST
@signed_in
def settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Take what came too late, or leave it."""
    account = account_of(request)
    entries = LateEntry.objects.select_related(
        "play__board", "play__table__section__session__tournament__club"
    )
    entry = get_object_or_404(entries, pk=pk)
    session = _session(account, entry.play.table.section.session_id)
    take = request.POST.get("way") == "take"
    try:
        table_links.settle(
            entry=entry, account=account, take=take, reason=request.POST.get("reason", "")[:2000]
        )
        messages.success(
            request, _("The result is handed in, and judged in a moment.") if take else _("Left.")
        )
    except Refused as error:
        messages.error(request, str(error))
    return redirect("session-tables", session=session.pk)
