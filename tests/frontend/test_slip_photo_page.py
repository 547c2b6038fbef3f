"""Photographs of paper slips on the pages: a table sends them, and officials look at them."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.tournaments.test_logos import a_picture, header_alone
from tests.tournaments.worlds import World, plays_of
from tournaments.models import SlipPhoto
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, roles, rounds, table_links
from tournaments.services.roles import RolePlace

from .test_table_page import phone

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def own_board(world: World) -> int:
    """The first board of the table whose page `phone` opens."""
    link = table_links.in_force(world.session, world.organiser)[0]
    return min(
        one.board.number
        for one in plays_of(world.session)
        if one.table_id == link.table_id and one.round == 1
    )


def sends(client: Client, home: str, board: int, content: bytes | None = None) -> Any:
    photo = SimpleUploadedFile("slip.jpg", content or a_picture("JPEG", (900, 1200)), "image/jpeg")
    return client.post(f"{home}photos/", {"board": board, "photo": photo}, follow=True)


@pytest.mark.django_db
def test_a_phone_without_scripts_sends_a_photo_by_a_plain_form(world: World) -> None:
    client, home = phone(world)
    board = own_board(world)
    assert f'href="{home}photos/"' in client.get(home).content.decode()
    assert 'enctype="multipart/form-data"' in client.get(f"{home}photos/").content.decode()
    assert f"has 1 photo of board {board}" in sends(client, home, board).content.decode()
    photo = SlipPhoto.objects.get()
    assert (photo.play.board.number, photo.width, photo.height) == (board, 900, 1200)
    assert f"has 1 photo of board {board}" in sends(client, home, board).content.decode(), "the same again"
    other = sends(client, home, board, a_picture("JPEG", (800, 800)))
    assert f"has 2 photos of board {board}" in other.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (SVG, "This is not a photo"),
        (header_alone(30_000, 30_000), "25 million pixels"),
        (b"\xff\xd8\xff" + b"\0" * 10_000_001, "10 MB at most"),
    ],
)
def test_what_is_no_photo_is_refused_beside_the_field(world: World, content: bytes, words: str) -> None:
    client, home = phone(world)
    answer = sends(client, home, own_board(world), content)
    assert (answer.status_code, SlipPhoto.objects.count()) == (400, 0)
    assert words in answer.content.decode()


@pytest.mark.django_db
def test_a_table_sends_for_boards_that_it_has_begun_and_for_no_others(world: World) -> None:
    client, home = phone(world)
    board = own_board(world)
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    later = next(one for one in plays_of(world.session) if one.table_id == link.table_id and one.round == 2)
    assert sends(client, home, 99).status_code == 400
    rounds.pace(session=world.session, actor=None, pace=rounds.Pace(20))
    assert "Nothing is being played" in sends(client, home, board).content.decode()
    rounds.open_round(session=world.session, actor=None, number=1)
    assert sends(client, home, later.board.number).status_code == 400
    table_links.make(session=world.session, actor=world.organiser, tables=[link.table_id])
    assert sends(client, home, board).status_code == 404
    assert not SlipPhoto.objects.exists()


@pytest.mark.django_db
def test_officials_see_it_beside_the_result_and_no_phone_gets_it_back(world: World) -> None:
    client, home = phone(world)
    board = own_board(world)
    sends(client, home, board)
    photo = SlipPhoto.objects.select_related("play").get()
    address = reverse("slip-photo", args=[world.session.pk, photo.pk])
    director, officer = (Client(HTTP_HOST="localhost") for _one in range(2))
    for who, kind in ((director, RoleKind.DIRECTOR), (officer, RoleKind.DEAL_OFFICER)):
        account = accounts.create(name=kind, email=f"{kind}@example.org", password=None)
        roles.grant(account=account, kind=kind, place=RolePlace(session=world.session), actor=None)
        who.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
    desk = reverse("desk-play", args=[world.session.pk, photo.play_id])
    assert f'src="{address}"' in director.get(desk).content.decode()
    answer = director.get(address)
    assert (answer.content, answer["Content-Type"]) == (bytes(photo.content), "image/webp")
    assert (answer["X-Content-Type-Options"], answer["Cache-Control"]) == ("nosniff", "private, no-store")
    assert address not in officer.get(desk).content.decode()
    assert officer.get(address).status_code == 404
    assert client.get(address).status_code == 302, "to where one signs in"
    for there in (home, f"{home}now/", f"{home}photos/?board={board}"):
        assert "slip-photos" not in client.get(there).content.decode()
