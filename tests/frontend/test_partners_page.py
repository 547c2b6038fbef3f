"""Partners on the desk: a webhook from its making to its removal; its secret is shown once."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.worlds import a_club, a_delivery
from tournaments import vault
from tournaments.models import Webhook, WebhookDelivery
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, roles
from tournaments.services.roles import RolePlace

pytestmark = pytest.mark.django_db
SECRET = re.compile(r"whsec_[0-9A-Za-z+/=]+")


def of(club: str, kind: RoleKind = RoleKind.ORGANISER) -> Client:
    account = accounts.create(name=f"{kind.label} of {club}", language="en")
    roles.grant(account=account, kind=kind, place=RolePlace(a_club(club)), actor=None)
    browser = Client(HTTP_ACCEPT_LANGUAGE="en")
    browser.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
    return browser


def told(answer: Any) -> str:
    (secret,) = set(SECRET.findall(answer.content.decode()))
    return str(secret)


def test_a_webhook_is_made_tested_turned_switched_and_removed() -> None:
    odile = of("Club A")
    here = reverse("desk-partners")
    given = {"owner": "club-a", "name": "Site", "url": "https://example.org/hook", "kinds": ["ranking.final"]}
    refused = odile.post(here, given | {"url": "https://10.0.0.1/hook"})
    assert (refused.status_code, Webhook.objects.count()) == (400, 0)
    made = odile.post(here, given)
    first, one = told(made), Webhook.objects.get()
    assert (made.status_code, one.club, one.kinds) == (200, a_club("Club A"), ["ranking.final"])
    assert vault.open_file(bytes(one.sealed_secret)).decode() == first
    assert "no-store" in made["Cache-Control"]
    own = reverse("desk-webhook", args=[one.pk])
    for address in (here, own):
        assert not SECRET.search(odile.get(address).content.decode()), "it is shown once"
    turned = odile.post(own, {"way": "rotate"})
    assert told(turned) != first
    assert odile.post(own, {"way": "test"}).status_code == 302
    sent = WebhookDelivery.objects.get()
    WebhookDelivery.objects.update(state="delivered", status=204, next_at=None)
    assert "a test" in odile.get(own).content.decode()
    assert odile.post(own, {"way": "replay", "delivery": sent.pk}).status_code == 302
    sent.refresh_from_db()
    assert sent.state == "waiting"
    for way, state in (("off", "off"), ("on", "on")):
        odile.post(own, {"way": way})
        one.refresh_from_db()
        assert one.state == state
    odile.post(own, {"way": "off"})
    assert odile.post(own, {"way": "test"}).status_code == 400
    gone = odile.post(own, {"way": "removed"})
    assert (gone.status_code, gone["Location"]) == (302, here)
    assert odile.get(own).status_code == 404


def test_nobody_sees_or_changes_the_partners_of_another_club() -> None:
    webhook, delivery = a_delivery(a_club("Club A"))
    own, here = reverse("desk-webhook", args=[webhook]), reverse("desk-partners")
    foreign, scorer = of("Club B"), of("Club A", RoleKind.SCORER)
    for browser in (foreign, scorer):
        assert browser.get(own).status_code == 404
        for way in ("rotate", "test", "removed", "off"):
            assert browser.post(own, {"way": way}).status_code == 404
    assert scorer.get(here).status_code == 403
    assert "example.org" not in foreign.get(here).content.decode()
    given = {"owner": "club-a", "name": "Site", "url": "https://example.org/hook"}
    assert foreign.post(here, given).status_code == 400, "it is made of one's own"
    other, _sent = a_delivery(a_club("Club B"))
    answer = foreign.post(reverse("desk-webhook", args=[other]), {"way": "replay", "delivery": delivery})
    assert answer.status_code == 404
    assert WebhookDelivery.objects.get(pk=delivery).state == "delivered"
