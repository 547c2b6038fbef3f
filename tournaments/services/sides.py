"""What the sides of a table say of one play. The first sheet counts. Another side's sheet that says the same
confirms it; one that says something else opposes it, until a scorer has looked. A side may correct itself,
and so may a phone that speaks for the whole table; what an official has entered, no table replaces.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import F
from django.utils import timezone

from ..models import Confirmation, Play, Submission, Tally
from . import bulk, live_lists

State = Submission.State


class Sheet(NamedTuple):
    """What came in for a play and was accepted. `table`: None where an official entered it; `seat`: whose
    phone it came from, None where one speaks for the whole table; `says`: the result sheet."""

    submission: int
    play: int
    table: int | None
    seat: int | None
    says: Any


class Heard(NamedTuple):
    """A sheet that would count. `sides`: the seats of each side of the table; `is_again`: something counts
    for its play already."""

    session: int
    sheet: Sheet
    sides: Sequence[Sequence[int]]
    is_again: bool


@dataclass(slots=True)
class Said:
    """What has been said of a play so far, in its session. `counting`: the sheet that is its result, or will
    be; `opposing`: the newest sheet of another side that says something else; `disagreement`: as of
    `Play`."""

    session: int
    counting: Sheet | None = None
    opposing: Sheet | None = None
    disagreement: int | None = None
    is_changed: bool = False
    confirmed_by: Sheet | None = None


def hear(new: Sequence[Heard]) -> tuple[dict[int, State], list[Said]]:
    """What becomes of sheets, the oldest first: the new state of those that do not count, and what has
    changed for their plays. Two or three queries where a seat says something, or a table again; none
    otherwise. In a transaction: whoever judges another sheet of these plays waits, or hands one in."""
    plays = {
        one.sheet.play: one.session
        for one in new
        if one.sheet.seat is not None or (one.sheet.table is not None and one.is_again)
    }
    if not plays:
        return {}, []
    said = _said(plays)
    states: dict[int, State] = {}
    for one in new:
        if (play := said.get(one.sheet.play)) is not None and (state := _hear(play, one.sheet, one.sides)):
            states[one.sheet.submission] = state
    return states, [one for one in said.values() if one.is_changed]


def _hear(play: Said, sheet: Sheet, sides: Sequence[Sequence[int]]) -> State | None:
    """Take a sheet in; None if it counts."""
    first = play.counting
    if first is None or _may_replace(play, first, sheet, sides):
        play.counting, play.confirmed_by = sheet, None
        if first is not None and play.disagreement is not None:
            _correct(play, sheet)
        return None
    if first.says == sheet.says:
        if play.opposing is None or _is_own(play.opposing, sheet, sides):
            play.opposing, play.disagreement = None, None
        play.confirmed_by, play.is_changed = sheet, True
        return State.AGREED
    play.opposing, play.is_changed = sheet, True
    play.disagreement = max(sheet.submission, first.submission)
    return State.OPPOSED


def _may_replace(play: Said, first: Sheet, sheet: Sheet, sides: Sequence[Sequence[int]]) -> bool:
    """Whether a sheet counts instead of the first: an official's; that of who said the first; and a whole
    table's that has read what its sides disagree about."""
    if sheet.table is None or _is_own(first, sheet, sides):
        return True
    if first.table is None or sheet.seat is not None or play.opposing is None:
        return False
    return play.opposing.seat is not None or play.opposing.says == sheet.says


def _is_own(first: Sheet, sheet: Sheet, sides: Sequence[Sequence[int]]) -> bool:
    """Whether the same side says both, or one phone for all."""
    if first.table is None or sheet.table is None:
        return False
    if first.seat is None or sheet.seat is None:
        return first.seat is None and sheet.seat is None
    return any(first.seat in side and sheet.seat in side for side in sides)


def _correct(play: Said, sheet: Sheet) -> None:
    """What counts is corrected while the sides disagree. A whole table, or an official, has settled it. A
    side has, if it says now what the other does; otherwise they go on to disagree."""
    if sheet.seat is None:
        play.opposing = play.disagreement = None
    elif play.opposing is not None and play.opposing.says == sheet.says:
        play.confirmed_by, play.opposing, play.disagreement = play.opposing, None, None
    else:
        play.disagreement = sheet.submission
    play.is_changed = True


def _said(plays: Mapping[int, int]) -> dict[int, Said]:
    wanted = {"play": ("bigint", sorted(plays))}
    locked = bulk.select(
        """
        SELECT play.id, play.disagreement_id FROM {wanted} JOIN tournaments_play play ON play.id = wanted.play
        ORDER BY play.id
        """,
        wanted,
        lock="FOR NO KEY UPDATE OF play",
    )
    said = {pk: Said(plays[pk], disagreement=disagreement) for pk, disagreement in locked}
    rows = bulk.select(
        """
        SELECT first.id, first.play_id, first.table_id, first.seat, result.sheet
        FROM {wanted} JOIN tournaments_result result ON result.play_id = wanted.play
        JOIN tournaments_submission first ON first.id = result.submission_id
        """,
        wanted,
    )
    for *who, sheet in rows:
        one = Sheet._make((*who, _value(sheet)))
        said[one.play].counting = one
        disagreement = said[one.play].disagreement
        if disagreement is not None and disagreement < one.submission:  # what counts is newer: it is settled
            said[one.play].disagreement = None
    if open_ones := [play for play, one in said.items() if one.disagreement is not None]:
        opposed = Submission.objects.filter(play__in=open_ones, state=State.OPPOSED).order_by("pk")
        for pk, play, table, seat, content in opposed.values_list("pk", "play", "table", "seat", "content"):
            said[play].opposing = Sheet(pk, play, table, seat, content.get("sheet"))
    return said


def _value(sheet: Any) -> Any:
    return json.loads(sheet) if isinstance(sheet, str) else sheet


def keep(said: Sequence[Said]) -> None:
    """Store what has changed: a few statements for all. The tallies of their sessions are held already."""
    note_change({one.session for one in said})
    agreed = [  # by a seat: that a phone for all says the same again is nobody's word
        (one.counting, by)
        for one in said
        if one.counting and (by := one.confirmed_by) and by.seat is not None
    ]
    ids = bulk.new_ids(Confirmation, len(agreed)) if agreed else []
    if agreed:
        bulk.insert(
            Confirmation,
            {
                "id": ids,
                "submission": [first.submission for first, _by in agreed],
                "table": [by.table for _first, by in agreed],
                "seat": [by.seat for _first, by in agreed],
                "sheet": [by.submission for _first, by in agreed],
            },
            same={"role": None, "is_shared": False, "made_at": timezone.now()},
        )
        bulk.update(Play, {"id": [first.play for first, _by in agreed], "confirmation": ids})
    plays = [one for one in said if one.counting is not None]
    bulk.update(
        Play,
        {
            "id": [one.counting.play for one in plays if one.counting],
            "disagreement": [one.disagreement for one in plays],
        },
    )


def note_change(sessions: Collection[int]) -> None:
    """Whoever has an answer about one of these sessions asks anew."""
    Tally.objects.filter(session__in=sessions).update(said=F("said") + 1)
    live_lists.look_again(sessions)
