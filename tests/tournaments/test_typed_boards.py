"""What officials type for the tables, in the list that everybody sees while it is played: at once where they
do not play, and otherwise when the play ends. It opens no cards to anybody."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tournaments.models import Account, Play, Player, Role, Session, Token
from tournaments.models.accounts import RoleKind
from tournaments.models.open_boards import open_in
from tournaments.services import (
    accounts,
    confirmations,
    rankings,
    recomputing,
    roles,
    rulings,
    sessions,
    states,
    submissions,
    substitutes,
    tokens,
    who_plays,
)
from tournaments.services.roles import RolePlace

from .test_own_session import SHEET
from .worlds import ROLES, World, a_club, a_world, an_entry, plays_of, table_hands_in, work

pytestmark = pytest.mark.django_db


def typist(world: World, account: Account, kind: RoleKind = RoleKind.SCORER) -> Token:
    """By whom somebody types who has a role at the session."""
    role = roles.grant(account=account, kind=kind, place=RolePlace(session=world.session), actor=None)[0]
    return tokens.make(role=role, name="", scopes=role.scopes, actor=None)[0]


def types(world: World, sender: Token, *plays: Play) -> None:
    entries = [an_entry(play, {"sheet": SHEET}) for play in plays]
    submissions.submit(session_id=world.session.pk, sender=sender, entries=entries)
    work(world.session)


def of_round(world: World, *numbers: int) -> list[Play]:
    """All tables play the board of the round's number."""
    return [play for play in plays_of(world.session) if play.round in numbers]


def counted(world: World) -> list[int]:
    """The boards in the list that everybody sees: as it says itself, and as anybody is told."""
    newest = rankings.newest(world.refresh(), is_live=True)
    boards = [] if newest is None else list(newest.boards or [])
    told = world.client("anyone").get(f"/api/v1/sessions/{world.session.pk}/ranking/")
    if newest is not None:
        assert {place["boards"] for place in told.json()["places"]} <= {len(boards), 0}
    comparison = recomputing.recompute(session=world.session)
    assert comparison is not None
    assert not comparison.disagreements
    return boards


def opened(world: World) -> set[int]:
    session = world.refresh()
    return {one.number for role in ROLES for one in open_in(session, world.tokens[role])}


@pytest.mark.parametrize("sender", ["scorer", "organiser"])
def test_what_an_official_types_who_does_not_play_counts_at_once_and_opens_nothing(sender: str) -> None:
    world = a_world(published=True)
    for number in (1, 2, 3):
        *most, last = of_round(world, number)
        types(world, world.holder(sender), *most)
        assert counted(world) == list(range(1, number)), "a table is missing"
        types(world, world.holder(sender), last)
        assert counted(world) == list(range(1, number + 1))
        assert opened(world) == set()
        address = f"/api/v1/sessions/{world.session.pk}/boards/{number}/traveller/"
        assert {world.client(role).get(address).status_code for role in ROLES} == {404}
    answer = world.client("anyone").get(f"/api/v1/sessions/{world.session.pk}/ranking/").json()
    assert answer["live"]


def test_a_board_counts_that_some_tables_enter_and_others_have_typed() -> None:
    world = a_world(published=True)
    tokens.issue_for_tables(session=world.session, actor=world.organiser)
    own, *others = of_round(world, 1)
    table_hands_in(world, own)
    work(world.session)
    assert counted(world) == []
    types(world, world.holder("scorer"), *others)
    assert counted(world) == [1]
    assert opened(world) == set()


def under_their_account(world: World) -> Account:
    account = accounts.create(name="Zoé Typist")
    Player.objects.filter(pk=somebody(world).pk).update(account=account)
    return account


def by_their_name(world: World) -> Account:
    return accounts.create(name=somebody(world).name)


def by_a_former_name(world: World) -> Account:
    account = accounts.create(name=somebody(world).name)
    accounts.change(account=account, name="Zoé Typist", language="en")
    return account


def as_a_substitute(world: World) -> Account:
    account = accounts.create(name="Zoé Typist")
    stand_in(world, account)
    return account


def stand_in(world: World, account: Account) -> object:
    """They play the last round in somebody's place."""
    player = Player.objects.create(club=a_club(), given_name="Zoé", account=account)
    member = world.session.members.select_related("contestant").order_by("pk")[0]
    return substitutes.substitute(
        session=world.refresh(),
        actor=None,
        contestant=member.contestant.number,
        player=player.pk,
        for_player=member.player_id,
        first_round=4,
        last_round=4,
    )


def somebody(world: World) -> Player:
    return Player.objects.filter(contestants__session=world.session).order_by("pk")[4]


PLAYING = [under_their_account, by_their_name, by_a_former_name, as_a_substitute]


@pytest.mark.parametrize("kind", [RoleKind.DIRECTOR, RoleKind.SCORER])
@pytest.mark.parametrize("plays", PLAYING)
def test_what_an_official_types_who_plays_counts_when_the_play_ends(
    plays: Callable[[World], Account], kind: RoleKind
) -> None:
    """Whoever does could otherwise type what a table has not played, and read in the list what came of it at
    others."""
    world = a_world(published=True)
    tokens.issue_for_tables(session=world.session, actor=world.organiser)
    sender = typist(world, plays(world), kind)
    own, *others = of_round(world, 1)
    types(world, sender, own)
    for play in others:
        table_hands_in(world, play)
    work(world.session)
    assert counted(world) == []
    types(world, sender, *of_round(world, 2, 3, 4))
    assert counted(world) == []
    Role.objects.filter(pk=sender.role_id).update(revoked_at="2020-01-01T00:00Z")
    types(world, world.holder("scorer"), *of_round(world, 2))
    assert counted(world) == [2], "somebody who does not play says the same of it"
    sessions.finish(session=world.refresh(), actor=world.organiser)
    work(world.session)
    places = world.client("anyone").get(f"/api/v1/sessions/{world.session.pk}/ranking/").json()
    assert ({one["boards"] for one in places["places"]}, places["live"]) == ({4}, False)


def test_what_an_official_types_who_plays_counts_once_another_confirms_it_who_does_not() -> None:
    world = a_world(published=True)
    director, other = (typist(world, under_their_account(world), RoleKind.DIRECTOR), world.holder("scorer"))
    plays = of_round(world, 1)
    types(world, director, *plays)
    seated = typist(world, as_a_substitute(world))
    for sender, boards in ((seated, []), (other, [1])):
        for play in plays:
            place = rulings.PlayPlace("A", play.table.number, 1)
            submission = Play.objects.get(pk=play.pk).result.submission_id
            confirmations.confirm(session=world.refresh(), actor=sender, place=place, submission=submission)
        work(world.session)
        assert counted(world) == boards
    assert opened(world) == set()


def test_what_somebody_typed_who_sits_down_afterwards_counts_no_more_until_the_play_ends() -> None:
    """They could have typed anything for the seat that they take."""
    world = a_world(published=True)
    tokens.issue_for_tables(session=world.session, actor=world.organiser)
    account = accounts.create(name="Zoé Typist")
    sender = typist(world, account)
    types(world, sender, *of_round(world, 1))
    assert counted(world) == [1]
    own, *others = of_round(world, 2)
    types(world, sender, own)
    substitution = stand_in(world, account)
    for play in others:
        table_hands_in(world, play)
    work(world.session)
    assert counted(world) == []
    substitutes.undo(substitution=substitution, actor=None)  # type: ignore[arg-type]
    types(world, sender, of_round(world, 3)[0])
    assert counted(world) == [1, 2]


def test_what_is_typed_before_its_round_counts_once_the_round_has_been_played_everywhere() -> None:
    """Slips of one table may be typed together: nobody has to type them twice."""
    world = a_world(published=True)
    by_table = sorted(of_round(world, 1, 2, 3), key=lambda play: (play.table.number, play.round))
    *most, last = by_table
    types(world, world.holder("scorer"), *most)
    assert counted(world) == [1, 2]
    types(world, world.holder("scorer"), last)
    assert counted(world) == [1, 2, 3]


def test_a_board_of_a_round_that_others_have_still_to_play_does_not_count() -> None:
    world = a_world(published=True)
    types(world, world.holder("scorer"), *of_round(world, 3))
    assert counted(world) == []


@pytest.mark.parametrize("setting", Session.Live.values)
def test_the_setting_of_the_session_holds_for_typed_boards_too(setting: str) -> None:
    world = a_world(published=True)
    states.mend(session=world.session, actor=world.organiser, live=setting)
    types(world, world.holder("scorer"), *of_round(world, 1))
    newest = rankings.newest(world.session, is_live=True)
    assert (newest is not None) == (setting != Session.Live.HIDDEN)


def test_a_ruling_beside_typed_results_lets_the_board_count() -> None:
    world = a_world(published=True)
    missing, *others = of_round(world, 1)
    types(world, world.holder("scorer"), *others)
    place = rulings.PlayPlace("A", missing.table.number, missing.board.number)
    plan = rulings.on_play(session=world.refresh(), place=place, decisions=[{"kind": "not-played"}])
    rulings.rule(plan, actor=world.organiser, text="No time")
    work(world.session)
    newest = rankings.newest(world.session, is_live=True)
    assert newest is not None
    assert newest.boards == [1]
    assert opened(world) == set()


def test_who_has_no_seat_is_asked_by_as_many_queries_whatever_the_club() -> None:
    world = a_world(published=True)

    def asked() -> tuple[int, int]:
        session = world.refresh()
        with CaptureQueriesContext(connection) as queries:
            found = who_plays.roles_without_seat(session)
        return len(queries), len(found)

    first, without = asked()
    for number in range(8):
        typist(world, accounts.create(name=f"Zoé {number}"))
        typist(world, accounts.create(name=f"Joueur 0{number + 1}"))
    assert asked() == (first, without + 8)
    assert first <= 4
