"""Tarot double détente and Triple-Détente: the result sheet (section 8)."""

from collections.abc import Sequence
from typing import Any

from ... import sheets
from ...contract import Settings
from ...endings import value_of
from ...errors import BadSheet, NeedsDeal
from ...forms import Field, Form, Sentence, Step, rule
from ...phrases import Phrase
from .cards import ACES, EXCUSE, KNIGHTS, PETIT, RED, TRICKS, Part
from .marks import PartResult
from .play import NOBODY_IN_THE_RED, NOT_THIRTEEN

PLAYED = "fault == None"
STOPPED = "any(part.fault != None for part in parts)"
PETITS = "sum(1 for part in parts if part.petit != None)"
KNIGHTS_SO_FAR, ACES_SO_FAR = (
    f"so_far(so_far(part.{name}) for part in parts)" for name in ("knights", "aces")
)
LOST_EXCUSE = Phrase("the player of the Excuse does not win that trick")
NO_TRICK = Phrase("this seat has won no trick")
SCORES_ARE_DEALT = Phrase("whether a player may be named is said by the deal, which this sheet needs")

WHO_WON_THE_PETIT = Phrase("Who won the Petit, and in which part?")

PARTS_SAY = {
    2: Phrase("Contract and tricks in part 1: {n1} {c11}–{t11}, {n2} {c12}–{t12}, {n3} {c13}–{t13}; "
              "in part 2: {n1} {c21}–{t21}, {n2} {c22}–{t22}, {n3} {c23}–{t23}. "
              "{petit} won the Petit in part {part}."),
    3: Phrase("Contract and tricks in part 1: {n1} {c11}–{t11}, {n2} {c12}–{t12}; "
              "in part 2: {n1} {c21}–{t21}, {n2} {c22}–{t22}; "
              "in part 3: {n1} {c31}–{t31}, {n2} {c32}–{t32}. "
              "{petit} won the Petit in part {part}."),
}  # fmt: skip


def part_fields(count: int, seats: int) -> tuple[Field, ...]:
    def each_seat(name: str, label: Phrase, option: str, total: str = "") -> Field:
        """Numbers that are there with an option, and only then."""
        return Field(name, "whole", label, per_seat=True, most=TRICKS, total=total,
                     when=f"{PLAYED} and option.{option}")  # fmt: skip

    rest = f"4 - {KNIGHTS_SO_FAR} if number == {count} and not {STOPPED} else None"
    return (
        Field("contracts", "whole", Phrase("contracts"), per_seat=True, most=TRICKS, when=PLAYED),
        Field("tricks", "whole", Phrase("tricks"), per_seat=True, most=TRICKS, total=str(TRICKS),
              when=PLAYED),
        Field("petit", "seat", Phrase("the Petit won"), when=PLAYED, optional=True),
        Field("petit_last", "flag", Phrase("the Petit in the last trick"), when=PLAYED, optional=True,
              usual=False),
        Field("excuse_last", "seat", Phrase("the Excuse played to the last trick"), when=PLAYED,
              optional=True),
        each_seat("knights", Phrase("knights"), "cavalry", rest),
        each_seat("aces", Phrase("tricks that others won with an ace"), "winning_ace"),
        Field("all_or_nothing", "seat", Phrase("an opponent's all or nothing"), per_seat=True, nobody=True,
              when=f"{PLAYED} and option.all_or_nothing", optional=True,
              usual=[None] * seats),
        Field("fault", "seat", Phrase("fault"), optional=True),
    )  # fmt: skip


PART_RULES = (
    rule("contracts", f"contracts == None or len(seats) != 2 or sum(contracts) != {TRICKS}", NOT_THIRTEEN),
    rule("petit_last", "not petit_last or petit != None",
         Phrase("must be true or false, and can be true only where somebody won the Petit")),
    rule("petit", "petit == None or tricks[petit] > 0", NO_TRICK),
    rule("petit", f"petit == None or {PETITS} == 0", Phrase("is won in exactly one part")),
    rule("excuse_last", f"excuse_last == None or tricks[excuse_last] < {TRICKS}", LOST_EXCUSE),
    rule("excuse_last", "not petit_last or petit != excuse_last", LOST_EXCUSE),
    rule("knights", "knights == None or knights[seat] == 0 or tricks[seat] > 0", NO_TRICK,
         each="seat in seats"),
    rule("aces", "aces == None or aces[seat] <= tricks[seat]",
         Phrase("no seat can win more tricks with aces than it wins in all"), each="seat in seats"),
    rule("all_or_nothing", "all_or_nothing == None or all_or_nothing[seat] != seat", NOBODY_IN_THE_RED,
         each="seat in seats"),
)  # fmt: skip


def form_of(count: int, example: Sequence[Any]) -> Form:
    """The form of a game of so many parts."""
    whole = f"len(parts) < {count} or {STOPPED}"
    seats = range(1, len(example[0]["tricks"]) + 1)
    return Form(
        fields=(
            Field("parts", "list", Phrase("the parts, one block each"), placed=True,
                  of=part_fields(count, len(seats)), rules=PART_RULES),
        ),
        rules=(
            rule("parts", f"len(parts) <= {count}", Phrase("a board has {count} parts"), count=str(count)),
            rule("parts", f"{PETITS} <= 1 and ({PETITS} == 1 or {whole})",
                 Phrase("the Petit is won in exactly one part")),
            rule("parts", "sum(1 for part in parts if part.excuse_last != None) <= 1",
                 Phrase("the Excuse is dealt in one part only")),
            rule("parts", f"not option.cavalry or {KNIGHTS_SO_FAR} <= 4 and ({KNIGHTS_SO_FAR} == 4 or "
                          f"{whole})",
                 Phrase("there are four knights")),
            rule("parts", f"{ACES_SO_FAR} <= 4", Phrase("there are four aces")),
        ),
        steps=(
            Step("blocks", ("parts",), blocks=str(count), called=Phrase("part {n}"), steps=(
                Step("grid", ("contracts", "tricks"), when=PLAYED, near=1),
                Step("seats", ("excuse_last",), rare=True),
                Step("keys", ("knights",), when="option.cavalry"),
                Step("keys", ("aces",), when="option.winning_ace"),
                Step("facts", ("all_or_nothing",), when="option.all_or_nothing", rare=True,
                     unsure=True),
                Step("chips", ("petit_last",), when="petit != None", rare=True),
                Step("seats", ("fault",), rare=True),
            ), once=(
                Step("grid", ("petit",), when=f"not {STOPPED}", ask=WHO_WON_THE_PETIT),
            )),
        ),
        sentences=(
            Sentence(Phrase("{seat} committed a fault in one of the parts."), STOPPED,
                     {"seat": "max(part.fault for part in parts if part.fault != None)"}, seats=("seat",)),
            Sentence(PARTS_SAY[count], f"len(parts) == {count} and not {STOPPED}", {
                **{f"n{seat}": str(seat) for seat in seats},
                **{f"{name[0]}{part}{seat}": f"parts[{part}].{name}[{seat}]"
                   for part in range(1, count + 1) for seat in seats for name in ("contracts", "tricks")},
                "petit": "max(part.petit for part in parts if part.petit != None)",
                "part": "max(part if parts[part].petit != None else 0 for part in "
                        f"({', '.join(map(str, range(1, count + 1)))}))",
            }, seats=("petit", *(f"n{seat}" for seat in seats))),
        ),
        example={"parts": list(example)},
    )  # fmt: skip


def parts_on(form: Form, sheet: Any, seats: int, count: int, options: Settings) -> Sequence[PartResult]:
    """The parts on a sheet."""
    told = sheets.check(form, sheet, seats=seats, options=options)["parts"]
    if len(told) != count:
        raise BadSheet("parts", Phrase("a board has {count} parts", count=count))
    results: tuple[PartResult, ...] = value_of(form.fields[0], told, PartResult.told)
    return results


def check_targets(number: int, result: PartResult, scores: Sequence[int], *, is_started: bool) -> None:
    """Whoever is named for all or nothing has a hundred points by then. `is_started`: with the scores before
    the deal."""
    for target in result.all_or_nothing:
        if target is not None and scores[target] < RED:
            name = f"parts[{number}].all_or_nothing"
            raise BadSheet(name, NOBODY_IN_THE_RED) if is_started else NeedsDeal(name, SCORES_ARE_DEALT)


def check_against(number: int, result: PartResult, part: Part, options: Settings) -> None:
    """The result of a part against the cards that were dealt in it."""

    def refuse(name: str, constraint: Phrase) -> None:
        raise BadSheet(f"parts[{number}].{name}", constraint)

    if result.fault is not None:
        return
    together = sum(part.hands)
    if (result.petit is not None) != bool(together & PETIT):
        refuse("petit", Phrase("can be won only in the part in which it is dealt"))
    holder = next((seat for seat, hand in enumerate(part.hands) if hand & EXCUSE), None)
    if result.excuse_last is not None and result.excuse_last != holder:
        refuse("excuse_last", Phrase("this seat was not dealt the Excuse in this part"))
    if holder is not None and result.tricks[holder] == TRICKS:
        refuse("tricks", Phrase("the holder of the Excuse wins twelve tricks at most"))
    dealt = (together & KNIGHTS).bit_count()
    if options["cavalry"] and sum(result.knights) != dealt:
        refuse("knights", Phrase("{count} knights were dealt in this part", count=dealt))
    dealt = (together & ACES).bit_count()
    if options["winning_ace"] and sum(result.aces) > dealt:
        refuse("aces", Phrase("{count} aces were dealt in this part", count=dealt))
