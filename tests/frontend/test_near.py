"""The next evenings near somebody: a town or a club that their browser remembers."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.worlds import a_club, a_session
from tournaments.models import Club, Session
from tournaments.services import public_calendar

pytestmark = pytest.mark.django_db


def an_evening(club: str, name: str, town: str = "") -> Session:
    session = a_session(club=club, published=True)
    Club.objects.filter(name=club).update(town=town)
    soon = timezone.now() + timedelta(days=3)
    Session.objects.filter(pk=session.pk).update(name=name, starts_at=soon)
    return session


def test_a_browser_remembers_a_town_or_a_club() -> None:
    an_evening("Club A", "At A", "Nantes")
    an_evening("Club B", "At B", "Nantes")
    an_evening("Club C", "At C", "Brest")
    visitor = Client(HTTP_HOST="localhost")
    home = reverse("home")

    def shown() -> set[str]:
        text = visitor.get(home).content.decode().partition("section next")[2]
        return {name for name in ("At A", "At B", "At C") if name in text}

    assert shown() == {"At A", "At B", "At C"}
    answer = visitor.get(home, {"near": "town-Nantes"})
    assert answer.status_code == 302
    kept = answer.cookies["near"]
    assert (kept["httponly"], kept["samesite"], kept["max-age"]) == (True, "Lax", 31_536_000)
    assert shown() == {"At A", "At B"}
    assert "near you: Nantes" in visitor.get(home).content.decode()
    assert "Cookie" in visitor.get(home)["Vary"]
    visitor.get(home, {"near": f"club-{a_club('Club C').pk}"})
    assert shown() == {"At C"}
    visitor.get(home, {"near": ""})
    assert shown() == {"At A", "At B", "At C"}


@pytest.mark.parametrize("key", ["town-", "club-0", "club-x", "x" * 5000, "town-<b>", "\0"])
def test_a_place_that_there_is_not_is_everywhere(key: str) -> None:
    an_evening("Club A", "At A", "Nantes")
    visitor = Client(HTTP_HOST="localhost")
    visitor.get(reverse("home"), {"near": "town-Nantes"})
    assert visitor.get(reverse("home"), {"near": key}).status_code == 302
    assert visitor.get(reverse("home")).status_code == 200
    visitor.cookies["near"] = "nowhere"
    assert "At A" in visitor.get(reverse("home")).content.decode()


def test_a_club_of_which_nothing_is_public_is_no_place() -> None:
    a_session(club="Hidden")
    Club.objects.update(town="Secret")
    an_evening("Club A", "At A", "Saint-Rémy")
    assert [one.name for one in public_calendar.places()] == ["Saint-Rémy", "Club A"]
    assert public_calendar.near("town-Secret") is None
