"""Master points: given once a ranking is final, taken back and given again when it is amended, withdrawn or
set up in another way, with a trace; what they never count."""

from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.utils import timezone

from tournaments import tasks
from tournaments.models import Member, Player, PointsGiven, PointsTally, Session, SessionList
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    duplicates,
    erasing,
    events,
    formulas,
    list_contents,
    lists,
    master_points,
    my_data,
    names,
    print_contents,
    prints,
    rankings,
    sessions,
    states,
    submissions,
    sweep,
)
from tournaments.services.lists import ListSetup
from tournaments.services.print_contents import PrintedEvening

from .fields import a_leg, a_part, an_organiser
from .seasons import pairs, play
from .test_prints import an_official, text_of
from .worlds import a_club, a_session, an_entry, forget, plays_of, work

pytestmark = pytest.mark.django_db

OVERALL = ListSetup("Everybody", "overall", award_factor="1")


@pytest.fixture(autouse=True)
def anew() -> None:
    forget()


def follow() -> None:
    """What workers do, asked by the sweep."""
    behind = list(PointsTally.objects.behind().values_list("pk", flat=True))
    assert sweep.sweep()["give_points"] == len(behind)
    for session in behind:
        tasks.give_points(session)
    assert not PointsTally.objects.behind().exists()
    check()


def check() -> None:
    """What stands is what the lists of final rankings show, by a plain loop over them."""
    due: dict[int, Fraction] = {}
    for one in SessionList.objects.filter(removed_at=None).exclude(award_factor=""):
        session = one.session
        is_closed = session.is_under_embargo or not session.listed or session.is_trial
        if is_closed or session.state not in ("final", "amended"):
            continue
        content = list_contents.content(one, list_contents.members_of(one))
        for place in content.places(range(content.count)):
            of_it = {"contestant__team": place.place.contestant}
            if one.kind not in SessionList.OF_TEAMS:
                of_it = {"contestant": place.place.contestant}
            for member in Member.objects.filter(session=session, player__erased_at=None, **of_it):
                due[member.player_id] = due.get(member.player_id, Fraction(0)) + (place.award or 0)
    players = Player.objects.values_list("pk", flat=True)
    assert master_points.totals_of(players) == {player: points for player, points in due.items() if points}


def final(session: Session) -> Session:
    return states.change(session=session, actor=None, to=Session.State.FINAL)


def rows() -> list[tuple[Any, ...]]:
    columns = ("player", "hundredths", "version", "reversed_version")
    found = PointsGiven.objects.order_by("pk").values_list(*columns, "reversed_at")
    return [(*row, at is not None) for *row, at in found]


def mend(session: Session) -> None:
    """Other results of one play after another, until the ranking is another one."""
    sender, before = an_organiser(session.tournament.club), rankings.newest(session)
    for each in plays_of(session):
        entries = [an_entry(each, reason="Miscounted")]
        submissions.submit(session_id=session.pk, sender=sender, entries=entries)
        work(session)
        if rankings.newest(session) != before:
            return


def test_points_are_given_when_the_ranking_is_final_and_again_when_it_is_amended() -> None:
    session = play(a_session())
    lists.set_up(session=session, actor=None, setup=OVERALL)
    follow()
    assert rows() == [], "it is provisional"
    final(session)
    follow()
    first = rows()
    assert first
    assert not any(is_reversed for *_row, is_reversed in first)
    follow()
    assert rows() == first, "once"
    totals = master_points.totals_of([player for player, *_rest in first])
    mend(session)
    assert Session.objects.get(pk=session.pk).state == Session.State.AMENDED
    follow()
    again = rows()
    assert len(again) > len(first), "the ranking is another one"
    assert [row[:3] for row in again[: len(first)]] == [row[:3] for row in first], "the trace stays"
    version = Session.objects.get(pk=session.pk).version
    for player, _points, given, reversed_by, is_reversed in again:
        assert reversed_by == (version if is_reversed else None)
        assert given == version or is_reversed or totals[player] == master_points.totals_of([player])[player]


def test_what_is_withdrawn_is_taken_back_and_counts_for_nobody_before() -> None:
    session = final(play(a_session()))
    lists.set_up(session=session, actor=None, setup=OVERALL)
    follow()
    given = [player for player, *_rest in rows()]
    sessions.publish(session=session, actor=None, listed=False)
    assert master_points.totals_of(given) == {}, "before a worker has looked"
    follow()
    assert {row[3:] for row in rows()} == {(None, True)}
    assert len(master_points.history_of(given[:1])) == 1
    sessions.publish(session=Session.objects.get(pk=session.pk), actor=None, listed=True)
    follow()
    assert len(rows()) == 2 * len(given)
    assert set(master_points.totals_of(given)) == set(given)


def test_another_factor_another_formula_and_a_removed_list_are_followed() -> None:
    session = final(play(a_session()))
    one = lists.set_up(session=session, actor=None, setup=OVERALL)
    other = ListSetup("Half", "overall", award_factor="1/2")
    follow()
    single = master_points.totals_of(Player.objects.values_list("pk", flat=True))
    formulas.add(club=session.tournament.club, actor=None, name="Even", text="1")
    lists.set_up(session=session, actor=None, setup=other)
    follow()
    both = master_points.totals_of(single)
    assert all(both[player] > points for player, points in single.items()), "each list gives its own"
    even = ListSetup("Everybody", "overall", award_factor="1", formula="Even")
    lists.change(the_list=one, actor=None, setup=even, seen=None)
    follow()
    assert master_points.totals_of(Player.objects.values_list("pk", flat=True)) != both
    for each in lists.of(session):
        each.session = session
        lists.remove(the_list=each, actor=None, seen=None)
    follow()
    assert master_points.totals_of(single) == {}
    assert PointsGiven.objects.filter(player=next(iter(single))).count() == 3


def test_a_list_without_a_factor_gives_nothing_and_nobody_looks() -> None:
    session = play(a_session())
    lists.set_up(session=session, actor=None, setup=ListSetup("Everybody", "overall"))
    final(session)
    assert not PointsTally.objects.exists()


def test_a_trial_gives_nothing() -> None:
    session = final(play(a_session(trial=True)))
    lists.set_up(session=session, actor=None, setup=OVERALL)
    follow()
    assert rows() == []


def test_under_embargo_nothing_is_given_until_it_is_lifted() -> None:
    leg = a_leg()
    part, _unplayed = [a_part(leg, name) for name in ("Club A", "Club B")]
    lists.set_up(session=part, actor=None, setup=OVERALL)
    final(play(part))
    follow()
    assert rows() == []
    leg.refresh_from_db()
    assert events.lift_if_due(leg, now=leg.closes_at + timedelta(days=400))
    follow()
    assert rows() != []


def everybody_one(session: Session) -> None:
    """A list by which each has one point."""
    club = session.tournament.club
    if not formulas.of(club).exists():
        formulas.add(club=club, actor=None, name="Even", text="1")
    setup = ListSetup("Everybody", "overall", award_factor="1", formula="Even")
    lists.set_up(session=session, actor=None, setup=setup)


def test_players_that_are_merged_have_their_points_together_and_apart_again() -> None:
    first, second = final(play(a_session())), final(play(pairs(a_club(), a_session(), 4)))
    own = Player.objects.filter(memberships__session=first)
    one = own.filter(memberships__session=second).order_by("pk")[0]
    other = Player.objects.create(club=one.club, given_name="Ana", family_name="Double")
    Member.objects.filter(session=second, player=one).update(player=other)
    for session in (first, second):
        everybody_one(session)
    follow()
    both = [one.pk, other.pk]
    assert master_points.totals_of(both) == {one.pk: 1, other.pk: 1}
    duplicates.merge(kept=one, merged=other, actor=None)
    follow()
    assert master_points.totals_of(both) == {one.pk: 2}
    duplicates.take_apart(player=Player.objects.get(pk=other.pk), actor=None)
    follow()
    assert master_points.totals_of(both) == {one.pk: 1, other.pk: 1}
    assert PointsGiven.objects.filter(player__in=both).count() == 4, "with a trace"


def test_of_an_erased_player_nothing_stays() -> None:
    session = final(play(a_session()))
    lists.set_up(session=session, actor=None, setup=OVERALL)
    follow()
    gone = PointsGiven.objects.order_by("pk")[0].player
    assert my_data.about(None, [gone])["master_points"]["data"]
    erasing.erase_player(player=gone, actor=None)
    assert not PointsGiven.objects.filter(player=gone).exists()
    follow()
    assert not PointsGiven.objects.filter(player=gone).exists()


def test_certificates_name_what_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    session = play(a_session())
    lists.set_up(session=session, actor=None, setup=OVERALL)
    director = an_official(session, RoleKind.DIRECTOR, "Lola")

    def named() -> list[str]:
        reader = names.reader_for(director)
        evening = PrintedEvening(session, director, director, reader, "en", timezone.now())
        return [row.points for rows in print_contents._groups(evening).values() for row in rows if row.points]

    assert named() == [], "it is provisional"
    session = final(session)
    follow()
    gifts = PointsGiven.objects.order_by("-hundredths").values_list("hundredths", flat=True)
    assert named() == [f"{one / 100:.2f} master points" for one in gifts]
    pdf = prints.make(session=session, actor=director, kinds=["certificates"], language="en", size="A4")
    assert "master points" in text_of(pdf.content)
    session = sessions.publish(session=session, actor=None, listed=False)
    assert named() == []


def test_two_workers_give_once() -> None:
    session = final(play(a_session()))
    lists.set_up(session=session, actor=None, setup=OVERALL)
    tally = PointsTally.objects.select_related("session__board_set", "session__tally").get()
    made = master_points.compute(tally)
    assert master_points.store(made)
    assert not master_points.store(made)
    assert len(rows()) == len(made.gifts)
