"""Objections: who may say what, when, and that nothing of it is edited."""

from typing import Any

import pytest

from tournaments.models import HistoryEntry, Objection, Player
from tournaments.models.accounts import RoleKind
from tournaments.services import history, objections, tokens
from tournaments.services.errors import Conflict
from tournaments.services.rulings import PlayPlace

from .worlds import World, a_club, a_ruling, a_world, hand_in, plays_of, work

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    world = a_world(published=True)
    for play in plays_of(world.session)[:3]:
        hand_in(world, play)
    work(world.session)
    return world


class Hall:
    """The API for somebody in a session."""

    def __init__(self, world: World, role: str) -> None:
        self.client = world.client(role)
        self.address = f"/api/v1/sessions/{world.session.pk}/objections/"

    def objects(self, body: dict[str, Any]) -> Any:
        return self.client.post(self.address, body, format="json")

    def follows(self, objection: int, kind: str, **more: Any) -> Any:
        body = {"kind": kind, "text": f"because of {kind}", **more}
        return self.client.post(f"{self.address}{objection}/steps/", body, format="json")

    def code(self, objection: int, kind: str, **more: Any) -> tuple[int, str]:
        answer = self.follows(objection, kind, **more)
        return answer.status_code, answer.json()["error"]["code"]

    def listed(self, **wish: str) -> list[int]:
        return [one["id"] for one in self.client.get(self.address, wish).json()["results"]]


def test_an_objection_is_answered_appealed_and_decided(world: World) -> None:
    director, player = Hall(world, "organiser"), Hall(world, "player")
    play = next(one for one in plays_of(world.session) if one.table == world.table.table and one.round == 1)
    there = {"section": "A", "table": play.table.number, "board": play.board.number}
    made = player.objects({**there, "text": "We had nine tricks"})
    assert made.status_code == 201
    objection = made.json()
    number = play.seatings.get(seat=1).contestant.number
    expected = {"state": "open", "contestant": number, "by": None, "steps": [], "text": "We had nine tricks"}
    assert {name: objection[name] for name in expected} == expected
    elsewhere = next(one for one in plays_of(world.session) if one.table != play.table and one.round == 1)
    body = {"table": elsewhere.table.number, "board": elsewhere.board.number, "text": "Not our table"}
    assert player.objects(body).json()["error"]["code"] == "not-at-this-table"

    # A director writes one down for another, of which the player is told nothing.
    written = {**body, "text": "They say"}
    assert director.objects(written).json()["error"]["code"] == "objection"
    other = elsewhere.seatings.get(seat=2).contestant.number
    second = director.objects({**written, "contestant": other}).json()
    assert (second["contestant"], second["by"]) == (other, "organiser")
    assert (player.listed(), director.listed()) == ([objection["id"]], [objection["id"], second["id"]])
    assert player.follows(second["id"], "withdrawal").status_code == 404
    assert Hall(world, "table").client.get(player.address).status_code == 403

    one = objection["id"]
    assert director.code(one, "appeal") == (403, "not-yours")
    assert player.code(one, "answer", outcome="upheld") == (403, "not-yours")
    assert player.code(one, "appeal") == (409, "not-now")
    assert director.code(one, "decision", outcome="upheld") == (409, "not-now")
    assert director.code(one, "answer") == (400, "objection")
    assert director.code(one, "answer", outcome="upheld", ruling=99) == (404, "no-such-ruling")
    assert director.code(one, "answer", outcome="upheld", committee=[1]) == (400, "objection")
    answered = director.follows(one, "answer", outcome="rejected").json()
    assert answered["state"] == "answered"
    assert [director.listed(state=state) for state in objections.STATES.values()] == [
        *([second["id"]], [one], [], [], [])
    ]
    assert player.listed(state="open") == [], "what another says is not theirs to find"
    assert director.code(one, "answer", outcome="upheld") == (409, "not-now")
    assert player.follows(one, "appeal").json()["state"] == "appealed"
    ruling = a_ruling(world.session, play)
    member = play.seatings.get(seat=3).contestant.players.get()
    assert director.code(one, "decision", outcome="upheld", committee=[10**9]) == (404, "no-such-player")
    done = director.follows(one, "decision", outcome="partly upheld", ruling=ruling, committee=[member.pk])
    decided = done.json()
    assert decided["state"] == "decided"
    assert director.listed(state="decided") == [one]
    assert [(step["kind"], step["outcome"], step["by"]) for step in decided["steps"]] == [
        ("answer", "rejected", "organiser"),
        ("appeal", "", None),
        ("decision", "partly upheld", "organiser"),
    ]
    assert (decided["steps"][2]["committee"], decided["steps"][2]["ruling"]) == ([member.name], ruling)
    assert player.code(one, "withdrawal") == (409, "not-now")
    entries = HistoryEntry.objects.filter(session=world.session, subject=f"objection {one}").order_by("pk")
    assert [entry.verb for entry in entries] == [
        "objected",
        "answered objection",
        "appealed",
        "decided appeal",
    ]
    history.forget(entries=entries, actor=None)
    shown = player.client.get(f"{player.address}{one}/").json()
    assert {shown["text"], *(step["text"] for step in shown["steps"])} == {""}


def test_whoever_wrote_an_objection_down_records_what_the_contestant_wishes(world: World) -> None:
    """Another director does not; and who sat there neither answers nor decides."""
    director, player = Hall(world, "organiser"), Hall(world, "player")
    play = next(one for one in plays_of(world.session) if one.table == world.table.table and one.round == 1)
    mine = play.seatings.get(seat=1).contestant
    body = {"table": play.table.number, "board": play.board.number, "text": "Nine tricks"}
    written = director.objects({**body, "contestant": play.seatings.get(seat=2).contestant.number}).json()[
        "id"
    ]
    world.tokens["other"], world.texts["other"] = tokens.issue_for_role(
        person="other", club=a_club("Club A"), kind=RoleKind.ORGANISER
    )
    other = Hall(world, "other")
    assert other.code(written, "withdrawal") == (403, "not-yours")
    assert other.follows(written, "answer", outcome="rejected").status_code == 201
    assert director.follows(written, "appeal").json()["state"] == "appealed"
    assert director.follows(written, "withdrawal").json()["state"] == "withdrawn"

    first, *_rest, refused = [player.objects(body) for _ in range(objections.AT_MOST + 1)]
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "too-many")
    assert Objection.objects.filter(contestant=mine).count() == objections.AT_MOST
    role = world.organiser.role
    assert role is not None
    Player.objects.filter(memberships__contestant=play.seatings.get(seat=3).contestant).update(
        account=role.account
    )
    assert director.code(first.json()["id"], "answer", outcome="upheld") == (403, "own-play")
    assert other.follows(first.json()["id"], "answer", outcome="upheld").status_code == 201


def test_nobody_objects_once_the_ranking_is_final(world: World) -> None:
    play = next(one for one in plays_of(world.session) if one.table == world.table.table and one.round == 1)
    place, player = PlayPlace("A", play.table.number, play.board.number), world.holder("player")
    for state, is_open in (("open", True), ("finished", True), ("final", False), ("amended", False)):
        world.session.state = state
        if is_open:
            objections.object_to(session=world.session, actor=player, place=place, text="Nine tricks")
        else:
            with pytest.raises(Conflict, match="final"):
                objections.object_to(session=world.session, actor=player, place=place, text="Nine tricks")
    assert Objection.objects.count() == 2


def test_only_those_who_sat_there_object_also_a_substitute(world: World) -> None:
    Player.objects.create(club=a_club("Club A"), given_name="Zoé")
    stranger, text = tokens.issue_for_player(name="Zoé", club=a_club("Club A"))
    world.tokens["stranger"], world.texts["stranger"] = stranger, text
    play = next(one for one in plays_of(world.session) if one.table == world.table.table and one.round == 1)
    body = {"table": play.table.number, "board": play.board.number, "text": "Nine tricks"}
    assert Hall(world, "stranger").objects(body).status_code == 403
    contestant = play.seatings.get(seat=2).contestant
    member = contestant.players.get()
    contestant.substitutions.create(
        player_id=stranger.player_id, for_player=member, first_round=1, last_round=1
    )
    made = Hall(world, "stranger").objects(body)
    assert (made.status_code, made.json()["contestant"]) == (201, contestant.number)
    last = next(one for one in plays_of(world.session) if one.round == 2 and one.table == play.table)
    later = {"table": last.table.number, "board": last.board.number, "text": "Nine tricks"}
    assert Hall(world, "stranger").objects(later).status_code == 403
    assert Objection.objects.count() == 1
