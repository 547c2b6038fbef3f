"""What results are worth, read from the histograms of their lines."""

from collections.abc import Collection, Sequence

from engines import registry
from scoring.entries import AVERAGE, Entry
from scoring.lines import Awards

from ..models import Line, Result, Session
from . import comparisons, counting


class AwardBook:
    """The awards of plays of some boards of a session: one query for all of them, when the first is asked
    for. The time grows with the boards and their different scores, not with the plays."""

    def __init__(self, session: Session, boards: Collection[int]) -> None:
        self.session, self.boards = session, boards
        self.sides = registry.game(session.game).sides_of(session.conditions)
        self.lines: dict[counting.Key, Awards] | None = None
        self.position = 0  # up to which the lines are counted

    def of(self, result: Result) -> list[str] | None:
        """See `at`."""
        return self.at(result.play.board_id, result.scores, result.averaged, result.position)

    def at(
        self, board: int, scores: Sequence[int], averaged: Sequence[int], position: int
    ) -> list[str] | None:
        """By seat, exactly; None until the lists have taken the result in."""
        won = [""] * sum(map(len, self.sides))
        for side, seats in enumerate(self.sides):
            line = self._lines.get((board, side))
            if line is None or position > self.position:
                return None
            entry: Entry = AVERAGE if seats[0] in averaged else scores[seats[0] - 1]
            try:
                award = line[entry]
            except KeyError:  # it was taken in after the histograms were read
                return None
            if award is None:
                return None
            for seat in seats:
                won[seat - 1] = str(award.points)
        return won

    @property
    def _lines(self) -> dict[counting.Key, Awards]:
        if self.lines is None:
            comparison = comparisons.comparison_of(self.session)
            plays = self.session.plays_per_board
            position = "board__board_set__session__tally__ranked_position"
            rows = Line.objects.filter(board__in=self.boards)
            self.lines = {}
            for board, side, counts, self.position in rows.values_list(
                "board_id", "side", "counts", position
            ):
                self.lines[board, side] = Awards(counting.entries_of(counts), comparison, plays)
        return self.lines
