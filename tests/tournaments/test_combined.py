"""The standings of a tournament: what `scoring` makes of the rankings of its sessions."""

import csv
import io
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook

from scoring.combined import combined_ranking
from scoring.masterpoints import master_points
from tournaments.models import Member, Player, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, roles, rulings, sessions, versions
from tournaments.services.roles import RolePlace

from .worlds import World, a_session, a_world, hand_in, plays_of, work

pytestmark = pytest.mark.django_db
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def played(world: World, *, shift: int) -> None:
    """Everything played, with other results for another shift; published."""
    for play in plays_of(world.session):
        tricks = [[5, 3, 2], [3, 5, 2], [2, 3, 5]][(play.table.number + play.round * shift) % 3]
        hand_in(world, play, {"sheet": {"outcome": "normal", "tricks": tricks}})
    work(world.session)
    sessions.finish(session=world.session, actor=None)
    sessions.publish(session=world.session, actor=None, listed=True)


def scores(session: Session) -> dict[int, Fraction]:
    """By player, the percentage in the newest version."""
    content = versions.content_of(session.pk, session.version)
    members = dict(Member.objects.filter(session=session).values_list("contestant", "player"))
    return {members[k]: Fraction(100 * won.points, won.scale * won.top) for k, won in content.items()}


def test_sessions_are_combined_by_each_rule_and_say_what_counts() -> None:
    world = a_world()
    first, address = world.session, f"/api/v1/tournaments/{world.session.tournament_id}/standings/"
    played(world, shift=0)
    other = a_session()
    Session.objects.filter(pk=other.pk).update(tournament=first.tournament, number=2)
    world.session = Session.objects.get(pk=other.pk)
    client = world.client("anyone")
    assert client.get(address).json()["sessions"] == [first.pk], "the other is still to be played"
    trial = a_world(trial=True, published=True)
    played(trial, shift=2)
    Session.objects.filter(pk=trial.session.pk).update(tournament=first.tournament, number=3)
    assert client.get(address).json()["sessions"] == [first.pk], "a trial counts for nothing"
    played(world, shift=1)
    plan = rulings.on_contestant(session=world.refresh(), kind="disqualification", contestant=5)
    rulings.rule(plan, actor=world.organiser, text="Looked at a board")
    work(world.session)
    second = world.refresh()
    results = {"1": scores(Session.objects.get(pk=first.pk)), "2": scores(second)}
    out = Member.objects.get(session=second, contestant__number=5).player_id
    del results["2"][out]

    def told(**wish: Any) -> list[tuple[str, Fraction, int]]:
        answer = client.get(address, wish)
        assert answer.status_code == 200, answer.content
        return [(one["rank"], Fraction(one["value"]), len(one["parts"])) for one in answer.json()["places"]]

    cases: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({}, {}),
        ({"rule": "average", "least": 2}, {"rule": "average", "least": 2}),
        ({"rule": "best", "best": 1}, {"rule": "best", "best": 1}),
        (
            {"rule": "weighted", "weights": "1:1/3,2:2/3", "ranked": "players"},
            {"rule": "weighted", "weights": {"1": Fraction(1, 3), "2": Fraction(2, 3)}},
        ),
    ]
    for wish, arguments in cases:
        places = combined_ranking(results, **arguments)
        expected = [(one.rank, one.value, len(one.parts) + len(one.rest)) for one in places]
        assert told(**wish) == expected, wish
    points = {
        number: master_points(
            [(str(1 + sum(more > one for more in won.values())), k) for k, one in in_order(won)],
            tables=len(won) * 3 // 9,
        )
        for number, won in results.items()
    }
    paid = {k: sum(one.get(k, Fraction(0)) for one in points.values()) for k in results["1"]}
    assert sorted(value for _rank, value, _n in told(value="master-points")) == sorted(paid.values())
    wrong = [
        {"rule": "best"},
        {"rule": "weighted", "weights": "1:1/2"},
        {"rule": "weighted", "weights": "1:1/2,2:1/3"},
        {"rule": "sum", "best": 2},
        {"weights": "1:x"},
        {"rule": "dice"},
    ]
    for wish in wrong:
        assert client.get(address, wish).status_code == 400, wish
    Session.objects.filter(pk=second.pk).update(method="cross-imps", method_options={"unit": "150"})
    assert client.get(address).json()["error"]["code"] == "not-alike"
    assert client.get(address, {"value": "master-points"}).status_code == 200
    Session.objects.filter(pk=second.pk).update(listed=False)
    assert client.get(address).json()["sessions"] == [first.pk]


def in_order(won: dict[int, Fraction]) -> list[tuple[int, Fraction]]:
    return sorted(won.items(), key=lambda one: -one[1])


def test_standings_leave_as_a_spreadsheet_with_what_each_session_has_brought(client: Client) -> None:
    world = a_world()
    first = world.session
    played(world, shift=0)
    other = a_session()
    Session.objects.filter(pk=other.pk).update(tournament=first.tournament, number=2)
    world.session = Session.objects.get(pk=other.pk)
    played(world, shift=1)
    known = Player.objects.get(memberships__session=first, memberships__contestant__number=1)
    Player.objects.filter(pk=known.pk).update(
        consent=True, public_name="=1+1", given_name="=1+1", family_name=""
    )
    address = f"/api/v1/tournaments/{first.tournament_id}/standings/"
    wish = {"rule": "best", "best": 1, "page_size": 2}
    first_page = client.get(address, wish).json()
    answer = client.get(address, wish, headers={"Accept": "text/csv"})
    assert answer["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert len(rows) == first_page["count"] > 2, "the whole, without pages"
    by_id = {first.pk: "session1", other.pk: "session2"}
    for row, place in zip(rows, first_page["places"], strict=False):
        assert (row["rank"], row["score_exact"], row["value"]) == (place["rank"], place["value"], "score")
        told = {by_id[one["session"]]: one["value"] for one in place["parts"]}
        assert {name: row[name] for name in by_id.values() if row[name]} == told
        counted = {by_id[one["session"]] for one in place["parts"] if one["weight"]}
        assert {f"session{number}" for number in row["counted"].split()} == counted
    assert [row["players"] for row in rows].count("'=1+1") == 1, "no cell is a formula"
    book = client.get(address, wish, headers={"Accept": XLSX})
    sheet = load_workbook(io.BytesIO(book.content)).worksheets[0]
    assert [cell.value for cell in sheet["B"]][1:] == [row["players"].removeprefix("'") for row in rows]
    refused = client.get(address, {"rule": "dice"}, headers={"Accept": "text/csv"})
    assert (refused.status_code, refused["Content-Type"]) == (400, "application/problem+json")


def test_the_page_of_a_tournament_offers_its_standings_to_those_who_may_see_them(client: Client) -> None:
    world = a_world()
    first = world.session
    page, file = (f"/en/tournaments/{first.tournament_id}/{end}" for end in ("", "standings.csv"))
    sessions.publish(session=first, actor=None, listed=True)
    assert "standings.csv" not in client.get(page).content.decode(), "nothing is ranked yet"
    assert client.get(file).status_code == 404
    played(world, shift=0)
    assert file in client.get(page).content.decode()
    rows = list(csv.DictReader(io.StringIO(client.get(file).content.decode("utf-8-sig"))))
    assert {row["value"] for row in rows} == {"score"}
    assert client.get(file.replace("csv", "ods")).status_code == 404
    assert client.get(file.replace("csv", "xlsx"))["Content-Type"] == XLSX
    other = a_session()
    Session.objects.filter(pk=other.pk).update(
        tournament=first.tournament, number=2, method="cross-imps", method_options={"unit": "150"}
    )
    world.session = Session.objects.get(pk=other.pk)
    played(world, shift=1)
    rows = list(csv.DictReader(io.StringIO(client.get(file).content.decode("utf-8-sig"))))
    assert {row["value"] for row in rows} == {"master-points"}, "they count different things"
    Session.objects.filter(tournament=first.tournament).update(listed=False)
    assert client.get(file).status_code == 404
    organiser = accounts.create(name="Odile")
    roles.grant(
        account=organiser, kind=RoleKind.ORGANISER, place=RolePlace(club=first.tournament.club), actor=None
    )
    client.force_login(organiser)
    assert client.get(file).status_code == 200
    desk = f"/en/desk/clubs/{first.tournament.club.slug}/tournaments/{first.tournament_id}/"
    assert file in client.get(desk).content.decode()
