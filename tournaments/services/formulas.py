"""The formulas by which a club's lists give master points (`scoring.formulas`): they are retired, never
edited. A list keeps what its formula said when it was set up."""

from fractions import Fraction

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.errors import BadScoring
from scoring.formulas import formula
from scoring.masterpoints import master_points

from ..models import AwardFormula, Club
from . import history
from .errors import Conflict, Invalid, Missing, refusal
from .history import Actor

MOST = 50  # of one club


def of(club: Club) -> QuerySet[AwardFormula]:
    """What lists may name, the oldest first."""
    return AwardFormula.objects.filter(club=club, retired_at=None).order_by("pk")


def with_id(club: Club, pk: int) -> AwardFormula:
    """Missing if the club has none with this id that is still in use."""
    found = of(club).filter(pk=pk).first()
    if found is None:
        raise Missing("no-such-formula", _("The club has no such formula."))
    return found


def text_of(club: Club, name: str) -> str:
    """What the club's formula of this name says. Invalid names those that there are."""
    known = dict(of(club).values_list("name", "text"))
    if name not in known:
        message = _("The club has no formula “%(name)s”.") % {"name": name}
        raise Invalid("bad-list", message, {"field": "formula", "known": list(known)})
    return str(known[name])


@transaction.atomic
def add(*, club: Club, actor: Actor, name: str, text: str) -> AwardFormula:
    """A further formula. Invalid says where it is wrong; Conflict: its name is taken, or there are many."""
    plain = "\n".join(text.split("\r\n")).strip()
    try:
        formula(plain)
    except BadScoring as error:
        details = refusal("bad-formula", error).details
        raise Invalid("bad-formula", capfirst(details["constraint"]), details | {"field": "text"}) from error
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if of(club).count() >= MOST:
        message = _("A club has %(most)d formulas at most: retire one first.") % {"most": MOST}
        raise Conflict("too-many-formulas", message)
    try:
        with transaction.atomic():
            made = AwardFormula.objects.create(club=club, name=name, text=plain)
    except IntegrityError:
        message = _("The club has a formula “%(name)s” already: retire it first.") % {"name": name}
        raise Conflict("name-taken", message, {"name": name}) from None
    history.note(actor, "added formula", made, club=club)
    return made


@transaction.atomic
def retire(*, one: AwardFormula, actor: Actor) -> None:
    """No list that is set up names it; those that did stay as they are. Twice does what once does."""
    left = AwardFormula.objects.filter(pk=one.pk, retired_at=None)
    if left.update(retired_at=timezone.now()):
        history.note(actor, "retired formula", one, club=one.club)


def sample(text: str, *, tables: int, contestants: int, boards: int, places: int) -> list[Fraction]:
    """What a formula gives to the first places of such a field, with the factor 1."""
    ranked = [(str(place), place) for place in range(1, contestants + 1)]
    played = dict.fromkeys(range(1, contestants + 1), boards)
    given = master_points(ranked, tables=tables, by=formula(text), boards=played)
    return [given.get(place, Fraction(0)) for place in range(1, places + 1)]
