"""Long work as jobs: computed outside any transaction, written once, whatever happens to its worker."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone

from tournaments.models import Job, Session
from tournaments.services import evenings, jobs, layouts, queue, rankings, replanning, sessions
from tournaments.services import sweep as sweeping
from tournaments.tasks import work as task

from .test_evenings import EXAMPLES, FIRST_ROUND
from .worlds import World, a_world, ended

pytestmark = pytest.mark.django_db

WISH = {
    "name": "Next",
    "game": "comon",
    "options": {},
    "method": "matchpoints",
    "movement": "kirkman",
    "contestants": [f"P{n}" for n in range(9)],
    "boards_per_round": 1,
}
Progress = Callable[[float], None]


def a_job(world: World, kind: str = "set-up", **request: Any) -> Job:
    return jobs.ask(
        Job.Kind(kind),
        tournament=world.session.tournament,
        session=world.session if kind == "replan" else None,
        sender=world.organiser,
        name="Next",
        request=request or WISH,
    )


def working(monkeypatch: Any, kind: str, work: Callable[[Job, Progress], jobs.Store]) -> None:
    monkeypatch.setitem(jobs.WORK, Job.Kind(kind), work)


def later(job: Job, seconds: float) -> None:
    """The job's time, as if so many seconds had gone by."""
    job.refresh_from_db()
    assert job.held_until is not None
    Job.objects.filter(pk=job.pk).update(held_until=job.held_until - timedelta(seconds=seconds))


# ── From the request to the session ───────────────────────────────────────────────────────────────


def test_who_sets_up_a_session_gets_a_job_and_the_job_names_the_session(world: World) -> None:
    client, before = world.client("organiser"), Session.objects.count()
    answer = client.post(f"/api/v1/tournaments/{world.session.tournament_id}/sessions/", WISH)
    assert answer.status_code == 202, answer.json()
    job = answer.json()
    assert answer["Location"] == f"/api/v1/jobs/{job['id']}/"
    assert (job["kind"], job["name"], job["state"], job["progress"]) == ("set-up", "Next", "waiting", 0)
    assert (job["session"], job["error"], Session.objects.count()) == (None, None, before)
    task(job["id"])
    job = client.get(answer["Location"]).json()
    assert (job["state"], job["progress"]) == ("done", 1)
    assert job["created_at"] <= job["started_at"] <= job["ended_at"]
    session = Session.objects.get(pk=job["session"])
    assert (session.name, session.contestants.count()) == ("Next", 9)
    assert Job.objects.get().request == {}, "what was asked for is not kept longer than it is needed"
    task(job["id"])
    assert Session.objects.count() == before + 1, "twice does what once does"


def test_what_is_wrong_with_a_wish_is_said_at_once_where_it_shows_and_later_where_planning_finds_it(
    world: World,
) -> None:
    client = world.client("organiser")
    address = f"/api/v1/tournaments/{world.session.tournament_id}/sessions/"
    for change, code in (
        ({"contestants": ["A", "A", "B"]}, "contestants"),
        ({"options": {"colour": 1}}, "bad-session"),
        ({"seats": 5}, "bad-session"),
        ({"method_options": {"colour": 1}}, "bad-method"),
    ):
        answer = client.post(address, WISH | change)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
    assert not Job.objects.exists()
    answer = client.post(address, WISH | {"movement": "howell"})
    assert answer.status_code == 202
    refusal = ended(client, answer).json()["error"]
    assert (refusal["code"], "howell is for tables of 2" in refusal["message"]) == ("bad-session", True)
    french = world.client("organiser", "fr").get(f"/api/v1/jobs/{answer.json()['id']}/").json()
    assert french["state"] == "failed"
    assert french["error"]["message"] != refusal["message"]
    assert set(Job.objects.get().error) == {"en", "fr"}


def test_the_slips_of_a_file_are_told_in_both_languages(world: World) -> None:
    client = world.client("organiser")
    name = "comon-15-mistakes.csv"
    file = SimpleUploadedFile(name, (EXAMPLES / name).read_bytes())
    body = {"file": file, "name": "Paper", "game": "comon"}
    address = f"/api/v1/tournaments/{world.session.tournament_id}/evenings/"
    answer = client.post(address, body, format="multipart")
    error = ended(client, answer).json()["error"]
    assert [slip["line"] for slip in error["details"]] == [9, 22, 35, 52, 73]
    french = Job.objects.get().error["fr"]
    assert [slip["line"] for slip in french["details"]] == [9, 22, 35, 52, 73]
    assert french["details"][0]["reason"] != error["details"][0]["reason"]


def test_a_file_that_was_imported_is_refused_at_once_but_may_be_checked(world: World) -> None:
    client = world.client("organiser")

    def upload(**more: str) -> Any:
        file = SimpleUploadedFile("evening.csv", FIRST_ROUND.encode())
        body = {"file": file, "name": "Paper", "game": "comon"} | more
        address = f"/api/v1/tournaments/{world.session.tournament_id}/evenings/"
        return client.post(address, body, format="multipart")

    assert ended(client, upload(dry_run="true")).status_code == 204
    assert Session.objects.filter(name="Paper").count() == 0
    both = [upload(), upload()]
    assert ended(client, both[0]).json()["name"] == "Paper"
    assert ended(client, both[1]).json()["error"]["code"] == "imported-before"
    assert upload().status_code == 409
    assert ended(client, upload(dry_run="true")).status_code == 204


@pytest.mark.parametrize("kind", ["set-up", "replan", "import"])
def test_nothing_is_computed_in_a_transaction(
    world: World, kind: str, monkeypatch: Any, settings: Any
) -> None:
    """Only what the test itself has opened is open while a job is computed."""
    settings.BALANCING_SECONDS = 0.01
    depth, depths = len(connection.savepoint_ids), []
    request: dict[str, dict[str, Any]] = {
        "set-up": WISH,
        "replan": {"after": 1, "leaving": [1]},
        "import": {"text": FIRST_ROUND, "game": "comon", "options": {}, "method": "matchpoints"},
    }

    def watched(work: Callable[..., Any]) -> Callable[..., Any]:
        def does(*args: Any, **named: Any) -> Any:
            depths.append(len(connection.savepoint_ids))
            return work(*args, **named)

        return does

    monkeypatch.setattr(sessions.movements, "family_movement", watched(sessions.movements.family_movement))
    monkeypatch.setattr(sessions.movements, "with_new_rest", watched(sessions.movements.with_new_rest))
    monkeypatch.setattr(evenings.paper, "read", watched(evenings.paper.read))
    if kind != "replan":  # whose groups follow from rows that it reads under the lock
        monkeypatch.setattr(layouts, "line_groups", watched(layouts.line_groups))
    job = a_job(world, kind, **request[kind])
    jobs.do(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.error
    assert depths == [depth] * (1 if kind == "replan" else 2)


# ── Workers who die, and others ───────────────────────────────────────────────────────────────────


def test_a_job_whose_worker_was_killed_is_begun_again_once_its_time_is_over(
    world: World, monkeypatch: Any
) -> None:
    job = a_job(world)

    class Killed(BaseException):
        pass

    def die(job: Job, progress: Progress) -> jobs.Store:
        raise Killed

    with monkeypatch.context() as patch:
        working(patch, "set-up", die)
        with pytest.raises(Killed):
            jobs.do(job_id=job.pk)
    messages: list[tuple[Any, ...]] = []
    monkeypatch.setattr(queue, "send", lambda task, *ids, **_: messages.append((task, *ids)))
    jobs.do(job_id=job.pk)  # its message comes again, too early
    job.refresh_from_db()
    assert (job.state, job.attempt) == ("running", 1)
    sweeping.sweep()
    assert ("work", str(job.pk)) not in messages
    later(job, jobs.HELD_SECONDS)
    sweeping.sweep()
    assert ("work", str(job.pk)) in messages
    jobs.do(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempt) == ("done", 2)


def test_of_two_workers_only_the_one_who_holds_the_job_writes(world: World, monkeypatch: Any) -> None:
    """The first is so slow that its time is over, and another has begun again."""
    job, before = a_job(world), Session.objects.count()
    usual = jobs.WORK[Job.Kind.SET_UP]

    def slow(job: Job, progress: Progress) -> jobs.Store:
        store = usual(job, progress)
        if job.attempt == 1:
            later(job, jobs.HELD_SECONDS)
            jobs.do(job_id=job.pk)
        return store

    working(monkeypatch, "set-up", slow)
    jobs.do(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempt, Session.objects.count()) == ("done", 2, before + 1)


def test_who_begins_a_job_again_has_longer_for_it(monkeypatch: Any) -> None:
    """Else work that takes longer than a worker has without a sign of life would never be done."""
    job = a_job(a_world())
    held = []

    def look(job: Job, progress: Progress) -> jobs.Store:
        moment = Job.objects.get().held_until
        assert moment is not None
        held.append((moment - timezone.now()).total_seconds())
        if len(held) == 1:
            later(job, jobs.HELD_SECONDS)
            jobs.do(job_id=job.pk)
        return lambda: None

    working(monkeypatch, "set-up", look)
    jobs.do(job_id=job.pk)
    assert held[0] <= jobs.HELD_SECONDS < held[1] <= 2 * jobs.HELD_SECONDS


def test_planning_again_tells_how_far_it_is(settings: Any) -> None:
    settings.BALANCING_SECONDS = 0.05
    world, told = a_world(players=15), []
    replanning.plan(session=world.session, after=1, leaving=[1], progress=told.append)
    assert told == sorted(told)
    assert 0 <= told[0] < told[-1] <= 1


def test_a_job_that_ends_every_worker_is_given_up(monkeypatch: Any, caplog: Any) -> None:
    job = a_job(a_world())
    Job.objects.update(attempt=jobs.ATTEMPTS)
    jobs.do(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.error["fr"]["code"]) == ("failed", "broken")
    assert "workers have ended" in caplog.text


def test_an_unexpected_error_ends_the_job_and_is_logged(monkeypatch: Any, caplog: Any) -> None:
    job = a_job(a_world())

    def broken(job: Job, progress: Progress) -> jobs.Store:
        raise ZeroDivisionError

    working(monkeypatch, "set-up", broken)
    jobs.do(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.error["en"]["message"]) == ("failed", "Internal error; it has been logged.")
    assert "ZeroDivisionError" in caplog.text


def test_a_job_that_is_cancelled_stops_at_its_next_sign_of_life_and_writes_nothing(
    world: World, monkeypatch: Any
) -> None:
    client, before = world.client("organiser"), Session.objects.count()
    job = a_job(world)

    def cancelled_meanwhile(job: Job, progress: Progress) -> jobs.Store:
        answer = client.put(f"/api/v1/jobs/{job.pk}/state/", {"state": "cancelled"})
        assert answer.json()["state"] == "cancelled"
        progress(0.5)
        raise AssertionError("it goes on")

    working(monkeypatch, "set-up", cancelled_meanwhile)
    jobs.do(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.error, Session.objects.count()) == ("cancelled", None, before)
    jobs.do(job_id=job.pk)
    assert Session.objects.count() == before


def test_what_is_over_is_not_cancelled(world: World) -> None:
    job = a_job(world)
    jobs.do(job_id=job.pk)
    answer = world.client("organiser").put(f"/api/v1/jobs/{job.pk}/state/", {"state": "cancelled"})
    assert (answer.status_code, answer.json()["state"]) == (200, "done")


def test_progress_is_written_a_few_times_a_second_at_most(
    monkeypatch: Any, django_assert_num_queries: Any
) -> None:
    world, now = a_world(), [0.0]
    monkeypatch.setattr(jobs, "monotonic", lambda: now[0])

    def steps(job: Job, progress: Progress) -> jobs.Store:
        progress(0.0)
        with django_assert_num_queries(0):
            for step in range(100):
                progress(step / 100)
        now[0] += jobs.TELL_SECONDS
        before = Job.objects.get().held_until
        with django_assert_num_queries(1):
            progress(0.75)
            progress(0.76)
        held = Job.objects.get()
        assert before is not None
        assert held.held_until is not None
        assert (held.progress, held.held_until > before) == (0.75, True)
        return lambda: None

    working(monkeypatch, "check", steps)
    job = a_job(world, "check")
    jobs.do(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("done", None)


# ── What it was computed from changes ─────────────────────────────────────────────────────────────


def test_a_plan_is_computed_again_where_the_session_has_been_planned_meanwhile(monkeypatch: Any) -> None:
    world = a_world(players=15)
    usual = jobs.WORK[Job.Kind.REPLAN]

    def overtaken(job: Job, progress: Progress) -> jobs.Store:
        store = usual(job, progress)
        if world.session.contestants.filter(left_after=None).count() == 15:
            replanning.replan(session=world.session, actor=None, after=1, leaving=[2])
        return store

    working(monkeypatch, "replan", overtaken)
    job = a_job(world, "replan", after=1, leaving=[1])
    jobs.do(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.error
    left = world.session.contestants.exclude(left_after=None).values_list("number", flat=True)
    assert sorted(left) == [1, 2]
    seated = world.session.contestants.filter(seatings__play__round__gt=1)
    assert set(seated.values_list("number", flat=True)) == set(range(3, 16))


def test_a_plan_that_is_overtaken_each_time_is_refused_in_the_end(monkeypatch: Any) -> None:
    world = a_world(players=15)
    usual = jobs.WORK[Job.Kind.REPLAN]

    def overtaken(job: Job, progress: Progress) -> jobs.Store:
        store = usual(job, progress)
        rankings.change_layout(world.session, recount=False)
        return store

    working(monkeypatch, "replan", overtaken)
    job = a_job(world, "replan", after=1, leaving=[1])
    jobs.do(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.error["en"]["code"]) == ("failed", "busy")
    assert not world.session.contestants.exclude(left_after=None).exists()


def test_jobs_wait_in_the_order_of_the_sweep_until_they_are_done(world: World, monkeypatch: Any) -> None:
    messages: list[tuple[Any, ...]] = []
    job = a_job(world)
    monkeypatch.setattr(queue, "send", lambda task, *ids, **_: messages.append((task, *ids)))
    sweeping.sweep()
    assert ("work", str(job.pk)) in messages, "its message may be lost"
    jobs.do(job_id=job.pk)
    messages.clear()
    sweeping.sweep()
    assert not [message for message in messages if message[0] == "work"]
    assert timezone.now() >= Job.objects.get().ended_at  # type: ignore[operator]
