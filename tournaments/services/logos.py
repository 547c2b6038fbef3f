"""A club's logo: a picture that somebody sends in, made small, and kept as pixels alone."""

from hashlib import sha256

from django.db import transaction
from django.utils.translation import gettext as _

from ..models import Club, ClubLogo
from . import history, pictures
from .errors import Invalid
from .pictures import Fault, Picture

BYTES_AT_MOST = 2_000_000
SIDE_AT_LEAST, SIDE_KEPT = 48, 320
NARROWEST = 8  # times as wide as high, or as high as wide


def picture(content: bytes) -> Picture:
    """What is kept of a file: at most 320 pixels a side. Invalid says what is wrong with it."""
    try:
        drawn = pictures.read(
            content, mode="RGBA", side=SIDE_KEPT, bytes_at_most=BYTES_AT_MOST, check=_check_size
        )
    except pictures.BadPicture as error:
        raise Invalid("bad-logo", _words(error.fault), {"field": "logo"}) from error
    return pictures.plain(drawn, quality=88)


def _words(fault: Fault) -> str:
    match fault:
        case Fault.BYTES:
            return _("A logo has 2 MB at most: make it smaller.")
        case Fault.PIXELS:
            return _("A logo has 25 million pixels at most: make it smaller.")
        case Fault.UNREADABLE:
            return _("This is not a PNG, JPEG or WebP picture. Drawings such as SVG are not taken.")


def _check_size(width: int, height: int) -> None:
    if min(width, height) < SIDE_AT_LEAST:
        message = _("A logo is at least %(least)d pixels high and wide.") % {"least": SIDE_AT_LEAST}
        raise Invalid("bad-logo", message, {"field": "logo"})
    if max(width, height) > NARROWEST * min(width, height):
        raise Invalid("bad-logo", _("A logo is not so long and narrow."), {"field": "logo"})


@transaction.atomic
def put(*, club: Club, actor: history.Actor, content: bytes) -> Club:
    """The club has this logo from now on."""
    made = picture(content)
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    digest = sha256(made.content).hexdigest()
    if club.logo == digest:
        return club
    ClubLogo.objects.update_or_create(club=club, defaults={"content": made.content})
    _note(club, actor, digest, made.width, made.height)
    return club


@transaction.atomic
def remove(*, club: Club, actor: history.Actor) -> Club:
    """The club has no logo; nothing happens where it has none."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if club.logo:
        ClubLogo.objects.filter(club=club).delete()
        _note(club, actor, "", 0, 0)
    return club


def _note(club: Club, actor: history.Actor, digest: str, width: int, height: int) -> None:
    changes = {"logo": (club.logo[:8], digest[:8])}
    club.logo, club.logo_width, club.logo_height = digest, width, height
    club.save(update_fields=["logo", "logo_width", "logo_height"])
    history.note(actor, "mended", club, club=club, changes=changes)


def content_of(club: Club) -> bytes | None:
    """The picture itself; None for a club that has none."""
    content = ClubLogo.objects.filter(club=club).values_list("content", flat=True).first()
    return None if content is None else bytes(content)
