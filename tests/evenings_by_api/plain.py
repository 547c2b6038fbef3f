"""A plain script: every list of a session, made again with `scoring` from what the session publishes, and
nothing else. It knows no service, no database and no engine: docs/scoring.md and docs/formats.md are enough.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from scoring.combined import teams
from scoring.entries import AVERAGE, Artificial, Entry, NoScore, Own, Weighted
from scoring.masterpoints import master_points
from scoring.matches import MatchResult, TwoTables, Worth, board_margin, match_tie_breaks, match_totals
from scoring.methods import METHODS, method, top_of
from scoring.ranking import Place, ranking
from scoring.recaps import Recap, TravellerRow, travellers_of
from scoring.rulings import Penalty, with_carry_over, with_handicaps, with_penalties
from scoring.ties import tie_breaks
from scoring.totals import Total

Row = dict[str, Any]
PlayKey = tuple[str, int, int]
"""Section, table, board."""


@dataclass(frozen=True)
class Published:
    """What a session publishes: itself, `plays` (`GET …/plays/`), the tables `results` and `rulings`
    (`GET …/exports/`); of `ranking` alone the line group of whoever has sat nowhere is read. `sides`: the
    seats of the game that score together. `players`: the register's, by contestant's number, as whoever
    keeps it knows them. Of teams: who they are (`GET …/teams/`), how their `matches` count (`GET
    …/match-rules/`), and who meets whom (`GET …/matches/`), of which nothing else is read."""

    session: Row
    plays: Sequence[Row]
    results: Sequence[Row]
    rulings: Sequence[Row]
    ranking: Sequence[Row]
    sides: Sequence[Sequence[int]]
    players: Mapping[int, Sequence[Row]]
    teams: Sequence[Row] = ()
    match_rules: Row = field(default_factory=dict)
    matches: Sequence[Row] = ()
    known: dict[str, "Counted"] = field(default_factory=dict, repr=False)

    @property
    def contestants(self) -> list[int]:
        return sorted(self.players)


@dataclass(frozen=True)
class PlainPlace:
    """A place of a list, to the last digit."""

    line_group: int
    rank: str
    number: int
    boards: int
    points: str
    score: str | None
    before_next: str | None
    scratch_rank: str | None
    master_points: str | None


@dataclass(frozen=True)
class PlainList:
    places: Sequence[PlainPlace]
    absent: Sequence[int]
    left_out: int


# ── From the tables ───────────────────────────────────────────────────────────────────────────────


def entry(text: str) -> Entry:
    """What stands in a line, as the table of rulings writes it.

    >>> entry("620"), entry("not played"), entry("average 60 if better").own
    (620, <NoScore.NOT_PLAYED: 'not played'>, <Own.IF_BETTER: 'if better'>)
    """
    for one in NoScore:
        if text == one.value:
            return one
    if "*" in text:
        parts = [part.split("*") for part in text.split()]
        return Weighted(tuple((int(score), Fraction(weight)) for score, weight in parts))
    if text.startswith("average"):
        _average, *words = text.split()
        percent = Fraction(words.pop(0)) if words and words[0] != "if" else Fraction(50)
        return Artificial(percent, Own(" ".join(words)) if words else Own.NEVER)
    return int(text)


def place_of(row: Row) -> PlayKey:
    return row["section"], row["table"], row["board"]


def seated(play: Row) -> tuple[int, ...]:
    return tuple(one["number"] for one in sorted(play["seatings"], key=lambda one: one["seat"]))


def rows_of(published: Published) -> list[TravellerRow[int]]:
    """Each play that has a result or a ruling: who sat there, and what stands for each seat."""
    results = {place_of(row): row for row in published.results}
    ruled: dict[PlayKey, list[Row]] = defaultdict(list)
    for row in published.rulings:
        if row["board"] is not None:
            ruled[place_of(row)].append(row)
    rows = []
    for play in published.plays:
        at = place_of(play)
        if at not in results and at not in ruled:
            continue
        contestants = seated(play)
        entries: list[Entry] = [NoScore.LATE] * len(contestants)
        if at in results:
            row = results[at]
            averaged = {int(seat) for seat in str(row["averaged"] or "").split()}
            for side in published.sides:
                for seat in side:
                    score = row[f"score{side[0]}"]
                    entries[seat - 1] = AVERAGE if side[0] in averaged else score
        cards = None
        for row in ruled[at]:
            cards = row["cards"] or cards
            for seat in range(1, len(contestants) + 1):
                if row[f"entry{seat}"] is not None:
                    entries[seat - 1] = entry(str(row[f"entry{seat}"]))
        place = (play["section"], play["table"])
        rows.append(TravellerRow(play["board"], place, contestants, tuple(entries), play["round"], cards))
    return rows


def line_groups(published: Published) -> dict[int, int]:
    """By contestant: its group. Those who share a line, or are linked by others who do, are compared; the
    group of the lowest number is the first. Where each round follows from the standings, all are."""
    if published.match_rules.get("is_paired"):
        return dict.fromkeys(published.contestants, 1)
    lines: dict[tuple[int, int], set[int]] = defaultdict(set)
    for play in published.plays:
        who = seated(play)
        for at, side in enumerate(published.sides):
            lines[play["board"], at].update(who[seat - 1] for seat in side)
    everywhere = {number for line in lines.values() for number in line}
    group: dict[int, int] = {}
    for number in sorted(everywhere):
        if number in group:
            continue
        group[number], found = max(group.values(), default=0) + 1, {number}
        while found:
            linked = {one for line in lines.values() if line & found for one in line}
            found = linked - group.keys()
            group |= dict.fromkeys(found, group[number])
    planned = {row["number"]: row["line_group"] for row in published.ranking}
    return {number: planned[number] for number in published.contestants if number in planned} | group


# ── What everybody has won ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Counted:
    """What everybody has won by a method, and what that rests on."""

    recap: Recap[int]
    totals: Mapping[int, Total]
    penalties: Sequence[Penalty[int]]
    disqualified: frozenset[int]
    left_out: int


def counted(published: Published, name: str, options: Mapping[str, Any]) -> Counted:
    """By the session's method, or by another one."""
    own = published.session["method"]
    comparison = method(name or own, **(options if name else published.session["method_options"]))
    unit = METHODS[name or own].unit
    played: dict[int, int] = defaultdict(int)
    for play in published.plays:
        played[play["board"]] += 1
    plays = max(played.values())
    top = top_of(comparison, plays)
    seats = sum(map(len, published.sides))
    travellers = travellers_of(rows_of(published), seats=seats)
    recap = Recap(travellers, sides=published.sides, comparison=comparison, plays=plays, again=True)
    units = {METHODS[own].unit} if name in {"", own} else set()
    penalties, gains, disqualified, left_out = [], [], set(), 0
    for row in published.rulings:
        who, kind = row["contestant"], row["kind"]
        if who is None or row["unit"] == "vps":
            continue
        if kind == "disqualification":
            disqualified.add(who)
        elif kind == "penalty":
            penalties.append(Penalty(who, Fraction(row["amount"]), row["unit"]))
        else:
            gains.append(row)
    counting = [one for one in penalties if one.unit in units or (one.unit == "percent" and top is not None)]
    left_out = len(penalties) - len(counting)
    totals = {number: recap.totals.get(number, Total()) for number in published.contestants}
    if units:
        totals = with_gains(totals, gains, top)
    else:
        left_out += len({row["contestant"] for row in gains})
    after = with_penalties(totals, counting, unit=unit, top=top)
    return Counted(recap, after, penalties, frozenset(disqualified), left_out)


def with_gains(totals: Mapping[int, Total], gains: Iterable[Row], top: int | None) -> dict[int, Total]:
    """With bonuses and what was carried over."""
    after = dict(totals)
    for row in gains:
        if row["kind"] == "bonus":
            amount = Fraction(row["amount"])
            won, fraction, clamp = (
                amount * (Fraction(top or 0, 100) if row["unit"] == "percent" else 1),
                1,
                None,
            )
        else:
            won, fraction = Fraction(row["won"]), Fraction(row["fraction"])
            clamp = None if row["clamp"] is None else Fraction(row["clamp"])
        after |= with_carry_over(
            {row["contestant"]: after[row["contestant"]]},
            {row["contestant"]: won},
            fraction=fraction,
            clamp=clamp,
        )
    return after


# ── Lists ─────────────────────────────────────────────────────────────────────────────────────────


def members(published: Published, setup: Row, groups: Mapping[int, int]) -> list[int]:
    """Whom a list ranks."""
    kind, about = setup["kind"], setup["about"]
    if kind in {"overall", "handicap"}:
        return published.contestants
    if kind == "line-group":
        return [number for number in published.contestants if groups.get(number) == int(about)]
    if kind == "section":
        first: dict[int, tuple[int, str]] = {}
        for play in sorted(published.plays, key=lambda play: play["round"]):
            for number in seated(play):
                first.setdefault(number, (play["round"], play["section"]))
        return sorted(number for number, (_round, section) in first.items() if section == about)
    if kind == "club":
        belongs = lambda player: player["club"] == about  # noqa: E731
    else:
        belongs = lambda player: about in player["categories"]  # noqa: E731
    return [number for number, players in sorted(published.players.items()) if all(map(belongs, players))]


def plain_list(published: Published, setup: Row) -> PlainList:
    """A list as it is to be."""
    by = f"{setup['method']} {setup['method_options']}"
    if by not in published.known:
        published.known[by] = counted(published, setup["method"], setup["method_options"])
    found = published.known[by]
    if setup["kind"] in {"teams", "matches"}:
        return list_of_teams(published, setup, found)
    groups = line_groups(published)
    own = members(published, setup, groups)
    present = [number for number in own if found.totals[number].boards]
    handicaps = {int(number): Fraction(value) for number, value in setup["handicaps"].items()}
    rules = tie_breaks(setup["tie_breaks"], found.recap, found.penalties)
    places: list[PlainPlace] = []
    tables = sum(section["tables"] for section in published.session["sections"])
    for group in sorted({groups[number] for number in present}):
        here = {number: found.totals[number] for number in present if groups[number] == group}
        settings = {"min_boards": setup["min_boards"], "unranked": found.disqualified}
        scratch: dict[int, str] = {}
        if setup["kind"] == "handicap":
            scratch = {one.contestant: one.rank for one in ranking(here, tie_breaks=rules, **settings)}
        ranked = ranking(with_handicaps(here, handicaps), tie_breaks=rules, **settings)
        given = awards(list(ranked), tables, len(published.contestants), setup["award_factor"])
        places += [place(group, one, scratch, given) for one in ranked]
    return PlainList(places, [number for number in own if number not in present], found.left_out)


def place(
    group: int, one: Place[int], scratch: Mapping[int, str], given: Mapping[int, Fraction] | None
) -> PlainPlace:
    value = one.total.value
    return PlainPlace(
        group,
        one.rank,
        one.contestant,
        one.total.boards,
        str(one.total.points),
        None if value is None else str(value),
        one.before_next,
        scratch.get(one.contestant),
        None if given is None else str(given.get(one.contestant, Fraction(0))),
    )


def awards(
    places: Sequence[Place[int]], tables: int, everybody: int, factor: str
) -> dict[int, Fraction] | None:
    """The master points of those who are ranked, from the tables that they would fill."""
    if not factor:
        return None
    ranked = [(one.rank, one.contestant) for one in places if one.rank]
    return master_points(ranked, tables=max(len(ranked) * tables // everybody, 1), factor=Fraction(factor))


# ── Teams and their matches ───────────────────────────────────────────────────────────────────────


def list_of_teams(published: Published, setup: Row, found: Counted) -> PlainList:
    """By what their contestants have won together, or by their matches. Of a team no one of which may be
    ranked, none is."""
    own = {team["number"]: team["contestants"] for team in published.teams}
    out = frozenset(team for team, some in own.items() if not found.disqualified.isdisjoint(some))
    if setup["kind"] == "teams":
        totals, rules, left_out = teams(found.totals, own), [], found.left_out
    else:
        results, boards = match_results(published, found)
        totals = with_victory_points(published, match_totals(own, results, boards), own)
        rules = match_tie_breaks(setup["tie_breaks"], results)
        in_points = {row["contestant"] for row in published.rulings if is_gain(row) and row["unit"] != "vps"}
        left_out = len(found.penalties) + len(in_points)
    present = {team: total for team, total in totals.items() if total.boards}
    ranked = ranking(present, tie_breaks=rules, min_boards=setup["min_boards"], unranked=out)
    tables = sum(section["tables"] for section in published.session["sections"])
    given = awards(list(ranked), tables, len(own), setup["award_factor"])
    places = [place(1, one, {}, given) for one in ranked]
    return PlainList(places, [team for team in own if team not in present], left_out)


def is_gain(row: Row) -> bool:
    return row["contestant"] is not None and row["kind"] in {"bonus", "carry-over"}


def match_results(published: Published, found: Counted) -> tuple[list[MatchResult[int]], dict[int, int]]:
    """What came of the matches; and on how many boards of each team there was something to compare, or one
    where nothing was."""
    rules = published.match_rules
    bye, won, gone = (Fraction(rules[name]) for name in ("bye", "forfeit_won", "forfeit_lost"))
    steps = tuple((Fraction(step["margin"]), Fraction(step["gained"])) for step in rules["steps"])
    worth = Worth(rules["worth"], steps, Fraction(rules["whole"]))
    lost: dict[tuple[int, int], set[int]] = defaultdict(set)
    for row in published.rulings:
        if row["match"] is not None:
            lost[row["round"], row["match"]] |= {int(team) for team in str(row["lost"]).split()}
    results: list[MatchResult[int]] = []
    boards: dict[int, int] = defaultdict(int)
    for match in published.matches:
        first, margin = match["first"]["number"], None
        second = None if match["second"] is None else match["second"]["number"]
        counted = 0
        if second is not None:
            margins = margins_of(published, found, match)
            margin, counted = (sum(margins, Fraction(0)) if margins else None), len(margins)
        if second is None:
            gained = (bye, Fraction(0))
        elif losers := lost[match["round"], match["number"]]:
            margin = None
            gained = (gone if first in losers else won, gone if second in losers else won)
        else:
            gained = worth.of(margin or Fraction(0), max(counted, 1))
        results.append(MatchResult(first, second, margin, gained))
        for team in (first, second):
            if team is not None:
                boards[team] += max(counted, 1)
    return results, boards


def margins_of(published: Published, found: Counted, match: Row) -> list[Fraction]:
    """The first team's margin on each board of a match: against the other table, or against those with whom
    they sat there."""
    rules = published.match_rules
    team_of = {number: team["number"] for team in published.teams for number in team["contestants"]}
    both = {match["first"]["number"], match["second"]["number"]}
    stands = {(row.table, row.board): row for row in rows_of(published)}
    by_board: dict[int, list[tuple[bool, TravellerRow[int]]]] = defaultdict(list)
    sides = [side[0] - 1 for side in published.sides]
    for play in published.plays:
        who = seated(play)
        there = [team_of[who[seat]] for seat in sides]
        row = stands.get(((play["section"], play["table"]), play["board"]))
        is_here = set(there) == both and (play["round"] == match["round"] or rules["form"] == "round-robin")
        if is_here and row is not None:
            by_board[play["board"]].append((there[0] == match["first"]["number"], row))
    margins = []
    for some in by_board.values():
        margin = (
            at_one_table(found, some[0], sides) if rules["team_size"] == 1 else at_two(rules, some, sides)
        )
        if margin is not None:
            margins.append(margin)
    return margins


def at_one_table(
    found: Counted, played: tuple[bool, TravellerRow[int]], sides: Sequence[int]
) -> Fraction | None:
    """Half of the difference of what the method gives to both."""
    is_first, row = played
    at = found.recap.boards[row.board].tables.index(row.table)
    ours, theirs = (found.recap.awards(row.board)[seat][at] for seat in sides)
    if ours is None or theirs is None:
        return None
    return (ours.points - theirs.points) / (2 if is_first else -2)


def at_two(
    rules: Row, some: Sequence[tuple[bool, TravellerRow[int]]], sides: Sequence[int]
) -> Fraction | None:
    """Once both tables have something on the same cards, each team in each direction."""
    by_side = dict(some)
    if len(some) != 2 or len(by_side) != 2 or by_side[True].deal != by_side[False].deal:
        return None
    first, second = (by_side[which].entries for which in (True, False))
    (ours, theirs), (others, own) = ((of[sides[0]], of[sides[1]]) for of in (first, second))
    return board_margin(TwoTables((ours, theirs), (others, own)), rules["measure"], Fraction(rules["unit"]))


def with_victory_points(
    published: Published, totals: Mapping[int, Total], own: Mapping[int, Sequence[int]]
) -> dict[int, Total]:
    """With what directors have given and taken in victory points."""
    after = dict(totals)
    for row in published.rulings:
        if row["contestant"] is None or row["unit"] != "vps":
            continue
        team = next(team for team, some in own.items() if row["contestant"] in some)
        if row["kind"] == "penalty":
            after[team] = replace(after[team], lost=after[team].lost + Fraction(row["amount"]))
        else:
            after = with_gains(after, [{**row, "contestant": team}], None)
    return after
