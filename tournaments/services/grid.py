"""The running grid: how far each board at each table is, as whoever looks may know it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..models import Session
from . import flags, play_states
from .flags import OfficialSight, WatchedPlay
from .play_states import PlayState

WAITING = (PlayState.DISPUTED, PlayState.LATE)  # for a director


@dataclass(frozen=True, slots=True)
class GridPlay:
    """A board at a table. `scores`, `ruled`: by seat, and what has been ruled in their place, where the
    viewer may know them."""

    play: int
    section: str
    table: int
    round: int
    board: int
    state: PlayState
    scores: Sequence[int] | None
    submission: int | None
    ruled: Sequence[str | None] | None = None


def plays_of(session: Session, rows: Sequence[WatchedPlay], sight: OfficialSight) -> list[GridPlay]:
    """The plays of a session with their states. Its time grows with the plays."""
    late = {one.play for one in flags.missing(session, rows)}
    found = []
    for one in rows:
        sees = sight.sees(one)
        state = state_of(one, is_late=one.play in late, tells_disputes=sees and sight.directs)
        scores = one.scores if sees else None
        found.append(
            GridPlay(
                *(one.play, one.section, one.table, one.round, one.board),
                *(state, scores, one.submission if sees else None, one.ruled if sees else None),
            )
        )
    return found


def state_of(one: WatchedPlay, *, is_late: bool, tells_disputes: bool) -> PlayState:
    """How far a play is. That its deal contradicts a result tells something of the deal: only those are told
    who direct the session, and may know results of the board."""
    facts = play_states.PlayFacts(
        *(one.is_seated, one.submission, one.is_by_official, one.confirmed, one.disagreement, one.ruled)
    )
    state = play_states.state_of(facts)
    if state in MISSING and is_late:
        return PlayState.LATE
    if state in ENTERED and one.is_contradicted and tells_disputes:
        return PlayState.DISPUTED
    return state


MISSING = (PlayState.EXPECTED, PlayState.AT_PLAY)
ENTERED = (PlayState.ENTERED, PlayState.CONFIRMED)
