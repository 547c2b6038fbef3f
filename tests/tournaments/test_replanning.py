"""Who leaves, stays away or comes late; and what is printed for an evening."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from tournaments import movements
from tournaments.models import HistoryEntry, Job, Play, Result, Ruling, Seating, Table
from tournaments.services import (
    board_sets,
    layouts,
    objections,
    replanning,
    rulings,
    sessions,
    submissions,
)
from tournaments.services.errors import Conflict, Invalid

from .test_movements import proved
from .test_register import a_player
from .test_reseating import a_world_of_pairs
from .worlds import World, a_world, an_entry, ended, plays_of, standings_of, work

pytestmark = pytest.mark.django_db


def play_round(world: Any, number: int) -> None:
    for play in Play.objects.filter(table__section__session=world.session, round=number):
        submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[an_entry(play)])
    work(world.session)


def replan(world: Any, **change: Any) -> Any:
    client = world.client("organiser")
    return ended(client, client.post(f"/api/v1/sessions/{world.session.pk}/replans/", change))


def movement(world: Any) -> movements.Movement:
    section = world.session.sections.get()
    return layouts.movement_of(section, [(1,), (2,), (3,)])


def test_one_who_goes_home_keeps_the_results_and_the_others_go_on() -> None:
    world = a_world(players=15)
    play_round(world, 1)
    before, results = movement(world), Result.objects.count()
    answer = replan(world, after=1, leaving=[4])
    assert answer.status_code == 200, answer.json()
    assert answer.json()["movement"] == "kirkman-15x7-from-2"
    plan = movement(world)
    proved(plan, 3, 15, plan.copies)
    assert plan.first(1).sittings == before.first(1).sittings
    assert all(4 not in s.contestants for s in plan.sittings if s.round > 1)
    assert {s.board for s in plan.sittings} == {s.board for s in before.sittings}
    assert Result.objects.count() == results
    for number in range(2, 8):
        play_round(world, number)
    boards = {one.contestant.number: one.total.boards for one in standings_of(world.refresh())}
    assert boards[4] == 1
    # Fourteen at tables of three: two sit out in each of six rounds, nobody twice.
    assert sorted(boards.values()) == [1, *[6] * 12, 7, 7]
    event = HistoryEntry.objects.get(session=world.session, verb="replanned")
    assert (event.detail["leaving"], event.detail["digest"]) == ([4], plan.digest)


def test_that_a_new_plan_parts_the_ranking_is_said_before_it_is_made() -> None:
    world = a_world_of_pairs(4, boards_per_round=1, rounds=3)
    play_round(world, 1)

    def parts() -> int:
        return len(set(world.session.contestants.values_list("line_group", flat=True)))

    before = parts()
    plan = replanning.plan(session=world.session, after=1, leaving=[1])
    assert parts() == before
    replanning.store(plan, actor=world.organiser)
    assert plan.parts == (before, parts()) == (1, 2)


def test_who_comes_late_gets_a_table_and_who_had_left_comes_back() -> None:
    world = a_world(players=9)
    assert replan(world, after=0, leaving=[2]).status_code == 200
    assert world.refresh().plays_per_board == 2
    assert world.session.tally.layout == 2  # everything is compared again
    name = world.session.contestants.get(number=2).name
    late = ["Yann", "Zoé", "Ève"]
    assert replan(world, after=1, arriving=[name, *late]).status_code == 200
    plan = movement(world)
    assert plan.contestants == 12
    assert {c for s in plan.sittings if s.round == 2 for c in s.contestants} == set(range(1, 13))
    assert Table.objects.filter(section__session=world.session).count() == 4
    assert all(2 not in s.contestants for s in plan.sittings if s.round == 1)
    assert [c.name for c in world.session.contestants.order_by("number")][-3:] == late
    assert world.refresh().plays_per_board == 4
    address = f"/api/v1/sessions/{world.session.pk}/table-tokens/"
    (issue,) = world.client("organiser").post(address, {"table": 4}).json()
    assert issue["table"] == 4
    assert Table.objects.get(section__session=world.session, number=4).tokens.count() == 1
    assert world.client("table").get("/api/v1/tournaments/").status_code == 200  # the others keep theirs
    refusal = world.client("organiser").post(address, {"table": 5})
    assert (refusal.status_code, refusal.json()["error"]["code"]) == (404, "no-such-table")


@pytest.mark.parametrize(("change", "code", "message"), [
    ({"after": 1}, "nothing-changes", "who leaves or who arrives"),
    ({"after": 1, "leaving": [77]}, "no-such-contestant", "Contestant 77 is not here"),
    ({"after": 1, "arriving": ["Joueur 01"]}, "contestants", "a different name"),
    ({"after": 1, "arriving": ["Zoé", " Zoé "]}, "contestants", "a different name"),
    ({"after": 4, "leaving": [1]}, "bad-movement", "after round 0 to 3, not after round 4"),
    ({"after": 0, "leaving": [*range(1, 8)]}, "bad-movement", "2 contestants do not fill a table"),
])  # fmt: skip
def test_a_plan_that_cannot_be_changes_nothing(world: World, change: Any, code: str, message: str) -> None:
    before = movement(world)
    answer = replan(world, **change)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
    assert message in answer.json()["error"]["message"]
    assert movement(world) == before
    assert not world.session.contestants.exclude(left_after=None).exists()


def test_rounds_with_results_are_not_planned_again(world: World) -> None:
    play_round(world, 2)
    with pytest.raises(Conflict, match="Results of round 2 have come in already"):
        replanning.replan(session=world.session, actor=None, after=1, leaving=[1])
    replanning.replan(session=world.session, actor=None, after=2, leaving=[1])
    with pytest.raises(Invalid, match="Contestant 1 is not here"):
        replanning.replan(session=world.session, actor=None, after=2, leaving=[1])
    sessions.finish(session=world.session, actor=None)
    with pytest.raises(Conflict, match="finished"):
        replanning.replan(session=world.session, actor=None, after=3, leaving=[2])


def test_rounds_with_rulings_or_objections_are_not_planned_again() -> None:
    """Nobody deletes what they are about; and nobody can object to a round that is still to come."""
    world = a_world(published=True)
    coming = next(one for one in plays_of(world.session) if one.round == 3 and one.table == world.table.table)
    place = rulings.PlayPlace("A", coming.table.number, coming.board.number)
    objects = partial(objections.object_to, session=world.session, actor=world.organiser, place=place)
    objects = partial(objects, text="Nine tricks", contestant=coming.seatings.get(seat=1).contestant.number)
    with pytest.raises(Conflict, match="not been played yet"):
        objects()
    planned = rulings.on_play(session=world.session, place=place, decisions=[{"kind": "not-played"}])
    ruling = rulings.rule(planned, actor=None, text="They leave early")
    rulings.reverse(ruling=ruling, actor=None, text="They stay")
    assert objects().play == coming, "of what has been ruled, anybody there may say something"
    refusal = replan(world, after=2, leaving=[1])
    assert (refusal.status_code, refusal.json()["error"]["code"]) == (409, "round-ruled")
    ready = replanning.plan(session=world.session, after=2, leaving=[1])
    with pytest.raises(Conflict, match="rulings or objections on plays of round 3"):
        replanning.store(ready, actor=None)
    play_round(world, 1)
    replanning.replan(session=world.session, actor=None, after=3, leaving=[1])


def test_a_ruling_on_a_play_that_has_been_planned_away_is_refused(world: World) -> None:
    coming = plays_of(world.session)[-1]
    place = rulings.PlayPlace("A", coming.table.number, coming.board.number)
    planned = rulings.on_play(session=world.session, place=place, decisions=[{"kind": "annulled"}])
    replanning.replan(session=world.session, actor=None, after=1, leaving=[7, 8, 9])
    with pytest.raises(Conflict, match="planned again meanwhile"):
        rulings.rule(planned, actor=None, text="A card fell")
    assert not Ruling.objects.exists()


def test_guides_tell_the_same_as_the_plays() -> None:
    world = a_world(players=9, boards_per_round=2)
    assert replan(world, after=2, leaving=[9]).status_code == 200
    contestants, tables, boards = (
        world.client("scorer").get(f"/api/v1/sessions/{world.session.pk}/guides/{kind}/").json()["results"]
        for kind in ("contestants", "tables", "boards")
    )
    assert [one["number"] for one in contestants] == list(range(1, 10))
    seatings = Seating.objects.filter(play__table__section__session=world.session)
    rows = {
        (s.play.round, s.play.table.number, s.play.board.number, s.seat, s.contestant.number)
        for s in seatings.select_related("play__table", "play__board", "contestant")
    }
    in_guides = set()
    for one in contestants:
        assert [stop["round"] for stop in one["rounds"]] == [1, 2, 3, 4]
        for stop in one["rounds"]:
            seats = stop["seats"] * (1 if len(stop["seats"]) > 1 else len(stop["boards"]))
            in_guides |= {
                (stop["round"], stop["table"], board, seat, one["number"])
                for board, seat in zip(stop["boards"], seats, strict=True)
            }
    assert in_guides == rows
    assert [stop["table"] for stop in contestants[8]["rounds"]][2:] == [None, None]
    assert {
        (r["round"], t["table"], board, seat, contestant)
        for t in tables
        for r in t["rounds"]
        for board, seated in zip(r["boards"], r["contestants"], strict=True)
        for seat, contestant in enumerate(seated, 1)
    } == rows
    assert {(place["round"], place["table"], place["board"]) for place in boards} == {row[:3] for row in rows}
    assert [place["board"] for place in boards] == sorted(place["board"] for place in boards)


def test_a_pair_is_told_both_of_its_seats(world: World) -> None:
    client = world.client("organiser")
    answer = ended(
        client,
        client.post(
            f"/api/v1/tournaments/{world.session.tournament_id}/sessions/",
            {
                "name": "Pairs",
                "game": "cochonnet",
                "movement": "round-robin",
                "contestants": list("ABCD"),
                "boards_per_round": 1,
            },
        ),
    )
    assert answer.status_code == 200, answer.json()
    session = answer.json()["id"]
    guides = (
        world.client("organiser").get(f"/api/v1/sessions/{session}/guides/contestants/").json()["results"]
    )
    in_guide = {
        (stop["round"], seat, one["number"])
        for one in guides
        for stop in one["rounds"]
        for seat in stop["seats"]
    }
    seatings = Seating.objects.filter(play__table__section__session=session)
    assert in_guide == set(seatings.values_list("play__round", "seat", "contestant__number"))
    assert len(in_guide) == 3 * 2 * 4


@pytest.mark.parametrize(("family", "contestants"), [("team-round-robin", 8), ("whist", 12)])
def test_teams_and_partners_stay_as_they_are_planned(world: World, family: str, contestants: int) -> None:
    client = world.client("organiser")
    answer = ended(
        client,
        client.post(
            f"/api/v1/tournaments/{world.session.tournament_id}/sessions/",
            {
                "name": "Fixed",
                "game": "cochonnet",
                "movement": family,
                "contestants": [f"P{n}" for n in range(contestants)],
                "boards_per_round": 1,
            },
        ),
    )
    world.session = type(world.session).objects.get(pk=answer.json()["id"])
    type(world.session).objects.update(movement="Tuesday")  # a name is for people: nothing is read from it
    section, sides = world.session.sections.get(), [(1, 3), (2, 4)]
    before = layouts.movement_of(section, sides)
    assert replan(world, after=1, leaving=[3]).status_code == 200
    plan = layouts.movement_of(section, sides)
    assert plan.sittings == tuple(s for s in before.sittings if s.round == 1 or 3 not in s.contestants)
    for name, code in (("Yann", "bad-movement"), ("P2", "no-place")):  # the empty place is planned away
        refusal = replan(world, after=1, arriving=[name])
        assert (refusal.status_code, refusal.json()["error"]["code"]) == (400, code)
        assert "at the same time" in refusal.json()["error"]["message"]
    assert replan(world, after=1, leaving=[4], arriving=["Yann"]).status_code == 200
    new_plan = layouts.movement_of(section, sides)
    new = contestants + 1
    assert new_plan.sittings == tuple(
        replace(s, contestants=tuple(new if c == 4 and s.round > 1 else c for c in s.contestants))
        for s in plan.sittings
    )


def test_a_reserve_that_some_tables_played_keeps_no_newcomer_away() -> None:
    """The round in which tables played different boards is over: in those to come all play the same."""
    world = a_world(players=9, reserves=1)
    first = Play.objects.filter(table__section__session=world.session, round=1).order_by("pk")[0]
    submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[an_entry(first)])
    work(world.session)
    board_sets.use_reserve(
        session=world.session, actor=world.organiser, board=first.board.number, reason="fouled"
    )
    play_round_that_is_left(world)
    answer = replan(world, after=1, arriving=["Xavier", "Yann", "Zoé"])
    assert answer.status_code == 200, answer.json()
    later = [s for s in movement(world).sittings if s.round > 1]
    assert {c for s in later for c in s.contestants} == set(range(1, 13))


def play_round_that_is_left(world: Any) -> None:
    for play in Play.objects.filter(table__section__session=world.session, round=1, submissions=None):
        submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[an_entry(play)])
    work(world.session)


def test_an_evening_of_which_nothing_would_be_left_is_not_planned() -> None:
    movement = movements.family_movement("howell", movements.Plan(4, 2, 1))
    travelling = movements.family_movement("howell", movements.Plan(8, 2, 1))
    assert (
        len(movements.with_new_rest(movement, after=0, contestants=[1, 2], seats=2, seconds=0).sittings) == 3
    )
    with pytest.raises(movements.BadMovement, match="no table would be left"):
        movements.with_new_rest(travelling.first(1), after=0, contestants=[1, 2], seats=2)


def test_a_replan_says_of_each_row_that_is_wrong_why() -> None:
    """Of those who leave and those who arrive, at once; and before a job has begun."""
    world = a_world(players=9)
    client, where = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/replans/"
    member = world.session.contestants.get(number=2).members.get().player
    for number in ("1", "2"):
        a_player("Two", "Alike", number=number)
    arriving = [
        "Zoé",
        {"players": [10**9]},
        "Joueur 01",
        "Two Alike",
        "Zoé",
        {"players": [member.pk], "name": "Somebody"},
        "Ève",
    ]
    wish = {"after": 0, "leaving": [77, 3, 78], "arriving": arriving}
    told = client.post(where, wish, format="json")
    assert told.status_code == 400, told.content
    rows = [(row["field"], row["index"], row["state"], row["code"]) for row in told.json()["details"]["rows"]]
    assert rows == [
        ("leaving", 0, "refused", "no-such-contestant"),
        ("leaving", 2, "refused", "no-such-contestant"),
        ("arriving", 1, "refused", "no-such-player"),
        ("arriving", 2, "refused", "contestants"),
        ("arriving", 3, "refused", "several-of-one-name"),
        ("arriving", 4, "refused", "contestants"),
        ("arriving", 5, "refused", "entered-already"),
    ]
    assert all(row["message"] for row in told.json()["details"]["rows"])
    alone = client.post(where, {"after": 0, "arriving": [{"players": [member.pk], "name": "X"}]}, "json")
    assert (alone.status_code, alone.json()["code"]) == (409, "entered-already"), "before any job"
    assert "rows" not in alone.json()["details"]
    assert not Job.objects.exists()
