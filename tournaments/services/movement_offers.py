"""The movements that would do for a draft: a worker compares them, pages show them side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime, time, timedelta
from fractions import Fraction
from functools import lru_cache, partial
from hashlib import sha256
from itertools import combinations
from typing import Any

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from engines import registry
from engines.contract import Game
from engines.dealing import canonical
from engines.phrases import LANGUAGES
from scoring.rounding import decimals

from .. import movements
from ..models import Draft, Leg
from . import events, queue, sessions
from .errors import Refused
from .layouts import groups_of
from .movement_files import FILE
from .session_wishes import BY_TABLES, ChosenMovement, SessionWish, contestant_count, minutes_between, wish_of

TRIANGLE_AT_MOST = 24  # contestants: who meets whom can be drawn
MEASURED_AT_MOST = 40  # contestants: what it costs when one stays away takes a second to measure
OFFERED_AT_MOST = 4  # movements
CHANGE_MINUTES = 2  # from one round to the next
LATE_MINUTES = 15  # that nobody minds
SWISS = ("swiss", "team-swiss")
BY_MATCHES = ("swiss", "team-swiss", "team-round-robin", "knock-out", "team-knock-out")
"""What nobody has to compare: whom somebody meets follows from how things stand, or teams stay together."""
ASK_AGAIN = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class NoShow:
    """What is left for the others when one contestant stays away, whoever that is: the least and the most of
    their boards and of the rounds that they sit out, and the worst balance. `boards_each`, `sit_outs`: None
    where no table is left."""

    boards_each: tuple[int, int] | None = None
    sit_outs: tuple[int, int] | None = None
    balance: str | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> "NoShow | None":
        if stored is None:
            return None
        pairs = {name: stored[name] and tuple(stored[name]) for name in ("boards_each", "sit_outs")}
        return cls(**{**stored, **pairs})


@dataclass(frozen=True, slots=True)
class Offer:
    """A movement that would do, measured: what a page shows of it. `boards`: how many there are; `copies`:
    of each, in one round; `is_single`: one is enough, at one table at a time. `met`: for each contestant how
    often it meets each one before it; empty for more than can be drawn. `method`: the only one that makes
    sense, with the reason by language. `takes_newcomers`: whoever comes late plays though nobody leaves.
    `without_one`: None where it was not measured."""

    movement: ChosenMovement
    boards: int
    copies: int
    is_single: bool
    boards_each: tuple[int, int]
    sit_outs: tuple[int, int]
    meetings: tuple[int, int]
    balance: str | None
    one_ranking: bool
    met: tuple[tuple[int, ...], ...]
    method: str | None
    reason: Mapping[str, str]
    takes_newcomers: bool
    without_one: "NoShow | None" = None

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "Offer":
        pairs = {name: tuple(stored[name]) for name in ("boards_each", "sit_outs", "meetings")}
        met = tuple(tuple(row) for row in stored["met"])
        movement, without_one = ChosenMovement(**stored["movement"]), NoShow.of(stored["without_one"])
        return cls(**{**stored, **pairs, "met": met, "movement": movement, "without_one": without_one})

    def minutes(self, a_board: int) -> int:
        """How long it takes, with the changes between rounds."""
        return lasts(self.movement.rounds, self.movement.boards_per_round, a_board)


def lasts(rounds: int, a_round: int, a_board: int) -> int:
    """How many minutes so many rounds of so many boards take, with the changes between them."""
    return rounds * a_round * a_board + (rounds - 1) * CHANGE_MINUTES


def boards_in(begins: str, ends: str, minutes: int) -> int:
    """How many boards there is time for, in rounds of three with a change between them.

    >>> boards_in("19:30", "22:45", 7), boards_in("22:00", "00:30", 7)
    (26, 20)
    """
    return max(round((minutes_between(begins, ends) + CHANGE_MINUTES) / (minutes + CHANGE_MINUTES / 3)), 1)


def end_of(wish: SessionWish, offer: Offer) -> time:
    """When an evening with this movement ends."""
    start = datetime.strptime(wish.begins, "%H:%M")
    return (start + timedelta(minutes=offer.minutes(wish.minutes))).time()


def boards_each(wish: SessionWish, contestants: int) -> int:
    """How many boards each is to play: as many as were asked for, or as there is time for beside the rounds
    that each sits out."""
    if wish.boards is not None:
        return wish.boards
    there_is_time_for = boards_in(wish.begins, wish.ends, wish.minutes)
    return min(max(round(there_is_time_for * _share(wish, contestants)), 1), 100)


def _share(wish: SessionWish, contestants: int) -> Fraction:
    """Of all boards, those that each plays where somebody sits out in every round."""
    out = contestants % at_a_table(registry.game(wish.game), contestants)
    return 1 - Fraction(out, contestants)


def at_a_table(game: Game[Any], contestants: int) -> int:
    """How many contestants sit at a table: all of them, where the game has a table for so many; otherwise as
    many as sit there as a rule."""
    sizes = _sizes(game)
    return contestants if contestants in sizes else next(iter(sizes))


def is_one_table(game: Game[Any], contestants: int) -> bool:
    """Whether so many sit at one table of a game."""
    return contestants in _sizes(game)


def _sizes(game: Game[Any]) -> dict[int, int]:
    """The seats of a game's tables by how many contestants sit there, the usual table first."""
    return {len(game.sides_of(sessions.conditions_of(game, seats))): seats for seats in game.seats}


def has_sizes(game: Game[Any]) -> bool:
    """Whether a game is played at tables of several sizes."""
    return len(_sizes(game)) > 1


def question_of(draft: Draft, wish: SessionWish) -> dict[str, Any] | None:
    """What movements are asked for; None before the game and the contestants are known. `seats`: where all of
    them fill one table of another size than the usual, which nobody else could be compared with anyway.
    `single`: where the tables shuffle their own cards. `minutes`: there are, and of each board, unless boards
    are asked for. In an event of many clubs with no more boards than can
    be dealt there; one query then."""
    count = contestant_count(draft, wish)
    if not wish.game or count < 2:
        return None
    boards = boards_each(wish, count)
    if wish.leg is not None:
        dealt = Leg.objects.values_list("board_count", flat=True).get(pk=wish.leg)
        boards = min(boards, max(int(dealt * _share(wish, count)), 1))
    asked = {"game": wish.game, "contestants": count, "boards": boards}
    sizes = _sizes(registry.game(wish.game))
    if count in sizes and count != next(iter(sizes)):
        asked["seats"] = sizes[count]
    if wish.custody == BY_TABLES and wish.leg is None:
        asked["single"] = True
    if wish.boards is None:
        asked["minutes"] = [minutes_between(wish.begins, wish.ends), wish.minutes]
    return asked


def _digest(question: Mapping[str, Any]) -> str:
    """Of what is asked, and what an answer says: those of an earlier release are asked for again."""
    asked = {**question, "answer": [one.name for one in fields(Offer)]}
    return sha256(canonical(asked)).hexdigest()


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


def _is_in_time(time: int, a_board: int, rounds: int, a_round: int) -> bool:
    return lasts(rounds, a_round, a_board) <= time


def _comparison(question: Mapping[str, Any]) -> dict[str, Any]:
    asked = dict(question)
    minutes = asked.pop("minutes", None)
    in_time = partial(_is_in_time, minutes[0], minutes[1]) if minutes else None
    try:
        found = sessions.movements_for(**asked, in_time=in_time)
    except Refused:
        refusals = {}
        for language in LANGUAGES:
            with translation.override(language):
                try:
                    sessions.movements_for(**asked)
                except Refused as refused:
                    refusals[language] = str(refused)
        return {"offers": [], "refusal": refusals}
    alone = [one for one in found if not one.beside]
    if len({one.seats for one in alone}) > 1:  # a table more or less is no reason to let somebody wait
        alone.sort(key=lambda one: one.quality.sit_outs.most > 0)
    offers = [_offer(one) for one in alone]
    offered = offers[:OFFERED_AT_MOST]
    if in_time is not None:
        able = [one for one in offers if in_time(one.movement.rounds, one.movement.boards_per_round)]
        if not any(one in able for one in offered):
            offered += able[:1]
    return {"offers": [asdict(one) for one in offered], "refusal": {}}


def _offer(one: movements.Candidate, *, fixed: bool = False) -> Offer:
    """`fixed`: the movement says who plays with whom, and has to stay."""
    measures, movement = one.quality, one.movement
    first = movement.sittings[0]
    a_round = [s for s in movement.sittings if (s.round, s.table) == (first.round, first.table)]
    reason = one.reason
    return Offer(
        movement=ChosenMovement(one.family, movement.rounds, len(a_round), one.seats),
        boards=movement.boards,
        copies=movement.copies,
        is_single=movement.is_single,
        boards_each=(measures.boards.least, measures.boards.most),
        sit_outs=(measures.sit_outs.least, measures.sit_outs.most),
        meetings=(measures.meetings.least, measures.meetings.most),
        balance=None if measures.balance is None else decimals(measures.balance, 0),
        one_ranking=one.one_ranking,
        met=_met(movement, one.contestants),
        method=one.method,
        reason={} if reason is None else {language: reason.to(language) for language in LANGUAGES},
        takes_newcomers=movements.places_for_newcomers(movement, after=0, leaving=(), fixed=fixed) is None,
        without_one=_without_one(one) if one.contestants <= MEASURED_AT_MOST else None,
    )


@lru_cache(maxsize=64)
def _without_one(one: movements.Candidate) -> NoShow:
    left = one.without_one
    if left is None:
        return NoShow()
    return NoShow(
        boards_each=(left.boards.least, left.boards.most),
        sit_outs=(left.sit_outs.least, left.sit_outs.most),
        balance=None if left.balance is None else decimals(left.balance, 0),
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


def is_by_matches(offer: Offer) -> bool:
    """Whether it is chosen for its matches, and not for its measures."""
    return offer.movement.family in BY_MATCHES


def _by_matches(game: str, contestants: int, boards: int, **_rest: int) -> list[Offer]:
    """The movements of that kind for so many contestants, each with its usual rounds."""
    seats = at_a_table(registry.game(game), contestants)
    found = []
    for family in BY_MATCHES:
        rounds = movements.usual_rounds(family, contestants, seats)
        if not rounds or (family in SWISS and contestants < 2 * seats):  # all of them meet at one table
            continue
        size = movements.FAMILIES[family].team_size
        is_knock_out = movements.FAMILIES[family].paired == "knock-out"
        a_round = max(round(boards / rounds), 1)
        out = (contestants // size) % seats > 0 and not is_knock_out
        found.append(
            Offer(
                movement=ChosenMovement(family, rounds, a_round, seats),
                boards=rounds * a_round,
                copies=contestants // seats,
                is_single=contestants // seats < 2 or (contestants // seats == 2 and a_round > 1),
                boards_each=(a_round * (1 if is_knock_out else rounds - out), a_round * rounds),
                sit_outs=(0, int(out)),
                meetings=(0, 1),
                balance=None,
                one_ranking=True,
                met=(),
                method="total-points" if family == "knock-out" else None,
                reason=_alone_in_the_final() if family == "knock-out" else {},
                takes_newcomers=not is_knock_out,
            )
        )
    return found


def _alone_in_the_final() -> dict[str, str]:
    reasons = {}
    for language in LANGUAGES:
        with translation.override(language):
            reasons[language] = _("in the final nobody else plays the boards: the points are added up")
    return reasons


def offers_of(draft: Draft) -> tuple[list[Offer], str] | None:
    """The movements that would do for what a draft says now, the best first and those for matches last, and
    why there is none, in a language; None while they are being compared."""
    question = question_of(draft, wish_of(draft))
    if question is None:
        return [], ""
    if draft.compared != _digest(question) or draft.comparison is None:
        return None
    found = draft.comparison
    offers = [Offer.of(one) for one in found["offers"]]
    own, _refused = brought(draft, wish_of(draft))
    offers = offers if own is None else [own, *offers]
    offers = [*offers, *_by_matches(**question)]
    if question.get("single"):
        offers = [one for one in offers if one.is_single]
    refusal = found["refusal"].get(language(), "")
    if (wanted := wish_of(draft).leg) is None:
        return offers, refusal
    leg = Leg.objects.select_related("event").get(pk=wanted)
    fitting = [one for one in offers if events.fits(leg, family=one.movement.family, boards=one.boards)]
    if offers and not fitting:
        refusal = _("No movement fits the boards and the terms of the event: try fewer boards.")
    return fitting, refusal


def brought(draft: Draft, wish: SessionWish) -> tuple[Offer | None, Refused | None]:
    """The movement of the file that a draft has, measured; or why it does not suit those who play now."""
    count = contestant_count(draft, wish)
    if not wish.movement_file or not wish.game or count < 2:
        return None, None
    game = registry.game(wish.game)
    refused: Refused | None = None
    for seats in reversed(game.seats):
        conditions = sessions.conditions_of(game, seats)
        try:
            layout = sessions.movement_of_file(wish.movement_file, game, conditions, contestants=count)
        except Refused as refusal:
            refused = refusal
        else:
            first = layout.sittings[0]
            one_ranking = len(set(groups_of(game.id, conditions, [layout]).values())) == 1
            measures = movements.quality(layout, contestants=count)
            found = movements.Candidate(FILE, layout, measures, one_ranking, count, seats)
            return _offer(found, fixed=len(first.contestants) > len(game.sides_of(conditions))), None
    return None, refused


def language() -> str:
    return (translation.get_language() or "en")[:2]


def advised(wish: SessionWish, offers: Sequence[Offer]) -> Offer | None:
    """The one to choose unless somebody knows better: none that is for matches, or that somebody has brought.

    Where so many boards are asked for, the best that gives each of them so many; of those, one in which all
    meet, or that takes latecomers. Where a time is asked for, the best that ends in time; where none does,
    the best that ends a little later, or else the best. Tables of another size than the best’s only where
    its own end much later: beside them somebody waits."""
    offers = [one for one in offers if not is_by_matches(one) and one.movement.family != FILE]
    if not offers:
        return None
    alike = [one for one in offers if one.movement.seats == offers[0].movement.seats]
    if wish.boards is not None:
        asked = (wish.boards, wish.boards)
        able = [one for one in alike if 2 * _balance(one) >= _balance(offers[0])]
        return max(able, key=lambda one: (one.boards_each == asked, _all_meet(one) or one.takes_newcomers))
    time = minutes_between(wish.begins, wish.ends)
    if any(one.minutes(wish.minutes) <= time + LATE_MINUTES for one in alike):
        offers = alike
    best = next((one for one in offers if one.minutes(wish.minutes) <= time), None)
    nearly = next((one for one in offers if one.minutes(wish.minutes) <= time + LATE_MINUTES), None)
    return best or nearly or offers[0]


def late(wish: SessionWish, offer: Offer) -> int:
    """How many minutes later than asked it ends: 0 too where boards are asked for, and no time."""
    asked = minutes_between(wish.begins, wish.ends)
    return 0 if wish.boards is not None else max(offer.minutes(wish.minutes) - asked, 0)


def _balance(offer: Offer) -> int:
    return int(offer.balance or 0)


def _all_meet(offer: Offer) -> bool:
    return offer.meetings[0] > 0
