"""The page of operators: for them alone, the figures of `/metrics` in words, and what failed done again."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.tournaments.test_watching import told, values
from tests.tournaments.worlds import a_world, hand_in, plays_of, work
from tournaments.models import HistoryEntry, Job, Submission, Worker
from tournaments.services import jobs, operating, readiness

from .test_operators import PASSWORD, an_operator, client_of

pytestmark = pytest.mark.django_db
PAGE = "/en/operating/"
BROKEN = {language: {"code": jobs.BROKEN, "message": "Internal error."} for language in ("en", "fr")}


def a_failed_job(tournament: Any, kind: Job.Kind = Job.Kind.CHECK, **kept: Any) -> Job:
    made = {"name": "Friday", "state": Job.State.FAILED, "attempt": 5, "error": BROKEN, **kept}
    return Job.objects.create(kind=kind, tournament=tournament, ended_at=timezone.now(), **made)


def test_operators_alone_see_it_and_have_anything_done_again() -> None:
    from tournaments.services import accounts

    world = a_world()
    job = a_failed_job(world.session.tournament, request={"text": "a,b"})
    bea = client_of(accounts.create(name="Bea", email="bea@example.org", password=PASSWORD))
    _ana, client = an_operator()
    for form in ({"way": "work", "job": str(job.pk)}, {"way": "judge", "session": str(world.session.pk)}):
        assert bea.get(PAGE).status_code == bea.post(PAGE, form).status_code == 403
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert client.get(PAGE).status_code == 200


def test_it_says_what_the_figures_say(settings: Any) -> None:
    settings.PRODUCTION = False
    world = a_world()
    hand_in(world, plays_of(world.session)[0])
    readiness.sign_of_life(worker="one@here")
    readiness.note_sweep(worker="one@here", found={"judge": 1})
    it, now = operating.now(), values(told())
    assert it.figures["submissions_waiting"][""] == now["etui_submissions_waiting{}"] == 1
    assert it.figures["jobs"] == {state: now[f'etui_jobs{{"state": "{state}"}}'] for state in Job.State}
    assert {name: part.is_ready for name, part in it.parts.items()} == {
        name: bool(now[f'etui_part_ready{{"part": "{name}"}}']) for name in it.parts
    }
    assert now["etui_sweep_seconds{}"] < 60
    _ana, client = an_operator()
    text = client.get(PAGE).content.decode()
    assert "one@here" in text
    assert "results to judge (1)" in text


def test_failed_results_are_judged_again_and_it_is_in_the_history() -> None:
    world = a_world()
    hand_in(world, plays_of(world.session)[0])
    work(world.session)
    Submission.objects.update(state=Submission.State.FAILED)
    ana, client = an_operator()
    page = client.get(PAGE).content.decode()
    assert "1 result that nobody has judged" in page
    client.post(PAGE, {"way": "judge", "session": str(world.session.pk)})
    assert Submission.objects.get().state == Submission.State.PENDING
    entry = HistoryEntry.objects.get(verb="asked to judge again")
    assert (entry.account_id, entry.session_id) == (ana.pk, world.session.pk)
    work(world.session)
    assert "Nothing has failed" in client.get(PAGE).content.decode()
    for form in ({"way": "judge", "session": "9999999"}, {"way": "judge", "session": "x"}, {"job": "x"}, {}):
        assert client.post(PAGE, form).status_code == 404


def test_long_work_that_an_error_has_ended_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the beginning, as often as any; whoever held it before does not hold it again."""
    world = a_world()
    tournament = world.session.tournament
    asked = jobs.ask(Job.Kind.CHECK, tournament=tournament, sender=None, name="Friday", request={"text": "a"})

    def breaks(_job: Job, _progress: Any) -> Any:
        raise RuntimeError

    monkeypatch.setitem(jobs.WORK, Job.Kind.CHECK, breaks)
    jobs.do(job_id=asked.pk)
    asked.refresh_from_db()
    assert (asked.state, asked.request) == (Job.State.FAILED, {"text": "a"})
    ana, client = an_operator()
    assert "1 piece of long work" in client.get(PAGE).content.decode()
    client.post(PAGE, {"way": "work", "job": str(asked.pk)})
    seen: list[Any] = []
    monkeypatch.setitem(
        jobs.WORK, Job.Kind.CHECK, lambda job, _progress: seen.append(job.request) or (lambda: None)
    )
    jobs.do(job_id=asked.pk)
    before, asked = asked.attempt, Job.objects.get(pk=asked.pk)
    assert (asked.state, asked.request, seen) == (Job.State.DONE, {}, [{"text": "a"}])
    assert asked.attempt > before
    entry = HistoryEntry.objects.get(verb="asked to work again")
    assert entry.account_id == ana.pk
    client.post(PAGE, {"way": "work", "job": str(asked.pk)})
    asked.refresh_from_db()
    assert asked.state == Job.State.DONE


@pytest.mark.parametrize(
    ("made", "again"),
    [
        ({"request": {"text": "a"}}, True),
        ({"kind": Job.Kind.ARCHIVE}, True),
        ({}, False),  # of an earlier release, which kept nothing
        ({"request": {"text": "a"}, "error": {"en": {"code": "slips"}, "fr": {"code": "slips"}}}, False),
        ({"request": {"text": "a"}, "state": Job.State.CANCELLED, "error": None}, False),
    ],
)
def test_what_may_be_done_again(made: dict[str, Any], again: bool) -> None:
    job = a_failed_job(a_world().session.tournament, **made)
    assert jobs.may_be_retried(job) is again
    _ana, client = an_operator()
    client.post(PAGE, {"way": "work", "job": str(job.pk)})
    was, job = job, Job.objects.get(pk=job.pk)
    assert job.state == (Job.State.WAITING if again else was.state)


def test_a_job_that_was_retried_has_all_its_attempts_again() -> None:
    job = a_failed_job(a_world().session.tournament, request={"text": "a"}, attempt=jobs.ATTEMPTS + 1)
    jobs.retry(job=job, actor=None)
    tried = []
    for _ in range(jobs.ATTEMPTS + 1):
        Job.objects.filter(pk=job.pk).update(held_until=timezone.now())
        taken = jobs._take(job.pk)
        assert taken is not None
        tried.append(jobs._tried(taken))
    assert tried == [1, 2, 3, 4, 5]


def test_its_queries_grow_with_nothing() -> None:
    world = a_world()
    _ana, client = an_operator()
    hand_in(world, plays_of(world.session)[0])
    work(world.session)

    def asked() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(PAGE).status_code == 200
        return len(queries)

    Submission.objects.update(state=Submission.State.FAILED)
    a_failed_job(world.session.tournament)
    readiness.sign_of_life(worker="one")
    asked()
    few = asked()
    for number in range(30):
        a_failed_job(world.session.tournament, request={"text": "a"})
        Job.objects.create(kind=Job.Kind.CHECK, tournament=world.session.tournament, name="Friday")
        Worker.objects.create(name=f"worker{number}", seen_at=timezone.now())
    other = a_world()
    hand_in(other, plays_of(other.session)[0])
    work(other.session)
    Submission.objects.update(state=Submission.State.FAILED)
    assert asked() == few < 40
