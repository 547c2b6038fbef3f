"""Board sets: how far they are, reserve boards for fouled ones, and the letters on the wallets."""

from typing import Any

import pytest

from engines.dealing import by_hand, sealing
from tournaments.models import Event, Play
from tournaments.services import board_sets, rankings, sessions, submissions
from tournaments.services.errors import Conflict, Invalid, Missing

from .worlds import a_world, an_entry, hand_in, plays_of, work

pytestmark = pytest.mark.django_db


def a_world_with_reserves(count: int = 2) -> Any:
    """A session of nine at three tables with reserve boards, 5 and 6."""
    world = a_world()
    answer = world.client("organiser").post(
        f"/api/v1/tournaments/{world.session.tournament_id}/sessions/",
        {
            "name": "With reserves",
            "game": "comon",
            "contestants": [f"P{n}" for n in range(9)],
            "boards_per_round": 1,
            "reserves": count,
        },
    )
    assert answer.status_code == 201, answer.json()
    world.session = type(world.session).objects.get(pk=answer.json()["id"])
    return world


def test_a_board_set_goes_from_sealed_to_revealed() -> None:
    world = a_world()

    def state() -> str:
        address = f"/api/v1/sessions/{world.session.pk}/"
        return str(world.client("organiser").get(address).json()["board_set"])

    assert state() == "sealed"
    hand_in(world, plays_of(world.session)[0])
    assert state() == "issued"
    sessions.finish(session=world.session, actor=world.organiser)
    assert state() == "played"
    sessions.publish(session=world.session, actor=world.organiser, published=True)
    assert state() == "revealed"


def test_a_reserve_takes_the_place_of_a_fouled_board_where_it_is_not_played_yet() -> None:
    world = a_world_with_reserves()
    first, second, third = (play for play in plays_of(world.session) if play.board.number == 2)
    hand_in(world, first)
    work(world.session)
    address = f"/api/v1/sessions/{world.session.pk}/reserves/"
    answer = world.client("organiser").post(address, {"board": 2, "reason": "two aces of spades"})
    assert (answer.status_code, answer.json()["number"]) == (201, 5)
    assert answer.json()["deal"] == sealing.dealt(
        sealing.boards_of(world.session.board_set.manifest), bytes(world.session.board_set.seed), 5
    )
    assert [Play.objects.get(pk=p.pk).board.number for p in (first, second, third)] == [2, 5, 5]
    told = Event.objects.get(session=world.session, verb="replaced")
    assert (told.detail["board"], told.detail["by"], told.detail["reason"]) == (2, 5, "two aces of spades")
    assert len(told.detail["tables"]) == 2
    for play in plays_of(world.session):
        if play.pk != first.pk:
            submissions.submit(session=world.session, sender=world.organiser, entries=[an_entry(play)])
    work(world.session)
    places = rankings.places_of(world.refresh(), [])
    assert sum(place["boards"] for place in places) == 36
    assert sealing.verify(
        sealing.written(
            sealing.with_seed(world.session.board_set.manifest, bytes(world.session.board_set.seed))
        )
    ).dealt_again == (1, 2, 3, 4, 5, 6)


def test_each_reserve_is_used_once_and_what_is_played_stays() -> None:
    world = a_world_with_reserves(1)
    use = {"session": world.session, "actor": world.organiser}
    assert board_sets.use_reserve(**use, board=1, reason="fouled").number == 5
    with pytest.raises(Conflict, match="No reserve board is left; 1 were sealed"):
        board_sets.use_reserve(**use, board=2, reason="fouled")
    with pytest.raises(Missing, match="no board 77"):
        board_sets.use_reserve(**use, board=77, reason="fouled")
    with pytest.raises(Invalid, match="Say why"):
        board_sets.use_reserve(**use, board=2, reason=" ")
    other = a_world_with_reserves(1)
    for play in plays_of(other.session):
        if play.board.number == 3:
            hand_in(other, play)
    with pytest.raises(Conflict, match="Board 3 has been played at every table"):
        board_sets.use_reserve(session=other.session, actor=other.organiser, board=3, reason="late")


def test_a_letter_catches_a_result_for_the_wrong_board() -> None:
    world = a_world()
    play = plays_of(world.session)[0]
    seed = bytes(world.session.board_set.seed or b"")
    right = by_hand.check_letter(seed, play.board.number)
    wrong = by_hand.check_letter(seed, play.board.number + 1)
    address = f"/api/v1/sessions/{world.session.pk}/submissions/"
    entry = an_entry(play)
    told = {"section": entry.section, "table": entry.table, "board": entry.board, "key": str(entry.key)}
    refused = world.client("organiser").post(address, told | entry.content | {"check": wrong})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "wrong-board")
    assert f"{wrong} is not the letter of board {entry.board}" in refused.json()["error"]["message"]
    taken = world.client("organiser").post(address, told | entry.content | {"check": right.lower()})
    assert taken.status_code == 202


def test_letters_are_for_those_who_print_the_wallets() -> None:
    world = a_world(published=True)
    address = f"/api/v1/sessions/{world.session.pk}/boards/"
    for role in ("organiser", "scorer"):
        assert all(len(board["letter"]) == 1 for board in world.client(role).get(address).json())
    for role in ("anyone", "table", "player", "foreign organiser"):
        assert all(board["letter"] is None for board in world.client(role).get(address).json())
