"""The page of a table as its phones ask for it: every state, and an adversary who has its code."""

import json
import re
from itertools import pairwise
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from engines import registry
from frontend.table import views
from tests.samples import many
from tests.tournaments.worlds import World, a_world, hand_in, plays_of, work
from tournaments.limits import limiter
from tournaments.models import (
    Announcement,
    Call,
    LateEntry,
    Play,
    Player,
    Result,
    Seating,
    Session,
    Submission,
    Substitution,
)
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    board_sets,
    calls,
    confirmations,
    roles,
    rounds,
    rulings,
    states,
    table_links,
)
from tournaments.services.roles import RolePlace
from tournaments.services.table_news import TableNews

from .test_people_pages import PASSWORD, signed_in
from .test_players_pages import a_browser_of

TRIES = many(250, 1_000)
OF_PLAYERS = many(60, 1_000)


def phone(world: World, place: int = 0) -> tuple[Client, str]:
    """A browser without a cookie, and the address of a table's page."""
    table_links.make(session=world.session, actor=world.organiser)
    links = table_links.codes(table_links.in_force(world.session, world.organiser))
    return Client(HTTP_HOST="localhost"), f"/en/t/{links[place][1]}/"


def send(client: Client, address: str, **body: Any) -> Any:
    return client.post(address, json.dumps(body), content_type="application/json")


@pytest.mark.django_db
def test_a_pair_marks_and_agrees_once_and_its_side_has_the_name_that_slips_give_it() -> None:
    world = a_world(published=True, game="cochonnet", players=8, movement="howell")
    client, home = phone(world)
    play = plays_of(world.session)[0]
    own = [one.contestant.name for one in play.seatings.select_related("contestant").order_by("seat")][:2]
    text = client.get(home).content.decode()
    sides = re.findall(r"<span><b>(\w+)</b> ([\d +]+) <b class=\"person\">([^<]*)</b></span>", text)
    assert sides == [("NS", "1 + 3", own[0]), ("EW", "2 + 4", own[1])]
    asked = re.findall(r'data-seat="(\d)">([^<]+)</button>', text)
    assert asked == [("1", own[0]), ("2", own[1])], "whose phone it is: each pair once"
    sheet = {"rounds": [[41, 30], [45, 33], [38, 29], [35, 40]]}
    send(client, f"{home}results/", board=play.board.number, key=str(uuid4()), sheet=sheet)
    work(world.session)
    text = client.get(home).content.decode()
    assert text.count(f"<dt>{own[0]}</dt>") == 1
    assert text.count(f"{own[1]} agree<") == 1, "two people"
    assert f"{own[1]} agrees" not in text


@pytest.mark.django_db
def test_a_table_is_told_which_boards_it_shuffles_itself() -> None:
    wish: dict[str, Any] = {"game": "cochonnet", "players": 8, "movement": "mitchell", "boards_per_round": 2}
    world = a_world(published=True, sealed=False, **wish)
    client, home = phone(world)
    text = client.get(home).content.decode()
    assert text.count("Shuffle and deal it: you are the first to play it.") == 2
    assert "Do not shuffle it" not in text
    for play in plays_of(world.session):
        if play.round == 1:
            hand_in(world, play, {"sheet": {"rounds": [[41, 30], [45, 33], [38, 29], [35, 40]]}})
    work(world.session)
    text = client.get(home).content.decode()
    assert text.count("Do not shuffle it: it comes as others have held it.") == 2
    client, home = phone(a_world(published=True, **wish))
    assert "huffle" not in client.get(home).content.decode()


@pytest.mark.django_db
def test_a_table_is_told_which_copy_of_a_board_it_has_where_there_are_several() -> None:
    world = a_world(boards_per_round=2)  # all tables play the same boards
    for place in range(3):
        client, home = phone(world, place)
        assert re.findall(r"<b>Copy (\d)</b>", client.get(home).content.decode()) == [str(place + 1)] * 2


@pytest.mark.django_db
def test_no_table_is_told_of_copies_where_one_of_each_board_is_enough() -> None:
    client, home = phone(a_world(game="cochonnet", players=8, movement="howell"))
    assert "<b>Copy " not in client.get(home).content.decode()


@pytest.mark.django_db
def test_which_mene_a_board_plays_is_told_and_not_asked() -> None:
    """Its number says so, where the session has no other one; the boards are all of one mène where it has."""
    for conditions, preset in (({}, None), ({"mene": 4}, 4)):
        world = a_world(published=True, game="loba")
        Session.objects.filter(pk=world.session.pk).update(
            conditions={**world.session.conditions, **conditions}
        )
        client, home = phone(world)
        text = client.get(f"{home}now/").content.decode()
        data = json.loads(re.findall(r'<script id="data"[^>]*>(.*?)</script>', text)[0])
        told = data["boards"] | {
            number: one for later in data["later"] for number, one in later["boards"].items()
        }
        known = {
            int(number): (one["known"]["mene"], one["conditions"]["mene"]) for number, one in told.items()
        }
        menes = {number: preset or (number - 1) % 6 + 1 for number in known}
        assert known == {number: (mene,) * 2 for number, mene in menes.items()}
        assert f"mène {menes[min(menes)]}" in text


@pytest.mark.django_db
def test_in_a_game_to_the_right_the_seat_before_the_dealers_comes_next() -> None:
    """L’Hombre: after seat 1 comes seat 3, on the page as in its data for the boards that follow."""
    world = a_world(published=True, game="hombre")
    client, home = phone(world)
    page = client.get(home).text
    told = json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', page)[1])  # type: ignore[index]
    dealers = [(board["dealer"], board["first"]) for board in told["boards"].values()]
    assert {first - {1: 3, 2: 1, 3: 2}[dealer] for dealer, first in dealers} == {0}
    seats = re.findall(r'<li><span class="seat">(\d)</span>.*?</li>', page)
    following = re.findall(r'class="seat">(\d)</span><b class="person">[^<]*</b><small>next after', page)
    assert (seats, following) == (["1", "2", "3"], [str(dealers[0][1])])


def test_a_table_plays_its_evening_on_the_page(world: World) -> None:
    client, home = phone(world)
    page = client.get(home)
    assert client.get(home.replace("/en", "").rstrip("/")).headers["Location"].endswith(home[3:])
    assert page.headers["Cache-Control"] == "no-store"
    assert not client.cookies
    assert "We are seated" in page.content.decode()
    assert send(client, f"{home}seated/", round=1).json() == {"seated": True}
    text = client.get(f"{home}now/").content.decode()
    data = json.loads(re.findall(r'<script id="data"[^>]*>(.*?)</script>', text)[0])
    (board,) = (int(number) for number in data["boards"])
    assert f"Enter board {board}" in text
    assert (data["called"], '<p class="game">COM’ON!</p>' in text) == ("COM’ON!", True)
    entry = {"board": board, "key": str(uuid4()), "sheet": {"outcome": "normal", "tricks": [5, 3, 2]}}
    answers = [send(client, f"{home}results/", **entry, seat=1).json() for _time in range(2)]
    assert answers[0] == answers[1]
    work(world.session)
    shown = client.get(f"{home}now/").content.decode()
    agreeing = re.findall(r'name="seat" value="(\d)"', shown)
    assert agreeing == ["2", "3"], "their own side’s sheet nobody agrees with"
    assert "Where you go in round 2" in shown
    submission = answers[0]["submission"]
    agreed = {"board": board, "submission": submission, "seat": 2, "shared": True}
    assert send(client, f"{home}agreements/", **agreed).json() == {"state": "confirmed"}
    own = send(client, f"{home}agreements/", **(agreed | {"seat": 1}))
    assert (own.status_code, own.json()["code"]) == (409, "own-sheet")
    assert 'data-state="confirmed"' in client.get(f"{home}now/").content.decode()
    changed = entry | {"key": str(uuid4()), "sheet": {"outcome": "normal", "tricks": [4, 4, 2]}}
    assert send(client, f"{home}results/", **changed).json()["code"] == "no-reason"
    assert client.post(f"{home}calls/", {"reason": "seats"}).status_code == 302  # without a script
    assert Call.objects.get().reason == "seats"
    assert "has been called" in client.get(home).content.decode()
    send(client, f"{home}calls/", withdraw=True)
    send(client, f"{home}calls/", reason="ruling", board=board, text="Not played")
    told = Call.objects.open().get().remark
    assert told is not None
    assert told.text == "Not played"
    send(client, f"{home}calls/", withdraw=True)
    calls.announce(session=world.session, actor=world.organiser, text="Galette!")
    text = client.get(home).content.decode()
    assert "Galette!" in text
    assert "has been called" not in text
    send(client, f"{home}calls/", reason="ruling")
    assert "has been called" in client.get(home).content.decode()
    states.change(session=world.session, actor=None, to="played", confirmed=True)
    assert "has been called" not in client.get(home).content.decode(), "all has been played"


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"[]", b"{", b"\xff", b'{"board": "1e9"}', b'{"board": true}', b"null"),
        *(b'{"board": NaN}', b'{"reason": "\\ud800"}', b'{"sheet": {"a\\u0000": 1}}'),
    ],
)
def test_what_no_page_sends_is_refused(world: World, body: bytes) -> None:
    client, home = phone(world)
    for name in ("results", "agreements", "seated"):
        assert client.post(f"{home}{name}/", body, content_type="application/json").status_code == 400
    assert not Submission.objects.exists()


def test_wrong_codes_are_counted_and_told_nothing(world: World) -> None:
    client, home = phone(world)
    limiter.reset()
    with override_settings(RATES={**_rates(), "failed": "5/min"}):
        random = Random(1)
        answers = [
            client.get(f"/en/t/{''.join(random.choices(table_links.ALPHABET, k=10))}/") for _time in range(7)
        ]
    limiter.reset()
    assert [one.status_code for one in answers] == [404] * 5 + [429] * 2
    pages = {re.sub(rb"/t/\w{10}/", b"", one.content) for one in answers[:5]}
    assert len(pages) == 1
    assert client.get(home).status_code == 200


def _rates() -> dict[str, str]:
    from django.conf import settings

    return dict(settings.RATES)


def test_without_a_script_a_board_has_a_form_of_fields(world: World) -> None:
    client, home = phone(world)
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    board = next(one.board.number for one in plays_of(world.session) if one.table_id == link.table_id)
    text = client.get(f"{home}boards/{board}/").content.decode()
    key = re.findall(r'name="sheet-key" value="([^"]+)"', text)[0]
    fields = {"sheet-key": key, "sheet-outcome": "normal"}
    tricks = {f"sheet-tricks{seat}": str(count) for seat, count in ((1, 5), (2, 3), (3, 1))}
    assert client.post(f"{home}boards/{board}/", fields | tricks).status_code == 400
    assert client.post(f"{home}boards/{board}/", fields | tricks | {"sheet-tricks3": "2"}).status_code == 302
    assert Submission.objects.get().content == {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}}
    assert client.get(f"{home}boards/99/").status_code == 404


@pytest.mark.django_db
def test_an_adversary_with_a_tables_code_learns_no_card_and_no_result_of_others() -> None:
    """Whatever they ask and send, of every board and table: what comes back is the same for other deals, but
    for the one refusal of each play that a table may get; no hand, no seed, nothing that others have said."""
    told = [_answers(others_have_played()) for _deal in range(2)]
    assert len(told[0]) > TRIES
    assert told[0] == told[1]


def others_have_played() -> World:
    """A listed session in which every table but the first has entered all of its boards."""
    world = a_world(published=True)
    for play in plays_of(world.session):
        if play.table_id != world.table.table_id:
            hand_in(world, play)
    work(world.session)
    return world


def _answers(world: World) -> list[Any]:
    """By try, what the adversary is told, and what becomes of the plays that they send card by card; ids and
    keys are left out, which are others in another session."""
    client, home = phone(world)
    session: Session = world.refresh()
    secret = _secrets(session)
    random, answers = Random("adversary"), []
    numbers = [*range(1, session.board_set.boards.count() + 1), 0, 99, 10**8]
    by_cards = []
    for number in range(TRIES):
        board, seat = random.choice(numbers), random.choice([None, 1, 2, 3, 4])
        kind = random.randrange(10)
        if kind == 9:  # who sits where, in any order; the call goes again
            order = {f"seat_{at}": random.choice("01234x") for at in (1, 2, 3)}
            answer = client.post(f"{home}seats/", order | {"text": random.choice(["", "Zoé"])})
            there = Call.objects.filter(table=world.table.table_id).order_by("pk").last()
            told = answer.content.decode() if answer.status_code == 400 else ""
            answers.append((answer.status_code, CHANGES.sub("", told), there and there.order))
            send(client, f"{home}calls/", withdraw=True)
        elif kind == 0:
            answer = client.get(f"{home}boards/{board}/")
            answers.append(answer.status_code)
        elif kind == 1:
            answer = client.get(f"{home}now/")
            answers.append(answer.status_code)
        elif kind == 2:
            answer = send(client, f"{home}agreements/", board=board, submission=number + 1, seat=seat or 1)
            answers.append(answer.status_code)
        elif kind == 3:
            answer = client.get(f"{home}boards/{board}/play/")
            answers.append((answer.status_code, CHANGES.sub("", answer.content.decode())))
            continue  # all cards stand there, of whatever deal
        elif kind == 4:
            sent = {"board": board, "entries": _cards(random), "revision": random.randrange(3)}
            answer = send(client, f"{home}records/", **sent)
            answers.append((answer.status_code, answer.json()))
        elif kind == 5:
            key = str(uuid4())
            by_cards.append((board, key))
            answer = send(client, f"{home}results/", board=board, key=key, actions=_cards(random), seat=seat)
            answers.append((answer.status_code, answer.json().get("code"), answer.json().get("state")))
        else:
            sheet = random.choice(
                [
                    {"outcome": "annulled", "claimer": seat or 1, "granted": random.random() < 0.5},
                    {"outcome": "normal", "tricks": random.choice([[5, 3, 2], [10, 0, 0], [4, 4, 4]])},
                    {"outcome": "fault", "offender": seat or 2},
                ]
            )
            key = str(uuid4())
            answer = send(client, f"{home}results/", board=board, key=key, sheet=sheet, seat=seat)
            answers.append((answer.status_code, answer.json().get("code"), answer.json().get("state")))
        text = answer.content.decode()
        assert not [card for card in secret if card in text], (board, text)
    work(session)
    text = client.get(f"{home}now/").content.decode()
    assert not [card for card in secret if card in text]
    said = json.loads(re.findall(r'<script id="data"[^>]*>(.*?)</script>', text)[0])
    states = {state for one in said["boards"].values() for state, *_why in one.get("said", {}).values()}
    assert "disputed" not in states
    own = {str(one.board.number) for one in plays_of(session) if one.table_id == world.table.table_id}
    assert set(said["boards"]) <= own
    came_of = [said["boards"].get(str(board), {}).get("said", {}).get(key) for board, key in by_cards]
    assert any(came_of), "some were judged"
    return [*answers, came_of]


CHANGES = re.compile(r"/t/\w{10}/|nonce=\S+")


def _cards(random: Random) -> list[str]:
    """Some of the pack as a pad sends it, mostly as many as are played."""
    pack = [f"{rank}{suit}" for suit in "SHDC" for rank in "789TJQKA"]
    entries = [f"play:{card}" for card in random.sample(pack, random.choice([1, 29, 30, 30, 30, 32]))]
    return ["claim-aces", *entries] if random.random() < 0.1 else entries


@pytest.mark.django_db
def test_an_adversary_with_a_players_link_or_an_account_learns_no_card() -> None:
    """By the pages and by the API, of every board, their own that they have not played among them: what comes
    back is the same for other deals."""
    told = []
    for deal in range(2):
        world = others_have_played()
        player = Player.objects.get(pk=world.holder("player").player_id)
        account = accounts.create(name="Ana", email=f"ana{deal}@example.org", password=PASSWORD)
        Player.objects.filter(pk=player.pk).update(account=account)
        browsers = [a_browser_of(player), signed_in(account), Client(HTTP_HOST="localhost")]
        told.append(_told_by(world, browsers))
    assert len(told[0]) == OF_PLAYERS
    assert told[0] == told[1]


def _told_by(world: World, browsers: list[Client]) -> list[Any]:
    session: Session = world.refresh()
    secret, random, answers = _secrets(session), Random("adversary"), []
    numbers = [*range(1, session.board_set.boards.count() + 1), 99]
    plays = [one.pk for one in plays_of(session)]
    api, pk = world.client("player"), session.pk
    for _try in range(OF_PLAYERS):
        board, place, client = random.choice(numbers), random.randrange(len(plays)), random.choice(browsers)
        kind = random.randrange(5)
        if kind == 0:
            name = random.choice(["my-evening", "boards-page", "ranking-page", "verify-page"])
            answer = client.get(reverse(name, args=[pk]))
        elif kind == 1:
            name = random.choice(["my-board", "traveller-page"])
            answer = client.get(reverse(name, args=[pk, board]))
        elif kind == 2:
            name = random.choice(["my-replay", "replay-page"])
            answer = client.get(reverse(name, args=[pk, board, plays[place]]))
        elif kind == 3:
            part = random.choice(["", "traveller/", "proof/", "lists/"])
            resource = random.choice(["plays/", "submissions/", "deals/", "history/"])
            there = f"boards/{board}/{part}" if part else resource
            answer = api.get(f"/api/v1/sessions/{pk}/{there}")
        else:
            own = {"section": "A", "table": 1 + place % 3, "board": board, "key": str(uuid4())}
            body = {**own, "actions": _cards(random), "reason": "So"}
            answer = api.post(f"/api/v1/sessions/{pk}/submissions/", body, format="json")
        answers.append(answer.status_code)
        text = answer.content.decode(errors="replace")
        assert not [card for card in secret if card in text], (kind, board, text)
    return answers


def _secrets(session: Session) -> list[str]:
    """The seed, and each hand as a page would write it."""
    game = registry.game(session.game)
    found = []
    for number in range(1, session.board_set.boards.count() + 1):
        deal = game.show_deal(board_sets.deal_of(session, number))
        found += [json.dumps(hand) for hand in deal["hands"]] + [" ".join(hand) for hand in deal["hands"]]
        found += [f'"{card}"' for hand in deal["hands"] for card in hand]
    return found


def test_a_table_that_contradicts_the_desk_reads_who_says_what(world: World) -> None:
    client, home = phone(world)
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    play = next(one for one in plays_of(world.session) if one.table_id == link.table_id)
    hand_in(world, play)
    work(world.session)
    entry = {"board": play.board.number, "reason": "So it was", "key": str(uuid4())}
    send(client, f"{home}results/", **entry, sheet={"outcome": "normal", "tricks": [4, 4, 2]})
    work(world.session)
    text = client.get(home).content.decode()
    assert [text.count(f"<b>{who} says:</b>") for who in ("The desk", "The phone for all")] == [1, 1]
    assert text.count('data-take="counting"') == 1
    assert 'data-take="opposing"' not in text, "what the desk has entered, no table replaces"
    assert "<b>La direction dit" in client.get(home.replace("/en/", "/fr/")).content.decode()


@pytest.mark.django_db
def test_what_a_second_phone_for_all_replaces_stands_beside_it() -> None:
    """The newer entry counts; what stood there before it, since when, and a way back are told to all."""
    world = a_world(published=True, game="hombre")
    client, home = phone(world)
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    play = next(one for one in plays_of(world.session) if one.table_id == link.table_id)
    sheet = {"contract": "prendre", "hombre": 1, "tricks": [4, 3, 2], "matadors": 1}
    shown = []
    for matadors in (1, 2):
        entry = {"board": play.board.number, "key": str(uuid4()), "sheet": sheet | {"matadors": matadors}}
        send(client, f"{home}results/", **entry)
        work(world.session)
        shown.append(client.get(f"{home}now/").text)
    first, second = shown
    assert "in jetons" in first
    assert "whoever did not enter it agrees" in first
    assert "Changed at" not in first
    assert re.search(r"Changed at [^<]*\. It was: [^<]*: prendre", second)
    assert "matadors: 1. (+14 −7 −7)" in second
    assert second.count('data-take="before"') == 1
    data = json.loads(re.findall(r'<script id="data"[^>]*>(.*?)</script>', second)[0])
    assert data["boards"][str(play.board.number)]["before"]["matadors"] == 1


def test_a_link_that_has_ended_says_so_and_hands_in_to_the_director(world: World) -> None:
    client, home = phone(world)
    hand_in(world, plays_of(world.session)[-1])
    work(world.session)
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    table_links.make(session=world.session, actor=world.organiser, tables=[link.table_id])
    ended = client.get(home).content.decode()
    assert "This link has ended" in ended
    assert (reverse("table-code") in ended, 'name="code"' in ended) == (True, True)  # of the newer card
    board = next(one.board.number for one in plays_of(world.session) if one.table_id == link.table_id)
    entry = {"board": board, "key": str(uuid4()), "sheet": {"outcome": "normal", "tricks": [5, 3, 2]}}
    assert send(client, f"{home}results/", **entry).json()["state"] == "kept"
    assert LateEntry.objects.count() == 1
    director = accounts.create(name="Odile", email="odile@example.org", password=PASSWORD)
    roles.grant(
        account=director, kind=RoleKind.ORGANISER, place=RolePlace(world.session.tournament.club), actor=None
    )
    desk = signed_in(director)
    waiting = desk.get(reverse("session-desk", args=[world.session.pk])).content.decode()
    assert "A result has come too late to be entered" in waiting
    assert f"{reverse('session-tables', args=[world.session.pk])}#late" in waiting
    for name, body in (("seated", {"round": 1}), ("calls", {})):
        assert send(client, f"{home}{name}/", **body).status_code == 409


def test_the_page_has_a_state_for_each_of_the_evenings(world: World) -> None:
    client, home = phone(world)
    said = {"open": "We are seated"}
    rounds.pace(session=world.session, actor=world.organiser, pace=rounds.Pace())
    said["waiting"] = "has not been opened yet"
    for state, words in list(said.items())[1:]:
        text = client.get(home).content.decode()
        assert f'data-state="{state}"' in text
        assert words in text
    rounds.open_round(session=world.session, actor=world.organiser, number=1)
    assert "We are seated" in client.get(home).content.decode()
    rounds.close_round(session=world.session, actor=world.organiser, number=1)
    assert 'data-state="waiting"' in client.get(home).content.decode()  # for the next one
    Session.objects.filter(pk=world.session.pk).update(state=Session.State.CANCELLED)
    assert "has been cancelled" in client.get(home).content.decode()


def test_a_result_of_a_round_that_is_over_is_corrected_by_request(world: World) -> None:
    client, home = phone(world)
    address = f"{home}corrections/"
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    rounds.pace(session=world.session, actor=world.organiser, pace=rounds.Pace())
    rounds.open_round(session=world.session, actor=world.organiser, number=1)
    assert "changes itself" in client.get(address).content.decode()
    assert address not in client.get(home).content.decode()
    rounds.close_round(session=world.session, actor=world.organiser, number=1)
    assert address in client.get(home).content.decode()
    own = [one.board.number for one in plays_of(world.session) if one.table_id == link.table_id]
    listed = re.findall(r'<option value="(\d+)"', client.get(address).content.decode())
    assert listed == [str(own[0])]
    for wrong in ({"board": own[1], "text": "5-3-2"}, {"board": own[0], "text": " "}, {}):
        assert client.post(address, wrong).status_code == 400
    assert not Call.objects.exists()
    assert client.post(address, {"board": own[0], "text": "5-3-2, not 3-5-2"}).headers["Location"] == home
    call = Call.objects.get()
    assert call.board is not None
    assert call.remark is not None
    assert (call.board.number, call.remark.text, call.reason) == (own[0], "5-3-2, not 3-5-2", "other")
    assert "called already" in client.get(address).content.decode()
    assert client.post(address, {"board": own[0], "text": "again"}).status_code == 200
    assert Call.objects.count() == 1
    Session.objects.filter(pk=world.session.pk).update(state=Session.State.CANCELLED)
    assert "Tell the director" not in client.get(address).content.decode()
    assert client.post(address, {"board": own[0], "text": "again"}).status_code == 200
    assert Call.objects.count() == 1


def test_a_round_that_is_over_is_shown_again_where_nobody_who_sits_there_has_still_to_play_it(
    world: World,
) -> None:
    client, home = phone(world)
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    own = [one for one in plays_of(world.session) if one.table_id == link.table_id]
    hand_in(world, own[0])
    work(world.session)
    send(client, f"{home}seated/", round=own[1].round)
    text = client.get(f"{home}now/").content.decode()
    assert f"Round {own[0].round}, played here" in text
    assert f'data-board="{own[0].board.number}"' in text
    sitting = own[1].seatings.values("contestant")
    elsewhere = Play.objects.filter(board=own[0].board_id, seatings__contestant__in=sitting)
    assert elsewhere.exclude(pk=own[0].pk).update(round=own[1].round + 1)
    views._halls.clear()  # no service moves a play so
    text = client.get(f"{home}now/").content.decode()
    assert "played here" not in text, "they would read how the board was played"
    assert f'data-board="{own[0].board.number}"' not in text
    assert "Have a result of an earlier round corrected" in text


def test_a_result_just_entered_can_be_contradicted_whatever_was_played_here_before(world: World) -> None:
    """And of an earlier round, the director is asked."""
    client, home = phone(world)
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    own = [one for one in plays_of(world.session) if one.table_id == link.table_id]
    hand_in(world, own[0])
    work(world.session)
    gone = own[0].seatings.get(seat=1).contestant_id
    assert "rests" not in client.get(f"{home}now/").content.decode()
    Seating.objects.filter(contestant=gone, play__round=own[1].round).delete()
    views._halls.clear()  # no service takes anybody's seat so
    assert "rests" in client.get(f"{home}now/").content.decode(), "nobody tells whoever sits out"
    send(client, f"{home}seated/", round=own[1].round)
    text = client.get(f"{home}now/").content.decode()
    assert re.search(rf'data-seat="1" data-name="[^"]+">[^<]+, of round {own[0].round}<', text), (
        "who may agree"
    )
    entry = {"board": own[1].board.number, "key": str(uuid4()), "seat": 1}
    send(client, f"{home}results/", **entry, sheet={"outcome": "normal", "tricks": [5, 3, 2]})
    work(world.session)
    text = client.get(f"{home}now/").content.decode()
    for number, is_over in ((own[0].board.number, True), (own[1].board.number, False)):
        shown = text[text.index(f'data-board="{number}"') :].partition("</article>")[0]
        assert (f"{home}corrections/?board={number}" in shown) == is_over
        assert ("Not so" in shown) != is_over, "earlier rounds are shown again, and this one is open"
    proposed = client.get(f"{home}corrections/?board={own[0].board.number}").content.decode()
    assert f'<option value="{own[0].board.number}" selected>' in proposed


def test_what_both_sides_say_stands_there_until_they_agree_after_all(world: World) -> None:
    client, home = phone(world)
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    board = next(one.board.number for one in plays_of(world.session) if one.table_id == link.table_id)
    for seat, tricks in ((1, [5, 3, 2]), (2, [4, 4, 2])):
        sheet = {"outcome": "normal", "tricks": tricks}
        send(client, f"{home}results/", board=board, key=str(uuid4()), sheet=sheet, seat=seat)
        work(world.session)
    text = client.get(f"{home}now/").content.decode()
    assert text.count(" says:</b>") == 2
    assert "You can still agree" in text
    data = json.loads(re.findall(r'<script id="data"[^>]*>(.*?)</script>', text)[0])["boards"][str(board)]
    assert data["other"] == [2, {"outcome": "normal", "tricks": [4, 4, 2]}]
    again = {"board": board, "key": str(uuid4()), "sheet": data["sheet"], "seat": 2}
    assert send(client, f"{home}results/", **again).status_code == 200
    work(world.session)
    assert 'data-state="confirmed"' in client.get(f"{home}now/").content.decode()


def test_what_is_kept_of_a_page_is_what_it_would_be_anew(world: World) -> None:
    """Whatever happens that it shows; and it is made once for all phones of a table."""
    client, home = phone(world)
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    session, director = world.session, world.organiser
    own = [one for one in plays_of(session) if one.table_id == link.table_id]
    board = own[0].board.number
    sheet = {"outcome": "normal", "tricks": [5, 3, 2]}
    wrong = {"outcome": "normal", "tricks": [5, 3, 3]}
    contestant = own[0].seatings.select_related("contestant").get(seat=1).contestant
    place = rulings.PlayPlace("A", own[0].table.number, board)

    def sent(seat: int, said: dict[str, Any]) -> None:
        send(client, f"{home}results/", board=board, key=str(uuid4()), sheet=said, seat=seat)

    ana, bob = Player.objects.order_by("pk")[:2]
    news, seen, heard = TableNews(), [], []
    for act in (
        lambda: send(client, f"{home}seated/", round=1),
        lambda: sent(1, wrong),
        lambda: work(session),
        lambda: sent(1, sheet),
        lambda: work(session),
        lambda: sent(2, sheet | {"tricks": [4, 4, 2]}),
        lambda: work(session),
        lambda: confirmations.confirm(
            session=session, actor=director, place=place, submission=Result.objects.get().submission_id
        ),
        lambda: client.post(f"{home}calls/", {"reason": "board"}),
        lambda: calls.answer(call=Call.objects.get(), actor=director, state="coming"),
        lambda: calls.answer(call=Call.objects.get(), actor=director, state="done"),
        lambda: calls.announce(session=session, actor=director, text="Galette!"),
        lambda: calls.withdraw(announcement=Announcement.objects.get(), actor=director),
        lambda: rounds.pace(session=session, actor=director, pace=rounds.Pace()),
        lambda: rounds.open_round(session=session, actor=director, number=1),
        lambda: rounds.close_round(session=session, actor=director, number=1),
        lambda: contestant.__class__.objects.filter(pk=contestant.pk).update(name="Zoé Zest"),
        lambda: Substitution.objects.create(
            contestant=contestant, player=ana, for_player=bob, first_round=1, last_round=9
        ),
        lambda: Substitution.objects.update(undone_at=timezone.now()),
    ):
        act()
        kept = client.get(f"{home}now/").content
        views._halls.clear()
        assert client.get(f"{home}now/").content == kept
        seen.append(kept)
        heard += news.stamps([link.table_id]).values()
    assert heard[-1] != heard[-2] != heard[-3], "phones hear that somebody sits in for another, and no longer"
    assert sum(one != other for one, other in pairwise(seen)) > len(seen) // 2, "most of it shows at once"
    with CaptureQueriesContext(connection) as asked:
        assert client.get(f"{home}now/").content == kept
    assert len(asked) == 3
    table_links.make(session=session, actor=director, tables=[link.table_id])
    assert "This link has ended" in client.get(f"{home}now/").content.decode()


def test_the_letter_of_another_wallet_is_noticed(world: World) -> None:
    client, home = phone(world)
    text = client.get(f"{home}now/").content.decode()
    data = json.loads(re.findall(r'<script id="data"[^>]*>(.*?)</script>', text)[0])
    (board,) = (int(number) for number in data["boards"])
    own = board_sets.letter(world.session, board)
    assert own is not None
    assert own in data["letters"]
    entry = {"board": board, "sheet": {"outcome": "normal", "tricks": [5, 3, 2]}}
    for letter in data["letters"]:
        if letter != own:
            answer = send(client, f"{home}results/", **entry, key=str(uuid4()), check=letter)
            assert (answer.status_code, answer.json()["code"]) == (400, "wrong-board")
    assert not Submission.objects.exists()
    assert send(client, f"{home}results/", **entry, key=str(uuid4()), check=own).status_code == 200


@pytest.mark.django_db
def test_a_refused_sheet_says_which_of_its_fields_it_is_about(world: World) -> None:
    """Refused a moment later, or at once by a link that has ended."""
    client, home = phone(world)
    play, key = plays_of(world.session)[0], str(uuid4())
    entry: dict[str, Any] = {"board": play.board.number, "sheet": {"outcome": "normal", "tricks": [5, 3, 3]}}
    send(client, f"{home}results/", key=key, **entry)
    work(world.session)
    text = client.get(home).content.decode()
    data = json.loads(re.findall(r'<script id="data"[^>]*>(.*?)</script>', text)[0])
    state, why, _clause, field = data["boards"][str(play.board.number)]["said"][key]
    assert (state, field) == ("refused", "tricks")
    assert "11" in why
    link = table_links.with_code(home.split("/")[3])
    assert link is not None
    table_links.make(session=world.session, actor=world.organiser, tables=[link.table_id])
    answer = send(client, f"{home}results/", key=str(uuid4()), **entry)
    assert (answer.status_code, answer.json()["details"]) == (400, {"field": "tricks"})
