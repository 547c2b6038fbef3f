"""Tables to take away from a session’s pages."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournaments.models import Account, Session
from tournaments.services import exports, result_xml, spreadsheets
from tournaments.services.errors import Refused

CONTENT_TYPES = {**spreadsheets.CONTENT_TYPES, "xml": result_xml.CONTENT_TYPE}


@require_safe
def file(request: HttpRequest, session: int, what: str, form: str) -> HttpResponse:
    """A table as a file: for everybody what is published, for officials what has been played."""
    sessions = Session.objects.select_related("tournament__club", "board_set", "tally")
    the_session = get_object_or_404(sessions, pk=session)
    viewer = request.user if isinstance(request.user, Account) else None
    if form not in CONTENT_TYPES or (form == "xml" and what != exports.RESULTS):
        raise Http404
    try:
        if form == "xml":
            content = result_xml.document(session=the_session, viewer=viewer)
        else:
            content = _table(exports.table(session=the_session, viewer=viewer, what=what), form)
    except Refused:
        raise Http404 from None
    name = f"{slugify(the_session.name) or 'etui'}-{what}.{form}"
    headers = {
        "Content-Disposition": content_disposition_header(True, name) or "attachment",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    return HttpResponse(content, content_type=CONTENT_TYPES[form], headers=headers)


def _table(table: exports.ExportTable, form: str) -> bytes:
    rows = [table.header, *table.rows]
    if form == "csv":
        return spreadsheets.as_csv(rows, ";" if get_language() == "fr" else ",")
    return spreadsheets.as_workbook(rows, table.name)
