"""The history of a session or a club, for its officials; and its export, for an auditor."""

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, time
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.timezone import make_aware
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tournaments.models import (
    Account,
    Call,
    Club,
    HistoryEntry,
    HistorySeal,
    Objection,
    Ruling,
    Session,
    Submission,
)
from tournaments.services import chains, custody, dates, history, names, reasons, roles
from tournaments.services.chains import ChainScope, Exported
from tournaments.services.roles import RolePlace

from . import clocks
from .accounts.keeping import signed_in
from .accounts.views import account_of, address_of_people
from .history_words import AGENTS, KINDS, HistoryLine, lines
from .hours import HourField
from .officials import held_players

ON_A_PAGE = 50
PEOPLE_AT_MOST = 500
DAY = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


class Filters(forms.Form):
    """Which entries to show. The people are those who are in this history."""

    person = forms.ChoiceField(label=_("Person"), required=False)
    kind = forms.ChoiceField(
        label=_("What was done"),
        required=False,
        choices=[("", _("anything")), *((name, words) for name, (words, _verbs) in KINDS.items())],
    )
    table = forms.RegexField(r"^\s*[^0-9]*[0-9]{1,6}\s*$", label=_("Table"), max_length=40, required=False)
    board = forms.IntegerField(label=_("Board"), min_value=1, max_value=100_000, required=False)
    since = forms.DateField(label=_("From day"), required=False, widget=DAY)
    since_hour = HourField(label=_("From hour"), required=False)
    until = forms.DateField(label=_("Until day"), required=False, widget=DAY)
    until_hour = HourField(label=_("Until hour"), required=False)

    def __init__(self, data: Any, *, place: RolePlace, own: QuerySet[HistoryEntry]) -> None:
        super().__init__(data)
        self.place, self.own = place, own
        if place.session is None:
            del self.fields["table"], self.fields["board"]
        people = Account.objects.filter(pk__in=own.values("account")).order_by("name", "pk")
        choices = [("", _("anybody")), *((str(one.pk), one.name) for one in people[:PEOPLE_AT_MOST])]
        others = [(str(agent.value), words) for agent, words in AGENTS.items()]
        tables = [("table", _("the tables"))] if place.session is not None else []
        self.fields["person"].choices = [*choices, *tables, *others]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        for name in ("since", "until"):
            day, hour = given.get(name), given.get(f"{name}_hour")
            if day is None and hour is not None and name not in self.errors:
                self.add_error(name, gettext("Say the day as well."))
            if day is not None and not dates.is_near(day):
                self.add_error(name, gettext("This day is too far away."))
        return given

    def entries(self) -> QuerySet[HistoryEntry]:
        """Those that are wanted; all, while something is wrong."""
        if not self.is_valid():
            return self.own
        wanted, wish = Q(), self.cleaned_data
        if person := wish["person"]:
            wanted &= Q(account=int(person)) if person.isdecimal() else Q(agent=person)
        if wish["kind"]:
            wanted &= Q(verb__in=KINDS[wish["kind"]][1])
        if wish["since"]:
            wanted &= Q(at__gte=make_aware(datetime.combine(wish["since"], wish["since_hour"] or time.min)))
        if wish["until"]:  # a day without an hour is meant to its end
            wanted &= Q(at__lte=make_aware(datetime.combine(wish["until"], wish["until_hour"] or time.max)))
        if wish.get("table") or wish.get("board"):
            wanted &= self._about(wish["table"].strip(), wish["board"])
        return self.own.filter(wanted)

    def _about(self, table: str, board: int | None) -> Q:
        """Entries about results of a table, or of a board, or both, one by one or several together; about
        rulings and objections on them, and calls. Its time grows with the entries about several, and with
        the rulings."""
        section = table.rstrip("0123456789")
        number, name = int(table[len(section) :]) if table else None, section.strip()
        of_plays = _at("play__table", "play__board", number, name, board)
        results = Submission.objects.filter(of_plays, play__table__section__session=self.place.session)
        objections = Objection.objects.filter(of_plays, session=self.place.session)
        calls = Call.objects.filter(_at("table", "board", number, name, board), session=self.place.session)
        ids = sorted(results.values_list("pk", flat=True))
        subjects = [history.subject_of(Submission, pk) for pk in ids]
        for found in (objections, calls):
            subjects += [history.subject_of(found.model, pk) for pk in found.values_list("pk", flat=True)]
        rulings = Ruling.objects.filter(session=self.place.session).values_list("pk", "content")
        subjects += [
            history.subject_of(Ruling, pk)
            for pk, content in rulings
            if _rules(content, number, name.casefold(), board)
        ]
        wanted = Q(subject__in=subjects)
        if board and not table:
            wanted |= Q(verb="replaced", detail__board=board) | Q(verb="replaced", detail__by=board)
        together = self.own.filter(detail__has_key="ids", subject__endswith="submissions")
        about = set(ids)
        several = [
            pk
            for pk, detail in together.values_list("pk", "detail").iterator()
            if any(not about.isdisjoint(range(first, last + 1)) for first, last in detail["ids"])
        ]
        return wanted | Q(pk__in=several)


def _at(table: str, the_board: str, number: int | None, section: str, board: int | None) -> Q:
    """Rows of this table, of this board, or of both; these are called so there."""
    wanted = Q()
    if number is not None:
        wanted &= Q(**{f"{table}__number": number})
        if section:
            wanted &= Q(**{f"{table}__section__name__iexact": section})
    if board:
        wanted &= Q(**{f"{the_board}__number": board})
    return wanted


def _rules(content: Mapping[str, Any], number: int | None, section: str, board: int | None) -> bool:
    """Whether a ruling is about this table, this board, or both."""
    place = content.get("place")
    if place is None:
        return number is None and board is not None and content.get("board") == board
    its_section, its_table, its_board = place
    fits_section = not section or str(its_section).casefold() == section
    return (number is None or (its_table == number and fits_section)) and board in (None, its_board)


@require_safe
@signed_in
def page(request: HttpRequest, club: str | None = None, session: int | None = None) -> HttpResponse:
    """What was done, the newest first, a page at a time: each begins after an entry, so that none costs more
    than the first, and none moves when something is done meanwhile."""
    place = _place(club, session)
    account = account_of(request)
    if not roles.reads_history(account, place):
        raise PermissionDenied
    with clocks.at(place):
        return _page(request, place, account)


def _page(request: HttpRequest, place: RolePlace, account: Account) -> HttpResponse:
    own = HistoryEntry.objects.of(session=place.session, club=place.club)
    filters = Filters(request.GET or None, place=place, own=own)
    rows, pages = _page_of(filters.entries(), request)
    chain = _scope(place).chain
    context = {
        "place": place,
        "people": address_of_people(place),
        "filters": filters,
        "is_filtered": any(request.GET.get(name) for name in filters.fields),
        "lines": _lines(request, _as_seen(rows, account, place), account, place),
        "newer": pages["newer"] and _address(filters, after=pages["newer"]),
        "older": pages["older"] and _address(filters, before=pages["older"]),
        "chain": chain,
        "seal": None if chain is None else chain.seals.order_by("-number").first(),
        "runs": roles.exports_history(account, place),
        "may_export": _may_export(request, account, place),
    }
    answer = render(request, "frontend/history.html", context)
    answer["Cache-Control"] = "no-store"
    return answer


def _as_seen(rows: list[HistoryEntry], account: Account, place: RolePlace) -> list[HistoryEntry]:
    """What the deal of a board contradicts looks accepted, but to those who run the session: or it would tell
    the deal."""
    session = place.session
    if session is None or Session.objects.directed_by(account).filter(pk=session.pk).exists():
        return rows
    for one in rows:
        if one.verb == Submission.State.DISPUTED:
            one.verb = Submission.State.ACCEPTED.value
    return rows


def _lines(
    request: HttpRequest, rows: list[HistoryEntry], account: Account, place: RolePlace
) -> list[HistoryLine]:
    """The entries in words; for an official who plays, without what tells results of boards that are not
    over."""
    language, reader = (get_language() or "en")[:2], names.reader_for(account)
    if place.session is None:
        return lines(rows, language, reader)
    held = held_players(request)
    boards = custody.seen_boards(place.session, account, held=held)
    hidden = reasons.hidden_from(place.session, account, held) if boards is not None else ()
    return lines(rows, language, reader, boards, hidden)


def _may_export(request: HttpRequest, account: Account, place: RolePlace) -> bool:
    """An export has all that was said: nobody takes it along who plays in the session, before it is over."""
    if not roles.exports_history(account, place):
        return False
    session = place.session
    return (
        session is None
        or session.are_boards_over
        or not custody.plays_here(account, session, held_players(request))
    )


def _page_of(
    entries: QuerySet[HistoryEntry], request: HttpRequest
) -> tuple[list[HistoryEntry], dict[str, int | None]]:
    """The entries of a page, and the ids beyond which its neighbours lie."""
    before, after = _number(request, "before"), _number(request, "after")
    rows = entries.with_names()  # type: ignore[attr-defined]
    if after is not None:
        taken = list(rows.filter(pk__gt=after).order_by("pk")[: ON_A_PAGE + 1])
        shown, has_newer, has_older = taken[:ON_A_PAGE][::-1], len(taken) > ON_A_PAGE, True
    else:
        rows = rows if before is None else rows.filter(pk__lt=before)
        taken = list(rows.order_by("-pk")[: ON_A_PAGE + 1])
        shown, has_newer, has_older = taken[:ON_A_PAGE], before is not None, len(taken) > ON_A_PAGE
    return shown, {
        "newer": shown[0].pk if shown and has_newer else None,
        "older": shown[-1].pk if shown and has_older else None,
    }


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Http404
    return int(text)


def _address(filters: Filters, **cursor: int) -> str:
    """The address of a page with the same filters."""
    given = {name: filters.data.get(name, "") for name in filters.fields}
    return "?" + urlencode({name: value for name, value in given.items() if value} | cursor)


def _place(club: str | None, session: int | None) -> RolePlace:
    if club is not None:
        return RolePlace(club=get_object_or_404(Club, slug=club))
    return RolePlace(
        session=get_object_or_404(Session.objects.select_related("tournament__club"), pk=session)
    )


def _scope(place: RolePlace) -> ChainScope:
    if place.session is not None:
        return ChainScope(session=place.session.pk)
    return ChainScope(club=None if place.club is None else place.club.pk)


# ── Export ────────────────────────────────────────────────────────────────────────────────────────


@require_safe
@signed_in
def export(
    request: HttpRequest, form: str, club: str | None = None, session: int | None = None
) -> HttpResponse:
    """All of it with its seals, in the form of docs/history.md; for organisers and administrators."""
    place = _place(club, session)
    if not _may_export(request, account_of(request), place):
        raise PermissionDenied
    kind, write = FORMS[form]
    scope = _scope(place)
    answer = StreamingHttpResponse(write(scope), content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="history-{str(scope).replace(" ", "-")}.{form}"'
    answer["Cache-Control"] = "no-store"
    return answer  # type: ignore[return-value]  # what is streamed is no subclass, and serves as one


def json_lines(scope: ChainScope) -> Iterator[str]:
    head = {"form": chains.FORM, "scope": str(scope)}
    yield json.dumps(head) + "\n"
    for one in chains.export(scope):
        if one.seal is not None:
            line: dict[str, Any] = {"seal": head_of(one.seal) | {"entries": leaves_of(one.seal)}}
        else:
            line = {"entry": json.loads(one.text), "actor": one.actor}
            if one.reason is not None:
                line["remark"] = {"salt": one.salt, "text": one.reason}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def head_of(seal: HistorySeal) -> dict[str, Any]:
    made = chains.moment(seal.made_at)
    return {"number": seal.number, "made": made, "previous": seal.previous, "digest": seal.digest}


def leaves_of(seal: HistorySeal) -> list[list[Any]]:
    return [[pk, digest.hex()] for pk, digest in chains.leaves_of(seal).items()]


COLUMNS = ("kind", "id", "at", "actor", "verb", "subject", "reason", "salt", "text")


def table(scope: ChainScope) -> Iterator[str]:
    """A line for each entry and each seal; the last column is what is hashed."""
    echo = csv.writer(_Echo())
    yield "\ufeff" + echo.writerow(COLUMNS)
    for one in chains.export(scope):
        yield echo.writerow(_row_of_seal(scope, one.seal) if one.seal is not None else _row_of_entry(one))


def _row_of_entry(one: Exported) -> list[Any]:
    assert one.entry is not None
    words = [one.actor, one.entry["verb"], one.entry["subject"], one.reason or ""]
    at = chains.moment(one.entry["at"])
    return ["entry", one.entry["id"], at, *map(harmless, words), one.salt or "", one.text]


def _row_of_seal(scope: ChainScope, seal: HistorySeal) -> list[Any]:
    made = chains.moment(seal.made_at)
    return ["seal", seal.number, made, "", "", "", "", seal.digest, chains.seal_text(str(scope), seal)]


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" and text else text


class _Echo:
    """A file that gives back what is written."""

    def write(self, text: str) -> str:
        return text


FORMS: dict[str, tuple[str, Callable[[ChainScope], Iterator[str]]]] = {
    "jsonl": ("application/x-ndjson; charset=utf-8", json_lines),
    "csv": ("text/csv; charset=utf-8", table),
}
