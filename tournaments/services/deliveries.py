"""What is handed in, and what its senders are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from .. import tracing
from ..models import Token
from .tokens import Claim


@dataclass(frozen=True, slots=True)
class ResultEntry:
    """A result that is handed in. `content`: {"actions": [...]} or {"sheet": {...}}; `check`: the letter on
    the board's wallet, if the sender gives it; `seat`: whose phone a table sends it from, none where one
    phone speaks for all; `reason`: why it differs from what was agreed on, or known to all."""

    section: str
    table: int
    board: int
    key: UUID
    content: dict[str, Any]
    check: str = ""
    seat: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What one request hands in: all of it is stored, or nothing. `language`: the sender's; `origin`: by
    which ids it is followed (`tracing.headers`)."""

    session: int
    sender: Claim
    entries: Sequence[ResultEntry]
    language: str
    origin: Mapping[str, str] = field(default_factory=tracing.headers)


@dataclass(frozen=True)
class Handed:
    """A delivery whose sender is known; `session` is only a number yet."""

    session: int
    sender: Token
    entries: Sequence[ResultEntry]
    language: str

    @cached_property
    def keys(self) -> Sequence[Key]:
        """By entry: whose key it is that it came with."""
        role, table = self.sender.role_id, self.sender.table_id
        return [(role, table, entry.key) for entry in self.entries]

    @cached_property
    def places(self) -> Sequence[Place]:
        """By entry."""
        return [(self.session, entry.section, entry.table, entry.board) for entry in self.entries]


class Stored(NamedTuple):
    """A submission as its sender is told of it."""

    pk: int
    key: UUID
    session: int
    section: str
    table: int
    board: int
    state: str
    refusal: Any
    content: dict[str, Any]
    created_at: datetime
    judged_at: datetime | None
    seat: int | None = None


class BadToken(Exception):
    """The sender's token has ended."""


class Busy(Exception):
    """Somebody is changing the session right now."""


Answer = list[Stored] | Exception
Place = tuple[int, str, int, int]  # session, section, table, board
Key = tuple[int | None, int | None, UUID]  # role, table, key
