"""What a director should look at, and what of it tells a result."""

from collections.abc import Sequence
from typing import Any

import pytest

from tournaments.models import Player, Submission
from tournaments.services import flags, rounds, rulings, sessions

from .worlds import World, a_world, hand_in, plays_of, table_hands_in, work

pytestmark = pytest.mark.django_db


def told(world: World, role: str = "organiser") -> list[dict[str, Any]]:
    answer = world.client(role).get(f"/api/v1/sessions/{world.session.pk}/flags/")
    assert answer.status_code == 200
    return list(answer.json()["results"])


def places(rows: Sequence[dict[str, Any]], kind: str) -> list[tuple[int, int | None, int | None]]:
    return [(one["table"], one["round"], one["board"]) for one in rows if one["kind"] == kind]


def test_what_is_missing_and_who_is_behind(world: World) -> None:
    assert told(world) == []
    for play in plays_of(world.session):
        if play.table.number != 2 or play.round == 2:
            hand_in(world, play)
    work(world.session)
    rows = told(world)
    assert places(rows, "missing") == [(2, 1, 1)], "it has entered round 2, and nothing later"
    assert places(rows, "behind") == [(2, None, None)]
    assert rows == told(world, "scorer")
    first = world.client("organiser").get(f"/api/v1/sessions/{world.session.pk}/flags/?page_size=1").json()
    assert first["results"] == rows[:1]
    assert world.client("organiser").get(first["next"]).json()["results"] == rows[1:2]
    plan = rulings.on_play(
        session=world.refresh(),
        place=rulings.PlayPlace("A", 2, 1),
        decisions=[{"kind": "not-played"}],
    )
    rulings.rule(plan, actor=world.organiser, text="They never played it.")
    assert places(told(world), "missing") == [], "a ruling for every seat is in its place"
    sessions.finish(session=world.session, actor=None)
    assert places(told(world), "missing") == [(2, 3, 3), (2, 4, 4)]
    assert places(told(world), "behind") == []


def test_in_a_paced_session_what_is_missing_is_of_closed_rounds(world: World) -> None:
    rounds.pace(session=world.session, actor=None, pace=rounds.Pace())
    for number in (1, 2):
        rounds.open_round(session=world.session, actor=None, number=number)
    for play in plays_of(world.session):
        if (play.round, play.table.number) in {(1, 1), (1, 2), (2, 3)}:
            hand_in(world, play)
    work(world.session)
    assert places(told(world), "missing") == []
    rounds.close_round(session=world.session, actor=None, number=1)
    assert places(told(world), "missing") == [(3, 1, 1)]


def a_strange_score() -> World:
    """Board 1 at five tables, with three different scores of the first seat."""
    world = a_world(players=15)
    tricks = {1: [5, 3, 2], 2: [3, 5, 2], 3: [2, 3, 5], 4: [3, 5, 2], 5: [5, 3, 2]}
    for play in plays_of(world.session):
        if play.round == 1:
            sheet = {"sheet": {"outcome": "normal", "tricks": tricks[play.table.number]}}
            hand_in(world, play, sheet)
    work(world.session)
    return world


def test_a_score_far_from_all_others_is_told_to_officials_who_do_not_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = a_strange_score()
    monkeypatch.setattr(flags, "FAR", 0.5)
    found = places(told(world, "scorer"), "outlier")
    assert found
    role = world.holder("scorer").role
    assert role is not None
    Player.objects.filter(memberships__session=world.session, memberships__contestant__number=1).update(
        account=role.account
    )
    assert places(told(world, "scorer"), "outlier") == [], "the scorer plays, and the board is not over"
    assert places(told(world, "organiser"), "outlier") == found


@pytest.mark.parametrize(
    ("scores", "far"),
    [
        ([1, 2, 1, 2, 1, 30], [5]),
        ([1, 2, 1, 2, 1, 4], []),
        ([1, 1, 1, 1, 1, 30], []),  # half of them are all the same: nothing says how far is far
        ([1, 2, 1, 30], []),  # too few
        ([1, 20, 40, 60, 80, 100], []),
    ],
)
def test_how_far_is_far(world: World, scores: list[int], far: list[int]) -> None:
    rows = [
        flags.WatchedPlay(table, "A", table, 1, 1, 1, [score, 0, 0], [], is_contradicted=False)
        for table, score in enumerate(scores)
    ]
    assert [one.table for one in flags._outliers(world.session, rows)] == far


def test_what_the_deal_contradicts_is_told_to_directors_alone(world: World) -> None:
    play = next(one for one in plays_of(world.session) if one.table == world.table.table)
    table_hands_in(world, play)
    work(world.session)
    Submission.objects.filter(play=play).update(state="disputed", contradicted=True)
    assert [one[0] for one in places(told(world), "contradicted")] == [play.table.number]
    assert places(told(world, "scorer"), "contradicted") == []
    others = [one for one in plays_of(world.session) if one.board_id == play.board_id and one != play]
    for one in others:
        hand_in(world, one)
    work(world.session)
    Submission.objects.filter(play=others[0]).update(state="disputed", contradicted=True)
    assert places(told(world), "contradicted") == []
    assert {one[0] for one in places(told(world), "fouled")} == {play.table.number, others[0].table.number}
    assert places(told(world, "scorer"), "fouled") == []
    groups = [("B", [("A", one.table.number) for one in (play, others[0])])]
    plan = rulings.on_fouled_board(session=world.refresh(), board=play.board.number, groups=groups)
    assert {part.deal for part in plan.parts.values()} == {"B"}
    Submission.objects.filter(play=others[1]).update(state="disputed", contradicted=True)
    assert places(told(world), "fouled") == [], "no table has had the cards of the board: whose are they?"
    assert len(places(told(world), "contradicted")) == 3
    for role in ("table", "player"):
        assert world.client(role).get(f"/api/v1/sessions/{world.session.pk}/flags/").status_code == 403
