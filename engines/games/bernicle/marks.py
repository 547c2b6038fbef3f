"""Bernicle: the marks (sections 5 and 7)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...combinations import runs
from ...contract import Fact, Outcome, Settings
from ...endings import OneAgainstAll, facts
from .cards import PACK, SEATS, TRICKS

ALL_TRICKS = 200
OF_A_RANK = {4: 40, 5: 50, 6: 60, 7: 80, 8: 100}
TIERCE, PETITE_BERNICLE = 30, 100
ORDERS = {False: ("7JQKTA",), True: ("TJQKA", "7")}  # by natural: the runs of ranks


def niche_points(niche: Sequence[str], *, natural: bool = False) -> int:
    """What the cards laid aside are worth to the defence.

    >>> niche_points("7S 7S 7H 7D 7D 7C JH QH JC".split())
    190
    """
    ranks = Counter(token[0] for token in niche)
    points = sum(OF_A_RANK.get(count, 0) for count in ranks.values())
    for suit in PACK.suit_letters:
        points += TIERCE * sum(runs(niche.count, suit, order, 3) for order in ORDERS[natural])
    jacks, queens = (Counter(token[1] for token in niche if token[0] == rank) for rank in "JQ")
    a, b = jacks.total(), queens.total()
    crossed = (a - jacks[suit] + b - queens[suit] for suit in PACK.suit_letters)
    return points + PETITE_BERNICLE * min(a, b, *crossed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending(OneAgainstAll):
    """How a deal ended; without a taker it was passed out. After a fault of the taker there are no `tricks`,
    after one of a defender no `points` either."""

    noted = ("fault",)

    taker: int | None = None
    contract: int = 0
    trump: str | None = None
    combos: tuple[int, ...] = (0, 0, 0)
    tricks: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    niche: int = 0
    fault: int | None = None


def capot(points: int, options: Settings) -> int:
    """What all the tricks bring beyond their card points."""
    return 400 - points if options["capot"] == "flat400" else ALL_TRICKS


def facts_of(result: Ending, options: Settings) -> list[Fact]:
    taker, fault = result.taker, result.fault
    if taker is None:
        return [Fact("passed-out")]
    if fault is not None and fault != taker:
        return fault_of_a_defender(result, taker, fault)
    trickless = [seat for seat in range(SEATS) if fault is None and not result.tricks[seat]]
    extra = [
        capot(result.points[seat], options) if fault is None and result.tricks[seat] == TRICKS else 0
        for seat in range(SEATS)
    ]
    total = result.points[taker] + extra[taker] + result.combos[taker]
    counts = fault is None and taker not in trickless
    made = counts and total >= result.contract
    lines = [] if fault is None else facts("fault", (taker,))
    lines += facts("no-trick", trickless)
    if made:
        lines += facts("made", (taker,), result.contract, total)
        lines += facts("tricks", (taker,), result.points[taker])
        lines += facts("capot", (taker,), extra[taker])
    elif counts:
        lines += facts("lost", (taker,), 0, total)
    if counts:
        lines += facts("combos", (taker,), result.combos[taker])
    kept = options["trickless_combos"] == "kept"
    defence = {
        "tricks": sum(result.points[seat] for seat in result.opponents),
        "capot": sum(extra[seat] for seat in result.opponents),
        "combos": sum(result.combos[seat] for seat in result.opponents if kept or seat not in trickless),
        "niche": result.niche,
        "contract": 0 if made else result.contract,
    }
    for seat in result.opponents:
        if seat not in trickless:
            lines += [Fact(name, seat + 1, points) for name, points in defence.items()]
    return [one for one in lines if one.points or one.name in {"fault", "no-trick", "lost"}]


def fault_of_a_defender(result: Ending, taker: int, fault: int) -> list[Fact]:
    """The taker has made the contract, and all tricks; the other defender keeps what needs no trick."""
    (other,) = (seat for seat in result.opponents if seat != fault)
    return [
        Fact("fault", fault + 1),
        Fact("made", taker + 1, result.contract),
        Fact("tricks", taker + 1, ALL_TRICKS),
        Fact("combos", taker + 1, result.combos[taker]),
        Fact("combos", other + 1, result.combos[other]),
        Fact("niche", other + 1, result.niche),
    ]


def outcome_of(result: Ending, options: Settings) -> Outcome:
    return Outcome.of(facts_of(result, options), SEATS)
