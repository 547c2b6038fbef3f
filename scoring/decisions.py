"""What directors have decided about whole contestants, as totals take it in: penalties, bonuses, what is
carried over, who is disqualified."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic, TypeVar

from .amounts import Totals
from .rulings import Penalty, with_carry_over

K = TypeVar("K", bound=Hashable)

VPS = "vps"
"""Victory points: what matches give."""

PENALTY, BONUS, CARRY_OVER, DISQUALIFICATION = "penalty", "bonus", "carry-over", "disqualification"


@dataclass(frozen=True, slots=True)
class Decision(Generic[K]):
    """One decision about a contestant: its `kind`, and its `content` as it was asked for."""

    contestant: K
    kind: str
    content: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Decided(Generic[K]):
    """All of them together. `gains`: bonuses and carry-over, in points; `disqualified`: they have no place.
    `vps`: what was gained and lost in victory points, which counts where matches do."""

    penalties: tuple[Penalty[K], ...] = ()
    gains: Mapping[K, Fraction] = field(default_factory=dict)
    disqualified: frozenset[K] = frozenset()
    vps: Mapping[K, tuple[Fraction, Fraction]] = field(default_factory=dict)


def decided(decisions: Iterable[Decision[K]], *, top: int | None) -> Decided[K]:
    """What decisions come to, the oldest first. `top`: the most that one board can give, if there is such a
    thing (`scoring.methods.top_of`)."""
    penalties: list[Penalty[K]] = []
    gains: dict[K, Fraction] = {}
    disqualified: set[K] = set()
    vps: dict[K, tuple[Fraction, Fraction]] = {}
    for one in decisions:
        if one.content.get("unit") == VPS:
            gained, lost = vps.get(one.contestant, (Fraction(0), Fraction(0)))
            if one.kind == PENALTY:
                vps[one.contestant] = gained, lost + Fraction(one.content["amount"])
            else:
                vps[one.contestant] = gained + _gain(one, top), lost
        elif one.kind == DISQUALIFICATION:
            disqualified.add(one.contestant)
        elif one.kind == PENALTY:
            penalties.append(Penalty(one.contestant, Fraction(one.content["amount"]), one.content["unit"]))
        else:
            gains[one.contestant] = gains.get(one.contestant, Fraction(0)) + _gain(one, top)
    return Decided(tuple(penalties), gains, frozenset(disqualified), vps)


def _gain(one: Decision[K], top: int | None) -> Fraction:
    """What a bonus or a carry-over is worth, in points."""
    content = one.content
    if one.kind == CARRY_OVER:
        clamp = content["clamp"]
        return carried(Fraction(content["won"]), Fraction(content["fraction"]), clamp and Fraction(clamp))
    amount = Fraction(content["amount"])
    return amount * Fraction(top or 0, 100) if content["unit"] == "percent" else amount


def carried(won: Fraction, fraction: Fraction, clamp: Fraction | None) -> Fraction:
    """What of points that were won before is carried over.

    >>> [str(carried(Fraction(90), Fraction(1, 3), clamp)) for clamp in (None, Fraction(20))]
    ['30', '20']
    """
    after = with_carry_over(Totals({0: 0}, 1), {0: won}, fraction=fraction, clamp=clamp)
    return after[0].extra
