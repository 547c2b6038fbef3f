"""What has become of a player's own results: a director has decided, or an official has entered another."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from ..models import Member, ObjectionStep, Player, Result, Ruling, RulingPart, Seating, Session, Submission
from ..models.plays import sat_instead

REMEMBERED = timedelta(days=14)
AT_MOST = 6

RULED, REVERSED, CHANGED, ANSWERED = "ruled", "reversed", "changed", "answered"


@dataclass(frozen=True, slots=True)
class OwnNews:
    """`what`: RULED, REVERSED (a ruling no longer counts), CHANGED (another result was entered) or ANSWERED
    (an objection of theirs, by the director or the committee); `board`: its number, None for a decision about
    the contestant. Nothing of what was decided: that stands beside the award, once the board is over."""

    session: Session
    board: int | None
    what: str
    at: datetime


def latest(players: Sequence[Player]) -> list[OwnNews]:
    """Of the last days, the newest first. A few queries; the time grows with what has happened."""
    since = timezone.now() - REMEMBERED
    own = list(Member.objects.filter(player__in=players).values_list("contestant", flat=True))
    member = Seating.objects.filter(contestant__in=own).values("play")
    theirs = Q(play__in=member) | Q(play__in=sat_instead([one.pk for one in players]).values("play"))
    recent = Q(ruling__made_at__gte=since) | Q(ruling__reversed_at__gte=since)
    parts = RulingPart.objects.filter(recent, theirs)
    found = [
        _of_ruling(part.ruling, part.play.board.number)
        for part in parts.select_related("ruling__session__tournament__club", "play__board")
    ]
    about = Ruling.objects.filter(contestant__in=own, kind__in=Ruling.ABOUT_CONTESTANTS)
    about = about.filter(Q(made_at__gte=since) | Q(reversed_at__gte=since))
    found += [_of_ruling(one, None) for one in about.select_related("session__tournament__club")]
    found += _changed(theirs, since)
    steps = ObjectionStep.objects.filter(
        objection__contestant__in=own,
        kind__in=[ObjectionStep.Kind.ANSWER, ObjectionStep.Kind.DECISION],
        made_at__gte=since,
    ).select_related("objection__session__tournament__club", "objection__play__board")
    answers = [(one, one.objection) for one in steps]
    found += [OwnNews(of.session, of.play.board.number, ANSWERED, one.made_at) for one, of in answers]
    return sorted(found, key=lambda one: (one.at, one.session.pk, one.board or 0), reverse=True)[:AT_MOST]


def _of_ruling(ruling: Ruling, board: int | None) -> OwnNews:
    if ruling.reversed_at is not None:
        return OwnNews(ruling.session, board, REVERSED, ruling.reversed_at)
    return OwnNews(ruling.session, board, RULED, ruling.made_at)


def _changed(theirs: Q, since: datetime) -> list[OwnNews]:
    by_officials = Result.objects.filter(
        theirs, submission__role__isnull=False, submission__created_at__gte=since
    )
    results = list(
        by_officials.select_related("submission", "session__tournament__club", "play__board").order_by("pk")
    )
    plays = [one.play_id for one in results]
    earlier = Submission.objects.filter(play__in=plays, state__in=Submission.COUNTED).order_by("pk")
    before: dict[int, list[tuple[int, object]]] = {}
    for play, pk, content in earlier.values_list("play", "pk", "content"):
        before.setdefault(play, []).append((pk, content))
    return [
        OwnNews(one.session, one.play.board.number, CHANGED, one.submission.created_at)
        for one in results
        if any(
            pk < one.submission_id and content != one.submission.content
            for pk, content in before.get(one.play_id, ())
        )
    ]
