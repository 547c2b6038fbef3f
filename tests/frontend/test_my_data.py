"""A person's data: all of it can be taken along; once erased, nothing in the database tells who it was, and
the scores stay."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.worlds import World, a_club, a_world, played_through, standings_of
from tournaments.models import (
    Account,
    ErasureWish,
    HistoryEntry,
    Invitation,
    Player,
    PlayerLink,
    Registrant,
    Role,
    Token,
)
from tournaments.models.accounts import RoleKind
from tournaments.services import erasing, invitations, player_links, registrations, roles, sessions
from tournaments.services.errors import Forbidden
from tournaments.services.roles import RolePlace

from .test_people_pages import PASSWORD, signed_in, somebody
from .test_players_pages import a_browser_of, a_list, a_player, text_of

pytestmark = pytest.mark.django_db

NAME, NUMBER = "Quesnel", "M-4711"


@pytest.fixture(autouse=True)
def no_tries_from_before() -> None:
    cache.clear()


def begins_with() -> World:
    world = a_world(published=True)
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    return world


def ana_of(world: World) -> tuple[Account, Player]:
    """Somebody with an account, a role, and an entry that has played."""
    account = somebody("Quesnelana", (RoleKind.SCORER, RolePlace(a_club())))
    player = Player.objects.get(pk=world.holder("player").player_id)
    player.given_name, player.family_name, player.number = "Ana", NAME, NUMBER
    player.public_name, player.account = f"Nana {NAME}", account
    player.save()
    return account, player


def everything() -> str:
    """All values of all rows."""
    rows = [list(model._default_manager.values_list()) for model in apps.get_models()]
    return str(rows)


def again(client: Client, name: str, **which: Any) -> Any:
    """The page behind the question for the password."""
    address = reverse(name, kwargs=which)
    asked = client.get(address)
    assert asked.status_code == 302
    assert "again" in asked.url
    back = client.post(asked.url, {"password": PASSWORD})
    assert back.url == address
    return client.get(address)


# ── Taking it along ───────────────────────────────────────────────────────────────────────────────


def test_my_data_is_all_of_it_with_a_word_for_each_part_and_no_secret(world: World) -> None:
    account, player = ana_of(world)
    merged = a_player("Anna Kesnel", merged_into=player)
    _link, secret = player_links.offer(player=player, actor=None)
    the_list = a_list()
    registrations.enter(the_list=the_list, players=[player.pk], actor=account, is_official=True)
    answer = signed_in(account).get(reverse("my-data"))
    assert "attachment" in answer["Content-Disposition"]
    data = json.loads(answer.content)
    parts = {name: part for name, part in data.items() if name != "made_at"}
    assert all(part["what"].endswith(".") for part in parts.values())
    assert parts["account"]["data"]["email"] == account.email
    assert parts["sign_ins"]["data"]
    assert [one["kind"] for one in parts["roles"]["data"]] == ["scorer"]
    assert [one["id"] for one in parts["register"]["data"]] == [player.pk, merged.pk]
    assert parts["register"]["data"][0]["number"] == NUMBER
    assert len(parts["results"]["data"]) == 4
    assert all(one["score"] is not None and one["award"] for one in parts["results"]["data"])
    assert len(parts["contestants"]["data"]) == len(parts["registrations"]["data"]) == 1
    assert {"made account", "granted role", "linked player"} <= {
        one["verb"] for one in parts["history"]["data"]
    }
    assert parts["tokens"]["data"]
    text = answer.content.decode()
    for token in Token.objects.all():
        assert token.digest not in text
    assert secret not in text
    assert account.password not in text
    others = Player.objects.exclude(pk__in=[player.pk, merged.pk])
    assert not [one.name for one in others if one.name in text]


def test_who_has_only_a_link_takes_along_what_is_about_the_entry() -> None:
    ana, bea = a_player(), a_player("Bea Roux")
    data = json.loads(a_browser_of(ana).get(reverse("my-data")).content)
    assert "account" not in data
    assert [one["id"] for one in data["register"]["data"]] == [ana.pk]
    assert bea.name not in str(data)
    assert Client().get(reverse("my-data")).url == reverse("me")


# ── Erasing ───────────────────────────────────────────────────────────────────────────────────────


def test_an_erasure_leaves_the_scores_and_nothing_that_tells_whose_they_were(world: World) -> None:
    account, player = ana_of(world)
    a_player(f"Ana {NAME}", merged_into=player)
    admin = somebody("Ada", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))
    invitations.invite(kind=RoleKind.SCORER, place=RolePlace(a_club()), actor=admin, email=account.email)
    the_list = a_list()
    registrations.enter(the_list=the_list, players=[player.pk], actor=admin, is_official=True)
    before = [(one.contestant.pk, one.rank, one.total) for one in standings_of(world.session)]
    assert NAME in everything()
    assert str(account.email) in everything()
    client, other_tab = signed_in(account), signed_in(account)
    page = text_of(again(client, "erase-me"))
    assert "What stays, and why" in page
    assert f"Ana {NAME}" in page
    assert client.post(reverse("erase-me"), {}).status_code == 400  # not sure
    assert "Your data is erased" in text_of(client.post(reverse("erase-me"), {"sure": "yes"}))
    left = everything()
    for trace in (NAME, NUMBER, str(account.email), account.name, "quesnel"):
        assert trace not in left, trace
    assert [(one.contestant.pk, one.rank, one.total) for one in standings_of(world.session)] == before
    shown = text_of(Client().get(reverse("ranking-page", kwargs={"pk": world.session.pk})))
    number = player.memberships.get(session=world.session).contestant.number
    assert f"Player {number}" in shown
    for one in (client, other_tab):
        assert one.get(reverse("my-account")).status_code == 302  # signed out everywhere
    assert not Role.objects.in_force().filter(account=account).exists()
    assert not Token.objects.valid().filter(player=player).exists()
    assert not Registrant.objects.filter(player=player, left_at=None).exists()
    assert Invitation.objects.get(kind=RoleKind.SCORER, email=None, made_by=admin).state() == "withdrawn"


def test_the_last_administrator_is_not_erased_without_another() -> None:
    ada = somebody("Ada", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))
    client = signed_in(ada)
    assert "You are the last administrator here" in text_of(again(client, "erase-me"))
    answer = client.post(reverse("erase-me"), {"sure": "yes"})
    assert (answer.status_code, "last administrator" in text_of(answer)) == (409, True)
    ada.refresh_from_db()
    assert (ada.is_active, ada.erased_at, ada.email) == (True, None, "ada@example.org")
    assert roles.is_administrator(ada, RolePlace(a_club()))
    roles.grant(account=somebody("Bea"), kind=RoleKind.ADMINISTRATOR, place=RolePlace(a_club()), actor=None)
    erasing.erase_account(account=ada, actor=ada)
    ada.refresh_from_db()
    assert (ada.is_active, ada.email, str(ada)) == (False, None, "erased account")


def test_an_administrator_of_the_club_erases_an_entry_and_nobody_else_does() -> None:
    ana = a_player()
    admin = somebody("Ada", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))
    address = reverse("erase-player", kwargs={"pk": ana.pk})
    for kind, club in ((RoleKind.ORGANISER, "Club A"), (RoleKind.ADMINISTRATOR, "Club B")):
        other = somebody(f"O{club[-1]}", (kind, RolePlace(a_club(club))))
        assert signed_in(other).get(address).status_code == 404
        with pytest.raises(Forbidden):
            erasing.erase_player(player=ana, actor=other)
    client = signed_in(admin)
    assert "Erase Ana Quesnel from the register" in text_of(again(client, "erase-player", pk=ana.pk))
    client.post(address, {})
    ana.refresh_from_db()
    assert ana.erased_at is None
    client.post(address, {"sure": "yes"})
    ana.refresh_from_db()
    assert (ana.name, ana.folded) == ("", "")
    assert ana.erased_at is not None
    assert client.get(address).status_code == 404


def test_a_link_alone_asks_the_club_which_erases_or_declines(
    mailoutbox: Any, django_capture_on_commit_callbacks: Any
) -> None:
    ana = a_player()
    client, page = a_browser_of(ana), reverse("player-links", kwargs={"club": a_club().slug})
    admin = signed_in(somebody("Ada", (RoleKind.ADMINISTRATOR, RolePlace(a_club()))))
    organiser = signed_in(somebody("Ori", (RoleKind.ORGANISER, RolePlace(a_club()))))
    with pytest.raises(Forbidden):
        erasing.erase_player(player=ana, actor=Token.objects.get(player=ana))
    assert "Ask my club to erase my entry" in text_of(client.get(reverse("erase-me")))
    assert client.post(reverse("erase-me"), {}).status_code == 400
    with django_capture_on_commit_callbacks(execute=True):
        for _twice in range(2):
            client.post(reverse("erase-me"), {"sure": "yes"})
    ana.refresh_from_db()
    assert ana.erased_at is None, "whoever made the link could have used it"
    wish = ErasureWish.objects.get()
    assert [mail.to for mail in mailoutbox] == [["ada@example.org"]]
    assert "Quesnel" not in mailoutbox[0].subject + mailoutbox[0].body
    decline = reverse("decline-erasure", kwargs={"pk": wish.pk})
    assert decline in text_of(admin.get(page))
    assert "Want to be erased" in (shown := text_of(organiser.get(page)))
    assert decline not in shown
    assert organiser.post(decline).status_code == 404
    client.post(reverse("erase-me"), {"way": "back"})
    assert "Want to be erased" not in text_of(admin.get(page))
    client.post(reverse("erase-me"), {"sure": "yes"})
    admin.post(reverse("decline-erasure", kwargs={"pk": ErasureWish.objects.get(settled_at=None).pk}))
    assert not ErasureWish.objects.filter(settled_at=None).exists()
    client.post(reverse("erase-me"), {"sure": "yes"})
    address = reverse("erase-player", kwargs={"pk": ana.pk})
    assert address in text_of(admin.get(page))
    again(admin, "erase-player", pk=ana.pk)
    admin.post(address, {"sure": "yes"})
    assert "Quesnel" not in everything()
    assert not ErasureWish.objects.filter(settled_at=None).exists()
    verbs = HistoryEntry.objects.filter(club=a_club(), subject=f"player {ana.pk}").values_list(
        "verb", flat=True
    )
    assert {"wished erasure", "took back erasure", "declined erasure", "erased player"} <= set(verbs)
    assert "once we know who you are" in text_of(client.get(reverse("me")))


@pytest.mark.parametrize(("days", "by_themselves"), [(1, False), (15, True), (15, False)])
def test_an_account_erases_no_entry_that_it_has_just_claimed(days: int, by_themselves: bool) -> None:
    """An organiser could otherwise claim a player by a link of their own, and erase both."""
    ana, account = a_player(), somebody("Ori", (RoleKind.ORGANISER, RolePlace(a_club())))
    link, _secret = player_links.offer(player=ana, actor=account if by_themselves else None)
    player_links.attach(link=link, account=account)
    then = timezone.now() - timedelta(days=days)
    PlayerLink.objects.filter(pk=link.pk).update(made_at=then, used_at=then)
    client = signed_in(account)
    asks = days < 14 or by_themselves
    assert ("Their clubs are asked" in text_of(again(client, "erase-me"))) == asks
    client.post(reverse("erase-me"), {"sure": "yes"})
    account.refresh_from_db()
    ana.refresh_from_db()
    assert account.erased_at is not None
    assert (ana.erased_at is None, ana.account) == (asks, None)
    assert ErasureWish.objects.filter(player=ana, settled_at=None).exists() == asks
