"""A table where tests play: a game and a deal, asked what is legal and what is refused after some actions."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from engines import bots, records, registry
from engines.errors import IllegalAction


@dataclass(frozen=True)
class Table:
    game: str
    deal: dict[str, Any]

    def after(self, *actions: str, deal: dict[str, Any] | None = None, **options: Any) -> Any:
        """The state after some actions."""
        return records.replay(
            records.read(
                {"game": self.game, "options": options, "deal": deal or self.deal, "actions": list(actions)}
            )
        )

    def legal(self, *actions: str, **how: Any) -> list[str]:
        """What the one who is to act may do."""
        return legal(self.after(*actions, **how))

    def refused(self, *actions: str, **how: Any) -> str:
        """The rule that forbids the last action."""
        with pytest.raises(IllegalAction) as refusal:
            self.after(*actions, **how)
        assert refusal.value.position == len(actions) - 1
        return str(refusal.value.rule)


def legal(state: Any) -> list[str]:
    return list(state.legal(state.actors()[0]))


def mean_scores(game_id: str, boards: int, **conditions: Any) -> tuple[float, float]:
    """What one sensible robot among random ones makes a board, and what a random one makes."""
    game = registry.game(game_id)
    options = registry.options_of(game, {})
    totals = Counter[str]()
    seats = game.seat_count(conditions)
    for number in range(1, boards + 1):
        good = number % seats
        deal = registry.deal_board(game, bytes(32), number, options, conditions)
        state = game.start(deal, options)
        robots = [bots.sensible if seat == good else bots.at_random for seat in range(seats)]
        bots.play_on(game, state, robots, bots.randomness(number))
        for seat, score in enumerate(state.outcome().scores):
            totals["sensible" if seat == good else "random"] += score
    return totals["sensible"] / boards, totals["random"] / boards / (seats - 1)
