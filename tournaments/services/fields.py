"""The joint field of a leg: everybody is compared with all who held the same cards, in whatever club, by the
method of the event.

There is none before the embargo of the leg is lifted: nothing is worked out, and so nothing can be seen. From
then on the field takes in the clubs that have sent their results, each as it stands, and makes a new version
whenever one is sent, mended, left out or taken in. A board is on the scale of the board that is played most
often in all clubs together; one that fewer play is brought to it as the method has it for unequal counts.
"""

import json
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, cast

from django.db import transaction
from django.db.models import Count

import scoring
from scoring.lines import Comparison
from scoring.methods import METHODS, method, top_of
from scoring.standings import ComparedLine, Standings

from ..models import Board, ClubEntry, FieldRanking, FieldTally, Leg, Play, Session
from . import counting, embargoes, feed, season_news, versions
from .ruled_totals import Changes

IN, OUT, MENDED = "in", "out", "mended"
"""What is other of a club than in the version before."""

Line = ComparedLine[int]
Key = tuple[int, int]
"""A line of the field: the number of the board, and the side (from 0)."""


# ── Counting ──────────────────────────────────────────────────────────────────────────────────────


def rank(*, leg_id: int) -> int | None:
    """Take in what has changed, and make a new version if anything that counts has; its number, or that of
    the newest, None where nothing waited or the leg is under embargo.

    Twice, late or on two workers at once it does what once does. The time grows with the results of all
    clubs; nothing is held meanwhile.
    """
    tallies = FieldTally.objects.behind().filter(leg=leg_id, leg__lifted_at__isnull=False)
    while (tally := tallies.select_related("leg__event").first()) is not None:
        version = _next_version(tally)
        if _keep(tally, version):
            return tally.version
    return None


def counted(leg: Leg) -> list[Session]:
    """The parts of the clubs that count: they have entered, have sent their results, and have begun while
    nobody could know the boards."""
    entered = Session.objects.filter(leg=leg, club_entry__state=ClubEntry.State.ENTERED)
    sent = entered.filter(state__in=Session.RANKED, is_trial=False)
    return embargoes.begun_in_time(
        leg, sent.select_related("board_set", "tally", "tournament").order_by("pk")
    )


def _next_version(tally: FieldTally) -> FieldRanking | None:
    """The version that all results lead to, not stored yet; None where the newest was made of the same."""
    leg = tally.leg
    parts = {session.pk: session for session in counted(leg)}
    held = {pk: counting.of_session(session) for pk, session in parts.items()}
    late = embargoes.begun_late(leg, parts.values())
    made_of = {
        str(pk): _digest([held[pk].position, held[pk].layout, one.tally.rulings, *late.get(pk, ())])
        for pk, one in parts.items()
    }
    basis = _digest([scoring.RULES, leg.method, leg.method_options, sorted(made_of.items())])
    if basis == tally.basis:
        return None
    tally.basis = basis
    totals, groups, disqualified = totals_of(leg, list(parts.values()), held, late)
    before = FieldRanking.objects.filter(leg=leg, version=tally.version).first()
    return FieldRanking(
        leg=leg,
        version=tally.version + 1,
        content=versions.to_bytes(totals.of(groups), groups, disqualified),
        sessions=made_of,
        news=_news(leg, {} if before is None else before.sessions, made_of),
    )


def _news(leg: Leg, before: Mapping[str, str], now: Mapping[str, str]) -> list[tuple[int, str, str]]:
    """What is other of which club: its id, what, and why it has been left out or taken in."""
    reasons = dict(leg.entries.values_list("club", "reason"))
    others = [key for key in {**before, **now} if before.get(key) != now.get(key)]
    clubs = Session.objects.filter(pk__in=others).order_by("tournament__club__name", "pk")
    news = []
    for session, club in clubs.values_list("pk", "tournament__club"):
        what = IN if str(session) not in before else OUT if str(session) not in now else MENDED
        news.append((club, what, "" if what == MENDED else reasons.get(club, "")))
    return news


def _digest(content: Any) -> str:
    return sha256(json.dumps(content, separators=(",", ":"), sort_keys=True).encode()).hexdigest()


@transaction.atomic
def _keep(tally: FieldTally, version: FieldRanking | None) -> bool:
    """Write the version; False if somebody else has written one since the tally was read."""
    read = {"version": tally.version, "counted": tally.counted}
    mine = FieldTally.objects.select_for_update(no_key=True).filter(pk=tally.pk, **read)
    if not list(mine.values_list("pk")):
        return False
    tally.counted = tally.changes
    if version is not None:
        version.save(force_insert=True)
        tally.version = version.version
        feed.note_field(version.leg, version.version)
        season_news.changed_field(tally.leg_id)
    # `changes` is left alone: what has come meanwhile is still to be taken in
    tally.save(update_fields=["version", "counted", "basis"])
    return True


# ── Comparing ─────────────────────────────────────────────────────────────────────────────────────


def totals_of(
    leg: Leg,
    parts: Sequence[Session],
    held: Mapping[int, counting.SessionStandings],
    late: Mapping[int, Mapping[int, int]],
) -> versions.VersionTotals:
    """What everybody has won in the whole field, with whom they can be ranked, and who has no place. Boards
    that a club has begun too `late` (`embargoes.begun_late`) are compared with nobody."""
    comparison = method(leg.method, **leg.method_options)
    numbers = {
        one.pk: dict(_boards(one).exclude(pk__in=late.get(one.pk, {})).values_list("pk", "number"))
        for one in parts
    }
    plays = most_plays(parts)
    lines = {key: joined(some, comparison, plays) for key, some in _lines(parts, held, numbers).items()}
    groups = _groups([held[one.pk].groups for one in parts])
    totals = Standings[int](lines).totals
    changes = [of_field(held[one.pk].changes, leg, comparison, plays) for one in parts]
    for one, own in zip(changes, parts, strict=True):
        if one:
            totals = one.applied_to(totals, held[own.pk].groups)
    return versions.VersionTotals(totals, groups, frozenset().union(*(one.disqualified for one in changes)))


def _boards(session: Session) -> Any:
    return Board.objects.filter(board_set=session.board_set)


def most_plays(parts: Sequence[Session]) -> int:
    """How often the board is to be played that is played most often, in all clubs together. One query."""
    plays = Play.objects.filter(table__section__session__in=parts)
    counted = plays.values("board__number").annotate(count=Count("pk"))
    return max((one["count"] for one in counted), default=0)


def _lines(
    parts: Sequence[Session],
    held: Mapping[int, counting.SessionStandings],
    numbers: Mapping[int, Mapping[int, int]],
) -> dict[Key, list[tuple[int, Line]]]:
    """By line of the field, the lines of the clubs that it is joined from, each with its session."""
    found: dict[Key, list[tuple[int, Line]]] = defaultdict(list)
    for session in parts:
        own = cast(Mapping[counting.Key, Line], held[session.pk].standings.lines)
        for (board, side), line in own.items():
            if board in numbers[session.pk]:  # else it was begun too late
                found[numbers[session.pk][board], side].append((session.pk, line))
    return found


def joined(some: Sequence[tuple[int, Line]], comparison: Comparison, plays: int) -> Line:
    """One line of the lines of several sessions. What was dealt otherwise at a club was so at this club
    alone: those of another are not compared with them, whatever both call it."""
    lines = [line for _session, line in some]
    is_fouled = any(line.deals is not None for line in lines)
    deals: list[Hashable] = [
        None if deal is None else (session, deal)
        for session, line in (some if is_fouled else ())
        for deal in (line.deals if line.deals is not None else [None] * len(line.tables))
    ]
    seats = range(len(lines[0].contestants))
    return ComparedLine.of(
        comparison,
        tables=[table for line in lines for table in line.tables],
        contestants=[[k for line in lines for k in line.contestants[seat]] for seat in seats],
        entries=[[one for line in lines for one in line.entries[seat]] for seat in seats],
        deals=deals if is_fouled else None,
        plays=plays,
    )


def _groups(of_parts: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """By contestant, with whom it can be ranked: its line group, where each club has the same ones; else all
    with all, as in clubs where everybody has met everybody."""
    parts = list(of_parts)
    is_alike = len({frozenset(groups.values()) for groups in parts}) == 1
    return {k: group if is_alike else 1 for groups in parts for k, group in groups.items()}


def of_field(changes: Changes, leg: Leg, comparison: Comparison, plays: int) -> Changes:
    """What a club's director has decided about whole contestants, as it counts in the field: penalties in per
    cent, by its top; others where the event counts in the same unit. What is carried over or given as a bonus
    is the club's own. Whoever is disqualified has no place anywhere."""
    unit, top = METHODS[leg.method].unit, top_of(comparison, plays)
    penalties = tuple(
        one for one in changes.penalties if (one.unit == "percent" and top is not None) or one.unit == unit
    )
    return Changes(penalties, {}, unit, top, changes.disqualified)
