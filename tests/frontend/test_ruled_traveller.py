"""What anybody reads of a result that a director has ruled on, and of a list that nothing counts in yet."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.worlds import a_world, hand_in, plays_of, work
from tournaments.services import rulings, sessions

pytestmark = pytest.mark.django_db


def test_a_ruled_result_says_so_and_what_bounds_its_share_but_tells_the_reason_to_nobody_else() -> None:
    world = a_world(published=True)
    for play in plays_of(world.session):
        hand_in(world, play)
    play = plays_of(world.session)[0]
    place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
    decided = [{"kind": "artificial", "percent": "40", "own": "if worse"}]
    rulings.rule(
        rulings.on_play(session=world.refresh(), place=place, decisions=decided),
        actor=world.organiser,
        text="Cards were shown",
    )
    work(world.session)
    sessions.finish(session=world.refresh(), actor=world.organiser)
    work(world.session)
    page = Client().get(reverse("traveller-page", args=[world.session.pk, play.board.number]))
    shown = page.content.decode()
    assert "40 %, or the share won on the other boards if that is worse" in shown
    assert "≤ " in shown
    assert "Cards were shown" not in shown


def test_a_result_that_is_annulled_counts_for_nobody_on_the_page_of_its_board() -> None:
    world = a_world(published=True)
    for play in plays_of(world.session):
        hand_in(world, play)
    play = plays_of(world.session)[0]
    place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
    plan = rulings.on_play(session=world.refresh(), place=place, decisions=[{"kind": "annulled"}])
    rulings.rule(plan, actor=world.organiser, text="Cards were shown")
    work(world.session)
    sessions.finish(session=world.refresh(), actor=world.organiser)
    work(world.session)
    page = Client().get(reverse("traveller-page", args=[world.session.pk, play.board.number]))
    assert page.status_code == 200
    row = page.content.decode().partition("annulled, counts for nobody")[2].partition("</tr>")[0]
    assert row.count('data-label="MP">–</td>') == 3


def test_results_entered_for_the_tables_count_when_the_play_ends_as_the_page_says() -> None:
    world = a_world(published=True)
    for play in plays_of(world.session):
        hand_in(world, play)
    work(world.session)
    address = reverse("ranking-page", args=[world.session.pk])
    said = "What the club enters for the tables counts here when the play ends."
    assert said in Client().get(address).content.decode()
    sessions.finish(session=world.refresh(), actor=world.organiser)
    work(world.session)
    shown = Client().get(address).content.decode()
    assert said not in shown
    assert 'class="score"' in shown
