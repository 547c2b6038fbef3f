"""Ratings that follow what is published and amended, a session at a time: the same as all from the first
evening on, whatever came before; what they never count; how well they foretold."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tournaments.models import (
    Member,
    Player,
    PlayerRating,
    RatedSession,
    RatingStep,
    RatingTally,
    Session,
    Tournament,
)
from tournaments.models.ratings import ALL_GAMES
from tournaments.services import duplicates, erasing, rankings, ratings, sessions, states, submissions, sweep
from tournaments.services.names import Reader

from .fields import a_leg, a_part, an_organiser
from .seasons import evenings, pairs, play
from .worlds import a_club, a_session, an_entry, forget, plays_of, work

pytestmark = pytest.mark.django_db

Told = dict[tuple[str, int], tuple[Any, ...]]


@pytest.fixture(autouse=True)
def anew() -> None:
    forget()


def told() -> Told:
    """By game and player, where everybody stands."""
    return {
        (one.game, one.player_id): (one.mean, one.spread, one.boards, one.events, one.played_at)
        for one in PlayerRating.objects.all()
    }


def steps() -> set[tuple[Any, ...]]:
    columns = (
        "rated__session",
        "rated__place",
        "game",
        "player",
        "mean",
        "spread",
        "elo",
        "boards",
        "events",
    )
    return set(RatingStep.objects.values_list(*columns))


def forecasts() -> list[Any]:
    return list(RatedSession.objects.order_by("place").values_list("session", "forecasts"))


def begin() -> None:
    ratings.store(ratings.compute(club=a_club()), is_asked=True)


def follow() -> int:
    """What a worker does; how many sessions were made anew for it, and that the same comes of all of them."""
    start = ratings.compute(club=a_club()).start
    assert sweep.sweep()["rate_club"] == RatingTally.objects.behind().count()
    ratings.rate(club_id=a_club().pk)
    assert not RatingTally.objects.behind().exists()
    now = told(), steps(), forecasts()
    whole = ratings.compute(club=a_club(), anew=True)
    assert whole.start == 0
    ratings.store(whole, is_asked=True)
    assert (told(), steps(), forecasts()) == now
    return RatedSession.objects.count() - start


def mend(session: Session) -> None:
    """Other results of one play after another, until the ranking is another one."""
    sender, before = an_organiser(session.tournament.club), rankings.newest(session)
    assert before is not None
    for each in plays_of(session):
        entries = [an_entry(each, reason="Miscounted")]
        submissions.submit(session_id=session.pk, sender=sender, entries=entries)
        work(session)
        if rankings.newest(session) != before:
            return


def test_a_new_evening_costs_one_and_an_amended_one_those_from_it_on() -> None:
    first, second = evenings(2)
    begin()
    before = told()
    assert {game for game, _player in before} == {first.game, ALL_GAMES}
    third = play(a_session())
    assert RatingTally.objects.behind().exists(), "its list has been published"
    assert follow() == 1
    assert {one[3] for one in told().values()} == {3}
    mend(second)
    assert follow() == 2
    Session.objects.filter(pk=third.pk).update(starts_at=first.created_at - timedelta(days=3))
    RatingTally.objects.update(changes=100)
    assert follow() == 3, "it was played first, as somebody has mended"
    sessions.publish(session=second, actor=None, listed=False)
    club = a_club()
    assert not ratings.is_whole(club)
    assert ratings.of(club, None, Reader(clubs=frozenset({club.pk}))) == [], (
        "they still count what is withdrawn"
    )
    assert follow() == 0
    assert ratings.is_whole(club)
    assert {one[3] for one in told().values()} == {2}
    states.change(session=first, actor=None, to=states.State.PLAYED)
    assert follow() == 0
    assert {one[3] for one in told().values()} == {1}


def test_over_all_games_each_evening_counts_whatever_was_played() -> None:
    one = play(a_session())
    other = play(pairs(a_club(), a_session(), 4))
    begin()
    now = told()
    players = {player for game, player in now if game == ALL_GAMES}
    for player in players:
        own = [now[game, player][2] for game in (one.game, other.game) if (game, player) in now]
        assert now[ALL_GAMES, player][2] == sum(own), "the boards of all"
        assert now[ALL_GAMES, player][3] == len(own)
    both = [player for player in players if (one.game, player) in now and (other.game, player) in now]
    assert both
    assert all(now[ALL_GAMES, player][1] < now[other.game, player][1] for player in both), "it is surer"


def test_a_player_who_is_erased_or_merged_leaves_nothing_and_the_rest_is_made_anew() -> None:
    _first, second = evenings(2)
    begin()
    gone = Player.objects.order_by("pk")[0]
    erasing.erase_player(player=gone, actor=None)
    assert not RatingStep.objects.filter(player=gone).exists()
    assert not PlayerRating.objects.filter(player=gone).exists()
    assert follow() == 2
    assert not RatingStep.objects.filter(player=gone).exists(), "nor is it rated again"
    mend(second)
    assert follow() == 1, "for others it is somebody new each time"
    third = play(a_session())
    assert follow() == 1, "nothing of the erased player is missed"
    kept = Player.objects.create(club=a_club(), given_name="Zoé", family_name="Zimmermann")
    merged = Member.objects.filter(session=third).order_by("player")[0].player
    assert merged.pk < gone.pk + 9, "who has played all three"
    duplicates.merge(kept=kept, merged=merged, actor=None)
    assert follow() == 3
    assert not PlayerRating.objects.filter(player=merged).exists()
    assert told()[ALL_GAMES, kept.pk][3] == 3
    duplicates.take_apart(player=merged, actor=None)
    assert follow() == 3
    assert not PlayerRating.objects.filter(player=kept).exists()


def test_what_nobody_may_see_counts_for_nothing() -> None:
    evenings(1)
    begin()
    before = told()
    play(a_session(), listed=False)
    sessions.publish(session=play(a_session()), actor=None, listed=False)
    play(a_session(trial=True))
    Tournament.objects.update(name="Thursdays")
    leg = a_leg()
    part, _unplayed = [a_part(leg, name) for name in ("Club A", "Club B")]
    play(part)
    RatingTally.objects.update(changes=100)
    follow()
    assert told() == before


def test_a_club_is_rated_only_if_it_has_asked_and_until_it_has_them_forgotten() -> None:
    play(a_session())
    assert sweep.sweep()["rate_club"] == 0
    assert not ratings.is_rated(a_club())
    begin()
    assert ratings.is_rated(a_club())
    ratings.forget(club=a_club(), actor=None)
    play(a_session())
    assert sweep.sweep()["rate_club"] == 0
    assert not any(model.objects.exists() for model in (PlayerRating, RatingStep, RatedSession, RatingTally))


def test_what_somebody_else_has_stored_meanwhile_stays() -> None:
    evenings(1)
    begin()
    play(a_session())
    slow = ratings.compute(club=a_club())
    mend(Session.objects.order_by("pk")[0])
    ratings.rate(club_id=a_club().pk)
    now = told()
    assert not ratings.store(slow)
    assert told() == now
    assert not RatingTally.objects.behind().exists()


def test_who_is_erased_while_ratings_are_made_is_not_in_what_follows() -> None:
    evenings(2)
    begin()
    follow()
    mend(Session.objects.order_by("pk")[0])
    slow = ratings.compute(club=a_club())
    gone = Player.objects.order_by("pk")[0]
    erasing.erase_player(player=gone, actor=None)
    assert ratings.store(slow)
    assert not RatingStep.objects.filter(player=gone).exists()
    assert follow() == 2, "all that was made of them is made anew"


def test_whoever_has_not_played_for_a_year_comes_last() -> None:
    evenings(2)
    begin()
    club = a_club()
    reader = Reader(clubs=frozenset({club.pk}))
    strongest = ratings.of(club, ALL_GAMES, reader)[0][1]
    long_ago = timezone.now() - timedelta(days=366)
    PlayerRating.objects.filter(pk=strongest.pk).update(played_at=long_ago)
    weakest = ratings.of(club, ALL_GAMES, reader)[-2][1]
    PlayerRating.objects.filter(pk=weakest.pk).update(boards=60)
    found = [one for _rank, one in ratings.of(club, ALL_GAMES, reader)]
    assert found[0] == weakest, "all others are provisional"
    assert found[-1] == strongest


def test_queries_grow_neither_with_the_players_nor_with_what_went_before() -> None:
    evenings(1)
    begin()

    def asked() -> int:
        play(a_session())
        forget()
        with CaptureQueriesContext(connection) as seen:
            ratings.rate(club_id=a_club().pk)
        return len(seen)

    first = asked()
    for session in evenings(2):
        assert session.pk
    ratings.rate(club_id=a_club().pk)
    assert asked() == first


def test_a_history_has_only_what_everybody_may_see() -> None:
    first, second = evenings(2)
    begin()
    player = Member.objects.filter(session=first).order_by("pk")[0].player
    found = ratings.histories([player.pk])
    assert [[one.rated.session for one in line] for line in found.values()] == [[first, second]] * 2
    assert [one.events for one in found[a_club().pk, first.game]] == [1, 2]
    sessions.publish(session=second, actor=None, listed=False)
    assert [len(line) for line in ratings.histories([player.pk]).values()] == [1, 1]


def test_how_well_ratings_foretell_is_counted_once_both_have_played() -> None:
    first, second = evenings(2)
    begin()
    by_session = dict(forecasts())
    assert by_session[first.pk][0] == 0, "nobody had played before"
    everything = ratings.foretold(a_club())
    assert everything.pairs == by_session[second.pk][0] > 0
    assert sum(n for n, _won in everything.bins) <= everything.pairs
    assert all(0 <= won <= n for n, won in everything.bins)
