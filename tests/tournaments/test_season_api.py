"""Seasons by the API: made, changed, opened and followed by those who run them, and read by everybody as the
page shows them."""

from dataclasses import asdict
from typing import Any

import pytest

from tournaments.models import Player, Season
from tournaments.services import my_data, names, season_standings, seasons, sessions

from .seasons import PLAYERS, a_season, evenings
from .worlds import World, a_world, forget

pytestmark = pytest.mark.django_db
SEASONS = "/api/v1/seasons/"


@pytest.fixture(autouse=True)
def anew() -> None:
    forget()
    season_standings.forget()


def changed(client: Any, address: str, body: dict[str, Any], status: int = 200) -> Any:
    seen = client.get(address)["ETag"]
    answer = client.patch(address, body, format="json", headers={"if-match": seen})
    assert answer.status_code == status, answer.content
    return answer.json()


def code(answer: Any) -> str:
    return str(answer.json()["code"])


def test_a_season_is_made_filled_opened_and_followed_by_a_program() -> None:
    first, second = evenings(2)
    world: World = a_world()
    client, anyone = world.client("organiser"), world.client("anyone")
    made = client.post(SEASONS, {"name": "Winter"}, format="json")
    assert (made.status_code, made.json()["state"]) == (201, "draft")
    own = f"{SEASONS}{made.json()['id']}/"
    assert anyone.get(own).status_code == 404
    players = sorted(Player.objects.filter(club=first.tournament.club).values_list("pk", flat=True))
    shown = changed(
        client,
        own,
        {
            "rules": {"best": 2, "absent": "1/3", "tie_breaks": ["evenings"]},
            "divisions": [{"name": "First", "members": [[pk] for pk in players[:4]]}, {"name": "Second"}],
            "up": 0,
            "down": 0,  # robots may tie across a border, and then nobody could say who goes
            "handicaps": [{"player": players[0], "value": "2.5"}],
            "prizes": [{"name": "Cup", "division": 1}, {"name": "Medal", "count": 2}],
            "evenings": [{"session": first.pk}, {"session": second.pk, "weight": "1/2"}],
        },
    )
    assert shown["rules"] == {
        **{"combine": "sum", "best": 2, "drop": 0, "least": 1, "absent": "1/3"},
        **{"half": "half", "enough": "2/3", "tie_breaks": ["evenings"]},
    }
    assert [(one["session"], one["weight"], one["is_published"]) for one in shown["evenings"]] == [
        (first.pk, "1", True),
        (second.pk, "1/2", True),
    ]
    assert shown["handicaps"] == [{"player": players[0], "value": "5/2"}]
    opened = client.put(f"{own}state/", {"state": "open"}, format="json")
    assert (opened.status_code, opened.json()["state"]) == (200, "open")
    season = Season.objects.get()
    season_standings.rank(season_id=season.pk)
    public = anyone.get(own).json()
    assert (public["handicaps"], [one["members"] for one in public["divisions"]]) == ([], [[], []])
    assert opened.json()["divisions"][0]["members"] == [[pk] for pk in players[:4]]
    followed = client.post(SEASONS, {"name": "Spring", "follows": season.pk}, format="json").json()
    assert (followed["follows"], followed["rules"], followed["evenings"]) == (season.pk, shown["rules"], [])
    assert [one["name"] for one in followed["divisions"]] == ["First", "Second"]
    next_one = f"{SEASONS}{followed['id']}/"
    tag = client.get(next_one)["ETag"]
    assert client.delete(next_one, headers={"if-match": ""}).status_code == 428
    assert client.delete(next_one, headers={"if-match": tag}).status_code == 204
    gone = client.delete(own, headers={"if-match": client.get(own)["ETag"]})
    assert (gone.status_code, code(gone)) == (409, "season-is-public")


def test_every_list_is_told_as_the_page_shows_it() -> None:
    season = a_season(*evenings(3), rules={"best": 2}, handicaps={Player.objects.order_by("pk")[0].pk: "3"})
    version = season_standings.newest(season)
    assert version is not None
    client = a_world().client("anyone")
    address = f"{SEASONS}{season.pk}/standing/"
    told = client.get(address).json()
    assert told["lists"][0] == asdict(PLAYERS)
    assert len(told["lists"]) == len(seasons.wishes(season_standings.held(version)))
    for one in told["lists"]:
        query = {name: str(value).lower() for name, value in one.items() if value}
        wish = season_standings.SeasonWish(**one)
        rows = client.get(address, query).json()["places"]
        expected = seasons.shown(version, wish, names.ANYONE)
        assert [(row["rank"], row["name"], row["total"]) for row in rows] == [
            (row.row.rank, row.name, str(row.row.value)) for row in expected
        ], one
    place = told["places"][0]
    assert [part["is_counted"] for part in place["parts"]] == [True, True, False]
    assert (place["evenings"], place["counted"], len(place["positions"])) == ("3", 2, 3)
    assert client.get(address, {"division": "2"}).status_code == 404
    paged = client.get(address, {"page_size": "4"}).json()
    assert client.get(paged["next"]).json()["places"] == told["places"][4:8]
    table = client.get(address, headers={"accept": "text/csv"}).content.decode("utf-8-sig").splitlines()
    assert table[0].startswith("rank,name,players,division,total,")
    assert len(table) == 1 + told["count"]


def test_what_is_withdrawn_is_told_to_nobody_else() -> None:
    first, second = evenings(2)
    season = a_season(first, second)
    sessions.publish(session=second, actor=None, listed=False)
    world = a_world()
    own = f"{SEASONS}{season.pk}/"
    standing = world.client("anyone").get(f"{own}standing/").json()
    assert (standing["version"], standing["places"]) == (0, []), "until the next version is made"
    season_standings.rank(season_id=season.pk)
    assert world.client("anyone").get(f"{own}standing/").json()["version"] == 2
    told = {role: world.client(role).get(own).json()["evenings"] for role in ("anyone", "organiser")}
    assert [one["session"] for one in told["anyone"]] == [first.pk]
    assert [one["session"] for one in told["organiser"]] == [first.pk, second.pk]
    news = world.client("anyone").get(f"{own}versions/").json()["results"]
    assert [one["what"] for one in news[1]["news"]] == ["out"]


def test_what_cannot_be_is_refused_by_name() -> None:
    (evening,) = evenings(1)
    season = a_season(evening)
    client = a_world().client("organiser")
    own = f"{SEASONS}{season.pk}/"
    for body, expected in (
        ({"evenings": [{"session": evening.pk, "leg": 1}]}, "invalid"),
        ({"evenings": [{"session": 999_999}]}, "no-such-evening"),
        ({"evenings": [{"session": evening.pk}, {"session": evening.pk, "weight": "2"}]}, "invalid"),
        ({"handicaps": [{"player": 1, "value": "2"}, {"player": 1, "value": "3"}]}, "invalid"),
        ({"rules": {"best": 2, "drop": 1}}, "bad-season"),
        ({"rules": {"worst": 2}}, "invalid"),
        ({"handicaps": [{"player": 999_999, "value": "2"}]}, "no-such-player"),
        ({"prizes": [{"name": "Cup", "division": 1}]}, "bad-season"),
        ({"measure": "metres"}, "invalid"),
    ):
        assert changed(client, own, body, 400)["code"] == expected, body
    answer = client.patch(own, {"name": "X"}, format="json", headers={"if-match": '"0-0"'})
    assert (answer.status_code, code(answer)) == (412, "changed-meanwhile")
    foreign = a_world().client("foreign organiser").post(SEASONS, {"name": "X", "follows": season.pk})
    assert foreign.status_code == 400


def test_somebody_takes_along_where_they_stand() -> None:
    player_rules = {"best": 1}
    some = evenings(2)
    player = Player.objects.filter(club=some[0].tournament.club).order_by("pk")[0]
    season = a_season(*some, rules=player_rules, handicaps={player.pk: "2"})
    version = season_standings.newest(season)
    assert version is not None
    row = next(one for one in season_standings.of_list(version, PLAYERS) if one.contestant == (player.pk,))
    given, stands = my_data.about(None, [player])["seasons"]["data"]
    assert given == {"season": season.pk, "name": "Winter", "state": "open", "handicap": "2"}
    assert stands == {
        **{"season": season.pk, "name": "Winter", "state": "open", "list": "players", "division": None},
        **{"rank": row.rank, "total": str(row.value), "evenings": "2"},
    }
