"""What an earlier version has stored is still there, and says the same."""

import json
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection

from tournaments import guards
from tournaments.api.serializers.results import PlaceSerializer
from tournaments.models import Ranking
from tournaments.services import rankings

from .worlds import a_world

pytestmark = pytest.mark.django_db

# Places as version 0.1.0 stored them (matchpoints) and as later ones did (butler): three versions of each.
STORED = json.loads((Path(__file__).parent / "stored_rankings.json").read_text())


@pytest.mark.parametrize("method", STORED)
def test_rankings_stored_as_they_were_shown_are_shown_as_before(method: str) -> None:
    world = a_world(method=method, published=True)
    session = world.session
    for version, places in enumerate(STORED[method], 1):
        Ranking.objects.create(session=session, version=version, totals=places)
    type(session).objects.update(version=len(STORED[method]))
    with guards.away():
        for name, change in (("0006_exact_rankings", "make_exact"), ("0007_line_groups", "make_one_group")):
            migration = import_module(f"tournaments.migrations.{name}")
            getattr(migration, change)(apps, connection.schema_editor())
    for ranking, places in zip(Ranking.objects.order_by("version"), STORED[method], strict=True):
        # 0.1.0 knew percentages alone
        expected = [{"score": place["percent"], "line_group": 1, **place} for place in places]
        assert list(PlaceSerializer(rankings.standings(ranking), many=True).data) == expected
    answer = world.client("anyone").get(f"/api/v1/sessions/{session.pk}/ranking/").json()
    assert (answer["version"], answer["places"]) == (3, expected)
