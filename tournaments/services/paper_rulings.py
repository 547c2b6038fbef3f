"""What a director decided at an evening on paper, as columns of its file: rulings and penalties by seat,
which cards were really dealt where a board was fouled, and why."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from engines.phrases import Phrase
from scoring.methods import METHODS

from ..models import Session
from ..models.people import fold
from . import comparisons, rulings
from .rulings import Actor, Kind, PlayPlace

DEAL, REASON = "deal", "reason"
DEAL_LETTERS, REASON_LETTERS = 20, 500
PERCENT = re.compile(r"(\d{1,3}(?:[.,]\d{1,6})?)\s*%?\s*([+-]?)")
AMOUNT = re.compile(r"(\d{1,6}(?:[.,]\d{1,6})?)\s*%?")
OWN = {"": "never", "+": "if better", "-": "if worse"}
WORDS: Mapping[str, Mapping[str, Any]] = {
    "average": {"kind": Kind.ARTIFICIAL.value, "percent": "50", "own": "never"},
    "average plus": {"kind": Kind.ARTIFICIAL.value, "percent": "60", "own": "if better"},
    "average minus": {"kind": Kind.ARTIFICIAL.value, "percent": "40", "own": "if worse"},
    "not played": {"kind": Kind.NOT_PLAYED.value},
    "annulled": {"kind": Kind.ANNULLED.value},
}
FRENCH = {
    "moyenne": "average",
    "moyenne plus": "average plus",
    "moyenne moins": "average minus",
    "non joué": "not played",
    "annulé": "annulled",
    "annulée": "annulled",
}
BY_WORD = {fold(word): WORDS[FRENCH.get(word, word)] for word in (*WORDS, *FRENCH)}


@dataclass(frozen=True, slots=True)
class RowRulings:
    """What a row says besides its result. By seat: `decisions` in the form in which a ruling is asked for,
    None where the score counts; `penalties`, exact, None for none. `deal`: the name of the cards that were
    really dealt there, "" for the board’s own."""

    decisions: tuple[Mapping[str, Any] | None, ...] = ()
    penalties: tuple[Fraction | None, ...] = ()
    deal: str = ""
    reason: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether something is decided for every seat, so that no result is needed."""
        return bool(self.decisions) and None not in self.decisions


NONE = RowRulings()


def columns(seats: int) -> list[str]:
    """The columns that a file may have besides those of the results."""
    by_seat = [f"{name}{seat}" for name in ("ruling", "penalty") for seat in range(1, seats + 1)]
    return [*by_seat, DEAL, REASON]


def read(cells: Mapping[str, str], seats: int) -> tuple[RowRulings, list[tuple[str, Phrase]]]:
    """What a row says, and what is wrong with it, by column."""
    wrong: list[tuple[str, Phrase]] = []

    def of_seats(name: str, value: Callable[[str], Any], reason: Phrase) -> tuple[Any, ...]:
        found = []
        for seat in range(1, seats + 1):
            text = cells.get(f"{name}{seat}", "")
            found.append(value(text) if text else None)
            if text and found[-1] is None:
                wrong.append((f"{name}{seat}", reason))
        return tuple(found)

    decisions = of_seats(
        "ruling", _decision, Phrase("a ruling is 60, 60+, 40-, average, not played or annulled")
    )
    penalties = of_seats("penalty", _amount, Phrase("a penalty is a number above 0, as 10 or 2,5"))
    deal, reason = cells.get(DEAL, ""), cells.get(REASON, "")
    if len(deal) > DEAL_LETTERS or not deal.isprintable():
        wrong.append((DEAL, Phrase("a deal is named by 20 characters at most")))
    if len(reason) > REASON_LETTERS or not reason.isprintable():
        wrong.append((REASON, Phrase("a reason has 500 characters at most")))
    return RowRulings(decisions, penalties, deal, reason), wrong


def _decision(text: str) -> Mapping[str, Any] | None:
    """
    >>> _decision("60+") == _decision("Moyenne plus") and _decision("101") is None
    True
    """
    if (found := BY_WORD.get(fold(text))) is not None:
        return found
    match = PERCENT.fullmatch(text.strip().replace("−", "-"))
    if match is None or (percent := Fraction(match[1].replace(",", "."))) > 100:
        return None
    return {"kind": Kind.ARTIFICIAL.value, "percent": str(percent), "own": OWN[match[2]]}


def _amount(text: str) -> Fraction | None:
    match = AMOUNT.fullmatch(text.strip())
    return None if match is None else Fraction(match[1].replace(",", ".")) or None


# ── Deciding ──────────────────────────────────────────────────────────────────────────────────────


def rule(
    *,
    session: Session,
    rows: Iterable[tuple[PlayPlace, Sequence[int], RowRulings]],
    actor: Actor,
) -> int:
    """Make the rulings that rows ask for, each with where it was played and the numbers of those who sat
    there; how many. The time grows with them. Invalid: one of them cannot be."""
    dealt: dict[int, dict[str, list[tuple[str, int]]]] = defaultdict(lambda: defaultdict(list))
    why: dict[int, str] = {}
    count = 0
    is_percent = comparisons.top(session) is not None
    unit = "percent" if is_percent else METHODS[session.method].unit
    for place, seated, asked in rows:
        reason = asked.reason or _("From the club’s file")
        if any(asked.decisions):
            plan = rulings.on_play(session=session, place=place, decisions=by_seats(asked.decisions))
            rulings.rule(plan, actor=actor, text=reason)
            count += 1
        for number, amount in zip(seated, asked.penalties, strict=False):
            if amount is not None:
                plan = rulings.on_contestant(
                    session=session, contestant=number, kind=Kind.PENALTY, amount=str(amount), unit=unit
                )
                rulings.rule(plan, actor=actor, text=reason)
                count += 1
        if asked.deal:
            dealt[place.board][asked.deal].append((place.section, place.table))
            why.setdefault(place.board, reason)
    for board, groups in sorted(dealt.items()):
        named = [(name, tables) for name, tables in sorted(groups.items())]
        plan = rulings.on_fouled_board(session=session, board=board, groups=named)
        rulings.rule(plan, actor=actor, text=why[board])
        count += 1
    return count


def by_seats(decisions: Sequence[Mapping[str, Any] | None]) -> list[dict[str, Any]]:
    """The decisions of a play, each with the seats that it holds for."""
    found: list[dict[str, Any]] = []
    for seat, one in enumerate(decisions, 1):
        if one is None:
            continue
        same = next((other for other in found if {**one, "seats": other["seats"]} == other), None)
        if same is None:
            found.append({**one, "seats": [seat]})
        else:
            same["seats"].append(seat)
    return found
