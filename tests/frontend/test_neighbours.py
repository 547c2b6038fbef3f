"""From board to board: the first has none before it, the last none after it; boards left out are skipped."""

import re
from typing import Any

import pytest

from frontend.presentation import neighbours
from tests.tournaments.worlds import a_world, played_through
from tournaments.services import sessions


@pytest.mark.parametrize(("number", "previous", "following"), [(1, None, 2), (2, 1, 5), (5, 2, None)])
def test_the_boards_beside_a_board(number: int, previous: int | None, following: int | None) -> None:
    assert neighbours(number, [1, 2, 5]) == {"previous": previous, "next": following}


def test_a_board_alone_has_no_neighbours() -> None:
    assert neighbours(4, [4]) == {"previous": None, "next": None}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("number", "links"), [(1, {"next": 2}), (2, {"prev": 1, "next": 3}), (4, {"prev": 3})]
)
def test_a_traveller_leads_to_the_boards_beside_it(client: Any, number: int, links: dict[str, int]) -> None:
    world = a_world(published=True)
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    base = f"/en/sessions/{world.session.pk}/boards"
    text = client.get(f"{base}/{number}/").content.decode()
    found = re.findall(rf'rel="(prev|next)" href="{base}/(\d+)/"', text)
    assert {side: int(to) for side, to in found} == links
