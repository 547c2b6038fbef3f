"""The scorer’s quick line: a paper slip by keyboard alone. Table, board, and what the slip says, in the order
of the game’s own fields; the page says what it understands while somebody types, and keeps what was typed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from engines import quick_lines, registry
from engines.contract import with_defaults
from engines.errors import BadSheet, EngineError
from scoring.rounding import in_units
from tournaments.models import Account, Play, Session, Submission, Table
from tournaments.services import board_sets, custody, desk_entries, disputes, games, play_states, states
from tournaments.services.errors import Conflict, Invalid, Refused
from tournaments.services.games import SheetPreview

from .. import history_words
from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..places import table_name
from ..players import mine
from ..sheet_words import SheetWords
from . import slip_words, undoing
from .moves import priced
from .seating import called
from .sheets import handed_in_by
from .slip_words import Names
from .wizard import language

PLACE = re.compile(r"([^\W\d_]{0,10})\s?([0-9]{1,5})")
BOARD = re.compile(r"([0-9]{1,5})([^\W\d_]?)")
LINE_LETTERS = 500
STATES = {
    **{"refused": _("refused"), "failed": _("not judged"), "pending": _("being judged")},
    "replaced": _("counts no longer"),
}
"""What has become of a slip, where it is not simply accepted."""
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
        begins = gettext("Begin with the table and the board: %(example)s.")
        raise Invalid("line", begins % {"example": slip_words.first_place(session)})
    rest = line.strip()[found.end() :].split(maxsplit=1)
    board = BOARD.fullmatch(rest[0]) if rest else None
    section = found[1] or session.sections.order_by("name").values_list("name", flat=True)[0]
    if board is None:
        example = slip_words.first_place(session, section, int(found[2]))
        if not example:
            raise Invalid("line", _no_table(session, section, int(found[2])))
        after = gettext("After the table comes the number of the board: %(example)s.")
        raise Invalid("line", after % {"example": example})
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
        is_there = Table.objects.filter(
            section__session=session, section__name__iexact=section, number=table
        ).exists()
        if not is_there:
            raise Invalid("line", _no_table(session, section, table))
        named = table_name(section, table, several=session.sections.count() > 1)
        message = gettext("Table %(table)s does not play board %(board)d.")
        raise Invalid("line", message % {"table": named, "board": board})
    return PaperSlip(play, letter, text)


def _no_table(session: Session, section: str, table: int) -> str:
    named = table_name(section, table, several=session.sections.count() > 1)
    return gettext("There is no table %(table)s.") % {"table": named}


def around(session: Session, play: Play) -> dict[str, Any]:
    """What the words of a line depend on, as `quick_lines` takes it."""
    game = registry.game(session.game)
    return {
        "seats": game.seat_count(session.conditions),
        "options": with_defaults(game.options, session.options),
        "known": game.conditions_of(play.board.number, session.conditions),
        "language": language(),
    }


def sheet_of(session: Session, slip: PaperSlip, names: Names) -> dict[str, Any]:
    """The sheet that a slip means, if the rules of the game allow it; Invalid says what is wrong, or what is
    lacking."""
    game, how = registry.game(session.game), around(session, slip.play)
    try:
        found = quick_lines.read(game, slip.text, **how)
    except BadSheet as error:
        raise Invalid("line", slip_words.wrong(game, error, names)) from error
    try:
        desk_entries.check(session, slip.play, found)
    except BadSheet as error:
        asked = quick_lines.asked_next(game, slip.text, **how)
        if asked is None:
            raise Invalid("line", slip_words.wrong(game, error, names)) from error
        facts = {"next": slip_words.next_of(game, asked, names, slip.text)[0]}
        raise Invalid("line", gettext("The line is not at its end. %(next)s") % facts) from error
    except EngineError as error:
        raise Invalid("line", error.phrase().to(language())) from error
    return found


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
    waiting = _waiting(one, several=several)
    asks_reason = bool(form.errors.get("reason")) or bool(request.POST.get("reason"))
    asks_reason = asks_reason or bool(asked and asked.get("wants_reason"))
    form.fields["reason"].required = asks_reason  # shown as what it is by now
    context = {
        **{"session": one, "form": form, "asked": asked, "asks_reason": asks_reason},
        "game": registry.game(one.game).name.to(language()),
        "order": slip_words.order_of_example(one),
        "example": slip_words.example(one, waiting[0].lines[0] if waiting else slip_words.first_place(one)),
        "rare": slip_words.rare(one),
        "names_seats": any(field.kind == "seat" for field in registry.game(one.game).fields),
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


def _held(request: HttpRequest) -> list[int]:
    """The players whose links this browser has used, or who are the account's own."""
    return [player.pk for player in mine.myself(request).players]


def _sees(request: HttpRequest, session: Session, account: Account, play: Play) -> bool:
    """Whether somebody may know what counts for a play: who plays in the session sees states alone."""
    seen = custody.seen_boards(session, account, {play.board_id}, _held(request))
    return seen is None or play.board_id in seen


def _enter(request: HttpRequest, session: Session, account: Account, form: LineForm) -> Any:
    """Enter what a line says; what the page asks first, where something else counts or its round is far off.
    `way` answers what `shown` was asked about, and nothing else: whoever has typed the next slip meanwhile
    has left the one before undecided, and is told so."""
    given = form.cleaned_data
    slip = read(session, account, given["line"])
    sheet = sheet_of(session, slip, _names(session, account, slip.play))
    board_sets.check_letter(session, slip.play.board.number, slip.letter)
    facts = _facts(slip.play)
    sees = _sees(request, session, account, slip.play)
    way = request.POST.get("way", "") if given["shown"] == slip.shown else ""
    same = desk_entries.same_as_counts(session, slip.play, sheet) if sees else None
    if given["shown"] and given["shown"].partition("-")[0] != str(slip.play.pk):
        _undecided(request, session, account, given["shown"])
    if same and is_own(account, slip.play):
        text = gettext("Table %(table)s, board %(board)d: you have entered this already, the same.")
        messages.info(request, text % facts)
        return None
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
    if not sees and way != "slip" and hasattr(slip.play, "result"):
        return _unseen(session, account, slip, sheet)
    if same is False and way != "slip":
        return _asked_of(request, session, account, slip, sheet, sees=sees)
    if same is False and not given["reason"].strip() and _opposing(slip.play):
        raise Invalid("no-reason", gettext("The sides of the table disagree: say why the slip counts."))
    if way not in {"slip", "ahead"} and (early := _early(session, slip.play)):
        early["others"] = _other_boards(session, account, slip.play)
        return {**facts, **early, "shown": slip.shown, "round": slip.play.round}
    stored = desk_entries.enter(
        session=session,
        play=slip.play,
        account=account,
        key=given["key"],
        sheet=sheet,
        reason=given["reason"],
        check_letter=slip.letter,
        sees=sees,
    )
    text = gettext("Table %(table)s, board %(board)d is entered.")
    undoing.said(request, text % facts, session, **undoing.way_back_to_result(slip.play, stored))
    return None


def is_own(account: Account, play: Play) -> bool:
    """Whether what counts was entered by the same person, who does not confirm it by typing it again."""
    role = play.result.submission.role
    return role is not None and role.account_id == account.pk and play.confirmation_id is None


def _early(session: Session, play: Play) -> dict[str, Any]:
    """What makes it doubtful that a play has been: its round is far off, or its table lacks results of
    rounds before; empty where nothing does. A board that something was handed in for is none of these."""
    if play.submissions.exists():
        return {}
    last = _last_round(session)
    if last + 1 < play.round:
        return {"last": last}
    before = Play.objects.filter(table=play.table_id, round__lt=play.round, result=None)
    lacking = before.exclude(submissions__in=Submission.objects.pending()).order_by("round", "board__number")
    first = lacking.select_related("board").first()
    return {} if first is None else {"lacking": first.board.number, "lacking_round": first.round}


def _other_boards(session: Session, account: Account, play: Play) -> str:
    """Where whoever runs the session writes down which boards the table of a play has played in place of the
    first that it lacks; "" for others."""
    if not Session.objects.directed_by(account).filter(pk=session.pk).exists():
        return ""
    lacking = Play.objects.filter(table=play.table_id, result=None).order_by("round")
    place = {"table": play.table_id, "round": lacking.values_list("round", flat=True)[0]}
    return f"{reverse('change-table', args=[session.pk])}?{urlencode(place)}"


def _last_round(session: Session) -> int:
    """The last round of which something has been handed in; 0 before the first."""
    handed_in = Submission.objects.filter(play__table__section__session=session)
    return handed_in.aggregate(last=Max("play__round"))["last"] or 0


def _names(session: Session, account: Account, play: Play) -> dict[int, str]:
    """Who sits where, by seat."""
    seats = dict(play.seatings.order_by("seat").values_list("seat", "contestant"))
    named = called(session, account, set(seats.values()), play.round)
    return {seat: named[contestant] for seat, contestant in seats.items()}


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
    """The comparison once more; without what counts, for whoever may not know it."""
    slip = read(session, account, line)
    sheet = sheet_of(session, slip, _names(session, account, slip.play))
    if not _sees(request, session, account, slip.play):
        return _unseen(session, account, slip, sheet) if hasattr(slip.play, "result") else None
    return _asked_of(request, session, account, slip, sheet, sees=True)


def _unseen(session: Session, account: Account, slip: PaperSlip, sheet: Mapping[str, Any]) -> dict[str, Any]:
    """That something counts already, for whoever plays here and is not to know what: whatever was typed."""
    content = {"sheet": dict(sheet)}
    wants_reason = desk_entries.wants_reason(session, slip.play, account, content, sees=False)
    return {**_facts(slip.play), "shown": slip.shown, "replaces": True, "wants_reason": wants_reason}


def _asked_of(
    request: HttpRequest,
    session: Session,
    account: Account,
    slip: PaperSlip,
    sheet: Mapping[str, Any],
    *,
    sees: bool,
) -> dict[str, Any]:
    return {**versions(request, session, account, slip.play, sheet, sees=sees), "shown": slip.shown}


def versions(
    request: HttpRequest,
    session: Session,
    account: Account,
    play: Play,
    sheet: Mapping[str, Any],
    *,
    sees: bool,
) -> dict[str, Any]:
    """What stands at a play, by whom, what another side of the table says, what the slip says, what each
    brings, and whom the slip would move."""
    submission, names = play.result.submission, _names(session, account, play)
    other = _opposing(play)
    said = [submission, *([other] if other else [])]
    told = [*(one.content.get("sheet") or {} for one in said), sheet]
    words = SheetWords(registry.game(session.game), language(), names)
    each = [dict(words.told(one, usual=True)) for one in told]
    telling = dict.fromkeys(label for one in told for label, _value in words.told(one))
    rows = [(label, [one.get(label, "–") for one in each]) for label in telling]
    brought = [_brought(session, play, one, names) for one in told]
    rows = [row for row in rows if set(row[1]) != {"–"}]
    if any(brought):
        rows.append((gettext("Marks"), [one or "–" for one in brought]))
    return {
        **_facts(play),
        "by": _said_by(submission, names),
        "other": other and _said_by(other, names),
        "rows": [(label, cells, len(set(cells)) == 1) for label, cells in rows],
        "priced": priced(session, account, play, sheet, _held(request)) if sees else None,
        "wants_reason": other is not None
        or desk_entries.wants_reason(session, play, account, {"sheet": sheet}, sees=sees),
    }


def _opposing(play: Play) -> Submission | None:
    """What another side of the table says that is not what counts, while nobody has settled it."""
    if not play_states.is_disputed(play.result.submission_id, play.disagreement_id):
        return None
    return play.submissions.filter(state=Submission.State.OPPOSED).order_by("-pk").first()


def _said_by(submission: Submission, names: Names) -> str:
    """By whom: of the table, whose phone it was, where that is known."""
    return names.get(submission.seat or 0) or handed_in_by(submission)


def _brought(session: Session, play: Play, sheet: Mapping[str, Any], names: Names) -> str:
    """What each contestant marks by a sheet; empty for none."""
    try:
        return _marks(session, _preview(session, play, sheet, names), names)
    except (EngineError, Refused):
        return ""


def _preview(session: Session, play: Play, sheet: Mapping[str, Any], names: Names) -> SheetPreview:
    game = registry.game(session.game)
    known = {option.name for option in game.conditions}  # not every game asks who deals
    conditions = {name: one for name, one in around(session, play)["known"].items() if name in known}
    return games.preview(
        game, sheet=sheet, options=session.options, conditions=conditions, names=[*names.values()]
    )


def _marks(session: Session, told: SheetPreview, names: Names) -> str:
    """What each contestant marks, partners once."""
    unit = registry.game(session.game).unit.divisor
    scores = {mark.seat: in_units(mark.score, unit) for mark in told.marks or ()}
    sides = registry.game(session.game).sides_of(session.conditions)
    return " · ".join(f"{names[side[0]]} {scores[side[0]]}" for side in sides if side[0] in scores)


def _entered(
    request: HttpRequest, session: Session, account: Account, *, several: bool
) -> list[dict[str, Any]]:
    """What this account has entered last, the newest first, and what became of it. Who plays in the
    session sees states alone, until a board is over."""
    own = Submission.objects.filter(play__table__section__session=session, role__account=account)
    rows = own.select_related("play__table__section", "play__board", "play__result", "role").order_by("-pk")
    shown = list(rows[:ENTERED_SHOWN])
    seen = custody.seen_boards(session, account, {one.play.board_id for one in shown}, _held(request))
    fields = registry.game(session.game).fields
    told_by_board = {one.name for one in fields if one.implied.startswith("known.")}
    found = []
    for one in shown:
        sheet = one.content.get("sheet") if seen is None or one.play.board_id in seen else None
        typed = {name: value for name, value in (sheet or {}).items() if name not in told_by_board}
        words = history_words.sheet_words(session, typed, language()) if typed else []
        refusal = disputes.refusal_shown(one, one.play.board.number) or {}
        state = disputes.state_shown(one)
        result = getattr(one.play, "result", None) if sheet is not None else None
        if state == Submission.State.ACCEPTED and result is not None and result.submission_id != one.pk:
            state = "replaced"
        found.append(
            {
                "play": one.play_id,
                "place": table_name(one.play.table.section.name, one.play.table.number, several=several),
                "board": one.play.board.number,
                "words": ", ".join(f"{label} {value}" for label, value in words) or _whole(one, sheet),
                "state": state,
                "called": STATES.get(state, _("accepted")),
                "refusal": refusal.get(language(), {}).get("message", ""),
            }
        )
    return found


def _whole(submission: Submission, sheet: Any) -> str:
    """What there is to say of a record that was handed in whole."""
    return gettext("card by card") if sheet is None and submission.content.get("actions") else ""


@dataclass(frozen=True, slots=True)
class Lacking:
    """A round with plays of which nothing has been entered that counts or is being judged, as a line about
    each begins, the first of them. `is_near`: it may be played by now."""

    number: int
    lines: Sequence[str]
    more: int
    is_near: bool


def _waiting(session: Session, *, several: bool) -> list[Lacking]:
    entered = set(
        Submission.objects.pending()
        .filter(play__table__section__session=session)
        .values_list("play", flat=True)
    )
    by_round: dict[int, list[str]] = {}
    for one in states.missing(session):
        if one["pk"] not in entered:
            line = f"{one['section'] if several else ''}{one['table']} {one['board']}"
            by_round.setdefault(one["round"], []).append(line)
    near = max(_last_round(session), min(by_round, default=0))
    return [
        Lacking(number, lines[:WAITING_SHOWN], max(len(lines) - WAITING_SHOWN, 0), number <= near)
        for number, lines in sorted(by_round.items())
    ]


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
    names = {seat: named[contestant] for seat, contestant in seats.items()}
    game = registry.game(one.game)
    answer: dict[str, Any] = {"who": slip_words.who(game, seats, named), "wrong": False, "whole": False}
    how = around(one, slip.play)
    try:
        sheet = quick_lines.read(game, slip.text, **how)
        asked = quick_lines.asked_next(game, slip.text, **how)
        is_lacking = asked is not None and (asked.must or not _is_whole(one, slip, sheet))
    except quick_lines.Unfinished as error:
        sheet, asked, is_lacking = {}, error.asked, True
    except BadSheet as error:
        return JsonResponse(answer | {"says": slip_words.wrong(game, error, names), "wrong": True})
    if asked is not None and is_lacking:
        says, choices = slip_words.next_of(game, asked, names, slip.text)
        order = slip_words.order_after(game, slip.text, how) if slip.text else ""
        return JsonResponse(answer | {"says": says, "choices": choices, "order": order})
    try:
        desk_entries.check(one, slip.play, sheet)
        told = _preview(one, slip.play, sheet, names)
    except BadSheet as error:
        return JsonResponse(answer | {"says": slip_words.wrong(game, error, names), "wrong": True})
    except (EngineError, Refused) as error:
        return JsonResponse(answer | {"says": str(error), "wrong": True})
    says = " ".join(filter(None, [told.sentence, _marks(one, told, names)]))
    return JsonResponse(answer | {"says": says, "whole": True})
