"""A board at a table, for the officials of a session: what was handed in, what came of it, its correction and
a ruling on it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engines import registry
from engines.contract import Game
from scoring.rounding import in_units
from tournaments.models import Account, Play, Ruling, Session, SessionList, Submission
from tournaments.services import (
    custody,
    desk_entries,
    differences,
    disputes,
    flags,
    grid,
    lists,
    names,
    own_plays,
    ruling_words,
    rulings,
    slip_photos,
)
from tournaments.services.errors import Conflict, Refused

from .. import history_words, presentation
from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..players import mine
from . import undoing
from .grid import WORDS
from .sheets import SheetForm, handed_in_by
from .wizard import language

MOVES_SHOWN = 20
SETTLED_BY_KEEPING = {"contradicted", "fouled", "sides"}  # flags
SCORE = re.compile(r"([+−-]?)\s*(\d{1,9}(?:[.,]\d{1,3})?|\d{1,8}\s?[½¼¾]|[½¼¾])")
PARTS = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4)}
ARTIFICIAL = {
    "plus": {"kind": "artificial", "percent": "60", "own": "if better"},
    "average": {"kind": "artificial", "percent": "50"},
    "minus": {"kind": "artificial", "percent": "40", "own": "if worse"},
}


def score_of(text: str, unit: int) -> int | None:
    """A score as players write it, in the game's smallest unit; None where it is none.

    >>> score_of("−1½", 2), score_of("+14", 1), score_of("0,5", 2), score_of("½", 1), score_of("x", 1)
    (-3, 14, 1, None, None)
    """
    found = SCORE.fullmatch(text.strip())
    if found is None:
        return None
    sign, figures = found.groups()
    whole = figures.rstrip("½¼¾ ").replace(",", ".")
    value = Fraction(whole or 0) + PARTS.get(figures[-1], Fraction(0))
    units = value * unit
    if units.denominator > 1:
        return None
    return int(units) if sign in {"", "+"} else -int(units)


class ReversalForm(forms.Form):
    ruling = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    reason = forms.CharField(label=_("Why?"), max_length=2000)


class RulingForm(forms.Form):
    """What counts for each side in place of its score, with the reason."""

    reason = forms.CharField(
        label=_("Why?"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("For those concerned: they read it beside the result."),
    )

    def __init__(self, data: Any, *, session: Session, sides: Sequence[tuple[str, Sequence[int]]]) -> None:
        super().__init__(data)
        self.session, self.sides = session, sides
        self.unit = registry.game(session.game).unit.divisor
        kinds = [
            ("", gettext("as played")),
            ("plus", gettext("average plus (60 %, or more if that is better)")),
            ("average", gettext("average (50 %)")),
            ("minus", gettext("average minus (40 %, or less if that is worse)")),
            ("assigned", gettext("this score")),
            ("annulled", gettext("annulled: counts for nobody")),
            ("not-played", gettext("not played")),
        ]
        own: dict[str, forms.Field] = {}
        for number, (name, _seats) in enumerate(sides):
            own[f"kind_{number}"] = forms.ChoiceField(label=name, choices=kinds, required=False)
            own[f"score_{number}"] = forms.CharField(
                label=gettext("Score of %(name)s") % {"name": name}, required=False, max_length=20
            )
        self.fields = {**own, "reason": self.fields["reason"]}

    @property
    def rows(self) -> list[tuple[Any, Any]]:
        return [(self[f"kind_{number}"], self[f"score_{number}"]) for number in range(len(self.sides))]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        self.decisions: list[dict[str, Any]] = []
        count = registry.game(self.session.game).seat_count(self.session.conditions)
        for number, (_name, seats) in enumerate(self.sides):
            kind = given.get(f"kind_{number}", "")
            if kind == "assigned":
                score = score_of(given.get(f"score_{number}", ""), self.unit)
                if score is None:
                    self.add_error(f"score_{number}", gettext("This is not a score of the game."))
                    continue
                decision: dict[str, Any] = {"kind": "assigned", "outcomes": [{"scores": [score] * count}]}
            elif kind:
                decision = dict(ARTIFICIAL.get(kind, {"kind": kind}))
            else:
                continue
            self.decisions.append({**decision, "seats": list(seats)})
        if not self.decisions and not self.errors:
            self.add_error(None, gettext("Say for whom something else is to count."))
        return given


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What was handed in for a play: by whom, what became of it, and what it says."""

    submission: Submission
    who: str
    state: str
    refusal: str
    clause: str | None
    fields: Sequence[tuple[str, str]]


@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int, play: int) -> HttpResponse:
    """For all who have a role at the session: states for everybody, results for those who may know them, and
    forms for those who run it."""
    account = account_of(request)
    own = Session.objects.staffed_by(account).select_related("tournament__club", "board_set")
    one = get_object_or_404(own, pk=session)
    plays = Play.objects.select_related("table__section__session", "board", "result__submission")
    # Asked before the result is read: what is judged in between is shown when the page loads itself again.
    is_pending = Submission.objects.pending().filter(play=play).exists()
    the_play = get_object_or_404(plays.filter(table__section__session=one), pk=play)
    rows = flags.watched(one)
    held = [player.pk for player in mine.myself(request).players]
    sight = flags.sight_of(one, account, rows, held)
    watched = next((row for row in rows if row.play == play), None)
    if watched is None:
        raise Http404  # planned again meanwhile
    sees = sight.sees(watched)
    game = registry.game(one.game)
    seated = dict(the_play.seatings.order_by("seat").values_list("seat", "contestant"))
    named = names.of_contestants(set(seated.values()), names.reader_for(account))
    sides = [
        (named[seated[side[0]]].name, tuple(side))
        for side in game.sides_of(one.conditions)
        if side[0] in seated
    ]
    form = RulingForm(None, session=one, sides=sides) if sight.directs and sees else None
    reversal = ReversalForm(None)
    refusal, status = "", 200
    looked: list[MovesInList] | None = None
    known = _sheet(the_play) if sees else {}
    sheet = SheetForm(None, session=one, play=the_play, known=known) if _enters(account, the_play) else None
    if request.method == "POST":
        way = request.POST.get("way", "enter")
        needed = {"enter": sheet, "keep": sheet if sees else None}.get(way, form)
        if needed is None:
            raise Http404
        try:
            if way == "keep":
                _keep(request, one, the_play, account, directs=sight.directs)
                return redirect("desk-play", session=one.pk, play=play)
            if way == "enter":
                sheet = SheetForm(request.POST, session=one, play=the_play, known=known)
                if sheet.is_valid():
                    desk_entries.enter(
                        session=one,
                        play=the_play,
                        account=account,
                        key=sheet.cleaned_data["key"],
                        sheet=sheet.sheet,
                        reason=sheet.cleaned_data.get("reason", ""),
                        sees=sees,
                    )
                    messages.success(request, gettext("The result is handed in, and judged in a moment."))
                    return redirect("desk-play", session=one.pk, play=play)
                status = 400
            elif way == "reverse":
                reversal = ReversalForm(request.POST)
                if reversal.is_valid():
                    ruling = rulings.with_id(one, reversal.cleaned_data["ruling"])
                    rulings.reverse(ruling=ruling, actor=account, text=reversal.cleaned_data["reason"])
                    messages.success(request, gettext("The ruling is reversed."))
                    return redirect("desk-play", session=one.pk, play=play)
            else:
                form = RulingForm(request.POST, session=one, sides=sides)
                if form.is_valid():
                    place = rulings.PlayPlace(
                        the_play.table.section.name, the_play.table.number, the_play.board.number
                    )
                    plan = rulings.on_play(session=one, place=place, decisions=form.decisions)
                    if way == "rule":
                        made = rulings.rule(plan, actor=account, text=form.cleaned_data["reason"])
                        said = gettext("The ruling counts from now on.")
                        undoing.said(request, said, one, "ruling", ruling=made.pk)
                        return redirect("desk-play", session=one.pk, play=play)
                    looked = looked_at(rulings.look(plan, sight.boards), account)
                else:
                    status = 400
        except Refused as error:
            if error.code == "no-reason" and way == "enter" and sheet is not None:
                sheet.add_error("reason", str(error))
            else:
                refusal = str(error)
            status = 409 if isinstance(error, Conflict) else 400
    before, after = _neighbours(rows, watched)
    listed = flags.of(one, account, rows=rows, sight=sight)
    late = {row.play for row in flags.missing(one, rows)}
    state = grid.state_of(watched, is_late=play in late, tells_disputes=sees and sight.directs)
    open_kinds = {flag.kind for flag in listed if flag.play == play} & SETTLED_BY_KEEPING
    told = presentation.facts(game, the_play.result.facts, language()) if _result(the_play, sees) else []
    context = {
        **{"session": one, "play": the_play, "state": str(state), "word": WORDS[state], "sees": sees},
        "sides": [
            (*_side(game, the_play, name, side, sees=sees), [fact for fact in told if fact["seat"] in side])
            for name, side in sides
        ],
        "facts": [fact for fact in told if not fact["seat"]],
        "photos": slip_photos.seen_by(one, account, held).filter(play=play) if sees else [],
        "handed_in": _handed_in(one, the_play, directs=sight.directs) if sees else [],
        "flags": [flag.reason for flag in listed if flag.play == play],
        "plays_here": not sees and custody.plays_here(account, one, held),
        "may_keep": sheet is not None
        and sees
        and bool(open_kinds)
        and not own_plays.sat_at(account, one, [play]),
        "rulings": _rulings(one, play) if sees else [],
        "sheet": sheet,
        "directs": sight.directs,
        **{"before": before, "after": after, "next_wanted": _next_wanted(rows, watched)},
        "is_pending": is_pending,
        **{"form": form, "reversal": reversal, "looked": looked, "refusal": refusal},
        "several": one.sections.count() > 1,
    }
    return render_at(one.tournament.club, request, "desk/play.html", context, status)


def _keep(request: HttpRequest, session: Session, play: Play, account: Account, *, directs: bool) -> None:
    """The result that the page showed stands, whatever speaks against it."""
    text = request.POST.get("submission", "")
    shown = int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0
    settle = desk_entries.keep if directs else desk_entries.confirm
    settle(session=session, play=play, account=account, submission=shown)
    messages.success(request, gettext("The result is kept: it is settled."))


def _neighbours(
    rows: Sequence[flags.WatchedPlay], one: flags.WatchedPlay
) -> tuple[flags.WatchedPlay | None, flags.WatchedPlay | None]:
    """The boards before and after this one, table by table within its round."""
    around = _in_order(rows, one.round)
    at = around.index(one)
    return (around[at - 1] if at else None), (around[at + 1] if at + 1 < len(around) else None)


def _next_wanted(rows: Sequence[flags.WatchedPlay], one: flags.WatchedPlay) -> flags.WatchedPlay | None:
    """The next board of the round of which nothing has been entered, after this one and then from the
    beginning."""
    around = _in_order(rows, one.round)
    at = around.index(one)
    return next((other for other in around[at + 1 :] + around[:at] if other.submission is None), None)


def _in_order(rows: Sequence[flags.WatchedPlay], number: int) -> list[flags.WatchedPlay]:
    own = [row for row in rows if row.round == number]
    return sorted(own, key=lambda row: (row.section, row.table, row.board))


def _enters(account: Account, play: Play) -> bool:
    return play.table.section.session.state not in (Session.State.DRAFT, Session.State.CANCELLED) and (
        desk_entries.may_enter(account, play)
    )


def _sheet(play: Play) -> dict[str, Any]:
    """What the result of a play says, to be corrected; empty where there is none, or a record."""
    found = play.result.submission.content.get("sheet") if hasattr(play, "result") else None
    return found if isinstance(found, dict) else {}


def _result(play: Play, sees: bool) -> bool:
    return sees and hasattr(play, "result")


def _side(
    game: Game[Any], play: Play, name: str, seats: Sequence[int], *, sees: bool
) -> tuple[str, str, str]:
    """A side's seats, who sits there, and its score."""
    score = ""
    if _result(play, sees):
        score = in_units(play.result.scores[seats[0] - 1], game.unit.divisor)
    return " + ".join(map(str, seats)), name, score


def _handed_in(session: Session, play: Play, *, directs: bool) -> list[HandedIn]:
    """The newest first. What follows from the deal is for those alone who direct the session."""
    rows = play.submissions.select_related("role__account", "table__section", "remark").order_by("-pk")[:20]
    found = []
    for one in rows:
        refusals = one.refusal if directs else disputes.refusal_shown(one, play.board.number)
        refusal = (refusals or {}).get(language(), {})
        sheet = one.content.get("sheet")
        found.append(
            HandedIn(
                one,
                handed_in_by(one),
                one.state if directs else disputes.state_shown(one),
                refusal.get("message", ""),
                refusal.get("clause"),
                history_words.sheet_words(session, sheet, language()) if isinstance(sheet, dict) else [],
            )
        )
    return found


def _rulings(session: Session, play: int) -> list[tuple[Ruling, str]]:
    made = rulings.of(session).filter(parts__play=play).order_by("-pk")
    return [(one, ruling_words.of_ruling(session, one)) for one in made]


class MovesInList(NamedTuple):
    """Who would move in a list, the first of them; `more`: how many others. `name`: empty for the ranking."""

    name: str
    moves: Sequence[dict[str, Any]]
    more: int


def looked_at(look: rulings.RulingLook, account: Account) -> list[MovesInList]:
    """Whom a ruling would move: in the ranking, and in each further list in which it moves anybody."""
    both = [("", moves_of(look.moves, account))]
    both += [
        (one.the_list.name, moves_of(one.moves, account, one.the_list)) for one in look.lists if one.moves
    ]
    return [MovesInList(name, moves[:MOVES_SHOWN], max(len(moves) - MOVES_SHOWN, 0)) for name, moves in both]


def moves_of(
    found: Sequence[differences.Move], account: Account, of: SessionList | None = None
) -> list[dict[str, Any]]:
    """Who would move in the ranking, or `of` a list, and how, the first of them first."""
    shown, reader = found[: MOVES_SHOWN + 1], names.reader_for(account)
    whom = {one.contestant for one in shown}
    named = names.of_contestants(whom, reader) if of is None else lists.named(of, whom, reader)
    return [_move(one, named) for one in shown] + [{}] * (len(found) - len(shown))


def _move(one: differences.Move, named: Mapping[int, names.Named]) -> dict[str, Any]:
    change = 0 if None in (one.before.rank, one.after.rank) else one.before.rank - one.after.rank  # type: ignore[operator]
    return {
        "name": named[one.contestant].name,
        "before": one.before,
        "after": one.after,
        "change": change,
    }
