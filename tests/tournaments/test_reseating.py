"""Tables that have not sat, or not played, as planned; and what new plans cost, said before they are made."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from engines import bots, registry
from tournaments import movements
from tournaments.models import Call, HistoryEntry, Job, Play, Ruling, Seating, Session
from tournaments.services import (
    board_sets,
    calls,
    jobs,
    layouts,
    list_contents,
    lists,
    recomputing,
    replanning,
    reseating,
    rulings,
    sessions,
)
from tournaments.services.errors import Forbidden

from .worlds import World, a_ruling, a_world, hand_in, plays_of, standings_of, table_hands_in, work

pytestmark = pytest.mark.django_db


def ask(world: World, **wish: Any) -> Any:
    answer = world.client("organiser").post(f"/api/v1/sessions/{world.session.pk}/reseatings/", wish, "json")
    return answer.json() | {"status": answer.status_code}


def seats(play: Play) -> list[int]:
    return list(play.seatings.order_by("seat").values_list("contestant__number", flat=True))


def a_world_of_pairs(count: int, *, boards_per_round: int, rounds: int) -> World:
    world = a_world()
    world.session = sessions.set_up(
        tournament=world.session.tournament,
        actor=world.organiser,
        name="Pairs",
        game="cochonnet",
        options={},
        method="matchpoints",
        movement="round-robin",
        contestants=[f"Pair {n}" for n in range(1, count + 1)],
        boards_per_round=boards_per_round,
        rounds=rounds,
    )
    return world


def movement(world: World, sides: Any = ((1,), (2,), (3,))) -> movements.Movement:
    return layouts.movement_of(world.session.sections.get(), sides)


def sept_sheet(world: World, play: Play, number: int) -> dict[str, Any]:
    """What robots make of a board of a game of two."""
    game = registry.game("sept")
    state = game.start(board_sets.deal_of(world.session, play.board.number), world.session.options)
    bots.play_on(game, state, [bots.at_random] * 2, bots.randomness(number))
    return dict(game.summarise(state))


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
    world = a_world_of_pairs(6, boards_per_round=2, rounds=3)
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
    ruling = a_ruling(world.session, plays_of(world.session)[0])
    turned = {"kind": "turned", "table": 1, "round": 1, "reason": "So"}
    assert ask(world, **turned)["error"]["code"] == "round-ruled"
    made = Ruling.objects.get(pk=ruling)
    rulings.reverse(ruling=made, actor=None, text="Entered for the wrong board")
    assert ask(world, **turned)["status"] == 201, "what has been reversed holds nobody back"
    Session.objects.filter(pk=world.session.pk).update(state="cancelled")
    assert ask(world, kind="turned", table=1, round=2)["error"]["code"] == "session-cancelled"


def test_a_table_gets_a_board_that_is_over_only_where_somebody_knows_that_it_has_played_it() -> None:
    """Everybody else has played it: its cards may be known."""
    world = a_world(reserves=1)
    table_hands_in(world, plays_of(world.session)[0])
    work(world.session)
    reserve = board_sets.use_reserve(session=world.session, actor=world.organiser, board=1, reason="Wet")
    wish = {"kind": "boards", "table": 1, "round": 2, "boards": [reserve.number]}
    for play in plays_of(world.session):
        if play.board_id == reserve.pk:
            table_hands_in(world, play)
    work(world.session)
    refused = ask(world, **wish)
    assert (refused["status"], refused["error"]["code"]) == (409, "board-over")
    assert ask(world, **wish, dry_run=True)["status"] == 200
    assert ask(world, **wish, confirm=True)["status"] == 201


def test_that_a_change_parts_the_ranking_is_said_before_it_is_made() -> None:
    world = a_world_of_pairs(4, boards_per_round=1, rounds=2)

    def parts() -> int:
        return len(set(world.session.contestants.values_list("line_group", flat=True)))

    said = []
    for _again in range(2):  # and back
        plan = reseating.plan(session=world.session, kind="turned", table=2, number=2)
        before = parts()
        reseating.store(plan, actor=world.organiser)
        assert plan.parts == (before, parts())
        said.append(plan.parts)
    assert sorted(said) == [(1, 2), (2, 1)]


def test_what_somebody_else_has_planned_is_not_changed_unseen() -> None:
    world = a_world()
    client = world.client("organiser")
    client.defaults.pop("HTTP_IF_MATCH")
    address = f"/api/v1/sessions/{world.session.pk}/"
    seen = client.get(address)["ETag"]
    turned = {"kind": "turned", "table": 1, "round": 1}
    assert client.post(f"{address}reseatings/", turned, "json").status_code == 428
    assert client.delete(f"{address}replans/").status_code == 428
    assert client.post(f"{address}reseatings/", {**turned, "dry_run": True}, "json").status_code == 200
    made = client.post(f"{address}reseatings/", turned, "json", headers={"if-match": seen})
    assert made.status_code == 201
    late = client.post(f"{address}reseatings/", turned, "json", headers={"if-match": seen})
    assert (late.status_code, late.json()["error"]["code"]) == (412, "changed-meanwhile")
    assert client.delete(f"{address}replans/", headers={"if-match": seen}).status_code == 412
    again = client.get(address)["ETag"]
    assert client.delete(f"{address}replans/", headers={"if-match": again}).status_code == 409


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
    assert told[0]["before"]["balance"] == str(movements.quality(before, away=[4]).balance)
    assert told[1]["after"]["balance"] == str(movements.quality(movement(world), away=[4]).balance)
    assert movements.quality(movement(world)).boards.least == 1, "whoever leaves, with what they played"
    assert told[0]["after"]["boards"]["least"] > 1, "is not one of those who stay"
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


def test_after_wrong_boards_somebody_may_still_go_home_and_lists_still_break_ties() -> None:
    """Some meet a board twice by then, which is known: it is no reason to refuse a new plan, or a list."""
    world = a_world(boards_per_round=2)
    wrong = [
        one for one in plays_of(world.session) if one.table_id == world.table.table_id and one.round == 3
    ]
    boards = [one.board.number for one in wrong]
    wish = {"kind": "boards", "table": wrong[0].table.number, "round": 2, "boards": boards}
    assert ask(world, **wish)["twice"]
    for one in plays_of(world.session):
        if one.round <= 2:
            hand_in(world, one)
    work(world.session)
    replanning.replan(session=world.session, actor=world.organiser, after=2, leaving=[9])
    left = {number for one in plays_of(world.session) if one.round > 2 for number in seats(one)}
    assert left
    assert 9 not in left
    for one in plays_of(world.session):
        if one.round == 3:  # those who held the boards before play them again, until somebody rules
            hand_in(world, one)
    assert agrees(world)
    met = reseating.met_twice(world.refresh())
    own = Seating.objects.filter(play__table__section__session=world.session, play__result__isnull=False)
    held = Counter(own.values_list("contestant", "play__board"))
    assert {(who, one.play.board_id) for one in met for who in one.contestants} == {
        pair for pair, count in held.items() if count > 1
    }
    first = met[0].play
    place = rulings.PlayPlace(first.table.section.name, first.table.number, first.board.number)
    plan = rulings.on_play(session=world.session, place=place, decisions=[{"kind": "annulled"}])
    rulings.rule(plan, actor=None, text="They knew the cards")
    assert len(reseating.met_twice(world.refresh())) < len(met), "what is ruled on waits no more"
    setup = lists.ListSetup("Ties", "overall", tie_breaks=("direct-encounter", "opponents"))
    made = lists.set_up(session=world.refresh(), actor=None, setup=setup)
    assert list_contents.content(made, list_contents.members_of(made)).count == 9


def test_a_board_that_a_table_took_from_elsewhere_is_compared_once_more_than_planned() -> None:
    world = a_world()
    world.session = sessions.set_up(
        tournament=world.session.tournament,
        actor=world.organiser,
        name="Pairs",
        game="sept",
        options={},
        method="matchpoints",
        movement="mitchell",
        contestants=[f"Player {n}" for n in range(1, 11)],
        boards_per_round=1,
        rounds=3,
    )
    table = [one for one in plays_of(world.session) if one.table.number == 1]
    elsewhere = sorted(
        {one.board.number for one in plays_of(world.session)} - {one.board.number for one in table}
    )
    assert ask(world, kind="boards", table=1, round=1, boards=elsewhere[:1])["status"] == 201
    plays = [one for one in plays_of(world.session) if one.board.number == elsewhere[0]]
    assert len(plays) == 4
    for at, one in enumerate(plays):
        hand_in(world, one, {"sheet": sept_sheet(world, one, at)})
    assert agrees(world)
    assert world.refresh().plays_per_board == 4
    assert (
        ask(world, kind="boards", table=1, round=1, boards=[table[0].board.number], reason="No")["status"]
        == 409
    )


def test_the_call_about_seats_is_settled_with_them_or_neither_is() -> None:
    world = a_world()
    play = plays_of(world.session)[0]
    made = calls.call(table=play.table, actor=world.table, reason=Call.Reason.SEATS)
    plan = reseating.plan(session=world.session, kind="seats", table=1, number=1, order=[2, 1, 3])
    before = seats(play)
    with pytest.raises(Forbidden):  # of another club: whoever may not answer the call changes nothing
        reseating.store(plan, actor=world.holder("foreign scorer"), answers_call=True)
    assert seats(play) == before
    reseating.store(plan, actor=world.holder("scorer"), answers_call=True)
    made.refresh_from_db()
    assert (seats(play), made.state) == ([before[1], before[0], before[2]], Call.State.DONE)


def test_a_board_that_others_have_played_at_the_table_stays_theirs() -> None:
    world = a_world(boards_per_round=2)
    own = [one for one in plays_of(world.session) if one.table_id == world.table.table_id]
    theirs, planned = (next(one for one in own if one.round == number) for number in (2, 3))
    for one in own:
        if one.round <= 2:
            hand_in(world, one)
    work(world.session)
    sat = {one.pk: seats(one) for one in own}
    boards = [one.board.number for one in own if one.round == 3][1:]
    wish = {
        **{"kind": "boards", "table": theirs.table.number, "round": 3, "reason": "Wrong wallet"},
        "boards": [theirs.board.number, *boards],
    }
    for more in ({"dry_run": True}, {}):
        refused = ask(world, **wish, **more)
        assert (refused["status"], refused["error"]["code"]) == (409, "board-played")
    facts = {"board": theirs.board.number, "round": 2, "planned": planned.board.number}
    assert refused["error"]["details"] == facts
    assert {one.pk: seats(one) for one in own} == sat
    hand_in(world, planned)  # both have been played: by whom is what the director says
    work(world.session)
    assert ask(world, **wish)["status"] == 201
