"""Swiss rounds, evenings that do not go as planned, and what a movement says to whom."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.samples import some
from tournaments.movements import (
    ANEW,
    SIT_OUTS,
    BadMovement,
    Plan,
    by_contestant,
    by_table,
    candidates,
    check,
    family_movement,
    quality,
    swiss_round,
    with_new_rest,
)
from tournaments.movements.quality import without_one

from .test_movements import meetings, proved


@pytest.mark.parametrize(("count", "seats", "rounds"), [
    (8, 2, 5), (9, 2, 6), (20, 2, 9), (41, 2, 9), (18, 3, 4), (20, 3, 4), (32, 4, 4), (4, 2, 3), (120, 2, 7),
])  # fmt: skip
def test_a_swiss_tournament_never_repeats_a_meeting_or_a_sit_out(count: int, seats: int, rounds: int) -> None:
    chance = random.Random(count)
    scores: dict[int, Any] = dict.fromkeys(range(1, count + 1), 0)
    met: list[tuple[int, ...]] = []
    out: list[int] = []
    far = []
    for _ in range(rounds):
        found = swiss_round(scores, seats=seats, met=met, sat_out=out)
        assert sorted([c for table in found.tables for c in table] + list(found.sit_outs)) == sorted(scores)
        assert all(len(table) == seats for table in found.tables)
        out += found.sit_outs
        met += found.tables
        order = sorted(scores, key=lambda one: (-scores[one], one))
        far += [order.index(table[-1]) - order.index(table[0]) for table in found.tables]
        for table in found.tables:
            scores[max(table, key=lambda c: c + chance.gauss(0, 5))] += 1
        for one in found.sit_outs:
            scores[one] += 1
    assert max(Counter(pair for table in met for pair in combinations(sorted(table), 2)).values()) == 1
    assert len(set(out)) == len(out)
    assert sum(far) / len(far) < max(count / 2, seats + 1)  # those of a table are near each other


def test_equals_meet_equals_and_the_lowest_sits_out() -> None:
    scores = {1: 9, 2: 8, 3: 7, 4: 3, 5: 2}
    assert swiss_round(scores) == swiss_round(dict(reversed(scores.items())))
    found = swiss_round(scores)
    assert found.tables == ((1, 2), (3, 4))
    assert found.sit_outs == (5,)
    assert swiss_round(scores, sat_out=[5]).sit_outs == (4,)
    assert swiss_round(scores, met=[(1, 2)]).tables == ((1, 3), (2, 4))
    assert swiss_round(scores, forbidden=[(1, 2), (1, 3)]).tables == ((1, 4), (2, 3))


@pytest.mark.parametrize(("count", "seats", "rounds", "repeats"), some([
    (15, 3, 5, 0), (21, 3, 6, 0), (9, 3, 4, 0), (9, 3, 5, 9), (16, 3, 5, 0), (32, 4, 5, 0), (4, 2, 4, 2),
    (8, 4, 2, 4), (3, 2, 4, 1),
], one_in=3))  # fmt: skip
def test_where_somebody_has_to_meet_again_the_fewest_do_and_the_round_says_who(
    count: int, seats: int, rounds: int, repeats: int
) -> None:
    """Nobody needs to before the last of these rounds; what 9 at threes and 8 at fours repeat is known."""
    met: list[tuple[int, ...]] = []
    out: list[int] = []
    for number in range(1, rounds + 1):
        found = swiss_round(dict.fromkeys(range(1, count + 1), 0), seats=seats, met=met, sat_out=out)
        times = Counter(pair for table in met for pair in combinations(sorted(table), 2))
        together = [pair for table in found.tables for pair in combinations(sorted(table), 2)]
        assert found.repeats == tuple(sorted(pair for pair in together if times[pair]))
        assert len(found.repeats) == (repeats if number == rounds else 0)
        out += found.sit_outs
        met += found.tables


def test_members_of_one_club_stay_apart_though_others_meet_again() -> None:
    met = [(1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (2, 6, 7), (3, 4, 8), (1, 6, 8), (2, 4, 9), (3, 5, 7)]
    found = swiss_round(dict.fromkeys(range(1, 10), 0), seats=3, met=met, forbidden=[(1, 2), (4, 5)])
    assert found.repeats
    assert not {(1, 2), (4, 5)} & {pair for table in found.tables for pair in combinations(sorted(table), 2)}


@pytest.mark.parametrize(("contestants", "seats", "boards"), [(7, 2, 24), (3, 2, 24), (7, 4, 21), (5, 3, 21)])
def test_a_wish_is_what_each_contestant_plays(contestants: int, seats: int, boards: int) -> None:
    offered = candidates(contestants=contestants, seats=[seats], boards=boards, steps=0)
    played = offered[0].quality.boards
    assert played.most - boards <= 3
    assert boards - played.least <= 3
    if contestants == 7 and seats == 2:
        howell = next(one for one in offered if one.family == "howell")
        assert (howell.quality.boards.least, howell.quality.boards.most) == (24, 24)


@pytest.mark.parametrize("contestants", some([36, 40, 60], one_in=3))
def test_one_ranking_comes_first_unless_the_wish_says_otherwise(contestants: int) -> None:
    offered = [one.one_ranking for one in candidates(contestants=contestants, seats=[2], boards=24, steps=0)]
    assert offered == sorted(offered, reverse=True)
    assert set(offered) == {True, False}
    lines = candidates(contestants=contestants, seats=[2], boards=24, steps=0, one_ranking=False)
    assert not any(one.one_ranking for one in lines)


def test_a_relay_of_one_round_numbers_its_boards_without_a_gap() -> None:
    for rounds in (1, 2, 4):
        movement = family_movement("relay-mitchell", Plan(8, 2, 3, rounds))
        assert {s.board for s in movement.sittings} == set(range(1, movement.boards + 1))


@pytest.mark.parametrize(("given_", "message"), [
    ({"scores": {1: 0}}, "1 contestants do not fill a table of 2"),
    ({"scores": {1: 0, 2: 0}, "forbidden": [(1, 2)]}, "cannot be kept apart"),
    ({"scores": dict.fromkeys(range(1, 7), 0), "seats": 3, "forbidden": [(1, 2, 3)]}, "cannot be kept apart"),
])  # fmt: skip
def test_a_round_that_cannot_be_is_refused(given_: Any, message: str) -> None:
    with pytest.raises(BadMovement, match=message):
        swiss_round(**given_)


@pytest.mark.parametrize(("before", "now", "after"), [
    (15, range(1, 15), 2),  # one leaves: two sit out in each round from then on
    (15, range(1, 17), 1),  # one comes late
    (15, [*range(1, 13), 16, 17, 18], 3),  # three go, three come
    (14, range(1, 16), 0),  # the half table is filled before the first round
    (9, range(1, 7), 2),
])  # fmt: skip
def test_the_rest_of_an_evening_is_planned_again_and_keeps_what_was_played(
    before: int, now: Any, after: int
) -> None:
    movement = family_movement("annealed", Plan(before, 3, 2, 6))
    found = with_new_rest(movement, after=after, contestants=now, seats=3, seconds=0)
    proved(found, 3, max(max(now), before), found.copies)
    assert [s for s in found.sittings if s.round <= after] == [
        s for s in movement.sittings if s.round <= after
    ]
    later = [s for s in found.sittings if s.round > after]
    assert {c for s in later for c in s.contestants} == set(now)
    assert {(s.round, s.board) for s in later} == {
        (s.round, s.board) for s in movement.sittings if s.round > after
    }
    rounds = Counter(c for _, c in {(s.round, c) for s in later for c in s.contestants})
    assert max(rounds.values()) - min(rounds.values()) <= 1
    limit = 1 if len(set(now)) > 10 else 4
    assert max(meetings(found).values()) <= limit + 1


def test_who_sat_out_least_sits_out_first() -> None:
    movement = family_movement("annealed", Plan(7, 3, 1, 5))
    found = with_new_rest(movement, after=2, contestants=range(1, 8), seats=3, seconds=0)
    sat = [5 - len({s.round for s in found.sittings if c in s.contestants}) for c in range(1, 8)]
    assert max(sat) - min(sat) <= 1


@pytest.mark.parametrize(("family", "plan"), [
    ("howell", Plan(8, 2, 2)), ("rainbow", Plan(15, 3, 1)), ("mitchell", Plan(10, 2, 2)),
])  # fmt: skip
def test_where_boards_travel_everybody_stays_in_their_place(family: str, plan: Plan) -> None:
    movement = family_movement(family, plan)
    new = plan.contestants + 1
    stays = set(range(1, new)) - {2}
    without = with_new_rest(movement, after=1, contestants=stays, seats=plan.seats)
    check(without, copies=movement.copies)
    assert all(2 not in s.contestants for s in without.sittings if s.round > 1)
    filled = with_new_rest(movement, after=1, contestants=stays | {new}, seats=plan.seats)
    proved(filled, plan.seats, new, movement.copies)
    assert len(filled.sittings) == len(movement.sittings)
    with pytest.raises(BadMovement, match="free places: 0"):
        with_new_rest(movement, after=1, contestants=range(1, new + 1), seats=plan.seats)


@pytest.mark.parametrize(("family", "plan", "after", "late"), [
    ("howell", Plan(8, 2, 2), 0, 1), ("howell", Plan(8, 2, 2), 2, 2), ("howell", Plan(12, 2, 1), 1, 1),
    ("mitchell", Plan(9, 2, 2), 1, 1), ("rainbow", Plan(15, 3, 1), 2, 2), ("howell", Plan(8, 2, 2), 6, 1),
])  # fmt: skip
def test_where_boards_travel_who_comes_late_gets_another_movement_for_the_rest(
    family: str, plan: Plan, after: int, late: int
) -> None:
    movement = family_movement(family, plan)
    now = range(1, plan.contestants + late + 1)
    found = with_new_rest(movement, after=after, contestants=now, seats=plan.seats, rest=ANEW, seconds=0)
    proved(found, plan.seats, len(now), found.copies)
    assert found.copies <= movement.copies
    assert found.first(after).sittings == movement.first(after).sittings
    later = {s.board for s in found.sittings if s.round > after}
    assert later <= {s.board for s in movement.sittings if s.round > after}, (
        "others may be known to everybody"
    )
    rounds = Counter(c for _, c in {(s.round, c) for s in found.sittings for c in s.contestants})
    assert min(rounds[c] for c in now) >= movement.rounds - after - 2 if after < 6 else rounds[9] == 1


@pytest.mark.parametrize(("family", "plan", "away"), [
    ("howell", Plan(8, 2, 2), 3), ("mitchell", Plan(10, 2, 2), 3), ("mitchell", Plan(9, 2, 2), None),
    ("rainbow", Plan(15, 3, 1), 4),
])  # fmt: skip
def test_where_boards_travel_who_comes_late_plays_whoever_sits_out(
    family: str, plan: Plan, away: int | None
) -> None:
    movement = family_movement(family, plan)
    if away is not None:
        movement = without_one(movement, away)
    new = plan.contestants + 1
    now = {*range(1, new + 1)} - {away}
    found = with_new_rest(movement, after=1, contestants=now, seats=plan.seats, rest=SIT_OUTS)
    proved(found, plan.seats, new, found.copies)
    assert found.copies <= movement.copies
    assert set(movement.sittings) < set(found.sittings)
    assert {s.round for s in found.sittings if new in s.contestants} == set(range(2, movement.rounds + 1))
    for way in (SIT_OUTS, ANEW):
        with pytest.raises(BadMovement, match="settled here"):
            with_new_rest(movement, after=1, contestants=now, seats=plan.seats, fixed=True, rest=way)


@pytest.mark.parametrize(("after", "contestants", "message"), [
    (6, range(1, 10), "after round 0 to 5, not"), (-1, range(1, 10), "round -1"), (2, [1, 2], "do not fill"),
])  # fmt: skip
def test_a_replanning_that_cannot_be_is_refused(after: int, contestants: Any, message: str) -> None:
    movement = family_movement("annealed", Plan(9, 3, 2, 6))
    with pytest.raises(BadMovement, match=message):
        with_new_rest(movement, after=after, contestants=contestants, seats=3)


@given(st.integers(3, 14), st.integers(1, 5), st.integers(1, 3))
def test_the_guides_agree_with_each_other(contestants: int, rounds: int, boards: int) -> None:
    movement = family_movement("annealed", Plan(contestants, 3, boards, rounds, deadline=0.0))
    people, tables = by_contestant(movement, range(1, contestants + 1)), by_table(movement)
    assert len(people) == contestants
    from_people = {
        (stop.round, stop.table, board, contestant)
        for contestant, stops in people.items()
        for stop in stops
        for board in stop.boards
    }
    from_tables = {
        (one.round, table, board, contestant)
        for table, held in tables.items()
        for one in held
        for board, seated in zip(one.boards, one.contestants, strict=True)
        for contestant in seated
    }
    assert from_people == from_tables
    played = {
        (s.round, s.table, s.board, contestant) for s in movement.sittings for contestant in s.contestants
    }
    assert from_tables == played
    out = quality(movement, contestants=contestants).sit_outs
    sat = [sum(stop.table is None for stop in stops) for stops in people.values()]
    assert (min(sat), max(sat)) == (out.least, out.most)


def test_a_guide_says_seats_board_by_board_where_they_change() -> None:
    stops = by_contestant(family_movement("kirkman", Plan(9, 3, 3)))[1]
    assert [len(stop.seats) for stop in stops] == [3] * 4
    assert sorted(stops[0].seats) == [1, 2, 3]
    (first, *_) = by_contestant(family_movement("mitchell", Plan(6, 2, 3)))[1]
    assert (first.table, first.seats, first.boards) == (1, (1,), (1, 2, 3))
