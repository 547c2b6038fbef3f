"""A board at a table, for the officials of a session: what was handed in, what came of it, its correction,
and beside the grid a ruling on it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext

from engines import registry
from engines.contract import Game
from scoring.rounding import in_units
from tournaments.models import Account, Objection, Play, Result, RuledPlay, Ruling, Session, Submission
from tournaments.services import (
    custody,
    desk_entries,
    disputes,
    flags,
    grid,
    names,
    objections,
    own_plays,
    reasons,
    ruled_entries,
    ruling_words,
    rulings,
    slip_photos,
)
from tournaments.services.deliveries import Stored
from tournaments.services.errors import Conflict, Missing, Refused

from .. import history_words, presentation
from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..labels import labelled, side_names
from ..places import table_name
from ..players import mine
from . import grid as desk_grid
from . import seating, slips, undoing
from .grid import WORDS
from .moves import LookedAt, looked_at
from .ruling_form import ReversalForm, RuledSide, RulingForm
from .sheets import SheetForm, handed_in_by
from .wizard import language

SUMS_LOOKED_AT = 50
CHANGED = {
    **dict.fromkeys(("enter", "price"), "sheet"),
    **dict.fromkeys(("look", "rule"), "ruling"),
    **dict.fromkeys(("take", "off"), "page"),
}
"""By what a form does: where the page says that the play is another one than the form was filled in for."""
SETTLED_BY_KEEPING = {"contradicted", "wrong-board", "fouled", "sides"}  # flags


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What was handed in for a play: by whom, what became of it, and what it says. `fields`: what each is
    called, its value, and whether it is another in what may be taken instead; `scores`: of each side;
    `counts`: it is what counts now; `may_be_taken`: another that could count in its place."""

    submission: Submission
    who: str
    state: str
    refusal: str
    clause: str | None
    fields: Sequence[tuple[str, str, bool]]
    scores: Sequence[tuple[str, str]]
    counts: bool
    may_be_taken: bool


@dataclass(frozen=True, slots=True)
class SideShown:
    """A side of the table as the page shows it: its seats, who sits there, what it scored and what counts by
    a ruling in its place, with the facts of the outcome."""

    seats: str
    name: str
    score: str
    counts: str
    facts: Sequence[Mapping[str, Any]]
    decided: str = ""


@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int, play: int) -> HttpResponse:
    """For all who have a role at the session: states for everybody, results for those who may know them, and
    forms for those who run it."""
    account = account_of(request)
    own = Session.objects.staffed_by(account).select_related("tournament__club", "board_set")
    one = get_object_or_404(own, pk=session)
    plays = Play.objects.select_related("table__section__session", "board", "result__submission__role")
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
    at_seat = {seat: named[contestant].name for seat, contestant in seated.items()}
    ruled = _ruled(the_play) if sees else {}
    sides = [
        _side(game, the_play, at_seat[side[0]], side, ruled, sees=sees)
        for side in game.sides_of(one.conditions)
        if side[0] in seated
    ]
    order = _order(one, account, the_play)
    sides.sort(key=lambda side: min(map(order.index, side.seats), default=0))
    given: dict[str, Any] = {"session": one, "sides": sides, "compares": _compares(rows, watched)}
    form = RulingForm(None, **given) if sight.directs and sees else None
    reversal = ReversalForm(None)
    refusal, status = "", 200
    looked: LookedAt | None = None
    priced: LookedAt | None = None
    asked: dict[str, Any] | None = None
    seen, is_changed = _stamp(the_play), ""
    decided: Mapping[int, str] = {}
    known = _sheet(the_play) if sees else {}
    of_sheet: dict[str, Any] = {"session": one, "play": the_play, "known": known}
    of_sheet["names"] = {seat: named[contestant].name for seat, contestant in seated.items()}
    sheet = SheetForm(None, **of_sheet) if _enters(account, the_play) else None
    if request.method == "POST":
        way = request.POST.get("way", "enter")
        settles = sheet if sees else None
        priceable = sheet if _result(the_play, sees) else None
        needed = {"enter": sheet, "price": priceable, "keep": settles, "take": settles}.get(way, form)
        if needed is None:
            raise Http404
        if request.POST.get("seen", seen if way in ("price", "look") else "") != seen:
            is_changed = CHANGED.get(way, "")
        try:
            if is_changed == "page":
                raise Conflict(
                    "changed-meanwhile", gettext("Somebody else was quicker: see what stands here now.")
                )
            if way == "keep":
                _keep(request, one, the_play, account, directs=sight.directs)
                return redirect("desk-play", session=one.pk, play=play)
            if way == "take":
                _take(request, one, the_play, account)
                return redirect("desk-play", session=one.pk, play=play)
            if way == "off":
                _take_off(request, one, the_play, account)
                return redirect("desk-play", session=one.pk, play=play)
            if way == "enter":
                sheet = SheetForm(request.POST, **of_sheet)
                if sheet.is_valid() and is_changed and not _is_sent_again(the_play, sheet):
                    status = 409
                    same = desk_entries.same_as_counts(one, the_play, sheet.sheet) if sees else None
                    if same and not slips.is_own(account, the_play):
                        _keep(
                            request,
                            one,
                            the_play,
                            account,
                            directs=False,
                            shown=the_play.result.submission_id,
                        )
                        return redirect("desk-play", session=one.pk, play=play)
                    if same is False:
                        asked = slips.versions(request, one, account, the_play, sheet.sheet, sees=sees)
                elif sheet.is_valid():
                    stored = desk_entries.enter(
                        session=one,
                        play=the_play,
                        account=account,
                        key=sheet.cleaned_data["key"],
                        sheet=sheet.sheet,
                        reason=sheet.cleaned_data.get("reason", ""),
                        sees=sees,
                    )
                    said = gettext("The result is handed in, and judged in a moment.")
                    _say_corrected(request, one, the_play, stored, said)
                    return redirect("desk-play", session=one.pk, play=play)
                else:
                    status = 400
            elif way == "price":
                sheet = SheetForm(request.POST, **of_sheet)
                if sheet.is_valid():
                    price = desk_entries.look(
                        session=one, play=the_play, sheet=sheet.sheet, ruled=ruled, boards=sight.boards
                    )
                    priced = LookedAt() if price is None else looked_at(price, account)
                    if is_changed:
                        asked = slips.versions(request, one, account, the_play, sheet.sheet, sees=False)
                else:
                    status = 400
            elif way == "reverse":
                reversal = ReversalForm(request.POST)
                if reversal.is_valid():
                    ruling = rulings.with_id(one, reversal.cleaned_data["ruling"])
                    rulings.reverse(ruling=ruling, actor=account, text=reversal.cleaned_data["reason"])
                    messages.success(request, gettext("The ruling is reversed."))
                    return redirect("desk-play", session=one.pk, play=play)
            else:
                form = RulingForm(request.POST, **given, looks=way != "rule")
                if form.is_valid() or [*form.errors] == [
                    "reason"
                ]:  # which does not hide what it would change
                    place = rulings.PlayPlace(
                        the_play.table.section.name, the_play.table.number, the_play.board.number
                    )
                    plan = rulings.on_play(session=one, place=place, decisions=form.decisions)
                    if is_changed and way == "rule":
                        status = 409
                    elif way == "rule" and form.is_valid():
                        made = rulings.rule(plan, actor=account, text=form.cleaned_data["reason"])
                        said = gettext("The ruling counts from now on.")
                        said = labelled(_place(one, the_play), said)
                        undoing.said(request, said, one, "ruling", ruling=made.pk)
                        return redirect("desk-play", session=one.pk, play=play)
                    looked = looked_at(rulings.look(plan, sight.boards), account)
                    decided = _decided(game, plan.parts[the_play.pk].entries)
                if not form.is_valid():
                    status = 400
        except Refused as error:
            if error.code == "no-reason" and way == "enter" and sheet is not None:
                sheet.add_error("reason", str(error))
            else:
                refusal = str(error)
            status = 409 if isinstance(error, Conflict) else 400
    if sheet is not None and "reason" in sheet.fields:  # the field says whether it is wanted
        sheet.ask_reason(desk_entries.is_settled(one, the_play, account))
    before, after = _neighbours(rows, watched)
    unit = game.unit_of(one.options)
    listed = flags.of(one, account, rows=rows, sight=sight)
    late = {row.play for row in flags.missing(one, rows)}
    state = grid.state_of(watched, is_late=play in late, tells_disputes=sees and sight.directs)
    open_kinds = {flag.kind for flag in listed if flag.play == play} & SETTLED_BY_KEEPING
    told = presentation.facts(game, the_play.result.facts, language()) if _result(the_play, sees) else []
    context = {
        "grid": desk_grid.around(one, account, rows, sight, watched) if form else None,
        "unit": (unit.shown or unit.name).to(language()),
        "sums": _sums(the_play, sides, form) if looked and form else None,
        "objections": _objections(one, the_play) if form else [],
        "hidden": reasons.hidden_from(one, account, held) if form else [],
        **{"session": one, "play": the_play, "state": str(state), "word": WORDS[state], "sees": sees},
        "sides": [
            SideShown(
                _seats_of(game, side),
                side.name,
                "" if side.played is None else in_units(side.played, game.unit.divisor),
                _in_short(game, ruled, side),
                _once(fact for fact in told if fact["seat"] in side.seats),
                decided.get(side.seats[0], ""),
            )
            for side in sides
        ],
        "has_result": _result(the_play, sees),
        "is_passed_over": bool(ruled) and rulings.passed_over(one).filter(pk=play).exists(),
        "is_ruled": bool(ruled),
        "facts": [fact for fact in told if not fact["seat"]],
        "photos": slip_photos.seen_by(one, account, held).filter(play=play) if sees else [],
        "handed_in": _handed_in(one, the_play, sides, at_seat, directs=sight.directs) if sees else [],
        "key": uuid4(),
        "flags": [flag.reason for flag in listed if flag.play == play],
        "plays_here": not sees and custody.plays_here(account, one, held),
        "may_keep": sheet is not None
        and sees
        and bool(open_kinds)
        and not own_plays.sat_at(account, one, [play]),
        "sides_disagree": "sides" in open_kinds,
        "contradicts": bool(open_kinds - {"sides"}),
        "rulings": _rulings(one, play, at_seat) if sees else [],
        "sheet": sheet,
        "directs": sight.directs,
        **{"before": before, "after": after, "next_wanted": _next_wanted(rows, watched)},
        **{"is_pending": is_pending, "seen": seen, "is_changed": is_changed, "asked": asked},
        "folds_ruling": sheet is not None
        and not (_result(the_play, sees) or ruled or refusal or looked)
        and not (form is not None and form.is_bound)
        and not _objections(one, the_play)
        and not Ruling.objects.filter(parts__play=the_play).exists(),
        **{"form": form, "reversal": reversal, "looked": looked, "refusal": refusal},
        **{"priced": priced, "is_wholly_ruled": priced is not None and not priced.lists and bool(ruled)},
        "several": one.sections.count() > 1,
    }
    return render_at(one.tournament.club, request, "desk/play.html", context, status)


def _order(session: Session, account: Account, play: Play) -> list[int]:
    """The seats in the order in which the grid lists who sits there: partners stay together, and who changes
    seats from board to board stays in place."""
    place = play.table.section.name, play.table.number
    found = seating.of_round(session, names.reader_for(account), play.round, {place})
    first = next((list(one.order.get(play.board.number) or ()) for one in found), [])
    return [*first, *(seat for seat in range(1, 9) if seat not in first)]


def _stamp(play: Play) -> str:
    """What somebody sees of a play, for its forms to bring back: what was handed in and what was ruled, as
    far as anything has been."""
    newest = play.submissions.order_by("-pk").values_list("pk", flat=True).first()
    made = [*Ruling.objects.filter(parts__play=play).values_list("pk", "reversed_at")]
    in_force = max((pk for pk, reversed_at in made if reversed_at is None), default=0)
    return f"{newest or 0}-{in_force}"


def _is_sent_again(play: Play, sheet: SheetForm) -> bool:
    """Whether this has arrived before: what is sent twice counts once."""
    return play.submissions.filter(key=sheet.cleaned_data["key"]).exists()


def _keep(
    request: HttpRequest, session: Session, play: Play, account: Account, *, directs: bool, shown: int = 0
) -> None:
    """The result that the page showed stands, whatever speaks against it."""
    text = request.POST.get("submission", "")
    if not shown:
        shown = int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0
    settle = desk_entries.keep if directs else desk_entries.confirm
    settle(session=session, play=play, account=account, submission=shown)
    messages.success(request, gettext("The result is kept: it is settled."))


def _take(request: HttpRequest, session: Session, play: Play, account: Account) -> None:
    """Another result that was handed in counts in place of the one that does. Missing: there is none such."""
    text = request.POST.get("submission", "")
    shown = int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0
    taken = play.submissions.filter(pk=shown, state__in=Submission.TAKEN).first()
    if taken is None:
        raise Missing("no-such-submission", gettext("Nothing of the kind was handed in for this board."))
    try:
        key = UUID(request.POST.get("key", ""))
    except ValueError:
        key = uuid4()
    reason = gettext("As it was handed in before: %(who)s.") % {"who": _sender(taken, {})}
    stored = desk_entries.enter_again(
        session=session, play=play, account=account, key=key, submission=taken, reason=reason
    )
    said = gettext("The other result is taken, and judged in a moment.")
    _say_corrected(request, session, play, stored, said)


def _say_corrected(request: HttpRequest, session: Session, play: Play, stored: Stored, said: str) -> None:
    """Say that a result is handed in; where it takes the place of another, that one is offered again."""
    if back := undoing.way_back_to_result(play, stored):
        said = labelled(_place(session, play), said)
    undoing.said(request, said, session, **back)


def _place(session: Session, play: Play) -> str:
    several = session.sections.count() > 1
    place = table_name(play.table.section.name, play.table.number, several=several)
    return gettext("Table %(table)s, board %(board)d") % {"table": place, "board": play.board.number}


def _take_off(request: HttpRequest, session: Session, play: Play, account: Account) -> None:
    """What was entered here was of another board: nothing counts, until the ruling that says so is
    reversed."""
    place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
    plan = rulings.on_play(session=session, place=place, decisions=[{"kind": "not-played"}])
    made = rulings.rule(plan, actor=account, text=gettext("Entered for the wrong board."))
    said = gettext("It is taken off: nothing counts here. If the board is played yet, reverse the ruling.")
    undoing.said(request, said, session, "ruling", ruling=made.pk)


def _seats_of(game: Game[Any], side: RuledSide) -> str:
    """The seats of a side, by the name that slips give it."""
    words, called = " + ".join(map(str, side.seats)), side_names(game)
    own = [*game.sides_of({})] if called else []
    return f"{called[own.index(tuple(side.seats))]} {words}" if tuple(side.seats) in own else words


def _compares(rows: Sequence[flags.WatchedPlay], one: flags.WatchedPlay) -> bool:
    """Whether another table plays the board: at one alone there is nothing to take an average of."""
    return any(other.board_id == one.board_id and other.play != one.play for other in rows)


def _ruled(play: Play) -> dict[int, str]:
    """By seat, what stands for it by all rulings in force, as it is kept."""
    found = RuledPlay.objects.filter(play=play).values_list("entries", flat=True).first()
    return {seat: token for seat, token in enumerate(found or (), 1) if token is not None}


def _decided(game: Game[Any], entries: Sequence[str | None]) -> dict[int, str]:
    return {
        seat: ruling_words.in_short(game, token) for seat, token in enumerate(entries, 1) if token is not None
    }


def _in_short(game: Game[Any], ruled: Mapping[int, str], side: RuledSide) -> str:
    """What counts for a side by a ruling; of seats that differ, each."""
    tokens = dict.fromkeys(ruled[seat] for seat in side.seats if seat in ruled)
    return " / ".join(ruling_words.in_short(game, token) for token in tokens)


def _once(facts: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The facts of a side, of which partners have the same, each told once."""
    found: list[Mapping[str, Any]] = []
    for fact in facts:
        plain = {name: value for name, value in fact.items() if name != "seat"}
        if plain not in found:
            found.append(plain)
    return found


def _sums(play: Play, sides: Sequence[RuledSide], form: RulingForm) -> tuple[str, str] | None:
    """What the scores of all seats add up to as they count now, and as they are decided, where both are known
    and differ: one side was perhaps forgotten."""
    before = {seat: side.counts for side in sides for seat in side.seats}
    after = dict(before)
    for decision in form.decisions:
        outcomes = decision.get("outcomes", ())
        for seat in decision["seats"]:
            after[seat] = outcomes[0]["scores"][seat - 1] if len(outcomes) == 1 else None
    if None in before.values() or None in after.values():
        return None
    sums = [sum(one or 0 for one in scores.values()) for scores in (before, after)]
    others = Result.objects.filter(session=play.table.section.session_id).exclude(play=play)
    usual = {sum(scores) for scores in others.values_list("scores", flat=True)[:SUMS_LOOKED_AT]}
    if sums[0] == sums[1] or usual - {sums[0]} or not (usual or sums[0] == 0):
        return None  # in some games they add up to anything
    was, will = (in_units(one, form.unit) for one in sums)
    return was, will


def _objections(session: Session, play: Play) -> list[Objection]:
    """Those on a play that wait for an answer."""
    own = Objection.objects.filter(session=session, play=play).select_related("contestant", "remark")
    found = own.prefetch_related("steps").order_by("pk")
    return [one for one in found if objections.state_of(one) in ("open", "appealed")]


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
    game: Game[Any], play: Play, name: str, seats: Sequence[int], ruled: Mapping[int, str], *, sees: bool
) -> RuledSide:
    """A side, with its score and what counts for it, where that is a score."""
    played = play.result.scores[seats[0] - 1] if _result(play, sees) else None
    counts = played
    if seats[0] in ruled:
        entry = ruled_entries.of_token(ruled[seats[0]])
        counts = entry if isinstance(entry, int) else None
    return RuledSide(name, tuple(seats), played, counts)


def _handed_in(
    session: Session,
    play: Play,
    sides: Sequence[RuledSide],
    at_seat: Mapping[int, str],
    *,
    directs: bool,
) -> list[HandedIn]:
    """The newest first. What follows from the deal is for those alone who direct the session."""
    rows = play.submissions.select_related("role__account", "table__section", "remark").order_by("-pk")[:20]
    game = registry.game(session.game)
    counts = play.result.submission_id if hasattr(play, "result") else None
    sheets = {one.pk: one.content.get("sheet") for one in rows}
    words = {
        pk: history_words.sheet_words(session, sheet, language())
        for pk, sheet in sheets.items()
        if isinstance(sheet, dict)
    }
    differing = _differing(words[one.pk] for one in rows if one.state in Submission.TAKEN and one.pk in words)
    found = []
    for one in rows:
        refusals = one.refusal if directs else disputes.refusal_shown(one, play.board.number)
        refusal = (refusals or {}).get(language(), {})
        is_taken = one.state in Submission.TAKEN
        scores = play.result.scores if one.pk == counts else None
        if scores is None and is_taken:
            scores = desk_entries.scores_of(session, play, one.content)
        found.append(
            HandedIn(
                one,
                _sender(one, at_seat),
                one.state if directs else disputes.state_shown(one),
                refusal.get("message", ""),
                refusal.get("clause"),
                [(*told, told[0] in differing) for told in words.get(one.pk, [])],
                []
                if scores is None
                else [(side.name, in_units(scores[side.seats[0] - 1], game.unit.divisor)) for side in sides],
                one.pk == counts,
                is_taken and one.pk != counts and one.state != Submission.State.AGREED,
            )
        )
    return found


def _differing(told: Iterable[Sequence[tuple[str, str]]]) -> set[str]:
    """What the fields are called that do not say the same in all of them."""
    each = [dict(one) for one in told]
    labels = {label for one in each for label in one}
    return {label for label in labels if len({one.get(label) for one in each}) > 1}


def _sender(one: Submission, at_seat: Mapping[int, str]) -> str:
    """By whom it was handed in; from a table, whose phone it was, where that is known."""
    if one.seat is None or one.table_id is None:
        return handed_in_by(one)
    if one.seat in at_seat:
        return gettext("%(name)s, seat %(seat)d") % {"name": at_seat[one.seat], "seat": one.seat}
    return gettext("the table, seat %(seat)d") % {"seat": one.seat}


def _rulings(session: Session, play: int, at_seat: Mapping[int, str]) -> list[tuple[Ruling, str]]:
    made = rulings.of(session).filter(parts__play=play).order_by("-pk")
    return [(one, ruling_words.of_ruling(session, one, at_seat)) for one in made]
