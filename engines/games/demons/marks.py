"""Démons: bets (section 4), marks (5), faults (7)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...contract import Fact, Outcome
from ...endings import Mirror
from ...tricks import AROUND
from .cards import FIGURES, SEATS, Best, strength

# ── Bets on the tricks ────────────────────────────────────────────────────────────────────────────

PARTIAL, COMPLETE = "partial", "complete"
FIRST = {PARTIAL: 10, COMPLETE: 20}
RAISES = 2
LAST_PLAY = {PARTIAL: 6, COMPLETE: 12}  # how many cards may have been played when it is opened
HOLD, RAISE, CONCEDE = "hold", "raise", "concede"


@dataclass(frozen=True, slots=True)
class Bet:
    """`risk` by seat (indices), `out`: the seats that cannot answer; `pending`: those that must, in their
    order."""

    kind: str
    stake: int
    risk: tuple[int, ...]
    out: frozenset[int]
    pending: tuple[int, ...]

    @classmethod
    def first(cls, kind: str, seat: int, out: frozenset[int]) -> "Bet":
        return cls(kind, FIRST[kind], (0,) * SEATS, out, ()).proposed(seat)

    @property
    def most(self) -> int:
        return int(FIRST[self.kind] * 2**RAISES)

    def choices(self) -> tuple[str, ...]:
        """The answers of the next seat, while there is one."""
        return (CONCEDE, HOLD, RAISE) if self.stake < self.most else (CONCEDE, HOLD)

    def after(self, token: str) -> "Bet":
        """The talk after an answer of the next seat."""
        seat, *rest = self.pending
        if token == CONCEDE:
            return replace(self, out=self.out | {seat}, pending=tuple(rest))
        if token == HOLD:
            return replace(self, risk=self.risked(seat), pending=tuple(rest))
        return replace(self, stake=2 * self.stake).proposed(seat)

    def proposed(self, seat: int) -> "Bet":
        """The talk after a seat has proposed the stake: those at its left answer that can."""
        others = (other for other in AROUND[SEATS, 1][seat][1:] if other not in self.out)
        return replace(self, risk=self.risked(seat), pending=tuple(others))

    def risked(self, seat: int) -> tuple[int, ...]:
        return tuple(self.stake if other == seat else old for other, old in enumerate(self.risk))


# ── The marks ─────────────────────────────────────────────────────────────────────────────────────

HUMAN_POINTS = {"6": 0, "J": 1, "Q": 4, "C": 2, "K": 2}
SUITE_POINTS = {2: 15, 3: 30, 4: 60}
PAREIL_POINTS = {2: 10, 3: 20, 4: 40}  # longer ones: 50
MOST_TRICKS, FAILURE, SIXES, COMPLETE_TRICKS = 5, 10, 10, 5
SIGNAL, REVOKE = "signal", "pure-demon-revoke"
FAULTS = {SIGNAL: 50, REVOKE: 100}


class Played(NamedTuple):
    """A card of a trick: the face that counts (none for a pure Démon), and the Démon, if one played it."""

    face: str | None
    demon: str | None

    @property
    def face_up(self) -> str:
        return self.face or self.demon or ""


def card_points(tricks: Sequence[Sequence[Played]], marker: str, *, devil: bool) -> int:
    """What a seat's tricks are worth to it: to a player, or to the Diable."""
    points = sixes = 0
    for trick in tricks:
        haunted = any(played.demon for played in trick)
        for played in trick:
            if played.face is None:
                continue
            rank, suit = played.face[0], played.face[1]
            sixes += rank == "6"
            figure = rank in FIGURES
            if devil:
                points += 1 + figure * ((suit in {marker, "H"}) + haunted)
            else:
                points += HUMAN_POINTS[rank] + figure * (suit == marker)
    return points + SIXES * (devil and sixes >= 3)


class Stakes(NamedTuple):
    """A bet as it ended: the stake, and what each seat risked."""

    stake: int
    risk: tuple[int, ...]


class Fault(NamedTuple):
    seat: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending(Mirror):
    """How a deal ended; lists by seat. A deal that a fault annulled has nothing else."""

    parts = {PARTIAL: Stakes, COMPLETE: Stakes, "faults": Fault}
    noted = ("faults",)

    tricks: tuple[int, ...] = (0, 0, 0)
    card_points: tuple[int, ...] = (0, 0, 0)
    best_suite: tuple[Best | None, ...] = (None, None, None)
    best_pareil: tuple[Best | None, ...] = (None, None, None)
    penalised_failures: tuple[int, ...] = (0, 0, 0)
    partial: Stakes | None = None
    complete: Stakes | None = None
    faults: tuple[Fault, ...] = ()

    @property
    def is_annulled(self) -> bool:
        return any(kind == REVOKE for _, kind in self.faults)

    @property
    def most_tricks(self) -> int | None:
        """The seat with strictly the most tricks, if there is one."""
        most = max(self.tricks)
        return self.tricks.index(most) if self.tricks.count(most) == 1 else None

    @property
    def has_bet(self) -> tuple[bool, ...]:
        bets = [bet for bet in (self.partial, self.complete) if bet is not None]
        return tuple(any(bet.risk[seat] for bet in bets) for seat in range(SEATS))


def facts_of(result: Ending) -> list[Fact]:
    facts = [Fact(kind, seat + 1, -FAULTS[kind]) for seat, kind in result.faults]
    if result.is_annulled:
        named = {seat for seat, _ in result.faults}
        return facts + [Fact("annulled", seat + 1) for seat in range(SEATS) if seat not in named]
    facts += [Fact("tricks", seat, 0, count) for seat, count in enumerate(result.tricks, 1)]
    facts += [Fact("cards", seat, points) for seat, points in enumerate(result.card_points, 1) if points]
    for name, bests in (("suite", result.best_suite), ("pareil", result.best_pareil)):
        owner = best_owner(bests)
        if owner is not None:
            length = (bests[owner] or (0, ""))[0]
            points = SUITE_POINTS[length] if name == "suite" else PAREIL_POINTS.get(length, 50)
            facts.append(Fact(name, owner + 1, points, length))
    facts += stake_facts(result)
    facts += [
        Fact("failed", seat, -FAILURE * n, n) for seat, n in enumerate(result.penalised_failures, 1) if n
    ]
    return facts


def best_owner(bests: Sequence[Best | None]) -> int | None:
    """The seat with the best combination; None if another equals it."""
    owners = [(strength(best), seat) for seat, best in enumerate(bests) if best is not None]
    if not owners:
        return None
    top, owner = max(owners)
    return owner if [one for one, _ in owners].count(top) == 1 else None


def stake_facts(result: Ending) -> list[Fact]:
    """The bets, or five points for the most tricks where there was no bet."""
    most = result.most_tricks
    if result.partial is None and result.complete is None:
        return [] if most is None else [Fact("most-tricks", most + 1, MOST_TRICKS)]
    facts = []
    for name, bet in ((PARTIAL, result.partial), (COMPLETE, result.complete)):
        if bet is None:
            continue
        for seat, risk in enumerate(bet.risk):
            dropped = name == PARTIAL and result.complete is not None and result.complete.risk[seat]
            if not risk or dropped:
                continue
            won = seat == most if name == PARTIAL else result.tricks[seat] >= COMPLETE_TRICKS
            gain = (bet.stake if risk == bet.stake else 0) if won else -risk
            facts.append(Fact(f"{name}-bet", seat + 1, gain, risk))
    return facts


def outcome_of(result: Ending) -> Outcome:
    """The deal score of each seat. In an annulled deal the seats without a fault cannot be compared."""
    facts = facts_of(result)
    innocent = tuple(fact.seat for fact in facts if fact.name == "annulled" and fact.seat is not None)
    return Outcome.of(facts, SEATS, innocent)
