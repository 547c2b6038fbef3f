"""The matches of a session: who meets whom, what each match comes to, and who stands where by them.

Who meets whom is stored; what came of it is not: it follows from the same lines as the session's ranking,
rulings among them, and is worked out once for each state of these.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple, cast

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, QuerySet
from django.utils.translation import gettext as _

from scoring import matches as worths
from scoring import units
from scoring.entries import Entry, NoScore
from scoring.errors import BadScoring
from scoring.matches import MatchResult, TwoTables, Worth, board_margin, match_tie_breaks, match_totals
from scoring.methods import METHODS
from scoring.ranking import Places, ranking
from scoring.standings import ComparedLine
from scoring.totals import Total

from ..models import Account, Contestant, Match, MatchRules, Play, Ruling, Seating, Session, Team, Token
from ..models.open_boards import counted_in
from ..movements import FAMILIES, Movement, knock_out, team_members
from . import counting, history, live_lists, ruled_totals, who_plays
from .errors import Conflict, Invalid, Missing, Stale, refusal
from .remembering import Answers

Form = MatchRules.Form

remembered = Answers(16)


# ── How they count ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class RulesSetup:
    """How matches are to count; see `MatchRules`. `measure`: "" for what the session's method gives."""

    worth: str = ""
    measure: str = ""
    steps: Sequence[tuple[str, str]] = ()
    whole: str = "20"
    bye: str | None = None
    forfeit_won: str | None = None
    forfeit_lost: str = "0"
    team_size: int | None = None


def rules_of(session: Session) -> MatchRules | None:
    """None where the session has no matches, and its rounds are all planned from the beginning."""
    return MatchRules.objects.filter(session=session).first()


def stamp(rules: MatchRules | None) -> str:
    """What changes whenever the rules are set up again."""
    return "none" if rules is None else f"{rules.pk}-{rules.changes}"


def begin(session: Session, family: str, layout: Movement) -> None:
    """The rules, the teams and the matches of a session that has just been set up, if its movement has
    some."""
    found = FAMILIES[family]
    if not found.team_size:
        return
    form = Form(found.paired) if found.paired else Form.ROUND_ROBIN
    first = len({sitting.board for sitting in layout.sittings if sitting.round == 1})
    rules = MatchRules(
        session=session,
        form=form,
        team_size=found.team_size,
        rounds=layout.boards // first if found.paired else layout.rounds,
        **_checked(session, form, found.team_size, RulesSetup()),
    )
    rules.save(force_insert=True)
    _enter_teams(session, rules)
    if form == Form.KNOCK_OUT:
        keep_round(session, 1, knock_out(list(teams_of(session).values_list("number", flat=True))))
    else:
        follow(session)
        if found.paired and len(counting.sides_of(session)) == 2:
            _keep_byes(session)


def _keep_byes(session: Session) -> None:
    """Who does not play in the first round."""
    playing = {team for one in _plays(session) for team in one.teams}
    last = Match.objects.filter(session=session).count()
    Match.objects.bulk_create(
        Match(session=session, round=1, number=last + place, first=team)
        for place, team in enumerate(teams_of(session).exclude(pk__in=playing), 1)
    )


@transaction.atomic
def set_rules(*, session: Session, actor: history.Actor, setup: RulesSetup, seen: str | None) -> MatchRules:
    """Count a session's matches by these rules, from now on and from its beginning; one whose tables are of
    two sides gets its matches by that. Invalid says what is wrong; Conflict: its tables are no matches.
    Stale: the rules are not as they were `seen`."""
    Session.objects.select_for_update(no_key=True, of=("self",)).get(pk=session.pk)
    rules = rules_of(session)
    if seen is not None and stamp(rules) != seen:
        raise Stale("changed-meanwhile", _("Somebody else has changed the rules of the matches meanwhile."))
    if rules is None:
        size = setup.team_size or 1
        own = Play.objects.filter(board__board_set__session=session)
        last = own.aggregate(last=Max("round"))["last"] or 0
        columns = _checked(session, Form.ROUND_ROBIN, size, setup)
        rules = MatchRules(session=session, form=Form.ROUND_ROBIN, team_size=size, rounds=last, **columns)
        rules.save(force_insert=True)
        _enter_teams(session, rules)
        follow(session)
    else:
        if setup.team_size not in {None, rules.team_size}:
            raise Conflict("teams-stay", _("The teams of a session stay as it was set up with them."))
        for name, value in _checked(session, rules.form, rules.team_size, setup).items():
            setattr(rules, name, value)
        rules.changes += 1
        rules.save()
    history.note(actor, "set match rules", session, session=session, worth=rules.worth)
    return rules


def worth_of(rules: MatchRules) -> Worth:
    steps = tuple((Fraction(margin), Fraction(gained)) for margin, gained in rules.steps)
    return Worth(rules.worth, steps, Fraction(rules.whole))


def _checked(session: Session, form: str, team_size: int, setup: RulesSetup) -> dict[str, Any]:
    """The columns of rules that are set up like this."""
    sides = len(counting.sides_of(session))
    if sides != 2 and not (form == Form.SWISS and team_size == 1):
        raise Conflict("no-matches", _("A match has two sides, and this game has others."))
    measure = setup.measure or (worths.IMPS if team_size > 1 else "")
    if (team_size > 1) != bool(measure):
        message = _("Two tables of a board are compared in a measure; at one table the method says it.")
        raise Invalid("bad-match-rules", message, {"field": "measure"})
    counts = worths.IMPS if measure == worths.IMPS else METHODS[session.method].unit if not measure else ""
    default = worths.WINS if form == Form.KNOCK_OUT or counts != worths.IMPS else worths.SCALE
    by = setup.worth or default
    if by == worths.SCALE and counts != worths.IMPS:
        message = _("The scale of victory points is for margins in IMPs: give a table, or count wins.")
        raise Invalid("bad-match-rules", message, {"field": "worth"})
    try:
        steps = tuple((Fraction(margin), Fraction(gained)) for margin, gained in setup.steps)
        Worth(by, steps, Fraction(setup.whole))
        unit = units.unit(session.game) if measure == worths.IMPS else Fraction(1)
    except BadScoring as error:
        raise refusal("bad-match-rules", error) from error
    bye = {worths.WINS: Fraction(1), worths.SCALE: Fraction(12)}.get(by, Fraction(setup.whole) * 3 / 5)
    return {
        "measure": measure,
        "unit": str(unit),
        "worth": by,
        "steps": [list(step) for step in setup.steps],
        "whole": setup.whole,
        "bye": setup.bye or str(bye),
        "forfeit_won": setup.forfeit_won or str(bye),
        "forfeit_lost": setup.forfeit_lost,
    }


# ── Teams ─────────────────────────────────────────────────────────────────────────────────────────


def teams_of(session: Session) -> QuerySet[Team]:
    return Team.objects.filter(session=session).order_by("number")


def team_with(session: Session, number: int) -> Team:
    """Missing if the session has none with this number."""
    found = teams_of(session).filter(number=number).first()
    if found is None:
        raise Missing("no-such-team", _("The session has no team %(number)d.") % {"number": number})
    return found


def team_stamp(team: Team) -> str:
    """What changes with its name."""
    return sha256(json.dumps([team.pk, team.name]).encode()).hexdigest()[:32]


@transaction.atomic
def name_team(*, team: Team, actor: history.Actor, name: str, seen: str | None) -> Team:
    """Call a team by this name, as it stands; by those of its contestants, if it is empty. Stale: it has not
    the name that was `seen`, by its stamp."""
    locked = Team.objects.select_for_update(no_key=True, of=("self",)).select_related("session__tournament")
    team = locked.get(pk=team.pk)
    if seen is not None and team_stamp(team) != seen:
        raise Stale("changed-meanwhile", _("Somebody else has renamed the team meanwhile."))
    if team.name != name:
        team.name = name
        team.save(update_fields=["name"])
        history.note(actor, "named team", team, session=team.session, number=team.number)
    return team


def _enter_teams(session: Session, rules: MatchRules) -> None:
    """Every contestant in a team: the first two in the first, and so on, or each in one of its own."""
    own = list(session.contestants.order_by("number"))
    numbers = {one.number: one for one in own}
    try:
        members = team_members(len(own), rules.team_size)
    except ValueError as error:
        raise Invalid("bad-match-rules", str(error), {"field": "team_size"}) from error
    teams = Team.objects.bulk_create(Team(session=session, number=number) for number in members)
    by_position = sorted(numbers)
    for team, positions in zip(teams, members.values(), strict=True):
        for position in positions:
            numbers[by_position[position - 1]].team = team
    Contestant.objects.bulk_update(own, ["team"], batch_size=500)


def _enter_newcomers(session: Session, rules: MatchRules) -> None:
    """Who came with a new plan: in the place of somebody who has left, or as a team of their own."""
    new = list(session.contestants.filter(team=None).order_by("number"))
    if not new:
        return
    last = teams_of(session).aggregate(last=Max("number"))["last"] or 0
    gone = session.contestants.exclude(left_after=None).exclude(team=None)
    free = [one.team_id for one in gone.order_by("-left_after", "number")] if rules.team_size > 1 else []
    for place, one in enumerate(new):
        if place < len(free):
            one.team_id = free[place]
        else:
            last += 1
            one.team = Team.objects.create(session=session, number=last)
        one.save(update_fields=["team"])


def enter_teams(session: Session, rules: MatchRules) -> None:
    """Contestants who are in no team yet, in teams of the usual size, in the order of their numbers."""
    new = list(session.contestants.filter(team=None).order_by("number"))
    last = teams_of(session).aggregate(last=Max("number"))["last"] or 0
    for at in range(0, len(new), rules.team_size):
        team = Team.objects.create(session=session, number=last + at // rules.team_size + 1)
        for one in new[at : at + rules.team_size]:
            one.team = team
    Contestant.objects.bulk_update(new, ["team"])


# ── Who meets whom ────────────────────────────────────────────────────────────────────────────────


class MatchPlay(NamedTuple):
    """A board of a match at one of its tables. `teams`: by side, those who sit there."""

    play: int
    round: int
    table: tuple[str, int]
    board: int
    number: int
    teams: tuple[int, int]


def follow(session: Session) -> None:
    """The matches of the rounds that are planned, as their plays have them: matches that are played no more
    go, others stay as they are. Matches on which somebody has ruled stay."""
    rules = rules_of(session)
    if rules is None or len(counting.sides_of(session)) != 2:
        return
    _enter_newcomers(session, rules)
    wanted: dict[tuple[frozenset[int], int], MatchPlay] = {}
    plays = _plays(session)
    split = _is_split(rules, plays)
    for one in plays:
        key = (frozenset(one.teams), 0 if split else one.round)
        if one.teams[0] != one.teams[1] and key not in wanted:
            wanted[key] = one
    numbers: dict[int, int] = defaultdict(int)
    is_ruled = Exists(Ruling.objects.filter(match=OuterRef("pk")))
    for match in Match.objects.filter(session=session).annotate(is_ruled=is_ruled):
        key = (frozenset({match.first_id, match.second_id or 0}), 0 if split else match.round)
        known = wanted.pop(key, None)
        if known is None and match.second_id is not None and not match.is_ruled:
            match.delete()
        else:
            numbers[match.round] = max(numbers[match.round], match.number)
    new = []
    for one in wanted.values():
        numbers[one.round] += 1
        first, second = one.teams
        new.append(
            Match(
                session=session, round=one.round, number=numbers[one.round], first_id=first, second_id=second
            )
        )
    Match.objects.bulk_create(new)


def keep_round(session: Session, number: int, matches: Sequence[tuple[int, int | None]]) -> None:
    """The matches of a round that has been planned, teams by number, byes among them."""
    ids = dict(teams_of(session).values_list("number", "pk"))
    Match.objects.bulk_create(
        Match(
            session=session,
            round=number,
            number=place,
            first_id=ids[first],
            second_id=None if second is None else ids[second],
        )
        for place, (first, second) in enumerate(matches, 1)
    )


def _is_split(rules: MatchRules, plays: Sequence[MatchPlay]) -> bool:
    """Whether the two tables of a match play its boards in different rounds."""
    if rules.team_size == 1 or not plays:
        return False
    first = plays[0]
    return not any(
        one.play != first.play
        and (one.round, one.board, frozenset(one.teams)) == (first.round, first.board, frozenset(first.teams))
        for one in plays
    )


def _plays(session: Session) -> list[MatchPlay]:
    """Every play of two teams, by round, table and board: one query. None where more than two meet."""
    if len(counting.sides_of(session)) != 2:
        return []
    first, second = (side[0] for side in counting.sides_of(session))
    rows = Seating.objects.filter(
        play__board__board_set__session=session, seat__in=[first, second], contestant__team__isnull=False
    ).order_by("play__round", "play__table__section__name", "play__table__number", "play__board__number")
    seated: dict[int, dict[int, int]] = defaultdict(dict)
    where: dict[int, tuple[Any, ...]] = {}
    for play, seat, team, *place in rows.values_list(
        *("play_id", "seat", "contestant__team_id", "play__round", "play__table__section__name"),
        *("play__table__number", "play__board_id", "play__board__number"),
    ):
        seated[play][seat] = team
        where[play] = tuple(place)
    return [
        MatchPlay(play, number, (section, table), board, shown, (seated[play][first], seated[play][second]))
        for play, (number, section, table, board, shown) in where.items()
        if len(seated[play]) == 2
    ]


def of(session: Session) -> QuerySet[Match]:
    """By round and number."""
    own = Match.objects.filter(session=session).select_related("first", "second")
    return own.order_by("round", "number")


def match_with(session: Session, number: int, the_round: int) -> Match:
    """Missing if the session has no such match in that round."""
    found = of(session).filter(round=the_round, number=number).first()
    if found is None:
        message = _("There is no match %(number)d in round %(round)d.")
        facts = {"number": number, "round": the_round}
        raise Missing("no-such-match", message % facts, facts)
    return found


# ── What comes of them ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match, as it stands. `tables`, `boards`: where and on what it is played; `counted`: on how many
    boards there is something to compare. `margin`: the first team's; `gained`: what it gives to each, None
    before anything is there. `lost`: the teams that have forfeited it, by id. `is_complete`: nothing is
    missing."""

    match: Match
    tables: tuple[tuple[str, int], ...] = ()
    boards: tuple[int, ...] = ()
    counted: int = 0
    margin: Fraction | None = None
    gained: tuple[Fraction, Fraction] | None = None
    lost: frozenset[int] = frozenset()
    is_complete: bool = False

    @property
    def winner(self) -> int | None:
        """The team that goes on in a knock-out, by id; None while that is open, and where both are equal."""
        if self.match.second_id is None:
            return self.match.first_id
        if not self.is_complete or self.gained is None or self.gained[0] == self.gained[1]:
            return None
        return self.match.first_id if self.gained[0] > self.gained[1] else self.match.second_id


def states(session: Session) -> Mapping[int, MatchState]:
    """Every match by its id, as all results and rulings have it. Once for each state of the session; its time
    grows with its plays."""
    rules = rules_of(session)
    if rules is None:
        return {}
    held = counting.of_session(session)
    key = ("states", session.pk, held.made_at, held.layout, held.position, rules.changes, session.is_over)
    return remembered.get(key, lambda: states_with(session, rules, held))


def states_with(
    session: Session,
    rules: MatchRules,
    held: counting.SessionStandings,
    *,
    without: int | None = None,
    more: Iterable[Ruling] = (),
) -> Mapping[int, MatchState]:
    """The same with other standings. `without`: a ruling (its id) that is to be reversed; `more`: others that
    are not stored yet."""
    forfeits = Ruling.objects.in_force().filter(session=session, kind=Ruling.Kind.FORFEIT)
    if without is not None:
        forfeits = forfeits.exclude(pk=without)
    numbers = dict(teams_of(session).values_list("number", "pk"))
    lost: dict[int, set[int]] = defaultdict(set)
    for ruling in [*forfeits, *(one for one in more if one.kind == Ruling.Kind.FORFEIT)]:
        lost[cast(int, ruling.match_id)] |= {numbers[team] for team in ruling.content["lost"]}
    layout = ("plays", session.pk, held.made_at, held.layout)
    plays = remembered.get(layout, lambda: _plays(session))
    split = _is_split(rules, plays)
    of_match: dict[tuple[frozenset[int], int], list[MatchPlay]] = defaultdict(list)
    for one in plays:
        of_match[frozenset(one.teams), 0 if split else one.round].append(one)
    stands = _entries(held, {one.board for one in plays}, with_awards=rules.team_size == 1)
    worth = worth_of(rules)
    found = {}
    for match in of(session):
        state = MatchState(match)
        if match.second_id is not None:
            key = (frozenset({match.first_id, match.second_id}), 0 if split else match.round)
            state = _played(state, rules, of_match.get(key, []), stands, worth, is_over=session.is_over)
        found[match.pk] = _with_forfeit(state, rules, frozenset(lost.get(match.pk, ())))
    return found


class _Stand(NamedTuple):
    """What stands for a play, by side: the entries, what they are worth, and which cards it was."""

    entries: tuple[Entry, Entry]
    points: tuple[Fraction | None, Fraction | None]
    deal: Hashable


def _entries(
    held: counting.SessionStandings, boards: Collection[int], *, with_awards: bool
) -> dict[int, _Stand]:
    found: dict[int, _Stand] = {}
    lines = cast(Mapping[counting.Key, ComparedLine[int]], held.standings.lines)
    for board in boards:
        if (board, 0) not in lines or (board, 1) not in lines:
            continue
        first, second = lines[board, 0], lines[board, 1]
        others = {play: at for at, play in enumerate(second.tables)}
        for at, play in enumerate(first.tables):
            other = others[play]
            points: tuple[Fraction | None, Fraction | None] = (None, None)
            if with_awards:
                awards = first.award_at(at), second.award_at(other)
                points = tuple(None if one is None else one.points for one in awards)  # type: ignore[assignment]  # two
            found[cast(int, play)] = _Stand(
                (first.entries[0][at], second.entries[0][other]),
                points,
                None if first.deals is None else first.deals[at],
            )
    return found


def _played(
    state: MatchState,
    rules: MatchRules,
    plays: Sequence[MatchPlay],
    stands: Mapping[int, _Stand],
    worth: Worth,
    *,
    is_over: bool,
) -> MatchState:
    by_board: dict[int, list[MatchPlay]] = defaultdict(list)
    for one in plays:
        by_board[one.board].append(one)
    compare = _one_table if rules.team_size == 1 else _two_tables
    margins = [compare(state.match, some, stands, rules) for some in by_board.values()]
    counted = [margin for margin in margins if margin is not None]
    missing = any(one.play not in stands or NoScore.LATE in stands[one.play].entries for one in plays)
    is_complete = bool(plays) and (is_over or not missing)
    margin = sum(counted, Fraction(0)) if counted else None
    gained = None
    if counted or is_complete:
        gained = worth.of(margin or Fraction(0), max(len(counted), 1))
    return replace(
        state,
        tables=tuple(dict.fromkeys(one.table for one in plays)),
        boards=tuple(by_board),
        counted=len(counted),
        margin=margin,
        gained=gained,
        is_complete=is_complete,
    )


def _one_table(
    match: Match, plays: Sequence[MatchPlay], stands: Mapping[int, _Stand], _rules: MatchRules
) -> Fraction | None:
    """Half of the difference of what the method gives to both sides: how far the first is above average."""
    for one in plays:
        if (stand := stands.get(one.play)) is not None and None not in stand.points:
            ours, theirs = cast(tuple[Fraction, Fraction], stand.points)
            return (ours - theirs) / (2 if one.teams[0] == match.first_id else -2)
    return None


def _two_tables(
    match: Match, plays: Sequence[MatchPlay], stands: Mapping[int, _Stand], rules: MatchRules
) -> Fraction | None:
    """None until both tables have something, and where they did not hold the same cards, each team once in
    each direction."""
    by_side = {one.teams.index(match.first_id): stands.get(one.play) for one in plays}
    first, second = by_side.get(0), by_side.get(1)
    if len(plays) != 2 or first is None or second is None or first.deal != second.deal:
        return None
    board = TwoTables(first.entries, second.entries)
    return board_margin(board, rules.measure, Fraction(rules.unit))


def _with_forfeit(state: MatchState, rules: MatchRules, lost: frozenset[int]) -> MatchState:
    bye, won, gone = (Fraction(text) for text in (rules.bye, rules.forfeit_won, rules.forfeit_lost))
    if state.match.second_id is None:
        return replace(state, gained=(bye, Fraction(0)), is_complete=True)
    if not lost:
        return state
    gained = tuple(gone if team in lost else won for team in (state.match.first_id, state.match.second_id))
    return replace(
        state, margin=None, gained=cast(tuple[Fraction, Fraction], gained), lost=lost, is_complete=True
    )


# ── Who stands where ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class MatchStandings:
    """`totals`: what each team (its id) has gained in matches that are complete, with penalties, bonuses and
    carry-over; `results`: these matches, which tie-breaks ask."""

    totals: Mapping[int, Total]
    results: Sequence[MatchResult[int]]
    disqualified: frozenset[int] = frozenset()

    def places(self, tie_breaks: Sequence[str] = (), min_boards: int = 1) -> Places[int]:
        rules = match_tie_breaks(tie_breaks, self.results)
        return ranking(self.totals, tie_breaks=rules, min_boards=min_boards, unranked=self.disqualified)


def standings(
    session: Session,
    found: Mapping[int, MatchState],
    changes: ruled_totals.Changes,
    *,
    with_open: bool = False,
) -> MatchStandings:
    """Who stands where by these matches; `with_open`: also by those that are not complete, as they stand."""
    of_team = dict(
        Contestant.objects.filter(session=session, team__isnull=False).values_list("pk", "team_id")
    )
    results: list[MatchResult[int]] = []
    boards: dict[int, int] = defaultdict(int)
    for state in found.values():
        if state.gained is None or not (state.is_complete or with_open):
            continue
        match = state.match
        results.append(MatchResult(match.first_id, match.second_id, state.margin, state.gained))
        for team in (match.first_id, match.second_id):
            if team is not None:
                boards[team] += max(state.counted, 1)
    totals = match_totals(list(dict.fromkeys(of_team.values())), results, boards)
    for contestant, (gain, loss) in changes.vps.items():
        team = of_team[contestant]
        total = totals[team]
        totals[team] = replace(total, extra=total.extra + gain, lost=total.lost + loss)
    disqualified = frozenset(of_team[k] for k in changes.disqualified if k in of_team)
    return MatchStandings(totals, results, disqualified)


# ── Who may see what ──────────────────────────────────────────────────────────────────────────────


def shown(
    session: Session, viewer: Token | Account | None, held: Collection[int] = ()
) -> Mapping[int, MatchState]:
    """The matches as a viewer may know them: who meets whom in all, and what came of those whose results they
    see. Whoever sees lists with every result sees every match (`live_lists.sees_all`, with `held`); others
    what everybody is told, of a session that is not listed its officials alone."""
    is_official = live_lists.is_official(session, viewer)
    if is_official and live_lists.sees_all(session, viewer, held):
        return states(session)
    if session.listed or is_official:
        return told_to_all(session)
    return {pk: _hidden(state) for pk, state in states(session).items()}


def told_to_all(session: Session) -> Mapping[int, MatchState]:
    """The matches as everybody is told: what came of those whose boards are over, or typed by officials who
    do not play, as in the live list; while the session is played and hides its lists, of none."""
    found = states(session)
    if session.are_boards_over:
        return found
    if session.live == Session.Live.HIDDEN:
        return {pk: _hidden(state) for pk, state in found.items()}
    counted = set(counted_in(session, who_plays.roles_without_seat(session)).values_list("pk", flat=True))
    return {pk: state if counted.issuperset(state.boards) else _hidden(state) for pk, state in found.items()}


def _hidden(state: MatchState) -> MatchState:
    """Without what came of the play; a bye and a forfeit are known."""
    if state.match.second_id is None or state.lost:
        return state
    return replace(state, counted=0, margin=None, gained=None, is_complete=False)
