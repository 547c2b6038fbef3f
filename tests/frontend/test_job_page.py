"""The page of a job: complete without a script, in both languages, for whoever has its address."""

from typing import Any
from uuid import uuid4

import pytest

from tests.tournaments.test_evenings import EXAMPLES
from tests.tournaments.test_jobs import WISH
from tests.tournaments.worlds import a_club, a_world
from tournaments.models import Job
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, jobs, roles, sessions
from tournaments.services.roles import RolePlace

pytestmark = pytest.mark.django_db


def a_job(kind: str = "set-up", **request: Any) -> Job:
    world = a_world()
    return jobs.ask(
        Job.Kind(kind),
        tournament=world.session.tournament,
        sender=world.organiser,
        name="Thursday",
        request=request or WISH,
    )


def page(client: Any, job: Job, language: str = "en") -> str:
    response = client.get(f"/{language}/jobs/{job.pk}/")
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    return str(response.content.decode())


def sign_in(client: Any) -> None:
    """As an organiser of the club."""
    account = accounts.create(name="Ada", email="ada@example.org", password="x")
    roles.grant(account=account, kind=RoleKind.ORGANISER, place=RolePlace(a_club()), actor=None)
    client.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")


def test_work_that_goes_on_has_a_bar_with_a_figure_and_comes_again_without_a_script(client: Any) -> None:
    job = a_job()
    assert "Waiting for a free worker" in page(client, job)
    Job.objects.update(state="running", progress=0.426)
    text = page(client, job)
    assert '<job-progress state="running">' in text
    assert 'value="42"' in text
    assert "The session is being planned" in text
    assert '<meta http-equiv="refresh" content="2">' in text
    assert "La séance se prépare" in page(client, job, "fr")


def test_work_that_is_done_says_where_to_go_next(client: Any) -> None:
    job = a_job()
    jobs.do(job_id=job.pk)
    job.refresh_from_db()
    assert job.session is not None
    text = page(client, job)
    assert "ready to be played" in text
    assert f"It is session {job.session.pk}" in text
    assert "refresh" not in text
    assert f"/en/sessions/{job.session.pk}/" not in text, "nobody may see it yet"
    sessions.publish(session=job.session, actor=None, listed=True)
    assert f'href="/en/sessions/{job.session.pk}/"' in page(client, job)


def test_slips_are_listed_in_the_language_of_who_looks(client: Any) -> None:
    text = (EXAMPLES / "comon-15-mistakes.csv").read_text("utf-8")
    job = a_job("import", text=text, game="comon", options={}, method="matchpoints")
    jobs.do(job_id=job.pk)
    assert "slips" not in page(client, job), "a file names people"
    sign_in(client)
    english, french = page(client, job), page(client, job, "fr")
    assert english.count("<tr>") == french.count("<tr>") == 6
    assert "5 slips; nothing has been stored." in english
    assert "add up to 11" in english
    assert "add up to 11" not in french


@pytest.mark.parametrize(("state", "words"), [("cancelled", "has been cancelled"), ("failed", "on our side")])
def test_work_that_came_to_nothing_says_that_nothing_has_changed(client: Any, state: str, words: str) -> None:
    job = a_job()
    error = {language: {"code": "broken", "message": "x"} for language in ("en", "fr")}
    Job.objects.update(state=state, error=error if state == "failed" else None)
    text = page(client, job)
    assert words in text
    assert "nothing has been changed" in text


def test_who_does_not_know_the_address_does_not_find_it(client: Any) -> None:
    a_job()
    assert client.get(f"/en/jobs/{uuid4()}/").status_code == 404
