"""Mille: the match (section 6)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

BARREL, GOAL, FALL = 880, 1000, 760


@dataclass(frozen=True, slots=True)
class MatchAccount:
    """A player's account in a match; `barrel` counts the deals spent on it, None when off it."""

    score: int = 0
    bars: int = 0
    bomb_used: bool = False
    barrel: int | None = None


def after(
    account: MatchAccount, gain: int, bar: int, limit: int, *, counts: bool
) -> tuple[MatchAccount, list[str]]:
    """The account after a deal, and what happened to it; `counts`: whether the deal moves the barrel."""
    events = []
    score, bars, barrel = account.score + gain, account.bars + bar, account.barrel
    if bars == 3:
        score, bars = score - 120, 0
        events.append("three_bars")
    if not BARREL <= score < GOAL:
        return replace(account, score=score, bars=bars, barrel=None), events
    score = BARREL
    if barrel is None:
        barrel = 0
        events.append("barrel_up")
    elif counts:
        barrel += 1
        if barrel == limit:
            score, barrel = FALL, None
            events.append("barrel_fall")
    return replace(account, score=score, bars=bars, barrel=barrel), events


def winners_of(accounts: Sequence[MatchAccount], declarer: int) -> list[int]:
    """The seats that have won, from 1: the most points; of equals the taker, or all of them."""
    best = max(account.score for account in accounts)
    if best < GOAL:
        return []
    seats = [seat for seat, account in enumerate(accounts, 1) if account.score == best]
    return [declarer + 1] if declarer + 1 in seats else seats
