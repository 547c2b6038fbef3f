"""Links for all players who have none: on one page, once, and nowhere else."""

import re

import pytest
from django.urls import reverse

from tests.tournaments.worlds import a_club, a_session
from tournaments.models import HistoryEntry, Player, PlayerLink
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, player_links
from tournaments.services.errors import Conflict, Forbidden

from .test_desk import an_account, at_desk

pytestmark = pytest.mark.django_db


def address(query: str = "") -> str:
    return reverse("all-player-links", args=[a_club().slug]) + query


def links_in(text: str) -> list[str]:
    return re.findall(r'<p class="address">(.*?)</p>', text)


def test_everybody_who_has_none_gets_a_link_that_is_shown_once_and_works(
    caplog: pytest.LogCaptureFixture,
) -> None:
    session = a_session()
    visitor = at_desk()
    first, second, third = Player.objects.filter(club=a_club()).order_by("pk")[:3]
    attached = player_links.offer(player=first, actor=None)[0]
    player_links.attach(link=attached, account=accounts.create(name="Joueur 01"))
    player_links.use(link=player_links.offer(player=second, actor=None)[0], account=None)
    _old, secret = player_links.offer(player=third, actor=None)
    visitor.open(address())
    assert "7 players have no link" in visitor.text
    assert links_in(visitor.text) == []
    assert PlayerLink.objects.filter(used_at=None, withdrawn_at=None).count() == 1, "a look makes none"
    visitor.press("Make the links")
    made = links_in(visitor.text)
    assert (len(made), len(set(made))) == (7, 7)
    assert visitor.answer["Cache-Control"].endswith("no-store")
    assert visitor.text.count('role="img"') == 7
    assert first.name not in visitor.text
    assert player_links.state_of(player_links.with_secret(secret)) == PlayerLink.State.WITHDRAWN  # type: ignore[arg-type]
    secrets = [one.rstrip("/").rpartition("/")[2] for one in made]
    told = " ".join(str((one.detail, one.subject, one.changes)) for one in HistoryEntry.objects.all())
    for one in secrets:
        assert one not in caplog.text
        assert one not in told
        assert one not in visitor.client.get(reverse("player-links", args=[a_club().slug])).content.decode()
    link = player_links.with_secret(secrets[0])
    assert link is not None
    assert player_links.state_of(link) == PlayerLink.State.OPEN
    assert secrets[0] not in visitor.open(address()).text
    visitor.press("Make the links")
    link.refresh_from_db()
    assert link.withdrawn_at is not None, "whoever asks again gets others"
    assert session.pk


def test_of_a_session_its_players_alone_and_nobody_of_another_club() -> None:
    session = a_session()
    Player.objects.create(club=a_club(), given_name="Zoé", family_name="Absent")
    foreign = a_session(club="Club B")
    visitor = at_desk().open(address(f"?session={session.pk}"))
    assert "9 players have no link" in visitor.text
    visitor.press("Make the links")
    assert "Absent" not in visitor.text
    assert len(links_in(visitor.text)) == 9
    visitor.open(address(f"?session={foreign.pk}"))
    assert "10 players have no link" in visitor.text, "a session of others is none"


def test_those_who_run_the_club_alone_and_a_page_of_them_at_most() -> None:
    a_session()
    scorer = at_desk(an_account("Sam", kind=RoleKind.SCORER))
    assert scorer.client.get(address()).status_code == 403
    assert scorer.client.post(address()).status_code == 403
    stranger = an_account("Eve", "Club B")
    players = list(player_links.without(a_club()))
    with pytest.raises(Forbidden):
        player_links.offer_all(players=players, actor=stranger)
    assert PlayerLink.objects.count() == 0
    many = [Player(club=a_club(), family_name=f"N{number}", folded=f"n{number}") for number in range(130)]
    Player.objects.bulk_create(many)
    visitor = at_desk().open(address())
    assert "More than 120 players have no link" in visitor.text
    assert visitor.client.post(address()).status_code == 409
    with pytest.raises(Conflict):
        player_links.offer_all(players=list(player_links.without(a_club())), actor=None)
    assert PlayerLink.objects.count() == 0
