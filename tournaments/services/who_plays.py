"""Who plays in a session, of those who have accounts: found by the account, by its names, and by the players'
links that a browser has used. Whoever plays sees and decides less (`custody`, `own_plays`), and what they
type for the tables counts later (`rankings`)."""

from collections import defaultdict
from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet

from ..models import Account, Member, Player, Role, Session, Substitution
from ..models.people import fold


def seats_of(account: Account, session: Session, held: Collection[int] = ()) -> list[Player]:
    """As which players of a session an account plays, or stands in for somebody; there, or where another club
    plays the same boards. A player who has no account
    may be anybody of the same name, now or formerly. `held`: players whose links the account's browser has
    used. Its time does not grow with the players of the session: it is asked under locks."""
    names = {fold(account.name), *account.former_names.values_list("folded", flat=True)} - {""}
    anybody = Q(account=None, folded__in=names)
    return list(_playing(session).filter(Q(account=account) | Q(pk__in=held) | anybody).order_by("pk"))


def roles_without_seat(session: Session) -> frozenset[int]:
    """The roles (by id, revoked ones too) at a session and its clubs whose holders do not play there, nor
    stand in for anybody, as `seats_of` finds them: what they enter for the tables tells them nothing. Of a
    player whose link their browser has used nothing is known here. Four queries, whoever plays."""
    clubs = {session.tournament.club_id, *session.sections.values_list("club", flat=True)}
    there = Role.objects.filter(Q(session=session) | Q(club__in=clubs))
    roles = dict(there.values_list("pk", "account"))
    names: dict[int, set[str]] = defaultdict(set)
    holders = Account.objects.filter(pk__in=set(roles.values()))
    for account, name, former in holders.values_list("pk", "name", "former_names__folded"):
        names[account] |= {fold(name), former or ""} - {""}
    anybody = Q(account=None, folded__in=set().union(*names.values()))
    own = _playing(session).filter(Q(account__in=set(names)) | anybody)
    playing = set(own.values_list("account", "folded"))
    accounts = {account for account, _name in playing if account is not None}
    called = {name for account, name in playing if account is None}
    seated = accounts | {account for account in names if not called.isdisjoint(names[account])}
    return frozenset(pk for pk, account in roles.items() if account not in seated)


def _playing(session: Session) -> QuerySet[Player]:
    """Whoever plays in a session, or stands in for somebody; there, or where another club plays the same
    boards."""
    shared = sessions_with_boards_of(session)
    member = Member.objects.filter(session__in=shared, player=OuterRef("pk"))
    substitute = Substitution.objects.filter(
        contestant__session__in=shared, undone_at=None, player=OuterRef("pk")
    )
    return Player.objects.filter(Exists(member) | Exists(substitute))


def sessions_with_boards_of(session: Session) -> QuerySet[Session] | list[Session]:
    """Itself, and those of other clubs that play the same leg of an event."""
    if session.leg_id is None:
        return [session]
    return Session.objects.filter(leg=session.leg_id)
