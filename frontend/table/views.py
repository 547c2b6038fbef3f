"""The page of a table, which its code alone opens, and what its phones send: each view asks a service, and
shows the answer. No cookie counts here, so there is nothing that another site could forge."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from time import monotonic
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe
from rest_framework.exceptions import APIException

from engines.errors import BadField, EngineError
from tournaments import versioned
from tournaments.api.parsers import value_of
from tournaments.limits import address_of, limiter
from tournaments.models import Call, LateEntry, Session, Table, TableLink
from tournaments.services import (
    calls,
    confirmations,
    own_table,
    play_drafts,
    rounds,
    rulings,
    shuffling,
    submissions,
    table_links,
    table_news,
)
from tournaments.services.deliveries import Stored
from tournaments.services.errors import Conflict, Forbidden, Invalid, Missing, Refused
from tournaments.services.games import language
from tournaments.services.play_states import PlayState

from ..accounts.views import forms_and_pages
from ..clocks import render_at
from ..desk.sheets import SheetForm
from ..presentation import game_name
from . import showing
from .forms import CorrectionForm, SeatsForm

View = Callable[..., HttpResponse]
PAD_PARTS = [
    f"frontend/lib/{name}.js"
    for name in ("card-pad", "elements", "outbox", "pad-costumes", "pad-entries", "pad-melds", "pad-rummy")
]
LETTERS = 100_000  # of what a phone sends at once
ENTRIES, ENTRY_LETTERS = 600, 700  # of a play that is taken down: at most so many, of so many letters


# ── The code ──────────────────────────────────────────────────────────────────────────────────────


def by_code(view: View) -> View:
    """The view of a link, by the code in its address: any other code is not found, and counted. Nobody keeps
    what it answers, nor tells other sites the address."""

    @csrf_exempt
    @wraps(view)
    def answer(request: HttpRequest, code: str, **named: Any) -> HttpResponse:
        link = table_links.with_code(code)
        if link is None:
            tries = limiter.count("failed", address_of(request.META))
            status = 404 if tries.is_allowed else 429
            return render(request, "table/no_table.html", {"tries": not tries.is_allowed}, status=status)
        response = view(request, link, **named)
        response["Cache-Control"] = "no-store"
        response["X-Robots-Tag"] = "noindex"
        return response

    return answer


@require_safe
def start(request: HttpRequest, code: str) -> HttpResponse:
    """The address on a card, in anyone’s language."""
    return redirect("table-page", code=code)


@require_safe
def typed(request: HttpRequest) -> HttpResponse:
    """Where somebody types the code of their card."""
    if code := table_links.read(request.GET.get("code", "")):
        return redirect("table-page", code=code)
    return render(request, "table/typed.html")


# ── What the phone shows ──────────────────────────────────────────────────────────────────────────


@gzip_page
@require_safe
@by_code
def page(request: HttpRequest, link: TableLink) -> HttpResponse:
    """The table as it is now. It goes on without a script: the forms are pages of their own."""
    context = _shown(link)
    session = link.table.section.session
    if context["table"] is not None and context["table"].now is not None:
        context["form"] = showing.form(session)
    return render_at(session.tournament.club, request, "table/page.html", context)


@gzip_page
@require_safe
@by_code
def now(request: HttpRequest, link: TableLink) -> HttpResponse:
    """The part of the page that changes, for its script. A hall asks for it at once, and three phones of a
    table for the same: it is made once, for as long as nothing that it shows has changed."""
    if not table_links.is_in_force(link):
        return _hall(request, link)
    key, stamp = (link.pk, language()), table_news.stamp_of(link.table)
    kept = _halls.pop(key, None)
    if kept is None or kept.stamp != stamp or kept.made_at < monotonic() - HALL_SECONDS:
        kept = KeptHall(stamp, monotonic(), bytes(_hall(request, link).content))
    _halls[key] = kept
    while len(_halls) > HALLS:
        _halls.pop(next(iter(_halls)), None)
    return HttpResponse(kept.body)


class KeptHall(NamedTuple):
    """The part of a table's page that changes, as it was made. `stamp`: what it stood on."""

    stamp: str
    made_at: float
    body: bytes


HALLS, HALL_SECONDS = 1_500, 30.0
_halls: dict[
    tuple[int, str], KeptHall
] = {}  # by link and language, the one that was asked for last at the end


def _hall(request: HttpRequest, link: TableLink) -> HttpResponse:
    return render_at(link.table.section.session.tournament.club, request, "table/hall.html", _shown(link))


def _shown(link: TableLink) -> dict[str, Any]:
    code = table_links.code_of(link)
    session = link.table.section.session
    context: dict[str, Any] = {
        **{"link": link, "code": code, "session": session, "name": showing.table_name(link.table)},
        **{"ended": not table_links.is_in_force(link), "table": None, "data": {"boards": {}}},
        "state": "ended",
        "is_over": session.is_over,
        "game": game_name(session, language()),
    }
    if context["ended"]:
        return context
    table = own_table.of(link.table)
    named = showing.names_at(table, table.now, table.before, *table.later, *table.earlier)
    boards = showing.boards(table, table.now, named) if table.now else []
    copies = _copies_at(link.table, table.now.number) if boards and table.now else {}
    boards = [replace(one, copy=copies.get(one.own.number, "")) for one in boards]
    before = showing.boards(table, table.before, named) if table.before else []
    earlier = [(one.number, showing.boards(table, one, named)) for one in table.earlier]
    waiting = Call.objects.open().filter(table=link.table_id).select_related("board").first()
    next_one = next((one for one in boards if not one.own.is_entered), None)
    return context | {
        "table": table,
        "round": table.now,
        "seats": showing.seats(table, table.now, named) if table.now else [],
        "owners": showing.owners(table.now, named) if table.now else [],
        "sides": showing.sides(session, table.now, named) if table.now else [],
        "boards": boards,
        "parts_of_round": _parts(boards),
        "before": [one for _name, some in _parts(before) for one in some],
        "earlier": earlier,
        "shuffles": _shuffled_at(link.table) if boards else None,
        "is_alone": session.plays_per_board == 1,
        "moves": next_one.own.number if next_one is not None and next_one.moves else 0,
        "comes": showing.seats(table, table.later[0], named) if table.later else [],
        "goes": showing.goes(table, named),
        "who_played": showing.who_played(table, named),
        "data": showing.data(
            table, [*boards, *before], named, [one for _number, some in earlier for one in some]
        ),
        "state": _state(table),
        "announced": calls.announced(session),
        "call": waiting,
        "reasons": Call.Reason.choices,
        "may_ask": _may_ask(table),
        "has_begun": bool(showing.begun(table)),
        "has_pad": showing.pad_of(session) is not None,
    }


def _shuffled_at(table: Table) -> Sequence[int] | None:
    """The boards that a table shuffles itself; None where somebody deals them for it."""
    own = shuffling.by_table(table.section.session)
    return own.get((table.section.name, table.number), ()) if own else None


def _copies_at(table: Table, number: int) -> Mapping[int, str]:
    """Which copy of each of its boards a table has in a round; nothing of those of which there is one alone.
    One query at most."""
    session = table.section.session
    if session.plays_per_board == 1:
        return {}
    copies = shuffling.copies_in_round(session, number).get((table.section.name, table.number), {})
    return {board: str(copy) for board, copy in copies.items()}


def _parts(boards: Sequence[showing.ShownBoard]) -> list[tuple[str, list[showing.ShownBoard]]]:
    """The boards of a round: first those with which others may still agree, then what is to be played."""
    parts: dict[str, list[showing.ShownBoard]] = {"to-agree": [], "open": [], "settled": []}
    for one in boards:
        is_asked = one.state in (PlayState.ENTERED, PlayState.DISPUTED)
        parts["to-agree" if is_asked else "settled" if one.own.is_entered else "open"].append(one)
    return [(name, some) for name, some in parts.items() if some]


def _state(table: own_table.OwnTable) -> str:
    """What the page is about: the largest button does the next thing."""
    session, one = table.session, table.now
    if session.state == Session.State.CANCELLED:
        return "cancelled"
    if session.is_over:
        return "over"
    if session.state == Session.State.DRAFT:
        return "draft"
    if one is None:
        return "played"
    if one.is_waiting:
        return "waiting"
    if not one.takes:
        return "closed"
    if one.is_done:
        return "done"
    return "seated" if one.is_seated else "open"


@require_safe
@by_code
def manifest(request: HttpRequest, link: TableLink) -> HttpResponse:
    """By which a phone puts the page among its applications."""
    name = _("Table %(table)s") % {"table": showing.table_name(link.table)}
    home = reverse("table-page", kwargs={"code": table_links.code_of(link)})
    icon = {"src": static("frontend/icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    large = [
        {"src": static(f"frontend/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    shown = {
        **{"name": f"{name} – Étui", "short_name": name, "lang": language(), "start_url": home},
        **{"id": home, "scope": reverse("table-code"), "display": "standalone", "icons": [icon, *large]},
        **{"background_color": "#0E4B39", "theme_color": "#0E4B39"},
    }
    return JsonResponse(shown, content_type="application/manifest+json")


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker of the tables’ pages, which keeps them where there is no network."""
    away = json.dumps(render_to_string("table/away.html", request=request))
    parts = {"static": settings.STATIC_URL, "version": versioned.version(), "away": away}
    return render(request, "table/worker.js", parts, content_type="text/javascript")


# ── What it sends ─────────────────────────────────────────────────────────────────────────────────


def from_phone(act: Callable[[TableLink, dict[str, Any]], dict[str, Any]]) -> View:
    """A view that takes what a phone sends, as JSON from its script or as a form, and answers likewise."""

    @require_POST
    @by_code
    @wraps(act)
    def answer(request: HttpRequest, link: TableLink) -> HttpResponse:
        is_json = request.content_type == "application/json"
        try:
            done, status = act(link, _given(request, is_json=is_json)), 200
        except Refused as error:
            done, status = error.to_json(), _status(error)
        if is_json:
            return JsonResponse(done, status=status)
        if status == 200:
            return redirect("table-page", code=table_links.code_of(link))
        context = {"message": done["message"], "code": table_links.code_of(link)}
        return render(request, "table/refused.html", context, status=status)

    return answer


def _given(request: HttpRequest, *, is_json: bool) -> dict[str, Any]:
    if not is_json:
        return dict(request.POST.items())
    if len(request.body) > LETTERS:
        raise Invalid("too-long", _("This is too long."))
    try:
        given = value_of(request.body)
    except (APIException, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise Invalid("not-json", _("This is not what the page sends."))
    return given


def _status(error: Refused) -> int:
    kinds = {Missing: 404, Forbidden: 403, Conflict: 409}
    return next((status for kind, status in kinds.items() if isinstance(error, kind)), 400)


def _number(given: dict[str, Any], name: str, *, optional: bool = False) -> int:
    """A number that a phone sends; 0 where it may be left out."""
    value = given.get(name)
    if optional and value in (None, ""):
        return 0
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 10**9:
        raise Invalid("not-a-number", _("This is not what the page sends."))
    return value


def _text(given: dict[str, Any], name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str) or len(value) > 2_000 or "\x00" in value:
        raise Invalid("not-a-text", _("This is not what the page sends."))
    return value


def _entries(given: dict[str, Any], name: str) -> list[str]:
    """A play that was taken down, entry by entry."""
    value = given.get(name)
    if not isinstance(value, list) or len(value) > ENTRIES:
        raise Invalid("not-a-record", _("This is not what the page sends."))
    for one in value:
        if not (isinstance(one, str) and one.isascii() and one.isprintable() and len(one) <= ENTRY_LETTERS):
            raise Invalid("not-a-record", _("This is not what the page sends."))
    return value


def _hand_in(link: TableLink, given: dict[str, Any]) -> dict[str, Any]:
    try:
        key = UUID(_text(given, "key"))
    except ValueError:
        raise Invalid("no-key", _("This is not what the page sends.")) from None
    sheet, board = given.get("sheet"), _number(given, "board")
    actions = _entries(given, "actions") if "actions" in given else None
    if actions is None and not isinstance(sheet, dict):
        raise Invalid("no-sheet", _("This is not what the page sends."))
    table_links.play_of(link, board)
    if actions is not None:
        pad = showing.pad_of(link.table.section.session)
        if pad is None:
            raise Invalid("no-pad", _("This game is not taken down card by card."))
        if not pad.is_whole(actions):
            raise Invalid("not-whole", _("This is not the whole play."))
    seat = _number(given, "seat", optional=True) or None
    try:
        stored = table_links.hand_in(
            link=link,
            board=board,
            key=key,
            sheet=sheet,
            actions=actions,
            seat=seat,
            reason=_text(given, "reason"),
            check=_text(given, "check"),
        )
        play_drafts.forget(link, board)
    except submissions.BadToken:
        raise Missing("no-such-table", _("This link opens nothing any more.")) from None
    except EngineError as error:
        about = {"field": error.field} if isinstance(error, BadField) else None
        raise Invalid("bad-sheet", error.phrase().to(language()), about) from None
    return _answer_of(stored)


def _answer_of(stored: Stored | LateEntry) -> dict[str, Any]:
    if isinstance(stored, LateEntry):
        message = _("It could no longer be entered: the director has it now.")
        return {"state": "kept", "message": message}
    why = (stored.refusal or {}).get(language(), {}).get("message", "")
    return {"state": stored.state, "submission": stored.pk, "message": why}


def _agree(link: TableLink, given: dict[str, Any]) -> dict[str, Any]:
    _check_in_force(link)
    section = link.table.section
    place = rulings.PlayPlace(section.name, link.table.number, _number(given, "board"))
    confirmations.confirm(
        session=section.session,
        actor=link.token,
        place=place,
        submission=_number(given, "submission"),
        seat=_number(given, "seat"),
        shared=given.get("shared") in (True, "true"),
    )
    return {"state": "confirmed"}


def _sit(link: TableLink, given: dict[str, Any]) -> dict[str, Any]:
    _check_in_force(link)
    is_seated = given.get("seated") not in (False, "false")
    rounds.seat(
        session=link.table.section.session,
        actor=link.token,
        number=_number(given, "round"),
        table=link.table,
        seated=is_seated,
    )
    return {"seated": is_seated}


def _call(link: TableLink, given: dict[str, Any]) -> dict[str, Any]:
    _check_in_force(link)
    if given.get("withdraw"):
        waiting = Call.objects.open().filter(table=link.table_id).first()
        if waiting is not None:
            calls.answer(call=waiting, actor=link.token, state=Call.State.WITHDRAWN)
        return {"state": "withdrawn"}
    reason = _text(given, "reason") or Call.Reason.DIRECTOR.value
    if reason not in Call.Reason.values:
        raise Invalid("bad-reason", _("This is not what the page sends."))
    board = _number(given, "board", optional=True) or None
    made = calls.call(
        table=link.table, actor=link.token, reason=reason, board=board, text=_text(given, "text")
    )
    return {"state": made.state}


def _keep_record(link: TableLink, given: dict[str, Any]) -> dict[str, Any]:
    _check_in_force(link)
    board, entries = _number(given, "board"), _entries(given, "entries")
    own = _board_of(link, board)
    if own is None or own[1].is_entered or showing.pad_of(link.table.section.session) is None:
        raise Conflict("not-open", _("Nothing is taken down of this board."))
    revision = _number(given, "revision") if given.get("revision") else 0
    draft = play_drafts.keep(link, board, entries, revision)
    return {"revision": draft.revision}


def _check_in_force(link: TableLink) -> None:
    if not table_links.is_in_force(link):
        raise Conflict("link-ended", _("This link has ended: scan the new card on the table."))


results = from_phone(_hand_in)
record = from_phone(_keep_record)
agreements = from_phone(_agree)
seated = from_phone(_sit)
call = from_phone(_call)


# ── Without a script ──────────────────────────────────────────────────────────────────────────────


@forms_and_pages
@by_code
def board(request: HttpRequest, link: TableLink, board: int) -> HttpResponse:
    """The result sheet of a board as a form with a field for each of its values."""
    found = _board_of(link, board)
    if found is None:
        raise Http404
    _table, own = found
    session, play = link.table.section.session, table_links.play_of(link, board)
    form = SheetForm(request.POST or None, session=session, play=play, known=own.sheet or {})
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                table_links.hand_in(
                    link=link,
                    board=board,
                    key=form.cleaned_data["key"],
                    sheet=form.sheet,
                    reason=form.cleaned_data.get("reason", ""),
                )
                return redirect("table-page", code=table_links.code_of(link))
            except Refused as error:
                form.add_error("reason" if error.code == "no-reason" else None, str(error))
    context = {
        "form": form,
        "board": board,
        "code": table_links.code_of(link),
        "name": showing.table_name(link.table),
    }
    return render(request, "table/board.html", context, status=status)


@forms_and_pages
@by_code
def correction(request: HttpRequest, link: TableLink) -> HttpResponse:
    """Ask the director to correct a result that the table can no longer change."""
    table = own_table.of(link.table) if table_links.is_in_force(link) else None
    if table is None:
        raise Http404
    code, may_ask = table_links.code_of(link), _may_ask(table)
    proposed = request.GET.get("board", "")
    form, status = CorrectionForm(request.POST or None, boards=table.past, board=proposed), 200
    is_called = Call.objects.open().filter(table=link.table_id).exists()
    if request.method == "POST" and may_ask and not is_called:
        status = 400
        if form.is_valid():
            told = form.cleaned_data
            reason = Call.Reason.OTHER.value
            calls.call(
                table=link.table, actor=link.token, reason=reason, board=told["board"], text=told["text"]
            )
            return redirect("table-page", code=code)
    context = {
        **{"form": form, "code": code, "name": showing.table_name(link.table)},
        **{"is_called": is_called, "may_ask": may_ask},
    }
    return render(request, "table/correction.html", context, status=status)


@forms_and_pages
@by_code
def seats(request: HttpRequest, link: TableLink) -> HttpResponse:
    """Tell the director who really sits where: they write it down, or come."""
    table = own_table.of(link.table) if table_links.is_in_force(link) else None
    if table is None or table.now is None:
        raise Http404
    now, code = table.now, table_links.code_of(link)
    planned = showing.planned(now, showing.names_at(table, now))
    form, status = SeatsForm(request.POST or None, planned=planned), 200
    is_called = Call.objects.open().filter(table=link.table_id).exists()
    if request.method == "POST" and not is_called:
        status = 400
        if form.is_valid():
            told, order = form.cleaned_data, form.cleaned_data["order"]
            try:
                calls.call(
                    table=link.table,
                    actor=link.token,
                    reason=Call.Reason.SEATS.value,
                    text=told["text"],
                    sat=calls.Sat(now.number, order) if order else None,
                )
                return redirect("table-page", code=code)
            except Refused as error:
                form.add_error(None, str(error))
    context = {"form": form, "code": code, "name": showing.table_name(link.table), "is_called": is_called}
    return render(request, "table/seats.html", context | {"round": now.number}, status=status)


def _may_ask(table: own_table.OwnTable) -> bool:
    """Whether there is something to be corrected, and somebody there who would."""
    return bool(table.past) and table.session.state in (Session.State.READY, Session.State.RUNNING)


# ── Card by card ──────────────────────────────────────────────────────────────────────────────────


@gzip_page
@require_safe
@by_code
def play(request: HttpRequest, link: TableLink, board: int) -> HttpResponse:
    """Where a phone takes down what is played, from what everybody at the table sees."""
    found, pad = _board_of(link, board), showing.pad_of(link.table.section.session)
    if found is None or pad is None:
        raise Http404
    table, own = found
    code = table_links.code_of(link)
    if own.is_entered:
        return redirect("table-page", code=code)
    context = {"board": board, "code": code, "session": table.session, "parts": PAD_PARTS}
    named = showing.names_at(table, table.now, table.before)
    shown = showing.pad(table.session, pad, own, named, play_drafts.kept(link, board))
    return render(request, "table/play.html", context | shown)


def _board_of(link: TableLink, number: int) -> tuple[own_table.OwnTable, own_table.OwnBoard] | None:
    """A board of which the table may enter results now; None for any other."""
    table = own_table.of(link.table) if table_links.is_in_force(link) else None
    rounds_now = [one for one in (table.now, table.before) if one is not None] if table else []
    own = next((b for one in rounds_now if one.takes for b in one.boards if b.number == number), None)
    return None if table is None or own is None else (table, own)
