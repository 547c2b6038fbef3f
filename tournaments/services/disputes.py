"""What is said of results that the deal contradicts to those who may not see the deal: nothing that would
tell them a card."""

from typing import Any

from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils import translation
from django.utils.translation import gettext as _

from engines.phrases import LANGUAGES

from ..models import Submission

State = Submission.State


def state_shown(submission: Submission) -> str:
    """What the deal contradicts looks like what it does not."""
    disputed = submission.state == State.DISPUTED
    return State.ACCEPTED.value if disputed else submission.state


def with_state_shown(rows: QuerySet[Submission], told: Q) -> QuerySet[Submission]:
    """Each with the state that somebody is shown (`shown`), so that they are filtered by nothing else.
    `told`: what the deal contradicts, they are told."""
    looks_accepted = When(Q(state=State.DISPUTED) & ~told, then=Value(State.ACCEPTED))
    return rows.annotate(shown=Case(looks_accepted, default=F("state")))


def refusal_shown(submission: Submission, board: int) -> Any:
    """By language: why it was refused, without what follows from the deal of its board."""
    if submission.state != Submission.State.REFUSED:
        return None
    if not submission.contradicted:
        return submission.refusal
    shown = {}
    for language in LANGUAGES:
        with translation.override(language):
            shown[language] = {"type": "Contradiction", "message": _message(submission, board)}
    return shown


def _message(submission: Submission, board: int) -> str:
    if "actions" in submission.content:
        text = _("This cannot be the whole play of board %(board)d; is the number right?")
    else:
        text = _("This cannot have happened on board %(board)d; is the number right?")
    return text % {"board": board}
