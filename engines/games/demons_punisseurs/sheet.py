"""Démons punisseurs: the result sheet (section 9)."""

from typing import Any

from ... import sheets
from ...contract import Field
from ...errors import BadSheet
from ...phrases import Phrase
from .cards import GAME, PAREIL, SEATS, SUITE, TRICKS
from .marks import ENOUGH, Ending, Share

WON = {
    1: {(0, 0)},
    2: {(0, 2), (2, 2)},
    3: {(0, 3), (2, 3), (3, 3)},
    0: {(3, 3)},  # the winner had declined a push
}
"""What the two others may lose, by what the winner marks."""
NOBODY = {(0, 0, 0), (0, 2, 2), (0, 3, 3), (2, 3, 3)}
REFUSED = (0, 0, 2)  # an untaken push whose author had no specimen; the jeu needs none


class SheetReader:
    def __init__(self, fields: tuple[Field, ...], sheet: Any) -> None:
        sheets.check(fields, sheet, seats=SEATS)
        self.sheet = sheet

    def read(self) -> Ending:
        tricks = self.sheet.get("tricks")
        result = Ending(
            self.share(PAREIL), self.share(SUITE), self.share(GAME), None if tricks is None else tuple(tricks)
        )
        self.check_tricks(result)
        return result

    def share(self, name: str) -> Share:
        given = self.sheet[name]
        if set(given) != {"winner", "points", "losses"}:
            raise BadSheet(name, Phrase("needs a winner, points and losses"))
        winner, points, losses = given["winner"], given["points"], given["losses"]
        if winner is not None and not sheets.is_whole(winner, 1, SEATS):
            raise BadSheet(name, Phrase("its winner must be a seat from 1 to {seats}, or null", seats=SEATS))
        if not isinstance(losses, list) or len(losses) != SEATS:
            raise BadSheet(
                name, Phrase("its losses must be a list of {seats} values, one per seat", seats=SEATS)
            )
        if not sheets.is_whole(points, 0, 3) or not all(
            sheets.is_whole(one, 0, 3) and one != 1 for one in losses
        ):
            raise BadSheet(name, Phrase("the winner marks 0 to 3 points, and each seat loses 0, 2 or 3"))
        if winner is None:
            lost = tuple(sorted(losses))
            refused = lost == REFUSED and name != GAME
            if points or not (lost in NOBODY or refused):
                raise BadSheet(name, Phrase("no bets can end like this where nobody wins"))
            return Share(None, 0, tuple(losses))
        others = tuple(sorted(one for seat, one in enumerate(losses, 1) if seat != winner))
        if losses[winner - 1] or others not in WON[points]:
            raise BadSheet(
                name, Phrase("no bets can end like this where a seat wins {points}", points=points)
            )
        return Share(winner - 1, points, tuple(losses))

    def check_tricks(self, result: Ending) -> None:
        tricks, winner = result.tricks, result.jeu.winner
        if tricks is None:
            return
        if sum(tricks) > TRICKS:
            raise BadSheet(
                "tricks", Phrase("add up to {total}; at most seven tricks are played", total=sum(tricks))
            )
        if ENOUGH in tricks:
            if winner not in {None, tricks.index(ENOUGH)}:
                raise BadSheet(GAME, Phrase("only the seat with four tricks can win it"))
        elif sum(tricks) == TRICKS and winner is not None:
            raise BadSheet(GAME, Phrase("nobody wins it where seven tricks are played and no seat has four"))
        elif sum(tricks) < TRICKS and winner is None:
            raise BadSheet(
                GAME, Phrase("somebody wins it: with fewer than seven tricks played it was conceded")
            )
