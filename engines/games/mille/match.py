"""Mille: the match (section 6)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ... import sheets
from ...matches import Match, Row
from .cards import SEATS
from .marks import Ending, deal_points
from .sheet import FORM, result_of

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


class MilleMatch(Match):
    """To a thousand points; `limit`: how many deals a player may spend on the barrel."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.accounts = [MatchAccount()] * SEATS
        self.winners: list[int] = []

    @property
    def over(self) -> bool:
        return bool(self.winners)

    def step(self, entry: Any) -> Row:
        accounts, dealer = self.accounts, self.count % SEATS + 1
        bombs = [seat for seat, account in enumerate(accounts, 1) if not account.bomb_used]
        result = result_of(sheets.check(FORM, entry, seats=SEATS, known={"dealer": dealer, "bombs": bombs}))
        gains, events = self.gains(result), []
        if result.end == "bomb":
            events.append({"event": "bomb", "seat": result.taker + 1})
            accounts[result.taker] = replace(accounts[result.taker], bomb_used=True)
        counts = not result.is_annulled
        for seat, (gain, bar) in enumerate(zip(gains, result.bars(), strict=True)):
            accounts[seat], happened = after(accounts[seat], gain, bar, self.limit, counts=counts)
            events += [{"event": event, "seat": seat + 1} for event in happened]
        self.winners = winners_of(accounts, result.taker)
        if len(self.winners) == 1:
            self.winner = self.winners[0]
        return {"dealer": dealer, "gains": gains, "events": events} | self.standing()

    def gains(self, result: Ending) -> list[int]:
        """The deal points, without those made in defence on the barrel."""
        return [
            min(points, 0) if seat != result.taker and self.accounts[seat].barrel is not None else points
            for seat, points in enumerate(deal_points(result))
        ]

    def standing(self) -> Row:
        return {
            "scores": [account.score for account in self.accounts],
            "bars": [account.bars for account in self.accounts],
            "barrel": [account.barrel for account in self.accounts],
        }

    def account(self) -> Row:
        return {"winners": self.winners} | self.standing()
