"""Ratings by their pages: begun and ended on the desk, who is on the page that everybody sees, one's own with
the way it moved."""

import re
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from frontend import plots
from frontend.templatetags.players import share
from tests.tournaments.seasons import evenings, play
from tests.tournaments.worlds import a_club, a_session, forget
from tournaments.models import Job, Member, Player, PlayerRating
from tournaments.models.ratings import ALL_GAMES
from tournaments.services import erasing, jobs, ratings, sessions

from .test_season_pages import an_organiser_of, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def anew() -> None:
    forget()


def begin() -> None:
    ratings.store(ratings.compute(club=a_club()), is_asked=True)


def a_page(**asked: Any) -> str:
    answer = Client(HTTP_ACCEPT_LANGUAGE="en").get(reverse("ratings-page", args=["club-a"]), asked)
    assert answer.status_code == 200
    return answer.content.decode()


def names_on(page: str) -> list[str]:
    """Those in the table, in their order."""
    heads = re.findall(r'<th scope="row" class="person">(.*?)</th>', page)
    return [re.sub("<span.*", "", one) and re.sub("<[^>]*>", "", re.sub("<span.*", "", one)) for one in heads]


def test_ratings_are_begun_and_ended_on_the_desk() -> None:
    evenings(2)
    odile, desk = an_organiser_of(), reverse("desk-ratings", args=["club-a"])
    public = reverse("ratings-page", args=["club-a"])
    assert Client().get(public).status_code == 404
    assert "Nobody is rated before" in odile.get(desk).content.decode()
    started = odile.post(desk, {"way": "rate"})
    jobs.do(job_id=Job.objects.get().pk)
    assert desk in odile.get(started.headers["Location"]).content.decode()
    assert "9 players are rated" in odile.get(desk).content.decode()
    assert len(names_on(a_page())) == 9
    assert public in Client(HTTP_ACCEPT_LANGUAGE="en").get("/en/clubs/club-a/").content.decode()
    assert an_organiser_of("Club B").get(desk).status_code == 404
    odile.post(desk, {"way": "forget"})
    assert Client().get(public).status_code == 404
    assert not PlayerRating.objects.exists()


def test_everybody_sees_those_who_agreed_and_nobody_who_was_erased() -> None:
    evenings(2)
    begin()
    shy, gone = Player.objects.order_by("pk")[:2]
    Player.objects.filter(pk=shy.pk).update(consent=False)
    erased = gone.name
    erasing.erase_player(player=gone, actor=None)
    for client in (Client(HTTP_ACCEPT_LANGUAGE="en"), an_organiser_of()):
        page = client.get(reverse("ratings-page", args=["club-a"])).content.decode()
        assert len(names_on(page)) == 7, "officials have the others from the API"
        assert shy.name not in page
        assert erased not in page
    account = an_account_of(shy)
    page = signed_in(account).get(reverse("ratings-page", args=["club-a"])).content.decode()
    assert shy.name in names_on(page), "oneself"


def an_account_of(player: Player) -> Any:
    from tournaments.services import accounts

    account = accounts.create(name=player.name)
    Player.objects.filter(pk=player.pk).update(account=account)
    return account


def test_marks_say_who_is_provisional_and_who_has_not_been_seen() -> None:
    evenings(1)
    begin()
    page = a_page()
    assert page.count('class="why">provisional') == 9
    PlayerRating.objects.update(boards=60)
    assert "provisional<" not in a_page()
    PlayerRating.objects.update(played_at=timezone.now() - timedelta(days=366))
    assert a_page().count('class="why">not seen for a year') == 9


def test_nothing_is_shown_while_a_withdrawn_evening_counts() -> None:
    _first, second = evenings(2)
    begin()
    player = Member.objects.filter(session=second).order_by("pk")[0].player
    own = reverse("public-player", args=["club-a", player.pk])
    assert "<polyline" in Client().get(own).content.decode()
    sessions.publish(session=second, actor=None, listed=False)
    page = a_page()
    assert "are being made anew" in page
    assert names_on(page) == []
    assert "With 95% certainty" not in Client(HTTP_ACCEPT_LANGUAGE="en").get(own).content.decode()
    ratings.rate(club_id=a_club().pk)
    assert len(names_on(a_page())) == 9


def test_each_game_has_a_page_and_so_have_all() -> None:
    session = play(a_session())
    begin()
    assert "All games" not in a_page(), "there is one"
    PlayerRating.objects.create(
        **{"club": a_club(), "game": "loba", "player": Player.objects.order_by("pk")[0], "mean": 31.0},
        **{"spread": 2.0, "boards": 70, "events": 9, "made_at": timezone.now()},
    )
    assert "All games" in a_page()
    assert len(names_on(a_page(game=session.game))) == 9
    assert len(names_on(a_page(game="loba"))) == 1
    assert "31.0" in a_page(game="loba")
    client = Client()
    assert client.get(reverse("ratings-page", args=["club-a"]), {"game": "bridge"}).status_code == 404


def test_my_season_shows_my_rating_and_the_way_it_moved() -> None:
    evenings(1)
    begin()
    player = Player.objects.order_by("pk")[0]
    Player.objects.filter(pk=player.pk).update(consent=False)
    client = signed_in(an_account_of(player))
    assert "<polygon" not in client.get(reverse("my-season")).content.decode(), "one evening is no way"
    play(a_session())
    ratings.rate(club_id=a_club().pk)
    page = client.get(reverse("my-season")).content.decode()
    assert page.count("<polygon") == 2, "at the game, and over all"
    assert 'class="why">provisional' in page


def test_what_was_foretold_stands_beside_a_coin() -> None:
    evenings(1)
    begin()
    assert "foretold" not in a_page(), "nothing was"
    play(a_session())
    ratings.rate(club_id=a_club().pk)
    told = ratings.foretold(a_club())
    page = a_page()
    assert f"{told.loss / told.pairs:.3f} by these ratings" in page
    assert "0.693 for a coin" in page
    wanted = [share(Fraction(won, n)) for n, won in told.bins if n]
    assert re.findall(r'data-label="Came first">(.*?)</td>', page) == wanted


def test_the_queries_of_the_pages_do_not_grow_with_the_players() -> None:
    def asked() -> list[int]:
        counts = []
        for address in (
            reverse("ratings-page", args=["club-a"]),
            reverse("public-player", args=["club-a", one]),
        ):
            with CaptureQueriesContext(connection) as seen:
                Client().get(address)
            counts.append(len(seen))
        return counts

    evenings(1, players=9)
    begin()
    one = Player.objects.order_by("pk")[0].pk
    first = asked()
    evenings(1, players=15)
    ratings.rate(club_id=a_club().pk)
    assert PlayerRating.objects.filter(game=ALL_GAMES).count() == 15
    assert asked() == first


def test_a_history_is_drawn_within_its_box() -> None:
    assert plots.history([(25.0, 8.0)]) is None
    drawn = plots.history([(25.0, 8.0), (29.0, 6.0), (27.0, 5.0)])
    assert drawn is not None
    points = [tuple(map(float, one.split(","))) for one in f"{drawn.line} {drawn.band}".split()]
    assert len(points) == 9
    assert all(0 <= x <= plots.HISTORY_WIDTH and 0 <= y <= drawn.height for x, y in points)
    assert [one.text for one in drawn.ticks] == ["10", "20", "30", "40"]
