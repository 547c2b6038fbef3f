"""What the stream of a player's own page tells: to whom, of what, and of what not."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.tournaments.worlds import World, a_world, hand_in, plays_of, work
from tournaments.api import live
from tournaments.models import Player, Seating, Session, Token
from tournaments.services import player_news, rounds

from .test_players_pages import a_browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> Iterator[World]:
    return a_world(published=True)


def cookie_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def test_a_stream_is_opened_by_what_opens_the_page_and_by_nothing_else(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "close_old_connections", lambda: None)
    player = Player.objects.get(pk=world.holder("player").player_id)
    client = a_browser_of(player)
    page = client.get(reverse("me")).content.decode()
    assert f'"{reverse("me")}live/"' in page, "the page follows it"
    assert live.ADDRESS.fullmatch(f"{reverse('me')}live/")
    cookie = cookie_of(client)
    assert player_news.players_with(cookie) == (player.pk,)
    for other in ("", "x" * 32, cookie[::-1]):
        assert player_news.players_with(other) == ()
        assert live.news_of_player(other) is None
    topic, news = live.news_of_player(cookie) or (None, None)
    assert topic == live.Topic(0, whole=False, players=(player.pk,))
    assert news is not None
    assert news.line == b"event: player\ndata: {}\n\n", "that something is new, and not what"
    Token.objects.filter(player=player).update(revoked_at=world.session.created_at)
    assert live.news_of_player(cookie) is None


class Asked(live.Desk):
    """A desk that has asked the database before: on an event loop a test has no connection to its own."""

    def __init__(self, cookie: str) -> None:
        super().__init__()
        self.known = {cookie: live.news_of_player(cookie)}

    async def admit_player(self, cookie: str) -> Any:
        return self.known.get(cookie)


@pytest.mark.parametrize(("is_held", "status"), [(True, 200), (False, 404)], ids=["held", "nobody"])
def test_a_browser_is_sent_news_for_whoever_it_holds(
    world: World, monkeypatch: pytest.MonkeyPatch, is_held: bool, status: int
) -> None:
    monkeypatch.setattr(live, "close_old_connections", lambda: None)
    client = a_browser_of(Player.objects.get(pk=world.holder("player").player_id))
    monkeypatch.setattr(live, "desk", Asked(cookie_of(client)))
    cookie = f"other=1; {settings.SESSION_COOKIE_NAME}={cookie_of(client)}".encode()
    head = [(b"cookie", cookie)] if is_held else []
    scope = {"type": "http", "method": "GET", "path": f"{reverse('me')}live/", "query_string": b""}

    async def run() -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []
        told = asyncio.Event()

        async def send(message: Any) -> None:
            sent.append(message)
            if message.get("body"):
                told.set()

        async def receive() -> dict[str, Any]:
            await told.wait()
            return {"type": "http.disconnect"}

        await live.stream(scope | {"headers": head, "client": ("127.0.0.1", 1)}, receive, send)
        return sent

    start, *rest = asyncio.run(run())
    assert start["status"] == status
    assert (b"event: player" in rest[0]["body"]) == is_held


def test_a_player_hears_of_their_evening_and_their_own_results_and_of_no_others(world: World) -> None:
    session, player = world.session, world.holder("player").player_id
    assert player is not None
    news = player_news.PlayerNews()

    def stamp() -> str:
        return news.stamps([(player,)])[player,]

    own, other = (
        next(play for play in plays_of(session) if is_own == _plays(play.pk, player))
        for is_own in (True, False)
    )
    hand_in(world, plays_of(session)[-1])  # the session runs from the first result on
    work(session)
    heard = [stamp()]
    assert stamp() == heard[-1], "nothing is new"
    hand_in(world, other)
    work(session)
    assert stamp() == heard[-1], "not even that others have a result"
    hand_in(world, own)
    work(session)
    heard.append(stamp())
    rounds.pace(session=session, actor=world.organiser, pace=rounds.Pace())
    rounds.open_round(session=session, actor=world.organiser, number=1)
    heard.append(stamp())
    Session.objects.filter(pk=session.pk).update(state=Session.State.CANCELLED)
    heard.append(stamp())
    assert len(set(heard)) == len(heard)
    assert news.stamps([()])[()] == "[]"


def _plays(play: int, player: int) -> bool:
    return Seating.objects.filter(play=play, contestant__members__player=player).exists()
