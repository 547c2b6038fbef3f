"""The rankings of a session at the desk: what each list shows, how long corrections are still taken, which
versions there were and who moved between two of them, and how further lists are set up."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.gzip import gzip_page

from scoring.methods import METHODS
from tournaments.models import Account, Club, HistoryEntry, Ranking, Ruling, Session, SessionList
from tournaments.models.people import Category
from tournaments.services import (
    comparisons,
    differences,
    formulas,
    list_contents,
    lists,
    meanwhile,
    names,
    rankings,
    ruling_words,
    rulings,
)
from tournaments.services.differences import Cause, CauseKind
from tournaments.services.errors import Conflict, Refused, Stale
from tournaments.services.lists import ListSetup

from .. import presentation
from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..officials import sees_all
from ..overtaken import overtake
from ..places import table_name
from ..presentation import WORDS
from ..views import one_of, page_of
from . import running, undoing
from .few_boards import few_boards
from .moves import moves_of
from .running import directed
from .wizard import language

Kind = SessionList.Kind
VERSIONS_SHOWN, CAUSES_SHOWN, CLUBS_AT_MOST = 12, 30, 50
STEPS = ("publish", "withdraw", "provisional", "unprovisional", "corrections", "final", "amend")
TIE_BREAKS = 3  # that the form asks for; programs may set up more
LANDMARKS = {
    "made provisional": _("since the ranking was provisional"),
    "made final": _("since the ranking was final"),
    "amended": _("since the ranking was amended"),
}


# ── What is asked for ─────────────────────────────────────────────────────────────────────────────


class SessionListForm(forms.Form):
    """A list as it is to be. `seen`: the stamp of what the form replaces; empty for a new one."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=60)
    whom = forms.ChoiceField(label=_("Whom it ranks"))
    name = forms.CharField(
        label=_("What it is called"),
        max_length=80,
        required=False,
        help_text=_("Empty: as whom it ranks is called."),
    )
    handicaps = forms.CharField(
        label=_("Handicaps"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_(
            "For a list with handicaps, one a line: the contestant’s number, a colon, and per cent or"
            " points: “7: 2.5”."
        ),
    )
    first = forms.ChoiceField(label=_("Equal totals: first"), required=False)
    second = forms.ChoiceField(label=_("then"), required=False)
    third = forms.ChoiceField(label=_("and then"), required=False)
    min_boards = forms.IntegerField(
        label=_("Boards it takes for a place"), min_value=1, max_value=1000, initial=1
    )
    method = forms.ChoiceField(label=_("Comparison"), required=False)
    award_factor = forms.CharField(
        label=_("Factor of its master points"),
        required=False,
        max_length=20,
        help_text=_("Empty: it gives none. 1 is the usual one; 1/2 gives half of them."),
    )

    formula = forms.ChoiceField(label=_("By which formula it gives them"), required=False)

    def __init__(
        self, data: Any, *, session: Session, one: SessionList | None = None, enough: int = 0
    ) -> None:
        """`enough`: boards that a new list of everybody is to take for a place."""
        self.session, self.one = session, one
        asked = {"whom": "overall", "min_boards": enough} if enough and one is None else {}
        super().__init__(data, initial=_initial(one) | asked)
        self.kinds = whom(session)
        usual = METHODS[session.method].name.to(language())
        breaks = [("", gettext("they share the place")), *lists.TIE_BREAK_NAMES.items()]
        known = list(formulas.of(session.tournament.club).values_list("name", flat=True))
        kept = [one.formula] if one is not None and one.formula and one.formula not in known else []
        choices = {
            "whom": list(self.kinds.items()),
            "method": [
                ("", gettext("the session’s own: %(method)s") % {"method": usual}),
                *((key, method.name.to(language())) for key, method in METHODS.items()),
            ],
            **dict.fromkeys(("first", "second", "third"), breaks),
            "formula": [("", gettext("the built-in scale")), *((name, name) for name in [*kept, *known])],
        }
        for name, some in choices.items():
            self.fields[name].choices = some  # type: ignore[attr-defined]

    def clean_handicaps(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for line in self.cleaned_data["handicaps"].splitlines():
            if not line.strip():
                continue
            number, _colon, value = line.partition(":")
            value_of = exact(value)
            if not (number.strip().isascii() and number.strip().isdecimal()) or value_of is None:
                message = gettext("“%(line)s” is not a number, a colon and per cent or points.")
                raise forms.ValidationError(message % {"line": line.strip()[:40]})
            found[str(int(number))] = value_of
        return found

    def clean_award_factor(self) -> str:
        text = self.cleaned_data["award_factor"]
        found = exact(text) if text.strip() else ""
        if found is None or (found and Fraction(found) <= 0):
            raise forms.ValidationError(gettext("Write a number above 0, such as 1, 0.5 or 1/2."))
        return found

    @property
    def setup(self) -> ListSetup:
        """What the form asks for, once it is valid. What it does not ask for stays as it was."""
        given = self.cleaned_data
        kind, _dot, about = given["whom"].partition(":")
        breaks = [given[name] for name in ("first", "second", "third") if given[name]]
        kept = {} if self.one is None or given["method"] != self.one.method else self.one.method_options
        rest = [] if self.one is None else list(self.one.tie_breaks[TIE_BREAKS:])
        return ListSetup(
            name=given["name"].strip() or str(self.kinds[given["whom"]]),
            kind=kind,
            about=about,
            method=given["method"],
            method_options=kept,
            tie_breaks=[*breaks, *(one for one in rest if one not in breaks)],
            min_boards=given["min_boards"],
            award_factor=given["award_factor"],
            formula=given["formula"],
            handicaps=given["handicaps"] if kind == Kind.HANDICAP else {},
        )


def exact(text: str) -> str | None:
    """A number as people write it, as an exact fraction; None where it is none.

    >>> exact("2,5"), exact(" 1/3 "), exact("x")
    ('5/2', '1/3', None)
    """
    try:
        return str(Fraction(text.strip().replace(",", ".").replace("−", "-"))) if len(text) <= 20 else None
    except (ValueError, ZeroDivisionError):
        return None


def _initial(one: SessionList | None) -> dict[str, Any]:
    if one is None:
        return {}
    breaks = [*one.tie_breaks[:TIE_BREAKS], "", "", ""]
    return {
        "seen": lists.stamp(one),
        "whom": f"{one.kind}:{one.about}" if one.about else one.kind,
        "name": one.name,
        "handicaps": "\n".join(f"{number}: {value}" for number, value in one.handicaps.items()),
        **dict(zip(("first", "second", "third"), breaks, strict=False)),
        "min_boards": one.min_boards,
        "method": one.method,
        "award_factor": one.award_factor,
        "formula": one.formula,
    }


def whom(session: Session) -> dict[str, Any]:
    """Whom a list of this session may rank, in words. A few queries."""
    found: dict[str, Any] = {}
    groups = session.contestants.order_by("line_group").values_list("line_group", flat=True).distinct()
    numbers = list(groups)
    rooms = list(session.sections.order_by("name").values_list("name", flat=True))
    for category in Category:
        found[f"category:{category.value}"] = gettext("Category: %(name)s") % {"name": category.label}
    found["handicap"] = gettext("Everybody, with handicaps")
    found["overall"] = pgettext_lazy("list", "Everybody")
    for group in numbers if len(numbers) > 1 else ():
        found[f"line-group:{group}"] = gettext("Line %(number)d") % {"number": group}
    for room in rooms if len(rooms) > 1 else ():
        found[f"section:{room}"] = gettext("Section %(name)s") % {"name": room}
    for slug, name in _clubs_of(session):
        found[f"club:{slug}"] = gettext("Club: %(name)s") % {"name": name}
    if session.teams.exists():
        found["teams"], found["matches"] = gettext("Teams"), gettext("Teams, by their matches")
    return {"category:newcomer": found["category:newcomer"], **found}


def _clubs_of(session: Session) -> Sequence[tuple[str, str]]:
    """The clubs that its players belong to, if there are several."""
    own = session.members.filter(player__home_club=None).values("player__club")
    home = session.members.exclude(player__home_club=None).values("player__home_club")
    clubs = (Club.objects.filter(pk__in=own) | Club.objects.filter(pk__in=home)).order_by("name", "pk")
    found = list(clubs.values_list("slug", "name")[:CLUBS_AT_MOST])
    return found if len(found) > 1 else []


# ── The page ──────────────────────────────────────────────────────────────────────────────────────


@gzip_page
@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    """One list of the session, chosen by a tab, with what can be done with all of them. For those who run it;
    who plays in it sees what everybody sees until it has been played. The time grows with the contestants on
    a page, and, for a difference, with all of them."""
    one, account = directed(request, session), account_of(request)
    tabs = list(lists.of(one))
    listing = one_of(tabs, request.GET.get("list"))
    is_new = listing is None and (request.method == "POST" or "new" in request.GET)
    form = SessionListForm(request.POST or None, session=one, one=listing, enough=_boards_asked_for(request))
    status = 200
    if request.method == "POST":
        status = 400
        if (way := request.POST.get("way")) == "remove" and listing is not None:
            try:
                return _removed(request, one, listing, account)
            except Refused as error:
                form, status = SessionListForm(None, session=one, one=listing), 409
                undoing.refused(request, error)
        elif way == "set up" and form.is_valid():
            try:
                made = _set_up(request, form, one, listing, account)
            except Stale as error:
                listing = one_of(list(lists.of(one)), request.GET.get("list"))
                overtake(form, SessionListForm(None, session=one, one=listing), error)
                status = 409
            except Refused as error:
                form.add_error(_field_of(error), str(error))
                status = 409 if isinstance(error, Conflict) else 400
            else:
                return redirect(f"{reverse('desk-lists', args=[one.pk])}?list={made.number}")
    is_live = not sees_all(request, one)
    is_hidden = is_live and one.live == Session.Live.HIDDEN
    course = running.course(one)
    context = {
        "unpublished": names.unpublished_in(one),
        **{"session": one, "tabs": tabs, "listing": listing, "is_new": is_new, "form": form},
        **{"is_live": is_live, "is_hidden": is_hidden, "status": WORDS.get(one.state, "")},
        "has_errors": bool(form.errors),
        "seen": meanwhile.stamp(one),
        "steps": [step for step in course.all if step.name in STEPS],
        "publishing": course.publishing,
        "next": course.next.name if course.next is not None else "",
        "unit": METHODS[one.method].unit if comparisons.top(one) is None else "percent",
        "method": METHODS[one.method].name.to(language()),
        "few_boards": None if is_live or is_new or listing is not None else few_boards(one, account),
        **({} if is_new or is_hidden else _shown(request, one, listing, account, is_live=is_live)),
    }
    return render_at(one.tournament.club, request, "desk/rankings.html", context, status)


def _boards_asked_for(request: HttpRequest) -> int:
    text = request.GET.get("boards", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0


def _set_up(
    request: HttpRequest,
    form: SessionListForm,
    session: Session,
    listing: SessionList | None,
    account: Account,
) -> SessionList:
    if listing is None:
        made = lists.set_up(session=session, actor=account, setup=form.setup)
        undoing.said(
            request,
            gettext("The list is there."),
            session,
            "added list",
            **{"list": made.number, "list_seen": lists.stamp(made)},
        )
        return made
    before = asdict(_setup_of(listing))
    listing.session = session
    changed = lists.change(the_list=listing, actor=account, setup=form.setup, seen=form.cleaned_data["seen"])
    facts = {"list": changed.number, "setup": before, "list_seen": lists.stamp(changed)}
    undoing.said(request, gettext("The list is set up in another way."), session, "changed list", **facts)
    return changed


def _removed(request: HttpRequest, session: Session, listing: SessionList, account: Account) -> HttpResponse:
    listing.session = session
    lists.remove(the_list=listing, actor=account, seen=request.POST.get("seen", ""))
    facts = {"setup": asdict(_setup_of(listing))}
    words = gettext("The list “%(name)s” is gone.") % {"name": listing.name}
    undoing.said(request, words, session, "removed list", **facts)
    return redirect("desk-lists", session=session.pk)


def _setup_of(one: SessionList) -> ListSetup:
    names_ = ("name", "kind", "about", "method", "method_options", "tie_breaks", "min_boards")
    return ListSetup(
        **{name: getattr(one, name) for name in (*names_, "award_factor", "formula", "handicaps")}
    )


def _field_of(error: Refused) -> str | None:
    field = (error.details or {}).get("field", "")
    return {"about": "whom", "kind": "whom", "handicaps": "handicaps", "method": "method"}.get(
        field, "first" if "tie" in field else None
    )


def _shown(
    request: HttpRequest, session: Session, listing: SessionList | None, account: Account, *, is_live: bool
) -> dict[str, Any]:
    """What the chosen list shows, and the versions of the ranking that it follows from."""
    reader = names.reader_for(account)
    newest = rankings.newest(session, is_live=is_live)
    shown: dict[str, Any] = {"version": 0 if newest is None else newest.version}
    if listing is not None:
        listing.session = session
        shown |= {"list": presentation.a_list(listing, (), reader=reader, is_live=is_live)}
    else:
        numbers, pages = page_of(request, 0 if newest is None else rankings.count(newest))
        standings = rankings.standings(newest, numbers, reader) if newest is not None else []
        shown |= {"groups": presentation.groups(standings), "pages": pages}
        shown |= {"window": presentation.window(standings)}
        of_page = [one.contestant.pk for one in standings]
        shown["decided"] = ruling_words.of_contestants(session, of_page)
    if newest is None:
        return shown
    own = rankings.versions_of(session, is_live=is_live)
    shown["versions"] = list(own.order_by("-version")[:VERSIONS_SHOWN])
    shown["landmarks"] = [] if is_live else _landmarks(session, own, newest)
    wanted = _wanted(request, newest.version)
    if wanted is not None:
        shown["difference"] = _difference(session, own, *wanted, account, listing, is_live=is_live)
    return shown


# ── Versions ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Landmark:
    """A version that was the newest at a moment that people remember."""

    words: Any
    at: datetime
    version: int


def _landmarks(session: Session, own: Any, newest: Ranking) -> list[Landmark]:
    """The last time that each was done, where the list has changed since. A few queries."""
    found = []
    done = HistoryEntry.objects.of(session=session).filter(verb__in=list(LANDMARKS)).order_by("-pk")
    told: set[str] = set()
    for verb, at in done.values_list("verb", "at")[:20]:
        if verb in told:
            continue
        told.add(verb)
        version = (
            own.filter(created_at__lte=at).order_by("-version").values_list("version", flat=True).first()
        )
        if version is not None and version < newest.version:
            found.append(Landmark(LANDMARKS[verb], at, version))
    return found


def _wanted(request: HttpRequest, newest: int) -> tuple[int, int] | None:
    """The two versions that are asked for, the earlier first; None where none are."""
    given = [request.GET.get(name, "") for name in ("from", "to")]
    if not any(given):
        return None
    numbers = [
        min(int(text), newest) if text.isascii() and text.isdecimal() and len(text) < 12 else usual
        for text, usual in zip(given, (max(newest - 1, 0), newest), strict=True)
    ]
    return min(numbers), max(numbers)


def _difference(
    session: Session,
    own: Any,
    first: int,
    last: int,
    account: Account,
    listing: SessionList | None,
    *,
    is_live: bool,
) -> dict[str, Any]:
    """Who moved between two versions, in the ranking or in one of its lists, and why; where a list cannot be
    had as it was, why not."""
    nothing = Ranking(session=session, version=0, position=0, layout=None, is_live=is_live)
    before, after = (
        nothing if number == 0 else get_object_or_404(own, version=number) for number in (first, last)
    )
    found = differences.between_versions(session, before, after)
    moves: Sequence[differences.Move] = found.moves
    if listing is not None:
        try:
            moves = list_contents.moved(listing, list_contents.members_of(listing), before, after)
        except Conflict as error:
            return {"first": first, "last": last, "refusal": str(error)}
    return {
        **{"first": first, "last": last, "at": after.created_at, "count": len(moves)},
        "moves": [one for one in moves_of(moves, account, listing) if one],
        "causes": _told(session, found.causes[:CAUSES_SHOWN], account),
        "more": max(len(found.causes) - CAUSES_SHOWN, 0),
    }


def _told(session: Session, causes: Sequence[Cause], account: Account) -> list[str]:
    """What came between two versions, in words. Three queries, whatever there is of it."""
    named = names.of_contestants(
        {one.contestant for one in causes if one.contestant is not None}, names.reader_for(account)
    )
    ids = {one.ruling for one in causes if one.ruling is not None}
    made = {one.pk: one for one in rulings.of(session).filter(pk__in=ids)}
    several = session.sections.count() > 1
    return [_words(session, one, made, named, several=several) for one in causes]


def _words(
    session: Session,
    one: Cause,
    made: Mapping[int, Ruling],
    named: Mapping[int, names.Named],
    *,
    several: bool,
) -> str:
    words = {
        CauseKind.RESULT: gettext("A result came in"),
        CauseKind.CORRECTION: gettext("A result was corrected"),
        CauseKind.RULING: gettext("A ruling was made"),
        CauseKind.REVERSAL: gettext("A ruling was reversed"),
        CauseKind.RECOMPUTATION: gettext("Who plays what has changed, or everything was counted again"),
        CauseKind.BOARD_OVER: gettext("Board %(board)s is over") % {"board": one.board},
    }[one.kind]
    if one.kind == CauseKind.BOARD_OVER:
        return words
    where = []
    if one.place is not None:
        where.append(gettext("table %(table)s") % {"table": table_name(*one.place, several=several)})
    if one.board is not None:
        where.append(gettext("board %(board)d") % {"board": one.board})
    if one.contestant is not None:
        where.append(named[one.contestant].name)
    ruling = made.get(one.ruling) if one.ruling is not None else None
    told = "" if ruling is None else ruling_words.of_ruling(session, ruling)
    return " – ".join(part for part in (words, ", ".join(where), told) if part)
