"""`examples/federation/site.py`: a page from the API alone shows what everybody may see, and nothing else."""

import importlib.util
from html import escape
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.running import ROOT
from tournaments.models import Player
from tournaments.services import feed, fields, season_standings, sessions

from .fields import a_leg, a_part, send
from .seasons import a_season, evenings
from .worlds import forget

pytestmark = pytest.mark.django_db


def the_site() -> Any:
    spec = importlib.util.spec_from_file_location(
        "site_of_a_federation", ROOT / "examples/federation/site.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ask(address: str) -> Any:
    """As over HTTP, without a service."""
    answer = APIClient().get(address if address.startswith("http") else f"/api/v1/{address}")
    return answer.json() if answer.status_code == 200 else None


def test_the_page_shows_what_everybody_may_see_and_nothing_else() -> None:
    forget()
    season_standings.forget()
    site = the_site()
    assert "Nothing has been played yet" in site.page(ask)
    shown, hidden = evenings(2)
    season = a_season(shown, hidden, divisions=[{"name": "<First>"}, {"name": "Second"}])
    sessions.publish(session=hidden, actor=None, listed=False)
    season_standings.rank(season_id=season.pk)
    leg = a_leg(name="Simultané & Co", embargo="last-club")
    part = a_part(leg, "Club P")
    feed.place_new()
    before = site.page(ask)
    assert "&lt;First&gt;" in before, "what others have written is text"
    assert "<First>" not in before
    assert "Simultané &amp; Co" in before
    assert "The clubs are still playing" in before
    named = [escape(one.name) for one in Player.objects.filter(club=shown.tournament.club)]
    assert sum(name in before for name in named) >= 3
    assert "Club P 01" not in before
    send(part)
    fields.rank(leg_id=leg.pk)
    leg.refresh_from_db()
    feed.place_new()
    assert ("The clubs are still playing" in site.page(ask)) == (leg.lifted_at is None)


def test_it_goes_over_all_pages_and_passes_over_what_is_not_there() -> None:
    site = the_site()
    pages = {"x/": {"results": [{"id": 1}], "next": "y/"}, "y/": {"results": [{"id": 2}], "next": None}}
    assert [one["id"] for one in site.rows(pages.get, "x/")] == [1, 2]
    assert list(site.rows(lambda _address: None, "x/")) == []
