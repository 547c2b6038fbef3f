"""A rehearsal: robots play a copy of a planned session, with a fresh seed, and with what goes wrong on an
evening. The copy is a trial, and is deleted after. A robot is shown the view of its seat by the process that
holds the deal; nobody has custody of these boards, and none goes through the API.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext as _

from engines import bots, dealing, registry, sealing

from ..models import Play, Role, Seating, Session, Token
from . import (
    board_sets,
    confirmations,
    deleting,
    history,
    judging,
    layouts,
    rankings,
    recomputing,
    replanning,
    roles,
    rounds,
    rulings,
    states,
    submissions,
    tokens,
)
from .deliveries import ResultEntry
from .errors import Conflict, Refused
from .play_states import is_disputed
from .rulings import PlayPlace

LONGEST_SECONDS = 3600
BEAT_SECONDS = 0.5  # between two looks at whether it is still wanted

Tell = Callable[[float], None]
"""How far it is; raises to end it."""


@dataclass(frozen=True, slots=True)
class RehearsalWish:
    """How a rehearsal goes. `seconds`: so long it takes at least; the others: whether sheets have slips, a
    table is late, sides disagree, and a contestant does not come."""

    seconds: float = 60.0
    slips: bool = True
    late: bool = True
    disputes: bool = True
    no_show: bool = True


@dataclass(slots=True)
class Report:
    """What has happened: how often each of these, and whether the lists of the copy were those of its results
    in the end."""

    session: int
    happened: Counter[str] = field(default_factory=Counter)
    lists_are_right: bool | None = None

    def to_json(self) -> dict[str, Any]:
        return {"session": self.session, "lists_are_right": self.lists_are_right, **self.happened}


# ── The copy ──────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def copy(*, session: Session, actor: history.Actor) -> Session:
    """A trial with the same tables, rounds and boards, robots in the place of its contestants, and the same
    officials. Conflict: the session has no plan, or waits for its boards."""
    board_sets.check_dealt(session)
    sides = registry.game(session.game).sides_of(session.conditions)
    plans = {one.name: layouts.movement_of(one, sides) for one in session.sections.order_by("pk")}
    plans = {name: plan for name, plan in plans.items() if plan.sittings}
    if not plans:
        raise Conflict("no-plan", _("Nobody sits anywhere in this session yet."))
    count = session.contestants.order_by("-number").values_list("number", flat=True)[0]
    name = _("Rehearsal of %(name)s") % {"name": session.name}
    seed = dealing.new_seed()
    own = sealing.Boards(
        event=f"{session.tournament.name}, {name}",
        game=session.game,
        options=session.options,
        conditions=session.conditions,
        boards=sorted({sitting.board for plan in plans.values() for sitting in plan.sittings}),
    )
    made, _plays = layouts.lay_out(
        tournament=session.tournament,
        name=name[:200],
        game=session.game,
        options=session.options,
        conditions=session.conditions,
        method=session.method,
        method_options=session.method_options,
        movements=plans,
        partners_fixed=session.partners_fixed,
        contestants=(),
        robots=count,
        groups=layouts.groups_of(session.game, session.conditions, plans.values()),
        club=session.tournament.club,
        seed=seed,
        manifest=sealing.manifest_of(own, seed),
        is_trial=True,
        live=session.live,
    )
    for role in Role.objects.in_force().filter(session=session).exclude(kind=Role.Kind.DEAL_OFFICER):
        roles.grant(
            account=role.account, kind=Role.Kind(role.kind), place=roles.RolePlace(session=made), actor=None
        )
    history.note(actor, "began rehearsal", made, session=made, of=session.pk)
    return made


# ── The evening ───────────────────────────────────────────────────────────────────────────────────


def play(session: Session, wish: RehearsalWish, *, random: Random, tell: Tell = lambda _done: None) -> Report:
    """Play a copy to its end. What is handed in is judged by whatever workers there are, and here after each
    round at the latest. Nothing of it is done under a lock."""
    report = Report(session.pk)
    if wish.no_show:
        _stay_away(session, report)
    rounds.pace(session=session, actor=None, pace=rounds.Pace())
    hall = _Hall(session, wish, report, random, tokens.issue_for_robots(session=session))
    numbers = list(session.rounds.order_by("number").values_list("number", flat=True))
    plays = Play.objects.filter(board__board_set__session=session)
    hall.clock = _Clock(wish.seconds / max(plays.count(), 1), plays.count(), tell)
    for number in numbers:
        rounds.open_round(session=session, actor=None, number=number)
        hall.play_round(number)
        rounds.close_round(session=session, actor=None, number=number)
    states.finish(session=session, actor=None)
    _work(session)
    played = Session.objects.select_related("board_set").get(pk=session.pk)  # planned again since it was read
    comparison = recomputing.recompute(session=played)
    report.lists_are_right = None if comparison is None else not comparison.disagreements
    return report


@dataclass(slots=True)
class _Clock:
    """So long each play takes; tells how many of them are done."""

    pause: float
    count: int
    tell: Tell
    done: int = 0

    def step(self) -> None:
        until = monotonic() + self.pause
        while (left := until - monotonic()) > 0:
            self.tell(self.done / self.count)
            sleep(min(left, BEAT_SECONDS))
        self.done += 1
        self.tell(self.done / self.count)


@dataclass(slots=True)
class _Hall:
    """The tables, each with a token."""

    session: Session
    wish: RehearsalWish
    report: Report
    random: Random
    phones: dict[int, Token]
    clock: _Clock = field(default_factory=lambda: _Clock(0.0, 1, lambda _done: None))

    def play_round(self, number: int) -> None:
        """Table after table, the late one last."""
        own = Play.objects.filter(board__board_set__session=self.session, round=number, ruled=None)
        plays = list(own.select_related("table__section", "board").order_by("board__number", "pk"))
        tables = list({one.table_id: one.table for one in plays}.values())
        for table in tables:
            rounds.seat(
                session=self.session, actor=self.phones[table.pk], number=number, table=table, seated=True
            )
        late = self.random.choice(tables).pk if tables and self.wish.late else None
        self.random.shuffle(plays)
        self.report.happened["late"] += late is not None
        for at, play_ in enumerate(sorted(plays, key=lambda one: one.table_id == late)):
            self.clock.step()
            self._enter(play_, has_slip=at == 0, is_disputed=at == len(plays) // 2)
            self.report.happened["plays"] += 1
        _work(self.session)
        self._agree(plays)
        _work(self.session)

    def _enter(self, play_: Play, *, has_slip: bool, is_disputed: bool) -> None:
        """One seat enters the result; sometimes with a slip first, and sometimes another says otherwise."""
        result = self._played(play_, 0)
        if has_slip and self.wish.slips and self._has_slip(play_, result):
            self.report.happened["slips"] += 1
        self._submit(play_, result, self._seats[0])
        if is_disputed and self.wish.disputes and len(self._seats) > 1:
            for again in range(1, 6):  # another play of the same deal is a sheet that might have been
                if (other := self._played(play_, again)) != result:
                    self._submit(play_, other, self._seats[1])
                    self.report.happened["disputes"] += 1
                    break

    @property
    def _seats(self) -> Sequence[int]:
        """A seat of each side."""
        return [side[0] for side in registry.game(self.session.game).sides_of(self.session.conditions)]

    def _played(self, play_: Play, again: int) -> dict[str, Any]:
        """The sheet of the play by robots, each of which is shown the view of its seat."""
        game = registry.game(self.session.game)
        deal = board_sets.deal_of(self.session, play_.board.number)
        state = game.start(deal, self.session.options)
        count = game.seat_count(self.session.conditions)
        robots = [bots.at_random if (seat + again) % 3 == 0 else bots.sensible for seat in range(count)]
        bots.play_on(game, state, robots, bots.randomness("rehearsal", play_.pk, again))
        return dict(game.summarise(state))

    def _has_slip(self, play_: Play, sheet: dict[str, Any]) -> bool:
        """A field has been forgotten: it is refused."""
        wrong = dict(sheet)
        wrong.pop(next(iter(wrong)), None)
        pk = self._submit(play_, wrong, self._seats[0])
        _work(self.session)
        return bool(play_.submissions.filter(pk=pk, state="refused").exists())

    def _submit(self, play_: Play, sheet: dict[str, Any], seat: int) -> int:
        entry = ResultEntry(
            *(play_.table.section.name, play_.table.number, play_.board.number, uuid4(), {"sheet": sheet}),
            seat=seat,
        )
        phone = self.phones[play_.table_id]
        return submissions.submit(session_id=self.session.pk, sender=phone, entries=[entry])[0].pk

    def _agree(self, plays: Sequence[Play]) -> None:
        """At each table another side looks at what was entered; what the sides disagree about, and what has
        been refused after all, the director decides."""
        seats = self._seats
        rows = Play.objects.filter(pk__in=[one.pk for one in plays]).values_list(
            "pk", "result__submission", "disagreement"
        )
        found = {pk: rest for pk, *rest in rows}
        for one in plays:
            submission, disagreement = found[one.pk]
            place = PlayPlace(one.table.section.name, one.table.number, one.board.number)
            if submission is None:
                self.report.happened["missing"] += 1
            elif is_disputed(submission, disagreement):
                plan = rulings.on_play(
                    session=self.session,
                    place=place,
                    decisions=[{"kind": "artificial", "percent": "50"}],
                )
                rulings.rule(plan, actor=None, text=_("A rehearsal: the sides did not agree."))
                self.report.happened["rulings"] += 1
            elif len(seats) > 1:
                confirmations.confirm(
                    session=self.session,
                    actor=self.phones[one.table_id],
                    place=place,
                    submission=submission,
                    seat=seats[1],
                    shared=self.random.random() < 0.5,
                )
                self.report.happened["confirmations"] += 1


def _stay_away(session: Session, report: Report) -> None:
    """One does not come: the evening is planned without them, or what they would have played is ruled on."""
    number = session.contestants.order_by("-number").values_list("number", flat=True)[0]
    try:
        replanning.replan(session=session, actor=None, after=0, leaving=[number])
    except Refused:
        seated = Seating.objects.filter(contestant__session=session, contestant__number=number).values("play")
        for one in Play.objects.filter(pk__in=seated).select_related("table__section", "board"):
            place = PlayPlace(one.table.section.name, one.table.number, one.board.number)
            plan = rulings.on_play(session=session, place=place, decisions=[{"kind": "not-played"}])
            rulings.rule(plan, actor=None, text=_("A rehearsal: somebody did not come."))
    report.happened["no_shows"] += 1


def _work(session: Session) -> None:
    """What waits to be judged and counted is, whoever else does so too."""
    while judging.judge(session_id=session.pk).is_full:
        pass
    while rankings.rank(session_id=session.pk) is not None:
        pass


# ── From the beginning to the end ─────────────────────────────────────────────────────────────────


def rehearse(
    *,
    session: Session,
    actor: history.Actor,
    wish: RehearsalWish,
    keep: bool = False,
    tell: Tell = lambda _done: None,
    began: Callable[[Session], None] = lambda _copy: None,
    random: Random | None = None,
) -> Report:
    """Rehearse a session: the copy is made, played and, unless somebody wants to `keep` it, deleted, also
    where something goes wrong. `began`: is told of the copy."""
    made = copy(session=session, actor=actor)
    try:
        began(made)
        report = play(made, wish, random=random or Random(made.pk), tell=tell)  # noqa: S311 - robots alone
    except BaseException:
        deleting.delete(session=made, actor=actor)
        raise
    if not keep:
        deleting.delete(session=made, actor=actor)
    return report


def forget(*, copy_id: int | None, actor: history.Actor) -> None:
    """Delete the copy of a rehearsal that was broken off, if it is still there."""
    for made in Session.objects.filter(pk=copy_id, is_trial=True) if copy_id else ():
        deleting.delete(session=made, actor=actor)
