"""Frappe: a match ends at 61, neither before nor after (engines/rules/frappe.md, section 6)."""

from typing import Any

import pytest

from engines.errors import BadRecord, BadSheet
from engines.games.frappe import Frappe

GAME = Frappe()


def mark(seat: int, points: int) -> dict[str, Any]:
    return {"seat": seat, "kind": "frappe", "points": points}


@pytest.mark.parametrize(("points", "over"), [(59, False), (60, False), (61, True)])
def test_a_match_is_over_at_61_points_marked_in_the_play(points: int, over: bool) -> None:
    for seat in (1, 2):
        account = GAME.ledger([{"events": [mark(seat, points - 1), mark(seat, 1)]}])
        assert (account["over"], account["winner"]) == (over, seat if over else None)
        assert account["rows"][0]["ended_by"] == ("target" if over else "normal")
        assert account["totals"][seat - 1] == points


def test_a_mark_may_pass_61() -> None:
    account = GAME.ledger([{"events": [mark(1, 60), mark(1, 9)]}])
    assert (account["winner"], account["totals"]) == (1, [69, 0])


def test_what_is_marked_after_61_does_not_count() -> None:
    account = GAME.ledger([{"events": [mark(1, 61), mark(2, 61), mark(1, 9)]}])
    assert (account["winner"], account["totals"]) == (1, [61, 0])


def test_points_add_up_from_deal_to_deal_to_61() -> None:
    first = {"points": [60, 60], "cards": [26, 26]}
    account = GAME.ledger([first, {"events": [mark(2, 1), mark(1, 1)]}])
    assert (account["winner"], account["totals"]) == (2, [60, 61])
    assert GAME.ledger([first])["over"] is False


@pytest.mark.parametrize(("cards", "totals", "over"), [
    ([30, 22], [60, 52], False),  # 52 and 8 for the cards: one short
    ([31, 21], [62, 52], True),
])  # fmt: skip
def test_the_cards_count_towards_61(cards: list[int], totals: list[int], over: bool) -> None:
    account = GAME.ledger([{"points": [52, 52], "cards": cards}])
    assert (account["totals"], account["over"]) == (totals, over)
    assert account["rows"][0]["ended_by"] == ("target" if over else "normal")


@pytest.mark.parametrize("seat", [1, 2])
def test_the_cards_may_make_exactly_61(seat: int) -> None:
    points, cards = [51, 40], [31, 21]
    account = GAME.ledger([{"points": points[:: 3 - 2 * seat], "cards": cards[:: 3 - 2 * seat]}])
    assert (account["winner"], account["totals"][seat - 1]) == (seat, 61)


def test_a_deal_played_to_its_end_has_no_61_before_the_cards() -> None:
    assert GAME.ledger([{"points": [60, 0], "cards": [26, 26]}])["over"] is False
    with pytest.raises(BadSheet, match="61 was reached before the end"):
        GAME.ledger([{"points": [61, 0], "cards": [26, 26]}])


def test_a_deal_is_stopped_at_61_of_one_player() -> None:
    account = GAME.ledger([{"points": [61, 60], "ended_early": True}])
    assert (account["winner"], account["rows"][0]["ended_by"]) == (1, "target")
    for points in ([60, 60], [61, 61]):
        with pytest.raises(BadSheet, match="exactly one"):
            GAME.ledger([{"points": points, "ended_early": True}])


def test_a_penitence_among_events_ends_the_match_as_such() -> None:
    account = GAME.ledger([{"events": [mark(1, 60), {"seat": 2, "kind": "penitence", "points": 0}]}])
    assert (account["winner"], account["rows"][0]["ended_by"]) == (2, "penitence")


def test_nothing_follows_a_match_that_is_over() -> None:
    with pytest.raises(BadRecord, match="over after 1 deals"):
        GAME.ledger([{"events": [mark(1, 61)]}, {"points": [0, 0], "cards": [26, 26]}])
