"""What a page costs does not grow with what is there: every page of the walk, at two sizes of its club."""

import os
import re
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.frontend.scene import Scene
from tests.frontend.views import VIEWS
from tests.running import campaign
from tests.tournaments.test_queries import forget
from tests.tournaments.worlds import a_club, a_session
from tournaments.models import Session, Tournament
from tournaments.models.accounts import RoleKind
from tournaments.services import calls, events, formulas, invitations, penalties, register, seasons, templates
from tournaments.services.register import Details
from tournaments.services.roles import RolePlace
from tournaments.services.session_wishes import SessionWish

SOME = os.environ.get("ETUI_VIEWS", "")
SMALL, LARGE = 9, 15  # players of an evening: four and seven rounds, at three tables and at five
MORE = 3  # of whatever else a club has
READ = [one for one in VIEWS if one.sent is None and one.fetch is None and re.search(SOME, one.name)]


@campaign
@pytest.mark.django_db
def test_no_page_asks_the_database_more_often_where_there_is_more() -> None:
    few, many = costs(SMALL), costs(LARGE)
    assert {name: (cost, many[name]) for name, cost in few.items() if many[name] > cost} == {}


def costs(players: int) -> dict[str, int]:
    """How many queries each page takes, in a club of so many; of the club nothing stays."""
    found = {}
    with transaction.atomic():
        scene = Scene.set(players=players)
        if players > SMALL:
            grow(scene)
        for one in READ:
            forget()
            with CaptureQueriesContext(connection) as asked:
                one.answer(scene, "fr")
            found[one.name] = len(asked)
        transaction.set_rollback(True)
    return found


def grow(scene: Scene) -> None:
    """More of what a club and its evenings have, beside more players, boards, tables and results."""
    club, odile, federation = scene.club, scene.account("odile"), scene.account("federation")
    tournament = Tournament.objects.get(pk=scene.ids["tournament"])
    running = Session.objects.get(pk=scene.ids["running"])
    for n in range(MORE):
        templates.add(club=club, actor=odile, name=f"Patron {n}", wish=SessionWish(game="hombre", boards=24))
        penalties.add(club=club, actor=odile, name=f"Faute {n}", kind="penalty", amount="10", unit="percent")
        formulas.add(club=club, actor=odile, name=f"Barème {n}", text="4: 0.50 0.25")
        register.add(club=club, actor=odile, details=Details("Léa", f"Martin {n}", consent=True))
        invitations.invite(kind=RoleKind.ORGANISER, place=RolePlace(club), actor=odile)
        seasons.create(actor=odile, club=club, name=f"Saison {n}")
        events.create(actor=federation, club=None, name=f"Simultané {n}")
        calls.announce(session=running, actor=odile, text=f"Annonce {n}")
        Tournament.objects.create(club=club, name=f"Tournoi {n}")
        a_club(f"Club {n}")
        another = a_session(published=True)
        Session.objects.filter(pk=another.pk).update(
            tournament=tournament, number=100 + n, starts_at=timezone.now() + timedelta(days=n)
        )
