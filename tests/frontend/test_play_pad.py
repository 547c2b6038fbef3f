"""The play of a board taken down card by card: the pad knows what the table has seen, and nothing else."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from playwright.sync_api import Page, Route

from engines.contract import Game, with_defaults
from tests.engines.test_conformance import GAMES, board
from tests.frontend.browsers import in_a_browser
from tests.frontend.test_result_entry import ADDRESS, IMPORTS, STATIC
from tests.frontend.test_table_page import phone, send
from tests.samples import many
from tests.tournaments.test_table_links import an_official
from tests.tournaments.worlds import World, a_record, a_world, plays_of, work
from tournaments.compressing import plain
from tournaments.models import LateEntry, Session, Submission
from tournaments.services import table_links

PADS = [game for game in GAMES if game.pad(with_defaults(game.options, {})) is not None]
PAGE = """<!doctype html><script type="importmap">{imports}</script><script type="module">
import {{ tableAfter }} from "lib/card-pad.js"
window.turns = (pad, entries) => [...entries.keys(), entries.length].map((at) => {{
  const {{ seat, wants }} = tableAfter(pad, entries.slice(0, at), pad)
  return [wants, seat]
}})
</script>"""


def in_browser(test: Any) -> Any:
    """A test of this page that needs a browser; the others do not."""
    for mark in in_a_browser:
        test = mark(test)
    return test


WANTS = {"play": "card", "last": "card", "give": "given"}  # by phase; anything else is said


@pytest.fixture
def turns(tab: Page) -> Iterator[Page]:
    """A page with nothing but what is known of the table."""

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if not path:
            route.fulfill(body=PAGE.format(imports=json.dumps(IMPORTS)), content_type="text/html")
        else:
            text = plain(path, (STATIC / path).read_bytes())
            route.fulfill(body=text, content_type="text/javascript")

    tab.route(f"{ADDRESS}**", serve)
    tab.goto(ADDRESS)
    tab.wait_for_function("Boolean(window.turns)")
    yield tab
    tab.unroute(f"{ADDRESS}**")


def pad_of(game: Game[Any], options: Any) -> dict[str, Any]:
    pad = game.pad(options)
    assert pad is not None
    return pad.to_json(game.names, "en")


def keys_of(pad: dict[str, Any], faces: Iterable[str]) -> set[str]:
    """What can be entered: of the phone's keys."""
    plays = {f"play:{card}{mark}" for card in faces for mark in ("", *(one["token"] for one in pad["marks"]))}
    gifts = {f"{pad['gives']}{seat}" for seat in range(1, pad["seats"] + 1) if pad["gives"]}
    return plays | gifts | {one["token"] for one in pad["before"]}


@in_browser
@pytest.mark.parametrize("game", PADS, ids=lambda game: game.id)
def test_the_pad_says_it_as_the_engine_does(turns: Page, game: Game[Any]) -> None:
    """Without the hands: from what was said and played, and from the turned cards."""
    compared = 0
    for number in range(1, 1 + many(4, 40)):
        with board(game, "pads", number) as played:
            if game.pad(played.options) is None:
                continue
            state, said = played.state, []
            while not state.over:
                said.append([WANTS.get(state.phase, "said"), state.turn])
                state.apply(state.any_legal(state.turn, played.random))
            pad = pad_of(game, played.options) | {
                "seats": len(played.seats),
                "dealer": played.deal.dealer,
            }
            first = [f"@turned:{card[-1]}" for card in getattr(played.deal, "turned", ())[: pad["turned"]]]
            shown = turns.evaluate("([pad, entries]) => turns(pad, entries)", [pad, first + state.entries])
            assert shown[: len(first)] == [["turned", shown[0][1]]] * len(first)
            assert shown[len(first) : -1] == said
            assert shown[-1][0] == "end" or pad["rounds"] > 1
            assert set(state.entries) <= keys_of(pad, game.pad(played.options).pack.faces)
            compared += len(said)
    assert compared > 0


# ── What the service keeps and takes ──────────────────────────────────────────────────────────────


def first_play(world: World, home: str) -> Any:
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    return next(one for one in plays_of(world.session) if one.table_id == link.table_id)


def told(client: Client, address: str) -> dict[str, Any]:
    text = client.get(address).content.decode()
    return dict(json.loads(re.findall(r'<script id="pad"[^>]*>(.*?)</script>', text)[0]))


def test_a_play_is_taken_down_by_one_phone_and_handed_in_by_another(world: World) -> None:
    client, home = phone(world)
    play = first_play(world, home)
    number, address = play.board.number, f"{home}boards/{play.board.number}/play/"
    page = client.get(address)
    assert page.headers["Cache-Control"] == "no-store"
    assert "Cards that are still out" in page.content.decode()
    assert "Card by card" in client.get(home).content.decode()
    actions = a_record(play, world.session)["actions"]
    entries = ["@turned:S", "@turned:H", *actions[:2]]
    kept = send(client, f"{home}records/", board=number, entries=entries, revision=0)
    assert kept.json() == {"revision": 1}
    other = Client(HTTP_HOST="localhost")
    assert told(other, address)["kept"] == {"entries": entries, "revision": 1}
    assert send(other, f"{home}records/", board=number, entries=actions[:3], revision=1).json() == {
        "revision": 2
    }
    late = send(client, f"{home}records/", board=number, entries=entries, revision=1)
    assert (late.status_code, late.json()["code"]) == (409, "taken-up")
    assert late.json()["details"] == {"entries": actions[:3], "revision": 2}
    entry = {"board": number, "key": str(uuid4()), "actions": actions, "seat": 1}
    stored = [send(other, f"{home}results/", **entry).json() for _time in range(2)]
    assert stored[0] == stored[1]
    work(world.session)
    assert Submission.objects.get().state == "accepted"
    assert Submission.objects.get().content == {"actions": actions}
    assert client.get(address).headers["Location"] == home  # nothing more is shown of its cards
    assert "play:" not in client.get(home).content.decode()
    again = send(client, f"{home}records/", board=number, entries=[], revision=2)
    assert (again.status_code, again.json()["code"]) == (409, "not-open")


@pytest.mark.django_db
def test_the_pad_is_the_same_whatever_was_dealt() -> None:
    shown = []
    for _deal in range(2):
        world = a_world(published=True)
        client, home = phone(world)
        answers = [
            client.get(f"{home}boards/{number}/play/")
            for number in range(world.session.board_set.boards.count() + 2)
        ]
        assert {one.status_code for one in answers} == {200, 404}  # of the round that is played alone
        texts = [re.sub(r"/t/\w{10}/|nonce=\S+", "", one.content.decode()) for one in answers]
        shown.append([(one.status_code, text) for one, text in zip(answers, texts, strict=True)])
    assert shown[0] == shown[1]


def test_a_wrong_play_is_refused_without_a_word_of_what_is_wrong(world: World) -> None:
    client, home = phone(world)
    play = first_play(world, home)
    actions = a_record(play, world.session)["actions"]
    for wrong in (actions[::-1], actions[:-1], ["claim-aces"], []):
        entry = {"board": play.board.number, "key": str(uuid4()), "actions": wrong}
        assert send(client, f"{home}results/", **entry).status_code == 200
    work(world.session)
    text = client.get(f"{home}now/").content.decode()
    data = json.loads(re.findall(r'<script id="data"[^>]*>(.*?)</script>', text)[0])
    said = data["boards"][str(play.board.number)]["said"].values()
    assert {tuple(one) for one in said} == {
        ("refused", f"This cannot be the whole play of board {play.board.number}; is the number right?", None)
    }


def test_a_play_that_comes_too_late_waits_unread(world: World) -> None:
    client, home = phone(world)
    play = first_play(world, home)
    actions = a_record(play, world.session)["actions"]
    table_links.make(session=world.session, actor=world.organiser, tables=[play.table_id])
    entry = {"board": play.board.number, "key": str(uuid4()), "actions": actions}
    assert send(client, f"{home}results/", **entry).json()["state"] == "kept"
    assert client.get(f"{home}boards/{play.board.number}/play/").status_code == 404
    assert send(client, f"{home}records/", board=play.board.number, entries=[], revision=0).status_code == 409
    official = an_official(world)
    desk = Client(HTTP_HOST="localhost")
    desk.force_login(official)
    shown = desk.get(f"/en/desk/sessions/{world.session.pk}/tables/").content.decode()
    assert "Card by card: 30" in shown
    assert actions[0] not in shown
    table_links.settle(entry=LateEntry.objects.get(), account=official, take=True)
    work(world.session)
    assert Submission.objects.get().state == "accepted"


@pytest.mark.parametrize(
    "entries", [None, "play:AS", [1], ["x" * 41], ["é"], ["a\nb"], ["play:AS"] * 601, {"0": "play:AS"}]
)
def test_what_no_pad_sends_is_refused(world: World, entries: Any) -> None:
    client, home = phone(world)
    board = first_play(world, home).board.number
    for name, body in (("records", {"entries": entries}), ("results", {"actions": entries})):
        body |= {"board": board, "key": str(uuid4())}
        assert send(client, f"{home}{name}/", **body).status_code == 400
    assert not Submission.objects.exists()


def test_a_game_that_tells_too_much_has_no_pad(world: World) -> None:
    """Who may claim four aces would learn by a short play whether somebody holds them."""
    client, home = phone(world)
    board = first_play(world, home).board.number
    Session.objects.filter(pk=world.session.pk).update(options={"four_aces": "allow"})
    assert client.get(f"{home}boards/{board}/play/").status_code == 404
    assert "Card by card" not in client.get(home).content.decode()
    entry = {"board": board, "key": str(uuid4()), "actions": ["claim-aces", "vote:yes", "vote:yes"]}
    assert send(client, f"{home}results/", **entry).json()["code"] == "no-pad"
    assert not Submission.objects.exists()
