"""A movement as a value, and the check that it is one."""

from collections import Counter
from dataclasses import dataclass

from engines.errors import EngineError
from engines.phrases import Phrase


class BadMovement(EngineError):
    """No such movement, or one that cannot be played; says what would be possible."""

    def __init__(self, reason: Phrase) -> None:
        super().__init__(reason)
        self.reason = reason

    def phrase(self) -> Phrase:
        return self.reason

    def facts(self, language: str = "en") -> dict[str, str]:
        return {"reason": self.reason.to(language)}


@dataclass(frozen=True, slots=True)
class Sitting:
    """One board at one table in one round; `contestants` by seat. All numbers count from 1."""

    round: int
    table: int
    board: int
    contestants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Movement:
    name: str
    sittings: tuple[Sitting, ...]

    @property
    def rounds(self) -> int:
        return max(sitting.round for sitting in self.sittings)

    @property
    def tables(self) -> int:
        return max(sitting.table for sitting in self.sittings)

    @property
    def boards(self) -> int:
        return max(sitting.board for sitting in self.sittings)

    @property
    def copies(self) -> int:
        """At how many tables a board is played, at most."""
        return max(Counter(sitting.board for sitting in self.sittings).values())


def check(movement: Movement) -> None:
    """BadMovement unless each contestant meets each board once at most, sits at one table a round,
    and each table plays a board once."""
    boards = Counter((c, sitting.board) for sitting in movement.sittings for c in sitting.contestants)
    if twice := [pair for pair, count in boards.items() if count > 1]:
        contestant, board = twice[0]
        raise BadMovement(
            Phrase("contestant {contestant} meets board {board} twice", contestant=contestant, board=board)
        )
    places: dict[tuple[int, int], int] = {}
    for sitting in movement.sittings:
        for contestant in sitting.contestants:
            table = places.setdefault((sitting.round, contestant), sitting.table)
            if table != sitting.table:
                raise BadMovement(
                    Phrase(
                        "contestant {contestant} sits at tables {first} and {second} in round {round}",
                        contestant=contestant,
                        first=table,
                        second=sitting.table,
                        round=sitting.round,
                    )
                )
