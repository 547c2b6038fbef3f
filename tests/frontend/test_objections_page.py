"""Objections are answered and penalties given on a page of the desk, without scripts."""

import pytest
from django.urls import reverse

from tests.tournaments.worlds import a_penalty, an_objection, hand_in, work
from tournaments.models import Objection, Ruling
from tournaments.services import lists, sessions

from .test_grid import a_running_world, an_official

pytestmark = pytest.mark.django_db


def test_an_objection_is_written_down_and_answered_and_a_penalty_shows_first_whom_it_moves() -> None:
    world, plays = a_running_world()
    for play in plays[3:]:
        hand_in(world, play)
    work(world.session)
    session = world.session
    a_penalty(session)
    for name, kind, about in (("Everybody by IMPs", "overall", ""), ("Juniors", "category", "junior")):
        method = {"method": "cross-imps", "method_options": {"unit": "150"}} if kind == "overall" else {}
        lists.set_up(session=session, actor=None, setup=lists.ListSetup(name, kind, about, **method))
    number = plays[0].seatings.get(seat=1).contestant.number
    given = {str(number): "5"}
    setup = lists.ListSetup("With handicaps", "handicap", handicaps=given)
    lists.set_up(session=session, actor=None, setup=setup)
    visitor = an_official(session, "Dora").open(reverse("desk-objections", args=[session.pk]))
    play = plays[0]
    wish = {"contestant": str(number), "table": play.table.number, "board": play.board.number}
    visitor.press("Write it down", **{**wish, "board": 99}, text="Nine tricks")
    assert visitor.answer.status_code in (400, 404)
    visitor.press("Write it down", **wish, text="Nine tricks")
    objection = Objection.objects.get()
    assert "waits for an answer" in visitor.text
    shown = visitor.open(reverse("session-desk", args=[session.pk])).text
    assert "(1)" in shown
    assert "1 waits for an answer" in shown
    visitor.open(reverse("desk-objections", args=[session.pk]))
    visitor.press("Answer", outcome="rejected", text=" ")
    assert (visitor.answer.status_code, objection.steps.count()) == (400, 0)
    visitor.press("Answer", outcome="rejected", text="Eight")
    assert objection.steps.get().outcome == "rejected"
    assert "rejected" in visitor.text
    visitor.press("Show what it changes", contestant=str(number), reason="Slow")
    assert "What it changes in the list" in visitor.text
    assert "With handicaps" in visitor.text, "the penalty moves them there too"
    assert "Everybody by IMPs" not in visitor.text, "a penalty in per cent of a board costs nothing there"
    assert "Juniors" not in visitor.text, "there are none"
    assert Ruling.objects.count() == 0
    visitor.press("Publish the ruling")
    assert Ruling.objects.get().contestant.number == number
    assert "The ruling counts from now on." in visitor.text
    fined = session.contestants.get(number=number).name
    assert f"{number} – {fined}</strong>: " in visitor.text.partition("Penalties")[2], "whose it is"
    visitor.press("Undo")
    assert Ruling.objects.get().reversed_at is not None
    visitor.press("Show what it changes", contestant="", reason="Slow")
    assert visitor.answer.status_code == 400, "nobody is fined by haste"


def test_a_director_who_plays_is_shown_nobodys_moves_and_answers_nothing_of_their_table() -> None:
    world, plays = a_running_world()
    session = world.session
    a_penalty(session)
    own = plays[1].seatings.get(seat=1).contestant
    visitor = an_official(session, own.name).open(reverse("desk-objections", args=[session.pk]))
    visitor.press("Show what it changes", contestant="1", reason="Slow")
    assert "You play here: whom it moves is shown once" in visitor.text
    wish = {"table": plays[1].table.number, "board": plays[1].board.number, "contestant": str(own.number)}
    visitor.press("Write it down", **wish, text="Nine tricks")
    visitor.press("Answer", outcome="upheld", text="Of course")
    assert "You sat at this table" in visitor.text


def test_a_director_who_plays_reads_what_is_said_of_a_board_once_it_is_over() -> None:
    world, plays = a_running_world()
    session = world.session
    an_objection(session, plays[1], world.organiser)
    sat = plays[1].seatings.values("contestant")
    player = session.members.exclude(contestant__in=sat).select_related("player").order_by("pk")[0].player
    visitor = an_official(session, player.name).open(reverse("desk-objections", args=[session.pk]))
    assert "Nine tricks" not in visitor.text
    assert "You play here: what they say is shown once the board is over." in visitor.text
    sessions.finish(session=world.refresh(), actor=world.organiser)
    visitor.open(reverse("desk-objections", args=[session.pk]))
    assert "Nine tricks" in visitor.text
