"""What a token is refused for, in which words, and when those that are issued end."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from tournaments.models import Account, HistoryEntry, Member, Role, Session, Table, Token
from tournaments.models.accounts import RoleKind, Scope
from tournaments.services import accounts, roles, tokens
from tournaments.services.errors import Conflict, Forbidden, Invalid, Missing, Refused
from tournaments.services.roles import RolePlace

from .worlds import a_club, a_session

pytestmark = pytest.mark.django_db


def a_scorer(name: str) -> tuple[Account, Role]:
    account = accounts.create(name=name)
    role, _is_new = roles.grant(account=account, kind=RoleKind.SCORER, place=RolePlace(a_club()), actor=None)
    return account, role


def refusal(kind: type[Refused], call: Callable[[], Any]) -> tuple[str, str]:
    with pytest.raises(kind) as refused:
        call()
    return refused.value.code, str(refused.value)


def test_each_refusal_has_its_code_and_says_what_is_wrong() -> None:
    (ana, own), (_bea, other), session = a_scorer("Ana"), a_scorer("Bea"), a_session()
    organiser, _text = tokens.issue_for_role(person="Olga", club=a_club(), kind=RoleKind.ORGANISER)
    wish: dict[str, Any] = {"role": own, "name": "laptop", "scopes": ["read"], "actor": ana}

    def made(**other: Any) -> Callable[[], Any]:
        return lambda: tokens.make(**wish | other)

    def for_player() -> Any:
        return tokens.issue_for_player(name="Nobody", club=a_club())

    def for_tables(**which: Any) -> Callable[[], Any]:
        return lambda: tokens.issue_for_tables(session=session, actor=organiser, **which)

    cases: list[tuple[type[Refused], Callable[[], Any], str, str]] = [
        (Forbidden, made(role=other), "foreign-role", "This role is not yours, or it has ended."),
        (Invalid, made(name=" "), "no-name", "A token needs a name: what will use it?"),
        (Missing, for_player, "no-such-player", "Club A has no player named Nobody."),
        (Missing, for_tables(table=99), "no-such-table", "There is no such table in your charge."),
        (Missing, for_tables(section="Z"), "no-such-section", "There is no such section in your charge."),
    ]
    ended, _text = made()()
    tokens.revoke(token=ended, actor=ana)
    rotated = partial(tokens.rotate, token=ended, actor=ana)
    cases.append((Conflict, rotated, "token-ended", "This token has ended: make a new one."))
    for kind, call, code, message in cases:
        assert refusal(kind, call) == (code, message)
    lacking = tokens.out_of_scope(Scope.ENTER)
    assert (lacking.code, lacking.details) == ("out-of-scope", {"scope": "enter"})
    assert str(lacking) == "This token was not made for that: it lacks the scope “enter”."


def test_an_account_has_so_many_tokens_and_no_more_whatever_others_have() -> None:
    (ana, own), (bea, other) = a_scorer("Ana"), a_scorer("Bea")
    ends = timezone.now() + timedelta(days=1)
    Token.objects.bulk_create(
        Token(prefix=f"full{n:04}", digest="0" * 64, scopes="read", role=own, expires_at=ends)
        for n in range(tokens.MOST_OF_ONE - 1)
    )
    last, _text = tokens.make(role=own, name="last", scopes=["read"], actor=ana)

    def more() -> Any:
        return tokens.make(role=own, name="more", scopes=["read"], actor=ana)

    assert refusal(Conflict, more) == ("too-many-tokens", "You have too many tokens: revoke some first.")
    tokens.make(role=other, name="first", scopes=["read"], actor=bea)
    tokens.revoke(token=last, actor=ana)
    more()


def test_a_rotated_token_is_told_beside_the_one_before() -> None:
    ana, own = a_scorer("Ana")
    before, _text = tokens.make(role=own, name="laptop", scopes=["read"], actor=ana)
    new, _text = tokens.rotate(token=before, actor=ana)
    entry = HistoryEntry.objects.get(verb="rotated token")
    assert (entry.subject, entry.detail["before"]) == (f"token {new.pk}", before.pk)


def test_whatever_is_issued_ends() -> None:
    session = a_session()
    organiser, _text = tokens.issue_for_role(person="Olga", club=a_club(), kind=RoleKind.ORGANISER, days=3)
    member = Member.objects.select_related("player").filter(session=session)[0]
    of_player, _text = tokens.issue_for_player(name=member.player.name, club=a_club(), days=5)
    tables = tokens.issue_for_tables(session=session, actor=organiser)
    issued = {
        organiser: timedelta(days=3),
        of_player: timedelta(days=5),
        tokens.issue_for_browser(player=member.player): tokens.BROWSER_TOKEN_LIFE,
        tables[0][0].tokens.get(revoked_at=None): tokens.TABLE_TOKEN_LIFE,
    }
    for token, life in issued.items():
        assert token.expires_at is not None
        assert abs(token.expires_at - timezone.now() - life) < timedelta(minutes=5)


def test_new_tokens_of_tables_end_those_in_force_and_leave_the_rest_as_it_was() -> None:
    session = a_session()
    organiser, _text = tokens.issue_for_role(person="Olga", club=a_club(), kind=RoleKind.ORGANISER)
    for _ in range(2):
        tokens.issue_for_tables(session=session, actor=organiser)
    first, second = (set(ends) for ends in zip(*revoked_by_table(session), strict=True))
    tokens.issue_for_tables(session=session, actor=organiser)
    assert {row[0] for row in revoked_by_table(session)} == first, "they had ended before"
    assert second == {None}
    assert None not in {row[1] for row in revoked_by_table(session)}


def revoked_by_table(session: Session) -> list[list[datetime | None]]:
    """When each token of each table was revoked, the oldest first."""
    tables = Table.objects.filter(section__session=session).order_by("pk")
    return [list(table.tokens.order_by("pk").values_list("revoked_at", flat=True)) for table in tables]


def test_who_holds_a_token_is_remembered_for_a_minute(django_assert_num_queries: Any) -> None:
    _token, text = tokens.issue_for_role(person="Olga", club=a_club(), kind=RoleKind.ORGANISER)
    claim = tokens.claim_of(text)
    assert claim is not None
    with django_assert_num_queries(1):
        (first,) = tokens.holders([claim])
    with django_assert_num_queries(0):
        assert tokens.holders([claim]) == [first]
