"""Lists are what their results give: counted again by other code, compared, and mended."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from scoring.standings import Standings
from tournaments import guards, tasks
from tournaments.models import Line, Ranking, Result, Session, Tally
from tournaments.services import counting, rankings, readiness, recomputing, versions

from .worlds import a_world, hand_in, played_through, plays_of, standings_of, work

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    world = a_world(fault_line="adjusted")
    played_through(world)
    hand_in(world, plays_of(world.session)[0], {"sheet": {"outcome": "fault", "offender": 2}})
    work(world.session)
    return world.refresh()


def spoil_line(session: Session) -> None:
    assert Line.objects.filter(board__board_set__session=session, side=1).update(counts={"7": 3}) > 1


def spoil_version(session: Session) -> None:
    """The newest version says that its first contestant has won a board that nobody played."""
    newest = Ranking.objects.get(session=session, is_live=False, version=session.version)
    totals, groups, _disqualified = versions.totals_in([bytes(newest.content)])
    k = min(totals)
    right = totals[k]
    better = totals.with_totals({k: replace(right, won=replace(right.won, points=right.won.points + 1))})
    with guards.away():
        Ranking.objects.filter(pk=newest.pk).update(content=versions.to_bytes(better, groups))
    assert connection.in_atomic_block


def spoil_memory(session: Session) -> None:
    """A line has got lost on the way, after the newest version was made."""
    held = counting.memory.get(session.pk)
    assert held is not None
    lines = dict(held.standings.lines)
    lines.popitem()
    counting.memory.keep(session.pk, replace(held, standings=Standings(lines)))


def nothing(session: Session) -> None:
    """All is well."""


SPOILS: list[tuple[Callable[[Session], None], set[str]]] = [
    (spoil_line, {"histogram"}),
    (spoil_version, {"version"}),
    (spoil_memory, {"memory"}),
    (nothing, set()),
]


@pytest.mark.parametrize(("spoil", "where"), SPOILS)
def test_what_was_spoilt_is_noticed_and_mended(
    spoil: Callable[[Session], None], where: set[str], session: Session
) -> None:
    Tally.objects.filter(session=session).update(ranked_position=0)  # so that this process remembers it
    rankings.rank(session_id=session.pk)
    counting.memory.keep(session.pk, remembered(session))
    right = standings_of(session)
    spoil(session)
    answer = recomputing.recompute(session=session)
    assert answer is not None
    assert {one.where for one in answer.disagreements} == where
    assert readiness.parts()["lists"].is_ready is not bool(where)
    tasks.compare()
    again = recomputing.recompute(session=session)
    assert again is not None
    assert again.disagreements == ()
    assert readiness.parts()["lists"].is_ready
    session = Session.objects.get(pk=session.pk)
    assert [(one.contestant, one.total) for one in standings_of(session)] == [
        (one.contestant, one.total) for one in right
    ]
    after_the_next_result(session)


def remembered(session: Session) -> counting.SessionStandings:
    tally = Tally.objects.select_related("session__board_set").get(session=session)
    held, _lines = counting.up_to_date(tally)
    return replace(held, version=tally.version, ranked=held.standings.totals)


def after_the_next_result(session: Session) -> None:
    """What was wrong does not come back."""
    results = Result.objects.filter(session=session)
    Tally.objects.filter(session=session).update(position=99)
    with guards.away():
        results.filter(pk=results.latest("pk").pk).update(position=99)
    rankings.rank(session_id=session.pk)
    answer = recomputing.recompute(session=session)
    assert answer is not None
    assert answer.disagreements == ()


def test_while_results_are_taken_in_nothing_is_compared(session: Session) -> None:
    Tally.objects.filter(session=session).update(position=50)
    assert recomputing.recompute(session=session, mend=True) is None


def test_sessions_are_compared_one_after_the_other(session: Session) -> None:
    other = a_world()
    played_through(other)
    asked = [recomputing.sample() for _ in range(4)]
    assert asked == [session.pk, other.session.pk] * 2 or asked == [other.session.pk, session.pk] * 2


def test_a_session_that_is_too_large_is_left_to_the_command(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recomputing, "SAMPLE_PLAYS", Result.objects.filter(session=session).count() - 1)
    assert recomputing.sample() is None


def test_the_command_says_what_differs_and_mends_it(session: Session, capsys: Any) -> None:
    call_command("recompute", str(session.pk))
    right = f"Session {session.pk}: version {session.version} is what its results give.\n"
    assert capsys.readouterr().out == right
    spoil_version(session)
    with pytest.raises(CommandError, match="not those of their results"):
        call_command("recompute")
    assert f"Session {session.pk}: version, contestant " in capsys.readouterr().out
    call_command("recompute", "--mend")
    assert f"Session {session.pk}: mended in version {session.version + 1}." in capsys.readouterr().out
    with pytest.raises(CommandError, match="no session"):
        call_command("recompute", "999999999")
