"""Plays that phones take down: what the service keeps of them, takes, and refuses unread."""

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from engines import bots, registry
from engines.contract import with_defaults
from frontend.table import showing
from tests.engines.test_conformance import board
from tests.frontend.playing import PADS
from tests.frontend.test_table_page import phone, send
from tests.samples import here
from tests.tournaments.test_table_links import an_official
from tests.tournaments.worlds import World, a_world, plays_of, work
from tests.tournaments.worlds import a_record as a_record_of
from tournaments.models import LateEntry, Session, Submission
from tournaments.services import board_sets, table_links


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
    actions = a_record_of(play, world.session)["actions"]
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
@pytest.mark.parametrize("game", here([game.id for game in PADS if game.seats[0] == 3], one_in=4))
def test_the_pad_is_the_same_whatever_was_dealt(game: str) -> None:
    shown = []
    for _deal in range(2):
        world = a_world(published=True, game=game)
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
    actions = a_record_of(play, world.session)["actions"]
    entry = {"board": play.board.number, "key": str(uuid4()), "actions": actions[::-1]}
    assert send(client, f"{home}results/", **entry).status_code == 200
    work(world.session)
    text = client.get(f"{home}now/").content.decode()
    data = json.loads(re.findall(r'<script id="data"[^>]*>(.*?)</script>', text)[0])
    said = data["boards"][str(play.board.number)]["said"].values()
    why = f"This cannot be the whole play of board {play.board.number}; is the number right?"
    assert {tuple(one) for one in said} == {("refused", why, None, None)}


def test_a_play_without_all_of_its_cards_is_not_read(world: World) -> None:
    """Accepted or not, it would tell who may claim, or bid so high."""
    client, home = phone(world)
    play = first_play(world, home)
    actions = a_record_of(play, world.session)["actions"]
    for short in (actions[:-1], ["claim-aces"], []):
        entry = {"board": play.board.number, "key": str(uuid4()), "actions": short}
        answer = send(client, f"{home}results/", **entry)
        assert (answer.status_code, answer.json()["code"]) == (400, "not-whole")
    assert not Submission.objects.exists()


@pytest.mark.django_db
def test_a_caisse_is_taken_whole_or_not_read() -> None:
    """Of a défi that is conceded nothing is told; from the first card to the last it counts."""
    world = a_world(game="caisse")
    client, home = phone(world)
    play = first_play(world, home)
    board = play.board.number
    page = client.get(f"{home}boards/{board}/play/").content.decode()
    assert "Cards that are still out" in page
    game, pad = registry.game("caisse"), showing.pad_of(world.session)
    assert pad is not None
    actions: list[str] = []
    for seed in range(100):
        if pad.is_whole(actions):
            break
        state = game.start(board_sets.deal_of(world.session, board), world.session.options)
        bots.play_on(game, state, [bots.at_random] * 3, bots.randomness(seed))
        actions = list(state.entries)
    last = max(at for at, action in enumerate(actions) if action.startswith("play:"))
    short = send(client, f"{home}results/", board=board, key=str(uuid4()), actions=actions[:last])
    assert (short.status_code, short.json()["code"]) == (400, "not-whole")
    assert not Submission.objects.exists()
    assert send(client, f"{home}results/", board=board, key=str(uuid4()), actions=actions).status_code == 200
    work(world.session)
    assert Submission.objects.get().state == "accepted"


@pytest.mark.django_db
def test_of_demons_punisseurs_only_a_jeu_that_was_played_is_read_and_once() -> None:
    """A jeu that is conceded would tell who has a specimen; a play that goes wrong is the last one."""
    world = a_world(game="demons-punisseurs")
    client, home = phone(world)
    board = first_play(world, home).board.number

    def answer(actions: list[str]) -> Any:
        return send(client, f"{home}results/", board=board, key=str(uuid4()), actions=actions)

    conceded = [f"{seat} concede:{name}" for name in ("pareil", "suite", "jeu") for seat in (1, 2)]
    assert answer(["done", *conceded]).json()["code"] == "not-whole"
    assert not Submission.objects.exists()
    guess = ["done", *(f"play:{card}" for card in ("7S", "8S", "9S", "TS") for _seat in range(3))]
    assert answer(guess).status_code == 200
    work(world.session)
    assert Submission.objects.get().state == "refused"
    again = answer(guess[::-1])
    assert (again.status_code, again.json()["code"]) == (409, "too-many-refused")
    assert Submission.objects.count() == 1


@pytest.mark.django_db
def test_a_loba_is_handed_in_once() -> None:
    """Who finishes, and with what, is a guess at hands: the first one is read, and no other."""
    world = a_world(game="loba")
    client, home = phone(world)
    board = first_play(world, home).board.number

    def answer(actions: list[str]) -> Any:
        return send(client, f"{home}results/", board=board, key=str(uuid4()), actions=actions)

    assert answer(["draw", "lay:set(7S,7H,JK)+set(8S,8H,JK)"]).json()["code"] == "not-whole"
    assert not Submission.objects.exists()
    assert answer(["draw", "discard:AS"]).status_code == 200
    work(world.session)
    assert Submission.objects.get().state == "refused"
    assert answer(["draw", "discard:2S"]).json()["code"] == "too-many-refused"
    game, session = registry.game("loba"), world.session
    state = game.start(board_sets.deal_of(session, board), session.options)
    bots.play_on(game, state, [bots.at_random] * 3, bots.randomness(1))
    assert answer(list(state.entries)).json()["code"] == "too-many-refused"


def test_a_play_that_comes_too_late_waits_unread(world: World) -> None:
    client, home = phone(world)
    play = first_play(world, home)
    actions = a_record_of(play, world.session)["actions"]
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
    "entries", [None, "play:AS", [1], ["x" * 701], ["é"], ["a\nb"], ["play:AS"] * 601, {"0": "play:AS"}]
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


def test_of_a_duel_any_play_would_be_taken_and_tell_the_packs() -> None:
    """It says who draws and who concedes, which fits whatever lies in the packs: there is no pad."""
    game = registry.game("duel-las-vegas")
    told: dict[int, set[tuple[int, ...]]] = {}
    for number in range(1, 20):
        with board(game, "duel", number) as dealt:
            while not dealt.state.over:
                dealt.state.apply("concede")
            told.setdefault(len(dealt.state.entries), set()).add(dealt.state.outcome().scores)
    assert game.pad(with_defaults(game.options, {})) is None
    assert max(map(len, told.values())) > 1
