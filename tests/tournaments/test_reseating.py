"""Tables that have not sat, or not played, as planned; and what new plans cost, said before they are made."""

from fractions import Fraction
from typing import Any

import pytest

from tournaments import movements
from tournaments.models import HistoryEntry, Job, Play, Session
from tournaments.services import jobs, layouts, recomputing, sessions

from .worlds import World, a_ruling, a_world, hand_in, plays_of, standings_of, table_hands_in, work

pytestmark = pytest.mark.django_db


def ask(world: World, **wish: Any) -> Any:
    answer = world.client("organiser").post(f"/api/v1/sessions/{world.session.pk}/reseatings/", wish, "json")
    return answer.json() | {"status": answer.status_code}


def seats(play: Play) -> list[int]:
    return list(play.seatings.order_by("seat").values_list("contestant__number", flat=True))


def movement(world: World, sides: Any = ((1,), (2,), (3,))) -> movements.Movement:
    return layouts.movement_of(world.session.sections.get(), sides)


def agrees(world: World) -> bool:
    """Whether the lists are those that other code counts from who sits where now."""
    work(world.session)
    comparison = recomputing.recompute(session=world.session)
    return comparison is not None and not comparison.disagreements


def test_seats_that_were_exchanged_count_for_those_who_sat_there_and_change_back() -> None:
    world = a_world(boards_per_round=2)
    plays = [one for one in plays_of(world.session) if (one.round, one.table.number) == (1, 1)]
    for one in plays_of(world.session):
        if one.round == 1:  # the first seat of the first table has done better than those it is compared with
            hand_in(
                world, one, {"sheet": {"outcome": "normal", "tricks": [3, 5, 2]}} if one in plays else None
            )
    work(world.session)
    planned, scores = (
        [seats(one) for one in plays],
        {s.contestant.number: s.total for s in standings_of(world.session)},
    )
    wish = {"kind": "seats", "table": 1, "round": 1, "order": [2, 1, 3]}
    cost = ask(world, **wish, dry_run=True)
    assert (cost["status"], cost["twice"]) == (200, [])
    assert [seats(one) for one in plays] == planned, "a dry run changes nothing"
    before = movement(world)
    assert cost["before"]["balance"] == str(movements.quality(before).balance)
    assert ask(world, **wish)["error"]["code"] == "no-reason", "results are there"
    assert ask(world, **wish, reason="They were tired")["status"] == 201
    assert [seats(one) for one in plays] == [[b, a, c] for a, b, c in planned]
    assert cost["after"]["balance"] == str(movements.quality(movement(world)).balance)
    assert Fraction(cost["after"]["balance"]) != Fraction(cost["before"]["balance"])
    assert agrees(world)
    now = {s.contestant.number: s.total for s in standings_of(world.session)}
    assert now != scores
    entry = HistoryEntry.objects.get(verb="reseated")
    assert entry.remark is not None
    assert (entry.detail["order"], entry.remark.text) == ([2, 1, 3], "They were tired")
    assert ask(world, **wish, reason="They were not")["status"] == 201
    assert (movement(world).sittings, agrees(world)) == (before.sittings, True)
    assert {s.contestant.number: s.total for s in standings_of(world.session)} == scores


def test_an_arrow_that_was_turned_exchanges_the_sides() -> None:
    world = a_world()
    world.session = sessions.set_up(
        tournament=world.session.tournament,
        actor=world.organiser,
        name="Pairs",
        game="cochonnet",
        options={},
        method="matchpoints",
        movement="round-robin",
        contestants=[f"Pair {n}" for n in range(1, 7)],
        boards_per_round=2,
        rounds=3,
    )
    play = plays_of(world.session)[0]
    before = seats(play)
    assert ask(world, kind="turned", table=play.table.number, round=1)["status"] == 201
    assert seats(play) == [before[1], before[0], before[1], before[0]], "a pair sits at 1 and 3"
    assert ask(world, kind="turned", table=play.table.number, round=1)["status"] == 201
    assert seats(play) == before


def test_a_table_that_played_the_boards_of_another_round_exchanges_the_rounds() -> None:
    world = a_world(boards_per_round=2)
    own = [one for one in plays_of(world.session) if one.table_id == world.table.table_id]
    first, later = [one for one in own if one.round == 1], [one for one in own if one.round == 3]
    sat = {one.pk: seats(one) for one in own}
    for one in later:
        table_hands_in(world, one)  # entered in good faith, for boards that are on the table
    work(world.session)
    boards = [one.board.number for one in later]
    wish = {
        "kind": "boards",
        "table": own[0].table.number,
        "round": 1,
        "boards": boards,
        "reason": "Wrong wallet",
    }
    cost = ask(world, **wish, dry_run=True)
    twice = {(one["contestant"], one["board"]) for one in cost["twice"]}
    assert twice, "others of round 3 will have held these boards"
    assert ask(world, **wish)["status"] == 201
    for one, other in zip(first, later, strict=True):
        one.refresh_from_db()
        other.refresh_from_db()
        assert (one.round, other.round) == (3, 1)
        assert (seats(one), seats(other)) == (sat[other.pk], sat[one.pk])
    held = [(s.board, c) for s in movement(world).sittings for c in s.contestants]
    assert {(c, b) for b, c in held if held.count((b, c)) > 1} == twice
    assert agrees(world)


def test_what_cannot_have_happened_or_was_decided_on_is_refused() -> None:
    world = a_world()
    for wish, code in [
        ({"kind": "seats", "table": 9, "round": 1, "order": [2, 1, 3]}, "no-such-play"),
        ({"kind": "seats", "table": 1, "round": 1, "order": [1, 2, 3]}, "bad-order"),
        ({"kind": "seats", "table": 1, "round": 1, "order": [2, 2, 3]}, "bad-order"),
        ({"kind": "seats", "table": 1, "round": 1}, "bad-order"),
        ({"kind": "boards", "table": 1, "round": 1, "boards": [99]}, "no-such-board"),
        ({"kind": "boards", "table": 1, "round": 1, "boards": [1]}, "bad-boards"),
        ({"kind": "boards", "table": 1, "round": 1, "boards": [2, 3]}, "bad-boards"),
    ]:
        assert ask(world, **wish)["error"]["code"] == code, wish
    a_ruling(world.session, plays_of(world.session)[0])
    assert ask(world, kind="turned", table=1, round=1, reason="So")["error"]["code"] == "round-ruled"
    Session.objects.filter(pk=world.session.pk).update(state="cancelled")
    assert ask(world, kind="turned", table=1, round=2)["error"]["code"] == "session-cancelled"


def test_what_a_new_plan_costs_is_said_before_it_is_made() -> None:
    world = a_world()
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/replans/"
    before = movement(world)
    told = []
    for wish in ({"leaving": [4], "dry_run": True}, {"leaving": [4]}):
        job = client.post(address, {"after": 1, **wish}, "json").json()
        jobs.do(job_id=job["id"])
        job = client.get(f"/api/v1/jobs/{job['id']}/").json()
        told.append(job["outcome"])
        assert (job["kind"], job["state"]) == ("preview" if wish.get("dry_run") else "replan", "done")
        assert (movement(world).sittings == before.sittings) == bool(wish.get("dry_run"))
    assert told[0]["before"] == told[1]["before"]
    assert told[0]["before"]["balance"] == str(movements.quality(before).balance)
    assert told[1]["after"]["balance"] == str(movements.quality(movement(world)).balance)
    assert told[0]["after"]["boards"]["least"] < told[0]["before"]["boards"]["least"]
    assert Job.objects.count() == 2


def test_the_newest_plan_is_taken_back_while_nobody_relies_on_it() -> None:
    world = a_world()
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/replans/"
    for one in plays_of(world.session):
        if one.round == 1:
            hand_in(world, one)
    work(world.session)
    before, name = movement(world), world.session.movement

    def replan(**wish: Any) -> None:
        jobs.do(job_id=client.post(address, {"after": 1, **wish}, "json").json()["id"])
        assert movement(world).sittings != before.sittings

    assert client.delete(address).json()["error"]["code"] == "nothing-to-undo"
    replan(leaving=[4], arriving=["Zoé Tard"])
    assert client.delete(address).status_code == 200
    world.refresh()
    assert (movement(world).sittings, world.session.movement) == (before.sittings, name)
    there = dict(world.session.contestants.values_list("number", "left_after"))
    assert (there[4], there[10]) == (None, 1), "Zoé does not play"
    assert agrees(world)
    assert client.delete(address).json()["error"]["code"] == "nothing-to-undo", "once"
    replan(leaving=[4])
    hand_in(world, next(one for one in plays_of(world.session) if one.round == 2))
    assert client.delete(address).json()["error"]["code"] == "round-begun"
    assert HistoryEntry.objects.filter(verb="took back plan").count() == 1
