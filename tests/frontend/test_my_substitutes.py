"""What a substitute finds on their own page: where they sit, and what they have played in these rounds."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.worlds import World, a_world, forget, hand_in, played_through, plays_of, work
from tournaments.models import Board, Play, Player, Session, Substitution
from tournaments.models.open_boards import open_in
from tournaments.services import (
    names,
    own_news,
    own_results,
    own_season,
    own_seats,
    register,
    sessions,
    states,
    substitutes,
)
from tournaments.services.register import Details

from .test_players_pages import a_browser_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    forget()


def member_of(world: World) -> Player:
    return Player.objects.get(pk=world.holder("player").player_id)


def put_in(world: World, rounds: tuple[int, int]) -> Substitution:
    """Zoé plays these rounds for the player of the world, by the organiser."""
    club = world.session.tournament.club
    zoe = register.add(club=club, actor=world.organiser, details=Details("Zoé", "Roux", consent=True))
    member = member_of(world)
    return substitutes.substitute(
        session=world.session,
        actor=world.organiser,
        contestant=member.memberships.get().contestant.number,
        player=zoe.pk,
        for_player=member.pk,
        first_round=rounds[0],
        last_round=rounds[1],
    )


def rounds_of(plays: Sequence[own_results.OwnPlay]) -> set[int]:
    return {one.round for one in plays}


def evening_of(player: Player, session: Session) -> Any:
    return a_browser_of(player).get(reverse("my-evening", kwargs={"pk": session.pk}))


def test_a_substitute_is_told_where_to_sit_and_the_member_that_somebody_plays_for_them() -> None:
    world = a_world()
    made = put_in(world, (1, 1))
    states.change(session=world.session, actor=world.organiser, to="running")
    (seat,) = own_seats.coming([made.player])
    (others,) = own_seats.coming([made.for_player])
    assert [one.number for one in seat.rounds] == [1]
    assert 1 not in [one.number for one in others.rounds]
    assert (bool(seat.plays_for), others.plays_for) == (True, "")
    page = text_of(a_browser_of(made.player).get(reverse("me")))
    assert "As a substitute for" in page
    substitutes.undo(substitution=made, actor=world.organiser)
    assert own_seats.coming([made.player]) == []
    (seat,) = own_seats.coming([made.for_player])
    assert [one.number for one in seat.rounds] == [1, 2]


def test_a_substitute_sees_the_boards_of_their_rounds_once_they_are_over_and_no_others() -> None:
    world = a_world(published=False)
    made = put_in(world, (1, 1))
    caller = own_results.as_caller(made.player)
    assert not open_in(world.session, caller).exists()
    play = next(one for one in plays_of(world.session) if one.table_id == world.table.table_id)
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    world.refresh()
    mine = own_results.own_plays(world.session, made.player)
    assert rounds_of(mine) == {1}
    assert all(one.score is not None and one.is_open for one in mine)
    assert rounds_of(own_results.own_plays(world.session, made.for_player)) > {1}
    seen = set(open_in(world.session, caller).values_list("number", flat=True))
    assert seen == {one.board for one in mine}
    assert seen < set(
        Board.objects.filter(board_set=world.session.board_set).values_list("number", flat=True)
    )
    assert set(Play.objects.visible_to(caller).values_list("pk", flat=True)) == {one.pk for one in mine}
    assert Session.objects.visible_to(caller).filter(pk=world.session.pk).exists()
    browser = a_browser_of(made.player)
    board = {"pk": world.session.pk, "number": play.board.number}
    assert browser.get(reverse("my-board", kwargs=board)).status_code == 200
    other = next(one for one in plays_of(world.session) if one.board.number not in seen)
    board["number"] = other.board.number
    assert browser.get(reverse("my-board", kwargs=board)).status_code == 404
    Substitution.objects.update(undone_at=timezone.now())
    assert not open_in(world.session, caller).exists()
    assert not Play.objects.visible_to(caller).exists()
    assert evening_of(made.player, world.session).status_code == 404


@pytest.mark.parametrize("rule", ["both", "substitute", "member"])
def test_the_place_is_to_a_substitutes_credit_where_the_session_says_so(rule: str) -> None:
    world = a_world(published=True)
    Session.objects.filter(pk=world.session.pk).update(substitutes_credited=rule)
    made = put_in(world, (1, 1))
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    world.refresh()
    (one,) = own_results.evenings([made.player])
    (other,) = own_results.evenings([made.for_player])
    assert (one.is_substitute, other.is_substitute) == (True, False)
    assert other.position is not None
    assert one.position == (None if rule == "member" else other.position)
    page = text_of(evening_of(made.player, world.session))
    assert f"Round 1: you play for {made.for_player.name}" in page
    assert ("credited to the member alone" in page) == (rule == "member")
    page = text_of(evening_of(made.for_player, world.session))
    assert "Round 1: Zoé Roux plays for you" in page
    assert "as a substitute" in text_of(a_browser_of(made.player).get(reverse("my-results")))


def test_with_whom_somebody_has_played_is_with_whom_they_have_sat() -> None:
    world = a_world(published=True)
    made = put_in(world, (1, 1))
    member = made.for_player
    rounds = {one.round for one in own_results.own_plays(world.session, member)}
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)

    def against(player: Player) -> int:
        reader = names.Reader(players=frozenset({player.pk}))
        return sum(one.against for one in own_season.companions([player], reader))

    others, boards = 2, 1  # at the table, in a round
    assert against(made.player) == others * boards
    assert against(member) == others * boards * (len(rounds) - 1)
    substitutes.undo(substitution=made, actor=world.organiser)
    assert against(made.player) == 0
    assert against(member) == others * boards * len(rounds)


def test_a_substitute_is_told_of_changes_of_their_rounds_alone() -> None:
    world = a_world()
    made = put_in(world, (1, 1))
    first, later = [one for one in plays_of(world.session) if one.table_id == world.table.table_id][:2]
    assert (first.round, later.round) == (1, 2)
    for tricks in ([5, 3, 2], [2, 3, 5]):
        for play in (first, later):
            hand_in(world, play, {"sheet": {"outcome": "normal", "tricks": tricks}})
        work(world.session)
    (news,) = own_news.latest([made.player])
    assert (news.board, news.what) == (first.board.number, own_news.CHANGED)
