"""Photographs of paper slips: what is taken, what is left of it, who looks at it, and when it goes."""

import zlib
from datetime import timedelta
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.utils import timezone
from PIL import Image

from tournaments.models import HistoryEntry, Play, SlipPhoto, Token
from tournaments.models.accounts import RoleKind
from tournaments.services import deleting, erasing, my_data, rounds, sessions, slip_photos, tokens
from tournaments.services.errors import Conflict, Forbidden, Invalid

from .test_logos import a_picture, header_alone
from .test_own_session import official
from .worlds import World, a_world, plays_of, table_hands_in, work

pytestmark = pytest.mark.django_db

SLIP = (900, 1200)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
PAGE = b"<html><script>alert(1)</script></html>"


def own_play(world: World) -> Play:
    found = Play.objects.filter(table=world.table.table).order_by("round", "pk").first()
    assert found is not None
    return found


def send(world: World, content: bytes | None = None, play: Play | None = None) -> SlipPhoto:
    taken = a_picture("JPEG", SLIP) if content is None else content
    return slip_photos.send(play=play or own_play(world), actor=world.table, content=taken)


# ── What is taken ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_photo_is_made_small_and_written_anew(form: str) -> None:
    found = slip_photos.picture(a_picture(form, (2400, 3200)))
    assert (found.width, found.height) == (1200, 1600)
    with Image.open(BytesIO(found.content)) as kept:
        assert (kept.format, kept.mode, kept.size) == ("WEBP", "RGB", (1200, 1600))


def test_where_it_was_taken_and_whatever_else_the_file_says_does_not_come_along() -> None:
    said = Image.Exif()
    said[0x0112], said[0x010E], said[0x0110] = 6, "Chez Odile, 3 rue des Lilas", "Phone of Odile"
    said.get_ifd(0x8825)[2] = (48.0, 42.0, 11.0)  # the place
    content = a_picture("JPEG", (1200, 900), exif=said, comment=b"Odile was here", icc_profile=b"x" * 500)
    assert b"Lilas" in content
    found = slip_photos.picture(content + PAGE + b"PK\x03\x04")
    assert (found.width, found.height) == (900, 1200), "its camera was held upright"
    with Image.open(BytesIO(found.content)) as kept:
        assert not kept.getexif()
    hidden = (b"Lilas", b"Odile", b"EXIF", b"ICCP", b"XMP ", b"<script", b"PK\x03\x04")
    assert not any(text in found.content for text in hidden)


def test_of_a_photo_with_several_pictures_in_it_the_first_is_kept() -> None:
    """As phones write them, that keep a small or a deep one beside it."""
    kept = BytesIO()
    frames = [Image.new("RGB", SLIP, colour) for colour in ("red", "blue")]
    frames[0].save(kept, "MPO", save_all=True, append_images=frames[1:])
    with Image.open(BytesIO(slip_photos.picture(kept.getvalue()).content)) as found:
        red, _green, blue = found.getpixel((9, 9))
        assert red > 200 > 60 > blue


def bomb() -> bytes:
    """A PNG of a few kilobytes that would be three gigabytes."""
    head = header_alone(30_000, 30_000)
    return head + zlib.compress(b"\0" * 1_000_000)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (SVG, "JPEG, PNG and WebP"),
        (PAGE, "JPEG, PNG and WebP"),
        (b"GIF89a\x40\x00\x40\x00\x00\x00\x00;" + SVG, "JPEG, PNG and WebP"),
        (b"%PDF-1.7", "JPEG, PNG and WebP"),
        (b"\0\0\0\x18ftypheic", "JPEG, PNG and WebP"),
        (b"\xff\xd8\xff\xe0" + SVG, "JPEG, PNG and WebP"),
        (b"", "JPEG, PNG and WebP"),
        (a_picture("JPEG", SLIP)[:2000], "JPEG, PNG and WebP"),
        (bomb(), "25 million pixels"),
        (header_alone(2**31 - 1, 2**31 - 1), "million pixels|JPEG, PNG and WebP"),
        (header_alone(5001, 5001), "25 million pixels"),
        (a_picture(size=(199, 900)), "200 pixels"),
        (b"\xff\xd8\xff" + b"\0" * slip_photos.BYTES_AT_MOST, "10 MB"),
    ],
)
def test_everything_else_is_refused_in_words(content: bytes, words: str) -> None:
    with pytest.raises(Invalid, match=words) as refusal:
        slip_photos.picture(content)
    assert refusal.value.code == "bad-photo"


# ── Who sends ─────────────────────────────────────────────────────────────────────────────────────


def test_a_table_sends_its_own_and_the_same_twice_is_one(world: World) -> None:
    first, again = send(world), send(world)
    assert (first.pk, SlipPhoto.objects.count()) == (again.pk, 1)
    line = HistoryEntry.objects.get(verb="sent slip photo")
    assert (line.session_id, line.detail) == (world.session.pk, {"board": own_play(world).board.number})
    other = next(one for one in plays_of(world.session) if one.table_id != world.table.table_id)
    with pytest.raises(Forbidden):
        send(world, play=other)
    with pytest.raises(Forbidden):
        slip_photos.send(play=own_play(world), actor=world.holder("player"), content=a_picture())


def test_there_are_four_of_a_board_at_most(world: World) -> None:
    for side in range(300, 300 + slip_photos.AT_MOST):
        send(world, a_picture("JPEG", (side, side)))
    with pytest.raises(Conflict) as refusal:
        send(world, a_picture("JPEG", (400, 400)))
    assert refusal.value.code == "too-many-photos"


def test_nobody_sends_one_of_a_round_that_waits_nor_once_the_session_has_been_played(world: World) -> None:
    rounds.pace(session=world.session, actor=None, pace=rounds.Pace(20))
    with pytest.raises(Conflict) as refusal:
        send(world)
    assert refusal.value.code == "round-waits"
    rounds.open_round(session=world.session, actor=None, number=1)
    assert send(world).pk
    sessions.finish(session=world.session, actor=world.organiser)
    with pytest.raises(Conflict) as refusal:
        send(world, a_picture("JPEG", (500, 500)))
    assert refusal.value.code == "session-not-played"


# ── Who looks ─────────────────────────────────────────────────────────────────────────────────────


def seen(world: World, viewer: Token) -> set[int]:
    return {one.pk for one in slip_photos.seen_by(world.session, viewer)}


def test_officials_look_at_it_and_neither_tables_nor_players_do(world: World) -> None:
    photo = send(world)
    for role in ("organiser", "scorer"):
        assert seen(world, world.holder(role)) == {photo.pk}
    for role in ("foreign organiser", "foreign scorer", "table", "other table", "player"):
        assert not seen(world, world.holder(role)), role
    address = f"/api/v1/sessions/{world.session.pk}/slip-photos/{photo.pk}/"
    answer = world.client("organiser").get(address)
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("image/webp", "private, no-store")
    assert answer.content == bytes(photo.content)
    assert world.client("table").get(address).status_code == 403


@pytest.mark.parametrize("kind", [RoleKind.DIRECTOR, RoleKind.SCORER])
def test_an_official_who_plays_looks_at_it_once_the_board_is_over(kind: RoleKind) -> None:
    world = a_world()
    tokens.issue_for_tables(session=world.session, actor=world.organiser)
    photo, own = send(world), own_play(world)
    client = official(world, own.seatings.get(seat=1).contestant.players.get().name, kind)
    address = f"/api/v1/sessions/{world.session.pk}/slip-photos/"
    assert client.get(address).json()["results"] == []
    assert client.get(f"{address}{photo.pk}/").status_code == 404
    for play in plays_of(world.session):
        if play.board_id == own.board_id:
            table_hands_in(world, play)
    work(world.session)
    assert [one["id"] for one in client.get(address).json()["results"]] == [photo.pk]
    assert client.get(f"{address}{photo.pk}/").status_code == 200


# ── When it goes ──────────────────────────────────────────────────────────────────────────────────


def test_it_goes_after_thirty_days(world: World) -> None:
    photo = send(world)
    SlipPhoto.objects.filter(pk=photo.pk).update(made_at=timezone.now() - timedelta(days=29))
    call_command("forget_old")
    assert SlipPhoto.objects.exists()
    SlipPhoto.objects.filter(pk=photo.pk).update(made_at=timezone.now() - timedelta(days=31))
    call_command("forget_old")
    assert not SlipPhoto.objects.exists()


def test_it_goes_with_its_session(world: World) -> None:
    send(world)
    deleting.delete(session=world.refresh(), actor=world.organiser)
    assert not SlipPhoto.objects.exists()


def test_it_goes_when_one_who_sat_there_is_erased(world: World) -> None:
    photo = send(world)
    sat = own_play(world).seatings.select_related("contestant").get(seat=1)
    others = [one for one in plays_of(world.session) if not one.seatings.filter(contestant=sat.contestant)]
    stays = slip_photos.send(play=others[0], actor=world.organiser, content=a_picture("JPEG", (300, 300)))
    player = sat.contestant.players.get()
    (kept,) = my_data.about(None, [player])["slip_photos"]["data"]
    assert kept["play__board__number"] == own_play(world).board.number
    erasing.erase_player(player=player, actor=None)
    assert set(SlipPhoto.objects.values_list("pk", flat=True)) == {stays.pk}
    assert photo.pk != stays.pk


def test_what_is_no_photo_is_refused_by_the_api_in_its_words(world: World) -> None:
    play = own_play(world)
    address = f"/api/v1/sessions/{world.session.pk}/slip-photos/"
    body = {"board": play.board.number, "photo": SimpleUploadedFile("slip.jpg", SVG, "image/jpeg")}
    answer = world.client("table").post(address, body, format="multipart", HTTP_ACCEPT_LANGUAGE="fr")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-photo")
    assert "JPEG, PNG et WebP" in answer.json()["detail"]
    assert not SlipPhoto.objects.exists()
