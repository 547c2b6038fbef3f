"""Archives: a page on which those who run a session or a tournament take it whole, and one on which a club's
organisers bring one from elsewhere."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from tournaments.models import Club, Job, Session, Tournament
from tournaments.services import archive_reading, archives, jobs, sessions
from tournaments.services.errors import Refused

from .accounts.keeping import signed_in
from .accounts.views import account_of, forms_and_pages
from .clocks import render_at
from .desk.wizard import managed_club

TOURNAMENTS_SHOWN = 200


@forms_and_pages
@signed_in
def of_session(request: HttpRequest, session: int) -> HttpResponse:
    """What is in the archive of a session, and one button that makes it."""
    sessions_run = Session.objects.directed_by(account_of(request)).select_related("tournament__club")
    one = get_object_or_404(sessions_run, pk=session)
    return _page(request, one.tournament, one)


@forms_and_pages
@signed_in
def of_tournament(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """The same of all sessions of a tournament that have been played."""
    the_club = managed_club(request, club)
    return _page(request, get_object_or_404(the_club.tournaments, pk=pk), None)


def _page(request: HttpRequest, tournament: Tournament, session: Session | None) -> HttpResponse:
    account, refusal = account_of(request), ""
    try:
        found = archives.check(tournament=tournament, session=session, actor=account)
        if request.method == "POST":
            job = jobs.ask_for_archive(tournament=tournament, session=session, sender=account)
            return redirect("job-page", pk=job.pk)
    except Refused as refused:
        found, refusal = [], str(refused)
    own = Job.objects.filter(tournament=tournament, session=session, account=account)
    made = own.filter(kind=Job.Kind.ARCHIVE, archive__isnull=False).order_by("-created_at")[:5]
    context = {
        "tournament": tournament,
        "session": session,
        "found": found,
        "is_sealed": any(not one.is_open_to_all for one in found),
        "refusal": refusal,
        "made": made,
    }
    return render_at(tournament.club, request, "desk/archive.html", context)


@require_safe
@signed_in
def file(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The archive of a job, for whoever asked for it."""
    job = get_object_or_404(Job.objects.select_related("tournament__club", "session__tournament"), pk=pk)
    try:
        content = archives.content(job=job, actor=account_of(request))
    except Refused:
        raise Http404 from None
    name = f"{slugify(job.name) or 'etui'}.zip"
    headers = {
        "Content-Disposition": content_disposition_header(True, name) or "attachment",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return HttpResponse(content, content_type="application/zip", headers=headers)


class TournamentField(forms.ModelChoiceField):  # type: ignore[type-arg]  # it takes none when it runs
    """A tournament, by its name."""

    def label_from_instance(self, obj: Tournament) -> str:
        return obj.name


class ArchiveForm(forms.Form):
    """An archive, and the tournament that its sessions are to belong to."""

    file = forms.FileField(
        label=gettext_lazy("Archive"),
        widget=forms.FileInput(attrs={"accept": ".zip"}),
        help_text=gettext_lazy("A zipped folder that Étui has made, here or elsewhere."),
    )
    tournament = TournamentField(
        label=gettext_lazy("Tournament"),
        queryset=Tournament.objects.none(),
        required=False,
        empty_label=gettext_lazy("A new one, called as it was there"),
    )

    def __init__(self, data: Any, files: Any, *, club: Club) -> None:
        super().__init__(data, files)
        field = self.fields["tournament"]
        assert isinstance(field, TournamentField)
        field.queryset = club.tournaments.order_by("-pk")

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > archive_reading.PACKED_AT_MOST:
            raise forms.ValidationError(_("The file is too large."))
        content = bytes(file.read())
        try:
            archive_reading.check(content)
        except Refused as refused:
            raise forms.ValidationError(str(refused)) from None
        return content


@forms_and_pages
@signed_in
def bring(request: HttpRequest, club: str) -> HttpResponse:
    """An archive from elsewhere: its sessions come into a tournament of the club."""
    the_club, account = managed_club(request, club), account_of(request)
    form = ArchiveForm(request.POST or None, request.FILES or None, club=the_club)
    if request.method == "POST" and form.is_valid():
        content, into = form.cleaned_data["file"], form.cleaned_data["tournament"]
        if into is None:
            name = archive_reading.tournament_name(content)
            into = sessions.create_tournament(actor=account, club=the_club, name=name)
        job = jobs.ask_to_unpack(tournament=into, sender=account, content=content)
        return redirect("job-page", pk=job.pk)
    return render_at(the_club, request, "desk/bring_archive.html", {"club": the_club, "form": form})
