"""From results to standings, and from standings to the versions of a ranking.

The truth is the results. Whoever ranks a session works out what has changed without holding anything, and
keeps it if nobody else was quicker: results are judged and stored meanwhile.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

import scoring
from scoring.totals import Total

from ..models import Board, Ranking, Session, Tally, open_boards
from . import (
    counting,
    feed,
    field_news,
    names,
    points_news,
    progress,
    proofs,
    queue,
    rating_news,
    season_news,
    versions,
    who_plays,
)
from .names import ANYONE, Named, Reader

# ── Ranking ───────────────────────────────────────────────────────────────────────────────────────


def claim(*, session_id: int) -> float:
    """Claim the next version of a ranking: the seconds until it may be begun, 0 for whoever is to make it
    now. Whoever claims it next has to wait, so that there are a few versions a second at most."""
    now = timezone.now()
    period = timedelta(seconds=settings.RANKING_SECONDS)
    tallies = Tally.objects.filter(session=session_id)
    if tallies.filter(Q(ranked_at=None) | Q(ranked_at__lte=now - period)).update(ranked_at=now):
        return 0.0
    ranked_at = tallies.values_list("ranked_at", flat=True).first()
    return 0.0 if ranked_at is None else max((ranked_at + period - now).total_seconds(), 0.001)


def rank(*, session_id: int) -> int | None:
    """Take in the results that wait, and make a new version if any total has changed; the number of the
    newest, or None if nothing waited.

    Twice, late or on two workers at once it does what once does. The time grows with the plays of the boards
    whose results have changed, and a little with all contestants; its transaction is short.
    """
    tallies = Tally.objects.behind().select_related("session__board_set").filter(session=session_id)
    while (tally := tallies.first()) is not None:
        held, lines = counting.up_to_date(tally)
        live = _live(tally, held)
        held = replace(held, live=live or held.live)
        made = [_next_version(tally, part) for part in (held, live) if part is not None]
        is_drawn = progress.follow(tally, held)
        if _keep(tally, held, lines, [one for one in made if one is not None], is_drawn=is_drawn):
            return tally.version
    return None


def _live(tally: Tally, held: counting.SessionStandings) -> counting.SessionStandings | None:
    """What everybody may see of a session that is being played: its boards that are over, or typed by
    officials who do not play. A result costs nothing here as long as its board does not count, and then what
    it costs the ranking; a few small queries ask which do (`open_boards.Course`). None where nothing changes
    for them: nothing counts yet, or is shown, or, where they look after each round, no round has ended
    since."""
    session = tally.session
    if session.is_over or session.live == Session.Live.HIDDEN:
        return None
    roles = who_plays.roles_without_seat(session)
    boards = frozenset(open_boards.counted_in(session, roles).values_list("pk", flat=True))
    if not boards and not tally.live_version:
        return None
    if session.live == Session.Live.ROUNDS and tally.live_version:
        last = Ranking.objects.get(session=session, is_live=True, version=tally.live_version)
        if counting.boards_of(last) == boards:
            return None
    return held.of_boards(boards, held.live)


def _next_version(tally: Tally, held: counting.SessionStandings) -> Ranking | None:
    """The version that holds what has changed, not stored yet; None if nothing has. What takes long is done
    here, where nobody waits for the tally."""
    changed = _contestants_ahead(tally, held)
    if not changed:
        return None
    totals, groups, disqualified = held.totals, held.groups, held.changes.disqualified
    content = versions.to_bytes(totals.of(changed), groups, disqualified)
    is_snapshot = len(changed) == len(groups)
    is_live = held.boards is not None
    if not is_snapshot and versions.is_due(tally.session_id, len(content), is_live=is_live):
        content, is_snapshot = versions.to_bytes(totals.of(groups), groups, disqualified), True
    return Ranking(
        session_id=tally.session_id,
        version=_number(tally, held) + 1,
        is_live=is_live,
        boards=None if held.boards is None else numbers_of(held.boards),
        content=content,
        is_snapshot=is_snapshot,
        position=held.position,
        layout=held.layout,
        digest=proofs.digest(tally.session, held),
        rules=scoring.RULES,
        invariants=proofs.invariants(tally.session, held.standings),
    )


def _number(tally: Tally, held: counting.SessionStandings) -> int:
    """The newest version of the list that these standings are for."""
    return tally.version if held.boards is None else tally.live_version


def numbers_of(boards: Collection[int]) -> list[int]:
    return sorted(Board.objects.filter(pk__in=boards).values_list("number", flat=True))


def _contestants_ahead(tally: Tally, held: counting.SessionStandings) -> Collection[int]:
    """The contestants for whom something is other than in the newest version."""
    totals = held.totals
    number = _number(tally, held)
    if held.version == number and held.ranked is not None:
        placed = held.changes.disqualified ^ held.unplaced
        return (
            {*totals.differing_from(held.ranked), *placed} if placed else totals.differing_from(held.ranked)
        )
    is_live = held.boards is not None
    before, groups, unplaced = versions.totals_of(tally.session_id, number, is_live=is_live)
    moved = [k for k, group in held.groups.items() if groups.get(k) != group]
    return {
        *totals.of(held.groups).differing_from(before),
        *moved,
        *(held.changes.disqualified ^ unplaced),
    }


@transaction.atomic
def _keep(
    tally: Tally,
    held: counting.SessionStandings,
    lines: Iterable[counting.Key],
    made: Sequence[Ranking],
    *,
    is_drawn: bool,
) -> bool:
    """Write what has changed; False if the tally has been counted by somebody else since it was read, or its
    layout is another one. Results of the session that are being judged wait for this."""
    counted = ("ranked_position", "layout", "version", "live_version")
    unchanged = {name: getattr(tally, name) for name in counted}
    mine = Tally.objects.select_for_update(no_key=True).filter(pk=tally.pk, **unchanged)
    if not list(mine.values_list("pk")):
        return False
    counting.keep_lines(held, lines)
    for version in made:
        version.save(force_insert=True)
        if version.is_live:
            tally.live_version = version.version
        else:
            tally.version = version.version
    tally.ranked_position, tally.counted_layout = held.position, held.layout
    tally.counted_revealed = tally.revealed
    if is_drawn:
        tally.live_drawn = tally.live_version
    drawing = ["progress", "progress_position", "live_progress", "live_drawn"] if is_drawn else []
    numbers = ["version", "live_version", "ranked_position", "counted_layout", "counted_revealed"]
    tally.save(update_fields=[*numbers, *drawing])
    if tally.session.state in Session.RANKED:
        for version in made:
            feed.note_version(tally.session, version.version)
        field_news.changed(tally.session.leg_id)
        season_news.changed_session(tally.session)
        rating_news.changed_session(tally.session)
        points_news.changed_session(tally.session)
    live = held.live
    if live is not None and live.position == held.position:  # else it waits for the end of a round
        live = _ranked(live, tally)
    kept = replace(_ranked(held, tally), live=live)
    transaction.on_commit(partial(counting.memory.keep, tally.session_id, kept))
    return True


def _ranked(held: counting.SessionStandings, tally: Tally) -> counting.SessionStandings:
    """The standings, which the newest version of their list says."""
    return replace(held, version=_number(tally, held), ranked=held.totals, unplaced=held.changes.disqualified)


def change_layout(session: Session, *, recount: bool = True) -> None:
    """Who plays what has changed. `recount`: so has how often, or with whom in a line group, and everything
    is counted again."""
    tally = Tally.objects.filter(session=session)
    if recount:
        tally.update(layout=F("layout") + 1)
        queue.after_commit("rank", session.pk)
    else:
        tally.update(layout=F("layout") + 1, counted_layout=F("counted_layout") + 1)


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a ranking, in exact numbers. `line_group`: those who can be compared, and are ranked
    together; `rank`: "3", "3=" when shared, "" before the first board;
    `change`: places won since the version before; `progress`: what it was ranked by after each round."""

    line_group: int
    rank: str
    contestant: Named
    total: Total
    change: int
    progress: tuple[Fraction, ...]


def places_of(totals: Sequence[Total]) -> int:
    """How many decimals a column of these totals shows: none where all are points, and whole."""
    is_whole = all(one.value is None or one.value.denominator == 1 for one in totals)
    return 0 if is_whole and not any(one.top for one in totals) else 2


def newest(session: Session, *, is_live: bool = False) -> Ranking | None:
    """The newest version of a session's ranking, or of its live list; None before the first."""
    return versions_of(session, is_live=is_live).order_by("-version").first()


def newest_of(sessions: Collection[int]) -> QuerySet[Ranking]:
    """The newest version of each session's ranking; none of a session before its first."""
    whole = Ranking.objects.filter(session__in=sessions, is_live=False)
    return whole.filter(version=F("session__tally__version")).defer("content")


def versions_of(session: Session, *, is_live: bool = False) -> QuerySet[Ranking]:
    """Every version of a session's ranking, or of its live list, without what it says of all contestants."""
    return Ranking.objects.filter(session=session, is_live=is_live).defer("content")


def count(ranking: Ranking) -> int:
    """How many contestants a version ranks."""
    return versions.order_of(ranking).count


FEW = Fraction(3, 4)
"""Of the boards of whoever has played most: with fewer, a place in the ranking is hardly earned."""


@dataclass(frozen=True, slots=True)
class FewBoards:
    """Contestants (by id) with their boards, who have played less than others: `most`, of which it takes
    `enough`."""

    contestants: Sequence[tuple[int, int]]
    most: int
    enough: int


def few_boards(ranking: Ranking) -> FewBoards | None:
    """Who stands in a version with less than three quarters of the boards of whoever has played most, in the
    order of the ranking; None where nobody does. The time grows with the contestants."""
    order = versions.order_of(ranking)
    played = [(place.contestant, place.total.boards) for _group, place in order.places(range(order.count))]
    most = max((boards for _contestant, boards in played), default=0)
    enough = -(-most * FEW.numerator // FEW.denominator)
    few = [(contestant, boards) for contestant, boards in played if 0 < boards < enough]
    return FewBoards(few, most, enough) if few else None


def standings(ranking: Ranking, numbers: range | None = None, reader: Reader = ANYONE) -> list[Standing]:
    """The places of a version as a reader sees them, line group by line group, the best first; all, or those
    with these numbers, counted from 0. What nobody asks for is not made."""
    order = versions.order_of(ranking)
    places = list(order.places(range(order.count) if numbers is None else numbers))
    shown = [place.contestant for _group, place in places]
    drawing = progress.of_version(ranking, shown)
    contestants = names.of_contestants(shown, reader)
    before = versions.order_before(ranking).positions if shown else {}
    return [
        Standing(
            group,
            place.rank,
            contestants[place.contestant],
            place.total,
            before.get(place.contestant, now) - now if (now := order.positions.get(place.contestant)) else 0,
            drawing.get(place.contestant, ()),
        )
        for group, place in places
    ]
