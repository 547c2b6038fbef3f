"""Objections are answered and penalties given on a page of the desk, without scripts."""

import re

import pytest
from django.urls import reverse

from tests.tournaments.worlds import a_penalty, an_objection, hand_in, work
from tournaments.models import Objection, ObjectionStep, Ruling
from tournaments.models.accounts import RoleKind
from tournaments.services import lists, penalties, rulings, sessions

from .test_desk import an_account, at_desk
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
    wish = {"contestant": str(number), "board": play.board.number}
    visitor.press("Write it down", **{**wish, "board": 99}, text="Nine tricks")
    assert visitor.answer.status_code == 400
    own = session.contestants.get(number=number).seatings.values_list("play__board__number", flat=True)
    assert f"its boards are {', '.join(map(str, sorted(set(own))))}." in visitor.text
    visitor.press("Write it down", **wish, text="Nine tricks")
    objection = Objection.objects.get()
    assert "waits for an answer" in visitor.text
    shown = visitor.open(reverse("session-desk", args=[session.pk])).text
    assert "(1)" in shown
    assert "1 waits for an answer" in shown
    visitor.open(reverse("desk-objections", args=[session.pk]))
    visitor.press("Answer", text="Nothing is chosen beforehand")
    assert (visitor.answer.status_code, objection.steps.count()) == (400, 0)
    visitor.press("Answer", outcome="rejected", text=" ")
    assert (visitor.answer.status_code, objection.steps.count()) == (400, 0)
    visitor.press("Answer", outcome="rejected", text="Eight")
    assert objection.steps.get().outcome == "rejected"
    assert "They may appeal, once: they tell you" in visitor.text
    visitor.press("Write the appeal down", text=" ")
    assert (visitor.answer.status_code, objection.steps.count()) == (400, 1)
    visitor.press("Write the appeal down", text="It was nine")
    assert [one.kind for one in objection.steps.order_by("pk")] == ["answer", "appeal"]
    assert "appealed: the committee decides" in visitor.text
    visitor.press("Enter the decision", outcome="rejected", text="Eight it is")
    assert "rejected" in visitor.text
    visitor.press("Show what it changes", contestant=str(number), reason="Slow")
    assert "What it changes in the list" in visitor.text
    assert "With handicaps" in visitor.text, "the penalty moves them there too"
    assert "Nothing changes in: Everybody by IMPs, Juniors." in visitor.text, "a per cent costs nothing there"
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


def test_a_penalty_is_said_on_the_spot_in_what_the_session_counts_and_is_reversed() -> None:
    world, _plays = a_running_world()
    session = world.session
    club = session.tournament.club
    penalties.add(club=club, actor=None, name="late", kind="penalty", amount="3", unit="imps")
    visitor = an_official(session, "Dora").open(reverse("desk-objections", args=[session.pk]))
    assert "Not offered here: late (−3)" in visitor.text, "this session does not count in IMPs"
    assert ">late" not in visitor.text
    assert "catalogue of penalties" not in visitor.text, "a director does not keep it"
    wish = {"contestant": "1", "penalty": "other", "unit": "percent"}
    visitor.press("Show what it changes", **wish, amount="x")
    assert "Write a number above 0" in visitor.text
    visitor.press("Show what it changes", **wish, amount="12,5")
    assert (visitor.answer.status_code, Ruling.objects.count()) == (200, 0), "no reason to look is asked for"
    visitor.press("Publish the ruling", reason="")
    assert (visitor.answer.status_code, Ruling.objects.count()) == (400, 0), "but one to publish"
    visitor.press("Publish the ruling", reason="Late twice")
    made = Ruling.objects.get()
    assert (made.kind, made.content) == ("penalty", {"amount": "25/2", "unit": "percent"})
    visitor.open(reverse("desk-objections", args=[session.pk])).press("Reverse it", reason="")
    assert visitor.answer.status_code == 400
    visitor.press("Reverse it", reason="Another one was late")
    made.refresh_from_db()
    assert made.reversed_at
    assert "Nobody has any." in visitor.text
    organiser = at_desk(an_account("Ota", kind=RoleKind.ORGANISER, club=club.name))
    assert reverse("club-catalogue", args=[club.slug]) in organiser.open(visitor.path).text


def test_an_objection_that_is_upheld_leads_to_the_ruling_and_is_answered_with_it() -> None:
    world, plays = a_running_world()
    session, play = world.session, plays[0]
    objection = an_objection(session, play, world.organiser)
    page = reverse("desk-objections", args=[session.pk])
    visitor = an_official(session, "Dora").open(page)
    board = reverse("desk-play", args=[session.pk, play.pk])
    assert f"{board}#ruling" in visitor.text
    sent = {"way": "step", "objection": objection, "text": "Nine", "outcome": "upheld"}
    answer = visitor.client.post(page, sent | {"ruling": 10**9})
    assert (answer.status_code, ObjectionStep.objects.count()) == (400, 0), "no such ruling"
    place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
    plan = rulings.on_play(session=session, place=place, decisions=[{"kind": "annulled"}])
    made = rulings.rule(plan, actor=None, text="Nine")
    visitor.open(page)
    assert "All seats: annulled" in visitor.text, "what has been ruled stands there too"
    visitor.press("Answer", outcome="upheld", text="Nine", ruling=str(made.pk))
    assert ObjectionStep.objects.get().ruling_id == made.pk
    assert visitor.path == page
    an_objection(session, play, world.organiser)
    visitor.open(page).press("Answer", outcome="upheld", text="Ten")
    assert visitor.path.startswith(board), "nothing has been ruled yet"
    assert "the list is as it was" in visitor.text


def test_whoever_rules_for_an_objection_finds_the_answer_open_and_the_ruling_chosen() -> None:
    world, plays = a_running_world()
    session, play = world.session, plays[0]
    page, number = reverse("desk-objections", args=[session.pk]), play.seatings.get(seat=1).contestant.number
    place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
    plan = rulings.on_play(session=session, place=place, decisions=[{"kind": "annulled"}])
    before = rulings.rule(plan, actor=None, text="Another matter")
    visitor = an_official(session, "Dora")
    wish = {"way": "write", "contestant": str(number), "board": str(play.board.number), "text": "Nine tricks"}
    answer = visitor.client.post(page, wish)
    objection = Objection.objects.get()
    assert answer["Location"].endswith(f"{page}#objection-{objection.pk}"), "one sees what has been written"
    assert f'<option value="{before.pk}">' in visitor.open(page).text, "it was made before anybody objected"
    made = rulings.rule(plan, actor=None, text="Nine")
    panel = visitor.open(reverse("desk-play", args=[session.pk, play.pk])).text
    assert "Nine tricks" in panel, "what it is about is read where it is ruled on"
    link = f"{page}?answer={objection.pk}"
    assert f"{link}#objection-{objection.pk}" in panel
    shown = visitor.open(link).text.partition(f'id="objection-{objection.pk}"')[2].partition("</article>")[0]
    assert '<details class="more" open>' in shown
    assert f'<option value="{made.pk}" selected>' in shown
    visitor.press("Answer", outcome="upheld", text=" ", ruling="")
    assert visitor.answer.status_code == 400
    assert f'<option value="{made.pk}">' in visitor.text, "none was chosen"
    visitor.open(link).press("Answer", outcome="upheld", text="Nine", ruling=str(made.pk))
    assert ObjectionStep.objects.get().ruling_id == made.pk


def test_a_ruling_is_listed_by_the_names_of_those_it_is_about() -> None:
    world, plays = a_running_world()
    session, play = world.session, plays[0]
    place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
    decided = {"kind": "assigned", "outcomes": [{"scores": [-2, 0, 0]}], "seats": [1]}
    rulings.rule(rulings.on_play(session=session, place=place, decisions=[decided]), actor=None, text="x")
    listed = an_official(session, "Dora").open(reverse("desk-objections", args=[session.pk])).text
    assert f"{play.seatings.get(seat=1).contestant.name}: assigned score −1." in listed


def test_the_board_of_a_ruling_or_an_objection_is_found_by_its_numbers() -> None:
    world, plays = a_running_world()
    session, play = world.session, plays[0]
    page = reverse("desk-objections", args=[session.pk])
    visitor = an_official(session, "Dora").open(page)
    visitor.press("Rule on this board", table=f"a {play.table.number}", board=play.board.number)
    assert visitor.path.startswith(reverse("desk-play", args=[session.pk, play.pk]))
    visitor.open(page).press("Rule on this board", table="77", board="1")
    assert "This table does not play this board." in visitor.text
    opened = visitor.open(f"{page}?play={play.pk}").text
    chosen = opened.partition('id="id_contestant"')[2].partition("</select>")[0]
    seated = {str(one.contestant.number) for one in play.seatings.all()}
    assert set(re.findall(r'value="(\d+)"', chosen)) == seated
    for odd in ("?play=x", "?play=99999999999999999999", "?table=&board=", "?table=1&board=x"):
        assert visitor.open(page + odd).answer.status_code == 200


def test_a_director_who_plays_is_shown_nobodys_moves_and_answers_nothing_of_their_table() -> None:
    world, plays = a_running_world()
    session = world.session
    a_penalty(session)
    own = plays[1].seatings.get(seat=1).contestant
    visitor = an_official(session, own.name).open(reverse("desk-objections", args=[session.pk]))
    visitor.press("Show what it changes", contestant="1", reason="Slow")
    assert "You play here: whom it moves is shown once" in visitor.text
    wish = {"board": plays[1].board.number, "contestant": str(own.number)}
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
