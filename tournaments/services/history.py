"""The history: each entry is written in the transaction of the change that it records."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from django.db.models import Model
from django.utils import timezone

from ..models import Account, Club, Event, Session, Token, Tournament
from . import bulk

WORKER = "worker"


class Note(NamedTuple):
    """An entry: what happened to a subject of a session, of a tournament, of a club, or (without any of them)
    of the federation, as `subject_of` names it. Without an actor it was the service itself, or its
    operator."""

    tournament: int | None
    session: int | None
    verb: str
    subject: str
    detail: dict[str, Any]
    actor: Token | Account | None = None
    club: int | None = None


def note(
    actor: Token | Account | None,
    verb: str,
    subject: Model,
    *,
    session: Session | None = None,
    tournament: Tournament | None = None,
    club: Club | None = None,
    **detail: Any,
) -> None:
    """One entry: who did what to which row. Without an actor it was the service itself."""
    note_all(actor, verb, [(subject, detail)], session=session, tournament=tournament, club=club)


def note_all(
    actor: Token | Account | None,
    verb: str,
    subjects: Iterable[tuple[Model, dict[str, Any]]],
    *,
    session: Session | None = None,
    tournament: Tournament | None = None,
    club: Club | None = None,
) -> None:
    """An entry for each subject with its details, in one query."""
    belongs_to = session.tournament_id if session is not None else tournament.pk if tournament else None
    session_id = None if session is None else session.pk
    club_id = None if club is None else club.pk
    keep(
        Note(belongs_to, session_id, verb, subject_of(type(s), s.pk), detail, actor, club_id)
        for s, detail in subjects
    )


def keep(notes: Iterable[Note]) -> None:
    """Write the entries, in one query whatever their sessions and actors. A caller of the API is named as it
    was then; somebody who was signed in only by number, since names are theirs to change."""
    rows = list(notes)
    actors = {note.actor for note in rows}
    tokens: dict[Any, str] = {actor: str(actor) for actor in actors if isinstance(actor, Token)}
    columns: dict[str, Any] = (
        dict(zip(Note._fields, zip(*rows, strict=True), strict=False)) if rows else {"verb": ()}
    )
    columns["actor"] = [note.actor.pk if isinstance(note.actor, Token) else None for note in rows]
    columns["account"] = [note.actor.pk if isinstance(note.actor, Account) else None for note in rows]
    columns["actor_name"] = [tokens.get(note.actor) or _name(note.actor) for note in rows]
    bulk.insert(Event, columns, same={"at": timezone.now()})


def together(model: type[Model], details: Mapping[int, dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    """The subject and the detail of one entry about rows that came or changed together: `details` by id, of
    one row; of several, their ids in ranges.

    >>> together(Event, {7: {"play": 1}})
    ('event 7', {'play': 1})
    >>> together(Event, {7: {}, 8: {}, 9: {}, 12: {}})
    ('4 events', {'ids': [[7, 9], [12, 12]]})
    """
    if len(details) == 1:
        ((pk, detail),) = details.items()
        return subject_of(model, pk), detail
    ids = sorted(details)
    ends = [at for at, (one, after) in enumerate(pairwise(ids), 1) if after > one + 1]
    ranges = [[ids[first], ids[last - 1]] for first, last in pairwise([0, *ends, len(ids)])]
    return f"{len(ids)} {model.__name__.lower()}s", {"ids": ranges}


def _name(actor: Token | Account | None) -> str:
    return WORKER if actor is None else subject_of(type(actor), actor.pk)


def subject_of(model: type[Model], pk: object) -> str:
    """How the history names a row.

    >>> subject_of(Event, 7)
    'event 7'
    """
    return f"{model.__name__.lower()} {pk}"
