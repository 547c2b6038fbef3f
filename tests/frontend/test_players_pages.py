"""The pages of players: links in every state, own results and consent, registration, by whoever comes."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from frontend.players import urls
from tests.tournaments.worlds import a_club, a_world, played_through
from tournaments.models import Account, ErasureWish, Player, PlayerLink, RegistrationList, Tournament
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, player_links, registrations, sessions
from tournaments.services.roles import RolePlace

from .test_people_pages import PASSWORD, signed_in, somebody

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_tries_from_before() -> None:
    cache.clear()


def a_player(name: str = "Ana Quesnel", **more: Any) -> Player:
    given, _space, family = name.partition(" ")
    return Player.objects.create(club=a_club(), given_name=given, family_name=family, **more)


def a_browser_of(player: Player) -> Client:
    """One that has used a link of a player."""
    _link, secret = player_links.offer(player=player, actor=None)
    client = Client(HTTP_HOST="localhost")
    page = client.get(player_links.path_of(secret), follow=True)
    answer = client.post(page.request["PATH_INFO"], {"way": "browser"})
    assert answer.url == reverse("me"), answer.content.decode()
    return client


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


# ── Links ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_player_makes_an_account_with_the_link_of_the_club() -> None:
    admin = signed_in(somebody("Ada", (RoleKind.ADMINISTRATOR, RolePlace(a_club()))))
    ana = a_player()
    address = reverse("player-links", kwargs={"club": a_club().slug})
    assert "Ana Quesnel" in text_of(admin.get(address, {"q": "quesn"}))
    page = text_of(admin.post(address, {"player": ana.pk}))
    found = re.search(r'value="http://[^/]+(/players/link/([^/"]+)/)"', page)
    assert found
    assert found[2] not in text_of(admin.get(address))  # shown once
    client = Client(HTTP_HOST="localhost")
    page = client.get(found[1], follow=True)
    assert found[2] not in page.request["PATH_INFO"] + text_of(page)
    assert "Ana Quesnel" in text_of(page)
    wish = {"way": "join", "name": "Ana", "email": "ana@example.org", "password": "court"}
    page = client.post(page.request["PATH_INFO"], wish)
    assert "too short" in text_of(page)
    assert 'value="ana@example.org"' in text_of(page)
    page = client.post(page.request["PATH_INFO"], wish | {"password": PASSWORD}, follow=True)
    assert "The club knows you as Ana Quesnel" in text_of(page)
    ana.refresh_from_db()
    assert ana.account == Account.objects.get(email="ana@example.org")
    again = Client(HTTP_HOST="localhost").get(found[1], follow=True)
    assert (again.status_code, "used already" in text_of(again)) == (410, True)


def test_an_account_that_there_is_takes_the_entry_and_lets_it_go() -> None:
    ana, account = a_player(), somebody("Ana")
    client = signed_in(account)
    link, secret = player_links.offer(player=ana, actor=None)
    page = client.get(player_links.path_of(secret), follow=True)
    page = client.post(page.request["PATH_INFO"], {"way": "account"}, follow=True)
    assert "belongs to your account" in text_of(page)
    page = client.get(reverse("player-link", kwargs={"pk": link.pk}))
    assert (page.status_code, "the entry is yours" in text_of(page)) == (200, True)
    other = signed_in(somebody("Bea"))
    detach = reverse("detach-player", kwargs={"pk": ana.pk})
    assert other.post(detach).status_code == 404
    assert client.post(detach).url == reverse("me")
    assert not Player.objects.filter(account=account).exists()


@pytest.mark.parametrize(
    ("spoil", "words", "status"),
    [
        ({"withdrawn_at": timezone.now()}, "has been withdrawn", 410),
        (
            {
                "made_at": timezone.now() - timedelta(days=20),
                "ends_at": timezone.now() - timedelta(days=6),
            },
            "This link ended on",
            410,
        ),
        ({"digest": "0" * 64}, "No link here", 404),
    ],
)
def test_a_link_that_is_over_says_what_has_happened(
    client: Client, spoil: dict[str, Any], words: str, status: int
) -> None:
    link, secret = player_links.offer(player=a_player(), actor=None)
    PlayerLink.objects.filter(pk=link.pk).update(**spoil)
    page = client.get(player_links.path_of(secret), follow=True)
    assert (page.status_code, words in text_of(page)) == (status, True)
    assert "Quesnel" not in text_of(page)
    page = client.post(page.request["PATH_INFO"], {"way": "browser"})
    assert page.status_code == status
    assert not client.session.get("player-tokens")


# ── One's own page ────────────────────────────────────────────────────────────────────────────────


def test_a_player_sees_own_results_and_decides_about_the_name() -> None:
    world = a_world(published=True)
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    player = Player.objects.get(pk=world.holder("player").player_id)
    player.given_name, player.family_name, player.consent = "Ana", "Quesnel", False
    player.save()
    client = a_browser_of(player)
    page = text_of(client.get(reverse("me")))
    assert re.search(r"\d of 9", page)
    assert "Others do not read your name, but A. Q." in page
    evening = client.get(reverse("my-evening", kwargs={"pk": world.session.pk}))
    assert text_of(evening).count('<th scope="row">') == 4
    public = reverse("ranking-page", kwargs={"pk": world.session.pk})
    assert "Ana Quesnel" not in text_of(Client().get(public))
    consent = reverse("my-consent", kwargs={"pk": player.pk})
    client.post(consent, {"consent": "yes"})
    assert "Ana Quesnel" in text_of(Client().get(public))
    client.post(consent, {"consent": "no"})
    assert "Ana Quesnel" not in text_of(Client().get(public))
    foreign = Player.objects.exclude(pk=player.pk).first()
    assert foreign is not None
    assert client.post(reverse("my-consent", kwargs={"pk": foreign.pk})).status_code == 404
    client.post(reverse("leave-browser"))
    assert "once we know who you are" in text_of(client.get(reverse("me")))
    assert client.get(reverse("my-evening", kwargs={"pk": world.session.pk})).status_code == 404


def test_before_a_board_is_over_its_award_is_not_shown() -> None:
    world = a_world()
    from tests.tournaments.worlds import hand_in, plays_of, work

    player = Player.objects.get(pk=world.holder("player").player_id)
    own = next(play for play in plays_of(world.session) if play.table == world.table.table)
    hand_in(world, own)
    work(world.session)
    page = text_of(a_browser_of(player).get(reverse("my-evening", kwargs={"pk": world.session.pk})))
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in page.split("<tr>")[2:]]
    assert sum(row[2] != "–" for row in rows) == 1  # their own score at once
    assert {row[3] for row in rows} == {"–"}  # and no award


# ── Registration ──────────────────────────────────────────────────────────────────────────────────


def a_list(**how: Any) -> RegistrationList:
    tournament = Tournament.objects.create(club=a_club(), name="Coupe")
    actor = accounts.create(name="Nobody in particular")
    return registrations.open_list(tournament=tournament, actor=actor, name="Mardi", **how)


def test_players_enter_and_leave_by_themselves_and_wait_where_it_is_full() -> None:
    the_list = a_list(limit=1)
    page = reverse("registration", kwargs={"pk": the_list.pk})
    ana, bea = a_player(), a_player("Bea Roux", consent=True)
    first, second = a_browser_of(ana), a_browser_of(bea)
    assert "Mardi" in text_of(first.get(reverse("me")))
    answer = first.post(page, {"way": "enter", "player": ana.pk}, follow=True)
    assert "Ana Quesnel has entered, as number 1" in text_of(answer)
    answer = second.post(page, {"way": "enter", "player": bea.pk}, follow=True)
    assert "waiting list, in place 1" in text_of(answer)
    assert "Quesnel" not in text_of(answer)
    public = text_of(Client().get(page))
    assert "Bea Roux" in public
    assert "A. Q." in public
    assert "Quesnel" not in public
    second.post(page, {"way": "leave", "player": ana.pk})  # not theirs to say
    assert len(registrations.places(the_list, registrations.names.ANYONE)) == 2
    first.post(page, {"way": "leave", "player": ana.pk})
    assert "Bea Roux has entered, as number 1" in text_of(second.get(page))


def test_the_club_opens_a_list_enters_a_pair_and_closes_it() -> None:
    admin = signed_in(somebody("Ada", (RoleKind.ADMINISTRATOR, RolePlace(a_club()))))
    tournament = Tournament.objects.create(club=a_club(), name="Coupe")
    address = reverse("tournament-registration", kwargs={"pk": tournament.pk})
    assert "Coupe" in text_of(admin.get(reverse("club-registration", kwargs={"club": a_club().slug})))
    page = admin.post(address, {"name": "Mardi", "players_each": "2", "limit": "8"}, follow=True)
    assert "The list is open" in text_of(page)
    desk = page.request["PATH_INFO"]
    ana, bea = a_player(), a_player("Bea Roux")
    assert "Ana Quesnel" in text_of(admin.get(desk, {"q": "ana"}))
    admin.post(desk, {"way": "enter", "player": [ana.pk]})
    the_list = RegistrationList.objects.get()
    (place,) = registrations.places(the_list, registrations.names.OPERATOR)
    admin.post(desk, {"way": "enter", "player": [bea.pk], "registration": place.registration})
    assert "Ana Quesnel – Bea Roux" in text_of(admin.get(desk))
    answer = admin.post(desk, {"way": "enter", "player": [ana.pk]}, follow=True)
    assert "Ana Quesnel has entered “Mardi” already, as number 1" in text_of(answer)
    seen = registrations.stamp(the_list)
    admin.post(desk, {"way": "room", "limit": "", "is_public": "on", "seen": seen})
    the_list.refresh_from_db()
    assert (the_list.is_open, the_list.limit, the_list.is_public) == (False, None, True)
    assert "Registration is closed" in text_of(
        Client().get(reverse("registration", kwargs={"pk": the_list.pk}))
    )
    admin.post(desk, {"way": "leave", "registration": place.registration})
    assert "Nobody yet" in text_of(admin.get(desk))


# ── Everybody at every page ───────────────────────────────────────────────────────────────────────

PAGES = {
    # By name: anyone, a player by link, another account, the club's administrator.
    "player-link": (404, 404, 404, 404),
    "my-data": (302, 200, 200, 200),
    "erase-me": (302, 200, 302, 302),
    "erase-player": (302, 302, 404, 302),
    "decline-erasure": (405, 405, 405, 405),
    "me": (200, 200, 200, 200),
    "my-results": (302, 200, 302, 302),
    "my-season": (302, 200, 302, 302),
    "my-calendar": (302, 200, 302, 302),
    "my-evening": (404, 404, 404, 404),
    "my-objections": (404, 404, 404, 404),
    "my-board": (404, 404, 404, 404),
    "my-replay": (404, 404, 404, 404),
    "my-consent": (405, 405, 405, 405),
    "detach-player": (405, 405, 405, 405),
    "leave-browser": (405, 405, 405, 405),
    "registration": (200, 200, 200, 200),
    "club-registration": (302, 302, 403, 200),
    "tournament-registration": (302, 302, 403, 200),
    "desk-registration": (302, 302, 403, 200),
    "player-links": (302, 302, 403, 200),
    "withdraw-player-link": (405, 405, 405, 405),
    "evening-card": (404, 404, 404, 404),
    "all-player-links": (302, 302, 403, 200),
}


def test_every_page_asks_who_comes() -> None:
    assert {route.name for route in urls.urlpatterns} == PAGES.keys()
    the_list, ana = a_list(), a_player()
    link, _secret = player_links.offer(player=ana, actor=None)
    callers = (
        Client(HTTP_HOST="localhost"),
        a_browser_of(a_player("Bea Roux")),
        signed_in(somebody("Cleo", (RoleKind.SCORER, RolePlace(a_club("Club B"))))),
        signed_in(somebody("Ada", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))),
    )
    ids = {
        "player-link": link.pk,
        "withdraw-player-link": link.pk,
        "my-evening": 1,
        "my-objections": 1,
        "my-consent": ana.pk,
        "detach-player": ana.pk,
        "erase-player": ana.pk,
        "decline-erasure": ErasureWish.objects.create(player=ana).pk,
        "registration": the_list.pk,
        "desk-registration": the_list.pk,
        "tournament-registration": the_list.tournament_id,
    }
    for name, expected in PAGES.items():
        which = {"pk": ids[name]} if name in ids else {"club": a_club().slug} if "club" in name else {}
        which = {"club": a_club().slug} if name in {"player-links", "all-player-links"} else which
        which = {"pk": 1, "number": 1} if name == "my-board" else which
        which = {"pk": 1, "number": 1, "play": 1} if name == "my-replay" else which
        address = reverse(name, kwargs=which)
        for language in ("en", "fr"):
            there = address.replace("/en/", f"/{language}/", 1)
            assert tuple(one.get(there).status_code for one in callers) == expected, name
    for name in ("withdraw-player-link", "decline-erasure", "detach-player"):
        address = reverse(name, kwargs={"pk": ids[name]})
        assert [one.post(address).status_code for one in callers] == [302, 302, 404, 302]
