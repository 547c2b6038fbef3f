"""Chains of hashes over the history: one for each session, one for each club, one for the federation. Their
form is in docs/history.md, by which anybody can verify an export.

Entries are sealed in batches, by a task: no result waits for it. Its time grows with what has come since.
"""

import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from struct import Struct
from threading import Lock
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from ..models import Club, HistoryChain, HistoryEntry, HistorySeal, Session
from .history import digest_of

FORM = "etui history seal 1"
NONE = "0" * 64  # before the first seal
ENTRIES_AT_MOST = 5_000  # at once
WAIT_SECONDS, LOOK_SECONDS = 2.0, 0.05

LEAF = Struct(">Q32s")

COLUMNS = (
    *["id", "at", "tournament", "session", "club", "agent", "account", "role", "token"],
    *["verb", "subject", "detail", "changes", "remark__digest"],
)
REMARK = ("remark__salt", "remark__text", "remark__emptied_at")


class ChainScope(NamedTuple):
    """Whose entries make a chain: a session's, a club's, or the federation's (neither)."""

    session: int | None = None
    club: int | None = None

    def __str__(self) -> str:
        if self.session is not None:
            return f"session {self.session}"
        return "federation" if self.club is None else f"club {self.club}"

    @property
    def entries(self) -> QuerySet[HistoryEntry]:
        if self.session is not None:
            return HistoryEntry.objects.filter(session=self.session)
        return HistoryEntry.objects.filter(session=None, club=self.club)

    @property
    def chain(self) -> HistoryChain | None:
        return HistoryChain.objects.filter(scope=str(self)).first()


# ── The form ──────────────────────────────────────────────────────────────────────────────────────


def moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def canonical(row: dict[str, Any]) -> str:
    """An entry as the text that is hashed, from its `COLUMNS`."""
    named = {name: value for name, value in row.items() if name != "remark__digest"}
    named |= {"at": moment(row["at"]), "remark": row["remark__digest"]}
    return json.dumps(named, sort_keys=True, separators=(",", ":"))


def leaf(row: dict[str, Any]) -> bytes:
    return sha256(canonical(row).encode()).digest()


def leaves_of(seal: HistorySeal) -> dict[int, bytes]:
    """By the id of each entry, the digest that it had when it was sealed."""
    return dict(LEAF.iter_unpack(bytes(seal.leaves)[: len(seal.leaves) // LEAF.size * LEAF.size]))


def seal_text(scope: str, seal: HistorySeal) -> str:
    """A seal as the text that is hashed."""
    head = [FORM, f"scope {scope}", f"number {seal.number}", f"made {moment(seal.made_at)}"]
    lines = [*head, f"previous {seal.previous}"]
    lines += [f"{pk} {digest.hex()}" for pk, digest in leaves_of(seal).items()]
    return "".join(f"{line}\n" for line in lines)


def seal_digest(scope: str, seal: HistorySeal) -> str:
    return sha256(seal_text(scope, seal).encode()).hexdigest()


# ── Sealing ───────────────────────────────────────────────────────────────────────────────────────


def is_due() -> bool:
    """Whether an entry has waited for its seal long enough. Two short queries, whatever is there."""
    oldest = HistoryEntry.objects.filter(pk__gt=_sealed_to()).order_by("pk").values_list("at", flat=True)
    at = oldest.first()
    return at is not None and at < timezone.now() - timedelta(seconds=settings.SEAL_SECONDS)


def _sealed_to() -> int:
    """Every entry up to this id is sealed: each run seals those of all chains."""
    return HistoryChain.objects.order_by("-last").values_list("last", flat=True).first() or 0


_sealing = Lock()


def seal_new() -> int:
    """Seal what has come; the number of seals. Another thread that does so already is left to it."""
    if not _sealing.acquire(blocking=False):
        return 0
    try:
        made = 0
        horizon = _horizon()
        while horizon and (some := _seal_up_to(horizon)):
            made += some
        return made
    finally:
        _sealing.release()


def _horizon() -> int:
    """An id up to which no entry can come any more; 0 if there is none yet.

    On PostgreSQL ids are drawn before their transactions are committed, and these end in any order: an entry
    may come after others with higher ids have been read. Whoever inserts one holds a lock on the table from
    before its id is drawn until it has ended. So we note the newest id, then who holds such a lock, and wait
    until all of these are gone. Transaction ids would not do: a transaction draws its entry's id before or
    after it gets its own. On SQLite one writes at a time."""
    newest = HistoryEntry.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    if connection.vendor != "postgresql":
        return newest
    until, writers = time.monotonic() + WAIT_SECONDS, _writers()
    while writers:
        if time.monotonic() > until:
            return 0  # the sweep asks again
        time.sleep(LOOK_SECONDS)
        writers &= _writers()
    return newest


def _writers() -> set[str]:
    """The transactions, of others, that have inserted entries and not ended."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND granted"
            " AND mode = 'RowExclusiveLock' AND relation = %s::regclass"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            " AND pid IS DISTINCT FROM pg_backend_pid()",
            [HistoryEntry._meta.db_table],
        )
        return {str(row[0]) for row in cursor.fetchall()}


def _seal_up_to(horizon: int) -> int:
    """Seal the oldest entries without a seal, in all chains, up to an id; the number of seals. What takes
    time is done before the lock: what has been read cannot change."""
    waiting = HistoryEntry.objects.filter(pk__gt=_sealed_to(), pk__lte=horizon).order_by("pk")
    by_scope: dict[ChainScope, list[tuple[int, bytes]]] = defaultdict(list)
    for row in waiting.values(*COLUMNS)[:ENTRIES_AT_MOST]:
        club = row["club"] if row["session"] is None else None
        by_scope[ChainScope(row["session"], club)].append((row["id"], leaf(row)))
    return _store(by_scope) if by_scope else 0


@transaction.atomic
def _store(by_scope: dict[ChainScope, list[tuple[int, bytes]]]) -> int:
    """Seal these entries, but for those that somebody else has sealed meanwhile; the number of seals."""
    HistoryChain.objects.get_or_create(scope=str(ChainScope()))
    list(HistoryChain.objects.select_for_update().filter(scope=str(ChainScope())))  # one at a time
    chains, seals, now = _chains(list(by_scope)), [], timezone.now()
    for scope, leaves in by_scope.items():
        chain = chains[scope]
        new = [one for one in leaves if one[0] > chain.last]
        if new:
            seals.append(_next_seal(chain, new, now))
            HistoryChain.objects.filter(pk=chain.pk).update(
                length=chain.length + 1, last=seals[-1].last, digest=seals[-1].digest
            )
    HistorySeal.objects.bulk_create(seals)
    return len(seals)


def _chains(scopes: list[ChainScope]) -> dict[ChainScope, HistoryChain]:
    """The chain of each, new where there was none."""
    named = {str(one): one for one in scopes}
    rows = HistoryChain.objects.filter(scope__in=named)
    there = {named[chain.scope] for chain in rows}
    HistoryChain.objects.bulk_create(
        HistoryChain(scope=str(one), session_id=one.session, club_id=one.club)
        for one in scopes
        if one not in there
    )
    return {named[chain.scope]: chain for chain in rows.all()}


def _next_seal(chain: HistoryChain, leaves: list[tuple[int, bytes]], now: datetime) -> HistorySeal:
    seal = HistorySeal(
        chain=chain,
        number=chain.length + 1,
        first=leaves[0][0],
        last=leaves[-1][0],
        count=len(leaves),
        leaves=b"".join(LEAF.pack(*one) for one in leaves),
        previous=chain.digest or NONE,
        made_at=now,
    )
    seal.digest = seal_digest(chain.scope, seal)
    return seal


# ── Verifying ─────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Verification:
    """What a chain says: how many seals agree with how many entries; `findings`: what does not agree;
    `waiting`: how many entries have no seal yet, the oldest of them of `waiting_since`."""

    scope: str
    seals: int = 0
    entries: int = 0
    digest: str = NONE
    findings: list[str] = field(default_factory=list)
    waiting: int = 0
    waiting_since: datetime | None = None
    digests: set[str] = field(default_factory=set)


def verify(scope: ChainScope) -> Verification:
    """Compute a chain again from its entries. Its time grows with these."""
    found, chain = Verification(str(scope)), scope.chain
    sealed_to = 0
    if chain is not None:
        sealed_to = _verify_seals(scope, chain, found)
    for row in scope.entries.filter(pk__gt=sealed_to).order_by("pk").values("id", "at").iterator():
        if chain is not None and row["id"] <= chain.last:
            found.findings.append(f"entry {row['id']} was sealed, or added later: its seal is missing")
        else:
            found.waiting += 1
            found.waiting_since = found.waiting_since or row["at"]
    return found


def _verify_seals(scope: ChainScope, chain: HistoryChain, found: Verification) -> int:
    """Up to which entry there are seals."""
    last, number, say = 0, 0, found.findings.append
    for seal in chain.seals.order_by("number").iterator(chunk_size=20):
        seals_missing = seal.number != number + 1
        for missing in range(number + 1, seal.number):
            say(f"seal {missing} is missing")
        is_whole = _head(seal) == (seal.first, seal.last, seal.count)
        if seal.digest != seal_digest(chain.scope, seal) or not is_whole:
            say(f"seal {seal.number} has been changed")
        elif not seals_missing and seal.previous != found.digest:
            say(f"seal {seal.number} does not follow the seal before it")
        _verify_entries(scope, seal, last, seals_missing, found)
        last, number, found.digest = max(last, seal.last), seal.number, seal.digest
        found.seals += 1
        found.digests.add(seal.digest)
    if chain.length != number:
        say(f"the last seals are missing: there were {chain.length}, and there are {number}")
    elif (chain.last, chain.digest or NONE) != (last, found.digest):
        say("the last seal is not the one that was made")
    return last


def _head(seal: HistorySeal) -> tuple[int, int, int]:
    """What its leaves say of a seal."""
    ids = list(leaves_of(seal))
    return (ids[0], ids[-1], len(ids)) if ids and ids == sorted(ids) else (0, 0, 0)


def _verify_entries(
    scope: ChainScope, seal: HistorySeal, after: int, seals_missing: bool, found: Verification
) -> None:
    leaves, say = leaves_of(seal), found.findings.append
    own = scope.entries.filter(pk__gt=after, pk__lte=seal.last).order_by("pk")
    for row in own.values(*COLUMNS, *REMARK).iterator(chunk_size=2000):
        salt, text, emptied_at = (row.pop(name) for name in REMARK)
        sealed = leaves.pop(row["id"], None)
        if sealed is None:
            added = "was sealed, or added later: its seal is missing" if seals_missing else "has been added"
            say(f"entry {row['id']} {added}")
        elif sealed != leaf(row):
            say(f"entry {row['id']} has been changed")
        elif row["remark__digest"] and emptied_at is None and digest_of(salt, text) != row["remark__digest"]:
            say(f"the remark of entry {row['id']} has been changed")
        else:
            found.entries += 1
    for missing in leaves:
        say(f"entry {missing} is missing")


def scopes() -> Iterator[ChainScope]:
    """Of everything that has a history or may have one."""
    yield ChainScope()
    for club in Club.objects.order_by("pk").values_list("pk", flat=True).iterator():
        yield ChainScope(club=club)
    for session in Session.objects.order_by("pk").values_list("pk", flat=True).iterator():
        yield ChainScope(session=session)


# ── Export ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Exported:
    """An entry with the text that is hashed, who did it in words, and why; or a seal; in the order in which
    they were made. A reason that was erased, or a chain that was not asked for, is None."""

    entry: dict[str, Any] | None = None
    text: str = ""
    actor: str = ""
    salt: str | None = None
    reason: str | None = None
    seal: HistorySeal | None = None


def export(scope: ChainScope) -> Iterator[Exported]:
    """All entries of a chain, each seal after the last of its own. A thousand entries at a time are in
    memory; each actor is asked for once."""
    chain, actors = scope.chain, dict[tuple[Any, ...], str]()
    seals = iter(chain.seals.order_by("number").iterator(chunk_size=20)) if chain is not None else iter(())
    seal = next(seals, None)
    rows = scope.entries.order_by("pk").values(*COLUMNS, *REMARK)
    for row in rows.iterator(chunk_size=1000):
        while seal is not None and seal.last < row["id"]:
            yield Exported(seal=seal)
            seal = next(seals, None)
        salt, text, emptied_at = (row.pop(name) for name in REMARK)
        if emptied_at is not None:
            salt = text = None
        acted = (row["agent"], row["account"], row["role"], row["token"])
        if acted not in actors:
            actors[acted] = HistoryEntry.objects.with_names().get(pk=row["id"]).actor
        yield Exported(row, canonical(row), actors[acted], salt, text)
    while seal is not None:
        yield Exported(seal=seal)
        seal = next(seals, None)
