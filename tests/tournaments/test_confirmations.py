"""What the sides of a table say of one play: confirmed, opposed, settled; and changes that need a reason."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tournaments.models import Confirmation, HistoryEntry, Play, Player, Result, Submission
from tournaments.services import flags, judging, submissions

from .worlds import World, a_world, an_entry, body_of, hand_in, plays_of, table_hands_in, work

pytestmark = pytest.mark.django_db

FIRST = {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}}
OTHER = {"sheet": {"outcome": "normal", "tricks": [4, 4, 2]}}


def say(world: World, play: Play, seat: int | None, content: dict[str, Any] = FIRST, reason: str = "") -> Any:
    """What a seat of the world's table hands in, through the API."""
    body = body_of(an_entry(play, content)) | {"seat": seat, "reason": reason}
    answer = world.client("table").post(f"/api/v1/sessions/{world.session.pk}/submissions/", body, "json")
    return answer.json() | {"status": answer.status_code}


def own_plays(world: World) -> list[Play]:
    return [play for play in plays_of(world.session) if play.table_id == world.table.table_id]


def state(world: World, play: Play, role: str = "table") -> str:
    plays = world.client(role).get(f"/api/v1/sessions/{world.session.pk}/plays/").json()["results"]
    (found,) = (one["state"] for one in plays if one["id"] == play.pk)
    return str(found)


def states(play: Play) -> list[str]:
    return list(play.submissions.order_by("pk").values_list("state", flat=True))


def test_another_side_that_says_the_same_confirms_and_one_that_does_not_opposes() -> None:
    world = a_world()
    first, second = own_plays(world)[:2]
    say(world, first, 1)
    work(world.session)
    assert (states(first), state(world, first)) == (["accepted"], "entered")
    say(world, first, 1)  # a side does not confirm itself
    work(world.session)
    assert state(world, first) == "entered"
    assert not Confirmation.objects.exists()
    say(world, first, 2)
    work(world.session)
    assert states(first) == ["accepted", "accepted", "agreed"]
    assert state(world, first) == state(world, first, "organiser") == "confirmed"
    confirmation = Confirmation.objects.get()
    assert (confirmation.seat, confirmation.is_shared) == (2, False)
    assert confirmation.submission == first.submissions.order_by("pk")[1]

    say(world, second, 3)
    say(world, second, 1, OTHER)  # judged together
    work(world.session)
    assert states(second) == ["accepted", "opposed"]
    assert Result.objects.get(play=second).scores == Result.objects.get(play=first).scores
    assert state(world, second) == "disputed"
    (flag,) = (one for one in flags.of(world.refresh(), world.organiser) if one.kind == "sides")
    assert (flag.play, flag.board) == (second.pk, second.board.number)
    assert not [one for one in flags.of(world.session, world.organiser) if one.kind == "contradicted"]


def test_a_dispute_ends_when_a_side_gives_way_or_a_scorer_decides() -> None:
    world = a_world()
    opposed, corrected, decided, upheld = own_plays(world)
    for play in (opposed, corrected, decided, upheld):
        say(world, play, 1)
        say(world, play, 2, OTHER)
    work(world.session)
    assert {state(world, play) for play in own_plays(world)} == {"disputed"}
    say(world, opposed, 2)  # gives way
    say(world, corrected, 1, OTHER)  # gives way the other way round
    hand_in(world, decided, OTHER)
    work(world.session)
    assert [state(world, play) for play in own_plays(world)[:3]] == ["confirmed"] * 3
    assert Result.objects.get(play=opposed).sheet["tricks"] == [5, 3, 2]
    assert Result.objects.get(play=corrected).sheet["tricks"] == [4, 4, 2]
    assert Result.objects.get(play=decided).submission.role_id is not None
    counting = Result.objects.get(play=upheld).submission
    answer = confirm(world, upheld, "scorer", submission=counting.pk)
    assert answer["status"] == 201, answer
    assert state(world, upheld) == "confirmed"
    say(world, upheld, 3, {"sheet": {"outcome": "normal", "tricks": [6, 2, 2]}}, reason="Miscounted")
    work(world.session)
    assert state(world, upheld) == "disputed", "a third side still disagrees"


def confirm(world: World, play: Play, role: str, **said: Any) -> Any:
    place = {"section": "A", "table": play.table.number, "board": play.board.number}
    answer = world.client(role).post(
        f"/api/v1/sessions/{world.session.pk}/confirmations/", place | said, "json"
    )
    return answer.json() | {"status": answer.status_code}


def test_a_seat_confirms_what_it_reads_on_its_own_phone_or_on_the_one_of_the_table() -> None:
    world = a_world()
    own, shared = own_plays(world)[:2]
    counting = {}
    for play, seat in ((own, 1), (shared, None)):
        say(world, play, seat)
        work(world.session)
        counting[play.pk] = Result.objects.get(play=play).submission_id
    assert confirm(world, own, "table", submission=counting[own.pk])["error"]["code"] == "bad-seat"
    assert confirm(world, own, "table", submission=counting[own.pk], seat=1)["error"]["code"] == "own-sheet"
    assert confirm(world, own, "table", submission=counting[own.pk], seat=4)["error"]["code"] == "bad-seat"
    assert confirm(world, own, "table", submission=999, seat=2)["error"]["code"] == "superseded"
    assert confirm(world, own, "scorer", submission=counting[own.pk], seat=2)["error"]["code"] == "bad-seat"
    assert confirm(world, own, "other table", submission=counting[own.pk], seat=2)["status"] in (403, 404)
    for _twice in range(2):
        made = confirm(world, own, "table", submission=counting[own.pk], seat=2)
        assert (made["status"], made["seat"], made["shared"]) == (201, 2, False)
        made = confirm(world, shared, "table", submission=counting[shared.pk], seat=2, shared=True)
        assert (made["status"], made["shared"]) == (201, True)
    assert Confirmation.objects.count() == 2, "said twice, it is there once"
    assert [
        entry.detail["shared"] for entry in HistoryEntry.objects.filter(verb="confirmed").order_by("pk")
    ] == [
        False,
        True,
    ]
    assert {state(world, own), state(world, shared)} == {"confirmed"}
    role = world.organiser.role
    assert role is not None
    played = Player.objects.filter(memberships__contestant__seatings__play=own)
    Player.objects.filter(pk=played.order_by("pk").values_list("pk", flat=True)[0]).update(
        account=role.account
    )
    refused = confirm(world, own, "organiser", submission=counting[own.pk])
    assert (refused["status"], refused["error"]["code"]) == (403, "own-play"), "they sat there"
    assert confirm(world, own, "scorer", submission=counting[own.pk])["status"] == 201


def test_what_was_confirmed_is_changed_with_a_reason_and_the_change_is_shown() -> None:
    world = a_world()
    play = own_plays(world)[0]
    say(world, play, 1)
    say(world, play, 2)
    work(world.session)
    for seat in (1, None):
        refused = say(world, play, seat, OTHER)
        assert (refused["status"], refused["error"]["code"]) == (400, "no-reason")
    assert say(world, play, 3)["status"] == 202, "the same again is no change"
    with pytest.raises(Exception, match="why"):
        submissions.submit(
            session_id=world.session.pk, sender=world.organiser, entries=[an_entry(play, OTHER)]
        )
    assert say(world, play, 1, OTHER, reason="The last trick was ours")["status"] == 202
    work(world.session)
    assert state(world, play) == "entered", "what is new has not been confirmed yet"
    noted = HistoryEntry.objects.get(verb="submitted", remark__isnull=False)
    assert noted.remark is not None
    assert noted.remark.text == "The last trick was ours"
    plays = world.client("organiser").get(f"/api/v1/sessions/{world.session.pk}/plays/").json()["results"]
    assert next(one["result"]["reason"] for one in plays if one["id"] == play.pk) == "The last trick was ours"


def test_a_phone_for_all_corrects_itself_and_settles_what_sides_disagree_about_but_replaces_no_side() -> None:
    world = a_world()
    play, own = own_plays(world)[:2]
    say(world, own, None)
    say(world, own, None, OTHER)
    say(world, play, 1)
    say(world, play, None, OTHER)
    work(world.session)
    assert states(own) == ["accepted", "accepted"], "one phone corrects what it said"
    assert states(play) == ["accepted", "opposed"], "and not what a side said on its own"
    assert state(world, play) == "disputed"
    say(world, own, 2)
    work(world.session)
    assert state(world, own) == "disputed", "a side contradicts what was said for it"
    for one in (play, own):
        say(world, one, None, OTHER)
    work(world.session)
    for one in (play, own):
        assert (states(one)[-1], state(world, one)) == ("accepted", "entered"), "said again, it is for all"
        assert Result.objects.get(play=one).sheet["tricks"] == [4, 4, 2]


def test_no_table_replaces_what_an_official_entered() -> None:
    world = a_world()
    play, by_scorer = own_plays(world)[:2]
    hand_in(world, by_scorer)
    work(world.session)
    assert state(world, by_scorer) == "confirmed"
    for seat in (2, None, None):
        say(world, by_scorer, seat, OTHER, reason="We say so")
        work(world.session)
        assert states(by_scorer)[-1] == "opposed"
        assert state(world, by_scorer) == "disputed"
    hand_in(world, by_scorer, OTHER)
    work(world.session)
    assert state(world, by_scorer) == "confirmed"
    say(world, by_scorer, None, OTHER, reason="So it was")
    work(world.session)
    assert states(by_scorer)[-1] == "agreed"
    assert not Confirmation.objects.exists(), "a phone for all is no side"
    entry = an_entry(play)
    for sender, seat in ((world.organiser, 1), (world.table, 9)):
        with pytest.raises(Exception, match="seat"):
            submissions.submit(
                session_id=world.session.pk,
                sender=sender,
                entries=[
                    submissions.ResultEntry(
                        entry.section, entry.table, entry.board, uuid4(), FIRST, seat=seat
                    )
                ],
            )


def test_a_table_says_that_it_sits() -> None:
    world = a_world()
    play = own_plays(world)[0]
    address = f"/api/v1/sessions/{world.session.pk}/rounds/1/seated/"
    assert state(world, play) == "expected"
    for _twice in range(2):
        answer = world.client("table").put(address, {"seated": True}, "json")
        assert (answer.status_code, answer.json()["seated"]) == (200, True)
    assert state(world, play) == "at-play"
    assert state(world, own_plays(world)[1]) == "expected", "in another round"
    assert HistoryEntry.objects.filter(verb="seated").count() == 1
    assert world.client("table").put(address, {"seated": False}, "json").json()["seated"] is False
    assert state(world, play) == "expected"
    at = {"section": "A", "table": play.table.number, "seated": True}
    assert world.client("scorer").put(address, at, "json").status_code == 200
    assert world.client("other table").put(address, at, "json").status_code in (403, 404)
    assert world.client("scorer").put(address, {"seated": True}, "json").status_code == 400
    table_hands_in(world, play)
    answer = world.client("table").put(address, {"seated": False}, "json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "round-begun")
    assert Submission.objects.count() == 1


def test_hearing_the_sides_takes_no_query_for_each_result() -> None:
    """Nor does storing sheets of plays that were confirmed; without seats nothing is asked about sides."""
    world = a_world(boards_per_round=3)
    plays = own_plays(world)
    asked = {}
    for name, some, seat in (
        ("first", plays[:1], 1),  # by it, the process knows the session
        ("one", plays[1:2], 1),
        ("many", plays[2:], 1),
        ("one heard", plays[1:2], 2),
        ("many heard", plays[2:], 2),
    ):
        entries = [an_entry(play) for play in some]
        entries = [replace(entry, seat=seat) for entry in entries]
        with CaptureQueriesContext(connection) as stored:
            submissions.submit(session_id=world.session.pk, sender=world.table, entries=entries)
        with CaptureQueriesContext(connection) as judged:
            judging.judge(session_id=world.session.pk)
        asked[name] = (len(stored), len(judged))
    assert asked["one"] == asked["many"]
    assert asked["one heard"] == asked["many heard"]
    with CaptureQueriesContext(connection) as stored:
        submissions.submit(
            session_id=world.session.pk,
            sender=world.table,
            entries=[replace(an_entry(play), seat=3) for play in plays[1:]],
        )
    assert len(stored) == asked["one"][0]


def test_what_an_official_enters_again_takes_no_query_for_each_result() -> None:
    """Whether they play in the session is asked once for all of it."""
    world = a_world(boards_per_round=3)
    plays = own_plays(world)
    asked = []
    for some in (plays, plays, plays[:2], plays[1:]):  # the first two times the process gets to know them
        entries = [an_entry(play) for play in some]
        with CaptureQueriesContext(connection) as stored:
            submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=entries)
        asked.append(len(stored))
    assert asked[2] == asked[3]
