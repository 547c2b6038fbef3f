"""An evening that does not go as planned, without scripts: each change says its price, is made and undone."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engines import registry
from frontend.desk import seating
from tests.tournaments.worlds import a_session, a_world, plays_of, table_hands_in, work
from tests.tournaments.worlds import hand_in as world_hands_in
from tournaments.models import (
    Account,
    Call,
    Contestant,
    HistoryEntry,
    Job,
    Play,
    Player,
    Ruling,
    Seating,
    Session,
)
from tournaments.services import board_sets, jobs, reseating, states, table_links

from .test_desk import Visitor, _Forms, an_account, at_desk
from .test_running import a_director, hand_in

pytestmark = pytest.mark.django_db


def worked(visitor: Visitor) -> Visitor:
    """A worker does what was asked for, and the page comes again."""
    jobs.do(job_id=Job.objects.latest("created_at").pk)
    return visitor.open(visitor.path)


def seats(session: Session) -> set[tuple[Any, ...]]:
    rows = Seating.objects.filter(play__table__section__session=session)
    return set(rows.values_list("play__round", "play__table", "play__board", "seat", "contestant"))


def here(session: Session) -> int:
    return session.contestants.filter(left_after=None).count()


def test_who_comes_late_leaves_or_comes_back_is_planned_for_at_a_price_and_undone() -> None:
    session = a_session(players=9)
    hand_in(session)
    visitor = a_director(session)
    before = seats(session)
    visitor.open(reverse("change-here", args=[session.pk]))
    assert 'value="1"' not in visitor.text.partition('name="first"')[2].partition("</select>")[0], "begun"
    visitor.press("Show what it costs")
    assert "Say who leaves or who arrives." in visitor.text
    visitor.press("Show what it costs", arriving="Zoé Petit\nYann Roux\nÈve Noir")
    assert "being planned again" in visitor.text
    worked(visitor)
    for words in (
        "With <b>Zoé Petit</b>",
        "From round 2 on",
        "Balance, of 100",
        "Whoever comes will have played 3 boards",
    ):
        assert words in visitor.text
    assert (seats(session), here(session)) == (before, 9), "a price changes nothing"
    worked(visitor.press("Plan it so"))
    assert ("The rest is planned again." in visitor.text, here(session)) == (True, 12)
    assert seats(session) != before
    visitor.press("Undo")
    assert (len(seats(session)), here(session)) == (len(before), 9)

    visitor.open(reverse("change-here", args=[session.pk]))
    worked(visitor.press("Show what it costs", leaving="4"))
    assert "whose 1 board before that stays<" in visitor.text
    worked(visitor.press("Plan it so"))
    gone = Contestant.objects.get(session=session, number=4).name
    assert f"Without {gone}. Guide cards and slips printed before are wrong from round 2 on" in visitor.text
    assert Contestant.objects.get(session=session, number=4).left_after == 1
    shown = visitor.open(reverse("session-desk", args=[session.pk])).text.partition("Contestants</dt>")[2]
    assert re.search(r"^<dd>8 <span[^>]*>and 1 who has left<", shown), "nine they were"
    visitor.open(reverse("change-here", args=[session.pk]))
    worked(worked(visitor.press("Show what it costs", back="4")).press("Plan it so"))
    assert Contestant.objects.get(session=session, number=4).left_after is None, "the same comes back"
    visitor.open(reverse("change-here", args=[session.pk]))
    worked(visitor.press("Show what it costs", leaving=[str(n) for n in range(1, 9)]))
    assert "do not fill a table" in visitor.text


def test_who_comes_late_to_a_running_session_plays_from_its_next_round() -> None:
    session = a_session(players=9)
    visitor = a_director(session).open(reverse("change-here", args=[session.pk]))
    rounds = visitor.text.partition('name="first"')[2].partition("</select>")[0]
    assert '<option value="1" selected>' in rounds
    states.change(session=session, actor=None, to="running")
    for filled, first in (({"arriving": "Zoé Petit"}, 2), ({"leaving": "4"}, 1)):
        visitor.open(reverse("change-here", args=[session.pk]))
        worked(visitor.press("Show what it costs", **filled))
        assert f"From round {first} on" in visitor.text
    before = visitor.text.partition(">Back<")[0].rpartition('href="')[2].partition('"')[0]
    visitor.open(before)
    assert re.search(r'value="4"[^>]* checked', visitor.text), "what was ticked is ticked when one comes back"


def test_who_has_not_come_and_who_comes_late_are_asked_for_by_their_round() -> None:
    session = a_session(players=9)
    states.change(session=session, actor=None, to="running")
    visitor = a_director(session).open(reverse("change-here", args=[session.pk]))
    visitor.press("Show what it costs", arriving="Zoé Petit", leaving="4")
    assert visitor.answer.status_code == 400
    assert "Somebody has not come, and somebody comes late" in visitor.text
    assert not Job.objects.filter(kind=Job.Kind.PREVIEW).exists()
    worked(visitor.press("Show what it costs", arriving="Zoé Petit", leaving="4", first="1"))
    assert "From round 1 on" in visitor.text
    assert "before that" not in visitor.text, "whoever has not come has played no board"


def test_a_pair_whose_side_changes_from_board_to_board_reads_which_seats_are_its_own_at_each() -> None:
    sides = registry.game("cochonnet").sides_of({})
    assert seating.seat_words([1, 2, 1], sides, 2, ["NS", "EW"]) == "NS 1 + 3, EW 2 + 4, NS 1 + 3"
    assert seating.seat_words([1, 2, 1], sides, 2, []) == "1 + 3, 2 + 4, 1 + 3"
    assert seating.seat_words([2, 2, 2], sides, 2, ["NS", "EW"]) == "EW 2 + 4"


def test_where_everybody_stays_in_their_place_the_form_says_what_those_can_do_who_have_come_late() -> None:
    session = a_session(players=6, game="cochonnet", movement="rotated-rainbow")
    visitor = a_director(session)
    organiser = at_desk(an_account("Odile", session.tournament.club.name))
    asked = reverse("change-here", args=[session.pk])
    late = "Zoé Petit / Yann Roux\nÈve Noir / Max Blanc"
    visitor.open(asked).press("Show what it costs", arriving=late)
    assert visitor.answer.status_code == 400
    for words in (
        "2 places are lacking",
        "boards travel from table to table",
        "They take turns",
        "Nothing has been played yet",
        "enough for a table",
        late,
    ):
        assert words in visitor.text
    assert "Begin one like it" not in visitor.text, "a director of the evening alone does not set up others"
    assert not Job.objects.filter(kind=Job.Kind.PREVIEW).exists()
    visitor.open(asked).press("Show what it costs", arriving=late.splitlines()[0])
    assert "1 place is lacking" in visitor.text
    assert "enough for a table" not in visitor.text
    hand_in(session)
    visitor.open(asked).press("Show what it costs", arriving=late, leaving="1")
    assert "1 place is lacking" in visitor.text
    assert "Nothing has been played yet" not in visitor.text
    worked(visitor.press("Show what it costs", arriving=late, leaving=["1", "2"]))
    worked(visitor.press("Plan it so"))
    assert "The rest is planned again." in visitor.text
    others = "Léa Bis / Tom Ter\nIda Bis / Jon Ter"
    organiser.open(asked).press("Show what it costs", arriving=others).press("Begin one like it")
    assert organiser.heading == "Who plays?"


def test_a_pair_that_comes_late_where_boards_travel_sits_down_with_who_sits_out_or_all_get_another_way() -> (
    None
):
    session = a_session(players=8, game="cochonnet", movement="howell")
    visitor = a_director(session)
    asked, late = reverse("change-here", args=[session.pk]), "Zoé Petit / Yann Roux"
    before = seats(session)
    visitor.open(asked).press("Show what it costs", arriving=late)
    assert "1 place is lacking" in visitor.text
    assert "They play whoever sits out" not in visitor.text, "nobody does"
    worked(visitor.press("Show what it costs"))
    assert "everybody’s way is new" in visitor.text
    worked(visitor.press("Plan it so"))
    came = session.contestants.get(number=9)
    assert came.seatings.exists()
    visitor.press("Undo")
    assert seats(session) == before
    worked(visitor.open(asked).press("Show what it costs", leaving="8"))
    worked(visitor.press("Plan it so"))
    seven = seats(session)
    visitor.open(asked).press("Show what it costs", arriving="Ève Noir / Max Blanc")
    assert visitor.text.index("They play whoever sits out") < visitor.text.index("everybody’s way is new")
    worked(visitor.press("Show what it costs"))
    worked(visitor.press("Plan it so"))
    assert seven < seats(session), "everybody else stays where they are"
    rounds = set(
        session.contestants.get(name__contains="Noir").seatings.values_list("play__round", flat=True)
    )
    assert rounds == set(range(1, 8)), "each of them plays whoever would have sat out"


def test_who_comes_back_where_no_seat_is_free_has_the_same_ways() -> None:
    session = a_session(players=8, game="cochonnet", movement="howell")
    visitor = a_director(session)
    asked = reverse("change-here", args=[session.pk])
    states.change(session=session, actor=None, to="running")
    worked(visitor.open(asked).press("Show what it costs", leaving="8"))
    worked(visitor.press("Plan it so"))
    hand_in(session)
    visitor.open(asked).press("Show what it costs", back="8")
    assert visitor.answer.status_code == 400
    assert "1 place is lacking" in visitor.text
    assert visitor.text.index("They play whoever sits out") < visitor.text.index("everybody’s way is new")
    worked(visitor.press("Show what it costs"))
    worked(visitor.press("Plan it so"))
    comes = session.contestants.get(number=8)
    assert comes.left_after is None
    rounds = set(comes.seatings.values_list("play__round", flat=True))
    assert rounds == set(range(2, 8)), "with whoever would have sat out"


def test_who_has_played_and_comes_back_takes_nobody_s_place_whose_boards_it_knows() -> None:
    session = a_session(players=8, game="cochonnet", movement="howell")
    visitor = a_director(session)
    asked = reverse("change-here", args=[session.pk])
    states.change(session=session, actor=None, to="running")
    hand_in(session)
    worked(visitor.open(asked).press("Show what it costs", leaving="8"))
    worked(visitor.press("Plan it so"))
    visitor.open(asked).press("Show what it costs", leaving="3", back="8")
    assert "1 place is lacking" in visitor.text
    assert "everybody’s way is new" in visitor.text
    worked(worked(visitor.press("Show what it costs")).press("Plan it so"))
    comes = session.contestants.get(number=8)
    assert (comes.left_after, comes.seatings.filter(play__round__gt=1).exists()) == (None, True)


def test_where_partners_are_settled_nobody_new_finds_a_place() -> None:
    session = a_session(players=8, game="cochonnet", movement="team-round-robin")
    visitor = a_director(session)
    visitor.open(reverse("change-here", args=[session.pk]))
    visitor.press("Show what it costs", arriving="Zoé Petit / Yann Roux")
    assert "nobody can be added to it" in visitor.text
    assert "How do they come in?" not in visitor.text


def test_where_seats_change_from_board_to_board_the_form_says_of_which_it_speaks() -> None:
    session = a_session(boards_per_round=2)
    visitor = a_director(session)
    address = reverse("change-table", args=[session.pk])
    play = plays_of(session)[0]
    own = Play.objects.filter(table=play.table_id, round=1).order_by("board__number")
    first = dict(own[0].seatings.values_list("seat", "contestant"))
    words = f"at board {own[0].board.number}, planned for"
    for seats_change in (True, False):
        order = sorted(first)[1:] + sorted(first)[:1] if seats_change else sorted(first)
        for seat, sat in zip(sorted(first), order, strict=True):
            Seating.objects.filter(play=own[1], contestant=first[sat]).update(seat=10 + seat)
        for seat in first:
            Seating.objects.filter(play=own[1], seat=10 + seat).update(seat=seat)
        shown = visitor.open(f"{address}?table={play.table_id}&round=1").text
        assert (words in shown, "Seats change from board to board" in shown) == (seats_change, seats_change)


def test_the_round_that_is_played_now_is_proposed_though_nothing_has_come_in() -> None:
    session = a_session()
    visitor = a_director(session)
    states.change(session=session, actor=None, to="running")
    for number, play in enumerate(plays_of(session)):
        if play.round == 1:
            hand_in(session, number)
    work(session)
    shown = visitor.open(reverse("change-table", args=[session.pk])).text
    assert re.findall(r'<option value="(\d+)" selected', shown.partition('id="round"')[2]) == ["2"]


def test_a_table_that_sat_or_played_otherwise_is_written_down_and_undone() -> None:
    session = a_session()
    visitor = a_director(session)
    play = plays_of(session)[0]
    hand_in(session)
    work(session)
    before = seats(session)
    address = reverse("change-table", args=[session.pk])
    visitor.open(address)
    assert visitor.client.get(f"{address}?table=1&round=99").status_code == 404
    visitor.open(f"{address}?table={play.table_id}&round=1")
    visitor.press("Show what it costs")
    assert "say for each seat who sat there" in visitor.text
    visitor.press("Show what it costs", seat_1="2", seat_2="1")
    assert "What it costs" in visitor.text
    assert seats(session) == before
    visitor.press("Write it down so")
    assert "say why they are counted for others" in visitor.text
    visitor.press("Show what it costs", reason="They mixed up the cards.")
    stale = visitor.text
    visitor.press("Write it down so")
    assert "It is written down as it was." in visitor.text
    swapped = {(row[3], row[4]) for row in seats(session) - before}
    assert len(swapped) > 1
    visitor.press("Undo")
    assert seats(session) == before
    assert "The arrow was turned" not in visitor.text, "each plays alone: there is none"
    later = Play.objects.filter(table=play.table_id, round=3).select_related("board").first()
    assert later is not None
    visitor.open(f"{address}?table={play.table_id}&round=1")
    visitor.press("Show what it costs", kind="boards", boards="x", reason="Taken from the wrong pile")
    assert "Say which boards were played" in visitor.text
    numbers = [one.board.number for one in Play.objects.filter(table=play.table_id, round=1)]
    wrong = ", ".join(map(str, [*numbers[:-1], later.board.number]))
    visitor.press("Show what it costs", boards=wrong).press("Write it down so")
    later.refresh_from_db()
    assert later.round == 1
    visitor.press("Undo")
    assert seats(session) == before
    (form,) = [one for one in _Forms(stale).forms if "seat_1" in one["fields"]]
    sent = {**form["fields"], "way": "do"}
    late = visitor.client.post(f"{address}?table={play.table_id}&round=1", sent)
    assert (late.status_code, seats(session)) == (409, before), "it was planned on another plan"


def test_who_has_played_a_board_twice_waits_until_somebody_rules() -> None:
    world = a_world()
    session, visitor = world.session, a_director(world.session)
    play = plays_of(session)[0]
    later = Play.objects.filter(table=play.table, round=3).select_related("board").get()
    wrong = {"table": play.table.number, "number": 1, "boards": [later.board.number]}
    reseating.store(reseating.plan(session=session, kind="boards", **wrong), actor=None)
    assert (
        "They had played this board before"
        not in visitor.open(reverse("session-desk", args=[session.pk])).text
    )
    for one in plays_of(session):
        world_hands_in(world, one)
    work(session)
    visitor.open(visitor.path)
    met = reseating.met_twice(session)
    assert (
        visitor.text.count("They had played this board before, and both results count until you rule")
        == len(met)
        > 0
    )
    assert reverse("desk-play", args=[session.pk, met[0].play.pk]) + "#ruling" in visitor.text


def test_a_reason_is_said_to_be_needed_only_where_it_is() -> None:
    world = a_world(game="cochonnet", players=8, movement="howell")
    session = world.session
    visitor, play = a_director(session), plays_of(session)[0]
    address = f"{reverse('change-table', args=[session.pk])}?table={play.table_id}&round=1"
    assert "Needed where results are there already" not in visitor.open(address).text
    assert re.search("of seat 3: ", visitor.text), "a pair sits in two seats"
    table_hands_in(world, play, {"sheet": {"rounds": [[41, 30], [45, 33], [38, 29], [35, 40]]}})
    work(session)
    visitor.open(address)
    assert "Needed where results are there already" in visitor.text
    assert "optional" not in visitor.text.partition("Why?")[2].partition("</label>")[0]


def test_a_reserve_board_takes_the_place_of_a_fouled_one_and_is_put_back() -> None:
    session = a_session(reserves=1)
    visitor = a_director(session)
    play = plays_of(session)[0]
    number = play.board.number
    visitor.open(reverse("change-reserve", args=[session.pk]) + f"?board={number}")
    visitor.press("Show what it costs")
    assert "This field is required." in visitor.text
    visitor.press("Show what it costs", reason="A card was face up")
    assert "Tables that will play it" in visitor.text
    assert "<dd>1, 2, 3</dd>" in visitor.text, "as the room calls them"
    visitor.press("Play board")
    play.refresh_from_db()
    assert play.board.number != number
    visitor.open(reverse("change-reserve", args=[session.pk]))
    visitor.press("Show what it costs", reason="Again")
    assert "No reserve board is left" in visitor.text
    visitor.open(reverse("session-desk", args=[session.pk]))
    assert "It has been" not in visitor.text, "its notice has been read"
    play.refresh_from_db()
    used = play.board.number
    entry = HistoryEntry.objects.get(verb="replaced")
    assert (entry.detail["board"], entry.detail["by"]) == (number, used)


def test_wrong_cards_in_a_wallet_are_told_in_the_words_of_whoever_finds_them() -> None:
    world = a_world()
    session, visitor = world.session, a_director(world.session)
    plays = [play for play in plays_of(session) if play.board.number == 1]
    for play in plays:
        table_hands_in(world, play)
    work(session)
    visitor.open(reverse("session-changes", args=[session.pk]))
    assert "A wallet held the wrong cards" in visitor.text
    address = reverse("change-cards", args=[session.pk])
    assert "Which board?" in visitor.open(address).text
    visitor.open(f"{address}?board=1&play={plays[0].pk}").press("Show what it changes")
    assert "What it changes in the list" in visitor.text, "the table of the link is ticked"
    assert not Ruling.objects.exists()
    visitor.press("Compare them apart", reason="")
    assert "This field is required." in visitor.text
    every = [str(play.pk) for play in plays]
    visitor.press("Show what it changes", reason="Put back wrongly", tables=every)
    assert "If all tables held the same cards" in visitor.text
    visitor.press("Show what it changes", tables=every[:1]).press("Compare them apart")
    made = Ruling.objects.get()
    assert (made.kind, [part.play_id for part in made.parts.all()]) == ("fouled", [plays[0].pk])
    assert "Board 1 is compared apart by the cards that each table held." in visitor.text
    visitor.press("Undo")
    made.refresh_from_db()
    assert made.reversed_at is not None


def test_whoever_plays_is_not_shown_what_wrong_cards_would_change_before_the_board_is_over() -> None:
    world = a_world()
    session, visitor = world.session, a_director(world.session)
    play = next(one for one in plays_of(session) if one.board.number == 1)
    table_hands_in(world, play)
    work(session)
    seated = Player.objects.filter(contestants__seatings__play=play).first()
    seated.account = Account.objects.get(name="Dora")
    seated.save(update_fields=["account"])
    address = reverse("change-cards", args=[session.pk])
    visitor.open(f"{address}?board=1&play={play.pk}").press("Show what it changes")
    assert ("What it changes in the list" in visitor.text, visitor.answer.status_code) == (False, 400)


def test_a_reserve_board_that_nobody_has_played_is_taken_back_at_once() -> None:
    session = a_session(reserves=1)
    visitor = a_director(session)
    play = plays_of(session)[0]
    boards = session.board_set.boards.count()
    visitor.open(reverse("change-reserve", args=[session.pk]))
    visitor.press("Show what it costs", reason="A card was face up").press("Play board")
    visitor.press("Undo")
    moved = Play.objects.get(pk=play.pk)
    assert (moved.board_id, session.board_set.boards.count()) == (play.board_id, boards)


def test_a_table_gets_a_board_that_is_over_once_somebody_says_that_it_has_played_it() -> None:
    world = a_world(reserves=1)
    session = world.session
    table_hands_in(world, plays_of(session)[0])
    work(session)
    reserve = board_sets.use_reserve(session=session, actor=world.organiser, board=1, reason="Wet")
    for play in plays_of(session):
        if play.board_id == reserve.pk:
            table_hands_in(world, play)
    work(session)
    visitor = a_director(session)
    table = plays_of(session)[0].table_id
    visitor.open(f"{reverse('change-table', args=[session.pk])}?table={table}&round=2")
    assert "The table has played it" not in visitor.text, "nobody is asked what does not matter"
    wish = {"kind": "boards", "boards": str(reserve.number), "reason": "It lay there"}
    visitor.press("Show what it costs", **wish).press("Write it down so")
    assert "confirm that the table has played it" in visitor.text
    assert not Play.objects.filter(table=table, board=reserve).exists()
    visitor.press("Write it down so", confirm="on")
    assert Play.objects.filter(table=table, board=reserve, round=2).exists()


def test_a_table_says_that_it_sits_otherwise_and_the_director_has_it_written_down() -> None:
    """Whoever reads a wrong name says so on the table's phone; nothing changes before the director agrees."""
    session = a_session()
    visitor = a_director(session)
    states.change(session=session, actor=None, to="running")
    director = Account.objects.get(name="Dora")
    table_links.make(session=session, actor=director)
    links = table_links.codes(table_links.in_force(session, director))
    code = next(code for link, code in links if link.table.number == 1)
    phone, address = Client(HTTP_HOST="localhost"), f"/en/t/{code}/seats/"
    assert address in phone.get(f"/en/t/{code}/").content.decode()
    before = seats(session)
    planned = {"seat_1": 1, "seat_2": 2, "seat_3": 3}
    wrong = (
        planned,
        planned | {"seat_1": 2},
        planned | {"seat_1": 0},
        {"seat_1": 1},
        planned | {"seat_1": 9},
    )
    assert [phone.post(address, told).status_code for told in wrong] == [400] * len(wrong)
    assert not Call.objects.exists()
    twice = phone.post(address, planned | {"seat_1": 2}).content.decode()
    assert "stands in seats 1 and 2: who sits in the other?" in twice
    assert phone.post(address, planned | {"seat_1": 2, "seat_2": 3, "seat_3": 1}).status_code == 302
    call = Call.objects.get()
    assert (call.round, call.order, call.reason) == (1, [2, 3, 1], "seats")
    shown = phone.get(f"/en/t/{code}/").content.decode()
    assert "has been called" in shown
    assert "Wait with the results until this page shows who sits here." in shown
    assert address in shown, "the way stays, and says that the director knows"
    assert "already" in phone.get(address).content.decode()
    assert seats(session) == before
    visitor.open(reverse("session-desk", args=[session.pk]))
    (way,) = re.findall(r'href="([^"]*order=2-3-1[^"]*)"', visitor.text)
    visitor.open(way.replace("&amp;", "&"))
    assert re.findall(r'<option value="(\d)" selected>', visitor.text)[:3] == ["2", "3", "1"]
    visitor.press("Show what it costs").press("Write it down so")
    changed = {(row[3], row[4]) for row in seats(session) - before}
    assert len(changed) == 3
    call.refresh_from_db()
    assert call.state == "done"
    told = planned | {"seat_1": 0, "text": "Zoé, for Anna"}
    assert phone.post(address, told).status_code == 302
    last = Call.objects.latest("pk")
    assert last.remark is not None
    assert (last.order, last.remark.text) == (None, "Zoé, for Anna")


def test_a_table_that_played_what_others_had_played_there_is_sent_to_a_ruling() -> None:
    session = a_session()
    visitor = a_director(session)
    played, play = (
        [one for one in plays_of(session) if one.round == number and one.table.number == 1]
        for number in (1, 2)
    )
    hand_in(session)
    work(session)
    before = seats(session)
    visitor.open(f"{reverse('change-table', args=[session.pk])}?table={play[0].table_id}&round=2")
    boards = [played[0].board.number, *(one.board.number for one in play[1:])]
    visitor.press("Show what it costs", kind="boards", boards=", ".join(map(str, boards)), reason="Again")
    assert visitor.answer.status_code == 409
    assert "their result stays theirs" in visitor.text
    assert f"Those were {', '.join(names_at(played[0]))}." in visitor.text
    assert f'href="{reverse("desk-play", args=[session.pk, play[0].pk])}#ruling"' in visitor.text
    assert "Write it down so" not in visitor.text
    assert seats(session) == before


def names_at(play: Play) -> list[str]:
    return list(play.seatings.order_by("seat").values_list("contestant__name", flat=True))


def test_what_was_done_is_undone_from_the_session_s_page_as_long_as_nothing_else_was() -> None:
    session = a_session(custody="none")
    visitor = a_director(session)
    play = plays_of(session)[0]
    before = seats(session)
    visitor.open(f"{reverse('change-table', args=[session.pk])}?table={play.table_id}&round=1")
    visitor.press("Show what it costs", seat_1="2", seat_2="1").press("Write it down so")
    page = reverse("session-desk", args=[session.pk])
    visitor.open(page).open(page)  # its notice is gone
    assert "Just done" in visitor.text
    visitor.press("Undo")
    assert seats(session) == before
    visitor.open(page)
    assert "Just done" not in visitor.open(page).text
    visitor.press("Start")
    visitor.open(page)
    assert "Just done" in visitor.open(page).text
    other = a_director(session, "Cid")
    assert "Just done" not in other.text, "each undoes what was done in this browser"
    states.change(session=session, actor=None, to="played", confirmed=True)
    assert "Just done" not in visitor.open(page).text, "something else has been done since"


def test_whoever_comes_late_is_asked_whether_the_name_is_published() -> None:
    session = a_session(players=9)
    hand_in(session)
    visitor = a_director(session)
    page = reverse("session-desk", args=[session.pk])
    for name, agreed in (("Zoé Petit", {}), ("Yann Roux", {"names_may_be_published": "on"})):
        visitor.open(reverse("change-here", args=[session.pk]))
        worked(worked(visitor.press("Show what it costs", arriving=name, **agreed)).press("Plan it so"))
        assert Player.objects.get(family_name=name.split()[1]).consent == bool(agreed)
    told = (
        visitor.open(page).text.partition("not agreed that their names are published")[2].partition("</p>")[0]
    )
    assert ("Zoé Petit" in told, "Yann Roux" in told) == (True, False)
    assert (
        "Zoé Petit" in visitor.open(reverse("desk-lists", args=[session.pk])).text.partition("not agreed")[2]
    )
