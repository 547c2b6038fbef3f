"""Sessions of games with two, three, four and more seats, from the API to the ranking."""

from typing import Any

import pytest

from engines import bots, registry
from tournaments.models import HistoryEntry, Play, Seating, Session
from tournaments.services import board_sets, submissions

from .worlds import World, a_world, an_entry, ended, plays_of, work

pytestmark = pytest.mark.django_db


def set_up(**setting: Any) -> tuple[Any, Session]:
    world = a_world()
    setting = {"name": "Final", "boards_per_round": 1, **setting}
    setting["contestants"] = [f"P{n}" for n in range(setting["contestants"])]
    address = f"/api/v1/tournaments/{world.session.tournament_id}/sessions/"
    client = world.client("organiser")
    answer = ended(client, client.post(address, setting))
    assert answer.status_code == 200, answer.json()
    return world, Session.objects.get(pk=answer.json()["id"])


def played(world: Any, session: Session) -> None:
    """Every play by robots that play anything."""
    game = registry.game(session.game)
    seats = game.seat_count(session.conditions)
    entries = []
    for play in plays_of(session):
        state = game.start(board_sets.deal_of(session, play.board.number), session.options)
        bots.play_on(game, state, [bots.at_random] * seats, bots.randomness(play.pk))
        entries.append(an_entry(play, {"actions": list(state.entries)}))
    submissions.submit(session_id=session.pk, sender=world.organiser, entries=entries)
    work(session)


@pytest.mark.parametrize(("setting", "tables", "plays_per_board"), [
    ({"game": "sept", "contestants": 8, "movement": "howell"}, 4, 4),
    ({"game": "frappe", "contestants": 7, "movement": "howell"}, 3, 3),
    ({"game": "sept", "contestants": 10, "movement": "mitchell", "rounds": 3}, 5, 3),
    ({"game": "cochonnet", "contestants": 6, "movement": "round-robin", "rounds": 3}, 3, 3),
    ({"game": "comon", "contestants": 9, "movement": "plane", "rounds": 2}, 3, 3),
    ({"game": "comon", "contestants": 10, "movement": "annealed", "rounds": 3}, 3, 3),
    ({"game": "comon", "contestants": 12, "movement": "rainbow"}, 4, 4),
    ({"game": "le-99", "contestants": 11, "movement": "annealed", "rounds": 2, "seats": 5}, 2, 2),
    ({"game": "loba", "contestants": 20, "movement": "rotated-rainbow", "rounds": 2, "seats": 4}, 5, 2),
])  # fmt: skip
def test_a_session_of_any_game_is_laid_out_played_and_ranked(
    setting: Any, tables: int, plays_per_board: int
) -> None:
    world, session = set_up(**setting)
    plays = Play.objects.filter(table__section__session=session)
    assert len({play.table_id for play in plays}) == tables
    assert session.plays_per_board == plays_per_board
    game = registry.game(session.game)
    seats = game.seat_count(session.conditions)
    for play in plays:
        seatings = list(Seating.objects.filter(play=play).order_by("seat"))
        assert [s.seat for s in seatings] == list(range(1, seats + 1))
        for side in game.sides_of(session.conditions):
            assert len({seatings[seat - 1].contestant_id for seat in side}) == 1
    played(world, session)
    ranking = world.client("organiser").get(f"/api/v1/sessions/{session.pk}/ranking/").json()["places"]
    assert len(ranking) == setting["contestants"]
    assert all(place["rank"] for place in ranking)
    assert HistoryEntry.objects.get(session=session, verb="set up").detail["digest"]


def test_the_seats_of_a_session_are_balanced(settings: Any) -> None:
    settings.BALANCING_SECONDS = 0.5
    _, session = set_up(game="comon", contestants=9, boards_per_round=3)
    turns: dict[tuple[int, int], int] = {}
    for seating in Seating.objects.filter(play__table__section__session=session):
        key = (seating.contestant_id, seating.seat)
        turns[key] = turns.get(key, 0) + 1
    assert set(turns.values()) == {4}


def test_an_organiser_sees_movements_before_choosing_and_takes_one(world: World) -> None:
    wish = {"game": "comon", "contestants": 15, "boards": 21}
    candidates = world.client("organiser").get("/api/v1/movements/", wish).json()
    assert {one["movement"] for one in candidates} == {"kirkman", "rainbow", "rotated-rainbow", "annealed"}
    assert all(0 < float(one["quality"]["balance"]) <= 100 for one in candidates)
    kirkman = next(one for one in candidates if one["movement"] == "kirkman" and one["rounds"] == 7)
    assert (kirkman["boards_per_round"], kirkman["boards"], kirkman["copies"]) == (3, 21, 5)
    assert kirkman["quality"]["meetings"] == {"least": 1, "most": 1}
    assert 0 < float(kirkman["without_one"]["balance"]) < float(kirkman["quality"]["balance"])
    assert kirkman["quality"]["boards_played"] == {"least": 21, "most": 21}
    assert kirkman["without_one"]["boards_played"] == {"least": 18, "most": 18}
    choice = {name: kirkman[name] for name in ("movement", "rounds", "boards_per_round")}
    _, session = set_up(game="comon", contestants=15, **choice)
    assert session.movement == "kirkman-15x7"


def test_tables_of_two_sizes_are_two_sessions(world: World) -> None:
    wish = {"game": "le-99", "contestants": 14, "boards": 6, "sit_outs": False}
    offered = world.client("organiser").get("/api/v1/movements/", wish).json()
    mixed = next(one for one in offered if one["beside"])
    assert not mixed["one_ranking"]
    parts = [mixed, *mixed["beside"]]
    assert sum(one["contestants"] for one in parts) == 14
    assert all(one["quality"]["sit_outs"]["most"] == 0 for one in parts)
    for one in parts:
        choice = {
            name: one[name] for name in ("movement", "rounds", "boards_per_round", "seats", "contestants")
        }
        _, session = set_up(game="le-99", **choice)
        assert session.conditions == {"seats": one["seats"]}
        assert session.contestants.count() == one["contestants"]
    alone = world.client("organiser").get("/api/v1/movements/", wish | {"seats": 7}).json()
    assert {(one["seats"], bool(one["beside"])) for one in alone} == {(7, False)}


@pytest.mark.parametrize(
    ("language", "words"), [("en", "no board is played at two tables"), ("fr", "deux tables")]
)
def test_of_few_players_the_points_are_added_up_and_it_is_said_why(language: str, words: str) -> None:
    client = a_world().client("organiser")
    wish = {"game": "comon", "contestants": 5, "boards": 6}
    offered = client.get("/api/v1/movements/", wish, headers={"accept-language": language}).json()
    assert offered
    for one in offered:
        assert one["method"] == "total-points"
        assert words in one["reason"]
    (first, *_) = client.get("/api/v1/movements/", wish | {"contestants": 6}).json()
    assert (first["method"], first["reason"]) == (None, None)


def test_what_a_wish_is_offered_is_better_for_the_steps_it_is_given(settings: Any) -> None:
    wish = {"game": "comon", "contestants": 9, "boards": 12}
    client = a_world().client("organiser")

    def balance(steps: int) -> float:
        settings.CHOOSING_STEPS = steps
        offered = client.get("/api/v1/movements/", wish).json()
        return next(float(one["quality"]["balance"]) for one in offered if one["movement"] == "kirkman")

    at_once = balance(0)
    assert at_once < balance(200_000)


@pytest.mark.parametrize(("wish", "message"), [
    ({"game": "comon", "contestants": 2, "boards": 9}, "do not fill a table of 3"),
    ({"game": "whist", "contestants": 9, "boards": 9}, "comon"),
    ({"game": "comon", "contestants": 9, "boards": 12, "copies": 1}, "3 are needed"),
    ({"game": "comon", "contestants": 10, "boards": 9, "sit_outs": False}, "cannot all play"),
])  # fmt: skip
def test_a_wish_that_cannot_be_met_says_what_could(wish: Any, message: str) -> None:
    answer = a_world().client("organiser").get("/api/v1/movements/", wish)
    assert answer.status_code == 400
    assert message in answer.json()["error"]["message"]


def test_individuals_change_partners_in_a_whist_tournament() -> None:
    world, session = set_up(game="cochonnet", contestants=8, movement="whist", rounds=3)
    partners = set()
    for play in Play.objects.filter(table__section__session=session):
        contestants = [s.contestant_id for s in Seating.objects.filter(play=play).order_by("seat")]
        assert len(set(contestants)) == 4
        partners |= {frozenset(contestants[::2]), frozenset(contestants[1::2])}
    assert len(partners) == 12
    played(world, session)
    ranking = world.client("organiser").get(f"/api/v1/sessions/{session.pk}/ranking/").json()["places"]
    assert [place["boards"] for place in ranking] == [3] * 8
    assert sum(float(place["percent"]) for place in ranking) == pytest.approx(400)
