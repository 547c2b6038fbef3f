"""Versions of a ranking: what changed, exactly. Each can be read again, and is a count from scratch."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import registry
from scoring.amounts import BOARDS, LOW, Totals
from scoring.entries import AVERAGE
from scoring.lines import awards
from scoring.ranking import Places
from scoring.totals import Sum, Total
from tournaments.models import Ranking, Result, Seating, Session, Tally
from tournaments.services import comparisons, counting, versions

from .worlds import World, a_world, awards_of, hand_in, plays_of, standings_of, work


def sheet(*tricks: int) -> dict[str, Any]:
    return {"sheet": {"outcome": "normal", "tricks": list(tricks)}}


def from_scratch(session: Session) -> dict[int, Fraction]:
    """What each contestant has won, by `scoring` alone from all results at once."""
    comparison = comparisons.comparison_of(session)
    sides = registry.game(session.game).sides_of(session.conditions)
    won: dict[int, Fraction] = {}
    boards = Result.objects.filter(session=session).values_list("play__board", flat=True).distinct()
    for board in boards:
        results = list(Result.objects.filter(session=session, play__board=board))
        for seat, *_others in sides:
            line = [AVERAGE if seat in r.averaged else r.scores[seat - 1] for r in results]
            for result, award in zip(
                results, awards(line, comparison, plays=session.plays_per_board), strict=True
            ):
                assert award is not None
                contestant = Seating.objects.get(play=result.play_id, seat=seat).contestant_id
                won[contestant] = won.get(contestant, Fraction(0)) + award.points
    return won


def points(version: int, session: Session) -> dict[int, Fraction]:
    content = versions.content_of(session.pk, version)
    return {k: Fraction(won.points, won.scale) for k, won in content.items() if won.boards}


@pytest.mark.django_db
@pytest.mark.parametrize("forgets", [False, True])
def test_every_version_is_what_a_count_from_scratch_gave_at_its_time(forgets: bool) -> None:
    """Results one by one, some corrected, on one worker that remembers and on many that do not."""
    world = a_world()
    random = Random(7)
    expected: list[dict[int, Fraction]] = []
    plays = plays_of(world.session)
    for play in [*random.sample(plays, 8), *random.sample(plays, 8)]:
        tricks = random.choice([(5, 3, 2), (3, 5, 2), (4, 4, 2), (2, 3, 5), (0, 1, 9)])
        hand_in(world, play, sheet(*tricks))
        if forgets:
            counting.memory.forget()
        before = world.refresh().version
        work(world.session)
        if world.refresh().version > before:
            expected.append(from_scratch(world.session))
    assert len(expected) == world.session.version > 8
    for version, won in enumerate(expected, 1):
        assert points(version, world.session) == won
    assert not all(Ranking.objects.values_list("is_snapshot", flat=True))


@pytest.mark.django_db
def test_a_worker_that_is_behind_reads_what_the_others_took_in() -> None:
    world = a_world()
    first, second, third, *_ = [p for p in plays_of(world.session) if p.board.number == 1]
    hand_in(world, first, sheet(5, 3, 2))
    work(world.session)
    mine = held(world)
    hand_in(world, second, sheet(3, 5, 2))
    work(world.session)  # by another
    counting.memory.keep(world.session.pk, mine)
    hand_in(world, third, sheet(4, 4, 2))
    work(world.session)
    assert points(world.refresh().version, world.session) == from_scratch(world.session)


def held(world: World) -> counting.SessionStandings:
    return counting.up_to_date(Tally.objects.select_related("session").get(session=world.session))[0]


@pytest.mark.django_db(transaction=True)
def test_what_a_failed_transaction_counted_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    world = a_world()
    play, other, *_ = [play for play in plays_of(world.session) if play.board.number == 1]
    hand_in(world, play, sheet(5, 3, 2))
    hand_in(world, other, sheet(4, 4, 2))
    work(world.session)
    before = counting.memory.get(world.session.pk)
    assert before is not None
    hand_in(world, play, sheet(3, 5, 2))

    def fails(*_: object) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(counting, "keep_lines", fails)
        with pytest.raises(RuntimeError):
            work(world.session)
    assert counting.memory.get(world.session.pk) is before
    assert world.refresh().version == 1
    assert awards_of(Result.objects.get(play=play)) is None
    work(world.session)
    assert world.refresh().version == 2
    assert points(2, world.session) == from_scratch(world.session)


@pytest.mark.django_db
def test_the_api_shows_the_newest_version_and_its_progress() -> None:
    world = a_world(published=True)
    hand_in(world, plays_of(world.session)[0], sheet(5, 3, 2))
    work(world.session)
    assert sum(bool(standing.progress) for standing in standings_of(world.session)) == 3
    answer = world.client("organiser").get(f"/api/v1/sessions/{world.session.pk}/ranking/").json()
    assert answer["version"] == 1
    assert [place["rank"] for place in answer["places"][:3]] == ["1=", "1=", "1="]


amounts = st.builds(
    lambda points, top, boards: (points << LOW) + (top << BOARDS) + boards,
    st.integers(-(10**30), 10**30), st.integers(0, 2**40 - 1), st.integers(1, 60_000),
)  # fmt: skip
some_totals = st.builds(
    Totals[int], st.dictionaries(st.integers(1, 9), amounts, max_size=9), st.integers(1, 10**12)
)
exact_totals = st.dictionaries(
    st.integers(1, 9), st.builds(Total, st.builds(Sum, st.fractions(), st.integers(0, 2**40 - 1), st.just(3)))
)
GROUPS = {k: k % 3 for k in range(1, 10)}


def exact(totals: Totals[int]) -> dict[int, tuple[Any, ...]]:
    return {k: (Fraction(points, over), top, boards) for k, points, over, top, boards in totals.exact()}


@given(some_totals, exact_totals)
def test_totals_survive_their_packing_exactly(totals: Totals[int], others: dict[int, Total]) -> None:
    for one in (totals, totals.with_totals({k: other for k, other in others.items() if k in totals})):
        again, groups, _disqualified = versions.totals_in([versions.to_bytes(one, GROUPS)])
        assert exact(again) == exact(one)
        assert groups == {k: GROUPS[k] for k in one}


@given(some_totals, some_totals)
def test_changes_are_what_leads_from_one_to_the_other(before: Totals[int], now: Totals[int]) -> None:
    changed = now.differing_from(before)
    parts = [versions.to_bytes(before, GROUPS), versions.to_bytes(now.of(changed), GROUPS)]
    after, _groups, _disqualified = versions.totals_in(parts)
    assert exact(after) == exact(before) | exact(now)
    assert all(exact(before).get(k) != exact(now)[k] for k in changed)


def test_a_page_of_several_groups_has_the_places_of_its_numbers_and_no_others() -> None:
    def group(*contestants: int) -> Places[int]:
        totals = dict.fromkeys(contestants, Total())
        return Places(totals, contestants, len(contestants), range(len(contestants)), {})

    order = versions.Order({1: group(5, 4, 3), 2: group(9, 8)})
    numbers = [(start, stop) for start in range(order.count) for stop in range(start, order.count + 1)]
    everybody = [(1, 5), (1, 4), (1, 3), (2, 9), (2, 8)]
    for start, stop in numbers:
        page = [(number, place.contestant) for number, place in order.places(range(start, stop))]
        assert page == everybody[start:stop]
