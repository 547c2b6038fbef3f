"""Links by which players come to their entries, and the lists in which they enter: order, room, waiting."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tournaments.models import (
    Account,
    Contestant,
    Player,
    PlayerLink,
    Registrant,
    Registration,
    RegistrationList,
    Token,
    Tournament,
)
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, player_links, registrations, roles
from tournaments.services.errors import Conflict, Forbidden, Invalid
from tournaments.services.names import ANYONE, OPERATOR
from tournaments.services.roles import RolePlace

from .worlds import a_club, a_world, ended

pytestmark = pytest.mark.django_db


def a_player(name: str = "Ana Quesnel", *, club: str = "Club A", **more: object) -> Player:
    given, _space, family = name.partition(" ")
    return Player.objects.create(club=a_club(club), given_name=given, family_name=family, **more)


def an_administrator(club: str = "Club A", name: str = "Admin") -> Account:
    account = accounts.create(name=name)
    roles.grant(account=account, kind=RoleKind.ADMINISTRATOR, place=RolePlace(a_club(club)), actor=None)
    return account


def a_list(*, limit: int | None = None, players_each: int = 1) -> RegistrationList:
    tournament = Tournament.objects.create(club=a_club(), name="Coupe")
    return registrations.open_list(
        tournament=tournament, actor=an_administrator(), name="Mardi", limit=limit, players_each=players_each
    )


def enter(the_list: RegistrationList, *players: Player, is_official: bool = False) -> Registration:
    return registrations.enter(
        the_list=the_list,
        players=[one.pk for one in players],
        actor=Account.objects.get(name="Admin"),
        is_official=is_official,
    )


def leave(registration: Registration, player: Player | None = None, *, is_official: bool = False) -> None:
    actor = Account.objects.get(name="Admin")
    player_id = None if player is None else player.pk
    registrations.leave(registration=registration, player=player_id, actor=actor, is_official=is_official)


def who(the_list: RegistrationList) -> list[tuple[bool, int, str]]:
    there = registrations.places(RegistrationList.objects.get(pk=the_list.pk), OPERATOR)
    return [(one.waits, one.number, " + ".join(one.names)) for one in there]


# ── Links ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_link_attaches_an_entry_once_and_keeps_no_secret() -> None:
    ana, admin, account = a_player(), an_administrator(), accounts.create(name="Ana")
    link, secret = player_links.offer(player=ana, actor=admin)
    assert secret not in str(list(PlayerLink.objects.values()))
    assert player_links.with_secret(secret) == link
    assert player_links.with_secret(secret + "x") is None
    assert player_links.attach(link=link, account=account).account == account
    assert player_links.attach(link=link, account=account).pk == ana.pk  # again, the same
    bea = accounts.create(name="Bea")
    another, _secret = player_links.offer(player=ana, actor=admin)
    for used, code in ((link, "link-used"), (another, "entry-taken")):
        with pytest.raises(Conflict) as refused:
            player_links.attach(link=used, account=bea)
        assert refused.value.code == code


def test_a_link_gives_a_browser_a_token_that_ends() -> None:
    ana = a_player()
    link, _secret = player_links.offer(player=ana, actor=an_administrator())
    token = player_links.use(link=link)
    assert token.player == ana
    assert token.expires_at is not None
    with pytest.raises(Conflict):
        player_links.use(link=link)
    player_links.detach(player=ana, actor=Account.objects.get(name="Admin"))
    assert not Token.objects.valid().filter(pk=token.pk).exists()


def test_a_newer_link_a_withdrawal_and_the_end_close_a_link() -> None:
    ana, admin = a_player(), an_administrator()
    first, _secret = player_links.offer(player=ana, actor=admin)
    second, _secret = player_links.offer(player=ana, actor=admin)
    for link, code in ((first, "link-withdrawn"), (second, "")):
        link.refresh_from_db()
        assert (player_links.state_of(link) == "open") == (code == "")
        if code:
            with pytest.raises(Conflict) as refused:
                player_links.use(link=link)
            assert refused.value.code == code
    PlayerLink.objects.filter(pk=second.pk).update(
        made_at=timezone.now() - timedelta(days=9), ends_at=timezone.now() - timedelta(days=1)
    )
    second.refresh_from_db()
    with pytest.raises(Conflict) as refused:
        player_links.use(link=second)
    assert refused.value.code == "link-expired"
    assert not player_links.of_club(a_club()).exists()


def test_only_those_who_run_the_club_give_and_withdraw_links() -> None:
    ana = a_player()
    stranger, scorer = an_administrator("Club B", "Bea"), accounts.create(name="Scorer")
    roles.grant(account=scorer, kind=RoleKind.SCORER, place=RolePlace(a_club()), actor=None)
    link, _secret = player_links.offer(player=ana, actor=an_administrator())
    for actor in (stranger, scorer):
        with pytest.raises(Forbidden):
            player_links.offer(player=ana, actor=actor)
        with pytest.raises(Forbidden):
            player_links.withdraw(link=link, actor=actor)
        with pytest.raises(Forbidden):
            player_links.detach(player=ana, actor=actor)
    Player.objects.filter(pk=ana.pk).update(erased_at=timezone.now())
    link = PlayerLink.objects.select_related("player").get(pk=link.pk)
    assert player_links.state_of(link) == "withdrawn"
    with pytest.raises(Conflict):
        player_links.offer(player=ana, actor=None)


# ── Lists ─────────────────────────────────────────────────────────────────────────────────────────


def test_whoever_comes_after_the_limit_waits_and_moves_up_when_somebody_leaves() -> None:
    the_list = a_list(limit=2)
    players = [a_player(f"P{n} Q{n}") for n in range(4)]
    entries = [enter(the_list, one) for one in players]
    assert who(the_list) == [
        (False, 1, "P0 Q0"),
        (False, 2, "P1 Q1"),
        (True, 1, "P2 Q2"),
        (True, 2, "P3 Q3"),
    ]
    leave(entries[0], players[0])
    assert who(the_list) == [(False, 1, "P1 Q1"), (False, 2, "P2 Q2"), (True, 1, "P3 Q3")]
    enter(the_list, players[0])  # again, and at the end
    assert who(the_list)[-1] == (True, 2, "P0 Q0")
    registrations.change(
        the_list=the_list,
        actor=Account.objects.get(name="Admin"),
        limit=None,
        is_open=True,
        is_public=True,
    )
    assert [waits for waits, _number, _names in who(the_list)] == [False] * 4
    assert registrations.contestants_of(RegistrationList.objects.get(pk=the_list.pk)) == [
        [one.pk] for one in (players[1], players[2], players[3], players[0])
    ]


def test_nobody_stands_in_a_list_twice_and_the_refusal_says_where() -> None:
    the_list = a_list(limit=1)
    ana, bea = a_player(), a_player("Bea Roux")
    enter(the_list, ana)
    enter(the_list, bea)
    with pytest.raises(Conflict, match="Ana Quesnel has entered “Mardi” already, as number 1"):
        enter(the_list, ana)
    with pytest.raises(Conflict, match="Bea Roux waits in “Mardi” already, in place 1"):
        enter(the_list, bea)
    registration = Registration.objects.first()
    with pytest.raises(IntegrityError, match=r"registrant_once_in_list|UNIQUE"), transaction.atomic():
        Registrant.objects.create(list=the_list, registration=registration, player=ana)


def test_a_partner_joins_whoever_looks_for_one() -> None:
    the_list = a_list(players_each=2)
    ana, bea, cleo, dora = (a_player(f"{name} Q") for name in ("Ana", "Bea", "Cléo", "Dora"))
    first, pair = enter(the_list, ana), enter(the_list, cleo, dora)
    admin = Account.objects.get(name="Admin")
    place = registrations.place_of(the_list, ana, ANYONE)
    assert place is not None
    assert place.wants_players
    assert registrations.contestants_of(the_list) == [[cleo.pk, dora.pk]]
    with pytest.raises(Conflict, match="look for nobody"):
        registrations.join(registration=pair, player=bea.pk, actor=admin, is_official=True)
    registrations.join(registration=first, player=bea.pk, actor=admin, is_official=False)
    assert who(the_list) == [(False, 1, "Ana Q + Bea Q"), (False, 2, "Cléo Q + Dora Q")]
    leave(first, ana)  # the other stays where they were, and looks for a partner again
    assert who(the_list) == [(False, 1, "Bea Q"), (False, 2, "Cléo Q + Dora Q")]
    with pytest.raises(Invalid, match="2 players at most"):
        enter(the_list, ana, a_player("Eva Q"), a_player("Fia Q"))


def test_once_it_is_closed_only_the_club_enters_and_takes_out() -> None:
    the_list = a_list()
    ana = a_player()
    entry = enter(the_list, ana)
    admin = Account.objects.get(name="Admin")
    registrations.change(the_list=the_list, actor=admin, limit=None, is_open=False, is_public=True)
    with pytest.raises(Conflict, match="closed"):
        enter(the_list, a_player("Bea Roux"))
    with pytest.raises(Conflict, match="closed"):
        leave(entry, ana)
    enter(the_list, a_player("Cléo Roy"), is_official=True)
    leave(entry, is_official=True)
    assert who(the_list) == [(False, 1, "Cléo Roy")]


def test_who_was_merged_into_another_plays_once_as_that_one() -> None:
    the_list = a_list()
    ana, twice, bea = a_player(), a_player("Anna Quesnel"), a_player("Bea Roux")
    for one in (twice, bea, ana):
        enter(the_list, one)
    Player.objects.filter(pk=twice.pk).update(merged_into=ana)
    assert registrations.contestants_of(the_list) == [[ana.pk], [bea.pk]]


def test_only_players_of_the_clubs_register_enter() -> None:
    the_list = a_list()
    ana = a_player()
    for stranger in (a_player(club="Club B"), a_player("Old Entry", merged_into=ana)):
        with pytest.raises(Invalid, match="register of Club A"):
            enter(the_list, stranger)


def test_a_session_is_set_up_from_the_entries_that_are_complete_and_do_not_wait() -> None:
    club, world = a_club(), a_world()
    the_list = a_list(limit=9)
    RegistrationList.objects.filter(pk=the_list.pk).update(tournament=world.session.tournament)
    the_list.refresh_from_db()
    players = [a_player(f"P{n} Q{n % 3}") for n in range(10)]
    namesakes = Player.objects.filter(pk__in=[players[0].pk, players[1].pk])
    namesakes.update(given_name="Ana", family_name="Quesnel")  # two people
    for one in players:
        enter(the_list, one)
    client = world.client("organiser")
    address = f"/api/v1/tournaments/{world.session.tournament_id}/sessions/"
    wish = {"name": "Mardi", "game": "comon", "boards_per_round": 1, "registration": the_list.pk}
    both = client.post(address, wish | {"contestants": ["a", "b", "c"]}, format="json")
    assert both.status_code == 400
    session = ended(client, client.post(address, wish, format="json")).json()
    assert session["contestants"] == 9
    there = Contestant.objects.filter(session=session["id"]).order_by("number")
    assert [list(one.players.all()) for one in there] == [[one] for one in players[:9]]
    shown = client.get(f"/api/v1/sessions/{session['id']}/guides/contestants/").json()["results"]
    assert [one["name"] for one in shown][:3] == ["Ana Quesnel", "Ana Quesnel", "P2 Q2"]
    the_list.refresh_from_db()
    assert the_list.session_id == session["id"]
    asked = client.post(address, wish, format="json")
    leave(Registration.objects.get(registrants__player=players[0]), players[0])
    refused = ended(client, asked)
    assert refused.json()["error"]["code"] == "list-changed"
    foreign = world.client("foreign organiser").post(address, wish, format="json")
    assert foreign.status_code == 404
    assert club == the_list.tournament.club


def test_the_api_takes_entries_of_the_club_and_of_players_themselves() -> None:
    world = a_world()
    organiser, player, anyone = (world.client(role) for role in ("organiser", "player", "anyone"))
    me = world.holder("player").player_id
    address = f"/api/v1/tournaments/{world.session.tournament_id}/registration-lists/"
    made = organiser.post(address, {"name": "Mardi", "players_each": 2, "limit": 1}, format="json").json()
    entries = f"/api/v1/registration-lists/{made['id']}/registrations/"
    others = list(Player.objects.filter(club=a_club()).exclude(pk=me).values_list("pk", flat=True))
    assert player.post(entries, {"players": [me, others[0]]}, format="json").status_code == 403
    mine = player.post(entries, {"players": [me]}, format="json").json()
    assert (mine["number"], mine["waits"], mine["complete"], mine["wants_players"]) == (1, False, False, True)
    pair = organiser.post(entries, {"players": others[:2]}, format="json").json()
    assert (pair["number"], pair["waits"], pair["complete"]) == (1, True, True)
    again = player.post(entries, {"players": [me]}, format="json")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "registered-already")
    here = f"/api/v1/registrations/{mine['id']}/players/"
    assert player.put(here, {"players": [me, others[2]]}, format="json").status_code == 403
    assert organiser.put(here, {"players": [me, others[2]]}, format="json").json() == {
        "players": sorted([me, others[2]])  # type: ignore[type-var]
    }
    assert (
        organiser.put(here, {"players": [others[3]]}, format="json").json()["error"]["code"] == "nobody-stays"
    )
    assert player.put(here, {"players": [others[2]]}, format="json").json() == {"players": [others[2]]}
    assert organiser.put(here, {"players": []}, format="json").json() == {"players": []}
    (first,) = anyone.get(entries).json()["results"]
    assert (first["id"], first["waits"], first["number"]) == (pair["id"], False, 1)
    one, wish = f"/api/v1/registration-lists/{made['id']}/", {"limit": 1, "open": False, "public": False}
    assert organiser.put(one, wish, HTTP_IF_MATCH="").status_code == 428
    seen = organiser.get(one)["ETag"]
    assert organiser.get(one, headers={"if-none-match": seen}).status_code == 304
    closed = organiser.put(one, wish, format="json", headers={"if-match": seen})
    assert closed.json()["closed_at"]
    assert closed["ETag"] != seen
    again = organiser.put(one, wish | {"open": True}, format="json", headers={"if-match": seen})
    assert (again.status_code, again.json()["error"]["code"]) == (412, "changed-meanwhile")
    assert (
        player.post(entries, {"players": [me]}, format="json").json()["error"]["code"]
        == "registration-closed"
    )
    assert anyone.get(entries).status_code == 404
