"""Pictures that somebody sends in: read with care, made small, and kept as pixels alone."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

FORMATS = ("PNG", "JPEG", "WEBP")
PIXELS_AT_MOST = 25_000_000
AS_THEY_ARE = ("L", "RGB", "RGBA")  # what can be made small without being converted first
UNPACKING = Lock()  # a large one takes a hundred megabytes: one at a time
# What the library raises for a picture that is none; two of them where what a camera said is of odd types.
UNREADABLE = (OSError, SyntaxError, ValueError, EOFError, TypeError, AttributeError, struct.error)


class Fault(Enum):
    """Why a picture is not taken: it takes too many bytes, has too many pixels, or is none."""

    BYTES = "bytes"
    PIXELS = "pixels"
    UNREADABLE = "unreadable"


class BadPicture(Exception):
    """A file is not taken as a picture: `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it is kept: WebP, with nothing but its pixels."""

    content: bytes
    width: int
    height: int


def read(
    content: bytes,
    *,
    mode: str,
    side: int,
    bytes_at_most: int,
    check: Callable[[int, int], None] = lambda _width, _height: None,
) -> Image.Image:
    """What a file shows, as large as `side` pixels at most, turned as its camera held it. Its size is known,
    and `check` asked, before it is unpacked. BadPicture: the file is not taken; and whatever `check`
    raises."""
    from PIL import Image, ImageOps  # 3 MB, not before somebody sends a picture

    if len(content) > bytes_at_most:
        raise BadPicture(Fault.BYTES)
    try:
        found = Image.open(BytesIO(content), formats=FORMATS)
    except Image.DecompressionBombError as error:
        raise BadPicture(Fault.PIXELS) from error
    except UNREADABLE as error:
        raise BadPicture(Fault.UNREADABLE) from error
    with found:
        if found.width * found.height > PIXELS_AT_MOST:
            raise BadPicture(Fault.PIXELS)
        check(found.width, found.height)
        try:
            with UNPACKING:
                shown = found if found.mode in AS_THEY_ARE else found.convert(mode)
                shown.thumbnail((side, side), Image.Resampling.LANCZOS)  # before it is copied
            return ImageOps.exif_transpose(shown).convert(mode)
        except UNREADABLE as error:
            raise BadPicture(Fault.UNREADABLE) from error


def plain(drawn: Image.Image, *, quality: int) -> Picture:
    """A picture as it is kept: nothing that came with the file comes along."""
    from PIL import Image

    alone = Image.new(drawn.mode, drawn.size)
    alone.paste(drawn)
    kept = BytesIO()
    alone.save(kept, "WEBP", quality=quality, method=4, exif=b"", xmp=b"", icc_profile=b"")
    return Picture(kept.getvalue(), *alone.size)
