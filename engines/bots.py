"""Robots. A robot is shown the view of its seat and its legal actions, and nothing else."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import Any, overload

from .contract import Game, State
from .errors import BadRecord
from .phrases import Phrase
from .views import View


class Legal(Sequence[str]):
    """The legal actions of a seat, listed only if somebody looks at the list: it can be long."""

    def __init__(self, state: State, seat: int) -> None:
        self._state, self._seat = state, seat

    @cached_property
    def _listed(self) -> tuple[str, ...]:
        return tuple(self._state.legal(self._seat))

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...

    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        return self._listed[at]

    def __iter__(self) -> Iterator[str]:
        return self._state.legal(self._seat)

    def __len__(self) -> int:
        return len(self._listed)

    def any(self, random: Random) -> str:
        return self._state.any_legal(self._seat, random)


Bot = Callable[[Game[Any], View, Legal, Random], str]


def at_random(game: Game[Any], view: View, legal: Legal, random: Random) -> str:
    """Any legal action."""
    return legal.any(random)


def sensible(game: Game[Any], view: View, legal: Legal, random: Random) -> str:
    """What a player of some experience would do; the game's own module decides."""
    return game.suggest(view, legal, random)


BOTS: dict[str, Bot] = {"random": at_random, "sensible": sensible}


def bot(name: str) -> Bot:
    if name not in BOTS:
        known = ", ".join(BOTS)
        raise BadRecord(
            "bot",
            Phrase(
                "“{name}” is not a robot of this library; its robots are: {known}", name=name, known=known
            ),
        )
    return BOTS[name]


def randomness(*parts: object) -> Random:
    """A robot's own dice, the same whenever the parts are: robots need no secrets, only repeatability."""
    return Random(sha256(repr(parts).encode()).digest())  # noqa: S311


INTERRUPTS = 0.02  # how often a robot that plays anything speaks when it is another's turn


def play_on(game: Game[Any], state: State, bots: Sequence[Bot], random: Random) -> None:
    """Let robots, one per seat in seat order, play a deal to its end."""
    while seats := state.actors():
        turn = seat = seats[0]
        if len(seats) > 1:
            turn = seat = state.turn
            if random.random() < INTERRUPTS:
                seat = next((s for s in seats if s != turn and bots[s - 1] is at_random), turn)
        bot = bots[seat - 1]
        alone = bot is at_random  # one that looks at nothing need not be shown anything
        action = state.any_legal(seat, random) if alone else action_of(game, state, seat, bot, random)
        state.apply(action if seat == turn else f"{seat} {action}")


def action_of(game: Game[Any], state: State, seat: int, bot: Bot, random: Random) -> str:
    return bot(game, state.view(seat), Legal(state, seat), random)
