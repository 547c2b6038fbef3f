"""Bernicle: the marks (sections 5 and 7)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...combinations import runs
from ...contract import Fact, Outcome, Settings
from ...endings import Mirror
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
class Ending(Mirror):
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

    @property
    def defenders(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(SEATS) if seat != self.taker)


def capot(points: int, options: Settings) -> int:
    """What all the tricks bring beyond their card points."""
    return 400 - points if options["capot"] == "flat400" else ALL_TRICKS


def facts_of(result: Ending, options: Settings) -> list[Fact]:
    taker, contract, fault = result.taker, result.contract, result.fault
    if taker is None:
        return [Fact("passed-out")]
    if fault is not None and fault != taker:
        (other,) = (seat for seat in result.defenders if seat != fault)
        return [
            Fact("fault", fault + 1),
            Fact("made", taker + 1, contract),
            Fact("tricks", taker + 1, ALL_TRICKS),
            Fact("combos", taker + 1, result.combos[taker]),
            Fact("combos", other + 1, result.combos[other]),
            Fact("niche", other + 1, result.niche),
        ]
    trickless = [seat for seat in range(SEATS) if fault is None and not result.tricks[seat]]
    extra = [
        capot(result.points[seat], options) if fault is None and result.tricks[seat] == TRICKS else 0
        for seat in range(SEATS)
    ]
    facts = [Fact("fault", taker + 1)] if fault is not None else []
    facts += [Fact("no-trick", seat + 1) for seat in trickless]
    total = result.points[taker] + extra[taker] + result.combos[taker]
    made = fault is None and taker not in trickless and total >= contract
    if fault is None and taker not in trickless:
        if made:
            facts.append(Fact("made", taker + 1, contract, total))
            facts.append(Fact("tricks", taker + 1, result.points[taker]))
            facts.append(Fact("capot", taker + 1, extra[taker]))
        else:
            facts.append(Fact("lost", taker + 1, 0, total))
        facts.append(Fact("combos", taker + 1, result.combos[taker]))
    counted = [
        seat for seat in result.defenders if seat not in trickless or options["trickless_combos"] == "kept"
    ]
    defence = {
        "tricks": sum(result.points[seat] for seat in result.defenders),
        "capot": sum(extra[seat] for seat in result.defenders),
        "combos": sum(result.combos[seat] for seat in counted),
        "niche": result.niche,
        "contract": 0 if made else contract,
    }
    for seat in result.defenders:
        if seat not in trickless:
            facts += [Fact(name, seat + 1, points) for name, points in defence.items()]
    endings = {"fault", "no-trick", "lost"}
    return [fact for fact in facts if fact.points or fact.name in endings]


def outcome_of(result: Ending, options: Settings) -> Outcome:
    return Outcome.of(facts_of(result, options), SEATS)
