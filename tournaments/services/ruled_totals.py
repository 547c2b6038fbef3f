"""What directors have decided, as the lists take it in: about plays, and about whole contestants."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from scoring import decisions
from scoring.amounts import BOARDS, LOW, Totals
from scoring.decisions import VPS
from scoring.methods import METHODS
from scoring.rulings import Penalty, with_carry_over, with_penalties

from ..models import Ruling, Session
from . import comparisons

__all__ = ["NONE", "VPS", "Changes", "Ruled", "of", "plain", "together"]


class Ruled(NamedTuple):
    """What stands for a play: by seat the entry as it is kept, None where the score counts; and the name of
    the cards that were really dealt, where the board was fouled."""

    entries: Sequence[str | None]
    deal: str = ""


def together(parts: Iterable[Ruled]) -> Ruled:
    """What several rulings on one play say together, the oldest first: of each seat the newest counts.

    >>> together([Ruled(["620", None, None], "B"), Ruled([None, "average", None])])
    Ruled(entries=['620', 'average', None], deal='B')
    """
    entries: list[str | None] = []
    deal = ""
    for part in parts:
        before = entries or [None] * len(part.entries)
        entries = [old if new is None else new for old, new in zip(before, part.entries, strict=True)]
        deal = part.deal or deal
    return Ruled(entries, deal)


@dataclass(frozen=True, slots=True)
class Changes:
    """What was decided about whole contestants, by their ids. `gains`: bonuses and carry-over, in points;
    `disqualified`: they have no place; `unit`, `top`: of the session's method. `vps`: what was gained and
    lost in victory points, which counts where matches do."""

    penalties: tuple[Penalty[int], ...] = ()
    gains: Mapping[int, Fraction] = field(default_factory=dict)
    unit: str = ""
    top: int | None = None
    disqualified: frozenset[int] = frozenset()
    vps: Mapping[int, tuple[Fraction, Fraction]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether they change a total."""
        return bool(self.penalties or self.gains)

    def applied_to(self, totals: Totals[int], groups: Iterable[int]) -> Totals[int]:
        """The totals with these changes, as versions say them. `groups`: all contestants of the session."""
        concerned = {*self.gains, *(penalty.contestant for penalty in self.penalties)}
        missing = [k for k in groups if k in concerned and k not in totals]
        everyone = totals.of([*totals, *missing]) if missing else totals
        gained = with_carry_over(everyone, self.gains, fraction=1)
        after = with_penalties(gained, self.penalties, unit=self.unit, top=self.top)
        assert isinstance(after, Totals)
        return plain(after)


NONE = Changes()


def plain(totals: Totals[int]) -> Totals[int]:
    """The same points, tops and boards as whole numbers alone, so that equal totals are equal."""
    ids = list(totals)
    scale, points, tops, boards = totals.columns(ids)
    rows = zip(ids, points, tops, boards, strict=True)
    return Totals({k: (one << LOW) + (top << BOARDS) + count for k, one, top, count in rows}, scale)


def of(session: Session, more: Iterable[Ruling] = (), without: int | None = None) -> Changes:
    """The changes by the rulings in force, in one query. `more`: others that are not stored yet; `without`:
    the id of one that is to be reversed."""
    stored = Ruling.objects.in_force().filter(session=session, kind__in=Ruling.ABOUT_CONTESTANTS)
    others = stored if without is None else stored.exclude(pk=without)
    rulings = [*others.order_by("pk"), *more]
    unit, top = METHODS[session.method].unit, comparisons.top(session)
    found = decisions.decided(
        [
            decisions.Decision(ruling.contestant_id, ruling.kind, ruling.content)
            for ruling in rulings
            if ruling.contestant_id is not None
        ],
        top=top,
    )
    return Changes(found.penalties, found.gains, unit, top, found.disqualified, found.vps)
