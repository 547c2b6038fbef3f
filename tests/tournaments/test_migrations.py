"""What an earlier version has stored is still there, and says the same."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from tournaments import guards
from tournaments.api.serializers.results import PlaceSerializer
from tournaments.models import Ranking, Session
from tournaments.services import rankings

from .worlds import a_session, a_world

pytestmark = pytest.mark.django_db

# Places as version 0.1.0 stored them (matchpoints) and as later ones did (butler): three versions of each.
STORED = json.loads((Path(__file__).parent / "stored_rankings.json").read_text())


def migration(name: str) -> Any:
    return import_module(f"tournaments.migrations.{name}")


@pytest.mark.parametrize("method", STORED)
def test_rankings_stored_as_they_were_shown_are_shown_as_before(method: str) -> None:
    world = a_world(method=method, published=True)
    session = world.session
    for version, places in enumerate(STORED[method], 1):
        Ranking.objects.create(session=session, version=version, totals=places)
    type(session).objects.update(version=len(STORED[method]))
    with guards.away():  # as around every migration
        migration("0006_exact_rankings").make_exact(apps, connection.schema_editor())
        migration("0007_line_groups").make_one_group(apps, connection.schema_editor())
    for ranking, places in zip(Ranking.objects.order_by("version"), STORED[method], strict=True):
        # 0.1.0 knew percentages alone
        expected = [{"score": place["percent"], "line_group": 1, **place} for place in places]
        assert list(PlaceSerializer(rankings.standings(ranking), many=True).data) == expected
    answer = world.client("anyone").get(f"/api/v1/sessions/{session.pk}/ranking/").json()
    assert (answer["version"], answer["places"]) == (3, expected)


@pytest.mark.parametrize(("movement", "fixed"), [
    ("team-round-robin-8x3", True), ("triplicate-6x2", True), ("whist-12x11-from-2", True),
    ("round-robin-8x7", False), ("kirkman-9x4", False), ("as played", False),
])  # fmt: skip
def test_sessions_whose_movements_were_named_after_fixed_partners_have_them(
    movement: str, fixed: bool
) -> None:
    session = a_session()
    Session.objects.update(movement=movement)
    migration("0008_partners_fixed").mark_fixed(apps, connection.schema_editor())
    session.refresh_from_db()
    assert session.partners_fixed is fixed
