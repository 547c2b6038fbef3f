"""Loba: the penalties (section 5), the result sheet (section 8) and the match (section 6)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ... import sheets
from ...contract import Fact, Field, Outcome
from ...errors import BadSheet
from ...phrases import Phrase
from .cards import HAND, JOKERS, PACK, penalty, size_of

ALL_POINTS = {1: 828, 14: 932}  # of the pack, by what an ace counts
WHOLE_HAND = {1: (14, 191), 14: (25, 198)}  # the least and the most of eleven cards
LEAST = {1: 1, 14: 2}  # of one card
MOST_LAID = {
    1: {1: 113, 2: 100, 3: 75, 4: 50, 5: 25},
    14: {1: 114, 2: 100, 3: 75, 4: 50, 5: 25},
}  # by mène, of what is left at most after a lay-down


@dataclass(frozen=True, slots=True)
class Ending:
    """Penalties by seat; the finisher (index), if there is one."""

    points: tuple[int, ...]
    finisher: int | None


def outcome_of(result: Ending) -> Outcome:
    """The penalties, as points lost."""
    facts = [
        Fact("finisher" if seat == result.finisher else "left", seat + 1, -points)
        for seat, points in enumerate(result.points)
    ]
    if result.finisher is None:
        facts.insert(0, Fact("no-finisher"))
    return Outcome(tuple(-points for points in result.points), tuple(facts))


class SheetReader:
    """Reads a sheet of a mène; `mene`: its number by the board, the deal or the condition, if known."""

    def __init__(self, fields: tuple[Field, ...], sheet: Any, seats: int, mene: int | None, ace: int) -> None:
        sheets.check(fields, sheet, seats=seats)
        self.sheet, self.seats, self.ace = sheet, seats, ace
        given = sheet.get("mene", mene)
        if given is None:
            raise BadSheet("mene", Phrase("is missing"))
        if mene is not None and given != mene:
            raise BadSheet("mene", Phrase("this is mène {mene}", mene=mene))
        self.mene = int(given)

    def read(self) -> Ending:
        finisher = self.sheet["finisher"] - 1 if self.sheet["finisher"] is not None else None
        laid = self.sheet.get("laid")
        if laid is not None and finisher is not None and not laid[finisher]:
            raise BadSheet("laid", Phrase("a player who finished must have laid down"))
        if ("points" in self.sheet) == ("left" in self.sheet):
            raise BadSheet("points", Phrase("give either the points or the cards left, and not both"))
        if "left" in self.sheet:
            return Ending(self.left(finisher, laid), finisher)
        points = tuple(self.sheet["points"])
        if sum(points) > ALL_POINTS[self.ace]:
            raise BadSheet("points", Phrase("add up to more than the pack has"))
        for seat, own in enumerate(points):
            least, most = self.bounds(seat == finisher, None if laid is None else laid[seat])
            if not least <= own <= most:
                raise BadSheet(
                    "points",
                    Phrase("seat {seat}: from {least} to {most}", seat=seat + 1, least=least, most=most),
                )
        return Ending(points, finisher)

    def bounds(self, finished: bool, laid: bool | None) -> tuple[int, int]:
        """The least and the most that a seat can have left."""
        if finished:
            return 0, 0
        least, most = WHOLE_HAND[self.ace]
        if laid is False or (laid is None and self.mene not in MOST_LAID[self.ace]):
            return least, most
        if laid is None:
            return LEAST[self.ace], most
        if self.mene not in MOST_LAID[self.ace]:
            raise BadSheet("laid", Phrase("a player who lays down in the sixth mène has finished"))
        return LEAST[self.ace], MOST_LAID[self.ace][self.mene]

    def left(self, finisher: int | None, laid: Sequence[bool] | None) -> tuple[int, ...]:
        """The penalties of the cards left."""
        given = self.sheet["left"]
        if len(given) != self.seats or not all(isinstance(cards, list) for cards in given):
            raise BadSheet("left", Phrase("must be a list of {seats} values, one per seat", seats=self.seats))
        together = [card for cards in given for card in cards]
        if not all(isinstance(card, str) and (card in PACK or card == "JK") for card in together):
            raise BadSheet("left", Phrase("has cards that are not in the pack"))
        counts = Counter(together)
        jokers = sum(counts[joker] for joker in ("JK", *JOKERS))
        if any(count > PACK.copies for card, count in counts.items() if card != "JK") or jokers > 4:
            raise BadSheet("left", Phrase("has more copies of a card than the pack"))
        most = HAND - size_of(self.mene)
        for seat, cards in enumerate(given):
            sizes = {0} if seat == finisher else {HAND, *range(1, most + 1)}
            if laid is not None and seat != finisher:
                sizes = set(range(1, most + 1)) if laid[seat] else {HAND}
            if len(cards) not in sizes:
                raise BadSheet(
                    "left",
                    Phrase("seat {seat} cannot have {count} cards left", seat=seat + 1, count=len(cards)),
                )
        return tuple(sum(penalty(card, self.ace) for card in cards) for cards in given)
