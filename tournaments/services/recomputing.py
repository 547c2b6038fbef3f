"""The lists of a session, counted again from its results alone and by other code than made them: line by
line with `scoring.lines`, without standings and without memory. Where both disagree, everything that was
counted is thrown away, in every process, and counted again.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from django.db.models import F, Q
from django.utils import timezone

from engines import registry
from scoring.entries import AVERAGE, Entry
from scoring.lines import awards
from scoring.totals import Total, sums, total_of

from ..models import Line, Result, Seating, Session, Tally
from ..models.rankings import BEHIND
from . import comparisons, counting, rankings, versions

log = logging.getLogger(__name__)

TRIES = 3
SAMPLE_PLAYS = 20_000  # a larger session is recomputed by command only: a second for so many
SAMPLE_SESSIONS = 50  # that are looked at to find one


@dataclass(frozen=True, slots=True)
class Disagreement:
    """`where`: "version", "memory" or "histogram"; `of`: the contestant, or the board and its side."""

    where: str
    of: str
    stored: str
    recomputed: str

    def __str__(self) -> str:
        return f"{self.where}, {self.of}: {self.stored}, not {self.recomputed}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of a comparison. `mended`: the disagreements are gone, with the lists of `version`."""

    session: int
    version: int
    disagreements: tuple[Disagreement, ...]
    mended: bool = False


@dataclass(frozen=True, slots=True)
class Recomputation:
    """By contestant what it has won, and by line how many plays have each entry."""

    totals: Mapping[int, Total]
    counts: Mapping[counting.Key, Counter[Entry]]


def recompute(*, session: Session, mend: bool = False) -> Comparison | None:
    """Compare the lists of a session with its results, and mend them if that is wanted; None while results
    are being taken in. The time grows with all its plays: a second for 20,000. Nobody waits for it."""
    answer = _compare(session)
    if answer is not None and answer.disagreements and mend:
        log.error(
            "the lists of session %d disagree: %s", session.pk, "; ".join(map(str, answer.disagreements))
        )
        rankings.change_layout(session)
        rankings.rank(session_id=session.pk)
        again = _compare(session)
        if again is not None:
            answer = Comparison(session.pk, again.version, answer.disagreements, not again.disagreements)
    if answer is not None:
        wrong = 0 if answer.mended else len(answer.disagreements)
        Tally.objects.filter(session=session).update(disagreements=wrong, checked_at=timezone.now())
    return answer


def sample() -> int | None:
    """The session whose lists are to be compared next: one that has changed since it was, else the one that
    was compared longest ago; sessions that are too large are passed over. Whoever gets it is to compare it;
    None if there is none."""
    quiet = Tally.objects.filter(version__gt=0, ranked_position=F("position"))
    changed = Q(checked_at=None) | Q(ranked_at__gt=F("checked_at"))
    for tallies in (quiet.filter(changed), quiet):
        for tally in tallies.order_by(F("checked_at").asc(nulls_first=True))[:SAMPLE_SESSIONS]:
            if Result.objects.filter(session=tally.session_id).count() <= SAMPLE_PLAYS:
                mine = Tally.objects.filter(pk=tally.pk, checked_at=tally.checked_at)
                return tally.session_id if mine.update(checked_at=timezone.now()) else None
    return None


# ── Comparing ─────────────────────────────────────────────────────────────────────────────────────


def _compare(session: Session) -> Comparison | None:
    for _ in range(TRIES):
        before = _state(session)
        if before is None:
            return None
        disagreements = tuple(_disagreements(session, before))
        if _state(session) == before:
            return Comparison(session.pk, before.version, disagreements)
    return None


class ListState(NamedTuple):
    """Where the lists of a session stand."""

    version: int
    position: int
    layout: int


def _state(session: Session) -> ListState | None:
    """None while the lists are behind the results."""
    tallies = Tally.objects.filter(session=session).exclude(BEHIND)
    row = tallies.values_list(*ListState._fields).first()
    return None if row is None else ListState(*row)


def _disagreements(session: Session, state: ListState) -> Iterator[Disagreement]:
    right = _recomputation(session)
    groups = dict(session.contestants.values_list("pk", "line_group"))
    content = versions.content_of(session.pk, state.version)
    yield from _of_content("version", content, right.totals, groups)
    held = counting.memory.get(session.pk)
    known = (session.created_at, *state[1:])
    if held is not None and (held.made_at, held.position, held.layout) == known:
        content = versions.content(held.standings.totals, held.groups)
        yield from _of_content("memory", content, right.totals, groups)
    lines = Line.objects.filter(board__board_set__session=session)
    counts = {
        (board, side): +counting.entries_of(counts)
        for board, side, counts in lines.values_list("board_id", "side", "counts")
    }
    for key, line in right.counts.items():
        if counts.get(key, Counter()) != line:
            of = f"board {key[0]}, side {key[1]}"
            yield Disagreement("histogram", of, _text(counts.get(key, Counter())), _text(line))


def _of_content(
    where: str, content: versions.Content, totals: Mapping[int, Total], groups: Mapping[int, int]
) -> Iterator[Disagreement]:
    for k in sorted(content.keys() | totals.keys()):
        total = totals.get(k, Total())
        right = (total.points, total.top, total.boards, groups.get(k))
        won = content.get(k)
        if won is None or (Fraction(won.points, won.scale), *won[2:]) != right:
            text = (
                "nothing" if won is None else f"{won.points}/{won.scale} of {won.top} on {won.boards} boards"
            )
            better = f"{total.points} of {total.top} on {total.boards} boards"
            yield Disagreement(where, f"contestant {k}", text, better)


def _text(counts: Counter[Entry]) -> str:
    return ", ".join(f"{count} × {entry}" for entry, count in counts.items()) or "nothing"


def _recomputation(session: Session) -> Recomputation:
    """Each line of each board by itself, and what its contestants get from it."""
    sides = registry.game(session.game).sides_of(session.conditions)
    comparison = comparisons.comparison_of(session)
    seated: dict[int, dict[int, int]] = defaultdict(dict)
    seatings = Seating.objects.filter(play__result__session=session)
    for play, seat, contestant in seatings.values_list("play_id", "seat", "contestant_id").iterator():
        seated[play][seat] = contestant
    boards: dict[int, list[tuple[int, list[int], list[int]]]] = defaultdict(list)
    results = Result.objects.filter(session=session).order_by("play_id")
    for board, *row in results.values_list("play__board_id", "play_id", "scores", "averaged").iterator():
        boards[board].append((row[0], row[1], row[2]))
    won: list[tuple[int, Total]] = []
    counts: dict[counting.Key, Counter[Entry]] = {}
    for board, rows in boards.items():
        for side, seats in enumerate(sides):
            line: list[Entry] = [
                AVERAGE if seats[0] in averaged else scores[seats[0] - 1] for _, scores, averaged in rows
            ]
            counts[board, side] = Counter(line)
            for (play, *_), award in zip(
                rows, awards(line, comparison, plays=session.plays_per_board), strict=True
            ):
                holders = {seated[play][seat] for seat in seats if seat in seated[play]}  # a pair counts once
                if award is not None:
                    won += [(k, total_of(award)) for k in holders]
    return Recomputation(sums(won), counts)
