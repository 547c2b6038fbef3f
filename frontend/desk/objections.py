"""Objections of contestants and appeals, with their answers; and what a contestant is given or taken by the
club’s catalogue. For those who run the session."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Account, CataloguePenalty, Objection, Session
from tournaments.services import (
    custody,
    desk_entries,
    names,
    objections,
    penalties,
    reasons,
    ruling_words,
    rulings,
)
from tournaments.services.errors import Conflict, Refused

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..players import mine
from . import undoing
from .plays import looked_at
from .running import directed

TEXT_LETTERS = 2000
STATES = {
    "open": _("waits for an answer"),
    "answered": _("answered"),
    "appealed": _("appealed: the committee decides"),
    "decided": _("decided"),
    "withdrawn": _("withdrawn"),
}
OUTCOMES = {
    "upheld": _("upheld"),
    "partly upheld": _("partly upheld"),
    "rejected": _("rejected"),
}
KINDS = {
    "answer": _("The director"),
    "appeal": _("Appeal"),
    "decision": _("The committee"),
    "withdrawal": _("Withdrawn"),
}


class AnswerForm(forms.Form):
    """The answer to an objection, or the decision on an appeal."""

    objection = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    outcome = forms.ChoiceField(label=_("It is"), choices=[*OUTCOMES.items()])
    text = forms.CharField(label=_("Why?"), max_length=TEXT_LETTERS, widget=forms.Textarea(attrs={"rows": 2}))


class WrittenForm(forms.Form):
    """An objection that a contestant has said to the director."""

    contestant = forms.TypedChoiceField(label=_("Who objects"), coerce=int)
    table = forms.IntegerField(label=_("Table"), min_value=1, max_value=10_000)
    board = forms.IntegerField(label=_("Board"), min_value=1, max_value=10_000)
    text = forms.CharField(
        label=_("What they say"), max_length=TEXT_LETTERS, widget=forms.Textarea(attrs={"rows": 2})
    )


class PenaltyForm(forms.Form):
    """Something of the club’s catalogue, for a contestant."""

    contestant = forms.TypedChoiceField(label=_("For"), coerce=int)
    penalty = forms.TypedChoiceField(label=_("What"), coerce=int)
    reason = forms.CharField(label=_("Why?"), max_length=TEXT_LETTERS)


def _contestants(session: Session, account: Account) -> list[tuple[int, str]]:
    own = list(session.contestants.order_by("number"))
    named = names.of_contestants([one.pk for one in own], names.reader_for(account))
    return [(one.number, f"{one.number} – {named[one.pk].name}") for one in own]


def _priced(entry: CataloguePenalty) -> str:
    unit = "\u202f%" if entry.unit == "percent" else ""
    sign = "−" if entry.kind == CataloguePenalty.Kind.PENALTY else "+"
    return f"{entry.name} ({sign}{entry.amount}{unit})"


@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    one, account = directed(request, session), account_of(request)
    way = request.POST.get("way", "") if request.method == "POST" else ""
    chosen = _contestants(one, account)
    catalogue = list(penalties.of(one.tournament.club))
    step = AnswerForm(request.POST if way == "step" else None)
    written = WrittenForm(request.POST if way == "write" else None)
    fine = PenaltyForm(request.POST if way in ("look", "fine") else None)
    choices = [("", gettext("Choose")), *chosen]  # nobody is chosen already, and fined by haste
    written.fields["contestant"].choices = choices  # type: ignore[attr-defined]
    fine.fields["contestant"].choices = choices  # type: ignore[attr-defined]
    priced = [(entry.pk, _priced(entry)) for entry in catalogue]
    fine.fields["penalty"].choices = priced  # type: ignore[attr-defined]
    form = {"step": step, "write": written, "look": fine, "fine": fine}.get(way)
    looked, status = None, 200
    if form is not None:
        status = 400
        if form.is_valid():
            try:
                looked = _do(request, one, account, way, form)
            except Refused as error:
                form.add_error(None, str(error))
                status = 409 if isinstance(error, Conflict) else 400
            else:
                if looked is None:
                    return redirect("desk-objections", session=one.pk)
                status = 200
    actor = desk_entries.token_of(account, one)
    context = {
        **{"session": one, "step": step, "written": written, "fine": fine, "looked": looked},
        "asked": step["objection"].value(),
        "objections": [_shown(found) for found in objections.of(one, actor)],
        "hidden": reasons.hidden_from(one, account, [player.pk for player in mine.myself(request).players]),
        "has_catalogue": bool(catalogue),
        "fines": _fines(one, dict(chosen)),
    }
    return render_at(one.tournament.club, request, "desk/objections.html", context, status)


def _do(request: HttpRequest, session: Session, account: Account, way: str, form: forms.Form) -> Any:
    """What a form asks for; for a look at a penalty, whom it would move."""
    given = form.cleaned_data
    if way in ("look", "fine"):
        plan = rulings.on_contestant(
            session=session, contestant=given["contestant"], catalogue=given["penalty"]
        )
        if way == "look":
            if _is_kept_from(request, session, account):
                return []
            return looked_at(rulings.look(plan), account)
        made = rulings.rule(plan, actor=account, text=given["reason"])
        said = gettext("The ruling counts from now on.")
        undoing.said(request, said, session, "ruling", ruling=made.pk)
        return None
    actor = desk_entries.token_of(account, session)
    if way == "write":
        place = rulings.PlayPlace(session.sections.order_by("name")[0].name, given["table"], given["board"])
        objections.object_to(
            session=session, actor=actor, place=place, text=given["text"], contestant=given["contestant"]
        )
        messages.success(request, gettext("The objection is written down."))
        return None
    one = get_object_or_404(objections.of(session, actor), pk=given["objection"])
    kind = "decision" if objections.state_of(one) == "appealed" else "answer"
    objections.follow(objection=one, actor=actor, kind=kind, text=given["text"], outcome=given["outcome"])
    messages.success(request, gettext("It is answered: those concerned read it."))
    return None


def _is_kept_from(request: HttpRequest, session: Session, account: Account) -> bool:
    """Whether somebody plays in the session: whom a ruling moves tells what others have scored."""
    held = [player.pk for player in mine.myself(request).players]
    return custody.plays_here(account, session, held) and not session.is_over


def _shown(one: Objection) -> dict[str, Any]:
    steps = sorted(one.steps.all(), key=lambda step: step.pk)
    state = objections.state_of(one)
    return {
        "one": one,
        "state": STATES[state],
        "mark": "disputed" if state in ("open", "appealed") else "confirmed",
        "waits": state in ("open", "appealed"),
        "verb": gettext("Enter the decision") if state == "appealed" else gettext("Answer"),
        "steps": [(KINDS[step.kind], OUTCOMES.get(step.outcome, ""), step) for step in steps],
    }


def _fines(session: Session, named: Mapping[int, str]) -> list[tuple[Any, str, str]]:
    """The penalties that count: the ruling, whose it is, and what it is in words."""
    made = rulings.of(session).filter(contestant__isnull=False, reversed_at=None).order_by("-pk")
    return [
        (one, named[one.contestant.number], ruling_words.of_ruling(session, one))
        for one in made
        if one.contestant
    ]
