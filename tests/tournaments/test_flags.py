"""What a director should look at, and what of it tells a result."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from engines import bots, registry
from tournaments.models import Play, Player, Submission
from tournaments.services import board_sets, flags, judging, rounds, rulings, sessions

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


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """What time it is, for everything: the first of it."""
    now = [timezone.now()]
    monkeypatch.setattr(timezone, "now", lambda: now[0])
    return now


def test_a_table_from_which_nothing_comes_for_twice_as_long_as_usual_is_slow(clock: list[datetime]) -> None:
    world = a_world(players=15)
    begun = clock[0]

    def at(minutes: int) -> list[tuple[int, int | None, int | None]]:
        clock[0] = begun + timedelta(minutes=minutes)
        return places(told(world, "scorer"), "slow")

    def play(number: int, tables: range) -> None:
        for one in plays_of(world.session):
            if one.round == number and one.table.number in tables:
                table_hands_in(world, one)
        work(world.session)

    play(1, range(1, 6))
    assert at(60) == [], "nobody knows yet how long a board takes"
    assert at(12) == []
    play(2, range(1, 6))
    assert at(24) == []
    play(3, range(1, 5))
    assert at(36) == [], "24 minutes: twice 12 and no more"
    assert at(37) == [(5, 3, None)]
    (flag,) = [one for one in told(world) if one["kind"] == "slow"]
    assert flag["reason"] == "Nothing from it for 25 minutes; most tables take 12 for a board."
    late = next(one for one in plays_of(world.session) if (one.round, one.table.number) == (3, 5))
    hand_in(world, late)
    work(world.session)
    assert at(37) == [], "its slip has come"
    sessions.finish(session=world.session, actor=None)
    assert at(99) == []


def test_a_round_that_waits_or_is_paused_makes_nobody_slow(clock: list[datetime]) -> None:
    world = a_world(players=15)
    rounds.pace(session=world.session, actor=None, pace=rounds.Pace(2700))
    begun, found = clock[0], []
    for number in (1, 2):
        rounds.open_round(session=world.session, actor=None, number=number)
        for one in plays_of(world.session):
            if one.round == number:
                table_hands_in(world, one)
        work(world.session)
        rounds.close_round(session=world.session, actor=None, number=number)
        clock[0] = begun + timedelta(minutes=15 * number)
        found += places(told(world), "slow")
    clock[0] = begun + timedelta(minutes=90)
    assert [*found, *places(told(world), "slow")] == [], "no round is open"
    rounds.open_round(session=world.session, actor=None, number=3)
    clock[0] = begun + timedelta(minutes=115)
    assert places(told(world), "slow") == [], "25 minutes since it was opened, and 15 is usual"
    clock[0] = begun + timedelta(minutes=121)
    assert [one[:2] for one in places(told(world), "slow")] == [(table, 3) for table in range(1, 6)]
    rounds.pause(session=world.session, actor=None, number=3, paused=True)
    assert places(told(world), "slow") == []


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


def robots_sheet(world: World, play: Play, other: int) -> dict[str, Any] | None:
    """What robots make of a board of a game whose sheets say much of the cards, and the cards of another
    board do not admit; None where that is hard to find."""
    game = registry.game(world.session.game)
    for seed in range(20):
        state = game.start(board_sets.deal_of(world.session, play.board.number), world.session.options)
        bots.play_on(game, state, [bots.at_random] * 3, bots.randomness(seed))
        content = {"sheet": dict(game.summarise(state))}
        if not judging.admits(world.session, other, content):
            return content
    return None


def a_table_with_sheets() -> tuple[World, list[Play], list[Any]]:
    """Two plays of a table in the first round and one of the second, and sheets of their boards: the first
    two are not admitted by each other's cards, nor the third by those of the second."""
    for _ in range(20):
        world = a_world(game="tarot-4-saisons", boards_per_round=2)
        first, second = [one for one in plays_of(world.session) if (one.round, one.table.number) == (1, 1)]
        later = next(one for one in plays_of(world.session) if one.round == 2 and one.table == first.table)
        wanted = ((first, second), (second, first), (later, second))
        sheets = [robots_sheet(world, own, other.board.number) for own, other in wanted]
        if all(sheets):
            return world, [first, second, later], sheets
    raise AssertionError("robots made nothing that only one board's cards admit")


def test_a_result_of_another_board_of_the_table_is_told_with_both_boards() -> None:
    world, (first, second, _later), (firsts, seconds, laters) = a_table_with_sheets()
    one, two = first.board.number, second.board.number

    def said() -> list[tuple[str, int, str]]:
        work(world.session)
        assert [flag for flag in told(world, "scorer") if flag["play"]] == []
        return [(flag["kind"], flag["board"], flag["reason"]) for flag in told(world) if flag["play"]]

    hand_in(world, first, seconds)
    words = "It does not fit the cards of board %d, but those of board %d: is it that one’s?"
    assert said() == [("wrong-board", one, words % (one, two))]
    hand_in(world, second, firsts)
    words = "It fits the cards of board %d, and what stands there fits this one: were they exchanged?"
    assert said() == [("wrong-board", one, words % two), ("wrong-board", two, words % one)]
    hand_in(world, first, firsts)
    words = "The cards of this board contradict it: is it another board’s?"
    assert said() == [("contradicted", two, words)], "its own board has its result"
    hand_in(world, second, laters)
    assert said() == [("contradicted", two, words)], "what is played later tells nothing of its cards"
    hand_in(world, second, seconds)
    assert said() == []


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
