"""The scorer’s quick line: a paper slip by keyboard alone. Table, board, and what the slip says, in the order
of the game’s own fields; the page says what it understands while somebody types, and keeps what was typed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from engines import quick_lines, registry
from engines.contract import Game, with_defaults
from engines.errors import BadSheet, EngineError
from engines.forms import Field
from scoring.rounding import in_units
from tournaments.models import Account, Play, Session, Submission
from tournaments.services import custody, desk_entries, disputes, games, judging, states
from tournaments.services.errors import Conflict, Invalid, Refused

from .. import history_words
from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..players import mine
from .seating import called, table_name
from .sheets import handed_in_by
from .wizard import language

PLACE = re.compile(r"([^\W\d_]{0,10})\s?([0-9]{1,5})")
BOARD = re.compile(r"([0-9]{1,5})([^\W\d_]?)")
LINE_LETTERS = 500
ENTERED_SHOWN, WAITING_SHOWN = 12, 40


class LineForm(forms.Form):
    line = forms.CharField(
        label=_("The slip, in a line"),
        max_length=LINE_LETTERS,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false", "autofocus": True}
        ),
    )
    reason = forms.CharField(label=_("Why is it another result?"), max_length=2000, required=False)
    shown = forms.CharField(max_length=60, required=False, widget=forms.HiddenInput)
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, data: Any, *, line: str = "") -> None:
        super().__init__(data, initial={"line": line, "key": uuid4()}, auto_id="slip_%s")


@dataclass(frozen=True, slots=True)
class PaperSlip:
    """A line as it was understood. `letter`: of the board, as the slip has it."""

    play: Play
    letter: str
    text: str

    @property
    def shown(self) -> str:
        """Which question about it a page has asked: an answer to another one is none."""
        result = getattr(self.play, "result", None)
        return f"{self.play.pk}-{result.submission_id if result else 0}"


def split(session: Session, line: str) -> tuple[str, int, int, str, str]:
    """Section, table, board, letter and the rest of a line: “A3 7H prendre 1 5-2-2”. Invalid names what is
    missing."""
    found = PLACE.match(line.strip())
    if found is None:
        raise Invalid("line", gettext("Begin with the table and the board: 3 7."))
    rest = line.strip()[found.end() :].split(maxsplit=1)
    board = BOARD.fullmatch(rest[0]) if rest else None
    if board is None:
        raise Invalid("line", gettext("After the table comes the number of the board: 3 7."))
    section = found[1] or session.sections.order_by("name").values_list("name", flat=True)[0]
    return section, int(found[2]), int(board[1]), board[2], rest[1] if len(rest) > 1 else ""


def read(session: Session, account: Account, line: str) -> PaperSlip:
    """The play that a line is about, and the rest of it. Invalid where the account enters no such play."""
    section, table, board, letter, text = split(session, line)
    plays = Play.objects.filter(
        table__section__session=session,
        table__section__name__iexact=section,
        table__number=table,
        board__number=board,
    ).select_related("table__section__session", "board", "result__submission")
    play = plays.first()
    if play is None or not desk_entries.may_enter(account, play):
        message = gettext("Table %(section)s%(table)d does not play board %(board)d.")
        raise Invalid("line", message % {"section": section, "table": table, "board": board})
    return PaperSlip(play, letter, text)


def around(session: Session, play: Play) -> dict[str, Any]:
    """What the words of a line depend on, as `quick_lines` takes it."""
    game = registry.game(session.game)
    conditions = {**session.conditions, "dealer": judging.dealer_of(session, play.board.number)}
    return {
        "seats": game.seat_count(session.conditions),
        "options": with_defaults(game.options, session.options),
        "known": conditions,
    }


def sheet_of(session: Session, slip: PaperSlip) -> dict[str, Any]:
    """The sheet that a slip means, if the rules of the game allow it; Invalid says what is wrong."""
    game = registry.game(session.game)
    try:
        found = quick_lines.read(game, slip.text, **around(session, slip.play))
        desk_entries.check(session, slip.play, found)
    except BadSheet as error:
        raise Invalid("line", _wrong(game, error)) from error
    except EngineError as error:
        raise Invalid("line", error.phrase().to(language())) from error
    return found


def _wrong(game: Game[Any], error: BadSheet) -> str:
    words = error.constraint.to(language())
    name = re.split(r"[\d.\[]", error.field)[0]
    field = next((one for one in game.fields if one.name == name), None)
    if field is None:
        return words[:1].upper() + words[1:]
    return gettext("%(field)s: %(why)s") % {"field": _label(field), "why": words}


def _order_after(game: Game[Any], text: str, how: Mapping[str, Any]) -> str:
    """What stands in a line that begins so, as the game asks it: what depends on the rest says so."""
    asks = {name: step.ask for step in game.form.steps if step.ask for name in step.fields}
    words = []
    for field, is_asked in quick_lines.order_after(game, text, **how):
        if is_asked:
            words.append(_label(field))
        else:
            asked = asks[field.name].to(language()) if field.name in asks else _label(field)
            words.append(gettext("%(field)s (if there are any)") % {"field": asked[:1].upper() + asked[1:]})
    return " · ".join(words)


def _label(field: Field) -> str:
    text = field.label.to(language())
    return text[:1].upper() + text[1:]


# ── The page ──────────────────────────────────────────────────────────────────────────────────────


@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    """For those who enter results of the session: one line a slip."""
    one, account = entered_session(request, session), account_of(request)
    form = LineForm(request.POST or None, line=request.GET.get("line", ""))
    status, asked = 200, None
    if request.method == "POST" and request.POST.get("line", "").strip():
        status = 400
        if form.is_valid():
            try:
                asked = _enter(request, one, account, form)
            except Refused as error:
                form.add_error("reason" if error.code == "no-reason" else "line", str(error))
                status = 409 if isinstance(error, Conflict) else 400
                if error.code == "no-reason" and request.POST.get("way") == "slip":
                    asked = _compared(request, one, account, form.cleaned_data["line"])
            else:
                if asked is None:
                    return redirect("desk-slips", session=one.pk)
                status = 409
    elif request.method == "POST":  # Enter once more, after a slip
        return redirect("desk-slips", session=one.pk)
    sections = list(one.sections.order_by("name").values_list("name", flat=True))
    several = len(sections) > 1
    waiting = _waiting(one, account, several=several)
    asks_reason = bool(form.errors.get("reason")) or bool(request.POST.get("reason"))
    form.fields["reason"].required = asks_reason  # shown as what it is by now
    context = {
        **{"session": one, "form": form, "asked": asked, "asks_reason": asks_reason},
        "order": [_label(field) for field in quick_lines.order_of(registry.game(one.game))],
        "example": _example(one, waiting[0] if waiting else f"{sections[0] if several else ''}3 7"),
        "rare": _rare(registry.game(one.game)),
        "entered": _entered(request, one, account, several=several),
        "waiting": waiting,
    }
    return render_at(one.tournament.club, request, "desk/slips.html", context, status)


def entered_session(request: HttpRequest, pk: int) -> Session:
    """The session, for those who enter results of a section of it."""
    account = account_of(request)
    own = Session.objects.staffed_by(account).select_related("tournament__club", "board_set", "tally")
    one = get_object_or_404(own, pk=pk)
    play = Play.objects.filter(table__section__session=one).select_related("table").first()
    if play is None or not desk_entries.may_enter(account, play):
        raise Http404
    return one


def _sees(request: HttpRequest, session: Session, account: Account, play: Play) -> bool:
    """Whether somebody may know what counts for a play: who plays in the session sees states alone."""
    held = [player.pk for player in mine.myself(request).players]
    seen = custody.seen_boards(session, account, {play.board_id}, held)
    return seen is None or play.board_id in seen


def _enter(request: HttpRequest, session: Session, account: Account, form: LineForm) -> Any:
    """Enter what a line says; what the page asks first, where something else counts or its round is far off.
    `way` answers what `shown` was asked about, and nothing else: whoever has typed the next slip meanwhile
    has left the one before undecided, and is told so."""
    given = form.cleaned_data
    slip = read(session, account, given["line"])
    sheet = sheet_of(session, slip)
    facts = _facts(slip.play)
    sees = _sees(request, session, account, slip.play)
    way = request.POST.get("way", "") if given["shown"] == slip.shown else ""
    same = desk_entries.same_as_counts(session, slip.play, sheet) if sees else None
    if given["shown"] and given["shown"].partition("-")[0] != str(slip.play.pk):
        _undecided(request, session, account, given["shown"])
    if same or (same is False and way == "keep"):
        result = slip.play.result
        desk_entries.confirm(
            session=session, play=slip.play, account=account, submission=result.submission_id
        )
        text = gettext("Table %(table)s, board %(board)d: the slip says the same. It is confirmed.")
        if not same:
            text = gettext("Table %(table)s, board %(board)d: what stood there is confirmed.")
        messages.success(request, text % facts)
        return None
    if same is False and way != "slip":
        return _versions(session, slip, sheet)
    if way not in {"slip", "ahead"} and (last := _last_round(session)) + 1 < slip.play.round:
        return {**facts, "shown": slip.shown, "round": slip.play.round, "last": last}
    desk_entries.enter(
        session=session,
        play=slip.play,
        account=account,
        key=given["key"],
        sheet=sheet,
        reason=given["reason"],
        check_letter=slip.letter,
        sees=sees,
    )
    messages.success(request, gettext("Table %(table)s, board %(board)d is entered.") % facts)
    return None


def _last_round(session: Session) -> int:
    """The last round of which something has been handed in; 0 before the first."""
    handed_in = Submission.objects.filter(play__table__section__session=session)
    return handed_in.aggregate(last=Max("play__round"))["last"] or 0


def _undecided(request: HttpRequest, session: Session, account: Account, shown: str) -> None:
    """Say which slip was left when the next one was typed."""
    pk = shown.partition("-")[0]
    own = Play.objects.filter(table__section__session=session).select_related("table__section", "board")
    play = own.filter(pk=pk).first() if pk.isdecimal() else None
    if play is not None and desk_entries.may_enter(account, play):
        text = gettext("Table %(table)s, board %(board)d has not been decided: its slip was not entered.")
        messages.warning(request, text % _facts(play))


def _facts(play: Play) -> dict[str, Any]:
    section = play.table.section
    several = section.session.sections.count() > 1
    return {"table": table_name(section.name, play.table.number, several=several), "board": play.board.number}


def _compared(request: HttpRequest, session: Session, account: Account, line: str) -> dict[str, Any] | None:
    """The comparison once more, for those who may know what counts."""
    slip = read(session, account, line)
    if not _sees(request, session, account, slip.play):
        return None
    return _versions(session, slip, sheet_of(session, slip))


def _versions(session: Session, slip: PaperSlip, sheet: Mapping[str, Any]) -> dict[str, Any]:
    """What stands there, by whom, and what the slip says."""
    submission = slip.play.result.submission
    known = submission.content.get("sheet") or {}
    pairs = [dict(history_words.sheet_words(session, one, language())) for one in (known, sheet)]
    return {
        **_facts(slip.play),
        "shown": slip.shown,
        "by": handed_in_by(submission),
        "rows": [
            (label, pairs[0].get(label, "–"), pairs[1].get(label, "–"))
            for label in dict.fromkeys([*pairs[0], *pairs[1]])
        ],
    }


def _example(session: Session, place: str) -> str:
    """A line about this table and board, for as many as play at a table."""
    game = registry.game(session.game)
    how: dict[str, Any] = {
        "seats": game.seat_count(session.conditions),
        "options": with_defaults(game.options, session.options),
        "known": session.conditions,
    }
    sheet = dict(game.form.example)
    for field in game.fields:
        values = sheet.get(field.name)
        if field.per_seat and isinstance(values, list) and 1 < len(values) < how["seats"]:
            sheet[field.name] = [*values, *values[1:] * how["seats"]][: how["seats"]]
    try:
        written = quick_lines.write(game, sheet, **how)
    except (KeyError, TypeError, ValueError):  # an example of other seats than these
        written = ""
    return f"{place} {written}".strip()


def _rare(game: Game[Any]) -> list[tuple[str, str]]:
    """What is named in a line: rare ends by their words, rare fields by their names."""
    plain = {field.name for field in quick_lines.order_of(game)}
    doors = [
        (one.label.to(language()).partition(" ")[0], one.label.to(language())) for one in game.form.other
    ]
    fields = [(f"{one.name}=", _label(one)) for one in game.fields if one.name not in plain]
    return [*doors, *fields]


def _entered(
    request: HttpRequest, session: Session, account: Account, *, several: bool
) -> list[dict[str, Any]]:
    """What this account has entered last, the newest first, and what became of it. Who plays in the
    session sees states alone, until a board is over."""
    own = Submission.objects.filter(play__table__section__session=session, role__account=account)
    rows = own.select_related("play__table__section", "play__board", "role").order_by("-pk")
    shown = list(rows[:ENTERED_SHOWN])
    held = [player.pk for player in mine.myself(request).players]
    seen = custody.seen_boards(session, account, {one.play.board_id for one in shown}, held)
    found = []
    for one in shown:
        sheet = one.content.get("sheet") if seen is None or one.play.board_id in seen else None
        words = history_words.sheet_words(session, sheet, language()) if isinstance(sheet, dict) else []
        refusal = disputes.refusal_shown(one, one.play.board.number) or {}
        found.append(
            {
                "play": one.play_id,
                "place": table_name(one.play.table.section.name, one.play.table.number, several=several),
                "board": one.play.board.number,
                "words": ", ".join(f"{label} {value}" for label, value in words) or _whole(one, sheet),
                "state": disputes.state_shown(one),
                "refusal": refusal.get(language(), {}).get("message", ""),
            }
        )
    return found


def _whole(submission: Submission, sheet: Any) -> str:
    """What there is to say of a record that was handed in whole."""
    return gettext("card by card") if sheet is None and submission.content.get("actions") else ""


def _waiting(session: Session, account: Account, *, several: bool) -> list[str]:
    """Plays of which nothing has been entered that counts or is being judged, of the first round that lacks
    any, as a line about them begins."""
    entered = set(
        Submission.objects.pending()
        .filter(play__table__section__session=session)
        .values_list("play", flat=True)
    )
    rows = [one for one in states.missing(session) if one["pk"] not in entered]
    first = {one["round"] for one in rows[:1]}
    return [
        f"{one['section'] if several else ''}{one['table']} {one['board']}"
        for one in rows
        if one["round"] in first
    ][:WAITING_SHOWN]


def _who(game: Game[Any], seats: Mapping[int, int], named: Mapping[int, str]) -> str:
    """Who sits where: “1 Ana, 2 Bob”; partners together, as the slip calls their side where it does."""
    own: dict[int, list[str]] = {}
    for seat, contestant in seats.items():
        own.setdefault(contestant, []).append(str(seat))
    is_by_side = any(one.per_side for field in game.fields for one in (field, *field.of))
    calls = [gettext("NS"), gettext("EW")] if is_by_side and len(own) == 2 else [""] * len(own)
    return ", ".join(
        f"{side} {'+'.join(some)} {named[contestant]}".strip()
        for side, (contestant, some) in zip(calls, own.items(), strict=True)
    )


def _is_whole(session: Session, slip: PaperSlip, sheet: dict[str, Any]) -> bool:
    try:
        desk_entries.check(session, slip.play, sheet)
    except EngineError:
        return False
    return True


# ── While somebody types ──────────────────────────────────────────────────────────────────────────


@require_safe
@signed_in
def hint(request: HttpRequest, session: int) -> HttpResponse:
    """What a line says so far, as JSON: who sits there, what comes next, and, once it is whole, what happened
    and what each marks. No deal is asked."""
    one, account = entered_session(request, session), account_of(request)
    line = request.GET.get("line", "")[:LINE_LETTERS]
    try:
        slip = read(one, account, line)
    except Invalid as error:
        return JsonResponse({"says": str(error), "wrong": False, "whole": False})
    seats = dict(slip.play.seatings.order_by("seat").values_list("seat", "contestant"))
    named = called(one, account, set(seats.values()), slip.play.round)
    names = [named[contestant] for contestant in seats.values()]
    game = registry.game(one.game)
    who = _who(game, seats, named)
    how = around(one, slip.play)
    try:
        sheet = quick_lines.read(game, slip.text, **how)
    except BadSheet as error:
        return JsonResponse({"says": _wrong(game, error), "who": who, "wrong": True, "whole": False})
    asked = quick_lines.asked_next(game, slip.text, **how)
    if asked is not None and (asked.must or not _is_whole(one, slip, sheet)):
        words = game.names if asked.field.kind == "choice" else {}  # a seat is its number
        choices = [words[one].to(language()) if one in words else one for one in asked.choices]
        says = gettext("Next: %(field)s") % {"field": _label(asked.field)}
        answer = {"says": says, "choices": choices, "who": who, "wrong": False, "whole": False}
        return JsonResponse(answer | {"order": _order_after(game, slip.text, how) if slip.text else ""})
    try:
        desk_entries.check(one, slip.play, sheet)
        known = {option.name for option in game.conditions}  # not every game asks who deals
        conditions = {name: value for name, value in how["known"].items() if name in known}
        told = games.preview(game, sheet=sheet, options=one.options, conditions=conditions, names=names)
    except BadSheet as error:
        return JsonResponse({"says": _wrong(game, error), "who": who, "wrong": True, "whole": False})
    except (EngineError, Refused) as error:
        return JsonResponse({"says": str(error), "who": who, "wrong": True, "whole": False})
    marks = [f"{names[mark.seat - 1]} {in_units(mark.score, game.unit.divisor)}" for mark in told.marks or ()]
    says = " ".join(filter(None, [told.sentence, " · ".join(marks)]))
    return JsonResponse({"says": says, "who": who, "wrong": False, "whole": True})
