"""Tokens: each has a prefix, by which it is found, and a secret of 256 bits, which is shown once."""

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from hmac import compare_digest
from time import monotonic
from typing import Protocol

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Club, Player, Session, Table, Token
from ..models.accounts import Kind
from . import accounts, history, register, roles
from .errors import Conflict, Missing

FORM = re.compile(r"etui_([0-9a-z]{8})_([A-Za-z0-9_-]{43})")
REMEMBERED_SECONDS, REMEMBERED_AT_MOST = 60.0, 20_000
TABLE_TOKEN_LIFE = timedelta(days=30)
BROWSER_TOKEN_LIFE = timedelta(days=180)


def _issue(**holder: object) -> tuple[Token, str]:
    secret = secrets.token_urlsafe(32)
    alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"
    prefix = "".join(secrets.choice(alphabet) for _i in range(8))
    token = Token.objects.create(prefix=prefix, digest=_digest(secret), **holder)
    return token, f"etui_{prefix}_{secret}"


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


class Claim(Protocol):
    """What says that its bearer holds a token: a token itself, or what was read of a request."""

    @property
    def prefix(self) -> str: ...

    @property
    def digest(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Words:
    """A claim as a request makes it."""

    prefix: str
    digest: str


def claim_of(text: str) -> Words | None:
    """What a text claims; None if it has not the form of a token."""
    form = FORM.fullmatch(text)
    return None if form is None else Words(form[1], _digest(form[2]))


def holder_of(text: str) -> Token | None:
    """The valid token that a text stands for, with its holder; None for any other text."""
    claim = claim_of(text)
    if claim is None:
        return None
    token = _with_holders(Token.objects.valid()).filter(prefix=claim.prefix).first()
    return token if token is not None and compare_digest(token.digest, claim.digest) else None


def holders(claims: Iterable[Claim]) -> list[Token | None]:
    """The token of each claim, with its holder. It may have ended: the caller asks for that too, in a query
    that it makes anyway. Holders are remembered for a minute, so a new name shows a little late."""
    wanted, now = list(claims), monotonic()
    there = {one.prefix: _remembered.get(one.prefix, NOBODY) for one in wanted}
    if unknown := [prefix for prefix, (_token, until) in there.items() if until < now]:
        if len(_remembered) + len(unknown) > REMEMBERED_AT_MOST:
            _remembered.clear()
        for token in _with_holders(Token.objects.filter(prefix__in=unknown)):
            there[token.prefix] = _remembered[token.prefix] = token, now + REMEMBERED_SECONDS
    tokens = [there[one.prefix][0] for one in wanted]
    return [
        token if token is not None and compare_digest(token.digest, one.digest) else None
        for token, one in zip(tokens, wanted, strict=True)
    ]


NOBODY: tuple[Token | None, float] = (None, 0.0)
_remembered: dict[str, tuple[Token | None, float]] = {}


def _with_holders(tokens: QuerySet[Token]) -> QuerySet[Token]:
    return tokens.select_related("role__club", "role__account", "table__section", "player")


@transaction.atomic
def issue_for_role(*, person: str, club: Club, kind: Kind) -> tuple[Token, str]:
    """A token for a person's role in a club, which an operator grants where they do not have it. The person
    is found as `accounts.named` says, and has a new account if there is nobody of that name."""
    roles.lock(club)  # or two at once would make two accounts
    role, _is_new = roles.grant(
        account=accounts.named(person), kind=kind, place=roles.Place(club), actor=None
    )
    return _issue(role=role)


@transaction.atomic
def issue_for_player(*, name: str, club: Club) -> tuple[Token, str]:
    """A token for a player of a club, who must exist."""
    player = register.player_named(club, name)
    if player is None:
        message = _("%(club)s has no player named %(name)s.") % {"club": club.name, "name": name}
        raise Missing("no-such-player", message)
    return _issue(player=player)


def issue_for_browser(*, player: Player) -> Token:
    """A token of a player who has followed a link. Its text is kept by nobody: the browser's session is known
    by the token's row."""
    token, _text = _issue(player=player, expires_at=timezone.now() + BROWSER_TOKEN_LIFE)
    return token


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
    own = list(tables.order_by("section__name", "number"))
    if not own:
        if table is not None:
            raise Missing("no-such-table", _("There is no such table in your charge."))
        raise Missing("no-such-section", _("There is no such section in your charge."))
    Token.objects.filter(table__in=tables, revoked_at=None).update(revoked_at=timezone.now())
    expires = timezone.now() + TABLE_TOKEN_LIFE
    texts = [(table, _issue(table=table, expires_at=expires)[1]) for table in own]
    history.note(actor, "issued table tokens", session, session=session, tables=len(texts))
    return texts
