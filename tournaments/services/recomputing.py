"""The lists of a session, counted again from its results alone and by other code than made them: line by
line with `scoring.lines`, without standings and without memory. Where both disagree, everything that was
counted is thrown away, in every process, and counted again.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from typing import Any, NamedTuple

from django.db.models import F, Q
from django.utils import timezone

from engines import registry
from scoring.entries import AVERAGE, Entry, NoScore
from scoring.lines import awards
from scoring.rulings import with_carry_over, with_penalties
from scoring.totals import Total, sums, total_of

from ..models import Line, Ranking, Result, RulingPart, Seating, Session, Tally
from ..models.rankings import BEHIND
from . import comparisons, counting, proofs, rankings, ruled_entries, ruled_totals, versions

log = logging.getLogger(__name__)

TRIES = 3
SAMPLE_PLAYS = 20_000  # a larger session is recomputed by command only: a second for so many
SAMPLE_SESSIONS = 50  # that are looked at to find one


@dataclass(frozen=True, slots=True)
class Disagreement:
    """`where`: "version", "live version", "memory" or "histogram"; `of`: the contestant, or the board and
    its side."""

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
    """By contestant what it has won, on all boards and on those that everybody may see (`live`); by line how
    many plays have each entry, and the digest of its plays."""

    totals: Mapping[int, Total]
    live: Mapping[int, Total]
    counts: Mapping[counting.Key, Counter[Any]]
    digests: Mapping[counting.Key, str]


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
    newest = rankings.newest(session, is_live=True)
    right = _recomputation(session, set() if newest is None else counting.boards_of(newest))
    groups = dict(session.contestants.values_list("pk", "line_group"))
    content = versions.content_of(session.pk, state.version)
    yield from _of_content("version", content, right.totals, groups)
    yield from _of_proof(session, state, right, groups)
    if newest is not None and _is_kept(session, newest, state):
        content = versions.content_of(session.pk, newest.version, is_live=True)
        yield from _of_content("live version", content, right.live, groups)
    held = counting.memory.get(session.pk)
    known = (session.created_at, *state[1:])
    if held is not None and (held.made_at, held.position, held.layout) == known:
        content = versions.content(held.totals, held.groups)
        yield from _of_content("memory", content, right.totals, groups)
    lines = Line.objects.filter(board__board_set__session=session)
    counts = {
        (board, side): _flat(ruled_entries.counts_of(counts))
        for board, side, counts in lines.values_list("board_id", "side", "counts")
    }
    for key, line in right.counts.items():
        if counts.get(key, Counter()) != line:
            of = f"board {key[0]}, side {key[1]}"
            yield Disagreement("histogram", of, _text(counts.get(key, Counter())), _text(line))


def _is_kept(session: Session, newest: Ranking, state: ListState) -> bool:
    """Whether the live list follows the results: while the session is played and, where it moves after each
    round, if that was the last thing to happen."""
    if session.is_over or session.live == Session.Live.HIDDEN:
        return False
    return session.live != Session.Live.ROUNDS or (newest.position, newest.layout) == state[1:]


def _of_proof(
    session: Session, state: ListState, right: Recomputation, groups: Mapping[int, int]
) -> Iterator[Disagreement]:
    """Whom the version disqualifies, and its digest, if nothing has come since that changed no total."""
    changes = ruled_totals.of(session)
    disqualified = versions.totals_of(session.pk, state.version).disqualified
    if disqualified != changes.disqualified:
        yield Disagreement(
            "version", "the disqualified", str(sorted(disqualified)), str(sorted(changes.disqualified))
        )
    made = Ranking.objects.filter(session=session, is_live=False, **state._asdict()).exclude(digest="")
    digest = proofs.digest_of(session, right.digests, changes, groups)
    for stored in made.values_list("digest", flat=True):
        if stored != digest:
            yield Disagreement("version", "the digest", stored, digest)


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


def _text(counts: Counter[Any]) -> str:
    return ", ".join(f"{count} × {entry}" for entry, count in counts.items()) or "nothing"


def _flat(counts: ruled_entries.Counts) -> Counter[Any]:
    """How often each entry stands in a line beside each deal; of a deal that all had, without its name."""
    return Counter(
        {
            entry if deal is None else (deal, entry): count
            for deal, group in counts.items()
            for entry, count in group.items()
            if count and not isinstance(entry, NoScore)
        }
    )


def _recomputation(session: Session, live: Collection[int]) -> Recomputation:
    """Each line of each board by itself, and what its contestants get from it. `live`: the boards that
    everybody may see."""
    sides = registry.game(session.game).sides_of(session.conditions)
    comparison = comparisons.comparison_of(session)
    boards = _plays_by_board(session, sides)
    seated: dict[int, dict[int, int]] = defaultdict(dict)
    seatings = Seating.objects.filter(play__board__board_set__session=session)
    for play, seat, contestant in seatings.values_list("play_id", "seat", "contestant_id").iterator():
        seated[play][seat] = contestant
    won: list[tuple[int, Total]] = []
    won_live: list[tuple[int, Total]] = []
    counts: dict[counting.Key, Counter[Any]] = {}
    digests: dict[counting.Key, str] = {}
    for board, plays in boards.items():
        deals = [deal or None for _play, _entries, deal in plays] if any(p[2] for p in plays) else None
        for side, seats in enumerate(sides):
            line: list[Entry] = [entries[seats[0]] for _play, entries, _deal in plays]
            by_deal: dict[Hashable, Counter[Entry]] = defaultdict(Counter)
            for entry, deal in zip(line, deals or repeat(None), strict=False):
                by_deal[deal][entry] += 1
            counts[board, side] = _flat(by_deal)
            digests[board, side] = proofs.digest_of_line(
                (
                    play,
                    [seated[play].get(seat) for seat in seats],
                    [ruled_entries.to_token(entries[seat]) for seat in seats],
                    deal,
                )
                for play, entries, deal in plays
            )
            worth = awards(line, comparison, plays=session.plays_per_board, deals=deals)
            for at, (play, entries, _deal) in enumerate(plays):
                credited: set[int] = set()  # a pair counts once
                for seat in seats:
                    k = seated[play].get(seat)
                    award = worth[at]
                    if entries[seat] != line[at]:
                        parted = [*line[:at], entries[seat], *line[at + 1 :]]
                        award = awards(parted, comparison, plays=session.plays_per_board, deals=deals)[at]
                    if k is not None and k not in credited and award is not None:
                        won.append((k, total_of(award)))
                        if board in live:
                            won_live.append((k, total_of(award)))
                    credited |= {k} if k is not None else set()
    totals, totals_live = (_with_changes(session, sums(some)) for some in (won, won_live))
    return Recomputation(totals, totals_live, counts, digests)


def _plays_by_board(
    session: Session, sides: Sequence[Sequence[int]]
) -> dict[int, list[tuple[int, dict[int, Entry], str]]]:
    """By board: each play that has a result, or on which somebody has ruled, with its entries by seat and the
    name of the cards that were really dealt."""
    scored: dict[int, tuple[int, dict[int, Entry]]] = {}
    results = Result.objects.filter(session=session).order_by("play_id")
    for board, play, scores, averaged in results.values_list(
        "play__board_id", "play_id", "scores", "averaged"
    ).iterator():
        entries: dict[int, Entry] = {}
        for seats in sides:
            entry: Entry = AVERAGE if seats[0] in averaged else scores[seats[0] - 1]
            entries |= dict.fromkeys(seats, entry)
        scored[play] = board, entries
    deals: dict[int, str] = defaultdict(str)
    parts = RulingPart.objects.filter(ruling__session=session, ruling__reversed_at=None).order_by("ruling")
    for board, play, tokens, deal in parts.values_list("play__board_id", "play_id", "entries", "deal"):
        _board, entries = scored.setdefault(play, (board, {}))
        for seat, token in enumerate(tokens, start=1):
            if token is not None:
                entries[seat] = ruled_entries.of_token(token)
            else:
                entries.setdefault(seat, NoScore.LATE)
        deals[play] = deal or deals[play]
    boards: dict[int, list[tuple[int, dict[int, Entry], str]]] = defaultdict(list)
    for play, (board, entries) in scored.items():
        boards[board].append((play, entries, deals[play]))
    return boards


def _with_changes(session: Session, totals: dict[int, Total]) -> dict[int, Total]:
    """The totals with what was decided about whole contestants."""
    changes = ruled_totals.of(session)
    if not changes:
        return totals
    concerned = [*changes.gains, *(penalty.contestant for penalty in changes.penalties)]
    everyone = {k: Total() for k in concerned} | totals
    gained = with_carry_over(everyone, changes.gains, fraction=1)
    return dict(with_penalties(gained, changes.penalties, unit=changes.unit, top=changes.top))
