"""L'Hombre: the match (section 6)."""

from typing import Any

from ...contract import Settings
from ...matches import Match, Row, best_alone, plus
from ...ranks import shared_ranks
from .cards import POT, RIGHT_OF, SEATS
from .marks import payments
from .sheet import result_on

CAPITAL, PASSED = 160, 4  # half jetons: at first, and what a deal costs that is passed out


class HombreMatch(Match):
    """As many deals as the options say."""

    def __init__(self, options: Settings, dealer: int) -> None:
        self.options, self.deals, self.dealer = options, int(options["deals"]), dealer
        self.capital, self.pot, self.passes = [CAPITAL] * SEATS, 0, 0

    @property
    def over(self) -> bool:
        return self.count == self.deals

    def step(self, entry: Any) -> Row:
        result = result_on(entry, self.options)
        if not self.passes:
            self.fill(POT)
        played_for, last = self.pot, self.count + 1 == self.deals
        if result is None:
            self.passes += 1
            if not last:
                self.fill(PASSED * SEATS)
        else:
            self.passes = 0
            for _, moved in payments(result, self.pot):
                self.capital = plus(self.capital, moved)
            self.pot = {"remise": self.pot, "bete": 2 * self.pot}.get(result.end, 0)
        if last:
            self.capital = [left + self.pot // SEATS for left in self.capital]
            self.pot = 0
            self.winner = best_alone(self.capital)
        dealer, self.dealer = self.dealer, RIGHT_OF[self.dealer - 1] + 1
        return {"dealer": dealer, "played_for": played_for, "capital": self.capital, "pot": self.pot}

    def fill(self, amount: int) -> None:
        """All pay into the pot alike."""
        self.capital = [left - amount // SEATS for left in self.capital]
        self.pot += amount

    def account(self) -> Row:
        return {
            "capital": self.capital, "pot": self.pot, "passes": self.passes, "dealer": self.dealer,
            "deal_no": self.count, "ranks": shared_ranks(self.capital) if self.over else None,
        }  # fmt: skip
