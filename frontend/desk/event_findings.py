"""What checks across the clubs of an event have found, in words: for those who run it, and for the club that
they ask."""

from dataclasses import replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models import Account, CheckAnswer, Club
from tournaments.services import event_checks, names

Answer = CheckAnswer.Answer
KINDS = {
    event_checks.LICENCE: _("May not play"),
    event_checks.NAMED_TWICE: _("The same name at two clubs"),
    event_checks.SEEN: _("Has played the boards before"),
    event_checks.AFTER_LIFT: _("Begun too late"),
    event_checks.UNIT: _("Another unit"),
    event_checks.ONE_OFF: _("One board off"),
    event_checks.TURNED: _("Seats turned"),
    event_checks.APART: _("Other cards"),
    event_checks.IMPOSSIBLE: _("Cannot be"),
    event_checks.DOUBTFUL: _("Doubtful"),
}
MENDED_AT = {
    event_checks.UNIT: "session-results-file",
    event_checks.ONE_OFF: "session-results-file",
    event_checks.TURNED: "session-changes",
    event_checks.APART: "change-cards",
    event_checks.IMPOSSIBLE: "desk-slips",
    event_checks.DOUBTFUL: "desk-slips",
}
"""Where the club mends what was found."""
VERBS = {
    Answer.APART: _("Compare this club by itself"),
    Answer.RIGHT: _("It is right"),
    Answer.ASKED: _("Ask the club by mail"),
}


def shown(one: event_checks.Finding, named: dict[int, names.Named]) -> dict[str, Any]:
    """A finding as a row of a table. `said`: what has been answered; `answers`: what still can be."""
    said = None if one.answer is None else one.answer.answer
    return {
        "key": one.key,
        "entry": one.entry,
        "kind": KINDS[one.kind],
        "board": one.board,
        "tables": ", ".join(f"{section}{table}" for section, table in one.tables),
        "people": [f"{named[k].number} {named[k].name}" for k in one.contestants],
        "reason": one.reason,
        "waits": one.waits,
        "asked_at": one.answer.made_at if one.answer is not None and said == Answer.ASKED else None,
        "said": "" if one.answer is None else one.answer.get_answer_display(),
        "answers": [(key, VERBS[Answer(key)]) for key in one.answers if key != said],
    }


def asked_of(club: Club, account: Account) -> dict[int, list[dict[str, Any]]]:
    """By entry what a club is asked by those who run its events, each as a row with the page on which it is
    mended."""
    found = event_checks.asked_of(club)
    own = {one.contestants[0] for some in found.values() for one in some if one.contestants}
    named = names.of_contestants(own, names.reader_for(account)) if own else {}
    return {
        entry: [
            {**shown(replace(one, contestants=one.contestants[:1]), named), "mended_at": _mended_at(one)}
            for one in some
        ]
        for entry, some in found.items()
    }


def _mended_at(one: event_checks.Finding) -> str:
    page = MENDED_AT.get(one.kind)
    return "" if page is None or one.entry.session_id is None else reverse(page, args=[one.entry.session_id])
