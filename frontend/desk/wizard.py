"""Setting up a session, step by step: each step is a form that works without scripts, and saves a draft."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from engines import registry, rules
from scoring.methods import METHODS
from tournaments.models import Club, Draft, Job, Leg, Session, access
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    drafts,
    movement_files,
    movement_offers,
    register,
    session_wishes,
    templates,
    typed_contestants,
)
from tournaments.services.errors import Conflict, Refused, Stale
from tournaments.services.session_wishes import STEPS, SessionWish

from .. import clocks, presentation
from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..labels import LIVE_NOTE
from . import offers
from .forms import (
    METHOD_WORDS,
    BoardsForm,
    ComparisonForm,
    ContestantsForm,
    GameForm,
    MovementForm,
    SeenForm,
    StepForm,
)

NAME_LETTERS = 100  # of a name that is being typed
FOUND_AT_MOST = 60  # players with a box to tick
TITLES = {
    "game": gettext_lazy("Game"),
    "contestants": gettext_lazy("Contestants"),
    "movement": gettext_lazy("Movement"),
    "boards": gettext_lazy("Boards"),
    "comparison": gettext_lazy("Comparison"),
    "review": gettext_lazy("Review"),
}


def language() -> str:
    return (get_language() or "en")[:2]


def managed_club(request: HttpRequest, slug: str) -> Club:
    """The club, for those who set up its sessions."""
    own = Club.objects.filter(access.managed(account_of(request), club="pk"))
    return get_object_or_404(own, slug=slug if slug.isprintable() else "")


# ── Drafts ────────────────────────────────────────────────────────────────────────────────────────


@forms_and_pages
@signed_in
def new(request: HttpRequest, club: str) -> HttpResponse:
    """A new session: from nothing, like another one of the club, or the club's part in an event."""
    the_club = managed_club(request, club)
    own = Session.objects.filter(tournament__club=the_club).select_related("tournament__club", "board_set")
    if request.method == "POST":
        today, text = session_wishes.today_at(the_club), request.POST.get("copy", "")
        try:
            if wanted_leg := _number(request.POST.get("leg", "")):
                leg = get_object_or_404(Leg.objects.select_related("event"), pk=wanted_leg)
                draft = drafts.begin_part(club=the_club, actor=account_of(request), leg=leg, today=today)
            elif text:
                session = get_object_or_404(own, pk=_number(text))
                draft = drafts.copy(
                    session=session,
                    actor=account_of(request),
                    today=today,
                    with_contestants="names" in request.POST,
                )
            else:
                wanted = _number(request.POST.get("tournament", ""))
                chosen = _number(request.POST.get("template", ""))
                template = get_object_or_404(templates.of(the_club), pk=chosen) if chosen else None
                draft = drafts.begin(
                    club=the_club,
                    actor=account_of(request),
                    today=today,
                    tournament=wanted,
                    template=template,
                )
        except Conflict as error:
            messages.error(request, str(error))
            return redirect("new-session", club=the_club.slug)
        wish = session_wishes.wish_of(draft)
        return to_step(draft, session_wishes.next_step(wish, "game") if "game" in wish.done else "game")
    context = {
        "club": the_club,
        "sessions": [(one, registry.game(one.game).name.to(language())) for one in own.order_by("-pk")[:10]],
        "drafts": drafts.unfinished_of([the_club]),
        "templates": templates.of(the_club),
    }
    return render_at(the_club, request, "desk/new.html", context)


def _number(text: str) -> int:
    """An id that somebody has sent; 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


def to_step(draft: Draft, step: str) -> HttpResponseRedirect:
    return redirect("draft-step", pk=draft.pk, step=step)


def _draft(request: HttpRequest, pk: int) -> Draft:
    own = Draft.objects.managed_by(account_of(request))
    rows = own.select_related("club", "tournament", "job__session", "copied_from", "made_by")
    return get_object_or_404(rows, pk=pk)


@require_safe
@signed_in
def draft(request: HttpRequest, pk: int) -> HttpResponse:
    """Where to go on with a draft; where the session is, if it has become one."""
    the_draft = _draft(request, pk)
    if (answer := _elsewhere(the_draft)) is not None:
        return answer
    wish = session_wishes.wish_of(the_draft)
    return to_step(the_draft, next((one for one in STEPS if one not in wish.done), "review"))


def _elsewhere(draft: Draft) -> HttpResponse | None:
    """Where a draft that is being set up, or has been, is to be looked at."""
    job = draft.job
    if job is None or job.state in {Job.State.FAILED, Job.State.CANCELLED}:
        return None
    if job.session is not None:
        return redirect("session-desk", session=job.session.pk)
    return redirect(f"{reverse('job-page', args=[job.pk])}?then=desk")


@forms_and_pages
@signed_in
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    the_draft = _draft(request, pk)
    if (answer := _elsewhere(the_draft)) is not None:
        return answer
    if request.method == "POST":
        try:
            drafts.delete(draft=the_draft)
        except Conflict as error:
            messages.error(request, str(error))
            return redirect("draft", pk=pk)
        messages.success(request, _("The draft has been deleted."))
        return redirect("desk")
    return render_at(
        the_draft.club,
        request,
        "desk/delete.html",
        {"draft": the_draft, "wish": session_wishes.wish_of(the_draft)},
    )


# ── Steps ─────────────────────────────────────────────────────────────────────────────────────────


@gzip_page
@forms_and_pages
@signed_in
def step(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    the_draft = _draft(request, pk)
    if step not in STEPS:
        raise Http404
    if (answer := _elsewhere(the_draft)) is not None:
        return answer
    wish = session_wishes.wish_of(the_draft)
    if step not in session_wishes.steps_of(wish):
        return to_step(the_draft, "review")
    if step not in {"game", "contestants"} and not wish.game:
        return to_step(the_draft, "game")
    return PAGES[step](request, the_draft, wish)


def _game(request: HttpRequest, draft: Draft, wish: SessionWish) -> HttpResponse:
    form = GameForm(request.POST or None, draft=draft, wish=wish, language=language())
    if request.method == "POST" and form.is_valid():
        is_look = request.POST.get("way") == "options"
        if (answer := _saved(draft, form, "game", stay=is_look)) is not None:
            return answer
    games = [
        presentation.in_short(game, language())
        | {"sentence": rules.sentence(game.id, language()), "chosen": str(form["game"].value()) == game.id}
        for game in registry.games().values()
        if wish.leg is None or game.id == wish.game
    ]
    games.sort(key=lambda one: not one["chosen"])  # last week's is in sight
    return _page(request, draft, wish, "game", {"form": form, "games": games})


def _contestants(request: HttpRequest, draft: Draft, wish: SessionWish) -> HttpResponse:
    way = request.POST.get("way", "")
    data = request.POST.copy() if request.method == "POST" else None
    if data is not None:  # whoever is ticked is taken, whichever button follows
        _type_in(
            data, typed_contestants.lines_of_players(draft, [_number(one) for one in data.getlist("player")])
        )
    if data is not None and way in {"add", "last"}:
        last = drafts.last_session(draft.club) if way == "last" else None
        _type_in(data, typed_contestants.lines_like(last) if last is not None else [])
        data["search"] = ""
    found = register.players_of(draft.club)
    form = ContestantsForm(data, draft=draft, wish=wish)
    if way in {"find", "add", "last"}:
        for name in form.errors.keys() - {"search"}:
            del form.errors[name]  # nothing else has been sent yet
        if way == "find" and not form.errors:
            found = register.players_of(draft.club, search=form.cleaned_data["search"])
    elif data is not None and form.is_valid() and (answer := _saved(draft, form, "contestants")) is not None:
        return answer
    context = {
        "form": form,
        "found": found[:FOUND_AT_MOST],
        "more": max(found.count() - FOUND_AT_MOST, 0),
        "has_searched": way == "find" and not form.errors,
        "last": drafts.last_session(draft.club),
        "each": form.each,
    }
    return _page(request, draft, wish, "contestants", context)


@require_safe
@signed_in
def proposed(request: HttpRequest, pk: int) -> HttpResponse:
    """Whom the club's register knows by what somebody types (`q`), as JSON: the text that means each player,
    and nothing else of them."""
    draft = _draft(request, pk)
    found = typed_contestants.proposed(draft.club, request.GET.get("q", "")[:NAME_LETTERS])
    answer = JsonResponse({"names": found})
    answer["Cache-Control"] = "no-store"
    return answer


def _type_in(data: Any, lines: Iterable[str]) -> None:
    """Add contestants to the field, but for those who stand in it."""
    typed = data.get("contestants", "").splitlines()
    there = {line.strip() for line in typed}
    if added := [line for line in lines if line not in there]:
        data["contestants"] = "\n".join([*(line for line in typed if line.strip()), *added])


def _movement(request: HttpRequest, draft: Draft, wish: SessionWish) -> HttpResponse:
    form = MovementForm(request.POST or None, draft=draft, wish=wish, files=request.FILES or None)
    found = movement_offers.offers_of(draft)
    slips: Any = []
    brings = request.POST.get("way") == "file" or request.FILES
    if request.method == "POST" and form.is_valid() and brings:
        answer, slips = _with_file(draft, form)
        if answer is not None:
            return answer
    elif request.method == "POST" and not form.errors:
        timed = form.timed()
        is_asked = movement_offers.question_of(draft, timed) == movement_offers.question_of(draft, wish)
        if request.POST.get("way") == "compare" or not is_asked or found is None:
            if (answer := _saved(draft, form, "movement", stay=True)) is not None:
                return answer
        elif (chosen := form.chosen(found[0])) is None:
            form.add_error("movement", _("Choose one of the movements."))
        else:
            decided = replace(timed, movement=chosen.movement)
            if chosen.method is not None:
                decided = replace(decided, method=chosen.method, method_options={})
            if (answer := _saved(draft, form, "movement", wish=decided)) is not None:
                return answer
    count = session_wishes.contestant_count(draft, wish)
    if found is None:
        movement_offers.ask_for_movements(draft)
    context = {
        "form": form,
        "count": count,
        "is_waiting": found is None,
        "refusal": found[1] if found else "",
        "offers": offers.shown(wish, found[0], count) if found else [],
        "by_matches": offers.by_matches(wish, found[0]) if found else [],
        "sentence": offers.sentence(wish, count),
        "is_by_tables": wish.custody == session_wishes.BY_TABLES and wish.leg is None,
        "reservations": offers.reservations(wish, found[0], language()) if found else [],
        "slips": slips or _slips_of(movement_offers.brought(draft, wish)[1]),
    }
    return _page(request, draft, wish, "movement", context)


def _with_file(draft: Draft, form: MovementForm) -> tuple[HttpResponse | None, Any]:
    """The movement that somebody has brought becomes one of those to choose from, and is chosen; otherwise
    what is wrong with it."""
    if not form.cleaned_data["file"]:
        form.add_error("file", _("Choose a file."))
        return None, []
    wish = replace(form.timed(), movement_file=form.cleaned_data["file"])
    own, refused = movement_offers.brought(draft, wish)
    if own is None:
        form.add_error("file", str(refused) if refused else _("Say first who plays."))
        return None, _slips_of(refused)
    chosen = replace(wish, movement=own.movement)
    if own.method is not None:
        chosen = replace(chosen, method=own.method, method_options={})
    return _saved(draft, form, "movement", stay=True, wish=chosen), []


def _slips_of(refused: Refused | None) -> Any:
    """What is wrong in a file, slip by slip."""
    if refused is None or not isinstance(refused.details, list):
        return []
    return [one | {"column": movement_files.title(one["column"], language())} for one in refused.details]


def _boards(request: HttpRequest, draft: Draft, wish: SessionWish) -> HttpResponse:
    chosen = offers.chosen(draft, wish)
    nobody_deals, advised = drafts.has_nobody_to_deal(draft, wish), None
    if nobody_deals and chosen is not None:
        advised = session_wishes.BY_TABLES if chosen.is_single else session_wishes.COPIED
    form = BoardsForm(request.POST or None, draft=draft, wish=wish, language=language(), advised=advised)
    if request.method == "POST" and form.is_valid():
        decided = form.decided()
        is_other = decided.custody == session_wishes.BY_TABLES and chosen is not None and not chosen.is_single
        if is_other:  # the steps go back to the movements of which one will do
            done = tuple(one for one in decided.done if one != "movement")
            decided = replace(decided, movement=None, done=done)
        if (answer := _saved(draft, form, "boards", wish=decided)) is not None:
            return answer
    context = {"form": form, "offer": chosen, "nobody_deals": nobody_deals}
    return _page(request, draft, wish, "boards", context)


def _comparison(request: HttpRequest, draft: Draft, wish: SessionWish) -> HttpResponse:
    only = offers.only_method(draft, wish)
    form = ComparisonForm(
        request.POST or None,
        draft=draft,
        wish=wish,
        language=language(),
        only=None if only is None else only.method,
    )
    is_sent = request.method == "POST" and form.is_valid()
    if is_sent and (answer := _saved(draft, form, "comparison")) is not None:
        return answer
    methods = [
        (name, label, METHOD_WORDS.get(name, ""), str(form["method"].value()) == name)
        for name, label in form.fields["method"].choices  # type: ignore[attr-defined]
    ]
    reason = only.reason.get(language(), "") if only is not None else ""
    return _page(request, draft, wish, "comparison", {"form": form, "methods": methods, "reason": reason})


def _review(request: HttpRequest, draft: Draft, wish: SessionWish) -> HttpResponse:
    refusal, status = "", 200
    if request.method == "POST":
        form = SeenForm(request.POST)
        try:
            seen = form.cleaned_data["seen"] if form.is_valid() else 0
            job = drafts.set_up(draft=draft, actor=account_of(request), seen=seen)
            return redirect(f"{reverse('job-page', args=[job.pk])}?then=desk")
        except Refused as error:
            refusal, status = str(error), 409 if isinstance(error, Conflict) else 400
            draft = _draft(request, draft.pk)
            wish = session_wishes.wish_of(draft)
    elif draft.job is not None and draft.job.error:
        refusal = draft.job.error[language()]["message"]
    return _page(
        request, draft, wish, "review", {"refusal": refusal, **_reviewed(draft, wish)}, status=status
    )


def _reviewed(draft: Draft, wish: SessionWish) -> dict[str, Any]:
    """Everything on one page."""
    lacking = drafts.missing(draft, wish)
    game = registry.game(wish.game)
    count = session_wishes.contestant_count(draft, wish)
    found = movement_offers.offers_of(draft)
    chosen = next((one for one in found[0] if one.movement == wish.movement), None) if found else None
    names = typed_contestants.names_in(draft.club, wish.contestants)
    changed = [
        (option.meaning.to(language()), value)
        for option in game.options
        if (value := wish.options.get(option.name, option.default)) != option.default
    ]
    if found is None:
        movement_offers.ask_for_movements(draft)
    return {
        "lacking": lacking,
        "lacking_titles": [TITLES[one] for one in lacking],
        "is_waiting": "movement" in lacking and wish.movement is not None and found is None,
        "game": game.name.to(language()),
        "people": [(role.account.name, RoleKind(role.kind).label) for role in drafts.people_like(draft)],
        "begins": session_wishes.starts_at(draft.club, wish),
        "changed": changed,
        "count": count,
        "contestants": [" – ".join([names[m] for m in one.members]) for one in wish.contestants]
        if wish.registration is None
        else [],
        "list": session_wishes.list_of(draft, wish),
        "strangers": typed_contestants.strangers(wish) if wish.registration is None else [],
        "seating": offers.sentence(wish, count, chosen.movement if chosen else None),
        "offer": chosen,
        "nobody_deals": drafts.has_nobody_to_deal(draft, wish),
        "end": clocks.hour(movement_offers.end_of(wish, chosen)) if chosen else "",
        "start": offers.hour(wish.begins),
        "method": METHODS[wish.method].name.to(language()),
        "credited": Session.Credited(wish.substitutes_credited).label,
        "live": Session.Live(wish.live).label,
        "live_note": "" if wish.live == Session.Live.HIDDEN else LIVE_NOTE,
    }


PAGES: Mapping[str, Callable[[HttpRequest, Draft, SessionWish], HttpResponse]] = {
    "game": _game,
    "contestants": _contestants,
    "movement": _movement,
    "boards": _boards,
    "comparison": _comparison,
    "review": _review,
}


# ── For all of them ───────────────────────────────────────────────────────────────────────────────


def _saved(
    draft: Draft, form: StepForm, name: str, *, stay: bool = False, wish: SessionWish | None = None
) -> HttpResponse | None:
    """The way to the next step, once what a form decides is stored; None where the form says why not. `stay`:
    the step is not over."""
    try:
        decided = wish or form.decided()
        if not stay:
            decided = replace(decided, done=tuple(dict.fromkeys([*decided.done, name])))
        drafts.save(draft=draft, seen=form.cleaned_data["seen"], wish=decided, tournament=form.tournament)
    except Stale as error:
        draft.refresh_from_db()
        form.overtake(draft, error)
        return None
    except Refused as error:
        if not form.errors:
            form.add_error(None, str(error))
        return None
    return to_step(draft, name if stay else session_wishes.next_step(decided, name))


def _page(
    request: HttpRequest,
    draft: Draft,
    wish: SessionWish,
    name: str,
    context: dict[str, Any],
    status: int = 200,
) -> HttpResponse:
    done, own = set(wish.done), session_wishes.steps_of(wish)
    steps = [
        {
            "name": one,
            "title": TITLES[one],
            "number": number,
            "state": "now" if one == name else "done" if one in done else "",
            "is_open": one in done or one == name or one == "game",
        }
        for number, one in enumerate(own, 1)
    ]
    at = own.index(name)
    shared = {
        "draft": draft,
        "club": draft.club,
        "wish": wish,
        "steps": steps,
        "step": name,
        "title": TITLES[name],
        "before": own[at - 1] if at else None,
        "summary": offers.summary(draft, wish, language()),
        "replaced": None if wish.replaces is None else Session.objects.filter(pk=wish.replaces).first(),
    }
    form = context.get("form")
    if isinstance(form, StepForm) and form.is_overtaken:
        status = 409
    answer = render_at(draft.club, request, f"desk/{name}.html", shared | context, status)
    answer["Cache-Control"] = "no-store"
    return answer
