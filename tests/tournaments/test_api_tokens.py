"""Tokens of programs: made for a role and some scopes, with an end, rotated, revoked, and when
they were used."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, reverse
from django.utils import timezone
from rest_framework.test import APIClient

from tournaments.api import live
from tournaments.api import urls as api_urls
from tournaments.models import Account, HistoryEntry, Role, Submission, Token
from tournaments.models.accounts import RoleKind, Scope
from tournaments.services import accounts, roles, token_uses, tokens
from tournaments.services.errors import Conflict, Forbidden, Invalid
from tournaments.services.roles import FEDERATION, RolePlace

from .worlds import a_club, a_session, a_world, an_entry, body_of, first_play_of

pytestmark = pytest.mark.django_db

ALL = {"read", "enter", "direct", "manage"}


def somebody(name: str, kind: RoleKind, place: RolePlace) -> tuple[Account, Role]:
    account = accounts.create(name=name, email=f"{name.lower()}@example.org")
    return account, roles.grant(account=account, kind=kind, place=place, actor=None)[0]


def calling(text: str) -> APIClient:
    client = APIClient(HTTP_ACCEPT_LANGUAGE="en", HTTP_IF_MATCH="*")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def made(role: Role, *scopes: str, **how: Any) -> str:
    return tokens.make(role=role, name="test", scopes=scopes, actor=role.account, **how)[1]


# ── Scopes ────────────────────────────────────────────────────────────────────────────────────────


def test_a_token_gets_no_scope_that_its_role_does_not_give() -> None:
    session = a_session()
    club, sitting = RolePlace(a_club()), RolePlace(session=session)
    given = {
        (RoleKind.ADMINISTRATOR, FEDERATION): {"read", "manage"},
        (RoleKind.ORGANISER, FEDERATION): {"read", "manage"},
        (RoleKind.ADMINISTRATOR, club): ALL,
        (RoleKind.ORGANISER, club): ALL,
        (RoleKind.SCORER, club): {"read", "enter"},
        (RoleKind.ORGANISER, sitting): {"read", "enter", "direct"},
        (RoleKind.DIRECTOR, sitting): {"read", "enter", "direct"},
        (RoleKind.DEAL_OFFICER, sitting): {"read"},
        (RoleKind.SCORER, sitting): {"read", "enter"},
    }
    for number, ((kind, place), scopes) in enumerate(given.items()):
        ana, role = somebody(f"Ana{number}", kind, place)
        token, _text = tokens.make(role=role, name="test", scopes=scopes, actor=ana)
        assert {scope for scope in Scope if token.allows(scope)} == scopes
        for beyond in ALL - scopes:
            with pytest.raises(Forbidden, match="no more than"):
                tokens.make(role=role, name="test", scopes={"read", beyond}, actor=ana)
    for wrong in ([], ["everything"], ["read", "Enter"]):
        with pytest.raises(Invalid, match="what the token is for"):
            tokens.make(role=role, name="test", scopes=wrong, actor=ana)


def test_a_token_is_made_for_ones_own_role_in_force_with_a_name_and_an_end() -> None:
    ana, role = somebody("Ana", RoleKind.SCORER, RolePlace(a_club()))
    bea, _role = somebody("Bea", RoleKind.ADMINISTRATOR, RolePlace(a_club()))
    with pytest.raises(Forbidden, match="not yours"):
        tokens.make(role=role, name="test", scopes=["read"], actor=bea)
    with pytest.raises(Invalid, match="needs a name"):
        tokens.make(role=role, name=" ", scopes=["read"], actor=ana)
    for days in (0, -1, 366):
        with pytest.raises(Invalid, match="1 to 365 days"):
            made(role, "read", days=days)
    token, text = tokens.make(role=role, name="test", scopes=["read"], actor=ana)
    assert token.expires_at is not None
    assert timedelta(89) < token.expires_at - timezone.now() < timedelta(91)
    with pytest.raises(IntegrityError, match="token_of_role_ends"), transaction.atomic():
        Token.objects.filter(pk=token.pk).update(expires_at=None)
    assert tokens.holder_of(text) == token
    roles.revoke(role=role, actor=bea)
    assert tokens.holder_of(text) is None
    with pytest.raises(Forbidden, match="has ended"):
        made(role, "read")


def test_each_scope_opens_its_own_routes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "close_old_connections", lambda: None)  # it is the test's own
    world = a_world()
    role = world.organiser.role
    assert role is not None
    session, play = f"/api/v1/sessions/{world.session.pk}", first_play_of(world.session)
    entry = lambda: body_of(an_entry(play)) | {"key": str(uuid4())}  # noqa: E731
    requests: dict[str, list[Callable[[APIClient], Any]]] = {
        "read": [
            lambda c: c.get(f"{session}/"),
            lambda c: c.get(f"{session}/history/"),
            lambda c: c.get(f"{session}/submissions/"),
        ],
        "enter": [
            lambda c: c.post(f"{session}/submissions/", entry()),
            lambda c: c.post(f"{session}/submissions/bulk/", {"submissions": [entry()]}),
            lambda c: c.post(f"{session}/table-tokens/", {}),
        ],
        "direct": [lambda c: c.put(f"{session}/publication/", {"listed": False})],
        "manage": [lambda c: c.post("/api/v1/tournaments/", {"name": "New"})],
    }  # fmt: skip
    for scope in ALL:
        client = calling(made(role, scope))
        for needed, calls in requests.items():
            for call in calls:
                answer = call(client)
                if needed == scope:
                    assert answer.status_code < 300, answer.content
                else:
                    assert answer.status_code == 403, (scope, needed, answer.content)
                    assert answer.json()["error"]["code"] == "out-of-scope"
                    assert answer.json()["error"]["details"] == {"scope": needed}
    assert Submission.objects.count() == 2  # the two that were right
    barred, free = made(role, "enter"), made(role, "read")
    assert live.news_for(world.session.pk, barred) is None
    assert live.news_for(world.session.pk, free) is not None


def test_every_route_that_changes_something_names_its_scope() -> None:
    """A view without one would be open to any token of a role that may do it."""
    changing = {"post", "put", "patch", "delete"}
    without = [
        route.name
        for route in api_urls.urlpatterns
        if isinstance(route, URLPattern)
        and changing & set(vars(route.callback.view_class)) | changing & set(dir(route.callback.view_class))  # type: ignore[attr-defined]
        and not set(getattr(route.callback.view_class, "scopes", ())) & set(Scope)  # type: ignore[attr-defined]
    ]
    assert without == ["game-preview"]  # which changes nothing, and is for anybody


# ── Rotated, revoked, used ────────────────────────────────────────────────────────────────────────


def test_a_rotated_token_does_the_same_under_a_new_text() -> None:
    ana, role = somebody("Ana", RoleKind.SCORER, RolePlace(a_club()))
    bea, _role = somebody("Bea", RoleKind.ADMINISTRATOR, RolePlace(a_club()))
    token, before = tokens.make(role=role, name="tablet", scopes=["enter"], days=7, actor=ana)
    for change in (tokens.rotate, tokens.revoke):
        with pytest.raises(Forbidden, match="not yours"):
            change(token=token, actor=bea)
    new, after = tokens.rotate(token=token, actor=ana)
    assert (new.name, new.scopes, new.role) == ("tablet", "enter", role)
    assert new.expires_at is not None
    assert timedelta(6) < new.expires_at - timezone.now() <= timedelta(7)
    assert tokens.holder_of(before) is None
    assert tokens.holder_of(after) == new
    with pytest.raises(Conflict, match="has ended"):
        tokens.rotate(token=token, actor=ana)
    tokens.revoke(token=new, actor=ana)
    tokens.revoke(token=new, actor=ana)
    assert tokens.holder_of(after) is None
    told = HistoryEntry.objects.filter(account=ana).order_by("pk").values_list("verb", "detail__role")
    assert list(told)[-3:] == [(f"{verb} token", role.pk) for verb in ("made", "rotated", "revoked")]
    assert before.split("_", 2)[2] not in str(list(HistoryEntry.objects.values()))


def test_when_a_token_was_used_is_written_for_all_at_once_and_once_a_minute() -> None:
    world = a_world()
    token_uses.write()
    Token.objects.update(last_used_at=None)
    world.client("organiser").get("/api/v1/tournaments/")
    session = f"/api/v1/sessions/{world.session.pk}/submissions/"
    world.client("table").post(session, body_of(an_entry(first_play_of(world.session))))
    used = {world.organiser.pk, world.table.pk}
    assert not Token.objects.exclude(last_used_at=None).exists()  # nothing in the way of a result
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert token_uses.write() == 2
    assert len(queries) == 1
    stored = dict(Token.objects.exclude(last_used_at=None).values_list("pk", "last_used_at"))
    assert stored.keys() == used
    world.client("organiser").get("/api/v1/tournaments/")
    assert token_uses.write() == 0  # within the minute
    Token.objects.update(last_used_at=timezone.now() - timedelta(seconds=61))
    world.client("organiser").get("/api/v1/tournaments/")
    assert token_uses.write() == 1


def test_an_operator_says_for_how_long_and_for_what(capsys: pytest.CaptureFixture[str]) -> None:
    club = a_club()
    call_command(
        "token", "organiser", "Ana", "--club", club.slug, "--days", "7", "--scope", "read", "--called", "site"
    )
    text = capsys.readouterr().out.strip()
    token = tokens.holder_of(text)
    assert token is not None
    assert (token.name, token.scopes, token.kind) == ("site", "read", "organiser")
    assert token.expires_at is not None
    assert timedelta(6) < token.expires_at - timezone.now() < timedelta(8)
    call_command("token", "scorer", "Ana", "--club", club.slug)
    whole = tokens.holder_of(capsys.readouterr().out.strip())
    assert whole is not None
    assert whole.scopes == "read enter"
    for wrong, why in ((["--scope", "manage"], "no more than"), (["--days", "400"], "1 to 365")):
        with pytest.raises(CommandError, match=why):
            call_command("token", "scorer", "Ana", "--club", club.slug, *wrong)


# ── The page ──────────────────────────────────────────────────────────────────────────────────────


def test_the_page_shows_a_text_once_and_lists_what_is_in_force() -> None:
    ana, role = somebody("Ana", RoleKind.SCORER, RolePlace(a_club()))
    client = Client(HTTP_ACCEPT_LANGUAGE="en")
    client.force_login(ana)
    page = reverse("my-tokens")
    refused = client.post(page, {"name": "tablet", "role": role.pk, "scopes": ["manage"], "days": 7})
    assert "no more than: read, enter results" in refused.content.decode()
    assert 'value="tablet"' in refused.content.decode()
    answer = client.post(page, {"name": "tablet", "role": role.pk, "scopes": ["read", "enter"], "days": 7})
    token = tokens.of(ana).get()
    shown = answer.context["text"]
    assert tokens.holder_of(shown) == token
    assert shown in answer.content.decode()
    again = client.get(page).content.decode()
    assert shown not in again
    assert token.digest not in again
    assert "tablet" in again
    assert "One token of yours ends soon." in again
    assert "One token of yours ends soon." in client.get(reverse("my-account")).content.decode()
    assert "tablet" in client.get(reverse("rotate-token", args=[token.pk])).content.decode()
    new = client.post(reverse("rotate-token", args=[token.pk])).context["text"]
    assert (tokens.holder_of(shown), tokens.holder_of(new)) == (None, tokens.of(ana).get())
    assert client.post(reverse("rotate-token", args=[token.pk])).status_code == 404
    client.post(reverse("revoke-token", args=[tokens.of(ana).get().pk]))
    assert tokens.holder_of(new) is None
    assert "No token yet" in client.get(page).content.decode()
    _bea, other = somebody("Bea", RoleKind.SCORER, RolePlace(a_club()))
    made(other, "read")
    foreign = tokens.of(other.account).get()
    for name in ("rotate-token", "revoke-token"):
        assert client.post(reverse(name, args=[foreign.pk])).status_code == 404
    answer = client.post(page, {"name": "x", "role": other.pk, "scopes": ["read"], "days": 7})
    assert answer.context["text"] is None
