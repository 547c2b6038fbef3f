"""Hours as each language writes them, by the clock of a session's club."""

from datetime import UTC, datetime, time

import pytest
from django.template import Context, Template
from django.utils import timezone, translation

from frontend import clocks
from tests.tournaments.worlds import a_session
from tournaments.models import Session

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("language", "moment", "shown"),
    [
        ("en", time(20, 52), "20:52"),
        ("en", time(20), "20:00"),
        ("fr", time(20, 52), "20\xa0h\xa052"),
        ("fr", time(20), "20\xa0h"),  # a full hour has no minutes
        ("fr", time(9, 5), "9\xa0h\xa005"),
        ("fr", time(0), "0\xa0h"),
        ("fr", datetime(2026, 11, 17, 10, 0, tzinfo=UTC), "10\xa0h"),
    ],
)
def test_an_hour_is_written_as_its_language_does(language: str, moment: datetime | time, shown: str) -> None:
    with translation.override(language):
        assert clocks.hour(moment) == shown


def test_a_page_has_the_hours_of_its_club() -> None:
    session = a_session()
    begins = datetime(2026, 11, 17, 19, 30, tzinfo=UTC)
    Session.objects.filter(pk=session.pk).update(starts_at=begins)
    session.refresh_from_db()
    page = Template(
        '{% load clocks %}{{ one|begins }}|{{ one|by_clock:"TIME_FORMAT" }}|'
        "{{ one.starts_at|hour }}|{{ None|hour }}"
    )
    with translation.override("fr"), timezone.override(session.tournament.club.zone):
        shown = page.render(Context({"one": session}))
    assert shown == "mardi 17 novembre 2026, 20\xa0h\xa030|20\xa0h\xa030|20\xa0h\xa030|"
