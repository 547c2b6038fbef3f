"""L'Hombre: the marks (section 5)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...contract import Fact, Outcome, Settings
from .cards import SEATS, TRICKS

TARIFF = {"prendre": 6, "sans-prendre": 8, "vole": 80}  # half jetons, from each opponent


@dataclass(frozen=True, slots=True)
class Ending:
    """How a contract ended: `end` is made, lost, codille, remise or bete; `collector` is the seat that takes
    the pot alone (index), `matadors` how many matadors that player held at the first lead."""

    contract: str
    hombre: int
    tricks: tuple[int, ...]
    end: str
    collector: int | None
    matadors: int = 0


def result_of(
    contract: str, hombre: int, tricks: Sequence[int], made: bool | None, options: Settings
) -> Ending:
    """`made` stands for the tricks of a vole where only that is known."""
    by_seat = tuple(tricks)
    if made is None:
        made = is_made(contract, hombre, by_seat, options)
    if made:
        return Ending(contract, hombre, by_seat, "made", hombre)
    if contract == "prendre":
        winner = next((seat for seat in range(SEATS) if seat != hombre and by_seat[seat] >= 5), None)
        if winner is not None:
            return Ending(contract, hombre, by_seat, "codille", winner)
        if options["failed_take"] != "pay":
            return Ending(contract, hombre, by_seat, str(options["failed_take"]), None)
    return Ending(contract, hombre, by_seat, "lost", None)


def is_made(contract: str, hombre: int, tricks: Sequence[int], options: Settings) -> bool:
    """More tricks than each other player to take, five without taking, all nine for the vole."""
    own = tricks[hombre]
    if contract == "prendre" and options["prendre_goal"] == "plurality":
        return all(own > count for seat, count in enumerate(tricks) if seat != hombre)
    return own >= (TRICKS if contract == "vole" else 5)


def payments(result: Ending, pot: int) -> list[tuple[str, list[int]]]:
    """What the seats pay each other, line by line and by seat, without the stakes in the pot."""
    tariff, collector, hombre = TARIFF[result.contract], result.collector, result.hombre

    def to_one(seat: int, each: int) -> list[int]:
        """What every other seat pays to one; less than nothing, if that one pays."""
        return [2 * each if other == seat else -each for other in range(SEATS)]

    if collector is not None:
        return [
            ("pot", [pot if seat == collector else 0 for seat in range(SEATS)]),
            ("tariff", to_one(collector, tariff)),
            ("matadors", to_one(collector, 2 * result.matadors)),
        ]
    if result.end == "lost":
        shares = [0 if seat == hombre else pot // 2 for seat in range(SEATS)]
        return [("pot", shares), ("tariff", to_one(hombre, -tariff))]
    if result.end == "bete":
        return [("bete", [-pot if seat == hombre else 0 for seat in range(SEATS)])]
    return []


def outcome_of(result: Ending | None, pot: int) -> Outcome:
    """Each seat's net: what it receives, minus what it pays and its third of the pot; None stands for a deal
    that was passed out."""
    if result is None:
        return Outcome.of([Fact("passed-out")], SEATS)
    returned = {"remise": pot // 3, "bete": 2 * pot // 3}.get(result.end, 0)
    lines = [("stake", [-pot // 3] * SEATS), *payments(result, pot), ("returned", [returned] * SEATS)]
    facts = [Fact(result.end, result.hombre + 1, 0, result.contract)]
    facts += [Fact("tricks", seat, 0, count) for seat, count in enumerate(result.tricks, 1)]
    facts += [
        Fact(name, seat, points, result.matadors if name == "matadors" else None)
        for name, by_seat in lines
        for seat, points in enumerate(by_seat, 1)
        if points
    ]
    return Outcome.of(facts, SEATS)
