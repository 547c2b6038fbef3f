"""Seasons: the standing beside one that a plain script makes from the rankings alone, what makes a new
version of it, what it never counts, divisions and prizes."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from statistics import mean, pstdev
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tournaments.models import (
    Contestant,
    CountedEvening,
    Member,
    Player,
    Season,
    SeasonStanding,
    SeasonTally,
    Session,
)
from tournaments.services import (
    duplicates,
    fields,
    names,
    rankings,
    season_news,
    season_results,
    season_standings,
    seasons,
    sessions,
    states,
    submissions,
    sweep,
)
from tournaments.services.errors import Invalid
from tournaments.services.names import ANYONE, Reader
from tournaments.services.season_results import EveningResults
from tournaments.services.season_standings import SeasonWish

from .fields import a_leg, a_part, an_organiser, send
from .seasons import PLAYERS, a_season, evening_of, evenings, pairs, play
from .test_events import refused
from .worlds import a_club, a_session, an_entry, forget, plays_of, work

pytestmark = pytest.mark.django_db
PAIRS = SeasonWish("contestants")


@pytest.fixture(autouse=True)
def anew() -> None:
    forget()
    season_standings.forget()


def plain(some: Sequence[Session], *, each: str = "players", standard: bool = False) -> dict[Any, list[Any]]:
    """By player (or by the players of a pair) what they came to on each evening, from the rankings."""
    found: dict[Any, list[Any]] = defaultdict(list)
    for session in some:
        newest = rankings.newest(session)
        assert newest is not None
        values = {one.contestant.pk: one.total.value for one in rankings.standings(newest)}
        if standard:
            own = [float(value) for value in values.values()]
            spread = pstdev(own)
            values = {k: 50 + 10 * (float(value) - mean(own)) / spread for k, value in values.items()}
        for k, value in values.items():
            players = tuple(
                Member.objects.filter(contestant=k).order_by("player").values_list("player", flat=True)
            )
            for key in [(one,) for one in players] if each == "players" else [players]:
                if each == "players" or len(key) > 1:
                    found[key].append(value)
    return found


def ranked(values: dict[Any, Any]) -> dict[Any, str]:
    return {
        k: f"{1 + sum(other > own for other in values.values())}"
        f"{'=' if sum(other == own for other in values.values()) > 1 else ''}"
        for k, own in values.items()
    }


def rows(season: Season, wish: SeasonWish = PLAYERS) -> dict[Any, Any]:
    version = season_standings.newest(season)
    assert version is not None
    return {row.contestant: row for row in season_standings.of_list(version, wish)}


def versions(season: Season) -> list[int]:
    return list(SeasonStanding.objects.filter(season=season).order_by("pk").values_list("version", flat=True))


# ── Beside a plain script ─────────────────────────────────────────────────────────────────────────


def test_the_best_evenings_count_as_a_plain_script_has_them() -> None:
    some = evenings(3)
    season = a_season(*some, rules={"best": 2, "least": 3})
    won = {key: sum(sorted(own)[-2:]) for key, own in plain(some).items()}
    found = rows(season)
    assert {key: row.value for key, row in found.items()} == won
    assert {key: row.rank for key, row in found.items()} == ranked(won)
    assert all(len(row.parts) == 2 and len(row.rest) == 1 for row in found.values())


def test_players_and_pairs_of_two_games_from_the_same_evenings() -> None:
    first = play(a_session(players=15))
    club = first.tournament.club
    second, third = (play(pairs(club, first), shift=shift) for shift in (0, 7))
    season = a_season(first, second, third, measure="standard", ranked=["players", "contestants"])
    for each, wish in (("players", PLAYERS), ("contestants", PAIRS)):
        won = {key: sum(own) for key, own in plain([first, second, third], each=each, standard=True).items()}
        found = rows(season, wish)
        assert set(found) == set(won)
        for key, row in found.items():
            assert float(row.value) == pytest.approx(won[key], abs=0.004)
    assert len(rows(season, PAIRS)) == 6
    assert {len(row.parts) for row in rows(season).values()} == {1, 3}


def test_an_event_counts_by_its_field_and_for_a_club_those_who_played_it_there() -> None:
    leg = a_leg(boards=12)
    parts = [a_part(leg, name) for name in ("Club A", "Club B")]
    for part in parts:
        send(part)
    fields.rank(leg_id=leg.pk)
    season = seasons.create(actor=None, club=a_club(), name="Winter")
    season = seasons.change(season=season, actor=None, evenings={("leg", leg.pk): "2"}, state="open")
    season_standings.rank(season_id=season.pk)
    own = set(Member.objects.filter(session=parts[0]).values_list("player", flat=True))
    assert {key[0] for key in rows(season)} == own
    federal = seasons.create(actor=None, club=None, name="Cup")
    seasons.change(season=federal, actor=None, evenings={("leg", leg.pk): "1"}, state="open")
    season_standings.rank(season_id=federal.pk)
    assert len(rows(federal)) == 18
    once = {key: row.value for key, row in rows(federal).items()}
    assert all(row.value == 2 * once[key] for key, row in rows(season).items())


# ── Versions ──────────────────────────────────────────────────────────────────────────────────────


def test_every_published_or_amended_ranking_makes_a_version_and_nothing_else_does() -> None:
    first, second = evenings(2)
    third = play(a_session(), listed=False)
    season = a_season(first, second, third)
    assert versions(season) == [1]
    assert len(season_standings.held(SeasonStanding.objects.get()).evenings) == 2
    for _again in range(2):
        assert season_standings.rank(season_id=season.pk) is None
    states.change(session=first, actor=None, to="final")
    season_standings.rank(season_id=season.pk)
    assert versions(season) == [1], "the list is the same"
    sessions.publish(session=third, actor=None, listed=True)
    assert ("rank_season", season.pk) in waiting()
    season_standings.rank(season_id=season.pk)
    assert versions(season) == [1, 2]
    mend(first)
    season_standings.rank(season_id=season.pk)
    assert versions(season) == [1, 2, 3]
    news = SeasonStanding.objects.get(season=season, version=3).news
    assert news == [[evening_of(season, first).pk, "mended"]]
    won = {key: sum(own) for key, own in plain([first, second, third]).items()}
    assert {key: row.value for key, row in rows(season).items()} == won


def mend(session: Session) -> None:
    """Other results of one play after another, until the ranking is another one."""
    sender, before = an_organiser(session.tournament.club), rankings.newest(session)
    assert before is not None
    for each in plays_of(session):
        submissions.submit(
            session_id=session.pk, sender=sender, entries=[an_entry(each, reason="Miscounted")]
        )
        work(session)
        if rankings.newest(session) != before:
            return


def waiting() -> set[Any]:
    """The seasons for which the sweep would send a message."""
    behind = SeasonTally.objects.behind().values_list("pk", flat=True)
    assert sweep.sweep()["rank_season"] == len(behind)
    return {("rank_season", pk) for pk in behind}


def test_the_same_evenings_lead_to_the_same_version_whatever_came_before() -> None:
    first, second, third = evenings(3)
    season = a_season(first, second, third)
    slowly = a_season(first)
    for some in ([first, second], [first, second, third]):
        seasons.change(season=slowly, actor=None, evenings={("session", one.pk): "1" for one in some})
        season_standings.rank(season_id=slowly.pk)
    assert versions(slowly) == [1, 2, 3]
    assert {key: (row.rank, row.value) for key, row in rows(slowly).items()} == {
        key: (row.rank, row.value) for key, row in rows(season).items()
    }


def test_one_evening_is_read_and_the_queries_do_not_grow_with_the_others() -> None:
    first, second, third, fourth = evenings(4)
    counts = []
    for some in ([first, second], [first, second, third, fourth]):
        season = a_season(*some)
        kept = {one.pk: bytes(one.results) for one in CountedEvening.objects.filter(season=season)}
        anew = evening_of(season, first)
        CountedEvening.objects.filter(season=season).update(results=season_results.packed([]))
        CountedEvening.objects.filter(pk=anew.pk).update(taken="")
        season_news.changed(season=season.pk)
        forget()
        with CaptureQueriesContext(connection) as queries:
            season_standings.rank(season_id=season.pk)
        counts.append(len(queries))
        found = {one.pk: bytes(one.results) for one in CountedEvening.objects.filter(season=season)}
        assert [pk for pk in kept if found[pk] == kept[pk]] == [anew.pk]
    assert counts[0] == counts[1]


def test_players_who_are_one_are_counted_as_one() -> None:
    first, second = play(a_session()), play(a_session(players=15))
    own = {one.name: one for one in Player.objects.filter(club=a_club())}
    season = a_season(first, second)
    twin = own["Joueur 15"]  # of the second evening alone
    away = own["Joueur 01"]
    Contestant.objects.filter(session=second, members__player=away).first().members.all().delete()  # type: ignore[union-attr]
    duplicates.merge(kept=away, merged=twin, actor=None)
    assert season_standings.rank(season_id=season.pk) == 2
    assert (twin.pk,) not in rows(season)
    assert rows(season)[away.pk,].played == 2


# ── What is never counted or shown ────────────────────────────────────────────────────────────────


def test_nothing_counts_before_everybody_may_see_it() -> None:
    """Not what is not listed, nor what is played, nor a trial; each seen to count with the rule taken out."""
    public = play(a_session())
    unlisted = play(a_session(), listed=False)
    running = a_session(published=True)
    season = a_season(public, unlisted, running)
    assert set(SeasonStanding.objects.get(season=season).evenings) == {str(evening_of(season, public).pk)}


def test_what_is_withdrawn_is_shown_no_more_even_before_it_is_counted_anew() -> None:
    first, second = evenings(2)
    season = a_season(first, second)
    assert season_standings.newest(season) is not None
    sessions.publish(session=second, actor=None, listed=False)
    assert season_standings.newest(season) is None
    season_standings.rank(season_id=season.pk)
    assert {len(row.parts) for row in rows(season).values()} == {1}
    assert SeasonStanding.objects.get(season=season, version=2).news == [
        [evening_of(season, second).pk, "out"]
    ]


def test_a_leg_counts_once_its_embargo_is_lifted() -> None:
    leg = a_leg(boards=12)
    parts = [a_part(leg, name) for name in ("Club A", "Club B")]
    send(parts[0])
    sessions.publish(session=parts[0], actor=None, listed=True)
    season = seasons.create(actor=None, club=a_club(), name="Winter")
    CountedEvening.objects.create(season=season, session=parts[0])
    CountedEvening.objects.create(season=season, leg=leg)
    season_standings.rank(season_id=season.pk)
    assert SeasonStanding.objects.get(season=season).evenings == {}


def test_names_are_shown_as_consent_says() -> None:
    (first,) = evenings(1)
    season = a_season(first)
    shy = Member.objects.filter(session=first).order_by("pk")[0].player
    Player.objects.filter(pk=shy.pk).update(given_name="Zoé", family_name="Quesnel", consent=False)
    version = season_standings.newest(season)
    assert version is not None
    for reader, name in ((ANYONE, "Z. Q."), (Reader(clubs=frozenset({shy.club_id})), "Zoé Quesnel")):
        shown = {one.row.contestant: one.name for one in seasons.shown(version, PLAYERS, reader)}
        assert shown[shy.pk,] == name
        assert shown[shy.pk,] == names.of_players([shy.pk], reader)[shy.pk]


# ── Divisions, categories, handicaps, prizes ──────────────────────────────────────────────────────


def come_to(season: Season, won: dict[Any, Fraction]) -> None:
    """The same on every evening, as if its ranking had said so."""
    results = season_results.packed(EveningResults(won).to_json())
    CountedEvening.objects.filter(season=season).update(results=results)
    season_news.changed(season=season.pk)
    season_standings.rank(season_id=season.pk)


def test_divisions_and_who_goes_up() -> None:
    """Of results that are all different: robots tie across a border often enough."""
    some = evenings(2)
    keys = sorted(plain(some))
    divisions = [{"name": "A", "members": [list(key) for key in keys[:4]]}, {"name": "B", "members": []}]
    season = a_season(*some, divisions=divisions)
    won = {key: Fraction(40 + at * 7 % 9) for at, key in enumerate(keys)}
    come_to(season, won)
    first, second = keys[:4], keys[4:]
    upper = rows(season, SeasonWish("players", division=1))
    lower = rows(season, SeasonWish("players", division=2))
    assert (set(upper), set(lower)) == (set(first), set(second))
    last = min(first, key=lambda key: won[key])
    best = max(second, key=lambda key: won[key])
    following = seasons.follow(season=season, actor=None, name="Spring")
    assert set(map(tuple, following.divisions[0]["members"])) == {*first, best} - {last}
    version = season_standings.newest(season)
    assert version is not None
    for number, key, move in ((1, last, "down"), (2, best, "up")):
        shown = seasons.shown(version, SeasonWish("players", division=number), ANYONE)
        assert [one.row.contestant for one in shown if one.move == move] == [key]
        assert {len(one.positions) for one in shown} == {2}
        assert all(one.positions[-1] == int(one.row.rank.rstrip("=")) for one in shown)
    come_to(season, dict.fromkeys(won, Fraction(50)))
    refused("bad-divisions", lambda: seasons.follow(season=season, actor=None, name="Summer"))


def test_handicaps_categories_and_prizes_that_give_nobody_two() -> None:
    some = evenings(2)
    order = sorted(plain(some))
    Player.objects.filter(pk__in=[order[0][0], order[-1][0]]).update(categories=["newcomer"])
    prizes = [
        {"name": "Winner", "count": 1},
        {"name": "Newcomer", "count": 1, "category": "newcomer"},
        {"name": "Handicap", "count": 2, "handicap": True},
    ]
    season = a_season(*some, handicaps={order[1][0]: "50"}, prizes=prizes)
    won = {key: Fraction(2 * (40 + at)) for at, key in enumerate(order)}
    come_to(season, {key: value / 2 for key, value in won.items()})
    gained = rows(season, SeasonWish("players", handicap=True))
    assert gained[order[1]].value == won[order[1]] + 100
    assert set(rows(season, SeasonWish("players", category="newcomer"))) == {order[0], order[-1]}
    version = season_standings.newest(season)
    assert version is not None
    given = [(one.name, winner[0]) for one in seasons.prizes_of(season, version) for winner in one.winners]
    assert given[0] == ("Winner", order[-1][0])
    assert given[1] == ("Newcomer", order[0][0])
    assert given[2] == ("Handicap", order[1][0])
    assert len({player for _name, player in given}) == len(given)


# ── Refusals ──────────────────────────────────────────────────────────────────────────────────────


def test_what_a_season_cannot_be() -> None:
    (first,) = evenings(1)
    foreign = a_session(club="Club B")
    season = a_season(first)
    for code, how in (
        ("no-such-evening", {"evenings": {("session", foreign.pk): "1"}}),
        ("bad-season", {"evenings": {("session", first.pk): "0"}}),
        ("bad-season", {"rules": {"best": 0}}),
        ("bad-season", {"rules": {"worst": 1}}),
        ("bad-season", {"ranked": []}),
        ("bad-season", {"divisions": [{"name": "A"}, {"name": "A"}]}),
        ("no-such-player", {"handicaps": {0: "5"}}),
        ("bad-season", {"prizes": [{"name": "Cup", "division": 2}]}),
        ("season-is-public", {"state": "draft"}),
        ("no-name", {"name": " "}),
    ):
        refused(code, lambda how=how: seasons.change(season=season, actor=None, **how))
    refused("changed-meanwhile", lambda: seasons.change(season=season, actor=None, seen="", name="Summer"))
    points = play(a_session(method="total-points"))
    both = {("session", first.pk): "1", ("session", points.pk): "1"}
    refused("not-alike", lambda: seasons.change(season=season, actor=None, evenings=both))
    seasons.change(season=season, actor=None, evenings=both, measure="standard")
    assert season_standings.rank(season_id=season.pk) == 2
    assert all(isinstance(row.value, Fraction) for row in rows(season).values())


@pytest.mark.parametrize("weight", ["1e999999999", "1/0", "0x10", "9" * 400, "nan"])
def test_a_weight_is_a_number_as_people_write_it_and_nothing_else_is_worked_out(weight: str) -> None:
    (evening,) = evenings(1)
    season = a_season()
    with pytest.raises(Invalid, match="is not a number"):
        seasons.change(season=season, actor=None, evenings={("session", evening.pk): weight})
