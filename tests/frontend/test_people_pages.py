"""The pages of people: signing in and its limits, invitations in every state,
and what neither logs nor caches keep."""

import logging
import os
import re
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from frontend.accounts.adapter import _earlier_box
from frontend.accounts.passwords import Argon2
from tests.tournaments.worlds import a_club, a_session
from tournaments import settings as project
from tournaments.models import Account, HistoryEntry, Invitation, Player, Role, Session, Token
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, invitations, roles, seeds
from tournaments.services.roles import FEDERATION, RolePlace

pytestmark = pytest.mark.django_db

PASSWORD = "une bonne phrase de passe"


@pytest.fixture(autouse=True)
def no_tries_from_before() -> None:
    cache.clear()


@pytest.fixture(autouse=True)
def mail(settings: Any, tmp_path: Path) -> Path:
    """The folder that mails go to: pytest-django has them kept in memory."""
    settings.EMAIL_BACKEND = "tournaments.mail.Folder"
    settings.MAIL_DIR = tmp_path / "mail"
    return tmp_path / "mail"


@pytest.fixture
def at_the_machine(settings: Any) -> Client:
    settings.PRODUCTION, settings.ALLOWED_HOSTS = False, ["localhost", "club.example", "127.0.0.1", "[::1]"]
    return Client(HTTP_HOST="localhost:8000", REMOTE_ADDR="127.0.0.1", enforce_csrf_checks=False)


def mails(folder: Path) -> list[Any]:
    return [message_from_bytes(path.read_bytes(), policy=policy.default) for path in sorted(folder.glob("*"))]


def text_of(message: Any) -> str:
    return str(message.get_body().get_content())


def somebody(name: str, *held: tuple[RoleKind, RolePlace]) -> Account:
    account = accounts.create(name=name, email=f"{name.lower()}@example.org", password=PASSWORD)
    for kind, place in held:
        roles.grant(account=account, kind=kind, place=place, actor=None)
    return account


def signed_in(account: Account, **how: Any) -> Client:
    client = Client(HTTP_HOST="localhost", **how)
    answer = client.post(sign_in(), {"login": account.email, "password": PASSWORD})
    assert answer.status_code == 302, answer.content.decode()
    return client


def sign_in() -> str:
    return reverse("account_login")


def following(client: Client, secret: str) -> Any:
    return client.get(invitations.path_of(secret), follow=True)


def an_offer(*, email: str | None = None, actor: Account | None = None) -> tuple[Invitation, str]:
    return invitations.invite(kind=RoleKind.SCORER, place=RolePlace(a_club()), actor=actor, email=email)


# ── The first start ───────────────────────────────────────────────────────────────────────────────


def test_whoever_sits_at_the_machine_makes_the_first_administrator(at_the_machine: Client) -> None:
    assert "Set up Étui" in at_the_machine.get("/en/").content.decode()
    page = at_the_machine.post(reverse("set-up"), follow=True)
    assert "You are the first" in page.content.decode()
    entered = {"name": "Ana", "email": "Ana@example.org", "password": PASSWORD}
    page = at_the_machine.post(page.request["PATH_INFO"], entered, follow=True)
    assert "administrator" in page.content.decode()
    assert roles.is_administrator(Account.objects.get(email="ana@example.org"))
    assert "Set up" not in at_the_machine.get("/en/").content.decode()
    assert at_the_machine.post(reverse("set-up")).status_code == 403


@pytest.mark.parametrize(
    "how",
    [
        {"REMOTE_ADDR": "192.168.1.7"},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
        {"HTTP_VIA": "1.1 proxy"},
        {"HTTP_HOST": "club.example"},
    ],
)
def test_nobody_else_does(at_the_machine: Client, how: dict[str, str]) -> None:
    page = at_the_machine.get("/en/", **how).content.decode()
    assert "in its terminal" in page
    assert "set-up" not in page
    assert at_the_machine.post(reverse("set-up"), **how).status_code == 403
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("setting", ["PRODUCTION", "TRUSTED_PROXIES", "PUBLIC_URL"])
def test_a_service_for_others_offers_it_to_nobody(
    at_the_machine: Client, settings: Any, setting: str
) -> None:
    setattr(settings, setting, {"TRUSTED_PROXIES": ["10.0.0.0/8"]}.get(setting, "https://club.example"))
    assert at_the_machine.post(reverse("set-up")).status_code == 403


# ── Invitations, in every state ───────────────────────────────────────────────────────────────────


def test_an_invitation_makes_an_account_and_gives_its_role(client: Client) -> None:
    ana = somebody("Ana", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))
    _offer, secret = an_offer(actor=ana)
    page = following(client, secret)
    assert secret not in page.request["PATH_INFO"]
    assert secret not in page.content.decode()
    assert "Ana invites you" in page.content.decode()
    address = page.request["PATH_INFO"]
    page = client.post(address, {"name": "Bea", "email": "bea@example.org", "password": "court"})
    assert "too short" in page.content.decode()
    assert 'value="Bea"' in page.content.decode()  # nothing is lost
    page = client.post(
        address, {"name": "Bea", "email": "bea@example.org", "password": PASSWORD}, follow=True
    )
    assert "You are scorer: Club A" in page.content.decode()
    assert Role.objects.in_force().get(account__name="Bea").granted_by == ana


def test_an_address_in_use_is_said_and_the_invitation_stays(client: Client) -> None:
    somebody("Bea")
    offer, secret = an_offer()
    address = following(client, secret).request["PATH_INFO"]
    page = client.post(address, {"name": "B", "email": "BEA@example.org", "password": PASSWORD})
    assert "already an account with this e-mail address" in page.content.decode()
    page = client.post(f"{sign_in()}?next={address}", {"login": "bea@example.org", "password": PASSWORD})
    assert page["Location"] == address
    page = client.post(address, follow=True)
    assert "You are scorer" in page.content.decode()
    assert invitations.state_of(Invitation.objects.get(pk=offer.pk)) == Invitation.State.ACCEPTED


@pytest.mark.parametrize(
    ("what", "says", "status"),
    [
        ("expired", "This invitation ended on", 410),
        ("used", "has been used already", 410),
        ("withdrawn", "has been withdrawn", 410),
        ("foreign", "This invitation is for cid@example.org", 200),
        ("own", "You have made this invitation yourself", 200),
        ("unknown", "No invitation here", 404),
    ],
)
def test_a_link_that_leads_nowhere_says_why_and_what_to_do(what: str, says: str, status: int) -> None:
    ana = somebody("Ana", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))
    bea = somebody("Bea")
    offer, secret = an_offer(actor=ana, email="cid@example.org" if what == "foreign" else None)
    if what == "expired":
        now = timezone.now()
        secret = "an older one"
        Invitation.objects.create(
            digest=invitations.digest_of(secret),
            kind="scorer",
            club=a_club(),
            made_at=now - timedelta(20),
            ends_at=now - timedelta(6),
        )
    elif what == "used":
        invitations.accept(invitation=offer, account=somebody("Dan"))
    elif what == "withdrawn":
        invitations.withdraw(invitation=offer, actor=ana)
    client = signed_in(ana if what == "own" else bea)
    page = following(client, "x" * 43 if what == "unknown" else secret)
    assert says in page.content.decode()
    assert page.status_code == status
    if what == "foreign":  # and is not accepted by force
        client.post(page.request["PATH_INFO"])
        assert not Role.objects.filter(account=bea).exists()


def test_the_bar_offers_an_account_only_to_somebody_who_has_signed_in(client: Client) -> None:
    _offer, secret = an_offer()
    page = following(client, secret)
    assert "sessionid" in client.cookies  # the link was followed in this browser
    for answer in (page, client.get("/en/")):
        assert "My account" not in answer.content.decode()
        assert "Sign in" in answer.content.decode()
    assert "My account" in signed_in(somebody("Ana")).get("/en/").content.decode()


def test_without_the_link_the_page_of_an_invitation_is_nobodys(client: Client) -> None:
    offer, _secret = an_offer()
    assert client.get(reverse("invitation", kwargs={"pk": offer.pk})).status_code == 404
    entered = {"name": "Eve", "email": "eve@example.org", "password": PASSWORD}
    assert client.post(reverse("invitation", kwargs={"pk": offer.pk}), entered).status_code == 404


def test_an_invitation_for_an_address_is_sent_there_in_its_own_file(mail: Path) -> None:
    ana = somebody("Ana", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))
    page = signed_in(ana).post(
        reverse("club-people", kwargs={"club": a_club().slug}),
        {"kind": "organiser", "email": "Bea@example.org"},
    )
    link = re.search(r"http://localhost(/invitations/link/[^\"]+)", page.content.decode())
    assert link
    assert "This service sends no mail" in page.content.decode()  # to a person who reads no folder
    (message,) = mails(mail)
    assert (message["To"], link[1] in text_of(message)) == ("bea@example.org", True)
    assert mail.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in mail.iterdir()} == {0o600}
    client = Client()
    address = client.get(link[1], follow=True).request["PATH_INFO"]
    entered = {"name": "Bea", "email": "other@example.org", "password": PASSWORD}
    client.post(address, entered)
    assert Account.objects.get(name="Bea").email == "bea@example.org"  # whatever was sent


# ── Signing in ────────────────────────────────────────────────────────────────────────────────────


def test_a_code_by_mail_signs_in(client: Client, mail: Path) -> None:
    somebody("Ana")
    client.post(reverse("account_request_login_code"), {"email": "ANA@example.org"})
    (message,) = mails(mail)
    code = re.search(r"^([A-Z0-9]{3,}[-A-Z0-9]*)$", text_of(message), re.MULTILINE)
    assert code, text_of(message)
    client.post(reverse("account_confirm_login_code"), {"code": code[1]})
    assert client.get(reverse("my-account")).status_code == 200


def test_nobody_learns_who_has_an_account(client: Client, mail: Path) -> None:
    somebody("Ana")
    for name in ("account_request_login_code", "account_reset_password"):
        known, unknown = (
            Client().post(reverse(name), {"email": f"{who}@example.org"}, follow=True)
            for who in ("ana", "eve")
        )
        stripped = [
            re.sub(r'(ana|eve)@|value="[^"]{64}"|nonce="[^"]*"', "", page.content.decode())
            for page in (known, unknown)
        ]
        assert stripped[0] == stripped[1]
    assert {message["To"] for message in mails(mail)} == {"ana@example.org"}


def test_a_password_costs_what_owasp_asks_for() -> None:
    """Those of tests are cheaper (`tests/passwords.py`)."""
    assert project.PASSWORD_HASHERS[0] == "frontend.accounts.passwords.Argon2"
    stored = Argon2().encode("a good sentence", "salt of a password")
    assert stored.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")


def test_a_link_sets_a_new_password_once(client: Client, mail: Path) -> None:
    ana = somebody("Ana")
    client.post(reverse("account_reset_password"), {"email": "ana@example.org"})
    (message,) = mails(mail)
    link = re.search(r"http://testserver(\S+)", text_of(message))
    assert link
    page = client.get(link[1], follow=True)
    new = "another good sentence"
    page = client.post(page.request["PATH_INFO"], {"password1": new, "password2": new}, follow=True)
    ana.refresh_from_db()
    assert ana.check_password(new)
    assert ana.password.startswith("argon2$argon2id$")
    assert "no longer works" in Client().get(link[1], follow=True).content.decode()
    assert HistoryEntry.objects.get(verb="reset way to sign in").account == ana


def test_an_address_changes_once_the_new_one_is_confirmed(mail: Path) -> None:
    ana = somebody("Ana")
    client = signed_in(ana)
    client.post(reverse("account_email"), {"email": "New@example.org", "action_add": "1"})
    ana.refresh_from_db()
    assert ana.email == "ana@example.org"
    (message,) = [one for one in mails(mail) if one["To"] == "new@example.org"]
    link = re.search(r"http://localhost(\S+)", text_of(message))
    assert link
    client.post(link[1])
    ana.refresh_from_db()
    assert ana.email == "new@example.org"


def test_signing_out_everywhere_else_ends_the_other_sessions() -> None:
    ana = somebody("Ana")
    here, there = signed_in(ana), signed_in(ana)
    here.post(reverse("usersessions_list"))
    assert here.get(reverse("my-account")).status_code == 200
    assert there.get(reverse("my-account")).status_code == 302


def test_wrong_passwords_are_limited_by_address_and_by_account(client: Client) -> None:
    ana = somebody("Ana")

    def told(password: str, **how: str) -> str:
        page = client.post(sign_in(), {"login": ana.email, "password": password}, **how)
        return page.content.decode()

    for number in range(5):
        assert "not correct" in told("wrong", REMOTE_ADDR=f"10.0.0.{number}")
    assert "Too many" in told(PASSWORD, REMOTE_ADDR="10.0.0.99")  # the right one too
    bea = somebody("Bea")
    other = Client(REMOTE_ADDR="10.9.9.9")
    for number in range(10):
        other.post(sign_in(), {"login": f"nobody{number}@example.org", "password": "wrong"})
    page = other.post(sign_in(), {"login": bea.email, "password": PASSWORD})
    assert "Too many" in page.content.decode()


def test_an_address_that_no_proxy_vouches_for_is_not_believed(client: Client) -> None:
    for number in range(10):
        client.post(
            sign_in(),
            {"login": f"nobody{number}@example.org", "password": "wrong"},
            HTTP_X_FORWARDED_FOR=f"10.0.0.{number}",
        )
    bea = somebody("Bea")
    page = client.post(sign_in(), {"login": bea.email, "password": PASSWORD}, HTTP_X_FORWARDED_FOR="10.0.1.1")
    assert "Too many" in page.content.decode()


def test_nobody_signs_up_by_themselves(client: Client, settings: Any) -> None:
    entered = {"name": "Eve", "email": "eve@example.org", "password1": PASSWORD}
    page = client.post(reverse("account_signup"), entered)
    assert "by invitation" in page.content.decode()
    assert not Account.objects.exists()
    settings.SIGN_UP_OPEN, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    client.post(reverse("account_signup"), entered)
    assert Account.objects.get().name == "Eve"
    assert client.get(reverse("my-account")).status_code == 302  # not before the address is confirmed


def test_a_second_factor_is_asked_for_and_its_secret_is_locked(settings: Any) -> None:
    from allauth.mfa.adapter import get_adapter
    from allauth.mfa.models import Authenticator
    from allauth.mfa.totp.internal.auth import (
        TOTP,
        format_hotp_value,
        hotp_value,
        yield_hotp_counters_from_time,
    )

    ana = somebody("Ana")
    secret = "JBSWY3DPEHPK3PXP"
    TOTP.activate(ana, secret)
    assert secret not in str(Authenticator.objects.values())
    assert get_adapter().decrypt(Authenticator.objects.get().data["secret"]) == secret
    keys, fresh = settings.SEED_KEYS, Fernet.generate_key().decode()
    settings.SEED_KEYS = [fresh, *keys]
    seeds.rotate()
    settings.SEED_KEYS = [fresh]  # the old key is gone
    assert get_adapter().decrypt(Authenticator.objects.get().data["secret"]) == secret
    earlier = _earlier_box().encrypt(b"of an earlier release").decode()
    assert get_adapter().decrypt(earlier) == "of an earlier release"
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "x" * 50, []
    assert get_adapter().decrypt(earlier) == ""
    client = Client(HTTP_HOST="localhost")
    page = client.post(sign_in(), {"login": ana.email, "password": PASSWORD}, follow=True)
    assert "authenticator app" in page.content.decode()
    assert client.get(reverse("my-account")).status_code == 302
    client.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert client.get(reverse("my-account")).status_code == 302
    counter = next(iter(yield_hotp_counters_from_time()))
    client.post(reverse("mfa_authenticate"), {"code": format_hotp_value(hotp_value(secret, counter))})
    assert client.get(reverse("my-account")).status_code == 200


def test_a_token_is_made_for_any_of_ones_roles() -> None:
    here = RolePlace(a_club())
    ana = somebody("Ana", (RoleKind.SCORER, here), (RoleKind.ORGANISER, here), (RoleKind.ADMINISTRATOR, here))
    client = signed_in(ana)
    for role in roles.of(ana):
        wish = {"role": role.pk, "name": f"As {role.kind}", "scopes": ["read"], "days": 90}
        assert "The token is ready." in client.post(reverse("my-tokens"), wish).content.decode()
    assert set(Token.objects.values_list("name", "role__kind")) == {
        (f"As {kind}", kind) for kind in ("scorer", "organiser", "administrator")
    }


def test_whoever_signs_in_is_where_their_work_is_in_the_language_of_the_page() -> None:
    session = a_session()
    held: dict[str, list[tuple[RoleKind, RolePlace]]] = {
        reverse("session-desk", args=[session.pk]): [(RoleKind.DIRECTOR, RolePlace(session=session))],
        reverse("desk"): [(RoleKind.SCORER, RolePlace(a_club())), (RoleKind.ORGANISER, RolePlace(a_club()))],
        reverse("my-account"): [],
        reverse("me"): [],
    }
    for number, (address, these) in enumerate(held.items()):
        account = somebody(f"Ana{number}", *these)
        Account.objects.filter(pk=account.pk).update(language="fr")
        if address == reverse("me"):
            Player.objects.create(club=a_club(), given_name="Ana", account=account)
        sent = {"login": account.email, "password": PASSWORD}
        assert Client(HTTP_HOST="localhost").post(sign_in(), sent)["Location"] == address


def test_nobody_is_invited_as_what_nobody_has_chosen() -> None:
    client = signed_in(somebody("Ana", (RoleKind.ADMINISTRATOR, RolePlace(a_club()))))
    page = reverse("club-people", args=[a_club().slug])
    assert '<option value="" selected>choose…</option>' in client.get(page).content.decode()
    client.post(page, {"kind": "", "email": ""})
    assert not Invitation.objects.exists()
    asked = client.get(page, {"role": "organiser"}).content.decode()
    assert '<option value="organiser" selected>' in asked
    assert "choose…" not in asked


def test_a_link_of_this_machine_says_that_it_leads_nowhere_else(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "club.example"]
    client = signed_in(somebody("Ana", (RoleKind.ADMINISTRATOR, RolePlace(a_club()))))
    page, wish = reverse("club-people", args=[a_club().slug]), {"kind": "scorer", "email": ""}
    for host, is_local in (("127.0.0.1:8000", True), ("club.example", False)):
        said = client.post(page, wish, HTTP_HOST=host).content.decode()
        assert "The invitation is ready." in said
        assert ("this machine alone" in said) == is_local, host


# ── Nothing is lost ───────────────────────────────────────────────────────────────────────────────


def test_a_form_sent_after_another_tab_signed_out_is_sent_again(client: Client) -> None:
    ana = somebody("Ana", (RoleKind.ADMINISTRATOR, FEDERATION))
    client.post(sign_in(), {"login": ana.email, "password": PASSWORD})
    client.post(reverse("account_logout"))  # the other tab
    page = client.post(reverse("clubs"), {"name": "Club de Nantes"}, follow=True)
    assert "Sign in" in page.content.decode()
    address = page.redirect_chain[-1][0]
    page = client.post(address, {"login": ana.email, "password": PASSWORD}, follow=True)
    assert 'value="Club de Nantes"' in page.content.decode()
    assert reverse("clubs") in page.content.decode()


def test_a_form_from_before_a_sign_in_is_sent_again_and_anothers_is_refused() -> None:
    ana = somebody("Ana", (RoleKind.ADMINISTRATOR, FEDERATION))
    client = signed_in(ana, enforce_csrf_checks=False)
    client.handler.enforce_csrf_checks = True
    entered = {"name": "Club de Nantes", "csrfmiddlewaretoken": "of a page before", "password": "mine"}
    page = client.post(reverse("clubs"), entered, HTTP_ORIGIN="http://localhost")
    text = page.content.decode()
    assert (page.status_code, 'value="Club de Nantes"' in text, "mine" in text) == (403, True, False)
    page = client.post(reverse("clubs"), entered, HTTP_ORIGIN="https://elsewhere.example")
    assert "Club de Nantes" not in page.content.decode()
    assert not list(roles.clubs_of(ana))


# ── What is kept nowhere ──────────────────────────────────────────────────────────────────────────


def test_cookies_and_pages_of_somebody_are_for_them_alone() -> None:
    client = signed_in(somebody("Ana"))
    for name in ("sessionid", "csrftoken"):
        cookie = client.cookies[name]
        assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", "")
    for address in (reverse("my-account"), reverse("home")):
        answer = client.get(address)
        assert answer["Cache-Control"] == "private, no-store"
        assert "Cookie" in answer["Vary"]
    assert "Cache-Control" not in Client().get(reverse("home")) or Invitation.objects.exists()
    assert "Set-Cookie" not in client.get("/api/v1/tournaments/").headers


def test_cookies_are_secure_behind_a_trusted_proxy_alone(settings: Any) -> None:
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    from tournaments import limits

    limits.networks.cache_clear()
    try:
        for peer, secure in (("10.0.0.1", True), ("192.168.1.7", "")):
            answer = Client().get(sign_in(), HTTP_X_FORWARDED_PROTO="https", REMOTE_ADDR=peer)
            assert answer.cookies["csrftoken"]["secure"] == secure
    finally:
        limits.networks.cache_clear()


def test_no_secret_of_a_link_is_in_a_log(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    secret = "k" * 43
    handlers = [handler for handler in logging.getLogger().handlers if type(handler) is logging.StreamHandler]
    formatter = settings.LOGGING["formatters"]["console"]
    assert formatter["()"] in {"tournaments.logs.LogLine", "tournaments.logs.as_json"}
    assert handlers, "the service logs to the console"
    record = logging.makeLogRecord({"msg": "Not Found: %s", "args": (invitations.path_of(secret),)})
    assert all(
        secret not in str(handler.formatter and handler.formatter.format(record)) for handler in handlers
    )


def test_the_database_keeps_sessions_and_no_password_in_clear() -> None:
    client = signed_in(somebody("Ana"))
    from django.contrib.sessions.models import Session as Kept

    assert Kept.objects.filter(session_key=client.cookies["sessionid"].value).exists()
    assert PASSWORD not in str(Account.objects.values())
    assert Session.objects.count() == 0
    assert os.environ.get("EMAIL_URL") is None
