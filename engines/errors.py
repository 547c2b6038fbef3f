"""What an engine refuses. Nothing has changed when one of these is raised.

EngineError(ValueError): catch this one where input comes in
├── BadDeal(cards, reason)                            cards that are not a deal of the game
├── BadRecord(key, reason)                            a file whose keys, game, options or board are wrong
├── BadSheet(field, constraint)                       a result sheet that contradicts itself or the game
│   └── NeedsDeal(field, constraint)                  one that cannot be read without its deal
└── IllegalAction(position, seat, action, rule, legal)  an action that the rules forbid there
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice
from typing import Any

from .phrases import Phrase


class EngineError(ValueError, ABC):
    """Carries facts; its message is made from them, in the reader's language."""

    def __init__(self, *facts: Any) -> None:
        super().__init__(*facts)

    @abstractmethod
    def phrase(self) -> Phrase:
        """The whole message."""

    @abstractmethod
    def facts(self, language: str = "en") -> dict[str, Any]:
        """The error's facts as plain JSON values, sentences put into the language."""

    def to_json(self, language: str = "en") -> dict[str, Any]:
        message = self.phrase().to(language)
        return {"type": type(self).__name__, "message": message} | self.facts(language)

    def __str__(self) -> str:
        return str(self.phrase())


class BadDeal(EngineError):
    """`cards`: the tokens that are wrong, if any; `reason`: what a deal of the game is."""

    def __init__(self, cards: tuple[str, ...], reason: Phrase) -> None:
        super().__init__(cards, reason)
        self.cards, self.reason = cards, reason

    def phrase(self) -> Phrase:
        if not self.cards:
            return Phrase("not a deal of this game: {reason}", reason=self.reason)
        cards = " ".join(self.cards)
        return Phrase("not a deal of this game: {reason} ({cards})", reason=self.reason, cards=cards)

    def facts(self, language: str = "en") -> dict[str, Any]:
        return {"cards": list(self.cards), "reason": self.reason.to(language)}


class BadRecord(EngineError):
    """`key`: the key of the file, dotted (`options.four_aces`); `reason`: what it must be."""

    def __init__(self, key: str, reason: Phrase) -> None:
        super().__init__(key, reason)
        self.key, self.reason = key, reason

    def phrase(self) -> Phrase:
        return Phrase("{key}: {reason}", key=self.key, reason=self.reason)

    def facts(self, language: str = "en") -> dict[str, Any]:
        return {"key": self.key, "reason": self.reason.to(language)}


class BadField(EngineError):
    """A value that has a name is wrong. `field`: its name; `constraint`: what the value must meet."""

    def __init__(self, field: str, constraint: Phrase) -> None:
        super().__init__(field, constraint)
        self.field, self.constraint = field, constraint

    def phrase(self) -> Phrase:
        return Phrase("{field}: {constraint}", field=self.field, constraint=self.constraint)

    def facts(self, language: str = "en") -> dict[str, Any]:
        return {"field": self.field, "constraint": self.constraint.to(language)}


class BadSheet(BadField):
    """A field of a result sheet."""


class NeedsDeal(BadSheet):
    """A sheet that says nothing without the deal that it belongs to."""


MOST_LEGAL = 100


def first_legal(tokens: Iterator[str]) -> tuple[str, ...]:
    """As many legal tokens as a refusal names: lists can have thousands."""
    legal = tuple(islice(tokens, MOST_LEGAL + 1))
    return legal if len(legal) <= MOST_LEGAL else (*legal[:MOST_LEGAL], "…")


class IllegalAction(EngineError):
    """`position`: 0-based place in the record; `seat`: 1-based, the one that acted or had to act (None
    after the end); `rule`: the rule that is broken; `legal`: the tokens that were legal for the seat, of a
    long list the first MOST_LEGAL and "…"."""

    def __init__(
        self, position: int, seat: int | None, action: str, rule: Phrase, legal: tuple[str, ...]
    ) -> None:
        super().__init__(position, seat, action, rule, legal)
        self.position, self.seat, self.action = position, seat, action
        self.rule, self.legal = rule, legal

    def without_legal(self) -> "IllegalAction":
        """The same refusal for somebody who may not see the hand that it comes from."""
        return IllegalAction(self.position, self.seat, self.action, self.rule, ())

    def phrase(self) -> Phrase:
        details = {"number": self.position + 1, "action": self.action, "rule": self.rule}
        if self.seat is None:
            return Phrase("action {number}, {action}: {rule}", **details)
        if not self.legal:
            return Phrase("action {number}, seat {seat}, {action}: {rule}", seat=self.seat, **details)
        legal = " ".join(self.legal)
        return Phrase(
            "action {number}, seat {seat}, {action}: {rule} (legal: {legal})",
            seat=self.seat,
            legal=legal,
            **details,
        )

    def facts(self, language: str = "en") -> dict[str, Any]:
        return {
            "position": self.position,
            "seat": self.seat,
            "action": self.action,
            "rule": self.rule.to(language),
            "legal": list(self.legal),
        }
