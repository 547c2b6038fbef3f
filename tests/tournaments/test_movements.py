"""Every movement, by a checker that knows nothing of how it was made; and what is claimed of each family."""

import os
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.samples import WHOLE, some
from tournaments.movements import (
    FAMILIES,
    BadMovement,
    Movement,
    Plan,
    Sitting,
    balance,
    candidates,
    check,
    family_movement,
    quality,
    searches,
    with_seats,
)
from tournaments.movements.divisions import divisions
from tournaments.movements.families import possible_rounds
from tournaments.movements.fields import field_of, prime_power
from tournaments.movements.howell import strong_starter
from tournaments.movements.layout import copies_at, copies_of, first_tables
from tournaments.movements.quality import without_one
from tournaments.movements.teams import knock_out, next_round
from tournaments.movements.whist import FIRST_ROUNDS
from tournaments.movements.whist import sizes as whist_sizes

MOST = int(os.environ.get("ETUI_CONTESTANTS", "60"))
HARDLY_ANNEALED = 0.0  # a deadline that is over when annealing begins: it takes the first steps all the same


def meetings(movement: Movement) -> Counter[tuple[int, ...]]:
    """In how many rounds each two sit at one table."""
    tables = {(s.round, s.table): frozenset(s.contestants) for s in movement.sittings}
    return Counter(pair for table in tables.values() for pair in combinations(sorted(table), 2))


def boards_played(movement: Movement) -> Counter[int]:
    return Counter(c for s in movement.sittings for c in s.contestants)


def proved(movement: Movement, seats: int, contestants: int, copies: int) -> None:
    """What every movement owes: each contestant each board once at most, in one seat of one table a round,
    each table each board once at most, all numbers in their range, and no more copies of a board in a round
    than it says."""
    boards: set[tuple[int, int]] = set()
    at_table = Counter((s.table, s.board) for s in movement.sittings)
    assert max(at_table.values()) == 1, "a table keeps one result of a board"
    place: dict[tuple[int, int], tuple[int, frozenset[int]]] = {}
    at_board: dict[tuple[int, int], set[int]] = defaultdict(set)
    for s in movement.sittings:
        assert len(s.contestants) == seats == len(set(s.contestants))
        assert min(s.round, s.table, s.board) >= 1
        at_board[s.round, s.board].add(s.table)
        for contestant in s.contestants:
            assert 1 <= contestant <= contestants
            assert (contestant, s.board) not in boards
            boards.add((contestant, s.board))
            here = (s.table, frozenset(s.contestants))
            assert place.setdefault((s.round, contestant), here) == here
    set_of = Counter((s.round, s.table) for s in movement.sittings)

    def in_play(number: int, tables: set[int]) -> int:
        """Copies in a round: two tables pass one between them where both have another meanwhile."""
        is_passed = movement.shared and all(set_of[number, table] > 1 for table in tables)
        return (len(tables) + 1) // 2 if is_passed else len(tables)

    assert copies == max(in_play(number, tables) for (number, _board), tables in at_board.items())
    assert {s.round for s in movement.sittings} == set(range(1, movement.rounds + 1))


def plans(seats: int, most: int) -> list[tuple[str, int, int]]:
    """Each family with each number of contestants, and the numbers of rounds to try: the fewest, all, and one
    between; of more than thirty contestants the fewest or all, by turns. `make test` tries every fourth
    number of more than twenty."""
    found = []
    for family, contestants in product(FAMILIES, range(seats, most + 1)):
        rounds = list(possible_rounds(family, contestants, seats))
        if family == "annealed":
            rounds = rounds[:7]
        tried = {*rounds[:1], *rounds[len(rounds) // 2 :][:1], *rounds[-1:]}
        if contestants > 20 and contestants % 4 and not WHOLE:
            continue
        if contestants > 30 and tried:
            tried = {(min, max)[contestants % 4 // 2](tried)}
        found += [(family, contestants, n) for n in sorted(tried)]
    return found


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7])
def test_every_movement_of_every_size_can_be_played(seats: int) -> None:
    most = MOST if seats < 4 else MOST * 2 // 3
    tried = plans(seats, most)
    assert len(tried) > 50
    for family, contestants, rounds in tried:
        plan = Plan(contestants, seats, 2, rounds, deadline=HARDLY_ANNEALED)
        movement = family_movement(family, plan)
        if FAMILIES[family].paired:  # the first round, and the boards of all
            check(movement)
            assert (movement.rounds, movement.boards) == (1, 2 * rounds)
            continue
        proved(movement, seats, contestants, movement.copies)
        check(movement, copies=movement.copies)
        assert movement.rounds == rounds
        out = contestants % seats if family != "team-round-robin" else contestants // 2 % 2 * 2
        there = Counter(c for _round, c in {(s.round, c) for s in movement.sittings for c in s.contestants})
        sat_out = [rounds - there[c] for c in range(1, contestants + 1)]
        assert sum(sat_out) == out * rounds
        if family == "annealed":
            assert max(sat_out) - min(sat_out) <= 1
        else:
            met = max(meetings(movement).values())
            assert met <= 3 if family == "whist" else met == 1
            all_play = {"kirkman", "round-robin", "plane", "whist", "team-round-robin"}
            assert movement.copies == 1 or movement.shared or family in all_play | {"web-mitchell"}
            assert movement.copies <= 2 or family in all_play


@pytest.mark.parametrize("players", some(range(3, 121), one_in=4))
def test_there_is_a_movement_of_three_seats_for_every_number_of_players(players: int) -> None:
    rounds = min(4, max((players - 1) // 2, 1))
    movement = family_movement("annealed", Plan(players, 3, 1, rounds, deadline=HARDLY_ANNEALED))
    proved(movement, 3, players, movement.copies)
    assert len({s.table for s in movement.sittings}) == players // 3


@pytest.mark.parametrize("players", some([n for n in range(9, 121, 3) if n != 12], one_in=4))
def test_in_a_kirkman_movement_everyone_meets_everyone_once(players: int) -> None:
    """Of an even number, everyone but one."""
    movement = family_movement("kirkman", Plan(players, 3, 1))
    assert (movement.tables, movement.rounds) == (players // 3, (players - 1) // 2)
    found = meetings(movement)
    assert set(found.values()) == {1}
    assert len(found) == players * (players - 1) // 2 - (0 if players % 2 else players // 2)
    assert set(boards_played(movement).values()) == {movement.boards}


def test_all_tables_play_the_boards_of_the_round() -> None:
    movement = family_movement("kirkman", Plan(15, 3, 3))
    assert (movement.boards, len(movement.sittings)) == (21, 105)
    for sitting in movement.sittings:
        assert (sitting.board - 1) // 3 + 1 == sitting.round


@pytest.mark.parametrize("pairs", some(range(4, MOST + 1, 2), one_in=4))
def test_in_a_howell_everyone_meets_everyone_and_plays_every_board(pairs: int) -> None:
    movement = family_movement("howell", Plan(pairs, 2, 1))
    assert len(meetings(movement)) == pairs * (pairs - 1) // 2
    assert set(boards_played(movement).values()) == {movement.boards} == {pairs - 1}
    assert movement.copies == {4: 2, 6: 3}.get(pairs, 1)
    assert family_movement("howell", Plan(pairs, 2, 2)).copies == {4: 1, 6: 2}.get(pairs, 1)


@pytest.mark.parametrize(
    ("family", "plan", "copies", "is_single"),
    [
        ("howell", Plan(6, 2, 1), 3, False),  # all three tables play the board of the round
        ("howell", Plan(6, 2, 2), 2, False),
        ("howell", Plan(8, 2, 2), 1, True),
        ("annealed", Plan(6, 3, 2, 4), 2, True),  # two tables begin with different boards, and pass them on
        ("annealed", Plan(6, 3, 1, 4), 2, False),
        ("annealed", Plan(12, 3, 2, 4), 4, False),
        ("rotated-rainbow", Plan(12, 3, 2), 1, True),
        ("relay-mitchell", Plan(8, 2, 1), 2, False),
        ("relay-mitchell", Plan(8, 2, 3), 1, True),
    ],
)
def test_tables_can_shuffle_what_is_at_one_table_at_a_time(
    family: str, plan: Plan, copies: int, is_single: bool
) -> None:
    movement = family_movement(family, plan)
    assert (movement.copies, movement.is_single) == (copies, is_single)
    if is_single:
        first = first_tables(movement.places)
        assert first.keys() == {sitting.board for sitting in movement.sittings}
        opening = [place for place in movement.places if place[0] == 1]
        held = Counter(first[board] for _round, _table, board in set(opening))
        assert {table for _round, table, _board in opening} == held.keys(), "each table has one to begin with"


def test_where_tables_shuffle_only_movements_of_single_boards_would_do() -> None:
    found = candidates(contestants=12, seats=[3], boards=12, single=True)
    assert {one.movement.is_single for one in found} == {True}
    with pytest.raises(BadMovement, match="in which every board is at one table at a time"):
        candidates(contestants=13, seats=[3], boards=24, single=True)


@pytest.mark.parametrize("order", [n for n in range(7, MOST, 2) if n != 9])
def test_a_strong_starter_is_one(order: int) -> None:
    pairs = strong_starter(order)
    assert sorted(x for pair in pairs for x in pair) == list(range(1, order))
    assert len({min((x - y) % order, (y - x) % order) for x, y in pairs}) == len(pairs)
    sums = {(x + y) % order for x, y in pairs}
    assert len(sums) == len(pairs)
    assert 0 not in sums


@pytest.mark.parametrize(("seats", "tables"), [(2, 9), (3, 8), (4, 5), (5, 7), (6, 9), (7, 11)])
def test_in_a_rainbow_single_copies_travel_and_lines_meet_once(seats: int, tables: int) -> None:
    movement = family_movement("rainbow", Plan(seats * tables, seats, 1))
    assert (movement.rounds, movement.copies) == (tables, 1)
    lines = [set(range(line * tables + 1, (line + 1) * tables + 1)) for line in range(seats)]
    assert len(meetings(movement)) == tables * tables * seats * (seats - 1) // 2
    for sitting in movement.sittings:
        assert all(contestant in line for contestant, line in zip(sitting.contestants, lines, strict=True))
    assert set(boards_played(movement).values()) == {tables}


@pytest.mark.parametrize("side", [2, 3, 4, 5, 7])
def test_in_a_plane_everyone_meets_everyone_once(side: int) -> None:
    movement = family_movement("plane", Plan(side * side, side, 1))
    assert movement.rounds == side + 1
    found = meetings(movement)
    assert set(found.values()) == {1}
    assert len(found) == side * side * (side * side - 1) // 2


def test_what_a_family_has_is_known_without_making_its_fields() -> None:
    field_of.cache_clear()
    for contestants in (999, 1000):
        for family in FAMILIES:
            possible_rounds(family, contestants, 4)
    assert field_of.cache_info().currsize == 0
    assert [n for n in range(2, 100) if prime_power(n)] == [n for n in range(2, 100) if field_of(n)]


def test_there_is_a_whist_tournament_for_every_4n_and_one_more() -> None:
    assert whist_sizes(61) == [n for n in range(4, 62) if n % 4 < 2]


@pytest.mark.parametrize("contestants", [16, 21, 28])
def test_the_search_finds_the_first_round_again(contestants: int) -> None:
    assert [list(table) for table in searches.whist(contestants) or ()] == FIRST_ROUNDS[contestants]


@pytest.mark.parametrize("contestants", whist_sizes(61))
def test_in_a_whist_tournament_everyone_is_partner_once_and_opponent_twice(contestants: int) -> None:
    movement = family_movement("whist", Plan(contestants, 4, 1))
    partners: Counter[tuple[int, ...]] = Counter()
    opponents: Counter[tuple[int, ...]] = Counter()
    for s in movement.sittings:
        a, b, c, d = s.contestants
        partners.update(tuple(sorted(pair)) for pair in ((a, c), (b, d)))
        opponents.update(tuple(sorted(pair)) for pair in ((a, b), (b, c), (c, d), (d, a)))
    pairs = contestants * (contestants - 1) // 2
    assert (len(partners), set(partners.values())) == (pairs, {1})
    assert (len(opponents), set(opponents.values())) == (pairs, {2})
    sat_out = movement.rounds - Counter(c for s in movement.sittings for c in s.contestants)[1]
    assert sat_out == contestants % 4


@pytest.mark.parametrize("teams", range(2, 21))
def test_in_a_round_robin_of_teams_every_match_is_played_at_two_tables(teams: int) -> None:
    movement = family_movement("team-round-robin", Plan(2 * teams, 2, 2))
    matches: dict[tuple[int, frozenset[int]], list[tuple[int, int]]] = defaultdict(list)
    for s in movement.sittings:
        first, second = s.contestants
        assert (first % 2, second % 2) == (1, 0)
        matches[s.board, frozenset({(first + 1) // 2, second // 2})].append((first, second))
    met = Counter(tuple(sorted(match)) for board, match in matches if board % 2)
    assert met == dict.fromkeys(combinations(range(1, teams + 1), 2), 1)
    for played in matches.values():
        (a, b), (c, d) = played  # both pairs of both teams, on the same board
        assert {a, b, c, d} == {a, a + 1, c, c + 1}


def test_in_a_triplicate_three_teams_meet_on_three_sets_of_boards() -> None:
    movement = family_movement("triplicate", Plan(6, 2, 3))
    proved(movement, 2, 6, 1)
    matches = defaultdict(set)
    for s in movement.sittings:
        matches[(s.board - 1) // 3].add(frozenset((c + 1) // 2 for c in s.contestants))
    assert sorted(map(sorted, (team for held in matches.values() for team in held))) == [
        [1, 2],
        [1, 3],
        [2, 3],
    ]
    assert set(boards_played(movement).values()) == {6}


@pytest.mark.parametrize("count", range(2, 40))
def test_a_knock_out_leads_to_the_two_best_if_the_better_always_wins(count: int) -> None:
    matches = knock_out(range(1, count + 1))
    rounds = 0
    while True:
        rounds += 1
        if len(matches) == 1:
            assert matches == [(1, 2)]
            break
        assert all(other is None or one < other for one, other in matches)
        matches = next_round(matches, [one for one, _ in matches])
    assert 2 ** (rounds - 1) < count <= 2**rounds


# --- quality -----------------------------------------------------------------------------------------------


def slow_balance(movement: Movement, contestants: int) -> Fraction | None:
    """The measure as its definition says it, pair by pair and board by board."""
    total = squares = Fraction(0)
    count = 0
    for a, b in combinations(range(1, contestants + 1), 2):
        weight = Fraction(0)
        for board in {s.board for s in movement.sittings}:
            played = [s for s in movement.sittings if s.board == board]
            mine = next((s for s in played if a in s.contestants), None)
            theirs = next((s for s in played if b in s.contestants), None)
            if mine is None or theirs is None:
                continue
            seats = len(mine.contestants)
            if mine is theirs:
                weight += Fraction(len(played) - 1, seats - 1)
            elif mine.contestants.index(a) == theirs.contestants.index(b):
                weight += 1
            else:
                weight -= Fraction(1, seats - 1)
        total += weight
        squares += weight * weight
        count += 1
    return 100 * total * total / (count * squares) if squares else None


@pytest.mark.parametrize(("family", "plan"), [
    ("kirkman", Plan(9, 3, 3)),
    ("annealed", Plan(11, 3, 2, 4)),
    ("annealed", Plan(10, 4, 1, 3)),
    ("switched-mitchell", Plan(10, 2, 2)),
    ("howell", Plan(7, 2, 1)),
    ("rotated-rainbow", Plan(12, 3, 1, 3)),
])  # fmt: skip
def test_the_balance_is_what_its_definition_says(family: str, plan: Plan) -> None:
    movement = family_movement(family, plan)
    assert balance(movement, plan.contestants) == slow_balance(movement, plan.contestants)
    moved = with_seats(movement, steps=500)
    assert balance(moved, plan.contestants) == slow_balance(moved, plan.contestants)


@pytest.mark.parametrize(("tables", "published"), [(7, "90.46"), (9, "92.97"), (11, "88.64")])
def test_a_mitchell_with_one_switched_round(tables: int, published: str) -> None:
    movement = family_movement("switched-mitchell", Plan(2 * tables, 2, 2))
    found = balance(movement)
    assert found is not None
    assert f"{float(found):.2f}" == published


@pytest.mark.parametrize(("tables", "rounds"), [(5, 5), (6, 5), (8, 7), (8, 4), (9, 9), (9, 6), (12, 11)])
def test_no_other_one_or_two_rounds_are_better_switched(tables: int, rounds: int) -> None:
    movement = family_movement("switched-mitchell", Plan(2 * tables, 2, 1, rounds))
    best = balance(movement, 2 * tables)
    plain = family_movement("mitchell", Plan(2 * tables, 2, 1, rounds))
    assert best is not None
    for count in (0, 1, 2):
        for switched in combinations(range(1, rounds + 1), count):
            other = replace(
                plain,
                sittings=tuple(
                    replace(s, contestants=s.contestants[::-1]) if s.round in switched else s
                    for s in plain.sittings
                ),
            )
            assert (balance(other, 2 * tables) or 0) <= best


def test_the_howell_of_eight_is_balanced() -> None:
    assert balance(family_movement("howell", Plan(8, 2, 3))) == 100


@pytest.mark.parametrize(("players", "at_least"), [(9, 84), (15, 94), (21, 95)])
def test_annealed_seats_are_even_and_balanced(players: int, at_least: int) -> None:
    movement = with_seats(family_movement("kirkman", Plan(players, 3, 3)), seed=1, steps=200_000)
    measures = quality(movement)
    assert measures.seats == 0
    assert measures.balance is not None
    assert measures.balance >= at_least
    assert meetings(movement) == meetings(family_movement("kirkman", Plan(players, 3, 3)))


def test_the_same_seed_gives_the_same_seats_and_the_same_digest() -> None:
    movement = family_movement("kirkman", Plan(9, 3, 2))
    one, other = (with_seats(movement, seed=4, steps=3000) for _ in range(2))
    assert one == other
    assert one.digest == other.digest != movement.digest
    assert len(one.digest) == 64


def test_the_measures_of_a_movement_with_sit_outs() -> None:
    movement = family_movement("annealed", Plan(8, 3, 1, 4))
    measures = quality(movement, contestants=8)
    assert (measures.sit_outs.least, measures.sit_outs.most) == (1, 1)
    assert (measures.boards.least, measures.boards.most) == (3, 3)
    assert measures.meetings.most == max(meetings(movement).values())


def test_a_contestant_who_stays_away_leaves_a_table_unplayed() -> None:
    movement = family_movement("kirkman", Plan(9, 3, 1))
    left = without_one(movement, 5)
    assert len(movement.sittings) - len(left.sittings) == 4
    assert 5 not in boards_played(left)


# --- candidates --------------------------------------------------------------------------------------------


def test_candidates_come_best_first_with_progress() -> None:
    heard: list[float] = []
    found = candidates(contestants=60, seats=[3], boards=24, progress=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1
    assert {one.family for one in found} >= {"kirkman", "annealed"}
    for one in found:
        proved(one.movement, 3, 60, one.movement.copies)
        assert one.quality == quality(one.movement, contestants=60)
    assert abs(found[0].quality.boards.most - 24) <= 6


def test_a_wish_has_the_same_answer_on_a_busy_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def found() -> list[tuple[str, Movement]]:
        offered = candidates(contestants=8, seats=[2], boards=4, steps=60_000)
        return [(one.family, one.movement) for one in offered]

    quiet, hours = found(), iter(range(0, 10**9, 3600))
    for module in ("cooling", "seating"):
        monkeypatch.setattr(f"tournaments.movements.{module}.monotonic", lambda: float(next(hours)))
    assert found() == quiet


def test_where_what_comes_nearest_ends_too_late_the_nearest_that_does_not_is_offered_too() -> None:
    for boards, minutes, expected in ((24, 195, (8, 3)), (5, 35, (2, 2))):

        def in_time(rounds: int, a_round: int, minutes: int = minutes) -> bool:
            return rounds * a_round * 7 + (rounds - 1) * 2 <= minutes

        found = {
            (one.movement.rounds, len({s.board for s in one.movement.sittings if s.round == 1 == s.table}))
            for one in candidates(contestants=13, seats=[3], boards=boards, steps=60_000, in_time=in_time)
        }
        late = {one for one in found if not in_time(*one)}
        assert (found - late, bool(late)) == ({expected}, True)


def test_a_candidate_says_what_one_who_stays_away_costs() -> None:
    (best, *_) = candidates(contestants=9, seats=[3], boards=12, steps=120_000)
    slow = [slow_balance(without_one(best.movement, c), 9) for c in range(1, 10)]
    fewer = [one * 36 / 28 for one in slow if one is not None]  # pairs of nine, and of the eight who are left
    worst = best.without_one
    assert worst.balance == min(fewer)
    left = [boards_played(without_one(best.movement, c)) for c in range(1, 10)]
    assert worst.boards.least == min(min(played.values()) for played in left)
    assert worst.boards.most == max(max(played.values()) for played in left)
    assert all(len(played) == 8 for played in left)
    assert worst.sit_outs.most == best.quality.sit_outs.most + best.quality.meetings.most


def test_with_single_copies_only_travelling_boards_are_offered() -> None:
    found = candidates(contestants=21, seats=[3], boards=21, copies=1, steps=180_000)
    assert {one.family for one in found} == {"rainbow", "rotated-rainbow"}
    lines = candidates(contestants=21, seats=[3], boards=21, one_ranking=False, steps=180_000)
    assert {one.family for one in lines} == {"rainbow"}


@given(st.integers(2, 24), st.sampled_from([2, 3, 4]), st.integers(1, 40))
def test_candidates_of_any_wish_can_be_played(contestants: int, seats: int, boards: int) -> None:
    if contestants < seats:
        with pytest.raises(BadMovement, match="do not fill a table"):
            candidates(contestants=contestants, seats=[seats], boards=boards, steps=0)
        return
    for one in candidates(contestants=contestants, seats=[seats], boards=boards, steps=0):
        proved(one.movement, seats, contestants, one.movement.copies)


@given(
    st.integers(2, 40), st.lists(st.integers(2, 7), min_size=1, max_size=5, unique=True), st.integers(1, 40)
)
def test_where_the_usual_tables_are_not_filled_everybody_sits_at_others(
    contestants: int, seats: list[int], boards: int
) -> None:
    """At tables of one size or of two, with somebody to be compared with."""
    for division in divisions(contestants, seats):
        assert contestants % seats[0]
        assert sum(count for count, _ in division) == contestants
        assert len({size for _, size in division}) == len(division) <= 2
        for count, size in division:
            assert size in seats
            assert count % size == 0
            assert count >= 2 * size


def test_mixed_tables_are_sessions_of_their_own_beside_each_other() -> None:
    (best, *_) = candidates(contestants=14, seats=[3, 4, 5], boards=21, sit_outs=False, steps=180_000)
    assert [(one.contestants, one.seats) for one in (best, *best.beside)] == [(6, 3), (8, 4)]
    assert not best.one_ranking
    for one in (best, *best.beside):
        proved(one.movement, one.seats, one.contestants, one.movement.copies)
        assert one.quality.sit_outs.most == 0
        assert one.quality.balance is not None
    everything = candidates(contestants=14, seats=[3, 4, 5], boards=21, steps=60_000)
    assert [bool(one.beside) for one in everything][-1]
    assert everything[0].one_ranking
    assert not any(
        one.beside for one in candidates(contestants=14, seats=[3], boards=21, one_ranking=True, steps=60_000)
    )


def test_where_tables_of_another_size_are_filled_nobody_sits_out() -> None:
    found = candidates(contestants=8, seats=[3, 4, 5], boards=21, steps=180_000)
    at_fours = [one for one in found if one.seats == 4]
    assert {one.seats for one in found} == {3, 4}
    assert {(one.one_ranking, one.quality.sit_outs.most) for one in at_fours} == {(True, 0)}


@pytest.mark.parametrize(
    ("players", "rounds", "each"), some([(7, 7, 24), (8, 4, 21), (10, 10, 18), (13, 13, 24)], one_in=2)
)
def test_of_a_number_that_fills_no_tables_everybody_plays_and_rests_alike(
    players: int, rounds: int, each: int
) -> None:
    """In the evening that is offered first, with its price."""
    (best, *_) = candidates(contestants=players, seats=[3], boards=21, steps=300_000)
    measures = best.quality
    assert (best.movement.rounds, measures.boards.least, measures.boards.most) == (rounds, each, each)
    assert measures.sit_outs.least == measures.sit_outs.most == 1
    assert measures.repeats == sum(met - 1 for met in meetings(best.movement).values())
    longer = with_seats(best.movement, steps=100_000)
    assert quality(longer).seats == 0
    assert (balance(longer) or 0) > 85


def test_nobody_is_offered_many_more_boards_so_that_all_rest_alike() -> None:
    for one in candidates(contestants=59, seats=[3], boards=21, steps=30_000):
        assert one.quality.boards.most <= 24


@pytest.mark.parametrize(("players", "method"), [
    (3, "total-points"), (4, "total-points"), (5, "total-points"), (6, None), (7, None),
])  # fmt: skip
def test_where_no_board_has_two_tables_points_are_added_up_and_it_is_said_why(
    players: int, method: str | None
) -> None:
    for one in candidates(contestants=players, seats=[3], boards=12, steps=30_000):
        assert one.method == method
        assert (one.reason is None) == (method is None)
        assert (one.quality.balance is None) == (method == "total-points")
        if one.reason is not None:
            assert "no board is played at two tables" in one.reason.to("en")


# --- refusals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "plan", "said"),
    [
        ("kirkman", Plan(10, 3, 1), "multiples of 3 from 9 to 120, except 12"),
        ("kirkman", Plan(16, 4, 1), "is for tables of 3, not of 4"),
        ("kirkman", Plan(15, 3, 0), "one board or more"),
        ("kirkman", Plan(15, 3, 1, 8), "1 to 7 rounds, not 8"),
        ("kirkman", Plan(2, 3, 1), "2 contestants do not fill a table of 3"),
        ("waltz", Plan(15, 3, 1), "choose one of kirkman"),
        ("rainbow", Plan(18, 3, 1), "only for 12, 15, 21, 24"),
        ("mitchell", Plan(14, 2, 1, 9), "1 to 7 rounds, not 9"),
        ("relay-mitchell", Plan(14, 2, 1), "even number of tables, not 7"),
        ("howell", Plan(14, 2, 1, 5), "there can be 8, 9, 10, 11, 12, 13 rounds, not 5"),
        ("howell", Plan(2, 2, 1), "four contestants or more"),
        ("annealed", Plan(9, 3, 1, 0), "1 to 400 rounds, not 0"),
        ("team-round-robin", Plan(7, 2, 1), "an even number of pairs, 4 or more, not 7"),
        ("web-mitchell", Plan(14, 2, 1, 5), "even number of tables, not 7"),
        ("web-mitchell", Plan(32, 2, 1, 7), "there can be 9, 11, 13, 15 rounds, not 7"),
        ("web-mitchell", Plan(4, 2, 1), "four tables or more, not 2"),
        ("triplicate", Plan(6, 2, 1, 3), "there can be 2 rounds, not 3"),
        ("triplicate", Plan(8, 2, 1), "three teams, not 4"),
        ("plane", Plan(36, 6, 1), "no plane movement for 36 contestants at tables of 6"),
        ("plane", Plan(9, 3, 1, 5), "1 to 4 rounds, not 5"),
        ("whist", Plan(22, 4, 1), "only for 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29"),
        ("whist", Plan(64, 4, 1), "only for 4, 5, 8, 9"),
        ("whist", Plan(8, 4, 1, 8), "1 to 7 rounds, not 8"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_would_be_possible(
    family: str, plan: Plan, said: str
) -> None:
    with pytest.raises(BadMovement, match=said):
        family_movement(family, plan)


@pytest.mark.parametrize(("wish", "said"), [
    ({"contestants": 2, "seats": [3], "boards": 9}, "do not fill a table of 3"),
    ({"contestants": 9, "seats": [3], "boards": 0}, "at least one board"),
    ({"contestants": 9, "seats": [3], "boards": 12, "copies": 1}, "1 copies .* 3 are needed"),
    ({"contestants": 10, "seats": [3], "boards": 12, "sit_outs": False}, "10 contestants cannot all play"),
])  # fmt: skip
def test_a_wish_that_cannot_be_met_is_refused_with_what_could(wish: dict[str, Any], said: str) -> None:
    with pytest.raises(BadMovement, match=said):
        candidates(**wish, steps=60_000)


@pytest.mark.parametrize(
    ("sittings", "said"),
    [
        ([Sitting(1, 1, 1, (1, 2, 3)), Sitting(2, 2, 1, (1, 4, 5))], "meets board 1 twice"),
        ([Sitting(1, 1, 1, (1, 2, 3)), Sitting(1, 2, 2, (1, 4, 5))], "tables 1 and 2 in round 1"),
        ([Sitting(1, 1, 1, (1, 1, 3))], "meets board 1 twice"),
        ([Sitting(1, 1, 1, (1, 2, 3)), Sitting(2, 1, 1, (4, 5, 6))], "table 1 plays board 1 twice"),
        ([Sitting(1, 1, 1, (1, 2, 3)), Sitting(1, 2, 1, (4, 5, 6))], "needs 2 copies of a board, not 1"),
    ],
)
def test_the_check_finds_what_cannot_be_played(sittings: list[Sitting], said: str) -> None:
    with pytest.raises(BadMovement, match=said):
        check(Movement("x", tuple(sittings)), copies=1)


def test_copies_are_numbered_by_table_and_two_tables_that_pass_boards_share_one() -> None:
    places = [(number, table, board) for number, board in ((1, 1), (2, 2)) for table in (3, 1, 2)]
    found = copies_at(places, shared=False)
    assert found == {(number, table, board): table for number, table, board in places}, "none moves"
    apart = [(1, table, board) for table, board in ((1, 1), (2, 2), (3, 3))]
    assert copies_at(apart, shared=False) == {}
    two = [(1, table, board) for table in (1, 2) for board in (1, 2)]
    assert copies_at(two, shared=False) == {}, "they pass them to each other"
    four = [(1, table, board) for table in (1, 2, 3, 4) for board in (1, 2)]
    assert copies_at(four, shared=True) == {
        (1, table, board): (table + 1) // 2 for _round, table, board in four
    }
    for shared in (False, True):
        for own in (places, apart, four):
            most = max(copies_at(own, shared=shared).values(), default=1)
            assert most == copies_of(own, shared=shared), "as many as are told before"
