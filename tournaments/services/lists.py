"""The lists of a session besides its ranking: setting them up. `list_contents` says what they show."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from scoring.errors import BadScoring, one_of
from scoring.matches import MATCH_TIE_BREAKS
from scoring.ties import TIE_BREAKS

from ..models import Club, Section, Session, SessionList
from ..models.people import Category
from . import comparisons, formulas, history, points_news
from .errors import Conflict, Invalid, Missing, Stale, refusal
from .history import Actor

Kind = SessionList.Kind

MOST = 50  # lists of one session

TIE_BREAK_NAMES = {
    "direct-encounter": pgettext_lazy("tie-break", "direct encounter"),
    "wins": pgettext_lazy("tie-break", "boards won"),
    "best-boards": pgettext_lazy("tie-break", "best boards"),
    "count-back": pgettext_lazy("tie-break", "last round"),
    "opponents": pgettext_lazy("tie-break", "opponents’ scores"),
    "fewest-penalties": pgettext_lazy("tie-break", "fewest penalties"),
    "margin": pgettext_lazy("tie-break", "difference of all matches"),
}


@dataclass(frozen=True, slots=True)
class ListSetup:
    """How a list is to be; see `SessionList`. `formula`: which of the club's, by its name."""

    name: str
    kind: str
    about: str = ""
    method: str = ""
    method_options: Mapping[str, Any] = field(default_factory=dict)
    tie_breaks: Sequence[str] = ()
    min_boards: int = 1
    award_factor: str = ""
    formula: str = ""
    handicaps: Mapping[str, str] = field(default_factory=dict)


# ── Setting up ────────────────────────────────────────────────────────────────────────────────────


def of(session: Session) -> QuerySet[SessionList]:
    """The lists of a session, in the order in which they were set up."""
    return SessionList.objects.filter(session=session, removed_at=None).order_by("number")


def with_number(session: Session, number: int) -> SessionList:
    """Missing if the session has none with this number."""
    found = of(session).filter(number=number).first()
    if found is None:
        raise Missing("no-such-list", _("The session has no such list."))
    return found


@transaction.atomic
def set_up(*, session: Session, actor: Actor, setup: ListSetup) -> SessionList:
    """A further list of a session. Invalid says what is wrong with it; Conflict: there are too many."""
    Session.objects.select_for_update(no_key=True, of=("self",)).get(pk=session.pk)
    if of(session).count() >= MOST:
        message = _("A session has %(most)d lists at most.") % {"most": MOST}
        raise Conflict("too-many-lists", message)
    last = SessionList.objects.filter(session=session).aggregate(last=Max("number"))["last"] or 0
    made = SessionList(session=session, number=last + 1, **_checked(session, setup))
    made.save(force_insert=True)
    points_news.changed_list(session, made.award_factor)
    history.note(actor, "set up list", made, session=session, tournament=session.tournament)
    return made


@transaction.atomic
def change(*, the_list: SessionList, actor: Actor, setup: ListSetup, seen: str | None) -> SessionList:
    """The list set up in another way. `seen`: the stamp of what this replaces, None for whatever it is;
    Stale if somebody has changed it since."""
    locked = _locked(the_list, seen)
    fields = _checked(the_list.session, setup, locked)
    for name, value in fields.items():
        setattr(locked, name, value)
    locked.changes += 1
    locked.save(update_fields=[*fields, "changes"])
    session = the_list.session
    points_news.changed_list(session, locked.award_factor)
    history.note(actor, "changed list", locked, session=session, tournament=session.tournament)
    return locked


@transaction.atomic
def remove(*, the_list: SessionList, actor: Actor, seen: str | None) -> None:
    """The session has this list no more; the ranking that it followed from stays. Stale as for `change`."""
    locked = _locked(the_list, seen)
    locked.removed_at = timezone.now()
    locked.save(update_fields=["removed_at"])
    session = the_list.session
    points_news.changed_list(session, "")
    history.note(actor, "removed list", locked, session=session, tournament=session.tournament)


def stamp(the_list: SessionList) -> str:
    """What changes whenever the list is set up again."""
    return f"{the_list.pk}-{the_list.changes}"


def _locked(the_list: SessionList, seen: str | None) -> SessionList:
    found = SessionList.objects.select_for_update(no_key=True).get(pk=the_list.pk)
    found.session = the_list.session
    if found.removed_at is not None or seen not in {None, stamp(found)}:
        message = _("Somebody else has changed this list meanwhile: look at what is there now.")
        raise Stale("changed-meanwhile", message)
    return found


def _checked(session: Session, setup: ListSetup, before: SessionList | None = None) -> dict[str, Any]:
    """The columns of a list that is set up like this, in place of what it was before."""
    about = _checked_about(session, setup)
    known = MATCH_TIE_BREAKS if setup.kind == Kind.MATCHES else TIE_BREAKS
    try:
        if setup.kind == Kind.TEAMS and setup.tie_breaks:
            one_of("tie-break", setup.tie_breaks[0], ())
        for name in setup.tie_breaks:
            one_of("tie-break", name, tuple(known))
    except BadScoring as error:
        raise refusal("bad-list", error) from error
    if len(set(setup.tie_breaks)) < len(setup.tie_breaks):
        raise Invalid("bad-list", _("Each tie-break stands once."), {"field": "tie_breaks"})
    if setup.award_factor and Fraction(setup.award_factor) <= 0:
        raise Invalid("bad-list", _("The factor of master points is above 0."), {"field": "award_factor"})
    return {
        "name": setup.name,
        "kind": Kind(setup.kind).value,
        "about": about,
        **_checked_method(session, setup),
        "tie_breaks": list(setup.tie_breaks),
        "min_boards": setup.min_boards,
        "award_factor": setup.award_factor,
        "formula": setup.formula,
        "formula_text": _checked_formula(session, setup, before),
        "handicaps": _checked_handicaps(session, setup),
    }


def _checked_formula(session: Session, setup: ListSetup, before: SessionList | None) -> str:
    """What the formula says. A list keeps the one that it has, also when the club has retired it since or has
    given its name to another: whoever wants that one chooses another first."""
    if not setup.formula:
        return ""
    if not setup.award_factor:
        message = _("A formula needs a factor of the master points: 1 is the usual one.")
        raise Invalid("bad-list", message, {"field": "award_factor"})
    if before is not None and before.formula == setup.formula:
        return before.formula_text
    return formulas.text_of(session.tournament.club, setup.formula)


def _checked_about(session: Session, setup: ListSetup) -> str:
    if setup.kind in SessionList.OF_TEAMS and not session.teams.exists():
        message = _("This session has no teams: give its matches their rules first.")
        raise Invalid("bad-list", message, {"field": "kind"})
    if setup.kind in {Kind.OVERALL, Kind.HANDICAP, *SessionList.OF_TEAMS}:
        if setup.about:
            message = _("A list of everybody is about nobody else.")
            raise Invalid("bad-list", message, {"field": "about"})
        return ""
    known: Mapping[str, Callable[[], set[str]]] = {
        Kind.LINE_GROUP: lambda: {
            str(group) for group in session.contestants.values_list("line_group", flat=True).distinct()
        },
        Kind.SECTION: lambda: set(Section.objects.filter(session=session).values_list("name", flat=True)),
        Kind.CLUB: lambda: set(Club.objects.filter(slug=setup.about).values_list("slug", flat=True)),
        Kind.CATEGORY: lambda: set(Category.values),
    }
    if setup.about not in (names := known[setup.kind]()):
        message = _("There is no “%(about)s” here that a list could be of.") % {"about": setup.about}
        raise Invalid("bad-list", message, {"field": "about", "known": sorted(names)})
    return setup.about


def _checked_method(session: Session, setup: ListSetup) -> dict[str, Any]:
    """The method and its options; nothing where they are the session's own."""
    if setup.kind == Kind.MATCHES and (setup.method or setup.method_options):
        message = _("Matches count by their own rules: this list has no method.")
        raise Invalid("bad-list", message, {"field": "method"})
    if not setup.method:
        if setup.method_options:
            message = _("Options belong to a method: say which.")
            raise Invalid("bad-list", message, {"field": "method_options"})
        return {"method": "", "method_options": {}}
    options = comparisons.options_of(setup.method, setup.method_options, session.game)
    if (setup.method, options) == (session.method, session.method_options):
        return {"method": "", "method_options": {}}
    return {"method": setup.method, "method_options": options}


def _checked_handicaps(session: Session, setup: ListSetup) -> dict[str, str]:
    if setup.kind != Kind.HANDICAP:
        if setup.handicaps:
            message = _("Only a handicap list has handicaps.")
            raise Invalid("bad-list", message, {"field": "handicaps"})
        return {}
    there = {str(number) for number in session.contestants.values_list("number", flat=True)}
    if strangers := sorted(set(setup.handicaps) - there):
        message = _("The session has no contestant %(number)s.") % {"number": strangers[0]}
        raise Invalid("bad-list", message, {"field": "handicaps", "contestant": strangers[0]})
    return dict(setup.handicaps)
