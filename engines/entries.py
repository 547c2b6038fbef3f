"""What is entered for a deal of a match: its sheet, and perhaps who dealt it, and which board it was; and the
options of matches that several games have."""

from typing import Any

from .contract import Option
from .errors import BadSheet
from .matches import Match
from .phrases import Phrase
from .sheets import is_whole

IN_TURN = Phrase("the players deal in turn")

WHOLE_ROUNDS = Option(
    "deals", (12,), ("ledger",), Phrase("how many deals a match has"),
    more=lambda value: is_whole(value, 3, None) and value % 3 == 0,
    which=Phrase("another positive multiple of three"),
)  # fmt: skip
FIRST_DEALER = Option("dealer", (1, 2, 3), ("ledger",), Phrase("who deals first in the match"))


def match_entry(entry: object, seats: int, due: int | None, rule: Phrase) -> dict[str, Any]:
    """A copy of the entry of a deal in a match, which may give its `dealer` and its `board` beside its sheet;
    both are checked. By the `rule` it is `due` who deals; None: anybody, as in a first deal."""
    if not isinstance(entry, dict):
        raise BadSheet("sheet", Phrase("must be an object of fields"))
    if "dealer" in entry and not is_whole(entry["dealer"], 1, seats):
        raise BadSheet("dealer", Phrase("must be a seat from 1 to {seats}", seats=seats))
    if due is not None and entry.get("dealer", due) != due:
        raise BadSheet("dealer", Phrase("must be seat {seat}: {rule}", seat=due, rule=rule))
    if "board" in entry and not is_whole(entry["board"], 1, None):
        raise BadSheet("board", Phrase("must be a whole number, {least} or more", least=1))
    return dict(entry)


class InTurn(Match):
    """One in which two players deal in turn: `dealer` is the next one."""

    dealer = 1

    def dealt(self, entry: Any) -> tuple[dict[str, Any], int]:
        """What was entered for a deal, and who dealt it; then it is the other's turn."""
        details = match_entry(entry, 2, self.dealer if self.count else None, IN_TURN)
        dealer: int = details.pop("dealer", self.dealer)
        self.dealer = 3 - dealer
        return details, dealer
