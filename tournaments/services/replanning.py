"""When an evening does not go as planned: somebody comes late, stays away or goes home."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from engines import registry
from engines.errors import EngineError

from .. import movements
from ..models import (
    Board,
    Club,
    Contestant,
    Job,
    Objection,
    Play,
    RulingPart,
    Seating,
    Section,
    Session,
    Submission,
)
from ..movements import Sitting
from ..movements.cooling import Progress
from . import custody, entries, history, matches, rankings, register, rounds, states
from .errors import Conflict, Invalid, Outdated, Refused, refusal
from .layouts import enter, group, lay_out_section, movement_of

R = TypeVar("R", bound=Refused)


@dataclass(frozen=True, slots=True)
class Replan:
    """The rest of a session, planned again: what there is to store. `number`: of the plan that it follows,
    as the tally counts them. `back`: those who had left, by number; `new`: those who were never there;
    `numbers`: of all who arrive; `parts`: of the ranking, before and after (`Reseating.parts`)."""

    session: int
    number: int
    after: int
    leaving: tuple[int, ...]
    arriving: tuple[str, ...]
    back: tuple[int, ...]
    new: tuple[entries.Entrant, ...]
    names_may_be_published: bool
    layout: movements.Movement
    before: movements.Movement
    numbers: tuple[int, ...] = ()
    parts: tuple[int, int] = (1, 1)

    @property
    def newcomers(self) -> tuple[int, int] | None:
        """The fewest and the most boards that those who arrive will have played, with what they have played
        before; None where nobody does."""
        played = Counter(c for s in self.layout.sittings for c in s.contestants)
        own = [played[number] for number in self.numbers]
        return (min(own), max(own)) if own else None

    @property
    def cost(self) -> tuple[movements.Quality, movements.Quality]:
        """The measures of the evening as it was planned before, and as it would be now, for those who have
        been there and stay: whoever leaves or arrives has fewer boards in any plan."""
        there = {one for sitting in self.before.sittings for one in sitting.contestants}
        then = {one for s in self.layout.sittings if s.round > self.after for one in s.contestants}
        count = max(self.before.contestants, self.layout.contestants)
        stay = there & then - set(self.back)
        away = set(range(1, count + 1)) - stay if len(stay) > 1 else set()
        return (
            movements.quality(self.before, contestants=count, away=away),
            movements.quality(self.layout, contestants=count, away=away),
        )


def replan(*, session: Session, actor: history.Actor, **change: Any) -> Session:
    """Plan the rest of a session again, here and now: as `plan` says, and stored."""
    return store(plan(session=session, **change), actor=actor)


def check(
    *,
    session: Session,
    after: int,
    leaving: Sequence[int] = (),
    arriving: Sequence[entries.Given] = (),
    **_rest: Any,
) -> None:
    """Refuse what shows without planning, as `plan` does, and what `store` would find; of several people,
    each who is wrong, by row."""
    section = _one_section(session)
    try:
        here_then(session, leaving, arriving)
        check_may_come(session, arriving)
    except Refused as refused:
        here = session.contestants.filter(left_after=None)
        strangers = set(leaving).difference(here.values_list("number", flat=True))
        raise by_row(refused, session, leaving, arriving, {n: _stranger([n]) for n in strangers}) from None
    check_not_begun(section, after)


def lacking_places(
    *,
    session: Session,
    after: int,
    leaving: Sequence[int],
    arriving: Sequence[entries.Given],
    **_rest: Any,
) -> int:
    """How many of those who arrive would find no place after a round when these leave. Whoever comes back and
    has played takes nobody's place: some of its boards would be known."""
    section, then = _one_section(session), here_then(session, leaving, arriving)
    movement = movement_of(section, registry.game(session.game).sides_of(session.conditions))
    free = movements.places_for_newcomers(
        movement, after=after, leaving=leaving, fixed=session.partners_fixed
    )
    if free is None:
        return 0
    played = {one for s in movement.sittings if s.round <= after for one in s.contestants}
    again = len(played.intersection(then.back))
    return again + max(len(then.arriving) - again - free, 0)


def ways_for_newcomers(
    *,
    session: Session,
    after: int,
    leaving: Sequence[int],
    arriving: Sequence[entries.Given],
    **_rest: Any,
) -> list[str]:
    """What `rest` may be for those who arrive and find no place (`movements.ways_for_newcomers`)."""
    movement = movement_of(_one_section(session), registry.game(session.game).sides_of(session.conditions))
    return movements.ways_for_newcomers(
        movement,
        after=after,
        contestants=here_then(session, leaving, arriving).numbers,
        seats=len(movement.sittings[0].contestants),
        fixed=session.partners_fixed,
    )


def plan(
    *,
    session: Session,
    after: int,
    leaving: Sequence[int] = (),
    arriving: Sequence[entries.Given] = (),
    rest: str = movements.IN_PLACES,
    names_may_be_published: bool = False,
    progress: Progress | None = None,
) -> Replan:
    """The rounds from `after` + 1 on planned again, without the contestants who leave (by number) and with
    those who arrive (by name; one who had left comes back). What was played stays, and counts. `rest`: where
    boards travel, how those who arrive and take nobody's place come in (`movements.with_new_rest`). Nothing
    is locked meanwhile.

    Invalid: nobody leaves or arrives, no such contestant, or no movement for those who are there; Conflict:
    the session is over, or has several sections.
    """
    session = Session.objects.select_related("tally").get(pk=session.pk)
    section = _one_section(session)
    then = here_then(session, leaving, arriving)
    sides = registry.game(session.game).sides_of(session.conditions)
    before = movement_of(section, sides)
    try:
        layout = movements.with_new_rest(
            before,
            after=after,
            contestants=sorted(then.numbers),
            seats=len(before.sittings[0].contestants),
            fixed=session.partners_fixed,
            rest=rest,
            seconds=settings.BALANCING_SECONDS,
            progress=progress,
        )
        movements.check(layout, before=before)
    except EngineError as error:
        raise refusal("bad-movement", error) from error
    seated = {number for s in layout.sittings if s.round > after for number in s.contestants}
    for number, name in then.numbers.items():
        if number in then.arriving and number not in seated:
            message = _("There is no place for %(name)s: say at the same time who leaves.")
            raise Invalid("no-place", message % {"name": name}, {"name": name})
    return Replan(
        session=session.pk,
        number=session.tally.layout,
        after=after,
        leaving=tuple(sorted(set(leaving))),
        arriving=tuple(then.arriving.values()),
        back=then.back,
        new=then.new,
        names_may_be_published=names_may_be_published,
        layout=layout,
        before=before,
        numbers=tuple(then.arriving),
        parts=(_parts(before, sides), _parts(layout, sides)),
    )


def _parts(layout: movements.Movement, sides: Sequence[Sequence[int]]) -> int:
    return len(set(movements.line_groups(layout.sittings, sides).values()))


def _one_section(session: Session) -> Section:
    """The section of a session that can be planned again; Conflict if it cannot."""
    if session.state not in Session.COMING:
        raise Conflict("session-finished", _("The session is finished."))
    rules = matches.rules_of(session)
    if rules is not None and rules.is_paired:
        message = _("The rounds of this session are planned one after the other: say there who leaves.")
        raise Conflict("paired", message)
    sections = list(session.sections.select_related("club"))
    if len(sections) > 1:
        raise Conflict("several-sections", _("A session of several sections cannot be planned again."))
    return sections[0]


def check_not_begun(section: Section, after: int) -> None:
    """Plays stay that have results; and those that rulings or objections are about, which nobody deletes."""
    has_results, is_ruled, is_disputed = (
        Exists(rows.filter(play=OuterRef("pk")))
        for rows in (Submission.objects, RulingPart.objects, Objection.objects)
    )
    plays = Play.objects.filter(table__section=section, round__gt=after).annotate(has_results=has_results)
    kept = plays.filter(Q(has_results=True) | is_ruled | is_disputed)
    last = kept.order_by("-round", "-has_results").values_list("round", "has_results").first()
    if last is None:
        return
    number, is_begun = last
    if is_begun:
        message = _("Results of round %(round)d have come in already: begin the new plan after it.")
    else:
        message = _(
            "There are rulings or objections on plays of round %(round)d: begin the new plan after it."
        )
    code = "round-begun" if is_begun else "round-ruled"
    raise Conflict(code, message % {"round": number}, {"round": number})


@dataclass(frozen=True, slots=True)
class WhoIsHere:
    """Who will be there, and who of them arrives: names by number; and of those who arrive, who had left and
    who is new."""

    numbers: dict[int, str]
    arriving: dict[int, str]
    back: tuple[int, ...]
    new: tuple[entries.Entrant, ...]


def here_then(session: Session, leaving: Sequence[int], arriving: Sequence[entries.Given]) -> WhoIsHere:
    """Who will be there once some have left (by number) and others arrived. Invalid: nobody leaves or
    arrives, no such contestant, or a name that somebody bears."""
    entrants = entries.entrants_of(arriving)
    own = session.contestants.prefetch_related("members").order_by("number")
    known = {c.number: c for c in own}
    if not leaving and not entrants:
        raise Invalid("nothing-changes", _("Say who leaves or who arrives."))
    strangers = sorted(set(leaving) - {n for n, c in known.items() if c.left_after is None})
    if strangers:
        raise _stranger(strangers)
    names = entries.names_of(session.sections.get().club, entrants)
    present = {c.name for c in known.values() if c.left_after is None}
    twice = sorted(name for name, count in Counter(names).items() if count > 1 or name in present)
    if twice:
        raise _same_names(twice)
    gone = [c for c in known.values() if c.left_after is not None]
    back: dict[int, str] = {}
    new: dict[int, tuple[str, entries.Entrant]] = {}
    for name, entrant in zip(names, entrants, strict=True):
        same = [c.number for c in gone if _is(c, name, entrant)]
        if same:
            back[same[0]] = name
        else:
            new[max(known) + 1 + len(new)] = (name, entrant)
    here = {
        n: c.name
        for n, c in known.items()
        if (c.left_after is None or c.number in back) and n not in set(leaving)
    }
    arrived = back | {n: name for n, (name, _entrant) in new.items()}
    return WhoIsHere(here | arrived, arrived, tuple(back), tuple(one for _name, one in new.values()))


def _stranger(numbers: Sequence[int]) -> Invalid:
    message = _("Contestant %(number)d is not here, and cannot leave.")
    return Invalid("no-such-contestant", message % {"number": numbers[0]}, {"numbers": list(numbers)})


def check_may_come(session: Session, arriving: Sequence[entries.Given]) -> None:
    """Refuse those who arrive and are no players of the register, or are entered already, here or where the
    same boards are played. Who comes back was asked when they came first."""
    club, gone = session.sections.get().club, _gone(session)
    new = [one for one in map(entries.Entrant.of, arriving) if not _comes_back(gone, one)]
    entries.check(club, new)
    with transaction.atomic():
        _check_free(session, club, new)


def _gone(session: Session) -> list[Contestant]:
    return list(session.contestants.exclude(left_after=None).prefetch_related("members"))


def _comes_back(gone: Sequence[Contestant], entrant: entries.Entrant) -> bool:
    name = entrant.name or " – ".join(entrant.names)
    return any(_is(one, name, entrant) for one in gone)


def _check_free(session: Session, club: Club, entrants: Sequence[entries.Entrant]) -> None:
    typed = register.known(club, [name for one in entrants for name in one.names])
    players = [*typed.values(), *(player for one in entrants for player in one.players)]
    entries.check_free(session, players, session.board_set.commitment)


def by_row(
    first: R,
    session: Session,
    leaving: Sequence[int],
    arriving: Sequence[entries.Given],
    strangers: Mapping[int, Invalid],
) -> R:
    """A refusal of those who leave or arrive, with each row that is wrong, if there are several: by its index
    in its `field`. `strangers`: those who cannot leave, by number, and why. A few queries for each who
    arrives."""
    if len(leaving) + len(arriving) < 2:
        return first
    rows = [
        entries.row(at, strangers[number], field="leaving")
        for at, number in enumerate(leaving)
        if number in strangers
    ]
    rows += [entries.row(at, why, field="arriving") for at, why in _refusals(session, arriving)]
    return entries.with_rows(first, rows) if rows else first


def _refusals(session: Session, arriving: Sequence[entries.Given]) -> Iterator[tuple[int, Refused]]:
    """Which of those who arrive are wrong, each with its first reason."""
    club, gone = session.sections.get().club, _gone(session)
    entrants = [entries.Entrant.of(one) for one in arriving]
    refused = dict(entries.refusals(club, entrants))
    present = {one.name for one in session.contestants.filter(left_after=None)}
    for at, one in enumerate(entrants):
        if _comes_back(gone, one) and (at not in refused or refused[at].code == "several-of-one-name"):
            continue
        if at in refused:
            yield at, refused[at]
            continue
        try:
            names = entries.names_of(club, [one])
            if not present.isdisjoint(names):
                raise _same_names(names)
            with transaction.atomic():
                _check_free(session, club, [one])
        except Refused as why:
            yield at, why


def _same_names(names: Sequence[str]) -> Invalid:
    return Invalid("contestants", _("Each contestant needs a different name."), {"names": list(names)})


def _is(contestant: Contestant, name: str, entrant: entries.Entrant) -> bool:
    """Whether somebody who arrives is a contestant who had left: the same players, or the same name."""
    if entrant.players:
        return {member.player_id for member in contestant.members.all()} == set(entrant.players)
    return contestant.name == name


@transaction.atomic
def store(plan: Replan, *, actor: history.Actor) -> Session:
    """The rows of a new plan. Conflict: the session is over, or results, rulings or objections of a
    round that was planned again are here. Outdated: it has been planned otherwise meanwhile."""
    boards = Board.objects.filter(board_set__session=plan.session).order_by("pk")
    session = Session.objects.select_for_update(no_key=True).get(pk=plan.session)
    section = _one_section(session)
    if session.tally.layout != plan.number:
        raise Outdated
    plays = Play.objects.filter(table__section=section, round__gt=plan.after)
    list(plays.select_for_update(of=("self",)).order_by("pk").values_list("pk"))
    check_not_begun(section, plan.after)
    Seating.objects.filter(play__in=plays).delete()
    plays.delete()
    session.contestants.filter(number__in=plan.leaving).update(left_after=plan.after)
    session.contestants.filter(number__in=plan.back).update(left_after=None)
    new = enter(
        session,
        section.club,
        plan.new,
        commitment=session.board_set.commitment,
        consent=plan.names_may_be_published,
    )
    custody.check_players(session)
    rows = {c.number: c for c in session.contestants.order_by("number")}
    sides = registry.game(session.game).sides_of(session.conditions)
    later = [s for s in plan.layout.sittings if s.round > plan.after]
    lay_out_section(
        section,
        later,
        {board.number: board.pk for board in boards},
        {number: one.pk for number, one in rows.items()},
        sides,
    )
    matches.follow(session)
    rounds.follow_plan(session)
    _keep(session, plan.layout, regrouped=group(rows, plan.layout.sittings, sides))
    history.note(
        actor,
        "replanned",
        session,
        session=session,
        after=plan.after,
        leaving=list(plan.leaving),
        arriving=sorted([*plan.back, *new]),
        digest=plan.layout.digest,
    )
    return session


def undoing(plan: Replan) -> dict[str, Any]:
    """What takes a new plan back (`take_back`), as JSON: who had sat where from there on. It is as large as
    the rest of the evening."""
    gone = Contestant.objects.filter(session=plan.session, number__in=plan.back)
    return {
        "number": plan.number,
        "after": plan.after,
        "leaving": list(plan.leaving),
        "back": dict(gone.values_list("number", "left_after")),
        "movement": plan.before.name,
        "plays": plan.before.plays,
        "sittings": [
            [one.round, one.table, one.board, list(one.contestants)]
            for one in plan.before.sittings
            if one.round > plan.after
        ],
    }


@transaction.atomic
def take_back(*, session: Session, actor: history.Actor, seen: str | None = None) -> Session:
    """The newest plan is not to hold: everybody sits where they did before it, and who arrived with it does
    not play. Conflict: there is none, something else has changed since who plays what, or results, rulings
    or objections are there of a round that it has planned. Stale: the session is not as it was `seen`."""
    session = states.locked(session)
    states.check_seen(session, seen)
    section = _one_section(session)
    newest = Job.objects.filter(session=session, kind=Job.Kind.REPLAN, state=Job.State.DONE)
    job = newest.order_by("-ended_at").first()
    undo = {} if job is None else job.request
    if job is None or not undo or session.tally.layout != undo["number"] + 1:
        raise Conflict("nothing-to-undo", _("There is no new plan that could be taken back."))
    after = undo["after"]
    plays = Play.objects.filter(table__section=section, round__gt=after)
    list(plays.select_for_update(of=("self",)).order_by("pk").values_list("pk"))
    check_not_begun(section, after)
    Seating.objects.filter(play__in=plays).delete()
    plays.delete()
    before = {contestant for *_place, contestants in undo["sittings"] for contestant in contestants}
    session.contestants.filter(number__in=undo["leaving"]).update(left_after=None)
    for number, left_after in undo["back"].items():
        session.contestants.filter(number=int(number)).update(left_after=left_after)
    own = {one.number: one for one in session.contestants.order_by("number")}
    came = [number for number, one in own.items() if one.left_after is None and number not in before]
    came = [number for number in came if not Seating.objects.filter(contestant=own[number]).exists()]
    session.contestants.filter(number__in=came).update(left_after=after)
    sides = registry.game(session.game).sides_of(session.conditions)
    sittings = [
        Sitting(number, table, board, tuple(seated)) for number, table, board, seated in undo["sittings"]
    ]
    boards = dict(Board.objects.filter(board_set__session=session).values_list("number", "pk"))
    lay_out_section(section, sittings, boards, {number: one.pk for number, one in own.items()}, sides)
    matches.follow(session)
    rounds.follow_plan(session)
    whole = movement_of(section, sides)
    session.movement, session.plays_per_board = undo["movement"], undo["plays"]
    session.save(update_fields=["movement", "plays_per_board"])
    group(own, whole.sittings, sides)
    rankings.change_layout(session)
    Job.objects.filter(pk=job.pk).update(request={})
    history.note(actor, "took back plan", session, session=session, after=after)
    return session


def _keep(session: Session, layout: movements.Movement, *, regrouped: bool) -> None:
    """The name of the movement; and how often its boards are played, on which all comparisons depend.
    `regrouped`: others are ranked together than before."""
    session.movement = layout.name[:80]
    changed, session.plays_per_board = session.plays_per_board != layout.plays, layout.plays
    session.save(update_fields=["movement", "plays_per_board"])
    rankings.change_layout(session, recount=changed or regrouped)
