"""An evening tried with robots from its page, without scripts."""

import pytest
from django.urls import reverse

from tests.tournaments.worlds import a_session
from tournaments.models import Job, Session
from tournaments.services import drafts, jobs

from .test_desk import at_desk
from .test_running import a_director

pytestmark = pytest.mark.django_db


def test_a_planned_evening_is_tried_with_robots_and_leaves_nothing() -> None:
    session = a_session()
    visitor = a_director(session)
    assert "Try it with robots" in visitor.text
    visitor.open(reverse("desk-rehearsal", args=[session.pk]))
    visitor.press("Try it with robots", seconds="0", keep="")
    assert "Robots are playing a copy of the session." in visitor.text
    second = visitor.client.post(visitor.path, {"way": "try", "seconds": "0"})
    assert (second.status_code, Job.objects.count()) == (409, 1)
    jobs.do(job_id=Job.objects.get().pk)
    visitor.open(visitor.path)
    assert Job.objects.get().state == "done", Job.objects.get().error
    assert "Every list was right in the end." in visitor.text
    assert "rulings" in visitor.text
    assert Session.objects.count() == 1
    visitor.press("Try it with robots", seconds="300").press("End the rehearsal")
    assert Job.objects.latest("created_at").state == "cancelled"
    assert "It was ended before its time." in visitor.text


def test_a_rehearsal_that_is_kept_is_no_session_to_copy_or_to_publish() -> None:
    session = a_session()
    Session.objects.filter(pk=session.pk).update(name="Last Tuesday")
    kept = a_session(trial=True)
    Session.objects.filter(pk=kept.pk).update(name="Rehearsal", state=Session.State.PLAYED)
    visitor = at_desk()
    assert "Like “Last Tuesday”" in visitor.text
    assert "Like “Rehearsal”" not in visitor.text
    assert "Publish the ranking" not in visitor.text
    assert f'href="{reverse("desk-lists", args=[kept.pk])}"' in visitor.text
    last = drafts.last_session(session.tournament.club)
    assert last is not None
    assert last.pk == session.pk
