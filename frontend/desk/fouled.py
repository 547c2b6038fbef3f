"""A wallet held the wrong cards at some tables: they are compared among themselves, and the others too."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Account, Play, Session
from tournaments.services import differences, flags, names, rulings
from tournaments.services.errors import Conflict, Refused

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..places import table_name
from ..players import mine
from . import undoing
from .moves import LookedAt, looked_at
from .ruling_form import ReasonedForm
from .running import directed


class WrongCardsForm(ReasonedForm):
    """Which tables held other cards than the rest on a board, and why."""

    tables = forms.MultipleChoiceField(
        label=_("Tables that held the wrong cards"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("All that held the same wrong ones; also those that will still play with them."),
    )
    reason = forms.CharField(
        label=_("Why?"),
        max_length=2000,
        help_text=_("For those concerned: they read it beside the result."),
    )

    def __init__(
        self, data: Any, *, tables: Sequence[tuple[int, str]], ticked: Sequence[str], looks: bool
    ) -> None:
        """`tables`: that play the board, by the ids of their plays."""
        self.looks = looks
        super().__init__(data, initial={"tables": list(ticked)})
        self.fields["tables"].choices = [(str(pk), words) for pk, words in tables]  # type: ignore[attr-defined]

    def clean_tables(self) -> list[str]:
        found: list[str] = self.cleaned_data["tables"]
        if len(found) == len(self.fields["tables"].choices):  # type: ignore[attr-defined]
            message = gettext("If all tables held the same cards, nothing is to be decided.")
            raise forms.ValidationError(message)
        return found


@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    """First which board, then which tables; whom it moves is shown before it is decided. For those who run
    the session."""
    one, account = directed(request, session), account_of(request)
    boards = list(one.board_set.boards.order_by("number").values_list("number", flat=True))
    board = _number(request.GET.get("board", ""))
    if board not in boards:
        context = {"session": one, "boards": boards}
        return render_at(one.tournament.club, request, "desk/fouled.html", context)
    plays = _plays(one, board)
    way = request.POST.get("way", "")
    ticked = [str(play.pk) for play in plays if play.pk == _number(request.GET.get("play", ""))]
    form = WrongCardsForm(
        request.POST or None,
        tables=_tables(one, account, plays),
        ticked=ticked,
        looks=way != "rule",
    )
    looked: LookedAt | None = None
    refusal, status = "", 200
    if request.method == "POST" and form.is_valid():
        try:
            rows = flags.watched(one)
            held = [player.pk for player in mine.myself(request).players]
            sight = flags.sight_of(one, account, rows, held)
            if sight.boards is not None and plays[0].board_id not in sight.boards:
                raise differences.too_early()
            chosen = {play.pk: play for play in plays}
            wrong = [chosen[int(pk)] for pk in form.cleaned_data["tables"]]
            places = [(play.table.section.name, play.table.number) for play in wrong]
            groups = [(gettext("wrong cards"), places)]
            plan = rulings.on_fouled_board(session=one, board=board, groups=groups)
            if way == "rule":
                made = rulings.rule(plan, actor=account, text=form.cleaned_data["reason"])
                said = gettext("Board %(board)d is compared apart by the cards that each table held.")
                undoing.said(request, said % {"board": board}, one, "ruling", ruling=made.pk)
                return redirect("session-desk", session=one.pk)
            looked = looked_at(rulings.look(plan, sight.boards), account)
        except Refused as error:
            refusal, status = str(error), 409 if isinstance(error, Conflict) else 400
    elif request.method == "POST":
        status = 400
    context = {"session": one, "board": board, "form": form, "looked": looked, "refusal": refusal}
    return render_at(one.tournament.club, request, "desk/fouled.html", context, status)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


def _plays(session: Session, board: int) -> list[Play]:
    plays = Play.objects.filter(table__section__session=session, board__number=board)
    rows = plays.select_related("table__section").prefetch_related("seatings")
    return list(rows.order_by("round", "table__section__name", "table__number"))


def _tables(session: Session, account: Account, plays: Sequence[Play]) -> list[tuple[int, str]]:
    """Each table that plays a board: in which round, and who sits there."""
    several = session.sections.count() > 1
    seated: Mapping[int, list[int]] = {
        play.pk: list(dict.fromkeys(one.contestant_id for one in play.seatings.all())) for play in plays
    }
    everybody = {one for own in seated.values() for one in own}
    named = names.of_contestants(everybody, names.reader_for(account))
    words = gettext("Table %(table)s, round %(round)d: %(names)s")
    return [
        (
            play.pk,
            words
            % {
                "table": table_name(play.table.section.name, play.table.number, several=several),
                "round": play.round,
                "names": ", ".join(named[one].name for one in seated[play.pk]),
            },
        )
        for play in plays
    ]
