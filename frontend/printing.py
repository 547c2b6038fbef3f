"""What is printed for a session: what there is to choose from, the job that makes it, and the file."""

from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.text import slugify
from django.utils.translation import get_language, gettext_lazy
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from tournaments.models import Job, Session
from tournaments.printing import FORMATS
from tournaments.services import custody, exports, jobs, prints, table_links
from tournaments.services.errors import Refused

from .accounts.keeping import signed_in
from .accounts.views import absolute, account_of, forms_and_pages
from .clocks import render_at
from .players import mine

FILES = {
    exports.MOVEMENT: gettext_lazy("Movement"),
    exports.CONTESTANTS: gettext_lazy("Contestants"),
    exports.BOARDS: gettext_lazy("Boards"),
    exports.TEAMS: gettext_lazy("Teams"),
    exports.CALLS: gettext_lazy("Calls of the tables"),
    exports.OBJECTIONS: gettext_lazy("Objections"),
}
"""What leaves as a table of an evening, whatever its state."""


class PrintForm(forms.Form):
    """What to print, of what the account may have."""

    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("What to print"),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "A traveller stays in the wallet with its board, and gathers what every table makes of it; a"
            " score book is kept by each contestant for the whole evening."
        ),
        error_messages={"required": gettext_lazy("Tick at least one thing to print.")},
    )
    size = forms.ChoiceField(
        label=gettext_lazy("Paper"), choices=[(one, one) for one in FORMATS], initial=FORMATS[0]
    )
    duplex = forms.BooleanField(
        label=gettext_lazy("On both sides"),
        required=False,
        help_text=gettext_lazy("What is handed out by itself begins on a sheet of its own."),
    )

    def __init__(self, data: object, *, allowed: list[str]) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # what a request sends
        kinds = self.fields["kinds"]
        assert isinstance(kinds, forms.MultipleChoiceField)
        words = {name: str(prints.KINDS[name].label) for name in allowed}
        kinds.choices = [(name, text[:1].upper() + text[1:]) for name, text in words.items()]


@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    """All that the account may print of a session; one button prints what an evening needs."""
    account = account_of(request)
    sessions = Session.objects.select_related("tournament__club", "board_set")
    the_session = get_object_or_404(sessions, pk=session)
    if not custody.is_official(account, the_session):
        raise Http404
    held = mine.own_players(request)
    allowed = prints.allowed(account, the_session, held)
    tonight = [name for name in allowed if prints.KINDS[name].tonight]
    data = request.POST.copy() if request.method == "POST" else None
    if data is not None and "tonight" in data:
        data.setlist("kinds", tonight)
    form = PrintForm(data, allowed=allowed)
    if data is not None and form.is_valid():
        wish = form.cleaned_data | {
            "language": (get_language() or "en")[:2],
            "base": absolute(request, "/").rstrip("/"),
            "held": held,
        }
        try:
            job = jobs.ask_for_prints(session=the_session, sender=account, request=wish)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("job-page", pk=job.pk)
    context = {
        "session": the_session,
        "form": form,
        "allowed": allowed,
        "tonight": [prints.KINDS[name].label for name in tonight],
        "newest": _own_prints(request, the_session),
        "forms": exports.FORMS,
        "files": [(name, FILES[name]) for name in exports.of_the_evening(the_session, account)],
        "has_codes": bool(table_links.in_force(the_session, account)),
    }
    return render_at(the_session.tournament.club, request, "desk/print.html", context)


def _own_prints(request: HttpRequest, session: Session) -> list[Job]:
    own = Job.objects.filter(session=session, kind=Job.Kind.PRINT, account=account_of(request))
    return list(own.filter(printed__isnull=False).select_related("printed").order_by("-created_at")[:5])


@require_safe
@signed_in
@xframe_options_sameorigin  # the job’s page shows it
def file(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The PDF of a job, for whoever asked for it."""
    job = get_object_or_404(
        Job.objects.select_related("session__tournament__club", "session__board_set"), pk=pk
    )
    try:
        content = prints.content(job=job, actor=account_of(request), held=mine.own_players(request))
    except Refused:
        raise Http404 from None
    name = slugify(job.name) or "etui"
    answer = HttpResponse(content, content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    answer["Cache-Control"] = "private, no-store"
    answer._csp_replace = {"frame-ancestors": ["'self'"]}  # type: ignore[attr-defined]  # django-csp reads it
    return answer
