"""Rankings in other sites: what the frame shows, to whom, and what oEmbed says of it."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tests.tournaments.worlds import World, a_world, hand_in, played_through, plays_of, work
from tournaments.models import Account, Player, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, roles, sessions
from tournaments.services.roles import RolePlace

pytestmark = pytest.mark.django_db

HOST = "http://testserver"
OTHER_PAGE = "frame-ancestors 'none'"


@pytest.fixture
def world() -> World:
    world = a_world(published=True)
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    return world


def embedded(world: World, language: str = "en") -> str:
    return f"/{language}/embed/sessions/{world.session.pk}/ranking/"


def told(client: Client, address: str, **more: Any) -> Any:
    return client.get("/oembed", {"url": address, **more})


def signed_in(account: Account) -> Client:
    client = Client()
    client.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def an_organiser(world: World) -> Client:
    account = accounts.create(name="Odile")
    place = RolePlace(world.session.tournament.club)
    roles.grant(account=account, kind=RoleKind.ORGANISER, place=place, actor=None)
    return signed_in(account)


def figures(page: str) -> list[str]:
    return re.findall(r'class="(?:score|figure)">([\d.,]+)<', page)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_frame_has_the_ranking_that_anybody_sees(world: World, client: Client, language: str) -> None:
    page = client.get(embedded(world, language)).content.decode()
    whole = f"/{language}/sessions/{world.session.pk}/"
    assert figures(page) == figures(client.get(whole).content.decode())
    assert len(figures(page)) == 9
    assert f'lang="{language}"' in page
    assert f'href="{HOST}{whole}" target="_blank" rel="noopener"' in page


def test_any_site_may_frame_it_and_no_other_page(world: World, client: Client) -> None:
    answer = client.get(embedded(world))
    policy = answer["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "script-src 'none'" in policy
    assert "X-Frame-Options" not in answer
    for other in (f"/en/sessions/{world.session.pk}/", "/en/", "/en/embed/sessions/999999/ranking/"):
        answer = client.get(other)
        assert OTHER_PAGE in answer["Content-Security-Policy"], other
        assert answer["X-Frame-Options"] == "DENY", other


def test_it_reads_no_cookie_sets_none_and_runs_no_script_once_it_is_over(
    world: World, client: Client
) -> None:
    anyone, official = client.get(embedded(world)), an_organiser(world).get(embedded(world))
    assert official.content == anyone.content
    assert not anyone.cookies
    assert not official.cookies
    assert not official.wsgi_request.session.accessed
    assert b"<script" not in anyone.content
    assert b"style=" not in anyone.content


def test_while_it_is_played_it_counts_boards_that_are_over_alone() -> None:
    world = a_world(published=True)
    hand_in(world, plays_of(world.session)[0])
    work(world.session)
    official = an_organiser(world)
    assert figures(official.get(f"/en/sessions/{world.session.pk}/").content.decode())
    page = official.get(embedded(world)).content.decode()
    assert not figures(page)
    assert "again(60)" in page  # until it is over
    Session.objects.filter(pk=world.session.pk).update(live=Session.Live.HIDDEN)
    assert "once the session has been played" in official.get(embedded(world)).content.decode()


def test_nobody_without_consent_is_named_and_nothing_unlisted_is_there(world: World, client: Client) -> None:
    Player.objects.filter(memberships__session=world.session).update(consent=False, family_name="Secret")
    assert "Secret" not in client.get(embedded(world)).content.decode()
    official, address = an_organiser(world), f"{HOST}/en/sessions/{world.session.pk}/"
    assert told(client, address).status_code == 200
    Session.objects.filter(pk=world.session.pk).update(listed=False)
    for caller in (client, official):
        assert caller.get(embedded(world)).status_code == 404
        assert told(caller, address).status_code == 404
    assert "oembed" not in official.get(address).content.decode()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_oembed_is_found_on_the_page_and_gives_the_frame(world: World, client: Client, language: str) -> None:
    page = client.get(f"/{language}/sessions/{world.session.pk}/").content.decode()
    (link,) = re.findall(r'type="application/json\+oembed" href="([^"]+)"', page)
    answer = client.get(unescape(link))
    assert answer["Content-Type"] == "application/json"
    said = answer.json()
    assert (said["version"], said["type"], said["provider_name"]) == ("1.0", "rich", "Étui")
    assert world.session.name in said["title"]
    (source,) = re.findall(r'<iframe src="([^"]+)"', said["html"])
    assert source == HOST + embedded(world, language)
    assert client.get(source).status_code == 200
    assert client.get(said["thumbnail_url"])["Content-Type"] == "image/png"


def test_oembed_keeps_to_the_size_that_it_is_given(world: World, client: Client) -> None:
    address = f"{HOST}/en/sessions/{world.session.pk}/"
    small = told(client, address, maxwidth=320, maxheight=200).json()
    assert (small["width"], small["height"]) == (320, 200)
    assert 'width="320" height="200"' in small["html"]
    assert "thumbnail_url" not in small
    large = told(client, address, maxwidth=9999, maxheight="tall").json()
    assert (large["width"], large["height"]) == (600, 480)
    assert "thumbnail_url" in large


@pytest.mark.parametrize(
    "address",
    [
        *(
            "",
            "no address",
            "http://[",
            "javascript:alert(1)",
            "https://elsewhere.example/en/sessions/{pk}/",
            HOST,
        ),
        *(HOST + "/en/", HOST + "/en/sessions/{pk}/boards/", HOST + "/de/sessions/{pk}/"),
        *(HOST + "/en/sessions/999999/", HOST + "/sessions/{pk}/", HOST + "/en/sessions/" + "9" * 40 + "/"),
    ],
)
def test_oembed_knows_rankings_of_this_service_alone(world: World, client: Client, address: str) -> None:
    assert told(client, address.format(pk=world.session.pk)).status_code == 404


def test_oembed_says_that_it_speaks_json_alone(world: World, client: Client) -> None:
    assert told(client, f"{HOST}/en/sessions/{world.session.pk}/", format="xml").status_code == 501
    assert client.get("/oembed").status_code == 400


def test_a_name_that_looks_like_markup_stays_text(world: World, client: Client) -> None:
    world.session.tournament.name = '"><script>alert(1)</script>'
    world.session.tournament.save()
    said = told(client, f"{HOST}/en/sessions/{world.session.pk}/").json()
    for page in (said["html"], client.get(embedded(world)).content.decode()):
        assert "<script" not in page


def test_officials_find_the_frame_to_copy_on_the_ranking_page(world: World, client: Client) -> None:
    address = f"/en/sessions/{world.session.pk}/"
    assert 'id="snippet"' not in client.get(address).content.decode()
    assert 'id="snippet"' not in signed_in(accounts.create(name="Noé")).get(address).content.decode()
    page = an_organiser(world).get(address).content.decode()
    (copied,) = re.findall(r'<textarea id="snippet"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    assert unescape(copied).startswith(f'<iframe src="{HOST}{embedded(world)}"')
