"""Tarot 4 saisons: the marks (sections 5 and 7)."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from ...contract import Fact, Outcome
from ...endings import OneAgainstAll, facts
from .cards import BIDS, CONTRACTED, CONTRACTS, CONTRED, SEATS, TRICKS

CLEAR, RESISTANCE, MISERE_MARKS, SUITE_MARKS, LATE, PASSED = 93, 62, 2, 2, 6, 1
AFTER_PASSES = 3
AUTOMATIC = {
    "petit-au-bout": 3, "deux-avant-dernier": 2, "trois-bouts": 2, "quasi": 3, "quatre-as": 1,
    "resistance": 1,
}  # fmt: skip


class Penalty(NamedTuple):
    """What a fault costs, beside the stake if that is lost too, and whether it annuls the deal."""

    marks: int
    staked: bool
    annuls: bool


FAULTS = {
    "revoke": Penalty(-6, staked=True, annuls=True),
    "misere-omitted": Penalty(-6, staked=True, annuls=True),
    "misdeal-repairable": Penalty(-2, staked=False, annuls=False),
    "misdeal": Penalty(-2, staked=False, annuls=True),
    "dog-fault": Penalty(-3, staked=False, annuls=False),
    "dog-fault-exchanged": Penalty(-3, staked=True, annuls=True),
    "no-trump": Penalty(2, staked=False, annuls=True),
}


class Contracted(NamedTuple):
    """A contract and how it ended."""

    seat: int
    id: str
    contred: bool
    made: bool


class Fault(NamedTuple):
    seat: int
    kind: str


def place_of(contract: tuple[Any, ...]) -> tuple[int, int]:
    """Where a contract stands in a list: by seat and id."""
    return contract[0], CONTRACTS.index(contract[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending(OneAgainstAll):
    """How a deal ended. `trois_bouts`, `quatre_as`: the owner of them all. A fault may leave no bid."""

    parts = {"contracts": Contracted, "faults": Fault}
    noted = ("passed_before", "faults")

    bid: str | None = None
    taker: int | None = None
    lowered: bool = False
    game_contred: bool = False
    tricks: tuple[int, ...] = (0, 0, 0)
    points: tuple[int, ...] = (0, 0, 0)
    dog: int = 0
    contracts: tuple[Contracted, ...] = ()
    petit_au_bout: int | None = None
    deux_avant_dernier: int | None = None
    trois_bouts: int | None = None
    quatre_as: int | None = None
    misere: tuple[int, ...] = ()
    suites: tuple[int, ...] = (0, 0, 0)
    excuse_late: int | None = None
    passed_before: int = 0
    faults: tuple[Fault, ...] = ()

    @property
    def is_annulled(self) -> bool:
        return any(FAULTS[kind].annuls for _, kind in self.faults)

    @property
    def stake(self) -> int:
        """E: what the game is worth, lowering and contre included; 0 while there is no bid."""
        if self.taker is None:
            return 0
        assert self.bid is not None
        return BIDS[self.bid].stake - self.lowered + CONTRED * self.game_contred

    def count(self, seat: int) -> int:
        """The points of a seat's tricks, with the dog where it counts for that seat."""
        assert self.bid is not None
        dog_to = BIDS[self.bid].dog_to
        counts = dog_to == ("taker" if seat == self.taker else "opponents")
        return self.points[seat] + (self.dog if counts else 0)

    @property
    def is_clear(self) -> bool:
        return self.bid is not None and BIDS[self.bid].clear

    @property
    def is_won(self) -> bool:
        assert self.taker is not None
        own = self.count(self.taker)
        if self.tricks[self.taker] == TRICKS:
            return True
        if self.is_clear:
            return own >= CLEAR
        return all(own > self.count(seat) for seat in self.opponents)


def facts_of(result: Ending) -> list[Fact]:
    lines = fault_facts(result)
    if result.is_annulled:
        return lines
    lines += facts("misere", result.misere, MISERE_MARKS)
    if result.taker is None:
        return lines + facts("passed-out", range(SEATS), -PASSED)
    lines += [Fact("count", seat + 1, 0, result.count(seat)) for seat in range(SEATS)]
    lines += game_facts(result, result.taker) + bonus_facts(result) + contract_facts(result)
    lines += [Fact("suites", seat, SUITE_MARKS * n, n) for seat, n in enumerate(result.suites, 1) if n]
    return lines + facts("excuse-late", () if result.excuse_late is None else (result.excuse_late,), -LATE)


def fault_facts(result: Ending) -> list[Fact]:
    lines = []
    for seat, kind in result.faults:
        penalty = FAULTS[kind]
        lines.append(Fact(kind, seat + 1, penalty.marks - penalty.staked * result.stake))
    return lines + [Fact("annulled", seat) for seat in innocents(result)]


def innocents(result: Ending) -> tuple[int, ...]:
    """The seats that had no part in what annulled the deal."""
    named = {seat for seat, _ in result.faults}
    return tuple(seat + 1 for seat in range(SEATS) if result.is_annulled and seat not in named)


def game_facts(result: Ending, taker: int) -> list[Fact]:
    is_won, stake = result.is_won, result.stake
    if result.tricks[taker] == TRICKS:
        contracted = any(contract.id == "capot" for contract in result.contracts)
        name, marks = ("capot-contract", 8 * stake) if contracted else ("capot", 4 * stake)
    elif is_won and not result.is_clear and result.count(taker) >= CLEAR:
        name, marks = "won-clear", 2 * stake
    else:
        name, marks = "won" if is_won else "taker-lost", stake
    winners, passed = (taker,) if is_won else result.opponents, result.passed_before
    lines = [] if is_won else facts("lost", (taker,))
    lines += facts(name, winners, marks)
    return lines + (facts("after-passes", winners, AFTER_PASSES * passed, passed) if passed else [])


def bonus_facts(result: Ending) -> list[Fact]:
    """What is marked without having been contracted."""
    achieved: dict[str, list[int | None]] = {
        "petit-au-bout": [result.petit_au_bout], "deux-avant-dernier": [result.deux_avant_dernier],
        "trois-bouts": [result.trois_bouts],
        "quasi": [seat for seat in range(SEATS) if result.tricks[seat] == TRICKS - 1],
        "quatre-as": [result.quatre_as],
        "resistance": [seat for seat in result.opponents if result.count(seat) >= RESISTANCE],
    }  # fmt: skip
    contracted = {(contract.seat, contract.id) for contract in result.contracts}
    return [
        Fact(name, seat + 1, AUTOMATIC[name])
        for name, seats in achieved.items()
        for seat in seats
        if seat is not None and (seat, name) not in contracted
    ]


def contract_facts(result: Ending) -> list[Fact]:
    """A contract kept is its author's; one that failed is marked by each opponent, or by the taker."""
    lines = []
    for seat, name, contred, made in sorted(result.contracts, key=place_of):
        value = 8 * result.stake if name == "capot" else CONTRACTED[name] + CONTRED * contred
        if not made:
            lines += result.failed(name, seat, value)
        elif name != "capot":  # which is among the marks of the game
            lines += facts(f"{name}-contract", (seat,), value)
    return lines


def outcome_of(result: Ending) -> Outcome:
    """The marks of each seat. In an annulled deal the seats without a fault cannot be compared."""
    return Outcome.of(facts_of(result), SEATS, innocents(result))
