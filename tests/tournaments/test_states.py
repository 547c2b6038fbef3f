"""The states of a session: which arrow leads where, on which condition, and what each lets happen."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engines.public_values import PublicValue
from tests.running import ROOT
from tournaments.models import HistoryEntry, Session
from tournaments.models.open_boards import open_in
from tournaments.services import rounds, states, submissions, sweep
from tournaments.services.errors import Conflict, Invalid

from .worlds import World, a_world, an_entry, hand_in, played_through, plays_of, table_hands_in, work

pytestmark = pytest.mark.django_db

WITHOUT_RESULTS = {
    "draft": {"ready", "cancelled"},
    "ready": {"draft", "running", "played", "cancelled"},
    "running": {"ready", "played", "cancelled"},
    "played": {"running", "provisional"},
    "provisional": {"running", "played", "final"},
    "final": {"amended"},
    "amended": set(),
    "cancelled": {"draft", "ready", "running"},
}


def put(world: World, **wish: Any) -> Any:
    address = f"/api/v1/sessions/{world.session.pk}/state/"
    return world.client("organiser").put(address, {"reason": "So it is.", "confirm": True} | wish)


def test_which_state_leads_to_which(world: World) -> None:
    """As the session itself says before, and as a request finds out."""
    states_ = list(Session.State.values)
    for before in states_:
        for to in states_:
            Session.objects.filter(pk=world.session.pk).update(state=before)
            offered = world.client("organiser").get(f"/api/v1/sessions/{world.session.pk}/").json()
            status = put(world, state=to).status_code
            may = to in WITHOUT_RESULTS[before]
            assert (to in offered["next_states"]) == may, (before, to)
            assert status == (200 if may or to == before else 409), (before, to)
            assert world.refresh().state == (to if may else before)
    table = (ROOT / "docs" / "evening.md").read_text()
    for before, targets in WITHOUT_RESULTS.items():
        for to in targets:
            assert f"| {before} → {to} |" in table, "each arrow has its line"


def test_results_start_a_session_and_nobody_goes_back_behind_them(world: World) -> None:
    assert world.session.state == "ready"
    hand_in(world, plays_of(world.session)[0])
    work(world.session)
    assert world.refresh().state == "running"
    assert HistoryEntry.objects.get(verb="started").agent == "worker"
    hand_in(world, plays_of(world.session)[1])
    work(world.session)
    assert HistoryEntry.objects.filter(verb="started").count() == 1
    assert put(world, state="ready").json()["error"]["code"] == "begun"
    assert put(world, state="cancelled").status_code == 200
    assert put(world, state="ready").json()["error"]["code"] == "begun"
    assert put(world, state="running", reason=" ").json()["error"]["code"] == "no-reason"
    assert put(world, state="running").status_code == 200


@pytest.mark.parametrize("state", ["draft", "cancelled"])
def test_a_draft_and_a_cancelled_session_take_nothing_from_anybody(world: World, state: str) -> None:
    Session.objects.filter(pk=world.session.pk).update(state=state)
    for sender in (world.organiser, world.table):
        entry = an_entry(next(one for one in plays_of(world.session) if one.table == world.table.table))
        with pytest.raises(Conflict) as refusal:
            submissions.submit(session_id=world.session.pk, sender=sender, entries=[entry])
        assert refusal.value.code == f"session-{state}"


def test_the_end_says_what_is_missing_and_asks() -> None:
    world = a_world(published=True)
    for play in plays_of(world.session)[:-2]:
        hand_in(world, play)
    work(world.session)
    answer = put(world, state="played", confirm=False)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "results-missing")
    details = answer.json()["error"]["details"]
    assert details["count"] == 2
    assert details["missing"] == [
        {"round": 4, "section": "A", "table": table, "board": 4} for table in (2, 3)
    ]
    assert world.refresh().state == "running"
    ended = put(world, state="played").json()
    assert (ended["state"], ended["listed"]) == ("provisional", True), "its list was public already"


def test_a_session_that_was_finished_too_early_is_opened_again_with_a_reason() -> None:
    world = a_world(published=True)
    table_hands_in(world, plays_of(world.session)[0])
    work(world.session)
    put(world, state="played")
    assert open_in(world.refresh(), None).count() == 4
    with pytest.raises(Invalid):
        states.change(session=world.session, actor=None, to="running")
    assert put(world, state="running", reason="Two boards to go").status_code == 200
    assert open_in(world.refresh(), None).count() == 0, "they are closed again"
    entry = HistoryEntry.objects.get(verb="reopened")
    assert entry.remark is not None
    assert (entry.remark.text, entry.changes) == (
        "Two boards to go",
        {"state": ["provisional", "running"]},
    )
    table_hands_in(world, plays_of(world.session)[1])


def test_a_list_becomes_final_by_the_clock_and_is_amended_by_a_result_that_counts(world: World) -> None:
    played_through(world)
    until = timezone.now() + timedelta(hours=1)
    put(world, state="played")
    assert put(world, state="provisional", corrections_until=until.isoformat()).status_code == 200
    assert states.make_due_final(now=until - timedelta(seconds=1)) == 0
    Session.objects.filter(pk=world.session.pk).update(corrections_until=timezone.now())
    assert sweep.sweep().total() > 0
    assert states.make_due_final(now=until) == 1
    assert world.refresh().state == "final"
    with pytest.raises(Conflict, match="finished"):
        table_hands_in(world, plays_of(world.session)[0])
    hand_in(world, plays_of(world.session)[0], {"sheet": {"outcome": "normal", "tricks": [9, 9, 9]}})
    work(world.session)
    assert world.refresh().state == "final", "what was refused changes nothing"
    hand_in(world, plays_of(world.session)[0])
    work(world.session)
    assert world.refresh().state == "amended"


def test_what_is_cancelled_opens_no_board() -> None:
    world = a_world(published=True)
    played_through(world)
    assert put(world, state="cancelled", reason="The hall has burnt down").status_code == 200
    assert world.client("organiser").get(f"/api/v1/sessions/{world.session.pk}/").json()["board_set"] == (
        "withdrawn"
    )
    assert open_in(world.refresh(), None).count() == 0


def test_what_waits_for_a_public_value_is_cancelled_and_taken_up_again_as_a_draft_alone() -> None:
    value = PublicValue(kind="lottery-5", source="the draw of Tuesday")
    world = a_world(public_value=value)
    assert put(world, state="cancelled").status_code == 200
    for to in ("ready", "running"):
        assert put(world, state=to).json()["error"]["code"] == "no-boards-yet"
    assert world.refresh().state == "cancelled"
    assert put(world, state="draft", reason=" ").json()["error"]["code"] == "no-reason"
    assert put(world, state="draft").status_code == 200
    address = f"/api/v1/sessions/{world.session.pk}/public-value/"
    assert world.client("organiser").put(address, {"value": "03-07-12-28-41"}).status_code == 200
    assert world.refresh().state == "ready"


def test_names_and_times_are_mended_at_any_time(world: World) -> None:
    Session.objects.filter(pk=world.session.pk).update(state="final")
    address, client = f"/api/v1/sessions/{world.session.pk}/", world.client("organiser")
    mended = client.patch(address, {"name": "Friday", "starts_at": "2026-11-27T19:30:00+01:00"}).json()
    assert (mended["name"], mended["starts_at"]) == ("Friday", "2026-11-27T18:30:00Z")
    entry = HistoryEntry.objects.get(verb="mended")
    assert entry.changes == {
        "name": ["Evening", "Friday"],
        "starts_at": [None, "2026-11-27T18:30:00+00:00"],
    }
    client.patch(address, {"name": "Friday"})
    assert HistoryEntry.objects.filter(verb="mended").count() == 1, "nothing was changed"
    assert client.patch(address, {"name": " "}).status_code == 400
    tournament = f"/api/v1/tournaments/{world.session.tournament_id}/"
    assert client.patch(tournament, {"name": "Winter"}).json()["name"] == "Winter"
    assert client.patch(tournament, {"club": "Other"}).status_code == 400


def test_only_the_first_of_two_starts_is_noted(world: World) -> None:
    rounds.pace(session=world.session, actor=None, pace=rounds.Pace())
    for number in (1, 2):
        rounds.open_round(session=world.session, actor=world.organiser, number=number)
    assert [one.account_id for one in HistoryEntry.objects.filter(verb="started")] == [
        world.organiser.role.account_id if world.organiser.role else None
    ]


def test_a_moment_is_one_that_every_clock_can_show() -> None:
    """A page of a session with a far one could not be shown, nor mended."""
    world = a_world()
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/"
    far = ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "2101-01-01T00:00:00Z"]
    for at in far:
        answers = [
            client.patch(address, {"starts_at": at}, "json"),
            client.put(address + "state/", {"state": "provisional", "corrections_until": at}, "json"),
            client.post(
                f"/api/v1/tournaments/{world.session.tournament_id}/sessions/", {"starts_at": at}, "json"
            ),
            client.get(address + "history/", {"since": at}),
            client.get(address + "history/", {"until": at}),
        ]
        assert [one.status_code for one in answers] == [400] * 5, at
        said = [str(one.json()["error"]["details"]) for one in answers]
        assert all("too far away" in one for one in said), said
    for at in ("2000-01-01T00:00:00Z", "2100-12-31T23:59:59Z"):
        assert client.patch(address, {"starts_at": at}, "json").json()["starts_at"] == at
