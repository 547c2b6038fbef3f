"""Officials who play, too: what came of a play that they sat at, somebody else decides."""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet

from ..models import Account, Contestant, Member, Result, Seating, Session, Submission, Substitution, Token
from . import who_plays
from .errors import Forbidden


def sat_at(actor: Token | Account | None, session: Session, plays: Collection[int]) -> bool:
    """Whether an official has played at one of these tables then, or stood in for somebody. A few queries,
    whatever their number."""
    account = actor if isinstance(actor, Account) or actor is None else actor.role and actor.role.account
    players = [one.pk for one in who_plays.seats_of(account, session)] if account and plays else []
    return bool(players and _sat(players, plays))


def own_of(account: Account, session: Session, plays: Collection[int]) -> set[int]:
    """Those of these plays at which an account has sat. A few queries, whatever their number."""
    players = [one.pk for one in who_plays.seats_of(account, session)] if plays else []
    return _sat(players, plays) if players else set()


def is_one_of(actor: Token | Account | None, session: Session, contestants: QuerySet[Contestant]) -> bool:
    """Whether an official is a member of one of these contestants, or plays for one of them."""
    account = actor if isinstance(actor, Account) or actor is None else actor.role and actor.role.account
    players = [one.pk for one in who_plays.seats_of(account, session)] if account else []
    if not players:
        return False
    substitute = Q(substitutions__player__in=players, substitutions__undone_at=None)
    return contestants.filter(Q(members__player__in=players) | substitute).exists()


def _sat(players: Collection[int], plays: Collection[int]) -> set[int]:
    """At which of these plays one of these players has sat."""
    of_seat = {"contestant": OuterRef("contestant"), "player__in": players}
    then = {"first_round__lte": OuterRef("play__round"), "last_round__gte": OuterRef("play__round")}
    member = Exists(Member.objects.filter(**of_seat))
    substitute = Exists(Substitution.objects.filter(**of_seat, **then, undone_at=None))
    sat = Seating.objects.filter(member | substitute, play__in=plays)
    return set(sat.values_list("play", flat=True))


def entered_by_players(session: Session, plays: Collection[int] | None = None) -> frozenset[int]:
    """The plays, of all or of some, whose result was entered by an official who sat at the table: it is
    entered, and not confirmed. One query where no official has entered any, and a few for each who has."""
    entered = Result.objects.filter(session=session, submission__role__isnull=False)
    if plays is not None:
        entered = entered.filter(play__in=plays)
    accounts = Account.objects.filter(pk__in=entered.order_by().values("submission__role__account"))
    found: set[int] = set()
    for account in accounts.order_by("pk"):
        if players := [one.pk for one in who_plays.seats_of(account, session)]:
            own = entered.filter(submission__role__account=account)
            found |= _sat(players, list(own.values_list("play", flat=True)))
    return frozenset(found)


def check_sat_elsewhere(
    actor: Token | Account | None, session: Session, plays: Collection[int], message: str
) -> None:
    """Forbidden, with a message that says what somebody else does, for whoever sat at one of them."""
    if sat_at(actor, session, plays):
        raise Forbidden("own-play", message)


def replaces_others(actor: Token, session: Session, play: int) -> bool:
    """Whether a result that an official enters would stand for what somebody else has said of a play that the
    official sat at."""
    said = Submission.objects.filter(play=play).exclude(state=Submission.State.REFUSED)
    own = None if actor.role is None else actor.role.account_id
    return said.exclude(role__account=own).exists() and sat_at(actor, session, [play])
