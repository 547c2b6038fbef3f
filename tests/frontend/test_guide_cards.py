"""The square on a guide card: read from the PDF, it opens one evening of one contestant, and nothing else."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.tournaments.test_prints import an_official, codes_on
from tests.tournaments.worlds import World, hand_in, plays_of, work
from tournaments.models import Account, EveningLink, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import evening_links, prints

pytestmark = pytest.mark.django_db

BASE = "https://etui.example"


def addresses(session: Session, account: Account, **more: Any) -> set[str]:
    wish: dict[str, Any] = {"kinds": ["guide-cards"], "language": "en", "size": "A4", "base": BASE} | more
    return codes_on(prints.make(session=session, actor=account, **wish).content)


@pytest.fixture
def director(world: World) -> Iterator[Account]:
    return an_official(world.session, RoleKind.DIRECTOR, "Odile")


def opened(address: str, client: Client | None = None) -> Any:
    return (client or Client()).get(
        address.removeprefix(BASE), follow=True, headers={"accept-language": "en"}
    )


def test_each_card_opens_the_evening_of_its_contestant_and_of_nobody_else(
    world: World, director: Account
) -> None:
    found = addresses(world.session, director)
    assert len(found) == world.session.contestants.count() == 9
    players = set()
    for address in found:
        page = opened(address)
        assert page.status_code == 200
        assert "no-store" in page["Cache-Control"]
        assert address.rsplit("/", 2)[1] not in page.redirect_chain[-1][0] + page.content.decode()
        players.add(page.context["player"].pk)
        own = plays_of(world.session)
        mine = [
            one
            for one in own
            if one.seatings.filter(contestant__members__player=page.context["player"]).exists()
        ]
        assert page.context["without"] == [one.board.number for one in mine], "nothing has been played yet"
    assert players == set(world.session.members.values_list("player", flat=True))


def test_it_opens_nothing_else(world: World, director: Account) -> None:
    client = Client()
    page = opened(min(addresses(world.session, director)), client)
    assert not page.wsgi_request.user.is_authenticated
    for other in (
        f"/en/me/sessions/{world.session.pk}/",
        "/en/me/data/",
        f"/en/desk/sessions/{world.session.pk}/",
    ):
        assert client.get(other).status_code in {302, 404}, other
    assert "My boards" not in client.get("/en/me/", follow=True).content.decode()


def test_it_tells_what_a_board_was_worth_once_that_is_over_alone(world: World, director: Account) -> None:
    play = plays_of(world.session)[0]
    hand_in(world, play)
    work(world.session)
    for address in sorted(addresses(world.session, director)):
        for one in opened(address).context["plays"]:
            assert (one.play.award, one.play.line) == (None, None)


def test_the_next_print_ends_the_cards_before(world: World, director: Account) -> None:
    old, new = addresses(world.session, director), addresses(world.session, director)
    assert not old & new
    assert {opened(one).status_code for one in old} == {404}
    assert {opened(one).status_code for one in new} == {200}
    assert EveningLink.objects.count() == 9
    kept = set(EveningLink.objects.values_list("digest", flat=True))
    assert kept == {evening_links.digest_of(one.rsplit("/", 2)[1]) for one in new}


def test_it_ends_with_the_corrections_or_after_thirty_days(world: World, director: Account) -> None:
    address, now = min(addresses(world.session, director)), timezone.now()
    whole = Session.objects.filter(pk=world.session.pk)
    open_states = [*Session.COMING, Session.State.PLAYED, Session.State.PROVISIONAL]
    for state in Session.State.values:
        whole.update(state=state)
        assert opened(address).status_code == (200 if state in open_states else 404), state
    whole.update(state=Session.State.PROVISIONAL, corrections_until=now + timedelta(hours=1))
    assert opened(address).status_code == 200
    whole.update(corrections_until=now - timedelta(seconds=1))
    assert opened(address).status_code == 404
    world.session.refresh_from_db()
    assert addresses(world.session, director) == set()
    whole.update(corrections_until=None)
    EveningLink.objects.update(made_at=now - timedelta(days=31), ends_at=now - timedelta(days=1))
    assert opened(address).status_code == 404


def test_an_official_who_plays_prints_cards_that_open_nothing(world: World) -> None:
    member = world.session.members.select_related("player").order_by("pk")[0]
    plays = an_official(world.session, RoleKind.DIRECTOR, member.player.name)
    assert addresses(world.session, plays) == set()
    other = an_official(world.session, RoleKind.DIRECTOR, "Pseudonym")
    assert addresses(world.session, other, held=[member.player_id]) == set()
    assert addresses(world.session, other, base="") == set()
    assert not EveningLink.objects.exists()


def test_whoever_was_erased_has_no_card_that_opens(world: World, director: Account) -> None:
    found = {opened(one).context["player"].pk: one for one in addresses(world.session, director)}
    player = world.session.members.select_related("player").order_by("pk")[0].player
    evening_links.end(player)
    assert {pk for pk, one in found.items() if opened(one).status_code == 404} == {player.pk}


def test_what_is_no_card_opens_nothing(world: World, client: Client) -> None:
    assert opened("/players/card/no-such-card/", client).status_code == 404
    assert client.get("/en/me/card/").status_code == 404
