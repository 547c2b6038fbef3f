"""Seats: even, and nearly as balanced as the best that is known. `make campaign-movements` asks it of every
evening in `balances.json`, `make test` of some."""

import os
from collections import Counter, defaultdict
from itertools import combinations
from random import Random

import pytest

from tests.samples import many
from tournaments.movements import (
    Movement,
    Plan,
    Sitting,
    balance,
    family_movement,
    quality,
    with_new_rest,
    with_seats,
)
from tournaments.movements.evenness import even_out
from tournaments.movements.quality import pair_weights
from tournaments.movements.weights import Seats

from .balances import EVENINGS, EveningSize, known

SOME = (EveningSize(5), EveningSize(18))
ASKED = EVENINGS if os.environ.get("ETUI_EVENINGS") == "all" else SOME


@pytest.mark.parametrize("evening", ASKED, ids=str)
def test_seats_are_even_and_within_three_percent_of_the_best_known_balance(evening: EveningSize) -> None:
    plain = evening.movement
    movement = with_seats(plain)
    reached, best = balance(movement, evening.contestants), known()[evening]
    assert (reached is None) == (best is None)
    if reached is not None and best is not None:
        assert float(reached) >= 0.97 * best
    for seats in seat_counts(movement).values():
        assert max(seats) - min(seats) == (0 if sum(seats) % evening.seats == 0 else 1)
    assert tables(movement) == tables(plain)


def test_the_best_known_balances_are_those_of_the_evenings() -> None:
    assert list(known()) == list(EVENINGS)
    assert [evening.contestants for evening, best in known().items() if best is None] == [3, 4, 5]


@pytest.mark.parametrize("seed", range(many(20, 40)))
def test_whatever_the_tables_seats_can_be_evened_out(seed: int) -> None:
    """No seat more than one board above another, and all alike where the seats divide the boards."""
    random = Random(seed)
    width, everyone = random.randint(2, 6), range(1, random.randint(7, 20))
    rounds = random.randint(1, 30)
    movement = Movement(
        "any", tuple(Sitting(n, 1, n, tuple(random.sample(everyone, width))) for n in range(1, rounds + 1))
    )
    seats = Seats(movement)
    even_out(seats)
    assert tables(seats.as_movement()) == tables(movement)
    for counts in seat_counts(seats.as_movement()).values():
        assert max(counts) - min(counts) == (sum(counts) % width > 0)


@pytest.mark.parametrize(("family", "plan", "together"), [
    ("kirkman", Plan(9, 3, 2), False),
    ("annealed", Plan(9, 4, 3, 3), False),
    ("howell", Plan(8, 2, 3), True),
    ("web-mitchell", Plan(16, 2, 2), True),
])  # fmt: skip
def test_what_an_exchange_changes_is_known_before_it_is_made(family: str, plan: Plan, together: bool) -> None:
    """Against the weights of the whole movement, worked out anew."""
    seats, random = Seats(family_movement(family, plan), together=together), Random(5)
    for _ in range(60):
        held, one, other = random.choice(seats.exchanges)
        before, change = seats.squares, seats.change(held, one, other)
        seats.exchange(held, one, other)
        movement = seats.as_movement()
        weights = pair_weights(movement)
        assert {
            pair: seats.weights[pair[0]][pair[1]]
            for pair in combinations(range(1, plan.contestants + 1), 2)
            if seats.weights[pair[0]][pair[1]]
        } == weights
        assert seats.squares - before == 4 * held.step * change
        assert dict(enumerate(seats.turns[1:], 1)) == seat_counts(movement)


def test_boards_that_travel_together_keep_their_seats_together() -> None:
    movement = with_seats(family_movement("howell", Plan(12, 2, 3)), together=True, steps=20_000)
    held = defaultdict(set)
    for s in movement.sittings:
        held[s.round, s.table].add(s.contestants)
    assert {len(seats) for seats in held.values()} == {1}
    assert (balance(movement) or 0) >= 95


@pytest.mark.parametrize("seed", [1, 2])
def test_the_rounds_so_far_stay_and_count(seed: int) -> None:
    plain = family_movement("kirkman", Plan(15, 3, 2, 6))
    movement = with_seats(plain, after=3, seed=seed, steps=50_000)
    assert movement.first(3) == plain.first(3)
    assert tables(movement) == tables(plain)
    assert quality(movement).seats == 0
    assert (balance(movement) or 0) > 1.5 * (balance(plain) or 0)
    alone = with_seats(Movement("later", tuple(s for s in plain.sittings if s.round > 3)), steps=50_000)
    forgetful = Movement("both", (*plain.first(3).sittings, *alone.sittings))
    assert (balance(movement) or 0) > (balance(forgetful) or 0)


def test_one_leaves_and_one_comes_and_the_evening_is_nearly_as_even_and_balanced_as_before() -> None:
    before = with_seats(EveningSize(16, rounds=8).movement, steps=100_000)
    now = [*range(1, 8), *range(9, 18)]
    movement = with_new_rest(before, after=2, contestants=now, seats=3)
    assert movement.first(2).sittings == before.first(2).sittings
    assert (balance(movement, 17) or 0) >= 80 > 60 > (balance(unseated(before, now), 17) or 0)
    counts = seat_counts(movement)
    del counts[8]  # who left after six boards stays as uneven as that
    assert max(max(seats) - min(seats) for seats in counts.values()) <= 2
    assert sum(max(seats) > min(seats) for seats in counts.values()) <= 4


def test_a_plan_made_again_says_how_far_it_is() -> None:
    heard: list[float] = []
    plain = EveningSize(9, rounds=4).movement
    with_new_rest(plain, after=1, contestants=range(1, 9), seats=3, seconds=0.05, progress=heard.append)
    assert heard == sorted(heard)
    assert heard[0] == 0
    assert heard[-1] > 0.2  # the tables are done by then


def unseated(before: Movement, now: list[int]) -> Movement:
    return with_new_rest(before, after=2, contestants=now, seats=3, seconds=0)


def test_lines_and_partners_keep_their_seats_when_an_evening_is_planned_again() -> None:
    lines = family_movement("rainbow", Plan(12, 3, 2))
    assert with_new_rest(lines, after=1, contestants=range(1, 13), seats=3).sittings == lines.sittings
    partners = family_movement("whist", Plan(8, 4, 2))
    again = with_new_rest(partners, after=1, contestants=range(1, 9), seats=4, fixed=True)
    assert again.sittings == partners.sittings


def seat_counts(movement: Movement) -> dict[int, list[int]]:
    """For each contestant, how many boards in each seat."""
    turns = Counter((c, seat) for s in movement.sittings for seat, c in enumerate(s.contestants))
    width = max(len(s.contestants) for s in movement.sittings)
    return {
        contestant: [turns[contestant, seat] for seat in range(width)]
        for contestant in sorted({c for s in movement.sittings for c in s.contestants})
    }


def tables(movement: Movement) -> dict[tuple[int, int, int], frozenset[int]]:
    return {(s.round, s.table, s.board): frozenset(s.contestants) for s in movement.sittings}
