"""Links to the pages of tables: a code that is short enough to type, and too long to guess.

A code has 10 characters of an alphabet of 30, without those that look alike: 49 bits. An address may ask so
often at most (`limits`, "anonymous") that one of a thousand codes is found in a hundred years and more. A
new code of a table ends the one before; what was entered offline with that is kept for the director.
"""

import secrets
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from ..models import Account, LateEntry, Play, Section, Session, Table, TableLink, Token
from . import desk_entries, history, states, submissions, tokens
from .deliveries import ResultEntry, Stored
from .errors import Conflict, Forbidden, Missing

Actor = Token | Account

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # neither 0 and O, 1, I and L, nor U
LETTERS = 10
LIFE = timedelta(days=30)  # as a table's token
LATE_AT_MOST = 20  # that wait for one play
TOO_LATE = frozenset(["round-closed", "session-finished", "play-decided", "bad-token"])


# ── Codes ─────────────────────────────────────────────────────────────────────────────────────────


def _keys() -> list[str]:
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def _code(salt: str, key: str) -> str:
    number = int.from_bytes(salted_hmac("etui.table", salt, secret=key, algorithm="sha256").digest())
    letters = []
    for _place in range(LETTERS):
        number, letter = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[letter])
    return "".join(letters)


def _digest(code: str, key: str) -> str:
    return salted_hmac("etui.table.digest", code, secret=key, algorithm="sha256").hexdigest()


def code_of(link: TableLink) -> str | None:
    """The code of a link; None once the secret key that it was made under is gone: it opens nothing then."""
    codes = ((_code(link.salt, key), key) for key in _keys())
    return next((code for code, key in codes if _digest(code, key) == link.digest), None)


def is_code(text: str) -> bool:
    """Whether a text that has been `read` has the form of a code.

    >>> is_code("ABCDEFGH23"), is_code("ABCDEFGH2"), is_code("ABCDEFGH20")
    (True, False, False)
    """
    return len(text) == LETTERS and set(text) <= set(ALPHABET)


def read(text: str) -> str:
    """A code as somebody has typed it: small letters, and blanks or hyphens between.

    >>> read("abcd-efgh 23")
    'ABCDEFGH23'
    """
    return "".join(letter for letter in text.upper() if letter not in "- ")


def shown(code: str) -> str:
    """A code as it is printed.

    >>> shown("ABCDEFGH23")
    'ABCDE-FGH23'
    """
    return f"{code[:5]}-{code[5:]}"


def path_of(code: str) -> str:
    """The address of a table’s page, in the language of whoever opens it."""
    return f"/t/{code}"


def with_code(text: str) -> TableLink | None:
    """The link of a code, also of one that has ended; None for any other text."""
    code = read(text)
    if len(code) != LETTERS or not set(code) <= set(ALPHABET):
        return None
    digests = [_digest(code, key) for key in _keys()]
    whole = TableLink.objects.select_related(
        "token__table__section", "table__section__session__tournament__club", "table__section__session__tally"
    )
    return whole.filter(digest__in=digests).first()


def tables_with_codes(texts: Collection[str]) -> dict[str, int]:
    """By code, the table that it opens; codes that open nothing, or no longer, are left out. One query."""
    told = {text: [_digest(read(text), key) for key in _keys()] for text in texts}
    wanted = [digest for digests in told.values() for digest in digests]
    found = dict(TableLink.objects.in_force().filter(digest__in=wanted).values_list("digest", "table"))
    return {text: found[one] for text, digests in told.items() for one in digests if one in found}


def is_in_force(link: TableLink) -> bool:
    token = link.token
    return token.revoked_at is None and (token.expires_at is None or token.expires_at > timezone.now())


# ── Who makes them ────────────────────────────────────────────────────────────────────────────────


def tables_of(session: Session, actor: Actor) -> QuerySet[Table]:
    """The tables whose links somebody makes and sees: those in their charge."""
    own = Section.objects.scored_by(actor).filter(session=session)
    return Table.objects.filter(section__in=own).select_related("section").order_by("section__name", "number")


def in_force(session: Session, actor: Actor) -> list[TableLink]:
    """The links of the tables in somebody's charge."""
    own = TableLink.objects.in_force().filter(table__in=tables_of(session, actor))
    return list(own.select_related("table__section").order_by("table__section__name", "table__number"))


@transaction.atomic
def make(*, session: Session, actor: Actor, tables: Collection[int] | None = None) -> list[TableLink]:
    """A new link for each table in the actor's charge that has none; of `tables` (by their ids) also where
    there is one, which ends. Conflict once the session is over, Forbidden for whoever has no tables here."""
    session = states.held(session)
    if session.state not in Session.COMING:
        raise Conflict("session-finished", _("The session is finished."))
    own = tables_of(session, actor)
    if not own.exists():
        raise Missing("no-such-section", _("There is no such section in your charge."))
    linked = TableLink.objects.in_force().filter(table__in=own).values("table")
    wanted = own.exclude(pk__in=linked) if tables is None else own.filter(pk__in=tables)
    issuer = actor.role if isinstance(actor, Token) else None
    if isinstance(actor, Account):
        number = history.nearest_role(actor, session, None)
        issuer = actor.roles.filter(pk=number or 0).first()
    made = [_make(table, issuer) for table in wanted]
    if made:
        history.note(actor, "made table links", session, session=session, tables=len(made))
    return made


def _make(table: Table, issuer: Any) -> TableLink:
    old = Token.objects.filter(table_link__table=table, revoked_at=None)
    old.update(revoked_at=timezone.now())
    token = tokens.issue_for_link(table=table, issued_by=issuer, life=LIFE)
    salt, key = secrets.token_hex(16), settings.SECRET_KEY
    return TableLink.objects.create(
        table=table, token=token, salt=salt, digest=_digest(_code(salt, key), key)
    )


# ── What comes too late ───────────────────────────────────────────────────────────────────────────


def play_of(link: TableLink, board: int) -> Play:
    """What a table plays with a board. Missing: nothing."""
    play = Play.objects.filter(table=link.table_id, board__number=board).select_related("board").first()
    if play is None:
        message = _("This table does not play board %(board)d.") % {"board": board}
        raise Missing("no-such-play", message)
    return play


def hand_in(
    *,
    link: TableLink,
    board: int,
    key: UUID,
    sheet: dict[str, Any] | None = None,
    actions: Sequence[str] | None = None,
    seat: int | None = None,
    reason: str = "",
    check: str = "",
) -> Stored | LateEntry:
    """Hand in a result of the table, as its phones do: its sheet, or the whole play as `actions`. What can no
    longer be entered is kept for the director: the round, the session or the link has ended since it was
    played. The same key again changes nothing. Refused as any result, for any other reason."""
    section = link.table.section
    entry = ResultEntry(
        section=section.name,
        table=link.table.number,
        board=board,
        key=key,
        content={"sheet": sheet} if actions is None else {"actions": list(actions)},
        seat=seat,
        reason=reason,
        check=check,
    )
    kept = LateEntry.objects.filter(link=link, key=key).first()
    if kept is not None:
        return kept
    try:
        if not is_in_force(link):
            raise Conflict("bad-token", _("This link has ended."))
        return submissions.submit(session_id=section.session_id, sender=link.token, entries=[entry])[0]
    except submissions.BadToken:
        return _keep(link, entry, "bad-token")
    except Conflict as error:
        if error.code not in TOO_LATE:
            raise
        return _keep(link, entry, error.code)


@transaction.atomic
def _keep(link: TableLink, entry: ResultEntry, why: str) -> LateEntry:
    """Keep a result that came too late. What no deal of the board could be is refused as ever: nobody has to
    look at it; a whole play waits unread, since only the deal says what it is worth. Conflict: as many wait
    for this play already as somebody could look at."""
    play = play_of(link, entry.board)
    session = states.held(link.table.section.session)
    before = play.submissions.filter(table=link.table_id, key=entry.key).first()
    if before is None and "sheet" in entry.content:
        desk_entries.check(session, play, entry.content["sheet"])
    if LateEntry.objects.filter(play=play, settled_at=None).count() >= LATE_AT_MOST:
        raise Conflict("too-many-late", _("The director has results of this board already: ask there."))
    made, is_new = LateEntry.objects.get_or_create(
        link=link,
        key=entry.key,
        defaults={"play": play, "content": entry.content, "seat": entry.seat, "why": why},
    )
    if is_new:
        history.note(link.token, "handed in late", made, session=session, board=play.board.number, why=why)
    return made


def late(session: Session, actor: Actor) -> QuerySet[LateEntry]:
    """What waits for a decision, for those who enter the results of its table."""
    own = LateEntry.objects.filter(settled_at=None, play__table__in=tables_of(session, actor))
    return own.select_related("play__board", "play__table__section").order_by("pk")


def settle(*, entry: LateEntry, account: Account, take: bool, reason: str = "") -> LateEntry:
    """Enter a late result as the account's own, or leave it. A second time nothing happens. Refused as any
    result that an official enters."""
    session = entry.play.table.section.session
    if not tables_of(session, account).filter(pk=entry.play.table_id).exists():
        raise Forbidden("not-yours", _("You enter no results of this table."))
    if entry.settled_at is not None:
        return entry
    stored = None
    if take:  # in a transaction of its own: the key lets nothing be entered twice
        stored = desk_entries.enter(
            session=session,
            play=entry.play,
            account=account,
            key=entry.key,
            sheet=entry.content.get("sheet"),
            actions=entry.content.get("actions"),
            reason=reason,
        )
    return _settle(entry, account, stored)


@transaction.atomic
def _settle(entry: LateEntry, account: Account, stored: Stored | None) -> LateEntry:
    session = states.held(entry.play.table.section.session)
    one = LateEntry.objects.select_for_update(of=("self",)).get(pk=entry.pk)
    if one.settled_at is not None:
        return one
    one.settled_at, one.role_id = timezone.now(), history.nearest_role(account, session, None)
    one.submission_id = None if stored is None else stored.pk
    one.save(update_fields=["settled_at", "role", "submission"])
    verb = "left late entry" if stored is None else "took late entry"
    history.note(account, verb, one, session=session, board=entry.play.board.number)
    return one


def codes(links: Iterable[TableLink]) -> list[tuple[TableLink, str]]:
    """Links with their codes, as far as these can still be told."""
    return [(link, code) for link in links if (code := code_of(link)) is not None]
