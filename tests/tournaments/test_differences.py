"""Differences of large lists: most contestants move, and few of them are shown."""

from random import Random
from typing import Any

import pytest

from scoring.amounts import BOARDS, LOW, Totals
from scoring.totals import Total
from tournaments.api.serializers.differences import (
    SHOWN,
    StandingSerializer,
    moves_between_versions,
    moves_data,
)
from tournaments.services import differences, versions
from tournaments.services.names import Named

FIELD = 3_000


def a_list(won: dict[int, int], scale: int = 1) -> versions.Order:
    """Contestants of two line groups, by what they have won of 72 on four boards."""
    totals = Totals({k: (one * scale << LOW) + (72 << BOARDS) + 4 for k, one in won.items()}, scale)
    return versions.in_groups(totals, {k: 1 + k % 2 for k in won})


@pytest.mark.parametrize("scale", [1, 7])
def test_exact_totals_are_made_for_those_alone_who_are_shown(
    scale: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(1)
    before = a_list({k: random.randrange(72) for k in range(FIELD)})
    after = a_list({k: random.randrange(72) for k in range(FIELD)}, scale)
    made: list[int] = []
    read = Totals.__getitem__

    def counted(self: Totals[int], contestant: int) -> Total:
        made.append(contestant)
        return read(self, contestant)

    monkeypatch.setattr(Totals, "__getitem__", counted)
    found = differences.moves(before, after)
    assert len(found) > SHOWN
    assert made == []
    shown = found[:SHOWN]
    assert len(made) == SHOWN + min(found.own_count, SHOWN)
    assert [one.contestant for one in shown] == list(found.contestants[:SHOWN])


def test_whose_own_total_changes_comes_before_those_who_are_only_passed() -> None:
    before = a_list({2: 40, 4: 30, 6: 20, 8: 10, 1: 5})
    after = a_list({2: 40, 4: 30, 6: 36, 8: 10, 1: 5}, scale=3)
    found = differences.moves(before, after)
    assert [(one.contestant, one.before.rank, one.after.rank) for one in found] == [(6, 3, 2), (4, 2, 3)]
    assert found.own_count == 1
    gone = differences.moves(before, a_list({2: 40, 4: 30, 8: 10, 1: 5}))
    assert [(one.contestant, one.before.rank, one.after.rank) for one in gone] == [(6, 3, None), (8, 4, 3)]


def test_whoever_shares_the_first_place_is_told_with_those_who_move_to_it() -> None:
    before = a_list({2: 40, 4: 30, 6: 20})
    shared = differences.moves(before, a_list({2: 40, 4: 40, 6: 20}))
    assert (shared.sharing_first([4]), shared.sharing_first([2, 4]), shared.sharing_first([6])) == (
        [2],
        [],
        [],
    )
    alone = differences.moves(before, a_list({2: 40, 4: 50, 6: 20}))
    assert alone.sharing_first([4]) == []


def test_what_is_written_by_hand_is_what_the_description_promises() -> None:
    found = differences.moves(a_list({2: 40, 4: 30}), a_list({2: 40, 4: 50}, scale=3))
    named: dict[int, Any] = {k: Named(k, k, str(k)) for k in (2, 4)}
    for one, data in zip(found, moves_data(found, named), strict=True):
        assert data["before"] == StandingSerializer(one.before).data
        assert data["after"] == StandingSerializer(one.after).data


def test_a_difference_that_is_asked_for_again_is_not_made_again_but_shown_with_the_names_of_today() -> None:
    found = differences.moves(a_list({2: 40, 4: 30}), a_list({2: 40, 4: 50}))
    first, second = (
        moves_between_versions(found, {k: Named(k, k, f"{name} {k}") for k in (2, 4)}) for name in ("A", "B")
    )
    assert [one["contestant"] for one in (*first, *second)] == ["A 4", "A 2", "B 4", "B 2"]
    assert [one["before"] is other["before"] for one, other in zip(first, second, strict=True)] == [True] * 2
    assert first == moves_data(found, {k: Named(k, k, f"A {k}") for k in (2, 4)})
