"""The movements that would do for a draft: a worker compares them, pages show them side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import combinations
from typing import Any

from django.utils import timezone, translation

from engines import registry
from engines.contract import Game
from engines.dealing import canonical
from engines.phrases import LANGUAGES
from scoring.rounding import decimals

from .. import movements
from ..models import Draft
from . import queue, sessions
from .errors import Refused
from .session_wishes import ChosenMovement, SessionWish, contestant_count, minutes_between, wish_of

TRIANGLE_AT_MOST = 24  # contestants: who meets whom can be drawn
OFFERED_AT_MOST = 4  # movements
CHANGE_MINUTES = 2  # from one round to the next
LATE_MINUTES = 15  # that nobody minds
ASK_AGAIN = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class Offer:
    """A movement that would do, measured: what a page shows of it. `boards`: how many there are; `copies`:
    of each, in one round. `met`: for each contestant how often it meets each one before it; empty for more
    than can be drawn. `method`: the only one that makes sense, with the reason by language."""

    movement: ChosenMovement
    boards: int
    copies: int
    boards_each: tuple[int, int]
    sit_outs: tuple[int, int]
    meetings: tuple[int, int]
    balance: str | None
    one_ranking: bool
    met: tuple[tuple[int, ...], ...]
    method: str | None
    reason: Mapping[str, str]

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "Offer":
        pairs = {name: tuple(stored[name]) for name in ("boards_each", "sit_outs", "meetings")}
        met = tuple(tuple(row) for row in stored["met"])
        return cls(**{**stored, **pairs, "met": met, "movement": ChosenMovement(**stored["movement"])})

    def minutes(self, a_board: int) -> int:
        """How long it takes, with the changes between rounds."""
        rounds = self.movement.rounds
        return rounds * self.movement.boards_per_round * a_board + (rounds - 1) * CHANGE_MINUTES


def boards_in(begins: str, ends: str, minutes: int) -> int:
    """How many boards there is time for, in rounds of three with a change between them.

    >>> boards_in("19:30", "22:45", 7), boards_in("22:00", "00:30", 7)
    (26, 20)
    """
    return max(round((minutes_between(begins, ends) + CHANGE_MINUTES) / (minutes + CHANGE_MINUTES / 3)), 1)


def end_of(wish: SessionWish, offer: Offer) -> str:
    """When an evening with this movement ends."""
    start = datetime.strptime(wish.begins, "%H:%M")
    return (start + timedelta(minutes=offer.minutes(wish.minutes))).strftime("%H:%M")


def boards_each(wish: SessionWish, contestants: int) -> int:
    """How many boards each is to play: as many as were asked for, or as there is time for beside the rounds
    that each sits out."""
    if wish.boards is not None:
        return wish.boards
    seats = sides_of(registry.game(wish.game))
    out = contestants % seats
    there_is_time_for = boards_in(wish.begins, wish.ends, wish.minutes)
    return min(max(round(there_is_time_for * (1 - out / contestants)), 1), 100)


def sides_of(game: Game[Any]) -> int:
    """How many contestants sit at a table, as a rule."""
    return len(game.sides_of(sessions.conditions_of(game, None)))


def question_of(draft: Draft, wish: SessionWish) -> dict[str, Any] | None:
    """What movements are asked for; None before the game and the contestants are known."""
    count = contestant_count(draft, wish)
    if not wish.game or count < 2:
        return None
    return {"game": wish.game, "contestants": count, "boards": boards_each(wish, count)}


def _digest(question: Mapping[str, Any]) -> str:
    return sha256(canonical(dict(question))).hexdigest()


def ask_for_movements(draft: Draft) -> None:
    """Ask a worker for the movements of a draft, unless they are there, or on their way since a moment."""
    question = question_of(draft, wish_of(draft))
    if question is None:
        return
    is_asked = draft.compared == (digest := _digest(question))
    if is_asked and (draft.comparison is not None or not _has_waited(draft)):
        return
    now = timezone.now()
    Draft.objects.filter(pk=draft.pk).update(asked_at=now, comparison=None, compared=digest)
    draft.asked_at, draft.comparison, draft.compared = now, None, digest
    queue.after_commit("compare_movements", draft.pk)


def _has_waited(draft: Draft) -> bool:
    """Whether the message to the workers may be lost."""
    return draft.asked_at is None or draft.asked_at < timezone.now() - ASK_AGAIN


def compare(*, draft_id: int) -> None:
    """Compare the movements that a draft asks for, and keep them, unless it asks for others meanwhile. Twice
    or late does no harm."""
    draft = Draft.objects.select_related("club").filter(pk=draft_id).first()
    if draft is None or (question := question_of(draft, wish_of(draft))) is None:
        return
    if draft.compared != (digest := _digest(question)) or draft.comparison is not None:
        return
    found = _comparison(question)
    Draft.objects.filter(pk=draft_id, compared=digest).update(comparison=found)


def _comparison(question: Mapping[str, Any]) -> dict[str, Any]:
    try:
        found = sessions.movements_for(**question)
    except Refused:
        refusals = {}
        for language in LANGUAGES:
            with translation.override(language):
                try:
                    sessions.movements_for(**question)
                except Refused as refused:
                    refusals[language] = str(refused)
        return {"offers": [], "refusal": refusals}
    alone = [one for one in found if not one.beside]
    return {"offers": [asdict(_offer(one)) for one in alone[:OFFERED_AT_MOST]], "refusal": {}}


def _offer(one: movements.Candidate) -> Offer:
    measures, movement = one.quality, one.movement
    first = movement.sittings[0]
    a_round = [s for s in movement.sittings if (s.round, s.table) == (first.round, first.table)]
    reason = one.reason
    return Offer(
        movement=ChosenMovement(one.family, movement.rounds, len(a_round), one.seats),
        boards=movement.boards,
        copies=movement.copies,
        boards_each=(measures.boards.least, measures.boards.most),
        sit_outs=(measures.sit_outs.least, measures.sit_outs.most),
        meetings=(measures.meetings.least, measures.meetings.most),
        balance=None if measures.balance is None else decimals(measures.balance, 0),
        one_ranking=one.one_ranking,
        met=_met(movement, one.contestants),
        method=one.method,
        reason={} if reason is None else {language: reason.to(language) for language in LANGUAGES},
    )


def _met(movement: movements.Movement, contestants: int) -> tuple[tuple[int, ...], ...]:
    """In how many rounds each contestant shares a table with each one before it."""
    if contestants > TRIANGLE_AT_MOST:
        return ()
    tables: dict[tuple[int, int], set[int]] = {}
    for sitting in movement.sittings:
        tables.setdefault((sitting.round, sitting.table), set()).update(sitting.contestants)
    met = [[0] * number for number in range(contestants)]
    for seated in tables.values():
        for low, high in combinations(sorted(seated), 2):
            met[high - 1][low - 1] += 1
    return tuple(tuple(row) for row in met[1:])


def offers_of(draft: Draft) -> tuple[list[Offer], str] | None:
    """The movements that would do for what a draft says now, the best first, and why there is none, in a
    language; None while they are being compared."""
    question = question_of(draft, wish_of(draft))
    if question is None:
        return [], ""
    if draft.compared != _digest(question) or draft.comparison is None:
        return None
    found = draft.comparison
    return [Offer.of(one) for one in found["offers"]], found["refusal"].get(language(), "")


def language() -> str:
    return (translation.get_language() or "en")[:2]


def advised(wish: SessionWish, offers: Sequence[Offer]) -> Offer | None:
    """The best of them that ends in time; where none does, the best."""
    time = minutes_between(wish.begins, wish.ends) + LATE_MINUTES
    in_time = (one for one in offers if wish.boards is not None or one.minutes(wish.minutes) <= time)
    return next(in_time, offers[0] if offers else None)
