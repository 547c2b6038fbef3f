"""What differs between two lists: who has another total or another place, with before and after; and between
two versions of one, why."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, overload

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from scoring.ranking import Places
from scoring.totals import Total

from ..models import Ranking, Result, Ruling, Seating, Session, Submission
from . import versions
from .errors import Forbidden
from .versions import Order, VersionKey


class ListStanding(NamedTuple):
    """Where a contestant stands in a list. `rank`: counted from 1, None without one."""

    rank: int | None
    total: Total

    @property
    def score(self) -> Fraction | None:
        """What the list goes by."""
        return self.total.value


@dataclass(frozen=True, slots=True)
class Move:
    """A contestant (its id) for whom something differs."""

    contestant: int
    before: ListStanding
    after: ListStanding


class Moves(Sequence[Move]):
    """The contestants for whom something differs between two lists: first those whose own total does
    (`own_count` of them), then those who are only passed or have passed. Each is made when it is looked at:
    most of a large field move, and few of them are shown."""

    def __init__(self, before: Order, after: Order, contestants: Sequence[int], own_count: int) -> None:
        self._before, self._after = before, after
        self.contestants, self.own_count = contestants, own_count

    def __len__(self) -> int:
        return len(self.contestants)

    @overload
    def __getitem__(self, at: int) -> Move: ...
    @overload
    def __getitem__(self, at: slice) -> list[Move]: ...
    def __getitem__(self, at: int | slice) -> Move | list[Move]:
        if isinstance(at, slice):
            return [self._move(n) for n in range(len(self.contestants))[at]]
        return self._move(range(len(self.contestants))[at])

    def sharing_first(self, contestants: Collection[int]) -> list[int]:
        """Who else is first in the list after, in a line group in which one of these contestants is."""
        found: list[int] = []
        for places in self._after.groups.values():
            first = [contestant for contestant, position in places.positions() if position == 1]
            if not set(first).isdisjoint(contestants):
                found += [one for one in first if one not in contestants]
        return found

    def _move(self, at: int) -> Move:
        contestant = self.contestants[at]
        before = _standing(self._before, contestant)
        if at < self.own_count:
            return Move(contestant, before, _standing(self._after, contestant))
        return Move(contestant, before, ListStanding(self._after.positions.get(contestant), before.total))


def moves(before: Order, after: Order) -> Moves:
    """The contestants who have another total or another place than before, each kind in the order of the list
    after; those whom it does not rank come last. The time grows with all contestants, and little: a whole
    number is compared for each."""
    own = set(after.totals.differing_from(before.totals))
    own |= {k for k in before.totals if k not in after.totals}
    old, new = before.positions, after.positions
    passed = {k for k, position in new.items() if k not in own and old.get(k) != position}
    passed |= old.keys() - new.keys() - own
    order = [contestant for some in (own, passed) for contestant in _in_order(new, some)]
    return Moves(before, after, order, len(own))


def moves_of_places(before: Places[int], after: Places[int]) -> list[Move]:
    """Those of two small lists, such as teams by their matches, that have another total or another place; who
    is in the list no more comes last."""
    old, new = dict(before.positions()), dict(after.positions())
    totals = {place.contestant: place.total for place in before}
    gone = totals.keys() - {place.contestant for place in after}
    moved = [
        Move(
            place.contestant,
            ListStanding(old.get(place.contestant), totals.get(place.contestant, Total())),
            ListStanding(new.get(place.contestant), place.total),
        )
        for place in after
        if totals.get(place.contestant) != place.total
        or old.get(place.contestant) != new.get(place.contestant)
    ]
    nowhere = ListStanding(None, Total())
    return moved + [Move(k, ListStanding(old.get(k), totals[k]), nowhere) for k in totals if k in gone]


def _in_order(positions: Mapping[int, int], contestants: Collection[int]) -> list[int]:
    """As a list has them, whose positions these are."""
    return [k for k in positions if k in contestants] + sorted(k for k in contestants if k not in positions)


def _standing(order: Order, contestant: int) -> ListStanding:
    total = order.totals[contestant] if contestant in order.totals else Total()
    return ListStanding(order.positions.get(contestant), total)


# ── Why ───────────────────────────────────────────────────────────────────────────────────────────


class CauseKind(StrEnum):
    """Why a version differs from an earlier one. A recomputation: who plays what has changed, or everything
    was counted again. A board that is over: the live list counts it from now on, with all its results."""

    RESULT = "result"
    CORRECTION = "correction"
    RULING = "ruling"
    REVERSAL = "reversal"
    RECOMPUTATION = "recomputation"
    BOARD_OVER = "board-over"


class Cause(NamedTuple):
    """What came between two versions. `board`: its number, None where it is about no board alone; `place`:
    section and table; `ruling`: its id; `contestant`: the id of whoever a ruling was about."""

    kind: CauseKind
    board: int | None = None
    place: tuple[str, int] | None = None
    ruling: int | None = None
    contestant: int | None = None


@dataclass(frozen=True, slots=True)
class VersionDifference:
    """Two versions of a list, who moved between them, and why."""

    first: int
    last: int
    moves: Moves
    causes: Sequence[Cause]


def too_early() -> Forbidden:
    """The refusal for officials who play."""
    message = _("You play in this session: what tells results is not for you until the boards are over.")
    return Forbidden("plays-here", message)


def between_versions(session: Session, first: Ranking, last: Ranking) -> VersionDifference:
    """Who moved between two versions of a session's ranking, and what came between them. A result that has
    been corrected since is told of where its correction came. The time grows with all contestants, and with
    what came between the two."""
    found = _moves_between(versions.key_of(first), versions.key_of(last))
    return VersionDifference(first.version, last.version, found, _causes(session, first, last))


@lru_cache(maxsize=4)
def _moves_between(first: VersionKey, last: VersionKey) -> Moves:
    """No version ever changes: the few differences that were asked for last are remembered."""
    return moves(versions.order_at(first), versions.order_at(last))


def forget() -> None:
    """Make every difference from the versions again."""
    _moves_between.cache_clear()


def boards_of(causes: Sequence[Cause], contestants: Collection[int]) -> Mapping[int, list[int]]:
    """By contestant (of one session), the boards among these causes that they have played, in the order of
    their numbers."""
    numbers = {cause.board for cause in causes if cause.board is not None}
    if not numbers or not contestants:
        return {}
    played = Seating.objects.filter(contestant__in=contestants, play__board__number__in=numbers).order_by()
    boards: dict[int, set[int]] = defaultdict(set)
    for contestant, number in played.values_list("contestant_id", "play__board__number"):
        boards[contestant].add(number)
    return {contestant: sorted(own) for contestant, own in boards.items()}


def _causes(session: Session, first: Ranking, last: Ranking) -> list[Cause]:
    if first.version == last.version:
        return []
    is_recounted = first.version > 0 and first.layout != last.layout
    if first.position is None or last.position is None or is_recounted:
        return [Cause(CauseKind.RECOMPUTATION)]
    if not last.is_live:
        return _causes_between(session, first, last) or [Cause(CauseKind.RECOMPUTATION)]
    before, after = set(first.boards or ()), set(last.boards or ())
    if before - after:
        return [Cause(CauseKind.RECOMPUTATION)]  # a board is in play again
    found = [Cause(CauseKind.BOARD_OVER, board) for board in sorted(after - before)]
    found += [
        one for one in _causes_between(session, first, last) if one.board is None or one.board in before
    ]
    return found or [Cause(CauseKind.RECOMPUTATION)]


def _causes_between(session: Session, first: Ranking, last: Ranking) -> list[Cause]:
    """The results and rulings that were counted after one version, and in the other."""
    assert first.position is not None
    assert last.position is not None
    between = (first.position + 1, last.position)
    earlier = Submission.objects.filter(
        play=OuterRef("play"), state__in=Submission.COUNTED, pk__lt=OuterRef("submission")
    )
    results = Result.objects.filter(session=session, position__range=between)
    rows = results.annotate(is_correction=Exists(earlier)).order_by("position", "pk")
    causes = [
        Cause(CauseKind.CORRECTION if is_correction else CauseKind.RESULT, board, (section, table))
        for is_correction, board, section, table in rows.values_list(
            "is_correction", "play__board__number", "play__table__section__name", "play__table__number"
        )
    ]
    if not session.tally.rulings:
        return causes
    made = Ruling.objects.filter(session=session)
    for kind, rulings in (
        (CauseKind.RULING, made.filter(position__range=between)),
        (CauseKind.REVERSAL, made.filter(reversed_position__range=between)),
    ):
        for ruling in rulings.order_by("position"):
            board, place = _subject(ruling)
            causes.append(Cause(kind, board, place, ruling.pk, ruling.contestant_id))
    return causes


def _subject(ruling: Ruling) -> tuple[int | None, tuple[str, int] | None]:
    """The board that a ruling is about, and its place if it is about one play."""
    if "place" in ruling.content:
        section, table, board = ruling.content["place"]
        return board, (section, table)
    return ruling.content.get("board"), None
