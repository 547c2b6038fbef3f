"""Photographs of paper slips: a table, or whoever enters its results, sends them; officials alone look.

A picture is kept small and as pixels alone (`pictures`), in the database, for thirty days. It is seen like a
result that was handed in: by those in whose charge the table is, and by one who plays in the session not
before the board is over. No table and no player gets one, not even their own: the phone that sent it may be
in the hands of somebody who plays the board later.
"""

from collections.abc import Collection
from datetime import datetime
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from ..models import Account, Play, Player, Round, Section, Session, SlipPhoto, Token
from . import custody, history, pictures, states
from .errors import Conflict, Forbidden, Invalid
from .pictures import Fault, Picture

BYTES_AT_MOST = 10_000_000
SIDE_AT_LEAST, SIDE_KEPT = 200, 1600
QUALITY = 72
AT_MOST = 4  # of a play
DAYS = 30


def picture(content: bytes) -> Picture:
    """What is kept of a photograph: at most 1600 pixels a side, in colour. Invalid says what is wrong."""
    try:
        drawn = pictures.read(
            content, mode="RGB", side=SIDE_KEPT, bytes_at_most=BYTES_AT_MOST, check=_check_size
        )
    except pictures.BadPicture as error:
        raise Invalid("bad-photo", _words(error.fault), {"field": "photo"}) from error
    return pictures.plain(drawn, quality=QUALITY)


def too_many_bytes() -> str:
    return _("A photo has 10 MB at most: take it smaller.")


def _words(fault: Fault) -> str:
    match fault:
        case Fault.BYTES:
            return too_many_bytes()
        case Fault.PIXELS:
            return _("A photo has 25 million pixels at most: take it smaller.")
        case Fault.UNREADABLE:
            return _("This is not a photo: JPEG, PNG and WebP are taken.")


def _check_size(width: int, height: int) -> None:
    if min(width, height) < SIDE_AT_LEAST:
        message = _("Nobody could read this: a photo is at least %(least)d pixels high and wide.")
        raise Invalid("bad-photo", message % {"least": SIDE_AT_LEAST}, {"field": "photo"})


def send(*, play: Play, actor: Token, content: bytes) -> SlipPhoto:
    """Keep a photograph of the slip of a play; the same again is the one that is there. Forbidden for whoever
    does not enter its result; Conflict unless the session is being played and its round has begun, or once
    there are as many as somebody would look at; Invalid if it is not a photo."""
    if not Play.objects.entered_by(actor).filter(pk=play.pk).exists():
        raise Forbidden("not-yours", _("You enter no results of this table."))
    return _keep(play, actor, picture(content))  # it is unpacked while nothing is locked


@transaction.atomic
def _keep(play: Play, actor: Token, made: Picture) -> SlipPhoto:
    session = states.held(Session(pk=play.table.section.session_id))
    if session.state not in (Session.State.READY, Session.State.RUNNING):
        raise Conflict("session-not-played", _("The session is not being played now."))
    if session.is_paced and _waits(session, play):
        message = _("Round %(round)d has not begun yet.") % {"round": play.round}
        raise Conflict("round-waits", message, {"round": play.round})
    there = SlipPhoto.objects.filter(play=Play.objects.select_for_update(no_key=True).get(pk=play.pk))
    digest = sha256(made.content).hexdigest()
    if (same := there.defer("content").filter(digest=digest).first()) is not None:
        return same
    if there.count() >= AT_MOST:
        message = _("The director has %(count)d photos of this board already.") % {"count": AT_MOST}
        raise Conflict("too-many-photos", message)
    kept = SlipPhoto.objects.create(
        play=play, content=made.content, digest=digest, width=made.width, height=made.height
    )
    history.note(actor, "sent slip photo", play, session=session, board=play.board.number)
    return kept


def _waits(session: Session, play: Play) -> bool:
    one = session.rounds.filter(number=play.round).first()
    return one is None or one.state == Round.State.WAITING


def seen_by(session: Session, viewer: Token | Account, held: Collection[int] = ()) -> QuerySet[SlipPhoto]:
    """The photographs of a session that an official may look at, without their pixels. `held`: players whose
    links have been used in the browser that asks."""
    own = SlipPhoto.objects.filter(play__table__section__in=Section.objects.scored_by(viewer))
    own = own.filter(play__table__section__session=session)
    boards = custody.seen_boards(session, viewer, None, held)
    if boards is not None:
        own = own.filter(play__board__in=boards)
    whole = own.select_related("play__table__section", "play__board")
    return whole.defer("content").order_by("pk")


def count_of(play: Play) -> int:
    """How many there are of a play: what its table may know."""
    return SlipPhoto.objects.filter(play=play).count()


def of_players(players: Collection[Player]) -> QuerySet[SlipPhoto]:
    """Those of plays at which one of these players was to sit, or a contestant of theirs."""
    return SlipPhoto.objects.filter(play__seatings__contestant__members__player__in=players).distinct()


def forget_of(player: Player) -> None:
    """Those that may show a player's name, or their hand."""
    SlipPhoto.objects.filter(pk__in=of_players([player]).values("pk")).delete()


def forget(before: datetime) -> int:
    """Photographs that were sent before a time."""
    return SlipPhoto.objects.filter(made_at__lt=before).delete()[0]
