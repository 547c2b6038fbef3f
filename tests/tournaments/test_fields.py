"""The joint field of an event: each list beside one that a plain script makes from the results alone, and
what makes a new version of it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from scoring.methods import method
from scoring.standings import ComparedLine
from tests.scoring import oracles
from tournaments.models import ClubEntry, FieldRanking, FieldTally, Leg, Play, Result, Seating, Session
from tournaments.services import events, field_lists, fields, rulings
from tournaments.services.field_lists import FieldPlace
from tournaments.services.submissions import submit

from .fields import a_leg, a_part, an_administrator, an_entry_of, an_organiser, begin, send
from .test_events import refused
from .worlds import an_entry, forget, plays_of, work

pytestmark = pytest.mark.django_db
SIZES = {"Club A": (9, 1), "Club B": (15, 1), "Club C": (9, 2)}  # players, and boards of a round
REGIONS = {"Club A": "Nord", "Club B": "Sud", "Club C": "Nord"}


@pytest.fixture
def parts(db: None) -> dict[str, Session]:
    """The parts of three clubs of unequal size, which have sent their results: the embargo is lifted."""
    forget()
    leg = a_leg(boards=12)
    found = {
        name: a_part(leg, name, players=players, boards_per_round=boards)
        for name, (players, boards) in SIZES.items()
    }
    for name, session in found.items():
        club = session.tournament.club
        club.region = REGIONS[name]
        club.save()
        assert not FieldTally.objects.exists()
        send(session)
    assert fields.rank(leg_id=leg.pk) == 1
    return found


def leg_of(parts: dict[str, Session]) -> Leg:
    return Leg.objects.get(sessions=parts["Club A"])


# ── Beside a plain script ─────────────────────────────────────────────────────────────────────────


def plain(
    sessions: Iterable[Session], fouled: Collection[tuple[int, int]] = (), annulled: Collection[int] = ()
) -> dict[int, tuple[Fraction, int]]:
    """By contestant the points and the top, every score of a line compared with every other. `fouled`: the
    boards (by their numbers) of sessions (their ids) where other cards were dealt; `annulled`: plays (their
    ids) that a director has annulled."""
    lines: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    plays: Counter[int] = Counter()
    for session in sessions:
        every = Play.objects.filter(board__board_set__session=session)
        plays.update(every.values_list("board__number", flat=True))
        counted = Result.objects.filter(session=session).exclude(play__in=annulled)
        for result in counted.select_related("play__board"):
            for one in result.play.seatings.all():
                if one.contestant_id is not None:
                    number = result.play.board.number
                    cards = session.pk if (session.pk, number) in fouled else 0
                    lines[number, one.seat, cards].append((one.contestant_id, result.scores[one.seat - 1]))
    most = max(plays.values())
    won: dict[int, tuple[Fraction, int]] = defaultdict(lambda: (Fraction(0), 0))
    for line in lines.values():
        points = oracles.matchpoints([score for _k, score in line], most)
        for (k, _score), one in zip(line, points, strict=True):
            won[k] = (won[k][0] + (one or 0), won[k][1] + 2 * (most - 1))
    return dict(won)


def ranked(won: dict[int, tuple[Fraction, int]], among: Iterable[int]) -> dict[int, str]:
    """The rank of each of some."""
    some = {k: won[k][0] / won[k][1] for k in among}
    return {
        k: f"{1 + sum(other > own for other in some.values())}"
        f"{'=' if sum(other == own for other in some.values()) > 1 else ''}"
        for k, own in some.items()
    }


def shown(leg: Leg, **which: Any) -> list[FieldPlace]:
    version = field_lists.newest(leg)
    assert version is not None
    found = field_lists.content(version, **which)
    return list(found.places(range(found.count)))


def members(*sessions: Session) -> set[int]:
    return {k for one in sessions for k in one.contestants.values_list("pk", flat=True)}


def check(leg: Leg, parts: dict[str, Session], won: dict[int, tuple[Fraction, int]]) -> None:
    """The lists of the field, of each region and of each club say what the plain script does."""
    everybody = members(*parts.values())
    assert set(won) == everybody
    region = {
        name: members(*(parts[one] for one in parts if REGIONS[one] == REGIONS[name])) for name in parts
    }
    lists = {"": everybody} | {f"club {name}": members(one) for name, one in parts.items()}
    lists |= {f"region {REGIONS[name]}": region[name] for name in parts}
    in_field = ranked(won, everybody)
    for name, among in lists.items():
        kind, _space, about = name.partition(" ")
        which = {kind: about.lower().replace(" ", "-") if kind == "club" else about} if kind else {}
        found = shown(leg, **which)
        own = ranked(won, among)
        assert {one.place.contestant: one.place.rank for one in found} == own
        for one in found:
            k, total = one.place.contestant, one.place.total
            assert (total.points, total.top) == won[k]
            assert one.field_rank == in_field[k]
            assert one.region_rank == ranked(won, region[one.club.name])[k]
            assert one.club_rank == ranked(won, members(parts[one.club.name]))[k]


def test_the_lists_of_field_regions_and_clubs_equal_a_plain_script(parts: dict[str, Session]) -> None:
    leg = leg_of(parts)
    check(leg, parts, plain(parts.values()))
    own = shown(leg, club="club-b")  # nobody sees the club’s own ranking: it is not listed
    assert {one.own for one in own} == {None}
    Session.objects.filter(pk=parts["Club B"].pk).update(listed=True)
    own = shown(leg, club="club-b")
    alone = ranked(plain([parts["Club B"]]), members(parts["Club B"]))
    assert {one.place.contestant: one.own.rank for one in own if one.own} == alone
    assert {one.own for one in shown(leg)} == {None}


def test_a_board_that_was_dealt_otherwise_at_a_club_is_compared_there_by_itself(
    parts: dict[str, Session],
) -> None:
    leg, fouled = leg_of(parts), parts["Club B"]
    tables = [(one.table.section.name, one.table.number) for one in plays_of(fouled) if one.board.number == 1]
    plan = rulings.on_fouled_board(session=fouled, board=1, groups=[("B", tables)])
    rulings.rule(plan, actor=None, text="Dealt from another pack")
    work(fouled)
    assert fields.rank(leg_id=leg.pk) == 2
    check(leg, parts, plain(parts.values(), fouled={(fouled.pk, 1)}))


def test_other_cards_of_two_clubs_are_not_the_same_though_both_call_them_so() -> None:
    comparison = method("matchpoints")
    one, other = (
        ComparedLine.of(comparison, tables=[n], contestants=[[n]], entries=[[n]], deals=["B"]) for n in (1, 2)
    )
    third = ComparedLine.of(comparison, tables=[3], contestants=[[3]], entries=[[3]])
    line = fields.joined([(7, one), (8, other), (9, third)], comparison, 3)
    assert set(line.counts) == {(7, "B"), (8, "B"), None}
    assert line.tables == [1, 2, 3]


def test_the_scale_is_that_of_the_board_most_played_in_all_clubs_together(db: None) -> None:
    """Not of the boards that each of them plays most often, which may be different ones."""
    forget()
    leg = a_leg(boards=4)
    one, other = a_part(leg, "Club A"), a_part(leg, "Club B")
    assert fields.most_plays([one, other]) == 6
    for session, boards in ((one, [1]), (other, [2, 3, 4])):
        gone = Play.objects.filter(table__section__session=session, table__number=1, board__number__in=boards)
        Seating.objects.filter(play__in=gone).delete()
        gone.delete()
    assert fields.most_plays([one, other]) == 5


# ── Versions ──────────────────────────────────────────────────────────────────────────────────────


def news(leg: Leg) -> list[tuple[int, list[tuple[str, str]]]]:
    rows = FieldRanking.objects.filter(leg=leg).order_by("version")
    slugs = dict(leg.entries.values_list("club", "club__slug"))
    return [(one.version, [(slugs[club], what) for club, what, _why in one.news]) for one in rows]


def test_a_club_that_mends_is_left_out_or_taken_in_makes_a_new_version(parts: dict[str, Session]) -> None:
    leg, late = leg_of(parts), parts["Club C"]
    assert fields.rank(leg_id=leg.pk) is None
    first = plays_of(late)[0]
    mended = an_entry(first, {"sheet": {"outcome": "normal", "tricks": [2, 1, 7]}}, "The slip was misread")
    submit(session_id=late.pk, sender=an_organiser(late.tournament.club), entries=[mended])
    work(late)
    assert fields.rank(leg_id=leg.pk) == 2
    check(leg, parts, plain(parts.values()))
    entry = leg.entries.get(session=late)
    federation = an_administrator()
    events.decide(entry=entry, actor=federation, to="left-out", reason="Its boards were turned")
    assert fields.rank(leg_id=leg.pk) == 3
    others = {name: one for name, one in parts.items() if one != late}
    won = plain(others.values())
    assert {one.place.contestant: one.place.total.points for one in shown(leg)} == {
        k: points for k, (points, _top) in won.items()
    }
    events.decide(entry=entry, actor=federation, to="entered", reason="They were not")
    assert fields.rank(leg_id=leg.pk) == 4
    check(leg, parts, plain(parts.values()))
    told = [(1, [("club-a", "in"), ("club-b", "in"), ("club-c", "in")]), (2, [("club-c", "mended")])]
    assert news(leg) == [*told, (3, [("club-c", "out")]), (4, [("club-c", "in")])]
    assert FieldRanking.objects.get(leg=leg, version=3).news[0][2] == "Its boards were turned"


def test_a_club_that_comes_late_is_taken_in_once_it_has_sent(db: None) -> None:
    forget()
    now = timezone.now()
    leg = a_leg(boards=12, embargo="window", late_until=now + timedelta(days=3))
    first, late = a_part(leg, "Club A"), a_part(leg, "Club B")
    send(first)
    begin(late)
    assert field_lists.newest(leg) is None
    events.lift_all(now=now + timedelta(days=4))
    assert fields.rank(leg_id=leg.pk) == 1
    assert {one.club.name for one in shown(leg)} == {"Club A"}
    send(late)
    assert fields.rank(leg_id=leg.pk) == 2
    assert {one.club.name for one in shown(leg)} == {"Club A", "Club B"}


def test_there_is_no_field_under_embargo_whatever_is_asked(db: None) -> None:
    forget()
    leg = a_leg(boards=12)
    part = a_part(leg, "Club A")
    an_entry_of(leg, "Club B")
    send(part)
    FieldTally.objects.create(leg=leg)  # as if somebody had begun it too early
    assert fields.rank(leg_id=leg.pk) is None
    assert not FieldRanking.objects.exists()


def test_only_a_club_that_has_played_is_taken_in_when_all_is_over(parts: dict[str, Session]) -> None:
    leg = leg_of(parts)
    entry = ClubEntry.objects.create(
        leg=leg, club=an_entry_of(a_leg(), "Club D").club, state="left-out", tables=3
    )
    refused("leg-over", lambda: events.decide(entry=entry, actor=an_administrator(), to="entered"))


# ── By the API and by pages ───────────────────────────────────────────────────────────────────────


def test_everybody_reads_the_lists_and_versions_by_the_api(parts: dict[str, Session]) -> None:
    leg, anyone = leg_of(parts), APIClient()
    address = f"/api/v1/legs/{leg.pk}/field/"
    whole = anyone.get(address, {"page_size": 20}).json()
    assert (whole["version"], whole["count"], len(whole["places"])) == (1, 33, 20)
    assert (whole["clubs"], whole["regions"]) == (["club-a", "club-b", "club-c"], ["Nord", "Sud"])
    events.decide(entry=leg.entries.get(club__slug="club-c"), actor=an_administrator(), to="left-out")
    assert fields.rank(leg_id=leg.pk) == 2
    rest = anyone.get(whole["next"]).json()  # of the version that the first page is of
    assert (rest["version"], len(rest["places"]), rest["next"]) == (1, 13, None)
    assert anyone.get(address).json()["count"] == 24
    north = anyone.get(address, {"region": "Nord"}).json()["places"]
    assert {one["club"] for one in north} == {"club-a"}
    assert [one["rank"] for one in north] == [one["club_rank"] for one in north]
    assert north[0]["own_rank"] is None
    told = anyone.get(f"{address}versions/").json()["results"]
    assert [one["news"][-1]["what"] for one in told] == ["in", "out"]
    assert anyone.get(address, {"version": 9}).status_code == 404
    assert anyone.get(address, {"club": "club-c"}).json()["count"] == 0
    table = anyone.get(address, headers={"Accept": "text/csv"}).content.decode().splitlines()
    assert len(table) == 25


def test_what_a_list_costs_does_not_grow_with_the_clubs(
    parts: dict[str, Session], django_assert_num_queries: Any
) -> None:
    leg = leg_of(parts)
    for which in ({}, {"region": "Nord"}, {"club": "club-b"}):
        APIClient().get(f"/api/v1/legs/{leg.pk}/field/", which)  # a version that has been read is remembered
        with django_assert_num_queries(5 if "club" in which else 4):
            APIClient().get(f"/api/v1/legs/{leg.pk}/field/", which)


def test_the_page_shows_the_field_a_region_and_a_club(parts: dict[str, Session]) -> None:
    leg, anyone = leg_of(parts), Client(HTTP_HOST="localhost")
    event = anyone.get(reverse("public-event", args=[leg.event_id])).content.decode()
    address = reverse("public-field", args=[leg.event_id, leg.number])
    assert f'href="{address}"' in event
    text = anyone.get(address).content.decode()
    assert text.count('scope="row"') == 33
    assert "3 clubs count" in text
    club = anyone.get(address, {"club": "club-b"}).content.decode()
    assert club.count('scope="row"') == 15
    assert "in the whole field" in club
    assert "own ranking" not in club  # it is not listed
    Session.objects.filter(pk=parts["Club B"].pk).update(listed=True)
    assert "own ranking" in anyone.get(address, {"club": "club-b"}).content.decode()
    assert anyone.get(address, {"region": "Nord"}).content.decode().count('scope="row"') == 18
    assert anyone.get(address, {"region": "Ouest"}).status_code == 404
    assert anyone.get(reverse("public-field", args=[leg.event_id, 2])).status_code == 404
