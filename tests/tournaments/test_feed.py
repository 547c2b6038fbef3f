"""The feed: what it says, to whom, and that whoever has read up to a position has missed nothing of it."""

from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import close_old_connections, connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from tournaments.models import FeedCounter, FeedItem, Session, Tally
from tournaments.services import (
    deleting,
    events,
    feed,
    fields,
    retention,
    rounds,
    sessions,
    states,
    sweep,
)

from .fields import a_leg, a_part, an_administrator, an_entry_of, an_organiser, send
from .worlds import World, a_ruling, a_session, a_world, forget, hand_in, played_through, plays_of, work

pytestmark = pytest.mark.django_db


def asked(client: APIClient | None = None, **query: Any) -> Any:
    answer = (client or APIClient()).get("/api/v1/feed/", query)
    assert answer.status_code == 200, answer.content
    return answer.json()["results"]


def kinds(items: Any) -> list[str]:
    return [item["kind"] for item in items]


# ── What it says ──────────────────────────────────────────────────────────────────────────────────


def test_an_evening_from_its_plan_to_an_amendment() -> None:
    forget()
    world = a_world()
    session = world.session
    sessions.publish(session=session, actor=None, listed=True)
    played_through(world)
    sessions.finish(session=world.refresh(), actor=None)
    work(world.session)
    a_ruling(world.refresh(), plays_of(session)[0])  # annulled: three have a board less
    work(world.refresh())
    states.change(session=world.refresh(), actor=None, to="final")
    states.change(session=world.refresh(), actor=None, to="amended", reason="A score was wrong")
    sessions.publish(session=world.refresh(), actor=None, listed=False, reason="Not yet")
    feed.place_new()
    items = asked(world.client("organiser"))
    assert kinds(items) == [
        *["session.planned", "session.listed", "session.begun", "session.played"],
        *["ranking.published", "ranking.amended", "ranking.final", "ranking.amended", "session.withdrawn"],
    ]
    assert [item["id"] for item in items] == sorted({item["id"] for item in items})
    assert {item["session"] for item in items} == {session.pk}
    assert items[5]["version"] == Tally.objects.get(session=session).version
    published = items[kinds(items).index("ranking.published")]
    assert published | {"at": "", "id": 0} == {
        **{"id": 0, "kind": "ranking.published", "at": "", "gone": False, "session": session.pk},
        **{"event": None, "leg": None, "club": session.tournament.club.slug, "round": None},
        **{"tournament": session.tournament_id, "name": session.name, "state": "provisional"},
        "version": None,
    }


def test_a_round_is_told_when_it_is_opened_first() -> None:
    world = a_world(published=True)
    rounds.pace(session=world.session, actor=None, pace=rounds.Pace(20))
    rounds.open_round(session=world.refresh(), actor=None, number=1)
    rounds.close_round(session=world.refresh(), actor=None, number=1)
    rounds.open_round(session=world.refresh(), actor=None, number=1, reason="A table was late")
    feed.place_new()
    told = asked(session=world.session.pk)
    assert kinds(told)[2:] == ["session.begun", "round.begun"]
    assert told[-1]["round"] == 1


def test_a_result_writes_nothing() -> None:
    forget()
    world = a_world(published=True)
    first, second = plays_of(world.session)[:2]
    hand_in(world, first)  # which starts the session
    work(world.refresh())
    before = FeedItem.objects.count()
    hand_in(world, second)
    work(world.refresh())
    assert FeedItem.objects.count() == before


def test_a_trial_is_nobodys_news() -> None:
    a_session(trial=True)
    assert not FeedItem.objects.exists()


# ── Who sees what ─────────────────────────────────────────────────────────────────────────────────


def test_what_is_not_listed_is_told_to_its_club_alone() -> None:
    world = a_world()
    feed.place_new()
    own = kinds(asked(world.client("organiser")))
    assert own == ["session.planned"]
    for role in ("anyone", "foreign organiser", "foreign player"):
        assert world.session.pk not in {item["session"] for item in asked(world.client(role))}, role


def test_what_was_withdrawn_is_gone_without_its_names() -> None:
    world = a_world(published=True)
    sessions.publish(session=world.session, actor=None, listed=False)
    feed.place_new()
    own = [item for item in asked() if item["session"] == world.session.pk]
    assert kinds(own) == ["session.planned", "session.listed", "session.withdrawn"]
    for item in own:
        assert item["gone"]
        assert {
            name: item[name] for name in ("club", "tournament", "name", "state", "version")
        } == dict.fromkeys(("club", "tournament", "name", "state", "version"))
    assert not any(item["gone"] for item in asked(world.client("organiser")))


def test_what_was_deleted_is_gone_for_its_club_too() -> None:
    world = a_world(published=True, custody="none")
    client, session = world.client("organiser"), world.session
    deleting.delete(session=session, actor=None)
    feed.place_new()
    own = [item for item in asked(client) if item["session"] == session.pk]
    assert kinds(own) == ["session.planned", "session.listed"]
    assert all(item["gone"] and item["name"] is None for item in own)


def test_under_embargo_there_is_no_news_of_rankings_until_it_is_lifted() -> None:
    forget()
    leg = a_leg(boards=12)
    first, second = a_part(leg, "Club A"), a_part(leg, "Club B")
    entry = an_entry_of(leg, "Club C")
    for one in (first, second):
        send(one)
        sessions.publish(session=one, actor=None, listed=True)
        work(one)
    feed.place_new()
    for client in (APIClient(), client_of(first)):
        told = kinds(asked(client))
        assert not any(kind.startswith("ranking") or kind == "event.ranked" for kind in told), told
    last = FeedCounter.objects.get().newest
    events.decide(entry=entry, actor=an_administrator(), to="left-out", reason="No answer")
    fields.rank(leg_id=leg.pk)
    feed.place_new()
    told = asked(after=last)
    assert sorted(kinds(told)) == ["event.ranked", "ranking.published", "ranking.published"]
    assert {item["session"] for item in told} == {first.pk, second.pk, None}
    ranked = next(item for item in told if item["kind"] == "event.ranked")
    assert (ranked["event"], ranked["leg"], ranked["version"]) == (leg.event_id, leg.pk, 1)
    assert asked(event=leg.event_id)[0]["kind"] == "event.announced"


def client_of(session: Session) -> APIClient:
    from tournaments.models import Role
    from tournaments.services import tokens

    club = session.tournament.club
    _token, text = tokens.issue_for_role(person="Ana", club=club, kind=Role.Kind.ORGANISER)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def test_it_is_filtered_by_club_session_and_kind() -> None:
    one, other = a_world(published=True), a_session(club="Club Z", published=True)
    feed.place_new()
    assert {item["session"] for item in asked(club="club-z")} == {other.pk}
    assert {item["session"] for item in asked(session=one.session.pk)} == {one.session.pk}
    assert set(kinds(asked(kind="session.listed"))) == {"session.listed"}
    assert APIClient().get("/api/v1/feed/", {"kind": "session"}).status_code == 400


# ── The order ─────────────────────────────────────────────────────────────────────────────────────


def test_what_came_after_is_read_page_by_page_and_nothing_twice() -> None:
    for _n in range(3):
        a_session(published=True)
    feed.place_new()
    every = [item["id"] for item in asked()]
    assert every == sorted(every)
    answer = APIClient().get("/api/v1/feed/", {"after": every[0], "page_size": 2}).json()
    assert [item["id"] for item in answer["results"]] == every[1:3]
    following = APIClient().get(answer["next"]).json()
    assert [item["id"] for item in following["results"]] == every[3:5]
    assert asked(after=every[-1]) == []


def test_an_item_without_a_position_is_not_read_and_is_found_by_the_sweep() -> None:
    a_session(published=True)
    assert asked() == []
    assert feed.is_due()
    assert sweep.sweep()
    assert feed.place_new() == 2
    assert not feed.is_due()
    assert feed.place_new() == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="on SQLite one writes at a time")
def test_a_transaction_that_ends_late_comes_after_what_has_been_read() -> None:
    """Its item has the lower id, and was not there yet when the other got its position."""
    late, quick = a_session(), a_session()
    feed.place_new()
    last = FeedCounter.objects.get().newest
    with transaction.atomic():
        sessions.publish(session=late, actor=None, listed=True)

        def meanwhile() -> None:
            sessions.publish(session=quick, actor=None, listed=True)
            feed.place_new()
            close_old_connections()
            connection.close()

        other = Thread(target=meanwhile)
        other.start()
        other.join()
        position = FeedItem.objects.get(session=quick, kind="session.listed").position
        assert position == last + 1
    feed.place_new()
    assert [item["session"] for item in asked(after=position)] == [late.pk]


def test_whoever_has_missed_something_that_is_forgotten_is_told() -> None:
    world = a_world(published=True)
    feed.place_new()
    newest = FeedCounter.objects.get().newest
    FeedItem.objects.update(at=timezone.now() - timedelta(days=feed.DAYS + 1))
    sessions.publish(session=world.session, actor=None, listed=False)
    feed.place_new()
    assert retention.forget_old()["items of the feed"] == newest
    refused = APIClient().get("/api/v1/feed/", {"after": newest - 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "feed-forgotten")
    assert [item["id"] for item in asked(after=newest)] == [newest + 1]
    assert [item["id"] for item in asked(after=0)] == [newest + 1]


def test_a_position_of_another_feed_is_refused() -> None:
    refused = APIClient().get("/api/v1/feed/", {"after": 7})
    assert (refused.status_code, refused.json()["code"]) == (400, "no-such-position")


def test_an_organiser_of_nothing_else_sees_no_more_than_the_public() -> None:
    a_session(club="Club Z")
    club = a_session().tournament.club
    feed.place_new()
    world: World = a_world()
    feed.place_new()
    assert an_organiser(club).organised_club == club.pk
    assert all(item["club"] != "club-z" for item in asked(world.client("organiser")))
