"""Whom something would move, in the ranking and in the other lists, as pages of the desk show it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.errors import EngineError
from scoring.rounding import decimals
from tournaments.models import Account, Play, RuledPlay, Session, SessionList
from tournaments.services import desk_entries, differences, flags, list_contents, names, rulings
from tournaments.services.errors import Refused

MOVES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class MovesInList:
    """Who would move in a list, by their places there; `count`: how many in all, `more`: of them not shown;
    `leads`: who would be first and was not, `beside`: who else would be, as far as that is known. `name`:
    empty for the ranking."""

    name: str
    moves: Sequence[dict[str, Any]]
    count: int
    leads: Sequence[str]
    beside: Sequence[str] = ()

    @property
    def more(self) -> int:
        return self.count - len(self.moves)


@dataclass(frozen=True, slots=True)
class LookedAt:
    """What a ruling would change: `lists` in which it moves somebody, the ranking before the others, and the
    names of those `without` any change. `is_hidden`: whoever looks plays here, and is not told."""

    lists: Sequence[MovesInList] = ()
    without: Sequence[str] = ()
    is_hidden: bool = False


def looked_at(look: rulings.RulingLook, account: Account) -> LookedAt:
    """Whom a ruling would move: in the ranking, and in each further list in which it moves anybody."""
    found = [_in_list("", look.moves, account)]
    further = look.lists
    found += [_in_list(one.the_list.name, one.moves, account, one.the_list) for one in further if one.moves]
    moved = [one for number, one in enumerate(found) if one.count or not number]
    still = {one.name for one in moved}
    return LookedAt(moved, [one.the_list.name for one in further if one.the_list.name not in still])


def priced(
    session: Session, account: Account, play: Play, sheet: Mapping[str, Any], held: Collection[int]
) -> LookedAt | None:
    """Whom another result of a play would move; None where that cannot be said, as where a ruling counts for
    the whole board. `held`: as for `flags.sight_of`."""
    boards = flags.sight_of(session, account, flags.watched(session), held).boards
    ruled = RuledPlay.objects.filter(play=play).values_list("entries", flat=True).first() or ()
    seats = [seat for seat, token in enumerate(ruled, 1) if token is not None]
    try:
        price = desk_entries.look(session=session, play=play, sheet=sheet, ruled=seats, boards=boards)
    except (EngineError, Refused):
        return None
    return None if price is None else looked_at(price, account)


def _in_list(
    name: str, found: Sequence[differences.Move], account: Account, of: SessionList | None = None
) -> MovesInList:
    changed = [one for one in found if is_told(one)]
    shown = sorted(changed[:MOVES_SHOWN], key=_place)
    named = _named(shown, account, of)
    new = [one.contestant for one in shown if one.after.rank == 1 and one.before.rank != 1]
    beside = found.sharing_first(new) if new and isinstance(found, differences.Moves) else []
    others = names.of_contestants(beside, names.reader_for(account)) if beside else {}
    return MovesInList(
        name,
        [_move(one, named) for one in shown],
        len(changed),
        [named[one].name for one in new],
        [others[one].name for one in beside],
    )


def is_told(one: differences.Move) -> bool:
    """Whether a page that rounds scores shows any difference."""
    return one.before.rank != one.after.rank or _rounded(one.before) != _rounded(one.after)


def _rounded(one: differences.ListStanding) -> str | None:
    return None if one.score is None else decimals(one.score)


def _place(one: differences.Move) -> tuple[bool, int]:
    return one.after.rank is None, one.after.rank or 0


def moves_of(
    found: Sequence[differences.Move], account: Account, of: SessionList | None = None
) -> list[dict[str, Any]]:
    """Who would move in the ranking, or `of` a list, and how, the first of them first."""
    shown = found[: MOVES_SHOWN + 1]
    named = _named(shown, account, of)
    return [_move(one, named) for one in shown] + [{}] * (len(found) - len(shown))


def _named(
    shown: Sequence[differences.Move], account: Account, of: SessionList | None
) -> Mapping[int, names.Named]:
    whom, reader = {one.contestant for one in shown}, names.reader_for(account)
    return names.of_contestants(whom, reader) if of is None else list_contents.named(of, whom, reader)


def _move(one: differences.Move, named: Mapping[int, names.Named]) -> dict[str, Any]:
    change = 0 if None in (one.before.rank, one.after.rank) else one.before.rank - one.after.rank  # type: ignore[operator]
    before, after = one.before.score, one.after.score
    return {
        "name": named[one.contestant].name,
        "before": one.before,
        "after": one.after,
        "change": change,
        "by": None if before is None or after is None else after - before,
    }
