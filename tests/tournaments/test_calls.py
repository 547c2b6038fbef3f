"""Tables call, officials come; directors tell all tables something."""

from typing import Any

import pytest

from tournaments.models import Announcement, Call, HistoryEntry, Remark
from tournaments.services import calls, history, states

from .worlds import World, a_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return a_world(published=True)


class Hall:
    """Calls by the API, for somebody in a session."""

    def __init__(self, world: World, role: str) -> None:
        self.client = world.client(role)
        self.address = f"/api/v1/sessions/{world.session.pk}/calls/"

    def call(self, **said: Any) -> Any:
        return self.client.post(self.address, said, format="json")

    def answer(self, call: int, state: str) -> Any:
        answer = self.client.put(f"{self.address}{call}/state/", {"state": state}, format="json")
        body = answer.json()
        return body["state"] if answer.status_code == 200 else (answer.status_code, body["error"]["code"])

    def listed(self) -> list[tuple[int, str]]:
        return [(one["id"], one["state"]) for one in self.client.get(self.address).json()["results"]]


def test_a_table_calls_once_at_a_time_and_an_official_comes(world: World) -> None:
    table, other, scorer = Hall(world, "table"), Hall(world, "other table"), Hall(world, "scorer")
    assert table.call(board=99, reason="board").json()["error"]["code"] == "no-such-board"
    made = table.call(reason="scoring", board=1, text="Nine tricks?")
    assert made.status_code == 201, made.content
    call = made.json()
    own = world.holder("table").table
    assert {name: call[name] for name in ("table", "reason", "board", "text", "state", "by")} == {
        **{"table": own.number, "reason": "scoring", "board": 1, "text": "Nine tricks?"},
        **{"state": "waiting", "by": None},
    }
    assert table.call(reason="ruling").json()["id"] == call["id"], "it goes on waiting in its place"
    assert table.call(table=own.number + 1).status_code == 404, "for itself alone"
    second = other.call().json()
    assert (table.listed(), other.listed()) == ([(call["id"], "waiting")], [(second["id"], "waiting")])
    assert [one for one, _state in scorer.listed()] == [call["id"], second["id"]], "the oldest first"
    assert table.answer(call["id"], "coming") == (403, "not-yours")
    assert other.answer(call["id"], "withdrawn") == (404, "not-found")
    assert scorer.answer(call["id"], "coming") == "coming"
    assert Call.objects.get(pk=call["id"]).role == world.holder("scorer").role
    assert scorer.answer(call["id"], "done") == scorer.answer(call["id"], "done") == "done"
    assert scorer.answer(call["id"], "coming") == (409, "call-ended")
    assert scorer.answer(call["id"], "waiting") == "waiting", "the answer was a mistake"
    assert scorer.answer(call["id"], "done") == "done"
    again = table.call().json()["id"]
    assert again != call["id"]
    assert scorer.answer(call["id"], "waiting") == (409, "called-again")
    assert table.answer(again, "withdrawn") == "withdrawn"
    entries = HistoryEntry.objects.filter(session=world.session, subject=f"call {call['id']}").order_by("pk")
    verbs = ["called", "goes to table", "answered call", "took back answer", "answered call"]
    assert [one.verb for one in entries] == verbs
    history.forget(entries=entries, actor=None)
    assert table.client.get(table.address).json()["results"][0]["text"] == "", "as it is in the history"


def test_nobody_calls_where_nothing_is_played(world: World) -> None:
    states.change(session=world.session, actor=world.organiser, to="played", confirmed=True)
    assert Hall(world, "table").call().json()["error"]["code"] == "session-not-played"
    assert not Call.objects.exists()


def test_what_all_tables_are_told_holds_until_it_is_withdrawn_or_another_follows(world: World) -> None:
    address = f"/api/v1/sessions/{world.session.pk}/announcements/"
    director, table = world.client("organiser"), world.client("table")
    assert director.post(address, {"text": "  "}, format="json").status_code == 400
    for text in ("Pause at nine", "Pause at ten"):
        assert director.post(address, {"text": text}, format="json").status_code == 201
    told = table.get(address).json()["results"]
    assert [(one["text"], one["ended_at"] is None) for one in told] == [
        ("Pause at nine", False),
        ("Pause at ten", True),
    ]
    gone = f"{address}{told[1]['id']}/"
    assert table.delete(gone).status_code == 403
    assert [director.delete(gone).status_code for _ in range(2)] == [204, 204]
    assert not Announcement.objects.filter(ended_at=None).exists()
    assert Remark.objects.filter(text="Pause at ten").count() == 1
    verbs = HistoryEntry.objects.filter(session=world.session, verb__contains="nnounce")
    assert sorted(verbs.values_list("verb", flat=True)) == ["announced", "announced", "withdrew announcement"]
    assert director.post(address, {"text": "Pause at eleven"}, format="json").status_code == 201
    states.change(session=world.session, actor=world.organiser, to="played", confirmed=True)
    assert calls.announced(world.session) is None, "nobody pauses after the end"
