"""A club's logo: what is taken, what is refused, and that nothing comes along but its pixels."""

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image

from tournaments.models import Club, ClubLogo, HistoryEntry
from tournaments.services import logos
from tournaments.services.errors import Invalid

from .worlds import a_club


def a_picture(form: str = "PNG", size: tuple[int, int] = (600, 300), **how: object) -> bytes:
    kept = BytesIO()
    mode = "RGB" if form == "JPEG" else "RGBA"
    drawn = Image.new(mode, size, (14, 75, 57) if mode == "RGB" else (14, 75, 57, 128))
    drawn.save(kept, form, **how)
    return kept.getvalue()


def header_alone(width: int, height: int) -> bytes:
    """A PNG that says how large it is, and is not: what would burst whoever unpacks it first."""
    said = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = [
        struct.pack(">I", len(one) - 4) + one + struct.pack(">I", zlib.crc32(one)) for one in (said, b"IDAT")
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def told_oddly() -> bytes:
    """A photograph held upright, whose camera says what it shows as a number with a point."""
    entries = struct.pack("<HHIHH", 0x0112, 3, 1, 6, 0) + struct.pack("<HHIf", 0x010E, 11, 1, 1.5)
    told = b"Exif\0\0II*\0" + struct.pack("<IH", 8, 2) + entries + struct.pack("<I", 0)
    return a_picture("JPEG", (64, 64), exif=told)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_made_small_and_written_anew(form: str) -> None:
    found = logos.picture(a_picture(form))
    assert (found.width, found.height) == (320, 160)
    with Image.open(BytesIO(found.content)) as kept:
        assert (kept.format, kept.size) == ("WEBP", (320, 160))
        assert kept.convert("RGBA").getpixel((5, 5))[3] == (255 if form == "JPEG" else 128)


def test_where_a_picture_was_taken_does_not_come_along_and_it_stands_as_it_was_held() -> None:
    told = Image.Exif()
    told[0x0112], told[0x010E], told[0x0110] = 6, "Chez Odile, 3 rue des Lilas", "Phone"
    content = a_picture("JPEG", (300, 200), exif=told, comment=b"Odile was here", icc_profile=b"x" * 500)
    assert b"Lilas" in content
    found = logos.picture(content)
    assert (found.width, found.height) == (200, 300), "its camera was held upright"
    with Image.open(BytesIO(found.content)) as kept:
        assert not kept.getexif()
        assert set(kept.info) <= {"loop", "background", "timestamp", "duration"}
    assert not any(text in found.content for text in (b"Lilas", b"Odile", b"EXIF", b"ICCP", b"XMP "))


def test_a_picture_that_moves_is_kept_as_its_first_frame() -> None:
    kept = BytesIO()
    frames = [Image.new("RGB", (64, 64), colour) for colour in ("red", "green", "blue")]
    frames[0].save(kept, "WEBP", save_all=True, append_images=frames[1:], lossless=True)
    with Image.open(BytesIO(logos.picture(kept.getvalue()).content)) as found:
        assert getattr(found, "n_frames", 1) == 1
        red, green, _blue, _alpha = found.convert("RGBA").getpixel((9, 9))
        assert red > 200 > 60 > green


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "SVG"),
        (b"GIF89a\x40\x00\x40\x00\x00\x00\x00;", "PNG, JPEG or WebP"),
        (b"", "PNG, JPEG or WebP"),
        (b"%PDF-1.7", "PNG, JPEG or WebP"),
        (a_picture()[:200], "PNG, JPEG or WebP"),
        (header_alone(100, 100), "PNG, JPEG or WebP"),
        (told_oddly(), "PNG, JPEG or WebP"),
        (header_alone(30_000, 30_000), "million pixels"),
        (header_alone(2**31 - 1, 2**31 - 1), "million pixels|PNG, JPEG or WebP"),
        (a_picture(size=(47, 200)), "48 pixels"),
        (a_picture(size=(1000, 100)), "long and narrow"),
        (b"\0" * (logos.BYTES_AT_MOST + 1), "2 MB"),
    ],
)
def test_everything_else_is_refused_with_the_reason(content: bytes, words: str) -> None:
    with pytest.raises(Invalid, match=words):
        logos.picture(content)


@pytest.mark.django_db
def test_a_logo_is_put_replaced_and_removed_and_the_history_says_so() -> None:
    club = a_club()
    logos.put(club=club, actor=None, content=a_picture())
    first = Club.objects.get(pk=club.pk).logo
    logos.put(club=club, actor=None, content=a_picture())
    assert HistoryEntry.objects.filter(club=club, verb="mended").count() == 1, (
        "the same again changes nothing"
    )
    found = logos.put(club=club, actor=None, content=a_picture("JPEG", (96, 96)))
    assert (found.logo != first, found.logo_width, found.logo_height) == (True, 96, 96)
    assert ClubLogo.objects.count() == 1
    with pytest.raises(Invalid):
        logos.put(club=club, actor=None, content=b"<svg/>")
    assert Club.objects.get(pk=club.pk).logo == found.logo
    logos.remove(club=club, actor=None)
    logos.remove(club=club, actor=None)
    assert (Club.objects.get(pk=club.pk).logo, ClubLogo.objects.count()) == ("", 0)
    assert HistoryEntry.objects.filter(club=club, verb="mended").count() == 3
