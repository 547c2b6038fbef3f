"""Frappe: a sensible robot."""

from collections.abc import Sequence

from .cards import NEXT_RANK, NUMBER, worth
from .play import ARRANGE, EXTEND_OR_NOT, IN_PLACE, WAIT, FrappeView, in_position


def suggestion(view: FrappeView, legal: Sequence[str]) -> str:
    """Leaves the extension for later and lays it for the most points; plays what marks and takes most."""
    if view.phase == EXTEND_OR_NOT.name:
        return WAIT
    if view.phase == ARRANGE.name:
        return max(legal, key=lambda token: in_position(token[8:-1].split(","), token[-1]))
    return max(legal, key=lambda token: promise(token.removeprefix("play:"), view))


def promise(play: str, view: FrappeView) -> float:
    """The points of a play now, and a little for each card that it takes."""
    card = play.removesuffix(IN_PLACE)
    rank, table, pending = card[0], [token[0] for token in view.table], view.pending
    in_place = NUMBER[rank] if NUMBER.get(rank) == len(table) + 1 else 0
    if play != card:
        return in_place
    if pending is not None and pending.cards[0][0] == rank:
        return 61 if pending.kind == "contre-frappe" else 3 * worth(rank) + 2
    if rank not in table:
        risk = 0.5 * worth(rank) if view.held[0] + view.held[1] > 1 else 0
        return in_place - risk
    length, following = 1, NEXT_RANK[rank]
    while following != rank and following in table:
        length, following = length + 1, NEXT_RANK[following]
    struck = view.last_played is not None and view.last_played[0] == rank
    swept = length == len(table)
    return 0.8 * (length + 1) + (worth(rank) if struck else 0) + (1 if swept else 0)
