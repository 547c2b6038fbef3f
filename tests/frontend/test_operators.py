"""Django's admin: for the staff with a second factor, everything to be read but secrets, and hardly anything
to be changed."""

import subprocess
import sys
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.running import ROOT, SPECIAL
from tests.tournaments.worlds import World, a_club, a_world, hand_in, plays_of, work
from tournaments import guards
from tournaments.models import Account, HistoryEntry
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, invitations, roles, tokens
from tournaments.services.roles import RolePlace

pytestmark = pytest.mark.django_db

PASSWORD = "une bonne phrase de passe"
TOTP_SECRET = "JBSWY3DPEHPK3PXP"


def an_operator() -> tuple[Account, Client]:
    from allauth.mfa.totp.internal.auth import TOTP

    ana = accounts.create(name="Ana", email="ana@example.org", password=PASSWORD)
    accounts.set_staff(account=ana, is_staff=True)
    TOTP.activate(ana, TOTP_SECRET)
    return ana, client_of(ana)


def client_of(account: Account) -> Client:
    client = Client(HTTP_HOST="localhost", HTTP_ACCEPT_LANGUAGE="en")
    client.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def a_full_world() -> World:
    """With a row of everything that people make."""
    world = a_world()
    hand_in(world, plays_of(world.session)[0])
    work(world.session)
    invitations.invite(kind=RoleKind.SCORER, place=RolePlace(a_club()), actor=None)
    return world


def test_operators_alone_come_in() -> None:
    answer = Client().get("/admin/")
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))
    bea = accounts.create(name="Bea", email="bea@example.org", password=PASSWORD)
    for address in ("/admin/", "/admin/tournaments/account/"):
        refused = client_of(bea).get(address)
        assert refused.status_code == 403
        assert "manage.py staff bea@example.org" in refused.content.decode()
    call_command("staff", "bea@example.org")
    refused = client_of(bea).get("/admin/")
    assert refused.status_code == 403
    assert "authenticator app or a passkey" in refused.content.decode()
    _ana, client = an_operator()
    assert client.get("/admin/").status_code == 200
    call_command("staff", "ana@example.org", "--remove")
    assert client.get("/admin/").status_code == 403
    with pytest.raises(CommandError, match="Nobody has the account"):
        call_command("staff", "nobody@example.org")
    assert not Account.objects.filter(email="nobody@example.org").exists()


def test_everything_is_read_and_no_secret_shown() -> None:
    from frontend import operators

    world = a_full_world()
    ana, client = an_operator()
    board_set = world.session.board_set
    secrets = [
        ana.password,
        TOTP_SECRET,
        bytes(board_set.sealed_seed or b"").decode(),
        world.organiser.digest,
    ]
    secrets += [(board_set.seed or b"").hex(), ana.password.rpartition("$")[2]]
    looked_at = 0
    for model in operators.site._registry:
        listed = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        pages = [client.get(listed)]
        if (row := model._default_manager.first()) is not None:
            looked_at += 1
            pages.append(client.get(f"{listed}{row.pk}/change/"))
            if model._meta.db_table in guards.GUARDS or model is not Account:
                for way in (f"{row.pk}/change/", f"{row.pk}/delete/", "add/"):
                    assert client.post(listed + way, {"name": "x"}).status_code == 403, listed + way
        for page in pages:
            assert page.status_code == 200, page.request["PATH_INFO"]
            text = page.content.decode()
            assert not [one for one in secrets if one and one in text], page.request["PATH_INFO"]
    assert looked_at > 15
    hands = {field.name for field in plays_of(world.session)[0].submissions.get()._meta.fields}
    assert operators.HANDS & hands == {"content", "refusal"}  # what the page of a submission leaves out


def test_a_field_that_sounds_like_a_secret_is_not_shown() -> None:
    """Those that come later too."""
    from frontend import operators

    words = ("digest", "password", "secret", "seed", "session_key", "sealed_")
    shown = [
        f"{model._meta.label}.{name}"
        for model, admin in operators.site._registry.items()
        for name in {*admin.get_fields(), *admin.get_list_display()}  # type: ignore[attr-defined]
        if any(word in str(name) for word in words)
    ]
    assert shown == ["tournaments.BoardSet.sealed_at", "tournaments.Leg.sealed_at"]


def test_somebody_who_is_shut_out_loses_their_tokens_and_it_is_in_the_history() -> None:
    _ana, client = an_operator()
    bea = accounts.create(name="Bea", email="bea@example.org", password=PASSWORD)
    role, _new = roles.grant(account=bea, kind=RoleKind.SCORER, place=RolePlace(a_club()), actor=None)
    _token, text = tokens.make(role=role, name="tablet", scopes=["read"], actor=bea)
    hers = client_of(bea)
    assert hers.get(reverse("my-account")).status_code == 200
    page = f"/admin/tournaments/account/{bea.pk}/change/"
    sent: dict[str, Any] = {"name": "Somebody else", "is_staff": "on"}
    assert client.post(page, sent).status_code == 302  # is_active is not among it: shut out
    bea.refresh_from_db()
    assert (bea.name, bea.is_active, bea.is_staff) == ("Bea", False, False)
    assert tokens.holder_of(text) is None
    assert hers.get(reverse("my-account")).status_code == 302
    client.post(page, {"is_active": "on"})
    bea.refresh_from_db()
    assert bea.is_active
    verbs = (
        HistoryEntry.objects.filter(subject=f"account {bea.pk}").order_by("pk").values_list("verb", flat=True)
    )
    assert list(verbs)[-2:] == ["closed account", "opened account"]


def test_processes_do_without_it_and_without_what_only_some_work_wants() -> None:
    code = (
        "import celery.bin.celery, tournaments.celery, sys, django; django.setup();"
        "from tournaments.services import readiness; import tournaments.tasks, tournaments.worker;"
        "from django.db.migrations.loader import MigrationLoader; MigrationLoader(None);"
        "assert 'django.contrib.admin' not in sys.modules;"
        "from django.urls import get_resolver; get_resolver().url_patterns;"  # the pages, too
        "print({'fpdf', 'PIL', 'openpyxl'} & {*sys.modules} or 'lean')"  # 40 MB together
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=SPECIAL, check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout.strip() == "lean"
