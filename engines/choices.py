"""Phases with choices of one shape: several things named at once, a card given for another, an answer."""

from abc import abstractmethod
from collections.abc import Container, Iterator, Sequence
from itertools import combinations
from typing import ClassVar, TypeVar

from .phases import CallingState, Phase, PhasedState
from .phrases import Phrase
from .turns import NOT_HELD

S = TypeVar("S", bound=PhasedState)

TWICE = Phrase("names the same thing twice")


class Several(Phase[S, tuple[str, ...]]):
    """Any of some things, or nothing: `contracts:quasi,capot`. `between` stands between them; they are named
    in their order, or in `any_order`; `known`: the words there are, where they are fixed; `missing`: the rule
    against one that the actor has not."""

    verb: ClassVar[str]
    nothing: ClassVar[str]
    between: ClassVar[str] = ","
    any_order: ClassVar[bool] = True
    known: ClassVar[Container[str] | None] = None
    missing: ClassVar[Phrase]

    @abstractmethod
    def items(self, state: S) -> Sequence[str]:
        """What the actor may choose from, in order."""

    def offers(self, state: S) -> Iterator[str]:
        items = self.items(state)
        for count in range(len(items) + 1):
            for chosen in combinations(items, count):
                yield self.written(chosen, "")

    def read(self, state: S, token: str) -> tuple[str, ...] | None:
        if token == self.nothing:
            return ()
        verb, _colon, rest = token.partition(":")
        chosen = rest.split(self.between)
        if verb != self.verb or (self.known is not None and not all(one in self.known for one in chosen)):
            return None
        if not self.any_order or len(chosen) == 1:
            return tuple(chosen)
        order = {item: place for place, item in enumerate(self.items(state))}
        return tuple(sorted(chosen, key=lambda one: order.get(one, len(order))))

    def rule(self, state: S, action: tuple[str, ...]) -> Phrase | None:
        if not action:
            return None
        if len(set(action)) < len(action):
            return TWICE
        return None if action == tuple(one for one in self.items(state) if one in action) else self.missing

    def written(self, action: tuple[str, ...], token: str) -> str:
        return f"{self.verb}:{self.between.join(action)}" if action else self.nothing


class OneForOne(Phase[S, tuple[str, ...]]):
    """A card of the hand is given for one of those that lie face up, or nothing happens: `rob:7S>KS`.
    `wrong`: the rule against another card there; a game may allow fewer."""

    verb: ClassVar[str]
    nothing: ClassVar[str]
    pack: ClassVar[Container[str]]
    wrong: ClassVar[Phrase]

    @abstractmethod
    def hand(self, state: S) -> tuple[str, ...]: ...

    @abstractmethod
    def pile(self, state: S) -> tuple[str, ...]: ...

    def may(self, state: S, give: str, take: str) -> bool:
        """Whether a card of the hand may be given for one that lies there."""
        return True

    def offers(self, state: S) -> Iterator[str]:
        yield self.nothing
        hand, pile = dict.fromkeys(self.hand(state)), dict.fromkeys(self.pile(state))
        pairs = ((give, take) for give in hand for take in pile if self.may(state, give, take))
        yield from (f"{self.verb}:{give}>{take}" for give, take in pairs)

    def read(self, state: S, token: str) -> tuple[str, ...] | None:
        if token == self.nothing:
            return ()
        verb, _colon, rest = token.rpartition(":")
        cards = tuple(rest.split(">"))
        named = verb == self.verb and len(cards) == 2 and all(card in self.pack for card in cards)
        return cards if named else None

    def rule(self, state: S, action: tuple[str, ...]) -> Phrase | None:
        if not action:
            return None
        give, take = action
        if give not in self.hand(state):
            return NOT_HELD
        return None if take in self.pile(state) and self.may(state, give, take) else self.wrong


class Asked(Phase[S, str]):
    """The answers to what somebody has said, of which some are open to the actor now."""

    @abstractmethod
    def answers(self, state: S) -> Sequence[str]:
        """Those that are, in their order."""

    def offers(self, state: S) -> Iterator[str]:
        return iter(self.answers(state))

    def read(self, state: S, token: str) -> str | None:
        return token if token in self.answers(state) else None

    def rule(self, state: S, action: str) -> Phrase | None:
        return None


C = TypeVar("C", bound=CallingState)


class Interruption(Asked[C]):
    """The answers to a call, one seat after the other; then the phase that it interrupted goes on."""

    @abstractmethod
    def waiting(self, state: C) -> Sequence[int]:
        """The seats (indices) that still have to answer, in their order."""

    def end(self, state: C) -> None:
        """What follows the last answer."""

    def begin(self, state: C) -> None:
        state.interrupted = state.now, state.actor
        state.now = self
        self.go_on(state)

    def go_on(self, state: C) -> None:
        """The next seat is asked, or the talk is over."""
        if waiting := self.waiting(state):
            state.actor = waiting[0]
            return
        assert state.interrupted is not None
        state.now, state.actor = state.interrupted
        state.interrupted = None
        self.end(state)
