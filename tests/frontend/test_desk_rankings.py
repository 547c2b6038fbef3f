"""The rankings at the desk: their state, their lists, and who moved between two versions, without scripts."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.worlds import World, a_world, hand_in, played_through, plays_of, work
from tournaments.models import HistoryEntry, Player, Session, SessionList
from tournaments.services import formulas, lists, states

from .test_desk import Visitor
from .test_grid import a_running_world, an_official

pytestmark = pytest.mark.django_db


def rankings_of(world: World, name: str = "Dora") -> Visitor:
    return an_official(world.session, name).open(page_of(world.session))


def page_of(session: Session, query: str = "") -> str:
    return reverse("desk-lists", args=[session.pk]) + query


def listed(world: World) -> bool:
    return Session.objects.get(pk=world.session.pk).listed


def a_played_world() -> World:
    world = a_world()
    played_through(world)
    states.change(session=world.session, actor=None, to=Session.State.PLAYED, confirmed=True)
    world.refresh()
    return world


def test_a_list_becomes_provisional_with_a_clock_that_can_be_set_again_and_final() -> None:
    world = a_played_world()
    visitor = rankings_of(world)
    session = world.session
    assert "Not published" in visitor.text or "not published" in visitor.text
    visitor.open(reverse("run-session", args=[session.pk, "provisional"]) + "?at=rankings")
    visitor.press("Make the list provisional", minutes="30")
    assert visitor.path == page_of(session), "it comes back to where it was asked"
    first = Session.objects.get(pk=session.pk).corrections_until
    assert first is not None
    assert "<round-clock ends=" in visitor.text
    assert "then it is final by itself" in visitor.text
    visitor.open(reverse("run-session", args=[session.pk, "corrections"]) + "?at=rankings")
    visitor.press("Another end for corrections", minutes="60")
    later = Session.objects.get(pk=session.pk).corrections_until
    assert later is not None
    assert 1700 < (later - first).total_seconds() < 1900
    visitor.press("Undo")
    assert Session.objects.get(pk=session.pk).corrections_until == first
    assert "Make the list final</a>" in visitor.open(page_of(session)).text
    visitor.open(reverse("run-session", args=[session.pk, "final"]) + "?at=rankings").press(
        "Make the list final"
    )
    assert Session.objects.get(pk=session.pk).state == "final"
    with pytest.raises(states.Conflict):
        states.correct_until(session=session, actor=None, until=timezone.now())


def test_whoever_withdraws_or_amends_a_list_says_why() -> None:
    world = a_played_world()
    visitor = rankings_of(world).press("Publish the ranking")
    assert "everybody may see it" in visitor.text
    visitor.open(reverse("run-session", args=[world.session.pk, "withdraw"]) + "?at=rankings")
    visitor.press("Hide the ranking", reason=" ")
    assert visitor.answer.status_code == 400
    assert listed(world)
    visitor.press("Hide the ranking", reason="Two tables were swapped.")
    assert not listed(world)
    entry = HistoryEntry.objects.get(verb="withdrew")
    assert entry.remark is not None
    assert entry.remark.text == "Two tables were swapped."
    visitor.press("Undo")
    assert listed(world)


def test_a_list_is_set_up_changed_and_removed_and_each_is_undone() -> None:
    world = a_played_world()
    session = world.session
    pupil = session.members.order_by("pk")[0].player
    Player.objects.filter(pk=pupil.pk).update(categories=["newcomer"])
    visitor = rankings_of(world).open(page_of(session, "?new=1"))
    visitor.press("Set the list up", whom="category:newcomer", first="wins", second="wins")
    assert visitor.answer.status_code == 400
    assert "Each tie-break stands once." in visitor.text
    visitor.press("Set the list up", whom="category:newcomer", first="wins", second="")
    made = SessionList.objects.get()
    assert (made.kind, made.about, made.tie_breaks) == ("category", "newcomer", ["wins"])
    assert made.name == "Category: newcomer"
    assert visitor.text.count('<th scope="row" class="person">') == 1
    assert pupil.name in visitor.text

    visitor.press("Change the list", whom="handicap", handicaps="1: 2,5\n2: x")
    assert "“2: x” is not a number" in visitor.text
    visitor.press(
        "Change the list", whom="handicap", handicaps="1: 2,5\n3: 1/3", name="Handicap", award_factor="0"
    )
    assert "above 0" in visitor.text
    visitor.press("Change the list", award_factor="1/2")
    made.refresh_from_db()
    assert (made.kind, made.handicaps, made.award_factor) == ("handicap", {"1": "5/2", "3": "1/3"}, "1/2")
    visitor.press("Undo")
    made.refresh_from_db()
    assert (made.kind, made.handicaps) == ("category", {})

    visitor.open(page_of(session, f"?list={made.number}"))
    stale = visitor.client.post(
        visitor.path + f"?list={made.number}", {"way": "remove", "seen": "0-0"}, follow=True
    )
    assert stale.status_code == 409
    assert lists.of(session).exists()
    visitor.press("Remove the list")
    assert not lists.of(session).exists()
    visitor.press("Undo")
    assert lists.of(session).get().tie_breaks == ["wins"]
    assert visitor.client.get(page_of(session, "?list=99")).status_code == 404


def test_what_a_form_does_not_ask_for_stays_as_it_was() -> None:
    world = a_played_world()
    breaks = ["wins", "best-boards", "count-back", "fewest-penalties"]
    setup = lists.ListSetup("All", "overall", tie_breaks=breaks, method="matchpoints", method_options={})
    one = lists.set_up(session=world.session, actor=None, setup=setup)
    visitor = rankings_of(world).open(page_of(world.session, f"?list={one.number}"))
    visitor.press("Change the list", name="Everybody")
    one.refresh_from_db()
    assert (one.name, one.tie_breaks) == ("Everybody", breaks)


def test_versions_say_who_moved_and_why() -> None:
    world, plays = a_running_world()
    session = world.session
    hand_in(world, plays[3], {"sheet": {"outcome": "normal", "tricks": [2, 4, 4]}})
    work(session)
    hand_in(world, plays[2], {"sheet": {"outcome": "normal", "tricks": [10, 0, 0]}})
    work(session)
    visitor = rankings_of(world)
    newest = session.rankings.filter(is_live=False).order_by("-version")[0].version
    visitor.open(page_of(session, f"?from={newest - 1}&to={newest}"))
    assert "A result was corrected" in visitor.text
    play = plays[2]
    where = f"table {play.table.number}, board {play.board.number}"
    assert where in visitor.text
    assert "Who moved" in visitor.text
    both = visitor.open(page_of(session, f"?to={newest - 1}&from={newest}"))
    assert f"From version {newest - 1} to {newest}" in both.text, "the earlier comes first"
    visitor.open(page_of(session, f"?from={newest}&to={newest}"))
    assert "The two are the same version." in visitor.text
    for odd in ("?from=x&to=²", "?from=99999999999999&to=-1", f"?to={newest}"):
        assert visitor.open(page_of(session, odd)).answer.status_code == 200
    states.change(session=session, actor=None, to=Session.State.PLAYED, confirmed=True)
    states.change(session=session, actor=None, to=Session.State.PROVISIONAL)
    assert "since the ranking was provisional" not in visitor.open(page_of(session)).text.lower()
    hand_in(world, plays[5])
    work(session)
    visitor.open(page_of(session))
    assert "since the ranking was provisional" in visitor.text.lower()
    assert f"?from={newest}&amp;to=" in visitor.text


def test_a_list_says_who_of_it_moved_between_two_versions() -> None:
    world, plays = a_running_world()
    session = world.session
    one = lists.set_up(session=session, actor=None, setup=lists.ListSetup("All of them", "overall"))
    counted = lists.ListSetup("By IMPs", "overall", method="zero-sum")
    other = lists.set_up(session=session, actor=None, setup=counted)
    for play, tricks in ((plays[3], [2, 4, 4]), (plays[2], [10, 0, 0])):
        hand_in(world, play, {"sheet": {"outcome": "normal", "tricks": tricks}})
        work(session)
    visitor = rankings_of(world)
    newest = session.rankings.filter(is_live=False).order_by("-version")[0].version

    def moved(query: str) -> list[str]:
        visitor.open(page_of(session, query))
        table = visitor.text.partition('id="difference"')[2].partition("</section>")[0]
        return sorted(re.findall(r'class="person">([^<]*)<', table))

    two = f"from={newest - 1}&to={newest}"
    of_all = moved(f"?{two}")
    assert of_all == sorted(set(of_all))
    assert moved(f"?list={one.number}&{two}") == of_all
    assert "A result was corrected" in visitor.text
    assert f"?list={one.number}&amp;to={newest}&amp;from={newest - 1}#difference" in visitor.text
    assert not moved(f"?list={one.number}&from={newest}&to={newest}")
    assert "Nobody moved, and no total changed." in visitor.text
    assert moved(f"?list={one.number}&from=0&to={newest}")
    assert not moved(f"?list={other.number}&{two}")
    assert "only the newest version can be shown" in visitor.text


def test_a_director_who_plays_sees_the_live_list_until_it_has_been_played() -> None:
    world, plays = a_running_world()
    session = world.session
    for play, tricks in ((plays[3], [10, 0, 0]), (plays[4], [2, 4, 4])):
        hand_in(world, play, {"sheet": {"outcome": "normal", "tricks": tricks}})
    work(session)
    own = plays[1].seatings.get(seat=1).contestant
    visitor = an_official(session, own.name).open(page_of(session))
    assert "you see the list that everybody sees" in visitor.text
    assert "+½" not in visitor.text
    scores = re.compile(r'class="score">([\d.]+)<')
    assert set(scores.findall(visitor.text)) == {"50.00"}, "of the board whose results are all in"
    other = rankings_of(world)
    assert len(set(scores.findall(other.text))) > 1
    assert session.rankings.filter(is_live=False).exists()
    assert (
        visitor.client.get(page_of(session, "?from=0&to=1")).content.decode().count("A result came in") == 0
    )
    Session.objects.filter(pk=session.pk).update(live=Session.Live.HIDDEN)
    assert "The ranking is not shown yet" in visitor.open(page_of(session)).text
    Session.objects.filter(pk=session.pk).update(live=Session.Live.BOARDS_OVER)
    assert "A result came in" in other.open(page_of(session, "?from=0&to=1")).text


def test_the_page_asks_as_often_whatever_there_is() -> None:
    world = a_played_world()
    visitor = rankings_of(world)

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as found:
            assert visitor.client.get(page_of(world.session)).status_code == 200
        return len(found)

    queries()
    few = queries()
    for number in range(5):
        lists.set_up(session=world.session, actor=None, setup=lists.ListSetup(f"List {number}", "overall"))
    for play in plays_of(world.session)[:2]:
        hand_in(world, play, {"sheet": {"outcome": "normal", "tricks": [10, 0, 0]}})
        work(world.session)
    queries()
    assert queries() <= few + 1, "one for when the list was amended"


def test_whoever_has_played_few_boards_is_named_before_others_read_the_list() -> None:
    world = a_world()
    late = world.session.contestants.get(number=9)
    for play in plays_of(world.session):
        if play.round == 1 or not play.seatings.filter(contestant=late).exists():
            hand_in(world, play)
    work(world.session)
    states.change(session=world.session, actor=None, to=Session.State.PLAYED, confirmed=True)
    visitor = rankings_of(world)
    told = re.search(r"Fewer boards than others, who played up to 4: ([^<]*)\.", visitor.text)
    assert told is not None
    assert f"{late.name} (1)" in told.group(1)
    visitor.open(reverse("run-session", args=[world.session.pk, "provisional"]))
    assert f"{late.name} (1)" in visitor.text
    visitor.open(reverse("run-session", args=[world.session.pk, "publish"])).press("Publish the ranking")
    assert f"{late.name} (1)" in visitor.text, "nobody else has read it before"
    visitor.open(reverse("run-session", args=[world.session.pk, "final"]))
    assert f"{late.name} (1)" in visitor.text
    (way,) = set(re.findall(r'href="([^"]*new=1&amp;boards=3)"', visitor.text))
    visitor.open(way.replace("&amp;", "&")).press("Set the list up")
    made = SessionList.objects.get()
    assert (made.kind, made.min_boards) == ("overall", 3)
    everybody = a_played_world()
    assert "Fewer boards than others" not in rankings_of(everybody, "Dido").text


def test_a_list_is_given_a_formula_of_the_club_and_keeps_it() -> None:
    world = a_played_world()
    session = world.session
    one = formulas.add(club=session.tournament.club, actor=None, name="Ours", text="beaten")
    visitor = rankings_of(world).open(page_of(session, "?new=1"))
    visitor.press("Set the list up", whom="overall", formula="Ours")
    assert "1 is the usual one" in visitor.text
    visitor.press("Set the list up", whom="overall", formula="Ours", award_factor="1")
    made = SessionList.objects.get()
    assert (made.formula, made.formula_text) == ("Ours", "beaten")
    formulas.retire(one=one, actor=None)
    visitor.open(page_of(session, f"?list={made.number}"))
    visitor.press("Change the list", award_factor="1/3")
    made.refresh_from_db()
    assert (made.formula, made.formula_text, made.award_factor) == ("Ours", "beaten", "1/3")
    visitor.press("Change the list", formula="")
    made.refresh_from_db()
    assert (made.formula, made.formula_text, made.award_factor) == ("", "", "1/3")
