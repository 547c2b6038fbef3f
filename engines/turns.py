"""States in which exactly one seat may act at any time, and the rules that all of them share."""

from abc import abstractmethod
from collections.abc import Iterator

from .contract import State, seat_and_token
from .errors import IllegalAction, first_legal
from .phrases import Phrase

IS_OVER = Phrase("the deal is over")
NOT_YOUR_TURN = Phrase("it is another seat's turn")
NO_SUCH_ACTION = Phrase("there is no such action in this phase")
NOT_HELD = Phrase("this card is not in the hand")
FOLLOW = Phrase("follow the suit led while you hold it")
MUST_RUFF = Phrase("you do not hold the suit led: play a trump while you hold one")
MUST_FOLLOW_TRUMP = Phrase("a trump was led: play a trump while you hold one")
MUST_OVERTRUMP = Phrase("play a higher trump than those in the trick while you hold one")


class TurnState(State):
    """`actor` counts from 0 inside."""

    __slots__ = ("actor",)

    actor: int

    def actors(self) -> tuple[int, ...]:
        return () if self.over else (self.actor + 1,)

    @property
    def turn(self) -> int:
        return self.actor + 1

    def legal(self, seat: int) -> Iterator[str]:
        return self.choices() if seat == self.actor + 1 and not self.over else iter(())

    def refusal(self, entry: str) -> IllegalAction | None:
        seat, token = seat_and_token(entry)
        rule = self.rule_against(seat, token)
        return None if rule is None else self.illegal(seat, token, rule)

    def illegal(self, seat: int | None, token: str, rule: Phrase) -> IllegalAction:
        """The refusal of a token, which breaks this rule."""
        who = seat or (None if self.over else self.actor + 1)
        return IllegalAction(self.count(), who, token, rule, first_legal(self.legal(who or 0)))

    def is_legal(self, entry: str) -> bool:
        return self.rule_against(*seat_and_token(entry)) is None

    def rule_against(self, seat: int | None, token: str) -> Phrase | None:
        if self.over:
            return IS_OVER
        if seat is not None and seat != self.actor + 1:
            return NOT_YOUR_TURN
        return self.broken_rule(token)

    def checked(self, entry: str) -> str:
        """The token of a legal entry; raises IllegalAction for another."""
        seat, token = seat_and_token(entry)
        rule = self.rule_against(seat, token)
        if rule is not None:
            raise self.illegal(seat, token, rule)
        return token

    def count(self) -> int:
        """The number of actions so far."""
        return len(self.entries)

    @abstractmethod
    def choices(self) -> Iterator[str]:
        """The tokens that are legal for the actor, in a fixed order."""

    @abstractmethod
    def broken_rule(self, token: str) -> Phrase | None:
        """The rule that the actor's token breaks, in words; None if it breaks none."""
