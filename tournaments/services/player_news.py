"""Whether anything is new for players on their own pages: a stamp for each person, which changes with the
evening that they are about to play or are playing, with their own results, and with nothing that only others
have done."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from importlib import import_module
from time import monotonic
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.db.models import Count, Max
from django.http import HttpRequest

from ..models import Account, Member, ObjectionStep, Play, Session, Substitution
from . import player_links
from .table_news import Stamp, sessions_shown

PARTS_SECONDS = 10.0  # after which it is asked anew in what these people have a part
Players = tuple[int, ...]  # the entries in registers of one person


def players_with(cookie: str) -> Players:
    """Whose own page a browser opens, by its cookie; nobody's where it opens none."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(cookie or None)
    account = get_user(request)
    tokens = request.session.get(player_links.TOKENS, [])
    players, _held = player_links.held_by(account if isinstance(account, Account) else None, tokens)
    return tuple(sorted(player.pk for player in players))


class PlayerNews:
    """The stamps of many people, asked again and again: a handful of small queries, whoever watches. What
    their plays stand on is looked at where the tally of a session has moved."""

    def __init__(self) -> None:
        self._asked_at, self._asked_for = 0.0, frozenset[int]()
        self._parts: dict[int, set[tuple[int, int]]] = {}  # by player: contestants and their sessions
        self._answers: dict[int, int] = {}  # by contestant, to their objections
        self._shown: dict[int, tuple[Any, ...]] = {}  # by session, what everybody in it is shown
        self._tallies: dict[int, tuple[Any, ...]] = {}  # by session, as it was when its plays were looked at
        self._plays: dict[int, tuple[Any, ...]] = {}  # by contestant

    def stamps(self, people: Collection[Players]) -> dict[Players, Stamp]:
        wanted = frozenset(player for one in people for player in one)
        before, shown = self._shown, self._look_at_sessions()
        if shown != before or wanted != self._asked_for or monotonic() - self._asked_at > PARTS_SECONDS:
            self._asked_at, self._asked_for = monotonic(), wanted
            self._look_at_parts(wanted)
            shown = self._look_at_sessions()
        return {one: repr([self._of(player, shown) for player in one]) for one in people}

    def _of(self, player: int, shown: dict[int, tuple[Any, ...]]) -> Sequence[Any]:
        return [
            (contestant, shown.get(session), self._plays.get(contestant), self._answers.get(contestant))
            for contestant, session in sorted(self._parts.get(player, ()))
        ]

    def _look_at_parts(self, players: Collection[int]) -> None:
        there = (Session.State.READY, Session.State.RUNNING)
        member = Member.objects.filter(player__in=players, session__state__in=there, session__is_trial=False)
        instead = Substitution.objects.filter(player__in=players, undone_at=None)
        instead = instead.filter(contestant__session__state__in=there, contestant__session__is_trial=False)
        self._parts = defaultdict(set)
        for rows in (
            member.values_list("player", "contestant", "session"),
            instead.values_list("player", "contestant", "contestant__session"),
        ):
            for player, contestant, session in rows:
                self._parts[player].add((contestant, session))
        contestants = {contestant for own in self._parts.values() for contestant, _session in own}
        self._plays = {pk: stamp for pk, stamp in self._plays.items() if pk in contestants}
        told = (ObjectionStep.Kind.ANSWER, ObjectionStep.Kind.DECISION)
        steps = ObjectionStep.objects.filter(objection__contestant__in=contestants, kind__in=told)
        steps = steps.order_by("objection__contestant")
        self._answers = dict(steps.values_list("objection__contestant").annotate(Count("pk")))

    def _look_at_sessions(self) -> dict[int, tuple[Any, ...]]:
        """By session, what all who play in it are shown; the plays of those whose tally has moved anew."""
        of = {contestant: session for own in self._parts.values() for contestant, session in own}
        sessions = sessions_shown(set(of.values()))
        tallies = {pk: tally for pk, (_shown, tally) in sessions.items()}
        moved = {pk for pk, tally in tallies.items() if self._tallies.get(pk) != tally}
        self._tallies = tallies
        wanted = [one for one, session in of.items() if session in moved or one not in self._plays]
        if wanted:
            rows = Play.objects.filter(seatings__contestant__in=wanted).order_by("seatings__contestant")
            counted = rows.values_list("seatings__contestant").annotate(
                *(Max("result__submission"), Count("result"), Max("confirmation"), Count("disagreement")),
                *(Max("ruled__position"), Count("pk")),
            )
            self._plays |= dict.fromkeys(wanted, ()) | {row[0]: row[1:] for row in counted}
        live = dict(Session.objects.filter(pk__in=sessions).values_list("pk", "tally__live_version"))
        self._shown = {pk: (*shown, live.get(pk)) for pk, (shown, _tally) in sessions.items()}
        return self._shown
