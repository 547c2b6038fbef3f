"""Tokens: each has a prefix, by which it is found, and a secret of 256 bits, which is shown once. It belongs
to a role of somebody, to a table or to a player, does what its scopes say, and ends."""

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from hmac import compare_digest
from time import monotonic
from typing import Any, Protocol

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Account, Club, Player, Role, Section, Session, Table, Token
from ..models.accounts import RoleKind, Scope
from . import accounts, history, register, roles, token_uses
from .errors import Conflict, Forbidden, Invalid, Missing

FORM = re.compile(r"etui_([0-9a-z]{8})_([A-Za-z0-9_-]{43})")
REMEMBERED_SECONDS, REMEMBERED_AT_MOST = 60.0, 20_000
TABLE_TOKEN_LIFE = timedelta(days=30)
OWN_SCOPES = (Scope.READ, Scope.ENTER)  # of a table: its results; of a player: themselves, in lists
DAYS, MOST_DAYS = 90, 365  # that a token lasts
MOST_OF_ONE = 50  # tokens in force of an account
BROWSER_TOKEN_LIFE = timedelta(days=180)


def _issue(scopes: Iterable[Scope], **rest: object) -> tuple[Token, str]:
    secret = secrets.token_urlsafe(32)
    alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"
    prefix = "".join(secrets.choice(alphabet) for _i in range(8))
    named = " ".join(scope.value for scope in scopes)
    token = Token.objects.create(prefix=prefix, digest=_digest(secret), scopes=named, **rest)
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
    if token is None or not compare_digest(token.digest, claim.digest):
        return None
    token_uses.note([token])
    return token


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
    known = [
        token if token is not None and compare_digest(token.digest, one.digest) else None
        for token, one in zip(tokens, wanted, strict=True)
    ]
    token_uses.note(known)
    return known


NOBODY: tuple[Token | None, float] = (None, 0.0)
_remembered: dict[str, tuple[Token | None, float]] = {}


def _with_holders(tokens: QuerySet[Token]) -> QuerySet[Token]:
    return tokens.select_related("role__club", "role__session", "role__account", "table__section", "player")


def out_of_scope(scope: Scope) -> Forbidden:
    """The refusal of what a token was not made for."""
    message = _("This token was not made for that: it lacks the scope “%(scope)s”.")
    return Forbidden("out-of-scope", message % {"scope": scope.value}, {"scope": scope.value})


# ── Tokens of people ──────────────────────────────────────────────────────────────────────────────


def of(account: Account) -> QuerySet[Token]:
    """The tokens in force of an account, with their roles: the newest first."""
    own = Token.objects.valid().filter(role__account=account)
    return own.select_related("role__club", "role__session__tournament__club").order_by("-pk")


def ending(account: Account, days: int = 14) -> QuerySet[Token]:
    """Those that end in the next days."""
    return of(account).filter(expires_at__lte=timezone.now() + timedelta(days=days))


@transaction.atomic
def make(
    *, role: Role, name: str, scopes: Iterable[str], days: int = DAYS, actor: Account | None
) -> tuple[Token, str]:
    """A token for a role, and its text, which is nowhere else. Without an actor an operator makes it.
    Forbidden for another's role, and for what the role may not do itself."""
    held = Role.objects.in_force().select_for_update(of=("self",), no_key=True).filter(pk=role.pk).first()
    if held is None or (actor is not None and held.account_id != actor.pk):
        raise Forbidden("foreign-role", _("This role is not yours, or it has ended."))
    if not name.strip() and actor is not None:
        raise Invalid("no-name", _("A token needs a name: what will use it?"))
    _check_days(days)
    if of(held.account).count() >= MOST_OF_ONE:
        raise Conflict("too-many-tokens", _("You have too many tokens: revoke some first."))
    wanted = set(scopes)
    chosen = [scope for scope in Scope if scope in wanted]
    if not chosen or len(chosen) < len(wanted):
        raise Invalid("bad-scopes", _("Say what the token is for: %(scopes)s.") % {"scopes": _list_of(Scope)})
    if not set(chosen) <= set(held.scopes):
        message = _("This role gives no more than: %(scopes)s.") % {"scopes": _list_of(held.scopes)}
        raise Forbidden("beyond-role", message)
    ends = timezone.now() + timedelta(days=days)
    token, text = _issue(chosen, role=held, name=name.strip(), expires_at=ends)
    _note(actor, "made token", token)
    return token, text


def _check_days(days: int) -> None:
    if not 1 <= days <= MOST_DAYS:
        raise Invalid("bad-days", _("A token lasts from 1 to %(most)d days.") % {"most": MOST_DAYS})


def _list_of(scopes: Iterable[Scope]) -> str:
    return ", ".join(str(scope.label) for scope in scopes)


@transaction.atomic
def rotate(*, token: Token, actor: Account) -> tuple[Token, str]:
    """The same token with a new text, for as many days as it had; the one before stops working. Conflict if
    it has ended."""
    _check_own(token, actor)
    assert token.role is not None
    assert token.expires_at is not None
    if not _end(token):
        raise Conflict("token-ended", _("This token has ended: make a new one."))
    days = round((token.expires_at - token.created_at) / timedelta(days=1))
    new, text = _issue(
        [Scope(name) for name in token.scopes.split()],
        role=token.role,
        name=token.name,
        expires_at=timezone.now() + timedelta(days=min(max(days, 1), MOST_DAYS)),
    )
    _note(actor, "rotated token", new, before=token.pk)
    return new, text


@transaction.atomic
def revoke(*, token: Token, actor: Account) -> None:
    """It stops working at once. A second time nothing happens."""
    _check_own(token, actor)
    if _end(token):
        _note(actor, "revoked token", token)


def _check_own(token: Token, actor: Account) -> None:
    if token.role is None or token.role.account_id != actor.pk:
        raise Forbidden("foreign-token", _("This token is not yours."))


def _end(token: Token) -> bool:
    """Whether it was in force until now."""
    return bool(Token.objects.valid().filter(pk=token.pk).update(revoked_at=timezone.now()))


def _note(actor: Account | None, verb: str, token: Token, **detail: Any) -> None:
    assert token.role is not None
    assert token.expires_at is not None
    place = roles.RolePlace.of(token.role)
    ends = token.expires_at.isoformat(timespec="seconds")
    roles.note(actor, verb, token, place, role=token.role_id, scopes=token.scopes, ends=ends, **detail)


@transaction.atomic
def issue_for_role(
    *,
    person: str,
    club: Club,
    kind: RoleKind,
    days: int = DAYS,
    scopes: Iterable[str] = (),
    name: str = "",
) -> tuple[Token, str]:
    """A token for a person's role in a club, which an operator grants where they do not have it; by default
    for all that the role may do. The person is found as `accounts.of_name` says, and has a new account if
    there is nobody of that name."""
    roles.lock(club)  # or two at once would make two accounts
    role, _is_new = roles.grant(
        account=accounts.of_name(person), kind=kind, place=roles.RolePlace(club), actor=None
    )
    return make(role=role, name=name, scopes=list(scopes) or role.scopes, days=days, actor=None)


# ── Tokens of players and tables ──────────────────────────────────────────────────────────────────


@transaction.atomic
def issue_for_player(*, name: str, club: Club, days: int = DAYS) -> tuple[Token, str]:
    """A token for a player of a club, who must exist."""
    player = register.player_named(club, name)
    if player is None:
        message = _("%(club)s has no player named %(name)s.") % {"club": club.name, "name": name}
        raise Missing("no-such-player", message)
    _check_days(days)
    return _issue(OWN_SCOPES, player=player, expires_at=timezone.now() + timedelta(days=days))


def issue_for_browser(*, player: Player) -> Token:
    """A token of a player who has followed a link. Its text is kept by nobody: the browser's session is known
    by the token's row."""
    token, _text = _issue(OWN_SCOPES, player=player, expires_at=timezone.now() + BROWSER_TOKEN_LIFE)
    return token


def issue_for_link(*, table: Table, issued_by: Role | None, life: timedelta) -> Token:
    """A token of a table for the phones that have its link (`table_links`): nobody has its text."""
    expires = timezone.now() + life
    return _issue(OWN_SCOPES, table=table, issued_by=issued_by, expires_at=expires)[0]


@transaction.atomic
def issue_for_robots(*, session: Session) -> dict[int, Token]:
    """A token for each table of a session, by the table's id, whose text nobody has: for those who hand in
    results in this process."""
    tables = Table.objects.filter(section__session=session).order_by("pk")
    expires = timezone.now() + TABLE_TOKEN_LIFE
    return {table.pk: _issue(OWN_SCOPES, table=table, expires_at=expires)[0] for table in tables}


@transaction.atomic
def issue_for_tables(
    *, session: Session, actor: Token, section: str | None = None, table: int | None = None
) -> list[tuple[Table, str]]:
    """A new token for each table in the actor's charge, or only for those of a section or a number. The
    earlier tokens of these tables stop working. Results that come by a scorer's open no board
    (`open_boards.over_in`)."""
    if session.state not in Session.COMING:
        raise Conflict("session-finished", _("The session is finished."))
    charge = Section.objects.scored_by(actor).filter(session=session)
    tables = Table.objects.filter(section__in=charge).select_related("section")
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
    texts = [
        (table, _issue(OWN_SCOPES, table=table, issued_by=actor.role, expires_at=expires)[1]) for table in own
    ]
    history.note(actor, "issued table tokens", session, session=session, tables=len(texts))
    return texts
