"""What is counted, and how often: each award once, each change once, each key for one play."""

from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from engines import bots, registry
from tournaments.models import Play, Ranking, Result, Role, Session, Submission
from tournaments.services import board_sets, counting, rankings, sessions, submissions, tokens
from tournaments.services.errors import Conflict

from .worlds import World, a_club, a_world, an_entry, awards_of, hand_in, plays_of, standings_of, work

pytestmark = pytest.mark.django_db

AHEAD, BEHIND = [5, 3, 2], [3, 5, 2]  # tricks at COM'ON!: the first seat wins, or the second


def sheet(tricks: list[int]) -> dict[str, Any]:
    return {"sheet": {"outcome": "normal", "tricks": tricks}}


def newest(session: Session) -> list[rankings.Standing]:
    session.refresh_from_db()
    return standings_of(session)


def of_pairs(world: World) -> Session:
    """Six pairs at three tables of four seats, three rounds of two boards, every play as a record."""
    session = sessions.set_up(
        tournament=world.session.tournament,
        actor=world.organiser,
        name="Pairs",
        game="cochonnet",
        options={},
        method="matchpoints",
        movement="round-robin",
        contestants=[f"Pair {n}" for n in range(1, 7)],
        boards_per_round=2,
        rounds=3,
    )
    game = registry.game(session.game)
    entries = []
    for play in plays_of(session):
        state = game.start(board_sets.deal_of(session, play.board.number), session.options)
        bots.play_on(game, state, [bots.at_random] * 4, bots.randomness(play.pk))
        entries.append(an_entry(play, {"actions": list(state.entries)}))
    submissions.submit(session_id=session.pk, sender=world.organiser, entries=entries)
    return session


# A pair


def test_a_pair_wins_its_award_once_though_it_sits_in_two_seats() -> None:
    session = of_pairs(a_world())
    work(session)
    totals = [standing.total for standing in newest(session)]
    assert {total.boards for total in totals} == {6}
    assert {total.top for total in totals} == {6 * 4}  # three plays of a board: two others, two points each
    won = [awards_of(result) or [] for result in Result.objects.filter(session=session)]
    by_side = sum(float(awards[0]) + float(awards[1]) for awards in won)
    assert sum(total.points for total in totals) == by_side == 6 * 3 * 4


# A version


def test_a_ranking_without_a_change_gets_no_new_version_though_ranks_have_moved_before() -> None:
    world = a_world()
    plays = [play for play in plays_of(world.session) if play.board.number == 1]
    for play, tricks in zip(plays, (AHEAD, AHEAD, BEHIND), strict=True):
        hand_in(world, play, sheet(tricks))
    work(world.session)
    hand_in(world, plays[2], sheet(AHEAD))
    work(world.session)
    standings = newest(world.session)
    assert world.session.version == 2
    assert any(standing.change for standing in standings)  # the second version says who has moved
    rankings.change_layout(world.session)
    assert rankings.rank(session_id=world.session.pk) == 2
    assert Ranking.objects.filter(session=world.session, is_live=False).count() == 2
    assert newest(world.session) == standings


def test_a_ranking_says_how_far_each_has_moved_since_the_version_before() -> None:
    world = a_world()
    plays = [play for play in plays_of(world.session) if play.board.number == 1]
    for play, tricks in zip(plays, (AHEAD, AHEAD, BEHIND), strict=True):
        hand_in(world, play, sheet(tricks))
    work(world.session)
    before = {one.contestant: int(one.rank.rstrip("=")) for one in newest(world.session)}
    hand_in(world, plays[2], sheet(AHEAD))
    work(world.session)
    for one in newest(world.session):
        assert one.change == before[one.contestant] - int(one.rank.rstrip("="))


# A key


def other_play(play: Play) -> Play:
    """Another play of the same table."""
    others = Play.objects.exclude(pk=play.pk).filter(table=play.table)
    other = others.select_related("table__section", "board").first()
    assert other is not None
    return other


@pytest.mark.parametrize("together", [False, True])
def test_a_key_is_for_one_play_even_with_the_same_content(together: bool) -> None:
    world = a_world()
    play = plays_of(world.session)[0]
    first, second = an_entry(play), an_entry(other_play(play))
    entries = [submissions.ResultEntry(second.section, second.table, second.board, first.key, first.content)]
    if together:
        entries.insert(0, first)
    else:
        submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[first])
    with pytest.raises(Conflict) as refusal:
        submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=entries)
    assert refusal.value.code == "key-reused"
    said = {"index": len(entries) - 1, "key": str(first.key)}
    assert {name: refusal.value.details[name] for name in said} == said
    assert Submission.objects.count() == (0 if together else 1)


def test_the_same_key_of_two_senders_is_two_submissions() -> None:
    world = a_world()
    entry = an_entry(plays_of(world.session)[0])
    other, _text = tokens.issue_for_role(person="Olga", club=a_club("Club A"), kind=Role.Kind.ORGANISER)
    both = [
        submissions.submit(session_id=world.session.pk, sender=sender, entries=[entry])[0]
        for sender in (world.organiser, other)
    ]
    assert both[0].pk != both[1].pk
    assert {one.key for one in both} == {entry.key}


def test_a_new_key_for_the_same_content_is_a_new_submission() -> None:
    world = a_world()
    entry = an_entry(plays_of(world.session)[0])
    fresh = submissions.ResultEntry(entry.section, entry.table, entry.board, uuid4(), entry.content)
    submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[entry, fresh])
    assert Submission.objects.count() == 2


# What is kept between counts


def test_what_is_counted_is_kept_for_so_many_plays_the_newest_first_and_forgotten_at_a_word() -> None:
    def held(plays: int) -> counting.SessionStandings:
        return counting.SessionStandings(timezone.now(), 0, {}, rounds=dict.fromkeys(range(plays), 1))

    memory = counting.Memory(most_plays=10)
    for session, plays in ((1, 4), (2, 4), (3, 2)):
        memory.keep(session, held(plays))
    assert list(memory.sessions) == [1, 2, 3]
    memory.keep(1, held(5))  # one play too many: the longest unused one goes
    assert list(memory.sessions) == [3, 1]
    memory.keep(4, held(11))
    assert list(memory.sessions) == [4], "a session that is too large alone is kept all the same"
    memory.keep(5, held(0))
    memory.forget(4)
    assert list(memory.sessions) == [5]
    memory.forget()
    assert not memory.sessions
