"""Accounts, roles and invitations: who is found by which name, who may grant what, and links that are good
once."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from tournaments.models import Account, Club, HistoryEntry, Invitation, Role, Session, Token
from tournaments.models.accounts import AT_CLUB, AT_FEDERATION, AT_SESSION, RoleKind
from tournaments.services import accounts, invitations, roles, tokens
from tournaments.services.errors import Conflict, Forbidden, Invalid, Refused
from tournaments.services.roles import FEDERATION, RolePlace

from .worlds import a_club, a_session

pytestmark = pytest.mark.django_db

State = Invitation.State


def somebody(name: str, *held: tuple[RoleKind, RolePlace], email: str | None = None) -> Account:
    account = accounts.create(name=name, email=email)
    for kind, place in held:
        roles.grant(account=account, kind=kind, place=place, actor=None)
    return account


def an_invitation(
    *,
    kind: RoleKind = RoleKind.SCORER,
    place: RolePlace | None = None,
    actor: Account | None = None,
    email: str | None = None,
) -> Invitation:
    where = place or RolePlace(a_club())
    invitation, _secret = invitations.invite(kind=kind, place=where, actor=actor, email=email)
    return invitation


def refusal_of(invitation: Invitation, account: Account) -> str:
    with pytest.raises(Refused) as refused:
        invitations.accept(invitation=invitation, account=account)
    return refused.value.code


# ── Accounts ──────────────────────────────────────────────────────────────────────────────────────


def test_an_address_in_another_case_is_the_same_and_has_one_account() -> None:
    ana = somebody("Ana", email="Ana@Example.org")
    assert ana.email == "ana@example.org"
    assert Account.objects.get(email="ANA@example.ORG") == ana
    with pytest.raises(Conflict, match="already"):
        somebody("Another", email="ANA@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        Account.objects.create(name="Another", email="aNa@example.org")


def test_accounts_without_an_address_and_of_one_name_stay_two() -> None:
    ana, other = somebody("Ana"), somebody("Ana")
    assert ana != other
    assert not ana.has_usable_password()
    with pytest.raises(Conflict, match=f"{ana.pk} .*{other.pk}"):
        accounts.of_name("Ana")
    assert accounts.of_name(str(other.pk)) == other


def test_a_token_is_made_for_an_address_or_a_name_that_one_has(capsys: pytest.CaptureFixture[str]) -> None:
    club = a_club()
    ana, bea = somebody("Ana", email="ana@example.org"), somebody("Bea")
    for text in ("Ana@example.org", "Bea", "New"):
        call_command("token", "organiser", text, "--club", club.slug)
    holders = [token.role.account.name for token in Token.objects.order_by("pk") if token.role]
    assert holders == [ana.name, bea.name, "New"]
    somebody("Bea")
    with pytest.raises(CommandError, match="Several accounts"):
        call_command("token", "organiser", "Bea", "--club", club.slug)


# ── Which roles there are, and who grants them ────────────────────────────────────────────────────


def places() -> dict[str, RolePlace]:
    session = a_session()
    return {
        "federation": FEDERATION,
        "club": RolePlace(session.tournament.club),
        "session": RolePlace(session=session),
    }


@pytest.mark.parametrize(
    ("where", "kinds"), [("federation", AT_FEDERATION), ("club", AT_CLUB), ("session", AT_SESSION)]
)
def test_the_database_has_the_roles_of_the_table_and_no_others(
    where: str, kinds: tuple[RoleKind, ...]
) -> None:
    place, ana = places()[where], somebody("Ana")
    for kind in RoleKind:
        wanted = {"account": ana, "kind": kind, "club": place.club, "session": place.session}
        if kind in kinds:
            Role.objects.create(**wanted)
            with pytest.raises(IntegrityError, match=r"role_once|UNIQUE"), transaction.atomic():
                Role.objects.create(**wanted)
        else:
            with pytest.raises(IntegrityError, match="role_exists_there"), transaction.atomic():
                Role.objects.create(**wanted)


# Who grants and revokes what: at the federation, at their own club, at a session of it; at a foreign club.
GRANTS: dict[str, tuple[str, str, str, str]] = {
    "federation administrator": ("ao", "aos", "odDs", "aos"),
    "federation organiser": ("", "", "", ""),
    "club administrator": ("", "aos", "odDs", ""),
    "club organiser": ("", "s", "dDs", ""),
    "club scorer": ("", "", "", ""),
    "session organiser": ("", "", "dDs", ""),
    "session director": ("", "", "", ""),
    "session deal-officer": ("", "", "", ""),
    "session scorer": ("", "", "", ""),
    "nobody": ("", "", "", ""),
}
LETTERS = dict(zip("aodDs", RoleKind, strict=True))


@pytest.mark.parametrize("who", GRANTS)
def test_who_grants_and_revokes_what(who: str) -> None:
    there = places()
    where, _space, kind = who.partition(" ")
    actor = somebody("Actor", *[(RoleKind(kind), there[where])] if kind else [])
    foreign = RolePlace(a_club("Club B"))
    for place in (FEDERATION, there["club"], foreign):  # so that nobody below is the last one
        somebody("Standing", (RoleKind.ADMINISTRATOR, place))
    for place, letters in zip((*there.values(), foreign), GRANTS[who], strict=True):
        may = {LETTERS[letter] for letter in letters}
        assert set(roles.grantable(actor, place)) == may
        for one in place.kinds:
            other = accounts.create(name="Other")
            if one in may:
                role, is_new = roles.grant(account=other, kind=one, place=place, actor=actor)
                assert (is_new, role.granted_by) == (True, actor)
                roles.revoke(role=role, actor=actor)
                role.refresh_from_db()
                assert (role.revoked_at is None, role.revoked_by) == (False, actor)
            else:
                with pytest.raises(Forbidden):
                    roles.grant(account=other, kind=one, place=place, actor=actor)
                role, _is_new = roles.grant(account=other, kind=one, place=place, actor=None)
                with pytest.raises(Forbidden):
                    roles.revoke(role=role, actor=actor)
                with pytest.raises(Forbidden):
                    invitations.invite(kind=one, place=place, actor=actor)


def test_a_closed_account_grants_nothing() -> None:
    ana = somebody("Ana", (RoleKind.ADMINISTRATOR, FEDERATION))
    ana.is_active = False
    ana.save()
    assert roles.grantable(ana, FEDERATION) == ()
    assert not roles.has_administrator()


def test_a_role_ends_with_its_tokens_and_can_be_granted_anew() -> None:
    club = a_club()
    token, text = tokens.issue_for_role(person="Ana", club=club, kind=RoleKind.ORGANISER)
    assert token.role is not None
    roles.revoke(role=token.role, actor=token.role.account)
    assert tokens.holder_of(text) is None
    again, is_new = roles.grant(
        account=token.role.account, kind=RoleKind.ORGANISER, place=RolePlace(club), actor=None
    )
    assert is_new
    assert Role.objects.filter(account=again.account).count() == 2  # the earlier one stays, revoked


def test_an_administrators_token_organises_its_club() -> None:
    token, _text = tokens.issue_for_role(person="Ana", club=a_club(), kind=RoleKind.ADMINISTRATOR)
    assert (token.organised_club, token.scored_club) == (a_club().pk, None)


@pytest.mark.parametrize("where", ["federation", "club"])
def test_the_last_administrator_neither_leaves_nor_is_revoked(where: str) -> None:
    place = places()[where]
    ana = somebody("Ana", (RoleKind.ADMINISTRATOR, place))
    above = somebody("Above", (RoleKind.ADMINISTRATOR, FEDERATION)) if where == "club" else None
    role = Role.objects.get(account=ana)
    for actor in filter(None, (ana, above)):
        with pytest.raises(Conflict, match="last administrator"):
            roles.revoke(role=role, actor=actor)
    closed = somebody("Closed", (RoleKind.ADMINISTRATOR, place))
    Account.objects.filter(pk=closed.pk).update(is_active=False)  # is no help
    with pytest.raises(Conflict):
        roles.revoke(role=role, actor=ana)
    somebody("Bea", (RoleKind.ADMINISTRATOR, place))
    roles.revoke(role=role, actor=ana)
    roles.revoke(role=role, actor=ana)  # a second time nothing happens
    lines = (
        HistoryEntry.objects.filter(subject=f"role {role.pk}").order_by("pk").values_list("verb", "account")
    )
    assert list(lines) == [("granted role", None), ("left role", ana.pk)]


def test_a_club_is_made_by_the_federation_and_has_an_administrator() -> None:
    ana, bea = somebody("Ana", (RoleKind.ADMINISTRATOR, FEDERATION)), somebody("Bea")
    club = roles.found_club(name="Club", actor=ana)
    assert roles.is_administrator(ana, RolePlace(club))
    with pytest.raises(Forbidden):
        roles.found_club(name="Club", actor=bea)
    assert Club.objects.count() == 1
    verbs = HistoryEntry.objects.filter(club=club).order_by("pk").values_list("verb", "account", "tournament")
    assert list(verbs) == [("made club", ana.pk, None), ("granted role", ana.pk, None)]


# ── Invitations ───────────────────────────────────────────────────────────────────────────────────


def test_an_invitation_gives_its_role_once_and_keeps_no_secret() -> None:
    ana = somebody("Ana", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))
    invitation, secret = invitations.invite(kind=RoleKind.SCORER, place=RolePlace(a_club()), actor=ana)
    assert secret not in str(list(Invitation.objects.values()) + list(HistoryEntry.objects.values()))
    assert invitations.with_secret(secret) == invitation
    assert invitations.with_secret(secret + "x") is None
    bea = somebody("Bea")
    role = invitations.accept(invitation=invitation, account=bea)
    assert (role.account, role.kind, role.club, role.granted_by) == (bea, "scorer", a_club(), ana)
    assert invitations.accept(invitation=invitation, account=bea) == role  # sent twice by a shaky phone
    assert refusal_of(invitation, somebody("Cid")) == "invitation-accepted"
    verbs = HistoryEntry.objects.filter(subject=f"invitation {invitation.pk}").order_by("pk")
    assert list(verbs.values_list("verb", "account")) == [
        ("invited", ana.pk),
        ("accepted invitation", bea.pk),
    ]


def test_an_invitation_ends() -> None:
    invitation = an_invitation()
    long_ago = timezone.now() - timedelta(days=30)
    fresh = Invitation.objects.create(
        digest="0", kind="scorer", club=a_club(), made_at=long_ago, ends_at=long_ago + timedelta(days=14)
    )
    assert refusal_of(fresh, somebody("Bea")) == "invitation-expired"
    assert invitations.open_at(RolePlace(a_club())) == [invitation]


def test_an_invitation_is_withdrawn_by_those_who_may_grant_its_role() -> None:
    ana = somebody("Ana", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))
    oda = somebody("Oda", (RoleKind.ORGANISER, RolePlace(a_club())))
    invitation = an_invitation(kind=RoleKind.ADMINISTRATOR, actor=ana)
    with pytest.raises(Forbidden):
        invitations.withdraw(invitation=invitation, actor=oda)
    invitations.withdraw(invitation=invitation, actor=ana)
    assert refusal_of(invitation, somebody("Bea")) == "invitation-withdrawn"
    assert invitations.open_at(RolePlace(a_club())) == []


def test_an_invitation_falls_with_the_right_of_whoever_made_it() -> None:
    oda = somebody("Oda", (RoleKind.ORGANISER, RolePlace(a_club())))
    invitation = an_invitation(actor=oda)
    roles.revoke(role=Role.objects.get(account=oda), actor=None)
    assert invitations.state_of(invitation) == State.WITHDRAWN
    assert refusal_of(invitation, somebody("Bea")) == "invitation-withdrawn"


def test_an_invitation_for_an_address_is_for_nobody_else() -> None:
    invitation = an_invitation(email="Bea@Example.org")
    assert refusal_of(invitation, somebody("Cid", email="cid@example.org")) == "invitation-foreign"
    assert refusal_of(invitation, somebody("Dan")) == "invitation-foreign"
    bea = somebody("Bea", email="bea@example.org")
    assert invitations.accept(invitation=invitation, account=bea).account == bea


def test_who_has_the_role_already_leaves_the_invitation_to_another() -> None:
    bea = somebody("Bea", (RoleKind.SCORER, RolePlace(a_club())))
    invitation = an_invitation()
    assert invitations.accept(invitation=invitation, account=bea) == bea.roles.get()
    assert invitations.state_of(Invitation.objects.get(pk=invitation.pk)) == State.OPEN


def test_an_account_that_cannot_be_made_leaves_the_invitation_open() -> None:
    somebody("Ana", email="ana@example.org")
    invitation = an_invitation()
    with pytest.raises(Conflict, match="already"):
        invitations.join(
            invitation=invitation, name="A", email="Ana@example.org", password="x" * 10, language="fr"
        )
    assert invitations.state_of(Invitation.objects.get(pk=invitation.pk)) == State.OPEN
    invitations.withdraw(
        invitation=invitation, actor=somebody("Adm", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))
    )
    with pytest.raises(Conflict):
        invitations.join(
            invitation=invitation, name="B", email="b@example.org", password="x" * 10, language="fr"
        )
    assert not Account.objects.filter(email="b@example.org").exists()


def test_there_is_no_invitation_to_what_there_is_not() -> None:
    with pytest.raises(Invalid):
        invitations.invite(kind=RoleKind.DIRECTOR, place=RolePlace(a_club()), actor=None)
    with pytest.raises(Invalid):
        invitations.invite(kind=RoleKind.SCORER, place=RolePlace(a_club()), actor=None, email="nobody")


def test_the_first_administrator_comes_by_the_newest_link_and_there_is_no_second() -> None:
    first, second = invitations.set_up(), invitations.set_up()
    assert first
    assert second
    old, new = invitations.with_secret(first), invitations.with_secret(second)
    assert old is not None
    assert new is not None
    assert refusal_of(old, somebody("Late")) == "invitation-withdrawn"
    ana = invitations.join(invitation=new, name="Ana", email="a@example.org", password="x" * 10, language="")
    assert roles.is_administrator(ana)
    assert invitations.set_up() is None
    assert refusal_of(old, somebody("Later")) == "invitation-withdrawn"


def test_a_link_of_the_first_start_is_nothing_once_an_operator_has_made_an_administrator() -> None:
    secret = invitations.set_up()
    assert secret
    somebody("Ana", (RoleKind.ADMINISTRATOR, FEDERATION))
    link = invitations.with_secret(secret)
    assert link is not None
    assert refusal_of(link, somebody("Eve")) == "invitation-withdrawn"


def test_an_operator_invites_by_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    session = a_session()
    for arguments, place in (
        (("administrator",), FEDERATION),
        (("scorer", "--club", session.tournament.club.slug), RolePlace(session.tournament.club)),
        (("director", "--session", str(session.pk)), RolePlace(session=Session.objects.get())),
    ):
        call_command("invite", *arguments, "--address", "https://etui.example/")
        link = capsys.readouterr().out.strip()
        assert link.startswith("https://etui.example/invitations/link/")
        invitation = invitations.with_secret(link.split("/")[-2])
        assert invitation is not None
        assert RolePlace.of(invitation) == place
    call_command("invite", "organiser", "--email", "Oda@example.org")
    assert Invitation.objects.get(email="oda@example.org").kind == "organiser"
    for wrong in (("director",), ("scorer", "--club", "nowhere"), ("director", "--session", "99")):
        with pytest.raises(CommandError):
            call_command("invite", *wrong)


def test_holders_of_tokens_who_cannot_sign_in_are_invited_all_at_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    club = a_club()
    tokens.issue_for_role(person="Sam", club=club, kind=RoleKind.SCORER)
    tokenless = accounts.create(name="Tokenless")
    roles.grant(account=tokenless, kind=RoleKind.SCORER, place=RolePlace(club), actor=None)
    tokens.issue_for_role(person="ana@example.org", club=club, kind=RoleKind.ORGANISER)
    capsys.readouterr()
    call_command("invite", "--holders", "--address", "https://etui.example")
    (line,) = capsys.readouterr().out.splitlines()
    name, kind, place, link = line.split("\t")
    assert (name, kind, place) == ("Sam", "scorer", club.name)
    invitation = invitations.with_secret(link.split("/")[-2])
    assert invitation is not None
    assert (invitation.kind, invitation.club) == ("scorer", club)
    with pytest.raises(CommandError, match="--holders"):
        call_command("invite")
