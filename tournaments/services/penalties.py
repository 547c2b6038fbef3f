"""The catalogue of a club: what slow play or a wrong board costs there, so that it costs everybody the same.
A ruling that names an entry keeps what it said then; an entry is retired, never edited."""

from fractions import Fraction

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import BadScoring
from scoring.rulings import Penalty

from ..models import CataloguePenalty, Club
from . import history
from .errors import Conflict, Missing, refusal
from .history import Actor


def of(club: Club) -> QuerySet[CataloguePenalty]:
    """What new rulings may name, the oldest first."""
    return CataloguePenalty.objects.filter(club=club, retired_at=None).order_by("pk")


def with_id(club: Club, pk: int) -> CataloguePenalty:
    """Missing if the club has none with this id that is still in use."""
    found = of(club).filter(pk=pk).first()
    if found is None:
        raise Missing("no-such-penalty", _("The catalogue of the club has no such entry."))
    return found


@transaction.atomic
def add(*, club: Club, actor: Actor, name: str, kind: str, amount: str, unit: str) -> CataloguePenalty:
    """A new entry. Invalid: no such unit, or not above 0; Conflict: the name is taken."""
    try:
        Penalty(0, Fraction(amount), unit)
    except BadScoring as error:
        raise refusal("bad-penalty", error) from error
    try:
        with transaction.atomic():
            made = CataloguePenalty.objects.create(club=club, name=name, kind=kind, amount=amount, unit=unit)
    except IntegrityError:
        message = _("The catalogue has “%(name)s” already: retire it first.") % {"name": name}
        raise Conflict("name-taken", message, {"name": name}) from None
    history.note(actor, "added to catalogue", made, club=club)
    return made


@transaction.atomic
def retire(*, penalty: CataloguePenalty, actor: Actor) -> None:
    """No new ruling names it; those that did stay as they are. Twice does what once does."""
    left = CataloguePenalty.objects.filter(pk=penalty.pk, retired_at=None)
    if left.update(retired_at=timezone.now()):
        history.note(actor, "retired from catalogue", penalty, club=penalty.club)
