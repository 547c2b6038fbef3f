"""Tables to take away from the pages of sessions and tournaments."""

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournaments.models import Account, Session, Tournament
from tournaments.services import combined, exports, play_records, result_xml, spreadsheets
from tournaments.services.errors import Refused

from .players import mine

FORMS = {**spreadsheets.CONTENT_TYPES, "json": "application/json"}
OF_ONE = {"xml": exports.RESULTS, "jsonl": play_records.RECORDS}
"""What leaves in a form of its own."""

CONTENT_TYPES = {**FORMS, "xml": result_xml.CONTENT_TYPE, "jsonl": play_records.CONTENT_TYPE}


@require_safe
def file(request: HttpRequest, session: int, what: str, form: str) -> HttpResponse:
    """A table as a file: for everybody what is published, for officials what has been played."""
    sessions = Session.objects.select_related("tournament__club", "board_set", "tally")
    the_session = get_object_or_404(sessions, pk=session)
    viewer = request.user if isinstance(request.user, Account) else None
    if form not in CONTENT_TYPES or OF_ONE.get(form, what) != what:
        raise Http404
    try:
        if form == "xml":
            content = result_xml.document(session=the_session, viewer=viewer)
        elif form == "jsonl":
            content = play_records.document(session=the_session, viewer=viewer)
        else:
            held = mine.own_players(request)
            found = exports.table(session=the_session, viewer=viewer, what=what, held=held)
            content = table_as(found, form)
    except Refused:
        raise Http404 from None
    return as_file(content, f"{slugify(the_session.name) or 'etui'}-{what}", form)


@require_safe
def standings(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """The sessions of a tournament combined, as a file: over those whose rankings one may see."""
    viewer = request.user if isinstance(request.user, Account) else None
    tournaments = Tournament.objects.visible_to(None) | Tournament.objects.managed_by(viewer)
    tournament = get_object_or_404(tournaments, pk=pk)
    if form not in FORMS or not combined.are_there(tournament, viewer):
        raise Http404
    wish = combined.usual(tournament, viewer)
    table = exports.standings(tournament=tournament, viewer=viewer, wish=wish)
    return as_file(table_as(table, form), f"{slugify(tournament.name) or 'etui'}-{table.name}", form)


def as_file(content: bytes, name: str, form: str) -> HttpResponse:
    headers = {
        "Content-Disposition": content_disposition_header(True, f"{name}.{form}") or "attachment",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    return HttpResponse(content, content_type=CONTENT_TYPES[form], headers=headers)


def table_as(table: exports.ExportTable, form: str) -> bytes:
    if form == "json":
        return json.dumps(table.to_json(), ensure_ascii=False, indent=1).encode()
    rows = [table.header, *table.rows]
    if form == "csv":
        return spreadsheets.as_csv(rows, ";" if get_language() == "fr" else ",")
    return spreadsheets.as_workbook(rows, table.name)
