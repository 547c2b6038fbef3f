"""What players see of their evenings: their boards beside the field, where they sit, their season, what they
object to; and what they do not see."""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from fractions import Fraction
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from frontend import clocks, plots, previews
from frontend.players import evening as day
from tests.tournaments import seasons
from tests.tournaments.seasons import PLAYERS, a_season
from tests.tournaments.worlds import (
    World,
    a_record,
    a_ruling,
    a_world,
    forget,
    hand_in,
    played_through,
    plays_of,
    table_hands_in,
    work,
)
from tournaments.models import Club, Objection, Play, Player, PlayerRating, Season, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    combined,
    comparisons,
    objections,
    own_results,
    own_season,
    season_standings,
    sessions,
)
from tournaments.services.roles import RolePlace

from .test_people_pages import signed_in, somebody
from .test_players_pages import a_browser_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_tries_from_before() -> None:
    cache.clear()


def an_evening(*, listed: bool = True, **setting: Any) -> World:
    """One that has been played, each play with its record, and has ended."""
    forget()
    world = a_world(published=listed, **setting)
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    world.refresh()
    return world


def player_of(world: World) -> Player:
    return Player.objects.get(pk=world.holder("player").player_id)


def own(world: World) -> list[own_results.OwnPlay]:
    return own_results.own_plays(world.session, player_of(world))


def evening_of(world: World, client: Client | None = None) -> Any:
    client = client or a_browser_of(player_of(world))
    return client.get(reverse("my-evening", kwargs={"pk": world.session.pk}))


# ── Drawings ──────────────────────────────────────────────────────────────────────────────────────


def test_bars_stand_before_those_of_the_average_player_on_one_scale() -> None:
    low, high = plots.pairs([0, 4], [Fraction(2), Fraction(1)], ["0", "100"])
    assert (low.own_height, high.own_height) == (0, plots.PAIRS_HEIGHT)
    assert (low.height, high.height) == (plots.PAIRS_HEIGHT / 2, plots.PAIRS_HEIGHT / 4)
    assert low.y + low.height == high.own_y + high.own_height == plots.ABOVE + plots.PAIRS_HEIGHT
    assert plots.pairs([0, 0], [Fraction(0), Fraction(0)], ["0", "100"]) == []


def test_results_of_a_board_lie_above_each_other_where_they_would_touch() -> None:
    drawn = plots.strip([(-8, 3), (18, 1)], 18, -8.0, 18.0)
    assert [dot.is_own for dot in drawn.dots] == [False, False, False, True]
    assert len({dot.x for dot in drawn.dots[:3]}) == 1
    assert len({dot.y for dot in drawn.dots[:3]}) == 3
    assert drawn.dots[-1].x == drawn.own == plots.STRIP_WIDTH - plots.STRIP_MARGIN
    assert drawn.zero is not None
    many = plots.strip([(-8, 500), (2, 300), (18, 1)], 18, -8.0, 18.0)
    assert (len(many.dots), len(many.bars), many.own) == (0, 3, drawn.own)
    nothing_but_own = plots.strip([(4, 1)], 4, 4.0, 4.0)
    assert [dot.is_own for dot in nothing_but_own.dots] == [True]


def test_form_goes_from_the_left_to_the_right_and_up_with_who_is_behind() -> None:
    drawn = plots.form([Fraction(0), Fraction(1), Fraction(1, 2)], ["a", "b", "c"])
    assert drawn is not None
    first, second, third = drawn.points
    assert first.x < second.x < third.x
    assert second.y < third.y == drawn.middle < first.y
    assert plots.form([], []) is None


# ── The evening ───────────────────────────────────────────────────────────────────────────────────


def test_the_count_says_why_a_seat_marks_nothing() -> None:
    """COM’ON!'s fewest tricks are a fact of no points."""
    forget()
    world = a_world(published=True)
    for play in plays_of(world.session):
        hand_in(world, play)  # five tricks, three and two
    work(world.session)
    sessions.finish(session=world.session, actor=world.organiser)
    page = Client().get(reverse("traveller-page", kwargs={"pk": world.session.pk, "number": 1}))
    nothing = [side for side in page.context["counted"] if side["score"] == "0"]
    assert nothing
    assert all(side["points"] for side in nothing)


def test_each_board_is_compared_with_all_who_held_the_same_cards() -> None:
    world = an_evening(boards_per_round=2)
    plays = own(world)
    top = comparisons.top(world.session)
    assert top is not None
    for one in plays:
        assert one.line is not None
        assert (
            one.line.plays
            == Play.objects.filter(board__number=one.board, board__board_set__session=world.session).count()
        )
        assert one.line.own.score == one.score
        assert one.award is not None
        assert Fraction(one.award) == (one.line.own.above + Fraction(1, 2)) * top
        assert sum(mark.above * mark.count for mark in one.line.marks) == 0
    beside = day.beside_the_field(world.session, plays)
    assert beside is not None
    assert (beside.boards, sum(one.own for one in beside.bars)) == (len(plays), len(plays))
    assert [one.label for one in beside.bars] == ["0", "25", "50", "75", "100"]  # three plays a board


def test_the_boards_that_counted_are_those_farthest_from_average_the_best_first() -> None:
    world = an_evening(boards_per_round=3)
    shown = evening_of(world).context
    above = [abs(one.play.line.own.above) for one in shown["plays"]]
    counted = [one.play.line.own.above for one in shown["counted"]]
    assert counted == sorted(counted, reverse=True)
    assert len(counted) == day.COUNTED_MOST
    assert sorted(map(abs, counted)) == sorted(above)[-day.COUNTED_MOST :]


def test_an_evening_says_the_place_of_the_list_and_who_shares_it() -> None:
    world = an_evening()
    answer = evening_of(world)
    standing = answer.context["standing"]
    public = Client().get(reverse("ranking-page", kwargs={"pk": world.session.pk})).context["groups"]
    line = next(
        one for _group, some in public for one in some if one.contestant.name == player_of(world).name
    )
    assert (standing.rank, standing.total, standing.count) == (line.rank, line.total, 9)
    assert "when every table has entered" not in text_of(answer), "all of it is told by now"
    same = [one.contestant.name for _group, some in public for one in some if one.rank == line.rank]
    assert sorted([*answer.context["shares"], player_of(world).name]) == sorted(same)


def test_a_method_without_a_top_counts_points_above_average() -> None:
    world = an_evening(method="cross-imps", boards_per_round=2)
    beside = day.beside_the_field(world.session, own(world))
    assert beside is not None
    assert beside.unit == "points"
    assert beside.bars[3].label == "0"
    assert sum(one.own for one in beside.bars) == len(own(world))
    assert evening_of(world).status_code == 200


def test_names_stand_on_an_evening_as_each_has_agreed() -> None:
    world = an_evening()
    me = player_of(world)
    Player.objects.exclude(pk=me.pk).update(given_name="Zoé", family_name="Quéméner", consent=False)
    page = text_of(evening_of(world))
    assert "Z. Q." in page
    assert "Quéméner" not in page
    assert me.name in page


def test_nothing_is_told_of_a_board_that_is_not_over() -> None:
    forget()
    world = a_world(published=True)
    first, second = plays_of(world.session)[:2]
    for play in (first, second):
        hand_in(world, play, a_record(play, world.session))
    work(world.session)
    client = a_browser_of(player_of(world))
    shown = evening_of(world, client)
    assert {one.play.line for one in shown.context["plays"]} <= {None}
    assert (shown.context["counted"], shown.context["beside"], shown.context["standing"]) == ([], None, None)
    page = text_of(shown)
    assert "when every table has entered its own result of it" in page, "why it is not told"
    for one in own(world):
        address = reverse("my-board", kwargs={"pk": world.session.pk, "number": one.board})
        assert address not in page
        assert client.get(address).status_code == 404
        own_play = reverse(
            "my-replay", kwargs={"pk": world.session.pk, "number": one.board, "play": first.pk}
        )
        assert client.get(own_play).status_code == 404


def test_a_board_that_is_over_opens_to_those_who_played_it_before_anybody_else() -> None:
    world = an_evening(listed=False)
    client, mine = a_browser_of(player_of(world)), own(world)[0]
    address = reverse("my-board", kwargs={"pk": world.session.pk, "number": mine.board})
    assert address in text_of(evening_of(world, client))
    answer = client.get(address)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store")
    assert answer.context["hands"]
    assert [row["is_own"] for row in answer.context["rows"]].count(True) == 1
    assert answer.context["chosen"]["play"].pk == mine.pk
    replay = reverse("my-replay", kwargs={"pk": world.session.pk, "number": mine.board, "play": mine.pk})
    assert replay in text_of(answer)
    assert client.get(replay).context["steps"]
    for other in (Client(), signed_in(somebody("Bea")), a_browser_of(a_stranger())):
        assert [other.get(one).status_code for one in (address, replay)] == [404, 404]
    public = reverse("traveller-page", kwargs={"pk": world.session.pk, "number": mine.board})
    assert client.get(public).status_code == 404


def a_stranger() -> Player:
    club = Player.objects.order_by("pk")[0].club
    return Player.objects.create(club=club, given_name="Cleo", family_name="Roux")


def test_why_others_are_initials_is_said_once_it_has_been_played() -> None:
    world, words = an_evening(), "stands here by their initials"
    for agreed in (False, True):
        Player.objects.filter(memberships__session=world.session).update(consent=agreed)
        assert (words in text_of(evening_of(world))) == (not agreed)
    Player.objects.filter(memberships__session=world.session).update(consent=False)
    Session.objects.filter(pk=world.session.pk).update(state="running")
    assert words not in text_of(evening_of(world)), "in the hall they have names"


def test_a_player_sees_no_board_that_others_alone_have_played() -> None:
    forget()
    world = a_world(published=True, players=15)
    played_through(world)
    Session.objects.filter(pk=world.session.pk).update(listed=False)
    numbers = set(
        Play.objects.filter(board__board_set__session=world.session).values_list("board__number", flat=True)
    )
    foreign = sorted(numbers - {one.board for one in own(world)})
    client = a_browser_of(player_of(world))
    for number in foreign:
        address = reverse("my-board", kwargs={"pk": world.session.pk, "number": number})
        assert client.get(address).status_code == 404
    assert foreign or len(numbers) == len(own(world))


def test_an_evening_asks_no_more_of_many_boards() -> None:
    asked = []
    for boards in (1, 3):
        world = an_evening(boards_per_round=boards)
        client = a_browser_of(player_of(world))
        evening_of(world, client)  # what is remembered of a process is remembered
        with CaptureQueriesContext(connection) as found:
            assert evening_of(world, client).status_code == 200
        asked.append(len(found))
    assert asked[0] == asked[1]


# ── What others did ───────────────────────────────────────────────────────────────────────────────


def test_a_board_says_where_others_first_did_something_else() -> None:
    world = an_evening()
    mine = own(world)[0]
    address = reverse("traveller-page", kwargs={"pk": world.session.pk, "number": mine.board})
    answer = Client().get(address, {"play": mine.pk})
    records = {
        one.pk: one.result.submission.content["actions"]
        for one in Play.objects.filter(board__number=mine.board, board__board_set__session=world.session)
    }
    told = {row["play"].pk: one for one in answer.context["departures"] for row in one.tables}
    parted = {pk for pk, actions in records.items() if actions != records[mine.pk]}
    assert told.keys() == parted
    assert parted
    for pk, one in told.items():
        at = one.number - 1
        assert records[pk][:at] == records[mine.pk][:at]
        assert records[pk][at] != records[mine.pk][at]
    assert "What others did differently" in text_of(answer)


def test_without_records_nothing_is_said_of_what_others_did() -> None:
    forget()
    world = a_world(published=True)
    for play in plays_of(world.session):
        hand_in(world, play)
    work(world.session)
    sessions.finish(session=world.session, actor=world.organiser)
    address = reverse("traveller-page", kwargs={"pk": world.session.pk, "number": own(world)[0].board})
    answer = Client().get(address)
    assert answer.status_code == 200
    assert answer.context["departures"] == []
    assert "What others did differently" not in text_of(answer)


# ── Handing it on ─────────────────────────────────────────────────────────────────────────────────


def test_a_place_and_a_board_are_handed_on_as_links_and_pictures() -> None:
    world = an_evening()
    place = evening_of(world).context["shared"]
    mine = own(world)[0]
    traveller = reverse("traveller-page", kwargs={"pk": world.session.pk, "number": mine.board})
    result = Client().get(traveller, {"play": mine.pk}).context["shared"]
    for shared in (place, result):
        address, picture = (
            shared[one].removeprefix("http://localhost").removeprefix("http://testserver")
            for one in ("address", "picture")
        )
        assert f'property="og:image" content="{shared["picture"]}' in text_of(
            Client(HTTP_HOST=shared["picture"].split("/")[2]).get(address)
        )
        answer = Client().get(picture)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
        Session.objects.filter(pk=world.session.pk).update(listed=False)
        assert Client().get(picture).status_code == 404
        Session.objects.filter(pk=world.session.pk).update(listed=True)
    me = player_of(world)
    Player.objects.update(given_name="Zoé", family_name="Quéméner", consent=False)
    play = Play.objects.select_related("table__section", "board", "result").get(pk=mine.pk)
    contestant = world.session.contestants.get(members__player=me)
    for told in (
        previews.told_of_place(world.session, contestant.pk),
        previews.told_of_board(world.session, play),
    ):
        assert "Z. Q." in str(told)
        assert "Quéméner" not in str(told)
    place = previews.told_of_place(world.session, contestant.pk)
    assert place is not None
    assert place.places[place.own][1] == "Z. Q.", "the own line is marked"


def test_a_board_that_is_not_open_to_all_has_no_picture() -> None:
    forget()
    world = a_world(published=True)
    played_through(world)
    Session.objects.filter(pk=world.session.pk).update(state=Session.State.PLAYED)
    world.refresh()
    mine = own(world)[0]
    picture = reverse("board-preview", args=[world.session.pk, mine.board, mine.pk])
    client = a_browser_of(player_of(world))
    board = client.get(reverse("my-board", args=[world.session.pk, mine.board]))
    assert board.context["shared"] is None  # over for them, and for nobody else
    objecting = f"{reverse('my-objections', args=[world.session.pk])}?board={mine.board}"
    assert objecting in board.content.decode()
    form = client.get(objecting).content.decode()
    assert re.search(r"<option [^>]*>Board \d+, round \d+, table \d+: \S+</option>", form)
    assert client.get(picture).status_code == 404


# ── Tonight ───────────────────────────────────────────────────────────────────────────────────────


def test_a_player_reads_where_they_sit_now_and_next(world: World) -> None:
    play = plays_of(world.session)[0]
    Session.objects.filter(pk=world.session.pk).update(state=Session.State.RUNNING)
    client = a_browser_of(player_of(world))
    (seat,) = client.get(reverse("me")).context["seats"]
    now, following = (one["round"] for one in seat["rounds"])
    assert (now.number, now.table, now.is_open, following.number) == (1, play.table.number, True, 2)
    assert list(now.boards) == [own(world)[0].board]
    page = text_of(client.get(reverse("me")))
    assert "COM’ON!" in page
    assert f"Table {play.table.number}, seat" in page, "as everywhere in a hall of one section"
    mine = next(one for one in plays_of(world.session) if one.pk == own(world)[0].pk)
    hand_in(world, mine)
    work(world.session)
    (seat,) = client.get(reverse("me")).context["seats"]
    assert [one["round"].number for one in seat["rounds"]] == [2, 3]
    Player.objects.exclude(pk=player_of(world).pk).update(family_name="Quéméner", consent=False)
    assert "Quéméner" in text_of(client.get(reverse("me"))), "in the hall nobody is an initial"
    Session.objects.filter(pk=world.session.pk).update(state=Session.State.READY)
    assert "Quéméner" not in text_of(client.get(reverse("me"))), "nobody is in the hall yet"


def test_who_changes_seats_from_board_to_board_reads_where_to_sit_at_each(world: World) -> None:
    Session.objects.filter(pk=world.session.pk).update(state=Session.State.RUNNING)
    contestant = player_of(world).memberships.get().contestant_id
    plays = Play.objects.filter(seatings__contestant=contestant).order_by("round", "board__number")
    numbers = [play.board.number for play in plays]
    Play.objects.filter(pk__in=[play.pk for play in plays]).update(round=1)
    seats = {play.board.number: play.seatings.get(contestant=contestant).seat for play in plays}
    assert len(set(seats.values())) > 1, "an evening whose seats change"
    page = text_of(a_browser_of(player_of(world)).get(reverse("me")))
    assert f"Table {plays[0].table.number}, seat" not in page, "that would be where one sits at one board"
    for boards, seat in by_seats(sorted(numbers), seats):
        said = ", ".join(map(str, boards))
        assert f"board{'s' * (len(boards) > 1)} {said}: seat {seat}" in page


def by_seats(numbers: Sequence[int], seats: Mapping[int, int]) -> list[tuple[list[int], int]]:
    """Boards that follow each other at the same seat, with the seat."""
    return [(list(some), seat) for seat, some in groupby(numbers, seats.__getitem__)]


def test_an_evening_that_is_drafted_or_over_has_no_seat(world: World) -> None:
    client = a_browser_of(player_of(world))
    for state in Session.State.values:
        Session.objects.filter(pk=world.session.pk).update(state=state)
        shown = bool(client.get(reverse("me")).context["seats"])
        assert shown == (state in ("ready", "running")), state


def test_ones_evenings_go_into_a_calendar(world: World) -> None:
    begins = timezone.now().replace(microsecond=0) + timedelta(days=2)
    Session.objects.filter(pk=world.session.pk).update(starts_at=begins, state=Session.State.READY)
    client, address = a_browser_of(player_of(world)), reverse("my-calendar")
    answer = client.get(address)
    assert answer["Content-Type"].startswith("text/calendar")
    assert f"DTSTART:{begins:%Y%m%dT%H%M%SZ}" in text_of(answer)
    assert "DTSTART" not in text_of(a_browser_of(a_stranger()).get(address))
    assert Client().get(address).status_code == 302


# ── News ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_player_is_told_that_a_result_was_corrected_or_ruled_on(world: World) -> None:
    mine = next(one for one in plays_of(world.session) if one.pk == own(world)[0].pk)
    table_hands_in(world, mine)
    work(world.session)
    client = a_browser_of(player_of(world))
    assert client.get(reverse("me")).context["news"] == []
    hand_in(world, mine, {"sheet": {"outcome": "normal", "tricks": [4, 4, 2]}})
    work(world.session)
    (news,) = client.get(reverse("me")).context["news"]
    assert (news.what, news.board) == ("changed", mine.board.number)
    shown = evening_of(world, client).context
    assert [one.play.is_changed for one in shown["plays"]] == [True], "no row for what has not been played"
    assert len(shown["without"]) == 3
    a_ruling(world.session, mine)
    work(world.session)
    told = client.get(reverse("me")).context["news"]
    assert {(one.what, one.board) for one in told} == {
        ("changed", mine.board.number),
        ("ruled", mine.board.number),
    }
    page = text_of(client.get(reverse("me")))
    assert "A director has decided." in page
    assert "A card fell" not in page  # why is told to those who have played the board
    assert a_browser_of(a_stranger()).get(reverse("me")).context["news"] == []


# ── Season ────────────────────────────────────────────────────────────────────────────────────────


def test_a_season_shows_form_ratings_and_with_whom_one_has_played() -> None:
    world = an_evening()
    me = player_of(world)
    PlayerRating.objects.create(
        **{"club": me.club, "game": "comon", "player": me, "mean": 27.0, "spread": 2.0},
        **{"boards": 40, "events": 3, "made_at": timezone.now()},
    )
    Player.objects.exclude(pk=me.pk).update(given_name="Zoé", family_name="Quéméner", consent=False)
    answer = a_browser_of(me).get(reverse("my-season"))
    (one,) = answer.context["evenings"]
    assert (one.session, one.count) == (world.session, 9)
    assert 0 <= one.share <= 1
    assert sum(two.against for two in answer.context["companions"]) == 2 * len(own(world))
    assert {two.beside for two in answer.context["companions"]} == {0}
    page = text_of(answer)
    assert "27.0" in page
    assert "23.1 to 30.9" in page
    assert "Z. Q." in page
    assert "Quéméner" not in page
    assert "27.0" not in text_of(a_browser_of(a_stranger()).get(reverse("my-season")))


def test_who_shares_a_place_is_half_behind() -> None:
    ranks = ["1", "2=", "2=", "4"]
    assert [own_season._share(rank, ranks) for rank in ("1", "2=", "4")] == [1, Fraction(1, 2), 0]


def test_a_season_shows_the_place_in_a_tournament_of_several_evenings() -> None:
    world, other = an_evening(), an_evening()
    me, tournament = player_of(world), world.session.tournament
    client = a_browser_of(me)
    assert own_season.seasons([me]) == [], "one evening is no season"
    Session.objects.filter(pk=other.session.pk).update(tournament=tournament, number=2)
    found = combined.of(tournament, None, combined.StandingsWish(ranked=combined.PLAYERS))
    place = next(one for one in found.places if one.contestant == (me.pk,))
    (one,) = own_season.seasons([me])
    assert (one.tournament, one.rank, one.count) == (tournament, place.rank, 9)
    assert (one.evenings, one.all, one.points) == (2, 2, False)
    page = client.get(reverse("my-season")).content.decode()
    assert reverse("public-tournament", args=[tournament.pk]) in page
    assert "2 of 2" in page
    assert own_season.seasons([a_stranger()]) == []
    Session.objects.filter(pk=other.session.pk).update(listed=False)
    assert own_season.seasons([me]) == [], "what is not listed counts for nobody"


def test_evenings_that_count_different_things_are_a_season_by_master_points() -> None:
    world, other = an_evening(), an_evening(method="butler")
    me, tournament = player_of(world), world.session.tournament
    Session.objects.filter(pk=other.session.pk).update(tournament=tournament, number=2)
    (one,) = own_season.seasons([me])
    assert one.points
    assert "by master points" in a_browser_of(me).get(reverse("my-season")).content.decode()


# ── Objections ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("by_account", [False, True])
def test_a_player_objects_reads_the_answer_and_appeals(world: World, by_account: bool) -> None:
    me = player_of(world)
    mine = next(one for one in plays_of(world.session) if one.pk == own(world)[0].pk)
    hand_in(world, mine)
    work(world.session)
    if by_account:
        account = somebody("Ana")
        Player.objects.filter(pk=me.pk).update(account=account)
        client = signed_in(account)
    else:
        client = a_browser_of(me)
    address = reverse("my-objections", kwargs={"pk": world.session.pk})
    assert client.post(address, {"play": mine.pk, "text": ""}).status_code == 400
    page = text_of(client.post(address, {"play": mine.pk, "text": "We made nine"}, follow=True))
    assert "We made nine" in page
    assert "has not answered yet" in page
    (objection,) = Objection.objects.all()
    assert (objection.play_id, objection.role_id) == (mine.pk, None)
    Club.objects.filter(pk=me.club_id).update(time_zone="Pacific/Auckland")
    by_its_clock = clocks.hour(objection.made_at.astimezone(ZoneInfo("Pacific/Auckland")))
    assert by_its_clock in text_of(client.get(address)), "when, by the club's clock"
    objections.follow(
        objection=objection, actor=world.organiser, kind="answer", text="Looked at", outcome="rejected"
    )
    assert "Looked at" in text_of(client.get(address))
    news = text_of(client.get(reverse("me")))
    assert "Your objection has been answered." in news
    assert address in news, "it leads there"
    assert "My objections: answered" in text_of(client.get(reverse("my-evening", args=[world.session.pk])))
    appeal = {"objection": objection.pk, "kind": "appeal", "text": "Once more"}
    assert "Once more" in text_of(client.post(address, appeal, follow=True))
    assert client.post(address, appeal, follow=False).status_code == 409
    other = a_browser_of(a_stranger())
    assert other.get(address).status_code == 404
    assert other.post(address, {"play": mine.pk, "text": "Mine"}).status_code == 404


def test_nobody_objects_to_what_others_have_played(world: World) -> None:
    client = a_browser_of(player_of(world))
    foreign = next(one for one in plays_of(world.session) if one.pk not in {two.pk for two in own(world)})
    hand_in(world, foreign)
    work(world.session)
    address = reverse("my-objections", kwargs={"pk": world.session.pk})
    assert client.post(address, {"play": foreign.pk, "text": "Theirs"}).status_code == 400
    assert not Objection.objects.exists()


def test_an_official_who_is_no_player_has_no_evening(world: World) -> None:
    official = signed_in(somebody("Ada", (RoleKind.ORGANISER, RolePlace(world.session.tournament.club))))
    for name in ("my-evening", "my-objections"):
        assert official.get(reverse(name, kwargs={"pk": world.session.pk})).status_code == 404


def test_a_season_shows_ones_line_in_the_standings_of_seasons_that_everybody_sees() -> None:
    world = an_evening()
    me, client = player_of(world), a_browser_of(player_of(world))
    rules = {"enough": "1", "tie_breaks": ["evenings"]}
    season = a_season(world.session, club=world.session.tournament.club.name, rules=rules)
    version = season_standings.newest(season)
    assert version is not None
    rows = season_standings.of_list(version, PLAYERS)
    row = next(one for one in rows if one.contestant == (me.pk,))
    (one,) = own_season.standings([me])
    assert (one.season, one.wish, one.row, one.count, one.evenings) == (season, PLAYERS, row, 9, 1)
    page = client.get(reverse("my-season")).content.decode()
    assert f'href="{reverse("season-page", args=[season.pk])}?ranked=players&amp;who={me.pk}#who"' in page
    elsewhere = a_browser_of(a_stranger()).get(reverse("my-season")).content.decode()
    assert reverse("season-page", args=[season.pk]) not in elsewhere
    shared = Session.objects.filter(pk=world.session.pk)
    shared.update(listed=False)
    assert own_season.standings([me]) == [], "its ranking is nobody’s to see"
    shared.update(listed=True)
    Season.objects.filter(pk=season.pk).update(state=Season.State.DRAFT)
    assert own_season.standings([me]) == [], "a draft is for those who run it"


def test_a_place_in_a_season_that_partners_share_says_why() -> None:
    world = an_evening()
    club = world.session.tournament.club
    evening = seasons.pairs(club, world.session, count=4)
    me = Player.objects.filter(memberships__session=evening)[0]
    a_season(seasons.play(evening), club=club.name)
    (one,) = own_season.standings([me])
    assert one.row.rank.endswith("="), "the partner came to the same"
    page = text_of(a_browser_of(me).get(reverse("my-season")))
    assert f"{club.name} · Everybody" in page
    assert "Equal; the season has no tie-break." in page
