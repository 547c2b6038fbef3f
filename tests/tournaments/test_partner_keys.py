"""Keys of partners: shown once, kept as a digest, good for what everybody may see, each with a limit."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from tournaments.limits import limiter
from tournaments.models import Account, HistoryEntry, PartnerKey
from tournaments.services import accounts, partner_keys, roles, sessions
from tournaments.services.errors import Conflict
from tournaments.services.roles import RoleKind, RolePlace

from .worlds import World, a_club, a_world

pytestmark = pytest.mark.django_db
KEY = re.compile(r"etuikey_[0-9a-z]{8}_[A-Za-z0-9_-]{43}")


@pytest.fixture(autouse=True)
def anew() -> None:
    limiter.reset()


def somebody(club: str, kind: RoleKind = RoleKind.ORGANISER) -> Account:
    account = accounts.create(name=f"{kind.label} of {club}", language="en")
    roles.grant(account=account, kind=kind, place=RolePlace(a_club(club)), actor=None)
    return account


def a_key(per_minute: int = 600, club: str = "Club A") -> tuple[PartnerKey, APIClient]:
    key, text = partner_keys.make(club=a_club(club), actor=somebody(club), name="Site", per_minute=per_minute)
    return key, with_text(text)


def with_text(text: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def code(answer: Any) -> str:
    return str(answer.json()["code"])


def test_a_key_reads_what_everybody_may_see_and_nothing_else() -> None:
    world: World = a_world()
    _key, partner = a_key()
    anyone = world.client("anyone")
    own = f"/api/v1/sessions/{world.session.pk}/"
    assert partner.get(own).status_code == 404, "of its club, but not listed"
    sessions.publish(session=world.session, actor=None, listed=True)
    for address in (own, f"{own}plays/", f"{own}ranking/", "/api/v1/tournaments/", "/api/v1/feed/"):
        assert partner.get(address).json() == anyone.get(address).json(), address
    for address in (f"{own}history/", "/api/v1/webhooks/", "/api/v1/clubs/club-a/players/"):
        answer = partner.get(address)
        assert (answer.status_code, code(answer)) == (403, "key-reads"), address
    for method, address in (
        ("post", "tournaments/"),
        ("patch", f"sessions/{world.session.pk}/"),
        ("put", f"sessions/{world.session.pk}/state/"),
        ("delete", f"sessions/{world.session.pk}/"),
        ("post", f"sessions/{world.session.pk}/submissions/"),
        ("post", "webhooks/"),
    ):
        answer = getattr(partner, method)(f"/api/v1/{address}", {}, format="json")
        assert (answer.status_code, code(answer)) == (403, "key-reads"), address


def test_each_key_is_counted_by_itself() -> None:
    _slow, first = a_key(per_minute=2)
    _other, second = a_key(per_minute=600, club="Club B")
    answers = [first.get("/api/v1/games/") for _call in range(3)]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert (answers[0]["RateLimit-Limit"], answers[2]["RateLimit-Remaining"]) == ("2", "0")
    assert second.get("/api/v1/games/")["RateLimit-Limit"] == "600"
    assert APIClient().get("/api/v1/games/").status_code == 200


def test_of_its_text_only_a_digest_is_kept_and_revoked_it_opens_nothing() -> None:
    key, partner = a_key()
    text = partner._credentials["HTTP_AUTHORIZATION"].partition(" ")[2]
    secret = text.rpartition(f"{key.prefix}_")[2]
    assert secret not in str(vars(key))
    assert len(key.digest) == 64
    assert with_text(text[:-1] + ("a" if text[-1] != "a" else "b")).get("/api/v1/games/").status_code == 401
    assert partner.get("/api/v1/games/").status_code == 200
    key.refresh_from_db()
    assert key.last_used_at is not None
    assert key.made_by is not None
    partner_keys.revoke(key=key, actor=key.made_by)
    answer = partner.get("/api/v1/games/")
    assert (answer.status_code, code(answer)) == (401, "bad-token")
    verbs = HistoryEntry.objects.filter(club=key.club).order_by("pk").values_list("verb", flat=True)
    assert list(verbs)[-2:] == ["made partner key", "revoked partner key"]


def test_a_club_has_no_more_than_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partner_keys, "MOST_OF_ONE", 1)
    a_key()
    with pytest.raises(Conflict):
        a_key()


def test_the_desk_makes_one_shows_it_once_and_revokes_it() -> None:
    browser, foreign, scorer = (Client(HTTP_ACCEPT_LANGUAGE="en") for _browser in range(3))
    for one, account in (
        (browser, somebody("Club A")),
        (foreign, somebody("Club B")),
        (scorer, somebody("Club A", RoleKind.SCORER)),
    ):
        one.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
    here, given = reverse("desk-keys"), {"owner": "club-a", "name": "Site", "per_minute": "600"}
    assert scorer.post(here, given).status_code == 403
    assert foreign.post(here, given).status_code == 400
    assert browser.post(here, given | {"per_minute": "7"}).status_code == 400
    made = browser.post(here, given)
    (text,) = set(KEY.findall(made.content.decode()))
    assert with_text(text).get("/api/v1/games/")["RateLimit-Limit"] == "600"
    assert not KEY.search(browser.get(here).content.decode())
    gone = {"way": "revoke", "key": PartnerKey.objects.get().pk}
    assert foreign.post(here, gone).status_code == 404
    assert with_text(text).get("/api/v1/games/").status_code == 200
    assert browser.post(here, gone).status_code == 302
    assert with_text(text).get("/api/v1/games/").status_code == 401
