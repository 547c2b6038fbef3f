"""Phases: each part of a deal says, from one statement of its rule, what may be done and what follows.

A state is its seats, its cards and its phase. The phase holds no data: one object serves all deals, and what
is known lies in the state. A phase reads a token once, into whatever is handy (a card, an amount, a pair of
cards); its `rule` judges what was read, and what the rule lets pass it takes:

    token ──read──► what it means ──rule──► nothing against it ──take──► the state has changed
                          │                       │
                          └► no such action       └► the rule that it breaks
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from .cards import chosen
from .contract import seat_and_token
from .phrases import Phrase
from .turns import IS_OVER, NO_SUCH_ACTION, NOT_YOUR_TURN, TurnState
from .views import Pile

S = TypeVar("S", bound="PhasedState")
A = TypeVar("A")


class Phase(ABC, Generic[S, A]):
    """A part of a deal in which the seat whose turn it is acts. `S` is the state, `A` what a token means."""

    name: ClassVar[str]
    calls: ClassVar["Calls[Any, Any] | None"] = None  # what runs beside it

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

    def draw(self, state: S, random: Random) -> str:
        """One of the tokens that are legal now, by chance; each can be drawn."""
        return chosen(list(self.offers(state)), random)


class Words(Phase[S, A]):
    """A phase of few tokens, each with its meaning (`words`), and legal unless the rule forbids it."""

    words: ClassVar[Mapping[str, Any]]

    def offers(self, state: S) -> Iterator[str]:
        return (token for token, action in self.words.items() if self.rule(state, action) is None)

    def read(self, state: S, token: str) -> A | None:
        return self.words.get(token)

    def rule(self, state: S, action: A) -> Phrase | None:
        return None


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


class Calls(ABC, Generic[S, A]):
    """What seats may say at their turn or not: it runs beside a phase, and has its methods, for every seat
    (indices). No call is an action of the phase."""

    @abstractmethod
    def callers(self, state: S) -> int:
        """The seats with something to say, as bits."""

    @abstractmethod
    def offers(self, state: S, seat: int) -> Iterator[str]: ...

    @abstractmethod
    def read(self, state: S, token: str) -> A | None:
        """What a token means; None: it is not a call."""

    @abstractmethod
    def rule(self, state: S, seat: int, action: A) -> Phrase | None: ...

    @abstractmethod
    def take(self, state: S, seat: int, action: A) -> None: ...

    def draw(self, state: S, seat: int, random: Random) -> str:
        """One of the calls of a seat that has some, by chance; each can be drawn."""
        return random.choice(list(self.offers(state, seat)))


SEATS_OF = tuple(tuple(seat + 1 for seat in range(7) if seats >> seat & 1) for seats in range(1 << 7))
"""By seats as bits: their numbers from 1, in order."""


class PhasedState(TurnState):
    """A deal in progress, in the phase `now`; `log` keeps the entries in the form in which they came."""

    __slots__ = ("log", "now")

    log: list[str]
    now: Phase[Any, Any]

    def common(self, seat: int | None, dealer: int | None, *piles: Pile) -> dict[str, Any]:
        """The fields that the views of all games have, as a seat sees them."""
        actors = self.actors()
        return {"seat": seat, "phase": self.phase, "actors": actors, "dealer": dealer, "piles": piles}

    @property
    def entries(self) -> list[str]:
        return self.log

    @property
    def phase(self) -> str:
        return self.now.name

    @property
    def over(self) -> bool:
        return self.now is OVER

    def actors(self) -> tuple[int, ...]:
        return () if self.now is OVER else (self.actor + 1,)

    def choices(self) -> Iterator[str]:
        return self.now.offers(self)

    def any_legal(self, seat: int, random: Random) -> str:
        return self.now.draw(self, random) if seat == self.actor + 1 else super().any_legal(seat, random)

    def broken_rule(self, token: str) -> Phrase | None:
        action = self.now.read(self, token)
        return NO_SUCH_ACTION if action is None else self.now.rule(self, action)

    def apply(self, entry: str) -> None:
        if " " not in entry:
            now = self.now
            action = now.read(self, entry)
            if action is not None and now.rule(self, action) is None:
                self.log.append(now.written(action, entry))
                now.take(self, action)
                return
        self.act(*seat_and_token(entry))

    def act(self, seat: int | None, token: str, prefix: str = "") -> None:
        """What `apply` does with an entry in two parts; `prefix`: how the log's entry begins."""
        now = self.now
        if now is OVER:
            raise self.illegal(seat, token, IS_OVER)
        if seat is not None and seat != self.actor + 1:
            raise self.illegal(seat, token, NOT_YOUR_TURN)
        action = now.read(self, token)
        rule = NO_SUCH_ACTION if action is None else now.rule(self, action)
        if rule is not None:
            raise self.illegal(seat, token, rule)
        self.log.append(prefix + now.written(action, token))
        now.take(self, action)


class CallingState(PhasedState):
    """One in which other seats may make calls beside a phase. Where several seats may act, an entry has its
    seat. `interrupted`: the phase, and whose turn it was, while a call is being talked about."""

    __slots__ = ("interrupted",)

    interrupted: tuple[Phase[Any, Any], int] | None
    calling: ClassVar[float]  # how often chance lets a seat call at its turn

    def actors(self) -> tuple[int, ...]:
        calls = self.now.calls
        return super().actors() if calls is None else SEATS_OF[calls.callers(self) | 1 << self.actor]

    def any_legal(self, seat: int, random: Random) -> str:
        calls = self.now.calls
        if calls is None or not calls.callers(self) >> seat - 1 & 1:
            return PhasedState.any_legal(self, seat, random)
        if seat == self.actor + 1 and random.random() >= self.calling:
            return self.now.draw(self, random)
        return calls.draw(self, seat - 1, random)

    def legal(self, seat: int) -> Iterator[str]:
        if self.now.calls is not None and seat > 0:
            yield from self.now.calls.offers(self, seat - 1)
        yield from super().legal(seat)

    def rule_against(self, seat: int | None, token: str) -> Phrase | None:
        calls = self.now.calls
        if calls is not None:
            call = calls.read(self, token)
            if call is not None:
                return calls.rule(self, self.actor if seat is None else seat - 1, call)
        return super().rule_against(seat, token)

    def apply(self, entry: str) -> None:
        now, calls = self.now, self.now.calls
        if calls is None:
            PhasedState.apply(self, entry)
            return
        seat, token = seat_and_token(entry)
        who = self.actor if seat is None else seat - 1
        several = calls.callers(self) & ~(1 << self.actor)
        prefix = f"{who + 1} " if several else ""
        action = now.read(self, token) if who == self.actor else None
        if action is not None and now.rule(self, action) is None:
            self.log.append(prefix + now.written(action, token))
            now.take(self, action)
            return
        call = calls.read(self, token)
        if call is None:
            self.act(seat, token, prefix)
            return
        rule = calls.rule(self, who, call)
        if rule is not None:
            raise self.illegal(seat, token, rule)
        self.log.append(prefix + token)
        calls.take(self, who, call)
