"""The history: each entry is written in the transaction of the change that it records."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Model

from ..models import Event, Session, Token, Tournament

WORKER = "worker"


def note(
    actor: Token | None,
    verb: str,
    subject: Model,
    *,
    session: Session | None = None,
    tournament: Tournament | None = None,
    **detail: Any,
) -> None:
    """One entry: who did what to which row. Without an actor it was the service itself."""
    note_all(actor, verb, [(subject, detail)], session=session, tournament=tournament)


def note_all(
    actor: Token | None,
    verb: str,
    subjects: Iterable[tuple[Model, dict[str, Any]]],
    *,
    session: Session | None = None,
    tournament: Tournament | None = None,
) -> None:
    """An entry for each subject with its details, in one query."""
    belongs_to = session.tournament_id if session is not None else tournament.pk if tournament else None
    assert belongs_to is not None
    name = str(actor) if actor is not None else WORKER
    Event.objects.bulk_create(
        Event(
            tournament_id=belongs_to,
            session=session,
            actor=actor,
            actor_name=name,
            verb=verb,
            subject=f"{type(subject).__name__.lower()} {subject.pk}",
            detail=detail,
        )
        for subject, detail in subjects
    )
