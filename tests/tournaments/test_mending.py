"""Contestants who turn out to be others, mended before they play: many in one request, by the API."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tournaments.models import EveningLink, HistoryEntry, Member, Player
from tournaments.services import evening_links, fees, register, sessions, substitutes

from .worlds import World, a_club, a_world, hand_in, plays_of, work

pytestmark = pytest.mark.django_db


def some_players(count: int, club: str = "Club A") -> list[int]:
    names = [register.Details(given_name=f"Neu {number}", family_name="Petit") for number in range(count)]
    return [one.pk for one in register.add_all(club=a_club(club), actor=None, rows=names)]


def address(world: World) -> str:
    return f"/api/v1/sessions/{world.session.pk}/contestants/"


def mend(world: World, *rows: dict[str, Any], seen: str = "*", role: str = "organiser") -> Any:
    wanted = {"format": "json", "HTTP_IF_MATCH": seen}
    return world.client(role).patch(address(world), {"contestants": rows}, **wanted)


def members(world: World) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    own = Member.objects.filter(session=world.session).order_by("contestant__number", "pk")
    for number, player in own.values_list("contestant__number", "player"):
        found.setdefault(number, []).append(player)
    return found


def test_contestants_are_read_by_number_and_mended_together_before_they_play() -> None:
    world = a_world(published=True)
    before = members(world)
    new = some_players(2)
    shown = world.client("organiser").get(address(world)).json()["results"]
    assert [(one["number"], one["players"]) for one in shown] == sorted(before.items())
    told = world.client("anyone").get(address(world)).json()["results"]
    assert {str(one["players"]) for one in told} == {"None"}, "no ids of the register for everybody"
    everybody = [one.pk for one in world.session.contestants.all()]
    evening_links.make(session=world.session, contestants=everybody, actor=None)

    swapped = [{"number": 8, "players": before[9]}, {"number": 9, "players": before[8]}]
    mended = mend(world, *swapped, {"number": 7, "players": new, "name": "Die Neuen"})
    assert mended.status_code == 200, mended.content
    rows = mended.json()["contestants"]
    assert [(one["index"], one["state"], one["contestant"]["number"]) for one in rows] == [
        (0, "changed", 8),
        (1, "changed", 9),
        (2, "changed", 7),
    ]
    assert rows[2]["contestant"]["name"] == "Die Neuen"
    assert members(world) == before | {7: new, 8: before[9], 9: before[8]}
    named = {one.number: one.name for one in world.session.contestants.all()}
    assert named[8] == Player.objects.get(pk=before[9][0]).name
    assert EveningLink.objects.filter(contestant__number__in=[7, 8, 9]).count() == 0, "cards of others"
    assert EveningLink.objects.count() == 6
    entry = HistoryEntry.objects.get(verb="mended contestants")
    assert entry.detail == {"numbers": [7, 8, 9]}
    again = mend(world, {"number": 7, "players": new})
    assert again.json()["contestants"][0]["contestant"]["name"] == "Neu 0 Petit – Neu 1 Petit"


def test_of_many_contestants_all_are_mended_or_none_and_every_row_says_why() -> None:
    world = a_world()
    before = members(world)
    first = plays_of(world.session)[0]
    hand_in(world, first)
    work(world.session)
    begun = first.seatings.get(seat=1).contestant.number
    waiting = sorted(set(before) - set(first.seatings.values_list("contestant__number", flat=True)))
    replaced, paid, free, other, last = waiting[:5]
    new = some_players(6)
    stranger = some_players(1, "Club B")
    substitutes.substitute(
        session=world.session, actor=None, contestant=replaced, player=new[5],
        for_player=before[replaced][0], first_round=1, last_round=1,
    )  # fmt: skip
    fees.set_fees(session=world.session, actor=None, fees={"": 100})
    fees.take(session=world.session, actor=None, member=world.session.members.get(contestant__number=paid).pk)
    rows: list[dict[str, Any]] = [
        {"number": free, "players": [new[0]]},
        {"number": begun, "players": [new[1]]},
        {"number": replaced, "players": [new[1]]},
        {"number": paid, "players": [new[1]]},
        {"number": 99, "players": [new[1]]},
        {"number": free, "players": [new[1]]},
        {"number": other, "players": [new[0]]},
        {"number": last, "players": stranger},
        {"number": 1, "players": []},
        {"number": 1, "players": new[:1], "name": "A\0"},
    ]
    refused = mend(world, *rows)
    assert (refused.status_code, refused.json()["code"]) == (400, "slips"), refused.content
    assert [(one["index"], one["state"], one.get("code")) for one in refused.json()["details"]] == [
        (0, "ready", None),
        (1, "refused", "begun"),
        (2, "refused", "substituted-already"),
        (3, "refused", "fees-taken"),
        (4, "refused", "no-such-contestant"),
        (5, "refused", "contestants"),
        (6, "refused", "player-twice"),
        (7, "refused", "no-such-player"),
        (8, "refused", "invalid"),
        (9, "refused", "invalid"),
    ]
    elsewhere = mend(
        world, {"number": free, "players": [new[0]]}, {"number": other, "players": before[begun]}
    )
    assert elsewhere.status_code == 400
    assert [(one["state"], one.get("code")) for one in elsewhere.json()["details"]] == [
        ("ready", None),
        ("refused", "entered-already"),
    ]
    assert members(world) == before
    assert not HistoryEntry.objects.filter(verb="mended contestants").exists()


def test_who_mends_says_what_they_have_seen_and_comes_before_the_end() -> None:
    world = a_world()
    row = {"number": 9, "players": some_players(1)}
    seen = world.client("organiser").get(f"/api/v1/sessions/{world.session.pk}/")["ETag"]
    assert mend(world, row, seen="").status_code == 428
    assert mend(world, row, seen='"other"').status_code == 412
    assert mend(world, row, seen=seen).status_code == 200
    assert mend(world, row, seen=seen).status_code == 412, "others see that it has changed"
    assert [mend(world, row, role=role).status_code for role in ("scorer", "player")] == [403, 403]
    sessions.finish(session=world.refresh(), actor=None)
    refused = mend(world, row)
    assert (refused.status_code, refused.json()["code"]) == (409, "session-finished")


def test_many_contestants_cost_the_questions_of_one() -> None:
    world = a_world()
    new = some_players(9)

    def cost(numbers: range) -> int:
        rows = [{"number": number, "players": [new[number - 1]]} for number in numbers]
        with CaptureQueriesContext(connection) as queries:
            assert mend(world, *rows).status_code == 200
        return len(queries)

    cost(range(1, 2))
    assert cost(range(2, 3)) == cost(range(3, 10))
