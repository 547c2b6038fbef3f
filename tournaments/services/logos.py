"""A club's logo: a picture that somebody sends in is read with care, made small, and kept as pixels alone."""

import struct
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO

from django.db import transaction
from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from ..models import Club, ClubLogo
from . import history
from .errors import Invalid

FORMATS = ("PNG", "JPEG", "WEBP")
BYTES_AT_MOST = 2_000_000
PIXELS_AT_MOST = 24_000_000
SIDE_AT_LEAST, SIDE_KEPT = 48, 320
NARROWEST = 8  # times as wide as high, or as high as wide
# What the library raises for a picture that is none; two of them where what a camera said is of odd types.
UNREADABLE = (OSError, SyntaxError, ValueError, EOFError, TypeError, AttributeError, struct.error)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it is kept: WebP, with nothing but its pixels."""

    content: bytes
    width: int
    height: int


def picture(content: bytes) -> Picture:
    """What is kept of a file: at most 320 pixels a side, turned as its camera held it, without a word of
    where it was taken. Invalid says what is wrong with it. Its size is known before it is unpacked."""
    if len(content) > BYTES_AT_MOST:
        raise Invalid("bad-logo", _("A logo has 2 MB at most: make it smaller."), {"field": "logo"})
    try:
        with Image.open(BytesIO(content), formats=FORMATS) as found:
            width, height = found.size
            _check_size(width, height)
            drawn = ImageOps.exif_transpose(found).convert("RGBA")
    except Invalid:
        raise
    except Image.DecompressionBombError as error:
        raise _too_large() from error
    except UNREADABLE as error:
        message = _("This is not a PNG, JPEG or WebP picture. Drawings such as SVG are not taken.")
        raise Invalid("bad-logo", message, {"field": "logo"}) from error
    drawn.thumbnail((SIDE_KEPT, SIDE_KEPT), Image.Resampling.LANCZOS)
    plain = Image.new("RGBA", drawn.size)  # nothing that came with the file comes along
    plain.paste(drawn)
    kept = BytesIO()
    plain.save(kept, "WEBP", quality=88, method=4, exif=b"", xmp=b"", icc_profile=b"")
    return Picture(kept.getvalue(), *plain.size)


def _check_size(width: int, height: int) -> None:
    if width * height > PIXELS_AT_MOST:
        raise _too_large()
    if min(width, height) < SIDE_AT_LEAST:
        message = _("A logo is at least %(least)d pixels high and wide.") % {"least": SIDE_AT_LEAST}
        raise Invalid("bad-logo", message, {"field": "logo"})
    if max(width, height) > NARROWEST * min(width, height):
        raise Invalid("bad-logo", _("A logo is not so long and narrow."), {"field": "logo"})


def _too_large() -> Invalid:
    message = _("A logo has 24 million pixels at most: make it smaller.")
    return Invalid("bad-logo", message, {"field": "logo"})


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
