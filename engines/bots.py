"""Robots. A robot is shown the view of its seat and its legal actions, and nothing else."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from random import Random
from typing import Any

from .contract import Game, State, View
from .errors import BadRecord
from .phrases import Phrase

Bot = Callable[[Game[Any], View, Sequence[str], Random], str]


def at_random(game: Game[Any], view: View, legal: Sequence[str], random: Random) -> str:
    """Any legal action, each equally likely."""
    return random.choice(legal)


def sensible(game: Game[Any], view: View, legal: Sequence[str], random: Random) -> str:
    """What a player of some experience would do, as the game's own module tells."""
    return game.suggest(view, legal, random)


BOTS: dict[str, Bot] = {"random": at_random, "sensible": sensible}


def bot(name: str) -> Bot:
    if name not in BOTS:
        known = ", ".join(BOTS)
        raise BadRecord(
            "bot", Phrase("“{name}” is no robot here; there are: {known}", name=name, known=known)
        )
    return BOTS[name]


def randomness(*parts: object) -> Random:
    """A robot's own dice, the same whenever the parts are: robots need no secrets, only repeatability."""
    return Random(sha256(repr(parts).encode()).digest())  # noqa: S311


def play_on(game: Game[Any], state: State, bots: Sequence[Bot], random: Random) -> None:
    """Let robots, one per seat in seat order, play a deal to its end."""
    while not state.over:
        seat = state.actors()[0]
        state.apply(f"{seat} {action_of(game, state, seat, bots[seat - 1], random)}")


def action_of(game: Game[Any], state: State, seat: int, bot: Bot, random: Random) -> str:
    return bot(game, state.view(seat), list(state.legal(seat)), random)
