"""A creation that is sent again under its key is done once."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tournaments import vault
from tournaments.api import idempotency
from tournaments.models import HistoryEntry, Job, KeptAnswer, Submission, Tournament
from tournaments.services import kept_answers, sessions
from tournaments.services.errors import Conflict

from .test_roles import FILES, first_play, right_request
from .test_strict import description, operations
from .worlds import World, a_world, an_entry, body_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return a_world(custody="none")


def send(
    world: World, body: Any, key: str | None = "one", *, role: str = "organiser", to: str = "tournaments/"
) -> Any:
    headers = {} if key is None else {"idempotency-key": key}
    return world.client(role).post(f"/api/v1/{to}", body, headers=headers)


def code_of(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def test_the_same_request_again_gets_the_same_answer_and_does_nothing(world: World) -> None:
    first = send(world, {"name": "Cup"})
    assert first.status_code == 201
    entries = HistoryEntry.objects.count()
    again = send(world, {"name": "Cup"}, '"one"')  # in quotation marks it is the same
    assert (again.status_code, again.json()) == (201, first.json())
    assert (first.get("Idempotent-Replayed"), again["Idempotent-Replayed"]) == (None, "true")
    assert Tournament.objects.filter(name="Cup").count() == 1
    assert HistoryEntry.objects.count() == entries
    assert send(world, {"name": "Cup"}, "two").json()["id"] != first.json()["id"]
    assert send(world, {"name": "Cup"}, None).json()["id"] != first.json()["id"]


def test_another_request_under_the_key_is_refused_by_name(world: World) -> None:
    send(world, {"name": "Cup"})
    assert code_of(send(world, {"name": "Other"})) == (422, "key-was-used")
    session = f"sessions/{world.session.pk}"
    assert code_of(send(world, {"name": "Cup"}, to=f"{session}/table-tokens/")) == (422, "key-was-used")
    assert not Tournament.objects.filter(name="Other").exists()


def test_a_key_belongs_to_who_sends_it_whichever_token_they_use(world: World) -> None:
    send(world, {"name": "Cup"})
    foreign = send(world, {"name": "Cup"}, role="foreign organiser")
    assert foreign.status_code == 201
    assert "Idempotent-Replayed" not in foreign
    assert Tournament.objects.filter(name="Cup").count() == 2


def test_a_refusal_is_not_kept_so_the_corrected_request_may_have_the_key(world: World) -> None:
    assert send(world, {"name": ""}).status_code == 400
    assert KeptAnswer.objects.count() == 0
    assert send(world, {"name": "Cup"}).status_code == 201
    assert code_of(send(world, {"name": "Cup"}, role="table"))[0] == 403
    assert (
        code_of(world.client("anyone").post("/api/v1/tournaments/", {}, headers={"idempotency-key": "x"}))[0]
        == 401
    )


def test_what_was_refused_half_way_is_undone_with_its_key(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = sessions.create_tournament

    def fail(**what: Any) -> Any:
        create(**what)
        raise Conflict("so", "So it is.")

    monkeypatch.setattr(sessions, "create_tournament", fail)
    assert code_of(send(world, {"name": "Cup"})) == (409, "so")
    assert not Tournament.objects.filter(name="Cup").exists()
    monkeypatch.undo()
    assert send(world, {"name": "Cup"}).status_code == 201


@pytest.mark.parametrize("key", ["", " ", '""', '"a', 'a"', "a b", "é", "a\tb", "x" * 256])
def test_what_is_no_key_is_refused_by_name(world: World, key: str) -> None:
    if not key.isascii():
        response = world.client("organiser").generic(
            "POST", "/api/v1/tournaments/", "{}", content_type="application/json", HTTP_IDEMPOTENCY_KEY=key
        )
    else:
        response = send(world, {"name": "Cup"}, key)
    assert code_of(response) == (400, "bad-key")


def test_no_creation_takes_what_is_no_key(world: World) -> None:
    creations = [name for name in operations() if name.startswith("POST") and not name.endswith("preview")]
    for operation in creations:
        where, body = right_request(world, operation.removeprefix("POST "))
        form = "multipart" if operation.removeprefix("POST ") in FILES else "json"
        headers = {"idempotency-key": "a key"}
        answer = world.client("organiser").post(f"/api/v1/{where}", body, format=form, headers=headers)
        assert code_of(answer) == (400, "bad-key"), operation


def test_while_a_request_is_being_answered_the_other_waits_and_takes_over_after_a_minute(
    world: World,
) -> None:
    """As if its process had been killed: nothing was done, and the key is there."""
    send(world, {"name": "Cup"})
    kept = KeptAnswer.objects.get()
    KeptAnswer.objects.update(status=None, content=None, begun_at=timezone.now())
    assert code_of(send(world, {"name": "Cup"})) == (409, "still-running")
    before = timezone.now() - kept_answers.LONGEST - timedelta(seconds=1)
    KeptAnswer.objects.update(begun_at=before)
    assert send(world, {"name": "Cup"}).status_code == 201
    kept.begun_at, answer = before, kept_answers.Answered(201, b"{}", {})
    with pytest.raises(Conflict):  # whoever had the key before comes too late
        kept_answers.keep(kept, answer)
    kept_answers.give_back(kept)  # and takes nothing away
    assert send(world, {"name": "Cup"})["Idempotent-Replayed"] == "true"


def test_after_a_day_a_key_is_forgotten(world: World) -> None:
    first = send(world, {"name": "Cup"}).json()
    KeptAnswer.objects.update(begun_at=timezone.now() - timedelta(days=1, minutes=1))
    assert send(world, {"name": "Cup"}).json()["id"] != first["id"]
    KeptAnswer.objects.update(begun_at=timezone.now() - timedelta(days=1, minutes=1))
    assert kept_answers.forget(timezone.now() - timedelta(days=1)) == 1


def test_answers_are_sealed_and_so_are_the_tokens_in_them(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sessions/{world.session.pk}/table-tokens/"
    first = send(world, {}, to=address).json()
    text = str(first)[str(first).index("etui_") :][:40]
    kept = KeptAnswer.objects.get()
    assert text.encode() not in bytes(kept.content or b"")
    assert send(world, {}, to=address).json() == first

    def closed(_sealed: bytes) -> bytes:
        raise vault.CannotOpen

    monkeypatch.setattr(vault, "open_sealed", closed)
    assert code_of(send(world, {}, to=address)) == (409, "answer-lost")


def test_a_job_is_asked_for_once_and_a_file_sent_again_is_the_same_file(world: World) -> None:
    where, body = right_request(world, "tournament-sessions")
    answers = [send(world, body, to=where) for _ in range(2)]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert Job.objects.filter(name="Next").count() == 1
    for _ in range(2):  # what stands between the parts of a form differs each time
        where, body = right_request(world, "tournament-evenings")
        response = world.client("organiser").post(
            f"/api/v1/{where}", body, format="multipart", headers={"idempotency-key": "paper"}
        )
        assert response.status_code == 202, response.content
    assert Job.objects.filter(name="Paper").count() == 1


def test_a_field_of_a_form_that_comes_twice_is_compared_twice(world: World) -> None:
    """Another first value is another request, though the last one counts."""

    def asked(*names: str) -> tuple[int, str | None]:
        where, body = right_request(world, "tournament-evenings")
        content = {**(body or {}), "name": list(names)}
        headers = {"idempotency-key": "twice"}
        client = world.client("organiser")
        response = client.post(f"/api/v1/{where}", content, format="multipart", headers=headers)
        return response.status_code, response.json().get("code")

    assert [asked("One", "Paper"), asked("One", "Paper")] == [(202, None)] * 2
    assert asked("Two", "Paper") == (422, "key-was-used")
    assert asked("Paper") == (422, "key-was-used")


def test_a_results_own_key_and_the_header_are_one(world: World) -> None:
    where = f"sessions/{world.session.pk}/submissions/"
    body = body_of(an_entry(first_play(world)))
    key = body.pop("key")
    first = send(world, body, str(key), to=where, role="table")
    assert first.status_code == 202, first.content
    again = send(world, body | {"key": key}, None, to=where, role="table")
    assert again.json()["id"] == first.json()["id"]
    assert Submission.objects.count() == 1
    assert code_of(send(world, body | {"key": str(uuid4())}, str(key), to=where, role="table")) == (
        422,
        "key-was-used",
    )
    bulk = send(world, {"submissions": [body | {"key": key}]}, "all", to=f"{where}bulk/", role="table")
    assert bulk.status_code == 202
    assert KeptAnswer.objects.count() == 0


def test_without_a_key_it_costs_nothing(world: World) -> None:
    with CaptureQueriesContext(connection) as queries:
        send(world, {"name": "Cup"}, None)
    assert [one["sql"] for one in queries if "keptanswer" in one["sql"].lower()] == []


def test_every_creation_takes_a_key_and_says_so(world: World) -> None:
    """Each POST is done once, but for previews, which store nothing, and results, which have keys."""
    described = {
        operation["operationId"]
        for path in description()["paths"].values()
        for method, operation in path.items()
        for parameter in operation.get("parameters", ())
        if parameter["name"] == idempotency.HEADER and {"409", "422"} <= operation["responses"].keys()
    }
    posts = [name for name in operations() if name.startswith("POST")]
    previews = [name for name in posts if name.endswith("preview")]
    assert len(described) == len(posts) - len(previews)
    for operation in posts:
        if operation in previews or "submissions" in operation:
            continue
        KeptAnswer.objects.all().delete()
        where, body = right_request(world, operation.removeprefix("POST "))
        form = "multipart" if operation.removeprefix("POST ") in FILES else "json"
        headers = {"idempotency-key": operation.replace(" ", "-")}
        answer = world.client("organiser").post(f"/api/v1/{where}", body, format=form, headers=headers)
        assert KeptAnswer.objects.count() == (answer.status_code < 400), (operation, answer.content)
