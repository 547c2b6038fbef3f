"""Every method of comparison from the API to the ranking and its pages."""

import re
from fractions import Fraction
from typing import Any

import pytest

from scoring import units
from scoring.methods import METHODS
from tournaments.services import sessions

from .worlds import (
    World,
    a_record,
    a_session,
    a_world,
    awards_of,
    ended,
    hand_in,
    played_through,
    plays_of,
    work,
)

pytestmark = pytest.mark.django_db


def played_by(method: str, game: str = "comon", **options: Any) -> World:
    """A session set up through the API, played by robots, finished and published."""
    world = a_world()
    setting = {
        "name": "Final",
        "game": game,
        "contestants": [f"P{n}" for n in range(9)],
        "boards_per_round": 1,
        "method": method,
        "method_options": options,
    }
    client = world.client("organiser")
    answer = ended(
        client, client.post(f"/api/v1/tournaments/{world.session.tournament_id}/sessions/", setting)
    )
    assert answer.status_code == 200, answer.json()
    world.session = type(world.session).objects.get(pk=answer.json()["id"])
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    sessions.publish(session=world.session, actor=world.organiser, listed=True)
    return world


@pytest.mark.parametrize("method", METHODS)
def test_a_session_is_ranked_and_shown_by_every_method(method: str, client: Any) -> None:
    world = played_by(method)
    address = f"/api/v1/sessions/{world.session.pk}/"
    places = world.client("anyone").get(f"{address}ranking/").json()["places"]
    scores = [Fraction(place["score"]) for place in places]
    assert len(scores) == 9
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) > 1
    has_top = method in {"matchpoints", "board-a-match"}
    assert [place["percent"] == place["score"] for place in places] == [has_top] * 9
    assert [place["top"] > 0 for place in places] == [has_top] * 9
    if method in {"cross-imps", "zero-sum", "standardised"}:
        assert sum(Fraction(place["points"]) for place in places) == 0
    traveller = world.client("anyone").get(f"{address}boards/1/traveller/").json()
    assert (traveller["top"] is None) != has_top
    page = client.get(f"/fr/sessions/{world.session.pk}/").content.decode()
    adds_up = method == "total-points"
    assert ("s’additionnent" if adds_up else METHODS[method].name.to("fr")) in page
    head = {"imps": "IMP", "percent": "%"}.get("percent" if has_top else METHODS[method].unit, "Points")
    assert re.search(rf'class="score">{head}</th>', page)
    scores_on_page = re.findall(r'<td class="score">(−?[\d\xa0\u202f]+(?:,\d\d)?)</td>', page)
    plain = [re.sub(r"\s", "", one).replace(",", ".").replace("−", "-") for one in scores_on_page]
    assert [Fraction(one) for one in plain] == scores
    assert page.count('<polyline points=""') == 1  # the template of a row
    assert client.get(f"/fr/sessions/{world.session.pk}/boards/1/").status_code == 200


def test_the_unit_of_a_game_is_kept_with_the_session() -> None:
    assert a_session(method="cross-imps").method_options == {"unit": str(units.unit("comon"))}
    assert a_session(club="Club B", method="total-points").method_options == {"unit": "1/2"}  # half lives
    assert a_session(club="Club C", method="butler", method_options={"unit": 20}).method_options == {
        "unit": 20
    }
    assert a_session(club="Club D").method_options == {}


def test_total_points_are_counted_in_what_players_speak_of() -> None:
    world = a_world(method="total-points")
    play = plays_of(world.session)[0]
    hand_in(world, play, a_record(play, world.session))
    work(world.session)
    result = type(play).objects.get(pk=play.pk).result
    assert [Fraction(award) * 2 for award in awards_of(result) or []] == result.scores
