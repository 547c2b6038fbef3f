"""A season by its pages: made on the desk, its rules in words with a preview, its evenings, its prizes; what
everybody sees of it, and when."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments.seasons import a_season, evenings, play
from tests.tournaments.worlds import a_club, a_session, forget
from tournaments.models import Account, Member, Player, Season
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, roles, season_standings, sessions
from tournaments.services.roles import RolePlace

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def anew() -> None:
    forget()
    season_standings.forget()


def an_organiser_of(club: str = "Club A") -> Client:
    account = accounts.create(name=f"Odile of {club}")
    roles.grant(account=account, kind=RoleKind.ORGANISER, place=RolePlace(club=a_club(club)), actor=None)
    return signed_in(account)


def signed_in(account: Account) -> Client:
    client = Client(HTTP_ACCEPT_LANGUAGE="en")
    client.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def address(route: str, *parts: Any) -> str:
    return reverse(route, args=parts)


def seen(season: Season) -> str:
    season.refresh_from_db()
    return f"{season.pk}-{season.changes}"


def test_a_season_from_its_making_to_the_page_that_everybody_sees() -> None:
    first, second = evenings(2)
    odile, anyone = an_organiser_of(), Client(HTTP_ACCEPT_LANGUAGE="en")
    made = odile.post(address("desk-seasons"), {"name": "Winter", "owner": "club-a"})
    season = Season.objects.get()
    desk, public = address("desk-season", season.pk), address("season-page", season.pk)
    assert made.headers["Location"] == desk
    assert anyone.get(public).status_code == 404
    assert odile.get(public).status_code == 200
    rules = {
        **{"seen": seen(season), "name": "Winter cup", "ranked": ["players", "contestants"]},
        **{"measure": "percent", "combine": "sum", "which": "best", "count": "1", "least": "1"},
        **{"absent": "", "half": "half", "enough": "67", "tie_breaks": ["best-evenings", "encounters"]},
    }
    looked = odile.post(desk, rules | {"way": "preview"})
    assert looked.status_code == 200
    assert b"No evening counts yet" in odile.get(public).content, "nothing is being counted"
    assert re.search(r"Less than [0-9.]+% of an evening", odile.get(public).content.decode())
    assert "The best 1 evening counts." in looked.content.decode()
    assert seen(season) == rules["seen"], "nothing is stored"
    assert odile.post(desk, rules | {"way": "rules"}).status_code == 302
    season.refresh_from_db()
    assert (season.name, season.rules["best"]) == ("Winter cup", 1)
    assert season.rules["tie_breaks"] == ["encounters", "best-evenings"]
    chosen = {
        "evening": [f"session-{first.pk}", f"session-{second.pk}"],
        f"weight-session-{second.pk}": "1,5",
    }
    assert odile.post(desk, chosen | {"seen": seen(season), "way": "evenings"}).status_code == 302
    weights = dict(season.evenings.values_list("session", "weight"))
    assert weights == {first.pk: "1", second.pk: "3/2"}
    assert odile.post(desk, {"seen": seen(season), "way": "open"}).status_code == 302
    assert b"The standing is being counted" in anyone.get(public).content
    season_standings.rank(season_id=season.pk)
    page = anyone.get(public).content.decode()
    assert "2 evenings count" in page
    assert "<polyline" in page
    version = season_standings.newest(season)
    assert version is not None
    assert page.count('class="person"><a') == 9
    assert "Nobody is in this list yet" in anyone.get(public, {"ranked": "contestants"}).content.decode()
    assert anyone.get(public, {"ranked": "nobody"}).status_code == 404
    who = Member.objects.filter(session=first).order_by("pk")[0].player_id
    assert b"does not count" in anyone.get(public, {"ranked": "players", "who": who}).content
    table = anyone.get(address("season-file", season.pk, "csv"))
    assert table.content.decode().splitlines()[0].endswith("rank,name,division,total,evenings,counted,move")
    assert b"Winter cup" in anyone.get(address("public-club", "club-a")).content


def test_divisions_handicaps_prizes_and_the_next_season() -> None:
    some = evenings(2)
    season = a_season(*some, rules={"tie_breaks": ["best-evenings", "encounters"]})
    odile = an_organiser_of()
    desk = address("desk-season", season.pk)
    players = sorted(key[0] for key in held(season))
    posted = {f"division-{pk}": "1" for pk in players[:4]} | {f"handicap-{players[0]}": "2,5"}
    names = {"names": "A\nB", "up": "0", "down": "0"}
    for _twice in range(2):  # the names first, then who plays where: both at once do the same
        sent = {**names, **posted, "seen": seen(season), "way": "divisions"}
        assert odile.post(desk, sent).status_code == 302
    season.refresh_from_db()
    assert season.divisions[0] == {"name": "A", "members": [[pk] for pk in players[:4]]}
    assert season.handicaps == {str(players[0]): "5/2"}
    prizes = {
        **{"prize-0": "Winner", "prize-0-count": "1", "prize-0-list": "players:::1"},
        **{"prize-1": "Handicap", "prize-1-count": "2", "prize-1-list": "players::1:"},
        **{"prize-2": "", "prize-2-list": "players:::"},
    }
    assert odile.post(desk, prizes | {"seen": seen(season), "way": "prizes"}).status_code == 302
    season.refresh_from_db()
    assert [one["name"] for one in season.prizes] == ["Winner", "Handicap"]
    season_standings.rank(season_id=season.pk)
    page = odile.get(desk).content.decode()
    assert "Winner" in page
    public = Client(HTTP_ACCEPT_LANGUAGE="en").get(address("season-page", season.pk), {"division": "2"})
    assert public.content.decode().count('class="person"><a') == 5
    made = odile.post(desk, {"way": "follow", "name": "Spring"})
    following = Season.objects.latest("pk")
    assert made.headers["Location"] == address("desk-season", following.pk)
    assert (following.follows, following.state) == (season, "draft")
    assert odile.post(
        address("desk-season", following.pk), {"seen": seen(following), "way": "delete"}
    ).status_code
    assert Season.objects.count() == 1


def held(season: Season) -> Any:
    version = season_standings.newest(season)
    assert version is not None
    return {
        row.contestant for row in season_standings.of_list(version, season_standings.SeasonWish("players"))
    }


def test_nobody_else_runs_it_and_what_has_changed_meanwhile_is_told() -> None:
    season = a_season(*evenings(1))
    stranger, odile = an_organiser_of("Club B"), an_organiser_of()
    desk = address("desk-season", season.pk)
    assert stranger.get(desk).status_code == 404
    assert stranger.post(desk, {"seen": seen(season), "way": "over"}).status_code == 404
    late = odile.post(desk, {"seen": "0-0", "way": "over"})
    assert late.status_code == 409
    assert b"Somebody else has changed the season meanwhile" in late.content
    assert odile.post(desk, {"seen": seen(season), "way": "over"}).status_code == 302


def test_names_and_withdrawn_evenings_are_kept_from_everybody() -> None:
    first = play(a_session())
    season = a_season(first)
    player = Member.objects.filter(session=first).order_by("pk")[0].player_id
    Player.objects.filter(pk=player).update(given_name="Zoé", family_name="Quesnel", consent=False)
    anyone, public = Client(HTTP_ACCEPT_LANGUAGE="en"), address("season-page", season.pk)
    for where in (public, address("season-file", season.pk, "json")):
        said = anyone.get(where).content.decode()
        assert "Quesnel" not in said
        assert "Z. Q." in said
    assert "Zoé Quesnel" in an_organiser_of().get(public).content.decode()
    sessions.publish(session=first, actor=None, listed=False)
    assert b"Z. Q." not in anyone.get(public).content
    assert anyone.get(address("season-file", season.pk, "json")).status_code == 404


def test_the_queries_of_the_page_do_not_grow() -> None:
    counts = []
    for count, players in ((1, 9), (3, 15)):
        season = a_season(*evenings(count, players=players))
        season_standings.forget()
        with CaptureQueriesContext(connection) as queries:
            Client(HTTP_ACCEPT_LANGUAGE="en").get(address("season-page", season.pk))
        counts.append(len(queries))
    assert counts[0] == counts[1]
