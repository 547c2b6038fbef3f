"""What anybody reads of a result that a director has ruled on, and of a list that nothing counts in yet."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.worlds import (
    World,
    a_session,
    a_table_alone,
    a_world,
    hand_in,
    played_through,
    plays_of,
    work,
)
from tournaments.models import Play
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
    assert "40%, or the share won on the other boards if that is worse" in shown
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


def ruled(world: World, play: Play, *decisions: dict[str, Any]) -> None:
    place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
    plan = rulings.on_play(session=world.refresh(), place=place, decisions=decisions)
    rulings.rule(plan, actor=world.organiser, text="Cards were shown")


def traveller_of(world: World, play: Play) -> str:
    """The page of a play's board, as anybody sees it once the session has been played."""
    work(world.session)
    sessions.finish(session=world.refresh(), actor=world.organiser)
    work(world.session)
    page = Client().get(reverse("traveller-page", args=[world.session.pk, play.board.number]))
    assert page.status_code == 200
    return page.content.decode()


def test_what_is_ruled_where_nothing_was_played_stands_on_the_page_of_its_board() -> None:
    world = a_world(published=True)
    first, *others = plays_of(world.session)
    for play in others:
        hand_in(world, play)
    ruled(world, first, {"kind": "artificial", "percent": "60"})
    shown = traveller_of(world, first)
    row = shown.partition("60% of what can be won")[2].partition("</tr>")[0]
    assert row.count('data-label="Lives">–</td>') == 3
    assert row.count('data-label="MP">–</td>') == 0
    assert f"play={first.pk}" not in shown  # nothing to count
    assert shown.count("played 2 times") == 1


def test_of_two_rulings_the_newer_counts_and_the_earlier_is_told_as_replaced() -> None:
    world = a_world(published=True)
    for play in plays_of(world.session):
        hand_in(world, play)
    play = plays_of(world.session)[0]
    ruled(world, play, {"kind": "artificial", "percent": "40"})
    ruled(world, play, {"kind": "artificial", "percent": "60", "seats": [2]})
    told = " ".join(traveller_of(world, play).split())
    named = [one.contestant.name for one in play.seatings.select_related("contestant").order_by("seat")]
    share = "of what can be won."
    assert f"Earlier ruling, replaced: {named[1]}: 40% {share}" in told
    assert f"Ruling: {named[0]}, {named[2]}: 40% {share}" in told
    assert f"Ruling: {named[1]}: 60% {share}" in told


def test_a_table_alone_is_compared_with_nobody() -> None:
    alone = a_table_alone()
    for play in plays_of(alone.session):
        hand_in(alone, play)
    shown = traveller_of(alone, plays_of(alone.session)[0])
    assert "there is no other result to compare with" in shown
    assert "MP" not in shown
    assert "Each circle" not in shown
    assert "beside the field" not in shown


def test_a_pair_has_both_its_seats_and_every_point_of_its_total() -> None:
    world = a_world(a_session(game="cochonnet", players=8, movement="howell", published=True))
    played_through(world)
    play = plays_of(world.session)[0]
    shown = traveller_of(world, play)
    assert "Seats 1 + 3, 4 results" in shown
    told = [fact for fact in play.result.facts if fact["seat"] == 1 and fact["points"]]
    (row,) = [row for row in shown.split("<tr") if f"play={play.pk}#" in row]
    for fact in told:
        assert f"({fact['value']})" in row
    assert len(told) > 1
