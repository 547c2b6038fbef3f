"""The next round of a Swiss or a knock-out, from how things stand: a job plans and writes it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from engines import registry
from engines.errors import EngineError

from .. import movements
from ..models import (
    Board,
    Contestant,
    Match,
    MatchRules,
    Play,
    Round,
    Ruling,
    Seating,
    Section,
    Session,
    TableAtPlay,
    Tally,
)
from ..movements.cooling import Progress
from . import counting, custody, entries, history, matches, rankings, replanning, rounds, states
from .errors import Conflict, Invalid, Outdated, Refused, refusal
from .layouts import enter, follow_plays, lay_out_section

PAIRING = 0.8  # of the progress: the rest is reading and writing
NOT_ABOUT_ROWS = {"session-finished", "not-paired", "all-rounds-planned", "no-place", "forfeits"}


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round that has been planned: what there is to store. `number`: of the plan that it follows, as the
    tally counts them, and `position`: of the results. `matches`: by team numbers, None for a bye; none where
    more than two meet at a table. `sit_outs`, `repeats`: teams, by number. `back`: contestants (by number)
    who had left and come back; `new`: those who were never there."""

    session: int
    number: int
    position: int
    round: int
    tables: Sequence[Sequence[int]]
    matches: Sequence[tuple[int, int | None]]
    boards: Sequence[int]
    leaving: Sequence[int] = ()
    sit_outs: Sequence[int] = ()
    repeats: Sequence[tuple[int, int]] = ()
    back: Sequence[int] = ()
    new: Sequence[entries.Entrant] = ()
    names_may_be_published: bool = False

    def to_json(self) -> dict[str, Any]:
        """What its job tells."""
        return {
            "round": self.round,
            "tables": [list(table) for table in self.tables],
            "matches": [list(match) for match in self.matches],
            "sit_outs": list(self.sit_outs),
            "repeats": [list(pair) for pair in self.repeats],
        }


@dataclass(frozen=True, slots=True)
class _Field:
    """What a round is planned from. `teams`: the contestants of each that is still there, by number."""

    session: Session
    rules: MatchRules
    last: int
    teams: Mapping[int, Sequence[int]]
    numbers: Mapping[int, int] = field(default_factory=dict)  # of teams, by id
    back: Sequence[int] = ()
    new: Sequence[entries.Entrant] = ()


def check(
    *,
    session: Session,
    leaving: Sequence[int] = (),
    arriving: Sequence[entries.Given] = (),
    confirm: bool = False,
    **_rest: Any,
) -> None:
    """Refuse what shows without planning, as `plan` does, and what `store` would find; of several who leave
    or arrive, each who is wrong, by row."""
    try:
        the_field = _field(session, leaving, arriving)
        replanning.check_may_come(session, arriving)
    except Refused as refused:
        if refused.code in NOT_ABOUT_ROWS:
            raise
        there = _field(session, (), ()).teams
        strangers = {number: _no_team([number]) for number in leaving if number not in there}
        raise replanning.by_row(refused, session, leaving, arriving, strangers) from None
    _check_played(the_field, confirm)


def plan(
    *,
    session: Session,
    leaving: Sequence[int] = (),
    arriving: Sequence[entries.Given] = (),
    names_may_be_published: bool = False,
    apart: Sequence[Sequence[int]] = (),
    winners: Mapping[str, int] | None = None,
    confirm: bool = False,
    progress: Progress | None = None,
) -> NextRound:
    """The next round, from the results and rulings so far; nothing is stored or locked. In a Swiss, equals
    meet equals, by what they have gained in their matches or, at tables of three and more, in the ranking;
    teams in `leaving` (by number) are not in it any more, those of each group in `apart` do not meet; who is
    `arriving` is a team from now on (as many contestants as a team has, one after the other) that has gained
    nothing yet, and comes back if it had left. In a
    knock-out the winners meet; `winners`: by the number of a match that is tied or has none, who goes on.

    Conflict: all rounds are planned; or results are missing, and nobody has confirmed that they know; or a
    match has no winner. Invalid: no such team, or those apart cannot be kept so. Its time grows with the
    square of the teams at the worst, and little for the usual round.
    """
    session = Session.objects.select_related("tally", "board_set").get(pk=session.pk)
    the_field = _field(session, leaving, arriving)
    _check_played(the_field, confirm)
    if progress is not None:
        progress(0.1)
    if the_field.rules.form == MatchRules.Form.KNOCK_OUT:
        pairs = _winners_meet(the_field, winners or {})
        pairing = movements.Pairing(())
    else:
        pairing = _swiss(the_field, apart)
        pairs = [(table[0], table[1]) for table in pairing.tables if len(table) == 2]
        pairs += [(one, None) for one in pairing.sit_outs]
    if progress is not None:
        progress(PAIRING)
    of_two = len(counting.sides_of(session)) == 2
    if of_two:
        pairs = _with_turns(session, pairs) if the_field.rules.team_size == 1 else pairs
        tables = movements.match_tables(pairs, the_field.teams)
    else:
        tables = [tuple(the_field.teams[team][0] for team in table) for table in pairing.tables]
    return NextRound(
        session=session.pk,
        number=session.tally.layout,
        position=session.tally.position,
        round=the_field.last + 1,
        tables=tables,
        matches=pairs if of_two else (),
        boards=_boards(session, the_field),
        leaving=tuple(sorted(set(leaving))),
        sit_outs=pairing.sit_outs,
        repeats=pairing.repeats,
        back=the_field.back,
        new=the_field.new,
        names_may_be_published=names_may_be_published,
    )


@transaction.atomic
def store(plan: NextRound, *, actor: history.Actor) -> Session:
    """The rows of a round that has been planned. Outdated: the session has been planned otherwise meanwhile,
    or something counts that did not. Conflict: it is over."""
    session = states.locked(Session(pk=plan.session))
    section = _section(session)
    tally = Tally.objects.select_for_update(no_key=True).get(session=session)
    if (tally.layout, tally.position) != (plan.number, plan.position):
        raise Outdated
    boards = dict(Board.objects.filter(board_set__session=session).values_list("number", "pk"))
    session.contestants.filter(team__number__in=plan.leaving).update(left_after=plan.round - 1)
    came = _let_in(session, section, plan)
    lay_out_section(
        section,
        movements.round_sittings(plan.round, plan.tables, plan.boards),
        boards,
        dict(session.contestants.values_list("number", "pk")),
        registry.game(session.game).sides_of(session.conditions),
    )
    matches.keep_round(session, plan.round, plan.matches)
    rounds.follow_plan(session)
    rankings.change_layout(session, recount=follow_plays(session))
    history.note(
        actor,
        "planned round",
        session,
        session=session,
        round=plan.round,
        tables=len(plan.tables),
        leaving=list(plan.leaving),
        arriving=came,
    )
    return session


def _let_in(session: Session, section: Section, plan: NextRound) -> list[int]:
    """Who arrives is there, in teams of their own; their numbers."""
    if not plan.back and not plan.new:
        return []
    session.contestants.filter(number__in=plan.back).update(left_after=None, came_after=plan.round - 1)
    new = enter(
        session,
        section.club,
        plan.new,
        commitment=session.board_set.commitment,
        consent=plan.names_may_be_published,
    )
    session.contestants.filter(number__in=list(new)).update(came_after=plan.round - 1)
    matches.enter_teams(session, _rules(session))
    custody.check_players(session)
    return sorted([*plan.back, *new])


@transaction.atomic
def take_back(*, session: Session, actor: history.Actor, seen: str | None = None) -> Session:
    """The newest round is not planned after all: who left at its planning is there again, and who arrived
    with it is not. Conflict: it was set up with the session; or somebody has relied on it: a result, a ruling
    or an objection is there, or it has been opened. Stale: the session is not as it was `seen`."""
    session = states.locked(session)
    states.check_seen(session, seen)
    section = _section(session)
    rules = _rules(session)
    last = last_round(session)
    if last < 2:
        raise Conflict("nothing-to-undo", _("There is no round that could be taken back."))
    replanning.check_not_begun(section, last - 1)
    if session.rounds.filter(number=last).exclude(state=Round.State.WAITING).exists():
        raise Conflict("round-begun", _("Round %(round)d has been opened.") % {"round": last})
    if Ruling.objects.filter(match__session=session, match__round=last).exists():
        message = _("There are rulings on matches of round %(round)d.")
        raise Conflict("round-ruled", message % {"round": last}, {"round": last})
    plays = Play.objects.filter(table__section=section, round=last)
    list(plays.select_for_update(of=("self",)).order_by("pk").values_list("pk"))
    Match.objects.filter(session=session, round=last).delete()
    TableAtPlay.objects.filter(session=session, round=last).delete()
    Seating.objects.filter(play__in=plays).delete()
    plays.delete()
    session.contestants.filter(left_after=last - 1).update(left_after=None)
    session.contestants.filter(came_after=last - 1).exclude(came_after=0).update(left_after=last - 1)
    rounds.follow_plan(session)
    rankings.change_layout(session, recount=follow_plays(session))
    history.note(actor, "took back planned round", session, session=session, round=last, form=rules.form)
    return session


# ── What it is planned from ───────────────────────────────────────────────────────────────────────


def _rules(session: Session) -> MatchRules:
    rules = matches.rules_of(session)
    if rules is None or not rules.is_paired:
        message = _("All rounds of this session were planned when it was set up.")
        raise Conflict("not-paired", message)
    return rules


def _section(session: Session) -> Section:
    if session.state not in Session.COMING:
        raise Conflict("session-finished", _("The session is finished."))
    return session.sections.get()


def last_round(session: Session) -> int:
    """The newest that is planned."""
    own = Play.objects.filter(board__board_set__session=session)
    return own.aggregate(last=Max("round"))["last"] or 0


def _field(session: Session, leaving: Sequence[int], arriving: Sequence[entries.Given]) -> _Field:
    _section(session)
    rules, last = _rules(session), last_round(session)
    if last >= rules.rounds:
        message = _("All %(count)d rounds of this session are planned.") % {"count": rules.rounds}
        raise Conflict("all-rounds-planned", message, {"rounds": rules.rounds})
    if arriving and rules.form == MatchRules.Form.KNOCK_OUT:
        raise Invalid("no-place", _("Nobody can join a knock-out that has begun."))
    then = replanning.here_then(session, (), arriving) if arriving else None
    own = session.contestants.filter(team__isnull=False).order_by("number")
    teams: dict[int, list[int]] = {}
    numbers: dict[int, int] = {}
    gone: set[int] = set()
    disqualified: list[int] = []
    held = counting.of_session(session)
    for pk, number, team, pk_of_team, left in own.values_list(
        "pk", "number", "team__number", "team_id", "left_after"
    ):
        teams.setdefault(team, []).append(number)
        numbers[pk_of_team] = team
        is_back = then is not None and number in then.back
        if pk in held.changes.disqualified:
            disqualified.append(number)
        if (left is not None and not is_back) or pk in held.changes.disqualified:
            gone.add(team)
    if then is not None:
        _check_back(teams, set(then.back), gone, disqualified)
    if strangers := sorted(set(leaving) - (teams.keys() - gone)):
        raise _no_team(strangers)
    if leaving and rules.form == MatchRules.Form.KNOCK_OUT:
        raise Conflict("forfeits", _("Who leaves a knock-out forfeits the match: rule that."))
    there = {team: some for team, some in teams.items() if team not in {*gone, *leaving}}
    if then is None:
        return _Field(session, rules, last, there, numbers)
    there |= _new_teams(rules, max(teams), sorted(then.arriving.keys() - set(then.back)))
    return _Field(session, rules, last, there, numbers, then.back, then.new)


def _no_team(numbers: Sequence[int]) -> Invalid:
    message = _("Team %(number)d is not here, and cannot leave.") % {"number": numbers[0]}
    return Invalid("no-such-team", message, {"teams": list(numbers)})


def _check_back(
    teams: Mapping[int, Sequence[int]], back: Collection[int], gone: Collection[int], out: Collection[int]
) -> None:
    """Invalid for those who come back (by number) to a team that is `gone` nevertheless: they would be there,
    and in no match. `out`: who is disqualified."""
    for team in sorted(gone):
        own = teams[team]
        if not any(number in back for number in own):
            continue
        facts = {"team": team, "contestants": list(own)}
        if barred := [number for number in own if number in out]:
            message = _("Contestant %(number)d is disqualified: the team comes back if that is reversed.")
            raise Invalid("no-place", message % {"number": barred[0]}, facts)
        message = _("Team %(team)d comes back as a whole: name all of its contestants who had left.")
        raise Invalid("contestants", message % {"team": team}, facts)


def _new_teams(rules: MatchRules, last: int, contestants: Sequence[int]) -> dict[int, list[int]]:
    """The teams that contestants make who arrive, by number; `last`: the highest that there is. Invalid: one
    of them is left over."""
    size = rules.team_size
    if len(contestants) % size:
        message = _("A team has %(count)d contestants: name all of those who arrive.") % {"count": size}
        raise Invalid("contestants", message)
    chunks = [list(contestants[at : at + size]) for at in range(0, len(contestants), size)]
    return dict(enumerate(chunks, last + 1))


def _check_played(the_field: _Field, confirmed: bool) -> None:
    if confirmed:
        return
    if missing := states.missing(the_field.session):
        forfeited = _forfeited_plays(the_field.session)
        missing = [play for play in missing if play["pk"] not in forfeited]
    if missing:
        names = ("round", "section", "table", "board")
        message = _("Results are missing: %(count)d. Confirm that the next round is planned without them.")
        rows = [{name: play[name] for name in names} for play in missing[: states.MISSING_SHOWN]]
        facts = {"count": len(missing), "missing": rows}
        raise Conflict("results-missing", message % facts, facts)


def _forfeited_plays(session: Session) -> set[int]:
    """Of matches that somebody has forfeited: nobody waits for their results."""
    lost = [state for state in matches.states(session).values() if state.lost]
    plays: set[int] = set()
    for state in lost:
        teams = [state.match.first_id, state.match.second_id]
        own = Play.objects.filter(
            board__board_set__session=session,
            round=state.match.round,
            seatings__contestant__team__in=teams,
        )
        plays |= set(own.values_list("pk", flat=True))
    return plays


def _boards(session: Session, the_field: _Field) -> Sequence[int]:
    manifest = session.board_set.manifest
    numbers = session.board_set.boards.values_list("number", flat=True)
    sealed = numbers if manifest is None else manifest["boards"]
    a_round = len(sealed) // the_field.rules.rounds
    return sorted(sealed)[the_field.last * a_round : (the_field.last + 1) * a_round]


# ── Swiss ─────────────────────────────────────────────────────────────────────────────────────────


def _swiss(the_field: _Field, apart: Sequence[Sequence[int]]) -> movements.Pairing:
    met, sat_out = _met(the_field)
    for group in apart:
        if strangers := sorted(set(group) - the_field.teams.keys()):
            message = _("There is no team %(number)d.") % {"number": strangers[0]}
            raise Invalid("no-such-team", message, {"teams": strangers})
    try:
        return movements.swiss_round(
            _scores(the_field),
            seats=len(counting.sides_of(the_field.session)),
            met=met,
            sat_out=sat_out,
            forbidden=apart,
        )
    except EngineError as error:
        raise refusal("bad-movement", error) from error


def _scores(the_field: _Field) -> dict[int, Fraction]:
    """By team number: what it has gained in its matches; at tables of three and more, what the ranking goes
    by."""
    session = the_field.session
    held = counting.of_session(session)
    if len(counting.sides_of(session)) == 2:
        found = matches.standings(session, matches.states(session), held.changes, with_open=True)
        values = {the_field.numbers[team]: total.value for team, total in found.totals.items()}
    else:
        own = Contestant.objects.filter(session=session, team__isnull=False)
        totals = held.totals
        values = {
            team: totals[pk].value if pk in totals else None
            for pk, team in own.values_list("pk", "team__number")
        }
    return {team: values.get(team) or Fraction(0) for team in the_field.teams}


def _met(the_field: _Field) -> tuple[list[Collection[int]], set[int]]:
    """The tables that have played, by team numbers, and who has sat out."""
    rows = Seating.objects.filter(play__board__board_set__session=the_field.session)
    columns = ("play__round", "play__table", "contestant__team__number")
    tables: dict[tuple[int, int], set[int]] = {}
    playing: dict[int, set[int]] = {}
    for number, table, team in rows.values_list(*columns).distinct():
        tables.setdefault((number, table), set()).add(team)
        playing.setdefault(number, set()).add(team)
    sat_out = {team for there in playing.values() for team in the_field.teams.keys() - there}
    met = {(frozenset(some), number) for (number, _table), some in tables.items()}
    return [some for some, _number in sorted(met, key=lambda one: (one[1], sorted(one[0])))], sat_out


def _with_turns(session: Session, pairs: Sequence[tuple[int, int | None]]) -> list[tuple[int, int | None]]:
    """Each pair with the one first who has sat there less often."""
    first = counting.sides_of(session)[0][0]
    own = Seating.objects.filter(play__board__board_set__session=session, seat=first)
    sat = Counter(own.values_list("contestant__team__number", flat=True))
    return [
        (other, one) if other is not None and sat[other] < sat[one] else (one, other) for one, other in pairs
    ]


# ── Knock-out ─────────────────────────────────────────────────────────────────────────────────────


def _winners_meet(the_field: _Field, named: Mapping[str, int]) -> list[tuple[int, int | None]]:
    found = matches.states(the_field.session)
    last = [one for one in matches.of(the_field.session) if one.round == the_field.last]
    before = [
        (
            the_field.numbers[match.first_id],
            None if match.second_id is None else the_field.numbers[match.second_id],
        )
        for match in last
    ]
    winners = []
    for match, pair in zip(last, before, strict=True):
        winner = found[match.pk].winner
        number = named.get(str(match.number)) if winner is None else the_field.numbers[winner]
        if number is None:
            message = _("Match %(number)d has no winner: name who goes on, or rule a forfeit.")
            facts = {"match": match.number, "teams": [one for one in pair if one is not None]}
            raise Conflict("no-winner", message % {"number": match.number}, facts)
        winners.append(number)
    try:
        return movements.next_round(before, winners)
    except EngineError as error:
        raise refusal("bad-movement", error) from error
