"""Substitutes: somebody plays some rounds in the place of a contestant's member. The contestant stays who it
is; the session says who is credited with what was played."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Account, Contestant, Member, Play, Player, Role, Session, Substitution, Token
from ..models.accounts import RoleKind
from . import custody, entries, history, register
from .errors import Conflict, Forbidden, Invalid, Missing


def may_enter(actor: Account | Token, session: Session) -> bool:
    """Whether somebody may say who plays in a session: its organisers and directors."""
    if register.may_change(actor, session.tournament.club):
        return True
    if isinstance(actor, Token):
        return actor.role is not None and _directs(actor.role, session)
    own = Role.objects.in_force().filter(account=actor, session=session)
    return actor.is_active and any(_directs(role, session) for role in own)


def _directs(role: Role, session: Session) -> bool:
    return role.session_id == session.pk and role.kind in (RoleKind.ORGANISER, RoleKind.DIRECTOR)


def of(session: Session) -> QuerySet[Substitution]:
    """The substitutions of a session that count, by contestant and round."""
    own = Substitution.objects.filter(contestant__session=session, undone_at=None)
    return own.select_related("contestant__session", "player", "for_player").order_by(
        "contestant__number", "first_round", "pk"
    )


def credited(substitution: Substitution) -> tuple[Player, ...]:
    """Who has to their credit what a substitute plays, as the session's rules say; the contestant always
    has."""
    rule = substitution.contestant.session.substitutes_credited
    both = (substitution.player, substitution.for_player)
    return {Session.Credited.SUBSTITUTE.value: both[:1], Session.Credited.MEMBER.value: both[1:]}.get(
        rule, both
    )


@dataclass(frozen=True, slots=True)
class SubstitutePrice:
    """What a substitution does. `boards`: how many the contestant plays in its rounds; `entered`: how many of
    these have a result already; `credited`: the players to whom the results are credited."""

    boards: int
    entered: int
    credited: tuple[Player, ...]


def price_of(substitution: Substitution) -> SubstitutePrice:
    """Two queries. No list changes by a substitution: what is played counts for the contestant, in lists of
    its members as before."""
    rounds = (substitution.first_round, substitution.last_round)
    own = Play.objects.filter(seatings__contestant=substitution.contestant_id, round__range=rounds)
    entered = own.exclude(result=None).values("pk").distinct().count()
    return SubstitutePrice(own.values("pk").distinct().count(), entered, credited(substitution))


@transaction.atomic
def substitute(
    *,
    session: Session,
    actor: Account | Token | None,
    contestant: int,
    player: int,
    for_player: int,
    first_round: int,
    last_round: int,
) -> Substitution:
    """A player of the club's register plays these rounds in the place of a contestant's member (`contestant`:
    its number; the players: their ids). Invalid: there are no such rounds or players. Conflict: the player is
    entered already or has had custody of the boards, or somebody else plays for that member."""
    session = (
        Session.objects.select_for_update(no_key=True, of=("self",))
        .select_related("tournament__club", "board_set")
        .get(pk=session.pk)
    )
    _check_may(actor, session)
    last = Play.objects.filter(table__section__session=session).aggregate(last=Max("round"))["last"] or 0
    if not 1 <= first_round <= last_round <= last:
        message = _("The session has the rounds 1 to %(last)d: the first is not after the last.")
        raise Invalid("no-such-round", message % {"last": last}, {"rounds": last})
    own = _contestant(session, contestant)
    member = own.members.select_related("player").filter(player=for_player).first()
    if member is None:
        message = _("Contestant %(number)d has no such member.")
        raise Invalid("no-such-member", message % {"number": contestant}, {"player": for_player})
    entries.check(session.tournament.club, [entries.Entrant(players=(player,))])
    then = {"first_round__lte": last_round, "last_round__gte": first_round}
    other = of(session).filter(for_player=for_player, **then).first()
    if other is not None:
        message = _("%(name)s plays for %(member)s in these rounds already.")
        facts = {"name": other.player.name, "member": member.player.name}
        raise Conflict("substituted-already", message % facts, {"substitution": other.pk})
    # One substitute may play for the same contestant in other rounds too, and for nobody else.
    again = of(session).filter(player=player, contestant=own).exclude(**then)
    entries.check_free(
        session, [player], session.board_set.commitment, but=again.values_list("pk", flat=True)
    )
    made = Substitution.objects.create(
        contestant=own,
        player_id=player,
        for_player_id=for_player,
        first_round=first_round,
        last_round=last_round,
    )
    custody.check_players(session)
    history.note(
        actor,
        "substituted",
        made,
        session=session,
        contestant=contestant,
        player=player,
        for_player=for_player,
        rounds=[first_round, last_round],
    )
    return made


@transaction.atomic
def undo(*, substitution: Substitution, actor: Account | Token | None) -> None:
    """The member has played these rounds after all. A second time nothing happens."""
    session = substitution.contestant.session
    _check_may(actor, session)
    own = Substitution.objects.filter(pk=substitution.pk, undone_at=None)
    if own.update(undone_at=timezone.now()):
        history.note(actor, "undid substitution", substitution, session=session)


def _check_may(actor: Account | Token | None, session: Session) -> None:
    if actor is not None and not may_enter(actor, session):
        raise Forbidden("may-not-enter", _("Organisers and directors of the session say who plays in it."))


def _contestant(session: Session, number: int) -> Contestant:
    found = session.contestants.filter(number=number).first()
    if found is None:
        message = _("The session has no contestant %(number)d.")
        raise Missing("no-such-contestant", message % {"number": number})
    return found


def members_of(session: Session) -> Collection[Member]:
    """Everybody for whom somebody may play, by contestant."""
    own = Member.objects.filter(session=session).select_related("contestant", "player")
    return own.order_by("contestant__number", "pk")
