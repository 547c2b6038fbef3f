"""Clubs have addresses of their own, and are never taken for one another."""

import pytest
from django.core.management import CommandError, call_command

from tournaments.models import Club, Role
from tournaments.services import clubs
from tournaments.services.errors import Missing

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("東京", "Москва"),
        ("Club A", "club-a!"),
        ("!!!", "???"),
        ("Étui", "Etui"),
        ("x" * 200, "x" * 199),
        ("35", "35"),
    ],
)
def test_two_names_are_two_clubs_with_a_slug_each(first: str, second: str) -> None:
    one, other = clubs.create(first), clubs.create(second)
    assert one.pk != other.pk
    assert one.slug
    assert other.slug
    assert one.slug != other.slug
    assert max(len(one.slug), len(other.slug)) <= 80
    assert not one.slug.isdecimal()
    assert clubs.club_at(one.slug) == clubs.club_at(str(one.pk)) == one
    assert clubs.club_at(other.slug) == other


def test_a_club_is_found_by_exact_slug_or_number_and_not_by_a_name() -> None:
    club = clubs.create("Club A")
    for address in ("Club A", "CLUB-A", "club-a!", "0", str(club.pk + 1), "", "１"):
        with pytest.raises(Missing, match="club-a"):
            clubs.club_at(address)


def test_tokens_of_two_clubs_are_two_tenants(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("東京", "Москва"):
        call_command("club", name)
    slugs = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    for slug in slugs:
        call_command("token", "organiser", "Ana", "--club", slug)
    assert len(set(slugs)) == 2
    assert set(Role.objects.values_list("club__name", flat=True)) == {"東京", "Москва"}
    with pytest.raises(CommandError, match="No club"):
        call_command("token", "organiser", "Ana", "--club", "東")
    call_command("club")
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"{club.slug}\t{club.pk}\t{club.name}" for club in Club.objects.order_by("slug")
    ]


def test_without_a_name_there_is_one_club_or_a_question() -> None:
    club = clubs.at_or_only(None)
    assert clubs.at_or_only(None) == clubs.at_or_only(club.slug) == club
    clubs.create("Another")
    with pytest.raises(Missing, match="another"):
        clubs.at_or_only(None)
