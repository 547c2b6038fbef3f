"""Rounds: who may enter what when, by the director's word and by the clock."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tournaments.models import HistoryEntry, Play, Round, RoundExtension
from tournaments.models.open_boards import open_in, over_in
from tournaments.services import judging, replanning, rounds, states, storing, submissions, sweep
from tournaments.services.errors import Conflict, Refused
from tournaments.services.rounds import Pace

from .worlds import World, a_session, a_world, an_entry, hand_in, plays_of, table_hands_in, work

pytestmark = pytest.mark.django_db


def paced(**settings: Any) -> World:
    world = a_world()
    rounds.pace(session=world.session, actor=world.organiser, pace=Pace(**settings))
    world.refresh()
    return world


def play_of(world: World, number: int, table: int = 1) -> Play:
    return next(one for one in plays_of(world.session) if (one.round, one.table.number) == (number, table))


def refusal_of(world: World, number: int, sender: str = "table") -> str | None:
    """Why nothing of a round is taken, by its code; None where it is."""
    entry = an_entry(play_of(world, number))
    try:
        submissions.submit(session_id=world.session.pk, sender=world.holder(sender), entries=[entry])
    except Refused as refusal:
        return refusal.code
    return None


def the_round(world: World, number: int) -> Round:
    return Round.objects.get(session=world.session, number=number)


def by_api(world: World, number: int, **state: Any) -> Any:
    address = f"/api/v1/sessions/{world.session.pk}/rounds/{number}/state/"
    return world.client("organiser").put(address, state)


def set_clock(world: World, number: int, **times: datetime | None) -> None:
    Round.objects.filter(session=world.session, number=number).update(**times)


def test_without_a_pace_all_rounds_are_open(world: World) -> None:
    assert [refusal_of(world, number) for number in (4, 1)] == [None, None]
    with pytest.raises(Conflict, match="give it a pace"):
        rounds.open_round(session=world.session, actor=None, number=1)


def test_tables_enter_what_is_open_and_scorers_what_has_begun() -> None:
    world = paced()
    assert [refusal_of(world, 1, sender) for sender in ("table", "scorer", "organiser")] == [
        "round-waits"
    ] * 3
    assert by_api(world, 1, state="open").json()["state"] == "open"
    assert [refusal_of(world, 1, sender) for sender in ("table", "scorer")] == [None, None]
    assert refusal_of(world, 2) == "round-waits"
    closed = by_api(world, 1, state="closed").json()
    assert (closed["state"], closed["settled_at"] is not None) == ("closed", True)
    assert [refusal_of(world, 1, sender) for sender in ("table", "scorer")] == ["round-closed", None]
    assert by_api(world, 1, state="open").json()["error"]["code"] == "no-reason"
    assert by_api(world, 1, state="open", reason="Table 3 was late").status_code == 200
    assert refusal_of(world, 1) is None
    assert by_api(world, 1, state="waiting").json()["error"]["code"] == "round-begun"
    assert by_api(world, 9, state="open").status_code == 404
    verbs = HistoryEntry.objects.filter(session=world.session, detail__round=1).order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == ["opened round", "closed round", "reopened round"]


def test_a_round_that_was_opened_too_early_waits_again() -> None:
    world = paced(duration=60)
    by_api(world, 2, state="open")
    taken_back = by_api(world, 2, state="waiting").json()
    assert (taken_back["state"], taken_back["opened_at"], taken_back["ends_at"]) == ("waiting", None, None)
    assert refusal_of(world, 2) == "round-waits"


def test_a_closing_is_taken_back_only_before_the_next_round_is_opened() -> None:
    """Whoever has gone on to the next round knows that the boards of this one are over."""
    session = a_session()
    rounds.pace(session=session, actor=None, pace=Pace(duration=60))
    states.change(session=session, actor=None, to="running")
    rounds.open_round(session=session, actor=None, number=1)
    rounds.close_round(session=session, actor=None, number=1)
    taken_back = rounds.take_back_closing(session=session, actor=None, number=1, ends_at=None)
    assert taken_back.state == Round.State.OPEN
    rounds.close_round(session=session, actor=None, number=1)
    rounds.open_round(session=session, actor=None, number=2)
    with pytest.raises(Conflict, match="Another round is open by now"):
        rounds.take_back_closing(session=session, actor=None, number=1, ends_at=None)
    assert session.rounds.get(number=1).state == Round.State.CLOSED


def test_all_tables_have_the_grace_and_one_has_its_extension() -> None:
    world = paced(grace=120)
    by_api(world, 1, state="open")
    closed = by_api(world, 1, state="closed").json()
    assert (closed["state"], closed["settled_at"]) == ("closed", None)
    assert refusal_of(world, 1) is None
    extensions = f"/api/v1/sessions/{world.session.pk}/rounds/1/extensions/"
    client = world.client("organiser")
    assert client.post(extensions, {"minutes": 5}).json()["error"]["code"] == "round-closed"
    assert client.post(extensions, {"minutes": 5, "table": 9}).status_code == 404
    given = client.post(extensions, {"minutes": 5, "table": 1}).json()
    assert [(one["section"], one["table"]) for one in given["extensions"]] == [("A", 1)]
    past, later = timezone.now() - timedelta(seconds=1), timezone.now() + timedelta(minutes=4)
    set_clock(world, 1, takes_until=past)
    assert refusal_of(world, 1) is None, "its table has longer"
    with pytest.raises(Conflict, match="tell the director"):
        table_hands_in(world, play_of(world, 1, 2))
    assert (rounds.keep_time(), rounds.keep_time(now=later)) == (0, 0)
    RoundExtension.objects.update(until=past)
    assert refusal_of(world, 1) == "round-closed"
    assert rounds.keep_time(now=later + timedelta(minutes=5)) == 1
    assert the_round(world, 1).settled_at is not None
    assert client.post(extensions, {"minutes": 5, "table": 1}).json()["error"]["code"] == "round-not-open"


def test_the_clock_closes_a_round_and_opens_the_next() -> None:
    world = paced(duration=1800, warning=300, pause_before=240, grace=60)
    opened = by_api(world, 1, state="open").json()
    assert (opened["duration"], opened["warning"], opened["pause_before"], opened["grace"]) == (30, 5, 4, 1)
    one = the_round(world, 1)
    assert one.opened_at is not None
    assert one.ends_at == one.opened_at + timedelta(minutes=30)
    assert rounds.keep_time(now=one.ends_at - timedelta(seconds=1)) == 0
    at = one.ends_at
    assert rounds.keep_time(now=at) == 1
    assert (the_round(world, 1).state, the_round(world, 1).settled_at) == ("closed", None)
    assert the_round(world, 2).opens_at == at + timedelta(minutes=4)
    assert rounds.keep_time(now=at + timedelta(minutes=1)) == 1
    assert the_round(world, 1).settled_at == at + timedelta(minutes=1)
    assert rounds.keep_time(now=at + timedelta(minutes=4)) == 1
    assert the_round(world, 2).state == "open"
    assert rounds.keep_time(now=at + timedelta(minutes=4)) == 0, "a second time there is nothing to do"
    agents = HistoryEntry.objects.filter(verb__in=["closed round", "opened round"]).order_by("pk")
    assert list(agents.values_list("agent", flat=True)) == ["person", "worker", "worker"]


def test_the_sweep_finds_what_the_clock_has_to_do() -> None:
    world = paced(duration=60)
    before = sweep.sweep().total()
    by_api(world, 1, state="open")
    set_clock(world, 1, ends_at=timezone.now())
    assert sweep.sweep().total() == before + 1
    states.change(session=world.session, actor=None, to="cancelled", reason="Nobody came")
    assert sweep.sweep().total() == before, "the clock of a cancelled session stands still"


def test_a_pause_puts_the_end_off_and_an_extension_too() -> None:
    world = paced(duration=600)
    by_api(world, 1, state="open")
    where, client = f"/api/v1/sessions/{world.session.pk}/rounds/1", world.client("organiser")
    end = the_round(world, 1).ends_at
    assert end is not None
    assert client.post(f"{where}/extensions/", {"minutes": 5}).status_code == 201
    assert the_round(world, 1).ends_at == end + timedelta(minutes=5)
    assert client.put(f"{where}/pause/", {"paused": True}).json()["paused_at"] is not None
    assert rounds.keep_time(now=end + timedelta(hours=1)) == 0
    assert refusal_of(world, 1) is None
    set_clock(world, 1, paused_at=timezone.now() - timedelta(minutes=10))
    client.put(f"{where}/pause/", {"paused": False})
    later = the_round(world, 1).ends_at
    assert later is not None
    assert timedelta(minutes=15) <= later - end < timedelta(minutes=16)
    assert client.put(f"{where}/pause/", {"paused": False}).status_code == 200
    assert (
        client.put(f"/api/v1/sessions/{world.session.pk}/rounds/2/pause/", {"paused": True}).status_code
        == 409
    )


def test_a_round_that_is_closed_while_it_is_paused_leaves_a_table_what_was_left_of_its_extension() -> None:
    world = paced(duration=600)
    rounds.open_round(session=world.session, actor=None, number=1)
    rounds.extend(session=world.session, actor=None, number=1, minutes=5, section="A", table=1)
    until = RoundExtension.objects.get().until
    set_clock(world, 1, paused_at=timezone.now() - timedelta(minutes=30))
    rounds.close_round(session=world.session, actor=None, number=1)
    closed, later = the_round(world, 1), RoundExtension.objects.get().until
    assert timedelta(minutes=30) <= later - until < timedelta(minutes=31)
    assert (closed.settles_at, closed.settled_at, closed.paused_at) == (later, None, None)


def test_a_barometer_opens_a_round_once_all_earlier_ones_are_over() -> None:
    world = paced(is_barometer=True, grace=60)
    by_api(world, 1, state="open")
    assert by_api(world, 2, state="open").json()["error"]["code"] == "earlier-round"
    by_api(world, 1, state="closed")
    assert by_api(world, 2, state="open").json()["error"]["code"] == "earlier-round", "there is its grace"
    rounds.keep_time(now=timezone.now() + timedelta(minutes=1))
    assert by_api(world, 2, state="open").status_code == 200


def test_a_pace_is_given_and_taken_at_any_time(world: World) -> None:
    hand_in(world, play_of(world, 2))
    work(world.session)
    clock, client = f"/api/v1/sessions/{world.session.pk}/clock/", world.client("organiser")
    assert client.put(clock, {"duration": 5, "warning": 6}).status_code == 400
    assert client.put(clock, {"duration": 25, "warning": 5}).json()["paced"]
    listed = client.get(f"/api/v1/sessions/{world.session.pk}/rounds/").json()["results"]
    assert [(one["number"], one["state"]) for one in listed] == [
        (1, "waiting"),
        (2, "open"),
        (3, "waiting"),
        (4, "waiting"),
    ]
    client.put(clock, {"duration": 20})
    assert (the_round(world, 1).duration, the_round(world, 2).duration) == (1200, 1500)
    assert refusal_of(world, 1) == "round-waits"
    assert not client.delete(clock).json()["paced"]
    assert refusal_of(world, 1) is None
    client.put(f"/api/v1/sessions/{world.session.pk}/state/", {"state": "played", "confirm": True})
    assert client.put(clock, {}).json()["error"]["code"] == "session-finished"


def test_a_new_plan_has_rounds_of_the_same_pace() -> None:
    world = paced(duration=600)
    replanning.replan(session=world.refresh(), actor=world.organiser, after=1, leaving=[9], arriving=[])
    numbers = set(Play.objects.filter(table__section__session=world.session).values_list("round", flat=True))
    assert set(world.session.rounds.values_list("number", flat=True)) == numbers
    assert set(world.session.rounds.values_list("duration", flat=True)) == {600}


# ── Which boards are over ─────────────────────────────────────────────────────────────────────────


def open_to(world: World, role: str = "player") -> list[int]:
    return sorted(open_in(world.refresh(), world.tokens[role]).values_list("number", flat=True))


def all_hand_in(world: World, number: int) -> None:
    for table in (1, 2, 3):
        table_hands_in(world, play_of(world, number, table))
    work(world.session)


def test_a_board_is_over_once_its_round_is_and_not_before() -> None:
    """Were it open in the grace, a table that has seen the hands could still mend its result."""
    world = paced(grace=60)
    address = f"/api/v1/sessions/{world.session.pk}/boards/"
    by_api(world, 1, state="open")
    all_hand_in(world, 1)
    assert open_to(world) == []
    by_api(world, 1, state="closed")
    assert open_to(world) == []
    etag = world.client("player").get(address)["ETag"]
    rounds.keep_time(now=timezone.now() + timedelta(minutes=1))
    assert open_to(world) == [1]
    assert world.client("player").get(address, headers={"if-none-match": etag}).status_code == 200
    by_api(world, 1, state="open", reason="Table 3 has still to mend something")
    assert open_to(world) == []


def test_what_was_rolled_back_opens_nothing() -> None:
    world = paced()
    by_api(world, 1, state="open")
    all_hand_in(world, 1)
    with transaction.atomic():
        rounds.close_round(session=world.session, actor=None, number=1)
        assert over_in(world.refresh()).count() == 1
        transaction.set_rollback(True)
    rounds.open_round(session=world.session, actor=None, number=2)
    assert not over_in(world.refresh()).exists(), "round 1 is open"


def test_what_came_before_a_round_was_opened_opens_nothing(world: World) -> None:
    all_hand_in(world, 2)  # before there was any pace
    Round.objects.all().delete()
    rounds.pace(session=world.session, actor=None, pace=Pace())
    set_clock(world, 2, state="waiting", opened_at=None)
    for number in (1, 2):
        by_api(world, number, state="open")
        if number == 1:
            all_hand_in(world, 1)
        by_api(world, number, state="closed")
    assert open_to(world) == [1]


def test_a_sheet_that_the_deal_contradicts_is_told_in_a_round_that_has_begun() -> None:
    world = paced()
    by_api(world, 1, state="open")
    assert judging.Rounds.of(world.session).begun.keys() == {1}


# ── What it costs ─────────────────────────────────────────────────────────────────────────────────


def test_a_result_of_a_paced_session_costs_no_query_more() -> None:
    plain, other = a_world(), a_world()
    rounds.pace(session=other.session, actor=None, pace=Pace(duration=60))
    rounds.open_round(session=other.session, actor=None, number=1)
    counts = []
    for world in (plain, other):
        storing._dealt.cache_clear()
        with CaptureQueriesContext(connection) as queries:
            table_hands_in(world, play_of(world, 1))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_opening_a_round_costs_the_same_at_any_number_of_tables() -> None:
    counts = []
    for players in (9, 15):
        session = a_session(players=players)
        rounds.pace(session=session, actor=None, pace=Pace(duration=60))
        with CaptureQueriesContext(connection) as queries:
            rounds.open_round(session=session, actor=None, number=1)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 14


def test_whoever_has_the_rounds_is_told_when_their_clock_changes() -> None:
    """And nothing of what is known about its boards is thrown away by that."""
    world = paced(duration=1200)
    by_api(world, 1, state="open")
    address, own = f"/api/v1/sessions/{world.session.pk}/", world.client("organiser")
    phone = world.client("table")
    changes: tuple[Callable[[], Any], ...] = (
        lambda: own.put(f"{address}rounds/1/pause/", {"paused": True}),
        lambda: own.put(f"{address}rounds/1/pause/", {"paused": False}),
        lambda: own.post(f"{address}rounds/1/extensions/", {"minutes": 5}),
        lambda: own.post(f"{address}rounds/1/extensions/", {"minutes": 5, "table": 1}),
        lambda: own.put(f"{address}clock/", {"duration": 40}),
    )
    before = world.refresh().round_changes
    for number, change in enumerate(changes):
        shown = phone.get(f"{address}rounds/")
        known = {"If-None-Match": shown["ETag"]}
        assert phone.get(f"{address}rounds/", headers=known).status_code == 304
        assert change().status_code < 300
        again = phone.get(f"{address}rounds/", headers=known)
        assert (again.status_code, again.content != shown.content) == (200, True), number
    assert world.refresh().round_changes == before
