"""What is said of results that the deal contradicts to those who may not see the deal: nothing that would
tell them a card."""

from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from engines.phrases import LANGUAGES

from ..models import Submission


def state_shown(submission: Submission) -> str:
    """What the deal contradicts looks like what it does not."""
    disputed = submission.state == Submission.State.DISPUTED
    return Submission.State.ACCEPTED.value if disputed else submission.state


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
