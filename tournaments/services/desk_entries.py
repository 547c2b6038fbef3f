"""Results that officials enter at the desk: as by a token of the role in which they do; nobody holds it."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from engines import records, registry

from ..models import Account, Play, Role, Section, Session, Token
from ..models.access import ENTER, RUN_A_CLUB, RUN_A_SESSION
from ..models.accounts import Scope
from . import judging, roles, submissions, tokens
from .deliveries import ResultEntry, Stored
from .errors import Forbidden

NAME = "desk"  # of the tokens
DAYS = 2


def may_enter(account: Account, play: Play) -> bool:
    """Whether an account enters results of the section of a play."""
    return Section.objects.entered_by(account).filter(pk=play.table.section_id).exists()


def check(session: Session, play: Play, sheet: dict[str, Any]) -> None:
    """EngineError where a sheet breaks the rules of the game, whatever was dealt: nobody learns of the deal
    here."""
    conditions = {**session.conditions, "dealer": judging.dealer_of(session, play.board.number)}
    unseen = records.Record(registry.game(session.game), session.options, conditions, None)
    judging.judgement_of(unseen, {"sheet": sheet})


def enter(
    *, session: Session, play: Play, account: Account, key: UUID, sheet: dict[str, Any], reason: str = ""
) -> Stored:
    """Hand in a result as the account's role: judged a moment later, as any other. The same key again is the
    same submission. Forbidden for those who enter none here; refused as the pipeline refuses it."""
    if not may_enter(account, play):
        raise Forbidden("may-not-enter", _("You enter no results of this table."))
    entry = ResultEntry(
        section=play.table.section.name,
        table=play.table.number,
        board=play.board.number,
        key=key,
        content={"sheet": sheet},
        reason=reason,
    )
    sender = _token_of(account, session)
    return submissions.submit(session_id=session.pk, sender=sender, entries=[entry])[0]


@transaction.atomic
def _token_of(account: Account, session: Session) -> Token:
    """A token of the nearest role in which the account enters results there; its text is thrown away."""
    there = Q(session=session, kind__in=(*RUN_A_SESSION, *ENTER))
    there |= Q(club=session.tournament.club_id, kind__in=(*RUN_A_CLUB, *ENTER))
    own = Role.objects.in_force().filter(there, account=account)
    role = own.order_by("session", "pk").exclude(session=None).first() or own.order_by("pk").first()
    if role is None:
        raise Forbidden("may-not-enter", _("You enter no results of this table."))
    roles.lock(session.tournament.club)  # or two forms at once would make two
    held = Token.objects.valid().filter(role=role, name=NAME, scopes=Scope.ENTER.value)
    if (before := held.first()) is not None:
        return before
    return tokens.make(role=role, name=NAME, scopes=[Scope.ENTER], days=DAYS, actor=account)[0]
