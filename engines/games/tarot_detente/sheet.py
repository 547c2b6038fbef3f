"""Tarot double détente and Triple-Détente: the result sheet (section 8)."""

from collections.abc import Sequence
from typing import Any

from ... import sheets
from ...contract import Settings
from ...errors import BadSheet
from ...phrases import Phrase
from .cards import ACES, EXCUSE, KNIGHTS, PETIT, TRICKS, Part
from .marks import PartResult
from .play import NOBODY_IN_THE_RED, NOT_THIRTEEN

KEYS = (
    "contracts",
    "tricks",
    "petit",
    "petit_last",
    "excuse_last",
    "knights",
    "aces",
    "all_or_nothing",
    "fault",
)


class PartReader:
    """Reads the block of one part; errors name its place: `parts[1].tricks`."""

    def __init__(self, place: str, block: Any, seats: int, options: Settings) -> None:
        if not isinstance(block, dict):
            raise BadSheet(place, Phrase("must be an object of names and values"))
        self.place, self.seats, self.options = place, seats, options
        self.block = {name: value for name, value in block.items() if value is not None}
        for name in self.block:
            if name not in KEYS:
                names = ", ".join(KEYS)
                self.refuse(
                    str(name), Phrase("is not a field of this game; its fields are: {names}", names=names)
                )

    def refuse(self, name: str, constraint: Phrase) -> None:
        raise BadSheet(f"{self.place}.{name}", constraint)

    def seat(self, name: str) -> int | None:
        value = self.block.get(name)
        if value is not None and not sheets.is_whole(value, 1, self.seats):
            self.refuse(name, Phrase("must be a seat from 1 to {seats}", seats=self.seats))
        return None if value is None else int(value) - 1

    def numbers(self, name: str, most: int) -> tuple[int, ...]:
        value = self.block.get(name)
        if not isinstance(value, list) or len(value) != self.seats:
            self.refuse(name, Phrase("must be a list of {seats} values, one per seat", seats=self.seats))
        elif not all(sheets.is_whole(one, 0, most) for one in value):
            self.refuse(name, Phrase("must be a whole number from {least} to {most}", least=0, most=most))
        return tuple(value or ())

    def optional_numbers(self, name: str, option: str) -> tuple[int, ...]:
        """Numbers that are there with an option, and only then."""
        if self.options[option]:
            return self.numbers(name, TRICKS)
        if name in self.block:
            self.refuse(name, Phrase("belongs only to the option {option}", option=option))
        return (0,) * self.seats

    def read(self, eligible: Sequence[bool]) -> PartResult:
        fault = self.seat("fault")
        if fault is not None:
            for name in self.block:
                if name != "fault":
                    self.refuse(name, Phrase("must be left out: a fault stopped this part"))
            return PartResult((0,) * self.seats, (), fault=fault)
        contracts, tricks = self.numbers("contracts", TRICKS), self.numbers("tricks", TRICKS)
        if self.seats == 2 and sum(contracts) == TRICKS:
            self.refuse("contracts", NOT_THIRTEEN)
        if sum(tricks) != TRICKS:
            self.refuse("tricks", Phrase("add up to {total}; thirteen tricks are played", total=sum(tricks)))
        petit, excuse = self.seat("petit"), self.seat("excuse_last")
        petit_last = self.block.get("petit_last", False)
        if not isinstance(petit_last, bool) or (petit_last and petit is None):
            self.refuse(
                "petit_last",
                Phrase("must be true or false, and can be true only where somebody won the Petit"),
            )
        if petit is not None and not tricks[petit]:
            self.refuse("petit", Phrase("this seat has won no trick"))
        if excuse is not None and tricks[excuse] == TRICKS:
            self.refuse("excuse_last", Phrase("the player of the Excuse does not win that trick"))
        if petit_last and petit == excuse:
            self.refuse("excuse_last", Phrase("the player of the Excuse does not win that trick"))
        knights = self.optional_numbers("knights", "cavalry")
        if any(count and not won for count, won in zip(knights, tricks, strict=True)):
            self.refuse("knights", Phrase("this seat has won no trick"))
        aces = self.optional_numbers("aces", "winning_ace")
        if any(count > won for count, won in zip(aces, tricks, strict=True)):
            self.refuse("aces", Phrase("no seat can win more tricks with aces than it wins in all"))
        targets = self.targets(eligible)
        return PartResult(contracts, tricks, petit, petit_last, excuse, knights, aces, targets)

    def targets(self, eligible: Sequence[bool]) -> tuple[int | None, ...]:
        given = self.block.get("all_or_nothing", [None] * self.seats)
        if not isinstance(given, list) or len(given) != self.seats:
            self.refuse(
                "all_or_nothing", Phrase("must be a list of {seats} values, one per seat", seats=self.seats)
            )
        for seat, target in enumerate(given):
            if target is None:
                continue
            named = self.options["all_or_nothing"] and sheets.is_whole(target, 1, self.seats)
            if not named or target - 1 == seat or not eligible[target - 1]:
                self.refuse("all_or_nothing", NOBODY_IN_THE_RED)
        return tuple(None if target is None else target - 1 for target in given)

    def check_against(self, result: PartResult, part: Part) -> None:
        """The result of a part against the cards that were dealt in it."""
        if result.fault is not None:
            return
        together = sum(part.hands)
        if (result.petit is not None) != bool(together & PETIT):
            self.refuse("petit", Phrase("can be won only in the part in which it is dealt"))
        holder = next((seat for seat, hand in enumerate(part.hands) if hand & EXCUSE), None)
        if result.excuse_last is not None and result.excuse_last != holder:
            self.refuse("excuse_last", Phrase("this seat was not dealt the Excuse in this part"))
        if holder is not None and result.tricks[holder] == TRICKS:
            self.refuse("tricks", Phrase("the holder of the Excuse wins twelve tricks at most"))
        if self.options["cavalry"] and sum(result.knights) != (together & KNIGHTS).bit_count():
            self.refuse(
                "knights",
                Phrase("{count} knights were dealt in this part", count=(together & KNIGHTS).bit_count()),
            )
        if self.options["winning_ace"] and sum(result.aces) > (together & ACES).bit_count():
            self.refuse(
                "aces", Phrase("{count} aces were dealt in this part", count=(together & ACES).bit_count())
            )


def check_whole(results: Sequence[PartResult], options: Settings) -> None:
    """What is true of every board, whatever was dealt."""
    stopped = any(result.fault is not None for result in results)
    petits = sum(result.petit is not None for result in results)
    if petits > 1 or (petits == 0 and not stopped):
        raise BadSheet("parts", Phrase("the Petit is won in exactly one part"))
    if sum(result.excuse_last is not None for result in results) > 1:
        raise BadSheet("parts", Phrase("the Excuse is dealt in one part only"))
    knights = sum(sum(result.knights) for result in results)
    if options["cavalry"] and (knights > 4 or (knights < 4 and not stopped)):
        raise BadSheet("parts", Phrase("there are four knights"))
    if sum(sum(result.aces) for result in results) > 4:
        raise BadSheet("parts", Phrase("there are four aces"))
