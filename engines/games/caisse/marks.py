"""Caisse: contres, défi and marks (sections 4 and 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...contract import Fact, Outcome, Settings
from ...endings import OneAgainstAll, facts
from .cards import BELOTE, SEATS, TRICKS

# ── Contres of the game and of contracts ──────────────────────────────────────────────────────────

MOST_CONTRES = 4
SIX, NINE = 4, 2  # the factors


class Contres(NamedTuple):
    """How many levels of one target were said with six cards, and how many with nine: the sides take turns,
    and the one opposed to the owner begins."""

    six: int = 0
    nine: int = 0

    @property
    def level(self) -> int:
        return self.six + self.nine

    @property
    def factor(self) -> int:
        return int(SIX**self.six * NINE**self.nine)

    def may(self, *, owner: bool) -> bool:
        """Whether the owner's side, or the other, may say the next level."""
        return self.level < MOST_CONTRES and owner == (self.level % 2 == 1)

    def with_level(self, *, with_six: bool) -> "Contres":
        return Contres(self.six + with_six, self.nine + (not with_six))


# ── The défi before the second trick ──────────────────────────────────────────────────────────────

MOST_DEFI = 5
DEFI, NO, CONCEDE, ACCEPT, CONTRE = "defi", "no", "concede", "accept", "contre"


class Defi(NamedTuple):
    """`opponents` in turn order after the taker, seats as the caller counts them; `exponent`: the level
    reached; `said` of it so far, by the side that answers."""

    taker: int
    opponents: tuple[int, int]
    exponent: int = 0
    said: tuple[str, ...] = ()

    @property
    def speakers(self) -> tuple[int, ...]:
        """The opponents may challenge; after each level the other side answers."""
        return (self.taker,) if self.exponent % 2 else self.opponents

    @property
    def is_over(self) -> bool:
        return len(self.said) == len(self.speakers)

    @property
    def speaker(self) -> int | None:
        return None if self.is_over else self.speakers[len(self.said)]

    @property
    def by(self) -> str:
        """The side that conceded: all who speak for it have."""
        if not self.is_over or set(self.said) != {CONCEDE}:
            return "none"
        return "taker" if self.exponent % 2 else "opponents"

    @property
    def power(self) -> int:
        """The exponent that counts: the one accepted, or the one before the level that was conceded."""
        return self.exponent - (self.by != "none")

    def choices(self) -> tuple[str, ...]:
        """What the next speaker may say, until the talk is over."""
        if not self.exponent:
            return (DEFI, NO)
        return (CONCEDE, ACCEPT, CONTRE) if self.exponent < MOST_DEFI else (CONCEDE, ACCEPT)

    def after(self, token: str) -> "Defi":
        """The talk after one of its choices."""
        if token in {DEFI, CONTRE}:
            return Defi(self.taker, self.opponents, self.exponent + 1)
        return Defi(self.taker, self.opponents, self.exponent, (*self.said, token))


# ── The marks ─────────────────────────────────────────────────────────────────────────────────────

ATOUT_1, ATOUT_2, SANS_ATOUT = "atout1", "atout2", "sans-atout"
MISERE, GENERALE = "misere", "misere-generale"
BASE = {ATOUT_1: 1, ATOUT_2: 1, SANS_ATOUT: 2, MISERE: 5}
WITH_POINTS = (ATOUT_1, ATOUT_2, SANS_ATOUT)

CONTRACTS = {
    "caisse": 1, "clarte": 1, "cent": 2, "deux-cents": 1, "quarante-quatre": 1, "tous-les-trois": 1,
    "ultime": 2, "famille": 1, "tous-les-atouts": 2, "capot": 5,
}  # fmt: skip
OF_TRUMPS = ("caisse", "tous-les-trois", "ultime", "famille", "tous-les-atouts")
BY_POINTS = ("caisse", "clarte", "cent", "deux-cents")  # whether they are made follows from the points
GOALS = {"clarte": (82, 66), "cent": (100, 80), "deux-cents": (200, 180)}  # with trumps; without


NOTHING_SAID = Contres()


class Contracted(NamedTuple):
    """A contract: its declarer (index), with how many cards it was declared, its contres, and its end."""

    seat: int
    id: str
    at: int
    contres: Contres = NOTHING_SAID
    made: bool | None = None

    @classmethod
    def told(cls, *, six: int, nine: int, **parts: Any) -> "Contracted":
        """One of which a sheet tells these."""
        return cls(contres=Contres(six, nine), **parts)

    @property
    def six(self) -> int:
        return self.contres.six

    @property
    def nine(self) -> int:
        return self.contres.nine

    @property
    def target(self) -> str:
        """How a contre of it is said."""
        return f"x:{self.id}@{self.seat + 1}"

    def value(self, defi: int) -> int:
        doubled = CONTRACTS[self.id] * (2 if self.at == 6 else 1) * self.contres.factor
        return doubled * int(2**defi) if self.id == "caisse" else doubled


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending(OneAgainstAll):
    """How a deal ended. `trick_points`, where they count, with the last trick; `defi`: the exponent that
    counts; `suite`, `carre`: whose are marked, and their points."""

    parts = {"game_contres": Contres, "contracts": Contracted.told}

    game: str
    tricks: tuple[int, ...] = ()
    taker: int | None = None
    game_contres: Contres = NOTHING_SAID
    defi: int = 0
    conceded_by: str = "none"
    misere_made: bool | None = None
    trump: str | None = None
    exchanged: bool = False
    contracts: tuple[Contracted, ...] = ()
    trick_points: tuple[int, ...] = ()
    suite: tuple[int, int] | None = None
    carre: tuple[int, int] | None = None
    belote: int | None = None

    def total(self, seat: int) -> int:
        """The points of a seat: tricks, combinations that count, Belote."""
        marked = [points for owner, points in filter(None, (self.suite, self.carre)) if owner == seat]
        return self.trick_points[seat] + sum(marked) + BELOTE * (seat == self.belote)

    def taker_wins(self, tie: str) -> bool:
        assert self.taker is not None
        if self.conceded_by != "none":
            return self.conceded_by == "opponents"
        if self.game == MISERE:
            return bool(self.misere_made)
        own = self.total(self.taker)
        best = max(self.total(seat) for seat in self.opponents)
        return own > best or (own == best and tie == "wins")


def facts_of(result: Ending, options: Settings) -> list[Fact]:
    if result.game == GENERALE:
        return general_facts(result.tricks)
    assert result.taker is not None
    won, is_conceded = result.taker_wins(str(options["tie_taker"])), result.conceded_by != "none"
    taker, others = (result.taker,), result.opponents
    winners, losers = (taker, others) if won else (others, taker)
    stake = BASE[result.game] * result.game_contres.factor * int(2**result.defi)
    lines = [Fact("total", seat + 1, 0, result.total(seat)) for seat in range(SEATS) if result.trick_points]
    lines += facts("concedes", losers if is_conceded else ())
    lines += [] if won else facts("game-lost", taker)
    lines += facts("game-won" if won else "taker-lost", winners, stake)
    for one in result.contracts:
        value = one.value(result.defi)
        if is_conceded:  # a Caisse, which goes with the game
            lines += facts("caisse-conceded", winners, value)
        elif one.made:
            lines += facts(one.id, result.side_of(one.seat), value)
        else:
            lines += result.failed(one.id, one.seat, value)
    return lines


def general_facts(tricks: Sequence[int]) -> list[Fact]:
    """Misère Générale: nobody marks at three tricks each; otherwise the one seat with a single trick does, or
    else all seats but the one with the most tricks."""
    lines = [Fact("tricks", seat, 0, count) for seat, count in enumerate(tricks, 1)]
    if sorted(tricks) == [1, 4, 4]:
        return lines + facts("single-trick", (tricks.index(1),), 5)
    if len(set(tricks)) > 1:
        lines += facts(
            "fewer-tricks", (seat for seat in range(SEATS) if seat != tricks.index(max(tricks))), 3
        )
    return lines


def outcome_of(result: Ending, options: Settings) -> Outcome:
    """The marks of each seat."""
    return Outcome.of(facts_of(result, options), SEATS)


assert TRICKS == 9  # the Misère Générale knows what nine tricks can be
