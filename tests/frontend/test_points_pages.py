"""Master points on pages: the register's totals, what they came from, and one's own."""

import pytest
from django.urls import reverse

from tests.tournaments.seasons import play
from tests.tournaments.test_master_points import OVERALL, final, follow
from tests.tournaments.worlds import a_session, forget
from tournaments.models import PointsGiven
from tournaments.services import lists, sessions

from .test_desk import at_desk
from .test_rating_pages import an_account_of

pytestmark = pytest.mark.django_db


def test_the_register_and_the_player_read_what_was_given_and_what_was_taken_back() -> None:
    forget()
    session = play(a_session())
    lists.set_up(session=session, actor=None, setup=OVERALL)
    register = reverse("club-register", args=[session.tournament.club.slug])
    keeper = at_desk().open(register)
    assert "Master points" not in keeper.text, "nobody has any"
    final(session)
    follow()
    gift = PointsGiven.objects.order_by("-hundredths")[0]
    total = f"{gift.points.numerator / gift.points.denominator:.2f}"
    assert f">{total}</td>" in keeper.open(register).text
    line = reverse("register-player", args=[session.tournament.club.slug, gift.player_id])
    assert f"{total} in all" in keeper.open(line).text
    player = at_desk(an_account_of(gift.player)).open(reverse("my-season"))
    assert f"{total} in all" in player.text
    sessions.publish(session=session, actor=None, listed=False)
    assert "0.00 in all" in player.open(reverse("my-season")).text
    follow()
    assert f"<s>{total}</s>" in keeper.open(line).text
    assert "Master points" not in keeper.open(register).text
