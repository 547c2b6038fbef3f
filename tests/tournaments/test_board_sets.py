"""Board sets: how far they are, reserve boards for fouled ones, and the letters on the wallets."""

import json
from typing import Any

import pytest

from engines import by_hand, sealing, verifying
from tournaments.models import HistoryEntry, Job, Play
from tournaments.services import board_sets, custody, jobs, sessions, states, submissions
from tournaments.services.errors import Conflict, Invalid, Missing

from .worlds import World, a_world, an_entry, body_of, ended, hand_in, plays_of, standings_of, work

pytestmark = pytest.mark.django_db


SOURCE = "the five numbers of the Loto of 28 November 2026"
ANNOUNCED = {"kind": "lottery-5", "source": SOURCE}
VALUE = "03-07-12-28-41"


def a_world_with(**change: Any) -> Any:
    """A session of nine at three tables, four boards, set up through the API; its organisers see the
    boards."""
    world = a_world()
    client = world.client("organiser")
    answer = ended(
        client,
        client.post(
            f"/api/v1/tournaments/{world.session.tournament_id}/sessions/",
            {
                "name": "With reserves",
                "game": "comon",
                "contestants": [f"P{n}" for n in range(9)],
                "boards_per_round": 1,
                "custody": "none",
            }
            | change,
        ),
    )
    assert answer.status_code == 200, answer.json()
    world.session = type(world.session).objects.get(pk=answer.json()["id"])
    return world


def test_a_board_set_goes_from_sealed_to_revealed(world: World) -> None:

    def state() -> str:
        address = f"/api/v1/sessions/{world.session.pk}/"
        return str(world.client("organiser").get(address).json()["board_set"])

    assert state() == "sealed"
    hand_in(world, plays_of(world.session)[0])
    assert state() == "issued"
    sessions.finish(session=world.session, actor=world.organiser)
    assert state() == "played"
    sessions.publish(session=world.session, actor=world.organiser, listed=True)
    assert state() == "revealed"


def test_a_reserve_takes_the_place_of_a_fouled_board_where_it_is_not_played_yet() -> None:
    world = a_world_with(reserves=2)
    first, second, third = (play for play in plays_of(world.session) if play.board.number == 2)
    hand_in(world, first)
    work(world.session)
    address = f"/api/v1/sessions/{world.session.pk}/reserves/"
    answer = world.client("organiser").post(address, {"board": 2, "reason": "two aces of spades"})
    assert (answer.status_code, answer.json()["number"]) == (201, 5)
    assert answer.json()["deal"] == sealing.deal_of(
        sealing.boards_of(world.session.board_set.manifest), bytes(world.session.board_set.seed), 5
    )
    assert [Play.objects.get(pk=p.pk).board.number for p in (first, second, third)] == [2, 5, 5]
    event = HistoryEntry.objects.get(session=world.session, verb="replaced")
    assert (event.detail["board"], event.detail["by"], event.remark.text) == (2, 5, "two aces of spades")
    assert len(event.detail["tables"]) == 2
    for play in plays_of(world.session):
        if play.pk != first.pk:
            submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[an_entry(play)])
    work(world.session)
    assert sum(standing.total.boards for standing in standings_of(world.session)) == 36
    assert verifying.verify(
        sealing.to_bytes(
            sealing.seed_file(world.session.board_set.manifest, bytes(world.session.board_set.seed))
        )
    ).dealt_again == (1, 2, 3, 4, 5, 6)


def test_each_reserve_is_used_once_and_what_is_played_stays() -> None:
    world = a_world_with(reserves=1)
    use = {"session": world.session, "actor": world.organiser}
    assert board_sets.use_reserve(**use, board=1, reason="fouled").number == 5
    with pytest.raises(Conflict, match=r"No reserve board is left \(sealed: 1\)"):
        board_sets.use_reserve(**use, board=2, reason="fouled")
    with pytest.raises(Missing, match="no board 77"):
        board_sets.use_reserve(**use, board=77, reason="fouled")
    with pytest.raises(Invalid, match="Say why"):
        board_sets.use_reserve(**use, board=2, reason=" ")
    other = a_world_with(reserves=1)
    for play in plays_of(other.session):
        if play.board.number == 3:
            hand_in(other, play)
    with pytest.raises(Conflict, match="Board 3 has already been played at every table"):
        board_sets.use_reserve(session=other.session, actor=other.organiser, board=3, reason="late")


def test_a_letter_catches_a_result_for_the_wrong_board(world: World) -> None:
    play = plays_of(world.session)[0]
    seed = bytes(world.session.board_set.seed or b"")
    right = by_hand.check_letter(seed, play.board.number)
    wrong = by_hand.check_letter(seed, play.board.number + 1)
    address = f"/api/v1/sessions/{world.session.pk}/submissions/"
    entry = an_entry(play)
    refusal = world.client("organiser").post(address, body_of(entry) | {"check": wrong})
    assert (refusal.status_code, refusal.json()["error"]["code"]) == (400, "wrong-board")
    assert f"{wrong} is not the letter of board {entry.board}" in refusal.json()["error"]["message"]
    answer = world.client("organiser").post(address, body_of(entry) | {"check": right.lower()})
    assert answer.status_code == 202


def test_a_session_is_set_up_for_tables_that_shuffle_their_own_cards() -> None:
    world = a_world_with(sealed=False, copied=True)
    told = world.client("organiser").get(f"/api/v1/sessions/{world.session.pk}/").json()
    assert (told["commitment"], told["seed"], told["state"]) == ("", None, "ready")
    hand_in(world, plays_of(world.session)[0])
    sessions.finish(session=world.session, actor=world.organiser)
    sessions.publish(session=world.session, actor=world.organiser, listed=True)
    boards = f"/api/v1/sessions/{world.session.pk}/boards/"
    assert {one["deal"] for one in world.client("anyone").get(boards).json()["results"]} == {None}
    address = f"/api/v1/tournaments/{world.session.tournament_id}/sessions/"
    wish = {"name": "x", "game": "comon", "contestants": [f"P{n}" for n in range(9)], "sealed": False}
    refused = world.client("organiser").post(address, wish | {"reserves": 1})
    assert (refused.status_code, list(refused.json()["error"]["details"])) == (400, ["reserves"])
    refused = world.client("organiser").post(address, wish | {"sealed": True, "copied": True})
    assert (refused.status_code, list(refused.json()["error"]["details"])) == (400, ["copied"])
    assert world.client("organiser").post(address, wish | {"movement": "kirkman"}).status_code == 202
    job = Job.objects.latest("created_at")
    jobs.do(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.error["en"]["code"]) == ("failed", "needs-copies")
    assert "3 tables play the same board at once" in job.error["en"]["message"]


def test_a_slip_printed_before_the_tables_shuffled_is_no_other_boards(world: World) -> None:
    custody.leave_to_tables(session=world.session, actor=world.organiser, copied=True)
    entry = an_entry(plays_of(world.session)[0])
    address = f"/api/v1/sessions/{world.session.pk}/submissions/"
    assert world.client("organiser").post(address, body_of(entry) | {"check": "K"}).status_code == 202


def test_letters_are_for_those_who_print_the_wallets() -> None:
    world = a_world(published=True)
    address = f"/api/v1/sessions/{world.session.pk}/boards/"
    for role in ("organiser", "scorer"):
        assert all(len(board["letter"]) == 1 for board in world.client(role).get(address).json()["results"])
    for role in ("anyone", "table", "player", "foreign organiser"):
        assert all(board["letter"] is None for board in world.client(role).get(address).json()["results"])


def test_boards_that_wait_for_a_public_value_are_dealt_when_it_is_known() -> None:
    world = a_world_with(public_value={"kind": "lottery-5", "source": f" {SOURCE} "}, reserves=1)
    address, client = f"/api/v1/sessions/{world.session.pk}/", world.client("organiser")
    before = client.get(address).json()
    assert (before["board_set"], before["public_value"]) == ("draft", ANNOUNCED | {"value": None})
    first_file = client.get(f"{address}deals/").content
    assert verifying.verify(first_file, expected=before["commitment"]).dealt_again == ()
    assert all(b["deal"] is b["letter"] is None for b in client.get(f"{address}boards/").json()["results"])
    early = [
        client.get(f"{address}boards/1/lists/"),
        client.post(f"{address}reserves/", {"board": 1, "reason": "early"}),
        client.get(f"{address}boards/1/proof/"),
        client.post(f"{address}submissions/", body_of(an_entry_for(world))),
    ]
    for refusal in early:
        assert (refusal.status_code, refusal.json()["error"]["code"]) == (409, "no-boards-yet")
        assert SOURCE in refusal.json()["error"]["message"]
    for _ in range(2):  # the same value again changes nothing
        answer = client.put(f"{address}public-value/", {"value": f" {VALUE} "})
        assert (answer.status_code, answer.json()["board_set"]) == (200, "sealed")
    other = client.put(f"{address}public-value/", {"value": "03-07-12-28-42"})
    assert (other.status_code, other.json()["error"]["code"]) == (409, "value-known")
    assert HistoryEntry.objects.filter(session=world.session, verb="mixed in").count() == 1
    assert answer.json()["commitment"] != before["commitment"]
    deals = [board["deal"] for board in client.get(f"{address}boards/").json()["results"]]
    assert client.post(f"{address}submissions/", body_of(an_entry_for(world))).status_code == 202
    sessions.finish(session=world.session, actor=world.organiser)
    sessions.publish(session=world.session, actor=world.organiser, listed=True)
    last_file = world.client("anyone").get(f"{address}deals/").content
    assert verifying.verify(last_file, expected=before["commitment"]).dealt_again == (1, 2, 3, 4, 5)
    file = json.loads(last_file)
    key = sealing.key(bytes.fromhex(file["seed"]), VALUE)
    assert deals == [sealing.deal_of(sealing.boards_of(file["manifest"]), key, n) for n in range(1, 5)]


@pytest.mark.parametrize("value", ["", "3 7 12 28 41", "03-07-12-41-28", "03-07-12-28", "03-07-12-28-28"])
def test_a_public_value_is_taken_in_the_form_of_its_kind_alone(value: str) -> None:
    """Whoever may choose how to write it may choose among boards."""
    world = a_world_with(public_value=ANNOUNCED)
    with pytest.raises(Invalid, match="5 different numbers of two digits in ascending order") as caught:
        board_sets.mix_in(session=world.session, actor=world.organiser, value=value)
    assert caught.value.code == "bad-value"
    assert world.refresh().board_set.state(issued=False) == "draft"
    answer = world.client("organiser", "fr").put(
        f"/api/v1/sessions/{world.session.pk}/public-value/", {"value": value or "x"}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-value")
    assert "par exemple 03-07-12-28-31" in answer.json()["error"]["message"]


@pytest.mark.parametrize("announced", [
    "the lottery",
    {"kind": "lottery-5"},
    {"kind": "weather", "source": "x"},
    {"kind": "index", "source": " "},
])  # fmt: skip
def test_a_public_value_is_announced_with_its_kind_and_its_source(world: World, announced: Any) -> None:
    client = world.client("organiser")
    answer = ended(
        client,
        client.post(
            f"/api/v1/tournaments/{world.session.tournament_id}/sessions/",
            {
                "name": "x",
                "game": "comon",
                "contestants": [f"P{n}" for n in range(9)],
                "public_value": announced,
            },
        ),
    )
    assert answer.status_code == 400
    assert list(answer.json()["error"]["details"]) == ["public_value"]


def an_entry_for(world: Any) -> submissions.ResultEntry:
    return an_entry(plays_of(world.session)[0], {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}})


def test_a_value_that_nobody_announced_is_not_mixed_in(world: World) -> None:
    with pytest.raises(Conflict, match="No public value was announced"):
        board_sets.mix_in(session=world.session, actor=world.organiser, value=VALUE)
    waiting = a_world_with(public_value=ANNOUNCED)
    states.change(session=waiting.session, actor=None, to="cancelled", reason="Nobody came.")
    sessions.publish(session=waiting.session, actor=None, listed=True)
    with pytest.raises(Conflict, match="can no longer be dealt"):
        board_sets.mix_in(session=waiting.session, actor=None, value=VALUE)
    address = f"/api/v1/sessions/{waiting.session.pk}/"
    assert waiting.client("anyone").get(address).json()["seed"] is None
    verifying.verify(waiting.client("anyone").get(f"{address}deals/").content)


def test_a_board_is_proved_alone_and_listed_for_those_who_deal_it() -> None:
    world = a_world_with(reserves=1)
    address, client = f"/api/v1/sessions/{world.session.pk}/boards/3/", world.client("organiser")
    proof = client.get(f"{address}proof/").content
    assert verifying.verify(proof, expected=world.session.board_set.commitment).revealed == (3,)
    assert [one["board"] for one in json.loads(proof)["revealed"]] == [3]
    assert "seed" not in json.loads(proof)
    lists = client.get(f"{address}lists/").json()
    deal = json.loads(proof)["revealed"][0]["deal"]
    assert lists["by_seat"]["2"] == deal["hands"][1]
    assert sorted(card for card, place in lists["by_card"] if place == "2") == sorted(deal["hands"][1])
    assert lists["letter"] == board_sets.letter(world.session, 3)
