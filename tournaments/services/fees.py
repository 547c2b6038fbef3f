"""Entry fees, ticked off at the door: what an evening costs whom, who has paid, what is in the till. No
payment service: the club takes the money, and this keeps the list."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Account, Fee, FeePayment, Member, Section, Session
from ..models.people import Category, plain
from . import history, states
from .errors import Conflict, Invalid, Missing, Stale
from .history import Actor

MOST = 10_000_000  # hundredths
EVERYBODY = ""


@dataclass(frozen=True, slots=True)
class DoorEntry:
    """A player at the door. `due`: in hundredths, 0 for one who owes nothing; `paid`: what they have paid,
    None if they have not."""

    member: int
    name: str
    contestant: int
    categories: tuple[str, ...]
    due: int
    paid: int | None

    @property
    def owes(self) -> bool:
        return self.due > 0 and self.paid is None


@dataclass(frozen=True, slots=True)
class Till:
    """What is in it, what is still owed, and how many have paid of how many who have to."""

    taken: int
    owed: int
    paid_count: int
    count: int


def of(session: Session) -> dict[str, int]:
    """By category, what the session costs; empty where it costs nothing."""
    return dict(Fee.objects.filter(session=session).order_by("category").values_list("category", "amount"))


def stamp(fees: Mapping[str, int]) -> str:
    """What changes whenever what a session costs does."""
    return sha256(json.dumps(fees, sort_keys=True).encode()).hexdigest()[:32]


def due(fees: Mapping[str, int], categories: Collection[str]) -> int:
    """What a player of these categories owes: the least of theirs, else what everybody does.

    >>> fees = {"": 600, "junior": 300, "newcomer": 0}
    >>> [due(fees, some) for some in ([], ["veteran"], ["junior"], ["junior", "newcomer"])]
    [600, 600, 300, 0]
    >>> due({"junior": 300}, ["veteran"])
    0
    """
    own = [fees[one] for one in categories if one in fees]
    return min(own) if own else fees.get(EVERYBODY, 0)


def with_door(account: Account) -> QuerySet[Session]:
    """The sessions at whose door somebody takes the fees: those who score a session, or run it."""
    return Session.objects.filter(pk__in=Section.objects.scored_by(account).values("session"))


@transaction.atomic
def set_fees(
    *, session: Session, actor: Actor, fees: Mapping[str, int | None], seen: str | None = None
) -> dict[str, int]:
    """From now on the session costs this, by category; None: nothing of its own. Who has paid has paid.
    Invalid: no such category, or an amount that nobody pays; Stale: it is not as it was `seen`."""
    session = states.locked(session)
    for category, amount in fees.items():
        if category != EVERYBODY and category not in Category.values:
            raise Invalid("no-such-category", _("There is no such category."))
        if amount is not None and not 0 <= amount <= MOST:
            raise Invalid("bad-fee", _("A fee is between 0 and 100,000."))
    before = of(session)
    if seen is not None and stamp(before) != seen:
        message = _("Somebody else has changed the fees meanwhile: look at what is there now.")
        raise Stale("changed-meanwhile", message)
    after = {category: amount for category, amount in fees.items() if amount is not None}
    if after != before:
        Fee.objects.filter(session=session).delete()
        Fee.objects.bulk_create(Fee(session=session, category=one, amount=n) for one, n in after.items())
        names = sorted({*before, *after})
        changes = {
            f"fee {name or 'everybody'}": (before.get(name), after.get(name))
            for name in names
            if before.get(name) != after.get(name)
        }
        history.note(actor, "set fees", session, session=session, changes=changes)
    return after


def at_door(session: Session) -> list[DoorEntry]:
    """The players of a session in the order of their names: two queries, whatever their number. Who has left
    before the first round owes nothing, and stands there only if they have paid."""
    fees = of(session)
    members = Member.objects.filter(session=session).select_related("player", "contestant")
    payments = FeePayment.objects.filter(member__session=session, undone_at=None)
    paid = dict(payments.values_list("member", "amount"))
    found = []
    for one in members.order_by("pk"):
        if _never_came(one) and one.pk not in paid:
            continue
        found.append(
            DoorEntry(
                member=one.pk,
                name=one.player.name,
                contestant=one.contestant.number,
                categories=tuple(one.player.category_names),
                due=_owed(fees, one),
                paid=paid.get(one.pk),
            )
        )
    return sorted(found, key=lambda one: (plain(one.name.split()[-1] if one.name else ""), plain(one.name)))


def _never_came(member: Member) -> bool:
    """Whether somebody has left before the first round."""
    return member.contestant.left_after == 0


def _owed(fees: Mapping[str, int], member: Member) -> int:
    return 0 if _never_came(member) else due(fees, member.player.categories)


def till(entries: Collection[DoorEntry]) -> Till:
    paid = [one.paid for one in entries if one.paid is not None]
    owed = [one.due for one in entries if one.owes]
    return Till(sum(paid), sum(owed), len(paid), len(paid) + len(owed))


@transaction.atomic
def take(*, session: Session, actor: Actor, member: int) -> FeePayment:
    """A player has paid what they owe. Again, it is the same payment. Missing: they do not play here.
    Conflict: they owe nothing."""
    one = _member(session, member)
    held = FeePayment.objects.filter(member=one, undone_at=None).first()
    if held is not None:
        return held
    amount = _owed(of(session), one)
    if amount == 0:
        raise Conflict("owes-nothing", _("%(name)s owes nothing.") % {"name": one.player.name})
    try:
        with transaction.atomic():
            made = FeePayment.objects.create(member=one, amount=amount)
    except IntegrityError:  # somebody else at the door was quicker
        return FeePayment.objects.get(member=one, undone_at=None)
    history.note(actor, "took fee", made, session=session)
    return made


@transaction.atomic
def give_back(*, session: Session, actor: Actor, member: int) -> None:
    """The tick was a mistake, or the money has been given back; nothing happens where there is none."""
    one = _member(session, member)
    held = FeePayment.objects.select_for_update(no_key=True).filter(member=one, undone_at=None).first()
    if held is not None:
        held.undone_at = timezone.now()
        held.save(update_fields=["undone_at"])
        history.note(actor, "gave fee back", held, session=session)


def _member(session: Session, pk: int) -> Member:
    own = Member.objects.filter(session=session, pk=pk)
    found = own.select_related("player", "contestant").first()
    if found is None:
        raise Missing("no-such-player", _("Nobody of this session has this number."))
    return found
