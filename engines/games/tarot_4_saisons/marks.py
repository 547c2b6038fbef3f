"""Tarot 4 saisons: the marks (sections 5 and 7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...contract import Fact, Outcome
from ...endings import Mirror
from .cards import BIDS, CONTRACTED, CONTRACTS, CONTRED, SEATS, TRICKS

CLEAR, RESISTANCE, MISERE_MARKS, SUITE_MARKS, LATE, PASSED = 93, 62, 2, 2, 6, 1
AFTER_PASSES = 3
AUTOMATIC = {
    "petit-au-bout": 3, "deux-avant-dernier": 2, "trois-bouts": 2, "quasi": 3, "quatre-as": 1,
    "resistance": 1,
}  # fmt: skip
FAULTS: Mapping[str, bool] = {  # whether it annuls the deal
    "revoke": True,
    "misere-omitted": True,
    "misdeal-repairable": False,
    "misdeal": True,
    "dog-fault": False,
    "dog-fault-exchanged": True,
    "no-trump": True,
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
class Ending(Mirror):
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
        return any(FAULTS[kind] for _, kind in self.faults)

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
    def opponents(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(SEATS) if seat != self.taker)

    @property
    def is_won(self) -> bool:
        assert self.bid is not None
        assert self.taker is not None
        own = self.count(self.taker)
        if self.tricks[self.taker] == TRICKS:
            return True
        if BIDS[self.bid].clear:
            return own >= CLEAR
        return all(own > self.count(seat) for seat in self.opponents)

    def has_made(self, seat: int, contract: str, kings: int | None) -> bool:
        """Whether a contract is kept; `kings`: the seat that owns the four kings."""
        match contract:
            case "petit-au-bout":
                return self.petit_au_bout == seat
            case "deux-avant-dernier":
                return self.deux_avant_dernier == seat
            case "quatre-rois":
                return kings == seat
            case "quasi":
                return self.tricks[seat] == TRICKS - 1
            case "capot":
                return self.tricks[seat] == TRICKS
        return self.count(seat) >= RESISTANCE


def facts_of(result: Ending) -> list[Fact]:
    facts = fault_facts(result)
    if result.is_annulled:
        return facts
    facts += [Fact("misere", seat + 1, MISERE_MARKS) for seat in result.misere]
    if result.taker is None:
        return facts + [Fact("passed-out", seat, -PASSED) for seat in (1, 2, 3)]
    facts += [Fact("count", seat + 1, 0, result.count(seat)) for seat in range(SEATS)]
    facts += game_facts(result) + bonus_facts(result) + contract_facts(result)
    facts += [Fact("suites", seat, SUITE_MARKS * n, n) for seat, n in enumerate(result.suites, 1) if n]
    if result.excuse_late is not None:
        facts.append(Fact("excuse-late", result.excuse_late + 1, -LATE))
    return facts


def fault_facts(result: Ending) -> list[Fact]:
    costs = {
        "revoke": -result.stake - 6, "misere-omitted": -result.stake - 6, "misdeal-repairable": -2,
        "misdeal": -2, "dog-fault": -3, "dog-fault-exchanged": -3 - result.stake, "no-trump": 2,
    }  # fmt: skip
    facts = [Fact(kind, seat + 1, costs[kind]) for seat, kind in result.faults]
    return [*facts, *(Fact("annulled", seat) for seat in innocents(result))]


def innocents(result: Ending) -> tuple[int, ...]:
    """The seats that had no part in what annulled the deal."""
    named = {seat for seat, _ in result.faults}
    return tuple(seat + 1 for seat in range(SEATS) if result.is_annulled and seat not in named)


def game_facts(result: Ending) -> list[Fact]:
    assert result.bid is not None
    assert result.taker is not None
    taker, stake = result.taker, result.stake
    contracted = any(contract.id == "capot" for contract in result.contracts)
    if result.tricks[taker] == TRICKS:
        name, marks = ("capot-contract", 8 * stake) if contracted else ("capot", 4 * stake)
    elif not result.is_won:
        name, marks = "lost", stake
    elif not BIDS[result.bid].clear and result.count(taker) >= CLEAR:
        name, marks = "won-clear", 2 * stake
    else:
        name, marks = "won", stake
    winners = result.opponents if name == "lost" else (taker,)
    facts = [Fact("lost", taker + 1)] if name == "lost" else []
    facts += [Fact("taker-lost" if name == "lost" else name, seat + 1, marks) for seat in winners]
    if result.passed_before:
        bonus = AFTER_PASSES * result.passed_before
        facts += [Fact("after-passes", seat + 1, bonus, result.passed_before) for seat in winners]
    return facts


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
    assert result.taker is not None
    facts = []
    for contract in sorted(result.contracts, key=place_of):
        if contract.id == "capot":
            value = 8 * result.stake
            if contract.made:
                continue  # among the marks of the game
        else:
            value = CONTRACTED[contract.id] + CONTRED * contract.contred
        if contract.made:
            facts.append(Fact(f"{contract.id}-contract", contract.seat + 1, value))
            continue
        facts.append(Fact(f"{contract.id}-lost", contract.seat + 1))
        winners = result.opponents if contract.seat == result.taker else (result.taker,)
        facts += [Fact(f"{contract.id}-failed", seat + 1, value) for seat in winners]
    return facts


def outcome_of(result: Ending) -> Outcome:
    """The marks of each seat. In an annulled deal the seats without a fault cannot be compared."""
    return Outcome.of(facts_of(result), SEATS, innocents(result))
