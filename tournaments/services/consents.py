"""Who has agreed that their names are published, of many players of a register at once: as somebody tells who
has asked them. One act, which the history keeps with who said so, and which is undone as one."""

from collections.abc import Collection
from uuid import uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from ..models import Club, HistoryEntry, Player
from . import history, roles
from .errors import Conflict, Invalid
from .register import Actor, check_may_change

RECORDED = {True: "recorded consent", False: "recorded refusal"}
"""What the history calls it: an entry for each player, all of one act."""
AT_MOST = 500


@transaction.atomic
def record(*, club: Club, actor: Actor | None, players: Collection[int], consent: bool, told: str) -> str:
    """These players of the register (their ids) have agreed that their names are published, or have not;
    `told`: who said so, and how. The name of the act, by which it is taken back; "" where nothing is new.
    Forbidden but for those who may change the register."""
    check_may_change(actor, club)
    if not told.strip():
        raise Invalid("no-reason", _("Say who said so, and when: the history keeps it."))
    if not players:
        raise Invalid("nobody-chosen", _("Choose the players whom it is about."))
    if len(players) > AT_MOST:
        message = _("At most %(most)d players at once.")
        raise Invalid("too-many", message % {"most": AT_MOST})
    roles.lock(club)
    own = Player.objects.in_register().filter(club=club, pk__in=list(players))
    return _decide(club, actor, own.exclude(consent=consent), consent, told)


@transaction.atomic
def take_back(*, club: Club, actor: Actor | None, act: str) -> None:
    """What an act has recorded is as it was before, but for players of whom somebody has said something
    since. Conflict where that is all of them."""
    check_may_change(actor, club)
    roles.lock(club)
    recorded = HistoryEntry.objects.of(club=club).filter(detail__act=act)
    last = dict(recorded.order_by("pk").values_list("subject", "pk"))
    consent = recorded.filter(verb=RECORDED[True]).exists()
    said_since = HistoryEntry.objects.of(club=club).filter(
        subject__in=last, pk__gt=max(last.values(), default=0)
    )
    alone = last.keys() - set(said_since.values_list("subject", flat=True))
    ids = [int(subject.rpartition(" ")[2]) for subject in alone]
    own = Player.objects.in_register().filter(club=club, pk__in=ids, consent=consent)
    if not _decide(club, actor, own, not consent, _("Undone at once.")):
        raise Conflict("changed-meanwhile", _("Something else has been said of these players since."))


def _decide(club: Club, actor: Actor | None, players: QuerySet[Player], consent: bool, told: str) -> str:
    """Whoever calls holds the club's lock."""
    changed = list(players.order_by("pk"))
    if not changed:
        return ""
    Player.objects.filter(pk__in=[one.pk for one in changed]).update(consent=consent)
    act = uuid4().hex
    detail = {
        "act": act,
        "count": len(changed),
        "reason": told,
    }  # its own words for each: they are erased apart
    history.note_all(actor, RECORDED[consent], [(one, detail) for one in changed], club=club)
    return act
