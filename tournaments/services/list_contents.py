"""What the lists of a session show, besides its ranking; `lists` sets them up.

What a list shows follows from the one set of standings that the ranking's newest version holds: a list of a
club or a category picks contestants out of it and compares nothing again. Two things need the lines
themselves, as this process remembers them: another method, and tie-breaks where somebody is tied.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple, NoReturn, cast

from django.db.models import Min
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.amounts import Totals
from scoring.combined import teams
from scoring.formulas import formula
from scoring.lines import Comparison
from scoring.masterpoints import master_points
from scoring.matches import match_tie_breaks
from scoring.methods import METHODS, method, top_of
from scoring.ranking import Place, Places, ranking
from scoring.recaps import Recap, Traveller
from scoring.rulings import with_handicaps
from scoring.standings import ComparedLine, Standings
from scoring.ties import tie_breaks

from ..models import Contestant, Member, Ranking, Seating, Session, SessionList, Table
from . import comparisons, counting, differences, matches, names, rankings, versions
from .errors import Conflict
from .lists import TIE_BREAK_NAMES
from .remembering import Answers
from .ruled_totals import Changes

Kind = SessionList.Kind


@dataclass(frozen=True, slots=True)
class RankedPlace:
    """A place of a list. `scratch_rank`: the contestant's place without handicaps, in a list that has them;
    `award`: its master points, None where the list gives none."""

    line_group: int
    place: Place[int]
    scratch_rank: str | None
    award: Fraction | None


@dataclass(frozen=True, slots=True)
class ListContent:
    """What a list shows. `version`: of the ranking that it follows from. `groups`: the places of each line
    group, the best first. `absent`: its contestants who have not played a board, apart. `left_out`: how many
    penalties, bonuses and carry-overs do not count, because its method counts something else."""

    version: int
    groups: Mapping[int, Places[int]]
    absent: Sequence[int]
    scratch: Mapping[int, str] = field(default_factory=dict)
    awards: Mapping[int, Fraction] | None = None
    left_out: int = 0

    @property
    def count(self) -> int:
        return sum(map(len, self.groups.values()))

    def places(self, numbers: range) -> Iterator[RankedPlace]:
        """Those with these numbers, counted from 0; no other is made."""
        order = versions.Order(self.groups)
        for group, place in order.places(numbers):
            k = place.contestant
            award = None if self.awards is None else self.awards.get(k, Fraction(0))
            yield RankedPlace(group, place, self.scratch.get(k), award)


Lines = Callable[[], counting.SessionStandings]
"""The standings with their lines, read where a list needs them."""


@dataclass(frozen=True, slots=True)
class ListSource:
    """What a list follows from: a version of the ranking, or standings. `lines`, `states` (of all matches):
    read where a list needs them. `is_stored`: others will ask for what is made of it; they will not where a
    ruling is only looked at."""

    version: int
    totals: Totals[int]
    disqualified: frozenset[int]
    lines: Lines
    states: Callable[[], Mapping[int, matches.MatchState]]
    is_stored: bool = True

    @classmethod
    def of_standings(
        cls,
        held: counting.SessionStandings,
        states: Callable[[], Mapping[int, matches.MatchState]],
        *,
        is_stored: bool = True,
    ) -> "ListSource":
        return cls(0, held.totals, held.changes.disqualified, lambda: held, states, is_stored)

    @classmethod
    def of_version(cls, session: Session, version: Ranking, lines: Lines) -> "ListSource":
        order = versions.order_of(version)
        of_all = matches.told_to_all if version.is_live else matches.states
        return cls(version.version, order.totals, order.disqualified, lines, partial(of_all, session))


def members_of(the_list: SessionList) -> dict[int, int]:
    """The contestants of a list, by their ids, each with its line group; the teams of one that ranks teams.
    One to three queries."""
    if the_list.kind in SessionList.OF_TEAMS:
        return dict.fromkeys(the_list.session.teams.order_by("number").values_list("pk", flat=True), 1)
    contestants = Contestant.objects.filter(session=the_list.session_id).order_by("pk")
    groups = dict(contestants.values_list("pk", "line_group"))
    wanted = MEMBERS[the_list.kind](the_list, groups)
    return {k: group for k, group in groups.items() if k in wanted}


def _everybody(_the_list: SessionList, groups: Mapping[int, int]) -> set[int]:
    return set(groups)


def _of_line_group(the_list: SessionList, groups: Mapping[int, int]) -> set[int]:
    return {k for k, group in groups.items() if group == int(the_list.about)}


def _of_section(the_list: SessionList, _groups: Mapping[int, int]) -> set[int]:
    """Those who have sat down there first: whoever is sent to another room later stays in the list."""
    own = Seating.objects.filter(contestant__session=the_list.session_id)
    here = own.filter(play__table__section__name=the_list.about)
    first, first_here = (
        dict(some.values_list("contestant").annotate(Min("play__round")).order_by()) for some in (own, here)
    )
    return {k for k, number in first_here.items() if number == first[k]}


def _of_club(the_list: SessionList, _groups: Mapping[int, int]) -> set[int]:
    def is_of(home: str | None, club: str) -> bool:
        return (home or club) == the_list.about

    return _all_of(the_list, ["player__home_club__slug", "player__club__slug"], is_of)


def _of_category(the_list: SessionList, _groups: Mapping[int, int]) -> set[int]:
    def is_of(categories: Sequence[str]) -> bool:
        return the_list.about in categories

    return _all_of(the_list, ["player__categories"], is_of)


def _all_of(the_list: SessionList, columns: Sequence[str], is_of: Callable[..., bool]) -> set[int]:
    """The contestants all of whose players are."""
    rows = Member.objects.filter(session=the_list.session_id).values_list("contestant", *columns)
    every: dict[int, bool] = {}
    for contestant, *facts in rows:
        every[contestant] = every.get(contestant, True) and is_of(*facts)
    return {k for k, are in every.items() if are}


MEMBERS: Mapping[str, Callable[[SessionList, Mapping[int, int]], set[int]]] = {
    Kind.OVERALL: _everybody,
    Kind.HANDICAP: _everybody,
    Kind.LINE_GROUP: _of_line_group,
    Kind.SECTION: _of_section,
    Kind.CLUB: _of_club,
    Kind.CATEGORY: _of_category,
}


def content(
    the_list: SessionList,
    members: Mapping[int, int],
    *,
    is_live: bool = False,
    by: Ranking | None = None,
) -> ListContent:
    """What a list shows of its members (`members_of`), by the newest version of the ranking or of the live
    list. The time grows with them; with all plays of the session where another method or a tie-break needs
    them, once for each version.

    `by`: another version of the same. Conflict where the list needs the results themselves, which are kept as
    they are now."""
    session = the_list.session
    newest = rankings.newest(session, is_live=is_live) or Ranking(session=session, version=0, is_live=is_live)
    version, lines = newest, cast(Lines, cache(partial(_held, newest)))
    if by is not None and by.version != newest.version:
        version, lines = by, _no_lines
        if the_list.kind == Kind.MATCHES:
            _no_lines()
    return content_of(the_list, members, ListSource.of_version(session, version, lines))


def content_of(the_list: SessionList, members: Mapping[int, int], source: ListSource) -> ListContent:
    """What a list shows of its members by what it follows from."""
    if the_list.kind in SessionList.OF_TEAMS:
        return _of_teams(the_list, source, members)
    totals, left_out = _totals(the_list, source)
    own = totals.of(members)
    played = {k for k, _points, _scale, _top, boards in own.exact() if boards}
    held: dict[int, list[int]] = {group: [] for group in sorted(set(members.values()))}
    for k, group in members.items():
        if k in played:
            held[group].append(k)
    handicaps = _handicaps(the_list)
    scratch: dict[int, str] = {}
    groups: dict[int, Places[int]] = {}
    for group, contestants in held.items():
        here = own.of(contestants)
        if the_list.kind == Kind.HANDICAP:
            ranked = _ranking(the_list, source, here)
            scratch |= {place.contestant: place.rank for place in ranked}
        groups[group] = _ranking(the_list, source, with_handicaps(here, handicaps))
    absent = [k for k in members if k not in played]
    return ListContent(source.version, groups, absent, scratch, _awards(the_list, groups), left_out)


def moved(
    the_list: SessionList, members: Mapping[int, int], first: Ranking, last: Ranking
) -> list[differences.Move]:
    """Who of a list has another total or another place in one version than in an earlier one, line group by
    line group. It costs what `content` of both does, and is refused where that is."""
    before, after = (content(the_list, members, is_live=last.is_live, by=one) for one in (first, last))
    return _moves(before, after)


def moved_between(
    the_list: SessionList, session: Session, before: ListSource, after: ListSource
) -> list[differences.Move]:
    """The same between two things that a list of a session may follow from."""
    the_list.session = session
    members = members_of(the_list)
    return _moves(*(content_of(the_list, members, source) for source in (before, after)))


def _moves(before: ListContent, after: ListContent) -> list[differences.Move]:
    nothing: Places[int] = ranking({})
    return [
        move
        for group, places in after.groups.items()
        for move in differences.moves_of_places(before.groups.get(group, nothing), places)
    ]


def _no_lines() -> NoReturn:
    """Of an earlier version: results and rulings are known as they are now."""
    message = _(
        "This list needs the results themselves, for its own method, its matches or a tie: only the newest "
        "version can be shown."
    )
    raise Conflict("only-newest", message)


def named(the_list: SessionList, concerned: Collection[int], reader: names.Reader) -> dict[int, names.Named]:
    """Those whom a list ranks, contestants or teams, as a reader sees them."""
    shown = names.of_teams if the_list.kind in SessionList.OF_TEAMS else names.of_contestants
    return shown(concerned, reader)


def _of_teams(the_list: SessionList, source: ListSource, members: Mapping[int, int]) -> ListContent:
    """What a list of teams shows: what their contestants have won together, or what they have gained in their
    matches. Those of which a contestant is disqualified have no place."""
    session = the_list.session
    own: dict[int, list[int]] = {team: [] for team in members}
    of_team = Contestant.objects.filter(session=session, team__isnull=False).order_by("number")
    for pk, team in of_team.values_list("pk", "team_id"):
        own[team].append(pk)
    left_out = 0
    if the_list.kind == Kind.MATCHES:
        changes = source.lines().changes
        found = matches.standings(session, source.states(), changes)
        totals = {team: total for team, total in found.totals.items() if total.boards}
        left_out = len(changes.penalties) + len(changes.gains)
        rules = match_tie_breaks(the_list.tie_breaks, found.results)
        unranked = found.disqualified
    else:
        won, left_out = _totals(the_list, source)
        totals = {team: total for team, total in teams(won, own).items() if total.boards}
        rules = []
        unranked = frozenset(team for team, some in own.items() if not source.disqualified.isdisjoint(some))
    places = ranking(totals, tie_breaks=rules, min_boards=the_list.min_boards, unranked=unranked)
    absent = [team for team in members if team not in totals]
    groups = {1: places}
    return ListContent(source.version, groups, absent, {}, _awards(the_list, groups), left_out)


def _ranking(the_list: SessionList, source: ListSource, totals: Mapping[int, Any]) -> Places[int]:
    """In order; where some are tied, by the list's tie-breaks."""
    found = ranking(totals, min_boards=the_list.min_boards, unranked=source.disqualified)
    positions = [position for _k, position in found.positions()]
    if not the_list.tie_breaks or len(set(positions)) == len(positions):
        return found
    rules = tie_breaks(the_list.tie_breaks, _recap(the_list, source), source.lines().changes.penalties)
    return ranking(totals, tie_breaks=rules, min_boards=the_list.min_boards, unranked=source.disqualified)


def _handicaps(the_list: SessionList) -> dict[int, Fraction]:
    """By contestant (its id)."""
    if not the_list.handicaps:
        return {}
    numbers = Contestant.objects.filter(session=the_list.session_id).values_list("number", "pk")
    return {
        pk: Fraction(the_list.handicaps[str(number)])
        for number, pk in numbers
        if str(number) in the_list.handicaps
    }


def _awards(the_list: SessionList, groups: Mapping[int, Places[int]]) -> dict[int, Fraction] | None:
    """The master points of a list that gives some."""
    if not the_list.award_factor:
        return None
    session = the_list.session
    tables = Table.objects.filter(section__session=session).count()
    ranked = session.teams if the_list.kind in SessionList.OF_TEAMS else session.contestants
    size = FieldSize(ranked.count(), tables)
    return points_for_places(groups, size, Fraction(the_list.award_factor), by=the_list.formula_text)


class FieldSize(NamedTuple):
    """How many contestants a session has, and at how many tables."""

    contestants: int
    tables: int


def points_for_places(
    groups: Mapping[int, Places[int]], size: FieldSize, factor: Fraction, *, by: str = ""
) -> dict[int, Fraction]:
    """The master points for the places of each group, from the tables that its contestants would fill.
    `by`: a formula in place of the built-in scale."""
    own = formula(by) if by else None
    given: dict[int, Fraction] = {}
    for places in groups.values():
        ranked = [(str(position), k) for k, position in places.positions()]
        filled = max(len(ranked) * size.tables // max(size.contestants, 1), 1)
        boards = {} if own is None else {place.contestant: place.total.boards for place in places}
        given |= master_points(ranked, tables=filled, factor=factor, by=own, boards=boards)
    return given


# ── From the lines ────────────────────────────────────────────────────────────────────────────────


def _totals(the_list: SessionList, source: ListSource) -> tuple[Totals[int], int]:
    """What everybody has won by the list's method, and how many decisions about contestants do not count."""
    if not the_list.method:
        return source.totals, 0
    held = source.lines()
    comparison = _comparison(the_list)
    unit, top = METHODS[the_list.method].unit, top_of(comparison, the_list.session.plays_per_board)
    is_same = the_list.method == the_list.session.method  # with other options
    counted = ({unit} if is_same else set()) | (set() if top is None else {"percent"})
    penalties = tuple(one for one in held.changes.penalties if one.unit in counted)
    gains = held.changes.gains if is_same else {}
    left_out = len(held.changes.penalties) - len(penalties) + len(held.changes.gains) - len(gains)
    compared = _once(the_list, source, "totals", lambda: _compared_again(held, comparison))
    return Changes(penalties, gains, unit, top).applied_to(compared, held.groups), left_out


def _compared_again(held: counting.SessionStandings, comparison: Comparison) -> Totals[int]:
    lines = {
        key: ComparedLine.of(
            comparison,
            tables=line.tables,
            contestants=line.contestants,
            entries=line.entries,
            deals=line.deals,
            plays=line.plays,
        )
        for key, line in held.standings.lines.items()
    }
    return Standings(lines).totals


def _recap(the_list: SessionList, source: ListSource) -> Recap[int]:
    """The recap that tie-breaks ask: who met whom on which board of which round, and what it was worth."""
    held = source.lines()

    def made() -> Recap[int]:
        sides = counting.sides_of(the_list.session)
        boards: dict[int, dict[int, ComparedLine[int]]] = {}
        known = cast(Mapping[counting.Key, ComparedLine[int]], held.standings.lines)
        for (board, side), line in known.items():
            boards.setdefault(board, {})[side] = line
        travellers = [_traveller(board, lines, sides, held) for board, lines in boards.items()]
        plays = the_list.session.plays_per_board
        comparison = _comparison(the_list)
        return Recap(travellers, sides=sides, comparison=comparison, plays=plays, again=True)

    recap: Recap[int] = _once(the_list, source, "recap", made)
    return recap


def _traveller(
    board: int,
    lines: Mapping[int, ComparedLine[int]],
    sides: counting.Sides,
    held: counting.SessionStandings,
) -> Traveller[int]:
    first = lines[0]
    by_seat = {
        seat: (lines[side].contestants[at], lines[side].entries[at])
        for side, seats in enumerate(sides)
        for at, seat in enumerate(seats)
    }
    columns = [by_seat[seat] for seat in sorted(by_seat)]
    rounds = [held.rounds[cast(int, play)] for play in first.tables]
    return Traveller(
        board, first.tables, rounds, tuple(c for c, _e in columns), tuple(e for _c, e in columns), first.deals
    )


def _comparison(the_list: SessionList) -> Comparison:
    if the_list.method:
        return method(the_list.method, **the_list.method_options)
    return comparisons.comparison_of(the_list.session)


def _held(newest: Ranking) -> counting.SessionStandings:
    """The standings that the newest version of a list was made from, or later ones of the same boards."""
    held = counting.of_session(newest.session)
    return held.of_boards(counting.boards_of(newest)) if newest.is_live else held


def _once(the_list: SessionList, source: ListSource, what: str, make: Callable[[], Any]) -> Any:
    """What is made of the lines, once for each of their states."""
    if not source.is_stored:
        return make()
    held = source.lines()
    by = json.dumps([the_list.method, the_list.method_options], sort_keys=True)
    key = what, the_list.session_id, held.made_at, held.layout, held.position, held.boards, by
    return remembered.get(key, make)


remembered = Answers(8)


# ── In words ──────────────────────────────────────────────────────────────────────────────────────


def tie_words(the_list: SessionList, place: Place[int]) -> str:
    """What puts a place before the next, or that nothing does, in the reader's language."""
    if place.before_next in TIE_BREAK_NAMES:
        words = _("Before the next, with the same score, by the tie-break “%(name)s”.")
        return words % {"name": TIE_BREAK_NAMES[place.before_next]}
    if place.rank.endswith("="):
        if not the_list.tie_breaks:
            return pgettext("list", "Tied: the list has no tie-breaks.")
        return pgettext("list", "Tied: no tie-break of the list tells them apart.")
    return ""
