"""Under what name a player is shown to whom: by consent, decided for each and changed everywhere at once."""

from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from tests.running import EVERYBODY
from tournaments.models import Contestant, Member, Player, Role, Tally
from tournaments.services import names, own_seats, rankings, sessions, states, table_links, tokens
from tournaments.services.names import ANYONE, OPERATOR, Person, Reader

from .test_secrets import addresses, body_of
from .worlds import World, a_club, a_world, played_through, standings_of

pytestmark = pytest.mark.django_db

FAMILY = "Quesnel"  # of everybody in the scene; no text of the pages has it
MEMBERS_ONLY = ("organiser", "scorer")[: 2 if EVERYBODY else 1]  # who knows the register
OTHERS = ("anyone", "foreign organiser", "table", "foreign player")[: 4 if EVERYBODY else 2]


def a_person(given: str = "Ana", family: str = FAMILY, **more: Any) -> Person:
    known = {"pk": 7, "club": 1, "public_name": "", "consent": False, "is_erased": False}
    return Person(given_name=given, family_name=family, **{**known, **more})


@pytest.mark.parametrize(
    ("person", "in_full", "to_others"),
    [
        (a_person(), "Ana Quesnel", "A. Q."),
        (a_person(consent=True), "Ana Quesnel", "Ana Quesnel"),
        (a_person(consent=True, public_name="Nana"), "Ana Quesnel", "Nana"),
        (a_person(public_name="Nana"), "Ana Quesnel", "A. Q."),  # another name is published by consent, too
        (a_person("Ana", ""), "Ana", "Player 12"),  # one letter is nobody, and one word is somebody
        (a_person("Joueur", "07"), "Joueur 07", "Player 12"),
        (a_person("", "", is_erased=True, consent=True), "Player 12", "Player 12"),
    ],
)
def test_a_name_is_published_by_consent_alone(person: Person, in_full: str, to_others: str) -> None:
    assert names.shown(person, "12", in_full=True) == in_full
    assert names.shown(person, "12", in_full=False) == to_others


def test_a_person_without_a_name_is_called_so_in_the_readers_language() -> None:
    with translation.override("fr"):
        assert names.shown(a_person("Zoé", ""), "3", in_full=False) == "Joueur 3"


def test_officials_of_the_club_or_session_and_the_player_know_the_register() -> None:
    person = a_person()
    for reader in (
        Reader(clubs=frozenset({1})),
        Reader(clubs=frozenset({5})),
        Reader(sessions=frozenset({9})),
        Reader(players=frozenset({7})),
        OPERATOR,
    ):
        assert reader.knows(person, clubs=[5], session=9)
    for stranger in (ANYONE, Reader(frozenset({2}), frozenset({1}), frozenset({8}))):
        assert not stranger.knows(person, clubs=[5], session=9)


def test_in_the_hall_nobody_is_an_initial_and_a_public_name_stays() -> None:
    for person, called in (
        (a_person(), "Ana Quesnel"),
        (a_person(consent=True, public_name="Nana"), "Nana"),
        (a_person("", "", is_erased=True), "Player 12"),
    ):
        assert names.shown(person, "12", in_full=False, in_hall=True) == called


# ── Everywhere ────────────────────────────────────────────────────────────────────────────────────


def begins_with() -> World:
    """A session that is over and published, of nine players who have not agreed to it."""
    world = a_world(published=True)
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    world.refresh()
    for number, player in enumerate(Player.objects.filter(club=a_club()).order_by("pk")):
        player.given_name, player.family_name, player.consent = f"{chr(65 + number)}na", FAMILY, False
        player.save()
    return world


def answers(world: World, role: str) -> dict[str, str]:
    """What each address shows somebody; the French pages show the same names."""
    client = world.client(role)
    elsewhere = ("/api/docs/", "/api/v1/schema/", "/fr/")
    shown = [one for one in addresses(world) if not one.startswith(elsewhere)]
    return {one: body_of(client.get(one)) for one in shown if not one.endswith("/live/")}


def test_no_route_shows_the_name_of_somebody_who_has_not_agreed(world: World) -> None:
    for role in OTHERS:
        for address, text in answers(world, role).items():
            assert FAMILY not in text, (role, address)
    found = {
        role: {address for address, text in answers(world, role).items() if FAMILY in text}
        for role in MEMBERS_ONLY
    }
    for role, route in product(MEMBERS_ONLY, ("ranking/", "plays/", "traveller/", "guides/contestants/")):
        assert any(one.endswith(route) for one in found[role]), (role, route)
    player = Player.objects.get(pk=world.holder("player").player_id)
    own = {line for text in answers(world, "player").values() for line in text.split('"') if FAMILY in line}
    assert own == {player.name}


def test_those_at_a_table_read_each_others_names_until_the_session_is_over() -> None:
    world = a_world(published=True)
    session = world.session
    Player.objects.filter(club=a_club()).update(family_name=FAMILY, consent=False)
    states.change(session=session, actor=world.organiser, to="running")
    (link,) = table_links.make(session=session, actor=world.organiser, tables=[world.table.table_id])
    table = f"/en/t/{table_links.code_of(link)}/"
    player = Player.objects.get(pk=world.holder("player").player_id)
    (seat,) = own_seats.coming([player])
    assert FAMILY in body_of(Client().get(table))
    assert all(FAMILY in one.name for one in seat.named.values())
    for anybody in ("", "screen/", "boards/"):
        assert FAMILY not in body_of(Client().get(f"/en/sessions/{session.pk}/{anybody}")), anybody
    assert FAMILY not in body_of(world.client("table").get(f"/api/v1/sessions/{session.pk}/ranking/"))
    for state, own, at_table in (
        ("draft", False, False),
        ("ready", False, True),
        ("running", True, True),
        ("played", False, False),
        ("final", False, False),
    ):
        session.state = state
        assert bool(names.in_hall(session).halls) == own, state
        assert bool(names.in_hall(session, is_at_table=True).halls) == at_table, state


ROUTES = ("ranking/", "plays/", "boards/1/traveller/", "ranking/?version=1")


def test_a_changed_consent_counts_everywhere_with_the_next_answer(world: World) -> None:
    api, pages = world.client("anyone"), Client()
    session = f"/api/v1/sessions/{world.session.pk}"
    known: dict[str, str] = {}

    def seen(*, name: str, there: bool) -> None:
        for route in ROUTES:
            etag = known.get(route)
            answer = api.get(f"{session}/{route}", headers={"if-none-match": etag} if etag else {})
            assert answer.status_code == 200, route  # never a 304 of before
            assert (name in answer.content.decode()) == there, route
            known[route] = answer["ETag"]
            unchanged = api.get(f"{session}/{route}", headers={"if-none-match": known[route]})
            assert unchanged.status_code == 304, route
        for page in ("", "boards/1/"):
            assert (name in pages.get(f"/en/sessions/{world.session.pk}/{page}").content.decode()) == there
        assert (name in pages.get("/en/").content.decode()) == there

    winner = standings_of(world.session)[0].contestant.pk
    player = Player.objects.get(memberships__contestant=winner)
    whole = player.name
    seen(name=whole, there=False)
    Player.objects.filter(pk=player.pk).update(consent=True)  # by whatever statement
    seen(name=whole, there=True)
    Player.objects.filter(pk=player.pk).update(public_name="Nana")
    seen(name=whole, there=False)
    player.refresh_from_db()
    player.consent = False
    player.save()
    seen(name="Nana", there=False)
    player.erased_at = timezone.now()
    player.save()
    number = Contestant.objects.get(pk=winner).number
    seen(name=f"Player {number}", there=True)


def test_only_the_sessions_that_show_a_name_are_told_that_it_has_changed(world: World) -> None:
    def counts() -> dict[int, int]:
        return dict(Tally.objects.values_list("session", "names"))

    before = counts()
    player = Player.objects.filter(memberships__session=world.session).first()
    assert player is not None
    Player.objects.filter(pk=player.pk).update(number="17", consent=player.consent)
    assert counts() == before
    Player.objects.filter(club=player.club).update(consent=True)  # all of them, in one statement
    after = counts()
    assert {pk for pk in before if before[pk] != after[pk]} == {world.session.pk}
    Contestant.objects.filter(session=world.session, number=1).update(name="Les As", named_by_players=False)
    assert counts()[world.session.pk] > after[world.session.pk]


# ── Pairs, teams, long lists ──────────────────────────────────────────────────────────────────────


def test_a_pair_is_called_by_its_players_and_a_team_by_its_own_name(world: World) -> None:
    pair = Contestant.objects.filter(session=world.session).order_by("number")[0]
    first = Player.objects.get(memberships__contestant=pair)
    second = Player.objects.create(club=first.club, given_name="Zoé", family_name="")
    Member.objects.create(session=world.session, contestant=pair, player=second)
    shown = names.of_contestants([pair.pk], ANYONE)[pair.pk]
    assert shown.name == f"A. Q. – Player {pair.number}b"
    assert names.of_contestants([pair.pk], OPERATOR)[pair.pk].name == f"{first.name} – Zoé"
    Contestant.objects.filter(pk=pair.pk).update(name="Les As", named_by_players=False)
    assert names.of_contestants([pair.pk], ANYONE)[pair.pk].name == "Les As"


def test_names_cost_one_query_for_however_many(world: World) -> None:
    newest = rankings.newest(world.session)
    assert newest is not None
    ids = list(Contestant.objects.filter(session=world.session).values_list("pk", flat=True))
    for some in (ids[:2], ids):
        with CaptureQueriesContext(connection) as queries:
            assert len(names.of_contestants(some, ANYONE)) == len(some)
        assert len(queries) == 1


def test_a_token_names_nobody_in_the_history() -> None:
    club = a_club()
    Player.objects.create(club=club, given_name="Ana", family_name=FAMILY)
    token, _text = tokens.issue_for_player(name=f"Ana {FAMILY}", club=club)
    assert str(token) == f"player {token.player_id}"
    assert Role.objects.count() == 0
