"""When an evening does not go as planned: who is here has changed, a table sat or played otherwise, a board
cannot be played. Each form shows first what a change costs, and its notice offers to undo it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import UUID

from django import forms
from django.db.models import Count, Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from engines import registry
from engines.contract import Game
from scoring.rounding import decimals
from tournaments.models import Account, Job, Member, Play, Result, Round, Seating, Session, Submission
from tournaments.movements import ANEW, SIT_OUTS
from tournaments.services import (
    board_sets,
    costs,
    jobs,
    meanwhile,
    movement_offers,
    names,
    replanning,
    reseating,
    roles,
    typed_contestants,
)
from tournaments.services.errors import Conflict, Refused

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..labels import labelled
from ..places import table_name
from . import undoing
from .offers import span
from .running import directed
from .seating import called
from .session import usual_round
from .wizard import language

REASON_LETTERS = 2000
WAYS = {
    SIT_OUTS: _("They play whoever sits out: the others stay where they are"),
    ANEW: _("Another movement for the rounds to come: everybody’s way is new"),
}


# ── What is asked for ─────────────────────────────────────────────────────────────────────────────


class HereForm(forms.Form):
    """Who is here has changed. `change`, once it is valid: as `replanning.plan` takes it. `lacks_places`:
    more have come late than there are places; perhaps they are enough for a table, or there are ways for them
    to come in beside the others."""

    lacks_places = is_enough_for_a_table = has_ways = False

    leaving = forms.MultipleChoiceField(
        label=_("Tick whoever is not here any more, or has not come"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    back = forms.MultipleChoiceField(
        label=_("Back again"), required=False, widget=forms.CheckboxSelectMultiple
    )
    arriving = forms.CharField(
        label=_("Come late"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One a line, by name; a pair as “Ana Durand / Bob Petit”."),
    )
    names_may_be_published = forms.BooleanField(
        label=_("Whoever is new here has agreed that the name is published"),
        required=False,
        help_text=_("Otherwise everybody outside the hall reads their initials, until they agree."),
    )
    rest = forms.ChoiceField(label=_("How do they come in?"), required=False, widget=forms.RadioSelect)
    first = forms.TypedChoiceField(
        label=_("From round"),
        coerce=int,
        empty_value=None,
        help_text=_("Rounds before it stay as they were; those from it on are planned again."),
    )

    def __init__(
        self, data: Any, *, session: Session, account: Account, known: Mapping[str, Any] | None = None
    ) -> None:
        """`known`: what was filled in before, if somebody has come back."""
        self.session = session
        own = {one.number: one for one in session.contestants.order_by("number")}
        named = names.of_contestants([one.pk for one in own.values()], names.reader_for(account))
        here = [(str(n), named[one.pk].name) for n, one in own.items() if one.left_after is None]
        gone = [(str(n), named[one.pk].name) for n, one in own.items() if one.left_after is not None]
        begun, last = begun_rounds(session)
        is_first_played = session.state == Session.State.RUNNING and begun == 0 and last > 1
        super().__init__(data, initial={"first": "" if is_first_played else begun + 1} | dict(known or {}))
        self.fields["leaving"].choices = here  # type: ignore[attr-defined]
        self.fields["back"].choices = gone  # type: ignore[attr-defined]
        if not gone:
            del self.fields["back"]
        self.fields["rest"].choices = list(WAYS.items())  # type: ignore[attr-defined]
        self.fields["rest"].widget = forms.HiddenInput()
        rounds: list[tuple[Any, Any]] = [(number, str(number)) for number in range(begun + 1, last + 1)]
        self.is_first_played = is_first_played
        if is_first_played:  # whoever has not come plays none; whoever comes late finds seats from the next
            self.fields["first"].required = False
            rounds = [("", gettext("1 for who has not come, 2 for who comes late")), *rounds]
        self.fields["first"].choices = rounds  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if self.errors:
            return given
        club, game = self.session.tournament.club, registry.game(self.session.game)
        try:
            each = typed_contestants.players_each(game)
            new = typed_contestants.read_contestants(club, given["arriving"], each=each)
        except Refused as error:
            self.add_error("arriving", str(error))
            return given
        numbers = [int(one) for one in given.get("back") or ()]
        if given["first"] is None and given["leaving"] and (new or numbers):
            self.add_error(
                "first",
                gettext(
                    "Somebody has not come, and somebody comes late: choose 1 if whoever comes late plays"
                    " from round 1 on. Otherwise take out who has not come first, and then add who comes"
                    " late."
                ),
            )
            return given
        if given["first"] is None:
            given["first"] = 2 if new or numbers else 1
        self.change = {
            "after": given["first"] - 1,
            "leaving": [int(one) for one in given["leaving"]],
            "arriving": [*_back(self.session, numbers), *(one.given for one in new)],
            "names_may_be_published": given["names_may_be_published"],
        }
        try:
            replanning.check(session=self.session, **self.change)
        except Refused as error:
            at = {"round-begun": "first", "round-ruled": "first"}.get(error.code)
            rows = (error.details or {}).get("rows") or [{"message": str(error), "field": at}]
            for field, message in dict.fromkeys((row["field"], row["message"]) for row in rows):
                self.add_error(field, message)
        else:
            self._check_places(len(new) + len(numbers), game, field="arriving" if new else "back")
        return given

    def _check_places(self, coming: int, game: Game[Any], *, field: str) -> None:
        """Whether all who come, for the first time or again, have a place, and how they come in."""
        lacking = replanning.lacking_places(session=self.session, **self.change)
        if not lacking:
            return
        self.lacks_places = True
        self.is_enough_for_a_table = coming >= typed_contestants.contestants_at_least(game)
        ways = replanning.ways_for_newcomers(session=self.session, **self.change)
        if ways:
            self._ask_way(ways, lacking)
            return
        message = ngettext(
            "%(lacking)d place is lacking: boards travel from table to table here. Everybody’s way was"
            " settled before round one, and nobody can be added to it.",
            "%(lacking)d places are lacking: boards travel from table to table here. Everybody’s way was"
            " settled before round one, and nobody can be added to it.",
            lacking,
        )
        self.add_error(field, message % {"lacking": lacking})

    def _ask_way(self, ways: Sequence[str], lacking: int) -> None:
        """How those who find no place come in; the first way is proposed until one has been chosen."""
        field = self.fields["rest"]
        field.widget, field.required, self.has_ways = forms.RadioSelect(), True, True
        field.choices = [(way, WAYS[way]) for way in ways]  # type: ignore[attr-defined]
        if (chosen := self.cleaned_data.get("rest")) in ways:
            self.change["rest"] = chosen
            return
        data = self.data.copy()  # type: ignore[attr-defined]  # what a browser sends is a QueryDict
        self.data = data
        data["rest"] = ways[0]
        message = ngettext(
            "%(lacking)d place is lacking: boards travel from table to table here. Choose how they come in.",
            "%(lacking)d places are lacking: boards travel from table to table here. Choose how they"
            " come in.",
            lacking,
        )
        self.add_error("rest", message % {"lacking": lacking})


def _back(session: Session, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Contestants who had left, as an entry names them: by their players."""
    members = Member.objects.filter(session=session, contestant__number__in=numbers).order_by("pk")
    found: dict[int, list[int]] = {}
    for number, player in members.values_list("contestant__number", "player_id"):
        found.setdefault(number, []).append(player)
    return [{"players": players} for players in found.values()]


def begun_rounds(session: Session) -> tuple[int, int]:
    """The last round that has begun, but the last of all, from which on nothing is planned; and that one."""
    begun, last = _rounds(session)
    return min(begun, max(last - 1, 0)), last


def _rounds(session: Session) -> tuple[int, int]:
    """The last round that has begun, and the last of all."""
    plays = Play.objects.filter(table__section__session=session)
    last = plays.aggregate(last=Max("round"))["last"] or 0
    entered = Submission.objects.filter(play__table__section__session=session)
    begun = entered.aggregate(last=Max("play__round"))["last"] or 0
    opened = session.rounds.exclude(state=Round.State.WAITING).aggregate(last=Max("number"))["last"] or 0
    return max(begun, opened), last


class TableForm(forms.Form):
    """How a table really sat, or what it really played, in a round. `seen`: the plan that the page showed."""

    seen = forms.IntegerField(widget=forms.HiddenInput)
    kind = forms.ChoiceField(label=_("What was otherwise?"), widget=forms.RadioSelect)
    boards = forms.CharField(
        label=_("Boards that were played"),
        required=False,
        max_length=200,
        help_text=_(
            "In the place of these, in their order. Those of another round change places with them, unless"
            " others have played them already."
        ),
    )
    reason = forms.CharField(
        label=_("Why?"),
        required=False,
        max_length=REASON_LETTERS,
        help_text=_("Needed where results are there already: those concerned read it."),
    )
    confirm = forms.BooleanField(
        label=_("The table has played it: its cards may be known to whoever has not."), required=False
    )

    def __init__(
        self,
        data: Any,
        *,
        session: Session,
        plays: Sequence[Play],
        seated: Mapping[int, str],
        planned: Mapping[int, str],
        board: int | None = None,
        order: Sequence[int] = (),
    ) -> None:
        """`planned`: who was to sit in each seat, at this `board` if seats change from board to board;
        `seated`: the same, told apart where one holds several; `order`: as the table says that it sits; it is
        proposed."""
        self.session, self.plays, self.needs_reason = session, plays, True
        numbers = [play.board.number for play in plays]
        written = ", ".join(map(str, numbers))
        proposed = order if sorted(order) == sorted(seated) else list(seated)
        own = {f"seat_{seat}": one for seat, one in zip(seated, proposed, strict=True)}
        super().__init__(
            data, initial={"kind": "seats", "boards": written, "seen": session.tally.layout, **own}
        )
        kinds = [("seats", gettext("They sat in each other’s seats"))]
        if any(len(side) > 1 for side in registry.game(session.game).sides_of(session.conditions)):
            kinds.append(("turned", gettext("The arrow was turned: the sides have changed places")))
        kinds.append(("boards", gettext("Other boards were played")))
        self.fields["kind"].choices = kinds  # type: ignore[attr-defined]
        if not Result.objects.filter(play__in=plays).exists():
            self.fields["reason"].help_text = ""
            self.needs_reason = False
        seats = {}
        for seat, name in planned.items():
            words = gettext("Seat %(seat)d, planned for %(name)s")
            if board is not None:
                words = gettext("Seat %(seat)d at board %(board)d, planned for %(name)s")
            label = words % {"seat": seat, "name": name, "board": board}
            seats[f"seat_{seat}"] = forms.TypedChoiceField(
                label=label, coerce=int, choices=list(seated.items())
            )
        kept = self.fields
        self.fields = {
            **{"seen": kept["seen"], "kind": kept["kind"], **seats},
            **{name: kept[name] for name in ("boards", "reason", "confirm")},
        }
        self.seats = list(seats)

    def ask_reason(self) -> None:
        """The field says whether a reason is needed: asked for once it is wanted, not with a look at the
        price."""
        self.fields["reason"].required = self.needs_reason

    def change(self) -> dict[str, Any]:
        """As `reseating.plan` takes it."""
        given, first = self.cleaned_data, self.plays[0]
        wish: dict[str, Any] = {
            "kind": given["kind"],
            "section": first.table.section.name,
            "table": first.table.number,
            "number": first.round,
        }
        if given["kind"] == "seats":
            wish["order"] = [given[name] for name in self.seats]
        if given["kind"] == "boards":
            found = [one for one in given["boards"].replace(",", " ").split() if one]
            whole = all(one.isascii() and one.isdecimal() and len(one) < 6 for one in found)
            wish["boards"] = [int(one) for one in found] if whole else None
        return wish


class ReserveForm(forms.Form):
    board = forms.TypedChoiceField(label=_("Board that cannot be played"), coerce=int)
    reason = forms.CharField(label=_("Why?"), max_length=REASON_LETTERS)

    def __init__(self, data: Any, *, session: Session, board: int | None = None) -> None:
        super().__init__(data, initial={"board": board})
        numbers = session.board_set.boards.order_by("number").values_list("number", flat=True)
        self.fields["board"].choices = [(one, str(one)) for one in numbers]  # type: ignore[attr-defined]


# ── Pages ─────────────────────────────────────────────────────────────────────────────────────────


@require_safe
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    """What may have gone otherwise, each with the way to its form."""
    one = directed(request, session)
    left = reserves_left(one)
    context = {
        "session": one,
        "is_coming": one.state in Session.COMING,
        "is_whole": one.sections.count() == 1,
        "reserves": left,
        "is_sealed": one.board_set.manifest is not None,
        "undoable": undoing.offers(request, one),
    }
    return render_at(one.tournament.club, request, "desk/changes.html", context)


def reserves_left(session: Session) -> int:
    sealed = (session.board_set.manifest or {}).get("reserves", [])
    return len(sealed) - session.board_set.boards.filter(number__in=sealed).count()


@forms_and_pages
@signed_in
def here(request: HttpRequest, session: int) -> HttpResponse:
    """Who is here has changed: a worker plans the rest again, and says what it costs."""
    one, account = directed(request, session), account_of(request)
    form = HereForm(
        request.POST or None, session=one, account=account, known=_asked_before(request, one, account)
    )
    status = 200
    if request.method == "POST":
        if form.is_valid():
            return _ask(one, account, Job.Kind.PREVIEW, form.change)
        status = 400
    context = {
        **{"session": one, "form": form, "runs_club": one.tournament.club in roles.clubs_of(account)},
        "is_begun": form.lacks_places and begun_rounds(one)[0] > 0,
    }
    return render_at(one.tournament.club, request, "desk/here.html", context, status)


def _asked_before(request: HttpRequest, session: Session, account: Account) -> dict[str, Any]:
    """What a price was asked for, of which somebody has come back."""
    try:
        job = Job.objects.filter(session=session, kind=Job.Kind.PREVIEW, pk=UUID(request.GET.get("job", "")))
    except ValueError:
        return {}
    if (asked := job.first()) is None or not asked.request:
        return {}
    change = asked.request
    return {
        "leaving": [str(one) for one in change.get("leaving", ())],
        "arriving": "\n".join(_told(session, account, change)["arriving"]),
        "names_may_be_published": change.get("names_may_be_published", False),
        "first": change.get("after", 0) + 1,
    }


def _ask(session: Session, account: Account, kind: Job.Kind, change: Mapping[str, Any]) -> HttpResponse:
    job = jobs.ask(
        kind,
        tournament=session.tournament,
        session=session,
        sender=account,
        name=session.name,
        request=dict(change),
    )
    return redirect("change-price", session=session.pk, job=job.pk)


@forms_and_pages
@signed_in
def price(request: HttpRequest, session: int, job: UUID) -> HttpResponse:
    """What another plan would cost, once a worker knows it; and its doing."""
    one, account = directed(request, session), account_of(request)
    kinds = (Job.Kind.PREVIEW, Job.Kind.REPLAN)
    asked = get_object_or_404(Job.objects.filter(session=one, kind__in=kinds), pk=job)
    is_done = asked.state == Job.State.DONE
    if request.method == "POST" and is_done and asked.kind == Job.Kind.PREVIEW and asked.request:
        return _ask(one, account, Job.Kind.REPLAN, asked.request)
    if is_done and asked.kind == Job.Kind.REPLAN:
        undoing.said(
            request, _planned(one, account, asked.request or {}), one, "plan", seen=meanwhile.stamp(one)
        )
        return redirect("session-desk", session=one.pk)
    outcome = asked.outcome or {}
    parts = outcome.get("parts") or (1, 1)
    context = {
        "session": one,
        "job": asked,
        "waits": not asked.is_over,
        "percent": int(100 * asked.progress),
        "error": asked.error and asked.error[language()]["message"],
        "alone": _alone_at_a_table(one, asked.request or {}) if asked.error else 0,
        "rows": price_rows(outcome) if outcome else [],
        "parts": more_parts(*parts),
        "newcomers": span(tuple(newcomers)) if (newcomers := outcome.get("newcomers")) else "",
        **_told(one, account, asked.request or {}),
    }
    return render_at(one.tournament.club, request, "desk/price.html", context)


def _alone_at_a_table(session: Session, change: Mapping[str, Any]) -> int:
    """How many are left, where they are enough for one table of another size; otherwise 0."""
    game = registry.game(session.game)
    here = session.contestants.filter(left_after=None).count()
    left = here - len(change.get("leaving", ())) + len(change.get("arriving", ()))
    seats = len(game.sides_of(session.conditions))
    return left if left != seats and movement_offers.is_one_table(game, left) else 0


def _planned(session: Session, account: Account, change: Mapping[str, Any]) -> str:
    """What has been done, with whom; and what is printed and wrong now."""
    told = _told(session, account, change)
    words = [gettext("The rest is planned again.")]
    if told["leaving"]:
        words.append(gettext("Without %(names)s.") % {"names": ", ".join(one for one, _n in told["leaving"])})
    if told["arriving"]:
        words.append(gettext("With %(names)s.") % {"names": ", ".join(told["arriving"])})
    printed = gettext(
        "Guide cards and slips printed before are wrong from round %(first)d on: print them again."
    )
    return " ".join([*words, printed % told])


def _told(session: Session, account: Account, change: Mapping[str, Any]) -> dict[str, Any]:
    """Who leaves, with how many boards, and who arrives, in words."""
    leaving = list(session.contestants.filter(number__in=change.get("leaving", ())).order_by("number"))
    named = names.of_contestants([one.pk for one in leaving], names.reader_for(account))
    seats = Seating.objects.filter(
        play__table__section__session=session, play__round__lte=change.get("after", 0)
    )
    own = seats.filter(contestant__in=leaving).values("contestant")
    played = dict(own.values_list("contestant", Count("play", distinct=True)))
    members = [player for one in change.get("arriving", ()) for player in one.get("players") or ()]
    players = names.of_players(members, names.reader_for(account), session=session.pk) if members else {}
    coming = [
        one.get("name")
        or " / ".join([*(players.get(pk, "") for pk in one.get("players") or ()), *(one.get("typed") or ())])
        for one in change.get("arriving", ())
    ]
    return {
        "leaving": [(named[one.pk].name, played.get(one.pk, 0)) for one in leaving],
        "arriving": coming,
        "first": change.get("after", 0) + 1,
        "way": WAYS.get(change.get("rest", "")),
    }


def price_rows(outcome: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The measures before and after, as pages compare them. `is_worse`: what somebody should know."""
    before, after = outcome["before"], outcome["after"]
    balance = [Fraction(one["balance"] or 0) for one in (before, after)]
    shown = [
        "–" if one["balance"] is None else decimals(Fraction(one["balance"]), 0) for one in (before, after)
    ]
    found = [
        _row(_("Balance, of 100: how evenly any two are compared"), *shown, is_worse=balance[1] < balance[0])
    ]
    for name, label in (
        ("boards", _("Boards each")),
        ("sit_outs", _("Sit-outs each")),
        ("meetings", _("Meetings")),
    ):
        pair = [(one[name]["least"], one[name]["most"]) for one in (before, after)]
        is_worse = pair[1][1] - pair[1][0] > pair[0][1] - pair[0][0]
        found.append(_row(label, span(pair[0]), span(pair[1]), is_worse=is_worse))
    again = [one["repeats"] for one in (before, after)]
    found.append(_row(_("Meetings again"), *map(str, again), is_worse=again[1] > again[0]))
    return found


def more_parts(before: int, after: int) -> int:
    """Into how many parts the ranking falls, if they are more than before; otherwise 0."""
    return after if after > before else 0


def _row(label: Any, before: str, after: str, *, is_worse: bool = False) -> dict[str, Any]:
    is_worse = is_worse and before != after
    return {"label": label, "before": before, "after": after, "is_worse": is_worse, "same": before == after}


@forms_and_pages
@signed_in
def table(request: HttpRequest, session: int) -> HttpResponse:
    """A table has not sat, or not played, as planned: which one, and how."""
    one, account = directed(request, session), account_of(request)
    plays = _plays(request, one)
    if not plays:
        return render_at(one.tournament.club, request, "desk/table.html", _tables(one, account))
    planned = _planned_seats(one, account, plays)
    seated = _told_apart(planned)
    order = [int(seat) for seat in request.GET.get("order", "").split("-") if seat in map(str, seated)]
    board = plays[0].board.number if _seats_change(plays) else None
    form = TableForm(
        request.POST or None,
        session=one,
        plays=plays,
        seated=seated,
        planned=planned,
        board=board,
        order=order,
    )
    refusal, status, plan, asks, stays = "", 200, None, False, None
    if request.method == "POST" and form.is_valid():
        try:
            plan = reseating.plan(session=one, **form.change())
            if plan.number != form.cleaned_data["seen"]:
                message = gettext("The session has been planned again meanwhile: look again.")
                raise Conflict("planned-again", message)
            reseating.check_played(plan)
            reseating.check_not_ruled(plan)
            if request.POST.get("way") == "do":
                given = form.cleaned_data
                reseating.store(
                    plan,
                    actor=account,
                    reason=given["reason"],
                    confirmed=given["confirm"],
                    answers_call=given["kind"] == "seats",
                )
                facts = {"table": place_words(plays[0], several=one.sections.count() > 1)}
                words = gettext("Table %(table)s, round %(round)d") % {**facts, "round": plays[0].round}
                said = labelled(words, gettext("It is written down as it was."))
                undoing.said(request, said, one, "seats", plan=dict(plan.undoing))
                return redirect("session-desk", session=one.pk)
        except Refused as error:
            status, asks = 409 if isinstance(error, Conflict) else 400, error.code == "board-over"
            at = {"no-reason": "reason", "bad-boards": "boards", "no-such-board": "boards"}.get(error.code)
            if error.code == "board-played" and plan is not None:
                stays, plan = _staying(one, account, plan.played[0]), None
            if error.code == "bad-order":
                refusal = gettext("Nobody sits elsewhere yet: say for each seat who sat there, each once.")
            elif at is not None:
                form.add_error(at, str(error))
            else:
                refusal = str(error)
            one.tally.refresh_from_db()
            form.data = {**form.data.dict(), "seen": str(one.tally.layout)}  # type: ignore[attr-defined]
    elif request.method == "POST":
        status = 400
    form.ask_reason()
    cost = None if plan is None or (refusal and not asks) else costs.to_json(*plan.cost)
    numbered = dict(one.contestants.values_list("number", "pk"))
    named = names.of_contestants(list(numbered.values()), names.reader_for(account)) if plan else {}
    context = {
        **{"session": one, "form": form, "refusal": refusal, "first": plays[0], "stays": stays},
        "moving": _moving(plan, {n: named[pk].name for n, pk in numbered.items()}) if plan and cost else (),
        "asks": asks or "confirm" in request.POST,
        "rows": price_rows(cost) if cost else [],
        "twice": [(named[numbered[who]].name, board) for who, board in plan.cost.twice]
        if plan and cost
        else (),
        "parts": more_parts(*plan.parts) if plan and cost else 0,
        "has_results": any(hasattr(play, "result") for play in plays),
        "seats_of": board,
        "at": place_words(plays[0], several=one.sections.count() > 1),
    }
    return render_at(one.tournament.club, request, "desk/table.html", context, status)


@dataclass(frozen=True, slots=True)
class Staying:
    """A board that others have played at a table: who they are, and the play on which is ruled instead."""

    who: str
    board: int
    play: int


def _staying(session: Session, account: Account, one: reseating.Exchanged) -> Staying:
    seats = Seating.objects.filter(play=one.play).order_by("seat").values_list("contestant", flat=True)
    named = called(session, account, set(seats), one.round)
    return Staying(", ".join(dict.fromkeys(named[pk] for pk in seats)), one.planned, one.instead)


def _moving(plan: reseating.Reseating, named: Mapping[int, str]) -> list[tuple[int, str]]:
    """The results that would count for others, by their boards, with the names of those."""
    if plan.details["kind"] != reseating.Kind.BOARDS:
        return []
    rows = Play.objects.filter(pk__in=list(plan.sittings), result__isnull=False).order_by("board__number")
    return [
        (board, ", ".join(dict.fromkeys(named[number] for number in plan.sittings[play][1])))
        for play, board in rows.values_list("pk", "board__number")
    ]


def place_words(play: Play, *, several: bool) -> str:
    return table_name(play.table.section.name, play.table.number, several=several)


def _plays(request: HttpRequest, session: Session) -> list[Play]:
    wanted = [request.GET.get(name, "") for name in ("table", "round")]
    if not all(one.isascii() and one.isdecimal() and len(one) < 10 for one in wanted):
        return []
    rows = Play.objects.filter(table__section__session=session, table=int(wanted[0]), round=int(wanted[1]))
    found = list(rows.select_related("table__section", "board", "result").order_by("board__number"))
    if not found:
        raise Http404
    return found


def _planned_seats(session: Session, account: Account, plays: Sequence[Play]) -> dict[int, str]:
    """Who was to sit in each seat, at the first board."""
    seats = dict(plays[0].seatings.order_by("seat").values_list("seat", "contestant"))
    named = called(session, account, set(seats.values()), plays[0].round)
    return {seat: named[contestant] for seat, contestant in seats.items()}


def _seats_change(plays: Sequence[Play]) -> bool:
    """Whether somebody sits elsewhere at another of these boards."""
    rows = Seating.objects.filter(play__in=plays).values_list("contestant", "seat")
    held = Counter(rows)
    return any(count < len(plays) for count in held.values())


def _told_apart(planned: Mapping[int, str]) -> dict[int, str]:
    """The same, with the seat where somebody holds several."""
    held, words = Counter(planned.values()), gettext("of seat %(seat)d: %(name)s")
    return {
        seat: words % {"name": name, "seat": seat} if held[name] > 1 else name
        for seat, name in planned.items()
    }


def _tables(session: Session, account: Account) -> dict[str, Any]:
    """The tables and rounds from which one is chosen, each table with who sits there in the usual one."""
    plays = Play.objects.filter(table__section__session=session)
    pairs = list(
        plays.order_by("table__section__name", "table__number")
        .values_list("table", "table__section__name", "table__number")
        .distinct()
    )
    several = len({section for _pk, section, _number in pairs}) > 1
    last = _rounds(session)[1]
    usual = usual_round(session, last)[0]
    sitting: dict[int, dict[int, None]] = {}
    seats = Seating.objects.filter(play__table__section__session=session, play__round=usual)
    rows = seats.order_by("seat", "play__board__number").values_list("play__table", "contestant")
    for table, contestant in rows:
        sitting.setdefault(table, {})[contestant] = None
    named = called(session, account, {one for found in sitting.values() for one in found}, usual)
    return {
        "session": session,
        "tables": [
            (
                pk,
                labelled(table_name(section, number, several=several), ", ".join(named[one] for one in found))
                if (found := sitting.get(pk))
                else table_name(section, number, several=several),
            )
            for pk, section, number in pairs
        ],
        "rounds": range(1, last + 1),
        "usual": usual,
    }


@forms_and_pages
@signed_in
def reserve(request: HttpRequest, session: int) -> HttpResponse:
    """A board cannot be played: the next reserve board takes its place."""
    one = directed(request, session)
    text = request.GET.get("board", "")
    board = int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None
    form = ReserveForm(request.POST or None, session=one, board=board)
    plan, refusal, status = None, "", 200
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            plan = board_sets.plan_reserve(session=one, board=given["board"])
            if request.POST.get("way") == "do":
                made = board_sets.use_reserve(session=one, actor=account_of(request), **given)
                facts = {"board": given["board"], "reserve": made.number}
                said = gettext("Board %(reserve)d is played in the place of board %(board)d.") % facts
                undoing.said(request, said, one, "reserve", **facts)
                return redirect("session-desk", session=one.pk)
        except Refused as error:
            refusal, status = str(error), 409 if isinstance(error, Conflict) else 400
            plan = None
    elif request.method == "POST":
        status = 400
    context = {
        **{"session": one, "form": form, "plan": plan, "refusal": refusal},
        "tables": _in_the_room(one, plan.tables) if plan else [],
        "played": _in_the_room(one, plan.played) if plan else [],
        "left": reserves_left(one),
        "back": reverse("session-changes", args=[one.pk]),
    }
    return render_at(one.tournament.club, request, "desk/reserve.html", context, status)


def _in_the_room(session: Session, tables: Sequence[str]) -> list[str]:
    """Tables ("A1") as `table_name` calls them."""
    sections = list(session.sections.values_list("name", flat=True))
    return [one if len(sections) > 1 else one.removeprefix(sections[0]) for one in tables]
