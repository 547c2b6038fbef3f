"""The feed: what has happened that others may know, told to whoever asks for it.

An item is written in the transaction of what it tells, without a place. Transactions end in any order, so a
number that they drew would not do: an item could come after others with higher numbers have been read. One
worker at a time gives the items that are committed their positions, one after the other (`place_new`);
whoever has read up to a position has seen everything before it. What happened to one session is in order, as
each change of its state waits for the one before.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from ..models import Event, FeedCounter, FeedItem, Leg, Session, Token
from . import queue
from .errors import Conflict, Invalid

Kind = FeedItem.Kind
State = Session.State

DAYS = 90  # that an item is kept
PLACED_AT_ONCE = 1_000

REACHED = {
    State.DRAFT: Kind.SESSION_PLANNED,
    State.READY: Kind.SESSION_PLANNED,
    State.RUNNING: Kind.SESSION_BEGUN,
    State.PLAYED: Kind.SESSION_PLAYED,
    State.PROVISIONAL: Kind.RANKING_PUBLISHED,
    State.FINAL: Kind.RANKING_FINAL,
    State.AMENDED: Kind.RANKING_AMENDED,
    State.CANCELLED: Kind.SESSION_CANCELLED,
}
"""What it says that a session has reached a state."""
OF_RANKINGS = (Kind.RANKING_PUBLISHED, Kind.RANKING_FINAL, Kind.RANKING_AMENDED, Kind.RANKING_WITHDRAWN)


# ── What happens ──────────────────────────────────────────────────────────────────────────────────


def note_planned(session: Session) -> None:
    _note(session, Kind.SESSION_PLANNED)


def note_state(session: Session, before: State) -> None:
    """A session has reached the state that it is in. Nothing where it is but a draft that is ready, or ready
    and a draft again."""
    if {before, session.state} == {State.DRAFT, State.READY}:
        return
    takes_back = before == State.PROVISIONAL and session.state == State.PLAYED
    _note(session, Kind.RANKING_WITHDRAWN if takes_back else REACHED[State(session.state)])


def note_round(session: Session, number: int) -> None:
    """A round has been opened for the first time."""
    _note(session, Kind.ROUND_BEGUN, begun=number)


def note_listed(session: Session) -> None:
    """A session is listed, or it is not any more. What was told of it before is public from then on, and has
    been, even when it is withdrawn."""
    if session.listed:
        FeedItem.objects.filter(session=session, was_public=False).update(was_public=True)
    _note(session, Kind.SESSION_LISTED if session.listed else Kind.SESSION_WITHDRAWN, was_public=True)


def note_version(session: Session, version: int) -> None:
    """The list of a session that is over has another version. Nothing before: no result of a session that is
    being played writes anything here."""
    if session.state in Session.RANKED:
        _note(session, Kind.RANKING_AMENDED, version=version)


def note_lifted(sessions: Iterable[Session]) -> None:
    """The embargo of these sessions is lifted: the rankings that there are may be read from now on."""
    for session in sessions:
        if session.state in Session.RANKED:
            _note(session, REACHED[State(session.state)], is_lifted=True)


def note_announced(event: Event) -> None:
    _write(FeedItem(kind=Kind.EVENT_ANNOUNCED, club_id=event.club_id, event=event, was_public=True))


def note_field(leg: Leg, version: int) -> None:
    """The joint field of a leg has another version, with all of its lists."""
    event = leg.event
    is_public = event.state == Event.State.ANNOUNCED
    about = {"club_id": event.club_id, "event": event, "leg": leg, "version": version}
    _write(FeedItem(kind=Kind.EVENT_RANKED, was_public=is_public, **about))


def _note(
    session: Session,
    kind: Kind,
    *,
    begun: int | None = None,
    version: int | None = None,
    was_public: bool = False,
    is_lifted: bool = False,
) -> None:
    """Trials are nobody's news; and rankings under embargo are none yet."""
    if session.is_trial or (kind in OF_RANKINGS and not is_lifted and session.is_under_embargo):
        return
    _write(
        FeedItem(
            kind=kind,
            club_id=session.tournament.club_id,
            session=session,
            state=session.state,
            round=begun,
            version=version,
            was_public=was_public or session.listed,
        )
    )


def _write(item: FeedItem) -> None:
    item.save(force_insert=True)
    queue.after_commit("place_feed")


# ── The order ─────────────────────────────────────────────────────────────────────────────────────


def place_new() -> int:
    """Give the items that have come their positions; the number of them. Twice, or on two workers at once,
    it does what once does."""
    placed = 0
    while some := _place_some():
        placed += some
    return placed


@transaction.atomic
def _place_some() -> int:
    """One transaction at a time holds the counter, and reads what was committed before it did."""
    counter = _held_counter()
    items = list(FeedItem.objects.filter(position=None).order_by("pk")[:PLACED_AT_ONCE])
    if not items:
        return 0
    for position, item in enumerate(items, counter.newest + 1):
        item.position = position
    FeedItem.objects.bulk_update(items, ["position"])
    counter.newest += len(items)
    counter.save(update_fields=["newest"])
    return len(items)


def is_due() -> bool:
    """Whether an item waits for its position."""
    return FeedItem.objects.filter(position=None).exists()


def _held_counter() -> FeedCounter:
    FeedCounter.objects.get_or_create(pk=1)
    return FeedCounter.objects.select_for_update().get(pk=1)


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


def check_position(after: int) -> None:
    """Of a position that is not 0. Conflict where items after it have been forgotten, so that whoever goes on
    from there would miss them; Invalid where there has never been such a position."""
    counter = FeedCounter.objects.filter(pk=1).first() or FeedCounter()
    if after > counter.newest:
        facts = {"newest": counter.newest}
        raise Invalid("no-such-position", _("The feed has not come so far: begin again at 0."), facts)
    if after < counter.forgotten:
        message = _(
            "What came next is not kept any more: look at everything anew, and go on from %(newest)d."
        )
        facts = {"newest": counter.newest}
        raise Conflict("feed-forgotten", message % facts, facts)


def read(viewer: Token | None) -> QuerySet[FeedItem]:
    """What the viewer may know, with all that `content` shows."""
    return FeedItem.objects.visible_to(viewer).select_related("club", "session__tournament", "event")


def content(item: FeedItem, *, is_visible: bool) -> dict[str, Any]:
    """An item as it is told. Of what may not be seen any more there are the ids, by which others find what
    they have of it."""
    about = (item.session or item.event) if is_visible else None
    session = item.session if is_visible else None
    return {
        "id": item.position,
        "kind": item.kind,
        "at": item.at,
        "gone": about is None,
        "session": item.session_id,
        "event": item.event_id,
        "leg": item.leg_id,
        "club": None if about is None or item.club is None else item.club.slug,
        "tournament": None if session is None else session.tournament_id,
        "name": None if about is None else about.name,
        "state": (item.state or None) if about is not None else None,
        "round": item.round if about is not None else None,
        "version": item.version if about is not None else None,
    }


def forget(before: datetime) -> int:
    """Forget the items that are older; the number. The feed remembers up to where."""
    counter = _held_counter()
    old = FeedItem.objects.filter(at__lt=before, position__isnull=False)
    last = old.aggregate(last=Max("position"))["last"]
    if last is None:
        return 0
    counter.forgotten = last
    counter.save(update_fields=["forgotten"])
    return FeedItem.objects.filter(position__lte=last).delete()[0]
