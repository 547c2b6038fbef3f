"""Tokens: each has a prefix, by which it is found, and a secret of 256 bits, which is shown once."""

import re
import secrets
from datetime import timedelta
from hashlib import sha256
from hmac import compare_digest

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Club, Person, Player, Role, Session, Table, Token
from . import history
from .errors import Conflict, Missing

FORM = re.compile(r"etui_([0-9a-z]{8})_([A-Za-z0-9_-]{43})")
TABLE_TOKEN_LIFE = timedelta(days=30)


def _issue(**holder: object) -> tuple[Token, str]:
    secret = secrets.token_urlsafe(32)
    alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"
    prefix = "".join(secrets.choice(alphabet) for _i in range(8))
    token = Token.objects.create(prefix=prefix, digest=_digest(secret), **holder)
    return token, f"etui_{prefix}_{secret}"


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def holder_of(text: str) -> Token | None:
    """The valid token that a text stands for, with its holder; None for any other text."""
    form = FORM.fullmatch(text)
    if form is None:
        return None
    prefix, secret = form.groups()
    tokens = Token.objects.valid().select_related("role__club", "role__person", "table__section", "player")
    token = tokens.filter(prefix=prefix).first()
    if token is None or not compare_digest(token.digest, _digest(secret)):
        return None
    return token


@transaction.atomic
def issue_for_role(*, person: str, club: Club, kind: Role.Kind) -> tuple[Token, str]:
    """A token for a person's role in a club; the person is created if there is none of that name."""
    the_person, _made = Person.objects.get_or_create(name=person)
    role, _made = Role.objects.get_or_create(person=the_person, club=club, kind=kind)
    return _issue(role=role)


@transaction.atomic
def issue_for_player(*, name: str, club: Club) -> tuple[Token, str]:
    """A token for a player of a club, who must exist."""
    player = Player.objects.filter(club=club, name=name).first()
    if player is None:
        message = _("%(club)s has no player named %(name)s.") % {"club": club.name, "name": name}
        raise Missing("no-such-player", message)
    return _issue(player=player)


@transaction.atomic
def issue_for_tables(
    *, session: Session, actor: Token, section: str | None = None, table: int | None = None
) -> list[tuple[Table, str]]:
    """A new token for each table in the actor's charge, or only for those of a section or a number. The
    earlier tokens of these tables stop working."""
    if session.state != Session.State.OPEN:
        raise Conflict("session-finished", _("The session is finished."))
    tables = Table.objects.filter(section__session=session).select_related("section")
    if actor.organised_club != session.tournament.club_id:
        tables = tables.filter(section__club=actor.scored_club or 0)
    if section is not None:
        tables = tables.filter(section__name=section)
    if table is not None:
        tables = tables.filter(number=table)
    chosen = list(tables.order_by("section__name", "number"))
    if not chosen:
        if table is not None:
            raise Missing("no-such-table", _("There is no such table in your charge."))
        raise Missing("no-such-section", _("There is no such section in your charge."))
    Token.objects.filter(table__in=chosen, revoked_at=None).update(revoked_at=timezone.now())
    expires = timezone.now() + TABLE_TOKEN_LIFE
    issued = [(table, _issue(table=table, expires_at=expires)[1]) for table in chosen]
    history.note(actor, "issued table tokens", session, session=session, tables=len(issued))
    return issued
