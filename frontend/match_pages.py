"""The page of a session's matches: who meets whom, what came of it, who stands where; and, for those who run
the session, the next round and forfeits."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from engines import registry
from tournaments.models import Account, Job, MatchRules, Seating, Session
from tournaments.services import (
    counting,
    jobs,
    matches,
    names,
    next_rounds,
    ruling_words,
    rulings,
    typed_contestants,
)
from tournaments.services.errors import Conflict, Refused
from tournaments.services.matches import MatchState
from tournaments.services.names import ANYONE, Named

from .accounts.keeping import signed_in
from .accounts.views import account_of, forms_and_pages
from .officials import held_players, sees_all, sees_ranking
from .places import table_name

SHOWN_AT_MOST = 500


class MatchRow(NamedTuple):
    """A match as the page shows it. `winner`: 1 or 2, 0 where neither has more."""

    number: int
    tables: str
    first: str
    second: str
    gained: tuple[Any, Any] | None
    winner: int
    state: str


class ForfeitForm(forms.Form):
    """Who forfeits which match, and why."""

    lost = forms.ChoiceField(label=_("Who forfeits"))
    reason = forms.CharField(label=_("Reason"), max_length=2_000)

    def __init__(self, *args: Any, choices: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["lost"].choices = [("", "–"), *choices]  # type: ignore[attr-defined]  # a choice field


@gzip_page
@require_safe
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """For everybody; of a session that is not listed, for its officials. What came of a match is told once
    its boards are over; its officials who do not play in it know it at once, as they do the ranking."""
    sessions = Session.objects.select_related("tournament__club", "board_set", "tally")
    session = get_object_or_404(sessions, pk=pk)
    if not session.listed and not sees_ranking(request, session):
        raise Http404
    return _render(request, session)


@forms_and_pages
@signed_in
def act(request: HttpRequest, pk: int) -> HttpResponse:
    """For those who run the session: plan the next round (a job), take it back, or rule a forfeit."""
    account = account_of(request)
    own = Session.objects.directed_by(account).select_related("tournament__club", "board_set", "tally")
    session = get_object_or_404(own, pk=pk)
    if request.method != "POST":
        return redirect("matches-page", pk=pk)
    way = request.POST.get("way", "")
    form = None
    try:
        if way == "plan":
            return redirect(_asked(request, session, account))
        if way == "back":
            next_rounds.take_back(session=session, actor=account)
            return redirect("matches-page", pk=pk)
        if way == "forfeit":
            form = ForfeitForm(request.POST, choices=_forfeits(session))
            if form.is_valid():
                number, match, team = map(int, form.cleaned_data["lost"].split("-"))
                plan = rulings.on_match(session=session, match=match, round=number, lost=[team])
                rulings.rule(plan, actor=account, text=form.cleaned_data["reason"])
                return redirect("matches-page", pk=pk)
    except Refused as refused:
        status = 409 if isinstance(refused, Conflict) else 400
        return _render(request, session, refusal=refused, form=form, status=status)
    return _render(request, session, form=form, status=400)


def _asked(request: HttpRequest, session: Session, account: Account) -> str:
    each = typed_contestants.players_each(registry.game(session.game))
    arriving = request.POST.get("arriving", "")
    new = typed_contestants.read_contestants(session.tournament.club, arriving, each=each)
    wish: dict[str, Any] = {
        "arriving": [one.given for one in new],
        "confirm": request.POST.get("confirm") == "on",
        "winners": _winners(request),
    }
    next_rounds.check(session=session, **wish)
    job = jobs.ask(
        Job.Kind.NEXT_ROUND,
        tournament=session.tournament,
        session=session,
        sender=account,
        name=session.name,
        request=wish,
    )
    return f"{reverse('job-page', args=[job.pk])}?then=matches"


def _winners(request: HttpRequest) -> dict[str, int]:
    """By the number of a match that is tied, who goes on."""
    given = {name: request.POST.get(name, "") for name in request.POST if name.startswith("winner-")}
    return {
        name.removeprefix("winner-"): int(value)
        for name, value in given.items()
        if value.isascii() and value.isdecimal() and len(value) < 8
    }


def _render(
    request: HttpRequest,
    session: Session,
    *,
    refusal: Refused | None = None,
    form: ForfeitForm | None = None,
    status: int = 200,
) -> HttpResponse:
    rules = matches.rules_of(session)
    if rules is None:
        raise Http404
    account = request.user if isinstance(request.user, Account) else None
    runs = account is not None and Session.objects.directed_by(account).filter(pk=session.pk).exists()
    knows = runs and sees_all(request, session)
    found = matches.shown(session, account, held_players(request))
    teams = names.of_teams(
        {team for one in found.values() for team in (one.match.first_id, one.match.second_id) if team}, ANYONE
    )
    rounds = _rounds(found, teams)
    standings = matches.standings(session, found, counting.of_session(session).changes)
    places = standings.places()[:SHOWN_AT_MOST]
    decided = ruling_words.of_teams(session, [one.contestant for one in places], of_matches=True)
    context = {
        **{"session": session, "rules": rules, "rounds": rounds[::-1], "runs": runs},
        "places": [
            {
                "rank": one.rank,
                "name": teams[one.contestant].name,
                "value": one.total.value,
                "boards": one.total.boards,
                "decided": decided.get(one.contestant),
            }
            for one in places
            if one.contestant in teams and one.total.boards
        ],
        "tables": _tables(session) if not found else [],
        "unit": WORTH[rules.worth],
        "refusal": "" if refusal is None else str(refusal),
        "arriving": request.POST.get("arriving", ""),
        "asks": refusal is not None and refusal.code == "results-missing",
        **(_next(session, rules, found, teams, knows=knows) if runs else {}),
    }
    if runs and found:
        context["form"] = form or ForfeitForm(choices=_forfeits(session))
    answer = render(request, "frontend/matches.html", context, status=status)
    if account is not None or not session.listed:
        answer["Cache-Control"] = "no-store"
    return answer


WORTH = {"scale": _("VP"), "table": _("VP"), "wins": _("Wins")}


def _rounds(found: Mapping[int, MatchState], teams: Mapping[int, Named]) -> list[tuple[int, list[MatchRow]]]:
    rounds: dict[int, list[MatchRow]] = {}
    several = len({section for one in found.values() for section, _table in one.tables}) > 1
    for one in found.values():
        rounds.setdefault(one.match.round, []).append(_row(one, teams, several=several))
    return sorted(rounds.items())


def _row(one: MatchState, teams: Mapping[int, Named], *, several: bool) -> MatchRow:
    match, gained = one.match, one.gained
    second = pgettext("match", "bye") if match.second_id is None else teams[match.second_id].name
    winner = 0
    if gained is not None and match.second_id is not None and gained[0] != gained[1]:
        winner = 1 if gained[0] > gained[1] else 2
    words = ""
    if one.lost:
        words = pgettext("match", "forfeit")
    elif match.second_id is not None and gained is not None and not one.is_complete:
        words = pgettext("match", "under way")
    return MatchRow(
        match.number,
        ", ".join(table_name(section, table, several=several) for section, table in one.tables),
        teams[match.first_id].name,
        second,
        gained if gained is None or match.second_id is not None else (gained[0], None),
        winner,
        words,
    )


def _tables(session: Session) -> list[tuple[int, str]]:
    """Of a game without two sides, who meets at which table of the newest round."""
    rows = Seating.objects.filter(play__board__board_set__session=session)
    last = rows.order_by("-play__round").values_list("play__round", flat=True).first()
    seated = rows.filter(play__round=last or 0).order_by("play__table__number", "contestant__number")
    pairs = list(seated.values_list("play__table__number", "contestant").distinct())
    named = names.of_contestants({k for _table, k in pairs}, ANYONE)
    tables: dict[int, list[str]] = {}
    for table, contestant in pairs:
        tables.setdefault(table, []).append(named[contestant].name)
    return [(table, ", ".join(some)) for table, some in tables.items()]


def _forfeits(session: Session) -> list[tuple[str, str]]:
    """Each team of each match that may still be forfeited."""
    own = [one for one in matches.of(session) if one.second_id is not None]
    named = names.of_teams({team for one in own for team in (one.first_id, one.second_id) if team}, ANYONE)
    return [
        (
            f"{one.round}-{one.number}-{team.number}",
            gettext("Round %(round)d, match %(match)d: %(team)s")
            % {"round": one.round, "match": one.number, "team": named[team.pk].name},
        )
        for one in reversed(own)
        for team in (one.first, one.second)
        if team is not None
    ]


def _next(
    session: Session,
    rules: MatchRules,
    found: Mapping[int, MatchState],
    teams: Mapping[int, Named],
    *,
    knows: bool,
) -> dict[str, Any]:
    """What there is to say of the next round, to whoever may plan it."""
    if not rules.is_paired or session.state not in Session.COMING:
        return {}
    last = next_rounds.last_round(session)
    waiting = Job.objects.filter(session=session, kind=Job.Kind.NEXT_ROUND)
    waiting = waiting.filter(state__in=[Job.State.WAITING, Job.State.RUNNING])
    open_ones = [
        {
            "number": one.match.number,
            "teams": [
                (teams[team].number, teams[team].name)
                for team in (one.match.first_id, one.match.second_id)
                if team
            ],
        }
        for one in found.values()
        if knows and one.match.round == last and one.winner is None and one.is_complete
    ]
    return {
        "next": last + 1 if last < rules.rounds else None,
        "last": last,
        "job": waiting.first(),
        "takes_more": rules.form == MatchRules.Form.SWISS,
        "ties": open_ones if rules.form == MatchRules.Form.KNOCK_OUT else [],
    }
