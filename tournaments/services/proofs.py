"""What a version of a ranking was made from, in one digest, and what its sums and counts have to be.

The digest is made line by line, and a line is remembered as long as it is in the standings: a result costs
those of its own board again, and no other. Whoever has the same results, seats and decisions gets the same
digest, in whatever order they came; `recomputing` makes it by other code, from the database alone.
"""

import json
import logging
from collections.abc import Hashable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, cast
from weakref import WeakKeyDictionary

import scoring
from scoring.entries import Entry, NoScore
from scoring.standings import ComparedLine, Standings

from ..models import Session
from . import counting
from .ruled_entries import to_token
from .ruled_totals import Changes

log = logging.getLogger(__name__)

PlayRow = tuple[int, Sequence[int | None], Sequence[str], str]
"""A play of a line: its id; by seat of the side, who sat there and what is entered; what was really dealt."""

SHARES_OUT = {"matchpoints", "board-a-match", "cross-imps", "zero-sum"}
"""The methods by which a line gives as much as if everybody had got an average."""

_digests: WeakKeyDictionary[ComparedLine[int], str] = WeakKeyDictionary()


def digest_of(
    session: Session, lines: Mapping[counting.Key, str], changes: Changes, groups: Mapping[int, int]
) -> str:
    """The digest of all that a list is made from: the digests of its lines, what was decided about whole
    contestants, who is compared with whom, and how."""
    decided = [
        sorted([one.contestant, str(one.amount), one.unit] for one in changes.penalties),
        sorted([k, str(gain)] for k, gain in changes.gains.items()),
        sorted(changes.disqualified),
    ]
    how = [session.game, session.method, session.method_options, session.plays_per_board]
    known = [[*key, digest] for key, digest in sorted(lines.items()) if digest]
    return _sha256([scoring.RULES, how, known, decided, sorted(groups.items())])


def digest_of_line(rows: Iterable[PlayRow]) -> str:
    """The digest of the plays of a line that have a result or a ruling; "" if none has."""
    late = NoScore.LATE.value
    known = sorted([one[0], *one[1:]] for one in rows if any(token != late for token in one[2]))
    return _sha256(known) if known else ""


def _sha256(content: Any) -> str:
    return sha256(json.dumps(content, separators=(",", ":"), sort_keys=True).encode()).hexdigest()


def digest(session: Session, held: counting.SessionStandings) -> str:
    """The digest of what standings in memory were made from."""
    lines = cast(Mapping[counting.Key, ComparedLine[int]], held.standings.lines)
    found: dict[counting.Key, str] = {}
    for key, line in lines.items():
        if line not in _digests:
            _digests[line] = digest_of_line(_rows(line))
        found[key] = _digests[line]
    return digest_of(session, found, held.changes, held.groups)


def _rows(line: ComparedLine[int]) -> Iterable[PlayRow]:
    tokens = {entry: to_token(entry) for column in line.entries for entry in set(column)}
    entries = zip(*(map(tokens.__getitem__, column) for column in line.entries), strict=True)
    deals: Sequence[Hashable] = line.deals if line.deals is not None else [None] * len(line.tables)
    columns = zip(line.tables, zip(*line.contestants, strict=True), entries, deals, strict=True)
    for table, contestants, entered, deal in columns:
        yield cast(int, table), contestants, entered, cast(str, deal or "")


# ── Sums and counts ───────────────────────────────────────────────────────────────────────────────


def invariants(session: Session, standings: Standings[int]) -> dict[str, Any]:
    """The sums and counts of standings, from both sides: what the lines give, and what the contestants have.
    `holds`: they are equal, and each line shares out what it should, where its method says what that is."""
    lines = list(standings.lines.values())
    given = [line.given for line in lines]
    has = standings.sums()
    points = sum((one.points for one in given), start=has.points * 0)
    checked = [line for line in lines if session.method in SHARES_OUT and _is_plain(line)]
    uneven = sum(not _shares_out(line) for line in checked)
    boards, top = sum(one.boards for one in given), sum(one.top for one in given)
    told = {
        "lines": len(lines),
        "boards": has.boards,
        "points": str(has.points),
        "shared_out": len(checked) - uneven,
        "holds": not uneven and (has.boards, has.top, has.points) == (boards, top, points),
    }
    if not told["holds"]:
        log.error("the lists of session %d do not add up: %s, from the lines %s", session.pk, told, given)
    return told


def _is_plain(line: ComparedLine[int]) -> bool:
    """Scores alone, two or more, all made with the same cards."""
    return line.deals is None and len(line.tables) > 1 and all(map(_is_score, line.counts[None]))


def _is_score(entry: Entry) -> bool:
    return isinstance(entry, int)


def _shares_out(line: ComparedLine[int]) -> bool:
    worth = line.awards[None]
    return not sum(
        count * award.above for entry, count in line.counts[None].items() if (award := worth[entry])
    )
