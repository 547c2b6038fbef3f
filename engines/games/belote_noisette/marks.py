"""Belote Noisette: the marks (section 5)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...contract import Fact, Outcome
from .cards import BELOTE_POINTS, SEATS, TOTAL

STAKE = {"1": 1, "2": 2, "forced": 0}


@dataclass(frozen=True, slots=True)
class Ending:
    """`points` by seat, last trick and belote included; `stage` as sheets write it; seats are indices."""

    declarer: int
    stage: str
    belote: int | None
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shares:
    """What each seat pays or takes: the taker's stake, and the shares of the pot; `left` stays in the pot."""

    end: str  # over-half, ahead, beaten
    stake: int
    taken: tuple[int, ...]
    left: int


def shares(result: Ending, nuts: Sequence[int], pot: int) -> Shares:
    """The pot after the antes and the stake, and who takes what of it."""
    declarer, points = result.declarer, result.points
    others = [seat for seat in range(SEATS) if seat != declarer]
    stake = min(STAKE[result.stage], nuts[declarer] - 1)
    held = pot + SEATS + stake
    small = held < 4
    taken = [0] * SEATS
    total = TOTAL + (BELOTE_POINTS if result.belote is not None else 0)
    if points[declarer] * 2 > total:
        end = "over-half"
        taken[declarer] = held
    elif all(points[declarer] > points[seat] for seat in others):
        end = "ahead"
        taken[declarer] = 2 if small else 3
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
    facts = [Fact("points", seat, 0, count) for seat, count in enumerate(result.points, 1)]
    if result.belote is not None:
        facts.append(Fact("belote", result.belote + 1, 0, BELOTE_POINTS))
    facts += [Fact("ante", seat, -1) for seat in (1, 2, 3)]
    if moved.stake:
        facts.append(Fact("stake", result.declarer + 1, -moved.stake, result.stage))
    facts.append(Fact(moved.end, result.declarer + 1, moved.taken[result.declarer]))
    facts += [
        Fact("share", seat + 1, won)
        for seat, won in enumerate(moved.taken)
        if won and seat != result.declarer
    ]
    return Outcome.of(facts, SEATS)
