"""Phases: each part of a deal says, from one statement of its rule, what may be done and what follows.

A state is its seats, its cards and its phase. The phase holds no data: one object serves all deals, and what
is known lies in the state. A phase reads a token once, into whatever is handy (a card, an amount, a pair of
cards); its `rule` judges what was read, and what the rule lets pass it takes:

    token ──read──► what it means ──rule──► nothing against it ──take──► the state has changed
                          │                       │
                          └► no such action       └► the rule that it breaks
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Generic, TypeVar

from .contract import seat_and_token
from .phrases import Phrase
from .turns import IS_OVER, NO_SUCH_ACTION, NOT_YOUR_TURN, TurnState

S = TypeVar("S", bound="PhasedState")
A = TypeVar("A")


class Phase(ABC, Generic[S, A]):
    """A part of a deal in which the seat whose turn it is acts. `S` is the state, `A` what a token means."""

    name: ClassVar[str]

    @abstractmethod
    def offers(self, state: S) -> Iterator[str]:
        """The tokens that are legal now, in a fixed order."""

    @abstractmethod
    def read(self, state: S, token: str) -> A | None:
        """What a token means in this phase; None: there is no such action."""

    @abstractmethod
    def rule(self, state: S, action: A) -> Phrase | None:
        """The rule that the action breaks, in words; None if it breaks none."""

    @abstractmethod
    def take(self, state: S, action: A) -> None:
        """The action happens, which breaks no rule."""

    def written(self, action: A, token: str) -> str:
        """The token as a record keeps it, where an action can be said in several ways."""
        return token


class Answers(Phase[S, str]):
    """A phase of few words, each legal unless the rule forbids it."""

    words: ClassVar[tuple[str, ...]]

    def offers(self, state: S) -> Iterator[str]:
        return (word for word in self.words if self.rule(state, word) is None)

    def read(self, state: S, token: str) -> str | None:
        return token if token in self.words else None

    def rule(self, state: S, action: str) -> Phrase | None:
        return None


class Over(Answers["PhasedState"]):
    """The end: nobody acts."""

    name = "over"
    words = ()

    def take(self, state: "PhasedState", action: str) -> None:
        raise AssertionError("nothing is legal here")


OVER = Over()


class PhasedState(TurnState):
    """A deal in progress, in the phase `now`; `log` keeps the entries in the form in which they came."""

    __slots__ = ("log", "now")

    log: list[str]
    now: Phase[Any, Any]

    @property
    def entries(self) -> list[str]:
        return self.log

    @property
    def phase(self) -> str:
        return self.now.name

    @property
    def over(self) -> bool:
        return self.now is OVER

    def choices(self) -> Iterator[str]:
        return self.now.offers(self)

    def broken_rule(self, token: str) -> Phrase | None:
        action = self.now.read(self, token)
        return NO_SUCH_ACTION if action is None else self.now.rule(self, action)

    def apply(self, entry: str) -> None:
        now = self.now
        seat, token = seat_and_token(entry)
        if now is OVER:
            raise self.illegal(seat, token, IS_OVER)
        if seat is not None and seat != self.actor + 1:
            raise self.illegal(seat, token, NOT_YOUR_TURN)
        action = now.read(self, token)
        rule = NO_SUCH_ACTION if action is None else now.rule(self, action)
        if rule is not None:
            raise self.illegal(seat, token, rule)
        self.log.append(now.written(action, token))
        now.take(self, action)
