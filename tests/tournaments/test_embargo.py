"""Under embargo nobody but a deal officer sees a card, a traveller or anything by board of an event, at their
own club or at another: each role is played as an adversary, over every route. `make test` asks those whose
answers say most, `make campaign-roles` everybody."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.running import EVERYBODY
from tournaments.api import live
from tournaments.models import Account, FieldRanking, Match, Play, Player, Session, Team
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    archives,
    combined,
    counting,
    custody,
    events,
    exports,
    fields,
    matches,
    own_season,
    prints,
    public_calendar,
    ratings,
    roles,
    sessions,
    versions,
)
from tournaments.services.errors import Conflict
from tournaments.services.live_lists import public_ranking
from tournaments.services.submissions import REFUSALS_AT_MOST, submit

from .fields import a_leg, a_part, an_administrator, an_entry_of, an_organiser
from .test_secrets import CARD, addresses, body_of, is_a_document
from .worlds import ROLES, World, a_record, a_team, a_world, an_entry, forget, hand_in, plays_of, work

pytestmark = pytest.mark.django_db

PROGRAMS = ROLES if EVERYBODY else ("anyone", "organiser", "foreign organiser", "player")
PEOPLE = ("federation", "organiser", "director", "scorer", "deal officer", "player", "who plays and directs")
SIGNED_IN = PEOPLE if EVERYBODY else ("who plays and directs",)
ANYONE = ("anyone",)
LETTER = "may follow its number: 7H"  # a board and its letter, in the help


def played(session: Session, world: World, *, listed: bool = True) -> None:
    """All of its records are there, and its list is provisional and public."""
    for play in plays_of(session):
        hand_in(world, play, a_record(play, session))
    work(session)
    sessions.finish(session=session, actor=None)
    sessions.publish(session=session, actor=None, listed=listed)
    work(session)


@pytest.fixture
def worlds(db: None) -> tuple[World, World]:
    """Two clubs that have played an event which a third has still to play; for each, the other is foreign."""
    forget()
    leg = a_leg(boards=4)
    first, second = a_part(leg, "Club A"), a_part(leg, "Club B")
    an_entry_of(leg, "Club C")
    own = a_world(first, second)
    other = World(second, swapped(own.tokens), swapped(own.texts))
    for world in (own, other):
        played(world.session, world)
        world.refresh()
    return own, other


def swapped(of_club: dict[str, Any]) -> dict[str, Any]:
    """What the roles of one club are to the other."""
    return of_club | {
        there: of_club[here]
        for one in ("organiser", "scorer", "table", "player")
        for here, there in ((one, f"foreign {one}"), (f"foreign {one}", one))
    }


def people(session: Session) -> dict[str, Account]:
    """Everybody who may sign in, with their roles at a session and at its club."""
    at_session, at_club = roles.RolePlace(session=session), roles.RolePlace(club=session.tournament.club)
    found = {"federation": an_administrator()}
    for name, kind, place in (
        ("organiser", RoleKind.ORGANISER, at_club),
        ("director", RoleKind.DIRECTOR, at_session),
        ("scorer", RoleKind.SCORER, at_club),
        ("deal officer", RoleKind.DEAL_OFFICER, at_session),
        ("who plays and directs", RoleKind.DIRECTOR, at_session),
    ):
        found[name] = accounts.create(name=f"The {name}")
        roles.grant(account=found[name], kind=kind, place=place, actor=None)
    found["player"] = accounts.create(name="Somebody")
    seated = Player.objects.filter(memberships__session=session).order_by("pk")
    for name, player in zip(("player", "who plays and directs"), seated, strict=False):
        Player.objects.filter(pk=player.pk).update(account=found[name])
    return found


def callers(world: World, programs: Sequence[str], signed_in: Sequence[str]) -> Iterator[tuple[str, Any]]:
    yield from ((role, world.client(role)) for role in programs)
    known = people(world.session) if signed_in else {}
    for name in signed_in:
        client = Client()
        client.force_login(known[name])
        yield name, client


def signed_in(account: Account) -> Client:
    client = Client()
    client.force_login(account)
    return client


def asked(world: World) -> list[str]:
    """The routes that say anything of the event or of who plays there; in English alone."""
    found = [one for one in addresses(world) if not is_a_document(one) and not one.endswith("/live/")]
    about = (f"/{world.session.pk}/", world.session.tournament.club.slug, "/me/", "/desk/", "/feeds/")
    return [one for one in found if not one.startswith("/fr/") and any(word in one for word in about)]


def seed_of(world: World) -> bytes:
    assert world.session.leg is not None
    return world.session.leg.seed


def leaks(
    worlds: Sequence[World], programs: Sequence[str] = PROGRAMS, signed_in: Sequence[str] = SIGNED_IN
) -> list[tuple[str, str]]:
    """Who sees a card or the seed, and where."""
    seed = seed_of(worlds[0]).hex()
    found = []
    for world in worlds:
        shown = asked(world)
        for (role, client), address in product(callers(world, programs, signed_in), shown):
            text = body_of(client.get(address)).replace(LETTER, "")
            if seed in text or CARD.search(text):
                found.append((role, address))
    return found


def test_no_role_of_any_club_sees_a_card_or_the_seed_on_any_route(worlds: tuple[World, World]) -> None:
    """But for what a table has handed in itself."""
    found = leaks(worlds if EVERYBODY else worlds[:1])
    own = {"table", "other table"}
    assert [(role, where) for role, where in found if role not in own or "/submissions/" not in where] == []


def lift(world: World) -> None:
    """The third club withdraws: nobody plays these boards any more."""
    leg = world.session.leg
    assert leg is not None
    third = leg.entries.get(session=None)
    events.decide(entry=third, actor=an_organiser(third.club), to="withdrawn")
    for pk in leg.sessions.values_list("pk", flat=True):
        work(Session.objects.get(pk=pk))


def test_once_it_is_lifted_everybody_sees_what_the_search_looks_for(worlds: tuple[World, World]) -> None:
    own, _other = worlds
    leg = own.session.leg_id
    assert leg is not None
    assert fields.rank(leg_id=leg) is None
    etag = own.client("anyone").get(boards := f"/api/v1/sessions/{own.session.pk}/boards/").headers["ETag"]
    lift(own)
    again = own.client("anyone").get(boards, HTTP_IF_NONE_MATCH=etag)
    assert again.status_code == 200  # whoever has an answer gets another
    assert fields.rank(leg_id=leg) == 1
    assert own.client("anyone").get(f"/api/v1/legs/{leg}/field/").json()["count"] == 18
    assert leads_to_the_field(own) == [True] * 4
    found = {address for _role, address in leaks([own], ANYONE, ())}
    assert any("/boards/" in one for one in found)
    assert any("traveller" in one for one in found)
    assert Session.objects.get(pk=own.session.pk).board_set.public_seed == seed_of(own)


def a_field_made_too_early(world: World) -> None:
    """As if somebody had compared the clubs under embargo."""
    leg = world.session.leg
    assert leg is not None
    held = counting.of_session(world.session)
    content = versions.to_bytes(held.totals, held.groups)
    FieldRanking.objects.create(leg=leg, version=1, content=content, sessions={world.session.pk: ""}, news=[])


def leads_to_the_field(world: World) -> list[bool]:
    """Whether the pages where anybody finds events link the joint ranking: home, all events, the club's, the
    ranking of its session."""
    leg, club = world.session.leg, world.session.tournament.club
    assert leg is not None
    pages = ("", "events/", f"clubs/{club.slug}/", f"sessions/{world.session.pk}/")
    shown = [body_of(Client().get(f"/en/{one}")) for one in pages]
    return [f"/events/{leg.event_id}/legs/{leg.number}/" in text for text in shown]


@pytest.mark.parametrize("role", ROLES)
def test_what_the_api_refuses_and_leaves_out_at_either_club(worlds: tuple[World, World], role: str) -> None:
    """By role: no traveller, no proof of a board, no table, and of the plays only those that concern them;
    of lists only those who run or score a club see its own."""
    a_field_made_too_early(worlds[0])
    for world in worlds:
        client, at = world.client(role), f"/api/v1/sessions/{world.session.pk}"
        is_official = role in {"organiser", "scorer"}
        assert client.get(f"{at}/").json()["seed"] is None
        assert client.get(f"{at}/").json()["version"] == 0
        for part in ("traveller", "lists", "proof"):
            assert client.get(f"{at}/boards/1/{part}/").status_code in (401, 403, 404)
        shown = client.get(f"{at}/plays/").json()["results"]
        mine = {"table": 4, "other table": 4, "foreign table": 4, "player": 4, "foreign player": 4}
        assert len(shown) == (12 if is_official else len(shown) and mine.get(role, 0))
        if not is_official:
            assert [one["result"]["awards"] for one in shown] == [None] * len(shown)
        ranking = client.get(f"{at}/ranking/").json()
        assert bool(ranking["places"]) == is_official
        versions = client.get(f"{at}/ranking/versions/").json()
        assert bool(versions["results"]) == is_official
        field = client.get(f"/api/v1/legs/{world.session.leg_id}/field/").json()
        assert (field["version"], field["count"], field["places"]) == (0, 0, [])
        assert client.get(f"/api/v1/legs/{world.session.leg_id}/field/versions/").json()["results"] == []
        export = client.get(f"{at}/exports/ranking/", HTTP_ACCEPT="text/csv")
        assert (export.status_code == 200) == is_official


def test_no_list_plot_or_calendar_of_others_tells_more(worlds: tuple[World, World]) -> None:
    own, _other = worlds
    assert public_ranking(own.session) is None
    page = own.client("anyone").get(f"/en/sessions/{own.session.pk}/")
    shown = body_of(page)
    assert page.status_code == 200
    assert "stay closed until every club has played" in shown
    a_field_made_too_early(own)
    leg = own.session.leg
    assert leg is not None
    for caller in (Client(), signed_in(an_administrator())):
        field = body_of(caller.get(f"/en/events/{leg.event_id}/legs/{leg.number}/"))
        assert "Closed until the embargo is lifted" in field
        assert "<table" not in field
    assert leads_to_the_field(own) == [False] * 4
    screen = body_of(own.client("anyone").get(f"/en/sessions/{own.session.pk}/screen/"))
    embed = body_of(own.client("anyone").get(f"/en/sessions/{own.session.pk}/embed/"))
    for text in (screen, embed):
        assert "%" not in text.partition("<main")[2].partition("</main")[0]


def test_what_is_printed_archived_and_taken_away(worlds: tuple[World, World]) -> None:
    own, _other = worlds
    session, known = own.session, people(own.session)
    director, playing = known["director"], known["who plays and directs"]
    may = set(prints.allowed(director, session))
    assert {"travellers", "ranking"} <= may  # who does not play sees results, and no hands
    assert not may & {"hand-records", "dealing-lists"}
    assert not set(prints.allowed(playing, session)) & {
        "travellers",
        "ranking",
        "certificates",
        "hand-records",
    }
    assert exports.may(session, director)
    assert not exports.may(session, playing)
    assert not archives.may(session, director)
    with pytest.raises(Exception, match="archive"):
        archives.check(tournament=session.tournament, session=session, actor=director)
    lift(own)
    assert "hand-records" in prints.allowed(director, own.refresh())
    assert "travellers" in prints.allowed(playing, own.refresh())
    assert archives.may(own.refresh(), director)


def test_who_directs_at_one_club_and_plays_at_another_sees_no_results_of_either(
    worlds: tuple[World, World],
) -> None:
    own, other = worlds
    director = people(own.session)["director"]
    assert custody.seen_boards(own.session, director) is None
    seated = Player.objects.filter(memberships__session=other.session).order_by("pk")[0]
    Player.objects.filter(pk=seated.pk).update(account=director)
    assert custody.seen_boards(own.session, director) == frozenset()
    assert not exports.may(own.session, director)
    client = Client()
    client.force_login(director)
    play = Play.objects.filter(board__board_set__session=own.session).order_by("pk").first()
    assert play is not None
    page = client.get(f"/en/desk/sessions/{own.session.pk}/lists/")
    assert page.status_code in (200, 404)
    assert "%" not in body_of(page).partition("<main")[2].partition("</main")[0]


def test_nothing_that_rankings_are_combined_into_counts_it(
    worlds: tuple[World, World], monkeypatch: Any
) -> None:
    monkeypatch.setattr(live, "close_old_connections", lambda: None)  # it would close the test's own
    own, _other = worlds
    tournament, club = own.session.tournament, own.session.tournament.club
    player = Player.objects.filter(memberships__session=own.session).order_by("pk")[0]

    def counted() -> list[bool]:
        session = own.refresh()
        return [
            combined.are_there(tournament, None),
            combined.are_there(tournament, own.organiser),
            ratings.sessions_of(club).exists(),
            bool(own_season.form([player])),
            public_calendar.results_of(player).exists(),
            session.public_version > 0,
            Play.objects.visible_to(None).filter(table__section__session=session).exists(),
            _news_of(session) > 0,
        ]

    assert counted() == [False] * 8
    lift(own)
    assert counted() == [True] * 8


def _news_of(session: Session) -> int:
    """The version that everybody who watches is told."""
    topic = live.Topic(session.pk, whole=False)
    news = live.current_news([topic])[topic]
    assert isinstance(news, live.News)
    return news.version


def test_what_came_of_matches_waits_too(worlds: tuple[World, World], monkeypatch: Any) -> None:
    own, _other = worlds
    a_team(own.session)
    first = Team.objects.get(session=own.session)
    second = Team.objects.create(session=own.session, number=2)
    match = Match.objects.create(session=own.session, round=1, number=1, first=first, second=second)
    boards = tuple(own.session.board_set.boards.values_list("pk", flat=True))
    won = matches.MatchState(match, boards=boards, counted=4, is_complete=True)
    monkeypatch.setattr(matches, "states", lambda _session: {match.pk: won})
    assert matches.told_to_all(own.session)[match.pk].counted == 0
    lift(own)
    assert matches.told_to_all(own.refresh())[match.pk].counted == 4


def test_who_plays_and_scores_cannot_try_cards_after_the_evening(worlds: tuple[World, World]) -> None:
    own, _other = worlds
    session, scorer = own.session, own.holder("scorer")
    here, play = [one for one in plays_of(session) if one.board.number == 1][:2]
    seated = Player.objects.filter(contestants__seatings__play=here).order_by("pk")[0]
    assert scorer.role is not None
    Player.objects.filter(pk=seated.pk).update(account=scorer.role.account)
    guesses = [an_entry(play, {"actions": ["play:AS"]}, "So it was") for _ in range(REFUSALS_AT_MOST + 1)]
    with pytest.raises(Conflict, match="director"):
        submit(session_id=session.pk, sender=scorer, entries=guesses)


def test_a_deal_officer_who_has_taken_custody_sees_the_hands(worlds: tuple[World, World]) -> None:
    own, _other = worlds
    officer = people(own.session)["deal officer"]
    custody.take(session=own.session, account=officer, signed_in_again_at=timezone.now())
    printed = custody.print_lists(session=own.session, actor=officer, boards=[1])
    assert CARD.search(str(printed.lists))
    assert printed.by == officer.name


def test_a_session_of_its_own_boards_asks_nothing_of_events(django_assert_num_queries: Any) -> None:
    world = a_world()
    session = world.refresh()
    with django_assert_num_queries(0):
        assert not session.is_under_embargo
        assert not session.is_open_to_all
