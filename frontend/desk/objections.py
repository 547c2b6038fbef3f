"""Objections of contestants and appeals, with their answers; what has been ruled; and what a contestant is
given or taken. For those who run the session."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Account, CataloguePenalty, Objection, Play, Ruling, Seating, Session
from tournaments.services import (
    custody,
    desk_entries,
    exports,
    names,
    objections,
    penalties,
    reasons,
    roles,
    ruling_words,
    rulings,
)
from tournaments.services.errors import Conflict, Missing, Refused
from tournaments.services.percentages import in_percent

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..labels import labelled
from ..places import table_name
from ..players import mine
from . import undoing
from .club import UNITS, number_of
from .moves import LookedAt, looked_at
from .rankings import exact
from .ruling_form import ReasonedForm, ReversalForm
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


OTHER = "other"  # a penalty that is not in the catalogue


class AnswerForm(forms.Form):
    """The answer to an objection, or the decision on an appeal; `ruling`: the one that follows it, if any."""

    objection = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    outcome = forms.ChoiceField(label=_("It is"), choices=[("", _("Choose")), *OUTCOMES.items()])
    ruling = forms.IntegerField(label=_("With the ruling"), required=False, min_value=1)
    text = forms.CharField(label=_("Why?"), max_length=TEXT_LETTERS, widget=forms.Textarea(attrs={"rows": 2}))


class AppealForm(forms.Form):
    """An appeal that a contestant has said to the director who wrote the objection down."""

    objection = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    text = forms.CharField(
        label=_("Why they appeal"), max_length=TEXT_LETTERS, widget=forms.Textarea(attrs={"rows": 2})
    )


class WrittenForm(forms.Form):
    """An objection that a contestant has said to the director."""

    contestant = forms.TypedChoiceField(label=_("Who objects"), coerce=int)
    board = forms.IntegerField(label=_("Board"), min_value=1, max_value=10_000)
    text = forms.CharField(
        label=_("What they say"), max_length=TEXT_LETTERS, widget=forms.Textarea(attrs={"rows": 2})
    )


class BoardForm(forms.Form):
    """Which board at which table something is to be ruled on."""

    table = forms.CharField(label=_("Table"), max_length=12)
    board = forms.IntegerField(label=_("Board"), min_value=1, max_value=10_000)


class PenaltyForm(ReasonedForm):
    """Something of the club’s catalogue for a contestant, or an amount that is said on the spot."""

    contestant = forms.TypedChoiceField(label=_("For"), coerce=int)
    penalty = forms.ChoiceField(label=_("What"))
    kind = forms.ChoiceField(
        label=_("Penalty or bonus"), choices=CataloguePenalty.Kind.choices, required=False
    )
    amount = forms.CharField(
        label=_("How much"), max_length=20, required=False, help_text=_("10, 2.5 or 1/2.")
    )
    unit = forms.ChoiceField(label=_("Of what"), required=False)
    reason = forms.CharField(label=_("Why?"), max_length=TEXT_LETTERS)

    def __init__(
        self,
        data: Any,
        *,
        contestants: Sequence[tuple[Any, str]],
        entries: Sequence[CataloguePenalty],
        units: Sequence[str],
        looks: bool,
    ) -> None:
        super().__init__(data)
        self.fields["contestant"].choices = contestants  # type: ignore[attr-defined]
        own = [(str(entry.pk), _priced(entry)) for entry in entries]
        self.fields["penalty"].choices = [*own, (OTHER, gettext("something else"))]  # type: ignore[attr-defined]
        self.fields["unit"].choices = [(unit, UNITS[unit]) for unit in units]  # type: ignore[attr-defined]
        self.looks = looks
        if not entries:
            self.fields["penalty"].widget = forms.HiddenInput()
            self.fields["penalty"].initial = OTHER

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("penalty") == OTHER:
            amount = exact(given.get("amount") or "")
            if amount is None or Fraction(amount) <= 0:
                self.add_error("amount", gettext("Write a number above 0, such as 10, 2.5 or 1/2."))
            given |= {"amount": amount, "kind": given.get("kind") or CataloguePenalty.Kind.PENALTY}
            given["unit"] = given.get("unit") or self.fields["unit"].choices[0][0]  # type: ignore[attr-defined]
        return given

    @property
    def decision(self) -> dict[str, Any]:
        """What is given or taken, as `rulings.on_contestant` takes it."""
        given = self.cleaned_data
        if given["penalty"] != OTHER:
            return {"catalogue": int(given["penalty"])}
        return {name: str(given[name]) for name in ("kind", "amount", "unit")}


def _contestants(session: Session, account: Account) -> list[tuple[int, str]]:
    own = list(session.contestants.order_by("number"))
    named = names.of_contestants([one.pk for one in own], names.reader_for(account))
    return [(one.number, f"{one.number} – {named[one.pk].name}") for one in own]


def _priced(entry: CataloguePenalty) -> str:
    amount = in_percent(entry.amount) if entry.unit == "percent" else str(entry.amount)
    sign = "−" if entry.kind == CataloguePenalty.Kind.PENALTY else "+"
    return f"{entry.name} ({sign}{amount})"


@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    one, account = directed(request, session), account_of(request)
    way = request.POST.get("way", "") if request.method == "POST" else ""
    several = one.sections.count() > 1
    chosen = _contestants(one, account)
    about = _play_asked_for(request, one)
    units = rulings.units_of(one)
    catalogue = list(penalties.of(one.tournament.club))
    step = AnswerForm(request.POST if way == "step" else None)
    step.auto_id = (
        f"%s-{number_of(request.POST.get('objection', ''))}"  # as its fields are called on the page
    )
    board = {} if about is None else {"board": about.board.number}
    written = WrittenForm(request.POST if way == "write" else None, initial=board)
    choices = [("", gettext("Choose")), *chosen]  # nobody is chosen already, and fined by haste
    seated = set() if about is None else set(about.seatings.values_list("contestant__number", flat=True))
    written.fields["contestant"].choices = [  # type: ignore[attr-defined]
        (number, words) for number, words in choices if not seated or number == "" or number in seated
    ]
    fine = PenaltyForm(
        request.POST if way in ("look", "fine") else None,
        contestants=choices,
        entries=[entry for entry in catalogue if entry.unit in units],
        units=units,
        looks=way == "look",
    )
    asked_board = BoardForm(request.GET if "table" in request.GET else None)
    fine.auto_id, asked_board.auto_id = "fine_%s", "asked_%s"  # three forms of a page have fields of one name
    if asked_board.is_valid():
        if (found := _play_at(one, asked_board.cleaned_data)) is not None:
            return redirect(reverse("desk-play", args=[one.pk, found.pk]) + "#ruling")
        asked_board.add_error("board", gettext("This table does not play this board."))
    reversal = ReversalForm(request.POST if way == "reverse" else None)
    reversal.auto_id = f"%s-{number_of(request.POST.get('ruling', ''))}"
    appeal = AppealForm(request.POST if way == "appeal" else None)
    appeal.auto_id = step.auto_id
    forms_by_way: dict[str, forms.Form] = {"step": step, "write": written, "look": fine, "fine": fine}
    form = (forms_by_way | {"reverse": reversal, "appeal": appeal}).get(way)
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
                if isinstance(looked, HttpResponse):
                    return looked
                status = 200
        elif way == "fine" and [*form.errors] == ["reason"]:
            looked = _look(request, one, account, fine)  # it stays in sight while the reason is written
    actor = desk_entries.token_of(account, one)
    held = [player.pk for player in mine.myself(request).players]
    made = _Made(one, account, held, several=several)
    context = {
        **{"session": one, "step": step, "written": written, "fine": fine, "looked": looked},
        **{"appeal": appeal, "appealed": appeal["objection"].value() if way == "appeal" else ""},
        **{"reversal": reversal, "board_form": asked_board, "about": about, "several": several},
        "asked": step["objection"].value() or request.GET.get("answer", ""),
        "reversed": reversal["ruling"].value() if way == "reverse" else "",
        "objections": [
            _shown(found, made, step) | {"may_write_appeal": objections.has_written(actor, found)}
            for found in objections.of(one, actor)
        ],
        "hidden": reasons.hidden_from(one, account, held),
        "unfit": [_priced(entry) for entry in catalogue if entry.unit not in units],
        "counts": [UNITS[unit] for unit in units],
        "catalogue_of": one.tournament.club if one.tournament.club in roles.clubs_of(account) else None,
        "fines": _fines(one, dict(chosen)),
        "rulings": made.on_boards,
        "takes": exports.may(one, account),
        "forms": exports.FORMS,
    }
    return render_at(one.tournament.club, request, "desk/objections.html", context, status)


def _play_asked_for(request: HttpRequest, session: Session) -> Play | None:
    """The board at a table that the page was opened for, to write an objection down."""
    text = request.GET.get("play", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        return None
    plays = Play.objects.filter(table__section__session=session).select_related("board", "table__section")
    return plays.filter(pk=int(text)).first()


def _play_at(session: Session, given: Mapping[str, Any]) -> Play | None:
    """The board at a table as somebody names it: 3, or A3 where there are several sections."""
    plays = Play.objects.filter(table__section__session=session, board__number=given["board"])
    wanted = given["table"].strip().casefold().replace(" ", "")
    for play in plays.select_related("table__section").order_by("pk"):
        section, number = play.table.section.name, play.table.number
        if wanted in (f"{section}{number}".casefold(), str(number)):
            return play
    return None


def _do(request: HttpRequest, session: Session, account: Account, way: str, form: forms.Form) -> Any:
    """What a form asks for, and where it leads; for a look at a penalty, whom it would move."""
    given = form.cleaned_data
    here = redirect("desk-objections", session=session.pk)
    if isinstance(form, PenaltyForm):
        if way == "look":
            return _look(request, session, account, form)
        made = rulings.rule(_plan(session, form), actor=account, text=given["reason"])
        who = dict(_contestants(session, account))[given["contestant"]]
        said = labelled(who, gettext("The ruling counts from now on."))
        undoing.said(request, said, session, "ruling", ruling=made.pk)
        return here
    if way == "reverse":
        ruling = rulings.with_id(session, given["ruling"])
        rulings.reverse(ruling=ruling, actor=account, text=given["reason"])
        messages.success(request, gettext("The ruling is reversed."))
        return here
    actor = desk_entries.token_of(account, session)
    if way == "write":
        written = objections.object_to(
            session=session,
            actor=actor,
            place=_played_at(session, given["contestant"], given["board"]),
            text=given["text"],
            contestant=given["contestant"],
        )
        messages.success(request, gettext("The objection is written down."))
        return redirect(f"{here.url}#objection-{written.pk}")
    one = get_object_or_404(objections.of(session, actor), pk=given["objection"])
    if way == "appeal":
        objections.follow(objection=one, actor=actor, kind="appeal", text=given["text"])
        messages.success(request, gettext("The appeal is written down: a committee decides."))
        return redirect(f"{here.url}#objection-{one.pk}")
    ruling = given["ruling"]
    if ruling and not one.play.ruling_parts.filter(ruling=ruling).exists():
        raise Missing("no-such-ruling", gettext("The session has no such ruling."))
    kind = "decision" if objections.state_of(one) == "appealed" else "answer"
    objections.follow(
        objection=one,
        actor=actor,
        kind=kind,
        text=given["text"],
        outcome=given["outcome"],
        ruling=ruling or None,
    )
    if given["outcome"] == "rejected" or ruling:
        messages.success(request, gettext("It is answered: those concerned read it."))
        return here
    messages.success(
        request,
        gettext("It is answered, and the list is as it was: say here what is to count instead."),
    )
    return redirect(reverse("desk-play", args=[session.pk, one.play_id]) + "#ruling")


def _played_at(session: Session, contestant: int, board: int) -> rulings.PlayPlace:
    """Where a contestant has played a board. Missing: nowhere, and which boards it has."""
    own = Play.objects.filter(
        table__section__session=session, seatings__contestant__number=contestant
    ).distinct()
    place = own.filter(board__number=board).values_list("table__section__name", "table__number")
    if (found := place.order_by("round", "pk").first()) is not None:
        return rulings.PlayPlace(*found, board)
    boards = ", ".join(map(str, own.order_by("board__number").values_list("board__number", flat=True)))
    message = gettext("%(contestant)d does not play board %(board)d: its boards are %(boards)s.")
    facts = {"contestant": contestant, "board": board, "boards": boards or "–"}
    raise Missing("no-such-play", message % facts)


def _plan(session: Session, form: PenaltyForm) -> rulings.RulingPlan:
    contestant = form.cleaned_data["contestant"]
    return rulings.on_contestant(session=session, contestant=contestant, **form.decision)


def _look(request: HttpRequest, session: Session, account: Account, form: PenaltyForm) -> LookedAt:
    if _is_kept_from(request, session, account):
        return LookedAt(is_hidden=True)
    return looked_at(rulings.look(_plan(session, form)), account)


def _is_kept_from(request: HttpRequest, session: Session, account: Account) -> bool:
    """Whether somebody plays in the session: whom a ruling moves tells what others have scored."""
    held = [player.pk for player in mine.myself(request).players]
    return custody.plays_here(account, session, held) and not session.are_boards_over


@dataclass(frozen=True, slots=True)
class RulingInForce:
    """A ruling on a board at a table: where, and what it says."""

    ruling: Ruling
    play: int
    place: str
    words: str


class _Made:
    """The rulings on boards that are in force, of which whoever looks may know: the newest first."""

    def __init__(self, session: Session, account: Account, held: Collection[int], *, several: bool) -> None:
        seen = custody.seen_boards(session, account, held=held)
        own = Play.objects.filter(ruling_parts__ruling__session=session)
        known = own if seen is None else own.filter(board__in=seen)
        at = {play.pk: play for play in known.select_related("table__section", "board")}
        sat = _sat(at, names.reader_for(account))
        self.on_boards: list[RulingInForce] = []
        for one in rulings.of(session).filter(contestant=None, match=None, reversed_at=None).order_by("-pk"):
            parts = [part.play_id for part in one.parts.all()]
            if not parts or any(play not in at for play in parts):
                continue
            play = at[parts[0]]
            table = table_name(play.table.section.name, play.table.number, several=several)
            place = gettext("Table %(table)s, board %(board)d") % {"table": table, "board": play.board.number}
            named = sat.get(play.pk) if len(set(parts)) == 1 else None
            words = ruling_words.of_ruling(session, one, named)
            self.on_boards.append(RulingInForce(one, play.pk, place, words))

    def of_play(self, play: int) -> list[RulingInForce]:
        return [one for one in self.on_boards if play in {part.play_id for part in one.ruling.parts.all()}]


def _sat(plays: Collection[int], reader: names.Reader) -> dict[int, dict[int, str]]:
    """By play, who sat in which seat. Two queries."""
    rows = Seating.objects.filter(play__in=plays).values_list("play", "seat", "contestant")
    seats = list(rows.order_by("play", "seat"))
    named = names.of_contestants({contestant for _play, _seat, contestant in seats}, reader)
    found: dict[int, dict[int, str]] = {}
    for play, seat, contestant in seats:
        found.setdefault(play, {})[seat] = named[contestant].name
    return found


def _shown(one: Objection, made: _Made, step: AnswerForm) -> dict[str, Any]:
    """An objection; the newest ruling made since on its board is chosen, unless an answer that was sent back
    has another."""
    steps = sorted(one.steps.all(), key=lambda step: step.pk)
    state = objections.state_of(one)
    found = made.of_play(one.play_id)
    since = [ruled.ruling.pk for ruled in found if ruled.ruling.made_at > one.made_at]
    is_sent = step["objection"].value() == str(one.pk)
    return {
        "one": one,
        "state": STATES[state],
        "mark": "disputed" if state in ("open", "appealed") else "confirmed",
        "waits": state in ("open", "appealed"),
        "may_be_appealed": state == "answered",
        "verb": gettext("Enter the decision") if state == "appealed" else gettext("Answer"),
        "rulings": found,
        "by_ruling": step["ruling"].value() if is_sent else str(next(iter(since), "")),
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
