"""What results are worth, read from the histograms of their lines."""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engines import registry
from scoring.entries import AVERAGE, Artificial, Entry, NoScore, Weighted
from scoring.lines import Award, Awards, awards_by_deal

from ..models import Line, Result, RuledPlay, Session
from . import comparisons, counting, ruled_entries


@dataclass(frozen=True, slots=True)
class LineMark:
    """A result in a line: its score (the mean of a weighted one; None for a share of what is to be won), how
    many plays have it, and how far it is above average: in parts of the top where there is one, else in
    points."""

    score: int | Fraction | None
    count: int
    above: Fraction


@dataclass(frozen=True, slots=True)
class LineOfPlay:
    """All who held the same cards as somebody, whose own mark is one of theirs."""

    own: LineMark
    marks: Sequence[LineMark]

    @property
    def plays(self) -> int:
        return sum(mark.count for mark in self.marks)


class AwardBook:
    """The awards of plays of some boards of a session: one query for all of them, when the first is asked
    for, and one more where directors have ruled. The time grows with the boards and their different scores,
    not with the plays."""

    def __init__(self, session: Session, boards: Collection[int]) -> None:
        self.session, self.boards = session, boards
        self.sides = registry.game(session.game).sides_of(session.conditions)
        self.lines: dict[counting.Key, Mapping[Hashable, Counter[Entry]]] | None = None
        self.compared: dict[counting.Key, dict[Hashable, Awards]] = {}
        self.ruled: dict[int, RuledPlay] = {}  # by play
        self.position = 0  # up to which the lines are counted

    def of(self, result: Result) -> list[str] | None:
        """See `at`."""
        return self.at(
            result.play.board_id,
            result.scores,
            result.averaged,
            result.position,
            play=result.play_id,
        )

    def at(
        self,
        board: int,
        scores: Sequence[int] | None,
        averaged: Sequence[int] | None,
        position: int | None,
        *,
        play: int,
    ) -> list[str] | None:
        """By seat, exactly, empty for a seat to which the play does not count; None until the lists have
        taken the result in, or what was ruled in its place."""
        won = [""] * sum(map(len, self.sides))
        lines = self._lines
        ruled = self.ruled.get(play)
        if not self._is_taken_in(scores, position, ruled):
            return None
        for side, seats in enumerate(self.sides):
            if (board, side) not in lines:
                return None
            entries, deal = self._entries(seats, scores, averaged, ruled)
            for seat, entry in zip(seats, entries, strict=True):
                try:
                    award = self._award((board, side), deal, entries[0], entry)
                except KeyError:  # it was taken in after the histograms were read
                    return None
                if award is not None:
                    won[seat - 1] = str(award.points)
                elif ruled is None:
                    return None
        return won

    def line_of(self, result: Result | None, *, board: int, play: int, seat: int) -> LineOfPlay | None:
        """What all who held the cards of a seat have made of them, beside what counts for whoever sat there.
        None until the lists have taken that in, and where nothing counts for the seat, or only what a ruling
        has parted from its side."""
        lines = self._lines
        ruled = self.ruled.get(play)
        scores = None if result is None else result.scores
        if not self._is_taken_in(scores, None if result is None else result.position, ruled):
            return None
        side = next(number for number, seats in enumerate(self.sides) if seat in seats)
        if (board, side) not in lines:
            return None
        seats = self.sides[side]
        entries, deal = self._entries(seats, scores, None if result is None else result.averaged, ruled)
        own = entries[seats.index(seat)]
        group: Mapping[Entry, int] = lines[board, side].get(deal, {})
        if own not in group:
            return None
        awards = self._compared((board, side))[deal]
        marks = {
            entry: LineMark(_score(entry), count, award.above)
            for entry, count in group.items()
            if (award := awards[entry]) is not None
        }
        return LineOfPlay(marks[own], list(marks.values())) if own in marks else None

    def _is_taken_in(
        self, scores: Sequence[int] | None, position: int | None, ruled: RuledPlay | None
    ) -> bool:
        if ruled is None and scores is None:
            return False
        return max(position or 0, ruled.position if ruled else 0) <= self.position

    def _entries(
        self,
        seats: Sequence[int],
        scores: Sequence[int] | None,
        averaged: Sequence[int] | None,
        ruled: RuledPlay | None,
    ) -> tuple[Sequence[Entry], Hashable]:
        """What counts for each seat of a side, and the deal that was played."""
        scored: Entry = NoScore.LATE
        if scores is not None:
            scored = AVERAGE if seats[0] in (averaged or ()) else scores[seats[0] - 1]
        entries: Sequence[Entry] = [scored] * len(seats)
        if ruled is None:
            return entries, None
        tokens = [ruled.entries[seat - 1] for seat in seats]
        return ruled_entries.entries_with(entries, tokens), ruled.deal or None

    def _award(self, key: counting.Key, deal: Hashable, first: Entry, entry: Entry) -> Award | None:
        """What an entry is worth; one that a ruling has parted from its side's first seat is compared in its
        place."""
        if isinstance(entry, NoScore):
            return None
        counts = self._lines[key]
        if entry != first:
            in_place = {one: group.copy() for one, group in counts.items()}
            group = in_place.setdefault(deal, Counter())
            group.subtract([] if isinstance(first, NoScore) else [first])
            group.update([entry])
            parted = self._awards({one: +group for one, group in in_place.items()})
            return parted[deal][entry]
        return self._compared(key)[deal][entry]

    def _compared(self, key: counting.Key) -> dict[Hashable, Awards]:
        if key not in self.compared:
            self.compared[key] = self._awards(self._lines[key])
        return self.compared[key]

    def _awards(self, counts: Mapping[Hashable, Counter[Entry]]) -> dict[Hashable, Awards]:
        return awards_by_deal(counts, comparisons.comparison_of(self.session), self.session.plays_per_board)

    @property
    def _lines(self) -> dict[counting.Key, Mapping[Hashable, Counter[Entry]]]:
        if self.lines is None:
            tally = "board__board_set__session__tally"
            rows = Line.objects.filter(board__in=self.boards)
            self.lines = {}
            is_ruled = False
            for board, side, counts, self.position, rulings in rows.values_list(
                "board_id", "side", "counts", f"{tally}__ranked_position", f"{tally}__rulings"
            ):
                self.lines[board, side] = ruled_entries.counts_of(counts)
                is_ruled = rulings > 0
            if is_ruled:
                ruled = RuledPlay.objects.filter(play__board__in=self.boards)
                self.ruled = {one.play_id: one for one in ruled}
        return self.lines


def _score(entry: Entry) -> int | Fraction | None:
    if isinstance(entry, Weighted):
        return entry.mean
    return None if isinstance(entry, (Artificial, NoScore)) else entry
