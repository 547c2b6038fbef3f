"""Officials who play, too: what came of a play that they sat at, somebody else decides."""

from collections.abc import Collection

from django.db.models import Exists, OuterRef

from ..models import Account, Member, Seating, Session, Submission, Substitution, Token
from . import custody
from .errors import Forbidden


def sat_at(actor: Token | Account | None, session: Session, plays: Collection[int]) -> bool:
    """Whether an official has played at one of these tables then, or stood in for somebody. A few queries,
    whatever their number."""
    account = actor if isinstance(actor, Account) or actor is None else actor.role and actor.role.account
    players = [one.pk for one in custody.seats_of(account, session)] if account and plays else []
    if not players:
        return False
    of_seat = {"contestant": OuterRef("contestant"), "player__in": players}
    then = {"first_round__lte": OuterRef("play__round"), "last_round__gte": OuterRef("play__round")}
    member = Exists(Member.objects.filter(**of_seat))
    substitute = Exists(Substitution.objects.filter(**of_seat, **then, undone_at=None))
    return Seating.objects.filter(member | substitute, play__in=plays).exists()


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
