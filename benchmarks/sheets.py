"""How long reading and scoring a result sheet takes: of every game, the sheets that boards of robots come to,
with the deals that they belong to, as judging reads them, and without. What is reported is the processor's
time.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from engines import bots, registry
from engines.contract import Game

BOARDS, SECONDS = 60, 20.0
SEED = bytes(range(32))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sheets", description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="the time for all games together")
    parser.add_argument("--game", action="append", default=[], help="this one alone")
    wanted = parser.parse_args(arguments)
    games = {name: game for name, game in registry.games().items() if not wanted.game or name in wanted.game}
    print(f"{'a result sheet, read and scored':<34}{'µs':>8}{'without its deal':>18}")
    for name, game in games.items():
        scenes = [scored(game, number) for number in range(1, BOARDS + 1)]
        share = wanted.seconds / len(games) / 2
        with_deal, without = (quickest([scene[kind] for scene in scenes], share) for kind in (0, 1))
        print(f"{name:<34}{with_deal:>8.1f}{without:>18.1f}", flush=True)


def scored(game: Game[Any], number: int) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Scores the sheet of one board, played by chance: with its deal, and without."""
    seats = game.seats[number % len(game.seats)]
    conditions = {"seats": seats} if len(game.seats) > 1 else {}
    options = registry.options_of(game, {})
    deal = registry.deal_board(game, SEED, number, options, conditions)
    state = game.start(deal, options)
    bots.play_on(game, state, [bots.at_random] * seats, random.Random(number))
    sheet = game.summarise(state)
    return (
        lambda: game.score(sheet, deal=deal, options=options, conditions=conditions),
        lambda: game.score(sheet, options=options, conditions=conditions),
    )


def quickest(scores: list[Callable[[], Any]], seconds: float) -> float:
    """The microseconds of one, in the quickest round: whatever else the machine does only ever adds."""
    began, rounds = time.monotonic(), []
    while len(rounds) < 3 or time.monotonic() - began < seconds:
        start = time.process_time()
        for score in scores:
            score()
        rounds.append(time.process_time() - start)
    return min(rounds) / len(scores) * 1e6


if __name__ == "__main__":
    sys.exit(main())
