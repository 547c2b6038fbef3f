"""Mille: the marks (section 5)."""

from dataclasses import dataclass

from ...contract import Fact, Outcome, Settings
from ...endings import Mirror
from .cards import MARRIAGE, SEATS


@dataclass(frozen=True, slots=True)
class Ending(Mirror):
    """How a deal ended: `end` is played, bomb or fault; `marriages` as (suit, seat), a `fault` as (seat,
    kind)."""

    noted = ("fault",)

    taker: int
    contract: int
    end: str
    points: tuple[int, ...] = (0, 0, 0)
    marriages: tuple[tuple[str, int], ...] = ()
    fault: tuple[int, str] | None = None

    @property
    def is_annulled(self) -> bool:
        """Whether a fault of a defender annulled the deal."""
        return self.fault is not None and self.fault[0] != self.taker

    def total(self, seat: int) -> int:
        """Card points and marriages of a seat, unrounded."""
        return self.points[seat] + sum(MARRIAGE[suit] for suit, who in self.marriages if who == seat)

    def bars(self) -> tuple[int, ...]:
        """The defenders without a card point in a deal that was played."""
        played = self.end == "played"
        return tuple(int(played and s != self.taker and not self.points[s]) for s in range(SEATS))


def nearest_five(points: int) -> int:
    """To the nearest multiple of five.

    >>> [nearest_five(points) for points in (31, 13, 2, 3)]
    [30, 15, 0, 5]
    """
    return 5 * ((points + 2) // 5)


def bomb_points(contract: int) -> int:
    """Half of the contract, up to a multiple of ten."""
    return -(-contract // 20) * 10


def facts_of(result: Ending) -> list[Fact]:
    """The deal points line by line, without the charge for bars."""
    declarer, contract, fault = result.taker, result.contract, result.fault
    others = [seat for seat in range(SEATS) if seat != declarer]
    if result.end == "bomb":
        facts = [Fact("bomb", declarer + 1, 0, contract)]
        return facts + [Fact("bomb-points", seat + 1, bomb_points(contract)) for seat in others]
    if result.is_annulled:
        assert fault is not None
        facts = [Fact("fault", fault[0] + 1, -120)]
        return facts + [Fact("annulled", seat + 1) for seat in range(SEATS) if seat != fault[0]]
    facts = [Fact("marriage", who + 1, 0, suit) for suit, who in result.marriages]
    total = result.total(declarer)
    if result.end == "fault":
        facts.append(Fact("fault", declarer + 1, -contract, contract))
    elif total >= contract:
        facts.append(Fact("made", declarer + 1, contract, total))
    else:
        facts.append(Fact("lost", declarer + 1, -contract, total))
    return facts + [
        Fact("points", seat + 1, nearest_five(result.total(seat)), result.total(seat)) for seat in others
    ]


def deal_points(result: Ending) -> tuple[int, ...]:
    """What each seat writes down in a match."""
    facts = facts_of(result)
    return Outcome.of(facts, SEATS).scores


def outcome_of(result: Ending, options: Settings) -> Outcome:
    """The deal points, minus the cost of each bar."""
    facts, bar_value = facts_of(result), int(options["bar_value"])
    facts += [Fact("bar", seat, -bar_value) for seat, bar in enumerate(result.bars(), 1) if bar]
    averaged = tuple(fact.seat for fact in facts if fact.name == "annulled" and fact.seat)
    return Outcome.of(facts, SEATS, averaged)
