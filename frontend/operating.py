"""The page of those who operate the service: what waits, what failed, what is alive, and how large it is.
What failed by an error of the program can be done again from here."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments import __version__
from tournaments.models import Job, Session
from tournaments.services import jobs, judging, operating
from tournaments.services.errors import Conflict
from tournaments.services.readiness import ServicePart

from .accounts.operators import for_operators
from .accounts.views import account_of, forms_and_pages

PARTS = {
    "database": gettext_lazy("Database"),
    "migrations": gettext_lazy("Form of the database"),
    "broker": gettext_lazy("Messages to the workers"),
    "workers": gettext_lazy("Workers"),
    "lists": gettext_lazy("Lists, counted again"),
    "disk": gettext_lazy("Disk"),
}
KINDS = {
    Job.Kind.SET_UP: gettext_lazy("setting a session up"),
    Job.Kind.REPLAN: gettext_lazy("a new plan"),
    Job.Kind.PREVIEW: gettext_lazy("the price of a new plan"),
    Job.Kind.IMPORT: gettext_lazy("a file of results"),
    Job.Kind.CHECK: gettext_lazy("the check of a file"),
    Job.Kind.REHEARSE: gettext_lazy("a rehearsal"),
    Job.Kind.PRINT: gettext_lazy("printing"),
    Job.Kind.NEXT_ROUND: gettext_lazy("the plan of the next round"),
    Job.Kind.ARCHIVE: gettext_lazy("making an archive"),
    Job.Kind.UNPACK: gettext_lazy("taking an archive in"),
    Job.Kind.RATE: gettext_lazy("ratings"),
}
FOUND = {
    "judge": gettext_lazy("results to judge"),
    "rank": gettext_lazy("lists to make"),
    "progress": gettext_lazy("plots to draw"),
    "rank_field": gettext_lazy("joint lists to make"),
    "keep_time": gettext_lazy("a clock that has run out"),
    "seal": gettext_lazy("history to seal"),
    "work": gettext_lazy("long work"),
}


@forms_and_pages
@for_operators
def page(request: HttpRequest) -> HttpResponse:
    """What there is now; as a form, what is to be done again."""
    if request.method == "POST":
        return _again(request)
    it = operating.now()
    figures = {name: values.get("", 0.0) for name, values in it.figures.items()}
    context: dict[str, Any] = {
        "it": it,
        "shown": operating.SHOWN,
        "parts": [(PARTS[name], part, _detail(name, part)) for name, part in it.parts.items()],
        "results": int(figures.get("submissions_waiting", 0)),
        "results_age": lasting(figures.get("submissions_oldest_seconds", 0.0)),
        "jobs": {state: int(count) for state, count in it.figures.get("jobs", {}).items()},
        "jobs_age": lasting(figures.get("jobs_oldest_seconds", 0.0)),
        "behind": int(figures.get("lists_behind", 0)),
        "wrong": int(figures.get("lists_wrong", 0)),
        "seal_due": bool(figures.get("history_seal_due", 0)),
        "going": [(job, KINDS[Job.Kind(job.kind)], _ago(job.created_at)) for job in it.going],
        "failed_jobs": [
            (job, KINDS[Job.Kind(job.kind)], _ago(job.ended_at), jobs.may_be_retried(job))
            for job in it.failed_jobs
        ],
        "workers": [
            (one, _ago(one.seen_at), _ago(one.swept_at), [(FOUND[name], n) for name, n in one.found.items()])
            for one in it.workers
        ],
        "sizes": [
            (_("Database"), filesizeformat(figures.get("database_bytes", 0))),
            (_("Logs"), filesizeformat(it.figures["files_bytes"]["log"])),
            (_("Mails in a folder"), filesizeformat(it.figures["files_bytes"]["mail"])),
            (_("Free on the disk"), filesizeformat(figures["disk_free_bytes"])),
        ],
        "backup_age": it.last_backup and _ago(datetime.fromtimestamp(it.last_backup.at, tz=UTC)),
        "release": __version__,
    }
    answer = render(request, "operators/operating.html", context)
    answer["Cache-Control"] = "no-store"
    return answer


def _again(request: HttpRequest) -> HttpResponse:
    if request.POST.get("way") == "judge":
        session = get_object_or_404(Session, pk=_number(request.POST.get("session", "")))
        count = judging.retry(session=session, actor=account_of(request))
        messages.success(
            request,
            ngettext("%(n)s result is being judged again.", "%(n)s results are being judged again.", count)
            % {"n": count},
        )
    else:
        job = get_object_or_404(Job, pk=_uuid(request.POST.get("job", "")))
        try:
            jobs.retry(job=job, actor=account_of(request))
        except Conflict as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _("A worker does it again."))
    return redirect("operating")


def _number(given: str) -> int | None:
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else None


def _uuid(given: str) -> UUID | None:
    try:
        return UUID(given)
    except ValueError:
        return None


def _detail(name: str, part: ServicePart) -> str:
    """What there is to know of a part, in words; nothing where nothing is."""
    said = part.detail
    if "error" in said:
        return str(said["error"])
    if name == "migrations" and said["pending"]:
        return _("Still to be migrated: %(names)s") % {"names": ", ".join(said["pending"])}
    if name == "workers":
        if said["seconds"] is None:
            return _("None has ever given a sign of life.")
        return _("Last sign of life: %(ago)s") % {"ago": _before(said["seconds"])}
    if name == "lists" and said["wrong"]:
        return _("Sessions whose lists disagree: %(numbers)s") % {
            "numbers": ", ".join(map(str, said["wrong"]))
        }
    if name == "lists" and said["compared_seconds_ago"] is not None:
        return _("Last counted: %(ago)s") % {"ago": _before(said["compared_seconds_ago"])}
    if name == "disk":
        return _("%(size)s free") % {"size": filesizeformat(said["free_mb"] * 10**6)}
    return ""


def _ago(then: datetime | None) -> str:
    return "" if then is None else _before((timezone.now() - then).total_seconds())


def _before(seconds: float) -> str:
    return _("%(time)s ago") % {"time": lasting(seconds)}


def lasting(seconds: float) -> str:
    """A time in the largest unit of which there are two."""
    whole = max(int(seconds), 0)
    if whole < 120:
        return ngettext("%(n)s second", "%(n)s seconds", whole) % {"n": whole}
    if whole < 2 * 3600:
        return _("%(n)s minutes") % {"n": whole // 60}
    if whole < 48 * 3600:
        return _("%(n)s hours") % {"n": whole // 3600}
    return _("%(n)s days") % {"n": whole // 86400}
