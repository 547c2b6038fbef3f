"""Mille: the marks (section 5)."""

from dataclasses import dataclass

from ...contract import Fact, Outcome, Settings
from .cards import MARRIAGE, SEATS


@dataclass(frozen=True, slots=True)
class Ending:
    """How a deal ended: `end` is played, bomb or fault; `marriages` as (seat, suit); seats are indices."""

    declarer: int
    contract: int
    end: str
    points: tuple[int, ...] = (0, 0, 0)
    marriages: tuple[tuple[int, str], ...] = ()
    offender: int | None = None

    @property
    def is_annulled(self) -> bool:
        """Whether a fault of a defender annulled the deal."""
        return self.end == "fault" and self.offender != self.declarer

    def total(self, seat: int) -> int:
        """Card points and marriages of a seat, unrounded."""
        return self.points[seat] + sum(MARRIAGE[suit] for who, suit in self.marriages if who == seat)

    def bars(self) -> tuple[int, ...]:
        """The defenders without a card point in a deal that was played."""
        played = self.end == "played"
        return tuple(int(played and s != self.declarer and not self.points[s]) for s in range(SEATS))


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
    declarer, contract = result.declarer, result.contract
    others = [seat for seat in range(SEATS) if seat != declarer]
    if result.end == "bomb":
        facts = [Fact("bomb", declarer + 1, 0, contract)]
        return facts + [Fact("bomb-points", seat + 1, bomb_points(contract)) for seat in others]
    if result.is_annulled:
        assert result.offender is not None
        facts = [Fact("fault", result.offender + 1, -120)]
        return facts + [Fact("annulled", seat + 1) for seat in range(SEATS) if seat != result.offender]
    facts = [Fact("marriage", who + 1, 0, suit) for who, suit in result.marriages]
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
    averaged = tuple(s + 1 for s in range(SEATS) if s != result.offender) if result.is_annulled else ()
    return Outcome.of(facts, SEATS, averaged)
