"""Links on guide cards: each opens what one contestant has played in one session, and nothing else.

They are made with the cards, and those of the next cards end them. Of a secret only the SHA-256 is kept: it
stands on the card alone. They end with the time for corrections, or after thirty days.
"""

import secrets
from collections.abc import Collection
from datetime import timedelta
from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from ..models import Account, Contestant, EveningLink, Player, Session
from . import custody, history

LIFE = timedelta(days=30)
OPEN_IN = (*Session.COMING, Session.State.PLAYED, Session.State.PROVISIONAL)


def digest_of(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def path_of(secret: str) -> str:
    """The address of a card, in the language of whoever opens it."""
    return f"/players/card/{secret}/"


def may_make(session: Session, account: Account, held: Collection[int] = ()) -> bool:
    """Whether the cards that somebody prints have links: not those of an official who plays, who would open
    the evening of everybody else by them. `held`: players whose links have been used in their browser."""
    return _takes_corrections(session) and not custody.plays_here(account, session, held)


def _takes_corrections(session: Session) -> bool:
    until = session.corrections_until
    return session.state in OPEN_IN and (until is None or until > timezone.now())


@transaction.atomic
def make(*, session: Session, contestants: Collection[int], actor: history.Actor) -> dict[int, str]:
    """A new secret for each of these contestants who is somebody in the register; earlier ones end."""
    earlier = EveningLink.objects.filter(contestant__session=session, contestant__in=contestants)
    ended, _tables = earlier.delete()
    there = Contestant.objects.filter(session=session, pk__in=contestants, members__player__erased_at=None)
    people = there.filter(members__isnull=False).distinct().order_by("pk").values_list("pk", flat=True)
    made = {contestant: secrets.token_urlsafe(16) for contestant in people}
    now = timezone.now()
    EveningLink.objects.bulk_create(
        EveningLink(contestant_id=contestant, digest=digest_of(secret), made_at=now, ends_at=now + LIFE)
        for contestant, secret in made.items()
    )
    if made or ended:
        history.note(actor, "made evening links", session, session=session, count=len(made), ended=ended)
    return made


def with_digest(digest: str) -> EveningLink | None:
    """The link that has not ended."""
    whole = EveningLink.objects.select_related("contestant__session__tournament__club")
    link = whole.filter(digest=digest, ends_at__gt=timezone.now()).first()
    return link if link is not None and _takes_corrections(link.contestant.session) else None


def player_of(link: EveningLink) -> Player | None:
    """As whom its bearer looks: the contestant, or the first of its members."""
    there = Player.objects.filter(memberships__contestant=link.contestant_id, erased_at=None)
    return there.order_by("memberships__pk").first()


def end(player: Player) -> None:
    """What stands on the cards of a player opens nothing any more."""
    EveningLink.objects.filter(contestant__members__player=player).delete()
