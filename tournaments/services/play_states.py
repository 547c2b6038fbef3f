"""How far a play has come, from who is expected at the table to what stands for it."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from scoring.entries import NoScore


class PlayState(StrEnum):
    EXPECTED = "expected"
    AT_PLAY = "at-play"  # the table has said that it sits
    ENTERED = "entered"
    CONFIRMED = "confirmed"  # another side of the table has agreed, or an official who did not sit there
    DISPUTED = "disputed"  # the sides of the table say different things
    RULED = "ruled"
    NOT_PLAYED = "not-played"
    LATE = "late"  # expected, and missed by now: said where somebody looks for what is missing (`grid`)


class PlayFacts(NamedTuple):
    """What a play's state follows from. `submission`: of its result, and whether an official entered it who
    did not sit there;
    `confirmed`: the submission that was confirmed last; `ruled`: by seat, what directors have put in place of
    a score."""

    is_seated: bool = False
    submission: int | None = None
    by_official: bool = False
    confirmed: int | None = None
    disagreement: int | None = None
    ruled: Sequence[str | None] | None = None


def state_of(play: PlayFacts) -> PlayState:
    """The state that it has now. A ruling stands before anything that was handed in."""
    if play.ruled and any(play.ruled):
        is_off = set(play.ruled) == {NoScore.NOT_PLAYED.value}
        return PlayState.NOT_PLAYED if is_off else PlayState.RULED
    if play.submission is None:
        return PlayState.AT_PLAY if play.is_seated else PlayState.EXPECTED
    if is_disputed(play.submission, play.disagreement):
        return PlayState.DISPUTED
    is_confirmed = play.by_official or play.confirmed == play.submission
    return PlayState.CONFIRMED if is_confirmed else PlayState.ENTERED


def is_disputed(submission: int | None, disagreement: int | None) -> bool:
    """Whether the sides of a table disagree, by the submission of the result and the newest of those that say
    different things: what counts and is newer has settled it."""
    return submission is not None and disagreement is not None and disagreement >= submission
