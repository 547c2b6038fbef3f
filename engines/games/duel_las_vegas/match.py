"""Duel à Las Vegas: the match (section 6)."""

from typing import Any

from ... import sheets
from ...contract import Setting
from ...matches import Match, Row
from ...phrases import Phrase
from .cards import SEATS
from .marks import winner_of
from .sheet import FORM

NO_DEALER = Phrase("nobody deals")


class DuelMatch(Match):
    """The games won; a match has an end only with a target, a number."""

    def __init__(self, target: Setting) -> None:
        self.target, self.totals = target, [0] * SEATS

    def step(self, entry: Any) -> Row:
        details = sheets.match_entry(entry, SEATS, None, NO_DEALER)
        row: Row = {"board": details.pop("board")} if "board" in details else {}
        wins = sheets.check(FORM, details, seats=SEATS)["mains"]
        won = winner_of(wins)
        if won is not None:
            self.totals[won] += 1
            if self.totals[won] == self.target:
                self.winner = won + 1
        return row | {"wins": list(wins), "winner": None if won is None else won + 1}

    def account(self) -> Row:
        return {"totals": self.totals}
