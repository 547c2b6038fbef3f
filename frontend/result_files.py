"""Results from a spreadsheet: the file to fill in, what a file would do, its wrong cells to be mended,
handing it in."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Section, Session
from tournaments.services import brought_results, play_records, result_files, spreadsheets
from tournaments.services.errors import Invalid, Refused
from tournaments.services.register_files import Effect
from tournaments.services.result_files import PLACE, FileColumn, FileLine, FilePreview

from .accounts.keeping import signed_in
from .accounts.views import account_of, forms_and_pages
from .clocks import render_at
from .players import mine

SHOWN_LINES = 200
CELL_LETTERS = 8_000
"""So long a cell may be that is mended on the page."""

ONE_LINE = 60  # letters at most of a cell that is mended in a field of one line
IN_JSON = ("record", "seatings", play_records.LINE)


class ResultFileForm(forms.Form):
    """A file, or what was copied out of one."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.txt,.xml,.jsonl"}),
        required=False,
        help_text=gettext_lazy(
            "CSV or XLSX, whose first line names the columns; or XML or JSON Lines, as results and plays "
            "leave here."
        ),
    )
    pasted = forms.CharField(
        label=gettext_lazy("Or paste its rows"),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        required=False,
        strip=False,
        help_text=gettext_lazy("With the line that names the columns."),
    )

    def clean_file(self) -> bytes | None:
        file = self.cleaned_data["file"]
        if file is None:
            return None
        if file.size > result_files.BYTES_AT_MOST:
            raise forms.ValidationError(_("The file is too large."))
        return bytes(file.read())

    def text(self) -> str:
        """Invalid: there is no file that can be read."""
        if self.cleaned_data["file"] is not None:
            return brought_results.text_of(self.cleaned_data["file"])
        if not self.cleaned_data["pasted"].strip():
            raise Invalid("no-file", _("Choose a file, or paste its rows."))
        return str(self.cleaned_data["pasted"])


class HandInForm(forms.Form):
    """A file that has been shown, with what has been mended since."""

    text = forms.CharField(widget=forms.HiddenInput, strip=False, max_length=result_files.BYTES_AT_MOST)
    reason = forms.CharField(
        label=gettext_lazy("Why are these other results?"), max_length=500, required=False
    )


@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    """First what each row would do, then one button; a wrong cell is mended where it is shown."""
    the_session, account, held = _session(request, session), account_of(request), mine.own_players(request)
    is_shown = request.method == "POST" and "text" in request.POST
    form = ResultFileForm(
        request.POST if request.method == "POST" and not is_shown else None, request.FILES or None
    )
    again = HandInForm(request.POST if is_shown else None)
    context: dict[str, Any] = {"session": the_session, "form": form}
    text: str | None = None
    try:
        if is_shown and again.is_valid():
            text = again.cleaned_data["text"]
            text = brought_results.mended(text, _cells(request), the_session)
            if "hand_in" in request.POST:
                done = brought_results.hand_in(
                    session=the_session,
                    account=account,
                    text=text,
                    reason=again.cleaned_data["reason"],
                    held=held,
                )
                messages.success(request, _report(done))
                return redirect("session-desk", session=session)
        elif form.is_bound and form.is_valid():
            text = form.text()
        if text is not None:
            context |= _shown(
                brought_results.preview(session=the_session, account=account, text=text, held=held)
            )
    except Refused as refusal:
        if text and refusal.code in ("slips", "no-reason", "nothing-new"):
            context |= _shown(
                brought_results.preview(session=the_session, account=account, text=text, held=held)
            )
        if refusal.code == "no-reason":
            again.add_error("reason", str(refusal))
        else:
            context |= {"refusal": str(refusal), "mistakes": _mistakes(refusal)}
    again.fields["reason"].required = context.get("changes", False)  # the field says so
    context["again"] = again
    return render_at(the_session.tournament.club, request, "desk/result_file.html", context)


def _mistakes(refusal: Refused) -> list[dict[str, Any]]:
    return refusal.details if refusal.code == "bad-columns" and isinstance(refusal.details, list) else []


def _cells(request: HttpRequest) -> dict[tuple[int, str], str]:
    """What has been written anew: `cell-12-tricks1`."""
    found = {}
    for name, value in request.POST.items():
        kind, _dash, where = name.partition("-")
        line, _dash, column = where.partition("-")
        if kind == "cell" and line.isdecimal() and len(line) < 7:
            found[int(line), column] = str(value)[:CELL_LETTERS]
    return found


def _shown(preview: FilePreview) -> dict[str, Any]:
    """The counts, and the rows: those to be mended first, each cell with what is wrong in it; a line that is
    wrong whole beside its reason, where it is in sight, and not behind its columns."""
    order = (Effect.WRONG, Effect.CHANGED, Effect.NEW)
    lines = [line for kind in order for line in preview.of_kind(kind)][:SHOWN_LINES]
    rows = []
    for line in lines:
        wrong = {one.column: one.reason for one in line.mistakes}
        found, whole = [_cell(line, column, wrong) for column in preview.columns], wrong.get("", "")
        rows.append(
            {
                "line": line.line,
                "kind": line.kind,
                "cells": [cell for cell in found if cell["name"] != play_records.LINE],
                "whole": whole,
                "as_line": next(
                    (cell for cell in found if cell["name"] == play_records.LINE and whole), None
                ),
                "too_long": any(cell["is_too_long"] for cell in found),
            }
        )
    return {
        "preview": preview,
        "columns": [column for column in preview.columns if column.name != play_records.LINE],
        "counts": [(kind, len(preview.of_kind(kind))) for kind in (*reversed(order), Effect.SAME)],
        "rows": rows,
        "is_stored": 0 < len(preview.lines) == len(preview.of_kind(Effect.SAME)),
        "is_cut": len(preview.lines) - len(preview.of_kind(Effect.SAME)) > len(rows),
        "changes": bool(preview.of_kind(Effect.CHANGED)),
    }


def _is_elsewhere(wrong: Mapping[str, str]) -> bool:
    """Whether what is wrong may be where a row was played: then the board may be, where the round is told."""
    return any(name in PLACE or name.startswith("seat") for name in wrong)


def _cell(line: FileLine, column: FileColumn, wrong: Mapping[str, str]) -> dict[str, Any]:
    """A cell, and whether it is mended here: where it is wrong, or any cell of its row may be; of a row
    that is shown as a line whole, the line."""
    value, is_whole = line.cells.get(column.name, ""), play_records.LINE in line.cells
    is_open = (
        column.name in wrong
        or (column.name in PLACE and _is_elsewhere(wrong))
        or ("" in wrong and is_whole == (column.name == play_records.LINE))
    )
    return {
        "name": column.name,
        "title": column.title,
        "value": value,
        "wrong": wrong.get(column.name),
        "before": line.before.get(column.name),
        "is_open": is_open and len(value) <= CELL_LETTERS,
        "is_too_long": is_open and len(value) > CELL_LETTERS,
        "is_long": column.name in IN_JSON or len(value) > ONE_LINE,
    }


def _report(done: dict[Effect, int]) -> str:
    new = ngettext("%(count)d result handed in.", "%(count)d results handed in.", done[Effect.NEW])
    text = new % {"count": done[Effect.NEW]}
    if done[Effect.CHANGED]:
        changed = ngettext("%(count)d changed.", "%(count)d changed.", done[Effect.CHANGED])
        text += " " + changed % {"count": done[Effect.CHANGED]}
    return text


@require_safe
@signed_in
def template(request: HttpRequest, session: int, form: str) -> HttpResponse:
    """The file to fill in, with who plays what where."""
    the_session = _session(request, session)
    if form not in spreadsheets.CONTENT_TYPES:
        raise Http404
    language = (get_language() or "en")[:2]
    rows, choices = result_files.template(session=the_session, account=account_of(request), language=language)
    if form == "csv":
        content = spreadsheets.as_csv(rows, ";" if language == "fr" else ",")
    else:
        content = spreadsheets.as_workbook(rows, _("Results"), choices)
    name = f"{slugify(the_session.name) or 'etui'}.{form}"
    headers = {
        "Content-Disposition": content_disposition_header(True, name) or "attachment",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return HttpResponse(content, content_type=spreadsheets.CONTENT_TYPES[form], headers=headers)


def _session(request: HttpRequest, pk: int) -> Session:
    """A session of which the account enters results."""
    sessions = Session.objects.select_related("tournament__club", "board_set")
    session = get_object_or_404(sessions, pk=pk)
    if not Section.objects.scored_by(account_of(request)).filter(session=session).exists():
        raise Http404
    return session
