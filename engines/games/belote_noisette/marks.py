"""Belote Noisette: the marks (section 5)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...contract import Fact, Outcome
from ...endings import OneAgainstAll, facts
from .cards import BELOTE_POINTS, SEATS, TOTAL

STAKE = {"1": 1, "2": 2, "forced": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending(OneAgainstAll):
    """`points` by seat, last trick and belote included; `stage`: the round in which was taken."""

    taker: int
    stage: str
    belote: int | None = None
    points: tuple[int, ...]
    trump: str | None = None


@dataclass(frozen=True, slots=True)
class Shares:
    """What each seat pays or takes: the taker's stake, and the shares of the pot; `left` stays in the pot."""

    end: str  # over-half, ahead, beaten
    stake: int
    taken: tuple[int, ...]
    left: int


def shares(result: Ending, nuts: Sequence[int], pot: int) -> Shares:
    """The pot after the antes and the stake, and who takes what of it."""
    taker, others, points = result.taker, result.opponents, result.points
    stake = min(STAKE[result.stage], nuts[taker] - 1)
    held = pot + SEATS + stake
    small = held < 4
    taken = [0] * SEATS
    total = TOTAL + (BELOTE_POINTS if result.belote is not None else 0)
    if points[taker] * 2 > total:
        end = "over-half"
        taken[taker] = held
    elif all(points[taker] > points[seat] for seat in others):
        end = "ahead"
        taken[taker] = 2 if small else 3
        first, second = sorted(others, key=lambda seat: -points[seat])
        if points[first] > points[second]:
            taken[first] = 1
    else:
        end = "beaten"
        for seat in others:
            taken[seat] = 1 if small else 2
    return Shares(end, stake, tuple(taken), held - sum(taken))


def outcome_of(result: Ending, nuts: Sequence[int], pot: int) -> Outcome:
    moved = shares(result, nuts, pot)
    lines = [Fact("points", seat, 0, count) for seat, count in enumerate(result.points, 1)]
    if result.belote is not None:
        lines += facts("belote", (result.belote,), 0, BELOTE_POINTS)
    lines += facts("ante", range(SEATS), -1)
    if moved.stake:
        lines += facts("stake", (result.taker,), -moved.stake, result.stage)
    lines += facts(moved.end, (result.taker,), moved.taken[result.taker])
    lines += [Fact("share", seat + 1, moved.taken[seat]) for seat in result.opponents if moved.taken[seat]]
    return Outcome.of(lines, SEATS)
