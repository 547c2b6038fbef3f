"""The history: each entry is written in the transaction of the change that it records."""

import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from ..models import Account, Club, HistoryEntry, Remark, Role, Session, Token, Tournament
from . import bulk

Actor = Token | Account | None
Changes = Mapping[str, tuple[Any, Any]]
"""By field, what it was and what it is now; ids for persons, and no free text."""

Agent = HistoryEntry.Agent


class Note(NamedTuple):
    """An entry: what happened to a subject of a session, of a tournament, of a club, or (without any of them)
    of the federation, as `subject_of` names it. Without an actor it was the service itself, or its operator.
    `role`: in which an account did it; `remark`: why, both by their ids."""

    tournament: int | None
    session: int | None
    verb: str
    subject: str
    detail: dict[str, Any]
    actor: Actor = None
    club: int | None = None
    role: int | None = None
    changes: dict[str, Any] | None = None
    remark: int | None = None


def note(
    actor: Actor,
    verb: str,
    subject: Model,
    *,
    session: Session | None = None,
    tournament: Tournament | None = None,
    club: Club | None = None,
    as_role: Role | None = None,
    changes: Changes | None = None,
    remark: int | None = None,
    **detail: Any,
) -> None:
    """One entry: who did what to which row. Without an actor it was the service itself, or its operator.

    `as_role`: the role in which an account does it, by default the nearest that it has there. `changes`: what
    was what before. A `reason` is free text, and is kept apart from the entry (`Remark`): the only place for
    words about persons. `remark`: one that is kept already, and said elsewhere too: what empties it empties
    both."""
    note_all(
        actor, verb, [(subject, detail)],
        session=session, tournament=tournament, club=club, as_role=as_role, changes=changes, remark=remark,
    )  # fmt: skip


def note_all(
    actor: Actor,
    verb: str,
    subjects: Iterable[tuple[Model, dict[str, Any]]],
    *,
    session: Session | None = None,
    tournament: Tournament | None = None,
    club: Club | None = None,
    as_role: Role | None = None,
    changes: Changes | None = None,
    remark: int | None = None,
) -> None:
    """An entry for each subject with its details, in one query; in one more for the role of an account, and
    for each reason."""
    told = list(subjects)
    belongs_to = tournament.pk if tournament is not None else None
    session_id = club_id = None
    if session is not None:
        belongs_to, session_id = session.tournament_id, session.pk
    elif club is not None:
        club_id = club.pk
    elif tournament is not None:
        club_id = tournament.club_id
    role = None if as_role is None else as_role.pk
    if isinstance(actor, Account) and as_role is None and any(subject != actor for subject, _ in told):
        role = nearest_role(actor, session, club_id)
    keep(
        Note(
            belongs_to, session_id, verb, subject_of(subject._meta.model, subject.pk),
            {name: value for name, value in detail.items() if name != "reason"},
            actor, club_id, role, {name: list(both) for name, both in changes.items()} if changes else None,
            remark or remark_of(detail.get("reason")),
        )
        for subject, detail in told
    )  # fmt: skip


def note_in_clubs(actor: Actor, verb: str, subjects: Iterable[tuple[Model, Club]], **detail: Any) -> None:
    """An entry for each subject in the history of its club, in one query; in one more for the roles of an
    account."""
    told = list(subjects)
    roles = nearest_roles(actor, {club.pk for _one, club in told}) if isinstance(actor, Account) else {}
    keep(
        Note(
            None, None, verb, subject_of(one._meta.model, one.pk), detail, actor, club.pk, roles.get(club.pk)
        )
        for one, club in told
    )


def keep(notes: Iterable[Note]) -> None:
    """Write the entries, in one query whatever their sessions and actors. Who acted is kept as ids."""
    rows = list(notes)
    if not rows:
        return
    acted = {note.actor: _agent_of(note.actor) for note in rows}
    tournaments, sessions, verbs, subjects, details, actors, clubs, roles, changes, remarks = zip(
        *rows, strict=True
    )
    agents, accounts, usual_roles, tokens = zip(*(acted[actor] for actor in actors), strict=True)
    columns: dict[str, Any] = {
        "tournament": tournaments,
        "session": sessions,
        "club": clubs,
        "agent": agents,
        "account": accounts,
        "role": usual_roles if not any(roles) else [a or b for a, b in zip(roles, usual_roles, strict=True)],
        "token": tokens,
        "verb": verbs,
        "subject": subjects,
        "detail": details,
    }
    if any(changes):
        columns["changes"] = changes
    if any(remarks):
        columns["remark"] = remarks
    bulk.insert(HistoryEntry, columns, same={"at": timezone.now()})


def together(model: type[Model], details: Mapping[int, dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    """The subject and the detail of one entry about rows that came or changed together: `details` by id, of
    one row; of several, their ids in ranges.

    >>> together(HistoryEntry, {7: {"play": 1}})
    ('entry 7', {'play': 1})
    >>> together(HistoryEntry, {7: {}, 8: {}, 9: {}, 12: {}})
    ('4 entries', {'ids': [[7, 9], [12, 12]]})
    """
    if len(details) == 1:
        ((pk, detail),) = details.items()
        return subject_of(model, pk), detail
    ids = sorted(details)
    ends = [at for at, (one, after) in enumerate(pairwise(ids), 1) if after > one + 1]
    ranges = [[ids[first], ids[last - 1]] for first, last in pairwise([0, *ends, len(ids)])]
    return f"{len(ids)} {_word(str(model._meta.verbose_name_plural))}", {"ids": ranges}


def subject_of(model: type[Model], pk: object) -> str:
    """How the history names a row.

    >>> subject_of(HistoryEntry, 7)
    'entry 7'
    """
    return f"{_word(str(model._meta.verbose_name))} {pk}"


def _word(name: str) -> str:
    return name.replace(" ", "")


# ── Who did it ────────────────────────────────────────────────────────────────────────────────────


_is_operated: ContextVar[bool] = ContextVar("is_operated", default=False)


@contextmanager
def by_operator() -> Iterator[None]:
    """What nobody else does in here, the service's operator does."""
    before = _is_operated.set(True)
    try:
        yield
    finally:
        _is_operated.reset(before)


class _Acted(NamedTuple):
    """An actor as an entry keeps it."""

    agent: str
    account: int | None = None
    role: int | None = None
    token: int | None = None


def _agent_of(actor: Actor) -> _Acted:
    if actor is None:
        return _Acted(Agent.OPERATOR.value if _is_operated.get() else Agent.WORKER.value)
    if isinstance(actor, Account):
        return _Acted(Agent.PERSON.value, actor.pk)
    if actor.role is not None:
        return _Acted(Agent.PERSON.value, actor.role.account_id, actor.role_id, actor.pk)
    return _Acted((Agent.TABLE if actor.table_id else Agent.PLAYER).value, token=actor.pk)


def nearest_role(account: Account, session: Session | None, club: int | None) -> int | None:
    """The role in force in which an account acts: at the session, else at its club, else at the federation;
    of several there the one that may do most."""
    if session is not None:
        club = session.tournament.club_id
    there = Q(club=None, session=None)
    if club is not None:
        there |= Q(club=club)
    if session is not None:
        there |= Q(session=session)
    found = _roles_of(account, there)
    return found[0][2] if found else None


def nearest_roles(account: Account, clubs: Collection[int]) -> dict[int, int]:
    """By club the role in which an account acts there, where it has one. One query."""
    found = _roles_of(account, Q(club=None, session=None) | Q(club__in=clubs))
    nearest = {club: [pk for _session, of, pk in found if of in (club, None)] for club in clubs}
    return {club: roles[0] for club, roles in nearest.items() if roles}


def _roles_of(account: Account, there: Q) -> list[tuple[int | None, int | None, int]]:
    """The session, the club and the id of each role in force: at a session first, then at a club, then at the
    federation; there that which may do most."""
    kinds = list(Role.Kind.values)
    own = Role.objects.in_force().filter(there, account=account)
    found = own.values_list("session", "club", "kind", "pk")
    nearest = sorted(found, key=lambda one: (one[0] is None, one[1] is None, kinds.index(one[2]), one[3]))
    return [(session, club, pk) for session, club, _kind, pk in nearest]


# ── Why ───────────────────────────────────────────────────────────────────────────────────────────


def remark_of(text: Any) -> int | None:
    """A new remark, unless there is nothing to say."""
    if not (words := str(text or "").strip()):
        return None
    salt = secrets.token_hex(16)
    return int(Remark.objects.create(digest=digest_of(salt, words), salt=salt, text=words).pk)


def digest_of(salt: str, text: str) -> str:
    """What the chain of hashes holds of a remark."""
    return sha256((salt + text).encode()).hexdigest()


@transaction.atomic
def forget(*, entries: QuerySet[HistoryEntry], actor: Actor) -> int:
    """Empty the remarks of these entries, for good: what was done, when and by whom stays, and so does the
    chain; the number. The history says in each session and club that it was done."""
    told = list(
        entries.filter(remark__emptied_at=None, remark__isnull=False).values_list(
            "pk", "remark", "tournament", "session", "club"
        )
    )
    Remark.objects.filter(pk__in={one[1] for one in told}).update(salt="", text="", emptied_at=timezone.now())
    homes: dict[tuple[int | None, int | None, int | None], dict[int, dict[str, Any]]] = {}
    for pk, _remark_id, *home in told:
        tournament, session, club = home
        homes.setdefault((tournament, session, club), {})[pk] = {}
    keep(
        Note(tournament, session, "emptied remarks", *together(HistoryEntry, which), actor, club)
        for (tournament, session, club), which in homes.items()
    )
    return len(told)
